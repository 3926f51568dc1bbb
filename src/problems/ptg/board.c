/* board.c - placement with holes: cluster, width and start of one task.
 *
 * Source: spec/ptg.md III.2, `place`, `on` and `choose`.
 *
 * Idea: a date after the data bound that is the first with enough idle processors is the start
 * itself: if all of them had been idle at the candidate before it, that one would have been
 * found.  So only the first candidate needs a look at the processors, and only if data of the same
 * cluster could arrive before their bound; all others need no more than a count.
 *
 * Invariants
 *   - place[v].procs is 0 until v is placed; predecessors are placed before their successors.
 *   - the calendars hold exactly the places of positive length.
 *   - the start of a spot is not before the data date on its processors; a spot that is certain to
 *     end after `limit` has finish +inf, so that it cannot win.
 *   - of two spots the earlier finish wins, then the smaller power, then the first that was
 *     tried.  Within a cluster the order of widths does not matter: their powers differ.
 *
 * Complexity: choose tries, on each cluster, at most the ladder (8 + 8 ln(p / 8) widths, width.h)
 * and one spot for each predecessor there.  A trial costs one search in the calendar and one pass
 * over the predecessors; `limit` ends most searches early, since the widest is tried first.
 */
#include "problems/ptg/board.h"
#include "problems/ptg/width.h"

#include <math.h>
#include <string.h>

static struct cs_ptg_supply supply_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                      const struct cs_ptg_place *from, const struct cs_graph *graph,
                                      const struct cs_graph_arc *arc, double now)
{
    return (struct cs_ptg_supply){
        .from = from,
        .leaves = late ? now : from->finish,
        .transfer =
            {
                .platform = in->platform,
                .bytes = arc->bytes,
                .fan_out = fan ? graph->first_out[arc->from + 1] - graph->first_out[arc->from] : 1,
                .fan_in = fan ? graph->first_in[arc->to + 1] - graph->first_in[arc->to] : 1,
                .from = from->cluster,
                .senders = from->procs,
            },
    };
}

struct cs_ptg_subject cs_ptg_subject_of(const struct cs_ptg_instance *in, bool fan, bool late,
                                        const struct cs_ptg_place *place, int number, double now,
                                        struct cs_arena *scratch)
{
    int first = in->first[in->graph_of[number]], v = number - first;
    const struct cs_graph *graph = in->graph[in->graph_of[number]];
    int count = graph->first_in[v + 1] - graph->first_in[v];
    struct cs_ptg_supply *supply = CS_NEW_ARRAY(scratch, struct cs_ptg_supply, count);

    for (int i = 0; i < count; i++) {
        const struct cs_graph_arc *arc = &graph->arc[graph->in[graph->first_in[v] + i]];

        supply[i] = supply_of(in, fan, late, &place[first + arc->from], graph, arc, now);
    }
    return (struct cs_ptg_subject){&graph->task[v], supply, count, now};
}

/* When the data of one predecessor are there at the latest. */
static double board_bound_of(const struct cs_ptg_supply *supply, int cluster, int procs)
{
    struct cs_ptg_transfer t = supply->transfer;

    t.to = cluster;
    t.receivers = procs;
    return supply->leaves + cs_ptg_transfer_bound(&t);
}

double cs_ptg_data_bound(const struct cs_ptg_subject *subject, int cluster, int procs)
{
    double date = subject->now;

    for (int i = 0; i < subject->supplies; i++) {
        double there = board_bound_of(&subject->supply[i], cluster, procs);

        date = there > date ? there : date;
    }
    return date;
}

double cs_ptg_data_away(const struct cs_ptg_subject *subject, int cluster, int procs)
{
    double date = subject->now;

    for (int i = 0; i < subject->supplies; i++)
        if (subject->supply[i].transfer.from != cluster) {
            double there = board_bound_of(&subject->supply[i], cluster, procs);

            date = there > date ? there : date;
        }
    return date;
}

double cs_ptg_data_date(const struct cs_ptg_subject *subject, int cluster, int procs, double away,
                        const struct cs_interval *set, int intervals)
{
    double date = away;

    for (int i = 0; i < subject->supplies; i++) {
        const struct cs_ptg_supply *supply = &subject->supply[i];
        struct cs_ptg_transfer t = supply->transfer;
        double there;

        if (t.from != cluster || !(board_bound_of(supply, cluster, procs) > date))
            continue;
        t.to = cluster;
        t.receivers = procs;
        there = supply->leaves + cs_ptg_transfer_time(&t, supply->from->set,
                                                      supply->from->intervals, set, intervals);
        date = there > date ? there : date;
    }
    return date;
}

