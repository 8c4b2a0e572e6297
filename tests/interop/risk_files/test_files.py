"""Programs that play by the thesis's files: good ones play as ours do, bad ones lose, and nothing of any is left."""

import json
import shutil
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from oponente import load_game, make_agent
from oponente.agents.base import AgentError
from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec
from oponente.interop.risk.files import FilesAgent
from oponente.interop.risk.mailbox import Mailbox, MailboxError
from oponente.interop.risk.state_file import initial_order, state_file
from oponente.kernel import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="programs are no kernels")

HERE = Path(__file__).parent
THESIS = GameSpec("risk", (("dice", "thesis"), ("rules", "thesis-2022")))
PYTHON = f"'{sys.executable}'"


def files(habit="", **parameters):
    more = "".join(f",{key}={value}" for key, value in parameters.items())
    return f'files:command="{PYTHON} angry.py {{seat}} {habit}",cwd="{HERE}"{more}'


def played(*agents, games=2, seed=1):
    return run_match(MatchSpec(THESIS, agents, games=games, seed=seed)).records


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Have the folders of games made where they can be counted."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("habit", ["", "slow"])
def test_a_program_plays_the_same_games_as_the_agent_of_the_same_name(habit, folders):
    theirs = played(files(habit), "thesis-cluster")
    ours = played("thesis-angry", "thesis-cluster")
    for their, our in zip(theirs, ours, strict=True):
        assert (their.status, their.reason) == ("played", "")
        assert their.actions == our.actions
        assert not their.reproducible
    assert list(folders.iterdir()) == []


def test_programs_play_each_other_side_by_side():
    spec = MatchSpec(THESIS, (files(), files("prints")), games=2, seed=3)
    records = run_match(spec, workers=2).records
    assert [record.actions for record in records] == [
        record.actions for record in played("thesis-angry", "thesis-angry", seed=3)
    ]


@pytest.mark.parametrize(
    ("habit", "parameters", "reason"),
    [
        ("hangs", {"start": 0.5}, "wrote no command within 0.5 s"),
        ("crashes", {}, "ended with exit status 1; its last words: RuntimeError: no idea what to do"),
        ("leaves", {}, "ended with exit status 0"),
        ("illegal", {}, "wrote 11 commands that are not allowed; the last: "),
        ("illegal", {"commands": 5}, "wrote more than 5 commands in a turn"),
        ("unknown", {"mistakes": 0}, "wrote 1 commands that are not allowed; the last: ['fly', 3] is no command"),
        ("shapeless", {"mistakes": 2}, 'the last: ["pass_turn"]; expected {"name": TEXT, "args": LIST}'),
        ("other", {"mistakes": 2}, "the last: id 7, not"),
        ("floods", {}, "wrote a command of more than 65,536 bytes"),
        ("babbles", {"start": 0.5}, "wrote no command within 0.5 s"),
        ("pipes", {}, "made of its file of commands something that is no file"),
        ("folds", {}, "made of its file of commands something that is no file"),
        ("tidies", {}, "removed its folder"),
    ],
)
def test_who_misbehaves_loses_and_the_record_says_why(habit, parameters, reason, folders):
    (record,) = played(files(habit, **parameters), "thesis-random", games=1)
    assert record.status == "forfeit"
    assert record.seats[record.forfeited_by].agent == 0
    assert reason in record.reason
    assert "\n" not in record.reason
    assert list(folders.iterdir()) == []


def test_a_program_that_never_answers_is_not_tried_for_ever():
    records = played(files("mute", start=0.2), "thesis-random", games=5)
    assert all("wrote no command within 0.2 s" in record.reason for record in records)
    assert "3 times, and no other was tried" in records[-1].reason
    assert "tried" not in records[2].reason


def test_programs_that_start_late_are_told_again():
    assert [record.status for record in played(files("late"), "thesis-cluster", games=1)] == ["played"]


def test_a_program_that_does_not_end_is_ended(folders):
    begin = time.monotonic()
    assert played(files("stays", end=0.1), "thesis-cluster", games=1)[0].status == "played"
    assert time.monotonic() - begin < 30
    assert list(folders.iterdir()) == []


def test_a_program_that_has_removed_its_files_is_ended(folders):
    game = load_game("risk", dict(THESIS.options))
    agent = make_agent(files("stays", end=0.1), game)
    agent.begin_game(game, 0)
    (folder,) = folders.iterdir()
    shutil.rmtree(folder / "Logs")
    agent.end_game([1.0, -1.0], "")
    assert list(folders.iterdir()) == []


