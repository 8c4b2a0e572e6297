"""Risk: the tree of the thesis's Monte Carlo agent, in memory and as the JSON file that keeps it across games.

The file is an object from each node's number, as text, to ``{"own": {territory: armies}, "enemy": {...}, "children":
[{"node": number, "action": "pass" or [from, to]}], "visits": n, "value": wins minus losses}``. Where positions are told
apart by classes of armies only there are these in place of armies, and ``"states": "coarse"`` stands before the nodes.
"""

from __future__ import annotations

import fcntl
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.risk.moves import ATTACK, DONE, MOST_ARMIES
from oponente.games.risk.state import MAX_TERRITORIES
from oponente.games.risk.thesis.common import PATH, STEPS
from oponente.games.risk.thesis.montecarlo import EDGES, NODES, key_slot
from oponente.games.risk.world import World
from oponente.kernel import home_path, in_one_step, parse_json
from oponente.kernel.notation import quoted

_COUNTS = [("visits", "i4"), ("value", "i4"), ("first", "i4"), ("edges", "i4")]
NODE = np.dtype((np.record, np.dtype([("armies", "i2", (MAX_TERRITORIES,)), *_COUNTS], align=True)))
EDGE = np.dtype((np.record, np.dtype([("child", "i4"), ("action", "i4"), ("next", "i4")], align=True)))
EXACT, COARSE = "exact", "coarse"
"""How positions are told apart: by all armies, or by their classes."""
CLASSES = 7
"""Classes of armies."""
SMALL = 256
"""Nodes that a tree has room for at first."""
SPARE = 160
"""Nodes that one game may add: at most one for each turn of the agent."""


class TreeArrays(NamedTuple):
    """A tree as kernels see it. The children of a node are a list linked by ``next``, -1 at its end."""

    nodes: npt.NDArray[Any]
    edges: npt.NDArray[Any]
    slots: npt.NDArray[np.int32]
    """Hash table of the nodes by their armies: number plus 1, 0 where empty."""
    counts: npt.NDArray[np.int64]
    """How many nodes and edges there are."""
    coarse: npt.NDArray[np.int64]
    """Whether positions are told apart by classes of armies only."""
    branching: npt.NDArray[np.int64]
    """With fewer children than this an action is drawn at random."""
    randomness: npt.NDArray[np.float64]
    """How often one is drawn at random in spite of children."""


class TreeFileError(ValueError):
    """A tree's file can't be read, or could not be written; the message is one line."""


