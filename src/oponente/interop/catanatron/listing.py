"""Where Catanatron lists actions that the rule book forbids."""

from __future__ import annotations

from itertools import combinations

from oponente.games.catan.board import bits, edge_ends
from oponente.games.catan.building import ROADS
from oponente.games.catan.cards import YEAR_OF_PLENTY, unpack
from oponente.games.catan.moves import BEFORE_ROLL, FREE_ROADS, MAIN
from oponente.games.catan.names import roads_of
from oponente.interop.catanatron.notation import fingerprint, text
from oponente.interop.catanatron.numbering import OUR_EDGES, THEIR_EDGES
from oponente.kernel import State


def single_cards(state: State) -> set[str]:
    """Return the single cards that Catanatron lets year of plenty take, beside all pairs, while the bank is short.

    A card may be taken alone if there is another resource with which it makes no pair.
    """
    record = state.record
    seat = int(record.mover)
    if record.phase not in (BEFORE_ROLL, MAIN) or record.card_played:
        return set()
    if record.cards[seat][YEAR_OF_PLENTY] <= record.fresh[YEAR_OF_PLENTY]:
        return set()
    bank = unpack(record.bank)
    return {
        text([seat, "PLAY_YEAR_OF_PLENTY", [card]])
        for card in range(5)
        if bank[card] == 1 or (bank[card] and 0 in bank)
    }


def forbidden_roads(state: State) -> list[int]:
    """Return the free paths, in their numbers, that touch a player's network only at opponents' buildings.

    Empty if the player may not build a road for lack of cards or pieces.
    """
    record = state.record
    seat = int(record.mover)
    if record.phase not in (MAIN, FREE_ROADS):
        return []
    hand = unpack(record.known[seat][seat])
    mine = roads_of(state, seat)
    if len(mine) >= ROADS or (record.phase == MAIN and (hand[0] == 0 or hand[1] == 0)):
        return []
    taken = {edge for other in range(state.game.num_players) for edge in roads_of(state, other)}
    built = [{*bits(record.settlements[other]), *bits(record.cities[other])} for other in range(4)]
    opposing = set().union(*(built[other] for other in range(4) if other != seat))
    network = {node for edge in mine for node in edge_ends(edge)} | built[seat]
    return sorted(
        THEIR_EDGES[edge]
        for edge in OUR_EDGES
        if edge not in taken
        and any(node in network for node in edge_ends(edge))
        and not any(node in network - opposing for node in edge_ends(edge))
    )


def added_roads(state: State, legal: set[str], count: object, wanted: object) -> list[int] | None:
    """Return the forbidden roads that make a set of legal actions the recorded one; None if none do.

    Args:
        state: the state.
        legal: the legal actions by our rules.
        count, wanted: size and hash of the recorded set.
    """
    roads = forbidden_roads(state)
    more = count - len(legal) if type(count) is int else 0
    if not 0 < more <= len(roads):
        return None
    for some in combinations(roads, more):
        added = {text([int(state.record.mover), "BUILD_ROAD", road]) for road in some}
        if fingerprint(legal | added) == wanted:
            return list(some)
    return None
