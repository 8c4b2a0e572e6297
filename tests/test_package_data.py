"""What the package needs beside its code is there: run on an installed wheel, too (``.ci/run``)."""

from __future__ import annotations

import re
from importlib.metadata import entry_points
from importlib.resources import files

import pytest

from oponente.games.catalogue import BUILT_IN, load_game
from oponente.games.connect4.book import shipped_book
from oponente.games.vgdl.loading import OWN_GAMES

PACKAGE = files("oponente")


def test_the_command_is_installed() -> None:
    (script,) = entry_points(group="console_scripts", name="oponente")
    assert callable(script.load())


def test_type_checkers_find_the_types() -> None:
    assert PACKAGE.joinpath("py.typed").is_file()


def test_the_page_has_all_files_that_it_names() -> None:
    """From the page on: what it names, and what the modules and style sheets that it names import."""
    static = PACKAGE.joinpath("web", "static")
    waiting, seen = ["index.html"], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        file = static.joinpath(name)
        assert file.is_file(), f"{name} is named and not there"
        if name.endswith((".html", ".js", ".css")):
            text = file.read_text(encoding="utf-8")
            waiting += re.findall(r"""["'(](?:/static/|\./)([\w./-]+\.\w+)["')]""", text)
    assert len(seen) > 10
    left = {file.name for file in static.iterdir()} - {name.partition("/")[0] for name in seen}
    assert not left, "files that nothing names"


@pytest.mark.parametrize("name", BUILT_IN)
def test_games_load(name: str) -> None:
    assert load_game(name).name == name


@pytest.mark.parametrize("level", range(3))
@pytest.mark.parametrize("name", OWN_GAMES)
def test_own_video_games_load_with_their_levels(name: str, level: int) -> None:
    assert load_game("vgdl", {"game": name, "level": str(level)}).num_players in (1, 2)


def test_the_opening_book_is_there() -> None:
    assert shipped_book().score(0, 0) == 1
