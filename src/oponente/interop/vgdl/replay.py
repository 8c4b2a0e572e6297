"""One recorded sequence, played by our rules and compared after every tick."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from oponente.games.vgdl.kinds import ACTION_NAMES, NIL
from oponente.games.vgdl.layout import DRAW_DOUBLE, DRAW_FLOAT
from oponente.games.vgdl.lcg import seeded
from oponente.games.vgdl.loading import load
from oponente.interop.vgdl.recording import Sequence, Situation, Sprites, describe
from oponente.kernel import Game, bridge, stream

FEW = 6
"""Sprites that are told of a difference, on either side."""


@dataclass
class Difference:
    """A value that differs."""

    line: int
    """In the recording; 0: the file as a whole."""
    field: str
    theirs: Any
    ours: Any
    seq: int | None = None
    t: int | None = None


class Replay:
    """Plays `sequence` by the rules of `game`."""

    def __init__(self, game: Game, sequence: Sequence) -> None:
        self.game, self.sequence = game, sequence
        self.compiled = load(game.options).compiled
        self.program = game.tables.program
        self.states = game.new_states(1)
        self.states["noting"] = 1
        self._stream, self._ints, self._floats = stream(0, "start"), np.zeros(1, np.int32), np.zeros(1)
        self.ticks = 0
        """Ticks that were played."""

    def run(self, ticks: int | None = None) -> Difference | None:
        """Play until something differs, and return that.

        Args:
            ticks: how many of them at most; None: all that were recorded.
        """
        header = self.sequence.header
        self._operate(bridge.INITIAL)
        self.states["rng"] = seeded(header.seed)
        moving, fixed = self._moving(), self._fixed()
        difference = self._compare_header() or self._compare(header.start, moving + self._named(fixed), Counter())
        for situation in self.sequence.ticks[:ticks]:
            if difference is not None:
                break
            for action in situation.actions:
                # Recordings hold actions that an avatar does not know, too.
                self._operate(bridge.APPLY, action)
            self.ticks += 1
            moving_before, fixed_before = moving, fixed
            moving, fixed = self._moving(), self._fixed()
            # What changed is compared, since what was there before is equal.
            gone = moving_before - moving + self._named(fixed_before & ~fixed)
            new = moving - moving_before
            difference = self._compare(situation, new - gone, gone - new)
        return difference

    def _operate(self, operation: int, action: int = NIL) -> None:
        self.game.operate(operation, self.states, action, self._stream, self._ints, self._floats)

    # --- our side --------------------------------------------------------------------------------------------------

    def _moving(self) -> Sprites:
        """Return our sprites that are not fixed."""
        record = self.states[0]
        rows = record["sprites"][: record["slots"]]
        rows = rows[(rows["type"] >= 0) & (rows["disabled"] == 0)]
        columns = (rows[name].tolist() for name in ("type", "x", "y", "w", "h", "ox", "oy", "health"))
        names, cell = self.compiled.names, int(self.program.cell)
        oriented = self._oriented
        return Counter(
            describe(
                names[number],
                x,
                y,
                None if w == cell and h == cell else (w, h),
                (ox, oy) if oriented[number] else None,
                health,
            )
            for number, x, y, w, h, ox, oy, health in zip(*columns, strict=True)
        )

    @cached_property
    def _oriented(self) -> list[int]:
        oriented: list[int] = self.program["types"]["oriented"].tolist()
        return oriented

    def _fixed(self) -> Any:
        """Return for each fixed sprite whether it is there."""
        count, mortal = int(self.program.n_fixed), int(self.program.n_mortal)
        words = self.states[0]["alive"][: (mortal + 63) // 64]
        bits = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little")[:mortal].astype(bool)
        return np.concatenate([bits, np.ones(count - mortal, bool)])

    def _named(self, present: Any) -> Sprites:
        """Return those fixed sprites that are marked."""
        return Counter(map(self._fixed_sprites.__getitem__, np.flatnonzero(present).tolist()))

    @cached_property
    def _fixed_sprites(self) -> list[Any]:
        types, names = self.program["types"], self.compiled.names
        rows = self.program["fixed"][: int(self.program.n_fixed)]
        columns = (rows[name].tolist() for name in ("type", "x", "y"))
        facing = [
            (ox, oy) if oriented else None
            for oriented, ox, oy in zip(self._oriented, types["ox"].tolist(), types["oy"].tolist(), strict=True)
        ]
        health = types["health"].tolist()
        return [
            describe(names[number], x, y, None, facing[number], health[number])
            for number, x, y in zip(*columns, strict=True)
        ]

    def _resources(self, player: int) -> dict[str, int]:
        record = self.states[0]
        s = record["sprites"][record["avatar"][player]]
        amounts = s["amounts"].tolist()
        more = int(s["more"])
        while more >= 0:
            amounts += record["sprites"][more]["amounts"].tolist()
            more = int(record["sprites"][more]["more"])
        return {name: amount for name, amount in zip(self.compiled.resources, amounts, strict=False) if amount}

    def _draws(self) -> list[str]:
        record = self.states[0]
        names = {DRAW_FLOAT: "f", DRAW_DOUBLE: "d"}
        return [names.get(kind, f"i{kind}") for kind in record["draw"][: record["draws"]].tolist()]

    # --- comparison ------------------------------------------------------------------------------------------------

    def _compare_header(self) -> Difference | None:
        header, p = self.sequence.header, self.program
        legal = [self._legal(player) for player in range(int(p.players))]
        for field, theirs, ours in (
            ("players", header.players, int(p.players)),
            ("cols", header.columns, int(p.columns)),
            ("rows", header.rows, int(p.rows)),
            ("block", header.cell, int(p.cell)),
            ("legal", header.legal, legal),
        ):
            if theirs != ours:
                return Difference(header.start.line, field, theirs, ours, header.number)
        return None

    def _legal(self, player: int) -> list[str]:
        record = self.states[0]
        t = self.program.types[record["sprites"][record["avatar"][player]]["type"]]
        actions = self.program.ints[t.legal : t.legal + t.n_legal].tolist()
        return [ACTION_NAMES[action] for action in (*actions, NIL)]

    def _compare(self, situation: Situation, new: Sprites, gone: Sprites) -> Difference | None:
        record, players = self.states[0], range(int(self.program.players))
        sprites = record["sprites"]
        dead = [player for player in players if sprites[record["avatar"][player]]["disabled"]]
        pairs: list[tuple[str, Any, Any]] = [
            ("rng", situation.draws, self._draws()),
            ("s", situation.score, record["score"][: len(players)].tolist()),
            ("w", situation.win, record["win"][: len(players)].tolist()),
            ("end", situation.end, bool(record["ended"])),
            ("dead", situation.dead, dead),
            ("res", situation.resources, [self._resources(player) for player in players]),
            ("rm", situation.gone - situation.new, gone),
            ("ad" if self.ticks else "sprites", situation.new - situation.gone, new),
        ]
        if situation.counters is not None:
            pairs.append(("cnt", situation.counters, record["counters"][: len(situation.counters)].tolist()))
        for field, theirs, own in pairs:
            if theirs != own:
                if isinstance(theirs, Counter):
                    theirs, own = _listed(theirs - own), _listed(own - theirs)
                return Difference(situation.line, field, theirs, own, self.sequence.header.number, situation.tick)
        return None


def _listed(sprites: Sprites) -> list[Any]:
    """Return the first few of a multiset, as recordings write them."""
    found = []
    for name, x, y, size, facing, health in sorted(sprites.elements(), key=str)[:FEW]:
        row = [name, x, y]
        row += ["size", *size] if size else []
        row += ["o", *facing] if facing else []
        found.append(row + (["hp", health] if health else []))
    return found
