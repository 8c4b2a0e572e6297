"""What is taken for a message, and how many."""

import pytest

from oponente.web.messages import BURST, Act, Message, MessageError, Meter, NewGame, Say, Show, read


def test_messages_are_read():
    assert read('{"type": "act", "ply": 3, "action": 5}', Message) == Act(3, 5)
    assert read(b'{"type": "show", "ply": null}', Message) == Show(None)
    assert read('{"type": "say", "ply": 0, "text": "roll"}', Message) == Say(0, "roll")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"type": "act"}',
        '{"type": "nothing"}',
        '{"type": "act", "ply": -1, "action": 5}',
        '{"type": "act", "ply": 1, "action": 2147483648}',
        '{"type": "act", "ply": 1.5, "action": 5}',
        '{"type": "act", "ply": true, "action": 5}',
        '{"type": "act", "ply": 1, "action": 5, "more": 1}',
        '{"type": "say", "ply": 1, "text": ""}',
        '{"type": "pace", "seconds": 1e9}',
        '{"type": "pace", "seconds": NaN}',
        '{"type": "say", "ply": 1, "text": "' + "x" * 501 + '"}',
        "[" * 100_000,
        "\ud800",
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(MessageError) as error:
        read(text.encode("utf-8", "surrogatepass"), Message)
    assert "\n" not in str(error.value)


def test_a_game_has_bounds():
    with pytest.raises(MessageError):
        read('{"game": "connect4", "seats": []}', NewGame)
    with pytest.raises(MessageError):
        read('{"game": "connect4", "seats": [{}], "seed": 9007199254740993}', NewGame)


def test_a_meter_lets_pass_what_is_usual():
    meter = Meter(0.0)
    assert all(meter.take(i / 30) for i in range(3000))
    assert sum(meter.take(100.0) for _ in range(1000)) == BURST
    assert not meter.take(100.0)
    assert meter.take(101.0)
