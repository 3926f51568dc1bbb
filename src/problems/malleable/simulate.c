/* simulate.c - events in virtual time.
 *
 * Source: the paper, Algorithm 2; spec/malleable.md 4, 5 and 10, gaps A3, A8, A12 to A16 and
 * A36.
 *
 * Idea: the next event is the earliest planned end, wake or failure.  The layout of a stretch
 * fixes what happens, expected times only decide; when a stretch ends its areas and bars are
 * booked. Time 0 (Algorithm 1, pairs, first layouts) is computed once and copied for each run.
 *
 * Invariants: at equal times ends come before wakes, wakes before failures; the six areas (work,
 * checkpoint, lost, down, move, idle) add up to procs * makespan; a failure stops the task that
 * it strikes, no other; failures before `start` are ignored except in the checkpoint of a
 * move.  An unfinished checkpoint is no work.  Work before a move counts as done until a failure
 * in the checkpoint of the move makes it lost (`unsaved`).
 *
 * Complexity: an event O(log n) for the tournaments, plus its plan (O(n), see the policies) and,
 * with an observer of bars, O(pairs of the task) for each stretch.  A run begins with a copy of
 * O(n + p).
 *
 * | constant | value | unit | how found | at half, at double |
 * |----------|-------|------|-----------|--------------------|
 * | CS_MALLEABLE_FAILURES | 10^7 | failures | spec 5: "no progress" after so many | not measured |
 */
#include "problems/malleable/simulate.h"
#include "base/clock.h"
#include "base/guard.h"
#include "base/rng.h"
#include "base/vector.h"
#include "problems/malleable/initial.h"
#include "problems/malleable/program.h"
#include "problems/malleable/trace.h"

#include <string.h>

/* areas of a stretch, and its bars. */

/* Where bars go: one task, one stretch. */
struct pen {
    const struct cs_malleable_observer *observer;
    struct cs_malleable_bar bar;
    struct cs_malleable_pending *pending; /* NULL: to the observer */
    struct cs_arena *arena;               /* of pending bars, */
    double until;                         /* which end by then in spite of rounding */
};

static void pending_add(struct cs_malleable_pending *p, const struct cs_malleable_bar *bar,
                        struct cs_arena *arena)
{
    CS_ARENA_ROOM(arena, p->bar, p->count, p->room, 8);
    p->bar[p->count++] = *bar;
}

static void pending_lose(struct cs_malleable_pending *p, int from)
{
    for (int b = from; b < p->count; b++)
        if (p->bar[b].kind == CS_BAR_WORK)
            p->bar[b].kind = CS_BAR_LOST;
}

static void pending_flush(struct cs_malleable_pending *p,
                          const struct cs_malleable_observer *observer)
{
    for (int b = 0; b < p->count; b++)
        observer->bar(observer->who, &p->bar[b]);
    p->count = p->saved = 0;
}

static void simulate_draw(struct pen *pen, enum cs_bar_kind kind, double start, double end)
{
    if (pen->pending)
        end = cs_malleable_smaller(end, pen->until);
    if (!(end > start))
        return;
    pen->bar.kind = kind;
    pen->bar.start = start;
    pen->bar.end = end;
    if (pen->pending)
        pending_add(pen->pending, &pen->bar, pen->arena);
    else
        pen->observer->bar(pen->observer->who, &pen->bar);
}

/* The last work before a move was saved by the checkpoint of the move, or was not. */
static void draw_waiting(struct cs_malleable_account *a, int task, bool saved)
{
    struct cs_malleable_waiting *w = &a->waiting[task];
    struct pen pen = {
        .observer = a->observer,
        .bar = {.task = task, .attempt = w->attempt, .pairs = w->pairs, .pair = w->pair},
    };

    simulate_draw(&pen, saved ? CS_BAR_WORK : CS_BAR_LOST, w->start, w->worked);
    simulate_draw(&pen, CS_BAR_CHECKPOINT, w->worked, w->end);
    *w = (struct cs_malleable_waiting){0};
}

static void keep_waiting(struct cs_malleable_account *a, const struct pen *pen, double start,
                         double worked, double end)
{
    int *pair = CS_NEW_ARRAY(a->arena, int, pen->bar.pairs);

    for (int x = 0; x < pen->bar.pairs; x++)
        pair[x] = pen->bar.pair[x];
    a->waiting[pen->bar.task] =
        (struct cs_malleable_waiting){pen->bar.attempt, pen->bar.pairs, pair, start, worked, end};
}

