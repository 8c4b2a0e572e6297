"""Checks of where games say that actions lie."""

import random
from html import escape

from oponente import load_game
from oponente.kernel import stream
from oponente.web.line import choices


def placed(name, options, plies):
    """Play at random and check that every place of a legal action is in the picture; return the kinds of places."""
    state = load_game(name, options).start(2)
    generator, rng, kinds = random.Random(3), stream(1, "test"), set()
    for _ in range(plies):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply_chance(rng)
            continue
        picture = state.svg()
        for choice in choices(state, list(state.legal_actions)):
            for place in [*choice["places"], *([choice["piece"]] if choice["piece"] else [])]:
                kind, _, value = place.partition(" ")
                kinds.add(kind)
                assert f'data-{kind}="{escape(value)}"' in picture
        state.apply(generator.choice(list(state.legal_actions)))
    return kinds
