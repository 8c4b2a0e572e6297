"""What games tell the page: where actions lie in pictures; and every position of a game."""

import pytest

from oponente import load_game
from oponente.games.catalogue import make_agent
from oponente.kernel import stream
from oponente.search.analysis import Analysis
from oponente.web import inquiry
from oponente.web.line import Line
from web.placing import placed


@pytest.mark.parametrize(
    ("name", "options", "kinds"),
    [("tictactoe", {}, {"cell"}), ("connect4", {"columns": "10", "rows": "4"}, {"column", "slot"})],
)
def test_places_are_in_the_picture(name, options, kinds):
    assert placed(name, options, 40) == kinds


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
    assert line.players == [0, 1, 0]


def test_a_line_knows_whose_turn_it_was_without_its_positions(monkeypatch):
    state, chance = load_game("catan", {"players": "2"}).start(3), stream(3, "test")
    line, players = Line(state), [state.player]
    for _ in range(60):
        if state.is_chance:
            state.apply_chance(chance)
        else:
            state.apply(state.legal_actions[0])
        line.append(state)
        players.append(state.player)
    assert line.players == players
    monkeypatch.delattr(Line, "state")
    for seat in range(2):
        for ply in range(70):
            own = [number for number in range(60) if players[number] == seat and number <= ply]
            assert line.last_turn(seat, ply) == (own[-1] if own else None)
    assert line.last_turn(5, 60) is None


def test_key_moments_look_at_no_more_positions_than_they_evaluate(monkeypatch):
    game = load_game("tictactoe")
    state = game.start()
    line = Line(state)
    for move in "5136":
        state.apply(state.parse_action(move))
        line.append(state)
    monkeypatch.setattr(inquiry, "MOST_EVALUATED", 2)
    looked_at, position = [], line.state
    line.state = lambda ply: looked_at.append(ply) or position(ply)
    swings = inquiry.Swings(make_agent("uct:5", game), line)
    swings.ask = lambda state, seconds: None if len(looked_at) > 2 else Analysis(0, (0.5, 0.5))
    swings.think(lambda message: None)
    assert looked_at == [0, 2]
