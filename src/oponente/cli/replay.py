"""``oponente replay``: a recorded game, move by move."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.agents.view import View, known
from oponente.arena import (
    RecordedMatch,
    Recording,
    ReplayError,
    StorageError,
    default_records,
    load_recording,
    recorded_matches,
    shown_name,
)
from oponente.arena.raster import gif as gif_of
from oponente.cli.common import (
    check_file,
    check_folder,
    checked_seat,
    escaped_lines,
    json_option,
    position_arguments,
    position_text,
    print_json,
    seat_option,
    table,
    tell_warnings,
    try_rules,
    users_mistakes,
)
from oponente.kernel import Game, State
from oponente.kernel.notation import escaped

FRAME_MS = 500
"""How long each position is shown in a moving picture, of games that do not say."""


@click.command("replay")
@click.argument("file", required=False)
@click.option("--match", type=click.IntRange(1, 2**62), help="Number of the match; the latest if not given.")
@click.option("--game", "index", type=click.IntRange(0, 2**62), help="Index of the game in its match, from 0.")
@click.option("--ply", type=click.IntRange(0, 2**62), help="Show only the position after so many actions.")
@seat_option
@click.option(
    "--position", "as_position", is_flag=True, help="Print the position as arguments for draw, analyse and play."
)
@click.option(
    "-o",
    "--out",
    "--svg-series",
    "out",
    metavar="FOLDER",
    help="Write SVG pictures into a folder; with --ply, - is standard output.",
)
@click.option("--gif", metavar="FILE", help="Write a moving picture of the game, or of the part up to --ply.")
@click.option("--game-file", metavar="FILE", help="The Python file that holds the game's rules, if it is a user's.")
@json_option
def command(
    file: str | None,
    match: int | None,
    index: int | None,
    ply: int | None,
    seat: int | None,
    as_position: bool,
    out: str | None,
    gif: str | None,
    game_file: str | None,
    as_json: bool,
) -> None:
    """Show a recorded game move by move; without options, list the matches that FILE holds.

    FILE is a database of `oponente match` (its usual one if not given), or a JSON file that it exported. The file of a
    user's game is never loaded because a recording names it: give it with --game-file.

    With --position the arguments are those of the last position, or of that of --ply:
    `oponente replay --game 0 --ply 9 --position | xargs oponente draw`.
    """
    if as_position and (seat is not None or out is not None or gif is not None):
        raise click.UsageError("--position is the true position as text: leave out --seat, --out and --gif")
    if out == "-" and (ply is None or as_json):
        raise click.UsageError("-o - is for one picture: give --ply, and no --json; or name a folder")
    source = file or default_records()
    with users_mistakes():
        try:
            if gif is not None:
                check_file("--gif", Path(gif))
            if out not in (None, "-"):
                check_folder("--out", Path(str(out)))
            chosen = (index, match, ply, out, seat, gif)
            if all(one is None for one in chosen) and not as_position:
                _list_matches(source, as_json)
                return
            recording = load_recording(source, index or 0, match)
            game = recording.load_game(game_file)
            tell_warnings(game)
            if game_file is not None:
                try_rules(game, game_file)
            if gif is not None:
                _write_moving(recording, game, checked_seat(game, seat), ply, gif, as_json)
                if out is None and not as_json:
                    return
            shown = _Shown(recording, game, checked_seat(game, seat), ply, draw=out is not None)
            if as_position:
                _print_position(shown, game_file, as_json)
                return
            if out is not None:
                _write_pictures(shown, out, as_json)
            if as_json:
                _print_json(shown)
            elif out is None:
                _print_text(shown)
        except (StorageError, ReplayError) as error:
            raise click.ClickException(escaped_lines(str(error))) from error


def _list_matches(source: str, as_json: bool) -> None:
    matches = recorded_matches(source)
    if as_json:
        print_json({"file": shown_name(source), "matches": [_match_json(recorded) for recorded in matches]})
        return
    rows = [
        (
            str(recorded.match),
            recorded.spec.game.name,
            " v ".join(recorded.spec.agents),
            str(recorded.spec.seed),
            f"{recorded.finished} of {recorded.spec.games}",
        )
        for recorded in matches
    ]
    click.echo(f"{shown_name(source)}:")
    click.echo(table(rows, ("match", "game", "agents", "seed", "games finished")))
    click.echo("Show one with --match NUMBER --game INDEX.")


def _match_json(recorded: RecordedMatch) -> dict[str, Any]:
    spec = recorded.spec
    return {
        "match": recorded.match,
        "game": spec.game.name,
        "options": dict(spec.game.options),
        "game_file": spec.game.file,
        "agents": list(spec.agents),
        "seed": spec.seed,
        "games": spec.games,
        "finished": recorded.finished,
    }


class _Shown:
    """A recorded game as one seat sees it.

    Args:
        recording: the game; all its actions are checked.
        game: its rules.
        seat: who looks, from 0; None: somebody who sees all.
        ply: after how many actions the position is that is shown; None: all are.
        draw: whether pictures are wanted, and not only texts.

    Raises:
        ReplayError: the rules do not allow what was recorded, or it is shorter than `ply`.
    """

    def __init__(self, recording: Recording, game: Game, seat: int | None, ply: int | None, *, draw: bool) -> None:
        self.recording, self.game, self.ply = recording, game, ply
        if ply is not None and ply > len(recording.actions):
            raise ReplayError(f"the game has {len(recording.actions)} actions; --ply may be at most that")
        #: What is seen of each action: a number, and a line.
        self.actions: list[int] = []
        self.moves: list[str] = []
        #: The positions that are shown, by the number of actions before them, as the seat sees them.
        self.texts: dict[int, str] = {}
        self.pictures: dict[int, str] = {}
        for number, state in enumerate(recording.states(game)):
            if ply in (None, number):
                seen = state if seat is None else View(state, seat)
                self.texts[number] = seen.text()
                if draw:
                    self.pictures[number] = seen.svg()
            if number < len(recording.actions):
                action = recording.actions[number]
                self.actions.append(action if seat is None else state.observed(action, seat))
                unseen = self.actions[-1] != action
                self.moves.append(_action_text(state, None if unseen else action, recording, number))


def _print_position(shown: _Shown, game_file: str | None, as_json: bool) -> None:
    """Print what :func:`~oponente.cli.common.position_arguments` gives for the position shown, or for the last one."""
    recording, game = shown.recording, shown.game
    actions = recording.actions[: shown.ply]
    if as_json:
        moves = position_text(game, recording.start_seed, actions)
        print_json({"positions": [{"moves": moves, "seed": recording.start_seed}]})
    else:
        click.echo(shlex.join(position_arguments(game, game_file, recording.start_seed, actions)))


def _write_pictures(shown: _Shown, out: str, as_json: bool) -> None:
    """Write the positions that are shown as pictures into a folder, or the only one to standard output."""
    if out == "-":
        for picture in shown.pictures.values():
            click.echo(picture)
        return
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number, picture in shown.pictures.items():
            (folder / f"ply-{number:04}.svg").write_text(picture + "\n", encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error
    count = len(shown.pictures)
    click.echo(f"{count} picture{'' if count == 1 else 's'} in {folder}", err=as_json)


def _write_moving(
    recording: Recording, game: Game, seat: int | None, ply: int | None, path: str, as_json: bool
) -> None:
    """Write the positions up to `ply` as a moving picture: in the game's own pixels, if it draws any."""
    states = [state.copy() for state in recording.states(game)]
    if ply is not None and ply >= len(states):
        raise ReplayError(f"the game has {len(recording.actions)} actions; --ply may be at most that")
    states = states[: None if ply is None else ply + 1]
    own: Any = getattr(game.draw, "gif", None)
    bar = tqdm(states, unit="picture", disable=not sys.stderr.isatty())
    if own is not None:
        content = bytes(own([known(state, seat) for state in bar], seat))
    else:
        content = gif_of((known(state, seat).svg(seat) for state in bar), FRAME_MS)
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{path} can't be written: {error.strerror}") from error
    click.echo(f"a moving picture of {len(states)} positions in {path}", err=as_json)


