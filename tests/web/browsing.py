"""What the tests with a browser share."""

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
