/* simulate_volatile.c - cosched simulate volatile: tightly coupled iterations on hosts that come
 * and go. */
#include "cli/simulate_volatile.h"

#include "base/thread.h"
#include "cli/base/output.h"
#include "study/rows.h"

#include <string.h>

static void show_progress(void *who, long done)
{
    struct cs_simulate_volatile *run = who;

    cs_progress_show(&run->bar, (double)done);
}

static int run_study(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const struct cs_volatile_study study = {
        .instance = run->instance,
        .world = run->world,
        .call = run->call,
        .policies = run->ways,
        .seed = run->seed,
        .trials = run->trials,
        .patience = run->patience,
        .threads = run->threads,
        .progress = show_progress,
        .who = run,
    };
    int status;

    run->outcome = CS_NEW_ARRAY(run->arena, struct cs_volatile_outcome,
                                (size_t)run->trials * (size_t)run->ways);
    run->limit = CS_NEW_ARRAY(run->arena, struct cs_volatile_limit, run->trials);
    run->bar = cs_progress_begin(run->trials);
    status = cs_volatile_study_run(&study, run->outcome, run->limit, err);
    cs_progress_end(&run->bar);
    return status;
}

static int simulate(struct cs_simulate_volatile *run, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(run->args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_simulate_volatile_check_outputs(run->args, err) || cs_simulate_volatile_ways(run, err) ||
        !(run->scenario = cs_hosts_read(run->path, err)) || cs_simulate_volatile_world(run, err) ||
        cs_simulate_volatile_bound(run, err) || run_study(run, err) ||
        cs_simulate_volatile_files(run, err))
        return -1;
    cs_simulate_volatile_show(run, format, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    int64_t threads = cs_arguments_integer(args, "threads");
    struct cs_simulate_volatile job = {
        .args = args,
        .words = "simulate volatile",
        .arena = cs_arena_create(),
        .path = cs_arguments_operand(args, 0),
        .trials = (int)cs_arguments_integer(args, "trials"),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
        .threads = threads ? (int)threads : cs_thread_limit(),
    };
    int status = cs_simulate_volatile_check_line(args, err) ? CS_EXIT_USAGE : simulate(&job, err);

    cs_volatile_instance_destroy(job.instance);
    cs_volatile_instance_destroy(job.truth);
    cs_hosts_destroy(job.scenario);
    cs_availability_destroy(job.availability);
    cs_arena_destroy(job.arena);
    return status;
}

static void policy_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s ", list[i]->name);
    cs_strbuf_puts(out, "all");
}

