"""What all tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from oponente.kernel import COMPILED

sys.path.insert(0, str(Path(__file__).parent))  # for the package toy_games


# The same examples every time, so that nothing flakes; kernels compile inside of tests, so there is no deadline.
hypothesis.settings.register_profile("default", derandomize=True, deadline=None)
hypothesis.settings.register_profile("few", derandomize=True, deadline=None, max_examples=10)
# Other examples each time, more of them: what --long runs, unless the environment says otherwise. A failure prints how
# to repeat it, and Hypothesis keeps the example for the next run.
hypothesis.settings.register_profile("random", derandomize=False, deadline=None, max_examples=200, print_blob=True)

SLOW_INTERPRETED = {
    "test_mcts.py": [
        "test_converges_to_the_best_action",
        "test_values_approach_the_exact_ones",
        "test_one_seed_gives_one_search",
        "test_every_simulation_is_counted",
    ],
    "test_information_sets.py": ["test_values"],
    "test_solver.py": ["test_reset_does_not_change_scores_when_generations_wrap"],
    "test_flat.py": ["test_means_are_expected_outcomes", "test_playouts_count_games_and_actions"],
}
"""Tests of so many simulations or nodes that the interpreter takes too long for them, by file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --long."""
    parser.addoption("--long", action="store_true", help="run the tests that take minutes as well")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the Hypothesis profile, register markers."""
    profile = "random" if config.getoption("--long") else "default"
    hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))
    config.addinivalue_line("markers", "compiled: takes minutes in the interpreter, where it is skipped")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests marked `long` unless asked for, and in the interpreter those that are slow there."""
    for item in items:
        if item.get_closest_marker("long") and not config.getoption("--long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))
        name = getattr(item, "originalname", None) or item.name
        if not COMPILED and (item.get_closest_marker("compiled") or name in SLOW_INTERPRETED.get(item.path.name, [])):
            item.add_marker(pytest.mark.skip(reason="takes minutes in the interpreter"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let one process run all tests of a game, where files are to be kept together (`-n 2 --dist loadfile`)."""
    if config.option.dist != "loadfile":
        return None
    from tests.topics import scheduler

    return scheduler(config, log)
