"""Agents for Catan: what each does, and that none knows more than it may."""

from collections import Counter

import numpy as np
import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.games.catan import moves
from oponente.games.catan.board import NODE_TILES
from oponente.games.catan.cards import DESERT, pack
from oponente.kernel import stream
from oponente.search.mcts.priors import action_priors

NEVER_TRADE = ("random", "weighted-random", "simple", "greedy-vp", "value")


@pytest.fixture(scope="module")
def game():
    return load_game("catan")


def decide(game, spec, state, seed=0):
    return make_agent(spec, game).choose(View(state, state.player, seed), Budget())


def after_set_up(game, seed=1):
    """Return a position before the first roll."""
    state = game.start(seed)
    rng = stream(seed, "set-up")
    while state.record.phase != moves.BEFORE_ROLL:
        state.apply(state.sample_action(rng))
    return state


def in_main_phase(game, cards, seed=1):
    """Return a position after the first player's roll, with just these cards in hand, taken from the bank."""
    state = after_set_up(game, seed)
    state.apply(moves.ROLL)
    state.apply(moves.DICE + 12)
    record = state.record
    record.bank += record.known[0, 0]
    record.bank -= pack(cards)
    record.known[0, :] = pack(cards)
    return state.copy()


@pytest.mark.parametrize("name", NEVER_TRADE)
def test_they_make_no_offers_and_reject_all(game, name):
    state = in_main_phase(game, (1, 0, 2, 0, 0))
    assert not any(decide(game, name, state, seed) >= moves.OFFER for seed in range(60))
    state.apply(moves.offer_id((1, 0, 0, 0, 0), (0, 0, 0, 0, 1)))
    for _ in range(3):
        assert decide(game, name, state) == moves.REJECT
        state.apply(moves.REJECT)


@pytest.mark.parametrize("spec", ["flat-mc:40", "expectiminimax:depth=1", "maxn:depth=1", "one-step"])
def test_searches_consider_offers_only_on_request(game, spec):
    state = in_main_phase(game, (1, 0, 2, 0, 0))
    view = View(state, state.player, 1, history=[0] * len(state.history))
    considered = [
        {move.action for move in make_agent(each, game).analyse(view, Budget()).moves}
        for each in (spec, f"{spec}{',' if ':' in spec else ':'}offers=true")
    ]
    assert max(considered[0]) < moves.OFFER <= max(considered[1])
    assert considered[0] < considered[1]


def test_random_draws_evenly_from_all_but_offers(game):
    state = in_main_phase(game, (4, 1, 0, 0, 0))
    possible = [action for action in state.legal_actions if action < moves.OFFER]
    counts = Counter(decide(game, "random", state, seed) for seed in range(400 * len(possible)))
    assert set(counts) == set(possible)
    assert all(300 < count < 500 for count in counts.values())


def test_weighted_random_draws_by_weight(game):
    state = in_main_phase(game, (1, 1, 1, 2, 3))
    weights = {}
    for action in state.legal_actions:
        if action < moves.OFFER:
            kind = 1
            if moves.BUILD_ROAD <= action < moves.BUILD_SETTLEMENT:
                kind = 300
            elif moves.BUILD_CITY <= action < moves.BANK_TRADE:
                kind = 1000
            elif action == moves.BUY_CARD:
                kind = 250
            weights[action] = kind
    assert {1, 250, 300, 1000} <= set(weights.values())
    prior = action_priors(state, game.priors["weighted-random"], list(state.legal_actions))
    whole = sum(weights.values())
    assert prior == pytest.approx([weights.get(action, 0) / whole for action in state.legal_actions])
    draws = 6000
    counts = Counter(decide(game, "weighted-random", state, seed) for seed in range(draws))
    for action, weight in weights.items():
        expected = draws * weight / sum(weights.values())
        assert abs(counts[action] - expected) < 5 * np.sqrt(expected) + 5


def test_the_learned_prior_prefers_what_the_value_agent_does(game):
    state = in_main_phase(game, (2, 2, 1, 3, 3))
    actions = list(state.legal_actions)
    prior = action_priors(state, game.priors["learned"], actions)
    assert sum(prior) == pytest.approx(1)
    assert actions[int(np.argmax(prior))] == decide(game, "value:weights=learned", state)
    assert min(prior) > 0


def test_simple_settles_at_two_resources_or_more(game):
    state = game.start(4)
    desert = int(np.flatnonzero(state.record.terrain == DESERT)[0])
    chosen = {decide(game, "simple", state, seed) - moves.BUILD_SETTLEMENT for seed in range(600)}
    rich = {node for node in range(54) if bin(int(NODE_TILES[node]) & ~(1 << desert)).count("1") >= 2}
    assert chosen == rich


