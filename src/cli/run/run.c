/* run.c - cosched run: what is planned, or queued, is run for real. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/run/dry_run.h"
#include "cli/run/watch.h"

#include <string.h>

/* Everything after "--" is the command, one argument a word. */
static int command_at(const struct cs_arguments *args)
{
    for (int w = 0; w < args->words; w++)
        if (!strcmp(args->word[w], "--"))
            return w + 1;
    return args->words;
}

/* What a run is told when it begins stays so. */
static int check_resume(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const begins[] = {"into",    "engine", "policy",      "priority",
                                         "barrier", "set",    "allow-group", NULL};

    if (args->operands)
        return cs_error_set(err, "--resume needs nothing but the folder: what is run, and how, is "
                                 "in it");
    if (cs_arguments_given(args, "dry-run"))
        return cs_error_set(err, "--dry-run shows what a new run would do; of one that has begun: "
                                 "cosched run status");
    for (const char *const *name = begins; *name; name++)
        if (cs_arguments_given(args, *name))
            return cs_error_set(err,
                                "--%s is for a new run; what --resume goes on with was told "
                                "when it began",
                                *name);
    return 0;
}

static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    bool resumes = cs_arguments_given(args, "resume");
    int words = args->words - command_at(args), given = args->operands - words;

    if (resumes)
        return check_resume(args, err);
    if (given != 1)
        return cs_error_set(err, given > 1 ? "one INPUT is expected; the command goes after --"
                                           : "INPUT is missing: a plan, a list of jobs or a run "
                                             "file");
    if (!cs_arguments_given(args, "into") && !cs_arguments_given(args, "dry-run"))
        return cs_error_set(err, "--into RUN is missing: the folder for everything about the run");
    return 0;
}

static struct cs_run_options options_of(const struct cs_arguments *args)
{
    const int first = command_at(args);
    struct cs_run_options how;

    cs_run_defaults(&how);
    how.command = (const char *const *)args->word + first;
    how.words = args->words - first;
    how.set = cs_arguments_texts(args, "set", &how.settings);
    how.engine = cs_arguments_text(args, "engine");
    how.policy = cs_arguments_text(args, "policy");
    how.priority = cs_arguments_text(args, "priority");
    how.barrier = cs_arguments_given(args, "barrier");
    how.strict = cs_arguments_given(args, "strict");
    how.allow_group = cs_arguments_given(args, "allow-group");
    how.oversubscribe = cs_arguments_given(args, "oversubscribe");
    how.slots = cs_arguments_given(args, "slots") ? (int)cs_arguments_integer(args, "slots") : 0;
    how.durable = cs_arguments_given(args, "durable");
    how.margin = cs_arguments_real(args, "margin");
    how.poll = cs_arguments_real(args, "poll");
    how.signals = true;
    how.kill = cs_arguments_choice(args, "resume-with") == 1;
    how.retry_failed = cs_arguments_given(args, "retry-failed");
    how.declare_lost = cs_arguments_given(args, "declare-lost");
    return how;
}

static int exit_of(const struct cs_run_ended *ended)
{
    static const int status[] = {
        [CS_RUN_ALL_DONE] = CS_EXIT_DONE,
        [CS_RUN_SOME_FAILED] = CS_EXIT_FAILED,
        [CS_RUN_ASKED_TO_STOP] = CS_EXIT_STOPPED,
    };

    return ended->ending == CS_RUN_SIGNALLED ? CS_EXIT_SIGNAL + ended->signal
                                             : status[ended->ending];
}

/* The run that the line begins or goes on with. */
static int work(const struct cs_arguments *args, const struct cs_run_options *how,
                struct cs_run_ended *ended, struct cs_error *err)
{
    struct cs_run_viewer viewer;
    struct cs_run_watch watch;
    int status;

    cs_run_viewer_init(&viewer, (enum cs_run_style)cs_arguments_choice(args, "progress"), &watch);
    status = cs_arguments_given(args, "resume")
                 ? cs_run_resume(cs_arguments_text(args, "resume"), how, &watch, ended, err)
                 : cs_run_start(cs_arguments_operand(args, 0), cs_arguments_text(args, "into"), how,
                                &watch, ended, err);
    cs_run_viewer_end(&viewer, ended);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_run_options how;
    struct cs_run_ended ended = {.ending = CS_RUN_ONLY_DRY};

