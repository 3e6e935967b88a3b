"""Templates on a Redis server, for other crawls of the same sites to take.

Under the prefix of the index stands one hash for each host, "{prefix}:templates:VERSION:HOST": its
fields are shapes of addresses, its values compressed JSON. Bounded in shapes of a host and bytes of
a shape; a host is forgotten `KEPT_S` after its last template, or after the ttl of the URI.
What is read is checked like a file from elsewhere.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from webclean_scrapy.cleaning.templates.template_store import FILE_VERSION
from webclean_scrapy.dedup.redis.client import RedisAddress, connect, server_errors
from webclean_scrapy.errors import StoreSchemeError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

KEPT_S = 30 * 86_400
MAX_SHAPES = 500  # of one host
MAX_BYTES = 1_000_000  # of the JSON of one shape


class TemplateShelf:
    """Puts templates, plain values, on the server and takes them from there.

    Every method raises StoreUnavailableError when the server does not answer.
    """

    def __init__(self, uri: str) -> None:
        self._address = RedisAddress.parse(uri)
        self._client = connect(self._address)
        self._ttl = self._address.ttl or KEPT_S

    def put(self, shape: str, templates: list[dict[str, Any]]) -> bool:
        """Put the templates of a shape of address in place of older ones.

        False when they are too large, or too many shapes of the host are there.
        """
        text = json.dumps(templates, separators=(",", ":")).encode()
        key = self._key(shape)
        with self._errors():
            look = self._client.pipeline(transaction=False)
            look.hexists(key, shape)
            look.hlen(key)
            is_there, count = look.execute()
            if len(text) > MAX_BYTES or (count >= MAX_SHAPES and not is_there):
                return False
            write = self._client.pipeline(transaction=True)
            write.hset(key, shape, zlib.compress(text))
            write.expire(key, self._ttl)
            write.execute()
        return True

    def get(self, shape: str) -> list[dict[str, Any]]:
        """Return the templates of a shape of address; none is an empty list.

        Raises: StoreSchemeError when something else is there.
        """
        with self._errors():
            packed: Any = self._client.hget(self._key(shape), shape)
        return _unpack(packed) if packed else []

    def renew(self) -> None:
        """Connect anew and look whether the server can be written to."""
        self._client.connection_pool.disconnect()
        with self._errors():
            self._client.set(self._key("") + "look", b"", ex=1)

    def close(self) -> None:
        self._client.connection_pool.disconnect()

    def _key(self, shape: str) -> str:
        start = self._address.header_key.removesuffix("header")
        return f"{start}templates:{FILE_VERSION}:{urlsplit(shape).netloc}"

    def _errors(self) -> AbstractContextManager[None]:
        return server_errors(self._client, f"the templates at {self._address}")


def _unpack(packed: bytes) -> list[dict[str, Any]]:
    try:
        unzip = zlib.decompressobj()
        found = json.loads(unzip.decompress(packed, MAX_BYTES))
    except (zlib.error, ValueError, RecursionError) as error:
        raise StoreSchemeError(f"invalid shared templates: {error}") from error
    if not isinstance(found, list):
        raise StoreSchemeError("invalid shared templates: not a list")
    return found
