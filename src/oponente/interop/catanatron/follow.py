"""A game that goes on in Catanatron, followed by our rules, action by action, so that our agents can play in it.

Catanatron departs from the rule book in some ways that no option of ours has (docs/games/catan.md lists them). Where it
allows what our rules forbid, the action is taken all the same; awards for the longest road are corrected to be
Catanatron's. Nothing else is ever corrected: the cards of each hand, and who can tell them, are what our rules make of
the actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oponente.agents.view import View
from oponente.games.catalogue import load_game
from oponente.games.catan.moves import (
    ACCEPT,
    BEFORE_ROLL,
    BUILD_ROAD,
    CONFIRM,
    DICE,
    DISCARD,
    DRAW_CARD,
    MAIN,
    PLAY_YEAR_OF_PLENTY,
    REJECT,
    STEAL,
    offer_id,
)
from oponente.games.catan.roads import NOBODY
from oponente.interop.catanatron.notation import Action, legal_texts, text, write_state
from oponente.interop.catanatron.numbering import OUR_EDGES
from oponente.interop.catanatron.recording import Header
from oponente.interop.catanatron.setting import ENDLESS, board_json, in_game
from oponente.kernel import Game, State, bridge

CARD_OF = {"PLAY_KNIGHT_CARD": 0, "PLAY_YEAR_OF_PLENTY": 1, "PLAY_MONOPOLY": 2, "PLAY_ROAD_BUILDING": 3}
"""The development card that is played by each of these actions."""


class FollowingError(Exception):
    """Our game is not where Catanatron's is; the message is one line."""


def followed_game(header: Header, *, trade: bool, **options: str) -> Game:
    """Return the game of a header by the rules of the preset ``catanatron``.

    Args:
        header: the board and the rules.
        trade: whether players trade with each other.
        options: others, as texts.
    """
    return load_game(
        "catan",
        {
            "preset": "catanatron",
            "players": str(header.players),
            "board": board_json(header),
            "points": str(header.points),
            "discard_limit": str(header.discard_limit),
            "friendly_robber": str(header.friendly_robber).lower(),
            "trade": str(trade).lower(),
            **options,
        },
    )


