"""The numbers in each formula: one simulation at a time, beside what plain Python says that it must do.

The reference keeps what every simulation was worth and what was played in it, and from that alone says which child of
the root the next one has to take.
"""

import math
from collections import defaultdict

import numpy as np
import pytest

from oponente.kernel import TERMINAL, Control, Game, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.averages import action_key, add, find, node_key
from oponente.search.mcts.decision import RootMove
from oponente.search.mcts.engine import Engine
from oponente.search.mcts.halving import GUMBEL_VISITS, Gumbel
from oponente.search.mcts.playouts import guided_action
from oponente.search.mcts.store import ROOT
from tests.search import random_tree
from tests.search.random_tree import PRIORS, TOKENS, children_of, payoff_of

pytestmark = pytest.mark.compiled
KNOWING = PRIORS["knowing"]


def key_of(node, mover, action):
    """Return the key of what a player took from a node on."""
    return np.uint64(node_key(node, np.uint64(action_key(mover, action))))


class Steps:
    """A search of a random tree, one simulation at a time, and the record of all of them.

    Args:
        seed: of the tree and of the search.
        players: of the game.
        is_open: whether nodes are sequences of actions.
        tree: options of the game.
        settings: parameters of the search.
    """

    def __init__(self, seed, players=2, is_open=False, tree=None, **settings):
        self.game = Game(random_tree, {"seed": str(seed), "depth": "6", "players": str(players), **(tree or {})})
        self.start = self.game.start()
        self.me = self.start.player
        search = MCTS(**{**TOKENS, **settings})
        self.search = search
        self.engine = Engine(
            search.parameters,
            search.tokens,
            is_open=is_open,
            honest=True,
            threads=1,
            evaluations=search._evaluations(self.game),
        )
        self.engine.begin(self.start, stream(seed, "steps"), 10_000)
        self.least, self.greatest = self.engine.config.least, self.engine.config.greatest
        self.rewards = defaultdict(list)
        """The mover's rewards of the simulations through each action at the root."""
        self.played = defaultdict(list)
        """By player and action: the player's rewards of all simulations in which the player took the action."""
        self.as_first = defaultdict(list)
        """By node, player and action: the same, of simulations that took it from the node on."""
        self.sequences = defaultdict(list)
        self.own_rewards, self.others_taken = [], []
        """Of simulations that count as first at the root: the mover's reward, how many actions of others there were."""
        self.trace = []
        self.inside = 0
        """How much of the trace was played in the tree."""
        self.known = {}
        """Nodes that were visited, and how often."""
        self.simulations = 0

    def visits(self, node):
        return int(self.engine.tree.stats["visits"][node])

    def children(self, node=ROOT):
        """Return the children of a node by action; in an open loop those of the player at the root alone."""
        tree = self.engine.tree
        return {int(tree.stats["action"][child]): child for child in self.engine.children(node)}

    def mean(self, action):
        return float(np.mean(self.rewards[action]))

    def step(self):
        """Run a simulation; return the action that it took at the root."""
        total = self.totals()
        assert self.engine.run(1, Control()) == 1
        reward = self.totals() - total
        self.simulations += 1
        work = self.engine._workers[0].works[0]
        length = int(work["length"])
        self.trace = list(zip(work["movers"][:length].tolist(), work["actions"][:length].tolist(), strict=True))
        path = self.path()
        action = int(self.engine.tree.stats["action"][path[1][0]])
        self.rewards[action].append(float(reward[self.me]))
        for i, (mover, taken) in enumerate(self.trace):
            self.played[mover, taken].append(float(reward[mover]))
            for earlier in (1, 2):
                if i >= earlier:
                    key = tuple(self.trace[i - earlier : i + 1])
                    self.sequences[key].append(float(reward[mover]))
        if self.simulations > 1:
            self.own_rewards.append(float(reward[self.me]))
            self.others_taken.append(len({key for key in self.trace if key[0] != self.me}))
        for node, begin in path:
            if node in self.known:
                for key in dict.fromkeys(self.trace[begin:]):
                    self.as_first[(node, *key)].append(float(reward[key[0]]))
            self.known[node] = self.visits(node)
        self.inside = path[-1][1]
        return action

    def path(self):
        """Return the nodes that the last simulation went through, and how much was played before each."""
        tree, found, node, place = self.engine.tree, [(ROOT, 0)], ROOT, 0
        while True:
            seen = (c for c in self.engine.children(node) if self.visits(c) > self.known.get(c, 0))
            node = next(seen, None)
            if node is None:
                return found
            mine = int(tree.nodes["chooser"][node]), int(tree.stats["action"][node])
            while place < len(self.trace) and self.trace[place] != mine:
                place += 1  # drawn, without a node; where there is no trace nobody asks for the place
            place += 1
            found.append((node, place))

    def totals(self):
        return self.engine.values(ROOT).copy()

    def must_take(self, bound, steps):
        """Check for a number of simulations that they take the child with the greatest bound."""
        for _ in range(steps):
            bounds = {action: bound(action, child) for action, child in self.children().items()}
            best = max(bounds.values())
            taken = self.step()
            assert bounds[taken] >= best - 1e-9 * max(1.0, abs(best)), f"simulation {self.simulations}"

    def try_all(self):
        """Run simulations until every action at the root was tried."""
        while len(self.rewards) < len(self.start.legal_actions):
            self.step()


SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("formula", "k"), [("plain", 1.0), ("root2", math.sqrt(2)), ("uct", 2 * math.sqrt(2))])
def test_upper_confidence_bounds(seed, formula, k):
    steps = Steps(seed, formula=formula, c=0.7, avoid_losses=True)
    steps.try_all()
    steps.must_take(
        lambda a, _: steps.mean(a) + 0.7 * k * math.sqrt(math.log(steps.simulations) / len(steps.rewards[a])), 150
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("reward", "unit"), [("unit", 1.0), ("utility", 20.0)])
def test_ucb1_tuned_knows_the_variance_in_the_unit_of_rewards(seed, reward, unit):
    steps = Steps(seed, formula="tuned", reward=reward)
    steps.try_all()

    def bound(action, _):
        rewards = np.array(steps.rewards[action]) / unit
        ratio = math.log(steps.simulations) / len(rewards)
        return unit * (rewards.mean() + math.sqrt(ratio * min(0.25, rewards.var() + math.sqrt(2 * ratio))))

    steps.must_take(bound, 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_ucb1_tuned_takes_the_variance_of_rewards_whatever_is_mixed_in(seed):
    """With a weight of 1 the mean is all AMAF's; the variance is that of the child's own rewards as ever."""
    steps = Steps(seed, formula="tuned", amaf="amaf", amaf_weight=1.0)
    steps.try_all()

    def bound(action, _):
        rewards, ratio = np.array(steps.rewards[action]), math.log(steps.simulations) / len(steps.rewards[action])
        mean = steps.as_first.get((ROOT, steps.me, action), rewards)
        return np.mean(mean) + math.sqrt(ratio * min(0.25, rewards.var() + math.sqrt(2 * ratio)))

    steps.must_take(bound, 100)


@pytest.mark.parametrize("seed", SEEDS)
def test_puct_begins_with_the_best_prior(seed):
    steps = Steps(seed, formula="puct", c=1.5, prior=KNOWING)
    steps.step()
    priors = {action: steps.engine.prior(child) for action, child in steps.children().items()}
    assert steps.rewards[max(priors, key=priors.get)]

    def bound(action, _):
        n, of_parent = len(steps.rewards[action]), steps.simulations
        every = [reward for rewards in steps.rewards.values() for reward in rewards]
        mean = steps.mean(action) if n else np.mean(every)
        return mean + 1.5 * priors[action] * math.sqrt(of_parent) / (1 + n)

    steps.must_take(bound, 150)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    ("settings", "weight"),
    [
        ({"amaf": "amaf", "amaf_weight": 0.3}, lambda n, seen: 0.3),
        ({"amaf": "rave", "rave_visits": 40.0}, lambda n, seen: max(0.0, (40 - n) / 40)),
        ({"amaf": "grave", "grave_bias": 0.01}, lambda n, seen: seen / (seen + n + 0.01 * seen * n)),
    ],
    ids=["amaf", "rave", "grave"],
)
def test_all_moves_as_first(seed, players, settings, weight):
    steps = Steps(seed, players=players, c=0.4, **settings)
    steps.try_all()

    def bound(action, _):
        n = len(steps.rewards[action])
        later = steps.as_first.get((ROOT, steps.me, action), [])
        share = weight(n, len(later)) if later else 0.0
        mean = (1 - share) * steps.mean(action) + (share * np.mean(later) if later else 0.0)
        return mean + 0.4 * math.sqrt(math.log(steps.simulations) / n)

    steps.must_take(bound, 120)


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("opponents", ["tree", "policy"])
def test_what_is_counted_as_first_at_every_node(seed, opponents):
    """Also where the others' actions are drawn and have no nodes."""
    steps = Steps(seed, is_open=opponents == "policy", opponents=opponents, amaf="rave")
    for _ in range(120):
        steps.step()
    memory, deep = steps.engine._workers[0].memory, 0
    for (node, mover, action), rewards in steps.as_first.items():
        slot = find(memory, key_of(node, mover, action))
        assert slot >= 0
        assert int(memory["visits"][slot]) == len(rewards)
        assert float(memory["total"][slot]) == pytest.approx(sum(rewards))
        deep += node != ROOT
    assert deep > 20
    assert np.count_nonzero(memory["visits"]) == len(steps.as_first)


