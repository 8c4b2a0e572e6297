"""Catan: the picture is well-formed, shows what is on the board, and tells a seat only what it knows."""

import math
import re
from xml.etree import ElementTree

import pytest

from oponente import load_game
from oponente.games.catan import moves
from oponente.games.catan.board import EDGES, HARBOUR_ENDS, tile_corners
from oponente.games.catan.cards import KNIGHT, MONOPOLY, RESOURCES, VICTORY_POINT
from oponente.games.catan.draw import node_point, tile_point
from oponente.games.catan.names import board_of, edge_text, node_text
from oponente.kernel import stream
from tests.games.catan.positions import Position, game_of, offer, random_states

SVG = "{http://www.w3.org/2000/svg}"


def drawn(state, seat=None):
    """Return the root of the picture."""
    return ElementTree.fromstring(load_game("catan").draw.svg(state, seat))


def with_data(root, name, **more):
    """Return the elements that have ``data-name``, and further data of given values."""
    return [
        element
        for element in root.iter()
        if f"data-{name}" in element.attrib and all(element.get(f"data-{k}") == str(v) for k, v in more.items())
    ]


def texts(element):
    """Return all that is written in an element, tooltips included."""
    return [part.text for part in element.iter() if part.tag in (f"{SVG}text", f"{SVG}title")]


def panel(root, seat):
    """Return the panel of a player."""
    (found,) = with_data(root, "player", player=seat + 1)
    return found


def cards_in(element):
    """Return the number of resource cards by kind in a panel."""
    return {card.get("data-card"): int(card.get("data-count")) for card in with_data(element, "card")}


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_tiles_and_harbours_are_those_of_the_board(seat):
    state = Position().state
    board, root = board_of(state), drawn(state, seat)
    for tile in range(19):
        (found,) = with_data(root, "tile", tile=tile + 1)
        if board.numbers[tile]:
            assert str(board.numbers[tile]) in texts(found)
            pips = [e for e in found.iter(f"{SVG}circle") if e.get("r") == "1.8"]
            assert len(pips) == 6 - abs(7 - board.numbers[tile])
        assert len(with_data(found, "robber")) == (board.robber == tile)
    labels = sorted(found.find(f"{SVG}text").text for found in with_data(root, "harbour"))
    assert labels == sorted(["3:1"] * 4 + [f"2:1 {kind}" for kind in ("brick", "grain", "lumber", "ore", "wool")])
    assert {e.get("data-harbour") for e in with_data(root, "harbour")} == {
        " ".join(map(node_text, ends)) for ends in HARBOUR_ENDS
    }


def test_nodes_lie_at_the_corners_of_their_tiles():
    for tile in range(19):
        x, y = tile_point(tile)
        for node in tile_corners(tile):
            a, b = node_point(node)
            assert (a - x) ** 2 + (b - y) ** 2 == pytest.approx(60**2, rel=0.01)


def test_each_node_and_edge_is_there_once():
    position = Position().settlement(0, "c4").city(1, "e5").road(0, "c4-c5-c6")
    root = drawn(position.state)
    assert sorted(e.get("data-node") for e in with_data(root, "node")) == sorted(map(node_text, range(54)))
    assert sorted(e.get("data-edge") for e in with_data(root, "edge")) == sorted(map(edge_text, EDGES))


def test_pieces_are_those_on_the_board():
    position = (
        Position().settlement(0, "c4", "a3").city(1, "e5").settlement(3, "f7").road(0, "c4-c5-c6").road(2, "d3-d4")
    )
    root = drawn(position.state, 1)
    pieces = {(e.get("data-node"), e.get("data-piece"), e.get("data-seat")) for e in with_data(root, "piece")}
    assert pieces == {
        ("c4", "settlement", "1"),
        ("a3", "settlement", "1"),
        ("e5", "city", "2"),
        ("f7", "settlement", "4"),
    }
    roads = {(e.get("data-edge"), e.get("data-seat")) for e in with_data(root, "edge") if e.get("data-seat")}
    assert roads == {("c4-c5", "1"), ("c5-c6", "1"), ("d3-d4", "3")}
    for element in [*with_data(root, "piece"), *(e for e in with_data(root, "edge") if e.get("data-seat"))]:
        assert element.get("data-seat") in texts(element), "the number is on the piece"


