#!/usr/bin/env python3
"""Write __init__.pyi of the Python package from the package itself and the descriptions of problems.

usage: PYTHONPATH=BUILD/python stubs.py OUTPUT.pyi

Classes have their types in the source; the functions of problems, which the package makes when it is imported, get
theirs here: every argument with its type, default and unit.
"""

import inspect
import sys

sys.path.pop(0)  # of this script: beside it is the source of the package, without the extension

import cosched
from cosched import _parameters
from cosched._core import describe

HEAD = '''"""Types of the functions that cosched makes from the descriptions of its problems; made by python/stubs.py."""

from typing import Literal, Mapping, Sequence, TypeVar, Union

'''


def literals():
    """Literal types of the names of policies, planners and priorities."""
    found = {}
    for problem in describe()["problems"]:
        for parameter in problem["parameters"]:
            for verb in set(parameter["verbs"]) & {"plan", "simulate"}:
                named = _parameters.names(problem, verb, parameter["key"])
                if named:
                    found[named[0]] = named[1]
    return ["%s = Literal[%s]" % (name, ", ".join('"%s"' % word for word in words)) for name, words in sorted(found.items())]


def imports():
    """The public names, from the modules that define them."""
    found = {}
    for name in cosched.__all__:
        one = getattr(cosched, name)
        module = getattr(one, "__module__", None)
        if inspect.ismodule(one):
            found.setdefault("cosched", []).append(name)
        elif name not in made():
            found.setdefault(_home(name, module), []).append(name)
    return ["from %s import %s" % (module, ", ".join("%s as %s" % (name, name) for name in sorted(names))) for module, names in sorted(found.items())]


def _home(name, module):
    """Errors say that they are from cosched; constants have no module."""
    if module in (None, "cosched"):
        return next(other for other in ("cosched._core", "cosched.schedule") if hasattr(sys.modules[other], name))
    return module


def made():
    """The functions whose arguments are from descriptions, by name."""
    return {name: getattr(cosched, name) for name in cosched.__all__ if hasattr(getattr(cosched, name), "__signature__")}


def definition(name, function):
    """A function as a stub has it: an argument a line, and its docstring."""
    words = inspect.signature(function)
    lines, named = ["def %s(" % name], False
    for one in words.parameters.values():
        if one.kind is inspect.Parameter.KEYWORD_ONLY and not named:
            named = True
            lines.append("    *,")
        value = "" if one.default is inspect.Parameter.empty else " = %s" % ('"%s"' % one.default if isinstance(one.default, str) else one.default)
        lines.append("    %s: %s%s," % (one.name, one.annotation, value))
    text = "\n".join("    " + line if line else "" for line in function.__doc__.replace("\\", "\\\\").split("\n")).strip()
    return "\n".join([*lines, ") -> %s:" % words.return_annotation, '    """%s\n    """' % text, "    ...", "", ""])


def main(path):
    parts = [HEAD.rstrip("\n"), *imports(), "from cosched._types import Frame, Inputs, Path, Progress, Seconds, Texts", "",
             '_Path = TypeVar("_Path", bound=Path)', *literals(), "__version__: str", "__all__ = [%s]" % ", ".join('"%s"' % name for name in cosched.__all__), "", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts) + "\n" + "\n".join(definition(*one) for one in made().items()))


main(sys.argv[1])
