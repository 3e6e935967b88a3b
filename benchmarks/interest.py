"""Accuracy of interest profiles, with tag weights and without.

A topic is a section of one of the sites of the demo portal. Copies and reports of one wording count
as one article: none of them is looked for when another one was kept.

For each topic, profiles of three of its pages, drawn by several seeds. An article is taken for
interesting when its interest reaches a threshold, the best one for all other topics.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import share, table
from benchmarks.scoring import auc
from spiders.demo import build_portal
from spiders.demo.build import make_sites
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.keywords.interest_profile import make_profile
from webclean_scrapy.keywords.tfidf import KeywordRanker
from webclean_scrapy.report.text_scores import harmonic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Blocks = list[tuple[str, float]]  # (text, weight of its tag) of a clean page

    Vectors = Mapping[str, Mapping[str, float]]

TAGS, NO_TAGS = "with tag weights", "no tag weights"

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


@dataclass(slots=True)
class Judged:
    """Interests of articles that are on the topic, and of others."""

    on: list[float]
    off: list[float]

    def counts(self, threshold: float) -> tuple[int, int]:
        """Return how many reach *threshold*: on the topic, and not."""
        return sum(x >= threshold for x in self.on), sum(x >= threshold for x in self.off)

    @property
    def auc(self) -> float:
        """The share of pairs in which the article on the topic has the higher interest."""
        is_on = np.arange(len(self.on) + len(self.off)) < len(self.on)
        return auc(np.array(self.on + self.off), is_on) or 0.0


def demo_topics() -> Topics:
    """Return the sections of the demo portal; ids are paths."""
    portal, sites, cleaner = build_portal(), make_sites(), Cleaner()
    story, sections = {}, defaultdict(list)
    for site in sites:
        for article in site.articles:
            path = site.path_of(article)
            story[path] = article.repost_of or article.family or article.key
            sections[f"{site.key}/{article.section}"].append(path)
    blocks = {path: cleaner.clean(portal.pages[path].body).weighted_blocks for path in story}
    large = {
        name: tuple(sorted(paths))
        for name, paths in sorted(sections.items())
        if len({story[path] for path in paths}) >= LEAST
    }
    return Topics(blocks, story, large)


def measure_interest(topics: Topics, seeds: int) -> dict[str, dict[str, list[Judged]]]:
    """Return the judgements of each form of the profile, by topic and seed."""
    ranker = KeywordRanker()
    tags = {key: ranker.vector(blocks) for key, blocks in topics.blocks.items()}
    plain = {
        key: ranker.vector([(text, 1.0) for text, _ in blocks])
        for key, blocks in topics.blocks.items()
    }
    return {
        TAGS: _judge_topics(topics, tags, seeds),
        NO_TAGS: _judge_topics(topics, plain, seeds),
    }


def _judge_topics(topics: Topics, vectors: Vectors, seeds: int) -> dict[str, list[Judged]]:
    judged: dict[str, list[Judged]] = {}
    for topic in topics.members:
        for kept, wanted in topics.draws(topic, seeds):
            profile = make_profile([vectors[key] for key in kept])
            told = {topics.story[key] for key in kept}
            result = Judged([], [])
            for key, vector in vectors.items():
                if topics.story[key] not in told:
                    (result.on if key in wanted else result.off).append(profile.interest(vector))
            judged.setdefault(topic, []).append(result)
    return judged


def best_threshold(judged: Sequence[Judged]) -> float:
    """Return the threshold with the best F1 over all of *judged*."""
    candidates = sorted({round(x, 3) for one in judged for x in one.on if x > 0})
    return max(candidates, key=lambda threshold: harmonic(*precision_recall(judged, threshold)))


def precision_recall(judged: Sequence[Judged], threshold: float) -> tuple[float, float]:
    """Return both over all articles of *judged*."""
    counts = [one.counts(threshold) for one in judged]
    on, off = (sum(column) for column in zip(*counts, strict=True))
    return on / max(1, on + off), on / max(1, sum(len(one.on) for one in judged))


def interest_section(name: str, measured: Mapping[str, Mapping[str, Sequence[Judged]]]) -> str:
    """Return the table of one collection of topics."""
    rows = []
    for form, by_topic in measured.items():
        on = off = missed = 0
        for topic, judged in by_topic.items():
            others = [one for other in by_topic if other != topic for one in by_topic[other]]
            threshold = best_threshold(others)
            for one in judged:
                right, wrong = one.counts(threshold)
                on, off, missed = on + right, off + wrong, missed + len(one.on) - right
        precision, recall = on / max(1, on + off), on / max(1, on + missed)
        aucs = [one.auc for judged in by_topic.values() for one in judged]
        figures = (precision, recall, harmonic(precision, recall), sum(aucs) / len(aucs))
        rows.append([form, *map(share, figures)])
    topics = next(iter(measured.values()))
    draws = sum(map(len, topics.values()))
    head = [f"{name}: {len(topics)} topics, {draws} profiles", "precision", "recall", "F1", "AUC"]
    return table(head, rows)
