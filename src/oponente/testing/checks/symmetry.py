"""Checks of symmetries: the symmetric game goes the same way, and looks the same from its places."""

from __future__ import annotations

import numpy as np

from oponente.kernel import TERMINAL
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample


def check_symmetries(sample: Sample) -> None:
    """In the symmetric state the same players may do the symmetric things, with symmetric results and features."""
    game = sample.game
    for symmetry in game.symmetries:
        probe = Probe(game, "symmetries")
        for position in sample.spread(40, ends=True):
            probe.at(position.state, position.seed)
            before, after = position.array, symmetry.state(position.array)
            look, other = probe.look(before), probe.look(after)
            probe.require(look.player == other.player, f"the player to move is {other.player}, not {look.player}")
            # In any order: lists go by places.
            listed = sorted(zip(map(symmetry.action, look.listed), look.probs or [0.0] * len(look.listed), strict=True))
            there = sorted(zip(other.listed, other.probs or [0.0] * len(other.listed), strict=True))
            probe.require(listed == there, f"actions are {there}, not {listed}")
            if look.player == TERMINAL:
                probe.require(probe.returns(before) == probe.returns(after), "the utilities are others")
            else:
                for action in look.listed[:: max(1, len(look.listed) // 8)]:
                    one, two = probe.copy(before), probe.copy(after)
                    probe.apply(one, action)
                    probe.apply(two, symmetry.action(action))
                    probe.require(
                        game.state_bytes(symmetry.state(one)) == game.state_bytes(two),
                        f"{symmetry.action(action)} does not lead to what is symmetric to the result of {action}",
                    )
            for seat in range(game.num_players if game.encoding else 0):
                expected = probe.encode(before, seat)[symmetry.features]
                probe.require(
                    np.array_equal(expected, probe.encode(after, seat)),
                    f"encode({seat}) gives other features than those of the state, taken at their origins",
                )
