"""``oponente train``: tune agents and train networks."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente import __version__
from oponente.arena import MatchError, MatchSpec
from oponente.arena.play import seat_agent
from oponente.cli import completion
from oponente.cli.common import (
    agent_file_option,
    check_file,
    game_arguments,
    json_option,
    print_json,
    seed_option,
    users_mistakes,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, derive_seed
from oponente.learn.space import Space
from oponente.learn.training import Training, TrainingError


@click.group("train")
def command() -> None:
    """Tune the parameters of an agent, or train a network, by games.

    What was reached is kept in a folder after each step, so that a training that was interrupted, even killed, goes on
    with --resume. The same seed gives the same training on any number of workers.
    """


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
        click.option(
            "--parameter", "names", multiple=True, metavar="NAME", help="What to tune; repeatable.  [default: all]"
        ),
        agent_file_option,
        click.argument("agent", shell_complete=completion.agents),
        game_arguments,
    ):
        function = decorator(function)
    return function


@command.command("ga")
@_common
@click.option("--iterations", type=click.IntRange(1, 10**6), default=200, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(4, 10**5), default=60, show_default=True, help="Individuals.")
@click.option("--tournaments", type=click.IntRange(1, 10**5), default=20, show_default=True, help="In an iteration.")
@click.option("--size", type=click.IntRange(4, 100), default=4, show_default=True, help="Individuals in a tournament.")
@click.option("--games", type=click.IntRange(1, 10**6), default=20, show_default=True, help="In a tournament.")
@click.option("--spread", type=float, default=100.0, show_default=True, help="Deviation of the first population.")
@click.option("--mutation", type=float, default=50.0, show_default=True, help="Deviation of a mutation.")
@click.option("--rate", type=click.FloatRange(0, 1), default=0.3, show_default=True, help="How often values mutate.")
@click.option("--final-games", type=click.IntRange(1), default=100, show_default=True, help="In the last selection.")
@click.option("--duel-games", type=click.IntRange(0), default=1000, show_default=True, help="Winner v start values.")
def genetic(
    game: Game,
    game_spec: GameSpec,
    agent: str,
    agent_files: Sequence[str],
    names: Sequence[str],
    seed: int,
    workers: int,
    out: str | None,
    resume: bool,
    as_json: bool,
    duel_games: int,
    **settings: Any,
) -> None:
    """Tune AGENT for GAME by a genetic algorithm; the defaults are those of Skoric (FER 2022).

    Deviations are in units of a parameter: for the weights of `value` 1, else a thousandth of its range.
    """
    from oponente.learn.contest import holder
    from oponente.learn.genetic import Genetic, GeneticSettings

    files = tuple(map(os.path.abspath, agent_files))
    with _mistakes():
        chosen = GeneticSettings(**settings)
        folder = out or f"ga-{game.name}-{agent.partition(':')[0]}"
        space = _space(seat_agent(agent, game, files), names, Path(folder) / "individuals")
        if game.num_players > chosen.size:
            raise ValueError(f"{game.name} has {game.num_players} players here: give --size {game.num_players} or more")
        identity = _identity("ga", game_spec, space, seed, files, asdict(chosen))
        training = Training(folder, identity, resume=resume)
        with (
            holder(game_spec, [space.spec(space.start)], workers, files) as held,
            _progress(chosen.iterations) as progress,
        ):
            evolution = Genetic(space, game_spec, chosen, seed, held, files)
            population = evolution.run(training, progress)
            best = evolution.best(population)
            measured = None
            if duel_games and game.num_players % 2 == 0:
                measured = evolution.against_start(best, duel_games, "duel").values()
        result = _result(identity, space, best, training, {"duel_with_start": measured})
        lines = {"win rate of the mean": [row["gauge"] for row in training.metrics if row["gauge"] is not None]}
        lines |= {name.removesuffix("_mean"): [row[name] for row in training.metrics] for name in space.lines()}
        training.finish(result["best"], result, lines)
    _tell(result, training, as_json)


_duel_games = click.option(
    "--duel-games", type=click.IntRange(0), default=1000, show_default=True, help="Result v start values."
)


_against = click.option(
    "--against", metavar="SPEC", help="The opponent.  [default: AGENT as it is]", shell_complete=completion.agents
)


@command.command("cma")
@_common
@_against
@click.option("--generations", type=click.IntRange(1, 10**6), default=50, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(2, 10**5), help="Candidates of a generation.  [default: 4 + 3 ln n]")
@click.option("--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Of each candidate.")
@click.option("--sigma", type=click.FloatRange(1e-9), default=50.0, show_default=True, help="First deviation.")
@_duel_games
def cma(generations: int, population: int | None, sigma: float, **common: Any) -> None:
    """Tune AGENT for GAME by CMA-ES: all its numbers at once, with correlations (the extra oponente[learn]).

    Deviations are in units of a parameter: for the weights of `value` 1, else a thousandth of its range.
    """
    from oponente.learn.evolution_strategy import run_cma

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


@command.command("ntbea")
@_common
@_against
@click.option("--steps", type=click.IntRange(1, 10**6), default=200, show_default=True, help="Measurements.")
@click.option("--values", type=click.IntRange(2, 1000), default=5, show_default=True, help="Of each number.")
@click.option("--reach", type=click.FloatRange(1e-9), default=200.0, show_default=True, help="From the start value.")
@click.option("--neighbours", type=click.IntRange(1, 10**6), default=50, show_default=True, help="In each step.")
@click.option("--games", type=click.IntRange(1, 10**6), default=40, show_default=True, help="Of each measurement.")
@_duel_games
def ntbea(steps: int, values: int, reach: float, neighbours: int, **common: Any) -> None:
    """Tune AGENT for GAME by the n-tuple bandit evolutionary algorithm: also switches and words, a few values of each.

    The reach is in units of a parameter: for the weights of `value` 1, else a thousandth of its range.
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

    settings = {"steps": steps, "values": values, "reach": reach, "neighbours": neighbours}
    _tune_by_fitness("ntbea", run, settings, steps, ("share", "model"), mixed=True, **common)


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
    names: Sequence[str],
    seed: int,
    workers: int,
    out: str | None,
    resume: bool,
    as_json: bool,
    against: str | None,
    games: int,
    duel_games: int,
    mixed: bool = False,
) -> None:
    """Tune an agent by an algorithm that measures candidates against an opponent."""
    from oponente.learn.contest import duel, holder
    from oponente.learn.fitness import Fitness

    files = tuple(map(os.path.abspath, agent_files))
    with _mistakes():
        space = Space(seat_agent(agent, game, files), names or None, mixed=mixed)
        start = space.spec(space.start)
        opponent = start if against is None else seat_agent(against, game, files).spec
        identity = _identity(kind, game_spec, space, seed, files, {**settings, "games": games, "against": opponent})
        training = Training(out or f"{kind}-{game.name}-{space.agent.name}", identity, resume=resume)
        with holder(game_spec, [start, opponent], workers, files) as held, _progress(total) as progress:
            best = run(Fitness(space, game_spec, opponent, games, seed, held, files), training, progress)
            measured = None
            if duel_games and game.num_players % 2 == 0:
                number = derive_seed(seed, "duel") >> 1
                measured = duel(game_spec, space.spec(best), start, duel_games, number, held, files).values()
        result = _result(identity, space, best, training, {"duel_with_start": measured})
        lines = {name: [row[name] for row in training.metrics] for name in shown}
        training.finish(dict(zip(space.names, best, strict=True)), result, lines)
    _tell(result, training, as_json)


