from __future__ import annotations

import pytest

from webclean_scrapy.crawl.siblings.fetch_budget import (
    FREE_FETCHES,
    MAX_FAILURES,
    MAX_SHARE,
    MAX_TRIES,
    SiblingLedger,
)

HOST = "a.example"


def shape(number: int) -> str:
    return f"http://{HOST}/{number}/0.html"


@pytest.fixture
def ledger() -> SiblingLedger:
    return SiblingLedger(max_fetches=2, max_templates=3_000)


def test_a_template_has_its_fetches(ledger: SiblingLedger) -> None:
    for number in range(2):
        assert ledger.limit_reached(shape(1), HOST) is None
        ledger.asks(f"{number}.html", shape(1), HOST)
    assert ledger.limit_reached(shape(1), HOST) == "budget_spent"
    assert ledger.limit_reached(shape(2), HOST) is None


def test_a_site_of_a_thousand_patterns_costs_a_twentieth_of_its_pages(
    ledger: SiblingLedger,
) -> None:
    asked = 0
    for number in range(1_000):
        ledger.saw_page(HOST)
        while ledger.limit_reached(shape(number), HOST) is None:
            ledger.asks(str(asked), shape(number), HOST)
            asked += 1
    assert ledger.limit_reached(shape(0), "b.example") == "budget_spent"  # of the template
    assert ledger.limit_reached("http://b.example/0", "b.example") is None
    assert asked == FREE_FETCHES + MAX_SHARE * 1_000


def test_what_the_crawl_used_itself_costs_nothing(ledger: SiblingLedger) -> None:
    for number in range(FREE_FETCHES):
        ledger.asks("u", shape(number), HOST)
    assert ledger.limit_reached(shape(99), HOST) == "host_spent"
    ledger.used_by_crawl(HOST)
    assert ledger.limit_reached(shape(99), HOST) is None


def test_failures_in_a_row_end_the_asking_and_an_answer_breaks_the_row(
    ledger: SiblingLedger,
) -> None:
    def end_of_row() -> str | None:
        return ledger.limit_reached(shape(1), HOST)

    for _ in range(MAX_FAILURES - 1):
        ledger.failed(HOST)
    ledger.answered(HOST, 404)
    for status in (500, 503, 429, 403)[: MAX_FAILURES - 1]:
        ledger.answered(HOST, status)
    assert end_of_row() is None
    ledger.answered(HOST, 429)
    assert end_of_row() == "host_given_up"
    assert ledger.limit_reached("http://b.example/0", "b.example") is None


def test_what_was_refused_makes_its_like_suspect_for_its_template_alone(
    ledger: SiblingLedger,
) -> None:
    ledger.refused(f"http://{HOST}/n/2024/8812.html", shape(1))
    assert "n/2024/4.html" in ledger.suspects(shape(1))
    assert "n/2024/4.html" not in ledger.suspects(shape(2))


def test_pages_of_the_crawl_are_tried_a_few_times(ledger: SiblingLedger) -> None:
    for _ in range(MAX_TRIES):
        assert ledger.may_try(shape(1))
        ledger.tries(shape(1))
    assert not ledger.may_try(shape(1))
    assert ledger.may_try(shape(2))


def test_the_oldest_template_is_forgotten_first() -> None:
    ledger = SiblingLedger(max_fetches=1, max_templates=2)
    for number in (1, 2, 3):
        ledger.asks("u", shape(number), HOST)
    assert ledger.limit_reached(shape(3), HOST) == "budget_spent"
    assert ledger.limit_reached(shape(1), HOST) is None
