"""The formats of ``clean``, and where the articles are written."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from html import escape
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.tei_output import render_tei
from webclean_scrapy.crawl.parquet_exporter import PARQUET, lines_to_table
from webclean_scrapy.errors import FeedError
from webclean_scrapy.file_modes import Draft, replace_text
from webclean_scrapy.items import ARTICLE_FIELDS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from webclean_scrapy.items import ArticleItem

_LONGEST = 200  # bytes of the name of a file; more is added to it, and many systems allow 255


def as_text(item: ArticleItem) -> str:
    return f"{item.headline or ''}\n{item.articleBody or ''}\n\n"


def as_json(item: ArticleItem, fields: Collection[str] = ARTICLE_FIELDS) -> str:
    """Return the address and *fields* as one line of JSON."""
    values = {name: one for name, one in asdict(item).items() if name == "url" or name in fields}
    return json.dumps(values, ensure_ascii=False) + "\n"


def as_markdown(item: ArticleItem) -> str:
    return render_markdown(item.articleBodyHtml or "", item.headline or "") + "\n"


def as_html(item: ArticleItem) -> str:
    title = escape(item.headline or "")
    language = f' lang="{escape(item.inLanguage)}"' if item.inLanguage else ""
    heading = f"<h1>{title}</h1>\n" if title else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<head><meta charset="utf-8"><title>{title}</title>'
        f"</head>\n<body>\n{heading}{item.articleBodyHtml or ''}\n</body>\n</html>\n"
    )


def as_tei(item: ArticleItem) -> str:
    return render_tei(
        item.articleBodyHtml or "",
        title=item.headline or "",
        url=item.url,
        date=item.datePublished or "",
        authors=[author["name"] for author in item.authors],
        language=item.inLanguage or "",
        keywords=item.keywords,
    )


_BASIC = ("headline", "articleBody", "webclean")
_BODY = (*_BASIC, "articleBodyHtml")
#: How an article is written, the suffix of its file, and the fields that it is written from.
FORMATS: dict[str, tuple[Callable[[ArticleItem], str], str, tuple[str, ...]]] = {
    "text": (as_text, ".txt", _BASIC),
    "json": (as_json, ".json", ARTICLE_FIELDS),
    "html": (as_html, ".html", (*_BODY, "inLanguage")),
    "markdown": (as_markdown, ".md", _BODY),
    "xml-tei": (
        as_tei, ".xml", (*_BODY, "datePublished", "authors", "inLanguage", "keywords"),
    ),
    # Lines of JSON until the last page; so a stopped run can be resumed.
    PARQUET: (as_json, ".parquet", ARTICLE_FIELDS),
}  # fmt: skip
#: Formats that have the fields that are asked for.
WITH_FIELDS = frozenset({"json", PARQUET})
_BY_SUFFIX = {suffix: name for name, (_, suffix, _) in FORMATS.items()} | {".jsonl": "json"}
#: Several documents of these cannot be in one file.
ONE_A_FILE = frozenset({"html", "xml-tei"})


def is_folder(output: str | None) -> bool:
    """True if the output is a folder, with one file for each page."""
    return bool(output) and (str(output).endswith(("/", "\\")) or Path(str(output)).is_dir())


def format_of(output: str | None) -> str:
    """Return the format that the suffix of a file says, "text" for none and for a folder."""
    return (
        "text" if is_folder(output) else _BY_SUFFIX.get(Path(output or "").suffix.lower(), "text")
    )


class ArticleWriter:
    """Writes articles to standard output, to a file that is moved into place, or to a folder."""

    def __init__(self, format_name: str, output: str | None, fields: Collection[str]) -> None:
        """*fields* are those that JSON has."""
        render, self._suffix, _ = FORMATS[format_name]
        self._render = partial(as_json, fields=fields) if render is as_json else render
        self._is_table = format_name == PARQUET
        self.prints = output in {None, "-"}
        self._path = None if self.prints else Path(str(output))
        self.shown = str(self._path or "standard output")
        self.is_folder = is_folder(output)
        self.names: dict[str, None] = {}  # of the files in a folder, without their suffix
        self._stream: TextIO = sys.stdout
        #: Of the pages of a run that is stopped; None where it cannot be resumed.
        self.place = self._path if self.is_folder else None
        self.written = self.end = 0  # articles; bytes of the draft

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Open what is written to; when there is an article, a file takes its name at the end."""
        if self._path:
            folder = self._path if self.is_folder else self._path.parent
            folder.mkdir(parents=True, exist_ok=True)
        if self._path is None or self.is_folder:
            yield
            return
        draft, is_whole = Draft(self._path), False
        try:
            if not draft.is_direct:
                self.place = draft.path
                if draft.path.stat().st_size < self.end:
                    raise FeedError(f"{self.place} is cut; delete {self.shown}.state to start anew")
                os.truncate(self.place, self.end)
            with draft.path.open(
                "a" if self.place else "w", encoding="utf-8", errors="replace"
            ) as self._stream:
                yield
            if self._is_table:
                lines_to_table(draft.path)
            is_whole = True
        finally:
            draft.close(replaces=is_whole and self.written > 0, keeps=self.written > 0)

    def write(self, item: ArticleItem) -> None:
        """Write an article; a link in a folder is replaced, never followed. Raises OSError."""
        content = self._render(item)
        if self._path and self.is_folder:
            replace_text(self._path / self._name_of(item.url), content, follows=False)
        else:
            self._stream.write(content)
            self.end = self._stream.tell() if self.place else 0
        self.written += 1

    def _name_of(self, url: str) -> str:
        """Return the name of a page's file: what its address or its file is called."""
        name = re.sub(r"^https?://", "", url) if "://" in url else Path(url).name
        name = re.sub(r"\.gz$|\.[xs]?html?$", "", re.sub(r"\.gz$", "", name))
        name = re.sub(r"[^\w.-]+", "_", name).strip("._")
        name = name.encode()[:_LONGEST].decode(errors="ignore") or "page"
        others = (f"{name}-{number}" for number in count(2))
        chosen = next(one for one in chain([name], others) if one not in self.names)
        self.names[chosen] = None
        return chosen + self._suffix
