"""The way to Numba's internals: what is replaced there is looked for first, and a Numba that lacks it is refused."""

from __future__ import annotations

from typing import Any

import numba

SUPPORTED = "0.61 to 0.69"
"""The versions of Numba that ``pyproject.toml`` allows."""


class NumbaError(ImportError):
    """Numba lacks something that this package builds on; the message is one line."""


def find(owner: Any, *names: str) -> Any:
    """Return an internal of Numba.

    Raises:
        NumbaError: if one of the names on the way to it is missing.
    """
    found = owner
    for name in names:
        if not hasattr(found, name):
            raise NumbaError(
                f"Numba {numba.__version__} has no {getattr(owner, '__name__', owner)}.{'.'.join(names)}: oponente "
                f"works with Numba {SUPPORTED}; install one of these versions"
            )
        found = getattr(found, name)
    return found
