"""Labelled pages: folders of them, or the demo portal that comes with the package.

A folder is a set. It holds ``gold.json``, ``{id: {...}}`` with, for each page:

    file          path of the gzipped page in the folder
    url           where it was; may be empty
    text          the body, one paragraph a line
    kind          "article", or what else the page is: scored as a body only when an article
    site          name of its site; may be missing
    siblings      ids of pages of the same site; sameTemplate: those of the same template
    titleInText   true when the text begins with the title
    optional      paragraphs that are as well in the body as not
    lang, title, date, author, source   where known; several authors as a list or in one text
    capture       "dom-dump" for what a browser made of the page, with its scripts' result
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spiders.demo import build_portal
from webclean_scrapy.cleaning.page.charset import decode
from webclean_scrapy.cleaning.page.raw_page import RawPage
from webclean_scrapy.report.text_scores import harmonic, precision_recall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from spiders.demo.model import Portal

ARTICLE = "article"
FACTS = ("title", "date", "author", "source")
#: Kinds that `is_article` may say yes to: a page that repeats another is an article all the same.
ARTICLE_KINDS = frozenset({ARTICLE, "gallery", "duplicate"})
_HOST = "https://demo.example"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page with its labels."""

    html: bytes
    text: str  # as decoded by the project, for extractors that ask for text
    url: str | None
    kind: str
    gold: str
    site: str = ""
    siblings: tuple[str, ...] = ()  # ids, those of the same template first
    title_in_gold: bool = False
    optional: tuple[str, ...] = ()
    language: str | None = None
    scripts_ran: bool = False  # the page carries what its scripts made of it
    facts: Mapping[str, str] = field(default_factory=dict)  # by name of FACTS; "": has none

    @property
    def raw(self) -> RawPage:
        """The page as a cleaner gets it."""
        return RawPage(self.html, self.url or "")

    def score(self, title: str, text: str) -> tuple[float, float]:
        """Return precision and recall of a body, below its *title* where the label has it so."""
        whole = f"{title}\n{text}" if self.title_in_gold else text
        return precision_recall(self.gold, whole, self.optional)

    def f1(self, title: str, text: str) -> float:
        """Return F1 of a body, as `score`."""
        return harmonic(*self.score(title, text))


Sets = dict[str, dict[str, Page]]  # pages by id, by name of the set


def load_sets(folder: Path | None, names: Iterable[str] | None = None) -> Sets:
    """Return the sets in *folder*, only *names* if given; without a folder, the demo portal.

    Raises:
        SystemExit: a set is not there.
    """
    if folder is None:
        return {"demo": load_demo()}
    found = sorted(path.parent.name for path in folder.glob("*/gold.json"))
    wanted = sorted(names) if names else found
    if not found or not set(wanted) <= set(found):
        raise SystemExit(f"{folder} has the sets {found}, asked for are {wanted}")
    return {name: load_set(folder / name) for name in wanted}


def load_articles(folder: Path | None, names: Iterable[str] | None = None) -> Sets:
    """Return the sets as `load_sets` does, without sets that have no article.

    Raises:
        SystemExit: a set is not there, or no set has an article.
    """
    sets = load_sets(folder, names)
    found = {
        n: pages for n, pages in sets.items() if any(p.kind == ARTICLE for p in pages.values())
    }
    if not found:
        raise SystemExit(f"no article in the sets {sorted(sets)}")
    return found


def load_set(folder: Path) -> dict[str, Page]:
    """Return the pages of a set by id."""
    entries = json.loads((folder / "gold.json").read_text(encoding="utf-8"))
    return {
        key: _make_page(gzip.decompress((folder / entry["file"]).read_bytes()), entry, entries)
        for key, entry in entries.items()
    }


def load_demo(portal: Portal | None = None) -> dict[str, Page]:
    """Return the HTML pages of the demo portal by path; each article has its site as siblings."""
    portal = portal or build_portal()
    found = {}
    for path in sorted({*portal.articles, *portal.list_paths}):
        gold = portal.articles.get(path)
        facts = {}
        if gold:
            facts = {"title": gold.title, "date": gold.date, "author": gold.author or ""}
        html = portal.pages[path].body
        site = f"/{path.split('/')[1]}/"
        found[path] = Page(
            html=html,
            text=decode(html)[0],
            url=_HOST + path,
            kind=ARTICLE if gold else "list",
            gold=gold.text if gold else "",
            site=site.strip("/"),
            siblings=tuple(o for o in portal.articles if o.startswith(site) and o != path),
            optional=gold.optional if gold else (),
            language=gold.language if gold else None,
            facts=facts,
        )
    return found


def _make_page(html: bytes, entry: Mapping[str, Any], entries: Mapping[str, Any]) -> Page:
    same = entry.get("sameTemplate", [])
    near = dict.fromkeys((*same, *entry["siblings"]))
    return Page(
        html=html,
        text=decode(html)[0],
        url=entry["url"] or None,
        kind=entry["kind"],
        gold=entry["text"],
        site=entry.get("site") or "",
        siblings=tuple(key for key in near if key in entries),
        title_in_gold=bool(entry.get("titleInText")),
        optional=tuple(entry.get("optional") or ()),
        language=entry.get("lang"),
        scripts_ran=entry.get("capture") == "dom-dump",
        facts={name: _as_text(entry[name]) for name in FACTS if name in entry},
    )


def _as_text(fact: Any) -> str:
    return "; ".join(fact) if isinstance(fact, list) else fact or ""
