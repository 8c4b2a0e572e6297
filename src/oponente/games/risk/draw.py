"""Risk: the map as an SVG picture, the players below it.

Territories carry ``data-territory`` with their name, ``data-seat`` with the number of their owner, from 1 (0: neutral;
empty: free), and ``data-armies``; continents are told apart by colour and named. The root tells where the map alone is,
as the values of a ``viewBox``: ``data-board``.
"""

from __future__ import annotations

from html import escape

from oponente.games.risk.asking import status_lines
from oponente.games.risk.moves import AMOUNT, ATTACK, BONUS, CAPITAL, CLAIM, MOVE_FROM, MOVE_TO, PLACE, TRADE
from oponente.games.risk.names import name_of, owner_text, world_of
from oponente.games.risk.shapes import height_of, places, shapes
from oponente.games.risk.state import FREE, NEUTRAL
from oponente.games.risk.terminal import player_lines
from oponente.games.risk.world import WIDTH, Point, World
from oponente.kernel import State

_SEA, _INK, _PAPER, _LINE = "#cfe3ef", "#22303c", "#f6f8fa", "#5b6b78"
_CONTINENTS = ("#e8cf7a", "#d99a6c", "#b79ccf", "#8fb3dd", "#a9c98b", "#c9a98b", "#d9a7b8", "#9cc7c0")
"""Colours of continents, in turn."""
_NO_CONTINENT = "#c9ccd0"
SEAT_COLOURS = ("#a01508", "#0f35e0", "#42c08b", "#fff02a", "#1f1a1a", "#d08a00")
SEAT_INKS = ("#fff", "#fff", _INK, _INK, "#fff", _INK)
"""Colours of players, and of writing on them: at least 30 apart in CIELAB for each kind of colour vision."""
_OTHERS = {NEUTRAL: ("#8d969e", "#fff"), FREE: ("#fff", _INK)}
_RADIUS = 13
_ROW = 22


def svg(state: State, seat: int | None = None) -> str:
    """Return the map and what a seat knows of all players; None: everything."""
    world = world_of(state)
    below, sheet = _below(state, seat), height_of(world)
    height = sheet + 16 + _ROW * len(below)
    rows = "".join(_row(sheet + 16 + _ROW * number, *row) for number, row in enumerate(below))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" data-board="0 0 {WIDTH} {sheet}" font-family="system-ui, sans-serif" fill="{_INK}">'
        f"<title>{escape(f'Risk on the map {world.name}: {status_lines(state, seat)[0]}')}</title>"
        f'<rect width="{WIDTH}" height="{height}" fill="{_PAPER}"/>'
        f'<rect width="{WIDTH}" height="{sheet}" fill="{_SEA}"/>'
        f"{_lands(world)}{_borders(world)}{_attack(state)}{_continents(world)}{_armies(state)}{rows}</svg>"
    )


def places_of(state: State, action: int) -> list[str]:
    """Return where an action lies in the picture: attribute and value of the elements, in the order of choosing."""
    if ATTACK <= action < TRADE:
        ends = (action - ATTACK) // 64 % 64, (action - ATTACK) % 64
        return [f"territory {name_of(state, end)}" for end in ends]
    kinds = [kind for kind in (CLAIM, PLACE, CAPITAL, BONUS, MOVE_FROM, MOVE_TO) if kind <= action < AMOUNT]
    return [f"territory {name_of(state, action - kinds[-1])}"] if kinds else []


def lines_of(state: State, seat: int | None) -> list[tuple[int | None, str]]:
    """Return what stands below the map, with whom it is about: each player's line, then what is to be done."""
    return _below(state, seat)


def _colour(world: World, territory: int) -> str:
    continent = world.continent_of(territory)
    return _NO_CONTINENT if continent is None else _CONTINENTS[continent % len(_CONTINENTS)]


def _lands(world: World) -> str:
    """Return the territories as shapes, where the map has any."""
    parts = []
    for territory, polygons in enumerate(shapes(world)):
        for polygon in polygons:
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in polygon)
            parts.append(
                f'<polygon points="{points}" fill="{_colour(world, territory)}" stroke="#fff" stroke-width="1.5" '
                'stroke-linejoin="round"/>'
            )
    return "".join(parts)


def _borders(world: World) -> str:
    """Return a line for each border; over the sea it is broken."""
    at = places(world)
    parts = [f'<g stroke="{_LINE}" stroke-width="1.2" fill="none">']
    for one, territory in enumerate(world.territories):
        for other in territory.neighbours:
            if other < one:
                continue
            sea = not _same_land(world, one, other)
            dash = ' stroke-dasharray="5 4"' if sea else ' stroke-opacity="0.45"'
            if (one, other) in world.wraps or (other, one) in world.wraps:
                parts += [
                    _line(at[one], _outside(at[one], at[other]), dash),
                    _line(at[other], _outside(at[other], at[one]), dash),
                ]
            else:
                parts.append(_line(at[one], at[other], dash))
    return "".join([*parts, "</g>"])