    if (check_line(args, err))
        return CS_EXIT_USAGE;
    how = options_of(args);
    if (!cs_arguments_given(args, "dry-run") && work(args, &how, &ended, err))
        return -1;
    return ended.ending == CS_RUN_ONLY_DRY ? cs_cli_dry_run(cs_arguments_operand(args, 0), &how,
                                                            cs_arguments_text(args, "output"), err)
                                           : exit_of(&ended);
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .optional = true,
     .kind = CS_FIELD_PATH,
     .summary = "a plan (pack plan or schedule), which is followed; CSV with the columns "
                "name,procs,seconds, which are queued; or a run file (cosched-run-1), which says "
                "itself"},
    {.name = "COMMAND",
     .optional = true,
     .repeats = true,
     .kind = CS_FIELD_TEXT,
     .summary = "after --: what each task runs, one argument a word; {name}, {procs} and others "
                "stand for values of the task"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "into",
     .kind = CS_FIELD_PATH,
     .argument = "RUN",
     .group = "Begin or go on",
     .summary = "a new folder for everything about the run"},
    {.name = "resume",
     .kind = CS_FIELD_PATH,
     .argument = "RUN",
     .summary = "go on with a run, after a stop, a kill, a reboot; what still runs is adopted"},
    {.name = "resume-with",
     .needs = "resume",
     .kind = CS_FIELD_CHOICE,
     .choices = "adopt|kill",
     .fallback = "adopt",
     .summary = "what happens to what still runs"},
    {.name = "retry-failed",
     .needs = "resume",
     .kind = CS_FIELD_FLAG,
     .summary = "tasks that failed for good, and those that were skipped because of them, get new "
                "tries"},
    {.name = "declare-lost",
     .needs = "resume",
     .kind = CS_FIELD_FLAG,
     .summary = "what ran on another host is gone: you know it"},
    {.name = "dry-run",
     .kind = CS_FIELD_FLAG,
     .summary = "only show who would start when on which slots, and the command of each task; "
                "nothing is started, nothing is written but --output"},
    {.name = "output",
     .letter = 'o',
     .old = "schedule",
     .needs = "dry-run",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "with --dry-run: write the schedule (cosched-schedule-1)"},
    {.name = "engine",
     .kind = CS_FIELD_CHOICE,
     .choices = "local|slurm|dry",
     .group = "How",
     .summary = "where: on this machine, as steps of the Slurm allocation that this is part of, or "
                "not at all; default: slurm for a plan in nodes, else local"},
    {.name = "slots",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "slots of this machine; default: one a core, for a plan as many as it has "
                "processors; with --resume how many there are from now on"},
    {.name = "oversubscribe",
     .kind = CS_FIELD_FLAG,
     .summary = "more slots than cores are fine: programs are not pinned, and times mean little"},
    {.name = "policy",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME[:PARAM=VALUE,...]",
     .summary = "jobs: who starts when, all but program of 'cosched list rigid'; default: easy"},
    {.name = "priority",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .summary = "jobs: who is looked at first; default: lpt"},
    {.name = "barrier",
     .kind = CS_FIELD_FLAG,
     .summary = "plans: a pack waits for all of the pack before"},
    CS_FIELD_STRICT_ROW,
    {.name = "set",
     .kind = CS_FIELD_TEXT,
     .argument = "KEY=JSON",
     .repeats = true,
     .summary = "a setting of all tasks, such as retries=0, timeout=\"3x\" or "
                "verify='[\"./check\",\"{out}\"]'"},
    {.name = "allow-group",
     .kind = CS_FIELD_FLAG,
     .summary = "a run file that others of its group may write to is fine"},
    {.name = "durable",
     .kind = CS_FIELD_FLAG,
     .summary = "also a power cut loses nothing; takes milliseconds a decision"},
    {.name = "margin",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .fallback = "120",
     .low = 0,
     .high = 1e9,
     .summary = "after SIGTERM: so long what runs may end by itself"},
    {.name = "poll",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .fallback = "1",
     .low = 0.01,
     .high = 1e6,
     .summary = "how often progress and saved state of applications that show them are looked at"},
    {.name = "progress",
     .kind = CS_FIELD_CHOICE,
     .choices = "auto|line|none",
     .fallback = "auto",
     .summary = "how far it is, on standard error: on a terminal a table of what runs, or one "
                "line; elsewhere a line a minute"},
    {0},
};

static const struct cs_example examples[] = {
    {"A plan of packs, with real programs:",
     "cosched plan pack apps.csv --procs 8 -o plan.json && cosched run plan.json --into run1 -- "
     "./bin/{name} --procs {procs}"},
    {"A queue of jobs under EASY backfilling, each tried three times:",
     "cosched run jobs.csv --policy easy --slots 8 --into run2 -- ./simulate --case {name}"},
    {"What would happen:", "cosched run jobs.csv --slots 8 --dry-run -- ./simulate {name}"},
    {"Applications that save their state, resized when one ends:",
     "cosched run examples/stencil/run.json --into run3"},
    {"Go on after a kill:", "cosched run --resume run2"},
    {0},
};

const struct cs_command cs_command_run = {
    .words = "run",
    .summary = "run a plan or a queue of jobs for real",
    .description =
        "A plan is followed: a task starts as soon as those that have its processors before it in "
        "the plan, and those that it depends on, have ended well. Jobs are queued: a list policy, "
        "the same as in 'simulate rigid', starts them. Applications that save their state are "
        "widened "
        "and narrowed while they run, by the policies of 'simulate malleable' (a run file, "
        "\"decide\": \"resize\"). Each attempt is watched by a small process "
        "of "
        "its own, so that this one may be killed at any moment: --resume goes on, what still runs "
        "is "
        "adopted, nothing runs twice, nothing that has ended is lost.\n\n"
        "A task that fails is tried again (retries, 2 more times), also when its verification says "
        "that the result is wrong (max_corrupt, 100), or when its timeout is over. What a program "
        "leaves behind is killed. Settings stand in a run file, or come with --set.\n\n"
        "Ctrl-C: nothing more starts, what runs may end; once more: it is stopped. No shell is "
        "involved unless a run file asks for one.\n\n"
        "Ends with 0 when every task has succeeded, 3 when some have failed for good, 4 when it "
        "was stopped by 'run stop', 130 or 143 after a signal.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
