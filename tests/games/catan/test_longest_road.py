"""Catan: the length of roads, and who holds the longest one (rulings 1 and 2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.games.catan.board import edge_ends
from oponente.games.catan.moves import BUILD_ROAD, BUILD_SETTLEMENT
from tests.games.catan.positions import EDGES, Position, chain, edge, letter, node, road_length, roads_of

RING = "c6-c7-d7-d6-d5-c5-c6"


def built_length(*chains):
    """Return the length that the rules find for roads built one by one."""
    first, *others = [f"{letter(a)}-{letter(b)}" for names in chains for a, b in map(edge_ends, chain(names))]
    return int(Position().road(0, first).build(0, *others).record.road_length[0])


@pytest.mark.parametrize(
    ("chains", "length"),
    [
        (["c4-c5-c6-c7"], 3),
        (["c4-c5-c6-c7", "c6-b6-b7"], 4),  # the longer branch counts
        ([RING], 6),  # a loop counts each piece once
        ([RING, "c7-c8-c9"], 8),  # around the loop and out
        ([RING, "c7-c8", "d5-d4"], 7),  # around the loop and out at one place only
        (["c6-c7-c8-c9-d9-d8-d7-d6-d5-c5-c6", "c7-d7"], 11),  # two loops that share a piece
        (["c6-c7-c8-c9-d9-d8-d7-d6-d5-c5-c6", "c7-d7", "b6-c6"], 11),  # one tail: all but one piece
    ],
)
def test_lengths(chains, length):
    assert built_length(*chains) == length


def test_a_road_counts_up_to_an_opponents_building():
    position = Position().settlement(1, "c6").settlement(0, "c3").build(0, "c3-c4", "c4-c5", "c5-c6")
    assert position.record.road_length[0] == 3


def test_a_road_does_not_pass_through_an_opponents_building():
    position = Position().road(0, "c3-c4-c5-c6-c7-c8-c9").holder(0).road(1, "b6-c6").build(1, "c6")
    assert position.record.road_length[0] == 3


def test_own_building_does_not_cut_a_road():
    position = Position().road(0, "c3-c4-c5-c6-c7-c8").holder(0).build(0, "c5")
    assert position.record.road_length[0] == 5


def test_an_opponents_building_at_a_loop_opens_it():
    position = Position().road(0, RING + "-b6").road(1, "c8-c7").holder(0)
    assert position.record.road_length[0] == 7
    position.build(1, "c7")
    # From the building around the loop back to it, or from the tail around the longer side: 1 + 5.
    assert position.record.road_length[0] == 6


def test_first_road_of_five_takes_the_card():
    position = Position().settlement(0, "c3").build(0, "c3-c4", "c4-c5", "c5-c6", "c6-c7")
    assert position.record.road_holder == -1
    position.build(0, "c7-c8")
    assert position.record.road_holder == 0
    assert position.record.points[0] == 3


def test_a_longer_road_takes_the_card_and_the_points():
    position = Position().road(0, "c3-c4-c5-c6-c7-c8").holder(0).road(1, "e2-e3-e4-e5-e6-e7")
    assert position.record.road_length[1] == 5
    position.build(1, "e7-e8")
    assert position.record.road_holder == 1
    assert list(position.record.points) == [0, 2, 0, 0]


def test_an_equal_road_does_not_take_the_card():
    position = Position().road(0, "c3-c4-c5-c6-c7-c8").holder(0).road(1, "e2-e3-e4-e5-e6").build(1, "e6-e7")
    assert position.record.road_length[1] == 5
    assert position.record.road_holder == 0


def cut_at(node_name, *roads, holder=0, seat=3):
    """Return a position in which a player has cut the holder's road c3 to c9 with a settlement."""
    position = Position().road(0, "c3-c4-c5-c6-c7-c8-c9").holder(holder)
    for owner, names in roads:
        position.road(owner, names)
    return position.road(seat, {"c6": "b6-c6", "c4": "b4-c4", "c8": "b8-c8", "c5": "d5-c5"}[node_name]).build(
        seat, node_name
    )


def test_after_a_cut_a_sole_longest_road_takes_the_card():
    position = cut_at("c6", (1, "e2-e3-e4-e5-e6-e7"))
    assert position.record.road_holder == 1
    assert list(position.record.points) == [0, 2, 0, 1]


def test_after_a_cut_a_tie_among_others_sets_the_card_aside():
    position = cut_at("c6", (1, "e2-e3-e4-e5-e6-e7"), (2, "f3-f4-f5-f6-f7-f8"))
    assert position.record.road_holder == -1
    assert list(position.record.points) == [0, 0, 0, 1]


def test_after_a_cut_without_a_road_of_five_nobody_holds_the_card():
    position = cut_at("c6", (1, "e2-e3-e4-e5-e6"))
    assert position.record.road_holder == -1
    assert list(position.record.points) == [0, 0, 0, 1]


