"""Checks of what a game brings for searches: evaluators and playout policies."""

from __future__ import annotations

import math

from oponente.kernel import OUTCOME, UNIFORM, stream, value_bounds
from oponente.testing.checks.ends import ROUNDING
from oponente.testing.errors import difference
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample


def check_evaluators(sample: Sample) -> None:
    """An evaluator gives each player a finite value within its bounds, at the end too, always the same, and changes
    nothing.
    """
    probe = Probe(sample.game, "evaluators")
    for name, evaluator in sample.game.evaluators.items():
        if evaluator is OUTCOME:
            continue
        bounds = value_bounds(evaluator, sample.game.tables)
        for position in sample.spread(100, ends=True):
            probe.at(position.state, position.seed)
            array = position.array
            values = probe.evaluate(name, array)
            probe.require(
                all(map(math.isfinite, values)), f"evaluator {name} gives {values}; expected a number for each player"
            )
            probe.require(
                all(bounds.low <= value <= bounds.high for value in values) and sum(values) <= bounds.most + ROUNDING,
                f"evaluator {name} gives {values}; by its value_bounds they are within {bounds.low} and {bounds.high} "
                f"and sum to {bounds.most} at most",
            )
            probe.require(
                probe.game.state_bytes(array) == probe.game.state_bytes(position.state.array),
                f"evaluator {name} changes the state{difference(position.state.array, array)}",
            )
            again = probe.evaluate(name, position.array)
            probe.require(values == again, f"evaluator {name} gives {values}, and {again} when asked again")


def check_policies(sample: Sample) -> None:
    """A playout policy gives a legal action, the same one from the same stream, and changes nothing.

    One that declares ``OWN_KNOWLEDGE`` gives the same action whatever is hidden from the player to move.
    """
    probe = Probe(sample.game, "policies")
    for name, policy in sample.game.policies.items():
        if policy is UNIFORM:
            continue
        for number, position in enumerate(sample.spread(200)):
            probe.at(position.state, position.seed)
            array = position.array
            action, again = (
                probe.playout_action(name, array, stream(sample.seed, "policies", number)) for _ in range(2)
            )
            probe.require(
                probe.game.state_bytes(array) == probe.game.state_bytes(position.state.array),
                f"policy {name} changes the state{difference(position.state.array, array)}",
            )
            probe.require(
                action in position.look.listed or probe.legal(position.array, action),
                f"policy {name} plays {action}, which is not legal; listed: {position.look.listed[:30]}",
            )
            probe.require(action == again, f"policy {name} plays {action}, and {again} from the same stream")
            if getattr(policy.token.module, "OWN_KNOWLEDGE", False) and not sample.game.perfect_information:
                other = probe.determinize(position.array, position.state.player, stream(sample.seed, "other", number))
                unlike = probe.playout_action(name, other, stream(sample.seed, "policies", number))
                probe.require(
                    action == unlike,
                    f"policy {name} declares OWN_KNOWLEDGE, yet plays {action}, and {unlike} if only what the player "
                    "can't know is another",
                )
