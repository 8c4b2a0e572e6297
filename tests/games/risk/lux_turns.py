"""What an agent of Lux does in a turn, for tests: on positions whose other territories are neutral, with dice that are
all lucky or all unlucky.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from oponente import Budget, View, make_agent
from oponente.games.risk.moves import (
    ATTACKING,
    CLAIMING,
    MOVING,
    MOVING_AMOUNT,
    MOVING_TO,
    OCCUPYING,
    PLACING,
    PLACING_AMOUNT,
    THROWING,
)
from oponente.games.risk.state import FREE, NEUTRAL
from tests.games.risk.positions import Position

CLUSTER_KIN = ("cluster", "shaft", "quo", "yakool", "boscoe", "vulture")
PIXIES = ("pixie", "betterpixie", "evilpixie", "killbot")


def ground(armies: int = 9, **options: Any) -> Position:
    """Return a position in which neutral armies stand everywhere, but on two territories of the other players."""
    position = Position(**options)
    position.hold(NEUTRAL, **dict.fromkeys(names(position), armies))
    return position.hold(1, Madagascar=armies).hold(2, Argentina=armies)


def names(position: Position, continent: str = "") -> list[str]:
    """Return the names of all territories, or of those of a continent, as `Position.hold` wants them."""
    world = position.game.options.world
    found = range(len(world.territories))
    if continent:
        found = next(c.territories for c in world.continents if c.name == continent)
    return [world.territories[number].name.replace(" ", "_") for number in found]


def every(position: Position, continent: str, armies: int) -> dict[str, int]:
    """Return that so many armies stand on each territory of a continent."""
    return dict.fromkeys(names(position, continent), armies)


class Turn:
    """An agent in the first seat, asked decision by decision."""

    def __init__(self, position: Position, name: str, lucky: bool = True, seed: int = 0) -> None:
        self.position = position
        self.state = position.state
        self.lucky, self.seed = lucky, seed
        self.agent = make_agent(f"lux-{name}", position.game)
        self.agent.begin_game(position.game, 0)

    def step(self) -> str:
        """Let chance or the agent act; return what the agent did."""
        if self.state.is_chance:
            outcomes = [outcome for outcome, _ in self.state.chance_outcomes]
            self.state.apply(max(outcomes) if self.lucky else min(outcomes))
            return ""
        action = self.agent.choose(View(self.state, 0, self.seed), Budget())
        text = self.state.action_text(action)
        self.state.apply(action)
        return text

    def during(self, *phases: int) -> list[str]:
        """Return what the agent does as long as one of some phases lasts."""
        done = []
        while not self.state.is_terminal and int(self.state.record.phase) in phases:
            done.append(self.step())
            if int(self.state.record.mover) != 0:
                break
        return [text for text in done if text]

    def armies(self) -> dict[str, int]:
        """Return the armies on the own territories."""
        record = self.state.record
        territories = self.position.game.options.world.territories
        return {t.name: int(record.armies[n]) for n, t in enumerate(territories) if int(record.owner[n]) == 0}


def placed(position: Position, name: str, count: int) -> dict[str, int]:
    """Return where an agent places new armies."""
    turn = Turn(position.place(count), name)
    before = turn.armies()
    turn.during(PLACING, PLACING_AMOUNT)
    return dict(Counter(turn.armies()) - Counter(before))


def attacks(position: Position, name: str, lucky: bool = True, placing: int = 0) -> list[str]:
    """Return the attacks of a turn, each once, the throws of one together."""
    if placing:
        position.place(placing)
    else:
        position.phase(ATTACKING)
    turn = Turn(position, name, lucky)
    turn.during(PLACING, PLACING_AMOUNT)
    texts = turn.during(ATTACKING, THROWING, OCCUPYING)
    fights = [text.removeprefix("attack ") for text in texts if text.startswith("attack")]
    return [text for number, text in enumerate(fights) if number == 0 or text != fights[number - 1]]


def moved_in(position: Position, name: str, placing: int = 0) -> tuple[int, int]:
    """Return what stands on both territories after the first conquest of a turn whose attacks are lucky."""
    if placing:
        position.place(placing)
    turn = Turn(position, name)
    turn.during(PLACING, PLACING_AMOUNT)
    turn.during(ATTACKING, THROWING)
    assert int(turn.state.record.phase) == OCCUPYING
    ends = int(turn.state.record.origin), int(turn.state.record.target)
    turn.during(OCCUPYING)
    origin, target = (int(turn.state.record.armies[end]) for end in ends)
    return origin, target


def moves(position: Position, name: str, seed: int = 0) -> list[str]:
    """Return the moves at the end of a turn: from, to, how many."""
    position.phase(MOVING).set(moves_left=42)
    texts = Turn(position, name, seed=seed).during(MOVING, MOVING_TO, MOVING_AMOUNT)
    texts = texts[:-1] if len(texts) % 3 else texts
    return [
        f"{texts[at].removeprefix('move ')} > {texts[at + 1].removeprefix('to ')} {texts[at + 2]}"
        for at in range(0, len(texts), 3)
    ]


def claims(position: Position, name: str) -> str:
    """Return the territory that an agent claims: those of the last player are free."""
    record = position.state.record
    for territory in range(len(position.game.options.world.territories)):
        if int(record.owner[territory]) == NEUTRAL:
            record.armies[territory], record.owner[territory] = 0, FREE
    record.held[FREE], record.held[NEUTRAL] = record.held[NEUTRAL], 0
    order = [t for t in range(42) if int(record.owner[t]) != FREE]
    record.order[: len(order)] = order
    position.set(turn=0).phase(CLAIMING)
    return Turn(position, name).step().removeprefix("claim ")
