"""What can't become a game is told with the file and the line that are to blame."""

from __future__ import annotations

import time

import pytest

from oponente.games.vgdl import layout
from oponente.games.vgdl.compiler import Compiled, compile_game
from oponente.games.vgdl.level import read_level
from oponente.games.vgdl.parser import DescriptionError, read_description
from tests.games.vgdl.worlds import World, describe

WALKER = "avatar > MovingAvatar"
BALLS = f"{WALKER}\nball > Missile"


def compiled(
    interactions: str = "",
    *,
    sprites: str = BALLS,
    level: str = "A ",
    header: str = "square_size=10",
    mapping: str = "b > ball",
    endings: str = "Timeout limit=9 win=False",
    strict: bool = False,
) -> Compiled:
    """Compile a small game: the header is in line 2, its sprites begin in line 4, its interactions in line 7."""
    text = "# a comment\n" + describe(sprites, interactions, header=header, mapping=mapping, endings=endings)
    description = read_description(text, "g.txt", strict=strict)
    return compile_game(description, read_level(level, "l.txt", description, strict=strict), strict=strict)


# --- numbers that fit in no field ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "warning"),
    [
        (
            {"interactions": "avatar ball > stepBack counter=99999999999,0", "header": "no_counters=1"},
            "g.txt:7: effect stepBack: counter=99999999999,0 is ignored: expected whole numbers with commas",
        ),
        (
            {"interactions": "avatar ball > stepBack counterElse=0,-99999999999", "header": "no_counters=1"},
            "g.txt:7: effect stepBack: counterElse=0,-99999999999 is ignored: expected whole numbers with commas",
        ),
        (
            {"endings": "Timeout limit=9 use_counter=True limits=99999999999,1"},
            "g.txt:10: termination Timeout: limits=99999999999,1 is ignored: expected whole numbers with commas",
        ),
        (
            {"sprites": f"{WALKER}\nball > Missile wMult=200000000"},
            "g.txt:5: sprite class Missile: wMult=200000000 is ignored: expected a number, 1,000 at most",
        ),
        (
            {"sprites": f"{WALKER}\nball > Missile hMult=nan"},
            "g.txt:5: sprite class Missile: hMult=nan is ignored: expected a number, 1,000 at most",
        ),
        *(
            (
                {"interactions": f"avatar ball > killSprite {key}={value}"},
                f"g.txt:7: effect killSprite: {key}={shown} is ignored: expected a number, or one for each player",
            )
            for key, value, shown in (
                ("scoreChange", "nan", "nan"),
                ("scoreChange", "1e400", "inf"),
                ("scoreChange", "1,-inf", "1,-inf"),
                ("scoreChange", "99999999999", "99999999999"),
            )
        ),
        (
            {"interactions": "avatar ball > subtractHealthPoints scoreChangeIfKilled=1,nan"},
            "g.txt:7: effect subtractHealthPoints: scoreChangeIfKilled=1,nan is ignored: expected a number, or one for "
            "each player",
        ),
    ],
)
def test_a_number_that_fits_in_no_field_is_dropped_with_a_warning(changed: dict[str, str], warning: str) -> None:
    found = compiled(**changed)  # type: ignore[arg-type]
    assert warning in found.warnings
    assert not found.program.effects["score"].any()
    assert not found.program.effects["counter"].any()
    with pytest.raises(DescriptionError, match=r"^g\.txt:\d+: "):
        compiled(**changed, strict=True)


