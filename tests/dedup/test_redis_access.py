"""Who may read and write the index: TLS, and a user with few rights (ACL)."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crawling import Crawls, PageSpider
from tests.dedup.articles import make_article
from tests.redis_server import RedisServer
from webclean_scrapy.commands.doctor import check_redis
from webclean_scrapy.dedup.index import DuplicateIndex
from webclean_scrapy.errors import StoreError, StoreUnavailableError

GUIDE = Path(__file__).parents[2] / "docs" / "several-machines.md"
TEXT = "words of a text that is long enough for an index of pages"
WAIT_S = 20  # time limit of an answer


def make_certificate(folder: Path) -> None:
    """Write a certificate that signed itself, for 127.0.0.1, and its key."""
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    words += " -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out cert.pem"
    subprocess.run(words.split(), cwd=folder, check=True, capture_output=True)


def known_by(folder: Path, **more: str) -> str:
    """Return URI options with valid credentials."""
    cert, key = f"{folder}/cert.pem", f"{folder}/key.pem"
    options = {"ssl_ca_certs": cert, "ssl_certfile": cert, "ssl_keyfile": key, **more}
    return "&".join(f"{name}={value}" for name, value in options.items() if value)


class TlsServer(RedisServer):
    """A server that speaks TLS only and wants to see a client's certificate."""

    def _arguments(self) -> list[str]:
        cert, key = f"{self._folder}/cert.pem", f"{self._folder}/key.pem"
        return [
            *super()._arguments()[2:], "--port", "0", "--tls-port", str(self.port),
            "--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert,
            "--tls-auth-clients", "yes",
        ]  # fmt: skip

    def client(self, **options: Any) -> Any:
        cert, key = f"{self._folder}/cert.pem", f"{self._folder}/key.pem"
        return super().client(
            ssl=True, ssl_ca_certs=cert, ssl_certfile=cert, ssl_keyfile=key, host="127.0.0.1",
            **options,
        )  # fmt: skip


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServer]:
    folder = tmp_path_factory.mktemp("tls")
    make_certificate(folder)
    with TlsServer(folder) as server:
        yield server


def test_tls_with_the_certificates_of_both_sides(tls: TlsServer) -> None:
    uri = tls.uri("site", timeout=WAIT_S).replace("redis:", "rediss:")
    with DuplicateIndex(f"{uri}&{known_by(tls._folder)}") as index:
        index.add("a", TEXT)
        assert index.find(TEXT) is not None
    unchecked = known_by(tls._folder, ssl_ca_certs="", ssl_cert_reqs="none")
    with DuplicateIndex(f"{uri}&{unchecked}") as index:
        assert len(index) == 1


@pytest.mark.parametrize(
    ("host", "left_out", "why"),
    [
        ("127.0.0.1", "ssl_ca_certs", "CERTIFICATE_VERIFY_FAILED"),
        ("127.0.0.1", "ssl_certfile ssl_keyfile", "is not available"),  # the server hangs up
        ("localhost", "", "(?i)hostname mismatch"),
    ],
)
def test_a_certificate_that_does_not_fit_is_an_error_with_its_reason(
    tls: TlsServer, host: str, left_out: str, why: str
) -> None:
    options = known_by(tls._folder, **dict.fromkeys(left_out.split(), ""))
    uri = tls.uri("site", timeout=WAIT_S).replace("redis://127.0.0.1", f"rediss://{host}")
    with pytest.raises(StoreUnavailableError, match=why):
        DuplicateIndex(f"{uri}&{options}")
    if not left_out:
        DuplicateIndex(f"{uri}&{options}&ssl_check_hostname=false").close()


def read_rules() -> list[str]:
    """Return the words of the command in the guide that makes the user."""
    text = GUIDE.read_text(encoding="utf-8")
    command = text[text.index("redis-cli acl setuser") :].split("```")[0].replace("\\\n", " ")
    words = command.replace("'", "").split()
    assert words[:4] == ["redis-cli", "acl", "setuser", "crawler"]
    return words[4:]


@pytest.fixture
def as_crawler(redis_server: RedisServer) -> Iterator[Callable[..., str]]:
    """Make the user of the guide, without some of the commands; return the URI."""

    def make(*without: str) -> str:
        words = [word for word in read_rules() if word.removeprefix("+") not in without]
        with redis_server.client() as client:
            client.execute_command("ACL", "SETUSER", "crawler", "reset", *words)
        return redis_server.uri("news", timeout=WAIT_S).replace("//", "//crawler:PASSWORD@")

    yield make
    with redis_server.client() as client:
        client.execute_command("ACL", "DELUSER", "crawler")


def test_the_user_of_the_guide_may_do_all_that_an_index_does(
    as_crawler: Callable[..., str], redis_server: RedisServer
) -> None:
    uri = as_crawler()
    for options in ("", "&ttl=1000"):
        with DuplicateIndex(uri + options, updates="replace") as index:
            index.add("a", make_article(1))
            index.add("b", make_article(1))
            index.check_and_add("c", make_article(1) + "\n" + make_article(2), run="r")
            index.check_and_add("c", make_article(3), run="r")
            assert index.confirm(["c"]) == 1
            assert list(index.clusters()) == [("a", "b", "c")]
            assert index.remove("a")
            assert index.advice() == []
            index.reconnect()
            assert len(index) == 2
            for key in "bc":
                index.remove(key)
            assert len(index) == 0
    assert list(check_redis(uri)) == []
    with redis_server.client() as client:
        keys = client.acl_log()
    assert [
        one for one in keys if one["username"] == "crawler" and "client" not in one["object"]
    ] == []


@pytest.mark.parametrize("command", ["watch", "mget", "set"])
def test_a_missing_right_is_named_on_opening(as_crawler: Callable[..., str], command: str) -> None:
    with pytest.raises(StoreUnavailableError, match=r"docs/several-machines\.md") as caught:
        DuplicateIndex(as_crawler(command))
    assert command in str(caught.value)


def test_a_user_who_may_not_ask_gets_no_advice(as_crawler: Callable[..., str]) -> None:
    uri = as_crawler("info")
    with DuplicateIndex(uri) as index:
        assert index.advice() == []
    assert list(check_redis(uri)) == []


def test_keys_that_the_user_may_not_touch_are_named_at_the_start_with_the_setting(
    as_crawler: Callable[..., str], crawls: Crawls
) -> None:
    uri = as_crawler().replace("prefix=news", "prefix=other")
    with pytest.raises(StoreError) as caught:
        crawls.run(PageSpider, {"WEBCLEAN_DEDUP_URI": uri}, urls=[])
    said = str(caught.value)
    assert said.startswith("WEBCLEAN_DEDUP_URI: ")
    assert "permissions" in said
    assert "PASSWORD" not in said
    assert "\n" not in said
