"""The learned templates of a crawl, by host, URL shape and page shape.

A page belongs to the template whose addresses have its shape and whose upper levels are like its
own (``keys.tree_likeness``); one shape of address may have several. Bounded: the least used
template goes first, here and among those of one shape; one template takes at most 64 kB of memory
(``template.MAX_BYTES``), about 17 kB with four news pages. A file of templates is JSON, for people
to read and for another crawl to load.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from webclean_scrapy.cleaning.templates.sketch import is_same_template
from webclean_scrapy.cleaning.templates.template import MAX_BYTES, PAGES_KEPT, Template
from webclean_scrapy.cleaning.templates.url_shapes import shape_host, url_shape
from webclean_scrapy.errors import TemplateFileError
from webclean_scrapy.json_files import read_json, write_json
from webclean_scrapy.web_addresses import host_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    from webclean_scrapy.cleaning.templates.sketch import PageSketch

FORM = "webclean-templates", 7  # of a file: its name and version
PER_SHAPE = 8  # templates of one shape of address; more is a site where no two pages are alike
COMPARED = 32  # templates of a host that a page is compared with, latest used first
MAX_UNRELATED = 8  # templates of the host that may help a page of none of them


#: Templates by shape and number, the one used last at the end.
_Order: TypeAlias = "OrderedDict[tuple[str, int], Template]"


class TemplateStore:
    """Stores learned templates and finds the ones of a page."""

    def __init__(self, max_templates: int) -> None:
        self._max_templates = max_templates
        self._templates: _Order = OrderedDict()
        # The same by what a page is looked up by: a crawl may know 50,000 templates.
        self._of_shape: defaultdict[str, _Order] = defaultdict(OrderedDict)
        self._of_host: defaultdict[str, _Order] = defaultdict(OrderedDict)

    def __len__(self) -> int:
        return len(self._templates)

    def __iter__(self) -> Iterator[Template]:
        """Yield all templates, the most recently used last."""
        yield from self._templates.values()

    def of_shape(self, shape: str) -> list[Template]:
        """Return the templates of a URL shape, the most recently used first."""
        return list(reversed(self._of_shape[shape].values())) if shape in self._of_shape else []

    def of_host(self, host: str) -> list[Template]:
        """Return at most COMPARED templates of a host, the most recently used first."""
        newest = reversed(self._of_host[host].values()) if host in self._of_host else ()
        return list(islice(newest, COMPARED))

    def knows_host(self, url: str | None) -> bool:
        """True if a page of the host of this URL was learned."""
        return shape_host(url or "") in self._of_host

    def knows_template(self, url: str) -> bool:
        """True if a page with a body and a URL of this shape was learned."""
        return any(template.has_body for template in self.of_shape(url_shape(url)))

    def recognises_template(self, page: PageSketch) -> bool:
        """True if a template of the page's host fits the page, at any URL."""
        alike = self._like(page, self.of_host(shape_host(page.url or "")))
        return any(template.has_body for template in alike)

    def add(self, page: PageSketch) -> Template | None:
        """Add *page* to its template and return that; it replaces a page of the same URL.

        Not kept: a page without a web address, which nothing could find, and one of more keys than
        a template may hold.
        """
        shape = url_shape(page.url) if page.url else ""
        if not shape or replace(page, features=None).nbytes > MAX_BYTES:
            return None
        own = self.of_shape(shape)
        known = next((t for t in own if any(p.url == page.url for p in t.pages)), None)
        like = next(iter(self._like(page, own)), None)
        if known is not None and known is not like:
            self._drop_page(known, page.url)
        if like is None:
            number = max((template.number for template in own), default=-1) + 1
            like = Template(shape, number, ())
        template = like.with_page(page)
        self._put(template)
        return template

    def put(self, template: Template) -> None:
        """Add a template learned elsewhere, or merge its pages into the same one here."""
        own = self.of_shape(template.shape)
        if like := self._like(template.pages[-1], own):
            for page in template.pages:
                self.add(page)
            if template.roles is not None and like[0].roles is None:
                known = self._templates[like[0].shape, like[0].number]
                self._write(replace(known, roles=template.roles))
            return
        number = max((each.number for each in own), default=-1) + 1
        self._put(replace(template, number=number))

    def known(self, url: str | None) -> list[Template]:
        """Return the article templates of this URL shape, the most recently used first.

        Those alone of which enough pages were read whole.
        """
        shape = url_shape(url) if url else ""
        return [each for each in self.of_shape(shape) if each.known_regions] if shape else []

    def find(self, page: PageSketch) -> tuple[list[PageSketch], list[Template]]:
        """Return sketches of other pages of the host, best first, all of one degree of likeness.

        With them their templates, where these may be the page's.
        Those of its template; else of the templates like it at other addresses; else of others at
        addresses of its shape; else the newest of some other templates.
        """
        shape = url_shape(page.url) if page.url else ""
        if not shape:
            return [], []
        own = self.of_shape(shape)
        like = self._like(page, own)[:1]
        host = self.of_host(host_of(shape))
        others = [template for template in host if template.shape != shape]
        for group in (like, self._like(page, others), own):
            if pages := self._pages_but(page.url, group):
                return pages, list(group)
        return [template.pages[-1] for template in others[:MAX_UNRELATED]], []

    def add_part(self, template: Template, page: PageSketch) -> None:
        """Add a page of *template* that was read without its skipped regions."""
        if page.nbytes <= MAX_BYTES:
            self._put(template.with_part(page))

    def _pages_but(self, url: str | None, group: Sequence[Template]) -> list[PageSketch]:
        """Return pages of *group* except the one at *url*, the newest first; mark them as used."""
        others: list[PageSketch] = []
        used = []
        for template in group:
            pages = template.sketches_but(url)
            if pages and len(others) < PAGES_KEPT:
                used.append(template)
            others += pages
        for template in reversed(used):
            self._mark_used(template)
        return others[:PAGES_KEPT]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write every template to *path*. A crash leaves the file unchanged."""
        templates = [template.to_data() for template in self]
        write_json(path, FORM, {"templates": templates}, private=True)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Add the templates of a file. Raises TemplateFileError when it cannot be read."""
        for template in read_json(path, FORM, TemplateFileError)["templates"]:
            self.put(Template.from_data(template))

    @staticmethod
    def _like(page: PageSketch, templates: Sequence[Template]) -> list[Template]:
        """Return the *templates* that fit the page, in their order."""
        return [each for each in templates if is_same_template(page, each.pages[-1])]

    def _put(self, template: Template) -> None:
        self._write(template)
        self._mark_used(template)
        own = self._of_shape[template.shape]
        if len(own) > PER_SHAPE:
            self._delete(next(iter(own.values())))
        if len(self._templates) > self._max_templates:
            self._delete(next(iter(self)))

    def _orders(self, template: Template) -> tuple[_Order, _Order, _Order]:
        """Return the three orders of use that contain *template*."""
        return self._templates, self._of_shape[template.shape], self._of_host[template.host]

    def _write(self, template: Template) -> None:
        for order in self._orders(template):
            order[template.shape, template.number] = template

    def _mark_used(self, template: Template) -> None:
        for order in self._orders(template):
            order.move_to_end((template.shape, template.number))

    def _delete(self, template: Template) -> None:
        for order in self._orders(template):
            del order[template.shape, template.number]
        if not self._of_shape[template.shape]:
            del self._of_shape[template.shape]
        if not self._of_host[template.host]:
            del self._of_host[template.host]

    def _drop_page(self, template: Template, url: str | None) -> None:
        """Remove a page from the template that it belonged to before it changed."""
        left = tuple(page for page in template.pages if page.url != url)
        if left:
            self._write(replace(template, pages=left))
        else:
            self._delete(template)
