from __future__ import annotations

from itertools import islice

from benchmarks import templates
from benchmarks.data import Page, load_demo
from benchmarks.templates import Costs, costs_section, measure_costs
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.page.guard import GuardConfig
from webclean_scrapy.cleaning.page.parsed_page import parse_page
from webclean_scrapy.cleaning.page.raw_page import RawPage

PAGES = load_demo()
PARTS = ("read", "sibling", "keys", "learn", "align", "use", "use_lcs", "memory", "memory_lcs")


def pages_with_siblings(count: int) -> dict[str, Page]:
    found = ((key, page) for key, page in PAGES.items() if page.kind == "article" and page.siblings)
    chosen = dict(islice(found, count))
    near = {key: PAGES[key] for page in list(chosen.values()) for key in page.siblings[:1]}
    return chosen | near


def test_every_part_is_measured_on_every_page() -> None:
    costs = measure_costs(pages_with_siblings(2))

    assert {len(getattr(costs, part)) for part in PARTS} == {len(costs.read)}
    assert costs.read
    assert all(min(getattr(costs, part)) > 0 for part in PARTS)


def test_a_known_template_is_used_without_another_alignment() -> None:
    page = next(iter(pages_with_siblings(1).values()))
    near = PAGES[page.siblings[0]]
    raw = RawPage(page.html, "https://site.example/news/1.html")
    sibling = RawPage(near.html, "https://site.example/news/2.html")
    parsed = parse_page(raw, GuardConfig())

    first = Cleaner()
    first.learn(sibling.html, sibling.url)
    known = templates._known_template(raw, [sibling])

    assert first.compare(parsed).method == "aligned"
    assert known.compare(parsed).method == "template"
    assert known.compare(parsed).aligned_texts is not None
    assert [url for one in known.templates for url in (p.url for p in one.pages)] == [sibling.url]


def test_a_page_whose_siblings_are_of_no_use_costs_nothing() -> None:
    key, page = next(iter(pages_with_siblings(1).items()))
    copy = Page(html=page.html, text="", url=None, kind="article", gold="", siblings=(key,))

    assert not measure_costs({"copy": copy, key: page}).read


def test_the_table_has_the_median_of_each_part_in_its_column() -> None:
    numbers = {part: [float(number)] * 3 for number, part in enumerate(PARTS[:7], 1)}
    costs = Costs(**numbers, memory=[1000, 2000, 9000], memory_lcs=[3000, 4000, 5000])

    head, _, row = costs_section({"demo": costs, "none": Costs()}).split("\n")

    assert [cell.strip() for cell in head.split("|")[3:8]] == [
        "read", "sibling", "keys", "learn", "align",
    ]  # fmt: skip
    assert [cell.strip() for cell in row.split("|")[1:-1]] == [
        "demo", "3", "1.00", "2.00", "3.00", "4.00", "5.00", "6.00", "7.00",
        "2.0 / 9.0", "4.0 / 5.0",
    ]  # fmt: skip
