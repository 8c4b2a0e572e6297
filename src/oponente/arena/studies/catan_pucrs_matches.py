"""The matches of the repeated study of Paz and Rubin (2016): their names, and who plays in them."""

from __future__ import annotations

FOUR, MCTS, UCT, HONEST_MCTS, HONEST_UCT = "four-simple", "mcts", "uct", "mcts-honest", "uct-honest"
AGENTS: dict[str, tuple[str, ...]] = {
    FOUR: ("simple", "simple", "simple", "simple"),
    MCTS: ("mcts:iterations=1000,cheat=true", "simple", "simple", "simple"),
    UCT: ("uct:iterations=1000,cheat=true", "simple", "simple", "simple"),
    HONEST_MCTS: ("mcts:iterations=1000", "simple", "simple", "simple"),
    HONEST_UCT: ("uct:iterations=1000", "simple", "simple", "simple"),
}
"""Who plays in each match, by the name it has in the data."""
LABELS: dict[str, str] = {
    FOUR: "four simple agents",
    MCTS: "MCTS, true state",
    UCT: "UCT, true state",
    HONEST_MCTS: "MCTS, honest",
    HONEST_UCT: "UCT, honest",
}
"""Their names for readers; what is against three simple agents is named alone."""
