"""Catanatron's players as agents: a program that plays Catan with them, over oponente's protocol.

    python process.py

It is started by the agent ``catanatron`` and needs the Catanatron package (licensed under GPL-3.0-or-later, which holds
for a program that this file and Catanatron make up), of which nothing else in oponente knows. So it stands alone: it
imports Catanatron and Python's own modules, and no module of oponente imports it.

At each question it makes Catanatron's game anew, to be what the question says (see
:mod:`oponente.interop.catanatron.agents` for what that is), asks the player, and answers with the action in the
notation of :mod:`oponente.interop.catanatron.notation`.
"""

from __future__ import annotations

import contextlib
import functools
import json
import random
import sys
from collections import defaultdict
from typing import Any

from catanatron.models import actions as move_generation
from catanatron.models.board import STATIC_GRAPH
from catanatron.models.enums import (
    CITY,
    DEVELOPMENT_CARDS,
    RESOURCES,
    SETTLEMENT,
    ActionPrompt,
    ActionType,
)
from catanatron.models.map import BASE_MAP_TEMPLATE, CatanMap
from catanatron.players.search import VictoryPointPlayer
from catanatron.players.weighted_random import WeightedRandomPlayer

from catanatron import Color, Game, RandomPlayer

DICE_SUMS = range(2, 13)
COLOURS = tuple(Color)
ROADS, SETTLEMENTS, CITIES = 15, 5, 4


class UnknownPlayerError(ValueError):
    """There is no such player, or not in this version of Catanatron."""


# --- players ---------------------------------------------------------------------------------------------------------


def player_classes() -> dict[str, Any]:
    """Return Catanatron's players by the codes of its command line, as far as this version has them."""
    found = {"R": RandomPlayer, "W": WeightedRandomPlayer, "VP": VictoryPointPlayer}
    with contextlib.suppress(ImportError):
        from catanatron.players.value import ValueFunctionPlayer

        found["F"] = ValueFunctionPlayer
    with contextlib.suppress(ImportError):
        from catanatron.players.minimax import AlphaBetaPlayer, SameTurnAlphaBetaPlayer

        found |= {"AB": AlphaBetaPlayer, "SAB": SameTurnAlphaBetaPlayer}
    with contextlib.suppress(ImportError):
        from catanatron.players.playouts import GreedyPlayoutsPlayer

        found["G"] = GreedyPlayoutsPlayer
    with contextlib.suppress(ImportError):
        from catanatron.players.mcts import MCTSPlayer

        found["M"] = MCTSPlayer
    return found


def make_player(text: str, colour: Any) -> Any:
    """Return the player that a text such as ``AB:2`` describes, of a colour.

    Raises:
        UnknownPlayerError: with one line that says what there is.
    """
    code, *arguments = text.split(":")
    classes = player_classes()
    if code not in classes:
        raise UnknownPlayerError(
            f"this version of Catanatron has no player {code!r}; it has {', '.join(sorted(classes))}"
        )
    try:
        return classes[code](colour, *arguments)
    except (TypeError, ValueError) as error:
        raise UnknownPlayerError(f"Catanatron's player {text!r}: {error}") from None


