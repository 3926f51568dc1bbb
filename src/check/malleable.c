/* malleable.c - a schedule of the malleable problem: bars cut into segments, and the sets of
 * processors of each.
 *
 * A task computes in segments; a failure or a redistribution ends one and begins the next.
 * Then: what may be in a segment, why it ends, and the
 * sums over all, recomputed.
 *
 * Times are compared with a tolerance. A simulator adds up to some thousand durations to get the
 * end of a bar, each time rounding to half a unit in the last place, so an end may be off by about
 * 1e-13 of itself; a duration that was computed in another order of operations differs by some
 * 1e-15 of itself. Both are far below the tolerance: a duration may differ by 1e-9 of itself and
 * 1e-12 of the time at which its bar ends, instants by 1e-12 of themselves, sums over the schedule
 * by 1e-9 of the whole.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/plain.h"
#include "check/bound.h"
#include "check/malleable_parts.h"
#include "check/report.h"
#include "check/time.h"
#include "model/bars.h"
#include "model/procset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

/* Same instant. */
static bool check_malleable_now(double a, double b)
{
    return isfinite(a - b) && fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static bool malleable_cause_is(const struct cs_malleable_declared_fault *fault, const char *effect)
{
    return strcmp(fault->effect, effect) == 0;
}

static bool malleable_cause_strikes(const struct cs_malleable_declared_fault *fault)
{
    return !malleable_cause_is(fault, "idle") && !malleable_cause_is(fault, "ignored");
}

static bool malleable_cause_holds(const struct cs_check_segment *s, int processor)
{
    const struct cs_interval one = {processor, processor};

    return cs_procset_common(s->at->procs, s->at->intervals, &one, 1) >= 0;
}

static int by_time(const void *a, const void *b)
{
    const struct cs_malleable_declared_fault
        *x = *(const struct cs_malleable_declared_fault *const *)a,
        *y = *(const struct cs_malleable_declared_fault *const *)b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return (x > y) - (x < y);
}

/* The failures of the list by time, then place in it. */
static void sort_faults(struct cs_check_malleable *c)
{
    const struct cs_malleable_declared *d = c->declared;

    c->faults = (size_t)d->faults;
    c->fault = CS_NEW_ARRAY(c->arena, const struct cs_malleable_declared_fault *, d->faults);
    for (int i = 0; i < d->faults; i++)
        c->fault[i] = &d->fault[i];
    if (c->faults)
        qsort(c->fault, c->faults, sizeof *c->fault, by_time);
}

/* The first failure of the list that is not before `time` by more than rounding. */
static size_t first_fault(const struct cs_check_malleable *c, double time)
{
    size_t low = 0, high = c->faults;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->fault[middle]->time < time && !check_malleable_now(c->fault[middle]->time, time))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The content of the segments of a task.
 *
 *     [downtime, recovery] [move, checkpoint] work, checkpoint, work, ... work
 *
 * with downtime and recovery after a failure, move and checkpoint when the number of processors
 * changed. Every duration is recomputed from the declared task: t(i,j), C / j (also the recovery),
 * Equation (9) for moves, Young's period for the pieces of work. The work that is not lost must add
 * up to the whole task.
 */

/* A task on its way through its segments. */
struct walk {
    const struct cs_check_malleable *c;
    const struct cs_profile *profile;
    double checkpoint, data;          /* of one processor */
    double landing;                   /* the checkpoint after a move */
    struct cs_check_pattern *pattern; /* of that layout, or NULL */
    int index;
    double held; /* processors on which the protected data are laid out */
    double done; /* fraction of the task that is not lost */
};

/* A segment on its way through its bars. */
struct pass {
    struct cs_check_segment *s;
    const struct cs_check_segment *next; /* of the same task, or NULL */
    const struct cs_bar *const *bar;
    size_t at;     /* the next bar */
    double whole;  /* seconds of the whole task */
    double piece;  /* seconds of work between two checkpoints */
    double saving; /* seconds of a checkpoint */
};

static const char *malleable_segment_name_of(const struct walk *w)
{
    return cs_check_malleable_name(w->c, w->index);
}

static double time_on(const struct walk *w, double procs)
{
    return cs_check_time(w->profile, (int)procs);
}

static double checkpoint_on(const struct walk *w, double procs)
{
    return w->checkpoint / procs;
}

static double recovery_on(const struct walk *w, double procs)
{
    return w->checkpoint / procs;
}

/* Equation (9). */
static double move_time(const struct walk *w, double from, double to)
{
    return fmax(fmin(from, to), fabs(to - from)) / to * (w->data / from);
}

/* Equal pieces: as many, K, as make (K - 1) C + kappa (W + (K - 1) C) / K least; the sum is
 * convex in K with its least real value at sqrt(kappa (W - C) / C).  Where two numbers are as good
 * but for rounding, that whose piece is the shortest not below `seen`. */
static double tail_piece(double work, double saving, double kappa, double seen)
{
    double about = work > saving ? floor(sqrt(kappa * (work - saving) / saving)) : 1;
    double cost[4], least = INFINITY, piece = 0;

    for (int i = 0; i < 4; i++) {
        double k = fmax(about - 1 + i, 1);

        cost[i] = (k - 1) * saving + kappa * (work + (k - 1) * saving) / k;
        least = fmin(least, cost[i]);
    }
    for (int i = 0; i < 4; i++) {
        double now = work / fmax(about - 1 + i, 1);

        if (cost[i] <= least * (1 + 1e-12) && (piece == 0 || now >= seen * (1 - 1e-9)))
            piece = now;
    }
    return piece;
}

/* Seconds of work between two checkpoints of a segment, when the whole task takes so many and
 * its first stretch of work so many as seen. */
static double piece_of(const struct walk *w, double procs, double whole, double seen)
{
    const struct cs_malleable_declared *d = w->c->declared;
    double saving = checkpoint_on(w, procs), work = (1 - w->done) * whole;

    if (saving == 0)
        return INFINITY;
    if (d->rules.layout == CS_MALLEABLE_TAIL)
        return tail_piece(work, saving, d->rules.kappa, seen);
    return d->rules.period_factor * sqrt(2 * d->mtbf * w->checkpoint) / procs;
}

static double malleable_segment_length(const struct cs_bar *bar)
{
    return bar->end - bar->start;
}

static const struct cs_bar *next_bar(const struct pass *p)
{
    return p->at < p->s->count ? p->bar[p->at] : NULL;
}

static void wrong_kind(const struct walk *w, const struct cs_bar *bar, const char *why)
{
    cs_check_add(w->c->report, CS_VIOLATION_SEGMENT, w->index, bar->start,
                 "task \"%.60s\" has a bar of kind %s at %.15g s: %s", malleable_segment_name_of(w),
                 cs_bar_kind_name(bar->kind), bar->start, why);
}

static void wrong_length(const struct walk *w, const struct cs_bar *bar, double want)
{
    cs_check_add(w->c->report, CS_VIOLATION_DURATION, w->index, bar->start,
                 "task \"%.60s\" has a bar of kind %s that starts at %.15g s and lasts %.15g s: it "
                 "must last %.15g s",
                 malleable_segment_name_of(w), cs_bar_kind_name(bar->kind), bar->start,
                 malleable_segment_length(bar), want);
}

/* Before the computation. */

/* Same duration of a bar that ends at `end`. */
static bool check_malleable_lasts(double seconds, double want, double end);

/* A bar of this kind and length comes next; false when the segment ends before it is over. */
static bool malleable_segment_expect(const struct walk *w, struct pass *p, enum cs_bar_kind kind,
                                     double want)
{
    const struct cs_bar *bar = next_bar(p);
    double end = bar ? bar->end : p->s->end;

    if (want <= 1e-12 * end && (!bar || bar->kind != kind))
        return true;
    if (!bar)
        return false;
    if (bar->kind != kind) {
        cs_check_add(w->c->report, CS_VIOLATION_SEGMENT, w->index, bar->start,
                     "task \"%.60s\" has a bar of kind %s at %.15g s: a %s of %.15g s must come "
                     "first",
                     malleable_segment_name_of(w), cs_bar_kind_name(bar->kind), bar->start,
                     cs_bar_kind_name(kind), want);
        return true;
    }
    p->at++;
    if (check_malleable_lasts(malleable_segment_length(bar), want, bar->end))
        return true;
    if (p->at == p->s->count && malleable_segment_length(bar) < want && p->next &&
        p->next->failures_hit)
        return false;
    wrong_length(w, bar, want);
    return true;
}

static double time_at(const struct pass *p)
{
    return p->at ? p->bar[p->at - 1]->end : p->s->start;
}

static void cut_short(const struct walk *w, struct pass *p, const char *what)
{
    p->s->interrupted = true;
    p->s->body = p->s->end;
    cs_check_add(w->c->report, CS_VIOLATION_SEGMENT, w->index, p->s->end,
                 "task \"%.60s\" is stopped at %.15g s during its %s: nothing strikes there",
                 malleable_segment_name_of(w), p->s->end, what);
}

/* The failure of the list that strikes the task where its segment begins, or NULL. */
static const struct cs_malleable_declared_fault *find_cause(const struct walk *w,
                                                            const struct cs_check_segment *s)
{
    const struct cs_check_malleable *c = w->c;
    const struct cs_check_segment *before = s->attempt > 1 ? s - 1 : s;

    for (size_t i = first_fault(c, s->start);
         i < c->faults && check_malleable_now(c->fault[i]->time, s->start); i++)
        if (malleable_cause_strikes(c->fault[i]) &&
            malleable_cause_holds(before, c->fault[i]->processor))
            return c->fault[i];
    return NULL;
}

/* Seconds of the recovery: with patterns, perhaps from the disk. */
static double pass_recovery_time(const struct walk *w, const struct pass *p)
{
    const bool interrupted = p->s->attempt > 1 && p->s[-1].interrupted;
    const struct cs_malleable_declared_fault *fault;

    if (!w->pattern)
        return recovery_on(w, w->held);
    fault = p->s->silent || interrupted ? NULL : find_cause(w, p->s);
    return cs_check_pattern_recover(w->pattern, w->held, interrupted, fault && fault->disk);
}

/* Downtime and recovery; false when they do not come to their end. */
static bool pass_recovery(const struct walk *w, struct pass *p)
{
    bool whole =
        p->s->silent || malleable_segment_expect(w, p, CS_BAR_DOWNTIME, w->c->declared->downtime);

    whole = whole && malleable_segment_expect(w, p, CS_BAR_RECOVERY, pass_recovery_time(w, p));

    p->s->down_until = p->s->safe_until = time_at(p);
    if (!whole)
        cut_short(w, p, "downtime or recovery");
    return whole;
}

/* The move and the checkpoint that protects the new distribution; only the latter may be cut. */
static bool pass_move(const struct walk *w, struct pass *p)
{
    bool whole =
        malleable_segment_expect(w, p, CS_BAR_MOVE, move_time(w, w->held, (double)p->s->procs));

    p->s->safe_until = time_at(p);
    if (!whole) {
        cut_short(w, p, "move of data");
        return false;
    }
    if (malleable_segment_expect(w, p, CS_BAR_CHECKPOINT, w->landing / (double)p->s->procs)) {
        if (w->pattern)
            cs_check_pattern_land(w->pattern);
        return true;
    }
    p->s->interrupted = true;
    p->s->body = p->s->end;
    if (!p->next)
        cut_short(w, p, "checkpoint after a move, and never resumes");
    return false;
}

/* Everything before the computation; false when a failure comes before it. */
static bool pass_prefix(const struct walk *w, struct pass *p)
{
    struct cs_check_segment *s = p->s;

    s->down_until = s->safe_until = s->start;
    s->body_first = s->count;
    s->moved = (double)s->procs != w->held;
    if (s->failures_hit && !pass_recovery(w, p))
        return false;
    if (s->moved && !pass_move(w, p))
        return false;
    if (s->attempt > 1 && !s->failures_hit && !s->moved)
        cs_check_add(w->c->report, CS_VIOLATION_SEGMENT, w->index, s->start,
                     "task \"%.60s\" begins segment %d at %.15g s without a failure and on as many "
                     "processors as before",
                     malleable_segment_name_of(w), s->attempt, s->start);
    s->body_first = p->at;
    s->body = time_at(p);
    if (!s->moved)
        s->safe_until = s->body;
    return true;
}

/* The computation. */

static void check_piece(const struct walk *w, const struct pass *p, const struct cs_bar *bar,
                        bool saved)
{
    double seconds = malleable_segment_length(bar);
    bool right = check_malleable_lasts(seconds, p->piece, bar->end);

    if (right || (!saved && seconds < p->piece))
        return;
    cs_check_add(w->c->report, CS_VIOLATION_PERIOD, w->index, bar->start,
                 "task \"%.60s\" computes from %.15g s for %.15g s %s a checkpoint: its period "
                 "allows %.15g s",
                 malleable_segment_name_of(w), bar->start, seconds, saved ? "before" : "without",
                 p->piece);
}

/* Is the progress since the last checkpoint undone by a failure in the checkpoint that was to
 * protect it?  Without data the move takes no time, and at that of the failure leaves no bar. */
static bool malleable_segment_undone(const struct walk *w, const struct pass *p)
{
    if (!p->next)
        return false;
    return p->next->failures_hit ? w->data == 0 && p->next->procs != p->s->procs
                                 : p->next->interrupted;
}

/* Work that no checkpoint protects: only at the end of a segment, and not before a failure. */
static void check_unsaved(const struct walk *w, const struct pass *p, const struct cs_bar *bar)
{
    if (p->next && p->next->failures_hit)
        wrong_kind(w, bar, "no checkpoint saves it before the failure, it is lost");
    else if (malleable_segment_undone(w, p))
        wrong_kind(w, bar,
                   "a failure strikes before the checkpoint that saves it is done, it is "
                   "lost");
    else if (p->at < p->s->count)
        wrong_kind(w, bar, "a checkpoint must follow");
    check_piece(w, p, bar, false);
}

static void pass_work(struct walk *w, struct pass *p)
{
    const struct cs_bar *bar = p->bar[p->at++], *after = next_bar(p);

    w->done += malleable_segment_length(bar) / p->whole;
    if (!after || after->kind != CS_BAR_CHECKPOINT) {
        check_unsaved(w, p, bar);
        return;
    }
    p->at++;
    check_piece(w, p, bar, true);
    if (check_malleable_lasts(malleable_segment_length(after), p->saving, after->end))
        return;
    if (malleable_segment_length(after) < p->saving && !next_bar(p) && p->next &&
        !p->next->failures_hit)
        check_unsaved(w, p, bar);
    else
        wrong_length(w, after, p->saving);
}

/* Lost bars end with a failure, or with a redistribution that a failure undoes. */
static void pass_lost(const struct walk *w, struct pass *p)
{
    const struct cs_bar *first = p->bar[p->at], *bar = first;
    double most = p->piece + p->saving;

    while (next_bar(p) && next_bar(p)->kind == CS_BAR_LOST)
        bar = p->bar[p->at++];
    if (malleable_segment_undone(w, p) && next_bar(p) && next_bar(p)->kind == CS_BAR_CHECKPOINT)
        p->at++;
    if (next_bar(p) || !p->next || (!p->next->failures_hit && !malleable_segment_undone(w, p)))
        wrong_kind(w, first, "no failure of the task comes after it");
    if (bar->end - first->start > most &&
        !check_malleable_lasts(bar->end - first->start, most, bar->end))
        cs_check_add(w->c->report, CS_VIOLATION_PERIOD, w->index, first->start,
                     "task \"%.60s\" loses %.15g s from %.15g s on: after %.15g s there is a "
                     "checkpoint",
                     malleable_segment_name_of(w), bar->end - first->start, first->start, most);
}

static void pass_patterns(const struct walk *w, struct pass *p)
{
    enum cs_check_pattern_next next = CS_CHECK_PATTERN_END;

    if (p->next)
        next = p->next->silent         ? CS_CHECK_PATTERN_SILENT
               : p->next->failures_hit ? CS_CHECK_PATTERN_FAILURE
                                       : CS_CHECK_PATTERN_CHANGE;
    cs_check_pattern_lay(w->pattern, p->s->moved, (double)p->s->procs, p->whole);
    cs_check_pattern_body(w->pattern, p->bar + p->at, p->s->count - p->at, next);
    p->at = p->s->count;
}

static void pass_body(struct walk *w, struct pass *p)
{
    const struct cs_bar *first = next_bar(p);
    double seen = first && first->kind == CS_BAR_WORK ? malleable_segment_length(first) : INFINITY;

    p->whole = time_on(w, (double)p->s->procs);
    if (isinf(p->whole))
        cs_check_add(w->c->report, CS_VIOLATION_TOO_FEW_PROCS, w->index, p->s->start,
                     "task \"%.60s\" cannot run on the %lld processors that it has at %.15g s",
                     malleable_segment_name_of(w), p->s->procs, p->s->start);
    if (w->pattern) {
        pass_patterns(w, p);
        return;
    }
    p->saving = checkpoint_on(w, (double)p->s->procs);
    p->piece = piece_of(w, (double)p->s->procs, p->whole, seen);
    while (next_bar(p)) {
        const struct cs_bar *bar = next_bar(p);

        if (bar->kind == CS_BAR_WORK) {
            pass_work(w, p);
        } else if (bar->kind == CS_BAR_LOST) {
            pass_lost(w, p);
        } else {
            wrong_kind(w, bar,
                       bar->kind == CS_BAR_CHECKPOINT ? "there is no work to save before it"
                                                      : "computation resumes here");
            p->at++;
        }
    }
}

/* After a failure in the checkpoint that follows a move, the same move is made again. */
static void check_again(const struct walk *w, const struct cs_check_segment *s,
                        const struct cs_check_segment *before)
{
    if (before->interrupted && (!s->failures_hit || s->procs != before->procs))
        cs_check_add(w->c->report, CS_VIOLATION_REDISTRIBUTION, w->index, s->start,
                     "task \"%.60s\" must recover at %.15g s and make its move to %lld processors "
                     "again",
                     malleable_segment_name_of(w), s->start, before->procs);
}

/* Determine from the bars of the next segment whether it is cut short. */
static void find_lookahead(struct walk *w, struct cs_check_segment *s,
                           const struct cs_bar *const *bar)
{
    const struct cs_bar *last = bar[s->first + s->count - 1];

    for (size_t b = 0; b < s->count; b++)
        if (bar[s->first + b]->kind == CS_BAR_WORK || bar[s->first + b]->kind == CS_BAR_LOST)
            return;
    s->interrupted = !s->last && s[1].failures_hit &&
                     (last->kind == CS_BAR_MOVE ||
                      (last->kind == CS_BAR_CHECKPOINT &&
                       !check_malleable_lasts(malleable_segment_length(last),
                                              w->landing / (double)s->procs, last->end)));
}

static bool moves_from(const struct walk *w, const struct cs_check_segment *s, size_t bar,
                       double procs)
{
    const struct cs_bar *recovery = w->c->bar[bar - 1], *move = w->c->bar[bar];

    return check_malleable_lasts(malleable_segment_length(recovery), recovery_on(w, procs),
                                 recovery->end) &&
           check_malleable_lasts(malleable_segment_length(move),
                                 move_time(w, procs, (double)s->procs), move->end);
}

/* A failure at time 0 leaves no bar of the first allocation.  If the task moves then, the recovery
 * and the move show on how many processors its data were. */
static double held_first(const struct walk *w, const struct cs_check_segment *s)
{
    size_t bar = s->first;

    while (bar < s->first + s->count && w->c->bar[bar]->kind != CS_BAR_MOVE)
        bar++;
    if (!s->failures_hit || bar == s->first || bar == s->first + s->count)
        return (double)s->procs;
    for (int procs = 2; procs <= cs_schedule_procs(w->c->schedule); procs += 2)
        if (procs != s->procs && moves_from(w, s, bar, procs))
            return procs;
    return (double)s->procs;
}

static void check_amount(const struct walk *w, double end)
{
    if (fabs(w->done - 1) > 1e-9)
        cs_check_add(w->c->report, CS_VIOLATION_WORK, w->index, end,
                     "task \"%.60s\" ends at %.15g s with %.15g of its work done: it must be 1",
                     malleable_segment_name_of(w), end, w->done);
}

/* A missing cost is 0. */
static double cost_of(const double *cost, int task)
{
    return cost && !isnan(cost[task]) ? cost[task] : 0;
}

/* The patterns of a task, and which of its segments begin with a silent error: those that recover
 * without a downtime. */
static void begin_patterns(struct walk *w, struct cs_check_segment *first, size_t count,
                           double checkpoint, size_t bars)
{
    const struct cs_malleable_declared *d = w->c->declared;
    const struct cs_check_pattern_costs costs = {
        .verification = cost_of(w->c->workload->verification, w->index),
        .checkpoint = checkpoint,
        .disk = cost_of(w->c->workload->disk, w->index),
        .downtime = d->downtime,
        .mtbf = d->mtbf,
        .silent_mtbf = d->silent_mtbf > 0 ? d->silent_mtbf : INFINITY,
    };

    w->landing = checkpoint + costs.disk;
    w->pattern = cs_check_pattern_create(&costs, w->index, malleable_segment_name_of(w), bars,
                                         w->c->report, w->c->arena);
    for (size_t i = 1; i < count && isfinite(costs.silent_mtbf); i++)
        first[i].silent =
            first[i].at->kind == CS_BAR_RECOVERY && (d->downtime > 0 || !find_cause(w, &first[i]));
}

static void check_malleable_task(const struct cs_check_malleable *c, int task)
{
    struct cs_check_segment *first = c->segment + c->first[task];
    size_t count = c->first[task + 1] - c->first[task];
    bool fails = !c->declared->fault_free && !isinf(c->declared->mtbf);
    struct walk w = {.c = c,
                     .profile = &c->workload->profile[task],
                     .checkpoint = fails ? cost_of(c->workload->checkpoint, task) : 0,
                     .data = cost_of(c->workload->data, task),
                     .index = task};

    if (!count) {
        cs_check_add(c->report, CS_VIOLATION_TASK_MISSING, task, NAN, "task \"%.60s\" never runs",
                     malleable_segment_name_of(&w));
        return;
    }
    w.landing = w.checkpoint;
    if (fails && c->declared->rules.layout == CS_MALLEABLE_PATTERN)
        begin_patterns(&w, first, count, w.checkpoint,
                       first[count - 1].first + first[count - 1].count - first[0].first);
    w.held = held_first(&w, first);
    for (size_t i = 0; i < count; i++)
        find_lookahead(&w, &first[i], c->bar);
    for (size_t i = 0; i < count; i++) {
        struct cs_check_segment *s = &first[i];
        struct pass p = {.s = s, .next = s->last ? NULL : s + 1, .bar = &c->bar[s->first]};

        s->interrupted = false;
        if (i)
            check_again(&w, s, s - 1);
        if (!pass_prefix(&w, &p))
            continue;
        w.held = (double)s->procs;
        pass_body(&w, &p);
    }
    if (w.pattern)
        w.done = cs_check_pattern_finish(w.pattern);
    check_amount(&w, first[count - 1].end);
}

/* Why segments end.
 *
 * Each failure in the list that strikes must stop a task at its time on one of its processors, and
 * nothing else stops a task; each that does not must hit an idle processor, or a task that is down,
 * recovering or moving. Without a failure a task may change its processors only when another task
 * ends, when a failure is answered by a redistribution, or (with wake events) when a task goes back
 * to computing.
 */

struct causes {
    const struct cs_check_malleable *c;
    const struct cs_malleable_declared_fault *const *fault; /* of c */
    size_t faults;
    bool *used;    /* by place in `fault` */
    double *shift; /* when some task changes its width, ascending */
    size_t shifts;
    double *event; /* when processors may move: ends, and wake events; ascending */
    size_t events;
};

static const char *malleable_cause_name_of(const struct causes *k, const struct cs_check_segment *s)
{
    return cs_check_malleable_name(k->c, s->task);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool malleable_cause_near(const double *value, size_t count, double time)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (value[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return (low < count && check_malleable_now(value[low], time)) ||
           (low && check_malleable_now(value[low - 1], time));
}

static void make_faults(struct causes *k, struct cs_arena *arena)
{
    const struct cs_malleable_declared *d = k->c->declared;

    k->faults = k->c->faults;
    k->fault = k->c->fault;
    k->used = CS_NEW_ARRAY(arena, bool, d->faults);
    for (int i = 1; i < d->faults; i++)
        if (d->fault[i].time < d->fault[i - 1].time)
            cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, d->fault[i].time,
                         "the failure at %.15g s is listed after the one at %.15g s: they are "
                         "listed by time",
                         d->fault[i].time, d->fault[i - 1].time);
    if (d->fault_free && k->faults)
        cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, k->fault[0]->time,
                     "there are %zu failures in a fault-free schedule", k->faults);
}

static bool is_first(const struct causes *k, const struct cs_check_segment *s)
{
    return s == k->c->segment || s[-1].task != s->task;
}

static void make_shifts(struct causes *k, struct cs_arena *arena)
{
    k->shift = CS_NEW_ARRAY(arena, double, k->c->segments);
    for (size_t i = 0; i < k->c->segments; i++) {
        const struct cs_check_segment *s = &k->c->segment[i];

        if (is_first(k, s) ? s->moved : s[-1].procs != s->procs)
            k->shift[k->shifts++] = s->start;
    }
    if (k->shifts)
        qsort(k->shift, k->shifts, sizeof *k->shift, by_value);
}

static void make_events(struct causes *k, struct cs_arena *arena)
{
    const struct cs_malleable_declared *d = k->c->declared;

    k->event = CS_NEW_ARRAY(arena, double, 2 * k->c->segments);
    for (size_t i = 0; i < k->c->segments && strcmp(d->on_end, "none") != 0; i++) {
        const struct cs_check_segment *s = &k->c->segment[i];

        if (s->last)
            k->event[k->events++] = s->end;
        if (d->rules.wake)
            k->event[k->events++] = s->body;
    }
    if (k->events)
        qsort(k->event, k->events, sizeof *k->event, by_value);
}

/* A task without data moves in no time.  Where it moves and a failure strikes at one time, no bar
 * shows the checkpoint in which it strikes, and the segment after it is the one that moved. */
static bool is_hidden_strike(const struct causes *k, const struct cs_check_segment *s,
                             const struct cs_malleable_declared_fault *fault)
{
    const double *data = k->c->workload->data;

    return malleable_cause_is(fault, "initial-checkpoint") && s->moved &&
           !(data && data[s->task] > 0) && malleable_cause_holds(s, fault->processor);
}

static const struct cs_malleable_declared_fault *find_strike(struct causes *k,
                                                             const struct cs_check_segment *before,
                                                             const struct cs_check_segment *s)
{
    for (size_t i = first_fault(k->c, s->start);
         i < k->faults && check_malleable_now(k->fault[i]->time, s->start); i++)
        if (!k->used[i] && malleable_cause_strikes(k->fault[i]) &&
            (malleable_cause_holds(before, k->fault[i]->processor) ||
             is_hidden_strike(k, s, k->fault[i]))) {
            k->used[i] = true;
            return k->fault[i];
        }
    return NULL;
}

static void wrong_effect(const struct causes *k, const struct cs_malleable_declared_fault *fault,
                         int task, const char *why)
{
    cs_check_add(k->c->report, CS_VIOLATION_FAILURES, task, fault->time,
                 "the failure at %.15g s on processor %d is declared with the effect %s: %s",
                 fault->time, fault->processor, fault->effect, why);
}

/* Is the kind of rollback the one that the bars show? */
static void check_effect(const struct causes *k, const struct cs_check_segment *s,
                         const struct cs_malleable_declared_fault *fault)
{
    bool none = strcmp(k->c->declared->on_failure, "none") == 0;
    bool moves = malleable_cause_near(k->shift, k->shifts, fault->time);
    bool interrupted = (!is_first(k, s) && s[-1].interrupted) || is_hidden_strike(k, s, fault);

    if (interrupted != malleable_cause_is(fault, "initial-checkpoint"))
        wrong_effect(k, fault, s->task,
                     interrupted ? "it strikes in the checkpoint after a move"
                                 : "it does not strike in the checkpoint after a move");
    else if (malleable_cause_is(fault, "initial-checkpoint"))
        return;
    else if (none != malleable_cause_is(fault, "rollback") && *k->c->declared->on_failure)
        wrong_effect(k, fault, s->task,
                     none ? "no decision on failures" : "a decision on failures");
    else if (malleable_cause_is(fault, "rollback-redistributed") && !moves)
        wrong_effect(k, fault, s->task, "no task changes its processors then");
    else if (!malleable_cause_is(fault, "rollback-redistributed") && s->moved)
        wrong_effect(k, fault, s->task, "the task changes its processors then");
}

/* A segment that begins with downtime or recovery needs its failure.  The first one does only at
 * time 0, when the processors before it are not known but from its own. */
static void check_failures_hit(struct causes *k, struct cs_check_segment *s)
{
    const bool first = is_first(k, s);
    const struct cs_malleable_declared_fault *fault =
        s->silent || (first && s->start > 0) ? NULL : find_strike(k, first ? s : s - 1, s);

    if (fault) {
        s->failed_proc = fault->processor;
        check_effect(k, s, fault);
        return;
    }
    if (s->silent)
        return;
    cs_check_add(k->c->report, CS_VIOLATION_FAILURES, s->task, s->start,
                 "task \"%.60s\" is stopped by a failure at %.15g s: the list has none then on its "
                 "processors",
                 malleable_cause_name_of(k, s), s->start);
}

/* May processors move at this time? */
static bool is_event(const struct causes *k, double time)
{
    const struct cs_malleable_declared *d = k->c->declared;

    if (!*d->on_end || !*d->on_failure)
        return true;
    for (size_t i = first_fault(k->c, time);
         i < k->faults && check_malleable_now(k->fault[i]->time, time); i++)
        if (malleable_cause_is(k->fault[i], "rollback-redistributed"))
            return true;
    return malleable_cause_near(k->event, k->events, time);
}

static void check_causes(struct causes *k)
{
    for (size_t i = 0; i < k->c->segments; i++) {
        struct cs_check_segment *s = &k->c->segment[i];

        if (s->failures_hit)
            check_failures_hit(k, s);
        else if (is_first(k, s))
            continue;
        else if (s->moved && !is_event(k, s->start))
            cs_check_add(k->c->report, CS_VIOLATION_REDISTRIBUTION, s->task, s->start,
                         "task \"%.60s\" changes its processors at %.15g s: nothing happens then "
                         "to decide it",
                         malleable_cause_name_of(k, s), s->start);
    }
}

/* The last segment of the task that starts before the time, or at it; NULL: none. */
static const struct cs_check_segment *segment_at(const struct cs_check_malleable *c, int task,
                                                 double time, bool at)
{
    size_t low = c->first[task], high = c->first[task + 1];

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (c->segment[middle].start < time || (at && c->segment[middle].start == time))
            low = middle + 1;
        else
            high = middle;
    }
    return low == c->first[task] ? NULL : &c->segment[low - 1];
}

