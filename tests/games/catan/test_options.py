"""Catan: options and presets."""

import json

import pytest

from oponente.games.catan import rules
from oponente.games.catan.layout import BEGINNER
from oponente.kernel import Game
from tests.games.catan.positions import game_of

OFFICIAL = {
    "points": 10, "discard_limit": 7, "offers": 5, "bank": 19, "turn_limit": 2000, "friendly_robber": False,
    "trade": True, "win_on_any_turn": False, "lone_claimant_unpaid": False, "year_of_plenty_one": False,
    "cut_keeps_card": False, "friendly_counts_hidden": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("preset", "changed"),
    [
        ("official", {}),
        ("jsettlers", {"bank": 120, "turn_limit": 1000}),
        (
            "catanatron",
            {
                "turn_limit": 1000, "win_on_any_turn": True, "lone_claimant_unpaid": True,
                "year_of_plenty_one": True, "cut_keeps_card": True, "friendly_counts_hidden": True,
            },
        ),
    ],
)  # fmt: skip
def test_presets(preset, changed):
    found = game_of(preset=preset).tables.rules
    assert {name: found[name] for name in OFFICIAL} == {**OFFICIAL, **changed}


def test_official_is_the_default():
    assert Game(rules).options.preset == "official"
    assert Game(rules).num_players == 4


def test_an_option_given_goes_before_the_preset():
    found = game_of(preset="catanatron", win_on_any_turn=False, turn_limit=0).tables.rules
    assert not found.win_on_any_turn
    assert found.turn_limit == 0
    assert found.cut_keeps_card


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": "5"}, "players=5"),
        ({"points": "2"}, "points=2"),
        ({"preset": "house"}, "preset=house"),
        ({"bank": "20"}, "bank=20"),
        ({"numbers": "sorted"}, "numbers=sorted"),
        ({"board": "nowhere.json"}, "board=nowhere.json: expected variable, beginner, JSON or the path"),
        ({"board": "{"}, "board is no JSON"),
        ({"board": "{}"}, "tiles must be a list of 19"),
        ({"board": json.dumps({"tiles": [["wood", 5]] * 19, "harbours": [None] * 9})}, "'wood' is no resource"),
        ({"board": json.dumps({"tiles": [["ore", 7]] * 19, "harbours": [None] * 9})}, "7 is no number token"),
        ({"board": json.dumps({"tiles": [["ore", 6]] * 19, "harbours": [None] * 8})}, "harbours must be a list of 9"),
        ({"board": json.dumps({"tiles": [["ore", 6]] * 19, "harbours": [None] * 9, "robber": 19})}, "robber is 19"),
        ({"board": json.dumps({"tiles": [3] * 19, "harbours": [None] * 9})}, "3 in tiles is no pair"),
        ({"board": json.dumps({"hexes": []})}, "expected an object with tiles, harbours and robber"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=r"(?s).*") as error:
        Game(rules, options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_board_from_a_file(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(BEGINNER.to_json(), encoding="utf-8")
    assert Game(rules, {"board": str(path)}).start().array.tobytes() == game_of().start().array.tobytes()
