"""Supervised training of small networks on a dataset, by PyTorch (the extra ``oponente[learn]``).

The network is a multilayer perceptron with rectifiers and one output. It learns a column by least squares (Adam);
inputs are standardised. A target without bounds (``value``) is standardised as well; where there are bounds, those of
utilities (``outcome``), a hyperbolic tangent takes the output between them, and the network has them as ``range``: so
searches can evaluate by it (:mod:`oponente.search.network`). For ``winner`` the network's outputs for all seats of a
position compete: their softmax is how likely each is to win, and what is learned is who did, by maximum likelihood
(Plackett and Luce); games that more than one or nobody won are left out. Games, not rows, are held out for validation,
since positions of one game are alike; the network of the epoch that was best on them is kept.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel import derive_seed
from oponente.kernel.arrays import Arrays

MISSING = "training networks needs PyTorch: pip install 'oponente[learn]'"
NAMES = ("weight", "bias")
"""Of the arrays of a layer, in the order in which PyTorch lists its parameters."""


@dataclass(frozen=True)
class SupervisedSettings:
    """How a network is trained."""

    layers: tuple[int, ...] = (32, 16)
    """Neurons of the hidden layers."""
    target: str = "value"
    """A column, or ``winner``."""
    epochs: int = 30
    batch: int = 512
    rate: float = 0.002
    held_out: float = 0.1
    """How likely a game is for validation."""


def fit(
    columns: dict[str, npt.NDArray[Any]],
    settings: SupervisedSettings,
    seed: int,
    keep: Callable[[dict[str, Any], dict[str, Any]], None] = lambda state, row: None,
    state: dict[str, Any] | None = None,
    *,
    bounds: tuple[float, float] | None = None,
    players: int | None = None,
    start: Arrays | None = None,
    symmetries: Sequence[npt.NDArray[np.int64]] = (),
    split: int | None = None,
) -> tuple[Arrays, list[dict[str, float]]]:
    """Return a trained network as arrays, and its course.

    Args:
        columns: of a dataset, see :func:`oponente.learn.dataset.read_dataset`.
        settings: see there.
        seed: of the split, the first weights and the order of rows.
        keep: called after each epoch with all that the next one depends on, and a row of metrics.
        state: what `keep` was given, to go on there.
        bounds: the least and the greatest value that the target can have; None: not known.
        players: of the games, for ``winner``; None: as many as there are seats in the dataset.
        start: the network to begin with, of the same layers; None: random weights.
        symmetries: permutations of the features that leave the target as it is: each time that a row is seen, one of
            them is drawn (the first one is best the one that moves nothing); for ``winner`` the same for all seats.
        split: seed of the split, where it must be the same as in other trainings; None: `seed`.

    Raises:
        RuntimeError: PyTorch is not installed.
        ValueError: there are too few games, targets that are no finite numbers, or (for ``winner``) no bounds, seats
            of a position that are missing, games that one wins and others do not lose alike, or none with one winner;
            or the state is none.
    """
    torch = pytorch()
    competing = settings.target == "winner"
    if competing:
        features, target, games = _positions(columns, bounds, players)
    else:
        features, target, games = _rows(columns, settings.target)
    if not np.isfinite(features).all():
        raise ValueError("features of the dataset are no finite numbers")
    held = held_out_games(np.unique(games), settings.held_out, seed if split is None else split)
    test = np.isin(games, held)
    train = ~test
    seats, width = features.shape[1:]
    mean = features[train].mean(axis=(0, 1))
    scale = features[train].std(axis=(0, 1))
    scale[scale < 1e-6] = 1.0
    if start is not None:
        mean, scale = start["mean"].astype(np.float32), start["scale"].astype(np.float32)
    if competing:
        middle, span = 0.0, 1.0
    elif bounds is None:
        middle, span = target[train].mean(), target[train].std() or 1.0
    else:
        middle, span = (bounds[0] + bounds[1]) / 2.0, (bounds[1] - bounds[0]) / 2.0
    x, shift, unit = torch.from_numpy(features), torch.from_numpy(mean), torch.from_numpy(scale)
    views = torch.from_numpy(np.array(symmetries, np.int64).reshape(-1, width))
    y = torch.from_numpy(target if competing else ((target - middle) / span).astype(np.float32))
    torch.use_deterministic_algorithms(True)
    with torch.random.fork_rng(devices=[]):  # PyTorch draws weights from its global stream, which may be in use
        torch.default_generator.manual_seed(derive_seed(seed, "weights") >> 1)
        model = _model(torch, width, settings.layers)
    if start is not None:
        _load(torch, model, [start[f"{name}{i + 1}"] for i in range(len(settings.layers) + 1) for name in NAMES])
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.rate)
    rows_train, rows_test = torch.from_numpy(np.flatnonzero(train)), torch.from_numpy(np.flatnonzero(test))
    spread = float(np.log(seats)) if competing else float(y[rows_test].var(correction=0))
    course: list[dict[str, float]] = []
    best, best_loss, done, began = _weights(model), float("inf"), 0, time.perf_counter()

    def loss_of(inputs: Any, rows: Any) -> Any:
        result = model((inputs - shift) / unit).squeeze(2)
        if competing:
            return torch.nn.functional.cross_entropy(result, y[rows])
        return torch.nn.functional.mse_loss((result if bounds is None else torch.tanh(result)).squeeze(1), y[rows])

    if state is not None:
        try:
            _load(torch, model, state["weights"])
            optimiser.load_state_dict(_from_plain(torch, state["optimiser"], optimiser, list(model.parameters())))
            best, best_loss, done, course = state["best"], state["best_loss"], state["epoch"], state["course"]
            began -= course[-1]["seconds"]
        except (LookupError, TypeError, AttributeError, ValueError, RuntimeError) as error:
            raise ValueError(f"the state to go on from is damaged ({type(error).__name__}: {error})") from error
    while done < settings.epochs:
        chance = np.random.default_rng(derive_seed(seed, "epoch", done))
        order = chance.permutation(rows_train.numel())
        seen = torch.from_numpy(chance.integers(0, max(1, len(symmetries)), order.size))
        total = 0.0
        for begin in range(0, order.size, settings.batch):
            rows = rows_train[torch.from_numpy(order[begin : begin + settings.batch])]
            optimiser.zero_grad()
            inputs = x[rows]
            if len(symmetries) > 1:
                inputs = inputs.gather(2, views[seen[begin : begin + settings.batch]][:, None].expand_as(inputs))
            loss = loss_of(inputs, rows)
            loss.backward()
            optimiser.step()
            total += float(loss.detach()) * rows.numel()
        with torch.no_grad():
            validation = float(loss_of(x[rows_test], rows_test))
        done += 1
        if validation < best_loss:
            best, best_loss = _weights(model), validation
        row = {
            "epoch": done,
            "loss": total / order.size,
            "validation": validation,
            "explained": 1.0 - validation / spread if spread > 0.0 else 0.0,
            "seconds": time.perf_counter() - began,
        }
        course.append(row)
        keep(
            {
                "epoch": done,
                "weights": _weights(model),
                "optimiser": _to_plain(optimiser.state_dict()),
                "best": best,
                "best_loss": best_loss,
                "course": course,
            },
            row,
        )
    if bounds is None:
        return _arrays(best, mean, scale, middle, span), course
    arrays = {**_arrays(best, mean, scale, 0.0, 1.0), "range": np.array(bounds, np.float64)}
    return {**arrays, "players": np.array([seats])} if competing else arrays, course


def _rows(columns: dict[str, npt.NDArray[Any]], name: str) -> tuple[Any, Any, Any]:
    """Return the features of each row (rows, 1, features), the target, and the game."""
    target = columns[name].astype(np.float64)
    unknown = int(np.count_nonzero(~np.isfinite(target)))
    if unknown:
        raise ValueError(f"the column {name} is no finite number in {unknown} of {target.size} rows")
    return columns["features"].astype(np.float32)[:, None], target, columns["game"]


def _positions(
    columns: dict[str, npt.NDArray[Any]], bounds: tuple[float, float] | None, players: int | None
) -> tuple[Any, Any, Any]:
    """Return the features of all seats of each position (positions, players, features), who won, and the game."""
    if bounds is None:
        raise ValueError("chances to win need the bounds of utilities")
    seats = columns["seat"]
    count = players or (int(seats.max()) + 1 if seats.size else 0)
    if count < 2:
        raise ValueError("chances to win need two players or more")
    groups = [columns[name].reshape(-1, count) if seats.size % count == 0 else None for name in ("seat", "game", "ply")]
    if groups[0] is None or (groups[0] != np.arange(count)).any():
        raise ValueError(f"chances to win need rows of all {count} seats for each position, one after the other")
    if any((group != group[:, :1]).any() for group in groups[1:] if group is not None):
        raise ValueError("chances to win need the rows of a position one after the other: some are of other positions")
    outcomes = columns["outcome"].reshape(-1, count)
    if not np.isfinite(outcomes).all():
        raise ValueError("the column outcome holds numbers that are not finite")
    least, greatest = (outcomes == np.float32(bounds[0])), (outcomes == np.float32(bounds[1]))
    decided = (greatest.sum(axis=1) == 1) & (least.sum(axis=1) == count - 1)
    others = ~decided & (outcomes != outcomes[:, :1]).any(axis=1)
    if others.any():
        raise ValueError("chances to win are for games that one player wins and all others lose alike, or draw")
    if not decided.any():
        raise ValueError("chances to win need games with one winner; there is none")
    features = columns["features"].astype(np.float32).reshape(decided.size, count, -1)
    return features[decided], greatest[decided].argmax(axis=1), columns["game"][::count][decided]


def held_out_games(games: npt.NDArray[Any], share: float, seed: int) -> npt.NDArray[Any]:
    """Return the games that are held out for validation: each by its own number, whatever other games there are.

    So a game that some training was validated on is never one that an earlier one has learned from. Only where all or
    none of a few games would be held out, the one that is nearest to it goes to the other side.

    >>> few, all_of_them = held_out_games(np.arange(50), 0.2, 1), held_out_games(np.arange(100), 0.2, 1)
    >>> bool((few == all_of_them[all_of_them < 50]).all())
    True

    Args:
        games: their numbers, each once.
        share: how likely each is held out.
        seed: of the choice.

    Raises:
        ValueError: there are fewer than two games.
    """
    if games.size < 2:
        raise ValueError(f"a dataset of {games.size} games is too small to hold some out for validation")
    drawn = np.array([derive_seed(seed, "held out", int(game)) / 2.0**64 for game in games])
    held = drawn < share
    if not held.any():
        held = drawn == drawn.min()
    elif held.all():
        held = drawn < drawn.max()
    return games[held]


def pytorch() -> Any:
    """Return PyTorch, on one processor: sums must not depend on how many there are.

    Raises:
        RuntimeError: it is not installed.
    """
    try:
        import torch
    except ImportError:
        raise RuntimeError(MISSING) from None
    torch.set_num_threads(1)
    return torch


def random_network(width: int, layers: Sequence[int], bounds: tuple[float, float], seed: int) -> Arrays:
    """Return a network with random weights, by the law of K. He et al. ("Delving deep into rectifiers", 2015).

    Its output layer begins at 0.1 of that, so that no position is taken for decided.
    """
    chance = np.random.default_rng(derive_seed(seed, "network"))
    arrays: Arrays = {"mean": np.zeros(width, np.float32), "scale": np.ones(width, np.float32)}
    sizes = (width, *layers, 1)
    for number, (before, size) in enumerate(itertools.pairwise(sizes), 1):
        deviation = np.sqrt(2.0 / before) * (0.1 if number == len(sizes) - 1 else 1.0)
        arrays[f"weight{number}"] = (deviation * chance.normal(size=(size, before))).astype(np.float32)
        arrays[f"bias{number}"] = np.zeros(size, np.float32)
    return {**arrays, "range": np.array(bounds, np.float64)}


def _model(torch: Any, width: int, layers: Sequence[int]) -> Any:
    parts: list[Any] = []
    for size in layers:
        parts += [torch.nn.Linear(width, size), torch.nn.ReLU()]
        width = size
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, 1))


def _weights(model: Any) -> list[list[float]]:
    """Return the weights as plain numbers (exact: float32 in JSON reads back as it was)."""
    return [part.detach().ravel().tolist() for part in model.parameters()]


def _load(torch: Any, model: Any, weights: Sequence[Any]) -> None:
    with torch.no_grad():
        for part, values in zip(model.parameters(), weights, strict=True):
            part.copy_(torch.tensor(np.array(values, np.float32)).reshape(part.shape))


def _to_plain(state: Any) -> Any:
    """Return an optimiser's state as plain values, tensors as lists."""
    plain = {
        str(key): {name: value.ravel().tolist() if hasattr(value, "ravel") else value for name, value in entry.items()}
        for key, entry in state["state"].items()
    }
    return json.loads(json.dumps(plain))


