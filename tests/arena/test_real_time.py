"""Games in real time: who is late does nothing, who is later is disqualified; the start has time of its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oponente.arena import FORFEIT, PLAYED, GameRecord, Table
from oponente.arena import play as playing
from oponente.games.catalogue import GameSpec
from oponente.games.vgdl.kinds import NIL

from .helpers import a_match

GAME = GameSpec("vgdl", (("clock", "true"), ("game", "harvest"), ("ticks", "5")))


def played(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> GameRecord:
    """Play a game in which the decisions take the given times by the watch."""
    readings = iter([reading for taken in seconds for reading in (0.0, taken)])

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


def test_agents_are_told_a_little_less_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    ask = playing.ask

    def noting(agent: object, view: object, budget: object) -> object:
        told.append(budget.seconds)  # type: ignore[attr-defined]
        return ask(agent, view, budget)  # type: ignore[arg-type]

    monkeypatch.setattr(playing, "ask", noting)
    played(monkeypatch, [0.01] * 9)
    assert told[:3] == pytest.approx([1.035, 0.035, 0.035])


def test_without_the_clock_nobody_is_late() -> None:
    record = Table(a_match("slow:ms=60", game=GameSpec("vgdl", (("game", "harvest"), ("ticks", "3"))))).play(0)
    assert record.status == PLAYED
