"""VGDL: the records that the interpreter works on.

A game value holds one record, `Program`: the description and the level, compiled to numbers. Its layout is the same
for all games, so one interpreter runs them all. A state holds what changes.

**Sprites that never move** (walls, floors, food: see :func:`oponente.games.vgdl.roles.fixed_types`) are no records in
the state. They stand in the program, once for all states; of those that can vanish the state keeps one bit each. All
others are records in the state, in slots that are used again. A *handle* names either: a slot, or `FIXED` and the
number of a fixed sprite.

**Groups**: the instances of a type, in order of creation, are its fixed sprites, then a list that is linked through the
slots (fixed ones all come from the level, so they are the oldest).

**Ticks**: what every sprite would do every tick is not done but worked out when asked for. `moved` is the tick of the
last move, and (`before_x`, `before_y`) is the place at the start of the tick numbered `stamp`; in any other tick the
sprite has not been moved yet.

The end of a state's record, from `touching` on, is work space: what is in it between ticks does not matter.
"""

from __future__ import annotations

from typing import Any

from oponente.kernel import record

NODES = 512
"""Most cells without obstacle in a level with path chasers."""
PLAYERS = 4
"""Most players of a game."""
TYPES = 192
"""Most types of sprites."""
SPRITES = 10_000
"""With more sprites than that none is created, as in the framework."""
SLOTS = 16_384
"""Slots for sprites that move, for what does not fit in their record, and for timers."""
TIMES = 1_024
"""Most effects of time of a description, each as often as it is repeated: they are timers when a game begins."""
LARGEST = 1_000
"""Most cells that a sprite is wide or high."""
PRESENT = SLOTS + SPRITES
"""More sprites are never there in the course of a tick, those that are removed at its end included."""
FASTEST = 1e6
"""Pixels a tick: with continuous physics no sprite moves faster, so that numbers stay finite."""
FARTHEST = 500_000_000
"""Pixels from the level's corner: nor does one get farther, so that places fit in their fields."""
WARNINGS = 25
"""After more refusals than that the game ends and nobody wins: the framework gives up after so many warnings."""
FIXED = 20_000
"""A handle from here on is a fixed sprite's number plus this."""
AREA = 16_384
"""Most cells of a level, the ring around it included."""
SHIFT = 40
"""Bits of the multiplication in place of a division by the size of a cell. The product fits in 64 bits, as AREA * 2 **
SHIFT does; the quotient is exact, as pixels * size of a cell are fewer than 2 ** SHIFT."""
EFFECTS, PAIRS, TERMINATIONS, INTS = 1_024, 1_024, 64, 32_768
COUNTERS = 8
AMOUNTS = 4
"""Kinds of resources that a slot has room for."""
MISSILES = 5
"""Most types in the list of a BomberRandomMissile."""
EVENTS = 2_048
SHIELDS = 1_024
KINDS = 64
"""Types that can be told apart in a set of types that touch; more share."""

EVENTS_BEGUN = 1 << 20
DRAWS = 4_096
"""Random draws of a tick that can be noted."""
HELD, ON_GRID, FREELY = 0, 1, 2
"""How a type moves: not at all, by the physics of the grid, by continuous physics."""
DRAW_FLOAT, DRAW_DOUBLE = -1, -2
"""How such a note reads; the others are the bounds of whole numbers."""