static double draw_periods(struct pen *pen, const struct cs_malleable_running *run, double start,
                           double periods)
{
    for (double k = 0; k < periods; k++) {
        const double from = start + k * run->period;

        simulate_draw(pen, CS_BAR_WORK, from, from + run->pieces.work);
        simulate_draw(pen, CS_BAR_CHECKPOINT, from + run->pieces.work,
                      start + (k + 1) * run->period);
    }
    return periods > 0 ? start + periods * run->period : start;
}

/* ---- the pattern layout ---- */

/* Seconds from `start` to the beginning of a segment. */
static double segment_begin(const struct cs_malleable_running *run, double segment)
{
    return cs_pattern_time_before(&run->layout, segment) -
           cs_pattern_time_before(&run->layout, run->done);
}

/* Chunks with their verifications; returns when the last one ends. */
static double draw_chunks(struct pen *pen, const struct cs_pattern_layout *l, double segment,
                          int chunks, double start)
{
    const double work = cs_pattern_of(l, segment)->work, each = work + l->costs.verification;

    for (int m = 0; m < chunks; m++) {
        simulate_draw(pen, CS_BAR_WORK, start + m * each, start + m * each + work);
        simulate_draw(pen, CS_BAR_VERIFY, start + m * each + work, start + (m + 1) * each);
    }
    return start + chunks * each;
}

/* Complete segments; returns where the next one begins. */
static double draw_segments(struct pen *pen, const struct cs_malleable_running *run, double start,
                            double until)
{
    const struct cs_pattern_layout *l = &run->layout;
    double at = start;

    for (double g = run->done; g < until; g++) {
        const double end = start + segment_begin(run, g + 1);
        const bool last =
            cs_pattern_disk(l, g + 1) > cs_pattern_disk(l, g) || g + 1 >= cs_pattern_segments(l);
        const double saved = draw_chunks(pen, l, g, cs_pattern_of(l, g)->chunks, at);
        const double memory = last && l->costs.disk > 0 ? saved + l->costs.memory : end;

        simulate_draw(pen, CS_BAR_CHECKPOINT, saved, memory);
        simulate_draw(pen, CS_BAR_CHECKPOINT, memory, end);
        pen->pending->saved = pen->pending->count;
        if (last)
            pending_flush(pen->pending, pen->observer);
        at = end;
    }
    return at;
}

/* The part of a segment that is done when processors change. */
static void draw_partial(struct pen *pen, const struct cs_malleable_running *run,
                         const struct cs_malleable_progress *p, double start, double time)
{
    const struct cs_pattern_layout *l = &run->layout;
    const struct cs_pattern *pattern = cs_pattern_of(l, p->segment);
    const double at = draw_chunks(pen, l, p->segment, p->chunks, start);
    double worked;

    if (p->chunks == pattern->chunks) {
        simulate_draw(pen, CS_BAR_CHECKPOINT, at, at + l->costs.memory);
        simulate_draw(pen, CS_BAR_CHECKPOINT, at + l->costs.memory, time);
        return;
    }
    worked = p->partial < pattern->work ? time : at + p->partial;
    simulate_draw(pen, l->costs.silent > 0 ? CS_BAR_LOST : CS_BAR_WORK, at, worked);
    simulate_draw(pen, CS_BAR_VERIFY, worked, time);
}

static void draw_patterns(struct pen *pen, const struct cs_malleable_running *run, double start,
                          double time, const struct cs_malleable_progress *p,
                          enum cs_malleable_close how)
{
    const double at = draw_segments(pen, run, start, p->segment);

    if (how == CS_MALLEABLE_CLOSE_ENDED) {
        pending_flush(pen->pending, pen->observer);
        return;
    }
    if (how == CS_MALLEABLE_CLOSE_CHANGED) {
        draw_partial(pen, run, p, at, time);
        return;
    }
    if (how == CS_MALLEABLE_CLOSE_FATAL)
        pending_lose(pen->pending, 0);
    simulate_draw(pen, CS_BAR_LOST, at, time);
}

/* Bars of before: a failure in the checkpoint of a move leaves those up to the last checkpoint;
 * once it is done all are safe. */
static void settle_pending(struct cs_malleable_account *a, struct cs_malleable_pending *pending,
                           const struct cs_malleable_running *run, enum cs_malleable_close how)
{
    if (how == CS_MALLEABLE_CLOSE_INTERRUPTED)
        pending_lose(pending, pending->saved);
    else if (run->moved)
        pending_flush(pending, a->observer);
}

