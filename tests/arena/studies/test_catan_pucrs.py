"""The repeated games of Paz and Rubin: the criteria, and a small run with random agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oponente.arena.studies import load_study
from oponente.arena.studies.catan_pucrs import OPTIONS, CatanPucrs
from oponente.arena.studies.catan_pucrs_matches import AGENTS, FOUR, HONEST_UCT, MCTS, UCT
from oponente.arena.studies.catan_pucrs_verdicts import (
    about_as_published,
    equal_seats,
    uct_wins_more,
)
from oponente.arena.studies.document import DIFFERS, EXCEEDED, REPRODUCED, UNDECIDED
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, run_study
from oponente.games.catalogue import load_game, make_agent


def won(games: int, *wins: int) -> dict[str, Any]:
    return {"games": games, "agents": [{"wins": count} for count in wins]}


@pytest.mark.parametrize(
    ("games", "wins", "finding"),
    [
        (1000, (250, 240, 265, 245), REPRODUCED),
        (1000, (300, 240, 230, 230), DIFFERS),
        (1000, (200, 260, 270, 270), DIFFERS),
        (40, (10, 10, 10, 10), UNDECIDED),
    ],
)
def test_equal_seats(games: int, wins: tuple[int, ...], finding: str) -> None:
    assert equal_seats(won(games, *wins)).finding == finding


@pytest.mark.parametrize(
    ("name", "games", "wins", "finding", "said"),
    [
        (MCTS, 100, 60, REPRODUCED, "difference +0.0 points"),
        (MCTS, 100, 50, REPRODUCED, "difference -10.0 points"),
        (MCTS, 100, 80, EXCEEDED, "Ours wins more often."),
        (MCTS, 100, 40, DIFFERS, "Ours wins less often."),
        (MCTS, 10, 6, UNDECIDED, "6 of 10 games"),
        (UCT, 100, 90, REPRODUCED, "90.0 %"),
        (UCT, 1000, 995, EXCEEDED, "Ours wins more often."),
        (HONEST_UCT, 100, 70, DIFFERS, "Ours wins less often."),
    ],
)
def test_about_as_published(name: str, games: int, wins: int, finding: str, said: str) -> None:
    verdict = about_as_published(name, won(games, wins))
    assert verdict.finding == finding
    assert said in verdict.evidence
    assert bool(verdict.remark) == (name == HONEST_UCT)


@pytest.mark.parametrize(
    ("games", "mcts", "uct", "finding"),
    [
        (100, 60, 90, REPRODUCED),
        (100, 90, 60, DIFFERS),
        (100, 80, 82, UNDECIDED),
        # The interval lies beside 0, and is wider than 30 points.
        (2, 0, 2, UNDECIDED),
        (2, 2, 0, UNDECIDED),
        (20, 4, 16, UNDECIDED),
    ],
)
def test_uct_wins_more(games: int, mcts: int, uct: int, finding: str) -> None:
    verdict = uct_wins_more("key", "claim", won(games, mcts), won(games, uct))
    low, high = verdict.numbers["difference"]
    assert (finding == UNDECIDED) == (low <= 0 <= high or high - low > 0.30)
    assert verdict.finding == finding
    assert "undecided if it is wider than 30 percentage points" in verdict.criterion


def test_the_agents_exist_and_play_as_stated() -> None:
    game = load_game("catan", dict(OPTIONS))
    agents = {name: make_agent(specs[0], game) for name, specs in AGENTS.items()}
    parameters = {name: getattr(agent, "parameters", None) for name, agent in agents.items()}
    assert {name: (p.iterations, p.cheat) for name, p in parameters.items() if hasattr(p, "cheat")} == {
        "mcts": (1000, True), "uct": (1000, True), "mcts-honest": (1000, False), "uct-honest": (1000, False)
    }  # fmt: skip
    assert AGENTS[FOUR] == ("simple",) * 4


# --- a small run ---------------------------------------------------------------------------------------------------

TINY = CatanPucrs(dict.fromkeys(AGENTS, ("random",) * 4), (*OPTIONS, ("points", "3"), ("turn_limit", "100")))


def test_a_run_is_kept_and_goes_on_and_its_page_tells_all(tmp_path: Path) -> None:
    out = tmp_path / "report.html"

    def run(games: int, resume: bool) -> dict[str, Any]:
        settings = Settings("quick", seed=5, games=games, match_games=4)
        return run_study(TINY, settings, Keep(out, resume=resume), command="oponente experiment ...")

    run(4, resume=False)
    data = run(8, resume=True)
    four = data["matches"][FOUR]
    assert (four["games"], data["matches"][UCT]["games"]) == (8, 4)
    # Fixed seats: each of the four agents has sat in one seat only; elsewhere all have sat everywhere.
    assert [[seat["games"] for seat in agent["by_seat"]] for agent in four["agents"]] == [
        [8 * (seat == agent) for seat in range(4)] for agent in range(4)
    ]
    assert [seat["games"] for seat in data["matches"][UCT]["agents"][0]["by_seat"]] == [1, 1, 1, 1]
    assert len(data["verdicts"]) == 7
    assert {figure.name for figure in TINY.page(data).figures} == {"win-rates"}
    html = render_html(TINY.page(data))
    points = four["agents"][2]["facts"]["points"]
    assert f"{points['mean']:.2f} ± {points['sd']:.2f}" in html
    assert "Four simple agents in fixed seats win about 25 % each" in html


def test_it_is_found_by_name() -> None:
    study = load_study("catan-pucrs")
    assert study.identity(Settings())["options"] == {"board": "beginner", "trade": "false"}
    assert set(study.scale_lines()) == {"quick", "standard", "full"}
