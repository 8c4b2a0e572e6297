"""``oponente experiment``: repeat a published study and write a report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.arena import MatchError, StorageError
from oponente.arena.studies import STUDIES, Study, load_study
from oponente.arena.studies.document import FINDINGS
from oponente.arena.studies.html_report import render_html, write_figures
from oponente.arena.studies.keeping import Keep, KeepError
from oponente.arena.studies.study import SCALES, Progress, Settings, StudyInterrupted, run_study
from oponente.arena.studies.together import report, run_all
from oponente.arena.workers import Workers
from oponente.cli.common import check_file, check_folder, json_option, print_json, seed_option, table, users_mistakes
from oponente.cli.matches import ray_option, workers_option, workforce
from oponente.interop.jsettlers.study_games import study_server

ALL = "all"
"""In place of a study's name: every study."""


def _games(context: click.Context, _parameter: click.Parameter, typed: str) -> list[str]:
    """Complete the game of a study that can be made of several."""
    name = context.params.get("name")
    return [game for game in load_study(name).games if game.startswith(typed)] if name in STUDIES else []


@click.command("experiment")
@click.argument(
    "name",
    metavar="[NAME]",
    required=False,
    shell_complete=lambda _context, _parameter, typed: [name for name in (*STUDIES, ALL) if name.startswith(typed)],
)
@click.argument("game", metavar="[GAME]", required=False, shell_complete=_games)
@click.option("--scale", type=click.Choice(SCALES), default="standard", show_default=True, help="How much to measure.")
@click.option("--games", type=click.IntRange(1, 10**6), help="Games of the first part, not as the scale.")
@click.option("--match-games", type=click.IntRange(1, 10**9), help="Games of each (other) match, not as the scale.")
@seed_option
@workers_option
@ray_option
@click.option("--out", metavar="FILE", help="The report, for all a folder.  [default: NAME.html, for all report]")
@click.option("--figures", metavar="DIR", help="Also write each figure as a PNG and an SVG file.")
@click.option("--resume", is_flag=True, help="Go on with a run that was interrupted.")
@json_option
def command(
    name: str | None,
    game: str | None,
    scale: str,
    games: int | None,
    match_games: int | None,
    seed: int,
    workers: int | None,
    ray: str | None,
    out: str | None,
    figures: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Repeat the published study NAME and write a report with its tables, figures and verdicts as one HTML file.

    With all for NAME, run all of them and write one report into the folder --out; a study that can't be run here, or
    not as a whole, for want of files that oponente does not bring, is named at once and there with what it lacks. GAME
    says of which game, for studies that can be made of several. Without NAME, list the studies. What is finished is
    kept beside the report until it is written, so that a run that was interrupted, even killed, goes on with --resume.
    """
    if name is None:
        _print_studies(as_json)
        return
    everything = name == ALL
    path = Path(out or ("report" if everything else f"{name}.html" if game is None else f"{name}-{game}.html"))
    with users_mistakes():
        if everything:
            if game is not None or figures is not None:
                raise ValueError(
                    "experiment all is of every game, and offers figures on each study's page: leave out"
                    f" {'--figures' if game is None else game!r}"
                )
            check_folder("--out", path)
        else:
            study = load_study(name, game)
            _check_places(path, figures)
            if ray is not None and not study.of_matches:
                raise ValueError(f"{name} plays no matches, and on this machine only: leave out --ray")
        server = study_server()
    with _workforce(ray, workers) as crew:
        settings = Settings(scale, seed, games, match_games, crew, server)
        if everything:
            _run_all(settings, path, resume, as_json)
        else:
            line = _command_line(name, game, settings, out, figures, as_json)
            _run_one(study, settings, path, line, figures, resume, as_json)


def _run_one(
    study: Study, settings: Settings, path: Path, command: str, figures: str | None, resume: bool, as_json: bool
) -> None:
    with _mistakes():
        keep = Keep(path, resume=resume)
        if left_out := study.left_out(settings):
            click.echo(f"note: {left_out}", err=True)
        with _progress() as progress:
            data = run_study(study, settings, keep, command=command, progress=progress)
        page = study.page(data)
        path.write_text(render_html(page), encoding="utf-8")
        written = write_figures(page, figures) if figures is not None else []
        keep.remove()
    if as_json:
        print_json(data)
    else:
        _print_verdicts(data)
    also = f" and {len(written)} figures to {figures}" if written else ""
    click.echo(f"Report written to {path}{also}", err=as_json)


def _run_all(settings: Settings, folder: Path, resume: bool, as_json: bool) -> None:
    with _mistakes():
        folder.mkdir(parents=True, exist_ok=True)
        with _progress() as progress:
            done = run_all(
                folder,
                settings,
                resume=resume,
                command_line=lambda name, game: _command_line(name, game, settings, None, None, False),
                progress=lambda name: lambda what, part, whole: progress(f"{name}: {what}", part, whole),
                tell=lambda line: tqdm.write(f"note: {line}", file=sys.stderr),
            )
        command = _command_line(ALL, None, settings, str(folder), None, as_json)
        (folder / "index.html").write_text(report(done, settings, command), encoding="utf-8")
    if as_json:
        print_json(
            {"studies": [{"name": part.name, "missing": part.missing or None, "data": part.data} for part in done]}
        )
    else:
        rows = []
        for part in done:
            findings = [verdict["finding"] for verdict in part.data["verdicts"]] if part.data is not None else []
            counts = [str(findings.count(kind)) for kind in FINDINGS]
            rows.append((part.name, *(counts if part.data is not None else ["-"] * len(FINDINGS))))
        click.echo(table(rows, ("study", *FINDINGS)))
        click.echo()
    for part in done:
        if part.missing:
            click.echo(f"{part.name} was not run: {part.missing}", err=True)
        elif part.left_out:
            click.echo(f"{part.name} is not whole: {part.left_out}", err=True)
    click.echo(f"Report written to {folder / 'index.html'}", err=as_json)


def _command_line(
    name: str, game: str | None, settings: Settings, out: str | None, figures: str | None, as_json: bool
) -> str:
    """Return the command that repeats this run, on any machine: without the cluster, which changes no result."""
    words = [
        "oponente",
        "experiment",
        name,
        *([] if game is None else [game]),
        "--scale",
        settings.scale,
        "--seed",
        str(settings.seed),
    ]
    for option, value in (
        ("--games", settings.games),
        ("--match-games", settings.match_games),
        ("--workers", settings.workers if isinstance(settings.workers, int) and settings.workers != 1 else None),
        ("--out", out),
        ("--figures", figures),
    ):
        if value is not None:
            words += [option, str(value)]
    if as_json:
        words.append("--json")
    return shlex.join(words)


def _check_places(path: Path, figures: str | None) -> None:
    """Fail before the work begins if what comes of it can't be written."""
    check_file("--out", path)
    if figures is not None:
        check_folder("--figures", Path(figures))


@contextmanager
def _workforce(ray: str | None, workers: int | None) -> Iterator[Workers]:
    """Have who plays the games of matches; a cluster that can't be had is one line."""
    with ExitStack() as stack:
        with users_mistakes():
            found = stack.enter_context(workforce(ray, workers))
        yield found


@contextmanager
def _mistakes() -> Iterator[None]:
    """Turn what goes wrong around a study into one line."""
    try:
        yield
    except StudyInterrupted as interrupted:
        print(f"oponente: {interrupted}", file=sys.stderr)
        sys.exit(130)
    except (KeepError, MatchError, StorageError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}") from error


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show a bar on a terminal for what is being done."""
    with tqdm(
        unit="game",
        disable=not sys.stderr.isatty(),
        leave=False,
        dynamic_ncols=True,
        bar_format="{desc}: {percentage:3.0f}%|{bar}| {n:.1f}/{total} [{elapsed}<{remaining}]",
    ) as bar:

        def show(what: str, done: float, total: int) -> None:
            if bar.disable:
                return
            if bar.desc != f"{what}: ":
                bar.reset(total)
                bar.initial = done
                bar.set_description(what, refresh=False)
            bar.n = done
            bar.refresh()

        yield show


# --- output --------------------------------------------------------------------------------------------------------


def _print_studies(as_json: bool) -> None:
    studies: dict[str, Study] = {name: load_study(name) for name in STUDIES}
    if as_json:
        print_json(
            {
                "studies": [
                    {"name": name, "title": study.title, "source": study.source, "scales": dict(study.scale_lines())}
                    for name, study in studies.items()
                ]
            }
        )
        return
    for name, study in studies.items():
        click.echo(f"{name}: {STUDIES[name].line}")
        for scale, line in study.scale_lines().items():
            click.echo(f"  --scale {scale:<9} {line}")


def _print_verdicts(data: Mapping[str, Any]) -> None:
    verdicts = data["verdicts"]
    click.echo(f"{data['title']} ({data['source']})\n")
    click.echo(table([(v["finding"], v["claim"]) for v in verdicts], ("finding", "of the publication")))
    for verdict in verdicts:
        click.echo(f"\n{verdict['claim']}: {verdict['finding']}\n  {verdict['evidence']}")
    click.echo()
