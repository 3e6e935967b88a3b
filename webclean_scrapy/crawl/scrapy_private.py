"""All uses of undocumented Scrapy API, in one place to check.

Read in the sources of Scrapy 2.14 to 2.19; the tests run on the oldest and the newest. Each
function says why no public way does. Where Scrapy has changed, it raises an AttributeError.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.downloadermiddlewares import cookies
from scrapy.exceptions import IgnoreRequest
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future

from webclean_scrapy.errors import WebcleanError
from webclean_scrapy.stats import LOST_FEED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

_OVER = "its time is over"
_LINE_FORMATS = frozenset({"jsonlines", "jsonl", "jl", "csv", "documents"})


@contextmanager
def one_sentence() -> Iterator[None]:
    """End ``scrapy crawl`` with one line for an error of ours before the start.

    A program, and a command that is not Scrapy's own, get the error itself. Why: Scrapy prints the
    traceback of what is raised while a command makes its process or a crawler is built.
    """
    try:
        yield
    except WebcleanError as error:
        if _ends_with_this_crawl():
            raise SystemExit(f"webclean_scrapy: {error}") from None
        raise


def _ends_with_this_crawl() -> bool:
    main: Any = sys.modules.get("scrapy.cmdline")
    frame = inspect.currentframe() if main else None
    while frame is not None and frame.f_code is not main.execute.__code__:
        frame = frame.f_back
    if frame is None:
        return False
    command = frame.f_locals["cmd"]
    is_scrapys = type(command).__module__.startswith("scrapy.commands.")
    return command.requires_crawler_process and (is_scrapys or command.crawler_process is None)


def _engine(crawler: Crawler) -> Any:
    return crawler.engine


async def fetch(crawler: Crawler, request: Request) -> Response | Request:
    """Fetch *request* through all downloader middlewares and download slots.

    A Request is returned when a middleware asks for another one.

    Why not ``engine.download_async``: what that fetches counts as a page of the crawl, in its log
    and for CLOSESPIDER_PAGECOUNT. Without the call of ``_slot`` the next page waits up to 5 s,
    until the engine looks for free places by itself.
    """
    try:
        return await maybe_deferred_to_future(_engine(crawler).downloader.fetch(request))
    finally:
        slot = getattr(crawler.engine, "_slot", None)
        if slot is not None:
            slot.nextcall.schedule()


async def fetch_directly(crawler: Crawler, request: Request) -> Response:
    """Fetch *request* without middlewares, scheduler and slots.

    Why: a page that is being rendered holds its place in a download slot, so what it asks for
    would wait for that place for ever.
    """
    handlers = _engine(crawler).downloader.handlers
    response: Response = await handlers.download_request_async(request)
    return response


def downloading(crawler: Crawler) -> Collection[Request]:
    """Return the requests in the downloader, waiting ones included.

    Why: no signal says of each request that no response will come of it.
    """
    active: Collection[Request] = _engine(crawler).downloader.active
    return active


def set_delay(crawler: Crawler, request: Request, seconds: float) -> None:
    """Set the delay of the slot of *request*, which is in the downloader.

    Why: the settings of a host are read when its first request comes, before its robots.txt is.
    """
    slot = _engine(crawler).downloader.slots[request.meta["download_slot"]]
    slot.delay = max(slot.delay, seconds)
    setattr(slot, "jitter" if hasattr(slot, "jitter") else "randomize_delay", 0)
    request.meta["autothrottle_dont_adjust_delay"] = True


def send_once(crawler: Crawler) -> None:
    """Send each request on a connection of its own.

    Why: between two polite requests many servers close the one kept open, also after each answer
    (HTTP/1.0), which Twisted does not look at. The next request then fails without being read, or
    Twisted repeats it and nothing counts that.
    """
    for scheme in ("http", "https"):
        pool = getattr(_engine(crawler).downloader.handlers._get_handler(scheme), "_pool", None)
        if pool is not None:  # of Twisted
            pool.persistent = False


def is_closing(crawler: Crawler) -> bool:
    """True if the crawl is being stopped.

    Why: the signal ``spider_closed`` comes only after the last page. Without ``_slot`` every
    crawl seems to be closing, and no sibling is fetched.
    """
    slot = getattr(crawler.engine, "_slot", None)
    return slot is None or slot.closing is not None


def is_full(crawler: Crawler) -> bool:
    """True if downloads are paused until items leave the pipelines.

    Why: an item there that waits for another page would wait for ever.
    """
    slot = _engine(crawler).scraper.slot
    return slot is None or slot.needs_backout()


def goes_to_callback(crawler: Crawler, response: Response) -> bool:
    """True if a callback of its own gets *response*, or is at it.

    Why: what a callback downloads itself is not told from what is scheduled.
    """
    slot, request = _engine(crawler).scraper.slot, response.request
    waiting = (one for _, one, *_ in slot.queue) if slot else ()
    return slot is not None and (request in slot.active or any(one is request for one in waiting))


def delay_of(crawler: Crawler, host: str) -> float:
    """Return the delay between requests to a host; 0.0 before the first one.

    Why: AutoThrottle and ``Crawl-delay`` change it while the crawl runs.
    """
    slot = _engine(crawler).downloader.slots.get(host)
    return float(slot.delay) if slot else 0.0


class Withdrawn(IgnoreRequest):
    """The request was withdrawn before it was sent."""


def withdraw(crawler: Crawler, chosen: Callable[[Request], bool]) -> None:
    """Cancel the *chosen* requests that wait for the delay of their host.

    Why: Scrapy sends them all before a crawl ends, also one that is being stopped.
    """
    for slot in _engine(crawler).downloader.slots.values():
        waiting = list(slot.queue)
        slot.queue.clear()
        slot.queue.extend(one for one in waiting if not chosen(one[0]))
        for request, answer in waiting:
            if chosen(request):
                answer.errback(Withdrawn(_OVER))


def stoppable_downloads(crawler: Crawler) -> Callable[[], None]:
    """Return a function that cancels all requests in the downloader.

    So a crawl that is being stopped waits for no response. Who has asked gets a `Withdrawn`: the
    engine, and pages that wait for siblings or parts. Why: Scrapy waits for each answer, three
    minutes by default. With a reactor that is not asyncio's, what is being sent is waited for.
    """
    handlers = _engine(crawler).downloader.handlers
    download = handlers.download_request_async
    sent: set[asyncio.Future[Response]] = set()

    async def download_until_stopped(request: Request) -> Response:
        answer = asyncio.ensure_future(download(request))
        sent.add(answer)
        try:
            await asyncio.wait([answer])
        finally:
            sent.discard(answer)
            answer.cancel()  # where its waiter is
        if answer.cancelled():
            raise Withdrawn(_OVER)
        response: Response = answer.result()
        return response

    def stop() -> None:
        withdraw(crawler, lambda _: True)
        for answer in [*sent]:
            answer.cancel()

    if is_asyncio_available():
        handlers.download_request_async = download_until_stopped
    return stop


def end_closing(crawler: Crawler) -> None:
    """Let a stopping crawl end once its pipelines are empty.

    Why: Scrapy looks for that only when a response is done. Behind the last response, items that
    ``start()`` yields may still be in the pipelines, and then the crawl would never end.
    """
    slot, spider = _engine(crawler).scraper.slot, crawler.spider
    if slot and slot.closing and slot.is_idle() and not slot.closing.called and spider:
        slot.closing.callback(spider)


def fetch_no_suffixes() -> None:
    """Let this process judge cookies by the list of public suffixes that is installed.

    Why: a cookie for a whole domain makes tldextract fetch a newer list from hosts that nobody
    named, and blocks the crawl meanwhile. Only its instance in Scrapy can be told not to.
    """
    cookies._split_domain.suffix_list_urls = ()


def has_cookies_for(crawler: Crawler, url: str) -> bool:
    """True if the default cookie jar has cookies for *url*."""
    middleware = crawler.get_downloader_middleware(cookies.CookiesMiddleware)
    if middleware is None:
        return False
    probe = Request(url)
    middleware.jars[None].add_cookie_header(probe)
    return b"Cookie" in probe.headers


def feed_slots(crawler: Crawler) -> tuple[Any, ...]:
    """Return the feed exporter's slots, one per open or future file.

    Why: there is a signal for the end of a file (``feed_slot_closed``, which carries its slot)
    but none for the items in it.
    """
    exporter = crawler.get_extension(FeedExporter)
    return tuple(exporter.slots) if exporter else ()


def feed_folders(crawler: Crawler) -> list[Path]:
    """Return the folders of local feeds, placeholders of the settings filled in."""
    paths = (
        Path(slot.storage.path).absolute().parent
        for slot in feed_slots(crawler)
        if isinstance(slot.storage, FileFeedStorage)
    )
    return list(dict.fromkeys(paths))


def _is_plain_file(slot: Any) -> bool:
    """True for a local file readable at any time; Parquet needs its end."""
    is_cut = slot.format == "parquet" or "postprocessing" in slot.feed_options
    return isinstance(slot.storage, FileFeedStorage) and not is_cut


def end_cut_line(slot: Any) -> None:
    """Complete the line cut by a killed crawl in a local file that is appended to.

    Otherwise the first item of this crawl would be in the same line, and readers would lose
    it. Why: the file must be changed before Scrapy opens it, and only its slot knows the file.
    """
    if not _is_plain_file(slot) or slot.file is not None:
        return
    if slot.format not in _LINE_FORMATS or slot.storage.write_mode != "ab":
        return
    with suppress(OSError), Path(slot.storage.path).open("rb+") as file:  # none, or empty
        file.seek(-1, os.SEEK_END)
        if file.read(1) != b"\n":
            file.write(b"\n")


def flush_feed(slot: Any) -> bool:
    """Flush a local feed file to the operating system; False for other feeds.

    A feed on a network, or one that is packed, is safe only once it is stored. Why: Scrapy
    flushes files when they are closed, at the end of the crawl.
    """
    if not _is_plain_file(slot):
        return False
    if slot.file is not None and not slot.file.closed:
        try:
            slot.file.flush()
        except OSError:  # the disk is full
            return False
    return True


def guard_export(
    crawler: Crawler,
    failed: Callable[[Any, Exception], None],
    unfinished: Callable[[str, Exception], None],
) -> Any:
    """Call *failed* with each item that the feed exporter could not write, and the error.

    And *unfinished* with the URI of a feed whose end could not be written; it counts as lost.
    Why: Scrapy logs the traceback of each and tells nobody, so the item would count as exported.
    Returns what the caller has to keep, as signals hold no reference; None without feeds.
    """
    exporter = crawler.get_extension(FeedExporter)
    if exporter is None:
        return None

    def item_scraped(item: Any, spider: Any) -> None:
        try:
            exporter.item_scraped(item, spider)
        except Exception as error:  # noqa: BLE001, whatever a feed raises, the item is not in it
            failed(item, error)

    close_slot = exporter._close_slot

    async def close_guarded(slot: Any, spider: Any) -> None:
        try:
            await close_slot(slot, spider)
        except Exception as error:  # noqa: BLE001, of the exporter; Scrapy handles those of storages
            crawler.stats.inc_value(f"{LOST_FEED}/{type(slot.storage).__name__}")
            unfinished(slot.uri, error)
        if isinstance(slot.storage, FileFeedStorage) and slot.file is not None:
            with suppress(OSError):
                slot.file.close()  # Scrapy closes none without an item

    exporter._close_slot = close_guarded  # type: ignore[method-assign]
    crawler.signals.disconnect(exporter.item_scraped, signal=signals.item_scraped)
    crawler.signals.connect(item_scraped, signal=signals.item_scraped)
    return item_scraped


def fail_run(crawler: Crawler) -> None:
    """Make Scrapy's command of this finished crawl exit with 1.

    Why: these commands look only for a crawler without a spider, one that could not begin.
    """
    if _ends_with_this_crawl():
        crawler.spider = None
