/* avail.h - from when on the processors of one cluster are free.
 *
 * Processors are grouped by the date from which they are free; groups are kept by rising date, the
 * processors of a group as a set of intervals.  There are never more groups than tasks that were
 * placed.  Taking m processors looks at m groups at most.
 */
#ifndef CS_PTG_AVAIL_H
#define CS_PTG_AVAIL_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stdbool.h>

struct cs_ptg_group {
    double date;
    int procs;                     /* how many are left in it, at least 1 */
    int intervals;                 /* of the set */
    const struct cs_interval *set; /* ascending; its first processor is `head` instead */
    int head;
};

struct cs_ptg_avail {
    struct cs_ptg_group *group; /* by rising date, no two alike */
    int groups, room, procs;
    struct cs_arena *arena; /* for sets that stay */
    /* Scratch: the set that was gathered last. */
    struct cs_interval *gathered;
    int gathered_room;
};

/* All processors first .. first + procs - 1 are free from 0 on. */
void cs_ptg_avail_init(struct cs_ptg_avail *avail, int first, int procs, struct cs_arena *arena);

/* Start again with nothing; add every processor in a few sets. */
void cs_ptg_avail_clear(struct cs_ptg_avail *avail);

/* These processors, which belong to no group now, are free from `date` on.  The set must stay. */
void cs_ptg_avail_add(struct cs_ptg_avail *avail, double date, const struct cs_interval *set,
                      int intervals, int procs);

/* Which `procs` processors a task takes that needs them at `date`, or as soon as there are so many
 * if that is later: those that are free latest of all that are free then; ties to the lowest. */
struct cs_ptg_choice {
    int procs;
    int top, bottom; /* groups: all of top .. bottom + 1, and of `bottom` the lowest `partial` */
    int partial;
    bool waits;    /* so many are free only after `date` */
    double latest; /* when all of the chosen ones are free */
};
struct cs_ptg_choice cs_ptg_avail_choose(const struct cs_ptg_avail *avail, int procs, double date);

/* The first group with which, all before it counted, there are `procs` processors; *before: how
 * many there are without it. */
int cs_ptg_avail_rank(const struct cs_ptg_avail *avail, int procs, int *before);

/* The chosen processors, *intervals long, valid until the next call. */
const struct cs_interval *cs_ptg_avail_gather(struct cs_ptg_avail *avail,
                                              const struct cs_ptg_choice *choice, int *intervals);

/* Take them out of their groups; they belong to none then. */
void cs_ptg_avail_take(struct cs_ptg_avail *avail, const struct cs_ptg_choice *choice);

#endif
