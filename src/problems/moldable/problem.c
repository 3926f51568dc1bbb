/* problem.c - the problem moldable, described once (problem/problem.h). */
#include "problems/moldable/problem.h"
#include "base/arena.h"
#include "base/mix.h"
#include "base/plain.h"
#include "model/workload.h"
#include "problem/launch.h"
#include "problem/rows.h"
#include "problems/moldable/case.h"

#include <math.h>

/* bags drawn as Benoit, Le Fevre, Perotin, Raghavan, Robert, Sun draw them. */

#define WORK 1 /* the streams: of the work, and of the first parameter */
#define PARAMETER 7

struct task {
    double work, limit, sequential, overhead;
};

static double problem_draw(const struct cs_moldable_generator *generator, int stream, int task)
{
    return cs_mix_uniform(
        cs_mix(generator->seed, (uint64_t)stream, generator->set, 0, (uint64_t)task));
}

static struct task draw_task(const struct cs_moldable_generator *generator, int i)
{
    struct task task = {.work = 5000 + problem_draw(generator, WORK, i) * 3995000,
                        .limit = INFINITY};
    int stream = PARAMETER;

    if (generator->model == CS_MOLDABLE_ROOFLINE || generator->model == CS_MOLDABLE_MIX)
        task.limit = 100 + floor(problem_draw(generator, stream++, i) * 3901);
    if (generator->model == CS_MOLDABLE_AMDAHL || generator->model == CS_MOLDABLE_MIX) {
        double u = -7 + 5 * problem_draw(generator, stream, i),
               v = 10 * problem_draw(generator, stream + 1, i);

        task.sequential = v * pow(10, u);
        stream += 2;
    }
    if (generator->model == CS_MOLDABLE_LINEAR || generator->model == CS_MOLDABLE_MIX)
        task.overhead = pow(2, 3 * problem_draw(generator, stream, i)) *
                        (1 + problem_draw(generator, stream + 1, i));
    return task;
}

static double seconds_on(const struct task *task, int procs)
{
    double parallel = task->work * (1 - task->sequential), alone = task->work * task->sequential;

    return fmax(parallel / procs, parallel / task->limit) + alone + (procs - 1) * task->overhead;
}

static struct cs_profile profile_of(const struct cs_moldable_generator *generator,
                                    const struct task *task, struct cs_arena *arena)
{
    double *seconds;

    if (generator->model == CS_MOLDABLE_AMDAHL)
        return (struct cs_profile){
            .kind = CS_PROFILE_AMDAHL, .seq_time = task->work, .seq_fraction = task->sequential};
    seconds = CS_NEW_ARRAY(arena, double, generator->procs);
    for (int j = 1; j <= generator->procs; j++)
        seconds[j - 1] = seconds_on(task, j);
    return (struct cs_profile){
        .kind = CS_PROFILE_TABLE, .count = generator->procs, .seconds = seconds};
}

struct cs_workload *cs_moldable_generate(const struct cs_moldable_generator *generator)
{
    static const char *const names[] = {"roofline", "linear", "amdahl", "mix"};
    struct cs_arena *arena = cs_arena_create();
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, generator->tasks);
    struct cs_workload *workload;
    char source[120];

    for (int i = 0; i < generator->tasks; i++) {
        struct task task = draw_task(generator, i);

        profile[i] = profile_of(generator, &task, arena);
    }
    workload = cs_workload_create(generator->tasks, NULL, profile, NULL);
    workload->procs = generator->procs;
    cs_plain_print(source, sizeof source, "%d tasks of the model %s (seed %llu, set %llu)",
                   generator->tasks, names[generator->model], (unsigned long long)generator->seed,
                   (unsigned long long)generator->set);
    cs_workload_set_source(workload, source);
    cs_arena_destroy(arena);
    return workload;
}

#define AT(member) offsetof(struct cs_moldable_asked, member)

enum {
    ANY = CS_PLAN | CS_SIMULATE | CS_EXPERIMENT,
    RUN = CS_SIMULATE | CS_EXPERIMENT,
};

