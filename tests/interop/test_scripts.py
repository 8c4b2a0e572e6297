"""The examples of docs/environments.md run, and the scripts for matches and training do what they say."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "environments.md").read_text(), re.DOTALL)
LIBRARIES = ["oponente.interop.environments ", "pettingzoo", "gymnasium", "openspiel"]


@pytest.mark.parametrize("library", LIBRARIES, ids=str.strip)
def test_example_of_the_document_runs(library):
    needed = {"pettingzoo": "pettingzoo", "gymnasium": "gymnasium", "openspiel": "pyspiel"}.get(library)
    if needed:
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    found = [example for example in EXAMPLES if library in example]
    assert len(found) == 1
    exec(found[0], {})


def run(script, *arguments):
    command = [sys.executable, ROOT / "benchmarks" / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.long
def test_environments_are_measured():
    lines = run("environments.py", "--seconds", "0.2", "--games", "256").splitlines()
    assert len(lines) == 5
    assert all("steps/s" in line for line in lines)


@pytest.mark.long
def test_matches_with_catanatron_are_played_both_ways():
    pytest.importorskip("catanatron", reason="Catanatron is not installed")
    out = run("catanatron_match.py", "weighted-random", "R", "--games", "6")
    assert re.findall(r"engine: (\w+)", out) == ["ours", "catanatron"]
    assert len(re.findall(r"seat \d: \d of 3 won", out)) == 4


@pytest.mark.long
def test_a_policy_learns_connect_four_within_a_minute():
    pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed: pip install oponente[baselines]")
    result = json.loads(run("train_connect4.py", "--seconds", "60", "--games", "200", "--json"))
    assert result["wins"] >= 130
