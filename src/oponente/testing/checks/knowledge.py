"""Checks of what a seat knows: encodings, masks, determinizations."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, stream
from oponente.testing.errors import difference
from oponente.testing.probe import Probe, play_to_end
from oponente.testing.sample import Position, Sample, spread


def check_encode(sample: Sample) -> None:
    """`encode` fills the whole vector with finite numbers, whatever was in it."""
    game = sample.game
    if not game.encoding:
        return
    probe = Probe(game, "encode")
    for position in sample.spread(100, ends=True):
        probe.at(position.state, position.seed)
        for seat in range(game.num_players):
            features = probe.encode(position.array, seat)
            probe.require(np.isfinite(features).all(), f"encode({seat}) gives values that are not finite: {features}")
            again = probe.encode(position.array, seat, 7.0)
            probe.require(
                np.array_equal(features, again),
                f"encode({seat}) leaves features unwritten: {np.flatnonzero(features != again)[:8]}",
            )


def check_observed(sample: Sample) -> None:
    """A seat sees its own actions as they are; masks exist where moves are simultaneous, and only where moves hide."""
    game = sample.game
    probe = Probe(game, "observed")
    masked = 0
    for position in sample.spread(300, ends=True):
        look = position.look
        if look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        for action in spread(look.listed, 8):
            for seat in range(game.num_players):
                seen = probe.observed(position.array, action, seat)
                masked += seen != action
                if game.perfect_information:
                    probe.require(
                        seen == action, f"seat {seat} sees action {action} as {seen}, but nothing is hidden in the game"
                    )
                elif seat == look.player:
                    probe.require(seen == action, f"seat {seat} sees its own action {action} as {seen}")
    if game.simultaneous and game.num_players > 1:
        probe.at(sample.positions[0].state, sample.positions[0].seed)
        probe.require(masked, "moves are simultaneous, but every seat sees every action as it is")


def check_determinize(sample: Sample) -> None:
    """What a seat sees of a determinized state is what it saw before, and the game can be played on to its end.

    At each position one of the samples, another seat's each time, is played to the end.
    """
    game = sample.game
    probe = Probe(game, "determinize")
    for number, position in enumerate(sample.spread(60, ends=True)):
        probe.at(position.state, position.seed)
        look = position.look
        for seat in range(game.num_players):
            changed = probe.determinize(position.array, seat, stream(sample.seed, "determinize", number, seat))
            if game.perfect_information:
                probe.require(
                    probe.game.state_bytes(changed) == probe.game.state_bytes(position.state.array),
                    f"determinize({seat}) changes the state, but nothing is hidden in the game"
                    f"{difference(position.state.array, changed)}",
                )
                continue
            sample.require_invariant(probe, changed, f"determinize({seat})")
            _require_known(probe, position, changed, seat)
            if look.player != TERMINAL and seat == number % game.num_players:
                play_to_end(probe, changed, stream(sample.seed, "play on", number, seat), sample.max_plies)


def _require_known(probe: Probe, position: Position, changed: Any, seat: int) -> None:
    """Require that `seat` can't tell `changed` from the position that it was made from."""
    game, look = probe.game, position.look
    after = probe.look(changed)
    probe.require(
        after.player == look.player,
        f"determinize({seat}) changes whose turn it is from {look.player} to {after.player}, which the seat knows",
    )
    if look.player == seat:
        probe.require(
            after.listed == look.listed,
            f"determinize({seat}) changes the seat's own actions from {look.listed[:20]} to {after.listed[:20]}",
        )
    if game.encoding:
        before, features = probe.encode(position.array, seat), probe.encode(changed, seat)
        probe.require(
            np.array_equal(before, features),
            f"encode({seat}) differs after determinize({seat}), at features {np.flatnonzero(before != features)[:8]}: "
            "one of them reads, or overwrites, what it must not",
        )
    if look.player >= 0:
        for action in spread([a for a in look.listed if a in after.listed], 4):
            before_seen, after_seen = (
                probe.observed(position.array, action, seat),
                probe.observed(changed, action, seat),
            )
            probe.require(
                before_seen == after_seen,
                f"seat {seat} sees action {action} as {before_seen}, but as {after_seen} after determinize: "
                "observed reads what is hidden",
            )


