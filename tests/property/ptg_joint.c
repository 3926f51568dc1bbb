/* ptg_joint: the planner that fills holes equals the words of spec/ptg.md III.3 done slowly; its
 * plans are valid, the same twice, within limits and not below any bound. */
#include "problems/ptg/board.h"
#include "problems/ptg/dispatch.h"
#include "problems/ptg/joint.h"
#include "problems/ptg/portfolio.h"
#include "problems/ptg/rank.h"
#include "problems/ptg/run.h"
#include "problems/ptg/search.h"
#include "problems/ptg/width.h"
#include "property/ptg_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define BUSY_MOST 400

/* The processors of one cluster, each with its busy intervals, ascending. */
struct plain {
    int procs;
    int count[64];
    double start[64][BUSY_MOST], finish[64][BUSY_MOST];
};

static void plain_enter(struct plain *p, int q, double start, double finish)
{
    int at = p->count[q]++;

    for (; at > 0 && p->start[q][at - 1] >= finish; at--) {
        p->start[q][at] = p->start[q][at - 1];
        p->finish[q][at] = p->finish[q][at - 1];
    }
    p->start[q][at] = start;
    p->finish[q][at] = finish;
}

static void plain_leave(struct plain *p, int q, double start)
{
    int at = 0;

    while (p->start[q][at] != start)
        at++;
    for (p->count[q]--; at < p->count[q]; at++) {
        p->start[q][at] = p->start[q][at + 1];
        p->finish[q][at] = p->finish[q][at + 1];
    }
}

static bool plain_idle(const struct plain *p, int q, double t, double d)
{
    for (int i = 0; i < p->count[q]; i++)
        if (p->finish[q][i] > t && p->start[q][i] < t + d)
            return false;
    return true;
}

static double plain_before(const struct plain *p, int q, double t)
{
    double last = 0;

    for (int i = 0; i < p->count[q]; i++)
        if (p->finish[q][i] <= t)
            last = fmax(last, p->finish[q][i]);
    return last;
}

/* The next end of a busy interval after t. */
static double plain_next(const struct plain *p, double t)
{
    double next = INFINITY;

    for (int q = 0; q < p->procs; q++)
        for (int i = 0; i < p->count[q]; i++)
            if (p->finish[q][i] > t)
                next = fmin(next, p->finish[q][i]);
    return next;
}

static double plain_find(const struct plain *p, int n, double from, double d)
{
    for (double t = from;; t = plain_next(p, t)) {
        int idle = 0;

        for (int q = 0; q < p->procs; q++)
            idle += plain_idle(p, q, t, d);
        if (idle >= n)
            return t;
    }
}

/* Those that were busy last; returns until when. */
static double plain_take(const struct plain *p, int n, double t, double d, bool *taken)
{
    double latest = 0;

    memset(taken, 0, 64 * sizeof *taken);
    for (int i = 0; i < n; i++) {
        int best = -1;

        for (int q = 0; q < p->procs; q++)
            if (!taken[q] && plain_idle(p, q, t, d) &&
                (best < 0 || plain_before(p, q, t) > plain_before(p, best, t)))
                best = q;
        taken[best] = true;
        latest = fmax(latest, plain_before(p, best, t));
    }
    return latest;
}

static double plain_fit(const struct plain *p, const bool *list, double from, double d)
{
    double t = from, next;

    do {
        next = t;
        for (int q = 0; q < p->procs; q++)
            for (int i = 0; list[q] && i < p->count[q]; i++)
                if (p->finish[q][i] > t && p->start[q][i] < t + d) {
                    next = fmax(next, p->finish[q][i]);
                    break;
                }
        if (next == t)
            return t;
        t = next;
    } while (true);
}

struct entry {
    double start, finish;
    uint64_t set;
};

