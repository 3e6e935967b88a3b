# ruff: noqa: E501, an example reads best on one line
"""No script of a page runs where its article is shown; all vectors, in a real browser."""

from __future__ import annotations

import shutil

import pytest
from lxml import etree

from tests.xss import VECTORS
from tests.xss_browser import KINDS, RAW, all_outputs, bundles_of, documents_of, watch
from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.tei_output import NAMESPACE

SHOWN = ("articleBodyHtml", "html", "markdown")
BUNDLE = 30  # vectors in a document
SAMPLE = ("script", "image that fails", "SVG", "mutation: noscript", "script from elsewhere")


@pytest.fixture(scope="module")
def outputs() -> dict[str, dict[str, str]]:
    return all_outputs(explains=False)


def test_there_are_many_vectors_and_their_articles_survive(
    outputs: dict[str, dict[str, str]],
) -> None:
    assert len(VECTORS) >= 50
    for name, made in outputs.items():
        for kind in set(KINDS) - {RAW, "explain", "explain page"}:
            assert len(made[kind]) > 1_000, (name, kind)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium")
def test_no_vector_fires_in_a_browser_though_the_raw_pages_do(
    outputs: dict[str, dict[str, str]],
) -> None:
    documents = documents_of({name: outputs[name] for name in SAMPLE}, RAW)
    for kind in SHOWN:
        documents |= bundles_of(outputs, kind, BUNDLE)
    seen = watch(documents, (RAW, *SHOWN))
    assert seen.fired.pop(RAW) | seen.asked.pop(RAW) == set(SAMPLE)
    assert {kind: names for kind, names in seen.fired.items() if names} == {}
    assert [url for url in seen.urls if not url.startswith(RAW)] == []


def test_tei_is_well_formed_and_has_elements_of_tei_alone(
    outputs: dict[str, dict[str, str]],
) -> None:
    for name, made in outputs.items():
        root = etree.fromstring(made["xml-tei"].encode())
        elements = [element for element in root.iter() if isinstance(element.tag, str)]
        assert {etree.QName(element).namespace for element in elements} == {NAMESPACE}, name
        for element in elements:
            for key in ("target", "url"):
                assert not (element.get(key) or "").lower().startswith("javascript:"), name


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><tr><td><code>|&lt;b&gt;|</code></td></tr></table>", "|  |\n| --- |\n| `\\|<b>\\|` |\n"),
        ("<p><code>a<br>&lt;script&gt;</code></p>", "`a <script>`\n"),
        ("<p><a href='javascript&amp;colon;x'>a</a></p>", "[a](javascript\\&colon;x)\n"),
        ("<p><a href='javascript\\:x'>a</a></p>", "[a](javascript%5C:x)\n"),
        ("<p><a href='http://a.example/?b=1&amp;c=2'>a</a></p>", "[a](http://a.example/?b=1&c=2)\n"),
    ],
)  # fmt: skip
def test_code_and_addresses_of_markdown_stay_what_they_are(html: str, markdown: str) -> None:
    assert render_markdown(html) == markdown