def check_leaks(sample: Sample) -> None:
    """`determinize` does not read what it overwrites: states that a seat can't tell apart give the same samples."""
    game = sample.game
    if game.perfect_information:
        return
    probe = Probe(game, "leaks")
    varied = False
    for number, position in enumerate(sample.spread(80, ends=True)):
        if position.look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        for seat in range(game.num_players):
            twins = [
                probe.determinize(position.array, seat, stream(sample.seed, "twin", number, seat, i)) for i in (0, 1)
            ]
            varied = varied or any(
                probe.game.state_bytes(twin) != probe.game.state_bytes(position.state.array) for twin in twins
            )
            _require_no_leak(probe, seat, [position.array, *twins], f"determinize({seat})")
            if position.look.player == CHANCE or game.hidden_information:
                _check_masked(probe, position, seat)
    probe.at(sample.positions[0].state, sample.positions[0].seed)
    probe.require(
        varied, "determinize never changes anything, though the game hides something: every agent would cheat"
    )


def _check_masked(probe: Probe, position: Position, seat: int) -> None:
    """Require that two actions which `seat` sees as one lead to states which it can't tell apart."""
    look = position.look
    if look.player == seat:
        return
    groups: dict[int, list[int]] = {}
    for action in spread(look.listed, 12):
        groups.setdefault(probe.observed(position.array, action, seat), []).append(action)
    for seen, alike in groups.items():
        if len(alike) < 2:
            continue
        twins = []
        for action in alike[:3]:
            twin = position.array
            probe.apply(twin, action)
            twins.append(twin)
        # The last of several simultaneous actions uncovers them all, so what follows it differs.
        movers = {probe.look(twin).player for twin in twins}
        if probe.game.simultaneous and look.player >= 0 and not all(mover > look.player for mover in movers):
            continue
        what = f"seat {seat} sees {alike[:3]} alike, as {seen}; but after them"
        probe.require(len(movers) == 1, f"{what} it is the turn of {sorted(movers)}")
        if TERMINAL in movers:
            continue
        if probe.game.encoding:
            features = [probe.encode(twin, seat) for twin in twins]
            probe.require(
                all(np.array_equal(features[0], other) for other in features[1:]), f"{what} encode({seat}) differs"
            )
        _require_no_leak(probe, seat, twins, f"{what} determinize({seat})")


def _require_no_leak(probe: Probe, seat: int, twins: list[Any], what: str) -> None:
    samples = [probe.determinize(twin, seat, stream(probe.game.num_players, "same stream", seat)) for twin in twins]
    for other in samples[1:]:
        probe.require(
            probe.game.state_bytes(other) == probe.game.state_bytes(samples[0]),
            f"{what} gives different results from states that seat {seat} can't tell apart, so it reads what is hidden"
            f"{difference(samples[0], other)}",
        )


def check_reseed(sample: Sample) -> None:
    """`reseed` changes the random stream inside the state, and nothing that is seen now."""
    game = sample.game
    if not game.sampled_chance:
        return
    probe = Probe(game, "reseed")
    for position in sample.spread(50):
        probe.at(position.state, position.seed)
        first, second = (probe.reseed(position.array, stream(sample.seed, "reseed", i)) for i in (0, 1))
        probe.require(
            probe.game.state_bytes(first) != probe.game.state_bytes(second),
            "reseed gives the same state from different streams",
        )
        again = probe.reseed(position.array, stream(sample.seed, "reseed", 0))
        probe.require(
            probe.game.state_bytes(first) == probe.game.state_bytes(again),
            "reseed gives different states from the same stream",
        )
        probe.require(probe.look(first) == position.look, "reseed changes whose turn it is, or the listed actions")
