"""The Connect Four report (Gomes, Maia, Sobral, FCUP 2022), repeated: minimax, alpha-beta and MCTS side by side.

Two kinds of measurements:

*Measured games.* Two of the searches play a game, and at every position all four are asked what they would play, so
that all are measured on the same positions. Which two play changes from game to game; after each round of the
pairings, games begin with a few random moves, because minimax and alpha-beta always play the same.

*Matches.* MCTS with C = 5 against MCTS with C = 2, and each against alpha-beta, from the empty board, seats changing.

The report's agents choose the centre as the game's first move without a search; such decisions are measured and left
out wherever searches are compared.
"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oponente import __version__
from oponente.agents.base import Budget, SearchAgent
from oponente.agents.search_agents import UCTAgent
from oponente.agents.view import View
from oponente.arena import MatchSpec
from oponente.arena.studies.document import Page
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec, make_agent
from oponente.kernel import Game, State, derive_seed, stream

MINIMAX, ALPHABETA, MCTS2, MCTS5 = "minimax", "alphabeta", "mcts-c2", "mcts-c5"
SEARCHES: dict[str, str] = {
    MINIMAX: "minimax:schedule=report",
    ALPHABETA: "alphabeta:order=listed,table=0.0,schedule=report",
    MCTS2: "uct:iterations=4000,c=2,reward=win",
    MCTS5: "uct:iterations=4000,c=5,reward=win",
}
"""The agents by the names they have in the data."""
LABELS: dict[str, str] = {
    MINIMAX: "minimax",
    ALPHABETA: "alpha-beta",
    MCTS2: "MCTS, C = 2",
    MCTS5: "MCTS, C = 5",
}
"""Their names for readers."""

PAIRINGS: tuple[tuple[str, str], ...] = (
    (MINIMAX, ALPHABETA),
    (ALPHABETA, MCTS5),
    (MCTS2, MCTS5),
    (MCTS5, ALPHABETA),
    (MCTS5, MCTS2),
    (ALPHABETA, MCTS2),
)
"""Who plays first and second in the measured games, in turn."""

MATCHES: tuple[tuple[str, str], ...] = ((MCTS5, MCTS2), (MCTS2, ALPHABETA), (MCTS5, ALPHABETA))

REPEAT_BELOW_MS = 5.0
REPEATS = 5
"""A decision that takes less than 5 ms is measured five times and the median counts: one is mostly noise."""


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    games: int
    """Games measured decision by decision."""
    constants_games: int
    """Games of the match between the two MCTS."""
    others_games: int
    """Games of each match against alpha-beta."""


SCALES: dict[str, Sizes] = {
    "quick": Sizes(4, 100, 20),
    "standard": Sizes(18, 1000, 200),
    "full": Sizes(96, 10000, 2000),
}


@dataclass(frozen=True)
class Decision:
    """What one search did at one position."""

    search: str
    """One of `SEARCHES`."""
    action: int
    """The column it would play, from 0."""
    expanded: int
    """Positions in its tree whose moves it listed; 0: no search."""
    simulations: int | None
    """Games played at random; None for searches that play none."""
    depth: int
    """Plies looked ahead."""
    cpu_ms: float
    """Processor time of the thread."""
    wall_ms: float


@dataclass(frozen=True)
class Position:
    """One position of a measured game and what all searches did there."""

    ply: int
    """Stones on the board."""
    played: int
    """The column that was played."""
    decisions: tuple[Decision, ...]

    def of(self, search: str) -> Decision:
        """Return what a search did here."""
        return next(decision for decision in self.decisions if decision.search == search)

    @property
    def searched(self) -> bool:
        """Whether all searches did search here, instead of playing the centre by rule."""
        return all(decision.expanded > 0 for decision in self.decisions)


@dataclass(frozen=True)
class MeasuredGame:
    """A game during which all searches were measured."""

    index: int
    players: tuple[str, str]
    """Who decided the first and the second player's moves."""
    opening: tuple[int, ...]
    """Random moves before the first position that was measured."""
    positions: tuple[Position, ...]
    winner: int | None
    """0 or 1; None: a draw."""

    @property
    def searched(self) -> tuple[Position, ...]:
        """The positions at which all searches did search."""
        return tuple(position for position in self.positions if position.searched)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MeasuredGame:
        """Return the game that ``dataclasses.asdict`` wrote."""
        positions = tuple(
            Position(p["ply"], p["played"], tuple(Decision(**decision) for decision in p["decisions"]))
            for p in data["positions"]
        )
        first, second = data["players"]
        return cls(data["index"], (first, second), tuple(data["opening"]), positions, data["winner"])


