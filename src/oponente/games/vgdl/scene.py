"""VGDL: what a person sees of a state: its sprites in the order in which they are drawn, and a line about the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oponente.games.vgdl.loading import Loaded, load
from oponente.games.vgdl.ontology import CLASSES
from oponente.kernel import State

CLASS_NAMES = tuple(CLASSES)


@dataclass(frozen=True)
class Drawn:
    """A sprite that is drawn."""

    type: int
    name: str
    kind: str
    x: int
    y: int
    w: int
    h: int
    facing: tuple[float, float]
    health: int
    max_health: int
    player: int
    """Whose avatar it is, -1: none."""


def loaded(state: State) -> Loaded:
    """Return the game that a state is of."""
    return load(state.game.options)


def sprites(state: State, seat: int | None = None) -> list[Drawn]:
    """Return the sprites that the player in `seat` sees (None: everybody), those behind first."""
    found = [drawn for drawn in _all(state) if _is_seen(state, drawn.type, seat)]
    types = state.game.tables.program.types
    return sorted(found, key=lambda drawn: int(types[drawn.type].order))


def _is_seen(state: State, number: int, seat: int | None) -> bool:
    t = state.game.tables.program.types[number]
    players = (1 << state.game.num_players) - 1
    unseen = int(t.invisible)
    return unseen != players if seat is None else not unseen >> seat & 1


def _all(state: State) -> list[Drawn]:
    program, record = state.game.tables.program, state.record
    names = loaded(state).compiled.names
    found = []
    for number in range(int(program.n_fixed)):
        if number < program.n_mortal and not int(record.alive[number >> 6]) >> (number & 63) & 1:
            continue
        f = program.fixed[number]
        t = program.types[f.type]
        facing = (float(t.ox), float(t.oy)) if t.oriented else (0.0, 0.0)
        kind = CLASS_NAMES[t.kind]
        found.append(Drawn(int(f.type), names[f.type], kind, int(f.x), int(f.y), int(t.w), int(t.h), facing, 0, 0, -1))
    for slot in range(int(record.slots)):
        s = record.sprites[slot]
        if s.type < 0 or s.disabled:
            continue
        t = program.types[s.type]
        facing = (float(s.ox), float(s.oy)) if t.oriented else (0.0, 0.0)
        found.append(
            Drawn(
                int(s.type),
                names[s.type],
                CLASS_NAMES[t.kind],
                int(s.x),
                int(s.y),
                int(s.w),
                int(s.h),
                facing,
                int(s.health),
                int(s.max_health),
                int(s.player),
            )
        )
    return found


def resources_of(state: State, player: int) -> dict[str, int]:
    """Return what a player's avatar holds."""
    record = state.record
    names = loaded(state).compiled.resources
    s = record.sprites[int(record.avatar[player])]
    amounts: list[Any] = list(s.amounts)
    while int(s.more) >= 0:
        s = record.sprites[int(s.more)]
        amounts += list(s.amounts)
    return {name: int(amount) for name, amount in zip(names, amounts, strict=False) if amount}


def status(state: State) -> str:
    """Return the game's line: tick, scores, health, what the avatars hold, and who has won."""
    record, players = state.record, state.game.num_players
    parts = [f"tick {int(record.tick) + 1}"]
    for player in range(players):
        s = record.sprites[int(record.avatar[player])]
        words = [f"score {record.score[player]:g}"]
        if s.disabled:
            words.append("dead")
        elif s.max_health:
            words.append(f"health {int(s.health)}")
        words += [f"{name} {amount}" for name, amount in resources_of(state, player).items()]
        if state.is_terminal:
            words.append({1: "has won", 0: "has lost"}.get(int(record.win[player]), "no result"))
        parts.append((f"player {player + 1}: " if players > 1 else "") + ", ".join(words))
    return "; ".join(parts)


def floors(game: Loaded) -> frozenset[int]:
    """Return the types that are only ground: at rest, without any effect, and below everything else."""
    program = game.program
    return frozenset(
        number
        for number in range(int(program.n_types))
        if program.types[number].kind in _GROUND and not int(program.types[number].near)
    )


_GROUND = (CLASS_NAMES.index("Immovable"),)
