"""The games of Skoric (FER, 2022) in Catan, repeated: the chain of duels, the four best together, Catanatron's players.

The thesis plays without trade between players. ``+`` marks agents whose parameters were learned there. The weights of
our Tree Search+ and Value+ were learned as the thesis learns them, not copied from it, since its inputs are not
printed. Our Neural+ is the network that comes with the package: like the thesis's it was pre-trained to give what the
linear evaluation with the start weights gives, but unlike the thesis's not evolved from there, so that it plays about
as Value does. Matches with Catanatron's players are played where ``OPONENTE_CATANATRON`` names a folder with its
package.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from oponente import __version__
from oponente.arena import MatchSpec
from oponente.arena.cells import bounds, number, percent
from oponente.arena.provenance import study_made
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED, Page, Section, Table, Verdict
from oponente.arena.studies.estimates import difference_interval
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.means import Cell, cell, judge_means, share_cell
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed

WIDEST_DIFFERENCE = 0.2
"""An interval of a difference of rates that holds 0 and is wider decides nothing."""
CATANATRON = "OPONENTE_CATANATRON"
"""The environment variable that names the folder with Catanatron's package."""

AGENTS: dict[str, str] = {
    "Tree Search+": "tree:3,weights=learned",
    "Tree Search": "tree:3,weights=start",
    "Value+": "value:weights=learned",
    "Neural+": "neural",
    "Value": "value:weights=start",
    "Greedy VP": "greedy-vp",
    "Weighted Random": "weighted-random",
    "Random": "random",
}
"""Our agents by the thesis's names."""
PRETRAINED = "Neural+"
"""The one whose parameters the thesis has evolved, and ours has not: it is pre-trained on the start weights alone."""
FOREIGN: dict[str, str] = {"alpha-beta": "catanatron:AB:2", "value function": "catanatron:F", "MCTS": "catanatron:M"}
"""Catanatron's players by the thesis's names."""


@dataclass(frozen=True)
class Meeting:
    """A match, and what the thesis has of it."""

    key: str
    table: str
    """Of the thesis."""
    seats: tuple[str, ...]
    """Names of the agents."""
    published: tuple[float, ...]
    """Share of the games that each kind of agent won there, in the order in which they first appear."""
    part: str
    """Which size of a scale it has: chain, table or foreign."""

    published_games: int = 1000
    """Games of the match there."""

    @property
    def kinds(self) -> list[str]:
        """The different agents, in the order in which they first appear."""
        return list(dict.fromkeys(self.seats))

    @property
    def foreign(self) -> bool:
        """Whether Catanatron is needed."""
        return any(name in FOREIGN for name in self.seats)


def _games_with(opponent: str) -> int:
    return 200 if opponent == "alpha-beta" else 1000


def _duels(table: str, part: str, rows: tuple[tuple[str, str, float], ...], sides: int = 1) -> list[Meeting]:
    return [
        Meeting(
            f"{a} v {b}, {sides} v {sides}".lower().replace(" ", "-").replace(",", ""),
            table,
            (a, b) * sides,
            (share, 1.0 - share),
            part,
            _games_with(b),
        )
        for a, b, share in rows
    ]


MEETINGS: list[Meeting] = [
    *_duels(
        "4.1",
        "chain",
        (
            ("Tree Search+", "Tree Search", 0.60),
            ("Tree Search", "Value+", 0.60),
            ("Value+", "Neural+", 0.70),
            ("Neural+", "Value", 0.52),
            ("Value", "Greedy VP", 0.99),
            ("Greedy VP", "Weighted Random", 0.60),
            ("Weighted Random", "Random", 0.55),
        ),
    ),
    Meeting("four", "4.2", ("Tree Search+", "Tree Search", "Value+", "Neural+"), (0.42, 0.22, 0.26, 0.10), "table"),
    *_duels(
        "4.3",
        "foreign",
        (("Tree Search+", "alpha-beta", 0.48), ("Value+", "value function", 0.45), ("Neural+", "MCTS", 1.0)),
    ),
    *_duels(
        "4.3",
        "foreign",
        (("Tree Search+", "alpha-beta", 0.62), ("Value+", "value function", 0.51), ("Neural+", "MCTS", 1.0)),
        sides=2,
    ),
    Meeting(
        "four-foreign",
        "4.4",
        ("Tree Search+", "alpha-beta", "value function", "MCTS"),
        (0.46, 0.33, 0.21, 0.0),
        "foreign",
        200,
    ),
]

