"""What the commands share: options, loading of games and agents with one-line errors, notices, interruption."""

from __future__ import annotations

import functools
import json
import os
import re
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, cast

import click
from numba.core.errors import NumbaError
from tqdm import tqdm

import oponente
from oponente.agents.base import Agent
from oponente.arena.play import seat_agent
from oponente.cli import completion
from oponente.games.catalogue import GameSpec, load_game
from oponente.kernel import Control, Game, RulesError, State, UserFileError, compile_listener
from oponente.kernel.notation import escaped, shortened

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


# --- options -------------------------------------------------------------------------------------------------------


STRICT = "strict=true"
"""What ``--strict`` stands for, as ``--option`` has it."""


def game_option(function: F) -> F:
    """Add ``--option`` and ``--strict`` to a command; it receives `options`."""

    @click.option(
        "--option",
        "options",
        multiple=True,
        metavar="KEY=VALUE",
        help="An option of the game; may be repeated.",
        shell_complete=completion.game_options,
    )
    @click.option(
        "--strict", is_flag=True, help="Refuse a game whose files hold what only gets a warning else; for vgdl."
    )
    @functools.wraps(function)
    def wrapper(options: Sequence[str], strict: bool, **rest: Any) -> Any:
        if strict and STRICT not in options:
            options = (*options, STRICT)
        return function(options=options, **rest)

    result: Any = wrapper
    return cast(F, result)


def game_arguments(function: F) -> F:
    """Add GAME, ``--option`` and ``--game-file`` to a command; it receives a loaded `game` and its `game_spec`."""

    @click.argument("game_name", metavar="GAME", shell_complete=completion.games)
    @game_option
    @click.option("--game-file", metavar="FILE", help="A Python file that holds the game's rules.")
    @functools.wraps(function)
    def wrapper(game_name: str, options: Sequence[str], game_file: str | None, **rest: Any) -> Any:
        spec, game = load(game_name, options, game_file)
        return function(game_spec=spec, game=game, **rest)

    result: Any = wrapper
    return cast(F, result)


def agent_file_option(function: F) -> F:
    """Add ``--agent-file`` to a command; it receives `agent_files`."""
    option = click.option(
        "--agent-file", "agent_files", multiple=True, metavar="FILE", help="A Python file with agents; may be repeated."
    )
    result: Any = option(function)
    return cast(F, result)


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object, for machines.")
seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Of everything random."
)
seat_option = click.option(
    "--seat", type=int, metavar="N", help="Show only what the player in this seat sees, from 1; all if not given."
)


def parse_options(options: Sequence[str]) -> dict[str, str]:
    """Return the game options given as KEY=VALUE."""
    values: dict[str, str] = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise click.UsageError(f"--option {option}: write --option KEY=VALUE")
        if key in values:
            raise click.UsageError(f"--option {key} is given twice")
        values[key] = value
    return values


# --- games, agents, positions --------------------------------------------------------------------------------------


def escaped_lines(text: str) -> str:
    """Return a text of several lines with all signs that no line can show written as escapes."""
    return "\n".join(map(escaped, text.split("\n")))


@contextmanager
def users_mistakes() -> Iterator[None]:
    """Turn errors in what the user gave (names, options, files, positions) into one line."""
    try:
        yield
    except NumbaError as error:
        raise click.ClickException(_compiler_line(error)) from error
    except (ValueError, UserFileError, RulesError) as error:
        raise click.ClickException(escaped_lines(str(error))) from error


def load(name: str | None, options: Sequence[str], file: str | None) -> tuple[GameSpec, Game]:
    """Return the game and what another process needs to load it, or fail with one line."""
    values = parse_options(options)
    with users_mistakes():
        game = load_game(name, values, file=file)
        tell_warnings(game)
        _announced["game"] = game.name
        if file is not None:
            try_rules(game, file)
    return GameSpec(game.name, tuple(sorted(game.changed_options.items())), file), game


WARNINGS_SHOWN, LONGEST_WARNING = 10, 300
"""Lines that are shown at most, and characters of each."""


def tell_warnings(game: Game) -> None:
    """Say on standard error, once in a command, what the files of a game hold in vain.

    A game that is made of files may have that: its module of notation has ``warnings(game)``, a list of lines.
    """
    tell = getattr(game.text, "warnings", None)
    context = click.get_current_context(silent=True)
    told: set[Game] = set() if context is None else context.meta.setdefault(f"{__name__}.told", set())
    if tell is None or game in told:
        return
    told.add(game)
    lines = tell(game)
    for line in lines[:WARNINGS_SHOWN]:
        tqdm.write(f"warning: {escaped(shortened(line, LONGEST_WARNING))}", file=sys.stderr)
    if len(lines) > WARNINGS_SHOWN:
        more = len(lines) - WARNINGS_SHOWN
        tqdm.write(f"warning: and {more:,} more; --strict refuses them", file=sys.stderr)
    sys.stderr.flush()


