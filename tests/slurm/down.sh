#!/bin/bash
# Stop the Slurm that tests/slurm/up.sh started in a folder, and nothing else.
#
# usage: tests/slurm/down.sh DIR
#
# Ends its jobs, then its daemons: processes called slurmd, slurmstepd, slurmctld or munged whose
# command line or environment names DIR.  Says how many it stopped.  What the Slurm wrote stays in
# DIR for whoever wants to read it.
set -u
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin

if [ $# -ne 1 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
dir=$(cd "$1" 2>/dev/null && pwd) || {
    echo "down.sh: there is no folder $1" >&2
    exit 1
}
names="(^|[=,])${dir//./\\.}(/|\$)"
stopped=0

# Who has ended is still there until somebody asks for it.
is_running() {
    grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"
}

# ours NAME: the processes of that name which run and know of the folder.  From 23.11 on daemons that read their
# configuration again start their file again, which Debian names slurmd-wlm.
ours() {
    local folder pid
    for folder in $(grep -lxE "$1(-wlm)?" /proc/[0-9]*/comm 2>/dev/null); do
        pid=${folder//[!0-9]/}
        cat "/proc/$pid/cmdline" "/proc/$pid/environ" 2>/dev/null | tr '\0' '\n' |
            grep -qaE "$names" && is_running "$pid" && echo "$pid"
    done
}

# stop NAME: politely at first; in the end not.
stop() {
    local signal=TERM pid
    for round in $(seq 60); do
        set -- "$1" $(ours "$1")
        [ $# -gt 1 ] || return
        if [ "$round" -eq 1 ] || [ "$round" -eq 50 ]; then
            kill -"$signal" "${@:2}" 2>/dev/null
            [ "$round" -eq 50 ] || stopped=$((stopped + $# - 1))
            signal=KILL
        fi
        sleep 0.1
    done
}

end_jobs() {
    export SLURM_CONF=$dir/slurm.conf
    timeout 5 scancel -Q --state=PENDING --user="$(id -un)" 2>/dev/null
    timeout 5 scancel -Q --full --signal=KILL --user="$(id -un)" 2>/dev/null
    for _ in $(seq 30); do
        [ -z "$(timeout 5 squeue -h 2>/dev/null)" ] && break
        sleep 0.1
    done
}

[ -n "$(ours slurmctld)" ] && [ -n "$(ours slurmd)" ] && end_jobs
for name in slurmd slurmstepd slurmctld munged; do
    stop "$name"
done
rm -rf "$dir/run"
echo "down.sh: $stopped processes stopped"