# --- what is too much ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        (
            {"interactions": "avatar ball > stepBack\navatar ball > stepBack repeat=2000000000"},
            "g.txt:8: 2,000,000,001 effects of pairs; there can be 8,192 at most",
        ),
        (
            {"interactions": "avatar EOS > stepBack repeat=3000"},
            "g.txt:7: 18,000,000 entries in the list of the effects of the edge; there can be 32,768 at most",
        ),
        (
            {"interactions": "avatar TIME > flipDirection repeat=30000"},
            "g.txt:7: 30,000 effects of time; there can be 1,024 at most",
        ),
        (
            {
                "sprites": "\n  ".join((f"{WALKER}\nall > Missile", *(f"t{i} >" for i in range(50)))),
                "interactions": "all all > stepBack",
            },
            "g.txt:57: 2,601 pairs of types that can meet; there can be 2,048 at most",
        ),
        (
            {"interactions": "\n".join("avatar ball > stepBack" for _ in range(1100))},
            "g.txt:1031: 1,025 effects; there can be 1,024 at most",
        ),
        (
            {"endings": "\n".join("Timeout limit=9" for _ in range(70))},
            "g.txt:74: 65 terminations; there can be 64 at most",
        ),
        (
            {"sprites": "\n".join((WALKER, *(f"t{i} > Missile" for i in range(300))))},
            "g.txt:195: more than 192 types of sprites",
        ),
        (
            {"sprites": "\n".join(" " * i + f"t{i} > Missile" for i in range(1200))},
            "g.txt:54: more than 50 names lie one in the other",
        ),
        (
            {"interactions": "#\n" * 20_000 + "avatar ball > stepBack\n" * 20_000},
            "g.txt:30002: more than 10,000 lines that are not blank",
        ),
        (
            {"interactions": "avatar " + "ball " * 190_000 + "> stepBack"},
            "g.txt:7: 8,193 effects of pairs; there can be 8,192 at most",
        ),
        (
            {"interactions": "avatar " + "ball " * 300_000 + "> stepBack"},
            "g.txt:1: 1,500,208 characters; there can be 1,000,000 at most",
        ),
        ({"header": "no_players=9"}, "g.txt:2: no_players=9: expected 1 to 4"),
        ({"header": "no_players=True"}, "g.txt:2: no_players=True: expected 1 to 4"),
        ({"header": "square_size=0"}, "g.txt:2: square_size=0: expected 1 to 1000 pixels"),
        (
            {"level": "A" + " " * 20_000},
            "l.txt:1: 20,001 columns and 1 rows; with a ring around them 16,384 cells at most",
        ),
        (
            {"level": "A" + " " * 65_533 + "\n" * 65_533 + " "},  # the number of cells is 2 ** 32
            "l.txt:1: 65,534 columns and 65,534 rows; with a ring around them 16,384 cells at most",
        ),
        (
            {"level": "A" + "b" * 99 + "\nbbb\nb", "mapping": "b >" + " ball" * 100},
            "l.txt:2: 10,301 sprites in the level; there can be 10,000 at most",
        ),
        (
            {"level": "A" + "b" * 99 + "\n" + "b" * 100 + "\n" + "b" * 100, "mapping": "b >" + " ball" * 150},
            "l.txt:2: 29,851 sprites; there can be 10,000 at most",
        ),
        (
            {"level": "A" + " " * 600, "sprites": f"{WALKER}\nball > PathChaser stype=avatar"},
            "l.txt:1: 601 cells without obstacle in a level with path chasers; there can be 512 at most",
        ),
        ({"level": " "}, "l.txt:1: 0 avatars in the level; the game has 1 players: put A for each player, or map"),
        (
            {"level": " ", "mapping": "A > ball\nx > avatar"},
            "l.txt:1: 0 avatars in the level; the game has 1 players: put x for each player, or map",
        ),
        (
            {"level": "A", "sprites": "ball > Missile\navatar > Missile"},
            "l.txt:1: 0 avatars in the level; the game has 1 players: map a character to a sprite of a class that",
        ),
    ],
)
def test_what_is_too_much_or_missing_is_told_with_its_line_at_once(changed: dict[str, str], error: str) -> None:
    begin = time.process_time()
    with pytest.raises(DescriptionError) as caught:
        compiled(**changed)  # type: ignore[arg-type]
    assert str(caught.value).startswith(error)
    assert "\n" not in str(caught.value)
    assert time.process_time() - begin < 2.0


def test_many_sprites_in_one_cell_are_read_at_once() -> None:
    begin = time.process_time()
    sprites = f"{WALKER}\nball > Immovable\nother > Immovable"
    mapping = "b >" + " ball" * 5_000 + " other" * 4_000
    assert compiled("ball other > stepBack", sprites=sprites, level="Ab", mapping=mapping).program.n_fixed == 9_000
    assert time.process_time() - begin < 2.0


def test_an_effect_of_time_for_several_types_is_told_with_its_line() -> None:
    warning = "g.txt:7: an effect of time stands for several types: only the last is used"
    assert warning in compiled("TIME avatar ball > killSprite timer=5").warnings
    assert compiled("avatar TIME > killSprite timer=5 repeat=2").warnings == []