class Tree:
    """A tree that grows.

    Args:
        coarse: whether positions are told apart by classes of armies only.
        branching: children that a node must have before they are compared.
        randomness: how often an action is drawn at random in spite of children.
    """

    def __init__(self, *, coarse: bool = False, branching: int = 1, randomness: float = 0.05) -> None:
        self.arrays = TreeArrays(
            np.zeros(SMALL, NODE),
            np.zeros(SMALL, EDGE),
            np.zeros(4 * SMALL, np.int32),
            np.zeros(2, np.int64),
            np.array([coarse], np.int64),
            np.array([branching], np.int64),
            np.array([randomness]),
        )
        self._loaded: list[tuple[int, int]] = []  # visits and values as they were read

    def __len__(self) -> int:
        return int(self.arrays.counts[NODES])

    @property
    def states(self) -> str:
        """How positions are told apart: `EXACT` or `COARSE`."""
        return COARSE if self.arrays.coarse[0] else EXACT

    def clear(self) -> None:
        """Forget all."""
        self.arrays.slots[:] = 0
        self.arrays.counts[:] = 0

    def make_room(self) -> bool:
        """Make sure that a game can be played; tell whether the arrays are others than before."""
        a = self.arrays
        nodes, edges = (int(count) for count in a.counts)
        if nodes + SPARE <= a.nodes.size and edges + SPARE <= a.edges.size:
            return False
        # A power of two, by which the hash table is searched.
        size = 1 << max(a.nodes.size, a.edges.size, nodes + SPARE).bit_length()
        more = [np.zeros(size, NODE), np.zeros(size, EDGE)]
        more[0][:nodes], more[1][:edges] = a.nodes[:nodes], a.edges[:edges]
        self.arrays = a._replace(nodes=more[0], edges=more[1], slots=np.zeros(4 * size, np.int32))
        for node in range(nodes):
            self._enter(node)
        return True

    def learn(self, memory: npt.NDArray[np.int32], result: int) -> None:
        """Note how a game ended.

        Args:
            memory: the agent's, with the steps that it noted.
            result: 1 if it has won, -1 if it has lost, 0 for a draw.
        """
        steps = [(int(memory[PATH + 2 * i]), int(memory[PATH + 2 * i + 1])) for i in range(int(memory[STEPS]))]
        for number, (node, action) in enumerate(steps):
            self.arrays.nodes[node]["visits"] += 1
            self.arrays.nodes[node]["value"] += result
            if number + 1 < len(steps):
                self._add_child(node, action, steps[number + 1][0])

    def _enter(self, node: int) -> None:
        a = self.arrays
        slot = int(key_slot(a, a.nodes[node]["armies"]))
        while a.slots[slot] > 0:
            slot = (slot + 1) & (a.slots.size - 1)
        a.slots[slot] = node + 1

    def _add_node(self, armies: npt.NDArray[np.int16], visits: int, value: int) -> int:
        a = self.arrays
        if a.counts[NODES] + SPARE > a.nodes.size:
            self.make_room()
            a = self.arrays
        node = int(a.counts[NODES])
        a.counts[NODES] += 1
        a.nodes[node] = (armies, visits, value, -1, 0)
        self._enter(node)
        return node

    def _add_child(self, node: int, action: int, child: int) -> None:
        """Make a node the child of another by an action, unless it is already; children stay in their order."""
        a = self.arrays
        last, edge = -1, int(a.nodes[node]["first"])
        while edge >= 0:
            if (int(a.edges[edge]["child"]), int(a.edges[edge]["action"])) == (child, action):
                return
            last, edge = edge, int(a.edges[edge]["next"])
        if a.counts[EDGES] == a.edges.size:
            size = a.edges.size
            self.arrays = a = a._replace(edges=np.concatenate([a.edges, np.zeros(size, EDGE)]))
        edge = int(a.counts[EDGES])
        a.counts[EDGES] += 1
        a.edges[edge] = (child, action, -1)
        a.nodes[node]["edges"] += 1
        if last < 0:
            a.nodes[node]["first"] = edge
        else:
            a.edges[last]["next"] = edge

    def children(self, node: int) -> list[tuple[int, int]]:
        """Return the children of a node, each with the action that leads there."""
        found, edge = [], int(self.arrays.nodes[node]["first"])
        while edge >= 0:
            found.append((int(self.arrays.edges[edge]["child"]), int(self.arrays.edges[edge]["action"])))
            edge = int(self.arrays.edges[edge]["next"])
        return found

    # --- files -----------------------------------------------------------------------------------------------------

    def load(self, path: str | Path, world: World) -> None:
        """Read a tree; one that is not there yet is empty.

        Raises:
            TreeFileError: it can't be read, is of another map, or tells positions apart otherwise.
        """
        self.clear()
        self._loaded = []
        text = _read(home_path(path))
        if text:
            self._take(_parse(text, path), world, path)
        self._loaded = [(int(node["visits"]), int(node["value"])) for node in self.arrays.nodes[: len(self)]]

    def save(self, path: str | Path, world: World) -> None:
        """Add what was learnt since the tree was read to the file, in which others may have written meanwhile.

        Raises:
            TreeFileError: what is there is no tree.
            OSError: the file can't be written.
        """
        file = home_path(path)
        with open(f"{file}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            merged = Tree(coarse=self.states == COARSE)
            merged.load(file, world)
            merged.add(self)
            with in_one_step(file) as part:
                part.write_text(json.dumps(merged.to_json(world)), encoding="utf-8")
        self._loaded = [(int(node["visits"]), int(node["value"])) for node in self.arrays.nodes[: len(self)]]

    def add(self, other: Tree) -> None:
        """Add what another tree has learnt since it was read."""
        a = self.arrays
        known = {a.nodes[node]["armies"].tobytes(): node for node in range(len(self))}
        places = []
        for node in range(len(other)):
            row = other.arrays.nodes[node]
            before = other._loaded[node] if node < len(other._loaded) else (0, 0)
            place = known.get(row["armies"].tobytes())
            if place is None:
                place = self._add_node(row["armies"], 0, 0)
            self.arrays.nodes[place]["visits"] += int(row["visits"]) - before[0]
            self.arrays.nodes[place]["value"] += int(row["value"]) - before[1]
            places.append(place)
        for node, place in enumerate(places):
            for child, action in other.children(node):
                self._add_child(place, action, places[child])

    def to_json(self, world: World) -> dict[str, Any]:
        """Return the tree as the object of its file."""
        names = [territory.name for territory in world.territories]
        result: dict[str, Any] = {} if self.states == EXACT else {"states": self.states}
        for number in range(len(self)):
            row = self.arrays.nodes[number]
            armies = [int(count) for count in row["armies"][: len(names)]]
            result[str(number)] = {
                "own": {name: count for name, count in zip(names, armies, strict=True) if count > 0},
                "enemy": {name: -count for name, count in zip(names, armies, strict=True) if count < 0},
                "children": [
                    {"node": child, "action": _action_json(action, names)} for child, action in self.children(number)
                ],
                "visits": int(row["visits"]),
                "value": int(row["value"]),
            }
        return result

    def _take(self, data: dict[str, Any], world: World, path: str | Path) -> None:
        numbers = {territory.name: number for number, territory in enumerate(world.territories)}
        told_apart = data.pop("states", EXACT)
        if data and told_apart != self.states:
            raise TreeFileError(f"{path} is a tree of states={quoted(str(told_apart))}, not of states={self.states!r}")
        most = CLASSES if self.states == COARSE else MOST_ARMIES
        try:
            rows = [data[str(number)] for number in range(len(data))]
            for row in rows:
                armies = np.zeros(MAX_TERRITORIES, np.int16)
                for key, sign in (("own", 1), ("enemy", -1)):
                    for name, count in row[key].items():
                        armies[numbers[name]] = sign * _number(count, 1, most)
                self._add_node(armies, _number(row["visits"], 0, 2**31 - 1), _number(row["value"], -(2**31), 2**31 - 1))
            for number, row in enumerate(rows):
                for child in row["children"]:
                    self._add_child(
                        number, _action_number(child["action"], numbers), _number(child["node"], 0, len(rows) - 1)
                    )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise TreeFileError(f"{path} is no tree of thesis-montecarlo on this map: {error!r}") from None


def check_place(path: str | Path) -> None:
    """Raise TreeFileError if no tree can be written to a file: else what was learnt would be lost when a match ends."""
    try:
        with tempfile.TemporaryFile(dir=home_path(path).parent):
            pass
    except OSError as error:
        raise TreeFileError(f"tree={quoted(str(path))} can't be written: {error.strerror}") from None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise TreeFileError(f"tree={quoted(str(path))} can't be read: {error}") from None


def _parse(text: str, path: str | Path) -> dict[str, Any]:
    try:
        data = parse_json(text)
    except ValueError as error:
        raise TreeFileError(f"{path} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise TreeFileError(f"{path} is no tree of thesis-montecarlo: expected an object")
    return data


def _number(value: Any, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{value!r} is no number from {least} to {most}")
    return value


def _action_json(action: int, names: Sequence[str]) -> Any:
    if action == DONE:
        return "pass"
    return [names[(action - ATTACK) // 64], names[(action - ATTACK) % 64]]


def _action_number(action: Any, numbers: dict[str, int]) -> int:
    if action == "pass":
        return DONE
    origin, target = action
    return ATTACK + 64 * numbers[origin] + numbers[target]
