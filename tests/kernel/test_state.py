"""State and Game: the Python side of the rules."""

from __future__ import annotations

import types
from pathlib import Path

import numpy as np
import pytest

from oponente import load_game
from oponente.games.tictactoe import rules, text
from oponente.kernel import CHANCE, TERMINAL, Game, IllegalActionError, RulesError, State, record, stream
from toy_games import again, toy


@pytest.fixture(scope="module")
def game() -> Game:
    return Game(rules, text=text)


@pytest.fixture(scope="module")
def pig() -> Game:
    return toy("pig")


def test_copies_are_independent_and_equal(game: Game) -> None:
    state = game.start()
    state.apply(4)
    other = state.copy()
    assert other == state
    assert hash(other) == hash(state)
    assert other.history == [4]
    other.apply(0)
    assert other != state
    assert state.history == [4]
    assert other.undo() == 0
    assert other == state
    assert state != "a text"


def test_undo_takes_back_everything(game: Game) -> None:
    state = game.start()
    trace = []
    for action in (0, 3, 1, 4, 2):
        trace.append(state.to_bytes())
        state.apply(action)
    assert state.is_terminal
    assert state.returns == [1.0, -1.0]
    for before, action in zip(reversed(trace), (2, 4, 1, 3, 0), strict=True):
        assert state.undo() == action
        assert state.to_bytes() == before
    with pytest.raises(IndexError, match="nothing to take back"):
        state.undo()


def test_illegal_actions_leave_the_state_alone(game: Game) -> None:
    state = game.start()
    state.apply(4)
    before = state.to_bytes()
    for action in (4, 9, -1, 2**31, 2**70):
        with pytest.raises(IllegalActionError, match="is not legal here; legal: 1, 2, 3, 4, 6, 7, 8, 9"):
            state.apply(action)
    assert state.to_bytes() == before
    assert state.history == [4]


def test_the_end_is_the_end(game: Game) -> None:
    state = game.position("15263")
    assert state.player == TERMINAL
    assert list(state.legal_actions) == []
    with pytest.raises(IllegalActionError, match="the game is over"):
        state.apply(8)
    with pytest.raises(ValueError, match="no player is to move"):
        state.sample_action(stream(0))
    with pytest.raises(ValueError, match="the game is not over"):
        _ = game.start().returns


def test_legal_actions_are_a_view(game: Game) -> None:
    state = game.start()
    view = state.legal_actions
    assert len(view) == 9
    assert view[0] == 0
    assert view[-2:] == [7, 8]
    assert 8 in view
    assert np.int64(8) in view
    assert 9 not in view
    assert "8" not in view
    state.apply(0)
    assert list(view) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert "LegalActions" in repr(view)


def test_open_actions_are_in_the_view_but_not_listed() -> None:
    state = toy("heap").start()
    assert list(state.legal_actions) == [1, 2, 3, 1000]
    assert 500 in state.legal_actions
    assert 1001 not in state.legal_actions
    state.apply(999)
    assert list(state.legal_actions) == [1]


def test_bytes_round_trip(game: Game) -> None:
    state = game.position("519")
    again = game.from_bytes(state.to_bytes())
    assert again == state
    assert again.history == []
    again.apply(1)
    assert again != state


@pytest.mark.parametrize("damage", ["short", "long", "flipped", "empty", "other game", "other options"])
def test_damaged_bytes_are_refused(damage: str, game: Game) -> None:
    data = game.position("519").to_bytes()
    wrong = {
        "short": data[:-1],
        "long": data + b"\0",
        "flipped": data[:-1] + bytes([data[-1] ^ 1]),
        "empty": b"",
        "other game": State(toy("heap"), toy("heap").new_states(1)).to_bytes(),
        "other options": data,
    }[damage]
    if damage == "other options":
        wrong = State(toy("pig of six"), toy("pig").new_states(1)).to_bytes()
        game = toy("pig")
    with pytest.raises(ValueError, match="no undamaged state"):
        game.from_bytes(wrong)


