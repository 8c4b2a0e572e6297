"""The server games of Paz and Rubin (PUCRS, 2016) in Catan, repeated offline: against three JSettlers robots.

The thesis played MCTS and UCT against robots on a JSettlers server, on random boards, with trade. Here the robots are
our agent ``jsettlers``, which decides as they do; a game is played by the server's rules (preset ``jsettlers``), with
number tokens laid at random as the server does. The agents change seats from game to game. Tables 6.1 to 6.3 of the
thesis stand beside ours. Where the environment names a server, the same agents play there, too, as in the thesis.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from oponente import __version__
from oponente.arena import MatchSpec
from oponente.arena.cells import bounds, number, percent
from oponente.arena.provenance import study_made
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.catan_jsettlers_tables import facts_table, troubles_table, wins_table
from oponente.arena.studies.catan_pucrs_verdicts import WIDEST_DIFFERENCE
from oponente.arena.studies.document import Page, Section, Table, Verdict, beside_published
from oponente.arena.studies.estimates import difference_interval
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.means import Cell, cell, judge_means, share_cell
from oponente.arena.studies.study import Progress, Settings, Study, play_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import derive_seed

COOKIE = "OPONENTE_JSETTLERS_COOKIE"
"""The variable that gives a server."""
OPTIONS: tuple[tuple[str, str], ...] = (("numbers", "random"), ("preset", "jsettlers"), ("turn_limit", "400"))
ROBOTS = ("jsettlers",) * 3
MCTS1000, UCT1000, UCT10000, STRONG = "mcts-1000", "uct-1000", "uct-10000", "strong"
AGENTS: dict[str, str] = {
    MCTS1000: "mcts:iterations=1000",
    UCT1000: "uct:iterations=1000",
    UCT10000: "uct:iterations=10000",
    STRONG: "strong:iterations=1000",
}
"""Who plays against three robots, by the name of the match: the thesis's agents, and our strongest."""
SCALES: dict[str, dict[str, int]] = {
    "quick": {MCTS1000: 4, UCT1000: 4, UCT10000: 0, STRONG: 0},
    "standard": {MCTS1000: 200, UCT1000: 200, UCT10000: 100, STRONG: 200},
    "full": {MCTS1000: 1000, UCT1000: 1000, UCT10000: 400, STRONG: 1000},
}
"""Games of each match."""
ON_SERVER = {"quick": 0, "standard": 100, "full": 200}
"""Games of each agent on a real server."""


@dataclasses.dataclass(frozen=True)
class Published:
    """What the thesis has of one of its agents on the server."""

    games: int
    wins: int
    robots: tuple[float, float, float]
    """Win rates of the three robots in percent."""
    turns: float
    """Turns to the agent's wins, in the mean."""
    points: tuple[float, float]
    """Mean and standard deviation of the agent's points."""
    facts: tuple[float, ...]
    """Mean roads, settlements, cities and knights; longest road and largest army in percent."""


PUBLISHED: dict[str, Published] = {
    MCTS1000: Published(101, 10, (28.71, 23.76, 37.62), 74.70, (6.16, 2.18), (7.65, 1.92, 1.50, 1.00, 31.68, 9.90)),
    UCT1000: Published(125, 34, (20.80, 24.00, 28.00), 81.59, (7.33, 2.23), (7.67, 1.90, 1.74, 1.50, 45.60, 24.80)),
    UCT10000: Published(125, 47, (20.80, 24.00, 17.60), 78.64, (7.78, 2.29), (7.90, 1.81, 1.86, 1.59, 55.20, 28.80)),
}
"""Tables 6.1 to 6.3: the searches knew the true state of the game as far as the server tells it."""
FACTS = ("roads", "settlements", "cities", "knights", "longest_road", "largest_army")
_SHARES = FACTS[4:]
_SERVER = "The thesis played on a server, against robots of an older version."


@dataclasses.dataclass(frozen=True)
class Place:
    """Where games were played, in the words of verdicts."""

    suffix: str
    where: str
    remark: str


OFFLINE = Place("", "", _SERVER)
SERVER = Place("-server", " on a server", "The thesis's robots were of an older version.")


