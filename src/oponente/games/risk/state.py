"""Risk: the record that is a state of the game."""

from __future__ import annotations

from oponente.kernel import record

SEATS = 6
NEUTRAL = 6
"""The owner of territories with neutral armies."""
FREE = 7
"""The owner of territories that nobody has claimed yet."""
NONE = -1
"""In place of a territory or a player: there is none."""
DRAW = 6
"""The winner of a game that reached the limit of turns."""
MAX_TERRITORIES = 60
MAX_CONTINENTS = 16
MAX_NEIGHBOURS = 16
MAX_BORDERS = 240
MAX_MISSIONS = 32
MAX_WILDS = 4

FIELDS = (
    ("held", "u8", 8),  # territories of each owner
    ("hand", "u8", SEATS),  # cards of each player
    ("deck", "u8"),  # cards to draw from
    ("discard", "u8"),  # cards traded, seen by all
    ("shuffled", "u8"),  # cards that the deck had when it was shuffled last, seen by all; all others were in hands
    ("shown", "u8"),  # cards of the set that was just traded
    ("pool", "i4", 7),  # armies that each player, and neutral, has yet to place
    ("turn", "u4"),  # number of the turn, from 1, all players' turns counted; 0 in the set-up
    ("ruled_out", "u4", SEATS),  # missions that all know a player does not have
    ("sets", "u4"),  # sets traded so far
    ("armies", "u2", MAX_TERRITORIES),
    ("movable", "u2", MAX_TERRITORIES),  # armies that may still leave a territory, where each may only once
    ("reserved", "u2", MAX_CONTINENTS),  # armies to place that must stay inside a continent
    ("owner", "i1", MAX_TERRITORIES),
    ("order", "i1", MAX_TERRITORIES),  # territories by when their owners got them
    ("capital", "i1", SEATS),
    ("mission", "i1", SEATS),
    ("killer", "i1", SEATS),  # who eliminated a player
    ("phase", "i1"),
    ("actor", "i1"),  # whose decision it is, CHANCE or TERMINAL
    ("mover", "i1"),  # whose turn it is
    ("origin", "i1"),  # where the attack or move that goes on comes from; NONE: none
    ("target", "i1"),  # where it goes to
    ("dice", "i1"),  # the attacker's
    ("conquered", "i1"),  # whether a territory was conquered this turn
    ("capturing", "i1"),  # whether a player was eliminated and the sets of its cards are due
    ("moves_left", "i1"),  # moves that are allowed before the turn ends
    ("steps", "i1"),  # armies still to place before it is another player's turn to (set-up)
    ("winner", "i1"),
)
"""Of the record, by name, type and length."""

State = record(*FIELDS)
