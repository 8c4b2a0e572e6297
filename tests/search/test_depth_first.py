"""The depth-first searches: exact values on trees that are known, pruned as unpruned, with a table as without."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente import load_game
from oponente.kernel import COMPILED, OUTCOME, Game, stream
from oponente.search.deepening import DepthFirstSearch, search_to_depth
from oponente.search.frames import BEST_REPLY, MAXN
from oponente.search.methods import (
    ALPHABETA,
    BEST_REPLY_SEARCH,
    EXPECTIMINIMAX,
    MAX_N,
    MINIMAX,
    PARANOID_SEARCH,
    Method,
)
from tests.search import random_card_tree, random_chance_tree, random_tree
from tests.search.random_tree import (
    children_of,
    inner_nodes,
    payoff_of,
    reference_best_reply,
    reference_maxn,
    reference_minimax,
)

PAYOFF = random_tree.EVALUATORS["payoff"]
MODULES = [random_tree, random_chance_tree]
PLAIN = Method()
"""Alpha-beta with nothing else: it goes through the actions as minimax does."""
PRUNING = {
    "alpha-beta": PLAIN,
    "history": Method(order="history"),
    "evaluation": Method(order="evaluation"),
    "table": Method(table=0.1),
    "tiny table": Method(order="history", table=0.0001),
    "aspiration": Method(order="history", table=0.1, aspiration=0.5),
    "star1": Method(star="star1"),
    "star2": Method(star="star2"),
    "star1 and table": dataclasses.replace(ALPHABETA, table=0.1),
    "star2 and table": dataclasses.replace(EXPECTIMINIMAX, table=0.1),
    "all": Method(star="star2", order="evaluation", table=0.1, aspiration=2.0),
}
"""Ways to find what minimax finds."""


def seeds(count):
    """Return the seeds of `count` trees; fewer in the interpreter, which takes a hundred times as long."""
    return range(count if COMPILED else max(2, count // 6))


def tree(module, seed, depth=5, **options):
    return Game(module, {"seed": str(seed), "depth": str(depth)} | {key: str(value) for key, value in options.items()})


# --- exact values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_minimax_finds_the_exact_value_and_expands_every_node(module, players):
    for seed in seeds(8):
        game = tree(module, seed, players=players)
        root = game.start()
        me, first = root.player, int(game.tables.first[0])
        search = DepthFirstSearch(MINIMAX, PAYOFF, game)
        for depth in (1, 2, 3, 5):
            analysis = search.search(root, depth=depth)
            assert analysis.values[me] == pytest.approx(reference_minimax(game, 0, depth, me), abs=1e-12)
            assert analysis.nodes == inner_nodes(game, 0, depth)
            expected = [reference_minimax(game, first + move.action, depth - 1, me) for move in analysis.moves]
            assert [move.value for move in analysis.moves] == pytest.approx(expected, abs=1e-12)
            assert analysis.action == int(np.argmax(np.round(expected, 9)))
            if players == 2:
                assert analysis.values[1 - me] == pytest.approx(-analysis.values[me])


@pytest.mark.parametrize("method", PRUNING.values(), ids=PRUNING)
@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("players", [2, 3])
def test_pruned_as_unpruned(module, players, method):
    """The same value, the same action, and no value of an action that is not that of minimax."""
    for seed in seeds(12):
        game = tree(module, seed, 6, players=players)
        root = game.start()
        full_search, search = (DepthFirstSearch(each, PAYOFF, game) for each in (MINIMAX, method))
        for depth in (1, 2, 3, 4, 6):
            full, pruned = full_search.search(root, depth=depth), search.search(root, depth=depth)
            assert pruned.action == full.action, seed
            assert pruned.values == pytest.approx(full.values, abs=1e-12)
            for one, other in zip(pruned.moves, full.moves, strict=True):
                assert one.value is None or one.value == pytest.approx(other.value, abs=1e-12)
            assert pruned.moves[pruned.action].value is not None


@pytest.mark.parametrize("seed", range(6))
def test_a_lead_of_one_player_is_its_value(seed):
    """With nobody to be ahead of, no bounds are wider than those of the evaluator: here they lie on one side of 0."""
    game = Game(random_chance_tree, {"seed": str(seed), "depth": "5", "players": "1"})
    payoff = np.abs(game.tables.payoff) + 20.0
    game.tables = game.tables._replace(payoff=payoff)
    plain, star1, star2 = (
        DepthFirstSearch(Method(star=star, margin=True), PAYOFF, game).search(game.start(), depth=4)
        for star in ("none", "star1", "star2")
    )
    assert plain.values == pytest.approx(star1.values)
    assert plain.values == pytest.approx(star2.values)


@pytest.mark.parametrize("star", ["none", "star1", "star2"])
@pytest.mark.parametrize("table", [0.0, 0.1])
def test_free_chance_and_the_probability_cutoff(star, table):
    for seed in seeds(12):
        game = tree(random_chance_tree, seed, 6, players=2 + seed % 2)
        me = game.start().player
        for free_chance, cutoff in ((True, 0.0), (False, 0.3), (True, 0.1)):
            method = Method(star=star, table=table, free_chance=free_chance, cutoff=cutoff, order="history")
            search = DepthFirstSearch(method, PAYOFF, game)
            for depth in (1, 2, 4):
                expected = reference_minimax(game, 0, depth, me, free_chance=free_chance, cutoff=cutoff)
                assert search.search(game.start(), depth=depth).values[me] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("method", [MINIMAX, ALPHABETA, EXPECTIMINIMAX])
def test_the_lead_over_the_others(method):
    method = dataclasses.replace(method, margin=True, table=0.1 if method.prune else 0.0)
    for seed in seeds(10):
        game = tree(random_chance_tree, seed, 4, players=3)
        root = game.start()
        analysis = search_to_depth(method, PAYOFF, root, depth=3)
        expected = reference_minimax(game, 0, 3, root.player, lead=True)
        assert analysis.moves[analysis.action].value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("players", [2, 3, 4, 6])
@pytest.mark.parametrize("table", [0.0, 0.1])
def test_maxn(module, players, table):
    for seed in seeds(8):
        game = tree(module, seed, 5, players=players, zero_sum=seed % 2 == 0)
        root = game.start()
        for prune in (False, True):
            search = DepthFirstSearch(Method(rule=MAXN, prune=prune, table=table), PAYOFF, game)
            for depth in (1, 2, 3, 5):
                analysis = search.search(root, depth=depth)
                assert analysis.values == pytest.approx(list(reference_maxn(game, 0, depth)), abs=1e-12)
                if not prune and table == 0.0:
                    assert analysis.nodes == inner_nodes(game, 0, depth)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_best_reply(module, players):
    plain = Method(rule=BEST_REPLY, prune=False)
    methods = [plain, Method(rule=BEST_REPLY), dataclasses.replace(BEST_REPLY_SEARCH, table=0.1)]
    for seed in seeds(10):
        game = tree(module, seed, 6, players=players)
        root = game.start()
        for method in methods:
            search = DepthFirstSearch(method, PAYOFF, game)
            for depth in (1, 2, 3, 4):
                expected = reference_best_reply(game, 0, depth, root.player)
                analysis = search.search(root, depth=depth)
                assert analysis.values[root.player] == pytest.approx(expected, abs=1e-12), (seed, depth)


def test_with_two_players_best_reply_is_minimax():
    for seed in seeds(20):
        root = tree(random_chance_tree, seed).start()
        one, other = (search_to_depth(method, PAYOFF, root, depth=4) for method in (BEST_REPLY_SEARCH, MINIMAX))
        assert (one.action, one.values) == (other.action, pytest.approx(other.values))


@pytest.mark.parametrize("method", [MINIMAX, ALPHABETA, EXPECTIMINIMAX])
def test_samples_count_with_their_mean(method):
    """Each sample holds another card; the action that is best on average is chosen."""
    method = dataclasses.replace(method, table=0.1 if method.prune else 0.0)
    several = 0
    for seed in seeds(15):
        game = tree(random_card_tree, seed, 4, cards=4)
        root = game.start(seed)
        samples = [root.determinize(root.player, stream(seed, i)) for i in range(5)]
        cards = [int(sample.record.card) for sample in samples]
        several += len(set(cards)) > 1
        analysis = DepthFirstSearch(method, PAYOFF, game).search(samples, depth=3)
        expected = [
            np.mean([reference_minimax(game, child, 2, root.player, card) for card in cards])
            for child in children_of(game, 0)
        ]
        assert [move.value for move in analysis.moves] == pytest.approx(expected, abs=1e-12)
        assert analysis.action == int(np.argmax(np.round(expected, 9)))
        assert analysis.values[root.player] == pytest.approx(max(expected))
    assert several > len(seeds(15)) // 2


def test_samples_of_maxn():
    for seed in seeds(15):
        game = tree(random_card_tree, seed, 4, cards=4, players=3, zero_sum=True)
        root = game.start(seed)
        samples = [root.determinize(root.player, stream(seed, i)) for i in range(5)]
        analysis = DepthFirstSearch(MAX_N, PAYOFF, game).search(samples, depth=3)
        cards = [int(sample.record.card) for sample in samples]
        expected = [
            np.mean([reference_maxn(game, child, 2, card) for card in cards], axis=0) for child in children_of(game, 0)
        ]
        best = int(np.argmax([values[root.player] for values in expected]))
        assert analysis.action == best
        assert analysis.values == pytest.approx(list(expected[best]))


@pytest.mark.parametrize("method", [MINIMAX, ALPHABETA])
def test_ties_are_broken_at_random(method):
    """With payoffs of -1, 0 and 1 only, many actions are equal: all of them are chosen, and no other."""
    several = 0
    for seed in seeds(25):
        game = tree(random_tree, seed, 2)
        game.tables.payoff[:] = np.sign(game.tables.payoff)
        root = game.start()
        values = [reference_minimax(game, child, 1, root.player) for child in children_of(game, 0)]
        best = {i for i, value in enumerate(values) if value == max(values)}
        search = DepthFirstSearch(method, PAYOFF, game)
        chosen = {search.search(root, depth=2, ties=stream(seed, i)).action for i in range(40)}
        assert chosen == best
        several += len(best) > 1
    assert several >= len(seeds(25)) // 5


# --- pruning saves work --------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("module", MODULES)
def test_what_is_pruned_is_never_expanded_in_addition(module):
    """Alpha-beta and Star1 in the game's order expand no node that the full search does not expand."""
    for seed in seeds(30):
        game = tree(module, seed, 6, players=2 + seed % 2)
        root = game.start()
        for depth in (2, 4, 6):
            full = search_to_depth(MINIMAX, PAYOFF, root, depth=depth).nodes
            plain = search_to_depth(PLAIN, PAYOFF, root, depth=depth).nodes
            star1 = search_to_depth(Method(star="star1"), PAYOFF, root, depth=depth).nodes
            assert star1 <= plain <= full
        game = tree(module, seed, 5, players=3, zero_sum=True)
        loose, tight = (Method(rule=MAXN, prune=prune) for prune in (False, True))
        assert (
            search_to_depth(tight, PAYOFF, game.start(), depth=5).nodes
            <= search_to_depth(loose, PAYOFF, game.start(), depth=5).nodes
        )


