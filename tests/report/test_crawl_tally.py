import json
import random

import pytest

from tests.report.crawl_reports import fill_tally
from webclean_scrapy.report.crawl_tally import LIMITS, Rows, shown_host
from webclean_scrapy.safe_text import shown_url


@pytest.mark.parametrize(
    ("url", "shown", "host"),
    [
        ("http://a.example:80/x?y#z", "http://a.example:80/x?y#z", "a.example:80"),
        ("https://me:pa@ss@A.example/b@c", "https://A.example/b@c", "a.example"),
        ("https://a.example/@user/1", "https://a.example/@user/1", "a.example"),
        ("https://a.example?to=http://b:c@d/", "https://a.example?to=http://d/", "a.example"),
        ("http://a.example/\x1b[31m\n\u202e", "http://a.example/\\x1b[31m\\n\\u202e", "a.example"),
        ("data:text/html,<p>a", "data:text/html,<p>a", ""),
        ("", "", ""),
    ],
)
def test_addresses_are_shown_without_logins_on_one_line(url: str, shown: str, host: str) -> None:
    assert shown_url(url) == shown
    assert shown_host(url) == host


def test_of_many_names_the_largest_stay_and_the_rest_is_counted() -> None:
    rows, chance = Rows(10, ("items",)), random.Random(1)
    names = [f"rare {n}" for n in range(5_000)] + [f"often {n % 5}" for n in range(2_000)]
    chance.shuffle(names)
    for name in names:
        rows.add(name, {"size": 1, "items": 2})
        assert len(rows) <= 20
    data = rows.to_data()
    assert len(data["rows"]) == 10
    assert {row["name"] for row in data["rows"][:5]} == {f"often {n}" for n in range(5)}
    assert all(row["items"] == 2 * row["size"] for row in data["rows"])
    assert data["left_out"] > 4_000


def test_what_is_kept_does_not_grow_with_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("hosts", "shapes", "copies"):
        monkeypatch.setitem(LIMITS, name, 50)

    def odd_url(number: int) -> str:
        return f"https://h{number}.example/{'d' * (number % 400)}/{number:x}/page-{number}"

    tally = fill_tally(2_000, odd_url)
    for rows in (tally.hosts, tally.shapes, tally.copies):
        assert len(rows) <= 100
    assert tally.to_data()["hosts"]["left_out"] >= 1_900
    assert len(json.dumps(tally.to_data())) < 130_000
