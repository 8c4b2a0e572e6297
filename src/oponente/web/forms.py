"""Which games and agents the page offers, and what in them may be chosen there.

A browser may not name files or programs of this machine: options and parameters that are paths, or are read from files,
can't be given from the page, and agents that need any are not offered. What takes much memory is bounded. Games and
agents of the user's own are those in the files that whoever starts the server names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from oponente.agents.base import Agent
from oponente.agents.registry import about
from oponente.agents.spec import split_spec
from oponente.arena.play import close
from oponente.arena.replay import Recording, ReplayError
from oponente.games.catalogue import BUILT_IN, GameSpec, agent_classes, load_game, make_agent
from oponente.games.risk.world import CLASSIC
from oponente.games.vgdl.loading import OWN_GAMES, levels
from oponente.kernel import Declared, Game, absolute, declared
from oponente.search.network_files import names_network

TEXTS: dict[tuple[str, str], tuple[str, ...]] = {
    ("vgdl", "game"): OWN_GAMES,
    ("catan", "board"): ("variable", "beginner"),
    ("risk", "map"): (CLASSIC,),
    ("risk", "start"): ("drawn", "thesis"),
}
"""What may be chosen of options that are texts; no other texts can be given."""
NUMBERS: dict[tuple[str, str], Callable[[Any], list[int]]] = {("vgdl", "level"): levels}
"""Which numbers there are to choose from, by the options, where a range would promise too many."""
HIDDEN = {("vgdl", "clock"), ("vgdl", "nil"), ("vgdl", "compat"), ("vgdl", "strict")}
"""Options that make no sense for people."""
FIRST = ("players", "game", "level")
"""Options that are asked for before all others."""
FILES = {"tree", "python"}
"""Parameters of agents that name files or programs."""
NAMES = {"evaluation", "estimate"}
"""Parameters of agents that name something of the game, or files: here they may only name something of the game."""
MOST: dict[str, int] = {"capacity": 5_000_000, "table": 256, "threads": os.cpu_count() or 1}
"""Parameters of agents that may not be as large here as elsewhere: nodes of a tree, MiB, threads."""
_NAME = re.compile(r"[A-Za-z0-9_+.\-]*")
DEFAULT_OPPONENTS = {"catan": "simple", "risk": "lux-pixie", "vgdl": "random", "connect4": "alphabeta:depth=8"}
OPPONENT = "uct:time=1"
ANALYSTS = {
    "connect4": "mcts:time=5",
    "catan": "uct:time=5,reward=win",
    "risk": "uct:time=5,reward=win",
    "vgdl": "olets:time=5",
}
ANALYST = "uct:time=5"


class Menu:
    """The games and agents that a server offers.

    Args:
        game_files: Python files that hold the rules of games of the user's own.
        agent_files: Python files with agents of the user's own.

    Raises:
        ValueError, UserFileError, RulesError: a file can't be loaded, or holds a game whose name another one has.
    """

    def __init__(self, game_files: Sequence[str] = (), agent_files: Sequence[str] = ()) -> None:
        self.agent_files = tuple(map(absolute, agent_files))
        self._files: dict[str, str] = {}
        self._about = dict(BUILT_IN)
        for file in game_files:
            game = load_game(file=file)
            if game.name in self._about:
                raise ValueError(f"{file}: there is a game {game.name!r} already: give NAME another value")
            self._files[game.name] = absolute(file)
            self._about[game.name] = " ".join((game.rules.__doc__ or "").strip().split("\n\n")[0].split())[:120]
        if self.agent_files:
            agent_classes(load_game("tictactoe"), self.agent_files)  # what is wrong with them shows here
        self._kinds = lru_cache(maxsize=64)(self._kinds_of)
        self._players = lru_cache(maxsize=None)(self._players_of)

    def games(self) -> list[dict[str, Any]]:
        """Return the games with a line about each, and for how many players each is unless an option says otherwise."""
        return [{"game": name, "about": text, "players": self._players(name)} for name, text in self._about.items()]

    def spec(self, game: Game) -> GameSpec:
        """Return what a match needs to load a game of this menu."""
        return GameSpec(game.name, tuple(sorted(game.changed_options.items())), self._files.get(game.name))

    def load(self, name: str, options: Mapping[str, str], *, kept: bool = True) -> Game:
        """Return a game; see :func:`~oponente.games.catalogue.load_game`.

        Args:
            name: of the game.
            options: `changed_options` of an earlier game or, if not `kept`, what was chosen and is known to name no
                files.
            kept: which of both.
        """
        return load_game(name, options, file=self._files.get(name), kept=kept)

    def load_recorded(self, recording: Recording) -> Game:
        """Return the game of a recording; that of a user's file only if it is on the menu.

        Raises:
            ReplayError: it is not, or an option is none that this version knows.
        """
        file = recording.game.file
        if file is not None and self._files.get(recording.game.name) != file:
            raise ReplayError(
                f"this is a game of {recording.game.name}, whose rules are in a file: start the server with "
                "--game-file, if you trust that file"
            )
        return recording.load_game(file)

    def shows(self, spec: GameSpec) -> bool:
        """Tell whether games of a match can be looked at here."""
        return spec.file is None or self._files.get(spec.name) == spec.file

    def chosen_game(self, name: str, options: Mapping[str, str]) -> Game:
        """Return a game with options that were chosen on the page.

        Raises:
            ValueError: there is none, or an option can't be chosen so.
        """
        if name not in self._about:
            raise ValueError(f"there is no game {name!r}; there are {', '.join(self._about)}")
        kinds = self._kinds(name)
        for key, value in options.items():
            texts = TEXTS.get((name, key))
            if texts is not None and value not in texts:
                raise ValueError(f"{key} can be {' or '.join(texts)} here; files are for the command line")
            if texts is None and key in kinds and not _offered(kinds[key]):
                raise ValueError(f"{key} can't be chosen here: it is for the command line")
        return self.load(name, options, kept=False)

    def _kinds_of(self, name: str) -> dict[str, Declared]:
        return {field.name: field for field in declared(type(self.load(name, {}, kept=False).options))}

    def _players_of(self, name: str) -> int:
        return self.load(name, {}, kept=False).num_players

    def describe(self, game: Game) -> dict[str, Any]:
        """Return what can be chosen of a game: options and agents, as plain values."""
        options = []
        for field in declared(type(game.options)):
            texts = TEXTS.get((game.name, field.name))
            if (texts is None and not _offered(field)) or (game.name, field.name) in HIDDEN:
                continue
            if texts is not None and len(texts) == 1:
                continue  # there is nothing to choose
            numbers = NUMBERS.get((game.name, field.name))
            listed = list(texts or ()) if numbers is None else list(map(str, numbers(game.options)))
            shown = {**field.describe(), **({"choices": listed} if listed else {})}
            options.append({**shown, "first": field.name in FIRST})
        return {
            "game": game.name,
            "players": game.num_players,
            "options": options,
            "agents": [_agent(cls) for cls in self.agents(game)],
            "opponent": DEFAULT_OPPONENTS.get(game.name, OPPONENT),
            "analyst": analyst(game),
            "colours": colours(game),
            "real_time": moves_on(game),
        }

    def agents(self, game: Game) -> list[type[Agent]]:
        """Return the agents that play a game and need no file or program."""
        return [
            cls
            for cls in agent_classes(game, self.agent_files)
            if cls.name != "human" and not cls.required and _plays(cls, game)
        ]

    def chosen_agent(self, spec: str, game: Game) -> Agent:
        """Return the agent that a spec from the page describes.

        Raises:
            ValueError: there is none, or the spec names a file or program, or asks for too much memory.
        """
        name, values = split_spec(spec)
        cls = next((cls for cls in self.agents(game) if cls.name == name), None)
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
            named = _NAME.fullmatch(value) and not names_network(value)
            if field.kind == "str" and not field.choices and not named:
                raise ValueError(f"agent {name}: {field.name} can only be a name here")
        agent = make_agent(spec, game, self.agent_files)
        for key, most in MOST.items():
            if (getattr(agent.parameters, key, 0) or 0) > most:
                close(agent)
                raise ValueError(f"agent {name}: {key} can be at most {most} here")
        return agent


def _offered(field: Declared) -> bool:
    return field.kind != "str" or bool(field.choices)


def _plays(cls: type[Agent], game: Game) -> bool:
    try:
        cls().check(game)
    except Exception:
        return False
    return True


def _agent(cls: type[Agent]) -> dict[str, Any]:
    parameters = []
    for field in declared(cls.Parameters):
        if _settable(field):
            shown = field.describe()
            most = MOST.get(field.name)
            if most is not None and shown["high"] is not None:
                shown["high"] = min(shown["high"], most)
            parameters.append(shown)
    return {
        "agent": cls.name,
        "about": about(cls),
        "parameters": parameters,
    }


def _settable(field: Declared) -> bool:
    return (field.given is None or field.name in NAMES) and field.name not in FILES


def analyst(game: Game) -> str:
    """Return the agent that is asked about a game unless another one is chosen."""
    return ANALYSTS.get(game.name, ANALYST)


def moves_on(game: Game) -> bool:
    """Tell whether a game does not wait for its players."""
    return hasattr(game.draw, "FRAME_MS")


def colours(game: Game) -> Sequence[str]:
    """Return the colours in which a game draws its seats; none if it does not say."""
    return tuple(getattr(game.draw, "SEAT_COLOURS", ()))
