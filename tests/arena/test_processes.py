import os
import signal
import subprocess
import sys
import time

import pytest

from liveness import alive, gone_soon
from oponente.arena.processes import process_pool

POOL = """
import multiprocessing
import time

from oponente.arena.processes import process_pool

if __name__ == "__main__":
    with process_pool(2) as pool:
        print(*pool.map(abs, [1, 2]), sep="\\n")
        print(*(child.pid for child in multiprocessing.active_children()), sep="\\n", flush=True)
        for _ in pool.map(time.sleep, [60.0, 60.0, 60.0]):
            pass
"""


def test_a_pool_works():
    with process_pool(2) as pool:
        assert list(pool.map(abs, [-1, -2, -3])) == [1, 2, 3]
        assert pool.submit(os.getpid).result() != os.getpid()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_at_once_with_the_one_that_began_them(tmp_path, how):
    (tmp_path / "pool.py").write_text(POOL, "utf-8")
    main = subprocess.Popen([sys.executable, "pool.py"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    lines = [main.stdout.readline() for _ in range(4)]
    assert lines[:2] == ["1\n", "2\n"]
    workers = [int(line) for line in lines[2:]]
    assert all(map(alive, workers))
    main.send_signal(how)
    main.stdout.close()
    assert main.wait(20) != 0
    assert gone_soon(workers)


def test_an_error_ends_them_at_once():
    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        fail_beside_slow_work()
    assert time.monotonic() - begin < 30.0


def fail_beside_slow_work():
    with process_pool(2) as pool:
        pool.submit(time.sleep, 60.0)
        pool.submit(divmod, 1, 0).result()
