/* problem.c - the problem malleable, described once (problem/problem.h): its parameters
 * (`fields`), its metrics (`values`) and its runs.
 *
 * Scenarios are independent runs.  Each worker owns a simulation and a trace, and out[s] depends
 * on instance, rules, source and s only, so that results are the same for any number of
 * threads.  With a list of failures, scenario 0 is the list; scenario s > 0 begins at a uniform
 * moment of it and wraps around.
 *
 * To add a parameter: a row of `fields`, a member of cs_malleable_options, its use in case.c.
 * To add a metric: a VALUE line and a row of `values`.
 */
#include "problems/malleable/problem.h"
#include "base/arena.h"
#include "base/rng.h"
#include "problem/rows.h"
#include "problems/malleable/case.h"
#include "problems/malleable/simulate.h"

#include <limits.h>
#include <math.h>

/* workers that each own a simulation and a trace. */

#define PURPOSE 0x6c697374u /* "list": where in a list a scenario begins */

/* The list from a moment on, then its beginning. */
static struct cs_malleable_trace *problem_turned(const struct cs_malleable_source *source,
                                                 int scenario, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fault *fault = CS_NEW_ARRAY(arena, struct cs_fault, source->listed);
    double span = source->list[source->listed - 1].time, moment;
    struct cs_malleable_trace *trace;
    struct cs_rng rng;

    cs_rng_init(&rng, source->law.seed, PURPOSE, (uint64_t)scenario);
    moment = span * cs_rng_uniform(&rng);
    for (size_t i = 0; i < source->listed; i++) {
        fault[i] = source->list[i];
        fault[i].time += fault[i].time < moment ? span - moment : -moment;
    }
    trace = cs_malleable_trace_list(source->listed, fault, err);
    cs_arena_destroy(arena);
    return trace;
}

struct cs_malleable_trace *cs_malleable_source_trace(const struct cs_malleable_source *source,
                                                     int scenario, struct cs_error *err)
{
    struct cs_malleable_trace *trace;

    if (source->list)
        return scenario && source->listed
                   ? problem_turned(source, scenario, err)
                   : cs_malleable_trace_list(source->listed, source->list, err);
    trace = cs_malleable_trace_draw(&source->law, err);
    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)scenario);
    return trace;
}

struct worker {
    const struct cs_malleable_study *study;
    struct cs_malleable_simulation *simulation; /* of the variant that it runs */
    struct cs_malleable_trace *trace;           /* of the law, used again for every scenario */
};

static void worker_end(void *worker)
{
    struct worker *w = worker;

    cs_malleable_trace_destroy(w->trace);
    cs_malleable_simulation_destroy(w->simulation);
}

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;

    w->study = job;
    if (w->study->source->list)
        return 0;
    w->trace = cs_malleable_trace_draw(&w->study->source->law, err);
    return w->trace ? 0 : -1;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_malleable_simulation *last = w->simulation;

    (void)set;
    w->simulation = NULL;
    cs_malleable_simulation_destroy(last);
    w->simulation = cs_malleable_simulation_create_asking(
        w->study->instance, &w->study->rules[variant], w->study->extpol, err);
    return w->simulation ? 0 : -1;
}

/* The state of a run at a moment. */
struct glance {
    double time;
    int tasks;
    struct cs_malleable_seen *seen;
};

/* The state after the last event that is not later than the moment holds then. */
static void problem_inspect(void *who, const struct cs_malleable_event *event)
{
    struct glance *glance = who;
    double sum = 0, squares = 0, longest = 0;
    int running = 0;

    if (event->time > glance->time)
        return;
    for (int i = 0; i < glance->tasks; i++) {
        double procs = event->state[i].procs;

        longest = fmax(longest, event->state[i].expected_finish);
        running += procs > 0;
        sum += procs;
        squares += procs * procs;
    }
    glance->seen->expected = longest;
    glance->seen->deviation =
        running ? sqrt(fmax(0, squares / running - sum / running * sum / running)) : NAN;
}

/* Runs that are over by then have no such moment. */
static void run_seen(const struct worker *w, struct cs_malleable_trace *trace,
                     struct cs_malleable_seen *seen)
{
    struct glance glance = {w->study->at, cs_malleable_instance_tasks(w->study->instance), seen};
    const struct cs_malleable_observer observer = {.event = problem_inspect, .who = &glance};
    bool looks = !isnan(w->study->at);

