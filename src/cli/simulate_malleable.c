/* simulate_malleable.c - cosched simulate malleable: applications that widen and narrow, on
 * processors that fail. */
#include "cli/simulate_malleable.h"

#include "base/thread.h"
#include "cli/base/output.h"

#include <math.h>
#include <string.h>

const char *cs_simulate_malleable_end(const struct cs_simulate_malleable *run, int way)
{
    int count;

    return cs_malleable_end_policies(&count)[run->way[way].on_end]->name;
}

const char *cs_simulate_malleable_failure(const struct cs_simulate_malleable *run, int way)
{
    int count;

    return cs_malleable_failure_policies(&count)[run->way[way].on_failure]->name;
}

/* The policies that an option asks for: first .. last of the list; -1 with err.  Not given: those
 * of the rules. */
static int read_policies(const struct cs_arguments *args, const char *option,
                         const struct cs_policy *const *list, int count, int rule, int *first,
                         int *last, struct cs_error *err)
{
    const char *text = cs_arguments_text(args, option);
    struct cs_policy_call call = {.policy = rule};

    *first = 0;
    *last = count - 1;
    if (text && !strcmp(text, "all"))
        return 0;
    if (text && cs_policy_parse(text, list, count, &call, err))
        return cs_error_prefix(err, "--%s", option);
    *first = *last = call.policy;
    return 0;
}

static int find_ways(struct cs_simulate_malleable *run, struct cs_error *err)
{
    const struct cs_arguments *args = run->job.args;
    int ends, failures, first_end, last_end, first_failure, last_failure;
    const struct cs_policy *const *end = cs_malleable_end_policies(&ends);
    const struct cs_policy *const *failure = cs_malleable_failure_policies(&failures);
    const struct cs_malleable_rules *rules = &run->job.rules;

    if (read_policies(args, "on-end", end, ends, rules->on_end, &first_end, &last_end, err) ||
        read_policies(args, "on-failure", failure, failures, rules->on_failure, &first_failure,
                      &last_failure, err))
        return -1;
    run->way = CS_NEW_ARRAY(run->job.arena, struct cs_malleable_rules, ends * failures);
    for (int e = first_end; e <= last_end; e++)
        for (int f = first_failure; f <= last_failure; f++) {
            run->way[run->ways] = *rules;
            run->way[run->ways].on_end = e;
            run->way[run->ways++].on_failure = f;
        }
    return 0;
}

static void show_progress(void *who, long done)
{
    struct cs_simulate_malleable *run = who;

    cs_progress_show(&run->bar, run->done + (double)done);
}

/* What made no progress has no makespan, and nothing can be said about the others' mean. */
static int check_progress(const struct cs_simulate_malleable *run, int way, struct cs_error *err)
{
    const struct cs_malleable_outcome *outcome =
        run->outcome + (size_t)way * (size_t)run->scenarios;

    for (int s = 0; s < run->scenarios; s++)
        if (outcome[s].no_progress)
            return cs_error_set(
                err,
                "%s: scenario %d (on end %s, on failure %s) makes no progress: given "
                "up after %d failures; processors fail too often for these "
                "applications",
                run->job.path, s, cs_simulate_malleable_end(run, way),
                cs_simulate_malleable_failure(run, way), CS_MALLEABLE_FAILURES);
    return 0;
}

static int run_studies(struct cs_simulate_malleable *run, struct cs_error *err)
{
    run->bar = cs_progress_begin((double)run->ways * run->scenarios);
    run->outcome = CS_NEW_ARRAY(run->job.arena, struct cs_malleable_outcome,
                                (size_t)run->ways * (size_t)run->scenarios);
    for (int w = 0; w < run->ways; w++) {
        const struct cs_malleable_study study = {
            .instance = run->job.instance,
            .rules = &run->way[w],
            .source = &run->job.source,
            .scenarios = run->scenarios,
            .threads = run->threads,
            .progress = show_progress,
            .who = run,
        };

        if (cs_malleable_study_run(&study, run->outcome + (size_t)w * (size_t)run->scenarios,
                                   err) ||
            check_progress(run, w, err))
            return -1;
        run->done += run->scenarios;
    }
    cs_progress_end(&run->bar);
    return 0;
}

/* The failures that every way meets. */
static int read_law(struct cs_simulate_malleable *run, struct cs_error *err)
{
    static const double usual_shape[] = {1, 0.7, 1};
    const struct cs_arguments *args = run->job.args;
    struct cs_malleable_failures *law = &run->job.source.law;

    law->procs = run->job.platform.procs;
    law->mtbf = run->job.platform.mtbf;
    law->law = (enum cs_malleable_law)cs_arguments_choice(args, "law");
    law->shape = cs_arguments_given(args, "shape") ? cs_arguments_real(args, "shape")
                                                   : usual_shape[law->law];
    if (cs_arguments_given(args, "shape") && law->law == CS_MALLEABLE_EXPONENTIAL)
        return cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    run->scenarios = cs_arguments_given(args, "scenarios")
                         ? (int)cs_arguments_integer(args, "scenarios")
                     : run->job.platform.fault_free || run->job.faults ? 1
                                                                       : 100;
    return 0;
}

