"""Recordings of the GVGAI framework: games played tick by tick, as JSON lines.

A file holds several *sequences*. Each begins with a header, the state before the first tick with all sprites; a line
for each tick follows, with the actions, the state after it, and the sprites that vanished from or appeared in the
multiset of all sprites. A sprite is a list: type, x, y in pixels, and where they matter ``"size", w, h``,
``"o", ox, oy`` (the orientation) and ``"hp", health``.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.games.vgdl.kinds import ACTION_NAMES
from oponente.kernel import parse_json
from oponente.kernel.notation import shortened

SUFFIXES = (".jsonl.gz", ".jsonl")
DECIMALS = 9
"""To which orientations are compared."""
MOST_DRAWS = 10**6
"""More random draws than that, one after the other in a tick, are a mistake in the file."""
Sprites = Counter[tuple[Any, ...]]
"""A multiset of sprites."""


class RecordingError(ValueError):
    """A recording can't be read.

    Args:
        line: number of the line, 0 for the file as a whole.
        message: what is wrong.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Situation:
    """What a line says of the state."""

    line: int
    tick: int
    actions: list[int]
    score: list[float]
    win: list[int]
    end: bool
    dead: list[int]
    resources: list[dict[str, int]]
    counters: list[int] | None
    draws: list[str]
    gone: Sprites
    new: Sprites


@dataclass(frozen=True)
class Header:
    """How a sequence begins."""

    game: str
    level: int
    number: int
    seed: int
    """Of it the generator knows the last 48 bits, so it is kept as a number of that size, from 0."""
    players: int
    columns: int
    rows: int
    cell: int
    legal: list[list[str]]
    start: Situation
    """Its `new` are all sprites."""


@dataclass(frozen=True)
class Sequence:
    """One game, as far as it was recorded."""

    header: Header
    ticks: list[Situation]


def read_recording(path: Path) -> list[Sequence]:
    """Return the sequences of a file.

    Raises:
        RecordingError: it can't be read.
    """
    sequences: list[Sequence] = []
    for number, row in _rows(path):
        try:
            if "game" in row:
                sequences.append(Sequence(_header(row, number), []))
            elif not sequences:
                raise ValueError("a tick before the first header")
            else:
                sequences[-1].ticks.append(_situation(row, number))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            missing = f"lacks {error}" if isinstance(error, KeyError) else str(error)
            raise RecordingError(number, missing) from None
    if not sequences:
        raise RecordingError(0, "holds no sequence")
    return sequences


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if path.name.endswith(".gz") else raw).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise RecordingError(0, f"can't be read: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                row = parse_json(line)
            except ValueError as error:
                raise RecordingError(number, f"is no JSON: {error}") from None
            if not isinstance(row, dict):
                raise RecordingError(number, "is no JSON object")
            yield number, row


def _header(row: dict[str, Any], number: int) -> Header:
    start = _situation({**row, "a": [], "t": -1, "rm": [], "ad": row["sprites"]}, number)
    return Header(
        game=str(row["game"]),
        level=int(row["level"]),
        number=int(row["seq"]),
        seed=_seed(row["seed"]),
        players=int(row["players"]),
        columns=int(row["cols"]),
        rows=int(row["rows"]),
        cell=int(row["block"]),
        legal=[[str(action) for action in actions] for actions in row["legal"]],
        start=start,
    )


def _seed(value: Any) -> int:
    seed = int(value)
    if not -(2**63) <= seed < 2**63:
        raise ValueError(f"seed: {shortened(str(seed))} does not fit in 64 bits")
    return seed & (2**48 - 1)


def _situation(row: dict[str, Any], number: int) -> Situation:
    return Situation(
        line=number,
        tick=int(row["t"]),
        actions=[ACTION_NAMES.index(action) for action in row["a"]],
        score=[float(score) for score in row["s"]],
        win=[int(win) for win in row["w"]],
        end=bool(row["end"]),
        dead=[int(player) for player in row["dead"]],
        resources=[{str(name): int(amount) for name, amount in held.items()} for held in row["res"]],
        counters=[int(value) for value in row["cnt"]] if "cnt" in row else None,
        draws=_draws(str(row.get("rng", ""))),
        gone=_sprites(row["rm"]),
        new=_sprites(row["ad"]),
    )


def _draws(text: str) -> list[str]:
    """Return the kinds of random draws one by one: ``f*2 i4`` are ``f``, ``f``, ``i4``."""
    found: list[str] = []
    for part in text.split():
        matched = re.fullmatch(r"(f|d|i\d+)(?:\*(\d+))?", part)
        if matched is None:
            raise ValueError(f"rng: {part!r} is no kind of draw")
        times = int(matched[2] or 1)
        if times > MOST_DRAWS:
            raise ValueError(f"rng: {shortened(part)}: a tick has {MOST_DRAWS:,} draws at most")
        found += [matched[1]] * times
    return found


def _sprites(rows: Any) -> Sprites:
    found: Sprites = Counter()
    for row in rows:
        name, x, y, *rest = row
        parts: dict[str, Any] = {}
        while rest:
            if rest[0] == "hp":
                parts["hp"], rest = int(rest[1]), rest[2:]
            elif rest[0] in ("o", "size"):
                parts[rest[0]], rest = (rest[1], rest[2]), rest[3:]
            else:
                raise ValueError(f"{rest[0]!r} is no part of a sprite")
        found[describe(str(name), int(x), int(y), parts.get("size"), parts.get("o"), parts.get("hp", 0))] += 1
    return found


def describe(
    name: str, x: int, y: int, size: tuple[int, int] | None, facing: tuple[float, float] | None, health: int
) -> tuple[Any, ...]:
    """Return a sprite as it is compared."""
    if facing is not None:
        facing = (round(float(facing[0]), DECIMALS) + 0.0, round(float(facing[1]), DECIMALS) + 0.0)
    return (name, x, y, size, facing, health)
