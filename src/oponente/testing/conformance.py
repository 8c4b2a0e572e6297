"""The conformance suite: one function a rule of the contract, each run on the positions of random games.

Every check is a function of a :class:`~oponente.testing.sample.Sample` and raises
:class:`~oponente.testing.ConformanceError`. :func:`check_game` runs them all; :class:`GameConformance` makes each a
test of its own.
"""

from __future__ import annotations

import inspect
import math
from collections import Counter
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, Game, IllegalActionError, State, random_below, stream
from oponente.testing.probe import Look, Probe, play_to_end
from oponente.testing.sample import Invariant, Position, Sample, open_actions_of, require_listed, spread
from oponente.testing.statistics import deviation

Check = Callable[[Sample], None]

CHECKS: dict[str, Check] = {}
"""All checks by name, in the order in which :func:`check_game` runs them."""

DRAWS = 1200
"""Samples drawn at a position to compare a distribution."""
UNLIKELY = 6.0
"""Standard deviations that a distribution may deviate. Seeds are fixed: a game that passes once passes always."""
PROBABILITY_TOLERANCE = 1e-9


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
    """Base of a test class that puts a game through the suite, every check a test (for pytest)::

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
        if cls.__dict__.get("_sample") is None:
            game = self.make_game()
            CHECKS["constants"](_Unplayed(game))
            cls._sample = Sample(game, cls.games, cls.seed, cls.max_plies, self.invariant)
        assert cls._sample is not None
        return cls._sample


class _Unplayed(Sample):
    """A sample of no games: all that a check of constants needs."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, games=0)


def _check(function: Check) -> Check:
    name = function.__name__.removeprefix("check_")
    CHECKS[name] = function

    def test(self: GameConformance) -> None:
        function(self.sample())

    test.__name__ = f"test_{name}"
    test.__qualname__ = f"{GameConformance.__qualname__}.{test.__name__}"
    test.__doc__ = function.__doc__
    setattr(GameConformance, test.__name__, test)
    return function


# --- names and constants -------------------------------------------------------------------------------------------

_PARAMETERS = {
    "initial": 3,
    "player": 2,
    "actions": 3,
    "legal": 3,
    "apply": 3,
    "chance": 4,
    "sample_chance": 3,
    "sample_action": 4,
    "copy_state": 4,
    "returns": 3,
    "observed": 4,
    "determinize": 4,
    "reseed": 3,
    "encode": 4,
}


@_check
def check_constants(sample: Sample) -> None:
    """Names, constants and the functions that they ask for."""
    game = sample.game
    rules = game.rules
    probe = Probe(game, "constants")
    for name, low in (("MAX_ACTIONS", 1), ("MAX_CHANCE", 0), ("ENCODING", 0)):
        value = getattr(rules, name, low)
        probe.require(
            isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= low,
            f"{name} is {value!r}; expected an int, at least {low}",
        )
    for name in ("OPEN_ACTIONS", "SAMPLED_CHANCE", "HIDDEN_INFORMATION", "SIMULTANEOUS"):
        value = getattr(rules, name, False)
        probe.require(isinstance(value, bool), f"{name} is {value!r}; expected True or False")
    probe.require(
        isinstance(rules.NAME, str) and rules.NAME and rules.NAME.lower() == rules.NAME,
        f"NAME is {rules.NAME!r}; expected a lower-case word",
    )
    least, greatest = game.utility
    probe.require(
        math.isfinite(least) and math.isfinite(greatest) and least <= greatest,
        f"UTILITY is {game.utility}; expected (least, greatest)",
    )
    probe.require(
        issubclass(game.state_dtype.type, np.record) and all(dtype.type is not np.void for dtype in _scalars(game)),
        "State is no record with fields as attributes; make it with record(...)",
    )
    hidden = [name for name in game.state_dtype.names or () if hasattr(np.record, name)]
    probe.require(not hidden, f"fields of State have names of methods of NumPy's records: {hidden}")
    # NumPy copies records field by field.
    probe.require(
        sum(entry[0].itemsize for entry in (game.state_dtype.fields or {}).values()) == game.state_dtype.itemsize,
        "State has gaps between its fields, which copies leave unwritten; make it with record(...), which fills them",
    )
    for name, parameters in _PARAMETERS.items():
        function = getattr(rules, name, None)
        if function is None:
            continue
        found = len(inspect.signature(getattr(function, "py_func", function)).parameters)
        probe.require(found == parameters, f"{name} has {found} parameters; expected {parameters}")
    needed = [
        ("chance", game.max_chance > 0, "MAX_CHANCE is not 0"),
        ("legal", game.open_actions, "OPEN_ACTIONS"),
        ("reseed", game.sampled_chance, "SAMPLED_CHANCE"),
        ("encode", game.encoding > 0, "ENCODING is not 0"),
        ("determinize", not game.perfect_information, "HIDDEN_INFORMATION or SIMULTANEOUS"),
        ("observed", game.simultaneous, "SIMULTANEOUS"),
    ]
    for name, wanted, because in needed:
        probe.require(not wanted or hasattr(rules, name), f"the game lacks {name}, which it must define: {because}")


