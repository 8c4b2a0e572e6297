"""What a command prints, without what is otherwise on another machine."""

from __future__ import annotations

import re

TIMES = {"ms", "ms p95"}
"""Columns of times."""
SPEEDS = re.compile(r"[\d.,]+ games/s|[\d.]+ s, [\d,]+/s")


def same_for_all(text):
    """Return what a command printed without what depends on the machine: lines, and tables as columns by their titles.

    A table's second line, of hyphens, shows where its columns are. A wide table comes in parts, whose rows have the
    same names; they are put together, since what fits into the first part depends on how many digits times have.
    """
    result: list[str | dict[str, list[str]]] = []
    for part in text.strip().split("\n\n"):
        lines = part.splitlines()
        if len(lines) > 1 and not set(lines[1]) - set(" -"):
            spans = [match.span() for match in re.finditer("-+", lines[1])]
            rows = [[line[begin:end].strip() for begin, end in spans] for line in lines]
            table = {titles[0]: list(titles[2:]) for titles in zip(*rows, strict=True)}
            names = rows[0][0]
            if result and isinstance(result[-1], dict) and result[-1].get(names) == table[names]:
                result[-1] |= table
            else:
                result.append(table)
        else:
            lines = [line for line in lines if not line.startswith("Records:")]
            result += [SPEEDS.sub("...", line) for line in lines]
    return [
        part if isinstance(part, str) else {title: cells for title, cells in part.items() if title not in TIMES}
        for part in result
    ]
