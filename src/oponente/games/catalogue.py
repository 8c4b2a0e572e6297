"""Which games there are, and how to load one by name or from a user's file, with the agents that can play it."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from oponente.agents.base import Agent
from oponente.agents.registry import GENERIC, agents_in
from oponente.agents.spec import parse_spec
from oponente.kernel import Game, RulesError, absolute, load_user_file

BUILT_IN: dict[str, str] = {
    "tictactoe": "three in a row on a 3 x 3 board",
    "connect4": "four in a row, stones fall into columns",
    "catan": "settle an island: the base game for 2 to 4 players",
    "risk": "conquer the world: 2 to 6 players, several rule sets and maps",
    "vgdl": "video games from their descriptions",
}
"""The games of the package, with a line about each."""


@dataclass(frozen=True)
class GameSpec:
    """All that another process needs to load the same game: plain values only."""

    name: str
    """The name of a built-in game, or of the game in `file`."""
    options: tuple[tuple[str, str], ...] = ()
    """The options given, as texts, sorted by name."""
    file: str | None = None
    """Absolute path of a user's game file; None for a built-in game."""

    def __post_init__(self) -> None:
        if self.file is not None:
            # A match is resumed and replayed from other folders, too.
            object.__setattr__(self, "file", absolute(self.file))

    @property
    def shown_options(self) -> dict[str, str]:
        """The options as people want to read them.

        A game whose options hold more than a user gave, such as the content of files, says in the module of its
        notation what stands for them: ``shown_options(options)``. What is kept and what machines read is all of them.
        """
        options = dict(self.options)
        if self.file is not None or self.name not in BUILT_IN:
            return options
        show = getattr(importlib.import_module(f"oponente.games.{self.name}.text"), "shown_options", dict)
        shown: dict[str, str] = show(options)
        return shown

    def load(self) -> Game:
        """Return the game. See :func:`load_game` for what is raised."""
        return load_game(self.name, dict(self.options), file=self.file)


def load_game(
    name: str | None = None, options: Mapping[str, str] | None = None, *, file: str | None = None, kept: bool = False
) -> Game:
    """Return a game with its options.

    Args:
        name: of a built-in game, ``vgdl:NAME`` for one of many; with `file`, optional.
        options: values by name, as texts; missing ones take their default.
        file: path of a Python file that holds a game's rules (and, if it likes, its notation and drawing).
        kept: whether the options come from a record, not from a user: no file that an option names is read.

    Raises:
        ValueError: there is no such game, or an option is wrong.
        UserFileError, RulesError: the file can't be loaded, or holds no complete game.
    """
    if file is not None:
        module = load_user_file(file)
        if name not in (None, getattr(module, "NAME", name)):
            raise RulesError(f"{file} holds the game {module.NAME!r}, not {name!r}")
        return Game(module, options, kept=kept)
    if name is not None and ":" in name:
        # Of a built-in game that is many, the name says which: vgdl:aliens is vgdl with the option game=aliens.
        name, _, which = name.partition(":")
        options = {**(options or {}), "game": which}
    if name not in BUILT_IN:
        raise ValueError(f"there is no game {name!r}; there are {', '.join(BUILT_IN)} (or give --game-file)")
    package = f"oponente.games.{name}"
    return Game(
        importlib.import_module(f"{package}.rules"),
        options,
        text=importlib.import_module(f"{package}.text"),
        draw=importlib.import_module(f"{package}.draw"),
        heuristics=_optional_module(f"{package}.heuristics"),
        facts=_optional_module(f"{package}.facts"),
        kept=kept,
    )


def is_built_in(game: Game) -> bool:
    """Return whether a game is one of the package's, not one of a user's, whatever that is called."""
    return game.rules.__name__ == f"{_PACKAGE}.games.{game.name}.rules"


def agent_classes(game: Game, agent_files: Iterable[str] = ()) -> list[type[Agent]]:
    """Return the agents that may play `game`: generic ones, the game's own, other engines', the user's.

    An agent replaces an earlier one of the same name, so a user's file can put its own in place of ours.
    """
    found: dict[str, type[Agent]] = {agent.name: agent for agent in GENERIC}
    own = _game_agents(game)
    if own is not None:
        found |= {agent.name: agent for agent in agents_in(own)}
    # By name: what joins us with other engines is above the games, and they do without it.
    foreign = importlib.import_module(f"{_PACKAGE}.interop.agents")
    found |= {agent.name: agent for agent in foreign.agents_for(game)}
    for file in agent_files:
        found |= {agent.name: agent for agent in _user_agents(file)}
    return list(found.values())


def make_agent(spec: str, game: Game, agent_files: Iterable[str] = ()) -> Agent:
    """Return the agent that `spec` describes, checked to be able to play `game`.

    The evaluators, playout policies, priors and beliefs in the user's files join those of the game.

    Raises:
        ValueError: with one line that says what is wrong and what would be right.
    """
    for file in agent_files:
        module = load_user_file(file)
        _join(game.evaluators, getattr(module, "EVALUATORS", {}), f"{file}: evaluator")
        _join(game.policies, getattr(module, "POLICIES", {}), f"{file}: playout policy")
        _join(game.priors, getattr(module, "PRIORS", {}), f"{file}: prior")
        _join(game.beliefs, getattr(module, "BELIEFS", {}), f"{file}: belief")
    agent = parse_spec(spec, agent_classes(game, agent_files))
    agent.check(game)
    return agent


def _join(known: dict[str, Any], new: Mapping[str, Any], what: str) -> None:
    """Add what a user's file brings; a name that means something else already is refused."""
    for name, value in new.items():
        if known.setdefault(name, value) is not value:
            raise ValueError(f"{what} {name!r} has the name of another one: give it a name of its own")


def _user_agents(file: str) -> list[type[Agent]]:
    """Return the agents of a user's file, which may hold none if it holds evaluators or playout policies instead."""
    module = load_user_file(file)
    if any(hasattr(module, name) for name in ("EVALUATORS", "POLICIES", "PRIORS", "BELIEFS")):
        return agents_in(module, required=False)
    return agents_in(module)


def _game_agents(game: Game) -> ModuleType | None:
    """Return the module ``agents`` beside the rules of a built-in game, if there is one."""
    return _optional_module(f"{_PACKAGE}.games.{game.name}.agents") if is_built_in(game) else None


_PACKAGE = __name__.partition(".")[0]


def _optional_module(name: str) -> ModuleType | None:
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
