#!/usr/bin/env python3
"""`cosched campaign compare`: against the runs of the export and the same statistics found otherwise.

usage: tests/cli/compare.py COSCHED EXAMPLES
"""

import csv
import io
import itertools
import json
import math
import os
import re
import statistics
import subprocess
import tempfile

from kit import COSCHED, cosched, finish, ok, refused, write

SWEEP = {"problem": "rigid", "seed": 3, "replicates": 9, "set": {"jobs": 40, "procs": 3000},
         "vary": {"policy": ["greedy", "easy", "conservative"], "mean_failure_probability": [0, 0.3]},
         "metrics": ["ratio", "waste"]}


def compare(store, *more):
    return json.loads(cosched("campaign", "compare", store, "--format", "json", *more)[0])


def runs(store):
    rows = list(csv.DictReader(io.StringIO(cosched("campaign", "export", store)[0])))
    return {(row["policy"], float(row["mean_failure_probability"]), int(row["replicate"])): row for row in rows}


def signed_ranks(x, y):
    """W+ and W-, and the p over all signs."""
    d = [b - a if abs(b - a) > 1e-12 * max(abs(a), abs(b)) else 0 for a, b in zip(x, y)]
    sizes = [abs(v) for v in d if v]
    ranks = [sum(s < v for s in sizes) + (sum(s == v for s in sizes) + 1) / 2 for v in sizes]
    plus = sum(r for r, v in zip(ranks, [v for v in d if v]) if v > 0)
    minus = sum(ranks) - plus
    below = sum(sum(itertools.compress(ranks, signs)) <= min(plus, minus) for signs in itertools.product((0, 1), repeat=len(ranks)))
    return plus, minus, min(1, 2 * below / 2 ** len(ranks)) if ranks else 1


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-300) or a == b


def rows_are_those_of_the_runs():
    run, found = runs("trial.db"), compare("trial.db")
    ok(found["by"] == "policy" and found["reference"] == "greedy" and len(found["metrics"]) == 2, "policies, with the first one")
    for metric in found["metrics"]:
        name, adjusted = metric["metric"], []
        ok(metric["better"] == "smaller" and len(metric["rows"]) == 4, "%s: a row for each condition and value" % name)
        for row in metric["rows"]:
            failure = float(row["condition"]["mean_failure_probability"])
            x, y = [[float(run[policy, failure, r][name]) for r in range(9)] for policy in ("greedy", row["value"])]
            plus, minus, p = signed_ranks(x, y)
            title = "%s %s %g" % (name, row["value"], failure)
            ok(near(row["difference"], statistics.mean(b - a for a, b in zip(x, y))) or abs(row["difference"]) < 1e-15, title + ": difference")
            ok(near(row["w_plus"], plus) and near(row["w_minus"], minus) and near(row["p"], p), title + ": Wilcoxon")
            ok(row["wins"] + row["ties"] + row["losses"] == row["pairs"] == 9, title + ": pairs")
            adjusted.append((row["p"], row["p_holm"]))
        ordered = sorted(adjusted)
        ok(all(near(a[1], max(min(1, (4 - j) * ordered[j][0]) for j in range(i + 1))) for i, a in enumerate(ordered)) or
           len({a for a, _ in ordered}) < 4, name + ": Holm")
        ranks = metric["ranks"]
        ok(ranks["blocks"] == 18 and near(sum(ranks["ranks"]), 6), name + ": ranks")


def pairs_and_references():
    against = compare("trial.db", "--reference", "easy", "--metrics", "ratio")["metrics"][0]["rows"]
    back = compare("trial.db", "--metrics", "ratio")["metrics"][0]["rows"]
    ok(near(against[0]["difference"], -back[0]["difference"]) and against[0]["wins"] == back[0]["losses"], "the opposite from the other side")
    every = compare("trial.db", "--pairs", "all", "--metrics", "ratio")
    ok(every["reference"] is None and [(r["against"], r["value"]) for r in every["metrics"][0]["rows"]][:3] ==
       [("greedy", "easy"), ("greedy", "conservative"), ("easy", "conservative")], "all pairs, earlier values first")
    one = compare("trial.db", "--where", "mean_failure_probability=0.3", "--metrics", "ratio")["metrics"][0]
    ok(len(one["rows"]) == 2 and one["ranks"]["blocks"] == 9 and one["rows"][0]["condition"] == {}, "only some runs")
    larger = compare("trial.db", "--metrics", "ratio", "--better", "larger")["metrics"][0]["rows"]
    ok(larger[0]["wins"] == back[0]["losses"], "larger is better")
    ok("policy" not in compare("trial.db", "--by", "mean_failure_probability", "--allow-other-instances")["by"], "another parameter")


def forms():
    rows = list(csv.DictReader(io.StringIO(cosched("campaign", "compare", "trial.db", "--format", "csv")[0])))
    ok({row["mean_failure_probability"] for row in rows} == {"0", "0.3"}, "numbers with few digits")
    ok(len(rows) == 8 and list(rows[0])[:4] == ["metric", "mean_failure_probability", "value", "pairs"], "a line a row")
    text = cosched("campaign", "compare", "trial.db")[0]
    ok("Average ranks" in text and "verdict" in text and "wins/ties/losses" in text, "a table for people")
    cosched("campaign", "compare", "trial.db", "--diagram", "ranks.svg", "-o", "rows.txt")
    with open("ranks.svg", encoding="utf-8") as file:
        svg = file.read()
    ok(all(policy in svg for policy in ("greedy", "easy", "conservative", "CD ")) and 'width="642.5"' in svg, "the diagram, 17 cm wide")
    with open("rows.txt", encoding="utf-8") as file:
        ok(file.read() == text, "the same in a file")


