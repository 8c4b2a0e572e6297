"""The top of a tree as plain values, for pictures and JSON."""

from __future__ import annotations

from dataclasses import replace

from oponente.kernel import CHANCE, State
from oponente.search.analysis import TreeNode, TreeShape
from oponente.search.mcts.engine import Engine


def top_of_tree(engine: Engine, root: State, shape: TreeShape, variation: tuple[int, ...]) -> TreeNode:
    """Return the top of a tree.

    Args:
        engine: has the tree.
        root: the state that was searched, or one possible state if something is hidden.
        shape: how much is shown.
        variation: the principal variation.
    """
    return replace(_shown(engine, engine.root, root.copy(), shape, shape.depth, variation), best=True)


def _shown(
    engine: Engine, node: int, state: State, shape: TreeShape, depth: int, variation: tuple[int, ...] | None
) -> TreeNode:
    tree, config = engine.tree, engine.config
    assert tree is not None
    visits = int(tree.stats["visits"][node])
    values = tuple(float(total / visits) for total in engine.values(node)) if visits else ()
    value, bound = values[engine.seat] if values else None, ""
    if config.solver:
        lower, upper = engine.bounds(node)
        least, greatest = float(lower[engine.seat]), float(upper[engine.seat])
        if (lower >= upper).all():
            values, value, bound = tuple(map(float, lower)), least, "="
        elif greatest < config.greatest:
            value, bound = greatest, "<="
        elif least > config.least:
            value, bound = least, ">="
    children: list[TreeNode] = []
    ranked = sorted(engine.children(node), key=lambda child: -int(tree.stats["visits"][child])) if depth > 0 else []
    chance = dict(state.chance_outcomes) if state.is_chance else {}
    # What is legal differs between the simulations of an open loop: what is not here can't be told in words.
    tellable = [child for child in ranked if _leads_on(engine, child, state)]
    for child in tellable[: shape.width]:
        action = int(tree.stats["action"][child])
        label = state.action_text(action)
        following = state.copy()
        following.apply(action)
        on = variation is not None and len(variation) > 0 and variation[0] == action
        shown = _shown(engine, child, following, shape, depth - 1, variation[1:] if variation and on else None)
        children.append(
            replace(
                shown,
                label=label,
                best=on,
                probability=chance.get(action),
                prior=None if chance else engine.prior(child),
            )
        )
    return TreeNode(
        label="",
        player=None if config.open and node != engine.root else state.player,
        value=value,
        values=values,
        visits=visits,
        bound=bound,
        hidden=int(tree.nodes["children"][node]) - len(children),
        children=tuple(children),
    )


def _leads_on(engine: Engine, child: int, state: State) -> bool:
    tree = engine.tree
    assert tree is not None
    chooser = int(tree.nodes["chooser"][child])
    return (
        chooser == max(state.player, CHANCE)
        and tree.stats["visits"][child] > 0
        and state.is_legal(int(tree.stats["action"][child]))
    )
