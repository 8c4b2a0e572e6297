"""The page in Chromium with a server that a test makes up: what becomes of what somebody is doing as messages come."""

import json

from web.browsing import ATTACKS, Room, action, at, wait

AMOUNTS = [action(100 + number, str(number)) for number in range(1, 9)]


def shown(page, count, selector=".hit.territory"):
    """Wait until so many elements are there."""
    page.wait_for_function("([one, n]) => document.querySelectorAll(one).length === n", arg=[selector, count])


def analysis(ply, best):
    """Return what a hint tells."""
    found = [{**best, "value": 0.6, "visits": 10, "share": 1.0}]
    numbers = {"values": [0.6, 0.4], "chances": [0.6, 0.4], "nodes": 10, "depth": 1, "seconds": 0.2}
    return {"type": "analysis", "ply": ply, "moves": found, "best": best, "line": [], "done": False, **numbers}


def test_what_is_half_chosen_stays_when_nothing_new_comes(server, open_page):
    page = open_page()
    room = Room(page, server, at(4, ATTACKS))
    page.locator(".hit.territory").first.click()
    page.wait_for_selector(".chosen")
    room.send(**analysis(4, ATTACKS[1]))
    page.wait_for_selector(".arrow", state="attached")
    assert page.locator(".chosen").count() == 1
    room.send(**at(4, ATTACKS, absent=[1]))
    page.wait_for_selector(".seat >> text=not here")
    assert page.locator(".chosen").count() == 1
    # The amount of armies: neither a hint nor another browser puts it back.
    room.send(**at(5, AMOUNTS, asked="how many armies to place on Brazil: 1 to 8"))
    amount = page.locator("[data-focus=amount]")
    amount.fill("3")
    room.send(**analysis(5, AMOUNTS[7]))
    page.wait_for_selector(".findings td >> text=8")
    room.send(**at(5, AMOUNTS, asked="how many armies to place on Brazil: 1 to 8"))
    page.wait_for_selector(".seat >> text=not here", state="detached")
    assert amount.input_value() == "3"
    page.click("[data-do=amount] >> text=Confirm: 3")
    # What looks the same later is another decision.
    room.send(**at(6, ATTACKS))
    page.locator(".hit.territory").first.click()
    page.wait_for_selector(".chosen")
    room.send(**at(7, ATTACKS))
    page.wait_for_selector(".chosen", state="detached")
    wait(page, lambda: {"type": "say", "ply": 5, "text": "3"} in room.got)


def test_a_slider_that_is_held_stays_while_agents_play(server, open_page):
    page = open_page()
    room = Room(page, server, at(4, player=1), names=["random", "uct"], seat=None, persons=[])
    page.evaluate("() => { window.slider = null; }")
    page.wait_for_selector("[data-focus=speed]")
    page.evaluate("() => { window.slider = document.querySelector('[data-focus=speed]'); }")
    room.send(**at(5, thinking=1, player=1))
    page.wait_for_selector(".status >> text=is thinking")
    assert page.evaluate("document.contains(window.slider)")


