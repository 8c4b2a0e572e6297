"""Checks that all of a game lies in the state record, and that copies and replays go on alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, Game, State, random_below, stream
from oponente.testing.errors import difference
from oponente.testing.probe import Look, Probe
from oponente.testing.sample import Sample, spread


def check_purity(sample: Sample) -> None:
    """Functions that ask do not change the state, and nothing changes the tables or the module's globals."""
    game = sample.game
    probe = Probe(game, "purity")
    outside = _outside(game)
    for position in sample.spread(100, ends=True):
        probe.at(position.state, position.seed)
        look = position.look
        asks: list[tuple[str, Callable[[Any], object]]] = [("player, actions or chance", probe.look)]
        if look.player == TERMINAL:
            asks.append(("returns", probe.returns))
        else:
            first = look.listed[0]
            if look.player == CHANCE:
                asks.append(("sample_chance", lambda array: probe.sample_chance(array, stream(1))))
            else:
                asks.append(("legal", lambda array, first=first: probe.legal(array, first)))  # type: ignore[misc]
                asks.append(("sample_action", lambda array: probe.sample_action(array, stream(1))))
            for seat in range(game.num_players):
                asks.append(
                    ("observed", lambda array, first=first, seat=seat: probe.observed(array, first, seat))  # type: ignore[misc]
                )
        if game.encoding:
            for seat in range(game.num_players):
                asks.append(("encode", lambda array, seat=seat: probe.encode(array, seat)))  # type: ignore[misc]
        for what, ask in asks:
            array = position.array
            before = probe.game.state_bytes(array)
            ask(array)
            probe.require(
                probe.game.state_bytes(array) == before,
                f"{what} changes the state{difference(position.state.array, array)}",
            )
            _require_outside(probe, outside, what)
        if look.player != TERMINAL:
            probe.apply(position.array, look.listed[0])
            _require_outside(probe, outside, "apply")
        probe.determinize(position.array, 0, stream(2))
        _require_outside(probe, outside, "determinize")


def _outside(game: Game) -> dict[str, object]:
    """Return all plain values that rules could keep state in: tables, and globals of the module."""
    values: dict[str, object] = {
        f"tables.{name}": value for name, value in zip(game.tables._fields, game.tables, strict=True)
    }
    values |= {name: value for name, value in vars(game.rules).items() if not name.startswith("__")}
    return {name: plain for name, value in values.items() if (plain := _plain(value)) is not None}


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tobytes() if not value.dtype.hasobject else None
    if isinstance(value, bool | int | float | str | bytes | np.generic):
        return value if not isinstance(value, float) else repr(value)  # a NaN is not equal to itself
    if isinstance(value, list | tuple | set | dict | bytearray):
        return repr(value) if len(value) < 10_000 else None
    return None


def _require_outside(probe: Probe, before: dict[str, object], what: str) -> None:
    after = _outside(probe.game)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    probe.require(
        not changed, f"{what} changes {', '.join(changed[:5])}: the state record must hold all of a game's state"
    )


def check_apply(sample: Sample) -> None:
    """`apply` does the same each time, and touches nothing but its record."""
    probe = Probe(sample.game, "apply")
    for position in sample.spread(300, ends=True):
        probe.at(position.state, position.seed)
        for action in spread(position.look.listed, 4):
            first, second = position.array, position.array
            probe.apply(first, action)
            probe.apply(second, action)
            probe.require(
                probe.game.state_bytes(first) == probe.game.state_bytes(second),
                f"apply({action}) is not deterministic: applied twice, it gives different states"
                f"{difference(first, second)}",
            )
            # The same record in the midst of others.
            row = sample.game.new_states(3)
            for i in range(3):
                # NumPy's own way goes through the record field by field.
                row[i : i + 1].view(np.uint8)[:] = position.array.view(np.uint8)
            probe.apply(row[1:2], action)
            probe.require(
                probe.game.state_bytes(row[0:1])
                == probe.game.state_bytes(row[2:3])
                == probe.game.state_bytes(position.state.array),
                f"apply({action}) writes outside its record",
            )
            probe.require(
                probe.game.state_bytes(row[1:2]) == probe.game.state_bytes(first),
                f"apply({action}) is not deterministic: it depends on where in memory the record lies",
            )


def check_replay(sample: Sample) -> None:
    """All games played in turns, an action each, and each replayed on its own with new tables give the same states."""
    game = sample.game
    probe = Probe(game, "replay")
    records = sample.records[:12]
    together: list[list[tuple[bytes, Look, str]]] = [[] for _ in records]
    arrays = [probe.initial(stream(seed, "start")) for seed, _ in records]
    for ply in range(max((len(actions) for _, actions in records), default=0) + 1):
        for array, (_, actions), trace in zip(arrays, records, together, strict=True):
            if ply > len(actions):
                continue
            if ply:
                probe.apply(array, actions[ply - 1])
            trace.append(_view(probe, array))
    fresh = Game(game.rules, game.changed_options, game.text, game.draw)
    alone = Probe(fresh, "replay")
    for (seed, actions), trace in zip(records, together, strict=True):
        state = State(fresh, alone.initial(stream(seed, "start")))
        for ply, expected in enumerate(trace):
            if ply:
                alone.apply(state.array, actions[ply - 1])
                state.history.append(actions[ply - 1])
            alone.at(state, seed)
            found = _view(alone, state.array)
            before, after = (fresh.state_array(view[0]) for view in (expected, found))
            alone.require(
                found[0] == expected[0],
                "a replay reaches another state than when other games were played in between, or with other tables: "
                f"part of the state lies outside the record{difference(before, after)}",
            )
            alone.require(
                found[1:] == expected[1:],
                "the same record has other actions, another player to move or other returns than when other games were "
                "played in between, or with other tables: part of the state lies outside the record",
            )


def _view(probe: Probe, array: Any) -> tuple[bytes, Look, str]:
    """Return all that can be seen of a state; the returns as text, where a NaN equals itself."""
    look = probe.look(array)
    return probe.game.state_bytes(array), look, repr(probe.returns(array)) if look.player == TERMINAL else ""


def check_copy(sample: Sample) -> None:
    """A copy of the record is a copy of the game: both go on alike, whatever happens to the other in between."""
    probe = Probe(sample.game, "copy")
    for position in sample.spread(40, ends=True):
        if position.look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        first, second = position.array, probe.copy(position.array)
        steps = []
        rng = stream(sample.seed, "copy")
        for _ in range(12):
            look = probe.look(first)
            if look.player == TERMINAL:
                break
            action = look.listed[int(random_below(rng, len(look.listed)))]
            probe.apply(first, action)
            steps.append((action, _view(probe, first)))
        for action, expected in steps:
            probe.apply(second, action)
            probe.require(
                _view(probe, second) == expected,
                f"a copy of the record goes on differently after action {action}: part of the state lies outside the "
                "record, or copy_state leaves it out",
            )
