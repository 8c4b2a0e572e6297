"""The pages of the searches: every parameter that they name exists, every agent has a page, every page is listed."""

import re
from pathlib import Path

import pytest

from oponente import load_game
from oponente.games.catalogue import agent_classes

PAGES = Path(__file__).parents[1] / "docs" / "searches"
OTHERS = {"README", "ablation", "depth-first", "evaluation"}
"""Pages that are not about one algorithm."""
DEPTH_FIRST = {"minimax", "alphabeta", "paranoid", "expectiminimax", "maxn", "best-reply"}
AGENTS = {*DEPTH_FIRST, "one-step", "flat-mc", "uct", "rhea", "random-search"}


@pytest.fixture(scope="module")
def parameters():
    """Return the names of all parameters by agent."""
    return {
        agent.name: set(agent.Parameters.__dataclass_fields__)
        for name in ("connect4", "catan", "risk")
        for agent in agent_classes(load_game(name))
    }


@pytest.mark.parametrize("page", sorted(page.stem for page in PAGES.glob("*.md") if page.stem not in OTHERS))
def test_a_page_says_all_that_it_has_to(page, parameters):
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    for heading in ("**Parameters**", "**Source", "**When it helps here**"):
        assert heading in text, heading
    known = parameters[page] if page in AGENTS else parameters["mcts"]
    if page in DEPTH_FIRST:  # they say what they share, and what the same idea is in tree search
        known = known | parameters["alphabeta"] | {"backup"}
    (paragraph,) = re.findall(r"\*\*Parameters\*\*(.*?)(?:\n\n(?!-)|\Z)", text, re.DOTALL)
    named = set(re.findall(r"`([a-z_]+)(?:=[^`]*)?`", paragraph))
    values = {"listed", "history", "evaluation"} if page == "alphabeta" else set()
    assert named, paragraph
    assert named - values <= known, named - known
    assert f"({page}.md)" in (PAGES / "README.md").read_text(encoding="utf-8")


def test_every_search_has_a_page(parameters):
    assert set(parameters) >= AGENTS
    for name in AGENTS:
        assert (PAGES / f"{name}.md").exists(), name


def test_every_technique_of_tree_search_is_on_a_page(parameters):
    everything = "\n".join(page.read_text(encoding="utf-8") for page in PAGES.glob("*.md"))
    for name in parameters["mcts"]:
        assert re.search(rf"`{name}[`=]", everything), name
