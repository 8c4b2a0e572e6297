"""What the token of a game's encoding stands for: it defines no features of its own, so the default counts."""
