/* General bags, small and random: every plan obeys the rules, no bound is above the optimum of all
 * modes and orders, planners are repeatable and never below the optimum. */
#include "problems/moldable/bag/bag.h"
#include "base/splitmix.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS = 5, RESOURCES = 3, MODES = 3, BUDGETS = 2 };

/* Times: halves, decimal fractions, any. */
enum times { TIMES_HALVES, TIMES_DECIMAL, TIMES_ANY };

/* A bag with its arrays. */
struct world {
    struct cs_modes m;
    const char *name[TASKS];
    int first[TASKS + 1], before_first[TASKS + 1], before[TASKS * TASKS];
    double seconds[TASKS * MODES], release[TASKS], deadline[TASKS], from[2], to[2];
    int64_t use[TASKS * MODES * RESOURCES], spend[TASKS * MODES * BUDGETS], capacity[RESOURCES],
        budget[BUDGETS], less[2 * RESOURCES];
};

/* COSCHED_BAGS and COSCHED_SEED: how many bags of the exact method, and which. */
static int bag_rounds(int usual)
{
    const char *text = getenv("COSCHED_BAGS");

    return text ? atoi(text) : KIT_ROUNDS(usual);
}

static uint64_t bag_seed(int usual)
{
    const char *text = getenv("COSCHED_SEED");

    return (uint64_t)(text ? atoi(text) : usual);
}

static int draw(struct cs_splitmix *random, int low, int high)
{
    return low + (int)cs_splitmix_below(random, (uint64_t)(high - low + 1));
}

static double draw_seconds(struct cs_splitmix *random, enum times times)
{
    const double seconds = draw(random, 1, 9);

    if (times == TIMES_DECIMAL)
        return draw(random, 1, 99) / 10.0;
    if (times == TIMES_ANY)
        return 0.1 + 9 * (double)draw(random, 0, 1 << 30) / (1 << 30);
    return draw(random, 0, 3) ? seconds : seconds / 2;
}

static void draw_modes(struct world *w, struct cs_splitmix *random, int task, enum times times)
{
    const int begin = w->first[task], count = draw(random, 1, MODES);

    w->first[task + 1] = begin + count;
    for (int k = begin; k < begin + count; k++) {
        w->seconds[k] = draw_seconds(random, times);
        for (int r = 0; r < w->m.resources; r++) {
            const int most = (int)w->capacity[r];
            const int free = draw(random, r ? 0 : 1, most);

            w->use[k * w->m.resources + r] = free < 0 ? 0 : free;
        }
        for (int q = 0; q < w->m.budgets; q++)
            w->spend[k * w->m.budgets + q] = 1000 * draw(random, 0, 6);
    }
}

static void draw_arcs(struct world *w, struct cs_splitmix *random, int task, bool arcs)
{
    int count = w->before_first[task];

    for (int i = 0; i < task; i++)
        if (arcs && draw(random, 0, 3) == 0)
            w->before[count++] = i;
    w->before_first[task + 1] = count;
}

static void draw_windows(struct world *w, struct cs_splitmix *random)
{
    for (int k = 0; k < w->m.windows; k++) {
        w->from[k] = draw(random, 0, 8);
        w->to[k] = w->from[k];
        w->to[k] += draw(random, 0, 9) ? draw(random, 1, 5) : INFINITY;
        for (int r = 0; r < w->m.resources; r++)
            w->less[k * w->m.resources + r] = draw(random, 0, (int)w->capacity[r]);
    }
}

/* Each feature is on or off by a bit of `features`; 64 and 128 are the kinds of times. */
static void draw_world(struct world *w, struct cs_splitmix *random, int features)
{
    static const char *const names[TASKS] = {"a", "b", "c", "d", "e"};

    memset(w, 0, sizeof *w);
    w->m.tasks = draw(random, 1, TASKS);
    w->m.resources = features & 1 ? RESOURCES : 1;
    w->m.budgets = features & 2 ? draw(random, 1, BUDGETS) : 0;
    w->m.windows = features & 4 ? draw(random, 1, 2) : 0;
    for (int r = 0; r < w->m.resources; r++)
        w->capacity[r] = draw(random, 1, 8);
    for (int q = 0; q < BUDGETS; q++)
        w->budget[q] = 1000 * draw(random, 6, 20);
    for (int i = 0; i < w->m.tasks; i++) {
        w->name[i] = names[i];
        draw_modes(w, random, i, (enum times)(features / 64));
        draw_arcs(w, random, i, features & 8);
        w->release[i] = features & 16 ? draw(random, 0, 6) : 0;
        w->deadline[i] = draw(random, 5, 45);
        if (!(features & 32) || w->deadline[i] > 25)
            w->deadline[i] = INFINITY;
    }
    draw_windows(w, random);
    w->m.task_name = w->name;
    w->m.capacity = w->capacity;
    w->m.budget = w->budget;
    w->m.first = w->first;
    w->m.seconds = w->seconds;
    w->m.use = w->use;
    w->m.spend = w->spend;
    w->m.before_first = w->before_first;
    w->m.before = w->before;
    w->m.release = w->release;
    w->m.deadline = w->deadline;
    w->m.from = w->from;
    w->m.to = w->to;
    w->m.less = w->less;
}

