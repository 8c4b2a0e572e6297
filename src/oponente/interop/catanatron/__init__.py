"""Catanatron's recordings of Catan, replayed by our rules."""
