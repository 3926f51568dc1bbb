#!/usr/bin/env python3
"""The commands for packs as a user meets them: output, files, messages, exit status.

usage: tests/cli/tool.py COSCHED EXAMPLES
"""

import csv
import fcntl
import gzip
import io
import json
import os
import pty
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import termios

import kit
from kit import cosched, finish, ok, results

EXAMPLES = os.path.abspath(sys.argv[2])
QUICK = os.path.join(EXAMPLES, "quickstart.csv")
POLICIES = (
    "one-by-one pack-approx pack-by-pack random-pack random-proc random-naive contiguous local-search"
    " matching ilp exact pair-search"
).split()
KEYS = (
    "problem policy procs pack_size cost one_pack_cost relative_cost packing_ratio"
    " relative_response_time lower_bound gap packs"
).split()

def manual_page(words):
    """The page of a command, which the build made."""
    with open(os.path.join(os.path.dirname(kit.COSCHED), f"cosched-{'-'.join(words.split())}.1"), encoding="utf-8") as file:
        return file.read()


def refused(words, *parts, status=1):
    """One sentence that names all parts; with status 2 also where help is."""
    out, err = cosched(*words, status=status)
    lines = err.splitlines()
    ok(out == "" and len(lines) == (1 if status == 1 else 2), "one sentence, and nothing else")
    missing = [part for part in parts if part not in err]
    ok(not missing, "it says %s" % (" and ".join(parts) if not missing else "%r, not %r" % (err, missing)))


def write(name, text):
    kit.write(".", name, text)
    return name


def plan(*words, **more):
    return results("plan", "pack", *words, **more)