/* What is in use at an instant, of one resource, with windows. */
static int64_t held_at(const struct cs_bag *bag, const struct cs_bag_plan *plan, int r, double at)
{
    const struct cs_modes *m = &bag->data;
    int64_t held = 0, away = 0;

    for (int i = 0; i < m->tasks; i++)
        if (plan->start[i] <= at && at < cs_bag_end(bag, plan, i))
            held += m->use[(m->first[i] + plan->choice[i]) * m->resources + r];
    for (int w = 0; w < m->windows; w++)
        if (m->from[w] <= at && at < m->to[w])
            away += m->less[w * m->resources + r];
    return held ? held + (away > m->capacity[r] ? m->capacity[r] : away) : 0;
}

static void assert_room(const struct cs_bag *bag, const struct cs_bag_plan *plan, double at)
{
    for (int r = 0; r < bag->data.resources; r++)
        if (held_at(bag, plan, r, at) > bag->data.capacity[r])
            fail_msg("resource %d at %g", r, at);
}

/* Precedence, release dates, capacities, lateness and makespan of a plan. */
static void assert_valid(const struct cs_bag *bag, const struct cs_bag_plan *plan)
{
    const struct cs_modes *m = &bag->data;
    double makespan = 0, late = 0;

    if (isinf(plan->makespan)) /* there is none: a window without end */
        return;
    for (int i = 0; i < m->tasks; i++) {
        const double end = cs_bag_end(bag, plan, i);

        assert_true(plan->start[i] >= m->release[i]);
        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            assert_true(plan->start[i] >= cs_bag_end(bag, plan, m->before[a]));
        assert_room(bag, plan, plan->start[i]);
        makespan = fmax(makespan, end);
        late += end > m->deadline[i] * (1 + 1e-9) ? end - m->deadline[i] : 0;
    }
    for (int w = 0; w < m->windows; w++)
        assert_room(bag, plan, m->from[w]);
    assert_true(plan->makespan == makespan && plan->late == late);
    assert_true(plan->over == cs_bag_overrun(bag, plan->choice));
}

struct brute {
    const struct cs_bag *bag;
    struct cs_bag_decoder *decoder;
    struct cs_bag_plan trial, best;
    int order[TASKS];
    bool used[TASKS];
};

static bool brute_ready(const struct brute *b, int task)
{
    const struct cs_modes *m = &b->bag->data;

    for (int a = m->before_first[task]; a < m->before_first[task + 1]; a++)
        if (!b->used[m->before[a]])
            return false;
    return !b->used[task];
}

static void brute_orders(struct brute *b, int place)
{
    const int n = b->bag->data.tasks;

    if (place == n) {
        cs_bag_earliest(b->decoder, b->order, &b->trial);
        if (cs_bag_plan_better(&b->trial, &b->best))
            cs_bag_plan_copy(&b->best, &b->trial, n);
        return;
    }
    for (int i = 0; i < n; i++)
        if (brute_ready(b, i)) {
            b->used[i] = true;
            b->order[place] = i;
            brute_orders(b, place + 1);
            b->used[i] = false;
        }
}

static void brute_modes(struct brute *b, int task)
{
    if (task == b->bag->data.tasks) {
        brute_orders(b, 0);
        return;
    }
    for (int x = 0; x < cs_bag_candidates(b->bag, task); x++) {
        b->trial.choice[task] = x;
        brute_modes(b, task + 1);
    }
}

static void brute_solve(struct brute *b, const struct cs_bag *bag, struct cs_arena *arena)
{
    *b = (struct brute){.bag = bag, .decoder = cs_bag_decoder_create(bag, arena)};
    cs_bag_plan_init(&b->trial, bag, arena);
    cs_bag_plan_init(&b->best, bag, arena);
    brute_modes(b, 0);
}

static void same_plan(const struct cs_bag *bag, const struct cs_bag_plan *a,
                      const struct cs_bag_plan *b)
{
    for (int i = 0; i < bag->data.tasks; i++)
        assert_true(a->choice[i] == b->choice[i] && a->start[i] == b->start[i]);
}

