"""Replaying one recorded game by our rules, and comparing every state and every set of legal actions."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from oponente.games.catan.cards import unpack
from oponente.games.catan.moves import (
    DICE,
    DRAW_CARD,
    OFFER_LIMIT,
    PLAY_YEAR_OF_PLENTY,
    ROBBING,
    STEAL,
    WITHDRAW,
    offer_id,
)
from oponente.games.catan.roads import NOBODY
from oponente.interop.catanatron.asking import Asking
from oponente.interop.catanatron.listing import added_roads, single_cards
from oponente.interop.catanatron.notation import (
    HOLDER,
    LENGTH,
    fingerprint,
    legal_texts,
    text,
    write_state,
)
from oponente.interop.catanatron.recording import ABSENT, Recording, Step
from oponente.interop.catanatron.setting import ENDLESS, in_game, make_game, number_placement
from oponente.kernel import State

Deviation = list[Any]
"""``[number of the action, kind, ...]`` as in ``deviations.json``."""


@dataclass(frozen=True)
class Difference:
    """A value that is not what our rules make it."""

    line: int
    field: str
    theirs: Any
    ours: Any


class Stuck(Exception):
    """The replay can't go on: the recorded action or chance result is impossible by our rules."""

    def __init__(self, theirs: Any, ours: Any, field: str = "action") -> None:
        super().__init__(theirs)
        self.theirs, self.ours, self.field = theirs, ours, field


