"""All studies in one report: what is left out is told before the first one begins, and at the top of the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from oponente.arena.studies import together
from oponente.arena.studies.document import Page
from oponente.arena.studies.study import Settings, Study

HELD = "table 2 is left out: set HELD"


class Fake(Study):
    """Measures nothing."""

    title, source = "A study", "Nobody 2000"

    def __init__(self, name: str, told: list[str], missing: str | None = None, left_out: str | None = None) -> None:
        self.name, self.told = name, told  # type: ignore[misc]
        self.lacks, self.gap = missing, left_out

    def missing(self) -> str | None:
        return self.lacks

    def left_out(self, settings: Settings) -> str | None:
        return self.gap

    def scale_lines(self) -> dict[str, str]:
        return {}

    def identity(self, settings: Settings) -> dict[str, Any]:
        return {"study": self.name, "seed": settings.seed}

    def measure(self, *_: Any) -> dict[str, Any]:
        self.told.append(f"{self.name} is measured")
        return {"verdicts": []}

    def page(self, data: Any) -> Page:
        return Page(self.title, f"Lead of {self.name}.", data["command"], [], [], dict(data))


def test_what_is_left_out_is_told_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    studies = {
        study.name: study
        for study in (
            Fake("whole", told),
            Fake("partly", told, left_out=HELD),
            Fake("none", told, missing="there are no files"),
        )
    }
    monkeypatch.setattr(together, "load_study", lambda name, _game: studies[name])

    def run(*, resume: bool) -> list[together.Done]:
        told.clear()
        return together.run_all(
            tmp_path,
            Settings(seed=5),
            resume=resume,
            command_line=lambda name, _game: f"run {name}",
            progress=lambda _name: lambda _what, _done, _total: None,
            tell=told.append,
            parts=[(name, None) for name in studies],
        )

    done = run(resume=False)
    lines = [f"partly: {HELD}", "none will not be run: there are no files"]
    assert told == [*lines, "whole is measured", "partly is measured"]
    assert [(part.name, part.missing, part.left_out) for part in done] == [
        ("whole", "", ""),
        ("partly", "", HELD),
        ("none", "there are no files", ""),
    ]
    html = together.report(done, Settings(seed=5), "run all")
    top = html[html.index("Not all is here") : html.index("<table>")]
    assert top.count("<li>") == 2
    assert HELD in top
    assert "not run: there are no files" in top
    assert html.index(f"Not whole: {HELD}") > html.index("Lead of partly.") > html.index("<table>")

    # What is kept is told as it was measured, whatever is there now.
    studies["partly"].gap, studies["whole"].gap = None, "nothing of it"
    run(resume=True)
    assert told == lines
    assert "Not all is here" not in together.report(done[:1], Settings(seed=5), "run all")
