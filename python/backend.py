"""The build backend of pyproject.toml: meson-python, also the one that the distribution has installed.

pip builds in an environment that has only what it downloads. Where meson-python and cffi are installed for the Python of
the system (script/bootstrap does that), they are used from there, so that `pip install .` needs no network; otherwise pip
is asked to download them.
"""

import os
import subprocess
import sys

NEEDS = ["meson-python >= 0.12", "meson >= 1.0", "ninja", "cffi >= 1.15"]
_FIND = "import sys, mesonpy, cffi; print('\\n'.join(path for path in sys.path if path.endswith('-packages')))"


def _folders():
    """Where the Python of the system, or the one that runs this, has what NEEDS names; [] where it has not."""
    for python in (sys.executable, getattr(sys, "_base_executable", None)):
        found = subprocess.run([python, "-I", "-c", _FIND], capture_output=True, text=True, check=False) if python else None
        if found and found.returncode == 0:
            return found.stdout.split("\n")[:-1]
    return []


def _prepare():
    """Import meson-python; Meson, and the Python that it starts, find what they need in the same folders."""
    folders = _folders()
    sys.path += [folder for folder in folders if folder not in sys.path]
    if folders:  # without what pip has put there, which hides them
        os.environ["PYTHONPATH"] = os.pathsep.join(folders)
    import mesonpy
    usual = getattr(mesonpy, "_validate_pyproject_config", None)  # from 0.13 on: older ones reject the key limited-api
    if usual:
        mesonpy._validate_pyproject_config = lambda config: {**usual(config), "limited-api": True}
    return mesonpy


def get_requires_for_build_wheel(config_settings=None):
    """What pip has to download before it builds a wheel."""
    return [] if _folders() else NEEDS


def get_requires_for_build_sdist(config_settings=None):
    """The same for an archive of the source."""
    return get_requires_for_build_wheel(config_settings)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel; returns its name."""
    return _prepare().build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """An archive of the source; returns its name."""
    return _prepare().build_sdist(sdist_directory, config_settings)
