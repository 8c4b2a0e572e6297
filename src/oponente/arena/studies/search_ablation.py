"""Which techniques of tree search help in a game: each one, switched on, plays the plain search.

Both search with as many simulations. Games come in pairs with the same random opening and the same luck, in which the
two change seats. No technique is tuned for the game: the settings are those of :data:`SWITCHES`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from oponente import __version__
from oponente.arena import MatchInterrupted, MatchSpec, run_match
from oponente.arena.cells import percent
from oponente.arena.statistics import Z95
from oponente.arena.studies.document import Page, Section, Table
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.provenance import study_made
from oponente.arena.studies.study import Progress, Settings, Study
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed

SWITCHES: dict[str, str] = {
    "UCB1-Tuned": "formula=tuned",
    "PUCT, all priors alike": "formula=puct,c=2",
    "greedy": "formula=greedy",
    "first play: parent": "first_play=parent",
    "progressive bias": "bias=1",
    "progressive history": "history=0.5",
    "progressive widening": "widening=2",
    "AMAF": "amaf=amaf,amaf_weight=0.2",
    "RAVE": "amaf=rave,rave_visits=250",
    "GRAVE": "amaf=grave",
    "MAST, epsilon-greedy": "guide=mast",
    "MAST, Gibbs": "guide=mast,guide_choice=gibbs",
    "NST": "guide=nst",
    "cut-off after 4 plies": "cutoff=4",
    "implicit minimax": "implicit=0.3",
    "MCTS-Solver": "solver=on",
    "paranoid": "backup=paranoid",
    "best reply": "backup=best-reply",
    "final move: max": "final=max",
    "final move: max-robust": "final=max-robust",
    "final move: secure": "final=secure",
    "sequential halving": "root=halving",
    "Gumbel": "root=gumbel",
    "reuse of the tree": "reuse=true",
    "no immediate losses": "avoid_losses=true",
    "open loop": "loop=open",
    "multiple observers": "observers=multiple",
    "PIMC": "observers=pimc",
}
"""Parameters that are added to the plain search, by what they are called."""

ONLY_CLOSED = ("bias=", "implicit=", "solver=")
ONLY_HIDDEN = ("observers=",)


@dataclass(frozen=True)
class Subject:
    """A game in which techniques are tried."""

    options: tuple[tuple[str, str], ...]
    plain: str
    """The plain search, without its iterations."""
    hidden: bool
    """Whether something is hidden, so that nodes are no states."""
    opening: int
    """Random plies of every pair."""


SUBJECTS: dict[str, Subject] = {
    "connect4": Subject((), "uct:iterations={n}", False, 4),
    "catan": Subject((("players", "2"), ("trade", "false")), "uct:iterations={n}", True, 0),
}


@dataclass(frozen=True)
class Sizes:
    """How much is played."""

    games: int
    """Games of each technique against the plain search."""
    iterations: int
    """Simulations a decision."""


SCALES: dict[str, dict[str, Sizes]] = {
    "connect4": {"quick": Sizes(20, 200), "standard": Sizes(400, 1000), "full": Sizes(2000, 4000)},
    "catan": {"quick": Sizes(2, 10), "standard": Sizes(100, 100), "full": Sizes(1000, 500)},
}


class SearchAblation(Study):
    """The study of one game; see the module.

    Args:
        game: one of `SUBJECTS`.
        switches: techniques: others than `SWITCHES` are for tests.
    """

    name = "search-ablation"
    title = "Techniques of Monte Carlo tree search, one by one"
    source = "not a publication: each technique against the plain search, with the sources that docs/searches name"

    def __init__(self, game: str = "connect4", switches: Mapping[str, str] = SWITCHES) -> None:
        if game not in SUBJECTS:
            raise ValueError(f"search-ablation is for {', '.join(SUBJECTS)}, not for {game!r}")
        self.game, self.subject = game, SUBJECTS[game]
        self.switches = {name: switch for name, switch in switches.items() if self._applies(switch)}

    def _applies(self, switch: str) -> bool:
        if self.subject.hidden:
            return not switch.startswith(ONLY_CLOSED) and switch != "loop=open"
        return not switch.startswith(ONLY_HIDDEN)

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
            "switches": self.switches,
        }

    def sizes(self, settings: Settings) -> Sizes:
        """Return how much is played."""
        sizes = SCALES[self.game][settings.scale]
        return sizes if settings.match_games is None else dataclasses.replace(sizes, games=settings.match_games)

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play every technique against the plain search."""
        sizes = self.sizes(settings)
        plain = self.subject.plain.format(n=sizes.iterations)
        keep.touch()
        rows = []
        for name, switch in self.switches.items():
            spec = MatchSpec(
                GameSpec(self.game, self.subject.options),
                (f"{plain},{switch}", plain),
                sizes.games,
                derive_seed(settings.seed, "ablation", self.game) >> 1,  # the same openings for all
                opening_plies=self.subject.opening,
            )
            try:
                result = run_match(
                    spec,
                    workers=settings.workers,
                    store=keep.database,
                    resume=True,
                    progress=lambda state, name=name: progress(name, state.done, state.games),  # type: ignore[misc]
                )
            except MatchInterrupted:
                raise KeyboardInterrupt from None  # the study says itself how to go on
            agent = result.summary()["agents"][0]
            rows.append({"technique": name, "switch": switch, **score(agent["wins"], agent["draws"], agent["losses"])})
        return {
            "game": self.game,
            "options": dict(self.subject.options),
            "plain": plain,
            "sizes": dataclasses.asdict(sizes),
            "techniques": rows,
            "verdicts": [],
        }

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page with the table."""
        rows = [
            (
                row["technique"],
                f"`{row['switch']}`",
                f"{row['wins']}",
                f"{row['draws']}",
                f"{row['losses']}",
                percent(row["score"]),
                f"{percent(row['low'])} .. {percent(row['high'])}",
                row["finding"],
            )
            for row in data["techniques"]
        ]
        table = Table(
            "Each technique against the plain search",
            ("technique", "parameters", "won", "drawn", "lost", "score", "95 %", "finding"),
            rows,
            note="Score: wins and half of the draws. The interval counts games as if they were independent; those of a"
            " pair share their luck, so it is rather too wide.",
        )
        return Page(
            title=f"{data['title']}: {data['game']}",
            lead=f"Each technique of `uct` against `{data['plain']}`, in oponente {data['version']}. This command"
            " repeats the measurement:",
            command=data["command"],
            facts=study_made(data),
            sections=[Section("Results", tables=[table])],
            data=dict(data),
        )


def score(wins: int, draws: int, losses: int) -> dict[str, Any]:
    """Return results with the score, its 95 % interval, and what that says.

    >>> score(60, 0, 40)["finding"]
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
