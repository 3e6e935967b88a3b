"""Compiles the modules that are written for it while a wheel is built: a hook of hatchling.

Off unless ``HATCH_BUILD_HOOK_ENABLE_CUSTOM=true``: the package is then pure Python, and the same.
A compiler, and the headers of Python, are needed; Cython and lxml are installed for the build.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MODULES = (
    "webclean_scrapy.cleaning.page.compiled_walk",
    "webclean_scrapy.dedup.compiled_page",
    "webclean_scrapy.dedup.stores.compiled_postings",
)


class CompiledModules(BuildHookInterface):  # type: ignore[misc] # hatchling is not installed here
    """Adds the extension modules to the wheel; an editable install has them beside their source."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is of this platform."""
        root = Path(self.root)
        if version == "editable":
            compile_into(root, root)
            return
        folder = Path(tempfile.mkdtemp())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for built in compile_into(root, folder):
            build_data["force_include"][str(built)] = str(built.relative_to(folder))


def compile_into(root: Path, folder: Path) -> list[Path]:
    """Return the files of the modules, which are compiled under *folder*."""
    import lxml
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    include = lxml.get_include()  # type: ignore[attr-defined] # its stubs lack it
    extensions = []
    for module in MODULES:
        source = root.joinpath(*module.split(".")).with_suffix(".pyx")
        extensions.append(Extension(module, [str(source)], include_dirs=include))
    with tempfile.TemporaryDirectory() as work:
        found = cythonize(extensions, include_path=include, build_dir=work, language_level=3)
        command = build_ext(Distribution({"ext_modules": found}))
        command.build_lib, command.build_temp = str(folder), work
        command.ensure_finalized()
        command.run()
    return [Path(command.get_ext_fullpath(module)) for module in MODULES]
