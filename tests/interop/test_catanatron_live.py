"""Fresh games of the Catanatron package (3.2.1), each action taken by our rules, too, and the states compared.

The package departs from the rule book in more ways than the version that the recordings come from. A game goes on only
with actions that both allow; what only one of them allows must be one of these:

* a development card may be played in the turn in which it was bought;
* before the roll, only a knight may be played, and road building only by who could pay for a road;
* year of plenty may take one card while the bank is short;
* a road may be offered that touches the own ones only at an opponent's building.

Besides, a short bank pays nobody (our option `lone_claimant_unpaid`), a discard is one action, of cards drawn at
random, a road that ends at an opponent's building may go uncounted, and after that, or after a cut or a tie, the card
for the longest road may be with the wrong player.
"""

import json
import random
from collections import Counter

import pytest

from oponente.games.catan.board import bits, edge_ends, tile_corners
from oponente.games.catan.cards import unpack
from oponente.games.catan.moves import (
    BEFORE_ROLL,
    DICE,
    DISCARD,
    DRAW_CARD,
    STEAL,
)
from oponente.games.catan.names import roads_of
from oponente.interop.catanatron.listing import forbidden_roads, single_cards
from oponente.interop.catanatron.notation import HOLDER, LENGTH, legal_texts, text, write_state
from oponente.interop.catanatron.numbering import CUBES, EDGE_PAIRS, THEIR_NODES, tile_at
from oponente.interop.catanatron.recording import Header
from oponente.interop.catanatron.setting import make_game
from oponente.kernel import IllegalActionError

catanatron = pytest.importorskip("catanatron")

from catanatron.models.enums import RESOURCES  # noqa: E402

DEVELOPMENT_CARDS = ["KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT"]
CARD_OF_ACTION = {"PLAY_KNIGHT_CARD": 0, "PLAY_YEAR_OF_PLENTY": 1, "PLAY_MONOPOLY": 2, "PLAY_ROAD_BUILDING": 3}
COLOURS = list(catanatron.Color)


def resource(name):
    return None if name is None else RESOURCES.index(name)


def setting(theirs):
    """Return our game on the board of a game of theirs."""
    board = theirs.state.board.map
    header = Header(
        number=0,
        players=len(theirs.state.colors),
        tiles=[[resource(board.tiles_by_id[i].resource), board.tiles_by_id[i].number] for i in range(19)],
        ports=[resource(board.ports_by_id[i].resource) for i in range(9)],
        robber=CUBES.index(theirs.state.board.robber_coordinate),
        points=10,
        discard_limit=7,
        friendly_robber=False,
        number_placement="random",
        state={},
    )
    return make_game(header, trade="false", lone_claimant_unpaid="true")


