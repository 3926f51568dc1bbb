#!/usr/bin/env python3
"""cosched plot: size, type and kind of what it draws, and what it refuses.

usage: plot.py COSCHED EXAMPLES
"""

import json
import os
import re
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, write

EXAMPLES = sys.argv[2]
WIDTHS = {"8.5cm": 321, "85mm": 321, "3.35in": 322, "246pt": 327, "640px": 640}
SWEEP = {"problem": "pack", "title": "two policies", "replicates": 2, "set": {"input": os.path.abspath(os.path.join(EXAMPLES, "quickstart.csv")), "procs": 8},
         "vary": [{"policy": ["one-by-one", "pack-by-pack"], "pack_size": [2, 3]}], "metrics": ["cost"]}


def size(svg):
    return [int(float(n)) for n in re.search(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"', svg).groups()]


def type_sizes(svg):
    return [float(n) for n in re.findall(r'font-size="([0-9.]+)"', svg)]


def one_schedule(folder):
    plan, out = os.path.join(folder, "plan.json"), os.path.join(folder, "plan.svg")
    cosched("plan", "pack", os.path.join(EXAMPLES, "archer2.csv"), "--procs", 32, "-o", plan)
    for text, units in WIDTHS.items():
        cosched("plot", plan, "-o", out, "--width", text)
        ok(size(read(out))[0] == units, "%s are %d units of SVG" % (text, units))
    for width in ("7cm", "8.5cm", "17cm"):
        cosched("plot", plan, "-o", out, "--width", width)
        ok(min(type_sizes(read(out))) >= 9.33, "at %s no type is below 7 pt: %s" % (width, min(type_sizes(read(out)))))
    ok("VASP-CdTe" in read(out) and "pack 2" in read(out), "it is the picture of the plan")
    cosched("plot", plan, "-o", out, "--height", "5cm", "--title", "A & B")
    ok(size(read(out))[1] == 189 and "A &amp; B" in read(out), "height and title are those that were asked for")
    cosched("plot", plan, "-o", out, "--style", "grey")
    colours = {c for c in re.findall("#[0-9a-f]{6}", read(out))}
    ok(all(c[1:3] == c[3:5] == c[5:7] for c in colours), "grey has no colours: %s" % sorted(colours))
    first = read(out)
    cosched("plot", "-", "-o", out, "--style", "grey", given=read(plan))
    ok(read(out) == first, "standard input gives the same bytes")
    return plan


def apart_in_grey(folder):
    """Thirty applications in one picture without colours: by shade and hatch, in bars and in the legend."""
    bag, plan, out = (os.path.join(folder, name) for name in ("bag.csv", "bag.json", "bag.svg"))
    with open(bag, "w", encoding="utf-8") as file:
        file.write("app,procs,seconds\n" + "".join("t%02d,1,%d\n" % (i, 100 + i) for i in range(30)))
    cosched("plan", "moldable", bag, "--procs", 30, "-o", plan)
    cosched("plot", plan, "-o", out, "--style", "grey", "--height", "40cm")
    picture = read(out)
    paint = r'((?:<rect [^>]*fill="[^"]*"/>\n?){1,2})'
    fills = {name: tuple(re.findall('fill="([^"]*)"', rects)) for name, rects in re.findall(r"<title>(t\d\d)\n[^<]*</title>\n" + paint, picture)}
    ok(not re.search(">t[0-9]{2}</text>", picture.split('class="legend"')[1]), "the legend lists none that has a label")
    cosched("plot", plan, "-o", out, "--style", "grey", "--height", "12cm")
    picture = read(out)
    legend = {name: tuple(re.findall('fill="([^"]*)"', rects)) for rects, name in re.findall(paint + "<text [^>]*>(t[0-9]{2})</text>", picture.split('class="legend"')[1])}
    fills = {name: found[:2] if "hatch" in found[-1] else found[:1] for name, found in fills.items()}
    ok(len(fills) == 30 and len(set(fills.values())) == 30, "30 applications are told apart in grey: %s" % sorted(fills.values()))
    ok(len(legend) > 10 and all(fills[name] == found for name, found in legend.items()), "the legend shows them as they are: %s" % legend)
    used = set(re.findall(r"url\(#([^)]*)\)", picture))
    ok(used and all('<pattern id="%s"' % name in picture for name in used), "each hatch is defined: %s" % sorted(used))
    cosched("plot", plan, "-o", out)
    ok("hatch" not in read(out), "in colour there is no hatch")


def each_kind(folder):
    out, made = os.path.join(folder, "x.svg"), os.path.join(folder, "made.json")
    for kind, words in {
        "cs-stream": ["simulate", "malleable", os.path.join(EXAMPLES, "applications.csv"), "--procs", 64, "--mtbf", "30d",
                      "--scenarios", 1, "--schedule", made],
        "cs-lanes": ["simulate", "volatile", os.path.join(EXAMPLES, "hosts.json"), "--scenarios", 1, "--schedule", made],
        "cs-gantt": ["plan", "ptg", os.path.join(EXAMPLES, "graphs.json"), "--platform", os.path.join(EXAMPLES, "clusters.json"), "--schedule", made],
    }.items():
        cosched(*words)
        for style in ("color", "dark", "grey"):
            cosched("plot", made, "-o", out, "--width", "8.5cm", "--style", style)
            svg = read(out)
            ok('class="%s' % kind in svg and size(svg)[0] == 321, "%s is drawn as %s" % (" ".join(map(str, words[:2])), kind))
            ok(min(type_sizes(svg)) >= 9.33, "its type can be read")
            right = [float(x) for x in re.findall(r'<text[^>]* x="([0-9.]+)"', svg)]
            ok(max(right) <= 321, "nothing is beyond the right edge")


def figures(folder):
    store, out = os.path.join(folder, "s.db"), os.path.join(folder, "f.svg")
    sweep = write(folder, "sweep.json", json.dumps(SWEEP))
    cosched("campaign", "run", sweep, "--store", store)
    cosched("plot", store, "-o", out, "--width", "8.5cm")
    ok(size(read(out))[0] == 321 and "pack-by-pack" in read(out), "the only figure of a store needs no name")
    ok('class="title"' not in read(out), "its title is left to the caption")
    ok("two policies" in read(out), "a panel is called what the file says")
    ok(re.search(r">cost \((s|min|h)\)</text>", read(out)), "an axis has a title in words with its unit")
    nameless = write(folder, "untitled.json", json.dumps({key: value for key, value in SWEEP.items() if key != "title"}))
    cosched("campaign", "run", nameless, "--store", os.path.join(folder, "u.db"))
    cosched("plot", os.path.join(folder, "u.db"), "-o", out)
    ok("untitled" not in read(out), "the name of a file is no title")
    cosched("plot", store, "sweep", "--metric", "cost", "-o", out)
    ok(size(read(out))[0] == 454, "the usual width is 12 cm")
    refused("s.db: has no figure other, but sweep", "plot", store, "other", "-o", out)
    refused("sweep shows no metric gap, but cost", "plot", store, "--metric", "gap", "-o", out)
    refused("s.db", "plot", store, "-o", store, status=2)
    return store


def refusals(folder, plan):
    out = os.path.join(folder, "r.svg")
    refused('--width cannot be "8.5": a length is wanted, such as 8.5cm', "plot", plan, "-o", out, "--width", "8.5", status=2)
    refused('--width cannot be "-2cm"', "plot", plan, "-o", out, "--width=-2cm", status=2)
    refused('--width cannot be "nancm"', "plot", plan, "-o", out, "--width", "nancm", status=2)
    refused("width 38: 240 to 16000 pixels are possible", "plot", plan, "-o", out, "--width", "1cm")
    refused("r.gif: a picture is written as .svg, .pdf or .png", "plot", plan, "-o", "r.gif", status=2)
    refused("--output is missing", "plot", plan, status=2)
    refused("plan.json: is a schedule, which is one figure", "plot", plan, "fig1", "-o", out)
    refused("no.json: cannot be opened", "plot", "no.json", "-o", out)
    ok(not os.path.exists(out), "nothing was written")


def colours_by_class(folder):
    log, plan, out = (os.path.join(folder, name) for name in ("jobs.swf", "easy.json", "easy.svg"))
    # two jobs of 8 and 1 of 100 processors; the second is wide and waits 100 s for the first, the third starts late
    rows = ((1, 0, 100, 100), (2, 0, 50, 8), (3, 10, 50, 1))
    write(folder, "jobs.swf", "".join("%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 -1 -1 -1 -1\n" % (n, at, run, procs, procs, run)
                                      for n, at, run, procs in rows))
    cosched("simulate", "rigid", log, "--procs", 100, "--policy", "greedy", "--priority", "lpt", "-o", plan)

    def legend(by):
        cosched("plot", plan, "-o", out, "--width", "17cm", "--color-by", by)
        return [name for name in ("at most 1 % of the machine", "5 to 20 %", "more than 50 %", "no wait", "up to 10 min",
                                  "ended at the first try", "did not end") if ">%s<" % name in read(out)]

    ok(legend("width") == ["at most 1 % of the machine", "5 to 20 %", "more than 50 %"], "classes of width: %s" % legend("width"))
    ok(legend("wait") == ["no wait", "up to 10 min"], "classes of waiting: %s" % legend("wait"))
    ok(legend("state") == ["ended at the first try"], "what became of the jobs: %s" % legend("state"))
    cosched("plot", plan, "-o", out)
    usual = read(out)
    cosched("plot", plan, "-o", out, "--color-by", "task")
    ok(read(out) == usual, "by task is the default")
    cosched("simulate", "volatile", os.path.join(EXAMPLES, "hosts.json"), "-o", plan)
    refused("the chart of a volatile schedule has no classes", "plot", plan, "-o", out, "--color-by", "width")


def colours_of_a_replay(folder):
    log, plan, out = (os.path.join(folder, name) for name in ("users.swf", "users.json", "users.svg"))

    def replayed(user_of):
        write(folder, "users.swf", "; MaxProcs: 4\n" + "".join(
            "%d %d -1 40 2 -1 -1 2 60 -1 1 %d -1 -1 -1 -1 -1 -1\n" % (n, 10 * n, user_of(n)) for n in range(1, 31)))
        cosched("replay", log, "--policy", "easy", "-o", plan)

    def drawn(*words):
        cosched("plot", plan, "-o", out, *words)
        return read(out)

    replayed(lambda n: 100 + n % 14)
    with open(plan, encoding="utf-8") as file:
        ok(json.load(file)["jobs"][0]["user"] == "101", "a replay writes the users of its log")
    ok(">101</text>" in drawn("--color-by", "user") and ">3 other users</text>" in read(out), "the legend lists users")
    ok(">rigid</text>" in drawn("--color-by", "problem"), "a colour for the problem")
    ok(">work</text>" in drawn("--color-by", "kind"), "colours for kinds of bars")
    ok(">waiting jobs</text>" in drawn() and ">utilisation (%)" in read(out), "many tasks have strips")
    ok('class="strips"' not in drawn("--strips", "off"), "without strips")
    replayed(lambda n: -1)
    refused("users.json: the tasks of this schedule have no users", "plot", plan, "-o", out, "--color-by", "user")
    cosched("simulate", "malleable", os.path.join(EXAMPLES, "applications.csv"), "--procs", 64, "--mtbf", "30d", "-n", 1, "-o", plan)
    ok('class="cs-gantt' in drawn("--color-by", "kind") and ">checkpoint</text>" in read(out), "kinds of a malleable schedule")
    refused("users.json: the tasks of this schedule have no users", "plot", plan, "-o", out, "--color-by", "user")


def timings(folder):
    """Measured times: a panel for each application, a formula with its interval."""
    table, out = os.path.join(EXAMPLES, "archer2.csv"), os.path.join(folder, "timings.svg")
    for figure in ("time", "speedup", "efficiency"):
        cosched("plot", table, figure, "-o", out, "--width", "24cm")
        svg = read(out)
        ok(svg.count('<g class="panel"') == 9 and "CP2K-LiH_HFX" in svg and ">%s<" % {"time": "time (s)"}.get(figure, figure) in svg, "nine panels of " + figure)
    cosched("plot", table, "efficiency", "-o", out)
    once = read(out)
    cosched("plot", table, "-o", out)
    ok(read(out) != once, "time is the default")
    cosched("plot", table, "time", "-o", os.path.join(folder, "same.svg"))
    ok(read(out) == read(os.path.join(folder, "same.svg")), "to the byte")
    write(folder, "amdahl.csv", "".join(["app,procs,seconds\n"] + ["a,%d,%r\n" % (p, (10 + 90 / p) * (1 + 0.01 * (-1) ** k))
                                                                    for k, p in enumerate((1, 2, 4, 8, 16, 32))] + ["b,4,7\n"]))
    head, *rows = [line.split(",") for line in cosched("plot", os.path.join(folder, "amdahl.csv"), "--format", "csv")[0].split()]
    ok(head == "app procs seconds speedup efficiency fitted low high".split() and len(rows) == 7, "the same as rows")
    for row in rows[:6]:
        procs, seconds, speedup, efficiency, fitted, low, high = map(float, row[1:])
        ok(abs(speedup - 101 / seconds) < 1e-9 and abs(efficiency - speedup / procs) < 1e-9, "speedup and efficiency on %d" % procs)
        ok(low < 10 + 90 / procs < high and high - low < 0.1 * fitted, "the law lies in the interval on %d" % procs)
    ok(rows[6] == ["b", "4", "7", "1", "1", "", "", ""], "one count has no fit")
    refused("the figure of timings cannot be \"pink\"; it must be time, speedup or efficiency", "plot", table, "pink", "-o", out)
    refused("--output is missing", "plot", table, status=2)
    refused("--format csv prints the rows of all figures", "plot", table, "time", "--format", "csv", status=2)


def main():
    with tempfile.TemporaryDirectory() as folder:
        plan = one_schedule(folder)
        apart_in_grey(folder)
        each_kind(folder)
        figures(folder)
        refusals(folder, plan)
        colours_by_class(folder)
        colours_of_a_replay(folder)
        timings(folder)
    finish()


main()
