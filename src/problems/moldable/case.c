/* case.c - from options to a bag, to plans of it or runs, to a schedule. */
#include "problems/moldable/case.h"

#include "base/number.h"
#include "base/plain.h"
#include "io/schedule_json.h"
#include "model/extpol.h"
#include "model/workload.h"
#include "problem/inputs.h"
#include "problems/moldable/bag/machine.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/problem.h"
#include "problems/moldable/robust.h"

#include <string.h>

#define USUAL_PROCS 200 /* for what is generated */

static struct cs_moldable_case *moldable_case_of(struct cs_study *study)
{
    return (struct cs_moldable_case *)(void *)study;
}

/* "5%" or "0.05"; 0.05 without a text. */
static int parse_within(const char *text, double *share, struct cs_error *err)
{
    char number[16];
    const size_t length = text ? strcspn(text, "% ") : 0;
    const bool percent = text && length < strlen(text);

    *share = 0.05;
    if (!text)
        return 0;
    cs_plain_print(number, sizeof number, "%.*s", (int)fmin((double)length, 15), text);
    if (cs_number_double(number, share) == CS_NUMBER_FINE && *share >= 0 &&
        *share <= (percent ? 100 : 1) &&
        (!percent || !strcmp(text + length + strspn(text + length, " "), "%"))) {
        *share /= percent ? 100 : 1;
        return 0;
    }
    return cs_error_set(err, "--within is \"%.60s\"; it must be a share such as 5%% or 0.05", text);
}

/* The sizes of --procs.  1: several, 0: one or none, -1 with err. */
static int parse_sizes(const struct cs_moldable_asked *o, struct cs_arena *arena,
                       struct cs_frontier_sizes *sizes, struct cs_error *err)
{
    const char *alone = !isnan(o->deadline) ? "deadline"
                        : o->within         ? "within"
                        : o->plot           ? "plot"
                                            : NULL;
    const int ranged = o->sizes ? cs_frontier_sizes_parse(o->sizes, arena, sizes, err) : 0;

    if (ranged == 0 && alone)
        return cs_error_set(err, "--%s needs several sizes, such as --procs 8..256", alone);
    return ranged;
}

int cs_moldable_case_check(const void *options, struct cs_error *err)
{
    const struct cs_moldable_asked *o = options;
    struct cs_arena *scratch = cs_arena_create();
    struct cs_frontier_sizes sizes;
    double share;
    int status = parse_sizes(o, scratch, &sizes, err) < 0 || parse_within(o->within, &share, err);

    cs_arena_destroy(scratch);
    if (status)
        return -1;
    if (o->trap.name && o->study.input)
        return cs_error_set(err, "found input and trap, expected one of them");
    if (o->trap.name && cs_trap_check("moldable", "three-partition", o->trap.name, err))
        return -1;
    return o->plan && o->planner
               ? cs_error_set(err, "found --plan and --planner, expected one of them")
               : 0;
}

/* ---- the instance ---- */

static struct cs_moldable_generator generator_of(const struct cs_moldable_asked *o)
{
    return (struct cs_moldable_generator){
        .model = (enum cs_moldable_model)(o->model < 0 ? CS_MOLDABLE_AMDAHL : o->model),
        .tasks = (int)o->tasks,
        .procs = (int)(o->procs == CS_PARAM_NONE ? USUAL_PROCS : o->procs),
        .seed = (uint64_t)o->study.seed,
        .set = (uint64_t)o->set,
    };
}

static struct cs_workload *case_generate(const struct cs_moldable_asked *o, struct cs_error *err)
{
    struct cs_moldable_generator generator = generator_of(o);

    return o->trap.name
               ? cs_trap_workload_moldable(&o->trap, (uint64_t)o->study.seed, (uint64_t)o->set, err)
               : cs_moldable_generate(&generator);
}

static int get_workload(struct cs_moldable_case *c, struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;

    if (o->study.input) {
        c->workload = cs_launch_read(cs_inputs_paths(&o->study, c->study.arena), &o->launch, true,
                                     c->study.arena, err);
        return c->workload ? 0 : -1;
    }
    c->workload = case_generate(o, err);
    return c->workload ? cs_launch_restrict(c->workload, &o->launch, c->study.arena, err) : -1;
}

struct cs_moldable_instance *cs_moldable_case_instance(const struct cs_moldable_case *c, int procs,
                                                       struct cs_error *err)
{
    const struct cs_moldable_options options = {.margin = c->options->launch.margin,
                                                .contiguous = c->options->contiguous};

