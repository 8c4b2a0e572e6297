"""Catan: notation, and that texts tell a seat only what it knows."""

import re

import pytest

import oponente.games.catan.text as notation
from oponente.games.catan import moves, names, rules, terminal
from oponente.games.catan.board import EDGES, HARBOUR_ENDS
from oponente.games.catan.cards import RESOURCES
from oponente.games.catan.layout import ANY, read_board
from oponente.kernel import Game, IllegalActionError, stream
from tests.games.catan.positions import Position, random_states


def positions(players, seed, count):
    """Yield the states of a random game."""
    return random_states(Game(rules, {"players": str(players)}, text=notation), seed, count)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_reads_back(players):
    for state in positions(players, players, 400):
        if state.is_chance:
            continue
        for action in [*state.legal_actions, *notation.open_actions(state)]:
            text = notation.action_text(state, int(action))
            assert notation.parse_action(state, text) == action, text
            assert notation.parse_action(state, f"  {text.upper()} ") == action


def test_board_reads_back():
    state = next(positions(4, 5, 1))
    board = names.board_of(state)
    assert read_board(board.to_json()) == board


def test_a_text_tells_a_seat_only_what_it_knows():
    rng = stream(9, "determinize")
    for i, state in enumerate(positions(4, 6, 900)):
        if i % 30:
            continue
        for seat in range(4):
            assert state.determinize(seat, rng).text(seat) == state.text(seat)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("settlement z9", "is no intersection"),
        ("road c4-e5", "is no path"),
        ("road c4-c5 please", "is no path"),
        ("road xxc4zzc5", "is no path"),
        ("robber 20", "is no hex"),
        ("confirm player 5", "is no player"),
        ("monopoly gold", "is no resource"),
        ("offer wool", "say what for what"),
        ("offer 2 3 wool for 1 ore", "say of which resource the 2 are"),
        ("offer wool 2 for 1 ore", "say of which resource the 2 are"),
        ("discard 2 wool", "discard one card with each move: discard wool"),
        ("year of plenty ore ore ore", "takes two cards"),
        ("year of plenty 99999999999 ore", "is too large a number"),
        ("year of plenty 999 ore", "takes two cards"),
        ("jump", "'jump' is no move here: write settlement a3"),
    ],
)
def test_a_mistake_gets_a_line_that_says_what_is_right(text, reason):
    state = next(positions(4, 1, 1))
    with pytest.raises(IllegalActionError, match=reason):
        notation.parse_action(state, text)


def test_the_bank_takes_what_is_named():
    """Only a resource by itself stands for as many cards as the bank takes."""
    state = Position().give(0, wool=4).state
    assert notation.parse_action(state, "bank wool for ore") == notation.parse_action(state, "bank 4 wool for ore")
    for text in ("bank wool wool for ore", "bank wool, wool for ore", "bank and 1 wool for ore", "bank 2 wool for ore"):
        with pytest.raises(IllegalActionError, match="the bank takes 4 wool"):
            notation.parse_action(state, text)


def test_an_edge_may_be_named_from_either_end():
    state = next(positions(4, 1, 1))
    assert notation.parse_action(state, "road c5-c4") == notation.parse_action(state, "ROAD c4 c5")


def test_there_are_72_edges():
    assert len(EDGES) == 72


LONG = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f"offer {LONG} wool for 1 ore",
        f"offer 1 wool for {LONG} ore",
        f"counter {LONG} wool for 1 ore",
        f"discard {LONG} wool",
        f"bank {LONG} wool for ore",
        f"year of plenty {LONG} ore",
        f"robber {LONG}",
        f"robber 7 player {LONG}",
        f"confirm player {LONG}",
        f"dice {LONG}",
        f"settlement c{LONG}",
        f"road c4-c{LONG}",
        f"monopoly {LONG}",
        f"steals {LONG}",
        LONG,
        "x" * 5000,
        "wool " * 1000,
    ],
)
def test_a_long_text_gets_a_short_line(text):
    for phase in (moves.MAIN, moves.BEFORE_ROLL, moves.ANSWERING, moves.DISCARDING):
        position = Position().give(0, wool=3).turn(0, phase)
        with pytest.raises(IllegalActionError) as refused:
            notation.parse_action(position.state, text)
        assert len(str(refused.value)) < 300


