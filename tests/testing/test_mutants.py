"""The suite says of each broken game what is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutants import MUTANTS, verdict

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def verdicts() -> dict[str, list[str]]:
    """What the suite says of all mutants, in the interpreter."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / "mutants.py")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, list[str]] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("name", MUTANTS)
def test_broken_game_is_caught(name: str, verdicts: dict[str, list[str]]) -> None:
    mutant, (rule, message) = MUTANTS[name], verdicts[name]
    assert rule, "the suite finds nothing wrong"
    assert (rule, mutant.words in message) == (mutant.rule, True), message


@pytest.mark.parametrize(
    "name",
    [
        "part of the state in the tables",
        "determinize keeps the undealt card",
        "copy that leaves out a field",
        "evaluator silent at the end",
        "policy plays what is not legal",
        "hash without the mover",
        "stale by halves",
    ],
)
def test_broken_game_is_caught_compiled(name: str, tmp_path: Path) -> None:
    rule, message = verdict(name, tmp_path)
    assert (rule, MUTANTS[name].words in message) == (MUTANTS[name].rule, True), message


def test_message_names_rule_position_and_expectation(verdicts: dict[str, list[str]]) -> None:
    message = verdicts["probabilities below 1"][1]
    assert message.startswith("[chance] the probabilities sum to 0.857")
    assert "not to 1" in message
    assert "position: start(seed=" in message
    assert "then roll (actions [1])" in message
