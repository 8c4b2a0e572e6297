"""What the depth-first searches keep: a frame for each position on the path, a branch for each way on from it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import Game, record
from oponente.search.ordering import HISTORY

SETTINGS = record(
    ("low", "f8"),  # least value of a position for a player,
    ("high", "f8"),  # greatest one,
    ("most", "f8"),  # greatest sum over the players; infinite where not known
    ("alpha", "f8"),  # at the root: values up to this one need not be told apart,
    ("beta", "f8"),  # nor values from this one on
    ("cutoff", "f8"),  # least probability of a position that is searched, seen from the root
    ("max_nodes", "i8"),  # nodes to expand before the search stops
    ("stamp", "u4"),  # of this search in the transposition table
    ("me", "i4"),  # who moves at the root of the whole search
    ("players", "i4"),
    ("left", "i4"),  # plies to search
    ("hint", "i4"),  # action to try first at the root, -1: none
    ("shown", "i4"),  # plies whose branches are noted for the picture of the tree
    ("rule", "i1"),  # who wants what: PARANOID, MAXN or BEST_REPLY
    ("prune", "i1"),  # whether what can't matter is left out
    ("star", "i1"),  # pruning at chance nodes: 0, 1 or 2 (Star1, Star2)
    ("order", "i1"),  # order of actions: as listed, by HISTORY_ORDER or by EVALUATION_ORDER
    ("table", "i1"),  # whether to use the transposition table
    ("free_chance", "i1"),  # whether chance events count as no ply, as long as their run is likely enough
    ("margin", "i1"),  # whether a value is one's lead over the best other player
    ("every_root", "i1"),  # whether the value of each action at the root is wanted
)
PARANOID, MAXN, BEST_REPLY = range(3)
AS_LISTED, HISTORY_ORDER, EVALUATION_ORDER = range(3)

FRAME = record(
    # What the frame above asks for: a value is wanted exactly if it lies between alpha and beta.
    ("alpha", "f8"),
    ("beta", "f8"),
    # What is known of the value, while branches are searched and in the end. Exact if both are the same.
    ("low", "f8"),
    ("high", "f8"),
    ("expected", "f8"),  # at chance nodes: sum over the outcomes searched
    ("reach", "f8"),  # probability of the chance outcomes on the path,
    ("run", "f8"),  # and at chance nodes of those since the last decision
    ("default_value", "f8"),  # best-reply search: what the mover gets by `default_move` at once
    ("key", "u8"),  # the words by which the table knows the position
    ("place", "u8"),
    ("began", "i8"),  # nodes expanded when it was entered
    ("count", "i4"),  # branches
    ("next", "i4"),  # the branch searched now
    ("left", "i4"),  # plies to search below
    ("quota", "i4"),  # branches to search at most; ALL; or NONE: the position is only evaluated
    ("best_move", "i4"),
    ("best_index", "i4"),
    ("hint", "i4"),  # action remembered by the table, -1: none
    ("killer", "i4"),
    ("older_killer", "i4"),
    ("default_move", "i4"),
    ("row", "i4"),  # in the notes for the picture of the tree, -1: none
    ("mover", "i1"),  # a player, CHANCE or TERMINAL
    ("kind", "i1"),  # MAXIMISING, MINIMISING, DRAWING, OWN or FORCED
    ("phase", "i1"),  # FULL, or what comes before: PROBING, LOOKING
    ("replier", "i1"),  # best-reply search: who has chosen since the last own action, -1: nobody
    ("cut", "i1"),  # whether the horizon had a part in the result
    ("exact", "i1"),  # max^n: whether the result is exact
    ("kept", "i1"),  # whether the result goes to the table
)
MAXIMISING, MINIMISING, DRAWING, OWN, FORCED = range(5)
FULL, PROBING, LOOKING = range(3)
ALL, NONE = 0, -1
BETTER, DONE = 1, 2
"""The verdict on a branch, a sum of these: it is the best so far; the others can't matter."""

BRANCH = record(
    ("score", "f8"),  # the highest is searched first
    ("prob", "f8"),  # of a chance outcome
    ("low", "f8"),  # at chance nodes: what is known of the value
    ("high", "f8"),
    ("move", "i4"),
    ("index", "i4"),  # place in the game's list
)

NOTE = record(
    ("low", "f8"),
    ("high", "f8"),
    ("prob", "f8"),
    ("nodes", "i8"),
    ("parent", "i4"),
    ("move", "i4"),
    ("count", "i4"),  # branches
    ("mover", "i1"),
    ("done", "i1"),  # whether the result is to be believed; 0: the search was stopped, or left the position early
)
"""What is noted of a position in the top of the tree."""
NOTES = 1 << 16
"""How many at most."""

EXPANDED, EVALUATED, STOPPED, NOTED = range(4)
"""Layout of a report: nodes expanded, positions evaluated, 1 if the search was stopped, rows of notes in use."""


class Work(NamedTuple):
    """The memory of a search. Arrays with a place a ply are as long as the deepest path may be."""

    states: Any
    """Records of the game, the root first."""
    words: Any
    """The bytes of the states as unsigned integers, a row a state."""
    frames: Any
    """Records :data:`FRAME`."""
    branches: Any
    """Records :data:`BRANCH`, a row a ply."""
    lines: Any
    """int32: row p, from column p on, holds the best line of the frame at ply p, ended by -1."""
    values: Any
    """float64: row p holds what each player can expect at ply p."""
    moves: Any
    """int32: where the rules write actions and outcomes,"""
    probs: Any
    """float64: and probabilities."""
    history: Any
    """float64, a row a player: see :mod:`oponente.search.ordering`."""
    key: Any
    """uint64: where the rules write the words by which a state is known."""
    table: Any
    """The transposition table: :class:`oponente.search.transposition.Entries`."""
    root_values: Any
    """float64, a row an action at the root: the value for the player who moves there, then what each player can expect.
    NaN: not known exactly."""
    notes: Any
    """Records :data:`NOTE`; row 0 is the root."""
    note_values: Any
    """float64, a row a note: what each player can expect there, where that is exact."""
    report: Any
    """int64: EXPANDED, EVALUATED, STOPPED, NOTED."""


def new_work(game: Game, rows: int, table: Any, notes: int) -> Work:
    """Return the memory for paths of `rows` positions. Most of it is taken only as it is used."""
    players, room = game.num_players, max(game.max_actions, game.max_chance)
    states = game.new_states(rows)
    return Work(
        states=states,
        words=game.words(states),
        frames=np.zeros(rows, FRAME),
        branches=np.zeros((rows, room), BRANCH),
        lines=np.full((rows + 1, rows + 1), -1, np.int32),
        values=np.zeros((rows, players)),
        moves=np.zeros(room, np.int32),
        probs=np.zeros(room),
        history=np.zeros((players, HISTORY)),
        key=np.zeros(2, np.uint64),
        table=table,
        root_values=np.zeros((game.max_actions, 1 + players)),
        notes=np.zeros(max(1, notes), NOTE),
        note_values=np.zeros((max(1, notes), players)),
        report=np.zeros(4, np.int64),
    )
