"""Fitness of an agent's parameters: paired matches against a fixed opponent, or in a game for one its utility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed
from oponente.learn.contest import Contest, Holder, Standing, own_seats
from oponente.learn.space import Space


class Fitness:
    """Measures candidates: each plays the same games, so that luck is the same for all that are compared.

    Half of the seats, rounded down, are the candidate's; in a game for one it is alone.

    Args:
        space: what is tuned.
        game: that is played.
        opponent: spec of the agent in the other seats; not used in a game for one.
        games: of each measurement; rounded up to whole blocks.
        seed: of all games.
        held: holds contests.
        files: the user's files with agents.
        opening: random plies that open each game.
    """

    def __init__(
        self,
        space: Space,
        game: GameSpec,
        opponent: str,
        games: int,
        seed: int,
        held: Holder,
        files: tuple[str, ...] = (),
        opening: int = 0,
    ) -> None:
        self.space, self.game, self.opponent, self.games = space, game, opponent, games
        self._seed, self._held, self._files, self._opening = seed, held, files, opening
        self._loaded = game.load()
        self._players, self._utility = self._loaded.num_players, self._loaded.utility

    def allows(self, values: Sequence[Any]) -> bool:
        """Tell whether values of the parameters go together, so that they can be measured."""
        return self.space.allows(values, self._loaded)

    def measure(self, candidates: Sequence[Sequence[Any]], *path: int | str) -> list[float]:
        """Return the fitness of each candidate, between 0 and 1.

        It is the mean share of the games that its seats have together, where a game that several have won or drawn
        counts in equal parts (:func:`oponente.arena.elo.shares`): an equal opponent leaves a half where half of the
        seats are the candidate's. In a game for one it is the mean utility as in :meth:`utilities`. Candidates whose
        values don't go together have 0.

        Args:
            candidates: values of the parameters.
            path: which games: equal for candidates that are compared.
        """
        allowed = [self.allows(values) for values in candidates]
        specs = [self.space.spec(values) for values, plays in zip(candidates, allowed, strict=True) if plays]
        if self._players == 1:
            found = iter(self.utilities(specs, self.opponent, *path))
        else:
            found = iter(_share(own) for own in self._standings(specs, self.opponent, path))
        return [next(found) if plays else 0.0 for plays in allowed]

    def utilities(self, specs: Sequence[str], opponent: str, *path: int | str) -> list[float]:
        """Return for each candidate the mean utility of its seats, from 0 for the least to 1 for the greatest.

        Args:
            specs: of the candidates.
            opponent: spec of the agent in the other seats.
            path: as of :meth:`measure`.
        """
        low, high = self._utility
        found = self._standings(specs, opponent, path)
        return [(sum(standing.score for standing in own) / len(own) - low) / (high - low) for own in found]

    def _standings(self, specs: Sequence[str], opponent: str, path: tuple[int | str, ...]) -> list[list[Standing]]:
        """Return the standings of each candidate's own seats."""
        own = own_seats(self._players)
        seed = derive_seed(self._seed, "fitness", *path) >> 1
        contests = [
            Contest(
                self.game,
                (spec,) * own + (opponent,) * (self._players - own),
                self.games,
                seed,
                self._files,
                self._opening,
            )
            for spec in specs
        ]
        return [standings[:own] for standings in self._held(contests)]


def _share(own: Sequence[Standing]) -> float:
    """Return the mean share of the games that some seats have together."""
    return sum(standing.won for standing in own) / own[0].games
