"""The games of the package: they pass the suite for any game, and play as they did before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oponente.games.catalogue import load_game
from oponente.games.vgdl.kinds import NIL, T_TIMEOUT
from oponente.games.vgdl.loading import OWN_GAMES
from oponente.games.vgdl.scene import resources_of
from oponente.kernel import COMPILED, Game, stream
from oponente.testing import check_game, compare_playthrough

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "playthroughs"
FEW = os.environ.get("HYPOTHESIS_PROFILE") == "few"
"""Whether fewer cases are wanted, as in the stages with bounds checks and in the interpreter."""
TICKS = 20 if COMPILED else 5


@pytest.mark.parametrize("name", OWN_GAMES if COMPILED and not FEW else ("harvest", "meteors", "lancers"))
def test_the_suite(name: str) -> None:
    check_game(load_game("vgdl", {"game": name, "ticks": str(TICKS)}), games=1)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_suite_on_whole_games(name: str, level: int) -> None:
    check_game(load_game("vgdl", {"game": name, "level": str(level)}), games=2)


# --- fair games: neither won nor lost by what one does not do -------------------------------------------------------

THREATENED = tuple(name for name in OWN_GAMES if name not in ("warehouse", "lancers"))
"""Games in which something else than the time and one's own moves makes one lose."""
ACTIONS = ".ULDRS"


def ended(name: str, level: int, seed: int, *, idle: bool) -> tuple[list[int], bool]:
    """Return who has won when all have done nothing, or acted at random, and whether the time was over."""
    state, rng = load_game("vgdl", {"game": name, "level": str(level)}).start(seed), stream(seed, "playout")
    state.undoable = False
    while not state.is_terminal:
        state.apply(NIL if idle else state.sample_action(rng))
    program, players = state.game.tables.program, state.game.num_players
    limits = [int(one.limit) for one in program.terminations[: int(program.n_terminations)] if one.kind == T_TIMEOUT]
    return [int(win) for win in state.record.win[:players]], int(state.record.tick) >= min([2000, *limits])


@pytest.mark.compiled
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("name", OWN_GAMES)
def test_a_game_is_not_won_by_doing_nothing_nor_always_at_random(name: str, level: int) -> None:
    idle = [ended(name, level, seed, idle=True) for seed in range(5)]
    assert all(1 not in wins for wins, _ in idle)
    at_random = [ended(name, level, seed, idle=False) for seed in range(5)]
    assert not all(1 in wins for wins, _ in at_random)
    if name in THREATENED:
        assert any(1 not in wins and not late for wins, late in idle + at_random)


def won_games() -> list[tuple[str, str, int, str]]:
    """Return game, level, seed and actions of games that were won."""
    lines = (PLAYTHROUGHS / "vgdl-wins.txt").read_text().splitlines()
    found = [line.split() for line in lines if not line.startswith("#")]
    return [(name, level, int(seed), actions) for name, level, seed, actions in found]


@pytest.mark.parametrize(("name", "level", "seed", "actions"), won_games())
def test_a_game_can_be_won(name: str, level: str, seed: int, actions: str) -> None:
    state = load_game("vgdl", {"game": name, "level": level}).start(seed)
    for action in actions:
        assert not state.is_terminal
        state.apply(ACTIONS.index(action))
    assert set(state.returns) == {1.0}


def test_every_level_has_a_won_game() -> None:
    winnable = [name for name in OWN_GAMES if name != "lancers"]  # there either player wins or nobody
    won = {(name, level) for name, level, _, _ in won_games()}
    assert won == {(name, level) for name in winnable for level in "012"}


def test_parcels_may_be_brought_one_after_the_other() -> None:
    state = load_game("vgdl", {"game": "ferryman", "level": "1"}).start(1)
    held = []
    for action in "RRUUUURUURRU.DLLLLLLLLLLU":
        state.apply(ACTIONS.index(action))
        held.append(resources_of(state, 0).get("parcel", 0))
    assert max(held) == 1
    assert tuple(state.returns) == (1.0,)


# --- golden playthroughs --------------------------------------------------------------------------------------------


def golden_playthroughs() -> dict[str, tuple[Game, int]]:
    """Return game and seed of each playthrough; ``python -m tests.games.vgdl.test_own_games`` updates the files."""
    return {f"vgdl-{name}": (load_game("vgdl", {"game": name, "level": "1"}), 1) for name in OWN_GAMES}


EVERY, PLIES = 40, 160
"""Of how many plies one is written in full, and how long a playthrough is."""


@pytest.mark.parametrize("name", [f"vgdl-{name}" for name in OWN_GAMES])
def test_playthrough(name: str) -> None:
    game, seed = golden_playthroughs()[name]
    compare_playthrough(PLAYTHROUGHS / f"{name}.txt", game, seed, PLIES, EVERY)


if __name__ == "__main__":
    from oponente.testing import update_playthrough

    for stored, (played, number) in golden_playthroughs().items():
        update_playthrough(PLAYTHROUGHS / f"{stored}.txt", played, number, PLIES, EVERY)
