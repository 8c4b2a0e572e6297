"""Video games on the page, in Chromium, and what the game tells it."""

import time

from oponente import load_game
from web.browsing import PHONE, begin, go

LASTING = {"game": "vgdl", "seats": [{}], "seed": 1, "pace": 0.05, "paused": True}
"""With this seed foxhunt lasts to the limit, even if the fox stands still; with others it may be over at once."""


def test_a_level_of_a_video_game(server, open_page):
    tokens = begin(server, options={"game": "foxhunt", "ticks": "240"}, **LASTING)
    page = open_page()
    go(page, server, tokens[0], ".begin")
    before = page.locator(".board-frame svg").inner_html()
    page.click(".begin")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        page.keyboard.down(key)
        page.wait_for_timeout(250)
        page.keyboard.up(key)
    page.click("text=Pause")
    page.wait_for_selector(".status >> text=The game rests")
    ply = int(page.locator("output.ply").inner_text().split()[-1])
    assert page.locator(".board-frame svg").inner_html() != before
    page.click("text=Step")
    page.wait_for_function("ply => document.querySelector('output.ply').textContent.endsWith(`/ ${ply + 1}`)", arg=ply)
    page.click("text=Go on")
    page.wait_for_selector("dialog .outcome", timeout=60_000)


def test_fingers_steer_on_a_phone(server, open_page):
    tokens = begin(server, options={"game": "foxhunt", "ticks": "500"}, **LASTING)
    page = open_page(**PHONE)
    go(page, server, tokens[0], ".begin")
    page.tap(".begin")
    avatar = "() => document.querySelector('.board-frame svg').innerHTML"
    page.wait_for_function("() => parseInt(document.querySelector('output.ply').textContent) > 2")
    page.tap("text=Pause")
    page.wait_for_selector(".status >> text=The game rests")
    first = page.evaluate(avatar)
    page.locator(".pad.right").dispatch_event("pointerdown", {"pointerId": 1})
    page.tap("text=Step")
    page.wait_for_function("first => document.querySelector('.board-frame svg').innerHTML !== first", arg=first)
    page.locator(".pad.right").dispatch_event("pointerup", {"pointerId": 1})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_keys_are_actions_of_the_game():
    game = load_game("vgdl")
    state = game.start(1)
    assert state.is_legal(game.draw.IDLE)
    assert {state.action_text(action) for action in game.draw.KEYS.values()} == {"UP", "LEFT", "DOWN", "RIGHT", "USE"}


def test_a_video_game_rests_while_its_player_is_away(site):
    options = {"game": "foxhunt", "ticks": "1000"}
    begun = site.play(game="vgdl", seats=[{}], options=options, seed=1, pace=0.02)
    with site.seat(begun["seats"][0]) as seat:
        seat.until(lambda it: it.get("last", 0) > 3)
    with site.seat(begun["seats"][0]) as seat:
        first = seat.until(lambda it: "svg" in it)
        assert first["status"] == "paused"
        time.sleep(0.2)
        seat.send("show", ply=None)
        assert seat.until(lambda it: "svg" in it)["last"] == first["last"]
        seat.send("pause", on=False)
        seat.until(lambda it: it["last"] > first["last"])