@pytest.mark.parametrize("seed", SEEDS)
def test_all_moves_as_first_count_for_whom_the_others_play(seed):
    """In paranoid search the others' actions are good if the player at the root gets little, here as in the tree."""
    steps = Steps(seed, players=3, amaf="rave", backup="paranoid")
    for _ in range(60):
        steps.step()
    memory, me = steps.engine._workers[0].memory, steps.me
    mine = {key: rewards for key, rewards in steps.as_first.items() if key[0] == ROOT and key[1] == me}
    for (node, mover, action), rewards in mine.items():
        slot = find(memory, key_of(node, mover, action))
        assert float(memory["total"][slot]) == pytest.approx(sum(rewards))
    # All actions of the others at the root's statistics: 1 minus the root player's reward.
    totals, counts = 0.0, 0
    for (node, mover, action), rewards in steps.as_first.items():
        if node == ROOT and mover != me:
            slot = find(memory, key_of(node, mover, action))
            totals, counts = totals + float(memory["total"][slot]), counts + len(rewards)
    reference = sum(
        1.0 - reward
        for reward, others in zip(steps.own_rewards, steps.others_taken, strict=True)
        for _ in range(others)
    )
    assert counts == sum(steps.others_taken)
    assert totals == pytest.approx(reference)


@pytest.mark.parametrize("seed", SEEDS)
def test_progressive_bias(seed):
    steps = Steps(seed, c=0.5, bias=2.0)
    steps.try_all()
    first = int(steps.game.tables.first[0])

    def bound(action, _):
        n = len(steps.rewards[action])
        looks = (payoff_of(steps.game, first + action)[steps.me] + 10.0) / 20.0
        return steps.mean(action) + 0.5 * math.sqrt(math.log(steps.simulations) / n) + 2.0 * looks / (n + 1)

    steps.step()  # a child's evaluation is noted when a simulation arrives there for the second time
    for _ in range(20):
        steps.step()
    steps.must_take(bound, 100)


@pytest.mark.parametrize("seed", SEEDS)
def test_progressive_history(seed):
    steps = Steps(seed, c=0.5, history=1.5)
    steps.try_all()

    def bound(action, _):
        n, mean = len(steps.rewards[action]), steps.mean(action)
        played = np.mean(steps.played[steps.me, action])
        return mean + 0.5 * math.sqrt(math.log(steps.simulations) / n) + 1.5 * played / (n * (1.0 - mean) + 1.0)

    steps.must_take(bound, 150)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("players", [2, 3])
def test_implicit_minimax(seed, players):
    steps = Steps(seed, players=players, c=0.5, implicit=0.4)
    steps.try_all()
    tree = steps.engine.tree

    def worth(node, place):
        """Return what a node of the search, at a place of the game's tree, is worth: by the best child visited."""
        mover = int(tree.nodes["mover"][node])
        below = [
            worth(child, children_of(steps.game, place)[action])
            for action, child in steps.children(node).items()
            if mover != TERMINAL and steps.visits(child) > 0
        ]
        # Evaluated when it was reached: what was visited only once has not been looked at but by the playout.
        if not below:
            return (payoff_of(steps.game, place) + 10.0) / 20.0
        return max(below, key=lambda value: value[mover])

    def bound(action, child):
        value = worth(child, children_of(steps.game, 0)[action])[steps.me]
        return (
            0.6 * steps.mean(action)
            + 0.4 * value
            + 0.5 * math.sqrt(math.log(steps.simulations) / len(steps.rewards[action]))
        )

    steps.must_take(bound, 100)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("first_play", "fpu"), [("parent", 0.1), ("fixed", 0.6)])
def test_first_play_urgency(seed, first_play, fpu):
    steps = Steps(seed, c=0.3, first_play=first_play, fpu=fpu)
    steps.step()
    for _ in range(100):
        every = [reward for rewards in steps.rewards.values() for reward in rewards]
        n = steps.simulations
        bounds = {a: steps.mean(a) + 0.3 * math.sqrt(math.log(n) / len(r)) for a, r in steps.rewards.items()}
        untried = fpu if first_play == "fixed" else np.mean(every) - fpu + 0.3 * math.sqrt(math.log(n))
        known, more = dict(bounds), len(bounds) < len(steps.start.legal_actions)
        taken = steps.step()
        if more and untried > max(known.values()) + 1e-12:
            assert taken not in known
        else:
            assert known[taken] >= max(known.values()) - 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_widening(seed):
    steps = Steps(seed, widening=0.8, widening_power=0.5)
    count = len(steps.start.legal_actions)
    for n in range(1, 60):
        steps.step()
        assert len(steps.children()) == min(count, max(1, math.ceil(0.8 * math.sqrt(n))))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("known", [{"prior": KNOWING}, {"estimate": "payoff"}])
