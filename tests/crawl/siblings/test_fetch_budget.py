from __future__ import annotations

import pytest

from webclean_scrapy.crawl.siblings.fetch_budget import (
    FREE_FETCHES,
    MAX_FAILURES,
    MAX_SHARE,
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
        budget.host(HOST).pages += 1
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
    budget.host(HOST).unused -= 1
    assert budget.limit_reached(shape(99), HOST) is None


def test_failures_in_a_row_end_the_asking_and_an_answer_breaks_the_row(
    budget: FetchBudget,
) -> None:
    def end_of_row() -> str | None:
        return budget.limit_reached(shape(1), HOST)

    for _ in range(MAX_FAILURES - 1):
        budget.host(HOST).failures += 1
    budget.host(HOST).count_response(404)
    for status in (500, 503, 429, 403)[: MAX_FAILURES - 1]:
        budget.host(HOST).count_response(status)
    assert end_of_row() is None
    budget.host(HOST).count_response(429)
    assert end_of_row() == "host_given_up"
    assert budget.limit_reached("http://b.example/0", "b.example") is None


def test_the_oldest_template_is_forgotten_first() -> None:
    budget = FetchBudget(max_fetches=1, max_templates=2)
    for number in (1, 2, 3):
        budget.count_fetch("u", shape(number), HOST)
    assert budget.limit_reached(shape(3), HOST) == "budget_spent"
    assert budget.limit_reached(shape(1), HOST) is None
