#!/usr/bin/env python3
"""`cosched plan moldable`, `simulate moldable` and `generate moldable` as a user meets them.

usage: tests/cli/moldable.py COSCHED EXAMPLES
"""

import csv
import io
import json
import os
import shlex
import shutil
import sys
import tempfile

from kit import cosched, finish, ok, read, refused, results, write

EXAMPLES = sys.argv[2]

# Measured on two counts each; the best plan without barriers ends at 8.
BAG = "app,procs,seconds\ncfd,1,9\ncfd,2,5\nmd,4,3\nfem,2,5\n"
LIMITS = {"format": "cosched-workload-1", "procs": 4, "tasks": [
    {"name": "a", "points": [[1, 8], [2, 5], [4, 3]], "counts": [1, 4]},
    {"name": "b", "points": [[2, 6], [4, 4]], "release": 2, "walltime": 5},
    {"name": "c", "table": [None, 7, None, 6.5], "max_procs": 3}]}


def plan_rows(*args):
    return list(csv.DictReader(io.StringIO(cosched("plan", "moldable", *args, "--format", "csv")[0])))


def plans(folder):
    bag = write(folder, "bag.csv", BAG)
    out = cosched("plan", "moldable", bag, "--procs", 4)[0]
    ok("makespan            8 s" in out and "proven" in out, "eight seconds, and no plan is shorter")
    ok("launched on" in out and "~" not in out, "every task is launched on a measured count")
    rows = plan_rows(bag, "--procs", 4)
    ok({row["task"]: row["procs"] for row in rows} == {"cfd": "2", "md": "4", "fem": "2"}, "counts")
    ok(all(row["origin"] == "measured" for row in rows), "their times were measured")
    plan = json.loads(cosched("plan", "moldable", bag, "-p", 4, "--format", "json")[0])
    ok(plan["makespan"] == 8 and plan["gap"] == 0 and plan["counts"] == [2, 4, 2], "JSON says it too")
    table = cosched("plan", "moldable", bag, "-p", 4, "--policy", "all")[0]
    ok("packs" in table and "best" in table and "turek-wolf-yu" in table, "planners side by side")
    bag = os.path.join(EXAMPLES, "archer2.csv")
    told = json.loads(cosched("plan", "moldable", bag, "-p", 40, "--policy", "list,search,exact", "--format", "json")[0])
    seen = [(way["makespan"], way["ratio"]) for way in told["results"]]
    ok(told["lower_bound"] == seen[2][0] and all(ratio == end / seen[2][0] for end, ratio in seen),
       "what one of them proves is the bound of all: %s, %s" % (told["lower_bound"], seen))


def sweeps_have_the_same_numbers(folder):
    """lower_bound and ratio of an experiment are those of plan and simulate."""
    bag = os.path.abspath(os.path.join(EXAMPLES, "quickstart.csv"))
    sweep = write(folder, "sweep.json", json.dumps({
        "title": "bounds", "problem": "moldable", "set": {"input": bag, "procs": 8}, "vary": {"planner": ["search", "list", "exact"]},
        "metrics": ["makespan", "lower_bound", "ratio"]}))
    rows = list(csv.DictReader(io.StringIO(cosched("campaign", "run", sweep, "--store", os.path.join(folder, "s.db"), "--format", "csv")[0])))
    for row in rows:
        plan = json.loads(cosched("plan", "moldable", bag, "-p", 8, "--policy", row["planner"], "--format", "json")[0])
        run = results("simulate", "moldable", bag, "-p", 8, "--planner", row["planner"])["results"][0]
        seen = [float(row[key + "_mean"]) for key in ("makespan", "lower_bound", "ratio")]
        ok(seen == [run[key]["mean"] for key in ("makespan", "lower_bound", "ratio")], "%s: sweep %s, simulate %s" % (row["planner"], seen, run["lower_bound"]))
        ok(seen[1] == plan["lower_bound"], "%s: sweep %s, plan %s" % (row["planner"], seen, plan["lower_bound"]))


