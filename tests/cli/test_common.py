"""What the commands share: places that can't be written are told before the work."""

import os
import re

import pytest

from oponente.cli.common import check_file, check_folder, escaped_lines, table

LONG = "uct:time=1000"
"""An agent with which no command would come to an end."""
MATCH = ("match", "tictactoe", LONG, LONG)
TRAIN = ("train", "data", "tictactoe", LONG, LONG)
FILES = [
    (*MATCH, "--report"),
    (*MATCH, "--export", "*.csv"),
    (*MATCH, "--out"),
    ("tournament", "tictactoe", LONG, "random", "--report"),
    ("tournament", "tictactoe", LONG, "random", "--out"),
    ("sprt", "tictactoe", LONG, "random", "--out"),
    ("sweep", "tictactoe", LONG, "--parameter", "c=1,2", "--report"),
    ("sweep", "tictactoe", LONG, "--parameter", "c=1,2", "--out"),
    ("analyse", "tictactoe", "", "--agent", LONG, "--tree"),
    ("bench", "tictactoe", "--seconds", "600", "--history"),
    ("bench", "tictactoe", "--seconds", "600", "--flame", "*.svg"),
    ("bench", "tictactoe", "--seconds", "600", "--profile", "--flame", "*.txt"),
    ("replay", "--game", "0", "--gif"),
    ("draw", "tictactoe", "", "--out"),
    ("experiment", "connect4-report", "--out"),
    (*TRAIN, "--out"),
    ("jsettlers", "--idle", "1", "--reconnects", "1", "--transcript"),
]
"""Commands up to the file that they write; what begins with a star is how the file's name must end."""
FOLDERS = [
    (*MATCH, "--figures"),
    ("replay", "--game", "0", "--out"),
    ("experiment", "connect4-report", "--figures"),
    ("experiment", "all", "--out"),
    ("train", "ntbea", "tictactoe", "alphabeta:3", "--out"),
]
"""Likewise with a folder, which is made."""


def _refused(run, *arguments, says):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("oponente: ")
    assert len(err.splitlines()) == 1
    assert says in err


@pytest.mark.parametrize("command", FILES, ids=" ".join)
def test_a_file_that_can_not_be_written_is_one_line(run, tmp_path, command):
    ending = command[-1][1:] if command[-1].startswith("*") else ""
    command = command[: -1 if ending else None]
    _refused(run, *command, tmp_path / "none" / f"x{ending}", says=str(tmp_path / "none"))
    folder = tmp_path / f"folder{ending}"
    folder.mkdir()
    _refused(run, *command, folder, says=str(folder))


@pytest.mark.parametrize("command", FOLDERS, ids=" ".join)
def test_a_folder_that_can_not_be_made_is_one_line(run, tmp_path, command):
    file = tmp_path / "file"
    file.write_text("kept")
    _refused(run, *command, file, says=str(file))
    _refused(run, *command, file / "in" / "it", says=str(file))
    assert file.read_text() == "kept"


def test_places_that_may_not_be_changed(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda place, _mode: place != tmp_path)
    with pytest.raises(ValueError, match=r"--out .*x\.html can't be written"):
        check_file("--out", tmp_path / "x.html")
    with pytest.raises(ValueError, match=r"--figures .* can't be written"):
        check_folder("--figures", tmp_path / "a" / "b")
    (tmp_path / "a").mkdir()
    check_folder("--figures", tmp_path / "a" / "b")


def test_a_relative_folder_is_made_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_folder("--figures", tmp_path.relative_to(tmp_path) / "a" / "b")
    check_file("--report", tmp_path.relative_to(tmp_path) / "x.html")


def test_cells_of_a_table_are_lines():
    shown = table([("a\x1b[2J\nb", "1")], ("name", "count"))
    assert shown.split("\n")[2:] == [r"a\x1b[2J\nb      1"]


def test_long_texts_in_a_table_go_on_in_the_next_line():
    shown = table([("a", "one two three", "7"), ("b", "four", "80")], ("name", "text", "count"), width=20)
    assert shown.splitlines() == [
        "name  text",
        "----  -------------",
        "a     one two three",
        "b     four",
        "",
        "name  count",
        "----  -----",
        "a         7",
        "b        80",
    ]
    words = "ten letters " * 6
    shown = table([("a", words), ("b", "7")], ("name", "text of many words"), width=40)
    assert shown.splitlines() == [
        "name  text of many words",
        "----  -------------------------------",
        "a     ten letters ten letters ten",
        "      letters ten letters ten letters",
        "      ten letters",
        "b     7",
    ]


def test_titles_and_numbers_of_a_table_stay_whole_beside_a_long_name():
    name = "x" * 96
    shown = table([(name, "65.0 %", "49.5 .. 77.9 %")], ("agent", "win rate", "95 %"))
    titles, _, first, _, more, _, second = shown.splitlines()
    assert titles == "agent".ljust(98) + "win rate"
    assert first == f"{name}    65.0 %"
    assert more == "agent".ljust(98) + "95 %"
    assert second == f"{name}  49.5 .. 77.9 %"


def test_lines_stay_lines_and_command_no_terminal():
    assert escaped_lines("ção\n\x1b[2J\r\n") == "ção\n" + r"\x1b[2J\r" + "\n"


def test_tables_leave_out_columns_without_content():
    assert table([["a", "", "1"], ["b", "", ""]], ["agent", "forfeits", "wins"]).splitlines() == [
        "agent  wins",
        "-----  ----",
        "a         1",
        "b",
    ]
    assert table([], ["agent", "wins"]).splitlines()[0] == "agent  wins"


def test_compilation_is_announced_in_whole_lines(capsys):
    from oponente.cli.common import announce_compilation, load
    from oponente.kernel import compilation

    load("tictactoe", (), None)
    with announce_compilation():
        compilation._announce_start("oponente.search.mcts.kernel.simulate")
        started = capsys.readouterr().err
        compilation._announce_end("oponente.search.mcts.kernel.simulate")
    assert started == "compiling search.mcts.kernel.simulate for tictactoe (once; kept for the next time) ...\n"
    assert re.fullmatch(r"compiled search\.mcts\.kernel\.simulate in \d\.\d s\n", capsys.readouterr().err)
