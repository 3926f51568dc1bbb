#!/bin/bash
# Start a Slurm of our own on this machine's loopback, for tests.
#
# usage: tests/slurm/up.sh DIR [NODES [CPUS]]
#
# One munged with its own key and socket, one slurmctld, and NODES (3) times slurmd, nodes n1,
# n2, ... of CPUS (2) processors each.  All they write is below DIR, which is new or empty;
# nothing below /etc, /var or /run is touched, and a Slurm that the machine may have is left
# alone.  Then
#
#     export SLURM_CONF=DIR/slurm.conf
#
# leads sinfo, sbatch and the others there.  tests/slurm/down.sh DIR stops it; so does whatever
# ends this script before all nodes are idle.  Needs root (slurmd does) and Debian's slurmctld,
# slurmd, slurm-client and munge; no systemd, no cgroups.
#
# Ends with status 77, and one line that says why, where that is missing.
set -u
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd)

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    sed -n '2,/^$/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
nodes=${2-3} cpus=${3-2}
for program in munged slurmctld slurmd sbatch sinfo scontrol; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is not installed (script/bootstrap installs it)"
        exit 77
    fi
done
if [ "$(id -u)" -ne 0 ]; then
    echo 'only root can start slurmd'
    exit 77
fi
if [ ! -d /sys/fs/cgroup ]; then
    echo 'slurmd does not start where /sys is not mounted'
    exit 77
fi
mkdir -p "$1" && dir=$(cd "$1" && pwd) || exit 1
case $dir in
*[!A-Za-z0-9_./-]*)
    echo "up.sh: $dir: slurm.conf allows letters, digits, and _ . - in a path, nothing else" >&2
    exit 1
    ;;
esac
if [ -n "$(ls -A "$dir")" ]; then
    echo "up.sh: $dir is not empty (tests/slurm/down.sh stops what runs there)" >&2
    exit 1
fi

give_up() {
    trap '' INT TERM HUP
    echo "up.sh: $1" >&2
    tail -n 5 "$dir"/log/* >&2 2>/dev/null
    "$here/down.sh" "$dir" >/dev/null
    exit 1
}
trap 'give_up interrupted' INT TERM HUP

# The first of nodes + 1 ports on which nobody listens.
free_ports() {
    local first port
    for _ in $(seq 50); do
        first=$((20000 + RANDOM % 10000))
        for port in $(seq "$first" $((first + nodes))); do
            (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && continue 2
        done
        echo "$first"
        return
    done
    return 1
}

# Daemons listen where the name of the machine leads, if they are told to; to be heard at 127.0.0.1
# they may not where it leads elsewhere or nowhere.
on_loopback_only() {
    case $(getent ahostsv4 "$host") in
    127.*) echo 'CommunicationParameters=NoInAddrAny,NoCtldInAddrAny' ;;
    esac
}

mkdir "$dir/run" && mkdir -p "$dir/log" "$dir/state" "$dir/spool" "$dir/munge" || exit 1
chmod 755 "$dir" "$dir/run" "$dir/log" "$dir/state" "$dir/spool"
chmod 700 "$dir/munge"
head -c 1024 /dev/urandom >"$dir/munge/key" && chmod 400 "$dir/munge/key"
# Whoever else starts one waits until the daemons of this one listen.
exec 9>"${TMPDIR:-/tmp}/cosched-slurm-ports.lock" && flock -w 120 9 || give_up 'others start for too long'
port=$(free_ports) || give_up 'no ports are free'
host=$(uname -n)
host=${host%%.*}

cat >"$dir/slurm.conf" <<END
ClusterName=cosched
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket,cred_expire=5
CredType=cred/munge
$(on_loopback_only)
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd-%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=0
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
ReturnToService=2
JobRequeue=1
KillWait=2
MinJobAge=300
SlurmdTimeout=30
TmpFS=$dir/spool/%n/tmp
END
for n in $(seq "$nodes"); do
    mkdir -p "$dir/spool/n$n/tmp"
    echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=$cpus" \
        "Boards=1 SocketsPerBoard=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=1000"
done >>"$dir/slurm.conf"
echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$dir/slurm.conf"

export SLURM_CONF=$dir/slurm.conf
munged --force --key-file="$dir/munge/key" --socket="$dir/run/munge.socket" \
    --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
    --seed-file="$dir/munge/seed" --num-threads=2 >"$dir/log/munged.out" 2>&1 9>&- ||
    give_up 'munged does not start'
slurmctld -f "$SLURM_CONF" </dev/null >"$dir/log/slurmctld.out" 2>&1 9>&- ||
    give_up 'slurmctld does not start'
for n in $(seq "$nodes"); do
    "$here/node.sh" -f "$SLURM_CONF" -N "n$n" </dev/null >"$dir/log/slurmd-n$n.out" 2>&1 9>&- ||
        give_up "slurmd of node n$n does not start"
done

SECONDS=0 up=0
while [ "$up" -ne "$nodes" ] && [ "$SECONDS" -lt 30 ]; do
    sleep 0.1
    up=$(timeout 5 sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)
done
exec 9>&-
[ "$up" -eq "$nodes" ] || give_up "only $up of $nodes nodes are idle after 30 seconds"
trap - INT TERM HUP
echo "export SLURM_CONF='$SLURM_CONF'"
