"""``oponente train self-play``: a network by games of a search with itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from oponente.arena.play import seat_agent
from oponente.cli import completion
from oponente.cli.common import agent_file_option, game_arguments, json_option, print_json, seed_option
from oponente.cli.train.common import (
    about_training,
    batch_option,
    layer_sizes,
    layers_option,
    learning_rate_option,
    mistakes,
    progress_bar,
    share,
    tell_match,
    where_files_are,
    workers_option,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, absolute, in_one_step
from oponente.learn.training import Training


@click.command("self-play")
@game_arguments
@click.argument("agent", required=False, shell_complete=completion.agents)
@agent_file_option
@click.option("--generations", type=click.IntRange(1, 999), default=10, show_default=True, help="How many.")
@click.option("--games", type=click.IntRange(2, 10**7), default=200, show_default=True, help="Of each generation.")
@click.option("--positions", type=click.IntRange(1, 10**6), default=16, show_default=True, help="Of each game.")
@click.option("--opening", type=click.IntRange(0, 10**4), default=4, show_default=True, help="Random plies at most.")
@click.option("--explore", type=share, default=0.05, show_default=True, help="Share of random actions.")
@click.option("--latest", type=share, default=0.5, show_default=True, help="Share of seats of the latest agent.")
@click.option("--mix", type=share, default=0.5, show_default=True, help="Weight of the search's value.")
@click.option("--window", type=click.IntRange(1, 999), default=4, show_default=True, help="Generations to learn from.")
@click.option("--network", metavar="FILE", help="Network to begin with, as of train network --target outcome.")
@click.option("--features", default=None, help="What the network sees.  [default: the game's own, or encoding]")
@layers_option
@click.option("--epochs", type=click.IntRange(1, 10**5), default=10, show_default=True, help="Passes over the data.")
@batch_option
@learning_rate_option
@click.option(
    "--symmetries/--no-symmetries", "symmetric", default=True, show_default=True, help="Turn and mirror rows."
)
@click.option("--gate-games", type=click.IntRange(2, 10**7), default=200, show_default=True, help="New against best.")
@click.option(
    "--superiority",
    type=share,
    default=0.95,
    show_default=True,
    help="Likelihood of being better that the gate asks for.",
)
@click.option("--duel-games", type=click.IntRange(0), default=400, show_default=True, help="Result v AGENT as given.")
@click.option("--max-plies", type=click.IntRange(1), help="Break games off as draws.  [default: never]")
@workers_option
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
    from oponente.learn.contest import crew
    from oponente.learn.features import feature_names, features_of
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

    files = tuple(map(absolute, agent_files))
    with mistakes():
        settings = SelfPlaySettings(layers=layer_sizes(layers), **options)
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
            **about_training("self-play", game_spec, first.spec, seed, files),
            "network": network,
            "features": kind,
            "settings": asdict(settings),
        }
        training = Training(out or f"self-play-{game.name}", identity, resume=resume)
        with (
            crew(game_spec, [first.spec], workers, files) as playing,
            progress_bar(settings.generations) as progress,
        ):
            learner = SelfPlay(game_spec, first.spec, kind, settings, seed, playing, files, network)
            best = learner.run(training, progress)
            measured = None
            if best and duel_games:
                measured = learner.compared(training.folder, best, 0, duel_games, "duel").values()
        result = {
            **identity,
            **where_files_are(game_spec, files),
            "best": {"generation": best},
            "spec": learner.spec(training.folder, best),
            "seconds": training.seconds,
            "match_with_start": measured,
        }
        if best:
            file = training.folder / "network.safetensors"
            with in_one_step(file) as part:
                part.write_bytes(network_file(training.folder, best).read_bytes())
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
    tell_match(measured, first.spec)
    if not best:
        click.echo(f"no network was better than {first.spec}")
    click.echo(f"{result['spec']}\nWritten to {training.folder}, {result['seconds']:.0f} s")