def _scalars(game: Game) -> list[np.dtype[Any]]:
    fields: Any = game.state_dtype.fields or {}
    return [entry[0].base for entry in fields.values() if entry[0].base.names is None]


# --- what a position offers ----------------------------------------------------------------------------------------


@_check
def check_initial(sample: Sample) -> None:
    """A start position depends on the random stream alone and has something to do."""
    probe = Probe(sample.game, "initial")
    for seed, _ in sample.records:
        first, second = (probe.initial(stream(seed, "start")) for _ in range(2))
        probe.require(
            first.tobytes() == second.tobytes(),
            f"two starts from the same stream (seed {seed}) differ{_difference(first, second)}",
        )
        probe.require(probe.look(first).player != TERMINAL, "the game is over before it begins")


@_check
def check_actions(sample: Sample) -> None:
    """Listed actions are distinct and not negative, and `legal` allows them."""
    probe = Probe(sample.game, "actions")
    for position in sample.spread(1500):
        probe.at(position.state, position.seed)
        listed = position.look.listed
        require_listed(probe, position.array, position.look)
        for action in listed:
            probe.require(probe.legal(position.array, action), f"actions lists {action}, but legal denies it")


@_check
def check_legal(sample: Sample) -> None:
    """`legal` denies what is not listed, save open actions, and those can be applied."""
    game = sample.game
    probe = Probe(game, "legal")
    known = sorted({action for position in sample.positions for action in position.look.listed})
    rng = stream(sample.seed, "legal")
    top = (known[-1] if known else 0) + 2
    open_actions = open_actions_of(game)
    for position in sample.spread(300):
        probe.at(position.state, position.seed)
        near = known if len(known) <= 40 else [known[int(random_below(rng, len(known)))] for _ in range(40)]
        guessed = [int(random_below(rng, top)) for _ in range(20)]
        for action in (-1, -2, -(2**31), 2**31 - 1, top - 1, top, *near, *guessed):
            if action in position.look.listed or not probe.legal(position.array, action):
                continue
            probe.require(action >= 0, f"legal allows {action}; actions are not negative")
            probe.require(
                game.open_actions,
                f"legal allows {action}, which actions does not list, and the game has no OPEN_ACTIONS",
            )
            _require_playable(probe, position, action)
        for action in open_actions(position.state.copy()) if open_actions else ():
            probe.require(action not in position.look.listed, f"open_actions yields {action}, which is listed")
            probe.require(probe.legal(position.array, action), f"open_actions yields {action}, but legal denies it")
            _require_playable(probe, position, action)


def _require_playable(probe: Probe, position: Position, action: int) -> None:
    after = position.array
    probe.apply(after, action)
    probe.look(after)


@_check
def check_chance(sample: Sample) -> None:
    """Outcomes of a chance node are distinct, each has a positive probability, and these sum to 1."""
    probe = Probe(sample.game, "chance")
    for position in sample.spread(500, player=CHANCE):
        probe.at(position.state, position.seed)
        look = position.look
        twice = [outcome for outcome, times in Counter(look.listed).items() if times > 1]
        probe.require(not twice, f"chance lists {twice[:5]} more than once: {look.listed[:30]}")
        probe.require(min(look.listed) >= 0, f"chance lists {min(look.listed)}; outcomes are not negative")
        bad = [(a, p) for a, p in zip(look.listed, look.probs, strict=True) if not 0.0 < p <= 1.0]
        probe.require(not bad, f"outcomes have probabilities that are not positive: {bad[:5]}")
        total = math.fsum(look.probs)
        probe.require(abs(total - 1.0) <= PROBABILITY_TOLERANCE, f"the probabilities sum to {total!r}, not to 1")
        for outcome in look.listed[:20]:
            _require_playable(probe, position, outcome)


