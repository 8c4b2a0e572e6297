"""``oponente train neuroevolution``: the weights of an agent's network, by evolution."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from oponente.arena.play import seat_agent
from oponente.cli import completion
from oponente.cli.common import agent_file_option, game_arguments, json_option, print_json, seed_option
from oponente.cli.train.common import (
    GREATEST,
    FiniteRange,
    about_training,
    layer_sizes,
    layers_option,
    mistakes,
    opening_option,
    opening_plies,
    progress_bar,
    tell_match,
    training_result,
    where_files_are,
    workers_option,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, absolute, derive_seed
from oponente.learn.training import Training


@click.command("neuroevolution")
@game_arguments
@click.argument("agent", shell_complete=completion.agents)
@agent_file_option
@click.option("--random", "fresh", is_flag=True, help="Begin with random weights, though AGENT has a network.")
@click.option("--features", default=None, help="What a new network sees.  [default: the game's own, or encoding]")
@layers_option
@click.option("--generations", type=click.IntRange(1, 10**6), default=50, show_default=True, help="How many.")
@click.option("--population", type=click.IntRange(2, 10**5), help="Candidates of a generation.  [default: 4 + 3 ln n]")
@click.option(
    "--games", type=click.IntRange(1, 10**6), default=40, show_default=True, help="Of each candidate, in whole blocks."
)
@click.option("--sigma", type=FiniteRange(1e-9, GREATEST), default=0.2, show_default=True, help="First deviation.")
@opening_option
@click.option(
    "--against", metavar="SPEC", help="The opponent.  [default: the network reached]", shell_complete=completion.agents
)
@click.option(
    "--gauge", type=click.IntRange(0), default=10, show_default=True, help="Generations between measurements."
)
@click.option("--gauge-games", type=click.IntRange(2), default=100, show_default=True, help="Of such a measurement.")
@click.option("--duel-games", type=click.IntRange(0), default=400, show_default=True, help="Result v the start.")
@workers_option
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
    opening: int | None,
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
    from oponente.learn.contest import crew, holder
    from oponente.learn.evolution_strategy import pycma
    from oponente.learn.features import feature_names
    from oponente.learn.fitness import Fitness
    from oponente.learn.gate import Verdict, compare
    from oponente.learn.network_space import NetworkSpace, fresh_network, has_network
    from oponente.learn.neuroevolution import run_neuroevolution
    from oponente.learn.self_play import check_agent

    files = tuple(map(absolute, agent_files))
    with mistakes():
        if game.num_players < 2:
            raise ValueError(f"{game.name} has one player here: networks are measured against each other")
        first = seat_agent(agent, game, files)
        if not hasattr(first, "tuning_network"):
            check_agent(first, game)
        new = fresh or not has_network(first)
        if features and has_network(first):
            raise ValueError(f"--features is for a new network: {first.name} has one, and sees what that sees")
        kind = (features or feature_names(game)[0]) if new else None
        network = fresh_network(first, game, kind or "", layer_sizes(layers), seed) if kind else None
        folder = out or f"neuroevolution-{game.name}-{first.name}"
        space = NetworkSpace(first, Path(folder) / "individuals", network)
        plies = opening_plies(opening, game)
        opponent = None if against is None else seat_agent(against, game, files).spec
        identity = {
            **about_training("neuroevolution", game_spec, first.spec, seed, files),
            "weights": len(space.names),
            "settings": {
                "random": fresh,
                "features": kind,
                "layers": layers,
                "generations": generations,
                "population": population,
                "games": games,
                "sigma": sigma,
                "opening": plies,
                "against": opponent,
                "gauge": gauge,
                "gauge_games": gauge_games,
            },
        }
        pycma()
        training = Training(folder, identity, resume=resume)
        start = space.spec(space.start)
        seated = [start] if opponent is None else [start, opponent]
        with (
            holder(game_spec, seated, workers, files) as held,
            crew(game_spec, [start], workers, files) as playing,
            progress_bar(generations) as progress,
        ):

            def compared(spec: str, count: int, *path: int | str) -> Verdict:
                number, begin = derive_seed(seed, *path) >> 1, space.spec(space.start)
                return compare(game_spec, spec, begin, count, number, playing, files=files, opening=plies)

            best = run_neuroevolution(
                space,
                Fitness(space, game_spec, opponent or "", games, seed, held, files, plies),
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
        result = training_result(
            identity, where_files_are(game_spec, files), space, best, training, {"match_with_start": measured}
        )
        lines = {name: [row[name] for row in training.metrics] for name in ("mean", "best", "sigma", "distance")}
        lines["gauge"] = [row["gauge"] for row in training.metrics if row["gauge"] is not None]
        training.finish(result["best"], result, lines)
    if as_json:
        print_json(result)
        return
    tell_match(measured, "the start")
    click.echo(f"{result['spec']}\nWritten to {training.folder}, {result['seconds']:.0f} s")
