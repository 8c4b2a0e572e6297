"""Starts processes in which Numba is already imported, for tests that need many; nothing of the package is.

Reads one request a line: ``{"env": {...}, "argv": [...], "path": [...]}``, runs the program ``argv[0]`` in a fork, and
answers with its exit status and what it wrote.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import tempfile
import traceback

import numba
from numba.core.registry import cpu_target


def child(request: dict, output: int) -> None:
    """Run the program; never return."""
    status = 1
    try:
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.environ.clear()
        os.environ.update(request["env"])
        numba.config.reload_config()
        sys.argv = request["argv"]
        sys.path[:0] = request["path"]
        sys.dont_write_bytecode = True
        runpy.run_path(sys.argv[0], run_name="__main__")
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def main() -> None:
    """Serve until the input ends."""
    cpu_target.target_context.refresh()  # imports all of Numba
    assert "oponente" not in sys.modules
    for line in sys.stdin:
        with tempfile.TemporaryFile() as file:
            pid = os.fork()
            if pid == 0:
                child(json.loads(line), file.fileno())
            _, status = os.waitpid(pid, 0)
            file.seek(0)
            print(json.dumps([os.waitstatus_to_exitcode(status), file.read().decode()]), flush=True)


if __name__ == "__main__":
    main()