static void the_calendar_is_a_list_of_intervals(void **state)
{
    static struct plain p;

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct cs_splitmix random = {seed};
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_calendar calendar;
        struct entry entry[64];
        int entries = 0;

        memset(&p, 0, sizeof p);
        p.procs = 1 + (int)cs_splitmix_below(&random, 63);
        cs_ptg_calendar_init(&calendar, 10, p.procs, arena);
        for (int step = 0; step < 120; step++) {
            int n = 1 + (int)cs_splitmix_below(&random, (uint64_t)p.procs);
            double from = (double)cs_splitmix_below(&random, 40);
            double d = (double)cs_splitmix_below(&random, 6), limit;
            double t = plain_find(&p, n, from, d);
            uint64_t set, fit = 0;
            bool taken[64];

            assert_true(cs_ptg_calendar_find(&calendar, n, from, d, INFINITY) == t);
            limit = t + d - 1;
            assert_true(t == from || isinf(cs_ptg_calendar_find(&calendar, n, from, d, limit)));
            assert_true(plain_take(&p, n, t, d, taken) ==
                        cs_ptg_calendar_take(&calendar, n, t, d, &set));
            for (int q = 0; q < p.procs; q++) {
                assert_int_equal(set >> q & 1, taken[q]);
                taken[q] = cs_splitmix_below(&random, 3) == 0;
                fit |= (uint64_t)taken[q] << q;
            }
            assert_true(cs_ptg_calendar_fit(&calendar, &fit, from, d, INFINITY) ==
                        plain_fit(&p, taken, from, d));
            if (entries > 0 && cs_splitmix_below(&random, 3) == 0) {
                struct entry e = entry[cs_splitmix_below(&random, (uint64_t)entries)];

                for (int i = 0; i < entries; i++)
                    if (!memcmp(&entry[i], &e, sizeof e)) {
                        entry[i] = entry[--entries];
                        break;
                    }
                cs_ptg_calendar_leave(&calendar, &e.set, e.start, e.finish);
                for (int q = 0; q < p.procs; q++)
                    if (e.set >> q & 1)
                        plain_leave(&p, q, e.start);
            } else if (d > 0 && entries < 64) {
                entry[entries++] = (struct entry){t, t + d, set};
                cs_ptg_calendar_enter(&calendar, &set, t, t + d);
                for (int q = 0; q < p.procs; q++)
                    if (set >> q & 1)
                        plain_enter(&p, q, t, t + d);
            }
        }
        cs_arena_destroy(arena);
    }
}

/* Section III.2, word by word. */
struct slow {
    const struct cs_ptg_instance *in;
    bool fan;
    struct cs_ptg_place place[256];
    struct cs_interval set[256][64];
    struct plain cluster[4];
};

static struct cs_ptg_transfer transfer_of(const struct slow *s, const struct cs_graph *graph,
                                          int first, const struct cs_graph_arc *arc, int to, int n)
{
    const struct cs_ptg_place *from = &s->place[first + arc->from];

    return (struct cs_ptg_transfer){
        .platform = s->in->platform,
        .bytes = arc->bytes,
        .fan_out = s->fan ? graph->first_out[arc->from + 1] - graph->first_out[arc->from] : 1,
        .fan_in = s->fan ? graph->first_in[arc->to + 1] - graph->first_in[arc->to] : 1,
        .from = from->cluster,
        .to = to,
        .senders = from->procs,
        .receivers = n,
    };
}

/* max(now, finish + R), or with no list the bound. */
static double data_on(const struct slow *s, int number, double now, int k, int n, const bool *list)
{
    int g = s->in->graph_of[number], first = s->in->first[g], v = number - first, count = 0;
    const struct cs_graph *graph = s->in->graph[g];
    struct cs_interval set[64];
    double date = now;

    for (int q = 0; list && q < s->cluster[k].procs; q++)
        if (list[q]) {
            int p = s->in->platform->cluster[k].first + q;

            set[count++] = (struct cs_interval){p, p};
        }
    for (int i = graph->first_in[v]; i < graph->first_in[v + 1]; i++) {
        const struct cs_graph_arc *arc = &graph->arc[graph->in[i]];
        const struct cs_ptg_place *from = &s->place[first + arc->from];
        struct cs_ptg_transfer t = transfer_of(s, graph, first, arc, k, n);
        double r = list ? cs_ptg_transfer_time(&t, from->set, from->intervals, set, count)
                        : cs_ptg_transfer_bound(&t);

        date = fmax(date, from->finish + r);
    }
    return date;
}

struct found {
    int cluster, procs;
    double start, finish;
    bool list[64];
};

static void keep_found(const struct slow *s, struct found *best, const struct found *f)
{
    const struct cs_cluster *c = s->in->platform->cluster;

    if (best->procs == 0 || f->finish < best->finish ||
        (f->finish == best->finish &&
         f->procs * c[f->cluster].speed < best->procs * c[best->cluster].speed))
        *best = *f;
}

static void slow_place(const struct slow *s, int number, double now, int k, int n,
                       struct found *best)
{
    double d = cs_graph_task_time(cs_ptg_task(s->in, number), n, s->in->platform->cluster[k].speed);
    double t = plain_find(&s->cluster[k], n, data_on(s, number, now, k, n, NULL), d), idle;
    struct found f = {.cluster = k, .procs = n};

