"""A game with its options, as Python code holds it."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Mapping
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from oponente.kernel import bridge
from oponente.kernel.compilation import bind
from oponente.kernel.memory import private_space, private_zeros
from oponente.kernel.notation import quoted, shortened
from oponente.kernel.options import build, changed
from oponente.kernel.random import stream
from oponente.kernel.real_time import RealTime
from oponente.kernel.rules import MAX_PLAYERS
from oponente.kernel.standard import ENCODED, OUTCOME, UNIFORM
from oponente.kernel.symmetry import Symmetry

if TYPE_CHECKING:
    from oponente.kernel.state import State

REQUIRED_NAMES = ("NAME", "State", "Tables", "tables", "MAX_ACTIONS")
REQUIRED_FUNCTIONS = ("initial", "player", "actions", "apply", "returns")

STARTS, CHANCE_EVENTS = 10, 1000
"""How many starts are tried for a first decision, and how many chance events from each."""

NEEDED_BY_FLAG = {"HIDDEN_INFORMATION": "determinize", "SIMULTANEOUS": "determinize", "SAMPLED_CHANCE": "reseed"}
"""Without these functions every agent would see what it must not know."""

_COMPARED = 8
"""Starts that tell whether a game has only one."""


class RulesError(Exception):
    """A module does not fulfil the rules contract; the message says in what."""


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The options of a game that has none."""


