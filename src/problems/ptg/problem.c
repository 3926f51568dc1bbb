/* problem.c - the problem ptg, described once (problem/problem.h). */
#include "problems/ptg/problem.h"

#include "problem/rows.h"
#include "problem/traps.h"
#include "problems/ptg/case.h"

#include <math.h>

#define AT(member) offsetof(struct cs_ptg_settings, member)

static void platform_words(struct cs_strbuf *out)
{
    for (int i = 0; cs_platform_site_name(i); i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", cs_platform_site_name(i));
}

enum { ANY = CS_PLAN | CS_EXPERIMENT };

/* Without a default: a value that is given means that the shape is not drawn. */
#define SHAPE_WHOLE(word, argument_, low_, high_, what, at_)                                       \
    {                                                                                              \
        .name = (word), .kind = CS_PARAM_INTEGER, .argument = (argument_), .low = (low_),          \
        .high = (high_), .summary = (what), .actions = CS_GENERATOR, .scope = CS_SCOPE_GENERATOR,  \
        .at = at_,                                                                                 \
    }
#define SHAPE_REAL(word, argument_, what, at_)                                                     \
    {                                                                                              \
        .name = (word), .kind = CS_PARAM_REAL, .argument = (argument_), .low = 0, .high = 1,       \
        .summary = (what), .actions = CS_GENERATOR, .scope = CS_SCOPE_GENERATOR, .at = at_,        \
    }

static void policy_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_ptg.choice[0], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUTS("the graphs, instead of generated ones; several files are one after the other"),
    {.name = "family",
     .kind = CS_PARAM_CHOICE,
     .choices = "random|fft|strassen",
     .default_text = "random",
     .group = "Which graphs",
     .summary = "layered random graphs, fast Fourier transforms, Strassen's matrix product",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(family)},
    {.name = "count",
     .letter = 'n',
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "1",
     .low = 1,
     .high = 100000,
     .summary = "how many",
     .actions = CS_GENERATE,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(count)},
    {.name = "graphs",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "10",
     .low = 1,
     .high = 100000,
     .summary = "how many share the platform",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(graphs)},
    {.name = "set",
     .old = "combination",
     .old_stored = true,
     .kind = CS_PARAM_INTEGER,
     .argument = "I",
     .low = 0,
     .high = 1000000000,
     .summary =
         "another number, other shapes and costs; the paper has 25 of each count; default: 0",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(combination)},
    CS_ROW_SEED("of everything that is drawn", CS_GENERATE),
    {.name = "cost",
     .kind = CS_PARAM_CHOICE,
     .choices = "mixed|linear|sort|matrix",
     .group = "Shape and cost (with none of them both are drawn, as in the paper)",
     .summary = "flop of a task with d data items: a d, a d log2 d, d^1.5, or any of them; "
                "default: mixed",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(cost)},
    SHAPE_WHOLE("tasks", "V", 1, 10000000, "random: how many; default: 20", AT(tasks)),
    SHAPE_REAL("width", "W", "random: a level has about V^W tasks; 0 is a chain; default: 0.5",
               AT(width)),
    SHAPE_REAL("regular", "R", "random: how alike in size levels are; default: 0.8", AT(regular)),
    SHAPE_REAL("density", "D",
               "random: a task has up to this part of the level before as parents; default: 0.2",
               AT(density)),
    SHAPE_WHOLE("jump", "J", 1, 1000000, "random: the most levels that an arc spans; default: 1",
                AT(jump)),
    SHAPE_WHOLE("points", "K", 2, 1048576, "fft: a power of two; default: 8", AT(points)),
    CS_ROW_TRAP("three-partition",
                "instead: one graph, a sequential task for each number of 3-PARTITION, and a "
                "processor of 1 flop/s for each triple",
                CS_GENERATOR, AT(trap)),
    CS_ROWS_TRAP_PARTITION(CS_GENERATOR, AT(trap)),
    {.name = "platform-output",
     .needs = "trap",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "also write the processors, for --platform",
     .actions = CS_GENERATE,
     .at = AT(platform_output)},
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json|FILE.dot",
     .group = "Output",
     .summary = "where to; default: standard output, as JSON; several graphs become one file of "
                "JSON, or FILE0.dot, FILE1.dot, ...",
     .actions = CS_GENERATE,
     .at = CS_STUDY_AT(output)},
    {.name = "platform",
     .letter = 'p',
     .kind = CS_PARAM_TEXT,
     .argument = "FILE|NAME",
     .group = "The clusters",
     .values = platform_words,
     .summary = "clusters as our JSON or SimGrid's XML, or a site of the paper: grid5000-lille, "
                "grid5000-nancy, grid5000-rennes, grid5000-sophia",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(platform)},
    {.name = "platform",
     .kind = CS_PARAM_TEXT,
     .argument = "FILE|NAME",
     .default_text = "grid5000",
     .values = platform_words,
     .summary = "a file or a site such as grid5000-lille, or grid5000 for the mean over all four "
                "sites",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(sites)},
    {.name = "network",
     .kind = CS_PARAM_CHOICE,
     .choices = "fan|plain",
     .default_text = "fan",
     .summary = "how long data take: with the links at both ends shared by all arcs of a task, or "
                "with a link for each (as in the paper)",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(network)},
    {.name = "alpha",
     .kind = CS_PARAM_TEXT,
     .argument = "A|A:B",
     .default_text = "1",
     .group = "The graphs",
     .summary = "tasks of WfCommons and DAX files: the part that does not parallelise, or two "
                "numbers to draw it between; 1: they are sequential, as they ran",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(alpha)},
    {.name = "speed",
     .kind = CS_PARAM_REAL,
     .argument = "FLOPS",
     .low = 1,
     .high = 1e18,
     .summary = "of the processors on which WfCommons and DAX files were measured, in flop/s; "
                "default: that of the slowest cluster",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(speed)},
    CS_ROW_SEED("of what --alpha A:B draws", CS_PLAN),
    {.name = "cores",
     .kind = CS_PARAM_CHOICE,
     .choices = "ignore|most|exact",
     .default_text = "ignore",
     .summary = "tasks with a recorded number of cores: ignore it, use it as the maximum, or use "
                "exactly this number of processors",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(cores)},
    {.name = "release",
     .kind = CS_PARAM_TEXT,
     .argument = "T,T,...|FILE",
     .summary =
         "when each graph arrives, in seconds or with a unit, in the order of the graphs; or "
         "a file with a time in each line; default: all at 0",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(release)},
    {.name = "policy",
     .letter = 's',
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .group = "The shares",
     .values = policy_words,
     .policies = &cs_problem_ptg.choice[0],
     .list = true,
     .summary = "the strategy: which share of the clusters each graph gets, see 'cosched list "
                "ptg'; several with commas between, or all, are compared; default: portfolio, "
                "which tries many and keeps the best; with --online wps-width",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy),
     .old = "strategy",
     .old_stays = true},
    CS_ROWS_PROGRAM("shares", ANY, AT(policy_program), AT(patience)),
    {.name = "mu",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .low = 0,
     .high = 1,
     .summary =
         "of the wps strategies: 1 is equal shares, 0 shares in proportion; default: that of "
         "the paper for each",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(mu)},
    {.name = "online",
     .kind = CS_PARAM_CHOICE,
     .choices = "fixed|arrival|full",
     .summary =
         "graphs are unknown before they arrive: shares are set once at the arrival, for all "
         "graphs at every arrival, or at completions too (default: all graphs are known)",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(online)},
    {.name = "allocation",
     .kind = CS_PARAM_CHOICE,
     .choices = "scrap-max|scrap",
     .default_text = "scrap-max",
     .group = "Allocation and mapping",
     .summary = "a share bounds every precedence level of its graph, or the average power that the "
                "graph uses",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(allocation)},
    {.name = "efficiency",
     .kind = CS_PARAM_REAL,
     .argument = "E",
     .default_text = "0",
     .low = 0,
     .high = 1,
     .summary = "no task grows beyond the processors that it uses this well; 0.3 suits many graphs",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(efficiency)},
    {.name = "gain",
     .kind = CS_PARAM_CHOICE,
     .choices = "cpa|time",
     .default_text = "cpa",
     .summary =
         "which task of the critical path gets a processor: the one whose time per processor "
         "falls most, or whose time does",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(gain)},
    {.name = "reference",
     .kind = CS_PARAM_CHOICE,
     .choices = "slowest|fastest",
     .default_text = "slowest",
     .summary = "the cluster whose processors allocations are counted in",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(reference)},
    {.name = "largest",
     .kind = CS_PARAM_CHOICE,
     .choices = "cluster|platform",
     .default_text = "cluster",
     .summary = "an allocation fits one cluster, or may be as large as the platform before it is "
                "cut",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(largest)},
    {.name = "order",
     .kind = CS_PARAM_CHOICE,
     .choices = "ready|global",
     .default_text = "ready",
     .summary = "tasks are placed when they are ready, or in one order of all (the postponing of "
                "Figure 1 of the paper)",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(order)},
    {.name = "packing",
     .kind = CS_PARAM_CHOICE,
     .choices = "yes|no",
     .default_text = "yes",
     .summary = "a task that would wait for processors takes fewer when that is no later",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(packing)},
    {.name = "batch",
     .kind = CS_PARAM_REAL,
     .argument = "E",
     .low = 0,
     .high = 0.5,
     .summary = "allocate in rounds that shorten the critical path by this part; 0 is exact; "
                "default: exact up to 2000 tasks, then 0.01",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(batch)},
    CS_ROWS_ENERGY(ANY),
    CS_ROW_FORMAT("Output", CS_PLAN),
    {.name = "replay",
     .kind = CS_PARAM_CHOICE,
     .choices = "no|fluid|simgrid",
     .default_text = "no",
     .summary = "also run the plan on a network where transfers contend for links (simgrid: "
                "only in a test of the source); in experiments all values are then those of that "
                "run",
     .actions = ANY,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(replay)},
    {.name = "compare",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME,NAME,...",
     .values = policy_words,
     .policies = &cs_problem_ptg.choice[0],
     .list = true,
     .summary = "strategies to whose best makespans relative ones refer; default: none",
     .actions = CS_EXPERIMENT,
     .scope = CS_SCOPE_NOTHING,
     .at = AT(compare)},
    CS_ROW_SCHEDULE("the plan as a schedule (cosched-schedule-1), which 'cosched check' judges",
                    CS_PLAN),
    CS_ROW_GANTT("draw the plan: clusters above each other, a colour for each graph", CS_PLAN),
    CS_ROW_SBATCH(""),
    {.name = "title",
     .kind = CS_PARAM_TEXT,
     .argument = "TEXT",
     .needs = "gantt",
     .summary = "title of the picture; default: how many graphs, and the platform",
     .actions = CS_PLAN,
     .at = CS_STUDY_AT(title)},
    CS_ROW_DARK(CS_PLAN),
    {0},
};

