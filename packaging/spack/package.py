"""Spack: cosched and its optional parts.

There is no public place of releases yet: put the archive that `meson dist` makes beside this file, and its hash (the file
.sha256sum beside it) into version().
"""

import os

from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Cosched(MesonPackage):
    """Plans, simulates and runs co-schedules of parallel applications on machines that fail."""

    url = "file://" + os.path.join(os.path.dirname(os.path.abspath(__file__)), "cosched-0.2.0.tar.xz")

    license("Apache-2.0")

    version("0.2.0")

    variant("exact", default=True, description="CLP and CBC: strong bounds, exact plans")
    variant("lemon", default=True, description="optimal packs of at most two tasks by matching")
    variant("png", default=False, description="pictures as PNG and PDF")
    variant("xml", default=True, description="DAX and SimGrid platforms")
    variant("zstd", default=True, description="files packed with zstd")
    variant("threads", default=True, description="several threads")
    variant("simgrid", default=False, description="a test that compares transfers with SimGrid")
    variant("python", default=False, description="the Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+lemon")
    depends_on("meson@1:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")

    depends_on("jansson@2.12:")
    depends_on("zlib-api")
    depends_on("xz")
    depends_on("nettle")
    depends_on("sqlite@3.35:")
    depends_on("clp", when="+exact")
    depends_on("cbc", when="+exact")
    depends_on("lemon", when="+lemon")
    depends_on("librsvg", when="+png")
    depends_on("cairo", when="+png")
    depends_on("expat", when="+xml")
    depends_on("zstd@1.4:", when="+zstd")
    depends_on("simgrid", when="+simgrid")

    extends("python", when="+python")
    depends_on("py-cffi@1.15:", type=("build", "run"), when="+python")

    def meson_args(self):
        parts = {"cbc": "exact", "lemon": "lemon", "png": "png", "xml": "xml", "zstd": "zstd", "threads": "threads",
                 "simgrid": "simgrid", "python": "python"}
        return ["-Dtests=false"] + [f"-D{option}={'enabled' if self.spec.satisfies('+' + variant) else 'disabled'}"
                                    for option, variant in parts.items()]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def smoke(self):
        Executable(self.prefix.bin.cosched)("list")