FIGURE = "four-foreign"
"""The match of which figure 4.1 shows means."""
FIGURE_GAMES = 200
MEANS: dict[str, tuple[float, float, float, float, float, float]] = {
    "Tree Search+": (8.11, 2.16, 1.34, 0.57, 0.53, 1.06),
    "alpha-beta": (7.21, 2.71, 1.93, 0.30, 0.01, 0.04),
    "value function": (6.60, 2.73, 1.75, 0.12, 0.01, 0.12),
    "MCTS": (2.40, 2.00, 0.06, 0.00, 0.01, 0.27),
}
"""Figure 4.1: means of the facts below."""
FACTS = ("points", "settlements", "cities", "longest_road", "largest_army", "card_points")

SCALES: dict[str, dict[str, int]] = {
    "quick": {"chain": 4, "table": 4, "foreign": 0},
    "standard": {"chain": 200, "table": 200, "foreign": 20},
    "full": {"chain": 1000, "table": 1000, "foreign": 200},
}
"""Games of each match. The thesis has 1,000; 200 of those with Catanatron's alpha-beta."""


class CatanFer(Study):
    """The study; see the module.

    Args:
        agents: specs by name: others are for tests.
        meetings: the matches.
        options: of the game, the number of players left out.
    """

    name = "catan-fer"
    title = "Evaluation, learning and tree search in Catan"
    source = "Skoric: thesis, University of Zagreb, Faculty of Electrical Engineering and Computing (FER), 2022"

    def __init__(
        self,
        agents: Mapping[str, str] | None = None,
        meetings: list[Meeting] | None = None,
        options: tuple[tuple[str, str], ...] = (("trade", "false"),),
    ) -> None:
        self.agents = dict(AGENTS if agents is None else agents)
        self.meetings = list(MEETINGS if meetings is None else meetings)
        self.options = options

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            scale: f"{sizes['chain']} games of each duel, {sizes['table']} of the four best"
            + (
                f", {sizes['foreign']} of each match with Catanatron, where {CATANATRON} is set"
                if sizes["foreign"]
                else ""
            )
            for scale, sizes in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal: a run with more games may go on with those of a smaller one."""
        return {
            "study": self.name,
            "version": __version__,
            "seed": settings.seed,
            "agents": {**self.agents, **FOREIGN},
            "options": dict(self.options),
        }

    def sizes(self, settings: Settings) -> dict[str, int]:
        """Return the games of each part: `games` of the chain's duels, `match_games` of the others, if given."""
        sizes = dict(SCALES[settings.scale])
        if not os.environ.get(CATANATRON):
            sizes["foreign"] = 0
        given = {"chain": settings.games, "table": settings.match_games, "foreign": settings.match_games}
        return {part: (given[part] or games) if games else 0 for part, games in sizes.items()}

    def left_out(self, settings: Settings) -> str | None:
        """Return which tables need Catanatron, where it is not and the scale has games with it."""
        if os.environ.get(CATANATRON) or not SCALES[settings.scale]["foreign"]:
            return None
        tables = sorted({meeting.table for meeting in self.meetings if meeting.part == "foreign"})
        return (
            f"tables {' and '.join(tables)}, the games with Catanatron's players, are left out: set {CATANATRON} to a"
            " folder with the Python package catanatron"
        )

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play the matches, then judge."""
        keep.touch()
        sizes = self.sizes(settings)
        matches = {
            meeting.key: self._play(meeting, sizes[meeting.part], settings, keep, progress)
            for meeting in self.meetings
            if sizes[meeting.part]
        }
        played = [meeting for meeting in self.meetings if meeting.key in matches]
        return {
            "sizes": sizes,
            "options": dict(self.options),
            "agents": self.agents,
            "matches": {m.key: _result(m, matches[m.key]) for m in played},
            "verdicts": [
                dataclasses.asdict(verdict(m, _result(m, matches[m.key])))
                for m in played
                for verdict in (judge, compare)
            ]
            + [dataclasses.asdict(judge_figure(_result(m, matches[m.key]))) for m in played if m.key == FIGURE],
        }

    def _play(
        self, meeting: Meeting, games: int, settings: Settings, keep: Keep, progress: Progress
    ) -> Mapping[str, Any]:
        """Return the summary of a match (see :func:`oponente.arena.summary_json`)."""
        options = (("players", str(len(meeting.seats))), *self.options)
        seed = derive_seed(settings.seed, "match", meeting.key) >> 1
        agents = tuple(self._spec(name) for name in meeting.seats)
        spec = MatchSpec(GameSpec("catan", tuple(sorted(options))), agents, games, seed)
        result = play_match(spec, meeting.key, settings, keep, progress)
        return result.summary()

    def _spec(self, name: str) -> str:
        if name in self.agents:
            return self.agents[name]
        return f'{FOREIGN[name]},path="{os.environ[CATANATRON]}"'

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        return make_page(data)


def _result(meeting: Meeting, summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return the wins of each kind of agent, the same kind in several seats added up."""
    kinds = []
    for name, published in zip(meeting.kinds, meeting.published, strict=True):
        own = [a for a, seat in zip(summary["agents"], meeting.seats, strict=True) if seat == name]
        wins = sum(agent["wins"] for agent in own)
        times = [agent["mean_decision_ms"] for agent in own if agent["mean_decision_ms"] is not None]
        kinds.append(
            {
                "name": name,
                "agent": own[0]["agent"],
                "seats": len(own),
                "wins": wins,
                "win_rate": wins / summary["games"] if summary["games"] else None,
                "ci95": list(wilson_interval(wins, summary["games"])) if summary["games"] else [0.0, 1.0],
                "published": published,
                "mean_decision_ms": sum(times) / len(times) if times else None,
                "facts": {fact: own[0]["facts"][fact] for fact in FACTS} if meeting.key == FIGURE else None,
            }
        )
    return {"table": meeting.table, "games": summary["games"], "kinds": kinds}


