/* simulate_rigid_rows.h - what many scenarios of rigid jobs came to, a row for each way and set.
 *
 * Batches and replays of logs have measures of their own and otherwise the same rows.
 */
#ifndef CS_CLI_SIMULATE_RIGID_ROWS_H
#define CS_CLI_SIMULATE_RIGID_ROWS_H

#include "cli/simulate_rigid.h"
#include "report/sample.h"

struct cs_simulate_rigid_view {
    const struct cs_measure *measure;
    int measures;
    /* Of one run: `run` is its place in job->outcome or job->replayed. */
    double (*value)(const struct cs_simulate_rigid *job, size_t run, int measure);
};

/* A way in one set, or in all. */
struct cs_simulate_rigid_row {
    const struct cs_simulate_rigid_way *way;
    const char *set; /* "" for all */
    int jobs;
    long runs;
    struct cs_sample *sample; /* by measure */
};

/* For each way its sets, when there are several, and then all of them together; how many rows. */
int cs_simulate_rigid_rows(const struct cs_simulate_rigid *job,
                           const struct cs_simulate_rigid_view *view,
                           struct cs_simulate_rigid_row **rows);

/* For programs: the whole table, or the member "results" of the open object. */
void cs_simulate_rigid_rows_csv(const struct cs_simulate_rigid *job,
                                const struct cs_simulate_rigid_view *view,
                                const struct cs_simulate_rigid_row *row, int count,
                                struct cs_strbuf *out);
void cs_simulate_rigid_rows_json(const struct cs_simulate_rigid *job,
                                 const struct cs_simulate_rigid_view *view,
                                 const struct cs_simulate_rigid_row *row, int count,
                                 struct cs_jsonw *w);

#endif
