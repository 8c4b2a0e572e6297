"""Catan: the record that is a state of the game."""

from __future__ import annotations

from oponente.games.catan.board import HARBOURS, TILES
from oponente.games.catan.knowledge import OBSERVERS, OTHERS
from oponente.kernel import record

State = record(
    ("known", "u8", (4, OBSERVERS)),  # cards of each hand, by observer; [seat, seat] is the hand itself
    ("bank", "u8"),  # resource cards left
    ("settlements", "u8", 4),  # nodes
    ("cities", "u8", 4),  # nodes
    ("across", "u8", 4),  # roads, as edges across
    ("down", "u8", 4),  # roads, as edges down
    ("tiles_with", "u4", 13),  # tiles by number token
    ("turn", "u4"),  # number of the turn, from 1; 0 in the set-up
    ("offer", "i4"),  # the offer that is answered, as an action; 0: none
    ("answer", "i4", 4),  # of each seat: 0 none yet, ACCEPT, REJECT, or its counter-offer
    ("owed", "u2", 4),  # cards each must still discard
    ("most", "u2", (4, OTHERS)),  # of the other cards of each hand, the most of each resource, by slot
    ("mix", "u1", (4, OTHERS, 5)),  # of the same cards, the share of each resource, by slot
    ("cards", "u1", (4, 5)),  # development cards in hand
    ("played", "u1", (4, 5)),  # development cards played
    ("fresh", "u1", 5),  # development cards bought this turn
    ("deck", "u1", 5),  # development cards left
    ("reach", "u1", 4),  # harbours each may use, as bits by kind
    ("points", "i1", 4),  # victory points that all see
    ("points_before", "i1", 4),  # most of them at the end of a turn of the seat, less the cards bought since
    ("road_length", "i1", 4),
    ("road_holder", "i1"),  # who holds the longest road
    ("army_holder", "i1"),  # who holds the largest army
    ("terrain", "i1", TILES),
    ("number", "i1", TILES),
    ("harbour", "i1", HARBOURS),  # kind of each
    ("robber", "i1"),  # tile
    ("phase", "i1"),
    ("actor", "i1"),  # whose decision it is, CHANCE or TERMINAL
    ("mover", "i1"),  # whose turn it is
    ("placed", "i1"),  # settlements placed in the set-up
    ("home", "i1"),  # the settlement of the set-up that still lacks its road
    ("rolled", "i1"),  # what was rolled this turn; 0: nothing yet
    ("card_played", "i1"),  # whether a development card was played this turn
    ("free_roads", "i1"),  # roads left to build from road building
    ("victim", "i1"),  # who is being robbed
    ("offers", "u1"),  # made this turn
    ("winner", "i1"),
)

DRAW = 4
"""The winner of a game that reached the limit of turns."""
