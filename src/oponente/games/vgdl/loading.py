"""VGDL: finding a description and its levels, and keeping what was compiled."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from oponente.games.vgdl.compiler import Compiled, compile_game
from oponente.games.vgdl.level import read_level
from oponente.games.vgdl.parser import DescriptionError, read_description

VARIABLE = "OPONENTE_VGDL"
"""The environment variable that names a folder with games."""
WHERE_TO_GET = (
    "the GVGAI framework's games (GPL-3.0) are in the folder `examples` of https://github.com/GAIGResearch/GVGAI"
)
OWN_GAMES = (
    "harvest",
    "warehouse",
    "foxhunt",
    "meteors",
    "ferryman",
    "catacombs",
    "lancers",
    "shepherds",
    "hedgehog",
)
"""The games of this package."""


@dataclass
class Loaded:
    """A game that can be played."""

    compiled: Compiled

    @property
    def program(self) -> Any:
        """The `Program` record."""
        return self.compiled.program


FOLDERS = {"single": "gridphysics", "two-player": "2player"}
"""Folders of the games for one and for two that studies and measurements are of, and how the framework names them."""


def find(name: str, folder: str) -> Path:
    """Return the path of a description below a folder: of several the one that lies least deep.

    What is asked for as ``single/NAME`` or ``two-player/NAME`` is also found where the framework has it, in
    ``gridphysics`` or ``2player``, and in `folder` itself.

    Args:
        name: of the game, with folders in front if it needs them (``all/2player/aliens``).
        folder: where to look.

    Raises:
        ValueError: there is none, or several.
    """
    try:
        root = Path(folder).expanduser()
    except RuntimeError:  # there is no such user
        root = Path(folder)
    if not folder or not root.is_dir():
        raise ValueError(f"games={folder} is no folder: name one that holds games; {WHERE_TO_GET}")
    if Path(name).anchor or ".." in Path(name).parts:
        raise ValueError(
            f"game={name}: write where it lies below the folder {folder}, without .txt, such as all/2player/aliens; "
            "another folder is named with games=DIR"
        )
    kind, _, rest = name.partition("/")
    names = [name, f"{FOLDERS[kind]}/{rest}"] if rest and kind in FOLDERS else [name]
    found = next(filter(None, (_lying(root, one) for one in names)), [])
    if not found and len(names) > 1:
        found = _lying(root, rest, deeper=False)
    if not found:
        files = " or ".join(f"{one}.txt" for one in names)
        raise ValueError(f"there is no game {name!r} in {folder}: expected a file {files}; {WHERE_TO_GET}")
    depth = min(len(path.parts) for path in found)
    nearest = [path for path in found if len(path.parts) == depth]
    if len(nearest) > 1:
        listed = " or ".join(str(path.relative_to(root).with_suffix("")) for path in nearest)
        raise ValueError(f"{folder} holds several games {name!r}: write game={listed}")
    return nearest[0]


def _lying(root: Path, name: str, *, deeper: bool = True) -> list[Path]:
    """Return the descriptions of a name that lie in a folder or, if there is none, in the folders below."""
    direct = root / f"{name}.txt"
    if direct.is_file():
        return [direct]
    return sorted(path for path in root.rglob(f"{glob_quoted(name)}.txt") if path.is_file()) if deeper else []


def glob_quoted(name: str) -> str:
    """Return a name as a pattern that matches only itself."""
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def read(path: Path) -> str:
    """Return the text of a file, with line feeds as ends of lines.

    Raises:
        ValueError: it can't be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}:{line}: this is no text in UTF-8: save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def level_path(description: Path, level: int) -> Path:
    """Return the path of a level beside its description."""
    return description.with_name(f"{description.stem}_lvl{level}.txt")


def levels(options: Any) -> list[int]:
    """Return the numbers of the levels that the game which the options name has, in order.

    Raises:
        ValueError: the game can't be found.
    """
    return _numbers(find(options.game, source(options)))


def own_levels(name: str) -> list[int]:
    """Return the numbers of the levels of a game of this package."""
    return _numbers(_own_folder() / f"{name}.txt")