#define VALUE(id, place)                                                                           \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        (void)study;                                                                               \
        return ((const struct cs_ptg_seen *)one)->at[place];                                       \
    }

VALUE(unfairness, CS_PTG_UNFAIRNESS)
VALUE(average_slowdown, CS_PTG_SLOWDOWN)
VALUE(makespan, CS_PTG_MAKESPAN)
VALUE(relative_makespan, CS_PTG_RELATIVE)
VALUE(gap, CS_PTG_GAP)
VALUE(average_makespan, CS_PTG_AVERAGE)
VALUE(relative_average, CS_PTG_RELATIVE_AVERAGE)
VALUE(planned_unfairness, CS_PTG_PLANNED_UNFAIRNESS)
VALUE(planned_average_slowdown, CS_PTG_PLANNED_SLOWDOWN)
VALUE(planned_makespan, CS_PTG_PLANNED_MAKESPAN)
VALUE(planned_relative_makespan, CS_PTG_PLANNED_RELATIVE)
VALUE(planned_average_makespan, CS_PTG_PLANNED_AVERAGE)
VALUE(contended_makespan, CS_PTG_CONTENDED)
VALUE(contended_unfairness, CS_PTG_CONTENDED_UNFAIRNESS)

static double known_gap(const struct cs_study *study, const void *one)
{
    return cs_study_known_gap(study, makespan(study, one));
}