static void add_patterns(struct cs_malleable_areas *area, const struct cs_malleable_running *run,
                         const struct cs_malleable_progress *p, int procs,
                         enum cs_malleable_close how)
{
    const struct cs_pattern_layout *l = &run->layout;
    const double chunks = p->chunks ? p->chunks * cs_pattern_of(l, p->segment)->work : 0;
    double fatal = 0;

    area->work += procs * p->saved;
    area->checkpoint += procs * (segment_begin(run, p->segment) - p->saved);
    if (how == CS_MALLEABLE_CLOSE_CHANGED) {
        area->work += procs * p->work;
        area->lost += procs * (chunks + p->partial - p->work);
        area->checkpoint += procs * cs_malleable_larger(p->rest - chunks - p->partial, 0);
        return;
    }
    if (how == CS_MALLEABLE_CLOSE_FATAL)
        fatal = cs_pattern_work_before(l, p->segment) -
                cs_pattern_work_before(l, cs_pattern_disk(l, p->segment));
    area->work -= procs * fatal;
    area->lost += procs * (p->rest + fatal);
}

/* The place at the end of all. */
static struct cs_malleable_progress patterns_end(const struct cs_malleable_running *run)
{
    const double segments = cs_pattern_segments(&run->layout);

    return (struct cs_malleable_progress){
        .saved = cs_pattern_work_before(&run->layout, segments) -
                 cs_pattern_work_before(&run->layout, run->done),
        .segment = segments,
    };
}

static void draw_stretch(struct cs_malleable_account *a, int task,
                         const struct cs_malleable_state *state,
                         const struct cs_malleable_running *run, double time,
                         const struct cs_malleable_progress *p, enum cs_malleable_close how)
{
    const int pairs = state->procs / 2;
    struct pen pen = {.observer = a->observer, .arena = a->arena, .until = time};
    double at;

    if (a->pending) {
        pen.pending = &a->pending[task];
        settle_pending(a, pen.pending, run, how);
        a->pair = CS_NEW_ARRAY(a->arena, int, pairs);
    } else {
        draw_waiting(a, task, how != CS_MALLEABLE_CLOSE_INTERRUPTED);
    }
    pen.bar = (struct cs_malleable_bar){
        .task = task, .attempt = run->attempt, .pairs = pairs, .pair = a->pair};
    cs_malleable_pairs_list(a->pairs, task, pairs, a->pair);
    simulate_draw(&pen, CS_BAR_DOWNTIME, run->since, run->down_end);
    simulate_draw(&pen, CS_BAR_RECOVERY, run->down_end, run->recovered);
    simulate_draw(&pen, CS_BAR_MOVE, run->recovered, run->move_end);
    simulate_draw(&pen, CS_BAR_CHECKPOINT, run->move_end, cs_malleable_smaller(time, state->start));
    if (how == CS_MALLEABLE_CLOSE_INTERRUPTED)
        return;
    if (a->pending) {
        draw_patterns(&pen, run, state->start, time, p, how);
        return;
    }
    at = draw_periods(&pen, run, state->start, p->periods);
    if (how == CS_MALLEABLE_CLOSE_CHANGED)
        keep_waiting(a, &pen, at, p->work < p->rest ? at + p->work : time, time);
    else
        simulate_draw(&pen, how == CS_MALLEABLE_CLOSE_ENDED ? CS_BAR_WORK : CS_BAR_LOST, at, time);
}

static void add_work(struct cs_malleable_areas *area, const struct cs_malleable_running *run,
                     const struct cs_malleable_progress *p, double checkpoint, int procs,
                     enum cs_malleable_close how)
{
    area->work += procs * cs_malleable_periods_work(run, p->periods);
    area->checkpoint += procs * p->periods * checkpoint;
    if (how == CS_MALLEABLE_CLOSE_FAILED) {
        area->lost += procs * p->rest;
        return;
    }
    area->work += procs * p->work;
    area->checkpoint += procs * cs_malleable_larger(p->rest - p->work, 0);
}

void cs_malleable_account_close(struct cs_malleable_account *account, int task,
                                const struct cs_malleable_state *state,
                                struct cs_malleable_running *run, double time,
                                enum cs_malleable_close how)
{
    struct cs_malleable_areas *area = &account->area;
    struct cs_malleable_progress p = {0};

