#!/usr/bin/env python3
"""The playground in a real browser: the tool in the page prints and writes what the tool does, and asks for no network.

usage: playground.py COSCHED EXAMPLES PLAYGROUND.html

PLAYGROUND.html is what script/playground makes; skipped where nobody has made it.
"""

import base64
import functools
import gzip
import http.server
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading

import kit
from kit import ok

COSCHED, EXAMPLES, PAGE = map(os.path.abspath, sys.argv[1:4])

# The inputs, and a command that needs no optional part; what it prints and what it writes are compared.
SAME = [
    (["quickstart.csv"], "plan pack quickstart.csv --procs 8 --policy pack-by-pack --output out.json"),
    (["quickstart.csv"], "plan pack quickstart.csv --procs 8 --policy one-by-one,pair-search,contiguous --format json --repeat 1"),
    (["archer2.csv"], "plan moldable archer2.csv --procs 40 --policy sweep --output out.json --gantt out.svg"),
    (["graphs.json", "clusters.json"], "plan ptg graphs.json --platform clusters.json --policy wps-width --output out.json"),
    (["monday.swf"], "replay monday.swf --nodes 64 --policy fcfs,easy,conservative --jobs out.csv"),
    (["sacct.txt"], "replay sacct.txt --nodes 16 --policy easy --format json"),
    (["hosts.json"], "simulate volatile hosts.json --policy ie,y-ie --scenarios 20 --per-scenario out.csv"),
    (["monday.swf"], "simulate rigid monday.swf --procs 64 --policy easy,shelf --scenarios 20 --mean-failure-probability 0.2"),
    (["applications.csv"], "simulate malleable applications.csv --procs 64 --mtbf 30d --scenarios 5 --output out.json"),
    ([], "list rigid --parameters --format json"),
    (["quickstart.csv"], "plan pack quickstart.csv --procs many"),
]
# Of the pages, the commands on examples that need no program of the reader's, no part that the page lacks, no other folder.
PAGES = ["README.md", "docs/tutorial.md", "docs/plan.md", "docs/problems.md", "docs/replays.md", "docs/c.md", "docs/researcher.md", "docs/run.md"]
ELSEWHERE = re.compile(r"[|;&>#\\]|--policy-program|\b(campaign|paper|run)\b|-(policy|end) all\b|examples/\w+/|\.db\b")
RUN = """const [words, files, done] = arguments;
const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]));
const code = (array) => { let text = ""; for (const byte of array) text += String.fromCharCode(byte); return btoa(text); };
tool.run(words, bytes).then((got) => done({ ...got,
  files: Object.fromEntries(Object.entries(got.files).map(([name, array]) => [name, code(array)])) }));"""