_workers = click.option(
    "--workers", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at a time."
)
_layers = click.option(
    "--layers", default="32,16", show_default=True, metavar="N,N", help="Neurons of the hidden layers."
)
_batch = click.option("--batch", type=click.IntRange(1, 10**6), default=512, show_default=True, help="Rows at a time.")
_learning_rate = click.option(
    "--learning-rate", "rate", type=click.FloatRange(1e-8, 10), default=0.002, show_default=True, help="Of Adam."
)


def _sizes(layers: str) -> tuple[int, ...]:
    """Return the sizes of hidden layers; an empty text stands for none."""
    try:
        sizes = tuple(int(part) for part in layers.split(",")) if layers else ()
    except ValueError:
        sizes = (0,)
    if any(size < 1 for size in sizes):
        raise ValueError(f"--layers {layers}: expected numbers of neurons, such as 32,16")
    return sizes


@command.command("data")
@game_arguments
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", shell_complete=completion.agents)
@agent_file_option
@click.option("--games", type=click.IntRange(1, 10**8), default=1000, show_default=True, help="How many.")
@click.option("--positions", type=click.IntRange(1, 10**6), default=40, show_default=True, help="Of each game.")
@click.option("--features", default=None, help="What is written of a position.  [default: the game's own, or encoding]")
@click.option("--evaluation", default="outcome", show_default=True, help="Evaluator for the column value.")
@seed_option
@click.option("--out", metavar="FILE", required=True, help="The Parquet file.")
def data(
    game: Game,
    game_spec: GameSpec,
    agents: Sequence[str],
    agent_files: Sequence[str],
    games: int,
    positions: int,
    features: str | None,
    evaluation: str,
    seed: int,
    out: str,
) -> None:
    """Let agents play GAME, one AGENT for each player, and write positions for learning to a Parquet file."""
    from oponente.learn.dataset import make_dataset
    from oponente.learn.features import feature_names

    with _mistakes():
        check_file("--out", Path(out))
        files = tuple(map(os.path.abspath, agent_files))
        spec = MatchSpec(game_spec, tuple(agents), games, seed, files)
        spec.check_players(game)
        kind = features or feature_names(game)[0]
        with _progress(games) as progress:
            rows = make_dataset(
                spec,
                out,
                kind=kind,
                evaluation=evaluation,
                positions=positions,
                progress=lambda done, total: progress(done, total, ""),
            )
    click.echo(f"{rows} rows written to {out}")