def try_rules(game: Game, file: str) -> None:
    """Compile the rules of a user's file, so that what is wrong with them shows here.

    Raises:
        UserFileError: they can't be compiled, or fail at the start position.
    """
    try:
        state = game.start()
        _ = state.player, list(state.legal_actions)
    except NumbaError as error:
        raise UserFileError(f"{file}: {_compiler_line(error)}") from error
    except Exception as error:
        raise UserFileError(f"{file}: can't be compiled: {type(error).__name__}: {error}") from error


def load_agent(text: str, game: Game, agent_files: Sequence[str]) -> Agent:
    """Return the agent that a spec describes, ready to play `game`, or fail with one line."""
    with users_mistakes():
        agent = seat_agent(text, game, agent_files)
        with agents_mistakes(agent):
            agent.prepare(game)
        return agent


@contextmanager
def agents_mistakes(agent: Agent) -> Iterator[None]:
    """Turn whatever an agent raises, which may be a user's, into one line."""
    try:
        yield
    except NumbaError as error:
        raise click.ClickException(f"{agent.spec}: {_compiler_line(error)}") from error
    except MemoryError as error:
        raise click.ClickException(f"{agent.spec}: {error}") from error
    except Exception as error:
        raise click.ClickException(f"{agent.spec} raised {type(error).__name__}: {error}") from error


def parse_position(game: Game, text: str, seed: int) -> State:
    """Return the position that `text` describes, from the start of `seed`, or fail with one line."""
    with users_mistakes():
        return game.position(text, seed)


def position_text(game: Game, seed: int, actions: Sequence[int]) -> str:
    """Return the position after `actions` as :func:`parse_position` reads it; ClickException if that can't be."""
    state = game.start(seed)
    moves = []
    for action in actions:
        moves.append(state.action_text(action))
        state.apply(action)
    # How moves stand apart is the game's own: whatever it reads back is right, the shortest first.
    for between in ("", " ", "; ", ", "):
        text = between.join(moves)
        try:
            reached = game.position(text, seed)
        except ValueError:
            continue
        if reached.history == state.history:
            return text
    raise click.ClickException(f"the notation of {game.name} does not read back the moves that it writes")


def position_arguments(game: Game, game_file: str | None, seed: int, actions: Sequence[int]) -> list[str]:
    """Return the arguments by which a command finds the position after `actions`: GAME, options and POSITION."""
    words = [game.name]
    for key, value in sorted(game.changed_options.items()):
        words += ["--option", f"{key}={value}"]
    words += ["--game-file", game_file] if game_file else []
    return [*words, "--seed", str(seed), position_text(game, seed, actions)]


def checked_seat(game: Game, seat: int | None) -> int | None:
    """Return a seat as it is counted inside, from 0 (None stays None), or fail with one line."""
    if seat is None:
        return None
    if not 1 <= seat <= game.num_players:
        raise click.UsageError(f"--seat {seat}: {game.name} has seats 1 to {game.num_players} here")
    return seat - 1


_PACKAGE = str(Path(oponente.__file__).parent)


def _compiler_line(error: NumbaError) -> str:
    """Return in one line what the compiler does not like in a user's file, and where.

    Its messages tell of the innermost failure last, after the last line that begins with "Failed in", also where
    that is the reason for which an implementation was rejected ("TypingError: Failed in").
    """
    lines = [line.strip() for line in re.sub(r"\x1b\[[0-9;]*m", "", str(error)).splitlines() if line.strip()]
    innermost = max((i for i, line in enumerate(lines) if re.match(r"(\w+: )?Failed in", line)), default=-1)
    said = lines[innermost + 1 :]
    # A line that ends in a colon goes on in the next, which begins with the arrow of an example.
    reason = " ".join(said[: 2 if said and said[0].endswith(":") else 1]).replace(">>> ", "") or type(error).__name__
    for line in lines[innermost + 1 :]:
        place = re.search(r'(?:at|File) "?([^"<>]+\.py)"?(?:, line | \()(\d+)', line)
        if place and "numba" not in place[1] and not str(Path(place[1]).resolve()).startswith(_PACKAGE):
            return f"line {place[2]} can't be compiled: {reason}"
    return f"can't be compiled: {reason}"


# --- output --------------------------------------------------------------------------------------------------------


def check_file(option: str, path: Path) -> None:
    """Raise ValueError if no file of that path can be written; to be asked before the work begins."""
    if path.is_dir():
        raise ValueError(f"{option} {path} is a folder: give the path of a file")
    if not path.parent.is_dir():
        raise ValueError(f"{option} {path}: there is no folder {path.parent}")
    _check_writable(option, path, path if path.exists() else path.parent)


