"""The one way to open a store."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from webclean_scrapy.dedup.fingerprint_methods import check_store
from webclean_scrapy.dedup.redis.address import is_redis
from webclean_scrapy.dedup.redis.redis_store import RedisStore
from webclean_scrapy.dedup.stores.memory_store import MemoryStore
from webclean_scrapy.dedup.stores.sqlite_store import SqliteStore
from webclean_scrapy.errors import ConfigError
from webclean_scrapy.messages import hide_login

if TYPE_CHECKING:
    from webclean_scrapy.dedup.config import DedupConfig
    from webclean_scrapy.dedup.stores.local_store import Clock
    from webclean_scrapy.dedup.stores.store import Store


def open_store(uri: str | None, config: DedupConfig, clock: Clock | None = None) -> Store:
    """Return the store that *uri* names: None or "memory:", "sqlite:///file.db", "redis://host".

    "sqlite:///pages.db" is relative to the working folder, "sqlite:////var/pages.db" is absolute.
    Redis URIs: see `dedup.redis.address`. *clock*: for `expire_days`; Redis has one.
    Raises: ConfigError for an unknown URI or a store that the method does not work with;
    StoreUnavailableError; StoreSchemeError.
    """
    scheme, _, rest = (uri or "memory:").partition(":")
    if scheme == "memory":
        return MemoryStore(config, clock)
    path = unquote(rest[3:])
    if scheme == "sqlite" and rest.startswith("///") and path and "\0" not in path:
        return SqliteStore(path, config, clock)
    if is_redis(uri):
        check_store(config, "redis")
        return RedisStore(str(uri), config)
    raise ConfigError(
        f"unknown store {hide_login(str(uri))!r}; use None (memory) or a URI like "
        "'sqlite:///pages.db' or 'redis://localhost:6379/0?prefix=site' (also redis+sentinel:, "
        "redis+cluster:, rediss: and unix:)"
    )
