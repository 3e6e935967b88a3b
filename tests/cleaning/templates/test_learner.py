from pathlib import Path
from typing import Any

import pytest

from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.result import CleanedPage
from webclean_scrapy.cleaning.templates import learner
from webclean_scrapy.cleaning.templates.alignment import AlignConfig, FeatureTree, build_features
from webclean_scrapy.cleaning.templates.learner import MAX_WAITING

STORIES = [
    "The bridge of the northern harbour is closed for repairs until the first week of May.",
    "Forty singers of the town choir travelled to the coast and sang for two hours there.",
    "Nine old lime trees along the market street were cut last Monday, and some fell by night.",
    "The mayor opened the new school in the east, with two hundred pupils and nine teachers.",
    "Snow fell for three days in the hills, so that no train could leave the upper valley.",
]
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
NAMES = ("css-xk", "css-qv", "css-hd", "css-bw", "css-zt")  # of the bodies, made anew for each page
NOTE = "Trains on the coast line run every twenty minutes, and the last one leaves at midnight."


def page(number: int, name: str = "story") -> bytes:
    lines = [f"<p>{STORIES[number]} It was the {n} report of it.</p>" for n in ORDINALS]
    story = "".join([*lines[:3], f"<p>{NOTE}</p>", *lines[3:]])
    return (
        f"<title>Story {number}</title><body><div class=menu><a href=/>Home</a></div>"
        f"<h1>Story {number}</h1><div class={name}>{story}</div>"
        "<div class=foot><p>Imprint and contact of the office.</p></div>"
    ).encode()


def url(number: int) -> str:
    return f"http://a.example/news/{number}.html"


def denoised(cleaner: Cleaner, numbers: range) -> list[str | None]:
    return [cleaner.clean(page(n), url(n)).denoised for n in numbers]


@pytest.mark.parametrize(
    ("denoise", "how"),
    [
        ("template", [None, "aligned", "known", "known"]),  # aligned once
        ("lcs", [None, "lcs", "lcs"]),
        ("off", [None, None, None]),
    ],
)
def test_how_the_pages_of_a_template_are_compared(denoise: str, how: list[str | None]) -> None:
    assert denoised(Cleaner(CleanConfig(denoise=denoise)), range(len(how))) == how


def test_pages_too_large_to_be_aligned_are_compared_by_keys_and_not_tried_again() -> None:
    cleaner = Cleaner(CleanConfig(align=AlignConfig(max_cells=3)))
    assert denoised(cleaner, range(3)) == [None, "template", "known"]
    assert all(page.features is None for page in next(iter(cleaner.templates)).pages[1:])


def test_the_tree_of_a_page_is_built_when_another_of_its_template_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built: list[int] = []

    def build(table: PageTable, *more: Any) -> FeatureTree:
        built.append(len(table))
        return build_features(table, *more)

    monkeypatch.setattr(learner, "build_features", build)
    cleaner = Cleaner()
    for number in range(MAX_WAITING + 2):
        assert cleaner.clean(page(0), f"http://{number}.example/news/0.html").denoised is None
    assert not built
    others = [f"http://{number}.example/news/1.html" for number in (0, MAX_WAITING + 1)]
    how = [cleaner.clean(page(1), other).denoised for other in others]
    assert how == ["template", "aligned"]  # so many wait that the first one does no more
    assert len(built) == 2


@pytest.mark.parametrize("saved", [False, True])
def test_what_the_alignment_paired_is_known_on_later_pages(tmp_path: Path, saved: bool) -> None:
    cleaner = Cleaner()
    for number, name in enumerate(NAMES[:4]):
        cleaner.clean(page(number, name), url(number))
    if saved:
        cleaner.save(tmp_path / "templates")
        cleaner = Cleaner()
        cleaner.load(tmp_path / "templates")
    cleaned = cleaner.clean(page(4, NAMES[4]), url(4))

    assert cleaned.denoised == "template"
    assert NOTE in repeated_texts(cleaned)
    assert not any("report of it" in text for text in repeated_texts(cleaned))


def repeated_texts(cleaned: CleanedPage) -> set[str]:
    template = cleaned.trace.comparison.template
    assert template is not None
    lines = zip(cleaned.trace.page.table.lines.text, template.repeated.tolist(), strict=True)
    return {text for text, is_repeated in lines if is_repeated}
