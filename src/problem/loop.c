/* loop.c - the loop of runs, over base/workers.h. */
#include "problem/loop.h"

#include "base/workers.h"

#include <stdint.h>

struct loop_worker {
    const struct cs_loop *loop;
    long part; /* 1 + variant * sets + set that it has entered; 0: none */
    max_align_t own[];
};

static void *loop_own(struct loop_worker *w)
{
    return w->loop->worker ? (void *)w->own : (void *)(uintptr_t)w->loop->job;
}

static int loop_begin(void *worker, const void *job, struct cs_error *err)
{
    struct loop_worker *w = worker;

    w->loop = job;
    return w->loop->begin ? w->loop->begin(loop_own(w), w->loop->job, err) : 0;
}

static int loop_sets(const struct cs_loop *loop)
{
    return loop->sets > 0 ? loop->sets : 1;
}

static int loop_enter(struct loop_worker *w, long part, struct cs_error *err)
{
    const int sets = loop_sets(w->loop);

    if (!w->loop->enter || w->part == part + 1)
        return 0;
    w->part = 0;
    if (w->loop->enter(loop_own(w), (int)(part / sets), (int)(part % sets), err))
        return -1;
    w->part = part + 1;
    return 0;
}

static int loop_run(void *worker, long run, struct cs_error *err)
{
    struct loop_worker *w = worker;
    const long part = run / w->loop->scenarios;
    const int sets = loop_sets(w->loop);
    const struct cs_loop_at at = {(int)(part / sets), (int)(part % sets), run % w->loop->scenarios};
    char *outcome = w->loop->outcome;

    if (loop_enter(w, part, err))
        return -1;
    return w->loop->run(loop_own(w), &at, outcome ? outcome + (size_t)run * w->loop->size : NULL,
                        err);
}

static void loop_end(void *worker)
{
    struct loop_worker *w = worker;

    if (w->loop->end)
        w->loop->end(loop_own(w));
}

static void loop_show(void *who, long done)
{
    const struct cs_loop *loop = who;

    loop->progress->show(loop->progress->who, (double)done * (loop->weight > 0 ? loop->weight : 1));
}

int cs_loop_run(const struct cs_loop *loop, struct cs_error *err)
{
    const struct cs_workers share = {
        .runs = (loop->variants > 0 ? loop->variants : 1) * loop_sets(loop) * loop->scenarios,
        .threads = loop->threads,
        .chunk = loop->chunk,
        .size = sizeof(struct loop_worker) + (loop->worker + sizeof(max_align_t) - 1) /
                                                 sizeof(max_align_t) * sizeof(max_align_t),
        .job = loop,
        .begin = loop_begin,
        .run = loop_run,
        .end = loop_end,
        .progress = loop->progress ? loop_show : NULL,
        .who = (void *)(uintptr_t)loop,
    };

    return cs_workers_run(&share, err);
}
