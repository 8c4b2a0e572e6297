"""Which techniques of search help in a game: each one, switched on, plays the plain search of its family.

Both search with as many simulations, or expand as many nodes. Games come in pairs with the same random opening and the
same luck, in which the two change seats. No technique is tuned for the game: the settings are those of
:data:`FAMILIES`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oponente import __version__
from oponente.arena import MatchResult, MatchSpec
from oponente.arena.cells import percent
from oponente.arena.elo import Z95
from oponente.arena.provenance import study_made
from oponente.arena.studies.document import Page, Section, Table
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed


@dataclass(frozen=True)
class Family:
    """Techniques that are compared with the same plain search.

    In agents and parameters ``{n}`` stands for the simulations, ``{nodes}`` for the nodes, ``{prior}`` and
    ``{estimate}`` for what the game has of these.
    """

    name: str
    plain: str
    techniques: dict[str, str]
    """By what they are called: parameters that are added to the plain search, or another agent (with a colon)."""


FAMILIES = (
    Family(
        "Monte Carlo tree search",
        "uct:iterations={n}",
        {
            "UCB1-Tuned": "formula=tuned",
            "PUCT, all priors alike": "formula=puct,c=2",
            "PUCT with a prior": "formula=puct,c=2,prior={prior}",
            "greedy": "formula=greedy",
            "first play: parent": "first_play=parent",
            "first play: fixed": "first_play=fixed,fpu=1.1",
            "estimates of what is untried": "estimate={estimate}",
            "progressive bias": "bias=1",
            "progressive history": "history=0.5",
            "progressive widening": "widening=2",
            "progressive widening by a prior": "widening=2,prior={prior}",
            "breadth first at the root": "breadth=5",
            "any child now and then": "wander=0.1",
            "scaled means": "normalise=true",
            "AMAF": "amaf=amaf,amaf_weight=0.2",
            "RAVE": "amaf=rave,rave_visits=250",
            "GRAVE": "amaf=grave",
            "MAST, epsilon-greedy": "guide=mast",
            "MAST, Gibbs": "guide=mast,guide_choice=gibbs",
            "NST": "guide=nst",
            "cut-off after 4 plies": "cutoff=4",
            "horizon of 4 own decisions": "horizon=4",
            "implicit minimax": "implicit=0.3",
            "MCTS-Solver": "solver=on",
            "paranoid": "backup=paranoid",
            "best reply": "backup=best-reply",
            "open-loop expectimax": "loop=open,expectimax=true",
            "final move: max": "final=max",
            "final move: max-robust": "final=max-robust",
            "final move: secure": "final=secure",
            "sequential halving": "root=halving",
            "Gumbel": "root=gumbel",
            "Gumbel with a prior": "root=gumbel,prior={prior}",
            "reuse of the tree": "reuse=true",
            "1,000 nodes, recycled": "capacity=1000,recycle=true",
            "no immediate losses": "avoid_losses=true",
            "open loop": "loop=open",
            "open loop, visits of the parent": "loop=open,legality=false",
            "open loop, the others by the policy": "loop=open,opponents=policy",
            "multiple observers": "observers=multiple",
            "PIMC": "observers=pimc",
            "cheating": "cheat=true",
            "root parallel, sums": "threads=4,parallel=root",
            "root parallel, votes": "threads=4,parallel=root,combine=vote",
            "leaf parallel": "threads=4,parallel=leaf",
        },
    ),
    Family(
        "Other searches by simulation",
        "uct:iterations={n}",
        {
            "flat Monte Carlo": "flat-mc:iterations={n}",
            "rolling horizon evolution": "rhea:iterations={n}",
            "random search": "random-search:iterations={n}",
        },
    ),
    Family(
        "Depth-first searches",
        "alphabeta:nodes={nodes},order=listed,table=0",
        {
            "no pruning": "minimax:nodes={nodes}",
            "history and killers": "alphabeta:nodes={nodes},order=history,table=0",
            "ordering by evaluation": "alphabeta:nodes={nodes},order=evaluation,table=0",
            "transposition table": "alphabeta:nodes={nodes},order=listed,table=16",
            "history and table": "alphabeta:nodes={nodes},order=history,table=16",
            "history, table, aspiration windows": "alphabeta:nodes={nodes},order=history,table=16,aspiration=20",
            "max^n": "maxn:nodes={nodes}",
            "one step": "one-step",
        },
    ),
)
"""The techniques of each plain search."""

_NUMBER = "a number of a technique, which is tried with its default"
_GOAL = "what is wanted of a game or known about it, not how it is searched"
_UNKNOWN = "neither game tells what it needs"
_LIMIT = "how long is searched"
_SHALLOW = "has to do with chance, which only Catan has, where so few nodes are one ply: nothing could come of it"
LEFT_OUT: dict[str, dict[str, str]] = {
    "Monte Carlo tree search": {
        **dict.fromkeys(("widening_power", "grave_ref", "grave_bias", "epsilon", "temperature", "nst_visits"), _NUMBER),
        **dict.fromkeys(("secure", "gumbel_actions", "worlds"), _NUMBER),
        **dict.fromkeys(("reward", "playouts", "evaluation", "evaluation_scale"), _GOAL),
        **dict.fromkeys(("taboo", "redundancy", "count_redundant", "belief", "belief_samples"), _UNKNOWN),
        "ties": "which of moves is played that are equally good to the search",
        "noise": "which child is taken of those that are equal but for a millionth",
        "early": "plays the same in less time",
        "squash": "of OLETS; what reuse is worth is tried with all visits counted",
        "pending": "of threads that share a tree, whose games can't be repeated",
    },
    "Depth-first searches": {
        **dict.fromkeys(("depth", "time"), _LIMIT),
        **dict.fromkeys(("evaluation", "objective"), _GOAL),
        **dict.fromkeys(("chance", "star", "cutoff"), _SHALLOW),
        "samples": "more of them leave each fewer nodes, which are one ply with the four of the default",
        "cheat": "what is hidden is worth little to a search of one ply; tried with tree search",
        "prune": "of max^n; what pruning is worth is tried with alpha-beta",
    },
}
"""The parameters of a family's searches that are in none of its techniques, and why."""

