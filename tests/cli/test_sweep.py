import json
from html import unescape

import pytest


def test_sweep(run, tmp_path):
    page = tmp_path / "page.html"
    arguments = ("sweep", "tictactoe", "uct:10", "--parameter", "c=0.5,2", "--games", 5, "--report", page)
    arguments += ("--out", tmp_path / "secret.db")
    status, out, _ = run(*arguments)
    assert status == 0
    assert "uct:10 against uct:10, 2 combinations, 12 games" in out
    assert "Best: uct:10,c=" in out
    html = unescape(page.read_text(encoding="utf-8"))
    assert "<svg" in html
    line = f"oponente sweep tictactoe uct:10 --parameter c=0.5,2 --games 5 --report {page} --seed 1"
    assert line in html, "whoever called it"
    assert "secret.db" not in html, "the database may be a URL with a password"
    status, out, _ = run(*arguments, "--resume", "--json")
    result = json.loads(out)
    assert status == 0
    assert result["even"] == 0.5
    assert sorted(point["values"]["c"] for point in result["points"]) == ["0.5", "2"]
    assert [point["games"] for point in result["points"]] == [6, 6]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--parameter"),
        (("--parameter", "c"), "c=0.5,1,2"),
        (("--parameter", "c="), "c=0.5,1,2"),
        (("--parameter", "c=1", "--parameter", "c=2"), "twice"),
        (("--parameter", "c=1,1.0"), "c: 1, 1.0 has a value twice (1.0 is 1)"),
        (("--parameter", "c=1,,2"), "c"),
        (("--parameter", "c=1,x"), "x"),
        (("--parameter", "nothing=1"), "nothing"),
        (("--parameter", "c=1,2", "--budget", "3"), "2 points need"),
        (("--parameter", "c=1,2", "--budget", "3", "--games", "3"), "one of them"),
        (("--parameter", "c=1,2", "--against", "nobody"), "nobody"),
    ],
)
def test_mistakes(run, arguments, says):
    status, _, error = run("sweep", "tictactoe", "uct:10", *arguments)
    assert status == 2
    assert says in error
    assert error.count("\n") == 0
