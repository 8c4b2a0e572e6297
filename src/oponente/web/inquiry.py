"""Asking an agent about a game, in a thread of its own; what it finds is told while it thinks on."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from oponente.agents.base import Agent, AgentError, Budget, SearchAgent
from oponente.agents.search_agents import MonteCarloAgent
from oponente.agents.view import View
from oponente.arena.play import close
from oponente.kernel import Game, State, derive_seed
from oponente.search.analysis import Analysis
from oponente.web.line import Line, choices

FIRST_SECONDS = 0.25
"""How long the first answer takes; each later one takes twice as long."""
SWINGS_SECONDS = 20.0
"""How long the search for key moments takes, all positions together."""
LONGEST_SWING = 0.25
"""Seconds for one of them at most."""
MOST_EVALUATED = 400
"""Positions that are evaluated for key moments; of longer games evenly spread."""
SHOWN_MOVES = 8
MOST_AT_ONCE = 32
"""Inquiries that go on at a time, of all browsers together."""
_places = threading.BoundedSemaphore(MOST_AT_ONCE)


class Inquiry(ABC):
    """A question to an agent.

    Args:
        agent: who is asked; it is closed at the end.
    """

    def __init__(self, agent: Agent) -> None:
        if not isinstance(agent, SearchAgent):
            raise ValueError(f"{agent.spec} can't explain itself; ask a search, such as uct:time=5")
        self.agent: SearchAgent = agent
        self._stopped = False
        self._budget: Budget | None = None

    def begin(self, tell: Callable[[dict[str, Any]], None]) -> None:
        """Start to think; `tell` is called in the event loop with what is found.

        Raises:
            ValueError: too many go on already.
        """
        if not _places.acquire(blocking=False):
            close(self.agent)
            raise ValueError("too many analyses go on at once: try again in a moment")
        loop = asyncio.get_running_loop()

        def post(message: dict[str, Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell, message)

        threading.Thread(target=self._run, args=(post,), name=f"inquiry {self.agent.spec}", daemon=True).start()

    def stop(self) -> None:
        """End as soon as possible; what was found stays."""
        self._stopped = True
        if self._budget is not None:
            self._budget.control.stop()

    def _run(self, post: Callable[[dict[str, Any]], None]) -> None:
        """Think, and tell what is found; the last message, whatever happens, says that it is the last."""
        ended = {"type": self.kind, "done": True, **self.place()}
        try:
            post({"type": self.kind, "preparing": True, **self.place()})
            if self._stopped:
                post(ended)
                return
            self.agent.prepare(self.game)
            self.think(post)
        except AgentError as error:
            post({**ended, "failed": f"{self.agent.spec} {error}"})
        except Exception as error:  # whatever an agent raises must be told, not lost with its thread
            text = " ".join(f"{self.agent.spec}: {type(error).__name__}: {error}".split())[:300]
            # A stopped agent may fail for want of an answer; that is no failure of its own.
            post(ended if self._stopped else {**ended, "failed": text})
        finally:
            close(self.agent)
            _places.release()

    def ask(self, state: State, seconds: float) -> Analysis | None:
        """Return what the agent thinks of a position in which somebody is to move; None if it was stopped."""
        budget = self._budget = Budget(seconds=seconds)
        if self._stopped:
            return None
        budget.control.start(seconds)
        view = View(state, state.player, derive_seed(len(state.history), "page"))
        analysis = self.agent.analyse(view, budget)
        return None if budget.control.stopped else analysis

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is asked about."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """The type of the messages."""

    def place(self) -> dict[str, Any]:
        """Return what says where in the game the messages belong."""
        return {}

    @abstractmethod
    def think(self, post: Callable[[dict[str, Any]], None]) -> None:
        """Find it out, in a thread."""


class Analysing(Inquiry):
    """What an agent thinks of a position, growing until the time is over.

    Args:
        agent: who is asked.
        state: the position, in which a player is to move.
        ply: how many actions there were before.
        seconds: how long to think.
    """

    kind = "analysis"

    def __init__(self, agent: Agent, state: State, ply: int, seconds: float) -> None:
        super().__init__(agent)
        self.state, self.ply, self.seconds = state, ply, seconds

    @property
    def game(self) -> Game:
        """The game that is asked about."""
        return self.state.game

    def place(self) -> dict[str, Any]:
        """Return the ply."""
        return {"ply": self.ply, "agent": self.agent.spec}

    def think(self, post: Callable[[dict[str, Any]], None]) -> None:
        """Think longer and longer, until the time is over or longer thinking brings nothing."""
        limit = getattr(self.agent.parameters, "time", None)
        allowed = self.seconds if limit is None else min(self.seconds, limit)
        seconds = min(FIRST_SECONDS, allowed)
        message: dict[str, Any] = {"type": self.kind, **self.place()}
        while True:
            begun = time.monotonic()
            analysis = self.ask(self.state, seconds)
            if analysis is None:
                break
            last = seconds >= allowed or time.monotonic() - begun < seconds / 2
            message = {**told(self.agent, self.state, analysis), **self.place(), "type": self.kind, "done": last}
            post(message)
            if last:
                return
            seconds = min(allowed, 2 * seconds)
        post({**message, "done": True})


def told(agent: SearchAgent, state: State, analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values for the page."""
    order = sorted(analysis.moves, key=lambda move: (move.action != analysis.action, -move.visits, -(move.value or 0)))
    moves = order[:SHOWN_MOVES]
    visits = sum(move.visits for move in analysis.moves)
    shown = choices(state, [move.action for move in moves])
    return {
        "seat": state.player,
        "best": choices(state, [analysis.action])[0],
        "values": list(analysis.values),
        "chances": chances(agent, analysis.values, state.game.utility),
        "moves": [
            {**choice, "value": move.value, "visits": move.visits, "share": move.visits / visits if visits else None}
            for choice, move in zip(shown, moves, strict=True)
        ],
        "line": View(state, state.player).variation_texts(analysis.principal_variation),
        "nodes": analysis.nodes,
        "depth": analysis.depth,
        "seconds": analysis.seconds,
    }