    area->down += state->procs * (run->recovered - run->since);
    area->move += state->procs * (cs_malleable_smaller(time, state->start) - run->recovered);
    if (how == CS_MALLEABLE_CLOSE_INTERRUPTED) {
        area->work -= run->unsaved;
        area->lost += run->unsaved;
    } else if (run->layout.pattern.segments) {
        p = how == CS_MALLEABLE_CLOSE_ENDED ? patterns_end(run)
                                            : cs_malleable_progress(run, state->start, time);
        add_patterns(area, run, &p, state->procs, how);
    } else {
        p = how == CS_MALLEABLE_CLOSE_ENDED
                ? (struct cs_malleable_progress){.periods = run->pieces.pieces,
                                                 .rest = run->pieces.last,
                                                 .work = run->pieces.last}
                : cs_malleable_progress(run, state->start, time);
        add_work(area, run, &p, account->model->rate[task].checkpoint / state->procs, state->procs,
                 how);
    }
    if (account->observer && account->observer->bar)
        draw_stretch(account, task, state, run, time, &p, how);
    run->unsaved = how == CS_MALLEABLE_CLOSE_CHANGED ? state->procs * p.work : 0;
}

static void simulate_allocate(struct cs_malleable_simulation *s)
{
    struct cs_arena *arena = s->arena;
    const int n = s->in->tasks;

    s->first.state = CS_NEW_ARRAY(arena, struct cs_malleable_state, n);
    s->first.running = CS_NEW_ARRAY(arena, struct cs_malleable_running, n);
    cs_malleable_rows_init(&s->first.rows, n, arena);
    cs_malleable_pairs_init(&s->first.pairs, s->in->usable / 2, n, arena);
    cs_tournament_init(&s->first.ends, n, arena);
    cs_malleable_pairs_init(&s->pairs, s->in->usable / 2, n, arena);
    cs_tournament_init(&s->ends, n, arena);
    cs_tournament_init(&s->wakes, n, arena);
    s->ended = CS_NEW_ARRAY(arena, int, n);
    s->end = CS_NEW_ARRAY(arena, double, n);
}

/* Processors of the tasks at time 0; returns those that stay idle. */
static int simulate_share(const struct cs_malleable_simulation *s, int *procs)
{
    double *expected = CS_NEW_ARRAY(s->arena, double, s->in->tasks);
    int free = s->in->usable;

    if (!s->followed)
        return cs_malleable_initial_share(s->dispatcher.model, procs, expected, s->arena) / 2 * 2;
    for (int i = 0; i < s->in->tasks; i++) {
        procs[i] = s->followed->choice->procs[i];
        free -= procs[i];
    }
    return free;
}

/* All tasks begin at time 0. */
static void simulate_start(struct cs_malleable_simulation *s)
{
    const struct cs_arena_mark mark = cs_arena_mark(s->arena);
    const int n = s->in->tasks;
    int *procs = CS_NEW_ARRAY(s->arena, int, n);

    s->planned_first = cs_clock_now();
    s->first.free = simulate_share(s, procs);
    s->planned_first = cs_clock_now() - s->planned_first;
    cs_malleable_pairs_deal(&s->first.pairs, procs);
    cs_malleable_rows_fill(&s->dispatcher.rows, s->dispatcher.model->rate);
    cs_tournament_clear(&s->ends, n);
    cs_tournament_clear(&s->wakes, n);
    for (int i = 0; i < n; i++) {
        s->dispatcher.state[i] = (struct cs_malleable_state){.procs = procs[i], .alpha = 1};
        s->dispatcher.running[i] =
            (struct cs_malleable_running){.attempt = 1, .failed_processor = -1, .done = -1};
        cs_malleable_restart(s, i);
    }
    memcpy(s->first.state, s->dispatcher.state, (size_t)n * sizeof *s->dispatcher.state);
    memcpy(s->first.running, s->dispatcher.running, (size_t)n * sizeof *s->dispatcher.running);
    cs_malleable_rows_copy(&s->first.rows, &s->dispatcher.rows);
    cs_tournament_copy(&s->first.ends, &s->ends);
    cs_arena_rewind(s->arena, mark);
}

