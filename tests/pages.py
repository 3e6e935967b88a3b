"""Pages of a small made-up site, for tests of the adapters: own texts, one template."""

import random
from collections.abc import Iterable
from typing import Any

_SYLLABLES = "ka ro bel min tor ash dun wick ley far gos pel ran sil vor mund ost hav".split()
_VERBS = "counted repaired painted sold borrowed measured hid praised lent washed".split()
_THINGS = "boats clocks fields lamps pianos maps letters timetables ovens bridges".split()


def sentences(seed: int, count: int = 16) -> list[str]:
    """Return sentences that share few words with the sentences of other seeds."""
    chance = random.Random(seed)  # the same on every machine

    def name() -> str:
        return "".join(chance.choices(_SYLLABLES, k=3)).capitalize()

    return [
        f"{name()} {name()} {chance.choice(_VERBS)} {chance.randint(3, 90)}"
        f" {chance.choice(_THINGS)} from {name()} near {name()}, because {name()} had"
        f" {chance.choice(_VERBS)} them before."
        for _ in range(count)
    ]


def article_text(seed: int) -> list[str]:
    """Return the paragraphs of article *seed*."""
    lines = sentences(seed)
    return [" ".join(lines[start : start + 3]) for start in range(0, len(lines), 3)]


def article(seed: int, links: Iterable[str] = (), paragraphs: list[str] | None = None) -> str:
    """Return an article page of the site's one template."""
    body = "".join(f"<p>{line}</p>" for line in paragraphs or article_text(seed))
    related = "".join(f'<li><a href="{link}">More: {link}</a></li>' for link in links)
    title = f"Story number {seed} of the day"
    return f"""<!DOCTYPE html><html lang="en"><head><title>{title} - Ostwick Post</title>
<meta charset="utf-8"></head><body><div class="top"><a href="/">Home</a> <a href="/news/">News</a>
<a href="/sport/">Sport</a> <a href="/about/">About</a></div>
<div class="main"><h1>{title}</h1><div class="body">{body}</div></div>
<div class="related"><h3>Related</h3><ul>{related}</ul></div>
<div class="foot"><p>All rights reserved by the Ostwick Post and its readers.</p></div>
</body></html>"""


def unmarked(item: dict[str, Any]) -> dict[str, Any]:
    """Return *item* without marks of an overlap, which depend on the order of pages."""
    marks = {"overlaps", "similarity", "own"}
    if not (record := item.get("webclean")):
        return item
    return {**item, "webclean": {name: v for name, v in record.items() if name not in marks}}


def listing(links: Iterable[str]) -> str:
    """Return a list page of the same site."""
    rows = "".join(f'<li><a href="{link}">Headline of {link}</a></li>' for link in links)
    return f"""<!DOCTYPE html><html lang="en"><head><title>Ostwick Post</title>
<meta charset="utf-8"></head><body><div class="top"><a href="/">Home</a> <a href="/news/">News</a>
</div><ul class="list">{rows}</ul></body></html>"""