@_check
def check_sample_chance(sample: Sample) -> None:
    """`sample_chance` draws from the distribution that `chance` lists."""
    probe = Probe(sample.game, "sample_chance")
    for position in sample.spread(6, player=CHANCE):
        probe.at(position.state, position.seed)
        rng = stream(sample.seed, "sample_chance")
        array = position.array
        counts = Counter(probe.sample_chance(array, rng) for _ in range(DRAWS))
        expected = {a: DRAWS * p for a, p in zip(position.look.listed, position.look.probs, strict=True)}
        _require_fit(probe, "sample_chance", counts, expected)


@_check
def check_sample_action(sample: Sample) -> None:
    """`sample_action` draws each listed action with equal probability."""
    probe = Probe(sample.game, "sample_action")
    for position in sample.spread(6):
        probe.at(position.state, position.seed)
        rng = stream(sample.seed, "sample_action")
        array = position.array
        draws = max(DRAWS, min(20 * len(position.look.listed), 20 * DRAWS))
        counts = Counter(probe.sample_action(array, rng) for _ in range(draws))
        listed = position.look.listed
        _require_fit(probe, "sample_action", counts, {action: draws / len(listed) for action in listed})


def _require_fit(probe: Probe, what: str, counts: Counter[int], expected: dict[int, float]) -> None:
    strange = [action for action in counts if action not in expected]
    probe.require(not strange, f"{what} draws {strange[:5]}, not among {list(expected)[:30]}")
    probe.require(
        deviation(counts, expected) < UNLIKELY,
        f"{what} does not draw from the listed distribution: drawn {dict(counts.most_common(8))}, "
        f"expected {dict(list(expected.items())[:8])}",
    )


# --- nothing outside the state -------------------------------------------------------------------------------------


@_check
def check_purity(sample: Sample) -> None:
    """Functions that ask do not change the state, and nothing changes the tables or the module's globals."""
    game = sample.game
    probe = Probe(game, "purity")
    outside = _outside(game)
    for position in sample.spread(100, ends=True):
        probe.at(position.state, position.seed)
        look = position.look
        asks: list[tuple[str, Callable[[Any], object]]] = [("player, actions or chance", probe.look)]
        if look.player == TERMINAL:
            asks.append(("returns", probe.returns))
        else:
            first = look.listed[0]
            if look.player == CHANCE:
                asks.append(("sample_chance", lambda array: probe.sample_chance(array, stream(1))))
            else:
                asks.append(("legal", lambda array, first=first: probe.legal(array, first)))  # type: ignore[misc]
                asks.append(("sample_action", lambda array: probe.sample_action(array, stream(1))))
            for seat in range(game.num_players):
                asks.append(
                    ("observed", lambda array, first=first, seat=seat: probe.observed(array, first, seat))  # type: ignore[misc]
                )
        if game.encoding:
            for seat in range(game.num_players):
                asks.append(("encode", lambda array, seat=seat: probe.encode(array, seat)))  # type: ignore[misc]
        for what, ask in asks:
            array = position.array
            before = array.tobytes()
            ask(array)
            probe.require(
                array.tobytes() == before, f"{what} changes the state{_difference(position.state.array, array)}"
            )
            _require_outside(probe, outside, what)
        if look.player != TERMINAL:
            probe.apply(position.array, look.listed[0])
            _require_outside(probe, outside, "apply")
        probe.determinize(position.array, 0, stream(2))
        _require_outside(probe, outside, "determinize")


def _outside(game: Game) -> dict[str, object]:
    """Return all plain values that rules could keep state in: tables, and globals of the module."""
    values: dict[str, object] = {
        f"tables.{name}": value for name, value in zip(game.tables._fields, game.tables, strict=True)
    }
    values |= {name: value for name, value in vars(game.rules).items() if not name.startswith("__")}
    return {name: plain for name, value in values.items() if (plain := _plain(value)) is not None}


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray):
        return value.tobytes() if not value.dtype.hasobject else None
    if isinstance(value, bool | int | float | str | bytes | np.generic):
        return value if not isinstance(value, float) else repr(value)  # a NaN is not equal to itself
    if isinstance(value, list | tuple | set | dict | bytearray):
        return repr(value) if len(value) < 10_000 else None
    return None


def _require_outside(probe: Probe, before: dict[str, object], what: str) -> None:
    after = _outside(probe.game)
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    probe.require(
        not changed, f"{what} changes {', '.join(changed[:5])}: the state record must hold all of a game's state"
    )


