"""Commands of the Risk program of Ferrari (UFSM 2022), as steps of ours and back.

A command is a list: ``["set_new_troops", n, territory]``, ``["attack", dice, from, to]``, ``["move_troops", n, from,
to]`` or ``["pass_turn"]``, with the names of :mod:`oponente.interop.risk.names`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    ATTACKING,
    DONE,
    FEWER_DICE,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_AMOUNT,
    OCCUPYING,
    OVER,
    PLACE,
    PLACING,
    PLACING_AMOUNT,
)
from oponente.interop.risk.names import NUMBERS, TERRITORIES
from oponente.kernel import State

Command = list[Any]

PHASES = {PLACING: "mobilizing", ATTACKING: "attacking", OCCUPYING: "conquering", MOVING: "fortifying"}
"""The program's states of the player on turn, by our phases."""
WAITING = "waiting"


class CommandError(Exception):
    """A command that is none, or that does not fit the state."""


def state_word(state: State, seat: int) -> str:
    """Return the program's state of a player. A game that is won ends while the winner is ``conquering``."""
    record = state.record
    if int(record.mover) != seat:
        return WAITING
    phase = int(record.phase)
    return PHASES[OCCUPYING if phase == OVER else phase]


def steps(state: State, command: Any) -> Iterator[int]:
    """Yield our actions for a command, one after the other; the caller applies each to `state` before the next.

    Raises:
        CommandError: it is no command, or the rules do not allow it here.
    """
    if not isinstance(command, list) or not command:
        raise CommandError(f"{command!r} is no command")
    name, arguments = command[0], command[1:]
    if name == "pass_turn" and not arguments:
        yield _legal(state, DONE, command)
    elif name == "set_new_troops" and len(arguments) == 2:
        yield _legal(state, PLACE + _territory(arguments[1]), command)
        yield from _amount(state, PLACING_AMOUNT, 1, arguments[0], command)
    elif name == "attack" and len(arguments) == 3:
        yield _legal(state, attack_action(state, *arguments), command)
    elif name == "move_troops" and len(arguments) == 3:
        yield from _move(state, command)
    else:
        raise CommandError(f"{command!r} is no command")


def attack_action(state: State, dice: Any, origin: Any, target: Any) -> int:
    """Return our action for an attack: with the most dice, or with fewer; CommandError if there is none."""
    start, end = _territory(origin), _territory(target)
    most = min(3, int(state.record.armies[start]) - 1)
    if type(dice) is not int or not 1 <= dice <= 3 or dice > most:
        raise CommandError(f"{dice!r} dice with {int(state.record.armies[start])} armies")
    return ATTACK + 64 * start + end + (FEWER_DICE * dice if dice < most else 0)


def _move(state: State, command: Command) -> Iterator[int]:
    record = state.record
    _, count, origin, target = command
    start, end = _territory(origin), _territory(target)
    if int(record.phase) == OCCUPYING:
        if (start, end) != (int(record.origin), int(record.target)):
            raise CommandError(f"{command!r}, but the conquest is another")
        yield _legal(state, AMOUNT + _count(count), command)
        return
    yield _legal(state, MOVE_FROM + start, command)
    yield _legal(state, MOVE_TO + end, command)
    yield from _amount(state, MOVING_AMOUNT, 0, count, command)


def _amount(state: State, phase: int, only: int, count: Any, command: Command) -> Iterator[int]:
    """Yield the amount if it is asked for; else it must be the only one that is possible."""
    asked = not state.is_terminal and int(state.record.phase) == phase
    if asked:
        yield _legal(state, AMOUNT + _count(count), command)
    elif _count(count) != only:
        raise CommandError(f"{command!r}, but only {only} is possible")


def _territory(name: Any) -> int:
    if not isinstance(name, str) or name not in NUMBERS:
        raise CommandError(f"{name!r} is no territory")
    return NUMBERS[name]


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise CommandError(f"{value!r} is no number of armies")
    return value


def _legal(state: State, action: int, command: Command) -> int:
    if state.is_terminal or not state.is_legal(action):
        raise CommandError(f"{command!r} is not legal here")
    return action


def command_of(before: State, actions: Sequence[int]) -> Command:
    """Return the command that our actions of one decision are.

    Args:
        before: the state before the first of them.
        actions: what :func:`steps` yields, chance left out.

    Raises:
        ValueError: they are no whole command.
    """
    first, rest = actions[0], [action - AMOUNT for action in actions[1:]]
    record = before.record
    if first == DONE and not rest:
        return ["pass_turn"]
    if PLACE <= first < PLACE + len(TERRITORIES) and len(rest) <= 1:
        return ["set_new_troops", rest[0] if rest else 1, TERRITORIES[first - PLACE]]
    if first >= ATTACK and not rest:
        dice, origin, target = (first - ATTACK) // FEWER_DICE, (first - ATTACK) // 64 % 64, (first - ATTACK) % 64
        most = min(3, int(record.armies[origin]) - 1)
        return ["attack", dice or most, TERRITORIES[origin], TERRITORIES[target]]
    if AMOUNT <= first < ATTACK and int(record.phase) == OCCUPYING and not rest:
        return ["move_troops", first - AMOUNT, TERRITORIES[record.origin], TERRITORIES[record.target]]
    if MOVE_FROM <= first < MOVE_TO and len(actions) in (2, 3):
        count = rest[1] if len(rest) == 2 else 0
        return ["move_troops", count, TERRITORIES[first - MOVE_FROM], TERRITORIES[actions[1] - MOVE_TO]]
    raise ValueError(f"the actions {list(actions)} are no command")
