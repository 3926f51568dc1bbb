/* run.c - the simulation in which ready tasks are placed.
 *
 * Source: spec/ptg.md 4 (mapping, packing, global order), 15 (arrivals), III.3 (`widen`).
 *
 * Idea: time moves from event to event.  At each date all ends and releases are handled, then
 * shares and allocations where the mode requires it, then the ready tasks are placed by falling
 * bottom level, each where it ends first.  A placed task reserves its processors even if it starts
 * later.
 *
 * Invariants
 *   - no backfilling: a processor is used from the end of its last task on (avail.c).
 *   - of two candidates the earlier finish wins, then the smaller power, then the lower cluster.
 *   - packing takes fewer processors only if the task starts earlier and ends no later.
 *   - online, a placement that starts after `now` can be revoked (not with fixed shares); started
 *     tasks keep theirs, and the end of a revoked task is removed from the events.
 *   - widen: used[g][l] is the power of the tasks of a level, as placed or else as allocated.  It
 *     exceeds the share only where allocations did.
 *
 * Complexity: a task costs, on each cluster, a choice (avail.c) and a pass over its predecessors,
 * and with packing one of each for every group that the choice can do without.  An online
 * recomputation costs the allocation of what is left of every graph.  4 to 5 us a task on 180
 * processors, linear up to 100,000 tasks (spec/ptg.md 4, the reference).  No tuned constants.
 */
#include "problems/ptg/run.h"
#include "base/arena.h"
#include "base/order.h"
#include "problems/ptg/allocate.h"
#include "problems/ptg/avail.h"
#include "problems/ptg/board.h"
#include "problems/ptg/events.h"
#include "problems/ptg/instance.h"
#include "problems/ptg/reference.h"
#include "problems/ptg/width.h"

#include <math.h>
#include <string.h>

/* Widening (spec/ptg.md III.3): a task may also have more processors of a cluster
 * than its allocation comes to there, where its precedence level leaves some of its graph's share
 * and the efficiency allows. */
struct cs_ptg_widen {
    double efficiency;  /* no width below it */
    const double *beta; /* by graph: its share */
    double **used;      /* by graph and level: flop/s of its tasks, as allocated or as placed */
};

struct cs_ptg_map {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    const struct cs_ptg_reference *reference;
    struct cs_ptg_place *place;       /* by number; procs 0 until it is placed */
    const int *allocation;            /* by number */
    struct cs_ptg_avail *avail;       /* by cluster */
    const struct cs_ptg_widen *widen; /* NULL: none */
    struct cs_arena *arena;           /* keeps sets */
    struct cs_arena *scratch;         /* as before after every call */
};

/* One option to run the task. */
struct candidate {
    int cluster;
    struct cs_ptg_choice choice;
    double start, finish;
    bool packed;
};

/* All that is pointed to is the caller's. */
static void ptg_map_init(struct cs_ptg_map *map, const struct cs_ptg_instance *in,
                         const struct cs_ptg_options *options,
                         const struct cs_ptg_reference *reference, struct cs_ptg_place *place,
                         const int *allocation, struct cs_arena *arena, struct cs_arena *scratch)
{
    const struct cs_platform *p = in->platform;

    *map = (struct cs_ptg_map){
        .in = in,
        .options = options,
        .reference = reference,
        .place = place,
        .allocation = allocation,
        .avail = CS_NEW_ARRAY(arena, struct cs_ptg_avail, p->clusters),
        .arena = arena,
        .scratch = scratch,
    };
    for (int k = 0; k < p->clusters; k++)
        cs_ptg_avail_init(&map->avail[k], p->cluster[k].first, p->cluster[k].procs, arena);
}

/* D': the processors matter only if data of the same cluster may arrive before their bound. */
static double data_date(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
                        const struct candidate *c, double bound)
{
    double away = cs_ptg_data_away(s, c->cluster, c->choice.procs);
    const struct cs_interval *set;
    int intervals;

    if (!(bound > away))
        return away;
    set = cs_ptg_avail_gather(&map->avail[c->cluster], &c->choice, &intervals);
    return cs_ptg_data_date(s, c->cluster, c->choice.procs, away, set, intervals);
}

/* m processors of a cluster, where `date` is the data bound for so many. */
static struct candidate place_on(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
                                 int cluster, int procs, double date)
{
    struct candidate c = {
        .cluster = cluster,
        .choice = cs_ptg_avail_choose(&map->avail[cluster], procs, date),
    };

    c.start = fmax(data_date(map, s, &c, date), c.choice.latest);
    c.finish =
        c.start + cs_graph_task_time(s->task, procs, map->in->platform->cluster[cluster].speed);
    return c;
}

