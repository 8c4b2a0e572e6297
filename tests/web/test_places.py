"""What games tell the page: where actions lie in pictures, notes, keys."""

import random
from html import escape

import pytest

from oponente import load_game
from oponente.games.risk.battle import battle_odds
from oponente.games.risk.moves import ATTACK, TRADE
from oponente.kernel import stream
from oponente.web.line import Line, asked, choices, lines

GAMES = [
    ("tictactoe", {}, 9),
    ("connect4", {"columns": "10", "rows": "4"}, 40),
    ("catan", {"players": "3"}, 300),
    ("risk", {"players": "3", "setup": "dealt"}, 200),
]


@pytest.mark.parametrize(("name", "options", "plies"), GAMES)
def test_places_are_in_the_picture(name, options, plies):
    state = load_game(name, options).start(2)
    generator, rng, kinds = random.Random(3), stream(1, "test"), set()
    for _ in range(plies):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply_chance(rng)
            continue
        picture = state.svg()
        for choice in choices(state, list(state.legal_actions)):
            for place in [*choice["places"], *([choice["piece"]] if choice["piece"] else [])]:
                kind, _, value = place.partition(" ")
                kinds.add(kind)
                assert f'data-{kind}="{escape(value)}"' in picture
        assert asked(state) or name in ("tictactoe", "connect4")
        state.apply(generator.choice(list(state.legal_actions)))
    assert (
        kinds
        >= {
            "tictactoe": {"cell"},
            "connect4": {"column", "slot"},
            "catan": {"node", "edge", "tile"},
            "risk": {"territory"},
        }[name]
    )


def test_the_odds_of_a_battle_are_noted():
    state = load_game("risk", {"players": "2", "setup": "dealt"}).start(1)
    generator, rng, seen = random.Random(1), stream(1, "test"), 0
    while seen < 20 and not state.is_terminal:
        if state.is_chance:
            state.apply_chance(rng)
            continue
        for action in state.legal_actions:
            note = state.game.text.note_text(state, action)
            assert bool(note) == (ATTACK <= action < TRADE)
            if note:
                seen += 1
                own, other = (int(state.record.armies[(action - ATTACK) // step % 64]) for step in (64, 1))
                assert note.startswith(f"{own} against {other}: {battle_odds(own, other).conquest:.0%} to conquer")
        state.apply(generator.choice(list(state.legal_actions)))
    assert seen >= 20
    assert [seat for seat, _ in lines(state, 0)] == [0, 1, None]


def test_keys_are_actions_of_the_game():
    game = load_game("vgdl")
    state = game.start(1)
    assert state.is_legal(game.draw.IDLE)
    assert {state.action_text(action) for action in game.draw.KEYS.values()} == {"UP", "LEFT", "DOWN", "RIGHT", "USE"}


def test_a_line_gives_every_position_again():
    state = load_game("connect4").start()
    line = Line(state)
    pictures = [state.svg()]
    for move in "4455":
        state.apply(state.parse_action(move))
        line.append(state)
        pictures.append(state.svg())
    assert [line.state(ply).svg() for ply in range(5)] == pictures
    assert [(told.seat, told.text) for told in (line.told(ply, 0) for ply in range(4))] == [
        (0, "4"),
        (1, "4"),
        (0, "5"),
        (1, "5"),
    ]
    line.cut(2)
    assert len(line) == 2
    assert line.state(2).svg() == pictures[2]
