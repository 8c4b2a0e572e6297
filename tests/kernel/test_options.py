"""Declared options: parsing, ranges, messages, and texts that read back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from oponente.kernel import build, changed, declared, format_value, option, with_default


@dataclass(frozen=True)
class Sample:
    size: int = option(3, low=1, high=9, meaning="size")
    rate: float = option(0.5, low=0.0, meaning="rate")
    loud: bool = option(False, meaning="noise")
    mode: str = option("slow", choices=("slow", "fast"), meaning="mode")
    time: float | None = option(None, low=0.0, meaning="seconds")
    ease: float = option(1.0, low=-2.5, high=1e9, meaning="a wide range")
    count: int = option(1, low=0, high=2**31 - 1, meaning="a large range")
    place: str = option(
        "here", given=lambda text: text.rpartition("/")[2] or "here", meaning="a path, its name is kept"
    )


def test_another_default_leaves_all_else() -> None:
    @dataclass(frozen=True)
    class Fast(Sample):
        mode: str = with_default(Sample, "mode", "fast")
        size: int = with_default(Sample, "size", 5)

    assert Fast() == build(Fast, {}, "sample")
    assert (Fast().mode, Fast().size) == ("fast", 5)
    for mine, parents in zip(declared(Fast), declared(Sample), strict=True):
        assert (mine.name, mine.meaning, mine.range_text) == (parents.name, parents.meaning, parents.range_text)
    with pytest.raises(ValueError, match="size"):
        build(Fast, {"size": "10"}, "sample")


def test_defaults() -> None:
    assert build(Sample, {}, "sample") == Sample(3, 0.5, False, "slow", None, 1.0, 1, "here")
    assert changed(Sample()) == {}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("size", "9", 9),
        ("rate", "1e-3", 0.001),
        ("loud", "true", True),
        ("loud", "OFF", False),
        ("mode", "fast", "fast"),
        ("time", "none", None),
        ("time", "0.25", 0.25),
    ],
)
def test_values(name: str, text: str, value: object) -> None:
    built = build(Sample, {name: text}, "sample")
    assert getattr(built, name) == value
    assert build(Sample, changed(built), "sample") == built


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("size", "x", "sample: size=x: expected int 1..9"),
        ("size", "10", "sample: size=10: expected int 1..9"),
        ("size", "0", "expected int 1..9"),
        ("size", "none", "expected int 1..9"),
        ("rate", "-1", "expected float 0.."),
        ("rate", "nan", "expected float 0.."),
        ("count", "-1", "expected int 0..2147483647"),
        ("ease", "1e10", "expected float -2.5..1000000000"),
        ("loud", "maybe", "expected true | false"),
        ("mode", "medium", "expected slow | fast"),
        ("sise", "3", "sample has no option 'sise'; it has size, rate, loud, mode, time, ease, count, place"),
    ],
)
def test_errors_say_what_would_be_right(name: str, text: str, message: str) -> None:
    with pytest.raises(ValueError, match="sample") as caught:
        build(Sample, {name: text}, "sample")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_declared_fields() -> None:
    size, _rate, _loud, _mode, time, *_ = declared(Sample)
    assert (size.name, size.kind, size.default, size.low, size.high, size.optional) == ("size", "int", 3, 1, 9, False)
    assert (time.kind, time.optional) == ("float", True)


def test_what_a_user_gives_may_be_kept_as_something_else() -> None:
    built = build(Sample, {"place": "far/away"}, "sample")
    assert built.place == "away"
    assert changed(built) == {"place": "away"}
    assert build(Sample, {"place": "far/away"}, "sample", kept=True).place == "far/away"


def test_undeclared_field_is_refused() -> None:
    @dataclass(frozen=True)
    class Wrong:
        size: int = 3

    with pytest.raises(TypeError, match=r"Wrong\.size"):
        declared(Wrong)


@pytest.mark.parametrize("value", [None, True, False, 3, 0.1, 1e300, -0.0, "text"])
def test_formatted_values(value: object) -> None:
    assert isinstance(format_value(value), str)
    if isinstance(value, float):
        assert float(format_value(value)) == value