@command.command("self-play")
@game_arguments
@click.argument("agent", required=False, shell_complete=completion.agents)
@agent_file_option
@click.option("--generations", type=click.IntRange(1, 999), default=10, show_default=True, help="How many.")
@click.option("--games", type=click.IntRange(2, 10**7), default=200, show_default=True, help="Of each generation.")
@click.option("--positions", type=click.IntRange(1, 10**6), default=16, show_default=True, help="Of each game.")
@click.option("--opening", type=click.IntRange(0, 10**4), default=4, show_default=True, help="Random plies at most.")
@click.option(
    "--explore", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Share of random actions."
)
@click.option(
    "--latest", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Share of seats of the latest agent."
)
@click.option(
    "--mix", type=click.FloatRange(0, 1), default=0.5, show_default=True, help="Weight of the search's value."
)
@click.option("--window", type=click.IntRange(1, 999), default=4, show_default=True, help="Generations to learn from.")
@click.option("--network", metavar="FILE", help="Network to begin with, as of train network --target outcome.")
@click.option("--features", default=None, help="What the network sees.  [default: the game's own, or encoding]")
@_layers
@click.option("--epochs", type=click.IntRange(1, 10**5), default=10, show_default=True, help="Passes over the data.")
@_batch
@_learning_rate
@click.option(
    "--symmetries/--no-symmetries", "symmetric", default=True, show_default=True, help="Turn and mirror rows."
)
@click.option("--gate-games", type=click.IntRange(2, 10**7), default=200, show_default=True, help="New against best.")
@click.option(
    "--superiority",
    type=click.FloatRange(0, 1),
    default=0.95,
    show_default=True,
    help="Likelihood of being better that the gate asks for.",
)
@click.option("--duel-games", type=click.IntRange(0), default=400, show_default=True, help="Result v AGENT as given.")
@click.option("--max-plies", type=click.IntRange(1), help="Break games off as draws.  [default: never]")
@_workers
@seed_option
@click.option("--out", metavar="DIR", help="Folder of the training.  [default: self-play-GAME]")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@json_option
def self_play(
    game: Game,
    game_spec: GameSpec,
    agent: str | None,
    agent_files: Sequence[str],
    network: str | None,
    features: str | None,
    layers: str,
    workers: int,
    seed: int,
    out: str | None,
    resume: bool,
    as_json: bool,
    duel_games: int,
    **options: Any,
) -> None:
    """Train a network by self-play with search: AGENT's evaluation, from what its own games come to.

    In each generation the best agent so far and the latest play among themselves; a network learns from the last
    generations what comes of positions, and what the search thinks of them; it takes the place of the best if it does
    better in paired games.
    AGENT is any that has a parameter evaluation.  [default: mcts:100,cutoff=0,reward=unit,estimate=none]
    """
    from oponente.learn.features import feature_names, features_of
    from oponente.learn.gate import crew
    from oponente.learn.self_play import (
        BEGINNER,
        SelfPlay,
        SelfPlaySettings,
        check_agent,
        check_evaluating,
        network_file,
    )
    from oponente.learn.supervised import pytorch
    from oponente.search.network_files import evaluation_text, network_evaluator

    files = tuple(map(os.path.abspath, agent_files))
    with _mistakes():
        settings = SelfPlaySettings(layers=_sizes(layers), **options)
        first = seat_agent(agent or BEGINNER, game, files)
        check_agent(first, game)
        kind = features or feature_names(game)[0]
        count = features_of(game, kind)[1]
        check_evaluating(first.spec, game, kind, settings.layers, files)
        network = network and evaluation_text(network)
        if network and (given := network_evaluator(network, game)):
            if given.sizes.tolist() != [count, *settings.layers, 1]:
                raise ValueError(f"--network {network}: it has other layers than {count},{layers},1: give --layers")
            if given.players:
                raise ValueError(f"--network {network} tells chances to win; begin with one of --target outcome")
        pytorch()
        identity = {
            **_about("self-play", game_spec, first.spec, seed, files),
            "network": network,
            "features": kind,
            "settings": asdict(settings),
        }
        training = Training(out or f"self-play-{game.name}", identity, resume=resume)
        with (
            crew(game_spec, [first.spec], workers, files) as playing,
            _progress(settings.generations) as progress,
        ):
            learner = SelfPlay(game_spec, first.spec, kind, settings, seed, playing, files, network)
            best = learner.run(training, progress)
            measured = None
            if best and duel_games:
                measured = learner.compared(training.folder, best, 0, duel_games, "duel").values()
        result = {
            **identity,
            "best": {"generation": best},
            "spec": learner.spec(training.folder, best),
            "seconds": training.metrics[-1]["seconds"],
            "match_with_start": measured,
        }
        if best:
            file = training.folder / "network.safetensors"
            file.write_bytes(network_file(training.folder, best).read_bytes())
            result["best"]["evaluation"] = str(file.absolute())
            result["spec"] = learner.spec_with(str(file))
        shown = ("gate_score", "superiority", "validation", "explained", "against", "rows")
        training.finish(
            result["best"], result, {name: [float(row[name]) for row in training.metrics] for name in shown}
        )
    if as_json:
        print_json(result)
        return
    for row in training.metrics:
        word = "accepted" if row["accepted"] else "not accepted"
        click.echo(
            f"generation {row['generation']:3}  score {row['gate_score']:.3f} ({row['gate_low']:.3f} .."
            f" {row['gate_high']:.3f}) against {row['against'] or 'the start'}, {word}"
        )
    _tell_match(measured, first.spec)
    if not best:
        click.echo(f"no network was better than {first.spec}")
    click.echo(f"{result['spec']}\nWritten to {training.folder}, {result['seconds']:.0f} s")


