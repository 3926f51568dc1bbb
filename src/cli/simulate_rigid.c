/* simulate_rigid.c - cosched simulate rigid: jobs of fixed width under silent errors. */
#include "cli/simulate_rigid.h"

#include "base/thread.h"
#include "cli/base/output.h"
#include "study/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct cs_rigid_outcome *cs_simulate_rigid_outcome(const struct cs_simulate_rigid *job, int way,
                                                   int set)
{
    size_t place = (size_t)way * (size_t)job->input->sets + (size_t)set;

    return job->outcome + place * (size_t)job->scenarios;
}

static int read_input(struct cs_simulate_rigid *job, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    const struct cs_rigid_input_options options = {
        .procs = cs_arguments_given(args, "procs") ? (int)cs_arguments_integer(args, "procs") : 0,
        .verification = cs_arguments_given(args, "verification")
                            ? cs_arguments_real(args, "verification")
                            : NAN,
        .month = cs_arguments_text(args, "month"),
        .by_day = cs_arguments_given(args, "by-day"),
        .by_count =
            cs_arguments_given(args, "by-count") ? (int)cs_arguments_integer(args, "by-count") : 0,
    };

    job->input = cs_rigid_input_read(job->path, &options, err);
    return job->input ? 0 : -1;
}

static void show_progress(void *who, long done)
{
    struct cs_simulate_rigid *job = who;

    cs_progress_show(&job->bar, (double)(job->done + done));
}

static int run_studies(struct cs_simulate_rigid *job, struct cs_error *err)
{
    job->bar = cs_progress_begin((double)job->ways * job->input->sets * job->scenarios);
    for (int w = 0; w < job->ways; w++)
        for (int s = 0; s < job->input->sets; s++) {
            const struct cs_rigid_study study = {
                .jobs = &job->input->set[s].jobs,
                .policy = job->way[w].run,
                .param = job->way[w].call.param,
                .priority = job->way[w].priority,
                .scenarios = job->drawn[s],
                .threads = job->threads,
                .progress = show_progress,
                .who = job,
            };

            if (cs_rigid_study_run(&study, cs_simulate_rigid_outcome(job, w, s), err))
                return -1;
            job->done += job->scenarios;
        }
    cs_progress_end(&job->bar);
    return 0;
}

/* The strong bound takes the place of the plain one. */
static int raise_bounds(struct cs_simulate_rigid *job, struct cs_error *err)
{
    for (int s = 0; s < job->input->sets; s++) {
        double *bound = CS_NEW_ARRAY(job->arena, double, job->scenarios);

        if (cs_rigid_study_bounds(job->drawn[s], job->threads, bound, err))
            return -1;
        for (int w = 0; w < job->ways; w++) {
            struct cs_rigid_outcome *outcome = cs_simulate_rigid_outcome(job, w, s);

            for (int i = 0; i < job->scenarios; i++) {
                outcome[i].bound = bound[i];
                outcome[i].ratio = bound[i] > 0 ? outcome[i].makespan / bound[i] : 1;
            }
        }
    }
    return 0;
}

