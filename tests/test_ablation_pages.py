"""The tables of what each technique of search is worth are those of the results that are kept."""

import importlib.util
import json
from pathlib import Path

import pytest

from oponente.arena.studies.search_ablation import FAMILIES

DOCS = Path(__file__).parents[1] / "docs"
spec = importlib.util.spec_from_file_location("ablation", DOCS / "ablation.py")
assert spec is not None
assert spec.loader is not None
ablation = importlib.util.module_from_spec(spec)
spec.loader.exec_module(ablation)
PAGES = sorted((DOCS / "searches").glob("*.md"))
KEPT = json.loads((DOCS / "searches" / "ablation.json").read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tables_are_those_of_the_kept_results(page):
    assert ablation.filled(page.read_text(), KEPT) == page.read_text()


def test_every_technique_has_a_page():
    shown = "".join(page.read_text() for page in PAGES if page.stem != "ablation")
    for family in FAMILIES:
        marks = [marked[2].split("; ") for marked in ablation.MARKED.finditer(shown)]
        named = {name for mark in marks if mark[0] == family.name for name in mark[1:]}
        assert named == set(family.techniques), family.name


def test_later_results_take_the_place_of_earlier_ones():
    def results(**scores):
        rows = [
            {"technique": name, "shown": name, "wins": 1, "draws": 0, "losses": 1, "score": value, "low": 0.0,
             "high": 1.0, "finding": "undecided"} for name, value in scores.items()
        ]  # fmt: skip
        return {"command": "c", "families": [{"family": "F", "plain": "p", "techniques": rows}]}

    kept = {}
    ablation.merge(kept, "catan", ablation.kept_of(results(a=0.5, b=0.25)))
    ablation.merge(kept, "catan", ablation.kept_of(results(b=0.75)))
    found = kept["catan"]["results"]["F"]
    assert {name: row["score"] for name, row in found.items()} == {"a": 0.5, "b": 0.75}
