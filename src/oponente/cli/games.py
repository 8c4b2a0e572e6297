"""``oponente games``: which games there are."""

from __future__ import annotations

from collections.abc import Sequence

import click

from oponente.cli import completion
from oponente.cli.common import COLUMNS, game_option, json_option, load, print_json, table
from oponente.games.catalogue import BUILT_IN
from oponente.kernel import Declared, declared, format_value


@click.command("games")
@click.argument("game_name", metavar="[GAME]", required=False, shell_complete=completion.games)
@game_option
@click.option("--game-file", metavar="FILE", help="A Python file that holds a game's rules.")
@json_option
def command(game_name: str | None, options: Sequence[str], game_file: str | None, as_json: bool) -> None:
    """List the games, or show one: players, kind, options."""
    if game_name is None and game_file is None:
        if options:
            raise click.UsageError("--option and --strict need a GAME")
        if as_json:
            print_json({"games": BUILT_IN})
        else:
            click.echo(table(list(BUILT_IN.items()), ("game", "about")))
        return
    spec, game = load(game_name, options, game_file)
    fields = declared(type(game.options))
    traits = {
        "hidden information": game.hidden_information,
        "simultaneous moves": game.simultaneous,
        "chance": bool(game.max_chance) or game.sampled_chance,
        "open actions": game.open_actions,
    }
    if as_json:
        print_json(
            {
                "game": game.name,
                "changed_options": game.changed_options,
                "players": game.num_players,
                "traits": traits,
                "max_actions": game.max_actions,
                "state_bytes": game.state_dtype.itemsize,
                "evaluators": list(game.evaluators),
                "playouts": list(game.policies),
                "options": [field.describe() for field in fields],
            }
        )
        return
    shown = [name for name, present in traits.items() if present] or ["perfect information, no chance"]
    changed = "".join(f", {key}={value}" for key, value in spec.shown_options.items())
    players = "1 player" if game.num_players == 1 else f"{game.num_players} players"
    click.echo(f"{game.name}{changed}: {players}, {', '.join(shown)}")
    click.echo(f"evaluators: {', '.join(game.evaluators)}; playout policies: {', '.join(game.policies)}")
    if fields:
        click.echo()
        click.echo(parameter_table(fields, "option"))
    # A game that is many says in the module of its notation which there are.
    listing = getattr(game.text, "listing", None)
    if listing is not None and game_name == game.name and "game" not in game.changed_options:
        click.echo(f"\n{listing()}")


def parameter_table(fields: list[Declared], what: str, width: int = COLUMNS) -> str:
    """Return a table of declared fields, of that width: name, default, range, meaning."""
    rows = [(field.name, format_value(field.default), field.range_text, field.meaning) for field in fields]
    return table(rows, (what, "default", "range", "meaning"), width=width)
