/* problem.c - the problem rigid, described once (problem/problem.h). */
#include "problems/rigid/problem.h"

#include "problems/queue/site_rows.h"
#include "problems/rigid/case.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct cs_rigid_options, member)

static void priority_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_sched_priority *list = cs_sched_priorities(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s ", list[i].name);
    cs_sched_urgency_put_beyond(out, " ");
    cs_strbuf_puts(out, " all");
}

enum { RUN = CS_SIMULATE | CS_EXPERIMENT };

/* The further options of `cosched replay`, for sweeps. */
#define SITE(member) AT(site.member)

static void policy_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_rigid.choice[0], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUT("a log or a list of jobs; a synthetic set when not given"),
    CS_ROW_COUNT("jobs", "100", 1, 10000000, "how many", AT(jobs)),
    CS_ROW_WHOLE("set", "K", "0", 0, 1000000000,
                 "number of the set; the paper has 30, here 0 to 29", AT(set)),
    CS_ROW_SEED("of the draws; a job depends on seed, set and its own number only", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.csv", CS_GENERATE),
    CS_ROW_TRAP(CS_RIGID_TRAPS,
                "instead: jobs and failures that are hard for shelves (Propositions 3 and 4), jobs "
                "of 3-PARTITION, or those on which lists reach Propositions 2 and 1",
                CS_GENERATOR, AT(trap)),
    CS_ROWS_TRAP_PARTITION(CS_GENERATOR, AT(trap)),
    CS_ROW_TRAP_WHOLE("groups", "Q", 0, "ljf: 8 Q - 4 processors (default: 8)", CS_GENERATOR,
                      AT(groups)),
    CS_ROW_TRAP_WHOLE("slots", "S", 0, "ljf: the optimum is 4 Q S + 2 seconds (default: 32)",
                      CS_GENERATOR, AT(slots)),
    {.name = "time-unit",
     .needs = "trap",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 1e-9,
     .high = 1e12,
     .summary = "shelf and shelf-fill: the length of the longest job (default: 1 s)",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(time_unit)},
    {.name = "failures-output",
     .needs = "trap",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "file for the failures of the trap, for 'simulate rigid --failures'",
     .actions = CS_GENERATE,
     .at = AT(failures_output)},
    CS_ROW_PROCS("Machine and jobs", 1, RUN | CS_GENERATE, AT(procs)),
    CS_ROW_STRICT(RUN, AT(strict)),
    {.name = "by-day",
     .kind = CS_PARAM_FLAG,
     .summary = "logs: make one set of the jobs of each day of submission (UTC)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(by_day)},
    {.name = "day",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "logs: only the N-th day that has jobs",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(day)},
    {.name = "by-count",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000000,
     .summary = "logs: make one set of each N consecutive jobs",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(by_count)},
    {.name = "month",
     .kind = CS_PARAM_TEXT,
     .argument = "YYYY-MM",
     .summary = "logs: only the jobs that were submitted in this month",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(month)},
    {.name = "arrivals",
     .kind = CS_PARAM_FLAG,
     .summary = "logs: jobs become known at their submit times, instead of all at 0: the problem "
                "queue, whose name this was; results are under their former names",
     .moved = "queue",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(arrivals)},
    {.name = "estimates",
     .needs = "arrivals",
     .kind = CS_PARAM_CHOICE,
     .choices = "requested|exact",
     .default_text = "requested",
     .summary =
         "with --arrivals: runtime estimates given to the policy; without a request, and for "
         "jobs that ran longer, the running time",
     .actions = CS_SIMULATE,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(estimates)},
    {.name = "estimates",
     .needs = "arrivals",
     .kind = CS_PARAM_CHOICE,
     .choices = "requested|exact|last2",
     .default_text = "requested",
     .summary =
         "with arrivals: runtime estimates given to the policy: the request, the true time, or "
         "the mean of the last two jobs of the user",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(estimates)},
    CS_SITE_ROWS_MACHINE(NULL, "arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROWS_OVERRUN("arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROWS_LIMITS("arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROWS_LOG(NULL, "arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROWS_WINDOW(NULL, "arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROW_FAIRNESS("arrivals", CS_EXPERIMENT, SITE),
    CS_SITE_ROWS_FAILURES(
        "an attempt of a job of mean area (processors times seconds) fails with this "
        "probability, 0 <= Q < 1 (default: from the sample, else no failures)",
        "in the order of the input", RUN, AT),
    {.name = "verification",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt (seconds; default: from the sample, else 0)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(verification)},
    CS_ROW_SCENARIOS(
        100000000,
        "number of scenarios for each set (default: 1000, all of FILE, or 1 without random "
        "input; with --arrivals 1)",
        RUN, AT(scenarios)),
    CS_ROW_SEED("of failures and random priorities; scenario I of a set depends on nothing else",
                CS_SIMULATE),
    {.name = "set",
     .kind = CS_PARAM_INTEGER,
     .argument = "K",
     .default_text = "0",
     .low = 0,
     .high = 1000000000,
     .summary = "number of the first set in the random draws",
     .actions = CS_SIMULATE,
     .scope = CS_SCOPE_DRAW,
     .at = AT(set)},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .default_text = "easy",
     .group = "How jobs are started",
     .values = policy_words,
     .policies = &cs_problem_rigid.choice[0],
     .list = true,
     .summary =
         "the policy, see 'cosched list rigid'; several with commas between them, or all, are "
         "compared in a table",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy)},
    CS_ROWS_PROGRAM("jobs to start", RUN, AT(policy_program), AT(patience)),
    {.name = "priority",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .values = priority_words,
     .list = true,
     .summary =
         "the order of the jobs, in upper or lower case; several with commas between them, or "
         "all, are compared; default: lpt, with --arrivals fcfs; where jobs arrive also lcfs, lxf, "
         "sexf, "
         "wfp3, unicef, f1 to f4",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(priority)},
    CS_ROW_THREADS(CS_SIMULATE),
    {.name = "bound",
     .kind = CS_PARAM_CHOICE,
     .choices = "plain|strong",
     .default_text = "plain",
     .summary =
         "the lower bound of each scenario: longest job and area, or dual feasible functions "
         "and exclusion too, which takes about a millisecond for 100 jobs",
     .actions = RUN,
     .at = AT(bound)},
    CS_ROWS_ENERGY(RUN),
    CS_ROW_FORMAT("Output", CS_SIMULATE),
    CS_ROW_PER_SCENARIO("a row for each scenario: makespan, lower bound, failures and the other "
                        "values, with 17 digits; with several sets the set is the first column"),
    CS_ROW_SCENARIO("the scenario of --output, --gantt and --jobs, counted from 0"),
    CS_ROW_SCHEDULE("write one scenario as JSON (cosched-schedule-1), which 'cosched check' judges",
                    CS_SIMULATE),
    CS_ROW_PROCESSORS(CS_SIMULATE),
    CS_ROW_GANTT("draw one scenario", CS_SIMULATE),
    {.name = "jobs",
     .needs = "arrivals",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "with --arrivals: write a row for every attempt, in the form of Batsim's "
                "PREFIX_jobs.csv",
     .actions = CS_SIMULATE,
     .at = CS_STUDY_AT(table)},
    CS_ROW_UNIT(CS_SIMULATE),
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

/* Of the jobs of the trap shelf, when failures are drawn; NaN for others. Once for each set. */
static double shelf_expectation(const struct cs_study *study, const struct cs_rigid_seen *o,
                                double (*expected)(int procs, double unit, double rate))
{
    const struct cs_rigid_case *c = (const struct cs_rigid_case *)(const void *)study;
    const char *trap = c->options->trap.name;
    const double unit = isnan(c->options->time_unit) ? 1 : c->options->time_unit;

    return o->first && trap && !strcmp(trap, "shelf") && c->law.rate > 0
               ? expected(c->machine, unit, c->law.rate)
               : NAN;
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_rigid_seen *o = one;                                                       \
                                                                                                   \
        (void)study;                                                                               \
        return o->made ? expression : NAN;                                                         \
    }

#define WAIT(id, expression) VALUE(id, o->arrives ? (double)(expression) : NAN)

WAIT(mean_wait, o->arrivals.mean_wait)
WAIT(max_wait, o->arrivals.max_wait)
WAIT(mean_slowdown, o->arrivals.mean_slowdown)
WAIT(max_slowdown, o->arrivals.max_slowdown)
WAIT(throughput, o->arrivals.throughput)
WAIT(largest_queue, o->arrivals.largest_queue)
WAIT(median_wait, o->arrivals.median_wait)
WAIT(p95_wait, o->arrivals.p95_wait)
WAIT(area_weighted_wait, o->arrivals.area_weighted_wait)
WAIT(loss, o->arrivals.loss_of_capacity)
WAIT(p99_wait, o->arrivals.p99_wait)
WAIT(median_slowdown, o->arrivals.median_slowdown)
WAIT(p95_slowdown, o->arrivals.p95_slowdown)
WAIT(mean_queue, o->arrivals.mean_queue)
WAIT(overtakes, o->arrivals.overtakes)
WAIT(raised, o->arrivals.raised)
WAIT(killed, o->arrivals.killed)
WAIT(undone, o->arrivals.undone)
WAIT(extended, o->arrivals.extended)
WAIT(requeued, o->arrivals.requeued)
WAIT(broken, o->arrivals.broken)
WAIT(fair_jobs, o->arrivals.fair_jobs)
WAIT(unfair_jobs, o->arrivals.unfair_jobs)
WAIT(unfairness, o->arrivals.mean_unfairness)
VALUE(makespan, o->makespan)
VALUE(lower_bound, o->bound)
VALUE(ratio, o->ratio)
VALUE(failures, o->failures)
VALUE(waste, o->waste)
VALUE(utilisation, o->utilisation)
VALUE(known_gap, cs_study_known_gap(study, o->makespan))
VALUE(expected_shelf, shelf_expectation(study, o, cs_trap_shelf_expected))
VALUE(expected_optimum, shelf_expectation(study, o, cs_trap_shelf_optimum))
WAIT(window_utilisation, o->arrivals.window_utilisation)

/* Once for each set. */
static double problem_jobs(const struct cs_study *study, const void *one)
{
    const struct cs_rigid_seen *o = one;

    (void)study;
    return o->first ? o->jobs : NAN;
}

static double left_out(const struct cs_study *study, const void *one)
{
    (void)one;
    return ((const struct cs_rigid_case *)(const void *)study)->left_out;
}

CS_FUNCTIONS_ENERGY

static const struct cs_value values[] = {
    {"mean_wait", "mean wait", "mean time that a job waits, seconds; with arrivals",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "mean wait", .interval = true,
     .of = mean_wait},
    {"max_wait", "longest wait", "longest time that a job waits, seconds; with arrivals",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "longest wait", .of = max_wait},
    {"mean_bounded_slowdown", "mean bounded slowdown",
     "mean turnaround over running time, of at least 10 s; with arrivals", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "slowdown", .unit = "mean", .digits = 2, .of = mean_slowdown},
    {"max_bounded_slowdown", "worst bounded slowdown", "the largest of them; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = max_slowdown},
    {"makespan", "makespan", "seconds, from the first submission on", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .column = "mean makespan", .digits = 6, .of = makespan},
    {"lower_bound", "lower bound", "no schedule is shorter, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ROWS | CS_IN_EXPERIMENTS, .of = lower_bound},
    {"ratio", "makespan / bound", "makespan / lower bound", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "over bound", .unit = "mean", .digits = 4, .interval = true,
     .extra = 1U << CS_FIGURE_Q95 | 1U << CS_FIGURE_MAX,
     .figures = 1U << CS_FIGURE_DEVIATION | 1U << CS_FIGURE_MAX, .of = ratio},
    {"failures", "failures", "attempts that failed", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "failures", .unit = "mean", .digits = 1, .of = failures},
    {"waste", "wasted processor hours", "processor seconds of attempts that failed",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .per = 3600, .of = waste},
    {"utilisation", "utilisation", "busy share of the processors' time, until the last job is done",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "utilisation", .unit = "mean", .digits = 1,
     .of = utilisation},
    {"jobs_per_hour", "jobs an hour", "jobs done an hour; with arrivals", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "jobs", .unit = "an hour", .digits = 2, .of = throughput},
    {"largest_queue", "longest queue", "largest number of waiting jobs; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = largest_queue},
    {"median_wait_of_jobs", "median wait of jobs",
     "half of the jobs wait longer, seconds; with arrivals", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .of = median_wait},
    {"p95_wait_of_jobs", "95 % of jobs wait less",
     "one job in twenty waits longer, seconds; with arrivals", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .of = p95_wait},
    {"area_weighted_wait", "wait by area",
     "mean wait, jobs counting by processors times running time; with arrivals",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = area_weighted_wait},
    {"loss_of_capacity", "lost",
     "share of the processors' time, until the last arrival, in which they were free while a job "
     "waited that would have fitted; with arrivals",
     .kind = CS_VALUE_SHARE, .in = CS_IN_EXPERIMENTS, .of = loss},
    {"p99_wait_of_jobs", "99 % of jobs wait less",
     "one job in a hundred waits longer, seconds; with arrivals", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .later = true, .of = p99_wait},
    {"median_bounded_slowdown", "median bounded slowdown",
     "half of the jobs have more; with arrivals", .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS,
     .later = true, .of = median_slowdown},
    {"p95_bounded_slowdown", "95 % of jobs have less slowdown",
     "one job in twenty has a larger bounded slowdown; with arrivals", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .later = true, .of = p95_slowdown},
    {"mean_queue", "mean queue", "jobs that wait, mean over time; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = mean_queue},
    {"overtakes", "overtakes", "pairs of jobs of which the later one starts first; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = overtakes},
    {"raised_estimates", "estimates raised",
     "jobs whose running time is longer than the request and is given to the policy; with "
     "arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = raised},
    {"killed_jobs", "killed jobs", "jobs that ended at their request; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = killed},
    {"processor_seconds_not_done", "not done",
     "processor seconds that killed jobs had left; with arrivals", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .later = true, .of = undone},
    {"extensions", "extensions", "expected ends that were put off; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = extended},
    {"requeued_attempts", "requeued attempts", "attempts that an outage ended; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = requeued},
    {"reservations_delayed", "reservations delayed",
     "jobs that started after their reservation; with arrivals", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .old = "promises_broken", .later = true, .of = broken},
    {"fairness_jobs", "jobs asked", "jobs whose fair start is known; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = fair_jobs},
    {"unfair_jobs", "unfair jobs", "of these, jobs that started later than it; with arrivals",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .later = true, .of = unfair_jobs},
    {"mean_unfairness", "mean unfairness",
     "how much later, over all whose fair start is known, seconds; with arrivals",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .later = true, .of = unfairness},
    {"window_utilisation", "utilisation until the last arrival",
     "busy share of the processors' time from the first to the last arrival, which is the "
     "utilisation of cosched replay; with arrivals",
     .kind = CS_VALUE_SHARE, .in = CS_IN_EXPERIMENTS, .later = true, .of = window_utilisation},
    {"jobs", "jobs", "jobs in a set", .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS,
     .of = problem_jobs},
    {"jobs_excluded", "sets excluded",
     "sets of jobs that are excluded: some job would fail more than ten million times",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .old = "left_out",
     .warning = "sets of jobs were excluded, because a job of theirs would fail more than ten "
                "million times",
     .of = left_out},
    CS_VALUE_KNOWN_GAP("makespan"),
    {"expected_shelf", "expected makespan of shelves",
     "of the trap shelf, exact expectation without backfilling, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .later = true, .of = expected_shelf},
    {"expected_optimum", "expected optimum", "of the trap shelf, exact expectation, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .later = true, .of = expected_optimum},
    CS_VALUES_ENERGY,
    {0},
};

static struct cs_problem_priority problem_priority(int index)
{
    int count;
    const struct cs_sched_priority *list = cs_sched_priorities(&count);
    const struct cs_sched_urgency *beyond;

    if (index < count)
        return (struct cs_problem_priority){list[index].name, list[index].summary,
                                            list[index].source};
    beyond = cs_sched_urgency_beyond(index - count);
    return beyond ? (struct cs_problem_priority){beyond->name, beyond->summary, beyond->source}
                  : (struct cs_problem_priority){0};
}

const struct cs_problem cs_problem_rigid = {
    .name = "rigid",
    .summary = "jobs of fixed width, which may have to run again because of silent errors: in "
               "which order and when they start",
    .param = params,
    .value = values,
    .choice = {{"policy", "policies", cs_sched_policies}},
    .priorities = problem_priority,
    .variant = {"policy", "priority"},
    .group = "set",
    .size = "jobs",
    .options = sizeof(struct cs_rigid_options),
    .outcome = sizeof(struct cs_rigid_seen),
    .check = cs_rigid_case_check,
    .open = cs_rigid_case_open,
    .close = cs_rigid_case_close,
    .run = cs_rigid_case_run,
    .identify = cs_rigid_case_identify,
    .record = cs_rigid_case_record,
    .put = cs_rigid_case_put,
    .discard = cs_rigid_case_discard,
    .supplied = cs_rigid_case_supplied,
    .table = cs_rigid_case_table,
    .generate = cs_rigid_case_generate,
};
