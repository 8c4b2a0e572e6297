"""Risk on the page, in Chromium, and what the game tells it."""

import random
import re

from oponente import load_game
from oponente.games.risk.battle import battle_odds
from oponente.games.risk.moves import ATTACK, TRADE
from oponente.kernel import stream
from oponente.web.line import asked, lines
from web.browsing import begin, go
from web.persons import Person, risk_turn
from web.placing import placed


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


def test_places_are_in_the_picture():
    assert placed("risk", {"players": "3", "setup": "dealt"}, 200) == {"territory"}


def test_the_odds_of_a_battle_are_noted():
    state = load_game("risk", {"players": "2", "setup": "dealt"}).start(1)
    generator, rng, seen = random.Random(1), stream(1, "test"), 0
    while seen < 20 and not state.is_terminal:
        if state.is_chance:
            state.apply_chance(rng)
            continue
        for action in state.legal_actions:
            note = state.game.text.note_text(state, action)
            assert bool(note) == (ATTACK <= action < TRADE)
            if note:
                seen += 1
                own, other = (int(state.record.armies[(action - ATTACK) // step % 64]) for step in (64, 1))
                assert note.startswith(f"{own} against {other}: {battle_odds(own, other).conquest:.0%} to conquer")
        state.apply(generator.choice(list(state.legal_actions)))
    assert seen >= 20
    assert "attack" in asked(state) or "armies" in asked(state) or state.is_terminal or state.is_chance
    assert [seat for seat, _ in lines(state, 0)] == [0, 1, None]
