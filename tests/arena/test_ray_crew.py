"""Matches on a local Ray cluster of two nodes: the same games, also when a node or an actor is lost."""

from __future__ import annotations

import json
import os
import time

import pytest

from oponente.arena import MatchError, MatchSpec, Store, run_match
from oponente.games.catalogue import GameSpec

if os.environ.get("OPONENTE_RAY"):  # set where these tests must not be skipped
    import ray
else:
    ray = pytest.importorskip("ray", reason="Ray is an extra: pip install 'oponente[ray]'")

from oponente.arena.ray_crew import RayCluster

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def nodes():
    from ray.cluster_utils import Cluster

    small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=small)
    cluster.add_node(**small)
    cluster.wait_for_nodes()
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def cluster(nodes):
    found = RayCluster(nodes.address)
    yield found
    found.close()


def spec(games=40, agents=("uct:iterations=60", "random"), seed=3):
    return MatchSpec(GameSpec("tictactoe", ()), agents, games, seed)


def plain(result):
    return [(record.index, record.agents, list(record.actions), record.returns) for record in result.records]


def test_two_nodes_play_the_games_that_one_worker_plays(cluster):
    assert cluster.actors == 2
    alone, together = run_match(spec()), run_match(spec(), workers=cluster)
    assert plain(alone) == plain(together)
    assert together.seconds > 0


def test_a_match_of_a_thousand_million_games_ends_early(cluster):
    result = run_match(spec(10**9), workers=cluster, enough=lambda games: True)
    assert 0 < result.played < 10_000


def test_a_match_goes_on_in_a_database(cluster, tmp_path):
    path = tmp_path / "games.db"
    run_match(spec(10), store=path)
    result = run_match(spec(30), workers=cluster, store=path, resume=True)
    assert (result.played, result.tally.games) == (20, 30)
    with Store(path) as store:
        kept = sorted(record.index for record in store.records(result.match_id))
    assert kept == list(range(30))


def test_actors_go_on_to_the_next_match(cluster):
    """Other agents, another game: the same actors play it."""
    run_match(spec(10), workers=cluster)
    before = set(cluster._idle)
    assert len(before) == 2
    other = MatchSpec(GameSpec("connect4", ()), ("random", "random"), 10, 4)
    assert plain(run_match(other, workers=cluster)) == plain(run_match(other))
    assert set(cluster._idle) == before


def test_an_actor_that_dies_between_matches_is_replaced(cluster):
    run_match(spec(10), workers=cluster)
    for actor in cluster._idle:
        ray.kill(actor)
    assert plain(run_match(spec(10, seed=8), workers=cluster)) == plain(run_match(spec(10, seed=8)))


def test_an_actor_that_dies_loses_nothing(cluster, monkeypatch):
    """Killed again and again while it plays, maybe over the same game each time."""
    monkeypatch.setattr("oponente.arena.ray_crew.MAX_DEATHS", 10)
    crews = []
    make = RayCluster.__call__
    monkeypatch.setattr(RayCluster, "__call__", lambda self, *a: crews.append(make(self, *a)) or crews[-1])
    killed = []

    def kill(progress):
        if progress.played > 20 * (len(killed) + 1) and len(killed) < 3 and crews[0]._ready:
            killed.append(crews[0]._ready[0])
            ray.kill(killed[-1])

    wanted = spec(300, ("uct:iterations=300", "uct:iterations=200"))
    together = run_match(wanted, workers=cluster, progress=kill)
    assert len(killed) > 1
    assert [record.index for record in together.records] == list(range(300))
    assert plain(together) == plain(run_match(wanted))


def test_an_agent_that_fails_is_one_line(cluster, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(
        "from oponente import Agent\n\n\nclass Broken(Agent):\n    name = 'broken'\n\n"
        "    def choose(self, view, budget):\n        raise SystemError('no idea')\n"
    )
    wrong = MatchSpec(GameSpec("tictactoe", ()), ("broken", "random"), 4, 1, agent_files=(str(file),))
    here = outcome(wrong, 1)
    assert outcome(wrong, cluster) == here


def outcome(wrong, workers):
    """Return the results, or the error."""
    try:
        return plain(run_match(wrong, workers=workers))
    except MatchError as error:
        return str(error)


def test_a_node_that_goes_loses_nothing(nodes, cluster, tmp_path):
    """The last test: the cluster has one node less afterwards."""
    path, wanted = tmp_path / "games.db", spec(300, ("uct:iterations=300", "uct:iterations=200"))
    lost = []

    def leave(progress):
        if progress.played > 20 and not lost:
            lost.append(True)
            nodes.remove_node(nodes.worker_nodes.copy().pop())

    result = run_match(wanted, workers=cluster, store=path, progress=leave)
    assert lost
    with Store(path) as store:
        records = sorted(store.records(result.match_id), key=lambda record: record.index)
    assert [record.index for record in records] == list(range(300))
    alone = run_match(wanted)
    assert [list(r.actions) for r in records] == [list(r.actions) for r in alone.records]


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "[::1]:1"])
def test_an_address_where_nobody_listens_is_one_line_at_once(monkeypatch, address):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    begin = time.monotonic()
    with pytest.raises(ValueError, match="no Ray cluster answers at ") as caught:
        RayCluster(address)
    assert len(str(caught.value).splitlines()) == 1
    assert time.monotonic() - begin < 10.0


def test_a_wrong_address_is_one_line(monkeypatch):
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda **_: (_ for _ in ()).throw(ConnectionError("nobody\nthere")))
    with pytest.raises(ValueError, match=r"no Ray cluster answers at nowhere \(nobody there\)"):
        RayCluster("nowhere")


def test_the_commands_take_it(nodes, cluster, capsys, tmp_path, monkeypatch):
    from oponente.cli.main import main

    cluster.close()  # its actors wait for the next match, and hold the CPUs
    monkeypatch.chdir(tmp_path)
    arguments = ["match", "tictactoe", "uct:iterations=60", "random", "--games", "10", "--seed", "3", "--json"]
    found = []
    for more in ([], ["--ray", nodes.address]):
        main([*arguments, *more, "--out", f"{len(found)}.db"])
        agents = json.loads(capsys.readouterr().out)["agents"]
        found.append([[agent[key] for key in ("wins", "draws", "losses")] for agent in agents])
    assert found[0] == found[1]
