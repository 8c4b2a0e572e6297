"""Completion in a shell: commands, games, options, agents and their parameters."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import BashComplete

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
        ("experiment catan-p", ["catan-pucrs"]),
    ],
)
def test_words(line, words):
    assert completed(line) == words


def test_the_shell_gets_a_script():
    environment = {**os.environ, "_OPONENTE_COMPLETE": "bash_source"}
    command = [sys.executable, "-m", "oponente"]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert "_oponente_completion" in found.stdout
    environment.update(_OPONENTE_COMPLETE="bash_complete", COMP_WORDS="oponente match tic", COMP_CWORD="2")
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert found.stdout == "plain,tictactoe\n"
