"""What readers of typed text share: numbers that stay small, and quotations that stay short."""

from __future__ import annotations

LONGEST_NUMBER = 3
"""Digits of a typed number at most: nothing that one counts in a move needs more."""
LONGEST_QUOTATION = 60
"""Characters of typed text that a message repeats at most."""


def small_number(text: str) -> int | None:
    """Return the number that `text` denotes, 0 to 999; None if it is no number, or a longer one."""
    digits = text.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= LONGEST_NUMBER else None


def shortened(text: str, longest: int = LONGEST_QUOTATION) -> str:
    """Return `text` as messages repeat it: one longer than `longest` loses its end."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def escaped(text: str) -> str:
    """Return `text` with all signs that no line can show, such as a terminal's commands, written as escapes."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)


def quoted(what: object) -> str:
    """Return `what` as Python writes it, shortened; text is in quotation marks."""
    return repr(shortened(what)) if isinstance(what, str) else shortened(repr(what))