void cs_ptg_board_init(struct cs_ptg_board *board, const struct cs_ptg_instance *in, bool fan,
                       struct cs_ptg_place *place, struct cs_arena *arena, struct cs_arena *scratch)
{
    const struct cs_platform *p = in->platform;
    int most = 0;

    *board = (struct cs_ptg_board){
        .in = in,
        .fan = fan,
        .place = place,
        .calendar = CS_NEW_ARRAY(arena, struct cs_ptg_calendar, p->clusters),
        .arena = arena,
        .scratch = scratch,
    };
    for (int k = 0; k < p->clusters; k++) {
        cs_ptg_calendar_init(&board->calendar[k], p->cluster[k].first, p->cluster[k].procs, arena);
        most = p->cluster[k].procs > most ? p->cluster[k].procs : most;
    }
    board->room = CS_NEW_ARRAY(arena, struct cs_interval, most / 2 + 1);
    board->set = CS_NEW_ARRAY(arena, uint64_t, most / 64 + 1);
    board->like = CS_NEW_ARRAY(arena, uint64_t, most / 64 + 1);
}

static double time_on(const struct cs_ptg_board *b, const struct cs_ptg_subject *s, int cluster,
                      int procs)
{
    return cs_graph_task_time(s->task, procs, b->in->platform->cluster[cluster].speed);
}

/* The first candidate: when do the processors that were busy last have their data? */
static double start_at(struct cs_ptg_board *b, const struct cs_ptg_subject *s, int cluster,
                       int procs, double date, double away, double seconds)
{
    const struct cs_ptg_calendar *calendar = &b->calendar[cluster];
    double idle;
    int intervals;

    if (!(date > away))
        return date;
    idle = cs_ptg_calendar_take(calendar, procs, date, seconds, b->set);
    intervals = cs_ptg_calendar_intervals(calendar, b->set, b->room);
    return fmax(idle, cs_ptg_data_date(s, cluster, procs, away, b->room, intervals));
}

struct cs_ptg_spot cs_ptg_board_place(struct cs_ptg_board *board,
                                      const struct cs_ptg_subject *subject, int cluster, int procs,
                                      double limit)
{
    double seconds = time_on(board, subject, cluster, procs);
    double away = cs_ptg_data_away(subject, cluster, procs), bound;
    struct cs_ptg_spot spot = {.cluster = cluster, .procs = procs, .finish = INFINITY};

    if (away + seconds > limit)
        return spot;
    bound = cs_ptg_data_bound(subject, cluster, procs);
    spot.date = cs_ptg_calendar_find(&board->calendar[cluster], procs, bound, seconds, limit);
    spot.start = spot.date;
    if (spot.date == bound)
        spot.start = start_at(board, subject, cluster, procs, bound, away, seconds);
    spot.finish = spot.start + seconds;
    return spot;
}

struct cs_ptg_spot cs_ptg_board_on(struct cs_ptg_board *board, const struct cs_ptg_subject *subject,
                                   const struct cs_ptg_place *like, double limit)
{
    const struct cs_ptg_calendar *calendar = &board->calendar[like->cluster];
    double seconds = time_on(board, subject, like->cluster, like->procs);
    double away = cs_ptg_data_away(subject, like->cluster, like->procs);
    struct cs_ptg_spot spot = {
        .cluster = like->cluster, .procs = like->procs, .like = like, .finish = INFINITY};

    if (away + seconds > limit)
        return spot;
    cs_ptg_calendar_set(calendar, like->set, like->intervals, board->like);
    away = cs_ptg_data_date(subject, like->cluster, like->procs, away, like->set, like->intervals);
    spot.start = cs_ptg_calendar_fit(calendar, board->like, away, seconds, limit);
    spot.finish = spot.start + seconds;
    return spot;
}

int cs_ptg_board_top(const struct cs_ptg_instance *in, int number, int cluster,
                     const struct cs_ptg_terms *terms)
{
    const struct cs_graph_task *task = cs_ptg_task(in, number);
    const struct cs_cluster *c = &in->platform->cluster[cluster];
    int low = cs_ptg_low(in, number, cluster), top = cs_ptg_high(in, number, cluster), most;

    if (low > top)
        return 0;
    if (!(task->flops > 0) || task->alpha >= 1)
        return low;
    most = cs_ptg_width_efficient(task->alpha, terms->efficiency, c->procs);
    top = most < top ? most : top;
    if (terms->cap < INFINITY)
        top = cs_ptg_width_within(terms->cap, c->speed, top);
    return top > low ? top : low;
}

