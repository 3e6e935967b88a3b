"""A page as downloaded."""

from __future__ import annotations

from typing import NamedTuple


class RawPage(NamedTuple):
    """A page as downloaded or given by a caller: the input of all steps before the parse."""

    html: bytes | str
    url: str = ""  # empty when it is not known
    charset: str | None = None  # of the HTTP header
    #: The other pages of its article, in order; None: nobody has looked for them.
    parts: tuple[RawPage, ...] | None = None
    #: Stands in for a *url* that is not known, where pages of its template are looked for.
    stand_in: str = ""
    is_cut: bool = False  # only its beginning was stored
