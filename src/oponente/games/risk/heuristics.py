"""Risk: the evaluators and playout policies by name."""

from __future__ import annotations

from oponente.games.risk.playout import ANGRY
from oponente.games.risk.value import STRENGTH

EVALUATORS = {"strength": STRENGTH}
POLICIES = {"angry": ANGRY}
