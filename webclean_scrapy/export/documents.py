"""Write a feed of documents: a file for each article in a folder, or a line for each chunk."""

from __future__ import annotations

import json
import logging
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter

from webclean_scrapy.export import formats
from webclean_scrapy.file_modes import replace_text
from webclean_scrapy.items import ARTICLE_FIELDS, ArticleItem, ExtendedArticleItem

logger = logging.getLogger(__name__)

_NAMED = 10  # damaged lines of an index
#: A file in the folder or in folders of it, as `DocumentNames` names them: none begins with a dot.
_is_document = re.compile(r"[\w-][\w.-]*(?:/[\w-][\w.-]*)*").fullmatch


class DocumentExporter(BaseItemExporter):
    """A feed in a folder: ``SITE/YYYY-MM/slug.md`` per article, and ``index.jsonl``.

    The index lists the documents, and is the file of the feed. A new version of an article replaces
    its document.
    """

    def __init__(
        self, file: IO[bytes], *, form: str = "markdown", front_matter: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(dont_fail=True, **kwargs)
        self._file, index = file, Path(file.name)
        self._folder = index.parent
        render, self._suffix, _ = formats.FORMATS[form]
        is_bare = form == "markdown" and not front_matter
        self._render = partial(formats.as_markdown, front_matter=False) if is_bare else render
        self._files = _read_index(index)
        self._names = formats.DocumentNames(
            name.removesuffix(self._suffix) for name in self._files.values()
        )

    def export_item(self, item: Any) -> None:
        """Write the document, then its line of the index."""
        adapter = ItemAdapter(item)
        article = ArticleItem(**{name: adapter[name] for name in ARTICLE_FIELDS if name in adapter})
        name = self._files.get(article.url)
        if name is None:
            stem = self._names.in_folders(article.url, article.datePublished)
            name = self._files[article.url] = stem + self._suffix
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, self._render(article), follows=False)
        line = json.dumps({"file": name, **formats.metadata_of(article)}, ensure_ascii=False)
        self._file.write(line.encode(errors="replace") + b"\n")


class ChunkExporter(BaseItemExporter):
    """A feed with a line of JSON per chunk of an article, as ``webclean clean --chunks``."""

    def __init__(self, file: IO[bytes], **kwargs: Any) -> None:
        super().__init__(dont_fail=True, **kwargs)
        self._file = file

    def export_item(self, item: Any) -> None:
        """Write the chunks of an article; none for an item without text."""
        adapter = ItemAdapter(item)
        names = {"url", "webclean", *formats.CHUNK_FIELDS}
        article = ExtendedArticleItem(**{one: adapter[one] for one in names if one in adapter})
        self._file.write(formats.chunks_as_json(article).encode(errors="replace"))


def _read_index(path: Path) -> dict[str, str]:
    """Return the documents of earlier crawls, file by address; warn of damaged lines."""
    files: dict[str, str] = {}
    damaged: list[str] = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        with suppress(KeyError, RecursionError, TypeError, ValueError):
            entry = json.loads(line)
            if isinstance(entry["url"], str) and _is_document(entry["file"]):
                files[entry["url"]] = entry["file"]
                continue
        if line.strip():
            damaged.append(str(number))
    if damaged:
        shown = ", ".join(damaged[:_NAMED]) + ", ..." * (len(damaged) > _NAMED)
        logger.warning("%s: damaged lines are skipped, %d: %s", path, len(damaged), shown)
    return files