def test_after_a_cut_below_five_the_holder_loses_the_card_though_nobody_has_a_longer_road():
    position = cut_at("c6")
    assert list(position.record.road_length) == [3, 0, 0, 1]
    assert position.record.road_holder == -1


def test_after_a_cut_a_tie_that_includes_the_holder_leaves_the_card():
    position = cut_at("c4", (1, "e2-e3-e4-e5-e6-e7"))
    assert list(position.record.road_length) == [5, 5, 0, 1]
    assert position.record.road_holder == 0


def test_after_a_cut_a_shorter_road_that_is_still_longest_keeps_the_card():
    position = cut_at("c4", (1, "e2-e3-e4-e5-e6"))
    assert position.record.road_length[0] == 5
    assert position.record.road_holder == 0


def test_a_card_set_aside_goes_to_who_alone_is_longest_again():
    position = cut_at("c6", (1, "e2-e3-e4-e5-e6-e7"), (2, "f3-f4-f5-f6-f7-f8"))
    position.build(1, "e7-e8")
    assert position.record.road_holder == 1
    assert position.record.points[1] == 2


def test_a_card_set_aside_stays_there_while_a_tie_lasts():
    position = cut_at("c6", (1, "e2-e3-e4-e5-e6-e7"), (2, "f3-f4-f5-f6-f7-f8"))
    position.build(3, "b6-b7")
    assert position.record.road_holder == -1


def test_who_cuts_may_win_the_card_by_it():
    position = cut_at("c6", (3, "e2-e3-e4-e5-e6-e7"))
    assert position.record.road_holder == 3
    assert position.record.points[3] == 3


def test_roads_of_the_setup_count():
    position = Position().road(0, "c3-c4-c5-c6-c7").settlement(0, "c9")
    record = position.record
    record.phase, record.home, record.placed = 1, node("c9"), 0
    position.do(BUILD_ROAD + edge("c8-c9"))
    assert position.record.road_length[0] == 4


def test_free_roads_count():
    position = Position().road(0, "c3-c4-c5-c6-c7").develop(0, 3).do(3, BUILD_ROAD + edge("c7-c8"))
    assert position.record.road_holder == 0


def test_switch_cut_keeps_card_gives_it_to_the_longest_of_any_length_ties_by_seat():
    def cut(*roads):
        position = Position(cut_keeps_card=True).road(0, "c3-c4-c5-c6-c7-c8-c9").holder(0)
        for owner, names in roads:
            position.road(owner, names)
        return position.road(3, "b6-c6").build(3, "c6").record

    assert cut().road_holder == 0  # 3 pieces left, still the longest
    assert cut((1, "e2-e3-e4-e5-e6")).road_holder == 1  # 4 pieces
    assert cut((1, "e2-e3-e4-e5-e6-e7"), (2, "f3-f4-f5-f6-f7-f8")).road_holder == 1  # a tie: the lower seat


# --- against an exhaustive search ------------------------------------------------------------------------------------


@given(data=st.data(), pieces=st.integers(1, 15), walls=st.integers(0, 4))
def test_random_roads_have_the_length_of_an_exhaustive_search(data, pieces, walls):
    position = Position(points=20)
    record = position.record
    start = data.draw(st.integers(0, 53))
    record.home, record.phase, record.placed = start, 1, 0
    position.do(data.draw(st.sampled_from(position.listed())))
    position.record.placed = 8
    for _ in range(pieces - 1):
        position.turn(0).give_for(0, roads=1)
        choices = position.listed_in(BUILD_ROAD, 128)
        if not choices:
            break
        position.do(BUILD_ROAD + data.draw(st.sampled_from(choices)))
        assert position.record.road_length[0] == road_length(position.record, 0)
        if walls and data.draw(st.booleans()):
            walls -= 1
            # Another's settlement anywhere along the roads: placed as if a road of that player led there.
            places = [n for n in range(54) if touches(position.record, n) and free(position.record, n)]
            if places:
                settle(position, data.draw(st.sampled_from(places)))
                assert position.record.road_length[0] == road_length(position.record, 0)


def touches(record, n):
    return any(n in piece for piece in roads_of(record, 0))


def free(record, n):
    built = int(record.settlements[0]) | int(record.settlements[1])
    near = {n} | {m for ends in EDGES if n in ends for m in ends}
    return not any(built >> m & 1 for m in near)


def settle(position, n):
    position.turn(1).give_for(1, settlements=1)
    record = position.record
    # A road of the builder leads to the place, if only for this moment.
    across, down = int(record.across[1]), int(record.down[1])
    number = next(number for ends, number in EDGES.items() if n in ends)
    if number < 64:
        record.across[1] |= record.across.dtype.type(1 << number)
    else:
        record.down[1] |= record.down.dtype.type(1 << number - 64)
    position.do(BUILD_SETTLEMENT + n)
    record = position.record
    record.across[1], record.down[1], record.road_length[1] = across, down, 0