/* Fewer processors, if the task then starts earlier and ends no later than `base`. */
static struct candidate run_pack(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
                                 const struct candidate *base)
{
    const struct cs_ptg_avail *avail = &map->avail[base->cluster];
    struct candidate best = *base;
    int procs, at = cs_ptg_avail_rank(avail, base->choice.procs, &procs);

    while (procs > 0) {
        double date = cs_ptg_data_bound(s, base->cluster, procs);
        struct candidate c = place_on(map, s, base->cluster, procs, date);

        if (c.start < base->start && c.finish <= base->finish &&
            (!best.packed || c.finish < best.finish ||
             (c.finish == best.finish && c.start < best.start))) {
            best = c;
            best.packed = true;
        }
        if (!c.choice.waits)
            break;
        procs -= avail->group[--at].procs;
    }
    return best;
}

static struct candidate try_cluster(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
                                    int cluster, int procs)
{
    struct candidate base = place_on(map, s, cluster, procs, cs_ptg_data_bound(s, cluster, procs));

    return map->options->pack && base.choice.waits ? run_pack(map, s, &base) : base;
}

/* Processors times speed, where two candidates end at the same time. */
static double power_of(const struct cs_ptg_map *map, const struct candidate *c)
{
    return c->choice.procs * map->in->platform->cluster[c->cluster].speed;
}

/* The allocation translated to every cluster; the earliest finish wins. */
static struct candidate run_choose(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
                                   int allocation)
{
    struct candidate best = {.cluster = -1};

    for (int k = 0; k < map->in->platform->clusters; k++) {
        int procs = cs_ptg_reference_translate(map->reference, s->task->alpha, allocation, k);
        struct candidate c = try_cluster(map, s, k, procs);

        if (best.cluster < 0 || c.finish < best.finish ||
            (c.finish == best.finish && power_of(map, &c) < power_of(map, &best)))
            best = c;
    }
    return best;
}

static double *level_of(const struct cs_ptg_map *map, int number)
{
    int g = map->in->graph_of[number], v = number - map->in->first[g];

    return &map->widen->used[g][map->in->graph[g]->level[v]];
}

/* From now on; allocations are known.  used[][] is made, the rest is the caller's. */
static void ptg_map_widen(struct cs_ptg_map *map, struct cs_ptg_widen *widen)
{
    const struct cs_ptg_instance *in = map->in;

    widen->used = CS_NEW_ARRAY(map->arena, double *, in->graphs);
    map->widen = widen;
    for (int g = 0; g < in->graphs; g++)
        widen->used[g] = CS_NEW_ARRAY(map->arena, double, in->graph[g]->levels);
    for (int v = 0; v < in->tasks; v++)
        *level_of(map, v) += map->allocation[v] * map->reference->speed;
}

/* More processors than the allocation comes to, as many as the level leaves, if it then ends
 * earlier. */
static void run_widen(struct cs_ptg_map *map, const struct cs_ptg_subject *s, int number,
                      struct candidate *best)
{
    double power = map->widen->beta[map->in->graph_of[number]] * map->in->power;
    double own = map->allocation[number] * map->reference->speed;
    double left = power - (*level_of(map, number) - own), alpha = s->task->alpha;

    for (int k = 0; k < map->in->platform->clusters && s->task->flops > 0 && alpha < 1; k++) {
        const struct cs_cluster *cluster = &map->in->platform->cluster[k];
        int narrow = cs_ptg_reference_translate(map->reference, alpha, map->allocation[number], k);
        int most = cs_ptg_width_efficient(alpha, map->widen->efficiency, cluster->procs);
        int ladder[CS_PTG_LADDER], widths;

        most = cs_ptg_width_within(left, cluster->speed, most);
        widths = cs_ptg_width_ladder(narrow + 1, most, ladder);
        for (int i = 0; i < widths; i++) {
            struct candidate c = place_on(map, s, k, ladder[i], cs_ptg_data_bound(s, k, ladder[i]));

            if (c.finish < best->finish ||
                (c.finish == best->finish && power_of(map, &c) < power_of(map, best)))
                *best = c;
        }
    }
    *level_of(map, number) += power_of(map, best) - own;
}