/* Lists and search of one bag against its optimum; `best` is that of all modes and orders. */
static void planners_hold(const struct cs_bag *bag, const struct cs_bag_plan *best, uint64_t seed,
                          struct cs_arena *arena)
{
    struct cs_bag_bounds bounds;
    struct cs_bag_plan plan, again;

    cs_bag_bound(bag, &bounds, arena);
    cs_bag_plan_init(&plan, bag, arena);
    cs_bag_plan_init(&again, bag, arena);
    assert_true(bounds.least <= best->makespan * (1 + 1e-12));
    cs_bag_lists(bag, &bounds, &plan, arena);
    assert_valid(bag, &plan);
    cs_bag_plan_copy(&again, &plan, bag->data.tasks);
    cs_bag_search(bag, &bounds, seed, 60, &plan, arena);
    assert_valid(bag, &plan);
    assert_false(cs_bag_plan_better(&again, &plan));
    assert_false(cs_bag_plan_better(&plan, best));
    cs_bag_search(bag, &bounds, seed, 60, &again, arena);
    same_plan(bag, &plan, &again);
    assert_true(cs_bag_enumerate(bag, 1 << 30, &plan, arena));
    assert_valid(bag, &plan);
    assert_false(cs_bag_plan_better(best, &plan));
    assert_false(cs_bag_plan_better(&plan, best));
    cs_bag_plan_copy(&plan, &again, bag->data.tasks);
    assert_false(cs_bag_enumerate(bag, 0, &plan, arena));
    same_plan(bag, &plan, &again);
}

/* The exact method, without and with the relaxation: the optimum, or that no plan keeps the budgets
 * and deadlines. */
static void exact_holds(const struct cs_bag *bag, const struct cs_bag_plan *best,
                        const struct cs_bag_relaxation *relaxation, enum times times,
                        struct cs_bag_plan *plan, struct cs_arena *arena)
{
    struct cs_bag_proof proof = {.conflicts = 100000, .relaxation = relaxation};

    if (relaxation)
        proof.bound = relaxation->bound * (1 - 1e-9);
    cs_bag_exact(bag, &proof, plan, arena);
    assert_true(proof.closed);
    if (isinf(best->makespan) || best->over > 0 || best->late > 0) {
        assert_true(isinf(proof.bound));
        return;
    }
    assert_true(!relaxation || relaxation->bound <= best->makespan * (1 + 1e-9));
    assert_valid(bag, plan);
    assert_true(plan->over == 0 && plan->late == 0);
    if (times == TIMES_HALVES) {
        assert_true(plan->makespan == best->makespan);
        assert_true(proof.bound == best->makespan);
        return;
    }
    /* Sums of decimal times are longer in doubles: what fits before a window then may not. */
    assert_true(proof.bound <= best->makespan * (1 + 1e-9));
    assert_true(plan->makespan >= best->makespan * (1 - 1e-12));
    if (plan->makespan > proof.bound * (1 + 1e-6))
        assert_true(bag->dated);
}

static void exact_finds_the_optimum(void **state)
{
    struct cs_splitmix random = {bag_seed(23)};
    int none = 0, solved = 0;

    (void)state;
    for (int round = 0; round < bag_rounds(6000); round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_error err = {0};
        struct cs_bag_relaxation relaxation;
        struct cs_bag_plan plan;
        struct world w;
        struct cs_bag bag;
        struct brute b;

        draw_world(&w, &random, round % 192);
        if (cs_bag_create(&w.m, &bag, arena, &err) == 0) {
            brute_solve(&b, &bag, arena);
            assert_true(cs_bag_relax(&bag, &relaxation, arena));
            for (int way = 0; way < 3; way++) {
                if (way < 2)
                    cs_bag_plan_init(&plan, &bag, arena);
                exact_holds(&bag, &b.best, way ? &relaxation : NULL, (enum times)(round % 192 / 64),
                            &plan, arena);
            }
            none += b.best.over > 0 || b.best.late > 0;
            solved++;
        }
        cs_arena_destroy(arena);
    }
    assert_true(none > bag_rounds(6000) / 50 && solved > bag_rounds(6000) / 2);
}

static void planners_obey_rules_and_bounds(void **state)
{
    struct cs_splitmix random = {bag_seed(7)};
    int solved = 0;

    (void)state;
    for (int round = 0; round < KIT_ROUNDS(3000); round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_error err = {0};
        struct world w;
        struct cs_bag bag;
        struct brute b;

        draw_world(&w, &random, round % 64);
        if (cs_bag_create(&w.m, &bag, arena, &err) == 0) {
            brute_solve(&b, &bag, arena);
            assert_valid(&bag, &b.best);
            planners_hold(&bag, &b.best, (uint64_t)round, arena);
            solved++;
        }
        cs_arena_destroy(arena);
    }
    assert_true(solved > KIT_ROUNDS(3000) / 2);
}

