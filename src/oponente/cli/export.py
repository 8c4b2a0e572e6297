"""``oponente export``: games that were kept, written to a file for other programs."""

from __future__ import annotations

from collections.abc import Sequence

import click

from oponente.arena import Store, check_export, default_records, export_games, stored_matches
from oponente.cli.common import json_option, print_json, users_mistakes
from oponente.cli.matches import arena_mistakes


@click.command("export")
@click.argument("file")
@click.option(
    "--match",
    "chosen",
    type=click.IntRange(1, 2**62),
    multiple=True,
    help="Number of a match; may be repeated; all matches if not given.",
)
@click.option(
    "--from",
    "source",
    metavar="FILE|URL",
    help="The database, if not the usual one: an SQLite file or an SQLAlchemy URL.",
)
@json_option
def command(file: str, chosen: Sequence[int], source: str | None, as_json: bool) -> None:
    """Write the games that a database keeps to FILE, whose name ends in .csv, .parquet or .json.

    The database stays as it is. `oponente replay` lists the matches with their numbers.
    """
    source = source or default_records()
    with users_mistakes(), arena_mistakes():
        check_export(file)
        with Store(source, create=False) as store:
            matches = stored_matches(store, *dict.fromkeys(chosen))
            games = export_games(matches, file)
    if as_json:
        print_json({"file": file, "matches": [match.number for match in matches], "games": games})
    else:
        click.echo(f"{games:,} games of {len(matches):,} match{'' if len(matches) == 1 else 'es'} written to {file}")
