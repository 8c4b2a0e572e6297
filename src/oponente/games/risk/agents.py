"""Agents for Risk: those of the thesis of Ferrari (UFSM 2022), and those of the game Lux."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.ensemble import SCRIPT, Ensemble
from oponente.agents.search_agents import MAX_ITERATIONS
from oponente.agents.view import View
from oponente.games.risk.lux import script as lux
from oponente.games.risk.lux.profiles import PROFILE, PROFILES
from oponente.games.risk.moves import MOST_ARMIES
from oponente.games.risk.rollouts import PLAIN, PlanSearch
from oponente.games.risk.searches import SEARCHES, Follower
from oponente.games.risk.state import SEATS
from oponente.games.risk.thesis.common import PATH
from oponente.games.risk.thesis.script import ANGRY, CLUSTER, MONTE_CARLO, RANDOM, Script, new_memory, new_script
from oponente.games.risk.thesis.tree import COARSE, EXACT, Tree, check_place
from oponente.kernel import Game, Stream, option
from oponente.search.analysis import Analysis, MoveAnalysis

_NO_TREE = Tree()


class ThesisEnsemble(Ensemble):
    """Plays games between agents of the thesis."""

    def __init__(self, agents: Sequence[Agent], game: Game) -> None:
        self._agents = [cast(_ThesisAgent, agent) for agent in agents]
        learns = any(agent.kind == MONTE_CARLO for agent in self._agents)
        self.together = not learns
        self._memory = new_memory() if learns else new_memory(PATH)
        self._scripts: dict[tuple[int, ...], tuple[list[Any], Script]] = {}

    def memory(self) -> npt.NDArray[np.int32]:
        """Return what is remembered for all seats."""
        return self._memory

    def prepare(self, game: Game) -> None:
        """Let the agents read their trees, and compile."""
        for agent in self._agents:
            agent.load(game)
        super().prepare(game)

    def policy(self, seating: Sequence[int]) -> Script:
        """Return the script for a seating; the agents' memory is that of the script from now on."""
        seated = [self._agents[number] for number in seating]
        trees = [agent.tree.arrays for agent in seated]
        for seat, agent in enumerate(seated):
            agent.memory = self._memory
            agent.seat = seat
            agent.forget()
        known = self._scripts.get(tuple(seating))
        if known is None or any(old is not new for old, new in zip(known[0], trees, strict=True)):
            kinds = np.zeros(SEATS, np.int8)
            kinds[: len(seated)] = [agent.kind for agent in seated]
            known = self._scripts[tuple(seating)] = trees, new_script(kinds, self._memory, (trees[0], trees[1]))
        return known[1]


class _ThesisAgent(Agent):
    """What the agents of the thesis have in common."""

    native = True
    kind: ClassVar[int]
    ensemble = ThesisEnsemble

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.memory = new_memory()
        self.seat = 0
        self.tree = _NO_TREE
        self._script: Script | None = None
        self._stream: Stream | None = None

    def check(self, game: Game) -> None:
        """Refuse rules that the thesis's program does not have."""
        rule = game.options.rule
        wanted = {"fortify": "connected", "cards": False, "victory": "domination"}
        if not rule("explicit") or any(rule(name) != value for name, value in wanted.items()):
            raise ValueError(f"{self.name} plays risk by the rules of its thesis: give --option rules=thesis-2022")
        if rule("army_limit") < MOST_ARMIES:
            raise ValueError(f"{self.name} knows no limit of armies: leave out --option army_limit")
        if rule("setup") not in ("stacked", "bare") and game.options.start == "drawn":
            raise ValueError(f"{self.name} plays no set-up: leave out --option setup={rule('setup')}")

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before."""
        self.seat = seat
        self._stream = None
        self.forget()

    def forget(self) -> None:
        """Forget what was remembered of the game before."""
        self.memory[self.seat] = 0

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the thesis's agent does. Its stream goes on through the whole game."""
        if self._stream is None:
            self._stream = view.stream(SCRIPT)
        return view.policy_action(self._own_script(view.seat), self._stream)

    def prepare(self, game: Game) -> None:
        """Read what is kept, and compile the policy."""
        self.load(game)
        self.choose(View(game.start(), 0), Budget())
        self.begin_game(game, 0)

    def load(self, game: Game) -> None:
        """Read what is kept across games: here nothing."""

    def _own_script(self, seat: int) -> Script:
        arrays = self.tree.arrays
        if self._script is None or self._script.first is not arrays or self._script.memory is not self.memory:
            kinds = np.full(SEATS, self.kind, np.int8)
            self._script = new_script(kinds, self.memory, (arrays, arrays))
        self.seat = seat
        return self._script


