"""``oponente replay``: a recorded game, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from oponente.arena import (
    RecordedMatch,
    Recording,
    ReplayError,
    StorageError,
    default_records,
    load_recording,
    recorded_matches,
)
from oponente.cli.common import json_option, print_json, table, try_rules, users_mistakes
from oponente.kernel import Game, State


@click.command("replay")
@click.argument("file", required=False)
@click.option("--match", type=click.IntRange(1, 2**62), help="Number of the match; the latest if not given.")
@click.option("--game", "index", type=click.IntRange(0, 2**62), help="Index of the game in its match, from 0.")
@click.option("--ply", type=click.IntRange(0, 2**62), help="Show only the position after so many actions.")
@click.option("-o", "--out", metavar="FOLDER", help="Write every position as an SVG picture into a folder.")
@click.option("--game-file", metavar="FILE", help="The Python file that holds the game's rules, if it is a user's.")
@json_option
def command(
    file: str | None,
    match: int | None,
    index: int | None,
    ply: int | None,
    out: str | None,
    game_file: str | None,
    as_json: bool,
) -> None:
    """Show a recorded game move by move; without options, list the matches that FILE holds.

    FILE is a database of `oponente match` (its usual one if not given), or a JSON file that it exported. The file of a
    user's game is never loaded because a recording names it: give it with --game-file.
    """
    source = file or default_records()
    with users_mistakes():
        try:
            if index is None and match is None and ply is None and out is None:
                _list_matches(source, as_json)
                return
            recording = load_recording(source, index or 0, match)
            game = recording.load_game(game_file)
            if game_file is not None:
                try_rules(game, game_file)
            _show(recording, game, ply, out, as_json)
        except (StorageError, ReplayError) as error:
            raise click.ClickException(str(error)) from error


def _list_matches(source: str, as_json: bool) -> None:
    matches = recorded_matches(source)
    if as_json:
        print_json({"file": source, "matches": [_match_json(recorded) for recorded in matches]})
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
    click.echo(f"{source}:")
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


def _show(recording: Recording, game: Game, ply: int | None, out: str | None, as_json: bool) -> None:
    texts: list[str] = []
    boards: list[str] = []
    pictures: list[str] = []
    for state in recording.states(game):
        boards.append(state.text())
        if out is not None:
            pictures.append(state.svg())
        if len(boards) <= len(recording.actions):
            texts.append(_action_text(state, recording.actions[len(boards) - 1], recording, len(boards) - 1))
    if ply is not None and ply >= len(boards):
        raise ReplayError(f"the game has {len(recording.actions)} actions; --ply may be at most that")
    if out is not None:
        folder = Path(out)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for number, picture in enumerate(pictures):
                (folder / f"ply-{number:04}.svg").write_text(picture + "\n", encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{error.filename}: {error.strerror}") from error
        click.echo(f"{len(pictures)} pictures in {folder}", err=as_json)
        if not as_json:
            return
    if as_json:
        print_json(
            {
                "game": recording.game.name,
                "options": dict(recording.game.options),
                "match": recording.match,
                "index": recording.index,
                "agents": list(recording.agents),
                "start_seed": recording.start_seed,
                "actions": list(recording.actions),
                "moves": texts,
                "returns": list(recording.returns),
                "status": recording.status,
                "reason": recording.reason,
                **({} if ply is None else {"ply": ply, "position": boards[ply]}),
            }
        )
        return
    if ply is not None:
        click.echo(boards[ply])
        return
    click.echo(
        f"{recording.game.name}, match {recording.match}, game {recording.index}: {' v '.join(recording.agents)}"
    )
    for number, board in enumerate(boards):
        click.echo(f"\n{board}")
        if number < len(texts):
            click.echo(f"\n{number + 1}. {texts[number]}")
    reason = f" ({recording.reason})" if recording.reason else ""
    click.echo(f"\nResult{reason}: " + ", ".join(f"player {p + 1} {v:g}" for p, v in enumerate(recording.returns)))


def _action_text(state: State, action: int, recording: Recording, ply: int) -> str:
    if state.is_chance:
        who = "chance"
    elif state.is_terminal:
        who = "?"
    else:
        who = f"player {state.player + 1} ({recording.agents[state.player]})"
    opening = " [opening]" if ply < recording.opening else ""
    return f"{who}: {state.action_text(action)}{opening}"
