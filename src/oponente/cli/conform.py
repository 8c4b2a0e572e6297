"""``oponente conform``: replays what another engine has recorded, and tells what differs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.cli.common import json_option, parse_options, print_json, users_mistakes
from oponente.interop.catanatron import conform as catanatron
from oponente.interop.vgdl import conform as vgdl

KINDS: dict[str, Any] = {"catanatron": catanatron, "vgdl": vgdl}
"""The module that replays each kind of recordings."""


@click.command("conform")
@click.argument("kind", metavar="KIND", type=click.Choice(list(KINDS)))
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the games; repeatable.")
@json_option
def command(kind: str, path: Path, options: Sequence[str], as_json: bool) -> None:
    """Replay the recorded games in folder PATH by our rules, and compare every state.

    KIND says whose recordings: catanatron, or vgdl (then --option games=DIR names the folder with the games'
    descriptions). The exit status is 0 if nothing differs, 1 if anything does.
    """
    module, values = KINDS[kind], parse_options(options)
    if values and kind == "catanatron":
        raise click.UsageError("recordings of catanatron say themselves with which options they were made")
    with users_mistakes():
        found = module.recordings(path)
        with tqdm(
            total=len(found), unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True
        ) as bar:
            given = {"options": values} if kind == "vgdl" else {}
            report = module.conform(path, lambda _file: bar.update(), **given)
    if as_json:
        print_json(report)
    else:
        click.echo(_text(report))
    if report["differences"]:
        sys.exit(1)


def _text(report: dict[str, Any]) -> str:
    counted = [name for name in ("games", "traces", "equal", "sequences", "actions", "ticks") if name in report]
    lines = [", ".join([f"{report[name]:,} {name}" for name in counted] + [f"{report['differences']:,} differences"])]
    for folder, counts in report.get("by_folder", {}).items():
        lines.append(f"  {folder}: {counts['equal']:,} of {counts['traces']:,} equal")
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
