"""Techniques for games without an end in sight: a horizon, scaled means, drawn opponents, ties, expectimax, trials."""

from __future__ import annotations

import numpy as np
import pytest

from oponente.kernel import Game, State, stream
from oponente.search.mcts import MCTS
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import EVALUATORS, TOKENS
from tests.toy_games import storm

PAYOFF = EVALUATORS["payoff"]


def alone(seed: int, depth: int = 3) -> Game:
    """Return a random tree for one player."""
    return Game(random_tree, {"seed": str(seed), "depth": str(depth), "players": "1"})


def payoff_after(game: Game, *actions: int) -> float:
    """Return the payoff of the position after some actions, which every node of the tree has."""
    state = game.start()
    for action in actions:
        state.apply(action)
    return float(game.tables.payoff[0, int(state.record.node), 0])


def searched(game: Game, iterations: int, seed: int = 0, **settings: object) -> MCTS:
    """Return a search that was run from the start."""
    given = {"loop": "open", "reward": "value", "evaluation_scale": 0.0, **TOKENS, **settings}
    search = MCTS(**given)  # type: ignore[arg-type]
    search.last = search.search(game.start(), stream(seed, "search"), iterations)  # type: ignore[attr-defined]
    return search


@pytest.mark.parametrize("seed", range(4))
def test_at_the_horizon_positions_are_evaluated(seed: int) -> None:
    game = alone(seed)
    analysis = searched(game, 60, horizon=1).last  # type: ignore[attr-defined]
    assert analysis.depth == 1
    for move in analysis.moves:
        assert move.value == pytest.approx(payoff_after(game, move.action))


@pytest.mark.parametrize("settings", [{}, {"loop": "closed"}, {"loop": "closed", "capacity": 5}], ids=str)
@pytest.mark.parametrize("seed", range(7, 11))
def test_the_horizon_counts_tree_and_playout_together(seed: int, settings: dict[str, object]) -> None:
    """All that is found lies between the payoffs of positions two actions away, or of earlier ends.

    Also where the tree has no room for more than the first action.
    """
    game, ends = alone(seed, depth=5), {}
    for first in game.start().legal_actions:
        state = game.start()
        state.apply(first)
        seconds = [] if state.is_terminal else list(state.legal_actions)
        ends[first] = [payoff_after(game, first, second) for second in seconds] or [payoff_after(game, first)]
    for move in searched(game, 200, horizon=2, **settings).last.moves:  # type: ignore[attr-defined]
        assert min(ends[move.action]) - 1e-9 <= move.value <= max(ends[move.action]) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_scaled_means_do_not_depend_on_the_scale_of_rewards(seed: int) -> None:
    game = alone(seed)
    visits = []
    for reward in ("unit", "utility"):
        search = MCTS(loop="open", reward=reward, normalise=True, horizon=9, **TOKENS)
        analysis = search.search(game.start(), stream(1, "search"), 300)
        visits.append([move.visits for move in analysis.moves])
    assert visits[0] == visits[1]


@pytest.mark.parametrize("seed", range(1, 5))
def test_drawn_opponents_have_no_nodes(seed: int) -> None:
    game = Game(random_tree, {"seed": str(seed), "depth": "6"})
    seat = game.start().player
    choosers = {}
    for opponents in ("tree", "policy"):
        search = searched(game, 400, opponents=opponents, horizon=9)
        tree = search.engines[0].tree
        assert tree is not None
        choosers[opponents] = set(tree.nodes["chooser"][1 : int(tree.used[0])].tolist())
    assert choosers["policy"] == {seat}
    assert choosers["tree"] == {0, 1}


@pytest.mark.parametrize("loop", ["open", "closed"])
def test_equal_moves_are_drawn_if_that_is_asked_for(loop: str) -> None:
    game = alone(2)
    actions = set(game.start().legal_actions)
    # A player who is alone always wins, so that all moves are equal.
    chosen = {
        ties: {
            searched(game, len(actions), seed, ties=ties, reward="win", horizon=9, loop=loop).last.action  # type: ignore[attr-defined]
            for seed in range(40)
        }
        for ties in ("first", "random")
    }
    assert chosen["random"] == actions
    assert chosen["first"] == {min(actions)}


