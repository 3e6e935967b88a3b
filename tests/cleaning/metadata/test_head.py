import json

import pytest

from tests.growth import assert_linear
from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.head import Head, marked_elements, read_head, with_marked
from webclean_scrapy.cleaning.page.parse import parse as parse_root
from webclean_scrapy.cleaning.page.table import PageTable
from webclean_scrapy.cleaning.page.walk import Elements


def parse(html: str) -> Elements:
    return Elements(parse_root(html))


def head(html: str, opening: str = "<html>") -> Head:
    return read_head(parse(f"{opening}<head>{html}</head><body><p>Text.</p></body></html>"))


def meta(name: str, content: str, key: str = "property") -> str:
    return f'<meta {key}="{name}" content="{content}">'


def test_titles_come_in_order_of_trust_each_once() -> None:
    html = (
        "<title>Ferry late - Harbour Post</title>"
        + meta("twitter:title", "Ferry is late", "name")
        + '<script type="application/ld+json">{"@type":"Article","headline":"Ferry late"}</script>'
        + meta("og:title", "Ferry  late")
    )

    assert head(html).titles == ("Ferry late", "Ferry is late", "Ferry late - Harbour Post")


def test_language_site_address_and_type_are_read() -> None:
    html = (
        meta("og:site_name", "Harbour Post")
        + meta("og:type", "article")
        + meta("description", "What came late.", "name")
        + '<link rel="stylesheet" href="/x.css"><link rel="Canonical" href=" /ferry ">'
    )

    found = head(html, '<html lang=" en-GB ">')

    assert (found.site_name, found.og_type, found.lang) == ("Harbour Post", "article", "en-GB")
    assert (found.canonical, found.description) == ("/ferry", "What came late.")


@pytest.mark.parametrize(
    "tag",
    [
        meta("article:published_time", "2026-02-03T04:05:06Z"),
        meta("datePublished", "2026-02-03T04:05:06Z", "itemprop"),
        """<script type="application/ld+json; charset=utf-8">
        {"@type":"WebPage","datePublished":"2026-02-03T04:05:06Z"}</script>""",
    ],
)
def test_the_time_of_publication_is_read_as_written(tag: str) -> None:
    assert head(tag).published == ("2026-02-03T04:05:06Z",)


def test_outlet_and_publisher_are_read_from_meta_tags() -> None:
    found = head(meta("contentSource", "Amber Wire", "name") + meta("DC.Publisher", "Post", "name"))
    assert (found.sources, found.publishers) == (("Amber Wire",), ("Post",))


def test_the_name_of_the_site_in_json_ld_is_read() -> None:
    site = '{"@graph": [{"@type": "WebSite", "name": "Harbour Post"}, {"@type": "WebPage"}]}'
    block = f'<script type="application/ld+json">{site}</script>'

    assert head(block).site_name == "Harbour Post"
    assert head(block + meta("og:site_name", "The Post")).site_name == "The Post"


def test_json_ld_in_the_body_counts() -> None:
    root = parse(
        "<p>x</p><script type='application/ld+json'>"
        '{"@type":["Thing","https://schema.org/BlogPosting"],"articleBody":"All &amp; of it.",'
        '"description":"Late.",'
        '"author":[{"name":"Ann Lee"},"Bo Ek"],"keywords":["sea","ships"],'
        '"publisher":{"@type":"Organization","name":"Harbour Post"}}</script>'
    )

    found = read_head(root)

    assert found.types == ("Thing", "BlogPosting")
    assert (found.article_bodies, found.description) == (("All & of it.",), "Late.")
    assert found.authors == ("Ann Lee", "Bo Ek")
    assert found.keywords == ("sea", "ships")
    assert found.site_name == "Harbour Post"


def graph(*nodes: str) -> str:
    return f'<script type="application/ld+json">{{"@graph":[{",".join(nodes)}]}}</script>'


def test_an_author_is_followed_to_the_person_it_refers_to() -> None:
    found = head(
        graph(
            '{"@type":"Article","author":{"@id":"#ann"},"image":{"@id":"#pier"}}',
            '{"@type":["Person"],"@id":"#ann","name":"Ann Lee"}',
            '{"@type":"ImageObject","@id":"#pier","url":"/pier.jpg"}',
        )
    )

    assert found.authors == found.persons == ("Ann Lee",)
    assert found.images == ("/pier.jpg",)


