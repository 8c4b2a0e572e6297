"""Recorded games replayed by our rules; any value changed in them is told."""

import gzip
import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from oponente.interop.catanatron.conform import conform
from oponente.interop.catanatron.listing import single_cards
from oponente.interop.catanatron.recording import read_recording
from oponente.interop.catanatron.replay import Replay
from oponente.interop.catanatron.setting import make_game

DATA = Path(__file__).parents[1] / "data/catanatron"
SHORT, TRADING, FRIENDLY = "g00-2p-random", "g06-4p-spiral-trade", "g05-3p-random-friendly"
LISTED = json.loads((DATA / "deviations.json").read_text())


def lines_of(name):
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def write(folder, name, lines, deviations=None):
    key = name.partition("-")[0]
    with gzip.open(folder / f"{name}.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    listed = {key: LISTED[key]} if deviations is None else deviations
    (folder / "deviations.json").write_text(json.dumps(listed))


def first(lines, kind, start=0):
    """Return the number of the first action of a kind."""
    return next(i for i, line in enumerate(lines) if i > start and line["k"] == "a" and line["a"][1] == kind)


@pytest.fixture(scope="module")
def report():
    return conform(DATA)


def test_all_recordings_agree(report):
    assert (report["games"], report["actions"], report["differences"]) == (14, 16884, 0)
    assert report["first_differences"] == []


def test_every_listed_deviation_is_found(report):
    listed = Counter(deviation[1] for deviations in LISTED.values() for deviation in deviations)
    assert report["known_deviations"] == dict(sorted(listed.items()))


def test_a_copy_of_one_game_agrees(tmp_path):
    write(tmp_path, SHORT, lines_of(SHORT))
    report = conform(tmp_path)
    assert (report["games"], report["differences"]) == (1, 0)
    assert report["actions"] == len(lines_of(SHORT)) - 2


def test_recordings_may_be_unpacked(tmp_path):
    text = "".join(json.dumps(line) + "\n" for line in lines_of(SHORT))
    (tmp_path / f"{SHORT}.jsonl").write_text(text)
    (tmp_path / "deviations.json").write_text('{"g00": []}')
    assert conform(tmp_path)["differences"] == 0


def dice(lines):
    line = lines[first(lines, "ROLL", 40)]
    line["r"] = [6, 1] if sum(line["r"]) != 7 else [1, 1]


def impossible_die(lines):
    lines[first(lines, "ROLL", 40)]["r"] = [0, 7]


def drawn_card(lines):
    line = lines[first(lines, "BUY_DEVELOPMENT_CARD")]
    line["r"] = 4 if line["r"] != 4 else 0


def stolen_card(lines):
    place = next(i for i, line in enumerate(lines) if line.get("a", [0, ""])[1] == "MOVE_ROBBER" and "r" in line)
    lines[place]["r"] = (lines[place]["r"] + 1) % 5


def no_stolen_card(lines):
    place = next(i for i, line in enumerate(lines) if line.get("a", [0, ""])[1] == "MOVE_ROBBER" and "r" in line)
    del lines[place]["r"]


def result_without_chance(lines):
    lines[first(lines, "END_TURN")]["r"] = 1


def hash_of_actions(lines):
    lines[first(lines, "END_TURN")]["d"]["lh"] = "0123456789"


def type_of_a_value(lines):
    lines[first(lines, "ROLL")]["d"]["p"]["0"]["11"] = True


def action(lines):
    line = lines[first(lines, "BUILD_ROAD", 12)]
    line["a"][2] = (line["a"][2] + 1) % 72


def seat_of_an_action(lines):
    lines[first(lines, "END_TURN")]["a"][0] ^= 1


def kind_of_an_action(lines):
    lines[first(lines, "END_TURN")]["a"][1] = "END"


def an_action_missing(lines):
    del lines[first(lines, "END_TURN", 100)]


def whole_state(lines):
    place = next(i for i, line in enumerate(lines) if "s" in line)
    lines[place]["s"]["p"][1][0][2] += 1


def end_state(lines):
    lines[-1]["state"]["bank"][4] -= 1


def count_at_the_end(lines):
    lines[-1]["actions"] += 1


def no_end(lines):
    del lines[-1]


def terrain(lines):
    tiles = lines[0]["tiles"]
    place = next(i for i, tile in enumerate(tiles) if tile[0] is not None)
    tiles[place][0] = (tiles[place][0] + 1) % 5


def number_token(lines):
    place = next(i for i, tile in enumerate(lines[0]["tiles"]) if tile[1] == 8)
    lines[0]["tiles"][place][1] = 9


def harbour(lines):
    lines[0]["ports"] = lines[0]["ports"][1:] + lines[0]["ports"][:1]


def robber(lines):
    lines[0]["robber"] = (lines[0]["robber"] + 1) % 19


def points_to_win(lines):
    lines[0]["vps_to_win"] = 9


def more_points_to_win(lines):
    lines[0]["vps_to_win"] = 11


def discard_limit(lines):
    lines[0]["discard_limit"] = 6


def friendly_robber(lines):
    lines[0]["friendly_robber"] = True


def placement(lines):
    lines[0]["number_placement"] = "official_spiral"


def players(lines):
    lines[0]["players"] = 3


def board_of_nonsense(lines):
    lines[0]["tiles"] = 7


def unknown_key_in_the_header(lines):
    lines[0]["victory_points_to_win"] = 10


def unknown_key_at_the_end(lines):
    lines[-1]["winner"] = 0


def start(lines):
    lines[0]["state"]["deck"] = 24


MUTATIONS = [
    dice, impossible_die, drawn_card, stolen_card, no_stolen_card, result_without_chance, hash_of_actions,
    type_of_a_value, action, seat_of_an_action, kind_of_an_action, an_action_missing, whole_state, end_state,
    count_at_the_end, no_end, terrain, number_token, harbour, robber, points_to_win, more_points_to_win, discard_limit,
    friendly_robber, placement, players, board_of_nonsense, unknown_key_in_the_header, unknown_key_at_the_end, start,
]  # fmt: skip


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_changed_value_is_told(tmp_path, mutation):
    lines = lines_of(SHORT)
    mutation(lines)
    write(tmp_path, SHORT, lines)
    report = conform(tmp_path)
    assert report["differences"] > 0
    assert report["first_differences"][0]["file"] == f"{SHORT}.jsonl.gz"


FIELDS = ["bank", "deck", "robber", "prompt", "actor", "turn", "nturn", "disc", "free", "nlegal", "lh", "win"]


@pytest.mark.parametrize("field", [*FIELDS, *range(13)])
def test_every_field_of_the_state_is_compared(tmp_path, field):
    """One field of one state, put right by the next line: a single difference, in that line and field."""
    lines = lines_of(SHORT)
    # An action in the middle game after which no road is looked at anew.
    place = first(lines, "END_TURN", 200)
    state = read_recording(DATA / f"{SHORT}.jsonl.gz").steps[place - 1].state
    changes, following = lines[place]["d"], lines[place + 1]["d"]
    if isinstance(field, int):
        value = state["p"][0][field]
        wrong = [*value, 7] if isinstance(value, list) else value + 1
        changes.setdefault("p", {}).setdefault("0", {})[str(field)] = wrong
        following.setdefault("p", {}).setdefault("0", {}).setdefault(str(field), value)
        name = f"p.0.{field}"
    else:
        value = state[field]
        changes[field] = 5 if value is None else [*value, 7] if isinstance(value, list) else value * 2 + type(value)(1)
        following.setdefault(field, value)
        name = "deviation" if field == "win" else field
    write(tmp_path, SHORT, lines)
    rows = conform(tmp_path)["first_differences"]
    assert (rows[0]["line"], rows[0]["field"]) == (place + 1, name)
    assert {row["field"] for row in rows} <= {name, "deviation"}


@pytest.mark.parametrize(
    "mutation",
    [
        lambda listed: listed.pop(),
        lambda listed: listed.append([9, "road_length", [1, 1, 1, 1], [1, 1, 1, 2]]),
        lambda listed: listed[0].__setitem__(0, listed[0][0] + 1),
        lambda listed: next(d for d in listed if d[1] == "road_length")[3].__setitem__(0, 9),
        lambda listed: listed.append(listed[0]),
    ],
    ids=["unlisted", "not found", "another action", "another length", "twice"],
)
def test_a_changed_deviation_is_told(tmp_path, mutation):
    listed = json.loads(json.dumps(LISTED["g06"]))
    mutation(listed)
    write(tmp_path, TRADING, lines_of(TRADING), {"g06": listed})
    report = conform(tmp_path)
    assert report["differences"] > 0
    assert {row["field"] for row in report["first_differences"]} == {"deviation"}


def test_deviations_of_a_game_that_is_not_there_are_told(tmp_path):
    write(tmp_path, SHORT, lines_of(SHORT), {"g00": [], "g01": [[3, "road_length", [1], [2]]]})
    assert conform(tmp_path)["differences"] == 1


def test_a_listed_game_without_a_file_is_told_though_it_has_no_deviations(tmp_path):
    write(tmp_path, SHORT, lines_of(SHORT), {"g00": [], "g01": []})
    report = conform(tmp_path)
    assert [row["field"] for row in report["first_differences"]] == ["g01: recording"]


@pytest.mark.parametrize(
    "text",
    [None, "{", "[]", '{"g00": 7}', '{"g00": [[]]}', '{"g00": [], "g00": []}', pytest.param("[" * 10**5, id="deep")],
)
def test_unreadable_deviations_are_told(tmp_path, text):
    write(tmp_path, SHORT, lines_of(SHORT))
    (tmp_path / "deviations.json").unlink()
    if text is not None:
        (tmp_path / "deviations.json").write_text(text)
    report = conform(tmp_path)
    assert (report["differences"], report["first_differences"][0]["file"]) == (1, "deviations.json")


@pytest.mark.parametrize("damage", [lambda data: data[:3000], lambda data: b"", lambda data: b"no gzip", bytes.upper])
def test_an_unreadable_file_is_told(tmp_path, damage):
    write(tmp_path, SHORT, lines_of(SHORT))
    shutil.copy(DATA / "g08-2p-spiral.jsonl.gz", tmp_path)
    (tmp_path / "deviations.json").write_text(json.dumps({key: LISTED[key] for key in ("g00", "g08")}))
    file = tmp_path / f"{SHORT}.jsonl.gz"
    file.write_bytes(damage(file.read_bytes()))
    report = conform(tmp_path)
    assert (report["games"], report["differences"]) == (2, 1)
    assert report["first_differences"][0]["file"] == file.name
    assert report["actions"] > 0  # the other one was replayed


@pytest.mark.parametrize("text", ["", "nonsense\n", "[]\n[]\n", '{"k": "head"}\n{"k": "end"}\n'])
def test_a_file_of_nonsense_is_told(tmp_path, text):
    (tmp_path / "g00.jsonl").write_text(text)
    (tmp_path / "deviations.json").write_text("{}")
    assert conform(tmp_path)["differences"] == 1


@pytest.mark.parametrize("kind", ["ACCEPT_TRADE", "CONFIRM_TRADE", "OFFER_TRADE"])
def test_a_changed_trade_is_told(tmp_path, kind):
    lines = lines_of(TRADING)
    line = lines[first(lines, kind)]
    line["a"][2][5 + line["a"][2][5:10].index(0)] += 1
    write(tmp_path, TRADING, lines)
    assert conform(tmp_path)["differences"] > 0


def test_an_answer_to_ones_own_offer_must_be_possible(tmp_path):
    lines = lines_of(TRADING)
    place = LISTED["g06"][0]
    assert place[1] == "offerer_asked_own_trade"
    lines[place[0]]["a"][2][0] += 1
    write(tmp_path, TRADING, lines)
    assert conform(tmp_path)["differences"] > 0


def test_the_friendly_robber_counts_hidden_points():
    replay = Replay(read_recording(DATA / f"{FRIENDLY}.jsonl.gz"))
    replay.run()
    assert replay.differences == []
    assert replay.unlisted["friendly_robber_counts_hidden_points"] > 0


@pytest.mark.parametrize(
    ("bank", "singles"),
    [((2, 2, 2, 2, 2), []), ((1, 2, 2, 2, 2), [0]), ((0, 2, 1, 2, 2), [1, 2, 3, 4]), ((0, 0, 0, 0, 0), [])],
)
def test_single_cards_that_catanatron_lets_year_of_plenty_take(bank, singles):
    header = read_recording(DATA / f"{SHORT}.jsonl.gz").header
    state = make_game(header).start()
    record = state.record
    record.phase, record.cards[0][1], record.mover = 7, 1, 0
    record.bank = sum(count << 8 * resource for resource, count in enumerate(bank))
    assert single_cards(state) == {json.dumps([0, "PLAY_YEAR_OF_PLENTY", [card]]) for card in singles}
    record.fresh[1] = 1
    assert single_cards(state) == set()