/* The segment that holds the processor after everything at that time has happened, or NULL. */
static const struct cs_check_segment *holder_after(const struct causes *k,
                                                   const struct cs_malleable_declared_fault *fault)
{
    for (int task = 0; task < cs_schedule_tasks(k->c->schedule); task++) {
        const struct cs_check_segment *s = segment_at(k->c, task, fault->time, true);

        if (s && s->end > fault->time && malleable_cause_holds(s, fault->processor))
            return s;
    }
    return NULL;
}

/* The segment that holds it after the ends at that time, and before anything else; or NULL. */
static const struct cs_check_segment *holder_before(const struct causes *k,
                                                    const struct cs_malleable_declared_fault *fault)
{
    for (int task = 0; task < cs_schedule_tasks(k->c->schedule); task++) {
        const struct cs_check_segment *s = segment_at(k->c, task, fault->time, fault->time == 0);

        if (s && (s->end > fault->time || (s->end == fault->time && !s->last)) &&
            !(s->start == fault->time && s->moved) && malleable_cause_holds(s, fault->processor))
            return s;
    }
    return NULL;
}

/* Does a failure at the same time, before it in the list (step -1) or after it (1), make tasks
 * change their processors? */
static bool is_answered(const struct causes *k, size_t fault, int step)
{
    const double time = k->fault[fault]->time;

    for (size_t i = fault + (size_t)step; i < k->faults && k->fault[i]->time == time;
         i += (size_t)step)
        if (malleable_cause_is(k->fault[i], "rollback-redistributed"))
            return true;
    return false;
}