def test_players_as_a_seat_knows_them():
    position = Position().settlement(0, "c4").give(0, wool=2, ore=1).give(1, grain=3)
    position.develop(0, KNIGHT, VICTORY_POINT).develop(1, MONOPOLY)
    # Seat 1 has stolen nothing, but one of its grain is not known to seat 0.
    position.record.known[1, 0] -= position.record.known[1, 0] // 3
    mine, other = (panel(drawn(position.state, 0), seat) for seat in (0, 1))
    assert cards_in(mine) == {"wool": 2, "ore": 1}
    assert "1 point (2 in all)" in texts(mine)
    assert "dev. cards: 1 knight, 1 victory point" in texts(mine)
    assert cards_in(other) == {"grain": 2, "not known": 1}
    assert "1 development card" in texts(other)
    assert cards_in(panel(drawn(position.state, None), 1)) == {"grain": 3}
    assert "dev. cards: 1 monopoly" in texts(panel(drawn(position.state, None), 1))
    assert "1 point" in texts(panel(drawn(position.state, 1), 0)), "hidden points stay hidden"


def test_awards_roll_and_offer():
    position = Position().road(2, "c4-c5-c6-c7-c8-c9").holder(2).give(0, wool=1).give(1, ore=1)
    assert not with_data(drawn(position.state), "offer")
    position.do(offer({"wool": 1}, {"ore": 1}), moves.ACCEPT)
    root = drawn(position.state, 3)
    (shown,) = with_data(root, "offer")
    assert texts(shown) == ["player 1 offers 1 wool for 1 ore", "player 2: accept"]
    assert [e.get("data-rolled") for e in with_data(root, "rolled")] == ["8"]
    assert [e.get("data-award") for e in with_data(panel(root, 2), "award")] == ["longest road"]
    assert len(with_data(root, "award")) == 1
    assert "0 knights · road 5" in texts(panel(root, 2))
    assert "Player 3 answers the offer" in texts(root)


@pytest.mark.parametrize(("winner", "headline"), [(1, "player 2 has won"), (4, "draw: the limit of turns is reached")])
def test_the_end(winner, headline):
    position = Position()
    position.record.winner, position.record.phase, position.record.actor = winner, moves.OVER, -2
    assert position.state.is_terminal
    assert f"Catan, {headline}" in texts(drawn(position.state))


# --- what lies over what --------------------------------------------------------------------------------------------


def boxes(element, x=0.0, y=0.0, size=0.0, bold=False, anchor="start"):
    """Yield the text, the left, top, right and bottom end of all that is written, widely estimated."""
    shift = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    x, y = (x + float(shift[1]), y + float(shift[2])) if shift else (x, y)
    size = float(element.get("font-size", size))
    bold = element.get("font-weight", "bold" if bold else "") == "bold"
    anchor = element.get("text-anchor", anchor)
    if element.tag == f"{SVG}text":
        # Letters of a wide font; those of other fonts are narrower.
        width = size * sum(0.38 if c in " .,:;()'|ijlt" else 0.66 for c in element.text) * (1.1 if bold else 1)
        left = x + float(element.get("x")) - {"start": 0, "middle": width / 2, "end": width}[anchor]
        base = y + float(element.get("y"))
        yield element.text, left, base - 0.73 * size, left + width, base + 0.1 * size
    for child in element:
        yield from boxes(child, x, y, size, bold, anchor)


def overlapping(found):
    """Return the pairs of boxes that lie over each other, and not only by estimate."""
    return [
        (one[0], other[0])
        for i, one in enumerate(found)
        for other in found[:i]
        if min(one[3], other[3]) - max(one[1], other[1]) > 0.5 and min(one[4], other[4]) - max(one[2], other[2]) > 0.5
    ]


def check_texts(root):
    """Check that no text of a picture lies over another one, or beyond the picture, or under the edge of its panel."""
    width, height = float(root.get("width")), float(root.get("height"))
    found = list(boxes(root))
    for text, left, top, right, bottom in found:
        assert left >= 0, text
        assert top >= 0, text
        assert right <= width, text
        assert bottom <= height, text
    # The name of a building lies on the roads there, over their numbers.
    named = [e.text for e in with_data(root, "name")]
    clashes = [pair for pair in overlapping(found) if not (set(pair) & set(named) and set(pair) & set("1234"))]
    assert not clashes
    for element in with_data(root, "player"):
        frame = element.find(f"{SVG}rect")
        for text, left, _, right, bottom in boxes(element):
            y = float(re.match(r"translate\(\S+ (\S+)\)", element.get("transform"))[1])
            base = y + float(frame.get("height"))
            assert bottom <= base - 4, text
            assert right - left <= float(frame.get("width")) - 16, text


