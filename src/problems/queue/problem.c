/* problem.c - the problem queue, described once (problem/problem.h). */
#include "problems/queue/problem.h"

#include "problems/queue/site_rows.h"

#include <math.h>
#include <string.h>

#define AT(member) offsetof(struct cs_queue_options, member)
#define SITE(member) AT(site.member)

enum { RUN = CS_SIMULATE | CS_EXPERIMENT, SHOWN = CS_SIMULATE | CS_REPLAY, ALL = RUN | CS_REPLAY };

static void put_policy_words(struct cs_strbuf *out)
{
    cs_study_policy_words(&cs_problem_queue.choice[0], out);
}

static void put_priority_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_sched_urgency *list = cs_sched_urgencies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", list[i].name);
}

static void put_by_words(struct cs_strbuf *out)
{
    for (int by = 0; by < CS_QUEUE_BYS; by++)
        cs_strbuf_printf(out, "%s%s", by ? " " : "", cs_queue_by_word((enum cs_queue_by)by));
}

#define WORKLOADS "uniform|lublin|lublin-batch"

/* A number for jobs that are drawn. */
#define ROW_DRAWN(word, kind_, argument_, fallback_, low_, high_, needs_, actions_, member, what)  \
    {                                                                                              \
        .name = word, .kind = CS_PARAM_##kind_, .argument = argument_, .default_text = fallback_,  \
        .low = low_, .high = high_, .needs = needs_, .summary = what, .actions = actions_,         \
        .scope = CS_SCOPE_GENERATOR, .at = AT(member),                                             \
    }

/* The model of Lublin and Feitelson, and requested times. */
#define ROWS_MODEL(actions_, needs_)                                                               \
    ROW_DRAWN("gap-factor", REAL, "X", "1", 1e-6, 1e6, needs_, actions_, gap_factor,               \
              "lublin: gaps between arrivals are so much longer; less than 1 is more load"),       \
        ROW_DRAWN("start-hour", INTEGER, "H", "0", 0, 23, needs_, actions_, start_hour,            \
                  "lublin: hour of the day at which the log begins"),                              \
        CS_SITE_CHOICE("requests", NULL, "exact|tsafrir", "exact", needs_, actions_,               \
                       CS_SCOPE_GENERATOR, AT(requests),                                           \
                       "requested times are the run times, or drawn as users choose them "         \
                       "(Tsafrir et al.)"),                                                        \
        ROW_DRAWN("largest-request", SECONDS, "TIME", "48h", 0, 1e9, needs_, actions_,             \
                  largest_request,                                                                 \
                  "tsafrir: the longest time that can be requested, at which jobs end")