def test_simple_builds_a_city_before_all_else(game):
    state = in_main_phase(game, (1, 1, 1, 3, 3))
    chosen = {decide(game, "simple", state, seed) for seed in range(40)}
    assert all(moves.BUILD_CITY <= action < moves.BANK_TRADE for action in chosen)
    assert len(chosen) == 2


def test_simple_exchanges_what_it_has_most_of_when_it_can_do_nothing(game):
    state = in_main_phase(game, (0, 1, 6, 0, 0))
    chosen = {decide(game, "simple", state, seed) for seed in range(80)}
    assert chosen == {moves.BANK_TRADE + 5 * 2 + taken for taken in (0, 3, 4)}
    poor = in_main_phase(game, (0, 1, 1, 0, 0))
    assert decide(game, "simple", poor) == moves.END_TURN


def test_greedy_takes_points_where_it_can(game):
    state = in_main_phase(game, (1, 1, 1, 3, 3))
    for seed in range(20):
        action = decide(game, "greedy-vp", state, seed)
        assert moves.BUILD_CITY <= action < moves.BANK_TRADE


def test_the_value_of_a_finished_game_is_that_of_the_thesis(game):
    state = game.start(0)
    rng = stream(5, "game")
    policy = make_agent("simple", game)
    state.undoable = False
    while not state.is_terminal:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            state.apply(policy.choose(View(state, state.player, len(state.history)), Budget()))
    from oponente.testing.probe import Probe

    values = Probe(game, "value").evaluate("thesis", state.array)
    record = state.record
    for seat in range(4):
        points = int(record.points[seat]) + int(record.cards[seat, 4])
        bonus = 2 * 100 / int(record.turn) if record.winner == seat else 0.0
        assert values[seat] == pytest.approx(points / 10 + bonus)


@pytest.mark.parametrize(
    "spec",
    [
        "uct:40",
        "mcts:40",
        "uct:40,offers=true",
        "simple",
        "greedy-vp",
        "random",
        "value",
        "value:trades=true",
        "strong:40",
    ],
)
def test_what_is_hidden_changes_no_choice(game, spec):
    rng = stream(11, "game")
    state = game.start(11)
    compared = 0
    while not state.is_terminal and compared < 12:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        seat = state.player
        if len(state.history) > 60 and len(state.history) % 29 == 0:
            other = state.determinize(seat, stream(compared, "poison"))
            agent = make_agent(spec, game)
            choices = {agent.choose(View(position, seat, 3), Budget()) for position in (state, other)}
            assert len(choices) == 1
            compared += other.array.tobytes() != state.array.tobytes()
        state.apply(state.sample_action(rng))
    assert compared >= 5


def test_uct_makes_offers_only_if_told_to(game):
    state = in_main_phase(game, (1, 1, 0, 0, 0))
    honest = make_agent("uct:200", game)
    analysis = honest.analyse(View(state, 0, 0), Budget())
    assert all(move.action < moves.OFFER for move in analysis.moves)
    trading = make_agent("uct:200,offers=true", game)
    analysis = trading.analyse(View(state, 0, 0), Budget())
    assert any(move.action >= moves.OFFER and move.visits for move in analysis.moves)


def test_uct_beats_simple():
    from oponente.arena import MatchSpec, play_game
    from oponente.games.catalogue import GameSpec

    spec = MatchSpec(GameSpec("catan"), ("uct:150", "simple", "simple", "simple"), games=8, seed=3)
    wins = 0
    for index in range(8):
        record = play_game(spec, index)
        seat = spec.seating(index).index(0)
        wins += record.returns[seat] == 1.0
    assert wins >= 5  # by chance alone it would win two of eight


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_depth_first_search_is_for_two(game, name):
    with pytest.raises(ValueError, match="plays games for two; catan has 4 players here: take paranoid, maxn"):
        make_agent(name, game)
    two = load_game("catan", {"players": "2"})
    state = in_main_phase(two, (1, 1, 1, 3, 3))
    action = decide(two, f"{name}:depth=1", state)
    assert moves.BUILD_CITY <= action < moves.BANK_TRADE


def test_minimax_and_alphabeta_agree(game):
    two = load_game("catan", {"players": "2"})
    rng = stream(2, "game")
    state = after_set_up(two, 6)
    compared = 0
    while compared < 8 and not state.is_terminal:
        if state.is_chance:
            state.apply(state.sample_chance(rng))
            continue
        if len(state.legal_actions) < 8:
            results = [
                make_agent(f"{name}:depth=2,cheat=true", two).analyse(View(state, state.player, 1), Budget())
                for name in ("minimax", "alphabeta")
            ]
            assert results[0].action == results[1].action
            assert results[0].values == pytest.approx(results[1].values)
            compared += 1
        state.apply(state.sample_action(rng))
    assert compared == 8
