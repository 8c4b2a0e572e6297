"""What a shell completes beside commands and options: games, their options, agents and their parameters.

Nothing is compiled for it, and a user's file is never run because somebody presses a key: ``--game-file`` and
``--agent-file`` are not looked at.
"""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class

from oponente.games.catalogue import BUILT_IN, agent_classes, load_game
from oponente.kernel import Declared, Game, declared

_BREAKS = set(":=")
"""Where bash ends a word, unless its COMP_WORDBREAKS was changed; they are words of their own then."""


class BashBrokenWords(BashComplete):
    """Completes in bash, which takes ``uct:c=1`` for the five words ``uct``, ``:``, ``c``, ``=`` and ``1``.

    They are put together again, and answered is what stands for the last of them, which is all that bash replaces.
    """

    # After an equal sign comes a value, not the next word.
    source_template = BashComplete.source_template.replace(
        "COMPREPLY+=($value)", "COMPREPLY+=($value)\n            [[ $value == *= ]] && compopt -o nospace"
    )
    _typed = ""
    """What stands before the last part of the word that is completed."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        after_break = False
        for word in [*args, incomplete]:
            is_break = bool(word) and set(word) <= _BREAKS
            if words and (is_break or after_break):
                self._typed = words[-1] + word if is_break else words[-1]
                words[-1] += word
            else:
                self._typed = ""
                words.append(word)
            after_break = is_break
        if self._typed.startswith("-"):
            self._typed = self._typed.partition("=")[2]  # an option's name is no part of what click answers
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """Return an answer without what stands before the last break."""
        value = str(item.value).removeprefix(self._typed)
        return super().format_completion(CompletionItem(value, item.type, item.help))


add_completion_class(BashBrokenWords)


def games(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a game."""
    return [CompletionItem(name, help=about) for name, about in BUILT_IN.items() if name.startswith(incomplete)]


def game_options(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete KEY=VALUE of the game."""
    game = _game(context)
    return [] if game is None else _assignments(declared(type(game.options)), incomplete)


def agents(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the spec of an agent that plays the game: its name, and then its parameters."""
    game = _game(context)
    if game is None:
        return []
    classes = {agent.name: agent for agent in agent_classes(game)}
    name, colon, rest = incomplete.partition(":")
    if not colon:
        return [CompletionItem(found) for found in sorted(classes) if found.startswith(name)]
    if name not in classes:
        return []
    before, comma, last = rest.rpartition(",")
    found = _assignments(declared(classes[name].Parameters), last)
    return [CompletionItem(f"{name}:{before}{comma}{item.value}", help=item.help) for item in found]


def _game(context: click.Context) -> Game | None:
    """Return the game that the command line names, None if that is none of ours."""
    # Where an option still lacks its value, click has read no arguments yet.
    words: list[Any] = [context.params.get("game_name"), *context.args]
    return next((load_game(word) for word in words if word in BUILT_IN), None)


def _assignments(fields: list[Declared], incomplete: str) -> list[CompletionItem]:
    name, equals, value = incomplete.partition("=")
    if not equals:
        return [CompletionItem(f"{field.name}=", help=field.meaning) for field in fields if field.name.startswith(name)]
    return [
        CompletionItem(f"{name}={choice}")
        for field in fields
        if field.name == name
        for choice in (field.choices or (("true", "false") if field.kind == "bool" else ()))
        if choice.startswith(value)
    ]