static const struct cs_param params[] = {
    CS_ROW_INPUTS("a job log in a format of cosched replay; several are merged by time (default: "
                  "generated jobs)"),
    CS_ROW_COUNT("jobs", "1000", 1, 10000000, "how many, when they are drawn", AT(jobs)),
    CS_ROW_WHOLE("set", "K", "0", 0, 1000000000, "number of the set of jobs that is drawn",
                 AT(set)),
    ROW_DRAWN("arrivals", SECONDS, "TIME", "20min", 0, 1e9, NULL, CS_GENERATOR, arrivals,
              "mean time from one drawn job to the next, exponential; 0: all arrive at 0"),
    CS_SITE_CHOICE("workload", NULL, WORKLOADS, NULL, NULL, CS_GENERATOR, CS_SCOPE_GENERATOR,
                   AT(workload),
                   "how jobs are drawn: widths and times of Benoit et al., or the model of Lublin "
                   "and Feitelson of all jobs or of batch jobs; default: uniform"),
    ROWS_MODEL(CS_GENERATOR, NULL),
    CS_SITE_CHOICE(
        "speedup", NULL, "none|downey", "none", NULL, CS_GENERATE, CS_SCOPE_GENERATOR, AT(speedup),
        "downey: moldable jobs with the speedups of Downey, as a workload (JSON) for the "
        "problem moldable"),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_PARAM_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 2147483647,
     .summary = "processors of the machine, which the log states; default: 10,000",
     .actions = CS_GENERATE,
     .scope = CS_SCOPE_GENERATOR,
     .at = SITE(procs)},
    CS_ROW_SEED("of the draws; a job depends on seed, set and its own number only", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.swf|FILE.json", CS_GENERATE),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_PARAM_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 2147483647,
     .group = "The machine",
     .summary = "one pool of so many processors; default: MaxProcs of the log",
     .actions = ALL,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(procs)},
    CS_SITE_ROWS_MACHINE(NULL, NULL, ALL, SITE),
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME[:PARAM=VALUE,...],...",
     .group = "How jobs are started",
     .default_text = "easy",
     .values = put_policy_words,
     .policies = &cs_problem_queue.choice[0],
     .list = true,
     .summary = "the policies, a row each, see 'cosched list rigid'",
     .actions = ALL,
     .scope = CS_SCOPE_VARIANT,
     .at = SITE(policy)},
    CS_ROWS_PROGRAM("jobs to start", ALL, SITE(program), SITE(patience)),
    {.name = "priority",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME,...",
     .values = put_priority_words,
     .list = true,
     .summary = "the order of the queue; several are combined with each policy; default: fcfs, and "
                "for slurm with a slurm.conf that has the multifactor priority, slurm",
     .actions = ALL,
     .scope = CS_SCOPE_VARIANT,
     .at = SITE(priority)},
    {.name = "estimates",
     .kind = CS_PARAM_CHOICE,
     .choices = "requested|exact|last2",
     .default_text = "requested",
     .summary = "runtime estimates given to the policy: the request, the true time, or the mean "
                "of the last two jobs of the user",
     .actions = ALL,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(estimates)},
    CS_SITE_ROWS_OVERRUN(NULL, ALL, SITE),
    CS_SITE_ROWS_LIMITS(NULL, ALL, SITE),
    CS_SITE_ROWS_FAILURES(
        "silent errors: an attempt of a job of mean area (processors times seconds) fails with "
        "this probability, 0 <= Q < 1, and the job waits again; default: none does",
        "that is replayed, in the order in which they arrive", ALL, SITE),
    {.name = "verification",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "0",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt, which finds the error at its end",
     .actions = ALL,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(verification)},
    CS_ROW_SEED("of failures and of the priority random: the same as in 'simulate rigid'",
                CS_SIMULATE | CS_REPLAY),
    {.name = "set",
     .kind = CS_PARAM_INTEGER,
     .argument = "K",
     .default_text = "0",
     .low = 0,
     .high = 1000000000,
     .summary = "number of the first set in these draws",
     .actions = SHOWN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(set)},
    CS_ROW_SCENARIOS(10000, "so many draws of failures, a row each; default: 1, or all of FILE",
                     ALL, SITE(scenarios)),
    CS_SITE_CHOICE("workload", "Jobs that are drawn, instead of a log", WORKLOADS, NULL, NULL,
                   SHOWN, CS_SCOPE_GENERATOR, AT(workload),
                   "as in 'cosched generate queue', with this seed and set"),
    ROW_DRAWN("draw-jobs", INTEGER, "N", "1000", 1, 10000000, "workload", SHOWN, jobs,
              "how many (--jobs writes a table here)"),
    ROW_DRAWN("arrivals", SECONDS, "TIME", "20min", 0, 1e9, "workload", SHOWN, arrivals,
              "workload uniform: mean time from one job to the next, exponential"),
    ROWS_MODEL(SHOWN, "workload"),
    CS_SITE_ROWS_LOG("Input", NULL, ALL, SITE),
    {.name = "lookahead",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "200000",
     .low = 1,
     .high = 1000000000,
     .summary = "lines of a file that may be out of order",
     .actions = ALL,
     .at = SITE(lookahead)},
    {.name = "strict",
     .kind = CS_PARAM_FLAG,
     .summary = "any malformed line is an error; otherwise more than 1 % are",
     .actions = ALL,
     .at = SITE(strict)},
    {.name = "by-day",
     .kind = CS_PARAM_FLAG,
     .group = "Sets that each find the machine empty; all jobs are in memory",
     .summary = "one set of the jobs of each day (UTC)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(by_day)},
    {.name = "day",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "only the N-th day that has jobs",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(day)},
    {.name = "by-count",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000000,
     .summary = "one set of each N consecutive jobs",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(by_count)},
    {.name = "sequences",
     .kind = CS_PARAM_INTEGER,
     .argument = "COUNT",
     .low = 1,
     .high = 1000000,
     .summary = "so many sets of consecutive jobs that begin at random places of the log, as "
                "RLScheduler is tested",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(sequences)},
    {.name = "length",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "256",
     .low = 1,
     .high = 1000000000,
     .needs = "sequences",
     .summary = "jobs of such a set",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(length)},
    {.name = "month",
     .kind = CS_PARAM_TEXT,
     .argument = "YYYY-MM",
     .summary = "only jobs that arrive in this month (UTC)",
     .actions = RUN,
     .scope = CS_SCOPE_INSTANCE,
     .at = SITE(month)},
    {.name = "bound",
     .kind = CS_PARAM_CHOICE,
     .choices = "plain|strong",
     .summary = "lower bounds of the makespan: longest job and area, or dual feasible functions "
                "and exclusion too, about a millisecond for 100 jobs",
     .actions = RUN,
     .at = SITE(bound)},
    CS_SITE_ROWS_WINDOW("Measured window", NULL, ALL, SITE),
    {.name = "by",
     .kind = CS_PARAM_TEXT,
     .argument = "WORD,...",
     .values = put_by_words,
     .list = true,
     .summary = "tables by width, time, class (both), user, account, partition, qos, week or day; "
                "JSON of a replay has all but day",
     .actions = CS_SIMULATE | CS_REPLAY,
     .at = SITE(by)},
    {.name = "top",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "20",
     .low = 1,
     .high = 100000,
     .summary = "users and accounts shown, by processor time",
     .actions = CS_SIMULATE | CS_REPLAY,
     .at = SITE(top)},
    CS_SITE_ROW_FAIRNESS(NULL, ALL, SITE),
    {.name = "jobs",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "write a line for each job of each policy",
     .actions = CS_REPLAY,
     .at = SITE(jobs)},
    {.name = "jobs-format",
     .needs = "jobs",
     .kind = CS_PARAM_CHOICE,
     .choices = "full|batsim|attempts",
     .default_text = "full",
     .summary = "all columns; those that Batsim and evalys have, for one policy; these for each "
                "attempt",
     .actions = CS_SIMULATE | CS_REPLAY,
     .at = SITE(jobs_format)},
    CS_PARAM_CSV_SAFE(CS_REPLAY, SITE(csv_safe)),
    {.name = "full",
     .kind = CS_PARAM_FLAG,
     .group = "Records",
     .summary = "what all texts but \"table\", \"csv\" and of a schedule want",
     .actions = CS_REPLAY,
     .at = SITE(full)},
    {.name = "keep",
     .kind = CS_PARAM_TEXT,
     .argument = "WISH",
     .summary = "name of the output that needs the schedule of the only row, used in messages, "
                "such as output",
     .actions = CS_REPLAY,
     .at = SITE(keep)},
    {.name = "keep-jobs",
     .kind = CS_PARAM_FLAG,
     .summary = "every job of every row, for the columns of cs_replay_arrow",
     .actions = CS_REPLAY,
     .at = SITE(keep_jobs)},
    {.name = "threads",
     .kind = CS_PARAM_INTEGER,
     .argument = "T",
     .default_text = "0",
     .low = 0,
     .high = 1024,
     .summary = "policies at the same time, 0: as many as there are processors; results do not "
                "depend on it",
     .actions = CS_SIMULATE | CS_REPLAY,
     .at = CS_STUDY_AT(threads)},
    CS_ROWS_WATTS(ALL),
    CS_ROW_FORMAT("Output", CS_SIMULATE),
    CS_ROW_PER_SCENARIO("a row for each scenario, with 17 digits"),
    CS_ROW_SCENARIO("the scenario of --output, --gantt and --jobs, counted from 0"),
    CS_ROW_SCHEDULE("write one scenario of one policy as JSON (cosched-schedule-1), which 'cosched "
                    "check' judges; not where cores are shared",
                    CS_SIMULATE),
    CS_ROW_PROCESSORS(CS_SIMULATE | CS_REPLAY),
    CS_ROW_GANTT("draw one scenario of one policy", CS_SIMULATE),
    {.name = "jobs",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "write a line for each job of one policy",
     .actions = CS_SIMULATE,
     .at = CS_STUDY_AT(table)},
    {.name = "report",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.html",
     .summary = "make the page of 'cosched replay': utilisation, queue and waits of all variants, "
                "distributions, classes, users",
     .actions = CS_SIMULATE,
     .at = SITE(report)},
    CS_ROW_TITLE(CS_SIMULATE),
    CS_ROW_DARK(CS_SIMULATE),
    {0},
};

