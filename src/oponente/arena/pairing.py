"""Who meets whom in a round of a Swiss tournament: neighbours in the ranking, and as few as can be who have met before.

The first of the ranking gets the nearest one below whom it has not met, then the next one who is left, and so on; but
no pair is made for whose sake more pairs than need be would have to repeat further down. Whether that is so is seen
from a *certificate*: a largest matching of those who are left, in the graph that joins those who have not met. To take
two out of it leaves two others without their mates at most, and if an augmenting path begins at one of these, the
certificate is as large as it can be again. So of all pairings that repeat as little as possible the result is the first
in the order of the ranking.

Source of augmenting paths where cycles are odd: J. Edmonds, "Paths, trees, and flowers" (1965).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

__all__ = ["Meetings", "neighbour_pairs", "who_rests"]

Meetings = Mapping[frozenset[int], int]
"""How often two entrants have met; those who never have need not be there."""

_NOBODY = -1


def neighbour_pairs(ranking: Sequence[int], met: Meetings) -> list[tuple[int, int]]:
    """Return pairs of neighbours among an even number of entrants, in the order of the ranking; see the module.

    Who has to meet somebody again meets, if that can be helped, nobody for the third time, and so on.

    >>> neighbour_pairs([0, 1, 2, 3], {frozenset((0, 1)): 1})
    [(0, 2), (1, 3)]
    >>> neighbour_pairs([0, 1, 2, 3], {frozenset((2, 3)): 1})
    [(0, 2), (1, 3)]
    """
    place = {entrant: i for i, entrant in enumerate(ranking)}
    pairs: list[tuple[int, int]] = []
    left, times = list(ranking), 0
    while left:
        fresh = _first_pairs(_Certificate(left, met, times))
        pairs += [(left[one], left[other]) for one, other in fresh]
        paired = {entrant for pair in pairs for entrant in pair}
        left, times = [entrant for entrant in left if entrant not in paired], times + 1
    return sorted(pairs, key=lambda pair: place[pair[0]])


def who_rests(ranking: Sequence[int], met: Meetings, candidates: Sequence[int]) -> int:
    """Return who of an odd number has a bye: the first candidate without whom no more pairs repeat than need be.

    >>> who_rests([0, 1, 2], {frozenset((0, 1)): 1}, [2, 1, 0])
    1
    """
    certificate = _Certificate(ranking, met)
    place = {entrant: i for i, entrant in enumerate(ranking)}
    return next((one for one in candidates if certificate.take(place[one])), candidates[0])


def _first_pairs(certificate: _Certificate) -> list[tuple[int, int]]:
    """Return the first of all largest matchings, pair by pair."""
    pairs = []
    for one in range(certificate.size):
        if not certificate.here[one]:
            continue
        for other in range(one + 1, certificate.size):
            if certificate.here[other] and other not in certificate.met[one] and certificate.take(one, other):
                pairs.append((one, other))
                break
    return pairs


class _Certificate:
    """A largest matching of some entrants, by their places in the ranking, who have met at most so many times.

    Args:
        ranking: the entrants.
        met: how often who has met.
        times: how often those may have met who are matched.
    """

    def __init__(self, ranking: Sequence[int], met: Meetings, times: int = 0) -> None:
        self.size = len(ranking)
        place = {entrant: i for i, entrant in enumerate(ranking)}
        self.met: list[set[int]] = [{i} for i in range(self.size)]
        """By place: the places of those with whom it may not be matched, its own among them."""
        for pair, count in met.items():
            if count > times and all(entrant in place for entrant in pair):
                one, other = (place[entrant] for entrant in pair)
                self.met[one].add(other)
                self.met[other].add(one)
        self.here = [True] * self.size
        """Whether it was not taken out."""
        self._mate = [_NOBODY] * self.size
        for one in range(self.size):
            if self._mate[one] == _NOBODY:
                others = (i for i in range(one + 1, self.size) if self._mate[i] == _NOBODY and i not in self.met[one])
                if (other := next(others, _NOBODY)) != _NOBODY:
                    self._join(one, other)
        for one in range(self.size):
            if self._mate[one] == _NOBODY:
                self._augment(one)

    def take(self, *places: int) -> bool:
        """Take one out, or two who may be matched, if the rest can have a matching as large as with them.

        That is: with one more pair, those two, where two are taken out.
        """
        mates = [self._mate[one] for one in places]
        left = [mate for mate in mates if mate != _NOBODY and mate not in places]
        for one, mate in zip(places, mates, strict=True):
            self.here[one], self._mate[one] = False, _NOBODY
            if mate != _NOBODY:
                self._mate[mate] = _NOBODY
        if len(left) < len(places):  # matched with each other, or one was without a mate
            return True
        if len(left) == 2 and left[1] not in self.met[left[0]]:
            self._join(*left)
            return True
        if any(self._augment(one) for one in left):
            return True
        for one, mate in zip(places, mates, strict=True):
            self.here[one] = True
            self._join(one, mate)
        return False

    def _join(self, one: int, other: int) -> None:
        self._mate[one], self._mate[other] = other, one

    def _augment(self, root: int) -> bool:
        """Make the matching larger by a path from `root`, which has no mate; tell whether there is such a path."""
        search = _Search(self.met, self._mate, [i for i in range(self.size) if self.here[i]], root)
        end = search.end()
        while end != _NOBODY:
            before = search.parent[end]
            further = self._mate[before]
            self._join(end, before)
            end = further
        return search.found


class _Search:
    """A search for an augmenting path: a tree of paths from a root, in which odd cycles are shrunk to their *base*.

    Args:
        met: by vertex: with whom it is not joined.
        mate: by vertex.
        vertices: among whom.
        root: where the path begins; it has no mate.
    """

    def __init__(self, met: Sequence[set[int]], mate: Sequence[int], vertices: Sequence[int], root: int) -> None:
        self._met, self._mate, self._vertices, self._root = met, mate, vertices, root
        self._single = [i for i in vertices if mate[i] == _NOBODY and i != root]
        self.parent = [_NOBODY] * len(mate)
        """By vertex at an odd distance from the root, or in a shrunken cycle: the one before it."""
        self._base = list(range(len(mate)))
        self._even = [False] * len(mate)
        """Whether it can be reached over an even number of edges, the last of which is in the matching."""
        self._waiting: deque[int] = deque()
        self.found = False

    def end(self) -> int:
        """Return the vertex without a mate in which a path ends; :attr:`parent` leads back."""
        end = self._reach(self._root)
        while end == _NOBODY and self._waiting:
            end = self._extend(self._waiting.popleft())
        self.found = end != _NOBODY
        return end

    def _reach(self, vertex: int) -> int:
        """Note that a vertex is even; return one without a mate that is joined to it."""
        self._even[vertex] = True
        self._waiting.append(vertex)
        for single in self._single:
            if single not in self._met[vertex]:
                self.parent[single] = vertex
                return single
        return _NOBODY

    def _extend(self, vertex: int) -> int:
        """Follow the edges of an even vertex; return the end of a path."""
        for other in self._vertices:
            if other in self._met[vertex] or self._base[other] == self._base[vertex] or other == self._mate[vertex]:
                continue
            if self._even[other]:
                end = self._shrink(vertex, other)
            elif self.parent[other] == _NOBODY:
                self.parent[other] = vertex
                end = self._reach(self._mate[other])
            else:
                continue
            if end != _NOBODY:
                return end
        return _NOBODY

    def _shrink(self, one: int, other: int) -> int:
        """Shrink the cycle that an edge between even vertices closes: all on it are even. Return the end of a path."""
        base = self._common_base(one, other)
        cycle: set[int] = set()
        for vertex, before in ((one, other), (other, one)):
            while self._base[vertex] != base:
                mate = self._mate[vertex]
                cycle |= {self._base[vertex], self._base[mate]}
                self.parent[vertex] = before
                vertex, before = self.parent[mate], mate
        for vertex in self._vertices:
            if self._base[vertex] in cycle:
                self._base[vertex] = base
                if not self._even[vertex] and (end := self._reach(vertex)) != _NOBODY:
                    return end
        return _NOBODY

    def _common_base(self, one: int, other: int) -> int:
        """Return where the paths from two even vertices to the root meet."""
        above = set()
        while True:
            one = self._base[one]
            above.add(one)
            if self._mate[one] == _NOBODY:
                break
            one = self.parent[self._mate[one]]
        while self._base[other] not in above:
            other = self.parent[self._mate[self._base[other]]]
        return self._base[other]
