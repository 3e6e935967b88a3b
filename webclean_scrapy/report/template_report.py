"""What was learned of sites: their templates, and which of them would serve a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.templates.url_shapes import url_shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webclean_scrapy.cleaning.templates.template import Template
    from webclean_scrapy.cleaning.templates.template_store import TemplateStore

_VERDICTS = ("yes", "perhaps", "hardly", "no")  # how a verdict begins, best first


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateView:
    """One template of a store."""

    place: int  # 1 is the one used last; the last one gives way first
    host: str
    shape: str  # of its pages' addresses
    number: int  # among the templates of this shape, from 1
    pages: tuple[str, ...]  # learned from, the newest first
    keys: int  # of places and of texts, in all pages
    nbytes: int  # of memory
    body: str  # chain of tags, ids and classes to the newest page's body; "" without one
    serves: str | None  # whether it serves the page asked for, and why; None when none was


def list_templates(store: TemplateStore, url: str | None = None) -> tuple[TemplateView, ...]:
    """Return the templates of *store*, the one used last first.

    With the *url* of a page those come first that may serve it, judged by its address alone: of
    several templates of its shape the page decides.
    """
    verdicts = {} if url is None else dict(_judge_all(store, url))
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
            body=next((p.body_chain for p in reversed(template.pages) if p.body_chain), ""),
            serves=verdicts.get((template.shape, template.number)),
        )
        for place, template in enumerate(reversed(list(store)), 1)
    ]
    return tuple(sorted(views, key=_usefulness))


def _usefulness(view: TemplateView) -> int:
    return _VERDICTS.index(view.serves.partition(":")[0]) if view.serves else 0


def _judge_all(store: TemplateStore, url: str) -> Iterator[tuple[tuple[str, int], str]]:
    """Yield for each template whether it serves *url* (see ``TemplateStore.find``)."""
    shape = url_shape(url)
    host = urlsplit(shape).netloc
    of_shape = len(store.of_shape(shape))
    for template in store:
        yield (template.shape, template.number), _judge(template, shape, host, of_shape)


def _judge(template: Template, shape: str, host: str, of_shape: int) -> str:
    if template.host != host:
        return "no: another host"
    if template.shape == shape:
        if not template.has_body:
            return "no: none of its pages holds an article"
        if of_shape > 1:
            return f"perhaps: {of_shape} have such addresses, the page's upper levels tell"
        return "yes: it is the one with such addresses"
    if of_shape:
        return "hardly: only if the page is like this one and like none with its addresses"
    return "perhaps: its addresses are others, the page's upper levels tell"