def repair_chance() -> None:
    """Let alpha-beta see each outcome of chance at the branch that is weighted with its probability.

    Of a roll, and of a development card bought, its own branches hold whatever chance makes of them that moment: eleven
    random rolls, weighted like 2 to 12, and the card on top of the deck again and again.
    """
    from catanatron.models.enums import ActionRecord
    from catanatron.models.map import number_probability
    from catanatron.players import minimax, tree_search_utils

    def outcome(game: Any, action: Any, result: Any) -> Any:
        copy = game.copy()
        copy.execute(action, validate_action=False, action_record=ActionRecord(action=action, result=result))
        return copy

    def bought(game: Any, action: Any, card: str) -> Any:
        copy = game.copy()
        copy.state.development_listdeck[-1] = card  # where it draws from
        copy.execute(action, validate_action=False)
        return copy

    def spectrum(game: Any, action: Any) -> list[tuple[Any, float]]:
        state = game.state
        if action.action_type == ActionType.ROLL:
            pairs = [(number // 2, number - number // 2) for number in DICE_SUMS]
            return [(outcome(game, action, pair), number_probability(sum(pair))) for pair in pairs]
        if action.action_type == ActionType.BUY_DEVELOPMENT_CARD:
            unseen = list(state.development_listdeck)
            for index, colour in enumerate(state.colors):
                if colour != action.color:
                    for card in DEVELOPMENT_CARDS:
                        unseen += [card] * state.player_state[f"P{index}_{card}_IN_HAND"]
            return [
                (bought(game, action, card), unseen.count(card) / len(unseen))
                for card in DEVELOPMENT_CARDS
                if card in unseen
            ]
        if action.action_type == ActionType.MOVE_ROBBER and action.value[1] is not None:
            victim = state.color_to_index[action.value[1]]
            hand = {card: state.player_state[f"P{victim}_{card}_IN_HAND"] for card in RESOURCES}
            if size := sum(hand.values()):
                return [(outcome(game, action, card), count / size) for card, count in hand.items() if count]
        branches: list[tuple[Any, float]] = tree_search_utils.execute_spectrum(game, action)
        return branches

    minimax.expand_spectrum = lambda game, actions: {action: spectrum(game, action) for action in actions}


# --- the game ----------------------------------------------------------------------------------------------------


@functools.lru_cache(4)
def make_map(tiles: tuple[Any, ...], ports: tuple[Any, ...]) -> Any:
    """Return the map with a resource and a number on each hex, and a resource at each port, None for any."""
    tiles_by_place = CatanMap.from_template(BASE_MAP_TEMPLATE).tiles
    for tile in tiles_by_place.values():
        if hasattr(tile, "number"):
            kind, tile.number = tiles[tile.id]
            tile.resource = None if kind is None else RESOURCES[kind]
        elif hasattr(tile, "direction"):
            tile.resource = None if ports[tile.id] is None else RESOURCES[ports[tile.id]]
    return CatanMap.from_tiles(tiles_by_place)


class Table:
    """Catanatron's game, made to be what a question says.

    Args:
        players: its players, by seat.
        points, discard_limit: of the rules.
        friendly_robber: of the rules; versions that have none play without.
    """

    def __init__(self, players: list[Any], points: int, discard_limit: int, friendly_robber: bool) -> None:
        self.players = players
        self.colours = tuple(player.color for player in players)
        self.rules = {"vps_to_win": points, "discard_limit": discard_limit}
        self.friendly = {"friendly_robber": True} if friendly_robber else {}

    def game(self, told: dict[str, Any], seed: int) -> Any:
        """Return the game that a question tells; `seed` decides all that is random from now on."""
        board_map = make_map(tuple(map(tuple, told["tiles"])), tuple(told["ports"]))
        game = Game(self.players, seed=seed + 1, catan_map=board_map, **self.rules, **self.friendly)
        state = game.state
        state.players, state.colors = list(self.players), self.colours
        state.color_to_index = {colour: index for index, colour in enumerate(self.colours)}
        self._put_board(state.board, told)
        self._put_players(state, told)
        self._put_turn(state, told)
        playable = move_generation.generate_playable_actions(state)
        (game if hasattr(game, "playable_actions") else state).playable_actions = playable
        return game

    def _put_board(self, board: Any, told: dict[str, Any]) -> None:
        pairs = edge_pairs()
        for colour, seat in zip(self.colours, told["p"], strict=True):
            for kind, nodes in ((SETTLEMENT, seat[5]), (CITY, seat[6])):
                for node in nodes:
                    board.buildings[node] = (colour, kind)
                    board.board_buildable_ids -= {node, *STATIC_GRAPH.neighbors(node)}
            for edge in seat[7]:
                a, b = pairs[edge]
                board.roads[a, b] = board.roads[b, a] = colour
            board.road_lengths[colour] = seat[8]
            if seat[9]:
                board.road_color, board.road_length = colour, seat[8]
        for colour, seat in zip(self.colours, told["p"], strict=True):
            board.connected_components[colour] = components(board, colour, seat, pairs)
        board.robber_coordinate = next(
            place for place, tile in board.map.land_tiles.items() if tile.id == told["robber"]
        )

    def _put_players(self, state: Any, told: dict[str, Any]) -> None:
        values = state.player_state
        state.buildings_by_color = {}
        # It keeps no lengths of roads until the first road or settlement after the set-up.
        built = any(len(seat[7]) > 2 or len(seat[5]) + len(seat[6]) > 2 for seat in told["p"])
        for index, (colour, seat) in enumerate(zip(self.colours, told["p"], strict=True)):
            hand, cards, played, public, points, settlements, cities, roads, length, road, army, rolled, used = seat
            # The one whose road is due stands last.
            settlements = sorted(settlements, key=lambda node: node == told["home"])
            own: Any = defaultdict(list)
            state.buildings_by_color[colour] = own
            own[SETTLEMENT] += settlements
            own[CITY] += cities
            own["ROAD"] += [edge_pairs()[edge] for edge in roads]
            key = f"P{index}_"
            for name, value in (
                ("VICTORY_POINTS", public),
                ("ACTUAL_VICTORY_POINTS", points),
                ("ROADS_AVAILABLE", ROADS - len(roads)),
                ("SETTLEMENTS_AVAILABLE", SETTLEMENTS - len(settlements)),
                ("CITIES_AVAILABLE", CITIES - len(cities)),
                ("LONGEST_ROAD_LENGTH", length if built else 0),
                ("HAS_ROAD", bool(road)),
                ("HAS_ARMY", bool(army)),
                ("HAS_ROLLED", bool(rolled)),
                ("HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN", bool(used)),
            ):
                values[key + name] = value
            for number, resource in enumerate(RESOURCES):
                values[f"{key}{resource}_IN_HAND"] = hand[number]
            for number, card in enumerate(DEVELOPMENT_CARDS):
                values[f"{key}{card}_IN_HAND"] = cards[number]
                values[f"{key}PLAYED_{card}"] = played[number]
                fresh = told["fresh"][number] if index == told["turn"] else 0
                if f"{key}{card}_OWNED_AT_START" in values:
                    values[f"{key}{card}_OWNED_AT_START"] = cards[number] > fresh

    def _put_turn(self, state: Any, told: dict[str, Any]) -> None:
        prompt = told["prompt"]
        state.resource_freqdeck = list(told["bank"])
        state.development_listdeck = [
            card for card, count in zip(DEVELOPMENT_CARDS, told["deck_counts"], strict=True) for _ in range(count)
        ]
        random.shuffle(state.development_listdeck)
        state.num_turns = told["nturn"]
        state.current_player_index, state.current_turn_index = told["actor"], told["turn"]
        state.current_prompt = ActionPrompt[prompt]
        state.is_initial_build_phase = told["turn_number"] == 0
        state.is_discarding = prompt == "DISCARD"
        state.discard_counts = list(told["disc"])
        state.is_moving_knight = prompt == "MOVE_ROBBER"
        state.is_road_building = told["free"] > 0
        state.free_roads_available = told["free"]
        if told["trade"] is not None:
            state.is_resolving_trade = True
            state.current_trade = (*told["trade"], told["turn"])
            state.acceptees = tuple(told["accepted"])

    # --- actions -----------------------------------------------------------------------------------------------------

    def write(self, action: Any) -> list[Any]:
        """Return an action as ``[seat, type, value]``."""
        kind, value = action.action_type.value, action.value
        if kind == "BUILD_ROAD":
            value = edge_numbers()[tuple(sorted(value))]
        elif kind == "MOVE_ROBBER":
            value = [tile_numbers()[value[0]], None if value[1] is None else self.colours.index(value[1])]
        elif kind == "MARITIME_TRADE":
            given = [card for card in value[:-1] if card is not None]
            value = [RESOURCES.index(given[0]), len(given), RESOURCES.index(value[-1])]
        elif kind == "PLAY_YEAR_OF_PLENTY":
            value = sorted(map(RESOURCES.index, value))
        elif kind in ("PLAY_MONOPOLY", "DISCARD_RESOURCE"):
            value = RESOURCES.index(value)
        elif kind in ("ACCEPT_TRADE", "REJECT_TRADE"):
            value = list(value[:10])
        elif kind == "CONFIRM_TRADE":
            value = [*value[:10], self.colours.index(value[10])]
        return [self.colours.index(action.color), kind, value]

    def playable(self, game: Any) -> dict[str, Any]:
        """Return what Catanatron thinks that can be done, by the text of each."""
        playable = getattr(game, "playable_actions", None) or game.state.playable_actions
        return {json.dumps(self.write(action)): action for action in playable}


@functools.cache
def edge_pairs() -> list[tuple[int, ...]]:
    """Return the two ends of each path between intersections on land, in the order of their numbers."""
    land = CatanMap.from_template(BASE_MAP_TEMPLATE).land_nodes
    return sorted(tuple(sorted(edge)) for edge in STATIC_GRAPH.subgraph(land).edges())


@functools.cache
def edge_numbers() -> dict[tuple[int, ...], int]:
    """Return the number of each path by its ends, the lower one first."""
    return {pair: number for number, pair in enumerate(edge_pairs())}


@functools.cache
def tile_numbers() -> dict[tuple[int, ...], int]:
    """Return the number of each hex by its coordinate."""
    return {place: tile.id for place, tile in CatanMap.from_template(BASE_MAP_TEMPLATE).land_tiles.items()}


def components(board: Any, colour: Any, seat: list[Any], pairs: list[tuple[int, ...]]) -> list[set[int]]:
    """Return the intersections that a player's roads and buildings connect, set by set.

    An opponent's building is in none of them, and connects nothing.
    """
    joined = defaultdict(set)
    for edge in seat[7]:
        a, b = pairs[edge]
        joined[a].add(b)
        joined[b].add(a)
    left = {node for node in {*joined, *seat[5], *seat[6]} if not board.is_enemy_node(node, colour)}
    found = []
    while left:
        component, agenda = set(), [left.pop()]
        while agenda:
            node = agenda.pop()
            component.add(node)
            more = joined[node] & left
            left -= more
            agenda += more
        found.append(component)
    return found


# --- the conversation --------------------------------------------------------------------------------------------


class Session:
    """What is kept between questions."""

    def __init__(self, hello: dict[str, Any]) -> None:
        wanted = hello["catanatron"]
        self.players = [
            make_player(wanted["player"], colour) for colour in COLOURS[: hello["players"]]
        ]  # its searches ask no other player; that all are of one kind makes no difference
        if wanted["repaired"]:
            if "AB" not in player_classes():
                raise UnknownPlayerError("this version of Catanatron has no alpha-beta player to be repaired")
            repair_chance()
        self.table = Table(self.players, wanted["points"], wanted["discard_limit"], wanted["friendly_robber"])

    def begin(self) -> None:
        """Forget the game before."""
        for player in self.players:
            player.reset_state()

    def choose(self, question: dict[str, Any]) -> str:
        """Return the action that the player chooses, as a text."""
        told: dict[str, Any] = question["catanatron"]
        legal: list[str] = told["legal"]
        random.seed(question["seed"])
        if len(legal) == 1:
            return legal[0]
        if told["prompt"] == "DISCARD" and not hasattr(ActionType, "DISCARD_RESOURCE"):
            return self.random_discard(told, legal)
        if told["prompt"] in ("DECIDE_TRADE", "DECIDE_ACCEPTEES") and not hasattr(ActionType, "CONFIRM_TRADE"):
            return next(text for text in legal if "REJECT_TRADE" in text or "CANCEL_TRADE" in text)
        game = self.table.game(told, question["seed"])
        # What only Catanatron thinks possible is not; what it does not think of is not offered to it.
        theirs = self.table.playable(game)
        both = [action for text, action in theirs.items() if text in set(legal)]
        if not both:
            raise RuntimeError(f"of {legal} Catanatron thinks none possible, but {list(theirs)}")
        (game if hasattr(game, "playable_actions") else game.state).playable_actions = both
        chosen = self.players[question["seat"]].decide(game, both)
        return json.dumps(self.table.write(chosen))

    def random_discard(self, told: dict[str, Any], legal: list[str]) -> str:
        """Return the discard of a card of the hand, each equally likely: as versions do that discard all at once."""
        hand = told["p"][told["actor"]][0]
        weights = [hand[json.loads(text)[2]] for text in legal]
        return random.choices(legal, weights)[0]


def main() -> None:
    """Answer questions until there are no more."""
    replies, sys.stdout = sys.stdout, sys.stderr  # what players print must not mix with answers
    session: Any = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            try:
                session = Session(message)
            except UnknownPlayerError as error:
                sys.exit(str(error))
            looks_at_the_clock = message["catanatron"]["player"].partition(":")[0] in ("AB", "SAB")
            answer = {"type": "ready", "version": 1, "wants": [], "deterministic": not looks_at_the_clock}
        elif kind == "begin":
            session.begin()
            continue
        elif kind == "move":
            answer = {"action": session.choose(message)}
        elif kind == "quit":
            return
        else:
            continue
        print(json.dumps(answer), file=replies, flush=True)


if __name__ == "__main__":
    main()
