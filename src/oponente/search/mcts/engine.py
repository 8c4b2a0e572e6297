"""One tree and the threads that grow it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.kernel import CHANCE, OUTCOME, UNIFORM, Control, Game, RulesError, State, Stream, stream
from oponente.kernel.memory import private_zeros
from oponente.search.mcts.kernel import (
    BROKEN,
    DEEPEST,
    ENDED,
    FULL,
    PROVEN,
    REASON,
    REDUNDANT,
    REPORT_SIZE,
    RESULT_STRIDE,
    RESULTS,
    SIMULATIONS,
    STOPPED,
    reset,
    simulate,
)
from oponente.search.mcts.parameters import Config, Evaluations, MCTSParameters, new_config, pack
from oponente.search.mcts.playouts import new_memory, part_of_memory
from oponente.search.mcts.store import BLOCK, ROOT, Tree, age_to_forget, new_tree, part_of, transplant
from oponente.search.mcts.work import work_type

OPEN_GROWTH = 4
"""Nodes that a simulation in an open loop adds, roughly: one for an action, and those of chance on the way."""
SMALLEST = 64
"""Nodes that a tree has room for at least, where the parameters allow it."""


class Tokens(NamedTuple):
    """What a search is given besides the game."""

    policy: Any = UNIFORM
    """Playout policy."""
    judge: Any = OUTCOME
    """Evaluator of finished games, for the reward ``value``."""
    evaluator: Any = OUTCOME
    """Evaluator of unfinished games and of actions not yet tried."""
    prior: Any = UNIFORM
    """Prior of actions."""
    belief: Any = OUTCOME
    """Likelihood of what is hidden."""


class _Worker:
    """What one thread needs for itself, and what threads share that make the playouts of one leaf.

    Args:
        game: the game.
        works: work space of each playout.
        results: of each playout.
        memory: room for what is learnt.
    """

    def __init__(
        self, game: Game, works: npt.NDArray[Any], results: npt.NDArray[np.float64], memory: npt.NDArray[Any]
    ) -> None:
        self.works, self.results, self.room = works, results, memory
        self.memory = memory
        """As much of the room as the search takes."""
        self.config: npt.NDArray[Any] = np.zeros(1, Config)
        self.states = game.new_states(3)
        self.rewards = private_zeros(game.num_players, np.dtype(np.float64))
        self.spare = private_zeros(game.num_players, np.dtype(np.float64))
        self.report = private_zeros(REPORT_SIZE, np.dtype(np.int64))
        self.rng: Stream = np.zeros(4, np.uint64)


class Engine:
    """Grows a tree; the tree and the work space are kept between searches.

    Args:
        parameters: of the search.
        tokens: policies and evaluators.
        is_open: whether nodes are sequences of actions.
        honest: whether what the player can't know is drawn anew in each simulation.
        threads: how many threads share the tree, or make a playout each at every leaf.
        evaluations: how they become rewards.
    """

    def __init__(
        self,
        parameters: MCTSParameters,
        tokens: Tokens,
        *,
        is_open: bool,
        honest: bool,
        threads: int,
        evaluations: Evaluations,
    ) -> None:
        self.parameters, self.tokens = parameters, tokens
        self.is_open, self.honest, self.threads = is_open, honest, threads
        self.evaluations = evaluations
        self.tree: Tree | None = None
        self.config = SimpleNamespace()
        """The values of the search's `Config`."""
        self._packed: npt.NDArray[Any] = np.zeros(1, Config)
        """The same as a record."""
        self._configs: dict[int, tuple[Game, SimpleNamespace, npt.NDArray[Any]]] = {}
        """Both, as they were last made for each seat."""
        self.deepest = 0
        self.redundant = 0
        """Actions in the playouts of the last search that undid the last, if they are counted."""
        self.proven = False
        self.seat = 0
        self._layout: tuple[Any, int, int] | None = None
        """What the tree was made for: rules, players, trees."""
        self.kept = 0
        """Simulations of earlier searches that the tree begins with."""
        self._serial = 0
        """Simulations run so far, in all searches: what numbers them."""
        self._simulated = 0
        self._room: Tree | None = None
        """The memory that the tree lies in."""
        self._workers: list[_Worker] = []
        self._mail: tuple[Any, Any] = (None, None)
        """What the threads that play out one leaf tell each other: the mailbox, the leaf."""
        self._game: Game | None = None
        self._root: State | None = None

    # --- a search, begun -------------------------------------------------------------------------------------------

    def begin(self, root: State, rng: Stream, iterations: int) -> None:
        """Make ready for `iterations` simulations from `root`; what the tree held is forgotten, unless it is reused."""
        game, seat = root.game, root.player
        old = self._root
        self.seat, self._game = seat, game
        self._configure(game, seat)
        reached = None if old is None or not self.parameters.reuse else self._find(old, root)
        self.kept = 0
        if reached is None:
            capacity = self._capacity(game, iterations)
            self._reserve(game, capacity)
            assert self.tree is not None
            reset(self.tree, self._packed)
            for worker in self._workers:
                worker.memory.fill(0)
        else:
            self._move_to(reached)
            if self.parameters.squash:
                self._count_root_once()
        self._root = root.copy() if self.parameters.reuse else root
        self.deepest, self.redundant, self.proven, self._simulated = 0, 0, False, 0
        for i, worker in enumerate(self._workers):
            game.put(worker.states, 1, root.array)
            # One thread draws from the stream itself; several from streams of their own.
            worker.rng = rng if self.threads == 1 else stream(int.from_bytes(rng.tobytes(), "little"), "thread", i)

    def _configure(self, game: Game, seat: int) -> None:
        known = self._configs.get(seat)
        if known is None or known[0] is not game:
            c = new_config(
                self.parameters,
                game,
                is_open=self.is_open,
                honest=self.honest,
                seat=seat,
                evaluations=self.evaluations,
            )
            by_leaf = self.threads > 1 and self.parameters.parallel == "leaf"
            c.shared = self.threads > 1 and not by_leaf
            c.batch = self.threads if by_leaf else 1
            c.trees = game.num_players if self._multiple(game) else 1
            c.plain = c.plain and c.batch == 1 and c.trees == 1
            known = self._configs[seat] = game, c, pack(c)
        _, self.config, self._packed = known

    def _multiple(self, game: Game) -> bool:
        return (
            self.parameters.observers == "multiple"
            and self.is_open
            and self.honest
            and not game.perfect_information
            and game.num_players > 1
        )

    def _capacity(self, game: Game, iterations: int) -> int:
        if self.parameters.reuse:
            return self.parameters.capacity
        c = self.config
        if c.informed:
            growth = 1 + game.max_actions
        elif self.is_open:
            growth = OPEN_GROWTH * c.trees
        else:
            growth = 1 + min(BLOCK, game.max_actions)
        return min(self.parameters.capacity, SMALLEST + (iterations + 1) * growth)

    def _reserve(self, game: Game, capacity: int) -> None:
        """Have a tree with room for `capacity` nodes, and work space for all threads."""
        c = self.config
        same = self._layout == (game.rules, game.num_players, c.trees)
        if not same or self._room is None or self._room.stats.size < capacity:
            self._room = new_tree(capacity, c)
            self._workers = self._new_workers(game, capacity)
            self._mail = (
                private_zeros(RESULTS + RESULT_STRIDE * self.threads, np.dtype(np.int64)),
                game.new_states(1),
            )
            self._layout = (game.rules, game.num_players, c.trees)
        # No more than was asked for, so that no search depends on earlier ones that were longer.
        self.tree = part_of(self._room, capacity, c)
        for worker in self._workers:
            worker.memory = part_of_memory(worker.room, self.parameters, capacity)
        self._configure_workers()

    def _new_workers(self, game: Game, capacity: int) -> list[_Worker]:
        playouts = self.config.batch
        found: list[_Worker] = []
        while len(found) < self.threads:
            works, memory = private_zeros(playouts, work_type(game)), new_memory(self.parameters, capacity)
            results = np.zeros((playouts, game.num_players + 1))
            found += [_Worker(game, works, results, memory) for _ in range(playouts)]
        return found

    def _configure_workers(self) -> None:
        for worker in self._workers:
            worker.config.view(np.uint8)[:] = self._packed.view(np.uint8)  # NumPy copies records field by field

    def forget(self) -> None:
        """Reuse nothing of what there is."""
        self._root = None

    def prepare(self) -> None:
        """Compile what the parameters ask for that a single short search does not do."""
        if self.tree is None:
            return
        if self.parameters.reuse:
            self._move_to(ROOT)
        if self.parameters.recycle:
            self._forget_oldest()

    # --- a search, run ---------------------------------------------------------------------------------------------

    def run(self, simulations: int, control: Control, arms: Sequence[int] = ()) -> int:
        """Run simulations; return how many there were: fewer if the control stops them, or the root is proven.

        Args:
            simulations: how many at most.
            control: stops the search.
            arms: actions at the root to be searched in turn; empty: the formula decides.

        Raises:
            RulesError: a state lists no action, or an outcome is drawn that is not listed.
        """
        chosen = np.zeros(max(1, len(arms)), np.int32)
        chosen[: len(arms)] = arms
        if len(arms) and not self.is_open:
            # The kernel lists no actions where arms are given, and nothing is proven of a root while some are untried.
            assert self.tree is not None
            assert self._root is not None
            self.tree.nodes["listed"][ROOT] = len(self._root.legal_actions)
        ranges = self._split(simulations)
        done = 0
        while True:
            for worker, (begin, end) in zip(self._workers, ranges, strict=True):
                values = {"begin": begin, "end": end, "arms": len(arms), "serial": self._serial}
                for name, value in values.items():
                    worker.config[name] = value
            self._simulate(chosen, control)
            reasons = {int(worker.report[REASON]) for worker in self._workers}
            run = sum(int(worker.report[SIMULATIONS]) for worker in self._workers)
            done, self._serial = done + run, self._serial + run
            self.redundant += sum(int(worker.report[REDUNDANT]) for worker in self._workers)
            self.deepest = max(self.deepest, *(int(worker.report[DEEPEST]) for worker in self._workers))
            if BROKEN in reasons:
                assert self._game is not None
                raise RulesError(
                    f"{self._game.name}: a state lists no action, or sample_chance draws what chance does not list"
                )
            if FULL not in reasons or STOPPED in reasons or PROVEN in reasons:
                break
            self._forget_oldest()
            ranges = [
                (begin + int(worker.report[SIMULATIONS]), end)
                for worker, (begin, end) in zip(self._workers, ranges, strict=True)
            ]
        lower, upper = self.bounds(ROOT)
        self.proven = PROVEN in reasons or bool(self.config.solver and (lower >= upper).all())
        self._simulated += done
        return done

    def _split(self, simulations: int) -> list[tuple[int, int]]:
        """Split simulations among the threads; playouts from the same leaf are counted by the first one."""
        count = len(self._workers)
        if self.config.batch > 1:
            return [(0, simulations)] + [(0, 0)] * (count - 1)
        shares = [simulations // count + (i < simulations % count) for i in range(count)]
        begins = [sum(shares[:i]) for i in range(count)]
        return [(begin, begin + share) for begin, share in zip(begins, shares, strict=True)]

    def _simulate(self, arms: npt.NDArray[np.int32], control: Control) -> None:
        game = self._game
        assert game is not None
        batch = self.config.batch > 1
        mailbox, leaf = self._mail
        mailbox[:] = 0

        def work(i: int, own: Control) -> None:
            worker = self._workers[i]
            worker.config["worker"] = i if batch else 0
            try:
                simulate(
                    game.tables,
                    *self.tokens,
                    worker.states,
                    self.tree,
                    worker.memory,
                    worker.works,
                    worker.rewards,
                    worker.spare,
                    arms,
                    mailbox,
                    leaf,
                    worker.results,
                    worker.rng,
                    worker.config,
                    worker.report,
                    own.array,
                    *self._compiled_in(),
                )
            finally:
                mailbox[ENDED] = 1

        run_side_by_side(work, len(self._workers), control)

    def _compiled_in(self) -> tuple[bool | None, bool | None, bool | None]:
        """Return what the kernel is to be compiled with: all, or no more than a plain search needs."""
        c = self.config
        if not c.plain:
            return True, True, True
        return None, True if c.open else None, True if c.shared else None

    # --- memory ----------------------------------------------------------------------------------------------------

    def _forget_oldest(self) -> None:
        """Make leaves of the nodes not visited for longest, until half of the tree is free."""
        assert self.tree is not None
        capacity = self.tree.stats.size
        self._transplant(ROOT, int(age_to_forget(self.tree, capacity // 2, self._packed)))
        if self.tree.used[0] > capacity - capacity // 8:  # a tree that small is all root
            for worker in self._workers:
                worker.config["recycling"] = False

    def _move_to(self, node: int) -> None:
        """Make a node the root, and forget all but what is below it."""
        self._transplant(node, 0)
        assert self.tree is not None
        self._configure_workers()
        self.kept = int(self.tree.stats["visits"][ROOT])

    def _count_root_once(self) -> None:
        """Let the root count as one simulation, with the mean of all those through it."""
        assert self.tree is not None
        c, visits = self.config, float(self.tree.stats["visits"][ROOT])
        sums = [(0, c.players)]
        if c.kind:
            sums.append((c.squares_at, 1))
        if c.expecting:
            sums.append((c.ended_at, 1 + c.players))
        for begin, count in sums:
            self.tree.values[int(begin) : int(begin + count)] /= visits
        self.tree.stats["visits"][ROOT], self.tree.stats["spread"][ROOT] = 1, 1.0

    def _transplant(self, root: int, oldest: int) -> None:
        game, old = self._game, self.tree
        assert game is not None
        assert old is not None
        capacity = old.stats.size
        new = new_tree(capacity, self.config)
        transplant(old, new, root, oldest, self._packed, np.empty(capacity, np.int32))
        self.tree = self._room = new
        for worker in self._workers:
            worker.memory.fill(0)  # some of its keys are nodes

    def _find(self, old: State, root: State) -> int | None:
        """Return the node of the last search's tree that `root` is, None if there is none to be reused."""
        before, now = old.history, root.history
        tree = self.tree
        if tree is None or old.game != root.game or len(now) < len(before) or now[: len(before)] != before:
            return None
        if self._layout is None or self._layout[2] != 1 or (not now and old != root):
            return None
        state = old.copy()
        node = ROOT
        for action in now[len(before) :]:
            found = [child for child in self.children(node) if tree.stats["action"][child] == action]
            if not self.is_open:
                chooser = max(state.player, CHANCE)
                found = [child for child in found if tree.nodes["chooser"][child] == chooser]
                if not state.is_legal(action):
                    return None
                state.apply(action)
            if len(found) != 1:
                return None
            node = found[0]
        # Where everything is known it must be the very same state.
        if not self.is_open and state != root:
            return None
        return node if tree.stats["visits"][node] > 0 and self._shows_its_proof(node) else None

    def _shows_its_proof(self, node: int) -> bool:
        """Tell whether a node is not proven, or still has a child that is worth as much: memory may have gone short."""
        lower, upper = self.bounds(node)
        if not self.config.solver or (lower < upper).any():
            return True
        return any(self.bounds(child)[0][self.seat] >= lower[self.seat] for child in self.children(node))

    def children(self, node: int) -> list[int]:
        """Return the children of a node, the oldest first."""
        assert self.tree is not None
        found, sibling = [], self.tree.stats["sibling"]  # NumPy gives a field of one record far more slowly
        child = int(self.tree.stats["first"][node])
        while child:
            found.append(child)
            child = int(sibling[child])
        return found[::-1]

    def values(self, node: int, offset: int = 0) -> npt.NDArray[np.float64]:
        """Return what is kept for each player of a node from an offset on: by default the sums of the rewards."""
        assert self.tree is not None
        c = self.config
        begin = node * c.width + offset
        found: npt.NDArray[np.float64] = self.tree.values[begin : begin + c.players]
        return found

    def bounds(self, node: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return each player's proven least and greatest reward at a node."""
        c = self.config
        if not c.solver:
            return np.full(c.players, -np.inf), np.full(c.players, np.inf)
        return self.values(node, c.lower_at), self.values(node, c.upper_at)

    def prior(self, node: int) -> float | None:
        """Return the prior of the action that leads to a node, None if there are none."""
        c = self.config
        if not c.uses_prior:
            return None
        assert self.tree is not None
        return float(self.tree.values[node * c.width + c.prior_at])

    def set_priors(self, priors: dict[int, float]) -> None:
        """Give the actions at the root their priors: searched as arms they were made without."""
        assert self.tree is not None
        for child in self.children(self.root):
            place = child * self.config.width + self.config.prior_at
            self.tree.values[place] = priors.get(int(self.tree.stats["action"][child]), 0.0)

    @property
    def visits(self) -> int:
        """How many simulations the tree holds."""
        assert self.tree is not None
        return int(self.tree.stats["visits"][self.root])

    @property
    def root(self) -> int:
        """The node at which the player chooses."""
        return self.seat if self.config.trees > 1 else ROOT


def run_side_by_side(work: Callable[[int, Control], None], count: int, control: Control) -> None:
    """Call ``work(i, control)`` for i from 0 to count - 1, each in a thread with a control of its own.

    The first exception of any of them is raised when all have ended, and so is one that interrupts the wait for them.
    """
    if count == 1:
        work(0, control)
        return
    controls = [control.fork() for _ in range(count)]
    errors: list[BaseException] = []

    def run(i: int) -> None:
        try:
            work(i, controls[i])
        except BaseException as error:
            errors.append(error)
            for other in controls:
                other.stop()

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(1, count)]
    try:
        for thread in threads:
            thread.start()
        run(0)
        for thread in threads:
            thread.join()
    except BaseException:  # interrupted: nobody else can stop what still runs
        for other in controls:
            other.stop()
        for thread in threads:
            if thread.is_alive():
                thread.join()
        raise
    finally:
        for other in controls:
            control.join(other)
    if errors:
        raise errors[0]