/* Failures at one time happen in the order of the list, after ends and wakes: what is idle may be
 * given to a task by a later one, or come from a task by an earlier one. */
static bool is_idle(const struct causes *k, size_t fault)
{
    const double time = k->fault[fault]->time;
    const struct cs_check_segment *before = holder_before(k, k->fault[fault]);
    const struct cs_check_segment *after = holder_after(k, k->fault[fault]);
    bool freed =
        !before || malleable_cause_near(k->event, k->events, time) || is_answered(k, fault, -1);

    return freed && (!after || is_answered(k, fault, 1));
}

/* Would the machine have lost both copies of the checkpoint? */
static bool malleable_cause_fatal(const struct cs_malleable_declared_fault *fault,
                                  const struct cs_check_segment *s)
{
    return s->failed_proc >= 0 && fault->processor == (s->failed_proc ^ 1) &&
           fault->time < s->down_until;
}

static void check_unstruck(const struct causes *k, size_t at, int *deadly)
{
    const struct cs_malleable_declared_fault *fault = k->fault[at];
    const struct cs_check_segment *s = holder_after(k, fault);
    char why[200];

    if (malleable_cause_is(fault, "idle") && is_idle(k, at))
        return;
    if (s && malleable_cause_is(fault, "ignored") && fault->time < s->safe_until) {
        *deadly += malleable_cause_fatal(fault, s);
        return;
    }
    if (!s)
        cs_plain_print(why, sizeof why,
                       malleable_cause_is(fault, "idle") ? "a task holds the processor until then"
                                                         : "no task holds the processor then");
    else if (malleable_cause_is(fault, "idle"))
        cs_plain_print(why, sizeof why, "task \"%.60s\" holds the processor then",
                       malleable_cause_name_of(k, s));
    else
        cs_plain_print(why, sizeof why, "task \"%.60s\" computes or saves moved data at that time",
                       malleable_cause_name_of(k, s));
    wrong_effect(k, fault, s ? s->task : -1, why);
}