def never_contradicts_a_measurement(folder):
    bag = write(folder, "two.csv", "app,procs,seconds\na,8,100\na,16,52\n")
    row = plan_rows(bag, "--procs", 15)[0]
    ok((row["procs"], row["seconds"]) == ("8", "100"), "on 15 processors it is launched on 8")
    row = plan_rows(bag, "--procs", 16)[0]
    ok((row["procs"], row["seconds"]) == ("16", "52"), "on 16 it is launched on 16")
    out = cosched("plan", "moldable", bag, "--procs", 15, "--interpolate", "power")[0]
    ok("~ 1 time was not measured on that count" in out, "an interpolated time carries a mark")
    slow = write(folder, "slow.csv", "app,procs,seconds\na,8,15.2\na,56,58.6\n")
    row = plan_rows(slow, "--procs", 56)[0]
    ok((row["procs"], row["seconds"]) == ("8", "15.2"), "more processors that slow it down stay idle")


def keeps_limits(folder):
    bag = write(folder, "limits.json", json.dumps(LIMITS))
    rows = {row["task"]: row for row in plan_rows(bag)}
    ok(rows["a"]["procs"] in ("1", "4") and rows["b"]["procs"] == "4" and rows["c"]["procs"] == "2",
       "counts, walltime and the largest count are kept")
    ok(float(rows["b"]["start"]) >= 2, "nothing starts before its release")
    schedule = os.path.join(folder, "limits-plan.json")
    cosched("plan", "moldable", bag, "--schedule", schedule)
    ok("valid" in cosched("check", schedule)[0], "the checker agrees")
    broken = json.loads(read(schedule))
    broken["instance"]["tasks"][1]["release"] = 1000
    wrong = write(folder, "broken.json", json.dumps(broken))
    ok("its release is" in cosched("check", wrong, status=1)[0], "and finds what is wrong")
    refused("its release is 2 s", "plan", "pack", bag)
    del LIMITS["tasks"][1]["release"]
    bag = write(folder, "limits.json", json.dumps(LIMITS))
    packs = os.path.join(folder, "packs.json")
    cosched("plan", "pack", bag, "--output", packs, "--min-procs", 2)
    document = json.loads(read(packs))
    tasks = {task["name"]: task for pack in document["packs"] for task in pack["tasks"]}
    ok({name: task["launched"] for name, task in tasks.items()} == {"a": 4, "b": 4, "c": 2}, "packs keep limits too")
    ok([task["min_procs"] for task in document["instance"]["tasks"]] == [2, 2, 2], "also those of the command line")
    ok("valid" in cosched("check", packs)[0], "the checker agrees")
    document["packs"][0]["tasks"][0]["launched"] = 3
    wrong = write(folder, "broken.json", json.dumps(document))
    ok("launches task" in cosched("check", wrong, status=1)[0], "and finds what is wrong")


def proves_to_the_last_digit(folder):
    tasks = [{"name": "a", "table": [2, 2, 1, 0.3, 0.2, 0.1]}]
    bag = write(folder, "digit.json", json.dumps({"format": "cosched-workload-1", "tasks": tasks}))
    plan = json.loads(cosched("plan", "moldable", bag, "-p", 6, "--format", "json")[0])
    ok(plan["gap"] == 0 and plan["lower_bound"] <= plan["makespan"], "a proven plan has no gap, its bound is not above it")


def refuses(folder):
    bag = write(folder, "bag.csv", BAG)
    refused("known on 4 processors and more", "plan", "moldable", bag, "-p", 2)
    refused("walltime limit is 2 s", "plan", "moldable", bag, "-p", 4, "--walltime", 2)
    wide = write(folder, "wide.csv", "app,procs,seconds\na,1,90\na,2,60\na,4,40\nb,1,80\nb,4,30\nc,1,40\n")
    for problem in "pack", "moldable":
        cosched("plan", problem, wide, "-p", 4, "--walltime", 90, "--margin", 1.4, "-o", folder + "/margin.json")
        cosched("check", folder + "/margin.json")
        cosched("check", folder + "/margin.json", "--against", wide)
    refused("--counts", "plan", "moldable", bag, "-p", 4, "--counts", "2;4")
    refused("nosuch", "simulate", "moldable", bag, "-p", 4, "--policy", "nosuch")
    refused("expected one of them", "simulate", "moldable", bag, "-p", 4, "--planner", "sweep", "--plan", "x",
            status=2)


