"""The page in Chromium, as people use it."""

import contextlib
import json
import random
import re

import pytest
from websockets.sync.client import connect

from web.persons import Person, catan_turn, risk_turn
from web.test_load import post

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def go(page, server, token, wait=".board-frame svg"):
    """Open the room of a token."""
    page.goto(f"{server.url}#/room/{token}")
    page.wait_for_selector(wait, timeout=180_000)


def begin(server, **content):
    """Begin a game and return the tokens of the seats, and of those who watch."""
    begun = post(server, "api/play", {"pace": 0, **content})
    return [*begun["seats"], begun["watch"]]


def test_connect_four_is_won_from_the_form_on(server, open_page):
    page = open_page(server.url)
    page.click("[data-game=connect4]")
    page.wait_for_selector("#kind-1")
    page.select_option("#kind-1", "agent")
    page.locator(".agent-chooser > select").nth(1).select_option("random")
    page.click("text=Options of the game")
    page.fill("#seed", "5")
    page.fill("#pace", "0")
    page.click("#start")
    person = Person(page)

    def turn(_):
        # Four above each other, unless that column is blocked: then the next one.
        columns = page.locator("[data-column].target")
        return person._click("column", columns.first)

    page.wait_for_selector("[data-column].target", timeout=120_000)
    person.play(turn, 60)
    assert page.locator("dialog .outcome").inner_text() == "You have won!"
    page.click("dialog >> text=Close")
    assert page.locator(".log li").count() == len(page.locator(".log").inner_text().split()) // 2
    page.click("text=Play on from here")
    page.click("dialog >> text=Start")
    page.wait_for_selector(".status >> text=over", state="detached")


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
    assert {"submit", "robber", "victim", "buy", "trade", "get"} <= set(person.done)


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
    page.wait_for_function("given => document.querySelector('.log').innerText.includes(`offer 1 ${given}`)", arg=given)


def test_a_turn_of_risk(server, open_page):
    options = {"players": "2", "setup": "dealt"}
    tokens = begin(server, game="risk", seats=[{}, {"agent": "random"}], options=options, seed=3)
    page = open_page()
    go(page, server, tokens[0], ".hit.territory")
    person = Person(page)
    attacked = False
    for _ in range(400):
        log = page.locator(".log").inner_text()
        if attacked and "begins turn 2" in log:
            break
        if not page.locator("section.actions").is_visible():
            page.wait_for_timeout(20)
            continue
        if "attack" in page.locator(".status").inner_text() and not attacked:
            page.locator(".hit.territory").first.click()
            page.wait_for_selector(".chosen")
            assert re.search(r"\d+%", page.locator(".action-list").inner_text())  # the odds
            page.locator(".hit.territory").first.click()
            attacked = True
        elif attacked and page.locator("[data-action=done]").is_visible():
            page.click("[data-action=done]")
        else:
            risk_turn(person)
        page.wait_for_timeout(20)
    log = page.locator(".log").inner_text()
    assert "loses" in log
    assert "begins turn 2" in log


def test_a_level_of_a_video_game(server, open_page):
    tokens = begin(server, game="vgdl", seats=[{}], options={"game": "foxhunt", "ticks": "60"}, pace=0.05, paused=True)
    page = open_page()
    go(page, server, tokens[0], ".begin")
    before = page.locator(".board-frame svg").inner_html()
    page.click(".begin")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.down(key)
        page.wait_for_timeout(250)
        page.keyboard.up(key)
    page.click("text=Pause")
    page.wait_for_selector(".status >> text=Paused")
    ply = int(page.locator("output.ply").inner_text().split()[-1])
    assert page.locator(".board-frame svg").inner_html() != before
    page.click("text=Step")
    page.wait_for_function("ply => document.querySelector('output.ply').textContent.endsWith(`/ ${ply + 1}`)", arg=ply)
    page.click("text=Go on")
    page.wait_for_selector("dialog .outcome", timeout=60_000)


def test_fingers_steer_on_a_phone(server, open_page):
    tokens = begin(server, game="vgdl", seats=[{}], options={"game": "foxhunt", "ticks": "500"}, pace=0.05, paused=True)
    page = open_page(**PHONE)
    go(page, server, tokens[0], ".begin")
    page.tap(".begin")
    avatar = "() => document.querySelector('.board-frame svg').innerHTML"
    page.wait_for_selector("output.ply:has-text('3')")
    page.tap("text=Pause")
    page.wait_for_selector(".status >> text=Paused")
    first = page.evaluate(avatar)
    page.locator(".pad.right").dispatch_event("pointerdown", {"pointerId": 1})
    page.tap("text=Step")
    page.wait_for_function("first => document.querySelector('.board-frame svg').innerHTML !== first", arg=first)
    page.locator(".pad.right").dispatch_event("pointerup", {"pointerId": 1})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


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