static void check_faults(const struct causes *k)
{
    const struct cs_malleable_declared *d = k->c->declared;
    int deadly = 0;

    for (size_t i = 0; i < k->faults; i++) {
        if (!malleable_cause_strikes(k->fault[i]))
            check_unstruck(k, i, &deadly);
        else if (!k->used[i])
            wrong_effect(k, k->fault[i], -1, "no task that holds it is stopped then");
    }
    if (d->fatal >= 0 && d->fatal != deadly)
        cs_check_add(k->c->report, CS_VIOLATION_FAILURES, -1, NAN,
                     "%d failures are declared fatal in reality: the list has %d", d->fatal,
                     deadly);
}

static void check_malleable_causes(const struct cs_check_malleable *c)
{
    struct causes k = {.c = c};

    if (!*c->declared->on_end || !*c->declared->on_failure)
        cs_check_lack(c->report, "the file has no \"on_end\" or no \"on_failure\": whether "
                                 "processors may move was not checked");

    if (!strcmp(c->declared->on_end, "optimum"))
        cs_check_note(c->report, "optimality not re-proven");
    make_faults(&k, c->arena);
    make_shifts(&k, c->arena);
    make_events(&k, c->arena);
    check_causes(&k);
    check_faults(&k);
}

static bool check_malleable_lasts(double seconds, double want, double end)
{
    return isfinite(want) && fabs(seconds - want) <= 1e-9 * fabs(want) + 1e-12 * end;
}

