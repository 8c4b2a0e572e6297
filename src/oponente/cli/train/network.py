"""``oponente train network``: a network from a dataset."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from oponente import __version__
from oponente.cli.common import json_option, print_json, seed_option
from oponente.cli.train.common import (
    batch_option,
    layer_sizes,
    layers_option,
    learning_rate_option,
    mistakes,
    progress_bar,
)
from oponente.learn.training import Training


@click.command("network")
@click.argument("dataset", metavar="DATASET")
@click.option(
    "--target",
    type=click.Choice(("value", "outcome", "winner")),
    default="value",
    show_default=True,
    help="Column; winner: how likely each seat is to win.",
)
@layers_option
@click.option("--epochs", type=click.IntRange(1, 10**5), default=30, show_default=True, help="Passes over the data.")
@batch_option
@learning_rate_option
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
    from oponente.kernel import in_one_step
    from oponente.kernel.arrays import write_arrays
    from oponente.learn.dataset import DatasetError, digest_of, read_dataset
    from oponente.learn.supervised import SupervisedSettings, fit, pytorch

    with mistakes():
        sizes = layer_sizes(layers)
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
            "digest": digest_of(columns),
            "seed": seed,
            "settings": asdict(settings),
        }
        pytorch()
        training = Training(out, identity, resume=resume)
        with progress_bar(epochs) as progress:

            def keep(state: dict[str, Any], row: dict[str, Any]) -> None:
                training.keep(state, row)
                progress(row["epoch"], epochs, f"explained {row['explained']:.3f}")

            players = len(about["agents"]) if "agents" in about else None
            arrays, course = fit(columns, settings, seed, keep, training.state, bounds=bounds, players=players)
        with in_one_step(training.folder / "network.safetensors") as part:
            write_arrays(part, arrays)
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
