"""The source of a page without what no reader sees of it, found without a parser.

For pages that break a limit: most are large by their scripts and are parsed without them. One pass
from the start to the end; an end that is missing is not looked for again, so the cost is linear in
the bytes whatever they are (a regular expression is quadratic on thousands of unclosed ``<!--``).
"""

from __future__ import annotations

import re

#: Elements without markup inside that a reader sees as text: each ends at the first end tag.
_UNSEEN = ("iframe", "script", "select", "style", "template", "textarea")
#: A comment, one of these, or a tag with a value that goes on where the next tag seems to begin.
_START = re.compile(
    rb"<(?:!--|(" + "|".join(_UNSEEN).encode() + rb")(?=[\s/>])[^<>]*"
    rb"|[a-z][^<>]*=\s*([\"'])[^\"'<>]*(?=<))",
    re.IGNORECASE,
)
_ENDS = {
    name.encode(): re.compile(rb"</%b(?=[\s/>])[^<>]*>?" % name.encode(), re.IGNORECASE)
    for name in _UNSEEN
}
_COMMENT = b"--"
_ENDS |= {mark: re.compile(mark) for mark in (b"'", b'"')} | {_COMMENT: re.compile(rb"-->")}


def visible_source(html: bytes, json_ld: list[bytes] | None = None) -> bytes:
    """Return *html* without comments, scripts and the like; what has no end stays.

    JSON-LD stays too, or is put into the list *json_ld*. *html* is in an encoding that keeps ASCII.
    Cost: linear, some 20 ms a megabyte.

    >>> visible_source(b"<!-- c --><p>x<script>1 < 2</script><style>")
    b'<p>x<style>'
    """
    kept: list[bytes] = []
    endless: set[bytes] = set()
    done = at = 0
    while match := _START.search(html, at):
        start, at = match.span()
        name = (match[1] or match[2] or _COMMENT).lower()
        if name in endless:
            continue
        # "<!-->" is a whole comment.
        end = _ENDS[name].search(html, start + 2 if name == _COMMENT else at)
        if end is None:
            endless.add(name)
            continue
        at = end.end()
        if match[2]:  # a value stays
            continue
        if name == b"script" and b"ld+json" in match[0].lower():
            if json_ld is None:
                continue
            json_ld.append(html[start:at])
        kept.append(html[done:start])
        done = at
    return b"".join([*kept, html[done:]])