    seen->expected = seen->deviation = NAN;
    cs_malleable_simulation_run(w->simulation, trace, looks ? &observer : NULL, &seen->outcome);
    if (looks && !(w->study->at < seen->outcome.makespan))
        seen->expected = seen->deviation = NAN;
    seen->outcome.end = NULL;
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *out, struct cs_error *err)
{
    struct worker *w = worker;
    struct cs_malleable_trace *trace = w->trace;

    if (trace)
        cs_malleable_trace_begin(trace, (uint64_t)at->scenario);
    else
        trace = cs_malleable_source_trace(w->study->source, (int)at->scenario, err);
    if (!trace)
        return -1;
    run_seen(w, trace, out);
    if (trace != w->trace)
        cs_malleable_trace_destroy(trace);
    return 0;
}

int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_seen *out,
                           struct cs_error *err)
{
    const struct cs_loop loop = {
        .variants = study->variants,
        .scenarios = study->scenarios,
        .threads = study->threads,
        .job = study,
        .worker = sizeof(struct worker),
        .outcome = out,
        .size = sizeof *out,
        .begin = worker_begin,
        .enter = worker_enter,
        .run = worker_run,
        .end = worker_end,
        .progress = study->progress,
    };

    return cs_loop_run(&loop, err);
}

#define YEAR (365 * 86400.0)
#define DAY 86400.0
#define AT(member) offsetof(struct cs_malleable_options, member)

enum {
    ANY = CS_PLAN | CS_SIMULATE | CS_EXPERIMENT,
    RUN = CS_SIMULATE | CS_EXPERIMENT,
};

static void end_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_malleable.choice[0], words);
}

static void failure_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_malleable.choice[1], words);
}

