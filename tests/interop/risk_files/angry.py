"""An agent of the thesis's file protocol for Risk: ``python angry.py 1|2 [HABIT]``.

It plays as the thesis's Angry does, as that is described in words, and behaves like the thesis's programs: watches the
time stamp of its file, writes its own in place, and ends when it is told how the game was. With a habit it does at some
moment what the arena must cope with.
"""

import json
import os
import sys
import time

number = int(sys.argv[1])
habit = sys.argv[2] if len(sys.argv) > 2 else ""
STATE, CALL = f"Logs/player_{number}.json", f"Calls/player_{number}.json"
written = [0]
"""How many commands were written."""


def stamp():
    return os.path.getmtime(STATE)


def read():
    """Return the state as soon as it can be read."""
    while True:
        try:
            with open(STATE) as file:
                return json.load(file)
        except (json.JSONDecodeError, FileNotFoundError):
            continue


def write(*command, **changes):
    """Write a command in place, in two halves, so that it can't be read for a while."""
    written[0] += 1
    content = {"id": number, "count": written[0], "command": {"name": command[0], "args": command[1:]}, **changes}
    text = json.dumps(content)
    with open(CALL, "w") as file:
        file.write(text[:20])
        file.flush()
        if habit == "slow":
            time.sleep(0.01)
        file.write(text[20:])


def enemies(state, name):
    data = state["countries_data"]
    return [other for other in data[name]["neighbours"] if data[other]["owner"] != number]


def danger(state, name):
    return sum(state["countries_data"][other]["n_troops"] for other in enemies(state, name))


def attack(state, last):
    data = state["countries_data"]
    if last and data[last[1]]["owner"] != number and data[last[0]]["n_troops"] >= 2:
        return last
    for name in state["countries_owned"]:
        if data[name]["n_troops"] >= 2 and enemies(state, name):
            weakest = min(enemies(state, name), key=lambda other: data[other]["n_troops"])
            if data[name]["n_troops"] > data[weakest]["n_troops"]:
                return name, weakest
    return None


def move(state):
    data, own = state["countries_data"], state["countries_owned"]
    for name in own:
        for other in own:
            connected = other != name and state["connection_matrix"][name][other]
            if connected and data[name]["n_troops"] > 1 and danger(state, other) > danger(state, name):
                return name, other
    return None


def choose(state, last):
    """Return the command for a state, and the attack that goes on."""
    data, word = state["countries_data"], state["state"]
    if word == "mobilizing":
        if state["n_new_troops"] == 0:
            return ("pass_turn",), None
        most = max(state["countries_owned"], key=lambda name: danger(state, name))
        return ("set_new_troops", state["n_new_troops"], most), None
    if word == "attacking":
        found = attack(state, last)
        return (("attack", min(3, data[found[0]]["n_troops"] - 1), *found) if found else ("pass_turn",)), found
    if word == "conquering":
        origin, target = last
        count = 0 if danger(state, origin) > danger(state, target) else data[origin]["n_troops"] - 1
        return ("move_troops", count, *last), None
    found = move(state)
    return (("move_troops", data[found[0]]["n_troops"] - 1, *found) if found else ("pass_turn",)), None


def misbehave():
    """Do what the habit says; return whether no proper command is to follow."""
    if habit == "hangs":
        time.sleep(600)
    elif habit == "crashes":
        raise RuntimeError("no idea what to do")
    elif habit == "leaves":
        sys.exit(0)
    elif habit == "illegal":
        write("attack", 3, "Siam", "Alaska")
    elif habit == "unknown":
        write("fly", 3)
    elif habit == "shapeless":
        write("pass_turn", command=["pass_turn"])
    elif habit == "other":
        write("pass_turn", id=7)
    elif habit == "floods":
        with open(CALL, "w") as file:
            file.write("x" * 100_000)
        time.sleep(600)
    elif habit == "babbles":
        with open(CALL, "w") as file:
            file.write("no JSON")
        time.sleep(600)
    elif habit == "pipes":
        os.remove(CALL)
        os.mkfifo(CALL)
        time.sleep(600)
    elif habit == "folds":
        os.remove(CALL)
        os.mkdir(CALL)
        time.sleep(600)
    elif habit == "tidies":
        os.remove(CALL)
        os.rename("Logs", "Old")
        time.sleep(600)
    else:
        return False
    return True


def main():
    if habit == "late":
        time.sleep(0.6)
    if habit == "mute":
        time.sleep(600)
    if habit == "learns":
        with open("Risk-Agents/montecarlo_tree.json") as file:
            learnt = json.load(file)
    seen, told, last = stamp(), 0, None
    while True:
        while stamp() == seen:
            time.sleep(0.0005)
        seen = stamp()
        state = read()
        if state["count"] == told:
            continue
        told = state["count"]
        if state["state"] in ("winner", "loser"):
            if habit == "learns":
                with open("Risk-Agents/montecarlo_tree.json", "w") as file:
                    json.dump([*learnt, state["state"]], file)
            if habit != "stays":
                return
        elif state["state"] != "waiting":
            if habit == "prints":
                print("x" * 70_000, flush=True)
            command, last = choose(state, last)
            if not misbehave():
                write(*command)


main()
