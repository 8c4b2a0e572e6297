"""The option `--profile` of what plays and measures."""

import threading

from cli.users_files import AGENT


def test_profile(run):
    status, _, err = run("match", "tictactoe", "uct:20", "random", "--games", 2, "--profile")
    assert status == 0
    assert "search.mcts.kernel.simulate" in err
    assert "tottime" in err


def test_profile_of_python_agents_in_one_process(run, files):
    (files / "slow.py").write_text(AGENT.replace("return view", "sum(i for i in range(20_000)); return view"))
    agent = ("--agent-file", files / "slow.py")
    status, _, err = run("match", "tictactoe", "last", "random", *agent, "--games", 4, "--workers", 2, "--profile")
    assert status == 0
    assert "--workers is ignored" in err
    assert "slow.py" in err  # also that it was played here


def test_profile_of_a_bench(run):
    status, _, err = run("bench", "tictactoe", "--seconds", 0.01, "--profile")
    assert status == 0
    assert "search.playout.playouts" in err
    assert "tottime" in err


def test_profile_measures_this_thread_alone():
    from tqdm import tqdm

    from oponente.cli.profile import profiled

    before, threads = tqdm.monitor_interval, threading.active_count()
    with profiled(True):
        list(tqdm(range(3)))
        assert threading.active_count() == threads
    assert tqdm.monitor_interval == before
