"""Value learning by self-play with search: expert iteration, generation by generation.

T. Anthony, Z. Tian, D. Barber, "Thinking fast and slow with deep learning and tree search" (2017), and D. Silver et
al., "Mastering the game of Go without human knowledge" (2017), for the iteration and the gate; G. Tesauro, "Temporal
difference learning and TD-Gammon" (1995), for values alone, without a policy; J. Veness et al., "Bootstrapping from
game tree search" (2009), for what a search finds as a target.

A generation

1. plays games among the best agent so far and the latest, accepted or not: what the latest thinks too well of, it loses
   by, and learns,
2. records some positions of each: the features that each seat knows, its utility in the end, and what the search
   expected for it at the root,
3. fits a network to ``(1 - mix) * outcome + mix * search value`` on the positions of the last generations, beginning
   with the last network, each row seen through symmetries of the game drawn at random (:mod:`oponente.learn.symmetry`),
4. lets the agent that evaluates by it play against the best so far, in paired games, and takes it for the best if it is
   likely enough to be better (:mod:`oponente.learn.gate`).

The agent that begins is the one that was given, with its own evaluation; those that follow are the same but for
``evaluation=FILE``. Unlike in the sources there is no policy network: priors are the search's own.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.named import choose_by_name
from oponente.agents.spec import with_values
from oponente.arena.match import decision_seed
from oponente.arena.play import AgentFailedError, Course, ask, begin, close, draw_returns, end, seat_agent
from oponente.games.catalogue import GameSpec
from oponente.kernel import (
    CHANCE,
    OUTCOME,
    TERMINAL,
    Control,
    Game,
    declared,
    derive_seed,
    in_one_step,
    stream,
    value_bounds,
)
from oponente.kernel.arrays import read_pinned, write_arrays
from oponente.learn.contest import Crew
from oponente.learn.dataset import Rows, read_dataset, write_rows
from oponente.learn.features import features_of, sample_positions
from oponente.learn.gate import Verdict, compare
from oponente.learn.supervised import SupervisedSettings, fit, random_network
from oponente.learn.symmetry import feature_symmetries
from oponente.learn.training import Training
from oponente.search.analysis import Analysis
from oponente.search.network import MOST_FEATURES, MOST_NEURONS
from oponente.search.network_files import evaluation_text

Progress = Callable[[int, int, str], None]
"""Called with the generations done, how many there are, and a word about what is done."""
HOPELESS = 0.05
"""A gate ends early if a network is not even so likely to be better."""
PARTS = 16
"""In so many parts the games of a generation are played and kept: a training that was killed loses
one for each worker at most."""
BEGINNER = "mcts:100,cutoff=0,reward=unit,estimate=none"
"""The agent that begins by default: it says what some games, as Catan, have otherwise, where a network won't do."""
TARGET = "target"
"""The column that the network learns."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """How a network learns from self-play."""

    generations: int = 10
    games: int = 200
    """Of each generation."""
    positions: int = 16
    """Of each game at most, drawn from its decisions."""
    opening: int = 4
    """Random plies at most that open a game, drawn for each (in gates: exactly so many)."""
    explore: float = 0.05
    """How often an action is drawn at random instead of the search's."""
    latest: float = 0.5
    """How likely a seat is the latest agent's, whether it was accepted or not, and not the best one's."""
    mix: float = 0.5
    """Weight of the search's value in the target; where the search tells none, the outcome is all of it."""
    window: int = 4
    """Generations whose positions are learned from."""
    layers: tuple[int, ...] = (32, 16)
    epochs: int = 10
    batch: int = 512
    rate: float = 0.002
    gate_games: int = 200
    superiority: float = 0.95
    """How likely a network must be better than the best so far to take its place."""
    max_plies: int | None = None
    """After which a game is broken off as a draw."""
    symmetric: bool = True
    """Whether rows are seen through the game's symmetries."""

    def __post_init__(self) -> None:
        if max(self.layers, default=0) > MOST_NEURONS:
            raise ValueError(f"a layer of {max(self.layers)} neurons: searches evaluate {MOST_NEURONS} at most")


@dataclass(frozen=True)
class SelfPlayGames:
    """Some games of a generation, as a task for a worker."""

    game: GameSpec
    agents: tuple[str, str]
    """The best one so far, and the latest."""
    numbers: tuple[int, int]
    """Their generations."""
    files: tuple[str, ...]
    kind: str
    settings: SelfPlaySettings
    seed: int
    generation: int
    indices: tuple[int, ...]