static void set_up(struct cs_malleable_simulation *s, const struct cs_malleable_rules *rules)
{
    cs_malleable_dispatcher_init(&s->dispatcher, s->in, rules, s->arena);
    s->lower_bound = cs_malleable_lower_bound(s->in);
    simulate_allocate(s);
    s->account.model = s->dispatcher.model;
    s->account.pairs = &s->pairs;
    s->account.arena = s->arena;
    simulate_start(s);
    s->mark = cs_arena_mark(s->arena);
}

struct cs_malleable_simulation *
cs_malleable_simulation_create_asking(const struct cs_malleable_instance *in,
                                      const struct cs_malleable_rules *rules,
                                      struct cs_extpol *extpol, struct cs_error *err)
{
    struct cs_malleable_simulation *s;
    struct cs_arena *arena;

    if (cs_malleable_rules_check(rules, err))
        return NULL;
    if (rules->layout != CS_MALLEABLE_PATTERN && isfinite(in->platform.silent_mtbf)) {
        cs_error_set(err, "silent_mtbf: silent errors need --layout pattern");
        return NULL;
    }
    if (!extpol && cs_malleable_rules_ask(rules)) {
        cs_extpol_of(NULL, err);
        return NULL;
    }
    arena = cs_arena_create();
    s = CS_NEW(arena, struct cs_malleable_simulation);
    s->in = in;
    s->arena = arena;
    set_up(s, rules);
    if (cs_malleable_rules_ask(rules)) {
        s->dispatcher.plan.extpol = extpol;
        s->dispatcher.plan.number = cs_extpol_number(extpol);
    }
    return s;
}

struct cs_malleable_simulation *
cs_malleable_simulation_create(const struct cs_malleable_instance *in,
                               const struct cs_malleable_rules *rules, struct cs_error *err)
{
    CS_ASK(in && rules, err, NULL);
    CS_GUARD(err, NULL);
    return cs_malleable_simulation_create_asking(in, rules, NULL, err);
}

void cs_malleable_simulation_follow(struct cs_malleable_simulation *s,
                                    const struct cs_malleable_optimum *optimum)
{
    s->followed = optimum;
    s->dispatcher.rules.hysteresis = 0;
    simulate_start(s);
}

void cs_malleable_simulation_destroy(struct cs_malleable_simulation *s)
{
    if (s)
        cs_arena_destroy(s->arena);
}

/* When the first silent error of the stretch that begins is found, if it is. */
static double draw_silent(const struct cs_malleable_simulation *s, int task)
{
    const struct cs_malleable_running *run = &s->dispatcher.running[task];
    const struct cs_pattern_layout *l = &run->layout;
    struct cs_pattern_place place;

    if (!s->errors || !(l->costs.silent > 0))
        return INFINITY;
    place = cs_pattern_find_work(l, run->done, cs_rng_exponential(s->errors, 1 / l->costs.silent));
    return place.segment < 0 ? INFINITY
                             : s->dispatcher.state[task].start + segment_begin(run, place.segment) +
                                   (place.chunks + 1) * (cs_pattern_of(l, place.segment)->work +
                                                         l->costs.verification);
}

/* The next event of the task that comes from its layout. */
static void simulate_expect(struct cs_malleable_simulation *s, int task)
{
    struct cs_malleable_running *run = &s->dispatcher.running[task];

    run->found = draw_silent(s, task);
    cs_tournament_set(&s->ends, task,
                      -cs_malleable_smaller(run->found, s->dispatcher.state[task].planned_end));
}

void cs_malleable_restart(struct cs_malleable_simulation *s, int task)
{
    cs_malleable_dispatcher_begin(&s->dispatcher, task);
    simulate_expect(s, task);
    if (s->dispatcher.rules.wake)
        cs_tournament_set(&s->wakes, task, -s->dispatcher.state[task].start);
}

static void simulate_report(struct cs_malleable_simulation *s, struct cs_malleable_event event)
{
    event.time = s->now;
    event.state = s->dispatcher.state;
    s->observer->event(s->observer->who, &event);
}

static bool simulate_reported(const struct cs_malleable_simulation *s)
{
    return s->observer && s->observer->event;
}

static void simulate_begin(struct cs_malleable_simulation *s,
                           const struct cs_malleable_observer *observer,
                           struct cs_malleable_outcome *outcome)
{
    const int n = s->in->tasks;

