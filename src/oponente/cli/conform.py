"""``oponente conform``: replays what another engine has recorded, and tells what differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from tqdm import tqdm

from oponente.cli.common import escaped_lines, json_option, parse_options, print_json, users_mistakes
from oponente.interop.catanatron.conform import conform as conform_catanatron
from oponente.interop.jsettlers.conform import conform as conform_jsettlers
from oponente.interop.jsettlers.conform import transcripts
from oponente.interop.recordings import recordings
from oponente.interop.risk.conform import conform as conform_risk
from oponente.interop.vgdl.conform import conform as conform_vgdl
from oponente.interop.vgdl.conform import recordings as recordings_of_gvgai


class Kind(NamedTuple):
    """How one engine's recordings are found and replayed."""

    replay: Callable[..., dict[str, Any]]
    find: Callable[[Path], list[Path]]
    takes_options: bool = False
    """Whether the user may give options of the games. Others' recordings say them."""


KINDS = {
    "catanatron": Kind(conform_catanatron, recordings),
    "jsettlers": Kind(conform_jsettlers, transcripts),
    "risk": Kind(conform_risk, recordings),
    "vgdl": Kind(conform_vgdl, recordings_of_gvgai, takes_options=True),
}
"""By the name that the user gives."""


@click.command("conform")
@click.argument("kind", metavar="KIND", type=click.Choice(list(KINDS)))
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the games; repeatable.")
@json_option
def command(kind: str, path: Path, options: Sequence[str], as_json: bool) -> None:
    """Replay the recorded games in folder PATH by our rules, and compare all that they tell.

    KIND says whose recordings: catanatron (every state and every set of legal actions is compared), jsettlers (every
    total that a server told its client), risk (every state that the program of Ferrari, UFSM 2022, has noted) or vgdl
    (every sprite, score and random draw of every tick; --option games=DIR names the folder with the games'
    descriptions). The exit status is 0 if nothing differs, 1 if anything does, 2 if there is nothing to replay.
    """
    chosen, values = KINDS[kind], parse_options(options)
    if values and not chosen.takes_options:
        raise click.UsageError(f"recordings of {kind} say themselves with which options they were made")
    with users_mistakes():
        found = chosen.find(path)
        with tqdm(
            total=len(found), unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True
        ) as bar:
            given = {"options": values} if chosen.takes_options else {}
            report = chosen.replay(path, lambda _file: bar.update(), **given)
    if as_json:
        print_json(report)
    else:
        click.echo(escaped_lines(_text(report)))
    if report["differences"]:
        sys.exit(1)


def _text(report: dict[str, Any]) -> str:
    counted = ("games", "traces", "equal", "sequences", "ticks", "transcripts", "actions", "commands", "messages")
    counts = [f"{report[key]:,} {key}" for key in counted if key in report]
    lines = [f"{', '.join(counts)}, {report['differences']:,} differences"]
    for folder, found in report.get("by_folder", {}).items():
        lines.append(f"  {folder}: {found['equal']:,} of {found['traces']:,} equal")
    if "checks" in report:
        checks = ", ".join(f"{name.replace('_', ' ')} {count:,}" for name, count in report["checks"].items())
        lines.append(f"Compared: {checks}")
    for key, title in (("known_deviations", "Known deviations"), ("unlisted_deviations", "Not listed by design")):
        if report.get(key):
            lines.append(f"{title}: {', '.join(f'{kind} {count:,}' for kind, count in report[key].items())}")
    shown = report["first_differences"]
    if shown:
        lines += ["", "First differences:" if len(shown) < report["differences"] else "Differences:"]
    for row in shown:
        where = f"{row['file']}:{row['line']}" if row["line"] else row["file"]
        lines.append(f"  {where}  {row['field']}  theirs {json.dumps(row['theirs'])}  ours {_short(row['ours'])}")
    return "\n".join(lines)


def _short(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 200 else f"{shown[:197]}..."
