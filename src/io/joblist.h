/* joblist.h - files of rigid jobs: name, processors, seconds.
 *
 * Two formats: CSV with the columns name, procs, seconds, and the text that the simulator of
 * Benoit et al. 2021 reads.  Files may be packed (gzip, xz) or standard input ("-").
 */
#ifndef CS_IO_JOBLIST_H
#define CS_IO_JOBLIST_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>

struct cs_known;

struct cs_joblist {
    int machine;                  /* processors; 0 if missing */
    double verification;          /* seconds added to each attempt; 0 if missing */
    double rate;                  /* silent errors per second and processor; NaN if missing */
    const char *remark;           /* a warning about the file; "": none */
    const struct cs_known *known; /* what is proven of the optimum; or NULL */
    int count;
    const char *const *name; /* count, distinct */
    const double *seconds;   /* count, > 0 */
    const int *procs;        /* count, >= 1 */
    void *storage;           /* private */
};

/* Columns name, procs, seconds in any order; others are not looked at.  NULL with err. */
struct cs_joblist *cs_joblist_read_csv_memory(const char *name, const void *bytes, size_t size,
                                              struct cs_error *err);

/* The authors' sample: a line "lambda P v priority batch naive shelf", then one "NAME rgd SECONDS
 * PROCS" for each job.  The last four words of the first line choose a policy there; they are not
 * looked at.  Moldable jobs ("mld") are refused.  NULL with err. */
struct cs_joblist *cs_joblist_read_sample_memory(const char *name, const void *bytes, size_t size,
                                                 struct cs_error *err);

/* Is a file whose first line that is neither blank nor a comment is this one such a sample?  That
 * line has neither commas nor "|". */
bool cs_joblist_begins_sample(const char *line);

void cs_joblist_destroy(struct cs_joblist *list); /* NULL is fine */

#endif