    return cs_moldable_instance_create(c->workload, procs, &options, err);
}

static struct cs_bag_machine machine_of(const struct cs_moldable_asked *o, int procs)
{
    return (struct cs_bag_machine){.procs = procs,
                                   .nodes = (int)cs_param_or(o->nodes, 0),
                                   .by_node = !strcmp(o->study.unit, "node"),
                                   .margin = o->launch.margin,
                                   .resource = o->resource,
                                   .budget = o->budget,
                                   .capacity = o->capacity};
}

int cs_moldable_case_size(const struct cs_moldable_case *c, int procs,
                          struct cs_moldable_sized *sized, struct cs_arena *arena,
                          struct cs_error *err)
{
    struct cs_bag_machine machine = machine_of(c->options, procs);

    *sized = (struct cs_moldable_sized){.remark = ""};
    machine.general = true;
    if (cs_bag_machine_apply(c->unsized, &machine, &sized->workload, &sized->remark, arena, err))
        return -1;
    if (!cs_bag_general_create(sized->workload->modes, &sized->general, &sized->remark, arena, err))
        return 0;
    cs_workload_destroy(sized->workload);
    return -1;
}

/* The bag is general: its bounds are those of the general bag. */
static void adopt_general(struct cs_moldable_case *c, const struct cs_bag_general *general)
{
    c->general = general;
    c->bounds = (struct cs_moldable_bounds){.critical = general->bag.critical,
                                            .area = general->bounds.area[0],
                                            .knapsack = NAN,
                                            .width = NAN,
                                            .best = general->cheap};
}

static int make_general(struct cs_moldable_case *c, const char **remark, struct cs_error *err)
{
    struct cs_bag_general *general = CS_NEW(c->study.arena, struct cs_bag_general);

    if (cs_bag_general_create(c->workload->modes, general, remark, c->study.arena, err))
        return -1;
    if (c->options->contiguous)
        return cs_error_set(err, "--contiguous is not possible: %s",
                            cs_bag_general_reason(c->workload->modes, c->study.arena));
    if (c->ranged && general->bag.data.nodes > 1)
        return cs_error_set(err, "--nodes %d is one size: use --unit node",
                            general->bag.data.nodes);
    adopt_general(c, general);
    return 0;
}

int cs_moldable_case_resize(struct cs_moldable_case *c, int procs, struct cs_error *err)
{
    struct cs_moldable_sized *sized = CS_NEW(c->study.arena, struct cs_moldable_sized);

    if (c->general) {
        if (cs_moldable_case_size(c, procs, sized, c->study.arena, err))
            return -1;
        adopt_general(c, &sized->general);
        cs_workload_destroy(c->workload);
        c->workload = sized->workload;
    }
    cs_moldable_instance_destroy(c->instance);
    c->instance = cs_moldable_case_instance(c, procs, err);
    if (!c->instance)
        return -1;
    if (!c->general)
        cs_moldable_bounds_compute(c->instance, &c->bounds);
    c->study.scale = c->bound = c->bounds.best;
    return 0;
}

/* Requirements of tasks against the machine. */
static int apply_machine(struct cs_moldable_case *c, int procs,
                         const struct cs_study_context *context, struct cs_error *err)
{
    const struct cs_bag_machine machine = machine_of(c->options, procs);
    struct cs_workload *applied;
    const char *remark;

    if (cs_bag_machine_apply(c->workload, &machine, &applied, &remark, c->study.arena, err))
        return -1;
    cs_study_warn_lines(context, remark);
    if (!applied) {
        cs_workload_set_modes(c->workload, NULL);
        return 0;
    }
    if (applied->modes)
        c->unsized = c->workload;
    else
        cs_workload_destroy(c->workload);
    c->workload = applied;
    return 0;
}

/* The largest size, where there are several. */
static int make_instance(struct cs_moldable_case *c, const struct cs_study_context *context,
                         struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;
    const int ranged = parse_sizes(o, c->study.arena, &c->sizes, err);
    int procs = (int)cs_param_or(o->procs, c->workload->procs);
    const char *remark = "";

    if (ranged < 0 || parse_within(o->within, &c->within, err))
        return -1;
    c->ranged = ranged;
    if (c->sizes.count)
        procs = c->sizes.size[c->sizes.count - 1];
    if (procs == 0)
        return cs_error_set(err, "%s: number of processors is missing; give --procs P",
                            o->study.input);
    if (apply_machine(c, procs, context, err))
        return o->study.input ? cs_error_prefix(err, "%s", o->study.input) : -1;
    c->instance = cs_moldable_case_instance(c, procs, err);
    if (!c->instance || (c->workload->modes && make_general(c, &remark, err)))
        return o->study.input ? cs_error_prefix(err, "%s", o->study.input) : -1;
    cs_study_warn_lines(context, remark);
    if (o->contiguous)
        c->study.named = "contiguous is about numbers";
    else if (c->general && c->general->bag.data.nodes > 1)
        c->study.named = "tasks lie on nodes";
    if (!c->general)
        cs_moldable_bounds_compute(c->instance, &c->bounds);
    c->study.scale = c->bound = c->bounds.best;
    return 0;
}

