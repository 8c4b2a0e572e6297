"""VGDL: a description and a level become a `Program`, the numbers that the interpreter works on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.games.vgdl import layout
from oponente.games.vgdl.classes import FACTS, ClassFacts
from oponente.games.vgdl.continuous_types import physics_of_type
from oponente.games.vgdl.level import Level
from oponente.games.vgdl.ontology import (
    CLASSES,
    EFFECTS,
    NEEDED_BY_CLASS,
    NEEDED_BY_EFFECT,
    NEEDED_BY_TERMINATION,
    TERMINATIONS,
)
from oponente.games.vgdl.parser import AVATAR, EDGE, TIME, Description, DescriptionError, Entry
from oponente.games.vgdl.paths import first_steps
from oponente.games.vgdl.roles import fixed_types, mortal_types, moves_others
from oponente.games.vgdl.templates import fill_templates
from oponente.games.vgdl.values import Values

KIND = {name: number for number, name in enumerate(CLASSES)}
EFFECT = {name: number for number, name in enumerate(EFFECTS)}
TERMINATION = {name: number for number, name in enumerate(TERMINATIONS)}

BATCH = (EFFECT["wallBounce"], EFFECT["wallReverse"])
"""Effects that run once for all sprites that the first one touches."""
FOLLOWERS = ("PathChaser", "PathAltChaser", "RandomPathAltChaser")
"""Classes that need paths."""
MAKERS = ("SpawnPoint", "SpawnPointMultiSprite", "Bomber", "RandomBomber", "BomberRandomMissile", "Spreader")
"""Classes that make others, apart from avatars."""
MAX_TICKS = 2000
"""After the tick of this number a game that has not ended is lost."""
NEVER = 10**9
"""Ticks that no game lasts: an effect that is due after so many never is. The sum with a tick fits in 32 bits."""


@dataclass
class Compiled:
    """A game that can be run, with what people want to know about it."""

    program: Any
    """One `Program` record."""
    description: Description
    level: Level
    names: list[str]
    """Of the types, by number."""
    resources: list[str]
    """Of the resources, by number."""
    warnings: list[str]


class _Pool:
    """The variable-length lists of a program, one after the other in `ints`."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self._known: dict[tuple[int, ...], int] = {}

    def add(self, values: Iterable[int]) -> tuple[int, int]:
        """Return position and length of a list; equal lists are kept once."""
        found = tuple(values)
        if found not in self._known:
            self._known[found] = len(self.values)
            self.values.extend(found)
        return self._known[found], len(found)


def compile_game(
    description: Description, level: Level, *, max_ticks: int = MAX_TICKS, strict: bool = False
) -> Compiled:
    """Compile a description and one of its levels.

    Raises:
        DescriptionError: the two make no game, or one that is too large.
    """
    return _Compiler(description, level, strict).compile(max_ticks)


