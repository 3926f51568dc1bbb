/* ptg_part3.c - golden cases of the second-generation planner of the ptg problem: widths, plans. */
#include "golden/golden.h"
#include "golden/ptg_kit.h"

#include "ptg/dispatch.h"
#include "ptg/joint.h"
#include "ptg/run.h"
#include "ptg/search.h"
#include "ptg/width.h"

#include <math.h>
#include <string.h>

static const json_t *get(const json_t *json, const char *key)
{
    return json_object_get(json, key);
}

static int whole(const json_t *json, const char *key)
{
    return (int)json_integer_value(get(json, key));
}

static double real(const json_t *json, const char *key, double fallback)
{
    const json_t *value = get(json, key);

    return value ? json_number_value(value) : fallback;
}

static bool is(const json_t *object, const char *key, const char *value)
{
    const char *found = json_string_value(json_object_get(object, key));

    return found && !strcmp(found, value);
}

static int check_widths(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    size_t i;
    json_t *c;

    (void)kit;
    json_array_foreach(get(json, "widths"), i, c)
    {
        const json_t *want = get(c, "expect");
        int ladder[CS_PTG_LADDER];
        int widths = cs_ptg_width_ladder(whole(c, "lo"), whole(c, "hi"), ladder);

        if (widths != (int)json_array_size(want))
            return cs_error_set(err, "case %zu: %d widths, expected %zu", i, widths,
                                json_array_size(want));
        for (int w = 0; w < widths; w++)
            if (ladder[w] != json_integer_value(json_array_get(want, (size_t)w)))
                return cs_error_set(err, "case %zu: width %d is %d", i, w, ladder[w]);
    }
    json_array_foreach(get(json, "efficient"), i, c)
    {
        int got = cs_ptg_width_efficient(real(c, "alpha", 0), real(c, "efficiency", 0),
                                         whole(c, "procs"));

        if (got != whole(c, "expect"))
            return cs_error_set(err, "efficient, case %zu: %d, expected %d", i, got,
                                whole(c, "expect"));
    }
    return 0;
}

/* The strategy of a case: its plan, NULL with err. */
typedef struct cs_ptg_plan *plan_f(const json_t *json, struct golden_ptg *kit, const double *beta,
                                   struct cs_error *err);

static struct cs_ptg_plan *plan_joint(const json_t *json, struct golden_ptg *kit,
                                      const double *beta, struct cs_error *err)
{
    const json_t *strategy = get(json, "strategy");
    struct cs_ptg_joint how = {
        .key = is(strategy, "key", "share") ? CS_PTG_KEY_SHARE : CS_PTG_KEY_RANK,
        .fan = is(strategy, "network", "fan"),
    };

    (void)err;
    if (is(strategy, "name", "joint-level") || is(strategy, "from", "joint-level"))
        how.kind = CS_PTG_JOINT_LEVEL;
    if (is(strategy, "name", "joint-ready") || is(strategy, "from", "joint-ready"))
        how.kind = CS_PTG_JOINT_READY;
    how.efficiency = real(strategy, "efficiency", how.kind == CS_PTG_JOINT_LEVEL ? 0.05 : 0.1);
    return cs_ptg_joint_plan(kit->in, &how, beta);
}

static struct cs_ptg_plan *plan_widen(const json_t *json, struct golden_ptg *kit,
                                      const double *beta, struct cs_error *err)
{
    const json_t *strategy = get(json, "strategy");
    struct cs_ptg_options options = golden_ptg_options(get(json, "options"));

    (void)err;
    if (is(strategy, "network", "fan"))
        options.network = CS_PTG_NETWORK_FAN;
    return cs_ptg_run_widened(kit->in, &options, real(strategy, "efficiency", 0.1), beta);
}

static struct cs_ptg_plan *plan_dispatch(const json_t *json, struct golden_ptg *kit,
                                         const double *beta, struct cs_error *err)
{
    static const char *const keys[] = {"stretch", "fdws", "shortest", "first", "rank"};
    const json_t *strategy = get(json, "strategy"), *want = get(json, "alone");
    struct cs_ptg_dispatch how = {
        .efficiency = real(strategy, "efficiency", 0.3),
        .shares = !json_is_false(get(strategy, "shares")),
        .fan = is(strategy, "network", "fan"),
    };
    double *alone = CS_NEW_ARRAY(kit->arena, double, kit->graphs);
    struct cs_ptg_plan *plan;

    (void)beta;
    for (int key = 1; key < 5; key++)
        if (is(strategy, "key", keys[key]))
            how.key = (enum cs_ptg_dispatch_key)key;
    plan = cs_ptg_dispatch_plan(kit->in, &how, alone);
    for (int g = 0; g < kit->graphs && want; g++)
        if (golden_number(json_array_get(want, (size_t)g), alone[g], "alone", err)) {
            cs_ptg_plan_destroy(plan);
            return NULL;
        }
    return plan;
}

static int same_count(const json_t *want, int got, const char *what, struct cs_error *err)
{
    if (!want || json_integer_value(want) == got)
        return 0;
    return cs_error_set(err, "%d moves were %s, expected %d", got, what,
                        (int)json_integer_value(want));
}

