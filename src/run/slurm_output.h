/* slurm_output.h - what the commands of Slurm print, read. */
#ifndef CS_RUN_SLURM_OUTPUT_H
#define CS_RUN_SLURM_OUTPUT_H

#include "base/strbuf.h"

#include <cosched/error.h>

/* Processors of each node, from SLURM_JOB_CPUS_PER_NODE such as "4(x2),1". -1 with err if the text
 * is invalid or for another number of nodes. */
int cs_run_slurm_cpus(const char *text, int nodes, int *cpus, struct cs_error *err);

/* Is a node in this state (sinfo %T) down? `strict`: also if it does not respond, so the end of an
 * attempt there is unreliable. */
bool cs_run_slurm_is_bad(const char *state, bool strict);

/* The step of this name in lines "JOB.STEP NAME", in `step`; false if missing. */
bool cs_run_slurm_step(const char *lines, const char *name, struct cs_strbuf *step);

/* The messages of srun on its standard error. */
struct cs_run_slurm_reply {
    bool node_failed; /* a node died */
    bool never_began; /* no step was made */
    bool no_program;  /* there is no such program */
    bool cancelled;   /* by another process, such as the end of the allocation */
    int status;       /* of the first task with another status than 0; -1: none */
    char why[200];    /* the line of the message, or "" */
};

void cs_run_slurm_read_reply(const char *text, struct cs_run_slurm_reply *reply);

/* Find a message of the step daemon in the output of the program: the step was cancelled, at this
 * time (2026-11-22T14:42:26) or later. Otherwise no effect. */
void cs_run_slurm_read_cancelled(const char *text, const char *since,
                                 struct cs_run_slurm_reply *reply);

/* Does a node that dies not end the allocation, by the command line of salloc (words with a 0
 * behind each), or by the lines #SBATCH of a batch script? */
bool cs_run_slurm_line_keeps(const char *words, size_t size);
bool cs_run_slurm_script_keeps(const char *script);

#endif
