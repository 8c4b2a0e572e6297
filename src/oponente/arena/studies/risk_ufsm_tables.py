"""The published figures of Ferrari (UFSM 2022): tables 5.1 to 5.8, by the agents as first and as second player."""

from __future__ import annotations

AGENTS = ("random", "angry", "cluster", "montecarlo")
"""The four agents, by the order of the tables' rows and columns."""
LABELS = {"random": "Random", "angry": "Angry", "cluster": "Cluster", "montecarlo": "Monte Carlo"}
OURS = ("lux-cluster", "lux-killbot")
"""Agents of ours that play against each of them, and each other, besides."""
SEARCHER = "strong:iterations=50"
"""So does this one, in fewer games: it takes about a second for each."""

Table = tuple[tuple[float, ...], ...]

WINS_FIRST: Table = ((15, 19, 25, 40), (98, 84, 94, 92), (96, 58, 64, 73), (96, 41, 72, 76))
"""Table 5.1: wins of the first player in per cent, by first player and second player."""
INVALID = {("random", "random")}
"""Cells of it that hold another batch of games by mistake."""
RERUN_FIRST: Table = ((47, 23, 27, 35), (98, 72, 95, 92), (93, 45, 72, 70), (92, 47, 65, 68))
"""The same of the thesis's programs, unmodified and run again, 60 to 70 games a pairing; undecided games count."""
WINS_SECOND: Table = ((85, 2, 4, 4), (81, 16, 42, 59), (75, 6, 36, 28), (60, 8, 27, 24))
"""Table 5.2: wins of the second player in per cent, by second player and first player."""
ARMIES_FIRST: Table = (
    (339.5, 297.2, 380.84, 456.65),
    (95.61, 112.28, 102.74, 97.21),
    (98.53, 86.25, 95.06, 96.41),
    (92.08, 88.85, 94.04, 95.07),
)
"""Table 5.5: mean armies at the end of the first player, where that wins."""
ARMIES_SECOND: Table = (
    (89.11, 386, 425.5, 674),
    (91.43, 109.75, 99.73, 101.1),
    (97.28, 88, 93.38, 94.39),
    (99.36, 104.5, 91.62, 89.58),
)
"""Table 5.6: the same of the second player, by second player and first player."""
SECONDS: Table = ((6.32, 7.08, 11.19, 12.10), (4.6, 7.01, 4.6, 4.63), (6.75, 7.13, 8.42, 8.49), (7.66, 6.0, 8.09, 6.67))
"""Table 5.7: seconds a game."""
MESSAGES: Table = (
    (313.11, 358.50, 581.25, 667.04),
    (223.18, 256.58, 213.52, 230.31),
    (368.52, 320.03, 408.98, 432.62),
    (430.92, 405.04, 380.96, 310.88),
)
"""Table 5.8: states written in a game, one for each command."""
