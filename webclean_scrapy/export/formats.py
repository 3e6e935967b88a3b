"""Write an article as a document: text, JSON, HTML, Markdown or TEI, and name its file."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean_scrapy.cleaning.output.markdown_output import render_markdown
from webclean_scrapy.cleaning.output.tei_output import render_tei
from webclean_scrapy.export.parquet import PARQUET
from webclean_scrapy.items import ARTICLE_FIELDS, CHUNKS, ArticleItem
from webclean_scrapy.web_addresses import host_name

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

_LONGEST = 200  # bytes of the name of a file; more is added to it, and many systems allow 255
#: The first sign of an element, and the characters that YAML refuses or takes for a line's end.
_ESCAPED = {code: f"\\u{code:04x}" for code in (ord("<"), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF)}


def as_text(item: ArticleItem) -> str:
    return f"{item.headline or ''}\n{item.articleBody or ''}\n\n"


def as_json(item: ArticleItem, fields: Collection[str] = ARTICLE_FIELDS) -> str:
    """Return the address and *fields* as one line of JSON."""
    values = {name: one for name, one in asdict(item).items() if name == "url" or name in fields}
    return json.dumps(values, ensure_ascii=False) + "\n"


#: The fields of an article that its chunks are written from.
CHUNK_FIELDS = ("headline", "datePublished", "authors", "inLanguage", CHUNKS)


def chunks_as_json(item: ArticleItem) -> str:
    """Return each chunk of the body as a line of JSON with the article's metadata.

    All lines have the same names. The ``id`` of a chunk is the same each time that the article is
    cleaned, as long as its text is.
    """
    record = item.webclean
    of_article = {
        "url": item.url,
        "headline": item.headline,
        "date": item.datePublished,
        "authors": _names(item),
        "site": record.get("site_name") or host_name(item.url).removeprefix("www."),
        "language": item.inLanguage,
        "confidence": record.get("confidence"),
    }
    return "".join(
        json.dumps({"id": f"{item.url}#{one['start']}", **of_article, **one}, ensure_ascii=False)
        + "\n"
        for one in getattr(item, CHUNKS, ())
    )


def as_markdown(item: ArticleItem, *, front_matter: bool = True) -> str:
    """Return title and body as Markdown with YAML front matter.

    Its values are JSON, which is YAML too; a renderer that takes them for text finds no HTML.
    """
    content = render_markdown(item.articleBodyHtml or "", item.headline or "") + "\n"
    if not front_matter:
        return content
    lines = (f"{name}: {_inert_json(value)}\n" for name, value in metadata_of(item).items())
    return f"---\n{''.join(lines)}---\n\n{content}"


def metadata_of(item: ArticleItem) -> dict[str, Any]:
    """Return the metadata of an article, without its body."""
    record = item.webclean
    found = {
        "title": item.headline,
        "authors": _names(item),
        "date": item.datePublished,
        "modified": item.dateModified,
        "url": item.url,
        "canonical": item.canonicalUrl,
        "site": record.get("site_name"),
        "source": record.get("source"),
        "language": item.inLanguage,
        "description": item.description,
        "image": (item.mainImage or {}).get("url"),
        "kind": record.get("kind"),
        "confidence": record.get("confidence"),
    }
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _names(item: ArticleItem) -> list[str]:
    return [author["name"] for author in item.authors]


def as_html(item: ArticleItem) -> str:
    """Return title and body as an HTML page, with metadata in ``meta`` and JSON-LD."""
    metadata = metadata_of(item)
    language = f' lang="{escape(item.inLanguage)}"' if item.inLanguage else ""
    title = escape(item.headline or "")
    heading = f"<h1>{title}</h1>\n" if title else ""
    meta = [("author", name) for name in _names(item)]
    meta += [(name, str(metadata[name])) for name in ("date", "description") if name in metadata]
    head = "".join(f'<meta name="{name}" content="{escape(value)}">\n' for name, value in meta)
    if canonical := item.canonicalUrl or (item.url if "://" in item.url else ""):
        head += f'<link rel="canonical" href="{escape(canonical)}">\n'
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n{head}{_json_ld(metadata)}</head>\n"
        f"<body>\n{heading}{item.articleBodyHtml or ''}\n</body>\n</html>\n"
    )


def _json_ld(metadata: Mapping[str, Any]) -> str:
    names = {
        "title": "headline", "date": "datePublished", "modified": "dateModified", "url": "url",
        "language": "inLanguage", "description": "description", "image": "image",
    }  # fmt: skip
    values: dict[str, Any] = {"@context": "https://schema.org", "@type": "Article"}
    values |= {name: metadata[key] for key, name in names.items() if key in metadata}
    values["author"] = [{"@type": "Person", "name": name} for name in metadata.get("authors", ())]
    return f'<script type="application/ld+json">{_inert_json(values)}</script>\n'


def _inert_json(value: Any) -> str:
    """Return *value* as JSON without HTML tags, and valid in YAML."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPED)