# --- what is lost without being wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "warning"),
    [
        # words that stand where nothing is expected
        (
            {"sprites": f"{WALKER}\nball > Missile speed 2"},
            "g.txt:5: sprite ball: 'speed' is ignored: expected KEY=VALUE",
        ),
        ({"sprites": f"{WALKER}\nball > Missile Chaser"}, "g.txt:5: sprite ball: 'Chaser' is ignored: expected KEY="),
        ({"sprites": f"{WALKER}\nball > Missile =2"}, "g.txt:5: sprite ball: '=2' is ignored: expected KEY="),
        ({"header": "square_size=10 fast"}, "g.txt:2: header: 'fast' is ignored: expected KEY=VALUE"),
        ({"interactions": "avatar ball > killSprite now"}, "g.txt:7: effect killSprite: 'now' is ignored"),
        ({"endings": "Timeout limit=9 lost"}, "g.txt:10: termination Timeout: 'lost' is ignored"),
        ({"endings": "Timeout limit=9 limit=8"}, "g.txt:10: limit is given twice: the last one counts"),
        ({"interactions": "avatar ball > killSprite\n ball EOS > killSprite"}, "g.txt:8: it is indented further than"),
        # values that mean something else
        (
            {"sprites": f"{WALKER}\nball > Missile singleton=1"},
            "g.txt:5: sprite ball: singleton=1 is ignored: expected True",
        ),
        ({"endings": "Timeout limit=9 win=yes"}, "g.txt:10: termination Timeout: win=yes: expected True or False"),
        (
            {"header": "obs=wal", "sprites": f"{WALKER}\nball > PathChaser stype=avatar"},
            "g.txt:2: obs: there is no sprite 'wal'",
        ),
        # what has nothing to work on
        *(
            ({"sprites": f"{WALKER}\nball > {kind}"}, f"g.txt:5: sprite ball ({kind}) needs {key}=...")
            for kind, key in (
                ("SpawnPoint", "stype"),
                ("Chaser", "stype"),
                ("PathAltChaser", "stype1"),
                ("BomberRandomMissile", "stypeMissile"),
                ("SpawnPointMultiSprite", "stypes"),
            )
        ),
        ({"sprites": "avatar > ShootAvatar\nball > Missile"}, "g.txt:4: sprite avatar (ShootAvatar) needs stype=..."),
        *(
            (
                {"interactions": f"avatar ball > {effect}"},
                f"g.txt:7: effect {name or effect.split()[0]} needs {key}=...",
            )
            for effect, key, name in (
                ("spawn", "stype", ""),
                ("spawnBehind", "stype", ""),
                ("transformTo", "stype", ""),
                ("transformToAll stype=ball", "stypeTo", ""),
                ("killIfHasMore limit=3", "resource", ""),
                ("killIfOtherHasMore", "resource", ""),
                ("changeResource value=2", "resource", ""),
                ("collectResourceIfHeld", "heldResource", ""),
                ("spawnIfHasMore stype=ball", "resource", ""),
                ("setSpeedForAll value=2", "stype", ""),
                ("addTimer timer=2 ftype=transformToAll stype=ball", "stypeTo", "transformToAll"),
            )
        ),
        ({"endings": "SpriteCounter limit=0"}, "g.txt:10: termination SpriteCounter needs stype=..."),
        (
            {"endings": "MultiSpriteCounter"},
            "g.txt:10: termination MultiSpriteCounter needs stype1=... or stype2=... or",
        ),
        # what has no class
        (
            {"sprites": f"{WALKER}\nball > speed=2", "level": "Ab"},
            "g.txt:5: sprite ball has no class: those in l.txt are left out",
        ),
        (
            {"sprites": f"{WALKER}\nball >", "interactions": "avatar wall > spawn stype=ball"},
            "g.txt:7: spawn: sprite ball has no class: none is made",
        ),
        (
            {"sprites": "avatar > ShootAvatar stype=ball\nball >"},
            "g.txt:4: ShootAvatar: sprite ball has no class: none is made",
        ),
        # what lies outside of the level
        ({"level": "A  \n   bw"}, "l.txt:2: 'bw' is cut off: the first line has 3 characters"),
    ],
)
def test_what_changes_a_game_without_being_wrong_is_a_warning(changed: dict[str, str], warning: str) -> None:
    found = [line for line in compiled(**changed).warnings if line.startswith(warning)]  # type: ignore[arg-type]
    assert len(found) == 1
    with pytest.raises(DescriptionError) as caught:
        compiled(**changed, strict=True)  # type: ignore[arg-type]
    assert str(caught.value) == found[0]


@pytest.mark.parametrize(
    "ending",
    ["SpriteCounter stype=bal", "SpriteCounterMore limit=0", "MultiSpriteCounter stype1=x stype2=y", "StopCounter"],
)
def test_a_termination_without_sprites_to_count_never_fires(ending: str) -> None:
    found = compiled(endings=f"{ending} win=True\nTimeout limit=9 win=False")
    name = ending.split(maxsplit=1)[0]
    assert found.warnings[-1] == f"g.txt:10: termination {name} has no sprites to count: it is left out"
    assert [int(one.limit) for one in found.program.terminations[: int(found.program.n_terminations)]] == [9]


def test_what_is_right_has_no_warnings() -> None:
    sprites = """
        avatar > ShootAvatar stype=ball
        group >
            ball > Missile singleton=True
            rock > Immovable
        springs > SpawnPoint
            spring > stype=ball
        hunter > Chaser stype=group
        any > Portal
    """
    interactions = """
        hunter wall EOS > stepBack
        avatar TIME > addTimer timer=5 ftype=transformToAll stype=ball stypeTo=rock
        ball rock > transformToRandomChild stype=group
    """
    level = "A b  \n b   \n  "
    strict = compiled(interactions, sprites=sprites, level=level, endings="SpriteCounter stype=group", strict=True)
    assert strict.warnings == []


# --- what is left for the game itself --------------------------------------------------------------------------------


def test_a_game_that_is_broken_off_says_why() -> None:
    world = World(BALLS, "", "A.")
    assert "broken off" not in world.state.text()
    world.state.record.failed = 1
    assert world.state.text().endswith("; broken off: more than 16,384 sprites that move and timers")
    world.state.record.failed = 0
    world.state.record.refused = layout.WARNINGS + 1
    assert world.state.text().endswith("; broken off: with more than 10,000 sprites 26 were refused")
