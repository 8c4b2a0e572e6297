"""The published figures of Santos (UFJF 2017): tables 6.2 to 6.5.

Of table 6.6, a competition on ten games that are not public, there is nothing to be repeated.
"""

from __future__ import annotations

CONTROLLERS = ("mcts", "mr", "nd", "mr+nd")
"""The four controllers for one player, by the order of the columns."""
LABELS = {"mcts": "MCTS", "mr": "MR", "nd": "ND", "mr+nd": "MR+ND", "random": "random"}
Cell = tuple[float, float, float]
"""Win rate in per cent, mean score and its standard deviation; of 100 games."""
GAMES = 100
"""Games of each cell: 5 levels, 20 games each."""

RESULTS: dict[str, tuple[Cell, ...]] = {
    "aliens": ((98, 69.1, 14.92), (98, 69.01, 15.18), (97, 68.99, 15.12), (100, 68.73, 15.12)),
    "bait": ((8, 2.59, 2.75), (12, 2.65, 2.5), (11, 4.77, 6.64), (7, 2.33, 2.53)),
    "butterflies": ((97, 31.28, 16.34), (99, 30.32, 15.35), (96, 29.46, 15.88), (100, 29.69, 14.49)),
    "camelRace": ((6, -0.74, 0.56), (3, -0.77, 0.49), (3, -0.77, 0.49), (3, -0.76, 0.51)),
    "chase": ((7, 3.21, 2.19), (8, 3.26, 1.75), (17, 4.64, 2.66), (2, 2.94, 1.85)),
    "chopper": ((17, -1.94, 7.5), (22, -0.86, 6.73), (29, 0.35, 7.51), (8, -4.02, 7.67)),
    "crossfire": ((2, 0.07, 0.72), (4, 0.18, 0.99), (3, 0.15, 0.85), (0, 0.0, 0.0)),
    "digdug": ((0, 11.38, 9.22), (0, 12.43, 8.87), (1, 11.87, 9.98), (0, 12.19, 9.81)),
    "escape": ((0, 0.0, 0.0), (0, 0.0, 0.0), (0, 0.0, 0.0), (0, 0.0, 0.0)),
    "hungrybirds": ((5, 5.8, 22.32), (6, 6.4, 23.98), (4, 4.8, 20.22), (10, 12.4, 30.7)),
    "infection": ((95, 14.47, 8.62), (96, 13.74, 7.61), (99, 14.52, 8.59), (97, 14.86, 9.76)),
    "intersection": ((95, 14.47, 8.62), (100, 1.0, 0.0), (100, 1.0, 0.0), (100, 1.0, 0.0)),
    "lemmings": ((0, -3.91, 2.91), (0, -4.09, 3.55), (0, -3.29, 2.86), (0, -3.83, 3.31)),
    "missilecommand": ((61, 4.41, 5.16), (65, 4.64, 4.93), (59, 4.2, 4.76), (64, 4.04, 4.2)),
    "modality": ((27, 0.27, 0.44), (30, 0.3, 0.46), (29, 0.29, 0.45), (26, 0.26, 0.44)),
    "plaqueattack": ((90, 46.36, 18.59), (85, 44.76, 21.22), (95, 48.19, 17.65), (96, 49.52, 18.65)),
    "roguelike": ((0, 3.82, 4.66), (0, 3.34, 4.21), (0, 4.4, 6.32), (0, 4.44, 4.93)),
    "seaquest": ((58, 1887.0, 1996.0), (62, 2136.0, 2267.0), (34, 1648.0, 2082.0), (76, 2329.0, 2236.0)),
    "survivezombies": ((42, 2.95, 3.7), (40, 2.8, 3.57), (45, 3.17, 3.67), (44, 3.14, 3.67)),
    "waitforbreakfast": ((9, 0.09, 0.29), (10, 0.1, 0.3), (52, 0.54, 0.5), (4, 0.04, 0.2)),
}
"""Table 6.2. The scores of mcts in intersection are printed as those of the row above."""
SIMULATIONS: dict[str, tuple[float, ...]] = {
    "aliens": (78.12, 78.56, 79.8, 77.68),
    "bait": (123.08, 126.08, 132.52, 141.52),
    "butterflies": (53.33, 54.5, 54.57, 53.1),
    "camelRace": (50.7, 51.47, 51.13, 51.1),
    "chase": (49.43, 50.9, 50.7, 50.07),
    "chopper": (33.93, 34.3, 34.53, 35.13),
    "crossfire": (30.87, 31.27, 31.07, 31.07),
    "digdug": (22.4, 22.23, 22.37, 21.9),
    "escape": (60.9, 62.07, 61.27, 61.43),
    "hungrybirds": (91.6, 92.23, 92.37, 91.83),
    "infection": (44.07, 44.4, 44.13, 44.33),
    "intersection": (60.97, 61.2, 60.87, 60.77),
    "lemmings": (41.23, 41.1, 41.27, 42.17),
    "missilecommand": (92.1, 91.8, 92.0, 90.77),
    "modality": (260.23, 258.7, 257.3, 254.17),
    "plaqueattack": (30.3, 30.0, 29.77, 29.47),
    "roguelike": (28.03, 28.07, 27.97, 27.9),
    "seaquest": (75.72, 72.0, 72.8, 68.44),
    "survivezombies": (42.33, 41.73, 42.7, 43.9),
    "waitforbreakfast": (147.43, 145.7, 147.73, 144.53),
}
"""Table 6.3: mean simulations a tick."""
REDUNDANT: dict[str, tuple[float, float] | None] = {
    "aliens": (1.59, 0.89),
    "bait": (0.65, 0.43),
    "butterflies": (1.49, 0.78),
    "camelRace": (0.84, 0.74),
    "chase": (1.1, 0.66),
    "chopper": (1.1, 0.54),
    "crossfire": (1.16, 0.64),
    "digdug": (0.24, 0.21),
    "escape": (0.71, 0.6),
    "hungrybirds": (0.69, 0.42),
    "infection": (0.27, 0.12),
    "intersection": (1.42, 0.78),
    "lemmings": (0.27, 0.12),
    "missilecommand": (0.24, 0.22),
    "modality": (0.75, 0.53),
    "plaqueattack": (0.28, 0.25),
    "roguelike": None,
    "seaquest": (0.26, 0.24),
    "survivezombies": (0.77, 0.48),
    "waitforbreakfast": (0.86, 0.67),
}
"""Table 6.4: redundant actions a simulation of mcts and of mr."""
TWO_PLAYERS = ("random", "mcts", "mr+nd")
"""The three controllers for two players, likewise."""
RESULTS_2P: dict[str, tuple[Cell, ...]] = {
    "akkaarrh": ((0, 1.23, 4.02), (2, 11.6, 14.77), (2, 14.62, 14.9)),
    "asteroids": ((2, 2.24, 4.85), (68, 43.09, 51.74), (73, 42.09, 54.97)),
    "captureflag": ((2, -4.53, 3.82), (81, 9.65, 8.68), (68, 7.69, 8.97)),
    "competesokoban": ((0, 0.05, 0.27), (0, 1.09, 1.5), (0, 0.99, 1.51)),
    "copsNrobbers": ((0, 0.53, 0.97), (43, 2.61, 2.14), (53, 2.96, 2.05)),
    "gotcha": ((50, 209.25, 438.8), (50, 457.8, 701.89), (50, 245.22, 498.64)),
    "klax": ((0, 0.33, 0.82), (77, 12.78, 8.21), (73, 13.25, 8.35)),
    "samaritan": ((40, 0.4, 0.49), (52, 0.54, 0.5), (55, 0.55, 0.5)),
    "steeplechase": ((1, 87.51, 282.61), (6, 173.4, 378.58), (3, 141.06, 348.11)),
    "tron": ((12, 0.14, 0.34), (62, 0.64, 0.48), (75, 0.76, 0.43)),
}
"""Table 6.5. In akkaarrh and competesokoban the players play together."""
