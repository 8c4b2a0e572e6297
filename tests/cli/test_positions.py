"""The command line: a position is the same in play, draw, analyse and replay; what a seat sees; where pictures go."""

import io
import json
import shlex
from pathlib import Path

import pytest

from oponente import load_game
from oponente.agents.view import View
from oponente.cli.common import position_text
from oponente.kernel import stream

SETUP = "settlement b4; road b3-b4"


def wrong(run, *arguments):
    """Return the line that a user's mistake gets."""
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    return err


def played(seed, count, **options):
    """Return a Catan game after random actions, and chance."""
    state, rng = load_game("catan", options).start(seed), stream(seed, "positions")
    for _ in range(count):
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
    return state


# --- the start of a seed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 5])
def test_a_seed_is_the_same_board_in_every_command(ok, run, monkeypatch, seed):
    state = load_game("catan").start(seed)
    assert state != load_game("catan").start(0)
    given = ("--seed", seed) if seed != 1 else ()  # 1 is what all take that are told nothing
    assert ok("draw", "catan", *given) == state.svg() + "\n"
    state = load_game("catan").position(SETUP, seed)
    assert ok("draw", "catan", SETUP, *given) == state.svg() + "\n"
    shown = View(state, state.player).text()
    assert shown in ok("analyse", "catan", SETUP, "--agent", "uct:iterations=1", *given)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    arguments = ("play", "catan", "random", "human", "random", "random", *given)
    status, out, err = run(*arguments, "--position", SETUP)
    assert status == 0
    assert shown in err
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert shown.splitlines()[:5] == run(*arguments)[2].splitlines()[1:6], "the same without a position"
    assert shlex.join(["catan", "--seed", str(seed), position_text(state.game, seed, state.history)]) in out


def test_positions_of_a_file_may_have_seeds_of_their_own(ok, tmp_path):
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({"positions": [{"moves": SETUP, "seed": 5}, {"moves": SETUP}]}))
    arguments = ("--agent", "uct:iterations=20", "--json")
    found = json.loads(ok("analyse", "catan", "--positions", file, "--seed", 7, *arguments))["results"]
    assert [(result["moves"], result.get("seed")) for result in found] == [(SETUP, 5), (SETUP, None)]
    # With equal seeds of the agent: what differs is the board.
    (tmp_path / "same.json").write_text(json.dumps({"positions": [{"moves": SETUP, "seed": 7}]}))
    same = json.loads(ok("analyse", "catan", "--positions", tmp_path / "same.json", "--seed", 7, *arguments))
    assert same["results"][0]["values"] == found[1]["values"] != found[0]["values"]
    assert json.loads(ok("analyse", "catan", SETUP, "--seed", 7, *arguments))["seed"] == 7


@pytest.mark.parametrize("seed", ["5", -1, 2**63, True, 1.5, None])
def test_a_wrong_seed_in_a_file_of_positions(run, tmp_path, seed):
    file = tmp_path / "positions.json"
    file.write_text(json.dumps({"positions": [{"moves": "4", "seed": seed}]}))
    assert 'position 1: "seed" is no whole number' in wrong(run, "analyse", "connect4", "--positions", file)


# --- positions of kept games ---------------------------------------------------------------------------------------


def test_the_position_of_a_kept_game_is_found_by_every_command(ok):
    ok("match", "catan", "random", "random", "random", "--option", "players=3", "--games", 1, "--seed", 9)
    shown = ok("replay", "--game", 0, "--ply", 60)
    arguments = shlex.split(ok("replay", "--game", 0, "--ply", 60, "--position"))
    assert arguments[:3] == ["catan", "--option", "players=3"]
    assert ok("draw", *arguments) == ok("replay", "--game", 0, "--ply", 60, "-o", "-")
    state = load_game("catan", {"players": "3"}).position(arguments[-1], int(arguments[-2]))
    assert shown == state.text() + "\n"
    (entry,) = json.loads(ok("replay", "--game", 0, "--ply", 60, "--position", "--json"))["positions"]
    assert entry == {"moves": arguments[-1], "seed": int(arguments[-2])}
    last = shlex.split(ok("replay", "--position"))
    assert last[-1].startswith(arguments[-1])


@pytest.mark.parametrize("game", ["connect4", "tictactoe"])
def test_positions_of_other_games_are_written_shortly(ok, game):
    ok("match", game, "random", "random", "--games", 1)
    word, _, seed, moves = shlex.split(ok("replay", "--game", 0, "--ply", 5, "--position"))
    assert word == game
    assert len(moves) == 5
    assert ok("replay", "--game", 0, "--ply", 5) == load_game(game).position(moves, int(seed)).text() + "\n"


