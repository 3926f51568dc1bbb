/* simulate.c - events in virtual time.
 *
 * Few attempts run at once, so they are a sorted array: the one that ends first is at the back.
 * Once nobody waits under a list policy, everything unfinished runs to its end without a decision.
 */
#include "rigid/simulate.h"

#include "base/bug.h"
#include "rigid/learn.h"

#include <string.h>

struct cs_rigid_simulation {
    const struct cs_rigid_instance *in;
    const struct cs_rigid_policy *policy;
    void *state;
    int64_t *left; /* failures still to come, by rank */
    struct cs_rigid_attempt *attempt;
    int *start;
    int running, free, unfinished;
    double now;
    cs_rigid_watch_f *watch;
    void *who;
};

struct cs_rigid_simulation *cs_rigid_simulation_create(const struct cs_rigid_instance *in,
                                                       const struct cs_rigid_policy *policy,
                                                       const double *param, struct cs_arena *arena,
                                                       struct cs_error *err)
{
    struct cs_rigid_simulation *s = CS_NEW(arena, struct cs_rigid_simulation);

    s->in = in;
    s->policy = policy;
    s->left = CS_NEW_ARRAY(arena, int64_t, in->count);
    s->attempt = CS_NEW_ARRAY(arena, struct cs_rigid_attempt, in->count);
    s->start = CS_NEW_ARRAY(arena, int, in->count);
    s->state = in->learns ? cs_rigid_learn_create(&s->policy, in, param, arena, err)
                          : policy->create(in, param, arena, err);
    return s->state ? s : NULL;
}

/* Make room for an attempt that ends at `end`, behind all that end later.  Few run: they are moved
 * one by one. */
static struct cs_rigid_attempt *insert_few(struct cs_rigid_simulation *s, double end)
{
    struct cs_rigid_attempt *at = s->attempt + s->running;

    for (; at > s->attempt && at[-1].end < end; at--)
        *at = at[-1];
    return at;
}

static struct cs_rigid_attempt *insert_many(struct cs_rigid_simulation *s, double end)
{
    int low = 0, high = s->running;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (s->attempt[middle].end < end)
            high = middle;
        else
            low = middle + 1;
    }
    memmove(s->attempt + low + 1, s->attempt + low,
            (size_t)(s->running - low) * sizeof *s->attempt);
    return s->attempt + low;
}

static void start_attempt(struct cs_rigid_simulation *s, int rank)
{
    double end = cs_rigid_end(s->in, rank, s->now);
    struct cs_rigid_attempt *at = (s->running < 32 ? insert_few : insert_many)(s, end);

    *at = (struct cs_rigid_attempt){end, s->in->procs[rank], rank};
    s->running++;
    s->free -= s->in->procs[rank];
    if (s->watch)
        s->watch(s->who, s->in->job[rank], s->now, end);
}

static void end_attempts(struct cs_rigid_simulation *s)
{
    s->now = s->attempt[s->running - 1].end;
    while (s->running > 0 && s->attempt[s->running - 1].end == s->now) {
        const struct cs_rigid_attempt *a = &s->attempt[--s->running];

        s->free += a->procs;
        if (s->left[a->rank] > 0) {
            s->left[a->rank]--;
            s->policy->failed(s->state, a->rank);
        } else {
            s->unfinished--;
            if (s->policy->succeeded)
                s->policy->succeeded(s->state, a->rank);
        }
    }
}

static void decide(struct cs_rigid_simulation *s)
{
    const struct cs_rigid_view view = {s->now, s->free, s->running, s->attempt};
    int count = s->policy->decide(s->state, &view, s->start);

    for (int a = 0; a < count; a++)
        start_attempt(s, s->start[a]);
    CS_REQUIRE(s->free >= 0);
}

/* Everything unfinished runs: add up what is left of each. */
static double run_out(struct cs_rigid_simulation *s)
{
    double last = s->now;

    for (int a = 0; a < s->running; a++) {
        int rank = s->attempt[a].rank;
        double end = s->attempt[a].end;

        for (int64_t f = s->left[rank]; f > 0; f--) {
            double start = end;

            end = cs_rigid_end(s->in, rank, start);
            if (s->watch)
                s->watch(s->who, s->in->job[rank], start, end);
        }
        last = end > last ? end : last;
    }
    return last;
}

double cs_rigid_simulation_run(struct cs_rigid_simulation *s, const int64_t *failures,
                               cs_rigid_watch_f *watch, void *who)
{
    for (int k = 0; k < s->in->count; k++)
        s->left[k] = failures[s->in->job[k]];
    s->now = 0;
    s->running = 0;
    s->free = s->in->machine;
    s->unfinished = s->in->count;
    s->watch = watch;
    s->who = who;
    s->policy->begin(s->state);
    while (s->unfinished > 0) {
        decide(s);
        if (s->policy->tail && s->running == s->unfinished)
            return run_out(s);
        CS_REQUIRE(s->running > 0);
        end_attempts(s);
    }
    return s->now;
}
