"""VGDL: descriptions and levels as text, read into plain Python objects.

A description is a tree of lines: the children of a line are the lines below it that are indented further. The first
line is the header, ``BasicGame key=value ...``; below it stand the blocks ``SpriteSet``, ``InteractionSet``,
``LevelMapping`` and ``TerminationSet``, in any order. ``#`` starts a comment.

What is wrong is told with file and line. What a description says that means nothing (an unknown class, effect or key)
is a *warning*: it is ignored, as the GVGAI framework does, or refused if the reader is strict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from oponente.games.vgdl.layout import TYPES
from oponente.games.vgdl.ontology import (
    CLASSES,
    COLOURS,
    COMMON_EFFECT_KEYS,
    COMMON_SPRITE_KEYS,
    CONSTANTS,
    EFFECTS,
    STRING_KEYS,
    TERMINATIONS,
)

BLOCKS = ("SpriteSet", "InteractionSet", "LevelMapping", "TerminationSet")
HEADER_KEYS = {"square_size", "no_players", "no_counters", "key_handler", "obs", "alternate_keys"}
WALL, AVATAR = "wall", "avatar"
EDGE, TIME = "EOS", "TIME"
LONGEST, LINES, DEEPEST = 1_000_000, 10_000, 50
"""Most characters of a file, most lines of a description that are not blank, most names that lie one in the other."""

Value = int | float | bool | str | tuple[float, float]
"""A parameter as the language reads it: a direction is a pair."""


class DescriptionError(ValueError):
    """A description or level can't be used; the message is one line with file, line and cause."""


@dataclass(frozen=True)
class Line:
    """One line of a description that is not blank, its comment left out."""

    file: str
    number: int
    indent: int
    text: str

    @property
    def where(self) -> str:
        """The line's place, for messages."""
        return f"{self.file}:{self.number}"


@dataclass
class Node:
    """A line and those below it that are indented further."""

    line: Line
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """A class, effect or termination with its parameters, as a line gives them."""

    name: str
    values: dict[str, Value]
    where: str


@dataclass
class Sprite:
    """A type of sprite."""

    name: str
    kind: str | None
    """Its class; None for a name that only groups others."""
    values: dict[str, Value]
    ancestors: list[str]
    """From the outermost on."""
    leaf: bool
    where: str
    singleton: bool = False
    """Whether the very line says so."""


@dataclass(frozen=True)
class Interaction:
    """One line of the InteractionSet: an effect and the pairs that it concerns."""

    first: str
    seconds: tuple[str, ...]
    effect: Entry


@dataclass
class Description:
    """All that a description says."""

    file: str
    where: str
    """Where its header is."""
    header: dict[str, Value]
    sprites: dict[str, Sprite]
    """In order of first appearance: the position is the type's number."""
    order: list[str]
    """In this order sprites are drawn; they are updated in the reverse."""
    mapping: dict[str, list[str]]
    interactions: list[Interaction]
    terminations: list[Entry]
    warnings: list[str]
    orphans: set[tuple[str, str]] = field(default_factory=set)
    """Names that were defined once more, each with a former subtype that is none since."""

    def _ancestors(self, name: str) -> list[str]:
        found = dict.fromkeys(self.sprites[name].ancestors)
        return [ancestor for ancestor in found if ancestor != name and (ancestor, name) not in self.orphans]

    def number(self, name: str) -> int:
        """Return the number of a type, -1 if there is none of this name."""
        return self._numbers.get(name, -1)

    def __post_init__(self) -> None:
        self._numbers = {name: number for number, name in enumerate(self.sprites)}
        self.descendants: dict[str, list[str]] = {name: [name] for name in self.sprites}
        """Each name itself and all that descend from it, in order of definition."""
        for name in self.sprites:
            for ancestor in self._ancestors(name):
                self.descendants[ancestor].append(name)
        self.subtypes: dict[str, list[str]] = {
            name: [*found, *self._ancestors(name)] for name, found in self.descendants.items()
        }
        """The types whose instances count as ones of a name. In the framework an instance of a type that has subtypes
        counts as one of each of these, too, so the ancestors are among them."""


def read_description(text: str, file: str, *, strict: bool = False) -> Description:
    """Read a description.

    Args:
        text: its content.
        file: its name, for messages.
        strict: whether a warning is an error.

    Raises:
        DescriptionError: it can't be used.
    """
    return _Reader(file, strict).read(text)


def check_length(text: str, file: str) -> None:
    """Raise DescriptionError if a text is too long to be a description or a level."""
    if len(text) > LONGEST:
        raise DescriptionError(f"{file}:1: {len(text):,} characters; there can be {LONGEST:,} at most")


def _lines(text: str, file: str) -> Iterator[Line]:
    check_length(text, file)
    count = 0
    for number, raw in enumerate(text.splitlines(), 1):
        code = raw.partition("#")[0].rstrip()
        content = code.lstrip()
        if content:
            count += 1
            if count > LINES:
                raise DescriptionError(f"{file}:{number}: more than {LINES:,} lines that are not blank")
            yield Line(file, number, len(code) - len(content), " ".join(content.split()))


