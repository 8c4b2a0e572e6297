"""Risk: the options, the presets that they start from, and the record in which kernels read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.games.risk.dice import DICE, MOST_DICE, STANDARD, throw_table
from oponente.games.risk.moves import (
    ADJACENT,
    BARE,
    BY_KIND,
    CAPITALS,
    CLAIMED,
    CONNECTED,
    DEALT,
    DESTROY,
    DOMINATION,
    ESCALATING,
    HOLD_CONTINENTS,
    HOLD_TERRITORIES,
    INCREMENTAL,
    MISSIONS,
    MOST_ARMIES,
    NEUTRAL_THIRD,
    STACKED,
    STEPS,
    UNLIMITED,
    WILD,
)
from oponente.games.risk.start import Start, read_start, start_of, start_text
from oponente.games.risk.state import (
    MAX_CONTINENTS,
    MAX_MISSIONS,
    MAX_NEIGHBOURS,
    MAX_TERRITORIES,
    MAX_WILDS,
    NEUTRAL,
    NONE,
    SEATS,
)
from oponente.games.risk.world import CLASSIC, World, world_of, world_text
from oponente.kernel import format_value, option

SETUPS = {"claimed": CLAIMED, "dealt": DEALT, "neutral": NEUTRAL_THIRD, "stacked": STACKED, "bare": BARE}
FORTIFYING = {"adjacent": ADJACENT, "connected": CONNECTED, "unlimited": UNLIMITED, "steps": STEPS}
VICTORIES = {
    "domination": DOMINATION,
    "capitals": CAPITALS,
    "capitals-short": CAPITALS,
    "missions": MISSIONS,
}
SET_VALUES = {"escalating": ESCALATING, "incremental": INCREMENTAL, "by-kind": BY_KIND}
ARMIES = {2: 40, 3: 35, 4: 30, 5: 25, 6: 20}
"""Armies of each player in the set-up, by the number of players."""
ROUNDS = 100
"""Turns of each player after which the game is a draw, unless a rule set or an option says otherwise."""

PRESETS: dict[str, dict[str, Any]] = {
    "classic-1993": {
        "players": 6,
        "setup": "claimed",
        "victory": "domination",
        "fortify": "adjacent",
        "cards": True,
        "set_values": "escalating",
        "wilds": 2,
        "territory_bonus": 2,
        "hand_limit": 5,
        "capture_limit": 6,
        "army_limit": MOST_ARMIES,
        "turn_limit": None,
        "divisor": 3,
        "defence_dice": 2,
        "occupy": "dice-up",
        "bonus_inside": False,
        "first_attack": 1,
        "keep_armies": False,
        "explicit": False,
        "plain_first_income": False,
    },
    "thesis-2022": {
        "players": 2,
        "setup": "stacked",
        "fortify": "connected",
        "cards": False,
        "turn_limit": 150,
        "keep_armies": True,
        "explicit": True,
        "plain_first_income": True,
    },
    "war-grow": {
        "setup": "bare",
        "victory": "missions",
        "fortify": "steps",
        "divisor": 2,
        "defence_dice": 3,
        "occupy": "up-to-dice",
        "bonus_inside": True,
        "first_attack": 2,
    },
}
"""What each rule set says; what it leaves out is as in ``classic-1993``."""

_CARD_RULES = ("set_values", "wilds", "territory_bonus", "hand_limit", "capture_limit")
_SETUP_RULES = ("setup", "armies")


@dataclass(frozen=True)
class Options:
    """Who plays, where, by which rules. A rule that is none is as the rule set has it."""

    rules: str = option("classic-1993", choices=tuple(PRESETS), meaning="rule set that the rules below start from")
    players: int | None = option(None, low=2, high=SEATS, meaning="players (6; thesis-2022: 2)")
    map: str = option(CLASSIC, given=world_text, meaning="classic | a JSON map, or its file")
    start: str = option(
        "drawn", given=start_text, meaning="drawn (by setup) | thesis (fixed) | a JSON start position, or its file"
    )
    dice: str = option(STANDARD, choices=DICE, meaning="standard | thesis (the dice of one side are all different)")
    setup: str | None = option(
        None,
        choices=tuple(SETUPS),
        meaning="territories claimed in turn, dealt, a third neutral (two players), dealt with stacks, dealt bare",
    )
    armies: int | None = option(None, low=1, high=200, meaning="armies of each player in the set-up (40 to 20)")
    victory: str | None = option(
        None,
        choices=tuple(VICTORIES),
        meaning="domination | own capital and all (short: 1, 2, 2, 3, 3) others | missions (domination; war: missions)",
    )
    fortify: str | None = option(
        None,
        choices=tuple(FORTIFYING),
        meaning="one move to a neighbour | along own territories | any moves | any, each army one step (by rule set)",
    )
    cards: bool | None = option(None, meaning="territory cards (true; thesis-2022: false)")
    set_values: str | None = option(
        None, choices=tuple(SET_VALUES), meaning="sets bring 4, 6, 8, 10, 12, 15, 20, … | 4, 5, 6, … | 4, 6, 8, 10"
    )
    wilds: int | None = option(None, low=0, high=MAX_WILDS, meaning="wild cards (2)")
    territory_bonus: int | None = option(None, low=0, high=10, meaning="armies for an own territory on a set (2)")
    hand_limit: int | None = option(None, low=5, high=7, meaning="with so many cards a set must be traded (5)")
    capture_limit: int | None = option(
        None, low=5, high=8, meaning="likewise, at once, after taking the cards of a player eliminated (6)"
    )
    army_limit: int | None = option(None, low=4, high=MOST_ARMIES, meaning="armies on a territory at most (4095)")
    turn_limit: int | None = option(
        None,
        low=0,
        high=10**9,
        meaning="turns of all players together until a draw, 0: none (100 for each seat; thesis-2022: 150)",
    )

    def __post_init__(self) -> None:
        world = self.world
        players = self.num_players
        territories = len(world.territories)
        if self.rules == "thesis-2022" and players != 2:
            raise ValueError(f"players={players}: rules=thesis-2022 are for 2")
        if territories < players:
            raise ValueError(f"players={players}: the map has only {territories} territories")
        if self.rule("setup") == "neutral" and players != 2:
            raise ValueError(f"setup=neutral is for 2 players, not {players}")
        if self.rule("setup") == "neutral" and territories < 3:
            raise ValueError(f"setup=neutral: the map has only {territories} territories")
        if self.rule("victory") == "missions":
            if len(world.missions) < players:
                raise ValueError(f"victory=missions: the map has {len(world.missions)} missions for {players} players")
            if players == 2:
                raise ValueError("victory=missions is for 3 to 6 players, not 2")
        placed = self.start == "drawn" and self.rule("setup") != "bare"
        if placed and self.num_armies < -(-territories // players):
            raise ValueError(f"armies={self.num_armies}: too few for an army on each of {territories} territories")
        shares = 3 if self.rule("setup") == "neutral" else players
        if placed and self.num_armies > territories // shares * self.rule("army_limit"):
            raise ValueError(f"armies={self.num_armies}: too many where {self.rule('army_limit')} may stand together")
        self.fixed_start()
        self._refuse_idle()

    def _refuse_idle(self) -> None:
        """Raise ValueError if an option is given that changes nothing beside the others."""
        for idle, names, reason in (
            (not self.rule("cards"), _CARD_RULES, "there are no cards"),
            (self.start != "drawn", _SETUP_RULES, "the start position is given"),
            (self.rule("setup") == "bare", ("armies",), "setup=bare"),
        ):
            for name in names:
                if idle and getattr(self, name) is not None:
                    given = format_value(getattr(self, name))
                    raise ValueError(f"{name}={given} has no effect ({reason}): leave it out")

    def rule(self, name: str) -> Any:
        """Return a rule: as given, or as the rule set has it."""
        given = getattr(self, name, None)
        if given is not None:
            return given
        if name == "setup" and self.num_players == 2 and self.rules == "classic-1993":
            return "neutral"
        if name == "setup" and self.victory == "missions" and self.rules == "classic-1993":
            return "dealt"
        value = PRESETS[self.rules].get(name, PRESETS["classic-1993"][name])
        return ROUNDS * self.num_players if name == "turn_limit" and value is None else value

    @property
    def num_players(self) -> int:
        """How many play."""
        if self.players is not None:
            return self.players
        return int(PRESETS[self.rules].get("players", PRESETS["classic-1993"]["players"]))

    @property
    def num_armies(self) -> int:
        """Armies of each player in the set-up."""
        if self.armies is not None:
            return self.armies
        return max(ARMIES[self.num_players], -(-len(self.world.territories) // self.num_players))

    @property
    def world(self) -> World:
        """The map."""
        return world_of(self.map)

    def fixed_start(self) -> Start | None:
        """Return the start position that every game has, None if each draws its own."""
        text = start_of(self.start)
        if text is None:
            return None
        return read_start(text, self.world, self.num_players, self.rule("army_limit"), f"start={self.start[:20]}")


RULES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("neighbours", "u8", (MAX_TERRITORIES,)),  # as masks
                ("continent", "u8", (MAX_CONTINENTS,)),  # as masks
                ("symbols", "u8", (WILD + 1,)),  # cards with each symbol, as masks
                ("mission_continents", "u4", (MAX_MISSIONS,)),  # as masks
                ("all_cards", "u8"),
                ("throw", "f8", (MOST_DICE, MOST_DICE, MOST_DICE + 1)),
                ("players", "i4"),
                ("territories", "i4"),
                ("continents", "i4"),
                ("missions", "i4"),
                ("armies", "i4"),
                ("turn_limit", "i4"),  # 0: none
                ("army_limit", "i4"),
                ("divisor", "i4"),
                ("hand_limit", "i4"),
                ("capture_limit", "i4"),
                ("territory_bonus", "i4"),
                ("defence_dice", "i4"),
                ("first_attack", "i4"),  # the round in which attacks begin
                ("capitals", "i4"),  # others' capitals that win
                ("bonus", "i4", (MAX_CONTINENTS,)),
                ("setup", "i1"),
                ("victory", "i1"),
                ("fortify", "i1"),
                ("set_values", "i1"),
                ("cards", "?"),
                ("up_to_dice", "?"),
                ("bonus_inside", "?"),
                ("keep_armies", "?"),
                ("explicit", "?"),
                ("plain_first_income", "?"),
                ("fixed", "?"),  # whether the start position is, as it follows
                ("start_armies", "u2", (MAX_TERRITORIES,)),
                ("start_owner", "i1", (MAX_TERRITORIES,)),
                ("start_order", "i1", (MAX_TERRITORIES,)),
                ("continent_of", "i1", (MAX_TERRITORIES,)),  # NONE: none
                ("degree", "i1", (MAX_TERRITORIES,)),
                ("neighbour", "i1", (MAX_TERRITORIES, MAX_NEIGHBOURS)),  # in the order of the map
                ("mission_kind", "i1", (MAX_MISSIONS,)),
                ("mission_count", "i1", (MAX_MISSIONS,)),  # more continents, territories, or the seat to destroy
                ("mission_armies", "i1", (MAX_MISSIONS,)),
            ],
            align=True,
        ),
    )
)
"""The options and the map as kernels read them. One record, because a game is an argument of nearly every function: as
many numbers would make the machine code of all calls longer."""

SHORT_CAPITALS = {2: 1, 3: 2, 4: 2, 5: 3, 6: 3}
"""Others' capitals that win in the short game, by the number of players."""