def stops(folder):
    """Tasks that are stopped at their walltime: the bound of the run knows it."""
    bag, path = os.path.join(EXAMPLES, "quickstart.csv"), os.path.join(folder, "stopped.json")
    stopped = 0
    for scenario in range(8):
        for fails in ([], ["--qbar", 0.3]):
            cosched("simulate", "moldable", bag, "--procs", 8, "--sigma", 0.8, "--walltime", 350, *fails, "--scenario", scenario, "--schedule", path)
            cosched("check", path)
            cosched("check", path, "--against", bag)
            stopped += len(json.loads(read(path)).get("stopped", []))
    ok(stopped > 0, "%d tasks were stopped" % stopped)


def simulates(folder):
    bag = os.path.join(EXAMPLES, "quickstart.csv")
    schedule = os.path.join(folder, "run.json")
    plan = os.path.join(folder, "plan.json")
    machine = [bag, "--procs", 8]
    cosched("plan", "moldable", *machine, "--schedule", plan)
    made = json.loads(read(plan))["makespan"]
    found = results("simulate", "moldable", *machine, "--plan", plan)["results"][0]
    ok(found["makespan"]["mean"] == made, "with exact times a plan ends when it says")
    cosched("simulate", "moldable", *machine, "--sigma", 0.01, "--scenario", 0, "--schedule", schedule)
    ran = json.loads(read(schedule))
    ok(ran["bounds"]["knapsack"] > ran["lower_bound"] and ": valid: " in cosched("check", schedule)[0],
       "the lower bound of a run may be below those of the bag")
    ran["bounds"]["knapsack"] = ran["makespan"]
    wrong = write(folder, "wrong.json", json.dumps(ran))
    ok("knapsack" in cosched("check", wrong, status=1)[0], "but they are judged")
    one, two = (cosched("simulate", "moldable", *machine, "--sigma", 0.2, "--qbar", 0.2, "-n", 30,
                        "--policy", "all", "--threads", t, "--format", "csv")[0] for t in (1, 2))
    ok(one == two and one.count("\n") == 13, "twelve ways, the same bytes with two threads")
    cosched("simulate", "moldable", *machine, "--sigma", 0.2, "--qbar", 0.4, "--scenario", 3,
            "--policy", "again", "--schedule", schedule)
    ok("valid" in cosched("check", schedule)[0], "a run with noise and failures passes the checker")
    ok(any(bar["kind"] == "lost" for bar in json.loads(read(schedule))["bars"]), "attempts failed")


def knows_what_was_proved(folder):
    """Without uncertainty the bound is that of the plan, made here or read, and the checker believes it."""
    bag = write(folder, "proved.csv", "app,procs,seconds\na,1,10\na,2,6\nb,1,10\nb,3,5\nc,2,10\nc,4,6\nd,1,7\n")
    plan, ran = os.path.join(folder, "proved.json"), os.path.join(folder, "ran.json")
    planned = results("plan", "moldable", bag, "--procs", 4, "-o", plan)
    ok(planned["lower_bound"] == planned["makespan"] == 15, "the plan is proven: %s" % planned["lower_bound"])
    for words in (["--plan", plan], [], ["--planner", "exact"]):
        told = results("simulate", "moldable", bag, "--procs", 4, *words, "-o", ran)
        ok(told["lower_bound"] == 15 and told["results"][0]["ratio"]["mean"] == 1, "%s: %s" % (words, told["results"][0]["ratio"]["mean"]))
        ok(json.loads(read(ran))["lower_bound"] == 15, "the file says it")
        cosched("check", ran)
    told = results("simulate", "moldable", bag, "--procs", 4, "--policy", "order,minarea", "--plan", plan)["results"]
    ok([way["ratio"]["mean"] for way in told] == [1, 17 / 15], "one bound for all ways: %s" % [way["ratio"]["mean"] for way in told])
    told = results("simulate", "moldable", bag, "--procs", 4, "--sigma", 0.2, "--plan", plan, "--scenarios", 3)
    ok(told["results"][0]["lower_bound"]["mean"] != 15, "uncertain times have bounds of their own: %s" % told["results"][0]["lower_bound"]["mean"])