class Game:
    """A game with its options fixed: makes states, knows the constants of the contract.

    Args:
        rules: the module that fulfils the contract of :mod:`oponente.kernel.rules`.
        options: values of the game's options by name, as texts; missing ones take their default.
        text: module with the game's notation; None: `rules` itself is searched for its functions.
        draw: module with ``svg``; likewise.
        heuristics: module with ``EVALUATORS``, ``POLICIES``, ``PRIORS``, ``BELIEFS`` and ``FEATURES``;
            likewise.
        facts: module with ``FACTS`` and ``facts``, see :mod:`oponente.arena.facts`; likewise.
        kept: whether the options are `changed_options` of an earlier game, not what a user gave: no file that an
            option names is read.

    Raises:
        RulesError: the module does not fulfil the contract.
        ValueError: an option is unknown or out of range, or names a file although the options are `kept`.
    """

    def __init__(
        self,
        rules: ModuleType,
        options: Mapping[str, str] | None = None,
        text: ModuleType | None = None,
        draw: ModuleType | None = None,
        heuristics: ModuleType | None = None,
        facts: ModuleType | None = None,
        *,
        kept: bool = False,
    ) -> None:
        _check_contract(rules)
        self.rules = rules
        self.text = text or rules
        self.draw = draw or rules
        self.facts = facts or rules
        knowledge = heuristics or rules
        #: Evaluators by name; the first is the game's own choice. ``outcome`` is there for every game.
        self.evaluators: dict[str, Any] = {**getattr(knowledge, "EVALUATORS", {}), "outcome": OUTCOME}
        #: Playout policies by name; likewise, with ``uniform``.
        self.policies: dict[str, Any] = {**getattr(knowledge, "POLICIES", {}), "uniform": UNIFORM}
        #: Priors of actions and beliefs about what is hidden, by name.
        self.priors: dict[str, Any] = dict(getattr(knowledge, "PRIORS", {}))
        self.beliefs: dict[str, Any] = dict(getattr(knowledge, "BELIEFS", {}))
        #: Features for learning by name; likewise, with ``encoding`` where the rules define one.
        self.features: dict[str, Any] = dict(getattr(knowledge, "FEATURES", {}))
        if getattr(rules, "ENCODING", 0):
            self.features["encoding"] = ENCODED
        self.name: str = rules.NAME
        if hasattr(rules, "resolve"):
            if not kept:
                options = rules.resolve(options or {})
            elif not rules.resolved(options or {}):
                raise ValueError(
                    f"game {rules.NAME}: its options name files, which are not read for a record: expected what was in"
                    " them"
                )
        self.options: Any = build(getattr(rules, "Options", NoOptions), options or {}, f"game {rules.NAME}", kept=kept)
        self.tables: Any = rules.tables(self.options)
        self.num_players: int = rules.players(self.options) if hasattr(rules, "players") else rules.PLAYERS
        if not 1 <= self.num_players <= MAX_PLAYERS:
            raise RulesError(f"{rules.__name__}: {self.num_players} players; a game has 1 to {MAX_PLAYERS}")
        self._used: Callable[..., Any] | None = getattr(rules, "used", None)
        self._bound: dict[Any, tuple[Any, Callable[..., Any]]] = {}
        #: The clock of a game that does not wait for its players, None: it waits.
        self.real_time: RealTime | None = rules.real_time(self.options) if hasattr(rules, "real_time") else None
        self.max_actions: int = rules.MAX_ACTIONS
        self.max_chance: int = getattr(rules, "MAX_CHANCE", 0)
        self.encoding: int = getattr(rules, "ENCODING", 0)
        self.utility: tuple[float, float] = getattr(rules, "UTILITY", (-1.0, 1.0))
        self.open_actions: bool = getattr(rules, "OPEN_ACTIONS", False)
        self.sampled_chance: bool = getattr(rules, "SAMPLED_CHANCE", False)
        self.hidden_information: bool = (
            rules.hidden_information(self.options)
            if hasattr(rules, "hidden_information")
            else getattr(rules, "HIDDEN_INFORMATION", False)
        )
        self.simultaneous: bool = getattr(rules, "SIMULTANEOUS", False) and self.num_players > 1

    @property
    def state_dtype(self) -> np.dtype[Any]:
        """The record dtype of the game's states."""
        dtype: np.dtype[Any] = self.rules.State
        return dtype

    @property
    def changed_options(self) -> dict[str, str]:
        """The options that differ from their default, as texts."""
        return changed(self.options)

    def feature_count(self, name: str) -> int:
        """Return how many features of that name there are."""
        kind = self.features[name]
        return self.encoding if kind is ENCODED else int(kind.token.module.FEATURES)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        """The symmetries that the rules tell, without the one that moves nothing."""
        tell = getattr(self.rules, "symmetries", None)
        return list(tell(self.tables)) if tell else []

    @property
    def perfect_information(self) -> bool:
        """Whether every player sees the whole state."""
        return not (self.hidden_information or self.simultaneous)

    @cached_property
    def repeats(self) -> bool:
        """Whether the same actions are always the same game: there is no chance, and one start, as some seeds tell."""
        if self.max_chance or self.sampled_chance:
            return False
        return len({self.start(seed) for seed in range(_COMPARED)}) == 1

    @cached_property
    def operate(self) -> Callable[..., Any]:
        """:func:`oponente.kernel.bridge.operate` of this game, its tables left out; compiled at first use."""
        return bridge.bind_operate(self.tables, self.new_states(1))

    @cached_property
    def operate_hidden(self) -> Callable[..., Any]:
        """:func:`oponente.kernel.bridge.operate_hidden` likewise."""
        return bridge.bind_operate_hidden(self.tables, self.new_states(1))

    def bound(self, entry: Callable[..., Any], tables: Any, examples: Callable[[], Any]) -> Callable[..., Any]:
        """Return an entry with its first two arguments given; see :func:`oponente.kernel.compilation.bind`.

        Args:
            entry: whose arguments begin with a game's tables and other tables.
            tables: the second argument, an evaluator's or a policy's tables.
            examples: gives an example for each other argument, if the entry was not bound before.
        """
        found = self._bound.get((entry, id(tables)))
        if found is None:
            # The tables are kept, so that their id stays theirs.
            found = self._bound[entry, id(tables)] = tables, bind(entry, (self.tables, tables), *examples())
        return found[1]

    def new_states(self, count: int) -> Any:
        """Return an array of `count` all-zero state records."""
        return private_zeros(count, self.state_dtype)

    def words(self, states: Any) -> Any:
        """Return states as unsigned integers of the widest kind that a record is made of, a row a state.

        It is a view, which the hash of a state reads.
        """
        size = self.state_dtype.itemsize
        width = next(width for width in (8, 4, 2, 1) if size % width == 0)
        return states.view(np.uint8).view(np.dtype(f"u{width}")).reshape(len(states), size // width)

    def state_bytes(self, states: Any) -> bytes:
        """Return what is in use of the first of `states`; equal states have equal bytes.

        A game whose records are large and mostly unused says what that is (``used``, see
        :mod:`oponente.kernel.rules`); of others it is the whole record.
        """
        if self._used is None:
            whole: bytes = (states if states.size == 1 else states[:1]).tobytes()
            return whole
        raw = states[:1].view(np.uint8)
        return b"".join(raw[start:stop].tobytes() for start, stop in self._used(self.tables, states))

    def state_array(self, data: bytes) -> Any:
        """Return an array of one record, made of what :meth:`state_bytes` returned.

        Raises:
            ValueError: there are too few bytes, or too many.
        """
        if self._used is None:
            # NumPy's own copies go through the record field by field.
            states = np.frombuffer(bytearray(data), self.state_dtype)
            if states.size != 1:
                raise ValueError(f"{len(data)} bytes are no state of {self.name}")
            return states
        states = self.new_states(1)
        raw, given = states.view(np.uint8), np.frombuffer(data, np.uint8)
        position = part = 0
        # The first part is the same for all states, and says how long the others are.
        while part < len(parts := self._used(self.tables, states)):
            start, stop = parts[part]
            if not 0 <= start <= stop <= raw.size or position + stop - start > given.size:
                raise ValueError(f"{len(data)} bytes are no state of {self.name}")
            raw[start:stop] = given[position : position + stop - start]
            position, part = position + stop - start, part + 1
        if position != given.size:
            raise ValueError(f"{len(data)} bytes are no state of {self.name}")
        return states

    def copied(self, states: Any) -> Any:
        """Return a new array of one record, a copy of the first of `states` as far as it is in use."""
        if self._used is None:
            return states[:1].copy()
        # To set a large record to zero would take longer than all the rest.
        copy = private_space(1, self.state_dtype)
        raw, to = states[:1].view(np.uint8), copy.view(np.uint8)
        for start, stop in self._used(self.tables, states):
            to[start:stop] = raw[start:stop]
        return copy

    def put(self, states: Any, place: int, source: Any) -> None:
        """Write a copy of the first of `source` to `place` in `states`, as far as it is in use."""
        if self._used is None:
            states[place] = source[0]
            return
        size = self.state_dtype.itemsize
        raw, to = source[:1].view(np.uint8), states.view(np.uint8)[place * size : (place + 1) * size]
        for start, stop in self._used(self.tables, source):
            to[start:stop] = raw[start:stop]

    def start(self, seed: int = 0) -> State:
        """Return a start position. What varies from game to game is decided by `seed`."""
        from oponente.kernel.state import State

        return State.start(self, seed)

    def first_decision(self, seed: int = 0) -> State:
        """Return a position at which a player decides for the first time; what chance does before is drawn by `seed`.

        Where a start leads to none, the starts of the next seeds are tried.

        Raises:
            ValueError: there seems to be none: the games tried end before it, or chance goes on and on.
        """
        for start in range(seed, seed + STARTS):
            state, rng = self.start(start), stream(start, "first decision")
            state.undoable = False
            while state.is_chance and len(state.history) < CHANCE_EVENTS:
                state.apply_chance(rng)
            if state.player >= 0:
                return state
        raise ValueError(
            f"{self.name}: no player is to move after {CHANCE_EVENTS} chance events or at the end, from {STARTS} starts"
        )

    def position(self, text: str, seed: int = 0) -> State:
        """Return the position after the moves in `text`, each in the game's notation, from the start of `seed`.

        Moves stand apart by blanks or commas, unless the game's ``split_position(text)`` says otherwise.

        Raises:
            IllegalActionError: with one line that says which move is wrong and why.
        """
        from oponente.kernel.state import IllegalActionError

        split = getattr(self.text, "split_position", None)
        state = self.start(seed)
        for number, move in enumerate(split(text) if split else text.replace(",", " ").split(), 1):
            try:
                state.apply(state.parse_action(move))
            except ValueError as error:
                raise IllegalActionError(f"move {number} ({shortened(move)}) of {quoted(text)}: {error}") from None
        return state

    def from_bytes(self, data: bytes) -> State:
        """Return the state that :meth:`State.to_bytes` wrote.

        Raises:
            ValueError: the bytes are damaged, or belong to another game or to other options.
        """
        from oponente.kernel.state import State

        return State.from_bytes(self, data)

    def fingerprint(self) -> bytes:
        """Return 8 bytes that tell apart games, options and layouts of the state."""
        layout = repr(
            (self.name, sorted(self.changed_options.items()), self.state_dtype.descr, self.state_dtype.itemsize)
        )
        return hashlib.blake2b(layout.encode(), digest_size=8).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.rules is self.rules and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.rules.__name__, self.options))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value}" for name, value in self.changed_options.items())
        return f"<Game {self.name}{options}>"


