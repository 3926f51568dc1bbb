/* malleable.h - applications that widen and narrow while they run, on processors that fail.
 *
 * The problem of Benoit, Pottier, Robert, "Resilient application co-scheduling with processor
 * redistribution" (Inria RR-8795), called the paper below: n tasks start together on p identical
 * processors, each on an even number of them that may change.  Processors fail; tasks save their
 * state in checkpoints and roll back.  Processors move between tasks when one ends or when a
 * failure has made one the longest; a move costs time.  The last end, the makespan, should come
 * early.
 *
 * Times are in seconds.  Data is measured in seconds too: 1 is the data that one processor sends in
 * one second.  Tasks and processors are numbered from 0; pair x is the processors 2x and 2x + 1, an
 * odd last processor is never used.
 */
#ifndef CS_MALLEABLE_MALLEABLE_H
#define CS_MALLEABLE_MALLEABLE_H

#include "model/fault.h"
#include "model/policy.h"
#include "model/schedule.h"

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what is given ---- */

/* On j processors, without failures, a task takes
 *     t(j) = sequential_fraction * seconds + ((1 - sequential_fraction) * seconds + overhead) / j
 * or the time of its measured profile, repaired so that it never rises with j and work never falls;
 * then the three numbers of the formula are ignored. */
struct cs_malleable_task {
    const char *name;
    double seconds;             /* t1: on one processor; > 0 */
    double sequential_fraction; /* f: 0 .. 1 */
    double overhead;            /* numerator of the communication term; >= 0 */
    double checkpoint;          /* C: a checkpoint or recovery on j processors takes C / j; > 0 when
                                   processors fail, ignored otherwise */
    double data;                /* m: what is moved when processors change; >= 0 */
    const struct cs_profile *profile; /* measured times, or NULL */
    double verification; /* of the pattern layout: a verification and a checkpoint on disk, or a */
    double disk;         /* recovery from there, take a j-th of these; >= 0 */
};

struct cs_malleable_platform {
    int procs;          /* at least one pair for each task */
    double mtbf;        /* mean time between failures of one processor; > 0, INFINITY: none fails */
    double downtime;    /* between a failure and the recovery; >= 0 */
    bool fault_free;    /* no failures and no checkpoints, for any mtbf: an optimistic reference
                         */
    double silent_mtbf; /* mean time between silent errors of one processor, which need the pattern
                           layout; 0, INFINITY: no silent errors */
};

/* Seconds; the paper gives none. */
#define CS_MALLEABLE_DOWNTIME 60.0

/* Read only once built. */
struct cs_malleable_instance;

/* A copy of all that.  Rejects, with an error that names the task and the field: no task, fewer
 * processors than two for each task, and data that breaks a rule above.  NULL with err on failure.
 */
struct cs_malleable_instance *
cs_malleable_instance_create(int tasks, const struct cs_malleable_task *task,
                             const struct cs_malleable_platform *platform, struct cs_error *err);

/* The same from a workload; `checkpoint` and `data` replace the values that the workload does not
 * give, for every task.  A value that is missing there and NaN here is rejected (checkpoints: only
 * when processors fail). */
struct cs_malleable_instance *
cs_malleable_instance_from_workload(const struct cs_workload *workload, double checkpoint,
                                    double data, const struct cs_malleable_platform *platform,
                                    struct cs_error *err);

void cs_malleable_instance_destroy(struct cs_malleable_instance *instance); /* NULL is fine */

int cs_malleable_instance_tasks(const struct cs_malleable_instance *instance);
const struct cs_malleable_platform *
cs_malleable_instance_platform(const struct cs_malleable_instance *instance);
const struct cs_malleable_task *
cs_malleable_instance_task(const struct cs_malleable_instance *instance, int task);

/* A warning when results should be taken with care (Young's period is meant for checkpoints far
 * shorter than the time between failures; we warn from a tenth on), or NULL. */
const char *cs_malleable_instance_warning(const struct cs_malleable_instance *instance);

/* The paper's tasks (section 6.1): sizes m are uniform in [size_low, size_high]; seconds = 2 m log2
 * m, overhead = m log2 m, checkpoint = c m, data = m.  Another set of the same seed has other
 * tasks; the first n of more than n tasks are those of n. */
struct cs_malleable_generator {
    int tasks;
    double size_low, size_high; /* 1 < size_low <= size_high */
    double sequential_fraction; /* f */
    double checkpoint_factor;   /* c >= 0 */
    uint64_t seed, set;
};

/* 100 tasks of sizes 1.5e6 to 2.5e6, f = 0.08, c = 1, seed and set 0. */
struct cs_malleable_generator cs_malleable_generator_paper(void);

/* The workload of a recipe: formulas with checkpoints and data.  NULL with err when a number is out
 * of its range.  The caller destroys it. */
