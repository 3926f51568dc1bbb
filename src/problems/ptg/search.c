/* search.c - local search: moves on a list of tasks, decoded with calendars that can undo.
 *
 * Source: spec/ptg.md III.4.
 *
 * Idea: the plan is a list of all tasks with a cluster and a width for each.  A move changes one
 * task of the critical chain (its width, its cluster, or its place in the list); the list is
 * decoded again from the first change on and the move is kept unless the score is worse.
 *
 * Invariants
 *   - the list is a topological order: a task moves only to an earlier place, never before a
 *     predecessor.
 *   - place[], the calendars and the score are those of the present list; a rejected move restores
 *     all of them bit for bit (the property test compares with `plain`, which decodes all).
 *   - `best` has the least score of all plans seen, the given one included.
 *   - random numbers are drawn in a fixed order, also for moves that change nothing: the result
 *     depends on the seed and the number of moves only, never on time.
 *   - a decoding ends early only when the end of all is certain to be worse; objectives other than
 *     the end are decoded in full.
 *
 * Complexity of a move, V tasks of which r come from the first change on: r placements (board.c),
 * O(V) for the score; a chain costs O(V) for each task that waited for processors, and the arcs
 * otherwise.
 *
 * Constants
 *   name        value     unit      found by                         half, double
 *   TIDY_EVERY  256       moves     not measured; bounds the memory  not measured
 *   width step  1/8       of width  spec/ptg.md III.4                not measured
 *   eps         1e-9      relative  spec/ptg.md III.4                not measured
 *   limit       1 + 1e-9  factor    rounding of tails                not measured
 * 1,000 moves on the best of ten joint plans and `widen` of one graph gain 0.2 % (random), 2 %
 * (FFT) and on unequal clusters 7 % (FFT) and 5 % (Strassen): spec/ptg.md III.4, the reference.
 * bench/README.md has 1,000 moves on the portfolio of this program.
 */
#include "problems/ptg/search.h"
#include "base/arena.h"
#include "base/splitmix.h"
#include "model/procset.h"
#include "problems/ptg/board.h"
#include "problems/ptg/bound.h"
#include "problems/ptg/instance.h"
#include "problems/ptg/network.h"
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"
#include "problems/ptg/width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The critical chain: from the task that ends last backwards to a release. */

struct cs_ptg_chain {
    const struct cs_ptg_instance *in;
    bool fan;
    const struct cs_ptg_place *place; /* by number: the present plan */
    int *task;                        /* numbers, the last task first */
    bool *on;                         /* scratch: by number, false between calls */
};

static void ptg_chain_init(struct cs_ptg_chain *chain, const struct cs_ptg_instance *in, bool fan,
                           const struct cs_ptg_place *place, struct cs_arena *arena)
{
    *chain = (struct cs_ptg_chain){.in = in,
                                   .fan = fan,
                                   .place = place,
                                   .task = CS_NEW_ARRAY(arena, int, in->tasks),
                                   .on = CS_NEW_ARRAY(arena, bool, in->tasks)};
}

static int last_of(const struct cs_ptg_chain *c, int graph)
{
    int last = c->in->first[graph];

    for (int v = last + 1; v < c->in->first[graph + 1]; v++)
        if (c->place[v].finish > c->place[last].finish)
            last = v;
    return last;
}

/* When the data of an arc are there. */
static double data_there(const struct cs_ptg_chain *c, const struct cs_graph *graph, int first,
                         const struct cs_graph_arc *arc)
{
    const struct cs_ptg_place *from = &c->place[first + arc->from],
                              *to = &c->place[first + arc->to];
    const struct cs_ptg_transfer t = {
        .platform = c->in->platform,
        .bytes = arc->bytes,
        .fan_out = c->fan ? graph->first_out[arc->from + 1] - graph->first_out[arc->from] : 1,
        .fan_in = c->fan ? graph->first_in[arc->to + 1] - graph->first_in[arc->to] : 1,
        .from = from->cluster,
        .to = to->cluster,
        .senders = from->procs,
        .receivers = to->procs,
    };

    return from->finish +
           cs_ptg_transfer_time(&t, from->set, from->intervals, to->set, to->intervals);
}

/* The predecessor whose data came last, if the task started with them; -1: none. */
static int search_supplier(const struct cs_ptg_chain *c, int number, double earliest)
{
    int g = c->in->graph_of[number], first = c->in->first[g], v = number - first, last = -1;
    const struct cs_graph *graph = c->in->graph[g];
    double latest = -1;

    for (int a = graph->first_in[v]; a < graph->first_in[v + 1]; a++) {
        const struct cs_graph_arc *arc = &graph->arc[graph->in[a]];
        double there = data_there(c, graph, first, arc);

        if (there > latest) {
            latest = there;
            last = first + arc->from;
        }
    }
    return latest >= earliest ? last : -1;
}

