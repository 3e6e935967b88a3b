"""Lock JOBDIR for one crawl, and recover it after a crawl that was killed or lost items.

Scrapy writes down which queues it has ("active.json") when a crawl ends, and every request that it
has seen at once. After a kill the requests that waited are lost, yet known as seen; it is the same
with pages whose items could not be exported. So the next crawl begins anew, and by the index of
fingerprints only what is missing is exported. A crawl that stops in good order writes "active.json"
again, so it is removed while one runs.
"""

from __future__ import annotations

import errno
import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from scrapy.utils.job import job_dir

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = safe_logger(__name__)

LOCK_FILE = "webclean.lock"
ASIDE = "webclean-aside"
QUEUE, SEEN, STATE = "requests.queue", "requests.seen", "spider.state"  # of Scrapy
ACTIVE = "active.json"  # in QUEUE
#: Errors of a folder that cannot be written to; others are of file systems that know no locks.
_CLOSED = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR}
)


class JobFolder:
    """A JOBDIR locked by one crawl until `release`, or until its process ends.

    *has_index*: of fingerprints. Without one a crawl cannot begin anew, as it would export twice.
    *was_finished*: the last crawl has fetched all that it had found.
    """

    def __init__(self, directory: Path, *, has_index: bool) -> None:
        """Raises ConfigError when another crawl holds it, or nothing can be written there."""
        self.directory = directory
        self._queue = directory / QUEUE
        self._has_index = has_index
        self._lock = FileLock(directory / LOCK_FILE, mode=0o600, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise ConfigError(
                f"JOBDIR: a crawl that is running uses {directory}; wait until it has ended, or "
                "give this one a folder of its own"
            ) from None
        except (OSError, NotImplementedError) as error:
            if isinstance(error, OSError) and error.errno in _CLOSED:
                raise _unusable(directory, error) from error
            logger.warning("JOBDIR %s is not protected from a second crawl: %s", directory, error)
        queues = self._read_queues()
        if has_index and queues is None and self._queue.is_dir():
            self._recover()
        seen = directory / SEEN
        self.was_finished = queues in ({}, []) and seen.is_file() and seen.stat().st_size > 0

    @classmethod
    def of(cls, settings: BaseSettings, *, has_index: bool) -> JobFolder | None:
        """Return the crawl's JOBDIR, created if needed; None without one. Raises ConfigError."""
        try:
            directory = job_dir(settings)
        except OSError as error:
            raise _unusable(settings["JOBDIR"], error) from error
        return cls(Path(directory), has_index=has_index) if directory else None

    def mark_incomplete(self) -> None:
        """Note that the next crawl has to begin anew, unless Scrapy closes its queue after this."""
        if self._has_index:
            with suppress(OSError):
                (self._queue / ACTIVE).unlink()

    def release(self) -> None:
        """Let the next crawl use the folder."""
        self._lock.release()

    def _read_queues(self) -> object:
        """Return Scrapy's list of its queues; None if it is missing or cut."""
        with suppress(OSError, ValueError, RecursionError):
            return json.loads((self._queue / ACTIVE).read_bytes())
        return None

    def _recover(self) -> None:
        """Move files of an interrupted crawl aside, with one warning."""
        aside = self.directory / ASIDE
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(exist_ok=True)
        for name in (STATE, SEEN, QUEUE):  # the queue last: it shows that there is work left
            with suppress(FileNotFoundError):
                (self.directory / name).replace(aside / name)
        logger.warning(
            "JOBDIR: the last crawl in %s was killed or could not export its items; this "
            "one begins anew and exports what is missing",
            self.directory,
        )


def _unusable(directory: Path | str, error: OSError) -> ConfigError:
    return ConfigError(
        f"JOBDIR: {directory} cannot be written to: {error.strerror or error}; give the crawl a "
        "folder of its own on a disk with space"
    )