def test_the_author_of_the_page_counts_when_no_article_has_one() -> None:
    page = '{"@type":"MedicalWebPage","author":{"@type":"Person","name":"Ann Lee"}}'
    other = '{"@type":"ClaimReview","author":{"@type":"Person","name":"Teaser Ted"}}'
    article = '{"@type":"Article","author":{"@type":"NewsMediaOrganization","name":"Post"}}'

    assert head(graph(page, other)).persons == ("Ann Lee",)
    assert head(graph(page, article)).persons == ()
    assert head(graph(page, article)).organizations == ("Post",)


def test_pictures_and_the_time_of_change_are_read_as_written() -> None:
    found = head(
        meta("og:image", "/pier.jpg")
        + meta("twitter:image", "/pier.jpg", "name")
        + meta("article:modified_time", "2026-02-04")
        + graph(
            '{"@type":"Article","dateModified":"2026-02-05",'
            '"image":["/bay.jpg",{"@type":"ImageObject","url":"/sea.jpg"}]}'
        )
    )

    assert found.images == ("/pier.jpg", "/bay.jpg", "/sea.jpg")
    assert found.modified == ("2026-02-05", "2026-02-04")


def test_a_page_of_meta_tags_is_read_up_to_a_limit() -> None:
    def page(size: int) -> Elements:
        return parse("".join(meta("author", f"A{number}", "name") for number in range(size)))

    assert len(read_head(page(3_000)).authors) == 2_000
    assert_linear(read_head, page, 2_000)


def test_types_are_read_from_microdata_of_elements_that_can_hold_a_page() -> None:
    head = read_head(
        parse(
            "<html itemscope itemtype='https://schema.org/QAPage'><body>"
            "<div itemtype=http://schema.org/Question><span itemtype=http://schema.org/Person>"
            "</span></div><section itemtype='https://schema.org/Answer/'>x</section>"
        )
    )

    assert set(head.marked_types) == {"QAPage", "Question", "Answer"}
    assert head.types == ()


@pytest.mark.parametrize(
    ("html", "authors"),
    [
        ("<span itemprop=author>Ann  Lee</span>", ("Ann Lee",)),
        ("<a rel=author href=/ann>Ann Lee</a>", ("Ann Lee",)),
        ("<div itemprop=author>By <b itemprop=name>Ann Lee</b>, staff</div>", ("Ann Lee",)),
        ("<meta itemprop=author content='Ann Lee'>", ("Ann Lee",)),
        ("<p><a rel=author>Ann Lee</a> and <a rel=author>Bo Ek</a></p>", ("Ann Lee", "Bo Ek")),
        ("<p><a rel=author>Ann Lee</a></p><p><a rel=author>Teaser Ted</a></p>", ("Ann Lee",)),
        ("<div itemprop=comment><b itemprop=author>Troll</b></div>", ()),
        ("<i itemprop=author></i><p itemprop=author>Ann Lee</p>", ("Ann Lee",)),
        (f"<p itemprop=author>{'long ' * 100}</p>", ()),
    ],
)
def test_the_first_marked_author_and_those_beside_it(html: str, authors: tuple[str, ...]) -> None:
    page = f"<body>{html}</body>"
    head = read_head(parse(page))

    assert with_marked(head, marked_elements(table_of(page))).authors == authors


RDFA = """<div typeof="Article"><span property="schema:author" typeof="Person">By
<b property="schema:name">Ann Lee</b></span><time property="datePublished" datetime="2026-02-03">Tue
</time><i property="dc:modified" content="2026-02-04">Wed</i></div>"""


def test_properties_of_rdfa_are_those_of_microdata() -> None:
    page = f"<html><body>{RDFA}<p>Text.</p></body></html>"
    found = with_marked(Head(), marked_elements(table_of(page)))
    assert (found.authors, found.published, found.modified) == (
        ("Ann Lee",),
        ("2026-02-03",),
        ("2026-02-04",),
    )


def test_dates_and_publishers_are_read_from_attributes_and_text() -> None:
    table = table_of(
        "<time itemprop=datePublished datetime='2026-02-03T04:05'>Tuesday</time>"
        "<div itemprop=publisher><img><meta itemprop=name content='Harbour Post'></div>"
    )

    head = Head(published=("2026-02-03T04:05",), publishers=("Harbour Post",))
    assert with_marked(Head(), marked_elements(table)) == head


