"""Fitness of an agent's parameters: paired matches against a fixed opponent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed
from oponente.learn.contest import Contest, Holder
from oponente.learn.space import Space


class Fitness:
    """Measures candidates: each plays the same games, so that luck is the same for all that are compared.

    With an even number of players half of the seats are the candidate's, else one.

    Args:
        space: what is tuned.
        game: that is played.
        opponent: spec of the agent in the other seats.
        games: of each measurement.
        seed: of all games.
        held: holds contests.
        files: the user's files with agents.
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
    ) -> None:
        self.space, self.game, self.opponent, self.games = space, game, opponent, games
        self._seed, self._held, self._files = seed, held, files
        self._players = game.load().num_players

    def measure(self, candidates: Sequence[Sequence[Any]], *path: int | str) -> list[float]:
        """Return for each candidate the share of games that it wins, between 0 and 1.

        With more than two players each seat of its own that does not win counts as lost, so chance is a share of 1/2
        where half of the seats are its own.

        Args:
            candidates: values of the parameters.
            path: which games: equal for candidates that are compared.
        """
        own = max(1, self._players // 2)
        seed = derive_seed(self._seed, "fitness", *path) >> 1
        contests = []
        for values in candidates:
            seats = (self.space.spec(values),) * own + (self.opponent,) * (self._players - own)
            contests.append(Contest(self.game, seats, self.games, seed, self._files))
        return [sum(s.wins for s in standings[:own]) / self.games for standings in self._held(contests)]
