#!/usr/bin/env python3
"""Reports of schedules in a real browser: what is drawn is what the schedule files say.

usage: report.py COSCHED EXAMPLES
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile

import kit
from kit import close, ok

COSCHED, EXAMPLES = sys.argv[1], sys.argv[2]
WARNINGS = []  # of the replay whose page is tested
NASTY = ["</script><script>document.title='broken'</script>", "<!-- <img src=x onerror=alert(1)>", "a\u2028b\u2029c",
         "quotes \" ' & <b>bold</b>", "\u05e9\u05dc\u05d5\u05dd \U0001f680", "]]>", "x" * 300]


ONE = {"tasks": ["one"], "procs": 1}
ODD = {
    "nothing": {"tasks": [], "procs": 1, "bars": []},
    "moment": {**ONE, "bars": [{"task": 0, "procs": "0", "start": 0, "end": 0}]},
    "short": {**ONE, "bars": [{"task": 0, "procs": "0", "start": 0, "end": 1e-9}]},
    "long": {**ONE, "bars": [{"task": 0, "procs": "0", "start": 1e15, "end": 2e15}]},
    "early": {**ONE, "bars": [{"task": 0, "procs": "0", "start": -5, "end": 5}]},
    "wide": {**ONE, "procs": 1000000, "bars": [{"task": 0, "procs": "0-999999", "start": 0, "end": 5}]},
    "no_host": {**ONE, "problem": "volatile", "bars": [{"task": 0, "procs": "0", "start": 0, "end": 5}]},
    "nobody": {**ONE, "bars": [{"task": 0, "procs": "", "start": 0, "end": 5}]},
}


def cosched(*words):
    subprocess.run([COSCHED, *map(str, words)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def make(folder):
    """A schedule of each problem, and a report of each."""
    example = lambda name: os.path.join(EXAMPLES, name)
    path = lambda name: os.path.join(folder, name + ".json")
    cosched("plan", "pack", example("archer2.csv"), "--procs", 32, "--unit", "node", "--output", path("pack"))
    cosched("simulate", "malleable", example("applications.csv"), "--procs", 64, "--mtbf", "30d", "--scenario", 3,
            "-n", 4, "--schedule", path("malleable"))
    cosched("plan", "ptg", example("graphs.json"), "--platform", example("clusters.json"), "--strategy", "wps-width",
            "--schedule", path("ptg"))
    cosched("generate", "rigid", "--output", os.path.join(folder, "jobs.csv"))
    cosched("simulate", "rigid", os.path.join(folder, "jobs.csv"), "--procs", 2000, "-q", 0.3, "--policy", "list",
            "--priority", "lpt", "--schedule", path("rigid"))
    cosched("simulate", "volatile", example("hosts.json"), "--scenarios", 1, "--schedule", path("volatile"))
    with open(path("nasty"), "w", encoding="utf-8") as file:
        json.dump({"format": "cosched-schedule-1", "problem": "rigid", "procs": 4, "tasks": NASTY, "bars": [
            {"task": i, "procs": str(i % 4), "start": i, "end": i + 1} for i in range(len(NASTY))]}, file)
    reports = {}
    for name in ("pack", "malleable", "ptg", "rigid", "volatile", "nasty"):
        reports[name] = os.path.join(folder, name + ".html")
        cosched("report", path(name), "-o", reports[name])
    for name, odd in ODD.items():
        with open(path(name), "w", encoding="utf-8") as file:
            json.dump({"format": "cosched-schedule-1", "problem": "rigid", **odd}, file)
        reports[name] = os.path.join(folder, name + ".html")
        cosched("report", path(name), "-o", reports[name])
    cosched("simulate", "rigid", os.path.join(folder, "jobs.csv"), "--procs", 2000, "-q", 0.3, "--policy", "shelf",
            "--priority", "lpt", "--schedule", path("shelves"))
    cosched("plan", "moldable", example("archer2.csv"), "--procs", 40, "--output", path("moldable"))
    cosched("simulate", "spot", example("spot.csv"), "--work", "6h", "--deadline", "8h", "--change-over", "20min",
            "--policy", "uniform", "--scenario", 1, "--output", path("spot"))
    for name in "moldable", "spot":
        reports[name] = os.path.join(folder, name + ".html")
        cosched("report", path(name), "-o", reports[name])
    reports["replay"] = os.path.join(folder, "replay.html")
    told = subprocess.run([COSCHED, "replay", example("sacct.txt"), "--nodes", "16", "--policy", "easy", "--report",
                           reports["replay"]], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stderr
    WARNINGS[:] = [line.partition("warning: ")[2] for line in told.splitlines()]
    reports["two"] = os.path.join(folder, "two.html")
    cosched("report", path("rigid"), path("shelves"), path("malleable"), "-o", reports["two"], "--title", "Two <at> once")
    return reports


def read(reports, name):
    with open(os.path.join(os.path.dirname(reports["two"]), name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def processors(text):
    numbers = []
    for part in text.split():
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


class View:
    """Where the chart is, in pixels of the window and in seconds."""

    def __init__(self, browser, section="s1"):
        told = browser.js(
            "const c = document.querySelector(`#${arguments[0]} .gantt`), r = c.getBoundingClientRect();"
            "return {...c.dataset, left: r.left, top: r.top}", section)
        self.start, self.end = float(told["from"]), float(told["to"])
        self.low, self.high = float(told["low"]), float(told["high"])
        x, y, self.width, self.height = map(float, told["plot"].split())
        self.left, self.top = told["left"] + x, told["top"] + y
        self.span = self.end - self.start

    def x(self, time):
        return self.left + (time - self.start) / self.span * self.width

    def y(self, proc, down=False):
        part = (proc - self.low) / (self.high - self.low)
        return self.top + (part if down else 1 - part) * self.height

    def time(self, x):
        return self.start + (x - self.left) / self.width * self.span


def number(text):
    return float(re.sub(r"[^0-9.e+-]", "", text))


def tooltip(browser):
    return browser.js(
        "const box = document.getElementById('tooltip'); if (box.hidden) return null;"
        "const rows = {}; for (const row of box.querySelectorAll('tr'))"
        " rows[row.dataset.fact] = [...row.querySelectorAll('td')].map((cell) => cell.textContent);"
        "return {who: box.querySelector('strong').textContent, kind: box.querySelector('.kind').textContent, rows,"
        " bar: box.querySelector('[data-bar]')?.dataset.bar}")


# What is tested.

def opens(browser, reports):
    for name, path in reports.items():
        browser.open(path)
        said, asked = browser.logs()
        ok(not said, "%s: the console says nothing %s" % (name, [one["message"][:90] for one in said][:2]))
        ok([url for url in asked if not url.startswith("data:")] == ["file://" + path], "%s: asks for nothing" % name)
        ok(browser.js("return [...document.querySelectorAll('.gantt')].every((c) => Number(c.dataset.took) > 0)"),
           "%s: draws" % name)
    browser.open(reports["two"])
    ok(browser.js("return document.title") == "Two <at> once", "the title is what --title says")
    ok(browser.js("return document.querySelectorAll('nav a').length") == 3, "several schedules have a list of sections")
    best = browser.js("return [...document.querySelectorAll('#compared tr')].filter((r) => r.querySelector('.best')).map((r) => r.cells[0].textContent)")
    shortest = min(("rigid", "shelves"), key=lambda name: read(reports, name)["makespan"]) + ".json"
    ok(best == [shortest], "and a table side by side, the shortest of a problem in bold: %s" % best)


def is_sealed(browser, reports):
    browser.open(reports["pack"])
    stopped = browser.driver.execute_async_script(
        "const done = arguments[0], stopped = []; document.addEventListener('securitypolicyviolation',"
        " (event) => { stopped.push(event.effectiveDirective); if (stopped.length === 3) done(stopped); });"
        "const image = new Image(); image.src = 'http://127.0.0.1:9/x.png'; fetch('http://127.0.0.1:9/').catch(() => {});"
        "const script = document.createElement('script'); script.textContent = 'window.evil = 1'; document.body.append(script);"
        "setTimeout(() => done(stopped), 2000);")
    ok(sorted(stopped) == ["connect-src", "img-src", "script-src-elem"], "pictures, requests and scripts are refused: %s" % stopped)
    ok(browser.js("return window.evil === undefined"), "a script that was not ours did not run")
    browser.open(reports["nasty"])
    ok(browser.js("return document.title") == "nasty.json", "a name with a script in it is a name")
    browser.js("document.querySelector('details.bars').open = true")
    browser.settle()
    names = browser.js("return [...document.querySelectorAll('.bars tbody th')].map((cell) => cell.textContent)")
    ok(names == NASTY, "names of every kind arrive as they were")


def zooms(browser, reports):
    browser.open(reports["rigid"])
    data = read(reports, "rigid")
    whole = View(browser)
    close(whole.end, data["makespan"], "the whole schedule is shown first")
    x = whole.x(0.7 * whole.end)
    browser.mouse("mouseWheel", x, whole.top + 100, deltaX=0, deltaY=-120)
    browser.settle()
    view = View(browser)
    close(view.span, whole.span * math.exp(-0.24), "the wheel zooms by its turn")
    close(view.time(x), 0.7 * whole.end, "and what is under the pointer stays there", 1e-3)
    browser.drag(x, whole.top + 100, x - 80, whole.top + 100)
    moved = View(browser)
    close(moved.start, view.start + 80 / view.width * view.span, "dragging moves by as much as the pointer")
    close(moved.span, view.span, "and does not zoom")
    browser.js("document.querySelector('.gantt').focus()")
    for keys, share, what in (("0", None, "0 shows the whole"), ("+", 0.7, "+ zooms in"), ("-", 1, "- undoes it"),
                              ("+++", 0.343, "keys add up")):
        browser.press(*keys)
        close(View(browser).span, whole.span * (share or 1), what)
    before = View(browser)
    browser.press("\ue014")
    close(View(browser).start, before.start + 0.15 * before.span, "the right arrow goes later")
    browser.press("\ue011")
    close(View(browser).start, 0, "Home goes to the beginning")
    browser.press("\ue010")
    close(View(browser).end, whole.end, "End to the end")
    browser.press("]", "\ue013")
    rows = View(browser)
    close(rows.high - rows.low, 0.7 * 2000, "rows grow taller")
    browser.js("[...document.querySelectorAll('.controls button')].find((b) => b.textContent === 'Whole').click()")
    browser.settle()
    close(View(browser).span, whole.span, "the button shows the whole")
    ok(View(browser).high == 2000, "with all processors")
    browser.mouse("mouseWheel", x, whole.top + 100, deltaX=0, deltaY=120)
    browser.settle()
    close(View(browser).span, whole.span, "at the whole the wheel does not zoom out")
    browser.media(("prefers-reduced-motion", "no-preference"))
    browser.press("+", "+")
    browser.wait("return Math.abs(document.querySelector('.gantt').dataset.to - document.querySelector('.gantt').dataset.from"
                 " - arguments[0]) < 1e-6 * arguments[0]", 0.49 * whole.span)
    close(View(browser).span, 0.49 * whole.span, "with motion it arrives at the same")
    browser.media()


def pinches(browser, reports):
    browser.size(500, 900, touch=True)
    browser.open(reports["rigid"])
    browser.js("document.querySelector('.gantt').scrollIntoView({block: 'center'})")
    browser.settle()
    before = View(browser)
    y, middle = before.top + 100, before.left + before.width / 2

    def touch(kind, apart):
        browser.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": middle - apart, "y": y, "id": 0}, {"x": middle + apart, "y": y, "id": 1}] if apart else [])

    touch("touchStart", 50)
    touch("touchMove", 75)
    touch("touchMove", 100)
    touch("touchEnd", 0)
    browser.settle()
    close(View(browser).span, before.span / 2, "two fingers twice as far apart show half", 0.02)
    browser.size(1280, 900)


def tells(browser, reports):
    """Tooltips against the file: bars of every problem, far apart in the list."""
    for name in ("pack", "malleable", "ptg", "rigid", "volatile"):
        data = read(reports, name)
        browser.open(reports[name])
        if name == "malleable":
            browser.js("document.querySelector('#s1-rows').click()")
            browser.settle()
        bars = [bar for bar in data["bars"] if bar["end"] > bar["start"] and bar["procs"]]
        for bar in (bars[0], bars[len(bars) // 3], bars[-1]):
            tells_bar(browser, data, name, bar)


def tells_bar(browser, data, name, bar):
    slots = name == "volatile"
    browser.js("const b = arguments[0], c = cosched.schedule.chart.all[0], room = b.end - b.start;"
               "c.show({...c.full, from: b.start - room, to: b.end + room})", bar)
    browser.settle()
    browser.js("document.querySelector('.gantt').scrollIntoView({block: 'center'})")
    view, procs = View(browser), processors(bar["procs"])
    browser.hover(5, 5)
    browser.hover(view.x((bar["start"] + bar["end"]) / 2), view.y(procs[0] + 0.5, down=slots))
    told, what = tooltip(browser), "%s: %s at %g" % (name, data["tasks"][bar["task"]], bar["start"])
    ok(told is not None, what + " has a tooltip")
    if not told:
        return
    rows = told["rows"]
    ok(told["who"].endswith(data["tasks"][bar["task"]]), what + ": its task, " + told["who"])
    ok(rows["Attempt"][0] == str(bar.get("attempt", 1)), what + ": its attempt")
    if slots:
        ok(rows["Start"][0] == "slot %d" % bar["start"], what + ": its first slot")
        ok(rows["Duration"][0].split()[0] == "%d" % (bar["end"] - bar["start"]), what + ": its slots")
        return
    close(number(rows["Start"][1]), bar["start"], what + ": its start", 1e-11)
    close(number(rows["End"][1]), bar["end"], what + ": its end", 1e-11)
    close(number(rows["Duration"][1]), bar["end"] - bar["start"], what + ": its duration", 1e-11)
    count = next(fact for fact in rows if re.match(r"[0-9,]+ \w+$", fact))
    ok(number(count.split()[0]) == len(procs) and rows[count][0][:57] == bar["procs"][:57], what + ": its processors")


def tells_failures(browser, reports):
    data = read(reports, "malleable")
    browser.open(reports["malleable"])
    lost = next(bar for bar in data["bars"] if bar.get("kind") == "lost")
    fault = next(one for one in data["faults"] if abs(one["time"] - lost["end"]) < 1e-6)
    room = lost["end"] - lost["start"]
    browser.js("const c = cosched.schedule.chart.all[0]; c.show({...c.full, from: arguments[0], to: arguments[1]})",
               lost["start"] - room, lost["end"] + room)
    browser.settle()
    spot = browser.js("const c = cosched.schedule.chart.all[0], r = c.element.getBoundingClientRect();"
                      "const s = c.faultAt(c.model.data.faults.find((f) => f.time === arguments[0]));"
                      "return [r.left + s.x, r.top + s.y]", fault["time"])
    close(spot[0], View(browser).x(fault["time"]), "a failure stands at its time")
    browser.hover(*spot)
    told = tooltip(browser)
    ok(told["who"] == "failure" and told["rows"]["Processor"][0] == str(fault["processor"]), "a bolt tells its processor")
    ok(told["rows"]["Task"][0] == data["tasks"][lost["task"]], "and whom it hit")
    browser.hover(View(browser).x(lost["start"] + 0.3 * room), spot[1])
    told = tooltip(browser)
    ok(told["kind"] == "lost work", "the ribbon tells what was lost")
    ok("processor %d" % fault["processor"] in told["rows"]["Failure"][0], "and which failure did it: %s" % told["rows"]["Failure"][0])
    ribbons = browser.js("return document.querySelector('#s1-ribbons').checked")
    ok(ribbons, "malleable applications are ribbons at first")
    shown = browser.js("return document.querySelector('.made code').textContent")
    ok(shown == data["command"] and shown.startswith("cosched simulate malleable "), "the command that made it is told")


def works_by_keyboard(browser, reports):
    browser.open(reports["malleable"])
    browser.js("document.querySelector('details.bars').open = true")
    browser.settle()
    wanted = browser.js(
        "const seen = (e) => e.checkVisibility() && !e.disabled;"
        "window.mark = (e) => e.dataset.mark || (e.dataset.mark = e.type === 'radio' ? e.name : `m${window.marks = (window.marks || 0) + 1}`);"
        "return [...new Set([...document.querySelectorAll('a[href],button,input,summary,[tabindex=\"0\"]')].filter(seen).map(mark))]")
    reached = set()
    browser.js("document.activeElement.blur()")
    for _ in range(len(wanted) + 8):
        browser.press("\ue004")
        at = browser.js("const e = document.activeElement; return e && e !== document.body ? mark(e) : null")
        if at:
            reached.add(at)
    ok(set(wanted) <= reached, "Tab reaches everything: %d of %d" % (len(set(wanted) & reached), len(wanted)))
    data = read(reports, "malleable")
    first = min(range(len(data["bars"])), key=lambda i: (data["bars"][i]["start"], i))
    browser.js("document.querySelector('.gantt').focus()")
    browser.press("n")
    browser.wait("return document.getElementById('voice').textContent !== ''")
    said = browser.js("return document.getElementById('voice').textContent")
    ok(said.startswith(data["tasks"][data["bars"][first]["task"]]), "n tells the first bar: " + said[:60])
    ok(tooltip(browser)["bar"] == str(first), "and shows it")
    browser.press("\ue007")
    view, bar = View(browser), data["bars"][first]
    ok(view.span < 3 * (bar["end"] - bar["start"]), "Enter zooms to it")
    browser.press("\ue00c")
    ok(tooltip(browser) is None, "Escape lets it go")
    browser.js("document.querySelector('.gantt').focus()")
    browser.press("0", "n", "n", "p")
    ok(tooltip(browser)["bar"] == str(first), "p goes back")


def has_names(browser, reports):
    for name in ("malleable", "two"):
        browser.open(reports[name])
        browser.js("for (const d of document.querySelectorAll('details')) d.open = true")
        browser.settle()
        nodes = browser.names({"button", "radio", "checkbox", "scrollbar", "searchbox", "link", "application", "group", "table", "heading"})
        nameless = [role for role, name in nodes if not name.strip() and role != "group"]
        ok(len(nodes) > 40 and not nameless, "%s: %d controls, all with names %s" % (name, len(nodes), nameless))
        landmarks = {role for role, _ in browser.names({"banner", "main", "contentinfo", "region", "navigation"})}
        ok({"banner", "main", "contentinfo"} <= landmarks, "%s: landmarks %s" % (name, sorted(landmarks)))
        ids = browser.js("const all = [...document.querySelectorAll('[id]')].map((e) => e.id); return all.length - new Set(all).size")
        ok(ids == 0 or name == "two", "%s: every id is there once" % name)
        ok(browser.js("return document.querySelectorAll('h1').length") == 1, "%s: one main heading" % name)


def has_themes(browser, reports):
    ground = "return getComputedStyle(document.body).backgroundColor"
    white, black = "rgb(255, 255, 255)", "rgb(21, 24, 29)"
    pixel = "const c = document.querySelector('.gantt canvas'); return [...c.getContext('2d').getImageData(2, 2, 1, 1).data].slice(0, 3).join(', ')"
    browser.open(reports["pack"])
    ok(browser.js(ground) == white, "light where the system is light")
    browser.media(("prefers-color-scheme", "dark"))
    browser.settle()
    ok(browser.js(ground) == black and browser.js(pixel) in black, "dark where it is dark, the picture too")
    browser.js("document.getElementById('theme-light').click()")
    browser.settle()
    ok(browser.js(ground) == white and browser.js(pixel) in white, "the switch says light")
    browser.media()
    browser.js("document.getElementById('theme-dark').click()")
    ok(browser.js(ground) == black, "and dark")
    ok(kit.soon(lambda: browser.open(reports["pack"]) or browser.js(ground) == black), "which is remembered")
    browser.media(media="print")
    ok(browser.js(ground) == white, "but paper is white")
    browser.media()
    browser.js("document.getElementById('theme-auto').click()")
    browser.media(("forced-colors", "active"))
    browser.open(reports["pack"])
    ok(not browser.logs()[0] and View(browser).span > 0, "forced colours are fine")
    browser.media()


def has_a_legend_and_a_table(browser, reports):
    data = read(reports, "malleable")
    browser.open(reports["malleable"])
    browser.js("document.querySelector('details.bars').open = true")
    entry = "[...document.querySelectorAll('.entry')].find((e) => e.querySelector('.name').textContent === 'climate')"
    own = sum(data["tasks"][bar["task"]] == "climate" for bar in data["bars"])
    ok(browser.js("return %s.querySelector('.note').textContent" % entry) == str(own), "the legend counts bars")
    browser.js("%s.click()" % entry)
    browser.settle()
    where = browser.js("return document.querySelector('.bars .where').textContent")
    ok(number(where.split(" of ")[1]) == len(data["bars"]) - own, "what is hidden is not in the table: " + where)
    ok(browser.js("return %s.getAttribute('aria-pressed')" % entry) == "false", "and the legend says so")
    browser.js("%s.click()" % entry)
    browser.settle()
    row = browser.js("document.querySelector('[aria-label=\"Last rows\"]').click();"
                     "const r = [...document.querySelectorAll('.bars tbody tr')].pop();"
                     "return [r.dataset.bar, ...[...r.cells].map((c) => c.textContent)]")
    bar = data["bars"][int(row[0])]
    ok(row[1] == data["tasks"][bar["task"]] and row[5] == bar["procs"], "a row tells task and processors")
    close(number(row[6]), bar["start"], "and when it starts", 1e-11)
    browser.js("const s = document.querySelector('input[type=search]'); s.value = 'QCD'; s.dispatchEvent(new Event('input'))")
    names = browser.js("return [...new Set([...document.querySelectorAll('.bars tbody th')].map((c) => c.textContent))]")
    ok(names == ["qcd"], "the search finds tasks")
    browser.js("document.querySelector('.bars tbody button').click()")
    browser.wait("return !document.getElementById('tooltip').hidden")
    ok(tooltip(browser)["who"] == "qcd", "a row shows its bar in the picture")


def goes_together(browser, reports):
    browser.open(reports["two"])
    close(View(browser, "s3").end, View(browser, "s2").end, "two schedules have one scale")
    browser.js("cosched.schedule.chart.all[0].zoom(0.5)")
    browser.settle()
    close(View(browser, "s3").start, View(browser, "s1").start, "and move together")
    browser.js("document.getElementById('link-times').click()")
    browser.settle()
    ok(View(browser, "s3").end != View(browser, "s1").end, "until each shall be whole")


def prints(browser, reports):
    for name in ("pack", "malleable", "ptg", "rigid", "volatile", "two"):
        browser.open(reports[name])
        browser.js("cosched.schedule.chart.all[0].zoom(0.01)")
        browser.size(703, 1000)
        browser.media(media="print")
        browser.settle()
        told = browser.js(
            "const still = [...document.querySelectorAll('.still svg')].map((s) => s.getBoundingClientRect());"
            "return {wide: document.documentElement.scrollWidth, still: still.map((r) => [r.left, r.right, r.height]),"
            " rest: [...document.querySelectorAll('.screen,.controls,#tools')].filter((e) => e.checkVisibility()).length,"
            " tables: [...document.querySelectorAll('.table')].filter((t) => t.checkVisibility() && t.scrollWidth > t.clientWidth).length}")
        ok(told["wide"] <= 703 and not told["tables"] and all(left >= 0 and right <= 703 and 50 < high < 1000 for left, right, high in told["still"]),
           "%s: nothing is cut on paper" % name)
        ok(told["rest"] == 0 and told["still"], "%s: the whole picture, no controls" % name)
        pages = len(re.findall(rb"/Type\s*/Page\b(?!s)", browser.pdf()))
        ok(1 <= pages <= 2 * len(told["still"]) + 1, "%s: %d pages" % (name, pages))
        browser.media()
        browser.size(1280, 900)


def fits(browser, reports):
    for name in ("pack", "malleable", "ptg", "volatile", "two"):
        browser.size(400, 800)
        browser.open(reports[name])
        ok(browser.js("return document.documentElement.scrollWidth") <= 400, "%s: fits a narrow window" % name)
    for width, height in ((1366, 768), (390, 844)):
        browser.size(width, height)
        for name in ("pack", "ptg", "rigid", "replay"):
            browser.open(reports[name])
            browser.js("for (const one of document.querySelectorAll('details')) one.open = true")
            browser.settle()
            wide = browser.js("""return [document.documentElement, ...document.querySelectorAll(".table, .scroller")]
                .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName + " " + e.scrollWidth)""")
            ok(wide == [], "%s: its tables fit %d pixels %s" % (name, width, wide))
    browser.size(1280, 900)


FACTS = """return Object.fromEntries([...document.querySelectorAll("dl.facts > div")].map((one) =>
    [one.querySelector("dt").textContent, one.querySelector("dd").innerText]))"""


def states_its_quality(browser, reports):
    for name, optimal in (("pack", True), ("moldable", True), ("malleable", False), ("ptg", False), ("rigid", False),
                          ("volatile", False), ("spot", False)):
        browser.open(reports[name])
        facts = browser.js(FACTS)
        bound = facts.get("Lower bound", "")
        ok(bound[:1].isdigit() and ("proven optimal" in facts["Gap"]) == optimal, "%s: bound %s, gap %s" % (
            name, bound.split("\n")[0], facts.get("Gap", "is missing").replace("\n", ", ")))
    browser.open(reports["nasty"])
    ok("not in the file" in browser.js(FACTS)["Lower bound"], "a file without a bound has none")
    warnings = WARNINGS
    browser.open(reports["replay"])
    folded = browser.js("""const box = document.querySelector("details.warnings");
        return [box.open, box.querySelector("summary").textContent, [...box.querySelectorAll("li")].map((e) => e.textContent)]""")
    ok(not folded[0] and folded[1].startswith("%d warnings" % len(warnings)) and folded[2] == warnings,
       "warnings of a replay are folded behind their number: %s" % folded[1])


def numbers_counts(browser, reports):
    """Bars of a large file have counts: the page gives them the numbers that the tool gives them, in any order."""
    folder = os.path.dirname(reports["rigid"])
    path = lambda name: os.path.join(folder, name)
    cosched("generate", "rigid", "-n", 30000, "-o", path("many.csv"))
    for policy, procs in ("greedy", 4000), ("shelf", 3000):
        cosched("simulate", "rigid", path("many.csv"), "--procs", procs, "-q", 1e-6, "--policy", policy, "--scenarios", 1, "-o", path("many.json"))
        cosched("report", path("many.json"), "-o", path("many.html"))
        cosched("convert", path("many.json"), "--to", "bars", "-o", path("bars.csv"))
        with open(path("bars.csv"), encoding="utf-8") as file:
            rows = [line.rstrip("\n").rsplit(",", 1)[1] for line in file][1:]
        browser.open(path("many.html"))
        found = browser.js("""const data = JSON.parse(document.querySelector("script[type='application/json']").textContent);
            const model = cosched.schedule.model(data), whole = [];
            for (let bar = model.count - 1; bar >= 0; bar -= 1000) model.setText(bar);
            for (let bar = 0; bar < model.count; bar++) whole.push(model.setText(bar));
            return ["sets" in data.bars, whole];""")
        ok(not found[0] and len(rows) >= 30000 and found[1] == rows, "%s: numbers of %d bars" % (policy, len(rows)))
        ok("of %s bars" % format(len(rows), ",") in browser.js("return document.body.innerText"), "all of them are drawn")


def does_without_scripts(browser, reports):
    browser.open(reports["malleable"])
    browser.cdp("Emulation.setScriptExecutionDisabled", value=True)
    browser.driver.get("file://" + reports["malleable"])
    shown = browser.names({"heading", "image", "img", "SvgRoot"})
    text = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    words = " ".join(node.get("name", {}).get("value", "") for node in text)
    browser.cdp("Emulation.setScriptExecutionDisabled", value=False)
    ok("Scripts are switched off" in words and "climate" in words, "without scripts there is a picture: %s" % shown[:3])


def main():
    browser = kit.start()
    with tempfile.TemporaryDirectory() as folder:
        reports = make(folder)
        for test in (opens, is_sealed, zooms, pinches, tells, tells_failures, works_by_keyboard, has_names, has_themes,
                     has_a_legend_and_a_table, goes_together, prints, fits, states_its_quality, numbers_counts, does_without_scripts):
            try:
                test(browser, reports)
            except Exception as error:
                ok(False, "%s: %r" % (test.__name__, error))
    browser.finish()


main()
