"""Recorded games replayed through the mirror: nothing differs, and what is changed is told."""

import copy

import pytest

from oponente.interop.jsettlers import play
from oponente.interop.jsettlers.conform import conform, transcripts
from oponente.interop.jsettlers.history import actions_of
from oponente.interop.jsettlers.message import parse
from oponente.interop.jsettlers.mirror_core import CHECKS
from tests.interop.jsettlers.helpers import FOLDER, TRANSCRIPTS, lines_of, replayed


def test_recorded_games_are_as_our_rules_have_them():
    report = conform(FOLDER)
    assert report["first_differences"] == []
    assert report["differences"] == 0
    assert report["transcripts"] == 3
    assert report["messages"] == 4000
    assert report["checks"] == {
        "hand_totals": 459,
        "own_hands": 74,
        "pieces": 271,
        "bank_rates": 90,
        "longest_road": 6,
        "largest_army": 5,
        "final_points": 12,
    }
    assert set(report["checks"]) == set(CHECKS)


@pytest.fixture(scope="module")
def lines():
    return lines_of(TRANSCRIPTS[0])


def changed(lines, number, **fields):
    """Return the lines with a field of the message in one of them changed."""
    found = copy.deepcopy(lines)
    message = parse(found[number]["msg"])
    for name, value in fields.items():
        object.__setattr__(message, name, value)
    found[number]["msg"] = message.format()
    assert found[number] != lines[number]
    return found


def places(lines, kind, *, incoming=True):
    """Return where messages of a type stand."""
    way = "in" if incoming else "out"
    return [i for i, line in enumerate(lines) if line["dir"] == way and isinstance(parse(line["msg"]), kind)]


def test_who_is_on_turn_has_won_whatever_points_others_have(lines, tmp_path):
    place = places(lines, play.FinalScores)[0]
    for points in (("12", "7", "9", "10"), ("10", "10", "10", "10")):
        parts = (*points, "true", "true", "true", "true")
        replay = replayed(changed(lines, place, parts=parts), tmp_path)
        (mirror,) = replay._mirrors.values()
        assert mirror.winner == mirror.seats[3]
        assert actions_of(mirror) is not None


def test_a_changed_total_is_told_with_its_line(lines, tmp_path):
    place = places(lines, play.DiceResources)[10]
    gains = parse(lines[place]["msg"]).gains
    wrong = (play.Gain(gains[0].player, gains[0].total + 1, gains[0].amounts), *gains[1:])
    replay = replayed(changed(lines, place, gains=wrong), tmp_path)
    ((line, difference),) = replay.differences
    assert (line, difference.field) == (place + 1, "hand_totals")
    assert difference.theirs == difference.ours + 1


@pytest.mark.parametrize(
    ("kind", "number", "fields"),
    [
        (play.PlayerElements, 20, {"pairs": (1, 9, 2, 9, 3, 9, 4, 9, 5, 9)}),
        (play.BankTrade, 3, {"give": (0, 0, 1, 0, 0)}),
        (play.GameElements, -2, {"pairs": (6, 1)}),
        (play.GameElements, -2, {"pairs": (7, 1)}),
        (play.GameElements, 0, {"pairs": (0, -1)}),
        (play.GameElements, 0, {"pairs": (-2147483649, 0)}),
        (play.FinalScores, 0, {"parts": ("3", "7", "9", "11", "true", "true", "true", "true")}),
        (play.PutPiece, 30, {"place": 35}),
        (play.PutPiece, 30, {"player": 9}),
        (play.Dice, 12, {"total": 7}),
        (play.Turn, 20, {"player": 3}),
        (play.State, 100, {"state": 33}),
        (play.MoveRobber, 2, {"place": 17}),
        (play.Robbery, 1, {"victim": 0}),
        (play.Accept, 2, {"counts": (1, 1, 1, 1, 1, 0, 0, 0, 0, 0)}),
        (play.Discard, 1, {"unknown": 2}),
        (play.SimpleAction, 1, {"value": 3}),
        (play.Card, 1, {"cards": (8,)}),
        (play.ClearOffer, 5, {"player": 7}),
    ],
)
def test_any_changed_value_of_play_is_told(lines, tmp_path, kind, number, fields):
    place = places(lines, kind)[number]
    replay = replayed(changed(lines, place, **fields), tmp_path)
    assert replay.differences
    assert min(line for line, _ in replay.differences if line) >= place


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (play.PutPiece, {"place": 84}),
        (play.MoveRobber, {"place": 55}),
        (play.Discard, {"counts": (1, 1, 1, 1, 1)}),
        (play.Offer, {"get": (0, 0, 0, 0, 3)}),
        (play.PickType, {"resource": 3}),
        (play.ChoosePlayer, {"player": 1}),
    ],
)
def test_a_request_that_is_not_what_was_done_is_told(lines, tmp_path, kind, fields):
    place = places(lines, kind, incoming=False)[-1]
    assert replayed(changed(lines, place, **fields), tmp_path).differences


@pytest.mark.parametrize("number", [0, 30, -1])
@pytest.mark.parametrize("other", [1, 2, 3])
def test_a_rejection_by_a_player_without_an_offer_is_told(lines, tmp_path, number, other):
    place = places(lines, play.Reject)[number]
    player = parse(lines[place]["msg"]).player
    assert replayed(changed(lines, place, player=(player + other) % 4), tmp_path).differences


def test_what_cannot_be_read_differs(lines, tmp_path):
    for wrong, expected in (
        ([*lines[:5], {"t": 0.1, "dir": "up", "msg": "1031|G"}], "expected in or out"),
        ([*lines[:5], {"t": 0.1, "dir": "in", "msg": "1025|G,x"}], "no whole number"),
        ([*lines[:5], {"t": 0.0, "dir": "in", "msg": "1031|G"}], "goes back"),
        ([{"t": 0.1, "dir": "in"}], "t, dir and msg"),
    ):
        replay = replayed(wrong, tmp_path)
        ((_, difference),) = replay.differences
        assert difference.field == "file"
        assert expected in difference.theirs


def test_a_damaged_file_differs(tmp_path):
    path = tmp_path / "damaged.jsonl.gz"
    whole = TRANSCRIPTS[0].read_bytes()
    for place in range(100, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        assert conform(path)["differences"]


def test_half_a_game_differs(lines, tmp_path):
    replay = replayed(lines[: len(lines) // 2], tmp_path)
    assert [difference.field for _, difference in replay.differences][-1] == "end"


def test_an_invitation_that_is_not_accepted_is_no_game(lines, tmp_path):
    more = {**lines[-1], "dir": "in", "msg": "1023|another game,2,PL=4"}
    assert replayed([*lines, more], tmp_path).differences == []


def test_a_folder_without_transcripts_is_refused(tmp_path):
    with pytest.raises(ValueError, match="holds no transcripts"):
        transcripts(tmp_path)
    with pytest.raises(ValueError, match="is no folder"):
        transcripts(tmp_path / "missing")