    cs_arena_rewind(s->arena, s->mark);
    *outcome = (struct cs_malleable_outcome){.end = s->end, .lower_bound = s->lower_bound};
    s->planned = s->planned_first;
    s->outcome = outcome;
    s->observer = observer;
    s->account.observer = observer;
    s->account.area = (struct cs_malleable_areas){0};
    if (observer && observer->bar) {
        s->account.pair = CS_NEW_ARRAY(s->arena, int, s->in->usable / 2);
        s->account.waiting = CS_NEW_ARRAY(s->arena, struct cs_malleable_waiting, n);
        s->account.pending = s->dispatcher.model->form
                                 ? CS_NEW_ARRAY(s->arena, struct cs_malleable_pending, n)
                                 : NULL;
    }
    s->now = 0;
    s->decision = 1;
    s->dispatcher.free = s->first.free;
    memcpy(s->dispatcher.state, s->first.state, (size_t)n * sizeof *s->dispatcher.state);
    memcpy(s->dispatcher.running, s->first.running, (size_t)n * sizeof *s->dispatcher.running);
    cs_malleable_rows_copy(&s->dispatcher.rows, &s->first.rows);
    cs_malleable_pairs_copy(&s->pairs, &s->first.pairs);
    cs_tournament_copy(&s->ends, &s->first.ends);
    cs_tournament_clear(&s->wakes, n);
    for (int i = 0; i < n && s->errors; i++)
        simulate_expect(s, i);
    if (simulate_reported(s))
        simulate_report(s, (struct cs_malleable_event){
                               .kind = CS_MALLEABLE_START, .processor = -1, .task = -1});
}

/* Time advances to the next event. */
static void simulate_advance(struct cs_malleable_simulation *s, double time)
{
    s->account.area.idle += (time - s->now) * (s->dispatcher.free + s->in->platform.procs % 2);
    s->now = time;
}

static void simulate_finish(struct cs_malleable_simulation *s, int task)
{
    struct cs_malleable_state *state = &s->dispatcher.state[task];

    cs_malleable_account_close(&s->account, task, state, &s->dispatcher.running[task],
                               state->planned_end, CS_MALLEABLE_CLOSE_ENDED);
    cs_malleable_pairs_give(&s->pairs, task, state->procs / 2);
    s->end[task] = state->planned_end;
    cs_malleable_dispatcher_leave(&s->dispatcher, task);
    cs_tournament_set(&s->ends, task, -INFINITY);
    if (s->dispatcher.rules.wake)
        cs_tournament_set(&s->wakes, task, -INFINITY);
}

/* Is the next event of a layout a silent error that is found? */
static bool is_found(const struct cs_malleable_simulation *s)
{
    const int task = cs_tournament_winner(&s->ends);

    return s->dispatcher.running[task].found <= -cs_tournament_largest(&s->ends);
}

static const struct cs_malleable_policy *policy_at_end(const struct cs_malleable_simulation *s)
{
    return s->followed ? &cs_malleable_following
                       : cs_malleable_end_policy(s->dispatcher.rules.on_end);
}

static void at_end(struct cs_malleable_simulation *s)
{
    const struct cs_malleable_policy *policy = policy_at_end(s);
    int ended = 0, changed = 0;

    while (-cs_tournament_largest(&s->ends) <= s->now && !is_found(s)) {
        const int task = cs_tournament_winner(&s->ends);

        simulate_finish(s, task);
        s->ended[ended++] = task;
    }
    if (s->dispatcher.rows.living && policy->decide)
        changed = cs_malleable_replan(s, policy, -1, false);
    if (simulate_reported(s))
        simulate_report(s,
                        (struct cs_malleable_event){
                            .kind = CS_MALLEABLE_END,
                            .effect = changed ? CS_MALLEABLE_REDISTRIBUTED : CS_MALLEABLE_NOTHING,
                            .processor = -1,
                            .task = -1,
                            .ended = ended,
                            .ended_task = s->ended,
                        });
}

static void at_wake(struct cs_malleable_simulation *s)
{
    const struct cs_malleable_policy *policy = policy_at_end(s);
    const struct cs_malleable_policy *local = cs_malleable_end_policy(CS_MALLEABLE_END_LOCAL);
    const bool decides = s->followed || policy->info.extpol;
    const int changed = cs_malleable_replan(s, decides ? policy : local, -1, true);

    if (simulate_reported(s))
        simulate_report(s,
                        (struct cs_malleable_event){
                            .kind = CS_MALLEABLE_WAKE,
                            .effect = changed ? CS_MALLEABLE_REDISTRIBUTED : CS_MALLEABLE_NOTHING,
                            .processor = -1,
                            .task = -1,
                        });
}

