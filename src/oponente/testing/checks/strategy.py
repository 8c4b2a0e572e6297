"""Checks of what a game brings for searches: evaluators, playout policies, priors, beliefs and features."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

from oponente.kernel import ENCODED, OUTCOME, UNIFORM, stream, value_bounds
from oponente.testing.checks.ends import ROUNDING
from oponente.testing.errors import difference
from oponente.testing.probe import Probe
from oponente.testing.sample import Position, Sample, spread


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
            _require_unchanged(probe, position, array, f"evaluator {name}")
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
            _require_unchanged(probe, position, array, f"policy {name}")
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


def check_redundancy(sample: Sample) -> None:
    """What a playout policy says of actions that undo the last one, and of positions where a player has been lately, is
    yes or no (1 or 0), always the same, and changes nothing.
    """
    probe = Probe(sample.game, "redundancy")
    for name, policy in sample.game.policies.items():
        module = policy.token.module
        for position in sample.spread(60, ends=True):
            probe.at(position.state, position.seed)
            listed = spread(position.look.listed, 3) if position.look.player >= 0 else []
            asks: dict[str, Callable[[Any], float]] = {}
            if hasattr(module, "redundant"):
                for before, action in product(listed, listed):
                    asks[f"redundant({before}, {action})"] = partial(probe.redundant, name, before, action)
            if hasattr(module, "stale"):
                asks["stale"] = partial(probe.stale, name)
            for what, ask in asks.items():
                array = position.array
                found, again = ask(array), ask(position.array)
                _require_unchanged(probe, position, array, f"{what} of policy {name}")
                probe.require(found in (0.0, 1.0), f"{what} of policy {name} is {found:g}; expected 0 or 1")
                probe.require(found == again, f"{what} of policy {name} is {found:g}, and {again:g} when asked again")


def check_priors(sample: Sample) -> None:
    """A prior gives each action a finite weight that is not negative, always the same, and changes nothing."""
    probe = Probe(sample.game, "priors")
    for name in sample.game.priors:
        for position in sample.spread(100):
            probe.at(position.state, position.seed)
            array, listed = position.array, position.look.listed
            weights = probe.prior_weights(name, array, listed)
            wrong = [i for i, weight in enumerate(weights) if not 0.0 <= weight < math.inf]
            probe.require(
                not wrong,
                f"prior {name} gives {[(listed[i], weights[i]) for i in wrong[:5]]}; expected a number for each "
                "action, none negative",
            )
            _require_unchanged(probe, position, array, f"prior {name}")
            again = probe.prior_weights(name, position.array, listed)
            probe.require(weights == again, f"prior {name} gives {weights[:30]}, and {again[:30]} when asked again")


def check_beliefs(sample: Sample) -> None:
    """A belief gives samples of what is hidden a finite likelihood that is not negative, always the same, and changes
    nothing.
    """
    probe = Probe(sample.game, "beliefs")
    for name in sample.game.beliefs:
        for number, position in enumerate(sample.spread(100)):
            probe.at(position.state, position.seed)
            seat = position.look.player
            drawn = probe.determinize(position.array, seat, stream(sample.seed, "beliefs", number))
            before = sample.game.copied(drawn)
            found, again = (probe.likelihood(name, drawn, seat) for _ in range(2))
            probe.require(
                0.0 <= found < math.inf, f"belief {name} gives {found}; expected a number that is not negative"
            )
            probe.require(
                probe.game.state_bytes(drawn) == probe.game.state_bytes(before),
                f"belief {name} changes the state{difference(before, drawn)}",
            )
            probe.require(found == again, f"belief {name} gives {found}, and {again} when asked again")


def check_features(sample: Sample) -> None:
    """Features are finite, always the same, tell a seat nothing that it can't know, and change nothing."""
    probe = Probe(sample.game, "features")
    for name, kind in sample.game.features.items():
        if kind is ENCODED:
            continue
        for number, position in enumerate(sample.spread(60)):
            probe.at(position.state, position.seed)
            for seat in range(sample.game.num_players):
                array = position.array
                values = probe.features(name, array, seat)
                probe.require(
                    all(map(math.isfinite, values)),
                    f"features {name} of seat {seat} are not finite: {[v for v in values if not math.isfinite(v)][:8]}",
                )
                _require_unchanged(probe, position, array, f"features {name}")
                again = probe.features(name, position.array, seat)
                probe.require(
                    values == again,
                    f"features {name} of seat {seat} differ when asked again, at {_unequal(values, again)}",
                )
                if sample.game.perfect_information:
                    continue
                other = probe.determinize(position.array, seat, stream(sample.seed, "features", number, seat))
                unlike = probe.features(name, other, seat)
                probe.require(
                    values == unlike,
                    f"features {name} of seat {seat} differ if only what it can't know is another, at "
                    f"{_unequal(values, unlike)}",
                )


def _require_unchanged(probe: Probe, position: Position, array: Any, what: str) -> None:
    """Require that a state is as it was."""
    probe.require(
        probe.game.state_bytes(array) == probe.game.state_bytes(position.state.array),
        f"{what} changes the state{difference(position.state.array, array)}",
    )


def _unequal(values: list[float], others: list[float]) -> list[int]:
    """Return the first places at which two lists differ."""
    return [i for i, (value, other) in enumerate(zip(values, others, strict=True)) if value != other][:8]
