"""Messages as bytes: Java's modified UTF-8 behind a length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.interop.jsettlers.wire import MAX_BYTES, Decoder, WireError, decode, encode

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)


@given(st.lists(TEXTS, max_size=5), st.integers(1, 7))
def test_messages_arrive_in_pieces_of_any_size(texts, size):
    data = b"".join(map(encode, texts))
    decoder = Decoder()
    found = [text for at in range(0, len(data), size) for text in decoder.feed(data[at : at + size])]
    assert found == texts
    assert decoder.incomplete == 0


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("1031|G", b"\x00\x061031|G"),
        ("\0", b"\x00\x02\xc0\x80"),
        ("é", b"\x00\x02\xc3\xa9"),
        ("\U0001f3b2", b"\x00\x06\xed\xa0\xbc\xed\xbe\xb2"),
    ],
)
def test_texts_are_written_as_java_does(text, data):
    assert encode(text) == data
    assert decode(data[2:]) == text


def test_what_is_too_long_or_no_text_is_refused():
    assert len(encode("x" * MAX_BYTES)) == MAX_BYTES + 2
    with pytest.raises(WireError, match="at most 65535"):
        encode("x" * (MAX_BYTES + 1))
    with pytest.raises(WireError, match="byte 1"):
        decode(b"a\xff")