def rules_of(options: Options) -> Any:
    """Return the record of the options."""
    rules = np.zeros(1, RULES)[0]
    players = options.num_players
    for name in ("divisor", "hand_limit", "capture_limit", "territory_bonus", "defence_dice", "first_attack"):
        rules[name] = options.rule(name)
    for name in ("turn_limit", "army_limit", "cards", "bonus_inside", "keep_armies", "explicit", "plain_first_income"):
        rules[name] = options.rule(name)
    rules.players, rules.armies = players, options.num_armies
    rules.setup, rules.fortify = SETUPS[options.rule("setup")], FORTIFYING[options.rule("fortify")]
    victory = options.rule("victory")
    rules.victory = VICTORIES[victory]
    rules.capitals = SHORT_CAPITALS[players] if victory == "capitals-short" else players - 1
    rules.set_values = SET_VALUES[options.rule("set_values")]
    rules.up_to_dice = options.rule("occupy") == "up-to-dice"
    rules.throw = throw_table(options.dice)
    _write_world(rules, options.world, options.rule("wilds"))
    start = options.fixed_start()
    if start is not None:
        rules.fixed = True
        for place, (territory, owner, armies) in enumerate(start):
            rules.start_order[place] = territory
            rules.start_owner[territory] = NEUTRAL if owner is None else owner
            rules.start_armies[territory] = armies
    return rules


