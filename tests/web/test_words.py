"""What the page says, in Chromium: in words, in Portuguese to the last option, and to those who can't see it."""

import json
import random
import re

import pytest

from oponente.agents.basic import read_answer
from oponente.agents.view import View
from oponente.arena.telling import happened
from oponente.games.catalogue import BUILT_IN, load_game
from oponente.kernel import IllegalActionError, stream
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
        ("vgdl", {"game": "shepherds"}, 30),
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


THINGS = {
    "tictactoe": "|cell|0|5|12",
    "connect4": "|0|4|8|44",
    "vgdl": "|jump|up up",
    "catan": "|4|c4|z9|c4-c5|c4-d9|7|77|10 player 1|7 player 2|7 player 9|wool|cheese|a card|2 wool|2|5 ore 9 wool|"
    "1000 ore|wool ore|wool for ore|4 wool for wool|3 ore for 2 wool|1 wool for 1 ore|20 wool for 1 ore|"
    "1 wool 1 ore for 1 ore|1 ore for nothing|player 1|player 2|player 7|knight",
    "risk": "|Alaska|Sia|Atlantis|North|Alaska > Kamchatka|Alaska > Siam|Siam > China|China > Siam|"
    "Alaska > Peru with 2 dice|Alaska > Alberta with 7 dice|5|0:1|Alaska + Peru + Siam|Alaska + Peru|"
    "wild 1 + wild 2 + Siam|wild 9 + Peru + Siam|9 Siam|hidden",
}
"""What is typed after the first word, sense or nonsense."""
WORDS = {
    "catan": "settlement|city|road|robber|monopoly|discard|bank|offer|counter|confirm|dice|steals|draws|year of plenty|"
    "buy card|knight|accept|reject|withdraw|roll|end|hello|",
    "risk": "claim|place|capital|bonus|attack|move|to|trade|losses|draws|done|hello||9999",
}


def refusals(name, options, plies, seed):
    """Return why moves that are typed in games played at random are refused."""
    state = load_game(name, options).start(seed)
    generator, rng, found = random.Random(seed), stream(seed, "test"), set()
    for _ in range(plies):
        if state.is_chance:
            state.apply_chance(rng)
        if state.is_terminal or state.is_chance:
            continue
        typed = [
            f"{word} {thing}".strip() for word in WORDS.get(name, "").split("|") for thing in THINGS[name].split("|")
        ]
        for text in [*generator.sample(typed, min(6, len(typed))), "it's"]:
            try:
                read_answer(View(state, state.player), text)
            except IllegalActionError as error:
                found.add(" ".join(str(error).split())[:300])
        busy = [action for action in state.legal_actions if not re.match("end|done", state.action_text(action))]
        state.apply(generator.choice(busy if busy and generator.random() < 0.8 else list(state.legal_actions)))
    return sorted(found)


@pytest.mark.parametrize(
    ("name", "options", "plies"),
    [
        ("tictactoe", {}, 9),
        ("connect4", {}, 42),
        ("vgdl", {}, 3),
        ("catan", {"players": "3"}, 120),
        ("risk", {"players": "3"}, 120),
    ],
)
def test_refusals_of_typed_moves_are_told_in_portuguese(page, name, options, plies):
    unknown = page.evaluate(
        """async (texts) => {
          const { REFUSALS } = await import('/static/refusals.js'), { CLAUSES } = await import('/static/phrases.js');
          const known = (part) => [...REFUSALS, ...CLAUSES].some(([pattern]) => pattern.test(part));
          return texts.filter((text) => !text.split('; ').every(known));
        }""",
        refusals(name, options, plies, 4),
    )
    assert unknown == []


def test_what_is_to_be_typed_stays_as_it_is(page):
    said = page.evaluate(
        """async () => {
          const { refused } = await import('/static/words.js');
          (await import('/static/settings.js')).settings.language = 'pt';
          return ["'x' is no move here: write settlement c4 or end", 'place a settlement first: write settlement c4',
            "c4 is too near to player 2's city at c5: the next intersection must be free"].map(refused);
        }"""
    )
    assert said == [
        "'x' não é um lance aqui: escreva settlement c4 ou end",
        "antes disso: coloque um povoado; escreva settlement c4",
        "c4 fica perto demais: a cidade do jogador 2 está em c5, e o cruzamento vizinho deve estar livre",
    ]


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


def test_refusals_of_files_and_records_are_told_in_portuguese(page):
    head = "the file is no JSON file of exported games: "
    texts = [
        f"{head}JSON is malformed: invalid character (byte 0)",
        f"{head}it holds no games that were exported from a database of matches",
        "the file is damaged: Object missing required field `seats` - at `$.matches[...].records[...]`",
        "the file holds no match 7; it holds 1, 2",
        "the file: match 1 has no finished game 3; 2 games are there, counted from 0",
        "game 0 of match 1 can't be played again: game vgdl: its options name files, which are not read for a record",
        "the database holds no match 9999",
        "too many requests at once: try again in a moment",
        "the file has not come within 60 seconds",
        "the speed is not kept: the database: disk full",
        "value does not tell what players can expect; ask a tree search, such as uct:time=5",
    ]
    said = page.evaluate(
        """async (texts) => {
          const { refused } = await import('/static/words.js');
          (await import('/static/settings.js')).settings.language = 'pt';
          return texts.map(refused);
        }""",
        texts,
    )
    assert [text for text in said if re.search(r"\b(the|holds|is|what|ask|speed|game|games)\b", text)] == []
