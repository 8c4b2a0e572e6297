"""Completion in a shell: commands, games, options, agents and their parameters."""

import os
import select
import shutil
import subprocess
import sys
import time

import pytest
from click.shell_completion import BashComplete, get_completion_class

from oponente.cli.main import cli


def completed(line):
    """Return what may stand in place of the last word of a line."""
    *words, last = line.split(" ")
    return [item.value for item in BashComplete(cli, {}, "oponente", "_OPONENTE_COMPLETE").get_completions(words, last)]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("tour", ["tournament"]),
        ("match --work", ["--workers"]),
        ("match ca", ["catan"]),
        ("bench tic", ["tictactoe"]),
        ("games ri", ["risk"]),
        ("match nothing uc", []),
        ("match connect4 uc", ["uct"]),
        ("match connect4 alphabeta:depth=3 random alphab", ["alphabeta"]),
        ("match catan sim", ["simple"]),
        ("sprt connect4 uct so", ["solver"]),
        ("sweep connect4 solv", ["solver"]),
        ("train ga connect4 alpha", ["alphabeta"]),
        ("analyse connect4 --agent alpha", ["alphabeta"]),
        ("play connect4 uct:itera", ["uct:iterations="]),
        ("play connect4 uct:iterations=5,c=2,fin", ["uct:iterations=5,c=2,final="]),
        (
            "play connect4 uct:iterations=5,final=max",
            ["uct:iterations=5,final=max", "uct:iterations=5,final=max-robust"],
        ),
        ("play connect4 uct:reuse=t", ["uct:reuse=true"]),
        ("play connect4 nobody:f", []),
        ("match catan --option pre", ["preset="]),
        ("match catan --option preset=j", ["preset=jsettlers"]),
        ("match catan --games 5 --option tra", ["trade="]),
        ("sweep connect4 uct --against so", ["solver"]),
        ("sweep connect4 uct --parameter c=1,2 --against uct:reuse=t", ["uct:reuse=true"]),
        ("train cma connect4 uct --against so", ["solver"]),
        ("train ntbea connect4 uct --against so", ["solver"]),
        ("experiment catan-p", ["catan-pucrs"]),
        ("experiment search-ablation ", ["connect4", "catan"]),
        ("experiment search-ablation --scale quick ca", ["catan"]),
        ("experiment catan-pucrs ca", []),
        ("experiment all ca", []),
    ],
)
def test_words(line, words):
    assert completed(line) == words


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("play connect4 uct : itera", ["iterations="]),
        ("play connect4 uct:itera", ["uct:iterations="]),  # where COMP_WORDBREAKS has no colon
        ("play connect4 uct:reuse = t", ["true"]),
        ("play connect4 uct : iterations = 5,c = 2,fin", ["2,final="]),
        ("play connect4 uct : iterations = 5,final = max", ["max", "max-robust"]),
        ("play connect4 uct : reuse =", ["true", "false"]),
        ("play connect4 uct : iterations = 5 random sol", ["solver"]),
        ("match catan --option preset = j", ["jsettlers"]),
        ("match catan --option = preset = j", ["jsettlers"]),
        ("sweep connect4 uct --parameter c = 1,2 --against uct : reuse = t", ["true"]),
        ("sweep connect4 uct --parameter c = 1,2 --against = so", ["solver"]),
        ("analyse connect4 --agent uct : iterations = 5 --", None),
        ("tour", ["tournament"]),
        ("", None),
    ],
)
@pytest.mark.parametrize("separator", [" ", "\n"])
def test_words_that_bash_has_broken(monkeypatch, words, answer, separator):
    given = ["oponente", *words.split(" ")]
    monkeypatch.setenv("COMP_WORDS", separator.join(given))
    monkeypatch.setenv("COMP_CWORD", str(len(given) - 1))
    bash = get_completion_class("bash")
    found = bash(cli, {}, "oponente", "_OPONENTE_COMPLETE").complete().splitlines()
    if answer is None:
        assert len(found) > 3
    else:
        assert [line.removeprefix("plain,") for line in found][: len(answer)] == answer
        assert len(found) == len(answer) or answer[0] == "max"


@pytest.mark.skipif(not (shutil.which("bash") and sys.platform != "win32"), reason="no bash")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("oponente play connect4 uct:itera", "uct:iterations=\\|"),
        ("oponente play connect4 uct:iterations=5,reuse=t", "uct:iterations=5,reuse=true \\|"),
        ("oponente match catan --option preset=j", "--option preset=jsettlers \\|"),
        ("oponente match ca", "match catan \\|"),
    ],
)
def test_the_tab_key_in_bash(tmp_path, typed, shown):
    """In a terminal of its own; the bar that is typed after the Tab key shows where the line ends."""
    program = tmp_path / "oponente"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m oponente "$@"\n')
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PS1": "ready> ", "TERM": "dumb"}
    environment |= {"HISTFILE": "/dev/null", "INPUTRC": "/dev/null", "COLUMNS": "200", "LC_ALL": "C"}
    ours, theirs = os.openpty()
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    said = ""

    def wait_for(text):
        nonlocal said
        end = time.monotonic() + 60
        while text not in said:
            assert select.select([ours], [], [], end - time.monotonic())[0], f"{text!r} is not in {said!r}"
            said += os.read(ours, 4096).decode().replace("\r", "")

    def enter(line):
        nonlocal said
        said = ""
        os.write(ours, line.encode())

    try:
        wait_for("ready> ")
        enter('eval "$(_OPONENTE_COMPLETE=bash_source oponente)"; echo so"urced"\n')
        wait_for("sourced\n")
        wait_for("ready> ")
        enter(f"{typed}\t\\|")
        wait_for("\\|")
        assert said.endswith(shown)
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


@pytest.mark.parametrize(
    ("shell", "binds", "current", "answer"),
    [
        ("bash", "-F _oponente_completion oponente", "2", "plain,tictactoe\n"),
        ("zsh", "compdef _oponente_completion oponente", "2", "plain\ntictactoe\n"),
        ("fish", "--command oponente", "tic", "plain,tictactoe"),
    ],
)
def test_the_shell_gets_a_script(tmp_path, shell, binds, current, answer):
    environment = {**os.environ, "_OPONENTE_COMPLETE": f"{shell}_source"}
    command = [sys.executable, "-m", "oponente"]
    script = subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
    assert binds in script
    assert f"_OPONENTE_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        file = tmp_path / "script"
        file.write_text(script)
        assert subprocess.run([shell, "-n", file], check=False).returncode == 0, "the shell can't read it"
    # What the script asks when the Tab key is pressed.
    environment.update(_OPONENTE_COMPLETE=f"{shell}_complete", COMP_WORDS="oponente match tic", COMP_CWORD=current)
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.stdout.startswith(answer)
