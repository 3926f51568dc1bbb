/* malleable_pattern.c - are the bars of a task those of its patterns?
 *
 * Source: docs/spec/science.md 11.3 and 11.6, derived again from the numbers of the file.
 *
 * Idea: chunks are put on a stack when they are met; a failure takes those off that it undoes,
 * which must be LOST in the file, and those on the stack at the end must be WORK.
 *
 * Invariants: disk <= memory <= count: chunks that the last disk checkpoint, the last checkpoint
 * and nothing protect.
 *
 * Complexity: O(1000) for a layout, O(1) for a bar.
 */
#include "check/malleable_parts.h"

#include <math.h>

#define MOST 1000 /* segments and chunks */

/* A smaller share consists of rounding errors. */
#define LEAST_SHARE 1e-12

struct cs_check_pattern {
    struct cs_check_pattern_costs one; /* of one processor */
    int task;
    const char *name;
    struct cs_check_report *report;
    const struct cs_bar **chunk;
    size_t count, memory, disk;
    double left, saved; /* shares of the task: to be laid out, and at the last checkpoint */
    /* The layout. */
    bool laid;
    double begun, seconds;         /* the share that was left, and the whole task */
    double verify, save, keep;     /* V, CM, CD here */
    int chunks, segments, rest;    /* m, K, and K of the last pattern (0: no last pattern) */
    double whole, work, rest_work; /* n; chunks in seconds */
    double segment;                /* complete ones */
};

struct cs_check_pattern *cs_check_pattern_create(const struct cs_check_pattern_costs *costs,
                                                 int task, const char *name, size_t bars,
                                                 struct cs_check_report *report,
                                                 struct cs_arena *arena)
{
    struct cs_check_pattern *p = CS_NEW(arena, struct cs_check_pattern);

    *p = (struct cs_check_pattern){
        .one = *costs,
        .task = task,
        .name = name,
        .report = report,
        .chunk = CS_NEW_ARRAY(arena, const struct cs_bar *, bars),
        .left = 1,
        .saved = 1,
    };
    return p;
}

static bool pattern_lasts(double seconds, double want, double end)
{
    return fabs(seconds - want) <= 1e-9 * want + 1e-12 * end;
}

static void pattern_wrong(const struct cs_check_pattern *p, const struct cs_bar *bar,
                          const char *what, double want)
{
    cs_check_add(p->report, CS_VIOLATION_PERIOD, p->task, bar->start,
                 "task \"%.60s\" has a bar of kind %s from %.15g s on that lasts %.15g s: its "
                 "patterns have %s of %.15g s there",
                 p->name, cs_bar_kind_name(bar->kind), bar->start, bar->end - bar->start, what,
                 want);
}

/* Chunks from `keep` on are undone. */
static void pattern_undo(struct cs_check_pattern *p, size_t keep)
{
    for (; p->count > keep; p->count--) {
        const struct cs_bar *bar = p->chunk[p->count - 1];

        if (bar->kind != CS_BAR_LOST)
            cs_check_add(p->report, CS_VIOLATION_SEGMENT, p->task, bar->start,
                         "task \"%.60s\" has a bar of kind %s at %.15g s: an error undoes it, it "
                         "is lost",
                         p->name, cs_bar_kind_name(bar->kind), bar->start);
    }
    p->memory = p->memory < keep ? p->memory : keep;
    p->disk = p->disk < keep ? p->disk : keep;
}

/* ---- the layout ---- */

static double pattern_total(const struct cs_check_pattern *p)
{
    return p->whole * p->segments + p->rest;
}

static bool is_rest(const struct cs_check_pattern *p)
{
    return p->segment >= p->whole * p->segments;
}

static double chunk_here(const struct cs_check_pattern *p)
{
    return is_rest(p) ? p->rest_work : p->work;
}

static double share_before(const struct cs_check_pattern *p)
{
    const double in_whole = fmin(p->segment, p->whole * p->segments);

    return p->chunks * (in_whole * p->work + (p->segment - in_whole) * p->rest_work) / p->seconds;
}

