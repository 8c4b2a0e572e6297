"""Supervised training of small networks on a dataset, by PyTorch (the extra ``oponente[learn]``).

The network is a multilayer perceptron with rectifiers and one output. It learns the column ``value`` or ``outcome`` by
least squares (Adam); inputs are standardised, the target as well where it is a value. Games, not rows, are held out for
validation, since positions of one game are alike; the network of the epoch that was best on them is kept.
"""

from __future__ import annotations

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
TARGETS = ("value", "outcome")


@dataclass(frozen=True)
class SupervisedSettings:
    """How a network is trained."""

    layers: tuple[int, ...] = (32, 16)
    """Neurons of the hidden layers."""
    target: str = "value"
    epochs: int = 30
    batch: int = 512
    rate: float = 0.002
    held_out: float = 0.1
    """Share of the games for validation."""


def fit(
    columns: dict[str, npt.NDArray[Any]],
    settings: SupervisedSettings,
    seed: int,
    keep: Callable[[dict[str, Any], dict[str, Any]], None] = lambda state, row: None,
    state: dict[str, Any] | None = None,
) -> tuple[Arrays, list[dict[str, float]]]:
    """Return a trained network as arrays, and its course.

    Args:
        columns: of a dataset, see :func:`oponente.learn.dataset.read_dataset`.
        settings: see there.
        seed: of the split, the first weights and the order of rows.
        keep: called after each epoch with all that the next one depends on, and a row of metrics.
        state: what `keep` was given, to go on there.

    Raises:
        RuntimeError: PyTorch is not installed.
        ValueError: there are too few games.
    """
    try:
        import torch
    except ImportError:
        raise RuntimeError(MISSING) from None
    features = columns["features"].astype(np.float32)
    target = columns[settings.target].astype(np.float64)
    games = np.unique(columns["game"])
    held = max(1, round(settings.held_out * games.size))
    if games.size < 2 or held >= games.size:
        raise ValueError(f"a dataset of {games.size} games is too small to hold some out for validation")
    chance = np.random.default_rng(derive_seed(seed, "split"))
    test = np.isin(columns["game"], chance.permutation(games)[:held])
    train = ~test
    mean = features[train].mean(axis=0)
    scale = features[train].std(axis=0)
    scale[scale < 1e-6] = 1.0
    middle, span = (target[train].mean(), target[train].std() or 1.0) if settings.target == "value" else (0.0, 1.0)
    x = torch.from_numpy((features - mean) / scale)
    y = torch.from_numpy(((target - middle) / span).astype(np.float32))
    torch.manual_seed(derive_seed(seed, "weights") >> 1)
    torch.use_deterministic_algorithms(True)
    model = _model(torch, features.shape[1], settings.layers)
    optimiser = torch.optim.Adam(model.parameters(), lr=settings.rate)
    rows_train, rows_test = torch.from_numpy(np.flatnonzero(train)), torch.from_numpy(np.flatnonzero(test))
    course: list[dict[str, float]] = []
    best, best_loss, done, began = _weights(model), float("inf"), 0, time.perf_counter()
    if state is not None:
        _load(torch, model, state["weights"])
        optimiser.load_state_dict(_from_plain(torch, state["optimiser"], optimiser, list(model.parameters())))
        best, best_loss, done, course = state["best"], state["best_loss"], state["epoch"], state["course"]
        began -= course[-1]["seconds"]
    while done < settings.epochs:
        order = np.random.default_rng(derive_seed(seed, "epoch", done)).permutation(rows_train.numel())
        total = 0.0
        for begin in range(0, order.size, settings.batch):
            rows = rows_train[torch.from_numpy(order[begin : begin + settings.batch])]
            optimiser.zero_grad()
            loss = torch.nn.functional.mse_loss(model(x[rows]).squeeze(1), y[rows])
            loss.backward()
            optimiser.step()
            total += float(loss.detach()) * rows.numel()
        with torch.no_grad():
            validation = float(torch.nn.functional.mse_loss(model(x[rows_test]).squeeze(1), y[rows_test]))
        done += 1
        if validation < best_loss:
            best, best_loss = _weights(model), validation
        row = {
            "epoch": done,
            "loss": total / order.size,
            "validation": validation,
            "explained": 1.0 - validation / float(y[rows_test].var()),
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
    return _arrays(best, mean, scale, middle, span), course


def _model(torch: Any, width: int, layers: Sequence[int]) -> Any:
    parts: list[Any] = []
    for size in layers:
        parts += [torch.nn.Linear(width, size), torch.nn.ReLU()]
        width = size
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, 1))


def _weights(model: Any) -> list[list[float]]:
    """Return the weights as plain numbers (exact: float32 in JSON reads back as it was)."""
    return [part.detach().ravel().tolist() for part in model.parameters()]


def _load(torch: Any, model: Any, weights: Sequence[Sequence[float]]) -> None:
    with torch.no_grad():
        for part, values in zip(model.parameters(), weights, strict=True):
            part.copy_(torch.tensor(values, dtype=torch.float32).reshape(part.shape))


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
