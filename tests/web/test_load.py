"""Many games at once, through real sockets."""

import asyncio
import json
import random
import time
import urllib.request

import websockets

from oponente.arena.storage import Store
from web.conftest import Server
from web.helpers import run

GAMES = 50


def post(server, path, content):
    """Post JSON to a server."""
    request = urllib.request.Request(
        server.url + path, json.dumps(content).encode(), {"Origin": server.url.rstrip("/")}, method="POST"
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


async def person(server, token, seed):
    """Play a game to its end; return the number of its match, and its moves as this browser was told them."""
    generator, log = random.Random(seed), []
    async with websockets.connect(
        f"ws://{server.host}/room/{token}", origin=server.url.rstrip("/"), open_timeout=60
    ) as socket:
        acted = -1
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "error":
                raise AssertionError(message)
            if message["type"] != "position" or "log" not in message:
                continue
            del log[message["log_start"] :]
            log += [text for _, text in message["log"]]
            if message["status"] == "over" and message["match"]:
                return message["match"], log
            if message["legal"] and message["ply"] > acted:
                acted = message["ply"]
                action = generator.choice(message["legal"])["action"]
                await socket.send(json.dumps({"type": "act", "ply": acted, "action": action}))
    raise AssertionError("the game was broken off")


def test_fifty_games_lose_no_move(tmp_path):
    """Both sides of each game are told the same moves, and the database holds them."""
    records = str(tmp_path / "records.db")
    server = Server(records)
    try:
        begun = [post(server, "api/play", {"game": "connect4", "seats": [{}, {}], "pace": 0}) for _ in range(GAMES)]

        async def play():
            both = asyncio.gather(*(person(server, token, token) for game in begun for token in game["seats"]))
            return await asyncio.wait_for(both, 120)

        started = time.perf_counter()
        results = run(play())
        seconds = time.perf_counter() - started
    finally:
        server.stop()
    moves = 0
    with Store(records, create=False) as store:
        for number in range(GAMES):
            (match, first), (same, second) = results[2 * number], results[2 * number + 1]
            assert match == same
            (record,) = store.records(match)
            assert first == second == [str(action + 1) for action in record.actions]
            moves += len(first)
    print(f"{GAMES} games, {2 * GAMES} sockets, {moves} moves in {seconds:.1f} s")
