"""VGDL: notation and the screen for a terminal."""