def test_copies_do_not_differ_in_padding() -> None:
    dtype = record(("wide", "u8"), ("flag", "i1"), ("half", "i2"), ("last", "u1", 3))
    assert sum(entry[0].itemsize for entry in dtype.fields.values()) == dtype.itemsize
    assert dtype.isalignedstruct
    assert dtype.fields["half"][1] % 2 == 0
    array = np.frombuffer(bytes(range(dtype.itemsize)), dtype)
    assert array.copy().tobytes() == array.tobytes()


@pytest.mark.parametrize("name", ["sum", "round", "data", "size", "all"])
def test_field_named_like_a_method_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"can't be named '{name}'"):
        record((name, "i4"))


def test_chance_nodes(pig: Game) -> None:
    state = pig.start()
    assert state.chance_outcomes == []
    with pytest.raises(ValueError, match="no chance event"):
        state.sample_chance(stream(0))
    state.apply(state.parse_action("roll"))
    assert state.player == CHANCE
    assert state.is_chance
    assert [face for face, _ in state.chance_outcomes] == [1, 2, 3, 4, 5, 6]
    assert list(state.legal_actions) == []
    rng = stream(1)
    drawn = state.sample_chance(rng)
    assert drawn in range(1, 7)
    assert state.sample_chance(stream(1)) == drawn
    with pytest.raises(IllegalActionError, match="legal: 1, 2, 3, 4, 5, 6"):
        state.apply(7)
    state.apply(3)
    assert state.record.kitty == 3


def test_refusals_of_outcomes_list_those_that_may_happen() -> None:
    state = Game(again, {"tie": "0"}).start()
    assert not state.is_legal(0)
    with pytest.raises(IllegalActionError, match=r"0 is not legal here; legal: 1, 2$"):
        state.apply(0)


def test_the_first_decision_comes_after_what_chance_does() -> None:
    game = toy("again")
    found = {seed: game.first_decision(seed) for seed in range(60)}
    assert all(state.player >= 0 for state in found.values())
    assert {len(state.history) for state in found.values()} >= {1, 2}  # a tie is rolled again
    assert {state.player for state in found.values()} == {0, 1}
    assert found[3] == game.first_decision(3)
    assert toy("pig").first_decision().history == []


def test_games_without_a_decision_are_told(monkeypatch):
    game = Game(again)
    monkeypatch.setattr("oponente.kernel.State.apply_chance", lambda state, rng: state.history.append(0))
    with pytest.raises(ValueError, match="again: no player is to move after 1000 chance events or at the end, from 10"):
        game.first_decision()


def test_start_depends_on_the_seed_alone(pig: Game) -> None:
    starts = [pig.start(seed).to_bytes() for seed in range(20)]
    assert len(set(starts)) == 2
    assert starts == [pig.start(seed).to_bytes() for seed in range(20)]


def test_games_with_equal_options_are_equal() -> None:
    assert toy("pig") == toy("pig")
    assert toy("pig") != toy("pig of six")
    assert toy("pig").fingerprint() != toy("pig of six").fingerprint()
    assert repr(toy("pig of six")) == "<Game pig, players=6>"


def test_encoding_is_refused_where_there_is_none() -> None:
    with pytest.raises(ValueError, match="heap has no encoding"):
        toy("heap").start().encode(0)


def test_default_text_leaves_out_padding() -> None:
    assert toy("heap").start().text() == "stones: 1000\nturn: 0"
    assert "<svg" in toy("heap").start()._repr_svg_()


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        ("NAME", "lacks NAME"),
        ("State", "lacks State"),
        ("apply", "lacks apply"),
        ("PLAYERS", "lacks PLAYERS"),
        ("MAX_ACTIONS", "lacks MAX_ACTIONS"),
    ],
)
def test_incomplete_rules_are_refused(missing: str, message: str) -> None:
    module = types.ModuleType("incomplete")
    vars(module).update({name: value for name, value in vars(rules).items() if name != missing})
    module.__name__ = "incomplete"
    with pytest.raises(RulesError, match=f"incomplete {message}"):
        Game(module)


def test_too_many_players_are_refused() -> None:
    module = types.ModuleType("crowd")
    vars(module).update({**vars(rules), "PLAYERS": 7, "__name__": "crowd"})
    with pytest.raises(RulesError, match="7 players; a game has 1 to 6"):
        Game(module)


