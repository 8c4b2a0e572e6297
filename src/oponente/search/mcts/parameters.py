"""Parameters of Monte Carlo tree search: every technique with its range and its source, and the record for kernels.

All of them are switched at run time, so that one compiled kernel serves every combination.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.kernel import option, record
from oponente.kernel.rules import PADDING
from oponente.search.network_files import evaluation_text

FORMULAS: dict[str, float] = {
    "plain": 1.0,
    "root2": math.sqrt(2.0),
    "uct": 2.0 * math.sqrt(2.0),
    "tuned": 1.0,
    "puct": 1.0,
    "greedy": 0.0,
}
"""Selection formulas by name: what K is for c = 1, N the visits of the parent, n those of the child.

``plain``: ``c sqrt(ln N / n)``; ``root2``: ``c sqrt(2 ln N / n)``, with c = 1 UCB1 (Auer et al. 2002); ``uct``:
``2 c sqrt(2 ln N / n)``, Kocsis and Szepesvari's C_p as Browne et al. write it; ``tuned``: UCB1-Tuned,
``c sqrt(ln N / n min(1/4, V))`` with V the variance of the rewards and ``sqrt(2 ln N / n)`` (Auer et al. 2002, section
4); ``puct``: ``c P sqrt(N) / (1 + n)`` with the prior P (D. Silver et al., "Mastering the game of Go without human
knowledge", 2017); ``greedy``: no exploration, the child with the greatest mean.
"""

REWARDS: dict[str, int] = {"unit": 0, "utility": 1, "win": 2, "value": 3}
"""What a finished game is worth: utility scaled to [0, 1]; utility as it is; 1 for a sole win and 0 otherwise; what an
evaluator says (the *judge*)."""
UNIT, UTILITY, WIN, VALUE = REWARDS.values()

TUNED, PUCT = 1, 2
"""Kinds of exploration term that are no multiple of ``sqrt(ln N / n)``."""

FIRST_PLAY = ("auto", "first", "parent", "fixed")
URGENT, FROM_PARENT, FIXED = range(3)

BACKUPS = ("maxn", "paranoid", "best-reply")
MAXN, PARANOID, BEST_REPLY = range(3)

AMAFS = ("none", "amaf", "rave", "grave")
NO_AMAF, AMAF, RAVE, GRAVE = range(4)

GUIDES = ("none", "mast", "nst")
NO_GUIDE, MAST, NST = range(3)

CHOICES = ("epsilon", "gibbs")
EPSILON, GIBBS = range(2)

FINAL_MOVES = ("robust", "sample", "max", "max-robust", "secure")
MOST_VISITED = ("robust", "sample")
"""Those that play what was visited most."""
TIES = ("first", "random")
OPPONENTS = ("tree", "policy")
ROOTS = ("bandit", "halving", "gumbel")
LOOPS = ("auto", "closed", "open")
SOLVERS = ("off", "on", "auto")
OBSERVERS = ("single", "multiple", "pimc")
PARALLELS = ("tree", "root", "leaf")
LOSS, UNOBSERVED = range(2)
PENDING = ("loss", "unobserved")


@dataclass(frozen=True)
class MCTSParameters:
    """What a tree search does; each technique with its source."""

    c: float = option(1.0, low=0.0, meaning="constant of the selection formula")
    formula: str = option(
        "plain",
        choices=tuple(FORMULAS),
        meaning="exploration term: plain c sqrt(ln N/n), root2 c sqrt(2 ln N/n), uct 2 c sqrt(2 ln N/n), tuned"
        " (UCB1-Tuned, Auer et al. 2002), puct c P sqrt(N)/(1+n) (Silver et al. 2017), greedy (none)",
    )
    reward: str = option("unit", meaning="worth of a finished game: unit, utility, win, or an evaluator of the game")
    playouts: str = option("default", meaning="playout policy: default (the game's own), uniform, or a name")
    capacity: int = option(
        2_000_000,
        low=1000,
        high=200_000_000,
        log=True,
        meaning="nodes the tree may hold (72 bytes each and 8 for each player, more with some techniques)",
    )
    cheat: bool = option(False, meaning="search the true state, hidden parts included")
    # --- selection ---
    first_play: str = option(
        "auto",
        choices=FIRST_PLAY,
        meaning="urgency of actions not yet tried: first (before all others), parent (as if tried once with the mean"
        " of the node minus fpu), fixed (fpu alone); auto: first, but parent if there are priors, or estimates without"
        " exploration (Gelly, Wang 2006)",
    )
    fpu: float = option(0.0, low=-1e6, high=1e6, meaning="first-play urgency, see first_play")
    prior: str = option("none", meaning="prior of actions: none (all alike), or a name (for puct, gumbel and widening)")
    estimate: str = option(
        "none",
        given=evaluation_text,
        meaning="evaluator for actions not yet tried, what they add to its value counts as a reward as it is; none:"
        " they are tried in random order",
    )
    legality: bool = option(
        True,
        meaning="N of an open loop: how often the action was legal at a visit of its parent since it is in the tree"
        " (Cowling et al. 2012); false: visits of the parent, the one under way too",
    )
    normalise: bool = option(
        False,
        meaning="scale the means of children to the least and greatest reward of simulations through their parent, for"
        " rewards without known bounds (Perez et al., 2014 general video game playing competition)",
    )
    bias: float = option(
        0.0,
        low=0.0,
        high=1e6,
        log=True,
        meaning="progressive bias: this times the evaluation / (n + 1) is added (Chaslot 2008)",
    )
    history: float = option(
        0.0,
        low=0.0,
        high=1e6,
        log=True,
        meaning="progressive history: this times the action's mean in all playouts / (n (1 - mean) + 1) is added"
        " (Nijssen, Winands 2011)",
    )
    widening: float = option(
        0.0,
        low=0.0,
        high=1e6,
        log=True,
        meaning="progressive widening: k N^widening_power children at most, 0: no limit (k)",
    )
    widening_power: float = option(0.5, low=0.0, high=1.0, meaning="exponent of progressive widening (Coulom 2007)")
    wander: float = option(
        0.0, low=0.0, high=1.0, meaning="share of selections in which any child is taken (Perez et al. 2015, OLETS)"
    )
    noise: float = option(
        0.0,
        low=0.0,
        high=1.0,
        meaning="share by which what the formula says of an action is shaken at random: of those that differ by less"
        " any is taken (Perez et al. 2016)",
    )
    taboo: float = option(
        0.0,
        low=0.0,
        high=1e6,
        log=True,
        meaning="what is subtracted where the policy says that the player has been in the position lately (likewise)",
    )
    breadth: int = option(
        0,
        low=0,
        high=10**6,
        log=True,
        meaning="times that each action at the root is tried before the formula decides (breadth-first initialisation,"
        " Soemers et al. 2016)",
    )
    amaf: str = option(
        "none",
        choices=AMAFS,
        meaning="all-moves-as-first statistics: amaf (mixed in with amaf_weight), rave (max(0, (V - n)/V), Gelly and"
        " Silver 2007, Paz and Rubin 2016), grave (Cazenave 2015)",
    )
    amaf_weight: float = option(
        0.5, low=0.0, high=1.0, meaning="weight of amaf (alpha-AMAF, Helmbold and Parker-Wood 2009)"
    )
    rave_visits: float = option(
        1000.0, low=1.0, high=1e9, log=True, meaning="V of rave: visits at which its weight reaches 0"
    )
    grave_ref: int = option(
        50, low=0, high=10**9, log=True, meaning="visits that the ancestor must have whose grave counts"
    )
    grave_bias: float = option(1e-4, low=0.0, high=1e3, span=4e-4, meaning="bias of grave")
    # --- playouts ---
    guide: str = option(
        "none",
        choices=GUIDES,
        meaning="what playouts learn from: mast (mean of each action, Finnsson and Björnsson 2008), nst (of sequences"
        " of up to three actions, Tak, Winands and Björnsson 2012)",
    )
    guide_choice: str = option(
        "epsilon",
        choices=CHOICES,
        meaning="how a guided playout chooses: epsilon-greedy, gibbs (exp(mean/temperature))",
    )
    epsilon: float = option(0.1, low=0.0, high=1.0, meaning="share of guided choices left to the playout policy")
    temperature: float = option(0.2, low=1e-3, high=1e3, log=True, meaning="of the gibbs choice")
    nst_visits: int = option(7, low=1, high=10**6, log=True, meaning="how often a sequence must have been seen for nst")
    cutoff: int | None = option(
        None, low=0, high=10**6, log=True, meaning="plies after which a playout ends with the evaluation (Lorentz 2008)"
    )
    horizon: int | None = option(
        None,
        low=1,
        high=10**6,
        log=True,
        meaning="own decisions, in the tree and in the playout together, after which a simulation ends with the"
        " evaluation",
    )
    redundancy: float | None = option(
        None,
        low=0.0,
        high=1.0,
        meaning="weight of actions that undo one's last, where the policy knows them: p of Santos 2017, eq. 5.2",
    )
    count_redundant: bool = option(
        False, meaning="count the actions of playouts that undo one's last, where the policy knows them"
    )
    evaluation: str = option(
        "default",
        given=evaluation_text,
        meaning="evaluator of unfinished games for cutoff, horizon, implicit and bias: default (the game's own), a"
        " name, or a file of a network",
    )
    evaluation_scale: float | None = option(
        None,
        low=0.0,
        high=1e9,
        log=True,
        meaning="evaluation v counts as (1 + tanh(v / scale)) / 2 of the way from the least to the greatest reward; 0:"
        " as a utility, or as a reward where an evaluator judges; none: by its bounds (see there); what judges, too,"
        " counts as it is",
    )
    # --- backup ---
    backup: str = option(
        "maxn",
        choices=BACKUPS,
        meaning="whom the others play for: maxn (themselves), paranoid (against the player), best-reply (so, but only"
        " one of them at a time; BRS+, Esser et al. 2013)",
    )
    solver: str = option(
        "off",
        choices=SOLVERS,
        meaning="prove positions, MCTS-Solver (Winands et al. 2008) with bounds (Cazenave, Saffidine 2010): on, off,"
        " auto (where nodes are states and the others play for themselves)",
    )
    expectimax: bool = option(
        False,
        meaning="open-loop expectimax: a node is worth the mean of what ended there and its best child, by how many"
        " simulations did which (Perez et al. 2015, OLETS)",
    )
    implicit: float = option(
        0.0, low=0.0, high=1.0, meaning="weight of implicit minimax backups of the evaluation (Lanctot et al. 2014)"
    )
    avoid_losses: bool = option(
        False, meaning="never choose an action after which a loss at once was seen, unless all are such (Santos 2017)"
    )
    # --- decision ---
    final: str = option(
        "robust",
        choices=FINAL_MOVES,
        meaning="move played: robust (most visits, of equals the better mean), sample (most visits, of equals any, but"
        " if all are equal the best mean; Perez et al. 2016), max (best mean), max-robust (searches on until one is"
        " both, up to as long again), secure (best lower confidence bound) (Chaslot et al. 2008)",
    )
    ties: str = option("first", choices=TIES, meaning="of equal moves: first (as listed), random")
    secure: float = option(4.0, low=0.0, high=1e6, log=True, meaning="A of secure: mean - A / sqrt(n)")
    early: bool = option(
        False,
        meaning="end the search once no other action can get as many visits in the rest of the budget (STOP; Baier,"
        " Winands 2016)",
    )
    root: str = option(
        "bandit",
        choices=ROOTS,
        meaning="how the root explores: bandit (the formula), halving (sequential halving, Karnin et al. 2013), gumbel"
        " (Danihelka et al. 2022)",
    )
    gumbel_actions: int = option(16, low=1, high=100_000, log=True, meaning="actions that gumbel considers")
    # --- hidden information, chance ---
    loop: str = option(
        "auto",
        choices=LOOPS,
        meaning="closed: nodes are states and chance nodes explicit (chance inside the state is drawn once a search),"
        " open: nodes are sequences of actions (Perez et al. 2015); auto: closed where the state is known and chance is"
        " explicit",
    )
    opponents: str = option(
        "tree",
        choices=OPPONENTS,
        meaning="the others' actions in an open loop: tree (searched, as backup says), policy (drawn by the playout"
        " policy, without nodes)",
    )
    observers: str = option(
        "single",
        choices=OBSERVERS,
        meaning="hidden information: single- or multiple-observer ISMCTS (Cowling et al. 2012), pimc (a search for each"
        " of some determinizations, Ginsberg 2001)",
    )
    worlds: int = option(20, low=1, high=10_000, log=True, meaning="determinizations of pimc")
    belief: str = option("none", meaning="likelihood of what is hidden, none or a name: weighs determinizations")
    belief_samples: int = option(
        8, low=1, high=10_000, log=True, meaning="determinizations among which the belief draws one"
    )
    # --- memory, threads ---
    reuse: bool | None = option(
        False, meaning="keep the part of the tree that the game goes on with; none: where the other techniques allow it"
    )
    squash: bool = option(
        False, meaning="a kept node counts as one simulation once it is the root, as in OLETS; those below it in full"
    )
    recycle: bool = option(
        False, meaning="forget what was not visited for longest when the tree is full (Powley et al. 2017)"
    )
    threads: int = option(1, low=1, high=256, log=True, meaning="threads that search")
    parallel: str = option(
        "tree",
        choices=PARALLELS,
        meaning="what threads share: tree (one tree; not reproducible), root (a tree each), leaf (a playout each at"
        " every leaf) (Chaslot et al. 2008)",
    )
    combine: str = option("sum", choices=("sum", "vote"), meaning="how trees of root parallel and pimc are combined")
    pending: str = option(
        "unobserved",
        choices=PENDING,
        meaning="simulations of other threads on the way count as: loss (virtual loss), unobserved (visits without"
        " reward, Liu et al. 2020)",
    )

    @property
    def learns(self) -> bool:
        """Whether means of actions in all playouts are kept."""
        return self.guide != "none" or self.history > 0.0

    @property
    def evaluates(self) -> bool:
        """Whether unfinished games are evaluated."""
        return self.cutoff is not None or self.horizon is not None or self.implicit > 0.0 or self.bias > 0.0

    @property
    def first(self) -> int:
        """How actions not yet tried are taken: `URGENT`, `FROM_PARENT` or `FIXED`."""
        if self.first_play != "auto":
            return FIRST_PLAY.index(self.first_play) - 1
        greedy = self.estimate != "none" and self.exploration == 0.0
        return FROM_PARENT if self.prior != "none" or self.formula == "puct" or greedy else URGENT

    @property
    def exploration(self) -> float:
        """K of the selection formula."""
        return FORMULAS[self.formula] * self.c


def hinders_reuse(p: MCTSParameters) -> str:
    """Return why a search with these parameters can't go on with the tree of the last one; empty if it can."""
    if p.observers == "multiple":
        return "observers=multiple keeps a tree for each player; reuse=true needs a single one"
    if p.observers == "pimc" or (p.threads > 1 and p.parallel == "root"):
        return "reuse=true needs a single tree: not observers=pimc or parallel=root"
    if p.opponents == "policy":
        return "opponents=policy leaves the others' actions out of the tree, so that reuse=true would not find them"
    if p.root != "bandit":
        return f"root={p.root} divides its simulations among actions that are all new; it does not go with reuse=true"
    return ""


def idle(p: MCTSParameters) -> dict[str, str]:
    """Return the parameters that change nothing beside the values of others, each with what it would take."""
    divided = p.threads > 1 and p.parallel == "tree"
    informed = p.formula == "puct" or p.root == "gumbel" or p.widening > 0.0
    evaluated = "cutoff, horizon, implicit or bias"
    several = (p.observers == "pimc" and not p.cheat) or (p.threads > 1 and p.parallel == "root")
    # Whether a playout has decisions, and whether it leaves any of them to the policy.
    played = p.cutoff != 0
    guided = p.guide != "none" and played
    left = not (guided and (p.guide_choice == "gibbs" or p.epsilon == 0.0))
    asked = p.backup == "best-reply" or p.opponents == "policy" or p.taboo > 0.0
    needs = {
        "c": (p.formula != "greedy", "another formula than greedy"),
        "fpu": (p.first != URGENT, "first_play=parent or fixed"),
        "prior": (informed, "formula=puct, root=gumbel or widening"),
        "widening_power": (p.widening > 0.0, "widening"),
        "amaf_weight": (p.amaf == "amaf", "amaf=amaf"),
        "rave_visits": (p.amaf == "rave", "amaf=rave"),
        "grave_ref": (p.amaf == "grave", "amaf=grave"),
        "grave_bias": (p.amaf == "grave", "amaf=grave"),
        "playouts": (
            asked or (played and (left or p.count_redundant)),
            "playouts that take it (cutoff=1 or more, no guide_choice=gibbs), backup=best-reply, opponents=policy or"
            " taboo",
        ),
        "guide": (played, "playouts (cutoff=1 or more)"),
        "redundancy": (played and left, "playouts that follow the policy (cutoff=1 or more, no guide_choice=gibbs)"),
        "count_redundant": (played, "playouts (cutoff=1 or more)"),
        "guide_choice": (guided, "guide=mast or nst"),
        "epsilon": (guided and p.guide_choice == "epsilon", "guide=mast or nst, and guide_choice=epsilon"),
        "temperature": (guided and p.guide_choice == "gibbs", "guide=mast or nst, and guide_choice=gibbs"),
        "nst_visits": (p.guide == "nst" and played, "guide=nst"),
        "evaluation": (p.evaluates, evaluated),
        "evaluation_scale": (p.evaluates, evaluated),
        "secure": (p.final == "secure", "final=secure"),
        "gumbel_actions": (p.root == "gumbel", "root=gumbel"),
        # The others' actions are in the tree of a game for one whatever `opponents` says.
        "squash": (
            p.reuse or (p.reuse is None and not hinders_reuse(replace(p, opponents="tree"))),
            "reuse=true",
        ),
        # What roots decide themselves is not asked for again, unless something was proven or seen to lose.
        "ties": (
            p.root == "bandit" or several or p.solver != "off" or p.avoid_losses,
            "root=bandit, several trees, solver or avoid_losses",
        ),
        "legality": (p.loop != "closed" and p.formula not in ("puct", "greedy"), "loop=open, and a formula with ln N"),
        "observers": (not p.cheat, "cheat=false"),
        "worlds": (p.observers == "pimc" and not p.cheat, "observers=pimc (and cheat=false)"),
        "belief_samples": (p.belief != "none", "belief"),
        "parallel": (p.threads > 1, "threads=2 or more"),
        "pending": (divided, "threads that share a tree (threads=2 or more, parallel=tree)"),
    }
    return {name: needed for name, (used, needed) in needs.items() if not used}


class Evaluations(NamedTuple):
    """How the values of an evaluator become rewards."""

    scale: float = 0.0
    """Value v counts as (1 + tanh(v / scale)) / 2 of the way from the least to the greatest reward; 0: linearly."""
    lowest: float = 0.0
    """Then this value counts as the least reward,"""
    highest: float = 1.0
    """and this one as the greatest; what is beyond counts as they do."""
    as_reward: bool = False
    """Whether values are rewards as they are."""


Config = record(
    ("exploration", "f8"),
    ("low", "f8"),  # of utilities
    ("high", "f8"),
    ("least", "f8"),  # of rewards; infinite where it is not known
    ("greatest", "f8"),
    ("fpu", "f8"),
    ("bias", "f8"),
    ("history", "f8"),
    ("widening", "f8"),
    ("widening_power", "f8"),
    ("amaf_weight", "f8"),
    ("rave_visits", "f8"),
    ("grave_bias", "f8"),
    ("wander", "f8"),
    ("noise", "f8"),
    ("taboo", "f8"),
    ("epsilon", "f8"),
    ("temperature", "f8"),
    ("redundancy", "f8"),  # negative: off
    ("scale", "f8"),  # of evaluations, see `Evaluations`
    ("lowest", "f8"),
    ("highest", "f8"),
    ("implicit", "f8"),
    ("begin", "i8"),  # simulations begin .. end - 1 are run
    ("end", "i8"),
    ("serial", "i8"),  # simulations that were run before, in this search and all earlier ones
    ("cutoff", "i8"),  # negative: none
    ("horizon", "i8"),  # negative: none
    ("width", "i8"),  # values of a node; where in them each optional kind begins, after the totals:
    ("heuristic_at", "i8"),
    ("lower_at", "i8"),
    ("upper_at", "i8"),
    ("estimate_at", "i8"),
    ("prior_at", "i8"),
    ("squares_at", "i8"),
    ("stamp_at", "i8"),
    ("least_at", "i8"),
    ("greatest_at", "i8"),
    ("ended_at", "i8"),
    ("expected_at", "i8"),
    ("breadth", "i8"),
    ("players", "i4"),
    ("reward", "i4"),
    ("kind", "i4"),  # 0, TUNED or PUCT
    ("first_play", "i4"),
    ("amaf", "i4"),
    ("grave_ref", "i4"),
    ("guide", "i4"),
    ("guide_choice", "i4"),
    ("nst_visits", "i4"),
    ("backup", "i4"),
    ("belief_samples", "i4"),  # 0: none
    ("arms", "i4"),  # how many root actions are searched in turn; 0: the formula decides
    ("seat", "i4"),  # the player to move at the root
    ("trees", "i4"),  # 1; multiple observers: one for each player
    ("batch", "i4"),  # playouts at each leaf
    ("worker", "i4"),  # which of them this kernel runs; 0: the one that has the tree
    ("pending", "i4"),
    ("as_reward", "u1"),
    ("open", "u1"),
    ("honest", "u1"),
    ("estimating", "u1"),
    ("informed", "u1"),  # whether actions have worth before they are tried
    ("uses_prior", "u1"),
    ("solver", "u1"),
    ("stamping", "u1"),
    ("recycling", "u1"),  # whether to return when the tree is full
    ("shared", "u1"),  # whether other threads work on the same tree
    ("traced", "u1"),  # whether the actions of a simulation are noted
    ("guided", "u1"),  # whether playouts do more than follow the policy
    ("learning", "u1"),
    ("losses", "u1"),
    ("normalising", "u1"),
    ("expecting", "u1"),
    ("by_legality", "u1"),  # whether actions are judged by how often they were legal
    ("drawn", "u1"),  # whether the others' actions are drawn and have no nodes
    ("counting", "u1"),  # whether redundant actions are counted
)
"""What kernels receive: one record."""


def pack(config: SimpleNamespace) -> npt.NDArray[Any]:
    """Return an array of one `Config` with these values; 0 where there is none."""
    values = vars(config)
    return np.array([tuple(values.get(name, 0) for name in _NAMES)], _PLAIN).view(Config)


_NAMES = [name for name in Config.names or () if not name.startswith(PADDING)]
_FIELDS: Any = Config.fields
_LAYOUT: Any = {
    "names": _NAMES,
    "formats": [_FIELDS[name][0] for name in _NAMES],
    "offsets": [_FIELDS[name][1] for name in _NAMES],
    "itemsize": Config.itemsize,
}
_PLAIN: np.dtype[Any] = np.dtype(_LAYOUT)
"""The layout of `Config` for NumPy's own use, whose records give their fields slowly."""


def new_config(
    parameters: MCTSParameters, game: Any, *, is_open: bool, honest: bool, seat: int, evaluations: Evaluations
) -> SimpleNamespace:
    """Return the values of a `Config` for a search by one thread.

    Args:
        parameters: of the search; `reward` is one of `REWARDS`.
        game: the game.
        is_open: whether nodes are sequences of actions.
        honest: whether what `seat` can't know is drawn anew in each simulation.
        seat: the player to move at the root.
        evaluations: how they become rewards.
    """
    p = parameters
    c = SimpleNamespace()
    c.exploration = p.exploration
    c.low, c.high = game.utility
    c.reward = REWARDS[p.reward]
    c.least, c.greatest = {
        UNIT: (0.0, 1.0),
        WIN: (0.0, 1.0),
        UTILITY: game.utility,
        VALUE: (-math.inf, math.inf),
    }[REWARDS[p.reward]]
    for name in ("fpu", "bias", "history", "widening", "widening_power", "amaf_weight", "rave_visits", "grave_bias"):
        setattr(c, name, getattr(p, name))
    for name in (
        "wander",
        "noise",
        "taboo",
        "breadth",
        "epsilon",
        "temperature",
        "implicit",
        "grave_ref",
        "nst_visits",
    ):
        setattr(c, name, getattr(p, name))
    provable = not is_open and p.backup == "maxn" and not (p.normalise or p.expectimax)
    c.solver = p.solver == "on" or (p.solver == "auto" and provable)
    c.redundancy = -1.0 if p.redundancy is None else p.redundancy
    c.cutoff = -1 if p.cutoff is None else p.cutoff
    c.horizon = -1 if p.horizon is None else p.horizon
    c.by_legality = is_open and p.legality
    c.expecting = p.expectimax
    c.normalising, c.drawn, c.counting = p.normalise, p.opponents == "policy", p.count_redundant
    c.scale, c.lowest, c.highest, c.as_reward = evaluations
    c.kind = {"tuned": TUNED, "puct": PUCT}.get(p.formula, 0)
    c.amaf, c.guide = AMAFS.index(p.amaf), GUIDES.index(p.guide)
    c.guide_choice, c.backup, c.pending = (
        CHOICES.index(p.guide_choice),
        BACKUPS.index(p.backup),
        PENDING.index(p.pending),
    )
    c.belief_samples = 0 if p.belief == "none" else p.belief_samples
    c.seat, c.trees, c.batch = seat, 1, 1
    c.open, c.honest = is_open, honest
    c.shared = False
    c.estimating, c.uses_prior = p.estimate != "none", p.prior != "none" or p.formula == "puct"
    c.first_play = p.first
    c.informed = c.estimating or c.uses_prior or (p.amaf != "none" and c.first_play != URGENT)
    c.stamping, c.recycling, c.learning, c.losses = p.recycle, p.recycle, p.learns, p.avoid_losses
    c.traced = p.learns or p.amaf != "none"
    c.guided = c.traced or p.cutoff is not None or p.horizon is not None or p.redundancy is not None or c.counting
    # Whether there is nothing but means and an exploration term that needs only visits.
    c.plain = (
        c.kind == 0
        and not (c.informed or c.solver or c.guided or p.bias or p.implicit or p.widening)
        and c.first_play == URGENT
        and c.backup == MAXN
        and p.root == "bandit"
        and c.belief_samples == 0
        and not (c.stamping or c.losses or c.normalising or c.drawn or c.expecting)
        and not (c.wander or c.noise or c.taboo or c.breadth)
        and not (is_open and not c.by_legality)
    )
    c.players = game.num_players
    _lay_out(c)
    return c


def _lay_out(c: SimpleNamespace) -> None:
    """Decide where in the values of a node each kind is."""
    players = width = int(c.players)
    for name, size, needed in (
        ("heuristic_at", players, c.implicit > 0.0),
        ("lower_at", players, c.solver),
        ("upper_at", players, c.solver),
        ("estimate_at", 1, c.informed or c.bias > 0.0),
        ("prior_at", 1, c.uses_prior or c.solver),
        ("squares_at", 1, c.kind),
        ("stamp_at", 1, c.stamping),
        ("least_at", players, c.normalising),
        ("greatest_at", players, c.normalising),
        ("ended_at", 1 + players, c.expecting),
        ("expected_at", players, c.expecting),
    ):
        setattr(c, name, width)
        if needed:
            width += size
    c.width = width
