# ruff: noqa: E501, the scripts
"""What a real browser does with hostile pages, and with what is made of them."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from html import escape
from typing import TYPE_CHECKING

from itemadapter import ItemAdapter
from markdown_it import MarkdownIt
from playwright.sync_api import sync_playwright

from tests.xss import VECTORS, hostile_page
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.cleaning.config import CleanConfig
from webclean_scrapy.commands.page_formats import as_html, as_markdown, as_tei
from webclean_scrapy.items import ArticleItem, fill_item
from webclean_scrapy.report.explain import GivenPage, explain_page, inspect_page
from webclean_scrapy.report.explain_page import render_explanation
from webclean_scrapy.report.explain_text import render_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from playwright.sync_api import Page, Route

CHROMIUM = shutil.which("chromium")
SITE = "http://site.test"
RAW = "raw page"
#: The outputs, and the types as which they are opened.
KINDS = {
    RAW: "text/html",
    "articleBodyHtml": "text/html",
    "html": "text/html",
    "markdown": "text/html",  # as a renderer shows it that lets HTML through
    "xml-tei": "application/xml",
    "explain": "text/plain",
    "explain page": "text/html",
}
#: In every document: counts what a script of it can do.
COUNT = """(() => {
  const seen = (what) => { top.fired = top.fired || []; top.fired.push(location.pathname + ' ' + what) };
  window.fire = seen;
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => seen(name);
  Object.defineProperty(Document.prototype, 'cookie', {get() { seen('cookie'); return '' }});
})()"""
#: Does in every frame what a reader could: presses, points, writes; links to pages are not followed.
USE = """() => {
  const NAMES = ['click', 'mouseover', 'mouseenter', 'pointerdown', 'focus', 'input', 'change',
    'toggle', 'animationstart', 'submit', 'keydown', 'wheel'];
  const isAddress = /^(https?|mailto|tel|ftp):/;
  const windows = Array.from({length: frames.length}, (_, at) => frames[at]).filter((one) => { try { return one.document } catch { return false } });
  for (const view of windows) {
    view.addEventListener('click', (event) => {
      const link = event.target.closest && event.target.closest('a, area');
      if (link && isAddress.test(link.href)) event.preventDefault();
    }, true);
    for (const one of [...view.document.querySelectorAll('*')].slice(0, 2000)) {
      for (const name of NAMES)
        try { one.dispatchEvent(new view.MouseEvent(name, {bubbles: false, cancelable: true})) } catch {}
      if (one.matches('a, area, button, summary, input')) try { one.click() } catch {}
    }
  }
}"""


@dataclass
class Seen:
    """Names of the vectors that fired, and that asked for more than pictures, by kind of output."""

    fired: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    asked: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    urls: list[str] = field(default_factory=list)  # that were asked for, with kind and type


def outputs_of(page: str, *, explains: bool = True) -> dict[str, str]:
    """Return what is made of *page*, by kind."""
    url = f"{SITE}/news/1.html"
    cleaned = Cleaner(CleanConfig()).clean(page, url)
    item = ArticleItem(url=url)
    fill_item(ItemAdapter(item), cleaned.to_dict(), None)
    html = item.articleBodyHtml or ""
    inner = json.dumps(html).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    again = "document.body.innerHTML = document.body.innerHTML"
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return {
        RAW: page,
        "articleBodyHtml": (
            f"<!DOCTYPE html><meta charset=utf-8><body>{html}"
            f"<script>document.body.innerHTML += {inner}; {again}</script>"
        ),
        "html": as_html(item),
        "markdown": f"<meta charset=utf-8>{renderer.render(as_markdown(item))}",
        "xml-tei": as_tei(item),
        "explain": _explained(page, url) if explains else "",
        "explain page": _explained_page(page, url) if explains else "",
    }


def _explained(page: str, url: str) -> str:
    explanation = explain_page(GivenPage(url, page.encode()), CleanConfig(), [], {})
    return render_text(explanation) + json.dumps(asdict(explanation), ensure_ascii=False)


def _explained_page(page: str, url: str) -> str:
    return render_explanation(inspect_page(GivenPage(url, page.encode(), url), CleanConfig()))


def watch(documents: Mapping[str, str], kinds: Iterable[str]) -> Seen:
    """Open *documents*, by path, in one browser; return what they did."""
    seen = Seen()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        context = browser.new_context(service_workers="block")
        context.add_init_script(COUNT)
        context.route("**/*", lambda route: _answer(route, documents, seen))
        for kind in kinds:
            paths = [path for path in documents if path.startswith(f"/{_slug(kind)}/")]
            tab = context.new_page()
            _open(tab, paths)
            for line in tab.evaluate("top.fired || []"):
                _note(seen, line, kind)
            tab.close()
        browser.close()
    return seen


def _open(tab: Page, paths: list[str]) -> None:
    frames = "".join(f'<iframe src="{escape(path)}"></iframe>' for path in paths)
    tab.route(f"{SITE}/", lambda route: route.fulfill(body=frames, content_type="text/html"))
    tab.goto(f"{SITE}/", wait_until="load")
    tab.evaluate(USE)
    tab.wait_for_timeout(300)


def _note(seen: Seen, line: str, kind: str) -> None:
    path, _, what = line.rpartition(" ")
    seen.fired[kind].add(_name_of(path, what))


def _name_of(path: str, what: str = "") -> str:
    """Return the vector that a document has, or that calls itself by its number."""
    number = what if what.isdigit() else (re.findall(r"/(\d+)$", path) or [""])[0]
    return list(VECTORS)[int(number)] if number else what or path


def _answer(route: Route, documents: Mapping[str, str], seen: Seen) -> None:
    request = route.request
    path = request.url.removeprefix(SITE)
    if path in documents:
        kind = next(kind for kind in KINDS if path.startswith(f"/{_slug(kind)}/"))
        route.fulfill(body=documents[path], content_type=f"{KINDS[kind]}; charset=utf-8")
        return
    if request.resource_type != "image" or not path.startswith(("http", "/")):
        of = next((k for k in KINDS if f"/{_slug(k)}/" in request.frame.url), "")
        seen.asked[of].add(_name_of(request.frame.url))
        seen.urls.append(f"{of}: {request.resource_type} {request.url}")
    route.abort()


def _slug(kind: str) -> str:
    return kind.replace(" ", "-")


def all_outputs(*, explains: bool = True) -> dict[str, dict[str, str]]:
    """Return what is made of every vector, by its name and by kind."""
    return {
        name: outputs_of(hostile_page(number, name), explains=explains)
        for number, name in enumerate(VECTORS)
    }


def documents_of(outputs: Mapping[str, Mapping[str, str]], kind: str) -> dict[str, str]:
    """Return a document for each vector, by its path."""
    return {
        f"/{_slug(kind)}/{number}": outputs[name][kind]
        for number, name in enumerate(VECTORS)
        if name in outputs
    }


def bundles_of(outputs: Mapping[str, Mapping[str, str]], kind: str, size: int) -> dict[str, str]:
    """Return documents of *size* vectors each, one behind the other, by their paths."""
    texts = list(documents_of(outputs, kind).values())
    return {
        f"/{_slug(kind)}/bundle{at}": "<hr>".join(texts[at : at + size])
        for at in range(0, len(texts), size)
    }