/* The task is down from now on, for a silent error (no processor) only to recover. */
static void go_down(struct cs_malleable_simulation *s, int task, int processor, double recovery)
{
    struct cs_malleable_running *run = &s->dispatcher.running[task];

    run->attempt += s->now > run->since;
    run->since = s->now;
    run->down_end = s->now + (processor < 0 ? 0 : s->dispatcher.model->downtime);
    run->recovered = run->down_end + recovery;
    run->down_until = run->recovered;
    run->failed_processor = processor;
}

static void redo_move(struct cs_malleable_simulation *s, int task, int processor)
{
    const struct cs_malleable_rate *rate = &s->dispatcher.model->rate[task];
    struct cs_malleable_state *state = &s->dispatcher.state[task];
    struct cs_malleable_running *run = &s->dispatcher.running[task];

    cs_malleable_account_close(&s->account, task, state, run, s->now,
                               CS_MALLEABLE_CLOSE_INTERRUPTED);
    go_down(s, task, processor, cs_malleable_rate_recovery(rate, run->old_procs));
    run->done = -1;
    state->alpha = run->old_alpha;
    run->move_end = run->recovered + cs_malleable_rate_move(rate, run->old_procs, state->procs);
    state->start = run->move_end + rate->checkpoint / state->procs;
    cs_malleable_restart(s, task);
}

/* To the segment that a checkpoint protects; returns the seconds of the recovery. */
static double roll_back_patterns(struct cs_malleable_state *state, struct cs_malleable_running *run,
                                 double segment, bool fatal)
{
    const struct cs_pattern_layout *l = &run->layout;

    run->done = fatal ? cs_pattern_disk(l, segment) : segment;
    state->alpha =
        cs_malleable_larger(run->begun - cs_pattern_work_before(l, run->done) / run->seconds, 0);
    return fatal ? l->costs.disk_recovery : l->costs.memory_recovery;
}

/* A failure of a processor, or -1: a silent error is found. */
static void roll_back(struct cs_malleable_simulation *s, int task, int processor)
{
    const struct cs_pattern_costs *costs = &s->dispatcher.running[task].layout.costs;
    const bool fatal =
        processor >= 0 && costs->fatal > 0 && s->errors && cs_rng_uniform(s->errors) < costs->fatal;
    struct cs_malleable_state *state = &s->dispatcher.state[task];
    struct cs_malleable_running *run = &s->dispatcher.running[task];
    const struct cs_malleable_progress p = cs_malleable_progress(run, state->start, s->now);
    double recovery;

    cs_malleable_account_close(&s->account, task, state, run, s->now,
                               fatal ? CS_MALLEABLE_CLOSE_FATAL : CS_MALLEABLE_CLOSE_FAILED);
    if (run->layout.pattern.segments) {
        recovery = roll_back_patterns(state, run, p.segment, fatal);
    } else {
        state->alpha = cs_malleable_saved(run, &p, state->alpha);
        recovery = cs_malleable_rate_recovery(&s->dispatcher.model->rate[task], state->procs);
    }
    s->outcome->disk += fatal;
    go_down(s, task, processor, recovery);
    run->move_end = run->recovered;
    run->moved = false;
    state->start = run->recovered;
    cs_malleable_restart(s, task);
}

static enum cs_malleable_effect simulate_strike(struct cs_malleable_simulation *s, int task,
                                                int processor)
{
    const struct cs_malleable_policy *policy =
        s->followed ? &cs_malleable_following
                    : cs_malleable_failure_policy(s->dispatcher.rules.on_failure);

    s->outcome->failures_hit++;
    roll_back(s, task, processor);
    if (!policy->decide)
        return CS_MALLEABLE_ROLLBACK;
    if (!s->followed && !cs_malleable_dispatcher_is_last(&s->dispatcher, task))
        return CS_MALLEABLE_ROLLBACK_NOT_LONGEST;
    return cs_malleable_replan(s, policy, task, false) ? CS_MALLEABLE_ROLLBACK_REDISTRIBUTED
                                                       : CS_MALLEABLE_ROLLBACK_NO_BETTER_PLAN;
}

