"""Hidden information: strategy fusion, observers, beliefs, and that nothing hidden is read."""

import pytest

from oponente.kernel import Control, Game, random_below, stream
from oponente.search.analysis import TreeShape
from oponente.search.mcts import MCTS
from tests.search import random_card_tree
from tests.search.mcts import secret
from tests.search.random_tree import TOKENS

GUESS, TAKE = secret.GUESS, secret.TAKE


@pytest.fixture(scope="module")
def game():
    return Game(secret)


def dealt(game, card=0):
    state = game.start()
    state.apply(card)
    return state


def chosen(game, card=0, seed=0, iterations=600, **settings):
    return MCTS(reward="utility", **settings).search(dealt(game, card), stream(seed, "search"), iterations)


@pytest.mark.parametrize("observers", ["single", "multiple"])
@pytest.mark.parametrize("seed", range(8))
def test_information_sets_take_the_sure_prize_where_worlds_apart_do_not(game, observers, seed):
    assert chosen(game, seed=seed, observers=observers).action == TAKE
    assert chosen(game, seed=seed, observers="pimc", iterations=8000).action == GUESS


def test_values(game):
    """The game is worth 0.3 to one that does not know the card; worlds by themselves look as if worth 1."""
    assert chosen(game, iterations=20_000).values[0] == pytest.approx(secret.SURE, abs=0.05)
    assert chosen(game, iterations=20_000, observers="pimc").values[0] > 0.8


@pytest.mark.parametrize("observers", ["single", "multiple", "pimc"])
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_hidden_is_read(game, observers, threads):
    """The card is poisoned: the search must not notice."""
    settings = {"observers": observers, "threads": threads, "parallel": "root"}
    one, other = (chosen(game, card, **settings) for card in (0, 1))
    assert (one.action, one.moves, one.values) == (other.action, other.moves, other.values)


@pytest.mark.compiled
def test_a_world_that_is_proven_counts_no_more_than_others():
    """Some worlds are small enough to be proven; simulations without end are not theirs."""
    game = Game(random_card_tree, {"seed": "3", "depth": "3", "players": "2"})
    search = MCTS(**TOKENS, observers="pimc", worlds=4, solver="on", loop="closed")
    search.search(game.start(), stream(1), 10)  # compiles
    control = Control()
    control.start(1.0)
    analysis = search.search(game.start(), stream(1), 2**31 - 1, control)
    proven = [engine.proven for engine in search.engines]
    assert any(proven)
    longest = max(engine.visits for engine in search.engines)
    assert sum(move.visits for move in analysis.moves) <= 4 * longest
    assert all(-1.0 <= value <= 1.0 for value in analysis.values)


def test_a_single_world_is_drawn_too(game):
    """One world is one that may be, not the one that is."""
    settings = {"observers": "pimc", "worlds": 1}
    found = {card: [chosen(game, card, seed, 100, **settings) for seed in range(4)] for card in (0, 1)}
    for one, other in zip(found[0], found[1], strict=True):
        assert (one.action, one.moves, one.values) == (other.action, other.moves, other.values)


def test_priors_of_gumbel_are_those_of_a_world_that_may_be(game):
    """The prior would tell which card it is; considered is a single action, which the prior then decides."""
    named = set()
    for seed in range(20):
        found = []
        for card in (0, 1):
            state = dealt(game, card)
            state.apply(GUESS)
            search = MCTS(reward="utility", root="gumbel", gumbel_actions=1, prior=secret.PRIORS["peeking"])
            found.append(search.search(state, stream(seed), 20).action)
        assert found[0] == found[1]
        named.add(found[0])
    assert len(named) == 2


@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_breadth_first_whoever_observes(game, observers):
    """Half of the simulations try an action at the root that the formula would hardly try."""
    for seat_first in (0, 1):
        found = chosen(game, card=seat_first, iterations=200, observers=observers, breadth=100, c=0.0)
        assert [move.visits for move in found.moves] == [100, 100]


def test_fewer_simulations_than_worlds(game):
    """What other worlds were found worth in an earlier search does not count."""
    fresh, used = (MCTS(reward="utility", observers="pimc", worlds=20) for _ in range(2))
    used.search(dealt(game, 1), stream(9, "search"), 400)
    one, other = (search.search(dealt(game), stream(2, "search"), 5) for search in (fresh, used))
    assert (one.values, one.moves, one.depth) == (other.values, other.moves, other.depth)
    assert len(used.engines) == 5


def test_a_cheat_sees_the_card(game):
    for card in (0, 1):
        state = dealt(game, card)
        state.apply(GUESS)
        found = MCTS(reward="utility", cheat=True).search(state, stream(1), 200)
        assert found.action == secret.NAME_CARD + card


def test_a_belief_weighs_the_worlds(game):
    """Card 1 is three times as likely: naming it is worth 0.5 on average, more than the sure prize."""
    state = dealt(game)
    state.apply(GUESS)
    search = MCTS(reward="utility", belief_samples=60, c=0.5, belief=secret.BELIEFS["suspicion"])
    found = search.search(state, stream(3), 4000)
    values = {move.action: move.value for move in found.moves}
    assert found.action == secret.NAME_CARD + 1
    assert values[secret.NAME_CARD + 1] == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize("observers", ["single", "multiple"])
def test_the_root_of_a_shown_tree_has_who_moves_and_what_that_player_can_expect(observers):
    state = Game(random_card_tree, {"seed": "3", "depth": "6", "players": "2"}).start()
    rng = stream(5)
    while state.player != 1:
        if state.is_terminal:
            state = state.game.start()
        elif state.is_chance:
            state.apply(state.chance_outcomes[0][0])
        else:
            state.apply(state.legal_actions[random_below(rng, len(state.legal_actions))])
    search = MCTS(**TOKENS, observers=observers)
    tree = search.search(state, stream(1), 50, shape=TreeShape()).tree
    assert (tree.player, tree.visits) == (1, 50)
    assert tree.value == tree.values[1]
    assert tree.children[0].value == tree.children[0].values[1]
