"""The page in Chromium, as people use it."""

import json
import re

import pytest

from oponente.arena.export import export_games, stored_matches
from oponente.arena.match import MatchSpec
from oponente.arena.runner import run_match
from oponente.arena.storage import Store
from oponente.games.catalogue import GameSpec
from web.browsing import PHONE, begin, go
from web.persons import Person


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
    assert "column" in page.locator(".log li").first.inner_text()
    page.click("text=Play on from here")
    page.click("dialog >> text=Start")
    page.wait_for_selector(".status >> text=over", state="detached")


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
    page.wait_for_selector(".bars", timeout=180_000)
    page.wait_for_selector(".ghost")
    assert page.locator(".findings tr.best").count() == 1
    assert not re.search(r"\b0 nodes", page.locator(".findings").inner_text())
    page.locator(".analysis button").click()
    page.click("text=Find key moments")
    page.wait_for_selector(".curve svg")
    page.wait_for_selector(".moment >> nth=0", timeout=60_000)
    page.click("text=Link to this position")
    page.wait_for_url(f"**/{last - 1}")
    again = open_page(page.url)
    again.wait_for_selector(f"output.ply:has-text('{last - 1} / {last}')")


def test_a_question_that_is_refused_can_be_asked_again(server, open_page):
    watch = begin(server, game="tictactoe", seats=[{"agent": "random"}, {"agent": "random"}], seed=2)[-1]
    page = open_page()
    go(page, server, watch)
    page.wait_for_selector("text=Play on from here", timeout=60_000)
    page.click("[aria-label='Back']")
    page.wait_for_selector("output.ply:not(:has-text('0 /'))")
    page.fill("label.analyst input", "utc:time=5")
    page.click(".analysis button >> text=Analyse")
    page.wait_for_selector("text=there is no agent 'utc'")
    page.click("text=Find key moments")
    page.wait_for_selector(".analysis button >> text=Analyse")
    page.wait_for_selector("button:enabled >> text=Find key moments")
    page.fill("label.analyst input", "uct:200")
    page.click(".analysis button >> text=Analyse")
    page.wait_for_selector(".bars", timeout=180_000)
    page.click("text=Find key moments")
    page.wait_for_selector(".curve svg", timeout=60_000)


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


def test_nothing_can_be_done_while_a_game_is_prepared_anew(server, open_page):
    tokens = begin(server, game="connect4", seats=[{}, {"agent": "random"}], seed=2)
    page, sockets = open_page(), []

    def through(socket):
        socket.connect_to_server()
        sockets.append(socket)

    page.route_web_socket("**/room/*", through)
    go(page, server, tokens[0], "[role=button][data-column]")
    preparing = {"type": "position", "status": "preparing", "reason": "", "thinking": None, "pace": 0, "absent": []}
    sockets[-1].send(json.dumps(preparing))  # as a server that was started again
    page.wait_for_selector(".status >> text=Preparing")
    assert page.locator("[role=button][data-column]").count() == 0
    assert not page.locator("section.actions").is_visible()


def test_what_is_not_there_is_said_on_the_page(server, open_page):
    page = open_page(locale="pt-BR")
    # What the server refuses is an error in the console, too: here it answers nothing of use.
    page.route("**/api/records", lambda route: route.fulfill(json={}))
    page.goto(f"{server.url}#/records")
    page.wait_for_selector("[role=alert] >> text=Não é possível mostrar isto")


def test_any_address_shows_something(server, open_page):
    page = open_page(f"{server.url}#/room/%E0")
    page.wait_for_selector("h1 >> text=There is no such game")
    for address, shown in (
        ("%E0%A4%A", "text=Start"),
        ("room/..%2F..%2Fapi%2Fgames", "h1 >> text=There is no such game"),
        ("room/", "h1 >> text=There is no such game"),
        ("constructor", "text=Start"),
        ("__proto__/x", "text=Start"),
        ("tournament/..", "[role=status] >> text=There is no such game"),
    ):
        page.goto(f"{server.url}#/records")
        page.wait_for_selector("#file", state="attached")
        page.goto(f"{server.url}#/{address}")
        page.wait_for_selector(shown)


