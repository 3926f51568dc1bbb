/* replay_view.h - the JSON of a replay (cosched-replay-1) as pages and pictures are drawn from it.
 *
 * Everything that it points to lives in its arena, the zone until the release.
 */
#ifndef CS_REPORT_REPLAY_VIEW_H
#define CS_REPORT_REPLAY_VIEW_H

#include "base/json.h"
#include "base/zone.h"
#include "model/energy.h"
#include "problems/queue/problem.h"

/* Sums over each bin of calendar time. */
struct cs_replay_curves {
    double origin, length; /* on the log's clock; seconds, at least 1 */
    int count;
    const double *busy;         /* processor seconds */
    const double *queue, *work; /* seconds of jobs that wait; times their processors and requests */
    const double *jobs, *wait;  /* that arrived and are measured; their waits together */
};

struct cs_replay_shares { /* a distribution function */
    int count;
    const double *at, *share;
};

struct cs_replay_cell {
    int64_t key; /* ascending */
    const char *name;
    int64_t jobs;
    double hours, mean_wait;
};

struct cs_replay_cells {
    int count;
    const struct cs_replay_cell *cell;
};

struct cs_replay_row {
    const char *name;
    const double *measure; /* in the order of the values of cs_problem_queue; NaN: none */
    const struct cs_energy_declared *energy; /* NULL: none */
    struct cs_replay_curves curves;
    struct cs_replay_shares waits, slowdowns;
    struct cs_replay_cells classes, users, accounts;
};

struct cs_replay_view {
    const char *command;
    const char *kind, *unit; /* of the log; of the machine: "node" or "processor" */
    int files;               /* 0 where jobs were drawn */
    const char *drawn;       /* by what; or NULL */
    int64_t lines, jobs, procs;
    int64_t rule[CS_LOG_RULES];
    int notes, warnings;
    const char *const *note, *const *warning;
    double epoch; /* Unix time of 0 on the log's clock */
    bool dated;   /* the log has a start time */
    struct cs_zone *zone;
    double last; /* arrival */
    int outages;
    const double *outage; /* from outage[2i] to outage[2i + 1] */
    int rows;
    const struct cs_replay_row *row;
};

/* Does the document have the format of a replay? */
bool cs_replay_view_seems(const struct cs_json_at *document);

/* -1 with err, which has the path; release it also then. */
int cs_replay_view_read(const struct cs_json_at *document, struct cs_arena *arena,
                        struct cs_replay_view *view, struct cs_error *err);
void cs_replay_view_release(struct cs_replay_view *view);

#endif
