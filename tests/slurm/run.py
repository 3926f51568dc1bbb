#!/usr/bin/env python3
"""`cosched run --engine slurm` on a real Slurm, which tests/slurm/up.sh starts on this machine.

usage: tests/slurm/run.py COSCHED [ranks]

With `ranks` those parts that start programs of MPI, whose ranks need processors while they wait; else all others.
Skips, with a line that says why, where Slurm is not installed or this is not root.
"""

import glob
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "cli"))

from kit import COSCHED, cosched, finish, ok, read, refused, write  # noqa: E402

PATIENCE = 1200
NODES = ("n1", "n2", "n3")
MANY = 8  # nodes of the second Slurm
HANGS = 60  # seconds, beside one a step: Open MPI may wait in PMIx_Get for ever when its ranks connect early


def rows(run, sql):
    try:
        with sqlite3.connect("file:%s/journal.db?mode=ro" % run, uri=True, timeout=20) as db:
            return db.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []


def outcomes(run):
    return rows(run, "SELECT t.name, a.try, e.outcome, a.slots FROM attempt a JOIN task t ON t.id = a.task "
                     "LEFT JOIN attempt_end e ON e.attempt = a.id ORDER BY a.id")


def running(run):
    return [row for row in outcomes(run) if row[2] is None]


def wait_for(condition, what, seconds=PATIENCE):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return True
        time.sleep(0.1)
    ok(False, "%s within %d s" % (what, seconds))
    return False


def jobs(folder, lines, name="jobs.csv"):
    return write(folder, name, "name,procs,seconds\n" + "".join("%s\n" % line for line in lines))


def script(folder, name, text):
    path = write(folder, name, "#!/bin/bash\n" + text)
    os.chmod(path, 0o755)
    return path


def allocate(options, *words):
    """A cosched inside an allocation of its own, as a child."""
    return subprocess.Popen(["salloc", "-Q", "--exclusive", "--no-kill", *options, "--", COSCHED,
                             *map(str, words)], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE)


def end(child, status, what):
    out, told = child.communicate(timeout=PATIENCE)
    ok(child.returncode == status, "%s: status %d %s" % (what, child.returncode, " ".join(told.split())[:300]))
    return told


def within(options, *words, status=0):
    return end(allocate(options, *words), status, " ".join(map(str, words))[:60])


def output(run, ending="out"):
    return {int(os.path.basename(path)[:6]): read(path)
            for path in glob.glob("%s/a/*/*.%s" % (run, ending))}


def executor_of(run):
    """The process that works on the run."""
    found = re.search(r"process (\d+)", read(run + "/lock"))
    return int(found[1])


def outside(folder):
    refused("engine slurm works inside an allocation only", "run", jobs(folder, ["a,1,20"]),
            "--engine", "slurm", "--into", folder + "/outside", "--", "true")


def placement(folder):
    """Steps run on the nodes that the plan names, side by side although memory was asked for."""
    into = folder + "/placement"
    within(["-N3", "--mem=500"], "run", jobs(folder, ["a,1,20", "b,2,20", "c,3,20", "d,1,20"]), "--engine",
           "slurm", "--into", into, "--", "sh", "-c", "echo $SLURMD_NODENAME")
    said = output(into)
    for number, (name, _, outcome, slots) in enumerate(outcomes(into), 1):
        first, last = (slots.split("-") * 2)[:2]
        wanted = sorted(NODES[k] for k in range(int(first), int(last) + 1))
        ok(outcome == "ok" and sorted(said[number].split()) == wanted,
           "%s ran on its slots %s: %s" % (name, slots, said[number].split()))
    text = write(folder, "cpu.json", """{"format": "cosched-run-1", "input": "cpu.csv", "engine": "slurm",
      "slots": {"unit": "cpu"}, "task": {"command": ["sh", "-c", "sleep 1; echo $SLURMD_NODENAME"],
      "retries": 0}}""")
    jobs(folder, ["u,6,20"] + ["j%d,1,20" % k for k in range(6)], "cpu.csv")
    into = folder + "/cpu"
    within(["-N3", "--mem=500"], "run", text, "--into", into)
    said = output(into)
    ok(sorted(said[1].split()) == ["n1"] * 4 + ["n2"] * 2, "uneven on two nodes: %s" % said[1].split())
    times = rows(into, "SELECT max(began), min(ended) FROM attempt_end WHERE attempt > 1")[0]
    ok(times[0] < times[1], "six steps of two nodes ran side by side")
    ok(sorted(said[k].strip() for k in range(2, 8)) == ["n2"] * 2 + ["n3"] * 4, "on the other cores")


