"""What can be chosen on the page, and what can't."""

import pytest

from oponente.games.catalogue import BUILT_IN, load_game
from oponente.games.vgdl.loading import OWN_GAMES
from oponente.web.forms import Menu

MENU = Menu()


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_offered_can_be_chosen(name):
    game = MENU.chosen_game(name, {})
    described = MENU.describe(game)
    assert described["players"] == game.num_players
    names = [agent["agent"] for agent in described["agents"]]
    assert "random" in names
    assert not {"human", "process", "files"} & set(names)
    MENU.chosen_agent(described["opponent"], game)
    MENU.chosen_agent(described["analyst"], game)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_levels_are_those_that_there_are(game):
    described = MENU.describe(MENU.chosen_game("vgdl", {"game": game}))
    listed = next(one["choices"] for one in described["options"] if one["name"] == "level")
    for level in listed:
        MENU.chosen_game("vgdl", {"game": game, "level": level})
    with pytest.raises(ValueError, match="no level"):
        MENU.chosen_game("vgdl", {"game": game, "level": str(len(listed))})


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("vgdl", {"games": "/etc"}),
        ("vgdl", {"game": "../secret"}),
        ("vgdl", {"text": "x"}),
        ("catan", {"board": "/etc/passwd"}),
        ("risk", {"map": "/etc/passwd"}),
        ("risk", {"start": "/etc/passwd"}),
        ("catan", {"players": "9"}),
        ("catan", {"nonsense": "1"}),
        ("nim", {}),
        ("vgdl:harvest", {}),
    ],
)
def test_browsers_name_no_files(name, options):
    with pytest.raises(ValueError, match=r"here|expected|no game|no option"):
        MENU.chosen_game(name, options)


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("connect4", 'process:command="touch /tmp/x"'),
        ("connect4", "human"),
        ("connect4", "uct:playouts=/etc/passwd"),
        ("connect4", "uct:iterations=0"),
        ("connect4", "nobody"),
        ("catan", "value:weights=/etc/passwd"),
        ("catan", "value:/etc/passwd"),
        ("catan", "catanatron:python=bash"),
        ("connect4", "uct:capacity=200000000"),
        ("connect4", "alphabeta:depth=4,table=100000"),
        ("connect4", "uct:threads=100000"),
        ("risk", "thesis-cluster:tree=secret"),
        ("risk", "files:x"),
        ("connect4", "alphabeta:evaluation=best.npz"),
        ("connect4", "uct:cutoff=0,evaluation=best.safetensors"),
    ],
)
def test_browsers_name_no_programs(name, spec):
    with pytest.raises(ValueError, match=r"here|expected"):
        MENU.chosen_agent(spec, load_game(name))
