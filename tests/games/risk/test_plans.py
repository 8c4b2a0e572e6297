"""Plans are played as legal raw actions, whatever the rules."""

import numpy as np
import pytest

from oponente import load_game
from oponente.games.risk.plans import DONE_WITH, list_plans, next_step
from oponente.kernel import stream
from tests.games.risk.test_properties import VARIANTS

MOST_STEPS = 5000
"""Raw actions of a plan at most: an attack to the end on very many armies."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_plan_is_played_as_legal_actions(variant):
    game = load_game("risk", {**VARIANTS[variant], "turn_limit": "24"})
    plans, buffer = np.zeros(game.max_actions, np.int32), np.zeros(game.max_actions, np.int32)
    state, rng = game.start(1), stream(1, "play")
    state.undoable = False
    pick = np.random.default_rng(1)
    tried = 0
    while tried < 150 and not state.is_terminal:
        if state.is_chance:
            state.apply_chance(rng)
            continue
        count = int(list_plans(game.tables, state.array[0], plans, buffer))
        assert 0 < count <= game.max_actions
        assert len(set(plans[:count].tolist())) == count
        for plan in pick.choice(plans[:count], min(count, 2), replace=False).tolist():
            check_plan(state.copy(), plan, rng)
            tried += 1
        state.apply(state.sample_action(rng))


def check_plan(state, plan, rng):
    """Carry a plan out; each of its steps must be legal, and the player's own."""
    state.undoable = False
    player, begun = state.player, False
    for _ in range(MOST_STEPS):
        if state.is_chance:
            state.apply_chance(rng)
            continue
        if state.is_terminal or state.player != player:
            return
        step = int(next_step(state.game.tables, state.array[0], plan, begun))
        if step == DONE_WITH:
            assert begun
            return
        assert state.is_legal(step), (plan, step, state.text())
        state.apply(step)
        begun = True
    raise AssertionError(f"plan {plan} does not end")
