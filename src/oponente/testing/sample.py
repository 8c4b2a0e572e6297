"""The positions that the checks look at: those of random games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from oponente.kernel import CHANCE, TERMINAL, Game, State, derive_seed, random_below, stream
from oponente.testing.probe import Look, Probe

KEPT_PER_GAME = 120
"""Positions of a longer game are thinned out to about as many."""


Invariant = Callable[[State], None]
"""Raises AssertionError for a state that no play can lead to."""


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
        return self.state.game.copied(self.state.array)


class Sample:
    """Random games of `game`, played once and kept for all checks.

    Args:
        game: to be checked.
        games: how many games.
        seed: of all chance.
        max_plies: a game that is longer counts as endless.
        invariant: raises AssertionError for a state that can't be (say, with a card in two hands).

    Raises:
        ConformanceError: the rules do not even allow random play.
    """

    def __init__(
        self, game: Game, games: int = 10, seed: int = 0, max_plies: int = 20_000, invariant: Invariant | None = None
    ) -> None:
        self.game = game
        self.invariant = invariant
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
        # Positions that are kept must not all be the same seat's.
        stride, thinning = 1, next(n for n in range(2, 8) if math.gcd(n, self.game.num_players) == 1)
        while True:
            probe.at(state, seed)
            look = probe.look(state.array)
            self.require_invariant(probe, state.array, "random play")
            if look.player >= 0:
                require_listed(Probe(self.game, "actions").at(state, seed), state.array, look)
            ply = len(state.history)
            if ply % stride == 0 or look.player == TERMINAL:
                kept.append(Position(state.copy(), seed, look))
                if len(kept) >= 2 * KEPT_PER_GAME:
                    kept, stride = kept[::thinning], stride * thinning
            if look.player == TERMINAL:
                break
            probe.require(ply < self.max_plies, f"the game is not over after {self.max_plies} actions")
            choices = look.listed
            if look.player == CHANCE:
                action = probe.sample_chance(state.array, rng)
            else:
                unlisted = list(self._open(state)) if self._open else []
                for action in unlisted:
                    probe.require(
                        probe.legal(state.array, action), f"open_actions yields {action}, but legal denies it"
                    )
                if unlisted and random_below(rng, 4) == 0:
                    choices = unlisted
                action = choices[int(random_below(rng, len(choices)))]
            # State.apply would ask the rules whether the action is legal, which is not to be relied on.
            probe.apply(state.array, action)
            state.history.append(int(action))
            state._cache = None
        self.records.append((seed, list(state.history)))
        self.positions += kept

    def require_invariant(self, probe: Probe, array: Any, what: str) -> None:
        """Require that a state satisfies the author's invariant."""
        if self.invariant is None:
            return
        try:
            self.invariant(State(self.game, self.game.copied(array)))
        except AssertionError as error:
            raise probe.fail(f"{what} leads to a state that can't be: {error}") from error

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
        # A step aside each time, for the same reason.
        yield from (chosen[i + i // step % step] for i in range(0, len(chosen) - step + 1, step))


def open_actions_of(game: Game) -> Any:
    """Return the game's function ``open_actions(state)``, or None.

    A game with open actions may define it in its module of notation: it yields some actions that are legal and not
    listed, so that the suite exercises them.
    """
    return getattr(game.text, "open_actions", None) or getattr(game.rules, "open_actions", None)


def require_listed(probe: Probe, array: Any, look: Look) -> None:
    """Require that listed actions are distinct and not negative, and that `legal` allows them.

    Of long lists, only some entries are put to `legal`.
    """
    listed = look.listed
    if len(set(listed)) < len(listed):
        twice = sorted({action for action in listed if listed.count(action) > 1})
        raise probe.fail(f"actions lists {twice[:5]} more than once: {listed[:30]}")
    probe.require(min(listed) >= 0, f"actions lists {min(listed)}; actions are not negative")
    for action in spread(listed, 12):
        probe.require(probe.legal(array, action), f"actions lists {action}, but legal denies it")


def spread(values: list[int], count: int) -> list[int]:
    """Return at most `count` of the values, the first and the last among them."""
    if len(values) <= count:
        return values
    return [values[round(i * (len(values) - 1) / (count - 1))] for i in range(count)]
