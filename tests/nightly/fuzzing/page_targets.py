"""Targets of the method: single pages, siblings, explanations, metadata."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.nightly.fuzzing.mutations import mutate_page
from tests.nightly.fuzzing.page_checks import (
    check_formats,
    check_html,
    check_record,
    check_same,
    check_text,
)
from tests.nightly.fuzzing.page_maker import encode, make_bytes, make_page, make_text
from tests.nightly.fuzzing.target import Case, Target, expect
from tests.nightly.fuzzing.texts import LANGUAGES, ODD_CHARSETS, ODD_URLS, sentence
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.method_names import DENOISERS, EXTRACTORS, FAVORS
from webclean_scrapy.errors import NotHtmlError, PageError, PageTooLargeError
from webclean_scrapy.keywords.interest_profile import InterestProfile
from webclean_scrapy.keywords.ranker import METHODS

if TYPE_CHECKING:
    from random import Random

_PROFILE = InterestProfile((("ferry", 2.0), ("bridge", 1.5), ("渡轮", 1.0)), 3)


def _values(draw: Random) -> dict[str, Any]:
    """Return a URL, a charset and the options of a cleaner: mostly its defaults."""
    options: dict[str, Any] = {}
    if draw.random() < 0.5:
        options["extractor"] = draw.choice(EXTRACTORS)
        options["denoise"] = draw.choice(DENOISERS)
        options["favor"] = draw.choice(FAVORS)
        options["link_blocks"] = draw.random() < 0.7
        if options["extractor"] == "lcs" and options["denoise"] == "off":
            options["denoise"] = "lcs"
    if draw.random() < 0.15:
        options["keyword_method"] = draw.choice(METHODS)
    if draw.random() < 0.1:  # the limits at which a page is read without a parser
        options["max_body_bytes"] = draw.choice((1, 300, 3_000))
        options["max_tags"] = draw.choice((1, 20, 200))
    url = draw.choice(("", "http://a.example/news/2026/a-b-c.html", draw.choice(ODD_URLS)))
    charset = draw.choice(ODD_CHARSETS) if draw.random() < 0.1 else None
    return {"url": url, "charset": charset, "options": options, "interest": draw.random() < 0.1}


def _page(draw: Random) -> Case:
    data, charset = make_bytes(draw)
    values = _values(draw)
    values["charset"] = values["charset"] or charset
    return Case(files={"page.html": data}, values=values)


def _cleaner(case: Case) -> Cleaner:
    profile = _PROFILE if case.values["interest"] else None
    return Cleaner(CleanConfig(interest_profile=profile, **case.values["options"]))


def _run_page(case: Case) -> None:
    """Clean a page in every form of output, and again after other pages."""
    cleaner, values = _cleaner(case), case.values
    arguments = case.files["page.html"], values["url"] or None
    try:
        page = cleaner.clean(*arguments, charset=values["charset"])
    except PageError as error:
        _check_refusal(error, case)
        return
    record = check_record(page)
    check_text(page)
    check_html(page)
    check_formats(page)
    if not values["options"] and not values["interest"]:
        again = _after_others().clean(*arguments, charset=values["charset"])
        check_same(_without_siblings(record), _without_siblings(again.to_dict()), "after others")


def _check_refusal(error: PageError, case: Case) -> None:
    expect(isinstance(error, NotHtmlError | PageTooLargeError), f"refused with {error!r}")
    expect(error.reason in {"not_html", "too_large"}, f"reason {error.reason}")
    expect("\n" not in str(error), "the reason has several lines")


@cache
def _after_others() -> Cleaner:
    """Return a cleaner that learns nothing, shared by all executions of this process."""
    return Cleaner(CleanConfig(denoise="off"))


def _without_siblings(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in record if name not in {"denoised", "sibling_url"}}


def _siblings(draw: Random) -> Case:
    """Return pages of one template, each mutated a little: the page and one to three others."""
    language, shell = draw.choice(LANGUAGES), draw.getrandbits(32)
    files = {}
    for name in ("page", "one", "two", "three")[: draw.randint(2, 4)]:
        made = make_page(type(draw)(shell), language)
        text = made.replace("</h1>", f"</h1><p>{sentence(draw, language) * 3}</p>")
        if draw.random() < 0.6:
            text = mutate_page(draw, text, lambda: make_text(draw))
        data = text.encode("utf-8", "replace")
        files[f"{name}.html"] = encode(draw, text)[0] if draw.random() < 0.2 else data
    values = _values(draw)
    values["charset"] = None
    return Case(files=files, values=values)


def _address(name: str) -> str:
    return f"http://a.example/news/2026/{name.partition('.')[0]}-of-the-day.html"


def _run_siblings(case: Case) -> None:
    """Clean a page with its siblings; save and load must not change the templates."""
    page, *others = case.files.items()
    siblings = [(data, _address(name)) for name, data in others]
    cleaner = _cleaner(case)
    try:
        first = cleaner.clean(page[1], _address(page[0]), siblings)
    except PageError as error:
        _check_refusal(error, case)
        return
    check_text(first)
    check_record(first)
    for data, url in siblings:
        with suppress(NotHtmlError, PageTooLargeError):
            cleaner.clean(data, url)
    if cleaner.config.learns:
        _check_saved(case, cleaner)


def _check_saved(case: Case, cleaner: Cleaner) -> None:
    """Raise BrokenError if save and load change the templates."""
    name, data = next(iter(case.files.items()))
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first.json"), Path(folder, "second.json")
        cleaner.save(first)
        loaded, again = _cleaner(case), _cleaner(case)
        loaded.load(first)
        loaded.save(second)
        again.load(second)
        expect(first.read_bytes() == second.read_bytes(), "a file changes by a load and a save")
    records = [one.clean(data, _address(name)).to_dict() for one in (cleaner, loaded, again)]
    check_same(records[1], records[2], "after a second save and load")
    aligned = "aligned" in {records[0]["denoised"], records[1]["denoised"]}
    if not aligned and not cleaner.config.keeps_trees:
        check_same(records[0], records[1], "after a save and a load")  # trees are not saved


PAGE_TARGETS = (
    Target(name="page", share=3.0, make=_page, run=_run_page),
    Target(name="siblings", share=0.5, make=_siblings, run=_run_siblings, most_s=4.0),
)
