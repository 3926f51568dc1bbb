#!/usr/bin/env python3
"""Reports of stores in a real browser: what is shown is what the store holds, worked out here again.

usage: campaign.py COSCHED PAPERS
"""

import csv
import io
import json
import math
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import kit
from kit import close, ok

COSCHED, PAPERS = sys.argv[1], sys.argv[2]
REPLICATES = 5
STUDENT = 2.7764451051977987  # 4 degrees of freedom, 95 %
POLICIES = ["greedy", "list", "shelf"]
PROCS = [4000, 8000, 16000]
SWEEP = {
    "title": "Lists & shelves <under> \"failures\"", "problem": "rigid", "seed": 7, "replicates": REPLICATES,
    "set": {"jobs": 20, "scenarios": 4},
    "vary": {"policy": POLICIES, "procs": {"from": 4000, "to": 16000, "times": 2}, "mean_failure_probability": [0, 0.3]},
    "metrics": ["ratio", "makespan"],
    "figure": {"x": "procs", "series": "policy", "panel": "mean_failure_probability"},
}
WIDE = {
    "problem": "rigid", "replicates": 1, "set": {"jobs": 2, "scenarios": 1},
    "vary": {"policy": ["greedy", "shelf"], "procs": {"from": 4001, "to": 5000, "step": 1}}, "metrics": ["makespan"],
}


