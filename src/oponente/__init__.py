"""Games with opponents, the agents that play them, and the arena that measures them, at machine speed."""

__version__ = "0.1.0"
