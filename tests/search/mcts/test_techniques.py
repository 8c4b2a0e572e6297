"""Every technique by itself: it does what its source says, and still finds the best action."""

import math

import numpy as np
import pytest

from oponente import load_game
from oponente.kernel import Control, Game, stream
from oponente.search.mcts import MCTS
from oponente.search.mcts.halving import rounds
from tests.search import random_chance_tree, random_tree
from tests.search.random_tree import TOKENS, reference_maxn, reference_minimax
from tests.search.test_mcts import clear_trees, gap

pytestmark = pytest.mark.compiled
EVALUATED = {"evaluation_scale": 0.0}
"""Payoffs of positions are utilities."""


def tree_search(**settings):
    return MCTS(**TOKENS, **settings)


TECHNIQUES = {
    "tuned": {"formula": "tuned"},
    "puct": {"formula": "puct", "c": 2.0},
    "first play": {"first_play": "fixed", "fpu": 1.1},
    "parent": {"first_play": "parent"},
    "bias": {"bias": 1.0, **EVALUATED},
    "history": {"history": 0.5},
    "widening": {"widening": 1.0, "widening_power": 0.6},
    "amaf": {"amaf": "amaf", "amaf_weight": 0.2},
    "rave": {"amaf": "rave", "rave_visits": 100.0},
    "grave": {"amaf": "grave"},
    "mast": {"guide": "mast"},
    "gibbs": {"guide": "mast", "guide_choice": "gibbs"},
    "nst": {"guide": "nst"},
    "cutoff": {"cutoff": 2, **EVALUATED},
    "implicit": {"implicit": 0.3, **EVALUATED},
    "solver": {"solver": "on"},
    "losses": {"avoid_losses": True},
    "secure": {"final": "secure"},
    "max": {"final": "max"},
    "max-robust": {"final": "max-robust"},
    "halving": {"root": "halving"},
    "gumbel": {"root": "gumbel"},
    "recycle": {"recycle": True},
    "open": {"loop": "open"},
    "redundancy": {"redundancy": 0.5},
}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_finds_the_best_action(name):
    """Of three players, in trees in which it is clear, with and without chance."""
    settings = {"c": 0.7, **TECHNIQUES[name]}
    for module in (random_tree, random_chance_tree):
        for seed, game in clear_trees(module, 3, 3):
            analysis = tree_search(**settings).search(game.start(), stream(seed), 8000)
            assert analysis.action == gap(game, 0)[0], f"{module.NAME} {seed}"
            if settings.get("solver") != "on" and settings.get("final") != "max-robust":
                assert analysis.nodes == 8000
                assert sum(move.visits for move in analysis.moves) == 8000


@pytest.mark.parametrize("name", TECHNIQUES)
def test_one_seed_gives_one_search(name):
    game = Game(random_chance_tree, {"seed": "5", "depth": "6", "players": "2"})
    one, other = (tree_search(**TECHNIQUES[name]).search(game.start(), stream(3), 700) for _ in range(2))
    assert (one.action, one.moves, one.values) == (other.action, other.moves, other.values)


@pytest.mark.parametrize("backup", ["paranoid", "best-reply"])
def test_the_others_play_against_the_player(backup):
    """Paranoid search approaches minimax of one against all; best replies are at most as strong."""
    for seed in range(6):
        game = Game(random_tree, {"seed": str(seed), "depth": "3", "players": "3"})
        me = game.start().player
        analysis = tree_search(backup=backup, c=0.7).search(game.start(), stream(seed), 30_000)
        first = int(game.tables.first[0])
        worth = [reference_minimax(game, first + a, 9, me) for a in game.start().legal_actions]
        if backup == "paranoid":
            order = np.sort(worth)
            if len(order) == 1 or order[-1] - order[-2] > 2.0:
                assert analysis.action == int(np.argmax(worth))
        assert analysis.action in game.start().legal_actions


def test_an_opponent_who_departs_does_so_for_the_whole_turn():
    """Two players: nobody else could depart, so that best replies are minimax, also over turns of many decisions."""
    checked = 0
    for seed in range(40):
        game = Game(random_tree, {"seed": str(seed), "depth": "4", "players": "2"})
        me = game.start().player
        if not any(
            game.tables.mover[node] == game.tables.mover[below] == 1 - me
            for node in range(len(game.tables.mover))
            for below in random_tree.children_of(game, node)
        ):
            continue
        best, lead = gap(game, 0)
        if lead > 3.0:
            checked += 1
            analysis = tree_search(backup="best-reply", c=0.7).search(game.start(), stream(seed), 30_000)
            assert analysis.action == best, seed
    assert checked > 5


def test_two_players_make_paranoid_and_max_n_the_same():
    game = Game(random_tree, {"seed": "4", "depth": "6", "players": "2"})
    one, other = (tree_search(backup=b).search(game.start(), stream(3), 3000) for b in ("maxn", "paranoid"))
    assert [m.visits for m in one.moves] == [m.visits for m in other.moves]


