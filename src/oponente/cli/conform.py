"""``oponente conform``: replays what another engine has recorded, and tells what differs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.cli.common import json_option, print_json, users_mistakes
from oponente.interop.catanatron.conform import conform as conform_catanatron
from oponente.interop.jsettlers.conform import conform as conform_jsettlers
from oponente.interop.jsettlers.conform import transcripts
from oponente.interop.recordings import recordings
from oponente.interop.risk.conform import conform as conform_risk

KINDS = {
    "catanatron": (conform_catanatron, recordings),
    "jsettlers": (conform_jsettlers, transcripts),
    "risk": (conform_risk, recordings),
}
"""How each kind of recordings is replayed, and found."""


@click.command("conform")
@click.argument("kind", metavar="KIND", type=click.Choice(list(KINDS)))
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@json_option
def command(kind: str, path: Path, as_json: bool) -> None:
    """Replay the recorded games in folder PATH by our rules, and compare all that they tell.

    KIND says whose recordings: catanatron (every state and every set of legal actions is compared), jsettlers (every
    total that a server told its client) or risk (every state that the program of Ferrari, UFSM 2022, has noted). The
    exit status is 0 if nothing differs, 1 if anything does.
    """
    with users_mistakes():
        replay, find = KINDS[kind]
        found = find(path)
        with tqdm(
            total=len(found), unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True
        ) as bar:
            report = replay(path, lambda _file: bar.update())
    if as_json:
        print_json(report)
    else:
        click.echo(_text(report))
    if report["differences"]:
        sys.exit(1)


def _text(report: dict[str, Any]) -> str:
    counted = [
        f"{report[key]:,} {key}" for key in ("games", "transcripts", "actions", "commands", "messages") if key in report
    ]
    lines = [f"{', '.join(counted)}, {report['differences']:,} differences"]
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