/* The first task that left one of its processors just then; -1: none. */
static int search_blocker(const struct cs_ptg_chain *c, int number, double eps)
{
    const struct cs_ptg_place *place = &c->place[number];

    for (int v = 0; v < c->in->tasks; v++) {
        const struct cs_ptg_place *other = &c->place[v];

        if (!c->on[v] && other->cluster == place->cluster && other->finish > other->start &&
            fabs(other->finish - place->start) <= eps &&
            cs_procset_common(place->set, place->intervals, other->set, other->intervals) >= 0)
            return v;
    }
    return -1;
}

/* The chain that ends with a graph; returns how long it is. */
static int ptg_chain_find(struct cs_ptg_chain *chain, int graph)
{
    struct cs_ptg_chain *c = chain;
    int length = 0;

    for (int v = last_of(c, graph); v >= 0;) {
        double start = c->place[v].start, eps = 1e-9 * fmax(1, start);
        int next;

        c->task[length++] = v;
        c->on[v] = true;
        if (start <= c->in->release[c->in->graph_of[v]] + eps)
            break;
        next = search_supplier(c, v, start - eps);
        v = next >= 0 ? next : search_blocker(c, v, eps);
    }
    for (int i = 0; i < length; i++)
        c->on[c->task[i]] = false;
    return length;
}

#define TIDY_EVERY 256 /* moves between two clean-ups of old sets */

struct score {
    double value, end, sum;
};

/* The values before a move, to take it back. */
struct move {
    int number, cluster, width; /* as they were */
    int from, to;               /* places in the list, from >= to */
};

struct search {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_search *how;
    struct cs_splitmix random;
    struct cs_ptg_board board;
    struct cs_ptg_place *place, *old; /* by number: as decoded, and before the move */
    int *list, *at;                   /* numbers; by number: its place in the list */
    int *cluster, *width;             /* by number */
    const double *tail;               /* by number: the least time after it */
    double *completion;               /* by graph: of what is scored */
    struct score score, least;        /* of the list; of the best plan */
    struct cs_ptg_plan *best;
    struct cs_ptg_chain chain;
    struct cs_ptg_search_result result;
    struct cs_arena *arena, *scratch;
};

static int search_below(struct search *s, int n)
{
    return (int)(n * ((double)(cs_splitmix_next(&s->random) >> 11) * 0x1p-53));
}

static struct score score_of(const struct search *s, const struct cs_ptg_place *place)
{
    struct score score = {0, 0, 0};

    memset(s->completion, 0, (size_t)s->in->graphs * sizeof *s->completion);
    for (int v = 0; v < s->in->tasks; v++) {
        double *completion = &s->completion[s->in->graph_of[v]];

        *completion = fmax(*completion, place[v].finish);
        score.sum += place[v].finish;
    }
    for (int g = 0; g < s->in->graphs; g++)
        score.end = fmax(score.end, s->completion[g]);
    score.value = s->how->value ? s->how->value(s->how->who, score.end, s->completion) : score.end;
    return score;
}

/* By value, then the end of all, then the sum of ends, compared exactly. */
static bool is_worse(const struct score *a, const struct score *b)
{
    if (a->value != b->value)
        return a->value > b->value;
    return a->end != b->end ? a->end > b->end : a->sum > b->sum;
}

struct key {
    double start;
    int number;
};

