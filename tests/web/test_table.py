"""Games through the protocol, without a browser."""

import asyncio
import gc
import json
import weakref
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from oponente.arena import runner
from oponente.arena.export import export_games, stored_matches
from oponente.arena.match import MatchSpec
from oponente.arena.play import play_game
from oponente.arena.replay import load_recording
from oponente.arena.storage import Store
from oponente.games.catalogue import GameSpec
from oponente.web import contest, lobby
from oponente.web.app import create_app
from oponente.web.forms import Menu
from oponente.web.messages import NewGame, NewSeat, NewTournament, Resign
from web.helpers import HEADERS, ORIGIN, TICTACTOE, Site, run


def test_two_persons_play_a_game_that_is_kept(site, records):
    tokens = site.play(**TICTACTOE)["seats"]
    with site.seat(tokens[0]) as first, site.seat(tokens[1]) as second:
        for seat, move in zip([first, second] * 3, "51362", strict=False):
            seat.act(move)
        second.act("7")
        first.act("9")
        second.act("8")
        first.act("4")
        end = first.until(lambda it: it["status"] == "over" and it["match"])
        second.until(lambda it: it["status"] == "over")
    assert end["returns"] == [0.0, 0.0]
    assert [text for _, text in first.log] == [text for _, text in second.log] == list("513627984")
    recording = load_recording(records, 0, end["match"])
    assert recording.agents == ("human", "human")
    assert [action + 1 for action in recording.actions] == [5, 1, 3, 6, 2, 7, 9, 8, 4]
    assert recording.final_state().is_terminal


def test_out_of_turn_nothing_happens(site):
    begun = site.play(**TICTACTOE)
    with (
        site.seat(begun["seats"][0]) as first,
        site.seat(begun["seats"][1]) as second,
        site.seat(begun["watch"]) as watcher,
    ):
        first.turn()
        second.until(lambda it: "svg" in it)
        watcher.until(lambda it: "svg" in it)
        second.send("act", ply=0, action=4)
        assert "not your turn" in second.error()
        watcher.send("act", ply=0, action=4)
        assert "watch" in watcher.error()
        first.send("act", ply=1, action=4)
        assert "gone on" in first.error()
        first.send("act", ply=0, action=77)
        assert "not possible" in first.error()
        first.send("say", ply=0, text="hello")
        assert "digit" in first.error()
        first.send("takeback")
        assert "alone" in first.error()
        watcher.send("pause", on=True)
        assert "players" in watcher.error()
        watcher.send("resign")
        assert "resign" in watcher.error()
        first.send("say", ply=0, text="5")
        second.until(lambda it: it["legal"])
        assert second.position["last"] == 1
        first.send("act", ply=0, action=3)  # a second click
        assert "not your turn" in first.error()


def test_giving_up(site, records):
    begun = site.play(game="connect4", seats=[{}, {"agent": "random"}], pace=0)
    with site.seat(begun["seats"][0]) as seat:
        seat.act("4")
        seat.turn()
        seat.send("resign")
        end = seat.until(lambda it: it["status"] == "over" and it["match"])
    assert end["returns"] == [-1.0, 1.0]
    recording = load_recording(records, 0, end["match"])
    assert (recording.status, recording.reason) == ("forfeit", "player 1 has given up")


@pytest.mark.parametrize(
    ("game", "facts"),
    [
        ({"game": "tictactoe"}, None),
        ({"game": "vgdl", "options": {"game": "shepherds"}, "paused": True}, -1000.0),
    ],
)
def test_who_gives_up_has_forfeited_whoever_is_to_move(site, records, game, facts):
    begun = site.play(**game, seats=[{}, {}], seed=1, pace=0)
    with site.seat(begun["seats"][1]) as second:
        assert second.until(lambda it: "svg" in it)["player"] == 0
        second.send("resign")
        end = second.until(lambda it: it["status"] == "over" and it["match"])
    assert end["returns"] == [1.0, -1.0]
    with Store(records, create=False) as store:
        record = store.records(end["match"], [0])[0]
    assert record.forfeited_by == 1
    if facts is not None:
        assert [seat.facts["score"] == facts for seat in record.seats] == [False, True]


