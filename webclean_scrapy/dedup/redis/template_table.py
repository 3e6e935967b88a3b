"""Templates on a Redis server, which crawls of the same sites share.

The prefix of the index has one hash for each host, "{prefix}:templates:VERSION:HOST": its
fields are URL shapes, its values compressed JSON. Shapes of a host and bytes of a shape are
limited; a host expires `KEPT_S` after its last template, or after the ttl of the URI.
Data from the server is checked like a file of unknown origin.
"""

from __future__ import annotations

import json
import zlib
from typing import Any
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.templates.template_store import FILE_VERSION
from webclean_scrapy.dedup.redis.server import RedisAddress, RedisClient
from webclean_scrapy.errors import StoreSchemeError

KEPT_S = 30 * 86_400
MAX_SHAPES = 500  # of one host
MAX_BYTES = 1_000_000  # of the JSON of one shape


class TemplateTable:
    """The templates on the server, as plain values, by URL shape.

    Every method raises StoreUnavailableError when the server does not answer.
    """

    def __init__(self, uri: str) -> None:
        self._address = RedisAddress.parse(uri)
        self._server = RedisClient(self._address, "the templates at")
        self._ttl = self._address.ttl or KEPT_S

    def publish(self, shape: str, templates: list[dict[str, Any]]) -> bool:
        """Replace the templates of a URL shape, unless they are too many; return whether it was."""
        text = json.dumps(templates, separators=(",", ":")).encode()
        key = self._key(shape)
        with self._server.errors():
            client = self._server.client
            read = client.pipeline(transaction=False)
            read.hexists(key, shape)
            read.hlen(key)
            is_stored, count = read.execute()
            if len(text) > MAX_BYTES or (count >= MAX_SHAPES and not is_stored):
                return False
            write = client.pipeline(transaction=True)
            write.hset(key, shape, zlib.compress(text))
            write.expire(key, self._ttl)
            write.execute()
        return True

    def get(self, shape: str) -> list[dict[str, Any]]:
        """Return the templates of a URL shape. Raises: StoreSchemeError for anything else."""
        with self._server.errors():
            packed = self._server.client.hget(self._key(shape), shape)
        return _unpack(packed) if packed else []

    def reconnect(self) -> None:
        """Check, after a failure, that the server can be written to."""
        self._server.disconnect()
        with self._server.errors():
            self._server.client.set(self._key("") + "look", b"", ex=1)

    def close(self) -> None:
        self._server.disconnect()

    def _key(self, shape: str) -> str:
        return f"{self._address.key_start}templates:{FILE_VERSION}:{urlsplit(shape).netloc}"


def _unpack(packed: bytes) -> list[dict[str, Any]]:
    try:
        unzip = zlib.decompressobj()
        templates = json.loads(unzip.decompress(packed, MAX_BYTES))
    except (zlib.error, ValueError, RecursionError) as error:
        raise StoreSchemeError(f"invalid shared templates: {error}") from error
    if not isinstance(templates, list):
        raise StoreSchemeError("invalid shared templates: not a list")
    return templates