def test_a_folder_that_can_not_be_filled_is_removed(folders, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("oponente.interop.risk.mailbox._link", fails)
    game = load_game("risk", dict(THESIS.options))
    agent = make_agent(files(), game)
    with pytest.raises(AgentError, match=r"can't be started: .* No space left"):
        agent.begin_game(game, 0)
    assert list(folders.iterdir()) == []


def test_what_a_program_has_learnt_is_brought_back(tmp_path):
    (tmp_path / "angry.py").write_text((HERE / "angry.py").read_text())
    tree = tmp_path / "Risk-Agents" / "montecarlo_tree.json"
    tree.parent.mkdir()
    (tree.parent / "beside.txt").write_text("seen by a link")
    command = f'files:command="{PYTHON} angry.py {{seat}} learns",cwd="{tmp_path}"'
    for keep in ("false", "true"):
        tree.write_text("[]")
        wins = [
            "winner" if record.returns[seat] > 0 else "loser"
            for record in played(f"{command},keep={keep}", "thesis-cluster", games=3)
            for seat in range(2)
            if record.seats[seat].agent == 0
        ]
        assert json.loads(tree.read_text()) == (wins if keep == "true" else [])
    assert sorted(path.name for path in tree.parent.iterdir()) == ["beside.txt", "montecarlo_tree.json"]


# --- what a program is told ----------------------------------------------------------------------------------------


def test_the_state_is_told_as_the_program_tells_it():
    state = load_game("risk", {"rules": "thesis-2022", "start": "thesis"}).start()
    order = initial_order(state)
    told = state_file(state, 0, 1, order)
    assert list(told) == [
        "count", "id", "n_new_troops", "n_total_troops", "enemy_n_total_troops", "state", "countries_owned",
        "countries_data", "border_countries", "connection_matrix", "continents_data",
    ]  # fmt: skip
    assert (told["count"], told["id"], told["state"], told["n_new_troops"]) == (1, 1, "mobilizing", 7)
    assert (told["n_total_troops"], told["enemy_n_total_troops"]) == (40, 40)
    assert told["countries_owned"][:3] == ["Alaska", "Ontario", "Eastern America"]
    assert len(told["countries_data"]) == 42
    assert told["countries_data"]["Alaska"] == {
        "neighbours": ["Northwest America", "Alberta", "Kamchatka"], "owner": 1, "n_troops": 2,
    }  # fmt: skip
    assert told["border_countries"]["Alaska"] == ["Alberta"]
    assert list(told["connection_matrix"]) == told["countries_owned"]
    links = told["connection_matrix"]["Alaska"]
    assert list(links) == told["countries_owned"][1:]
    assert {name for name, linked in links.items() if linked} == {
        "Ontario", "Eastern America", "Central America", "Northwest America", "Venezuela", "Argentina",
        "Kamchatka", "Yakutsk", "Mongolia",
    } - {"Argentina"}  # fmt: skip
    assert list(told["continents_data"]) == [
        "North America", "South America", "Australia", "Europe", "Asia", "Africa",
    ]  # fmt: skip
    assert told["continents_data"]["Australia"]["owner"] is None
    assert state_file(state, 1, 4, order)["state"] == "waiting"
    assert state_file(state, 1, 4, order)["id"] == 2


def test_a_held_continent_has_an_owner():
    game = load_game("risk", {"rules": "thesis-2022", "start": "thesis"})
    state = game.start()
    for territory in (13, 14, 15, 16):
        state.record.owner[territory] = 1
    assert state_file(state, 0, 1, initial_order(state))["continents_data"]["Australia"]["owner"] == 2


def test_time_stamps_rise_by_whole_seconds(tmp_path):
    box = Mailbox(tmp_path, (), 1)
    file = box.path / "Logs" / "player_2.json"
    stamps = [file.stat().st_mtime]
    for count in range(3):
        box.publish({"count": count})
        stamps.append(file.stat().st_mtime)
        assert json.loads(file.read_text()) == {"count": count}
    assert all(after - before >= 1 for before, after in pairwise(stamps))
    calls = box.path / "Calls" / "player_2.json"
    assert box.command() == {"id": 2, "count": 0, "command": {"name": "", "args": []}}
    for text in ("", '{"count": 1', "[1]", '{"count": 1, "count": 2}'):
        calls.write_text(text)
        assert box.command() is None
    calls.unlink()
    assert box.command() is None
    calls.symlink_to("/dev/zero")
    with pytest.raises(MailboxError, match="can't be read"):
        box.command()
    box.remove()
    assert not box.path.exists()


@pytest.mark.parametrize(
    ("options", "spec", "reason"),
    [
        ({}, files(), "give --option rules=thesis-2022"),
        ({"rules": "thesis-2022", "setup": "dealt"}, files(), "leave out --option setup=dealt"),
        ({"rules": "thesis-2022"}, "files", "needs command"),
        ({"rules": "thesis-2022"}, 'files:"no-such-program {seat}"', "there is no program 'no-such-program'"),
        ({"rules": "thesis-2022"}, f'files:command="{PYTHON}",cwd="/nowhere"', "cwd=/nowhere is no folder"),
        ({"rules": "thesis-2022"}, f'files:command="{PYTHON}",copies="../x"', "expected files below cwd"),
        ({"rules": "thesis-2022"}, f'files:command="{PYTHON}",copies="Calls/x"', "expected files below cwd"),
        ({"rules": "thesis-2022"}, f'files:command="{PYTHON}",copies="."', "expected files below cwd"),
        ({"rules": "thesis-2022"}, f'files:command="{PYTHON}",copies="a:./"', "expected files below cwd"),
    ],
)
def test_what_does_not_fit_is_refused(options, spec, reason):
    with pytest.raises(ValueError, match=reason):
        make_agent(spec, load_game("risk", options))


def test_the_spec_of_an_agent_makes_the_same_agent():
    game = load_game("risk", {"rules": "thesis-2022"})
    agent = make_agent(files("x", mistakes=3), game)
    assert isinstance(agent, FilesAgent)
    assert make_agent(agent.spec, game).spec == agent.spec
