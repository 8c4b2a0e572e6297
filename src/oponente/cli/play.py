"""``oponente play``: a person at the terminal against agents."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

import click

from oponente.agents.base import Agent, Budget
from oponente.agents.basic import COLUMNS, HumanAgent, Resigned
from oponente.arena.play import AgentFailedError, Course, ask, begin, close, end
from oponente.arena.telling import happened
from oponente.cli import completion
from oponente.cli.common import (
    agent_file_option,
    game_arguments,
    interruptible,
    load_agent,
    parse_position,
    position_arguments,
    seed_option,
)
from oponente.cli.live import check_live, play_live
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, State, derive_seed, stream

OPPONENT = "uct:time=1"
QUICK_OPPONENT = "uct:time=0.2"
"""Where several opponents move, many times each, between two turns of a person."""
LIVE_RATE = 10.0
"""Decisions a second that a person can follow."""


@click.command("play")
@game_arguments
@click.argument("agents", nargs=-1, metavar="[AGENT]...", shell_complete=completion.agents)
@agent_file_option
@seed_option
@click.option("--position", default="", help="Where to begin: the moves from the start of --seed.")
@click.option("--live", is_flag=True, help="In video games: the game does not wait, keys are pressed.")
@click.option(
    "--rate",
    type=click.FloatRange(0.1, 100),
    default=None,
    help=f"With --live: decisions a second.  [default: {LIVE_RATE:g}]",
)
def command(
    game: Game,
    game_spec: GameSpec,
    agents: Sequence[str],
    agent_files: Sequence[str],
    seed: int,
    position: str,
    live: bool,
    rate: float | None,
) -> None:
    """Play GAME yourself: one AGENT a seat, `human` for a person.

    Without agents, you have the first seat and `uct:time=1` all others (`uct:time=0.2` in games for more than two).
    """
    if rate is not None and not live:
        raise click.UsageError("--rate is for games that do not wait: give --live too")
    others = game.num_players - 1
    specs = list(agents) or ["human", *[OPPONENT if others < 2 else QUICK_OPPONENT] * others]
    if len(specs) != game.num_players:
        raise click.UsageError(f"{game.name} has {game.num_players} seats, but {len(specs)} agents were given")
    # Before anything is compiled.
    keys = check_live(game, sum(spec == HumanAgent.name for spec in specs)) if live else None
    seats = [load_agent(spec, game, agent_files) for spec in specs]
    try:
        course = _begin(game, seed, position)
        if keys is not None:
            play_live(course, seats, seed, keys, rate or LIVE_RATE, _decide)
        else:
            _play(course, seats, seed)
        for agent in seats:
            end(agent, course.state.returns, "", "the game")
    except Resigned as left:
        click.echo(f"\n{left}; the game ends here.\n")
        _show_position(course, game_spec, seed)
        return
    except AgentFailedError as failure:
        raise click.ClickException(f"the game ends here: {failure}") from failure
    finally:
        for agent in seats:
            close(agent)
    click.echo(f"\n{course.state.text()}\n")
    _show_position(course, game_spec, seed)
    for seat, value in enumerate(course.state.returns):
        click.echo(f"Player {seat + 1} ({seats[seat].spec}): {value:g}")


def _show_position(course: Course, game_spec: GameSpec, seed: int) -> None:
    """Say by which arguments the game that was played is found again, what was hidden in it included."""
    state = course.state
    if state.history:
        words = position_arguments(state.game, game_spec.file, seed, state.history)
        click.echo(f"The position, for draw and analyse: {shlex.join(words)}")
        click.echo(f"To play on from it: {shlex.join(['oponente', 'play', *words[:-1], '--position', words[-1]])}\n")


def _begin(game: Game, seed: int, position: str) -> Course:
    """Return the game at its start, or at a position, what was hidden on the way there still hidden."""
    if not position:
        return Course(game.start(seed))
    state = parse_position(game, position, seed)
    if game.perfect_information:
        return Course(state)
    course = Course(game.start(seed))
    for action in state.history:
        course.apply(action)
    return course


def _play(course: Course, seats: Sequence[Agent], seed: int) -> None:
    """Play to the end.

    Raises:
        Resigned: a person has left.
        AgentFailedError: an agent has failed.
    """
    state = course.state
    chance = stream(seed, "play", "chance")
    for seat, agent in enumerate(seats):
        begin(agent, state.game, seat)
    while not state.is_terminal:
        if state.is_chance:
            action = state.sample_chance(chance)
            who = "Chance"
        else:
            agent = seats[state.player]
            action = _decide(course, agent, derive_seed(seed, "play", len(state.history)), Budget())
            who = f"Player {state.player + 1} ({agent.spec})"
        before = state.copy()
        course.apply(action)
        click.echo(_happened(before, action, state, who, seats))


def _decide(course: Course, agent: Agent, seed: int, budget: Budget) -> int:
    view = course.view(course.state.player, seed)
    if isinstance(agent, HumanAgent):
        return course.check(agent, ask(agent, view, budget))
    return course.check(agent, interruptible(lambda: ask(agent, view, budget), budget.control))


def _happened(before: State, action: int, after: State, who: str, seats: Sequence[Agent]) -> str:
    """Return what happened, as far as all persons at the table may see it (all of it if there is none)."""
    people = [seat for seat, agent in enumerate(seats) if isinstance(agent, HumanAgent)]
    told = happened(before, action, after, people)
    if told is None:
        return f"{who} acts unseen"
    text = f"{who}: {told}"
    return textwrap.fill(text, COLUMNS, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