static void run_commit(struct cs_ptg_map *map, int number, const struct candidate *c)
{
    struct cs_ptg_avail *avail = &map->avail[c->cluster];
    int intervals;
    const struct cs_interval *set = cs_ptg_avail_gather(avail, &c->choice, &intervals);
    struct cs_interval *copy = CS_NEW_ARRAY(map->arena, struct cs_interval, intervals);

    memcpy(copy, set, (size_t)intervals * sizeof *copy);
    map->place[number] = (struct cs_ptg_place){
        .cluster = c->cluster,
        .procs = c->choice.procs,
        .intervals = intervals,
        .set = copy,
        .start = c->start,
        .finish = c->finish,
        .packed = c->packed,
    };
    cs_ptg_avail_take(avail, &c->choice);
    cs_ptg_avail_add(avail, c->finish, copy, intervals, c->choice.procs);
}

/* Place the task of this number, whose predecessors have been placed, not to start before `now`. */
static void ptg_map_place(struct cs_ptg_map *map, int number, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(map->scratch);
    struct cs_ptg_subject s =
        cs_ptg_subject_of(map->in, map->options->network == CS_PTG_NETWORK_FAN,
                          map->options->late_transfer, map->place, number, now, map->scratch);
    struct candidate best = run_choose(map, &s, map->allocation[number]);

    if (map->widen)
        run_widen(map, &s, number, &best);
    run_commit(map, number, &best);
    cs_arena_rewind(map->scratch, mark);
}

/* The width and cluster of this task in a list. */
static struct candidate choose_listed(struct cs_ptg_map *map, const struct cs_ptg_list *list,
                                      const struct cs_ptg_subject *s, int number)
{
    const int clusters = map->in->platform->clusters;
    struct candidate best = {.cluster = -1};

    for (int k = 0; k < clusters; k++) {
        const int at = number * clusters + k;

        for (int n = list->least[at]; n <= list->most[at]; n++) {
            struct candidate c = place_on(map, s, k, n, cs_ptg_data_bound(s, k, n));

            if (best.cluster < 0 || c.finish < best.finish ||
                (c.finish == best.finish && power_of(map, &c) < power_of(map, &best)))
                best = c;
        }
    }
    return best;
}

void cs_ptg_run_list(const struct cs_ptg_instance *in, const struct cs_ptg_list *list,
                     struct cs_ptg_plan *plan)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_map map;

    ptg_map_init(&map, in, NULL, NULL, plan->place, plan->allocation, plan->storage, scratch);
    for (int i = 0; i < in->tasks; i++) {
        const int v = list->order[i];
        struct cs_arena_mark mark = cs_arena_mark(scratch);
        const struct cs_ptg_subject s = cs_ptg_subject_of(in, list->fan, false, plan->place, v,
                                                          in->release[in->graph_of[v]], scratch);
        const struct candidate best = choose_listed(&map, list, &s, v);

        run_commit(&map, v, &best);
        plan->allocation[v] = best.choice.procs;
        cs_arena_rewind(scratch, mark);
    }
    cs_ptg_plan_finish(plan);
    cs_arena_destroy(scratch);
}

/* Every processor is free when the last task that was placed on it ends. */
static void free_again(struct cs_ptg_map *map)
{
    const struct cs_platform *p = map->in->platform;
    struct cs_arena_mark mark = cs_arena_mark(map->scratch);
    double *date = CS_NEW_ARRAY(map->scratch, double, p->procs);

    for (int v = 0; v < map->in->tasks; v++) {
        const struct cs_ptg_place *place = &map->place[v];

        for (int i = 0; place->procs > 0 && i < place->intervals; i++)
            for (int q = place->set[i].first; q <= place->set[i].last; q++)
                date[q] = fmax(date[q], place->finish);
    }
    for (int k = 0; k < p->clusters; k++) {
        int first = p->cluster[k].first, end = first + p->cluster[k].procs;

        cs_ptg_avail_clear(&map->avail[k]);
        for (int from = first, q = first + 1; q <= end; q++)
            if (q == end || date[q] != date[from]) {
                struct cs_interval *set = CS_NEW(map->arena, struct cs_interval);

                *set = (struct cs_interval){from, q - 1};
                cs_ptg_avail_add(&map->avail[k], date[from], set, 1, q - from);
                from = q;
            }
    }
    cs_arena_rewind(map->scratch, mark);
}

/* Take back all placements that start after `now`; tasks taken back have procs 0.  Returns how many
 * there were. */
