"""Games in real time: who is late does nothing, who is later is disqualified; the start has time of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from oponente.arena import FORFEIT, PLAYED, GameRecord, Table
from oponente.arena import play as playing
from oponente.games.catalogue import GameSpec, make_agent
from oponente.games.vgdl.agents import AGENTS
from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.observation import StateObservation, Winner

from .helpers import a_match

GAME = GameSpec("vgdl", (("clock", "true"), ("game", "harvest"), ("ticks", "5")))


def played(monkeypatch: pytest.MonkeyPatch, seconds: list[float], begin: float = 0.0) -> GameRecord:
    """Play a game in which to begin it, and the decisions, take the given times by the watch."""
    readings = iter([reading for taken in (begin, *seconds) for reading in (0.0, taken)])

    def watch(agent: object) -> Callable[[], float]:
        return lambda: next(readings)

    monkeypatch.setattr(playing, "_watch", watch)
    return Table(a_match("first", game=GAME)).play(0)


def test_who_is_in_time_does_what_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(monkeypatch, [0.04] * 9)
    assert record.status == PLAYED
    assert NIL not in record.actions
    assert not record.reproducible


def test_who_is_late_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(monkeypatch, [0.01, 0.041, 0.01, 0.05, 0.02, 0.02, 0.02])
    assert record.status == PLAYED
    assert [action == NIL for action in record.actions][:5] == [False, True, False, True, False]


def test_who_is_much_too_late_is_disqualified(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(monkeypatch, [0.01, 0.01, 0.0501])
    assert (record.status, record.forfeited_by, record.returns) == (FORFEIT, 0, (-1.0,))
    assert record.reason == "first is disqualified: it took 50.1 ms for decision 3, and more than 50 ms are too many"
    assert len(record.actions) == 2


def test_the_start_has_a_second_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(monkeypatch, [1.04] + [0.01] * 9).status == PLAYED
    assert played(monkeypatch, [1.06]).status == FORFEIT


def test_to_begin_takes_from_the_second_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(monkeypatch, [0.44] + [0.01] * 9, begin=0.6).status == PLAYED
    record = played(monkeypatch, [0.46], begin=0.6)
    assert record.reason == "first is disqualified: it took 60.0 ms for decision 1, and more than 50 ms are too many"
    late = played(monkeypatch, [0.445] + [0.01] * 9, begin=0.6)
    assert (late.status, late.actions[0]) == (PLAYED, NIL)


def test_who_takes_longer_than_the_start_to_begin_is_disqualified(monkeypatch: pytest.MonkeyPatch) -> None:
    assert played(monkeypatch, [0.03] * 9, begin=1.0).status == PLAYED
    record = played(monkeypatch, [], begin=1.001)
    assert (record.status, record.forfeited_by, record.returns) == (FORFEIT, 0, (-1.0,))
    assert record.reason == (
        "first is disqualified: it took 1001.0 ms to begin the game, and more than 1000 ms are too many"
    )
    assert record.actions == ()


def test_an_agent_that_begins_for_too_long_is_measured_and_told_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    table, told = Table(a_match("first", game=GAME)), []
    monkeypatch.setattr(table.agents[0], "begin_game", lambda game, seat: time.sleep(1.1))
    monkeypatch.setattr(table.agents[0], "end_game", lambda returns, reason: told.append(reason))
    assert table.play(0).status == FORFEIT
    assert "to begin the game" in told[0]


def test_who_is_disqualified_has_a_score_of_minus_1000(monkeypatch: pytest.MonkeyPatch) -> None:
    record = played(monkeypatch, [0.01, 0.01, 0.06])
    assert record.seats[0].facts == {"score": -1000.0, "ticks": 2.0}
    state = GAME.load().start(record.start_seed)
    for action in record.actions:
        state.apply(action)
    observation = StateObservation(state, disqualified=record.forfeited_by)
    assert (observation.winner(), observation.score(), observation.is_over) == (Winner.DISQUALIFIED, -1000.0, True)
    assert (observation.avatar().position, observation.available_actions()) == ((-1, -1), [])


def test_only_who_fails_has_that_score() -> None:
    game = GameSpec("vgdl", (("game", "lancers"),))
    record = Table(a_match("first", "illegal", game=game)).play(0)
    assert [(seat.facts or {})["score"] for seat in record.seats] == [0.0, -1000.0]


@pytest.mark.parametrize("spec", [*(agent.name for agent in AGENTS), "mcts:knowledge=20", "olets:knowledge=20", "uct"])
def test_no_agent_of_the_package_takes_long_to_begin(spec: str) -> None:
    """Nothing is compiled then."""
    game = GAME.load()
    agent = make_agent(spec, game)
    begun = time.perf_counter()
    agent.begin_game(game, 0)
    assert time.perf_counter() - begun < 0.5


def test_agents_are_told_a_little_less_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    ask = playing.ask

    def noting(agent: object, view: object, budget: object) -> object:
        told.append(budget.seconds)  # type: ignore[attr-defined]
        return ask(agent, view, budget)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "ask", noting)
    played(monkeypatch, [0.01] * 9)
    assert told[:3] == pytest.approx([1.035, 0.035, 0.035])
    told.clear()
    played(monkeypatch, [0.01] * 9, begin=0.4)
    assert told[:2] == pytest.approx([0.635, 0.035])


def test_without_the_clock_nobody_is_late() -> None:
    record = Table(a_match("slow:ms=60", game=GameSpec("vgdl", (("game", "harvest"), ("ticks", "3"))))).play(0)
    assert record.status == PLAYED
