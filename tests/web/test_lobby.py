"""Rooms that nobody is in: what becomes of them, and what their links still open."""

import asyncio
import sqlite3
import time
from concurrent.futures import CancelledError, Future
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from oponente.arena.database import StorageError
from oponente.web import app, lobby
from oponente.web.app import create_app
from oponente.web.journal import Begun, Journal
from oponente.web.messages import NewGame, NewSeat, NewTournament, SetPace
from web.helpers import HEADERS, ORIGIN, TICTACTOE, Site, run


def play_to_the_end(site, begun):
    """Let two persons play tic-tac-toe; return the match that it is kept as."""
    with site.seat(begun["seats"][0]) as first, site.seat(begun["seats"][1]) as second:
        for number, move in enumerate("513627984"):
            (first, second)[number % 2].act(move)
        return first.until(lambda it: it["status"] == "over" and it["match"])["match"]


def rooms_of(site):
    """Return the lobby of a site."""
    return site.client.app._app.state.lobby


def swept(site, monkeypatch):
    """Let all rooms be closed that nobody is in."""
    monkeypatch.setattr(lobby, "IDLE_SECONDS", 0.0)
    rooms, end = rooms_of(site), time.monotonic() + 20
    while rooms._entered and time.monotonic() < end:
        time.sleep(0.02)
    assert not rooms._entered
    assert not rooms._doors
    monkeypatch.setattr(lobby, "IDLE_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Idle rooms are looked for often."""
    monkeypatch.setattr(lobby, "SWEEP_SECONDS", 0.05)


def test_a_game_that_goes_on_leaves_memory_and_comes_back(site, monkeypatch):
    begun = site.play(**TICTACTOE)
    with site.seat(begun["seats"][0]) as first, site.seat(begun["seats"][1]) as second:
        first.act("5")
        second.act("1")
        first.turn()
    swept(site, monkeypatch)
    with site.seat(begun["seats"][0]) as first:
        position = first.turn()
        assert position["last"] == 2
        assert [text for _, text in first.log] == ["5", "1"]
        first.act("9")


def test_a_game_comes_back_at_the_pace_that_it_had(site, monkeypatch):
    begun = site.play(**TICTACTOE)
    with site.seat(begun["seats"][0]) as seat:
        assert seat.turn()["pace"] == 0
        seat.send("pace", seconds=1.5)
        seat.until(lambda it: it["pace"] == 1.5)
    swept(site, monkeypatch)
    with site.seat(begun["seats"][0]) as seat:
        assert seat.turn()["pace"] == 1.5


def test_the_links_of_a_game_that_is_over_show_it(site, monkeypatch):
    begun = site.play(**TICTACTOE)
    match = play_to_the_end(site, begun)
    swept(site, monkeypatch)
    for key in (*begun["seats"], begun["watch"]):
        with site.seat(key) as seat:
            position = seat.until(lambda it: "svg" in it)
            assert (position["status"], position["ply"], position["last"]) == ("over", 9, 9)
    assert site.client.get("/api/records").json()["matches"][0]["match"] == match


def test_one_seed_makes_two_games(site):
    assert play_to_the_end(site, site.play(**TICTACTOE)) != play_to_the_end(site, site.play(**TICTACTOE))


def test_the_newest_matches_are_listed(site, monkeypatch):
    matches = [play_to_the_end(site, site.play(**TICTACTOE)) for _ in range(3)]
    for most, listed, more in ((2, matches[1:], True), (3, matches, False)):
        monkeypatch.setattr(app, "LISTED_MATCHES", most)
        answer = site.client.get("/api/records").json()
        assert ([one["match"] for one in answer["matches"]], answer["more"]) == (listed[::-1], more)


def test_a_record_is_opened_once(site):
    match = play_to_the_end(site, site.play(**TICTACTOE))
    rooms = {site.post("/api/replay", {"match": match})["room"] for _ in range(5)}
    assert len(rooms) == 1
    site.post("/api/replay", {"match": match, "index": 1}, 422)


def test_rooms_that_are_full_of_idle_games_make_room(site, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_ROOMS", 3)
    monkeypatch.setattr(lobby, "GRACE_SECONDS", 0.0)
    begun = [site.play(**TICTACTOE) for _ in range(20)]
    assert len(rooms_of(site)._entered) == 3
    for one in begun:
        with site.seat(one["seats"][0]) as seat:
            assert seat.turn()["legal"]


def test_tournaments_make_room_when_they_are_over(site, monkeypatch):
    wanted = {"game": "tictactoe", "entrants": ["random", "minimax:depth=2"], "blocks": 1}
    monkeypatch.setattr(lobby, "MOST_ROOMS", 2)
    for seed in range(5):
        room = site.post("/api/tournament", {**wanted, "seed": seed})["room"]
        with site.client.websocket_connect(f"/room/{room}", headers=HEADERS) as socket:
            while '"done":true' not in socket.receive_text():
                pass
    monkeypatch.setattr(lobby, "MOST_CONTESTS", 0)
    assert "tournaments" in site.post("/api/tournament", wanted, 503)["error"]


def test_requests_that_come_at_once_overrun_no_limit(monkeypatch):
    monkeypatch.setattr(lobby, "MOST_ROOMS", 5)

    async def at_once():
        rooms = lobby.Lobby(None)
        wanted = NewTournament("tictactoe", ["random", "minimax:depth=2"], blocks=1000)
        begun = await asyncio.gather(*(rooms.compete(wanted) for _ in range(8)), return_exceptions=True)
        games = [rooms.begin(NewGame("tictactoe", [NewSeat(), NewSeat()])) for _ in range(8)]
        played = await asyncio.gather(*games, return_exceptions=True)
        monkeypatch.setattr(lobby, "MOST_ROOMS", 6)
        with pytest.raises(ValueError, match="no game"):
            await rooms.begin(NewGame("nothing", [NewSeat()]))
        with pytest.raises(ValueError, match="agents"):
            await rooms.begin(NewGame("tictactoe", [NewSeat()]))
        assert rooms._coming == rooms._coming_contests == 0
        await rooms.close()
        return begun, played

    begun, played = run(at_once())
    for found, most, text in ((begun, lobby.MOST_CONTESTS, "4 tournaments"), (played, 1, "5 games")):
        refused = [one for one in found if isinstance(one, lobby.FullError)]
        assert len(found) - len(refused) == most
        assert all(str(one).startswith(text) for one in refused)


# --- the database ----------------------------------------------------------------------------------------------------

BEGUN = Begun(0, "tictactoe", {}, ("human", "human"), 1, 2, 0.5, ("first", "second"), "watch", (4, 0))


def test_the_journal_gives_back_what_it_was_given(records):
    journal = Journal(records)
    number = journal.begin(BEGUN).result()
    journal.add(number, 2, 8)
    one, *others = (journal.find(key).result() for key in ("first", "second", "watch"))
    assert others == [one, one]
    assert (one.id, one.tokens, one.watch, one.actions) == (number, BEGUN.tokens, "watch", (4, 0, 8))
    assert one.links == {"first": 0, "second": 1, "watch": None}
    journal.cut(number, 1)
    assert journal.find("first").result().actions == (4,)
    assert journal.find("another").result() is None
    journal.close()


def test_after_an_action_that_is_not_kept_no_later_one_is(records):
    journal = Journal(records)
    number, other = journal.begin(BEGUN).result(), journal.begin(replace(BEGUN, tokens=("a", "b"), watch="c")).result()
    adding = [
        journal.add(room, ply, 8) for room, ply in ((number, 2), (number, 2), (number, 3), (other, 2), (number, 4))
    ]
    assert [future.exception() is None for future in adding] == [True, False, False, True, False]
    assert "earlier action" in str(adding[-1].exception())
    assert journal.find("first").result().actions == (4, 0, 8)
    journal.add(number, 3, 7).result()  # from there it goes on
    assert journal.find("first").result().actions == (4, 0, 8, 7)
    assert journal.find("a").result().actions == (4, 0, 8)
    journal.close()


def test_a_game_that_lacks_an_action_is_refused(records):
    journal = Journal(records)
    journal.begin(BEGUN).result()
    with journal._engine.begin() as connection:
        connection.exec_driver_sql("delete from page_actions where ply = 0")
    with pytest.raises(StorageError, match=r"^the database: page_rooms 1 is damaged: its action 1 is missing$"):
        journal.find("first").result()
    journal.close()


def fails_with(message):
    """Return what stands for a method of a journal that can't write."""

    def method(*_arguments):
        future = Future()
        future.set_exception(StorageError(message))
        return future

    return method


def test_a_game_whose_actions_are_not_kept_ends(records, monkeypatch):
    async def play():
        rooms = lobby.Lobby(records)
        monkeypatch.setattr(Journal, "add", fails_with("the database: there is no room on the disk"))
        begun = await rooms.begin(NewGame("connect4", [NewSeat("random"), NewSeat("random")], pace=1))
        room, _ = await rooms.find(begun["watch"])
        while not room.failed:
            await asyncio.sleep(0.01)
        assert room.reason == "not kept: the database: there is no room on the disk"
        assert room._task.done()
        assert len(room.line) < 3
        await rooms.close()

    run(asyncio.wait_for(play(), 120))


def test_a_pace_that_is_not_kept_ends_no_game(records, monkeypatch):
    async def play():
        rooms = lobby.Lobby(records)
        monkeypatch.setattr(Journal, "set_pace", fails_with("the database: database is locked"))
        begun = await rooms.begin(NewGame("tictactoe", [NewSeat(), NewSeat()], pace=1))
        room, seat = await rooms.find(begun["seats"][0])
        visitor, told = room.enter(seat), []
        monkeypatch.setattr(visitor, "error", told.append)
        while room._answer is None:
            await asyncio.sleep(0.01)
        room.handle(visitor, SetPace(0.5))
        while not told:
            await asyncio.sleep(0.01)
        assert told == ["the speed is not kept: the database: database is locked"]
        assert (room.status, room.pace) == ("playing", 0.5)
        await rooms.close()

    run(asyncio.wait_for(play(), 120))


def test_who_waits_no_longer_stops_no_other(records):
    """A game that is interrupted while an action is written: that is written, and so is all that follows."""

    async def interrupted():
        journal = Journal(records)
        number = await asyncio.wrap_future(journal.begin(BEGUN))
        for ply in range(2, 40):
            waiting = asyncio.wrap_future(journal.add(number, ply, ply))
            waiting.cancel()
            with pytest.raises((asyncio.CancelledError, CancelledError)):
                await waiting
        found = await asyncio.wait_for(asyncio.wrap_future(journal.find("first")), 20)
        await asyncio.to_thread(journal.close)
        return found.actions

    assert run(interrupted()) == (4, 0, *range(2, 40))


def test_damaged_games_are_refused_in_one_line(site, records):
    begun = site.play(**TICTACTOE)
    journal = Journal(records)
    with journal._engine.begin() as connection:
        connection.exec_driver_sql("update page_rooms set agents = '7', options = '[1]'")
    journal.close()
    rooms = rooms_of(site)
    rooms._doors.clear()
    with site.client.websocket_connect(f"/room/{begun['seats'][0]}", headers=HEADERS) as socket:
        closed = socket.receive()
    assert closed["code"] == 4422  # the link is good
    assert "damaged" in closed["reason"]


def test_browsers_are_not_told_where_the_database_is(tmp_path):
    path = tmp_path / "records.db"
    with TestClient(create_app(f"sqlite:///{path}"), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        site = Site(client)
        play_to_the_end(site, site.play(**TICTACTOE))
        assert site.post("/api/replay", {"match": 9999}, 422) == {"error": "the database holds no match 9999"}
        lacking = site.post("/api/replay", {"match": 1, "index": 7}, 422)["error"]
        assert lacking.startswith("the database: match 1 has no finished game 7")
        begun = site.play(**TICTACTOE)
        rooms_of(site)._doors.clear()
        with sqlite3.connect(path) as connection:
            connection.execute("drop table page_actions")
            connection.execute("drop table matches")
        connection.close()
        with site.client.websocket_connect(f"/room/{begun['watch']}", headers=HEADERS) as socket:
            told = [socket.receive()["reason"]]
        told += [site.post("/api/replay", {"match": 1}, 422)["error"], client.get("/api/records").json()["error"]]
        for text in told:
            assert text.startswith("the database")
            assert str(tmp_path) not in text
        contest = {"game": "tictactoe", "entrants": ["random", "minimax:depth=2"], "blocks": 1}
        room = site.post("/api/tournament", contest)["room"]
        with site.client.websocket_connect(f"/room/{room}", headers=HEADERS) as socket:
            while "failed" not in (table := socket.receive_text()):
                pass
        assert "the database" in table
        assert str(tmp_path) not in table


def test_whoever_starts_the_server_is_told_which_database_is_wrong(tmp_path):
    (tmp_path / "records.db").write_text("something else " * 100)
    with pytest.raises(StorageError, match=r"records\.db: file is not a database"):
        create_app(str(tmp_path / "records.db"))
