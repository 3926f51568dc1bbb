/* account.c - areas of a stretch, and its bars. */
#include "malleable/account.h"

/* Where bars go: one task, one stretch. */
struct pen {
    const struct cs_malleable_observer *observer;
    struct cs_malleable_bar bar;
};

static void draw(struct pen *pen, enum cs_bar_kind kind, double start, double end)
{
    if (!(end > start))
        return;
    pen->bar.kind = kind;
    pen->bar.start = start;
    pen->bar.end = end;
    pen->observer->bar(pen->observer->who, &pen->bar);
}

/* The last work before a move was saved by the checkpoint of the move, or was not. */
static void draw_waiting(struct cs_malleable_account *a, int task, bool saved)
{
    struct cs_malleable_waiting *w = &a->waiting[task];
    struct pen pen = {
        a->observer,
        {.task = task, .attempt = w->attempt, .pairs = w->pairs, .pair = w->pair},
    };

    draw(&pen, saved ? CS_BAR_WORK : CS_BAR_LOST, w->start, w->worked);
    draw(&pen, CS_BAR_CHECKPOINT, w->worked, w->end);
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

        draw(pen, CS_BAR_WORK, from, from + run->pieces.work);
        draw(pen, CS_BAR_CHECKPOINT, from + run->pieces.work, start + (k + 1) * run->period);
    }
    return periods > 0 ? start + periods * run->period : start;
}

static void draw_stretch(struct cs_malleable_account *a, int task,
                         const struct cs_malleable_state *state,
                         const struct cs_malleable_running *run, double time,
                         const struct cs_malleable_progress *p, enum cs_malleable_close how)
{
    const int pairs = state->procs / 2;
    struct pen pen = {a->observer,
                      {.task = task, .attempt = run->attempt, .pairs = pairs, .pair = a->pair}};
    double at;

    draw_waiting(a, task, how != CS_MALLEABLE_CLOSE_INTERRUPTED);
    cs_malleable_pairs_list(a->pairs, task, pairs, a->pair);
    draw(&pen, CS_BAR_DOWNTIME, run->since, run->down_end);
    draw(&pen, CS_BAR_RECOVERY, run->down_end, run->recovered);
    draw(&pen, CS_BAR_MOVE, run->recovered, run->move_end);
    draw(&pen, CS_BAR_CHECKPOINT, run->move_end, cs_malleable_smaller(time, state->start));
    if (how == CS_MALLEABLE_CLOSE_INTERRUPTED)
        return;
    at = draw_periods(&pen, run, state->start, p->periods);
    if (how == CS_MALLEABLE_CLOSE_CHANGED)
        keep_waiting(a, &pen, at, p->work < p->rest ? at + p->work : time, time);
    else
        draw(&pen, how == CS_MALLEABLE_CLOSE_ENDED ? CS_BAR_WORK : CS_BAR_LOST, at, time);
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
    } else {
        p = how == CS_MALLEABLE_CLOSE_ENDED
                ? (struct cs_malleable_progress){run->pieces.pieces, run->pieces.last,
                                                 run->pieces.last}
                : cs_malleable_progress(run, state->start, time);
        add_work(area, run, &p, account->model->rate[task].checkpoint / state->procs, state->procs,
                 how);
    }
    if (account->observer && account->observer->bar)
        draw_stretch(account, task, state, run, time, &p, how);
    run->unsaved = how == CS_MALLEABLE_CLOSE_CHANGED ? state->procs * p.work : 0;
}
