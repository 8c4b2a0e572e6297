"""``oponente play``: a person at the terminal against agents."""

from __future__ import annotations

from collections.abc import Sequence

import click

from oponente.agents.base import Agent, Budget
from oponente.agents.basic import HumanAgent, Resigned
from oponente.agents.view import View
from oponente.cli.common import agent_file_option, game_arguments, interruptible, load_agent, seed_option
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, State, derive_seed, stream

OPPONENT = "uct:time=1"


@click.command("play")
@game_arguments
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@agent_file_option
@seed_option
@click.option("--position", default="", help="Where to start: the moves from the start.")
def command(
    game: Game, game_spec: GameSpec, agents: Sequence[str], agent_files: Sequence[str], seed: int, position: str
) -> None:
    """Play GAME yourself: one AGENT a seat, `human` for a person.

    Without agents, you have the first seat and `uct:time=1` all others.
    """
    specs = list(agents) or ["human", *[OPPONENT] * (game.num_players - 1)]
    if len(specs) != game.num_players:
        raise click.UsageError(f"{game.name} has {game.num_players} seats, but {len(specs)} agents were given")
    seats = [load_agent(spec, game, agent_files) for spec in specs]
    state = game.position(position) if position else game.start(seed)
    masked: list[list[int]] = [list(state.history) for _ in seats]
    chance = stream(seed, "play", "chance")
    try:
        while not state.is_terminal:
            if state.is_chance:
                action = state.sample_chance(chance)
                who = "Chance"
            else:
                agent = seats[state.player]
                action = _decide(agent, View(state, state.player, _seed(seed, state), masked[state.player]))
                who = f"Player {state.player + 1} ({agent.spec})"
            _show(state, action, who, seats)
            for seat, history in enumerate(masked):
                history.append(action if game.perfect_information else state.observed(action, seat))
            state.apply(action)
    except Resigned as left:
        click.echo(f"\n{left}; the game ends here.")
        return
    finally:
        for agent in seats:
            agent.close()
    click.echo(f"\n{state.text()}\n")
    for seat, value in enumerate(state.returns):
        click.echo(f"Player {seat + 1} ({seats[seat].spec}): {value:g}")


def _decide(agent: Agent, view: View) -> int:
    budget = Budget()
    if isinstance(agent, HumanAgent):
        return agent.choose(view, budget)
    return interruptible(lambda: agent.choose(view, budget), budget.control)


def _show(state: State, action: int, who: str, seats: Sequence[Agent]) -> None:
    """Say what happened, as the persons at the table see it (all of it if there is none)."""
    people = [seat for seat, agent in enumerate(seats) if isinstance(agent, HumanAgent)]
    if len(people) == 1 and not state.game.perfect_information:
        seen = state.observed(action, people[0])
        if seen != action:
            click.echo(f"{who} acts unseen")
            return
    click.echo(f"{who}: {state.action_text(action)}")


def _seed(seed: int, state: State) -> int:
    return derive_seed(seed, "play", len(state.history))