    idle = plain_take(&s->cluster[k], n, t, d, f.list);
    f.start = fmax(idle, data_on(s, number, now, k, n, f.list));
    f.finish = f.start + d;
    keep_found(s, best, &f);
}

static void slow_on(const struct slow *s, int number, double now, const struct cs_ptg_place *like,
                    struct found *best)
{
    int k = like->cluster, n = like->procs;
    double d = cs_graph_task_time(cs_ptg_task(s->in, number), n, s->in->platform->cluster[k].speed);
    struct found f = {.cluster = k, .procs = n};

    for (int i = 0; i < like->intervals; i++)
        for (int p = like->set[i].first; p <= like->set[i].last; p++)
            f.list[p - s->in->platform->cluster[k].first] = true;
    f.start = plain_fit(&s->cluster[k], f.list, data_on(s, number, now, k, n, f.list), d);
    f.finish = f.start + d;
    keep_found(s, best, &f);
}

static void slow_commit(struct slow *s, int number, const struct found *f)
{
    int count = 0, first = s->in->platform->cluster[f->cluster].first;

    for (int q = 0; q < s->cluster[f->cluster].procs; q++) {
        if (!f->list[q])
            continue;
        s->set[number][count++] = (struct cs_interval){first + q, first + q};
        if (f->finish > f->start)
            plain_enter(&s->cluster[f->cluster], q, f->start, f->finish);
    }
    s->place[number] = (struct cs_ptg_place){f->cluster, f->procs,  count, s->set[number],
                                             f->start,   f->finish, false};
}

static void slow_choose(struct slow *s, int number, double now, double efficiency, double cap)
{
    const struct cs_graph_task *task = cs_ptg_task(s->in, number);
    int g = s->in->graph_of[number], first = s->in->first[g], v = number - first;
    const struct cs_graph *graph = s->in->graph[g];
    struct found best = {0};

    for (int k = 0; k < s->in->platform->clusters; k++) {
        const struct cs_cluster *c = &s->in->platform->cluster[k];
        int low = cs_ptg_low(s->in, number, k), high = cs_ptg_high(s->in, number, k);
        int top = high, most = cs_ptg_width_efficient(task->alpha, efficiency, c->procs);
        int ladder[CS_PTG_LADDER], widths;

        if (low > high)
            continue;
        top = most < top ? most : top;
        if (!isinf(cap) && floor(cap / c->speed * (1 + 1e-9)) < top)
            top = (int)floor(cap / c->speed * (1 + 1e-9));
        if (top < low || task->flops == 0 || task->alpha == 1)
            top = low;
        widths = cs_ptg_width_ladder(low, top, ladder);
        for (int i = 0; i < widths; i++)
            slow_place(s, number, now, k, ladder[i], &best);
        for (int i = graph->first_in[v]; i < graph->first_in[v + 1]; i++) {
            const struct cs_graph_arc *arc = &graph->arc[graph->in[i]];
            const struct cs_ptg_place *from = &s->place[first + arc->from];

            if (arc->bytes > 0 && from->cluster == k && from->procs >= low && from->procs <= top)
                slow_on(s, number, now, from, &best);
        }
    }
    slow_commit(s, number, &best);
}

/* Limits that leave every task a cluster. */
static void limit(struct ptg_kit *kit, struct cs_arena *arena)
{
    int clusters = kit->platform->clusters;
    int *low = CS_NEW_ARRAY(arena, int, kit->in->tasks *clusters);
    int *high = CS_NEW_ARRAY(arena, int, kit->in->tasks *clusters);

    for (int v = 0; v < kit->in->tasks; v++)
        for (int k = 0; k < clusters; k++) {
            int procs = kit->platform->cluster[k].procs;

            low[v * clusters + k] = 1 + ptg_kit_below(kit, k == v % clusters ? procs : procs + 2);
            high[v * clusters + k] = k == v % clusters ? procs : 1 + ptg_kit_below(kit, procs);
        }
    kit->in->low = low;
    kit->in->high = high;
}

