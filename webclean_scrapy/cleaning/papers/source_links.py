"""Logical link blocks in the source of a page: the form of the patent, which needs no tree.

Wang et al. 2014: P goes from link to link; M counts the links that are closer to the one before
than dt; from Ct on the run is a block. The distance is that of the text (in tokens, as
`body.link_blocks` counts them) or that of the code (characters, tags without their attributes).

Deviations are those of `body.link_blocks`: Ct counts links, not gaps; the link that breaks a chain
begins the next run; the last run is closed; where a block starts is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from webclean_scrapy.cleaning.body.link_blocks import text_distance
from webclean_scrapy.cleaning.method_names import DISTANCES
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LINK = re.compile(rb"</?a(?=[\s/>])[^<>]*>", re.IGNORECASE)
_TAG = re.compile(rb"<[!?/a-zA-Z][^<>]*>")
_ATTRIBUTES = re.compile(rb"(<[!?/]?[a-zA-Z][^\s/<>]*)[^<>]*")
_TAGS_OF_OTHERS = rb"<(?!/?a[\s/>])[^<>]*>"
#: A short link, and what separates it from the next: no word, no letter of another script.
_SHORT_LINK = (
    rb"<a(?=[\s/>])[^<>]*>[^<>]{0,60}(?:" + _TAGS_OF_OTHERS + rb"[^<>]{0,60}){0,4}</a>"
    rb"(?:[^<>\w\x80-\xff]|" + _TAGS_OF_OTHERS + rb")*"
)
_BETWEEN = re.compile(
    rb"</a>(?:[^<>]|" + _TAGS_OF_OTHERS + rb")*<a(?=[\s/>])[^<>]*>", re.IGNORECASE
)
_PART = 16_000  # bytes
_MAX_BETWEEN = 200_000  # bytes between links of a block, of tags alone
_MAX_TOKEN = 40  # bytes; no token is that long on average


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLinkConfig:
    """When links of the source are a block."""

    distance: str = "text"  # one of DISTANCES
    max_distance: int = 5  # dt: tokens, or characters of code (the patent's: 80)
    min_links: int = 5  # Ct: links

    def __post_init__(self) -> None:
        if self.distance not in DISTANCES:
            raise ConfigError(f"distance must be one of {DISTANCES}, got {self.distance!r}")
        if self.max_distance < 1:
            raise ConfigError(f"max_distance must be at least 1, got {self.max_distance!r}")
        if self.min_links < 2:
            raise ConfigError(f"min_links must be at least 2, got {self.min_links!r}")


class SourceLink(NamedTuple):
    """A link with text: its number among all start tags of links, and where it is in the source."""

    number: int
    start: int
    stop: int


def source_links(source: bytes) -> Iterator[SourceLink]:
    """Yield the links of *source* that hold text. One that is left open ends at the next.

    Every tag of *source* is closed and holds no other angle bracket. Cost: linear.
    """
    number, opened, inside = -1, -1, 0
    for match in LINK.finditer(source):
        start, stop = match.span()
        is_end = source.startswith(b"/", start + 1)
        if opened >= 0 and _has_text(source[inside:start]):
            yield SourceLink(number, opened, stop if is_end else start)
        opened = -1
        if not is_end:
            number, opened, inside = number + 1, start, stop
    if opened >= 0 and _has_text(source[inside:]):
        yield SourceLink(number, opened, len(source))


def shorten_runs(source: bytes, min_links: int) -> bytes:
    """Return *source* with runs of short links as *min_links* links, the rest of it in the last.

    For pages of so many links that each costs too much; a run stays a link block. Cost: linear.

    >>> shorten_runs(b"<li><a href=1>a</a><li><a href=2>b</a>" * 2 + b"<p>text", 2)
    b'<li><a href=1>a</a><li><a href=2>b a b</a><p>text'
    """
    run = re.compile(
        rb"((?:%b){%d})((?:%b){%d,})" % (_SHORT_LINK, min_links - 1, _SHORT_LINK, min_links),
        re.IGNORECASE,
    )
    return run.sub(_shorter_run, source)


def _shorter_run(match: re.Match[bytes]) -> bytes:
    return match[1] + _BETWEEN.sub(b" ", match[2])


def find_source_blocks(
    source: bytes, links: Sequence[SourceLink], config: SourceLinkConfig
) -> list[range]:
    """Return the link blocks of *source*, each as a range of *links*. Cost: linear.

    >>> source = b"<a href=1>One</a> | <a href=2>Two</a><p>Many words between the links.<a>x</a>"
    >>> config = SourceLinkConfig(min_links=2)
    >>> find_source_blocks(source, list(source_links(source)), config)
    [range(0, 2)]
    """
    distance = _text_distance if config.distance == "text" else _code_distance
    blocks, first = [], 0
    for last in range(len(links)):
        ends = last + 1 == len(links) or not distance(
            source[links[last].stop : links[last + 1].start], config.max_distance
        )
        if ends:
            if last + 1 - first >= config.min_links:
                blocks.append(range(first, last + 1))
            first = last + 1
    return blocks


def _has_text(source: bytes) -> bool:
    return bool((_TAG.sub(b"", source) if b"<" in source else source).strip())


def _text_distance(between: bytes, limit: int) -> bool:
    """Whether there are fewer than *limit* tokens of text in *between*."""
    if len(between) > _MAX_BETWEEN:
        return False
    tokens, at = 0, 0
    while at < len(between):
        stop = between.find(b"<", at + _PART)
        stop = len(between) if stop < 0 else stop
        part = between[at:stop]
        text = (_TAG.sub(b" ", part) if b"<" in part else part).strip()
        if len(text) > _MAX_TOKEN * limit:
            return False
        if text:
            tokens += text_distance(unescape(text.decode("utf-8", "replace")))
        if tokens >= limit:
            return False
        at = stop
    return True


def _code_distance(between: bytes, limit: int) -> bool:
    """Whether there are fewer than *limit* characters of code in *between*."""
    size, at = 0, 0
    while at < len(between) and size < limit:
        stop = between.find(b"<", at + _PART)
        stop = len(between) if stop < 0 else stop
        size += len(_ATTRIBUTES.sub(rb"\1", between[at:stop]).decode("utf-8", "replace"))
        at = stop
    return size < limit