@_check
def check_apply(sample: Sample) -> None:
    """`apply` does the same each time, and touches nothing but its record."""
    probe = Probe(sample.game, "apply")
    for position in sample.spread(300, ends=True):
        probe.at(position.state, position.seed)
        for action in spread(position.look.listed, 4):
            first, second = position.array, position.array
            probe.apply(first, action)
            probe.apply(second, action)
            probe.require(
                first.tobytes() == second.tobytes(),
                f"apply({action}) is not deterministic: applied twice, it gives different states"
                f"{_difference(first, second)}",
            )
            # The same record in the midst of others.
            row = np.concatenate([position.array, position.array, position.array])
            probe.apply(row[1:2], action)
            probe.require(
                row[0:1].tobytes() == row[2:3].tobytes() == position.state.array.tobytes(),
                f"apply({action}) writes outside its record",
            )
            probe.require(
                row[1:2].tobytes() == first.tobytes(),
                f"apply({action}) is not deterministic: it depends on where in memory the record lies",
            )


@_check
def check_replay(sample: Sample) -> None:
    """All games played in turns, an action each, and each replayed on its own with new tables give the same states."""
    game = sample.game
    probe = Probe(game, "replay")
    records = sample.records[:12]
    together: list[list[tuple[bytes, Look, str]]] = [[] for _ in records]
    arrays = [probe.initial(stream(seed, "start")) for seed, _ in records]
    for ply in range(max((len(actions) for _, actions in records), default=0) + 1):
        for array, (_, actions), trace in zip(arrays, records, together, strict=True):
            if ply > len(actions):
                continue
            if ply:
                probe.apply(array, actions[ply - 1])
            trace.append(_view(probe, array))
    fresh = Game(game.rules, game.changed_options, game.text, game.draw)
    alone = Probe(fresh, "replay")
    for (seed, actions), trace in zip(records, together, strict=True):
        state = State(fresh, alone.initial(stream(seed, "start")))
        for ply, expected in enumerate(trace):
            if ply:
                alone.apply(state.array, actions[ply - 1])
                state.history.append(actions[ply - 1])
            alone.at(state, seed)
            found = _view(alone, state.array)
            before, after = (np.frombuffer(view[0], fresh.state_dtype) for view in (expected, found))
            alone.require(
                found[0] == expected[0],
                "a replay reaches another state than when other games were played in between, or with other tables: "
                f"part of the state lies outside the record{_difference(before, after)}",
            )
            alone.require(
                found[1:] == expected[1:],
                "the same record has other actions, another player to move or other returns than when other games were "
                "played in between, or with other tables: part of the state lies outside the record",
            )


def _view(probe: Probe, array: Any) -> tuple[bytes, Look, str]:
    """Return all that can be seen of a state; the returns as text, where a NaN equals itself."""
    look = probe.look(array)
    return array.tobytes(), look, repr(probe.returns(array)) if look.player == TERMINAL else ""


@_check
def check_copy(sample: Sample) -> None:
    """A copy of the record is a copy of the game: both go on alike, whatever happens to the other in between."""
    probe = Probe(sample.game, "copy")
    for position in sample.spread(40, ends=True):
        if position.look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        first, second = position.array, probe.copy(position.array)
        steps = []
        rng = stream(sample.seed, "copy")
        for _ in range(12):
            look = probe.look(first)
            if look.player == TERMINAL:
                break
            action = look.listed[int(random_below(rng, len(look.listed)))]
            probe.apply(first, action)
            steps.append((action, _view(probe, first)))
        for action, expected in steps:
            probe.apply(second, action)
            probe.require(
                _view(probe, second) == expected,
                f"a copy of the record goes on differently after action {action}: part of the state lies outside the "
                "record, or copy_state leaves it out",
            )


# --- the end -------------------------------------------------------------------------------------------------------


@_check
def check_returns(sample: Sample) -> None:
    """Every player gets a utility at the end, within UTILITY."""
    game = sample.game
    probe = Probe(game, "returns")
    low, high = game.utility
    for position in sample.spread(1000, player=TERMINAL):
        probe.at(position.state, position.seed)
        values = probe.returns(position.array)
        probe.require(all(map(math.isfinite, values)), f"returns gives {values}; expected a number for each player")
        probe.require(
            all(low <= value <= high for value in values), f"returns gives {values}, outside UTILITY = {game.utility}"
        )
        probe.require(values == probe.returns(position.array), "returns gives different values when asked again")


