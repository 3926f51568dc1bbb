#!/usr/bin/env python3
"""Applications that save their state, resized while they run: a stencil (examples/stencil) that must
come to the same temperatures, to the last bit, whatever happened on the way.

usage: tests/run/resize.py COSCHED STENCIL
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cli"))
from kit import COSCHED, cosched, finish, ok, read, refused, results, write  # noqa: E402

STENCIL = os.path.abspath(sys.argv[2])
SIZE = 40
POLL = ("--poll", "0.05")


def checkpoint(**more):
    return dict({"stop": {"signal": "TERM"}, "save": {"signal": "USR1"}, "every": 0.2, "restart": [],
                 "saved": "{dir}/{name}.state", "progress": "{dir}/{name}.progress",
                 "done": {"file": "{dir}/{name}.heat"}, "grace": 20}, **more)


def run_file(folder, name, tasks, slots, more=None, **settings):
    """tasks: name -> (steps, seconds a step, further words)."""
    rows = "app,procs,seconds,checkpoint\n" + "".join(
        "%s,%d,%g,0.02\n" % (task, k, steps * pace / k) for task, (steps, pace, _) in tasks.items()
        for k in (1, 2, 4))
    write(folder, name + ".csv", rows)
    document = {
        "format": "cosched-run-1", "decide": "resize", "input": name + ".csv", "pairs": False,
        "mtbf": "1h", "slots": {"count": slots, "oversubscribe": True},
        "task": dict({"cwd": "{dir}", "checkpoint": checkpoint()}, **settings),
        "tasks": {task: {"command": [STENCIL, "{name}", str(SIZE), str(steps), "{procs}", "--pace",
                                     str(round(1000 * pace))] + words}
                  for task, (steps, pace, words) in tasks.items()}}
    document.update(more or {})
    return write(folder, name + ".json", json.dumps(document))


def rows(run, text):
    with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True) as db:
        return list(db.execute(text))


def begun(run):
    """Whether a journal knows the run: who is killed early leaves none, an empty file, or one that knows nothing."""
    try:
        return bool(rows(run, "SELECT value FROM run WHERE key = 'id'"))
    except sqlite3.OperationalError:
        return False


def attempts(run):
    """(task, slots, outcome) of every attempt, by number."""
    return rows(run, "SELECT t.name, a.slots, e.outcome FROM attempt a JOIN task t ON t.id = a.task "
                     "LEFT JOIN attempt_end e ON e.attempt = a.id ORDER BY a.id")


def heat(run, task):
    with open(os.path.join(run, "t", task, task + ".heat"), "rb") as file:
        return file.read()


def slow_at_first(folder, name, quick, steps):
    """Two stencils; south has far more to do when north ends, however late that is noticed, and is quick once it
    has been started again."""
    return run_file(folder, name, {"north": (quick, 0.02, []), "south": (steps, 0.4, ["{restart}"])}, 2,
                    checkpoint=checkpoint(restart=["--pace", "2"]))


def unbroken(folder, steps):
    name = "alone%d" % steps
    if not os.path.exists(os.path.join(folder, name + ".heat")):
        subprocess.run([STENCIL, name, str(SIZE), str(steps), "1"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, name + ".heat"), "rb") as file:
        return file.read()


def outputs(run):
    folder = os.path.join(run, "a", "000")
    return [read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))
            if name.endswith(".out")]


def valid(run, what):
    achieved = run + ".ran.json"
    cosched("run", "schedule", run, "--output", achieved)
    ok("valid" in cosched("check", achieved)[0], what)


def one_ends(folder):
    path = slow_at_first(folder, "ends", 30, 90)
    into = os.path.join(folder, "ends")
    plan = cosched("run", path, "--dry-run")[0]
    ok(plan.count("stencil south") == 2, "the virtual clock shows who is widened")
    told = into + ".dry.json"
    cosched("run", path, "--dry-run", "--output", told)
    ok("valid" in cosched("check", told)[0], "which makes a valid schedule")
    cosched("run", path, "--into", into, *POLL)
    ran = attempts(into)
    ok(ran[-1][2] == "ok" and ran[-1][1] == "0-1" and ("stopped" in {a[2] for a in ran}),
       "one ends, the other is asked to save and goes on wider")
    ok(heat(into, "north") == unbroken(folder, 30) and heat(into, "south") == unbroken(folder, 90),
       "the same temperatures as on one thread, unbroken")
    ok("from step 0 to 90" not in outputs(into)[-1], "it went on from what was saved")
    valid(into, "what ran is valid")
    for name in (told, into + ".ran.json"):
        ok(json.loads(read(name))["policy"] == "local, shortest-tasks-first", "%s says which policies resized" % name)
    status = results("run", "status", into)
    ok(status["tasks"][1]["state"] == "done", "status reads it")


def one_fails(folder):
    path = run_file(folder, "fails", {"north": (60, 0.02, ["--fail-at", "40"]),
                                      "south": (60, 0.02, [])}, 2)
    into = os.path.join(folder, "fails")
    cosched("run", path, "--into", into, *POLL)
    ran = [a for a in attempts(into) if a[0] == "north"]
    ok("failed" in {a[2] for a in ran} and ran[-1][2] == "ok", "one fails and is run again")
    again = [text for text in outputs(into) if text.startswith("from step") and
             not text.startswith("from step 0 ")]
    ok(again, "from what was saved, not from the beginning")
    ok(heat(into, "north") == unbroken(folder, 60) and heat(into, "south") == unbroken(folder, 60),
       "the same temperatures")
    valid(into, "a run with a failure is valid")


def killed(folder, seed):
    """kill -9 of the executor at random moments, also between a request to save and the restart."""
    draw = random.Random(seed)
    path = run_file(folder, "kill%d" % seed, {"north": (50, 0.02, []), "south": (70, 0.02, []),
                                              "west": (20, 0.02, ["--fail-at", "12"])}, 4)
    into = os.path.join(folder, "kill%d" % seed)
    line = [COSCHED, "run", path, "--into", into]
    for _ in range(4):
        executor = subprocess.Popen([*line, *POLL], stderr=subprocess.DEVNULL)
        try:
            ok(executor.wait(draw.uniform(0.05, 0.8)) == 0, "kill %d: it ends well" % seed)
            break
        except subprocess.TimeoutExpired:
            executor.send_signal(signal.SIGKILL)
            executor.wait()
        if begun(into):
            line = [COSCHED, "run", "--resume", into]
        else:
            subprocess.run(["rm", "-rf", into], check=True)
    else:
        cosched(*line[1:], *POLL)
    ran = attempts(into)
    ok(all(sum(a[0] == task and a[2] == "ok" for a in ran) == 1 for task in ("north", "south", "west")),
       "kill %d: each ends well exactly once" % seed)
    ok(heat(into, "north") == unbroken(folder, 50) and heat(into, "south") == unbroken(folder, 70) and
       heat(into, "west") == unbroken(folder, 20), "kill %d: the same temperatures" % seed)
    valid(into, "kill %d: what ran is valid" % seed)


def killed_in_transit(folder):
    """The executor is killed after it has journaled the request to save; the next one asks again."""
    path = slow_at_first(folder, "transit", 20, 80)
    into = os.path.join(folder, "transit")
    executor = subprocess.Popen([COSCHED, "run", path, "--into", into, *POLL],
                                stderr=subprocess.DEVNULL)
    for _ in range(4000):
        try:
            if rows(into, "SELECT 1 FROM action WHERE kind = 'stop'"):
                break
        except sqlite3.Error:
            pass
        time.sleep(0.002)
    executor.send_signal(signal.SIGKILL)
    executor.wait()
    cosched("run", "--resume", into, *POLL)
    ok(attempts(into)[-1][1] == "0-1" and heat(into, "south") == unbroken(folder, 80),
       "killed between the request and the restart: it goes on wider, with the same temperatures")


def deaf(folder):
    """One that does not save in time is killed and goes on from its last state, quickly then."""
    app = write(folder, "deaf.sh", "#!/bin/sh\nn=0 step=$3; [ -f $1.state ] && n=$(cat $1.state) step=0\n"
                "echo from $n\ntrap '' TERM\nwhile [ $n -lt $2 ]; do sleep $step; n=$((n+1)); "
                "echo $n > $1.new; mv $1.new $1.state; echo $n/$2 > $1.new; mv $1.new $1.progress; "
                "done\ntouch $1.done\n")
    os.chmod(app, 0o755)
    path = run_file(folder, "deaf", {"quick": (8, 0.05, []), "deaf": (40, 0.5, [])}, 2, checkpoint=
                    checkpoint(done={"file": "{dir}/{name}.done"}, grace=0.3, save={"signal": "TERM",
                               "to": "nobody"}))
    document = json.loads(read(path))
    document["tasks"] = {name: {"command": [app, name, steps, pace]} for name, steps, pace in
                         (("quick", "8", "0.05"), ("deaf", "40", "0.5"))}
    write(folder, "deaf.json", json.dumps(document))
    into = os.path.join(folder, "deaf")
    done = subprocess.run([COSCHED, "run", path, "--into", into, *POLL], capture_output=True, text=True)
    ok(done.returncode == 0 and "did not stop" in done.stderr, "a deaf one is killed, and said so")
    ran = [a for a in attempts(into) if a[0] == "deaf"]
    ok([a[2] for a in ran] == ["stopped", "ok"] and ran[1][1] == "0-1", "and goes on, wider")
    ok(any(text.startswith("from ") and text != "from 0\n" for text in outputs(into)),
       "from its last state")


def script(folder, name, text, more, tasks=1, slots=2, status=0, **settings):
    """Tasks of one shell script under the queue."""
    app = write(folder, name + ".sh", "#!/bin/sh\n" + text)
    os.chmod(app, 0o755)
    write(folder, name + ".csv", "name,procs,seconds\n" +
          "".join("t%d,1,1\n" % k for k in range(tasks)))
    path = write(folder, name + ".json", json.dumps({
        "format": "cosched-run-1", "input": name + ".csv",
        "slots": {"count": slots, "oversubscribe": True},
        "task": dict({"command": [app, "{name}", "{restart}"], "cwd": "{dir}", "checkpoint": more},
                     **settings)}))
    into = os.path.join(folder, name)
    cosched("run", path, "--into", into, *POLL, status=status)
    return into


def widths(run):
    """By executor: the most slots of an attempt, and the last of them."""
    most = {}
    for executor, text in rows(run, "SELECT r.executor, a.slots FROM attempt a JOIN round r ON r.id = a.round"):
        slots = [slot for part in text.split() for first, last in [(part.split("-") * 2)[:2]]
                 for slot in range(int(first), int(last) + 1)]
        most[executor] = max(most.get(executor, (0, 0)), (len(slots), slots[-1]))
    return most


def wide(into, executor, width):
    try:
        return widths(into).get(executor, (0,))[0] >= width
    except sqlite3.Error:
        return False


def other_slots(folder):
    """It goes on with more slots than it began with, then with fewer; in pairs where those are asked for."""
    go = os.path.join(folder, "go")
    app = write(folder, "waits", "#!/bin/sh\ntrap 'exit 0' TERM\necho 1/10 > progress\n"
                "while [ ! -e %s ]; do sleep 0.02; done\ntouch done\n" % go)
    os.chmod(app, 0o755)
    for pairs, begins, more, fewer in ((False, 2, 5, 3), (True, 5, 8, 4)):
        into = os.path.join(folder, "slots%d" % begins)
        path = run_file(folder, "slots%d" % begins, {"north": (400, 0.02, []), "south": (800, 0.02, [])}, begins,
                        more={"pairs": pairs, "tasks": {}}, command=[app], checkpoint={
                            "stop": {"signal": "TERM"}, "progress": "{dir}/progress", "done": {"file": "{dir}/done"}})
        for number, words in enumerate(((path, "--into", into), ("--resume", into, "--slots", str(more))), 1):
            executor = subprocess.Popen([COSCHED, "run", *words, *POLL], stderr=subprocess.DEVNULL)
            while not wide(into, number, number * (1 + pairs)):
                time.sleep(0.02)
            executor.send_signal(signal.SIGKILL if number == 1 else signal.SIGTERM)
            executor.wait()
        write(folder, "go", "")
        cosched("run", "--resume", into, "--slots", str(fewer), *POLL)
        os.remove(go)
        most = widths(into)
        ok(most[1][1] < begins and most[2][1] >= begins and most[3][1] < fewer,
           "%d slots, then %d and %d: those that there are are used: %s" % (begins, more, fewer, most))
        ok(not pairs or all(int(part.split("-")[0]) % 2 == 0 and int(part.split("-")[-1]) % 2
                            for a in attempts(into) for part in a[1].split()), "in pairs, if so: %s" % attempts(into))
        ok([a[2] for a in attempts(into) if a[2] not in ("stopped", "void")] == ["ok", "ok"],
           "each ends well once: %s" % attempts(into))
        valid(into, "what ran is valid")


def stops_by_itself(folder):
    """Status 0 without being done: it has only stopped, and goes on; not for ever."""
    into = script(folder, "itself", "n=$(cat n 2>/dev/null || echo 0); n=$((n+1)); echo $n > n\n"
                  "echo args $*\n[ $n -lt 3 ] || touch done\n",
                  {"stop": {"signal": "TERM"}, "done": {"file": "{dir}/done"}, "restart": ["-cpi", "x"]})
    ok([a[2] for a in attempts(into)] == ["stopped", "stopped", "ok"],
       "an attempt that stopped by itself goes on")
    ok(outputs(into) == ["args t0\n", "args t0 -cpi x\n", "args t0 -cpi x\n"],
       "{restart} is no argument at first, then as many as it has")
    into = script(folder, "idle", "exit 0\n", {"stop": {"signal": "TERM"},
                                               "done": {"file": "{dir}/never"}}, status=3)
    ok([a[2] for a in attempts(into)] == ["stopped"] * 5, "five times without any progress: failed")


def stalls(folder):
    into = script(folder, "stall", "if [ -f s ]; then [ -f s2 ] && { touch done; exit 0; }; touch s2; "
                  "sleep 60; fi\ntouch s\nexit 0\n",
                  {"stop": {"signal": "TERM"}, "done": {"file": "{dir}/done"}, "stall": 0.3})
    first, *stalled, last = [a[2] for a in attempts(into)]
    ok(first == "stopped" and set(stalled) == {"failed"} and last == "ok",
       "no progress after a restart: failed, and tried again (on a busy machine more than once)")


def times_out(folder):
    """At its timeout it is asked to save by its own way, and goes on from there."""
    into = script(folder, "timeout", "[ -f s ] && { echo on $2; touch done; exit 0; }\n"
                  "trap 'touch s; exit 0' TERM\nwhile :; do sleep 0.02; done\n",
                  {"stop": {"signal": "TERM"}, "done": {"file": "{dir}/done"}, "saved": "{dir}/s",
                   "restart": ["again"]}, timeout=1)
    *late, last = [a[2] for a in attempts(into)]
    ok(set(late) == {"timeout"} and last == "ok",
       "a timeout asks it to save (on a busy machine more than once)")
    ok("on again\n" in outputs(into), "and it goes on from there")


def dies_saving(folder):
    """One that dies while it saves has saved nothing: no words of restart."""
    into = script(folder, "dies", "[ -f once ] && { echo args $*; touch done; exit 0; }\n"
                  "touch once\ntrap 'kill -9 $$' TERM\nwhile :; do sleep 0.02; done\n",
                  {"stop": {"signal": "TERM"}, "done": {"file": "{dir}/done"}, "saved": "{dir}/s",
                   "restart": ["again"]}, timeout=1)
    *late, last = [a[2] for a in attempts(into)]
    ok(set(late) == {"timeout"} and last == "ok" and "args t0\n" in outputs(into),
       "who dies while it saves begins anew")


def wrong_result(folder):
    """What led to a wrong result is set aside: who looks for its state itself does not find it, and what said
    that it was done says so no more.  What was there before the run stays."""
    into, place = os.path.join(folder, "wrong"), os.path.join(folder, "place")
    os.mkdir(place)
    os.utime(write(place, "old", ""), (1e9, 1e9))
    write(folder, "wrong.csv", "name,procs,seconds\na,1,1\n")
    app = write(folder, "wrong.sh", "#!/bin/sh\n[ -f s ] && { echo on; exit 0; }\necho anew $*\ntouch s done\n")
    os.chmod(app, 0o755)
    path = write(folder, "wrong.json", json.dumps({
        "format": "cosched-run-1", "input": "wrong.csv", "slots": {"count": 1}, "task": {
            "command": [app, "{restart}"], "cwd": "place", "verify_shell": "test $COSCHED_TRY -gt 2", "checkpoint": {
                "stop": {"signal": "TERM"}, "saved": ["place/s", "place/old"], "restart": ["again"],
                "done": {"file": "place/done"}}}}))
    told = cosched("run", path, "--into", into, *POLL)[1]
    ok([a[2] for a in attempts(into)] == ["corrupt", "corrupt", "ok"], "wrong twice: %s" % attempts(into))
    ok(outputs(into) == ["anew\n"] * 3, "each begins anew: %s" % outputs(into))
    ok(sorted(os.listdir(place)) == ["done", "done.corrupt", "old", "s", "s.corrupt"] and
       told.count("/place/s is now ") == 2, "it says what it sets aside, what is older than the run stays: %s" % told)


def done_status(folder):
    into = script(folder, "status", "exit 7\n", {"stop": {"signal": "TERM"}, "done": {"status": 7}})
    ok([a[2] for a in attempts(into)] == ["ok"], "a status may say that it is done")


def drains(folder, name, stop, text):
    """Asked to stop: it saves; resumed: it goes on."""
    into = os.path.join(folder, name)
    app = write(folder, name + ".sh", "#!/bin/sh\n" + text)
    os.chmod(app, 0o755)
    write(folder, name + ".csv", "name,procs,seconds\na,1,1\n")
    path = write(folder, name + ".json", json.dumps({
        "format": "cosched-run-1", "input": name + ".csv", "slots": {"count": 1},
        "task": {"command": [app], "cwd": "{dir}",
                 "checkpoint": {"stop": stop, "done": {"file": "{dir}/done"}, "grace": 30}}}))
    executor = subprocess.Popen([COSCHED, "run", path, "--into", into, *POLL],
                                stderr=subprocess.DEVNULL)
    while not os.path.exists(os.path.join(into, "t", "a", "ready")):
        time.sleep(0.01)
    cosched("run", "stop", into)
    ok(executor.wait() == 4, "%s: stopped" % name)
    ok([a[2] for a in attempts(into)] == ["stopped"], "%s: asked, and it saved" % name)
    cosched("run", "--resume", into, *POLL)
    ok([a[2] for a in attempts(into)] == ["stopped", "ok"], "%s: goes on" % name)


def ways_to_stop(folder):
    wait = "[ -f state ] && { touch done; exit 0; }\n%s\ntouch ready\n" \
           "while [ ! -f %s ]; do sleep 0.02; done\ntouch state\nexit 2\n"
    drains(folder, "file", {"file": "{dir}/EXIT", "text": "now\n"}, wait % ("", "EXIT"))
    ok(not os.path.exists(os.path.join(folder, "file", "t", "a", "EXIT")),
       "the file is removed before the next start")
    drains(folder, "command", {"command": ["/bin/sh", "-c", "touch '{dir}/please'"]},
           wait % ("rm -f please", "please"))
    # The child has its own process group, as ranks of mpirun have; only it saves.
    child = write(folder, "rank", "#!/bin/sh\ntrap 'touch state; exit 0' TERM\ntouch ready\n"
                  "while :; do sleep 0.02; done\n")
    os.chmod(child, 0o755)
    drains(folder, "to", {"signal": "TERM", "to": "rank"},
           "[ -f state ] && { touch done; exit 0; }\nsetsid %s &\nwait\n[ -f state ] && exit 1\nexit 3\n"
           % child)


def mistakes(folder):
    csv = write(folder, "m.csv", "name,procs,seconds\na,1,1\n")
    for text, what in (
            ('{"done": {"status": 0}}', '"stop" is missing'),
            ('{"stop": {"signal": "TERM"}}', '"done" or "progress" is needed'),
            ('{"stop": {"signal": "KILLED"}, "done": {"status": 0}}', 'found "KILLED"'),
            ('{"stop": {"signal": "TERM", "file": "x"}, "done": {"status": 0}}', "one of"),
            ('{"stop": {"file": "x"}, "done": {"status": 0}, "every": 3}', '"every" needs "save"'),
            ('{"stop": {"file": "x"}, "progress": {"file": "p", "last": "(", "of": 3}}',
             "no regular expression"),
            ('{"stop": {"file": "x"}, "progress": {"file": "p", "last": "a", "of": 3}}', "no group"),
            ('{"stop": {"file": "{nobody}"}, "done": {"status": 0}}', "no word {nobody}"),
            ('{"stop": {"command": ["./nowhere"]}, "done": {"status": 0}}', "is not there"),
            ('{"stop": {"file": "x"}, "done": {"status": 0}, "sync": 1}', "sync")):
        refused(what, "run", csv, "--slots", 1, "--into", os.path.join(folder, "no"), "--set",
                "checkpoint=" + text, "--", "true")
    refused("{restart} needs", "run", csv, "--slots", 1, "--into", os.path.join(folder, "no"), "--",
            "true", "{restart}")
    path = run_file(folder, "three", {"a": (1, 1, []), "b": (1, 1, []), "c": (1, 1, [])}, 2)
    refused("at least 3 slots", "run", path, "--dry-run")
    path = run_file(folder, "pairs", {"a": (1, 1, []), "b": (1, 1, [])}, 2, more={"pairs": True})
    refused("a pair each", "run", path, "--dry-run")


def same_as_simulated(folder):
    """Where moves cost nothing and nothing is observed: the ends of the simulator, to the last bit."""
    for seed in range(8):
        draw = random.Random(seed)
        count = draw.randint(2, 12)
        procs = 2 * count + draw.randint(0, 40)
        ends = draw.choice(["local", "greedy"])
        write(folder, "x.csv", "app,seconds,seq_fraction,overhead\n" + "".join(
            "t%d,%r,%r,0\n" % (k, draw.uniform(100, 1000), draw.uniform(0, 0.2)) for k in range(count)))
        path = write(folder, "x.json", json.dumps({
            "format": "cosched-run-1", "decide": "resize", "input": "x.csv", "mtbf": "inf",
            "on_end": ends, "slots": {"count": procs, "oversubscribe": True},
            "task": {"command": ["true"], "checkpoint": dict(
                {"stop": {"signal": "TERM"}, "done": {"status": 0}},
                **({"saved": "s", "progress": "p"} if seed % 2 else {}))}}))
        cosched("run", path, "--dry-run", "--output", os.path.join(folder, "dry.json"))
        cosched("simulate", "malleable", os.path.join(folder, "x.csv"), "--procs", procs, "--fault-free",
                "--data", 0, "--on-end", ends, "--schedule", os.path.join(folder, "sim.json"))
        last = [{}, {}]
        for k, name in enumerate(("dry.json", "sim.json")):
            for bar in json.loads(read(os.path.join(folder, name)))["bars"]:
                last[k][bar["task"]] = max(last[k].get(bar["task"], 0), bar["end"])
        ok(last[0] == last[1], "set %d: %d applications on %d slots end as simulated" %
           (seed, count, procs))


def main():
    with tempfile.TemporaryDirectory() as folder:
        for case in (other_slots, one_ends, one_fails, killed_in_transit, deaf, stops_by_itself, stalls, times_out,
                     dies_saving, wrong_result, done_status,
                     ways_to_stop, mistakes, same_as_simulated):
            case(folder)
        for seed in range(3):
            killed(folder, seed)
    finish()


main()