def test_a_replay_with_an_analysis(server, open_page):
    watch = begin(server, game="connect4", seats=[{"agent": "random"}, {"agent": "uct:50"}], seed=2)[-1]
    page = open_page()
    go(page, server, watch)
    page.wait_for_selector("text=Play on from here", timeout=60_000)
    page.goto(f"{server.url}#/records")
    page.locator("tr:has-text('uct') >> text=Show").first.click()
    page.wait_for_selector("output.ply:has-text('0 /')")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("output.ply:has-text('1 /')")
    page.click("[aria-label='Last position']")
    last = int(page.locator("output.ply").inner_text().split()[-1])
    page.wait_for_selector(f"output.ply:has-text('{last} / {last}')")
    page.click("[aria-label='Back']")
    page.locator(".analysis button").click()
    page.wait_for_selector(".bars", timeout=60_000)
    page.wait_for_selector(".ghost")
    assert page.locator(".findings tr.best").count() == 1
    page.locator(".analysis button").click()
    page.click("text=Find key moments")
    page.wait_for_selector(".curve svg")
    page.wait_for_selector(".moment >> nth=0", timeout=60_000)
    page.click("text=Link to this position")
    page.wait_for_url(f"**/{last - 1}")
    again = open_page(page.url)
    again.wait_for_selector(f"output.ply:has-text('{last - 1} / {last}')")


def test_what_if(server, open_page):
    tokens = begin(server, game="connect4", seats=[{}, {"agent": "random"}], seed=2)
    page = open_page()
    go(page, server, tokens[0], "[role=button][data-column]")
    for ply in (2, 4, 6):
        page.locator("[role=button][data-column='4']").click()
        page.wait_for_selector(f"output.ply:has-text('{ply} / {ply}')")
    page.click("text=Hint")
    page.wait_for_selector(".ghost", timeout=60_000)
    page.locator(".timeline input").focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.wait_for_selector("output.ply:has-text('2 / 6')")
    page.click("text=Take back to here")
    page.wait_for_selector("output.ply:has-text('2 / 2')")
    page.locator("[role=button][data-column='1']").click()
    page.wait_for_selector("output.ply:has-text('4 / 4')")
    assert page.locator(".log li").count() == 4


def test_portuguese_dark_and_by_keyboard(server, open_page):
    tokens = begin(server, game="tictactoe", seats=[{}, {"agent": "random"}], seed=2)
    page = open_page(locale="pt-BR", color_scheme="dark")
    go(page, server, tokens[0], "[role=button][data-cell]")
    assert "Sua vez" in page.locator(".status").inner_text()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(14, 19, 26)"
    page.locator("[role=button][data-cell='5']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".log li >> nth=1")
    page.click("#tools button >> nth=0")
    page.wait_for_selector(".status >> text=Your turn")
    page.click("#tools button >> nth=1")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(243, 245, 249)"


@pytest.mark.parametrize("path", ["", "records", "tournament"])
def test_everything_has_a_name_and_fits_a_phone(server, open_page, path):
    page = open_page(f"{server.url}#/{path}", **PHONE)
    page.wait_for_selector("h1")
    page.wait_for_timeout(300)
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, a, input, select, textarea, [role=button]')]
          .filter((one) => !one.textContent.trim() && !one.getAttribute('aria-label') && !one.labels?.length)
          .map((one) => one.outerHTML)"""
    )
    assert unnamed == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_tournament_is_watched(server, open_page):
    page = open_page(f"{server.url}#/tournament")
    page.fill("#entrants", "random\nuct:50")
    page.fill("#blocks", "2")
    page.click("text=Start")
    page.wait_for_selector("text=Finished: 4 of 4 games", timeout=60_000)
    assert page.locator("tbody tr").count() == 2


def test_no_request_leaves_the_machine(server, open_page):
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    page.wait_for_selector("#start", timeout=60_000)
    assert asked
    assert all(url.startswith(server.url) for url in asked), json.dumps(asked)
