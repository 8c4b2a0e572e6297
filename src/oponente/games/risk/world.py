"""Risk: maps as JSON files, and why one is refused.

A map is an object with

``name``
    text.
``territories``
    list of objects: ``name``; ``neighbours``, a list of names, in the order that agents which break ties by it go
    through; ``symbol`` of its card, infantry, cavalry or artillery (all or none of the territories have one; without
    any they alternate); ``at``, the place ``[x, y]`` on a sheet 1000 wide, x from 0 on the left to 1000, y from 0 at
    the top to 2000 (all or none; without any they are placed by their borders). The sheet is 580 high, higher where
    places or outlines lie further down.
``continents``
    list of objects: ``name``, ``bonus``, ``territories`` (names). A territory may belong to none.
``missions``
    optional list of objects: ``{"continents": [names], "more": 1}`` (``more``: any others besides, 0 if left out),
    ``{"territories": 18, "armies": 2}`` (``armies`` on each, 1 if left out), ``{"destroy": 3}`` (the player with that
    number).
``lands``
    optional list of objects for pictures: ``outline``, a polygon ``[[x, y], ...]`` on the same sheet, and
    ``territories`` that share it.
``wraps``
    optional list of pairs of neighbours whose border leaves the sheet on one side and comes back on the other.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from oponente.games.risk.state import (
    MAX_BORDERS,
    MAX_CONTINENTS,
    MAX_MISSIONS,
    MAX_NEIGHBOURS,
    MAX_TERRITORIES,
    SEATS,
)
from oponente.kernel import home_path, parse_json
from oponente.kernel.notation import quoted

SYMBOLS = ("infantry", "cavalry", "artillery")
CLASSIC = "classic"
_KEYS = ("name", "territories", "continents", "missions", "lands", "wraps")
WIDTH, LOWEST = 1000, 2000
"""How far points of the sheet may lie to the right and down."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Territory:
    """A territory of a map."""

    name: str
    neighbours: tuple[int, ...]
    symbol: int
    """Of its card: 0 infantry, 1 cavalry, 2 artillery."""
    at: Point | None
    """Where it lies in pictures; None where the map does not say."""


@dataclass(frozen=True)
class Continent:
    """A continent of a map."""

    name: str
    bonus: int
    territories: tuple[int, ...]


@dataclass(frozen=True)
class Mission:
    """What a player may have to do in secret: one of continents, territories, or a player to destroy."""

    continents: tuple[int, ...] = ()
    more: int = 0
    """Continents of the player's choice besides."""
    territories: int = 0
    armies: int = 1
    """How many on each of the territories, at least."""
    destroy: int | None = None
    """The seat to destroy."""


@dataclass(frozen=True)
class Land:
    """A stretch of land in pictures, shared out among territories."""

    outline: tuple[Point, ...]
    territories: tuple[int, ...]


@dataclass(frozen=True)
class World:
    """A map."""

    name: str
    territories: tuple[Territory, ...]
    continents: tuple[Continent, ...]
    missions: tuple[Mission, ...]
    lands: tuple[Land, ...]
    wraps: tuple[tuple[int, int], ...]

    def index(self, name: str) -> int:
        """Return the number of a territory; ValueError if there is none of that name."""
        for number, territory in enumerate(self.territories):
            if territory.name == name:
                return number
        raise ValueError(f"{quoted(name)} is no territory of the map {self.name}")

    def continent_of(self, territory: int) -> int | None:
        """Return the number of the continent that a territory belongs to, if any."""
        for number, continent in enumerate(self.continents):
            if territory in continent.territories:
                return number
        return None


@cache
def classic() -> World:
    """Return the classic map of the world."""
    return read_world(data_text("classic.json"), CLASSIC)


def data_text(name: str) -> str:
    """Return the text of a file that ships with the game."""
    return resources.files("oponente.games.risk").joinpath("data", name).read_text(encoding="utf-8")


def file_text(given: str, option: str, words: str) -> tuple[str, str]:
    """Return the JSON that a user gave, or the text of the file that the user named, and where it comes from, for error
    messages; ValueError if it can't be read.
    """
    if given.lstrip().startswith("{"):
        return given, option
    try:
        text = home_path(given).read_text(encoding="utf-8-sig")  # some editors begin a file with a mark
        return text, f"{option}={given!r}"
    except UnicodeDecodeError:
        reason = "it is no text"
    except (OSError, ValueError) as error:  # the latter: a path that can't be one
        reason = getattr(error, "strerror", None) or str(error)
    raise ValueError(f"{option}={quoted(given)}: expected {words}, JSON or the path of a JSON file ({reason})")


def world_text(given: str) -> str:
    """Return what stands for the map that a user gives: ``classic``, or a map as compact JSON.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    if given == CLASSIC:
        return given
    text, source = file_text(given, "map", CLASSIC)
    read_world(text, source)
    return json.dumps(parse_json(text), ensure_ascii=False, separators=(",", ":"))


@cache
def world_of(text: str) -> World:
    """Return the map that :func:`world_text` returned the text of."""
    return classic() if text == CLASSIC else read_world(text, "map")


def read_world(text: str, source: str) -> World:
    """Return the map in a JSON text.

    Args:
        text: the JSON, see the documentation of this module.
        source: where it comes from, for error messages.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ValueError(f"{source} is no JSON: {error}") from None
    return _Reader(data, source).world()


