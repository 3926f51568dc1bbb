#!/usr/bin/env python3
"""`cosched campaign slurm` as a user meets it, with a sbatch and a squeue of our own.

usage: tests/cli/slurm.py COSCHED

What a real Slurm makes of it is tests/slurm/campaign.py.
"""

import os
import re
import subprocess
import tempfile

from kit import cosched, finish, ok, read, refused, write

SWEEP = """{"problem": "rigid", "seed": %d, "replicates": 2, "set": {"jobs": 3, "scenarios": 2},
 "vary": {"policy": ["easy", "list"], "procs": [4000, 8000]}}
"""
SBATCH = """#!/bin/sh
for word; do printf '%s\\n' "$word"; done >>"$SAID"
echo >>"$SAID"
[ -n "$FAIL" ] && case "$*" in *"$FAIL"*) echo 'sbatch: error: no' >&2; echo 'why not' >&2; exit 3 ;; esac
number=$(($(cat "$SAID.number" 2>/dev/null || echo 40) + 1))
echo "$number" | tee "$SAID.number" | sed "s/\\$/$MORE/"
"""
SQUEUE = """#!/bin/sh
printf '%s' "$QUEUE"
"""


def program(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    os.chmod(write(folder, name, text), 0o755)


def submitted(said):
    """The words of each sbatch since the last time."""
    if not os.path.exists(said):
        return []
    calls = [call.split("\n") for call in read(said).rstrip("\n").split("\n\n")]
    os.remove(said)
    return calls


def run_script(path, **more):
    return subprocess.run(["bash", path], env={**os.environ, **more}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)


def scripts(folder, sweep, said):
    shards, store = os.path.join(folder, "in 'here'"), os.path.join(folder, "$all.db")
    words = ("campaign", "slurm", sweep, "--tasks", 3, "--folder", shards, "--store", store,
             "--sbatch", "--partition=a b", "--sbatch=--time=1")
    out = cosched(*words, "--dry-run")[0]
    ok(submitted(said) == [], "a dry run submits nothing")
    array, merge = (os.path.join(shards, name) for name in ("array.sh", "merge.sh"))
    ok(read(array) in out and read(merge) in out, "and shows the scripts")
    ok("'--partition=a b'" in out and "--array=1-3" in out and "--dependency=afterany:" in out,
       "and what would be typed")
    ok("#SBATCH --job-name=cosched-a_trial\n" in read(array), "a name without blanks")
    ended = run_script(array)
    ok(ended.returncode and "this is a script for sbatch" in ended.stdout, "not without sbatch")
    ended = run_script(merge)
    ok(ended.returncode == 1 and "shard-1-of-3.db: there is no such store" in ended.stdout and
       "there is nothing to merge" in ended.stdout, "nothing to merge yet")
    again = re.search("To submit the unfinished runs: (.*)", ended.stdout)[1]
    said_again = subprocess.run(["bash", "-c", again], stdout=subprocess.PIPE, cwd="/").stdout.decode()
    ok("3 of 3 shards of a trial" in said_again, "what it says to type can be typed anywhere")
    for shard in "123":
        ended = run_script(array, SLURM_ARRAY_TASK_ID=shard, SLURM_CPUS_PER_TASK="2")
        ok(ended.returncode == 0, "shard %s runs %s" % (shard, ended.stdout if ended.returncode else ""))
    ended = run_script(merge)
    ok(ended.returncode == 0 and "$all.db: 8 runs, 8 of them new" in ended.stdout, "they are merged")
    local = os.path.join(folder, "local.db")
    cosched("campaign", "run", sweep, "--store", local)
    ok(cosched("campaign", "export", store)[0] == cosched("campaign", "export", local)[0],
       "the export is that of a local run")
    submitted(said)
    ok("all 8 runs are stored, nothing was submitted" in cosched(*words)[0], "then nothing is left")
    os.remove(store)
    out = cosched(*words)[0]
    ok("array" not in out.split("watch")[0] and len(submitted(said)) == 1, "but the merge, without it")


def submissions(folder, sweep, said):
    shards = os.path.join(folder, "shards")
    words = ("campaign", "slurm", sweep, "--tasks", 3, "--folder", shards, "--store",
             os.path.join(folder, "b.db"))
    out = cosched(*words, "--sbatch=--time=1")[0]
    array, merge = submitted(said)
    numbers = re.findall(r"^(?:array|merge) job +(\d+)", out, re.M)
    ok("squeue --jobs=%s,%s\n" % tuple(numbers) in out and "scancel %s %s\n" % tuple(numbers) in out,
       "how to watch and to stop them")
    ok(array == ["--output=%s/shard-%%a-of-3.log" % shards, "--time=1", "--parsable",
                 "--chdir=" + shards, "--array=1-3", shards + "/array.sh"], "the words of the array")
    ok(merge == ["--output=%s/merge.log" % shards, "--time=1", "--parsable", "--chdir=" + shards,
                 "--dependency=afterany:" + numbers[0], shards + "/merge.sh"], "those of the merge")
    run_script(shards + "/array.sh", SLURM_ARRAY_TASK_ID="2")
    out = cosched(*words)[0]
    ok("2 of 3 shards" in out and "--array=1,3" in submitted(said)[0], "again: the unfinished ones")
    os.environ["QUEUE"] = "43\n"
    refused("of %s are still queued or run; wait for their end, or scancel them first" % shards,
            *words)
    os.environ["QUEUE"] = ""
    refused("has shards of 3 tasks; resume with --tasks 3, or choose another --folder",
            "campaign", "slurm", sweep, "--tasks", 2, "--folder", shards)
    write(folder, "a trial.json", SWEEP % 2)
    refused("shard-2-of-3.db: is of another sweep, or of this one before it was changed; choose "
            "another --folder", *words)
    ok(submitted(said) == [], "nothing was submitted then")
    write(folder, "a trial.json", SWEEP % 1)
    os.environ["MORE"] = ";cluster"
    numbers = re.findall(r"^(?:array|merge) job +(\d+)", cosched(*words)[0], re.M)
    ok("--dependency=afterany:" + numbers[0] in submitted(said)[1], "the name of a cluster is no number")
    os.environ["MORE"] = ""


def failures(folder, sweep, said):
    words = ("campaign", "slurm", sweep, "--folder", os.path.join(folder, "f"), "--store",
             os.path.join(folder, "f.db"), "--tasks")
    refused('--tasks is "0"; it must be a whole number from 1', *words, "0", status=2)
    refused("--tasks 9: a trial has only 8 runs; ask for at most as many", *words, 9)
    ok(not os.path.exists(os.path.join(folder, "f")), "no folder is left behind")
    os.environ["FAIL"] = "array.sh"
    refused("sbatch ended with status 3: sbatch: error: no why not", *words, 2)
    os.environ["FAIL"] = "merge.sh"
    refused("the array is job ", *words, 2)
    refused("but its merge was not submitted: sbatch ended with status 3", *words, 2)
    os.environ["FAIL"] = ""
    program(os.environ["PATH"].split(":")[0], "sbatch", "#!/bin/sh\necho hello\n")
    refused("sbatch: found hello", *words, 2)
    os.environ["PATH"] = "/nowhere"
    refused("sbatch: cannot be started: No such file or directory; jobs are submitted where Slurm "
            "is (--dry-run writes the scripts only)", *words, 2)
    refused("nowhere.json: ", "campaign", "slurm", "nowhere.json", "--tasks", 2)


with tempfile.TemporaryDirectory() as top:
    tools = os.path.join(top, "bin")
    program(tools, "sbatch", SBATCH)
    program(tools, "squeue", SQUEUE)
    os.environ.update(PATH=tools + ":" + os.environ["PATH"], SAID=os.path.join(top, "said"),
                      FAIL="", QUEUE="", MORE="")
    for part in (scripts, submissions, failures):
        place = os.path.join(top, part.__name__)
        os.mkdir(place)
        part(place, write(place, "a trial.json", SWEEP % 1), os.environ["SAID"])
finish()
