"""Forms of URLs with private addresses, for the tests and the documented table."""

from scrapy import Request

#: What a form is, and hosts (with port or login, where that is the trick) written so. Every one
#: leads to this machine, to a network of one's own, or nowhere; none to the public internet.
FORMS: dict[str, tuple[str, ...]] = {
    "plain": ("127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "0.1.2.3"),
    "cloud metadata": ("169.254.169.254", "[fd00:ec2::254]", "100.100.100.200"),
    "shared, test, broadcast, multicast": (
        "100.64.0.1", "198.18.0.1", "203.0.113.9", "240.0.0.1", "255.255.255.255", "224.0.0.1",
        "239.255.255.250",
    ),
    "decimal": ("2130706433", "167772161", "2852039166"),
    "octal": ("0177.0.0.1", "017700000001", "0177.0.0.01", "0012.0.0.1"),
    "hexadecimal": ("0x7f000001", "0x7f.0.0.1", "0X7F.0x0.0x0.0x1", "0xa9fea9fe"),
    "mixed": ("0x7f.1", "0177.0.1", "127.0x1", "0x7f.0.0.01"),
    "short": ("127.1", "127.0.1", "0", "10.1"),
    "loopback name": ("localhost", "LOCALHOST", "localhost.", "a.localhost", "a.localhost."),
    "trailing dot": ("127.0.0.1.", "10.0.0.1.", "2130706433."),
    "IPv6 loopback, unspecified": ("[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[0000::0001]"),
    "IPv4-mapped": ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::FFFF:a9fe:a9fe]"),
    "IPv4-compatible": ("[::127.0.0.1]", "[::7f00:1]", "[::10.0.0.1]"),
    "IPv4-translated": ("[::ffff:0:127.0.0.1]", "[::ffff:0:a00:1]"),
    "6to4": ("[2002:7f00:1::]", "[2002:a00:1::1]", "[2002:a9fe:a9fe::]"),
    "NAT64": ("[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]", "[64:ff9b:1::7f00:1]"),
    "Teredo": ("[2001::7f00:1]", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"),
    "link-local, with zone": ("[fe80::1]", "[fe80::1%25lo]", "[fe80::1%25eth0]", "[fe80::1%lo]"),
    "unique-local, site-local": ("[fc00::1]", "[fd12:3456::1]", "[fec0::1]"),
    "IPv6 multicast": ("[ff02::1]", "[ff0e::1]"),
    "login before the host": ("public.example@127.0.0.1", "93.184.216.34:80@127.0.0.1"),
    "what others take for the login": (
        "127.0.0.1\\@93.184.216.34", "127.0.0.1?@93.184.216.34", "127.0.0.1#@93.184.216.34",
    ),
    "full-width digits and dots": ("\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021",
                                   "127\uff0e0\uff0e0\uff0e1", "127\uff610\uff610\uff611"),
    "enclosed digits, other scripts": ("\u2460\u2461\u2466.0.0.1", "\u0661\u0662\u0667.0.0.1"),
    "letters that are folded": ("\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3",
                                "\uff4cocalhost"),
    "punycode": ("xn--9hbcp.0.0.1", "xn--localhst-lva.localhost"),
    "percent-encoded": ("127%2e0%2e0%2e1", "%31%32%37.0.0.1", "%6cocalhost", "127.0.0.1%00"),
    "control characters and blanks": ("127.0.0.1\t", "12\t7.0.0.1", "local\nhost", " 127.0.0.1"),
    "empty port, odd port": ("127.0.0.1:", "127.0.0.1:00080", "localhost:65535"),
}  # fmt: skip
#: Public ones, which are not refused: the check is no blanket refusal.
PUBLIC = (
    "93.184.216.34", "1572395042", "0x5db8d822", "[2606:4700::1111]", "[::ffff:93.184.216.34]",
    "[2002:5db8:d822::1]", "[64:ff9b::5db8:d822]",
)  # fmt: skip


def url_of(host: str) -> str:
    """Return the URL of something at *host* as it would be requested."""
    return Request(f"http://{host}/x.js").url