static void at_failure(struct cs_malleable_simulation *s, int processor)
{
    const int task = processor < s->in->usable ? s->pairs.owner[processor / 2] : -1;
    const struct cs_malleable_running *run = task >= 0 ? &s->dispatcher.running[task] : NULL;
    struct cs_malleable_event event = {
        .kind = CS_MALLEABLE_FAILURE, .processor = processor, .task = task};
    const int64_t disk = s->outcome->disk;

    s->outcome->failures++;
    if (task < 0) {
        s->outcome->idle++;
        event.effect = CS_MALLEABLE_IDLE;
    } else if (s->now >= s->dispatcher.state[task].start) {
        event.effect = simulate_strike(s, task, processor);
        event.disk = s->outcome->disk > disk;
    } else if (run->moved && s->now >= run->move_end) {
        s->outcome->initial_checkpoint++;
        event.effect = CS_MALLEABLE_INITIAL_CHECKPOINT;
        redo_move(s, task, processor);
    } else {
        s->outcome->ignored++;
        event.effect = CS_MALLEABLE_IGNORED;
        event.fatal = processor == (run->failed_processor ^ 1) && s->now < run->down_until;
        s->outcome->fatal_in_reality += event.fatal;
    }
    if (simulate_reported(s))
        simulate_report(s, event);
}

/* A verification finds a silent error: no policy is called. */
static void at_silent(struct cs_malleable_simulation *s)
{
    const int task = cs_tournament_winner(&s->ends);

    s->outcome->silent++;
    roll_back(s, task, -1);
    if (simulate_reported(s))
        simulate_report(s, (struct cs_malleable_event){.kind = CS_MALLEABLE_SILENT,
                                                       .effect = CS_MALLEABLE_ROLLBACK,
                                                       .processor = -1,
                                                       .task = task});
}

/* When the next task wakes that could use what is free. */
static double next_wake(struct cs_malleable_simulation *s)
{
    while (-cs_tournament_largest(&s->wakes) <= s->now)
        cs_tournament_set(&s->wakes, cs_tournament_winner(&s->wakes), -INFINITY);
    return policy_at_end(s)->decide && s->dispatcher.free ? -cs_tournament_largest(&s->wakes)
                                                          : INFINITY;
}

static struct cs_fault next_fault(const struct cs_malleable_simulation *s,
                                  struct cs_malleable_trace *trace)
{
    struct cs_fault fault;

    if (!trace || !s->in->failing || !cs_malleable_trace_next(trace, &fault))
        fault = (struct cs_fault){INFINITY, 0};
    return fault;
}

/* To the last end; false when there is no progress. */
static bool simulate_play(struct cs_malleable_simulation *s, struct cs_malleable_trace *trace)
{
    struct cs_fault fault = next_fault(s, trace);

    while (s->dispatcher.rows.living) {
        const double end = -cs_tournament_largest(&s->ends), wake = next_wake(s);

        if (end <= fault.time && end <= wake) {
            if (isinf(end) || s->outcome->silent == CS_MALLEABLE_FAILURES)
                return false;
            simulate_advance(s, end);
            if (is_found(s))
                at_silent(s);
            else
                at_end(s);
        } else if (wake <= fault.time) {
            simulate_advance(s, wake);
            at_wake(s);
        } else {
            if (s->outcome->failures == CS_MALLEABLE_FAILURES)
                return false;
            simulate_advance(s, fault.time);
            at_failure(s, fault.processor);
            fault = next_fault(s, trace);
        }
    }
    return true;
}

int cs_malleable_simulation_run(struct cs_malleable_simulation *s, struct cs_malleable_trace *trace,
                                const struct cs_malleable_observer *observer,
                                struct cs_malleable_outcome *outcome)
{
    CS_ASK(s && outcome, NULL, -1);
    CS_GUARD(NULL, -1);
    s->errors = trace && s->dispatcher.model->form ? cs_malleable_trace_errors(trace) : NULL;
    simulate_begin(s, observer, outcome);
    if (s->dispatcher.plan.extpol)
        cs_malleable_program_begin(&s->dispatcher.plan);
    if (simulate_play(s, trace)) {
        outcome->makespan = s->now;
        outcome->area = s->account.area;
    } else {
        outcome->no_progress = true;
        outcome->makespan = INFINITY;
        outcome->area = (struct cs_malleable_areas){NAN, NAN, NAN, NAN, NAN, NAN};
        for (int a = 0; a < s->dispatcher.rows.count; a++)
            if (s->dispatcher.rows.column[CS_ROW_FINISH][a] > -INFINITY)
                s->end[s->dispatcher.rows.task[a]] = INFINITY;
    }
    outcome->gap = (outcome->makespan - s->lower_bound) / s->lower_bound;
    return 0;
}
