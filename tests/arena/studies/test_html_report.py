"""The page stands alone: valid, without anything from elsewhere, with each figure in both formats."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from oponente.arena.studies.charts import Interval, Series, interval_chart, line_chart
from oponente.arena.studies.document import DIFFERS, Figure, Page, Section, Table, Verdict
from oponente.arena.studies.html_report import render_html, write_figures
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import run_study
from tests.arena.studies.tiny import SETTINGS, TINY

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Checker(HTMLParser):
    """Notes what a page holds, and whether its elements are closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.tags: list[str] = []
        self.text = ""
        self.references: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self._note(tag, dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, dict(attrs))

    def _note(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tags.append(tag)
        if attributes.get("id"):
            self.ids.append(str(attributes["id"]))
        if tag == "a":
            self.links.append((str(attributes.get("download")), str(attributes.get("href"))))
        for name, value in attributes.items():
            if name in ("src", "href", "xlink:href", "srcset", "action", "data", "poster"):
                self.references.append(str(value))
            self.references += re.findall(r"url\(([^)]*)\)", str(value))
            self.references += [f"#{word}" for word in str(value).split()] if name == "aria-labelledby" else []

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def check(html: str) -> Checker:
    """Parse a page and check what every page must fulfil."""
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids)), "no two elements share a name"
    for reference in checker.references:
        assert reference.startswith(("#", "data:")), reference
        assert not reference.startswith("#") or reference[1:] in checker.ids
    assert not {"script", "link", "iframe"} & set(checker.tags)
    assert "@import" not in html
    assert set(re.findall(r"https?://[^\"'\s<)]*", html)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    return checker


def check_figures(figures: list[Figure], checker: Checker) -> None:
    assert checker.tags.count("svg") == len(figures) > 0
    links = dict(checker.links)
    for figure in figures:
        png = base64.b64decode(links[f"{figure.name}.png"].removeprefix("data:image/png;base64,"), validate=True)
        assert png == figure.png
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        svg = base64.b64decode(links[f"{figure.name}.svg"].removeprefix("data:image/svg+xml;base64,"), validate=True)
        assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
        assert figure.alt
        assert f"{figure.name}-alt" in checker.ids


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    data = run_study(TINY, SETTINGS, Keep(tmp_path_factory.mktemp("study") / "x"), command="oponente experiment <x>")
    return TINY.page(data)


def test_the_page_of_the_study(page: Page) -> None:
    checker = check(render_html(page))
    check_figures(page.figures, checker)
    assert {figure.name for figure in page.figures} == {
        "matches", "time-by-move", "nodes-by-move", "mcts-time", "game-1-time", "game-1-nodes", "game-2-time",
        "game-2-nodes",
    }  # fmt: skip
    assert checker.tags.count("details") == SETTINGS.games
    assert "oponente experiment <x>" in checker.text
    for fact in ("Numba", "Python", "Seed", "Processor"):
        assert fact in checker.text


def test_each_position_is_a_row(page: Page) -> None:
    tables = next(section for section in page.sections if section.title == "Game by game").tables
    for table, game in zip(tables, page.data["games"], strict=True):
        assert [row[0] for row in table.rows] == [str(position["ply"] + 1) for position in game["positions"]]
        for row, position in zip(table.rows, game["positions"], strict=True):
            assert [int(cell.replace(",", "")) for cell in row[-4:]] == [d["expanded"] for d in position["decisions"]]


def test_figures_as_files(page: Page, tmp_path: Path) -> None:
    paths = write_figures(page, tmp_path / "new" / "figures")
    assert len(paths) == 2 * len(page.figures)
    assert all(path.stat().st_size > 1000 for path in paths)


def figure(**changes: Any) -> Figure:
    series = [Series("a & b", [1, 2, 3], [1.0, 10.0, 100.0], [0.5, 5, 50], [2, 20, 200])]
    values: dict[str, Any] = {"x_label": "x <m>", "y_label": "y (ms)", "alt": 'rises "fast"', "log": True}
    return line_chart("f", "A <title> \\1", series, **(values | changes))


def test_texts_are_escaped() -> None:
    verdict = Verdict("k", "1 < 2", DIFFERS, "a & b", "`x<y` & z", "why <b>", {})
    table = Table("T & T", ("n", "text"), [("1,000", "<i>"), ("2", "`code`")], folded=True)
    page = Page(
        "T <x>", "lead", "run --a 'b' <c>", [("k", "v<w>")], [Section("S", ["p"], [verdict], [figure()], [table])], {}
    )
    checker = check(render_html(page))
    assert not {"i", "b", "c", "w", "x", "m"} & set(checker.tags)
    assert "1 < 2" in checker.text
    assert "A <title> \\1" in checker.text


def test_the_page_follows_dark_mode_and_files_do_not() -> None:
    one = figure()
    assert "currentColor" in one.inline_svg
    assert "currentColor" not in one.svg
    assert 'fill="#ffffff"' in one.svg


def test_same_data_same_picture() -> None:
    assert figure().svg == figure().svg
    rows = [Interval("a v b", 0.4, 0.3, 0.5)]
    charts = [interval_chart("i", "t", rows, x_label="share", reference=0.5, alt="a") for _ in range(2)]
    assert charts[0] == charts[1]


def test_numbers_stand_to_the_right() -> None:
    html = render_html(Page("t", "l", "c", [], [Section("s", tables=[Table("t", ("a", "b"), [("1.5 ms", "x")])])], {}))
    assert '<td class="number">1.5 ms</td><td>x</td>' in html
    assert check(html).tags.count("td") == 2
