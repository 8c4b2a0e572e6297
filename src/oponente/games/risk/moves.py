"""Risk: the phases of a game, and the numbers of actions and chance outcomes."""

from __future__ import annotations

(
    CLAIMING,  # set-up: claim a free territory
    DEPLOYING,  # set-up: place an army
    DEPLOYING_NEUTRAL,  # set-up for two: place a neutral army
    CHOOSING_CAPITAL,  # set-up: choose a capital, seen by nobody else
    TRADING,  # trade sets of cards for armies
    GETTING_BONUS,  # which territory on the cards gets the armies that go there
    PLACING,  # where to place armies
    PLACING_AMOUNT,  # how many
    ATTACKING,
    THROWING,  # chance: the dice of both sides
    OCCUPYING,  # how many more armies than those that thrown dice stand for move in
    MOVING,  # fortify: from where
    MOVING_TO,  # to where
    MOVING_AMOUNT,  # how many
    DRAWING,  # chance: a card
    OVER,
    BEGINNING,  # never seen: the next turn begins
    ENDING,  # never seen: the turn ends
) = range(18)

DONE = 0
"""End of the phase: trade no more, place no more, attack no more, move no more."""
CLAIM = 64
"""+ territory."""
PLACE = 128
"""+ territory, in the set-up and in a turn."""
CAPITAL = 192
"""+ territory; + `UNSEEN_CAPITAL` for those who do not see it."""
UNSEEN_CAPITAL = 63
BONUS = 256
"""+ territory."""
MOVE_FROM = 320
"""+ territory."""
MOVE_TO = 384
"""+ territory."""
AMOUNT = 1024
"""+ number of armies, up to `MOST_ARMIES`."""
ATTACK = 8192
"""+ 64 * from + to, with the most dice; + `FEWER_DICE` * dice with fewer."""
FEWER_DICE = 4096
TRADE = 1 << 16
"""+ 4096 * card + 64 * card + card, ascending."""
LOSSES = 1 << 19
"""+ armies that the defender loses (chance)."""
DRAW_CARD = LOSSES + 16
"""+ card (chance); + `UNSEEN_CARD` for those who do not see it."""
UNSEEN_CARD = 64

MOST_ARMIES = 4095
"""Armies on a territory at most."""
LISTED_AMOUNTS = 16
"""Of more possible amounts than this only so many are listed, evenly spread; the others are open."""

ADJACENT, CONNECTED, UNLIMITED, STEPS = range(4)
"""How armies move when a turn ends: once to a neighbour; once along own territories; any number of times to neighbours;
likewise, each army at most once."""
CLAIMED, DEALT, NEUTRAL_THIRD, STACKED, BARE = range(5)
"""Set-ups: claim territories in turn; deal them; deal a third of them to neutral armies; deal them, and the armies in
random stacks; deal them with an army each and no others."""
DOMINATION, CAPITALS, MISSIONS = range(3)
"""How the game is won."""
ESCALATING, INCREMENTAL, BY_KIND = range(3)
"""What sets of cards are worth: 4, 6, 8, 10, 12, 15, 20, ...; 4, 5, 6, ...; 4, 6, 8, 10 by their symbols."""
WILD = 3
"""The symbol of wild cards; 0 to 2 are infantry, cavalry, artillery."""
HOLD_CONTINENTS, HOLD_TERRITORIES, DESTROY = range(3)
"""Kinds of missions."""