static int by_start(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The list of a schedule: by (start, graph, topological position). */
static void make_list(struct search *s, const struct cs_ptg_plan *plan)
{
    struct key *key = CS_NEW_ARRAY(s->scratch, struct key, s->in->tasks);

    for (int i = 0; i < s->in->tasks; i++)
        key[i] = (struct key){plan->place[s->in->sequence[i]].start, i};
    qsort(key, (size_t)s->in->tasks, sizeof *key, by_start);
    for (int i = 0; i < s->in->tasks; i++) {
        int v = s->in->sequence[key[i].number];

        s->list[i] = v;
        s->at[v] = i;
        s->cluster[v] = plan->place[v].cluster;
        s->width[v] = plan->place[v].procs;
    }
}

/* Place the task with the cluster and width of the list, or on the processors of a predecessor if
 * it ends sooner there. */
static void search_place(struct search *s, int number)
{
    const struct cs_ptg_instance *in = s->in;
    struct cs_arena_mark mark = cs_arena_mark(s->scratch);
    double now = in->release[in->graph_of[number]];
    struct cs_ptg_subject subject =
        cs_ptg_subject_of(in, s->how->fan, false, s->place, number, now, s->scratch);
    int k = s->cluster[number], n = s->width[number];
    struct cs_ptg_spot best = cs_ptg_board_place(&s->board, &subject, k, n, INFINITY);

    for (int i = 0; i < subject.supplies; i++) {
        const struct cs_ptg_supply *supply = &subject.supply[i];
        struct cs_ptg_spot spot;

        if (!(supply->transfer.bytes > 0) || supply->from->cluster != k || supply->from->procs != n)
            continue;
        spot = cs_ptg_board_on(&s->board, &subject, supply->from, best.finish);
        if (spot.finish < best.finish)
            best = spot;
    }
    cs_ptg_board_commit(&s->board, number, &best,
                        cs_graph_task_time(subject.task, n, in->platform->cluster[k].speed));
    cs_arena_rewind(s->scratch, mark);
}

static void take_back(struct search *s, int number)
{
    const struct cs_ptg_place *place = &s->place[number];
    struct cs_ptg_calendar *calendar = &s->board.calendar[place->cluster];

    cs_ptg_calendar_set(calendar, place->set, place->intervals, s->board.set);
    cs_ptg_calendar_leave(calendar, s->board.set, place->start, place->finish);
}

static void put_again(struct search *s, int number)
{
    const struct cs_ptg_place *place = &s->old[number];
    struct cs_ptg_calendar *calendar = &s->board.calendar[place->cluster];

    s->place[number] = *place;
    cs_ptg_calendar_set(calendar, place->set, place->intervals, s->board.set);
    cs_ptg_calendar_enter(calendar, s->board.set, place->start, place->finish);
}

/* Decode the list from a place on; returns how many tasks are placed then: fewer than all when the
 * end is later than `limit` for sure. */
static int search_decode(struct search *s, int from, double limit)
{
    for (int i = from; i < s->in->tasks; i++) {
        int v = s->list[i];

        search_place(s, v);
        if (s->place[v].finish + s->tail[v] > limit)
            return i + 1;
    }
    return s->in->tasks;
}

/* Move the task at place `from` of the list forward to place `to`, or back. */
static void search_shift(struct search *s, int from, int to)
{
    int v = s->list[from], step = from < to ? 1 : -1;

    for (int i = from; i != to; i += step) {
        s->list[i] = s->list[i + step];
        s->at[s->list[i]] = i;
    }
    s->list[to] = v;
    s->at[v] = to;
}

/* The decoded list is the best plan so far. */
static void search_keep(struct search *s)
{
    struct cs_ptg_plan now = *s->best, *copy;

    now.place = s->place;
    copy = cs_ptg_replay_copy(s->in, &now);
    for (int v = 0; v < s->in->tasks; v++)
        copy->allocation[v] = copy->place[v].procs;
    cs_ptg_plan_destroy(s->best);
    s->best = copy;
    s->least = s->score;
}

/* Evaluate a list that differs from place `to` of the move on; keep it unless it is worse. */
static void search_evaluate(struct search *s, const struct move *move)
{
    int tasks = s->in->tasks, from = s->how->plain ? 0 : move->to, done;
    double limit = s->how->plain || s->how->value ? INFINITY : s->score.end * (1 + 1e-9);
    struct score score;

    s->result.evaluated++;
    for (int i = tasks - 1; i >= from; i--) {
        take_back(s, s->list[i]);
        s->old[s->list[i]] = s->place[s->list[i]];
    }
    done = search_decode(s, from, limit);
    score = score_of(s, s->place);
    if (done == tasks && !is_worse(&score, &s->score)) {
        s->score = score;
        s->result.accepted++;
        if (is_worse(&s->least, &s->score))
            search_keep(s);
        return;
    }
    while (--done >= from)
        take_back(s, s->list[done]);
    search_shift(s, move->to, move->from);
    s->cluster[move->number] = move->cluster;
    s->width[move->number] = move->width;
    for (int i = from; i < tasks; i++)
        put_again(s, s->list[i]);
}

/* An eighth more or less, at least one processor, within the limits of the task. */
static bool change_width(struct search *s, int v)
{
    int m = s->width[v], step = m / 8 > 1 ? m / 8 : 1, k = s->cluster[v];
    int low = cs_ptg_low(s->in, v, k), high = cs_ptg_high(s->in, v, k);
    int request = search_below(s, 2) == 1 ? m + step : m - step;

    s->width[v] = request < low ? low : request > high ? high : request;
    return s->width[v] != m;
}

/* Any cluster that the task may use, any width of its ladder there. */
static bool change_cluster(struct search *s, int v)
{
    int k = search_below(s, s->in->platform->clusters), ladder[CS_PTG_LADDER], widths, n;

    widths = cs_ptg_width_ladder(cs_ptg_low(s->in, v, k), cs_ptg_high(s->in, v, k), ladder);
    if (widths == 0)
        return false;
    n = ladder[search_below(s, widths)];
    if (k == s->cluster[v] && n == s->width[v])
        return false;
    s->cluster[v] = k;
    s->width[v] = n;
    return true;
}

/* The first place that the task may have in the list: behind its predecessors. */
static int first_place(const struct search *s, int number)
{
    int g = s->in->graph_of[number], first = s->in->first[g], v = number - first, place = 0;
    const struct cs_graph *graph = s->in->graph[g];

    for (int a = graph->first_in[v]; a < graph->first_in[v + 1]; a++) {
        int behind = s->at[first + graph->arc[graph->in[a]].from] + 1;

        place = behind > place ? behind : place;
    }
    return place;
}

/* An earlier place in the list, not before a predecessor. */
static bool change_turn(struct search *s, int v, struct move *move)
{
    int first = first_place(s, v);

    if (first == move->from)
        return false;
    move->to = first + search_below(s, move->from - first);
    search_shift(s, move->from, move->to);
    return true;
}

/* The graph that ends last, or with several every other time any of them. */
static int pick_graph(struct search *s, int move)
{
    const struct cs_ptg_instance *in = s->in;
    double latest = -1;
    int graph = 0;

    if (in->graphs > 1 && move % 2 == 1)
        return search_below(s, in->graphs);
    for (int v = 0; v < in->tasks; v++)
        if (s->place[v].finish > latest) {
            latest = s->place[v].finish;
            graph = in->graph_of[v];
        }
    return graph;
}

static void make_move(struct search *s, int number)
{
    int v, kind, length;
    struct move move;
    bool changed;

    length = ptg_chain_find(&s->chain, pick_graph(s, number));
    v = s->chain.task[search_below(s, length)];
    kind = search_below(s, 3);
    move = (struct move){v, s->cluster[v], s->width[v], s->at[v], s->at[v]};
    if (kind == 0)
        changed = change_width(s, v);
    else if (kind == 1)
        changed = change_cluster(s, v);
    else
        changed = change_turn(s, v, &move);
    if (changed)
        search_evaluate(s, &move);
}

/* Old sets are no longer needed: copy those of the present places and free the rest. */
static void search_tidy(struct search *s)
{
    struct cs_arena *fresh = cs_arena_create();

    for (int v = 0; v < s->in->tasks; v++) {
        struct cs_ptg_place *place = &s->place[v];
        struct cs_interval *set = CS_NEW_ARRAY(fresh, struct cs_interval, place->intervals);

        memcpy(set, place->set, (size_t)place->intervals * sizeof *set);
        place->set = set;
    }
    cs_arena_destroy(s->board.arena);
    s->board.arena = fresh;
}

static void search_prepare(struct search *s, const struct cs_ptg_plan *plan)
{
    int tasks = s->in->tasks;
    double *head, *tail = CS_NEW_ARRAY(s->arena, double, tasks);
    struct cs_arena_mark mark = cs_arena_mark(s->scratch);

    s->place = CS_NEW_ARRAY(s->arena, struct cs_ptg_place, tasks);
    s->old = CS_NEW_ARRAY(s->arena, struct cs_ptg_place, tasks);
    s->list = CS_NEW_ARRAY(s->arena, int, tasks);
    s->at = CS_NEW_ARRAY(s->arena, int, tasks);
    s->cluster = CS_NEW_ARRAY(s->arena, int, tasks);
    s->width = CS_NEW_ARRAY(s->arena, int, tasks);
    s->completion = CS_NEW_ARRAY(s->arena, double, s->in->graphs);
    head = CS_NEW_ARRAY(s->scratch, double, tasks);
    cs_ptg_bound_paths(s->in, head, tail, s->scratch);
    s->tail = tail;
    make_list(s, plan);
    cs_arena_rewind(s->scratch, mark);
    ptg_chain_init(&s->chain, s->in, s->how->fan, s->place, s->arena);
    cs_ptg_board_init(&s->board, s->in, s->how->fan, s->place, s->arena, s->scratch);
    s->board.arena = cs_arena_create();
    s->best = cs_ptg_replay_copy(s->in, plan);
    s->least = score_of(s, plan->place);
    search_decode(s, 0, INFINITY);
    s->score = score_of(s, s->place);
    if (is_worse(&s->least, &s->score))
        search_keep(s);
}

struct cs_ptg_plan *cs_ptg_search_from(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_plan *plan,
                                       const struct cs_ptg_search *how,
                                       struct cs_ptg_search_result *result)
{
    struct search s = {.in = in,
                       .how = how,
                       .random = {how->seed},
                       .arena = cs_arena_create(),
                       .scratch = cs_arena_create()};

    search_prepare(&s, plan);
    for (int i = 0; i < how->moves; i++) {
        make_move(&s, i);
        if (i % TIDY_EVERY == TIDY_EVERY - 1)
            search_tidy(&s);
    }
    cs_ptg_plan_finish(s.best);
    if (result)
        *result = s.result;
    cs_arena_destroy(s.board.arena);
    cs_arena_destroy(s.arena);
    cs_arena_destroy(s.scratch);
    return s.best;
}
