"""VGDL: level files, text with one character for each cell."""

from __future__ import annotations

from dataclasses import dataclass

from oponente.games.vgdl.layout import AREA, SPRITES
from oponente.games.vgdl.parser import Description, DescriptionError, check_length

SCREEN = 800
"""Pixels of the longer side, where the description does not say how large a cell is."""


@dataclass(frozen=True)
class Level:
    """A level as a description reads it."""

    file: str
    columns: int
    rows: int
    cell: int
    """Size of a cell in pixels."""
    sprites: list[tuple[int, int, str]]
    """Column, row and name of each sprite, in order of creation."""
    warnings: list[str]


def read_level(text: str, file: str, description: Description, *, strict: bool = False) -> Level:
    """Read a level.

    The first line decides its width: longer ones are cut, shorter ones filled with blanks.

    Raises:
        DescriptionError: it can't be used.
    """
    check_length(text, file)
    lines = text.splitlines()
    while lines and not lines[-1]:
        lines.pop()
    if not lines or not lines[0]:
        raise DescriptionError(f"{file}:1: a level begins with a line of characters; found an empty one")
    columns, rows = len(lines[0]), len(lines)
    if (columns + 2) * (rows + 2) > AREA:
        raise DescriptionError(
            f"{file}:1: {columns:,} columns and {rows:,} rows; with a ring around them {AREA:,} cells at most"
        )
    warnings: list[str] = []
    sprites: list[tuple[int, int, str]] = []

    def warn(row: int, message: str) -> None:
        if strict:
            raise DescriptionError(f"{file}:{row + 1}: {message}")
        warnings.append(f"{file}:{row + 1}: {message}")

    for row, line in enumerate(lines):
        if line[columns:].strip():
            warn(row, f"{line[columns:].rstrip()[:40]!r} is cut off: the first line has {columns} characters")
        for column, character in enumerate(line[:columns]):
            names = description.mapping.get(character)
            if names is not None:
                sprites += [(column, row, name) for name in names]
            elif character != " ":
                warn(row, f"character {character!r} has no mapping")
        # Not all of these will be there: of some there is no class, and of avatars only one for each player is kept.
        if len(sprites) > 2 * SPRITES:
            raise DescriptionError(f"{file}:{row + 1}: {len(sprites):,} sprites; there can be {SPRITES:,} at most")
    return Level(file, columns, rows, _cell_size(description, columns, rows), sprites, list(dict.fromkeys(warnings)))


def _cell_size(description: Description, columns: int, rows: int) -> int:
    size = description.header.get("square_size")
    if size is None:
        return max(2, SCREEN // max(columns, rows))
    if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= 1000:
        raise DescriptionError(f"{description.where}: square_size={size}: expected 1 to 1000 pixels")
    return size