def long_names_are_in_the_picture():
    long = "list:reservations=0", "list:reservations=1", "conservative"
    write(".", "long.json", json.dumps({**SWEEP, "replicates": 3, "vary": {"policy": long}}))
    cosched("campaign", "run", "long.json", "--store", "long.db")
    cosched("campaign", "compare", "long.db", "--diagram", "long.svg", "--metrics", "ratio")
    with open("long.svg", encoding="utf-8") as file:
        svg = file.read()
    for name in long:
        x, anchor = re.search('<text x="([0-9.]+)"[^>]*?(text-anchor="end")?[^>]*>' + name, svg).groups()
        width = 6 * (len(name) + 5)
        ok(float(x) - width > 0 if anchor else float(x) + width < 642.5, "%s is in the picture: %s" % (name, x))


def as_scipy_has_it():
    """Wilcoxon's test (exact without ties, else normal), Friedman's and Student's interval."""
    try:
        from scipy import stats
    except ImportError:
        ok(True, "scipy  SKIP: scipy is not installed")
        return
    run, found = runs("trial.db"), compare("trial.db", "--metrics", "ratio")["metrics"][0]
    checked = 0
    for row in found["rows"]:
        failure = float(row["condition"]["mean_failure_probability"])
        x, y = [[float(run[policy, failure, r]["ratio"]) for r in range(9)] for policy in ("greedy", row["value"])]
        d = [b - a for a, b in zip(x, y)]
        mean = statistics.mean(d)
        low, high = stats.t.interval(0.95, 8, loc=mean, scale=stats.sem(d)) if any(d) else (0, 0)
        ok(max(abs(row["low"] - low), abs(row["high"] - high)) <= 1e-9 * (high - low) + 1e-15,  # quantiles of scipy 1.10: to 1e-10
           "Student's interval: %s %s, %r %r" % (row["value"], failure, (row["low"], row["high"]), (low, high)))
        if all(d) and len({abs(v) for v in d}) == 9:
            checked += 1
            ok(math.isclose(row["p"], stats.wilcoxon(y, x, mode="exact").pvalue, rel_tol=1e-12), "Wilcoxon: %s %s" % (row["value"], failure))
    blocks = [[float(run[policy, failure, r]["ratio"]) for failure in (0, 0.3) for r in range(9)] for policy in SWEEP["vary"]["policy"]]
    chi2, p = stats.friedmanchisquare(*blocks)
    ok(math.isclose(found["ranks"]["chi2"], chi2, rel_tol=1e-9) and math.isclose(found["ranks"]["p"], p, rel_tol=1e-9), "Friedman: %s" % chi2)
    ok(checked > 0, "some rows have no ties")
    if hasattr(stats, "studentized_range"):
        cd = stats.studentized_range.ppf(0.95, 3, math.inf) / math.sqrt(2) * math.sqrt(3 * 4 / (6 * 18))
        ok(math.isclose(found["ranks"]["critical_difference"], cd, rel_tol=1e-6), "Nemenyi: %s" % cd)


def errors():
    refused('--reference: "esy" is not a value of policy: greedy, easy, conservative', "campaign", "compare", "trial.db", "--reference", "esy")
    refused("trial.db: seed does not vary; these do: policy, mean_failure_probability", "campaign", "compare", "trial.db", "--by", "seed")
    refused("--metrics", "campaign", "compare", "trial.db", "--metrics", "speed")
    refused("ran on different instances", "campaign", "compare", "trial.db", "--by", "mean_failure_probability") \
        if different("trial.db") else ok(True, "one instance for all probabilities")
    alone = write(".", "alone.json", json.dumps({**SWEEP, "vary": {"mean_failure_probability": [0, 0.3]}, "set": {**SWEEP["set"], "policy": "easy"}}))
    cosched("campaign", "run", alone, "--store", "alone.db")
    refused("alone.db: policy does not vary; these do: mean_failure_probability", "campaign", "compare", "alone.db", "--by", "policy")
    cosched("campaign", "run", "trial.json", "--store", "part.db", "--where", "replicate=0", "--where", "replicate=1")
    refused("part.db: 42 of 54 runs are missing; --partial compares what is there", "campaign", "compare", "part.db")
    part = compare("part.db", "--partial")["metrics"][0]["rows"][0]
    ok(part["pairs"] == 2 and part["dropped"] == 7, "what is there")
    cosched("campaign", "run", "trial.json", "--store", "one.db", "--where", "replicate=0")
    one = compare("one.db", "--partial")["metrics"][0]["rows"][0]
    ok(one.get("error") == "fewer than two pairs" and "p" not in one, "one pair has no p")
    refused("a diagram of ranks needs three values", "campaign", "compare", "alone.db", "--diagram", "x.svg", "--allow-other-instances")
    ok(not os.path.exists("x.svg"), "no file is left")
    done = subprocess.run([COSCHED, "campaign", "compare", "trial.db", "--diagram", "x.txt"], capture_output=True, text=True, check=False)
    ok(done.returncode == 2, "a diagram is SVG, PDF or PNG")


def different(store):
    rows = list(csv.DictReader(io.StringIO(cosched("campaign", "export", store)[0])))
    return len({row["instance"] for row in rows if row["replicate"] == "0" and row["policy"] == "easy"}) > 1


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write(".", "trial.json", json.dumps(SWEEP))
    cosched("campaign", "run", "trial.json", "--store", "trial.db")
    for part in rows_are_those_of_the_runs, pairs_and_references, forms, long_names_are_in_the_picture, as_scipy_has_it, errors:
        part()
finish()
