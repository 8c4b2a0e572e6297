"""``oponente train ga``, ``cma`` and ``ntbea``: tune the parameters of an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from oponente.arena.play import seat_agent
from oponente.cli import completion
from oponente.cli.common import agent_file_option, game_arguments, json_option, print_json, seed_option
from oponente.cli.train.common import (
    GREATEST,
    FiniteRange,
    about_training,
    check_opponent,
    mistakes,
    opening_option,
    opening_plies,
    progress_bar,
    share,
    tell_match,
    training_result,
    where_files_are,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, absolute, derive_seed
from oponente.learn.space import Space
from oponente.learn.training import Training


def _common(function: Any) -> Any:
    """Add what all ways of tuning an agent have in common."""
    for decorator in (
        json_option,
        click.option("--resume", is_flag=True, help="Go on with a training that was interrupted."),
        click.option("--out", metavar="DIR", help="Folder of the training.  [default: KIND-GAME-AGENT]"),
        click.option(
            "--workers", type=click.IntRange(1, 1024), default=1, show_default=True, help="Contests at a time."
        ),
        seed_option,
        opening_option,
        click.option(
            "--parameter",
            "parameters",
            multiple=True,
            metavar="NAME[=V1,V2,...]",
            help="What to tune, with ntbea also the values to try; repeatable.  [default: all]",
        ),
        agent_file_option,
        click.argument("agent", shell_complete=completion.agents),
        game_arguments,
    ):
        function = decorator(function)
    return function


@click.command("ga")
@_common
@click.option("--iterations", type=click.IntRange(1, 10**6), default=200, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(4, 10**5), default=60, show_default=True, help="Individuals.")
@click.option("--tournaments", type=click.IntRange(1, 10**5), default=20, show_default=True, help="In an iteration.")
@click.option("--size", type=click.IntRange(4, 100), default=4, show_default=True, help="Individuals in a tournament.")
@click.option(
    "--games", type=click.IntRange(1, 10**6), default=20, show_default=True, help="In a tournament, in whole blocks."
)
@click.option(
    "--spread",
    type=FiniteRange(0, GREATEST),
    default=100.0,
    show_default=True,
    help="Deviation of the first population.",
)
@click.option(
    "--mutation", type=FiniteRange(0, GREATEST), default=50.0, show_default=True, help="Deviation of a mutation."
)
@click.option("--rate", type=share, default=0.3, show_default=True, help="How often values mutate.")
@click.option("--final-games", type=click.IntRange(1), default=100, show_default=True, help="In the last selection.")
@click.option(
    "--duel-games",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Winner v start values, in whole blocks.",
)
def genetic(
    game: Game,
    game_spec: GameSpec,
    agent: str,
    agent_files: Sequence[str],
    parameters: Sequence[str],
    seed: int,
    workers: int,
    out: str | None,
    resume: bool,
    as_json: bool,
    opening: int | None,
    duel_games: int,
    **settings: Any,
) -> None:
    """Tune AGENT for GAME by a genetic algorithm; the defaults are those of Skoric (FER 2022).

    Deviations are in units of a parameter: 1 for the weights of `value`, a thousandth of the range for most others; 100
    units double a count.
    """
    from oponente.learn.contest import holder
    from oponente.learn.genetic import Genetic, GeneticSettings
    from oponente.learn.network_space import NetworkSpace

    files = tuple(map(absolute, agent_files))
    with mistakes():
        names, _ = _named(parameters, may_have_values=False)
        chosen = GeneticSettings(opening=opening_plies(opening, game), **settings)
        folder = out or f"ga-{game.name}-{agent.partition(':')[0]}"
        space = _space(seat_agent(agent, game, files), names, Path(folder) / "individuals")
        if game.num_players > chosen.size:
            raise ValueError(f"{game.name} has {game.num_players} players here: give --size {game.num_players} or more")
        identity = _identity("ga", game_spec, space, seed, files, asdict(chosen))
        training = Training(folder, identity, resume=resume)
        with (
            holder(game_spec, [space.spec(space.start)], workers, files) as held,
            progress_bar(chosen.iterations) as progress,
        ):
            evolution = Genetic(space, game_spec, chosen, seed, held, files)
            best = evolution.best(evolution.run(training, progress))
            measured = None
            if duel_games and game.num_players % 2 == 0:
                measured = evolution.against_start(best, duel_games, "duel").values()
        result = training_result(
            identity, where_files_are(game_spec, files), space, best, training, {"duel_with_start": measured}
        )
        lines = {"mean against the start": [row["gauge"] for row in training.metrics if row["gauge"] is not None]}
        lines |= {name.removesuffix("_mean"): [row[name] for row in training.metrics] for name in space.lines()}
        training.finish(result["best"] if isinstance(space, NetworkSpace) else space.by_name(best), result, lines)
    _tell(result, training, as_json)


_duel_games = click.option(
    "--duel-games",
    type=click.IntRange(0),
    default=1000,
    show_default=True,
    help="Result v start values, in whole blocks; each alone in a game for one.",
)


_against = click.option(
    "--against",
    metavar="SPEC",
    help="The opponent; none in a game for one.  [default: AGENT as it is]",
    shell_complete=completion.agents,
)


@click.command("cma")
@_common
@_against
@click.option("--generations", type=click.IntRange(1, 10**6), default=50, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(2, 10**5), help="Candidates of a generation.  [default: 4 + 3 ln n]")
@click.option(
    "--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Of each candidate, in whole blocks."
)
@click.option("--sigma", type=FiniteRange(1e-9, GREATEST), default=50.0, show_default=True, help="First deviation.")
@_duel_games
def cma(generations: int, population: int | None, sigma: float, **common: Any) -> None:
    """Tune AGENT for GAME by CMA-ES: all its numbers at once, with correlations (the extra oponente[learn]).

    Deviations are in units of a parameter: 1 for the weights of `value`, a thousandth of the range for most others; 100
    units double a count.
    """
    from oponente.learn.evolution_strategy import pycma, run_cma

    with mistakes():
        pycma()

    def run(fitness: Any, training: Training, progress: Any) -> list[Any]:
        return run_cma(
            fitness,
            training,
            generations=generations,
            sigma=sigma,
            population=population,
            seed=common["seed"],
            progress=progress,
        )

    settings = {"generations": generations, "population": population, "sigma": sigma}
    _tune_by_fitness("cma", run, settings, generations, ("mean", "best"), **common)


@click.command("ntbea")
@_common
@_against
@click.option("--steps", type=click.IntRange(1, 10**6), default=200, show_default=True, help="Measurements.")
@click.option("--values", type=click.IntRange(3, 999), default=5, show_default=True, help="Of each number; odd.")
@click.option(
    "--reach", type=FiniteRange(1e-9, GREATEST), default=200.0, show_default=True, help="From the start value."
)
@click.option("--neighbours", type=click.IntRange(1, 10**6), default=50, show_default=True, help="In each step.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    default=40,
    show_default=True,
    help="Of each measurement, in whole blocks.",
)
@_duel_games
def ntbea(steps: int, values: int, reach: float, neighbours: int, **common: Any) -> None:
    """Tune AGENT for GAME by the n-tuple bandit evolutionary algorithm: also switches and words, a few values of each.

    --parameter c=0.5,1,2 names what is tried. Else it is numbers around the start value, as far as --reach, which is in
    units of a parameter: 1 for the weights of `value`, a thousandth of the range for most others; 100 units double a
    count.
    """
    from oponente.learn.ntbea import run_ntbea

    def run(fitness: Any, training: Training, progress: Any) -> list[Any]:
        return run_ntbea(
            fitness,
            training,
            steps=steps,
            values=values,
            reach=reach,
            neighbours=neighbours,
            seed=common["seed"],
            progress=progress,
        )

    if values % 2 == 0:
        raise click.UsageError(f"--values {values}: give an odd number, for the start value and as many on each side")
    settings = {"steps": steps, "values": values, "reach": reach, "neighbours": neighbours}
    _tune_by_fitness("ntbea", run, settings, steps, ("fitness", "model"), mixed=True, **common)


def _tune_by_fitness(
    kind: str,
    run: Callable[[Any, Training, Any], list[Any]],
    settings: dict[str, Any],
    total: int,
    shown: Sequence[str],
    *,
    game: Game,
    game_spec: GameSpec,
    agent: str,
    agent_files: Sequence[str],
    parameters: Sequence[str],
    seed: int,
    workers: int,
    out: str | None,
    resume: bool,
    as_json: bool,
    opening: int | None,
    against: str | None,
    games: int,
    duel_games: int,
    mixed: bool = False,
) -> None:
    """Tune an agent by an algorithm that measures candidates against an opponent."""
    from oponente.learn.contest import duel, holder
    from oponente.learn.fitness import Fitness

    files = tuple(map(absolute, agent_files))
    with mistakes():
        check_opponent(against, game)
        names, values = _named(parameters, may_have_values=mixed)
        space = Space(seat_agent(agent, game, files), names or None, mixed=mixed, values=values)
        space.check_named(game)
        start = space.spec(space.start)
        opponent = start if against is None else seat_agent(against, game, files).spec
        plies = opening_plies(opening, game)
        settings = {**settings, "named": values, "games": games, "opening": plies, "against": opponent}
        identity = _identity(kind, game_spec, space, seed, files, settings)
        training = Training(out or f"{kind}-{game.name}-{space.agent.name}", identity, resume=resume)
        with holder(game_spec, [start, opponent], workers, files) as held, progress_bar(total) as progress:
            best = run(Fitness(space, game_spec, opponent, games, seed, held, files, plies), training, progress)
            measured = alone = None
            if duel_games and game.num_players % 2 == 0:
                number = derive_seed(seed, "duel") >> 1
                measured = duel(game_spec, space.spec(best), start, duel_games, number, held, files, plies).values()
            elif duel_games and game.num_players == 1:
                last = Fitness(space, game_spec, "", duel_games, seed, held, files, plies)
                found, before = last.measure([best, space.start], "alone")
                alone = {"games": duel_games, "found": found, "start": before}
        more = {"duel_with_start": measured, "alone": alone}
        result = training_result(identity, where_files_are(game_spec, files), space, best, training, more)
        lines = {name: [row[name] for row in training.metrics] for name in shown}
        training.finish(space.by_name(best), result, lines)
    _tell(result, training, as_json)


def _named(parameters: Sequence[str], *, may_have_values: bool) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names of what is tuned, and the texts of the values to try where they are given.

    Raises:
        ValueError: a parameter is given twice, or values that it can't have.
    """
    names: list[str] = []
    values: dict[str, list[str]] = {}
    for text in parameters:
        name, equals, given = (part.strip() for part in text.partition("="))
        if equals and not may_have_values:
            raise ValueError(f"--parameter {text}: only ntbea chooses among values, so give the name alone")
        if not name or (equals and not given):
            raise ValueError(f"--parameter {text}: write a name, or a name and the values to try, such as c=0.5,1,2")
        if name in names:
            raise ValueError(f"--parameter {name} is given twice")
        names.append(name)
        if equals:
            values[name] = [value.strip() for value in given.split(",")]
    return names, values


