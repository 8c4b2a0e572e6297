"""Catanatron's players as agents in our matches: ``catanatron:F``, ``catanatron:AB:2``.

Catanatron (https://github.com/bcollazo/catanatron) is licensed under GPL-3.0-or-later and is no part of oponente: who
wants to play against it installs it. Its players run in a process of their own
(:mod:`oponente.interop.catanatron.process`), behind the protocol for agents in any language. Each question holds,
beside what the protocol says, the whole state in the notation of :mod:`oponente.interop.catanatron.notation`, from
which the process makes Catanatron's own.

Catanatron's players are used to see everything. Here they see a sample of what is hidden, unless ``cheat=true``.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.agents.base import AgentError
from oponente.agents.external import ExternalAgent
from oponente.agents.view import View
from oponente.games.catan.board import HARBOURS, TILES
from oponente.games.catan.moves import ACCEPT, ANSWERING, CONFIRMING, SETTING_ROAD
from oponente.interop.catanatron.notation import legal_texts, offer_counts, write_state
from oponente.interop.catanatron.numbering import OUR_TILES, THEIR_HARBOURS, THEIR_NODES
from oponente.kernel import Game, State, absolute, option

PROCESS_FILE = Path(__file__).with_name("process.py")
"""The program that imports Catanatron."""
PLAYER_FILE = Path(__file__).with_name("player.py")
"""What ``catanatron-play --code`` loads to have our agents as its players."""
LICENCE = "GPL-3.0-or-later"
"""Of Catanatron."""


@dataclass(frozen=True)
class CatanatronParameters:
    """Which player, from where, and what time it has."""

    player: str = option("F", meaning="its code in Catanatron: R, W, VP, F, AB, SAB, G or M")
    arguments: str = option(
        "", meaning="the player's arguments, such as the depth of AB; more than one in quotes: 2:true"
    )
    repaired: bool = option(False, meaning="AB sees each outcome of chance where it is weighted with its probability")
    cheat: bool = option(False, meaning="see the true state, hidden parts included, as in Catanatron itself")
    python: str = option("", meaning="the Python that has Catanatron installed; empty: this one")
    path: str = option(
        "",
        given=absolute,
        meaning="folder that holds Catanatron's package, if it is not installed",
    )
    time: float | None = option(
        None, low=0.001, high=1e6, log=True, meaning="seconds for a decision, which it does not heed"
    )
    grace: float = option(1.0, low=0.0, high=1e6, log=True, meaning="seconds beyond those, then it has lost")
    limit: float = option(
        600.0, low=0.001, high=1e6, log=True, meaning="seconds for a decision without a clock, then it has lost"
    )
    start: float = option(60.0, low=0.001, high=1e6, log=True, meaning="seconds to start")
    restart: bool = option(False, meaning="a new process for each game")


class CatanatronAgent(ExternalAgent):
    """A player of Catanatron's (GPL-3.0-or-later, not part of oponente), in a process of its own.

    Like is compared with like by the option preset=catanatron.
    """

    name = "catanatron"
    Parameters = CatanatronParameters

    def check(self, game: Game) -> None:
        """Refuse other games, and a Python or a folder that is not there."""
        if game.name != "catan":
            raise ValueError(f"catanatron plays catan, not {game.name}")
        if shutil.which(self._python) is None:
            raise ValueError(f"agent catanatron: there is no program {self._python!r} that can be run")
        path = self.parameters.path
        if path and not (Path(path) / "catanatron" / "__init__.py").is_file():
            raise ValueError(f"agent catanatron: path={path} holds no folder catanatron with Catanatron's package")

    @property
    def _python(self) -> str:
        return self.parameters.python or sys.executable

    def prepare(self, game: Game) -> None:
        """Start the process; ValueError if there is no Catanatron, or not that player: nobody loses games for that."""
        super().prepare(game)
        if self.unready:
            raise ValueError(f"catanatron {self.unready}")

    def command_line(self) -> list[str]:
        """Return the call of the program that imports Catanatron."""
        return [self._python, str(PROCESS_FILE)]

    def environment(self) -> dict[str, str]:
        """Return what decides where Python looks for modules, and in which order it goes through sets."""
        path = {"PYTHONPATH": self.parameters.path} if self.parameters.path else {}
        return {"PYTHONHASHSEED": "0", "PYTHONSAFEPATH": "1", **path}

    def more_hello(self, game: Game) -> dict[str, Any]:
        """Return the player and the rules that it asks for."""
        p, options = self.parameters, game.options
        return {
            "catanatron": {
                "player": f"{p.player}:{p.arguments}" if p.arguments else p.player,
                "repaired": p.repaired,
                **{name: options.rule(name) for name in ("points", "discard_limit", "friendly_robber")},
            }
        }

    def more_move(self, view: View) -> dict[str, Any]:
        """Return the state, or a sample of it, in Catanatron's terms."""
        state = view.true_state() if self.parameters.cheat else view.determinize(view.stream("catanatron"))
        return {"catanatron": catanatron_state(state)}

    def read_choice(self, view: View, answer: int | str) -> int:
        """Return the action whose text in Catanatron's notation is the answer."""
        action = legal_texts(view.true_state()).get(str(answer))
        if action is None:
            raise AgentError(f"answered {str(answer)[:80]}, which is not legal")
        return action


def catanatron_state(state: State) -> dict[str, Any]:
    """Return all that Catanatron's state is made of; see :func:`oponente.interop.catanatron.notation.write_state`.

    Beside that: ``tiles`` and ``ports`` (the board, in Catanatron's numbers), ``deck_counts`` (development cards left,
    by kind), ``fresh`` (those bought this turn), ``home`` (the settlement whose road is due, else None),
    ``turn_number`` (0 in the set-up), ``trade`` (ten counts, None if no offer is open), ``accepted`` (who takes it) and
    ``legal`` (the texts of the legal actions, offers left out).
    """
    record, players = state.record, state.game.num_players
    trading = record.phase in (ANSWERING, CONFIRMING)
    ports: list[int | None] = [None] * HARBOURS
    for place in range(HARBOURS):
        kind = int(record.harbour[place])
        ports[THEIR_HARBOURS[place]] = kind if kind < 5 else None
    return {
        **write_state(state),
        "tiles": [_tile(record, OUR_TILES[number]) for number in range(TILES)],
        "ports": ports,
        "deck_counts": record.deck.tolist(),
        "fresh": record.fresh.tolist(),
        "home": THEIR_NODES[int(record.home)] if record.phase == SETTING_ROAD else None,
        "turn_number": int(record.turn),
        "trade": offer_counts(state) if trading else None,
        "accepted": [trading and int(record.answer[seat]) == ACCEPT for seat in range(players)],
        "legal": list(legal_texts(state)),
    }


def _tile(record: Any, tile: int) -> list[int | None]:
    terrain, number = int(record.terrain[tile]), int(record.number[tile])
    return [terrain if terrain >= 0 else None, number or None]
