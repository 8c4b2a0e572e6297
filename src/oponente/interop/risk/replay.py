"""One recorded game of the Risk program of Ferrari (UFSM 2022), replayed by our rules.

The first line has the start position, each further line a command with the dice and what it changed, the last one how
the game ended. Every value is compared with ours. The program stops after 150 half-turns and tells nobody; the replay
has no limit of turns, so that the last command is compared like all others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from oponente.games.catalogue import load_game
from oponente.games.risk.dice import FACES
from oponente.games.risk.moves import LOSSES, OVER, PLACING
from oponente.games.risk.world import classic
from oponente.interop.recordings import RecordingError
from oponente.interop.risk.commands import CommandError, attack_action, command_of, state_word, steps
from oponente.interop.risk.names import NUMBERS, TERRITORIES
from oponente.kernel import Game, State

SEATS = 2
TURN_LIMIT = 150
_SETUP = {"type", "p1", "p2", "first", "owner", "troops", "new", "p1_countries", "p2_countries"}
_STEP = {"t", "p", "s", "c", "a", "ns", "new", "tot"}
_END = {"type", "res", "winner", "calls", "turns", "troops", "c", "owner", "n"}
AGENTS = ("random", "angry", "cluster", "montecarlo")


@dataclass(frozen=True)
class Difference:
    """A value that is not ours: in which line (0: the file), of what, theirs and ours."""

    line: int
    field: str
    theirs: Any
    ours: Any


class Replay:
    """Replays a game.

    Args:
        lines: of the recording.

    Raises:
        RecordingError: they are no recording.
    """

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        if len(lines) < 2 or lines[0].get("type") != "setup" or lines[-1].get("type") != "end":
            raise RecordingError(len(lines), "a recording has a setup, commands and an end")
        self.differences: list[Difference] = []
        self.commands = 0
        self._lines = lines
        self._state = self._start(lines[0])

    def run(self) -> None:
        """Replay all commands; the first one that our rules forbid is the last."""
        for number, line in enumerate(self._lines[1:-1], 2):
            if not self._step(number, line):
                return
        self._end(len(self._lines), self._lines[-1])

    # --- start -----------------------------------------------------------------------------------------------------

    def _start(self, line: dict[str, Any]) -> State:
        self._keys(1, line, _SETUP)
        try:
            order = [*line["p1_countries"], *line["p2_countries"]]
            owners = [1] * len(line["p1_countries"]) + [2] * len(line["p2_countries"])
            names = classic().territories
            pairs = zip(order, owners, strict=True)
            start = {names[NUMBERS[name]].name: [owner, line["troops"][name]] for name, owner in pairs}
            game = _game_from(json.dumps(start))
        except (KeyError, TypeError, ValueError) as error:
            raise RecordingError(1, f"the start position can't be read: {error}") from error
        state = game.start()
        state.undoable = False
        self._same(1, "first", line["first"], int(state.record.mover) + 1)
        self._same(1, "new", line["new"], {str(seat + 1): int(state.record.pool[seat]) for seat in range(SEATS)})
        held = dict(zip(order, owners, strict=True))
        self._same(1, "owner", line["owner"], held)
        for key in ("owner", "troops"):
            if isinstance(line[key], dict):  # else the difference is noted already
                self._same(1, f"order of {key}", list(line[key]), order)
        for key in ("p1", "p2"):
            if line[key] not in AGENTS:
                self._differ(1, key, line[key], list(AGENTS))
        return state

    # --- commands --------------------------------------------------------------------------------------------------

    def _step(self, number: int, line: dict[str, Any]) -> bool:
        state, record = self._state, self._state.record
        command: Any = line.get("c")
        attack = isinstance(command, list) and command[:1] == ["attack"]
        self._keys(number, line, _STEP | ({"d", "k"} if attack else set()))
        if state.is_terminal:
            self._differ(number, "c", command, "the game is over")
            return False
        mover = int(record.mover)
        self._same(number, "t", line["t"], int(record.turn) - 1)
        self._same(number, "p", line["p"], mover + 1)
        self._same(number, "s", line["s"], state_word(state, mover))
        before, actions = state.copy(), []
        try:
            lost = self._lost(number, command, line["d"]) if attack else 0
            for action in steps(state, command):
                actions.append(action)
                state.apply(action)
        except (CommandError, RecordingError) as error:
            self._differ(number, "c", command, str(error))
            return False
        if attack:
            state.apply(LOSSES + lost)
            target = NUMBERS[command[3]]
            self._same(number, "k", line["k"], int(int(state.record.owner[target]) == mover))
        self._same(number, "c", command, command_of(before, actions))
        self._compare(number, line, [] if command == ["pass_turn"] else command[2:])
        self.commands += 1
        return True

    def _lost(self, number: int, command: list[Any], dice: Any) -> int:
        """Return what the defender loses by the recorded dice; RecordingError if they can't be thrown here."""
        state = self._state
        if len(command) != 4:
            raise RecordingError(number, f"attack {command!r}: expected dice, origin and target")
        attack_action(state, *command[1:])
        target = NUMBERS[command[3]]
        counts = command[1], min(2, int(state.record.armies[target]))
        if not isinstance(dice, list) or len(dice) != SEATS or not all(map(_is_throw, dice, counts)):
            raise RecordingError(number, f"dice {dice!r}: expected {counts[0]} and {counts[1]}, different, falling")
        return sum(a > d for a, d in zip(*dice, strict=False))

    def _compare(self, number: int, line: dict[str, Any], named: list[str]) -> None:
        state, record = self._state, self._state.record
        ours = {name: [int(record.owner[NUMBERS[name]]) + 1, int(record.armies[NUMBERS[name]])] for name in named}
        self._same(number, "a", line["a"], ours)
        self._same(number, "ns", line["ns"], [state_word(state, seat) for seat in range(SEATS)])
        self._same(number, "new", line["new"], [int(record.pool[seat]) for seat in range(SEATS)])
        self._same(number, "tot", line["tot"], self._armies())

    def _armies(self) -> list[int]:
        owner, armies = (self._state.record[name][: len(TERRITORIES)] for name in ("owner", "armies"))
        return [int(armies[owner == seat].sum()) for seat in range(SEATS)]

    # --- end -------------------------------------------------------------------------------------------------------

    def _end(self, number: int, line: dict[str, Any]) -> None:
        record = self._state.record
        self._keys(number, line, _END)
        over = int(record.phase) == OVER
        limit = int(record.phase) == PLACING and int(record.turn) == TURN_LIMIT + 1
        self._same(number, "res", line["res"], "win" if over else "turnlimit" if limit else "unfinished")
        self._same(number, "winner", line["winner"], int(record.winner) + 1 if over else 0)
        self._same(number, "calls", line["calls"], self.commands)
        self._same(number, "turns", line["turns"], int(record.turn) - (not over))
        self._same(number, "troops", line["troops"], self._armies())
        self._same(number, "c", line["c"], [int(record.held[seat]).bit_count() for seat in range(SEATS)])
        self._same(number, "owner", line["owner"], {n: int(record.owner[t]) + 1 for t, n in enumerate(TERRITORIES)})
        self._same(number, "n", line["n"], {n: int(record.armies[t]) for t, n in enumerate(TERRITORIES)})

    # --- comparing -------------------------------------------------------------------------------------------------

    def _keys(self, number: int, line: dict[str, Any], expected: set[str]) -> None:
        unlike = sorted(set(line) ^ expected)
        if unlike:
            raise RecordingError(number, f"keys {', '.join(map(repr, unlike))}: expected {', '.join(sorted(expected))}")

    def _same(self, number: int, field: str, theirs: Any, ours: Any) -> None:
        """Note a difference unless two JSON values are equal, types included; of objects, entry by entry."""
        if json.dumps(theirs, sort_keys=True) == json.dumps(ours, sort_keys=True):
            return
        if isinstance(theirs, dict) and isinstance(ours, dict):
            for key in sorted({*theirs, *ours}):
                self._same(number, f"{field}.{key}", theirs.get(key), ours.get(key))
        else:
            self._differ(number, field, theirs, ours)

    def _differ(self, number: int, field: str, theirs: Any, ours: Any) -> None:
        self.differences.append(Difference(number, field, theirs, ours))


@lru_cache(maxsize=4)
def _game_from(start: str) -> Game:
    """Return the game that begins with a start position; a replay changes nothing in it."""
    return load_game("risk", {"rules": "thesis-2022", "dice": "thesis", "turn_limit": "0", "start": start})


def _is_throw(throw: Any, count: int) -> bool:
    """Tell whether a list is one side's throw: so many dice, all different, from high to low."""
    return (
        isinstance(throw, list)
        and len(throw) == count
        and all(type(face) is int and face in FACES for face in throw)
        and throw == sorted(set(throw), reverse=True)
    )
