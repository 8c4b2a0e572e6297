"""The local games of Paz and Rubin (PUCRS, 2016) in Catan, repeated: four simple agents; MCTS, UCT against three.

All games are on the beginner's board, without trade between players, as in the thesis. Four `simple` agents keep their
seats. MCTS and UCT, of 1,000 simulations a decision, play against three `simple` agents each and change seats from game
to game: first with the true state in their hands, as in the thesis, then honestly, with what a player may know.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oponente import __version__
from oponente.arena import MatchSpec
from oponente.arena.studies.catan_pucrs_matches import AGENTS, FOUR, LABELS
from oponente.arena.studies.catan_pucrs_verdicts import judge
from oponente.arena.studies.document import Page
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed

OPTIONS: tuple[tuple[str, str], ...] = (("board", "beginner"), ("trade", "false"))


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    simple_games: int
    """Games of four simple agents."""
    search_games: int
    """Games of each other match."""


SCALES: dict[str, Sizes] = {
    "quick": Sizes(20, 1),
    "standard": Sizes(1000, 100),
    "full": Sizes(10000, 1000),
}
"""The standard scale has as many games as the thesis."""


class CatanPucrs(Study):
    """The study; see the module.

    Args:
        agents: who plays in each match: others than the thesis's are for tests.
        options: of the game.
    """

    name = "catan-pucrs"
    title = "Monte Carlo tree search against simple agents in Catan"
    source = "Paz, Rubin: thesis, Pontifícia Universidade Católica do Rio Grande do Sul (PUCRS), 2016"

    def __init__(
        self, agents: Mapping[str, tuple[str, ...]] = AGENTS, options: tuple[tuple[str, str], ...] = OPTIONS
    ) -> None:
        self.agents = dict(agents)
        self.game = GameSpec("catan", options)

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            name: f"{s.simple_games} games of four simple agents, {s.search_games} each of MCTS and UCT with the"
            " true state, as many honestly"
            for name, s in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal: a run with more games may go on with those of a smaller one."""
        return {
            "study": self.name,
            "version": __version__,
            "seed": settings.seed,
            "agents": {name: list(agents) for name, agents in self.agents.items()},
            "options": dict(self.game.options),
        }

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is played: `games` of four simple agents, `match_games` of each other match."""
        sizes = SCALES[settings.scale]
        if settings.games is not None:
            sizes = dataclasses.replace(sizes, simple_games=settings.games)
        if settings.match_games is not None:
            sizes = dataclasses.replace(sizes, search_games=settings.match_games)
        return sizes

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play the matches, then judge."""
        sizes = self.sizes(settings)
        keep.touch()
        matches = {name: self._play(name, sizes, settings, keep, progress) for name in self.agents}
        return {
            "sizes": dataclasses.asdict(sizes),
            "options": dict(self.game.options),
            "matches": matches,
            "verdicts": [dataclasses.asdict(verdict) for verdict in judge(matches)],
        }

    def _play(self, name: str, sizes: Sizes, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Return the summary of a match (see :func:`oponente.arena.summary_json`)."""
        spec = MatchSpec(
            self.game,
            self.agents[name],
            sizes.simple_games if name == FOUR else sizes.search_games,
            derive_seed(settings.seed, "match", name) >> 1,
            rotate=name != FOUR,
        )
        result = play_match(spec, LABELS[name], settings, keep, progress)
        return result.summary()

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        # Loaded when it is wanted: matplotlib alone takes a second.
        from oponente.arena.studies.catan_pucrs_page import make_page

        return make_page(data)


STUDY = CatanPucrs()