def native(files, words):
    """(status, standard output, standard error, {name: bytes})."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
        env = dict(os.environ, TERM="dumb", NO_COLOR="1", COLUMNS="100", LC_ALL="C.UTF-8")
        done = subprocess.run([COSCHED, *words], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        written = {}
        for name in set(os.listdir(folder)) - set(files):
            with open(os.path.join(folder, name), "rb") as file:
                written[name] = file.read()
    return done.returncode, done.stdout.decode(), done.stderr.decode(), written


def untimed(answer):
    """Without the times that were measured, and without the last digits, which the libraries of exp and log decide."""
    status, out, *rest = answer
    out = re.sub(r"(, in | sizes in |\"milliseconds\": )[\d.e+-]+( [mµn]?s)?", r"\1...", out)
    return status, re.sub(r"\d+\.\d{12,}", lambda number: "%.12g" % float(number[0]), out), *rest


def example(name):
    with open(os.path.join(EXAMPLES, name), "rb") as file:
        return file.read()


def in_page(browser, files, words):
    coded = {name: base64.b64encode(content).decode() for name, content in files.items()}
    got = browser.driver.execute_async_script(RUN, words, coded)
    return got["status"], got["out"], got["err"], {name: base64.b64decode(text) for name, text in got["files"].items()}


def same_bytes(browser):
    for names, command in SAME:
        files = {name: example(name) for name in names}
        wanted, found = (untimed(get(files, command.split())) for get in (native, lambda *what: in_page(browser, *what)))
        parts = [part for part, a, b in zip(("status", "output", "message", "files"), wanted, found) if a != b]
        ok(not parts, f"the same as the tool: {command}" + (f": not the {', '.join(parts)}" if parts else ""))
        for part, a, b in zip(("status", "output", "message"), wanted, found):
            if a != b:
                print(f"# {part}: wanted {str(a)[:600]!r}\n# found {str(b)[:600]!r}")


def documented():
    """(files, words) of commands in the pages that read nothing but examples."""
    found = {}
    for page in PAGES:
        path = os.path.join(os.path.dirname(EXAMPLES), page)
        for line in open(path, encoding="utf-8") if os.path.exists(path) else []:
            told = re.match(r"\s*(?:\$ )?cosched (.*examples/.*)", line)
            if told and not ELSEWHERE.search(told[1]):
                words = shlex.split(told[1])
                names = [word[len("examples/"):] for word in words if word.startswith("examples/")]
                found[told[1]] = (names, [word.replace("examples/", "") for word in words])
    return found


def as_documented(browser):
    commands = documented()
    ok(len(commands) > 10, f"{len(commands)} commands of the pages")
    for line, (names, words) in commands.items():
        files = {name: example(name) for name in names}
        wanted, found = (untimed(get(files, words)) for get in (native, lambda *what: in_page(browser, *what)))
        parts = [part for part, a, b in zip(("status", "output", "message", "files"), wanted, found) if a != b]
        ok(not parts, f"the same as the tool: {line}" + (f": not the {', '.join(parts)}" if parts else ""))
        for part, a, b in zip(("status", "output", "message"), wanted, found):
            if a != b:
                print(f"# {part}: wanted {str(a)[:900]!r}\n# found {str(b)[:900]!r}")


def packed_and_broken(browser):
    log = gzip.compress(example("monday.swf"))
    ok(in_page(browser, {"monday.swf.gz": log}, "replay monday.swf.gz --nodes 64 --policy easy".split())[0] == 0, "packed logs are read")
    wrong, command = {"bag.csv": b"app,procs,seconds\na,1,-5\n"}, "plan pack bag.csv --procs 2".split()
    found = in_page(browser, wrong, command)
    ok(found == native(wrong, command) and "bag.csv" in found[2], "a broken file ends in the sentence of the tool")


def click(browser, name):
    browser.js("document.getElementById(arguments[0]).click()", name)


def opened(browser):
    """The first example has run, policies are folded away, and a phone needs no sideways scrolling."""
    found = browser.js("return [document.querySelectorAll('article').length, document.getElementById('which').open,"
                       " document.getElementById('chosen').textContent, [...document.querySelectorAll('h2')].map((h) => h.textContent).join(),"
                       " document.getElementById('state').textContent]")
    ok(found[:4] == [1, False, "default", "Input,Options,Result"] and found[4].startswith("done"), f"the page opens with a result {found}")
    ok(chart(browser)[2] > 0, "which is drawn")
    browser.size(390, 844)
    ok(browser.js("return document.documentElement.scrollWidth <= innerWidth"), "at 390 pixels nothing is wider than the window")
    browser.size(1280, 900)


def run(browser):
    click(browser, "run")
    browser.wait("return !document.getElementById('run').disabled")
    return browser.js("return document.getElementById('state').textContent")


def take(browser, name):
    browser.js("const s = document.getElementById('example'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", name)
    browser.wait("return document.getElementById('state').textContent === '' && document.getElementById('line').textContent !== ''"
                 " && document.getElementById('run').disabled === false")
    browser.settle()


def examples(browser):
    names = browser.js("return [...document.getElementById('example').options].map((o) => o.value).filter(Boolean)")
    ok(len(names) == 8, "eight examples")
    for name in names:
        take(browser, name)
        said = run(browser)
        told = browser.js("const a = document.querySelector('article'); return [a.querySelector('.told').textContent.length, a.querySelectorAll('iframe').length]")
        ok(said.startswith("done") and told[0] > 100 and told[1] == 1, f"example: {name}: {said}, {told}")


def chart(browser):
    """What is drawn in the frame of the last result."""
    frame = browser.driver.find_elements("css selector", "article:last-of-type iframe")[0]
    browser.driver.switch_to.frame(frame)
    browser.wait("return document.documentElement.dataset.ready === 'true'")
    drawn = browser.js("return [document.querySelectorAll('section').length, document.querySelectorAll('.notice[role=alert]').length,"
                       " document.querySelectorAll('canvas, svg').length]")
    browser.driver.switch_to.default_content()
    return drawn


def side_by_side(browser):
    take(browser, "Six applications, in packs")
    run(browser)
    drawn = chart(browser)
    ok(drawn[0] > 2 and drawn[1] == 0 and drawn[2] > 0, f"two ticked policies are drawn in the interactive report {drawn}")
    click(browser, "keep")
    browser.js("document.querySelectorAll('[name=policy]').forEach((box) => { box.checked = box.value === 'one-by-one'; });"
               " document.querySelector('[name=policy]').dispatchEvent(new Event('change'))")
    run(browser)
    heads = browser.js("return [...document.querySelectorAll('article h3')].map((h) => h.textContent)")
    ok(len(heads) == 2 and "pack-by-pack,exact" in heads[0] and "one-by-one" in heads[1], f"two results side by side {heads}")


def differences(browser):
    """Of the kept result and the last one, which side_by_side left there."""
    rows = browser.js("return [...document.querySelectorAll('#differences tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    wanted = []
    for names in ("pack-by-pack,exact", "one-by-one"):
        command = f"plan pack quickstart.csv --procs 8 --policy {names} --format json"
        found = json.loads(native({"quickstart.csv": example("quickstart.csv")}, command.split())[1])
        wanted.append(found["results"][0] if "results" in found else found)
    cost = [row for row in rows if row[0] == "cost"]
    ok(cost == [["cost", f"{wanted[0]['cost']:,}", f"{wanted[1]['cost']:,}", f"+{wanted[1]['cost'] - wanted[0]['cost']:,}",
                 f"+{100 * (wanted[1]['cost'] / wanted[0]['cost'] - 1):.1f} %"]], f"the costs of both, and how they differ {cost}")
    ok(not [row for row in rows if "milliseconds" in row[0]], "times that were measured are not compared")
    browser.js("const s = document.querySelector('#differences select'); s.value = 'exact'; s.dispatchEvent(new Event('change'))")
    head = browser.js("return [...document.querySelectorAll('#differences th[scope=col]')].map((cell) => cell.textContent)")
    ok(head[1:3] == ["kept: exact", "now: one-by-one"], f"another way of the kept one can be chosen {head}")
    ok(browser.js("return document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the window")
    browser.size(390, 844)
    ok(browser.js("return document.documentElement.scrollWidth <= innerWidth"), "nor than that of a phone")
    browser.size(1280, 900)


def another_command(browser):
    take(browser, "Six applications, in packs")
    browser.js("const s = document.getElementById('command'); s.value = 'plan moldable'; s.dispatchEvent(new Event('change'))")
    browser.wait("return document.getElementById('line').textContent.startsWith('cosched plan moldable')")
    line = browser.js("return document.getElementById('line').textContent")
    ok(line == "cosched plan moldable quickstart.csv --procs 8", "what both commands take is kept: " + line)


def stopping(browser):
    take(browser, "A day of jobs that may fail")
    browser.js("for (const label of document.querySelectorAll('.fields label')) if (label.firstChild.data === '--scenarios')"
               " { label.querySelector('input').value = '1000000'; label.querySelector('input').dispatchEvent(new Event('input')); }")
    click(browser, "run")
    browser.wait("return !document.getElementById('stop').disabled")
    click(browser, "stop")
    ok(browser.wait("return !document.getElementById('run').disabled") and
       "stopped" in browser.js("return document.querySelector('article:last-of-type .said').textContent"), "a long run can be stopped")
    scenarios = "for (const label of document.querySelectorAll('.fields label')) if (label.firstChild.data === '--scenarios') label.querySelector('input').value = '1000000';"
    browser.js(scenarios + "document.getElementById('limit').value = '1'")
    run(browser)
    said = browser.js("return document.querySelector('article:last-of-type .said').textContent")
    ok("stopped after 1 s" in said and "cosched simulate rigid" in said, "a run that takes too long ends, and says what to do at home: " + said)
    browser.js("document.getElementById('limit').value = '60'")
    take(browser, "Nine applications on 40 nodes")
    ok(run(browser).startswith("done"), "and the next one runs")


def links(browser):
    take(browser, "Six applications, in packs")
    link = browser.driver.execute_async_script("playground.linkOf().then(arguments[0])")
    line = browser.js("return document.getElementById('line').textContent")
    ok(link.startswith("#1=") and len(link) < 8000, "a link holds the question and its files")
    browser.driver.get("about:blank")
    browser.driver.get("file://" + os.path.abspath(PAGE) + link)
    browser.wait("return document.documentElement.dataset.ready === 'true'")
    ok(browser.js("return document.getElementById('line').textContent") == line, "and asks the same when it is opened")
    ok(browser.js("return document.querySelectorAll('article').length") == 0, "but runs nothing by itself")
    ok(run(browser).startswith("done"), "until somebody says so")


DROP = """const [name, coded] = arguments;
const given = new DataTransfer();
given.items.add(new File([Uint8Array.from(atob(coded), (c) => c.charCodeAt(0))], name));
document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: given, cancelable: true }));"""


def drop(browser, name, content):
    browser.js("document.getElementById('line').textContent = ''")
    browser.js(DROP, name, base64.b64encode(content).decode())
    browser.wait("return document.getElementById('line').textContent !== '' && document.getElementById('state').textContent === ''")
    return browser.js("return document.getElementById('line').textContent")


def said_of_files(browser):
    """[what the page says of each file that is there]."""
    return browser.js("return [...document.querySelectorAll('#files li > span')].map((li) => li.textContent)")


DOT = b'digraph g { a [size="1e9", alpha="0.1"]; b [size="2e9", alpha="0"]; a -> b [size="8"]; }\n'


def what_they_are(browser):
    """The tool says it, in the page as at home, whatever the file is called."""
    dropped = {"timings.csv": example("quickstart.csv"), "a log": example("sacct.txt"), "log.gz": gzip.compress(example("monday.swf")), "g.txt": DOT,
               "w.json": example("workflow.json"), "h.json": example("hosts.json"), "saves.csv": example("applications.csv")}
    for name, content in dropped.items():
        line, known = drop(browser, name, content), name.replace(" ", "_")
        told = json.loads(native({known: content}, ["what", known, "--format", "json"])[1])[0]
        said = said_of_files(browser)
        ok(said == [f"{known}: {told['words']} ({len(content):,} bytes) "], f"{name}: {said}")
        ok(line.startswith(f"cosched {told['commands'][0]['command']} {known}"), f"and the command is the likeliest: {line}")
    drop(browser, "graphs.json", example("graphs.json"))
    line = drop(browser, "two.json", example("clusters.json"))
    ok(line == "cosched plan ptg graphs.json --platform two.json", "a platform joins the graphs that are there: " + line)
    ok(run(browser).startswith("done"), "and they are planned")
    browser.js("document.getElementById('paste').value = 'name,procs,seconds\\na,2,10\\nb,1,20\\n'; document.getElementById('take').click()")
    browser.wait("return document.getElementById('line').textContent.includes('pasted.txt')")
    ok("list of jobs" in said_of_files(browser)[0], f"what is pasted is looked at too {said_of_files(browser)}")
    ok(browser.js("return document.getElementById('example').value") == "", "no example is chosen then")


def what_is_wrong(browser):
    wrong = {"bag.csv": b"app,procs,seconds\na,1,-5\n", "letter.txt": b"Dear reader\n", "nothing": b"", "cut.swf.gz": gzip.compress(example("monday.swf"))[:500]}
    for name, content in wrong.items():
        browser.js(DROP, name, base64.b64encode(content).decode())
        browser.wait("return document.querySelector('#files .wrong') !== null && document.getElementById('state').textContent === ''")
        said, told = said_of_files(browser), native({name: content}, ["what", name])[2]
        ok(["cosched: " + one + "\n" for one in said] == [told], f"{name}: the sentence of the tool: {said}")
        ok(browser.js("return document.getElementById('run').disabled"), "and nothing to run")


def asked_for(browser):
    """What a newcomer forgets is where the cursor is."""
    for name, option in (("quickstart.csv", "--procs"), ("workflow.json", "--platform")):
        take(browser, "Eight hosts that come and go")
        drop(browser, name, example(name))
        said = run(browser)
        found = browser.js("const field = document.activeElement; return [field.parentElement.firstChild.data, field.getAttribute('aria-invalid')]")
        ok(said.startswith("ended with status") and found == [option, "true"], f"{name}: the message names {option}, and so does the page {found}")
    offered = browser.js("return [...document.getElementById('words-platform').options].map((option) => option.value)")
    ok("grid5000-lille" in offered, f"platforms that are known are offered {offered}")
    browser.js("const field = document.activeElement; field.value = 'grid5000-lille'; field.dispatchEvent(new Event('input'))")
    ok(run(browser).startswith("done") and browser.js("return document.querySelectorAll('[aria-invalid]').length") == 0, "and one of them does")


def schedules(browser):
    """Of the tool at home: drawn and judged."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "plan.json")
        subprocess.run([COSCHED, "plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", "8", "--output", path], check=True, stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            plan = file.read()
    ok(drop(browser, "plan.json", plan) == "cosched report plan.json" and run(browser).startswith("done"), "a schedule is drawn")
    ok(chart(browser)[2] > 0, "with its picture")
    browser.js("const s = document.getElementById('command'); s.value = 'check'; s.dispatchEvent(new Event('change'))")
    browser.wait("return document.getElementById('line').textContent === 'cosched check plan.json'")
    run(browser)
    told = browser.js("return document.querySelector('article:last-of-type .told').textContent")
    ok(told == native({"plan.json": plan}, ["check", "plan.json"])[1] and "valid" in told, "and judged: " + told)


def controls(browser):
    """Policies are those of the command, told what they are; all options are there that help has."""
    take(browser, "Nine applications on 40 nodes")
    ok(browser.js("return document.getElementById('example').value") == "Nine applications on 40 nodes", "the example that was chosen is shown")
    for command in ("plan moldable", "simulate moldable", "simulate malleable", "replay"):
        browser.js("const s = document.getElementById('command'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", command)
        browser.wait("return document.getElementById('line').textContent.startsWith('cosched ' + arguments[0]) && document.getElementById('state').textContent === ''", command)
        told = json.loads(native({}, ["help", *command.split(), "--format", "json"])[1])["options"]
        lists = {row["name"]: [word for word in row["words"] if word not in ("all", "program")] for row in told if row["list"] and row["words"]}
        found = browser.js("const sets = {}; for (const set of document.querySelectorAll('fieldset.boxes'))"
                           " sets[set.querySelector('legend').textContent.match(/^--([a-z-]+): /)[1]] = [...set.querySelectorAll('input')].map((box) => box.value);"
                           " return sets;")
        ok(found == lists, f"{command}: sets of names with a heading each {list(found)}")
        shown = browser.js("return [...document.querySelectorAll('.fields label')].map((label) => label.firstChild.data)")
        ok(len(shown) > 10 and set(shown) <= {"--" + row["name"] for row in told} and "--procs" in shown, f"{len(shown)} options of {command} {set(shown) - {'--' + row['name'] for row in told}}")
    without = browser.js("return [...document.querySelectorAll('#policies small')].filter((small) => !small.textContent).length")
    ok(without == 0, "each policy says what it is")


def tabs(browser):
    take(browser, "Six applications, in packs")
    run(browser)
    open_tab = "return ['tab][aria-selected=true', 'tabpanel]:not([hidden'].map((of) => [...document.querySelectorAll(`article:last-of-type [role=${of}]`)].map((one) => one.id.match(/-[0-9]+$/)[0]))"
    names = browser.js("return [...document.querySelectorAll('article:last-of-type [role=tab]')].map((tab) => tab.textContent)")
    ok(names == ["Schedule", "Table", "Command", "Files"], f"tabs {names}")
    browser.js("document.querySelector('article:last-of-type [role=tab]').focus()")
    from selenium.webdriver.common.keys import Keys
    browser.press(Keys.ARROW_RIGHT)
    ok(browser.js(open_tab) == [["-1"], ["-1"]], f"the arrow keys go from tab to tab {browser.js(open_tab)}")
    browser.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    ok(browser.js(open_tab) == [["-3"], ["-3"]], "and around, and one is open at a time")
    made = browser.js("return [...document.querySelectorAll('article:last-of-type .made button')].map((button) => button.textContent.replace('make ', ''))")
    ok({"numbers.csv", "numbers.json", "exact.svg", "exact_trace.json", "exact_bars.csv"} <= set(made), f"what else can be made {made}")
    svg = browser.driver.execute_async_script(
        "const done = arguments[0], ask = URL.createObjectURL;"
        " URL.createObjectURL = (blob) => { URL.createObjectURL = ask; blob.text().then(done); return ask(blob); };"
        " [...document.querySelectorAll('.made button')].find((button) => button.textContent === 'make exact.svg').click();")
    with tempfile.TemporaryDirectory() as folder:
        for words in (["plan", "pack", os.path.join(EXAMPLES, "quickstart.csv"), "--procs", "8", "--policy", "exact", "--output", "exact.json"],
                      ["plot", "exact.json", "--output", "exact.svg"]):
            subprocess.run([COSCHED, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "exact.svg"), encoding="utf-8") as file:
            ok(svg == file.read(), "the picture is that of the tool")


def prints(browser):
    """The picture and the table, whichever tab is open."""
    take(browser, "Six applications, in packs")
    run(browser)
    browser.media(media="print")
    seen = browser.js("return ['iframe', '.told', '.tabs', '#policies'].map((of) => document.querySelector('article:last-of-type ' + of) || document.querySelector(of))"
                      ".map((one) => one.getClientRects().length > 0)")
    browser.media()
    ok(seen == [True, True, False, False], f"picture and table are printed, tabs and controls are not {seen}")


def large(browser):
    """A log of ten megabytes: the page answers while the tool reads and replays it."""
    line = b"%d %d -1 %d %d -1 -1 %d 9999 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
    log = b"; MaxProcs: 64\n" + b"".join(line % (i + 1, 40 * i, 60 + i * 7919 % 4001, 1 + i * 31 % 8, 1 + i * 31 % 8) for i in range(160000))
    log += b"; " + b"-" * max(0, 10_000_000 - len(log)) + b"\n"
    browser.js("document.getElementById('line').textContent = ''")
    browser.js(DROP, "large.swf", base64.b64encode(log).decode())
    looked = browser.wait("return document.getElementById('state').textContent === 'looking at it ...'")
    browser.wait("return document.getElementById('line').textContent !== '' && document.getElementById('state').textContent === ''")
    ok(looked and said_of_files(browser)[0].startswith("large.swf: job log (SWF), 160,000 jobs, 64 processors"), f"{said_of_files(browser)}")
    browser.js("const box = document.querySelector('[name=policy][value=easy]'); box.checked = true; box.dispatchEvent(new Event('change'))")
    click(browser, "run")
    turns = 0
    while browser.js("return document.getElementById('run').disabled"):
        browser.settle()
        turns += 1
    ok(turns > 3 and browser.js("return document.getElementById('state').textContent").startswith("done"),
       f"the page drew {turns} times while it was replayed: " + browser.js("return document.getElementById('state').textContent"))


def too_long_for_a_link(browser):
    """A packed log of 3,000 jobs: dropped, saved as a question, and dropped as that."""
    log = gzip.compress(b"".join(b"%d %d -1 %d %d -1 -1 %d 9999 -1 1 -1 -1 -1 -1 -1 -1 -1\n" % (i + 1, 60 * i, 60 + i * 7919 % 4001, 1 + i * 31 % 8, 1 + i * 31 % 8)
                                  for i in range(3000)))
    take(browser, "Nine applications on 40 nodes")
    line = drop(browser, "days.swf.gz", log)
    ok(line == "cosched replay days.swf.gz", "a packed log that is dropped is replayed: " + line)
    click(browser, "link")
    browser.wait("return document.querySelector('#sent a') !== null")
    said = browser.js("return document.getElementById('state').textContent")
    ok("too many for a link" in said, "what is too large for a link is said: " + said)
    saved = browser.driver.execute_async_script(
        "const done = arguments[0], ask = URL.createObjectURL;"
        " URL.createObjectURL = (blob) => { URL.createObjectURL = ask; blob.text().then(done); return ask(blob); };"
        " document.getElementById('link').click();")
    question = json.loads(saved)
    ok(base64.b64decode(question["files"]["days.swf.gz"]["base64"]) == log, "and saved with its files")
    take(browser, "Six applications, in packs")
    ok(drop(browser, "days.cosched.json", saved.encode()) == line, "who drops what was saved has the same question")
    browser.js("document.getElementById('line').textContent = ''")
    browser.js(DROP, "other.cosched.json", base64.b64encode(b"{]").decode())
    ok(browser.wait("return document.getElementById('state').textContent.includes('no question that this page wrote')"), "a damaged one is refused")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *what):
        pass