/* What a node holds at an instant. */
static int64_t node_held(const struct cs_bag *bag, const struct cs_bag_plan *plan,
                         const struct cs_bag_nodes *nodes, int node, int r, double at)
{
    const struct cs_modes *m = &bag->data;
    int64_t held = 0;

    for (int i = 0; i < m->tasks; i++)
        for (int k = 0; k < nodes[i].span; k++)
            if (nodes[i].node[k] == node && plan->start[i] <= at && at < cs_bag_end(bag, plan, i)) {
                const int64_t use = m->use[(m->first[i] + plan->choice[i]) * m->resources + r];

                held += (use + nodes[i].span - 1) / nodes[i].span;
            }
    return held;
}

/* Equal shares on distinct nodes within the capacity of each; numbers that no two bars share. */
static void shared_nodes_are_never_too_full(void **state)
{
    struct cs_splitmix random = {31};
    int placed = 0;

    (void)state;
    for (int round = 0; round < KIT_ROUNDS(2000); round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_bag_nodes nodes[TASKS];
        struct cs_error err = {0};
        int64_t per_node[RESOURCES];
        struct cs_bag_plan plan;
        struct world w;
        struct cs_bag bag;

        draw_world(&w, &random, round % 32 & 25);
        w.m.nodes = 2 + round % 2;
        w.m.per_node = per_node;
        for (int r = 0; r < w.m.resources; r++) {
            per_node[r] = w.capacity[r];
            w.capacity[r] *= w.m.nodes;
        }
        for (int k = 0; k < w.m.first[w.m.tasks] * w.m.resources; k++)
            w.use[k] *= 1 + round % 3;
        if (cs_bag_create(&w.m, &bag, arena, &err) == 0) {
            cs_bag_plan_init(&plan, &bag, arena);
            assert_true(cs_bag_earliest_nodes(&bag, bag.ranked, &plan, nodes, arena));
            for (int i = 0; i < w.m.tasks; i++)
                for (int j = 0; j < w.m.nodes; j++)
                    for (int r = 0; r < w.m.resources; r++)
                        assert_true(node_held(&bag, &plan, nodes, j, r, plan.start[i]) <=
                                    per_node[r]);
            assert_valid(&bag, &plan);
            placed++;
        }
        cs_arena_destroy(arena);
    }
    assert_true(placed > KIT_ROUNDS(2000) / 4);
}

static void numbers_are_held_once(void **state)
{
    struct cs_splitmix random = {37};

    (void)state;
    for (int round = 0; round < KIT_ROUNDS(500); round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_bag_bar bar[6];
        int room[6][4], *number[6];

        for (int b = 0; b < 6; b++) {
            bar[b].start = 3 * b;
            bar[b].end = 3 * b + draw(&random, 1, 6);
            bar[b].amount = draw(&random, 0, 2);
            number[b] = room[b];
        }
        cs_bag_number(bar, 6, 4, number, arena);
        for (int b = 1; b < 6; b++)
            for (int k = 0; k < bar[b].amount; k++)
                for (int j = 0; j < bar[b - 1].amount; j++)
                    assert_true(bar[b - 1].end <= bar[b].start || number[b][k] != number[b - 1][j]);
        cs_arena_destroy(arena);
    }
}

/* Times twice as long: every date twice as late. */
static void times_scale(void **state)
{
    struct cs_splitmix random = {11};

    (void)state;
    for (int round = 0; round < KIT_ROUNDS(300); round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_error err = {0};
        struct world w;
        struct cs_bag bag;
        struct cs_bag_bounds bounds;
        struct cs_bag_plan plan[2];

        draw_world(&w, &random, round % 64 & 11);
        for (int scale = 0; scale < 2; scale++) {
            if (cs_bag_create(&w.m, &bag, arena, &err))
                break;
            cs_bag_bound(&bag, &bounds, arena);
            cs_bag_plan_init(&plan[scale], &bag, arena);
            cs_bag_lists(&bag, &bounds, &plan[scale], arena);
            cs_bag_search(&bag, &bounds, 3, 40, &plan[scale], arena);
            for (int k = 0; k < TASKS * MODES; k++)
                w.seconds[k] *= 2;
            if (scale)
                assert_true(plan[1].makespan == 2 * plan[0].makespan);
        }
        cs_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planners_obey_rules_and_bounds),
        cmocka_unit_test(exact_finds_the_optimum),
        cmocka_unit_test(shared_nodes_are_never_too_full),
        cmocka_unit_test(numbers_are_held_once),
        cmocka_unit_test(times_scale),
    };

    return cmocka_run_group_tests_name("bag", tests, NULL, NULL);
}
