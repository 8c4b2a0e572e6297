"""Golden playthroughs: one random game, written out in full, kept as a file and compared on every run.

Whatever changes in a game's rules, notation or board shows up as a readable difference. The idea is OpenSpiel's. A
project keeps the files under version control and updates them when, and only when, a change is meant::

    python -c "from oponente.testing import update_playthrough; ..."
"""

from __future__ import annotations

import difflib
import hashlib
from pathlib import Path

from oponente.kernel import CHANCE, TERMINAL, Game, State, random_below, stream

MAX_LISTED = 40
"""Longer lists of legal actions are cut, their length is always written."""


def playthrough_text(game: Game, seed: int = 0, max_plies: int = 300, every: int = 1) -> str:
    """Return a random game as text: at each ply the player, the legal actions, the one chosen and the board.

    Args:
        game: to be played.
        seed: of the start and of the choices.
        max_plies: a longer game is written up to there.
        every: board and features are written at each so-many-th ply and at the end, at the others a digest of the
            state, so that the text of a large game stays short.
    """
    options = " ".join(f"{name}={value}" for name, value in game.changed_options.items()) or "default"
    lines = [
        f"game: {game.name}",
        f"options: {options}",
        f"players: {game.num_players}",
        f"seed: {seed}",
        f"state bytes: {game.state_dtype.itemsize}",
    ]
    rng = stream(seed, "playthrough")
    state = game.start(seed)
    while True:
        player = state.player
        shown_whole = len(state.history) % every == 0 or player == TERMINAL
        digest = "" if shown_whole else hashlib.blake2b(game.state_bytes(state.array), digest_size=8).hexdigest()
        lines += ["", f"# ply {len(state.history)}", state.text() if shown_whole else f"state: {digest}"]
        if player == TERMINAL:
            lines.append(f"returns: {' '.join(f'{value:g}' for value in state.returns)}")
            break
        if len(state.history) >= max_plies:
            lines.append("(cut here)")
            break
        if game.encoding and player >= 0 and shown_whole:
            lines.append(f"encoding: {_features(state, player)}")
        if player == CHANCE:
            action = state.sample_chance(rng)
            outcomes = state.chance_outcomes
            shown = [f"{state.action_text(a)} {p:.6g}" for a, p in outcomes[:MAX_LISTED]]
            lines.append(f"chance ({len(outcomes)}): {', '.join(shown)}{', ...' if len(outcomes) > MAX_LISTED else ''}")
        else:
            legal = list(state.legal_actions)
            action = legal[int(random_below(rng, len(legal)))]
            shown = [state.action_text(a) for a in legal[:MAX_LISTED]]
            lines.append(
                f"player {player}, legal ({len(legal)}): {', '.join(shown)}{', ...' if len(legal) > MAX_LISTED else ''}"
            )
        lines.append(f"-> {state.action_text(action)}  [{action}]")
        lines += _masks(state, action)
        state.apply(action)
    return "\n".join(line.rstrip() for text in lines for line in text.split("\n")) + "\n"


def _features(state: State, seat: int) -> str:
    """Return the features that are not zero, by number."""
    features = state.encode(seat)
    return " ".join(f"{i}:{features[i]:g}" for i in features.nonzero()[0])


def _masks(state: State, action: int) -> list[str]:
    """Return how seats see an action, where they see something else."""
    seen = [(seat, state.observed(action, seat)) for seat in range(state.game.num_players)]
    return [f"   seat {seat} sees [{mask}]" for seat, mask in seen if mask != action]


def compare_playthrough(path: str | Path, game: Game, seed: int = 0, max_plies: int = 300, every: int = 1) -> None:
    """Compare a game's playthrough with the stored one.

    Raises:
        AssertionError: they differ; the message shows where.
        FileNotFoundError: nothing is stored; :func:`update_playthrough` stores it.
    """
    stored = Path(path).read_text(encoding="utf-8").splitlines()
    found = playthrough_text(game, seed, max_plies, every).splitlines()
    difference = list(difflib.unified_diff(stored, found, str(path), "played now", lineterm="", n=3))
    if difference:
        shown = "\n".join(difference[:60])
        raise AssertionError(f"the playthrough of {game!r} has changed; if that is meant, update the file\n{shown}")


def update_playthrough(path: str | Path, game: Game, seed: int = 0, max_plies: int = 300, every: int = 1) -> None:
    """Store a game's playthrough."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(playthrough_text(game, seed, max_plies, every), encoding="utf-8")