def kept(folder):
    """That a dead node may end everything is said where nothing shows that it will not."""
    warning, listed = "nothing shows that this allocation was made with --no-kill", jobs(folder, ["a,1,20"], "kept.csv")
    words = ["run", listed, "--engine", "slurm", "--progress", "none", "--into"]
    ok(warning not in within(["-N2"], *words, folder + "/kept1", "--", "true"), "salloc --no-kill: no warning")
    for options, expected in ((["-k"], False), ([], True)):
        done = subprocess.run(["salloc", "-Q", "-N2", *options, "sh", "-c", 'exec "$@"', "sh", COSCHED, *words, folder + "/kept" + str(options),
                               "--", "true"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        ok(done.returncode == 0 and (warning in done.stderr) == expected, f"salloc {options}: {done.stderr[:300]}")
    for options, expected in (("--no-kill", False), ("--exclusive", True)):
        batch = script(folder, "kept.sh", f"#SBATCH -N2 {options}\nexec {COSCHED} {' '.join(words)} {folder}/batch{options} -- true\n")
        done = subprocess.run(["sbatch", "-Q", "-W", "-o", folder + "/kept.out", batch], text=True)
        said = read(folder + "/kept.out")
        ok(done.returncode == 0 and (warning in said) == expected, f"sbatch with {options} in the script: {said[:300]}")


def endings(folder):
    """What programs say is what the run knows; the status is that of the first to fail."""
    text = script(folder, "ending", """case $1 in
fails) [ "$SLURM_PROCID" = 0 ] && exit 7; sleep 60 ;;
killed) kill -9 $$ ;;
slow) trap 'echo caught; exit 0' TERM; while :; do sleep 0.1; done ;;
wrong) exit 0 ;;
esac
""")
    run = write(folder, "endings.json", """{"format": "cosched-run-1", "input": "endings.csv",
      "engine": "slurm", "task": {"command": ["%s", "{name}"], "retries": 0, "grace": 5},
      "tasks": {"slow": {"timeout": 2}, "wrong": {"verify": ["/bin/false"], "max_corrupt": 1},
                "gone": {"produces": ["nothing"]}}}""" % text)
    jobs(folder, ["well,1,20", "fails,2,20", "killed,1,20", "slow,1,20", "wrong,1,20", "gone,1,20"],
         "endings.csv")
    into = folder + "/endings"
    within(["-N3", "--mem=500"], "run", run, "--into", into, status=3)
    got = {name: outcome for name, _, outcome, _ in outcomes(into)}
    ok(got == {"well": "ok", "fails": "failed", "killed": "failed", "slow": "timeout", "wrong": "corrupt",
               "gone": "failed"}, "outcomes: %s" % got)
    status = dict(rows(into, "SELECT t.name, v.status FROM event v JOIN task t ON t.id = v.task "
                             "WHERE v.kind = 'ended'"))
    ok(status["fails"] == 7 << 8, "the status of the first that failed, not of those ended with it")
    ok("caught" in "".join(output(into).values()), "a timeout asks the program itself")


def elsewhere(folder):
    """A program that is not on this host may be on the node: it is said, and tried."""
    into, absent = folder + "/elsewhere", folder + "/only-there"
    told = within(["-N1"], "run", jobs(folder, ["a,1,20", "b,1,20"]), "--engine", "slurm", "--into", into, "--",
                  absent, status=3)
    ok("task a (and 1 other): the program %s is not on this host" % absent in told, "it says so: %s" % told)
    ok([row[2] for row in outcomes(into)] == ["cannot-start"] * 2, "nor on the node: %s" % outcomes(into))
    ok("execve" in told, "in the words of the node: %s" % told)
    os.mkdir(folder + "/bin")
    script(folder + "/bin", "there", "echo there")
    run = write(folder, "path.json", """{"format": "cosched-run-1", "input": "jobs.csv", "engine": "slurm",
      "task": {"command": ["there"], "env": {"PATH": "%s"}}}""" % (folder + "/bin:" + os.environ["PATH"]))
    told = within(["-N1"], "run", run, "--into", folder + "/path")
    ok("the program there is not on this host" in told, "what is not in this PATH: %s" % told)
    ok([row[2] for row in outcomes(folder + "/path")] == ["ok"] * 2, "may be in that of the steps")


def processor_seconds(pid):
    """What a process has used so far."""
    return int(read("/proc/%d/schedstat" % pid).split()[0]) / 1e9


def stopping(folder):
    """Nothing is done while programs run; a stop reaches them, and a resume goes on."""
    into, go = folder + "/stopping", folder + "/go"
    text = script(folder, "stoppable", """trap 'echo asked; exit 0' TERM
until [ -e %s ]; do sleep 0.1; done\n""" % go)
    jobs(folder, ["a,1,20", "b,2,20"])
    paced = write(folder, "paced.json", json.dumps({"format": "cosched-run-1", "input": "jobs.csv", "engine": "slurm",
                                                    "slots": {"rate": 1}, "task": {"command": [text]}}))
    child = allocate(["-N3", "--mem=500"], "run", paced, "--into", into)
    wait_for(lambda: len(output(into)) == 2, "both run")
    before = processor_seconds(executor_of(into))
    time.sleep(3)
    used = processor_seconds(executor_of(into)) - before
    ok(used < 0.3, "whoever waits uses no processor: %g s in 3" % used)
    cosched("run", "stop", into, "--now")
    end(child, 4, "stopped")
    ok([row[2] for row in outcomes(into)] == ["stopped"] * 2, "both were stopped: %s" % outcomes(into))
    ok(sorted(output(into).values()) == ["asked\n", "asked\nasked\n"], "all processes of both were asked")
    write(folder, "go", "")
    within(["-N3"], "run", "--resume", into)
    ok([row[2] for row in outcomes(into)][2:] == ["ok"] * 2, "both went on, in another allocation")


def adoption(folder):
    """The executor is killed, its steps run on; whoever resumes in the same allocation adopts them."""
    into, log = folder + "/adoption", folder + "/log"
    text = script(folder, "logged", "echo $COSCHED_ATTEMPT >>%s; sleep 4\n" % log)
    table = jobs(folder, ["j%d,1,20" % k for k in range(6)])
    shell = script(folder, "twice", """%s run %s --engine slurm --into %s -- %s
echo killed; sleep 0.5; %s run --resume %s\n""" % (COSCHED, table, into, text, COSCHED, into))
    child = subprocess.Popen(["salloc", "-Q", "-N3", "--exclusive", "--mem=500", "--", shell], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists(log) and len(read(log).split()) == 3, "three run")
    os.kill(executor_of(into), signal.SIGKILL)
    end(child, 0, "killed and resumed")
    ok([row[2] for row in outcomes(into)] == ["ok"] * 6, "each ended well, none was lost: %s" % outcomes(into))
    ok(sorted(read(log).split()) == list("123456"), "none ran twice")
    ok(rows(into, "SELECT count(DISTINCT job), count(*) FROM executor") == [(1, 2)], "two executors, one job")


def copies(folder):
    """A copy of a run is another run, also in one allocation: the steps of either are left alone by the other."""
    into, log = folder + "/run", folder + "/log"
    text = script(folder, "logged", "echo $COSCHED_RUN >>%s; sleep 4\n" % log)
    shell = script(folder, "twice", """%s run %s --engine slurm --into %s -- %s
cp -a %s %s.copy; %s run --resume %s.copy\n%s run --resume %s\n""" %
                   (COSCHED, jobs(folder, ["a,1,20", "b,2,20"]), into, text, into, into, COSCHED, into, COSCHED, into))
    child = subprocess.Popen(["salloc", "-Q", "-N3", "--exclusive", "--mem=500", "--", shell], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: os.path.exists(log) and len(read(log).split()) == 3, "both run")
    os.kill(executor_of(into), signal.SIGKILL)
    end(child, 0, "killed, copied, and both resumed")
    ok([row[:3] for row in outcomes(into)] == [("a", 1, "ok"), ("b", 1, "ok")],
       "the copy has ended nothing of the other: %s" % outcomes(into))
    ok(sorted(row[2] for row in outcomes(into + ".copy")) == ["lost", "lost", "ok", "ok"],
       "and has done it all itself: %s" % outcomes(into + ".copy"))
    ok(read(log).split().count(into) == 3, "none of the other ran twice")


def meanwhile(folder):
    """What has ended while nobody watched, before its allocation did, has ended well; what that ended has not, although
    its status is 0.  The next allocation is smaller."""
    into, log, go = folder + "/run", folder + "/log", folder + "/go"
    text = script(folder, "meanwhile", """trap 'exit 0' TERM
echo $COSCHED_NAME >>%s
until [ -e %s ]; do sleep 0.1; done
until [ $COSCHED_NAME != slow ] || [ $COSCHED_TRY = 2 ]; do sleep 0.1; done\n""" % (log, go))
    table = jobs(folder, ["a,1,20", "b,1,20", "slow,1,20"])
    shell = script(folder, "hold", "%s run %s --engine slurm --into %s -- %s\nuntil [ -e %s/over ]; do sleep 0.1; done\n" %
                   (COSCHED, table, into, text, folder))
    child = subprocess.Popen(["salloc", "-Q", "-N3", "--exclusive", "--mem=500", "--", shell],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(log) and len(read(log).split()) == 3, "three run")
    os.kill(executor_of(into), signal.SIGKILL)
    write(folder, "go", "")
    ended = lambda: [read(path).endswith("closed\n") for path in glob.glob(into + "/a/*/*.rec")].count(True)
    wait_for(lambda: ended() == 2, "two have ended")
    subprocess.run(["scancel", rows(into, "SELECT job FROM executor")[0][0]], check=True)
    wait_for(lambda: ended() == 3, "the third was ended")
    write(folder, "over", "")
    child.wait(PATIENCE)
    within(["-N1"], "run", "--resume", into)
    got = sorted(row[:3] for row in outcomes(into))
    ok(got == [("a", 1, "ok"), ("b", 1, "ok"), ("slow", 1, "lost"), ("slow", 2, "ok")], "outcomes: %s" % got)


def kill(pids, *names):
    """Those of the processes that have such a name."""
    for pid in set(pids):
        try:
            with open("/proc/%d/comm" % pid, encoding="utf-8") as file:
                if file.read().strip() in names:
                    os.kill(pid, signal.SIGKILL)
        except OSError:
            continue


def kill_node(slurm, node, job):
    """A node dies: its daemon, the daemons of its steps, who would tell how programs ended, and these."""
    os.kill(int(read("%s/run/slurmd-%s.pid" % (slurm, node))), signal.SIGKILL)
    wanted = {word.encode() for word in ("SLURMD_NODENAME=" + node, "SLURM_JOB_ID=" + job,
                                         "SLURM_CONF=" + os.environ["SLURM_CONF"])}
    dead = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                words = file.read().split(b"\0")
            if wanted <= set(words):
                dead.append(int(pid))
                with open("/proc/%s/stat" % pid, encoding="utf-8") as file:
                    dead.append(int(file.read().rsplit(")", 1)[1].split()[1]))
        except OSError:
            continue
    kill(dead, "slurmstepd")
    kill(dead, "sleep", "bash", "sh")
    return dead


def revive(slurm, node):
    subprocess.run([os.path.join(HERE, "node.sh"), "-f", slurm + "/slurm.conf", "-N", node], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wait_for(lambda: subprocess.run(["sinfo", "-h", "-N", "-n", node, "-o", "%T"], text=True,
                                    stdout=subprocess.PIPE).stdout.split()[:1] == ["idle"], node + " is back")


def death(folder):
    """A node dies: srun says 0, the run knows better; the rest goes on."""
    slurm, into = folder + "/slurm", folder + "/death"
    text = script(folder, "mortal", "echo $SLURMD_NODENAME; sleep 3\n")
    child = allocate(["-N3", "--mem=500"], "run", jobs(folder, ["a,1,20", "b,1,20", "c,1,20", "d,2,20"]),
                     "--engine", "slurm", "--into", into, "--set", "retries=0", "--", text)
    wait_for(lambda: len(running(into)) == 3 and len(output(into)) == 3, "three run")
    time.sleep(0.5)
    job = rows(into, "SELECT job FROM executor")[0][0]
    ok(kill_node(slurm, "n2", job), "n2 is dead")
    told = end(child, 0, "the run went on")
    got = outcomes(into)
    ok([row[2] for row in got].count("lost") == 1 and got[1][2] == "lost", "one attempt is lost: %s" % got)
    ok([row[2] for row in got].count("ok") == 4, "all ended well in the end, without a retry")
    ok("slot 1 is lost: node n2 is down" in told, "it says which slot is gone")
    ok(all("n2" not in text for number, text in output(into).items() if number > 3), "nothing more ran there")
    ok(rows(into, "SELECT slot FROM event WHERE kind = 'slot-down'") == [(1,)], "the slot is out")
    ok("Node failure on n2" in read(into + "/a/000/000002.srun") or
       rows(into, "SELECT status FROM attempt_end WHERE attempt = 2") != [(0,)], "srun said so")
    cosched("run", "schedule", into, "--output", into + ".json")
    cosched("check", into + ".json")
    revive(slurm, "n2")


def death_of_a_plan(folder):
    """A node dies under a plan: what is left is planned again, narrower, and that is followed."""
    slurm, into = folder + "/slurm", folder + "/run"
    apps = write(folder, "apps.csv", "app,procs,seconds\n" + "".join(
        "%s,%d,%g\n" % (name, procs, 60 / procs) for name in "abcd" for procs in (1, 2, 3)))
    cosched("plan", "moldable", apps, "--procs", 3, "--schedule", folder + "/plan.json")
    text = script(folder, "mortal", "sleep 3\n")
    child = allocate(["-N3", "--mem=500"], "run", folder + "/plan.json", "--engine", "slurm", "--into", into,
                     "--set", "retries=0", "--", text)
    wait_for(lambda: running(into) and output(into), "some run")
    time.sleep(0.5)
    kill_node(slurm, "n2", rows(into, "SELECT job FROM executor")[0][0])
    end(child, 0, "the plan went on")
    got = outcomes(into)
    down = rows(into, "SELECT min(round) FROM event WHERE kind = 'slot-down'")[0][0]
    later = rows(into, "SELECT slots FROM attempt WHERE round >= %d" % down)
    ok("lost" in [row[2] for row in got] and len([row for row in got if row[2] == "ok"]) == 4,
       "an attempt was lost, and all ended well: %s" % got)
    ok(later and all(1 not in processors(slots) for slots, in later), "nothing more was planned there")
    cosched("run", "schedule", into, "--output", into + ".json")
    cosched("check", into + ".json")
    revive(slurm, "n2")


def last_minute(folder):
    """Before the end nothing starts, what does not end is ended, and a smaller allocation goes on."""
    into, log = folder + "/minute", folder + "/minute.log"
    text = script(folder, "task", """echo $COSCHED_NAME $SLURMD_NODENAME >>%s
[ $COSCHED_NAME = late ] && [ $COSCHED_TRY = 1 ] && sleep 1000
sleep 2\n""" % log)
    lines = ["late,1,7"] + ["j%d,1,6" % k for k in range(8)] + ["long,1,100"]
    child = allocate(["-N3", "-t1"], "run", jobs(folder, lines), "--engine", "slurm", "--into", into,
                     "--margin", "54", "--set", "grace=1", "--", text)
    told = end(child, 4, "the end of the allocation")
    ok("the allocation ends soon: nothing more starts" in told and "cosched run --resume" in told,
       "it says so, and how to go on")
    got = outcomes(into)
    ok(got[0][0] == "late" and got[0][2] == "stopped", "what did not end in time was stopped: %s" % got[:1])
    ok(not any(row[0] == "long" for row in got), "what would not end in time was not started")
    done = {row[0] for row in got if row[2] == "ok"}
    ok(0 < len(done) < 9 and all(row[2] in ("ok", "stopped") for row in got), "some were done: %s" % done)
    within(["-N2"], "run", "--resume", into)
    ok({row[0] for row in outcomes(into) if row[2] == "ok"} == {line.split(",")[0] for line in lines},
       "the others ended well on two nodes")
    counts = [line.split()[0] for line in read(log).splitlines()]
    ok(sorted(counts) == sorted([line.split(",")[0] for line in lines] + ["late"]), "none ran twice")


def scripts(folder):
    """Plans as batch scripts: steps and waits, on the nodes of the plan."""
    apps = write(folder, "apps.csv", "app,procs,seconds\n" + "".join(
        "%s,%d,%g\n" % (name, procs, work / procs) for name, work in
        (("a", 12), ("b", 8), ("c", 10), ("d e", 6), ("$(id)", 4), ("f", 9)) for procs in (1, 2, 3)))
    task = script(folder, "task", """echo "$(date +%%s.%%N) $1 $SLURMD_NODENAME" >>%s/log
sleep 0.3
echo "$(date +%%s.%%N) $1 end" >>%s/log
[ "$1" != b ] || [ ! -e %s/fail ]
""" % (folder, folder, folder))
    for number, words in enumerate((("pack", apps, "--unit", "node"), ("moldable", apps, "--unit", "node"),
                                    ("moldable", apps))):
        place = os.path.join(folder, str(number))
        os.mkdir(place)
        cosched("plan", *words, "--procs", 3, "--sbatch", place + "/batch.sh", "-o" if number == 0 else
                "--schedule", place + "/plan.json")
        if number == 2:
            write(folder, "fail", "")
        done = subprocess.run(["sbatch", "--wait", "-N3", "-o", "batch.log", "batch.sh", task], cwd=place,
                              stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        ok(done.returncode == (number == 2), "%s: status %d %s" % (words[0], done.returncode,
                                                                 read(place + "/batch.log")))
        log = [line.split(" ", 1) for line in read(folder + "/log").splitlines()]
        os.remove(folder + "/log")
        plan = json.loads(read(place + "/plan.json"))
        began, over, where = {}, {}, {}
        for at, rest in sorted(log):
            name, what = rest.rsplit(" ", 1)
            if what == "end":
                over[name] = float(at)
            else:
                began.setdefault(name, float(at))
                where.setdefault(name, set()).add(what)
        names = plan["tasks"]
        ok(sorted(began) == sorted(names) == sorted(over), "each ran: %s" % sorted(began))
        if number == 2:
            ok("these have failed: b" in read(place + "/batch.log"), "and says which have failed")
            continue
        bars = [bar for bar in plan["bars"] if bar["kind"] == "work"]
        held = {names[bar["task"]]: processors(bar["procs"]) for bar in bars}
        ok(all(where[name] == {NODES[p] for p in held[name]} for name in names), "on its nodes: %s" % where)
        ok(all(over[names[x["task"]]] < began[names[y["task"]]] for x in bars for y in bars
               if x["end"] <= y["start"] and held[names[x["task"]]] & held[names[y["task"]]]),
           "nobody before those that have its nodes first")


def two_that_save(folder, name, steps, nodes, command, saved, **more):
    """A run file: the second application has four times the steps of the first."""
    tasks = {"north": steps, "south": 4 * steps}
    write(folder, name + ".csv", "app,procs,seconds,checkpoint\n" + "".join(
        "%s,%d,%g,0.3\n" % (task, k, tasks[task] * 0.2 / k) for task in tasks for k in range(1, nodes + 1)))
    return write(folder, name + ".json", json.dumps({
        "format": "cosched-run-1", "decide": "resize", "input": name + ".csv", "pairs": False, "engine": "slurm",
        "task": {"cwd": "{dir}", "timeout": HANGS + tasks["south"], "retries": 5, "checkpoint": {
            "stop": {"signal": "TERM"}, "saved": "{dir}/" + saved, "restart": [], "progress": "{dir}/{name}.progress",
            "done": {"file": "{dir}/{name}.heat"}, "grace": 60}},
        "tasks": {task: {"command": [word.replace("STEPS", str(tasks[task])) for word in command]} for task in tasks},
        **more}))


def moved(folder, name, nodes, *rest, **more):
    """The long one is asked to save when the short one is done, and goes on on all slots.  On a busy machine, where
    a move may not pay, it gets more steps, and again where it hung.  Its outputs, by number."""
    for steps in (20, 80, 320):
        into = "%s/%s%d" % (folder, name, steps)
        within(["-N%d" % nodes], "run", two_that_save(folder, "%s%d" % (name, steps), steps, nodes, *rest, **more),
               "--into", into, "--poll", "0.2")
        ran = [row for row in outcomes(into) if row[0] == "south"]
        if "stopped" in [row[2] for row in ran]:
            break
    ok("stopped" in [row[2] for row in ran] and ran[-1][2:] == ("ok", "0-%d" % (nodes - 1)),
       "asked to save, and on wider: %s" % ran)
    ok(rows(into, "SELECT restart > 0 FROM attempt a JOIN task t ON t.id = a.task WHERE name = 'south' ORDER BY a.id "
                  "DESC LIMIT 1") == [(1,)], "from what it had saved")
    cosched("run", "schedule", into, "--output", into + ".ran.json")
    cosched("check", into + ".ran.json")
    return output(into)


def resize(folder):
    """Steps are asked to save, and started again on more nodes."""
    text = script(folder, "app", """n=$(cat state 2>/dev/null || echo 0)
trap 'stop=1' TERM
echo "$SLURM_PROCID of $SLURM_NTASKS from $n on $SLURMD_NODENAME"
while [ "$SLURM_PROCID" != 0 ] && [ ! -e end$COSCHED_ATTEMPT ]; do sleep 0.05; done
[ "$SLURM_PROCID" = 0 ] || exit 0
while [ $n -lt $2 ]; do
    sleep $(printf '%d.%03d' 0 $((200 / SLURM_NTASKS)))
    n=$((n + 1))
    echo $n/$2 >new && mv new $1.progress
    [ -z "$stop" ] || { echo $n >new; mv new state; touch end$COSCHED_ATTEMPT; exit 0; }
done
touch $1.heat end$COSCHED_ATTEMPT
""")
    said = moved(folder, "nodes", 3, [text, "{name}", "STEPS"], "state")
    last = said[max(said)].splitlines()
    ok(sorted(line.split()[-1] for line in last) == list(NODES) and " of 3 from 0" not in said[max(said)],
       "a process on each of three nodes: %s" % last)


def build_mpi(folder):
    """A program whose ranks srun starts on several nodes by PMIx; None where that cannot be had."""
    program, source = folder + "/stencil_mpi", HERE + "/../../examples/stencil/stencil_mpi.c"
    kinds = subprocess.run(["srun", "--mpi=list"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           check=False).stdout
    if not shutil.which("mpicc") or "pmix" not in kinds or subprocess.run(
            ["mpicc", "-O2", "-o", program, source], stderr=subprocess.DEVNULL, check=False).returncode:
        ok(True, "# SKIP there is no mpicc that works (libopenmpi-dev), or no PMIx")
        return None
    os.environ["OMPI_MCA_mpi_yield_when_idle"] = "1"
    return program


def resize_mpi(folder, nodes=3):
    """The same with an application of MPI."""
    program = build_mpi(folder)
    if not program:
        return
    os.environ["SLURM_MPI_TYPE"] = "pmix"
    said = moved(folder, "ranks", nodes, [program, "{name}", "40", "STEPS", "--pace", "200"], "{name}.state")
    del os.environ["SLURM_MPI_TYPE"]
    ok("on %d processes" % nodes in said[max(said)] and "from step 0" not in said[max(said)],
       "a rank on each of %d nodes: %s" % (nodes, said[max(said)]))


def many_ranks(folder):
    """The same on more nodes."""
    resize_mpi(folder, MANY)


def many_by_mpirun(folder):
    """Ranks on each of many nodes that mpirun starts there, by a step of its own."""
    program = build_mpi(folder)
    if not program:
        return
    text = write(folder, "mpirun.json", json.dumps({
        "format": "cosched-run-1", "input": "jobs.csv", "engine": "slurm",
        "task": {"command": [program, "{name}", "40", "20"], "cwd": "{dir}", "retries": 0, "launcher": [
            "mpirun", "--allow-run-as-root", "-np", "{processes}", "--host", "{hosts}", "--mca", "plm_slurm_args",
            "--exact --mem=0"]}}))
    jobs(folder, ["all,%d,20" % MANY, "some,5,20", "few,3,20"])
    into = folder + "/mpirun"
    within(["-N%d" % MANY], "run", text, "--into", into)
    said = output(into)
    ok(sorted(row[2] for row in outcomes(into)) == ["ok"] * 3 and all(
        "on %d processes" % width in said[number] for number, width in
        rows(into, "SELECT a.id, t.procs FROM attempt a JOIN task t ON t.id = a.task")), "ranks: %s" % said)


def many_deaths(folder):
    """Two of many nodes die under a plan in blocks of neighbours: the rest is planned again, in blocks."""
    slurm, into = folder + "/slurm", folder + "/run"
    apps = write(folder, "apps.csv", "app,procs,seconds\n" + "".join(
        "%s,%d,%g\n" % (name, procs, 40 / procs) for name in "abcdefgh" for procs in (1, 2, 3, 4, MANY)))
    cosched("plan", "moldable", apps, "--procs", MANY, "--contiguous", "--schedule", folder + "/plan.json")
    text = script(folder, "mortal", "echo $SLURMD_NODENAME; sleep 4\n")
    child = allocate(["-N%d" % MANY, "--mem=500"], "run", folder + "/plan.json", "--engine", "slurm", "--into", into,
                     "--set", "retries=0", "--", text)
    wait_for(lambda: running(into) and output(into), "some run")
    time.sleep(0.5)
    for node in ("n3", "n6"):
        kill_node(slurm, node, rows(into, "SELECT job FROM executor")[0][0])
    end(child, 0, "the plan went on")
    got = outcomes(into)
    down = rows(into, "SELECT max(round), count(DISTINCT slot) FROM event WHERE kind = 'slot-down'")[0]
    later = [processors(slots) for slots, in rows(into, "SELECT slots FROM attempt WHERE round >= %d" % down[0])]
    ok(down[1] == 2 and "lost" in [row[2] for row in got] and len([row for row in got if row[2] == "ok"]) == 8,
       "two slots are out, attempts were lost, and all ended well: %s" % got)
    ok(later and all(not held & {2, 5} and max(held) - min(held) + 1 == len(held) for held in later),
       "what was left is in blocks of the other nodes: %s" % later)
    cosched("run", "schedule", into, "--output", into + ".json")
    cosched("check", into + ".json")
    for node in ("n3", "n6"):
        revive(slurm, node)


def many_then_fewer(folder):
    """Killed on all of many nodes, which is the end of the allocation; resumed on five, and on all again."""
    into, log = folder + "/fewer", folder + "/log"
    text = script(folder, "logged", "[ $SLURM_PROCID = 0 ] && echo $COSCHED_NAME >>%s; sleep 2\n" % log)
    lines = ["j%d,1,20" % k for k in range(10)] + ["wide%d,%d,20" % (width, width) for width in (3, 5, MANY)]
    child = allocate(["-N%d" % MANY, "--mem=500"], "run", jobs(folder, lines), "--engine", "slurm", "--into", into,
                     "--policy", "easy", "--priority", "spt", "--", text)
    wait_for(lambda: os.path.exists(log) and len(read(log).split()) >= 4, "some run")
    os.kill(executor_of(into), signal.SIGKILL)
    child.communicate(timeout=PATIENCE)
    told = within(["-N5"], "run", "--resume", into, status=4)
    left = {row[0] for row in outcomes(into)} - {row[0] for row in outcomes(into) if row[2] == "ok"}
    ok("the remaining tasks need slots that are lost" in told and left <= {"wide%d" % MANY},
       "on five nodes all but the widest are done: %s" % told)
    told = within(["-N5", "-t9"], "run", "--resume", into, status=4)
    ok("the remaining tasks need slots that are lost" in told and "would not end" not in told,
       "nodes are what is missing, also where the allocation has an end: %s" % told)
    within(["-N%d" % MANY], "run", "--resume", into)
    done = [row[0] for row in outcomes(into) if row[2] == "ok"]
    ok(sorted(done) == sorted(line.split(",")[0] for line in lines), "each ended well once: %s" % done)
    ok({row[2] for row in outcomes(into)} <= {"ok", "lost", "void"}, "what ran at the end was lost: %s" % outcomes(into))


def own_launcher(folder):
    """A launcher that the user has chosen: what it and its program say is their output, it is asked by its keeper."""
    text = script(folder, "launcher", "echo launched\ntrap 'echo asked; exit 3' TERM\n\"$@\" &\nwait\n")
    run = write(folder, "own.json", json.dumps({
        "format": "cosched-run-1", "input": "own.csv", "engine": "slurm", "task": {
            "launcher": [text, "srun", "--exact", "--mem=0", "-N{nodes}", "-w", "{hosts}", "--kill-on-bad-exit=1"],
            "command": ["sh", "-c", "echo $SLURMD_NODENAME; [ {name} = well ] || sleep 600"], "retries": 0, "grace": 30},
        "tasks": {"slow": {"timeout": 6}}}))
    jobs(folder, ["well,2,20", "slow,1,20"], "own.csv")
    into = folder + "/own"
    within(["-N3"], "run", run, "--into", into, status=3)
    ok([row[2] for row in outcomes(into)] == ["ok", "timeout"], "outcomes: %s" % outcomes(into))
    said = output(into)
    ok(sorted(said[1].split()) == ["launched", "n1", "n2"] and "asked" in said[2].split(),
       "what they say: %s" % said)


def processors(text):
    """The set "0-2 4"."""
    found = set()
    for part in text.split():
        first, last = (part.split("-") * 2)[:2]
        found.update(range(int(first), int(last) + 1))
    return found


def on_slurm(folder, nodes, cpus, parts):
    """These parts, where they are wanted, on a Slurm of so many nodes; false: there is none."""
    wanted = os.environ.get("COSCHED_SLURM_PARTS", "").split()
    parts = [part for part in parts if not wanted or part.__name__ in wanted]
    slurm = os.path.join(folder, "slurm%d" % nodes)
    if not parts:
        return True
    try:
        up = subprocess.run([os.path.join(HERE, "up.sh"), slurm, str(nodes), str(cpus)], text=True,
                            stdout=subprocess.PIPE)
        if up.returncode == 77:
            print("1..0 # SKIP " + up.stdout.strip())
            return False
        ok(up.returncode == 0, "a Slurm of %d nodes is up" % nodes)
        os.environ["SLURM_CONF"] = conf = os.path.join(slurm, "slurm.conf")
        write(slurm, "slurm.conf", read(conf).replace("SlurmdTimeout=30", "SlurmdTimeout=5"))
        subprocess.run(["scontrol", "reconfigure"], check=True)
        for part in parts:
            os.mkdir(os.path.join(folder, part.__name__))
            os.symlink(slurm, os.path.join(folder, part.__name__, "slurm"))
            part(os.path.join(folder, part.__name__))
    finally:
        if os.path.isdir(slurm):
            subprocess.run([os.path.join(HERE, "down.sh"), slurm], stdout=subprocess.DEVNULL)
    return True


PARTS = [outside, placement, kept, endings, elsewhere, stopping, adoption, copies, meanwhile, death, death_of_a_plan, resize,
         own_launcher, scripts, last_minute], [many_deaths, many_then_fewer]
RANKS = [resize_mpi], [many_ranks, many_by_mpirun]


def main():
    few, many = RANKS if sys.argv[2:] == ["ranks"] else PARTS
    folder = tempfile.mkdtemp(prefix="cosched-slurm-")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    try:
        if not on_slurm(folder, 3, 4, few) or not on_slurm(folder, MANY, 2, many):
            return
    finally:
        shutil.rmtree(folder)
    finish()


main()