static void joint_is_done_slowly(void **state)
{
    static struct slow s;

    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_ptg_plan *plan;
        struct ptg_kit kit;
        double beta[PTG_KIT_GRAPHS], rank[256];
        int order[256];
        struct cs_ptg_joint how = {.efficiency = 0.05 * (double)(seed % 8), .fan = seed % 2 == 0};

        ptg_kit_init(&kit, seed, 3, 20, seed % 3 == 0);
        if (seed % 4 == 0)
            limit(&kit, arena);
        for (int g = 0; g < kit.graphs; g++)
            beta[g] = ptg_kit_below(&kit, 2) ? 1 : 0.1 * (1 + ptg_kit_below(&kit, 10));
        plan = cs_ptg_joint_plan(kit.in, &how, beta);
        memset(&s, 0, sizeof s);
        s.in = kit.in;
        s.fan = how.fan;
        for (int k = 0; k < kit.platform->clusters; k++)
            s.cluster[k].procs = kit.platform->cluster[k].procs;
        cs_ptg_rank(kit.in, how.efficiency, rank, arena);
        cs_ptg_rank_order(kit.in, rank, order, arena);
        for (int i = 0; i < kit.in->tasks; i++) {
            int v = order[i], g = kit.in->graph_of[v];
            const struct cs_ptg_place *place = &plan->place[v];
            int at = 0;

            slow_choose(&s, v, kit.in->release[g], how.efficiency,
                        beta[g] == 1 ? INFINITY : beta[g] * kit.in->power);
            assert_int_equal(place->cluster, s.place[v].cluster);
            assert_int_equal(place->procs, s.place[v].procs);
            assert_true(place->start == s.place[v].start && place->finish == s.place[v].finish);
            for (int j = 0; j < place->intervals; j++)
                for (int p = place->set[j].first; p <= place->set[j].last; p++)
                    assert_int_equal(p, s.set[v][at++].first);
        }
        cs_ptg_plan_destroy(plan);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

static void check_widths(const struct ptg_kit *kit, const struct cs_ptg_plan *plan)
{
    for (int v = 0; v < plan->tasks; v++) {
        const struct cs_ptg_place *place = &plan->place[v];

        assert_true(place->procs >= cs_ptg_low(kit->in, v, place->cluster));
        assert_true(place->procs <= cs_ptg_high(kit->in, v, place->cluster));
    }
}

/* Valid, within limits, not below the sharpest bound; the same twice. */
static void expect_twins(const struct ptg_kit *kit, bool fan, struct cs_ptg_plan *plan,
                         struct cs_ptg_plan *again)
{
    struct cs_ptg_bounds bounds;

    ptg_kit_check(kit, plan, fan);
    check_widths(kit, plan);
    assert_true(ptg_kit_same(plan, again));
    cs_ptg_bounds_compute(kit->in, &bounds);
    cs_ptg_bounds_sharpen(kit->in, &bounds);
    assert_true(bounds.integer >= bounds.window * (1 - 1e-9));
    assert_true(bounds.interval >= bounds.integer);
    assert_true(plan->makespan >= bounds.interval * (1 - 1e-9));
    cs_ptg_plan_destroy(plan);
    cs_ptg_plan_destroy(again);
}

static struct cs_ptg_plan *one_of_all(const struct ptg_kit *kit, int which, bool fan,
                                      const double *beta)
{
    struct cs_ptg_joint joint = {.efficiency = 0.1, .fan = fan};
    struct cs_ptg_dispatch dispatch = {.efficiency = 0.3, .fan = fan};

    if (which < 4) {
        joint.kind = (enum cs_ptg_joint_kind)(which % 3);
        joint.key = which == 3 ? CS_PTG_KEY_SHARE : CS_PTG_KEY_RANK;
        return cs_ptg_joint_plan(kit->in, &joint, beta);
    }
    dispatch.key = (enum cs_ptg_dispatch_key)((which - 4) % 5);
    dispatch.shares = which < 9;
    return cs_ptg_dispatch_plan(kit->in, &dispatch, NULL);
}

static void plans_are_valid(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct cs_arena *arena = cs_arena_create();
        double beta[PTG_KIT_GRAPHS];
        bool fan = seed % 2 == 0;
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, PTG_KIT_GRAPHS, 20, seed % 3 == 0);
        if (seed % 4 == 0)
            limit(&kit, arena);
        for (int g = 0; g < kit.graphs; g++)
            beta[g] = 1.0 / kit.graphs;
        for (int which = 0; which < 14; which++)
            expect_twins(&kit, fan, one_of_all(&kit, which, fan, beta),
                         one_of_all(&kit, which, fan, beta));
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

/* A level uses no more than its share, but for what rounding to whole processors adds: less than
 * one of the fastest for each task. */
static void widened_levels_keep_the_share(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const struct cs_ptg_options options = {.pack = true, .batch = 0};
        struct cs_ptg_plan *plan;
        double beta[PTG_KIT_GRAPHS], fastest = 0;
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 3, 20, false);
        for (int g = 0; g < kit.graphs; g++)
            beta[g] = 1.0 / kit.graphs;
        for (int k = 0; k < kit.platform->clusters; k++)
            fastest = fmax(fastest, kit.platform->cluster[k].speed);
        plan = cs_ptg_run_widened(kit.in, &options, 0.1, beta);
        ptg_kit_check(&kit, plan, false);
        for (int g = 0; g < kit.graphs; g++)
            for (int l = 0; l < kit.graph[g]->levels; l++) {
                double used = 0, most = beta[g] * kit.in->power;

                for (int v = plan->first[g]; v < plan->first[g + 1]; v++)
                    if (kit.graph[g]->level[v - plan->first[g]] == l)
                        used += plan->place[v].procs *
                                kit.platform->cluster[plan->place[v].cluster].speed;
                assert_true(used <= (most + fastest * kit.graph[g]->members[l]) * (1 + 1e-6));
            }
        cs_ptg_plan_destroy(plan);
        ptg_kit_release(&kit);
    }
}