static int ptg_map_revoke(struct cs_ptg_map *map, double now)
{
    int revoked = 0;

    for (int v = 0; v < map->in->tasks; v++)
        if (map->place[v].procs > 0 && map->place[v].start > now) {
            map->place[v].procs = 0;
            revoked++;
        }
    free_again(map);
    return revoked;
}

struct run {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    const struct cs_ptg_strategy *strategy; /* online */
    const double *param;
    enum cs_ptg_mode mode;
    struct cs_ptg_reference reference;
    struct cs_ptg_plan *plan;
    struct cs_ptg_map map;
    struct cs_ptg_events events;
    struct cs_arena *scratch, *passing; /* passing: for one recomputation */
};

struct cs_ptg_plan *cs_ptg_plan_create(const struct cs_ptg_instance *in)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_plan *plan = CS_NEW(arena, struct cs_ptg_plan);
    int *first = CS_NEW_ARRAY(arena, int, in->graphs + 1);

    memcpy(first, in->first, ((size_t)in->graphs + 1) * sizeof *first);
    *plan = (struct cs_ptg_plan){
        .graphs = in->graphs,
        .tasks = in->tasks,
        .first = first,
        .place = CS_NEW_ARRAY(arena, struct cs_ptg_place, in->tasks),
        .allocation = CS_NEW_ARRAY(arena, int, in->tasks),
        .bottom = CS_NEW_ARRAY(arena, double, in->tasks),
        .beta = CS_NEW_ARRAY(arena, double, in->graphs),
        .completion = CS_NEW_ARRAY(arena, double, in->graphs),
        .rounds = 1,
        .storage = arena,
    };
    return plan;
}

void cs_ptg_plan_destroy(struct cs_ptg_plan *plan)
{
    if (plan)
        cs_arena_destroy(plan->storage);
}

static bool place_fits(const struct cs_platform *platform, const struct cs_ptg_place *place)
{
    const struct cs_cluster *c;
    int next, procs = 0;

    if (place->cluster < 0 || place->cluster >= platform->clusters || place->intervals < 0)
        return false;
    c = &platform->cluster[place->cluster];
    next = c->first;
    for (int i = 0; i < place->intervals; i++) {
        if (place->set[i].first < next || place->set[i].last < place->set[i].first)
            return false;
        procs += place->set[i].last - place->set[i].first + 1;
        next = place->set[i].last + 1;
    }
    return procs == place->procs && next <= c->first + c->procs;
}

bool cs_ptg_plan_fits(const struct cs_ptg_instance *in, const struct cs_ptg_plan *plan)
{
    if (plan->graphs != in->graphs || plan->tasks != in->tasks)
        return false;
    for (int g = 0; g <= in->graphs; g++)
        if (plan->first[g] != in->first[g])
            return false;
    for (int v = 0; v < in->tasks; v++)
        if (!place_fits(in->platform, &plan->place[v]))
            return false;
    return true;
}

void cs_ptg_plan_finish(struct cs_ptg_plan *plan)
{
    plan->makespan = 0;
    for (int g = 0; g < plan->graphs; g++) {
        plan->completion[g] = 0;
        for (int v = plan->first[g]; v < plan->first[g + 1]; v++)
            plan->completion[g] = fmax(plan->completion[g], plan->place[v].finish);
        plan->makespan = fmax(plan->makespan, plan->completion[g]);
    }
}

static void run_init(struct run *r, const struct cs_ptg_instance *in,
                     const struct cs_ptg_options *options)
{
    struct cs_arena *s = cs_arena_create();

    *r = (struct run){
        .in = in,
        .options = options,
        .reference = cs_ptg_reference_of(in->platform, options->reference),
        .plan = cs_ptg_plan_create(in),
        .scratch = s,
        .passing = cs_arena_create(),
    };
    cs_ptg_events_init(&r->events, in, s);
}

/* After run_init: the map keeps pointers into the run. */
static void run_begin(struct run *r)
{
    ptg_map_init(&r->map, r->in, r->options, &r->reference, r->plan->place, r->plan->allocation,
                 r->plan->storage, r->passing);
}

static struct cs_ptg_plan *run_end(struct run *r)
{
    cs_ptg_plan_finish(r->plan);
    cs_arena_destroy(r->passing);
    cs_arena_destroy(r->scratch);
    return r->plan;
}