def _same_land(world: World, one: int, other: int) -> bool:
    return not world.lands or any(one in land.territories and other in land.territories for land in world.lands)


def _outside(point: Point, other: Point) -> Point:
    """Return where a border leaves the sheet that comes back on the other side."""
    return (0.0 if point[0] < other[0] else float(WIDTH), (point[1] + other[1]) / 2)


def _line(start: Point, end: Point, more: str) -> str:
    return f'<path d="M{start[0]:.1f} {start[1]:.1f}L{end[0]:.1f} {end[1]:.1f}"{more}/>'


def _attack(state: State) -> str:
    """Return an arrow for the attack or move that is on."""
    origin, target = int(state.record.origin), int(state.record.target)
    if origin < 0 or target < 0:
        return ""
    at = places(world_of(state))
    arrow = _line(at[origin], at[target], "")
    return (
        f'<g stroke="#b3122a" stroke-width="5" stroke-linecap="round" data-attack="">{arrow}'
        f'<circle cx="{at[target][0]:.1f}" cy="{at[target][1]:.1f}" r="{_RADIUS + 6}" fill="none"/></g>'
    )


def _continents(world: World) -> str:
    """Return the names of the continents with their bonus, a list in the corner of the sea."""
    rows = []
    left, top = 16, height_of(world) - 20 * len(world.continents)
    for number, continent in enumerate(world.continents):
        y = top + 20 * number
        colour = _CONTINENTS[number % len(_CONTINENTS)]
        rows.append(
            f'<rect x="{left}" y="{y - 11}" width="14" height="14" rx="3" fill="{colour}" stroke="#fff"/>'
            f'<text x="{left + 20}" y="{y}" font-size="13">{escape(continent.name)} +{continent.bonus}</text>'
        )
    return "".join(rows)


def _armies(state: State) -> str:
    """Return a disc in the owner's colour for each territory, with its armies, and its name below."""
    world, record = world_of(state), state.record
    parts = ['<g text-anchor="middle">']
    bare = not world.lands
    for number, (territory, (x, y)) in enumerate(zip(world.territories, places(world), strict=True)):
        owner, armies = int(record.owner[number]), int(record.armies[number])
        fill, ink = _OTHERS.get(owner) or (SEAT_COLOURS[owner], SEAT_INKS[owner])
        mark = {NEUTRAL: "0", FREE: ""}.get(owner, str(owner + 1))
        capital = any(int(record.capital[s]) == number for s in _known_capitals(state))
        ring = _colour(world, number) if bare else "#fff"
        star = f'<circle r="{_RADIUS + 4}" fill="none" stroke="{_INK}" stroke-width="1.5"/>' if capital else ""
        parts.append(
            f'<g data-territory="{escape(territory.name)}" data-seat="{mark}" data-armies="{armies}" '
            f'transform="translate({x:.1f} {y:.1f})">'
            f"<title>{escape(f'{territory.name}: {owner_text(owner)}, {armies}')}</title>{star}"
            f'<circle r="{_RADIUS}" fill="{fill}" stroke="{ring}" stroke-width="{4 if bare else 2}"/>'
            f'<text y="5" font-size="{14 if armies < 100 else 11 if armies < 1000 else 9}" font-weight="bold" '
            f'fill="{ink}">{armies or ""}</text>'
            f'<text y="{_RADIUS + 10}" font-size="8.5" stroke="#fff" stroke-width="2.5" stroke-opacity="0.8" '
            f'paint-order="stroke">{escape(territory.name)}</text></g>'
        )
    return "".join([*parts, "</g>"])


def _known_capitals(state: State) -> list[int]:
    return list(range(state.game.num_players)) if int(state.record.turn) else []


def _below(state: State, seat: int | None) -> list[tuple[int | None, str]]:
    """Return the lines below the map: each player's, and what is to be done."""
    rows: list[tuple[int | None, str]] = []
    for holder in range(state.game.num_players):
        text = " ".join(line.strip() for line in player_lines(state, holder, seat))
        rows.append((holder, text))
    return [*rows, *((None, line) for line in status_lines(state, seat)[:1])]


def _row(y: int, holder: int | None, text: str) -> str:
    disc, left = "", 16
    if holder is not None:
        disc = f'<circle cx="22" cy="{y - 5}" r="7" fill="{SEAT_COLOURS[holder]}"/>'
        left = 38
    size = 13 if len(text) < 130 else 13 * 130 / len(text)
    return f'{disc}<text x="{left}" y="{y}" font-size="{size:.1f}">{escape(text)}</text>'
