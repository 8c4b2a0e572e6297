"""``oponente train``: tune agents and train networks."""

from __future__ import annotations

import click

from oponente.cli.train.data import data
from oponente.cli.train.network import network
from oponente.cli.train.neuroevolution import neuroevolution
from oponente.cli.train.self_play import self_play
from oponente.cli.train.tuning import cma, genetic, ntbea


@click.group("train")
def command() -> None:
    """Tune the parameters of an agent, or train a network, by games.

    What was reached is kept in a folder after each step, so that a training that was interrupted, even killed, goes on
    with --resume. The same seed gives the same training on any number of workers.
    """


for trainer in (genetic, cma, ntbea, data, self_play, neuroevolution, network):
    command.add_command(trainer)
