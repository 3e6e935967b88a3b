from __future__ import annotations

from webclean_scrapy.crawl.siblings.fetch_budget import FetchBudget

HOST = "a.example"


def shape(number: int) -> str:
    return f"http://{HOST}/{number}/0.html"


def test_the_oldest_template_is_forgotten_first() -> None:
    budget = FetchBudget(max_fetches=1, max_templates=2)
    for number in (1, 2, 3):
        budget.template(shape(number)).fetched.add("u")
    assert budget.limit_reached(shape(3), HOST) == "webclean/sibling/budget_spent"
    assert budget.limit_reached(shape(1), HOST) is None
