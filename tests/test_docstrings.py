"""The examples in docstrings say what is so."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import oponente

ROOT = Path(oponente.__file__).parent
MODULES = sorted(
    ".".join(("oponente", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for file in ROOT.rglob("*.py")
    if "    >>> " in file.read_text(encoding="utf-8")
)


@pytest.mark.compiled
@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0
