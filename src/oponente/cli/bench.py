"""``oponente bench``: how fast a game runs on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.arena.benchmark import FIGURES, benchmark, benchmark_options, beside_reference
from oponente.arena.comparison import add_to_history, read_history
from oponente.arena.comparison import compare as compare_figures
from oponente.cli import completion
from oponente.cli.common import (
    check_file,
    game_option,
    interruptible,
    json_option,
    load,
    parse_options,
    print_json,
    seed_option,
    table,
    tell_warnings,
    users_mistakes,
)
from oponente.cli.profile import Parts, check_flame, profiled, sampled
from oponente.games.catalogue import BUILT_IN, GameSpec, load_game
from oponente.kernel import Control, Game

REFERENCE = "arena.benchmark.count_steps"
"""The kernel that measures the machine's own pace, between the figures."""
SHORT = 0.001
"""Seconds of each figure where only the kernels are wanted."""
FOLDER = "single"
"""Where the one-player games lie that the framework's figures are known of."""


@click.command("bench")
@click.argument("game_name", metavar="[GAME]", required=False, shell_complete=completion.games)
@game_option
@click.option("--game-file", metavar="FILE", help="A Python file that holds the game's rules.")
@click.option("--seconds", type=click.FloatRange(0.01, 600), default=2.0, show_default=True, help="Of each figure.")
@seed_option
@click.option("--compare", metavar="FILE", help="Tell what is slower than in an earlier --json output, or a history.")
@click.option(
    "--tolerance", type=click.FloatRange(0.0, 1.0), default=0.15, show_default=True, help="How much slower is too slow."
)
@click.option("--history", metavar="FILE", help="Also append the figures to this file, a line for each game.")
@click.option("--profile", is_flag=True, help="Show where the time goes, in Python and in kernels.")
@click.option("--flame", metavar="FILE", help="Write where the time goes within kernels: .svg, a flame graph; .txt.")
@json_option
def command(
    game_name: str | None,
    options: Sequence[str],
    game_file: str | None,
    seconds: float,
    seed: int,
    compare: str | None,
    tolerance: float,
    history: str | None,
    profile: bool,
    flame: str | None,
    as_json: bool,
) -> None:
    """Measure playouts, UCT simulations and copies a second of GAME (all games if none is named), on one thread.

    A game may say with which options it is measured; those given with --option come first. GAME vgdl measures ticks,
    copies and tree searches of 20 one-player games of the GVGAI framework, beside it; --option games=DIR says where
    they are.

    With --compare, figures are held against the latest ones of the same game and options, as multiples of a loop of
    arithmetic that is measured beside them; the exit status is 1 if any is slower by more than --tolerance.

    With --flame, a picture shows the share of each function in the time of each figure, as far as the compiler has left
    functions apart; FILE.txt has the same as lines, for other programs. It needs Linux on x86-64.
    """
    with users_mistakes():
        earlier = [] if compare is None else read_history(compare)
        if history is not None:
            check_file("--history", Path(history))
        if flame is not None:
            check_flame(flame)
    here = profile or flame is not None
    report: dict[str, Any] | None = None
    with profiled(profile), sampled(flame) as parts:
        if game_name == "vgdl" and game_file is None:
            report = _bench_vgdl(parse_options(options), seconds, seed, parts, here)
            results = list(report["games"].values())
        else:
            names = [game_name] if game_name or game_file else list(BUILT_IN)
            results = _bench(names, options, game_file, seconds, seed, parts, here)
    if history is not None:
        add_to_history(history, results)
    if as_json:
        print_json(report or (results[0] if len(results) == 1 else {"games": results}))
    elif report is not None:
        _print_beside_java(report)
    else:
        _print_figures(results)
    if compare is not None:
        _tell_changes(earlier, results, tolerance)


def _bench(
    names: Sequence[str | None],
    options: Sequence[str],
    file: str | None,
    seconds: float,
    seed: int,
    parts: Parts | None,
    in_this_thread: bool,
) -> list[dict[str, Any]]:
    results = []
    with _progress(len(names) * len(FIGURES)) as bar:
        for name in names:
            _, game = load(name, options, file)
            with users_mistakes():
                chosen = benchmark_options(game, parse_options(options))
                game = load_game(game.name, chosen, file=file)
                measure = partial(benchmark, game, seed=seed)
                results.append(_measure(game.name, measure, seconds, bar, parts, in_this_thread))
    return results


