"""What people type on maps whose names are odd, and that all moves read back."""

import json

import pytest

from oponente.games.risk.moves import ATTACK, FEWER_DICE, MOVING, TRADE
from oponente.games.risk.text import parse_action, split_answer
from oponente.kernel import stream
from tests.games.risk.positions import Position, game_of

NAMES = ["Road to Rome", "Rome", "Trinidad and Tobago", "Sector 7", "Land with Hills", "Far  Away", "To", "Sector"]
ODD = json.dumps({
    "name": "odd",
    "territories": [
        {"name": name, "neighbours": [NAMES[k - 1], NAMES[(k + 1) % len(NAMES)]]} for k, name in enumerate(NAMES)
    ],
    "continents": [{"name": "All", "bonus": 2, "territories": NAMES}],
})  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_moves_read_back_whatever_the_names_hold(seed):
    state = game_of(map=ODD, players=2, setup="dealt", armies=10, fortify="unlimited").start(seed)
    rng = stream(seed, "play")
    for _ in range(250):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply_chance(rng)
            continue
        for action in state.legal_actions:
            assert state.parse_action(state.action_text(action)) == action
        state.apply(state.sample_action(rng))


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("place 3 Sector 7", ["place sector 7", "3"]),
        ("place Sector 7", ["place sector 7"]),
        ("place Sector 7 3", ["place sector 7", "3"]),
        ("place Rome 2", ["place rome", "2"]),
        ("place 2 Far Away", ["place far away", "2"]),
    ],
)
def test_armies_are_placed_by_one_answer(text, moves):
    position = Position(map=ODD, players=2).hold(0, sector_7=2, rome=2, far__away=1).place(5)
    assert split_answer(position.state, text) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("move Road to Rome to Rome", ["move road to rome", "to rome"]),
        ("move Road to Rome", ["move road to rome"]),
        ("move Rome > Road to Rome", ["move rome", "to road to rome"]),
        ("move 2 Road to Rome > Rome", ["move road to rome", "to rome", "2"]),
        ("move Road to Rome > Rome 2", ["move road to rome", "to rome", "2"]),
        ("move road t to rom", ["move road t", "to rom"]),
        ("move To to Sector", ["move to", "to sector"]),
        ("move Land with Hills > Sector 7", ["move land with hills", "to sector 7"]),
    ],
)
def test_armies_are_moved_by_one_answer(text, moves):
    position = Position(map=ODD, players=2).hold(0, road_to_rome=5, rome=2).set(moves_left=1).phase(MOVING)
    assert split_answer(position.state, text) == moves


@pytest.mark.parametrize(
    ("text", "dice", "ends"),
    [
        ("attack Road to Rome > Rome", 0, (0, 1)),
        ("attack road to rome to rome", 0, (0, 1)),
        ("attack Sector 7 > Land with Hills", 0, (3, 4)),
        ("attack Sector 7 > Land with Hills with 2 dice", 2, (3, 4)),
        ("attack land with hills to sector 7 with 1 die", 1, (4, 3)),
        ("attack far away to to", 0, (5, 6)),
    ],
)
def test_attacks_between_odd_names(text, dice, ends):
    state = Position(map=ODD, players=2).state
    number = parse_action(state, text) - ATTACK
    assert (number // FEWER_DICE, number // 64 % 64, number % 64) == (dice, *ends)


def test_a_set_of_odd_names():
    state = Position(map=ODD, players=2).state
    number = 4096 * 1 + 64 * 2 + 3
    for text in ("trade Rome + Trinidad and Tobago + Sector 7", "trade sector 7, trinidad and tobago, rome"):
        assert parse_action(state, text) - TRADE == number
    assert parse_action(state, "trade Rome and Sector 7 and Far Away") - TRADE == 4096 * 1 + 64 * 3 + 5