static const char *malleable_name_of(const struct cs_check_malleable *c, int task)
{
    return cs_check_malleable_name(c, task);
}

/* cs_check_general reports invalid bars; the other checks need valid ones. */
static bool malleable_sound(const struct cs_bar *bar, int procs)
{
    return isfinite(bar->start) && isfinite(bar->end) && bar->start >= 0 && bar->end > bar->start &&
           bar->intervals > 0 && cs_procset_well_formed(bar->procs, bar->intervals) &&
           bar->procs[bar->intervals - 1].last < procs && bar->attempt >= 1;
}

static bool same_set(const struct cs_bar *a, const struct cs_bar *b)
{
    return a->intervals == b->intervals &&
           !memcmp(a->procs, b->procs, (size_t)a->intervals * sizeof *a->procs);
}

static bool whole_pairs(const struct cs_bar *bar)
{
    for (int i = 0; i < bar->intervals; i++)
        if (bar->procs[i].first % 2 || bar->procs[i].last % 2 == 0)
            return false;
    return true;
}

/* Is every processor of a in b? */
static bool malleable_subset(const struct cs_bar *a, const struct cs_bar *b)
{
    int k = 0;

    for (int i = 0; i < a->intervals; i++) {
        while (k < b->intervals && b->procs[k].last < a->procs[i].first)
            k++;
        if (k == b->intervals || b->procs[k].first > a->procs[i].first ||
            b->procs[k].last < a->procs[i].last)
            return false;
    }
    return true;
}

