"""What the page says, in Chromium: in words, in Portuguese to the last option, and to those who can't see it."""

import json
import random
import re

import pytest

from oponente.arena.telling import happened
from oponente.games.catalogue import BUILT_IN, load_game
from oponente.kernel import stream
from oponente.web.forms import Menu
from oponente.web.line import asked, choices, lines
from web.browsing import begin, go

ENGLISH = re.compile(
    r"\b(the|of|and|with|from|for|left|player|turn|army|armies|cards?|places?|moves|rolls?|builds?|buys?|gets?|gives?|"
    r"offers?|attacks?|loses|territor\w+|city|cities|settlements?|roads?|knights?|robber|lumber|brick|wool|grain|ore|"
    r"points?|income|dice|score|tick|has|must|nobody|draws?|steals?|discards?|ends?|done|trade|begins)\b",
    re.IGNORECASE,
)
NOTATION = re.compile(r"(roll|end|knight|accept|reject|withdraw|done|\d+|[a-z]+ [a-f]\d+(-[a-f]\d+)?)")
SAY = """async ([language, texts]) => {
  const words = await import('/static/words.js');
  (await import('/static/settings.js')).settings.language = language;
  return texts.map(([text, game]) => (game ? words.happened(text, game) : words.words(text)));
}"""


def told(name, options, plies, seed):
    """Return what the page is sent in words of a game played at random: pairs of a text, and the game of a log line."""
    state = load_game(name, options).start(seed)
    generator, rng, found = random.Random(seed), stream(seed, "test"), set()
    for ply in range(plies):
        if state.is_terminal:
            break
        seat = generator.randrange(state.game.num_players)
        if ply % 10 == 0:
            found |= {(text, "") for _, text in lines(state, seat)}
            found |= {(text, "") for text in re.findall(r"<(?:text|title)[^>]*>([^<]+)<", state.svg(seat))}
        before = state.copy()
        if state.is_chance:
            state.apply_chance(rng)
        else:
            legal = choices(state, list(state.legal_actions)[:40])
            found |= {(text, "") for one in legal for text in (one["text"], one["note"])} | {(asked(state), "")}
            busy = [one["action"] for one in legal if not re.match("end|done|roll", one["text"])]
            state.apply(generator.choice(busy if busy and generator.random() < 0.6 else list(state.legal_actions)))
        found.add((happened(before, state.history[-1], state, (seat,)) or "acts unseen", name))
    return sorted(pair for pair in found if pair[0])


@pytest.fixture(scope="module")
def page(server, browser):
    """A page for all tests that ask its modules."""
    context = browser.new_context()
    opened = context.new_page()
    opened.goto(f"{server.url}#/records")
    yield opened
    context.close()


@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [
        ("tictactoe", {}, 9),
        ("connect4", {}, 42),
        ("catan", {"players": "3"}, 400),
        ("risk", {"players": "3", "rules": "war-grow"}, 350),
    ],
)
def test_games_speak_portuguese_and_the_log_is_in_words(page, name, options, plies):
    texts = told(name, options, plies, 4)
    portuguese = page.evaluate(SAY, ["pt", texts])
    assert [(text, said) for (text, _), said in zip(texts, portuguese, strict=True) if ENGLISH.search(said)] == []
    log = [pair for pair in texts if pair[1]]
    english = page.evaluate(SAY, ["en", log])
    assert [said for said in english if NOTATION.fullmatch(said.split("; ")[0])] == []
    others = [pair for pair in texts if not pair[1]]
    assert page.evaluate(SAY, ["en", others]) == [text for text, _ in others]


def test_all_options_and_parameters_have_portuguese_texts(page):
    labels, meanings, menu = set(), set(BUILT_IN.values()), Menu()
    for name in BUILT_IN:
        described = menu.describe(menu.chosen_game(name, {}))
        agents = described["agents"]
        fields = [*described["options"], *(field for agent in agents for field in agent["parameters"])]
        labels |= {field["name"] for field in fields}
        meanings |= {field["meaning"] for field in fields} | {agent["about"] for agent in agents}
    there = page.evaluate(
        "async () => { const { LABELS, MEANINGS } = await import('/static/portuguese.js');"
        " return [Object.keys(LABELS), Object.keys(MEANINGS)]; }"
    )
    assert [labels - set(there[0]), meanings - set(there[1])] == [set(), set()]


def test_every_text_is_there_in_both_languages_with_the_same_gaps(page):
    texts = page.evaluate("async () => (await import('/static/texts.js')).TEXTS")
    assert len(texts) > 100
    for key, pair in texts.items():
        assert len(pair) == 2, key
        assert sorted(re.findall(r"{\w+}", pair[0])) == sorted(re.findall(r"{\w+}", pair[1])), key


def test_moves_may_be_typed_with_portuguese_names(page):
    typed = ["place 3 África do Sul", "attack alasca > kamchatka", "place Alaska"]
    found = page.evaluate(
        """async (typed) => {
          const { notation } = await import('/static/words.js');
          (await import('/static/settings.js')).settings.language = 'pt';
          return typed.map(notation);
        }""",
        typed,
    )
    assert found == ["place 3 South Africa", "attack Alaska > kamchatka", "place Alaska"]


def tree(page):
    """Return what a screen reader is given: role and name of each element."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if not node.get("ignored") and "role" in node
    ]


SPOKEN = {"button", "link", "textbox", "combobox", "slider", "checkbox", "spinbutton", "dialog", "img", "region"}
"""Roles that say nothing without a name."""


@pytest.mark.parametrize("game", ["connect4", "catan"])
def test_a_screen_reader_is_told_everything(server, open_page, game):
    options = {"catan": {"players": "2"}}.get(game, {})
    tokens = begin(server, game=game, seats=[{}, {"agent": "random"}], options=options, seed=3)
    page = open_page()
    go(page, server, tokens[0], ".target[role=button], .hit")
    spoken = tree(page)
    assert [pair for pair in spoken if pair[0] in SPOKEN and not pair[1].strip()] == []
    names = {name for role, name in spoken if role == "button"}
    wanted = {"connect4": r"column 4", "catan": r"settlement c5"}[game]
    assert any(re.fullmatch(wanted, name) for name in names)
    assert ("heading", "Analysis") in spoken
    assert any(role == "status" and page.locator(".status").inner_text() for role, _ in spoken)
    # Everything that can be clicked on can be reached with the keyboard.
    assert page.evaluate("() => [...document.querySelectorAll('.hit')].every((one) => one.tabIndex === 0)")


def test_the_form_is_read_out(server, open_page):
    page = open_page(server.url)
    page.wait_for_selector("#start", timeout=60_000)
    page.click("text=Options of the game")
    assert [pair for pair in tree(page) if pair[0] in SPOKEN and not pair[1].strip()] == []
    assert json.dumps(tree(page)).count("Seat 2") >= 1
