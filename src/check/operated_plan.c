/* operated_plan.c - arrays of steps, looked at from one end to the other. */
#include "check/operated_plan.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef const struct cs_check_operated_job *job_at;

void cs_check_plan_init(struct cs_check_plan *plan, const struct cs_site *site, double from,
                        struct cs_arena *arena)
{
    *plan = (struct cs_check_plan){site, arena,
                                   CS_NEW_ARRAY(arena, struct cs_check_steps, site->pools)};
    for (int p = 0; p < site->pools; p++) {
        struct cs_check_steps *steps = &plan->pool[p];

        steps->count = 1;
        steps->room = 16;
        steps->time = CS_NEW_ARRAY(arena, double, steps->room);
        steps->free = cs_arena_alloc(arena, (size_t)steps->room, sizeof *steps->free);
        steps->time[0] = from;
        memcpy(steps->free[0], site->pool[p].capacity, sizeof steps->free[0]);
    }
}

/* The step in which that time lies. */
static int step_at(const struct cs_check_steps *steps, double time)
{
    int low = 0, high = steps->count;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (steps->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Make that time the beginning of a step; which one it is. */
static int split(struct cs_check_plan *plan, struct cs_check_steps *steps, double time)
{
    const int at = step_at(steps, time);
    const size_t behind = (size_t)(steps->count - at);

    if (steps->time[at] >= time)
        return at;
    if (steps->count == steps->room) {
        const size_t old = (size_t)steps->room;

        steps->room *= 2;
        steps->time =
            cs_arena_grow(plan->arena, steps->time, old, (size_t)steps->room, sizeof *steps->time);
        steps->free =
            cs_arena_grow(plan->arena, steps->free, old, (size_t)steps->room, sizeof *steps->free);
    }
    memmove(&steps->time[at + 1], &steps->time[at], behind * sizeof *steps->time);
    memmove(&steps->free[at + 1], &steps->free[at], behind * sizeof *steps->free);
    steps->time[at + 1] = time;
    steps->count++;
    return at + 1;
}

static void add(struct cs_check_plan *plan, int pool, double start, double end,
                const int64_t amount[CS_LOG_RESOURCES], int64_t times)
{
    struct cs_check_steps *steps = &plan->pool[pool];
    const int first = split(plan, steps, start);
    const int behind = isinf(end) ? steps->count : split(plan, steps, end);

    for (int i = first; i < behind; i++)
        for (int r = 0; r < CS_LOG_RESOURCES; r++)
            steps->free[i][r] += times * amount[r];
}

void cs_check_plan_forget(struct cs_check_plan *plan, double before)
{
    for (int p = 0; p < plan->site->pools; p++) {
        struct cs_check_steps *steps = &plan->pool[p];
        int kept = 0;

        for (int i = step_at(steps, before); i < steps->count; i++) {
            if (kept && !memcmp(steps->free[kept - 1], steps->free[i], sizeof steps->free[i]))
                continue;
            steps->time[kept] = steps->time[i];
            memmove(steps->free[kept++], steps->free[i], sizeof steps->free[i]);
        }
        steps->count = kept;
    }
}

void cs_check_plan_away(struct cs_check_plan *plan, const struct cs_site_outage *outage,
                        double start)
{
    const struct cs_site *site = plan->site;
    const struct cs_site_group *group = &site->group[outage->group];
    const int64_t one[CS_LOG_RESOURCES] = {1, 0, 0};
    const int64_t node[CS_LOG_RESOURCES] = {group->cores, group->memory, group->gpus};

    for (int p = 0; p < site->pools; p++)
        if (site->pool[p].group == outage->group && start < outage->end)
            add(plan, p, start, outage->end, site->kind == CS_SITE_POOLED ? node : one,
                -outage->count);
}

/* ---- where a job fits ---- */

/* Units that a step has for it. */
static int64_t has(const struct cs_check_steps *steps, int step, job_at job)
{
    int64_t least = INT64_MAX;

    for (int r = 0; r < CS_LOG_RESOURCES; r++)
        if (job->demand[r] > 0) {
            const int64_t units =
                steps->free[step][r] > 0 ? steps->free[step][r] / job->demand[r] : 0;

            least = units < least ? units : least;
        }
    return least;
}

static int64_t offer(const struct cs_check_plan *plan, int pool, job_at job, double start,
                     double end)
{
    const struct cs_check_steps *steps = &plan->pool[pool];
    int64_t least = plan->site->pool[pool].most;

    for (int i = step_at(steps, start); i < steps->count && steps->time[i] < end && least; i++) {
        const int64_t units = has(steps, i, job);

        least = units < least ? units : least;
    }
    return least;
}

bool cs_check_plan_fits(const struct cs_check_plan *plan, job_at job, double start,
                        struct cs_check_hold *hold)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    int64_t wanted = job->units;

    hold->start = start;
    hold->end = start + job->estimate;
    for (int p = 0; p < partition->pools; p++) {
        const int64_t most = wanted ? offer(plan, partition->pool[p], job, start, hold->end) : 0;

        hold->units[p] = (int)(most < wanted ? most : wanted);
        wanted -= hold->units[p];
    }
    hold->units[0] += (int)wanted;
    return wanted == 0;
}

/* The first step that begins after this time; INFINITY: none. */
static double next_step(const struct cs_check_plan *plan, job_at job, double after)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    double next = INFINITY;

    for (int p = 0; p < partition->pools; p++) {
        const struct cs_check_steps *steps = &plan->pool[partition->pool[p]];
        int i = step_at(steps, after);

        while (i < steps->count && steps->time[i] <= after)
            i++;
        if (i < steps->count)
            next = fmin(next, steps->time[i]);
    }
    return next;
}

/* With one pool: when the last step of a window that has too little is over. */
static double behind_narrow(const struct cs_check_plan *plan, job_at job, double start)
{
    const struct cs_check_steps *steps = &plan->pool[plan->site->partition[job->partition].pool[0]];
    const double end = start + job->estimate;
    double behind = INFINITY;
    int i = step_at(steps, start);

    for (; i < steps->count && steps->time[i] < end; i++)
        if (has(steps, i, job) < job->units)
            behind = i + 1 < steps->count ? steps->time[i + 1] : INFINITY;
    return behind;
}

double cs_check_plan_earliest(const struct cs_check_plan *plan, job_at job, double from,
                              struct cs_check_hold *hold)
{
    const bool one = plan->site->partition[job->partition].pools == 1;
    double start = from;

    while (isfinite(start) && !cs_check_plan_fits(plan, job, start, hold))
        start = one ? behind_narrow(plan, job, start) : next_step(plan, job, start);
    if (!isfinite(start))
        hold->start = hold->end = INFINITY;
    return start;
}

void cs_check_plan_change(struct cs_check_plan *plan, job_at job, const struct cs_check_hold *hold,
                          double from, int sign)
{
    const struct cs_site_partition *partition = &plan->site->partition[job->partition];
    const double start = fmax(from, hold->start);

    for (int p = 0; start < hold->end && p < partition->pools; p++)
        if (hold->units[p])
            add(plan, partition->pool[p], start, hold->end, job->demand, sign * hold->units[p]);
}
