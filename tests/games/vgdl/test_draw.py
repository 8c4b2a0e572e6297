"""The screen as a picture and as a moving one."""

from __future__ import annotations

import io

from PIL import Image

from oponente.games.vgdl.draw import CELL, FRAME_MS, decimal, gif
from tests.games.vgdl.worlds import World


def durations(content: bytes) -> list[int]:
    """Return how long each picture of a moving one is shown."""
    found = []
    with Image.open(io.BytesIO(content)) as moving:
        for number in range(moving.n_frames):
            moving.seek(number)
            found.append(moving.info["duration"])
    return found


def test_a_moving_picture_has_one_picture_for_each_tick_however_many_play() -> None:
    for players in (1, 2):
        level = "A.A"[: 2 * players]
        world = World("avatar > MovingAvatar", "", level, header=f"square_size=10 no_players={players}")
        states = [world.state.copy()]
        for action in (4, 0, 2) if players == 1 else (4, 2, 0, 0, 2, 4):
            world.state.apply(action)
            states.append(world.state.copy())
        assert durations(gif(states)) == [FRAME_MS] * 4


def test_pictures_of_wide_levels_are_as_exact_as_those_of_others() -> None:
    world = World("avatar > MovingAvatar\nbox > Immovable", "", "A" + "." * 498 + "b", mapping="b > box")
    assert f'<path d="M{499 * CELL} 0L' in world.state.svg()
    assert [decimal(x) for x in (11976.0, 1152.5, 0.126, -0.001, 100.0)] == ["11976", "1152.5", "0.13", "0", "100"]
