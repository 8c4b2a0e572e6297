"""Video games on the page, in Chromium, and what the game tells it."""

import time

from oponente import load_game
from web.browsing import PHONE, begin, go

LASTING = {"game": "vgdl", "seats": [{}], "seed": 1, "pace": 0.05, "paused": True}
"""With this seed foxhunt lasts to the limit, even if the fox stands still; with others it may be over at once."""


def test_a_level_of_a_video_game(server, open_page):
    # Nothing here ends the game but its limit, whatever a slow page makes of the keys.
    tokens = begin(server, options={"game": "warehouse", "ticks": "400"}, **LASTING)
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


def test_two_persons_play_a_level_of_two_from_the_form_on(server, open_page):
    first = open_page(server.url)
    first.click("[data-game=vgdl]")
    first.wait_for_selector("select[name=game]")
    first.select_option("select[name=game]", "shepherds")
    first.wait_for_selector("#kind-1")
    first.select_option("#kind-1", "person")
    first.locator("details summary").last.click()
    first.fill("#seed", "3")
    first.click("#start")
    first.wait_for_selector(".begin", timeout=180_000)
    first.click("text=Invite")
    second = open_page(first.locator(".invite input").first.input_value(), **PHONE, locale="pt-BR")
    first.keyboard.press("Escape")
    second.wait_for_selector(".begin")
    for page in (first, second):
        page.wait_for_selector(".seat small", state="detached")  # nobody is missing
        # Everybody sees whose avatar is whose.
        numbers = page.locator(".board-frame svg text[font-weight=bold]")
        assert sorted(numbers.all_text_contents()) == ["1", "2"]
    where = """() => [...document.querySelectorAll('.board-frame text[font-weight=bold]')]
      .sort((a, b) => a.textContent - b.textContent).map((one) => Number(one.getAttribute('x')))"""
    before = first.evaluate(where)
    second.tap(".begin")
    first.keyboard.down("ArrowRight")
    pad = second.locator(".pad.left").bounding_box()
    assert pad["width"] >= 44
    assert pad["height"] >= 44
    second.locator(".pad.left").dispatch_event("pointerdown", {"pointerId": 1})
    moved = f"() => {{ const [a, b] = ({where})(); return a > {before[0]} && b < {before[1]}; }}"
    first.wait_for_function(moved)
    first.keyboard.up("ArrowRight")
    second.locator(".pad.left").dispatch_event("pointerup", {"pointerId": 1})
    second.tap("text=Pausar")
    for page in (first, second):
        page.wait_for_selector(".bar button.primary")
    assert first.evaluate(where) == second.evaluate(where)
    assert "jogador 2: " in second.locator(".board-frame").text_content()
    second.context.close()
    first.wait_for_selector(".seat small >> text=not here")
    first.click("text=Resign")
    first.click("dialog >> text=Yes")
    first.wait_for_selector("dialog .outcome >> text=You have lost.")


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
