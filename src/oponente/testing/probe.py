"""Calls of a game's rules that trust nothing: guarded buffers, exceptions reported with the position.

:class:`~oponente.kernel.State` relies on a game that fulfils the contract. A check may not, so it calls the rules
through a :class:`Probe`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import CHANCE, TERMINAL, Game, State, Stream, bridge, stream
from oponente.testing import entries
from oponente.testing.errors import ConformanceError, describe

GUARD = 4096
"""Entries behind MAX_ACTIONS that must stay untouched. Room for a game that lists too many, so that it can be told."""
_UNTOUCHED = -(2**31)
_UNWRITTEN = np.uint64(0x5555555555555555)
_UNUSED = stream(0, "unused")


class Look:
    """Whose turn it is at a position, and what is possible there."""

    __slots__ = ("listed", "player", "probs")

    def __init__(self, player: int, listed: list[int], probs: list[float]) -> None:
        self.player = player
        #: Listed actions, or outcomes at a chance node.
        self.listed = listed
        #: Probabilities of the outcomes; empty elsewhere.
        self.probs = probs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Look) and (self.player, self.listed, self.probs) == (
            other.player,
            other.listed,
            other.probs,
        )

    __hash__ = None  # type: ignore[assignment]


class Probe:
    """The rules of `game`, called for the check named `rule`."""

    def __init__(self, game: Game, rule: str) -> None:
        self.game = game
        self.rule = rule
        self._state: State | None = None
        self._seed: int | None = None

    def at(self, state: State, seed: int | None) -> Probe:
        """Name the position that failures are reported at; return the probe."""
        self._state, self._seed = state, seed
        return self

    def fail(self, found: str) -> ConformanceError:
        """Return the error to raise."""
        where = "" if self._state is None else describe(self._state, self._seed)
        return ConformanceError(self.rule, found, where)

    def require(self, condition: object, found: str) -> None:
        """Raise unless the condition holds."""
        if not condition:
            raise self.fail(found)

    # --- calls -----------------------------------------------------------------------------------------------------

    def look(self, array: Any) -> Look:
        """Return player and listed actions, or outcomes; their number and range are checked."""
        game = self.game
        size = max(game.max_actions, game.max_chance)
        ints = np.full(size + GUARD, _UNTOUCHED, np.int32)
        floats = np.full(max(size, game.num_players) + GUARD, np.nan)
        player, count = self._call("player, actions or chance", bridge.LOOK, array, 0, ints=ints, floats=floats)
        self.require(
            player in (CHANCE, TERMINAL) or 0 <= player < game.num_players,
            f"player returned {player}; expected 0 to {game.num_players - 1}, CHANCE ({CHANCE}) or TERMINAL "
            f"({TERMINAL})",
        )
        if player == TERMINAL:
            return Look(player, [], [])
        what, constant = ("chance", "MAX_CHANCE") if player == CHANCE else ("actions", "MAX_ACTIONS")
        bound = game.max_chance if player == CHANCE else game.max_actions
        self.require(
            count <= bound and (ints[bound:] == _UNTOUCHED).all(),
            f"{what} lists {count} entries, more than {constant} = {bound}",
        )
        self.require(
            count >= 1,
            "chance lists no outcome at a chance node" if player == CHANCE else f"player {player} has no listed action",
        )
        return Look(player, ints[:count].tolist(), floats[:count].tolist() if player == CHANCE else [])

    def legal(self, array: Any, action: int) -> bool:
        """Return what `legal` says."""
        return bool(self._call(f"legal({action})", bridge.LEGAL, array, action)[0])

    def apply(self, array: Any, action: int) -> None:
        """Apply an action or outcome in place."""
        self._call(f"apply({action})", bridge.APPLY, array, action)

    def copy(self, array: Any) -> Any:
        """Return a copy of one state, made as searches make it, over a record that holds something else."""
        if not hasattr(self.game.rules, "copy_state"):
            return array.copy()
        states = self.game.new_states(2)
        states.view(np.uint8)[:] = 0x55
        states[1] = array[0]
        try:
            entries.copy_one(self.game.tables, states, 0, 1)
        except Exception as error:
            raise self.fail(f"copy_state raised {type(error).__name__}: {error}") from error
        return states[:1]

    def hash_state(self, array: Any) -> tuple[int, int]:
        """Return the words by which a table knows a state; that nothing behind them is written is checked."""
        out = np.full(2 + GUARD, _UNWRITTEN, np.uint64)
        words = self.game.words(array)[0]
        try:
            entries.hash_one(self.game.tables, array, words, out[:2])
        except Exception as error:
            raise self.fail(f"hash_state raised {type(error).__name__}: {error}") from error
        self.require((out[2:] == _UNWRITTEN).all(), "hash_state writes more than two words")
        return int(out[0]), int(out[1])

    def initial(self, rng: Stream) -> Any:
        """Return a new array of one start position."""
        array = self.game.new_states(1)
        self._call("initial", bridge.INITIAL, array, 0, rng=rng)
        return array

    def returns(self, array: Any) -> list[float]:
        """Return the utilities; that each is written is checked, and nothing behind them."""
        floats = np.full(self.game.num_players + GUARD, np.nan)
        self._call("returns", bridge.RETURNS, array, 0, floats=floats[: self.game.num_players])
        self.require(
            np.isnan(floats[self.game.num_players :]).all(),
            f"returns writes more than {self.game.num_players} values, one a player",
        )
        values: list[float] = floats[: self.game.num_players].tolist()
        return values

    def sample_chance(self, array: Any, rng: Stream) -> int:
        """Return a drawn outcome."""
        return self._call("sample_chance", bridge.SAMPLE_CHANCE, array, 0, rng=rng)[0]

    def sample_action(self, array: Any, rng: Stream) -> int:
        """Return a drawn action."""
        ints = np.zeros(self.game.max_actions + GUARD, np.int32)
        return self._call("sample_action", bridge.SAMPLE_ACTION, array, 0, rng=rng, ints=ints)[0]

    def observed(self, array: Any, action: int, seat: int) -> int:
        """Return an action as a seat sees it."""
        return self._call_hidden(f"observed({action}, {seat})", bridge.OBSERVED, array, action, seat)

    def determinize(self, array: Any, seat: int, rng: Stream) -> Any:
        """Return a determinized copy."""
        result = self.game.copied(array)
        self._call_hidden(f"determinize({seat})", bridge.DETERMINIZE, result, 0, seat, rng=rng)
        return result

    def reseed(self, array: Any, rng: Stream) -> Any:
        """Return a copy whose inner random stream starts anew."""
        result = self.game.copied(array)
        self._call_hidden("reseed", bridge.RESEED, result, 0, 0, rng=rng)
        return result

    def encode(self, array: Any, seat: int, filling: float = 0.0) -> npt.NDArray[np.float32]:
        """Return the features, written over `filling`."""
        features = np.full(self.game.encoding + GUARD, filling, np.float32)
        self._call_hidden(f"encode({seat})", bridge.ENCODE, array, 0, seat, features=features[: self.game.encoding])
        self.require(
            (features[self.game.encoding :] == np.float32(filling)).all(),
            f"encode writes more than ENCODING = {self.game.encoding} features",
        )
        return features[: self.game.encoding]

    def evaluate(self, name: str, array: Any) -> list[float]:
        """Return the values that the game's evaluator `name` gives; that nothing behind them is written is checked."""
        count = self.game.num_players
        floats = np.full(count + GUARD, np.nan)
        try:
            entries.evaluate_one(self.game.evaluators[name], self.game.tables, array, floats[:count])
        except Exception as error:
            raise self.fail(f"evaluator {name} raised {type(error).__name__}: {error}") from error
        self.require(np.isnan(floats[count:]).all(), f"evaluator {name} writes more than {count} values, one a player")
        values: list[float] = floats[:count].tolist()
        return values

    def playout_action(self, name: str, array: Any, rng: Stream) -> int:
        """Return the action that the game's playout policy `name` plays; that its buffer suffices is checked."""
        size = self.game.max_actions
        ints = np.full(size + GUARD, _UNTOUCHED, np.int32)
        policy = self.game.policies[name]
        try:
            action = int(entries.playout_action_one(policy, self.game.tables, array, rng, ints[:size]))
        except Exception as error:
            raise self.fail(f"policy {name} raised {type(error).__name__}: {error}") from error
        self.require(
            (ints[size:] == _UNTOUCHED).all(), f"policy {name} writes more than MAX_ACTIONS = {size} to its buffer"
        )
        return action

    def redundant(self, name: str, before: int, action: int, array: Any) -> float:
        """Return what the game's playout policy `name` says of an action that may undo the last one."""
        policy = self.game.policies[name]
        try:
            return float(entries.redundant_one(policy, self.game.tables, array, before, action))
        except Exception as error:
            raise self.fail(f"redundant of policy {name} raised {type(error).__name__}: {error}") from error

    def stale(self, name: str, array: Any) -> float:
        """Return what the game's playout policy `name` says of a position in which a player may have been."""
        try:
            return float(entries.stale_one(self.game.policies[name], self.game.tables, array))
        except Exception as error:
            raise self.fail(f"stale of policy {name} raised {type(error).__name__}: {error}") from error

    def prior_weights(self, name: str, array: Any, listed: list[int]) -> list[float]:
        """Return the weights that the game's prior `name` gives actions; that they are left alone is checked, and that
        nothing behind the weights is written.
        """
        count = len(listed)
        weights, actions = np.full(count + GUARD, np.nan), np.full(count + GUARD, _UNTOUCHED, np.int32)
        actions[:count] = listed
        try:
            entries.prior_weights_one(self.game.priors[name], self.game.tables, array, actions, count, weights)
        except Exception as error:
            raise self.fail(f"prior {name} raised {type(error).__name__}: {error}") from error
        self.require(np.isnan(weights[count:]).all(), f"prior {name} writes more than {count} weights, one an action")
        self.require(
            actions[:count].tolist() == listed and (actions[count:] == _UNTOUCHED).all(),
            f"prior {name} changes the actions that it is to weigh",
        )
        found: list[float] = weights[:count].tolist()
        return found

    def likelihood(self, name: str, array: Any, seat: int) -> float:
        """Return the likelihood that the game's belief `name` gives what a seat can't see."""
        try:
            return float(entries.likelihood_one(self.game.beliefs[name], self.game.tables, array, seat))
        except Exception as error:
            raise self.fail(f"belief {name} raised {type(error).__name__}: {error}") from error

    def features(self, name: str, array: Any, seat: int) -> list[float]:
        """Return what the game's features `name` tell a seat; that nothing behind them is written is checked."""
        count = self.game.feature_count(name)
        floats = np.zeros(count + GUARD, np.float32)
        floats[count:] = np.nan
        try:
            entries.features_one(self.game.features[name], self.game.tables, array, seat, floats[:count])
        except Exception as error:
            raise self.fail(f"features {name} raised {type(error).__name__}: {error}") from error
        self.require(np.isnan(floats[count:]).all(), f"features {name} are more than {count}, FEATURES of their module")
        values: list[float] = floats[:count].tolist()
        return values

    def _call(
        self,
        what: str,
        operation: int,
        array: Any,
        action: int,
        *,
        rng: Any = None,
        ints: Any = None,
        floats: Any = None,
    ) -> tuple[int, int]:
        if rng is None:
            rng = _UNUSED.copy()
        if ints is None:
            ints = np.zeros(1, np.int32)
        if floats is None:
            floats = np.zeros(1)
        try:
            first, second = self.game.operate(operation, array, action, rng, ints, floats)
        except Exception as error:
            raise self.fail(f"{what} raised {type(error).__name__}: {error}") from error
        return int(first), int(second)

    def _call_hidden(
        self, what: str, operation: int, array: Any, action: int, seat: int, *, rng: Any = None, features: Any = None
    ) -> int:
        if rng is None:
            rng = _UNUSED.copy()
        if features is None:
            features = np.zeros(1, np.float32)
        try:
            return int(self.game.operate_hidden(operation, array, action, seat, rng, features))
        except Exception as error:
            raise self.fail(f"{what} raised {type(error).__name__}: {error}") from error


def play_to_end(probe: Probe, array: Any, rng: Stream, max_plies: int) -> int:
    """Play listed actions and outcomes at random, in place, until the game is over; return how many."""
    from oponente.kernel import random_below

    for ply in range(max_plies):
        look = probe.look(array)
        if look.player == TERMINAL:
            return ply
        action = (
            probe.sample_chance(array, rng)
            if look.player == CHANCE
            else look.listed[random_below(rng, len(look.listed))]
        )
        probe.apply(array, int(action))
    raise probe.fail(f"the game is not over after {max_plies} more actions")
