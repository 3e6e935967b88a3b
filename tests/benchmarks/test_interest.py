from __future__ import annotations

import pytest

from benchmarks.fitting.keyword_weights import fit_weights, left_out_section, measure_left_out
from benchmarks.focus import AFTER, BREADTH, FOCUSED, Found, focus_section
from benchmarks.interest import Judged, best_threshold, interest_section, measure_interest
from benchmarks.keywords import KeywordPage
from benchmarks.topics import KEPT, LEAST, SUBJECTS, demo_topics, site_topics
from webclean_scrapy.keywords.feature_ranker import FEATURES


def test_no_kept_article_and_no_copy_of_one_is_looked_for() -> None:
    for topics in demo_topics():
        for topic, members in topics.members.items():
            assert len({topics.story[path] for path in members}) >= LEAST
            for kept, wanted in topics.draws(topic, 5):
                assert len(kept) == KEPT
                assert wanted
                assert not {topics.story[path] for path in kept} & {
                    topics.story[path] for path in wanted
                }


def test_each_subject_is_of_articles_of_the_portal() -> None:
    assert set(demo_topics()[1].members) == set(SUBJECTS)


def test_a_perfect_judgement_has_all_figures_one() -> None:
    judged = {"a": [Judged([0.5, 0.6], [0.1])], "b": [Judged([0.5], [0.2, 0.0])]}
    row = interest_section("made", {"form": judged}).splitlines()[-1]
    assert [cell.strip() for cell in row.split("|")[2:-1]] == ["1", "1", "1", "1"]
    assert best_threshold(judged["a"]) == 0.5
    assert Judged([0.0, 0.3], [0.0, 0.1]).auc == pytest.approx((0.5 + 0.0 + 1 + 1) / 4)


def test_every_form_of_the_profile_is_judged_on_every_topic() -> None:
    topics = demo_topics()[1]
    measured = measure_interest(topics, 1)
    assert len(measured) == 3
    assert all(by_topic.keys() == topics.members.keys() for by_topic in measured.values())


def test_a_set_without_urls_has_no_topics() -> None:
    assert site_topics({}).members == {}


def test_the_counts_of_a_crawl_become_shares() -> None:
    counts = (1, 2, 3, 4, 4, 4)
    found: Found = {FOCUSED: {"sea": [counts]}, BREADTH: {"sea": [(0, 0, 1, 2, 4, 4)]}}
    lines = focus_section("made", found).splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[2:-1]] == list(map(str, AFTER))
    assert lines[2].split("|")[2].strip() == ".250"
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == ["sea", "4.0", "3.0", "1.0"]


def test_weights_are_fitted_to_what_pages_name() -> None:
    pages = [
        KeywordPage({"": [(f"{word} council. The lighthouse of a {word} {word}", 1.0)]}, (word,))
        for word in ("harbour", "terminal", "parliament")
    ]
    weights = fit_weights(pages)
    assert list(weights) == list(FEATURES)
    assert weights["tfidf"] > 0
    lines = left_out_section(measure_left_out({"a": pages[:2], "b": pages[2:]})).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == [
        "a: 2 pages", "b: 1 pages", "all: 3 pages",
    ]  # fmt: skip