/* Bars of a task follow one another from 0 on without a gap. */
static void check_contiguous(const struct cs_check_malleable *c, const struct cs_bar *bar,
                             const struct cs_bar *before)
{
    double from = before ? before->end : 0;

    if (bar->start > from && !check_malleable_now(bar->start, from))
        cs_check_add(c->report, CS_VIOLATION_WAITS, bar->task, from,
                     "task \"%.60s\" does nothing from %.15g s to %.15g s: it never waits",
                     malleable_name_of(c, bar->task), from, bar->start);
}

static void check_attempt(const struct cs_check_malleable *c, const struct cs_bar *bar,
                          const struct cs_bar *before)
{
    int low = before ? before->attempt : 1, high = before ? low + 1 : 1;

    if (bar->attempt < low || bar->attempt > high)
        cs_check_add(c->report, CS_VIOLATION_ATTEMPT_ORDER, bar->task, bar->start,
                     "task \"%.60s\" has attempt %d at %.15g s after attempt %d: segments count "
                     "from 1 without a hole",
                     malleable_name_of(c, bar->task), bar->attempt, bar->start,
                     before ? before->attempt : 0);
}

static void check_set(const struct cs_check_malleable *c, const struct cs_bar *bar,
                      const struct cs_bar *before)
{
    if (before && before->attempt == bar->attempt) {
        if (!same_set(before, bar))
            cs_check_add(c->report, CS_VIOLATION_SEGMENT, bar->task, bar->start,
                         "task \"%.60s\" changes its processors at %.15g s within its segment %d",
                         malleable_name_of(c, bar->task), bar->start, bar->attempt);
        return;
    }
    if (!whole_pairs(bar))
        cs_check_add(c->report, CS_VIOLATION_PAIRS, bar->task, bar->start,
                     "task \"%.60s\" has processors that are not whole pairs (2x, 2x + 1) at "
                     "%.15g s",
                     malleable_name_of(c, bar->task), bar->start);
    if (before && !malleable_subset(bar, before) && !malleable_subset(before, bar))
        cs_check_add(c->report, CS_VIOLATION_REDISTRIBUTION, bar->task, bar->start,
                     "task \"%.60s\" gives up processors at %.15g s and takes others: it may do "
                     "one or the other",
                     malleable_name_of(c, bar->task), bar->start);
    if (before && !same_set(before, bar) && cs_bar_procs(before) == cs_bar_procs(bar))
        cs_check_add(c->report, CS_VIOLATION_REDISTRIBUTION, bar->task, bar->start,
                     "task \"%.60s\" moves to as many other processors at %.15g s",
                     malleable_name_of(c, bar->task), bar->start);
}

