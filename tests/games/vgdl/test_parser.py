"""Descriptions are read as the framework reads them; what is wrong is told with file, line and cause."""

from __future__ import annotations

import pytest

from oponente.games.vgdl.compiler import compile_game
from oponente.games.vgdl.level import read_level
from oponente.games.vgdl.loading import OWN_GAMES
from oponente.games.vgdl.parser import Description, DescriptionError, read_description
from tests.games.vgdl.worlds import own_texts

SMALL = """
BasicGame square_size=20   no_players=1 # a comment
    TerminationSet
        SpriteCounter stype=avatar win=False
    SpriteSet
        thing > Immovable color=RED
            big   > Missile speed=0.5 singleton=True
                huge >
            little > speed=2
        other > Missile orientation=UP
        avatar > MovingAvatar
            hero >
    InteractionSet
        avatar wall EOS > stepBack
        thing other > killBoth scoreChange=1,2
    LevelMapping
        t > big little
        . > little
"""


def small() -> Description:
    return read_description(SMALL, "small.txt")


def test_types_are_numbered_by_first_appearance() -> None:
    assert list(small().sprites) == ["wall", "avatar", "thing", "big", "huge", "little", "other", "hero"]


def test_the_first_class_of_a_family_holds_for_all_but_grandchildren_get_the_later_one_too() -> None:
    sprites = small().sprites
    assert [sprites[name].kind for name in ("thing", "big", "huge", "little")] == [
        "Immovable",
        "Immovable",
        "Missile",
        "Immovable",
    ]


def test_parameters_are_inherited_but_for_singleton() -> None:
    sprites = small().sprites
    assert sprites["huge"].values == {"color": "RED", "speed": 0.5}
    assert sprites["little"].values == {"color": "RED", "speed": 2}
    assert (sprites["big"].singleton, sprites["huge"].singleton) == (True, False)
    assert sprites["other"].values["orientation"] == (0.0, -1.0)


def test_order_of_drawing_is_leaves_then_the_avatar() -> None:
    assert small().order == ["wall", "huge", "little", "other", "hero", "avatar"]


def test_subtypes() -> None:
    assert small().subtypes["thing"] == ["thing", "big", "huge", "little"]


def test_interactions_keep_their_order_and_the_edge() -> None:
    first, second = small().interactions
    assert (first.first, first.seconds, first.effect.name) == ("avatar", ("wall", "EOS"), "stepBack")
    assert second.effect.values == {"scoreChange": "1,2"}


def test_the_default_mapping_is_there() -> None:
    assert small().mapping == {"w": ["wall"], "A": ["avatar"], "t": ["big", "little"], ".": ["little"]}


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("        odd > Nonsense", "small.txt:7: there is no sprite class 'Nonsense'"),
        ("        odd > Missile sped=1", "small.txt:7: sprite class Missile has no key 'sped'"),
        ("        odd", "small.txt:7: no '>' in 'odd'"),
    ],
)
def test_what_means_nothing_is_a_warning_and_with_strict_an_error(line: str, warning: str) -> None:
    lines = SMALL.splitlines()
    lines.insert(6, line)
    text = "\n".join(lines)
    assert any(found.startswith(warning) for found in read_description(text, "small.txt").warnings)
    with pytest.raises(DescriptionError, match=r"small\.txt:7: "):
        read_description(text, "small.txt", strict=True)


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("killBoth", "killboth", "there is no effect 'killboth'"),
        ("thing other", "thing nothing", "there is no sprite 'nothing'"),
        ("SpriteCounter", "Sprites", "there is no termination 'Sprites'"),
        ("t > big", "tt > big", "expected 'character > sprites'"),
        ("LevelMapping", "Levels", "there is no block 'Levels'"),
        ("square_size", "squaresize", "the header has no key 'squaresize'"),
    ],
)
def test_warnings_of_the_other_blocks(old: str, new: str, warning: str) -> None:
    assert any(warning in found for found in read_description(SMALL.replace(old, new), "small.txt").warnings)


def test_a_file_that_is_no_description() -> None:
    with pytest.raises(DescriptionError, match=r"^x\.txt:2: a description begins with a line 'BasicGame \.\.\.'"):
        read_description("\nhello\n", "x.txt")
    with pytest.raises(DescriptionError, match=r"^x\.txt:1: .*an empty file"):
        read_description("# nothing\n", "x.txt")


def test_values_that_do_not_fit_are_dropped_with_a_warning() -> None:
    text = SMALL.replace("SpriteCounter stype=avatar win=False", "SpriteCounter stype=avatar limit=0.5 win=False")
    compiled = compile_game(read_description(text, "small.txt"), read_level("A", "small_lvl0.txt", small()))
    assert compiled.warnings == [
        "small.txt:4: termination SpriteCounter: limit=0.5 is ignored: expected a whole number"
    ]
    assert compiled.program.terminations[0].limit == 0


def test_levels_are_as_wide_as_their_first_line() -> None:
    level = read_level("t.\n.\n....A\n\n", "l.txt", small())
    assert (level.columns, level.rows, level.cell) == (2, 3, 20)
    assert level.sprites == [
        (0, 0, "big"),
        (0, 0, "little"),
        (1, 0, "little"),
        (0, 1, "little"),
        (0, 2, "little"),
        (1, 2, "little"),
    ]


def test_a_character_without_mapping_is_told() -> None:
    assert read_level("A?", "l.txt", small()).warnings == ["l.txt:1: character '?' has no mapping"]


def test_a_level_needs_the_players_avatars() -> None:
    with pytest.raises(DescriptionError, match=r"^l\.txt:1: 0 avatars in the level; the game has 1 players: put A "):
        compile_game(small(), read_level("..", "l.txt", small()))


@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_games_of_the_package_have_no_warnings(name: str) -> None:
    text, level = own_texts(name)
    description = read_description(text, name, strict=True)
    compile_game(description, read_level(level, name, description, strict=True), strict=True)
