"""Heads of requests, and messages as JSON."""

from typing import Any

import pytest

from equamo.errors import EquamoError, UnknownNameError
from equamo.publish.studio.messages import Request, decode, encode, failure, is_final, read_request


@pytest.mark.parametrize("number", [None, -1, 2**54, True, "1", 1.0])
def test_the_id_must_be_an_integer(number: Any) -> None:
    with pytest.raises(EquamoError, match="must be an integer"):
        read_request({"id": number, "kind": "check"})


@pytest.mark.parametrize("data", [None, [], "check", 3])
def test_a_request_must_be_an_object(data: Any) -> None:
    with pytest.raises(EquamoError, match="must be a JSON object"):
        read_request(data)


def test_kind_and_model_are_checked() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'check'"):
        read_request({"id": 1, "kind": "chek"})
    with pytest.raises(EquamoError, match="'model' must be text"):
        read_request({"id": 1, "kind": "check", "model": 3})


def test_fields_are_checked() -> None:
    request = Request(1, "steps", "", {"a": 1, "b": "x"})
    for read in (request.text, request.flag, request.table, request.array):
        with pytest.raises(EquamoError, match="'a' must be"):
            read("a")
    with pytest.raises(UnknownNameError, match="Valid: y"):
        request.choice("b", ["y"])
    assert request.text("c", "default") == "default"
    assert request.table("c") == {}
    assert request.flag("c") is False


def test_numbers_of_messages_are_finite() -> None:
    with pytest.raises(EquamoError, match="must be finite"):
        encode({"kind": "result", "data": float("nan")})


@pytest.mark.parametrize(
    "text",
    ["{", "[" * 100_000, b"\xff", '{"id": NaN}', '["\\ud800"]', b'["\\ud800"]'],
)
def test_damaged_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(EquamoError, match="must be valid JSON"):
        decode(text)


def test_text_survives_json() -> None:
    reply = failure(1, "ω must be ≥ 0\n", "model", 2, 3)
    assert decode(encode(reply)) == reply
    assert encode(reply).count("\n") == 1
    assert decode('["\\ud83e\\udd16"]') == ["🤖"]
    assert is_final(reply)