@command.command("neuroevolution")
@game_arguments
@click.argument("agent", shell_complete=completion.agents)
@agent_file_option
@click.option("--random", "fresh", is_flag=True, help="Begin with random weights, though AGENT has a network.")
@click.option("--features", default=None, help="What a new network sees.  [default: the game's own, or encoding]")
@_layers
@click.option("--generations", type=click.IntRange(1, 10**6), default=50, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(2, 10**5), help="Candidates of a generation.  [default: 4 + 3 ln n]")
@click.option("--games", type=click.IntRange(1, 10**6), default=40, show_default=True, help="Of each candidate.")
@click.option("--sigma", type=click.FloatRange(1e-9), default=0.2, show_default=True, help="First deviation.")
@click.option("--opening", type=click.IntRange(0, 10**4), default=2, show_default=True, help="Random plies of a game.")
@click.option(
    "--against", metavar="SPEC", help="The opponent.  [default: the network reached]", shell_complete=completion.agents
)
@click.option(
    "--gauge", type=click.IntRange(0), default=10, show_default=True, help="Generations between measurements."
)
@click.option("--gauge-games", type=click.IntRange(2), default=100, show_default=True, help="Of such a measurement.")
@click.option("--duel-games", type=click.IntRange(0), default=400, show_default=True, help="Result v the start.")
@_workers
@seed_option
@click.option("--out", metavar="DIR", help="Folder of the training.  [default: neuroevolution-GAME-AGENT]")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@json_option
def neuroevolution(
    game: Game,
    game_spec: GameSpec,
    agent: str,
    agent_files: Sequence[str],
    fresh: bool,
    features: str | None,
    layers: str,
    generations: int,
    population: int | None,
    games: int,
    sigma: float,
    opening: int,
    against: str | None,
    gauge: int,
    gauge_games: int,
    duel_games: int,
    workers: int,
    seed: int,
    out: str | None,
    resume: bool,
    as_json: bool,
) -> None:
    """Evolve the weights of AGENT's network by paired matches: a separable CMA-ES (the extra oponente[learn]).

    AGENT is one that plays by a network (`neural`), or any with a parameter evaluation: that is a file of a network, or
    else a network with random weights is made. Deviations are in units of the standard deviation of a layer's weights.
    """
    from oponente.learn.contest import holder
    from oponente.learn.features import feature_names
    from oponente.learn.fitness import Fitness
    from oponente.learn.gate import Verdict, compare, crew
    from oponente.learn.network_space import NetworkSpace, fresh_network, has_network
    from oponente.learn.neuroevolution import run_neuroevolution
    from oponente.learn.self_play import check_agent

    files = tuple(map(os.path.abspath, agent_files))
    with _mistakes():
        first = seat_agent(agent, game, files)
        if not hasattr(first, "tuning_network"):
            check_agent(first, game)
        new = fresh or not has_network(first)
        if features and has_network(first):
            raise ValueError(f"--features is for a new network: {first.name} has one, and sees what that sees")
        kind = (features or feature_names(game)[0]) if new else None
        network = fresh_network(first, game, kind or "", _sizes(layers), seed) if kind else None
        folder = out or f"neuroevolution-{game.name}-{first.name}"
        space = NetworkSpace(first, Path(folder) / "individuals", network)
        opponent = None if against is None else seat_agent(against, game, files).spec
        identity = {
            **_about("neuroevolution", game_spec, first.spec, seed, files),
            "weights": len(space.names),
            "settings": {
                "random": fresh,
                "features": kind,
                "layers": layers,
                "generations": generations,
                "population": population,
                "games": games,
                "sigma": sigma,
                "opening": opening,
                "against": opponent,
                "gauge": gauge,
                "gauge_games": gauge_games,
            },
        }
        training = Training(folder, identity, resume=resume)
        start = space.spec(space.start)
        seated = [start] if opponent is None else [start, opponent]
        with (
            holder(game_spec, seated, workers, files) as held,
            crew(game_spec, [start], workers, files) as playing,
            _progress(generations) as progress,
        ):

            def compared(spec: str, count: int, *path: int | str) -> Verdict:
                number, begin = derive_seed(seed, *path) >> 1, space.spec(space.start)
                return compare(game_spec, spec, begin, count, number, playing, files=files, opening=opening)

            best = run_neuroevolution(
                space,
                Fitness(space, game_spec, opponent or "", games, seed, held, files, opening),
                training,
                generations=generations,
                sigma=sigma,
                population=population,
                opponent=opponent,
                gauge=gauge,
                compared=lambda spec, number: compared(spec, gauge_games, "gauge", number),
                seed=seed,
                progress=progress,
            )
            measured = compared(space.spec(best), duel_games, "duel").values() if duel_games else None
        result = _result(identity, space, best, training, {"match_with_start": measured})
        lines = {name: [row[name] for row in training.metrics] for name in ("mean", "best", "sigma", "distance")}
        lines["gauge"] = [row["gauge"] for row in training.metrics if row["gauge"] is not None]
        training.finish(result["best"], result, lines)
    if as_json:
        print_json(result)
        return
    _tell_match(measured, "the start")
    click.echo(f"{result['spec']}\nWritten to {training.folder}, {result['seconds']:.0f} s")