INSTEAD = 24
"""Territories to hold where the player to destroy is oneself, does not play, or was destroyed by another."""
_TAKEN = re.compile(r"wild(\s*card)?\s*\d?|a\s+card|hidden", re.IGNORECASE)
"""Names of cards, and what stands for what is not seen."""


class _Reader:
    """Reads one map; every method raises ValueError for what is wrong."""

    def __init__(self, data: Any, source: str) -> None:
        self.source = source
        self.data = self.keyed(data, "the map", _KEYS, ("name", "territories", "continents"))
        self.names: list[str] = []

    def world(self) -> World:
        name = self.text(self.data["name"], "name")
        territories = self.territories()
        continents = self.continents()
        world = World(name, territories, continents, self.missions(continents), self.lands(), self.wraps(territories))
        self.check_connected(world)
        return world

    # --- parts -----------------------------------------------------------------------------------------------------

    def territories(self) -> tuple[Territory, ...]:
        rows = self.items(self.data["territories"], "territories", 2, MAX_TERRITORIES)
        objects = [
            self.keyed(row, "a territory", ("name", "neighbours", "symbol", "at"), ("name", "neighbours"))
            for row in rows
        ]
        self.names = [self.text(row["name"], "the name of a territory") for row in objects]
        for name in self.names:
            if _TAKEN.fullmatch(name):
                raise self.wrong(f"a territory can't be called {quoted(name)}: that means something else in a move")
        self.distinct(self.names, "territories")
        for key in ("symbol", "at"):
            if 0 < sum(key in row for row in objects) < len(objects):
                lacking = next(name for name, row in zip(self.names, objects, strict=True) if key not in row)
                raise self.wrong(f"{lacking} has no {key!r}, but others have: give it for all territories or for none")
        neighbours = [
            self.members(row["neighbours"], f"neighbours of {name}", 1, MAX_NEIGHBOURS)
            for name, row in zip(self.names, objects, strict=True)
        ]
        for number, others in enumerate(neighbours):
            for other in others:
                if other == number:
                    raise self.wrong(f"{self.names[number]} is a neighbour of itself")
                if number not in neighbours[other]:
                    raise self.wrong(
                        f"{self.names[other]} is a neighbour of {self.names[number]}, but not the other way round"
                    )
        if sum(map(len, neighbours)) > 2 * MAX_BORDERS:
            raise self.wrong(f"there are {sum(map(len, neighbours)) // 2} borders; expected {MAX_BORDERS} at most")
        return tuple(
            Territory(
                name,
                neighbours[number],
                self.symbol(row["symbol"], name) if "symbol" in row else number % len(SYMBOLS),
                self.point(row["at"], f"at of {name}") if "at" in row else None,
            )
            for number, (name, row) in enumerate(zip(self.names, objects, strict=True))
        )

    def continents(self) -> tuple[Continent, ...]:
        found: list[Continent] = []
        home: dict[int, str] = {}
        for row in self.items(self.data["continents"], "continents", 0, MAX_CONTINENTS):
            keys = ("name", "bonus", "territories")
            row = self.keyed(row, "a continent", keys, keys)
            name = self.text(row["name"], "the name of a continent")
            members = self.members(row["territories"], f"territories of {name}", 1, MAX_TERRITORIES)
            for member in members:
                if member in home:
                    raise self.wrong(f"{self.names[member]} belongs to {home[member]} and to {name}")
                home[member] = name
            found.append(Continent(name, self.number(row["bonus"], f"bonus of {name}", 0, 100), members))
        self.distinct([continent.name for continent in found], "continents")
        return tuple(found)

    def missions(self, continents: tuple[Continent, ...]) -> tuple[Mission, ...]:
        by_name = {continent.name: number for number, continent in enumerate(continents)}
        found = []
        for row in self.items(self.data.get("missions", []), "missions", 0, MAX_MISSIONS):
            keys = ("continents", "more", "territories", "armies", "destroy")
            row = self.keyed(row, "a mission", keys, ())
            kinds = [key for key in ("continents", "territories", "destroy") if key in row]
            if len(kinds) != 1:
                raise self.wrong(f"the mission {json.dumps(row)}: expected one of continents, territories, destroy")
            if ("more" in row and kinds != ["continents"]) or ("armies" in row and kinds != ["territories"]):
                raise self.wrong(f"the mission {json.dumps(row)}: more goes with continents, armies with territories")
            if kinds == ["destroy"]:
                found.append(Mission(destroy=self.number(row["destroy"], "destroy", 1, SEATS) - 1))
                if len(self.names) < INSTEAD:
                    raise self.wrong(f"a mission to destroy needs {INSTEAD} territories: so many count in its place")
            elif kinds == ["territories"]:
                count = self.number(row["territories"], "territories of a mission", 1, len(self.names))
                found.append(Mission(territories=count, armies=self.number(row.get("armies", 1), "armies", 1, 12)))
            else:
                names = self.items(row["continents"], "continents of a mission", 1, len(continents))
                for name in names:
                    if not isinstance(name, str) or name not in by_name:
                        raise self.wrong(f"{quoted(name)} in a mission is no continent")
                self.distinct(names, "continents of a mission")
                more = self.number(row.get("more", 0), "more", 0, len(continents) - len(names))
                found.append(Mission(continents=tuple(by_name[name] for name in names), more=more))
        return tuple(found)

    def lands(self) -> tuple[Land, ...]:
        found: list[Land] = []
        for row in self.items(self.data.get("lands", []), "lands", 0, 4 * MAX_TERRITORIES):
            row = self.keyed(row, "a land", ("outline", "territories"), ("outline", "territories"))
            outline = self.items(row["outline"], "outline of a land", 3, 1000)
            points = tuple(self.point(point, "outline of a land") for point in outline)
            found.append(Land(points, self.members(row["territories"], "territories of a land", 1, MAX_TERRITORIES)))
        if found and "at" not in self.data["territories"][0]:
            raise self.wrong("lands are given, but no places: give 'at' for all territories")
        return tuple(found)

    def wraps(self, territories: tuple[Territory, ...]) -> tuple[tuple[int, int], ...]:
        found = []
        for row in self.items(self.data.get("wraps", []), "wraps", 0, MAX_BORDERS):
            one, other = self.members(row, "a pair of wraps", 2, 2)
            if other not in territories[one].neighbours:
                raise self.wrong(f"wraps: {self.names[one]} and {self.names[other]} are no neighbours")
            found.append((one, other))
        return tuple(found)

    def check_connected(self, world: World) -> None:
        """Refuse a map on which some territories can't be reached: nobody could win."""
        reached, waiting = {0}, [0]
        while waiting:
            for neighbour in world.territories[waiting.pop()].neighbours:
                if neighbour not in reached:
                    reached.add(neighbour)
                    waiting.append(neighbour)
        for number, territory in enumerate(world.territories):
            if number not in reached:
                raise self.wrong(f"no borders lead from {self.names[0]} to {territory.name}")

    # --- values ----------------------------------------------------------------------------------------------------

    def wrong(self, what: str) -> ValueError:
        return ValueError(f"{self.source}: {what}")

    def keyed(self, value: Any, what: str, keys: tuple[str, ...], needed: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self.wrong(f"{what} is {quoted(json.dumps(value))}; expected an object with {', '.join(keys)}")
        for key in value:
            if key not in keys:
                raise self.wrong(f"{what} has an unknown key {quoted(key)}; expected {', '.join(keys)}")
        for key in needed:
            if key not in value:
                raise self.wrong(f"{what} lacks {key!r}")
        return value

    def items(self, value: Any, what: str, least: int, most: int) -> list[Any]:
        if not isinstance(value, list):
            raise self.wrong(f"{what}: expected a list")
        if not least <= len(value) <= most:
            raise self.wrong(f"{what}: there are {len(value)}; expected {least} to {most}")
        return value

    def members(self, value: Any, what: str, least: int, most: int) -> tuple[int, ...]:
        rows = self.items(value, what, least, most)
        for name in rows:
            if not isinstance(name, str) or name not in self.names:
                raise self.wrong(f"{what}: {quoted(name)} is no territory")
        self.distinct(rows, what)
        return tuple(self.names.index(name) for name in rows)

    def distinct(self, names: list[str], what: str) -> None:
        seen: set[str] = set()
        for name in names:
            plain = " ".join(name.casefold().split())  # as it is typed
            if plain in seen:
                raise self.wrong(f"{what}: {quoted(name)} is there twice")
            seen.add(plain)

    def text(self, value: Any, what: str) -> str:
        if not isinstance(value, str) or not value.strip() or not value.isprintable() or len(value) > 40:
            raise self.wrong(f"{what} is {quoted(value)}; expected 1 to 40 letters")
        if value != value.strip() or any(sign in value for sign in ";,>→+\"'<&") or value.split()[0].isdecimal():
            raise self.wrong(f"{what} is {quoted(value)}; it can't begin with a number or hold ; , > → + < & or quotes")
        return value

    def number(self, value: Any, what: str, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(f"{what} is {quoted(value)}; expected a number from {least} to {most}")
        return value

    def symbol(self, value: Any, name: str) -> int:
        if value not in SYMBOLS:
            raise self.wrong(f"symbol of {name} is {quoted(value)}; expected {', '.join(SYMBOLS)}")
        return SYMBOLS.index(value)

    def point(self, value: Any, what: str) -> Point:
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(type(part) in (int, float) for part in value)
            or not (0 <= value[0] <= WIDTH and 0 <= value[1] <= LOWEST)
        ):
            raise self.wrong(f"{what} is {quoted(value)}; expected [x, y], x from 0 to {WIDTH}, y from 0 to {LOWEST}")
        return float(value[0]), float(value[1])
