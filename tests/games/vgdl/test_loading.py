"""Descriptions and levels are found and read; what is wrong with a file or a name is told in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from oponente.games.catalogue import load_game
from oponente.games.vgdl.loading import OWN_GAMES, VARIABLE, find, level_files, read, texts
from oponente.games.vgdl.rules import Options
from tests.games.vgdl.worlds import describe

SMALL = describe("avatar > MovingAvatar", "avatar wall > stepBack")


def write(folder: Path, *names: str) -> None:
    """Write a small game of each name, with a level."""
    for name in names:
        path = folder / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SMALL)
        path.with_name(f"{path.stem}_lvl0.txt").write_text("A w\n")


def load(folder: Path, name: str, **options: str) -> Any:
    """Load a game from a folder."""
    return load_game(f"vgdl:{name}", {"games": str(folder), **options})


# --- where games are -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "there", "found"),
    [
        ("single/a", ["single/a", "gridphysics/a"], "single/a"),
        ("single/a", ["gridphysics/a", "2player/a"], "gridphysics/a"),
        ("single/a", ["examples/gridphysics/a", "examples/2player/a"], "examples/gridphysics/a"),
        ("single/a", ["a", "2player/a"], "a"),
        ("two-player/a", ["two-player/a", "2player/a"], "two-player/a"),
        ("two-player/a", ["gridphysics/a", "2player/a"], "2player/a"),
        ("a", ["single/a", "all/2player/a"], "single/a"),
        ("all/2player/a", ["single/a", "all/2player/a"], "all/2player/a"),
        ("a[1]", ["b/a[1]", "b/a1"], "b/a[1]"),
    ],
)
def test_a_game_is_found_in_our_layout_and_in_the_frameworks(
    tmp_path: Path, asked: str, there: list[str], found: str
) -> None:
    write(tmp_path, *there)
    assert find(asked, str(tmp_path)) == tmp_path / f"{found}.txt"


@pytest.mark.parametrize(
    ("asked", "there", "error"),
    [
        ("single/a", ["b"], "no game 'single/a' in .*: expected a file single/a.txt or gridphysics/a.txt; the GVGAI"),
        ("two-player/a", ["gridphysics/a"], "expected a file two-player/a.txt or 2player/a.txt"),
        ("a", ["gridphysics/a", "2player/a"], "several games 'a': write game=2player/a or gridphysics/a$"),
        ("/etc/passwd", ["a"], "^game=/etc/passwd: write where it lies below the folder .*, without .txt"),
        ("../a", ["a"], r"^game=\.\./a: write where it lies below"),
        ("", ["a"], "no game ''"),
    ],
)
def test_a_game_that_is_not_found_is_one_line(tmp_path: Path, asked: str, there: list[str], error: str) -> None:
    write(tmp_path, *there)
    with pytest.raises(ValueError, match=error) as caught:
        find(asked, str(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_folder_of_games_that_is_none() -> None:
    for folder in ("", "/no/such/folder", "~nosuchuser/games"):
        with pytest.raises(ValueError, match=f"^games={folder} is no folder: "):
            find("a", folder)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    write(tmp_path, "sub/a")
    (tmp_path / "a.txt").mkdir()
    assert find("a", str(tmp_path)) == tmp_path / "sub" / "a.txt"
    (tmp_path / "sub" / "a_lvl1.txt").mkdir()
    assert [path.name for path in level_files(tmp_path / "sub" / "a.txt")] == ["a_lvl0.txt"]
    with pytest.raises(ValueError, match=r"a_lvl1\.txt is a folder: a level is a file of text$"):
        load(tmp_path, "a", level="1")
    with pytest.raises(ValueError, match=r"a has no level 2: .*; there are a_lvl0\.txt$"):
        load(tmp_path, "a", level="2")


# --- what is in a file -----------------------------------------------------------------------------------------------


def test_a_byte_order_mark_is_no_part_of_a_text_and_lines_end_in_line_feeds(tmp_path: Path) -> None:
    write(tmp_path, "a")
    before = load(tmp_path, "a").changed_options
    for path in (tmp_path / "a.txt", tmp_path / "a_lvl0.txt"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load(tmp_path, "a").changed_options == before
    (tmp_path / "old.txt").write_bytes(b"a\rb\r\r\nc")
    assert read(tmp_path / "old.txt") == (tmp_path / "old.txt").read_text() == "a\nb\n\nc"


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("a.txt", SMALL.encode() + "# cão\n".encode("latin-1"), SMALL.count("\n") + 1),
        ("a_lvl0.txt", b"A w\n\n\xff\n", 3),
        ("a.txt", SMALL.encode("utf-16"), 1),
    ],
)
def test_a_file_that_is_not_utf8_is_told_with_its_line(tmp_path: Path, file: str, content: bytes, line: int) -> None:
    write(tmp_path, "a")
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError, match=f"{file}:{line}: this is no text in UTF-8: save it as UTF-8$"):
        load(tmp_path, "a")


# --- text=... --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        '{"a":' * 200_000,
        "{}",
        "5",
        "9" * 5_000,
        json.dumps({"description_file": "a", "description": "\ud800", "level_file": "b", "level": "A"}),
    ],
)
def test_a_text_that_no_record_keeps_is_one_line(text: str) -> None:
    with pytest.raises(ValueError, match=r"^text=\.\.\.: expected JSON with description_file, description, "):
        texts(Options(text=text))


@pytest.mark.parametrize(
    "options",
    [
        {"games": "{folder}", "game": "secret"},
        {"games": "{folder}", "game": "nothing"},
        {"games": "{folder}/nothing", "game": "secret"},
        {"games": "{folder}", "game": OWN_GAMES[0]},
        {"games": "{folder}", "game": "secret", "text": ""},
        {"game": "secret"},
    ],
)
def test_a_record_lets_no_file_be_read(tmp_path: Path, monkeypatch: Any, options: dict[str, str]) -> None:
    (tmp_path / "secret.txt").write_text("the first line\n")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    named = {key: value.format(folder=tmp_path) for key, value in options.items()}
    with pytest.raises(
        ValueError, match=r"^game vgdl: its options name files, which are not read for a record: [^/]*$"
    ):
        load_game("vgdl", named, kept=True)


def test_a_record_of_what_was_in_files_needs_none(tmp_path: Path) -> None:
    write(tmp_path, "a")
    options = load(tmp_path, "a").changed_options
    (tmp_path / "a.txt").unlink()
    assert load_game("vgdl", options, kept=True).changed_options == options
    for name in OWN_GAMES:
        load_game("vgdl", {"game": name, "level": "1"}, kept=True)
