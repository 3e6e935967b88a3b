"""The source of a page that breaks a limit of a parser, with less in it, so that it can be parsed.

What is parsed keeps its structure, and bodies are found better in it than without one. So a page is
made lighter first: what no reader sees goes (scripts, styles, comments, attributes nobody reads,
empty elements), then what only decorates a text (``b``, ``span``), then levels of nesting. Its text
stays as it is, in the same lines.

Every step is linear in the bytes. Ordinary pages never come here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.page.guard import ATTRIBUTE
from webclean_scrapy.cleaning.page.visible_source import chunks, without_scripts

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.page.guard import GuardConfig

_MAX_ATTRIBUTES = 50  # that a long tag keeps beside those in _READ
_MAX_VALUE = 4_000  # bytes of an attribute's value; data: addresses are longer
_SAMPLE = 4_000  # bytes, from 16 places, that tell whether a step would make a page light enough
_LONG_TAG = re.compile(rb"<[a-zA-Z][^<>]{4000}[^<>]*")
_NAME = re.compile(rb"[\s/]*([^\s/>=]*)")
_TAG_NAME = re.compile(rb"<[a-zA-Z][^\s<>/]*")
#: What steps read of attributes, wherever in the tag they stand.
_READ = frozenset(
    b"alt aria-hidden aria-modal class content datetime hidden href http-equiv id itemprop "
    b"itemtype lang name property rel role src srcset style".split()
)

_DECORATION = (
    b"abbr|acronym|b|bdi|bdo|big|blink|cite|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s|samp"
    b"|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
_DECORATIONS = re.compile(rb"</?(?:" + _DECORATION + rb")(?=[\s/>])[^<>]*>", re.IGNORECASE)
_EMPTY = re.compile(
    rb"<(" + _DECORATION + rb"|[a-z]+-[a-z]+|div|p|li|td|a)(?:\s[^<>]*)?></\1>", re.IGNORECASE
)
_BREAKS = re.compile(rb"<br\b[^<>]*>\s*(?:<br\b[^<>]*>\s*){2,}", re.IGNORECASE)
_RULES = re.compile(rb"<hr\b[^<>]*>\s*(?:<hr\b[^<>]*>\s*)+", re.IGNORECASE)


def lighter_source(html: bytes, guard: GuardConfig) -> bytes:
    """Return *html* with less in it, so that it may pass *guard*. Cost: some 50 ms a megabyte.

    >>> from webclean_scrapy.cleaning.page.guard import GuardConfig
    >>> lighter_source(b"<p>a <b>c</b><script>i<n</script>", GuardConfig(max_tags=2))
    b'<p>a c'
    """
    html = _LONG_TAG.sub(_shorter_tag, without_scripts(html))
    tags = html.count(b"<")
    if tags <= guard.max_tags:
        return html
    for thin in (_without_empty, _without_decoration):
        step = max(len(html) // 16, _SAMPLE)
        sample = b"".join(html[at : at + _SAMPLE] for at in range(0, len(html), step))
        left = thin(sample).count(b"<") / max(sample.count(b"<"), 1)
        if tags * left < 2 * guard.max_tags:
            html = b"".join(map(thin, chunks(html)))
            tags = html.count(b"<")
        if tags <= guard.max_tags:
            break
    return html


def _without_empty(html: bytes) -> bytes:
    html = _RULES.sub(b"<hr>", _BREAKS.sub(b"<br><br>", html))
    return _EMPTY.sub(b"", _EMPTY.sub(b"", html))


def _without_decoration(html: bytes) -> bytes:
    return _DECORATIONS.sub(b"", html)


def _shorter_tag(match: re.Match[bytes]) -> bytes:
    """Return a long tag with the attributes that are read, some of the others, and short values."""
    tag = match[0]
    name = _TAG_NAME.match(tag)
    start = name.end() if name else 1
    kept = [tag[:start]]
    seen: set[bytes] = set()
    for attribute in ATTRIBUTE.finditer(tag, start):
        text = attribute[0]
        found = _NAME.match(text)
        key = found[1].lower() if found else b""
        if key in seen or not (key in _READ or len(seen) < _MAX_ATTRIBUTES):
            continue
        seen.add(key)
        kept.append(text if len(text) <= _MAX_VALUE else _shorter_value(text))
    return b"".join(kept)


def _shorter_value(attribute: bytes) -> bytes:
    """Return an attribute with the start of its value; an address or style of data, with none."""
    name, _, value = attribute.partition(b"=")
    value = value.lstrip()
    quote = value[:1] if value[:1] in (b'"', b"'") else b""
    value = value[len(quote) : _MAX_VALUE]
    return name + b"=" + quote + (b"" if value[:5].lower() == b"data:" else value) + (quote or b" ")