/* ---- plans ---- */

void cs_moldable_case_request(const struct cs_moldable_case *c, struct cs_moldable_request *request)
{
    *request = (struct cs_moldable_request){
        .seed = (uint64_t)c->study.options->seed,
        .threads = cs_study_threads(&c->study),
        .thrift = true,
        .expired = cs_deadline_expired,
        .who = &c->deadline,
    };
}

enum cs_moldable_effort cs_moldable_case_effort(const struct cs_moldable_case *c)
{
    const struct cs_moldable_asked *o = c->options;

    return o->plan_effort >= 0 ? (enum cs_moldable_effort)o->plan_effort
           : o->effort >= 0    ? (enum cs_moldable_effort)o->effort
                               : CS_MOLDABLE_EFFORT_DEFAULT;
}

/* Plan by the planner, or by the effort if `call` is NULL. */
int cs_moldable_case_plan(struct cs_moldable_case *c, const struct cs_policy_call *call,
                          struct cs_moldable_plan *plan, struct cs_error *err)
{
    struct cs_moldable_request request;

    cs_moldable_case_request(c, &request);
    if (c->general) {
        if (call)
            request.call = *call;
        return cs_bag_general_plan(c->general, cs_moldable_case_effort(c), &request, call, plan,
                                   err);
    }
    if (!call)
        return cs_moldable_effort_plan(c->instance, cs_moldable_case_effort(c), &request, plan,
                                       err);
    request.call = *call;
    return cs_moldable_plan_make(c->instance, &request, plan, err);
}

static void keep_plans(struct cs_moldable_case *c, int plans)
{
    c->plan = CS_NEW_ARRAY(c->study.arena, struct cs_moldable_plan *, plans);
    c->plans = plans;
    for (int p = 0; p < plans; p++)
        c->plan[p] = cs_moldable_plan_create(c->workload->count);
}

static int find_task(const struct cs_workload *workload, const char *name)
{
    for (int i = 0; i < workload->count; i++)
        if (strcmp(workload->name[i], name) == 0)
            return i;
    return -1;
}

/* The candidate of so many processors; -1. */
static int find_choice(const struct cs_moldable_bag *bag, int task, long long procs)
{
    int x = procs > bag->procs ? -1 : cs_moldable_within(bag, task, (int)procs);

    return x >= 0 && cs_moldable_width(bag, task, x) == procs ? x : -1;
}

/* The lowest number of a bar's processors, which are consecutive if they have to be; -1. */
static int first_of(const struct cs_moldable_bag *bag, const struct cs_bar *bar)
{
    int last = bar->procs[bar->intervals - 1].last;

    return bag->contiguous && (bar->intervals > 1 || last >= bag->procs) ? -1 : bar->procs[0].first;
}

static int take_plan(struct cs_moldable_case *c, const struct cs_schedule_file *file,
                     struct cs_error *err)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    int *choice = CS_NEW_ARRAY(c->study.arena, int, bag->tasks);
    int *first = CS_NEW_ARRAY(c->study.arena, int, bag->tasks);
    double *start = CS_NEW_ARRAY(c->study.arena, double, bag->tasks);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(file->schedule, &bars);

    if (bars != (size_t)bag->tasks)
        return cs_error_set(err, "the plan has %zu bars, it must have one for each of the %d tasks",
                            bars, bag->tasks);
    for (int i = 0; i < bag->tasks; i++)
        choice[i] = -1;
    for (size_t b = 0; b < bars; b++) {
        const char *name = cs_schedule_task_name(file->schedule, bar[b].task);
        int task = find_task(c->workload, name);
        long long procs = 0;

        for (int s = 0; s < bar[b].intervals; s++)
            procs += bar[b].procs[s].last - bar[b].procs[s].first + 1;
        if (task < 0 || choice[task] >= 0)
            return cs_error_set(err, "the plan has \"%.60s\" %s", name,
                                task < 0 ? ", which the input has not" : "twice");
        choice[task] = find_choice(bag, task, procs);
        start[task] = bar[b].start;
        first[task] = first_of(bag, &bar[b]);
        if (choice[task] < 0)
            return cs_error_set(err,
                                "the plan has \"%.60s\" on %lld processors, which is no count on "
                                "which it may run and is faster than on fewer",
                                name, procs);
        if (first[task] < 0)
            return cs_error_set(err,
                                "the plan has \"%.60s\" on processors that are not consecutive: "
                                "make it with --contiguous",
                                name);
    }
    cs_moldable_plan_set(bag, c->plan[0], choice, start, bag->contiguous ? first : NULL);
    return 0;
}