/* From a plan of the strategy that it names. */
static struct cs_ptg_plan *plan_search(const json_t *json, struct golden_ptg *kit,
                                       const double *beta, struct cs_error *err)
{
    const json_t *strategy = get(json, "strategy");
    const struct cs_ptg_search how = {
        .moves = (int)real(strategy, "moves", 1000),
        .seed = (uint64_t)real(strategy, "seed", 1),
        .fan = is(strategy, "network", "fan"),
    };
    struct cs_ptg_search_result result;
    struct cs_ptg_plan *from = is(strategy, "from", "widen") ? plan_widen(json, kit, beta, err)
                                                             : plan_joint(json, kit, beta, err);
    struct cs_ptg_plan *plan = cs_ptg_search_from(kit->in, from, &how, &result);
    double start = from->makespan;

    cs_ptg_plan_destroy(from);
    if ((get(json, "start_total") &&
         golden_number(get(json, "start_total"), start, "start_total", err)) ||
        same_count(get(json, "evaluated"), result.evaluated, "evaluated", err) ||
        same_count(get(json, "accepted"), result.accepted, "accepted", err)) {
        cs_ptg_plan_destroy(plan);
        return NULL;
    }
    return plan;
}

static int check_plan(const json_t *json, struct golden_ptg *kit, const struct cs_ptg_plan *plan,
                      struct cs_error *err)
{
    const json_t *want = get(json, "expect"), *makespans = get(want, "makespans");

    if (golden_ptg_places(get(want, "schedule"), plan, kit->platform, err))
        return -1;
    for (int g = 0; g < plan->graphs; g++) {
        double makespan = plan->completion[g] - cs_ptg_instance_release(kit->in, g);

        if (golden_number(json_array_get(makespans, (size_t)g), makespan, "makespan", err))
            return cs_error_prefix(err, "graph %d", g);
    }
    return golden_number(get(want, "total"), plan->makespan, "total", err);
}

static int check_plan3(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    static const struct {
        const char *name;
        plan_f *plan;
    } strategies[] = {
        {"joint", plan_joint}, {"joint-level", plan_joint}, {"joint-ready", plan_joint},
        {"widen", plan_widen}, {"dispatch", plan_dispatch}, {"search", plan_search},
    };
    const char *name = json_string_value(get(get(json, "strategy"), "name"));
    double *beta = CS_NEW_ARRAY(kit->arena, double, kit->graphs);
    struct cs_ptg_plan *plan = NULL;
    int status;

    for (int g = 0; g < kit->graphs; g++) {
        const json_t *share = json_array_get(get(json, "betas"), (size_t)g);

        beta[g] = share ? json_number_value(share) : 1;
    }
    for (size_t i = 0; name && i < sizeof strategies / sizeof *strategies; i++)
        if (!strcmp(name, strategies[i].name))
            plan = strategies[i].plan(json, kit, beta, err);
    if (!plan)
        return cs_error_set(err, "%s is not a strategy that this program knows",
                            name ? name : "nothing");
    status = check_plan(json, kit, plan, err);
    cs_ptg_plan_destroy(plan);
    return status;
}

static int check_bound(const json_t *want, double got, const char *what, struct cs_error *err)
{
    double number = json_number_value(want);

    if (fabs(got - number) <= 1e-8 * fabs(number))
        return 0;
    return cs_error_set(err, "%s bound is %.17g, expected %.17g", what, got, number);
}

static int check_bounds_of(const json_t *c, struct golden_ptg *kit, struct cs_error *err)
{
    const json_t *want = get(c, "expect");
    struct cs_ptg_bounds bounds;

    if (golden_ptg_read(kit, c, err))
        return -1;
    cs_ptg_bounds_compute(kit->in, &bounds);
    cs_ptg_bounds_sharpen(kit->in, &bounds);
    return check_bound(get(want, "window"), bounds.window, "window", err) ||
                   check_bound(get(want, "integer"), bounds.integer, "integer", err) ||
                   check_bound(get(want, "interval"), bounds.interval, "interval", err)
               ? -1
               : 0;
}

static int check_bounds(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    size_t i;
    json_t *c;

    (void)kit;
    json_array_foreach(get(json, "cases"), i, c)
    {
        struct golden_ptg own = {.arena = cs_arena_create()};
        int status = check_bounds_of(c, &own, err);

        golden_ptg_release(&own);
        if (status)
            return cs_error_prefix(err, "case %zu", i);
    }
    return 0;
}

int golden_ptg_part3(const char *kind, const json_t *json, struct golden_ptg *kit,
                     struct cs_error *err)
{
    static const struct {
        const char *kind;
        int (*check)(const json_t *json, struct golden_ptg *kit, struct cs_error *err);
    } kinds[] = {
        {"widths", check_widths},
        {"plan3", check_plan3},
        {"bounds3", check_bounds},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i].kind)) {
            bool scene = get(json, "platform") != NULL;

            return scene && golden_ptg_read(kit, json, err) ? -1 : kinds[i].check(json, kit, err);
        }
    return 1;
}
