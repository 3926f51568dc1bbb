#!/bin/sh
# Start the daemon of a node.
#
# usage: tests/slurm/node.sh OPTION...   (those of slurmd)
#
# slurmd looks for cgroups even where nothing uses them.  In a root of debootstrap, where /sys was mounted without what
# is below it, slurmd gets a hierarchy that only slurmd and its jobs see.
if [ "$(stat -f -c %T /sys/fs/cgroup)" != sysfs ]; then
    exec slurmd "$@"
fi
exec unshare --mount --propagation unchanged sh -c 'mount --make-private /sys &&
    mount -t tmpfs cgroup /sys/fs/cgroup && mkdir /sys/fs/cgroup/systemd &&
    mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd && exec slurmd "$@"' sh "$@"
