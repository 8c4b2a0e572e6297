"""The check of what transposition tables know states by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oponente.kernel import TERMINAL
from oponente.testing.errors import difference
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample, spread

BRANCHES, PLIES = 3, 2
"""How many actions are followed at each position, and how far: far enough for states that are met on two ways."""


def check_hash_state(sample: Sample) -> None:
    """Equal states get equal words, always the same; states with the same words go on alike; nothing is changed.

    Only a game's own ``hash_state`` is looked at.
    """
    game = sample.game
    if not hasattr(game.rules, "hash_state"):
        return
    probe = Probe(game, "hash_state")
    words_of: dict[bytes, tuple[int, int]] = {}
    known: dict[tuple[int, int], tuple[object, dict[int, tuple[int, int]]]] = {}
    for position in sample.spread(20, ends=True):
        probe.at(position.state, position.seed)
        for array in _near(probe, position.array):
            record = game.state_bytes(array)
            words = probe.hash_state(array)
            before = game.state_array(record)
            probe.require(game.state_bytes(array) == record, f"hash_state changes the state{difference(before, array)}")
            for other, what in ((array, "when asked again"), (probe.copy(array), "of a copy")):
                again = probe.hash_state(other)
                probe.require(words == again, f"hash_state gives {words}, and {again} {what}")
            probe.require(words_of.setdefault(record, words) == words, "hash_state gives equal states other words")
            look = probe.look(array)
            end = probe.returns(array) if look.player == TERMINAL else []
            alike: object = (look.player, look.listed, look.probs, end)
            after = {}
            for action in spread(look.listed, BRANCHES):
                following = game.copied(array)
                probe.apply(following, action)
                after[action] = probe.hash_state(following)
            first, then = known.setdefault(words, (alike, after))
            probe.require(
                first == alike,
                f"hash_state gives {words} to two states that differ in player, actions or returns: "
                f"{str(first)[:200]} and {str(alike)[:200]}",
            )
            for action, reached in after.items():
                probe.require(
                    then[action] == reached,
                    f"hash_state gives {words} to two states, and {then[action]} and {reached} after {action}",
                )


def _near(probe: Probe, array: Any) -> Iterator[Any]:
    """Yield a state and those that a few actions lead to."""
    layer = [array]
    for ply in range(PLIES + 1):
        yield from layer
        if ply == PLIES:
            return
        following = []
        for state in layer:
            for action in spread(probe.look(state).listed, BRANCHES):
                after = probe.game.copied(state)
                probe.apply(after, action)
                following.append(after)
        layer = following
