/* simulate_rigid.h - the parts of "simulate rigid". */
#ifndef CS_CLI_SIMULATE_RIGID_H
#define CS_CLI_SIMULATE_RIGID_H

#include "base/jsonw.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/progress.h"
#include "rigid/input.h"
#include "rigid/replay_study.h"
#include "rigid/study.h"

#include <cosched/schedule_file.h>

/* A policy with its parameters and a priority. */
struct cs_simulate_rigid_way {
    const char *policy; /* as the user wrote it */
    struct cs_policy_call call;
    const struct cs_rigid_policy *run;
    const struct cs_rigid_priority *priority; /* NULL with --arrivals: fcfs */
    const char *priority_name;
    struct cs_rigid_replay replay; /* with --arrivals: the same policy and priority */
};

struct cs_simulate_rigid {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const char *path;
    struct cs_rigid_input *input;
    uint64_t seed;
    int threads;
    int scenarios;                     /* in each set */
    struct cs_rigid_scenarios **drawn; /* one for each set */
    double **strong;                   /* strong bounds by set and scenario, or NULL */
    int ways;
    struct cs_simulate_rigid_way *way;
    struct cs_rigid_outcome *outcome;         /* ways * sets * scenarios */
    struct cs_rigid_replay_jobs *arriving;    /* with --arrivals: of each set */
    struct cs_rigid_replay_outcome *replayed; /* with --arrivals: as `outcome` */
    struct cs_progress bar;
    long done; /* runs before the study that runs now */
};

/* The policies and priorities that were asked for; -1 with err. */
int cs_simulate_rigid_ways(struct cs_simulate_rigid *job, struct cs_error *err);

/* Are they more than one? */
bool cs_simulate_rigid_several(const struct cs_arguments *args);

/* The scenarios of each set, and how many; -1 with err. */
int cs_simulate_rigid_draw(struct cs_simulate_rigid *job, struct cs_error *err);

/* The outcomes of a way and a set. */
struct cs_rigid_outcome *cs_simulate_rigid_outcome(const struct cs_simulate_rigid *job, int way,
                                                   int set);

/* What was found, in one of the formats. */
void cs_simulate_rigid_show(const struct cs_simulate_rigid *job, enum cs_format format,
                            struct cs_strbuf *out);

/* The lines of a log that were left out, for people. */
void cs_simulate_rigid_put_skipped(const struct cs_simulate_rigid *job, struct cs_strbuf *out);

/* --arrivals: the log replayed; -1 with err. */
int cs_simulate_rigid_arrivals(struct cs_simulate_rigid *job, struct cs_error *err);

/* What replays came to, in one of the formats, and as files; -1 with err. */
void cs_simulate_rigid_arrivals_show(const struct cs_simulate_rigid *job, enum cs_format format,
                                     struct cs_strbuf *out);
int cs_simulate_rigid_arrivals_files(const struct cs_simulate_rigid *job, struct cs_error *err);

/* The outcomes of a way and a set. */
struct cs_rigid_replay_outcome *cs_simulate_rigid_replayed(const struct cs_simulate_rigid *job,
                                                           int way, int set);

/* A schedule drawn, to a file; -1 with err. */
int cs_simulate_rigid_gantt(const struct cs_simulate_rigid *job, const struct cs_schedule *schedule,
                            int scenario, const char *path, struct cs_error *err);

/* The same, written with what it says about itself. */
int cs_simulate_rigid_schedule(const struct cs_simulate_rigid *job,
                               const struct cs_schedule *schedule,
                               const struct cs_rigid_declared *declared, const char *path,
                               struct cs_error *err);

/* Counts of lines of a log that were left out, into the open object. */
void cs_simulate_rigid_json_skipped(const struct cs_joblog *log, struct cs_jsonw *w);

/* --per-scenario, --schedule and --gantt: whether they can be made, and making them. */
int cs_simulate_rigid_check_files(const struct cs_arguments *args, struct cs_error *err);

/* Can the files be written, and is none of them the input? */
int cs_simulate_rigid_check_outputs(const struct cs_arguments *args, struct cs_error *err);
int cs_simulate_rigid_files(const struct cs_simulate_rigid *job, struct cs_error *err);

/* "mean failure probability 0.3", "no failures", ... */
void cs_simulate_rigid_put_law(const struct cs_simulate_rigid *job, struct cs_strbuf *out);

#endif