static void planner_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_moldable.choice[0], words);
}

static void variant_words(struct cs_strbuf *words)
{
    cs_study_policy_words(&cs_problem_moldable.choice[1], words);
}

static const struct cs_param params[] = {
    CS_ROW_INPUTS("a bag of moldable tasks; a random one when not given"),
    CS_ROW_COUNT("tasks", "100", 1, 10000000, "how many tasks", AT(tasks)),
    {.name = "model",
     .kind = CS_PARAM_CHOICE,
     .choices = "roofline|linear|amdahl|mix",
     .default_text = "amdahl",
     .summary = "how a task speeds up: to a limit, with an overhead for each processor, by "
                "Amdahl's law, or all of it",
     .actions = CS_GENERATOR,
     .scope = CS_SCOPE_GENERATOR,
     .at = AT(model)},
    CS_ROW_WHOLE("set", "I", "0", 0, 9007199254740992.0,
                 "another number, another set of the same kind", AT(set)),
    CS_ROW_SEED("of the tasks", CS_GENERATE),
    CS_ROW_OUTPUT("FILE.json", CS_GENERATE),
    CS_ROW_TRAP("three-partition", "instead: one task of one second on each number of 3-PARTITION",
                CS_GENERATOR, AT(trap)),
    CS_ROWS_TRAP_PARTITION(CS_GENERATOR, AT(trap)),
    CS_ROW_PROCS("The machine", 1, RUN | CS_GENERATE, AT(procs)),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_PARAM_TEXT,
     .argument = "P|LO..HI[:STEP]",
     .group = "The machine",
     .summary = "processors (or nodes) of the machine (default: from the input); a range or a list "
                "of sizes, such as 8..256, 8..256:8 or 8,16,32, makes a plan of each size",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(sizes)},
    {.name = "within",
     .kind = CS_PARAM_TEXT,
     .argument = "SHARE",
     .summary =
         "of several sizes: name the smallest one whose makespan is at most this share above "
         "the least, such as 5% or 0.05; default: 5%",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(within)},
    {.name = "deadline",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e15,
     .summary = "of several sizes: name the one with the least processor hours that ends by then",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(deadline)},
    CS_ROWS_LAUNCH("The tasks", ANY, AT(launch)),
    {.name = "contiguous",
     .kind = CS_PARAM_FLAG,
     .summary = "a task holds processors of consecutive numbers: it starts when a block of free "
                "ones is long enough, on the lowest; lower bounds stay, guarantees do not",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(contiguous)},
    {.name = "nodes",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 100000000,
     .group = "Resources",
     .summary = "the processors are on N equal nodes; tasks share them unless each processor is a "
                "node (--unit node)",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(nodes)},
    {.name = "resource",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME=AMOUNT[/node|/proc]",
     .repeats = true,
     .summary = "what the machine has besides processors: gpus=4/node, memory=256G/node, abaqus=2 "
                "(of the whole machine); tasks need what their columns have",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(resource)},
    {.name = "budget",
     .kind = CS_PARAM_TEXT,
     .argument = "[NAME=]AMOUNT",
     .repeats = true,
     .summary = "all tasks together consume at most this of a column budget:NAME, or of "
                "processor hours (node hours with --unit node)",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(budget)},
    {.name = "capacity",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "windows in which resources are away: from,to,resource,less (also procs)",
     .actions = ANY,
     .scope = CS_SCOPE_INSTANCE,
     .at = AT(capacity)},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .group = "The plan",
     .values = planner_words,
     .policies = &cs_problem_moldable.choice[0],
     .list = true,
     .summary = "planner, see 'cosched list moldable'; several with commas between them, or all, "
                "are compared (default: set by --effort)",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(planner)},
    {.name = "effort",
     .kind = CS_PARAM_CHOICE,
     .choices = "fast|default|high|exact",
     .group = "The plan",
     .summary = "milliseconds, about a second, about a minute, or until the plan is proven best; "
                "default: default, of several sizes fast for all and default for the answers",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(plan_effort)},
    {.name = "effort",
     .kind = CS_PARAM_CHOICE,
     .choices = "fast|default|high|exact",
     .default_text = "default",
     .group = "The plan",
     .summary = "milliseconds, about a second, about a minute, or until the plan is proven best",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(effort)},
    {.name = "planner",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .values = planner_words,
     .policies = &cs_problem_moldable.choice[0],
     .summary = "planner of the plan that is simulated (default: set by --effort)",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(planner)},
    CS_ROWS_PROGRAM("a plan", ANY, AT(policy_program), AT(patience)),
    {.name = "plan",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "carry out this plan, which 'plan moldable --output' wrote",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(plan)},
    {.name = "time-limit",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0,
     .high = 1e9,
     .summary = "searches end after this time with the best plan so far; default: never",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(time_limit)},
    {.name = "policy",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .group = "The scenarios",
     .values = variant_words,
     .policies = &cs_problem_moldable.choice[1],
     .list = true,
     .summary = "how the bag is carried out, see 'cosched list moldable'; several with commas "
                "between them, or all, are compared; default: order",
     .actions = RUN,
     .scope = CS_SCOPE_VARIANT,
     .at = AT(policy)},
    {.name = "sigma",
     .kind = CS_PARAM_REAL,
     .argument = "S",
     .default_text = "0",
     .low = 0,
     .high = 10,
     .summary = "real times are those of the input times a factor whose logarithm has this "
                "deviation and whose mean is 1",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(sigma)},
    {.name = "qbar",
     .kind = CS_PARAM_REAL,
     .argument = "Q",
     .default_text = "0",
     .low = 0,
     .high = 0.999999,
     .summary = "probability that an attempt of an average task fails and runs again",
     .actions = RUN,
     .scope = CS_SCOPE_DRAW,
     .at = AT(qbar)},
    CS_ROW_SCENARIOS(10000000,
                     "default: 100, or 1 without uncertainty, and in a cell of an experiment", RUN,
                     AT(scenarios)),
    CS_ROW_SEED("of searches, and of what is drawn; every policy meets the same",
                CS_PLAN | CS_SIMULATE),
    CS_ROW_THREADS(CS_PLAN | CS_SIMULATE),
    CS_ROWS_ENERGY(ANY),
    CS_ROW_FORMAT("Output", CS_PLAN | CS_SIMULATE),
    CS_ROW_PER_SCENARIO("a row for each scenario: makespan, bound, attempts"),
    CS_ROW_SCHEDULE("the plan, or one scenario, as a schedule (cosched-schedule-1), which "
                    "'cosched check' judges",
                    CS_PLAN | CS_SIMULATE),
    CS_ROW_PROCESSORS(CS_PLAN | CS_SIMULATE),
    CS_ROW_GANTT("draw the plan, or one scenario", CS_PLAN | CS_SIMULATE),
    {.name = "plot",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg",
     .summary = "of several sizes: draw the makespan over the processor hours",
     .actions = CS_PLAN,
     .scope = CS_SCOPE_NOTHING,
     .at = AT(plot)},
    CS_ROW_SBATCH("; with --unit node each task on its own nodes"),
    CS_ROW_SCENARIO("the one that --output and --gantt show, from 0"),
    CS_ROW_UNIT(CS_PLAN | CS_SIMULATE),
    CS_ROW_TITLE(CS_PLAN | CS_SIMULATE),
    CS_ROW_DARK(CS_PLAN | CS_SIMULATE),
    {0},
};