static void allocate_graph(struct run *r, int g)
{
    int first = r->in->first[g];

    cs_ptg_allocate(r->in->graph[g], &r->reference, r->options, r->plan->beta[g],
                    r->plan->allocation + first, r->plan->bottom + first, r->passing);
}

static void place_ready(struct run *r, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(r->passing);

    cs_order_sort_descending(r->plan->bottom, r->events.ready, r->events.readies, r->passing);
    for (int i = 0; i < r->events.readies; i++) {
        int v = r->events.ready[i];

        ptg_map_place(&r->map, v, now);
        cs_ptg_events_push(&r->events, v, r->plan->place[v].finish);
    }
    cs_arena_rewind(r->passing, mark);
}

/* One list of all tasks (section 4, global order). */
static void place_all_in_order(struct run *r)
{
    const struct cs_ptg_instance *in = r->in;
    double *key = CS_NEW_ARRAY(r->scratch, double, in->tasks), now = 0;
    int *task = CS_NEW_ARRAY(r->scratch, int, in->tasks);
    int *order = CS_NEW_ARRAY(r->scratch, int, in->tasks);

    for (int g = 0; g < in->graphs; g++)
        for (int i = 0; i < in->graph[g]->tasks; i++) {
            int at = in->first[g] + i;

            task[at] = in->first[g] + in->graph[g]->order[i];
            key[at] = r->plan->bottom[task[at]];
        }
    cs_order_descending(key, in->tasks, order, r->scratch);
    for (int i = 0; i < in->tasks; i++) {
        int v = task[order[i]];

        now = fmax(now, in->release[in->graph_of[v]]);
        ptg_map_place(&r->map, v, now);
        now = r->plan->place[v].start;
    }
}

static struct cs_ptg_plan *run_offline(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_options *options,
                                       struct cs_ptg_widen *widen, const double *beta)
{
    struct run r;

    run_init(&r, in, options);
    run_begin(&r);
    memcpy(r.plan->beta, beta, (size_t)in->graphs * sizeof *beta);
    for (int g = 0; g < in->graphs; g++)
        allocate_graph(&r, g);
    if (widen)
        ptg_map_widen(&r.map, widen);
    if (options->order == CS_PTG_ORDER_GLOBAL)
        place_all_in_order(&r);
    while (options->order == CS_PTG_ORDER_READY && r.events.heap.count > 0) {
        double now = cs_ptg_events_next(&r.events);

        cs_ptg_events_take(&r.events, now);
        place_ready(&r, now);
    }
    return run_end(&r);
}

struct cs_ptg_plan *cs_ptg_run_shares(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options, const double *beta)
{
    return run_offline(in, options, NULL, beta);
}

struct cs_ptg_plan *cs_ptg_run_widened(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_options *options, double efficiency,
                                       const double *beta)
{
    struct cs_ptg_widen widen = {.efficiency = efficiency, .beta = beta};

    return run_offline(in, options, &widen, beta);
}

struct cs_ptg_plan *cs_ptg_run_alone(const struct cs_platform *platform,
                                     const struct cs_graph *graph,
                                     const struct cs_ptg_options *options)
{
    struct cs_ptg_instance *in = cs_ptg_instance_create(platform, 1, &graph, NULL, NULL);
    struct cs_ptg_plan *plan;

    CS_REQUIRE(in != NULL);
    plan = cs_ptg_run_shares(in, options, &(double){1});
    cs_ptg_instance_destroy(in);
    return plan;
}

/* The part of a graph that has not been placed, and which task each of its tasks is. */
struct remainder {
    struct cs_graph *graph; /* NULL: nothing */
    int *task;
};

static struct remainder remainder_of(struct run *r, int g)
{
    const struct cs_graph *graph = r->in->graph[g];
    const struct cs_ptg_place *place = r->plan->place + r->in->first[g];
    int *number = CS_NEW_ARRAY(r->passing, int, graph->tasks), tasks = 0, arcs = 0;
    struct cs_graph_task *task = CS_NEW_ARRAY(r->passing, struct cs_graph_task, graph->tasks);
    struct cs_graph_arc *arc = CS_NEW_ARRAY(r->passing, struct cs_graph_arc, graph->arcs);
    struct remainder rest = {.task = CS_NEW_ARRAY(r->passing, int, graph->tasks)};

