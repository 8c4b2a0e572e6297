"""The guide to the commands, and every command that stands on a page: that it is one, with its options.

Nothing is run. The tutorials are (``test_tutorials.py``), and some other pages (``tests/test_documents.py``).
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from oponente.cli.main import COMMANDS, cli

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands_of(page):
    """Return the calls of ``oponente`` on a page: in shell blocks, and in text blocks where a line begins with it."""
    found = []
    for kind, block in re.findall(r"^```(sh|text)\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            if kind == "text" and not line.startswith("oponente "):
                continue
            words = shlex.split(line, comments=True)
            while "oponente" in words:
                words = words[words.index("oponente") + 1 :]
                end = next((i for i, word in enumerate(words) if re.match(r"[|>]|2>", word)), len(words))
                found.append(words[:end])
    return found


CALLS = [(page, call) for page in PAGES for call in commands_of(page)]


def test_there_is_a_guide_to_each_command():
    folder = ROOT / "docs" / "commands"
    assert {page.stem for page in folder.glob("*.md")} == {*COMMANDS, "README"}
    for name in COMMANDS:
        assert f"```{{command}} {name}\n```" in (folder / f"{name}.md").read_text()


@pytest.mark.parametrize(("page", "call"), CALLS, ids=[f"{page.stem}: {' '.join(call)}" for page, call in CALLS])
def test_command_is_one(page, call):
    """Options exist, and are given values that they take; arguments are as many as the command has."""
    command: click.Command = cli
    context = click.Context(cli, info_name="oponente")
    while isinstance(command, click.Group):
        assert call, f"{context.command_path} needs a command"
        below = command.get_command(context, call[0])
        assert below is not None, f"there is no {context.command_path} {call[0]}"
        command, call = below, call[1:]
        context = click.Context(command, parent=context, info_name=command.name)
    parser = command.make_parser(context)
    values, left, _ = parser.parse_args(list(call))
    assert not left
    for parameter in command.params:
        given = values.get(parameter.name)
        if given is None or (isinstance(parameter, click.Option) and parameter.is_flag):
            continue
        for value in given if isinstance(given, list | tuple) else [given]:
            parameter.type(value, parameter, context)


def test_calls_are_found():
    assert len({page for page, _ in CALLS}) > 20