class _Compiler:
    def __init__(self, description: Description, level: Level, strict: bool) -> None:
        self.description, self.level = description, level
        self.strict = strict
        self.program = np.zeros(1, layout.Program)[0]
        self.pool = _Pool()
        self.warnings: list[str] = []
        self.names = list(description.sprites)
        self.number = {name: i for i, name in enumerate(self.names)}
        self.facts: list[ClassFacts | None] = [
            None if sprite.kind is None else FACTS[sprite.kind] for sprite in description.sprites.values()
        ]
        self.resources = [name for name, facts in zip(self.names, self.facts, strict=True) if facts and facts.resource]
        self.resource = {name: i for i, name in enumerate(self.resources)}
        self.effect_entries: list[Entry] = []

    def compile(self, max_ticks: int) -> Compiled:
        p = self.program
        p.cell, p.columns, p.rows = self.level.cell, self.level.columns, self.level.rows
        p.width, p.height = p.columns * p.cell, p.rows * p.cell
        p.inverse, p.reciprocal, p.stride = 1.0 / p.cell, -(-(1 << layout.SHIFT) // int(p.cell)), p.columns + 2
        p.players = self._header_number("no_players", 1, 1, layout.PLAYERS)
        p.n_counters = self._header_number("no_counters", 0, 0, layout.COUNTERS)
        p.max_ticks = max_ticks
        p.n_types, p.n_resources = len(self.names), len(self.resources)
        for number, name in enumerate(self.resources):
            p.resource_type[number] = self.number[name]
        for number in range(len(self.names)):
            self._type(number)
        fill_templates(p)
        self._order()
        self._interactions()
        self._terminations()
        self._place_sprites()
        self._paths()
        self._limit(len(self.pool.values), layout.INTS, "entries in lists", self.description.where)
        p.ints[: len(self.pool.values)] = self.pool.values
        warnings = [*self.description.warnings, *self.level.warnings, *dict.fromkeys(self.warnings)]
        return Compiled(p, self.description, self.level, self.names, self.resources, warnings)

    def _warn(self, where: str, message: str) -> None:
        if self.strict:
            raise DescriptionError(f"{where}: {message}")
        self.warnings.append(f"{where}: {message}")

    def _limit(self, count: int, most: int, what: str, where: str) -> None:
        if count > most:
            raise DescriptionError(f"{where}: {count:,} {what}; there can be {most:,} at most")

    def _header_number(self, key: str, default: int, low: int, high: int) -> int:
        value = self.description.header.get(key, default)
        if type(value) is not int or not low <= value <= high:
            raise DescriptionError(f"{self.description.where}: {key}={value}: expected {low} to {high}")
        return value

    def _check_made(self, numbers: Iterable[int], entry: Entry) -> None:
        """Warn of types that a line wants to make and that have no class."""
        for number in numbers:
            if number >= 0 and self.facts[number] is None:
                self._warn(entry.where, f"{entry.name}: sprite {self.names[number]} has no class: none is made")

    # --- types -----------------------------------------------------------------------------------------------------

    def _values(self, entry: Entry, what: str) -> Values:
        return Values(entry, what, self.number, self.resource, int(self.program.players), self._warn)

    def _type(self, number: int) -> None:
        name, facts = self.names[number], self.facts[number]
        sprite = self.description.sprites[name]
        t = self.program.types[number]
        subtypes = [self.number[sub] for sub in self.description.subtypes[name]]
        t.subtypes, t.n_subtypes = self.pool.add(subtypes)
        t.n_descendants = len(self.description.descendants[name])
        t.place = t.stype = t.resource = -1
        if facts is None or sprite.kind is None:
            t.kind = -1
            return
        chain = [*sprite.ancestors, name]
        alone = [self.number[a] for a in dict.fromkeys(chain) if self.description.sprites[a].singleton]
        t.singletons, t.n_singletons = self.pool.add(alone)
        v = self._values(Entry(sprite.kind, sprite.values, sprite.where), "sprite class")
        if sprite.leaf:
            for key in NEEDED_BY_CLASS.get(sprite.kind, ()):
                v.need(key, name=f"sprite {name} ({sprite.kind})")
        t.kind = KIND[sprite.kind]
        t.speed = v.number("speed", facts.speed)
        t.ox, t.oy = v.direction("orientation", facts.orientation)
        t.oriented = facts.oriented or (t.ox, t.oy) != (0.0, 0.0)
        t.cooldown = max(1, v.integer("cooldown", 1))
        continuous = v.integer("physicstype", int(facts.continuous)) == 1
        moves = layout.FREELY if continuous else layout.ON_GRID
        t.npc, t.static = v.flag("is_npc", facts.npc), v.flag("is_static", facts.static)
        t.passive = layout.HELD if t.static or v.flag("only_active", False) else moves
        t.active = layout.HELD if v.flag("stationary", False) else moves
        t.rotates = v.flag("rotateInPlace", facts.rotates)
        t.portal = v.flag("portal", facts.portal)
        t.is_resource, t.avatar = facts.resource, facts.avatar
        t.lingers = facts.lingers
        t.health = v.integer("healthPoints", 0)
        t.max_health = v.integer("maxHealthPoints", int(t.health))
        t.limit_health = v.integer("limitHealthPoints", 1000)
        t.ttl = v.integer("timeToLive", -1)
        t.w, t.h = v.pixels("wMult", self.level.cell), v.pixels("hMult", self.level.cell)
        t.hidden, t.invisible = v.players("hidden"), v.players("invisible")
        physics_of_type(v, self.program.physics[number], facts)
        t.limit = v.integer("limit", 1)
        t.total, t.cons = v.integer("total", 0), v.integer("cons", 0)
        t.max_distance = v.integer("maxDistance", -1)
        t.prob = (
            v.number("spreadprob", 1.0) if facts.spreads else v.number(facts.probability, facts.default_probability)
        )
        t.spawn_ox, t.spawn_oy = v.direction("spawnorientation", (0.0, 0.0))
        t.fleeing = v.flag("fleeing", sprite.kind == "Fleeing")
        t.random_target = v.flag("randomTarget", False)
        made = v.types(facts.makes) if facts.makes in sprite.values else []
        if not made and facts.spreads:
            made = [number]
        if sprite.kind == "BomberRandomMissile" and len(made) > layout.MISSILES:
            raise DescriptionError(
                f"{sprite.where}: {len(made)} types in stypeMissile; there can be {layout.MISSILES} at most"
            )
        if facts.avatar or sprite.kind in MAKERS:
            self._check_made(made, v.entry)
        t.stype = made[0] if made else -1
        t.others, t.n_others = self.pool.add(made)
        t.ammo, t.n_ammo = self.pool.add(v.resources("ammo"))
        t.min_ammo, t.ammo_cost = v.integer("minAmmo", -1), v.integer("ammoCost", 1)
        t.legal, t.n_legal = self.pool.add(facts.actions)
        if facts.resource:
            t.resource = self.resource[name]
            self.program.limits[t.resource] = 0 if sprite.kind == "ResourcePack" else v.integer("limit", 2)
            t.total = v.integer("value", 1)

    def _order(self) -> None:
        p = self.program
        order = [self.number[name] for name in self.description.order]
        for position, number in enumerate(order):
            p.types[number].order = position
        changing = self._changing_speeds()
        updates = []
        for place, number in enumerate(reversed(order)):
            t, facts = p.types[number], self.facts[number]
            if facts is None or facts.avatar:
                continue
            t.place = place
            moves = t.passive == layout.FREELY or (
                t.passive == layout.ON_GRID and t.oriented and (t.speed != 0 or number in changing)
            )
            if facts.acts or moves or t.ttl >= 0:
                updates.append(number)
        p.updates[: len(updates)], p.n_updates = updates, len(updates)

    def _changing_speeds(self) -> set[int]:
        """Return the types whose speed an effect may change."""
        found: set[int] = set()
        for interaction in self.description.interactions:
            entry = interaction.effect
            name = entry.values.get("ftype") if entry.name == "addTimer" else entry.name
            if name in ("increaseSpeedToAll", "decreaseSpeedToAll", "setSpeedForAll"):
                found.update(self._family(str(entry.values.get("stype", ""))))
        return found

    def _family(self, name: str) -> list[int]:
        return [self.number[sub] for sub in self.description.subtypes.get(name, [])]

    # --- interactions ----------------------------------------------------------------------------------------------

    def _interactions(self) -> None:
        p = self.program
        pairs: dict[tuple[int, int], list[int]] = {}
        places: list[str] = []  # of the line that names each pair first
        edges: list[tuple[int, int]] = []
        times: list[tuple[int, int]] = []
        of_pairs = runs = 0
        at_edge: Counter[int] = Counter()
        for interaction in self.description.interactions:
            where = interaction.effect.where
            values = self._values(interaction.effect, "effect")
            effect = self._effect(interaction.effect, values)
            repeat = max(0, values.integer("repeat", 1))
            for second in interaction.seconds:
                sides = (interaction.first, second)
                others = [self.number[name] for name in sides if name not in (EDGE, TIME)]
                if len(others) == 2:
                    key = others[0], others[1]
                    if key not in pairs:
                        places.append(where)
                        self._limit(len(places), layout.PAIRS, "pairs of sprites", where)
                    of_pairs += repeat
                    self._limit(of_pairs, len(p.pair_effects), "effects of pairs", where)
                    pairs.setdefault(key, []).extend([effect] * repeat)
                elif others and EDGE in sides:
                    # All effects of a type at the edge run once for each of them.
                    before = at_edge[others[0]]
                    at_edge[others[0]] += repeat
                    runs += at_edge[others[0]] ** 2 - before**2
                    self._limit(2 * runs, layout.INTS, "entries in the list of the effects of the edge", where)
                    edges += [(others[0], effect)] * repeat
                elif others:
                    self._limit(len(times) + repeat, layout.TIMES, "effects of time", where)
                    times += [(others[0], effect)] * repeat
        p.n_effects = len(self.effect_entries)
        self._times(times)
        self._edges(edges)
        position = 0
        for i, ((one, other_one), effects) in enumerate(pairs.items()):
            pair = p.pairs[i]
            pair.first, pair.second = one, other_one
            pair.effects, pair.n_effects = position, len(effects)
            p.pair_effects[position : position + len(effects)] = effects
            position += len(effects)
            pair.firsts, pair.n_firsts = self.pool.add(self._concrete(one))
            pair.seconds, pair.n_seconds = self.pool.add(self._concrete(other_one))
            pair.thorough = any(moves_others(self.effect_entries[effect]) for effect in effects)
            self._free(i)
        p.n_pairs = len(pairs)
        self._touching(list(pairs), places)
        shields = [entry.where for entry in self.effect_entries if entry.name == "shieldFrom"]
        self._limit(len(shields) * len(self.names), layout.SHIELDS, "shields", shields[-1] if shields else "")

    def _free(self, i: int) -> None:
        """Mark a pair that continuous physics treats otherwise."""
        p = self.program
        pair = p.pairs[i]
        effects = p.pair_effects[pair.effects : pair.effects + pair.n_effects]
        lands = any(p.physics[number].lands for number in self._concrete(int(pair.first)))
        if lands and any(p.physics[number].solid for number in self._concrete(int(pair.second))):
            pair.free = 1
            p.always[i // 64] |= np.uint64(1 << i % 64)
        if any(p.effects[effect].kind in BATCH for effect in effects):
            pair.free = 1

    def _concrete(self, number: int) -> list[int]:
        """Return the type and those of its subtypes that can have instances."""
        return [sub for sub in self._family(self.names[number]) if self.facts[sub] is not None]

    def _touching(self, pairs: list[tuple[int, int]], places: list[str]) -> None:
        """Number the kinds of sprites that matter when they touch, and list for any two of them the pairs.

        Args:
            pairs: numbers of the types.
            places: where each stands.
        """
        p = self.program
        concerned = sorted({sub for pair in pairs for side in pair for sub in self._concrete(side)})
        bits = {number: rank % layout.KINDS for rank, number in enumerate(concerned)}
        lists: dict[tuple[int, int], set[int]] = {}
        combinations = 0
        for i, (first, second) in enumerate(pairs):
            firsts, seconds = self._concrete(first), self._concrete(second)
            combinations += len(firsts) * len(seconds)
            self._limit(combinations, layout.EVENTS, "pairs of types that can meet", places[i])
            for b in seconds:
                p.pairs[i].second_mask |= np.uint64(1 << bits[b])
            for a in firsts:
                for b in seconds:
                    p.types[a].near |= np.uint64(1 << bits[b])
                    p.types[b].near |= np.uint64(1 << bits[a])
                    lists.setdefault((bits[a], bits[b]), set()).add(i)
                    lists.setdefault((bits[b], bits[a]), set()).add(i)
        for number, bit in bits.items():
            p.types[number].bit = np.uint64(1 << bit)
        for (a, b), found in lists.items():
            begin, length = self.pool.add(sorted(found))
            p.kinds_begin[a, b], p.kinds_end[a, b] = begin, begin + length

    def _edges(self, edges: list[tuple[int, int]]) -> None:
        """List the edge effects as they run: for each registration all those of its type."""
        p = self.program
        runs = [(number, effect) for number, _ in edges for other, effect in edges if other == number]
        for number, _ in edges:
            for sub in self._family(self.names[number]):
                p.types[sub].edge = 1
        p.edges, _ = self.pool.add([value for run in runs for value in run])
        p.n_edges = len(runs)

    def _times(self, times: list[tuple[int, int]]) -> None:
        p = self.program
        for number, effect in times:
            p.effects[effect].owner = number
        p.times, _ = self.pool.add([effect for _, effect in times])
        p.n_times = len(times)
        for effect in dict.fromkeys(effect for _, effect in times):
            if len({number for number, other in times if other == effect}) > 1:
                where = self.effect_entries[effect].where
                self._warn(where, "an effect of time stands for several types: only the last is used")

    def _effect(self, entry: Entry, v: Values) -> int:
        """Compile one line's effect; return its number."""
        number = len(self.effect_entries)
        self._limit(number + 1, layout.EFFECTS, "effects", entry.where)
        self.effect_entries.append(entry)
        e = self.program.effects[number]
        e.kind, e.owner, e.effect, e.shielded = EFFECT[entry.name], -1, -1, -1
        for player, score in enumerate(v.per_player("scoreChange")):
            e.score[player] = score
        for player, score in enumerate(v.per_player("scoreChangeIfKilled")):
            e.killed_score[player] = score
        counter, counter_else = v.counters("counter"), v.counters("counterElse")
        e.counter[: len(counter)], e.counter_else[: len(counter_else)] = counter, counter_else
        e.counts = any(counter) or any(counter_else)
        e.scores = any(e.score) or any(e.killed_score)
        e.prob = v.number("prob", 1.0)
        for key in NEEDED_BY_EFFECT.get(entry.name, ()):
            v.need(key)
        e.stype = v.type("stype")
        e.other = -1
        for key in ("stypeTo", "stype_other", "estype", "spawnPoint"):
            if key in entry.values:
                e.other = v.type(key)
        if entry.name.startswith(("spawn", "transform")) and entry.name != "transformToRandomChild":
            self._check_made([e.other] if entry.name == "transformToAll" else [e.stype, e.other], entry)
        e.count_type = v.type("stypeCount")
        e.resource = v.resource("heldResource" if "heldResource" in entry.values else "resource")
        fractional = entry.name in ("increaseSpeedToAll", "decreaseSpeedToAll", "setSpeedForAll")
        default_number = {"setSpeedForAll": 0.0}.get(entry.name, 0.1)
        e.number = v.number("value", default_number) if fractional else 0.0
        e.value = 1 if fractional else v.integer("value", 1)
        for key, default, names in (
            ("limspeed", 1.0, ("killIfSlow", "killIfFast")),
            ("offset", 0.0, ("wrapAround",)),
            ("maxBounceAngleDeg", 60.0, ("bounceDirection",)),
        ):
            if entry.name in names:
                e.number = v.number(key, default)
        e.limit = v.integer("limit", 0)
        e.least, e.most = v.integer("geq", 0), v.integer("leq", 2**31 - 1)
        e.spend = v.integer("spend", 0) if entry.name.startswith("spawnIfHas") else v.integer("subTypesNum", -1)
        e.timer = min(v.integer("timer", 0), NEVER)
        # What `nextExecution` says is not used; that it says anything but -1 is.
        e.due = e.timer if v.integer("nextExecution", -1) != -1 else -1
        e.repeating = v.flag("repeating", False)
        e.kill_second = v.flag("killSecond", False)
        e.kill_resource = v.flag("killResource", entry.name in ("collectResource", "collectResourceIfHeld"))
        flags = {
            "stepBack": "pixelPerfect",
            "pullWithIt": "pixelPerfect",
            "attractGaze": "align",
            "spawnAbove": "stepBack",
            "spawnBelow": "stepBack",
            "spawnLeft": "stepBack",
            "spawnRight": "stepBack",
            "killIfOtherHasMore": "subtract",
            "transformTo": "forceOrientation",
            "transformToAll": "forceOrientation",
            "transformToSingleton": "takeOrientation",
        }
        if entry.name == "align":
            e.flag = v.flag("orient", True)
        elif entry.name in flags:
            e.flag = v.flag(flags[entry.name], False)
        e.others, e.n_others = self.pool.add(v.types("notStype"))
        self._derived_effect(entry, e)
        return number

    def _derived_effect(self, entry: Entry, e: Any) -> None:
        """Compile what `ftype` names: the effect that addTimer queues, or that shieldFrom wards off."""
        if entry.name not in ("addTimer", "shieldFrom"):
            return
        named = str(entry.values.get("ftype", ""))
        if named not in EFFECTS or named == "addTimer":
            self._warn(entry.where, f"{entry.name}: there is no effect ftype={named or '(missing)'}: it does nothing")
            return
        e.shielded = EFFECT[named]
        if entry.name == "addTimer":
            queued = Entry(named, {key: value for key, value in entry.values.items() if key != "ftype"}, entry.where)
            number = self._effect(queued, self._values(queued, "effect"))
            e.effect = number
            for player in range(layout.PLAYERS):
                e.score[player] = 0.0

    # --- terminations ----------------------------------------------------------------------------------------------

    def _terminations(self) -> None:
        p = self.program
        entries = self.description.terminations
        for i, entry in enumerate(entries):
            self._limit(i + 1, layout.TERMINATIONS, "terminations", entry.where)
        # All that count sprites ask the StopCounters first.
        for entry in sorted(entries, key=lambda entry: entry.name != "StopCounter"):
            t, v = p.terminations[p.n_terminations], self._values(entry, "termination")
            v.need(*NEEDED_BY_TERMINATION.get(entry.name, ()))
            single = entry.name in ("SpriteCounter", "SpriteCounterMore")
            counted = [v.type(key) for key in (("stype",) if single else ("stype1", "stype2", "stype3"))]
            if entry.name != "Timeout" and max(counted) < 0:
                self._warn(entry.where, f"termination {entry.name} has no sprites to count: it is left out")
                continue
            t.kind = TERMINATION[entry.name]
            t.types[:] = -1
            t.types[: len(counted)] = counted
            t.limit, t.subtypes = v.integer("limit", 0), v.integer("subTypesNum", -1)
            t.minimum, t.count_score = v.flag("min", False), v.flag("count_score", False)
            t.use_counter, t.compare = v.flag("use_counter", False), v.flag("compare", False)
            limits = v.counters("limits")
            t.limits[: len(limits)], t.n_limits = limits[: layout.PLAYERS], len(limits)
            winners = v.players("win", missing=False)
            for player in range(layout.PLAYERS):
                t.win[player] = winners >> player & 1
            p.n_terminations += 1

    # --- the level -------------------------------------------------------------------------------------------------

    def _place_sprites(self) -> None:
        p = self.program
        for name in dict.fromkeys(name for _, _, name in self.level.sprites):
            if self.facts[self.number[name]] is None:
                where = self.description.sprites[name].where
                self._warn(where, f"sprite {name} has no class: those in {self.level.file} are left out")
        fixed = fixed_types(self.description, self.program, self.names, self.facts)
        mortal = mortal_types(self.description, self.names)
        placed = [
            (column, row, self.number[name])
            for column, row, name in self.level.sprites
            if self.facts[self.number[name]] is not None
        ]
        placed = self._without_surplus_avatars(placed, fixed)
        last = placed[: layout.SPRITES + 1][-1][1] + 1
        self._limit(len(placed), layout.SPRITES, "sprites in the level", f"{self.level.file}:{last}")
        numbered = [(column, row, number, i) for i, (column, row, number) in enumerate(placed)]
        perishing = [s for s in numbered if s[2] in fixed and s[2] in mortal]
        lasting = [s for s in numbered if s[2] in fixed and s[2] not in mortal]
        moving = [s for s in numbered if s[2] not in fixed]
        for target, sprites in ((p.fixed, perishing + lasting), (p.start, moving)):
            for i, (column, row, number, identity) in enumerate(sprites):
                target[i] = (column * p.cell, row * p.cell, identity, number)
        p.n_mortal, p.n_fixed, p.n_start = len(perishing), len(perishing) + len(lasting), len(moving)
        for cell in p.cells[: p.stride * (p.rows + 2)]:
            cell.mortal = cell.immortal = -1
        by_type: dict[int, list[int]] = {}
        for i, (column, row, number, _) in enumerate(perishing + lasting):
            by_type.setdefault(number, []).append(i)
            cell = p.cells[(row + 1) * p.stride + column + 1]
            if i < p.n_mortal:
                cell.passing |= p.types[number].bit
                cell.mortal = i if cell.mortal < 0 else cell.mortal
                cell.n_mortal += 1
            else:
                cell.immortal = i if cell.immortal < 0 else cell.immortal
                cell.n_immortal += 1
                cell.lasting |= p.types[number].bit
        position = 0
        for number, members in by_type.items():
            p.types[number].fixed, p.types[number].n_fixed = position, len(members)
            p.by_type[position : position + len(members)] = members
            position += len(members)
        self._meeting_fixed_sprites(perishing + lasting)

    def _how_to_place_avatars(self) -> str:
        """Return which characters of a level place an avatar."""
        avatars = [
            character
            for character, names in self.description.mapping.items()
            if any(facts is not None and facts.avatar for facts in (self.facts[self.number[name]] for name in names))
        ]
        if not avatars:
            return f"map a character to a sprite of a class that players play, such as {AVATAR} > MovingAvatar"
        return f"put {', '.join(avatars)} for each player, or map another character to an avatar"

    def _paths(self) -> None:
        """Find the paths between all cells that are free of the header's obstacles, if a sprite follows paths."""
        p = self.program
        for cell in p.cells[: p.stride * (p.rows + 2)]:
            cell.node = -1
        if not any(facts is not None and sprite.kind in FOLLOWERS for facts, sprite in self._sprites()):
            return
        obstacles = str(self.description.header.get("obs", "")).split(",")
        for name in obstacles:
            if name and name not in self.number:
                self._warn(self.description.where, f"obs: there is no sprite {name!r}")
        blocking = {sub for name in obstacles for sub in self.description.subtypes.get(name, [])}
        blocked = {(column, row) for column, row, name in self.level.sprites if name in blocking}
        cells = [(x, y) for y in range(int(p.rows)) for x in range(int(p.columns)) if (x, y) not in blocked]
        where = f"{self.level.file}:1"
        self._limit(len(cells), layout.NODES, "cells without obstacle in a level with path chasers", where)
        for node, (column, row) in enumerate(cells):
            p.cells[(row + 1) * p.stride + column + 1].node = node
        avatar = p.types[p.start[p.avatars[0]].type]
        steps = first_steps(int(p.columns), int(p.rows), cells, sideways=avatar.n_legal >= 3)
        p.n_nodes = len(cells)
        p.steps[: steps.size] = steps.ravel()

    def _sprites(self) -> Iterable[tuple[ClassFacts | None, Any]]:
        return zip(self.facts, self.description.sprites.values(), strict=True)

    def _meeting_fixed_sprites(self, sprites: list[tuple[int, int, int, int]]) -> None:
        """Mark the pairs that hold between fixed sprites: these never touch anew, so they are looked at always."""
        p = self.program
        cells: dict[tuple[int, int], list[int]] = {}
        for column, row, number, _ in sprites:
            cells.setdefault((column, row), []).append(number)
        met: set[tuple[int, int]] = set()
        for counts in map(Counter, cells.values()):
            met.update((a, b) for a in counts for b in counts if a != b or counts[a] > 1)
        for i in range(p.n_pairs):
            pair = p.pairs[i]
            firsts, seconds = set(self._concrete(int(pair.first))), set(self._concrete(int(pair.second)))
            if any(a in firsts and b in seconds for a, b in met):
                pair.thorough = 1
                p.always[i // 64] |= np.uint64(1 << i % 64)

    def _without_surplus_avatars(
        self, placed: list[tuple[int, int, int]], fixed: set[int]
    ) -> list[tuple[int, int, int]]:
        """Number the players' avatars and leave out those beyond the number of players."""
        p = self.program
        avatars = [i for i, (_, _, number) in enumerate(placed) if p.types[number].avatar]
        kept, surplus = avatars[: p.players], set(avatars[p.players :])
        if len(kept) < p.players:
            raise DescriptionError(
                f"{self.level.file}:1: {len(kept)} avatars in the level; the game has {p.players} players: "
                f"{self._how_to_place_avatars()}"
            )
        # The order of drawing is walked from its end to its second entry; what is found is turned round.
        order = [self.number[name] for name in self.description.order]
        found = [i for number in reversed(order[1:]) for i in kept if placed[i][2] == number]
        found += [i for i in kept if i not in found]
        rest = [i for i in range(len(placed)) if i not in surplus]
        moving = [i for i in rest if placed[i][2] not in fixed]
        for player, i in enumerate(reversed(found)):
            p.avatars[player] = moving.index(i)
        return [placed[i] for i in rest]
