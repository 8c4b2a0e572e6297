"""``oponente conform``: what it prints, and its exit status."""

import json
import shutil
from pathlib import Path

import pytest

from oponente.cli.main import main

DATA = Path(__file__).parents[1] / "data/catanatron"


def run(capsys, *arguments):
    """Return exit status, standard output and standard error of a command."""
    try:
        main([str(argument) for argument in arguments])
        status = 0
    except SystemExit as exit_:
        status = exit_.code or 0
    captured = capsys.readouterr()
    return status, captured.out, captured.err


@pytest.fixture
def folder(tmp_path):
    shutil.copy(DATA / "g08-2p-spiral.jsonl.gz", tmp_path)
    listed = json.loads((DATA / "deviations.json").read_text())["g08"]
    (tmp_path / "deviations.json").write_text(json.dumps({"g08": listed}))
    return tmp_path


def test_agreement(capsys, folder):
    status, out, _ = run(capsys, "conform", "catanatron", folder, "--json")
    report = json.loads(out)
    assert status == 0
    assert (report["games"], report["differences"], report["first_differences"]) == (1, 0, [])
    status, out, _ = run(capsys, "conform", "catanatron", folder)
    assert status == 0
    assert out.startswith(f"1 games, {report['actions']:,} actions, 0 differences\n")


def test_a_difference(capsys, folder):
    (folder / "deviations.json").write_text('{"g08": [[5, "win", null, 1]]}')
    status, out, _ = run(capsys, "conform", "catanatron", folder, "--json")
    assert status == 1
    assert {"file": "g08-2p-spiral.jsonl.gz", "line": 6, "field": "deviation"}.items() <= json.loads(out)[
        "first_differences"
    ][0].items()
    status, out, _ = run(capsys, "conform", "catanatron", folder)
    assert status == 1
    assert 'g08-2p-spiral.jsonl.gz:6  deviation  theirs [5, "win", null, 1]  ours null' in out


def test_risk(capsys, tmp_path):
    shutil.copy(DATA.parent / "risk/game07_angry_vs_montecarlo.jsonl.gz", tmp_path)
    status, out, _ = run(capsys, "conform", "risk", tmp_path)
    assert status == 0
    assert out == "1 games, 149 commands, 0 differences\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("elsewhere", "."), "catanatron"),
        (("catanatron", "nowhere"), "nowhere is no folder"),
        (("catanatron", __file__), "is no folder"),
        (("catanatron", Path(__file__).parent), "holds no recordings"),
    ],
)
def test_mistakes(capsys, arguments, message):
    status, out, err = run(capsys, "conform", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_recordings_of_gvgai_that_cannot_be_played_count_as_different(capsys, tmp_path):
    (tmp_path / "single").mkdir()
    (tmp_path / "single" / "a_lvl0.jsonl.gz").write_bytes(b"no gzip")
    status, out, _ = run(capsys, "conform", "vgdl", tmp_path, "--option", f"games={tmp_path}", "--json")
    report = json.loads(out)
    assert status == 1
    assert report["by_folder"] == {"single": {"traces": 1, "equal": 0}}
    assert [report[key] for key in ("traces", "equal", "sequences", "ticks", "differences")] == [1, 0, 0, 0, 1]
    assert set(report["first_differences"][0]) == {"file", "line", "field", "theirs", "ours", "seq", "t"}
    status, out, _ = run(capsys, "conform", "vgdl", tmp_path)
    assert (status, out.splitlines()[:2]) == (
        1,
        ["1 traces, 0 equal, 0 sequences, 0 ticks, 1 differences", "  single: 0 of 1 equal"],
    )


def test_options_are_for_recordings_that_do_not_say_theirs(capsys, folder):
    status, _, err = run(capsys, "conform", "catanatron", folder, "--option", "players=2")
    assert status == 2
    assert "recordings of catanatron say themselves with which options they were made" in err
