import json
import math
from typing import Any

import pytest

from ctxls.lsp import messages
from ctxls.lsp.messages import MalformedMessageError, Notification, Request, Response, parse
from ctxls.lsp.wire_errors import INVALID_REQUEST, PARSE_ERROR, WireError


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff{}",
        b'{"jsonrpc":"2.0","id":1,"method":"a","params":NaN}',
        b'{"jsonrpc":"2.0","id":1,"method":"a","params":[-Infinity]}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xef\xbb\xbf{}",
        "{}".encode("utf-16"),
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"a"}',
    ],
)
def test_what_is_not_json_is_a_parse_error_without_an_id(body: bytes) -> None:
    with pytest.raises(MalformedMessageError) as raised:
        parse(body)
    assert (raised.value.error.code, raised.value.id) == (PARSE_ERROR, None)


@pytest.mark.parametrize(
    ("body", "message_id"),
    [
        ([], None),
        ([{"jsonrpc": "2.0", "id": 1, "method": "a"}], None),
        ("text", None),
        (7, None),
        (None, None),
        ({}, None),
        ({"jsonrpc": "1.0", "id": 3, "method": "a"}, 3),
        ({"id": "x", "method": "a"}, "x"),
        ({"jsonrpc": "2.0", "id": 3}, 3),
        ({"jsonrpc": "2.0", "id": 3, "method": 5}, 3),
        ({"jsonrpc": "2.0", "id": None, "method": "a"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "a"}, None),
        ({"jsonrpc": "2.0", "id": 1.0, "method": "a"}, None),
        ({"jsonrpc": "2.0", "id": [], "method": "a"}, None),
        ({"jsonrpc": "2.0", "result": 1}, None),
    ],
)
def test_what_is_no_message_is_an_invalid_request_with_the_id_that_it_has(
    body: Any, message_id: Any
) -> None:
    with pytest.raises(MalformedMessageError) as raised:
        parse(json.dumps(body).encode())
    assert (raised.value.error.code, raised.value.id) == (INVALID_REQUEST, message_id)


def test_each_kind_of_message_is_told_apart() -> None:
    start = b'{"jsonrpc":"2.0",'
    assert parse(start + b'"id":1,"method":"a","params":{}}') == Request(1, "a", {})
    assert parse(start + b'"id":"1","method":"a"}') == Request("1", "a", None)
    assert parse(start + b'"method":"a","params":[]}') == Notification("a", [])
    assert parse(start + b'"id":"x","result":null}') == Response("x", None, None)
    assert parse(start + b'"id":null,"error":{}}') == Response(None, None, {})


def test_a_nested_jsonrpc_key_and_odd_keys_stay_as_they_are() -> None:
    params = {"value": {"jsonrpc": "2.0", "class": 1, "_x": 2, "a b": 3}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "a", "params": params}).encode()
    assert parse(body) == Request(1, "a", params)


@pytest.mark.parametrize("value", [2**80, -(2**80), "\ud83e alone", {"\udded": [2**64]}])
def test_large_numbers_and_lone_surrogates_come_through_both_ways(value: Any) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "a", "params": [value]}).encode()
    assert parse(body) == Request(1, "a", [value])
    assert json.loads(messages.encode(value)) == value


@pytest.mark.parametrize("value", [math.nan, math.inf, [2**80, math.nan], {"\ud800": -math.inf}])
def test_no_number_goes_out_that_json_does_not_have(value: Any) -> None:
    def refuse(name: str) -> None:
        pytest.fail(f"{name} was written")

    json.loads(messages.encode(value), parse_constant=refuse)


def test_what_is_json_already_goes_out_unchanged() -> None:
    assert messages.encode(b'{"a": [1]}') == b'{"a": [1]}'


@pytest.mark.parametrize("message_id", [1, 2**80, "x", 'quoted "\ud800"', ""])
def test_a_response_carries_the_id_of_its_request(message_id: messages.Id) -> None:
    found = json.loads(messages.result(message_id, b"null"))
    assert found == {"jsonrpc": "2.0", "id": message_id, "result": None}
    refused = json.loads(messages.failure(message_id, WireError(-1, "no", {"kind": "k"})))
    assert refused["id"] == message_id
    assert refused["error"] == {"code": -1, "message": "no", "data": {"kind": "k"}}