def _bench_vgdl(
    options: dict[str, str], seconds: float, seed: int, parts: Parts | None, in_this_thread: bool
) -> dict[str, Any]:
    from oponente.games.vgdl.speed import FIGURES, JAVA, beside_java, measure

    with users_mistakes():
        games = {name: load_game(f"vgdl:{FOLDER}/{name}", options) for name in JAVA}
    for game in games.values():
        tell_warnings(game)
    # Where the framework's games lie is another place on each machine.
    told = {key: value for key, value in options.items() if key != "games"}

    def figures(game: Game, seconds: float, control: Control, progress: Callable[[str], None]) -> dict[str, Any]:
        return beside_reference(lambda: measure(game, seconds, seed, control, progress), seconds, seed, control)

    measured = {}
    with _progress(len(games) * len(FIGURES)) as bar, users_mistakes():
        for name, game in games.items():
            found = _measure(name, partial(figures, game), seconds, bar, parts, in_this_thread)
            measured[name] = {"game": f"vgdl:{FOLDER}/{name}", "options": told, **found}
    return beside_java(measured)


def _print_beside_java(report: dict[str, Any]) -> None:
    rows = [
        (
            name,
            f"{figures['ticks_per_s']:,.0f}",
            f"{figures['ratio_java']:.1f}",
            f"{figures['copies_per_s']:,.0f}",
            f"{figures['mcts_per_40ms']:,.0f}",
        )
        for name, figures in report["games"].items()
    ]
    click.echo(table(rows, ("game", "ticks/s", "times Java", "copies/s", "MCTS in 40 ms")))
    click.echo(f"Geometric mean {report['geomean_ratio']:.2f} times Java, least {report['min_ratio']:.2f}.")


def _print_figures(results: Sequence[dict[str, Any]]) -> None:
    rows = [
        (
            str(r["game"]),
            " ".join(map("=".join, _spec(r).shown_options.items())) or "as by default",
            f"{r['playouts_per_s']:,.0f}",
            f"{r['actions_per_s']:,.0f}",
            f"{r['mean_length']:.1f}",
            f"{r['uct_simulations_per_s']:,.0f}",
            f"{r['copy_ns']:.1f} ns",
            f"{r['state_bytes']}",
        )
        for r in results
    ]
    header = ("game", "options", "playouts/s", "actions/s", "length", "UCT simulations/s", "copy", "state bytes")
    click.echo(table(rows, header))
    click.echo("One thread, processor seconds, after compilation.")


def _spec(result: dict[str, Any]) -> GameSpec:
    """Return the game that was measured."""
    return GameSpec(str(result["game"]), tuple(result["options"].items()))


def _tell_changes(earlier: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]], tolerance: float) -> None:
    """Print how the figures have changed, on standard error, and end with status 1 if any is too slow."""
    changes = compare_figures(earlier, results)
    if not changes:
        raise click.ClickException("nothing to compare: the same games with the same options were not measured before")
    rows = [
        (
            change.game,
            change.figure,
            f"{change.before:,.4g}",
            f"{change.now:,.4g}",
            f"{change.ratio:.2f}",
            "slower" if change.ratio < 1.0 - tolerance else "",
        )
        for change in changes
    ]
    click.echo("\n" + table(rows, ("game", "figure", "before", "now", "times as fast", ""), keys=2), err=True)
    if any(row[-1] for row in rows):
        sys.exit(1)


def _progress(figures: int) -> Any:
    """Return a bar on a terminal: figures measured."""
    return tqdm(total=figures, unit="figure", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True)


def _measure(
    name: str,
    measure: Callable[..., dict[str, Any]],
    seconds: float,
    bar: Any,
    parts: Parts | None,
    in_this_thread: bool,
) -> dict[str, Any]:
    """Return what ``measure(seconds, control, progress)`` returns of a game, its figures noted in `bar` and `parts`."""
    control = Control()
    bar.set_postfix_str(name)

    def measured(figure: str) -> None:
        if parts is not None:
            parts.end(name, figure, besides=REFERENCE)
        bar.update()

    def work() -> dict[str, Any]:
        if parts is not None:
            # So that all is compiled or loaded.
            measure(seconds=SHORT, control=control, progress=lambda figure: None)
            parts.begin()
        return measure(seconds=seconds, control=control, progress=measured)

    return work() if in_this_thread else interruptible(work, control)
