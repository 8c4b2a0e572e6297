"""The depth-first searches, one kernel for all: minimax, alpha-beta, max^n, paranoid, best-reply and expectiminimax.

What they share is the walk: an explicit stack with one frame for each position on the path, on which every frame is

1. *entered*: a terminal or horizon position is evaluated, one that the transposition table knows well enough is done;
   any other is expanded, its actions or outcomes are listed;
2. *advanced* from branch to branch, each leading one frame down; before that there may be a first look at all branches
   (Star2's probes, the evaluations that order actions or find default actions);
3. *left*, when no branch is left or none can matter any more: its result is backed up into the frame above.

What is different is who wants what, and is decided by `SETTINGS` at run time: the ideas are in
:mod:`~oponente.search.alphabeta`, :mod:`~oponente.search.star`, :mod:`~oponente.search.maxn` and
:mod:`~oponente.search.best_reply`, the order of actions in :mod:`~oponente.search.ordering`.

A result is a pair of bounds, from the point of view of the player at the root (max^n: of each player, and always
exact). They are the same where the value is known. Otherwise it does not lie between the `alpha` and `beta` of the
frame.

Helpers get records and single arrays, never all of :class:`~oponente.search.frames.Work`: handing that on would cost
more than most of them do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import (
    CHANCE,
    TERMINAL,
    actions,
    apply,
    chance,
    copy_state,
    entry,
    evaluate,
    expired,
    hash_state,
    njit,
    player,
)
from oponente.kernel.rules import max_chance
from oponente.search.alphabeta import back_up_maximising, back_up_minimising, branch_window
from oponente.search.best_reply import kind_of_reply, needs_default, replier_after
from oponente.search.frames import (
    ALL,
    AS_LISTED,
    BEST_REPLY,
    BETTER,
    DONE,
    DRAWING,
    EVALUATED,
    EVALUATION_ORDER,
    EXPANDED,
    FORCED,
    FULL,
    LOOKING,
    MAXIMISING,
    MAXN,
    MINIMISING,
    NONE,
    NOTED,
    OWN,
    PROBING,
    STOPPED,
)
from oponente.search.maxn import back_up_own
from oponente.search.ordering import REMEMBERED, bring_best_forward, note_cutoff, score_by_history
from oponente.search.star import back_up_outcome, is_idle_probe, outcome_window
from oponente.search.transposition import find_entry, identify, keep, recall, settles

ENTER, ADVANCE, LEAVE = range(3)
LEAST_RUN = 1e-4
"""Where chance events are no plies: one is evaluated if what chance did since the last decision is less probable. Else
nothing would bound how many follow one another, in games in which a die may be thrown again."""


@entry
def search_depth_first(game: Any, evaluator: Any, work: Any, settings_: Any, control: Any) -> None:
    """Search the position ``work.states[0]``; the result is in frame 0, line 0 and row 0 of the values.

    Args:
        game, evaluator: tables with tokens.
        work: :class:`~oponente.search.frames.Work`.
        settings_: array of one record :data:`~oponente.search.frames.SETTINGS`.
        control: see :mod:`oponente.kernel.clock`.
    """
    settings, states, frames, branches = settings_[0], work.states, work.frames, work.branches
    values, lines, history, report = work.values, work.lines, work.history, work.report
    table, table_values, notes, note_values = work.table.fixed, work.table.values, work.notes, work.note_values
    begin(frames[0], settings)
    report[NOTED] = 1
    ply, step = 0, ENTER
    while True:
        frame = frames[ply]

        # 1. Enter
        if step == ENTER:
            mover = player(game, states[ply])
            drawing = max_chance(game) > 0 and mover == CHANCE
            prepare(frame, mover, settings, report)
            lines[ply, ply] = -1
            step = ADVANCE
            if mover == TERMINAL or at_horizon(frame, settings, ply + 1 == frames.size, drawing):
                evaluate(evaluator, game, states[ply], values[ply])
                frame.low = frame.high = worth(values, settings, ply)
                frame.cut = 1 if mover != TERMINAL else 0
                report[EVALUATED] += 1
                step = LEAVE
            if expired(control) or (step == ADVANCE and report[EXPANDED] >= settings.max_nodes):
                report[STOPPED] = 1
                return
            if step == ADVANCE:
                frame.hint = settings.hint if ply == 0 else -1
                if settings.table and (frame.left > 1 or drawing):
                    hash_state(game, states[ply], work.words[ply], work.key)
                    identify(frame, settings, work.key)
                    index = find_entry(table, frame.key, frame.place, settings.stamp)
                    if index >= 0 and settles(table[index], frame, settings, ply):
                        recall(table[index].move, table_values, index, lines, values, ply)
                        step = LEAVE
            if step == ADVANCE and frame.quota != ALL and is_idle_probe(frame, settings, drawing):
                frame.low, frame.high, frame.kept, frame.cut = settings.low, settings.high, 0, 1
                step = LEAVE
            if step == ADVANCE:
                report[EXPANDED] += 1
                if drawing:
                    frame.count = chance(game, states[ply], work.moves, work.probs)
                    set_outcomes(frame, settings, branches, work.moves, work.probs, values, ply)
                else:
                    frame.count = actions(game, states[ply], work.moves)
                    set_actions(frame, settings, branches, work.moves, ply)
                    if settings.order != AS_LISTED and frame.kind != OWN:
                        score_by_history(frame, branches, history, ply)

        # 2. Advance
        if step == ADVANCE:
            if has_branch(frame, settings, branches, ply):
                branch, below = branches[ply, frame.next], frames[ply + 1]
                ask_below(frame, branch, below, settings, ply)
                if frame.phase == FULL and ply < settings.shown and frame.row >= 0 and report[NOTED] < notes.size:
                    begin_note(frame, branch, below, notes, report)
                copy_state(game, states, ply + 1, ply)
                apply(game, states[ply + 1], branch.move)
                ply += 1
                step = ENTER
                continue
            complete(frame, settings, values, ply)
            if frame.kept:
                keep(frame, settings, table, table_values, values, ply)

        # 3. Leave
        if frame.row >= 0:
            note(frame, notes, note_values, values, report, ply)
        if ply == 0:
            return
        ply -= 1
        frame, below = frames[ply], frames[ply + 1]
        branch = branches[ply, frame.next]
        step = ADVANCE
        if frame.phase == LOOKING:
            look_back(frame, branch, below, settings, values[ply + 1, frame.mover])
        else:
            frame.cut |= below.cut
            result = 0
            if frame.kind == DRAWING:
                result = back_up_outcome(frame, branch, below, settings)
                if frame.phase == FULL:
                    add_outcome(branch.prob, values, ply)
            elif frame.kind == OWN:
                result = back_up_own(frame, branch, below, frames[max(ply - 1, 0)], settings, values, ply)
            elif frame.kind == FORCED:
                result = back_up_forced(frame, branch, below)
            elif frame.kind == MAXIMISING:
                result = back_up_maximising(frame, branch, below, settings, ply)
            else:
                result = back_up_minimising(frame, branch, below, settings)
            if result & BETTER:
                adopt(branch.move, lines, values, ply)
            if ply == 0 and frame.phase == FULL and below.low == below.high and below.exact:
                note_root(work.root_values, branch.index, below.low, values)
            if result & DONE:
                step = LEAVE
                if frame.kind == OWN:
                    frame.low = frame.high = values[ply, settings.me]
                elif settings.order != AS_LISTED and frame.kind != DRAWING:
                    note_cutoff(frame, history, branch.move)
                if frame.kept and frame.exact:
                    keep(frame, settings, table, table_values, values, ply)
        frame.next += 1


# --- 1. enter ------------------------------------------------------------------------------------------------------


@njit
def begin(root: Any, settings: Any) -> None:
    """Set up the frame of the root."""
    root.alpha, root.beta = settings.alpha, settings.beta
    root.left, root.quota, root.replier, root.row = settings.left, ALL, -1, 0
    root.reach = root.run = 1.0


@njit
def prepare(frame: Any, mover: Any, settings: Any, report: Any) -> None:
    """Clear what a frame says of its position, which is about to be looked at."""
    frame.mover = mover
    frame.began = report[EXPANDED]
    frame.count = frame.next = frame.kept = frame.cut = 0
    frame.phase, frame.exact, frame.best_move, frame.best_index = FULL, 1, -1, -1
    if mover == settings.me:
        frame.replier = -1  # the own decision ends the round: anybody may reply again


@njit
def at_horizon(frame: Any, settings: Any, last: Any, drawing: Any) -> bool:
    """Tell whether a position is evaluated though the game goes on."""
    if frame.quota == NONE or last or frame.reach < settings.cutoff:
        return True
    if drawing and settings.free_chance:
        return frame.run < LEAST_RUN
    return frame.left <= 0


@njit
def worth(values: Any, settings: Any, ply: Any) -> float:
    """Return what an evaluated position is worth to the player at the root."""
    value = values[ply, settings.me]
    if not settings.margin or settings.players == 1:
        return value
    best = -np.inf
    for p in range(settings.players):
        if p != settings.me:
            best = max(best, values[ply, p])
    return value - best


@njit
def set_outcomes(frame: Any, settings: Any, branches: Any, moves: Any, probs: Any, values: Any, ply: Any) -> None:
    """Make the branches of a chance node, the most likely outcome first."""
    frame.kind = DRAWING
    frame.expected = 0.0
    frame.low, frame.high = settings.low, settings.high
    for p in range(values.shape[1]):
        values[ply, p] = 0.0
    for i in range(frame.count):
        branch = branches[ply, i]
        branch.move, branch.index = moves[i], i
        branch.prob = branch.score = probs[i]
        branch.low, branch.high = settings.low, settings.high
    if settings.star == 2 and frame.left > 1 and (frame.alpha > -np.inf or frame.beta < np.inf):
        frame.phase = PROBING


@njit
def set_actions(frame: Any, settings: Any, branches: Any, moves: Any, ply: Any) -> None:
    """Make the branches of a decision."""
    for i in range(frame.count):
        branch = branches[ply, i]
        branch.move, branch.index, branch.prob = moves[i], i, 1.0
    if settings.rule == MAXN:
        frame.kind = OWN
        return
    if settings.rule == BEST_REPLY:
        frame.kind = kind_of_reply(frame, settings)
    else:
        frame.kind = MAXIMISING if frame.mover == settings.me else MINIMISING
    frame.low = frame.high = -np.inf if frame.kind == MAXIMISING else np.inf
    frame.default_move, frame.default_value = -1, -np.inf
    if (settings.order == EVALUATION_ORDER and frame.left > 1 and frame.quota == ALL) or (
        settings.rule == BEST_REPLY and needs_default(frame, settings)
    ):
        frame.phase = LOOKING


# --- 2. advance ----------------------------------------------------------------------------------------------------


@njit
def has_branch(frame: Any, settings: Any, branches: Any, ply: Any) -> bool:
    """Choose the next branch of a frame; tell whether there is one."""
    while True:
        if frame.next == frame.count and frame.phase != FULL:
            search_in_full(frame, branches, ply)
        if frame.next == frame.count or (frame.quota > 0 and frame.next == frame.quota and frame.phase == FULL):
            return False
        if frame.kind == DRAWING or (settings.order != AS_LISTED and frame.phase == FULL and frame.kind != OWN):
            bring_best_forward(frame, branches, ply)
        if branches[ply, frame.next].prob > 0.0:
            return True
        frame.next += 1


@njit
def search_in_full(frame: Any, branches: Any, ply: Any) -> None:
    """End the first look at the branches of a frame: now they are searched."""
    frame.phase, frame.next = FULL, 0
    if frame.kind == DRAWING:
        return
    for i in range(frame.count):
        branch = branches[ply, i]
        if frame.kind == FORCED and branch.move == frame.default_move:
            only = branches[ply, 0]
            only.move, only.index = branch.move, branch.index
            frame.count = 1
            return
        if branch.move == frame.hint:
            branch.score = REMEMBERED


@njit
def ask_below(frame: Any, branch: Any, below: Any, settings: Any, ply: Any) -> None:
    """Set up the frame below for a branch: how deep to search it, and between which bounds its value matters."""
    free = frame.kind == FORCED or (frame.kind == DRAWING and settings.free_chance)
    below.left = frame.left if free else frame.left - 1
    below.reach = frame.reach * branch.prob
    below.run = frame.run * branch.prob if frame.kind == DRAWING else 1.0
    below.quota = ALL if frame.phase == FULL else 1 if frame.phase == PROBING else NONE
    below.row = -1
    if settings.rule == BEST_REPLY:
        below.replier = replier_after(frame, settings, branch.move)
    below.alpha, below.beta = -np.inf, np.inf
    if settings.prune and frame.phase != LOOKING:
        if frame.kind == DRAWING:
            if settings.star:
                below.alpha, below.beta = outcome_window(frame, branch)
        elif frame.kind != OWN:
            below.alpha, below.beta = branch_window(frame, branch, settings, ply)


# --- 3. leave ------------------------------------------------------------------------------------------------------


@njit
def look_back(frame: Any, branch: Any, below: Any, settings: Any, own: Any) -> None:
    """Let a first look at a branch decide on its order, or on the default action; `own` is its value for the mover."""
    if settings.order == EVALUATION_ORDER:
        branch.score = below.low if frame.kind == MAXIMISING else -below.low
    if own > frame.default_value:
        frame.default_value = own
        frame.default_move = branch.move


@njit
def back_up_forced(frame: Any, branch: Any, below: Any) -> int:
    """Let a frame without a choice take the result of the frame below; return what :mod:`frames` calls a verdict."""
    frame.low, frame.high, frame.best_move = below.low, below.high, branch.move
    return BETTER


@njit
def adopt(move: Any, lines: Any, values: Any, ply: Any) -> None:
    """Make a move, and the line and the values of the frame below, those of the frame at `ply`."""
    lines[ply, ply] = move
    i = ply + 1
    while True:
        lines[ply, i] = lines[ply + 1, i]
        if lines[ply, i] < 0:
            break
        i += 1
    for p in range(values.shape[1]):
        values[ply, p] = values[ply + 1, p]


@njit
def add_outcome(prob: Any, values: Any, ply: Any) -> None:
    """Count what each player can expect after an outcome into what they can expect at a chance node."""
    for p in range(values.shape[1]):
        values[ply, p] += prob * values[ply + 1, p]


@njit
def note_root(root_values: Any, index: Any, value: Any, values: Any) -> None:
    """Note the value of an action at the root, for the player there and for every player."""
    root_values[index, 0] = value
    for p in range(values.shape[1]):
        root_values[index, 1 + p] = values[1, p]


@njit
def complete(frame: Any, settings: Any, values: Any, ply: Any) -> None:
    """Complete the result of a frame whose branches have been searched."""
    if frame.kind == DRAWING:
        frame.low = frame.high = frame.expected
    elif frame.kind == OWN:
        frame.low = frame.high = values[ply, settings.me]
    elif frame.next < frame.count:  # a probe
        if frame.kind == MAXIMISING:
            frame.high = settings.high
        else:
            frame.low = settings.low


# --- notes for the picture of the tree -----------------------------------------------------------------------------


@njit
def begin_note(frame: Any, branch: Any, below: Any, notes: Any, report: Any) -> None:
    """Take a row for the branch searched next."""
    row = report[NOTED]
    report[NOTED] = row + 1
    below.row = row
    new = notes[row]
    new.parent, new.move, new.done = frame.row, branch.move, 0
    new.prob = branch.prob if frame.kind == DRAWING else -1.0


@njit
def note(frame: Any, notes: Any, note_values: Any, values: Any, report: Any, ply: Any) -> None:
    """Note the result of a frame."""
    row = notes[frame.row]
    row.low, row.high, row.mover, row.count, row.done = frame.low, frame.high, frame.mover, frame.count, frame.exact
    row.nodes = report[EXPANDED] - frame.began
    for p in range(values.shape[1]):
        note_values[frame.row, p] = values[ply, p]
