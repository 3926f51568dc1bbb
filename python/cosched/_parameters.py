"""Parameters of problems as arguments of functions: names, types, defaults and the text of help()."""

import inspect
import keyword
import re

# What a parameter is for the command line only.
OUTPUTS = {"format", "plot", "per_scenario", "schedule", "gantt", "table", "output", "title", "dark", "input", "scenario", "csv_safe"}
_AMOUNTS = ("budget", "resource")  # "gpus=4/node", or {"gpus": "4/node"}
_POLICIES = {"pack": "PackPolicy", "moldable": "MoldablePolicy", "malleable": "MalleablePolicy", "ptg": "PtgStrategy", "rigid": "RigidPolicy",
             "queue": "RigidPolicy", "volatile": "VolatilePolicy"}
_TYPES = {"flag": "bool", "integer": "int", "real": "float", "time": "Seconds", "text": "Texts", "file": "Path"}
_SPELLINGS = {"a flag": "True or False", "a text": "str", "a file": "a path", "a file, or several": "a path, or a list of paths"}


def argument(key):
    """What Python calls an option: from_ for from, which is a word of Python."""
    return key + "_" if keyword.iskeyword(key) else key


def kept(problem, verb):
    """The parameters of plan, simulate or generate that are arguments of a function."""
    return [p for p in problem["parameters"] if verb in p["verbs"] and p["key"] not in OUTPUTS]


def _groups(problem, key):
    """The policies that a parameter may name, in the groups of `cosched list`."""
    kind = key.replace("_", "-")
    found, groups = [p for p in problem["policies"] if p["kind"] == kind], []
    for group in problem["choices"]:
        if group["option"] == kind:
            groups.append(found[:group["policies"]])
            found = found[group["policies"]:]
    return groups or ([found] if found else [])


def names(problem, verb, key):
    """The name of the type of a parameter whose values are names, and these names; None where it is no such parameter."""
    groups = _groups(problem, "policy" if key == "planner" else key)
    if not groups:
        return None
    first = len(groups) > 1 and (verb == "plan" or key == "planner")
    words = [word for p in groups[0 if first else -1] for word in (p["name"], *filter(None, (p.get("aliases") or "").split("|")), *(p.get("presets") or {}))]
    kind = "Planner" if first else "".join(word.capitalize() for word in key.split("_"))
    return "_%s%sName" % (problem["name"].capitalize(), kind), list(dict.fromkeys([*words, "all"]))


def default(parameter):
    """The default as Python has it, None where it depends on other values; inspect.Parameter.empty where a value is required."""
    kind, given = parameter["kind"], parameter["default"]
    if given is None:
        return False if kind == "flag" else None
    if kind == "integer":
        return int(given)
    if kind in ("real", "time") and re.fullmatch(r"[0-9.e+-]+", given):
        return float(given)
    return given


def annotation(problem, verb, parameter):
    """The type of an argument."""
    key, kind, choices = parameter["key"], parameter["kind"], parameter["choices"]
    named = names(problem, verb, key)
    if named:
        own = _POLICIES.get(problem["name"]) if key != "priority" else None
        one = " | ".join([named[0], "PolicyText", *([own, "type[%s]" % own] if own else [])])
        return "%s | Sequence[%s]" % (one, one)
    if kind == "choice":
        literal = "Literal[%s]" % ", ".join('"%s"' % word for word in choices)
        return literal + " | bool" if set(choices) == {"no", "yes"} else literal
    more = " | Mapping[str, object]" if key in _AMOUNTS else ""
    return _TYPES[kind] + (" | Sequence[%s]" % _TYPES[kind] if parameter["repeats"] else "") + more


def signature(problem, verb, parameters, leads, result):
    """Of a function: arguments that come first as (name, type, default), the others by their names."""
    words = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD if name != "progress" else inspect.Parameter.KEYWORD_ONLY,
                               default=value, annotation=kind) for name, kind, value in leads]
    for p in parameters:
        value = inspect.Parameter.empty if verb in p["required"] else default(p)
        kind = annotation(problem, verb, p) + (" | None" if value is None else "")
        words.append(inspect.Parameter(argument(p["key"]), inspect.Parameter.KEYWORD_ONLY, default=value, annotation=kind))
    return inspect.Signature(words, return_annotation=result)


def runner_signature(problem, verb):
    """Of plan_PROBLEM and simulate_PROBLEM."""
    parameters = kept(problem, verb)
    leads = [("inputs", "Inputs | None" if problem["name"] == "queue" else "Inputs", inspect.Parameter.empty)]
    sizes = next((p["kind"] for p in parameters if p["key"] == "procs"), None)
    if sizes:
        leads.append(("procs", "int | str | range | Sequence[int] | None" if sizes == "text" else "int | None", None))
    return signature(problem, verb, [p for p in parameters if p["key"] != "procs"], [*leads, ("progress", "Progress", None)], "Case")


def generator_signature(problem):
    """Of generate_PROBLEM."""
    return signature(problem, "generate", kept(problem, "generate"), [("path", "_Path", inspect.Parameter.empty)], "_Path")


def _python(text):
    """A summary in the terms of Python: names of arguments instead of options of the command line."""
    text = re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda found: argument(found[1].replace("-", "_")), text)
    return re.sub(r"'cosched list (\w+)'", r'cosched.policies("\1")', text)


def _spelt(parameter):
    """Which values an argument takes, and its unit."""
    values = _SPELLINGS.get(parameter["values"], parameter["values"])
    values = re.sub(r"^a time in seconds from (\S+) to (\S+)$", r'seconds from \1 to \2, a timedelta, or a text such as "30d"', values)
    values = re.sub(r"^a whole number from", "int from", re.sub(r"^a number from", "float from", values))
    return ", ".join('"%s"' % word for word in parameter["choices"]) if parameter["choices"] else values


def document(summary, first, parameters, last):
    """The text of help()."""
    lines = [summary[:1].upper() + summary[1:] + ".", "", first, ""]
    for p in parameters:
        value = default(p)
        lines.append("%s: %s%s\n    %s" % (argument(p["key"]), _spelt(p), "" if value is None else ", default %r" % (value,), _python(p["summary"])))
    return "\n".join([*lines, "", last])


def check_names(function, parameters, options):
    """TypeError where an option is none. Names of former releases are known too: C warns of them."""
    known = {argument(p["key"]) for p in parameters}
    former = {p["old"].replace("-", "_") for p in parameters if p["old"]}
    for name in options:
        if name not in known | former:
            raise TypeError("%s() has no option %s; there are %s" % (function, name, ", ".join(sorted(known))))
