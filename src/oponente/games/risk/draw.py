"""Risk: the map as an SVG picture."""

from __future__ import annotations
