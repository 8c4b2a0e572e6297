"""Sampling: names of symbols, and callers found on a stack. That samples are taken is tested in tests/cli."""

import ctypes

import pytest

from oponente.arena.sampling import Place, Walker, function_name


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZN8oponente6search7playout8play_outB3v83B54c8tJTIeFI", "search.playout.play_out"),
        ("_ZN7cpython8oponente6kernel6bridge7operateB2v1B40c8tJTI", "kernel.bridge.operate"),
        ("cfunc._ZN8oponente6kernel6bridge7operateB2v1B40c8tJTI", "kernel.bridge.operate"),
        ("_ZN17user_pig_0a1b2c3d5applyB3v27", "user_pig_0a1b2c3d.apply"),
        ("NRT_decref", ""),
    ],
)
def test_names(symbol, name):
    assert function_name(symbol) == name


def code(*parts):
    """Return a buffer that holds machine code, and its address."""
    buffer = ctypes.create_string_buffer(b"".join(parts))
    return buffer, ctypes.addressof(buffer)


def test_callers():
    inner, inner_at = code(b"\x90" * 16)
    call = b"\x48\xb8" + inner_at.to_bytes(8, "little") + b"\xff\xd0"  # mov rax, inner; call rax
    outer, outer_at = code(b"\x90" * 4, call, b"\x90" * 16)
    other, other_at = code(b"\x90" * 4, b"\xff\xd0", b"\x90" * 8)  # calls, but not inner
    places = [
        Place(inner_at, inner_at + len(inner), "inner"),
        Place(outer_at, outer_at + len(outer), "outer"),
        Place(other_at, other_at + len(other), "other"),
    ]
    walker = Walker(sorted(places))
    back = outer_at + 4 + len(call)
    assert walker.stack(places[0], [0, 7, back]) == ("outer", "inner")
    assert walker.stack(places[0], [other_at + 6, back + 3, outer_at]) == ("inner",)
    assert walker.place_of(inner_at - 1) not in places[:1]
