"""What all tests share."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import hypothesis
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for the package toy_games


# The same examples every time, so that nothing flakes; kernels compile inside of tests, so there is no deadline.
hypothesis.settings.register_profile("default", derandomize=True, deadline=None)
hypothesis.settings.register_profile("few", derandomize=True, deadline=None, max_examples=10)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --long."""
    parser.addoption("--long", action="store_true", help="run the tests that take minutes as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests marked `long` unless asked for."""
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: run with --long"))
