"""Catan: the options, and the presets that they start from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.games.catan.board import HARBOURS, TILES
from oponente.games.catan.layout import (
    APART,
    BEGINNER,
    BOARD_WORDS,
    SPIRAL,
    SPIRAL_CLOCKWISE,
    Board,
    board_text,
    printable,
    read_board,
)
from oponente.kernel import format_value, option

UNLIMITED = 120
"""Cards of each resource in a bank without limit: as many as a set of cards may hold of one, whoever has them."""
BANK = 19

WAYS = {"spiral": SPIRAL, "spiral-clockwise": SPIRAL_CLOCKWISE, "random": APART}
"""How number tokens are laid, by the name of the option."""

PRESETS: dict[str, dict[str, Any]] = {
    "official": {
        "numbers": "spiral",
        "harbours": "shuffled",
        "points": 10,
        "discard_limit": 7,
        "friendly_robber": False,
        "trade": True,
        "offers": 5,
        "bank": "19",
        "turn_limit": 2000,
        "win_on_any_turn": False,
        "lone_claimant_unpaid": False,
        "year_of_plenty_one": False,
        "cut_keeps_card": False,
        "friendly_counts_hidden": False,
    },
    "jsettlers": {"bank": "unlimited", "turn_limit": 1000},
    "catanatron": {
        "turn_limit": 1000,
        "win_on_any_turn": True,
        "lone_claimant_unpaid": True,
        "year_of_plenty_one": True,
        "cut_keeps_card": True,
        "friendly_counts_hidden": True,
    },
}
"""What each preset sets; what it leaves out is as in ``official``."""


@dataclass(frozen=True)
class Options:
    """Who plays, on which board, by which rules. A rule that is none is as the preset has it."""

    players: int = option(4, low=2, high=4, meaning="players")
    preset: str = option("official", choices=tuple(PRESETS), meaning="whose rules: the rule book's, or a server's")
    board: str = option(
        "variable", given=board_text, meaning="variable (hexes shuffled) | beginner (fixed) | a JSON board, or its file"
    )
    numbers: str | None = option(
        None, choices=tuple(WAYS), meaning="number tokens spiral from any corner, or random, no 6, 8 adjacent (spiral)"
    )
    harbours: str | None = option(
        None, choices=("shuffled", "fixed"), meaning="harbours shuffled, or as printed (shuffled)"
    )
    points: int | None = option(None, low=3, high=20, meaning="victory points that win (10)")
    discard_limit: int | None = option(None, low=1, high=30, meaning="with more cards than this a 7 costs half (7)")
    friendly_robber: bool | None = option(None, meaning="no robber at players with fewer than 3 points (false)")
    trade: bool | None = option(None, meaning="trade between players (true)")
    offers: int | None = option(None, low=0, high=200, meaning="offers in a turn at most (5)")
    bank: str | None = option(
        None,
        choices=("19", "unlimited"),
        meaning="cards of each resource in the bank; unlimited: 120 (19)",
    )
    turn_limit: int | None = option(
        None, low=0, high=10**9, meaning="turns after which the game is a draw, 0: never (2000; 1000 on servers)"
    )
    win_on_any_turn: bool | None = option(None, meaning="points win also on another's turn (catanatron)")
    lone_claimant_unpaid: bool | None = option(None, meaning="a short bank pays nobody, not even one (catanatron)")
    year_of_plenty_one: bool | None = option(
        None, meaning="year of plenty may take one card if a resource is short (catanatron)"
    )
    cut_keeps_card: bool | None = option(
        None, meaning="after a cut the longest road of any length has the card, ties by seat (catanatron)"
    )
    friendly_counts_hidden: bool | None = option(
        None, meaning="the friendly robber counts hidden points, too (catanatron)"
    )

    def __post_init__(self) -> None:
        if self.board not in BOARD_WORDS:
            if not self.board.lstrip().startswith("{"):
                raise ValueError(
                    f"board={printable(self.board)}: expected variable, beginner or JSON (a file is read when the"
                    " option is given, and the board in it is kept; this is a path that was kept instead)"
                )
            read_board(self.board)
        self._refuse_idle()

    def _refuse_idle(self) -> None:
        """Raise ValueError if an option is given that changes nothing beside the others."""
        unlimited = self.rule("bank") == "unlimited"
        for idle, names, reason in (
            (self.board != "variable", ("numbers", "harbours"), "the board is given, with numbers and harbours"),
            (not self.rule("trade"), ("offers",), "trade=false"),
            (not self.rule("friendly_robber"), ("friendly_counts_hidden",), "friendly_robber=false"),
            (unlimited, ("lone_claimant_unpaid", "year_of_plenty_one"), "bank=unlimited"),
        ):
            for name in names:
                if idle and getattr(self, name) is not None:
                    given = format_value(getattr(self, name))
                    raise ValueError(f"{name}={given} has no effect ({reason}): leave it out")

    def rule(self, name: str) -> Any:
        """Return a rule: as given, or as the preset has it."""
        given = getattr(self, name)
        return PRESETS[self.preset].get(name, PRESETS["official"][name]) if given is None else given

    def fixed_board(self) -> Board | None:
        """Return the board that every game has, None if each draws its own."""
        if self.board == "variable":
            return None
        return BEGINNER if self.board == "beginner" else read_board(self.board)


RULES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("players", "i4"),
                ("points", "i4"),
                ("discard_limit", "i4"),
                ("offers", "i4"),
                ("bank", "i4"),
                ("turn_limit", "i4"),  # 0: none
                ("friendly_robber", "?"),
                ("trade", "?"),
                ("win_on_any_turn", "?"),
                ("lone_claimant_unpaid", "?"),
                ("year_of_plenty_one", "?"),
                ("cut_keeps_card", "?"),
                ("friendly_counts_hidden", "?"),
                ("way", "i1"),  # how number tokens are laid
                ("shuffled", "?"),  # whether harbours are
                ("fixed", "?"),  # whether the board is, as it follows
                ("robber", "i1"),
                ("terrain", "i1", (TILES,)),
                ("number", "i1", (TILES,)),
                ("harbour", "i1", (HARBOURS,)),
            ],
            align=True,
        ),
    )
)
"""The options as kernels read them. One record, because a game is an argument of nearly every function: as many numbers
would make the machine code of all calls longer."""


def rules_of(options: Options) -> Any:
    """Return the record of the options."""
    rules = np.zeros(1, RULES)[0]
    for name in PRESETS["official"]:
        value = options.rule(name)
        if name == "numbers":
            rules.way = WAYS[value]
        elif name == "harbours":
            rules.shuffled = value == "shuffled"
        elif name == "bank":
            rules.bank = UNLIMITED if value == "unlimited" else BANK
        else:
            rules[name] = value
    rules.players = options.players
    board = options.fixed_board()
    if board is not None:
        rules.fixed = True
        rules.terrain, rules.number, rules.harbour, rules.robber = (
            board.terrain, board.numbers, board.harbours, board.robber
        )  # fmt: skip
    return rules
