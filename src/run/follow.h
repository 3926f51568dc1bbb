/* follow.h - the state of the decider that follows a plan. */
#ifndef CS_RUN_FOLLOW_H
#define CS_RUN_FOLLOW_H

#include "base/heap.h"
#include "run/decider.h"
#include "run/setup.h"

/* A task that waits for another one. */
struct cs_run_link {
    int after;
    bool needs; /* its success, and not only its slots */
    struct cs_run_link *next;
};

struct cs_run_follow {
    const struct cs_run_setup *setup;
    struct cs_arena *arena;
    bool moldable;              /* the plan has its tasks' times on other counts */
    int slots;                  /* of the run */
    bool *down;                 /* by slot: gone */
    bool lost;                  /* since the present plan was made */
    bool retries;               /* tasks that had failed wait again, since then */
    int running;                /* tasks */
    int *order;                 /* by planned start, end, index */
    const struct cs_bar **bar;  /* by task, on slots */
    int **slot, *count;         /* by task: those of the plan, and how many */
    struct cs_run_link **link;  /* by task: its successors */
    int *left;                  /* by task: number of unfinished predecessors */
    unsigned char *state;       /* by task: of enum cs_run_task_state */
    int *pack, *pack_left;      /* with a barrier: pack of each task, from 1; tasks left of each */
    int packs, packs_done;      /* 0 packs: no barrier */
    int skips, reported, *skip; /* tasks to be given up; how many of them have been */
    bool *unfit;                /* by task: because it does not fit any more */
    struct cs_heap ready;       /* tasks, by planned start */
    double limit;               /* run time at which the allocation ends */
    int lates, *late;           /* tasks that would not be over by then */
};

/* Where a task runs now, by the plan. */
void cs_run_follow_set_bar(struct cs_run_follow *f, int task, const struct cs_bar *bar);

/* A task does not fit on the slots that are left. */
void cs_run_follow_give_up(struct cs_run_follow *f, int task);

/* New bars for these tasks, on the slots that are left (follow_again.c). */
void cs_run_follow_again(struct cs_run_follow *f, const int *order, int count);

#endif