struct cs_workload *cs_malleable_generate(const struct cs_malleable_generator *generator,
                                          struct cs_error *err);

/* ---- what is decided, and by which rules ---- */

/* Indices in the lists below. */
enum {
    CS_MALLEABLE_END_NONE,
    CS_MALLEABLE_END_LOCAL,
    CS_MALLEABLE_END_GREEDY,
    CS_MALLEABLE_END_PROGRAM, /* by a program of the user, in studies of the tool only */
};
enum {
    CS_MALLEABLE_FAILURE_NONE,
    CS_MALLEABLE_FAILURE_SHORTEST,         /* shortest-tasks-first, stf */
    CS_MALLEABLE_FAILURE_SHORTEST_PRINTED, /* shortest-tasks-first-printed, stf-printed */
    CS_MALLEABLE_FAILURE_GREEDY,           /* iterated-greedy, ig */
    CS_MALLEABLE_FAILURE_PROGRAM,          /* as above */
};

/* The policies for the end of a task, and for a failure that has made a task the longest: *count
 * policies, in the order of policies.def.  Their names can be read with cs_policy_parse. */
const struct cs_policy *const *cs_malleable_end_policies(int *count);
const struct cs_policy *const *cs_malleable_failure_policies(int *count);

/* Two defaults: what the paper does without redistribution (nothing moves, k = 1), and what we
 * recommend (shortest-tasks-first and end-local, k = 0.5, h = 0.02, minimal disruption, wake). */
struct cs_malleable_rules cs_malleable_rules_paper(void);
struct cs_malleable_rules cs_malleable_rules_recommended(void);

/* -1 with err when a rule is out of its range. */
int cs_malleable_rules_check(const struct cs_malleable_rules *rules, struct cs_error *err);

/* ---- formulas ----  j and k are processors, even, from 2 on; alpha is the share of a task that is
 * left, 0 .. 1 */

double cs_malleable_time(const struct cs_malleable_instance *instance, int task, int j);

/* C / j; 0 when no processor fails. */
double cs_malleable_checkpoint_time(const struct cs_malleable_instance *instance, int task, int j);

/* Equation (9): from j to k processors; 0 for j = k. */
double cs_malleable_move_time(const struct cs_malleable_instance *instance, int task, int j, int k);

/* How a share of a task runs when nothing fails: `pieces` times `work` seconds and a checkpoint,
 * then `last` seconds of work.  pieces is a whole number.  Of the pattern layout: segments, and the
 * work of one of a whole pattern. */
struct cs_malleable_pieces {
    double pieces, work, last;
};
struct cs_malleable_pieces cs_malleable_pieces_of(const struct cs_malleable_instance *instance,
                                                  const struct cs_malleable_rules *rules, int task,
                                                  int j, double alpha);

/* Equation (4), the expected time; +inf when that is more than a number can hold. */
double cs_malleable_expected_time(const struct cs_malleable_instance *instance,
                                  const struct cs_malleable_rules *rules, int task, int j,
                                  double alpha);

/* Equation (6): the least expected time on 2, 4, ... j processors. */
double cs_malleable_expected_least(const struct cs_malleable_instance *instance,
                                   const struct cs_malleable_rules *rules, int task, int j,
                                   double alpha);

/* Algorithm 1: processors for every task at time 0, procs[task], so that the longest expected time
 * is least; expected[task], or NULL, are these times.  Returns how many processors stay idle. */
int cs_malleable_initial(const struct cs_malleable_instance *instance,
                         const struct cs_malleable_rules *rules, int *procs, double *expected);

/* No policy ends before this, for any failures: the time of a fluid schedule without failures. */
double cs_malleable_lower_bound(const struct cs_malleable_instance *instance);

/* ---- failures ---- */

enum cs_malleable_law { CS_MALLEABLE_EXPONENTIAL, CS_MALLEABLE_WEIBULL, CS_MALLEABLE_LOGNORMAL };

/* "exponential", "weibull", "lognormal"; NULL for others. */
const char *cs_malleable_law_name(int law);

/* How every processor fails: the times between its failures are independent, with mean mtbf; it is
 * new at time 0.  Exponential: one Poisson stream for all. */
struct cs_malleable_failures {
    int procs;
    double mtbf; /* > 0; INFINITY: never */
    enum cs_malleable_law law;
    double shape; /* weibull: its shape, > 0 (below 1: failures come in bursts); lognormal: sigma,
                     the deviation of the logarithm, > 0; ignored otherwise */
    uint64_t seed;
};

/* Failures one after the other.  A scenario is the same for every policy, however much of it a
 * policy uses. */
struct cs_malleable_trace;

/* From random laws; NULL with err when a number is out of its range. */
struct cs_malleable_trace *cs_malleable_trace_draw(const struct cs_malleable_failures *failures,
                                                   struct cs_error *err);