def packs_say_what_barriers_cost(folder):
    for tasks in (20, 101, 300):
        bag = os.path.join(folder, "packs.json")
        cosched("generate", "pack", "--workload", "random", "--tasks", tasks, "--procs", 16, "-o", bag)
        out = cosched("plan", "pack", bag, "-p", 16, "--effort", "fast")[0]
        ok("without barriers: " in out and out.rstrip().endswith(f"cosched plan moldable {bag} --procs 16"),
           f"{tasks} tasks: what barriers cost stands at the end")
    odd = os.path.join(folder, "it's a bag.json")
    shutil.copy(bag, odd)
    out = cosched("plan", "pack", odd, "-p", 16, "--effort", "fast", "--unit", "big node", "--counts", "1,2,4,8", "--margin", 1.5)[0]
    words = shlex.split(out.rstrip().rsplit("less: cosched ", 1)[1])
    ok(words[:3] == ["plan", "moldable", odd], "the command can be typed as it stands: %s" % words)
    ok("300 tasks on 16 big nodes" in cosched(*words)[0], "and plans the same on the same machine")


def hours_are_of_what_the_machine_has():
    bag = os.path.join(EXAMPLES, "quickstart.csv")
    for unit, more in (("processor", []), ("node", ["--unit", "node"])):
        for policies in ([], ["--policy", "list,search"]):
            out = cosched("plan", "moldable", bag, "--procs", 16, *more, *policies)[0]
            ok("%s hours " % unit in out and "node-hours" not in out, "%s %s: %s" % (unit, policies, out))


def plans_for_uncertain_times(folder):
    bag = os.path.join(folder, "doubt.json")
    cosched("generate", "moldable", "-n", 15, "-p", 40, "-o", bag)
    call = ["simulate", "moldable", bag, "-p", 40, "--sigma", 0.3, "--policy", "order,follow", "--planner"]
    robust, one, many = (results(*call, planner, "--threads", t)
                         for planner, t in (("robust:moves=1000", 1), ("search:moves=1000", 1), ("robust:moves=1000", 3)))
    ok(robust == many, "the same robust plans with any number of threads")
    ok(len(set(robust["planned_makespans"])) == 2 and "planned_makespan" in one, "each policy has its own robust plan")
    for mine, other in zip(robust["results"], one["results"]):
        ok(mine["ratio"]["mean"] <= other["ratio"]["mean"], "and it does better than the shortest: " + mine["policy"])
    limited = ["simulate", "moldable", bag, "-p", 40, "--walltime", 800000, "--sigma", 0.3, "-n", 100, "--planner"]
    robust_stops, search_stops = (results(*limited, planner)["results"][0]["stopped"]["mean"] for planner in ("robust", "search"))
    ok(robust_stops < 0.8 * search_stops, f"fewer tasks meet their walltime: {robust_stops}, not {search_stops}")
    plan = json.loads(cosched("plan", "moldable", bag, "-p", 40, "--policy", "robust:sigma=0.3,moves=1000", "--format", "json")[0])
    ok(plan["makespan"] == robust["planned_makespans"][0], "plan alone makes the plan that order will carry out")


def widens_spare_processors(folder):
    bag = os.path.join(folder, "wide.json")
    cosched("generate", "moldable", "--model", "mix", "-n", 50, "-p", 500, "--set", 1, "-o", bag)
    found = results("simulate", "moldable", bag, "-p", 500, "--qbar", 0.6, "-n", 8, "--effort", "fast",
                    "--policy", "again,again:spare=idle,again:spare=widen")["results"]
    idle, same, widen = (row["ratio"]["mean"] for row in found)
    ok(idle == same and widen < 0.97 * idle, "again with spare processors for the longest is shorter on a wide machine")


def judges_ties(folder):
    for model, wins in (("roofline", True), ("amdahl", False)):
        bag = os.path.join(folder, model + ".json")
        cosched("generate", "moldable", "--model", model, "-n", 60, "-p", 120, "--set", 1, "-o", bag)
        found = results("simulate", "moldable", bag, "-p", 120, "--qbar", 0.3, "-n", 8, "--effort", "fast",
                        "--policy", "lpa,again,again:ties=narrow,again:ties=judged")["results"]
        lpa, again, narrow, judged = (row["ratio"]["mean"] for row in found)
        ok(narrow == again, model + ": narrow ties are the usual ones")
        ok(judged <= 1.01 * lpa < again if wins else judged == again, f"{model}: {judged} with ties judged, {again} without, {lpa} of lpa")


