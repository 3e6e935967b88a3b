"""URLs, hosts and values of settings, right and wrong ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.fuzzing.texts import odd_text

if TYPE_CHECKING:
    from random import Random

HOSTS = (
    "a.example", "A.Example.", "www.a.example", "[::1]", "[::ffff:10.0.0.1]", "[fe80::1%25eth0]",
    "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "10.0.0.1", "169.254.169.254",
    "0", "localhost", "xn--bcher-kva.example", "bücher.example", "中国.example", "a..example", "[",
    "]", "[::1", "[v1.x]", "", "user@a.example", "u:p@a.example", "a" * 300, "①②⑦.⓪.⓪.①",
    "[1.2.3.4]",
)  # fmt: skip
SCHEMES = (
    "http://", "https://", "HTTP://", "//", "", "ftp://", "javascript:", "data:", "http:/", "http:",
    "mailto:", "http:\\\\", "\thttp://", "h\nttp://", "file:///",
)  # fmt: skip
_PORTS = ("", "", "", ":80", ":443", ":", ":99999", ":-1", ":0", ":8080", ":８０", ":x", ":80:80")
_PATHS = (
    "/", "", "/news/2026/03/12/a-b-c.html", "/2026/03/", "/2026-03-12/", "/calendar/2026/11/",
    "/index_2.html", "/t20240506_123.html", "/a/../b", "//a//b", "/%", "/%zz%00%ff", "/%E4%BD%A0",
    "/;jsessionid=ABCDEF0123456789ABCDEF0123", "/news/８８１２/", "/deadbeef01234567", "/²³",
    "/a\\b", "/" + "a-" * 900, "/a.b.c.d.html", "/.html", "/٣٤٥/", "/news/0/0/",
)  # fmt: skip
_QUERIES = (
    "", "?", "?utm_source=x&page=2", "?date=2026-03-12", "?month=11&year=2026", "?a=1&a=2&&=&b",
    "?s=0123456789abcdef0123456789abcdef", "?PHPSESSID=abc123def456abc123def456ab",
    "?from=timeline", "?x=%&y=%zz", "?a=b;c=d", "?amp;utm_x=1", "?q=你好",
    "?" + "&".join(f"p{n}={n}" for n in range(40)),
)  # fmt: skip
_FRAGMENTS = ("", "", "#", "#top", "#!/a", "#/route?utm_x=1", "#!" + "#!" * 50, "#/" + "#/" * 50)


def make_host(draw: Random) -> str:
    """Return a host, in any form of an address, right or wrong."""
    if draw.random() < 0.6:
        return draw.choice(HOSTS)
    numbers = [draw.choice((0, 1, 10, 127, 169, 192, 255, 256, 65_536)) for _ in range(4)]
    parts = [draw.choice(("{}", "{:#x}", "0{:o}")).format(number) for number in numbers]
    return ".".join(parts[: draw.randint(1, 4)])


def make_url(draw: Random) -> str:
    """Return a URL, mostly a broken one."""
    schemes = SCHEMES[:2] if draw.random() < 0.6 else SCHEMES
    pools = (_PORTS, _PATHS, _QUERIES, _FRAGMENTS)
    url = draw.choice(schemes) + make_host(draw) + "".join(draw.choice(pool) for pool in pools)
    while draw.random() < 0.3:
        at = draw.randrange(len(url) + 1)
        cut = draw.choice((0, 1, 5))
        url = url[:at] + draw.choice((odd_text(draw), "")) + url[at + cut :]
    return url
