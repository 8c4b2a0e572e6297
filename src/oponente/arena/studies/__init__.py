"""Published studies, repeated: what is measured, what is judged, and the page that shows it.

A study is found by name and its module is loaded only when it is run; see :mod:`oponente.arena.studies.study` for what
a study is made of.
"""

from __future__ import annotations

import importlib
from typing import NamedTuple

from oponente.arena.studies.study import Study


class Entry(NamedTuple):
    """Where a study is, and what it is about."""

    module: str
    """Defines ``STUDY``."""
    line: str


STUDIES: dict[str, Entry] = {
    "connect4-report": Entry(
        "oponente.arena.studies.connect4_report",
        "Minimax, alpha-beta and MCTS in Connect Four (Gomes, Maia, Sobral 2022).",
    ),
    "catan-pucrs": Entry(
        "oponente.arena.studies.catan_pucrs",
        "MCTS and UCT against simple agents in Catan (Paz, Rubin 2016).",
    ),
    "search-ablation": Entry(
        "oponente.arena.studies.search_ablation",
        "Each technique of search against the plain one, in GAME.",
    ),
    "catan-jsettlers": Entry(
        "oponente.arena.studies.catan_jsettlers",
        "MCTS and UCT against three JSettlers robots in Catan (Paz, Rubin 2016).",
    ),
    "catan-fer": Entry(
        "oponente.arena.studies.catan_fer",
        "Evaluation, learning and tree search in Catan (Skoric 2022).",
    ),
    "risk-ufsm": Entry(
        "oponente.arena.studies.risk_ufsm",
        "Four agents, one of them Monte Carlo tree search, in Risk (Ferrari 2022).",
    ),
    "gvgp-ufjf": Entry(
        "oponente.arena.studies.gvgp_ufjf",
        "Monte Carlo tree search, redundant actions, loss avoidance in 30 video games (Santos 2017).",
    ),
}
"""All studies by name."""


def load_study(name: str, game: str | None = None) -> Study:
    """Return the study of that name.

    Args:
        name: of the study.
        game: for studies that can be made of several games.

    Raises:
        ValueError: there is none, or it is not made of that game.
    """
    if name not in STUDIES:
        raise ValueError(f"there is no study {name!r}; there are {', '.join(STUDIES)}")
    study: Study = importlib.import_module(STUDIES[name].module).STUDY
    return study if game is None else study.for_game(game)


__all__ = ["STUDIES", "Entry", "Study", "load_study"]
