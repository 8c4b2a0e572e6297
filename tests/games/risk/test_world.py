"""Maps and start positions: what ships, what loads, and why what is broken is refused."""

import copy
import json
import re

import pytest

from oponente import load_game
from oponente.games.risk.dice import STANDARD
from oponente.games.risk.shapes import HEIGHT, height_of, places, shapes
from oponente.games.risk.world import WIDTH, classic, data_text, read_world

RING = {
    "name": "ring",
    "territories": [
        {"name": "North", "neighbours": ["East", "West"]},
        {"name": "East", "neighbours": ["North", "South"]},
        {"name": "South", "neighbours": ["East", "West"]},
        {"name": "West", "neighbours": ["North", "South"]},
    ],
    "continents": [{"name": "Upper", "bonus": 2, "territories": ["North", "East"]}],
}
BETWEEN = 14
"""Borders between continents of the classic map."""


def test_the_classic_map():
    world = classic()
    borders = {frozenset((a, b)) for a, place in enumerate(world.territories) for b in place.neighbours}
    assert (len(world.territories), len(borders), len(world.continents)) == (42, 83, 6)
    assert [(c.name, c.bonus, len(c.territories)) for c in world.continents] == [
        ("North America", 5, 9), ("South America", 2, 4), ("Australia", 2, 4),
        ("Europe", 5, 7), ("Asia", 7, 12), ("Africa", 3, 6),
    ]  # fmt: skip
    inside = [sum(b <= set(c.territories) for b in map(set, borders)) for c in world.continents]
    assert inside == [16, 5, 5, 12, 22, 9]
    assert len(borders) - sum(inside) == BETWEEN
    assert frozenset((world.index("East Africa"), world.index("Middle East"))) in borders
    assert sorted(t.symbol for t in world.territories) == [0] * 14 + [1] * 14 + [2] * 14
    assert [t for c in world.continents for t in c.territories] == list(range(42))


def test_every_territory_has_a_shape_around_its_place():
    world = classic()
    for number, (x, y) in enumerate(places(world)):
        assert 0 < x < WIDTH
        assert 0 < y < height_of(world) == HEIGHT
        assert shapes(world)[number], world.territories[number].name


def test_maps_without_places_are_laid_out():
    world = read_world(json.dumps(RING), "ring")
    assert len(set(places(world))) == 4
    assert shapes(world) == ((), (), (), ())


@pytest.mark.parametrize(("at", "height"), [([500, 500], HEIGHT), ([500, 800], 830), ([0, 2000], 2030)])
def test_the_sheet_is_as_high_as_the_map(at, height):
    world = read_world(json.dumps(placed(at)), "ring")
    assert height_of(world) == height
    game = load_game("risk", {"players": "2", "map": json.dumps(placed(at)), "setup": "bare"})
    svg = game.start(1).svg()
    assert f'data-board="0 0 1000 {height}"' in svg
    lines = [int(y) for y in re.findall(r'<text x="\d+" y="(\d+)"', svg)]
    assert max(lines) < int(re.search(r'viewBox="0 0 1000 (\d+)"', svg)[1])
    assert sum(y > height for y in lines) == 3, "the players and what is to be done stand below the map"


def test_land_lies_on_the_sheet():
    land = {"outline": [[0, 0], [1000, 0], [500, 900.5]], "territories": ["North", "South"]}
    world = read_world(json.dumps({**placed([500, 100]), "lands": [land]}), "ring")
    assert height_of(world) == 901


def placed(south):
    """Return a map with places, of which one is given."""
    data = copy.deepcopy(RING)
    for territory, at in zip(data["territories"], ([500, 50], [900, 100], south, [100, 100]), strict=True):
        territory["at"] = at
    return data


LAND = {"outline": [[0, 0], [100, 0], [500, 2001]], "territories": ["North", "South"]}


def changed(**changes):
    data = copy.deepcopy(RING)
    data.update(changes)
    return data


def with_territory(number, **changes):
    data = copy.deepcopy(RING)
    data["territories"][number].update(changes)
    return data


