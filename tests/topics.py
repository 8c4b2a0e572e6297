"""Which tests go together when several processes share them.

The rules of a game take longest to compile, and each process compiles them for itself: all tests that play a large game
are run by one process, as pytest-xdist does with the tests of a file.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

TOPICS = {
    "catan": "catan",
    "jsettlers": "catan",
    "cli/test_positions": "catan",
    "external/test_process": "catan",
    "vgdl": "vgdl",
    "gvgp": "vgdl",
    "test_real_time": "vgdl",
    "risk": "risk",
    "lux": "risk",
    "cli/test_conform": "risk",
    "tests/search/": "search",
}
"""What the tests of a file are about, by a part of its path; other files are topics of their own."""


def topic(path: str) -> str:
    """Return the topic of a file of tests, given as pytest names it: from the repository's folder."""
    return next((topic for part, topic in TOPICS.items() if part in path), path)


class _ByTopic(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return topic(nodeid.partition("::")[0])


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what hands a process one topic after the other, those of most tests first."""
    return _ByTopic(config, log)
