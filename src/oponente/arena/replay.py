"""Playing a kept game again: from a database of matches, or from a JSON file that was exported from one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from oponente.arena.export import JSON_FORMAT, JSON_VERSION
from oponente.arena.match import MatchSpec
from oponente.arena.record import PLAYED
from oponente.arena.storage import Store, listed_matches
from oponente.games.catalogue import GameSpec, load_game
from oponente.kernel import Game, IllegalActionError, State, home_path


class ReplayError(ValueError):
    """There is no such game, or the rules do not allow what it holds; the message is one line."""


@dataclass(frozen=True)
class Recording:
    """One kept game, with all that is needed to see it again."""

    game: GameSpec
    match: int
    index: int
    agents: tuple[str, ...]
    """The spec of the agent in each seat."""
    start_seed: int
    opening: int
    """How many of the actions, at the beginning, were drawn at random."""
    actions: tuple[int, ...]
    returns: tuple[float, ...]
    status: str
    reason: str

    def load_game(self, file: str | None = None) -> Game:
        """Return the game that was played.

        A recording may come from anywhere, and to load a game's file is to run it: the file that a recording names is
        not loaded unless the caller names it, too.

        Args:
            file: the game's file, if its rules are in a user's file.

        Raises:
            ReplayError: a file is needed, or the game needs none, or an option is none that this version keeps.
            UserFileError, RulesError: see :func:`~oponente.games.catalogue.load_game`.
        """
        if file is None and self.game.file is not None:
            raise ReplayError(
                f"{self._name} is of {self.game.name}, a game in the file {self.game.file}: give it with --game-file,"
                " if you trust that file"
            )
        if file is not None and self.game.file is None:
            raise ReplayError(f"{self._name} is of {self.game.name}, a built-in game: leave out --game-file")
        try:
            return load_game(self.game.name, dict(self.game.options), file=file, kept=True)
        except ValueError as error:
            raise ReplayError(f"{self._name} can't be played again: {error}") from None

    def states(self, game: Game | None = None) -> Iterator[State]:
        """Yield the start position and the position after each action: the same object, moved on.

        Args:
            game: the game, if it is loaded already; needed if its rules are in a user's file (:meth:`load_game`).

        Raises:
            ReplayError: an action is not legal, the game goes on after its end, or its outcome is another one; it has
                another number of players; or `game` is needed.
            ValueError: the game can't be loaded.
        """
        game = game or self.load_game()
        if len(self.agents) != game.num_players:
            raise ReplayError(
                f"{self._name} is of {len(self.agents)} agents; {game.name} has {game.num_players} players here"
            )
        state = game.start(self.start_seed)
        yield state
        for ply, action in enumerate(self.actions, 1):
            try:
                state.apply(action)
            except IllegalActionError as error:
                raise ReplayError(f"{self._name}, action {ply} of {len(self.actions)}: {error}") from None
            yield state
        if self.status != PLAYED:
            return
        if not state.is_terminal:
            raise ReplayError(f"{self._name} is not over after its {len(self.actions)} actions")
        if tuple(state.returns) != self.returns:
            raise ReplayError(
                f"{self._name} ends with utilities {_numbers(state.returns)}; the record says {_numbers(self.returns)}"
            )

    def final_state(self, game: Game | None = None) -> State:
        """Return the last position, all actions checked; raises as :meth:`states` does."""
        state: State
        for state in self.states(game):  # noqa: B007 (the last one is wanted)
            pass
        return state

    @property
    def _name(self) -> str:
        return f"game {self.index} of match {self.match}"


def load_recording(
    source: str | Path, index: int = 0, match: int | None = None, *, name: str | None = None
) -> Recording:
    """Return one kept game.

    Args:
        source: a database (path or URL), or a JSON file written by :func:`~oponente.arena.export.export_games`.
        index: which game of the match, from 0.
        match: number of the match; None for the latest.
        name: what the source is called in messages, for those who are to know neither where it is nor what else is in
            it; None: its path, or its URL without passwords.

    Raises:
        ReplayError: there is no such file, match or game.
        StorageError: the database can't be read.
    """
    path, shown = _json_file(source, name), name or str(source)
    if path is None:
        return _from_store(source, index, match, name)
    return _from_file(_exported(path, shown), index, match, shown)


def uploaded_recording(content: bytes, index: int = 0, match: int | None = None) -> Recording:
    """Return one game of a JSON file that was exported from a database, by its content; it may come from anywhere.

    Args:
        content: of the file.
        index: which game of the match, from 0.
        match: number of the match; None for the latest.

    Raises:
        ReplayError: it is no such file, or damaged, or holds no such match or game.
    """
    return _from_file(_read(content, "the file"), index, match, "the file")


@dataclass(frozen=True)
class RecordedMatch:
    """A match of which games are kept."""

    match: int
    """Its number."""
    spec: MatchSpec
    finished: int
    """How many of its games are kept."""


def recorded_matches(source: str | Path, *, newest: int | None = None, name: str | None = None) -> list[RecordedMatch]:
    """Return the matches that a database, or a JSON file that was exported from one, holds, oldest first.

    Args:
        source: the database (path or URL), or the file.
        newest: how many at most, the newest ones; None: all.
        name: what it is called in messages; see :func:`load_recording`.

    Raises:
        ReplayError: there is no such file, or it is damaged.
        StorageError: the database can't be read.
    """
    path = _json_file(source, name)
    if path is None:
        with Store(source, create=False, name=name) as store:
            return [RecordedMatch(stored.id, stored.spec, stored.finished) for stored in store.matches(newest)]
    shown = name or str(source)
    return _matches_of(_exported(path, shown), newest, shown)


def uploaded_matches(content: bytes, *, newest: int | None = None) -> list[RecordedMatch]:
    """Return the matches of a JSON file that was exported from a database, by its content; it may come from anywhere.

    Args:
        content: of the file.
        newest: how many at most, the last ones in it; None: all.

    Raises:
        ReplayError: it is no such file, or damaged.
    """
    return _matches_of(_read(content, "the file"), newest, "the file")


def _matches_of(content: _File, newest: int | None, name: str) -> list[RecordedMatch]:
    kept = content.matches if newest is None else content.matches[-newest:]
    try:
        return [RecordedMatch(found.match, found.spec(), len(found.records)) for found in kept]
    except ValueError as error:  # of no games, or none that a match can have
        raise ReplayError(f"{name} is damaged: {error}") from None


def _json_file(source: str | Path, name: str | None) -> Path | None:
    """Return the path of a JSON file, told by how it begins; None for a database."""
    if "://" in str(source):
        return None
    path, shown = home_path(source), name or source
    if not path.is_file():
        raise ReplayError(f"there is no file {shown}: expected a database of matches, or games exported as JSON")
    try:
        with path.open("rb") as file:
            begins = file.read(1024).removeprefix(_MARK).lstrip()
            return path if begins.startswith((b"{", b"[")) else None
    except OSError as error:
        raise ReplayError(f"{shown} can't be read: {error.strerror}") from None


def _from_store(source: str | Path, index: int, match: int | None, name: str | None) -> Recording:
    with Store(source, create=False, name=name) as store:
        stored = store.match(_choose_match(store.name, store.match_numbers(), match, listing=name is None))
        records = store.records(stored.id, [index])
    if not records:
        raise ReplayError(f"{store.name}: match {stored.id} has no finished game {index}; {_have(stored.finished)}")
    record = records[0]
    return Recording(
        game=stored.spec.game,
        match=stored.id,
        index=index,
        agents=tuple(stored.spec.agents[agent] for agent in record.agents),
        start_seed=record.start_seed,
        opening=record.opening,
        actions=record.actions,
        returns=record.returns,
        status=record.status,
        reason=record.reason,
    )


def _from_file(content: _File, index: int, match: int | None, name: str) -> Recording:
    chosen = _choose_match(name, [found.match for found in content.matches], match)
    found = next(found for found in content.matches if found.match == chosen)
    game = next((game for game in found.records if game.number == index), None)
    if game is None:
        raise ReplayError(f"{name}: match {chosen} has no finished game {index}; {_have(len(found.records))}")
    return Recording(
        game=found.game_spec,
        match=chosen,
        index=index,
        agents=tuple(seat.spec for seat in game.seats),
        start_seed=game.start_seed,
        opening=game.opening,
        actions=tuple(game.actions),
        returns=tuple(seat.value for seat in game.seats),
        status=game.status,
        reason=game.reason,
    )


# --- exported files --------------------------------------------------------------------------------------------------

_MARK = b"\xef\xbb\xbf"
"""What some editors begin a file with."""
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
_Seed = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_Action = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class _Seat(msgspec.Struct):
    """What is read of a seat of a game."""

    spec: str
    value: float = msgspec.field(name="return")


class _Game(msgspec.Struct):
    """What is read of a game."""

    number: _Number
    seats: list[_Seat]
    start_seed: _Seed
    opening: _Number
    actions: list[_Action]
    status: Literal["played", "forfeit", "limit"]
    reason: str


class _Match(msgspec.Struct):
    """What is read of a match."""

    match: _Number
    game: str
    options: dict[str, str]
    game_file: str | None
    agents: list[str]
    agent_files: list[str]
    games: _Number
    seed: _Seed
    opening_plies: _Number
    seconds: float | None
    max_plies: _Number | None
    records: list[_Game]
    rotate: bool = True
    """Older files don't say."""

    @property
    def game_spec(self) -> GameSpec:
        """The game that was played."""
        return GameSpec(self.game, tuple(sorted(self.options.items())), self.game_file)

    def spec(self) -> MatchSpec:
        """Return the match; ValueError: there can be none."""
        return MatchSpec(
            self.game_spec,
            tuple(self.agents),
            self.games,
            self.seed,
            tuple(self.agent_files),
            self.opening_plies,
            self.seconds,
            self.max_plies,
            self.rotate,
        )