def check_folder(option: str, path: Path) -> None:
    """Raise ValueError if files can't be written into a folder of that path, which may be made for them."""
    if path.exists() and not path.is_dir():
        raise ValueError(f"{option} {path} is a file: give a folder")
    # What is to be made is made in the nearest folder that is there.
    nearest = next((parent for parent in path.absolute().parents if parent.exists()), path)
    if not nearest.is_dir():
        raise ValueError(f"{option} {path}: {nearest} is a file, and holds no folders")
    _check_writable(option, path, path if path.exists() else nearest)


def _check_writable(option: str, path: Path, place: Path) -> None:
    if not os.access(place, os.W_OK):
        raise ValueError(f"{option} {path} can't be written: {place} may not be changed")


def print_json(value: Mapping[str, Any]) -> None:
    """Print one JSON object."""
    click.echo(json.dumps(value, indent=2, allow_nan=False))


_announced: dict[str, str] = {}
"""The ``game`` that is loaded, for announcements."""


@contextmanager
def announce_compilation() -> Iterator[None]:
    """Within the context, say on standard error what is compiled, and how long it took: a whole line for each."""
    lock = threading.Lock()

    def listen(name: str, seconds: float | None) -> None:
        with lock:
            short = name.removeprefix("oponente.")
            game = f" for {_announced['game']}" if "game" in _announced else ""
            if seconds is None:
                tqdm.write(f"compiling {short}{game} (once; kept for the next time) ...", file=sys.stderr)
            else:
                tqdm.write(f"compiled {short} in {seconds:.1f} s", file=sys.stderr)
            sys.stderr.flush()

    with compile_listener(listen):
        yield


COLUMNS = 100
"""Width of the terminal that tables are made for."""
_GAP = 2
"""Blanks between columns."""
_LEAST_TEXT = 30
"""A text is not broken into lines shorter than that."""


def table(rows: Sequence[Sequence[str]], header: Sequence[str], keys: int = 1, width: int = COLUMNS) -> str:
    """Return a table for the terminal: texts to the left, numbers to the right.

    One that is wider than `width` comes as several, below each other, each with the first `keys` columns; a text that
    is too long even so goes on in the next line. Columns after the keys in which no row has anything are left out.
    Cells may hold texts of whomever: signs that no line can show, such as a terminal's commands, are escaped.
    """
    rows = [[escaped(cell) for cell in row] for row in rows]
    told = [i for i in range(len(header)) if i < keys or not rows or any(row[i] for row in rows)]
    columns = [[[header[i]], *([row[i]] for row in rows)] for i in told]
    beside = sum(map(_width, columns[:keys])) + _GAP * keys
    columns[keys:] = [_wrapped(column, width - beside) for column in columns[keys:]]
    parts: list[list[_Column]] = []
    used = width + 1
    for column in columns[keys:]:
        if used + _GAP + _width(column) > width:
            parts.append(columns[:keys])
            used = beside - _GAP
        parts[-1].append(column)
        used += _GAP + _width(column)
    return "\n\n".join(map(_table, parts or [columns[:keys]]))


_Column = list[list[str]]
"""The cells of a column, its title first; each as its lines."""


def _width(column: _Column) -> int:
    return max(len(line) for cell in column for line in cell)


def _wrapped(column: _Column, width: int) -> _Column:
    """Return a column whose cells are broken at blanks into lines no longer than that, where they can be."""
    wrapper = textwrap.TextWrapper(max(width, _LEAST_TEXT), break_long_words=False, break_on_hyphens=False)
    return [column[0], *(wrapper.wrap(cell[0]) or cell for cell in column[1:])]


def _table(columns: Sequence[_Column]) -> str:
    numeric = [all(_is_number(" ".join(cell)) for cell in column[1:]) and len(column) > 1 for column in columns]
    widths = [_width(column) for column in columns]
    lines = []
    for row in zip(*columns, strict=True):
        for texts in zip_longest(*row, fillvalue=""):
            cells = [
                text.rjust(width) if number else text.ljust(width)
                for text, width, number in zip(texts, widths, numeric, strict=True)
            ]
            lines.append((_GAP * " ").join(cells).rstrip())
    lines.insert(1, (_GAP * " ").join("-" * width for width in widths))
    return "\n".join(lines)


def _is_number(text: str) -> bool:
    return not text or bool(re.fullmatch(r"[-+]?[\d,.]+( ?[%a-zA-Zµ/]*)?", text))


# --- interruption --------------------------------------------------------------------------------------------------


def interruptible(work: Callable[[], T], control: Control) -> T:
    """Run `work` in a thread of its own, so that Ctrl-C reaches us while a kernel runs; then stop the kernel.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed; `work` has ended by then.
    """
    result: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.2)
    except KeyboardInterrupt:
        control.stop()
        thread.join()
        raise
    if failure:
        raise failure[0]
    return result[0]