static const struct cs_field fields[] = {
    CS_ROW_INPUT("applications with checkpoints and data; a synthetic set when not given"),
    CS_ROW_COUNT("tasks", "100", 1, 100000000, "how many applications", AT(tasks)),
    CS_ROW_REAL("size-low", "M", "1.5e6", 1, 1e15,
                "smallest size; 1500 makes the paper's heterogeneous sets", AT(size_low)),
    CS_ROW_REAL("size-high", "M", "2.5e6", 1, 1e15, "largest size; sizes are uniform in between",
                AT(size_high)),
    CS_ROW_REAL("seq-fraction", "F", "0.08", 0, 1,
                "share of the time that more processors do not shorten", AT(seq_fraction)),
    CS_ROW_REAL("checkpoint-factor", "C", "1", 0, 1e9,
                "seconds of a checkpoint on one processor for each unit of size",
                AT(checkpoint_factor)),
    CS_ROW_WHOLE("set", "I", "0", 0, 9007199254740992.0,
                 "another number, another set of the same kind", AT(set)),
    CS_ROW_SEED("of the sizes", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    CS_ROW_PROCS("The machine", 1, ANY, AT(procs)),
    {.name = "mtbf",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e300,
     .summary = "mean time between failures of one processor, such as 10y; default: what a file of "
                "failures shows, else 100y",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(mtbf),
     .old = "mtbf_years",
     .old_unit = YEAR},
    {.name = "downtime",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .fallback = "60",
     .low = 0,
     .high = 1e12,
     .summary = "between a failure and the recovery",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(downtime)},
    {.name = "fault-free",
     .kind = CS_FIELD_FLAG,
     .summary = "no failures and no checkpoints: an optimistic reference",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(fault_free)},
    {.name = "checkpoint",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .group = "The applications",
     .summary =
         "a checkpoint on one processor, for applications of the input without one; it takes 1/j "
         "of it on j processors",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(checkpoint)},
    {.name = "data",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .summary =
         "data moved when processors change, as the time that one processor needs to send it, "
         "for applications without a value",
     .verbs = ANY,
     .of = CS_OF_INSTANCE,
     .at = AT(data)},
    CS_ROW_FILL(ANY, AT(fill)),
    CS_ROW_FEWER(ANY, AT(fewer)),
    CS_ROW_STRICT(ANY, AT(strict)),
    {.name = "on-end",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .group = "The policies",
     .values = end_words,
     .policies = &cs_problem_malleable.choice[0],
     .list = true,
     .summary = "which processors move when an application ends, see 'cosched list malleable'; all "
                "compares; default: that of the rules",
     .verbs = RUN,
     .of = CS_OF_VARIANT,
     .at = AT(on_end)},
    {.name = "on-failure",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .values = failure_words,
     .policies = &cs_problem_malleable.choice[1],
     .list = true,
     .summary = "which processors move when a failure has made an application the longest; all "
                "compares; default: that of the rules",
     .verbs = RUN,
     .of = CS_OF_VARIANT,
     .at = AT(on_failure)},
    CS_ROWS_PROGRAM("the processors of tasks", RUN, AT(policy_program), AT(patience)),
    {.name = "tune",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = CS_MALLEABLE_TUNING_MOST,
     .summary =
         "instead: try 30 pairs of policies and period factors in N scenarios that are drawn "
         "for this, and take the best",
     .verbs = RUN,
     .of = CS_OF_VARIANT,
     .at = AT(tune)},
    {.name = "rules",
     .kind = CS_FIELD_CHOICE,
     .choices = "recommended|paper",
     .fallback = "recommended",
     .group = "The rules",
     .summary = "what the options below are when not given: what we recommend, or what the paper "
                "does",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(rules)},
    {.name = "period-factor",
     .kind = CS_FIELD_REAL,
     .argument = "K",
     .low = 1e-6,
     .high = 1e6,
     .summary = "between checkpoints, K times Young's period; recommended 0.5, paper 1",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(period_factor)},
    {.name = "layout",
     .kind = CS_FIELD_CHOICE,
     .choices = "young|tail",
     .summary = "checkpoints a period apart, or pieces as equal as what is left allows; default: "
                "young",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(layout)},
    {.name = "kappa",
     .kind = CS_FIELD_REAL,
     .argument = "K",
     .low = 1e-6,
     .high = 1e6,
     .summary = "of the tail layout: how many lost pieces to prepare for; default: 1",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(kappa)},
    {.name = "hysteresis",
     .kind = CS_FIELD_REAL,
     .argument = "H",
     .low = 0,
     .high = 0.999999,
     .summary = "processors move only when the expected makespan falls by more than this share; "
                "recommended 0.02, paper 0",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(hysteresis)},
    {.name = "minimal-disruption",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .summary = "tasks keep their processors where a greedy plan is as good with them; recommended "
                "yes, paper no",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(minimal_disruption)},
    {.name = "wake",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .summary =
         "free processors are offered to a task whose restart is over; recommended yes, paper "
         "no",
     .verbs = ANY,
     .of = CS_OF_VARIANT,
     .at = AT(wake)},
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "exponential|weibull|lognormal",
     .fallback = "exponential",
     .group = "The failures",
     .summary = "of the times between failures of one processor; their mean is --mtbf",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(law)},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: failures come in bursts; default 0.7), or the deviation of "
                "the logarithm of lognormal (default 1)",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(shape)},
    {.name = "faults",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary = "failures from a list, a line \"time,processor\" each, or from the failure data of "
                "Los Alamos; scenarios after the first begin at a random moment of it",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(faults)},
    {.name = "system",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 99,
     .needs = "faults",
     .summary = "the system, in the failure data of Los Alamos",
     .verbs = RUN,
     .of = CS_OF_DRAW,
     .at = AT(system)},
    CS_ROW_SCENARIOS(
        10000000,
        "default: 100, or 1 with --faults or --fault-free, and in a cell of an experiment", RUN,
        AT(scenarios)),
    {.name = "at",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e14,
     .summary = "when expected_makespan and procs_deviation are read; default: never",
     .verbs = RUN,
     .of = CS_OF_NOTHING,
     .at = AT(at),
     .old = "at_days",
     .old_unit = DAY},
    CS_ROW_SEED("of the failures; every policy meets the same", CS_SIMULATE),
    CS_ROW_THREADS(CS_SIMULATE),
    CS_ROW_FORMAT("Output", CS_PLAN | CS_SIMULATE),
    CS_ROW_PER_SCENARIO(
        "a row for each scenario: makespan, failures, and what the processors' time went into"),
    CS_ROW_SCHEDULE("one scenario as a schedule (cosched-schedule-1), which 'cosched check' judges",
                    CS_SIMULATE),
    CS_ROW_GANTT("draw one scenario: the applications as they widen and narrow", CS_SIMULATE),
    {.name = "gantt-view",
     .kind = CS_FIELD_CHOICE,
     .choices = "applications|processors",
     .fallback = "applications",
     .needs = "gantt",
     .summary = "a ribbon for each application, or a row for each processor",
     .verbs = CS_SIMULATE,
     .at = AT(gantt_view)},
    CS_ROW_SCENARIO("the one that --output and --gantt show, from 0"),
    CS_ROW_UNIT(CS_PLAN | CS_SIMULATE),
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

