/* malleable_areas.c - the split of processor time of malleable tasks, recomputed from the bars, and
 * the bound.
 *
 * Source: spec/malleable.md 10.
 */
#include "check/bound.h"
#include "check/malleable_parts.h"

#include <math.h>

static void malleable_area_add(struct cs_malleable_declared_areas *areas,
                               const struct cs_check_segment *s, size_t place,
                               const struct cs_bar *bar)
{
    double area = (double)s->procs * (bar->end - bar->start);

    if (bar->kind == CS_BAR_WORK)
        areas->work += area;
    else if (bar->kind == CS_BAR_LOST)
        areas->lost += area;
    else if (bar->kind == CS_BAR_DOWNTIME || bar->kind == CS_BAR_RECOVERY)
        areas->down += area;
    else if (bar->kind == CS_BAR_MOVE || place < s->body_first)
        areas->move += area;
    else
        areas->checkpoint += area;
}

static double malleable_area_sum(const struct cs_malleable_declared_areas *a)
{
    return a->work + a->checkpoint + a->lost + a->down + a->move + a->idle;
}

/* A whole that is no number allows nothing. */
static bool malleable_area_apart(double declared, double want, double whole)
{
    return !(isfinite(whole) && fabs(declared - want) <= 1e-9 * whole);
}

static void compare(const struct cs_check_malleable *c, const char *what, double declared,
                    double want, double whole)
{
    if (malleable_area_apart(declared, want, whole))
        cs_check_add(
            c->report, CS_VIOLATION_DECLARED_AREA, -1, NAN,
            "the declared area \"%s\" is %.15g processor-seconds: the bars add up to %.15g", what,
            declared, want);
}

static void check_areas(const struct cs_check_malleable *c)
{
    const struct cs_malleable_declared_areas *d = &c->declared->areas;
    struct cs_malleable_declared_areas want = {0};
    double whole = cs_schedule_procs(c->schedule) * c->makespan;

    for (size_t i = 0; i < c->segments; i++)
        for (size_t b = 0; b < c->segment[i].count; b++)
            malleable_area_add(&want, &c->segment[i], b, c->bar[c->segment[i].first + b]);
    want.idle = whole - malleable_area_sum(&want);
    compare(c, "work", d->work, want.work, whole);
    compare(c, "checkpoint", d->checkpoint, want.checkpoint, whole);
    compare(c, "lost", d->lost, want.lost, whole);
    compare(c, "down", d->down, want.down, whole);
    compare(c, "move", d->move, want.move, whole);
    compare(c, "idle", d->idle, want.idle, whole);
    if (malleable_area_apart(malleable_area_sum(d), whole, whole))
        cs_check_add(c->report, CS_VIOLATION_DECLARED_AREA, -1, NAN,
                     "the six declared areas add up to %.15g processor-seconds: processors times "
                     "makespan is %.15g",
                     malleable_area_sum(d), whole);
}

void cs_check_malleable_areas(const struct cs_check_malleable *c)
{
    if (c->declared->has_areas)
        check_areas(c);
    cs_check_bound(c->declared->lower_bound,
                   cs_check_bound_malleable(c->workload, cs_schedule_procs(c->schedule)),
                   c->makespan, c->report);
}