def test_agents_alone_play_the_game_of_the_match(site, records):
    agents = ("uct:iterations=50", "random")
    begun = site.play(game="connect4", seats=[{"agent": one} for one in agents], seed=11, pace=0)
    with site.seat(begun["watch"]) as watcher:
        end = watcher.until(lambda it: it["status"] == "over" and it["match"])
    spec = MatchSpec(GameSpec("connect4"), agents, games=1, seed=11, rotate=False)
    assert load_recording(records, 0, end["match"]).actions == play_game(spec, 0).actions


def test_a_game_of_agents_rests_and_goes_step_by_step(site):
    begun = site.play(game="connect4", seats=[{"agent": "random"}] * 2, paused=True, pace=0)
    with site.seat(begun["watch"]) as watcher:
        watcher.until(lambda it: it["status"] == "paused" and it.get("last") == 0)
        for number in (1, 2):
            watcher.send("step")
            watcher.until(lambda it, number=number: it["last"] == number)
        watcher.send("show", ply=0)
        assert watcher.until(lambda it: not it["live"])["ply"] == 0
        watcher.send("show", ply=None)
        watcher.send("pause", on=False)
        watcher.until(lambda it: it["status"] == "over")


def test_an_agent_that_thinks_can_be_interrupted(site):
    begun = site.play(game="connect4", seats=[{}, {"agent": "uct:time=600"}], pace=0)
    with site.seat(begun["seats"][0]) as seat:
        seat.act("4")
        seat.until(lambda it: it["thinking"] == 1)
        seat.send("takeback")
        assert seat.until(lambda it: it["legal"])["last"] == 0


def test_decisions_that_were_taken_back_are_not_kept(site, records):
    begun = site.play(game="tictactoe", seats=[{}, {"agent": "uct:iterations=20"}], pace=0)
    with site.seat(begun["seats"][0]) as seat:
        for _ in range(3):
            seat.act("1")
            seat.turn()
            seat.take_back()
        seat.act("1")
        seat.turn()
        seat.send("resign")
        end = seat.until(lambda it: it["status"] == "over" and it["match"])
    with Store(records) as store:
        (record,) = store.records(end["match"])
    assert [one.decisions for one in record.seats] == [1, 1]
    assert record.seats[1].nodes == 20


@pytest.mark.parametrize("done", [0, 3])
def test_a_tournament_that_is_stopped_says_how_far_it_was(monkeypatch, done):
    monkeypatch.setattr(runner, "_KEEP_SECONDS", 0.0)
    monkeypatch.setattr(contest, "SUMMARY_SECONDS", 1e9)
    told, stopped = [], contest.Contest(NewTournament("tictactoe", ["random", "uct:300"], blocks=900), Menu(), None)
    if not done:
        stopped.stop()

    def tell(table):
        told.append(table)
        if table["games"] >= done > 0:
            stopped.stop()

    stopped._run(tell)
    assert (told[-1]["done"], told[-1]["stopped"]) == (True, True)
    assert done <= told[-1]["games"] < 1800
    assert sum(one["games"] for one in told[-1]["entrants"]) == 2 * told[-1]["games"]


def test_agents_of_a_game_that_is_over_leave_memory(records):
    """Whoever holds on to them holds on to their trees."""

    async def play():
        rooms = lobby.Lobby(records)
        await rooms.open()
        seats = [NewSeat("uct:time=600"), NewSeat()]
        begun = await rooms.begin(NewGame("connect4", seats, pace=0))
        table, seat = await rooms.find(begun["seats"][1])
        visitor = table.enter(seat)
        while table.thinking is None:
            await asyncio.sleep(0.02)
        agent = weakref.ref(table.agents[0])
        table.handle(visitor, Resign())
        while not table.kept_as:
            await asyncio.sleep(0.02)
        gc.collect()
        assert agent() is None
        assert table.persons == [1]
        await rooms.close()

    run(play())


