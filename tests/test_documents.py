"""The examples in the documents do what the documents say."""

import dataclasses
import re
import tomllib
from pathlib import Path

import pytest

from oponente.arena.schema import metadata
from oponente.cli.main import main
from oponente.games.catalogue import load_game

ROOT = Path(__file__).parents[1]


DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]


def code_blocks(document, language):
    """Return the code blocks of a document in one language."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)


def written_files(document, folder):
    """Write the Python blocks that begin with a file name to a folder."""
    for block in code_blocks(document, "python"):
        name = re.match(r"# (\w+\.py)\n", block)
        if name:
            (folder / name[1]).write_text(block)


def commands(document):
    """Return the `oponente` commands of a document's shell blocks, as lists of arguments."""
    lines = [line for block in code_blocks(document, "sh") for line in block.splitlines()]
    return [re.findall(r'""|\S+', line)[1:] for line in lines if line.startswith("oponente ")]


@pytest.mark.parametrize("document", ["README.md", "docs/searches/README.md", "docs/searches/evaluation.md"])
def test_examples_run(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPONENTE_RECORDS", str(tmp_path / "records.db"))
    written_files(document, tmp_path)
    found = commands(document)
    assert found
    for arguments in found:
        arguments = ["" if argument == '""' else argument for argument in arguments]
        if arguments[0] == "serve":  # until it is stopped
            continue
        if arguments[0] == "match" and "--games" not in arguments:
            arguments += ["--games", "4"]
        main(arguments)
        assert capsys.readouterr().out


def test_own_game_of_the_readme_conforms(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written_files("README.md", tmp_path)
    plain = [block for block in code_blocks("README.md", "python") if "check_game" in block]
    assert len(plain) == 1
    exec(plain[0], {})


def test_own_game_of_the_readme_is_forty_lines():
    block = next(block for block in code_blocks("README.md", "python") if "nim.py" in block)
    assert len([line for line in block.splitlines() if line.strip()]) <= 40


def test_links_lead_somewhere():
    for document in DOCUMENTS:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text()):
            assert (document.parent / target).exists(), f"{document.name}: {target}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_nothing_is_left_to_fill_in(document):
    assert not re.findall(r"@[A-Z][A-Z0-9_]*@", document.read_text())


@pytest.mark.parametrize("table", metadata.tables.values(), ids=lambda table: table.name)
def test_every_column_is_documented(table):
    section = (
        (ROOT / "docs" / "records.md").read_text().split(f"\n`{table.name}`: ")[1].split("\n\n`")[0].split("\n#")[0]
    )
    items = re.findall(r"^- (.*(?:\n  .*)*)", section, re.MULTILINE)
    assert items
    assert all(item.startswith("`") for item in items), "every item begins with a column"
    described = set(re.findall(r"`(\w+)`", section))
    assert not {column.name for column in table.columns} - described


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "catan", "risk"])
def test_every_field_of_a_games_record_is_documented(game):
    section = (ROOT / f"docs/games/{game}.md").read_text().split("## The record of a state\n")[1].split("\n## ")[0]
    fields = {name for name in load_game(game).start().record.dtype.names if not name.startswith("_")}
    assert not fields - set(re.findall(r"`(\w+)", section))


@pytest.mark.parametrize("game", ["connect4", "catan", "vgdl"])
def test_every_option_of_a_game_is_documented(game):
    section = (ROOT / f"docs/games/{game}.md").read_text().split("## Options\n")[1].split("\n## ")[0]
    described = {
        name for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }
    assert not {field.name for field in dataclasses.fields(load_game(game).options)} - described


def test_modules_that_users_import_are_in_the_reference():
    reference = "\n".join(page.read_text() for page in (ROOT / "docs" / "api").glob("*.rst"))
    listed = set(re.findall(r"(?:automodule|public):: (\S+)", reference))
    for document in DOCUMENTS:
        blocks = code_blocks(document.relative_to(ROOT), "python") + code_blocks(document.relative_to(ROOT), "pycon")
        for module in re.findall(r"(?:from|import) (oponente\.[\w.]+)", "\n".join(blocks)):
            assert {module, *(name for name in listed if name.startswith(module + "."))} & listed, (
                f"{document.name}: {module}"
            )


def test_catanatron_is_installed_by_the_extras_that_its_page_names():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    sentence = re.search(r"only the extras ([^.]*) install it", (ROOT / "docs" / "catanatron.md").read_text())[1]
    having = {name for name, wanted in extras.items() if any(line.startswith("catanatron") for line in wanted)}
    assert set(re.findall(r"`(\w+)`", sentence)) == having


def test_commands_in_the_readme_exist():
    block = code_blocks("README.md", "sh")[0]
    for script in re.findall(r"^(scripts/\w+)", block, re.MULTILINE):
        assert (ROOT / script).stat().st_mode & 0o111, f"{script} is not executable"


def test_benchmarks_named_in_documents_exist():
    for document in DOCUMENTS:
        for name in re.findall(r"python (benchmarks/\w+\.py)", document.read_text()):
            assert (ROOT / name).exists(), f"{document.name}: {name}"
