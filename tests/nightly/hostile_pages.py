"""Clean hostile pages of each kind, each in a process of its own under limits.

The pages are those of hostile/, in full size, drawn from seeds. A process that is killed, by a
fault of the parser or by a limit, is a crash; any other exception than `PageError` is uncaught.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.markdown import share, table
from tests.nightly.hostile.kinds import KINDS, make_page
from webclean_scrapy.cleaning.cleaner import Cleaner
from webclean_scrapy.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.nightly.hostile.draw import Hostile, Kind

URL = "https://harbour.invalid/news/2026/02/03/pier.html"
MOST_MEMORY = 4_000_000_000  # bytes of addresses that a process may have
MOST_SECONDS = 120  # of CPU that it may take
SMALL, LARGE = 5_000_000, 50_000_000  # bytes of pages that may take 2 and 10 seconds
SLOW = {SMALL: 2.0, LARGE: 10.0}
_KEEPS = ("parsed", "scanned")


@dataclass(frozen=True, slots=True)
class Fate:
    """Outcome of one page."""

    kind: str
    outcome: str  # "parsed", "scanned", "empty", "refused", "uncaught" or "crash"
    reason: str
    size: int  # bytes
    seconds: float  # of CPU
    peak: int  # bytes of memory of the process
    marks: int
    saved: int
    may_refuse: bool

    @property
    def is_slow(self) -> bool:
        """Return whether it took more than 2 seconds, or 10 when it has more than 5 MB."""
        return self.seconds > SLOW[SMALL if self.size <= SMALL else LARGE]


def measure_hostile(seed: int, kinds: Sequence[Kind] = KINDS) -> Iterator[Fate]:
    """Yield the outcome of each kind's page."""
    Cleaner().warm_up()
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            _in_process(_write, kind, seed, Path(folder))
            yield _fate(kind, Path(folder))


def _in_process(work: Any, *arguments: object) -> int:
    """Return the exit code of a forked process that does *work*; of a signal it is negative."""
    process = multiprocessing.get_context("fork").Process(target=work, args=arguments)
    process.start()
    process.join()
    return process.exitcode or 0


def _write(kind: Kind, seed: int, folder: Path) -> None:
    """Write the page to a file, and its expected properties to another."""
    page: Hostile = make_page(kind, seed)
    (folder / "page").write_bytes(page.body)
    known = {"marks": page.marks, "charset": page.charset, "may_refuse": page.may_refuse}
    (folder / "known").write_text(json.dumps(known), encoding="utf-8")


def _fate(kind: Kind, folder: Path) -> Fate:
    known = json.loads((folder / "known").read_text(encoding="utf-8"))
    result = folder / "result"
    result.unlink(missing_ok=True)
    code = _in_process(_read, known["charset"], folder)
    found = {"outcome": "crash", "reason": f"exit code {code}", "seconds": 0.0, "peak": 0}
    text = ""
    if result.exists():
        found = json.loads(result.read_text(encoding="utf-8"))
        text = " ".join(found.pop("text").split())
    return Fate(
        kind=kind.name,
        size=(folder / "page").stat().st_size,
        marks=len(known["marks"]),
        saved=sum(" ".join(mark.split()) in text for mark in known["marks"]),
        may_refuse=known["may_refuse"],
        **found,  # type: ignore[arg-type]
    )


def _read(charset: str | None, folder: Path) -> None:
    """Clean the page and write the outcome."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    body = (folder / "page").read_bytes()
    start = time.process_time()
    try:
        outcome, reason, text = _clean(body, charset)
    except PageError as error:
        outcome, reason, text = "refused", str(error), ""
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        outcome, reason, text = "uncaught", f"{type(error).__name__}: {error}"[:200], ""
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = {
        "outcome": outcome,
        "reason": reason,
        "seconds": seconds,
        "peak": peak * (1 if sys.platform == "darwin" else 1_024),
        "text": text,
    }
    (folder / "result").write_text(json.dumps(result), encoding="utf-8")


def _clean(body: bytes, charset: str | None) -> tuple[str, str, str]:
    """Return outcome, reason and text, with every field of the record computed."""
    page = Cleaner().clean(body, URL, charset=charset)
    json.dumps(page.to_dict(), ensure_ascii=False).encode()
    if not page.text:
        return "empty", page.kind_reason, ""
    return ("scanned" if page.fallback else "parsed"), page.fallback or "", page.text


def kinds_table(fates: Iterable[Fate]) -> str:
    """Return one line for each kind, the worst of its pages."""
    by_kind: dict[str, list[Fate]] = {}
    for fate in fates:
        by_kind.setdefault(fate.kind, []).append(fate)
    rows = []
    for name, pages in by_kind.items():
        outcomes = Counter(f"{page.outcome} {page.reason[:40]}".strip() for page in pages)
        rows.append(
            [
                name,
                "; ".join(outcomes),
                f"{max(page.size for page in pages) / 1e6:.2f}",
                f"{max(page.seconds for page in pages):.2f}",
                f"{max(page.peak for page in pages) / 1e6:.0f}",
                f"{sum(page.saved for page in pages)} of {sum(page.marks for page in pages)}",
            ]
        )
    return table(["kind", "outcome", "MB", "CPU s", "peak MB", "marks"], rows)


def totals_section(fates: Sequence[Fate]) -> str:
    """Return the totals over all pages, and each page with a problem."""
    outcomes = Counter(fate.outcome for fate in fates)
    slow = [fate for fate in fates if fate.is_slow]
    marks, saved = sum(f.marks for f in fates), sum(f.saved for f in fates)
    lines = [
        f"{len(fates)} pages: " + ", ".join(f"{n} {name}" for name, n in sorted(outcomes.items())),
        f"crashes: {outcomes['crash']}; uncaught: {outcomes['uncaught']}",
        f"too slow: {len(slow)}",
        f"peak: {max(fate.peak for fate in fates) / 1e6:.0f} MB",
        f"marks: {saved} of {marks} ({share(saved / max(marks, 1))})",
        f"refused or empty without a reason: {sum(map(_lacks_reason, fates))}",
        f"refused though text: {sum(f.outcome == 'refused' and not f.may_refuse for f in fates)}",
    ]
    lines += [
        f"- {f.kind}: {f.outcome} {f.reason}, {f.size / 1e6:.1f} MB, {f.seconds:.1f} s, "
        f"{f.saved} of {f.marks} marks"
        for f in fates
        if f.is_slow or f.saved < f.marks or not is_as_promised(f)
    ]
    return "\n".join(lines)


def _lacks_reason(fate: Fate) -> bool:
    return fate.outcome not in _KEEPS and not fate.reason


def is_as_promised(fate: Fate) -> bool:
    """Return True if a page was read, or if it has no text and was refused with a reason."""
    if fate.outcome in _KEEPS:
        return True
    may_be = fate.may_refuse or not fate.marks
    return bool(fate.reason) and may_be and fate.outcome in {"refused", "empty"}