class Replay:
    """A recorded game, played again by our rules.

    Attributes:
        differences: what differs and is no known deviation, in order.
        deviations: where Catanatron departed from the rule book, as we find it.
        actions: how many actions were replayed.
        unlisted: at how many decisions Catanatron lists other actions than the rule book, by kind, where lists of
            deviations leave that out.
    """

    def __init__(self, recording: Recording) -> None:
        header = recording.header
        self.recording = recording
        self.differences: list[Difference] = []
        self.deviations: list[Deviation] = []
        self.actions = 0
        self.unlisted: Counter[str] = Counter()
        self._state = in_game(make_game(header), make_game(header).start())
        self._endless = make_game(header, **ENDLESS)
        public = {"friendly_counts_hidden": "false"} if header.friendly_robber else {}
        self._sparing = make_game(header, **ENDLESS, **public)
        self._generous = make_game(header, **ENDLESS, year_of_plenty_one="true")
        self._unpaid = make_game(header, **ENDLESS, lone_claimant_unpaid="true")
        self._winner: int | None = None
        self._their_winner: Any = None
        self._asking: Asking | None = None
        self._their_lengths: list[Any] = [0] * header.players
        self._their_holder: int | None = None
        self._legal: dict[str, int] = {}
        self._listed: set[str] = set()

    def run(self) -> None:
        """Replay the game from start to end."""
        header = self.recording.header
        if header.number_placement != number_placement(header):
            self._differ(1, "number_placement", header.number_placement, number_placement(header))
        self._compare(1, 0, header.state)
        state = header.state
        for number, step in enumerate(self.recording.steps, 1):
            try:
                self._take(number, step)
            except Stuck as stuck:
                self._differ(step.line, stuck.field, stuck.theirs, stuck.ours)
                return
            self.actions += 1
            self._note_roads(number, step)
            self._note_win(number, step)
            self._compare(step.line, number, step.state)
            if step.whole is not None:
                self._same(step.line, "s", step.whole, step.state)
            state = step.state
        end = self.recording.end_line
        self._same(end, "actions", self.recording.end_count, self.actions)
        self._same(end, "state", self.recording.end_state, state)
        if state["win"] is None:
            self._differ(end, "win", None, "a game ends with a winner")

    # --- taking the recorded actions -------------------------------------------------------------------------------

    def _take(self, number: int, step: Step) -> None:
        """Do in our game what a line says.

        Raises:
            Stuck: our rules don't allow it.
        """
        asking = self._asking
        kind = step.action[1]
        if kind == "OFFER_TRADE":
            self._offer(step)
        elif text(step.action) not in self._listed:
            raise Stuck(step.action, sorted(self._listed))
        elif kind == "PLAY_YEAR_OF_PLENTY" and text(step.action) not in self._legal:
            self._take_one_card(number, step)
        elif asking is None:
            self._apply(self._find(step), number, step)
        elif kind in ("ACCEPT_TRADE", "REJECT_TRADE"):
            if asking.asks_offerer:
                self.deviations.append([number, "offerer_asked_own_trade"])
            else:
                self._apply(self._find(step), number, step)
            asking.answer(kind == "ACCEPT_TRADE")
            if asking.over:
                self._asking = None
        else:
            self._close(number, step, asking)
            self._asking = None
        if step.outcome is not ABSENT and kind not in ("ROLL", "BUY_DEVELOPMENT_CARD", "MOVE_ROBBER"):
            raise Stuck(step.outcome, None, "r")

    def _close(self, number: int, step: Step, asking: Asking) -> None:
        """Confirm a trade, or withdraw the offer: which is over by our rules if only the offerer takes it."""
        itself = asking.confirms_self and text(step.action) == text(asking.self_confirmation)
        if itself:
            self.deviations.append([number, "confirmed_with_self"])
        if itself or (asking.confirms_self and text(step.action) == text([asking.offerer, "CANCEL_TRADE", None])):
            if self._state.is_legal(WITHDRAW):
                self._apply(WITHDRAW, number, step)
            return
        self._apply(self._find(step), number, step)

    def _take_one_card(self, number: int, step: Step) -> None:
        """Let year of plenty take a single card though there are two."""
        self.deviations.append([number, "year_of_plenty_one_card"])
        generous = in_game(self._generous, self._state)
        generous.apply(PLAY_YEAR_OF_PLENTY + 25 + step.action[2][0])
        self._state = in_game(self._state.game, generous)

    def _find(self, step: Step) -> int:
        """Return our number of a recorded action.

        Raises:
            Stuck: it is not legal.
        """
        action = self._legal.get(text(step.action))
        if action is None:
            raise Stuck(step.action, sorted(self._legal))
        return action

    def _offer(self, step: Step) -> None:
        seat, _, counts = step.action
        if not (
            isinstance(counts, list)
            and len(counts) == 10
            and all(type(count) is int and 0 <= count <= OFFER_LIMIT for count in counts)
            and not any(given and wanted for given, wanted in zip(counts[:5], counts[5:], strict=True))
        ):
            raise Stuck(step.action, "five counts given and five wanted, no resource in both")
        action = offer_id(counts[:5], counts[5:])
        if type(seat) is not int or seat != self._state.player or not self._state.is_legal(action):
            raise Stuck(step.action, "no legal offer of the player on turn")
        self._state.apply(action)
        self._asking = Asking(seat, counts, self.recording.header.players)

    def _apply(self, action: int, number: int, step: Step) -> None:
        """Take an action and the chance event that it brings; go on in a game without end when somebody has won."""
        before = in_game(self._endless, self._state)
        self._state.apply(action)
        outcome = None
        if self._state.is_chance:
            outcome = self._outcome(step)
            self._state.apply(outcome)
        elif step.outcome is not ABSENT:
            raise Stuck(step.outcome, None, "r")
        if outcome is not None and DICE <= outcome < STEAL:
            self._note_shortage(number, step, in_game(self._unpaid, before), (action, outcome))
        if self._state.is_terminal:
            self._winner = int(self._state.record.winner)
            before.apply(action)
            if outcome is not None:
                before.apply(outcome)
            self._state = before

    def _outcome(self, step: Step) -> int:
        """Return our number of the recorded chance result."""
        result, kind = step.outcome, step.action[1]
        if kind == "ROLL":
            if not (isinstance(result, list) and len(result) == 2 and all(_within(die, 1, 6) for die in result)):
                raise Stuck(_shown(result), "two dice", "r")
            return DICE + int(sum(result))
        outcome = (DRAW_CARD if kind == "BUY_DEVELOPMENT_CARD" else STEAL) + (result if _within(result, 0, 4) else 0)
        if not _within(result, 0, 4) or not self._state.is_legal(outcome):
            possible = [number % 8 for number, _ in self._state.chance_outcomes]
            raise Stuck(_shown(result), possible, "r")
        return outcome

    # --- known deviations ------------------------------------------------------------------------------------------

    def _note_shortage(self, number: int, step: Step, unpaid: State, actions: tuple[int, int]) -> None:
        """Follow the recording where it pays a single claimant nothing because the bank is short."""
        for action in actions:
            unpaid.apply(action)
        if unpaid.array.tobytes() == self._state.array.tobytes():
            return
        if list(unpack(unpaid.record.bank)) == step.state["bank"] != list(unpack(self._state.record.bank)):
            self.deviations.append([number, "single_claimant_shortage"])
            self._state = in_game(self._state.game, unpaid)

    def _note_roads(self, number: int, step: Step) -> None:
        """Note lengths of roads, and a holder of the longest, that differ from ours, as they are until the next one."""
        header = self.recording.header
        if step.action[1] not in ("BUILD_ROAD", "BUILD_SETTLEMENT") or number <= 4 * header.players:
            return
        record = self._state.record
        ours = record.road_length[: header.players].tolist()
        theirs = [seat[LENGTH] for seat in step.state["p"]]
        if theirs != ours:
            self.deviations.append([number, "road_length", ours, theirs])
        self._their_lengths = theirs
        our_holder = None if record.road_holder == NOBODY else int(record.road_holder)
        holders = [seat for seat in range(header.players) if step.state["p"][seat][HOLDER] == 1]
        self._their_holder = holders[0] if holders else None
        if self._their_holder != our_holder:
            self.deviations.append([number, "road_holder", our_holder, self._their_holder])

    def _note_win(self, number: int, step: Step) -> None:
        theirs = step.state["win"]
        if theirs != self._their_winner or self._winner is not None:
            if theirs != self._winner and not any(deviation[1] == "win" for deviation in self.deviations):
                self.deviations.append([number, "win", self._winner, theirs])
            self._their_winner = theirs

    # --- comparing -------------------------------------------------------------------------------------------------

    def _compare(self, line: int, number: int, theirs: dict[str, Any]) -> None:
        """Compare a state and its legal actions with ours; the next action is the one after `number`."""
        ours = write_state(self._state)
        self._put_roads(ours)
        ours["win"] = self._their_winner
        self._legal = legal_texts(self._state)
        legal = set(self._legal)
        if self._asking is not None:
            legal = self._asking.adjust(self._state, ours, legal)
        else:
            legal |= single_cards(self._state)
            self._count_unlisted(legal)
        if (theirs["nlegal"], theirs["lh"]) != (len(legal), fingerprint(legal)):
            roads = added_roads(self._state, legal, theirs["nlegal"], theirs["lh"])
            if roads is not None:
                self.deviations.append([number + 1, "illegal_road_offered", roads])
                legal |= {text([self._state.player, "BUILD_ROAD", road]) for road in roads}
        self._listed = legal
        ours["nlegal"], ours["lh"] = len(legal), fingerprint(legal)
        for field, value in theirs.items():
            self._same(line, field, value, ours[field])

    def _count_unlisted(self, legal: set[str]) -> None:
        """Count a decision at which Catanatron lists other actions than the rule book."""
        self.unlisted["year_of_plenty_one_card_listed"] += len(legal) > len(self._legal)
        if self.recording.header.friendly_robber and self._state.record.phase == ROBBING:
            public = legal_texts(in_game(self._sparing, self._state))
            self.unlisted["friendly_robber_counts_hidden_points"] += set(public) != legal

    def _put_roads(self, ours: dict[str, Any]) -> None:
        """Write lengths and holder of the longest road, and the points for it, as Catanatron has them."""
        for seat, entries in enumerate(ours["p"]):
            entries[LENGTH] = self._their_lengths[seat]
            holds = int(seat == self._their_holder)
            moved = 2 * (holds - entries[HOLDER])
            entries[HOLDER] = holds
            entries[3] += moved
            entries[4] += moved

    def _same(self, line: int, field: str, theirs: Any, ours: Any) -> None:
        """Note a difference unless two JSON values are equal, types included."""
        if json.dumps(theirs, sort_keys=True) == json.dumps(ours, sort_keys=True):
            return
        if isinstance(theirs, dict) and isinstance(ours, dict):
            for key in sorted({*theirs, *ours}):
                self._same(line, f"{field}.{key}", theirs.get(key), ours.get(key))
        elif field == "p" and isinstance(theirs, list) and len(theirs) == len(ours):
            for seat, entries in enumerate(ours):
                for entry, value in enumerate(entries):
                    self._same(line, f"p.{seat}.{entry}", theirs[seat][entry], value)
        else:
            self._differ(line, field, theirs, ours)

    def _differ(self, line: int, field: str, theirs: Any, ours: Any) -> None:
        self.differences.append(Difference(line, field, theirs, ours))


def _within(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def _shown(result: Any) -> Any:
    return None if result is ABSENT else result
