"""Positions of Risk for tests, built territory by territory, and what holds in every position."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from oponente import load_game
from oponente.games.risk.moves import ATTACKING, CLAIMING, OVER, PLACING
from oponente.games.risk.state import FREE, NEUTRAL, NONE
from oponente.kernel import Game, State

FEW = os.environ.get("HYPOTHESIS_PROFILE") == "few"
"""Whether fewer random cases are wanted, as in the stage with bounds checks."""


def game_of(**options: Any) -> Game:
    """Return the game with some options."""
    return load_game("risk", {name: str(value).lower() for name, value in options.items()})


class Position:
    """A position of the first player's turn, all territories of which are the last player's at first.

    Args:
        options: of the game.
    """

    def __init__(self, **options: Any) -> None:
        self.game = game_of(**{"players": 3, "setup": "bare", **options})
        self.state = self.game.start(1)
        record = self.state.record
        self.last = self.game.num_players - 1
        territories = len(self.game.options.world.territories)
        record.held[:] = 0
        record.held[self.last] = (1 << territories) - 1
        record.owner[:territories] = self.last
        record.order[:territories] = np.arange(territories)
        record.armies[:territories] = 1
        record.mover = record.actor = 0
        record.turn = 1
        record.pool[:] = 0
        record.reserved[:] = 0
        self.phase(ATTACKING)

    def number(self, name: str) -> int:
        return self.game.options.world.index(name)

    def hold(self, seat: int, **armies: int) -> Position:
        """Give territories to a player: ``hold(0, Alaska=3, New_Guinea=1)``."""
        record = self.state.record
        for name, count in armies.items():
            territory = self.number(name.replace("_", " "))
            record.held[int(record.owner[territory])] &= ~np.uint64(1 << territory)
            record.held[seat] |= np.uint64(1 << territory)
            record.owner[territory], record.armies[territory] = seat, count
        return self

    def cards(self, seat: int, *names: str) -> Position:
        """Give cards to a player: names of territories, ``wild 1``."""
        record = self.state.record
        territories = len(self.game.options.world.territories)
        for name in names:
            wild = name.startswith("wild")
            card = territories + int(name[-1]) - 1 if wild else self.number(name)
            record.deck &= ~np.uint64(1 << card)
            record.hand[seat] |= np.uint64(1 << card)
        return self

    def place(self, count: int) -> Position:
        """Let the player on turn have armies to place."""
        self.state.record.pool[0] = count
        return self.phase(PLACING)

    def phase(self, phase: int) -> Position:
        self.state.record.phase = phase
        self.state._cache = None
        return self

    def set(self, **fields: Any) -> Position:
        for name, value in fields.items():
            self.state.record[name] = value
        self.state._cache = None
        return self

    def do(self, *moves: str) -> State:
        """Take moves in the notation of the game."""
        for move in moves:
            self.state.apply(self.state.parse_action(move))
        return self.state

    def at(self, name: str) -> tuple[int, int]:
        """Return owner and armies of a territory."""
        territory = self.number(name)
        return int(self.state.record.owner[territory]), int(self.state.record.armies[territory])


def listed(state: State) -> list[str]:
    """Return the texts of the listed actions."""
    return [state.action_text(action) for action in state.legal_actions]


def check_state(state: State) -> None:
    """Raise AssertionError for a position that can't be."""
    record, rules, game = state.record, state.game.tables.rules, state.game
    territories = int(rules.territories)
    claiming = int(record.phase) == CLAIMING
    masks = [int(mask) for mask in record.held]
    assert sum(mask.bit_count() for mask in masks) == territories, "every territory has one owner"
    for territory in range(territories):
        owner = int(record.owner[territory])
        assert 0 <= owner < game.num_players or owner in (NEUTRAL, FREE)
        assert masks[owner] >> territory & 1, "owner and masks agree"
        assert (owner == FREE) == (int(record.armies[territory]) == 0), "an army stands on every territory"
        assert owner != FREE or claiming
        assert int(record.armies[territory]) <= int(rules.army_limit)
    claimed = territories - masks[FREE].bit_count()
    assert len(set(record.order[:claimed].tolist())) == claimed, "the order has every territory once"
    cards = [*(int(hand) for hand in record.hand), int(record.deck), int(record.discard)]
    whole = int(rules.all_cards) if rules.cards else 0
    assert sum(mask.bit_count() for mask in cards) == whole.bit_count(), "cards are in one place each"
    union = 0
    for mask in cards:
        union |= mask
    assert union == whole
    assert (record.pool >= 0).all()
    for seat in range(game.num_players):
        out = int(record.turn) > 0 and masks[seat] == 0
        assert not out or int(record.hand[seat]) == 0, "who is out has no cards"
        assert out == (int(record.killer[seat]) != NONE)
    if state.player >= 0:
        assert masks[state.player] or claiming, "who is out has no turn"
    if int(record.phase) == OVER:
        assert state.is_terminal
