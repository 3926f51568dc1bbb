/* plan_ptg.c - cosched plan ptg: graphs of parallel tasks that share clusters. */
#include "cli/base/output.h"
#include "cli/ptg.h"
#include "study/rows.h"

#include <string.h>

static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    int inputs = 0;

    if (!cs_arguments_text(args, "platform"))
        return cs_error_set(err, "which platform? Give --platform a file, or one of "
                                 "grid5000-lille, grid5000-nancy, grid5000-rennes, "
                                 "grid5000-sophia");
    for (int i = 0; i < args->operands; i++)
        inputs += !strcmp(cs_arguments_operand(args, i), "-");
    inputs += !strcmp(cs_arguments_text(args, "platform"), "-");
    if (inputs > 1)
        return cs_error_set(err, "standard input (-) can be read once only");
    return cs_plan_ptg_check_line(args, err);
}

static int plan(struct cs_ptg_job *job, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_plan_ptg_check_outputs(job->args, err) || cs_ptg_job_read(job, err) ||
        cs_ptg_job_run(job, err) || cs_plan_ptg_files(job, err))
        return -1;
    cs_plan_ptg_show(job, (enum cs_format)cs_arguments_choice(job->args, "format"), &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_ptg_job job = {.args = args};
    int status;

    if (check_line(args, err))
        return CS_EXIT_USAGE;
    job.arena = cs_arena_create();
    status = plan(&job, err);
    cs_ptg_job_release(&job);
    cs_arena_destroy(job.arena);
    return status;
}

static void strategy_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s ", list[i]->name);
    cs_strbuf_puts(out, "all");
}