BROKEN = [
    (with_territory(0, neighbours=["East"]), "North is a neighbour of West, but not the other way round"),
    (with_territory(0, neighbours=["East", "West", "North"]), "North is a neighbour of itself"),
    (with_territory(0, neighbours=["East", "Mars"]), "'Mars' is no territory"),
    (with_territory(0, neighbours=["East", "East", "West"]), "'East' is there twice"),
    (with_territory(0, name="East"), "'East' is there twice"),
    (with_territory(0, symbol="infantry"), "East has no 'symbol', but others have"),
    (with_territory(0, name="North > Pole"), "can't begin with a number or hold"),
    (with_territory(0, colour="red"), "unknown key 'colour'"),
    (changed(continents=[{"name": "A", "bonus": 2, "territories": ["North"]}] * 2), "North belongs to A and to A"),
    (changed(continents=[{"name": "A", "bonus": -1, "territories": ["North"]}]), "expected a number from 0 to 100"),
    (changed(continents="none"), "continents: expected a list"),
    (changed(missions=[{"continents": ["Lower"]}]), "'Lower' in a mission is no continent"),
    (changed(missions=[{"destroy": 7}]), "expected a number from 1 to 6"),
    (changed(missions=[{"destroy": 1}]), "needs 24 territories"),
    (
        changed(territories=[{"name": "wild 2", "neighbours": []}, {"name": "C", "neighbours": []}]),
        "can't be called 'wild 2'",
    ),
    (
        changed(territories=[{"name": "Hidden", "neighbours": []}, {"name": "C", "neighbours": []}]),
        "can't be called 'Hidden'",
    ),
    (
        changed(territories=[{"name": "A → B", "neighbours": []}, {"name": "C", "neighbours": []}]),
        "can't begin with a number or hold",
    ),
    (changed(territories=[{"name": "A B", "neighbours": []}, {"name": "A  b", "neighbours": []}]), "is there twice"),
    (changed(missions=[{"territories": 2, "destroy": 1}]), "expected one of continents, territories, destroy"),
    (changed(wraps=[["North", "South"]]), "North and South are no neighbours"),
    (placed([-1, 100]), "at of South is .-1, 100.; expected .x, y., x from 0 to 1000, y from 0 to 2000"),
    (placed([1001, 100]), "at of South is"),
    (placed([500, -0.5]), "at of South is"),
    (placed([500, 2000.5]), "at of South is"),
    ({**placed([500, 100]), "lands": [LAND]}, "outline of a land is .500, 2001."),
    (changed(territories=RING["territories"][:1]), "there are 1; expected 2 to 60"),
    ({"name": "x"}, "the map lacks 'territories'"),
    ([], "expected an object"),
]
APART = changed(
    territories=[
        {"name": "A", "neighbours": ["B"]}, {"name": "B", "neighbours": ["A"]},
        {"name": "C", "neighbours": ["D"]}, {"name": "D", "neighbours": ["C"]},
    ],
    continents=[],
)  # fmt: skip


@pytest.mark.parametrize(
    ("data", "reason"), [*BROKEN, (APART, "no borders lead from A to C")], ids=lambda v: str(v)[:40]
)
def test_broken_maps_are_refused_with_the_reason(data, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        read_world(json.dumps(data), "map")
    assert "\n" not in str(caught.value)


def test_maps_load_from_files(tmp_path):
    path = tmp_path / "ring.json"
    path.write_text(json.dumps(RING))
    game = load_game("risk", {"players": "2", "map": str(path), "setup": "bare"})
    path.unlink()  # what was read is kept
    again = load_game("risk", game.changed_options, kept=True)
    assert again.options.world.name == "ring"
    assert again == game
    with pytest.raises(ValueError, match="expected classic, JSON or the path of a JSON file"):
        load_game("risk", {"map": str(path)})
    with pytest.raises(ValueError, match="map is no JSON"):
        load_game("risk", {"map": "{"})


@pytest.mark.parametrize("option", ["map", "start"])
def test_a_file_that_is_no_json_is_named(tmp_path, option):
    path = tmp_path / "broken.json"
    path.write_text("[1, ")
    with pytest.raises(ValueError, match=f"{option}='.*broken.json' is no JSON: "):
        load_game("risk", {"rules": "thesis-2022", option: str(path)})


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"rules": "thesis-2022", "players": "3"}, "rules=thesis-2022 are for 2"),
        ({"players": "7"}, "players=7: expected int 2..6"),
        ({"setup": "neutral"}, "for 2 players, not 6"),
        ({"players": "2", "victory": "missions"}, "for 3 to 6 players"),
        ({"armies": "3"}, "too few for an army on each of 42 territories"),
        ({"players": "3", "armies": "120", "army_limit": "4"}, "too many where 4 may stand together"),
        ({"cards": "false", "wilds": "1"}, "wilds=1 has no effect"),
        ({"rules": "thesis-2022", "start": "thesis", "setup": "bare"}, "setup=bare has no effect"),
        ({"rules": "thesis-2022", "start": "nowhere.json"}, "start='nowhere.json': expected drawn or thesis, JSON"),
        ({"rules": "thesis-2022", "start": '{"Alaska": [1, 2]}'}, "lacks Alberta, Ontario, Western United States, …"),
        ({"rules": "thesis-2022", "start": '{"Alaska": [3, 2]}'}, "belongs to player 3; expected 1 to 2"),
        ({"rules": "thesis-2022", "start": '{"Alaska": [1, 0]}'}, "has 0 armies; expected 1 to 4095"),
        ({"rules": "thesis-2022", "start": '{"Atlantis": [1, 1]}'}, "'Atlantis' is no territory"),
        ({"dice": "loaded"}, f"expected {STANDARD}"),
        ({"start": "thesis", "players": "3"}, "player 3 of 3 holds no territory; it is for 2: give --option players=2"),
        ({"rules": "thesis-2022", "start": '{"Alaska": [1, NaN]}'}, "NaN is no number in JSON"),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options, reason):
    with pytest.raises(ValueError, match=reason):
        load_game("risk", options)


def test_start_positions_load(tmp_path):
    start = json.loads(data_text("thesis-start.json"))
    start["Alaska"] = [2, 9]
    path = tmp_path / "start.json"
    path.write_text(json.dumps(start))
    state = load_game("risk", {"rules": "thesis-2022", "start": str(path)}).start()
    assert (int(state.record.owner[0]), int(state.record.armies[0])) == (1, 9)
    path.write_text(json.dumps(start), encoding="utf-8-sig")  # as some editors write it
    assert load_game("risk", {"rules": "thesis-2022", "start": str(path)}).start() == state