def test_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="game pig has no option 'sides'; it has players"):
        Game(toy("pig").rules, {"sides": "8"})


def test_kept_options_that_name_files_are_refused() -> None:
    module = types.ModuleType("filed")
    vars(module).update({**vars(toy("pig").rules), "__name__": "filed"})
    module.resolve = lambda options: {key: value for key, value in options.items() if key != "file"}
    with pytest.raises(RulesError, match="filed lacks resolved"):
        Game(module)
    module.resolved = lambda options: "file" not in options
    assert Game(module, {"file": "/etc/passwd"}).changed_options == {}
    with pytest.raises(ValueError, match="its options name files, which are not read for a record"):
        Game(module, {"file": "/etc/passwd"}, kept=True)
    assert Game(module, {}, kept=True).changed_options == {}


@pytest.mark.parametrize(
    ("flag", "needed"),
    [("HIDDEN_INFORMATION", "determinize"), ("SIMULTANEOUS", "determinize"), ("SAMPLED_CHANCE", "reseed")],
)
def test_games_that_hide_something_must_say_how_it_is_drawn_anew(flag, needed, monkeypatch):
    monkeypatch.setattr(rules, flag, True, raising=False)
    with pytest.raises(RulesError, match=f"lacks {needed}"):
        Game(rules)


def test_states_that_need_no_undo_keep_no_copies():
    state = Game(rules, text=text).start()
    state.undoable = False
    state.apply(3)
    with pytest.raises(IndexError):
        state.undo()
    assert state.history == [3]


def test_constants_of_a_wrong_type_are_refused(monkeypatch):
    monkeypatch.setattr(rules, "MAX_ACTIONS", 9.0)
    with pytest.raises(RulesError, match=r"MAX_ACTIONS is 9\.0; expected int"):
        Game(rules)


FRAIL = '''
"""Counts to five; the rules fail in the midst of an action, or right after it."""

from typing import NamedTuple

from oponente.kernel import CHANCE, TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS, MAX_CHANCE = "frail", 1, 3, 2
State = record(("count", "i4"), ("wreck", "i4"), ("luck", "i4"))


class Tables(NamedTuple):
    token: Token


def tables(options):
    return Tables(Token(__name__))


@njit
def initial(game, state, rng):
    pass


@njit
def player(game, state):
    return CHANCE if state.luck else 0 if state.count < 5 else TERMINAL


@njit
def actions(game, state, out):
    if state.count == 3:
        raise ValueError("three is unlucky")
    out[0], out[1], out[2] = 1, 2, 4
    return 3


@njit
def chance(game, state, outcomes, probs):
    outcomes[0], outcomes[1], probs[0], probs[1] = 1, 2, 0.5, 0.5
    return 2


@njit
def sample_chance(game, state, rng):
    return 2


@njit
def apply(game, state, action):
    state.wreck += 1
    if action == 4:
        raise ValueError("four is too much")
    state.luck = action == 1 and state.luck == 0
    state.count += action


@njit
def returns(game, state, out):
    out[0] = 1.0
'''


@pytest.mark.parametrize("undoable", [True, False])
def test_rules_that_raise_leave_the_state_as_it_was(undoable: bool, tmp_path: Path) -> None:
    path = tmp_path / "frail.py"
    path.write_text(FRAIL)
    state = load_game(file=path).start()
    state.undoable = undoable
    state.apply(1)
    before = state.to_bytes()
    for take in (lambda: state.apply(2), lambda: state.apply_chance(stream(0))):  # both lead to a count of 3
        with pytest.raises(ValueError, match="three is unlucky"):
            take()
        assert (state.to_bytes(), state.history, state.player) == (before, [1], CHANCE)
    state.apply(1)
    before = state.to_bytes()
    with pytest.raises(ValueError, match="four is too much"):  # with the record half changed
        state.apply(4)
    assert (state.to_bytes(), state.history, state.player) == (before, [1, 1], 0)
    if undoable:
        assert (state.undo(), state.undo()) == (1, 1)
        assert state == load_game(file=path).start()


def test_a_game_repeats_without_chance_and_with_one_start(game: Game, pig: Game) -> None:
    assert game.repeats
    assert not pig.repeats  # dice
    assert not toy("coins").repeats  # another start each time