/* A copy of a list, in any order, of processors from 0 on (one that the platform does not have is
 * idle); those of one time stay in theirs.  Every scenario is the same.
 * NULL with err when a time is not finite or below 0, or a processor is. */
struct cs_malleable_trace *cs_malleable_trace_list(size_t count, const struct cs_fault *fault,
                                                   struct cs_error *err);
void cs_malleable_trace_destroy(struct cs_malleable_trace *trace); /* NULL is fine */

/* Begin a scenario, also the same one again.  A new trace is at the beginning of scenario 0. */
void cs_malleable_trace_begin(struct cs_malleable_trace *trace, uint64_t scenario);

/* The next failure, in the order of time; false after the last. */
bool cs_malleable_trace_next(struct cs_malleable_trace *trace, struct cs_fault *fault);

/* ---- simulation ---- */

enum cs_malleable_event_kind {
    CS_MALLEABLE_START = 1,
    CS_MALLEABLE_END,     /* one task or several end */
    CS_MALLEABLE_WAKE,    /* a restart is over while processors are free */
    CS_MALLEABLE_FAILURE, /* a processor fails */
    CS_MALLEABLE_SILENT,  /* a verification finds a silent error; the effect is a rollback */
};

enum cs_malleable_effect {
    CS_MALLEABLE_NOTHING, /* start, end, wake: no allocation changed */
    CS_MALLEABLE_REDISTRIBUTED,
    CS_MALLEABLE_IDLE,               /* failures: a processor that no task uses */
    CS_MALLEABLE_IGNORED,            /* the task is down, recovering, or moving */
    CS_MALLEABLE_INITIAL_CHECKPOINT, /* in the checkpoint after a move: the move is made again */
    CS_MALLEABLE_ROLLBACK,           /* without a new plan */
    CS_MALLEABLE_ROLLBACK_NOT_LONGEST,
    CS_MALLEABLE_ROLLBACK_NO_BETTER_PLAN,
    CS_MALLEABLE_ROLLBACK_REDISTRIBUTED,
};

/* "start", "end", "wake", "fault", "silent"; "none", "redistributed", "idle", "ignored",
 * "initial-checkpoint", "rollback", "rollback-not-longest", "rollback-no-better-plan",
 * "rollback-redistributed"; NULL for others. */
const char *cs_malleable_event_kind_name(int kind);
const char *cs_malleable_effect_name(int effect);

/* A task after an event.  Once finished: no processors, alpha 0, both ends its end; start as it
 * was. */
struct cs_malleable_state {
    int procs;
    double alpha;           /* what is left at `start` */
    double start;           /* computation (re)starts here */
    double expected_finish; /* as decisions see it */
    double planned_end;     /* if nothing else happens */
};

struct cs_malleable_event {
    double time;
    enum cs_malleable_event_kind kind;
    enum cs_malleable_effect effect;
    int processor; /* failures; else -1 */
    int task;      /* failures: whose processor, -1 for none; silent errors; else -1 */
    bool fatal;    /* failures: would have been fatal in reality (the buddy of a processor that is
                      down), although it is ignored here */
    bool disk;     /* failures: only the checkpoint on disk is left */
    int ended;     /* ends: how many tasks */
    const int *ended_task;                  /* ascending */
    const struct cs_malleable_state *state; /* of every task */
};

/* An action of a task, on the processors that it had.  Bars of a task follow one another
 * without a gap from 0 to its end.  `attempt` counts, from 1, the stretches that begin with a
 * failure or a redistribution.  In a stretch the bars are, in this order, those without length left
 * out:
 *
 *     DOWNTIME, RECOVERY         after a failure, also when the task is redistributed immediately
 *     MOVE, CHECKPOINT           when its processors change, or a move is made again
 *     WORK, CHECKPOINT, ... WORK
 *     LOST                       the work that a failure discarded, an unfinished checkpoint too
 *
 * A redistribution ends a stretch with an unfinished piece of WORK or a shorter CHECKPOINT.  A
 * failure in the checkpoint after a move ends the stretch there, and that unfinished piece of work,
 * the last of the stretch before, is LOST.  Areas: CHECKPOINT before any work of its attempt
 * belongs to the move.
 *
 * Pattern layout: VERIFY follows each chunk of WORK, CHECKPOINT each segment, one more, on disk,
 * each pattern; VERIFY belongs to the area of checkpoints.  A silent error ends a stretch where a
 * verification finds it, and the next begins with RECOVERY.  A failure after which only the disk
 * checkpoint is left makes the WORK of earlier segments of the pattern LOST too.  With silent
 * errors, what no verification has confirmed when processors change is LOST. */
struct cs_malleable_bar {
    enum cs_bar_kind kind;
    int task, attempt;
    double start, end;
    int pairs;
    const int *pair; /* ascending; processors 2x and 2x + 1 */
};