static const struct cs_malleable_outcome *problem_outcome(const void *one)
{
    return &((const struct cs_malleable_seen *)one)->outcome;
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_malleable_outcome *o = problem_outcome(one);                               \
        double all =                                                                               \
            ((const struct cs_malleable_case *)(const void *)study)->platform.procs * o->makespan; \
                                                                                                   \
        (void)all;                                                                                 \
        return expression;                                                                         \
    }

VALUE(makespan, o->makespan)
VALUE(lower_bound, o->lower_bound)
VALUE(ratio, o->makespan / o->lower_bound)
VALUE(failures, (double)o->failures)
VALUE(failures_hit, (double)o->failures_hit)
VALUE(fatal, (double)o->fatal_in_reality)
VALUE(plans, (double)o->plans)
VALUE(moved, (double)o->moved)
VALUE(work, o->area.work / all)
VALUE(checkpoint, o->area.checkpoint / all)
VALUE(lost, o->area.lost / all)
VALUE(down, o->area.down / all)
VALUE(move, o->area.move / all)
VALUE(idle, o->area.idle / all)
VALUE(expected, ((const struct cs_malleable_seen *)one)->expected)
VALUE(deviation, ((const struct cs_malleable_seen *)one)->deviation)

#define SHARE "share of the processors' time"

static const struct cs_value values[] = {
    {"makespan", "makespan", "seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL,
     .column = "mean makespan", .of = makespan},
    {"lower_bound", "lower bound", "no scenario is shorter, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ROWS, .of = lower_bound},
    {"ratio", "makespan / bound", "makespan / lower bound", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "over bound", .digits = 4, .interval = true, .of = ratio},
    {"failures", "failures", "failures of processors", .kind = CS_VALUE_NUMBER, .in = CS_IN_ROWS,
     .of = failures},
    {"struck", "failures that struck", "failures that made a task roll back",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "struck", .digits = 1, .of = failures_hit},
    {"fatal", "fatal in reality", "failures that would have been fatal in reality",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "fatal", .digits = 2, .of = fatal},
    {"plans", "redistributions", "redistributions carried out", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_SUMMARY | CS_IN_ROWS, .of = plans},
    {"moved", "allocations changed", "allocations changed by redistributions",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "moved", .digits = 1, .of = moved},
    {"work", "work", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = work},
    {"checkpoint", "checkpoints", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = checkpoint},
    {"lost", "lost work", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "lost",
     .digits = 1, .of = lost},
    {"down", "downtime, recovery", "downtime and recovery, " SHARE, .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .of = down},
    {"move", "moves", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .of = move},
    {"idle", "idle", SHARE, .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "idle", .digits = 1,
     .of = idle},
    {"expected_makespan", "expected makespan then",
     "as expected at the moment --at, seconds; none after the end", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .old_unit = DAY, .of = expected},
    {"procs_deviation", "deviation of processors then",
     "standard deviation of the processors of a running task at that moment",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = deviation},
    {0},
};

const struct cs_problem cs_problem_malleable = {
    .name = "malleable",
    .summary = "how processors move between running applications when one ends, or when a failure "
               "has made one the longest",
    .field = fields,
    .value = values,
    .choice = {{"on-end", "when an application ends", cs_malleable_end_policies},
               {"on-failure", "when a failure has made an application the longest",
                cs_malleable_failure_policies}},
    .variant = {"on_end", "on_failure"},
    .options = sizeof(struct cs_malleable_options),
    .outcome = sizeof(struct cs_malleable_seen),
    .check = cs_malleable_case_check,
    .open = cs_malleable_case_open,
    .close = cs_malleable_case_close,
    .run = cs_malleable_case_run,
    .identify = cs_malleable_case_identify,
    .record = cs_malleable_case_record,
    .put = cs_malleable_case_put,
    .discard = cs_malleable_case_discard,
    .supplied = cs_malleable_case_supplied,
    .generate = cs_malleable_case_generate,
};