def test_files_are_chosen_in_the_language_of_the_page(server, open_page):
    page = open_page(f"{server.url}#/records", locale="pt-BR")
    page.wait_for_selector("label >> text=Escolher arquivo")
    assert page.locator("#file").bounding_box()["width"] <= 2
    page.locator("#file").focus()  # the keyboard reaches it
    with page.expect_file_chooser():
        page.click("label >> text=Escolher arquivo")


def test_any_game_of_a_file_is_shown(server, open_page, tmp_path):
    file = tmp_path / "games.json"
    with Store(tmp_path / "records.db") as store:
        for games in (1, 2):
            run_match(MatchSpec(GameSpec("tictactoe"), ("random", "random"), games=games, seed=games), store=store)
        export_games(stored_matches(store), file)
        moves = [str(action + 1) for action in store.records(2, [1])[0].actions]
    page = open_page(f"{server.url}#/records", refused=True)
    page.set_input_files("#file", file)
    page.locator("tr", has_text="Tic-tac-toe").first.wait_for()
    row = page.locator("section", has_text="games.json").locator("tbody tr").first
    row.locator("input").fill("1")
    row.locator("button").click()
    page.wait_for_selector(".log li", timeout=120_000)
    assert (
        page.locator(".log li > span:last-child").evaluate_all(
            "all => all.map((one) => one.textContent.match(/[1-9]$/)[0])"
        )
        == moves
    )
    page.go_back()
    row.wait_for()
    assert page.locator("section", has_text="games.json").locator("tbody tr").count() == 2
    row.locator("input").fill("7")
    row.locator("button").click()
    page.wait_for_selector(".toast >> text=match 2 has no finished game 7")


def test_a_tournament_is_watched(server, open_page):
    page = open_page(f"{server.url}#/tournament", **PHONE)
    page.wait_for_selector("text=A block is 2 games")
    while page.locator("[aria-label='Remove this agent']").count() > 2:
        page.locator("[aria-label='Remove this agent']").last.click()
    page.fill("#blocks", "2")
    page.click("text=Start")
    page.wait_for_selector("text=Finished: 4 of 4 games", timeout=180_000)
    assert page.locator(".standing tbody tr").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert (
        page.evaluate(
            "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.scroll'))"
        )
        == 0
    )


def test_no_request_leaves_the_machine(server, open_page):
    page = open_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url)
    page.wait_for_selector("#start", timeout=60_000)
    assert asked
    assert all(url.startswith(server.url) for url in asked), json.dumps(asked)


def test_what_was_entered_stays_when_the_language_is_changed(server, open_page):
    page = open_page(server.url)
    page.click("[data-game=catan]")
    page.wait_for_selector("#kind-2")
    page.click("text=Options of the game")
    page.fill("#seed", "77")
    page.locator("[name=players]").first.fill("3")
    page.keyboard.press("Tab")
    page.wait_for_selector("#kind-3", state="detached")
    page.select_option("#kind-1", "person")
    page.click("[data-focus=language]")
    page.wait_for_selector("html[lang=pt] #seed")
    assert page.input_value("#seed") == "77"
    assert page.input_value("#kind-1") == "person"
    assert page.locator("#kind-3").count() == 0
    page.click("[data-focus=language]")
    page.wait_for_selector("html[lang=en] #seed")
    page.click("[data-game=tictactoe]")  # another game begins with a form of its own
    page.wait_for_selector("#kind-2", state="detached")
    assert page.input_value("#seed") == ""
    page.goto(f"{server.url}#/tournament")
    page.select_option("#contest-game", "tictactoe")
    page.fill("#blocks", "7")
    page.locator(".contest-entrant button").first.click()
    count = page.locator(".contest-entrant").count()
    page.click("[data-focus=theme]")
    page.wait_for_selector("#blocks")
    assert page.input_value("#blocks") == "7"
    assert page.input_value("#contest-game") == "tictactoe"
    assert page.locator(".contest-entrant").count() == count