class ThesisRandomAgent(_ThesisAgent):
    """The thesis's Random: places, attacks, occupies and moves at random, and attacks until it can't."""

    name = "thesis-random"
    kind = RANDOM


class ThesisAngryAgent(_ThesisAgent):
    """The thesis's Angry: places where the danger is greatest, attacks whatever is weaker, to the death."""

    name = "thesis-angry"
    kind = ANGRY


class ThesisClusterAgent(_ThesisAgent):
    """The thesis's Cluster: strengthens and extends the territories that hang together with its best one."""

    name = "thesis-cluster"
    kind = CLUSTER


@dataclass(frozen=True)
class MonteCarloParameters:
    """The tree, and the thesis's proposals for it."""

    tree: str | None = option(None, meaning="JSON file that keeps the tree across games; none: each begins without one")
    random: float = option(0.05, low=0.0, high=1.0, meaning="how often an action is random though others were tried")
    states: str = option(
        EXACT, choices=(EXACT, COARSE), meaning="positions are told apart by all armies, or by seven classes"
    )
    branching: int = option(
        1, low=1, high=1000, log=True, meaning="actions tried at a position before they are compared"
    )


class ThesisMonteCarloAgent(_ThesisAgent):
    """The thesis's Monte Carlo: Cluster, with attacks chosen by a tree that it learns over all its games.

    What it learns is added to its file when the match ends. Matches with such a file are not reproducible; several
    workers learn each on their own, and the file gets what all have learnt.
    """

    name = "thesis-montecarlo"
    kind = MONTE_CARLO
    Parameters = MonteCarloParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        p = self.parameters
        self.native = p.tree is None  # else each worker is a process, and adds what it has learnt to the file
        self.tree = Tree(coarse=p.states == COARSE, branching=p.branching, randomness=p.random)
        self._world: Any = None

    @property
    def reproducible(self) -> bool:
        """Whether each game begins without a tree."""
        return self.parameters.tree is None

    def check(self, game: Game) -> None:
        """Refuse a file that holds no tree, or that can't be written."""
        super().check(game)
        if self.parameters.tree is not None:
            Tree(coarse=self.parameters.states == COARSE).load(self.parameters.tree, game.options.world)
            check_place(self.parameters.tree)

    def load(self, game: Game) -> None:
        """Read the tree."""
        self.tree.clear()
        if self.parameters.tree is not None:
            self._world = game.options.world
            self.tree.load(self.parameters.tree, self._world)

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before, but not the tree that is kept."""
        if self.parameters.tree is None:
            self.tree.clear()
        self.tree.make_room()
        super().begin_game(game, seat)

    def end_game(self, returns: Sequence[float], reason: str) -> None:
        """Learn from a game that was won or lost: at the limit of turns the thesis's program is told nothing."""
        result = returns[self.seat]
        if not reason and result != 0.0:
            self.tree.learn(self.memory[self.seat], 1 if result > 0.0 else -1)

    def close(self) -> None:
        """Add what was learnt to the file."""
        if self._world is not None:
            self.tree.save(self.parameters.tree, self._world)


# --- Lux -----------------------------------------------------------------------------------------------------------


