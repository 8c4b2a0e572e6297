"""``oponente agents GAME``: which agents play a game, with their parameters."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import click

from oponente.agents.base import Agent
from oponente.agents.registry import about
from oponente.cli.common import COLUMNS, agent_file_option, game_arguments, json_option, print_json, users_mistakes
from oponente.cli.games import parameter_table
from oponente.games.catalogue import GameSpec, agent_classes
from oponente.kernel import Game, declared

INDENT = 4 * " "
"""Before the parameters of an agent."""


@click.command("agents")
@game_arguments
@agent_file_option
@json_option
def command(game: Game, game_spec: GameSpec, agent_files: Sequence[str], as_json: bool) -> None:
    """List the agents that play GAME, with defaults, ranges and meaning of their parameters.

    Agents that would play it with other options, or other games only, are named last, with the reason.
    """
    with users_mistakes():
        reasons = {agent: _reason_against(agent, game) for agent in agent_classes(game, agent_files)}
    classes = [agent for agent, reason in reasons.items() if reason is None]
    others = {agent.name: reason for agent, reason in reasons.items() if reason is not None}
    if as_json:
        agents = [
            {"agent": cls.name, "about": about(cls), "parameters": [f.describe() for f in declared(cls.Parameters)]}
            for cls in classes
        ]
        print_json({"game": game.name, "agents": agents, "not_playing": others})
        return
    click.echo(f"Agents for {game.name}. Write NAME:KEY=VALUE,KEY=VALUE, or NAME:VALUE for the first parameter.")
    for cls in classes:
        click.echo(f"\n{cls.name}: {about(cls)}")
        fields = declared(cls.Parameters)
        if fields:
            click.echo(textwrap.indent(parameter_table(fields, "parameter", COLUMNS - len(INDENT)), INDENT))

    for name, reason in others.items():
        click.echo(f"\nnot {name}: {reason.removeprefix(name).strip()}")


def _reason_against(cls: type[Agent], game: Game) -> str | None:
    """Return why an agent does not play the game; None if it does."""
    try:
        cls().check(game)
    except ValueError as error:
        return str(error)
    except Exception as error:
        # Such as a class of a user's that lacks a method.
        raise click.ClickException(f"agent {cls.name}: {type(error).__name__}: {error}") from error
    return None