def judge(meeting: Meeting, result: Mapping[str, Any]) -> Verdict:
    """Judge whether who won most in the thesis wins more than its share here."""
    games, kinds = result["games"], result["kinds"]
    best = max(range(len(kinds)), key=lambda i: kinds[i]["published"])
    winner = kinds[best]
    share = winner["seats"] / len(meeting.seats)
    low, high = winner["ci95"]
    others = " and ".join(kind["name"] for i, kind in enumerate(kinds) if i != best)
    return Verdict(
        key=meeting.key,
        claim=f"{winner['name']} wins more than {100 * share:.0f} % against {others}"
        f" ({len(meeting.seats)} players; thesis {100 * winner['published']:.0f} %, table {meeting.table})",
        finding=REPRODUCED if low > share else DIFFERS if high < share else UNDECIDED,
        criterion=f"95 % Wilson interval of its share of the games: reproduced above {100 * share:.0f} %, differs"
        " below, else undecided",
        evidence=f"{winner['wins']:,} of {games:,} games, {percent(winner['win_rate'])} ({bounds(winner['ci95'])}).",
        numbers={"wins": winner["wins"], "games": games, "ci95": [low, high]},
    )


def compare(meeting: Meeting, result: Mapping[str, Any]) -> Verdict:
    """Judge whether who won most in the thesis wins as often here."""
    games, kinds = result["games"], result["kinds"]
    best = max(kinds, key=lambda kind: float(kind["published"]))
    theirs = meeting.published_games
    low, high = difference_interval(best["wins"], games, best["published"] * theirs, theirs)
    names = [str(kind["name"]) for kind in kinds]
    return Verdict(
        key=f"{meeting.key}-rate",
        claim=f"{best['name']} wins {100 * best['published']:.0f} % of the games there",
        finding=DIFFERS if not low <= 0 <= high else REPRODUCED if high - low <= WIDEST_DIFFERENCE else UNDECIDED,
        criterion=f"95 % interval (Newcombe) of our rate less the thesis's, of {theirs:,} games: differs if 0 lies"
        f" outside; else reproduced if it is no wider than {100 * WIDEST_DIFFERENCE:.0f} points, undecided if it is",
        evidence=f"{percent(best['win_rate'])} here; difference {100 * low:+.1f} to {100 * high:+.1f} points.",
        remark=remark(names),
        numbers={"difference": [low, high]},
    )


