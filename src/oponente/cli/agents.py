"""``oponente agents GAME``: which agents play a game, with their parameters."""

from __future__ import annotations

from collections.abc import Sequence

import click

from oponente.agents.base import Agent
from oponente.cli.common import agent_file_option, game_arguments, json_option, print_json, users_mistakes
from oponente.cli.games import describe, parameter_table
from oponente.games.catalogue import GameSpec, agent_classes
from oponente.kernel import Game, declared


@click.command("agents")
@game_arguments
@agent_file_option
@json_option
def command(game: Game, game_spec: GameSpec, agent_files: Sequence[str], as_json: bool) -> None:
    """List the agents that play GAME, with defaults, ranges and meaning of their parameters."""
    with users_mistakes():
        classes = [agent for agent in agent_classes(game, agent_files) if _plays(agent, game)]
    if as_json:
        agents = [
            {"agent": cls.name, "about": _about(cls), "parameters": [describe(f) for f in declared(cls.Parameters)]}
            for cls in classes
        ]
        print_json({"game": game.name, "agents": agents})
        return
    click.echo(f"Agents for {game.name}. Write NAME:KEY=VALUE,KEY=VALUE, or NAME:VALUE for the first parameter.")
    for cls in classes:
        click.echo(f"\n{cls.name}: {_about(cls)}")
        fields = declared(cls.Parameters)
        if fields:
            click.echo("\n".join(f"    {line}" for line in parameter_table(fields, "parameter").splitlines()))


def _plays(cls: type[Agent], game: Game) -> bool:
    try:
        cls().check(game)
    except ValueError:
        return False
    except Exception as error:
        # Such as a class of a user's that lacks a method.
        raise click.ClickException(f"agent {cls.name}: {type(error).__name__}: {error}") from error
    return True


def _about(cls: type[Agent]) -> str:
    return (cls.__doc__ or "").strip().partition("\n")[0]
