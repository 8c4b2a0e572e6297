"""Catanatron's players in our matches, and our agents in Catanatron's games.

With the package from PyPI (3.2.1). What only its repository has (the players F and AB, one discard at a time) is tested
where OPONENTE_CATANATRON names the folder that holds that package; else those tests are skipped, and say so.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import oponente
from oponente import Budget, View, load_game, make_agent
from oponente.arena import MatchError, MatchSpec, run_match
from oponente.games.catalogue import GameSpec
from oponente.games.catan.moves import ANSWERING
from oponente.interop.catanatron.agents import PLAYER_FILE, PROCESS_FILE, catanatron_state
from oponente.interop.catanatron.follow import Follower, FollowingError
from oponente.interop.catanatron.notation import legal_texts
from oponente.kernel import stream

catanatron = pytest.importorskip("catanatron")

FROM_REPOSITORY = os.environ.get("OPONENTE_CATANATRON", "")
needs_repository = pytest.mark.skipif(
    not FROM_REPOSITORY, reason="OPONENTE_CATANATRON names no folder with Catanatron's package from its repository"
)
COLOURS = list(catanatron.Color)


def load(file):
    spec = importlib.util.spec_from_file_location(f"alone_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def process():
    return load(PROCESS_FILE)


@pytest.fixture(scope="module")
def player():
    return load(PLAYER_FILE)


@pytest.mark.parametrize("file", [PROCESS_FILE, PLAYER_FILE])
def test_the_files_that_import_catanatron_stand_alone(file):
    module = ".".join(file.relative_to(Path(oponente.__file__).parents[1]).with_suffix("").parts)
    for source in Path(oponente.__file__).parent.rglob("*.py"):
        text = source.read_text()
        if source != file:
            assert f"import {module}" not in text
            assert f"from {module} import" not in text
        if source not in (PROCESS_FILE, PLAYER_FILE):
            assert "import catanatron" not in text
            assert "from catanatron" not in text


# --- its players, in our matches -------------------------------------------------------------------------------------


def in_our_match(*agents, games=1, **options):
    spec = GameSpec("catan", tuple(sorted({"preset": "catanatron", "players": str(len(agents)), **options}.items())))
    return run_match(MatchSpec(spec, agents, games=games, seed=2)).records


@pytest.mark.parametrize("code", ["R", "W", "VP"])
def test_players_of_the_package_play(code):
    others = ["random"] * {"R": 1, "W": 2, "VP": 3}[code]
    records = in_our_match(f"catanatron:{code}", *others, turn_limit="40")
    assert [record.status for record in records] == ["played"]
    again = in_our_match(f"catanatron:{code}", *others, turn_limit="40")
    assert records[0].actions == again[0].actions
    assert records[0].reproducible


def test_they_answer_offers():
    """The version without trade between players rejects all."""
    game = load_game("catan", {"players": "3", "preset": "catanatron"})
    agent, rng, state = make_agent("catanatron:R", game), stream(3), game.start(4)
    asked = 0
    try:
        while asked < 3:
            if state.player >= 0 and state.record.phase == ANSWERING:
                action = agent.choose(View(state, state.player, asked, history=[]), Budget())
                assert FROM_REPOSITORY or state.action_text(action) == "reject"
                asked += 1
            else:
                action = state.sample_chance(rng) if state.is_chance else state.sample_action(rng)
            state.apply(action)
    finally:
        agent.close()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("catanatron:Z", "this version of Catanatron has no player 'Z'; it has "),
        ("catanatron:R,repaired=true", "has no alpha-beta player to be repaired"),
        ("catanatron:VP:1:2:3", "'1' is one value too many|needs its key|expected|Catanatron's player"),
    ],
)
def test_a_player_that_is_not_there_is_told_before_a_game(spec, says):
    if "repaired" in spec and FROM_REPOSITORY:
        pytest.skip("that version has it")
    with pytest.raises((MatchError, ValueError), match=says):
        in_our_match(spec, "random")


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="there is no agent 'catanatron'"):
        make_agent("catanatron:F", load_game("connect4"))
    with pytest.raises(ValueError, match="holds no folder catanatron"):
        make_agent("catanatron:F,path=/no/such", load_game("catan"))


def test_what_is_told_depends_on_nothing_hidden():
    game = load_game("catan", {"players": "3", "preset": "catanatron", "trade": "false"})
    rng, state = stream(3), game.start(4)
    while not (state.player >= 0 and state.record.turn > 40):
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
    seat = state.player
    poisoned = state.determinize(seat, stream(9))
    assert poisoned.array.tobytes() != state.array.tobytes()
    honest, cheating = make_agent("catanatron:F", game), make_agent("catanatron:F,cheat=true", game)
    told = [honest.more_move(View(one, seat, 5, history=[])) for one in (state, poisoned)]
    assert told[0] == told[1]
    assert cheating.more_move(View(state, seat, 5)) == {"catanatron": catanatron_state(state)}


# --- the game that is made of our state ------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_game_made_of_our_state_is_catanatrons(process, player, players):
    """At every decision of random games; where the two rules differ, in what `Follower` corrects and no more."""
    seen = Counter()
    for seed in range(1, 4):
        theirs = catanatron.Game([catanatron.RandomPlayer(colour) for colour in COLOURS[:players]], seed=seed)
        followed = player.FollowedTable(theirs)
        table = process.Table(theirs.state.players, 10, 7, False)
        for _ in range(400):
            if theirs.winning_color() is not None:
                break
            followed.catch_up(theirs)
            if theirs.state.current_prompt.name == "DISCARD" and followed.follower.state.player < 0:
                break
            made = table.game(catanatron_state(followed.follower.state), seed=1)
            compare(theirs, made, seen)
            try:
                theirs.play_tick()
            except TypeError:  # of 3.2.1, where a settlement cuts a road
                break
    assert seen["decisions"] > 500


def compare(theirs, made, seen):
    one, two = theirs.state, made.state
    seen["decisions"] += 1
    assert {key: value for key, value in one.player_state.items() if key in two.player_state} == two.player_state
    for name in (
        "colors", "resource_freqdeck", "num_turns", "current_player_index", "current_turn_index", "current_prompt",
        "is_initial_build_phase", "is_discarding", "is_road_building", "free_roads_available", "discard_limit",
    ):  # fmt: skip
        assert getattr(one, name) == getattr(two, name), name
    assert Counter(one.development_listdeck) == Counter(two.development_listdeck)
    for name in ("buildings", "roads", "board_buildable_ids", "robber_coordinate", "road_color"):
        assert getattr(one.board, name) == getattr(two.board, name), name
    for colour in one.colors:
        for kind in ("SETTLEMENT", "CITY"):
            assert sorted(one.buildings_by_color[colour][kind]) == sorted(two.buildings_by_color[colour][kind])
        held, own = (state.board.buildable_edges(colour) for state in (one, two))
        seen["roads beyond buildings"] += set(held) != set(own)
        assert set(own) <= set(held)
    listed = [set(getattr(game, "playable_actions", None) or game.state.playable_actions) for game in (theirs, made)]
    assert listed[1] <= listed[0]
    assert all(action.action_type.name == "BUILD_ROAD" for action in listed[0] - listed[1])


# --- our agents, in its games ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_our_agents_play_in_its_games(player, players):
    table = [player.OponentePlayer(COLOURS[0], "weighted-random")]
    table += [catanatron.RandomPlayer(colour) for colour in COLOURS[1:players]]
    wins = Counter()
    # The same seed is not the same game in each process, as Catanatron goes by the order of sets: until all was seen.
    for seed in range(1, 41):
        game = catanatron.Game(table, seed=seed)
        try:
            game.play()
        except TypeError:  # of 3.2.1, where a settlement cuts a road
            continue
        wins[game.winning_color()] += 1
        if sum(wins.values()) >= 4 and wins[COLOURS[0]]:
            break
    assert sum(wins.values()) >= 4
    assert wins[COLOURS[0]]


def test_our_agents_hear_how_a_game_has_ended(player, monkeypatch):
    agent, heard = make_agent("weighted-random", load_game("catan")), []
    agent.begin_game = lambda game, seat: heard.append(seat)
    agent.end_game = lambda returns, reason: heard.append((returns, reason))
    agent.close = lambda: heard.append("close")
    monkeypatch.setattr(player, "make_agent", lambda *_: agent)
    ours = player.OponentePlayer(COLOURS[0])
    others = [catanatron.RandomPlayer(colour) for colour in COLOURS[1:3]]
    games = [catanatron.Game([ours, *others], seed=seed, vps_to_win=3) for seed in (1, 2, 3)]
    told = []
    for game in games:
        winner = game.play()
        told += [game.state.colors.index(COLOURS[0])]
        assert heard == told
        told += [(tuple(1.0 if colour == winner else -1.0 for colour in game.state.colors), "")]
    ours.reset_state()
    assert heard == told
    broken_off = catanatron.Game([ours, *others], seed=4)
    while not ours.game:
        broken_off.play_tick()
    player.end_all()
    assert heard == [*told, broken_off.state.colors.index(COLOURS[0]), "close"]


def test_our_agents_hear_of_a_game_at_the_limit_of_turns(player, monkeypatch):
    agent, heard = make_agent("weighted-random", load_game("catan")), []
    agent.end_game = lambda returns, reason: heard.append((returns, reason))
    monkeypatch.setattr(player, "make_agent", lambda *_: agent)
    ours = player.OponentePlayer(COLOURS[0])
    game = catanatron.Game([ours, catanatron.RandomPlayer(COLOURS[1])], seed=1)
    while not ours.game:
        game.play_tick()
    game.state.num_turns = 1000
    ours.end()
    assert heard == [((0.0, 0.0), "after 1000 turns")]


def test_a_game_that_we_do_not_follow_is_told(player):
    game = catanatron.Game([catanatron.RandomPlayer(colour) for colour in COLOURS[:2]], seed=1)
    followed = player.FollowedTable(game)
    game.play_tick()
    followed.catch_up(game)
    game.state.resource_freqdeck[0] -= 1
    with pytest.raises(FollowingError, match="has other bank than ours"):
        followed.catch_up(game)


def test_trades_of_others_are_followed(player):
    game = catanatron.Game([catanatron.RandomPlayer(colour) for colour in COLOURS[:3]], seed=1)
    while game.state.num_turns < 12:
        game.play_tick()
    followed = player.FollowedTable(game)
    followed.catch_up(game)
    follower: Follower = followed.follower
    while follower.state.record.phase != 7 or not all(sum(hand(follower, seat)) for seat in (0, 1, 2)):
        game.play_tick()
        followed.catch_up(game)
    offerer = follower.state.player
    partner = (offerer + 1) % 3
    give = next(i for i in range(5) if hand(follower, offerer)[i])
    want = next(i for i in range(5) if hand(follower, partner)[i] and i != give)
    counts = [int(i == give) for i in range(5)] + [int(i == want) for i in range(5)]
    view = follower.offer_view(offerer, counts, partner, 1)
    assert view is not None
    assert "accept" in {view.action_text(action) for action in view.legal_actions}
    before = hand(follower, offerer), hand(follower, partner)
    for action in (["OFFER_TRADE", counts], ["ACCEPT_TRADE", counts], ["CONFIRM_TRADE", [*counts, partner]]):
        follower.take([offerer, *action])
    after = hand(follower, offerer), hand(follower, partner)
    assert after[0] == [n - (i == give) + (i == want) for i, n in enumerate(before[0])]
    assert after[1] == [n + (i == give) - (i == want) for i, n in enumerate(before[1])]
    assert follower.offer_view(offerer, [99] + [0] * 8 + [1], partner, 1) is None


def hand(follower, seat):
    return [int(follower.state.record.known[seat][seat]) >> 8 * i & 255 for i in range(5)]


# --- with the package of the repository ------------------------------------------------------------------------------


@needs_repository
@pytest.mark.parametrize("player_spec", ["F", "AB:1", "AB:1,repaired=true"])
def test_players_of_the_repository_play(player_spec):
    agent = f'catanatron:{player_spec},path="{FROM_REPOSITORY}"'
    records = in_our_match(agent, "random", games=2, trade="false", turn_limit="200")
    assert [record.status for record in records] == ["played"] * 2
    if player_spec == "F":
        assert all(record.returns[record.agents.index(0)] == 1.0 for record in records)


@needs_repository
def test_all_of_this_file_holds_for_the_repository():
    environment = {**os.environ, "OPONENTE_CATANATRON": ""}
    environment["PYTHONPATH"] = os.pathsep.join([FROM_REPOSITORY, environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "pytest", "-q", __file__, "-k", "made_of_our_state or in_its_games or followed"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@needs_repository
def test_repaired_chance_sees_what_it_weights():
    code = """
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("alone", sys.argv[1])
process = importlib.util.module_from_spec(spec)
spec.loader.exec_module(process)
process.repair_chance()
from catanatron import Color, Game, RandomPlayer
from catanatron.models.enums import Action, ActionType
from catanatron.players import minimax
game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=3)
while game.state.current_prompt.name != "PLAY_TURN":
    game.play_tick()
