"""What the demo portal serves beside its pages."""

from __future__ import annotations

ROBOTS = """User-agent: *
Disallow: /internal/
"""
STYLE_SHEET = "body { font-family: serif; margin: 0 auto; max-width: 1000px; }\n"
CLOSED = "<html><head><title>Closed</title></head><body><p>Not for crawlers.</p></body></html>\n"
NOT_FOUND = """<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1>
<p>The page was moved or never existed.</p><p><a href="/">Home</a></p></body></html>
"""
# One grey pixel.
PHOTO = bytes.fromhex(
    "47494638396101000100800000888888000000"
    "2c00000000010001000002024401003b"
)  # fmt: skip


def tide_table() -> bytes:
    """Return a PDF of one page with one line, its cross-reference table in order."""
    line = b"BT /F1 12 Tf 40 100 Td (High water Saltmere: 03.10 and 15.34) Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 160] /Contents 4 0 R "
            b"/Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(line), line),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for position, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (position, content)
    start = len(body)
    body += b"xref\n0 6\n0000000000 65535 f \n"
    body += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return body + b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % start
