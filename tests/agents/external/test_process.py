"""Agents in processes: good ones play, bad ones lose, and nothing of any is left."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from liveness import alive, gone_soon
from oponente import Budget, View, load_game, make_agent
from oponente.agents.base import AgentError
from oponente.agents.external import messages
from oponente.agents.external.child import Child
from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import Stream, stream

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PYTHON = f"'{sys.executable}'"  # the path of a virtual environment may have spaces
HABITS = f"{PYTHON} '{HERE / 'habits.py'}'"
TICTACTOE = GameSpec("tictactoe")


def habit(name, ply=2, limit=30.0, **parameters):
    more = "".join(f",{key}={value}" for key, value in parameters.items())
    return f'process:command="{HABITS} {name} {ply}",limit={limit}{more}'


def played(*agents, game=TICTACTOE, games=2, **values):
    return run_match(MatchSpec(game, agents, games=games, seed=1, **values)).records


def test_good_agents_play_the_same_games_on_any_number_of_workers():
    spec = MatchSpec(TICTACTOE, ('process:"' + HABITS + '"', "random"), games=12, seed=3)
    one, two = run_match(spec).records, run_match(spec, workers=2).records
    assert [record.status for record in one] == ["played"] * 12
    assert [record.without_times() for record in one] == [record.without_times() for record in two]
    assert all(record.reproducible for record in one)
    assert not any(record.reproducible for record in played(habit("counts"), "random"))


@pytest.mark.parametrize(
    ("name", "parameters", "reason"),
    [
        ("hangs", {"limit": 0.3}, "gave no answer within 0.3 s"),
        ("stubborn", {"limit": 0.3}, "gave no answer within 0.3 s"),
        ("hangs", {"time": 0.2, "grace": 0.1}, "gave no answer within 0.3 s"),
        ("crashes", {}, "ended with exit status 1; its last words: RuntimeError: no idea what to do"),
        ("killed", {}, "was ended by signal SIGKILL"),
        ("leaves", {}, "ended with exit status 3"),
        ("floods", {}, "wrote more than 1,048,576 bytes without the end of a line"),
        ("complains", {"limit": 0.3}, "gave no answer within 0.3 s; its last words: xxx"),
        ("chatters", {}, ", which is no JSON object (all else belongs on the standard error)"),
        ("illegal", {}, "answered 987, which is not legal"),
        ("illegal-text", {}, "answered 'Z99': 'Z99' is no cell"),
        ("huge", {}, "which is no JSON object"),
        ("float", {}, 'answered {"action": 1.5}; expected {"action": NUMBER or TEXT}'),
        ("nothing", {}, "answered {}; expected"),
        ("binary", {}, "which is no UTF-8"),
        ("resigns", {}, "resigned"),
        ("mute", {"start": 0.3}, "did not get ready: it gave no answer within 0.3 s"),
        ("stillborn", {}, "did not get ready: it ended with exit status 1; its last words: no such luck"),
        ("old", {}, "did not get ready: it speaks version 0 of the protocol; this is version 1"),
        ("truthful", {}, "did not get ready: it speaks version true of the protocol; this is version 1"),
        ("greedy", {}, 'did not get ready: it wants ["everything"]; there is a list of history, '),
    ],
)
def test_who_misbehaves_loses_and_the_record_says_why(name, parameters, reason):
    for record in played(habit(name, **parameters), "random"):
        assert record.status == "forfeit"
        loser = record.forfeited_by
        assert record.seats[loser].agent == 0
        assert (record.returns[loser], record.returns[1 - loser]) == (-1.0, 1.0)
        assert reason in record.reason
        assert "\n" not in record.reason


def test_who_answers_twice_loses():
    """Mostly the second answer is there before the next question, at times it is taken for the answer to that."""
    for record in played(habit("twice"), "random", games=4):
        assert record.status == "forfeit"
        assert "without being asked" in record.reason or "which is not legal" in record.reason


def test_a_new_process_plays_the_next_game():
    records = played(habit("leaves", ply=5), "random", games=10)
    statuses = [record.status for record in records]
    assert {"forfeit"} < set(statuses) or len(set(statuses)) == 1
    assert records[-1].length >= 5  # it played again after each death


def test_a_process_that_never_gets_ready_is_not_tried_for_ever():
    records = played(habit("stillborn"), "random", games=6)
    assert all(record.status == "forfeit" for record in records)
    assert "3 times, and no other was tried" in records[-1].reason


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux hands orphans over")
def test_children_of_an_agent_end_with_it_even_from_other_sessions(tmp_path, monkeypatch):
    monkeypatch.setenv("CHILDREN", str(tmp_path / "children"))
    played(habit("breeds"), "random")
    numbers = [int(number) for number in (tmp_path / "children").read_text().split()]
    assert len(numbers) >= 3
    assert gone_soon(numbers)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize(("end", "habit_of"), [(signal.SIGINT, "hangs"), (signal.SIGKILL, "breeds")])
def test_nothing_is_left_when_the_match_is_interrupted_or_killed(tmp_path, end, habit_of):
    environment = {**os.environ, "CHILDREN": str(tmp_path / "children"), "OPONENTE_RECORDS": str(tmp_path / "db")}
    command = [sys.executable, "-m", "oponente", "match", "tictactoe", "--games", "1000000"]
    command += [habit(habit_of, ply=0, limit=600), habit("", ply=0)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True) as match:
        deadline = time.monotonic() + 60
        while len(numbers := descendants(match.pid)) < (4 if habit_of == "hangs" else 6):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        match.send_signal(end)
        match.wait(20)
    assert gone_soon(numbers)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_program_that_kills_its_guard_does_not_outlive_it():
    program = "import os, time; os.kill(os.getppid(), 9); print(os.getpid(), flush=True); time.sleep(600)"
    child = Child([sys.executable, "-c", program])
    number = int(child.ask("who are you", 20.0))
    assert alive(number)
    child.end(patience=0.0)
    assert gone_soon([number])


def test_the_log_has_its_limit_whoever_writes_it(tmp_path, monkeypatch):
    monkeypatch.setattr("oponente.agents.external.child.LOG_LIMIT", 10)
    for _ in range(3):
        child = Child([sys.executable, "-c", "import sys; print('123456', file=sys.stderr); print('end')"],
                      log=str(tmp_path / "log"))  # fmt: skip
        child.ask("go", 20.0)
        child.end()
    assert (tmp_path / "log").stat().st_size == 10


def descendants(number):
    """Return the numbers of all processes that come from one."""
    found = []
    try:
        for task in Path(f"/proc/{number}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    except OSError:
        pass
    return found


def test_a_stopped_agent_is_left_at_once():
    game = load_game("tictactoe")
    agent = make_agent(habit("hangs", ply=0, limit=600), game)
    budget = Budget()
    agent.begin_game(game, 0)
    budget.control.stop()
    with pytest.raises(AgentError, match="was stopped"):
        agent.choose(View(game.start(), 0), budget)
    agent.close()


def test_the_standard_error_is_kept_in_a_file(tmp_path):
    played(habit("counts", log=f'"{tmp_path / "log"}"'), "random")
    assert set((tmp_path / "log").read_text().splitlines()) == {"a line that is no error"}


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("process", "agent process needs command: write process:command=VALUE"),
        ('process:command=""', "needs a program"),
        ('process:"no-such-program at all"', "there is no program 'no-such-program'"),
        ('process:"sh \'"', "No closing quotation"),
        ("process:sh,cwd=/no/such/folder", "cwd=/no/such/folder is no folder"),
        ("process:sh,log=/no/such/folder/log", "there is no folder /no/such/folder"),
        ("process:sh,time=0", "time=0.0: expected"),
    ],
)
def test_mistakes_of_the_user_are_told_before_the_match(spec, says):
    with pytest.raises(ValueError, match=says.replace("(", r"\(")):
        make_agent(spec, load_game("tictactoe"))


def test_the_name_is_a_spec_of_the_same_agent(tmp_path):
    game = load_game("tictactoe")
    agent = make_agent(f'process:command="sh -c \'exit 1\'",cwd="{tmp_path}",time=0.5', game)
    assert make_agent(agent.spec, game).parameters == agent.parameters


# --- what the messages say -----------------------------------------------------------------------------------------


def asked(game, text="", seat=None, wants=messages.CONTENTS, told=0):
    state = game.position(text, seed=5)
    ready = messages.Ready(wants=frozenset(wants))
    history = None if game.perfect_information else state.history
    view = View(state, state.player if seat is None else seat, seed=2**63 + 5, history=history)
    return messages.move(view, ready, told, 0.5, 1.5), state


def test_a_question_tells_what_is_wanted():
    message, state = asked(load_game("connect4"), "4435", wants=["history", "legal_texts", "state", "text"], told=2)
    assert message["history"] == [2, 4]
    assert message["legal"] == list(range(7))
    assert message["legal_texts"] == list("1234567")
    assert message["clock"] == {"seconds": 0.5, "limit": 1.5}
    assert message["text"] == state.text(0)
    assert message["seed"] == 5
    assert "features" not in message
    assert set(asked(load_game("connect4"), wants=())[0]) == {"type", "seat", "ply", "clock", "seed", "legal"}


def test_wide_integers_are_texts_and_all_fields_are_there():
    game = load_game("catan")
    message, state = asked(game, "settlement c4; road c4-c5")
    fields = message["state"]
    assert set(fields) == {name for name in game.state_dtype.names if not name.startswith("_")}
    assert fields["settlements"] == [str(mask) for mask in state.record.settlements]
    assert fields["terrain"] == state.record.terrain.tolist()
    assert len(message["features"]) == game.encoding
    assert messages.parse_json(messages.write(message)) == message


def test_a_question_depends_on_nothing_that_is_hidden():
    """The poisoned state has other cards where the seat can't look; what it is asked stays the same."""
    game = load_game("catan", {"players": "3"})
    rng, state = stream(11), game.start(4)
    while not (state.player >= 0 and state.record.turn > 40):
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
        assert not state.is_terminal
    seat = state.player
    ready = messages.Ready(wants=frozenset(messages.CONTENTS))
    other: Stream = stream(99)
    poisoned = state.determinize(seat, other)
    assert poisoned.array.tobytes() != state.array.tobytes()
    history = list(state.history)
    poisoned.history[:] = history
    questions = [
        messages.move(View(one, seat, seed=7, history=history), ready, 0, None, 60.0) for one in (state, poisoned)
    ]
    assert questions[0] == questions[1]