@pytest.mark.parametrize("seed", range(4))
def test_expectimax_finds_the_best_payoff(seed: int) -> None:
    """With one player, where nothing is drawn, the value of the root is the best payoff that was reached."""
    game = alone(seed)
    search = searched(game, 3000, expectimax=True, wander=0.2)
    engine = search.engines[0]
    value = engine.values(engine.root, engine.config.expected_at)[0]
    best = _best(game, [])
    # What ended at inner nodes, one simulation each, is mixed in.
    assert best - 2.0 <= value <= best + 1e-9
    assert payoff_best_after(game, search.last.action) == best  # type: ignore[attr-defined]


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [2, 3])
def test_expectimax_averages_over_chance_and_lets_each_player_choose(seed: int, players: int) -> None:
    game = Game(random_chance_tree, {"seed": str(seed), "depth": "4", "players": str(players)})
    search = MCTS(loop="open", reward="utility", expectimax=True, wander=0.3)
    search.search(game.start(), stream(seed, "search"), 40_000)
    engine = search.engines[0]
    found = engine.values(engine.root, engine.config.expected_at)
    # What ended at inner nodes, one simulation each, is mixed in, and outcomes count as often as they were drawn.
    assert found == pytest.approx(_expected(game.start()), abs=0.2)


def _expected(state: State) -> np.ndarray:
    """Return what a position is worth to each player if all play for themselves."""
    if state.is_terminal:
        return np.array(state.returns)

    def after(action: int) -> np.ndarray:
        following = state.copy()
        following.apply(action)
        return _expected(following)

    if state.is_chance:
        return sum(probability * after(outcome) for outcome, probability in state.chance_outcomes if probability > 0.0)
    return max((after(action) for action in state.legal_actions), key=lambda value: value[state.player])


def _best(game: Game, actions: list[int]) -> float:
    state = game.start()
    for action in actions:
        state.apply(action)
    if state.is_terminal:
        return payoff_after(game, *actions)
    return max(_best(game, [*actions, int(action)]) for action in state.legal_actions)


def payoff_best_after(game: Game, action: int) -> float:
    return _best(game, [action])


def test_all_root_actions_are_tried_before_the_formula_decides() -> None:
    game = alone(1)
    count = len(game.start().legal_actions)
    analysis = searched(game, 5 * count, breadth=5).last  # type: ignore[attr-defined]
    assert [move.visits for move in analysis.moves] == [5] * count


@pytest.mark.long
def test_a_closed_loop_looks_at_one_future_of_chance_inside_the_state() -> None:
    game = Game(storm)
    state = game.start(3).determinize(0, stream(1, "future"))
    analysis = MCTS(loop="closed", solver="on").search(state, stream(2, "search"), 200_000)
    played = state.copy()
    for action in analysis.principal_variation:
        played.apply(action)
    while not played.is_terminal:
        played.apply(played.legal_actions[0])
    assert analysis.values[0] == pytest.approx(played.returns[0] / 10.0)
    # In that future the proven value is the best of all courses: no sampled one is better.
    rng = np.random.default_rng(1)
    for _ in range(200):
        other = state.copy()
        while not other.is_terminal:
            other.apply(int(rng.integers(3)))
        assert other.returns[0] / 10.0 <= analysis.values[0] + 1e-9


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": "policy", "reuse": True}, "opponents=policy leaves"),
        ({"normalise": True, "threads": 2}, "normalise=true needs one thread"),
        ({"expectimax": True, "solver": "on"}, "expectimax=true needs"),
        ({"backup": "best-reply", "formula": "puct"}, "takes the playout policy's action"),
        ({"backup": "best-reply", "estimate": "payoff"}, "takes the playout policy's action"),
        ({"bias": 1.0, "estimate": "payoff"}, "choose one"),
    ],
)
def test_what_does_not_go_together(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MCTS(**settings)  # type: ignore[arg-type]