static void malleable_cut(struct cs_check_malleable *c)
{
    c->segment = CS_NEW_ARRAY(c->arena, struct cs_check_segment, c->bars);
    for (size_t b = 0; b < c->bars; b++) {
        const struct cs_bar *bar = c->bar[b];
        struct cs_check_segment *s = c->segments ? &c->segment[c->segments - 1] : NULL;

        if (!s || s->task != bar->task || s->attempt != bar->attempt) {
            s = &c->segment[c->segments++];
            *s = (struct cs_check_segment){.task = bar->task,
                                           .attempt = bar->attempt,
                                           .first = b,
                                           .at = bar,
                                           .procs = cs_bar_procs(bar),
                                           .start = bar->start,
                                           .failures_hit = bar->kind == CS_BAR_DOWNTIME ||
                                                           bar->kind == CS_BAR_RECOVERY,
                                           .failed_proc = -1};
        }
        s->count++;
        s->end = bar->end;
    }
}

static void index_tasks(struct cs_check_malleable *c)
{
    int tasks = cs_schedule_tasks(c->schedule);
    size_t at = 0;

    c->first = CS_NEW_ARRAY(c->arena, size_t, tasks + 1);
    for (int task = 0; task < tasks; task++) {
        c->first[task] = at;
        while (at < c->segments && c->segment[at].task == task)
            at++;
        if (at > c->first[task])
            c->segment[at - 1].last = true;
    }
    c->first[tasks] = at;
}

