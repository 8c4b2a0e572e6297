"""Toy games, each with one thing broken on purpose.

A mutant is the source of a correct toy game in which a passage is replaced, so that what is wrong stands here and
nothing else is. Run as a program, it prints what the suite says of each mutant, as JSON: tests start it with
``NUMBA_DISABLE_JIT=1``, where a mutant costs no compilation and may use what Numba would refuse.
"""

# ruff: noqa: E501 (a mutant is easiest to compare with its toy when its passages stay whole)
from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

TOYS = Path(__file__).parents[1] / "toy_games"


@dataclass(frozen=True)
class Mutant:
    """A broken game, and what the suite must say of it."""

    toy: str
    changes: tuple[tuple[str, str], ...]
    rule: str
    """The check that must fail."""
    words: str
    """What its message must contain."""
    options: tuple[tuple[str, str], ...] = ()

    def write(self, folder: Path, name: str) -> Path:
        """Write the game's file and return its path."""
        source = (TOYS / f"{self.toy}.py").read_text()
        for old, new in self.changes:
            assert source.count(old) >= 1, f"{self.toy} has no passage {old!r}"
            source = source.replace(old, new)
        path = folder / f"{name.replace(' ', '_').replace('-', '_')}.py"
        path.write_text(source)
        return path


def symmetric(symmetry: str, words: str) -> Mutant:
    """Return clash with a symmetry that is none."""
    told = f"""
def turned(array):
    other = array.copy()
    other[0].turn = 1 - other[0].turn
    return other


def symmetries(tables):
    return [Symmetry({symmetry})]


@njit
def initial("""
    imports = "import numpy as np\nfrom oponente.kernel import Symmetry\nfrom oponente.kernel import TERMINAL"
    changes = (("@njit\ndef initial(", told), ("from oponente.kernel import TERMINAL", imports))
    return Mutant("clash", changes, "symmetries", words)


def append(toy: str, code: str) -> tuple[str, str]:
    """Return the change that adds code at the end of a toy's `returns`, the one passage that each has."""
    return "@njit\ndef returns(", f"{code}\n\n\n@njit\ndef returns("


def _knowing(rule: str, registered: str, definition: str, words: str) -> Mutant:
    code = (
        "import numpy as np\n\n\nclass Hope(NamedTuple):\n    token: Token\n\n\n"
        f"{registered} = {{'hope': Hope(Token(__name__))}}\n\n\n@njit\n{definition}"
    )
    return Mutant("coins", (append("coins", code),), rule, words)


def evaluator(body: str, words: str) -> Mutant:
    """Return coins with an evaluator that is wrong."""
    head = "def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:"
    return _knowing("evaluators", "EVALUATORS", f"{head}\n    {body}", words)


def policy(body: str, words: str) -> Mutant:
    """Return coins with a playout policy that is wrong."""
    head = "def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:"
    return _knowing("policies", "POLICIES", f"{head}\n    {body}", words)


def prior(body: str, words: str) -> Mutant:
    """Return coins with a prior that is wrong."""
    head = "def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:"
    return _knowing("priors", "PRIORS", f"{head}\n    {body}", words)


def belief(body: str, words: str) -> Mutant:
    """Return coins with a belief that is wrong."""
    head = "def likelihood(belief: Any, game: Any, state: Any, player: Any) -> float:"
    return _knowing("beliefs", "BELIEFS", f"{head}\n    {body}", words)


def avoiding(function: str, body: str, words: str) -> Mutant:
    """Return coins with a playout policy that is wrong about what to avoid."""
    last = "before: Any, action: Any" if function == "redundant" else ""
    code = (
        "def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:\n    return 1\n\n\n@njit\n"
        f"def {function}(policy: Any, game: Any, state: Any{', ' * bool(last)}{last}) -> Any:\n    {body}"
    )
    return dataclasses.replace(_knowing("policies", "POLICIES", code, words), rule="redundancy")


