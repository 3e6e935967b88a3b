"""Hostile pages, made when asked for: each a normal article into which one thing was put.

A page keeps its marked sentences; only what is not a page may be refused, and only a page without
text may come out empty, with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MARKS = (
    "The harbour master closed the northern pier on Monday after divers found a crack in its base.",
    "Fishing boats will use the old ferry landing until engineers have measured every pillar.",
    "Nobody was hurt, and the council expects the repair to be finished before the summer fair.",
)
ZH_MARKS = (
    "周一上午，港务局在潜水员发现桥墩底部有裂缝之后，关闭了北面的码头，渔船都停在外面等消息。",
    "在工程师量完每一根柱子以前，渔船先用旧的渡口上下货，大家都说这样虽然慢一些，但是更安全。",
    "没有人受伤，镇里希望在夏天的集市开始以前修好，到时候新的渡船也会从这里开往对岸的小岛。",
)
TITLE = "Crack closes the northern pier"
NAV = "<nav><ul><li><a href=/>Home</a></li><li><a href=/news>News</a></li></ul></nav>"
FOOT = "<footer><a href=/terms>Terms</a> <a href=/contact>Contact</a></footer>"


@dataclass(frozen=True, slots=True)
class Hostile:
    """One kind: its name, how to make it, what must survive, and whether it may be refused."""

    name: str
    make: Callable[[], bytes]
    marks: tuple[str, ...] = MARKS
    may_refuse: bool = False  # it is not a page
    charset: str | None = None  # of the header


def article(
    marks: tuple[str, ...] = MARKS,
    *,
    head: str = "",
    before: str = "",
    between: str = "",
    after: str = "",
) -> str:
    """Return an article page with markup put into its head, before, between and after its text."""
    text = f"{between}".join(f"<p>{mark}</p>\n" for mark in marks)
    return (
        f"<!DOCTYPE html><html><head><title>{TITLE}</title>{head}</head><body>{NAV}{before}"
        f"<article><h1>{TITLE}</h1>{text}</article>{after}{FOOT}</body></html>"
    )


def put(name: str, **places: str) -> Hostile:
    """Return the article with markup put into the named places."""
    return Hostile(name, article(MARKS, **places).encode)


def raw(name: str, body: bytes | Callable[[], bytes], *, refuse: bool = False) -> Hostile:
    """Return a page without marked sentences."""
    make = body if callable(body) else lambda: body
    return Hostile(name, make, marks=(), may_refuse=refuse)