class CatanJSettlers(Study):
    """The study; see the module.

    Args:
        agents: who plays in each match, and against whom: others are for tests.
        options: of the game.
    """

    name = "catan-jsettlers"
    title = "Monte Carlo tree search against JSettlers robots in Catan"
    source = "Paz, Rubin: thesis, Pontifícia Universidade Católica do Rio Grande do Sul (PUCRS), 2016"

    def __init__(
        self,
        agents: Mapping[str, str] = AGENTS,
        robots: tuple[str, ...] = ROBOTS,
        options: tuple[tuple[str, str], ...] = OPTIONS,
    ) -> None:
        self.agents, self.robots = dict(agents), robots
        self.game = GameSpec("catan", options)

    def scale_lines(self) -> dict[str, str]:
        """Return the sizes of each scale as a line."""
        return {
            scale: "games: "
            + ", ".join(f"{games} of {name}" for name, games in sizes.items() if games)
            + (f"; {ON_SERVER[scale]} of each on a server, where {COOKIE} is set" if ON_SERVER[scale] else "")
            for scale, sizes in SCALES.items()
        }

    def identity(self, settings: Settings) -> dict[str, Any]:
        """Return what makes games equal: a run with more games may go on with those of a smaller one."""
        return {
            "study": self.name,
            "version": __version__,
            "seed": settings.seed,
            "agents": self.agents,
            "robots": list(self.robots),
            "options": dict(self.game.options),
            "server": None if settings.server is None else str(settings.server),
        }

    def left_out(self, settings: Settings) -> str | None:
        """Return how a server is given, where none is and the scale has games on it."""
        if not ON_SERVER[settings.scale] or settings.server is not None:
            return None
        return (
            f"the games on a real JSettlers server are left out: set {COOKIE} to the word by which it knows its robots,"
            " and if need be OPONENTE_JSETTLERS_HOST and OPONENTE_JSETTLERS_PORT"
        )

    def sizes(self, settings: Settings) -> dict[str, int]:
        """Return the games of each match: `games` of the first, `match_games` of the others, if they are given."""
        sizes = dict(SCALES[settings.scale])
        for place, name in enumerate(sizes):
            given = settings.match_games if place else settings.games
            sizes[name] = sizes[name] if given is None else given
        return {name: games for name, games in sizes.items() if games and name in self.agents}

    def measure(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Play the matches, then judge."""
        if settings.server is not None and ON_SERVER[settings.scale]:
            settings.server.check()
        keep.touch()
        sizes = self.sizes(settings)
        matches = {name: self._play(name, games, settings, keep, progress) for name, games in sizes.items()}
        on_server = self._play_on_server(settings, keep, progress)
        verdicts = [
            *(judge(name, match["agents"][0]["wins"], match["games"], OFFLINE) for name, match in matches.items()),
            *(judge(name, match["agent"]["wins"], match["games"], SERVER) for name, match in on_server.items()),
            *(
                verdict(name, matches[name])
                for name in matches
                if name in PUBLISHED
                for verdict in (judge_table_62, judge_table_63)
            ),
        ]
        return {
            "sizes": sizes,
            "options": dict(self.game.options),
            "matches": matches,
            "server": None if settings.server is None else str(settings.server),
            "on_server": on_server,
            "verdicts": [dataclasses.asdict(verdict) for verdict in verdicts],
        }

    def _play_on_server(self, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Return the statistics of each agent's games on the given server; nothing without one."""
        server, games = settings.server, ON_SERVER[settings.scale]
        if server is None or not games:
            return {}
        wanted = games if settings.match_games is None else settings.match_games
        return {
            name: server.play(name, agent, wanted, settings, keep, progress)
            for name, agent in self.agents.items()
        }  # fmt: skip

    def _play(self, name: str, games: int, settings: Settings, keep: Keep, progress: Progress) -> dict[str, Any]:
        """Return the summary of a match (see :func:`oponente.arena.summary_json`)."""
        seed = derive_seed(settings.seed, "match", name) >> 1
        spec = MatchSpec(self.game, (self.agents[name], *self.robots), games, seed)
        result = play_match(spec, name, settings, keep, progress)
        return result.summary()

    def page(self, data: Mapping[str, Any]) -> Page:
        """Return the page that shows the data."""
        matches = data["matches"]
        options = ", ".join(f"{key} = {value}" for key, value in data["options"].items())
        return Page(
            title=f"{data['title']}: a repeated study",
            lead=f"The server games of {data['source']}, played again by oponente {data['version']} against its own"
            " JSettlers robots. This command repeats the measurement:",
            command=data["command"],
            facts=study_made(data),
            sections=[
                Section("Findings", verdicts=[Verdict(**verdict) for verdict in data["verdicts"]]),
                Section(
                    "What was played",
                    [
                        f"Options of the game: {options}. Our agents play honestly: they search on positions drawn from"
                        " what they may know. The opponents are not the thesis's robots, but the agent `jsettlers`."
                    ],
                ),
                Section("Table 6.1: wins", tables=[_wins(matches)]),
                Section("Table 6.2: points", tables=[_points(matches)]),
                Section("Table 6.3: pieces, knights and awards", tables=[_facts(matches)]),
                *_server_sections(data),
            ],
            data=dict(data),
        )


def _server_sections(data: Mapping[str, Any]) -> list[Section]:
    matches = data["on_server"]
    if not matches:
        return []
    told = "The same agents against three robots of a JSettlers server each, on boards that it laid."
    tables = [wins_table(matches), facts_table(matches, FACTS), troubles_table(matches)]
    return [Section("On a server", [told], tables=tables)]


def _beside(name: str) -> Published:
    """Return what the thesis has of an agent; for our own what it has of its best one."""
    return PUBLISHED.get(name, PUBLISHED[UCT10000])


def judge(name: str, won: int, games: int, place: Place) -> Verdict:
    """Judge whether a search wins as often against three robots as in the thesis, our own as often as its best."""
    published = _beside(name)
    low, high = difference_interval(won, games, published.wins, published.games)
    rate = 100 * published.wins / published.games
    robots = f"three JSettlers robots{place.where}"
    return Verdict(
        key=f"{name}{place.suffix}",
        claim=f"{name} wins {rate:.1f} % against {robots}"
        if name in PUBLISHED
        else f"the best agent of the thesis, {UCT10000}, wins {rate:.1f} % against three JSettlers robots, and {name}"
        f" as often against {robots}",
        finding=beside_published(low, high, WIDEST_DIFFERENCE),
        criterion="95 % interval (Newcombe) of our rate less the thesis's. Exceeded if it lies above 0, differs if"
        " below; else reproduced if it is no wider than 30 percentage points, undecided if it is",
        evidence=f"{won:,} of {games:,} games, {percent(won / games)} ({bounds(wilson_interval(won, games))});"
        f" difference {100 * low:+.1f} to {100 * high:+.1f} points.",
        remark=place.remark,
        numbers={
            "wins": won,
            "games": games,
            "published": [published.wins, published.games],
            "difference": [low, high],
        },
    )


def _wins(matches: Mapping[str, Any]) -> Table:
    rows = []
    for name, match in matches.items():
        agents = match["agents"]
        rows.append(
            (name, "ours", f"{match['games']:,}", *(percent(agent["win_rate"]) for agent in agents))
            + (number(agents[0]["facts"]["turns"]["won"]["mean"], ".1f"),)
        )
        if thesis := PUBLISHED.get(name):
            rows.append(
                (name, "thesis", f"{thesis.games:,}", percent(thesis.wins / thesis.games))
                + tuple(percent(rate / 100) for rate in thesis.robots)
                + (f"{thesis.turns:.1f}",)
            )
    header = ("match", "", "games", "agent won", "robot 1", "robot 2", "robot 3", "turns to win")
    return Table("Games won, and turns of all players together until the agent's wins", header, rows)


def points_cell(name: str, match: Mapping[str, Any]) -> Cell:
    """Return the agent's points at the end beside the thesis's."""
    published = _beside(name)
    mean, sd = published.points
    return cell("points", match["agents"][0]["facts"]["points"], mean, published.games, sd)


def fact_cells(name: str, match: Mapping[str, Any]) -> list[Cell]:
    """Return the agent's pieces, knights and awards at the end beside the thesis's."""
    published, found = _beside(name), match["agents"][0]["facts"]
    return [
        share_cell(fact.replace("_", " "), found[fact], value / 100, published.games)
        if fact in _SHARES
        else cell(fact, found[fact], value, published.games)
        for fact, value in zip(FACTS, published.facts, strict=True)
    ]


def judge_table_62(name: str, match: Mapping[str, Any]) -> Verdict:
    """Judge whether an agent makes as many points as in the thesis."""
    claim = f"{name} has as many points in the end as in table 6.2"
    return judge_means(f"{name}-points", claim, [points_cell(name, match)], _SERVER)


def judge_table_63(name: str, match: Mapping[str, Any]) -> Verdict:
    """Judge whether an agent builds, and has the awards, as in the thesis."""
    claim = f"{name} has as many pieces, knights and awards in the end as in table 6.3"
    return judge_means(f"{name}-facts", claim, fact_cells(name, match), _SERVER)


def _points(matches: Mapping[str, Any]) -> Table:
    rows = []
    for name, match in matches.items():
        mean, interval, theirs = points_cell(name, match).shown()
        thesis = (theirs, f"{PUBLISHED[name].points[1]:.2f}") if name in PUBLISHED else ("-", "-")
        rows.append((name, mean, interval, number(match["agents"][0]["facts"]["points"]["sd"], ".2f"), *thesis))
    header = ("match", "mean", "95 %", "sd", "thesis: mean", "thesis: sd")
    return Table("The agent's points at the end", header, rows)


def _facts(matches: Mapping[str, Any]) -> Table:
    rows = []
    for name, match in matches.items():
        for c in fact_cells(name, match):
            mean, interval, theirs = c.shown()
            rows.append((name, c.label, mean, interval, theirs if name in PUBLISHED else "-"))
    return Table("The agent's means", ("match", "", "ours", "95 %", "thesis"), rows)


STUDY = CatanJSettlers()
