"""Risk: where territories lie in pictures, and what shapes they have.

Where a map has lands, each is shared out among its territories: every point belongs to the nearest (Voronoi). Where it
has no places, they are found by letting borders pull and territories push.
"""

from __future__ import annotations

import math
from functools import cache

from oponente.games.risk.world import WIDTH, Point, World

HEIGHT = 580
"""Of the sheet at least."""
_MARGIN = 60
_BELOW = 30
"""Room for a territory's disc and name below its place."""
_ROUNDS = 150


@cache
def places(world: World) -> tuple[Point, ...]:
    """Return where each territory lies."""
    given = [territory.at for territory in world.territories]
    if all(given):
        return tuple(at for at in given if at is not None)
    return _fitted(_by_borders(world))


@cache
def height_of(world: World) -> int:
    """Return how high the sheet is: all places, with what is drawn there, and all outlines lie on it."""
    places_below = [y + _BELOW for _, y in places(world)]
    return math.ceil(max(HEIGHT, *places_below, *(y for land in world.lands for _, y in land.outline)))


def _by_borders(world: World) -> list[Point]:
    """Return places by the forces between territories (T. Fruchterman, E. Reingold 1991), from a circle."""
    count = len(world.territories)
    points = [(math.cos(2 * math.pi * n / count), math.sin(2 * math.pi * n / count)) for n in range(count)]
    length = math.sqrt(4 / count)
    for step in range(_ROUNDS):
        heat = 0.2 * (1 - step / _ROUNDS)
        moved = []
        for number, (x, y) in enumerate(points):
            pull_x = pull_y = 0.0
            for other, (u, v) in enumerate(points):
                if other == number:
                    continue
                apart = max(math.hypot(x - u, y - v), 1e-6)
                force = length * length / apart
                if other in world.territories[number].neighbours:
                    force -= apart * apart / length
                pull_x += (x - u) / apart * force
                pull_y += (y - v) / apart * force
            size = max(math.hypot(pull_x, pull_y), 1e-9)
            moved.append((x + pull_x / size * min(size, heat), y + pull_y / size * min(size, heat)))
        points = moved
    return points


def _fitted(points: list[Point]) -> tuple[Point, ...]:
    """Return points moved and stretched to fill the sheet."""
    lows = [min(point[axis] for point in points) for axis in (0, 1)]
    spans = [max(point[axis] for point in points) - lows[axis] or 1.0 for axis in (0, 1)]
    sizes = (WIDTH - 2 * _MARGIN, HEIGHT - 2 * _MARGIN)
    return tuple(
        (_MARGIN + (x - lows[0]) / spans[0] * sizes[0], _MARGIN + (y - lows[1]) / spans[1] * sizes[1])
        for x, y in points
    )


@cache
def shapes(world: World) -> tuple[tuple[tuple[Point, ...], ...], ...]:
    """Return, for each territory, the polygons that it covers; none where the map has no land for it."""
    found: list[list[tuple[Point, ...]]] = [[] for _ in world.territories]
    at = places(world)
    for land in world.lands:
        for territory in land.territories:
            cell = list(land.outline)
            for other in land.territories:
                if other != territory:
                    cell = _nearer(cell, at[territory], at[other])
            if len(cell) >= 3:
                found[territory].append(tuple(cell))
    return tuple(map(tuple, found))


def _nearer(polygon: list[Point], here: Point, there: Point) -> list[Point]:
    """Return the part of a polygon that is nearer to one point than to another (Sutherland and Hodgman 1974)."""
    normal = (there[0] - here[0], there[1] - here[1])
    middle = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)

    def side(point: Point) -> float:
        return (point[0] - middle[0]) * normal[0] + (point[1] - middle[1]) * normal[1]

    result = []
    for number, point in enumerate(polygon):
        before = polygon[number - 1]
        inside, was = side(point), side(before)
        if (inside <= 0) != (was <= 0):
            share = was / (was - inside)
            result.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
        if inside <= 0:
            result.append(point)
    return result