def _identity(
    kind: str, game: GameSpec, space: Space, seed: int, files: Sequence[str], settings: dict[str, Any]
) -> dict[str, Any]:
    """Return what two runs must have in common for one to go on with the other."""
    return {
        **about_training(kind, game, space.agent.spec, seed, files),
        "parameters": space.names if len(space.names) <= 1000 else len(space.names),
        "settings": settings,
    }


def _space(agent: Any, names: Sequence[str], folder: Path) -> Space:
    """Return what is tuned: an agent's network, if it has one and nothing is named, else its parameters."""
    from oponente.learn.network_space import NetworkSpace, has_network

    return Space(agent, names or None) if names or not has_network(agent) else NetworkSpace(agent, folder)


def _tell(result: dict[str, Any], training: Training, as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    for name, value in result["best"].items():
        click.echo(f"{name:20} {value:.6g}" if isinstance(value, float) else f"{name:20} {value}")
    click.echo()
    tell_match(result["duel_with_start"], "the start values")
    if result.get("alone"):
        alone = result["alone"]
        click.echo(
            f"mean utility, from 0 to 1, of {alone['games']} games: {alone['found']:.3f},"
            f" with the start values {alone['start']:.3f}"
        )
    click.echo(f"Written to {training.folder}, {result['seconds']:.0f} s")