def test_cards_may_stand_apart_by_commas():
    state = Position().give(0, wool=3).state
    texts = ("offer 1 lumber, 1 ore for 2 wool", "offer lumber and ore for wool, wool", "offer 1lumber+ore for 2wool")
    assert len({notation.parse_action(state, text) for text in texts}) == 1


def test_several_cards_are_discarded_with_one_answer():
    position = Position().give(0, wool=3, grain=2, ore=4).turn(0, moves.DISCARDING)
    position.record.owed[0] = 4
    state = position.state
    assert notation.split_answer(state, "discard 2 wool, grain") == ["discard wool", "discard wool", "discard grain"]
    for text in ("discard ore", "discard 1 ore", "discard 0 ore", "discard", "end", "discard brick"):
        assert notation.split_answer(state, text) == [text]
    with pytest.raises(IllegalActionError, match="that is too much: discard 4 more"):
        notation.split_answer(state, "discard 4 ore 1 wool")
    with pytest.raises(IllegalActionError, match="you have only 3 wool 2 grain 4 ore"):
        notation.split_answer(state, "discard 999 ore")
    assert notation.split_answer(Position().state, "discard 2 wool") == ["discard 2 wool"]
    assert notation.brief_text(state) == "discard 4 more; you have 3 wool 2 grain 4 ore"
    assert notation.brief_text(Position().state) == ""


def listed(state):
    """Return the lines of the help."""
    return notation.help_text(state, state.legal_actions).split("\n")


def test_help_has_a_line_for_each_kind():
    position = Position().settlement(0, "c4").road(0, "c4-c5").give(0, lumber=1, brick=1, wool=4, grain=1, ore=1)
    lines = listed(position.state)
    kinds = [line.split(":")[0] for line in lines if not line.startswith("  ")]
    assert kinds == ["buy card", "road", "bank 4 wool for", "offer", "end", "offer", "costs"]
    assert "bank 4 wool for: lumber; brick; grain; ore" in lines
    text = " ".join(" ".join(lines).split())
    assert "for example offer 2 wool for 1 grain; 5 offers left this turn" in text
    assert "costs: road 1 lumber 1 brick; settlement 1 lumber 1 brick 1 wool 1 grain; city 2 grain 3 ore;" in text
    assert all(len(line) <= 100 for line in lines)
    position.record.offers = 4
    assert "1 offer left this turn" in " ".join(listed(position.state))
    assert not any(line.startswith("offer") for line in listed(Position(offers=0).give(0, wool=1).state))
    assert not any(line.startswith("costs") for line in listed(position.turn(0, moves.BEFORE_ROLL).state))


def test_help_breaks_lines_between_moves():
    state = next(positions(4, 1, 1))
    lines = listed(state)
    assert len(lines) > 1
    moves_in_lines = [item for line in lines for item in line.removeprefix("settlement:").strip("; ").split("; ")]
    assert moves_in_lines == [notation.action_text(state, a).removeprefix("settlement ") for a in state.legal_actions]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_text_is_at_most_100_columns_wide(players):
    for i, state in enumerate(positions(players, 80 + players, 900)):
        if i % 30:
            continue
        lines = state.text().split("\n") if state.is_chance else [*state.text().split("\n"), *listed(state)]
        assert all(len(line) <= 100 for line in lines), max(lines, key=len)
    # The longest that there may be: all pieces, all kinds of cards, everything bought this turn.
    position = Position().give(0, lumber=19, brick=19, wool=19, grain=19, ore=19).develop(0, *range(5), fresh=True)
    position.settlement(0, "b10", "d10", "d9", "d8", "e10").city(0, "b9", "b8", "b7", "b6").holder(0)
    position.record.reach[0], position.record.army_holder = 63, 0
    position.record.played[0, :4] = 13, 1, 1, 1
    position.record.offer = moves.offer_id((31, 31, 0, 0, 0), (0, 0, 31, 31, 31))
    assert all(len(line) <= 100 for line in position.state.text().split("\n"))
    assert all(len(line) <= 100 for line in notation.state_text(position.state).split("\n"))