CS_FUNCTIONS_ENERGY

static const struct cs_value values[] = {
    {"unfairness", "unfairness", "sum of |slowdown - average slowdown|", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "unfairness", .digits = 3, .of = unfairness},
    {"average_slowdown", "average slowdown", "alone / shared, mean over graphs",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "average slowdown", .digits = 3,
     .of = average_slowdown},
    {"makespan", "makespan", "latest completion, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .column = "makespan", .of = makespan},
    {"relative_makespan", "over best",
     "makespan over the least of those compared, in experiments of the strategies in compare",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .column = "over best", .digits = 3,
     .of = relative_makespan},
    {"gap", "above bound", "makespan / lower bound - 1", .kind = CS_VALUE_SHARE, .in = CS_IN_ALL,
     .column = "above bound", .digits = 1, .of = gap},
    {"average_makespan", "mean of graphs", "mean over graphs, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .column = "mean of graphs", .of = average_makespan},
    {"relative_average", "mean over best", "that over the least of the strategies in compare",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = relative_average},
    {"planned_unfairness", "planned unfairness", "of the plan that is replayed, without contention",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = planned_unfairness, .later = true},
    {"planned_average_slowdown", "planned average slowdown", "the same of the average slowdown",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = planned_average_slowdown,
     .later = true},
    {"planned_makespan", "planned makespan", "the same of the makespan, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS, .of = planned_makespan, .later = true},
    {"planned_relative_makespan", "planned over best", "the same of the makespan over the least",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_EXPERIMENTS, .of = planned_relative_makespan,
     .later = true},
    {"planned_average_makespan", "planned mean of graphs",
     "the same of the mean over graphs, seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_EXPERIMENTS,
     .of = planned_average_makespan, .later = true},
    {"contended_makespan", "with contention", "makespan of the replay, seconds",
     .kind = CS_VALUE_SECONDS, .in = CS_IN_SUMMARY, .column = "with contention",
     .of = contended_makespan},
    {"contended_unfairness", "unfairness then", "unfairness of the replay", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_SUMMARY, .column = "unfairness then", .digits = 3, .of = contended_unfairness},
    CS_VALUE_KNOWN_GAP("makespan"),
    CS_VALUES_ENERGY,
    {0},
};

const struct cs_problem cs_problem_ptg = {
    .name = "ptg",
    .summary = "which share of a platform of several clusters each of several graphs of parallel "
               "tasks gets, so that all end soon and none is slowed down more than others",
    .param = params,
    .value = values,
    .choice = {{"policy", "strategies", cs_ptg_policies}},
    .variant = {"policy"},
    .options = sizeof(struct cs_ptg_settings),
    .outcome = sizeof(struct cs_ptg_seen),
    .check = cs_ptg_case_check,
    .open = cs_ptg_case_open,
    .close = cs_ptg_case_close,
    .run = cs_ptg_case_run,
    .identify = cs_ptg_case_identify,
    .record = cs_ptg_case_record,
    .put = cs_ptg_case_put,
    .discard = cs_ptg_case_discard,
    .supplied = cs_ptg_case_supplied,
    .generate = cs_ptg_case_generate,
};