def lists_and_helps():
    listed = [row["name"] for row in results("list", "pack")]
    ok(set(POLICIES) <= set(listed), "every policy that is known here is listed")
    rows = list(csv.DictReader(io.StringIO(cosched("list", "--format", "csv")[0])))
    ok([row["name"] for row in rows if row["problem"] == "pack"] == listed, "as CSV in the same order")
    for rows in (rows, results("list")):
        kinds = {(row["problem"], row["name"]): row["kind"] for row in rows}
        ok(kinds["rigid", "lert-learnt"] == "priority" and kinds["rigid", "list"] == "policy" and
           kinds["malleable", "iterated-greedy"] == "on-failure" and
           kinds["malleable", "local"] == "on-end" and kinds["ptg", "wps-cp"] == "policy" and
           set(kinds.values()) == {"policy", "priority", "on-end", "on-failure"}, "every line says what it is")
    overview = cosched("help")[0]
    known = results("list", "pack", "--parameters")
    asked = [row for row in known if row["name"] == "pack-size"]
    ok(len(asked) == 1 and asked[0]["key"] == "pack_size" and asked[0]["letter"] == "k" and asked[0]["kind"] == "integer" and
       asked[0]["verbs"] == ["plan", "generate", "experiment"] and asked[0]["scope"] == ["instance"], "parameters with what there is to know")
    times = [row for row in known if row["name"] == "times"][0]
    ok(times["choices"] == ["min", "median", "max"] and times["default"] == "min", "choices and defaults")
    helped = cosched("help", "plan", "pack")[0]
    ok(all("--" + row["name"] in helped for row in known if "plan" in row["verbs"]), "those that plan takes are in its help")
    table = list(csv.DictReader(io.StringIO(cosched("list", "pack", "--parameters", "--format", "csv")[0])))
    ok([row["name"] for row in table] == [row["name"] for row in known], "the same as CSV")
    metrics = results("list", "pack", "--metrics")
    ok([row["name"] for row in metrics if row["measured"]] == ["milliseconds"], "metrics, and which are measured")
    ok("relative_response_time" in cosched("list", "pack", "--metrics")[0], "for people too")
    ok({row["problem"] for row in results("list", "--metrics")} >= {"pack", "malleable"}, "of every problem")
    refused(["list", "pack", "--parameters", "--metrics"], "one of them", status=2)
    for words in ("plan pack", "generate pack", "check", "fit", "list", "paper run", "completion"):
        text = cosched("help", *words.split())[0]
        ok(words in overview and "Usage: cosched " + words in text, words + " is explained")
        ok(cosched(*words.split(), "--help")[0] == text, "by --help in the same words")
        ok(".Sh SYNOPSIS" in manual_page(words), "and by a manual page")
    told = results("help", "plan", "moldable")
    of = {row["name"]: row for row in told["options"]}
    ok(set(of) == set(re.findall(r"--([a-z-]+)", cosched("help", "plan", "moldable")[0].split("Options:")[0].split("Usage:")[1].split("\n\n")[0])), "help for programs has every option")
    ok("sweep" in of["policy"]["words"] and "order" not in of["policy"]["words"] and of["policy"]["list"], "with the words that this command takes")
    ok(of["extrapolate"]["choices"] == ["refuse", "scale"] and of["extrapolate"]["default"] == "refuse" and of["procs"]["kind"] == "text" and
       of["title"]["needs"] == "gantt" and told["operands"][0]["name"] == "INPUT", "kinds, choices, defaults, what needs what, operands")
    ok([row["command"] for row in results("help", "simulate")] == ["simulate moldable", "simulate rigid", "simulate queue", "simulate malleable", "simulate volatile", "simulate spot"], "the commands of a verb")
    ok(set(re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", overview, re.M)) <= {row["command"] for row in results("help")}, "and all of them")
    for page in cosched("help", "convert")[0], manual_page("convert"):
        ok(re.search(r"(\n +--to swf\||\n\.Fl -to Cm swf\|)", page) and re.search(r"(\[--margin X\]|\n\.Op Fl -margin Ar X)", page),
           "what has to be given stands in no brackets")
    script = cosched("completion", "bash")[0]
    done = subprocess.run(["bash", "-n"], input=script, text=True, check=False)
    ok(done.returncode == 0 and "pack-by-pack" in script, "bash understands its completion")
    ok(cosched("--version")[0].startswith("cosched "), "the version is told")


def bash_offers(script, line):
    """What bash is told after this line, which it splits at = and : too."""
    words = re.findall(r"[^\s=:]+|[=:]", line) + ([""] if line[-1] in " " else [])
    setting = "COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE=%s COMP_POINT=%d" % (
        " ".join(map(shlex.quote, words)), len(words) - 1, shlex.quote(line), len(line))
    done = subprocess.run(["bash", "-c", script + "\n" + setting + '\n_cosched\nprintf "%s\\n" "${COMPREPLY[@]}"'],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.stdout.split()


def completes(offers):
    """Lists go on after a comma: with what is not in them yet, and never with all."""
    policies = set(offers("cosched plan pack --policy "))
    ok({"exact", "matching", "one-by-one", "all"} <= policies, "policies")
    ok(offers("cosched plan pack --policy ma") == ["matching"], "one of them")
    ok(set(offers("cosched plan pack --policy=")) == policies, "after = too")
    ok(offers("cosched plan pack --policy exact,ma") == ["exact,matching"], "the second of a list")
    ok(offers("cosched plan pack --policy=exact,ma") == ["exact,matching"], "after = too")
    rest = offers("cosched plan pack --policy exact,matching,")
    ok(set(rest) == {"exact,matching," + word for word in policies - {"exact", "matching", "all"}}, "what is left")
    ok(offers("cosched simulate moldable --planner x,") == [], "what is no list has no second word")
    ok(offers("cosched replay log.swf --by width,ti") == ["width,time"], "words of the tool's own")
    ok(offers("cosched completion ba") == ["bash"], "operands")


def fish_offers(script, line):
    done = subprocess.run(["fish", "--no-config", "-c", script + "\ncomplete -C " + shlex.quote(line)],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    ok(not done.stderr, "fish says nothing " + done.stderr[:200])
    return [row.split("\t")[0].removeprefix("--policy=") for row in done.stdout.splitlines()]


def completions():
    script = cosched("completion", "bash")[0]
    completes(lambda line: bash_offers(script, line))
    ok(bash_offers(script, "cosched simulate rigid --policy easy:x=1,cons") == ["1,conservative"],
       "bash is given the last piece only")
    ok(bash_offers(script, "cosched simulate rigid --policy nobody") == [], "no files where words are wanted")
    ok("_sequence" in cosched("completion", "zsh")[0], "zsh has its own way")
    if shutil.which("zsh"):
        done = subprocess.run(["zsh", "-n"], input=cosched("completion", "zsh")[0], text=True, check=False)
        ok(done.returncode == 0, "zsh understands its completion")
    script = cosched("completion", "fish")[0]
    if shutil.which("fish"):
        completes(lambda line: fish_offers(script, line))
        ok(fish_offers(script, "cosched run status.json st") == [], "second words are second")
        ok(fish_offers(script, "cosched fit av") == ["availability"], "where they are")
        ok("--pack-size" in fish_offers(script, "cosched plan pack -"), "options")


def streams():
    """A file that goes to standard output is all that goes there, and the next program reads it."""
    words = ["plan", "pack", QUICK, "--procs", "8", "-o"]
    cosched(*words, "streamed.json")
    with open("streamed.json", encoding="utf-8") as file:
        made, command = cosched(*words, "-")[0], re.compile(r'"command": .*')
        ok(command.sub("", made) == command.sub("", file.read()), "-o - prints the file and nothing else")
    ok("-: valid" in cosched("check", "-", given=made)[0], "and check reads it")
    refused(["simulate", "volatile", os.path.join(EXAMPLES, "hosts.json"), "--per-scenario", "-", "-o", "-"],
            "--per-scenario and --output cannot both go to standard output", status=2)


def plans():
    document = plan(QUICK, "--procs", "8")
    ok(not [key for key in KEYS if key not in document], "the JSON has every key")
    ok(document["cost"] == 365 and document["one_pack_cost"] == 540, "the costs are those worked out")
    packed = sorted(task["name"] for pack in document["packs"] for task in pack["tasks"])
    ok(packed == sorted("ocean weather genome protein solver render".split()), "every task once")
    ok(all(sum(task["procs"] for task in pack["tasks"]) <= 8 for pack in document["packs"]), "packs fit")
    rows = list(csv.DictReader(io.StringIO(cosched("plan", "pack", QUICK, "-p", "8", "--format", "csv")[0])))
    ok(sorted(row["task"] for row in rows) == packed, "the same as CSV")
    small = plan(QUICK, "-p8", "-k2", "--policy", "local-search")
    ok(max(len(pack["tasks"]) for pack in small["packs"]) == 2, "--pack-size is kept")
    ok(plan("-", "-p", "8", given=open(QUICK, encoding="utf-8").read())["cost"] == 365, "standard input is read")
    with open(QUICK, "rb") as plain, gzip.open("quick.gz", "wb") as packed_file:
        shutil.copyfileobj(plain, packed_file)
    ok(plan("quick.gz", "-p", "8")["cost"] == 365, "gzip is unpacked")
    same = [cosched("plan", "pack", QUICK, "-p", "8", "--format", "json", "--policy", "random-pack",
                    "--seed", "7", "--threads", threads)[0] for threads in "114"]
    ok(same[0] == same[1] == same[2], "the same bytes again, and with four threads")
    lacking = {row["name"] for row in results("list", "pack") if row["missing"]}
    for policy in POLICIES:
        if policy != "ilp" and policy not in lacking:
            document = plan(QUICK, "-p", "8", "--policy", policy)
            ok(document["policy"].startswith(policy) and document["gap"] >= 0, policy + " plans")


def compares():
    words = ["plan", "pack", QUICK, "--procs", "8", "--policy", "all", "--format"]
    rows = json.loads(cosched(*words, "json")[0])["results"]
    best = [row for row in rows if row["policy"] == "exact"][0]
    ok(set(POLICIES) <= {row["policy"] for row in rows}, "all compares every policy")
    ok(all(row["cost"] is None or row["cost"] >= best["cost"] for row in rows), "none beats exact")
    table = cosched(*words, "table")[0]
    ok(all(policy in table for policy in POLICIES), "for people too")
    two = results("plan", "pack", QUICK, "-p", "8", "--policy", "CONTIGUOUS,pack-by-pack:epsilon=0.5,ilp")
    ok([row["policy"] for row in two["results"]] == ["contiguous", "pack-by-pack:epsilon=0.5", "ilp"],
       "or those that are named, in any case")
    ok(two["results"][0]["milliseconds"] > 0 and two["results"][2]["cost"] is None, "with times; one may make no plan")
    refused(["plan", "pack", QUICK, "-p", "8", "--policy", "all", "-o", "plan.json"], "--output", "one policy", status=2)


def writes_and_checks():
    cosched("plan", "pack", QUICK, "-p", "8", "-o", "plan.json", "--gantt", "plan.svg")
    ok("valid" in cosched("check", "plan.json")[0], "a plan is valid")
    svg = open("plan.svg", encoding="utf-8").read()
    ok(svg.startswith("<svg") or "<svg" in svg[:200], "the chart is SVG")
    ok(all(name in svg for name in ("ocean", "genome", "pack 1")), "with applications and packs in it")
    document = json.load(open("plan.json", encoding="utf-8"))
    document["bars"][0]["end"] += 1
    write("broken.json", json.dumps(document))
    out, _ = cosched("check", "broken.json", status=1)
    name = document["tasks"][document["bars"][0]["task"]]
    ok(name in out, "a bar that is too long is refused, with its task")
    cosched("plan", "pack", "plan.json", "-p", "8")
    refused(["plan", "pack", QUICK, "-p", "8", "-o", "no/plan.json"], "no/plan.json", "no folder")
    refused(["plan", "pack", QUICK, "-p", "8", "--gantt", "plan.jpg"], "plan.jpg", ".svg", status=2)


def fits_and_generates():
    cosched("fit", QUICK, "--output", "fitted.json")
    ok(plan("fitted.json", "-p", "8")["cost"] > 0, "what is fitted can be planned")
    fitted = results("fit", QUICK)
    ok(len(fitted if isinstance(fitted, list) else fitted["tasks"]) == 6, "one model for each application")
    for name, tasks in ("i", 10), ("ii-a", 65), ("ii-b", 65), ("iii-a", 260), ("iii-b", 260):
        workload = json.loads(cosched("generate", "pack", "--workload", name)[0])
        ok(len(workload["tasks"]) == tasks and "stand-in" in workload["note"], name + " is a stand-in")
    refused(["generate", "pack", "--workload", "iv"], "iv", "iii-b", status=2)


def refuses():
    head = "app,procs,seconds\n"
    for text, *parts in (
        ("", "bad.csv", "empty"),
        ("app,procs\na,1\n", "bad.csv:1", "seconds"),
        (head + "a,1,10\na,2,x\n", "bad.csv:3", "seconds", "x"),
        (head + "a,1,-5\n", "bad.csv:2", "-5", "positive"),
        (head + "a,1,0\n", "bad.csv:2", "0", "positive"),
        (head + "a,1,nan\n", "bad.csv:2", "nan"),
        (head + "a,1,inf\n", "bad.csv:2", "inf"),
        (head + "a,0,5\n", "bad.csv:2", "procs"),
        (head + "a,1.5,5\n", "bad.csv:2", "procs"),
        (head + "a,1,5,6\n", "bad.csv:2", "4 fields"),
        (head + ",1,5\n", "bad.csv:2", "app"),
        (head + "a,64,5\n", "task 0 (a)", "64"),
        (head + "a,1,1e308\nb,1,1e308\n", "bad.csv: the times of 2 tasks", "more than a number can hold"),
        (head + "a,1,1e308\n", "bad.csv: the times of 1 tasks on 8 processors"),
        ('{"format": 1', "bad.csv:1"),
        ('{"format": "cosched-workload-1", "tasks": [{"name": "a", "table": [1], "min_procs": 2}]}',
         "task 0 (a)", "limits allow"),
        ('{"format": "cosched-workload-1", "tasks": [{"name": "a", "table": [1, 0]}]}', "tasks[0].table[1]"),
    ):
        refused(["plan", "pack", write("bad.csv", text), "--procs", "8"], *parts)
    good = write("good.csv", head + "a,1,10\n")
    for words, *parts in (
        (["no.csv", "-p", "8"], "no.csv"),
        ([good], "--procs"),
        ([good, "-p", "8", "--policy", "exat"], "exat", 'did you mean "exact"'),
        ([good, "-p", "8", "--policy", "pack-by-pack:epsilon=1"], "epsilon", "0 < epsilon < 1"),
        ([good, "-p", "8", "--policy", "pack-by-pack:eps=0.5"], "eps", "epsilon"),
    ):
        refused(["plan", "pack", *words], *parts)
    for words, *parts in (
        (["plan", "pack"], "INPUT"),
        (["plan", "pack", good, "--polcy", "x"], "--polcy", "--policy"),
        (["plan", "pack", good, "-p", "many"], "many", "whole number"),
        (["plan", "pack", good, "-p", "0"], "--procs", '"0"', "from 1 to"),
        (["plan", "pack", good, "-p", "8", "-k", "0"], "--pack-size", '"0"', "from 1 to"),
        (["plan", "pack", good, "-p", "8", "--policy", "exact", "--effort", "fast"], "--policy", "--effort"),
        (["plan", "pack", good, "-p", "8", "--procs", "9"], "--procs is given twice"),
        (["plan", "pack", good, "-p", "8", "--format", "csv", "--form", "csv"], "--format is given twice"),
        (["plan", "pack", good, "-p", "8", "--title", "A"], "--title is for --gantt, which is not given"),
        (["plan", "pack", good, "-p", "8", "--dark"], "--dark is for --gantt, which is not given"),
        (["check", good, "--rule", "easy"], "--rule is for --log, which is not given"),
        (["pan"], "pan", "plan"),
    ):
        refused(words, *parts, status=2)
    cosched("plan", "pack", good, "-p", "8", "--dark", "--dark", "--gantt", "dark.svg")
    cosched(status=2)
    ok(cosched("plan", "pack", write("none.csv", head), "-p", "8")[0].startswith("0 tasks"), "no task is fine")


def keeps_its_input():
    """An output that is the input, or the other output, is refused before anything is written."""
    text = "app,procs,seconds\na,1,10\na,2,6\na,4,4\n"
    write("own.svg", text)
    os.symlink("own.svg", "link.svg")
    os.link("own.svg", "second.svg")
    for path in "own.svg", "./own.svg", "link.svg", "second.svg":
        refused(["plan", "pack", "own.svg", "-p", "2", "-o", path], path, "it is the input")
        refused(["plan", "pack", "own.svg", "-p", "2", "--gantt", path], path, "it is the input")
        refused(["fit", "own.svg", "-o", path], path, "it is the input")
    refused(["plan", "pack", "own.svg", "-p", "2", "-o", "new", "--sbatch", "new"], "new", "--output")
    with open("own.svg", encoding="utf-8") as file:
        ok(file.read() == text and not os.path.exists("new"), "and the input is as it was")
    with open("wide.csv", "wb") as file:
        file.write(text.encode("utf-16"))
    refused(["plan", "pack", "wide.csv", "-p", "2"], "wide.csv:1: the file is UTF-16, expected UTF-8")
    hole = '{"format": "cosched-workload-1", "tasks": [{"name": "a", "table": [3, null]}]}'
    task = plan(write("hole.json", hole), "-p", "2")["packs"][0]["tasks"][0]
    ok(task["procs"] == task["launched"] == 1 and task["seconds"] == 3, "nothing is launched on a hole in a table")
    out, err = cosched("fit", write("fit.csv", text), "-o", "/dev/full", status=1)
    ok(err.startswith("cosched: /dev/full: ") and not out, "what cannot be written is named alone")


def judges_what_was_edited():
    """Plans changed by hand, in ways that leave every bar as it was."""
    plan = results("plan", "pack", QUICK, "-p", "8")
    for key, value, words in (
        ("problem", "pakc", 'the problem is "pakc", it must be pack, m'),
        ("lower_bound", 0, "the declared gap is 0: (cost - lower bound) / lower bound is inf"),
        ("lower_bound", 1e-308, "the declared gap is 0: (cost - lower bound) / lower bound is inf"),
    ):
        out = cosched("check", write("edited.json", json.dumps({**plan, key: value})), status=1)[0]
        ok(words in out, "%s = %s is not valid" % (key, value))
    cosched("check", write("edited.json", json.dumps({**plan, "lower_bound": 0, "gap": None})))


def tells_programs():
    """With --format json an error is one object, whatever went wrong, and the status is the same."""
    bad = write("bad.csv", "app,procs,seconds\na,1,10\na,2,x\n")
    inner = write("inner.json", json.dumps({"problem": "pack", "set": {"input": "bad.csv", "procs": 8}, "vary": {"policy": ["one-by-one"]}}))
    for line, status, more in (
        (["plan", "pack", bad, "-p", "8"], 1, {"kind": "input", "file": bad, "line": 3}),
        (["plan", "pack", "no.csv", "-p", "8"], 1, {"kind": "system", "file": "no.csv"}),
        (["campaign", "run", inner, "--store", ":memory:"], 1, {"kind": "input", "file": os.path.join(os.path.dirname(inner), "bad.csv"), "line": 3}),
        (["plan", "pack", QUICK, "-p", "8", "--sbatch", "no/where.sh"], 1, {"kind": "system"}),
        (["plan", "pack", QUICK, "-p", "8", "--policy", "program", "--policy-program", "exit 3"], 1, {"kind": "policy"}),
        (["plan", "pack", QUICK, "-p", "x"], 2, {"kind": "usage", "field": "procs", "help": "cosched help plan pack"}),
        (["plan", "pack", QUICK, "--nope"], 2, {"kind": "usage", "help": "cosched help plan pack"}),
        (["plan"], 2, {"kind": "usage", "help": "cosched help plan"}),
        (["nope"], 2, {"kind": "usage", "help": "cosched help"}),
        (["list", 'a "\\name"'], 2, {"kind": "usage", "help": "cosched help list"}),
    ):
        sentence = cosched(*line, status=status)[1].splitlines()[0].removeprefix("cosched: ")
        for asked in (["--format", "json"], ["--format=json"], ["--form", "json"]):
            told = cosched(*line, *asked, status=status)[1]
            object = json.loads(told) if told.count("\n") == 1 else {}
            ok(object.pop("error", "").split(";")[0] == sentence.split(";")[0], "the same sentence")
            ok(object == {"status": status, **more}, "and %s: %s" % (more, told.strip()))
    ok(cosched("nope", "--", "--format", "json", status=2)[1].startswith("cosched: "), "not after --")
    ok(cosched("plan", "pack", bad, "-p", "8", "--format", "csv", status=1)[1].startswith("cosched: "), "not for csv")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([kit.COSCHED, "list", "--format", "json"], stdout=full, stderr=subprocess.PIPE, check=False)
    told = json.loads(done.stderr)
    ok(told["kind"] == "system" and told["status"] == done.returncode == 1, "a full disk too")


def does_without_linear_programs():
    """CLP and CBC are loaded when they are needed; here what has the name of one is no library."""
    if "CLP/CBC   yes" not in cosched("--version")[0]:
        return
    os.mkdir("none")
    write("none/libClp.so.1", "no library")
    bare = {**os.environ, "LD_LIBRARY_PATH": "none"}
    cosched("generate", "pack", "--workload", "random", "--tasks", 20, "-o", "twenty.json")

    def without(*words):
        done = subprocess.run([kit.COSCHED, "plan", "pack", *words], text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=bare)
        return done.returncode, done.stdout, " ".join(done.stderr.split())
    sentence = re.compile(r"linear programs need CLP and CBC \(coinor-libclp1 and coinor-libcbc[\d.]+ on Debian\), and libClp\.so\.1 cannot be loaded: ")
    cheaper = "the bound is the cheap one: " + sentence.pattern
    status, out, told = without("twenty.json", "--procs", "8", "--format", "json")
    cheap = cosched("plan", "pack", "twenty.json", "--procs", 8, "--bound", "cheap", "--format", "json")[0]
    ok(status == 0 and json.loads(out)["bars"] == json.loads(cheap)["bars"] and re.search(cheaper, told),
       "a plan without its strong bound, and why: %s" % told)
    for words in ["--bound", "strong"], ["--policy", "exact:method=branch"]:
        status, out, told = without("twenty.json", "--procs", "8", *words)
        ok(status == 1 and not out and sentence.search(told), "%s: %s" % (" ".join(words), told))
    status, out, told = without(QUICK, "--procs", "2", "--policy", "ilp")
    ok(status == 1 and ("linear programs" in told or "too many" in told), "ilp: %s" % told)

    def printed(*words):
        return subprocess.run([kit.COSCHED, *words], text=True, check=False, stdout=subprocess.PIPE, env=bare).stdout
    ok("CLP/CBC   no " in printed("--version"), "--version reports what can be loaded here, not what was built")
    missing = {row["name"]: row["missing"] for row in json.loads(printed("list", "pack", "--format", "json"))}
    ok([name for name, why in missing.items() if why] == ["ilp"] and sentence.match(missing["ilp"]), "so does list: %s" % missing["ilp"])
    ok("NOT AVAILABLE HERE: linear programs need" in printed("list", "pack"), "and its text")


def plans_tightly():
    """Where CLP and CBC were built in, they are loaded, and the gap on the paper's workload II-A is small."""
    with open(os.path.join(os.path.dirname(kit.COSCHED), "..", "..", "config.h"), encoding="utf-8") as file:
        built = "#define CS_HAVE_CBC 1\n" in file.read()
    ok(("CLP/CBC   yes" in cosched("--version")[0]) == built, "--version reports them where they were built in")
    if not built:
        return
    cosched("generate", "pack", "--workload", "ii-a", "-o", "two.json")
    plan = json.loads(cosched("plan", "pack", "two.json", "--format", "json")[0])
    ok(plan["gap"] < 0.01, "the gap of workload ii-a: %s" % plan.get("gap"))


def on_terminal(columns, *words, **more):
    """What it prints on a terminal of so many columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    with subprocess.Popen([kit.COSCHED, *words], stdin=subprocess.DEVNULL, stdout=slave, env={**environment, **more}) as tool:
        os.close(slave)
        told = b""
        try:
            while data := os.read(master, 65536):
                told += data
        except OSError:
            pass
    os.close(master)
    ok(tool.returncode == 0, "it says 0")
    return told.decode().replace("\r\n", "\n")


def fits_the_terminal():
    words = "fit", QUICK
    whole = cosched(*words)[0]
    wide = max(map(len, whole.splitlines()))
    ok(on_terminal(wide, *words) == whole, "where there is room, as in a pipe")
    for columns in range(20, 100, 8):
        shown = on_terminal(columns, "plan", "pack", QUICK, "-p", "8", "--policy", "exact,one-by-one,local-search")
        told = shown.split("\n\n")[1].splitlines()
        note = told.pop() if told[-1].startswith("(made to fit %d columns" % columns) else ""
        ok(max(map(len, told)) <= columns and bool(note) == (columns < 90), "%d columns" % columns)
        ok(("left out: " in note and "planned in" in note) == (columns < 80), "it says what is left out " + note)
    ok("(made to fit 30 columns" in on_terminal(200, *words, COLUMNS="30"), "COLUMNS is believed")
    ok("(made to" not in on_terminal(0, *words), "a terminal that says nothing is wide")
    os.environ["COLUMNS"] = "20"
    ok(cosched(*words)[0] == whole, "but not without a terminal")
    del os.environ["COLUMNS"]
    ok(on_terminal(30, *words, "--format", "csv") == cosched(*words, "--format", "csv")[0], "CSV stays whole")


def follows_the_environment():
    words = "plan", "pack", QUICK, "--policy", "exact", "-o"
    cosched("plan", "pack", QUICK, "-p", "8", "--policy", "exact", "-o", "asked.json")
    cosched(*words, "default.json", env={"COSCHED_PROCS": "8"})
    with open("asked.json", "rb") as one, open("default.json", "rb") as other:
        ok(json.load(one)["makespan"] == json.load(other)["makespan"], "COSCHED_PROCS is the default of --procs")
    cosched("check", "default.json", env={"COSCHED_PROCS": "3"})
    ok("--procs" in cosched(*words, "none.json", status=1)[1], "there is no other")
    shown = cosched(*words, "none.json", "-p", "4", env={"COSCHED_PROCS": "8"})[0]
    ok("on 4 processors" in shown, "--procs has precedence")
    told = cosched(*words, "none.json", status=2, env={"COSCHED_PROCS": "many"})[1]
    ok('COSCHED_PROCS: --procs is "many"' in told, "a wrong value names the variable")
    generated = "generate", "pack", "--workload", "random", "-n", "3", "-o", "-"
    ok(cosched(*generated)[0] == cosched(*generated, env={"COSCHED_PROCS": "5"})[0], "generators do not follow it")
    logs = "replay", QUICK.replace("quickstart.csv", "sacct.txt"), "--nodes", "16", "--policy", "easy"
    ok(cosched(*logs)[0] == cosched(*logs, env={"COSCHED_PROCS": "5"})[0], "nor a line that describes the machine")


def uses_colours():
    cosched("plan", "pack", QUICK, "-p", "8", "--policy", "exact", "-o", "asked.json")
    for words, coloured in (("fit", QUICK), "\x1b[1mapp"), (("check", "asked.json"), "\x1b[32masked.json: valid:"):
        plain = on_terminal(200, *words)
        shown = on_terminal(200, *words, TERM="xterm")
        ok("\x1b" not in plain and coloured in shown, "%s has colours on a terminal" % words[0])
        ok(re.sub(r"\x1b\[[0-9]*m", "", shown) == plain, "nothing else changes")
        ok(on_terminal(200, *words, TERM="xterm", NO_COLOR="1") == plain, "none with NO_COLOR")
        ok("\x1b" not in cosched(*words, env={"TERM": "xterm"})[0], "none in a pipe")
    os.rename("asked.json", "\x1b[31mred.json")
    ok("\x1b[31m" not in on_terminal(100, "check", "\x1b[31mred.json", TERM="xterm"), "names of files cannot use them")


def pages_long_help():
    whole = cosched("help", "plan", "pack")[0]
    ok(on_terminal(90, "help", "plan", "pack", PAGER="sed s/^/,/") == re.sub("(?m)^(?=.|\n)", ",", whole), "long help goes to PAGER")
    ok(on_terminal(90, "help", "plan", "pack", PAGER="") == whole, "an empty PAGER is none")
    ok(cosched("help", "plan", "pack", env={"PAGER": "false"})[0] == whole, "nor is one used in a pipe")
    ok(on_terminal(90, "help", "completion", PAGER="false") == cosched("help", "completion")[0], "short help is printed")


folder = tempfile.mkdtemp()
os.chdir(folder)
try:
    for part in lists_and_helps, completions, plans, streams, compares, writes_and_checks, fits_and_generates, refuses, keeps_its_input, tells_programs, fits_the_terminal, \
            follows_the_environment, uses_colours, pages_long_help, \
            judges_what_was_edited, does_without_linear_programs, plans_tightly:
        part()
finally:
    os.chdir("/")
    shutil.rmtree(folder)
finish()