Type = record(
    ("speed", "f8"),  # cells a tick
    ("ox", "f8"),  # orientation at creation
    ("oy", "f8"),
    ("prob", "f8"),  # of spawners and spreaders; of RandomPathAltChaser a random move's
    ("spawn_ox", "f8"),
    ("spawn_oy", "f8"),
    ("near", "u8"),  # kinds whose touch matters to this type
    ("bit", "u8"),  # its kind, as a set of one
    ("kind", "i4"),  # class
    ("w", "i4"),  # pixels
    ("h", "i4"),
    ("cooldown", "i4"),
    ("health", "i4"),
    ("max_health", "i4"),
    ("limit_health", "i4"),
    ("ttl", "i4"),
    ("limit", "i4"),  # of a flicker's age
    ("total", "i4"),  # of sprites that a spawner makes; 0: any number
    ("cons", "i4"),
    ("max_distance", "i4"),
    ("stype", "i4"),  # the type that it makes, chases, or leads to; -1: none
    ("others", "i4"),  # more of these: position in `ints`
    ("n_others", "i4"),
    ("ammo", "i4"),  # resources that shots cost, one each of the former: position in `ints`
    ("n_ammo", "i4"),
    ("min_ammo", "i4"),
    ("ammo_cost", "i4"),
    ("resource", "i4"),  # its number among the resources; -1: none
    ("subtypes", "i4"),  # types whose instances count as its own, itself the first: position in `ints`
    ("n_subtypes", "i4"),
    ("n_descendants", "i4"),  # how many at the front of these descend from it, itself included
    ("singletons", "i4"),  # of its ancestors and itself those that may have one instance only
    ("n_singletons", "i4"),
    ("legal", "i4"),  # actions of an avatar
    ("n_legal", "i4"),
    ("place", "i4"),  # in the order of updates, from 0; -1: never updated
    ("fixed", "i4"),  # its fixed sprites: position in `by_type`
    ("n_fixed", "i4"),
    ("order", "i4"),  # in which it is drawn
    ("edge", "u1"),  # whether an effect awaits it beyond the edge
    ("oriented", "u1"),
    ("rotates", "u1"),  # rotateInPlace
    ("static", "u1"),
    ("passive", "u1"),  # how it moves by itself: `HELD`, `ON_GRID` or `FREELY`
    ("active", "u1"),  # how a move moves it
    ("npc", "u1"),
    ("portal", "u1"),
    ("is_resource", "u1"),
    ("avatar", "u1"),
    ("fleeing", "u1"),
    ("random_target", "u1"),
    ("hidden", "u1"),  # from whom: one bit a player
    ("invisible", "u1"),
    ("lingers", "u1"),  # whether it is a flicker
)

Physics = record(
    ("mass", "f8"),
    ("gravity", "f8"),
    ("friction", "f8"),  # share of its speed that it loses in a tick
    ("max_speed", "f8"),  # pixels a tick
    ("jump", "f8"),  # jump_strength
    ("turn", "f8"),  # angle_diff
    ("ground_speedup", "f8"),
    ("air_slowdown", "f8"),
    ("solid", "u1"),
    ("lands", "u1"),  # whether it knows that it stands on something
    ("steers", "u1"),  # airsteering
    ("facing", "i1"),  # of wizards at the start: 1 right, -1 left
)
"""What continuous physics has to know of a type; games on the grid never look at it."""

Effect = record(
    ("prob", "f8"),
    ("number", "f8"),  # a fractional value: limspeed, offset, a change of speed
    ("score", "f8", PLAYERS),  # scoreChange
    ("killed_score", "f8", PLAYERS),  # scoreChangeIfKilled
    ("counter", "i4", COUNTERS),
    ("counter_else", "i4", COUNTERS),
    ("kind", "i4"),
    ("stype", "i4"),
    ("other", "i4"),  # stypeTo, stype_other, estype, spawnPoint
    ("count_type", "i4"),
    ("resource", "i4"),  # number of a resource; -1: none
    ("value", "i4"),
    ("limit", "i4"),
    ("least", "i4"),  # geq
    ("most", "i4"),  # leq
    ("spend", "i4"),
    ("timer", "i4"),
    ("effect", "i4"),  # the effect that addTimer queues
    ("shielded", "i4"),  # the kind of effect that shieldFrom wards off
    ("others", "i4"),  # notStype: position in `ints`
    ("n_others", "i4"),
    ("owner", "i4"),  # of an effect of time or of the edge: its type; -1: none
    ("due", "i4"),  # of an effect of time: when it is due first
    ("repeating", "u1"),
    ("kill_second", "u1"),
    ("kill_resource", "u1"),
    ("flag", "u1"),  # pixelPerfect, align, orient, stepBack, subtract, forceOrientation, takeOrientation
    ("counts", "u1"),  # whether it changes counters
    ("scores", "u1"),  # whether a score can change
)

Pair = record(
    ("second_mask", "u8"),  # kinds of the second
    ("first", "i4"),
    ("second", "i4"),
    ("effects", "i4"),  # position in `pair_effects`
    ("n_effects", "i4"),
    ("firsts", "i4"),  # subtypes of the first that may have instances: position in `ints`
    ("n_firsts", "i4"),
    ("seconds", "i4"),
    ("n_seconds", "i4"),
    ("thorough", "u1"),  # whether fixed sprites may touch fixed sprites, or an effect moves others than the first
    ("free", "u1"),  # whether the order in which its sprites are tested matters, see `continuous_events`
)

Termination = record(
    ("kind", "i4"),
    ("types", "i4", 3),
    ("limit", "i4"),
    ("subtypes", "i4"),
    ("limits", "i4", PLAYERS),
    ("n_limits", "i4"),
    ("win", "i1", PLAYERS),
    ("minimum", "u1"),
    ("count_score", "u1"),
    ("use_counter", "u1"),
    ("compare", "u1"),
)

