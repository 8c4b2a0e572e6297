"""Small worlds for tests: a description and a level, played tick by tick."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from oponente.games.catalogue import load_game
from oponente.games.vgdl import rules
from oponente.games.vgdl.kinds import ACTION_NAMES
from oponente.games.vgdl.scene import loaded
from oponente.kernel import Game, State

BESIDE = Path(__file__).parents[4] / "shared"
"""Where the framework's games and recordings are looked for unless the environment names their folders."""


def named_folder(variable: str, beside: str, holds: str) -> Path:
    """Return the folder that an environment variable names, or one beside the repository.

    Without the variable the test is skipped if nothing is there; with it, the test fails.
    """
    named = os.environ.get(variable, "")
    folder = Path(named) if named else BESIDE / beside
    if not (folder / "single").is_dir():
        problem = f"{folder} does not hold {holds}, with a folder 'single': name their folder with {variable}"
        if named:
            pytest.fail(problem)
        pytest.skip(problem)
    return folder


def games_folder() -> Path:
    """Return the folder with the framework's games."""
    return named_folder("OPONENTE_VGDL", "vgdl", "the framework's games")


def traces_folder() -> Path:
    """Return the folder with the framework's recordings."""
    return named_folder("OPONENTE_VGDL_TRACES", "vgdl-traces", "recordings of the framework's games")


class World:
    """A game made of texts.

    Args:
        sprites, interactions, endings: the lines of the three blocks, each indented or not.
        level: its lines.
        header: what stands behind ``BasicGame``.
        mapping: lines of the LevelMapping.
    """

    def __init__(
        self,
        sprites: str,
        interactions: str,
        level: str,
        *,
        header: str = "square_size=10",
        mapping: str = "",
        endings: str = "Timeout limit=1000 win=False",
        seed: int = 0,
    ) -> None:
        self.game = make_game(describe(sprites, interactions, header=header, mapping=mapping, endings=endings), level)
        self.state = self.game.start(seed)
        self.names = loaded(self.state).compiled.names

    def tick(self, *actions: str) -> World:
        """Let a tick pass; without actions all players do nothing."""
        for action in actions or ("NIL",) * self.game.num_players:
            self.state.apply(ACTION_NAMES.index(action))
        return self

    def ticks(self, count: int) -> World:
        """Let ticks pass in which nobody does anything."""
        for _ in range(count):
            self.tick()
        return self

    def places(self, name: str) -> list[tuple[int, int]]:
        """Return where the sprites of a type are, in order of creation."""
        return [(x, y) for x, y, _ in self._instances(name)]

    def sprite(self, name: str) -> Any:
        """Return the record of the first sprite of a type that is not fixed."""
        return self._instances(name)[0][2]

    def count(self, name: str) -> int:
        """Return how many sprites of a type there are."""
        return len(self._instances(name))

    def _instances(self, name: str) -> list[tuple[int, int, Any]]:
        record, program = self.state.record, self.game.tables.program
        number = self.names.index(name)
        t, group = program.types[number], record.group[number]
        found: list[tuple[int, int, Any]] = []
        for position in range(int(t.fixed), int(t.fixed) + int(t.n_fixed)):
            fixed = int(program.by_type[position])
            if fixed >= program.n_mortal or int(record.alive[fixed >> 6]) >> (fixed & 63) & 1:
                found.append((int(program.fixed[fixed].x), int(program.fixed[fixed].y), None))
        slot = int(group.head) if group.count else -1
        while slot >= 0:
            s = record.sprites[slot]
            if not s.disabled:
                found.append((int(s.x), int(s.y), s))
            slot = int(s.next)
        return found

    @property
    def score(self) -> float:
        """The first player's score."""
        return float(self.state.record.score[0])

    @property
    def wins(self) -> list[int]:
        """How the game has ended for each player."""
        return [int(win) for win in self.state.record.win[: self.game.num_players]]


def own_texts(name: str, level: int = 0) -> tuple[str, str]:
    """Return description and level of a game of the package."""
    folder = resources.files("oponente.games.vgdl") / "own"
    return (folder / f"{name}.txt").read_text(), (folder / f"{name}_lvl{level}.txt").read_text()


def describe(
    sprites: str, interactions: str, *, header: str = "square_size=10", mapping: str = "", endings: str = ""
) -> str:
    """Return a description."""
    blocks = (("SpriteSet", sprites), ("InteractionSet", interactions), ("LevelMapping", mapping))
    lines = [f"BasicGame {header}"]
    for name, content in (*blocks, ("TerminationSet", endings or "Timeout limit=1000 win=False")):
        lines += [f"  {name}", *(f"    {line}" for line in content.strip("\n").splitlines())]
    return "\n".join(lines) + "\n"


def make_game(description: str, level: str, **options: str) -> Game:
    """Return a game made of a description and a level."""
    text = json.dumps(
        {"description_file": "test.txt", "description": description, "level_file": "test_lvl0.txt", "level": level}
    )
    return load_game("vgdl", {"text": text, **options})


def play(state: State, actions: Sequence[int]) -> State:
    """Take actions as long as the game goes on."""
    for action in actions:
        if state.is_terminal:
            break
        state.apply(action)
    return state


__all__ = ["World", "describe", "games_folder", "make_game", "own_texts", "play", "rules", "traces_folder"]