def test_avoids_what_was_seen_to_lose():
    """An action that loses at once is not played although it has the most visits."""
    from oponente.search.mcts.decision import RootMove, final_move

    def move(action, visits, total, **known):
        return RootMove(action, visits, np.array([total, visits - total]), 0, **known)

    moves = [move(0, 90, 60.0, lost=True), move(1, 10, 4.0)]
    assert final_move(moves, "robust").action == 1
    assert final_move([move(0, 90, 60.0, lost=True)], "robust").action == 0


def test_final_moves():
    from oponente.search.mcts.decision import RootMove, final_move, is_max_robust

    def move(action, visits, mean, **known):
        return RootMove(action, visits, np.array([visits * mean]), 0, **known)

    moves = [move(0, 60, 0.5), move(1, 30, 0.6), move(2, 4, 0.7)]
    assert final_move(moves, "robust").action == 0
    assert final_move(moves, "max").action == 2
    assert final_move(moves, "secure", 1.0).action == 1
    assert not is_max_robust(moves)
    assert is_max_robust(moves[:1])
    equals = [move(0, 6, 0.1), move(1, 6, 0.9)]
    assert final_move(equals, "robust").action == 1
    assert final_move(equals, "sample").action == 1, "all are equal: the best mean"
    assert final_move([*equals, move(2, 5, 1.0)], "robust").action == 1
    assert final_move([*equals, move(2, 5, 1.0)], "sample").action == 0, "of the most visited the first"
    proven = [move(0, 60, 0.5, lower=0.0, upper=0.0), move(1, 3, 0.2, lower=0.0, upper=1.0)]
    assert final_move(proven, "robust").action == 1


def test_what_is_proven_is_played_if_it_is_worth_more_than_what_is_not():
    from oponente.search.mcts.decision import RootMove, eligible, final_move, is_max_robust

    def move(action, visits, mean, lower, upper):
        return RootMove(action, visits, np.array([visits * mean]), 0, lower, upper)

    draw, bad, good = move(0, 2, 0.5, 0.5, 0.5), move(1, 40, 0.1, 0.0, 1.0), move(2, 40, 0.7, 0.0, 1.0)
    loss, no_better = move(3, 9, 0.0, 0.0, 0.0), move(4, 50, 0.4, 0.0, 0.5)
    for rule in ("robust", "max", "secure", "max-robust"):
        assert final_move([draw, bad], rule, 0.1).action == 0
        assert final_move([bad, draw, good], rule, 0.1).action == 2
        assert final_move([loss, bad], rule, 0.1).action == 1
        assert final_move([no_better, draw], rule, 0.1).action == 0
        assert final_move([loss], rule).action == 3
    assert [found.action for found in eligible([draw, bad, loss, no_better])] == [0, 1]
    assert is_max_robust([draw, bad])
    assert not is_max_robust([draw, good, move(5, 60, 0.6, 0.0, 1.0)])


def test_what_several_trees_have_proven():
    from oponente.search.mcts.decision import RootMove, final_move, merged, voted

    def move(action, visits, mean, lower=0.0, upper=1.0):
        return RootMove(action, visits, np.array([visits * mean]), 0, lower, upper)

    trees = [[move(0, 1, 1.0, 1.0, 1.0), move(1, 40, 0.6)], [move(1, 50, 0.6)], [move(0, 5, 0.1), move(1, 45, 0.6)]]
    worlds = {found.action: found for found in merged(trees, [0, 1, 1], worlds=True)}
    assert (worlds[0].lower, worlds[0].upper) == (-math.inf, math.inf)
    assert final_move(list(worlds.values()), "robust").action == 1
    trees[1].append(move(0, 2, 0.5, 0.5, 0.5))
    worlds = {found.action: found for found in merged(trees, [0, 1, 1], worlds=True)}
    assert (worlds[0].lower, worlds[0].upper) == (0.0, 1.0)
    assert (worlds[0].visits, worlds[0].votes, worlds[1].votes) == (8, 1.0, 2.0)
    position = {found.action: found for found in merged([trees[0], [move(0, 3, 0.9, 0.5, 1.0)]], [0, 0])}
    assert (position[0].lower, position[0].upper) == (1.0, 1.0)
    # One tree has proven a win: that two others would play something else does not matter.
    position = merged([trees[0], [move(1, 50, 0.6)], [move(1, 50, 0.6)]], [0, 1, 1])
    assert voted(position).action == 0


def test_max_robust_searches_on_within_its_bound():
    longer = 0
    for seed in range(8):
        game = Game(random_chance_tree, {"seed": str(seed), "depth": "6", "players": "2"})
        for iterations in range(12, 60, 3):
            analysis = tree_search(final="max-robust", c=0.4).search(game.start(), stream(seed), iterations)
            assert iterations <= analysis.nodes <= 2 * iterations
            longer += analysis.nodes > iterations
    assert longer > 0