static int simulate(struct cs_simulate_malleable *run, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(run->job.args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_simulate_malleable_check_outputs(run->job.args, err) ||
        cs_malleable_job_read(&run->job, err) || read_law(run, err) ||
        (cs_arguments_given(run->job.args, "tune") ? cs_simulate_malleable_tune(run, err)
                                                   : find_ways(run, err)) ||
        run_studies(run, err) || cs_simulate_malleable_files(run, err))
        return -1;
    cs_simulate_malleable_show(run, format, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    int64_t threads = cs_arguments_integer(args, "threads");
    struct cs_simulate_malleable job = {
        .job =
            {
                .args = args,
                .arena = cs_arena_create(),
                .faults = cs_arguments_text(args, "faults"),
                .system = cs_arguments_given(args, "system")
                              ? (int)cs_arguments_integer(args, "system")
                              : 0,
                .source.law.seed = (uint64_t)cs_arguments_integer(args, "seed"),
            },
        .threads = threads ? (int)threads : cs_thread_limit(),
    };
    int status = cs_simulate_malleable_check_line(args, err) ? CS_EXIT_USAGE : simulate(&job, err);

    cs_malleable_job_release(&job.job);
    cs_arena_destroy(job.job.arena);
    return status;
}

static void words(struct cs_strbuf *out, const struct cs_policy *const *list, int count)
{
    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s ", list[i]->name);
    cs_strbuf_puts(out, "all");
}

static void end_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list = cs_malleable_end_policies(&count);

    words(out, list, count);
}

static void failure_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list = cs_malleable_failure_policies(&count);

    words(out, list, count);
}

static const struct cs_operand operands[] = {CS_MALLEABLE_INPUT, {0}};

static const struct cs_field options[] = {
    CS_MALLEABLE_OPTIONS,
    {.name = "on-end",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .group = "The policies",
     .values = end_words,
     .summary = "which processors move when an application ends, see 'cosched list malleable'; all "
                "compares; default: that of the rules"},
    {.name = "on-failure",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .values = failure_words,
     .summary = "which processors move when a failure has made an application the longest; all "
                "compares; default: that of the rules"},
    {.name = "tune",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary =
         "instead: try 30 pairs of policies and period factors in N scenarios that are drawn "
         "for this, and take the best"},
    CS_MALLEABLE_RULES,
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "exponential|weibull|lognormal",
     .fallback = "exponential",
     .group = "The failures",
     .summary = "of the times between failures of one processor; their mean is --mtbf"},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: failures come in bursts; default 0.7), or the deviation of "
                "the logarithm of lognormal (default 1)"},
    {.name = "faults",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary = "failures from a list, a line \"time,processor\" each, or from the failure data of "
                "Los Alamos; scenarios after the first begin at a random moment of it"},
    {.name = "system",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 99,
     .needs = "faults",
     .summary = "the system, in the failure data of Los Alamos"},
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "default: 100, or 1 with --faults or --fault-free"},
    CS_FIELD_SEED_ROW("of the failures; every policy meets the same"),
    CS_FIELD_THREADS_ROW,
    CS_FIELD_FORMAT_GROUP("What comes out"),
    {.name = "per-scenario",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each scenario: makespan, failures, and what the processors' time went "
                "into"},
    {.name = "schedule",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "one scenario as a schedule (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw one scenario: the applications as they widen and narrow"),
    {.name = "gantt-view",
     .kind = CS_FIELD_CHOICE,
     .choices = "applications|processors",
     .fallback = "applications",
     .needs = "gantt",
     .summary = "a ribbon for each application, or a row for each processor"},
    CS_FIELD_WHOLE_ROW("scenario", "I", "0", 0, 10000000,
                       "the one that --schedule and --gantt show, from 0"),
    CS_FIELD_UNIT_ROW,
    CS_FIELD_TITLE_ROW,
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"A hundred applications of the paper on 1,000 processors, through 100 random lives:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000"},
    {"Every pair of policies, as the paper runs them:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000 --rules paper "
     "--on-end all --on-failure all"},
    {"Let simulation choose, and draw the first scenario:",
     "cosched generate malleable --tasks 12 -o apps.json && cosched simulate malleable apps.json "
     "--procs 120 --mtbf 10y --tune 10 --gantt life.svg"},
    {"A recorded life of a machine, on applications of your own:",
     "cosched simulate malleable examples/applications.csv --procs 64 --faults "
     "examples/faults.csv"},
    {0},
};

const struct cs_command cs_command_simulate_malleable = {
    .words = "simulate malleable",
    .summary = "run applications that change their processors, on processors that fail",
    .description =
        "All applications start together; each runs on an even number of processors, which may "
        "change while it runs. They save their state now and then; a failure of a processor takes "
        "its application back to the last checkpoint. When an application ends, or when a failure "
        "has made one the longest, policies move processors between applications, which costs "
        "time.\n\n"
        "The problem, and the policies, are those of Benoit, Pottier, Robert, \"Resilient "
        "application co-scheduling with processor redistribution\". Reported are the makespan and "
        "its ratio to a lower bound that holds whatever fails, and what the processors' time went "
        "into: work, checkpoints, lost work, downtime and recovery, moves, idle. Failures that "
        "would have been fatal in reality (both processors of a pair at once) are counted.\n\n"
        "Times may have a unit: s, min, h, d, w, y (365 days).",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
