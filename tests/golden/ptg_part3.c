/* ptg_part3.c - golden cases of the second-generation planner of the ptg problem: widths, plans. */
#include "golden/golden.h"
#include "golden/ptg_kit.h"

#include "problems/ptg/dispatch.h"
#include "problems/ptg/joint.h"
#include "problems/ptg/portfolio.h"
#include "problems/ptg/run.h"
#include "problems/ptg/search.h"
#include "problems/ptg/width.h"

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

static int near(const json_t *want, double got, double tolerance, const char *what,
                struct cs_error *err)
{
    double number = json_number_value(want);

    if (fabs(got - number) <= tolerance * fabs(number))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, number);
}

static int check_bounds_of(const json_t *c, struct golden_ptg *kit, struct cs_error *err)
{
    const json_t *want = get(c, "expect");
    struct cs_ptg_bounds bounds;

    if (golden_ptg_read(kit, c, err))
        return -1;
    cs_ptg_bounds_compute(kit->in, &bounds);
    cs_ptg_bounds_sharpen(kit->in, &bounds);
    return near(get(want, "window"), bounds.window, 1e-8, "window", err) ||
                   near(get(want, "integer"), bounds.integer, 1e-8, "integer", err) ||
                   near(get(want, "interval"), bounds.interval, 1e-8, "interval", err)
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

/* Completion and the makespans of one member, as planned and as replayed. */
static int check_member(const json_t *want, const struct cs_ptg_member *member,
                        const struct cs_ptg_instance *in, double tolerance, struct cs_error *err)
{
    if (strcmp(member->name, json_string_value(get(want, "name"))))
        return cs_error_set(err, "member %s, expected %s", member->name,
                            json_string_value(get(want, "name")));
    if (golden_number(get(want, "total"), member->plan->makespan, "total", err) ||
        near(get(want, "replayed"), member->replayed->makespan, tolerance, "replayed", err))
        return cs_error_prefix(err, "%s", member->name);
    for (int g = 0; g < in->graphs; g++) {
        const json_t *makespan = json_array_get(get(want, "makespans"), (size_t)g);
        const json_t *replayed = json_array_get(get(want, "replayed_makespans"), (size_t)g);

        if (golden_number(makespan, member->plan->completion[g] - in->release[g], "makespan",
                          err) ||
            near(replayed, member->replayed->completion[g] - in->release[g], tolerance,
                 "replayed makespan", err))
            return cs_error_prefix(err, "%s, graph %d", member->name, g);
    }
    return 0;
}

static int check_members(const json_t *want, const struct cs_ptg_contest *c, double tolerance,
                         struct cs_error *err)
{
    const json_t *members = get(want, "members");

    if ((int)json_array_size(members) != c->members)
        return cs_error_set(err, "%d members, expected %zu", c->members, json_array_size(members));
    for (int i = 0; i < c->members; i++)
        if (check_member(json_array_get(members, (size_t)i), &c->member[i], c->in, tolerance, err))
            return -1;
    for (int g = 0; g < c->in->graphs; g++) {
        const json_t *by = json_array_get(get(want, "alone_by"), (size_t)g);
        const char *list = c->member[0].replayed ? "alone_replayed" : "alone";

        if (near(json_array_get(get(want, list), (size_t)g), c->alone[g], tolerance, list, err))
            return cs_error_prefix(err, "graph %d", g);
        if (by && strcmp(json_string_value(by), c->alone_by[g]))
            return cs_error_set(err, "graph %d alone by %s, expected %s", g, c->alone_by[g],
                                json_string_value(by));
    }
    return 0;
}

/* The winner is right when its value is that of the expected one, or less. */
static int check_winner(const json_t *want, const struct cs_ptg_contest *c,
                        enum cs_ptg_objective objective, double tolerance, struct cs_error *err)
{
    const struct cs_ptg_member *winner = &c->member[cs_ptg_contest_best(c, objective)];
    bool fluid = winner->replayed != NULL;
    double value = cs_ptg_contest_value(c, fluid ? winner->replayed : winner->plan, objective);

    for (int i = 0; i < c->members; i++) {
        const struct cs_ptg_member *m = &c->member[i];
        double other = cs_ptg_contest_value(c, fluid ? m->replayed : m->plan, objective);

        if (!strcmp(m->name, json_string_value(want)))
            return value <= other * (1 + tolerance)
                       ? 0
                       : cs_error_set(err, "%s wins, expected %s", winner->name, m->name);
    }
    return cs_error_set(err, "%s wins, expected %s", winner->name, json_string_value(want));
}

static int check_winners(const json_t *json, const struct cs_ptg_contest *c, double tolerance,
                         struct cs_error *err)
{
    static const char *const objectives[] = {"makespan", "stretch", "trade"};
    const json_t *best = get(get(json, "expect"), "best");
    const char *judge = c->member[0].replayed ? "fluid" : "analytic";

    for (int o = 0; o < 3; o++) {
        const json_t *want = get(get(best, objectives[o]), judge);

        if (want && check_winner(want, c, (enum cs_ptg_objective)o, tolerance, err))
            return cs_error_prefix(err, "%s, %s", objectives[o], judge);
    }
    return 0;
}

static int check_portfolio(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    struct cs_ptg_options options = golden_ptg_options(get(json, "options"));
    double tolerance = real(json, "replay_tolerance", 1e-6);
    int status = 0;

    if (is(json, "network", "fan"))
        options.network = CS_PTG_NETWORK_FAN;
    for (int fluid = 1; fluid >= 0 && status == 0; fluid--) {
        struct cs_ptg_contest *c = cs_ptg_contest_create(kit->in, &options, fluid, 2);

        if (fluid)
            status = check_members(get(json, "expect"), c, tolerance, err);
        status = status || check_winners(json, c, tolerance, err) ? -1 : 0;
        cs_ptg_contest_destroy(c);
    }
    return status;
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
        {"portfolio", check_portfolio},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i].kind)) {
            bool scene = get(json, "platform") != NULL;

            return scene && golden_ptg_read(kit, json, err) ? -1 : kinds[i].check(json, kit, err);
        }
    return 1;
}
