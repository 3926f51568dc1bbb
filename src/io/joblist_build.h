/* joblist_build.h - for the readers of lists of jobs only. */
#ifndef CS_IO_JOBLIST_BUILD_H
#define CS_IO_JOBLIST_BUILD_H

#include "base/arena.h"
#include "io/joblist.h"
#include "io/names.h"

/* A list that grows; the arena becomes its storage. */
struct cs_joblist_draft {
    struct cs_arena *arena;
    struct cs_names *names;
    double *seconds;
    int *procs;
    int count, room;
};

void cs_joblist_draft_begin(struct cs_joblist_draft *draft);

/* Why a text cannot name the next job, or NULL. */
const char *cs_joblist_draft_fault(const struct cs_joblist_draft *draft, const char *name);

void cs_joblist_draft_add(struct cs_joblist_draft *draft, const char *name, double seconds,
                          int procs);

/* The finished list, or with status != 0 NULL; the draft is used up. */
struct cs_joblist *cs_joblist_draft_end(struct cs_joblist_draft *draft, int status);

#endif
