"""What the commands of ``oponente train`` share: options, what is told and kept of a training, users' mistakes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click
from tqdm import tqdm

from oponente import __version__
from oponente.arena import MatchError
from oponente.cli.common import users_mistakes
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game
from oponente.learn.space import Space
from oponente.learn.training import Training, TrainingError, digests_of_files

GREATEST = 1e9
"""Of the numbers by which trainings deviate from what they begin with, in units of a parameter."""


class FiniteRange(click.FloatRange):
    """A number of a range; `nan`, which is outside of no range for Python, is refused as well."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with one line."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


share = FiniteRange(0, 1)
"""The type of options that are probabilities or parts of a whole."""
OPENING = 2
"""Random plies of each game, where without them the same actions would always be the same game."""
opening_option = click.option(
    "--opening",
    type=click.IntRange(0, 10**4),
    help=f"Random plies of a game.  [default: {OPENING} where the game has no chance, else 0]",
)
workers_option = click.option(
    "--workers", type=click.IntRange(1, 1024), default=1, show_default=True, help="Games at a time."
)
layers_option = click.option(
    "--layers", default="32,16", show_default=True, metavar="N,N", help="Neurons of the hidden layers."
)
batch_option = click.option(
    "--batch", type=click.IntRange(1, 10**6), default=512, show_default=True, help="Rows at a time."
)
learning_rate_option = click.option(
    "--learning-rate", "rate", type=FiniteRange(1e-8, 10), default=0.002, show_default=True, help="Of Adam."
)


def layer_sizes(layers: str) -> tuple[int, ...]:
    """Return the sizes of hidden layers; an empty text stands for none."""
    try:
        sizes = tuple(int(part) for part in layers.split(",")) if layers else ()
    except ValueError:
        sizes = (0,)
    if any(size < 1 for size in sizes):
        raise ValueError(f"--layers {layers}: expected numbers of neurons, such as 32,16")
    return sizes


def about_training(kind: str, game: GameSpec, agent: str, seed: int, files: Sequence[str]) -> dict[str, Any]:
    """Return what tells apart trainings of every kind."""
    return {
        "kind": kind,
        "version": __version__,
        "game": game.name,
        "options": dict(game.options),
        "agent": agent,
        "seed": seed,
        **digests_of_files(game, files),
    }


def where_files_are(game: GameSpec, files: Sequence[str]) -> dict[str, Any]:
    """Return what a result tells of the user's files besides what they hold."""
    return {"game_file": game.file, "agent_files": list(files)}


def training_result(
    identity: dict[str, Any],
    files: dict[str, Any],
    space: Space,
    best: Sequence[Any],
    training: Training,
    more: dict[str, Any],
) -> dict[str, Any]:
    """Return what is told of a training that is done; a network is written to its folder.

    Args:
        identity: of the training.
        files: of :func:`where_files_are`.
        space: what was tuned.
        best: the values found.
        training: with its folder.
        more: what else is told.
    """
    from oponente.kernel import in_one_step
    from oponente.kernel.arrays import write_arrays
    from oponente.learn.network_space import NetworkSpace

    found, spec = dict(zip(space.names, best, strict=True)), ""
    if isinstance(space, NetworkSpace):
        file = training.folder / "network.safetensors"
        with in_one_step(file) as part:
            write_arrays(part, space.arrays(best))
        space.tidy()
        found = {space.parameter: str(file.absolute())}
        spec = space.spec_with(str(file.absolute()))
    return {
        **identity,
        **files,
        "best": found,
        "spec": spec or space.spec(best),
        "seconds": training.seconds,
        **more,
    }


def opening_plies(given: int | None, game: Game) -> int:
    """Return how many random plies open each game, by what is given with `opening_option`."""
    return given if given is not None else OPENING if game.repeats else 0


def check_opponent(against: str | None, game: Game) -> None:
    """Raise ValueError if an opponent is given for a game for one."""
    if against is not None and game.num_players == 1:
        raise ValueError(f"{game.name} has one player here: there is no opponent, so leave out --against")


def tell_match(measured: dict[str, Any] | None, start: str) -> None:
    """Tell how the result did in a match against what it began with, if one was played."""
    if measured:
        low, high = measured["ci95"]
        click.echo(
            f"against {start}: mean share {measured['score']:.3f} of {measured['games']} games"
            f" ({low:.3f} .. {high:.3f}; {measured['even']:.3f} if equal)"
        )


@contextmanager
def mistakes() -> Iterator[None]:
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
def progress_bar(total: int) -> Iterator[Callable[[int, int, str], None]]:
    """Show a bar on a terminal."""
    with tqdm(total=total, unit="it", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True) as bar:

        def show(done: int, total: int, word: str) -> None:
            bar.n = done
            if word:
                bar.set_postfix_str(word, refresh=False)
            bar.refresh()

        yield show
