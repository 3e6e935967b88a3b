"""Pages made by rule. The same size and number give the same bytes.

`make_page` makes one of any size, on which everything grows alike, from the menu to the comments:
of its bytes about four tenths are the article, two links and teasers, two comments, one a script.

`make_real_page` makes one with the measures of pages of news: of 960 labelled pages of eight sets
half have 65 to 237 kB (median 115), 1,050 to 2,500 tags (1,590), a body of 1,600 to 8,400
characters (3,500), and 7 to 45 % of their bytes are scripts and styles (24).
"""

from __future__ import annotations

import math
import random
from itertools import count
from typing import TYPE_CHECKING

from benchmarks.made_texts import make_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 2_000_000)  # bytes
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
    draw = random.Random(size + number * SIZES[-1])
    story = [paragraph(draw) for _ in range(3)]
    return _PAGE.format(
        title="How the marsh was measured again" + (f": {words(draw, 4)}" if number else ""),
        script=_fill(size // 10, lambda: f"log('{words(draw, 5)}');"),
        menu=_fill(size // 20, lambda: f'<li><a href="/{_word(draw)}">{_word(draw)}</a></li>'),
        story="".join(story) + _fill(size * 45 // 100, lambda: paragraph(draw)),
        teasers=_fill(size // 5, lambda: _teaser(draw)),
        comments=_fill(size // 5, lambda: _comment(draw)),
    )


def make_real_page(number: int) -> str:
    """Return page *number*, every second one in Chinese."""
    draw = random.Random(number)
    size = draw.lognormvariate(math.log(115_000), 0.9)
    length = draw.lognormvariate(math.log(3_500), 1.0)
    share = min(draw.lognormvariate(math.log(0.24), 0.8), 0.8)  # of scripts
    lines, room = [], min(length, 50_000)
    for text in _new_texts(number):
        lines += text[: int(room) + 1].splitlines()
        room -= len(text)
        if room <= 0:
            break
    story = "".join(f"<p>{line}</p>\n" for line in lines)
    rest = min(size, 2_000_000) * (1 - share)
    script = int(rest * share / (1 - share))
    rest = max(rest - len(story.encode()), 5_000)
    return _PAGE.format(
        title=lines[0][:60],
        script=_fill(script, lambda: f"log('{words(draw, 5)}');"),
        menu=_fill(int(rest * 0.2), lambda: _menu_entry(draw)),
        story=story,
        teasers=_fill(int(rest * 0.6), lambda: _card(draw)),
        comments=_fill(int(rest * 0.2), lambda: _comment(draw)),
    )


def _new_texts(number: int) -> Iterator[str]:
    """Yield texts of one language that no other page has."""
    for place in count(number * 1_000 + number % 2, 2):
        if (text := make_text(place)).kind == "new":
            yield text.text


def _fill(size: int, make: Callable[[], str]) -> str:
    """Return parts in a row, together at least *size* characters."""
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


def _menu_entry(draw: random.Random) -> str:
    name = _word(draw)
    link = f'<a class="menu-link" href="https://gazette.example/section/{name}/">{name}</a>'
    return f'<li class="menu-item menu-item-{draw.randrange(10**4)} menu-item-type">{link}</li>\n'


def _card(draw: random.Random) -> str:
    title = words(draw, 7).capitalize()
    address = f"https://gazette.example/story/{draw.randrange(10**6)}-{words(draw, 5)}".replace(
        " ", "-"
    )
    picture = f'<img class="card-image" src="{address}-320x180.jpg" alt="{title}" loading="lazy">'
    head = f'<h4 class="card-title"><a class="card-link" href="{address}">{title}</a></h4>'
    return (
        f'<div class="card card-small card-with-image" data-id="{draw.randrange(10**6)}">{picture}'
        f'{head}<span class="card-meta">{words(draw, 12)} …</span></div>\n'
    )


def _comment(draw: random.Random) -> str:
    name, said = _word(draw).capitalize(), _sentence(draw)
    return f'<div class="comment"><b>{name}</b> <i>2 hours ago</i><p>{said}</p></div>\n'
