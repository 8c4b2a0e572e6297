"""What the repeated Connect Four report says about each finding of the original, by the criterion stated with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oponente.arena.elo import finite
from oponente.arena.statistics import wilson_interval
from oponente.arena.studies.connect4_report import ALPHABETA, LABELS, MCTS2, MCTS5, MINIMAX, MeasuredGame, Position
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED, Verdict
from oponente.arena.studies.estimates import Estimate, mean_estimate, slope

Value = Callable[[Position, str], float]


def judge(games: Sequence[MeasuredGame], matches: Sequence[Mapping[str, Any]]) -> list[Verdict]:
    """Return a verdict on each finding of the report.

    Args:
        games: the measured games.
        matches: summaries of the matches, each with the names of its ``searches``.
    """
    return [
        same_moves(games),
        fewer_nodes(games),
        fewer_nodes_throughout(games),
        less_time(games),
        less_time_throughout(games),
        mcts_costs_least(games),
        mcts_time_falls(games),
        five_beats_two(matches),
    ]


# --- minimax and alpha-beta ----------------------------------------------------------------------------------------


def same_moves(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether minimax and alpha-beta choose the same moves."""
    positions = _searched(games)
    equal = sum(p.of(MINIMAX).action == p.of(ALPHABETA).action for p in positions)
    finding = UNDECIDED if not positions else REPRODUCED if equal == len(positions) else DIFFERS
    return Verdict(
        key="same-moves",
        claim="Minimax and alpha-beta choose the same moves",
        finding=finding,
        criterion="reproduced if they choose the same move at every position where they search, else differs",
        evidence=f"The same move at {equal:,} of {len(positions):,} positions.",
        remark=(
            "Alpha-beta finds minimax's value whatever is cut off; where several moves share the best value, the order"
            " in which moves are tried, and whether an equal value replaces an earlier one, decide."
            if finding == DIFFERS
            else ""
        ),
        numbers={"equal": equal, "positions": len(positions)},
    )