def _from_plain(torch: Any, plain: Any, optimiser: Any, parts: Sequence[Any]) -> Any:
    """Return an optimiser's state as it was."""
    state: dict[int, dict[str, Any]] = {}
    for key, entry in plain.items():
        shape = parts[int(key)].shape
        state[int(key)] = {
            name: torch.tensor(values[0]) if name == "step" else torch.tensor(values).reshape(shape)
            for name, values in entry.items()
        }
    return {"state": state, "param_groups": optimiser.state_dict()["param_groups"]}


def _arrays(weights: Sequence[Sequence[float]], mean: Any, scale: Any, middle: float, span: float) -> Arrays:
    """Return a network's arrays under the names that files have; the target's scale is worked into the last layer."""
    arrays: Arrays = {"mean": mean.astype(np.float32), "scale": scale.astype(np.float32)}
    count = len(weights) // 2
    for number in range(count):
        bias = np.array(weights[2 * number + 1], np.float64)
        weight = np.array(weights[2 * number], np.float64).reshape(bias.size, -1)
        if number == count - 1:
            weight, bias = weight * span, bias * span + middle
        arrays[f"weight{number + 1}"] = weight.astype(np.float32)
        arrays[f"bias{number + 1}"] = bias.astype(np.float32)
    return arrays
