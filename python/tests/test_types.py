"""Type checkers: the package is typed, and every example of docs/python.md passes."""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys

import cosched
import pytest

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(cosched.__file__)))


def tool(name):
    """A type checker in PATH or in node_modules of the source; else the test is skipped."""
    found = shutil.which(name) or shutil.which(name, path=os.path.join(TOP, "node_modules/.bin"))
    return found or pytest.skip("%s is not installed" % name)


def run(*words, cwd=None):
    env = {**os.environ, "PATH": os.path.dirname(sys.executable) + ":" + os.environ["PATH"], "PYTHONPATH": FOLDER}
    done = subprocess.run(words, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


@pytest.fixture(name="examples")
def fixture_examples(tmp_path):
    """The snippets of the page as one file, since later ones use names of earlier ones."""
    with open(os.path.join(TOP, "docs/python.md"), encoding="utf-8") as page:
        snippets = re.findall(r"```python\n(.*?)```", page.read(), re.S)
    (tmp_path / "examples.py").write_text("\n".join(snippets), encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\n[mypy-matplotlib.*]\nignore_missing_imports = True\n")  # before 3.8 it has no types
    (tmp_path / "wrong.py").write_text('import cosched\ncosched.plan_pack("x.csv", 4, policy="exakt")\ncosched.plan_pack("x.csv", 4, interpolate="no")\ncosched.plan_pack("x.csv", 4, fil="step")\n')
    return tmp_path


def test_pyright_passes_the_page_and_finds_mistakes(examples):
    status, said = run(tool("pyright"), "examples.py", cwd=examples)
    assert status == 0, said
    status, said = run(tool("pyright"), "wrong.py", cwd=examples)
    assert status == 1 and "3 errors" in said, said


def test_mypy_passes_the_page_and_finds_mistakes(examples):
    mypy = tool("mypy")
    status, said = run(mypy, "--python-executable", sys.executable, "examples.py", cwd=examples)
    assert status == 0, said
    status, said = run(mypy, "--python-executable", sys.executable, "wrong.py", cwd=examples)
    assert status == 1 and "3 errors" in said, said


def test_public_names_have_types(tmp_path):
    _, said = run(tool("pyright"), "--verifytypes", "cosched", "--ignoreexternal", "--outputjson", cwd=tmp_path)
    found = json.loads(said)["typeCompleteness"]
    unknown = [one["name"] for one in found["symbols"] if one["isExported"] and not one["isTypeKnown"]]
    assert found["completenessScore"] >= 0.95, unknown


def test_signatures_have_defaults_and_docstrings_the_terms_of_python():
    words = inspect.signature(cosched.plan_pack).parameters
    assert words["interpolate"].default == "measured" and words["strict"].default is False and "Literal" in words["interpolate"].annotation
    with open(os.path.join(FOLDER, "cosched/__init__.pyi"), encoding="utf-8") as stubs:
        text = stubs.read()
    assert 'interpolate: Literal["measured", "power"] = "measured",' in text
    for name in (name for name in cosched.__all__ if name.startswith(("plan_", "simulate_", "generate_", "replay"))):
        function = getattr(cosched, name)
        assert not re.search(r"None$|source: None", function.__doc__), name
        assert "\ndef %s(\n" % name in text
        for argument in inspect.signature(function).parameters:
            assert "\n    %s:" % argument in text
    public = [(name, getattr(cosched, name)) for name in cosched.__all__]
    public += [(name, member) for name, thing in public if inspect.isclass(thing) for member in vars(thing).values()]
    for name, thing in public:
        assert not re.search(r"(?<![\w-])--[a-z]", inspect.getdoc(thing) or ""), name


def test_a_policy_may_be_a_text_with_values(tmp_path):
    (tmp_path / "bag.csv").write_text("app,procs,seconds\na,1,640\na,2,340\nb,1,500\n")
    plan = cosched.plan_pack(tmp_path / "bag.csv", 2, policy=cosched.PolicyText("pack-by-pack:epsilon=0.5"))
    assert plan.variants == [("pack-by-pack:epsilon=0.5",)]


def test_pandas_is_not_needed_to_import_and_plan():
    code = ("import sys; sys.modules['pandas'] = None; import cosched; "
            "plan = cosched.plan_pack({'a': {1: 2.0}}, 1); assert plan.makespan if hasattr(plan, 'makespan') else plan.cost == 2; assert plan.check()")
    status, said = run(sys.executable, "-c", code)
    assert status == 0, said
