"""The lead of an article, between its headline and its first line."""

import pytest

from webclean_scrapy import clean

TITLE = "Rotten piles close half of the harbour"
DECK = (
    "The fleet must share one quay until divers have replaced the posts below the old customs house"
)
TEXT = "".join(
    f"<p>Paragraph {number} says what the divers found below the quay and who will pay for it.</p>"
    for number in range(7)
)


def read(head: str, around: str = "<main>{}</main>"):  # type: ignore[no-untyped-def]
    body = around.format(f"<header><h1>{TITLE}</h1>{head}</header><div>{TEXT}</div>")
    page = f"<html><head><title>{TITLE} | The Ledger</title></head><body>{body}</body></html>"
    return clean(page, url="http://ledger.example/news/piles")


@pytest.mark.parametrize(
    ("head", "around"),
    [
        (f"<p>{DECK}</p>", "<main>{}</main>"),
        (f"<p>{DECK}.</p>", '<main class="relative">{}</main>'),
        (f"<p>{DECK}.</p>", '<article class="newsletter-post">{}</article>'),
        (
            f"<div class=byline>By Ann Lee</div><time>12 March 2026</time><p>{DECK}.</p>",
            "<main>{}</main>",
        ),
        (f'<p class="excerpt">{DECK}.</p>', "<main>{}</main>"),
    ],
)
def test_the_paragraph_below_the_headline_is_text(head: str, around: str) -> None:
    assert read(head, around).text.splitlines()[0].startswith(DECK)


def test_a_lead_that_is_marked_up_as_a_heading_is_a_paragraph() -> None:
    assert f"<p>{DECK}</p>" in read(f"<h2>{DECK}</h2>").html


@pytest.mark.parametrize("counter", ["1/3", "Image 4 of 5", "0:24"])
def test_what_counts_pictures_is_no_text(counter: str) -> None:
    page = f"<h1>{TITLE}</h1>{TEXT}<div>{counter}</div>{TEXT}"
    assert counter not in clean(page).text
