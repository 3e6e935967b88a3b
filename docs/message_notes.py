"""What each message of a crawl means and what to do, by a pattern that finds it in the source.

The messages themselves are read from the package (docs/messages.py): nothing of them is repeated
here. The first note whose pattern is in a message, and whose place begins its file's path, is its
note. docs/command_notes.py has those of the commands and of the library.
"""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """One row of docs/troubleshooting.md."""

    pattern: str  # regular expression
    means: str
    do: str
    place: str = ""  # what the path of the file below the package begins with


CRAWL_NOTES: dict[str, tuple[Note, ...]] = {  # by the headings of the page
    "Settings, at the start of a crawl": (
        Note(
            r"^Unknown setting",
            "the name begins with `WEBCLEAN_` and is none of ours; a warning, the crawl continues",
            "take the name that the message offers, or one of [settings.md](settings.md)",
        ),
        Note(
            r"must be \.\.\., got|without control characters",
            "a value has the wrong type or is out of range; the message names what is allowed",
            "correct it; [settings.md](settings.md) has unit and default",
            "settings/",
        ),
        Note(
            r"cannot import|is not a class|must be True, False or a list of classes",
            "`WEBCLEAN_ITEMS`, or `webclean_items` of a spider, names something that is no class",
            "write the import path of the class: [item.md](item.md#which-items-are-filled)",
        ),
        Note(
            r"^WEBCLEAN_ENABLED is False",
            "the add-on is turned off",
            "remove the setting to clean pages",
        ),
        Note(
            r"is not enabled in EXTENSIONS",
            "a component is in the settings without the add-on's extension",
            "add the line to `ADDONS`; remove components that were placed by hand",
        ),
        Note(
            r"needs \.\.\.; install it",
            "a library of an extra is missing",
            "run the command in the message: "
            "[getting-started.md](getting-started.md#5-install-what-you-need)",
        ),
        Note(
            r"^(WEBCLEAN_KEYWORD_METHOD|\.\.\.(DEDUP_\.\.\.|INTEREST_PROFILE|CLASS_MODEL)"
            r"|WEBCLEAN_DEDUP_(URI|IDF_COUNT|METHOD or WEBCLEAN_DEDUP_URI)): ",
            "the file or the library that the setting needs cannot be used; the rest of the line "
            "says why",
            "look for the rest of the line on this page",
        ),
        Note(
            r"^cannot read \.\.\.: |expected a word and a number|is no word count file",
            "a file of words (`WEBCLEAN_DEDUP_STOP_WORDS`, `_USER_WORDS`, `_IDF`, `_IDF_COUNT`) is "
            "missing, not UTF-8, or has another form",
            "correct the line that is named: [deduplication.md](deduplication.md#your-own-words)",
            "keywords/",
        ),
        Note(
            r"^url must be a URL",
            "the spider arguments `url` and `max_pages` are not what they should be",
            "`scrapy crawl site -a url=https://www.example.com/ -a max_pages=100`",
            "spiders/",
        ),
    ),
    "JOBDIR, disk and feeds of a crawl": (
        Note(
            r"^JOBDIR: \.\.\. cannot be written to",
            "the folder is read-only, full, or a file",
            "name another folder, or make room",
        ),
        Note(
            r"a crawl that is running uses",
            "two crawls must not share one `JOBDIR`",
            "wait, or give each crawl its own; the lock ends with its process, however that ends",
        ),
        Note(
            r"is not protected from a second crawl",
            "the file system has no locks (some network disks); the crawl continues",
            "see to it that no second crawl uses the folder",
        ),
        Note(
            r"the last crawl in",
            "after a kill Scrapy's queue is incomplete",
            "nothing: pages are fetched again and what is missing is exported "
            "([deduplication.md](deduplication.md#what-is-safe-when))",
        ),
        Note(
            r"less than WEBCLEAN_MIN_FREE_MB",
            "the disk of `JOBDIR` or of a feed is nearly full, so the crawl ends in good order",
            "make room and give the same command again",
        ),
        Note(
            r"[Aa](n item| feed) could not (be written|write)",
            "the feed's disk or server refused an item; it is not counted as exported",
            "correct the cause; the next crawl with the same index exports what is missing",
        ),
        Note(
            r"[Ww]ord counts of this crawl are not saved",
            "`WEBCLEAN_DEDUP_IDF_COUNT` cannot be written",
            "make the file writable; the articles are not touched by this",
        ),
    ),
    "The index of near-duplicates": (
        Note(
            r"created with other settings",
            "an index keeps the method and the words it was made with, and these differ",
            "take back the setting that is named, or begin a new index (another file or prefix)",
        ),
        Note(
            r"of another program|belong to another program",
            "the file or the keys hold something else; nothing was changed",
            "name another file, or another `prefix`",
        ),
        Note(
            r"^damaged ",
            "bytes of the index are not what was written: a disk, or another program",
            "begin a new index; `webclean dedup` fills it from the feeds that you have",
        ),
        Note(
            r"^unknown store",
            "`WEBCLEAN_DEDUP_URI` is none of the known kinds",
            "[deduplication.md](deduplication.md#where-fingerprints-are-kept) lists them",
        ),
        Note(
            r"^method \.\.\. does not support",
            "Redis compares by `codes` only",
            '`WEBCLEAN_DEDUP_METHOD = "codes"`, or a local index',
        ),
        Note(
            r"continues without de-duplication",
            "the index could not be opened, and `WEBCLEAN_DEDUP_ON_ERROR` is `continue`",
            "remove copies later: [recipes.md](recipes.md#remove-copies-from-feeds-that-exist)",
        ),
        Note(
            r"^Items are not de-duplicated until|requests are paused until a retry|^request skipped"
            r"|no answer when the crawl ended",
            "the index does not answer; items pass and are counted under `webclean/dedup/failed`. "
            "The rest of the line names the cause",
            "nothing during the crawl: it is tried again by itself. Afterwards as above",
        ),
        Note(
            r"copies could not wait so long",
            "an item was lost in a later pipeline after its copies had been dropped",
            "crawl again with the same index: the text is missing there, so it is exported",
        ),
        Note(
            r"near-duplicate|exported before",
            "a copy was dropped (DEBUG); the line names the page it repeats",
            "[faq.md](faq.md#why-was-my-article-dropped-as-a-duplicate)",
        ),
        Note(
            r"is too short to compare with other pages",
            '`WEBCLEAN_DEDUP_SHORT` is "drop", and the text has fewer than eight feature codes',
            'set it to "keep"',
        ),
    ),
    "Redis and SQLite": (
        Note(
            r"maxmemory-policy",
            "the server may throw fingerprints away when its memory is full; later copies of these "
            "pages pass",
            "`redis-cli config set maxmemory-policy noeviction`, and in `redis.conf`",
        ),
        Note(
            r"Redis URI|^several hosts need|needs hosts with commas"
            r"|needs the name that the sentinels|a cluster has database 0|is an option of rediss",
            "a part of the URI is wrong; it is not shown where it could hold a password",
            "[several-machines.md](several-machines.md#the-address-of-the-index); in a password "
            "`/`, `?`, `#`, `@` are written `%2F`, `%3F`, `%23`, `%40`",
        ),
        Note(
            r"^(the fingerprint store )?(\.\.\. )+is not available: |^no node of the cluster ",
            "no answer, or a refusal: the rest of the line is in the words of the server or of "
            "SQLite (wrong password, a replica, no memory, loading, locked, disk full)",
            "`webclean doctor` looks at both: [several-machines.md]"
            "(several-machines.md#when-the-server-fails)",
            "dedup/",
        ),
        Note(
            r"^An entry of the queue is no address",
            "something else than an address, or JSON with one, was put into the list of a "
            "`QueuedPagesSpider`; it is left out and counted",
            "look at what writes into the list; "
            "[several-machines.md](several-machines.md#pages-from-a-queue)",
        ),
        Note(
            r"^The queue is not available",
            "the server of the queue does not answer; the crawl waits for it",
            "nothing: it goes on by itself",
        ),
        Note(
            r"^invalid shared templates",
            "what another crawl has published cannot be read; it is left out",
            "nothing; with versions that differ, another `prefix` for each",
        ),
    ),
    "Pages and items": (
        Note(
            r"is passed through unchanged",
            "the page cannot be cleaned; its item has `error` and `message` in its record",
            "the rest of the line says why: below",
        ),
        Note(
            r"^page too large",
            "the page has more bytes, tags, attributes or levels than a parser should see; up to "
            "`WEBCLEAN_MAX_SCAN_BYTES` it is read without a parser",
            "nothing, or raise `WEBCLEAN_MAX_BODY_BYTES`",
        ),
        Note(
            r"^(bytes|tags|attributes on one tag|lines of text|levels of nested elements"
            r"|alignment cells)$",
            "what there is too much of, in the message above",
            "as above",
        ),
        Note(
            r"^not an HTML page",
            "the server says HTML and sends something else: a PDF, a picture, packed bytes",
            "leave such links out; nothing is wrong with the crawl",
        ),
        Note(
            r"is not an article",
            "an item was dropped (DEBUG), because `WEBCLEAN_DROP_NON_ARTICLES` is on",
            "[faq.md](faq.md#why-is-an-article-not-taken-for-one)",
        ),
        Note(
            r"the body has a confidence of",
            "an item was dropped (DEBUG), because it is below `WEBCLEAN_MIN_CONFIDENCE`",
            'a smaller minimum, or `WEBCLEAN_LOW_CONFIDENCE = "flag"`',
        ),
        Note(
            r"has no place for",
            "the item class lacks fields of an article; said once for each class",
            "add the fields you want to the class: [item.md](item.md)",
        ),
    ),
    "Worker processes": (
        Note(
            r"^a worker process (died|needed longer)",
            "part of the messages below: what became of one page; `worker_died` or "
            "`worker_timeout` in its record",
            "as below",
        ),
        Note(
            r"^A worker process \.\.\.; another",
            "it died (memory, a kill) or exceeded `WEBCLEAN_WORKER_TIMEOUT_S`; its page is read "
            "without a parser",
            "once: nothing. Often: fewer `WEBCLEAN_WORKERS`, or a longer limit",
        ),
        Note(
            r"^A worker process (did not start|cannot be started)",
            "the crawl's own process cleans, and is slower",
            "the line names the cause; mostly memory, or a sandbox without processes",
        ),
        Note(
            r"did not end in",
            "workers still had work when the crawl ended",
            "nothing; templates of their last pages are learned again",
        ),
    ),
    "The browser": (
        Note(
            r"^WEBCLEAN_RENDER needs",
            "the browser or the reactor that rendering needs is not there",
            "[rendering.md](rendering.md#turning-it-on)",
        ),
        Note(
            r"^The browser ended unexpectedly",
            "Chromium died, often of memory; another is started",
            "once: nothing. Often: fewer `WEBCLEAN_RENDER_TABS`",
        ),
        Note(
            r"^The browser did not start",
            "pages are cleaned as they were downloaded",
            "the line names the cause; `webclean doctor` looks for Chromium",
        ),
    ),
    "Templates and siblings": (
        Note(
            r"^Templates of the previous run are skipped|^cannot read learned templates"
            r"|; delete it to learn the templates again|^invalid learned paths",
            "the file of learned templates is damaged or of another version",
            "delete it, or let it be: templates are learned again",
        ),
        Note(
            r"the learned templates could not be written",
            "`JOBDIR` took the queue but not the templates",
            "make room; the next run learns them again",
        ),
        Note(
            r"^The sibling search for",
            "a fault of ours; the page is cleaned without a sibling",
            "report it with the traceback",
        ),
        Note(
            r"saved (page|template)|cluster's tree|tree of a cluster|path without a vote",
            "part of the messages above: what is damaged in the file",
            "as above",
            "cleaning/",
        ),
    ),
}