def about(name: str) -> str:
    """Return what a game of this package is, in a line: what its description says first, in a comment."""
    first = (_own_folder() / f"{name}.txt").read_text(encoding="utf-8").partition("\n")[0]
    return first.lstrip("# ").partition(": ")[2] or first.lstrip("# ")


def _own_folder() -> Path:
    return Path(str(resources.files("oponente.games.vgdl") / "own"))


def _numbers(description: Path) -> list[int]:
    """Return the numbers of the levels beside a description, in order."""
    start = len(f"{description.stem}_lvl")
    return sorted(int(file.stem[start:]) for file in level_files(description) if file.stem[start:].isdecimal())


def level_files(description: Path) -> list[Path]:
    """Return the paths of the levels beside a description."""
    beside = description.parent.glob(f"{glob_quoted(description.stem)}_lvl*.txt")
    return sorted(path for path in beside if path.is_file())


def source(options: Any) -> str:
    """Return the folder where the game that the options name is looked for.

    Raises:
        ValueError: it is none of the package's, and no folder is named.
    """
    if options.games:
        return str(options.games)
    if options.game in OWN_GAMES:
        return str(_own_folder())
    folder = os.environ.get(VARIABLE, "")
    if not folder:
        raise ValueError(
            f"there is no game {options.game!r} here; there are {', '.join(OWN_GAMES)}. For others name a folder with "
            f"--option games=DIR or the environment variable {VARIABLE}; {WHERE_TO_GET}"
        )
    return folder


def texts(options: Any) -> tuple[str, str, str, str]:
    """Return name and content of the description and of the level that the options name.

    Raises:
        ValueError: they can't be found or read; the message is one line.
    """
    if options.text:
        return kept_texts(options.text)
    path = find(options.game, source(options))
    level = level_path(path, options.level)
    if level.is_dir():
        raise ValueError(f"{level} is a folder: a level is a file of text")
    if not level.is_file():
        others = [other.name for other in level_files(path)]
        raise ValueError(
            f"{options.game} has no level {options.level}: there is no file {level.name} beside its description; there "
            f"are {', '.join(others) or 'no levels'}"
        )
    return path.name, read(path), level.name, read(level)


KEPT = ("description_file", "description", "level_file", "level")
"""What a record keeps of a game that was read from a folder."""


def kept_texts(text: str) -> tuple[str, str, str, str]:
    """Return name and content of description and level that a record keeps.

    Raises:
        ValueError: no record keeps such a text; the message is one line.
    """
    try:
        kept = json.loads(text)
        found = tuple(str(kept[key]) for key in KEPT)
        json.dumps(found, ensure_ascii=False).encode()  # half of a pair of surrogates is no text
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError(f"text=...: expected JSON with {', '.join(KEPT)}, as a record keeps it") from None
    return found[0], found[1], found[2], found[3]


def kept_text(options: Any) -> str:
    """Return what a record keeps of the game that the options name: all that was read from files."""
    return json.dumps(dict(zip(KEPT, texts(options), strict=True)), ensure_ascii=False)


def load(options: Any) -> Loaded:
    """Return the compiled game that the options name.

    Raises:
        ValueError: it can't be found or used; the message is one line.
    """
    if options.text or (options.game in OWN_GAMES and not options.games):
        return _load_unchanging(options)
    return _load(*texts(options), options.ticks, options.strict)


@lru_cache(maxsize=64)
def _load_unchanging(options: Any) -> Loaded:
    """Return a game whose files can't change: none are read again."""
    return _load(*texts(options), options.ticks, options.strict)


@lru_cache(maxsize=64)
def _load(description_file: str, description: str, level_file: str, level: str, ticks: int, strict: bool) -> Loaded:
    read_one = read_description(description, description_file, strict=strict)
    compiled = compile_game(
        read_one, read_level(level, level_file, read_one, strict=strict), max_ticks=ticks, strict=strict
    )
    return Loaded(compiled)


__all__ = ["OWN_GAMES", "DescriptionError", "find", "load"]