class Bench:
    """The game and all searches, compiled and with their memory in place, ready to be measured.

    Args:
        game: what is played.
        searches: agents by name.
        seed: of everything random.
    """

    def __init__(self, game: Game, searches: Mapping[str, str], seed: int) -> None:
        self.game, self.seed = game, seed
        self.agents: dict[str, SearchAgent] = {}
        for name, spec in searches.items():
            agent = make_agent(spec, game)
            if not isinstance(agent, SearchAgent):
                raise ValueError(f"{spec} is no search: its nodes can't be measured")
            agent.prepare(game)
            agent.analyse(View(game.start(), 0), Budget())
            self.agents[name] = agent

    def measure_game(self, index: int, progress: Progress, games: int) -> MeasuredGame:
        """Play and measure the game with that index."""
        players = PAIRINGS[index % len(PAIRINGS)]
        state = self._opening(index)
        opening = tuple(state.history)
        positions = []
        cells = self.game.options.columns * self.game.options.rows
        while not state.is_terminal:
            ply = len(state.history)
            progress("measured games", index + ply / cells, games)
            decisions = tuple(self._measure(name, state, index) for name in self.agents)
            played = next(d.action for d in decisions if d.search == players[state.player])
            positions.append(Position(ply, played, decisions))
            state.apply(played)
        returns = state.returns
        winner = None if returns[0] == returns[1] else returns.index(max(returns))
        return MeasuredGame(index, players, opening, tuple(positions), winner)

    def _opening(self, index: int) -> State:
        """Return the position after the random moves that open a game: none in the first round, then one to four."""
        rounds = index // len(PAIRINGS)
        plies = 0 if rounds == 0 else 1 + (rounds - 1) % 4
        attempt = 0
        while True:
            state, rng = self.game.start(), stream(self.seed, "measured opening", index, attempt)
            while len(state.history) < plies and not state.is_terminal:
                state.apply(state.sample_action(rng))
            if not state.is_terminal:
                return state
            attempt += 1  # on a very small board even an opening may end a game

    def _measure(self, name: str, state: State, index: int) -> Decision:
        agent = self.agents[name]
        view = View(state, state.player, derive_seed(self.seed, "measured decision", index, len(state.history), name))
        cpu: list[float] = []
        wall: list[float] = []
        while not cpu or (cpu[0] < REPEAT_BELOW_MS and len(cpu) < REPEATS):
            wall_begin, cpu_begin = time.perf_counter(), time.thread_time()
            analysis = agent.analyse(view, Budget())
            cpu.append((time.thread_time() - cpu_begin) * 1e3)
            wall.append((time.perf_counter() - wall_begin) * 1e3)
        tree = agent.search if isinstance(agent, UCTAgent) else None
        return Decision(
            search=name,
            action=analysis.action,
            expanded=analysis.nodes if tree is None else tree.expanded,
            simulations=None if tree is None else analysis.nodes,
            depth=analysis.depth,
            cpu_ms=statistics.median(cpu),
            wall_ms=statistics.median(wall),
        )


class Connect4Report(Study):
    """The study; see the module.

    Args:
        searches: agents by name, and options of the game: others than the report's are for tests.
    """

    name = "connect4-report"
    title = "Minimax, alpha-beta and MCTS in Connect Four"
    source = "Gomes, Maia, Sobral: university report, Faculdade de Ciências da Universidade do Porto (FCUP), 2022"

    def __init__(self, searches: Mapping[str, str] = SEARCHES, options: tuple[tuple[str, str], ...] = ()) -> None:
        self.searches = dict(searches)
        self.game = GameSpec("connect4", options)

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            name: f"{s.games} measured games, {s.constants_games} games of MCTS against MCTS,"
            f" {s.others_games} of each against alpha-beta"
            for name, s in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal: a run with more games may go on with those of a smaller one."""
        return {
            "study": self.name,
            "version": __version__,
            "seed": settings.seed,
            "searches": self.searches,
            "options": dict(self.game.options),
        }

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is measured."""
        sizes = SCALES[settings.scale]
        if settings.games is not None:
            sizes = dataclasses.replace(sizes, games=settings.games)
        if settings.match_games is not None:
            sizes = dataclasses.replace(sizes, constants_games=settings.match_games, others_games=settings.match_games)
        return sizes

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Measure games, then play the matches, then judge."""
        from oponente.arena.studies.connect4_verdicts import judge

        sizes = self.sizes(settings)
        bench = Bench(self.game.load(), self.searches, settings.seed)
        for index in range(len(keep.items), sizes.games):
            keep.add(dataclasses.asdict(bench.measure_game(index, progress, sizes.games)))
            progress("measured games", index + 1, sizes.games)  # only now: what counts as done is kept
        games = [MeasuredGame.from_json(item) for item in keep.items[: sizes.games]]
        keep.touch()
        matches = [self._play_match(first, second, sizes, settings, keep, progress) for first, second in MATCHES]
        return {
            "sizes": dataclasses.asdict(sizes),
            "options": dict(self.game.options),
            "searches": self.searches,
            "games": keep.items[: sizes.games],
            "matches": matches,
            "verdicts": [dataclasses.asdict(verdict) for verdict in judge(games, matches)],
        }

    def _play_match(
        self, first: str, second: str, sizes: Sizes, settings: Settings, keep: Keep, progress: Progress
    ) -> dict[str, Any]:
        """Return the summary of a match (see :func:`oponente.arena.summary_json`), with the names of its searches."""
        spec = MatchSpec(
            self.game,
            (self.searches[first], self.searches[second]),
            sizes.constants_games if second == MCTS2 else sizes.others_games,
            derive_seed(settings.seed, "match", first, second) >> 1,
        )
        label = f"{first} v {second}"
        result = play_match(spec, label, settings, keep, progress)
        return {"searches": [first, second], **result.summary()}

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        from oponente.arena.studies.connect4_page import make_page

        return make_page(data)


STUDY = Connect4Report()