def total_nodes(method, module, depth=6, **options):
    return sum(
        search_to_depth(method, PAYOFF, tree(module, seed, depth, **options).start(), depth=depth).nodes
        for seed in seeds(25)
    )


@pytest.mark.compiled
def test_every_kind_of_pruning_prunes():
    full = total_nodes(MINIMAX, random_tree)
    assert total_nodes(PLAIN, random_tree) < 0.7 * full
    none, star1, star2 = (total_nodes(Method(star=star), random_chance_tree) for star in ("none", "star1", "star2"))
    assert max(star1, star2) < 0.8 * none
    loose, tight = (Method(rule=MAXN, prune=prune) for prune in (False, True))
    options = {"players": 3, "zero_sum": True}
    assert total_nodes(tight, random_tree, **options) < 0.98 * total_nodes(loose, random_tree, **options)


@pytest.mark.compiled
@settings(max_examples=60, deadline=None)
@given(moves=st.lists(st.integers(0, 6), max_size=36), depth=st.integers(1, 6))
def test_alphabeta_plays_as_minimax_in_connect_four(connect4, moves, depth):
    state = connect4.start()
    for move in moves:
        if state.is_legal(move):
            state.apply(move)
    if state.is_terminal:
        return
    evaluator = connect4.evaluators["report"]
    full = search_to_depth(MINIMAX, evaluator, state, depth=depth)
    pruned = search_to_depth(ALPHABETA, evaluator, state, depth=depth)
    assert (pruned.action, pruned.values, pruned.depth) == (full.action, full.values, full.depth)
    assert search_to_depth(PLAIN, evaluator, state, depth=depth).nodes <= full.nodes


# --- principal variation -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def connect4():
    return load_game("connect4")


@pytest.mark.parametrize("method", [MINIMAX, PLAIN, PRUNING["all"], PARANOID_SEARCH, MAX_N])
def test_a_principal_variation_leads_to_the_value_or_to_a_chance_event(method):
    ends = 0
    for seed in seeds(20):
        game = tree(MODULES[seed % 2], seed, 6)
        root = game.start()
        analysis = search_to_depth(method, PAYOFF, root, depth=4)
        for action in analysis.principal_variation:
            assert not root.is_chance
            root.apply(action)
        if root.is_chance:
            continue
        ends += 1
        assert len(analysis.principal_variation) == 4 or root.is_terminal
        assert analysis.values == tuple(payoff_of(game, int(root.record.node)))
    assert ends >= len(seeds(20)) // 2


@pytest.mark.compiled
def test_the_whole_of_tic_tac_toe_is_a_draw():
    root = load_game("tictactoe").start()
    analysis = search_to_depth(ALPHABETA, OUTCOME, root, depth=9)
    assert analysis.values == (0.0, 0.0)
    assert len(analysis.principal_variation) == 9
    assert analysis.nodes < 15_000
