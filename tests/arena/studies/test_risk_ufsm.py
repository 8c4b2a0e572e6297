"""The study of Ferrari (2022): what is counted, how it is judged, and a small run whose page comes out of its data."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from html import unescape
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from oponente.arena import GameRecord, SeatRecord, Store
from oponente.arena.studies import load_study, risk_ufsm_page
from oponente.arena.studies import risk_ufsm as study
from oponente.arena.studies.document import DIFFERS, EXCEEDED, REPRODUCED, UNDECIDED
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.risk_ufsm_tables import (
    AGENTS,
    ARMIES_FIRST,
    ARMIES_SECOND,
    MESSAGES,
    OURS,
    RERUN_FIRST,
    SEARCHER,
    SECONDS,
    WINS_FIRST,
    WINS_SECOND,
)
from oponente.arena.studies.study import Settings, run_study
from oponente.games.catalogue import load_game, make_agent
from oponente.games.risk.moves import AMOUNT, ATTACK, BONUS, DONE, DRAW_CARD, LOSSES, MOVE_FROM, MOVE_TO, PLACE, TRADE

# --- what is counted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "count"),
    [
        ((), 0),
        ((PLACE + 3, AMOUNT + 2), 1),  # armies to a territory are one command
        ((ATTACK + 70, LOSSES + 1), 1),  # dice are no command
        ((ATTACK + 70, LOSSES + 2, AMOUNT + 5), 2),  # who conquers says in a command of its own how many go in
        ((MOVE_FROM + 4, MOVE_TO + 5, AMOUNT + 1), 1),
        ((TRADE, BONUS + 1, DRAW_CARD + 3, DONE), 1),  # cards are none of the thesis's
        ((DRAW_CARD + 3, AMOUNT + 1), 0),
    ],
)
def test_commands_of_the_program(actions: tuple[int, ...], count: int) -> None:
    assert study.commands(actions) == count


def record(returns: tuple[float, float], armies: tuple[int, int], turns: int, *ms: float) -> GameRecord:
    seats = tuple(SeatRecord(seat, array("f", ms), None, {"armies": armies[seat], "turns": turns}) for seat in range(2))
    return GameRecord(0, 0, seats, 0, 0, (PLACE, AMOUNT + 1, DONE), returns, "played")


def test_summary_of_a_pairing() -> None:
    """Armies count where that player wins; of a draw the turns, the commands and the time count alone."""
    found = study.summary(
        [
            record((1.0, -1.0), (30, 0), 10, 1.0, 2.0),
            record((1.0, -1.0), (50, 0), 20, 2.0),
            record((-1.0, 1.0), (0, 7), 30, 4.0),
            record((0.0, 0.0), (5, 5), 40),
        ]
    )
    assert (found["games"], found["wins"]) == (4, [2, 1])
    # Two values 20 apart: standard deviation 14.142, of the mean 10, and 1.96 of them.
    assert found["armies"] == [[40.0, pytest.approx(127.06205)], [7.0, None]]
    assert found["turns"][0] == 25.0
    assert found["messages"] == [2.0, 0.0]
    assert found["milliseconds"][0] == pytest.approx(2 * (3 + 2 + 4) / 4), "of both players together"


# --- how it is judged ----------------------------------------------------------------------------------------------


def pairings(rates: Sequence[Sequence[float]], games: int = 100, means: float = 1.0) -> list[dict[str, Any]]:
    """Return pairings of the thesis's agents in which first players win so many per cent, and second ones the rest.

    Armies, messages and seconds are so many times the thesis's.
    """
    return [
        {
            "first": f"thesis-{first}",
            "second": f"thesis-{second}",
            "games": games,
            "wins": [games * rates[i][j] / 100, games - games * rates[i][j] / 100],
            "armies": [[means * ARMIES_FIRST[i][j], 1.0], [means * ARMIES_SECOND[j][i], 1.0]],
            "messages": [means * MESSAGES[i][j], 1.0],
            "milliseconds": [means * 1000 * SECONDS[i][j], 1.0],
        }
        for (i, first), (j, second) in product(enumerate(AGENTS), enumerate(AGENTS))
    ]


def findings(rates: Sequence[Sequence[float]], means: float = 1.0, games: int = 100) -> dict[str, str]:
    return {verdict.key: verdict.finding for verdict in study.judge(pairings(rates, games, means), [])}


def changed(cells: dict[tuple[int, int], float]) -> list[list[float]]:
    rows = [list(row) for row in RERUN_FIRST]
    for (row, column), rate in cells.items():
        rows[row][column] = rate
    return rows


def test_the_programs_own_rates_reproduce_all() -> None:
    found = findings(RERUN_FIRST)
    assert {key for key, finding in found.items() if finding != REPRODUCED} == {"seconds"}


@pytest.mark.parametrize(
    ("means", "near", "seconds"), [(0.76, REPRODUCED, EXCEEDED), (0.74, DIFFERS, EXCEEDED), (1.26, DIFFERS, DIFFERS)]
)
def test_armies_messages_and_seconds(means: float, near: str, seconds: str) -> None:
    found = findings(RERUN_FIRST, means)
    assert [found[key] for key in ("armies-first", "armies-second", "messages", "seconds")] == [near] * 3 + [seconds]


def test_wins_of_second_players_are_compared_the_right_way_round() -> None:
    """Table 5.2 has the second players down."""
    rows = pairings([[100.0 - WINS_SECOND[j][i] for j in range(4)] for i in range(4)])
    verdict = next(verdict for verdict in study.judge(rows, []) if verdict.key == "win-rates-second")
    assert verdict.finding == REPRODUCED
    assert verdict.numbers == {"far": [], "cells": 15}


@pytest.mark.parametrize(
    ("cells", "thesis", "programs"),
    [
        ({(1, 0): 80.0}, REPRODUCED, DIFFERS),  # one cell may be 18 points off the thesis's 98
        ({(1, 0): 83.0}, REPRODUCED, REPRODUCED),  # 15 points are near
        ({(1, 0): 80.0, (3, 0): 70.0}, UNDECIDED, DIFFERS),
        ({(0, 0): 100.0}, REPRODUCED, DIFFERS),  # the invalid cell counts beside the programs alone
        (dict.fromkeys(product(range(4), range(4)), 50.0), DIFFERS, DIFFERS),
    ],
)
def test_win_rates(cells: dict[tuple[int, int], float], thesis: str, programs: str) -> None:
    found = findings(changed(cells))
    assert (found["win-rates"], found["win-rates-again"]) == (thesis, programs)


def test_evidence_names_the_cells_that_are_far() -> None:
    verdict = study.judge(pairings(changed({(1, 0): 80.0})), [])[0]
    assert verdict.evidence == "14 of 15 cells agree; others: Angry v Random 80 % (thesis 98 %)."
    assert verdict.numbers == {"far": ["Angry v Random 80 % (thesis 98 %)"], "cells": 15}


def test_first_players_and_the_best() -> None:
    even = findings([[50.0] * 4] * 4)
    assert even["first-player"] == UNDECIDED, "nobody wins more often as first player, nor as second"
    assert even["best"] == UNDECIDED
    assert findings([[30.0] * 4] * 4)["first-player"] == DIFFERS
    assert findings([[53.0] * 4] * 4)["first-player"] == UNDECIDED, "by chance, of so few games"
    assert findings([[53.0] * 4] * 4, games=1000)["first-player"] == REPRODUCED
    means = next(v for v in study.judge(pairings(RERUN_FIRST), []) if v.key == "first-player").numbers["means"]
    assert means["random"] == (pytest.approx(0.33), pytest.approx(0.175))  # (47+23+27+35)/4; (53+2+7+8)/4
    # Cluster wins whatever it plays, so Angry is not the best.
    best = changed({**{(2, column): 100.0 for column in range(4)}, **{(row, 2): 0.0 for row in (0, 1, 3)}})
    assert findings(best)["best"] == DIFFERS
    little = changed({(1, column): 60.0 for column in range(4)})
    assert findings(little, games=20)["best"] == UNDECIDED, "Cluster's rate is higher, but may be so by chance"


@pytest.mark.parametrize("rates", [RERUN_FIRST, [[50.0] * 4] * 4])
def test_few_games_decide_nothing(rates: Sequence[Sequence[float]]) -> None:
    found = findings(rates, means=2.0, games=20)
    assert {key for key, finding in found.items() if finding == UNDECIDED} >= {
        "win-rates",
        "win-rates-second",
        "win-rates-again",
        "armies-first",
        "armies-second",
        "messages",
    }


def test_the_interval_between_the_seats_by_hand() -> None:
    """All rates 60 and 40 % of 100 games: six cells of 61 or 41 of 102, and the agent's own of 61 and 41 of 103.

    Variances: 6 x 0.598039 x 0.401961 / 100 = 0.0144233 and (0.990291 - 0.194175^2) / 100 = 0.0095259; the mean of
    four has the root of their sum by four, 0.0386888, times 1.959964 0.0758287.
    """
    numbers = next(v for v in study.judge(pairings([[60.0] * 4] * 4), []) if v.key == "first-player").numbers
    assert numbers["means"]["angry"] == (pytest.approx(0.6), pytest.approx(0.4))
    assert numbers["ci95"]["angry"] == pytest.approx([0.2 - 0.0758287, 0.2 + 0.0758287], abs=1e-6)


def test_means_of_rates_have_intervals() -> None:
    """Of four rates of 100 games: 1.96 times the root of the sum of p (1 - p) / 100, by four."""
    names = [f"thesis-{name}" for name in AGENTS]
    table = {(row["first"], row["second"]): row for row in pairings([[60.0] * 4, [50.0, 100.0] * 2, *[[30.0] * 4] * 2])}
    rows = risk_ufsm_page._means(names, table).rows
    assert rows[0] == ("Random", "60.0 (55 .. 65)", "57.5 (53 .. 62)")
    assert rows[1] == ("Angry", "75.0 (71 .. 78)", "45.0 (41 .. 49)")


def curve(player: int, early: int, late: int) -> dict[str, Any]:
    return {"start": "fixed", "player": player, "nodes": 7, "wins": [early] * 10 + [late] * 10, "of": [100] * 20}


@pytest.mark.parametrize(
    ("player", "early", "late", "finding"),
    [
        (1, 60, 50, REPRODUCED),
        (1, 50, 60, DIFFERS),
        (1, 51, 50, UNDECIDED),
        (2, 50, 60, REPRODUCED),
        (2, 60, 50, DIFFERS),
        (2, 50, 51, UNDECIDED),
    ],
)
def test_training_curves(player: int, early: int, late: int, finding: str) -> None:
    verdict = study.judge(pairings(WINS_FIRST), [curve(player, early, late)])[-1]
    assert (verdict.key, verdict.finding) == (f"training-fixed-{player}", finding)
    assert verdict.numbers == {"halves": [[10 * early, 1000], [10 * late, 1000]]}
    assert f"{early:.1f} % and {late:.1f} % of 1,000 games each; the tree has 7 positions" in verdict.evidence


def test_a_training_of_one_game_has_no_halves() -> None:
    one = {"start": "fixed", "player": 1, "nodes": 7, "wins": [1], "of": [1]}
    verdict = study.judge(pairings(WINS_FIRST), [one])[-1]
    assert verdict.finding == UNDECIDED
    assert verdict.evidence == "1 game has no halves; the tree has 7 positions."


# --- what is played ------------------------------------------------------------------------------------------------


def test_sizes() -> None:
    usual = study.SCALES["standard"]
    assert study.STUDY.sizes(Settings("standard")) == usual
    few = study.STUDY.sizes(Settings("standard", games=20, match_games=2))
    assert (few.games, few.searched, few.random_training, few.fixed_training) == (2, 2, 20, 20)
    assert study.STUDY.sizes(Settings("standard", match_games=500)).searched == usual.searched, "no more than usual"


def test_it_is_found_by_name_and_its_agents_exist() -> None:
    assert load_study("risk-ufsm") is study.STUDY
    assert set(study.STUDY.scale_lines()) == {"quick", "standard", "full"}
    game = load_game("risk", dict(study.OPTIONS))
    for name in (*(f"thesis-{one}" for one in AGENTS), *OURS, SEARCHER):
        make_agent(name, game)


def test_training_that_is_finished_is_not_played_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings, out = Settings("quick", games=2), tmp_path / "report.html"

    def trained(keep: Keep, games: int = 2) -> dict[str, Any]:
        keep.open({})
        sizes = study.STUDY.sizes(Settings("quick", games=games))
        return study.STUDY._training("fixed", 1, sizes, settings, keep, lambda *_: None)

    first = trained(Keep(out))
    monkeypatch.setattr(study, "Board", lambda _spec: pytest.fail("it is played"))
    assert trained(Keep(out, resume=True)) == first
    with pytest.raises(pytest.fail.Exception, match="it is played"):
        trained(Keep(out, resume=True), games=3)


def test_a_small_run_and_its_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A random agent has the search's place, and ours are left out: they take a minute to compile."""
    monkeypatch.setattr(study, "SEARCHER", "random")
    monkeypatch.setattr(study, "OURS", ())
    out = tmp_path / "report.html"

    def run(match_games: int, resume: bool) -> dict[str, Any]:
        settings = Settings("quick", seed=5, games=21, match_games=match_games)
        return run_study(study.STUDY, settings, Keep(out, resume=resume), command="oponente experiment ...")

    first = run(2, resume=False)
    keep = Keep(out, resume=True)
    with Store(keep.database) as store:
        before = {match.id: store.records(match.id) for match in store.matches()}
    data = run(6, resume=True)
    names = [*(f"thesis-{name}" for name in AGENTS), "random"]
    table = {(row["first"], row["second"]): row for row in data["pairings"]}
    assert set(table) == set(product(names, names))
    assert {row["games"] for pair, row in table.items() if "random" in pair} == {4}
    assert {row["games"] for pair, row in table.items() if "random" not in pair} == {6}
    with Store(keep.database) as store:
        for match in store.matches():
            records = store.records(match.id)
            assert records[:2] == before[match.id], "games are not played again"
            row = table[match.spec.agents[0], match.spec.agents[1]]
            assert row["wins"] == [sum(record.returns[seat] > 0 for record in records) for seat in range(2)]
            assert {record.agents for record in records} == {(0, 1)}, "the first player stays the first"
    assert [(one["start"], one["player"]) for one in data["training"]] == list(product(study.STARTS, (1, 2)))
    assert all(sum(one["of"]) == 21 and len(one["of"]) == 11 and one["nodes"] > 1 for one in data["training"])
    assert data["training"] == first["training"], "the same seed, the same training"
    assert data["verdicts"] == [vars(verdict) for verdict in study.judge(data["pairings"], data["training"])]

    page = study.STUDY.page(data)
    tables = {one.title: one for section in page.sections for one in section.tables}
    wins = tables["Wins as first player (table 5.1)"]
    assert [row[0] for row in wins.rows] == ["Random", "Angry", "Cluster", "Monte Carlo", "random"]
    rate = 100 * table["thesis-angry", "thesis-random"]["wins"][0] / 6
    assert wins.rows[1][1].startswith(f"{rate:.1f} (")
    assert wins.rows[1][1].endswith(" / 98"), "the thesis's figure behind ours"
    assert "/" not in wins.rows[1][5], "but not where the thesis has none"
    second = 100 * table["thesis-random", "thesis-angry"]["wins"][1] / 6
    assert tables["Wins as second player (table 5.2)"].rows[1][1].startswith(f"{second:.1f} (")
    mean, reach = table["thesis-cluster", "thesis-angry"]["messages"]
    assert tables["Messages a game: commands (table 5.8)"].rows[2][2].startswith(f"{mean:.1f} ± {reach:.1f} / 320")
    assert len(page.sections[0].verdicts) == 13
    html = unescape(render_html(page))
    assert [figure.name for figure in page.figures] == ["training"]
    assert all(verdict.claim in html for verdict in page.sections[0].verdicts)