def holds_consecutive_processors(folder):
    # In the order of the file e finds numbers 1 and 3 free at 1 s: not a block.
    bag = os.path.join(folder, "blocks.csv")
    write(folder, "blocks.csv", "app,procs,seconds\na,1,4\nb,1,1\nc,1,4\nd,1,1\ne,2,3\n")
    schedule, wrong, sweep = (os.path.join(folder, name) for name in ("blocks.json", "wrong.json", "sweep.json"))
    call = ["plan", "moldable", bag, "-p", 4, "--policy", "list:order=index", "-o", schedule]
    cosched(*call)
    plain = json.loads(read(schedule))
    told = cosched("simulate", "moldable", bag, "-p", 4, "--plan", schedule, "--contiguous", status=1)[1]
    ok('the plan has "e" on processors that are not consecutive: make it with --contiguous' in told, "a plan of any processors is not one of blocks")
    cosched(*call, "--contiguous")
    plan = json.loads(read(schedule))
    ok((plain["makespan"], plan["makespan"]) == (4, 7) and "contiguous" not in plain and plan["contiguous"], "4 s on any processors, 7 s in blocks")
    ok("valid" in cosched("check", schedule)[0], "the checker agrees")
    rows = results("simulate", "moldable", bag, "-p", 4, "--plan", schedule, "--contiguous", "--policy", "order,list,follow")["results"]
    ok([row["makespan"]["mean"] for row in rows] == [7, 7, 7], "and with exact times it is carried out so")
    next(bar for bar in plan["bars"] if bar["task"] == 4)["procs"] = "0 2"
    write(folder, "wrong.json", json.dumps(plan))
    ok("they must be consecutive" in cosched("check", wrong, status=1)[0], "a hole is found")
    write(folder, "sweep.json", json.dumps({"problem": "moldable", "set": {"input": bag, "procs": 4},
                             "vary": {"policy": ["list", "mintime"], "contiguous": [False, True]}}))
    told = cosched("campaign", "run", sweep, "--store", os.path.join(folder, "sweep.db"))[0]
    ok("contiguous" in told, "sweeps know it")
    for policy in ("exact", "mounie-rapine-trystram", "list:decoder=earliest"):
        refused(f"{policy} does not plan for consecutive processors: take another planner, such as search",
                "plan", "moldable", bag, "-p", 4, "--contiguous", "--policy", policy)
    out = cosched("plan", "moldable", bag, "-p", 4, "--contiguous", "--effort", "exact")[0]
    ok("no plan on these counts and times is shorter" in out, "what no plan on any processors beats is proven")


