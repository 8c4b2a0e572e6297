"""Which games and agents the page offers, and what in them may be chosen there.

A browser may not name files or programs of this machine: options and parameters that are paths, or are read from files,
can't be given from the page, and agents that need any are not offered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from oponente.agents.base import Agent, SearchAgent
from oponente.agents.registry import about
from oponente.agents.spec import split_spec
from oponente.games.catalogue import BUILT_IN, agent_classes, load_game, make_agent
from oponente.games.risk.world import CLASSIC
from oponente.games.vgdl.loading import OWN_GAMES
from oponente.kernel import Declared, Game, declared

TEXTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("vgdl", "game"): OWN_GAMES,
    ("catan", "board"): ("variable", "beginner"),
    ("risk", "map"): (CLASSIC,),
    ("risk", "start"): ("drawn", "thesis"),
}
"""What may be chosen of options that are texts; no other texts can be given."""
HIDDEN = {("vgdl", "clock"), ("vgdl", "nil"), ("vgdl", "compat"), ("vgdl", "strict")}
"""Options that make no sense for people."""
FILES = {"tree"}
"""Parameters of agents that name files."""
_NAME = re.compile(r"[A-Za-z0-9_+.\-]*")
DEFAULT_OPPONENTS = {"catan": "simple", "risk": "lux-pixie", "vgdl": "random", "connect4": "alphabeta:depth=8"}
OPPONENT = "uct:time=1"
ANALYSTS = {"connect4": "mcts:time=5", "catan": "uct:time=5,reward=win", "risk": "uct:time=5,reward=win"}
ANALYST = "uct:time=5"


def games() -> list[dict[str, Any]]:
    """Return the games with a line about each."""
    return [{"game": name, "about": text} for name, text in BUILT_IN.items()]


def chosen_game(name: str, options: Mapping[str, str]) -> Game:
    """Return a game with options that were chosen on the page.

    Raises:
        ValueError: there is none, or an option can't be chosen so.
    """
    if name not in BUILT_IN:
        raise ValueError(f"there is no game {name!r}; there are {', '.join(BUILT_IN)}")
    kinds = _options(name)
    for key, value in options.items():
        texts = TEXTS.get((name, key))
        if texts is not None and value not in texts:
            raise ValueError(f"{key} can be {' or '.join(texts)} here; files are for the command line")
        if texts is None and key in kinds and not _offered(kinds[key]):
            raise ValueError(f"{key} can't be chosen here: it is for the command line")
    return load_game(name, options, kept=True)


@cache
def _options(name: str) -> dict[str, Declared]:
    return {field.name: field for field in declared(type(load_game(name).options))}


def _offered(field: Declared) -> bool:
    return field.kind != "str" or bool(field.choices)


def describe(game: Game) -> dict[str, Any]:
    """Return what can be chosen of a game: options and agents, as plain values."""
    options = []
    for field in declared(type(game.options)):
        texts = TEXTS.get((game.name, field.name))
        if (texts is None and not _offered(field)) or (game.name, field.name) in HIDDEN:
            continue
        options.append({**field.describe(), **({"choices": list(texts)} if texts else {})})
    return {
        "game": game.name,
        "players": game.num_players,
        "options": options,
        "values": game.changed_options,
        "agents": [_agent(cls) for cls in offered_agents(game)],
        "opponent": DEFAULT_OPPONENTS.get(game.name, OPPONENT),
        "analyst": ANALYSTS.get(game.name, ANALYST),
        "real_time": moves_on(game),
        "hidden": not game.perfect_information,
    }


def offered_agents(game: Game) -> list[type[Agent]]:
    """Return the agents that play a game and need no file or program."""
    return [cls for cls in agent_classes(game) if cls.name != "human" and not cls.required and _plays(cls, game)]


def _plays(cls: type[Agent], game: Game) -> bool:
    try:
        cls().check(game)
    except Exception:
        return False
    return True


def _agent(cls: type[Agent]) -> dict[str, Any]:
    return {
        "agent": cls.name,
        "about": about(cls),
        "explains": issubclass(cls, SearchAgent),
        "parameters": [field.describe() for field in declared(cls.Parameters) if _settable(field)],
    }


def _settable(field: Declared) -> bool:
    return field.given is None and field.name not in FILES


def chosen_agent(spec: str, game: Game) -> Agent:
    """Return the agent that a spec from the page describes.

    Raises:
        ValueError: there is none, or the spec names a file or program.
    """
    name, values = split_spec(spec)
    cls = next((cls for cls in offered_agents(game) if cls.name == name), None)
    if cls is None:
        raise ValueError(f"there is no agent {name!r} for {game.name} here")
    fields = declared(cls.Parameters)
    kinds = {field.name: field for field in fields}
    for place, (key, value) in enumerate(values):
        field = kinds.get(key) if key else fields[place] if place < len(fields) else None
        if field is None:
            continue  # make_agent says what is wrong
        if not _settable(field):
            raise ValueError(f"agent {name}: {field.name} can't be chosen here: it is for the command line")
        if field.kind == "str" and not field.choices and not _NAME.fullmatch(value):
            raise ValueError(f"agent {name}: {field.name} can only be a name here")
    return make_agent(spec, game)


def moves_on(game: Game) -> bool:
    """Tell whether a game does not wait for its players."""
    return hasattr(game.draw, "FRAME_MS")


def colours(game: Game) -> Sequence[str]:
    """Return the colours in which a game draws its seats; none if it does not say."""
    return tuple(getattr(game.draw, "SEAT_COLOURS", ()))