/* 11.3: m, K and the work of a chunk, on `procs` processors. */
static void pattern_choose(struct cs_check_pattern *p, double procs)
{
    const double silent = procs / p->one.silent_mtbf, failing = procs / p->one.mtbf;
    const double fatal = p->keep > 0 ? 1 - exp(-(p->one.downtime + p->save) / p->one.mtbf) : 0;
    const double c = fatal * failing / 2;
    double least = INFINITY;

    for (int m = 1; m <= (p->verify > 0 ? MOST : 1); m++) {
        const double a = silent * (1 + 1.0 / m) / 2 + (1 - fatal) * failing / 2;
        const double b = m * p->verify + p->save;
        const double best = c > 0 ? floor(sqrt(p->keep * a / (b * c))) : p->keep > 0 ? MOST : 1;

        for (int step = 0; step < 2; step++) {
            const double k = p->keep > 0 ? fmax(1, fmin(best + step, MOST)) : 1;
            const double cost = k * b + p->keep, lost = a / k + c;

            if (cost * lost < least * (1 - 1e-14)) {
                least = cost * lost;
                p->chunks = m;
                p->segments = (int)k;
                p->work = sqrt(cost / lost) / k / m;
            }
        }
    }
}

void cs_check_pattern_lay(struct cs_check_pattern *p, bool moved, double procs, double seconds)
{
    double each, left;

    if (p->laid && !moved)
        return;
    p->verify = p->one.verification / procs;
    p->save = p->one.checkpoint / procs;
    p->keep = p->one.disk / procs;
    pattern_choose(p, procs);
    p->laid = true;
    p->segment = 0;
    if (p->left < LEAST_SHARE)
        p->left = 0;
    p->begun = p->left;
    p->seconds = seconds;
    each = p->chunks * p->work;
    p->whole = floor(p->left * seconds / (each * p->segments));
    left = p->left * seconds - p->whole * each * p->segments;
    p->rest = left > 0 ? (int)fmin(p->segments, fmax(1, floor(left / each + 0.5))) : 0;
    p->rest_work = p->rest ? left / p->rest / p->chunks : 0;
}

double cs_check_pattern_recover(struct cs_check_pattern *p, double procs, bool interrupted,
                                bool disk)
{
    pattern_undo(p, disk ? p->disk : p->memory);
    if (interrupted) {
        p->left = p->saved;
        p->laid = false;
    } else if (p->laid) {
        if (disk)
            p->segment = p->segments * fmin(floor(p->segment / p->segments), p->whole);
        p->left = p->saved = p->begun - share_before(p);
    }
    return (disk ? p->one.disk : p->one.checkpoint) / procs;
}

void cs_check_pattern_land(struct cs_check_pattern *p)
{
    p->memory = p->disk = p->count;
    p->saved = p->left;
}

/* ---- bars ---- */

/* Where a segment is. */
enum stage { STAGE_WORK, STAGE_VERIFY, STAGE_SAVE, STAGE_KEEP };

struct place {
    enum stage stage;
    int chunks;     /* complete ones of the segment */
    double partial; /* seconds of a chunk without a verification */
};

static enum stage after_chunk(struct cs_check_pattern *p, struct place *at)
{
    at->partial = 0;
    return ++at->chunks < p->chunks ? STAGE_WORK : STAGE_SAVE;
}

static bool is_pattern_end(const struct cs_check_pattern *p, double segment)
{
    return segment >= pattern_total(p) ||
           (segment <= p->whole * p->segments && fmod(segment, p->segments) == 0);
}

static enum stage after_save(struct cs_check_pattern *p, struct place *at)
{
    p->segment++;
    p->memory = p->count;
    if (is_pattern_end(p, p->segment))
        p->disk = p->count;
    at->chunks = 0;
    return STAGE_WORK;
}

/* The stage that follows a bar that is complete. */
static enum stage stage_after(struct cs_check_pattern *p, struct place *at)
{
    switch (at->stage) {
    case STAGE_WORK:
        return p->verify > 0 ? STAGE_VERIFY : after_chunk(p, at);
    case STAGE_VERIFY:
        return after_chunk(p, at);
    case STAGE_SAVE:
        if (p->keep > 0 && is_pattern_end(p, p->segment + 1))
            return STAGE_KEEP;
        break;
    case STAGE_KEEP:
        break;
    }
    return after_save(p, at);
}

