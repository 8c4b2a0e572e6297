"""Agents with the habits that the arena must cope with."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.basic import RandomAgent, Resigned
from oponente.agents.view import View
from oponente.kernel import Game, option
from oponente.search.analysis import Analysis


@dataclass(frozen=True)
class PlyParameters:
    ply: int = option(0, low=0, meaning="from which ply on it happens")


@dataclass(frozen=True)
class SlowParameters:
    ms: float = option(1.0, low=0.0, meaning="how long it sleeps")


@dataclass(frozen=True)
class FileParameters:
    file: str = option("", meaning="where it leaves a trace")


class First(Agent):
    """Takes the first legal action, and counts a node for each that there is."""

    name = "first"

    def choose(self, view: View, budget: Budget) -> int:
        return view.legal_actions[0]


class Counting(SearchAgent):
    name = "counting"
    native = True

    def analyse(self, view: View, budget: Budget) -> Analysis:
        return Analysis(action=view.legal_actions[-1], nodes=len(view.legal_actions))


class Slow(Agent):
    """Python that takes its time."""

    name = "slow"
    Parameters = SlowParameters

    def choose(self, view: View, budget: Budget) -> int:
        time.sleep(self.parameters.ms / 1e3)
        return view.legal_actions[view.seed % len(view.legal_actions)]


class Unsure(RandomAgent):
    """Not reproducible, for all that the arena knows."""

    name = "unsure"

    @property
    def reproducible(self) -> bool:
        return False


class Raises(RandomAgent):
    name = "raises"
    Parameters = PlyParameters

    def choose(self, view: View, budget: Budget) -> int:
        if view.ply >= self.parameters.ply:
            raise RuntimeError("no\nidea")
        return super().choose(view, budget)


class Illegal(Agent):
    name = "illegal"

    def choose(self, view: View, budget: Budget) -> int:
        return 12345


class Nothing(Agent):
    name = "nothing"

    def choose(self, view: View, budget: Budget) -> int:
        return None  # type: ignore[return-value]


class Leaves(RandomAgent):
    name = "leaves"
    Parameters = PlyParameters

    def choose(self, view: View, budget: Budget) -> int:
        if view.seed % 5 == 0:
            raise Resigned("the guest has left")
        return super().choose(view, budget)


class Endless(Agent):
    """Thinks until it is stopped."""

    name = "endless"
    native = True

    def choose(self, view: View, budget: Budget) -> int:
        while not budget.control.stopped:
            time.sleep(0.001)
        raise RuntimeError("stopped without an answer")


class Deadly(RandomAgent):
    """Kills its process, once if it can leave a trace, else always."""

    name = "deadly"
    Parameters = FileParameters
    native = False

    def choose(self, view: View, budget: Budget) -> int:
        trace = Path(self.parameters.file) if self.parameters.file else None
        if trace is None or not trace.exists():
            if trace is not None:
                trace.write_text("was here")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(view, budget)


class Spy(RandomAgent):
    """Writes down what it has seen."""

    name = "spy"
    Parameters = FileParameters

    def choose(self, view: View, budget: Budget) -> int:
        with open(self.parameters.file, "a") as file:
            print(view.seat, *view.history, file=file)
        return super().choose(view, budget)


class Remembers(Agent):
    """Takes the legal action that the number of its decisions in this game points to."""

    name = "remembers"
    decisions = 0

    def begin_game(self, game: Game, seat: int) -> None:
        self.decisions = seat

    def choose(self, view: View, budget: Budget) -> int:
        self.decisions += 1
        return view.legal_actions[self.decisions % len(view.legal_actions)]


class BadEnd(RandomAgent):
    """Fails when it gives back what it holds."""

    name = "bad-end"

    def close(self):
        raise OSError("disk full")


class BadStart(Agent):
    """Fails as soon as a game begins."""

    name = "bad-start"

    def begin_game(self, game: Game, seat: int) -> None:
        raise RuntimeError("not today")

    def choose(self, view: View, budget: Budget) -> int:
        return view.legal_actions[0]