def test_rounds_of_halving_use_the_budget():
    for count in (1, 2, 3, 7, 16, 50):
        for budget in (0, 1, 5, 100, 1001):
            assert sum(rounds(count, budget)) == budget
    assert len(rounds(16, 100)) == 4


def test_gumbel_considers_no_more_than_it_is_told():
    game = Game(random_tree, {"seed": "2", "depth": "4", "players": "2"})
    analysis = tree_search(root="gumbel", gumbel_actions=2).search(game.start(), stream(1), 200)
    assert sum(move.visits > 0 for move in analysis.moves) <= 2


@pytest.mark.parametrize("root", ["halving", "gumbel"])
def test_arms_show_their_priors(root):
    game = Game(random_tree, {"seed": "2", "depth": "4", "players": "2"})
    search = tree_search(root=root, formula="puct", prior=random_tree.PRIORS["knowing"])
    analysis = search.search(game.start(), stream(1), 300)
    priors = {move.action: move.prior for move in analysis.moves if move.visits}
    assert priors[gap(game, 0)[0]] > 0.9
    assert min(priors.values()) > 0.0


def test_cut_off_at_once_gives_the_evaluation():
    """With cutoff=0 and no luck each leaf is worth its evaluation: two plies are searched without any playout."""
    game = Game(random_tree, {"seed": "7", "depth": "3", "players": "2"})
    me, first = game.start().player, int(game.tables.first[0])
    analysis = tree_search(cutoff=0, reward="utility", **EVALUATED).search(
        game.start(), stream(1), len(game.start().legal_actions) + 1
    )
    looks = game.tables.payoff[0, first : first + len(analysis.moves), me]
    for move in analysis.moves:
        if move.visits == 1:
            assert move.value == pytest.approx(looks[move.action])


def test_a_time_limit_with_every_root():
    game = Game(random_tree, {"seed": "1", "depth": "6", "players": "2"})
    for root in ("bandit", "halving", "gumbel"):
        tree_search(root=root).search(game.start(), stream(1), 10)  # compiles
        analysis = tree_search(root=root).search(game.start(), stream(1), 10**9, Control(0.2))
        assert 0 < analysis.nodes < 10**9
        if root != "bandit":  # rounds of equal time, with half as many arms in each
            visits = sorted(move.visits for move in analysis.moves if move.visits)
            assert visits[-1] > visits[0]


def test_every_action_is_tried_where_it_counts_with_the_mean_of_the_parent():
    """An action that was tried often must not keep the others from ever being tried."""
    game = Game(random_tree, {"seed": "1", "depth": "6", "players": "2"})
    for formula in ("plain", "tuned"):
        analysis = tree_search(first_play="parent", formula=formula).search(game.start(), stream(1), 2000)
        assert min(move.visits for move in analysis.moves) > 1


def test_priors_order_what_is_tried():
    """A prior that knows the best action makes a short search find it."""
    found = trees = 0
    for seed in range(30):
        game = Game(random_tree, {"seed": str(seed), "depth": "4", "players": "2"})
        best, lead = gap(game, 0)
        if lead < 3.0:
            continue
        trees += 1
        search = tree_search(formula="puct", c=3.0, prior=random_tree.PRIORS["knowing"], reward="utility")
        analysis = search.search(game.start(), stream(seed), 30)
        found += analysis.action == best
        priors = {move.action: move.prior for move in analysis.moves if move.prior is not None}
        assert sum(priors.values()) == pytest.approx(1.0)
        assert max(priors, key=priors.get) == best
    assert found >= 0.9 * trees > 9


def test_values_of_exact_searches_agree():
    assert math.isfinite(reference_maxn(Game(random_tree, {"seed": "1"}), 0)[0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observers": "multiple", "amaf": "rave"}, "single one"),
        ({"reuse": True, "threads": 2, "parallel": "root"}, "single tree"),
        ({"root": "halving", "final": "max"}, "decides itself"),
        ({"reward": "points"}, "reward=points"),
        ({"belief": random_tree.PRIORS["knowing"], "observers": "pimc"}, "draws its worlds"),
        ({"belief": random_tree.PRIORS["knowing"], "cheat": True}, "draws none"),
        ({"observers": "pimc", "threads": 2, "parallel": "leaf"}, "leave out parallel=leaf"),
        ({"combine": "vote"}, "several trees"),
        ({"combine": "vote", "threads": 2}, "several trees"),
        ({"opponents": "policy", "loop": "open", "backup": "paranoid"}, "no actions of others"),
        ({"root": "halving", "breadth": 3}, "leave out breadth"),
        ({"fpu": 0.5}, "fpu=0.5 needs"),
    ],
)
def test_what_can_not_go_together_is_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        tree_search(**settings)


@pytest.mark.parametrize("settings", [{"redundancy": 0.5}, {"count_redundant": True}, {"taboo": 1.0}])
def test_what_the_playout_policy_does_not_know_is_refused(settings):
    with pytest.raises(ValueError, match="needs a playout policy with a function"):
        MCTS(loop="open", **settings).check_game(load_game("connect4"))
