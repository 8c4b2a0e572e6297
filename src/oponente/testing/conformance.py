"""The conformance suite: all checks, run on the positions of random games.

Every check is a function of a :class:`~oponente.testing.sample.Sample` and raises
:class:`~oponente.testing.ConformanceError`. :func:`check_game` runs them all; :class:`GameConformance` makes each a
test of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from oponente.kernel import Game, State
from oponente.testing.checks import constants, ends, hashing, isolation, knowledge, notation, offers, strategy, symmetry
from oponente.testing.sample import Invariant, Sample

Check = Callable[[Sample], None]

CHECKS: dict[str, Check] = {
    check.__name__.removeprefix("check_"): check
    for check in (
        constants.check_constants,
        offers.check_initial,
        offers.check_actions,
        offers.check_legal,
        offers.check_chance,
        offers.check_sample_chance,
        offers.check_sample_action,
        isolation.check_purity,
        isolation.check_apply,
        isolation.check_replay,
        isolation.check_copy,
        hashing.check_hash_state,
        ends.check_returns,
        notation.check_bytes,
        notation.check_action_text,
        notation.check_text,
        notation.check_svg,
        knowledge.check_encode,
        knowledge.check_observed,
        knowledge.check_determinize,
        knowledge.check_leaks,
        knowledge.check_reseed,
        strategy.check_evaluators,
        strategy.check_policies,
        strategy.check_redundancy,
        strategy.check_priors,
        strategy.check_beliefs,
        strategy.check_features,
        symmetry.check_symmetries,
    )
}
"""All checks by name, in the order in which :func:`check_game` runs them."""


def check_game(
    game: Game, *, games: int = 10, seed: int = 0, max_plies: int = 20_000, invariant: Invariant | None = None
) -> None:
    """Run all checks on random games.

    Args:
        game: to be checked.
        games: how many random games to play.
        seed: of all chance; the same seed does exactly the same.
        max_plies: a game that is longer counts as endless.
        invariant: raises AssertionError for a state that can't be (say, with a card in two hands); called on the
            states of random play and on samples of what a seat can't know.

    Raises:
        ConformanceError: for the first rule that is broken.
    """
    CHECKS["constants"](_Unplayed(game))
    sample = Sample(game, games, seed, max_plies, invariant)
    for check in CHECKS.values():
        check(sample)


class GameConformance:
    """Base of a test class that puts a game through the suite, every check a test (for pytest).

    Derive a class that makes the game::

        class TestMyGame(GameConformance):
            def make_game(self):
                return Game(my_rules)
    """

    games = 10
    seed = 0
    max_plies = 20_000
    _sample: Sample | None = None

    def make_game(self) -> Game:
        """Return the game to check."""
        raise NotImplementedError(f"{type(self).__name__} must define make_game")

    def invariant(self, state: State) -> None:
        """Raise AssertionError for a state that can't be. By default, any state can."""

    def sample(self) -> Sample:
        """Return the random games that all checks of the class look at."""
        cls = type(self)
        sample: Sample | None = cls.__dict__.get("_sample")
        if sample is None:
            game = self.make_game()
            CHECKS["constants"](_Unplayed(game))
            sample = cls._sample = Sample(game, cls.games, cls.seed, cls.max_plies, self.invariant)
        return sample


class _Unplayed(Sample):
    """A sample of no games: all that a check of constants needs."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, games=0)


def _add_test(name: str, check: Check) -> None:
    def test(self: GameConformance) -> None:
        check(self.sample())

    test.__name__ = f"test_{name}"
    test.__qualname__ = f"{GameConformance.__qualname__}.{test.__name__}"
    test.__doc__ = check.__doc__
    setattr(GameConformance, test.__name__, test)


for _name, _check in CHECKS.items():
    _add_test(_name, _check)