# --- going on after a restart ----------------------------------------------------------------------------------------


def test_games_go_on_after_a_restart(records):
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        site = Site(client)
        begun = site.play(game="connect4", seats=[{}, {"agent": "uct:iterations=20"}], seed=2, pace=0)
        with site.seat(begun["seats"][0]) as seat:
            for move in "4433":
                if any(choice["text"] == move for choice in seat.turn()["legal"]):
                    seat.act(move)
            before = seat.turn()
            log = list(seat.log)
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        site = Site(client)
        with site.seat(begun["seats"][0]) as seat:
            after = seat.turn()
            assert after["svg"] == before["svg"]
            assert seat.log == log
            while seat.turn()["legal"]:
                seat.act(seat.position["legal"][0]["text"])
            end = seat.until(lambda it: it["match"]) if not seat.position["match"] else seat.position
        assert load_recording(records, 0, end["match"]).final_state().is_terminal
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        answer = client.get("/api/records").json()["matches"]
        assert [(one["game"], one["finished"]) for one in answer] == [("connect4", 1)]


def test_all_browsers_come_back_at_once(records):
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        begun = Site(client).play(**TICTACTOE)

    async def come_back():
        rooms = lobby.Lobby(records)
        await rooms.open()
        found = await asyncio.gather(*(rooms.find(key) for key in (*begun["seats"], begun["watch"], "unknown")))
        await rooms.close()
        return found

    *doors, unknown = run(come_back())
    assert unknown is None
    assert [seat for _, seat in doors] == [0, 1, None]
    assert len({room for room, _ in doors}) == 1


# --- replay, branches, analysis --------------------------------------------------------------------------------------


def finished_game(site):
    """Return the match of a game of agents."""
    begun = site.play(game="connect4", seats=[{"agent": "random"}, {"agent": "uct:iterations=50"}], seed=4, pace=0)
    with site.seat(begun["watch"]) as watcher:
        return watcher.until(lambda it: it["status"] == "over" and it["match"])["match"]


def test_a_record_is_looked_at_and_played_on(site):
    room = site.post("/api/replay", {"match": finished_game(site)})["room"]
    with site.seat(room) as seat:
        position = seat.until(lambda it: "svg" in it)
        assert (position["ply"], position["live"]) == (0, False)
        assert len(seat.log) == position["last"]
        seat.send("show", ply=3)
        shown = seat.until(lambda it: it["ply"] == 3)
        seat.send("act", ply=3, action=0)
        seat.error()
        seat.send("branch", ply=3, seats=[{}, {}])
        branched = seat.until(lambda _: True, "branched")
    with site.seat(branched["seats"][1]) as second, site.seat(branched["seats"][0]):
        again = second.turn()
        assert (again["last"], again["svg"]) == (3, shown["svg"])
        second.act("4")


def test_a_file_is_looked_at(site, records, tmp_path):
    finished_game(site)
    file = tmp_path / "games.json"
    with Store(records, create=False) as store:
        export_games(stored_matches(store), file)
    answer = site.client.post("/api/upload", content=file.read_bytes())
    assert answer.status_code == 201, answer.text
    with site.seat(answer.json()["room"]) as seat:
        assert seat.until(lambda it: "svg" in it)["last"] > 6
    assert site.client.post("/api/matches", content=file.read_bytes()).json() == {
        "matches": site.client.get("/api/records").json()["matches"],
        "more": False,
    }
    whole = file.read_bytes()
    for same in (b"\n " + whole, b"\xef\xbb\xbf" + whole):
        assert site.client.post("/api/upload?match=1&game=0", content=same).status_code == 201
    for broken in (b"", b"{}", b"[1]", b" [1]", b"\n{}", b"\xff\xfe", b'{"format": "x"}', b"[" * 10_000, whole[:-9]):
        answer = site.client.post("/api/upload", content=broken)
        assert site.client.post("/api/matches", content=broken).text == answer.text
        assert answer.status_code == 422
        assert "no JSON file of exported games" in answer.json()["error"]
    for spoiled in ({"game": ["x"]}, {"game": "catan", "options": {"players": [1]}}, {"records": [{}]}, {"agents": 1}):
        content = json.loads(whole)
        content["matches"][0] |= spoiled
        answer = site.client.post("/api/upload", content=json.dumps(content))
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("the file is damaged: ")
    assert site.client.post("/api/upload?match=x", content=file.read_bytes()).status_code == 422