static void check_bars(const struct cs_check_malleable *c)
{
    for (size_t b = 0; b < c->bars; b++) {
        const struct cs_bar *before =
            b && c->bar[b - 1]->task == c->bar[b]->task ? c->bar[b - 1] : NULL;

        check_contiguous(c, c->bar[b], before);
        check_attempt(c, c->bar[b], before);
        check_set(c, c->bar[b], before);
    }
}

static void check_sound(struct cs_check_malleable *c)
{
    check_bars(c);
    malleable_cut(c);
    index_tasks(c);
    sort_faults(c);
    for (int task = 0; task < cs_schedule_tasks(c->schedule); task++)
        check_malleable_task(c, task);
    check_malleable_causes(c);
    cs_check_malleable_areas(c);
}

/* The tasks of the schedule are those of the workload, in its order. */
static bool same_tasks(const struct cs_check_malleable *c)
{
    int tasks = cs_schedule_tasks(c->schedule);

    if (c->workload->count != tasks) {
        cs_check_add(c->report, CS_VIOLATION_INSTANCE, -1, NAN,
                     "the instance has %d tasks, the schedule %d", c->workload->count, tasks);
        return false;
    }
    for (int i = 0; i < tasks; i++)
        if (strcmp(c->workload->name[i], malleable_name_of(c, i)) != 0)
            cs_check_add(c->report, CS_VIOLATION_INSTANCE, i, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s\" in the instance", i,
                         malleable_name_of(c, i), c->workload->name[i]);
    return true;
}

int cs_check_malleable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                       const struct cs_malleable_declared *declared, struct cs_check_report *report)
{
    CS_ASK(schedule && workload && declared && report, NULL, -1);
    CS_GUARD(NULL, cs_check_broken(report));
    struct cs_check_malleable c = {.schedule = schedule,
                                   .workload = workload,
                                   .declared = declared,
                                   .report = report,
                                   .makespan = cs_schedule_makespan(schedule),
                                   .arena = cs_arena_create()};
    bool fine = true;

    cs_check_general(schedule, true, report);
    c.bar = cs_bars_by_task(schedule, &c.bars, c.arena);
    for (size_t b = 0; b < c.bars; b++)
        fine &= malleable_sound(c.bar[b], cs_schedule_procs(schedule));
    if (same_tasks(&c) && fine)
        check_sound(&c);
    cs_arena_destroy(c.arena);
    return 0;
}
