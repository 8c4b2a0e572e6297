"""A state of a game, as Python code holds it: rules, notation, drawing and undo around one record."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import bridge
from oponente.kernel.game import Game, RulesError
from oponente.kernel.notation import quoted
from oponente.kernel.random import Stream, stream
from oponente.kernel.rules import CHANCE, PADDING, TERMINAL

_TAKE = bridge.TAKE
_NO_STREAM = np.zeros(4, np.uint64)
_NO_FLOATS = np.zeros(1)
_NO_PROBS: list[float] = []
_NO_FEATURES = np.zeros(1, np.float32)
_NOBODY = np.zeros(bridge.SEEN, np.int32)
"""Never written to, like the others: nobody is told of an action."""


class IllegalActionError(ValueError):
    """An action was applied that the rules do not allow; the message says which would be."""


class Witnesses:
    """How the seats of a game see an action: :meth:`State.apply` and :meth:`State.apply_chance` note it here.

    Args:
        game: the game. Where it hides nothing, nobody sees an action other than it is.
    """

    __slots__ = ("array",)

    def __init__(self, game: Game) -> None:
        seats = 0 if game.perfect_information else game.num_players
        #: What kernels write; see :mod:`oponente.kernel.bridge`.
        self.array = np.zeros(bridge.SEEN + seats, np.int32)

    @property
    def masked(self) -> bool:
        """Whether a seat did not see the last action as it was."""
        return bool(self.array[bridge.MASKED])

    @property
    def seen(self) -> list[int]:
        """The last action as each seat saw it; empty where nothing is hidden."""
        seen: list[int] = self.array[bridge.SEEN :].tolist()
        return seen


class LegalActions(Sequence[int]):
    """The listed legal actions of a state, found when first asked for. ``in`` also knows open actions."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __len__(self) -> int:
        return len(self._state._listed())

    def __getitem__(self, index: Any) -> Any:
        return self._state._listed()[index]

    def __iter__(self) -> Iterator[int]:
        return iter(self._state._listed())

    def __contains__(self, action: object) -> bool:
        return isinstance(action, int | np.integer) and self._state.is_legal(int(action))

    def __repr__(self) -> str:
        return f"<LegalActions [{', '.join(self._state.action_text(action) for action in self)}]>"


