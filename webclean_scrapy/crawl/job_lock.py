"""One crawl at a time in a JOBDIR: two would mix their queues and overwrite their templates."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from scrapy.utils.job import job_dir

from webclean_scrapy.crawl.log_lines import safe_logger
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.file_modes import PRIVATE

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = safe_logger(__name__)

LOCK_FILE = "webclean.lock"  # in JOBDIR
#: Of a folder that cannot be written to; others are of file systems that know no locks.
_CLOSED = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR}
)


def open_job(settings: BaseSettings) -> Path | None:
    """Return JOBDIR, which is made if need be; None without one.

    Raises ConfigError when that is not possible.
    """
    try:
        directory = job_dir(settings)
    except OSError as error:
        raise _unusable(settings["JOBDIR"], error) from error
    return Path(directory) if directory else None


class JobLock:
    """Holds *directory* until `release`, or until the process ends, however it does.

    Where the file system knows no locks, a warning says so.
    Raises: ConfigError when another crawl holds it, or nothing can be written there.
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
            if isinstance(error, OSError) and error.errno in _CLOSED:
                raise _unusable(directory, error) from error
            logger.warning("JOBDIR %s is not protected from a second crawl: %s", directory, error)

    def release(self) -> None:
        """Let the next crawl use the folder."""
        self._lock.release()


def _unusable(directory: Path | str, error: OSError) -> ConfigError:
    return ConfigError(
        f"JOBDIR: {directory} cannot be written to: {error.strerror or error}; give the crawl a "
        "folder of its own on a disk with space"
    )