def remark(names: Sequence[str]) -> str:
    """Return what is to be said of the parameters of some of our agents beside the thesis's."""
    learned = [name for name in names if name.endswith("+") and name != PRETRAINED]
    said = [
        f"Parameters of {' and '.join(learned)} are learned anew, from inputs that the thesis does not print."
        if learned
        else "The thesis's start weights and inputs are not all printed."
    ]
    if PRETRAINED in names:
        said.append(f"{PRETRAINED} is pre-trained on the start weights, as in the thesis, but not evolved from there.")
    return " ".join(said)


def figure_cells(result: Mapping[str, Any]) -> list[Cell]:
    """Return the means of figure 4.1, ours beside the thesis's."""
    return [
        (share_cell if fact in ("longest_road", "largest_army") else cell)(
            f"{kind['name']}: {fact.replace('_', ' ')}", kind["facts"][fact], theirs, FIGURE_GAMES
        )
        for kind in result["kinds"]
        for fact, theirs in zip(FACTS, MEANS[kind["name"]], strict=True)
    ]


def judge_figure(result: Mapping[str, Any]) -> Verdict:
    """Judge whether four agents end their games as in figure 4.1."""
    return judge_means(
        "figure-4-1",
        "In games of four the players end with as many points, pieces and awards as in figure 4.1",
        figure_cells(result),
        "Parameters of Tree Search+ are learned anew, from inputs that the thesis does not print.",
    )


def make_page(data: Mapping[str, Any]) -> Page:
    """Return the page for what :func:`~oponente.arena.studies.study.run_study` returned."""
    tables = []
    for name in dict.fromkeys(match["table"] for match in data["matches"].values()):
        rows = [
            (
                key,
                f"{kind['name']} (`{kind['agent']}`)",
                f"{kind['wins']:,} of {match['games']:,}",
                percent(kind["win_rate"]),
                bounds(kind["ci95"]),
                f"{100 * kind['published']:.0f} %",
                number(kind["mean_decision_ms"], ",.3f"),
            )
            for key, match in data["matches"].items()
            if match["table"] == name
            for kind in match["kinds"]
        ]
        header = ("match", "agent", "won", "win rate", "95 %", "thesis", "ms a decision")
        tables.append(Table(f"As table {name} of the thesis", header, rows))
    if FIGURE in data["matches"]:
        means = [(c.label, *c.shown()) for c in figure_cells(data["matches"][FIGURE])]
        tables.append(Table("As figure 4.1 of the thesis: means at the end", ("", "ours", "95 %", "thesis"), means))
    foreign = data["sizes"].get("foreign", 0)
    return Page(
        title=f"{data['title']}: a repeated study",
        lead=f"The games of {data['source']}, played again with the agents of oponente {data['version']}. This command"
        " repeats the measurement:",
        command=data["command"],
        facts=study_made(data),
        sections=[
            Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
            Section(
                "What was played",
                [
                    "No trade between players. The agents change seats from game to game; the games of such a round"
                    " share their board and their luck, so they are not independent of each other, though the"
                    " intervals count them as if they were. Agents play honestly: they see what their seat may see.",
                    "+ marks agents whose parameters were learned in the thesis. The weights of our Tree Search+ and"
                    " Value+ were learned by its method, on inputs of our own, since it does not print its inputs. Our"
                    f" {PRETRAINED} is only pre-trained, on the evaluation with the start weights: the thesis's network"
                    " was evolved from there, ours was not, so that it plays about as Value does.",
                    "With Catanatron's players too."
                    if foreign
                    else f"Without Catanatron's players: {CATANATRON} names no folder, or the scale has none.",
                ],
            ),
            Section("Tables", tables=tables),
        ],
        data=dict(data),
    )


STUDY = CatanFer()
