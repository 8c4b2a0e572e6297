"""An agent with the habits that the arena must cope with: ``python habits.py HABIT [PLY]``.

It plays the first legal action; from the given ply on, it does what the habit says.
"""

import json
import os
import signal
import subprocess
import sys
import time

habit = sys.argv[1] if len(sys.argv) > 1 else ""
from_ply = int(sys.argv[2]) if len(sys.argv) > 2 else 0
SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def answer(**message):
    print(json.dumps(message), flush=True)


def flood(stream):
    while True:
        stream.write("x" * 65536)


def misbehave(message):
    """Do what the habit says; return whether the question was dealt with."""
    if habit == "hangs":
        time.sleep(600)
    elif habit == "stubborn":  # does not end by itself either
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sys.stdin.close()
        time.sleep(600)
    elif habit == "crashes":
        raise RuntimeError("no idea what to do")
    elif habit == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif habit == "leaves":
        sys.exit(3)
    elif habit == "floods":
        flood(sys.stdout)
    elif habit == "complains":
        flood(sys.stderr)
    elif habit == "chatters":
        print("I think I shall play", message["legal"][0], flush=True)
    elif habit == "twice":
        answer(action=message["legal"][0])
        answer(action=message["legal"][0])
    elif habit == "illegal":
        answer(action=987)
    elif habit == "illegal-text":
        answer(action="Z99")
    elif habit == "huge":
        print('{"action": ' + "9" * 5000 + "}", flush=True)
    elif habit == "float":
        answer(action=1.5)
    elif habit == "nothing":
        answer()
    elif habit == "binary":
        sys.stdout.buffer.write(b"\xff\xfe\n")
        sys.stdout.flush()
    elif habit == "resigns":
        answer(resign=True)
    elif habit == "breeds":  # children, one of them in a session of its own
        children = [subprocess.Popen(SLEEPER), subprocess.Popen(SLEEPER, start_new_session=True)]
        with open(os.environ["CHILDREN"], "a") as file:
            print(os.getpid(), *(child.pid for child in children), file=file)
        return False
    elif habit == "counts":
        sys.stderr.write("a line that is no error\n")
        return False
    else:
        return False
    return True


if habit == "mute":
    time.sleep(600)
if habit == "stillborn":
    sys.exit("no such luck")

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if habit == "old":
            answer(type="ready", version=0)
        elif habit == "truthful":
            answer(type="ready", version=True)
        elif habit == "greedy":
            answer(type="ready", version=1, wants=["everything"])
        else:
            answer(type="ready", version=1, wants=[], deterministic=habit == "")
    elif message["type"] == "move" and (message["ply"] < from_ply or not misbehave(message)):
        answer(action=message["legal"][0])