Cell = record(
    ("lasting", "u8"),  # kinds of the fixed sprites here that never vanish
    ("passing", "u8"),  # kinds of those here at the start that can vanish
    ("mortal", "i4"),  # first of the fixed sprites here that can vanish
    ("immortal", "i4"),  # first of the others
    ("n_mortal", "i2"),
    ("n_immortal", "i2"),
    ("node", "i2"),  # its number among the cells that paths lead through, -1: none
)

FixedSprite = record(("x", "i4"), ("y", "i4"), ("id", "i4"), ("type", "i4"))

Sprite = record(
    ("met", "u8"),  # kinds that it may touch; after a move by an event others may have come near, see `moved`
    ("ox", "f8"),
    ("oy", "f8"),
    ("speed", "f8"),
    ("x", "i4"),  # pixels, of the upper left corner
    ("y", "i4"),
    ("before_x", "i4"),
    ("before_y", "i4"),
    ("w", "i4"),
    ("h", "i4"),
    ("stamp", "i4"),
    ("moved", "i4"),
    ("id", "i4"),
    ("health", "i4"),
    ("max_health", "i4"),
    ("ttl", "i4"),
    ("age", "i4"),  # of flickers; of NPCs the steps in one direction
    # Of spawners the tick of the first update, of wizards that of the last block, -1: none yet; of path chasers the
    # cell where the target was last, by its number among those of the paths, -1: none; of a timer when it is due.
    ("begun", "i4"),
    ("made", "i4"),  # sprites that a spawner has made; of path chasers the `id` of the target; of a timer its effect
    ("pulled", "i4"),  # the tick in which it was last pulled along
    ("amounts", "i4", AMOUNTS),
    ("type", "i2"),  # or FREE, MORE, TIMER
    ("next", "i2"),
    ("previous", "i2"),
    ("more", "i2"),  # slot with more amounts
    ("makes", "i2"),  # type that it spawns; of path chasers the target's handle, -1: none
    ("direction", "i1"),  # of NPCs the last
    ("fresh", "u1"),  # whether its first update is to come
    ("dead", "u1"),  # whether it is removed at the end of the tick
    ("disabled", "u1"),  # whether it is an avatar that was killed
    ("player", "i1"),  # whose avatar it is, else -1
    ("shot", "u1"),  # whether an avatar made it
    ("grounded", "u1"),  # whether it stands on something solid, if its type can tell
    ("afloat", "u1"),  # whether its gravity is that of water
    ("replaced", "u1", MISSILES),  # types in place of those in the list that it draws from, plus 1; 0: as in the list
)
"""A sprite that is not fixed."""

BLANK = TYPES
"""Where the program holds what is in a slot of no type, as a timer begins."""