static int simulate(struct cs_simulate_rigid *job, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(job->args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_simulate_rigid_check_outputs(job->args, err))
        return -1;
    if (cs_simulate_rigid_ways(job, err) || read_input(job, err) ||
        cs_simulate_rigid_draw(job, err))
        return -1;
    if (cs_arguments_given(job->args, "arrivals"))
        return cs_simulate_rigid_arrivals(job, err);
    job->outcome =
        CS_NEW_ARRAY(job->arena, struct cs_rigid_outcome,
                     (size_t)job->ways * (size_t)job->input->sets * (size_t)job->scenarios);
    if (run_studies(job, err) ||
        (cs_arguments_choice(job->args, "bound") == 1 && raise_bounds(job, err)) ||
        cs_simulate_rigid_files(job, err))
        return -1;
    cs_simulate_rigid_show(job, format, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    int64_t threads = cs_arguments_integer(args, "threads");
    struct cs_simulate_rigid job = {
        .args = args,
        .arena = cs_arena_create(),
        .path = cs_arguments_operand(args, 0),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
        .threads = threads ? (int)threads : cs_thread_limit(),
    };
    int status = cs_simulate_rigid_check_files(args, err) ? CS_EXIT_USAGE : simulate(&job, err);

    for (int s = 0; job.drawn && s < job.input->sets; s++)
        cs_rigid_scenarios_destroy(job.drawn[s]);
    cs_rigid_input_destroy(job.input);
    cs_arena_destroy(job.arena);
    return status;
}

static void policy_words(struct cs_strbuf *words)
{
    int count;
    const struct cs_policy *const *list = cs_rigid_policies(&count);

    for (int i = 0; i < count; i++) {
        cs_strbuf_printf(words, "%s ", list[i]->name);
        for (const struct cs_policy_preset *p = list[i]->presets; p && p->name; p++)
            cs_strbuf_printf(words, "%s ", p->name);
    }
    cs_strbuf_puts(words, "all");
}

static void priority_words(struct cs_strbuf *words)
{
    int count;
    const struct cs_rigid_priority *list = cs_rigid_priorities(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(words, "%s ", list[i].name);
    cs_strbuf_puts(words, "fcfs all");
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_FIELD_PATH,
     .summary = "the jobs: a log (Standard Workload Format, or CSV of ALCF), CSV with the columns "
                "name,procs,seconds, or a sample of Benoit et al.; - reads standard input; .gz and "
                ".xz are fine"},
    {0},
};

static const struct cs_field options[] = {
    CS_FIELD_PROCS_GROUP("What is simulated", 1),
    {.name = "by-day",
     .kind = CS_FIELD_FLAG,
     .summary = "logs: the jobs of each day of submission (UTC) are a set of their own"},
    {.name = "by-count",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000000,
     .summary = "logs: so many jobs after each other are a set of their own"},
    {.name = "month",
     .kind = CS_FIELD_TEXT,
     .argument = "YYYY-MM",
     .summary = "logs: only the jobs that were submitted in this month"},
    {.name = "arrivals",
     .kind = CS_FIELD_FLAG,
     .summary = "logs: jobs become known at their submit times, instead of all at 0; waits and "
                "slowdowns are reported, and there is one more priority, fcfs, the default then"},
    {.name = "estimates",
     .needs = "arrivals",
     .kind = CS_FIELD_CHOICE,
     .choices = "requested|exact",
     .fallback = "requested",
     .summary =
         "with --arrivals: what the policy is told of running times; without a request, and for "
         "jobs that ran longer, it is the running time"},
    {.name = "mean-failure-probability",
     .letter = 'q',
     .kind = CS_FIELD_REAL,
     .argument = "Q",
     .low = 0,
     .high = 1,
     .group = "Which attempts fail",
     .summary = "an attempt of a job of mean area (processors times seconds) fails with this "
                "probability, 0 <= Q < 1; default: what a sample says, else no attempt fails"},
    {.name = "mtbe",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e300,
     .summary = "instead: mean time between silent errors of one processor"},
    {.name = "failures",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary =
         "instead: how often each job fails, one scenario a line, one number for each job in "
         "the order of the input"},
    {.name = "verification",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt; default: what a sample says, else 0"},
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 100000000,
     .summary = "drawn for each set; default: 1000, or all of FILE, or 1 when nothing is drawn; "
                "with --arrivals 1"},
    CS_FIELD_SEED_ROW(
        "of failures and random priorities; scenario I of a set depends on nothing else"),
    CS_FIELD_WHOLE_ROW("set", "K", "0", 0, 1000000000,
                       "number of the first set in the random draws"),
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .fallback = "easy",
     .group = "How jobs are started",
     .values = policy_words,
     .summary =
         "the policy, see 'cosched list rigid'; several with commas between them, or all, are "
         "compared in a table"},
    {.name = "priority",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .fallback = "lpt",
     .values = priority_words,
     .summary =
         "the order of the jobs, in upper or lower case; several with commas between them, or "
         "all, are compared"},
    CS_FIELD_THREADS_ROW,
    {.name = "bound",
     .kind = CS_FIELD_CHOICE,
     .choices = "plain|strong",
     .fallback = "plain",
     .summary =
         "the lower bound of each scenario: longest job and area, or dual feasible functions "
         "and exclusion too, which takes about a millisecond for 100 jobs"},
    CS_FIELD_FORMAT_GROUP("What comes out"),
    {.name = "per-scenario",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary =
         "write scenario,makespan,lower_bound,failures with 17 digits, with --arrivals waits "
         "and slowdowns too; with several sets the set stands in front"},
    CS_FIELD_WHOLE_ROW("scenario", "I", "0", 0, 100000000,
                       "the scenario of --schedule, --gantt and --jobs, counted from 0"),
    {.name = "schedule",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "write one scenario as JSON (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw one scenario"),
    {.name = "jobs",
     .needs = "arrivals",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "with --arrivals: write a row for every attempt, in the form of Batsim's "
                "PREFIX_jobs.csv"},
    CS_FIELD_UNIT_ROW,
    CS_FIELD_TITLE_ROW,
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"A synthetic set of the paper, EASY, a third of the mean attempts failing:",
     "cosched generate rigid | cosched simulate rigid - --procs 10000 -q 0.3"},
    {"Every policy under every priority:",
     "cosched simulate rigid jobs.csv --procs 10000 -q 0.3 --policy all --priority all"},
    {"A job log day by day, with the outcome of every scenario:",
     "cosched simulate rigid log.swf.gz --by-day --mtbe 1000d --per-scenario out.csv"},
    {"A log as it was submitted, under EASY backfilling:",
     "cosched simulate rigid log.swf.gz --arrivals --policy strict-easy --jobs out_jobs.csv"},
    {"Which policy and which order would have made its users wait least?",
     "cosched simulate rigid log.swf.gz --arrivals --policy all --priority fcfs,spt,lpt"},
    {"Look at one scenario and have it judged:",
     "cosched simulate rigid jobs.csv --procs 64 -q 0.2 --scenario 7 --gantt s.svg --schedule "
     "s.json && cosched check s.json"},
    {0},
};

const struct cs_command cs_command_simulate_rigid = {
    .words = "simulate rigid",
    .summary = "simulate jobs of fixed width that may have to run again",
    .description =
        "Jobs with a fixed number of processors and a fixed time run on one machine. A silent "
        "error "
        "is noticed at the end of an attempt: the job must run again from the beginning, and joins "
        "the queue with its priority. Each scenario says how often each job fails; the policy does "
        "not know.\n\n"
        "For the makespan, its ratio to a lower bound, the number of failures, the wasted "
        "processor "
        "time and the utilisation, the mean over the scenarios is shown with its 95 % confidence "
        "interval, standard deviation, quantiles and extremes. No schedule of a scenario is "
        "shorter "
        "than its bound.\n\n"
        "With --arrivals a log is replayed: mean and longest wait, bounded slowdown (10 s), jobs "
        "an "
        "hour and the longest queue come on top. EASY as operators know it is strict-easy. The "
        "longest wait is worth a look: with greedy, and with any priority but fcfs, a job may wait "
        "as long as others that come before it keep arriving. A shelf is made at the end of the "
        "one "
        "before it or, when nobody waited then, at the next arrival.\n\n"
        "Lines of a log that are left out (pieces of jobs, jobs that did not run, jobs wider than "
        "the machine) are counted rule by rule.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