NEEDS_STATES = ("bias=", "implicit=", "solver=")
"""What nodes must be states for."""
NEEDS_SECRETS = ("observers=", "cheat=")
"""What makes a difference only where something is hidden."""
NEEDS_ONE_WORLD = "aspiration="
"""What makes none where the value of every action is wanted, in each of several worlds; it is refused there."""


@dataclass(frozen=True)
class Subject:
    """A game in which techniques are tried."""

    options: tuple[tuple[str, str], ...]
    hidden: bool
    """Whether something is hidden, so that nodes are no states."""
    opening: int
    """Random plies of every pair."""
    prior: str
    estimate: str


SUBJECTS: dict[str, Subject] = {
    "connect4": Subject((), False, 4, "report", "report"),
    "catan": Subject((("players", "2"), ("trade", "false")), True, 0, "weighted-random", "potential"),
}


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    games: int
    """Games of each technique against the plain search."""
    iterations: int
    """Simulations a decision."""
    nodes: int
    """Nodes a decision."""


SCALES: dict[str, dict[str, Sizes]] = {
    "connect4": {"quick": Sizes(20, 200, 500), "standard": Sizes(400, 1000, 5000), "full": Sizes(2000, 4000, 50_000)},
    "catan": {"quick": Sizes(2, 10, 20), "standard": Sizes(100, 100, 200), "full": Sizes(1000, 500, 2000)},
}


