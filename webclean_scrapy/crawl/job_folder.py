"""What Scrapy keeps in JOBDIR, after a crawl that was killed or could not export its items.

Scrapy writes down which queues it has ("active.json") when a crawl ends, and every request that it
has seen at once. After a kill the requests that waited are lost, yet known as seen, so the next
crawl would never send them. It is the same with pages whose items could not be exported. So the
next crawl begins anew, and the index of fingerprints sees to it that only what is missing is
exported. Nothing is deleted: queue, seen requests and state of the spider are moved aside.

"active.json" is removed while a crawl runs, for one that stopped in good order writes it again.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from webclean_scrapy.crawl.log_lines import safe_logger

if TYPE_CHECKING:
    from pathlib import Path

logger = safe_logger(__name__)

QUEUE, SEEN, STATE = "requests.queue", "requests.seen", "spider.state"  # of Scrapy
ACTIVE = "active.json"  # in QUEUE
ASIDE = "webclean-aside"


class JobFolder:
    """The files of Scrapy in *directory*, a JOBDIR that this crawl has to itself."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def recover(self) -> None:
        """Move the files of a crawl that did not end in good order aside, with one warning."""
        if not (self._directory / QUEUE).is_dir() or self._has_queue():
            return
        aside = self._directory / ASIDE
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(exist_ok=True)
        for name in (STATE, SEEN, QUEUE):  # the queue last: it shows that there is work left
            with suppress(FileNotFoundError):
                (self._directory / name).replace(aside / name)
        logger.warning(
            "JOBDIR: the last crawl in %s was killed or could not export its items, so its queue "
            "is incomplete; this one begins anew and exports what is missing (the queue is in %s)",
            self._directory,
            ASIDE,
        )

    def begin(self) -> None:
        """Note that a crawl runs, once it has read its queue."""
        with suppress(OSError):
            (self._directory / QUEUE / ACTIVE).unlink()

    #: Note, once Scrapy has closed its queue, that the next crawl has to begin anew.
    spoil = begin

    def _has_queue(self) -> bool:
        """Whether Scrapy can read its queue: it was written, and the disk was not full."""
        try:
            json.loads((self._directory / QUEUE / ACTIVE).read_bytes())
        except (OSError, ValueError):
            return False
        return True
