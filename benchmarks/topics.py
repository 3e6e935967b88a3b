"""Pages with a topic: what a reader may be interested in.

A topic is a section of one of the sites of the demo portal. Copies and reports of one wording count
as one article: none of them is looked for when another one was kept.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spiders.demo import build_portal
from spiders.demo.build import make_sites
from webclean_scrapy.cleaning.cleaner import Cleaner

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Blocks = list[tuple[str, float]]  # (text, weight of its tag) of a clean page

KEPT = 3  # pages in each profile
LEAST = KEPT + 2  # articles of a topic


@dataclass(frozen=True, slots=True)
class Topics:
    """Articles by id, and the ids of each topic."""

    blocks: Mapping[str, Blocks]
    story: Mapping[str, str]  # what an article tells: the same for copies of it
    members: Mapping[str, tuple[str, ...]]  # by topic, each with `LEAST` stories or more

    def draws(self, topic: str, seeds: int) -> Iterator[tuple[list[str], set[str]]]:
        """Yield, for each seed, the articles kept and the others of the topic, to be found."""
        for seed in range(seeds):
            kept = random.Random(seed).sample(self.members[topic], KEPT)
            told = {self.story[key] for key in kept}
            yield kept, {key for key in self.members[topic] if self.story[key] not in told}


def demo_topics() -> Topics:
    """Return the sections of the demo portal; ids are paths."""
    portal, sites, cleaner = build_portal(), make_sites(), Cleaner()
    paths = {article.key: site.path_of(article) for site in sites for article in site.articles}
    story, sections = {}, defaultdict(list)
    for site in sites:
        for article in site.articles:
            path = paths[article.key]
            story[path] = article.repost_of or article.family or article.key
            sections[f"{site.key}/{article.section}"].append(path)
    blocks = {path: cleaner.clean(portal.pages[path].body).weighted_blocks for path in story}
    return _topics(blocks, story, sections)


def _topics(
    blocks: Mapping[str, Blocks], story: Mapping[str, str], members: Mapping[str, list[str]]
) -> Topics:
    large = {
        name: tuple(sorted(keys))
        for name, keys in sorted(members.items())
        if len({story[key] for key in keys}) >= LEAST
    }
    return Topics(blocks, story, large)