static void platform_words(struct cs_strbuf *out)
{
    for (int i = 0; cs_platform_site_name(i); i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", cs_platform_site_name(i));
}

static const struct cs_operand operands[] = {
    {.name = "GRAPH",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "graphs: JSON (cosched-graph-1, or cosched-graphs-1 with several), DOT with size "
                "and alpha, daggen's own format, WfCommons JSON, or DAX; - reads standard input; "
                ".gz and .xz are fine"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "platform",
     .letter = 'p',
     .kind = CS_FIELD_TEXT,
     .argument = "FILE|NAME",
     .group = "The clusters",
     .values = platform_words,
     .summary = "clusters as our JSON or SimGrid's XML, or a site of the paper: grid5000-lille, "
                "grid5000-nancy, grid5000-rennes, grid5000-sophia"},
    {.name = "network",
     .kind = CS_FIELD_CHOICE,
     .choices = "fan|plain",
     .fallback = "fan",
     .summary = "how long data take: with the links at both ends shared by all arcs of a task, or "
                "with a link for each (as in the paper)"},
    {.name = "alpha",
     .kind = CS_FIELD_TEXT,
     .argument = "A|A:B",
     .fallback = "1",
     .group = "The graphs",
     .summary = "tasks of WfCommons and DAX files: the part that does not parallelise, or two "
                "numbers to draw it between; 1: they are sequential, as they ran"},
    {.name = "speed",
     .kind = CS_FIELD_REAL,
     .argument = "FLOPS",
     .low = 1,
     .high = 1e18,
     .summary = "of the processors on which WfCommons and DAX files were measured, in flop/s; "
                "default: that of the slowest cluster"},
    CS_FIELD_SEED_ROW("of what --alpha A:B draws"),
    {.name = "cores",
     .kind = CS_FIELD_CHOICE,
     .choices = "ignore|most|exact",
     .fallback = "ignore",
     .summary = "tasks that say how many cores they had where they were measured: nothing follows, "
                "they get as many processors at most, or just as many"},
    {.name = "release",
     .kind = CS_FIELD_TEXT,
     .argument = "T,T,...|FILE",
     .summary =
         "when each graph arrives, in seconds or with a unit, in the order of the graphs; or "
         "a file with a time in each line; default: all at 0"},
    {.name = "strategy",
     .letter = 's',
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .group = "The shares",
     .values = strategy_words,
     .summary = "which share of the clusters each graph gets, see 'cosched list ptg'; several with "
                "commas between, or all, are compared; default: portfolio, which tries many and "
                "keeps the best; with --online wps-width"},
    {.name = "mu",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0,
     .high = 1,
     .summary =
         "of the wps strategies: 1 is equal shares, 0 shares in proportion; default: that of "
         "the paper for each"},
    {.name = "online",
     .kind = CS_FIELD_CHOICE,
     .choices = "fixed|arrival|full",
     .summary =
         "nothing is known of a graph before it arrives: shares are set once as it does, for "
         "all at every arrival, or at completions too; default: all is known beforehand"},
    {.name = "allocation",
     .kind = CS_FIELD_CHOICE,
     .choices = "scrap-max|scrap",
     .fallback = "scrap-max",
     .group = "Allocation and mapping",
     .summary = "a share bounds every precedence level of its graph, or the average power that the "
                "graph uses"},
    {.name = "efficiency",
     .kind = CS_FIELD_REAL,
     .argument = "E",
     .fallback = "0",
     .low = 0,
     .high = 1,
     .summary =
         "no task grows beyond the processors that it uses this well; 0.3 suits many graphs"},
    {.name = "gain",
     .kind = CS_FIELD_CHOICE,
     .choices = "cpa|time",
     .fallback = "cpa",
     .summary =
         "which task of the critical path gets a processor: the one whose time per processor "
         "falls most, or whose time does"},
    {.name = "reference",
     .kind = CS_FIELD_CHOICE,
     .choices = "slowest|fastest",
     .fallback = "slowest",
     .summary = "the cluster whose processors allocations are counted in"},
    {.name = "largest",
     .kind = CS_FIELD_CHOICE,
     .choices = "cluster|platform",
     .fallback = "cluster",
     .summary = "an allocation fits one cluster, or may be as large as the platform before it is "
                "cut"},
    {.name = "order",
     .kind = CS_FIELD_CHOICE,
     .choices = "ready|global",
     .fallback = "ready",
     .summary = "tasks are placed when they are ready, or in one order of all (the postponing of "
                "Figure 1 of the paper)"},
    {.name = "packing",
     .kind = CS_FIELD_CHOICE,
     .choices = "yes|no",
     .fallback = "yes",
     .summary = "a task that would wait for processors takes fewer when that is no later"},
    {.name = "batch",
     .kind = CS_FIELD_REAL,
     .argument = "E",
     .low = 0,
     .high = 0.5,
     .summary = "allocate in rounds that shorten the critical path by this part; 0 is exact; "
                "default: exact up to 2000 tasks, then 0.01"},
    CS_FIELD_FORMAT_GROUP("What comes out"),
    {.name = "replay",
     .kind = CS_FIELD_CHOICE,
     .choices = "fluid|simgrid",
     .summary = "also run the plan on a network where transfers contend for links: ours, or "
                "SimGrid's where the build has it"},
    {.name = "schedule",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "the plan as a schedule (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw the plan: clusters above each other, a colour for each graph"),
    {.name = "title",
     .kind = CS_FIELD_TEXT,
     .argument = "TEXT",
     .needs = "gantt",
     .summary = "title of the picture; default: how many graphs, and the platform"},
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Three applications share the clusters of Lille:",
     "cosched plan ptg examples/graphs.json --platform grid5000-lille --gantt plan.svg"},
    {"Every strategy, and what contention makes of its plan:",
     "cosched plan ptg examples/graphs.json --platform grid5000-lille --strategy all --replay "
     "fluid"},
    {"They arrive one after the other, and nobody knows before:",
     "cosched plan ptg examples/graphs.json --platform examples/clusters.json --release 0,1min,90 "
     "--online full"},
    {"A workflow as WfCommons describes it, whose tasks parallelise by Amdahl's law:",
     "cosched plan ptg examples/workflow.json --platform grid5000-sophia --alpha 0:0.25"},
    {0},
};

const struct cs_command cs_command_plan_ptg = {
    .words = "plan ptg",
    .summary = "share clusters among graphs of parallel tasks",
    .description =
        "Several graphs of moldable tasks run at the same time on a platform of several clusters. "
        "A "
        "strategy gives each graph a share of the platform; under that constraint every task gets "
        "a number of processors; then the tasks of all graphs are put on processors of one cluster "
        "each as they become ready, those with the longest way to the end of their graph first.\n\n"
        "The problem, and the strategies s to wps-work, are those of N'takpe, Suter, \"Concurrent "
        "scheduling of parallel task graphs on multi-clusters using constrained resource "
        "allocations\" (INRIA RR-6774); the others are ours. Reported are for each graph the time "
        "it takes alone and with the others, its slowdown (alone / shared; 1 is undisturbed), and "
        "for all the makespan with a lower bound, the average slowdown, and the unfairness, the "
        "sum of |slowdown - average|.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
