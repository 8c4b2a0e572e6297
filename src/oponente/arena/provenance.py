"""Where figures come from: command, version, date and machine, without which a measured time means nothing."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numba
import numpy as np

from oponente import __version__


def provenance(command: str) -> dict[str, Any]:
    """Return the command, the version of the package, the date (UTC) and the machine."""
    return {"command": command, **where_made()}


def where_made() -> dict[str, Any]:
    """Return the version of the package, the date (UTC) and the machine."""
    return {
        "version": __version__,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "machine": {
            "cpu": cpu_name(),
            "cores": os.cpu_count(),
            "system": f"{platform.system()} {platform.machine()}",
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
        },
    }


def how_made(made: Mapping[str, Any], what: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return how a page's figures were made, as names and values for readers.

    Args:
        made: at least what :func:`provenance` returns.
        what: what was asked for, as names and values.
    """
    machine = made["machine"]
    return [
        ("Package", f"oponente {made['version']}"),
        *what,
        ("Date", str(made["date"])),
        ("Processor", f"{machine['cpu']}, {machine['cores']} cores"),
        (
            "Software",
            f"{machine['system']}, Python {machine['python']}, Numba {machine['numba']}, NumPy {machine['numpy']}",
        ),
    ]


def study_made(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return how the figures of a study were made, from what it has measured."""
    seed = f"{data['seed']} (the same seed gives the same results; times differ)"
    return how_made(data, [("Seed", seed), ("Scale", str(data["scale"]))])


def cpu_name() -> str:
    """Return the processor's name as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name" and value.strip():
                return " ".join(value.split())
    except OSError:
        pass  # not Linux
    return platform.processor() or platform.machine() or "unknown"
