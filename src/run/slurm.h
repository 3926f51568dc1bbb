/* slurm.h - steps inside an allocation: what the parts of that engine share. */
#ifndef CS_RUN_SLURM_H
#define CS_RUN_SLURM_H

#include "run/executor.h"

struct cs_run_slurm {
    const char *job; /* of this allocation */
    const char *srun, *scancel, *squeue, *sinfo, *scontrol;
    const char *nodes;        /* those that the allocation began with, as Slurm writes them */
    bool by_cpu;              /* a slot is some processors of a node, not the node */
    const char *jobs;         /* this one and those of earlier executors, commas between */
    struct cs_strbuf list;    /* nodes of the job now, as Slurm writes them */
    struct cs_strbuf members; /* the same, a line each */
    struct cs_strbuf states;  /* "NODE STATE", a line each */
    double ends;              /* seconds since 1970 at which the allocation does; INFINITY */
    int64_t looked;           /* in which round */
    bool known;               /* the controller has answered once */
};

/* Run one of Slurm's programs; its output is in `out`, which is cleared. False when it did not end
 * with 0. */
bool cs_run_slurm_ask(const char *const *argv, struct cs_strbuf *out);

/* Ask about the allocation and its nodes. */
void cs_run_slurm_refresh(void *state);

/* Is the node down, or (strict) unreliable? */
bool cs_run_slurm_is_bad_node(const struct cs_run_slurm *s, const char *node, bool strict);

bool cs_run_slurm_is_down(struct cs_run_executor *x, int slot);
double cs_run_slurm_left(struct cs_run_executor *x);
void cs_run_slurm_examine(struct cs_run_executor *x, const struct cs_run_attempt *attempt,
                          struct cs_run_event *event);
bool cs_run_slurm_is_gone(struct cs_run_executor *x, const struct cs_run_attempt *attempt);

/* Does a node that dies not end the whole allocation, as far as that can be known?  Slurm keeps it
 * to itself (slurm_kept.c). */
bool cs_run_slurm_is_kept(const struct cs_run_slurm *s);

/* The jobs of this and of earlier executors of the run. */
const char *cs_run_slurm_jobs(struct cs_run_executor *x);

#endif
