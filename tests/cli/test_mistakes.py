"""One line for each mistake of a user's."""

import json
import os
import subprocess
import sys

import pytest

from cli.users_files import AGENT, BAD_AGENTS, NIM


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["frob"], "there is no command 'frob'; there are games, agents"),
        (["games", "chess"], "there is no game 'chess'; there are tictactoe, connect4"),
        (["match", "connect4", "uct:10"], "connect4 is played by 2 agents"),
        (["match", "connect4", "uct:10", "nope"], "there is no agent 'nope'; there are"),
        (["match", "connect4", "uct:c=x", "random"], "c=x: expected float"),
        (["match", "connect4", "random", "random", "--option", "columns"], "write --option KEY=VALUE"),
        (["match", "connect4", "random", "random", "--option", "columns=99"], "columns=99: expected int 1..10"),
        (["match", "connect4", "random", "random", "--games", "0"], "--games"),
        (["match", "connect4", "random", "random", "--out", "/no/such/folder/x.db"], "there is no folder"),
        (["match", "connect4", "random", "random", "--export", "games.xyz"], ".csv, .parquet, .json"),
        (["match", "connect4", "random", "random", "--agent-file", "/no/such.py"], "/no/such.py can't be read"),
        (["match", "nim", "random", "random", "--game-file", "/no/such.py"], "there is no file /no/such.py"),
        (["analyse", "connect4"], "give a POSITION"),
        (["analyse", "connect4", "48"], "there is no column 8"),
        (["analyse", "connect4", "44", "--agent", "random"], "can't explain itself"),
        (["analyse", "connect4", "1212121"], "the game is over"),
        (["analyse", "connect4", "--positions", "/no/such.json"], "can't be read"),
        (["draw", "connect4", "4x"], "'x' is no column"),
        (["draw", "connect4", "4", "-o", "/no/such/folder/x.svg"], "there is no folder /no/such/folder"),
        (["replay", "such.db"], "there is no file such.db"),
        (["replay", "~nosuchuser/x.db"], "there is no file ~nosuchuser/x.db"),
        (["match", "tictactoe", "random", "random", "--out", "~nosuchuser/x.db"], "there is no folder ~nosuchuser"),
        (["games", "--game-file", "~nosuchuser/x.py"], "there is no file ~nosuchuser/x.py"),
        (["games", "catan", "--option", "board=~nosuchuser/x.json"], "board=~nosuchuser/x.json: expected variable"),
        (["games", "catan", "--option", "turn_limit=x"], "turn_limit=x: expected int 0..1000000000"),
        (
            ["games", "catan", "--option", "board=beginner", "--option", "numbers=spiral"],
            "numbers=spiral has no effect",
        ),
        (["play", "connect4", "human"], "has 2 seats, but 1 agents"),
        (["bench", "chess"], "there is no game 'chess'"),
        (["experiment", "nope"], "nope"),
    ],
)
def test_mistakes_get_one_line(run, arguments, message):
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("oponente: ")
    assert message in err
    assert "damaged" not in err


def test_mistakes_get_one_line_also_without_asserts():
    program = """
import json, sys
from oponente.cli.main import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as end:
        print(end.code, flush=True)
"""
    command = [sys.executable, "-O", "-c", program, json.dumps(MISTAKES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["2"] * len(MISTAKES)
    lines = done.stderr.splitlines()
    assert len(lines) == len(MISTAKES)
    assert all(line.startswith("oponente: ") for line in lines)


MISTAKES = [
    ["experiment", "connect4-report", "--out", "missing/report.html"],
    ["experiment", "catan-pucrs", "--figures", __file__],
    ["match", "tictactoe", "random", "random", "--figures", __file__],
    ["match", "tictactoe", "random"],
    ["conform", "catanatron", "nowhere"],
    ["replay", "--match", "7"],
]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1 +", "line 1: SyntaxError"),
        ("import nothing_of_this_name", "line 1: ModuleNotFoundError"),
        ("NAME = 'nim'", "lacks State"),
        (NIM.replace("PLAYERS, ", "").replace(", 2, 3", ", 3"), "lacks PLAYERS"),
        (NIM.replace("def returns", "def payoff"), "lacks returns"),
        (NIM.replace("state.stones -= action", "state.stonez -= action"), "can't be compiled"),
        (NIM.replace("state.stones = 9", "state.stones = 'nine'"), "line 20 can't be compiled: Cannot cast"),
        (NIM.replace("min(3, state", "least(3, state"), "NameError: name 'least' is not defined"),
    ],
)
def test_broken_game_files_get_one_line(run, tmp_path, text, message):
    file = tmp_path / "broken.py"
    file.write_text(text)
    status, _, err = run("match", "nim", "random", "random", "--game-file", file, "--games", 2)
    assert status == 2
    assert len(err.splitlines()) == 1
    assert message in err
    assert "broken.py" in err or "user_broken" in err