class LuxEnsemble(Ensemble):
    """Plays games between agents of Lux."""

    def __init__(self, agents: Sequence[Agent], game: Game) -> None:
        self._agents = [cast(_LuxAgent, agent) for agent in agents]
        self._memory = lux.new_memory()
        self._scripts: dict[tuple[int, ...], lux.Script] = {}

    def memory(self) -> npt.NDArray[np.int64]:
        """Return what is remembered for all seats."""
        return self._memory

    def policy(self, seating: Sequence[int]) -> lux.Script:
        """Return the script for a seating, which remembers nothing."""
        self._memory[:] = 0
        script = self._scripts.get(tuple(seating))
        if script is None:
            profiles = np.zeros(SEATS, PROFILE)
            profiles[: len(seating)] = [PROFILES[self._agents[number].profile] for number in seating]
            script = self._scripts[tuple(seating)] = lux.new_script(profiles, self._memory)
        return script


class _LuxAgent(Agent):
    """What the agents of Lux have in common."""

    native = True
    profile: ClassVar[str]
    ensemble = LuxEnsemble

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._script = lux.new_script(np.full(SEATS, PROFILES[self.profile]), lux.new_memory())
        self._stream: Stream | None = None

    def begin_game(self, game: Game, seat: int) -> None:
        """Forget the game before."""
        self._script.memory[:] = 0
        self._stream = None

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the agent of Lux does. Its stream goes on through the whole game."""
        if self._stream is None:
            self._stream = view.stream(SCRIPT)
        return view.policy_action(self._script, self._stream)

    def prepare(self, game: Game) -> None:
        """Compile the policy."""
        self.choose(View(game.start(), 0), Budget())
        self.begin_game(game, 0)


class LuxAngryAgent(_LuxAgent):
    """Lux's Angry: attacks whatever is weaker, everywhere, to the end."""

    name = "lux-angry"
    profile = "angry"


class LuxStinkyAgent(_LuxAgent):
    """Lux's Stinky: nearly random; attacks what is much weaker."""

    name = "lux-stinky"
    profile = "stinky"


class LuxCommunistAgent(_LuxAgent):
    """Lux's Communist: keeps all its territories equal, attacks once a turn."""

    name = "lux-communist"
    profile = "communist"


class LuxClusterAgent(_LuxAgent):
    """Lux's Cluster: extends what hangs together with its best continent."""

    name = "lux-cluster"
    profile = "cluster"


class LuxShaftAgent(_LuxAgent):
    """Lux's Shaft: as Cluster, but one expansion a turn, and advances that shorten its front."""

    name = "lux-shaft"
    profile = "shaft"


class LuxQuoAgent(_LuxAgent):
    """Lux's Quo: as Shaft, trades cards at once and attacks for them."""

    name = "lux-quo"
    profile = "quo"


class LuxYakoolAgent(_LuxAgent):
    """Lux's Yakool: as Cluster, turns against whoever dominates, attacks for cards."""

    name = "lux-yakool"
    profile = "yakool"


class LuxBoscoeAgent(_LuxAgent):
    """Lux's Boscoe: as Yakool, trades cards at once and never divides a stack."""

    name = "lux-boscoe"
    profile = "boscoe"


class LuxPixieAgent(_LuxAgent):
    """Lux's Pixie: spreads its armies over all continents that it may take."""

    name = "lux-pixie"
    profile = "pixie"


class LuxBetterPixieAgent(_LuxAgent):
    """Lux's BetterPixie: as Pixie, but sure of what it takes, and breaks others' continents."""

    name = "lux-betterpixie"
    profile = "betterpixie"


class LuxEvilPixieAgent(_LuxAgent):
    """Lux's EvilPixie: as BetterPixie, against whoever dominates and whoever is very weak."""

    name = "lux-evilpixie"
    profile = "evilpixie"


class LuxVultureAgent(_LuxAgent):
    """Lux's Vulture: as Cluster, and eliminates players whose territories it can run through."""

    name = "lux-vulture"
    profile = "vulture"


class LuxKillbotAgent(_LuxAgent):
    """Lux's Killbot: as BetterPixie, and eliminates players as Vulture does."""

    name = "lux-killbot"
    profile = "killbot"


