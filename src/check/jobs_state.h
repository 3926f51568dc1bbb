/* jobs_state.h - what the parts of the check of a table of jobs share. */
#ifndef CS_CHECK_JOBS_STATE_H
#define CS_CHECK_JOBS_STATE_H

#include "base/arena.h"
#include "check/jobs.h"

/* A row that can be followed through time. */
struct cs_check_run {
    int row, job; /* indices; job -1: not in the log */
    double start, finish;
};

struct cs_check_jobs_state {
    const struct cs_check_table *what;
    struct cs_check_report *report;
    struct cs_arena *arena;
    int *line;      /* line[k]: the job at place k, by submit time, then id */
    int *place;     /* place[job] in the line */
    double *submit; /* of each job; equal instants are equal */
    bool *lost;     /* a row of the job cannot be followed */
    int runs;
    struct cs_check_run *run;
};

/* A row starts or ends; ends come first at an instant. */
struct cs_check_event {
    double time;
    int start; /* 0: end, 1: start */
    int run;
};

/* All of them, in order; 2 * runs. */
const struct cs_check_event *cs_check_jobs_events(const struct cs_check_jobs_state *s);

/* The rule of EASY. */
void cs_check_jobs_easy(const struct cs_check_jobs_state *s);

#endif
