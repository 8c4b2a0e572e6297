"""VGDL: what a person sees of a state: its sprites in the order in which they are drawn, and a line about the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.games.vgdl.layout import SLOTS, SPRITES, WARNINGS
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
    program = state.game.tables.program
    types = program["types"][: int(program.n_types)]
    order, seen = types["order"].tolist(), [_is_seen(state, number, seat) for number in range(len(types))]
    return sorted((drawn for drawn in _all(state) if seen[drawn.type]), key=lambda drawn: order[drawn.type])


def _is_seen(state: State, number: int, seat: int | None) -> bool:
    t = state.game.tables.program.types[number]
    players = (1 << state.game.num_players) - 1
    unseen = int(t.invisible)
    return unseen != players if seat is None else not unseen >> seat & 1


def _all(state: State) -> list[Drawn]:
    # Whole columns: one value of a record after the other is slow.
    record, program, names = state.array[0], state.game.tables.program, loaded(state).compiled.names
    types = program["types"][: int(program.n_types)]
    kinds = [CLASS_NAMES[kind] if kind >= 0 else "" for kind in types["kind"].tolist()]
    oriented, widths, heights = (types[name].tolist() for name in ("oriented", "w", "h"))
    facings = zip(oriented, types["ox"].tolist(), types["oy"].tolist(), strict=True)
    resting = [(ox, oy) if turned else (0.0, 0.0) for turned, ox, oy in facings]
    fixed, mortal = program["fixed"][: int(program.n_fixed)], int(program.n_mortal)
    alive = np.unpackbits(record["alive"][: (mortal + 63) // 64].copy().view(np.uint8), bitorder="little")[:mortal]
    there = fixed[np.concatenate([alive.astype(bool), np.ones(len(fixed) - mortal, bool)])]
    columns = (there[name].tolist() for name in ("type", "x", "y"))
    found = [
        Drawn(number, names[number], kinds[number], x, y, widths[number], heights[number], resting[number], 0, 0, -1)
        for number, x, y in zip(*columns, strict=True)
    ]
    slots = record["sprites"][: int(record["slots"])]
    moving = slots[(slots["type"] >= 0) & (slots["disabled"] == 0)]
    columns = (
        moving[name].tolist() for name in ("type", "x", "y", "w", "h", "ox", "oy", "health", "max_health", "player")
    )
    for number, x, y, w, h, ox, oy, health, max_health, player in zip(*columns, strict=True):
        facing = (ox, oy) if oriented[number] else (0.0, 0.0)
        found.append(Drawn(number, names[number], kinds[number], x, y, w, h, facing, health, max_health, player))
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
    return "; ".join([*parts, *broken_off(state)])


def broken_off(state: State) -> list[str]:
    """Return why a game was broken off, in a line; nothing where it was not."""
    record = state.record
    if int(record.failed):
        return [f"broken off: more than {SLOTS:,} sprites that move and timers"]
    if int(record.refused) > WARNINGS:
        return [f"broken off: with more than {SPRITES:,} sprites {int(record.refused)} were refused"]
    return []


def floors(game: Loaded) -> frozenset[int]:
    """Return the types that are only ground: at rest, without any effect, and below everything else."""
    program = game.program
    return frozenset(
        number
        for number in range(int(program.n_types))
        if program.types[number].kind in _GROUND and not int(program.types[number].near)
    )


_GROUND = (CLASS_NAMES.index("Immovable"),)
