"""The tables of a crawl's report: least confident pages, copies, sites, templates, lost pages."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from webclean_scrapy.report.crawl_figures import COPIES, NOT_ARTICLES
from webclean_scrapy.report.wording import CUT, size_of
from webclean_scrapy.stored.host import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from webclean_scrapy.report.crawl_figures import Figures

SHOWN = {"hosts": 200, "templates": 200, "clusters": 100, "least": 50}
SHOWN_PAGES = 3  # of those that a template was learned from
_STAGES = {
    "status": "answered with status {}",
    "clean": "could not be cleaned: {}",
    "callback": "a callback failed: {}",
}
_ERRORS = {"not_html": "not HTML", "too_large": "too large", "no_page": "no page"}
_ON_PURPOSE = frozenset({"item/not_article", "item/low_confidence", "item/short"})


class Page(NamedTuple):
    """A page of the crawl; without *href* where it has no address that can be opened."""

    text: str
    href: str = ""
    command: str = ""  # that explains it


def page_of(url: str, file: str = "") -> Page:
    """Return *url* as a link, and the command that explains its page in *file*.

    Only what is whole and of the web is a link: ``javascript:`` and the like stay text.
    """
    if not url.startswith(("http://", "https://")) or url.endswith(CUT):
        return Page(url)
    command = f"webclean explain {shlex.quote(url)} --html {file}" if file else ""
    return Page(url, url, command)


def least_row(place: int, row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "page": page_of(row["url"], f"explain-{place}.html")}


def cluster_row(row: Mapping[str, Any]) -> dict[str, Any]:
    copies = [{**copy, "page": page_of(copy["url"])} for copy in row["copies"]]
    hosts = {host_of(copy["url"]) for copy in copies} - {host_of(row["name"])}
    return {
        **row, "page": page_of(row["name"]), "copies": copies, "hosts": len(hosts),
        "more": row["size"] - len(copies),
    }  # fmt: skip


def template_rows(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the URL shapes with articles or siblings, and what was learned of each."""
    learned: dict[str, list[Mapping[str, Any]]] = {}
    for view in data["templates"]:
        learned.setdefault(view["shape"], []).append(view)
    rows = []
    for row in data["shapes"]["rows"]:
        views = learned.get(row["name"], [])
        if not (row["articles"] or row["siblings"]):
            continue
        pages = [url for view in views for url in view["pages"]]
        least = row["least"]
        rows.append({
            **row,
            "mean": row["confidence"] / row["rated"] if row["rated"] else None,
            "count": len(views), "keys": sum(view["keys"] for view in views),
            "size": size_of(sum(view["nbytes"] for view in views)),
            "body": next((view["body"] for view in views if view["body"]), ""),
            "pages": [page_of(url) for url in pages[:SHOWN_PAGES]],
            "learned_from": len(pages),
            "least": (least[0], page_of(least[1])) if least else None,
        })  # fmt: skip
    return rows


def host_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "mean": row["confidence"] / row["rated"] if row["rated"] else None,
        "size": size_of(row["nbytes"]),
        "sibling_size": size_of(row["sibling_nbytes"]) if row["siblings"] else "",
    }


def lost_rows(data: Mapping[str, Any], figures: Figures) -> list[dict[str, Any]]:
    """Return the reasons of losses: faults first, then what was dropped on purpose."""
    rows = data["reasons"]["rows"]
    faults = [_lost(row) for row in rows if row["name"] not in _ON_PURPOSE]
    return [*faults, *_unseen(figures), *(_lost(row) for row in rows if row["name"] in _ON_PURPOSE)]


def _lost(row: Mapping[str, Any]) -> dict[str, Any]:
    stage, _, reason = row["name"].partition("/")
    what = _STAGES.get(stage, "").format(_ERRORS.get(reason, reason)) or _say_item(reason)
    pages = [
        {"page": page_of(example["url"]), "detail": example["detail"]}
        for example in row["examples"]
    ]
    return {"what": what, "count": row["size"], "examples": pages}


def _say_item(reason: str) -> str:
    kind, _, name = reason.partition("/")
    known = {**NOT_ARTICLES, **COPIES}
    if kind in known:
        return f"dropped: {known[kind]}"
    return f"dropped by {name}" if kind == "dropped" else f"a pipeline failed: {name}"


def _unseen(figures: Figures) -> list[dict[str, Any]]:
    """Return what no signal has an example of: downloads without a response."""
    return [
        {"what": f"no response: {name}", "count": count, "examples": []}
        for name, count in sorted(figures.failures.items(), key=lambda one: -one[1])
    ]


def say_rest(groups: Mapping[str, Any], shown: int, what: str, size: str) -> str:
    """Return how many groups are not shown, "" when all are."""
    hidden = groups["rows"][shown:]
    count = len(hidden) + groups["left_out"]
    total = sum(row.get("size", row.get("fetched", 0)) for row in hidden) + groups["left_out_size"]
    return f"{count:,} smaller {what} are not shown ({total:,} {size})." if count else ""


def say_more(count: int, shown: int, what: str) -> str:
    return f"{count - shown:,} smaller {what} are not shown." if count > shown else ""
