"""The screen as a moving picture."""

from __future__ import annotations

import io

from PIL import Image

from oponente.games.vgdl.draw import FRAME_MS, gif
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