def chances(agent: SearchAgent, values: Sequence[float], utility: tuple[float, float]) -> list[float] | None:
    """Return how likely each player wins, as shares of 1; None where the values are in another unit."""
    reward = getattr(agent.parameters, "reward", "")
    if not isinstance(agent, MonteCarloAgent) or reward not in ("unit", "win", "utility") or not values:
        return None
    least, greatest = utility if reward == "utility" else (0.0, 1.0)
    return [min(1.0, max(0.0, (value - least) / (greatest - least))) for value in values]


class Swings(Inquiry):
    """How the chances changed in the course of a game: where most is where it was decided.

    Args:
        agent: who is asked.
        line: the game.
    """

    kind = "moments"

    def __init__(self, agent: Agent, line: Line) -> None:
        super().__init__(agent)
        self.line = line

    @property
    def game(self) -> Game:
        """The game that is asked about."""
        return self.line.game

    def think(self, post: Callable[[dict[str, Any]], None]) -> None:
        """Evaluate the positions in which somebody is to move, from the first on.

        Raises:
            AgentError: at none of them does the agent tell what the players can expect.
        """
        decisions = [ply for ply, player in enumerate(self.line.players[:-1]) if player >= 0]
        step = max(1, len(decisions) / MOST_EVALUATED)
        plies = [decisions[int(i * step)] for i in range(int(len(decisions) / step))]
        seconds = SWINGS_SECONDS / max(1, len(plies))
        found: list[tuple[int, list[float]]] = []
        asked, as_chances = 0, False
        for number, ply in enumerate(plies):
            analysis = self.ask(self.line.state(ply), min(LONGEST_SWING, seconds))
            if analysis is None:
                break
            asked += 1
            values = chances(self.agent, analysis.values, self.game.utility)
            if analysis.values:
                as_chances = values is not None
                found.append((ply, values or list(analysis.values)))
            if number % 10 == 9:
                post(self._message(found, as_chances, done=False))
        if asked and not found:
            raise AgentError("does not tell what players can expect; ask a tree search, such as uct:time=5")
        post(self._message(found, as_chances, done=True))

    def _message(self, found: list[tuple[int, list[float]]], as_chances: bool, *, done: bool) -> dict[str, Any]:
        moments = key_moments(found)
        return {"type": self.kind, "curve": found, "moments": moments, "chances": as_chances, "done": done}


def key_moments(curve: Sequence[tuple[int, Sequence[float]]], count: int = 6, window: int = 3) -> list[dict[str, Any]]:
    """Return where the evaluation changed most for good, the largest swing first.

    A swing is the difference of the means over some decisions before and after it: single evaluations are noisy, and
    favour whoever is to move. Of swings that are closer together than a window only the largest counts.

    Args:
        curve: plies with the value of each player there, in order.
        count: how many moments at most.
        window: decisions on either side.
    """
    values = np.array([values for _, values in curve], dtype=np.float64)
    swings = []
    for at in range(1, len(values)):
        after = values[at : at + window].mean(axis=0)
        change = after - values[max(0, at - window) : at].mean(axis=0)
        swings.append((float(np.abs(change).max()), at, int(change.argmax())))
    chosen: list[tuple[float, int, int]] = []
    for swing in sorted(swings, key=lambda one: (-one[0], one[1])):
        if len(chosen) < count and swing[0] > 0.0 and all(abs(swing[1] - other[1]) >= window for other in chosen):
            chosen.append(swing)
    return [
        {"ply": curve[at][0], "before": curve[at - 1][0], "swing": swing, "seat": seat} for swing, at, seat in chosen
    ]
