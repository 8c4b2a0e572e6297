"""Whatever stands in description and level, reading ends in one clear line or in a game that can be played."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from oponente.games.vgdl.loading import OWN_GAMES
from oponente.kernel import COMPILED, random_below, stream
from tests.games.vgdl.worlds import describe, make_game, own_texts

TICKS = 40 if COMPILED else 5
PIECES = [
    *("", " ", ">", "=", "#", "EOS", "TIME", "-1", "0", "99999999999", "0.5", "True", ",", "\t", "é", "NIL"),
    *("speed=40", "speed=-3", "cooldown=0", "limit=-1", "singleton=True", "stype=avatar", "total=1", "ttl=1"),
    *("killSprite", "transformTo stype=avatar", "cloneSprite", "undoAll", "bounceForward", "teleportToExit", "spawn"),
    *("pullWithIt", "wrapAround offset=1", "turnAround", "killAll stype=wall", "avatar", "wall", "collectResource"),
    *(
        "physicstype=CONT",
        "gravity=1",
        "gravity=-1",
        "friction=2",
        "friction=-9",
        "mass=0",
        "mass=0.001",
        "max_speed=0",
    ),
    *("jump_strength=99", "solid=True", "hMult=0", "angle_diff=9", "CarAvatar", "PlatformerAvatar", "Walker"),
    *("wallStop", "wallBounce", "wallReverse", "bounceDirection", "waterPhysics", "killIfNotUpright"),
    *("repeat=2000000000", "repeat=3000", "repeat=30000", "repeat=0", "repeat=-1", "limits=99999999999,1"),
    *("counter=99999999999,0", "no_counters=1", "use_counter=True", "counterElse=1,2,3,4,5,6,7,8,9"),
    *("wMult=200000000", "hMult=-3", "wMult=nan", "scoreChange=nan", "scoreChange=1e400", "scoreChange=1,-inf"),
    *("avatar TIME > flipDirection repeat=1024", "avatar EOS > stepBack repeat=100", "addTimer timer=0 ftype=spawn"),
    *("square_size=1", "square_size=1000", "no_players=True", "obs=wall", "killIfHasMore", "spawn stype=", "1_0"),
    *("BomberRandomMissile stypeMissile=avatar,wall", "BomberRandomMissile", "gold > Resource limit=1000000 value=500"),
    *("updateSpawnType stype=avatar spawnPoint=wall", "gold wall > collectResource", "changeResource resource=gold"),
    *("addTimer timer=2147483647 ftype=killAll stype=wall repeating=True", "timer=-2147483648", "repeating=True"),
    *("shieldFrom stype=avatar ftype=killSprite", "transformToRandomChild", "StopCounter stype1=wall", "PathAltChaser"),
    *("Chaser", "SpawnPoint", "ShootAvatar", "Portal", "PathChaser", "9" * 5_000, "\ufeff", "\u2028", "\x1b[2J"),
]
"""What is put into a line, at the place of up to four of its characters."""


@st.composite
def mutated_texts(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a game of the package in which lines and characters were changed, left out, doubled or moved."""
    changed = []
    for text in own_texts(draw(st.sampled_from(OWN_GAMES))):
        lines = text.splitlines()
        for _ in range(draw(st.integers(0, 6))):
            at = draw(st.integers(0, max(0, len(lines) - 1)))
            kind = draw(st.integers(0, 5))
            if kind == 0:
                del lines[at : at + 1]
            elif kind == 1:
                lines[at:at] = lines[at : at + 1]
            elif kind == 2:
                lines.insert(at, draw(st.text(max_size=30)))
            elif lines:
                line = lines[at]
                column = draw(st.integers(0, len(line)))
                cut = draw(st.integers(0, 4))
                lines[at] = line[:column] + draw(st.sampled_from(PIECES)) + line[column + cut :]
        changed.append("\n".join(lines))
    return changed[0], changed[1]


def world(sprites: str, interactions: str, level: str, mapping: str) -> tuple[str, str]:
    """Return description and level of a game with one avatar."""
    return describe(f"avatar > MovingAvatar\n{sprites}", interactions, mapping=mapping), level


BOMBER = world(
    "nest > BomberRandomMissile stypeMissile=fly,bee\nfly > Passive\nbee > Passive\n"
    "gold > Resource limit=1000000 value=500\nmore > Resource limit=2000000000 value=2000000000",
    "gold more nest > collectResource\nnest fly > updateSpawnType stype=bee spawnPoint=nest",
    "n.\nA.",
    "n > nest gold more",
)
"""A bomber that holds much."""
TIMER = world(
    "box > Immovable",
    "avatar box > addTimer timer=2147483647 ftype=killAll stype=box repeating=True",
    "A.",
    "A > avatar box",
)
"""An effect that is due at the end of time, again and again."""
CHILD = world("box > Immovable", "avatar box > transformToRandomChild", "A.", "A > avatar box")
"""A sprite that becomes a child of no type."""


@example(BOMBER, 0)
@example(TIMER, 0)
@example(CHILD, 0)
@given(mutated_texts(), st.integers(0, 2**31))
def test_no_text_makes_more_trouble_than_one_line(texts: tuple[str, str], seed: int) -> None:
    try:
        game = make_game(*texts)
    except ValueError as error:
        message = str(error)
        assert "\n" not in message
        assert message.startswith(("test.txt:", "test_lvl0.txt:"))
        return
    state, rng = game.start(seed), stream(seed, "fuzz")
    for _ in range(TICKS * game.num_players):
        if state.is_terminal:
            break
        listed = list(state.legal_actions)
        state.apply(listed[int(random_below(rng, len(listed)))])
    assert game.from_bytes(state.to_bytes()) == state
    assert state.text()
    assert state.svg().startswith("<svg")
