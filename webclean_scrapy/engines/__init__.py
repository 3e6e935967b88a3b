"""Steps for engines that run on many machines; each is a thin adapter over `stored.page_cleaner`.

`engines.datatrove` needs the extra ``datatrove``, `engines.ray_data` the extra ``ray``.
"""
