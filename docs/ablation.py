"""Writes what each technique of search is worth into the pages of docs/searches.

    python docs/ablation.py [RESULTS.json ...]

RESULTS are what ``oponente experiment search-ablation GAME --json`` prints. They are kept in
docs/searches/ablation.json, later ones of a technique in place of earlier ones; without any, the pages are only written
anew. A page shows what it names between ``<!-- ablation: FAMILY; TECHNIQUE; … -->`` and ``<!-- end -->``, or all of a
family in one game with ``<!-- ablation: GAME; FAMILY -->``, or what a family leaves out, and why, with
``<!-- ablation: left out; FAMILY -->``.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from oponente.arena.studies.search_ablation import FAMILIES, LEFT_OUT

PAGES = Path(__file__).parent / "searches"
KEPT = PAGES / "ablation.json"
GAMES = {"connect4": "Connect Four", "catan": "Catan"}
MARKED = re.compile(r"(<!-- ablation: (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)

TECHNIQUES = {family.name: family.techniques for family in FAMILIES}
FIELDS = ("shown", "wins", "draws", "losses", "score", "low", "high", "finding")

Kept = dict[str, Any]
"""By game: ``command``, ``plain`` by family, and ``results`` by family and technique."""


def kept_of(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of the results of a command."""
    return {
        # Where it was written is nobody's concern.
        "command": re.sub(r" --out (\S+|'[^']*')", "", results["command"]),
        "plain": {family["family"]: family["plain"] for family in results["families"]},
        "results": {
            family["family"]: {row["technique"]: {key: row[key] for key in FIELDS} for row in family["techniques"]}
            for family in results["families"]
        },
    }


def merge(kept: Kept, game: str, more: Mapping[str, Any]) -> None:
    """Put results of a game in place of what is kept of the same techniques."""
    here = kept.setdefault(game, {"plain": {}, "results": {}})
    here["command"] = more["command"]
    here["plain"].update(more["plain"])
    for family, rows in more["results"].items():
        here["results"].setdefault(family, {}).update(rows)


def score_text(row: Mapping[str, Any] | None) -> str:
    """Return a score with its interval and what that says."""
    if row is None:
        return "-"
    score, low, high = (100 * row[key] for key in ("score", "low", "high"))
    return f"{score:.1f} % ({low:.1f} to {high:.1f}), {row['finding']}"


def small_table(kept: Kept, family: str, techniques: Iterable[str]) -> str:
    """Return the table of some techniques, the games side by side."""
    lines = [f"| | parameters or agent | {' | '.join(GAMES.values())} |", "| --- | --- |" + " --- |" * len(GAMES)]
    for name in techniques:
        if name not in TECHNIQUES[family]:
            raise SystemExit(f"ablation.py: there is no technique {name!r} in {family!r}")
        rows = [kept.get(game, {}).get("results", {}).get(family, {}).get(name) for game in GAMES]
        known = [row for row in rows if row is not None]
        if not known:  # not measured yet
            continue
        # They differ where they name what a game has of its own, or how much is searched.
        shown = " / ".join(dict.fromkeys(f"`{row['shown']}`" for row in known))
        lines.append(f"| {name} | {shown} | {' | '.join(map(score_text, rows))} |")
    return "\n".join(lines) + "\n"


def large_table(game: Mapping[str, Any], family: str) -> str:
    """Return the table of a family in one game."""
    lines = [
        "| technique | parameters or agent | won | drawn | lost | score, 95 % | finding |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in game["results"].get(family, {}).items():
        score, _, finding = score_text(row).rpartition(", ")
        counts = " | ".join(str(row[key]) for key in ("wins", "draws", "losses"))
        lines.append(f"| {name} | `{row['shown']}` | {counts} | {score} | {finding} |")
    return "\n".join(lines) + "\n"


def left_out(family: str) -> str:
    """Return the table of the parameters that no technique of a family has."""
    reasons: dict[str, list[str]] = {}
    for name, reason in LEFT_OUT[family].items():
        reasons.setdefault(reason, []).append(f"`{name}`")
    lines = ["| parameters | not tried, because |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {', '.join(names)} | {reason} |" for reason, names in reasons.items())]) + "\n"


def filled(text: str, kept: Kept) -> str:
    """Return the text of a page with its tables written anew."""

    def table(found: re.Match[str]) -> str:
        family, *techniques = (part.strip() for part in found[2].split(";"))
        if family == "left out":
            body = left_out(techniques[0])
        elif family in GAMES:
            body = large_table(kept[family], techniques[0])
        else:
            every = {name: None for game in GAMES for name in kept.get(game, {}).get("results", {}).get(family, {})}
            body = small_table(kept, family, techniques or every)
        return f"{found[1]}{body}{found[3]}"

    return MARKED.sub(table, text)


def main(files: Iterable[str]) -> None:
    """Keep the results in some files, and write all pages."""
    kept: Kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    for file in files:
        results = json.loads(Path(file).read_text())
        merge(kept, results["game"], kept_of(results))
    KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(filled(page.read_text(), kept))


if __name__ == "__main__":
    main(sys.argv[1:])
