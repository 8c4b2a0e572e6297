"""Every message has a class that reads it and writes it back, byte for byte."""

import contextlib
import dataclasses

import pytest

from oponente.interop.jsettlers import play, session
from oponente.interop.jsettlers.message import MessageError, Unknown, classes, parse
from oponente.interop.jsettlers.transcript import read_transcript
from tests.interop.jsettlers.helpers import TRANSCRIPTS


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_recorded_messages_are_written_as_they_were(path):
    entries = list(read_transcript(path))
    assert len(entries) > 1000
    for entry in entries:
        assert not isinstance(entry.message, Unknown)
        assert entry.message.format() == entry.text


@pytest.mark.parametrize(
    "text",
    [
        "999|P,someone,1,host,\t",
        "1010|a game\x00someone\x00Hello, all",
        "1056|a game",
        "1059|Your cookie is wrong, sorry",
        "1069|Welcome, friend",
        "1069|4,Somebody has this name",
        "1078|someone,\t,host,a game,PL=4,RD=f",
        "1085|a game|1|2|3",
        "1091|a game\x01You can't, now|never",
        "1103|a game|1|0|1|2|3|4|5|1|0|0|0|0|7",
        "1104|a game,0,4,1,86,Not there, please",
        "1104|a game,0,2",
        "1036|a game,NONE,true,false,false,false",
        "1102|a game,0,1,R,6,1,T",
        "1017|a game,someone,robot 2",
        "1083|one|PL=4|two|PL=2",
        "9999|150000",
    ],
)
def test_other_messages_of_the_specification(text):
    message = parse(text)
    assert not isinstance(message, Unknown)
    assert message.format() == text


def test_numbers_of_types_are_unique_but_where_the_fields_tell():
    numbers = [cls.ID for cls in classes()]
    assert {number for number in numbers if numbers.count(number) > 1} == {1061}
    assert all(dataclasses.is_dataclass(cls) and cls.__doc__ for cls in classes())


def test_fields_are_typed():
    offer = parse("1041|a game,3,true,false,true,false,0,0,1,0,0,1,0,0,0,0")
    assert offer == play.Offer("a game", 3, (True, False, True, False), (0, 0, 1, 0, 0), (1, 0, 0, 0, 0))
    gains = parse("1092|a game|2|0|5|1|1|1|5|0|3|3|1|1")
    assert gains.gains == (play.Gain(0, 5, ((1, 1), (1, 5))), play.Gain(3, 3, ((1, 1),)))
    assert isinstance(parse("1061|a game,t2,1795819171,0,0"), play.GameTiming)
    assert parse("1061|a game,3,7,9,10,true,true,true,false").scores == (3, 7, 9, 10)
    assert parse("1033|a game,p2,0,0,0,0,0,5").player == 2
    assert parse("1033|a game,2,0,1,2,0,0").player is None
    assert session.parse_options("BC=t4,RD=f") == {"BC": "t4", "RD": "f"}


def test_an_empty_field_is_a_tab():
    version = session.Version(2700, "2.7.00", "JM20260517", "", "en_US")
    assert version.format() == "9998|2700,2.7.00,JM20260517,\t,en_US"
    assert parse(version.format()) == version


def test_later_fields_are_ignored_and_missing_ones_are_not():
    assert parse("1025|a game,20,whatever") == play.State("a game", 20)
    with pytest.raises(MessageError, match="State lacks state"):
        parse("1025|a game")
    with pytest.raises(MessageError, match="'x' is no whole number"):
        parse("1025|a game,x")
    assert parse("1025|a game,-2147483648") == play.State("a game", -(2**31))
    with pytest.raises(MessageError, match="'2147483648' is no whole number"):
        parse("1025|a game,2147483648")
    with pytest.raises(MessageError, match="number of a type"):
        parse("hello")
    assert parse("4711|a,b") == Unknown(4711, "a,b")
    assert parse("4711").format() == "4711"


@pytest.mark.parametrize("cls", classes(), ids=lambda cls: cls.__name__)
def test_whatever_comes_is_a_message_or_is_said_to_be_none(cls):
    digits = "9" * 5000  # more than Python reads as a number
    fields = ("", ",", "|", "a", "a,", "a|1", digits, f"a,{digits}", f"a|{digits}", f"a,1,{digits}", f"{digits},a")
    for text in [*(f"{cls.ID}|{field}" for field in fields), str(cls.ID), f"{cls.ID}{digits}"]:
        with contextlib.suppress(MessageError):
            assert parse(text).format()
