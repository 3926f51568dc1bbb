/* simulate.c - events in virtual time.
 *
 * Few attempts run at once, so they are a sorted array: the one that ends first is at the back.
 * Once nobody waits under a list policy, everything unfinished runs to its end without a decision.
 */
#include "rigid/simulate.h"

#include "base/bug.h"
#include "rigid/learn.h"

#include <string.h>

#define FEW 32

struct cs_rigid_simulation {
    const struct cs_rigid_instance *in;
    const struct cs_rigid_policy *policy;
    void *state;
    int64_t *left; /* failures still to come, by rank */
    struct cs_rigid_view view;
    struct cs_rigid_attempt *attempt; /* of view */
    int *start;
    int unfinished;
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

/* The place of an attempt that ends at `end`, behind all that end later: those that end earlier
 * move up.  A few are moved one by one, which is faster than to search. */
static inline struct cs_rigid_attempt *make_room(struct cs_rigid_simulation *s, double end)
{
    struct cs_rigid_attempt *at = s->attempt + s->view.running;
    const struct cs_rigid_attempt *few = s->view.running < FEW ? s->attempt : at - FEW;
    int low = 0, high;

    for (; at > few && at[-1].end < end; at--)
        *at = at[-1];
    if (at == s->attempt || !(at[-1].end < end))
        return at;
    for (high = (int)(at - s->attempt); low < high;) {
        int middle = low + (high - low) / 2;

        if (s->attempt[middle].end < end)
            high = middle;
        else
            low = middle + 1;
    }
    memmove(s->attempt + low + 1, s->attempt + low, (size_t)(at - (s->attempt + low)) * sizeof *at);
    return s->attempt + low;
}

static inline void start_attempt(struct cs_rigid_simulation *s, int rank)
{
    double end = cs_rigid_end(s->in, rank, s->view.now);

    *make_room(s, end) = (struct cs_rigid_attempt){end, s->in->procs[rank], rank};
    s->view.running++;
    s->view.free -= s->in->procs[rank];
    if (s->watch)
        s->watch(s->who, s->in->job[rank], s->view.now, end);
}

static inline void end_attempts(struct cs_rigid_simulation *s)
{
    const struct cs_rigid_attempt *a = &s->attempt[s->view.running - 1];

    s->view.now = a->end;
    do {
        s->view.running--;
        s->view.free += a->procs;
        if (s->left[a->rank] > 0) {
            s->left[a->rank]--;
            s->policy->failed(s->state, a->rank);
        } else {
            s->unfinished--;
            if (s->policy->succeeded)
                s->policy->succeeded(s->state, a->rank);
        }
    } while (--a >= s->attempt && a->end == s->view.now);
}

static inline void decide(struct cs_rigid_simulation *s)
{
    int count = s->policy->decide(s->state, &s->view, s->start);

    for (int a = 0; a < count; a++)
        start_attempt(s, s->start[a]);
    CS_REQUIRE(s->view.free >= 0);
}

/* Everything unfinished runs: add up what is left of each. */
static double run_out(struct cs_rigid_simulation *s)
{
    double last = s->view.now;

    for (int a = 0; a < s->view.running; a++) {
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
    s->view = (struct cs_rigid_view){.free = s->in->machine, .attempt = s->attempt};
    s->unfinished = s->in->count;
    s->watch = watch;
    s->who = who;
    s->policy->begin(s->state);
    while (s->unfinished > 0) {
        decide(s);
        if (s->policy->tail && s->view.running == s->unfinished)
            return run_out(s);
        CS_REQUIRE(s->view.running > 0);
        end_attempts(s);
    }
    return s->view.now;
}