# --- search --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StrongParameters:
    """Budget of the search over plans, and what its rollouts are like."""

    iterations: int | None = option(
        None, low=1, high=MAX_ITERATIONS, log=True, meaning="rollouts per decision; 400 if no time is given"
    )
    time: float | None = option(None, low=0.001, high=1e6, log=True, meaning="seconds for a decision")
    own: str = option(
        PLAIN, choices=(*PROFILES, PLAIN), meaning="who plays the own seat in rollouts; plain: much as Angry"
    )
    others: str = option(PLAIN, choices=(*PROFILES, PLAIN), meaning="who plays the other seats in rollouts")
    setup: str = option("killbot", choices=tuple(PROFILES), meaning="who claims and places in the set-up")
    horizon: int | None = option(
        None, low=0, high=50, meaning="rounds after which a rollout ends and is evaluated (4 for two players, else 2)"
    )
    c: float | None = option(None, low=0.0, meaning="constant of the selection formula UCB1 (0.2 for two, else 0.1)")
    early: bool = option(
        True,
        meaning="decide once no other plan can get as many rollouts in the rest of the budget (Baier, Winands 2016)",
    )


class StrongAgent(Follower, SearchAgent):
    """The strongest agent for Risk here: searches over plans (composite actions) in a tree, by rollouts.

    A plan once chosen is carried out, throw after throw, before it thinks again.
    """

    name = "strong"
    native = True
    Parameters = StrongParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._search: PlanSearch | None = None

    def prepare(self, game: Game) -> None:
        """Compile the search, and what plays the set-up if there is one."""
        state = game.start()
        one = StrongAgent(dataclasses.replace(self.parameters, iterations=1, time=None))
        one.choose(View(state, 0), Budget())
        one.search_plans(View(state, 0), Budget())

    def analyse(self, view: View, budget: Budget) -> Analysis:
        """Search for a plan; in the set-up, do as an agent of Lux does."""
        in_setup = int(view.determinize(view.stream("root")).record.turn) == 0
        return self.set_up(view) if in_setup else self.search_plans(view, budget)

    def search_plans(self, view: View, budget: Budget) -> Analysis:
        """Search for a plan."""
        p = self.parameters
        budget = budget.limited(iterations=p.iterations, seconds=p.time)
        iterations = budget.iterations or (400 if budget.seconds is None else MAX_ITERATIONS)
        if self._search is None or self._search.game is not view.game:
            horizon, c = (4, 0.2) if view.game.num_players == 2 else (2, 0.1)
            horizon, c = (horizon if p.horizon is None else p.horizon), (c if p.c is None else p.c)
            evaluator = view.game.evaluators["strength"]
            self._search = PlanSearch(view.game, p.own, p.others, evaluator, horizon, c, early=p.early)
        state = view.determinize(view.stream("root"))
        self._plan, analysis = self._search.search(state, view.stream("rollouts"), iterations, budget.control)
        return analysis

    def set_up(self, view: View) -> Analysis:
        """Claim, place or choose a capital as an agent of Lux does: so early rollouts tell too little."""
        begin = time.perf_counter()
        profiles = np.full(SEATS, PROFILES[self.parameters.setup])
        action = view.policy_action(lux.new_script(profiles, lux.new_memory()), view.stream("setup"))
        return Analysis(
            action=action,
            moves=(MoveAnalysis(action, None, 0),),
            principal_variation=(action,),
            nodes=0,
            depth=0,
            seconds=time.perf_counter() - begin,
        )


AGENTS = (
    ThesisRandomAgent,
    ThesisAngryAgent,
    ThesisClusterAgent,
    ThesisMonteCarloAgent,
    LuxAngryAgent,
    LuxStinkyAgent,
    LuxCommunistAgent,
    LuxClusterAgent,
    LuxShaftAgent,
    LuxQuoAgent,
    LuxYakoolAgent,
    LuxBoscoeAgent,
    LuxPixieAgent,
    LuxBetterPixieAgent,
    LuxEvilPixieAgent,
    LuxVultureAgent,
    LuxKillbotAgent,
    StrongAgent,
    *SEARCHES,
)
