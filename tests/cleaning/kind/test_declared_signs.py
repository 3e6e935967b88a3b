import pytest

from tests.reading import PARAGRAPH, page_of, trace_of
from webclean_scrapy.cleaning.kind.page_signs import (
    DECLARED,
    LINKS,
    address_signs,
    declared_signs,
    link_signs,
)
from webclean_scrapy.cleaning.metadata.head import Head


def declared(head: Head) -> set[str]:
    return {name for name, value in declared_signs(head).items() if value}


def addressed(url: str | None) -> set[str]:
    return {name for name, value in address_signs(url).items() if value == 1.0}


@pytest.mark.parametrize(
    ("head", "signs"),
    [
        (Head(types=("NewsArticle",)), {"declared an article"}),
        (Head(og_type="product.item"), {"declared a product"}),
        (Head(types=("CollectionPage",)), {"declared a list"}),
        (Head(types=("QAPage", "Question")), {"declared a discussion"}),
        (Head(types=("FAQPage", "Question")), set()),
        (Head(titles=("Why do eels climb?",)), {"title is a question"}),
        (Head(authors=("Ann",)), {"declared authors"}),
    ],
)
def test_what_a_head_declares(head: Head, signs: set[str]) -> None:
    assert declared(head) == signs
    assert set(declared_signs(head)) == set(DECLARED)


@pytest.mark.parametrize(
    ("path", "sign"),
    [
        ("/forum/eels", "address of a forum"),
        ("/products/brass-bell", "address of a product"),
        ("/docs/tides", "address of documentation"),
        ("/2026/03/04/pier", "date in the address"),
        ("/", "address of a site"),
        ("/a?id=4", "query in the address"),
        ("/a/88120.html", "number in the address"),
    ],
)
def test_what_an_address_says(path: str, sign: str) -> None:
    assert sign in addressed(f"https://a.example{path}")


URL = "https://a.example/book/tides.html"


def sign(links: str, name: str, url: str | None = URL) -> float:
    trace = trace_of(page_of(links, url=url))
    signs = link_signs(trace.evidence, trace.body)
    assert set(signs) == set(LINKS)
    return signs[name]


def test_links_to_places_of_the_page_are_counted_and_buttons_are_not() -> None:
    links = "<a href=#one>One</a><a href=#>Menu</a><a href=/b>Two</a><a href=#two>Three</a>"

    assert sign(links, "links to places on the page") == pytest.approx(0.5)


def test_each_member_counts_once() -> None:
    links = "".join(
        f"<a href=/{n}>x</a>" for n in ("User/ann", "User/ann", "members/lee", "uses/x")
    )

    assert sign(links, "links to members") == pytest.approx(2 / 6)


@pytest.mark.parametrize(
    ("href", "below"),
    [
        ("waves.html", True),
        ("/book/waves.html", True),
        ("https://a.example/book/waves.html", True),
        ("/news/waves.html", False),
        ("javascript:void(0)", False),
    ],
)
def test_links_into_the_directory_of_the_page(href: str, below: bool) -> None:
    link, name = f'<a href="{href}">Waves</a>', "links to pages below"

    assert sign(link, name) == float(below)
    assert sign(link, name, "https://a.example/tides.html") == 0.0  # a root is no directory


def test_buttons_that_share_a_page_hand_its_address_to_another_site() -> None:
    link, name = "<a href='https://{}/?u=https%3A%2F%2Fa.example'>", "links that hand an address on"

    assert sign(link.format("net.example"), name) == pytest.approx(1 / 3)
    assert sign(link.format("a.example"), name) == 0.0


def test_links_to_sign_up_and_to_call_ask_the_reader_to_be_a_customer() -> None:
    name = "links to sign up, ask or call"
    asks = ("/sign-up", "/sign-up", "/contact?from=a", "tel:123", "mailto:quay@a.example")
    others = ("mailto:?subject=Tides", "/contacts-of-whales", "/tides")

    assert sign("".join(f"<a href='{href}'>x</a>" for href in asks), name) == pytest.approx(4 / 7)
    assert sign("".join(f"<a href='{href}'>x</a>" for href in others), name) == 0.0


def test_what_the_body_asks_and_where_it_leads_is_told_from_the_rest_of_the_page() -> None:
    asks = "<a href=/sign-up>Join us</a>"
    away = "<a href=https://b.example/tides>The tables</a>"
    text = f"<div>{PARAGRAPH}{{}}{PARAGRAPH}</div>"
    asking, leading = (
        "links to sign up, ask or call in the body",
        "links to other sites in the body",
    )

    assert sign(text.format(f"<p>{asks}</p>"), asking) == pytest.approx(1 / 3)
    assert sign(text.format("") + f"<footer>{asks}</footer>", asking) == 0.0
    assert sign(text.format(PARAGRAPH.replace("<p>", f"<p>{away} ")), leading) == pytest.approx(
        0.25
    )
    assert sign(text.format("") + f"<footer>{away}</footer>", leading) == 0.0


@pytest.mark.parametrize(
    ("href", "is_cart"),
    [("/shopping-cart", True), ("/?add-to-cart=4", True), ("/cartoon", False), ("/tides", False)],
)
def test_shops_lead_to_a_cart(href: str, is_cart: bool) -> None:
    assert sign(f"<a href='{href}'>x</a>", "links to a cart") is is_cart


@pytest.mark.parametrize(
    "href", ["/book/tides.html", "tides.html", "https://a.example/book/tides.html?a"]
)
def test_a_menu_leads_to_the_page_itself(href: str) -> None:
    name, link = "links to itself in a menu", f"<a href='{href}'>Tides</a>"

    assert sign(f"<nav>{link}</nav>", name)
    assert not sign(f"<h1>{link}</h1>", name)
    assert not sign(f"<nav>{link}</nav>", name, "https://b.example/other/waves.html")
    assert not sign(f"<nav>{link}</nav>", name, None)
    assert not sign("<nav><a href=/>Home</a></nav>", name, "https://a.example/")
