"""Risk: agents decide by what their seat knows: others' cards, missions and capitals change nothing."""

from functools import cache

import pytest

from oponente import Budget, View, make_agent
from oponente.games.risk.lux.profiles import PROFILES
from oponente.games.risk.moves import CHOOSING_CAPITAL
from oponente.kernel import stream
from tests.games.risk.positions import Position, game_of

CARDS = {"players": 3, "setup": "dealt", "set_values": "by-kind", "fortify": "unlimited"}
VARIANTS = {
    "cards": CARDS,
    "missions": {**CARDS, "victory": "missions"},
    "capitals": {**CARDS, "victory": "capitals", "armies": 16},
}
SEARCHES = ("strong:iterations=20", "uct:20")
LUX = tuple(f"lux-{name}" for name in PROFILES)


@cache
def twins(variant):
    """Return pairs of positions that are the same to the player to move, and not the same.

    Those after the set-up are from every phase of some turns; in the set-up, capitals are being chosen.
    """
    state, rng = game_of(**VARIANTS[variant]).start(11), stream(11, "game")
    found = {}
    for _ in range(4000):
        record = state.record
        phase = int(record.phase)
        if state.is_terminal or len(found) == 16:
            break
        if not state.is_chance and (int(record.turn) or phase == CHOOSING_CAPITAL) and len(state.legal_actions) > 1:
            twin = state.determinize(state.player, stream(len(state.history), "poison"))
            if twin != state:
                found.setdefault((phase, state.player, int(record.turn) // 12), (state.copy(), twin))
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
    return list(found.values()) + hunt(variant)


def hunt(variant):
    """Return pairs of positions, the same to the player to move, in which two players are as easily eliminated."""
    if VARIANTS[variant].get("victory"):
        return []
    position = (
        Position(**{**CARDS, "players": 4}).hold(0, Greenland=30, Peru=30).hold(1, Iceland=2).hold(2, Argentina=2)
    )
    names = [territory.name for territory in position.game.options.world.territories]
    state = position.cards(1, *names[:3]).cards(2, *names[3:6]).place(10).state
    return [(state, state.determinize(0, stream(number, "poison"))) for number in range(8)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_there_is_something_to_notice(variant):
    pairs = twins(variant)
    assert len(pairs) > 8
    fields = {
        name for one, other in pairs for name in one.array.dtype.names if (one.array[name] != other.array[name]).any()
    }
    assert (
        fields
        == {
            "cards": {"hand", "deck"},
            "missions": {"hand", "deck", "mission"},
            "capitals": {"hand", "deck", "capital"},
        }[variant]
    )


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("spec", [pytest.param(spec, marks=pytest.mark.compiled) for spec in SEARCHES] + list(LUX))
def test_what_is_hidden_changes_no_choice(spec, variant):
    for number, positions in enumerate(twins(variant)):
        seat, game = positions[0].player, positions[0].game
        choices = set()
        for position in positions:
            agent = make_agent(spec, game)
            agent.begin_game(game, seat)
            choices.add(agent.choose(View(position, seat, number), Budget()))
        assert len(choices) == 1, positions[0].record.phase