def offline(browser):
    """From a server, which then is gone."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("playground.html", "playground-offline.js"):
            shutil.copy(os.path.join(os.path.dirname(PAGE), name), folder)
        server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever).start()
        address = f"http://localhost:{server.server_port}/playground.html"
        try:
            browser.logs()
            browser.driver.get(address)
            ok(browser.wait("return document.documentElement.dataset.kept === 'true'"), "a page from a server is kept")
        finally:
            server.shutdown()
            server.server_close()
    said, asked = browser.logs()
    outside = [url for url in asked if not url.startswith(("blob:", "data:", "about:", address[:address.rindex("/")]))]
    ok(not outside and not said, f"it asks nobody else {outside} {said}")
    browser.driver.get("about:blank")
    browser.driver.get(address + "#again")
    browser.wait("return document.documentElement.dataset.ready === 'true'")
    take(browser, "Eight hosts that come and go")
    ok(run(browser).startswith("done"), "and works when the server is gone")


def names_for_all(browser):
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    controls = [node for node in nodes if node.get("role", {}).get("value") in ("button", "checkbox", "combobox", "textbox")]
    nameless = [node["role"]["value"] for node in controls if not node.get("name", {}).get("value", "").strip()]
    ok(len(controls) > 10 and not nameless, f"{len(controls)} controls have names {nameless}")


def silence(browser):
    said, asked = browser.logs()
    outside = [url for url in asked if not url.startswith(("blob:", "data:", "about:")) and "playground.html" not in url]
    ok(not outside, f"no request but for the page {outside}")
    ok(not said, f"no word on the console {said}")


def main():
    if not os.path.exists(PAGE):
        kit.skip("there is no %s: script/playground makes it" % os.path.relpath(PAGE))
    browser = kit.start()
    browser.driver.set_script_timeout(120)
    browser.open(PAGE)
    for test in (opened, same_bytes, as_documented, packed_and_broken, examples, side_by_side, differences, another_command, asked_for, schedules, controls, what_they_are, what_is_wrong, tabs, prints, stopping, names_for_all, large,
                 too_long_for_a_link, links, silence, offline):
        test(browser)
    browser.finish()


main()
