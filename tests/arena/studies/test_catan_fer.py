"""The repeated games of Skoric: the criteria, and a small run with simple agents."""

from __future__ import annotations

import pytest

from oponente.arena.studies import load_study
from oponente.arena.studies.catan_fer import (
    AGENTS,
    CATANATRON,
    FACTS,
    FIGURE,
    FOREIGN,
    MEANS,
    MEETINGS,
    SCALES,
    CatanFer,
    Meeting,
    compare,
    figure_cells,
    judge,
)
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, run_study
from oponente.games.catalogue import load_game, make_agent

DUEL = Meeting("a", "4.1", ("Value", "Random"), (0.9, 0.1), "chain")


def result(meeting, games, *wins):
    from oponente.arena.statistics import wilson_interval

    kinds = [
        {
            "name": name,
            "seats": meeting.seats.count(name),
            "wins": won,
            "win_rate": won / games,
            "ci95": list(wilson_interval(won, games)),
            "published": share,
        }
        for name, won, share in zip(meeting.kinds, wins, meeting.published, strict=True)
    ]
    return {"table": meeting.table, "games": games, "kinds": kinds}


@pytest.mark.parametrize(
    ("wins", "finding"), [(60, REPRODUCED), (61, REPRODUCED), (50, UNDECIDED), (40, DIFFERS), (57, UNDECIDED)]
)
def test_who_won_most_shall_win_more_than_its_share(wins, finding):
    assert judge(DUEL, result(DUEL, 100, wins, 100 - wins)).finding == finding


def test_two_against_two_and_four_have_shares_of_their_own():
    pairs = Meeting("b", "4.3", ("Value", "Random", "Value", "Random"), (0.3, 0.7), "chain")
    verdict = judge(pairs, result(pairs, 100, 43, 57))  # the thesis's winner is the second
    assert (verdict.finding, verdict.numbers["wins"]) == (UNDECIDED, 57)
    assert "Random wins more than 50 % against Value (4 players; thesis 70 %, table 4.3)" in verdict.claim
    four = next(meeting for meeting in MEETINGS if meeting.key == "four")
    assert judge(four, result(four, 200, 80, 40, 50, 30)).finding == REPRODUCED


@pytest.mark.parametrize(
    ("games", "wins", "finding"),
    [(400, 360, REPRODUCED), (400, 300, DIFFERS), (400, 396, DIFFERS), (20, 18, UNDECIDED)],
)
def test_the_rate_is_compared_with_the_thesiss(games, wins, finding):
    verdict = compare(DUEL, result(DUEL, games, wins, games - wins))
    assert verdict.finding == finding
    low, high = verdict.numbers["difference"]
    assert low < wins / games - 0.9 < high


def test_learned_agents_are_remarked_on():
    four = next(meeting for meeting in MEETINGS if meeting.key == "four")
    remark = compare(four, result(four, 200, 80, 40, 50, 30)).remark
    assert "Parameters of Tree Search+ and Value+ are learned anew" in remark
    assert "Neural+ is pre-trained on the start weights, as in the thesis, but not evolved from there." in remark
    duel = next(meeting for meeting in MEETINGS if meeting.seats == ("Neural+", "Value"))
    alone = compare(duel, result(duel, 200, 94, 106)).remark
    assert "Neural+ is pre-trained" in alone
    assert "learned anew" not in alone


def test_all_matches_of_the_thesis_are_there():
    assert [m.table for m in MEETINGS] == ["4.1"] * 7 + ["4.2"] + ["4.3"] * 6 + ["4.4"]
    assert len({m.key for m in MEETINGS}) == len(MEETINGS)
    for meeting in MEETINGS:
        assert abs(sum(meeting.published) - 1.0) < 1e-9
        assert all(name in AGENTS or name in FOREIGN for name in meeting.seats)
    game = load_game("catan", {"trade": "false"})
    assert [make_agent(spec, game).spec.partition(":")[0] for spec in AGENTS.values()][:3] == ["tree", "tree", "value"]


