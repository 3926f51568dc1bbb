/* slurm.h - a sweep as an array of jobs for Slurm, one element a shard, and a job that merges.
 *
 * Everything lies in one folder: array.sh, merge.sh, the stores shard-I-of-N.db, and what the jobs
 * print.  Each element runs its shard into a store of its own, so that no two machines write to
 * one; an element that was ended and is started again goes on where it was.  The scripts quote
 * whatever comes from outside, and can be submitted by hand.
 */
#ifndef CS_CAMPAIGN_SLURM_H
#define CS_CAMPAIGN_SLURM_H

#include "campaign/experiment.h"

struct cs_slurm {
    const char *tool;   /* the program cosched; this and the next three are absolute paths */
    const char *sweep;  /* the file */
    const char *folder; /* where the scripts and shards are */
    const char *store;  /* what they are merged into */
    const char *name;   /* of the sweep */
    const char *again;  /* the command that submits what is unfinished */
    int tasks;          /* N */
};

/* Append the scripts. */
void cs_slurm_put_array(const struct cs_slurm *slurm, struct cs_strbuf *out);
void cs_slurm_put_merge(const struct cs_slurm *slurm, struct cs_strbuf *out);

/* unfinished[i]: shard i + 1 lacks cells.  Refused are folders with shards of another sweep or
 * another number of tasks. */
int cs_slurm_look(const struct cs_slurm *slurm, const struct cs_experiment *sweep, bool *unfinished,
                  struct cs_error *err);

/* *lacks: how many cells of the sweep the merged store does not have. */
int cs_slurm_lacks(const struct cs_slurm *slurm, const struct cs_experiment *sweep, int *lacks,
                   struct cs_error *err);

#endif