class _Head(msgspec.Struct):
    """What tells whether it is an exported file."""

    format: str = ""
    version: int = 0


class _File(msgspec.Struct):
    """What is read of an exported file."""

    matches: list[_Match]


def _exported(path: Path, name: str) -> _File:
    try:
        return _read(path.read_bytes(), name)
    except OSError as error:
        raise ReplayError(f"{name} can't be read: {error.strerror}") from None


def _read(content: bytes, name: str) -> _File:
    """Return what an exported file holds.

    Raises:
        ReplayError: it is none, or damaged; the message calls it `name`.
    """
    content = content.removeprefix(_MARK)
    try:
        head = msgspec.json.decode(content, type=_Head)
    except msgspec.ValidationError:
        head = _Head()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{name} is no JSON file of exported games: {error}") from None
    if (head.format, head.version) != (JSON_FORMAT, JSON_VERSION):
        raise ReplayError(
            f"{name} is no JSON file of exported games: it holds no games that were exported from a database of matches"
        )
    try:
        return msgspec.json.decode(content, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ReplayError(f"{name} is damaged: {error}") from None


def _choose_match(source: object, known: list[int], match: int | None, *, listing: bool = True) -> int:
    """Return the number of the match that is asked for, None: the latest; `listing`: others are told where it lacks."""
    listed = f"; it holds {listed_matches(known)}" if listing else ""
    if match is None:
        if not known:
            raise ReplayError(f"{source} holds no matches")
        return max(known)
    if match not in known:
        raise ReplayError(f"{source} holds no match {match}{listed}")
    return match


def _have(count: int) -> str:
    return f"{count} games are there, counted from 0"


def _numbers(values: Any) -> str:
    return ", ".join(f"{value:g}" for value in values)