    for (int v = 0; v < graph->tasks; v++)
        if (place[v].procs == 0) {
            rest.task[tasks] = v;
            number[v] = tasks;
            task[tasks] = graph->task[v];
            task[tasks++].name = NULL;
        }
    for (int a = 0; a < graph->arcs; a++) {
        const struct cs_graph_arc *old = &graph->arc[a];

        if (place[old->from].procs == 0 && place[old->to].procs == 0)
            arc[arcs++] = (struct cs_graph_arc){number[old->from], number[old->to], old->bytes};
    }
    if (tasks > 0)
        rest.graph = cs_graph_create("", tasks, task, arcs, arc, NULL);
    return rest;
}

/* Allocate again what is left of a graph. */
static void allocate_rest(struct run *r, int g, const struct remainder *rest)
{
    int first = r->in->first[g], tasks = rest->graph ? rest->graph->tasks : 0;
    int *procs = CS_NEW_ARRAY(r->passing, int, tasks);
    double *bottom = CS_NEW_ARRAY(r->passing, double, tasks);

    if (!rest->graph)
        return;
    cs_ptg_allocate(rest->graph, &r->reference, r->options, r->plan->beta[g], procs, bottom,
                    r->passing);
    for (int v = 0; v < tasks; v++) {
        r->plan->allocation[first + rest->task[v]] = procs[v];
        r->plan->bottom[first + rest->task[v]] = bottom[v];
    }
}

/* Shares of the graphs that are there, from what is left of them; those that keep theirs (fixed)
 * only count. */
static void share_again(struct run *r)
{
    int graphs = r->in->graphs, count = 0;
    int *there = CS_NEW_ARRAY(r->passing, int, graphs);
    struct remainder *rest = CS_NEW_ARRAY(r->passing, struct remainder, graphs);
    const struct cs_graph **graph = CS_NEW_ARRAY(r->passing, const struct cs_graph *, graphs);
    double *beta = CS_NEW_ARRAY(r->passing, double, graphs);
    struct cs_ptg_scene scene = cs_ptg_scene_of(r->in, &r->reference, r->options, r->passing);

    for (int g = 0; g < graphs; g++)
        if (r->events.left[g] > 0) {
            rest[count] = remainder_of(r, g);
            graph[count] = r->mode == CS_PTG_FIXED ? r->in->graph[g] : rest[count].graph;
            there[count++] = g;
        }
    scene.graphs = count;
    scene.graph = graph;
    if (count > 0)
        r->strategy->shares(&scene, r->param, beta);
    for (int i = 0; i < count; i++) {
        if (r->mode != CS_PTG_FIXED || r->events.fresh[there[i]]) {
            r->plan->beta[there[i]] = beta[i];
            allocate_rest(r, there[i], &rest[i]);
        }
        cs_graph_destroy(rest[i].graph);
    }
}

/* Modes arrival and full: tasks that have not started are placed again; those whose predecessors
 * have ended are ready. */
static void run_revoke(struct run *r, double now)
{
    r->plan->revoked += ptg_map_revoke(&r->map, now);
    r->events.readies = 0;
    for (int v = 0; v < r->in->tasks; v++) {
        bool placed = r->plan->place[v].procs > 0;

        if (!placed && cs_heap_contains(&r->events.heap, v))
            cs_heap_remove(&r->events.heap, v);
        if (!placed && r->events.left[r->in->graph_of[v]] > 0 && r->events.waits[v] == 0)
            r->events.ready[r->events.readies++] = v;
    }
}

/* Shares are set at every arrival, in mode full also when a graph is complete. */
static bool must_share(const struct run *r, struct cs_ptg_happened what)
{
    return what.arrival || (what.completion && r->mode == CS_PTG_FULL);
}

struct cs_ptg_plan *cs_ptg_run_online(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options,
                                      const struct cs_ptg_strategy *strategy, const double *param,
                                      enum cs_ptg_mode mode)
{
    struct cs_ptg_options late = *options;
    struct run r;

    late.late_transfer = true;
    run_init(&r, in, &late);
    run_begin(&r);
    r.strategy = strategy;
    r.param = param;
    r.mode = mode;
    while (r.events.heap.count > 0) {
        double now = cs_ptg_events_next(&r.events);
        struct cs_ptg_happened what = cs_ptg_events_take(&r.events, now);

        if (must_share(&r, what)) {
            struct cs_arena_mark mark = cs_arena_mark(r.passing);

            if (mode != CS_PTG_FIXED)
                run_revoke(&r, now);
            share_again(&r);
            r.plan->recomputations++;
            cs_arena_rewind(r.passing, mark);
        }
        place_ready(&r, now);
    }
    return run_end(&r);
}