#define VALUE(id, expression)                                                                      \
    static double id(const struct cs_study *study, const void *one)                                \
    {                                                                                              \
        const struct cs_moldable_seen *o = one;                                                    \
                                                                                                   \
        (void)study;                                                                               \
        return expression;                                                                         \
    }

VALUE(makespan, o->makespan)
VALUE(lower_bound, o->bound)
VALUE(ratio, o->makespan / o->bound)
VALUE(held, o->held)
VALUE(useful, o->useful)
VALUE(hours, o->hours)
VALUE(completion, o->completion)
VALUE(stretch, o->stretch)
VALUE(attempts, o->attempts)
VALUE(stopped, o->stopped)
VALUE(seconds, o->seconds)
VALUE(known_gap, cs_study_known_gap(study, o->makespan))

#define SHARE "share of the processors' time"

static double bound_of_energy(const struct cs_moldable_case *c, const struct cs_moldable_seen *o)
{
    const int procs = c->instance ? c->instance->bag.procs : 0;

    return !procs || isnan(o->seconds)
               ? NAN
               : cs_study_energy_bound(&c->study, procs, o->bound, o->useful * procs * o->makespan);
}

VALUE(energy_bound, bound_of_energy((const struct cs_moldable_case *)(const void *)study, o))

CS_FUNCTIONS_ENERGY