def _print_json(shown: _Shown) -> None:
    recording, ply = shown.recording, shown.ply
    print_json(
        {
            "game": recording.game.name,
            "options": dict(recording.game.options),
            "match": recording.match,
            "index": recording.index,
            "agents": list(recording.agents),
            "start_seed": recording.start_seed,
            "actions": shown.actions,
            "moves": shown.moves,
            "returns": list(recording.returns),
            "status": recording.status,
            "reason": recording.reason,
            **({} if ply is None else {"ply": ply, "position": shown.texts[ply]}),
        }
    )


def _print_text(shown: _Shown) -> None:
    """Print a recording, which may come from anywhere: no text in it is to command the terminal."""
    recording = shown.recording
    if shown.ply is not None:
        click.echo(escaped_lines(shown.texts[shown.ply]))
        return
    agents = escaped(" v ".join(recording.agents))
    click.echo(f"{escaped(recording.game.name)}, match {recording.match}, game {recording.index}: {agents}")
    last = None
    for number, text in shown.texts.items():
        # A choice that is not seen yet changes nothing.
        if text != last or not shown.game.simultaneous:
            click.echo(f"\n{escaped_lines(text)}")
        last = text
        if number < len(shown.moves):
            click.echo(f"\n{number + 1}. {escaped(shown.moves[number])}")
    reason = f" ({escaped(recording.reason)})" if recording.reason else ""
    click.echo(f"\nResult{reason}: " + ", ".join(f"player {p + 1} {v:g}" for p, v in enumerate(recording.returns)))


def _action_text(state: State, action: int | None, recording: Recording, ply: int) -> str:
    """Return who took an action and which, None: one that is not seen."""
    if state.is_chance:
        who = "chance"
    elif state.is_terminal:
        who = "?"
    else:
        who = f"player {state.player + 1} ({recording.agents[state.player]})"
    opening = " [opening]" if ply < recording.opening else ""
    return f"{who}: {'acts unseen' if action is None else state.action_text(action)}{opening}"