class Mirror:
    """A game of theirs, and ours beside it."""

    def __init__(self, players, seed):
        self.theirs = catanatron.Game([catanatron.RandomPlayer(colour) for colour in COLOURS[:players]], seed=seed)
        self.ours = setting(self.theirs).start()
        self.ours.undoable = False
        self.random = random.Random(seed)
        self.actions = 0
        self.departures = Counter()
        self.built = False
        """Whether a road or settlement was built after the set-up."""
        self.awards_may_differ = False
        """Whether a road went uncounted, or was cut, or was as long as another."""

    # --- their game in our words ------------------------------------------------------------------------------------

    @property
    def state(self):
        return self.theirs.state

    def seat(self, colour):
        return None if colour is None else self.state.colors.index(colour)

    def write(self, action):
        """Return an action of theirs as ``[seat, type, value]``."""
        kind, value = action.action_type.value, action.value
        if kind == "BUILD_ROAD":
            value = EDGE_PAIRS.index(tuple(sorted(value)))
        elif kind == "MOVE_ROBBER":
            value = [CUBES.index(value[0]), self.seat(value[1])]
        elif kind == "MARITIME_TRADE":
            given = [card for card in value[:-1] if card is not None]
            value = [resource(given[0]), len(given), resource(value[-1])]
        elif kind == "PLAY_YEAR_OF_PLENTY":
            value = sorted(map(resource, value))
        elif kind == "PLAY_MONOPOLY":
            value = resource(value)
        return [self.seat(action.color), kind, value]

    def their_state(self):
        values, board = self.state.player_state, self.state.board
        seats = []
        for seat, colour in enumerate(self.state.colors):
            built = self.state.buildings_by_color[colour]
            key = f"P{seat}_"
            seats.append(
                [
                    [values[f"{key}{name}_IN_HAND"] for name in RESOURCES],
                    [values[f"{key}{name}_IN_HAND"] for name in DEVELOPMENT_CARDS],
                    [values[f"{key}PLAYED_{name}"] for name in DEVELOPMENT_CARDS],
                    values[f"{key}VICTORY_POINTS"],
                    values[f"{key}ACTUAL_VICTORY_POINTS"],
                    sorted(built["SETTLEMENT"]),
                    sorted(built["CITY"]),
                    sorted(EDGE_PAIRS.index(tuple(sorted(edge))) for edge in built["ROAD"]),
                    values[f"{key}LONGEST_ROAD_LENGTH"],
                    int(values[f"{key}HAS_ROAD"]),
                    int(values[f"{key}HAS_ARMY"]),
                    int(values[f"{key}HAS_ROLLED"]),
                    int(values[f"{key}HAS_PLAYED_DEVELOPMENT_CARD_IN_TURN"]),
                ]
            )
        prompt = self.state.current_prompt.value
        return {
            "p": seats,
            "bank": list(self.state.resource_freqdeck),
            "deck": len(self.state.development_listdeck),
            "robber": CUBES.index(board.robber_coordinate),
            "prompt": prompt,
            "actor": self.state.current_player_index,
            "turn": self.state.current_turn_index,
            "nturn": self.state.num_turns,
            "free": self.state.free_roads_available if self.state.is_road_building else 0,
        }

    # --- playing ----------------------------------------------------------------------------------------------------

    def play(self):
        """Play to the end, or to where the two games can't go on together."""
        while True:
            self.compare_states()
            if self.theirs.winning_color() is not None or self.ours.is_terminal:
                self.compare_ends()
                return
            choice = self.compare_choices()
            if choice is None or not self.take(choice):
                return
            self.actions += 1

    def compare_choices(self):
        """Compare the legal actions; return one of those that both list."""
        theirs = {text(self.write(action)): action for action in self.state.playable_actions}
        if [action.action_type.value for action in theirs.values()] == ["DISCARD"]:
            assert self.ours.record.owed[self.ours.player] == sum(self.their_state()["p"][self.ours.player][0]) // 2
            return next(iter(theirs.values()))
        ours = legal_texts(self.ours)
        for name in sorted(theirs.keys() - ours.keys()):
            self.departures[self.why_only_theirs(json.loads(name))] += 1
        for name in sorted(ours.keys() - theirs.keys()):
            self.departures[self.why_only_ours(json.loads(name))] += 1
        both = sorted(theirs.keys() & ours.keys())
        return theirs[self.random.choice(both)] if both else None

    def why_only_theirs(self, action):
        record, (_, kind, value) = self.ours.record, action
        if kind in CARD_OF_ACTION and record.fresh[CARD_OF_ACTION[kind]]:
            return "card played in the turn it was bought"
        if kind == "BUILD_ROAD" and value in forbidden_roads(self.ours):
            return "road beyond an opponent's building"
        assert text(action) in single_cards(self.ours), action
        return "one card of year of plenty"

    def why_only_ours(self, action):
        record, (seat, kind, _) = self.ours.record, action
        if record.phase == BEFORE_ROLL and kind in CARD_OF_ACTION and kind != "PLAY_KNIGHT_CARD":
            return "card other than a knight before the roll"
        hand = unpack(record.known[seat][seat])
        assert kind == "PLAY_ROAD_BUILDING", action
        assert 0 in hand[:2], action
        return "road building without the price of a road"

    def take(self, action):
        """Let both take an action; return whether theirs could."""
        written = self.write(action)
        ours = legal_texts(self.ours)
        cuts = self.cuts(written)
        try:
            done = self.theirs.execute(action)
        except (TypeError, ValueError, KeyError):
            assert cuts, written  # "a settlement cutting a road can raise an exception"
            self.departures["exception at a cut"] += 1
            return False
        self.awards_may_differ |= cuts
        self.built |= self.ours.record.turn > 0 and written[1] in ("BUILD_ROAD", "BUILD_SETTLEMENT")
        if written[1] == "DISCARD":
            for card in done.value:
                assert self.ours.player == written[0]
                self.ours.apply(DISCARD + resource(card))
        else:
            self.ours.apply(ours[text(written)])
            if self.ours.is_chance:
                self.ours.apply(self.outcome(done))
        return True

    def outcome(self, done):
        kind, value = done.action_type.value, done.value
        if kind == "ROLL":
            return DICE + sum(value)
        if kind == "MOVE_ROBBER":
            return STEAL + resource(value[2])
        return DRAW_CARD + DEVELOPMENT_CARDS.index(value)

    def cuts(self, written):
        """Tell whether a settlement would be built on a road of somebody else."""
        seat, kind, value = written
        return kind == "BUILD_SETTLEMENT" and any(
            THEIR_NODES.index(value) in edge_ends(edge)
            for other in range(self.ours.game.num_players)
            if other != seat
            for edge in roads_of(self.ours, other)
        )

    # --- comparing --------------------------------------------------------------------------------------------------

    def compare_states(self):
        theirs, ours = self.their_state(), write_state(self.ours)
        del ours["disc"]
        if self.ours.is_terminal:
            ours["actor"], ours["prompt"] = theirs["actor"], theirs["prompt"]
        for seat, (their_seat, our_seat) in enumerate(zip(theirs["p"], ours["p"], strict=True)):
            self.compare_roads(seat, their_seat, our_seat)
        assert theirs == ours, self.actions

    def compare_roads(self, seat, theirs, ours):
        """Check length and card of the longest road, then write theirs to ours, with the points."""
        if not self.built:
            assert theirs[LENGTH] == 0  # it keeps no lengths in the set-up
        elif theirs[LENGTH] != ours[LENGTH]:
            self.awards_may_differ = True
            assert self.ends_at_opponent(seat), (self.actions, seat)
            self.departures["length of a road"] += 1
        lengths = [int(length) for length in self.ours.record.road_length[: self.ours.game.num_players]]
        if max(lengths) >= 5 and lengths.count(max(lengths)) > 1:
            self.awards_may_differ = True
        if theirs[HOLDER] != ours[HOLDER]:
            assert self.awards_may_differ, (self.actions, seat)
            self.departures["holder of the longest road"] += 1
        moved = 2 * (theirs[HOLDER] - ours[HOLDER])
        ours[LENGTH], ours[HOLDER] = theirs[LENGTH], theirs[HOLDER]
        ours[3] += moved
        ours[4] += moved

    def ends_at_opponent(self, seat):
        record = self.ours.record
        opposing = {
            node
            for other in range(self.ours.game.num_players)
            if other != seat
            for node in (*bits(record.settlements[other]), *bits(record.cities[other]))
        }
        return any(node in opposing for edge in roads_of(self.ours, seat) for node in edge_ends(edge))

    def compare_ends(self):
        winner = self.seat(self.theirs.winning_color())
        ours = int(self.ours.record.winner) if self.ours.is_terminal else None
        if winner != ours:
            assert self.departures["holder of the longest road"] or winner != int(self.ours.record.mover)
            self.departures["winner"] += 1


