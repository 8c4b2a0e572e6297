"""Checks of what a position offers: starts, actions, chance."""

from __future__ import annotations

import math
from collections import Counter

from oponente.kernel import CHANCE, TERMINAL, random_below, stream
from oponente.testing.errors import difference
from oponente.testing.probe import Probe
from oponente.testing.sample import Position, Sample, open_actions_of, require_listed
from oponente.testing.statistics import deviation

DRAWS = 1200
"""Samples drawn at a position to compare a distribution."""
UNLIKELY = 6.0
"""Standard deviations that a distribution may deviate. Seeds are fixed: a game that passes once passes always."""
PROBABILITY_TOLERANCE = 1e-9


def check_initial(sample: Sample) -> None:
    """A start position depends on the random stream alone and has something to do."""
    probe = Probe(sample.game, "initial")
    for seed, _ in sample.records:
        first, second = (probe.initial(stream(seed, "start")) for _ in range(2))
        probe.require(
            probe.game.state_bytes(first) == probe.game.state_bytes(second),
            f"two starts from the same stream (seed {seed}) differ{difference(first, second)}",
        )
        probe.require(probe.look(first).player != TERMINAL, "the game is over before it begins")


def check_actions(sample: Sample) -> None:
    """Listed actions are distinct and not negative, and `legal` allows them."""
    probe = Probe(sample.game, "actions")
    for position in sample.spread(1500):
        probe.at(position.state, position.seed)
        listed = position.look.listed
        require_listed(probe, position.array, position.look)
        for action in listed:
            probe.require(probe.legal(position.array, action), f"actions lists {action}, but legal denies it")


def check_legal(sample: Sample) -> None:
    """`legal` denies what is not listed, save open actions, which can be applied, and all when the game is over."""
    game = sample.game
    probe = Probe(game, "legal")
    known = sorted({action for position in sample.positions for action in position.look.listed})
    rng = stream(sample.seed, "legal")
    top = (known[-1] if known else 0) + 2
    open_actions = open_actions_of(game)
    for position in sample.spread(300):
        probe.at(position.state, position.seed)
        near = known if len(known) <= 40 else [known[int(random_below(rng, len(known)))] for _ in range(40)]
        guessed = [int(random_below(rng, top)) for _ in range(20)]
        for action in (-1, -2, -(2**31), 2**31 - 1, top - 1, top, *near, *guessed):
            if action in position.look.listed or not probe.legal(position.array, action):
                continue
            probe.require(action >= 0, f"legal allows {action}; actions are not negative")
            probe.require(
                game.open_actions,
                f"legal allows {action}, which actions does not list, and the game has no OPEN_ACTIONS",
            )
            _require_playable(probe, position, action)
        for action in open_actions(position.state.copy()) if open_actions else ():
            probe.require(action not in position.look.listed, f"open_actions yields {action}, which is listed")
            probe.require(probe.legal(position.array, action), f"open_actions yields {action}, but legal denies it")
            _require_playable(probe, position, action)
    if not hasattr(game.rules, "legal"):
        return  # the default relies on `actions`, which may list anything when the game is over
    tried = sorted({-1, 0, top, *known[:40], *known[-40:]})
    for position in sample.spread(100, player=TERMINAL):
        probe.at(position.state, position.seed)
        for action in tried:
            probe.require(not probe.legal(position.array, action), f"legal allows {action}, but the game is over")


def _require_playable(probe: Probe, position: Position, action: int) -> None:
    after = position.array
    probe.apply(after, action)
    probe.look(after)


def check_chance(sample: Sample) -> None:
    """Outcomes of a chance node are distinct, each has a positive probability, and these sum to 1."""
    probe = Probe(sample.game, "chance")
    for position in sample.spread(500, player=CHANCE):
        probe.at(position.state, position.seed)
        look = position.look
        twice = [outcome for outcome, times in Counter(look.listed).items() if times > 1]
        probe.require(not twice, f"chance lists {twice[:5]} more than once: {look.listed[:30]}")
        probe.require(min(look.listed) >= 0, f"chance lists {min(look.listed)}; outcomes are not negative")
        bad = [(a, p) for a, p in zip(look.listed, look.probs, strict=True) if not 0.0 < p <= 1.0]
        probe.require(not bad, f"outcomes have probabilities that are not positive: {bad[:5]}")
        total = math.fsum(look.probs)
        probe.require(abs(total - 1.0) <= PROBABILITY_TOLERANCE, f"the probabilities sum to {total!r}, not to 1")
        for outcome in look.listed[:20]:
            _require_playable(probe, position, outcome)


def check_sample_chance(sample: Sample) -> None:
    """`sample_chance` draws from the distribution that `chance` lists."""
    probe = Probe(sample.game, "sample_chance")
    for position in sample.spread(6, player=CHANCE):
        probe.at(position.state, position.seed)
        rng = stream(sample.seed, "sample_chance")
        array = position.array
        counts = Counter(probe.sample_chance(array, rng) for _ in range(DRAWS))
        expected = {a: DRAWS * p for a, p in zip(position.look.listed, position.look.probs, strict=True)}
        _require_fit(probe, "sample_chance", counts, expected)


def check_sample_action(sample: Sample) -> None:
    """`sample_action` draws each listed action with equal probability."""
    probe = Probe(sample.game, "sample_action")
    for position in sample.spread(6):
        probe.at(position.state, position.seed)
        rng = stream(sample.seed, "sample_action")
        array = position.array
        draws = max(DRAWS, min(20 * len(position.look.listed), 20 * DRAWS))
        counts = Counter(probe.sample_action(array, rng) for _ in range(draws))
        listed = position.look.listed
        _require_fit(probe, "sample_action", counts, {action: draws / len(listed) for action in listed})


def _require_fit(probe: Probe, what: str, counts: Counter[int], expected: dict[int, float]) -> None:
    strange = [action for action in counts if action not in expected]
    probe.require(not strange, f"{what} draws {strange[:5]}, not among {list(expected)[:30]}")
    probe.require(
        deviation(counts, expected) < UNLIKELY,
        f"{what} does not draw from the listed distribution: drawn {dict(counts.most_common(8))}, "
        f"expected {dict(list(expected.items())[:8])}",
    )