BAD_RULES = {
    "a utility that is no number": ("= -1.0, 1.0", "= np.nan, 1.0", "every utility must be a finite number"),
    "too many actions": ('PLAYERS, MAX_ACTIONS = "nim", 2, 3', 'PLAYERS, MAX_ACTIONS = "nim", 2, 1', "MAX_ACTIONS = 1"),
    "no action": ("    return count", "    return 0", "0 actions or outcomes are listed"),
    "no such player": ("return state.mover if", "return state.mover + 7 if", "player returned 7; expected 0 to 1"),
    "players as text": ('"nim", 2, 3', '"nim", "2", 3', "PLAYERS is '2'; expected int"),
}


@pytest.mark.parametrize("name", BAD_RULES)
def test_rules_that_can_not_be_get_one_line(tmp_path, name):
    old, new, message = BAD_RULES[name]
    assert old in NIM
    (tmp_path / "broken.py").write_text("import numpy as np\n" + NIM.replace(old, new))
    match = ("match", "nim", "random", "random", "--games", "2", "--json", "--game-file", tmp_path / "broken.py")
    # In the interpreter, where nothing compiles, but for one of them; without asserts, which guard nothing of a user's.
    compiled = "0" if name == "no action" else "1"
    done = subprocess.run(
        [sys.executable, "-O", "-m", "oponente", *map(str, match)],
        env={**os.environ, "NUMBA_DISABLE_JIT": compiled},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    said = [line for line in done.stderr.splitlines() if not line.startswith("compil")]
    assert len(said) == 1
    assert message in said[0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nothing", "is no JSON file"),
        ("{}", 'holds no list "positions"'),
        ('{"positions": [{"move": "4"}]}', 'position 1 has no text "moves"'),
        ('{"positions": [{"moves": "4"}, {"moves": "49"}]}', "position 2: move 2 (9)"),
    ],
)
def test_broken_position_files_get_one_line(run, tmp_path, content, message):
    file = tmp_path / "positions.json"
    file.write_text(content)
    status, _, err = run("analyse", "connect4", "--positions", file, "--agent", "alphabeta:2")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert message in err


ABSTRACT = AGENT.replace("def choose", "def chose")
THINKER = '''
from oponente import SearchAgent


class Thinker(SearchAgent):
    """Fails to think."""

    name = "thinker"

    def analyse(self, view, budget):
        raise KeyError("nothing")
'''


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (BAD_AGENTS, ["play", "connect4", "lost", "random"], "lost returned 77, which is not legal"),
        (BAD_AGENTS, ["play", "connect4", "fails", "random"], "fails raised KeyError: 'nothing'"),
        (BAD_AGENTS, ["play", "connect4", "lost", "random", "--position", "48"], "there is no column 8"),
        (ABSTRACT, ["play", "connect4", "last", "random"], "Last lacks choose"),
        (ABSTRACT, ["match", "connect4", "last", "random"], "Last lacks choose"),
        (ABSTRACT, ["analyse", "connect4", "", "--agent", "last"], "Last lacks choose"),
        (THINKER, ["analyse", "connect4", "", "--agent", "thinker"], "thinker raised KeyError: 'nothing'"),
    ],
)
def test_bad_agents_get_one_line(run, tmp_path, text, arguments, message):
    (tmp_path / "bad.py").write_text(text)
    status, _, err = run(*arguments, "--agent-file", tmp_path / "bad.py")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert err.startswith("oponente: ")
    assert message in err


def test_an_agent_that_raises_as_it_is_closed_hides_no_mistake(run, tmp_path):
    (tmp_path / "bad.py").write_text(f"{THINKER}\n    def close(self):\n        raise OSError('no longer there')\n")
    status, _, err = run("analyse", "connect4", "", "--agent", "thinker", "--agent-file", tmp_path / "bad.py")
    assert status == 2
    note, mistake = err.splitlines()
    assert note == "note: thinker raised OSError at the end: no longer there"
    assert "thinker raised KeyError: 'nothing'" in mistake


def test_damaged_database_gets_one_line(run, tmp_path):
    file = tmp_path / "damaged.db"
    file.write_bytes(b"this is no database at all, but long enough to be taken for one" * 40)
    for arguments in (["match", "connect4", "random", "random", "--out", file], ["replay", file]):
        status, _, err = run(*arguments)
        assert status == 2
        assert len(err.splitlines()) == 1


def test_numbers_too_large_get_one_line(run):
    status, _, err = run("replay", "--match", 1, "--game", 10**20)
    assert status == 2
    assert len(err.splitlines()) == 1
