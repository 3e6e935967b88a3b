"""The compiled forms of the steps that make a fingerprint, where they were built.

They give what the steps give in numpy, bit by bit. They are not part of a plain installation: they
need a C compiler or a wheel for the platform (docs/method/architecture.md).
"""

from __future__ import annotations

try:
    from webclean_scrapy.dedup import compiled_form, compiled_sample, compiled_words
except ImportError:  # not built
    IS_COMPILED = False
else:
    IS_COMPILED = True

__all__ = ["IS_COMPILED", "compiled_form", "compiled_sample", "compiled_words"]
