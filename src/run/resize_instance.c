/* resize_instance.c - the workload of a run as an instance of the model.
 *
 * If single slots are allocated, one counts as two processors of the model, each half as fast and
 * half as likely to fail: times of k slots are those of 2k processors, costs and the time between
 * failures are doubled, and the formulas stay the same.
 */
#include "run/resize.h"

#include "model/workload.h"

#include <limits.h>
#include <math.h>

/* Missing values are measured at run time. */
#define CHECKPOINT 1.0 /* processor seconds */
#define DATA 0.0

struct halves {
    struct cs_arena *arena;
    int slots;
};

/* Measured, as points of twice as many processors. */
static struct cs_profile double_points(const struct halves *h, const struct cs_profile *p)
{
    const bool points = p->kind == CS_PROFILE_POINTS;
    const int most = points ? p->count : h->slots;
    int *procs = CS_NEW_ARRAY(h->arena, int, most), count = 0;
    double *seconds = CS_NEW_ARRAY(h->arena, double, most);

    for (int k = 0; k < most; k++) {
        const int from = points ? p->procs[k] : k + 1;

        if (!isfinite(cs_profile_time(p, from)) || from > INT_MAX / 2)
            continue;
        procs[count] = 2 * from;
        seconds[count++] = cs_profile_time(p, from);
    }
    return (struct cs_profile){.kind = CS_PROFILE_POINTS,
                               .fill = p->fill,
                               .fewer = p->fewer,
                               .count = count,
                               .procs = procs,
                               .seconds = seconds};
}

static struct cs_profile double_profile(const struct halves *h, const struct cs_profile *p)
{
    const double fixed = p->seq_fraction * p->seq_time, shared = p->seq_time - fixed;
    struct cs_profile twice = *p;

    if (p->kind != CS_PROFILE_AMDAHL && p->kind != CS_PROFILE_COMMUNICATION)
        return double_points(h, p);
    twice.seq_time = fixed + 2 * shared;
    twice.seq_fraction = fixed / twice.seq_time;
    twice.overhead = 2 * p->overhead;
    return twice;
}

static double *resize_instance_fill(struct cs_arena *arena, int count, const double *supplied,
                                    double fallback, double times)
{
    double *filled = CS_NEW_ARRAY(arena, double, count);

    for (int i = 0; i < count; i++)
        filled[i] = times * (supplied && !isnan(supplied[i]) ? supplied[i] : fallback);
    return filled;
}

struct cs_malleable_instance *cs_run_resize_instance(const struct cs_run_setup *setup, int slots,
                                                     struct cs_error *err)
{
    const struct cs_workload *w = setup->workload;
    const int times = setup->pairs ? 1 : 2;
    struct halves h = {.arena = cs_arena_create(), .slots = slots};
    struct cs_profile *profile = CS_NEW_ARRAY(h.arena, struct cs_profile, w->count);
    const struct cs_malleable_platform platform = {.procs = times * slots,
                                                   .mtbf = times * setup->mtbf};
    struct cs_workload *copy;
    struct cs_malleable_instance *in = NULL;

    for (int t = 0; t < w->count; t++)
        profile[t] = setup->pairs ? w->profile[t] : double_profile(&h, &w->profile[t]);
    copy = cs_workload_create(w->count, w->name, profile, NULL);
    if (w->count > (setup->pairs ? slots / 2 : slots))
        cs_error_set(err, "%s: %d applications need at least %d slots%s, and there are %d",
                     w->source, w->count, setup->pairs ? 2 * w->count : w->count,
                     setup->pairs ? ", a pair each (\"pairs\": false gives single ones)" : "",
                     slots);
    else if (w->limit)
        cs_error_set(err,
                     "%s: the applications have limits (least and largest counts, a walltime "
                     "or a release date), which are not kept when they are resized: take them "
                     "out",
                     w->source);
    else {
        cs_workload_set_state(
            copy, resize_instance_fill(h.arena, w->count, w->checkpoint, CHECKPOINT, times),
            resize_instance_fill(h.arena, w->count, w->data, DATA, times));
        in = cs_malleable_instance_from_workload(copy, NAN, NAN, &platform, err);
        if (!in)
            cs_error_prefix(err, "%s", w->source);
    }
    cs_workload_destroy(copy);
    cs_arena_destroy(h.arena);
    return in;
}
