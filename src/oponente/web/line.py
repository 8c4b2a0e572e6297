"""The course of a game with every position kept, and how it looks to who may see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oponente.arena.telling import happened
from oponente.kernel import CHANCE, TERMINAL, Game, State

LONGEST = 100_000
"""Actions of a game on the page at most: every position is kept."""


@dataclass(frozen=True)
class Told:
    """A line about what has happened."""

    seat: int
    """Who did it; `CHANCE` if nobody."""
    text: str


class Line:
    """The positions of a game from its start on.

    Args:
        start: the start position.
    """

    def __init__(self, start: State) -> None:
        self.game: Game = start.game
        self.actions: list[int] = []
        self.players = [start.player]
        """Whose turn it is in each position, `CHANCE` or `TERMINAL`: what needs no more of a position asks here."""
        self._records: list[bytes] = [self.game.state_bytes(start.array)]
        self._told: dict[tuple[int, int | None], Told] = {}

    def __len__(self) -> int:
        """Return how many actions and chance outcomes there were."""
        return len(self.actions)

    def append(self, state: State) -> None:
        """Note the position after one more action, the last of the state's history."""
        self.actions.append(state.history[-1])
        self.players.append(state.player)
        self._records.append(self.game.state_bytes(state.array))

    def cut(self, ply: int) -> None:
        """Forget what came after so many actions."""
        del self.actions[ply:], self.players[ply + 1 :], self._records[ply + 1 :]
        self._told = {key: told for key, told in self._told.items() if key[0] < ply}

    def state(self, ply: int) -> State:
        """Return the position after so many actions."""
        return State(self.game, self.game.state_array(self._records[ply]), self.actions[:ply])

    def last_turn(self, seat: int, ply: int) -> int | None:
        """Return the last ply, up to and with `ply`, in which a seat was to move and did; None: there is none."""
        latest = range(min(ply, len(self.actions) - 1), -1, -1)
        return next((number for number in latest if self.players[number] == seat), None)

    def told(self, ply: int, seat: int | None) -> Told:
        """Return what happened in a position, as a seat saw it; None: as somebody who sees all."""
        found = self._told.get((ply, seat))
        if found is None:
            before = self.state(ply)
            text = happened(before, self.actions[ply], self.state(ply + 1), () if seat is None else (seat,))
            player = before.player
            found = self._told[ply, seat] = Told(
                player if player >= 0 else CHANCE, "acts unseen" if text is None else text
            )
        return found


def picture(state: State, seat: int | None) -> str:
    """Return the picture of what a seat can know (:func:`oponente.agents.view.known`), for the same seat."""
    return state.svg(seat)


def asked(state: State) -> str:
    """Return what is to be done, in words that all may see; empty if the game has none."""
    write = getattr(state.game.text, "decision_text", None)
    return str(write(state)) if write and state.player >= 0 else ""


def lines(state: State, seat: int | None) -> list[tuple[int | None, str]]:
    """Return what stands below the board, with whom it is about, of a game whose ``draw`` has ``lines_of``."""
    write = getattr(state.game.draw, "lines_of", None)
    return list(write(state, seat)) if write else []


def choices(state: State, actions: Sequence[int]) -> list[dict[str, Any]]:
    """Return legal actions as the page needs them: number, text, where they lie in the picture, where the
    piece comes to lie if that is elsewhere, and a note."""
    where = getattr(state.game.draw, "places_of", None)
    piece = getattr(state.game.draw, "piece_place_of", None)
    note = getattr(state.game.text, "note_text", None)
    return [
        {
            "action": action,
            "text": state.action_text(action),
            "places": where(state, action) if where else [],
            "piece": piece(state, action) if piece else None,
            "note": note(state, action) if note else "",
        }
        for action in actions
    ]


def player_of(state: State) -> int | None:
    """Return who is to move; None where nobody is."""
    return state.player if state.player not in (CHANCE, TERMINAL) else None