def test_a_notation_that_does_not_read_itself_back_is_told(run, ok, tmp_path):
    rules = Path(__file__).parents[1].joinpath("toy_games", "clash.py").read_text()
    rules += '\n\ndef action_text(state, action):\n    return "secret"\n'
    (tmp_path / "mute.py").write_text(rules.replace('NAME = "clash"', 'NAME = "mute"'))
    arguments = ("--game-file", tmp_path / "mute.py")
    ok("match", "mute", "random", "random", "--games", 1, *arguments)
    assert "the notation of mute does not read back" in wrong(run, "replay", "--game", 0, "--position", *arguments)


# --- what a seat sees ----------------------------------------------------------------------------------------------


def test_a_seat_is_shown_what_it_sees(ok):
    state = played(5, 1500)
    moves = position_text(state.game, 5, state.history)
    pictures = {seat: ok("draw", "catan", moves, "--seed", 5, "--seat", seat + 1) for seat in range(4)}
    assert pictures == {seat: state.svg(seat) + "\n" for seat in range(4)}
    assert ok("draw", "catan", moves, "--seed", 5) not in pictures.values()


def test_a_replay_for_a_seat(ok, tmp_path):
    short = ("--option", "points=4", "--option", "trade=false")
    ok("match", "catan", "random", "random", "random", "random", "--games", 1, "--seed", 2, *short)
    whole = json.loads(ok("replay", "--game", 0, "--json"))
    seen = json.loads(ok("replay", "--game", 0, "--seat", 2, "--json"))
    game = load_game("catan", {"points": "4", "trade": "false"})
    state, unseen = game.start(whole["start_seed"]), 0
    for action, shown, line, true_line in zip(
        whole["actions"], seen["actions"], seen["moves"], whole["moves"], strict=True
    ):
        assert shown == state.observed(action, 1)
        assert line == (true_line if shown == action else "chance: acts unseen")
        unseen += shown != action
        state.apply(action)
    assert unseen > 5
    ply = len(whole["actions"]) // 2
    state = game.start(whole["start_seed"])
    for action in whole["actions"][:ply]:
        state.apply(action)
    assert ok("replay", "--game", 0, "--ply", ply, "--seat", 2) == state.text(1) + "\n" != state.text() + "\n"
    assert ok("replay", "--game", 0, "--ply", ply, "--seat", 2, "-o", tmp_path / "one") == (
        f"1 picture in {tmp_path / 'one'}\n"
    )
    (picture,) = (tmp_path / "one").iterdir()
    assert picture.name == f"ply-{ply:04}.svg"
    assert picture.read_text() == state.svg(1) + "\n" != state.svg() + "\n"


def test_a_game_whose_pictures_take_no_heed_of_the_seat_keeps_its_secrets(ok):
    clash = ("--game-file", Path(__file__).parents[1] / "toy_games" / "clash.py")
    pictures = {ok("draw", "clash", str(choice), "--seat", 2, *clash) for choice in (0, 1)}
    assert len(pictures) == 1
    assert len({ok("draw", "clash", str(choice), "--seat", 1, *clash) for choice in (0, 1)}) == 2


@pytest.mark.parametrize("seat", [0, 3, -1])
def test_a_wrong_seat(run, ok, seat):
    ok("match", "tictactoe", "random", "random", "--games", 1)
    assert "tictactoe has seats 1 to 2 here" in wrong(run, "draw", "tictactoe", "", "--seat", seat)
    assert "tictactoe has seats 1 to 2 here" in wrong(run, "replay", "--game", 0, "--seat", seat)


# --- where pictures go ---------------------------------------------------------------------------------------------


def test_a_dash_is_standard_output(ok, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ok("draw", "connect4", "44", "-o", "-") == ok("draw", "connect4", "44")
    ok("match", "tictactoe", "random", "random", "--games", 1)
    assert ok("replay", "--ply", 2, "-o", "-").startswith("<svg")
    assert "is for one picture" in wrong(run, "replay", "--game", 0, "-o", "-")
    assert "is for one picture" in wrong(run, "replay", "--ply", 0, "--json", "-o", "-")
    assert "leave out --seat, --out" in wrong(run, "replay", "--position", "-o", "pictures")
    assert {path.name.partition(".")[0] for path in tmp_path.iterdir()} == {"records"}
