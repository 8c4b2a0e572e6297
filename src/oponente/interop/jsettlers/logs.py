"""What is logged about a server: its words are kept from writing more than one line, or on a terminal."""

from __future__ import annotations

import logging
from typing import Any

from oponente.kernel.notation import escaped, shortened

LONGEST = 500
"""Characters of a line in the log at most."""


def server_log(name: str) -> logging.Logger:
    """Return the logger of a module whose lines may hold a server's words: signs that no line can show are escaped."""
    log = logging.getLogger(name)
    log.addFilter(_escape)
    return log


def failure_details(log: logging.Logger) -> dict[str, Any]:
    """Return the arguments by which a failure of ours is logged: with its traceback where all else is told, too."""
    return {"exc_info": log.isEnabledFor(logging.INFO)}


def _escape(record: logging.LogRecord) -> bool:
    record.msg, record.args = shortened(escaped(record.getMessage()), LONGEST), ()
    return True