class Follower:
    """Our game beside one of Catanatron's.

    Our agents make no offers in it, but answer those of others. A trade is followed when it is confirmed, at once: by
    our rules nobody is asked about an offer of its own, and none is made without the cards.

    Args:
        header: the board and the rules.
    """

    def __init__(self, header: Header) -> None:
        #: The game in which our agents think.
        self.game = followed_game(header, trade=False)
        #: The game in which they think about offers.
        self.trading = followed_game(header, trade=True)
        # A game that no number of points ends: when it is over, Catanatron says.
        self._endless = followed_game(header, trade=True, offers="200", turn_limit="0", **ENDLESS)
        self.state = self._endless.start()
        self.state.undoable = False
        self._seen: list[list[int]] = [[] for _ in range(header.players)]

    def view(self, seat: int, seed: int) -> View:
        """Return what a seat sees, as a view of the game in which our agents think."""
        return View(in_game(self.game, self.state), seat, seed, list(self._seen[seat]))

    def offer_view(self, offerer: int, counts: Sequence[int], seat: int, seed: int) -> View | None:
        """Return what a seat sees that is asked whether it takes an offer.

        Args:
            offerer: who makes it.
            counts: five cards given, five wanted.
            seat: who is asked.
            seed: of the decision.

        Returns:
            None if by our rules there is no such offer, or this seat is not asked.
        """
        state = in_game(self.trading, self.state)
        try:
            state.apply(offer_id(counts[:5], counts[5:10]))
            while state.player not in (seat, offerer):
                state.apply(REJECT)
        except ValueError:
            return None
        if state.player != seat or seat == offerer:
            return None
        return View(state, seat, seed, list(self._seen[seat]))

    def legal(self) -> dict[str, int]:
        """Return our number of each legal action, offers left out, by its text in Catanatron's notation."""
        return legal_texts(in_game(self.game, self.state))

    def take(self, action: Action, result: Any = None) -> None:
        """Take an action that was taken in Catanatron, with what came of it.

        Args:
            action: ``[seat, type, value]``.
            result: two dice, the card stolen (None: none), the card drawn, or a list of cards discarded at once.

        Raises:
            FollowingError: it can't be taken.
        """
        seat, kind, value = action
        if kind in ("OFFER_TRADE", "ACCEPT_TRADE", "REJECT_TRADE", "CANCEL_TRADE"):
            return
        if seat != self.state.player:
            raise FollowingError(f"{text(action)} is taken by seat {seat}, but seat {self.state.player} is to move")
        if kind == "DISCARD":
            for card in result:
                self._apply(DISCARD + card)
        elif kind == "CONFIRM_TRADE":
            self._trade(value[:10], value[10])
        else:
            self._apply(self._number(action))
            if self.state.is_chance:
                self._apply(_outcome(kind, result))

    def _trade(self, counts: Sequence[int], partner: int) -> None:
        offerer = self.state.player
        if partner == offerer:
            return
        self._apply(offer_id(counts[:5], counts[5:]))
        while self.state.player != offerer:
            self._apply(ACCEPT if self.state.player == partner else REJECT)
        self._apply(CONFIRM + partner)

    def _number(self, action: Action) -> int:
        """Return our number of an action; where our rules forbid it, make them allow it."""
        found = legal_texts(self.state).get(text(action))
        if found is not None:
            return found
        _, kind, value = action
        record = self.state.record
        if kind in CARD_OF and record.phase in (BEFORE_ROLL, MAIN) and record.fresh[CARD_OF[kind]]:
            record.fresh[CARD_OF[kind]] = 0  # it may be played in the turn in which it was bought
            self._changed()
            found = legal_texts(self.state).get(text(action))
        elif kind == "BUILD_ROAD":
            return BUILD_ROAD + OUR_EDGES[value]  # it touches the own network beyond somebody's building only
        elif kind == "PLAY_YEAR_OF_PLENTY" and len(value) == 1:
            return PLAY_YEAR_OF_PLENTY + 25 + int(value[0])
        if found is None:
            raise FollowingError(f"{text(action)} is not possible here")
        return found

    def _apply(self, action: int) -> None:
        state = self.state
        for seat, seen in enumerate(self._seen):
            seen.append(state.observed(action, seat))
        if state.is_legal(action):
            state.apply(action)
            return
        state._operate(bridge.APPLY, action)
        state.history.append(action)
        self._changed()

    def _changed(self) -> None:
        """Forget what was listed of a record that has been changed."""
        self.state = State(self._endless, self.state.array, self.state.history)
        self.state.undoable = False

    def correct_roads(self, lengths: Sequence[int], holder: int | None) -> None:
        """Have the lengths of roads, and the card for the longest, as Catanatron has them.

        Args:
            lengths: of each seat.
            holder: the seat with the card.
        """
        record = self.state.record
        before, after = int(record.road_holder), NOBODY if holder is None else holder
        same = before == after and record.road_length[: len(lengths)].tolist() == list(lengths)
        if same:
            return
        for seat, length in enumerate(lengths):
            record.road_length[seat] = length
        if before != after:
            for seat, points in ((before, -2), (after, 2)):
                if seat != NOBODY:
                    record.points[seat] += points
            record.road_holder = after
        self._changed()

    def differences(self, theirs: dict[str, Any]) -> list[str]:
        """Return the names of the fields in which our state is not what Catanatron's is.

        Args:
            theirs: fields of :func:`~oponente.interop.catanatron.notation.write_state`, as many as are to be compared.
        """
        ours = write_state(self.state)
        return [name for name, value in theirs.items() if ours[name] != value]


def _outcome(kind: str, result: Any) -> int:
    if kind == "ROLL":
        return DICE + int(sum(result))
    return (STEAL if kind == "MOVE_ROBBER" else DRAW_CARD) + int(result)