# --- bytes, texts, pictures ----------------------------------------------------------------------------------------


@_check
def check_bytes(sample: Sample) -> None:
    """A state read back from its bytes is the same state."""
    probe = Probe(sample.game, "bytes")
    for position in sample.spread(200, ends=True):
        probe.at(position.state, position.seed)
        again = sample.game.from_bytes(position.state.to_bytes())
        probe.require(again == position.state, "from_bytes(to_bytes()) gives another state")
        probe.require(probe.look(again.array) == position.look, "a state read from bytes has other legal actions")


@_check
def check_action_text(sample: Sample) -> None:
    """Every action and outcome has a text of its own, which parses back to it."""
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


@_check
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


@_check
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


# --- what a seat knows ---------------------------------------------------------------------------------------------


@_check
def check_encode(sample: Sample) -> None:
    """`encode` fills the whole vector with finite numbers, whatever was in it."""
    game = sample.game
    if not game.encoding:
        return
    probe = Probe(game, "encode")
    for position in sample.spread(100, ends=True):
        probe.at(position.state, position.seed)
        for seat in range(game.num_players):
            features = probe.encode(position.array, seat)
            probe.require(np.isfinite(features).all(), f"encode({seat}) gives values that are not finite: {features}")
            again = probe.encode(position.array, seat, 7.0)
            probe.require(
                np.array_equal(features, again),
                f"encode({seat}) leaves features unwritten: {np.flatnonzero(features != again)[:8]}",
            )


@_check
def check_observed(sample: Sample) -> None:
    """A seat sees its own actions as they are; masks exist where moves are simultaneous, and only where moves hide."""
    game = sample.game
    probe = Probe(game, "observed")
    masked = 0
    for position in sample.spread(300, ends=True):
        look = position.look
        if look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        for action in spread(look.listed, 8):
            for seat in range(game.num_players):
                seen = probe.observed(position.array, action, seat)
                masked += seen != action
                if game.perfect_information:
                    probe.require(
                        seen == action, f"seat {seat} sees action {action} as {seen}, but nothing is hidden in the game"
                    )
                elif seat == look.player:
                    probe.require(seen == action, f"seat {seat} sees its own action {action} as {seen}")
    if game.simultaneous and game.num_players > 1:
        probe.at(sample.positions[0].state, sample.positions[0].seed)
        probe.require(masked, "moves are simultaneous, but every seat sees every action as it is")


@_check
def check_determinize(sample: Sample) -> None:
    """What a seat sees of a determinized state is what it saw before, and the game can be played on to its end."""
    game = sample.game
    probe = Probe(game, "determinize")
    for number, position in enumerate(sample.spread(60, ends=True)):
        probe.at(position.state, position.seed)
        look = position.look
        for seat in range(game.num_players):
            changed = probe.determinize(position.array, seat, stream(sample.seed, "determinize", number, seat))
            if game.perfect_information:
                probe.require(
                    changed.tobytes() == position.state.array.tobytes(),
                    f"determinize({seat}) changes the state, but nothing is hidden in the game"
                    f"{_difference(position.state.array, changed)}",
                )
                continue
            sample.require_invariant(probe, changed, f"determinize({seat})")
            _require_known(probe, position, changed, seat)
            if look.player != TERMINAL:
                play_to_end(probe, changed, stream(sample.seed, "play on", number, seat), sample.max_plies)


def _require_known(probe: Probe, position: Position, changed: Any, seat: int) -> None:
    """Require that `seat` can't tell `changed` from the position that it was made from."""
    game, look = probe.game, position.look
    after = probe.look(changed)
    probe.require(
        after.player == look.player,
        f"determinize({seat}) changes whose turn it is from {look.player} to {after.player}, which the seat knows",
    )
    if look.player == seat:
        probe.require(
            after.listed == look.listed,
            f"determinize({seat}) changes the seat's own actions from {look.listed[:20]} to {after.listed[:20]}",
        )
    if game.encoding:
        before, features = probe.encode(position.array, seat), probe.encode(changed, seat)
        probe.require(
            np.array_equal(before, features),
            f"encode({seat}) differs after determinize({seat}), at features {np.flatnonzero(before != features)[:8]}: "
            "one of them reads, or overwrites, what it must not",
        )
    if look.player >= 0:
        for action in spread([a for a in look.listed if a in after.listed], 4):
            before_seen, after_seen = (
                probe.observed(position.array, action, seat),
                probe.observed(changed, action, seat),
            )
            probe.require(
                before_seen == after_seen,
                f"seat {seat} sees action {action} as {before_seen}, but as {after_seen} after determinize: "
                "observed reads what is hidden",
            )


