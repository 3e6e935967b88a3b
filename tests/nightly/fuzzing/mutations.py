"""Mutations: of bytes, of the tokens of markup, of plain JSON values."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from tests.nightly.fuzzing.texts import ATTRIBUTES, DATES, ENTITIES, TAGS, odd_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

_BYTES = (
    b"\0", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf",
    b"\x1a", b"\x1b[2J", b"\r", b"\n", b"<", b">", b"&", b'"', b"'", b"=", b"/", b"<!--", b"-->",
    b"<![CDATA[", b"]]>", b"<?", b"{", b"}", b"[", b",", b":", b"\xf4\x90\x80\x80", b"\x80",
    b"\xa0", b"\x81\x30", b"0", b"-1", b"4294967296", b"\x7f\xff\xff\xff", b"</script>",
    b"<script>", b"<plaintext>", b"[" * 3_000,
    b'{"a":' * 1_500,
)  # fmt: skip
_TOKEN = re.compile(r"<[^<>]*>|&#?\w{1,10};|[^<&]+|[<&]")
_MOST_BYTES = 40_000  # of a mutated page


def mutate_bytes(draw: Random, data: bytes) -> bytes:
    """Return *data* with one change: some bytes cut, doubled, moved, flipped or put in."""
    at = draw.randrange(len(data) + 1)
    size = min(draw.choice((1, 1, 2, 4, 16, 64, 512)), len(data) - at)
    piece, kind = data[at : at + size], draw.randrange(7)
    if kind == 0:
        return data[:at] + data[at + size :]
    if kind == 1:
        return data[:at] + piece * draw.randint(2, 4) + data[at + size :]
    if kind == 2:
        return data[:at] + draw.choice(_BYTES) + data[at:]
    if kind == 3 and piece:
        return data[:at] + bytes([piece[0] ^ (1 << draw.randrange(8))]) + data[at + 1 :]
    if kind == 4:
        return data[:at] + draw.randbytes(size) + data[at + size :]
    if kind == 5:
        return data[:at] if draw.random() < 0.5 else data[at:]
    to = draw.randrange(len(data) + 1)
    rest = data[:at] + data[at + size :]
    return rest[:to] + piece + rest[to:]


def mutate_tokens(draw: Random, text: str) -> str:
    """Return markup with some of its tags, attributes, quotes, entities or texts changed."""
    tokens = _TOKEN.findall(text)
    for _ in range(draw.randint(1, 6)):
        if not tokens:
            break
        at = draw.randrange(len(tokens))
        tokens[at : at + 1] = _change(draw, tokens[at], tokens)
    return "".join(tokens)


def _change(draw: Random, token: str, tokens: list[str]) -> list[str]:
    """Return the replacement of one token."""
    roll = draw.random()
    if roll < 0.1:
        return []
    if roll < 0.2:
        return [token] * draw.choice((2, 3, 30))
    if roll < 0.3:
        return [token, draw.choice(tokens)]
    if not token.startswith("<"):
        choices = [odd_text(draw), draw.choice(ENTITIES), token[::-1], token + odd_text(draw)]
        return [draw.choice(choices)]
    if roll < 0.45:
        return [f"<{draw.choice(('', '/'))}{draw.choice(TAGS)}>"]
    if roll < 0.6:
        return [re.sub(r"^</?[^\s>]*", f"<{draw.choice(TAGS)}", token)]
    if roll < 0.85:
        return [token[:-1] + " " + draw.choice(ATTRIBUTES) + token[-1:]]
    return [token.replace(draw.choice("\"'=>/ "), draw.choice(("", '"', "'", " ", "<")))]


def mutate_page(draw: Random, text: str, other: Callable[[], str]) -> str:
    """Return a page after no to six mutations above the level of bytes."""
    for _ in range(min(int(draw.expovariate(0.5)), 6)):
        roll = draw.random()
        if roll < 0.85:
            text = mutate_tokens(draw, text)
        else:  # the start of one page and the end of another
            end = other()
            text = text[: draw.randrange(len(text) + 1)] + end[draw.randrange(len(end) + 1) :]
        text = text[:_MOST_BYTES]
    return text


_JSON_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**32, 2**63, 2**64, 10**30, 0.5, -0.0, 1e308, 1e-320,
    float("nan"), float("inf"), "", "x", "0", [], {}, [[]], [None], {"": ""}, "\ud800", "\0",
    "é" * 99, {"@type": "Person", "name": {"@value": "Ada"}}, [1, "a", None, {}],
    "http://a.example/x", 5_000,
)  # fmt: skip


def mutate_json(draw: Random, value: Any) -> Any:
    """Return a copy of plain values with one to three of them changed, at any depth."""
    value = deepcopy(value)
    for _ in range(draw.randint(1, 3)):
        value = _change_json(draw, value)
    return value


def _change_json(draw: Random, value: Any) -> Any:
    holder: Any = None
    key: Any = None
    node = value
    while isinstance(node, (dict, list)) and node and draw.random() < 0.85:
        holder = node
        key = draw.choice(list(node)) if isinstance(node, dict) else draw.randrange(len(node))
        node = node[key]
    if holder is None:
        return _other_value(draw, value)
    roll = draw.random()
    if roll < 0.25:
        del holder[key]
    elif roll < 0.35 and isinstance(holder, dict):
        holder[odd_text(draw)] = holder.pop(key)
    elif roll < 0.45 and isinstance(holder, list):
        holder[key:key] = [node] * draw.choice((1, 2, 1_000))
    else:
        holder[key] = _other_value(draw, node)
    return value


def _other_value(draw: Random, value: Any) -> Any:
    roll = draw.random()
    if roll < 0.5:
        return deepcopy(draw.choice(_JSON_VALUES))
    if roll < 0.6:
        return draw.choice(DATES)
    if roll < 0.7:
        return odd_text(draw)
    if roll < 0.8:
        return [value]
    if roll < 0.85:
        return {"a": value}
    if roll < 0.9:
        for _ in range(draw.choice((5, 60))):
            value = [value]
        return value
    if isinstance(value, (int, float)):
        return value * draw.choice((-1, 2, 1000, 0))
    return str(value)
