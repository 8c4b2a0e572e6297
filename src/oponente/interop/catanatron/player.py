"""Our agents as players of Catanatron's: a file for its command line.

    catanatron-play --code player.py --players OP:uct:1000,F --num 100

``OP:`` is followed by the agent, as in ``oponente match catan``, with ``:`` between its parameters in place of ``,``
(``OP:uct:time=1:c=0.7``). The path of this file is `oponente.interop.catanatron.PLAYER_FILE`.

Catanatron is licensed under GPL-3.0-or-later, which holds for a program that this file and Catanatron make up. So it
stands alone: no module of oponente imports it.
"""

from __future__ import annotations

import atexit
import sys
import weakref
from typing import Any, ClassVar

from catanatron.game import TURNS_LIMIT
from catanatron.models.enums import RESOURCES

from catanatron import Player
from oponente.agents.base import Budget
from oponente.arena.play import close, draw_returns, end
from oponente.games.catalogue import load_game, make_agent
from oponente.games.catan.moves import ACCEPT
from oponente.interop.catanatron.follow import Follower, FollowingError
from oponente.interop.catanatron.notation import text
from oponente.interop.catanatron.numbering import CUBES, EDGE_PAIRS
from oponente.interop.catanatron.recording import Header
from oponente.kernel import derive_seed

CODE = "OP"
ANSWERS = ("ACCEPT_TRADE", "REJECT_TRADE")
DEVELOPMENT_CARDS = ["KNIGHT", "YEAR_OF_PLENTY", "MONOPOLY", "ROAD_BUILDING", "VICTORY_POINT"]


class OponentePlayer(Player):
    """An agent of oponente's. Parameters: the agent, and its own.

    Catanatron tells players of no end of a game. The agent hears of it as the next one begins, or the program ends.
    """

    playing: ClassVar[weakref.WeakSet[OponentePlayer]] = weakref.WeakSet()
    """Our players whose agents are made."""
    followed: ClassVar[dict[str, FollowedTable]] = {}
    """The game that all our players at a table follow, once for all of them: by the game's id, the latest only."""

    def __init__(self, color: Any, *words: str) -> None:
        super().__init__(color)
        self.spec = ":".join(words) if words else "uct:1000"
        self.agent: Any = None
        self.game: Any = None
        """Catanatron's game in which the agent plays, None before the first one and after its end was told."""
        self.departures = 0
        """How often the agent chose what Catanatron does not allow, and something that both do was drawn instead."""

    def decide(self, game: Any, playable_actions: Any) -> Any:
        """Return what the agent chooses."""
        table = self.table(game)
        table.catch_up(game)
        seat = table.seat(self.color)
        if self.game is None or self.game.id != game.id:
            self.end()
            self.begin(table, seat)
        self.game = game
        if len(playable_actions) == 1:
            return playable_actions[0]
        seed = derive_seed(game.seed or 0, seat, table.taken)
        if playable_actions[0].action_type.value in ANSWERS:
            return self.answer(table, seat, seed, playable_actions)
        theirs = {text(table.write(action)): action for action in playable_actions}
        both = {number: theirs[name] for name, number in table.follower.legal().items() if name in theirs}
        chosen = self.agent.choose(table.follower.view(seat, seed), Budget()) if both else None
        if chosen in both:
            return both[chosen]
        self.departures += 1
        left = list(both.values()) or list(playable_actions)
        return left[derive_seed(seed, "departure") % len(left)]

    def answer(self, table: FollowedTable, seat: int, seed: int, playable_actions: Any) -> Any:
        """Return whether the agent takes an offer: never one that our rules do not know."""
        kinds = {action.action_type.value: action for action in playable_actions}
        _, _, counts = table.write(playable_actions[0])
        view = table.follower.offer_view(table.follower.state.player, counts, seat, seed)
        takes = view is not None and self.agent.choose(view, Budget()) == ACCEPT
        return kinds.get("ACCEPT_TRADE" if takes else "REJECT_TRADE", kinds["REJECT_TRADE"])

    def table(self, game: Any) -> FollowedTable:
        """Return what follows the game."""
        if game.id not in self.followed:
            self.followed.clear()
            self.followed[game.id] = FollowedTable(game)
        return self.followed[game.id]

    def begin(self, table: FollowedTable, seat: int) -> None:
        """Make the agent at the first game, and tell it of each."""
        if self.agent is None:
            self.agent = make_agent(self.spec, table.follower.game)
            self.agent.prepare(table.follower.game)
            self.playing.add(self)
        self.agent.begin_game(table.follower.game, seat)

    def end(self) -> None:
        """Tell the agent how its last game has ended, if it has and that was not done."""
        game, self.game = self.game, None
        if game is None:
            return
        winner, turns = game.winning_color(), game.state.num_turns
        if winner is not None:
            returns = tuple(1.0 if colour == winner else -1.0 for colour in game.state.colors)
            end(self.agent, returns, "", f"game {game.id}")
        elif turns >= TURNS_LIMIT:
            rules = load_game("catan", {"players": str(len(game.state.colors))})
            end(self.agent, draw_returns(rules), f"after {turns} turns", f"game {game.id}")

    def reset_state(self) -> None:
        """Tell how the last game has ended: the command line of Catanatron says so that the next one begins."""
        self.end()

    def __repr__(self) -> str:
        return f"{CODE}:{self.spec}:{self.color.value}"


