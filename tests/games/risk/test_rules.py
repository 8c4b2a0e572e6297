"""Risk: each rule on a position made for it."""

import json

import pytest

from oponente.games.risk.moves import AMOUNT, ATTACKING, DRAWING, MOVING, OCCUPYING, OVER, PLACING, TRADING
from oponente.games.risk.state import DRAW, NEUTRAL
from oponente.kernel import IllegalActionError, stream
from tests.games.risk.positions import Position, check_state, game_of, listed
from tests.games.risk.test_world import RING


def refused(state, move, why):
    with pytest.raises(IllegalActionError, match=why):
        state.apply(state.parse_action(move))


# --- set-up ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "armies"), [(3, 35), (4, 30), (5, 25), (6, 20)])
def test_claiming_places_all_armies_in_turn(players, armies):
    state = game_of(players=players).start(1)
    rng = stream(1, "claim")
    seats = []
    while not state.record.turn:
        seats.append(state.player)
        state.apply(state.sample_action(rng))
        check_state(state)
    assert seats == [ply % players for ply in range(players * armies)]
    record = state.record
    assert int(record.armies.sum()) == players * armies
    assert (int(record.mover), int(record.turn)) == (0, 1)


def test_dealt_territories_differ_by_one_at_most():
    state = game_of(players=4, setup="dealt").start(3)
    assert sorted(int(mask).bit_count() for mask in state.record.held[:4]) == [10, 10, 11, 11]
    assert state.record.pool[:4].tolist() == [30 - int(mask).bit_count() for mask in state.record.held[:4]]


def test_two_players_place_two_armies_and_a_neutral_one_in_turn():
    state = game_of(players=2).start(1)
    assert [int(mask).bit_count() for mask in state.record.held[[0, 1, NEUTRAL]]] == [14, 14, 14]
    rng, seats, owners = stream(1, "deploy"), [], []
    while not state.record.turn:
        seats.append(state.player)
        action = state.sample_action(rng)
        owners.append(int(state.record.owner[action % 64]))
        state.apply(action)
    assert seats[:6] == [0, 0, 0, 1, 1, 1]
    assert owners[:6] == [0, 0, NEUTRAL, 1, 1, NEUTRAL]
    assert int(state.record.armies.sum()) == 120
    assert len(seats) == 3 * 26


def test_the_thesis_deals_forty_armies_each_in_stacks():
    state = game_of(rules="thesis-2022").start(1)
    record = state.record
    for seat in range(2):
        held = [t for t in range(42) if record.owner[t] == seat]
        assert len(held) == 21
        assert sum(int(record.armies[t]) for t in held) == 40
    assert [record.owner[t] for t in record.order[:21]] == [0] * 21
    assert record.pool[:2].tolist() == [7, 0]


def test_the_thesis_start_ships():
    state = game_of(rules="thesis-2022", start="thesis").start(1)
    record, index = state.record, state.game.options.world.index
    assert record.pool[:2].tolist() == [7, 0]
    assert [int(record.armies[record.owner[:42].nonzero()[0]].sum()), int(record.armies.sum())] == [40, 80]
    assert int(record.armies[index("Egypt")]) == int(record.armies[index("Madagascar")]) == 1
    assert int(record.owner[index("Japan")]) == 1


# --- armies ----------------------------------------------------------------------------------------------------------


def after_done(position, seat=1):
    """Return what the next player gets."""
    state = position.phase(MOVING).set(moves_left=1).do("done")
    return int(state.record.pool[seat])


def test_income_is_a_third_of_the_territories_three_at_least():
    position = Position().hold(0, Alaska=1).hold(1, Japan=1)
    assert after_done(position) == 3
    position = Position().hold(0, Alaska=1)
    names = [territory.name for territory in position.game.options.world.territories]
    position.hold(1, **{name.replace(" ", "_"): 1 for name in names[1:8] + names[17:22] + names[24:26]})
    assert after_done(position) == 14 // 3


