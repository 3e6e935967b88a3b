"""The templates that a crawl has learned: sketches of pages, by host and shape of the URL.

Bounded: the least used template goes first, a template keeps its newest sketches. One page costs
about 28 kB of memory and 5 kB of a file (mean of 120 news pages, 280 keys each), a full template
four times that, the default of 500 templates 57 MB at most. A file of templates is JSON with a
version, for people to read and for another crawl to load.
"""

from __future__ import annotations

import json
from collections import OrderedDict, deque
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webclean_scrapy.denoise.siblings import url_shape
from webclean_scrapy.denoise.template import PageSketch
from webclean_scrapy.errors import TemplateFileError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

FILE_FORMAT = "webclean-templates"
FILE_VERSION = 1
SKETCHES_KEPT = 4  # pages of one template; two would do, four outlive a bad one
MAX_KEYS = 20_000  # of one page; more is a list without end, not worth its memory
SHAPES_SEARCHED = 8  # other templates of the host, newest first

_KEY_SETS = ("text_keys", "body_texts", "body_places", "other_places")


class TemplateStore:
    """Sketches of learned pages, found by URL."""

    def __init__(self, max_templates: int) -> None:
        self._max_templates = max_templates
        self._by_shape: OrderedDict[str, deque[PageSketch]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._by_shape)

    def __iter__(self) -> Iterator[tuple[str, tuple[PageSketch, ...]]]:
        for shape, kept in self._by_shape.items():
            yield shape, tuple(kept)

    def knows(self, url: str) -> bool:
        """Whether a page with a body and a URL of this shape was learned."""
        return any(sketch.body_texts for sketch in self._by_shape.get(url_shape(url), ()))

    def add(self, sketch: PageSketch) -> None:
        """Remember *sketch*; one of the same URL is replaced.

        Not kept: a page without a web address, which nothing could find, and one of too many keys.
        """
        shape = url_shape(sketch.url) if sketch.url else ""
        if not shape or sum(len(getattr(sketch, name)) for name in _KEY_SETS) > MAX_KEYS:
            return
        kept = self._by_shape.setdefault(shape, deque(maxlen=SKETCHES_KEPT))
        for old in kept:
            if old.url == sketch.url:
                kept.remove(old)
                break
        kept.append(sketch)
        self._by_shape.move_to_end(shape)
        if len(self._by_shape) > self._max_templates:
            self._by_shape.popitem(last=False)

    def find(self, page: PageSketch) -> list[PageSketch]:
        """Return sketches of other pages of its host, those of its own URL shape first."""
        if not page.url:
            return []
        shape, host = url_shape(page.url), urlsplit(page.url).netloc
        found = [s for s in self._by_shape.get(shape, ()) if s.url != page.url]
        if found:
            self._by_shape.move_to_end(shape)
            return found
        others = [
            sketches[-1]
            for name, sketches in reversed(self._by_shape.items())
            if name != shape and urlsplit(name).netloc == host
        ]
        return others[:SHAPES_SEARCHED]

    def save(self, path: str | os.PathLike[str], paths: Sequence[object] = ()) -> None:
        """Write every template to *path*, by way of a second file, so that none is half written.

        *paths*, plain values, stand in the file beside the templates.
        """
        pages = [_to_json(sketch) for kept in self._by_shape.values() for sketch in kept]
        data = {"format": FILE_FORMAT, "version": FILE_VERSION, "pages": pages}
        if paths:
            data["paths"] = list(paths)
        target = Path(path)
        draft = target.with_name(target.name + ".new")
        draft.write_text(json.dumps(data), encoding="utf-8")
        draft.replace(target)

    def load(self, path: str | os.PathLike[str]) -> list[Any]:
        """Add the templates of a file and return the paths that stand beside them.

        Raises TemplateFileError when it cannot be read.
        """
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            known = data["format"] == FILE_FORMAT and data["version"] == FILE_VERSION
            sketches = [_from_json(page) for page in data["pages"]] if known else None
            paths = list(data.get("paths", ()))
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise TemplateFileError(f"{path} is no file of learned templates: {error}") from error
        if sketches is None:
            raise TemplateFileError(
                f"{path} is of format {data['format']!r} version {data['version']!r}; this "
                f"package reads {FILE_FORMAT!r} version {FILE_VERSION}. Delete it to learn anew."
            )
        for sketch in sketches:
            self.add(sketch)
        return paths


def _to_json(sketch: PageSketch) -> dict[str, Any]:
    data = asdict(sketch)
    return data | {name: sorted(data[name]) for name in _KEY_SETS}


def _from_json(data: dict[str, Any]) -> PageSketch:
    if set(data) != {field.name for field in fields(PageSketch)}:
        raise ValueError("a page has other fields than expected")
    if not isinstance(data["url"], str) or not isinstance(data["body_path"], int):
        raise TypeError("the address or body path of a page is of the wrong type")
    if any(type(key) is not int for name in _KEY_SETS for key in data[name]):
        raise TypeError("a key is no whole number")
    return PageSketch(**(data | {name: frozenset(data[name]) for name in _KEY_SETS}))
