"""VGDL: notation and the screen for a terminal.

An action is written NIL, UP, LEFT, DOWN, RIGHT or USE; the first letter is enough, but for USE, and a dot stands for
NIL.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from oponente.games.vgdl.kinds import ACTION_NAMES
from oponente.games.vgdl.loading import OWN_GAMES, VARIABLE, WHERE_TO_GET, about, kept_texts, load, own_levels
from oponente.games.vgdl.rules import HIDDEN
from oponente.games.vgdl.scene import floors, loaded, sprites, status
from oponente.kernel import Game, IllegalActionError, State
from oponente.kernel.notation import quoted

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
KEYS = (
    {"KEY_UP": 1, "KEY_LEFT": 2, "KEY_DOWN": 3, "KEY_RIGHT": 4, " ": 5},
    {"w": 1, "a": 2, "s": 3, "d": 4, "e": 5},
)
"""The actions of keys, by the names that curses has for them, of the first and of a second person at a keyboard."""
IDLE = 0
ARROWS = {(0, -1): "^", (0, 1): "v", (-1, 0): "<", (1, 0): ">"}


def action_text(state: State, action: int) -> str:
    """Return the name of an action."""
    return "?" if action == HIDDEN else ACTION_NAMES[action]


def parse_action(state: State, text: str) -> int:
    """Return the action that a name or its first letter denotes; U is UP, and USE is written in full.

    Raises:
        IllegalActionError: it denotes none.
    """
    word = text.strip().upper()
    if word == ".":
        return 0
    found = [number for number, name in enumerate(ACTION_NAMES) if word and word in (name, name[0])]
    if not found:
        raise IllegalActionError(
            f"{quoted(text)} is no action: write one of {', '.join(ACTION_NAMES)}, or the first letter, but for USE"
        )
    return found[0]


def refusal(state: State, action: int) -> str | None:
    """Return why an avatar can't do what is an action of others; None: that is not the reason."""
    if state.is_terminal or not 0 <= action < len(ACTION_NAMES):
        return None
    listed = ", ".join(action_text(state, other) for other in state.legal_actions)
    return f"the avatar can't do {ACTION_NAMES[action]}; it can {listed}"


def state_text(state: State, seat: int | None = None) -> str:
    """Return the screen: a character for each cell, that of the sprite in front; a line about the game below."""
    program = state.game.tables.program
    cell, columns, rows = int(program.cell), int(program.columns), int(program.rows)
    symbols, ground = _symbols(state), floors(loaded(state))
    screen = [[" "] * columns for _ in range(rows)]
    for drawn in sprites(state, seat):
        column, row = (drawn.x + drawn.w // 2) // cell, (drawn.y + drawn.h // 2) // cell
        if not (0 <= column < columns and 0 <= row < rows):
            continue
        symbol = " " if drawn.type in ground else symbols[drawn.type]
        if drawn.player >= 0:
            facing = (round(drawn.facing[0]), round(drawn.facing[1]))
            symbol = ARROWS.get(facing, "@") if state.game.num_players == 1 else str(drawn.player + 1)
        screen[row][column] = symbol
    return "\n".join(["".join(row).rstrip() for row in screen] + [status(state)])


def warnings(game: Game) -> list[str]:
    """Return what description and level of a game say in vain, each with file and line."""
    return load(game.options).compiled.warnings


def shown_options(options: Mapping[str, str]) -> dict[str, str]:
    """Return options as people want to read them: name and level of a game in place of its text."""
    if "text" not in options:
        return dict(options)
    named = {"game": options.get("game") or Path(kept_texts(options["text"])[0]).stem}
    named["level"] = options.get("level", "0")
    return named | {key: value for key, value in options.items() if key not in ("text", *named)}


def listing() -> str:
    """Return which games this one is, and where others are had."""
    rows = [(name, ", ".join(map(str, own_levels(name))), about(name)) for name in OWN_GAMES]
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(2)]
    lines = [f"  {name:{widths[0]}}{numbers:{widths[1]}}{what}" for name, numbers, what in rows]
    head = f"  {'game':{widths[0]}}{'levels':{widths[1]}}about"
    return "\n".join(
        [
            "Games of this package, as vgdl:NAME with --option level=N:",
            head,
            *lines,
            f"Others are read from a folder, --option games=DIR or {VARIABLE}: {WHERE_TO_GET}.",
        ]
    )


def place_of(state: State, seat: int) -> tuple[int, int]:
    """Return column and row of a player's avatar on the screen."""
    record, cell = state.record, int(state.game.tables.program.cell)
    s = record.sprites[int(record.avatar[seat])]
    return (int(s.x) + int(s.w) // 2) // cell, (int(s.y) + int(s.h) // 2) // cell


def _symbols(state: State) -> dict[int, str]:
    """Return a character for each type: the one of the level file where it stands for nothing in front of it."""
    compiled = loaded(state).compiled
    types = compiled.program.types
    symbols: dict[int, str] = {}
    for character, names in compiled.description.mapping.items():
        numbers = [compiled.description.number(name) for name in names]
        if numbers:
            front = max(numbers, key=lambda number: int(types[number].order))
            symbols.setdefault(front, "#" if character == "w" else character)
    taken = set(symbols.values())
    for number, name in enumerate(compiled.names):
        if number not in symbols:
            wanted = [letter for letter in (*name, *LETTERS) if letter.isalpha() and letter not in taken]
            symbols[number] = wanted[0] if wanted else "?"
            taken.add(symbols[number])
    return symbols