def cosched(*words):
    return subprocess.run([COSCHED, *map(str, words)], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8").stdout


class Place:
    """A folder with sweeps, stores and their reports."""

    def __init__(self, folder):
        self.folder = folder
        for name, sweep in ("sweep", SWEEP), ("wide", WIDE):
            with open(self.path(name + ".json"), "w", encoding="utf-8") as file:
                json.dump(sweep, file)
            cosched("campaign", "run", self.path(name + ".json"), "--store", self.path(name + ".db"))
        cosched("campaign", "run", self.path("sweep.json"), "--store", self.path("part.db"), "--where", "policy=greedy")
        cosched("paper", "run", "pack/fig2", "volatile/table2", "--quick", "--papers", PAPERS, "--store",
                self.path("papers.db"), "--out", self.path("out"))
        for name in "sweep", "wide", "part", "papers":
            cosched("report", self.path(name + ".db"), "-o", self.path(name + ".html"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def values(self, metric="ratio", store="sweep"):
        """(policy, procs, q) -> the values, in the order of the seeds."""
        with sqlite3.connect(self.path(store + ".db")) as base:
            rows = base.execute("select parameters, %s from rigid order by seed" % metric).fetchall()
        found = {}
        for text, value in rows:
            given = json.loads(text)
            found.setdefault((given["policy"], given["procs"], given["mean_failure_probability"]), []).append(value)
        return found


def mean(values):
    return math.fsum(values) / len(values)


def deviation(values):
    m = mean(values)
    return math.sqrt(math.fsum((v - m) ** 2 for v in values) / (len(values) - 1))


def half_width(values):
    return STUDENT * deviation(values) / math.sqrt(len(values))


def quantile(values, q):
    ordered, at = sorted(values), (len(values) - 1) * q
    low = int(at)
    return ordered[low] + (at - low) * (ordered[min(low + 1, len(ordered) - 1)] - ordered[low])


def number(text):
    return float(text.replace(",", ""))


def same_digits(text, wanted, what):
    """The shown number is the true one, rounded to the digits that are shown."""
    plain = text.replace(",", "")
    places = len(plain.partition(".")[2].partition("e")[0])
    slack = 0.501 * 10 ** -places if "e" not in plain else abs(wanted) * 1e-2
    ok(abs(float(plain) - wanted) <= slack, "%s (%s)" % (what, text))


def shows(text, values, what):
    middle, _, half = text.partition(" ± ")
    same_digits(middle, mean(values), what + ": mean")
    same_digits(half, half_width(values), what + ": half width")


# The page.

POINT = """const [panel, series, x] = arguments;
const chart = document.querySelectorAll("svg.chart")[panel];
const points = [...chart.querySelectorAll(".series")].find((g) => g.dataset.series === series).querySelectorAll(".point");
const box = points[x].getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];"""


def choose(browser, label, text):
    done = browser.js("""const [words, text] = arguments;
        const label = [...document.querySelectorAll("label")].find((l) => l.textContent === words);
        const box = document.getElementById(label.htmlFor);
        if (box.type === "checkbox") { box.click(); return true; }
        const option = [...box.options].find((o) => o.textContent === text);
        box.value = option.value;
        box.dispatchEvent(new Event("change"));
        return true;""", label, text)
    browser.settle()
    return done


def tooltip(browser, panel, series, x):
    browser.js("document.querySelectorAll('svg.chart')[arguments[0]].scrollIntoView({block: 'center'})", panel)
    browser.hover(*browser.js(POINT, panel, series, x))
    return browser.js("""const box = document.getElementById("tooltip");
        if (box.hidden) return null;
        const facts = {};
        for (const dt of box.querySelectorAll("dt")) facts[dt.textContent] = dt.nextSibling.textContent;
        return { who: box.querySelector("b").textContent, where: box.querySelector(".where").textContent, mean: box.querySelector(".mean").textContent,
          metric: box.querySelector(".metric").textContent, runs: box.querySelector(".runs").textContent, facts, command: box.querySelector("code").textContent };""")


def check_tooltip(browser, place):
    values = place.values()
    for series, x, panel in ("greedy", 0, 0), ("list", 2, 1), ("shelf", 1, 1):
        q = [0, 0.3][panel]
        told = tooltip(browser, panel, series, x)
        own = values[series, PROCS[x], q]
        what = "tooltip of %s, %d, %g" % (series, PROCS[x], q)
        ok(told and told["who"] == series and "procs %d" % PROCS[x] in told["where"], what)
        shows(told["mean"], own, what)
        same_digits(told["facts"]["standard deviation"], deviation(own), what + ": deviation")
        least, most = told["facts"]["least .. most"].split(" .. ")
        same_digits(least, min(own), what + ": least")
        same_digits(most, max(own), what + ": most")
        quartiles = told["facts"]["quartiles"].split(", ")
        for text, share in zip(quartiles, (0.25, 0.5, 0.75)):
            same_digits(text, quantile(own, share), what + ": quantile %g" % share)
        ok(told["runs"] == "n = 5", what + ": runs")


def check_command(browser, place):
    """Typed as it stands there, it gives the numbers of the tooltip."""
    told = tooltip(browser, 1, "list", 2)
    words = shlex.split(told["command"])
    ok(words[0] == "cosched" and "--where" in words, "the command of a point: " + told["command"])
    rows = json.loads(cosched(*words[1:], "--format", "json"))
    text = json.dumps(rows)
    own = place.values()["list", 16000, 0.3]
    found = [float(n) for n in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text)]
    ok(any(abs(n - mean(own)) <= 1e-9 * mean(own) for n in found), "it gives the same mean again")
    ok(any(abs(n - half_width(own)) <= 1e-6 * half_width(own) for n in found), "and the same interval")


GEOMETRY = """const chart = document.querySelectorAll("svg.chart")[arguments[0]];
const group = [...chart.querySelectorAll(".series")].find((g) => g.dataset.series === arguments[1]);
return { ticks: [...chart.querySelectorAll("text.tick.y")].map((t) => [Number(t.dataset.value), Number(t.getAttribute("y")) - 4, t.textContent]),
  band: group.querySelector(".band").getAttribute("d"), line: group.querySelector(".line").getAttribute("d") };"""


def pixels(path):
    return [tuple(map(float, pair.split(","))) for pair in re.findall(r"-?[\d.]+,-?[\d.]+", path)]


def check_geometry(browser, place, log):
    """From the labels of the axis to pixels, as the eye reads them."""
    values = place.values()
    scale = math.log if log else float
    for panel, q in (0, 0), (1, 0.3):
        for series in POLICIES:
            drawn = browser.js(GEOMETRY, panel, series)
            (v0, y0, text0), (v1, y1, _) = drawn["ticks"][0], drawn["ticks"][-1]
            pixel = lambda v: y0 + (scale(v) - scale(v0)) / (scale(v1) - scale(v0)) * (y1 - y0)
            band, line = pixels(drawn["band"]), pixels(drawn["line"])
            ok(len(line) == 3 and len(band) == 6 and number(text0) == v0, "a line and its band have all points")
            off = 0
            for i, procs in enumerate(PROCS):
                own = values[series, procs, q]
                m, h = mean(own), half_width(own)
                off = max(off, abs(line[i][1] - pixel(m)), abs(band[i][1] - pixel(m + h)), abs(band[5 - i][1] - pixel(m - h)),
                          abs(band[i][0] - line[i][0]))
            ok(off < 0.02, "%s at %g%s: the band is mean +- half width to %.3f pixels" % (series, q, ", logarithmic" if log else "", off))


def check_relative(browser, place):
    values = place.values()
    choose(browser, "relative to", "greedy")
    own = [a / b for a, b in zip(values["shelf", 8000, 0.3], values["greedy", 8000, 0.3])]
    told = tooltip(browser, 1, "shelf", 1)
    shows(told["mean"], own, "ratio of paired replicates")
    ok(told["metric"] == "ratio / that of greedy", "it says what it is relative to")
    ok(tooltip(browser, 1, "greedy", 1)["mean"] == "1 ± 0", "a line relative to itself is 1")
    ok(browser.js("return document.querySelectorAll('svg.chart path.mark').length") == 2, "a line at 1 in each panel")
    choose(browser, "relative to", "none")


def check_choices(browser):
    lines = "return [...document.querySelectorAll('svg.chart')].map((c) => c.querySelectorAll('.series').length).join()"
    titles = "return [...document.querySelectorAll('.panels figcaption')].map((c) => c.textContent).join('; ')"
    ok(browser.js(titles) == "mean failure probability = 0; mean failure probability = 0.3", "a panel for each value")
    choose(browser, "panels", "policy")
    ok(browser.js(titles) == "policy = greedy; policy = list; policy = shelf", "panels of another parameter")
    ok(browser.js(lines) == "2,2,2", "which leaves its role as lines to the other")
    choose(browser, "x axis", "policy")
    ok(browser.js("return document.querySelectorAll('svg.chart .whisker').length") == 6, "words on the axis: whiskers, no lines")
    ok(browser.js("return document.querySelectorAll('svg.chart .line').length") == 0, "words are not joined")
    choose(browser, "x axis", "procs")
    choose(browser, "lines", "policy")
    choose(browser, "panels", "mean_failure_probability")
    ok(browser.js(lines) == "3,3", "and back")
    choose(browser, "metric", "makespan")
    ok("makespan" in tooltip(browser, 0, "list", 0)["metric"], "another metric")
    choose(browser, "metric", "ratio")
    choose(browser, "panels", "–")
    ok(browser.js(lines) == "3" and browser.js("return !!document.querySelector('.controls label[for$=\"mean_failure_probability\"]')"),
       "a parameter without a role is chosen by a select of its own")
    choose(browser, "panels", "mean_failure_probability")
    choose(browser, "band", "least to most")
    drawn = browser.js(GEOMETRY, 0, "shelf")
    ok(len(pixels(drawn["band"])) == 6, "another band")
    choose(browser, "band", "nothing")
    ok(browser.js("return document.querySelectorAll('svg.chart .band').length") == 0, "no band")
    choose(browser, "band", "95 % of the mean")


def check_save(browser):
    """The file needs no style sheet: every line and every label has its colour in itself."""
    text = browser.js("""const make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
        let blob = null, name = null;
        URL.createObjectURL = (given) => { blob = given; return "data:,"; };
        HTMLAnchorElement.prototype.click = function () { name = this.download; };
        [...document.querySelectorAll("button")].find((b) => b.textContent === "Save SVG").click();
        URL.createObjectURL = make;
        HTMLAnchorElement.prototype.click = click;
        return blob.text().then((text) => [name, text]);""")
    name, svg = text
    root = ElementTree.fromstring(svg)
    nodes = list(root.iter())
    texts = [n.text for n in nodes if n.tag.endswith("text")]
    ok(name == "Lists-shelves-under-failures-ratio.svg", "the name of the saved figure: " + name)
    ok({"greedy", "list", "shelf", "procs", "ratio", "mean failure probability = 0.3"} <= set(texts), "it has legend, axes and titles")
    ok(all("var(" not in value for n in nodes for value in n.attrib.values()), "and no variables")
    ok(sum(n.get("stroke") == "rgb(30, 107, 171)" for n in nodes) >= 3, "but the colours")


def check_legend(browser):
    click = "[...document.querySelectorAll('.legend button')].find((b) => b.dataset.series === arguments[0]).click()"
    browser.js(click, "list")
    browser.settle()
    ok(browser.js("return [...document.querySelectorAll('svg.chart')[0].querySelectorAll('.series')].map((g) => g.dataset.series).join()") == "greedy,shelf",
       "a click on the legend hides a line")
    ok(browser.js("return document.querySelector('.legend [data-series=list]').getAttribute('aria-pressed')") == "false", "the button says so")
    ok(browser.wait("return document.getElementById('voice').textContent === 'list hidden'"), "and so does the live region")
    look = "return getComputedStyle(document.querySelector('svg.chart .series[data-series=shelf]')).color"
    before = browser.js(look)
    browser.js(click, "list")
    browser.settle()
    ok(browser.js(look) == before, "lines keep their colours")


def check_keyboard(browser, place):
    from selenium.webdriver.common.keys import Keys
    focused = "return document.activeElement.getAttribute('aria-label')"
    browser.js("document.querySelector('svg.chart .point[tabindex=\"0\"]').focus({focusVisible: true})")
    first = browser.js(focused)
    ok(first.startswith("policy greedy, procs 4000, mean_failure_probability 0: ratio "), "the first point: " + first)
    shows(re.search(r"ratio (.*), 5 runs$", first).group(1), place.values()["greedy", 4000, 0], "its label")
    browser.press(Keys.ARROW_RIGHT)
    ok("procs 8000" in browser.js(focused) and "greedy" in browser.js(focused), "right: along the line")
    ok("8000" in browser.js("return document.querySelector('#tooltip:not([hidden]) .where').textContent"), "the tooltip follows")
    browser.press(Keys.END)
    ok("procs 16000" in browser.js(focused), "end")
    browser.press(Keys.PAGE_DOWN)
    ok("probability 0.3" in browser.js(focused) and "procs 16000" in browser.js(focused), "page down: the next panel")
    browser.press(Keys.HOME)
    values = {p: mean(place.values()[p, 4000, 0.3]) for p in POLICIES}
    order = sorted(POLICIES, key=values.get)
    for _ in POLICIES:
        browser.press(Keys.ARROW_DOWN)
    ok("policy " + order[0] in browser.js(focused), "down: to the lowest line")
    browser.press(Keys.ARROW_UP)
    ok("policy " + order[1] in browser.js(focused), "up: to the next line")
    browser.press(Keys.ENTER)
    kept = browser.js("return document.querySelector('.chosen').innerText")
    ok("--where policy=" + order[1] in kept, "enter keeps the point below the figure, with its command")
    browser.press(Keys.ESCAPE)
    ok(browser.js("return document.getElementById('tooltip').hidden"), "escape closes the tooltip")
    ok(browser.js("return document.querySelectorAll('svg.chart .point[tabindex=\"0\"]').length") == 1, "one stop of the Tab key")


# Tables.

ROWS = """return [...document.querySelector("table.sortable").tBodies[0].rows].map((r) => [...r.cells].map((c) => c.textContent));"""
SORT = """const heads = [...document.querySelector("table.sortable").tHead.rows[0].cells];
const head = heads.find((h) => h.textContent === arguments[0]);
head.querySelector("button").click();
return head.getAttribute("aria-sort");"""


def check_table(browser, place):
    rows = browser.js(ROWS)
    values = place.values()
    makespans = place.values("makespan")
    ok(len(rows) == 18, "a row for each combination")
    for row in rows:
        key = (row[0], int(row[1]), float(row[2]))
        if key[1] == 8000:
            shows(row[4], values[key], "table, ratio of %s" % (key,))
            shows(row[5], makespans[key], "table, makespan of %s" % (key,))
    order = [mean(values[r[0], int(r[1]), float(r[2])]) for r in rows]
    ok(browser.js(SORT, "ratio") == "ascending", "aria-sort after a click")
    got = [mean(values[r[0], int(r[1]), float(r[2])]) for r in browser.js(ROWS)]
    ok(got == sorted(order), "sorted by the numbers")
    ok(browser.js(SORT, "ratio") == "descending", "aria-sort after another")
    got = [mean(values[r[0], int(r[1]), float(r[2])]) for r in browser.js(ROWS)]
    ok(got == sorted(order, reverse=True), "sorted the other way")
    browser.js(SORT, "procs")
    ok([int(r[1]) for r in browser.js(ROWS)] == [p for p in PROCS for _ in range(6)], "numbers are sorted as numbers")
    ok([r[0] for r in browser.js(ROWS)][:6] == ["greedy", "greedy", "list", "list", "shelf", "shelf"], "stable")
    browser.js(SORT, "procs")
    ok(browser.js(SORT, "procs") == "none" and browser.js(ROWS) == rows, "the third click: as in the document")


def check_copies(browser, place):
    browser.js("window.taken = []; navigator.clipboard.writeText = async (text) => { taken.push(text); }")
    browser.js("document.querySelector('.tools button').click()")
    browser.wait("return taken.length > 0")
    rows = list(csv.DictReader(io.StringIO(browser.js("return taken[0]"))))
    values = place.values()
    ok(len(rows) == 18, "CSV has all rows")
    good = all(abs(float(r["ratio_mean"]) - mean(values[key])) <= 1e-12 * mean(values[key]) and
               abs(float(r["ratio_confidence95"]) - half_width(values[key])) <= 1e-9 * half_width(values[key]) and r["ratio_n"] == "5"
               for r in rows for key in [(r["policy"], int(r["procs"]), float(r["mean_failure_probability"]))])
    ok(good, "with all digits")
    ok(rows[0]["command"].endswith("--where policy=greedy --where procs=4000 --where mean_failure_probability=0"), "and the commands")
    browser.js("document.querySelector('td.what button').click()")
    browser.wait("return taken.length > 1")
    ok(browser.js("return taken[1]") == rows[0]["command"], "the button of a row copies its command")
    ok(browser.wait("return document.getElementById('voice').textContent === 'Command copied'"), "and says so")


def check_figures_of_one(browser, place):
    choose(browser, "columns", "all figures of: ratio")
    own = place.values()["greedy", 4000, 0]
    heads = browser.js("return [...document.querySelector('table.sortable').tHead.rows[0].cells].map((c) => c.textContent)")
    row = dict(zip(heads, browser.js(ROWS)[0]))
    wanted = {"n": 5, "mean": mean(own), "± 95 %": half_width(own), "deviation": deviation(own), "min": min(own), "max": max(own),
              "median": quantile(own, 0.5), "5 %": quantile(own, 0.05), "75 %": quantile(own, 0.75)}
    for name, value in wanted.items():
        same_digits(row[name], value, "column " + name)


def check_page(browser, place):
    browser.open(place.path("sweep.html"))
    said, asked = browser.logs()
    ok(not said, "the console is silent: %s" % said)
    ok(all(url.startswith(("file:", "data:")) for url in asked), "nothing is asked of the network: %s" % asked)
    ok(browser.js("return document.querySelector('h2').textContent") == SWEEP["title"], "the title is text")
    ok(not browser.js("return document.querySelector('.notice') && document.querySelector('.notice').textContent"), "a finished campaign needs no notice")
    check_tooltip(browser, place)
    check_command(browser, place)
    check_geometry(browser, place, False)
    choose(browser, "logarithmic y", None)
    check_geometry(browser, place, True)
    choose(browser, "logarithmic y", None)
    check_relative(browser, place)
    check_choices(browser)
    check_save(browser)
    check_legend(browser)
    check_keyboard(browser, place)
    check_table(browser, place)
    check_copies(browser, place)
    check_figures_of_one(browser, place)


def check_names(browser):
    names = browser.names({"combobox", "checkbox", "button", "table", "searchbox", "region"})
    ok(all(name for _, name in names), "every control and table has a name: %s" % [n for n in names if not n[1]])
    ok(("combobox", "relative to") in names and ("table", "Numbers of " + SWEEP["title"]) in names, "such as these")


def check_print(browser):
    browser.media(media="print")
    gone = browser.js("""return [...document.querySelectorAll(".controls, .tools, td.what, #tooltip, .themes")]
        .filter((e) => e.getClientRects().length).length""")
    ok(gone == 0, "controls are not printed")
    ok(browser.js("return [...document.querySelectorAll('svg.chart')].every((c) => c.getBoundingClientRect().width > 100)"), "figures are")
    ok(browser.js("return getComputedStyle(document.querySelector('.scroller')).maxHeight") == "none", "tables are printed to their end")
    browser.media()
    ok(browser.pdf().count(b"/Type /Page\n") + browser.pdf().count(b"/Type /Page ") + browser.pdf().count(b"/Type/Page") >= 1, "it prints")


def check_sizes(browser, place):
    for width in 360, 768, 1920:
        browser.size(width, 800)
        browser.open(place.path("sweep.html"))
        ok(browser.js("return document.documentElement.scrollWidth <= innerWidth"), "nothing hangs over at %d pixels" % width)
        columns = browser.js("return new Set([...document.querySelectorAll('svg.chart')].map((c) => Math.round(c.getBoundingClientRect().x))).size")
        ok(columns == (1 if width == 360 else 2), "%d columns" % columns)
    browser.size(1280, 900)


def check_dark(browser, place):
    browser.media(("prefers-color-scheme", "dark"))
    browser.open(place.path("sweep.html"))
    dark = browser.js("return getComputedStyle(document.querySelector('svg.chart .series')).color")
    browser.media(("prefers-color-scheme", "light"))
    light = browser.js("return getComputedStyle(document.querySelector('svg.chart .series')).color")
    ok(dark == "rgb(147, 177, 242)" and light == "rgb(30, 107, 171)", "lines have the colours of the theme")
    browser.media()


def check_part(browser, place):
    browser.open(place.path("part.html"))
    told = browser.js("return document.querySelector('.notice').textContent")
    ok(told.startswith("Unfinished: 30 of 90 runs (33.3 %)"), "an unfinished campaign says so: " + told)
    ok(browser.js("return document.querySelector('.part').textContent.indexOf('NaN') < 0"), "and shows no NaN")
    rows = {(r[0], r[1], r[2]): r for r in browser.js(ROWS)}
    ok(rows["shelf", "4000", "0"][3] == "0 of 5" and rows["shelf", "4000", "0"][4] == "–", "what has not run is a dash")
    ok(rows["greedy", "4000", "0"][3] == "5", "what has run is there")
    browser.js(SORT, "ratio")
    ok(all(r[4] == "–" for r in browser.js(ROWS)[6:]) and browser.js(ROWS)[5][4] != "–", "dashes are sorted last")
    browser.js(SORT, "ratio")
    ok(browser.js(ROWS)[0][4] != "–", "either way")
    said, _ = browser.logs()
    ok(not said, "the console is silent: %s" % said)


def check_wide(browser, place):
    """Two thousand rows: only those that are seen are in the page, and sorting them is quick."""
    browser.open(place.path("wide.html"))
    table = "document.querySelector('table.sortable')"
    ok(browser.js("return %s.getAttribute('aria-rowcount')" % table) == "2001", "the table knows how many rows it has")
    ok(browser.js("return %s.tBodies[0].rows.length" % table) < 200, "and holds those that are seen")
    took = browser.js("""const heads = [...document.querySelector("table.sortable").tHead.rows[0].cells], start = performance.now();
        heads.find((h) => h.textContent === "makespan").querySelector("button").click();
        document.body.getBoundingClientRect();
        return performance.now() - start;""")
    ok(took < 400, "sorting takes %d ms" % took)
    took = browser.js("""const box = document.querySelector("input[type=search]"), start = performance.now();
        box.value = "shelf 4500"; box.dispatchEvent(new Event("input"));
        document.body.getBoundingClientRect();
        return performance.now() - start;""")
    state = browser.js("return document.querySelector('.tools .state').textContent")
    ok(took < 600, "filtering takes %d ms" % took)
    ok(state == "1 of 2,000 combinations" and browser.js(ROWS)[0][:2] == ["shelf", "4500"], "numbers are found as a whole: " + state)
    browser.js("""const box = document.querySelector("input[type=search]"); box.value = "SHEL"; box.dispatchEvent(new Event("input"));""")
    state = browser.js("return document.querySelector('.tools .state').textContent")
    ok(state == "1,000 of 2,000 combinations", "words by their parts: " + state)
    browser.js("document.querySelector('.scroller').scrollTop = 1e6")
    ok(browser.wait("return document.querySelector('table.sortable').tBodies[0].rows.length > 100"), "more rows come when one scrolls")


def check_papers(browser, place):
    browser.open(place.path("papers.html"))
    said, asked = browser.logs()
    ok(not said and all(url.startswith(("file:", "data:")) for url in asked), "papers: silent, no network")
    documents = browser.js("return [...document.querySelectorAll('section[data-kind=document]')].map((s) => s.querySelector('h2').textContent)")
    ok(len(documents) == 2 and documents[0].startswith("pack/fig2"), "a section for each paper: %s" % documents)
    told = json.loads(cosched("paper", "run", "pack/fig2", "volatile/table2", "--quick", "--papers", PAPERS, "--out", place.path("out"),
                              "--store", place.path("papers.db"), "--format", "json"))
    wanted = [row["words"] for row in told]
    shown = browser.js("return [...document.querySelectorAll('.claim > .head > .verdict')].map((v) => v.textContent)")
    ok(shown == wanted, "the verdicts of 'paper run': %d claims" % len(wanted))
    numbers = browser.js("return [...document.querySelectorAll('table.checks td.numeric')].map((cell) => cell.textContent)")
    ok(any(" ± " in text for text in numbers[::2]) and any(text.startswith("≤ ") for text in numbers[1::2]),
       "numbers with their intervals, and what is wanted: %s" % numbers[:2])
    printed = browser.js("return [...document.querySelectorAll('section')].at(-2).querySelector('.tables table').innerText")
    reference = list(json.load(open(os.path.join(PAPERS, "volatile", "table2.json"), encoding="utf-8"))["metrics"].values())[0].get("reference")
    ok("paper / ours" in printed and "ours" in printed, "a table beside the paper's")
    ok(reference is None or str(list(reference.values())[0][0]).rstrip("0").rstrip(".") in printed.replace(",", ""), "with the paper's numbers")
    ok(browser.js("return document.querySelector('td.what button').title").startswith("cosched paper run pack/fig2 --quick"),
       "the command of a paper")
    links = browser.js("return [...document.querySelectorAll('table a')].map((a) => [a.textContent, !!document.querySelector(a.getAttribute('href'))])")
    ok(links == [["pack/fig2", True], ["volatile/table2", True]], "the overview leads to them")


def main():
    browser = kit.start()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        check_page(browser, place)
        check_names(browser)
        check_print(browser)
        check_sizes(browser, place)
        check_dark(browser, place)
        check_part(browser, place)
        check_wide(browser, place)
        check_papers(browser, place)
    browser.finish()


main()