@dataclass
class SelfPlay:
    """The iteration for one agent and game.

    Args:
        game: that is played.
        agent: that begins; it has a parameter ``evaluation``.
        kind: name of the features.
        settings: see there.
        seed: of all that is random.
        crew: plays games.
        files: the user's files with agents.
        network: file of a network, to begin with: the latest agent of the first generation evaluates by it, and the
            first network starts from its weights; None: random weights.
    """

    game: GameSpec
    agent: str
    kind: str
    settings: SelfPlaySettings
    seed: int
    crew: Crew[Any, Any]
    files: tuple[str, ...] = ()
    network: str | None = None

    def run(self, training: Training, progress: Progress) -> int:
        """Go on with a training to its last generation; return the generation whose network is the best, 0: none."""
        s, state = self.settings, training.state
        with training.restoring():
            done, best = (int(state["generation"]), int(state["best"])) if state is not None else (0, 0)
        began = time.perf_counter() - training.seconds
        self._tidy(training.folder, done)
        while done < s.generations:
            number = done + 1

            def tell(word: str, done: int = done) -> None:
                progress(done, s.generations, word)

            self._play(training.folder, number, (best, done), tell)
            tell("learning")
            course, rows = self._learn(training.folder, number)
            tell("gate")
            found = self.compared(training.folder, number, best, s.gate_games, "gate", number, hopeless=HOPELESS)
            accepted = found.superiority >= s.superiority
            last = max(course, key=lambda row: -row["validation"])
            row = {
                "generation": number,
                **rows,
                **{name: last[name] for name in ("loss", "validation", "explained")},
                "gate_games": found.games,
                "gate_score": found.score,
                "gate_low": found.low,
                "gate_high": found.high,
                "superiority": found.superiority,
                "against": best,
                "accepted": accepted,
                "seconds": time.perf_counter() - began,
            }
            best, done = number if accepted else best, number
            training.keep({"generation": done, "best": best}, row)
            self._tidy(training.folder, done)
            progress(done, s.generations, f"score {found.score:.3f}, {'accepted' if accepted else 'not accepted'}")
        return best

    def spec(self, folder: Path, generation: int) -> str:
        """Return the agent that evaluates by the network of a generation; 0: the one that begins."""
        return self.spec_with(str(network_file(folder, generation))) if generation else self.agent

    def spec_with(self, path: str) -> str:
        """Return the agent that evaluates by a network."""
        return evaluating(self.agent, self.game.load(), path, self.files)

    def compared(
        self, folder: Path, one: int, other: int, games: int, *path: int | str, hopeless: float = 0.0
    ) -> Verdict:
        """Return how the agent of a generation does against that of another one."""
        return compare(
            self.game,
            self.spec(folder, one),
            self.spec(folder, other),
            games,
            derive_seed(self.seed, *path) >> 1,
            self.crew,
            files=self.files,
            opening=self.settings.opening,
            max_plies=self.settings.max_plies,
            hopeless=hopeless,
        )

    def _play(self, folder: Path, number: int, who: tuple[int, int], tell: Callable[[str], None]) -> None:
        """Play the games of a generation that are not kept yet, in parts, each in a file of its own."""
        s = self.settings
        size = -(-s.games // PARTS)
        parts = [tuple(range(begin, min(begin + size, s.games))) for begin in range(0, s.games, size)]
        place = _positions_folder(folder, number)
        place.mkdir(exist_ok=True)
        missing = [i for i in range(len(parts)) if not _part(place, i).exists()]
        latest = self.spec_with(self.network) if number == 1 and self.network else self.spec(folder, who[1])
        agents = self.spec(folder, who[0]), latest
        tasks = [
            SelfPlayGames(self.game, agents, who, self.files, self.kind, s, self.seed, number, parts[i])
            for i in missing
        ]
        about = {
            "game": self.game.name,
            "options": dict(self.game.options),
            "features": self.kind,
            "utility": list(self.game.load().utility),
            "seed": self.seed,
        }
        work = [(task, _part(place, i), about) for i, task in zip(missing, tasks, strict=True)]
        for count, _ in enumerate(self.crew(_play_part, work), len(parts) - len(missing) + 1):
            tell(f"games {min(count * size, s.games)}/{s.games}")

    def _tidy(self, folder: Path, done: int) -> None:
        """Remove the positions of generations before the last ones of those done, also what a kill has left."""
        for place in folder.glob("positions-*"):
            if int(place.name.removeprefix("positions-")) <= done - self.settings.window:
                shutil.rmtree(place, ignore_errors=True)

    def _learn(self, folder: Path, number: int) -> tuple[list[dict[str, float]], dict[str, int]]:
        """Fit the network of a generation; return its course, and what it has learned from."""
        s = self.settings
        parts = [
            read_dataset(file)[0]
            for one in range(max(1, number - s.window + 1), number + 1)
            for file in sorted(
                _positions_folder(folder, one).glob("[0-9]*.parquet")
            )  # not those that a kill has left unfinished
        ]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        columns[TARGET] = mixed(columns["outcome"], columns["value"], s.mix)
        game = self.game.load()
        file, before = network_file(folder, number), self.network
        if number > 1:
            before = str(network_file(folder, number - 1))
        arrays, course = fit(
            columns,
            SupervisedSettings(s.layers, TARGET, s.epochs, s.batch, s.rate),
            derive_seed(self.seed, "network", number) >> 1,
            bounds=game.utility,
            start=None if before is None else read_pinned(before),
            symmetries=feature_symmetries(game, self.kind) if s.symmetric else (),
            split=self.seed,
        )
        with in_one_step(file) as unfinished:
            write_arrays(unfinished, arrays)
        return course, {"rows": len(columns[TARGET]), "games": len(np.unique(columns["game"]))}


def mixed(outcome: npt.NDArray[Any], value: npt.NDArray[np.float64], mix: float) -> npt.NDArray[np.float64]:
    """Return the targets: outcomes, mixed with values of the search where it tells any.

    >>> mixed(np.array([1.0, -1.0]), np.array([0.5, np.nan]), 0.5).tolist()
    [0.75, -1.0]
    """
    return np.where(np.isnan(value), outcome, (1.0 - mix) * outcome + mix * value)


def network_file(folder: Path, generation: int) -> Path:
    """Return the file of the network of a generation."""
    return folder / f"generation-{generation:03}.safetensors"


def _positions_folder(folder: Path, generation: int) -> Path:
    return folder / f"positions-{generation:03}"


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number:02}.parquet"