def _tell_match(measured: dict[str, Any] | None, start: str) -> None:
    if measured:
        low, high = measured["ci95"]
        click.echo(
            f"against {start}: mean share {measured['score']:.3f} of {measured['games']} games"
            f" ({low:.3f} .. {high:.3f}; {measured['even']:.3f} if equal)"
        )


@command.command("network")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--target",
    type=click.Choice(("value", "outcome", "winner")),
    default="value",
    show_default=True,
    help="Column; winner: how likely each seat is to win.",
)
@_layers
@click.option("--epochs", type=click.IntRange(1, 10**5), default=30, show_default=True, help="Passes over the data.")
@_batch
@_learning_rate
@seed_option
@click.option("--out", metavar="DIR", default="network", show_default=True, help="Folder of the training.")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@json_option
def network(
    dataset: str,
    target: str,
    layers: str,
    epochs: int,
    batch: int,
    rate: float,
    seed: int,
    out: str,
    resume: bool,
    as_json: bool,
) -> None:
    """Train a network on a DATASET of oponente train data or self-play, by PyTorch, as network.safetensors."""
    from oponente.kernel.arrays import write_arrays
    from oponente.learn.dataset import DatasetError, read_dataset
    from oponente.learn.supervised import SupervisedSettings, fit

    with _mistakes():
        sizes = _sizes(layers)
        columns, about = read_dataset(dataset)
        if target != "value" and "utility" not in about:
            raise DatasetError(f"{dataset} lacks the bounds of utilities, which --target {target} needs: make it anew")
        bounds = None if target == "value" else tuple(about["utility"])
        settings = SupervisedSettings(sizes, target, epochs, batch, rate)
        identity = {
            "kind": "network",
            "version": __version__,
            "data": about,
            "rows": len(columns["game"]),
            "seed": seed,
            "settings": asdict(settings),
        }
        training = Training(out, identity, resume=resume)
        with _progress(epochs) as progress:

            def keep(state: dict[str, Any], row: dict[str, Any]) -> None:
                training.keep(state, row)
                progress(row["epoch"], epochs, f"explained {row['explained']:.3f}")

            players = len(about["agents"]) if "agents" in about else None
            arrays, course = fit(columns, settings, seed, keep, training.state, bounds=bounds, players=players)
        write_arrays(training.folder / "network.safetensors", arrays)
        last = max(course, key=lambda row: -row["validation"])
        result = {**identity, "best": last, "seconds": course[-1]["seconds"]}
        lines = {name: [row[name] for row in course] for name in ("loss", "validation", "explained")}
        training.finish(last, result, lines)
    if as_json:
        print_json(result)
    else:
        what = "deviance" if target == "winner" else "variance"
        click.echo(f"explained {what} on games held out: {last['explained']:.4f} (epoch {last['epoch']:.0f})")
        click.echo(f"Written to {training.folder}, {result['seconds']:.0f} s")