static void a_search_decodes_only_what_it_must(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct cs_ptg_search how = {.moves = 300, .seed = seed, .fan = seed % 2 == 0};
        const struct cs_ptg_joint joint = {.efficiency = 0.1, .fan = how.fan};
        struct cs_ptg_search_result quick, plain;
        struct cs_ptg_plan *from, *a, *b;
        struct cs_arena *arena = cs_arena_create();
        double beta[PTG_KIT_GRAPHS];
        struct ptg_kit kit;

        ptg_kit_init(&kit, seed, 3, 20, seed % 3 == 0);
        if (seed % 4 == 0)
            limit(&kit, arena);
        for (int g = 0; g < kit.graphs; g++)
            beta[g] = 1;
        from = cs_ptg_joint_plan(kit.in, &joint, beta);
        a = cs_ptg_search_from(kit.in, from, &how, &quick);
        how.plain = true;
        b = cs_ptg_search_from(kit.in, from, &how, &plain);
        assert_true(a->makespan <= from->makespan);
        assert_int_equal(quick.evaluated, plain.evaluated);
        assert_int_equal(quick.accepted, plain.accepted);
        expect_twins(&kit, how.fan, a, b);
        cs_ptg_plan_destroy(from);
        cs_arena_destroy(arena);
        ptg_kit_release(&kit);
    }
}

static void the_portfolio_is_its_best_member(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct cs_ptg_options options = CS_PTG_OPTIONS;
        struct cs_ptg_portfolio how = {.objective = (enum cs_ptg_objective)(seed % 3),
                                       .fluid = seed % 2 == 0,
                                       .moves = seed % 4 == 0 ? 50 : 0,
                                       .seed = 1,
                                       .threads = 1};
        struct cs_ptg_contest *c;
        struct cs_ptg_plan *plan, *again;
        struct ptg_kit kit;
        int best;

        ptg_kit_init(&kit, seed, 3, 15, seed % 3 == 0);
        options.network = seed % 2 ? CS_PTG_NETWORK_FAN : CS_PTG_NETWORK_PLAIN;
        plan = cs_ptg_portfolio_plan(kit.in, &options, &how);
        how.threads = 3;
        again = cs_ptg_portfolio_plan(kit.in, &options, &how);
        c = cs_ptg_contest_create(kit.in, &options, how.fluid, 2);
        best = cs_ptg_contest_best(c, how.objective);
        assert_string_equal(plan->member, c->member[best].name);
        assert_int_equal(c->members, kit.graphs > 1 ? 28 : 11);
        assert_true(how.moves > 0 || ptg_kit_same(plan, c->member[best].plan));
        for (int i = 0; i < c->members; i++) {
            const struct cs_ptg_member *m = &c->member[i], *w = &c->member[best];

            assert_true(cs_ptg_contest_value(c, how.fluid ? w->replayed : w->plan, how.objective) <=
                        cs_ptg_contest_value(c, how.fluid ? m->replayed : m->plan, how.objective));
        }
        cs_ptg_contest_destroy(c);
        expect_twins(&kit, options.network == CS_PTG_NETWORK_FAN, plan, again);
        ptg_kit_release(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_calendar_is_a_list_of_intervals),
        cmocka_unit_test(joint_is_done_slowly),
        cmocka_unit_test(plans_are_valid),
        cmocka_unit_test(widened_levels_keep_the_share),
        cmocka_unit_test(a_search_decodes_only_what_it_must),
        cmocka_unit_test(the_portfolio_is_its_best_member),
    };

    return cmocka_run_group_tests_name("ptg_joint", tests, NULL, NULL);
}