def hashing(toy: str, body: str, words: str) -> Mutant:
    """Return a toy with a hash that is wrong."""
    head = "@njit\ndef hash_state(game: Any, state: Any, words: Any, out: Any) -> None:"
    return Mutant(toy, (append(toy, f"import numpy as np\n\n\n{head}\n    {body}"),), "hash_state", words)


def peeking_policy(stays: str) -> Mutant:
    """Return a poker with a policy that declares to use what its player knows only, and stays if `stays` holds."""
    code = (
        "class Hope(NamedTuple):\n    token: Token\n\n\nPOLICIES = {'hope': Hope(Token(__name__))}\nOWN_KNOWLEDGE = True"
        "\n\n\n@njit\ndef playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:\n"
        f"    other = (state.turn + 1) % game.players\n    return STAY if {stays} else FOLD"
    )
    return Mutant("poker", (append("poker", code),), "policies", "policy hope declares OWN_KNOWLEDGE, yet plays")


MUTANTS: dict[str, Mutant] = {
    # --- copies
    "copy that leaves out a field": Mutant(
        "heap",
        (
            append(
                "heap",
                "@njit\ndef copy_state(game: Any, states: Any, to: Any, origin: Any) -> None:\n"
                "    states[to].stones = states[origin].stones",
            ),
        ),
        "copy",
        "player returned",
    ),
    # --- hashes
    "hash without the mover": hashing(
        "heap", "out[0] = out[1] = state.stones", "two states that differ in player, actions or returns"
    ),
    "hash without a part that counts later": hashing(
        "coins", "out[0], out[1] = state.cell, state.purse", ") to two states, and ("
    ),
    "hash by lot": hashing("heap", "out[0] = out[1] = np.random.randint(1 << 30)", "when asked again"),
    "hash that writes the state": hashing(
        "heap", "out[0], out[1] = state.stones, state.turn\n    state.turn = 1", "hash_state changes the state, in turn"
    ),
    "hash of three words": hashing(
        "heap", "out[0], out[1] = state.stones, state.turn\n    out[2] = 1", "hash_state raised IndexError"
    ),
    # --- constants
    "upper-case name": Mutant("coins", (('NAME = "coins"', 'NAME = "Coins"'),), "constants", "NAME is 'Coins'"),
    "encoding without encode": Mutant(
        "coins", (("MAX_ACTIONS = 2", "MAX_ACTIONS = 2\nENCODING = 3"),), "constants", "lacks encode"
    ),
    "utility without a range": Mutant("coins", (("(0.0, 90.0)", "(1, 1)"),), "constants", "UTILITY"),
    "open actions without examples": Mutant(
        "heap", (("def open_actions(", "def other_actions("),), "constants", "OPEN_ACTIONS without open_actions"
    ),
    "utility upside down": Mutant("coins", (("(0.0, 90.0)", "(90.0, 0.0)"),), "constants", "UTILITY"),
    "wrong parameters": Mutant(
        "coins",
        (("def returns(game: Any, state: Any, out: Any)", "def returns(game: Any, out: Any)"),),
        "constants",
        "returns has 2 parameters; expected 3",
    ),
    "state with gaps": Mutant(
        "heap",
        (
            (
                'State = record(("stones", "i4"), ("turn", "i1"))',
                'import numpy as np\nState = np.dtype((np.record, np.dtype([("stones", "i4"), ("turn", "i1")], align=True)))',
            ),
        ),
        "constants",
        "gaps between its fields",
    ),
    "state no record": Mutant(
        "heap",
        (
            (
                'State = record(("stones", "i4"), ("turn", "i1"))',
                'import numpy as np\nState = np.dtype([("stones", "i4"), ("turn", "i1")])',
            ),
        ),
        "constants",
        "no record with fields as attributes",
    ),
    # --- starts and turns
    "random start": Mutant(
        "coins",
        (("random_below(rng, 10)", "np.random.randint(10)"), ("from typing", "import numpy as np\nfrom typing")),
        "initial",
        "two starts from the same stream",
    ),
    "over at once": Mutant(
        "heap", (("state.stones = STONES", "state.stones = 0"),), "initial", "over before it begins"
    ),
    "player out of range": Mutant(
        "heap", (("else state.turn\n", "else state.turn + 5\n"),), "random play", "player returned 5"
    ),
    "endless": Mutant(
        "heap",
        (
            (
                "    state.turn = 1 - state.turn",
                "    state.turn = 1 - state.turn\n    state.stones = state.stones or STONES",
            ),
        ),
        "random play",
        "not over after",
    ),
    # --- actions
    "illegal action listed": Mutant(
        "heap", (("out[count] = state.stones", "out[count] = state.stones + 1"),), "actions", "but legal denies it"
    ),
    "duplicate": Mutant(
        "coins", (("out[0], out[1] = 1, 2", "out[0], out[1] = 1, 1"),), "actions", "[1] more than once"
    ),
    "negative action": Mutant("coins", (("out[0], out[1] = 1, 2", "out[0], out[1] = 1, -2"),), "actions", "lists -2"),
    "action missing": Mutant("heap", (("OPEN_ACTIONS = True", "OPEN_ACTIONS = False"),), "legal", "does not list"),
    "legal too narrow": Mutant(
        "pig",
        (append("pig", "@njit\ndef legal(game: Any, state: Any, action: Any) -> bool:\n    return action == ROLL"),),
        "actions",
        "lists 0, but legal denies it",
    ),
    "legal too wide": Mutant(
        "pig",
        (append("pig", "@njit\ndef legal(game: Any, state: Any, action: Any) -> bool:\n    return 0 <= action < 3"),),
        "legal",
        "which actions does not list",
    ),
    "legal allows negative": Mutant("heap", (("return 1 <= action", "return action"),), "legal", "legal allows -1"),
    "legal when all is over": Mutant(
        "heap",
        (("return 1 <= action <= state.stones", "return 1 <= action <= max(1, state.stones)"),),
        "legal",
        "but the game is over",
    ),
    "no action": Mutant("coins", (("CELLS else 1", "CELLS else 0"),), "random play", "no listed action"),
    "too many actions": Mutant(
        "heap", (("MAX_ACTIONS = 4", "MAX_ACTIONS = 3"),), "random play", "more than MAX_ACTIONS = 3"
    ),
    "wrong open action": Mutant(
        "heap",
        (("(4, stones // 2, stones - 1)", "(4, stones + 1)"), ("< number < stones}", "< number}")),
        "random play",
        "open_actions yields 1001, but legal denies it",
    ),
    "biased sample_action": Mutant(
        "coins",
        (
            append(
                "coins",
                "@njit\ndef sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:\n"
                "    return 2 if state.cell + 2 < CELLS and random_below(rng, 3) else 1",
            ),
        ),
        "sample_action",
        "does not draw from the listed distribution",
    ),
    "sample_action out of list": Mutant(
        "coins",
        (
            append(
                "coins", "@njit\ndef sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:\n    return 3"
            ),
        ),
        "sample_action",
        "draws [3]",
    ),
    # --- chance
    "probabilities below 1": Mutant("pig", (("1.0 / 6.0", "1.0 / 7.0"),), "chance", "sum to 0.857"),
    "outcome twice": Mutant(
        "pig", (("out_actions[i] = i + 1", "out_actions[i] = i % 5 + 1"),), "chance", "more than once"
    ),
    "impossible outcome": Mutant(
        "pig", (("out_probs[i] = 1.0 / 6.0", "out_probs[i] = 0.2 if i else 0.0"),), "chance", "not positive"
    ),
    "too many outcomes": Mutant(
        "pig", (("MAX_CHANCE = 6", "MAX_CHANCE = 5"),), "random play", "more than MAX_CHANCE = 5"
    ),
    "loaded die": Mutant(
        "pig",
        (
            append(
                "pig",
                "@njit\ndef sample_chance(game: Any, state: Any, rng: Any) -> int:\n    return min(6, 1 + random_below(rng, 7))",
            ),
        ),
        "sample_chance",
        "does not draw from",
    ),
    # --- state outside the record
    "random apply": Mutant(
        "storm",
        (("random_below(state.rng, 3)", "np.random.randint(3)"), ("from typing", "import numpy as np\nfrom typing")),
        "apply",
        "not deterministic",
    ),
    "counter in a global": Mutant(
        "coins",
        (
            ("CELLS = 10", "CELLS = 10\nMOVES = [0]"),
            ("    state.cell += action\n", "    state.cell += action\n    MOVES[0] += 1\n"),
        ),
        "purity",
        "apply changes MOVES",
    ),
    "part of the state in a closure": Mutant(
        "heap",
        (
            ("class Tables", "class Memory:\n    turn = 0\n\n\nclass Tables"),
            ("    state.turn = 1 - state.turn", "    Memory.turn = 1 - Memory.turn\n    state.turn = Memory.turn"),
        ),
        "apply",
        "not deterministic",
    ),
    "part of the state in the tables": Mutant(
        "coins",
        (
            ("    token: Token\n", "    token: Token\n    purse: Any\n"),
            ("Tables(Token(__name__))", "Tables(Token(__name__), np.zeros(1, np.int64))"),
            ("from typing", "import numpy as np\nfrom typing"),
            ("state.purse += state.worth[state.cell]", "game.purse[0] += state.worth[state.cell]"),
            ("out[0] = state.purse", "out[0] = game.purse[0]"),
        ),
        "purity",
        "apply changes tables.purse",
    ),
    "player changes the state": Mutant(
        "coins",
        (("    return TERMINAL if", "    state.purse += 1\n    return TERMINAL if"),),
        "purity",
        "changes the state, in purse",
    ),
    "returns changes the state": Mutant(
        "coins",
        (("    out[0] = state.purse", "    out[0] = state.purse\n    state.purse = 0"),),
        "purity",
        "returns changes the state",
    ),
    "encode changes the state": Mutant(
        "pig",
        (("    out[0] = state.kitty", "    out[0] = state.kitty\n    state.kitty += 1"),),
        "purity",
        "encode changes the state",
    ),
    "observed changes the state": Mutant(
        "clash",
        (
            (
                "    return action if player == state.turn",
                "    state.lives[0] = 9\n    return action if player == state.turn",
            ),
        ),
        "purity",
        "observed changes the state",
    ),
    # --- the end
    "returns out of range": Mutant(
        "coins", (("UTILITY = (0.0, 90.0)", "UTILITY = (0.0, 5.0)"),), "returns", "outside UTILITY = (0.0, 5.0)"
    ),
    "returns beyond its sum": Mutant(
        "coins", (("UTILITY = (0.0, 90.0)", "UTILITY, UTILITY_SUM = (0.0, 90.0), 5.0"),), "returns", "UTILITY_SUM = 5.0"
    ),
    "returns not a number": Mutant(
        "coins", (("out[0] = state.purse", 'out[0] = float("nan")'),), "returns", "expected a number"
    ),
    "returns forgets a player": Mutant(
        "heap", (("    out[1 - state.turn] = 1.0\n", ""),), "returns", "expected a number for each player"
    ),
    "returns writes too much": Mutant(
        "coins", (("out[0] = state.purse", "out[0] = out[1] = state.purse"),), "purity", "returns raised IndexError"
    ),
    # --- texts and pictures
    "same text for two actions": Mutant(
        "pig", (('("hold", "roll")[action]', '("roll", "roll")[action]'),), "action_text", ""
    ),
    "text of another action": Mutant(
        "pig",
        (('("hold", "roll")[action]', '("roll", "hold")[action]'), ("if state.kitty > 0", "if state.kitty >= 0")),
        "action_text",
        "which parses as",
    ),
    "text does not parse": Mutant(
        "pig", (('("hold", "roll")[action]', '("Hold", "Roll")[action]'),), "action_text", "parse_action('"
    ),
    "outcome without text": Mutant(
        "pig", (("str(action) if state.is_chance", '"" if state.is_chance'),), "action_text", "has the text ''"
    ),
    "parses anything": Mutant(
        "pig",
        (
            (
                "        raise IllegalActionError(f\"{text!r} is none of {', '.join(words)}\")\n    return words[text]",
                "        return 1\n    return words[text]",
            ),
        ),
        "action_text",
        "expected IllegalActionError",
    ),
    "parser raises KeyError": Mutant(
        "pig", (("    if text not in words:\n", "    if not words:\n"),), "action_text", "raised KeyError"
    ),
    "masked action without text": Mutant(
        "clash",
        (
            append(
                "clash",
                "WORDS = ('rest', 'guard', 'strike')\n\n\ndef action_text(state: Any, action: int) -> str:\n"
                "    return WORDS[action]\n\n\ndef parse_action(state: Any, text: str) -> int:\n"
                "    if text not in WORDS:\n        raise IllegalActionError(text)\n    return WORDS.index(text)",
            ),
            ("import TERMINAL,", "import TERMINAL, IllegalActionError,"),
        ),
        "action_text",
        "action_text(3), as seat 1 sees 0, raised IndexError",
    ),
    "malformed picture": Mutant(
        "coins",
        (append("coins", "def svg(state: object, seat: object = None) -> str:\n    return '<svg><g></svg>'"),),
        "svg",
        "no well-formed XML",
    ),
    "picture no svg": Mutant(
        "coins",
        (append("coins", "def svg(state: object, seat: object = None) -> str:\n    return '<p/>'"),),
        "svg",
        "expected <svg>",
    ),
    "board raises": Mutant(
        "coins",
        (
            append(
                "coins", "def state_text(state: object, seat: object = None) -> str:\n    raise ValueError('no board')"
            ),
        ),
        "text",
        "raised ValueError: no board",
    ),
    # --- encodings
    "encode leaves a feature": Mutant(
        "pig", (("    out[1] = state.turn == player\n", ""),), "encode", "unwritten: [1]"
    ),
    "encode not finite": Mutant(
        "pig", (("    out[0] = state.kitty\n", '    out[0] = float("inf")\n'),), "encode", "not finite"
    ),
    "encode writes too much": Mutant(
        "clash", (("ENCODING = 6", "ENCODING = 5"),), "purity", "encode(0) raised IndexError"
    ),
    # --- what a seat knows
    "determinize in the open": Mutant(
        "coins",
        (
            append(
                "coins",
                "@njit\ndef determinize(game: Any, state: Any, player: Any, rng: Any) -> None:\n    state.worth[9] = random_below(rng, 10)",
            ),
        ),
        "determinize",
        "nothing is hidden in the game",
    ),
    "determinize does nothing": Mutant(
        "poker",
        (
            (
                "    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card[seat] = -1\n",
                "    if state.dealt >= 0:\n        return\n",
            ),
        ),
        "leaks",
        "reads what is hidden",
    ),
    "determinize shuffles what is hidden": Mutant(
        "poker",
        (
            (
                "                card = random_below(rng, game.players + 1)\n",
                "                card = (true + 1 + random_below(rng, game.players)) % (game.players + 1)\n",
            ),
            (
                "    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card[seat] = -1\n",
                "    true = 0\n    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            true += state.card[seat]\n            state.card[seat] = -1\n",
            ),
        ),
        "leaks",
        "so it reads what is hidden",
    ),
    "determinize keeps the undealt card": Mutant(
        "poker",
        # Sorting what was dealt before it is shuffled hides the leak from samples of samples: the undealt card stays.
        (
            (
                "                card = random_below(rng, game.players + 1)\n",
                "                card = random_below(rng, game.players + 1)\n                if card == undealt:\n                    continue\n",
            ),
            (
                "    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card[seat] = -1\n",
                "    undealt = -1\n    for card in range(game.players + 1):\n        if state.dealt == game.players and not holds(game, state, card):\n            undealt = card\n"
                "    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card[seat] = -1\n",
            ),
        ),
        "leaks",
        "sees [",
        (("players", "3"),),
    ),
    "determinize redeals the own card": Mutant(
        "poker",
        (
            ("    return other == seat or (state", "    return (state"),
            (
                "        if sees(game, state, player, seat) and",
                "        if (seat == player or sees(game, state, player, seat)) and",
            ),
        ),
        "determinize",
        "encode(",
    ),
    "determinize forgets what was seen": Mutant(
        "poker",
        (
            (
                "        if not sees(game, state, player, seat):\n            while",
                "        if seat != player:\n            while",
            ),
            (
                "        if not sees(game, state, player, seat):\n            state.card",
                "        if seat != player:\n            state.card",
            ),
        ),
        "determinize",
        "encode(",
    ),
    "determinize passes the turn": Mutant(
        "poker",
        (
            (
                "    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card",
                "    state.turn = random_below(rng, 2)\n    for seat in range(state.dealt):\n        if not sees(game, state, player, seat):\n            state.card",
            ),
        ),
        "determinize",
        "changes whose turn it is",
    ),
    "determinize changes own actions": Mutant(
        "clash",
        (
            (
                "    for seat in range(state.turn):\n        if seat",
                "    state.energy[player] = random_below(rng, 2)\n    for seat in range(state.turn):\n        if seat",
            ),
            ("ENCODING = 6\n", ""),
        ),
        "determinize",
        "the seat's own actions",
    ),
    "determinize deals a card twice": Mutant(
        "poker",
        (
            (
                "                if not holds(game, state, card):\n                    state.card[seat] = card\n                    break",
                "                state.card[seat] = 7\n                break",
            ),
        ),
        "determinize",
        "a state that can't be: there is no such card",
    ),
    "encode shows hidden cards": Mutant(
        "poker",
        (("if sees(game, state, player, seat) and state.card[seat] >= 0", "if state.card[seat] >= 0"),),
        "determinize",
        "encode(",
    ),
    "choices seen by all": Mutant("clash", (("else HIDDEN", "else action"),), "observed", "sees every action as it is"),
    "own choice unseen": Mutant(
        "clash", (("action if player == state.turn else HIDDEN", "HIDDEN"),), "observed", "sees its own action"
    ),
    "mask in the open": Mutant(
        "heap",
        (append("heap", "@njit\ndef observed(game: Any, state: Any, action: Any, player: Any) -> int:\n    return 0"),),
        "observed",
        "but nothing is hidden",
    ),
    "observed reads hidden cards": Mutant(
        "poker",
        (
            (
                "        return HIDDEN\n    return action",
                "        return HIDDEN\n    return action + 4 * state.card[1 - player] if player != state.turn else action",
            ),
        ),
        "determinize",
        "observed reads what is hidden",
    ),
    # --- evaluators and playout policies
    "evaluator not a number": evaluator(
        "out[0] = 1.0 / max(0, 5 - state.purse) if state.purse < 5 else np.inf", "expected a number"
    ),
    "evaluator silent at the end": evaluator(
        "if state.cell < CELLS - 1:\n        out[0] = state.purse", "evaluator hope gives [nan]"
    ),
    "evaluator writes too much": evaluator("out[0] = out[1] = state.purse", "evaluator hope raised IndexError"),
    "evaluator beyond its bounds": evaluator(
        "out[0] = state.purse\n\n\ndef value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:\n"
        "    return 0.0, 5.0, 90.0",
        "within 0.0 and 5.0",
    ),
    "evaluator beyond its sum": evaluator(
        "out[0] = state.purse\n\n\ndef value_bounds(evaluator: Any, game: Any) -> tuple[float, float, float]:\n"
        "    return 0.0, 90.0, 5.0",
        "sum to 5.0 at most",
    ),
    "evaluator changes the state": evaluator(
        "state.purse += 1\n    out[0] = state.purse", "evaluator hope changes the state, in purse"
    ),
    "evaluator draws lots": evaluator("out[0] = np.random.random()", "when asked again"),
    "policy plays what is not legal": policy("return 2", "policy hope plays 2, which is not legal"),
    "policy changes the state": policy("state.purse += 1\n    return 1", "policy hope changes the state, in purse"),
    "policy draws from elsewhere": policy(
        "return 2 if state.cell + 2 < CELLS and np.random.random() < 0.5 else 1", "from the same stream"
    ),
    "policy looks at another's card": peeking_policy("state.card[state.turn] > state.card[other]"),
    "policy looks at the card that was not dealt": peeking_policy("state.card[0] + state.card[1] < 2"),
    "policy overruns its buffer": policy("buffer[2] = 1\n    return 1", "policy hope raised IndexError"),
    "redundant by halves": avoiding("redundant", "return 0.5", "expected 0 or 1"),
    "redundant by lot": avoiding("redundant", "return np.random.randint(2)", "when asked again"),
    "redundant changes the state": avoiding(
        "redundant", "state.purse += 1\n    return 1", "changes the state, in purse"
    ),
    "stale by halves": avoiding("stale", "return 0.5", "expected 0 or 1"),
    "stale by lot": avoiding("stale", "return np.random.randint(2)", "stale of policy hope is"),
    "stale changes the state": avoiding("stale", "state.purse += 1\n    return 1", "changes the state, in purse"),
    "prior below zero": prior("for i in range(count):\n        out[i] = 0.5 - i", "(2, -0.5)]; expected a number"),
    "prior no number": prior("for i in range(count):\n        out[i] = np.nan", "expected a number for each action"),
    "prior forgets an action": prior("out[0] = 1.0", "[(2, nan)]"),
    "prior weighs too much": prior("out[:count + 1] = 1.0", "prior hope writes more than"),
    "prior orders the actions": prior(
        "out[:count] = 1.0\n    actions[0], actions[count - 1] = actions[count - 1], actions[0]",
        "prior hope changes the actions",
    ),
    "prior changes the state": prior(
        "out[:count] = 1.0\n    state.purse += 1", "prior hope changes the state, in purse"
    ),
    "prior draws lots": prior("for i in range(count):\n        out[i] = np.random.random()", "when asked again"),
    "belief below zero": belief("return -1.0", "belief hope gives -1.0"),
    "belief no number": belief("return float('nan')", "belief hope gives nan"),
    "belief changes the state": belief("state.purse += 1\n    return 1.0", "belief hope changes the state, in purse"),
    "belief draws lots": belief("return np.random.random()", "when asked again"),
    # --- draws inside
    "reseed does nothing": Mutant(
        "storm",
        (("        state.rng[i] = next_u64(rng)", "        state.rng[i] = state.rng[i] or 5"),),
        "reseed",
        "the same state from different streams",
    ),
    "reseed moves the ship": Mutant(
        "storm",
        (
            (
                "        state.rng[i] = next_u64(rng)",
                "        state.rng[i] = next_u64(rng)\n        state.column = COLUMNS * (state.column > 0)",
            ),
        ),
        "reseed",
        "changes whose turn it is",
    ),
    "symmetry of the wrong actions": symmetric(
        "np.arange(6), lambda action: (1, 0, 2)[action], lambda array: array.copy()",
        "1 does not lead to what is symmetric",
    ),
    "symmetry with other actions": symmetric(
        "np.arange(6), lambda action: action + 1, lambda array: array.copy()", "actions are"
    ),
    "symmetry of the wrong features": symmetric(
        "np.arange(6)[::-1], lambda action: action, lambda array: array.copy()", "encode(0) gives other features"
    ),
    "symmetry of another player": symmetric("np.arange(6), lambda action: action, turned", "the player to move is"),
}


def verdict(name: str, folder: Path) -> list[str]:
    """Return the rule that the suite finds broken, and the message; ``["", ""]`` if it finds nothing."""
    from oponente.kernel import Game, load_user_file
    from oponente.testing import ConformanceError, check_game

    mutant = MUTANTS[name]
    game = Game(load_user_file(mutant.write(folder, name)), dict(mutant.options))
    try:
        check_game(game, games=3, max_plies=3000, invariant=getattr(game.rules, "invariant", None))
    except ConformanceError as error:
        return [error.rule, str(error)]
    return ["", ""]


def main(names: list[str]) -> None:
    """Print verdicts as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps({name: verdict(name, Path(folder)) for name in names or MUTANTS}))


if __name__ == "__main__":
    main(sys.argv[1:])
