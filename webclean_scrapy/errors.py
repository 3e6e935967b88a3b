"""Errors of the package.

    WebcleanError
    ├── ConfigError(ValueError)      a setting or argument cannot be used; names it
    ├── PageError                    a page cannot be cleaned; it passes on as it came
    │   ├── PageTooLargeError        more bytes, tags or attributes than the guard allows
    │   └── NotHtmlError             the bytes are not an HTML document
    ├── TemplateFileError            a file of learned templates cannot be read
    └── StoreError                   a store of fingerprints cannot be used
        ├── StoreSchemeError         it was written by another scheme, version or parameters
        └── StoreUnavailableError    it cannot be opened or does not answer

Method rooms raise them; adapters catch exactly ``WebcleanError``.
"""


class WebcleanError(Exception):
    """Base of every error this package raises on purpose."""


class ConfigError(WebcleanError, ValueError):
    """A setting or an argument cannot be used. The message names it and what would be right."""


class PageError(WebcleanError):
    """A page cannot be cleaned. Adapters pass it on unchanged and count *reason*."""

    reason = "page"


class PageTooLargeError(PageError):
    """The guard refuses to parse a page, because *what* (a count of *found*) passes *allowed*."""

    reason = "too_large"

    def __init__(self, what: str, found: int, allowed: int) -> None:
        super().__init__(f"{found} {what}, {allowed} allowed")
        self.what = what
        self.found = found
        self.allowed = allowed


class NotHtmlError(PageError):
    """The bytes are not an HTML document (*detected* says what they look like)."""

    reason = "not_html"

    def __init__(self, detected: str) -> None:
        super().__init__(f"not an HTML page: it looks like {detected}")
        self.detected = detected


class TemplateFileError(WebcleanError):
    """A file of learned templates is unreadable or of another version."""


class StoreError(WebcleanError):
    """A store of fingerprints cannot be used."""


class StoreSchemeError(StoreError):
    """A store was written by another scheme, version or with other parameters."""


class StoreUnavailableError(StoreError):
    """A store cannot be opened or does not answer."""
