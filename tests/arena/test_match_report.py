"""The page of a match."""

from __future__ import annotations

import random

import pytest

from oponente.arena import Tally, run_match
from oponente.arena.match_report import agent_labels, distribution, match_page
from oponente.arena.studies.document import Page
from oponente.arena.studies.html_report import render_html
from oponente.games.catalogue import GameSpec

from .helpers import HERE, TRIO, a_match

FACTUAL = GameSpec("factual", file=str(HERE / "factual.py"))


def _page(*agents: str, game: GameSpec, games: int = 12) -> Page:
    spec = a_match(*agents, game=game, games=games)
    result = run_match(spec)
    return match_page(spec, result.tally, game.load(), "oponente match ...", copies=result.copies)


def test_a_game_with_facts() -> None:
    page = _page("random", "random", game=FACTUAL)
    html = render_html(page)
    assert [section.title for section in page.sections][-1] == "Facts of the game"
    assert {figure.name for figure in page.figures} >= {"wins", "wins-by-seat", "lengths", "fact-taken", "fact-share"}
    won, lost = (agent["facts"]["taken"]["mean"] for agent in page.data["match"]["agents"])
    assert f"{won:.2f} ±" in html
    assert f"{lost:.2f} ±" in html
    assert "stones taken" in html
    assert "random (agent 2)" in html
    (row,) = page.sections[0].tables[1].rows
    assert row[:2] == ("random (agent 1) beside random (agent 2)", "6")
    assert row[-1] == f"{100 * page.data['match']['los']:.1f} %"


def test_a_game_without_facts_and_an_agent_that_forfeits() -> None:
    page = _page("random", "first", "raises:ply=3", game=TRIO)
    assert [section.title for section in page.sections] == [
        "Who won", "Seat by seat", "Length of the games", "Time of decisions"
    ]  # fmt: skip
    assert len(page.sections[0].tables) == 1  # no Elo of three
    rows = page.sections[1].tables[0].rows
    assert len(rows) == 9  # three agents in three seats
    assert sum(int(row[3]) for row in rows) == sum(agent["wins"] for agent in page.data["match"]["agents"])
    assert "http" not in render_html(page).replace("http://www.w3.org", "")  # nothing from elsewhere


def test_the_order_of_the_games_makes_no_difference() -> None:
    spec = a_match("random", "random", game=FACTUAL, games=12)
    records = run_match(spec).records
    shuffled = list(records)
    random.Random(1).shuffle(shuffled)
    one, other = (match_page(spec, Tally(2, part), FACTUAL.load(), "x", copies=False) for part in (records, shuffled))
    assert one.data["match"] == other.data["match"]
    assert [section.tables for section in one.sections] == [section.tables for section in other.sections]


def test_labels() -> None:
    assert agent_labels(["a", "b", "a"]) == ["a (agent 1)", "b", "a (agent 3)"]


@pytest.mark.parametrize(
    ("counts", "x", "y"),
    [
        ({2.0: 1, 4.0: 3}, [2, 3, 4], [25, 0, 75]),
        ({7.0: 2}, [7], [100]),
    ],
)
def test_distributions(counts: dict[float, int], x: list[float], y: list[float]) -> None:
    assert distribution(counts) == (x, y)


def test_many_values_are_put_into_bins() -> None:
    x, y = distribution({float(value): 1 for value in range(100, 220)})
    assert x[:2] == [101.5, 105.5]
    assert len(x) == 30
    assert sum(y) == pytest.approx(100)
