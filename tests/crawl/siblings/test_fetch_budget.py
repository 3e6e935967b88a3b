from __future__ import annotations

import pytest

from webclean_scrapy.crawl.siblings.fetch_budget import (
    FREE_FETCHES,
    MAX_FAILURES,
    MAX_SHARE,
    MAX_TRIES,
    FetchBudget,
)

HOST = "a.example"


def shape(number: int) -> str:
    return f"http://{HOST}/{number}/0.html"


@pytest.fixture
def budget() -> FetchBudget:
    return FetchBudget(max_fetches=2, max_templates=3_000)


def test_a_template_has_its_fetches(budget: FetchBudget) -> None:
    for number in range(2):
        assert budget.limit_reached(shape(1), HOST) is None
        budget.count_fetch(f"{number}.html", shape(1), HOST)
    assert budget.limit_reached(shape(1), HOST) == "budget_spent"
    assert budget.limit_reached(shape(2), HOST) is None


def test_a_site_of_a_thousand_patterns_costs_a_twentieth_of_its_pages(
    budget: FetchBudget,
) -> None:
    asked = 0
    for number in range(1_000):
        budget.count_page(HOST)
        while budget.limit_reached(shape(number), HOST) is None:
            budget.count_fetch(str(asked), shape(number), HOST)
            asked += 1
    assert budget.limit_reached(shape(0), "b.example") == "budget_spent"  # of the template
    assert budget.limit_reached("http://b.example/0", "b.example") is None
    assert asked == FREE_FETCHES + MAX_SHARE * 1_000


def test_what_the_crawl_used_itself_costs_nothing(budget: FetchBudget) -> None:
    for number in range(FREE_FETCHES):
        budget.count_fetch("u", shape(number), HOST)
    assert budget.limit_reached(shape(99), HOST) == "host_spent"
    budget.refund_fetch(HOST)
    assert budget.limit_reached(shape(99), HOST) is None


def test_failures_in_a_row_end_the_asking_and_an_answer_breaks_the_row(
    budget: FetchBudget,
) -> None:
    def end_of_row() -> str | None:
        return budget.limit_reached(shape(1), HOST)

    for _ in range(MAX_FAILURES - 1):
        budget.count_failure(HOST)
    budget.count_response(HOST, 404)
    for status in (500, 503, 429, 403)[: MAX_FAILURES - 1]:
        budget.count_response(HOST, status)
    assert end_of_row() is None
    budget.count_response(HOST, 429)
    assert end_of_row() == "host_given_up"
    assert budget.limit_reached("http://b.example/0", "b.example") is None


def test_what_was_refused_makes_its_like_suspect_for_its_template_alone(
    budget: FetchBudget,
) -> None:
    budget.add_suspect(f"http://{HOST}/n/2024/8812.html", shape(1))
    assert "n/2024/4.html" in budget.suspects(shape(1))
    assert "n/2024/4.html" not in budget.suspects(shape(2))


def test_pages_of_the_crawl_are_tried_a_few_times(budget: FetchBudget) -> None:
    for _ in range(MAX_TRIES):
        assert budget.may_try(shape(1))
        budget.count_try(shape(1))
    assert not budget.may_try(shape(1))
    assert budget.may_try(shape(2))


def test_the_oldest_template_is_forgotten_first() -> None:
    budget = FetchBudget(max_fetches=1, max_templates=2)
    for number in (1, 2, 3):
        budget.count_fetch("u", shape(number), HOST)
    assert budget.limit_reached(shape(3), HOST) == "budget_spent"
    assert budget.limit_reached(shape(1), HOST) is None