def test_widening_begins_with_what_is_thought_best(seed, known):
    steps = Steps(seed, widening=0.8, widening_power=0.5, **known)
    first = int(steps.game.tables.first[0])
    looks = [payoff_of(steps.game, first + a)[steps.me] for a in steps.start.legal_actions]
    steps.step()
    (only,) = steps.children()
    if "estimate" in known:
        assert looks[only] == max(looks)
    else:
        assert steps.engine.prior(steps.children()[only]) > 0.9
    for _ in range(60):
        steps.step()
    if "estimate" in known:
        tried = list(steps.children())
        assert sorted(tried, key=lambda a: -looks[a]) == tried


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("guide", ["mast", "nst"])
def test_guided_playouts_take_the_best_mean(seed, guide):
    """With epsilon 0 each action of a playout has the best mean known before the simulation."""
    steps = Steps(seed, players=3, guide=guide, epsilon=0.0, nst_visits=3, tree={"depth": "8"})
    checked = 0
    for _ in range(150):
        played = {key: np.mean(rewards) for key, rewards in steps.played.items()}
        sequences = {key: (np.mean(r), len(r)) for key, r in steps.sequences.items()}
        steps.step()
        state = steps.game.start()
        for i, (mover, action) in enumerate(steps.trace):
            scores = {}
            for listed in state.legal_actions:
                score, means = played.get((mover, listed), 1.0), 1
                for earlier in (1, 2) if guide == "nst" and (mover, listed) in played else ():
                    mean, seen = sequences.get((*steps.trace[max(i - earlier, 0) : i], (mover, listed)), (0.0, 0))
                    if i < earlier or seen < 3:
                        break
                    score, means = score + mean, means + 1
                scores[listed] = score / means
            if i >= steps.inside:
                assert scores[action] >= max(scores.values()) - 1e-9
                checked += len(scores) > 1
            state.apply(action)
    assert checked > 50


def test_gibbs_draws_by_means():
    """Actions of means 0.2, 0.5 and 0.6 at temperature 0.2."""
    steps = Steps(1, guide="mast", guide_choice="gibbs", temperature=0.2, tree={"depth": "1"})
    shares = np.zeros(4)
    worker = steps.engine._workers[0]
    means = [0.2, 0.5, 0.6]
    for action, mean in enumerate(means):
        add(worker.memory, np.uint64(action_key(0, action)), mean * 10, 10)
    rng = stream(5)
    worker.works[0]["buffer"][:3] = range(3)
    for _ in range(20_000):
        shares[guided_action(3, 0, worker.works[0], worker.memory, steps.engine._packed[0], rng)] += 1 / 20_000
    weights = np.exp(np.array(means) / 0.2)
    assert np.abs(shares[:3] - weights / weights.sum()).max() < 0.015


@pytest.mark.parametrize("seed", range(6))
def test_who_loses_at_once_is_noted(seed):
    steps = Steps(seed, players=3, avoid_losses=True)
    for _ in range(400):
        steps.step()
    tree, seen = steps.engine.tree, 0
    stack = [(ROOT, 0)]
    while stack:
        node, place = stack.pop()
        for action, child in steps.children(node).items():
            below = children_of(steps.game, place)[action]
            stack.append((child, below))
            if steps.visits(child) and int(steps.game.tables.mover[below]) == TERMINAL:
                payoff = payoff_of(steps.game, below)
                lost = payoff.max() > payoff[int(tree.nodes["chooser"][child])]
                assert bool(tree.nodes["lost"][child]) == lost
                seen += 1
            else:
                assert not tree.nodes["lost"][child]
    assert seen > 5


def test_gumbel_scores_all_moves_by_the_same_visits():
    """Noise and logit, and (c_visit + most visits) c_scale times the value."""
    gumbel = Gumbel([0, 1, 2], [0.0, 0.0, 0.0], 3, 1.0, stream(1))
    moves = [RootMove(a, n, np.array([n * 0.5]), 0) for a, n in enumerate((2, 8, 30))]
    scores = [gumbel.score(move, 30) for move in moves]
    nothing = [gumbel.score(RootMove(a, 1, np.array([0.0]), 0), 30) for a in range(3)]
    assert np.subtract(scores, nothing) == pytest.approx([0.5 * (GUMBEL_VISITS + 30)] * 3)
