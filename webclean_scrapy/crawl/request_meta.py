"""Keys of ``request.meta`` read or written by this package.

Values are str, int or bool: a queue on disk (JOBDIR) writes them out with their request.
"""

#: Set by the spider. False: this page is left alone, so nothing is fetched for it, rendered,
#: cleaned or compared.
WEBCLEAN = "webclean"

#: Set by the spider. True: the page is rendered by a browser where ``WEBCLEAN_RENDER`` is
#: ``marked``; False: it is not where that is ``all``.
RENDER = "webclean_render"

#: Set on each request of this package before it is sent, so that its response never asks for a
#: sibling of its own: 1 for a sibling, 0 for a part or the canonical page of an article.
IS_SIBLING = "webclean_sibling"

#: Set on the request of a page: the URL of the sibling from which its template was learned.
SIBLING_URL = "webclean_sibling_url"

#: Set on the request of a page of a ready-made crawl: the address that the page names as its own,
#: where the same article was found.
CANONICAL = "webclean_canonical"

#: Set to True on the request for the first page of a site: it may stand in a frame.
FIRST_PAGE = "webclean_first_page"