@pytest.mark.parametrize("unit", ["<p itemprop=author>x", "<i itemprop=author>", "<a rel=author>"])
@pytest.mark.parametrize(("ends", "size"), [("", 230), ("</p></i></a>", 600)])
def test_a_page_of_marks_takes_time_in_proportion(unit: str, ends: str, size: int) -> None:
    def work(table: PageTable) -> None:
        with_marked(Head(), marked_elements(table))

    assert_linear(work, lambda size: table_of(f"{unit}{ends}" * size), size)


def test_numbers_of_json_ld_are_dates() -> None:
    node = '{"@type":"Article","headline":2026,"datePublished":1770091506,"dateModified":true}'
    head = read_head(parse(f"<script type='application/ld+json'>{node}</script>"))

    assert (head.published, head.modified, head.titles) == (("1770091506",), (), ())


@pytest.mark.parametrize(
    "tag",
    [
        meta("dcterms:creator", "Ann Lee"),
        meta("DC:Creator", "Ann Lee", "name"),
        meta("schema:author", "Ann Lee"),
        meta("og:article:author article:author", "Ann Lee"),
        meta("author twitter:creator", "Ann Lee", "name"),
        '<meta property="og:type" name="author" content="Ann Lee">',
        meta("article_author", "Ann Lee", "name"),
        meta("swiftype.author", "Ann Lee", "name"),
    ],
)
def test_a_meta_tag_has_several_names_and_prefixes(tag: str) -> None:
    assert head(tag).authors == ("Ann Lee",)


@pytest.mark.parametrize(
    "name",
    ["published_at", "publishedAt", "article.published-time", "acme:pub_date", "dc.date.issued"],
)
def test_the_words_of_a_meta_name_are_parted_in_any_way(name: str) -> None:
    assert head(meta(name, "2026-02-03", "name")).published == ("2026-02-03",)


@pytest.mark.parametrize("name", ["book:author", "og:video:published_time", "comment_author"])
def test_things_beside_the_article_have_names_of_their_own(name: str) -> None:
    found = head(meta(name, "2026-02-03", "name"))
    assert (found.published, found.authors) == ((), ())


def test_the_time_of_the_server_is_no_change() -> None:
    built = meta("Last-Modified", "2026-02-03", "http-equiv")
    assert head(built + meta("last-modified", "2026-02-02", "name")).modified == ("2026-02-02",)


def test_the_page_of_json_ld_tells_its_change_where_the_article_does_not() -> None:
    page = '{"@type": "WebPage", "dateModified": "2026-06-03"}'
    film = '{"@type": "VideoObject", "dateModified": "2025-10-01"}'

    assert head(graph(film, page)).modified == ("2026-06-03",)


def test_of_several_articles_in_json_ld_that_of_the_page_counts() -> None:
    def block(headline: str, author: str, day: str) -> str:
        person = {"@type": "Person", "name": author}
        node = {"@type": "NewsArticle", "headline": headline, "author": person}
        written = json.dumps({**node, "datePublished": day})
        return f'<script type="application/ld+json">{written}</script>'

    blocks = block("Oven found", "Bo Ek", "2026-03-04") + block("Ferry late", "Ann Lee", "2026-02")
    page = head("<title>Ferry late - Harbour Post</title>" + blocks)
    assert (page.authors, page.published) == (("Ann Lee",), ("2026-02",))
    assert head("<title>Harbour Post</title>" + blocks).authors == ("Bo Ek", "Ann Lee")


def test_words_of_a_name_are_no_names() -> None:
    assert head(meta("date of printing", "2026-02-03", "name")).published == ()


@pytest.mark.parametrize(("length", "kept"), [(1_900, 1_900), (2_100, 2_000)])
def test_long_values_are_cut(length: int, kept: int) -> None:
    assert len(head(meta("description", "a" * length, "name")).description or "") == kept


@pytest.mark.parametrize(
    "name", ["keywords", "news_keywords", "article:tag", "og:article:tag", "parsely-tags"]
)
def test_keywords_have_several_names(name: str) -> None:
    assert head(meta(name, "sea, ships")).keywords