/* Both may be NULL.  Their arguments are valid during the call.  Bars of a task come in the order
 * of time, but late: when the next event of the task is known. */
struct cs_malleable_observer {
    void (*event)(void *who, const struct cs_malleable_event *event);
    void (*bar)(void *who, const struct cs_malleable_bar *bar);
    void *who;
};

/* Processor seconds; the six add up to procs * makespan. */
struct cs_malleable_areas {
    double work;       /* that counted in the end */
    double checkpoint; /* but for those after moves */
    double lost;       /* work and checkpoints thrown away by failures */
    double down;       /* downtime and recovery */
    double move;       /* moves, and the checkpoint after each */
    double idle;
};

struct cs_malleable_outcome {
    double makespan;      /* +inf without progress */
    bool no_progress;     /* given up after CS_MALLEABLE_FAILURES failures */
    const double *end;    /* of every task; belongs to the simulation, until its next run */
    int64_t failures;     /* failures_hit + ignored + idle + initial_checkpoint */
    int64_t failures_hit; /* that made a task roll back */
    int64_t ignored;      /* in downtime, recovery or a move */
    int64_t idle;         /* on processors that no task used */
    int64_t initial_checkpoint;
    int64_t fatal_in_reality;       /* of the ignored: both processors of a pair are down */
    int64_t silent;                 /* silent errors found */
    int64_t disk;                   /* of failures_hit: after them only the disk was left */
    int64_t plans;                  /* carried out */
    int64_t moved;                  /* allocations changed by them */
    struct cs_malleable_areas area; /* NaN without progress */
    double lower_bound;
    double gap; /* (makespan - lower_bound) / lower_bound */
};

#define CS_MALLEABLE_FAILURES 10000000

/* An instance under rules; its memory is used again for every run.  The instance must outlive it.
 * NULL with err when cs_malleable_rules_check refuses the rules. */
struct cs_malleable_simulation;
struct cs_malleable_simulation *
cs_malleable_simulation_create(const struct cs_malleable_instance *instance,
                               const struct cs_malleable_rules *rules, struct cs_error *err);
void cs_malleable_simulation_destroy(struct cs_malleable_simulation *simulation);

/* Continue the trace from its present position (begin a scenario first); NULL: no failures.  There
 * are no failures either if the platform is fault_free.  observer may be NULL. */
int cs_malleable_simulation_run(struct cs_malleable_simulation *simulation,
                                struct cs_malleable_trace *trace,
                                const struct cs_malleable_observer *observer,
                                struct cs_malleable_outcome *outcome);

/* ---- one run, kept ---- */

/* An event, without the states. */
struct cs_malleable_mark {
    double time;
    enum cs_malleable_event_kind kind;
    enum cs_malleable_effect effect;
    int processor, task; /* as in cs_malleable_event */
    bool fatal, disk;
    int ended; /* ends: tasks ended_task[0 .. ended - 1] */
    const int *ended_task;
};

struct cs_malleable_record {
    struct cs_schedule *schedule; /* problem "malleable"; the bars above, group -1, by start, then
                                     task; belongs to the record */
    struct cs_malleable_outcome outcome;
    int marks;
    const struct cs_malleable_mark *mark; /* marks of them, in the order of events */
    bool searched;                        /* the decisions are those of the optimum */
    void *storage;                        /* private */
};

void cs_malleable_record_destroy(struct cs_malleable_record *record); /* NULL is fine */

/* ---- choosing by simulation ---- */

/* The portfolio: every period factor of { 1, .7, .5, .35, .25, .15 } with every pair of
 * {iterated-greedy, shortest-tasks-first} and {end-local, end-greedy}, and with no redistribution,
 * on the same random scenarios, which are never those of cs_malleable_trace_draw. */
#define CS_MALLEABLE_CANDIDATES 30
#define CS_MALLEABLE_TUNING_MOST 1000000 /* scenarios */

struct cs_malleable_candidate {
    struct cs_malleable_rules rules;
    double makespan; /* mean over the scenarios */
    double error;    /* standard error of that mean; NaN for one scenario */
};

/* Fill candidate[0 .. CS_MALLEABLE_CANDIDATES - 1], which share hysteresis, minimal disruption,
 * wake and layout of `base`, by playing `scenarios` (1 to CS_MALLEABLE_TUNING_MOST) scenarios of
 * `failures` on `threads` (0: one) threads.  Returns the index of the least mean makespan (ties:
 * the lower), or -1 with err. */
int cs_malleable_tune(const struct cs_malleable_instance *instance,
                      const struct cs_malleable_rules *base,
                      const struct cs_malleable_failures *failures, int scenarios, int threads,
                      struct cs_malleable_candidate *candidate, struct cs_error *err);

#endif