class SearchAblation(Study):
    """The study of one game; see the module.

    Args:
        game: one of `SUBJECTS`.
        families: others than `FAMILIES` are for tests.
    """

    name = "search-ablation"
    title = "Techniques of search, one by one"
    source = "not a publication: each technique against the plain search, with the sources that docs/searches name"
    games = tuple(SUBJECTS)

    def __init__(self, game: str = "connect4", families: Sequence[Family] = FAMILIES) -> None:
        if game not in SUBJECTS:
            raise ValueError(f"search-ablation is for {', '.join(SUBJECTS)}, not for {game!r}")
        self.game, self.subject = game, SUBJECTS[game]
        self.families = [
            dataclasses.replace(
                family, techniques={name: how for name, how in family.techniques.items() if self._applies(how)}
            )
            for family in families
        ]

    def _applies(self, technique: str) -> bool:
        if self.subject.hidden:
            if NEEDS_ONE_WORLD in technique:
                return False
            return not technique.startswith(NEEDS_STATES) and technique != "loop=open"
        return not technique.startswith(NEEDS_SECRETS)

    def agents(self, family: Family, technique: str, sizes: Sizes) -> tuple[str, str]:
        """Return the agent with the technique and the plain one."""
        agent = technique if is_agent(technique) else f"{family.plain},{technique}"
        values = {
            "n": sizes.iterations,
            "nodes": sizes.nodes,
            "prior": self.subject.prior,
            "estimate": self.subject.estimate,
        }
        return agent.format(**values), family.plain.format(**values)

    def for_game(self, game: str) -> SearchAblation:
        """Return the study of another game."""
        return SearchAblation(game)

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            scale: "; ".join(
                f"{game}: {s[scale].games} games a technique at {s[scale].iterations} simulations"
                for game, s in SCALES.items()
            )
            for scale in ("quick", "standard", "full")
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal."""
        return {
            "study": self.name,
            "game": self.game,
            "version": __version__,
            "seed": settings.seed,
            "iterations": self.sizes(settings).iterations,
            "nodes": self.sizes(settings).nodes,
            "families": {family.name: [family.plain, family.techniques] for family in self.families},
        }

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is played."""
        sizes = SCALES[self.game][settings.scale]
        return sizes if settings.match_games is None else dataclasses.replace(sizes, games=settings.match_games)

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play every technique against the plain search."""
        sizes = self.sizes(settings)
        keep.touch()
        families = []
        for family in self.families:
            rows = []
            for name, technique in family.techniques.items():
                agent, plain = self.agents(family, technique, sizes)
                result = self._play(agent, plain, sizes, settings, keep, progress, name)
                outcome = result.summary()["agents"][0]
                rows.append({
                    "technique": name,
                    "agent": agent,
                    "shown": agent if is_agent(technique) else agent[len(plain) + 1 :],
                    **score(outcome["wins"], outcome["draws"], outcome["losses"]),
                })  # fmt: skip
            families.append({"family": family.name, "plain": plain, "techniques": rows})
        return {
            "game": self.game,
            "options": dict(self.subject.options),
            "sizes": dataclasses.asdict(sizes),
            "families": families,
            "verdicts": [],
        }

    def _play(
        self, agent: str, plain: str, sizes: Sizes, settings: Settings, keep: Keep, progress: Progress, name: str
    ) -> MatchResult:
        spec = MatchSpec(
            GameSpec(self.game, self.subject.options),
            (agent, plain),
            sizes.games,
            derive_seed(settings.seed, "ablation", self.game) >> 1,  # the same openings for all
            opening_plies=self.subject.opening,
        )
        return play_match(spec, name, settings, keep, progress)

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page with the table."""
        tables = [
            Table(
                f"{family['family']}, against {family['plain']}",
                ("technique", "parameters or agent", "won", "drawn", "lost", "score", "95 %", "finding"),
                [
                    (
                        row["technique"],
                        f"`{row['shown']}`",
                        f"{row['wins']}",
                        f"{row['draws']}",
                        f"{row['losses']}",
                        percent(row["score"]),
                        f"{percent(row['low'])} .. {percent(row['high'])}",
                        row["finding"],
                    )
                    for row in family["techniques"]
                ],
                note="Score: wins and half of the draws. The interval counts games as if they were independent; those"
                " of a pair share their luck, so it is rather too wide.",
            )
            for family in data["families"]
        ]
        return Page(
            title=f"{data['title']}: {data['game']}",
            lead=f"Each technique against the plain search of its family, in oponente {data['version']}. This command"
            " repeats the measurement:",
            command=data["command"],
            facts=study_made(data),
            sections=[Section("Results", tables=tables)],
            data=dict(data),
        )


def is_agent(technique: str) -> bool:
    """Tell whether a technique is an agent of its own, not a parameter.

    >>> is_agent("rhea:iterations=10"), is_agent("one-step"), is_agent("formula=puct,c=2")
    (True, True, False)
    """
    return "=" not in technique or ":" in technique


def score(wins: int, draws: int, losses: int) -> dict[str, Any]:
    """Return results with the score, its 95 % interval, and what that says.

    >>> score(59, 0, 41)["finding"]
    'undecided'
    >>> score(70, 10, 20)["finding"]
    'helps'
    """
    games = wins + draws + losses
    mean = (wins + draws / 2) / games
    # Shrunk towards 1/2 by one win and one loss, so that a few games of one outcome do not seem certain.
    centre = (wins + draws / 2 + 1) / (games + 2)
    variance = ((wins + 1) * (1 - centre) ** 2 + draws * (0.5 - centre) ** 2 + (losses + 1) * centre**2) / (games + 2)
    reach = Z95 * math.sqrt(variance / (games + 2))
    low, high = max(0.0, centre - reach), min(1.0, centre + reach)
    finding = "helps" if low > 0.5 else "harms" if high < 0.5 else "undecided"
    return {
        "wins": wins, "draws": draws, "losses": losses, "score": mean, "low": low, "high": high, "finding": finding
    }  # fmt: skip


STUDY = SearchAblation()