def finds_how_many_nodes(folder):
    # Nine applications of the ARCHER2 benchmarks (examples/archer2.csv names the source of each time).
    bag = [os.path.join(EXAMPLES, "archer2.csv"), "--unit", "node"]
    told = results("plan", "moldable", *bag, "--procs", "8..256", "--deadline", "33min")
    rows = {row["procs"]: row for row in told["rows"]}
    ok(told["format"] == "cosched-frontier-1" and len(rows) == 50, "50 of 249 sizes")
    ok((round(rows[46]["charged"] / 3600, 1), round(rows[256]["charged"] / 3600, 1)) == (22.8, 126.8), "22.8 instead of 126.8 node hours")
    ok(rows[46]["makespan"] == rows[256]["makespan"] == 1782.693 < rows[45]["makespan"], "46 nodes have the makespan of 256")
    ok((rows[46]["frontier"], rows[256]["frontier"], rows[46]["limit"]) == (True, False, "critical"), "and are on the frontier")
    ok(told["answers"] == {"within": {"share": 0.05, "procs": 44}, "same_makespan": {"procs": 46}, "deadline": {"seconds": 1980, "procs": 46}}, "answers")
    ok(rows[8]["makespan"] is None and rows[8]["limit"] is None, "on 8 nodes one of them cannot run")
    same = results("plan", "moldable", *bag, "--procs", "8..256", "--deadline", "33min", "--threads", 1)
    ok(same == told, "the same with one thread")
    out = cosched("plan", "moldable", *bag, "--procs", "40..48", "--within", 0, "-o", os.path.join(folder, "sizes.json"), "--plot", os.path.join(folder, "sizes.svg"))[0]
    ok("46 nodes: 29 min 43 s, 22.78 node hours; the least makespan, which 48 nodes do not shorten with 23.77" in out, "the table says so too")
    ok("makespan 29 min 43 s" in cosched("check", os.path.join(folder, "sizes.json"))[0], "its plan is that of 46 nodes")
    svg = read(os.path.join(folder, "sizes.svg"))
    ok(svg.startswith("<svg") and ">46</text>" in svg and "node hours" in svg, "the chart")
    rows = list(csv.DictReader(io.StringIO(cosched("plan", "moldable", *bag, "--procs", "24,46", "--format", "csv")[0])))
    ok([row["procs"] for row in rows] == ["24", "46"] and list(rows[0]) == "procs makespan bound gap charged efficiency frontier limit".split(), "a list of sizes")
    for words, line in (((256,), "46 nodes are enough for this makespan (22.78 node hours instead of 126.8); a shorter one needs a faster GROMACS-1400k-1ns: measure it on 16"),
                        ((46,), "a shorter one needs a faster GROMACS-1400k-1ns: measure it on 16"),
                        ((40,), "nodes limit: 97 % of them are in use"),
                        ((256, "--max-procs", 24), "a shorter one needs a faster VASP-CdTe"),
                        ((44, "--effort", "fast"), "between plan and bound 16 %: --effort high may find a shorter plan")):
        out = cosched("plan", "moldable", *bag, "--procs", *words)[0]
        ok(out.splitlines()[-1].startswith(line) or out.endswith(line + "\n"), "%s: %s" % (words, out.splitlines()[-1]))
    advice = results("plan", "moldable", *bag, "--procs", 256)["advice"]
    ok(advice == {"limit": "critical", "enough": 46, "task": "GROMACS-1400k-1ns", "mode": None, "measure": 16}, "and for programs")
    small = write(folder, "small.csv", "app,procs,seconds\na,1,8\nb,1,4\nb,2,3\n")
    ok("2 processors are enough" in cosched("plan", "moldable", small, "--procs", 4)[0], "two of four")
    ok(cosched("plan", "moldable", small, "--procs", "1..2")[0].count("\n") > 6, "a short range")
    for message, words in (("--procs is \"8..\"; it must be a whole number", ("8..",)), ("--procs is \"0\"", (0,)),
                           ("--within is \"5\"; it must be a share such as 5% or 0.05", ("1..2", "--within", 5)),
                           ("--deadline needs several sizes, such as --procs 8..256", (4, "--deadline", 5)),
                           ("--plot needs several sizes", (4, "--plot", os.path.join(folder, "x.svg")))):
        refused(message, "plan", "moldable", small, "--procs", *words, status=2)
    refused("--procs 1..2: found 2 policies, expected one for several sizes", "plan", "moldable", small, "--procs", "1..2", "--policy", "list,sweep")
    ok("1 processor: " in cosched("plan", "moldable", small, "--procs", "1..2", "--policy", "list", "--within", "60%")[0], "one policy is fine")


def generates(folder):
    for model in ("roofline", "linear", "amdahl", "mix"):
        bag = os.path.join(folder, model + ".json")
        cosched("generate", "moldable", "--model", model, "-n", 5, "-p", 16, "-o", bag)
        row = plan_rows(bag, "--effort", "fast")
        ok(len(row) == 5, model + " makes a bag")


with tempfile.TemporaryDirectory() as folder:
    plans(folder)
    sweeps_have_the_same_numbers(folder)
    never_contradicts_a_measurement(folder)
    keeps_limits(folder)
    proves_to_the_last_digit(folder)
    refuses(folder)
    simulates(folder)
    stops(folder)
    knows_what_was_proved(folder)
    packs_say_what_barriers_cost(folder)
    hours_are_of_what_the_machine_has()
    plans_for_uncertain_times(folder)
    widens_spare_processors(folder)
    judges_ties(folder)
    holds_consecutive_processors(folder)
    finds_how_many_nodes(folder)
    generates(folder)
finish()
