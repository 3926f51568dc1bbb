/* map.c - where and when one task runs: every cluster is tried. */
#include "ptg/map.h"

#include "ptg/supply.h"
#include "ptg/width.h"

#include <math.h>
#include <string.h>

/* One way to run the task. */
struct candidate {
    int cluster;
    struct cs_ptg_choice choice;
    double start, finish;
    bool packed;
};

void cs_ptg_map_init(struct cs_ptg_map *map, const struct cs_ptg_instance *in,
                     const struct cs_ptg_options *options, const struct cs_ptg_reference *reference,
                     struct cs_ptg_place *place, const int *allocation, struct cs_arena *arena,
                     struct cs_arena *scratch)
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

/* D': the processors are only looked at where that can tell. */
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
static struct candidate pack(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
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

    return map->options->pack && base.choice.waits ? pack(map, s, &base) : base;
}

/* Processors times speed, where two ways end at the same time. */
static double power_of(const struct cs_ptg_map *map, const struct candidate *c)
{
    return c->choice.procs * map->in->platform->cluster[c->cluster].speed;
}

static struct candidate choose(struct cs_ptg_map *map, const struct cs_ptg_subject *s,
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

void cs_ptg_map_widen(struct cs_ptg_map *map, struct cs_ptg_widen *widen)
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
static void widen(struct cs_ptg_map *map, const struct cs_ptg_subject *s, int number,
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

static void commit(struct cs_ptg_map *map, int number, const struct candidate *c)
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

void cs_ptg_map_place(struct cs_ptg_map *map, int number, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(map->scratch);
    struct cs_ptg_subject s =
        cs_ptg_subject_of(map->in, map->options->network == CS_PTG_NETWORK_FAN,
                          map->options->late_transfer, map->place, number, now, map->scratch);
    struct candidate best = choose(map, &s, map->allocation[number]);

    if (map->widen)
        widen(map, &s, number, &best);
    commit(map, number, &best);
    cs_arena_rewind(map->scratch, mark);
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

int cs_ptg_map_revoke(struct cs_ptg_map *map, double now)
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
