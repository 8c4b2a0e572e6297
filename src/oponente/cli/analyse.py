"""``oponente analyse``: what an agent thinks of a position, or of a file of positions."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.view import View, course_texts
from oponente.arena.play import close
from oponente.cli import completion
from oponente.cli.common import (
    agent_file_option,
    agents_mistakes,
    check_file,
    game_arguments,
    interruptible,
    json_option,
    load_agent,
    parse_position,
    print_json,
    seed_option,
    table,
    users_mistakes,
)
from oponente.games.catalogue import GameSpec
from oponente.kernel import Game, State, derive_seed, in_one_step
from oponente.search import tree_picture
from oponente.search.analysis import Analysis, TreeShape

CHECKED = {"score": "score_errors", "move_scores": "move_score_errors"}
"""What a file of solved positions holds that an exact agent also finds, and under which name errors are counted."""


@click.command("analyse")
@game_arguments
@click.argument("position", required=False)
@click.option("--positions", "file", metavar="FILE", help="A JSON file of positions: docs/positions.md.")
@click.option(
    "--agent",
    "agent_spec",
    default="uct:time=1",
    show_default=True,
    metavar="SPEC",
    help="Who analyses.",
    shell_complete=completion.agents,
)
@click.option("--tree", "tree_file", metavar="FILE", help="Write a picture (SVG) of the top of the search tree.")
@click.option("--tree-depth", type=click.IntRange(1, 12), default=3, show_default=True, help="Its plies.")
@click.option("--tree-width", type=click.IntRange(1, 50), default=4, show_default=True, help="Its branches a position.")
@agent_file_option
@seed_option
@json_option
def command(
    game: Game,
    game_spec: GameSpec,
    position: str | None,
    file: str | None,
    agent_spec: str,
    tree_file: str | None,
    tree_depth: int,
    tree_width: int,
    agent_files: Sequence[str],
    seed: int,
    as_json: bool,
) -> None:
    """Ask an agent what it thinks of POSITION (the moves from the start; "" is the start), or of all in a file.

    What varies from start to start, as the board of Catan, is decided by --seed, as in `oponente play`.
    """
    if (position is None) == (file is None):
        raise click.UsageError('give a POSITION ("" is the start), or --positions FILE')
    if tree_file is not None and file is not None:
        raise click.UsageError("--tree shows the tree of one POSITION, not of --positions")
    if tree_file is not None:
        with users_mistakes():
            check_file("--tree", Path(tree_file))
    state = None
    if position is not None:  # before the agent, which takes longer
        state = parse_position(game, position, seed)
        if reason := _nothing_due(state):
            raise click.ClickException(f"there is nothing to analyse: {reason}")
    agent = load_agent(agent_spec, game, agent_files)
    if not isinstance(agent, SearchAgent):
        raise click.UsageError(f"{agent.spec} can't explain itself; ask a search, such as uct:time=1")
    try:
        if file is not None:
            report = _analyse_file(agent, game, Path(file), seed)
            if as_json:
                print_json(report)
            else:
                _print_report(report)
            return
        assert state is not None
        if tree_file is not None or as_json:
            agent.tree_shape = TreeShape(tree_depth, tree_width)
        analysis = _analyse(agent, state, seed)
        if tree_file is not None:
            _draw_tree(state, agent, analysis, Path(tree_file))
        if as_json:
            print_json(_as_json(state, agent, analysis, position or "", seed))
        else:
            click.echo(_as_text(state, agent, analysis))
    finally:
        close(agent)


def _nothing_due(state: State) -> str:
    """Return why no player is to move; empty if one is."""
    return "" if state.player >= 0 else "the game is over" if state.is_terminal else "a chance event is due"


def _analyse(agent: SearchAgent, state: State, seed: int) -> Analysis:
    budget = Budget()
    view = View(state, state.player, derive_seed(seed, "analyse"))
    with agents_mistakes(agent):
        agent.begin_game(state.game, state.player)  # what it thinks must not depend on the positions before
        return interruptible(lambda: agent.analyse(view, budget), budget.control)


def _draw_tree(state: State, agent: SearchAgent, analysis: Analysis, path: Path) -> None:
    if analysis.tree is None:
        raise click.ClickException(f"{agent.spec} shows no tree")
    title = f"{agent.spec} on {state.game.name}: {state.action_text(analysis.action)}"
    _write(path, tree_picture.svg(analysis.tree, title) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        with in_one_step(path) as part:
            part.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{path} can't be written: {error.strerror}") from error


# --- one position --------------------------------------------------------------------------------------------------


def _as_json(state: State, agent: Agent, analysis: Analysis, position: str, seed: int) -> dict[str, Any]:
    return {
        "game": state.game.name,
        "options": state.game.changed_options,
        "position": position,
        "seed": seed,
        "agent": agent.spec,
        "player": state.player,
        "action": state.action_text(analysis.action),
        "values": list(analysis.values),
        "moves": [
            {"action": state.action_text(m.action), "value": m.value, "visits": m.visits, "prior": m.prior}
            for m in analysis.moves
        ],
        "principal_variation": course_texts(state, analysis.principal_variation),
        "nodes": analysis.nodes,
        "depth": analysis.depth,
        "seconds": analysis.seconds,
        "tree": None if analysis.tree is None else asdict(analysis.tree),
    }


def _as_text(state: State, agent: Agent, analysis: Analysis) -> str:
    rows = [
        (
            state.action_text(move.action),
            "" if move.value is None else f"{move.value:.4g}",
            f"{move.visits:,}" if move.visits else "",
            "*" if move.action == analysis.action else "",
        )
        for move in analysis.moves
    ]
    values = ", ".join(f"player {p + 1}: {value:.4g}" for p, value in enumerate(analysis.values)) or "none"
    speed = f", {analysis.nodes / analysis.seconds:,.0f}/s" if analysis.seconds > 0 else ""
    return "\n".join(
        [
            View(state, state.player).text(),
            "",
            f"{agent.spec} plays {state.action_text(analysis.action)}",
            f"values: {values}",
            f"principal variation: {' '.join(course_texts(state, analysis.principal_variation))}",
            f"{analysis.nodes:,} nodes, depth {analysis.depth}, {analysis.seconds:.3f} s{speed}",
            "",
            table(rows, ("move", "value", "visits", "chosen")),
        ]
    )


# --- a file of positions -------------------------------------------------------------------------------------------


def _analyse_file(agent: SearchAgent, game: Game, path: Path, seed: int) -> dict[str, Any]:
    entries = list(_read_positions(path))
    states = [_position(game, path, number, entry, seed) for number, entry in enumerate(entries, 1)]
    results: list[dict[str, Any]] = []
    errors = {name: 0 for key, name in CHECKED.items() if entries and all(key in entry for entry in entries)}
    nodes, seconds = 0, 0.0
    bar = tqdm(zip(entries, states, strict=True), total=len(entries), unit="position", disable=not sys.stderr.isatty())
    for entry, state in bar:
        begin = time.perf_counter()
        analysis = _analyse(agent, state, seed)
        seconds += time.perf_counter() - begin
        nodes += analysis.nodes
        with agents_mistakes(agent):
            found = agent.findings(View(state, state.player), analysis)
        results.append({key: entry[key] for key in ("moves", "seed") if key in entry} | found)
        for key, name in CHECKED.items():
            if key not in found:
                errors.pop(name, None)
            elif name in errors:
                errors[name] += found[key] != entry[key]
    return {
        "positions": len(entries),
        **errors,
        "mean_ms": 1000 * seconds / max(len(entries), 1),
        "nodes_per_s": nodes / seconds if seconds else 0.0,
        "results": results,
    }


def _read_positions(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entries of a positions file: ``{"positions": [{"moves": "...", "seed": 1, ...}, ...]}``."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise click.ClickException(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise click.ClickException(f"{path} is no JSON file: {error}") from error
    entries = content.get("positions") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        raise click.ClickException(f'{path} holds no list "positions"')
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not isinstance(entry.get("moves"), str):
            raise click.ClickException(f'{path}: position {number} has no text "moves"')
        seed = entry.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
            raise click.ClickException(f'{path}: position {number}: "seed" is no whole number from 0 to 2^63 - 1')
        yield entry


def _position(game: Game, path: Path, number: int, entry: dict[str, Any], seed: int) -> State:
    """Return a position of a file, where a player is to move, from the start of its seed; if it has none, of `seed`."""
    try:
        state = game.position(entry["moves"], entry.get("seed", seed))
    except ValueError as error:
        raise click.ClickException(f"{path}: position {number}: {error}") from error
    if reason := _nothing_due(state):
        raise click.ClickException(f"{path}: position {number}: {reason}")
    return state


def _print_report(report: dict[str, Any]) -> None:
    for result in report["results"]:
        found = "  ".join(f"{key}={json.dumps(value)}" for key, value in result.items() if key != "moves")
        click.echo(f"{result['moves']}  {found}")
    for name in CHECKED.values():
        if name in report:
            click.echo(f"{name.replace('_', ' ')}: {report[name]}")
    click.echo(
        f"{report['positions']} positions, {report['mean_ms']:.3f} ms each, {report['nodes_per_s']:,.0f} nodes/s"
    )
