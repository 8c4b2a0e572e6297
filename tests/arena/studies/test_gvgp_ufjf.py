"""The study of Santos (2017): what is played, how it is summed up and judged, and that it goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import pytest

from oponente.arena import MatchError
from oponente.arena.studies import gvgp_ufjf as study
from oponente.arena.studies.gvgp_ufjf_tables import CONTROLLERS, GAMES, REDUNDANT, RESULTS, RESULTS_2P, TWO_PLAYERS
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, StudyInterrupted, run_study


def sums(games: int, wins: int, score: float = 1.0, redundant: int = 50, sd: float = 0.0) -> study.Sums:
    """Return the sums of games of 10 ticks with 100 simulations each."""
    return {
        "games": games,
        "wins": wins,
        "better": wins,
        "score": games * score,
        "squares": games * score**2 + (games - 1) * sd**2,
        "ticks": 10 * games,
        "decisions": 10 * games,
        "simulations": 100 * games,
        "redundant": redundant * games,
    }


def fake(task: study.Task) -> list[study.Sums]:
    """Return games that come out as exactly as in the thesis as can be; of a pair the second wins."""
    if len(task.agents) == 2:
        return [sums(task.games, 0), sums(task.games, task.games, 2.0)]
    rate, score, sd = RESULTS[task.game][CONTROLLERS.index(task.agents[0])]
    redundant = 20 if task.agents[0] == "mr" else 50
    return [sums(task.games, round(task.games * rate / 100), score, redundant, sd)]


def test_the_tables_are_complete() -> None:
    assert (len(RESULTS), len(RESULTS_2P)) == (20, 10)
    means = [sum(row[i][0] for row in RESULTS.values()) / 20 for i in range(4)]
    assert means == pytest.approx([35.85, 37.0, 38.7, 36.85], abs=0.001)
    assert REDUNDANT["roguelike"] is None


def test_all_is_played_with_the_simulations_of_the_thesis() -> None:
    tasks = study.STUDY.tasks(Settings("quick"))
    assert len(tasks) == 20 * 5 * 4 + 10 * 5 * 3
    first = next(task for task in tasks if task.game == "bait" and task.agents == ("nd",))
    assert first.spec().agents == ("nd:iterations=133,count_redundant=true",)
    pair = next(task for task in tasks if task.agents == ("random", "mcts"))
    assert pair.spec().agents == ("random", "mcts:iterations=50,count_redundant=true")
    assert pair.spec().game.options == (("game", "two-player/akkaarrh"), ("level", "0"))
    assert len({task.seed for task in tasks if task.game == "bait" and task.level == 0}) == 1  # the same starts


def write_games(root: Path, one: str, two: str) -> None:
    """Write a small game under the name of each game of the study."""
    for folder, games, players in ((one, RESULTS, 1), (two, RESULTS_2P, 2)):
        (root / folder).mkdir(parents=True)
        for game in games:
            text = f"BasicGame no_players={players}\n  SpriteSet\n    avatar > MovingAvatar\n"
            (root / folder / f"{game}.txt").write_text(text)
            for level in range(study.LEVELS):
                (root / folder / f"{game}_lvl{level}.txt").write_text("A A\n")


@pytest.mark.parametrize(("one", "two"), [("single", "two-player"), ("gridphysics", "2player")])
def test_the_games_are_found_in_both_layouts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, one: str, two: str
) -> None:
    write_games(tmp_path, one, two)
    monkeypatch.setenv("OPONENTE_VGDL", str(tmp_path))
    assert study.GvgpUfjf().missing() is None
    for task in (study.Task("aliens", 4, ("mcts",), 1, 1), study.Task("klax", 0, ("mcts", "random"), 2, 1)):
        assert task.spec().game.load().num_players == len(task.agents)
    (tmp_path / two / "klax_lvl3.txt").unlink()
    assert str(study.GvgpUfjf().missing()).startswith("two-player/klax has no level 3: there is no file klax_lvl3.txt")
    (tmp_path / one / "seaquest.txt").unlink()
    assert "expected a file single/seaquest.txt or gridphysics/seaquest.txt; the GVGAI" in str(
        study.GvgpUfjf().missing()
    )


def test_results_as_published_are_reproduced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(study, "play", fake)
    keep = Keep(tmp_path / "r.html")
    data = run_study(study.STUDY, Settings("standard"), keep, command="x")
    findings = {verdict["key"]: verdict["finding"] for verdict in data["verdicts"]}
    of_two = {findings.pop(f"{what}-of-two") for what in ("win-rates", "scores")}
    assert set(findings.values()) == {"reproduced"}
    assert of_two == {"differs"}
    for game, row in RESULTS.items():  # rounded on each of 5 levels
        assert abs(data["one_player"][game]["mcts"]["wins"] - row[0][0] * GAMES / 100) <= 2.5
    assert data["ranking"]["sums"] == {"random": 150.0, "mcts": 180.0, "mr+nd": 250.0}
    page = render_html(study.STUDY.page(data))
    assert "waitforbreakfast" in page
    assert "Glicko-2" in page


def test_it_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    played = []

    def until(task: study.Task) -> list[study.Sums]:
        if len(played) == 7:
            raise KeyboardInterrupt
        played.append(task.key)
        return fake(task)

    settings = Settings("quick")
    monkeypatch.setattr(study, "play", until)
    with pytest.raises(StudyInterrupted):
        run_study(study.STUDY, settings, Keep(tmp_path / "r.html"), command="x")
    again = []
    monkeypatch.setattr(study, "play", lambda task: again.append(task.key) or fake(task))
    run_study(study.STUDY, settings, Keep(tmp_path / "r.html", resume=True), command="x")
    assert len(played) + len(again) == len(study.STUDY.tasks(settings))
    assert not [key for key in again if key in played]


def test_results_of_two_as_published_are_reproduced() -> None:
    cells = {game: {name: study.cell(sums(100, 0)) for name in CONTROLLERS} for game in RESULTS}
    pairs = {
        game: {
            name: study.cell(sums(100, round(rate), score, sd=sd))
            for name, (rate, score, sd) in zip(TWO_PLAYERS, row, strict=True)
        }
        for game, row in RESULTS_2P.items()
    }
    ratings = {name: {"rating": 1500.0, "deviation": 50.0} for name in TWO_PLAYERS}
    verdicts = study.judge(cells, pairs, {"ratings": ratings, "sums": dict.fromkeys(TWO_PLAYERS, 0.0)})
    findings = {verdict.key: verdict.finding for verdict in verdicts}
    assert findings["win-rates-of-two"] == findings["scores-of-two"] == "reproduced"


def test_other_results_differ() -> None:
    cells = {game: {name: study.cell(sums(100, 0)) for name in CONTROLLERS} for game in RESULTS}
    ratings = {name: {"rating": 1500.0 + 300 * (name == "random"), "deviation": 50.0} for name in TWO_PLAYERS}
    pairs = {game: {name: study.cell(sums(100, 100)) for name in TWO_PLAYERS} for game in RESULTS_2P}
    verdicts = study.judge(cells, pairs, {"ratings": ratings, "sums": dict.fromkeys(TWO_PLAYERS, 0.0)})
    findings = {verdict.key: verdict.finding for verdict in verdicts}
    assert findings["win-rates-of-two"] == findings["scores-of-two"] == "differs"
    assert findings["mean-mcts"] == findings["redundant"] == findings["two-players"] == "differs"
    assert findings["loss-avoidance"] == "undecided"


def test_a_game_that_has_become_easier_is_told_apart() -> None:
    cells = {
        game: {name: study.cell(sums(100, rate)) for name, (rate, _, _) in zip(CONTROLLERS, row, strict=True)}
        for game, row in RESULTS.items()
    }
    cells["chopper"] = {name: study.cell(sums(100, 100)) for name in CONTROLLERS}
    verdict = study._mean(cells, "mcts")
    assert (verdict.finding, verdict.numbers["ci95"][0] > 0.0) == ("differs", True)
    low, high = verdict.numbers["ci95_without"]
    assert low == pytest.approx(-high)
    assert high > 0.0


def test_without_a_redundant_action_nothing_is_decided_about_them() -> None:
    cells = {game: dict.fromkeys(CONTROLLERS, study.cell(sums(10, 5, redundant=0))) for game in RESULTS}
    verdict = study._redundant(cells)
    assert (verdict.finding, verdict.evidence) == ("undecided", "MCTS plays none in any game.")


def test_agents_that_fail_measure_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_games(tmp_path, "single", "two-player")
    monkeypatch.setenv("OPONENTE_VGDL", str(tmp_path))

    def fail(*_: object) -> int:
        raise ArithmeticError("lost the thread")

    monkeypatch.setattr("oponente.games.vgdl.controllers.ControllerAgent.prepare", lambda *_: None)
    monkeypatch.setattr("oponente.games.vgdl.controllers.ControllerAgent.choose", fail)
    with pytest.raises(MatchError, match=r"aliens, game 0: mcts:.* raised ArithmeticError: lost the thread"):
        study.play(study.Task("aliens", 0, ("mcts",), 2, 1))
