from hypothesis import given
from hypothesis import strategies as st

from tests.reading import table_of
from webclean_scrapy.cleaning.metadata.authors import find_authors
from webclean_scrapy.cleaning.metadata.dates import find_date
from webclean_scrapy.cleaning.metadata.head import Head, marked_elements, read_head, with_marked
from webclean_scrapy.cleaning.metadata.json_ld import squeeze
from webclean_scrapy.cleaning.metadata.language import detect_language
from webclean_scrapy.cleaning.metadata.nearby_lines import find_nearby
from webclean_scrapy.cleaning.metadata.outlet import find_source
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.walk import Elements


@given(st.text(), st.lists(st.text()))
def test_any_text_gives_values_of_their_form_or_none(text: str, lines: list[str]) -> None:
    declared = (squeeze(text),)
    head = Head(authors=declared, published=declared, sources=declared)
    nearby = find_nearby(lines, 0 if lines else None, range(1, len(lines)))
    found, date = find_source(head, nearby), find_date(head, lines=lines)
    language = detect_language(text, text)

    assert all(name == name.strip() and name for name in find_authors(head, lines, nearby.head))
    assert date is None or date[:4].isdigit()
    assert found is None or (2 <= len(found) <= 40 and found == found.strip())
    assert language is None or len(language) == 2


@given(st.text(alphabet=st.sampled_from("<>/='\" abmetascriptld+json{}[]:,@typeprou\n")))
def test_any_page_has_a_head(html: str) -> None:
    marked = f"<meta content=x name=a><p itemprop=author>{html}"
    assert isinstance(
        with_marked(read_head(Elements(parse(marked))), marked_elements(table_of(marked))), Head
    )