def evaluating(agent: str, game: Game, path: str, files: Sequence[str] = ()) -> str:
    """Return the agent that is the same but for its evaluation, which is the network in a file."""
    fields = [field.name for field in declared(seat_agent(agent, game, files).Parameters)]
    return seat_agent(with_values(agent, {"evaluation": evaluation_text(path)}, fields), game, files).spec


def check_evaluating(agent: str, game: Game, kind: str, layers: Sequence[int], files: Sequence[str] = ()) -> None:
    """Raise ValueError, with one line, unless an agent can evaluate by networks such as will be learned.

    Args:
        agent: spec.
        game: that is played.
        kind: name of the features.
        layers: neurons of the hidden layers.
        files: the user's files with agents.
    """
    count = features_of(game, kind)[1]
    if count > MOST_FEATURES:
        raise ValueError(f"{game.name} has {count} features {kind}: searches evaluate {MOST_FEATURES} at most")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.safetensors"
        write_arrays(file, random_network(count, layers, game.utility, 0))
        try:
            evaluating(agent, game, str(file), files)
        except ValueError as error:
            told = str(error).replace(evaluation_text(str(file)), "FILE")
            raise ValueError(f"agent {agent} can't evaluate by a network: {told}") from error


def check_agent(agent: Agent, game: Game) -> None:
    """Raise ValueError, with one line, unless an agent can learn an evaluation by self-play."""
    p = agent.parameters
    if not isinstance(agent, SearchAgent) or not isinstance(getattr(p, "evaluation", None), str):
        raise ValueError(f"agent {agent.name} evaluates by nothing that could be learned: take mcts, maxn or one-step")
    if not getattr(p, "evaluates", True):
        raise ValueError(f"agent {agent.spec} plays all games to the end: give cutoff=0, so that it evaluates")
    if game.num_players < 2:
        raise ValueError(f"{game.name} has one player here: self-play needs opponents")
    if not agent.reproducible:
        raise ValueError(f"agent {agent.spec} is not reproducible: give it iterations, nodes or depth, and no time")


def _play_part(work: tuple[SelfPlayGames, Path, dict[str, Any]], control: Control | None = None) -> None:
    """Play some games and write what is learned of them at once, whoever else still plays."""
    task, file, about = work
    write_rows(file, play_games(task, control), about)


# --- games -----------------------------------------------------------------------------------------------------------


def play_games(task: SelfPlayGames, control: Control | None = None) -> Rows:
    """Play some games and return what is learned of them.

    Args:
        task: what is played.
        control: carries the stop flag.

    Raises:
        RuntimeError: an agent has failed; the message is one line.
        StoppedError: the stop flag was set.
    """
    game = task.game.load()
    agents = [[seat_agent(spec, game, task.files) for _ in range(game.num_players)] for spec in task.agents]
    kind, width = features_of(game, task.kind)
    try:
        budget = Budget(control=control or Control())
        found = [_Game(task, game, agents, index, budget).rows(kind, width) for index in task.indices]
    except AgentFailedError as failure:
        raise RuntimeError(f"an agent has failed: {' '.join(str(failure).split())}") from failure
    finally:
        for agent in (*agents[0], *agents[1]):
            close(agent)
    return Rows.joined(found)