def test_a_file_that_is_sent_lets_no_file_be_read(site, records, tmp_path, monkeypatch):
    finished_game(site)
    with Store(records, create=False) as store:
        export_games(stored_matches(store), tmp_path / "games.json")
    (tmp_path / "secret.txt").write_text("the first line")
    monkeypatch.setenv("OPONENTE_VGDL", str(tmp_path))
    content = json.loads((tmp_path / "games.json").read_text())
    for game, options in (
        ("vgdl", {"games": str(tmp_path), "game": "secret"}),
        ("vgdl", {"games": str(tmp_path / "none"), "game": "secret"}),
        ("vgdl", {"game": "secret"}),
        ("vgdl:secret", {}),
        ("catan", {"board": str(tmp_path / "secret.txt")}),
        ("risk", {"map": str(tmp_path / "secret.txt")}),
        ("risk", {"start": str(tmp_path / "secret.txt")}),
    ):
        content["matches"][0] |= {"game": game, "options": options}
        answer = site.post("/api/upload", content, 422)["error"]
        assert "can't be played again" in answer
        assert not any(told in answer for told in ("first line", "folder", "no file"))


def refusal(seat, kind="analysis", **place):
    """Return why a question is refused: that is its answer."""
    answer = seat.until(lambda it: it.get("done"), kind)
    text = answer.pop("failed")
    assert answer == {"type": kind, "done": True, **place}
    return text


def test_an_analysis_grows(site):
    begun = site.play(game="connect4", seats=[{}, {}], pace=0)
    with site.seat(begun["seats"][0]) as seat, site.seat(begun["seats"][1]) as other:
        for mover, move in zip([seat, other] * 3, "414141", strict=True):
            mover.act(move)
        seat.turn()
        seat.send("analyse", ply=6, agent="uct", seconds=1.0)
        found = []
        while not (found and found[-1]["done"]):
            found.append(seat.until(lambda it: "moves" in it, "analysis"))
        assert len(found) >= 2
        assert [one["nodes"] for one in found] == sorted(one["nodes"] for one in found)
        last = found[-1]
        assert last["best"]["text"] == "4"
        assert last["moves"][0]["places"] == ["column 4"]
        assert last["moves"][0]["piece"] == "slot 4-4"
        assert last["chances"][0] > 0.9
        assert abs(sum(last["chances"]) - 1) < 1e-6
        assert last["line"][0] == "4"
        seat.send("analyse", ply=6, agent="uct:time=600", seconds=600)
        seat.until(lambda it: "moves" in it, "analysis")
        seat.send("stop")
        assert seat.until(lambda it: it.get("done"), "analysis")["moves"]
        seat.send("analyse", ply=6, agent="random", seconds=1)
        assert "explain" in refusal(seat, ply=6)
        seat.send("analyse", ply=9, agent="uct", seconds=1)
        assert refusal(seat, ply=9) == "the game has 6 actions"
        seat.send("analyse", ply=6, agent="utc:time=5", seconds=1)
        assert "no agent" in refusal(seat, ply=6)
        seat.send("moments", agent="uct")
        assert "over" in refusal(seat, "moments")


def test_the_depth_first_searches_explain_themselves(site):
    begun = site.play(game="connect4", seats=[{}, {"agent": "random"}], pace=0)
    with site.seat(begun["seats"][0]) as seat:
        seat.turn()
        seat.send("analyse", ply=0, agent="alphabeta:depth=4", seconds=5)
        found = seat.until(lambda it: it.get("done"), "analysis")
        assert len(found["values"]) == 2
        assert found["chances"] is None
        assert found["depth"] == 4


