"""Promises of the Redis store alone; promises of all stores are in test_index.py."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dedup.articles import make_article, verdict_of
from tests.dedup.test_sqlite import start_crawl
from tests.redis_server import RedisServer
from tests.toml_files import read_toml
from tests.waiting import wait_until
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import ConfigError, StoreSchemeError, StoreUnavailableError
from webclean_scrapy.redis_server import RedisAddress, is_redis

ADDRESSES = read_toml(Path(__file__).parents[1] / "store_addresses.toml")


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Any]:
    with redis_server.client() as client:
        yield client


def test_all_keys_are_in_one_slot_under_the_prefix(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("my%20site")) as index:
        index.add("a", make_article(1))
        index.check_and_add("b", make_article(1), run="r")
        keys = client.keys()
    assert len(keys) > 16
    assert all(key.startswith(b"{my site}:") for key in keys)


def test_a_removed_page_leaves_nothing_behind(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("site")) as index:
        for key, seed in (("a", 1), ("b", 1), ("c", 2)):
            index.add(key, make_article(seed))
        for key in "abc":
            index.remove(key)
        left = {key.removeprefix(b"{site}:").split(b":")[0] for key in client.keys("*")}
        assert left == {b"header", b"row", b"writer", b"w"}


def test_a_store_changed_under_way_is_refused(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("site")) as index:
        client.flushall()
        DuplicateIndex(redis_server.uri("site"), sample=32).close()
        with pytest.raises(StoreSchemeError, match="sample 32"):
            index.add("a", make_article(1))


def test_keys_of_something_else_are_left_alone(redis_server: RedisServer, client: Any) -> None:
    client.set("{site}:header", "mine")
    with pytest.raises(StoreSchemeError, match="another prefix"):
        DuplicateIndex(redis_server.uri("site"))
    assert client.get("{site}:header") == b"mine"


@pytest.mark.parametrize("entry", [b"", b"5\n", b"[1]\n", b"\xff", b'[1, 0, null, "a"]\nx'])
def test_a_damaged_entry_is_refused(redis_server: RedisServer, client: Any, entry: bytes) -> None:
    with DuplicateIndex(redis_server.uri("site")) as index:
        index.add("a", make_article(1))
        assert client.set("{site}:e:1", entry, xx=True)
        with pytest.raises(StoreSchemeError, match="damaged"):
            index.find(make_article(1))


def test_a_server_that_lost_all_gets_a_header_again(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("site")) as index:
        index.add("a", make_article(1))
        matches = index.check_and_add_many([(f"{n}", make_article(1), "") for n in range(3)])
        assert [match.key for match in matches if match] == ["a"] * 3
        client.flushall()
        assert index.check_and_add("b", make_article(1)) is None
        assert index.check_and_add("c", make_article(1)) is not None


def test_pages_expire(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("site", ttl=1)) as index:
        index.add("a", make_article(1))
        index.add("copy", make_article(1))
        wait_until(lambda: not len(index))
        assert index.find(make_article(1)) is None
        assert index.check_and_add("b", make_article(1)) is None
        for key in client.keys("{site}:[ekcg]:*"):
            assert client.ttl(key) in (-2, 0, 1)  # -2: it is gone by now


def test_pending_pages_count_while_leased(redis_server: RedisServer, client: Any) -> None:
    text = make_article(1)
    with DuplicateIndex(redis_server.uri("site")) as index:
        other = DuplicateIndex(redis_server.uri("site"))
        assert other.check_and_add("a", text, run="shared") is None
        assert index.find(text, run="shared") is not None
        assert index.find(text, run="another") is None
        for key in client.keys("{site}:w:*"):
            assert 0 < client.ttl(key) <= 60
        other.close()
        assert index.check_and_add("b", text, run="shared") is None


def test_pending_pages_of_a_killed_process_block_nothing_once_its_lease_has_run_out(
    redis_server: RedisServer, client: Any
) -> None:
    uri = redis_server.uri("site")
    killed = start_crawl(uri, "codes", "killed", range(0))
    killed.kill()
    killed.communicate()
    with DuplicateIndex(uri) as index, DuplicateIndex(uri) as other:
        index.check_and_add("a", "short text", run="shared")
        assert other.find("short text", run="shared") is not None
        (writer,) = [key for key in client.keys("{site}:w:*") if key.endswith(b":2")]
        client.pexpire(writer, 1)
        wait_until(lambda: not client.exists(writer))
        assert other.find("short text", run="shared") is None
        assert index.find("short text", run="shared") is not None  # its own
        index.check_and_add("b", "another text", run="shared")  # it lives after all
        assert other.find("short text", run="shared") is not None


def test_a_write_whose_answer_was_lost_is_no_duplicate_of_itself(own_redis: RedisServer) -> None:
    text = make_article(1)
    with DuplicateIndex(own_redis.uri("site", timeout=2)) as index:
        own_redis.hang()
        with pytest.raises(StoreUnavailableError):
            index.check_and_add("a", text, run="r")
        own_redis.go_on()
        assert index.check_and_add("a", text, run="r") is None
        assert index.check_and_add("b", text, run="r") is not None
        assert index.confirm(["a", "b"]) == 1


def test_closing_without_a_server_raises_nothing(own_redis: RedisServer) -> None:
    index = DuplicateIndex(own_redis.uri("site"))
    own_redis.stop()
    index.close()


@pytest.mark.parametrize(("uri", "why"), ADDRESSES["wrong"])
def test_a_wrong_address_is_refused_by_name_and_without_its_password(uri: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        DuplicateIndex(uri)
    assert "secret" not in str(caught.value)


def test_addresses_are_parsed() -> None:
    uri = "rediss+sentinel://me:se%2Ccret@a,[::1]:7/main/2?prefix=p&ttl=60&sentinel_password=x"
    address = RedisAddress.parse(uri)
    assert address.nodes == (("a", 26379), ("::1", 7))
    assert (address.kind, address.service) == ("sentinel", "main")
    assert (address.prefix, address.ttl, address.url) == ("p", 60, "rediss://me:se%2Ccret@/2?")
    assert address.sentinel_login == (None, "x")
    assert address.secrets == ("me", "se,cret", "x")
    assert str(address) == "rediss+sentinel://a,[::1]:7/main/2 (prefix 'p')"
    assert is_redis("redis+cluster://a")
    assert not is_redis("redis+rabbit://a")
    assert not is_redis(None)


def test_a_unix_socket_is_an_address(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError):
        DuplicateIndex(f"unix://{tmp_path}/redis.sock?prefix=p")


def test_without_redis_py_the_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ConfigError, match="a Redis store needs redis; install it: pip install red"):
        DuplicateIndex("redis://localhost")


def test_a_server_that_lost_a_row_mixes_nothing_up(redis_server: RedisServer, client: Any) -> None:
    with DuplicateIndex(redis_server.uri("site")) as index:
        index.check_and_add("a", make_article(1), run="r")
        client.delete("{site}:row")
    with DuplicateIndex(redis_server.uri("site")) as index:
        index.check_and_add("b", make_article(2), run="r")  # gets the row of the first
        assert index.confirm(["a"]) == 0
        assert not index.remove("a")
        assert index.confirm(["b"]) == 1
        assert verdict_of(index.find(make_article(2))) == ("b", "duplicate")


def test_an_error_of_the_server_names_the_cause(own_redis: RedisServer) -> None:
    index = DuplicateIndex(own_redis.uri("site"))
    with own_redis.client() as client:
        client.config_set("requirepass", "secret")
        client.client_kill_filter(_type="normal", skipme=True)
        with pytest.raises(StoreUnavailableError, match=r"not available: Authentication required"):
            index.find("words of a text that is long enough for an index of pages")
        client.config_set("requirepass", "")
        index.add("a", "words of a text")
        client.config_set("maxmemory", 1)
        with pytest.raises(StoreUnavailableError, match=r"used memory > 'maxmemory'\.$"):
            index.check_and_add("b", "words of another text that is long enough", run="r")
        assert index.find("words of a text") is not None  # reading goes on
        assert len(index) == 1  # nothing was half written
    index.close()