def test_the_numbers_are_the_package_s():
    board = catanatron.Game([catanatron.RandomPlayer(colour) for colour in COLOURS], seed=1).state.board.map
    for number, cube in enumerate(CUBES):
        tile = board.land_tiles[cube]
        assert tile.id == number
        assert list(tile.nodes.values()) == [THEIR_NODES[node] for node in tile_corners(tile_at(cube))]
    assert RESOURCES == ["WOOD", "BRICK", "SHEEP", "WHEAT", "ORE"]


def test_a_wrong_chance_result_is_noticed(monkeypatch):
    right = Mirror.outcome
    monkeypatch.setattr(Mirror, "outcome", lambda self, done: min(right(self, done) + 1, DICE + 12))
    with pytest.raises((AssertionError, IllegalActionError)):
        run(2, [1])


def run(players, seeds):
    games, departures, finished = Counter(), Counter(), 0
    for seed in seeds:
        mirror = Mirror(players, seed)
        mirror.play()
        games["actions"] += mirror.actions
        departures += mirror.departures
        finished += mirror.theirs.winning_color() is not None
    return games["actions"], departures, finished


@pytest.mark.parametrize("players", [2, 3, 4])
def test_fresh_games_agree(players):
    actions, _, finished = run(players, range(1, 13))
    assert finished >= 8
    assert actions > 5_000


@pytest.mark.long
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_fresh_games_agree(players):
    actions, departures, finished = run(players, range(1000, 1100))
    assert finished > 80
    assert actions > 60_000
    assert departures["length of a road"] > 0
