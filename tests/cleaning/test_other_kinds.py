"""Pages that are not articles are read with weights of their own kind."""

import pytest

from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.kind.page_kind import Kind

# The constants of the package, by value: a change of one fails here.
LIKELY = 0.8

ANSWERS = (
    "The hinges on mine seized after one winter, so I took them off and soaked them in oil.",
    "Grease them twice a year and they will last. I have had the same pair since 1998.",
    "Mine came from the yard at the old quay, they still sell them by the pair.",
)
POSTS = "".join(
    f"<div class='post comment' id=p{number}><a href='/members/{name}'>{name}</a>"
    f"<span>{number + 3} May 2024, 1{number}:20</span><div class=message><p>{text}</p></div>"
    "<a href='#reply'>Reply</a></div>"
    for number, (name, text) in enumerate(zip(("ann", "bob", "cleo"), ANSWERS, strict=True))
)
FORUM = (
    "<html><head><title>Rusty hinges on the boat shed | Quay forum</title>"
    "<meta property='og:type' content='website'><script type='application/ld+json'>"
    '{"@type": "DiscussionForumPosting", "headline": "Rusty hinges on the boat shed"}</script>'
    "</head><body><nav><a href='/forum/'>Forum</a><a href='/members/'>Members</a></nav>"
    f"<h1>Rusty hinges on the boat shed</h1><div class=thread>{POSTS}</div>"
    "<form><textarea name=reply></textarea><button>Post reply</button></form></body></html>"
)
BERTHS = [f"Berth {number} at the north quay, with power and water" for number in range(1, 13)]
CARDS = "<ul class=results>" + "".join(
    f"<li class=card><a href='/berths/{number}'><img src='{number}.jpg'>{name}</a>"
    f"<span>{number * 7} m</span><span>€ {number * 90}</span></li>"
    for number, name in enumerate(BERTHS, 1)
)
LISTING = (
    "<html><head><title>Berths to let</title></head><body><nav><a href='/'>Home</a></nav>"
    f"<h1>Berths to let</h1>{CARDS}</ul>"
    "<footer><p>Harbour office, open on weekdays.</p></footer></body></html>"
)


def test_the_posts_of_a_forum_are_its_text() -> None:
    page = Cleaner().clean(FORUM, "https://quay.example/forum/thread-71")

    assert page.kind == "forum"
    assert all(text in page.text for text in ANSWERS)
    assert "Post reply" not in page.text


def test_the_entries_of_a_list_are_its_text() -> None:
    page = Cleaner().clean(LISTING, "https://quay.example/berths/")

    assert page.kind == "listing"
    assert all(name in page.text for name in BERTHS)


def test_cards_of_other_products_are_not_the_text_of_a_product() -> None:
    product = "<title>Mooring buoy</title><meta property=og:type content=product>"
    product += "<h1>Mooring buoy</h1><p>€ 40</p>"
    text = "".join(f"<p>{answer}</p>" for answer in ANSWERS)
    html = f"{product}<div>{text}{CARDS}</ul>{text.replace('I', 'We')}</div>"
    page = Cleaner().clean(html, "https://quay.example/products/buoy")

    assert page.kind == "product"
    assert all(text in page.text for text in ANSWERS)
    assert not any(name in page.text for name in BERTHS)


@pytest.mark.parametrize(
    ("name", "article", "listing", "is_read"),
    [
        ("article", 0.9, 0.1, True),
        ("article", 0.3, LIKELY, True),
        ("article", 0.18, 0.82, False),
        ("listing", 0.1, 0.2, False),
        ("other", 0.0, 0.2, True),
    ],
)
def test_a_page_is_read_as_an_article_where_no_other_kind_is_likely(
    name: str, article: float, listing: float, is_read: bool
) -> None:
    kind = Kind(name, 0.5, "", {"article": article, "listing": listing, "other": 0.0})

    assert kind.is_read_as_article is is_read