def test_a_hidden_victory_point_does_not_lie_over_whose_turn_it_is():
    position = Position().develop(0, VICTORY_POINT)
    position.record.points[0] = 9
    root = drawn(position.state, 0)
    assert "9 points (10 in all)" in texts(panel(root, 0))
    assert "to act" in texts(panel(root, 0))
    check_texts(root)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_text_lies_over_another(players):
    for i, state in enumerate(random_states(game_of(players=players), 20 + players, 4000)):
        if i % 200 == 0 or state.is_terminal:
            for seat in (None, *range(players)):
                check_texts(drawn(state, seat))


def test_no_text_lies_over_another_where_a_seat_has_all_there_may_be():
    position = Position(bank="unlimited").give(0, lumber=18, brick=19, wool=17, grain=16, ore=15)
    position.develop(0, *(card for card, count in enumerate((10, 2, 2, 2, 5)) for _ in range(count)))
    position.road(0, "c1-c2-c3-c4-c5-c6-c7-c8").holder(0)
    position.record.army_holder, position.record.played[0, KNIGHT] = 0, 14
    position.record.points[0], position.record.road_length[0] = 19, 15
    position.record.known[0, 1] = 0  # and nothing is known of them
    for seat in (None, 0, 1):
        root = drawn(position.state, seat)
        check_texts(root)
        mine = panel(root, 0)
        assert len(with_data(mine, "award")) == 2
        assert any(text.startswith("left: ") for text in texts(mine)), "the pieces left are there beside awards"
    assert cards_in(mine) == {"not known": 85}


def coast(x, y):
    """Return how far a point is from the hexes, 0 on them."""
    return min(
        max(0.0, *(abs((x - a) * c + (y - b) * s) - 52 for c, s in NORMALS)) for a, b in map(tile_point, range(19))
    )


NORMALS = [(math.cos(math.radians(angle)), math.sin(math.radians(angle))) for angle in (0, 60, 120)]


@pytest.mark.parametrize("seed", range(8))
def test_labels_of_harbours_lie_in_the_sea(seed):
    root = drawn(game_of(board="variable").start(seed))
    sea = root.find(f"{SVG}g/{SVG}rect")
    left, top = (float(n) for n in re.findall(r"[\d.]+", root.findall(f"{SVG}g/{SVG}g")[0].get("transform")))
    for found in with_data(root, "harbour"):
        label = found.find(f"{SVG}rect")
        x, y, width, height = (float(label.get(name)) for name in ("x", "y", "width", "height"))
        # The beach is 11 wide.
        corners = [(x + width * i / 20, y + height * j) for i in range(21) for j in (0, 0.5, 1)]
        assert min(coast(*corner) for corner in corners) > 12, texts(found)
        assert 0 < left + x < left + x + width < float(sea.get("width"))
        assert 0 < top + y < top + y + height < float(sea.get("height"))


# --- names and symbols ----------------------------------------------------------------------------------------------


def test_every_intersection_is_named_in_writing():
    position = Position().settlement(0, "c4").city(1, "e5").road(0, "c4-c5-c6")
    written = [e.text for e in drawn(position.state).iter(f"{SVG}text")]
    assert all(written.count(node_text(node)) == 1 for node in range(54))


def test_cards_have_a_symbol_beside_their_colour():
    position = Position().give(0, wool=2, ore=1)
    root = drawn(position.state)
    for card in with_data(root, "card"):
        kind = RESOURCES.index(card.get("data-card"))
        (symbol,) = card.iter(f"{SVG}use")
        assert symbol.get("href") == f"#catan-{kind}"
    assert len(with_data(root, "card")) == 7
    assert {g.get("id") for g in root.iter(f"{SVG}g") if g.get("id")} == {f"catan-{kind}" for kind in range(6)}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_well_formed_and_small(players):
    for i, state in enumerate(random_states(game_of(players=players), players, 3000)):
        if i % 100 and not state.is_terminal:
            continue
        picture = load_game("catan").draw.svg(state, i % players)
        ElementTree.fromstring(picture)
        assert len(picture) < 48_000


def test_a_picture_tells_a_seat_only_what_it_knows():
    rng = stream(7, "determinize")
    svg = load_game("catan").draw.svg
    differs = 0
    for i, state in enumerate(random_states(game_of(players=4), 6, 900)):
        if i % 30:
            continue
        for seat in range(4):
            for _ in range(2):
                other = state.determinize(seat, rng)
                assert svg(other, seat) == svg(state, seat)
                differs += svg(other, None) != svg(state, None)
    assert differs > 20, "what is hidden is often another than before"
