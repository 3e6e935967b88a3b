"""Compare the records exported by a crawl of the demo portal with its gold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from spiders.demo.model import group_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from spiders.demo.model import GoldArticle

SHORTENED = 0.85  # most characters of a shortened copy, as a share of those of the longer page
MOST_OF_IT = 0.75  # least characters of a page that stands for its group


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Differences between exported records and gold. Paths are in sorted order.

    The pages of one text are a group; a perfect crawl exports exactly one page of each group,
    whichever it crawled first. Beside a teaser or a shortened copy, the longer page that came
    later is its update, when it is marked so. A teaser alone does not stand for its article.
    """

    expected: int  # groups
    exported_once: int  # groups of which exactly one page was exported, once
    missing: tuple[str, ...]  # original's path of each group of which no whole page was exported
    extra: tuple[str, ...]  # exported pages that are not articles
    doubled: tuple[str, ...]  # pages exported more than once
    reposts: int  # pages that should have been dropped
    reposts_dropped: int
    reposts_kept: tuple[str, ...]  # pages exported beside another of their group, not as updates
    updates: tuple[str, ...]  # pages exported as the longer version of another of their group
    bodies: int  # exported article pages whose body was compared
    bodies_equal: int
    titles_equal: int
    quoting: int  # follow-ups that repeat a paragraph, and the articles it is from
    quoting_whole: int  # of these, exported with a body that equals the gold
    differences: Mapping[str, str]  # path -> where the exported body differs from the gold

    @property
    def body_share(self) -> float:
        """Share of the compared bodies that equal the gold, 0..1; 1 without any."""
        return self.bodies_equal / self.bodies if self.bodies else 1.0

    @property
    def complete(self) -> bool:
        """True if each article was exported once and no repost; bodies are not compared."""
        return self.exported_once == self.expected and not self.extra


def compare(records: Iterable[Mapping[str, Any]], gold: Mapping[str, GoldArticle]) -> Comparison:
    """Compare *records* (with url, headline, articleBody) with *gold* (by path).

    Texts are equal when they are after runs of white space become one blank, with or without the
    optional lines of the gold. A record without a path of the gold is "extra". Cost: linear in
    the text.
    """
    exported_records = list(records)
    counts = Counter(path_of_url(str(record["url"])) for record in exported_records)
    exported = {path: n for path, n in counts.items() if path in gold}
    updates = {path for record in exported_records if (path := _update(record, gold))}
    groups = group_paths(gold).values()
    missing, kept, once, dropped = [], [], 0, 0
    for group in groups:
        pages = [path for path in group if path in exported]
        first = [path for path in pages if path not in updates]
        if _longest(pages, gold) < MOST_OF_IT * _longest(group, gold):
            missing.append(group[0])
        elif [exported[path] for path in first] == [1]:
            once += 1
        kept += first[1:]
        dropped += len(group) - max(1, len(pages))
    differences, titles = _compare_texts(exported_records, gold)
    quoting = {path for path in gold if gold[path].quotes}
    quoting |= {article.quotes for article in gold.values() if article.quotes}
    return Comparison(
        expected=len(groups),
        exported_once=once,
        missing=tuple(sorted(missing)),
        extra=tuple(sorted(set(counts) - set(exported))),
        doubled=tuple(sorted(path for path, n in exported.items() if n > 1)),
        reposts=sum(len(group) - 1 for group in groups),
        reposts_dropped=dropped,
        reposts_kept=tuple(sorted(kept)),
        updates=tuple(sorted(updates)),
        bodies=len(exported),
        bodies_equal=len(exported) - len(differences),
        titles_equal=titles,
        quoting=len(quoting),
        quoting_whole=len(quoting & exported.keys() - differences.keys()),
        differences=differences,
    )


def path_of_url(url: str) -> str:
    """Return path and query of a URL: the key of a page in the portal."""
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def _longest(paths: Iterable[str], gold: Mapping[str, GoldArticle]) -> int:
    return max((len(gold[path].text) for path in paths), default=0)


def _update(record: Mapping[str, Any], gold: Mapping[str, GoldArticle]) -> str:
    """Return the path of the page marked as the longer version in its group, or ""."""
    path = path_of_url(str(record["url"]))
    earlier = path_of_url(str((record.get("webclean") or {}).get("duplicate_of", "")))
    if path not in gold or earlier not in gold:
        return ""
    same_text = len({gold[one].repost_of or one for one in (earlier, path)}) == 1
    is_longer = len(gold[earlier].text) <= SHORTENED * len(gold[path].text)
    return path if same_text and is_longer else ""


def _compare_texts(
    records: list[Mapping[str, Any]], gold: Mapping[str, GoldArticle]
) -> tuple[dict[str, str], int]:
    differences: dict[str, str] = {}
    titled: set[str] = set()
    for record in records:
        path = path_of_url(str(record["url"]))
        if path not in gold:
            continue
        if _squeeze(record.get("headline")) == _squeeze(gold[path].title):
            titled.add(path)
        actual, expected = _squeeze(record.get("articleBody")), _squeeze(gold[path].text)
        if actual != expected and actual != _squeeze("\n".join((expected, *gold[path].optional))):
            differences[path] = _first_difference(actual, expected)
    return dict(sorted(differences.items())), len(titled)


def _squeeze(text: Any) -> str:
    return " ".join(str(text or "").split())


def _first_difference(actual: str, expected: str) -> str:
    """Return how the texts differ between their common start and their common end."""
    head = next(
        (n for n, (a, b) in enumerate(zip(actual, expected, strict=False)) if a != b),
        min(len(actual), len(expected)),
    )
    rest, goal = actual[head:][::-1], expected[head:][::-1]
    tail = next(
        (n for n, (a, b) in enumerate(zip(rest, goal, strict=False)) if a != b),
        min(len(rest), len(goal)),
    )
    surplus = actual[head : len(actual) - tail]
    lacking = expected[head : len(expected) - tail]
    return f"at character {head}: got {_short(surplus)}, expected {_short(lacking)}"


def _short(text: str, limit: int = 80) -> str:
    return repr(text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)")
