"""Copies of states: of a large record only what is in use is copied, and nothing may depend on the rest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oponente.agents.view import View
from oponente.games.catalogue import load_game
from oponente.games.vgdl.portfolio import observe
from oponente.kernel import game as kernel_game
from oponente.kernel import stream
from oponente.kernel.memory import private_zeros

pytestmark = pytest.mark.compiled


@pytest.fixture
def dirty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let new memory hold something else each time, as it may."""
    chance = np.random.default_rng(1)

    def space(count: int, dtype: np.dtype[Any]) -> Any:
        array = private_zeros(count, dtype)
        array.view(np.uint8)[:] = chance.integers(0, 256, array.nbytes, np.uint8)
        return array

    monkeypatch.setattr(kernel_game, "private_space", space)


@pytest.mark.usefixtures("dirty")
@pytest.mark.parametrize("name", ["harvest", "ferryman", "foxhunt", "shepherds"])
def test_a_copy_goes_on_as_the_original_does(name: str) -> None:
    state = load_game("vgdl", {"game": name}).start(3)
    copy, rng = state.copy(), stream(3, "actions")
    for _ in range(120):
        if state.is_terminal:
            break
        action = state.sample_action(rng)
        state.apply(action)
        copy.apply(action)
        assert copy == state
    assert len(state.history) > 5


@pytest.mark.usefixtures("dirty")
def test_a_game_without_chance_is_seen_to_be_deterministic() -> None:
    state = load_game("vgdl", {"game": "warehouse"}).start(1)
    for seed in range(3):
        assert observe(state, View(state, 0, seed)).deterministic
