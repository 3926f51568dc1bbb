/* simulate_malleable.h - the parts of "simulate malleable". */
#ifndef CS_CLI_SIMULATE_MALLEABLE_H
#define CS_CLI_SIMULATE_MALLEABLE_H

#include "cli/base/progress.h"
#include "cli/malleable.h"

struct cs_simulate_malleable {
    struct cs_malleable_job job;
    int scenarios, threads;
    int ways;
    struct cs_malleable_rules *way;       /* the rules of each way, policies included */
    struct cs_malleable_outcome *outcome; /* ways * scenarios */
    struct cs_progress bar;
    double done; /* runs before the study that runs now */
};

/* The policies of a way, as words. */
const char *cs_simulate_malleable_end(const struct cs_simulate_malleable *run, int way);
const char *cs_simulate_malleable_failure(const struct cs_simulate_malleable *run, int way);

/* --tune: the best of the portfolio becomes the only way; -1 with err. */
int cs_simulate_malleable_tune(struct cs_simulate_malleable *run, struct cs_error *err);

/* What was found, in one of the formats. */
void cs_simulate_malleable_show(const struct cs_simulate_malleable *run, enum cs_format format,
                                struct cs_strbuf *out);

/* --per-scenario, --schedule and --gantt: is the line right (usage), can they be written, and
 * writing them; -1 with err. */
int cs_simulate_malleable_check_line(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_malleable_check_outputs(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_malleable_files(const struct cs_simulate_malleable *run, struct cs_error *err);

/* The picture of one scenario, as --gantt-view says. */
int cs_simulate_malleable_draw(const struct cs_simulate_malleable *run,
                               const struct cs_malleable_record *record, const char *path,
                               struct cs_error *err);

#endif
