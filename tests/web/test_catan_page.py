"""Catan on the page, in Chromium."""

import contextlib
import json
import random

import pytest
from websockets.sync.client import connect

from web.browsing import PHONE, begin, go
from web.persons import Person, catan_turn


def test_a_whole_game_of_catan(server, open_page):
    seats = [{}, *[{"agent": "simple"}] * 3]
    tokens = begin(server, game="catan", seats=seats, options={"points": "4"}, seed=5)
    page = open_page()
    go(page, server, tokens[0], ".hit.node")
    person = Person(page)
    person.play(catan_turn, 150)
    assert page.locator("dialog .outcome").inner_text() in ("You have won!", "You have lost.")
    assert {"place", "road", "roll", "end", "get"} <= set(person.done)


@pytest.mark.long
def test_a_whole_game_of_catan_by_the_book(server, open_page):
    seats = [{}, *[{"agent": "simple"}] * 3]
    tokens = begin(server, game="catan", seats=seats, seed=8)
    page = open_page()
    go(page, server, tokens[0], ".hit.node")
    person = Person(page, 2)
    person.play(catan_turn, 500)
    assert {"roll", "end", "robber", "submit", "get"} <= set(person.done)


def test_a_trade_of_catan_by_dialogue(server, open_page):
    tokens = begin(server, game="catan", seats=[{}, {"agent": "random"}], options={"players": "2"}, seed=1)
    page = open_page()
    go(page, server, tokens[0], ".hit.node")
    person = Person(page)
    for _ in range(300):
        if page.locator("[data-open=trade]").is_visible():
            break
        if page.locator("section.actions").is_visible():
            catan_turn(person)
        page.wait_for_timeout(30)
    page.click("[data-open=trade]")
    assert page.locator("dialog button.primary").is_disabled()
    give, want = page.locator("dialog .chooser").nth(0), page.locator("dialog .chooser").nth(1)
    give.locator("button[aria-label^='+']:enabled").first.click()
    given = give.locator("output:text('1')").locator("xpath=..").get_attribute("data-resource")
    same = want.locator(f"[data-resource={given}] button[aria-label^='+']")
    assert same.is_disabled()  # nothing stands on both sides
    want.locator("button[aria-label^='+']:enabled").first.click()
    page.click("dialog button.primary")
    page.wait_for_function("given => document.querySelector('.log').innerText.includes(`offers 1 ${given}`)", arg=given)


def test_a_finger_that_misses_means_the_nearest_place(server, open_page):
    tokens = begin(server, game="catan", seats=[{}, {"agent": "random"}], options={"players": "2"}, seed=1)
    page = open_page(**PHONE)
    go(page, server, tokens[0], ".hit.node")
    box = page.locator(".hit[data-place='node a4']").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 8)  # on the sea
    page.wait_for_selector(".log li >> text=builds a settlement at a4")


LEGIBLE = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((value) => {
      const share = value / 255;
      return share <= 0.04 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll('.board-beside [data-player]')].map((panel) => {
    const paper = light(getComputedStyle(panel.querySelector('rect')).fill);
    const ink = light(getComputedStyle(panel.querySelector(':scope > text:last-of-type')).fill);
    return [paper, (Math.max(paper, ink) + 0.05) / (Math.min(paper, ink) + 0.05)];
  });
}"""
WIDER = """() => [...document.querySelectorAll('[data-harbour]')].filter((one) =>
  one.querySelector('text').getBBox().width > one.querySelector('rect').getBBox().width).length"""
BANK = """() => {
  const bank = document.querySelector('.board-beside [data-bank]');
  return bank.querySelector('[data-card]').getBBox().x - bank.querySelector('text').getBBox().width - 12;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_panels_can_be_read_in_light_and_dark_and_hold_portuguese(server, open_page, scheme):
    tokens = begin(server, game="catan", seats=[{}, {"agent": "random"}], options={"players": "2"}, seed=1)
    page = open_page(locale="pt-BR", color_scheme=scheme)
    go(page, server, tokens[0], ".hit.node")
    found = page.evaluate(LEGIBLE)
    assert len(found) == 2
    assert all((paper > 0.5) == (scheme == "light") and contrast >= 4.5 for paper, contrast in found)
    assert page.evaluate(WIDER) == 0
    assert page.evaluate(BANK) > 0


def advance(server, tokens, word):
    """Play a game of two persons through its sockets until one can do what a word says; return who."""
    generator = random.Random(1)
    with contextlib.ExitStack() as stack:
        sockets = [
            stack.enter_context(connect(f"ws://{server.host}/room/{token}", origin=server.url.rstrip("/")))
            for token in tokens[:2]
        ]
        ply = -1
        while True:
            for seat, socket in enumerate(sockets):
                message = {"last": -1}
                while message["last"] <= ply or message["player"] < 0:
                    message = {"last": -1, **json.loads(socket.recv(timeout=60))}
                if message["legal"]:
                    mover, legal = seat, message["legal"]
            if any(choice["text"] == word for choice in legal):
                return mover
            ply = message["last"]
            action = generator.choice(legal)["action"]
            sockets[mover].send(json.dumps({"type": "act", "ply": ply, "action": action}))


def test_two_browsers_share_a_game_and_no_cards(server, open_page):
    tokens = begin(server, game="catan", seats=[{}, {}], options={"players": "2", "trade": "false"}, seed=5)
    buyer = advance(server, tokens, "buy card")
    pages, frames = [], ([], [])
    for number in (0, 1):
        page = open_page()
        page.on("websocket", lambda ws, n=number: ws.on("framereceived", lambda data, n=n: frames[n].append(str(data))))
        go(page, server, tokens[number])
        pages.append(page)
    pages[buyer].click("[data-action='buy card']")
    for page in pages:
        page.wait_for_selector(f".log li:has-text('player {buyer + 1} draws')")
    pages[0].wait_for_timeout(200)
    drawn = f"player {buyer + 1} draws "
    assert any(drawn in frame and f"{drawn}a card" not in frame for frame in frames[buyer])
    assert any(f"{drawn}a card" in frame for frame in frames[1 - buyer])
    assert not any(drawn in frame.replace(f"{drawn}a card", "") for frame in frames[1 - buyer])
    # The other one's link, without its token, opens nothing; a third one sees nothing.
    third = open_page(f"{server.url}#/room/{tokens[2]}")
    third.wait_for_selector("text=Cards are hidden")
    assert third.locator("svg[role=img]").count() == 0
    stranger = open_page(f"{server.url}#/room/{tokens[buyer][:-2]}xx")
    stranger.wait_for_selector("text=There is no such game")