def test_escape_goes_back_and_the_keyboard_keeps_its_place(server, open_page):
    page = open_page()
    room = Room(page, server, at(4, ATTACKS))
    first = "document.activeElement.dataset.place"
    page.locator(".hit.territory").first.click()
    page.wait_for_selector(".chosen")
    page.keyboard.press("Escape")
    page.wait_for_selector(".chosen", state="detached")
    page.locator("[data-place='territory Peru']").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chosen")
    assert page.evaluate(first) == "territory Chile"
    page.keyboard.press("Escape")
    page.wait_for_selector(".chosen", state="detached")
    assert page.evaluate(first) == "territory Peru"
    page.keyboard.press("Enter")
    page.locator("[data-focus=cancel]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".chosen", state="detached")
    assert page.evaluate(first) == "territory Peru"
    # While others move there is nothing to be at; then it is the same place again, or one that there is.
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    wait(page, lambda: any(message.get("action") == 3 for message in room.got))
    room.send(**at(5, player=1))
    shown(page, 0)
    room.send(**at(6, ATTACKS))
    shown(page, 2)
    assert page.evaluate(first) == "territory Brazil"
    room.send(**at(7, player=1))
    shown(page, 0)
    room.send(**at(8, ATTACKS[:1]))
    shown(page, 1)
    assert page.evaluate(first) == "territory Brazil"


def test_a_menu_gives_the_keyboard_back(server, open_page):
    page = open_page()
    victims = [action(seat, f"robber 7 player {seat}", "territory Peru") for seat in (2, 3)]
    Room(page, server, at(4, victims))
    page.locator(".hit.territory").focus()
    for way in ("Escape", "Enter"):
        page.keyboard.press("Enter")
        page.wait_for_selector(".board-menu button")
        if way == "Enter":
            page.locator(".board-menu button >> text=Cancel").focus()
        page.keyboard.press(way)
        page.wait_for_selector(".board-menu button", state="detached")
        assert page.evaluate("document.activeElement.dataset.place") == "territory Peru"


def replay(page, server, **more):
    """Return a record that is looked at, at its third position."""
    over = at(9, status="over", player=-2, returns=[1, -1])

    class Recorded(Room):
        def _begin(self, socket):
            self.position = {**over, "ply": 0, "live": False}
            super()._begin(socket)

    room = Recorded(page, server, over, kind="replay", seat=None, match=5, index=0, **more)
    for ply in range(1, 4):
        page.click("[aria-label='Forward']")
        page.wait_for_selector(f"output.ply:has-text('{ply} /')")
    return room


def test_a_replay_stays_where_it_is(server, open_page):
    page = open_page()
    room = replay(page, server)
    page.click("[data-focus=theme]")
    page.wait_for_selector("html[data-theme=light]")
    assert page.locator("output.ply").inner_text() == "3 / 9"
    assert len(room.sockets) == 1
    page.click("[data-focus=language]")
    page.wait_for_selector("html[lang=pt]")
    page.wait_for_selector("output.ply:has-text('3 / 9')")
    assert len(room.sockets) == 2
    room.sockets[-1].close(code=1012)
    page.wait_for_selector(".status >> text=A conexão caiu")
    page.wait_for_selector(".status >> text=A conexão caiu", state="detached")
    page.wait_for_selector("output.ply:has-text('3 / 9')")
    assert len(room.sockets) == 3
    page.click("[aria-label='Última posição']")
    page.wait_for_selector("output.ply:has-text('9 / 9')")
    room.sockets[-1].close(code=1012)
    page.wait_for_selector(".status >> text=A conexão caiu")
    page.wait_for_selector("output.ply:has-text('9 / 9')")


def test_a_key_moment_can_be_clicked_on_while_others_are_looked_for(server, open_page):
    page = open_page()
    room = replay(page, server)
    found = [{"ply": 5, "before": 4, "seat": 0, "swing": 0.3}]
    curve = [[ply, [0.5, 0.5]] for ply in range(3)]
    room.send(type="moments", curve=curve, moments=found, chances=True, done=False)
    page.wait_for_selector(".moment >> text=gains 30 %")
    page.evaluate("() => { window.moment = document.querySelector('.moment'); }")
    room.send(type="moments", curve=[*curve, [3, [0.5, 0.5]]], moments=found, chances=True, done=False)
    room.send(type="error", text="that was all")
    page.wait_for_selector(".toast >> text=that was all")
    assert page.evaluate("document.contains(window.moment)")
    found.append({"ply": 8, "before": 7, "seat": 1, "swing": 0.2})
    room.send(type="moments", curve=curve, moments=found, chances=False, done=True)
    page.wait_for_selector(".moment >> text=gains 0.20 in value")
    page.locator(".moment").last.click()
    page.wait_for_selector("output.ply:has-text('7 / 9')")


def test_a_record_whose_room_is_closed_meanwhile_is_opened_again(server, open_page):
    page, asked = open_page(), []

    def opened(route):
        asked.append(json.loads(route.request.post_data))
        route.fulfill(json={"room": f"room{min(2, len(asked))}"})

    page.route("**/api/replay", opened)
    room = replay(page, server, address="record/5/0")
    room.sockets[-1].close(code=4404, reason="there is no such room")
    page.wait_for_selector(".status >> text=Player 1 has won")
    page.wait_for_selector("output.ply:has-text('3 / 9')")
    assert asked == [{"match": 5, "index": 0}] * 2
    assert room.sockets[-1].url.endswith("/room/room2")
    # Its position is that of the new room.
    page.click("[data-focus=language]")
    page.wait_for_selector("html[lang=pt]")
    page.wait_for_selector("output.ply:has-text('3 / 9')")


def test_why_a_record_is_not_opened_again_is_said(server, open_page):
    page, full = open_page(refused=True), "200 games are open, and none can be closed: end one of them first"
    answers = [{"json": {"room": "room1"}}, {"status": 503, "json": {"error": full}}]
    page.route("**/api/replay", lambda route: route.fulfill(**answers.pop(0)))
    room = replay(page, server, address="record/5/0")
    room.sockets[-1].close(code=4404, reason="there is no such room")
    page.wait_for_selector(f"p >> text={full}")
    assert page.locator("h1 >> text=This can't be shown").count() == 1


def test_why_a_room_is_not_shown_is_said(server, open_page):
    page = open_page()
    for code, reason, heading in (
        (4404, "there is no such room", "There is no such game (any more)."),
        (4422, "the database: page_rooms 3 is damaged: its action 1 is missing", "This can't be shown"),
        (4429, "too many browsers have this game open", "This can't be shown"),
    ):
        page.goto(f"{server.url}#/records")
        room = Room(page, server, at(4, ATTACKS), f"room/r{code}")
        shown(page, 2)
        room.sockets[-1].close(code=code, reason=reason)
        page.wait_for_selector(f"h1 >> text={heading}")
        page.wait_for_selector(f"p >> text={reason}")


def test_nothing_is_clicked_in_vain_while_the_connection_is_lost(server, open_page):
    page = open_page()
    room = Room(page, server, at(4, ATTACKS))
    shown(page, 2)
    page.unroute_all()
    page.route_web_socket("**/room/*", lambda socket: socket.close(code=1012))
    room.sockets[-1].close(code=1012)
    page.wait_for_selector(".status >> text=The connection is lost")
    assert page.locator(".hit").count() == 0
    assert not page.locator("section.actions").is_visible()
    page.click("[aria-label='Back']")
    page.wait_for_selector(".toast >> text=The connection is lost")
    page.route_web_socket("**/room/*", room._begin)
    shown(page, 2)
    page.wait_for_selector("output.ply:has-text('4 / 4')")
    assert page.input_value(".timeline input") == "4"


def video_game(page, server):
    """Return a video game that somebody steers."""
    keys = {"ArrowLeft": 1, "ArrowRight": 2, "Space": 3}
    hello = {"game": "vgdl", "names": ["human"], "moves_on": True, "keys": keys}
    room = Room(page, server, at(9, asked="", pace=0.1), **hello)
    page.wait_for_selector("[data-focus=speed]")
    return room


def test_keys_steer_whatever_was_clicked_on(server, open_page):
    page = open_page()
    room = video_game(page, server)
    for slider in ("[data-focus=speed]", "[data-focus=slider]"):
        box = page.locator(slider).bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
        wait(page, lambda: room.got)
        assert room.types() == [{"[data-focus=speed]": "pace", "[data-focus=slider]": "show"}[slider]]
        page.keyboard.press("ArrowLeft")
        wait(page, lambda: len(room.got) == 2)
        assert room.types() == ["hold", "hold"]


def test_after_the_end_of_a_video_game_the_keys_go_through_it(server, open_page):
    page = open_page()
    room = video_game(page, server)
    assert page.locator(".steer").is_visible()
    room.send(**at(9, asked="", player=-2, status="over", returns=[1.0]))
    page.wait_for_selector("dialog .outcome")
    page.click("dialog >> text=Close")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("output.ply:has-text('8 / 9')")
    assert room.got == [{"type": "show", "ply": 8}]
    assert not page.locator(".steer").is_visible()


def form(page, server):
    """Open the form of Connect Four with all options; return what is begun with it."""
    begun = []

    def play(route):
        begun.append(json.loads(route.request.post_data))
        route.fulfill(json={"seats": ["bbbb", ""], "watch": "cccc"})

    page.route("**/api/play", play)
    page.route_web_socket("**/room/*", lambda socket: None)
    page.goto(server.url)
    page.click("[data-game=connect4]")
    page.click("text=Options of the game")
    return begun


def press(page, what):
    """Click as people do, who hold the button for a while."""
    page.locator(what).scroll_into_view_if_needed()
    page.hover(what)
    page.mouse.down()
    page.wait_for_timeout(300)
    page.mouse.up()


def test_a_click_counts_right_after_an_option_was_edited(server, open_page):
    page = open_page()
    begun = form(page, server)
    page.fill("[name=columns]", "8")
    press(page, "details summary >> text=Options of the game")
    page.wait_for_function("() => ![...document.querySelectorAll('details')].at(-1).open")
    page.click("details summary >> text=Options of the game")
    page.fill("[name=rows]", "7")
    press(page, "#start")
    page.wait_for_url("**/room/bbbb")
    assert begun[0]["options"] == {"columns": "8", "rows": "7"}


def test_of_two_changes_none_is_lost(server, open_page):
    page, held = open_page(), []
    begun = form(page, server)
    page.route("**/api/describe", lambda route: held.append((route, route.fetch())))
    for name, value in (("columns", "8"), ("rows", "7")):
        page.fill(f"[name={name}]", value)
        page.keyboard.press("Tab")
    page.click("#start")
    wait(page, lambda: len(held) == 2)
    assert not begun  # who plays is known when the answer is there
    for route, answer in reversed(held):
        route.fulfill(response=answer)
    page.wait_for_url("**/room/bbbb")
    assert begun[0]["options"] == {"columns": "8", "rows": "7"}


def test_the_form_of_a_tournament_holds_the_agents_of_its_game(server, open_page):
    page, held = open_page(refused=True), []
    page.goto(f"{server.url}#/tournament")
    page.wait_for_selector(".contest-entrant")
    offered = page.locator("#contest-game option").evaluate_all("all => all.map((one) => one.value)")
    assert {"connect4", "catan", "risk"} <= set(offered)
    assert "vgdl" not in offered  # for one player
    page.route("**/api/describe", lambda route: held.append((route, route.fetch())))
    for game in ("tictactoe", "risk"):
        page.select_option("#contest-game", game)
    wait(page, lambda: len(held) == 2)
    for route, answer in reversed(held):  # the first answer comes last
        route.fulfill(response=answer)
    page.wait_for_selector("text=A block is")
    page.wait_for_timeout(100)
    before = page.locator(".contest-entrant").count()
    page.click("text=Add an agent")
    assert page.locator(".contest-entrant").count() == before + 1
    agents = page.locator(".contest-entrant select").last.inner_text()
    assert "lux-pixie" in agents
    page.unroute_all()
    page.route("**/api/describe", lambda route: route.fulfill(status=503, json={"error": "there is no game 'x'"}))
    page.select_option("#contest-game", "catan")
    page.wait_for_selector(".toast >> text=there is no game")


def test_a_tournament_is_of_the_game_that_the_form_says(server, open_page):
    page, begun = open_page(), []
    page.route(
        "**/api/tournament",
        lambda route: (begun.append(route.request.post_data_json), route.fulfill(json={"room": "aaaa"})),
    )
    one = {"rating": 0, "ci95": [-1, 1], "score": 0.5, "games": 2}
    told = {"type": "table", "game": "catan", "done": True, "games": 2, "of": 2, "copies": 3}
    told |= {"cross": [[None, 0.25]] * 2, "entrants": [{"agent": name, **one} for name in ("greedy-vp", "value")]}
    page.route_web_socket("**/room/*", lambda socket: socket.send(json.dumps(told)))
    page.goto(f"{server.url}#/tournament")
    page.wait_for_selector(".contest-entrant")
    page.select_option("#contest-game", "catan")
    page.wait_for_selector("text=A block is 4 games")
    while page.locator("[aria-label='Remove this agent']").count() > 2:
        page.locator("[aria-label='Remove this agent']").last.click()
    page.click("details summary >> text=Options of the game")
    page.fill("[name=players]", "2")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=A block is 2 games")
    assert page.locator(".contest-entrant").count() == 2
    page.fill("#opening-plies", "101")
    page.click("text=Start")
    assert not begun  # too many
    page.fill("#opening-plies", "3")
    page.fill("#seed", "12")
    page.click("text=Start")
    page.wait_for_url("**/tournament/aaaa")
    assert begun[0].pop("entrants")[0] == "random"
    wanted = {"game": "catan", "options": {"players": "2"}, "blocks": 5, "opening_plies": 3, "seed": 12}
    assert begun == [wanted]
    page.wait_for_selector("text=Matches whose blocks are all the same games: 3.")
    page.click("summary >> text=Against each other")
    assert page.locator("details td >> text=25.0 %").count() == 2


def test_matches_that_are_not_listed_are_shown_by_number(server, open_page):
    page = open_page()
    one = {"match": 205, "game": "tictactoe", "agents": ["human", "random"], "finished": 1, "can_show": True}
    page.route("**/api/records", lambda route: route.fulfill(json={"matches": [one], "more": True}))
    page.route("**/api/replay", lambda route: route.fulfill(json={"room": "aaaa"}))
    page.route_web_socket("**/room/*", lambda socket: None)
    page.goto(f"{server.url}#/records")
    page.fill(".another input >> nth=0", "3")
    page.fill(".another input >> nth=1", "12")
    page.click(".another button")
    page.wait_for_url("**/record/3/12")


def chosen_files(page, server):
    """Choose two files; return the requests for their matches, which wait, with what is answered to them."""
    held = []

    def hold(route):
        held.append(route)

    page.route("**/api/matches", hold)
    page.route("**/api/upload*", lambda route: route.fulfill(json={"room": "aaaa"}))
    page.route_web_socket("**/room/*", lambda socket: None)
    page.goto(f"{server.url}#/records")
    page.wait_for_selector("#file", state="attached")
    for name in ("first.json", "second.json"):
        page.set_input_files("#file", {"name": name, "mimeType": "application/json", "buffer": b"{}"})
    wait(page, lambda: len(held) == 2)
    one = {"match": 1, "game": "tictactoe", "agents": ["human", "random"], "finished": 1, "can_show": True}
    first, second = ({"matches": [{**one, "finished": games}]} for games in (1, 2))
    return [(held[0], first), (held[1], second)]


def test_of_two_files_the_one_chosen_last_is_shown(server, open_page):
    page = open_page()
    for route, answer in reversed(chosen_files(page, server)):
        with page.expect_response("**/api/matches"):
            route.fulfill(json=answer)
    page.wait_for_selector("text=second.json")
    page.wait_for_timeout(200)
    assert page.url.endswith("#/records")
    assert page.locator("text=first.json").count() == 0


def test_who_has_gone_on_is_not_called_back_by_a_file(server, open_page):
    page = open_page()
    (first, answer), (second, _) = chosen_files(page, server)
    page.click("nav >> text=Tournament")
    page.wait_for_selector("#contest-game")
    with page.expect_response(lambda response: response.request == second.request):
        second.fulfill(json=answer)  # its only game would be shown at once
    page.wait_for_timeout(200)
    assert page.url.endswith("#/tournament")
    page.click("nav >> text=Records")
    page.wait_for_selector("text=second.json")  # there it is
    first.fulfill(json=answer)


def test_what_is_refused_in_a_dialogue_is_said_there(server, open_page):
    page = open_page(server.url, refused=True)
    wanted = {"game": "risk", "options": {}, "seats": [{"agent": None}, {"agent": "random"}]}
    page.evaluate("wanted => sessionStorage.setItem('oponente.wanted.aaaa', JSON.stringify(wanted))", wanted)
    room = Room(page, server, at(4, ATTACKS))
    shown(page, 2)
    answers = [{"status": 503, "json": {"error": "200 games are open, and none can be closed: end one of them first"}}]
    answers.append({"json": {"seats": ["bbbb", ""], "watch": "cccc"}})
    page.route("**/api/play", lambda route: route.fulfill(**answers.pop(0)))
    room.send(**at(5, player=-2, status="over", returns=[1, -1]))
    page.click("dialog >> text=Play again")
    page.wait_for_selector("dialog .toast >> text=200 games are open")
    page.click("dialog >> text=Play again")
    page.wait_for_url("**/room/bbbb")


def test_what_closes_a_dialogue_says_so(server, open_page):
    page = open_page(locale="pt-BR")
    Room(page, server, at(4, ATTACKS))
    page.click("text=Desistir")
    assert page.locator("dialog button.quiet").get_attribute("aria-label") == "Fechar"