def _check_contract(rules: ModuleType) -> None:
    where = rules.__file__ if rules.__name__.startswith("user_") else rules.__name__
    for name in (*REQUIRED_NAMES, *REQUIRED_FUNCTIONS):
        if not hasattr(rules, name):
            raise RulesError(f"{where} lacks {name}, which every game must define")
    for flag, needed in NEEDED_BY_FLAG.items():
        if getattr(rules, flag, False) and not hasattr(rules, needed):
            raise RulesError(f"{where} lacks {needed}, which a game with {flag} must define")
    if hasattr(rules, "resolve") and not hasattr(rules, "resolved"):
        raise RulesError(f"{where} lacks resolved, which a game with resolve must define")
    if not (hasattr(rules, "PLAYERS") or hasattr(rules, "players")):
        raise RulesError(f"{where} lacks PLAYERS, the number of players")
    for name, kind in (("NAME", str), ("MAX_ACTIONS", int), ("PLAYERS", int)):
        if not isinstance(getattr(rules, name, kind()), kind):
            raise RulesError(f"{where}: {name} is {getattr(rules, name)!r}; expected {kind.__name__}")
    if rules.MAX_ACTIONS < 1:
        raise RulesError(f"{where}: MAX_ACTIONS is {rules.MAX_ACTIONS}; expected 1 or more")
    if not isinstance(rules.State, np.dtype) or rules.State.names is None:
        raise RulesError(f"{where}: State must be a record dtype, made with record(...)")
    if rules.State.hasobject:
        raise RulesError(f"{where}: State holds Python objects; a state must be plain bytes")
    if getattr(rules.Tables, "_fields", ("",))[0] != "token":
        raise RulesError(f"{where}: Tables must be a named tuple whose first field is token")