def test_catanatron_is_left_out_where_it_is_not(monkeypatch):
    study = load_study("catan-fer")
    monkeypatch.delenv(CATANATRON, raising=False)
    assert study.sizes(Settings("full", match_games=5)) == {"chain": 1000, "table": 5, "foreign": 0}
    monkeypatch.setenv(CATANATRON, "/somewhere")
    assert study.sizes(Settings("full", games=7)) == {"chain": 7, "table": 1000, "foreign": 200}
    assert study._spec("alpha-beta") == 'catanatron:AB:2,path="/somewhere"'
    assert set(study.scale_lines()) == set(SCALES)


def test_tables_that_need_catanatron_are_named_where_it_is_not(monkeypatch):
    monkeypatch.delenv(CATANATRON, raising=False)
    said = CatanFer().left_out(Settings("standard"))
    assert said.startswith("tables 4.3 and 4.4, ")
    assert CATANATRON in said
    assert CatanFer().left_out(Settings("quick")) is None, "this scale has none of its games"
    monkeypatch.setenv(CATANATRON, "/somewhere")
    assert CatanFer().left_out(Settings("standard")) is None


def test_figure_4_1_adds_up():
    # Points are settlements, twice cities and awards, and those of cards; printed to two digits.
    for points, settlements, cities, road, army, cards in MEANS.values():
        assert points == pytest.approx(settlements + 2 * (cities + road + army) + cards, abs=0.3)
    assert sum(mean[3] for mean in MEANS.values()) <= 1
    assert sum(mean[4] for mean in MEANS.values()) <= 1


@pytest.mark.compiled
def test_figure_4_1_is_judged_where_its_match_was_played(tmp_path, monkeypatch):
    monkeypatch.delenv(CATANATRON, raising=False)
    four = Meeting(FIGURE, "4.4", tuple(MEANS), (0.46, 0.33, 0.21, 0.0), "chain", 200)
    study = CatanFer(dict.fromkeys(MEANS, "random"), [four], (("points", "3"), ("trade", "false")))
    data = run_study(study, Settings("quick", games=4), Keep(tmp_path / "x.html", resume=False), command="oponente")
    cells = figure_cells(data["matches"][FIGURE])
    assert len(cells) == len(MEANS) * len(FACTS)
    assert [cell.theirs.mean for cell in cells] == [mean for means in MEANS.values() for mean in means]
    figure = data["verdicts"][-1]
    assert (figure["key"], figure["finding"]) == ("figure-4-1", UNDECIDED)
    assert "As figure 4.1 of the thesis" in render_html(study.page(data))


@pytest.mark.compiled
def test_a_small_run(tmp_path, monkeypatch):
    monkeypatch.delenv(CATANATRON, raising=False)
    tiny = CatanFer(
        {"A": "simple", "B": "random"},
        [
            Meeting("duel", "4.1", ("A", "B"), (0.8, 0.2), "chain"),
            Meeting("pairs", "4.2", ("A", "B", "A", "B"), (0.6, 0.4), "table"),
        ],
    )
    keep = Keep(tmp_path / "x.html", resume=False)
    data = run_study(tiny, Settings(scale="quick", games=6), keep, command="oponente experiment catan-fer")
    duel, pairs = data["matches"]["duel"], data["matches"]["pairs"]
    assert (duel["games"], pairs["games"]) == (6, 4)
    assert sum(kind["wins"] for kind in duel["kinds"]) <= 6
    assert [kind["seats"] for kind in pairs["kinds"]] == [2, 2]
    assert len(data["verdicts"]) == 4
    html = render_html(tiny.page(data))
    assert "As table 4.1 of the thesis" in html
    assert f"Without Catanatron's players: {CATANATRON} names no folder" in html.replace("&#x27;", "'")
