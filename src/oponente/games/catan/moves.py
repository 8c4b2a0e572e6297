"""Catan: the phases of a turn, and the numbers of actions and chance outcomes."""

from __future__ import annotations

from collections.abc import Sequence

(
    SETTING_SETTLEMENT,  # set-up: place a settlement
    SETTING_ROAD,  # set-up: place a road at it
    BEFORE_ROLL,
    ROLLING,  # chance
    DISCARDING,
    ROBBING,  # move the robber
    STEALING,  # chance
    MAIN,  # trade and build
    DRAWING,  # chance: a development card
    FREE_ROADS,  # place the roads of road building
    ANSWERING,  # others answer an offer
    CONFIRMING,  # choose whom to trade with
    OVER,
) = range(13)

ROLL, BUY_CARD, PLAY_KNIGHT, PLAY_ROAD_BUILDING = range(4)
PLAY_MONOPOLY = 8
"""+ resource."""
PLAY_YEAR_OF_PLENTY = 16
"""+ 5 * resource + resource, the lower one first; + 25 + resource for a single card."""
DISCARD = 48
"""+ resource."""
ACCEPT, REJECT, WITHDRAW = 56, 57, 58
CONFIRM = 60
"""+ seat."""
MOVE_ROBBER = 64
"""+ 5 * tile + seat of the victim, 4 for none."""
BUILD_ROAD = 192
"""+ edge."""
BUILD_SETTLEMENT = 320
"""+ node."""
BUILD_CITY = 384
"""+ node."""
BANK_TRADE = 448
"""+ 5 * resource given + resource taken, at the best rate."""
END_TURN = 511

DICE = 512
"""+ sum of the dice (chance)."""
STEAL = 528
"""+ resource (chance); + `UNSEEN` for who does not see it."""
DRAW_CARD = 536
"""+ development card (chance); + `UNSEEN`."""
UNSEEN = 5
NOBODY_ROBBED = 4

OFFER = 1 << 30
"""What the numbers of offers and counter-offers begin with, see :func:`offer_id`."""
OFFER_LIMIT = 31
"""Cards of one resource in an offer at most."""
OFFER_BASE = 2 * OFFER_LIMIT + 1
"""Of the digits in the number of an offer: for each resource, how many cards are wanted less how many are given."""
OFFERS_END = OFFER + OFFER_BASE**5


def offer_id(give: Sequence[int], want: Sequence[int]) -> int:
    """Return the action of offering cards for cards.

    Args:
        give, want: for each resource, how many cards; not both of the same resource.

    >>> offer_id((0, 0, 2, 0, 0), (0, 0, 0, 0, 1)) - OFFER
    511963294

    Raises:
        ValueError: there is no such offer.
    """
    number = 0
    for given, wanted in zip(reversed(give), reversed(want), strict=True):
        if (given and wanted) or not (0 <= given <= OFFER_LIMIT and 0 <= wanted <= OFFER_LIMIT):
            raise ValueError(
                f"an offer of {tuple(give)} for {tuple(want)}: 0 to {OFFER_LIMIT} of each, none on both sides"
            )
        number = number * OFFER_BASE + wanted - given + OFFER_LIMIT
    return OFFER + number


def offered(action: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cards given and wanted in an offer."""
    give, want = [], []
    number = action - OFFER
    for _ in range(5):
        amount = number % OFFER_BASE - OFFER_LIMIT
        number //= OFFER_BASE
        give.append(max(0, -amount))
        want.append(max(0, amount))
    return tuple(give), tuple(want)