def _tree(lines: Iterator[Line]) -> list[Node]:
    roots: list[Node] = []
    open_nodes: list[Node] = []
    for line in lines:
        while open_nodes and open_nodes[-1].line.indent >= line.indent:
            open_nodes.pop()
        node = Node(line)
        (open_nodes[-1].children if open_nodes else roots).append(node)
        open_nodes.append(node)
    return roots


class _Reader:
    def __init__(self, file: str, strict: bool) -> None:
        self.file, self.strict = file, strict
        self.warnings: list[str] = []
        self.sprites: dict[str, Sprite] = {}
        self.order: list[str] = []
        self.orphans: set[tuple[str, str]] = set()

    def read(self, text: str) -> Description:
        roots = _tree(_lines(text, self.file))
        if not roots or not roots[0].line.text.startswith("BasicGame"):
            where = roots[0].line.where if roots else f"{self.file}:1"
            found = f"{roots[0].line.text[:40]!r}" if roots else "an empty file"
            raise DescriptionError(f"{where}: a description begins with a line 'BasicGame ...'; found {found}")
        header = self._parameters(roots[0].line, roots[0].line.text.split()[1:], "header")
        for key in header:
            if key not in HEADER_KEYS:
                self._warn(
                    roots[0].line.where, f"the header has no key {key!r}; it has {', '.join(sorted(HEADER_KEYS))}"
                )
        blocks: dict[str, list[Node]] = {name: [] for name in BLOCKS}
        for node in (*roots[0].children, *roots[1:]):
            name, *words = node.line.text.split()
            if name in blocks:
                self._stray(node.line, words, name)
                blocks[name].extend(node.children)
            elif name != "ParameterSet":
                self._warn(node.line.where, f"there is no block {name!r}; there are {', '.join(BLOCKS)}")
        self._sprites(blocks["SpriteSet"])
        mapping = {"w": [WALL], "A": [AVATAR]}
        for name in BLOCKS[1:]:
            for node in blocks[name]:
                self._beneath(node)
        for node in blocks["LevelMapping"]:
            self._mapping(node.line, mapping)
        interactions = [found for node in blocks["InteractionSet"] for found in self._interaction(node.line)]
        terminations = [found for node in blocks["TerminationSet"] for found in self._termination(node.line)]
        return Description(
            self.file,
            roots[0].line.where,
            header,
            self.sprites,
            self.order,
            mapping,
            interactions,
            terminations,
            self.warnings,
            self.orphans,
        )

    def _warn(self, where: str, message: str) -> None:
        if self.strict:
            raise DescriptionError(f"{where}: {message}")
        self.warnings.append(f"{where}: {message}")

    # --- parameters ------------------------------------------------------------------------------------------------

    def _parameters(self, line: Line, tokens: list[str], what: str, words: int = 0) -> dict[str, Value]:
        """Read the tokens that are KEY=VALUE; of the others the first `words` mean something and stand elsewhere."""
        values: dict[str, Value] = {}
        others = []
        for token in tokens:
            key, equals, text = token.partition("=")
            if not equals or not key:
                others.append(token)
                continue
            if key in values:
                self._warn(line.where, f"{key} is given twice: the last one counts")
            values[key] = self._value(line, key, text)
        self._stray(line, others[words:], what)
        return values

    def _stray(self, line: Line, words: list[str], what: str) -> None:
        """Warn of words that stand where a line has no place for them."""
        for word in words:
            self._warn(line.where, f"{what}: {word!r} is ignored: expected KEY=VALUE without blanks")

    def _beneath(self, node: Node) -> None:
        """Warn of lines that lie below one that has no room for others."""
        for child in node.children:
            self._warn(
                child.line.where, "it is indented further than the line above, and ignored with what is below it"
            )

    def _value(self, line: Line, key: str, text: str) -> Value:
        if text in CONSTANTS or text in COLOURS:
            if text not in self.sprites:
                return CONSTANTS.get(text, text)
            self._warn(line.where, f"{key}={text}: {text} is a constant of the language; here it is the sprite")
        for convert in (int, float):
            try:
                return convert(text) if "_" not in text else text
            except ValueError:
                pass
        if text.lower() in ("true", "false") and key not in STRING_KEYS:
            return text.lower() == "true"
        return text

    def _check_keys(self, entry: Entry, what: str, known: set[str]) -> None:
        for key in entry.values:
            if key not in known:
                self._warn(entry.where, f"{what} {entry.name} has no key {key!r}: it is ignored")

    # --- blocks ----------------------------------------------------------------------------------------------------

    def _sprites(self, nodes: list[Node]) -> None:
        self._define(WALL, "Immovable", {"solid": True}, [], True, f"{self.file}:0", False)
        self._define(AVATAR, "MovingAvatar", {}, [], True, f"{self.file}:0", False)
        self._sprite_nodes(nodes, None, {}, [])
        self.order.remove(AVATAR)
        self.order.append(AVATAR)

    def _sprite_nodes(
        self, nodes: list[Node], kind: str | None, inherited: dict[str, Value], ancestors: list[str]
    ) -> None:
        for node in nodes:
            line = node.line
            if len(ancestors) == DEEPEST:
                raise DescriptionError(f"{line.where}: more than {DEEPEST} names lie one in the other")
            if ">" not in line.text:
                self._warn(line.where, f"no '>' in {line.text[:40]!r}: it and what follows on its level is ignored")
                return
            name, _, rest = line.text.partition(">")
            name, tokens = name.strip(), rest.split()
            named = next((token for token in tokens if "=" not in token), None)
            values = {**inherited, **self._parameters(line, tokens, f"sprite {name}", 1)}
            if named is not None and named not in CLASSES:
                self._warn(line.where, f"there is no sprite class {named!r}: it is ignored")
                named = None
            own = kind or named
            alone = values.pop("singleton", False)
            if type(alone) is not bool:
                self._warn(line.where, f"sprite {name}: singleton={alone} is ignored: expected True or False")
            singleton = alone is True
            if own is not None:
                self._check_keys(Entry(own, values, line.where), "sprite class", COMMON_SPRITE_KEYS | CLASSES[own])
            self._define(name, own, values, ancestors, not node.children, line.where, singleton)
            self._sprite_nodes(node.children, named or kind, values, [*ancestors, name])

    def _define(
        self,
        name: str,
        kind: str | None,
        values: dict[str, Value],
        ancestors: list[str],
        leaf: bool,
        where: str,
        singleton: bool,
    ) -> None:
        if name not in self.sprites and len(self.sprites) == TYPES:
            raise DescriptionError(f"{where}: more than {TYPES} types of sprites")
        self.orphans |= {(name, other.name) for other in self.sprites.values() if name in other.ancestors}
        self.orphans -= {(ancestor, name) for ancestor in ancestors}
        self.sprites[name] = Sprite(name, kind, dict(values), list(ancestors), leaf, where, singleton)
        if name in self.order and name != AVATAR:
            self.order.remove(name)
        if leaf and name not in self.order:
            self.order.append(name)

    def _mapping(self, line: Line, mapping: dict[str, list[str]]) -> None:
        character, arrow, rest = line.text.partition(">")
        # '>' itself may be the character that is mapped.
        if not character.strip() and rest.count(">"):
            character, (_, _, rest) = ">", rest.partition(">")
        if not arrow or len(character.strip()) != 1:
            self._warn(line.where, f"expected 'character > sprites', found {line.text[:40]!r}: it is ignored")
            return
        names = rest.split()
        for name in names:
            if name not in self.sprites:
                self._warn(line.where, f"there is no sprite {name!r}: it is ignored")
        mapping[character.strip()] = [name for name in names if name in self.sprites]

    def _interaction(self, line: Line) -> list[Interaction]:
        left, arrow, right = line.text.partition(">")
        names, tokens = left.split(), right.split()
        effect = next((token for token in tokens if "=" not in token), None)
        if not arrow or len(names) < 2 or effect is None:
            self._warn(line.where, f"expected 'sprite sprite ... > effect', found {line.text[:60]!r}: it is ignored")
            return []
        values = self._parameters(line, tokens, f"effect {effect}", 1)
        if effect not in EFFECTS:
            self._warn(line.where, f"there is no effect {effect!r}: the line is ignored")
            return []
        known = COMMON_EFFECT_KEYS | EFFECTS[effect]
        if str(values.get("ftype")) in EFFECTS:
            known = known | EFFECTS[str(values["ftype"])]
        entry = Entry(effect, values, line.where)
        self._check_keys(entry, "effect", known)
        names = [name.upper() if name.upper() in (EDGE, TIME) else name for name in names]
        unknown = [name for name in names if name not in self.sprites and name not in (EDGE, TIME)]
        for name in unknown:
            self._warn(line.where, f"there is no sprite {name!r}: pairs with it are ignored")
        if names[0] in unknown:
            return []
        seconds = tuple(name for name in names[1:] if name not in unknown)
        if names[0] in (EDGE, TIME) and any(name in (EDGE, TIME) for name in seconds):
            self._warn(line.where, f"{names[0]} concerns sprites: of another name there is nothing that it does")
        return [Interaction(names[0], seconds, entry)] if seconds else []

    def _termination(self, line: Line) -> list[Entry]:
        tokens = line.text.replace(">", " ").split()
        name = next((token for token in tokens if "=" not in token), "")
        if name not in TERMINATIONS:
            self._warn(line.where, f"there is no termination {name!r}: the line is ignored")
            return []
        entry = Entry(name, self._parameters(line, tokens, f"termination {name}", 1), line.where)
        self._check_keys(entry, "termination", TERMINATIONS[name])
        return [entry]