class State:
    """A state of `game`, changed in place by :meth:`apply`.

    >>> from oponente import load_game
    >>> state = load_game("connect4").start()
    >>> state.apply(state.parse_action("4"))
    >>> state.player, list(state.legal_actions)
    (1, [0, 1, 2, 3, 4, 5, 6])
    >>> state.undo()
    3
    """

    __slots__ = ("_cache", "_past", "array", "game", "history", "undoable")

    def __init__(self, game: Game, array: Any, history: list[int] | None = None) -> None:
        if array.dtype != game.state_dtype or not array.flags.writeable:
            raise ValueError(f"a state of {game.name} needs an array of its record that can be written to")
        self.game = game
        #: Array of one record, which kernels work on.
        self.array = array
        #: All actions and chance outcomes since the start, or since the state was read from bytes.
        self.history: list[int] = history if history is not None else []
        #: Whether :meth:`apply` keeps what :meth:`undo` needs, a copy of each earlier record.
        self.undoable = True
        self._past: list[bytes] = []
        # The player, and the actions or outcomes with their probabilities; None: nobody has looked yet.
        self._cache: tuple[int, list[int] | None, list[float]] | None = None

    @classmethod
    def start(cls, game: Game, seed: int = 0) -> State:
        """Return a start position of `game`; `seed` decides what varies from game to game."""
        state = cls(game, game.new_states(1))
        state._operate(bridge.INITIAL, rng=stream(seed, "start"))
        return state

    # --- whose turn, what is possible ------------------------------------------------------------------------------

    @property
    def record(self) -> Any:
        """The record itself; its fields are attributes."""
        return self.array[0]

    @property
    def player(self) -> int:
        """The number of the player to move, `CHANCE` or `TERMINAL`."""
        cache = self._cache
        return self._look()[0] if cache is None else cache[0]

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.player == TERMINAL

    @property
    def is_chance(self) -> bool:
        """Whether a chance event is due."""
        return self.player == CHANCE

    @property
    def legal_actions(self) -> LegalActions:
        """The listed legal actions, as a lazy view; empty at chance nodes and at the end."""
        return LegalActions(self)

    @property
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """At a chance node, every outcome with its probability."""
        player, outcomes, probs = self._look()
        return list(zip(outcomes, probs, strict=True)) if player == CHANCE else []

    @property
    def returns(self) -> list[float]:
        """The utility of each player.

        Raises:
            ValueError: the game is not over.
            RulesError: the rules give something that is no finite number.
        """
        if not self.is_terminal:
            raise ValueError("the game is not over")
        floats = np.zeros(self.game.num_players)
        self._operate(bridge.RETURNS, floats=floats)
        values: list[float] = floats.tolist()
        if not np.isfinite(floats).all():
            raise RulesError(f"{self.game.name}: returns gives {values}; every utility must be a finite number")
        return values

    def is_legal(self, action: int) -> bool:
        """Tell whether the player to move (or chance) may take `action`, listed or open."""
        player, listed, probs = self._look()
        if player == CHANCE:
            return any(action == outcome and prob > 0.0 for outcome, prob in zip(listed, probs, strict=True))
        if player == TERMINAL or not 0 <= action < 2**31:
            return False
        if action in listed:
            return True
        return bool(self._operate(bridge.LEGAL, action)[0])

    # --- changing the state ----------------------------------------------------------------------------------------

    def apply(self, action: int, witnesses: Witnesses | None = None) -> None:
        """Take a legal action, or a chance outcome at a chance node.

        Args:
            action: the action or outcome.
            witnesses: receives how the seats see it; None: nobody asks.

        Raises:
            IllegalActionError: the action is not legal.

        Whatever is raised, this or an error in the rules themselves, the state stays as it was, history included.
        """
        action = index(action)
        if not -(2**31) <= action < 2**31:
            raise IllegalActionError(self._refusal(action))
        self._advance(_TAKE, action, _NO_STREAM, _NOBODY if witnesses is None else witnesses.array)
        self.history.append(action)

    def apply_chance(self, rng: Stream, witnesses: Witnesses | None = None) -> int:
        """At a chance node, draw an outcome with its probability, take it and return it.

        Args:
            rng: the stream to draw from.
            witnesses: receives how the seats see it; None: nobody asks.

        Raises:
            ValueError: no chance event is due.
            IllegalActionError: the rules draw an outcome that is none of the possible ones.

        Whatever is raised, the state stays as it was, history included.
        """
        if self.player != CHANCE:
            raise ValueError("no chance event is due")
        told = np.zeros(bridge.SEEN, np.int32) if witnesses is None else witnesses.array
        self._advance(bridge.DRAW, 0, rng, told)
        outcome = int(told[bridge.DRAWN])
        self.history.append(outcome)
        return outcome

    def _advance(self, operation: int, action: int, rng: Stream, told: npt.NDArray[np.int32]) -> None:
        game = self.game
        before = game.state_bytes(self.array)
        try:
            player, count = game.operate(operation, self.array, action, rng, told, _NO_FLOATS)
        except BaseException:
            # Rules that raise have done part of the action, or all of it and then failed to list what may follow.
            self.array[:] = game.state_array(before)
            raise
        if player >= 0:
            right = player < game.num_players and 0 < count <= game.max_actions
        elif player == CHANCE:
            right = 0 < count <= game.max_chance
        elif player == bridge.REFUSED:
            drawn = operation == bridge.DRAW
            raise IllegalActionError(self._refusal(int(told[bridge.DRAWN]) if drawn else action))
        else:
            right = player == TERMINAL
        if self.undoable:
            self._past.append(before)
        # What is wrong here is told when somebody looks.
        self._cache = (player, None, _NO_PROBS) if right else None

    def undo(self) -> int:
        """Take back the last action and return it.

        Raises:
            IndexError: there is nothing to take back.
        """
        if not self._past:
            raise IndexError("nothing to take back")
        self.array = self.game.state_array(self._past.pop())
        self._cache = None
        return self.history.pop()

    def sample_chance(self, rng: Stream) -> int:
        """At a chance node, draw an outcome with its probability (and leave the state as it is)."""
        if not self.is_chance:
            raise ValueError("no chance event is due")
        return self._operate(bridge.SAMPLE_CHANCE, rng=rng)[0]

    def sample_action(self, rng: Stream) -> int:
        """Draw one of the listed legal actions, each equally likely."""
        if self.player < 0:
            raise ValueError("no player is to move")
        return self._operate(bridge.SAMPLE_ACTION, rng=rng, ints=np.zeros(self.game.max_actions, np.int32))[0]

    def copy(self) -> State:
        """Return an independent copy, history included."""
        other = State(self.game, self.game.copied(self.array), list(self.history))
        other._past = list(self._past)
        other.undoable = self.undoable
        return other

    # --- what a seat knows -----------------------------------------------------------------------------------------

    def observed(self, action: int, seat: int) -> int:
        """Return `action`, about to be taken, as `seat` sees it."""
        return int(self._operate_hidden(bridge.OBSERVED, action, seat))

    def determinize(self, seat: int, rng: Stream, history: Sequence[int] | None = None) -> State:
        """Return a copy in which all that `seat` can't know is drawn anew, consistent with what it does know.

        Its history is `history`, the actions as the seat saw them. If that is not given, it is empty in games that hide
        anything, so that the copy does not tell what the seat can't know.
        """
        if history is None and self.game.perfect_information:
            history = self.history
        other = State(self.game, self.game.copied(self.array), list(history or ()))
        if not self.game.perfect_information:
            other._operate_hidden(bridge.DETERMINIZE, 0, seat, rng=rng)
        if self.game.sampled_chance:
            other._operate_hidden(bridge.RESEED, 0, seat, rng=rng)
        return other

    def encode(self, seat: int) -> npt.NDArray[np.float32]:
        """Return the feature vector of the state as far as `seat` knows it.

        Raises:
            ValueError: the game has no encoding.
        """
        if not self.game.encoding:
            raise ValueError(f"{self.game.name} has no encoding")
        features = np.zeros(self.game.encoding, np.float32)
        self._operate_hidden(bridge.ENCODE, 0, seat, features=features)
        return features

    # --- texts and pictures ----------------------------------------------------------------------------------------

    def action_text(self, action: int) -> str:
        """Return the notation of a legal action or chance outcome."""
        write = getattr(self.game.text, "action_text", None)
        return str(write(self, action)) if write else str(action)

    def parse_action(self, text: str) -> int:
        """Return the legal action that `text` denotes.

        Raises:
            IllegalActionError: it denotes none; the message says what would be right. Where the text is a move that the
                position does not allow, the game's ``refusal(state, action)``, if it has one, says why; if there is
                none, or it returns None, the message lists legal actions.
        """
        read = getattr(self.game.text, "parse_action", None)
        action: int
        if read:
            action = read(self, text)
        else:
            try:
                action = int(text)
            except ValueError:
                raise IllegalActionError(self._refusal(text)) from None
        if not self.is_legal(action):
            raise IllegalActionError(self._refusal(text, action))
        return action

    def text(self, seat: int | None = None) -> str:
        """Return the state as text for a terminal, as the player in `seat` sees it; None: all of it."""
        write = getattr(self.game.text, "state_text", None)
        if write:
            return str(write(self, seat))
        names = [name for name in self.game.state_dtype.names or () if not name.startswith(PADDING)]
        return "\n".join(f"{name}: {self.record[name]}" for name in names)

    def svg(self, seat: int | None = None) -> str:
        """Return the state as an SVG picture, as the player in `seat` sees it; None: all of it."""
        paint = getattr(self.game.draw, "svg", None)
        return str(paint(self, seat)) if paint else _text_svg(self.text(seat))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<State of {self.game.name} after {len(self.history)} actions>"

    # --- identity and bytes ----------------------------------------------------------------------------------------

    def to_bytes(self) -> bytes:
        """Return the state as bytes: a checksum that also covers game and options, then the record."""
        data = self.game.state_bytes(self.array)
        return _checksum(self.game, data) + data

    @classmethod
    def from_bytes(cls, game: Game, data: bytes) -> State:
        """Return the state that :meth:`to_bytes` wrote; its history is empty.

        Raises:
            ValueError: the bytes are damaged, or belong to another game or to other options.
        """
        body = data[8:]
        if data[:8] != _checksum(game, body):
            raise ValueError(f"these bytes are no undamaged state of {game!r}")
        return cls(game, game.state_array(body))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or other.game != self.game:
            return False
        return self.game.state_bytes(self.array) == self.game.state_bytes(other.array)

    def __hash__(self) -> int:
        return hash((self.game, self.game.state_bytes(self.array)))

    # --- calls into kernels ----------------------------------------------------------------------------------------

    def _look(self) -> tuple[int, list[int], list[float]]:
        cache = self._cache
        if cache is None or cache[1] is None:
            game = self.game
            size = max(game.max_actions, game.max_chance) + bridge.SPARE
            ints, floats = np.zeros(size, np.int32), np.zeros(max(size, game.num_players))
            player, count = self._operate(bridge.LOOK, ints=ints, floats=floats)
            _check_look(game, player, count)
            cache = self._cache = player, ints[:count].tolist(), floats[:count].tolist() if player == CHANCE else []
        player, listed, probs = cache
        return player, listed or [], probs

    def _listed(self) -> list[int]:
        player, listed, _ = self._look()
        return listed if player >= 0 else []

    def _operate(
        self,
        operation: int,
        action: int = 0,
        *,
        rng: Stream = _NO_STREAM,
        ints: Any = _NOBODY,
        floats: Any = _NO_FLOATS,
    ) -> tuple[int, int]:
        first, second = self.game.operate(operation, self.array, action, rng, ints, floats)
        return int(first), int(second)  # interpreted rules may give NumPy's integers

    def _operate_hidden(
        self,
        operation: int,
        action: int,
        seat: int,
        rng: Stream = _NO_STREAM,
        features: npt.NDArray[np.float32] = _NO_FEATURES,
    ) -> int:
        return int(self.game.operate_hidden(operation, self.array, action, seat, rng, features))

    def _refusal(self, what: object, action: int | None = None) -> str:
        """Return why `what`, an action or a text that was read as `action`, can't be done, or what can be."""
        if isinstance(what, int | np.integer):
            action = int(what)
        if self.is_terminal:
            return f"{quoted(what)} is not possible: the game is over"
        explain = getattr(self.game.text, "refusal", None)
        reason = explain(self, action) if explain and action is not None else None
        if reason:
            return str(reason)
        if self.is_chance:
            texts = [self.action_text(outcome) for outcome, prob in self.chance_outcomes if prob > 0.0]
        else:
            texts = [self.action_text(action) for action in self.legal_actions]
        shown = ", ".join(texts[:30]) + (f", ... ({len(texts)} in all)" if len(texts) > 30 else "")
        return f"{quoted(what)} is not legal here; legal: {shown}"


def _check_look(game: Game, player: int, count: int) -> None:
    """Raise RulesError if the rules say something that can't be."""
    if not (player in (CHANCE, TERMINAL) or 0 <= player < game.num_players):
        raise RulesError(
            f"{game.name}: player returned {player}; expected 0 to {game.num_players - 1}, CHANCE or TERMINAL"
        )
    most, name = (game.max_chance, "MAX_CHANCE") if player == CHANCE else (game.max_actions, "MAX_ACTIONS")
    if player != TERMINAL and not 1 <= count <= most:
        raise RulesError(f"{game.name}: {count} actions or outcomes are listed where 1 to {name} = {most} may be")


def _checksum(game: Game, data: bytes) -> bytes:
    return hashlib.blake2b(data, key=game.fingerprint(), digest_size=8).digest()


def _text_svg(text: str) -> str:
    lines = text.split("\n")
    width, height = 9 * max(map(len, lines)) + 20, 18 * len(lines) + 20
    rows = "".join(f'<tspan x="10" dy="18">{escape(line) or " "}</tspan>' for line in lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="10" y="4" font-family="monospace" font-size="15" xml:space="preserve">{rows}</text></svg>'
    )