def board(state):
    """Return the lines of the text that are the map."""
    return terminal.board_lines(state)


def test_harbours_touch_nothing_on_the_map():
    for seed in range(12):
        state = Game(rules, {}, text=notation).start(seed)
        text = "\n".join(["", *board(state), ""])
        for number in range(54):
            assert re.search(rf"(?<!\S){names.node_text(number)}(?!\S)", text)
        assert text.count("/") + text.count("\\") == 48
        assert text.count("|") == 72
        assert text.count("2:1") == 5
        assert text.count("any 3:1") == 4
        for label in re.finditer(r"any 3:1|\w+ 2:1", text):
            assert text[label.start() - 1] in " \n"
            assert text[label.end()] in " \n"


def test_the_text_says_which_intersections_a_harbour_serves():
    state = Position().state
    text = " ".join(notation.state_text(state).split())
    for ends, kind in zip(HARBOUR_ENDS, names.board_of(state).harbours, strict=True):
        places = " ".join(names.node_text(end) for end in ends)
        assert f"{'any 3:1' if kind == ANY else RESOURCES[kind] + ' 2:1'} at {places}" in text


def test_numbers_of_things_are_written_as_people_do():
    assert names.count_text(1, "point") == "1 point"
    assert names.count_text(0, "card") == "0 cards"
    assert names.count_text(2, "city") == "2 cities"
    assert names.count_text(3, "year of plenty") == "3 years of plenty"
    position = Position().settlement(0, "c4").road(0, "c4-c5").give(0, ore=1).give(1, wool=2).develop(0, 0, 0)
    position.develop(0, 2, fresh=True).develop(1, 3)
    position.record.played[0, 0] = 3
    text = " ".join(notation.state_text(position.state, 0).split())
    assert (
        "player 1: 1 point; 1 card (1 ore); 3 development cards: 2 knights, 1 monopoly (bought this turn) "
        "settlements c4; cities -; longest road 1; pieces left: 14 roads, 4 settlements, 4 cities; played 3 knights"
    ) in text
    assert "player 2: 0 points; 2 cards (2 wool); 1 development card " in text
    assert "3 development cards (1 bought this turn)" in notation.state_text(position.state, 1)


def status(state, seat):
    """Return what is said of whose turn it is."""
    return terminal.state_text(state, seat).split("\n")[-2:]


def test_what_is_asked_comes_with_legal_examples():
    position = Position().settlement(0, "c4").road(0, "c4-c5").give(0, lumber=1, brick=1)
    asked, shown = status(position.state, 0)
    assert asked == "turn 1 of player 1, rolled 8, player 1: trade, build, or end the turn"
    assert shown.startswith("for example: road ")
    for text in shown.removeprefix("for example: ").split("; "):
        assert position.can(notation.parse_action(position.state, text))
    assert status(position.state, 1)[-1] == asked  # examples would tell what is in the hand
    position.turn(0, moves.FREE_ROADS).record.free_roads = 2
    assert status(position.state, 0)[0].endswith("player 1: place 2 free roads")
    position.record.free_roads = 1
    assert status(position.state, 0)[0].endswith("player 1: place 1 free road")
    position.turn(0, moves.DISCARDING).record.owed[0] = 5
    assert status(position.state, 0)[0].endswith("player 1: discard 5 more")


@pytest.mark.parametrize("players", [2, 4])
def test_help_names_every_listed_action(players):
    for i, state in enumerate(positions(players, 40 + players, 600)):
        if state.is_chance or i % 7:
            continue
        named = set()
        for line in " ".join(notation.help_text(state, state.legal_actions).split("\n  ")).split("\n"):
            word, colon, rest = line.partition(": ")
            named |= {f"{word} {one}" for one in rest.split("; ")} if colon else {word}
        for action in state.legal_actions:
            text = notation.action_text(state, int(action)).replace("counter ", "offer ")
            assert text in named