def _identity(
    kind: str, game: GameSpec, space: Space, seed: int, files: Sequence[str], settings: dict[str, Any]
) -> dict[str, Any]:
    """Return what two runs must have in common for one to go on with the other."""
    return {
        **_about(kind, game, space.agent.spec, seed, files),
        "parameters": space.names if len(space.names) <= 1000 else len(space.names),
        "settings": settings,
    }


def _about(kind: str, game: GameSpec, agent: str, seed: int, files: Sequence[str]) -> dict[str, Any]:
    return {
        "kind": kind,
        "version": __version__,
        "game": game.name,
        "options": dict(game.options),
        "game_file": game.file,
        "agent": agent,
        "agent_files": list(files),
        "seed": seed,
    }


def _space(agent: Any, names: Sequence[str], folder: Path) -> Space:
    """Return what is tuned: an agent's network, if it has one and nothing is named, else its parameters."""
    from oponente.learn.network_space import NetworkSpace, has_network

    return Space(agent, names or None) if names or not has_network(agent) else NetworkSpace(agent, folder)


def _result(
    identity: dict[str, Any], space: Space, best: Sequence[Any], training: Training, more: dict[str, Any]
) -> dict[str, Any]:
    """Return what is told of a training that is done; a network is written to its folder."""
    from oponente.kernel.arrays import write_arrays
    from oponente.learn.network_space import NetworkSpace

    found, spec = dict(zip(space.names, best, strict=True)), ""
    if isinstance(space, NetworkSpace):
        file = training.folder / "network.safetensors"
        write_arrays(file, space.arrays(best))
        space.tidy()
        found = {space.parameter: str(file.absolute())}
        spec = space.spec_with(str(file.absolute()))
    return {
        **identity,
        "best": found,
        "spec": spec or space.spec(best),
        "seconds": training.metrics[-1]["seconds"] if training.metrics else 0.0,
        **more,
    }


def _tell(result: dict[str, Any], training: Training, as_json: bool) -> None:
    if as_json:
        print_json(result)
        return
    for name, value in result["best"].items():
        click.echo(f"{name:20} {value:.6g}" if isinstance(value, float) else f"{name:20} {value}")
    measured = result.get("duel_with_start")
    if measured:
        low, high = measured["ci95"]
        click.echo(
            f"\nagainst the start values: {100 * measured['rate']:.1f} % of {measured['wins'] + measured['losses']}"
            f" games won ({100 * low:.1f} .. {100 * high:.1f} %)"
        )
    click.echo(f"\nWritten to {training.folder}, {result['seconds']:.0f} s")


@contextmanager
def _mistakes() -> Iterator[None]:
    """Turn what goes wrong into one line; say after Ctrl-C how to go on."""
    try:
        with users_mistakes():
            yield
    except (TrainingError, MatchError, RuntimeError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        print("oponente: interrupted; the same command with --resume goes on", file=sys.stderr)
        sys.exit(130)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar on a terminal."""
    with tqdm(total=total, unit="it", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True) as bar:

        def show(done: int, total: int, word: str) -> None:
            bar.n = done
            if word:
                bar.set_postfix_str(word, refresh=False)
            bar.refresh()

        yield show