def test_features_are_offered_where_there_are_any():
    assert "features" in messages.hello(load_game("catan"))["contents"]
    greeting = messages.hello(load_game("connect4", {"columns": "8"}))
    assert greeting["options"]["columns"] == 8
    assert ("features" in greeting["contents"]) == bool(load_game("connect4").encoding)


# --- the examples of the documents -----------------------------------------------------------------------------------


@pytest.fixture
def examples(tmp_path):
    text = (ROOT / "docs" / "protocol.md").read_text()
    for language, name in (("python", "agent.py"), ("js", "agent.js")):
        (tmp_path / name).write_text(text.split(f"```{language}\n")[1].split("```")[0])
    return tmp_path


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "catan"])
def test_the_python_example_plays_every_game(examples, game):
    players = load_game(game).num_players
    agents = [f'process:"{PYTHON} agent.py",cwd="{examples}"'] * players
    options = (("turn_limit", "20"),) if game == "catan" else ()
    records = played(*agents, game=GameSpec(game, options), games=2)
    assert [record.status for record in records] == ["played"] * 2
    assert records[0].actions == played(*agents, game=GameSpec(game, options), games=2)[0].actions


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_javascript_example_beats_random(examples):
    agents = f'process:"node agent.js",cwd="{examples}"', "random"
    result = run_match(MatchSpec(GameSpec("connect4"), agents, games=40, seed=1))
    summary = result.summary()["agents"][0]
    assert summary["forfeits"] == 0
    assert summary["wins"] >= 36