const struct cs_param *cs_queue_replay_params(struct cs_arena *arena)
{
    return cs_params_select(params, CS_REPLAY, arena);
}

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_queue_outcome *o = one;                                                    \
                                                                                                   \
        (void)study;                                                                               \
        return o->made ? (double)(expression) : NAN;                                               \
    }

VALUE(jobs, o->measured.jobs)
VALUE(mean_wait, o->measured.mean_wait)
VALUE(mean_wait_half, o->measured.wait.half)
VALUE(mean_wait_related, o->measured.wait.related)
VALUE(median_wait, o->measured.median_wait)
VALUE(p95_wait, o->measured.p95_wait)
VALUE(p99_wait, o->measured.p99_wait)
VALUE(longest_wait, o->measured.longest_wait)
VALUE(area_weighted_wait, o->measured.area_weighted_wait)
VALUE(mean_slowdown, o->measured.mean_slowdown)
VALUE(median_slowdown, o->measured.median_slowdown)
VALUE(p95_slowdown, o->measured.p95_slowdown)
VALUE(per_processor, o->measured.per_processor_slowdown)
VALUE(mean_response, o->measured.mean_response)
VALUE(utilisation, o->measured.utilisation)
VALUE(loss, o->measured.loss_of_capacity)
VALUE(mean_queue, o->measured.mean_queue)
VALUE(longest_queue, o->measured.longest_queue)
VALUE(queued_work, o->measured.queued_work)
VALUE(jobs_a_day, o->measured.jobs_a_day)
VALUE(hours_a_day, o->measured.processor_hours_a_day)
VALUE(overtakes, o->measured.overtakes)
VALUE(killed, o->operated.killed)
VALUE(undone, o->operated.undone)
VALUE(raised, o->operated.raised)
VALUE(extended, o->operated.extended)
VALUE(requeued, o->operated.requeued)
VALUE(failures, o->operated.failures)
VALUE(over_limit, o->operated.over_limit)
VALUE(broken, o->operated.broken)
VALUE(late, o->measured.late)
VALUE(new_plans, o->operated.new_plans)
VALUE(moves, o->operated.moves)
VALUE(makespan, o->measured.makespan)
VALUE(fair_jobs, o->measured.fair_jobs)
VALUE(unfair_jobs, o->measured.unfair_jobs)
VALUE(mean_unfairness, o->measured.mean_unfairness)