@_check
def check_leaks(sample: Sample) -> None:
    """`determinize` does not read what it overwrites: states that a seat can't tell apart give the same samples."""
    game = sample.game
    if game.perfect_information:
        return
    probe = Probe(game, "leaks")
    varied = False
    for number, position in enumerate(sample.spread(80, ends=True)):
        if position.look.player == TERMINAL:
            continue
        probe.at(position.state, position.seed)
        for seat in range(game.num_players):
            twins = [
                probe.determinize(position.array, seat, stream(sample.seed, "twin", number, seat, i)) for i in (0, 1)
            ]
            varied = varied or any(twin.tobytes() != position.state.array.tobytes() for twin in twins)
            _require_no_leak(probe, seat, [position.array, *twins], f"determinize({seat})")
            if position.look.player == CHANCE or game.hidden_information:
                _check_masked(probe, position, seat)
    probe.at(sample.positions[0].state, sample.positions[0].seed)
    probe.require(
        varied, "determinize never changes anything, though the game hides something: every agent would cheat"
    )


def _check_masked(probe: Probe, position: Position, seat: int) -> None:
    """Require that two actions which `seat` sees as one lead to states which it can't tell apart."""
    look = position.look
    if look.player == seat:
        return
    groups: dict[int, list[int]] = {}
    for action in spread(look.listed, 12):
        groups.setdefault(probe.observed(position.array, action, seat), []).append(action)
    for seen, alike in groups.items():
        if len(alike) < 2:
            continue
        twins = []
        for action in alike[:3]:
            twin = position.array
            probe.apply(twin, action)
            twins.append(twin)
        # The last of several simultaneous actions uncovers them all, so what follows it differs.
        movers = {probe.look(twin).player for twin in twins}
        if probe.game.simultaneous and look.player >= 0 and not all(mover > look.player for mover in movers):
            continue
        what = f"seat {seat} sees {alike[:3]} alike, as {seen}; but after them"
        probe.require(len(movers) == 1, f"{what} it is the turn of {sorted(movers)}")
        if TERMINAL in movers:
            continue
        if probe.game.encoding:
            features = [probe.encode(twin, seat) for twin in twins]
            probe.require(
                all(np.array_equal(features[0], other) for other in features[1:]), f"{what} encode({seat}) differs"
            )
        _require_no_leak(probe, seat, twins, f"{what} determinize({seat})")


def _require_no_leak(probe: Probe, seat: int, twins: list[Any], what: str) -> None:
    samples = [probe.determinize(twin, seat, stream(probe.game.num_players, "same stream", seat)) for twin in twins]
    for other in samples[1:]:
        probe.require(
            other.tobytes() == samples[0].tobytes(),
            f"{what} gives different results from states that seat {seat} can't tell apart, so it reads what is hidden"
            f"{_difference(samples[0], other)}",
        )


@_check
def check_reseed(sample: Sample) -> None:
    """`reseed` changes the random stream inside the state, and nothing that is seen now."""
    game = sample.game
    if not game.sampled_chance:
        return
    probe = Probe(game, "reseed")
    for position in sample.spread(50):
        probe.at(position.state, position.seed)
        first, second = (probe.reseed(position.array, stream(sample.seed, "reseed", i)) for i in (0, 1))
        probe.require(first.tobytes() != second.tobytes(), "reseed gives the same state from different streams")
        again = probe.reseed(position.array, stream(sample.seed, "reseed", 0))
        probe.require(first.tobytes() == again.tobytes(), "reseed gives different states from the same stream")
        probe.require(probe.look(first) == position.look, "reseed changes whose turn it is, or the listed actions")


# --- helpers -------------------------------------------------------------------------------------------------------


def _difference(first: Any, second: Any) -> str:
    """Return the fields in which two records differ."""
    names = [
        name
        for name in first.dtype.names or ()
        if np.ascontiguousarray(first[name]).tobytes() != np.ascontiguousarray(second[name]).tobytes()
    ]
    if not names:
        return " (in the padding between fields)" if first.tobytes() != second.tobytes() else ""
    shown = ", ".join(f"{name} ({first[name][0]} or {second[name][0]})" for name in names[:4])
    return f", in {shown}"
