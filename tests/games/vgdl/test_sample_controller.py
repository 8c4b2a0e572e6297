"""The controller `mcts` decides as the framework's sample does: compared with that, written plainly.

The sample is described by D. Perez-Liebana et al. (2016): open-loop UCT 10 ticks deep, children's means scaled to the
least and greatest value seen at their parent, noise that breaks ties, the action visited most.
"""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from oponente.agents.base import Budget, SearchAgent
from oponente.agents.view import View
from oponente.games.catalogue import make_agent
from oponente.games.vgdl.kinds import LEFT, NIL
from oponente.kernel import State
from tests.games.vgdl.worlds import World

pytestmark = pytest.mark.compiled

DEPTH, EPSILON, HUGE = 10, 1e-6, 1e7


class Node:
    """Values of the simulations that went through a sequence of actions."""

    def __init__(self, parent: Node | None) -> None:
        self.parent, self.depth = parent, 0 if parent is None else parent.depth + 1
        self.children: dict[int, Node] = {}
        self.values: list[float] = []

    @property
    def mean(self) -> float:
        return math.fsum(self.values) / len(self.values)


def value(state: State) -> float:
    won = int(state.record.win[0]) == 1
    return float(state.record.score[0]) + (0.0 if not state.is_terminal else HUGE if won else -HUGE)


def decide(root: State, actions: list[int], iterations: int, rng: random.Random) -> int:
    """Return what the sample plays."""

    def shaken(number: float) -> float:
        return (number + EPSILON) * (1 + EPSILON * (rng.random() - 0.5))

    top = Node(None)
    for _ in range(iterations):
        state, node = root.copy(), top
        state.undoable = False
        while not state.is_terminal and node.depth < DEPTH:
            untried = [action for action in actions if action not in node.children]
            if untried:
                action = rng.choice(untried)
                node.children[action] = Node(node)
            else:
                least, greatest = min(node.values), max(node.values)

                def bound(action: int) -> float:
                    child = node.children[action]  # noqa: B023
                    mean = child.mean if least == greatest else (child.mean - least) / (greatest - least)  # noqa: B023
                    spread = math.log(len(node.values) + 1) / len(child.values)  # noqa: B023
                    return shaken(mean + math.sqrt(2.0) * math.sqrt(spread))

                action = max(actions, key=bound)
            state.apply(action)
            node = node.children[action]
            if untried:
                break
        for _ in range(DEPTH - node.depth):
            if not state.is_terminal:
                state.apply(rng.choice(actions))
        above: Node | None = node
        while above is not None:
            above.values.append(value(state))
            above = above.parent
    visits = {action: len(child.values) for action, child in top.children.items()}
    alike = len(set(visits.values())) == 1
    return max(visits, key=lambda action: shaken(top.children[action].mean if alike else visits[action]))


def test_it_decides_as_often_for_each_action_as_the_sample() -> None:
    """Where a loss is near, the sample sees no cost of a point, and of what is visited most takes any."""
    world = World(
        "pick > Flicker limit=1 singleton=True\nrock > Immovable\nlava > Immovable\navatar > ShootAvatar stype=pick",
        "avatar rock EOS > stepBack\nrock pick > killSprite scoreChange=-1\navatar lava > killSprite",
        "rrrrr\nr.l.r\nr...r\nrrA.r\nrrrrr",
        mapping="r > rock\nl > lava",
        endings="SpriteCounter stype=avatar win=False",
    )
    state = world.state
    state.apply(LEFT)  # it faces a rock
    agent = make_agent("mcts:iterations=30", world.game)
    assert isinstance(agent, SearchAgent)
    rng, count = random.Random(1), 800
    actions = [action for action in state.legal_actions if action != NIL]
    theirs = Counter(decide(state, actions, 30, rng) for _ in range(count))
    ours = Counter(agent.choose(View(state, 0, seed), Budget()) for seed in range(count))
    assert sum(ours.values()) == count
    for action in actions:
        assert abs(ours[action] - theirs[action]) <= 3.5 * math.sqrt(ours[action] + theirs[action] + 1.0), (
            ours,
            theirs,
        )
