"""The command ``oponente experiment``."""

from __future__ import annotations

import json
import signal
from collections.abc import Collection
from pathlib import Path
from typing import ClassVar

import pytest

from oponente.arena import MatchSpec, Table, ray_crew
from oponente.arena.studies import connect4_report, load_study, together
from oponente.arena.studies.document import Page
from oponente.arena.workers import Crew, InlineCrew
from oponente.cli import experiment
from oponente.cli.main import main
from oponente.kernel import Control
from tests.arena.studies.test_html_report import Checker
from tests.arena.studies.tiny import TINY, reproducible

RUN = ["experiment", "connect4-report", "--games", "3", "--match-games", "2", "--seed", "3"]


@pytest.fixture(autouse=True)
def _tiny(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run a small study, in a folder of its own."""
    monkeypatch.setattr(connect4_report, "STUDY", TINY)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def _blank(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the figures, which take longer than all the rest."""
    monkeypatch.setattr(TINY, "page", lambda data: Page("t", "l", data["command"], [], [], data))


def run(*arguments: str) -> int:
    """Run the command line; return its exit status."""
    try:
        main(list(arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_without_a_name_the_studies_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("experiment") == 0
    out = capsys.readouterr().out
    assert out.startswith("connect4-report: ")
    assert all(f"--scale {scale} " in out for scale in ("quick", "standard", "full"))
    assert run("experiment", "--json") == 0
    assert json.loads(capsys.readouterr().out)["studies"][0]["name"] == "connect4-report"


def test_a_run_writes_the_report_and_says_what_it_found(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(*RUN, "--figures", "pictures") == 0
    out = capsys.readouterr().out
    assert "Report written to connect4-report.html and 16 figures to pictures" in out
    assert "Minimax and alpha-beta choose the same moves: reproduced" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["connect4-report.html", "pictures"]
    assert len(list((tmp_path / "pictures").iterdir())) == 16
    html = (tmp_path / "connect4-report.html").read_text()
    assert "oponente experiment connect4-report --scale standard --seed 3 --games 3 --match-games 2 --figures" in html


@pytest.mark.usefixtures("_blank")
def test_json_is_one_object_and_reproducible(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = []
    for out in ("a.html", "b.html"):
        assert run(*RUN, "--out", out, "--json") == 0
        data.append(json.loads(capsys.readouterr().out))
        assert (tmp_path / out).exists()
    assert reproducible(data[0]) == reproducible(data[1])
    assert data[0]["command"].endswith("--out a.html --json")


@pytest.mark.usefixtures("_blank")
def test_ctrl_c_is_one_line_and_resume_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measure_game = connect4_report.Bench.measure_game

    def interrupted(bench: connect4_report.Bench, index: int, *rest: object) -> object:
        if index == 2:
            signal.raise_signal(signal.SIGINT)
        return measure_game(bench, index, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(connect4_report.Bench, "measure_game", interrupted)
    assert run(*RUN) == 130
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("oponente: interrupted: ")
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "connect4-report.html").exists()

    assert run(*RUN) == 2
    assert "give --resume" in capsys.readouterr().err

    monkeypatch.setattr(connect4_report.Bench, "measure_game", measure_game)
    assert run(*RUN, "--resume") == 0
    assert [path.name for path in tmp_path.iterdir()] == ["connect4-report.html"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess-report"], "there is no study 'chess-report'; there are connect4-report"),
        (["connect4-report", "--scale", "huge"], "'huge' is not one of"),
        (["connect4-report", "--games", "0"], "0 is not in the range"),
        (["connect4-report", "--out", "."], "is a folder"),
        (["connect4-report", "--out", "missing/report.html"], "there is no folder missing"),
    ],
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert run("experiment", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_file_in_place_of_the_figures_folder_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    assert run(*RUN, "--figures", "taken") == 2
    assert "taken" in capsys.readouterr().err


class Cluster:
    """In place of a Ray cluster: plays in this thread, and notes what for."""

    told: ClassVar[list[object]] = []

    def __init__(self, address: str, actors: int | None) -> None:
        self.told.append((address, actors))

    def __call__(self, spec: MatchSpec, indices: Collection[int]) -> Crew:
        self.told.append(spec.games)
        return InlineCrew(Table(spec, Control()), indices)

    def close(self) -> None:
        self.told.append("closed")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return what a cluster is told."""
    monkeypatch.setattr(ray_crew, "RayCluster", Cluster)
    Cluster.told = []
    return Cluster.told


@pytest.mark.usefixtures("_blank")
def test_a_cluster_plays_the_games_of_matches(capsys: pytest.CaptureFixture[str], cluster: list[object]) -> None:
    data = []
    for more in (["--out", "here.html"], ["--out", "there.html", "--ray", "head:6379", "--workers", "3"]):
        assert run(*RUN, "--json", *more) == 0
        data.append(json.loads(capsys.readouterr().out))
    assert cluster[0] == ("head:6379", 3)
    assert cluster[-1] == "closed"
    assert set(cluster[1:-1]) == {2}
    assert reproducible(data[0]) == reproducible(data[1])
    assert "head" not in data[1]["command"], "who repeats it has another cluster, or none"


def test_levels_are_not_for_a_cluster(
    capsys: pytest.CaptureFixture[str], cluster: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("experiment", "gvgp-ufjf", "--ray", "local") == 2
    err = capsys.readouterr().err
    assert "gvgp-ufjf plays no matches" in err
    assert len(err.splitlines()) == 1
    assert cluster == []

    study = load_study("gvgp-ufjf")
    monkeypatch.setattr(type(study), "missing", lambda _self: None)
    monkeypatch.setattr(together, "PARTS", (("gvgp-ufjf", None),))

    def measured(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(type(study), "measure", measured)
    assert run("experiment", "all", "--ray", "local") == 130
    assert "gvgp-ufjf plays no matches: it is played on this machine, by one worker" in capsys.readouterr().err
    assert cluster == [("local", None), "closed"]


def test_the_bar_is_silent_when_piped(capsys: pytest.CaptureFixture[str]) -> None:
    with experiment._progress() as show:
        show("games", 1, 2)
    assert capsys.readouterr().err == ""


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all studies be two, one of which can't be run."""
    monkeypatch.setattr(together, "PARTS", (("connect4-report", None), ("gvgp-ufjf", None)))
    monkeypatch.delenv("OPONENTE_VGDL", raising=False)


ALL = ["experiment", "all", "--games", "2", "--match-games", "2", "--seed", "3"]


@pytest.mark.usefixtures("_few")
def test_all_studies_make_one_report(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(*ALL) == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[0].startswith("note: gvgp-ufjf will not be run: ")
    assert "gvgp-ufjf was not run" in err
    assert "OPONENTE_VGDL" in err
    assert out.splitlines()[0].split() == ["study", "reproduced", "exceeded", "undecided", "differs"]
    folder = tmp_path / "report"
    assert sorted(path.name for path in folder.iterdir()) == [
        "connect4-report.html",
        "connect4-report.json",
        "index.html",
    ]
    html = (folder / "index.html").read_text()
    checker = Checker()
    checker.feed(html)
    assert not checker.open
    assert len(checker.ids) == len(set(checker.ids))
    assert {"connect4-report", "gvgp-ufjf"} <= set(checker.ids)
    for reference in checker.references:
        assert not reference.startswith("#") or reference[1:] in checker.ids, reference
    assert "Not run: " in html
    assert html.index("Not all is here") < html.index('href="#gvgp-ufjf"') < html.index("Published findings</caption>")
    one = (folder / "connect4-report.html").read_text()
    assert html.count("<figure") == one.count("<figure") > 4
    assert "oponente experiment all --scale standard --seed 3 --games 2 --match-games 2 --out report" in html

    assert run(*ALL) == 2
    assert "give --resume" in capsys.readouterr().err
    before = (folder / "connect4-report.json").read_bytes()
    assert run(*ALL, "--resume", "--json") == 0
    studies = json.loads(capsys.readouterr().out)["studies"]
    assert [study["data"] is None for study in studies] == [False, True]
    assert (folder / "connect4-report.json").read_bytes() == before
    for other in ((*ALL[:-1], "4"), (*ALL, "--games", "3"), (*ALL, "--scale", "quick")):
        assert run(*other, "--resume") == 2
        assert "is of another run" in capsys.readouterr().err


@pytest.mark.usefixtures("_few")
@pytest.mark.parametrize("wrong", [["connect4"], ["--figures", "pictures"], ["--out", "file"]])
def test_all_takes_no_game_and_no_figures(capsys: pytest.CaptureFixture[str], tmp_path: Path, wrong: list[str]) -> None:
    (tmp_path / "file").write_text("")
    assert run("experiment", "all", *wrong) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