def as_tei(item: ArticleItem) -> str:
    return render_tei(
        item.articleBodyHtml or "",
        title=item.headline or "",
        url=item.url,
        date=item.datePublished or "",
        authors=_names(item),
        language=item.inLanguage or "",
        keywords=item.keywords,
    )


_BASIC = ("headline", "articleBody", "webclean")
_BODY = (*_BASIC, "articleBodyHtml")
_DOCUMENT = tuple(one for one in ARTICLE_FIELDS if one not in {"articleBody", "keywords", "images"})
#: How an article is written, the suffix of its file, and the fields that it is written from.
FORMATS: dict[str, tuple[Callable[[ArticleItem], str], str, tuple[str, ...]]] = {
    "text": (as_text, ".txt", _BASIC),
    "json": (as_json, ".json", ARTICLE_FIELDS),
    "html": (as_html, ".html", _DOCUMENT),
    "markdown": (as_markdown, ".md", _DOCUMENT),
    "xml-tei": (
        as_tei, ".xml", (*_BODY, "datePublished", "authors", "inLanguage", "keywords"),
    ),
    # Lines of JSON until the last page; so a stopped run can be resumed.
    PARQUET: (as_json, ".parquet", ARTICLE_FIELDS),
}  # fmt: skip
DOCUMENT_FORMATS = ("markdown", "html", "text", "xml-tei")


class DocumentNames:
    """Names document files after the page's address or file."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.taken = dict.fromkeys(names)
        self._numbers: dict[str, int] = {}  # the last one, by the name that it follows

    def new(self, url: str) -> str:
        """Return an unused name, without suffix."""
        whole = re.sub(r"^https?://", "", url) if "://" in url else Path(url).name
        return self._only_one(_file_name(whole))

    def in_folders(self, url: str, date: str | None) -> str:
        """Return a name in the folder of the site, and of the month if there is a *date*."""
        host, _, path = url.partition("://")[2].partition("/")
        month = date[:7] if date and re.match(r"\d{4}-\d\d", date) else "undated"
        slug = path.partition("?")[0].rstrip("/").rpartition("/")[2]
        site = _file_name(host.removeprefix("www."))
        return self._only_one(f"{site}/{month}/{_file_name(slug)}")

    def _only_one(self, name: str) -> str:
        chosen = name
        while chosen in self.taken:
            self._numbers[name] = self._numbers.get(name, 1) + 1
            chosen = f"{name}-{self._numbers[name]}"
        self.taken[chosen] = None
        return chosen


def _file_name(text: str) -> str:
    name = re.sub(r"\.gz$|\.[xs]?html?$", "", re.sub(r"\.gz$", "", text))
    name = re.sub(r"[^\w.-]+", "_", name).strip("._")
    return name.encode()[:_LONGEST].decode(errors="ignore") or "page"
