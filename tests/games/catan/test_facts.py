"""Facts about a finished game, against a count of the actions that led there."""

from __future__ import annotations

import pytest

from oponente.arena import GameRecord, MatchSpec, run_match
from oponente.arena.facts import final_facts
from oponente.games.catalogue import GameSpec, load_game
from oponente.games.catan.cards import VICTORY_POINT
from oponente.games.catan.facts import FACTS
from oponente.games.catan.moves import BUILD_CITY, BUILD_ROAD, BUILD_SETTLEMENT, END_TURN, PLAY_KNIGHT
from oponente.games.catan.state import DRAW

SPEC = MatchSpec(GameSpec("catan", (("trade", "false"),)), ("simple",) * 4, games=4, seed=2)
NUMBERS = {BUILD_ROAD: 128, BUILD_SETTLEMENT: 64, BUILD_CITY: 64}
"""How many numbers are set aside for the places of each kind."""


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return run_match(SPEC).records


def test_facts_are_what_was_built_and_played(records: list[GameRecord]) -> None:
    game = SPEC.game.load()
    for record in records:
        state = game.start(record.start_seed)
        done = [dict.fromkeys(("roads", "settlements", "cities", "knights"), 0) for _ in range(4)]
        turns = 1
        for action in record.actions:
            if not state.is_chance:
                mine = done[state.player]
                city = _is(action, BUILD_CITY)
                turns += action == END_TURN
                mine["roads"] += _is(action, BUILD_ROAD)
                mine["settlements"] += _is(action, BUILD_SETTLEMENT) - city
                mine["cities"] += city
                mine["knights"] += action == PLAY_KNIGHT
            state.apply(action)
        for seat, found in enumerate(seat.facts for seat in record.seats):
            assert found is not None
            assert found.keys() == FACTS.keys()
            assert {name: found[name] for name in done[seat]} == done[seat]
            drawn = state.record.winner == DRAW  # at the limit the last turn was ended, and none begins
            assert found["turns"] == turns - drawn
            worth = found["settlements"] + 2 * (found["cities"] + found["longest_road"] + found["largest_army"])
            assert found["card_points"] == int(state.record.cards[seat, VICTORY_POINT])
            assert found["points"] == worth + found["card_points"]
            assert (found["points"] >= 10) == (record.returns[seat] > 0)


def _is(action: int, kind: int) -> bool:
    return kind <= action < kind + NUMBERS[kind]


def test_hidden_points_count() -> None:
    state = load_game("catan").start()
    state.record.points[1] = 4
    state.record.cards[1, VICTORY_POINT] = 2
    state.record.road_holder, state.record.army_holder = 1, 3
    facts = [seat or {} for seat in final_facts(state)]
    assert [seat["points"] for seat in facts] == [0, 6, 0, 0]
    assert [seat["card_points"] for seat in facts] == [0, 2, 0, 0]
    assert [seat["longest_road"] for seat in facts] == [0, 1, 0, 0]
    assert [seat["largest_army"] for seat in facts] == [0, 0, 0, 1]
