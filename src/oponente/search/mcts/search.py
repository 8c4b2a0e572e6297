"""Monte Carlo tree search as one object: one tree or several, the decision, and what was found."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from oponente.kernel import OUTCOME, UNIFORM, Control, Game, State, Stream, stream
from oponente.kernel.random import generator
from oponente.search.analysis import Analysis, MoveAnalysis, TreeShape
from oponente.search.early import lead_of, run_until_settled
from oponente.search.mcts.decision import (
    RootMove,
    eligible,
    final_move,
    is_max_robust,
    merged,
    moves_at,
    root_moves,
    voted,
)
from oponente.search.mcts.engine import SMALLEST, Engine, Tokens, run_side_by_side
from oponente.search.mcts.halving import Gumbel, by_mean, halve, most_arms
from oponente.search.mcts.parameters import (
    MOST_VISITED,
    REWARDS,
    URGENT,
    Evaluations,
    MCTSParameters,
    hinders_reuse,
)
from oponente.search.mcts.priors import action_priors
from oponente.search.mcts.rewards import evaluations_of
from oponente.search.mcts.store import MAX_VISITS, ROOT
from oponente.search.mcts.top import top_of_tree

MORE = 8
"""Parts of what max-robust may add to a search, after each of which it looks again."""


class MCTS:
    """Monte Carlo tree search with its work space, which is kept between searches.

    Args:
        parameters: of the search, `reward` one of `REWARDS`; others are given by name.
        policy: playout policy.
        judge: evaluator of finished games, for the reward ``value``.
        evaluator: of unfinished games, and of actions not yet tried.
        prior: of actions; None: all are alike.
        belief: likelihood of what is hidden; None: the samples of the game's ``determinize`` are taken as they come.
        changes: parameters by name.

    Raises:
        ValueError: parameters that can't go together.
    """

    def __init__(
        self,
        parameters: MCTSParameters | None = None,
        *,
        policy: Any = UNIFORM,
        judge: Any = OUTCOME,
        evaluator: Any = OUTCOME,
        prior: Any = None,
        belief: Any = None,
        **changes: Any,
    ) -> None:
        p = replace(parameters or MCTSParameters(), **changes)
        # Their names are of interest only to those who look for them by name.
        p = replace(p, prior="none" if prior is None else "given", belief="none" if belief is None else "given")
        if p.reuse is None:
            p = replace(p, reuse=not hinders_reuse(p))
        check(p)
        self.parameters = p
        self.tokens = Tokens(policy, judge, evaluator, prior or UNIFORM, belief or OUTCOME)
        self.simulations = 0
        """Run in the last search."""
        self.engines: list[Engine] = []
        """The trees of the last search."""
        self._weight = 1
        """How many simulations a tree counts for that is proven, beside others."""
        self._pool: list[Engine] = []
        """As many trees as there can be: those beyond the simulations of the last search hold older ones."""
        self._kind: tuple[Game, bool, bool, int] | None = None
        self._shown: State | None = None
        """The state whose tree is shown: of several trees the first one's."""

    @property
    def policy(self) -> Any:
        """The playout policy."""
        return self.tokens.policy

    @policy.setter
    def policy(self, policy: Any) -> None:
        self.tokens = self.tokens._replace(policy=policy)
        for engine in self._pool:
            engine.tokens = self.tokens

    @property
    def used(self) -> int:
        """How many nodes the trees of the last search have."""
        return sum(int(min(e.tree.used[0], e.tree.stats.size)) for e in self.engines if e.tree is not None)

    @property
    def redundant(self) -> int:
        """How many actions in the playouts of the last search undid the player's last, if they are counted."""
        return sum(engine.redundant for engine in self.engines)

    @property
    def kept(self) -> int:
        """Simulations of earlier searches that the last one began with."""
        return sum(engine.kept for engine in self.engines)

    @property
    def expanded(self) -> int:
        """How many nodes of the last search's trees have children: positions whose actions were listed."""
        return sum(len(_inner_nodes(engine)) for engine in self.engines if engine.tree is not None)

    def forget(self) -> None:
        """Forget all trees: what comes is another game."""
        for engine in self._pool:
            engine.forget()

    def prepare(self) -> None:
        """Compile what later searches do with the trees of the last one, and forget them."""
        for engine in self._pool:
            engine.prepare()
        self.forget()

    def check_game(self, game: Game) -> None:
        """Raise ValueError, with one line, if the game does not allow what the parameters ask for."""
        self._world(game)
        self._evaluations(game)
        p, module = self.parameters, self.tokens.policy.token.module
        trees = self._trees(game)
        if p.capacity < SMALLEST * trees and trees > 1:
            raise ValueError(
                f"capacity={p.capacity} is divided among {trees} trees: give {SMALLEST * trees} or more, or fewer trees"
            )
        for name, on, needed in (
            ("redundancy", p.redundancy is not None, "redundant"),
            ("count_redundant", p.count_redundant, "redundant"),
            ("taboo", p.taboo > 0.0, "stale"),
        ):
            if on and not hasattr(module, needed):
                raise ValueError(f"{game.name}: {name} needs a playout policy with a function {needed!r}")

    def _evaluations(self, game: Game) -> Evaluations:
        if not self.parameters.evaluates:
            return Evaluations()
        return evaluations_of(self.parameters, self.tokens.judge, self.tokens.evaluator, game)

    # --- the search ------------------------------------------------------------------------------------------------

    def search(
        self,
        root: State,
        rng: Stream,
        iterations: int,
        control: Control | None = None,
        shape: TreeShape | None = None,
    ) -> Analysis:
        """Return the analysis of `root` after `iterations` simulations.

        There are fewer if `control` stops the search, the root is proven or the tree can count no more (`MAX_VISITS`),
        and up to twice as many for ``max-robust``.

        Args:
            root: a state in which a player is to move; what that player can't know does not matter unless the search
                cheats. Its history tells what to reuse.
            rng: all chance.
            iterations: simulations in all threads and trees together.
            control: stops the search.
            shape: how much of the tree to show; None: nothing.

        Raises:
            ValueError: no player is to move at the root, or the game does not allow what the parameters ask for.
            RulesError: the rules list nothing, or draw what they do not list.
        """
        begin = time.perf_counter()
        if root.player < 0:
            raise ValueError("no player is to move")
        control = control or Control()
        is_open, honest = self._world(root.game)
        worlds = self._worlds(root.game)
        count = self._trees(root.game)
        self._prepare(root.game, is_open, honest and not worlds, count)
        self._shown = root
        if count == 1 and not worlds:
            self.engines = self._pool
            self.simulations, chosen = self._run(self.engines[0], root, rng, iterations, control)
            moves = root_moves(self.engines[0])
            depth = self.engines[0].deepest
        else:
            moves, chosen, depth = self._run_trees(root, rng, iterations, control, worlds > 0)
        if chosen is None:
            chosen = self._decide(moves, root, rng)
        return self._analysis(root, moves, chosen, depth, shape, time.perf_counter() - begin)

    def _world(self, game: Game) -> tuple[bool, bool]:
        """Return whether the tree is one of action sequences, and whether what is hidden is drawn anew."""
        p = self.parameters
        honest = not (game.perfect_information or p.cheat)
        hidden = honest and p.observers != "pimc"
        if p.loop == "closed" and hidden:
            raise ValueError(f"{game.name}: loop=closed needs a state that is known")
        # In a closed loop chance inside the state is drawn once, at the root: all simulations are of the same future.
        needs_open = hidden or (game.sampled_chance and p.loop != "closed")
        is_open = needs_open or p.loop == "open"
        if is_open:
            check_open(p)
        elif p.opponents == "policy" and game.num_players > 1:
            raise ValueError("opponents=policy needs nodes that are sequences of actions (loop=open)")
        return is_open, not p.cheat

    def _worlds(self, game: Game) -> int:
        p = self.parameters
        return p.worlds if p.observers == "pimc" and not (game.perfect_information or p.cheat) else 0

    def _trees(self, game: Game) -> int:
        """Return how many trees a search of a game has."""
        p = self.parameters
        return self._worlds(game) or (p.threads if p.parallel == "root" else 1)

    def _prepare(self, game: Game, is_open: bool, honest: bool, count: int) -> None:
        """Have as many trees as needed."""
        if self._kind == (game, is_open, honest, count):
            return
        p = self.parameters
        own = p if count == 1 else replace(p, capacity=max(1, p.capacity // count), reuse=False)
        evaluations = self._evaluations(game)
        self._kind = game, is_open, honest, count
        threads = p.threads if count == 1 else 1
        self._pool = [
            Engine(own, self.tokens, is_open=is_open, honest=honest, threads=threads, evaluations=evaluations)
            for _ in range(count)
        ]

    def _run(
        self,
        engine: Engine,
        root: State,
        rng: Stream,
        iterations: int,
        control: Control,
        slot: tuple[int, int] = (0, 1),
    ) -> tuple[int, int | None]:
        """Search one tree; return how many simulations were run and the action, if it is decided on the way.

        The slot is which part of the time the tree has, and of how many.
        """
        p = self.parameters
        engine.begin(root, rng, iterations)
        # What a reused tree holds is counted with what comes.
        room = MAX_VISITS - engine.kept
        iterations = min(iterations, room // 2 if p.final == "max-robust" else room)
        if p.root != "bandit" and len(root.legal_actions) > 1:
            return self._halve(engine, root, rng, iterations, control, slot)
        if p.early:
            return run_until_settled(
                lambda count: engine.run(count, control), lambda: _lead(engine, root), iterations, control
            ), None
        if p.final == "max-robust":
            return self._run_until_max_robust(engine, iterations, control, slot), None
        return engine.run(iterations, control), None

    def _run_until_max_robust(self, engine: Engine, iterations: int, control: Control, slot: tuple[int, int]) -> int:
        """Search on until one move is both max and robust, at most as long again; return how many simulations were run.

        Where the time is limited half of it is for what comes before, so that all ends in time.
        """
        timed, part, parts = control.has_deadline, (2 * slot[0] + 1) * MORE, 2 * slot[1] * MORE
        last = part + MORE
        if timed:
            control.part(part, parts)
        done = engine.run(iterations, control)
        bound = 2 * done
        while done < bound and not (control.stopped or engine.proven or is_max_robust(root_moves(engine))):
            if timed:
                part = min(part + 1, last)
                control.part(part, parts)
            more = engine.run(min(max(1, bound // 2 // MORE), bound - done), control)
            if more == 0 and (part == last or not timed):
                break
            done += more
        return done

    def _halve(
        self,
        engine: Engine,
        root: State,
        rng: Stream,
        iterations: int,
        control: Control,
        slot: tuple[int, int],
    ) -> tuple[int, int | None]:
        """Search the root's actions by sequential halving."""
        actions = list(root.legal_actions)
        arms = most_arms(len(actions), iterations)
        if engine.is_open and engine.honest:
            # Priors must not know what the player does not.
            seed = int.from_bytes(rng.tobytes(), "little")
            root = root.determinize(root.player, stream(seed, "priors"), root.history)
        if self.parameters.root == "halving":
            drawn = [actions[place] for place in generator(rng).permutation(len(actions))[:arms]]
            done, action = halve(engine, drawn, iterations, control, by_mean, slot)
        else:
            priors = self._priors(root, actions)
            c = engine.config
            span = c.greatest - c.least if math.isfinite(c.greatest - c.least) else 1.0
            logits = [math.log(max(p, 1e-12)) for p in priors]
            gumbel = Gumbel(actions, logits, min(arms, self.parameters.gumbel_actions), span, rng)
            done, action = halve(engine, gumbel.actions, iterations, control, gumbel.score, slot)
        if engine.config.uses_prior:
            engine.set_priors(dict(zip(actions, self._priors(root, actions), strict=True)))
        moves = {move.action: move for move in root_moves(engine)}
        # What was proven, or seen to lose at once, counts before all else.
        if action not in {move.action for move in eligible(list(moves.values()))}:
            return done, None
        return done, action

    def _priors(self, root: State, actions: Sequence[int]) -> list[float]:
        return action_priors(root, self.tokens.prior, actions)

    def _run_trees(
        self, root: State, rng: Stream, iterations: int, control: Control, worlds: bool
    ) -> tuple[list[RootMove], int | None, int]:
        """Search several trees, each with its share of the simulations, and put together what they found."""
        p = self.parameters
        count = min(len(self._pool), max(1, iterations))
        seed = int.from_bytes(rng.tobytes(), "little")
        self.engines = self._pool[:count]
        shares = [iterations // count + (i < iterations % count) for i in range(count)]
        done, decided = [0] * count, [None] * count  # type: list[int], list[int | None]
        roots = [root] * count
        if worlds:
            roots = [root.determinize(root.player, stream(seed, "world", i), root.history) for i in range(count)]
        self._shown = roots[0]

        def several(thread: int, own: Control) -> None:
            for i in range(thread, count, threads):
                slot = i // threads, -(-count // threads)
                if worlds and own.has_deadline:  # each world its part of the time
                    own.part(slot[0] + 1, slot[1])
                tree = stream(seed, "tree", i)
                done[i], decided[i] = self._run(self.engines[i], roots[i], tree, shares[i], own, slot)

        threads = min(p.threads, count)
        run_side_by_side(several, threads, control)
        self.simulations = sum(done)
        found = []
        # A proven tree counts as much as the one that searched longest: its share may be without bounds.
        self._weight = max(1, *done)
        for i, engine in enumerate(self.engines):
            moves = self._in_order(root_moves(engine), root, stream(seed, "ties", i))
            moves = _with_rest(moves, self._weight - done[i] if engine.proven else 0, decided[i])
            if decided[i] is None:
                best = final_move(moves, p.final, p.secure)
                decided[i] = None if best is None else best.action
            found.append(moves)
        moves = merged(found, decided, worlds=worlds)
        depth = max(engine.deepest for engine in self.engines)
        # Where the root decides itself, visits do not say what is best, so that sums of them would not either.
        if p.combine == "vote" or p.root != "bandit":
            best = voted(self._in_order(moves, root, rng))
            return moves, None if best is None else best.action, depth
        return moves, None, depth

    # --- what was found --------------------------------------------------------------------------------------------

    def _decide(self, moves: list[RootMove], root: State, rng: Stream) -> int:
        """Return the action to play."""
        p = self.parameters
        best = final_move(self._in_order(moves, root, rng), p.final, p.secure)
        if best is not None:
            return best.action
        first: int = root.legal_actions[0]  # stopped before anything was tried
        return first

    def _in_order(self, moves: list[RootMove], root: State, rng: Stream) -> list[RootMove]:
        """Return moves such that the first of equals is the one to play: as they are listed, or in random order."""
        if self.parameters.ties == "random":
            return [moves[place] for place in generator(rng).permutation(len(moves))]
        order = {action: place for place, action in enumerate(root.legal_actions)}
        return sorted(moves, key=lambda move: order.get(move.action, len(order)))

    def _analysis(
        self, root: State, moves: list[RootMove], action: int, depth: int, shape: TreeShape | None, seconds: float
    ) -> Analysis:
        known = {move.action: move for move in moves}
        shown = tuple(
            MoveAnalysis(a, known[a].value, known[a].visits, known[a].prior) if a in known else MoveAnalysis(a, None)
            for a in root.legal_actions
        )
        variation = self._variation(known.get(action), action)
        engine = self.engines[0]
        tree = None
        if shape is not None:
            state = self._shown or root
            if engine.is_open and engine.honest:
                state = root.determinize(root.player, stream(0, "top"), root.history)
            tree = top_of_tree(engine, state, shape, variation)
        return Analysis(
            action=action,
            values=self._values(),
            moves=shown,
            principal_variation=variation,
            nodes=self.simulations,
            depth=depth,
            seconds=seconds,
            tree=tree,
        )

    def _values(self) -> tuple[float, ...]:
        """Return the mean rewards at the root, of all trees together; a proven one counts with what is proven."""
        sums, visits = 0.0, 0  # type: Any, int
        for engine in self.engines:
            if engine.proven:
                sums, visits = sums + self._weight * engine.bounds(ROOT)[0], visits + self._weight
            else:
                sums, visits = sums + engine.values(engine.root), visits + engine.visits
        return tuple(float(total / visits) for total in sums) if visits else ()

    def _variation(self, chosen: RootMove | None, action: int) -> tuple[int, ...]:
        """Follow the robust child: most visits, then the greater mean; proven ones by what is proven.

        In an open loop what happens further on depends on what is hidden or drawn: there is no single course of play.
        """
        engine = self.engines[0]
        if chosen is None:
            return ()
        if not chosen.node or engine.is_open:
            return (action,)
        tree = engine.tree
        assert tree is not None
        movers, visits, actions = tree.nodes["mover"], tree.stats["visits"], tree.stats["action"]
        found, node = [action], chosen.node
        while True:
            parent, mover, children = node, int(movers[node]), engine.children(node)
            most = max((int(visits[child]) for child in children), default=0)
            if most == 0:  # or its first simulation was broken off
                return tuple(found)
            most_visited = [child for child in children if visits[child] == most]
            node = most_visited[0]
            if mover >= 0 and (engine.config.solver or engine.config.losses or len(most_visited) > 1):
                best = final_move(moves_at(engine, parent, mover), "robust")
                if best is None or not best.visits:
                    return tuple(found)
                node = best.node
            found.append(int(actions[node]))


def check(p: MCTSParameters) -> None:
    """Raise ValueError, with one line, for parameters that can't go together."""
    if p.reward not in REWARDS:
        raise ValueError(f"reward={p.reward}: expected {', '.join(REWARDS)}")
    if p.solver == "on" and p.backup != "maxn":
        raise ValueError(f"solver=on proves what max^n finds; it does not go with backup={p.backup}")
    if p.belief != "none" and (p.cheat or p.observers == "pimc"):
        other = "cheat=true draws none" if p.cheat else "observers=pimc draws its worlds as the game does"
        raise ValueError(f"a belief weighs what an information set's simulations draw; {other}")
    if p.observers == "multiple" and p.amaf != "none":
        raise ValueError(f"observers=multiple keeps a tree for each player; amaf={p.amaf} needs a single one")
    if p.observers == "multiple" and p.recycle:
        raise ValueError("observers=multiple keeps a tree for each player; recycle=true needs a single one")
    if p.reuse and (why := hinders_reuse(p)):
        raise ValueError(why)
    if p.estimate != "none" and p.evaluates and p.evaluation not in ("default", p.estimate):
        raise ValueError(f"estimate={p.estimate} and evaluation={p.evaluation}: a search has one evaluator")
    if p.opponents == "policy" and p.observers == "multiple":
        raise ValueError("opponents=policy leaves the others' actions out of the tree: no observers=multiple")
    for name, on in (("normalise=true", p.normalise), ("expectimax=true", p.expectimax)):
        if on and (p.threads > 1 or p.solver == "on"):
            raise ValueError(f"{name} needs one thread, and rewards that are not proven (solver=off)")
    if p.expectimax and p.observers == "multiple":
        raise ValueError("expectimax=true needs a single tree: not observers=multiple")
    if p.backup == "best-reply":
        for name, on in (
            (f"prior={p.prior}", p.prior != "none"),
            (f"estimate={p.estimate}", p.estimate != "none"),
            ("formula=puct", p.formula == "puct"),
        ):
            if on:
                raise ValueError(f"backup=best-reply takes the playout policy's action for the usual one, not {name}")
    if p.estimate != "none" and p.bias > 0.0:
        raise ValueError(
            f"estimate={p.estimate} and bias={p.bias:g} both add an evaluation to what was not tried: choose one"
        )
    if p.root != "bandit" and p.final not in MOST_VISITED:
        raise ValueError(f"root={p.root} decides itself; leave out final={p.final}")
    if p.early and (p.root != "bandit" or p.final not in MOST_VISITED):
        raise ValueError("early=true tells what is visited most: it goes with final=robust or sample and root=bandit")
    if p.early and (p.observers == "pimc" or (p.threads > 1 and p.parallel == "root")):
        raise ValueError("early=true needs a single tree: not observers=pimc or parallel=root")
    if p.observers == "pimc" and p.threads > 1 and p.parallel == "leaf":
        raise ValueError("observers=pimc searches worlds side by side, not playouts: leave out parallel=leaf")
    if p.combine != "sum" and p.observers != "pimc" and not (p.threads > 1 and p.parallel == "root"):
        raise ValueError(f"combine={p.combine} needs several trees: observers=pimc, or threads with parallel=root")
    if p.opponents == "policy" and p.backup != "maxn":
        raise ValueError(f"opponents=policy searches no actions of others; leave out backup={p.backup}")
    if p.root != "bandit" and p.breadth > 0:
        raise ValueError(f"root={p.root} decides itself how often each action is tried; leave out breadth={p.breadth}")
    if p.fpu != 0.0 and p.first == URGENT:
        raise ValueError(f"fpu={p.fpu:g} needs first_play=parent or fixed; here what was not tried comes first")


def check_open(p: MCTSParameters) -> None:
    """Raise ValueError, with one line, for parameters that need a closed loop."""
    for name, on in (("solver=on", p.solver == "on"), ("implicit", p.implicit > 0.0), ("bias", p.bias > 0.0)):
        if on:
            raise ValueError(f"{name} needs nodes that are states (loop=closed); here they are sequences of actions")


def _lead(engine: Engine, root: State) -> float:
    """Return by how many visits the move to be played is ahead; infinite if no other one can be played.

    It is minus infinity where something else than visits may decide.
    """
    if engine.proven:
        return math.inf
    moves = root_moves(engine)
    choice = eligible(moves)
    # What is proven is not visited any more: then a mean decides, which may change to the end.
    if any(move.lower == move.upper for move in choice):
        return -math.inf
    tried = {move.action for move in moves if move.visits or move.lower == move.upper}
    if tried.issuperset(root.legal_actions):
        return lead_of(move.visits for move in choice)
    # A single visit of another action decides where all that was tried loses at once.
    if all(move.lost for move in choice):
        return -math.inf
    return lead_of([*(move.visits for move in choice), 0])


def _with_rest(moves: list[RootMove], rest: int, action: int | None) -> list[RootMove]:
    """Give the simulations that a proven world did not need to its best move, where they would have gone."""
    best = next((move for move in moves if move.action == action), None) or final_move(moves, "robust")
    if rest == 0 or best is None:
        return moves
    totals = best.totals * ((best.visits + rest) / max(best.visits, 1))
    totals[best.seat] = best.totals[best.seat] + rest * best.mean
    return [replace(move, visits=move.visits + rest, totals=totals) if move is best else move for move in moves]


def _inner_nodes(engine: Engine) -> list[int]:
    tree = engine.tree
    assert tree is not None
    found, stack = [], list(range(int(engine.config.trees)))
    while stack:
        node = stack.pop()
        if tree.stats["first"][node]:
            found.append(node)
            stack.extend(engine.children(node))
    return found
