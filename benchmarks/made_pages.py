"""Pages of any size, made by rule. The same size and number give the same bytes.

Everything on them grows alike, from the menu to the comments: of the bytes about four tenths are
the article, two links and teasers, two comments, one a script.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SYLLABLES = "ba ko li mer tan sel dor vi ra nes quo fi lan gor pe ti mas ule stra hen".split()
_PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<title>{title} | The Long Gazette</title><script>{script}</script></head><body>
<div class="head"><a href="/">The Long Gazette</a></div><ul class="menu">{menu}</ul>
<div class="main"><h1>{title}</h1><div class="byline">By Ada Marsh, 12 March 2026, 09:20</div>
<div class="story">{story}</div><div class="related"><h3>Related</h3>{teasers}</div></div>
<div class="comments"><h3>Comments</h3>{comments}</div>
<div class="foot"><a href="/terms">Terms</a> <a href="/contact">Contact</a></div></body></html>
"""


def make_page(size: int, number: int = 0) -> str:
    """Return a page of *size* bytes, some hundreds more for a small one.

    Another *number* gives other words.
    """
    draw = random.Random(f"{size} {number}")
    story = [paragraph(draw) for _ in range(3)]
    return _PAGE.format(
        title="How the marsh was measured again" + (f": {words(draw, 4)}" if number else ""),
        script=_fill(size // 10, lambda: f"log('{words(draw, 5)}');"),
        menu=_fill(size // 20, lambda: f'<li><a href="/{_word(draw)}">{_word(draw)}</a></li>'),
        story="".join(story) + _fill(size * 45 // 100, lambda: paragraph(draw)),
        teasers=_fill(size // 5, lambda: _teaser(draw)),
        comments=_fill(size // 5, lambda: _comment(draw)),
    )


def _fill(size: int, make: Callable[[], str]) -> str:
    parts = []
    while size > 0:
        parts.append(make())
        size -= len(parts[-1])
    return "".join(parts)


def _word(draw: random.Random) -> str:
    return "".join(draw.choices(_SYLLABLES, k=draw.randint(1, 4)))


def words(draw: random.Random, count: int) -> str:
    return " ".join(_word(draw) for _ in range(count))


def _sentence(draw: random.Random) -> str:
    return f"{words(draw, draw.randint(8, 20)).capitalize()}, {words(draw, 4)}."


def paragraph(draw: random.Random) -> str:
    linked = f'<a href="/story/{draw.randrange(10**6)}">{words(draw, 3)}</a>'
    rest = " ".join(_sentence(draw) for _ in range(draw.randint(2, 5)))
    return f"<p>{_sentence(draw)} {words(draw, 6).capitalize()} {linked}. {rest}</p>\n"


def _teaser(draw: random.Random) -> str:
    title = words(draw, 7).capitalize()
    link = f'<a href="/story/{draw.randrange(10**6)}">{title}</a>'
    return f'<div class="card"><h4>{link}</h4><span>{words(draw, 12)} …</span></div>\n'


def _comment(draw: random.Random) -> str:
    name, said = _word(draw).capitalize(), _sentence(draw)
    return f'<div class="comment"><b>{name}</b> <i>2 hours ago</i><p>{said}</p></div>\n'
