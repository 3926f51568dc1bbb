/* malleable_segment.c - the content of the segments of a task.
 *
 *     [downtime, recovery] [move, checkpoint] work, checkpoint, work, ... work
 *
 * with downtime and recovery after a failure, move and checkpoint when the number of processors
 * changed. Every duration is recomputed from the declared task: t(i,j), C / j (also the recovery),
 * Equation (9) for moves, Young's period for the pieces of work. The work that is not lost must add
 * up to the whole task.
 */
#include "check/malleable.h"

#include "check/time.h"

#include <math.h>

/* A task on its way through its segments. */
struct walk {
    const struct cs_check_malleable *c;
    const struct cs_profile *profile;
    double checkpoint, data; /* of one processor */
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
    if (cs_check_malleable_lasts(malleable_segment_length(bar), want, bar->end))
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

/* Downtime and recovery; false when they do not come to their end. */
static bool pass_recovery(const struct walk *w, struct pass *p)
{
    bool whole = malleable_segment_expect(w, p, CS_BAR_DOWNTIME, w->c->declared->downtime) &&
                 malleable_segment_expect(w, p, CS_BAR_RECOVERY, recovery_on(w, w->held));

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
    if (malleable_segment_expect(w, p, CS_BAR_CHECKPOINT, checkpoint_on(w, (double)p->s->procs)))
        return true;
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
    bool right = cs_check_malleable_lasts(seconds, p->piece, bar->end);

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
    if (cs_check_malleable_lasts(malleable_segment_length(after), p->saving, after->end))
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
        !cs_check_malleable_lasts(bar->end - first->start, most, bar->end))
        cs_check_add(w->c->report, CS_VIOLATION_PERIOD, w->index, first->start,
                     "task \"%.60s\" loses %.15g s from %.15g s on: after %.15g s there is a "
                     "checkpoint",
                     malleable_segment_name_of(w), bar->end - first->start, first->start, most);
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
                       !cs_check_malleable_lasts(malleable_segment_length(last),
                                                 checkpoint_on(w, (double)s->procs), last->end)));
}

static bool moves_from(const struct walk *w, const struct cs_check_segment *s, size_t bar,
                       double procs)
{
    const struct cs_bar *recovery = w->c->bar[bar - 1], *move = w->c->bar[bar];

    return cs_check_malleable_lasts(malleable_segment_length(recovery), recovery_on(w, procs),
                                    recovery->end) &&
           cs_check_malleable_lasts(malleable_segment_length(move),
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

void cs_check_malleable_task(const struct cs_check_malleable *c, int task)
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
    check_amount(&w, first[count - 1].end);
}
