"""Kinds that nest: deeper than parsers hold, round the text and beside it."""

from collections.abc import Iterator

from tests.nightly.hostile.draw import Draw, Kind, put, round_text

_TAGS = ("div", "section", "blockquote", "center", "form", "x-box", "b", "span", "font", "em")


def nesting_kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    yield round_text("blocks and inline mixed round the text", _round)
    yield round_text("lists 2,000 deep round the text", lambda rng: _pairs(rng, "<ul><li>"))
    yield round_text("tables 2,000 deep round the text", lambda rng: _pairs(rng, "<table><tr><td>"))
    yield round_text("300 deep round the text", _few)
    yield put("deep and empty", lambda rng: _tower(rng, ""))
    yield put("deep with a text on each level", lambda rng: _tower(rng, rng.word()))
    yield put("deep and never closed", lambda rng: "<div>" * rng.randint(2_500, 60_000))
    yield put("deep inline, never closed", lambda rng: "<b>" * rng.randint(2_500, 60_000), "before")
    yield put("many deep towers", _towers)
    yield put("false end tags", lambda rng: f"</{rng.word()}></p></i>" * rng.size(9_000, 50_000))
    yield put("deep, then false end tags", _false_ends)
    yield put("nested links", lambda rng: "<a href=/x>x" * rng.size(2_500, 30_000), "after")
    yield put("nested forms", lambda rng: "<form><input>" * rng.size(2_500, 30_000))
    yield put("deep crosswise", _crosswise)


def _round(rng: Draw) -> tuple[str, str]:
    names = rng.choices(_TAGS, k=rng.randint(2_100, 20_000))
    ends = "".join(f"</{name}>" for name in reversed(names))
    return "".join(f"<{name}>" for name in names), ends if rng.random() < 0.7 else ""


def _pairs(rng: Draw, start: str) -> tuple[str, str]:
    depth = rng.randint(1_100, 9_000)
    ends = "".join(f"</{tag}>" for tag in reversed(start.strip("<>").split("><")))
    return start * depth, ends * depth if rng.random() < 0.7 else ""


def _few(rng: Draw) -> tuple[str, str]:
    tag, depth = rng.choice(_TAGS), rng.randint(200, 600)
    return f"<{tag}>" * depth, f"</{tag}>" * depth


def _tower(rng: Draw, each: str) -> str:
    names = rng.choices(_TAGS, k=rng.randint(2_100, 30_000))
    start = "".join(f"<{name}>{each}" for name in names)
    return start + "".join(f"</{name}>" for name in reversed(names))


def _towers(rng: Draw) -> str:
    depth = rng.randint(300, 1_500)
    return ("<div>" * depth + rng.word() + "</div>" * depth) * rng.size(5, 40)


def _false_ends(rng: Draw) -> str:
    return "<b>" * rng.randint(1_000, 9_000) + "</i>" * rng.size(20_000, 90_000)


def _crosswise(rng: Draw) -> str:
    depth = rng.randint(500, 4_000)
    return "<b><div>" * depth + "x" + "</b></div>" * depth
