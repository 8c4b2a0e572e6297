"""Recorded games of the thesis's Risk program, replayed by our rules; any value changed in them is told."""

import copy
import gzip
import json
from pathlib import Path

import pytest

from oponente import load_game
from oponente.interop.risk.commands import CommandError, command_of, steps
from oponente.interop.risk.conform import conform
from oponente.kernel import COMPILED, stream

DATA = Path(__file__).parents[1] / "data/risk"
SHORT = "game07_angry_vs_montecarlo.jsonl.gz"
pytestmark = pytest.mark.skipif(not COMPILED, reason="minutes in the interpreter")


def lines_of(name=SHORT):
    with gzip.open(DATA / name, "rt") as file:
        return [json.loads(line) for line in file]


def check(folder, lines, name="game.jsonl"):
    (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return conform(folder)


def first(lines, word, key="c"):
    return next(n for n, line in enumerate(lines) if key in line and line[key][0] == word)


def test_all_recordings_agree():
    assert conform(DATA) == {"games": 15, "commands": 8133, "differences": 0, "first_differences": []}


def test_a_recording_may_be_unpacked(tmp_path):
    report = check(tmp_path, lines_of())
    assert (report["games"], report["commands"], report["differences"]) == (1, 149, 0)


def every_value(value, path=()):
    """Yield the path of every number, text and null in a JSON value."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from every_value(inner, (*path, key))
    else:
        yield path


def changed(line, path):
    line = copy.deepcopy(line)
    holder = line
    for key in path[:-1]:
        holder = holder[key]
    value = holder[path[-1]]
    if path == ("winner",):
        holder[path[-1]] = 1 if value == 2 else 2
    else:
        holder[path[-1]] = value + 1 if isinstance(value, int) else f"{value}?"
    return line


def test_every_changed_value_of_a_line_is_told(tmp_path):
    lines = lines_of()
    attack = first(lines, "attack")
    chosen = [0, first(lines, "set_new_troops"), first(lines, "pass_turn"), first(lines, "move_troops"), len(lines) - 1]
    for number in [*chosen, attack]:
        # Which faces show matters only as far as they win. Of the territories' many values each seventh is tried.
        paths = [path for path in every_value(lines[number]) if path[0] != "d"]
        single = [path for path in paths if len(path) == 1]
        for path in [*single, *[path for path in paths if len(path) > 1][:: 7 if len(paths) > 40 else 1]]:
            report = check(tmp_path, [*lines[:number], changed(lines[number], path), *lines[number + 1 :]])
            assert report["differences"] > 0, (number, path)
            told = report["first_differences"][0]
            assert told["file"] == "game.jsonl"
            if path[0] not in ("troops", "type"):  # armies at the start show with the first command
                assert told["line"] == number + 1, (number, path, told)


def test_a_changed_outcome_of_dice_is_told(tmp_path):
    lines = lines_of()
    number = first(lines, "attack")
    attacker, defender = lines[number]["d"]
    won = attacker[0] > defender[0]
    lines[number]["d"] = [[3, 2, 1][-len(attacker) :], [6, 5][: len(defender)]] if won else [[6, 5, 4], defender]
    told = check(tmp_path, lines)["first_differences"][0]
    assert told["line"] == number + 1


@pytest.mark.parametrize(
    "dice", [[[7, 2, 1], [3]], [[3, 3, 1], [3]], [[1, 2, 3], [3]], [[3, 2], [1]], [], "dice", [[3, 2, 1]]]
)
def test_impossible_dice_are_told(tmp_path, dice):
    lines = lines_of()
    number = next(n for n, line in enumerate(lines) if line.get("c", [0])[:2] == ["attack", 3])
    lines[number]["d"] = dice
    told = check(tmp_path, lines)["first_differences"][0]
    assert (told["line"], told["field"]) == (number + 1, "c")


@pytest.mark.parametrize(
    "command",
    [[], ["fly"], "pass_turn", ["pass_turn", 1], ["attack", 4, "Siam", "India"], ["move_troops", 1, "Siam", "Siam"],
     ["set_new_troops", -1, "Siam"], ["set_new_troops", 1, "Atlantis"], ["attack", True, "Siam", "India"],
     ["attack"], ["attack", 3], ["attack", 3, "Siam"], ["attack", 3, "Siam", "India", 1]],
    ids=str,
)  # fmt: skip
def test_impossible_commands_are_told(tmp_path, command):
    lines = lines_of()
    lines[1]["c"] = command
    report = check(tmp_path, lines)
    assert report["differences"] > 0
    assert report["first_differences"][0]["line"] == 2


@pytest.mark.parametrize("value", [None, 3, "text", [], {}, [[1]], {"a": {}}, True], ids=str)
def test_values_of_other_kinds_are_told(tmp_path, value):
    lines = lines_of()
    attack, last = first(lines, "attack"), len(lines) - 1
    for number in (0, 1, attack, last):
        for key in lines[number]:
            changed_line = {**lines[number], key: value}
            if changed_line == lines[number]:
                continue
            report = check(tmp_path, [*lines[:number], changed_line, *lines[number + 1 :]])
            assert report["differences"] > 0, (number, key)


def test_files_that_are_no_recordings_count_as_different(tmp_path):
    (tmp_path / "a.jsonl").write_text("no JSON\n")
    (tmp_path / "b.jsonl").write_text('{"type": "setup"}\n')
    (tmp_path / "c.jsonl.gz").write_bytes(b"no gzip")
    report = conform(tmp_path)
    assert (report["games"], report["differences"]) == (3, 3)
    assert {row["field"] for row in report["first_differences"]} == {"file"}


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_are_told(tmp_path, number):
    lines = [json.dumps(line) for line in lines_of()]
    lines[3] = lines[3].replace('"t": 0', f'"t": {number}')
    (tmp_path / "game.jsonl").write_text("\n".join(lines))
    told = conform(tmp_path)["first_differences"][0]
    assert (told["line"], told["field"]) == (4, "file")
    json.dumps(told, allow_nan=False)


def test_missing_and_further_keys_are_told(tmp_path):
    lines = lines_of()
    del lines[3]["tot"]
    assert check(tmp_path, lines)["first_differences"][-1]["line"] == 4
    lines = lines_of()
    lines[3]["more"] = 1
    assert check(tmp_path, lines)["first_differences"][-1]["line"] == 4


def test_commands_and_steps_translate_into_each_other():
    state = load_game("risk", {"rules": "thesis-2022"}).start(5)
    rng = stream(5, "translate")
    for _ in range(300):
        if state.is_terminal:
            break
        before, actions = state.copy(), []
        while True:  # one whole decision at random
            actions.append(state.sample_action(rng))
            state.apply(actions[-1])
            if state.is_terminal or state.is_chance or int(state.record.phase) in (6, 8, 10, 11):
                break
        again = before.copy()
        command = command_of(before, actions)
        taken = []
        for action in steps(again, command):
            taken.append(action)
            again.apply(action)
        assert taken == actions
        while state.is_chance:
            state.apply_chance(rng)
    with pytest.raises(CommandError):
        next(steps(state, ["attack", 3, "Alaska", "Alaska"]))
