"""Helpers of tests of body finding: pages in a line of code, and any tree of tags."""

from collections.abc import Sequence

from hypothesis import strategies as st

from webclean_scrapy.cleaning.body.evidence import Evidence, gather
from webclean_scrapy.cleaning.body.link_blocks import LinkBlockConfig
from webclean_scrapy.cleaning.body.models import BodyConfig
from webclean_scrapy.cleaning.cleaner import CleanConfig, Cleaner
from webclean_scrapy.cleaning.metadata.head import Head
from webclean_scrapy.cleaning.page.parse import parse
from webclean_scrapy.cleaning.page.table import PageTable, build_table
from webclean_scrapy.cleaning.parsed_page import ParsedPage
from webclean_scrapy.cleaning.templates.learner import Comparison
from webclean_scrapy.cleaning.templates.sketch import sketch_page
from webclean_scrapy.cleaning.templates.template import TemplateEvidence, template_evidence
from webclean_scrapy.cleaning.trace import Trace

LINK_BLOCKS = LinkBlockConfig()
SENTENCE = "The harbour master closed the northern pier after divers found a crack in its base."
OTHER_SENTENCE = "Fishing boats will use the old ferry landing until every pillar is measured."
PARAGRAPH = f"<p>{SENTENCE}</p>"
OTHER_PARAGRAPH = f"<p>{OTHER_SENTENCE}</p>"
PIER = (
    "The old pier was closed on Monday after divers had found cracks in two of its pillars.",
    "The harbour office will have the pillars measured and expects the repair to last a year.",
    "Until then the ferry to the island leaves from the quay behind the fish market, it said.",
)
LONG_PARAGRAPH = f"<p>{SENTENCE} {OTHER_SENTENCE} Nobody was hurt, and the fair goes on.</p>"


def table_of(html: str) -> PageTable:
    return build_table(parse(html))


def page_of(
    html: str | PageTable,
    *,
    titles: Sequence[str] = (),
    declared: Sequence[str] = (),
    url: str | None = None,
) -> ParsedPage:
    """Return a parsed page that claims *titles*, and bodies *declared* in JSON-LD."""
    table = table_of(html) if isinstance(html, str) else html
    return ParsedPage(url, Head(article_bodies=tuple(declared)), tuple(titles), table)


def squeeze(text: str) -> str:
    """Return *text* without its white space."""
    return "".join(text.split())


def evidence_of(
    html: str | PageTable,
    *,
    titles: Sequence[str] = (),
    declared: Sequence[str] = (),
    template: TemplateEvidence | None = None,
    link_blocks: LinkBlockConfig | None = LINK_BLOCKS,
    url: str | None = None,
) -> Evidence:
    page = page_of(html, titles=titles, declared=declared, url=url)
    return gather(page, template, link_blocks)


def trace_of(
    page: ParsedPage, *, template: TemplateEvidence | None = None, config: BodyConfig | None = None
) -> Trace:
    """Return the trace of all steps for *page*, with the evidence *template*."""
    cleaner = Cleaner(CleanConfig(body=config or BodyConfig()))
    return cleaner.extract(page, Comparison(template))


def template_of(table: PageTable, other: str, body: str) -> TemplateEvidence:
    """Return the evidence of the page *other*, with its body in element *body*, on *table*."""
    known = table_of(other)
    row = row_of(known, body)
    return template_evidence(table, [sketch_page(known, None, known.lines_in(row), row)])


def template_page(paragraph: str, related: str) -> str:
    """Return a page of one template: its body in the element ``text``, and two other blocks."""
    return (
        f"<div id=text>{paragraph}</div><div class=side><p>{related}</p></div>"
        "<div class=foot><p>All of it belongs to the town.</p></div>"
    )


def row_of(table: PageTable, ident: str) -> int:
    """Return the row of the element with this id."""
    return table.ident.index(ident)


def line_of(table: PageTable, begin: str) -> int:
    """Return the only line that begins so."""
    (line,) = (n for n, text in enumerate(table.lines.text) if text.startswith(begin))
    return line


def marked_lines(table: PageTable) -> list[bool]:
    """Return for each line whether the block it is in directly has the attribute ``data-yes``.

    Attributes of that name say nothing to the code under test.
    """
    return [table.node[box].get("data-yes") is not None for box in table.lines.container]


_TAGS = (
    "div p span a ul li table tr td h1 h2 article aside nav header footer form section main "
    "blockquote pre figure figcaption img br b body dl dt dd title frameset"
).split()
_ATTRIBUTES = (
    "", "", "", " class=content", " class=related", " class='card x'", " id=main", " hidden",
    " style='display: none'", " itemprop=articleBody", " role=main", " class=caption", " href=/a",
)  # fmt: skip
_TEXTS = (
    "", "one", SENTENCE, OTHER_SENTENCE, "2026-03-02", "Related", "编辑：王小明", "相关阅读",
    "港务局在潜水员发现桥墩底部有裂缝之后，关闭了北面的码头。", "By Ann Lee", "12", '{"a": 1}',
    "Read more:", "\u200b", "Subscribe to our newsletter",
)  # fmt: skip


def trees() -> st.SearchStrategy[str]:
    """Pages of any tags in any nesting, open, closed and crossed, with texts between them."""
    tag, attribute, text = map(st.sampled_from, (_TAGS, _ATTRIBUTES, _TEXTS))
    piece = st.one_of(
        st.builds("<{}{}>".format, tag, attribute),
        st.builds("<{0}{1}>{2}</{0}>".format, tag, attribute, text),
        st.builds("</{}>".format, tag),
        text,
    )
    return st.lists(piece, max_size=40).map("".join)
