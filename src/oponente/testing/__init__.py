"""The conformance suite for games, the package's and yours.

Run it on your own game, from Python::

    from oponente.kernel import Game
    from oponente.testing import check_game

    import my_rules

    check_game(Game(my_rules))          # raises ConformanceError: rule, position, what was expected

or with pytest, every check a test of its own::

    from oponente.testing import GameConformance

    class TestMyGame(GameConformance):
        def make_game(self):
            return Game(my_rules)

It plays random games and checks the rules contract (:mod:`oponente.kernel.rules`) at the positions that come up. Run it
with ``NUMBA_DISABLE_JIT=1`` too: in the interpreter, rules that read or write beyond an array or keep something in a
global raise or are seen, where compiled code may go on silently; and once with ``NUMBA_BOUNDSCHECK=1``.

Golden playthroughs are the other half: see :mod:`oponente.testing.playthrough`.
"""

from oponente.testing.conformance import CHECKS, GameConformance, check_game
from oponente.testing.errors import ConformanceError
from oponente.testing.playthrough import compare_playthrough, playthrough_text, update_playthrough
from oponente.testing.sample import Position, Sample

__all__ = [
    "CHECKS",
    "ConformanceError",
    "GameConformance",
    "Position",
    "Sample",
    "check_game",
    "compare_playthrough",
    "playthrough_text",
    "update_playthrough",
]