class FollowedTable:
    """One of Catanatron's games, in our terms, and our game beside it."""

    def __init__(self, game: Any) -> None:
        self.colours = game.state.colors
        self.follower = Follower(self.header(game))
        self.taken = 0

    def header(self, game: Any) -> Header:
        """Return the board and the rules."""
        state, board = game.state, game.state.board.map
        start = next(place for place, tile in board.land_tiles.items() if tile.resource is None)
        return Header(
            number=0,
            players=len(state.colors),
            tiles=[[number_of(tile.resource), tile.number] for _, tile in sorted(board.tiles_by_id.items())],
            ports=[number_of(port.resource) for _, port in sorted(board.ports_by_id.items())],
            robber=CUBES.index(start),
            points=game.vps_to_win,
            discard_limit=state.discard_limit,
            friendly_robber=getattr(state, "friendly_robber", False),
            number_placement="random",
            state={},
        )

    def seat(self, colour: Any) -> Any:
        """Return the seat of a colour, None of none."""
        return None if colour is None else self.colours.index(colour)

    def catch_up(self, game: Any) -> None:
        """Take the actions that were taken since the last time.

        Raises:
            FollowingError: our game is not where Catanatron's is.
        """
        records = getattr(game.state, "action_records", None)
        log = game.state.actions if records is None else records
        for entry in log[self.taken :]:
            action, result = self.taken_action(entry) if records is None else (entry.action, entry.result)
            self.follower.take(self.write(action), self.result(action, result))
            self.taken += 1
        state = game.state
        values = [state.player_state[f"P{seat}_LONGEST_ROAD_LENGTH"] for seat in range(len(self.colours))]
        if any(values):  # there are none in the set-up
            self.follower.correct_roads(values, self.seat(state.board.road_color))
        wrong = self.follower.differences(self.compared(state))
        if wrong:
            raise FollowingError(f"after {self.taken} actions Catanatron's game has other {', '.join(wrong)} than ours")

    def taken_action(self, action: Any) -> tuple[Any, Any]:
        """Return an action of a log that holds results in the actions, and its result."""
        kind, value = action.action_type.value, action.value
        if kind == "MOVE_ROBBER":
            return action._replace(value=value[:2]), value[2] if len(value) > 2 else None
        return action, value

    def compared(self, state: Any) -> dict[str, Any]:
        """Return what must be the same in both games, in the notation of recordings."""
        return {
            "bank": list(state.resource_freqdeck),
            "deck": len(state.development_listdeck),
            "robber": CUBES.index(state.board.robber_coordinate),
            "turn": state.current_turn_index,
        }

    def write(self, action: Any) -> list[Any]:
        """Return an action as ``[seat, type, value]``."""
        kind, value = action.action_type.value, action.value
        if kind == "BUILD_ROAD":
            value = EDGE_PAIRS.index(tuple(sorted(value)))
        elif kind == "MOVE_ROBBER":
            value = [CUBES.index(value[0]), self.seat(value[1])]
        elif kind == "MARITIME_TRADE":
            given = [card for card in value[:-1] if card is not None]
            value = [number_of(given[0]), len(given), number_of(value[-1])]
        elif kind == "PLAY_YEAR_OF_PLENTY":
            value = sorted(map(number_of, value))
        elif kind in ("PLAY_MONOPOLY", "DISCARD_RESOURCE"):
            value = number_of(value)
        elif kind in ("ROLL", "BUY_DEVELOPMENT_CARD"):
            value = None
        elif kind in ("ACCEPT_TRADE", "REJECT_TRADE"):
            value = list(value[:10])
        elif kind == "CONFIRM_TRADE":
            value = [*value[:10], self.seat(value[10])]
        return [self.seat(action.color), kind, value]

    def result(self, action: Any, result: Any) -> Any:
        """Return the result of an action in our terms."""
        kind = action.action_type.value
        if kind == "BUY_DEVELOPMENT_CARD":
            return DEVELOPMENT_CARDS.index(result)
        if kind == "MOVE_ROBBER":
            return number_of(result)
        return [number_of(card) for card in result] if kind == "DISCARD" else result


def number_of(resource: str | None) -> Any:
    """Return the number of a resource, None of none."""
    return None if resource is None else RESOURCES.index(resource)


@atexit.register
def end_all() -> None:
    """Tell all agents how their last game has ended, and close them: the program ends."""
    for player in list(OponentePlayer.playing):
        player.end()
        close(player.agent)


def register() -> None:
    """Have Catanatron's command line know our players, if this version has one."""
    try:
        from catanatron.cli import register_cli_player
    except ImportError as error:
        print(
            f"note: no player is registered, since there is no command line of Catanatron's: {error}", file=sys.stderr
        )
        return
    register_cli_player(CODE, OponentePlayer)


register()