static const struct cs_value values[] = {
    {"makespan", "makespan", "seconds", .kind = CS_VALUE_SECONDS, .in = CS_IN_ALL,
     .column = "makespan", .figures = 1 << CS_FIGURE_Q05 | 1 << CS_FIGURE_Q95 | 1 << CS_FIGURE_MAX,
     .of = makespan},
    {"lower_bound", "lower bound", "no scenario is shorter, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .of = lower_bound},
    {"ratio", "makespan / bound", "makespan / lower bound", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "over bound", .digits = 4, .interval = true, .of = ratio},
    {"allocated", "allocated", "allocated to tasks, " SHARE, .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .column = "allocated", .digits = 1, .old = "held", .of = held},
    {"efficiency", "efficiency", "least work of the tasks, " SHARE, .kind = CS_VALUE_SHARE,
     .in = CS_IN_ALL, .column = "efficiency", .digits = 1, .old = "useful", .of = useful},
    {"node_hours", "processor hours", "processors times hours held", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .column = "processor hours", .digits = 2, .of = hours},
    {"completion", "mean completion", "mean end of a task, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_ALL, .of = completion},
    {"stretch", "mean stretch", "mean of the end of a task over its fastest time",
     .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL, .of = stretch},
    {"attempts", "attempts", "attempts of all tasks", .kind = CS_VALUE_NUMBER, .in = CS_IN_ALL,
     .column = "attempts", .digits = 1, .of = attempts},
    {"stopped", "stopped", "tasks stopped at their walltime", .kind = CS_VALUE_NUMBER,
     .in = CS_IN_ALL, .of = stopped,
     .warning = "tasks were stopped at their walltime and are not done"},
    {"seconds", "time to plan", "to make the plan, seconds", .kind = CS_VALUE_SECONDS,
     .in = CS_IN_SUMMARY, .column = "time", .digits = 3, .measured = true, .of = seconds},
    CS_VALUE_KNOWN_GAP("makespan"),
    CS_VALUES_ENERGY_BOUND,
    {0},
};

const struct cs_problem cs_problem_moldable = {
    .name = "moldable",
    .summary = "the same bag without barriers: on how many processors each task runs, and in which "
               "order, so that all are done soonest",
    .param = params,
    .value = values,
    .choice = {{"policy", "planners", cs_moldable_policies},
               {"policy", "policies that execute a plan", cs_moldable_variants}},
    .variant = {"policy"},
    .options = sizeof(struct cs_moldable_asked),
    .outcome = sizeof(struct cs_moldable_seen),
    .check = cs_moldable_case_check,
    .open = cs_moldable_case_open,
    .close = cs_moldable_case_close,
    .run = cs_moldable_case_run,
    .identify = cs_moldable_case_identify,
    .record = cs_moldable_case_record,
    .put = cs_moldable_case_put,
    .discard = cs_moldable_case_discard,
    .supplied = cs_moldable_case_supplied,
    .generate = cs_moldable_case_generate,
};
