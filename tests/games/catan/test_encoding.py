"""Catan: where the features stand, and what they tell of offers."""

from __future__ import annotations

import re

import numpy as np

from oponente.games.catan import encoding
from oponente.games.catan.cards import KNIGHT
from oponente.games.catan.encoding import ENCODING, PARTS
from oponente.games.catan.moves import ACCEPT, BUY_CARD, DRAW_CARD, END_TURN, REJECT
from tests.games.catan.positions import Position, offer


def part(state, seat, name):
    """Return the features of a part, in its shape."""
    at, shape = PARTS[name]
    return state.encode(seat)[at : at + int(np.prod(shape))].reshape(shape).tolist()


def test_parts_lie_side_by_side_and_as_documented():
    at = 0
    for offset, shape in PARTS.values():
        assert offset == at
        at += int(np.prod(shape))
    assert at == ENCODING
    documented = re.findall(r"^(\S+(?: \S+)*)  +(\d+) +(\d+(?: x \d+)?)  ", encoding.__doc__, re.MULTILINE)
    assert documented == [(name, str(offset), " x ".join(map(str, shape))) for name, (offset, shape) in PARTS.items()]


def test_cards_bought_this_turn_are_told_to_their_owner_alone():
    position = Position(players=2).develop(0, KNIGHT, KNIGHT).develop(1, KNIGHT).give_for(0, cards=1)
    knights = [[2.0, 0, 0, 0, 0], [0.0] * 5]
    assert part(position.state, 0, "own cards") == knights
    position.do(BUY_CARD, DRAW_CARD + KNIGHT)
    assert part(position.state, 0, "own cards") == [[3.0, 0, 0, 0, 0], [1.0, 0, 0, 0, 0]]
    assert part(position.state, 1, "own cards") == [[1.0, 0, 0, 0, 0], [0.0] * 5]
    position.do(END_TURN)
    assert part(position.state, 0, "own cards") == [[3.0, 0, 0, 0, 0], [0.0] * 5]


def test_an_offer_and_its_answers_are_told_to_all():
    position = Position().give(1, wool=2, grain=1).give(2, ore=3).give(3, brick=1).turn(1)
    nothing = [0.0] * 13
    assert part(position.state, 3, "offer") == [0.0] * 11
    position.do(offer({"wool": 2, "grain": 1}, {"ore": 1}))
    terms = [1.0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 1]
    for seat in range(4):
        assert part(position.state, seat, "offer") == terms
        assert part(position.state, seat, "answers") == [nothing] * 4
    position.do(REJECT, ACCEPT, offer({"brick": 1}, {"wool": 1}))
    rejected, accepted = [0.0, 1, *[0.0] * 11], [1.0, 0, *[0.0] * 11]
    countered = [0.0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0]
    for seat in range(4):
        assert part(position.state, seat, "offer") == terms
        answers = [rejected, nothing, accepted, countered]
        assert part(position.state, seat, "answers") == answers[seat:] + answers[:seat]  # from who looks on
    position.do(position.listed()[0])  # the trade with seat 2
    assert part(position.state, 0, "offer") == [0.0] * 11
    assert part(position.state, 0, "answers") == [nothing] * 4
