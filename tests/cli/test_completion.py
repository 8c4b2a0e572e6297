"""Completion in a shell: commands, games, options, agents and their parameters."""

import os
import shutil
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
