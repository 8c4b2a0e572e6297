"""The thesis's agents decide what its programs decided in the recorded games."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from oponente.games.risk.moves import LOSSES
from oponente.games.risk.thesis.script import ANGRY, CLUSTER, MONTE_CARLO, RANDOM, new_memory, new_script
from oponente.games.risk.thesis.tree import Tree
from oponente.interop.recordings import read_lines
from oponente.interop.risk.commands import steps
from oponente.interop.risk.replay import Replay
from oponente.kernel import stream
from oponente.search.greedy import play_policy

DATA = Path(__file__).parents[3] / "data/risk"
KINDS = {"random": RANDOM, "angry": ANGRY, "cluster": CLUSTER, "montecarlo": MONTE_CARLO}
pytestmark = pytest.mark.compiled


def compare(path, decided, wrong):
    lines = read_lines(path)
    state = Replay(lines)._state
    agents = [lines[0]["p1"], lines[0]["p2"]]
    tree = Tree().arrays
    script = new_script(np.array([KINDS[name] for name in agents] + [0] * 4, np.int8), new_memory(), (tree, tree))
    for number, line in enumerate(lines[1:-1], 2):
        agent, word = agents[line["p"] - 1], line["s"]
        known = agent in ("angry", "cluster") or (agent == "montecarlo" and word != "attacking")
        for action in steps(state, line["c"]):
            if known:
                decided[agent, word] += 1
                ours = play_policy(state, script, stream(1))
                if ours != action:
                    wrong.append((path.name, number, state.action_text(action), state.action_text(ours)))
            state.apply(action)
        if line["c"][0] == "attack":
            state.apply(LOSSES + sum(a > d for a, d in zip(*line["d"], strict=False)))


def test_all_decisions_without_chance_are_the_recorded_ones():
    decided, wrong = Counter(), []
    for path in sorted(DATA.glob("*.jsonl.gz")):
        compare(path, decided, wrong)
    assert wrong == []
    assert decided == {
        ("cluster", "mobilizing"): 1566, ("montecarlo", "mobilizing"): 850, ("angry", "attacking"): 748,
        ("cluster", "attacking"): 640, ("angry", "conquering"): 386, ("cluster", "conquering"): 306,
        ("angry", "mobilizing"): 249, ("cluster", "fortifying"): 200, ("montecarlo", "conquering"): 165,
        ("angry", "fortifying"): 164, ("montecarlo", "fortifying"): 111,
    }  # fmt: skip