@pytest.mark.parametrize(
    ("continent", "bonus"),
    [("North America", 5), ("South America", 2), ("Australia", 2), ("Europe", 5), ("Asia", 7), ("Africa", 3)],
)
def test_continents_bring_their_bonus(continent, bonus):
    position = Position()
    world = position.game.options.world
    members = next(c.territories for c in world.continents if c.name == continent)
    position.hold(1, **{world.territories[t].name.replace(" ", "_"): 1 for t in members})
    outside = next(t for t in range(42) if t not in members)
    position.hold(0, **{world.territories[outside].name.replace(" ", "_"): 1})
    assert after_done(position) == max(3, len(members) // 3) + bonus


def test_all_armies_must_be_placed():
    position = Position().hold(0, Alaska=1, Alberta=1).place(3)
    assert listed(position.state) == ["place Alaska", "place Alberta"]
    refused(position.state, "done", "first place armies")
    state = position.do("place Alaska", "2")
    assert listed(state) == ["place Alaska", "place Alberta"]
    refused(state, "place Japan", "not yours, but of player 3")
    position.do("place Alberta")
    assert (position.at("Alaska"), position.at("Alberta")) == ((0, 3), (0, 2))
    assert int(state.record.phase) == ATTACKING


def test_the_thesis_keeps_armies_for_later_turns():
    state = game_of(rules="thesis-2022", start="thesis").start(1)
    for move in ("place Alaska", "3", "done", "done", "done"):
        state.apply(state.parse_action(move))
    assert int(state.record.pool[0]) == 4
    assert state.player == 1


def test_armies_beyond_the_limit_are_lost():
    position = Position(army_limit=4).hold(0, Alaska=3).place(9)
    state = position.do("place Alaska")
    assert position.at("Alaska") == (0, 4)
    assert int(state.record.pool[0]) == 0
    assert int(state.record.phase) == ATTACKING


# --- cards -----------------------------------------------------------------------------------------------------------


def traded(*cards, **options):
    position = Position(**options).hold(0, Japan=1).cards(0, *cards)
    return position.phase(TRADING)


@pytest.mark.parametrize(
    ("cards", "is_set"),
    [
        (("Alaska", "Venezuela", "Peru"), True),  # infantry
        (("Alberta", "Ontario", "Quebec"), True),  # cavalry
        (("Alaska", "Alberta", "Brazil"), True),  # one of each
        (("Alaska", "Venezuela", "wild 1"), True),
        (("Alaska", "wild 1", "wild 2"), True),
        (("Alaska", "Venezuela", "Alberta"), False),
    ],
)
def test_sets(cards, is_set):
    position = traded(*cards)
    assert (len(listed(position.state)) == 2) == is_set
    if not is_set:
        refused(position.state, f"trade {' + '.join(cards)}", "no set")


@pytest.mark.parametrize(
    ("kind", "values"),
    [("escalating", [4, 6, 8, 10, 12, 15, 20, 25, 30]), ("incremental", [4, 5, 6, 7, 8, 9, 10, 11, 12])],
)
def test_values_of_sets(kind, values):
    for sets, value in enumerate(values):
        position = traded("Alaska", "Venezuela", "Peru", set_values=kind).set(sets=sets)
        state = position.do("trade Alaska + Venezuela + Peru")
        assert int(state.record.pool[0]) == value


@pytest.mark.parametrize(
    ("cards", "value"),
    [
        (("Brazil", "Great Britain", "Japan"), 4),
        (("Alaska", "Venezuela", "Peru"), 6),
        (("Alberta", "Ontario", "Quebec"), 8),
        (("Alaska", "Alberta", "Brazil"), 10),
        (("Brazil", "Japan", "wild 1"), 4),
        (("Alaska", "Alberta", "wild 1"), 10),
        (("Alaska", "wild 1", "wild 2"), 10),
    ],
)
def test_values_by_kind(cards, value):
    position = Position(set_values="by-kind", territory_bonus=0).hold(0, Siam=1).cards(0, *cards)
    state = position.set(sets=7).phase(TRADING).do(f"trade {' + '.join(cards)}")
    assert int(state.record.pool[0]) == value


def test_an_own_territory_on_a_card_gets_two_armies():
    position = traded("Alaska", "Venezuela", "Peru").hold(0, Peru=1)
    position.do("trade Alaska + Venezuela + Peru")
    assert position.at("Peru") == (0, 3)


def test_of_several_own_territories_one_is_chosen():
    position = traded("Alaska", "Venezuela", "Peru").hold(0, Peru=1, Alaska=1)
    state = position.do("trade Alaska + Venezuela + Peru")
    assert listed(state) == ["bonus Alaska", "bonus Peru"]
    position.do("bonus Alaska")
    assert (position.at("Alaska"), position.at("Peru")) == ((0, 3), (0, 1))
    assert int(state.record.phase) == PLACING


def test_five_cards_must_be_traded_four_need_not():
    cards = ("Alaska", "Venezuela", "Peru", "Alberta", "Brazil")
    assert "done" in listed(traded(*cards[:4]).state)
    position = traded(*cards)
    assert "done" not in listed(position.state)
    refused(position.state, "done", "with 5 cards you must trade a set, until 4 or fewer are left")


def test_whoever_has_three_cards_is_asked_set_or_not():
    """Else others would see whether there is a set."""
    position = Position().hold(0, Alaska=1).hold(1, Japan=1).cards(1, "Alaska", "Venezuela", "Alberta")
    state = position.phase(MOVING).set(moves_left=1).do("done")
    assert (state.player, int(state.record.phase), listed(state)) == (1, TRADING, ["done"])


def test_a_card_is_drawn_once_a_turn_if_something_was_conquered():
    position = Position().hold(0, Alaska=5)
    state = position.do("attack Alaska > Kamchatka", "losses 0:1", "0", "attack Alaska > Alberta", "losses 0:1")
    for _ in range(2):
        if state.player == 0:
            state.apply(state.parse_action("done"))
    assert int(state.record.phase) == DRAWING
    assert len(state.chance_outcomes) == 44
    assert sum(chance for _, chance in state.chance_outcomes) == pytest.approx(1)
    state.apply(state.parse_action("draws Japan"))
    assert int(state.record.hand[0]) == 1 << position.number("Japan")
    assert state.player != 0


def test_discarded_cards_are_shuffled_again_when_the_deck_is_empty():
    position = Position().hold(0, Alaska=2, Alberta=1).set(conquered=1)
    record = position.state.record
    record.discard, record.deck = record.deck, 0
    state = position.phase(MOVING).set(moves_left=1).do("done")
    assert int(state.record.phase) == DRAWING
    assert len(state.chance_outcomes) == 44


def test_what_is_known_of_the_deck_after_it_is_shuffled_again():
    """All cards that were not discarded are in hands then, and none of them is in the deck."""
    position = Position().hold(0, Alaska=2, Alberta=1).hold(1, Japan=1).set(conquered=1)
    position.cards(1, "Alaska", "Peru", "wild 1", "Siam").cards(2, "India", "China")
    record = position.state.record
    held = {seat: int(record.hand[seat]) for seat in (1, 2)}
    record.discard, record.deck = record.deck, 0
    state = position.phase(MOVING).set(moves_left=1).do("done")
    deck = int(state.record.deck)
    state.apply(state.chance_outcomes[5][0])
    drawn = int(state.record.hand[0])
    for key in range(30):
        known = state.determinize(0, stream(key)).record
        assert int(known.hand[0]) == drawn
        assert int(known.deck) == deck & ~drawn
        assert int(known.hand[1] | known.hand[2]) == held[1] | held[2]
        assert int(known.hand[1]).bit_count() == 4
        others = state.determinize(1, stream(key)).record
        assert (int(others.hand[1]), int(others.hand[2])) == (held[1], held[2])
        assert int(others.hand[0]) & deck
        assert int(others.hand[0]).bit_count() == 1
    assert len({int(state.determinize(0, stream(key)).record.hand[1]) for key in range(30)}) > 5


def test_no_card_is_drawn_when_all_are_in_hands():
    position = Position().hold(0, Alaska=2, Alberta=1).set(conquered=1)
    record = position.state.record
    record.hand[1], record.deck = record.deck, 0  # of a player who is out: nobody is asked to trade
    state = position.phase(MOVING).set(moves_left=1).do("done")
    assert state.player == 2


# --- attacks ---------------------------------------------------------------------------------------------------------


def test_attacks_need_a_border_an_enemy_and_two_armies():
    position = Position().hold(0, Alaska=2, Alberta=1, Japan=4)
    assert listed(position.state) == [
        "done", "attack Alaska > Northwest Territory", "attack Alaska > Kamchatka",
        "attack Japan > Kamchatka", "attack Japan > Mongolia",
    ]  # fmt: skip
    refused(position.state, "attack Alberta > Ontario", "one army, which must stay")
    refused(position.state, "attack Japan > Siam", "no border")
    refused(position.state, "attack Alaska > Alberta", "your own")
    refused(position.state, "attack Siam > India", "not yours")


@pytest.mark.parametrize(("armies", "dice"), [(2, 1), (3, 2), (4, 3), (9, 3)])
def test_dice_are_fewer_than_armies(armies, dice):
    position = Position().hold(0, Alaska=armies)
    state = position.do("attack Alaska > Kamchatka")
    assert int(state.record.dice) == dice


def test_fewer_dice_are_open():
    position = Position().hold(0, Alaska=4)
    state = position.do("attack Alaska > Kamchatka with 2 dice")
    assert int(state.record.dice) == 2
    refused(Position().hold(0, Alaska=2).state, "attack Alaska > Kamchatka with 2 dice", "so 1 at most")


def test_losses_and_their_odds():
    position = Position().hold(0, Alaska=4).hold(2, Kamchatka=3)
    state = position.do("attack Alaska > Kamchatka")
    odds = {state.action_text(outcome): chance for outcome, chance in state.chance_outcomes}
    assert odds == pytest.approx({"losses 2:0": 2275 / 7776, "losses 1:1": 2611 / 7776, "losses 0:2": 2890 / 7776})
    position.do("losses 1:1")
    assert (position.at("Alaska"), position.at("Kamchatka")) == ((0, 3), (2, 2))


def test_as_many_armies_as_dice_move_in_at_least():
    position = Position().hold(0, Alaska=7)
    state = position.do("attack Alaska > Kamchatka", "losses 0:1")
    assert position.at("Kamchatka") == (0, 3)
    assert listed(state) == ["0", "1", "2", "3"]
    refused(state, "4", "4 armies are not possible: 0 to 3")
    position.do("2")
    assert (position.at("Alaska"), position.at("Kamchatka")) == ((0, 2), (0, 5))


def test_many_amounts_are_listed_in_part_and_all_legal():
    position = Position().hold(0, Alaska=104)
    state = position.do("attack Alaska > Kamchatka", "losses 0:1")
    texts = listed(state)
    assert (len(texts), texts[0], texts[-1]) == (16, "0", "100")
    assert all(state.is_legal(AMOUNT + count) for count in range(101))
    assert not state.is_legal(AMOUNT + 101)


def test_who_eliminates_a_player_takes_the_cards_and_trades_six():
    position = Position(players=3).hold(0, Alaska=5).hold(1, Kamchatka=1)
    position.cards(0, "Alaska", "Venezuela", "Peru").cards(1, "Alberta", "Ontario", "Brazil")
    state = position.do("attack Alaska > Kamchatka", "losses 0:1", "1")
    record = state.record
    assert (int(record.killer[1]), int(record.hand[1]), int(record.hand[0]).bit_count()) == (0, 0, 6)
    assert int(record.phase) == TRADING
    assert "done" not in listed(state)
    position.do("trade Alaska + Venezuela + Peru")
    assert int(record.hand[0]).bit_count() == 3
    assert int(record.phase) == PLACING  # no more, though there is a set: the next turn
    state = position.do("place Alaska", "4")
    assert int(state.record.phase) == ATTACKING
    check_state(state)


def test_after_an_elimination_five_cards_wait_for_the_next_turn():
    position = Position(players=3).hold(0, Alaska=5).hold(1, Kamchatka=1)
    position.cards(0, "Alaska", "Venezuela", "Peru").cards(1, "Alberta", "Ontario")
    state = position.do("attack Alaska > Kamchatka", "losses 0:1", "1")
    assert int(state.record.phase) == ATTACKING


def test_the_turn_skips_who_is_out():
    position = Position(players=4).hold(0, Alaska=5).hold(1, Kamchatka=1).hold(2, Japan=1)
    state = position.do("attack Alaska > Kamchatka", "losses 0:1", "1")
    while state.player == 0:
        state.apply(state.parse_action("done"))
    state.apply(state.parse_action("draws Peru"))
    assert state.player == 2


def test_the_last_player_wins_at_once():
    position = Position(players=2, setup="bare")
    world = position.game.options.world
    position.hold(0, **{t.name.replace(" ", "_"): 4 for t in world.territories if t.name != "Japan"})
    state = position.do("attack Kamchatka > Japan", "losses 0:1")
    assert state.is_terminal
    assert state.returns == [1.0, -1.0]


def test_neutral_territories_may_remain():
    position = Position(players=2, setup="bare").hold(0, Kamchatka=4).hold(NEUTRAL, Siam=3)
    world = position.game.options.world
    position.hold(0, **{t.name.replace(" ", "_"): 4 for t in world.territories if t.name not in ("Japan", "Siam")})
    assert position.do("attack Kamchatka > Japan", "losses 0:1").returns == [1.0, -1.0]


# --- moving ----------------------------------------------------------------------------------------------------------


def moving(fortify, **armies):
    position = Position(fortify=fortify).hold(0, **armies)
    return position.do("done") and position


def test_one_move_to_a_neighbour():
    position = moving("adjacent", Alaska=4, Alberta=1, Ontario=1)
    assert listed(position.state) == ["done", "move Alaska"]
    state = position.do("move Alaska")
    assert listed(state) == ["to Alberta"]
    refused(state, "to Ontario", "no border leads")
    state = position.do("to Alberta", "2")
    assert (position.at("Alaska"), position.at("Alberta")) == ((0, 2), (0, 3))
    assert state.player != 0


def test_one_move_along_own_territories():
    position = moving("connected", Alaska=4, Alberta=1, Ontario=1, Japan=5)
    state = position.do("move Alaska")
    assert listed(state) == ["to Alberta", "to Ontario"]
    refused(state, "to Japan", "no path")
    position.do("to Ontario", "3")
    assert position.at("Ontario") == (0, 4)


def test_any_number_of_moves():
    position = moving("unlimited", Alaska=4, Alberta=1, Ontario=1)
    state = position.do("move Alaska", "to Alberta", "3", "move Alberta", "to Ontario", "3")
    assert position.at("Ontario") == (0, 4)
    assert state.player == 0
    state.apply(state.parse_action("done"))
    assert state.player != 0


def test_each_army_moves_one_step():
    position = moving("steps", Alaska=4, Alberta=2, Ontario=1)
    position.do("move Alaska", "to Alberta", "3")
    state = position.do("move Alberta", "to Ontario")
    assert listed(state) == ["1", "2"]  # the two that were there, not the three that came
    position.do("2")
    assert (position.at("Alberta"), position.at("Ontario")) == ((0, 3), (0, 3))
    assert "move Alberta" not in listed(position.state)


# --- other ends ------------------------------------------------------------------------------------------------------


def test_capitals_are_chosen_in_secret_and_win():
    state = game_of(players=3, setup="bare", victory="capitals").start(1)
    own = [next(t for t in range(42) if state.record.owner[t] == seat) for seat in range(3)]
    name = state.game.options.world.territories[own[0]].name
    action = state.parse_action(f"capital {name}")
    assert (state.observed(action, 0), state.observed(action, 1)) == (action, 192 + 63)
    state.apply(action)
    drawn = {int(state.determinize(1, stream(key)).record.capital[0]) for key in range(60)}
    assert len(drawn) > 5
    assert {int(state.record.owner[t]) for t in drawn} == {0}
    for seat in (1, 2):
        state.apply(192 + own[seat])
    assert state.record.capital[:3].tolist() == own
    position = Position(victory="capitals").hold(0, Alaska=4, Alberta=1).hold(1, Kamchatka=1)
    position.set(capital=[position.number(n) for n in ("Alaska", "Kamchatka", "Alberta")] + [-1] * 3)
    assert position.do("attack Alaska > Kamchatka", "losses 0:1").returns == [1.0, -1.0, -1.0]


def mission(number, **options):
    position = Position(victory="missions", **options)
    return position.set(mission=[number, (number + 1) % 8, (number + 2) % 8, -1, -1, -1])


def test_a_mission_of_continents():
    position = mission(1).hold(0, Alaska=4)  # North America and Australia
    world = position.game.options.world
    for name in ("North America", "Australia"):
        members = next(c.territories for c in world.continents if c.name == name)
        position.hold(0, **{world.territories[t].name.replace(" ", "_"): 2 for t in members})
    position.hold(2, Greenland=1).hold(0, Iceland=4)
    state = position.do("attack Iceland > Greenland", "losses 0:1")
    assert state.returns == [1.0, -1.0, -1.0]


def test_a_mission_to_destroy_a_player():
    position = mission(9, players=4).hold(0, Alaska=4).hold(1, Kamchatka=1).hold(2, Peru=1)  # player 2
    state = position.do("attack Alaska > Kamchatka", "losses 0:1")
    assert state.returns == [1.0, -1.0, -1.0, -1.0]


def test_instead_of_oneself_one_holds_24_territories():
    position = mission(8, players=4).hold(1, Japan=1).hold(2, Peru=1)  # player 1, that is oneself
    world = position.game.options.world
    names = [t.name.replace(" ", "_") for t in world.territories][:24]
    position.hold(0, **{name: 4 for name in names if name != "Brazil"}).hold(2, Peru=1).hold(0, Venezuela=4)
    held = int(position.state.record.held[0]).bit_count()
    position.hold(0, **{"Siam": 1} if held < 23 else {})
    assert int(position.state.record.held[0]).bit_count() == 23
    assert position.do("attack Venezuela > Brazil", "losses 0:1").returns == [1.0, -1.0, -1.0, -1.0]


def test_missions_that_would_have_ended_the_game_are_ruled_out():
    position = mission(9, players=4).hold(1, Japan=1).hold(2, Peru=1)
    position.set(mission=[9, 1, 2, 3, -1, -1])
    world = position.game.options.world
    position.hold(0, **{t.name.replace(" ", "_"): 4 for t in world.territories[:23]}).hold(2, Peru=1)
    position.hold(0, Siam=4, India=4)  # 24 territories and more, 18 of them with two armies
    state = position.do("attack Siam > China", "losses 0:1")
    ruled_out = int(state.record.ruled_out[0])
    assert ruled_out >> 6 & 1  # 24 territories
    assert ruled_out >> 7 & 1  # 18 with two armies each
    for key in range(40):
        drawn = state.determinize(1, stream(key)).record.mission
        assert len(set(drawn[:4].tolist())) == 4
        assert not ruled_out >> int(drawn[0]) & 1
        assert int(drawn[1]) == 1


def test_a_mission_that_another_has_fulfilled_ends_the_game_when_the_turn_begins():
    """Player 2 holds 24 territories and was to destroy player 3, whom player 1 destroys."""
    position = mission(9, players=4).hold(3, Peru=1).hold(2, Kamchatka=1).hold(0, Alaska=4, Alberta=2, Brazil=1)
    position.set(mission=[0, 10, 1, 2, -1, -1])
    world = position.game.options.world
    names = [t.name.replace(" ", "_") for t in world.territories if t.name not in ("Alaska", "Alberta", "Kamchatka")]
    position.hold(1, **dict.fromkeys(names[:-3], 1))
    position.hold(3, Peru=1)
    state = position.do("attack Alaska > Kamchatka", "losses 0:1")
    while int(state.record.mover) == 0 and not state.is_terminal:
        state.apply(state.legal_actions[0] if not state.is_chance else state.chance_outcomes[0][0])
    assert state.returns == [-1.0, 1.0, -1.0, -1.0]


def test_missions_deal_the_territories():
    assert game_of(players=4, victory="missions").options.rule("setup") == "dealt"
    assert game_of(players=4, victory="missions", setup="claimed").options.rule("setup") == "claimed"


def test_any_number_is_refused_with_a_line():
    """Numbers of no action, of territories that are not there and of actions not due now."""
    numbers = [*range(-3, 1200), *range(8190, 8400), 50_000, *range(65_530, 66_000, 3), 300_000, 2**19, 2**19 + 90]
    begun = game_of().start(1)
    ring = game_of(players=2, map=json.dumps(RING), setup="bare").start(1)
    own = {"Alaska": 3, "Alberta": 2}
    placing, attacking = Position().hold(0, **own).place(3).state, Position().hold(0, **own).state
    moving = Position().hold(0, **own).set(moves_left=1).phase(MOVING).state
    for state in (begun, ring, placing, attacking, moving):
        legal = 0
        for number in [*numbers, 2**31 - 1, -(2**31), 2**40]:
            if -(2**31) <= number < 2**31 and state.is_legal(number):
                legal += 1
                continue
            with pytest.raises(IllegalActionError) as caught:
                state.apply(number)
            assert "\n" not in str(caught.value)
        assert legal > 0


def test_a_given_position_needs_no_armies_for_the_set_up():
    world = json.dumps({"name": "two", "territories": [
        {"name": "A", "neighbours": ["B"]}, {"name": "B", "neighbours": ["A"]}], "continents": []})  # fmt: skip
    assert game_of(players=2, map=world, setup="bare", army_limit=12).start(1).player >= 0


def test_the_limit_of_turns_is_a_draw():
    position = Position(turn_limit=1).hold(0, Alaska=1)
    state = position.phase(MOVING).set(moves_left=1).do("done")
    assert int(state.record.phase) == OVER
    assert int(state.record.winner) == DRAW
    assert state.returns == pytest.approx([-1 / 3] * 3)


def test_who_is_out_has_no_part_in_the_limit_of_turns():
    """Four of six are out: the two left have all the turns up to 600."""
    position = Position(players=6).hold(0, Alaska=1)
    for turn, over in ((1, False), (599, False), (600, True)):
        position.set(turn=turn, mover=0, actor=0, moves_left=1).phase(MOVING).do("done")
        assert (int(position.state.record.phase) == OVER) == over
    assert int(position.state.record.winner) == DRAW


# --- War -------------------------------------------------------------------------------------------------------------


def test_war_places_bonuses_inside_and_attacks_from_the_second_round_on():
    position = Position(rules="war-grow", victory="domination").hold(0, Alaska=1)
    world = position.game.options.world
    members = world.continents[2].territories
    position.hold(1, **{world.territories[t].name.replace(" ", "_"): 1 for t in members})
    state = position.phase(MOVING).set(moves_left=1).do("done")
    record = state.record
    assert (state.player, int(record.pool[1]), int(record.reserved[2])) == (1, 3, 2)
    for move in ("place Indonesia", "5"):
        state.apply(state.parse_action(move))
    assert state.player == 2  # the first round has no attacks


def test_war_throws_three_dice_against_three_and_moves_three_in_at_most():
    position = Position(rules="war-grow", victory="domination").hold(0, Alaska=9).hold(2, Kamchatka=3)
    state = position.set(turn=4).do("attack Alaska > Kamchatka")
    assert [state.action_text(outcome) for outcome, _ in state.chance_outcomes] == [
        "losses 3:0", "losses 2:1", "losses 1:2", "losses 0:3",
    ]  # fmt: skip
    state = position.do("losses 0:3")
    assert position.at("Kamchatka") == (0, 1)
    assert int(state.record.phase) == OCCUPYING
    assert listed(state) == ["0", "1", "2"]