def test_key_moments_of_a_game(site):
    room = site.post("/api/replay", {"match": finished_game(site)})["room"]
    with site.seat(room) as seat:
        last = seat.until(lambda it: "svg" in it)["last"]
        seat.send("moments", agent="uct:iterations=200")
        found = seat.until(lambda it: it.get("done"), "moments")
    assert [ply for ply, _ in found["curve"]] == list(range(last))
    assert all(0 <= moment["before"] < moment["ply"] < last for moment in found["moments"])


def test_too_many_rooms(site, monkeypatch):
    monkeypatch.setattr(lobby, "MOST_ROOMS", 3)
    tokens = [site.play(**TICTACTOE)["seats"][0] for _ in range(3)]
    assert "open" in site.post("/api/play", TICTACTOE, 503)["error"]
    with site.seat(tokens[0]) as seat:
        seat.turn()
        seat.send("resign")
        seat.until(lambda it: it["status"] == "over")
    site.play(**TICTACTOE)
    with site.client.websocket_connect(f"/room/{tokens[0]}", headers=HEADERS) as socket:
        assert socket.receive()["code"] == 4422  # there is a game, but no room for it


def test_a_tournament_fills_its_table(site):
    wanted = {"game": "tictactoe", "entrants": ["random", "minimax:depth=9", "uct:iterations=30"], "blocks": 2}
    room = site.post("/api/tournament", wanted)["room"]
    with site.client.websocket_connect(f"/room/{room}", headers=HEADERS) as socket:
        while not (table := json.loads(socket.receive_text()))["done"]:
            pass
    assert (table["games"], table["of"]) == (12, 12)
    assert len(table["entrants"]) == 3
    assert table["entrants"][-1]["agent"] == "random"
    site.post("/api/tournament", {**wanted, "entrants": ["random", "random"]}, 422)
    site.post("/api/tournament", {**wanted, "entrants": ["random", "nobody"]}, 422)


def test_a_tournament_of_two_has_a_table_while_they_play(monkeypatch):
    monkeypatch.setattr(runner, "_KEEP_SECONDS", 0.0)
    monkeypatch.setattr(contest, "SUMMARY_SECONDS", 0.0)
    monkeypatch.setattr(contest, "SUMMARY_SHARE", float("inf"))
    wanted = NewTournament("tictactoe", ["random", "uct:iterations=30"], blocks=100)
    told = []
    contest.Contest(wanted, Menu(), None)._run(told.append)
    counts = [[one["games"] for one in table["entrants"]] for table in told if not table["done"] and table["entrants"]]
    assert all(first == second for first, second in counts)
    assert 0 < counts[0][0] < counts[-1][0] <= 200
    assert [one["games"] for one in told[-1]["entrants"]] == [200, 200]


@pytest.mark.parametrize(("plies", "copies"), [(0, 1), (3, 0)])
def test_a_tournament_tells_matches_of_copies(plies, copies):
    menu = Menu((), [str(Path(__file__).parents[1] / "learn" / "players.py")])
    wanted = NewTournament("tictactoe", ["fixed", "fixed:plan=losing"], blocks=6, opening_plies=plies)
    told = []
    contest.Contest(wanted, menu, None)._run(told.append)
    assert told[-1]["copies"] == copies
    assert [len(row) for row in told[-1]["cross"]] == [2, 2]


def test_a_tournament_that_is_begun_twice_is_not_played_twice():
    wanted = NewTournament("tictactoe", ["random", "one-step"], blocks=1)
    assert len({contest.Contest(wanted, Menu(), None).spec.seed for _ in range(5)}) == 5
    assert contest.Contest(msgspec.structs.replace(wanted, seed=7), Menu(), None).spec.seed == 7


@pytest.mark.parametrize("content", [{"seats": [{}]}, {"seats": [{}, {"agent": ""}]}])
def test_seats_that_make_no_game(site, content):
    site.post("/api/play", {**TICTACTOE, **content}, 422)
