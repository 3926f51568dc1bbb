/* problem.h - options and studies of the problem queue: jobs that arrive, drawn or from a log. */
#ifndef CS_QUEUE_PROBLEM_H
#define CS_QUEUE_PROBLEM_H

#include "problem/problem.h"
#include "problems/queue/replay_request.h"

/* Besides the actions of all problems: `cosched replay` takes the parameter. */
#define CS_REPLAY 16

struct cs_queue_options {
    struct cs_study_options study;
    struct cs_replay_options site; /* but seed and threads, which are the study's */
    /* Jobs that are drawn when there is no log. */
    int64_t jobs, set;
    double arrivals; /* mean time from one to the next; of workload uniform */
    int workload;    /* enum cs_queue_workload; -1: uniform, or in a simulation not given */
    double gap_factor, largest_request;
    int64_t start_hour;
    int requests; /* the requested times are 0: the run times, 1: drawn (cs_estimates_assign) */
    int speedup;  /* of generate, 0: jobs of fixed width, 1: moldable ones (Downey) */
    bool former;  /* for `rigid` with arrivals: there is no recorded variant */
};

enum cs_queue_workload { CS_QUEUE_UNIFORM, CS_QUEUE_LUBLIN, CS_QUEUE_LUBLIN_BATCH };

/* The measures of one scenario of a variant. */
struct cs_queue_outcome {
    bool made;                  /* false: its set was left out, and nothing below counts */
    double bound;               /* of sets, on the makespan; else NaN */
    struct cs_queue_totals sum; /* 0 in the recorded variant */
    struct cs_queue_measured measured;
    struct cs_queue_simulated operated; /* 0 in the recorded variant */
};

struct cs_queue_case {
    struct cs_study study;
    struct cs_guarded guarded; /* the temporary file of the request */
    struct cs_guarded running; /* the rows, which go with the guard of a run */
    const struct cs_queue_options *options;
    bool recorded; /* variant 0 is the recorded schedule */
    struct cs_replay_request request;
    struct cs_queue_log_rows rows; /* row 0: recorded; then variants times scenarios; empty
                                    * until it has run */
};

/* One run, kept. */
struct cs_queue_kept {
    struct cs_kept record;
    struct cs_rigid_declared declared;
    int variant; /* of the request */
    int set;
};

static inline const struct cs_queue_kept *cs_queue_kept_of(const struct cs_kept *record)
{
    return (const struct cs_queue_kept *)(const void *)record;
}

extern const struct cs_problem cs_problem_queue; /* its values are the measures of a row */

struct cs_queue_outcome cs_queue_outcome_of(const struct cs_queue_log_row *row);

/* Is it one of the values of a replay, which come first, before this one? */
#define CS_QUEUE_FIRST_MORE "lower_bound"
bool cs_queue_is_replay_value(const struct cs_value *value);

/* The parameters that `cosched replay` takes, in the order of its help; they live in the arena. */
const struct cs_param *cs_queue_replay_params(struct cs_arena *arena);

/* Did half of the jobs at least have a recorded start? */
bool cs_queue_is_recorded(const struct cs_queue_log_rows *rows);

/* drawn.c: is a log given, so that no jobs are drawn? */
bool cs_queue_has_log(const struct cs_queue_options *options);

/* The jobs of the options as a log in the Standard Workload Format, or with a speedup as a
 * workload (JSON); a line in `warning` for what a user should look at.  -1 with err.  Their name:
 * "workload lublin, gap factor 1, ...". */
int cs_queue_drawn_check(const struct cs_queue_options *options, struct cs_error *err);
void cs_queue_drawn_name(const struct cs_queue_options *options, struct cs_strbuf *out);
int cs_queue_drawn_put(const struct cs_queue_options *options, struct cs_strbuf *out,
                       struct cs_strbuf *warning, struct cs_error *err);

/* case.c: the functions of the description (problem/problem.h). */
int cs_queue_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_queue_case_open(const void *options, const struct cs_study_context *context,
                                    struct cs_error *err);
void cs_queue_case_close(struct cs_study *study);
int cs_queue_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                      struct cs_error *err);
void cs_queue_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);
struct cs_kept *cs_queue_case_record(const struct cs_study *study, int variant, long run,
                                     struct cs_error *err);
void cs_queue_case_put(const struct cs_study *study, const struct cs_kept *record,
                       struct cs_jsonw *w);
void cs_queue_case_discard(struct cs_kept *record);
int cs_queue_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                           struct cs_error *err);
int cs_queue_case_table(const struct cs_study *study, const struct cs_kept *record,
                        struct cs_strbuf *out, struct cs_error *err);
int cs_queue_case_generate(const void *options, struct cs_error *err);

#endif