/* The recorded schedule has none of these. */
#define OF_POLICY(id, expression) VALUE(id, o->sum.jobs ? (expression) : NAN)

OF_POLICY(lower_bound, o->bound)
OF_POLICY(ratio, o->bound > 0 ? o->sum.makespan / o->bound : o->bound + 1) /* 0: 1 */
OF_POLICY(waste, o->sum.waste)
OF_POLICY(max_slowdown, o->sum.max_slowdown)
OF_POLICY(whole_utilisation, o->sum.utilisation)

static double left_out(const struct cs_study *study, const void *one)
{
    (void)one;
    return ((const struct cs_queue_case *)(const void *)study)->request.left_out;
}

CS_FUNCTIONS_ENERGY

/* Measures of docs/spec/replay.md 10, in the order in which CSV and JSON of `cosched replay` have
 * them. */
static const struct cs_value values[] = {
    {"jobs", "jobs", "jobs that are measured", .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS,
     .of = jobs},
    {"mean_wait_of_jobs", "mean wait", "mean time that a job waits, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "mean wait", .interval = true,
     .of = mean_wait},
    {"mean_wait_half_width", "half width",
     "half the width of the 95 % confidence interval of the mean wait, by batch means, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = mean_wait_half},
    {"mean_wait_autocorrelation", "autocorrelation",
     "lag-1 autocorrelation of the batch means; above 0.3 the interval is too narrow",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = mean_wait_related},
    {"median_wait_of_jobs", "median wait", "half of the jobs wait longer, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "median", .of = median_wait},
    {"p95_wait_of_jobs", "95 % of jobs wait less", "one job in twenty waits longer, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "95 %", .of = p95_wait},
    {"p99_wait_of_jobs", "99 % of jobs wait less", "one job in a hundred waits longer, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = p99_wait},
    {"longest_wait_of_jobs", "longest wait", "longest time that a job waits, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .column = "longest wait", .of = longest_wait},
    {"area_weighted_wait", "wait by area",
     "mean wait, jobs counting by processors times running time, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .of = area_weighted_wait},
    {"mean_bounded_slowdown", "mean bounded slowdown",
     "mean time in the system over running time, of at least 10 s", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "slowdown", .unit = "mean", .digits = 2, .of = mean_slowdown},
    {"median_bounded_slowdown", "median bounded slowdown", "half of the jobs have more",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = median_slowdown},
    {"p95_bounded_slowdown", "95 % of jobs have less slowdown",
     "one job in twenty has a larger bounded slowdown", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = p95_slowdown},
    {"mean_per_processor_slowdown", "slowdown by processors",
     "mean bounded slowdown over the processors of the job", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = per_processor},
    {"mean_response", "mean response", "mean time from arrival to end, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .of = mean_response},
    {"utilisation", "utilisation",
     "busy share of the processors' time from the first to the last arrival that is measured",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "utilisation", .digits = 1,
     .of = utilisation},
    {"loss_of_capacity", "lost",
     "share of the processors' time in that window in which they were free while a job waited that "
     "would have fitted",
     .kind = CS_VALUE_SHARE, .in = CS_IN_ALL, .column = "lost", .digits = 1, .of = loss},
    {"mean_queue", "mean queue", "jobs that wait, mean over time", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .of = mean_queue},
    {"longest_queue", "longest queue", "most jobs that waited at the same time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = longest_queue},
    {"mean_queued_work", "queued work", "requested processor seconds that wait, mean over time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = queued_work},
    {"jobs_a_day", "jobs a day", "jobs that end in a day", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "jobs", .unit = "a day", .digits = 1, .of = jobs_a_day},
    {"processor_hours_a_day", "processor hours a day", "processor hours of jobs that end in a day",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = hours_a_day},
    {"overtakes", "overtakes", "pairs of jobs of which the later one starts first",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = overtakes},
    {"killed_jobs", "killed jobs", "jobs that ended at their request", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = killed},
    {"processor_seconds_not_done", "not done", "processor seconds that killed jobs had left",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = undone},
    {"raised_estimates", "estimates raised",
     "jobs whose running time is longer than the request and is given to the policy",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = raised},
    {"extensions", "extensions", "expected ends that were put off", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = extended},
    {"requeued_attempts", "requeued attempts", "attempts that an outage ended",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = requeued},
    {"failed_attempts", "failures", "attempts that failed", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .of = failures},
    {"jobs_over_limit", "jobs over the limit",
     "jobs that are left out: alone above the limit of their user", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = over_limit},
    {"reservations_delayed", "reservations delayed", "jobs that started after their reservation",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .old = "promises_broken", .of = broken},
    {"latest_after_promise", "latest after promise",
     "the longest time that a job started after its reservation, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .of = late},
    {"new_plans", "new plans", "times that all reservations were dropped and made again",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = new_plans},
    {"moved_reservations", "reservations moved", "reservations that were moved to an earlier time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = moves},
    {"makespan", "makespan", "from the first arrival to the last end, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL, .of = makespan},
    {"fairness_jobs", "jobs asked", "jobs whose fair start is known", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_EXPERIMENTS, .of = fair_jobs},
    {"unfair_jobs", "unfair jobs", "of these, jobs that started later than it",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = unfair_jobs},
    {"mean_unfairness", "mean unfairness",
     "how much later, over all whose fair start is known, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_EXPERIMENTS, .of = mean_unfairness},
    /* The first that is no measure of a replay. */
    {CS_QUEUE_FIRST_MORE, "lower bound", "no schedule is shorter, seconds; with sets or bound",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = lower_bound},
    {"ratio", "makespan / bound", "makespan / lower bound; with sets or bound",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS,
     .figures = 1U << CS_FIGURE_DEVIATION | 1U << CS_FIGURE_MAX, .of = ratio},
    {"waste", "wasted processor hours", "processor seconds of attempts that failed",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .per = 3600, .of = waste},
    {"max_bounded_slowdown", "worst bounded slowdown", "the largest bounded slowdown of a job",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = max_slowdown},
    {"whole_utilisation", "utilisation until the last end",
     "busy share of the processors' time from the first arrival to the last end",
     .kind = CS_VALUE_SHARE, .in = CS_IN_EXPERIMENTS, .of = whole_utilisation},
    {"jobs_excluded", "sets excluded",
     "sets of jobs that are excluded: some job would fail more than ten million times",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .old = "left_out",
     .warning = "sets of jobs were excluded, because a job of theirs would fail more than ten "
                "million times",
     .of = left_out},
    CS_VALUES_ENERGY,
    {0},
};

bool cs_queue_is_replay_value(const struct cs_value *value)
{
    return value->name && strcmp(value->name, CS_QUEUE_FIRST_MORE) != 0;
}

/* Orders of jobs that arrive. */
static struct cs_problem_priority problem_priority(int index)
{
    int count;
    const struct cs_sched_urgency *list = cs_sched_urgencies(&count);

    return index < count ? (struct cs_problem_priority){list[index].name, list[index].summary,
                                                        list[index].source}
                         : (struct cs_problem_priority){0};
}

const struct cs_problem cs_problem_queue = {
    .name = "queue",
    .summary = "jobs of fixed width that arrive at a cluster, from a log or drawn: what another "
               "policy or order of the queue would do",
    .param = params,
    .value = values,
    .choice = {{"policy", "policies", cs_sched_policies}},
    .priorities = problem_priority,
    .variant = {"policy", "priority"},
    .group = "set",
    .size = "jobs",
    .options = sizeof(struct cs_queue_options),
    .outcome = sizeof(struct cs_queue_outcome),
    .check = cs_queue_case_check,
    .open = cs_queue_case_open,
    .close = cs_queue_case_close,
    .run = cs_queue_case_run,
    .identify = cs_queue_case_identify,
    .record = cs_queue_case_record,
    .put = cs_queue_case_put,
    .discard = cs_queue_case_discard,
    .supplied = cs_queue_case_supplied,
    .table = cs_queue_case_table,
    .generate = cs_queue_case_generate,
};