def fewer_nodes(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether alpha-beta expands fewer nodes than minimax over a game."""
    return _lower_in_games(
        games, "fewer-nodes", "Alpha-beta expands fewer nodes than minimax", _expanded, "as many nodes"
    )


def less_time(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether alpha-beta takes less time than minimax over a game."""
    return _lower_in_games(games, "less-time", "Alpha-beta takes less time than minimax", _cpu_ms, "as much time")


def fewer_nodes_throughout(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether alpha-beta's curve of expanded nodes lies below minimax's throughout."""
    return _lower_throughout(
        games,
        "fewer-nodes-throughout",
        "Alpha-beta's curve of expanded nodes lies below minimax's throughout",
        _expanded,
        "The curves meet where the tree is so narrow that nothing can be left out.",
    )


def less_time_throughout(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether alpha-beta's curve of time lies below minimax's throughout."""
    return _lower_throughout(
        games,
        "less-time-throughout",
        "Alpha-beta's curve of time lies below minimax's throughout",
        _cpu_ms,
        "Where both expand few nodes they take a fraction of a millisecond, most of it for the call and not for the"
        " search; there the order is that of the clock's noise.",
    )


def _lower_in_games(games: Sequence[MeasuredGame], key: str, claim: str, value: Value, what: str) -> Verdict:
    """Compare the totals of whole games on a scale of ratios."""
    ratio = _log_ratio(games, MINIMAX, ALPHABETA, value)
    less = sum(_total(game, ALPHABETA, value) < _total(game, MINIMAX, value) for game in _with_positions(games))
    return Verdict(
        key=key,
        claim=claim,
        finding=_sign(ratio),
        criterion="by the 95 % interval of the mean ratio over games: reproduced if it lies above 1, differs if below",
        evidence=f"Less in {less} of {ratio.count} games; over a game minimax needs {_times(ratio)} {what}.",
        numbers={"games": ratio.count, "games_less": less, "ratio": _ratio_numbers(ratio)},
    )


def _lower_throughout(games: Sequence[MeasuredGame], key: str, claim: str, value: Value, remark: str) -> Verdict:
    """Compare position by position: one that is not below, a tie included, is enough to differ."""
    positions = _searched(games)
    differences = [value(p, ALPHABETA) - value(p, MINIMAX) for p in positions]
    below, equal = sum(d < 0 for d in differences), sum(d == 0 for d in differences)
    above = len(differences) - below - equal
    finding = UNDECIDED if not positions else REPRODUCED if below == len(positions) else DIFFERS
    share = f" ({100 * below / len(positions):.1f} %)" if positions else ""
    return Verdict(
        key=key,
        claim=claim,
        finding=finding,
        criterion="reproduced if it is less at every position where both search, else differs",
        evidence=f"Below at {below:,} of {len(positions):,} positions{share}, equal at {equal:,}, above at {above:,}.",
        remark=remark if finding == DIFFERS else "",
        numbers={
            "below": below,
            "equal": equal,
            "above": above,
            "positions": len(positions),
        },
    )


# --- MCTS ----------------------------------------------------------------------------------------------------------


def mcts_costs_least(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether both MCTS take less time over a game than minimax and than alpha-beta."""
    ratios = {
        (other, mcts): _log_ratio(games, other, mcts, _cpu_ms)
        for mcts in (MCTS2, MCTS5)
        for other in (MINIMAX, ALPHABETA)
    }
    positions = _searched(games)
    cheapest = sum(
        max(_cpu_ms(p, MCTS2), _cpu_ms(p, MCTS5)) < min(_cpu_ms(p, MINIMAX), _cpu_ms(p, ALPHABETA)) for p in positions
    )
    findings = {_sign(ratio) for ratio in ratios.values()}
    texts = [
        f"{LABELS[other]} takes {_times(ratio)} the time of {LABELS[mcts]}" for (other, mcts), ratio in ratios.items()
    ]
    return Verdict(
        key="mcts-costs-least",
        claim="MCTS costs least",
        finding=DIFFERS if DIFFERS in findings else UNDECIDED if UNDECIDED in findings else REPRODUCED,
        criterion="by the 95 % intervals of the mean ratio of processor time over games, each MCTS with each other"
        " search: reproduced if all lie above 1, differs if one lies below",
        evidence=f"Over a game {'; '.join(texts)}. Both MCTS are cheaper than both others at {cheapest:,} of"
        f" {len(positions):,} positions.",
        remark="How the times compare depends on the implementation, and on 4,000 iterations against a depth of 8: here"
        " rules, searches and random games are all compiled to machine code. Where the depth-first searches look 3"
        " plies ahead, or few columns are open, they are the cheaper ones, so the length of a game matters too.",
        numbers={
            "ratios": {f"{other} / {mcts}": _ratio_numbers(ratio) for (other, mcts), ratio in ratios.items()},
            "positions_cheapest": cheapest,
            "positions": len(positions),
        },
    )


def mcts_time_falls(games: Sequence[MeasuredGame]) -> Verdict:
    """Judge whether a decision of MCTS takes less time the later in the game it is."""
    estimates = {mcts: time_slope(games, mcts) for mcts in (MCTS2, MCTS5)}
    below, above = (e.high < 0 for e in estimates.values()), (e.low > 0 for e in estimates.values())
    texts = [
        f"{LABELS[mcts]}: {e.value * 1e3:+.1f} µs a move (95 % {_bounds(e, 1e3)}, {e.count} games)"
        if e.count
        else f"{LABELS[mcts]}: none"
        for mcts, e in estimates.items()
    ]
    return Verdict(
        key="mcts-time-falls",
        claim="The time of MCTS falls as the game goes on",
        finding=REPRODUCED if all(below) else DIFFERS if any(above) else UNDECIDED,
        criterion="by the 95 % interval, over games, of the slope of processor time against the move number:"
        " reproduced if it lies below 0 for both constants, differs if it lies above 0 for one",
        evidence=f"Slopes: {'; '.join(texts)}.",
        numbers={
            mcts: {"slope_ms": finite(e.value), "ci95_ms": [finite(e.low), finite(e.high)], "games": e.count}
            for mcts, e in estimates.items()
        },
    )


def time_slope(games: Sequence[MeasuredGame], search: str) -> Estimate:
    """Return the mean slope of processor time against the move number, in milliseconds a move; each game has one."""
    slopes = [
        slope([float(p.ply) for p in game.searched], [_cpu_ms(p, search) for p in game.searched])
        for game in games
        if len(game.searched) > 1
    ]
    return mean_estimate(slopes)


def five_beats_two(matches: Sequence[Mapping[str, Any]]) -> Verdict:
    """Judge whether C = 5 plays better than C = 2."""
    match = next((m for m in matches if list(m["searches"]) == [MCTS5, MCTS2]), None)
    wins, draws, losses = (match["agents"][0][key] for key in ("wins", "draws", "losses")) if match else (0, 0, 0)
    low, high = wilson_interval(wins, wins + losses)
    share = f"{100 * wins / (wins + losses):.1f} %" if wins + losses else "no share"
    finding = REPRODUCED if low > 0.5 else DIFFERS if high < 0.5 else UNDECIDED
    return Verdict(
        key="five-beats-two",
        claim="C = 5 plays better than C = 2",
        finding=finding,
        criterion="by the 95 % Wilson interval of the share of C = 5 in the games that one of them won: reproduced if"
        " it lies above 50 %, differs if below",
        evidence=f"C = 5 won {wins:,}, drew {draws:,} and lost {losses:,} of {wins + draws + losses:,} games:"
        f" {share} of the decided ones (95 % {100 * low:.1f} to {100 * high:.1f} %).",
        remark=(
            "Here C = 2 is the stronger one. With 4,000 simulations spread evenly over seven moves the exploration term"
            f" C √(ln N / n) is {exploration(5):.2f} for C = 5 and {exploration(2):.2f} for C = 2, against mean rewards"
            " between 0 and 1: with C = 5 the search stays close to trying all moves equally often, in every node of"
            " the tree. The report's agents may differ from ours in what is not written down (whose reward a node"
            " holds, how ties are broken), and its finding may rest on few games."
            if finding == DIFFERS
            else ""
        ),
        numbers={"wins": wins, "draws": draws, "losses": losses, "ci95": [low, high]},
    )


def exploration(c: float, simulations: int = 4000, moves: int = 7) -> float:
    """Return the exploration term of a move at the root when all have been tried equally often."""
    return c * math.sqrt(math.log(simulations) / (simulations / moves))


# --- parts ---------------------------------------------------------------------------------------------------------


def _expanded(position: Position, search: str) -> float:
    return position.of(search).expanded


def _cpu_ms(position: Position, search: str) -> float:
    return position.of(search).cpu_ms


def _searched(games: Sequence[MeasuredGame]) -> list[Position]:
    return [position for game in games for position in game.searched]


def _with_positions(games: Sequence[MeasuredGame]) -> list[MeasuredGame]:
    return [game for game in games if game.searched]


def _total(game: MeasuredGame, search: str, value: Value) -> float:
    return math.fsum(value(position, search) for position in game.searched)


def _log_ratio(games: Sequence[MeasuredGame], over: str, under: str, value: Value) -> Estimate:
    """Return the mean logarithm of the ratio of two searches' totals; each game is one value."""
    return mean_estimate(
        [math.log(_total(game, over, value) / _total(game, under, value)) for game in _with_positions(games)]
    )


def _sign(estimate: Estimate) -> str:
    return REPRODUCED if estimate.low > 0 else DIFFERS if estimate.high < 0 else UNDECIDED


def _times(log_ratio: Estimate) -> str:
    """Return a ratio with its interval, from their logarithms."""
    if not log_ratio.count:
        return "(no game)"
    if log_ratio.count == 1:
        return f"{math.exp(log_ratio.value):.3g} times (one game, no interval)"
    return (
        f"{math.exp(log_ratio.value):.3g} times (95 % {math.exp(log_ratio.low):.3g} to {math.exp(log_ratio.high):.3g})"
    )


def _bounds(estimate: Estimate, scale: float) -> str:
    if estimate.count < 2:
        return "unknown from one game"
    return f"{estimate.low * scale:+.1f} to {estimate.high * scale:+.1f}"


def _ratio_numbers(log_ratio: Estimate) -> dict[str, Any]:
    return {
        "mean": finite(_exp(log_ratio.value)),
        "ci95": [finite(_exp(log_ratio.low)), finite(_exp(log_ratio.high))],
    }


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf
