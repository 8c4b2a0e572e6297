"""The directive ``command``: how a command is called, and a table of its options, from the command itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from oponente.cli.main import COMMANDS, cli

TITLES = ("option", "meaning", "default")
WIDTHS = (34, 46, 20)
CODE = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][\w-]*)")
"""What is code in a command's help: what stands between backticks, and names of options."""


class Command(SphinxDirective):
    """``{command} NAME``: usage, explanation and options of a command, and of the commands below it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return a section's content."""
        name = self.arguments[0]
        context = click.Context(cli, info_name="oponente")
        command = cli.get_command(context, name)
        if command is None:
            raise self.error(f"there is no command {name}; there are {', '.join(COMMANDS)}")
        return list(described(command, click.Context(command, info_name=name, parent=context)))


def described(command: click.Command, context: click.Context) -> Iterator[nodes.Node]:
    """Yield the nodes for a command, then those for the commands below it."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield nodes.literal_block(usage, usage, language="text")
    for paragraph in (command.help or "").split("\n\n"):
        yield nodes.paragraph("", "", *inline(" ".join(paragraph.split())))
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    if options:
        yield table([cells(option, context) for option in options])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            path = f"{context.command_path} {name}"
            section = nodes.section("", nodes.title(path, path), ids=[nodes.make_id(path)], names=[path])
            section += list(described(below, click.Context(below, info_name=name, parent=context)))
            yield section


def cells(option: click.Option, context: click.Context) -> tuple[list[nodes.Node], list[nodes.Node], list[nodes.Node]]:
    """Return what stands in the row of an option: its names and value, its meaning and range, its default."""
    value = "" if option.is_flag else " " + option.make_metavar(context).removesuffix(" RANGE")
    names = ", ".join((*option.opts, *option.secondary_opts))
    extra = option.get_help_extra(context)
    help_text, _, default = (option.help or "").partition("  [default: ")  # where the text itself says it
    meaning = inline(help_text) + (nodes_of(f" ({extra['range']})") if "range" in extra else [])
    shown = extra.get("default", default.rstrip("]"))
    return [nodes.literal("", names + value)], meaning, [nodes.literal("", str(shown))] if shown else []


def inline(text: str) -> list[nodes.Node]:
    """Return a text with its code as such."""
    result: list[nodes.Node] = []
    end = 0
    for match in CODE.finditer(text):
        result += nodes_of(text[end : match.start()])
        result.append(nodes.literal("", match[1] or match[2]))
        end = match.end()
    return result + nodes_of(text[end:])


def nodes_of(text: str) -> list[nodes.Node]:
    """Return a text as nodes, none if it is empty."""
    return [nodes.Text(text)] if text else []


def table(rows: list[tuple[list[nodes.Node], ...]]) -> nodes.table:
    """Return a table with the columns of :data:`TITLES`."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in WIDTHS), cols=len(TITLES))
    group += nodes.thead("", row([nodes_of(title) for title in TITLES]))
    group += nodes.tbody("", *map(row, rows))
    return nodes.table("", group)


def row(contents: list[list[nodes.Node]] | tuple[list[nodes.Node], ...]) -> nodes.row:
    """Return a row with a paragraph in each cell."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *content)) for content in contents))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the directive."""
    app.add_directive("command", Command)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
