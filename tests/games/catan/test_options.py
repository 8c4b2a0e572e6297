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
        ({"board": "/"}, "the path of a JSON file (Is a directory)"),
        ({"board": "~nosuchuser/x.json"}, "board=~nosuchuser/x.json: expected variable, beginner, JSON or the path"),
        ({"board": "a\0b"}, "board=a\\x00b: expected variable, beginner, JSON or the path"),
        ({"board": "a\ud800b"}, "board=a\\ud800b: expected variable, beginner, JSON or the path"),
        ({"board": "a\nb"}, "board=a\\nb: expected variable, beginner, JSON or the path"),
        ({"board": "{"}, "board is no JSON"),
        ({"board": BEGINNER.to_json().replace("{", '{"robber": 3, ')}, "an object has the key 'robber' twice"),
        ({"board": "{}"}, "tiles must be a list of 19"),
        ({"board": json.dumps({"tiles": [["wood", 5]] * 19, "harbours": [None] * 9})}, "'wood' is no resource"),
        ({"board": json.dumps({"tiles": [[["ore"], 5]] * 19, "harbours": [None] * 9})}, "['ore'] is no resource"),
        ({"board": json.dumps({"tiles": [["ore", None]] * 19, "harbours": [None] * 9})}, "no hex has a number"),
        ({"board": json.dumps({"tiles": [["ore", 7]] * 19, "harbours": [None] * 9})}, "7 is no number token"),
        ({"board": json.dumps({"tiles": [["ore", 0]] * 19, "harbours": [None] * 9})}, "0 is no number token"),
        ({"board": json.dumps({"tiles": [["ore", True]] * 19, "harbours": [None] * 9})}, "True is no number token"),
        (
            {"board": json.dumps({"tiles": [["ore", 5], [None, 6]] * 9 + [["ore", 4]], "harbours": [None] * 9})},
            "hex 2 is a desert with the number 6: expected [null, null]",
        ),
        ({"board": json.dumps({"tiles": [["ore", 6]] * 19, "harbours": [None] * 8})}, "harbours must be a list of 9"),
        ({"board": json.dumps({"tiles": [["ore", 6]] * 19, "harbours": [None] * 9, "robber": 20})}, "robber is 20"),
        ({"board": json.dumps({"tiles": [["ore", 6]] * 19, "harbours": [None] * 9, "robber": 0})}, "robber is 0"),
        ({"board": json.dumps({"tiles": [3] * 19, "harbours": [None] * 9})}, "3 in tiles is no pair"),
        ({"board": json.dumps({"hexes": []})}, "unknown key 'hexes'; expected tiles, harbours and"),
        ({"board": BEGINNER.to_json().replace("robber", "rober")}, "unknown key 'rober'"),
        # What would change nothing.
        ({"board": "beginner", "numbers": "spiral"}, "numbers=spiral has no effect"),
        ({"board": "beginner", "numbers": "random"}, "numbers=random has no effect"),
        ({"board": BEGINNER.to_json(), "harbours": "fixed"}, "harbours=fixed has no effect"),
        ({"trade": "false", "offers": "3"}, "offers=3 has no effect (trade=false)"),
        ({"friendly_counts_hidden": "true"}, "friendly_counts_hidden=true has no effect (friendly_robber=false)"),
        ({"bank": "unlimited", "lone_claimant_unpaid": "true"}, "lone_claimant_unpaid=true has no effect"),
        ({"preset": "jsettlers", "year_of_plenty_one": "true"}, "has no effect (bank=unlimited)"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=r"(?s).*") as error:
        Game(rules, options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_presets_set_what_has_no_effect():
    found = game_of(preset="catanatron", bank="unlimited", trade=False).tables.rules
    assert found.lone_claimant_unpaid
    assert found.friendly_counts_hidden


def test_a_board_from_a_file_is_kept_itself(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(json.dumps(json.loads(BEGINNER.to_json()), indent=2), encoding="utf-8")
    game = Game(rules, {"board": str(path)})
    path.unlink()
    assert game.start().array.tobytes() == game_of().start().array.tobytes()
    assert game.changed_options == {"board": BEGINNER.to_json()}
    again = Game(rules, game.changed_options, kept=True)
    assert again == game
    assert again.fingerprint() == game.fingerprint() == Game(rules, {"board": BEGINNER.to_json()}).fingerprint()


def test_equal_boards_are_kept_equally():
    data = json.loads(BEGINNER.to_json())
    del data["robber"]
    reordered = {key: data[key] for key in reversed(data)}
    assert Game(rules, {"board": json.dumps(reordered)}) == Game(rules, {"board": BEGINNER.to_json()})


def test_a_kept_path_is_not_read(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(BEGINNER.to_json(), encoding="utf-8")
    with pytest.raises(ValueError, match=r"board\.json: expected variable, beginner or JSON .*kept instead"):
        Game(rules, {"board": str(path)}, kept=True)
