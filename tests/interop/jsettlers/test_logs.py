"""What is logged of a server's words."""

import logging

import pytest

from oponente.interop.jsettlers.logs import LONGEST, failure_details, server_log


@pytest.fixture
def log():
    return server_log("oponente.interop.jsettlers.client")


def test_a_line_stays_one_line(log, caplog):
    log.warning("%s is lost: %s", "game\n\x1b[31m", "50 % done")
    assert caplog.messages == [r"game\n\x1b[31m is lost: 50 % done"]


def test_a_line_has_an_end(log, caplog):
    log.warning("%s", "x" * 10_000)
    assert [len(message) for message in caplog.messages] == [LONGEST]


@pytest.mark.parametrize(("level", "shown"), [(logging.WARNING, False), (logging.INFO, True)])
def test_a_failure_has_its_traceback_where_all_is_told(log, caplog, level, shown):
    caplog.set_level(level)
    try:
        raise ValueError("of ours")
    except ValueError:
        log.error("a failure", **failure_details(log))
    assert ("Traceback" in caplog.text) is shown
