"""Catan: notation (to come)."""
