"""One crawl at a time in a JOBDIR: two would mix their queues and overwrite their templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.file_modes import PRIVATE

if TYPE_CHECKING:
    from pathlib import Path

logger = safe_logger(__name__)

LOCK_FILE = "webclean.lock"  # in JOBDIR


class JobLock:
    """Holds *directory* until `release`, or until the process ends, however it does.

    Where the file system knows no locks, a warning says so.
    Raises: ConfigError when another crawl holds it.
    """

    def __init__(self, directory: Path) -> None:
        self._lock = FileLock(directory / LOCK_FILE, mode=PRIVATE, thread_local=False)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise ConfigError(
                f"JOBDIR: a crawl that is running uses {directory}; wait until it has ended, or "
                "give this one a folder of its own"
            ) from None
        except (OSError, NotImplementedError) as error:
            logger.warning("JOBDIR %s is not protected from a second crawl: %s", directory, error)

    def release(self) -> None:
        """Let the next crawl use the folder."""
        self._lock.release()