/* A bar of a segment; false when it is cut short. */
static bool pass_bar(struct cs_check_pattern *p, struct place *at, const struct cs_bar *bar,
                     bool may_be_cut)
{
    static const char *const what[] = {"a chunk of work", "a verification", "a checkpoint",
                                       "a checkpoint on disk"};
    static const enum cs_bar_kind kind[] = {CS_BAR_WORK, CS_BAR_VERIFY, CS_BAR_CHECKPOINT,
                                            CS_BAR_CHECKPOINT};
    const double length = bar->end - bar->start;
    const double want[] = {p->segment < pattern_total(p) ? chunk_here(p) : 0, p->verify, p->save,
                           p->keep};
    const bool lost = at->stage == STAGE_WORK && bar->kind == CS_BAR_LOST;
    const bool whole = pattern_lasts(length, want[at->stage], bar->end);

    if ((bar->kind != kind[at->stage] && !lost) ||
        (!whole && !(may_be_cut && length < want[at->stage]))) {
        pattern_wrong(p, bar, what[at->stage], want[at->stage]);
        return false;
    }
    if (at->stage == STAGE_WORK) {
        p->chunk[p->count++] = bar;
        at->partial = length;
    }
    if (whole)
        at->stage = stage_after(p, at);
    return whole;
}

/* The part of the present segment that an error undoes, in one bar. */
static void pass_rollback(struct cs_check_pattern *p, const struct place *at,
                          const struct cs_bar *bar, bool silent)
{
    const double length = bar->end - bar->start, each = chunk_here(p) + p->verify;
    const double most =
        p->chunks * each + p->save + (is_pattern_end(p, p->segment + 1) ? p->keep : 0);
    const double found = fmax(1, floor(length / each + 0.5));

    if (at->stage != STAGE_WORK || at->chunks || p->segment >= pattern_total(p))
        pattern_wrong(p, bar, "the rest of a segment", 0);
    else if (silent && (found > p->chunks || !pattern_lasts(length, found * each, bar->end)))
        pattern_wrong(p, bar, "a verification that finds a silent error after a multiple", each);
    else if (length > most && !pattern_lasts(length, most, bar->end))
        pattern_wrong(p, bar, "a checkpoint after", most);
}

/* Processors change: what is not verified does not move when there may be silent errors. */
static void pass_change(struct cs_check_pattern *p, const struct place *at)
{
    const bool verified = isfinite(p->one.silent_mtbf);
    double seconds = at->chunks ? at->chunks * chunk_here(p) : 0;

    if (verified && at->partial > 0)
        pattern_undo(p, p->count - 1);
    else
        seconds += at->partial;
    p->saved = p->begun - share_before(p);
    p->left = p->saved - seconds / p->seconds;
}

void cs_check_pattern_body(struct cs_check_pattern *p, const struct cs_bar *const *bar,
                           size_t count, enum cs_check_pattern_next next)
{
    const bool error = next == CS_CHECK_PATTERN_FAILURE || next == CS_CHECK_PATTERN_SILENT;
    struct place at = {0};

    for (size_t i = 0; i < count; i++) {
        const bool last = i + 1 == count;

        if (last && error && bar[i]->kind == CS_BAR_LOST) {
            pass_rollback(p, &at, bar[i], next == CS_CHECK_PATTERN_SILENT);
            return;
        }
        if (!pass_bar(p, &at, bar[i], last && next == CS_CHECK_PATTERN_CHANGE) && !last)
            return;
    }
    if (next == CS_CHECK_PATTERN_CHANGE)
        pass_change(p, &at);
    else if (count && (next == CS_CHECK_PATTERN_SILENT || at.stage != STAGE_WORK || at.chunks))
        pattern_wrong(p, bar[count - 1], "more after it, which an error makes lost or ends", 0);
}

double cs_check_pattern_finish(struct cs_check_pattern *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->chunk[i]->kind != CS_BAR_WORK)
            cs_check_add(p->report, CS_VIOLATION_SEGMENT, p->task, p->chunk[i]->start,
                         "task \"%.60s\" has a bar of kind %s at %.15g s: no error undoes it, it "
                         "is work",
                         p->name, cs_bar_kind_name(p->chunk[i]->kind), p->chunk[i]->start);
    if (!p->laid)
        return 0;
    return p->segment >= pattern_total(p) ? 1 : 1 - p->begun + share_before(p);
}
