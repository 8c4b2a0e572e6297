"""Scripted persons, who play through the page with the mouse as people do."""

from __future__ import annotations

import contextlib
import random
import time

from playwright.sync_api import Page, TimeoutError

GAME_OVER = "dialog .outcome"


class Person:
    """Somebody at a page, who does something sensible whenever it is their turn.

    Args:
        page: a page with a room open.
        seed: of the choices.
    """

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self.random = page, random.Random(seed)
        self.done: dict[str, int] = {}

    def _click(self, what: str, locator) -> bool:
        """Click on one of the elements; note what kind of thing was done. False if there is none."""
        count = locator.count()
        if not count:
            return False
        element = locator.nth(self.random.randrange(count))
        try:
            element.click(timeout=2000)
        except TimeoutError:  # the position has changed meanwhile: look again
            return False
        self.done[what] = self.done.get(what, 0) + 1
        return True

    def _ready(self) -> bool:
        return self.page.locator("section.actions").is_visible()

    def ply(self) -> str:
        """Return what the page says of where the game is."""
        return self.page.locator("output.ply").inner_text()

    def play(self, turn, limit: float) -> None:
        """Call `turn` whenever it is this person's turn, until the game is over."""
        end = time.monotonic() + limit
        while not self.page.locator(GAME_OVER).count():
            assert time.monotonic() < end, f"the game is not over after {limit} s: {self.ply()}, {self.done}"
            before = self.ply()
            if not self._ready() or not turn(self):
                self.page.wait_for_timeout(15)
                continue
            with contextlib.suppress(TimeoutError):  # what was clicked on did nothing: look again
                self.page.wait_for_function(
                    "before => document.querySelector('output.ply').textContent !== before"
                    " || document.querySelector('dialog, .board-menu button, .chosen')",
                    arg=before,
                    timeout=3000,
                )


def catan_turn(person: Person) -> bool:
    """Take one decision of Catan: build where possible, trade with the bank and with others now and then."""
    page = person.page
    if page.locator("dialog").count():
        return _catan_dialog(person)
    menu = page.locator(".board-menu button:not(.quiet)")
    if menu.count():
        return person._click("victim", menu)
    for what, selector in (
        ("roll", "[data-action=roll]"),
        ("discard", "[data-open=discardDo]"),
        ("accept", "[data-action=accept]"),
        ("confirm", "[data-action^='confirm']"),
        ("reject", "[data-action=reject]"),
        ("withdraw", "[data-action=withdraw]"),
        ("city", "[data-node].target[data-piece=settlement]"),
        ("place", ".hit.node"),
        ("card", "[data-action=knight], [data-action='road building'], [data-open=monopoly], [data-open=plenty]"),
        ("robber", "[role=button][data-tile]"),
    ):
        if person._click(what, page.locator(selector)):
            return True
    roads = page.locator(".hit.edge")
    if roads.count() and (person.random.random() < 0.5 or not page.locator("[data-action=end]").count()):
        return person._click("road", roads)
    if person.random.random() < 0.6 and person._click("bank", page.locator("[data-open=bank]")):
        return True
    if person.random.random() < 0.15 and person._click("trade", page.locator("[data-open=trade]")):
        return True
    if person.random.random() < 0.5 and person._click("buy", page.locator("[data-action='buy card']")):
        return True
    return person._click("end", page.locator("[data-action=end]"))


def _catan_dialog(person: Person) -> bool:
    page = person.page
    dialog = page.locator("dialog")
    if dialog.locator("[data-get]").count():
        person._click("give", dialog.locator("[data-give]"))
        return person._click("get", dialog.locator("[data-get]"))
    submit = dialog.locator("button.primary")
    for _ in range(60):
        if not submit.count() or submit.is_enabled():
            break
        person._click("more cards", dialog.locator("button[aria-label^='+']:enabled"))
    if submit.count() and submit.is_enabled():
        return person._click("submit", submit)
    return person._click("choose", dialog.locator(".dialog-body button:enabled"))


def risk_turn(person: Person) -> bool:
    """Take one decision of Risk: the best odds where something is attacked, else anything."""
    page = person.page
    if person._click("amount", page.locator("[data-do=amount]")):
        return True
    places = page.locator(".hit.territory")
    if places.count() and (person.random.random() < 0.6 or not page.locator("[data-action=done]").count()):
        return person._click("territory", places)
    return person._click("done", page.locator("[data-action=done], [data-action^='trade']"))
