"""The positions that the checks look at: those of random games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from oponente.kernel import CHANCE, TERMINAL, Game, State, derive_seed, random_below, stream
from oponente.testing.probe import Look, Probe

KEPT_PER_GAME = 120
"""Positions of a longer game are thinned out to about as many."""


class Position:
    """A position of a random game."""

    __slots__ = ("look", "seed", "state")

    def __init__(self, state: State, seed: int, look: Look) -> None:
        self.state = state
        #: The seed of the game's start.
        self.seed = seed
        self.look = look

    @property
    def array(self) -> Any:
        """A fresh copy of the record."""
        return self.state.array.copy()


class Sample:
    """Random games of `game`, played once and kept for all checks.

    Args:
        game: to be checked.
        games: how many games.
        seed: of all chance.
        max_plies: a game that is longer counts as endless.

    Raises:
        ConformanceError: the rules do not even allow random play.
    """

    def __init__(self, game: Game, games: int = 10, seed: int = 0, max_plies: int = 20_000) -> None:
        self.game = game
        self.seed = seed
        self.max_plies = max_plies
        #: The seed of each game's start and the actions played.
        self.records: list[tuple[int, list[int]]] = []
        #: Positions in the order of play, ends of games included.
        self.positions: list[Position] = []
        self._open = open_actions_of(game)
        for number in range(games):
            self._play(derive_seed(seed, "conformance", number) >> 1)

    def _play(self, seed: int) -> None:
        probe = Probe(self.game, "random play")
        rng = stream(seed, "play")
        state = self.game.start(seed)
        kept: list[Position] = []
        stride = 1
        while True:
            probe.at(state, seed)
            look = probe.look(state.array)
            ply = len(state.history)
            if ply % stride == 0 or look.player == TERMINAL:
                kept.append(Position(state.copy(), seed, look))
                if len(kept) >= 2 * KEPT_PER_GAME:
                    kept, stride = kept[::2], stride * 2
            if look.player == TERMINAL:
                break
            probe.require(ply < self.max_plies, f"the game is not over after {self.max_plies} actions")
            choices = look.listed
            if look.player == CHANCE:
                action = probe.sample_chance(state.array, rng)
            else:
                unlisted = list(self._open(state)) if self._open else []
                if unlisted and random_below(rng, 4) == 0:
                    choices = unlisted
                action = choices[int(random_below(rng, len(choices)))]
            # State.apply would ask the rules whether the action is legal; that is a check of its own.
            probe.apply(state.array, action)
            state.history.append(int(action))
            state._cache = None
        self.records.append((seed, list(state.history)))
        self.positions += kept

    def spread(self, count: int, *, player: int | None = None, ends: bool = False) -> Iterator[Position]:
        """Yield at most about `count` positions, spread over the games.

        Args:
            count: how many.
            player: CHANCE or TERMINAL for such positions only; None: positions where a player is to move.
            ends: with `player` None, chance nodes and ends as well.
        """
        if player is not None:
            chosen = [p for p in self.positions if p.look.player == player]
        else:
            chosen = [p for p in self.positions if ends or p.look.player >= 0]
        step = max(1, len(chosen) // max(1, count))
        yield from chosen[::step]


def open_actions_of(game: Game) -> Any:
    """Return the game's function ``open_actions(state)``, or None.

    A game with open actions may define it in its module of notation: it yields some actions that are legal and not
    listed, so that the suite exercises them.
    """
    return getattr(game.text, "open_actions", None) or getattr(game.rules, "open_actions", None)


def distinct_looks(positions: Sequence[Position]) -> list[int]:
    """Return all listed actions of the positions, each once, in rising order."""
    return sorted({action for position in positions for action in position.look.listed})
