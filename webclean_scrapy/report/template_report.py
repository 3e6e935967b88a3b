"""List the learned templates, and mark the ones that apply to a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webclean_scrapy.cleaning.templates.url_shapes import url_shape
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    from webclean_scrapy.cleaning.templates.template import Template
    from webclean_scrapy.cleaning.templates.template_store import TemplateStore

_VERDICTS = ("yes", "maybe", "unlikely", "no")  # first word of a verdict, best first


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateView:
    """One template of a store."""

    place: int  # 1 is the most recently used; the last is removed first
    host: str
    shape: str  # of its pages' URLs
    number: int  # among the templates of this shape, from 1
    pages: tuple[str, ...]  # it was learned from, the newest first
    keys: int  # of places and of texts, in all pages
    nbytes: int  # of memory
    closed: int  # places that are not read on its next page; 0 until enough pages were
    body: str  # tags, ids and classes down to the newest page's body; "" without one
    serves: str | None  # whether it would be used for the given page, and why; None without a page


def list_templates(store: TemplateStore, url: str | None = None) -> tuple[TemplateView, ...]:
    """Return the templates of *store*, the most recently used first.

    With the *url* of a page, those that may be used for it come first. Only the URL is compared:
    among several templates of one shape, the page itself decides.
    """
    views = [
        TemplateView(
            place=place,
            host=template.host,
            shape=template.shape,
            number=template.number + 1,
            pages=tuple(page.url or "" for page in reversed(template.pages)),
            keys=sum(
                len(page.text_keys) + len(page.body_places) + len(page.other_places)
                for page in template.pages
            ),
            nbytes=template.nbytes,
            closed=template.known_regions.closed if template.known_regions else 0,
            body=next((p.body_chain for p in reversed(template.pages) if p.body_chain), ""),
            serves=None if url is None else _verdict_on(template, store, url_shape(url)),
        )
        for place, template in enumerate(reversed(list(store)), 1)
    ]
    return tuple(
        sorted(views, key=lambda view: _VERDICTS.index((view.serves or "yes").split(":")[0]))
    )


def _verdict_on(template: Template, store: TemplateStore, shape: str) -> str:
    """Return whether *template* applies to a page of *shape* (``TemplateStore.find``)."""
    of_shape = len(store.of_shape(shape))
    if template.host != host_of(shape):
        return "no: another host"
    if template.shape == shape:
        if not template.has_body:
            return "no: none of its pages contains an article"
        if of_shape > 1:
            return f"maybe: {of_shape} templates have this URL shape, the page structure decides"
        return "yes: it is the only template of this URL shape"
    if of_shape:
        return "unlikely: only if the page matches this template and none of its own URL shape"
    return "maybe: the URL shape differs, the page structure decides"