static int read_plan(struct cs_moldable_case *c, struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(c->options->plan, err);
    int status = file ? take_plan(c, file, err) : -1;

    if (file && status)
        cs_error_prefix(err, "%s", c->options->plan);
    cs_schedule_file_destroy(file);
    return status;
}

/* The planners that are named, how many; those that are outside ask the program.  -1 with err. */
static int find_calls(struct cs_moldable_case *c, struct cs_policy_call **call,
                      const char *const **word, struct cs_error *err)
{
    int policies;
    int count = cs_study_policies(&c->study.problem->choice[0], c->options->planner, 0,
                                  c->study.arena, call, word, err);

    c->extpol = cs_extpol_create(c->options->policy_program, c->options->patience);
    if (count > 0)
        cs_extpol_attach(c->extpol, cs_moldable_policies(&policies), *call, count);
    return count;
}

/* Robust plans for each variant, which expect its runs. */
static int plan_robustly(struct cs_moldable_case *c, const struct cs_policy_call *call,
                         struct cs_error *err)
{
    keep_plans(c, c->study.variants);
    for (int w = 0; w < c->study.variants; w++) {
        struct cs_policy_call here = *call;

        cs_moldable_robust_expect(&here, c->options->sigma, c->options->qbar, c->call[w].policy);
        if (cs_moldable_case_plan(c, &here, c->plan[w], err))
            return -1;
    }
    return 0;
}

/* The plans that simulations execute: one plan, or one for each variant. */
static int get_plan(struct cs_moldable_case *c, struct cs_error *err)
{
    const char *const *word;
    struct cs_policy_call *call = NULL;

    if (c->options->planner) {
        int count = find_calls(c, &call, &word, err);

        if (count < 0)
            return -1;
        if (count > 1)
            return cs_error_set(err, "--planner is one planner: name one");
    }
    if (call && cs_moldable_robust_is(call))
        return plan_robustly(c, call, err);
    keep_plans(c, 1);
    return c->options->plan ? read_plan(c, err) : cs_moldable_case_plan(c, call, c->plan[0], err);
}

/* ---- variants ---- */

static void name_variant(struct cs_moldable_case *c, const char *const *word)
{
    struct cs_variant *variant = CS_NEW_ARRAY(c->study.arena, struct cs_variant, c->study.variants);

    for (int w = 0; w < c->study.variants; w++)
        variant[w] = (struct cs_variant){{word[w]}};
    c->study.variant = variant;
}

static int find_planners(struct cs_moldable_case *c, struct cs_error *err)
{
    static const char *const efforts[] = {"fast effort", "default effort", "high effort",
                                          "exact effort"};
    const char *const *word;

    c->study.certain = true;
    c->study.runs = 1;
    c->study.variants = 1;
    if (c->options->planner) {
        c->study.variants = find_calls(c, &c->call, &word, err);
        if (c->study.variants < 0)
            return -1;
    } else {
        word = &efforts[cs_moldable_case_effort(c)];
    }
    if (c->ranged && c->study.variants > 1)
        return cs_error_set(err, "--procs %s: found %d policies, expected one for several sizes",
                            c->options->sizes, c->study.variants);
    name_variant(c, word);
    keep_plans(c, c->study.variants);
    return 0;
}

static void set_scenes(struct cs_moldable_case *c)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    double *expected = CS_NEW_ARRAY(c->study.arena, double, bag->tasks);

    cs_moldable_expected(bag, c->options->qbar, expected);
    c->scene = CS_NEW_ARRAY(c->study.arena, struct cs_moldable_scene, c->study.variants);
    for (int w = 0; w < c->study.variants; w++) {
        const struct cs_moldable_plan *plan = c->plan[c->plans > 1 ? w : 0];
        int *order = CS_NEW_ARRAY(c->study.arena, int, bag->tasks);

        cs_moldable_sort_plan(bag, plan, order, c->study.arena);
        c->scene[w] = (struct cs_moldable_scene){bag, plan, order, expected};
    }
}