colour = game.state.current_color()
roll = Action(colour, ActionType.ROLL, None)
branches = minimax.expand_spectrum(game, [roll])[roll]
print(json.dumps([[sum(child.state.action_records[-1].result), chance] for child, chance in branches]))
index = game.state.color_to_index[colour]
for resource in ("SHEEP", "WHEAT", "ORE"):
    game.state.player_state[f"P{index}_{resource}_IN_HAND"] += 1
buy = Action(colour, ActionType.BUY_DEVELOPMENT_CARD, None)
branches = minimax.expand_spectrum(game, [buy])[buy]
print(json.dumps([[child.state.action_records[-1].result, chance] for child, chance in branches]))
"""
    environment = {**os.environ, "PYTHONPATH": FROM_REPOSITORY}
    done = subprocess.run(
        [sys.executable, "-c", code, str(PROCESS_FILE)], env=environment, capture_output=True, text=True, check=True
    )
    rolls, cards = map(json.loads, done.stdout.splitlines())
    assert [total for total, _ in rolls] == list(range(2, 13))
    assert [round(36 * chance) for _, chance in rolls] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert dict(cards) == pytest.approx(
        {"KNIGHT": 14 / 25, "YEAR_OF_PLENTY": 2 / 25, "MONOPOLY": 2 / 25, "ROAD_BUILDING": 2 / 25, "VICTORY_POINT": 0.2}
    )


@needs_repository
def test_the_command_line_of_catanatron_loads_our_player():
    environment = {**os.environ}
    environment["PYTHONPATH"] = os.pathsep.join([FROM_REPOSITORY, environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "catanatron.cli.play", "--code", str(PLAYER_FILE)]
    if subprocess.run([sys.executable, "-c", "import rich"], capture_output=True, check=False).returncode:
        pytest.skip("Catanatron's command line needs rich")
    done = subprocess.run(
        [*command, "--players", "OP:weighted-random,R", "--num", "2"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "OP:weighted-random" in done.stdout


def test_offers_have_no_text():
    state = load_game("catan").start()
    assert set(legal_texts(state)) == set(catanatron_state(state)["legal"])