/* Exact comparisons of finish, then of power: ties do not depend on a tolerance. */
static void keep_better(const struct cs_ptg_board *b, struct cs_ptg_spot *best,
                        const struct cs_ptg_spot *spot)
{
    const struct cs_cluster *c = b->in->platform->cluster;

    if (spot->finish < best->finish ||
        (spot->finish == best->finish && best->procs > 0 &&
         spot->procs * c[spot->cluster].speed < best->procs * c[best->cluster].speed))
        *best = *spot;
}

/* No data are there, and so no start is possible, before this date with any width. */
static double board_earliest(const struct cs_ptg_subject *s, int cluster, int top)
{
    double date = cs_ptg_data_away(s, cluster, top);

    for (int i = 0; i < s->supplies; i++)
        date = fmax(date, s->supply[i].leaves);
    return date;
}

/* All widths of a cluster, the widest first: it is the fastest, and where a width could not end in
 * time even if it started when the data leave, no narrower one can. */
static void try_widths(struct cs_ptg_board *b, const struct cs_ptg_subject *s, int cluster, int low,
                       int top, struct cs_ptg_spot *best)
{
    double ready = board_earliest(s, cluster, top);
    int ladder[CS_PTG_LADDER], widths = cs_ptg_width_ladder(low, top, ladder);

    for (int i = widths - 1; i >= 0; i--) {
        struct cs_ptg_spot spot;

        if (ready + time_on(b, s, cluster, ladder[i]) > best->finish)
            return;
        spot = cs_ptg_board_place(b, s, cluster, ladder[i], best->finish);
        keep_better(b, best, &spot);
    }
}

/* The processors of each predecessor on this cluster: data that are there do not move. */
static void try_predecessors(struct cs_ptg_board *b, const struct cs_ptg_subject *s, int cluster,
                             int low, int top, struct cs_ptg_spot *best)
{
    for (int i = 0; i < s->supplies; i++) {
        const struct cs_ptg_supply *supply = &s->supply[i];
        const struct cs_ptg_place *from = supply->from;

        if (supply->transfer.bytes > 0 && from->cluster == cluster && from->procs >= low &&
            from->procs <= top) {
            struct cs_ptg_spot spot = cs_ptg_board_on(b, s, from, best->finish);

            keep_better(b, best, &spot);
        }
    }
}

void cs_ptg_board_choose(struct cs_ptg_board *board, int number, double now,
                         const struct cs_ptg_terms *terms)
{
    struct cs_arena_mark mark = cs_arena_mark(board->scratch);
    struct cs_ptg_spot best = {.finish = INFINITY};
    struct cs_ptg_subject s =
        cs_ptg_subject_of(board->in, board->fan, false, board->place, number, now, board->scratch);

    for (int k = 0; k < board->in->platform->clusters; k++) {
        int low = cs_ptg_low(board->in, number, k);
        int top = cs_ptg_board_top(board->in, number, k, terms);

        if (top < low)
            continue;
        try_widths(board, &s, k, low, top, &best);
        try_predecessors(board, &s, k, low, top, &best);
    }
    cs_ptg_board_commit(board, number, &best, time_on(board, &s, best.cluster, best.procs));
    cs_arena_rewind(board->scratch, mark);
}

void cs_ptg_board_commit(struct cs_ptg_board *board, int number, const struct cs_ptg_spot *spot,
                         double seconds)
{
    struct cs_ptg_calendar *calendar = &board->calendar[spot->cluster];
    struct cs_ptg_place *place = &board->place[number];
    struct cs_interval *set;

    *place = (struct cs_ptg_place){.cluster = spot->cluster,
                                   .procs = spot->procs,
                                   .start = spot->start,
                                   .finish = spot->finish};
    if (spot->like) {
        cs_ptg_calendar_set(calendar, spot->like->set, spot->like->intervals, board->set);
    } else {
        cs_ptg_calendar_take(calendar, spot->procs, spot->date, seconds, board->set);
    }
    place->intervals = cs_ptg_calendar_intervals(calendar, board->set, board->room);
    set = CS_NEW_ARRAY(board->arena, struct cs_interval, place->intervals);
    memcpy(set, board->room, (size_t)place->intervals * sizeof *set);
    place->set = set;
    cs_ptg_calendar_enter(calendar, board->set, place->start, place->finish);
}
