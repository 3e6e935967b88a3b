from __future__ import annotations

import pytest

from webclean_scrapy.crawl.siblings.fetch_budget import (
    MAX_FAILURES,
    FetchBudget,
)

HOST = "a.example"


def shape(number: int) -> str:
    return f"http://{HOST}/{number}/0.html"


@pytest.fixture
def budget() -> FetchBudget:
    return FetchBudget(max_fetches=2, max_templates=3_000)


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
    assert end_of_row() == "webclean/sibling/host_given_up"
    assert budget.limit_reached("http://b.example/0", "b.example") is None


def test_the_oldest_template_is_forgotten_first() -> None:
    budget = FetchBudget(max_fetches=1, max_templates=2)
    for number in (1, 2, 3):
        budget.count_fetch("u", shape(number), HOST)
    assert budget.limit_reached(shape(3), HOST) == "webclean/sibling/budget_spent"
    assert budget.limit_reached(shape(1), HOST) is None