static const struct cs_operand operands[] = {
    {.name = "SCENARIO.json",
     .kind = CS_FIELD_PATH,
     .summary =
         "hosts and an application (cosched-volatile-1), such as 'cosched generate volatile' "
         "writes; - is standard input"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[,NAME...]",
     .fallback = "y-ie",
     .group = "The policies",
     .values = policy_words,
     .summary = "see 'cosched list volatile'; several, with parameters as in "
                "ie,y-ie:estimate=conditional, or all, are compared trial by trial with ie, or "
                "else with the first"},
    {.name = "estimate",
     .kind = CS_FIELD_CHOICE,
     .choices = "printed|conditional",
     .fallback = "printed",
     .summary = "of the expected time: as the paper prints it, or its true value given success"},
    {.name = "prefetch",
     .kind = CS_FIELD_CHOICE,
     .choices = "none|program|data",
     .fallback = "none",
     .summary = "what idle transfers send to hosts outside the configuration: the program, or data "
                "too; the paper's model knows no such thing"},
    {.name = "singles",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .summary = "consider also each host alone"},
    {.name = "aware",
     .kind = CS_FIELD_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .summary = "the exact measure of a running configuration with reclaimed hosts"},
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "markov|weibull|lognormal",
     .group = "The hosts",
     .summary = "of the times in a state; their means are those of the chains; default: what the "
                "scenario says, else markov"},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (default 0.5), or the deviation of the logarithm of lognormal (default "
                "1)"},
    {.name = "trace",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary =
         "states from a trace that 'cosched fit availability' reads, one of its machines for "
         "each host in order; several files are machines side by side"},
    {.name = "slot",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .needs = "trace",
     .summary = "of the trace; default: what it says, else 60 s"},
    {.name = "model",
     .kind = CS_FIELD_CHOICE,
     .choices = "given|fitted",
     .summary = "what policies believe: the chains of the scenario, or chains fitted to a history "
                "of the states before the simulation; default: given where every host has a chain"},
    {.name = "history",
     .kind = CS_FIELD_INTEGER,
     .argument = "SLOTS",
     .low = 1,
     .high = 10000000,
     .summary = "to fit chains to; default: the first half of traces, else 20000"},
    {.name = "trials",
     .letter = 'n',
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "100",
     .low = 1,
     .high = 1000000,
     .group = "The trials",
     .summary = "how many; in one every policy meets the same states; those after the first begin "
                "at a random slot of the traces and go round"},
    CS_FIELD_SEED_ROW("of the states"),
    CS_FIELD_THREADS_ROW,
    {.name = "bound",
     .kind = CS_FIELD_CHOICE,
     .choices = "auto|clairvoyant|optimum",
     .fallback = "auto",
     .group = "What comes out",
     .summary = "what makespans are held against: clairvoyant, a bound for who knows all states; "
                "optimum, the shortest schedule then, for scenarios without program and data, "
                "however long the search takes; auto, the optimum where there is neither and "
                "patience suffices, else the bound"},
    {.name = "patience",
     .kind = CS_FIELD_INTEGER,
     .argument = "WORDS",
     .fallback = "268435456",
     .low = 1,
     .high = 1000000000000000,
     .summary = "of --bound auto: how many words of 64 slots the search for the optimum of a trial "
                "looks at; some 500 million take a second"},
    CS_FIELD_FORMAT_ROW,
    {.name = "per-trial",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.csv",
     .summary = "a row for each trial and policy"},
    {.name = "schedule",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "one trial as a schedule (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw one trial: every host over time, its states and what it does"),
    CS_FIELD_WHOLE_ROW("trial", "I", "0", 0, 1000000,
                       "the one that --schedule and --gantt show, from 0"),
    CS_FIELD_TITLE_ROW,
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"A scenario of the paper, every policy, ten trials:",
     "cosched generate volatile | cosched simulate volatile - --policy all --trials 10"},
    {"Does the formula that the paper prints help, or the true one?",
     "cosched generate volatile --wmin 3 | cosched simulate volatile - --policy "
     "y-ie,y-ie:estimate=conditional"},
    {"Policies that believe in a chain while Weibull times rule:",
     "cosched generate volatile | cosched simulate volatile - --law weibull --shape 0.5 --model "
     "fitted --policy ie,y-ie,ip"},
    {"Hosts that were there when spot instances were:",
     "cosched generate volatile --hosts 12 | cosched simulate volatile - --trace "
     "examples/spot.csv --model fitted --policy ie,y-ie,random"},
    {"One trial as a schedule, judged, and as a picture:",
     "cosched simulate volatile examples/hosts.json -n 1 --schedule trial.json --gantt trial.svg "
     "&& "
     "cosched check trial.json"},
    {0},
};

const struct cs_command cs_command_simulate_volatile = {
    .words = "simulate volatile",
    .summary = "run a tightly coupled application on hosts that come and go",
    .description =
        "Each iteration of the application has tasks that compute together: a slot counts only "
        "when all hosts that have tasks are up. A host that is reclaimed by its owner suspends "
        "everybody; one that goes down loses the program and its data, and the iteration starts "
        "again. The master sends the program and the data to a bounded number of hosts at once. "
        "Policies choose the hosts, and when to change them.\n\n"
        "The problem, and the policies, are those of Casanova, Dufosse, Robert, Vivien, "
        "\"Scheduling tightly-coupled applications on heterogeneous desktop grids\". Reported are "
        "the makespan, its ratio to a bound for those who know all states beforehand, and where "
        "the slots went. Without program and data this is the paper's off-line problem, which is "
        "solved: the bound is then the optimum, and the report says so (offline-1: a task at a "
        "host; offline-inf: any number; offline: other speeds and capacities). A trial in which "
        "the cap, or the end of the traces, comes first has "
        "failed: it has no makespan and is counted apart.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
