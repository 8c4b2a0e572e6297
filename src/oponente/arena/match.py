"""What a match is, and its schedule: which agent sits where in which game.

Games come in *blocks* of as many games as there are players. All games of a block share their start position, their
random opening and their stream of chance, and the agents move on by one seat from game to game. So over a block
every agent sits in every seat once and has the same luck there (*paired* games): a lucky start favours nobody, and
differences between agents show in fewer games. In a match with fixed seats nobody moves, and every game is a block of
its own: else the same game would be played several times.

All chance derives from the seed of the match and the place where it is used, so a game depends on nothing but the
match and its index: any number of workers, in any order, play the same games.
"""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, absolute, derive_seed, load_user_file
from oponente.kernel.sources import closure

SEED_RANGE = 1 << 63


@dataclass(frozen=True)
class MatchSpec:
    """A match, as plain values that any process can play from.

    Raises:
        ValueError: a number is out of range.
    """

    game: GameSpec
    agents: tuple[str, ...]
    """Agent specs, one per player of the game."""
    games: int = 100
    """How many games; whole blocks are balanced, so best a multiple of the number of players."""
    seed: int = 0
    """From which all chance of the match derives, at most 63 bits."""
    agent_files: tuple[str, ...] = ()
    """Absolute paths of the user's Python files that hold agents."""
    opening_plies: int = 0
    """How many random actions open each game, to tell apart agents that always play the same game."""
    seconds: float | None = None
    """Time for each decision; None: the agents' own limits. The clock is the agents' to obey: nobody forfeits on it."""
    max_plies: int | None = None
    """After so many actions and chance outcomes a game ends as a draw; None: never."""
    rotate: bool = True
    """Whether the agents move on by one seat from game to game; if not, agent i always has seat i."""

    def __post_init__(self) -> None:
        files = tuple(map(absolute, self.agent_files))
        object.__setattr__(self, "agent_files", files)
        if not self.agents:
            raise ValueError("a match needs agents: one per player of the game")
        if self.games < 1:
            raise ValueError(f"a match of {self.games} games: at least 1 is needed")
        if not -SEED_RANGE <= self.seed < SEED_RANGE:
            raise ValueError(f"seed {self.seed}: expected a number of at most 63 bits")
        if self.opening_plies < 0:
            raise ValueError(f"{self.opening_plies} random opening plies: expected 0 or more")
        if self.seconds is not None and not 0 < self.seconds < float("inf"):
            raise ValueError(f"{self.seconds} seconds per decision: expected a positive number")
        if self.max_plies is not None and self.max_plies <= self.opening_plies:
            raise ValueError(
                f"a limit of {self.max_plies} plies: expected more than the {self.opening_plies} of the opening"
            )

    def check_players(self, game: Game) -> None:
        """Raise ValueError unless there is one agent for each player of `game`."""
        if len(self.agents) != game.num_players:
            raise ValueError(
                f"{game.name} is played by {game.num_players} agents, one per player; given: {len(self.agents)}"
                f" ({', '.join(self.agents)})"
            )

    def normalised(self, game: Game) -> MatchSpec:
        """Return the same match with those options of `game` only that differ from their default."""
        return replace(self, game=replace(self.game, options=tuple(sorted(game.changed_options.items()))))

    def values(self) -> dict[str, Any]:
        """Return all that is stored of a match, as plain values by name."""
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "game_file": self.game.file,
            "agents": list(self.agents),
            "agent_files": list(self.agent_files),
            "games": self.games,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "seconds": self.seconds,
            "max_plies": self.max_plies,
            "rotate": self.rotate,
        }

    # --- identity --------------------------------------------------------------------------------------------------

    @property
    def digest(self) -> str:
        """Return 32 hexadecimal digits that tell apart matches: equal if every game would be the same.

        The number of games is left out, so that a match can be prolonged. Options that are given and have their
        default make no difference. The user's files count by content, not by path, and with all modules of the user's
        that they have imported: an edited agent, or helper of an agent, plays another match.

        Raises:
            ValueError: a file can't be read, or an option is wrong.
            UserFileError, RulesError: a file can't be loaded.
        """
        return hashlib.blake2b(json.dumps(self._identity(), sort_keys=True).encode(), digest_size=16).hexdigest()

    def _identity(self) -> dict[str, Any]:
        game_file = None if self.game.file is None else file_digest(self.game.file)
        game = self.game.load()
        identity = {
            "game": self.game.name,
            "options": sorted(game.changed_options.items()),
            "game_file": game_file,
            "agents": self.agents,
            "agent_files": [file_digest(file) for file in self.agent_files],
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "seconds": self.seconds,
            "max_plies": self.max_plies,
        }
        # Only where it is not as ever, so that older matches keep their digest.
        return identity if self.rotate else {**identity, "rotate": False}

    # --- schedule --------------------------------------------------------------------------------------------------

    def block(self, index: int) -> int:
        """Return the block that a game belongs to: with fixed seats, one of its own."""
        return index // len(self.agents) if self.rotate else index

    def seating(self, index: int) -> tuple[int, ...]:
        """Return the agent in each seat of a game.

        >>> spec = MatchSpec(GameSpec("connect4"), ("random", "random"))
        >>> spec.seating(0), spec.seating(1), spec.seating(2)
        ((0, 1), (1, 0), (0, 1))
        """
        players = len(self.agents)
        return tuple((seat + index * self.rotate) % players for seat in range(players))

    def start_seed(self, index: int) -> int:
        """Return the seed of the start position, the same for a whole block, at most 63 bits."""
        return derive_seed(self.seed, "start", self.block(index)) >> 1

    def game_seed(self, index: int) -> int:
        """Return the seed below which all chance of the agents in one game derives."""
        return derive_seed(self.seed, "decisions", index)


def decision_seed(game_seed: int, seat: int, ply: int) -> int:
    """Return the seed of all chance that an agent needs for one decision; see :meth:`MatchSpec.game_seed`."""
    return derive_seed(game_seed, seat, ply)


def file_digest(path: str) -> str:
    """Return a digest of the texts, as they are now, of a user's file and of the modules of the user's that it imports.

    Raises:
        ValueError: the file can't be read.
        UserFileError, RulesError: it can't be loaded.
    """
    text = _text(path)  # before it is loaded: a missing file is no broken one
    module = load_user_file(path)
    digest = hashlib.blake2b(text, digest_size=16)
    for name in sorted(closure(module.__name__) - {module.__name__}):
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        # The package is told apart by its version, so that a match goes on after an edit that changes no game.
        if name.partition(".")[0] != _PACKAGE and file.endswith(".py"):
            text = _text(file)
            digest.update(f"\0{name} {len(text)}\0".encode() + text)
    return digest.hexdigest()


_PACKAGE = __name__.partition(".")[0]


def _text(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path} can't be read: {error.strerror}") from None
