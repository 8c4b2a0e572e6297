"""The page of a study before it is written: sections of text, verdicts, tables and figures, in any format to come."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

REPRODUCED, EXCEEDED, UNDECIDED, DIFFERS = FINDINGS = ("reproduced", "exceeded", "undecided", "differs")
"""What a repeated study may find of a published finding, in the order in which they are counted: it holds here, too;
what was to be achieved is surpassed; the games are too few to tell; it does not hold."""


@dataclass(frozen=True)
class Verdict:
    """What became of one published finding."""

    key: str
    """A word that names it, for machines."""
    claim: str
    """What the publication found."""
    finding: str
    """One of `FINDINGS`."""
    criterion: str
    """When the finding counts as reproduced, when as different."""
    evidence: str
    """The numbers that decide, with their intervals."""
    remark: str = ""
    """What limits the verdict, or why ours may differ."""
    numbers: dict[str, Any] = field(default_factory=dict)
    """The evidence for machines."""


def beside_published(low: float, high: float, widest: float) -> str:
    """Return what became of a published strength, by the interval of ours less the published one.

    Args:
        low, high: the interval.
        widest: an interval that holds 0 and is wider than this decides nothing.

    >>> [beside_published(*interval, 0.3) for interval in ((-0.1, 0.1), (0.1, 0.5), (-0.3, 0.2), (-0.4, -0.1))]
    ['reproduced', 'exceeded', 'undecided', 'differs']
    """
    if low > 0:
        return EXCEEDED
    if high < 0:
        return DIFFERS
    return UNDECIDED if high - low > widest else REPRODUCED


@dataclass(frozen=True)
class Table:
    """A table; columns of numbers are aligned to the right."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    folded: bool = False
    """Whether readers unfold it first: for long tables."""


@dataclass(frozen=True)
class Figure:
    """A figure, as pictures of both kinds."""

    name: str
    """Of its files, without the ending; unique on a page."""
    title: str
    caption: str
    alt: str
    """What it shows, for those who can't see it."""
    svg: str
    """A picture file, on white."""
    inline_svg: str
    """The ``svg`` element for a page: transparent, in the page's text colour, with names unique to the figure."""
    paint: Callable[[], bytes] = field(compare=False, repr=False)
    """Returns it as a PNG file."""

    @cached_property
    def png(self) -> bytes:
        """It as a PNG file, painted when first asked for."""
        return self.paint()


@dataclass(frozen=True)
class Section:
    """A part of a page; its parts are shown in the order of the fields."""

    title: str
    paragraphs: Sequence[str] = ()
    verdicts: Sequence[Verdict] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class Page:
    """All that a study reports."""

    title: str
    lead: str
    """What the page is, in a few sentences."""
    command: str
    """The command line that makes it again."""
    facts: Sequence[tuple[str, str]]
    """How it was made: name and value."""
    sections: Sequence[Section]
    data: dict[str, Any]
    """All measurements, offered for download."""

    @property
    def figures(self) -> list[Figure]:
        """The figures of all sections."""
        return [figure for section in self.sections for figure in section.figures]