def _mask(members: Any) -> int:
    return sum(1 << member for member in members)


def _write_world(rules: Any, world: World, wilds: int) -> None:
    rules.territories, rules.continents, rules.missions = (
        len(world.territories),
        len(world.continents),
        len(world.missions),
    )
    rules.continent_of[:] = NONE
    for number, territory in enumerate(world.territories):
        rules.neighbours[number] = _mask(territory.neighbours)
        rules.degree[number] = len(territory.neighbours)
        rules.neighbour[number, : len(territory.neighbours)] = territory.neighbours
        rules.symbols[territory.symbol] |= np.uint64(1 << number)
    for number, continent in enumerate(world.continents):
        rules.continent[number], rules.bonus[number] = _mask(continent.territories), continent.bonus
        for member in continent.territories:
            rules.continent_of[member] = number
    rules.symbols[WILD] = _mask(range(rules.territories, rules.territories + wilds))
    rules.all_cards = _mask(range(rules.territories + wilds))
    for number, mission in enumerate(world.missions):
        if mission.destroy is not None:
            kind, count = DESTROY, mission.destroy
        elif mission.continents:
            kind, count = HOLD_CONTINENTS, mission.more
        else:
            kind, count = HOLD_TERRITORIES, mission.territories
        rules.mission_kind[number], rules.mission_count[number] = kind, count
        rules.mission_continents[number] = _mask(mission.continents)
        rules.mission_armies[number] = mission.armies
