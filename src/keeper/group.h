/* group.h - the cgroup (v2) of an attempt: all processes of the attempt stay in it, regardless of
 * session, environment and parents.
 *
 * Used by the keeper, which makes it, and by the executor, which ends leftover processes of a
 * killed keeper.
 */
#ifndef CS_KEEPER_GROUP_H
#define CS_KEEPER_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Make an empty one.  0, or the error number. */
int cs_group_make(const char *path);

/* A copy of this process in the group (with flags of clone(2)): 0 in the child. -1 with errno. */
pid_t cs_group_fork(const char *path, unsigned long long flags);

/* Move this process into it; system calls only.  0, or the error number. */
int cs_group_enter(const char *path);

bool cs_group_has_process(const char *path);

/* Kill every process in it and below it: by one write to cgroup.kill, or, before Linux 5.14, frozen
 * and one by one.  Returns whether there was any. */
bool cs_group_kill(const char *path);

/* The group and those below it, when they are empty. */
void cs_group_remove(const char *path);

/* Seconds of CPU of all that has run in it; negative when that is not known. */
double cs_group_seconds(const char *path);

/* The mark of an attempt (the value of COSCHED_MARK) as a number, of 62 bits.  The keeper sets it
 * as the limit RLIMIT_LOCKS, which has had no effect since Linux 2.4.25 and which descendants keep.
 */
uint64_t cs_group_mark(const char *mark);

#endif