/* Without uncertainty no run is shorter than the proven bound of `plan`; the bound of a plan from a
 * file is proved again. */
static void raise_bound(struct cs_moldable_case *c)
{
    struct cs_moldable_request request;

    cs_moldable_case_request(c, &request);
    for (int p = 0; p < c->plans; p++)
        c->bound = fmax(c->bound, c->options->plan
                                      ? cs_moldable_effort_bound(c->instance, &request, c->plan[p])
                                      : c->plan[p]->bound);
    for (int p = 0; p < c->plans; p++)
        c->bound = fmin(c->bound, c->plan[p]->makespan);
}

/* A general bag without uncertainty runs as planned; policies do not know its resources. */
static int case_find_plan(struct cs_moldable_case *c, bool sure, struct cs_error *err)
{
    if (sure && !c->options->policy && !c->options->plan)
        return find_planners(c, err);
    return cs_error_set(err, "no policy carries out such a bag: %s; 'plan moldable' plans it",
                        cs_bag_general_reason(c->workload->modes, c->study.arena));
}

static int case_find_variants(struct cs_moldable_case *c, unsigned action, struct cs_error *err)
{
    const struct cs_moldable_asked *o = c->options;
    const char *const *word;
    bool sure = o->sigma == 0 && o->qbar == 0;

    if (c->general)
        return case_find_plan(c, sure, err);
    c->study.variants = cs_study_policies(&c->study.problem->choice[1], o->policy, 0,
                                          c->study.arena, &c->call, &word, err);
    if (c->study.variants < 0)
        return -1;
    name_variant(c, word);
    c->study.runs = o->scenarios != CS_PARAM_NONE     ? (long)o->scenarios
                    : sure || action == CS_EXPERIMENT ? 1
                                                      : 100;
    c->world = (struct cs_moldable_world){.sigma = o->sigma,
                                          .qbar = o->qbar,
                                          .seed = (uint64_t)o->study.seed,
                                          .set = (uint64_t)o->set};
    if (cs_moldable_world_check(&c->world, err) || get_plan(c, err))
        return -1;
    c->walltime = cs_moldable_walltimes(c->instance, c->study.arena);
    c->sure = sure;
    if (c->sure)
        raise_bound(c);
    set_scenes(c);
    return 0;
}

/* Report the caveats of the reader, and how far repeated measurements lie apart. */
static struct cs_study *case_report(struct cs_moldable_case *c,
                                    const struct cs_study_context *context)
{
    c->runs = cs_launch_report_runs(c->workload, &c->options->launch, c->study.arena);
    cs_study_warn_lines(context, c->workload->remark);
    if (context->action != CS_PLAN && !c->sure && c->workload->known)
        cs_study_warn(context, "known: the optimum is that of plans without deviations and "
                               "failures: ignored");
    else
        cs_study_know(&c->study, c->workload->known, c->instance->bag.procs, 0, context);
    return &c->study;
}

struct cs_study *cs_moldable_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err)
{
    struct cs_moldable_case *c = cs_study_create(&cs_problem_moldable, options, sizeof *c);

    c->options = options;
    c->deadline = cs_deadline_in(context->action == CS_PLAN && !isnan(c->options->time_limit)
                                     ? c->options->time_limit
                                     : INFINITY);
    if (get_workload(c, err) == 0 && make_instance(c, context, err) == 0 &&
        (context->action == CS_PLAN ? find_planners(c, err)
                                    : case_find_variants(c, context->action, err)) == 0)
        return case_report(c, context);
    cs_study_close(&c->study);
    return NULL;
}

void cs_moldable_case_close(struct cs_study *study)
{
    struct cs_moldable_case *c = moldable_case_of(study);

    for (int p = 0; p < c->plans; p++)
        cs_moldable_plan_destroy(c->plan[p]);
    cs_extpol_destroy(c->extpol);
    cs_moldable_instance_destroy(c->instance);
    cs_workload_destroy(c->workload);
    cs_workload_destroy(c->unsized);
}

int cs_moldable_case_generate(const void *options, struct cs_error *err)
{
    const struct cs_moldable_asked *o = options;
    struct cs_workload *workload = case_generate(o, err);
    int status = workload ? cs_workload_write(workload, workload->source,
                                              o->study.output ? o->study.output : "-", err)
                          : -1;

    cs_workload_destroy(workload);
    return status;
}