Program = record(
    ("inverse", "f8"),  # 1 / size of a cell
    ("reciprocal", "i8"),  # 2 ** SHIFT / size of a cell, rounded up: for division by multiplication
    ("kinds_begin", "i4", (KINDS, KINDS)),  # pairs of two kinds: position in `ints`
    ("kinds_end", "i4", (KINDS, KINDS)),
    ("always", "u8", PAIRS // 64),  # pairs that are looked at in every tick
    ("types", Type, TYPES),
    ("physics", Physics, TYPES),
    ("templates", Sprite, TYPES + 1),  # a new sprite of each type, and `BLANK`
    ("effects", Effect, EFFECTS),
    ("pairs", Pair, PAIRS),
    ("terminations", Termination, TERMINATIONS),
    ("cells", Cell, AREA),
    ("fixed", FixedSprite, SPRITES),
    ("start", FixedSprite, SPRITES),  # the others, in order of creation
    ("limits", "i4", TYPES),  # of each resource, by its number
    ("resource_type", "i4", TYPES),
    ("by_type", "i2", SPRITES),
    ("pair_effects", "i2", 8 * EFFECTS),
    ("updates", "i2", TYPES),  # types in the order of updates
    ("avatars", "i2", PLAYERS),  # the sprites in `start` that the players begin with
    ("ints", "i4", INTS),
    ("cell", "i4"),  # pixels
    ("columns", "i4"),
    ("rows", "i4"),
    ("width", "i4"),  # pixels
    ("height", "i4"),
    ("stride", "i4"),  # cells from one row to the next, the ring included
    ("players", "i4"),
    ("n_types", "i4"),
    ("n_resources", "i4"),
    ("n_counters", "i4"),
    ("n_effects", "i4"),
    ("n_pairs", "i4"),
    ("n_terminations", "i4"),
    ("n_fixed", "i4"),
    ("n_mortal", "i4"),
    ("n_start", "i4"),
    ("n_updates", "i4"),
    ("n_edges", "i4"),
    ("edges", "i4"),  # edge effects in the order of execution: position in `ints`
    ("n_times", "i4"),
    ("times", "i4"),  # effects of time, in the order of the file
    ("max_ticks", "i4"),
    ("list_nil", "i4"),  # whether doing nothing is listed among the actions
    ("last_limit_only", "i4"),  # compat: of Timeout's `limits` only the last player's counts
    ("n_nodes", "i4"),  # cells that paths lead through, 0 where no sprite needs a path
    ("steps", "i1", NODES * NODES),  # direction of the first step from one of them to another
)

FREE, MORE, TIMER = -1, -2, -3
"""In place of a slot's type: not in use; more amounts of a sprite; a timer (`begun`: due, `made`: effect)."""

Group = record(("head", "i2"), ("tail", "i2"), ("count", "i2"), ("disabled", "i2"), ("fixed", "i2"))
"""The instances of a type: ends of the list of slots, how many it holds, how many of these are avatars that were
killed, and how many fixed ones are left."""

Event = record(
    ("active_id", "i4"),
    ("passive_id", "i4"),
    ("x", "i4"),  # of the active one
    ("y", "i4"),
    ("active", "i2"),
    ("passive", "i2"),
    ("shot", "i4"),  # whether the active one was made by an avatar (and is none itself)
)

Entered = record(("slot", "i4"), ("first", "i4"), ("wide", "i4"), ("high", "i4"))
"""A moving sprite and its cells: the first, and how many more to the right and below."""

MORTAL_WORDS = (SPRITES + 63) // 64

State = record(
    ("rng", "u8"),  # 48 bits of the framework's generator
    ("score", "f8", PLAYERS),
    ("heading", "f8", PLAYERS),  # angle to which an avatar has been turned that steers by angles
    ("tick", "i4"),
    ("next_id", "i4"),
    ("slots", "i4"),  # slots that were ever used
    ("free", "i4"),  # a slot that is free; -1: none below `slots`
    ("count", "i4"),  # sprites as the framework counts them: those killed twice in a tick are taken off twice
    ("refused", "i4"),  # how often no sprite was created because there are too many
    ("timers", "i4"),  # slot of the timer that is due first; -1: none
    ("counters", "i4", COUNTERS),
    ("n_events", "i4"),  # of the last tick
    ("avatar", "i2", PLAYERS),  # slot of each player's
    ("win", "i1", PLAYERS),
    ("chosen", "i1", PLAYERS),  # actions of this tick
    ("last", "i1", PLAYERS),  # actions of the last one, which all have seen
    ("mover", "i1"),
    ("ended", "i1"),
    ("failed", "i1"),  # whether no slot was left
    ("group", Group, TYPES),
    ("alive", "u8", MORTAL_WORDS),
    ("sprites", Sprite, SLOTS),
    # Of the events as many as there are belong to the state; what follows them is work space.
    ("events", Event, EVENTS),
    ("touching", "u8", AREA),  # kinds of moving sprites in each cell
    ("crowded", "u8", AREA),  # kinds of which there may be several in each cell
    ("entered", Entered, PRESENT),  # the sprites that were entered at the beginning of the events
    ("moved", "u8"),  # kinds of which a sprite was moved or created in the events of this tick
    ("active", "u8", PAIRS // 64),  # pairs that may have to do with each other
    ("dying", "u8", MORTAL_WORDS),
    ("stand_in", Sprite, 4),  # fixed sprites in the form of others
    ("n_killed", "i4"),
    ("killed_again", "i4"),  # how often a sprite was killed that was killed before in this tick
    ("killed", "i4", PRESENT),
    ("n_hits", "i4"),  # of an effect that runs once for all sprites that are touched: how many
    ("hits", "i4", PRESENT),
    ("candidates", "i4", PRESENT),
    ("shields", "i4", SHIELDS),
    ("n_shields", "i4"),
    ("visiting", "i4"),  # place in the order of updates; `EVENTS_BEGUN`: later
    ("draws", "i4"),  # random draws of the last tick that are noted
    ("draw", "i4", DRAWS),  # their kinds
    ("noting", "i4"),  # whether draws are noted
    ("outside", "i4"),  # whether a sprite with an effect of the edge is beyond it
)


def offset(name: str) -> int:
    """Return where a field of a state begins, in bytes."""
    fields: Any = State.fields
    return int(fields[name][1])


BEFORE_GROUPS = offset("group")
BEFORE_ALIVE = offset("alive")
BEFORE_SPRITES = offset("sprites")
BEFORE_EVENTS = offset("events")
SPRITE_BYTES, GROUP_BYTES, EVENT_BYTES = Sprite.itemsize, Group.itemsize, Event.itemsize
