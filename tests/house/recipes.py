#!/usr/bin/env python3
"""The recipes below packaging/ say what the build says: its version, its options, what it installs.

usage: recipes.py [PREFIX]

PREFIX is where it is installed: what the recipes look for afterwards has to be there.
"""

import email.utils
import os
import re
import subprocess
import sys
import types

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KINDS = {"spack": "packaging/spack/package.py", "easybuild": "packaging/easybuild/cosched-{}-GCC-13.2.0.eb",
         "conda": "packaging/conda/recipe.yaml", "podman": "packaging/Containerfile", "apptainer": "packaging/cosched.def"}
failed = count = 0


def ok(condition, what):
    global failed, count
    count += 1
    failed += not condition
    print("%sok %d - %s" % ("" if condition else "not ", count, what), flush=True)


def read(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


class Spec:
    """What Spack has been told to build: the variants that are on."""

    def __init__(self, on):
        self.on = on

    def satisfies(self, text):
        return text in self.on


def spack(path):
    """The class of a package, its directives recorded: {"version": [...], "variant": [...], ...}."""
    told = {}

    def directive(name):
        return lambda *words, **_: told.setdefault(name, []).append(words[0])

    names = {name: directive(name) for name in ("license", "version", "variant", "depends_on", "extends")}
    names.update({name: lambda *_, **__: lambda function: function for name in ("run_after", "on_package_attributes")})
    base = type("MesonPackage", (), {})
    package = types.ModuleType("spack.package")
    package.__dict__.update(names)
    meson = types.ModuleType("spack_repo.builtin.build_systems.meson")
    meson.MesonPackage = base
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules.update({"spack.package": package, "spack_repo.builtin.build_systems.meson": meson})
    scope = {"__file__": os.path.join(TOP, path), "__name__": "package"}
    exec(compile(read(path), path, "exec"), scope)
    return scope["Cosched"], told


def easybuild(path):
    scope = {}
    exec(compile(read(path), path, "exec"), scope)
    return scope


def options(text):
    return dict(re.findall(r"-D(\w+)=(enabled|disabled)", text))


def check_spack(features, version):
    made, told = spack(KINDS["spack"])
    ok(version in made.url and version in told["version"], "spack: the version")
    package = made()
    for on in ([], ["+" + name for name in told["variant"]]):
        package.spec = Spec(on)
        given = options(" ".join(package.meson_args()))
        ok(set(given) == features and set(given.values()) == {"enabled" if on else "disabled"},
           "spack: every option is %s" % ("enabled" if on else "disabled"))


def check_easybuild(features, version, prefix):
    path = KINDS["easybuild"].format(version)
    ok(os.path.exists(os.path.join(TOP, path)), "easybuild: a file of this version")
    told = easybuild(path)
    ok(told["version"] == version and told["name"] == "cosched" and told["easyblock"] == "MesonNinja", "easybuild: the version")
    ok(set(options(told["configopts"])) == features, "easybuild: every option")
    if prefix:
        lost = [name for kind in ("files", "dirs") for name in told["sanity_check_paths"][kind]
                if not getattr(os.path, "is" + kind[:-1])(os.path.join(prefix, name))]
        ok(not lost, "easybuild: what is looked for is installed %s" % lost)
        for command in told["sanity_check_commands"]:
            done = subprocess.run([os.path.join(prefix, "bin", "cosched"), *command.split()[1:]], stdout=subprocess.PIPE)
            ok(done.returncode == 0 and done.stdout, "easybuild: " + command)


def check_conda(features, version):
    text = read(KINDS["conda"])
    ok('version: "%s"' % version in text, "conda: the version")
    ok(set(options(text)) == features, "conda: every option")
    try:
        import yaml
    except ImportError:
        return
    told = yaml.safe_load(re.sub(r"\$\{\{ *(.*?) *\}\}", r"X", text))
    ok(told["recipe"]["name"] == "cosched" and told["tests"] and len(told["requirements"]["host"]) > 10, "conda: is YAML")


def check_images(features, version):
    for kind in ("podman", "apptainer"):
        text = read(KINDS[kind])
        ok(set(options(text)) <= features and "script/bootstrap --demo" in text, kind + ": options that there are")
    ok("Version " + version in read(KINDS["apptainer"]), "apptainer: the version")
    installed = [sorted(re.findall(r"\b(?:lib|zlib|coinor-)[\w.+-]*\d\b", re.search(r"recommends((?:.|\\\n)*?)(?:&&|\n    rm)", read(KINDS[kind]))[1]))
                 for kind in ("podman", "apptainer")]
    ok(installed[0] == installed[1] and len(installed[0]) > 8, "podman and apptainer install the same libraries")


def check_debian():
    """What a test of a package runs, its testbed has."""
    for stanza in read("debian/tests/control").strip().split("\n\n"):
        told = dict(line.split(": ") for line in stanza.splitlines())
        text, depends = read("debian/tests/" + told["Tests"]), told["Depends"].split(", ")
        ok("python" not in text and ".py" not in text or any(name.startswith("python3") for name in depends),
           "debian: the test %s depends on Python, if it has any" % told["Tests"])
        ok("py3versions" not in text, "debian: the test %s asks the Python that was built for" % told["Tests"])


def check_release(version):
    """The same version of the same day for those who read, who install and who cite."""
    day = re.search(r"^## \[([\d.]+)\] - ([\d-]+)$", read("CHANGELOG.md"), re.M).groups()
    log = read("debian/changelog")
    ok(day[0] == version, "CHANGELOG.md: the version")
    ok((re.match(r"cosched \(([\d.]+)\)", log)[1],
        email.utils.parsedate_to_datetime(re.search(r"^ -- .*>  (.*)$", log, re.M)[1]).date().isoformat()) == day, "debian/changelog: its day")
    ok(tuple(re.findall(r"^(?:version|date-released): (.*)$", read("CITATION.cff"), re.M)) == day, "CITATION.cff: its day")


def main():
    prefix = sys.argv[1] if len(sys.argv) > 1 else None
    features = set(re.findall(r"option\('(\w+)', type: 'feature'", read("meson_options.txt")))
    version = re.search(r"version: '([^']+)'", read("meson.build"))[1]
    check_spack(features, version)
    check_easybuild(features, version, prefix)
    check_conda(features, version)
    check_images(features, version)
    check_debian()
    check_release(version)
    print("1..%d" % count)
    return 1 if failed else 0


sys.exit(main())
