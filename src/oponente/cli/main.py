"""The command ``oponente``: one line for a user's mistake, exit status 2, and never a traceback for it."""

from __future__ import annotations

import gc
import importlib
import sys

import click

from oponente import __version__
from oponente.cli.common import announce_compilation

COMMANDS: dict[str, str] = {
    "games": "List the games, or the options of one.",
    "agents": "List the agents that play a game, with their parameters.",
    "play": "Play a game yourself.",
    "match": "Let agents play a match and show statistics.",
    "tournament": "Let many agents play each other, and rate them.",
    "sweep": "Try an agent at many values of its parameters.",
    "sprt": "Test which of two agents is better, in as few games as that takes.",
    "analyse": "Ask an agent what it thinks of positions.",
    "replay": "Show a recorded game, move by move.",
    "export": "Write games that were kept to a file for other programs.",
    "draw": "Draw a position as an SVG picture.",
    "bench": "Measure how fast a game runs here.",
    "conform": "Replay another engine's recordings and tell what differs.",
    "jsettlers": "Play as a robot on a JSettlers server.",
    "experiment": "Repeat a published study.",
    "serve": "Play, watch and analyse in a browser.",
    "train": "Tune agents and train networks by games.",
}


class LazyGroup(click.Group):
    """Loads the module of a command only when that command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, loaded."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"oponente.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say in one line which there are."""
        if args and args[0] not in COMMANDS:
            raise click.UsageError(f"there is no command {args[0]!r}; there are {', '.join(COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="oponente")
def cli() -> None:
    """Games with opponents, the agents that play them, and the arena that measures them."""


_NO_ARGUMENTS: tuple[type[Exception], ...] = tuple(filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)]))
"""What click raises, from version 8.2 on, where it used to print the help."""


_NEW_OBJECTS = 50_000
"""So many new objects are made before Python looks for garbage in cycles. By its default of 700 a match of short games
spends a fourteenth of its time looking through records that wait to be stored, and finds nothing.
"""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 2 the user's mistake, 130 interrupted."""
    gc.set_threshold(_NEW_OBJECTS)
    try:
        with announce_compilation():
            cli.main(args=arguments, prog_name="oponente", standalone_mode=False)
    except click.ClickException as error:
        if isinstance(error, _NO_ARGUMENTS):
            click.echo(error.ctx.get_help())  # type: ignore[attr-defined]
            sys.exit(error.exit_code)
        message = " ".join(_message(error).split())
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context is not None else ""
        print(f"oponente: {message}{hint}", file=sys.stderr)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        print("oponente: interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone (`oponente ... | head`): nothing is wrong.
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        print(f"oponente: {error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)


def _message(error: click.ClickException) -> str:
    """Return what an error says. What is no number at all is told the numbers that would be right, as others are."""
    message = error.format_message()
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param is not None else None
    unread = " is not a valid integer range." if isinstance(kind, click.IntRange) else " is not a valid float range."
    if not isinstance(kind, click.IntRange | click.FloatRange) or not message.endswith(unread):
        return message
    limits = [f", at {word} {value}" for word, value in (("least", kind.min), ("most", kind.max)) if value is not None]
    noun = "a whole number" if isinstance(kind, click.IntRange) else "a number"
    return message.removesuffix(unread) + f": expected {noun}" + "".join(limits)


if __name__ == "__main__":
    main()