class _Game:
    """A game of self-play.

    Args:
        task: what is played.
        game: the same game.
        agents: of the best and of the latest, one for each seat.
        index: which game of the generation.
        budget: of each decision; it carries the stop flag.

    Raises:
        AgentFailedError: an agent has.
        StoppedError: the stop flag was set.
    """

    def __init__(
        self, task: SelfPlayGames, game: Game, agents: Sequence[Sequence[Agent]], index: int, budget: Budget
    ) -> None:
        self.settings, self.game, self.budget = task.settings, game, budget
        self.number = (task.generation - 1) * task.settings.games + index
        self.dice = random.Random(derive_seed(task.seed, "explore", task.generation, index))
        self.seed = derive_seed(task.seed, "game", task.generation, index)
        self.start_seed = derive_seed(self.seed, "start") >> 1
        self.expected: dict[int, tuple[float, ...]] = {}
        """What the search expected for each seat, by the number of the decision."""
        self.course = Course(game.start(self.start_seed))
        late = [int(self.dice.random() < self.settings.latest) for _ in range(game.num_players)]
        self.played_by = np.array([task.numbers[one] for one in late], np.int16)
        seated = [agents[one][seat] for seat, one in enumerate(late)]
        for seat, agent in enumerate(seated):
            begin(agent, game, seat)
        for seat in self._seats():
            self._act(seat, seated[seat])
        over = self.course.state.is_terminal
        self.returns: tuple[float, ...] = tuple(self.course.state.returns) if over else draw_returns(game)
        for agent in seated:
            end(agent, self.returns, "" if over else f"after {self.settings.max_plies} plies", f"game {self.number}")

    def _seats(self) -> Iterator[int]:
        """Give whose decision it is, until the game ends; chance takes its course."""
        state, chance, limit = self.course.state, stream(self.seed, "chance"), self.settings.max_plies
        self.opening = self.dice.randint(0, self.settings.opening)
        while (seat := state.player) != TERMINAL and (limit is None or len(state.history) < limit):
            if seat == CHANCE:
                self.course.apply_chance(chance)
            else:
                yield seat

    def _act(self, seat: int, agent: Agent) -> None:
        state, ply = self.course.state, len(self.course.state.history)
        listed = state.legal_actions
        if len(listed) == 1 or self.opening > 0:
            self.opening -= len(listed) > 1
            self.course.apply(self.dice.choice(list(listed)))
            return
        action = ask(agent, self.course.view(seat, decision_seed(self.seed, seat, ply)), self.budget)
        analysis = getattr(agent, "last_analysis", None)
        self.expected[ply] = utilities(agent, analysis, self.game)
        if self.dice.random() < self.settings.explore:
            action = self.dice.choice(list(listed))
        self.course.apply_answer(agent, action)

    def rows(self, kind: Any, width: int) -> Rows:
        """Return what is learned of the game: some of its positions, a row for each seat of each."""
        players, state = self.game.num_players, self.course.state
        actions = np.array(state.history, np.int32)
        plies = sorted(self.dice.sample(list(self.expected), min(self.settings.positions, len(self.expected))))
        chosen = np.zeros(actions.size, np.bool_)
        chosen[plies] = True
        features = np.zeros((len(plies) * players, width), np.float32)
        start, scratch = self.game.start(self.start_seed).array, np.zeros(players)
        sample_positions(
            self.game.tables, kind, OUTCOME, start, actions, chosen, features, scratch, np.zeros(len(features))
        )
        seats = np.tile(np.arange(players, dtype=np.int8), len(plies))
        return Rows(
            features,
            np.array(self.returns, np.float32)[seats],
            np.array([self.expected[ply] for ply in plies], np.float64).ravel(),
            np.full(len(features), self.number, np.int32),
            seats,
            np.repeat(np.array(plies, np.int32), players),
            self.played_by[seats],
        )


def utilities(agent: Agent, analysis: Analysis | None, game: Game) -> tuple[float, ...]:
    """Return what a search expects for each player, as utilities; no numbers (NaN) where it tells none.

    Monte Carlo searches tell rewards, which are utilities or these scaled to [0, 1]; others tell values of their
    evaluator, which are utilities if its bounds are within those of utilities.
    """
    unknown = (float("nan"),) * game.num_players
    if analysis is None or len(analysis.values) != game.num_players:
        return unknown
    (low, high), p = game.utility, agent.parameters
    reward = getattr(p, "reward", None)
    if reward == "unit":
        return tuple(low + (high - low) * value for value in analysis.values)
    if reward is None and getattr(p, "objective", "own") == "own":
        bounds = value_bounds(choose_by_name(game, game.evaluators, p.evaluation, "evaluator"), game.tables)
        if low <= bounds.low and bounds.high <= high:
            return analysis.values
    return analysis.values if reward == "utility" else unknown
