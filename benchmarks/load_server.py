"""Serves a `LoadSite` for all its hosts on one port of this machine, in a process of its own.

    python -m benchmarks.load_server HOSTS PAGES_PER_HOST TROUBLE

prints the port. It ends when its standard input does.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from http import HTTPStatus

from benchmarks.load_site import LoadSite

IDLE_S = 5.0  # a connection without requests is closed after
MAX_WAITING = 1_024


async def serve(site: LoadSite) -> None:
    """Serve until standard input ends."""
    server = await asyncio.start_server(partial(_talk, site), "127.0.0.1", 0, backlog=MAX_WAITING)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


async def _talk(site: LoadSite, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection."""
    try:
        while await _answer(site, reader, writer):
            pass
    except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError):
        pass  # the client has gone, or is silent
    finally:
        writer.close()


async def _answer(
    site: LoadSite, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> bool:
    """Answer the next request; return whether the connection stays open."""
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), IDLE_S)
    lines = head.decode("latin-1").split("\r\n")
    path = lines[0].split(" ")[1]
    host = next(line[5:].strip() for line in lines if line.lower().startswith("host:"))
    answer = site.answer(host.partition(":")[0], path)
    if answer.wait_s:
        await asyncio.sleep(answer.wait_s)
    headers = "".join(f"{name}: {value}\r\n" for name, value in answer.headers)
    writer.write(
        f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}\r\n"
        f"Content-Type: text/html; charset=utf-8\r\nContent-Length: {len(answer.body)}\r\n"
        f"{headers}\r\n".encode()
        if answer.cut != 0
        else b""
    )
    writer.write(answer.body[: answer.cut])
    await writer.drain()
    return answer.cut is None


if __name__ == "__main__":
    hosts, pages, trouble = sys.argv[1:]
    asyncio.run(serve(LoadSite(int(hosts), int(pages), trouble)))
