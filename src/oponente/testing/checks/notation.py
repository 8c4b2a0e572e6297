"""Checks of bytes, texts and pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from oponente.kernel import IllegalActionError
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample, open_actions_of, spread


def check_bytes(sample: Sample) -> None:
    """A state read back from its bytes is the same state."""
    probe = Probe(sample.game, "bytes")
    for position in sample.spread(200, ends=True):
        probe.at(position.state, position.seed)
        again = sample.game.from_bytes(position.state.to_bytes())
        probe.require(again == position.state, "from_bytes(to_bytes()) gives another state")
        probe.require(probe.look(again.array) == position.look, "a state read from bytes has other legal actions")


def check_action_text(sample: Sample) -> None:
    """Every action and outcome has a text of its own, which parses back to it; so has what a seat sees of it."""
    game = sample.game
    probe = Probe(game, "action_text")
    open_actions = open_actions_of(game)
    for position in sample.spread(200, ends=True):
        probe.at(position.state, position.seed)
        state = position.state.copy()
        unlisted = list(open_actions(state)) if open_actions and position.look.player >= 0 else []
        texts: dict[str, int] = {}
        for action in [*spread(position.look.listed, 60), *unlisted]:
            text = _ask(probe, f"action_text({action})", state.action_text, action)
            probe.require(
                isinstance(text, str) and text.strip(), f"action {action} has the text {text!r}; expected a word"
            )
            probe.require("\n" not in text, f"action {action} has a text of several lines: {text!r}")
            probe.require(text not in texts, f"actions {texts.get(text)} and {action} have the same text {text!r}")
            texts[text] = action
            parsed = _ask(probe, f"parse_action({text!r})", state.parse_action, text)
            probe.require(parsed == action, f"action {action} has the text {text!r}, which parses as {parsed}")
        for action in spread(position.look.listed, 8):
            for seat in range(game.num_players):
                seen = probe.observed(position.array, action, seat)
                if seen != action:
                    text = _ask(probe, f"action_text({seen}), as seat {seat} sees {action},", state.action_text, seen)
                    probe.require(text.strip(), f"action {action}, seen by seat {seat} as {seen}, has no text")
        probe.require(state == position.state, "action_text or parse_action changes the state")
        for nonsense in ("", "?!", "\N{SNOWMAN}"):
            try:
                parsed = state.parse_action(nonsense)
            except IllegalActionError:
                continue
            except Exception as error:
                raise probe.fail(
                    f"parse_action({nonsense!r}) raised {type(error).__name__}: {error}; expected IllegalActionError"
                ) from error
            raise probe.fail(f"parse_action({nonsense!r}) gives action {parsed}; expected IllegalActionError")


def check_text(sample: Sample) -> None:
    """Every position can be written for a terminal, and its own notation, if there is one, reads back."""
    game = sample.game
    probe = Probe(game, "text")
    for position in sample.spread(100, ends=True):
        probe.at(position.state, position.seed)
        state = position.state.copy()
        text = _ask(probe, "text", state.text)
        probe.require(isinstance(text, str) and text.strip(), f"the position has the text {text!r}")
        write = getattr(game.text, "position_text", None)
        if write is not None:
            notation = _ask(probe, "position_text", write, state)
            again = _ask(probe, f"position({notation!r})", game.position, notation)
            probe.require(again == state, f"position_text gives {notation!r}, which reads back as another state")
        probe.require(state == position.state, "writing the position changes the state")


def check_svg(sample: Sample) -> None:
    """Every position can be drawn, as a well-formed SVG picture."""
    probe = Probe(sample.game, "svg")
    for position in sample.spread(30, ends=True):
        probe.at(position.state, position.seed)
        state = position.state.copy()
        picture = _ask(probe, "svg", state.svg)
        try:
            root = ElementTree.fromstring(picture)
        except ElementTree.ParseError as error:
            raise probe.fail(f"the picture is no well-formed XML: {error}") from error
        probe.require(
            root.tag == "{http://www.w3.org/2000/svg}svg", f"the picture's root is <{root.tag}>; expected <svg>"
        )
        probe.require(state == position.state, "drawing changes the state")


def _ask(probe: Probe, what: str, function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        raise probe.fail(f"{what} raised {type(error).__name__}: {error}") from error
