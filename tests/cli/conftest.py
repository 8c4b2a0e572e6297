"""Fixtures of the tests of commands."""

import pytest

from cli.users_files import AGENT, NIM
from oponente.cli.main import main


@pytest.fixture(autouse=True)
def records(monkeypatch, tmp_path):
    monkeypatch.setenv("OPONENTE_RECORDS", str(tmp_path / "records.db"))


@pytest.fixture
def run(capsys):
    """Return a function that runs the command and returns its exit status, output and error output."""

    def call(*arguments):
        try:
            main(list(map(str, arguments)))
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        return status, out, "\n".join(line for line in err.splitlines() if not line.startswith("compil"))

    return call


@pytest.fixture
def ok(run):
    """Return a function that runs the command, which must succeed, and returns its output."""

    def call(*arguments):
        status, out, err = run(*arguments)
        assert status == 0, err
        return out

    return call


@pytest.fixture
def files(tmp_path):
    (tmp_path / "nim.py").write_text(NIM)
    (tmp_path / "mine.py").write_text(AGENT)
    return tmp_path
