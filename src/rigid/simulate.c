/* simulate.c - events in virtual time.
 *
 * Attempts of a batch end when they are expected to, so what the policy sees of them is the list of
 * events too.  Once nobody waits under a list policy, everything unfinished runs to its end without
 * a decision.
 */
#include "rigid/simulate.h"

#include "base/bug.h"
#include "rigid/desk.h"

#include <math.h>

struct cs_rigid_simulation {
    const struct cs_rigid_instance *in;
    const struct cs_rigid_policy *policy; /* of the desk */
    void *state;                          /* of the desk */
    int64_t *left;                        /* failures still to come, by rank */
    int unfinished;
    cs_rigid_watch_f *watch;
    void *who;
    struct cs_rigid_desk desk;
};

struct cs_rigid_simulation *cs_rigid_simulation_create(const struct cs_rigid_instance *in,
                                                       const struct cs_rigid_policy *policy,
                                                       const double *param, struct cs_arena *arena,
                                                       struct cs_error *err)
{
    struct cs_rigid_simulation *s = CS_NEW(arena, struct cs_rigid_simulation);

    s->in = in;
    s->left = CS_NEW_ARRAY(arena, int64_t, in->count);
    if (cs_rigid_desk_init(&s->desk, in, policy, param, arena, err))
        return NULL;
    s->policy = s->desk.policy;
    s->state = s->desk.state;
    return s;
}

static inline void start_attempt(struct cs_rigid_simulation *s, int rank)
{
    double end = cs_rigid_end(s->in, rank, s->desk.view.now);

    cs_rigid_running_add(&s->desk.running, end, s->in->procs[rank], rank);
    s->desk.view.free -= s->in->procs[rank];
    if (s->watch)
        s->watch(s->who, s->in->job[rank], s->desk.view.now, end);
}

static inline void decide(struct cs_rigid_simulation *s)
{
    int count = s->policy->decide(s->state, &s->desk.view, s->desk.start);

    s->desk.view.changed = false;
    for (int a = 0; a < count; a++)
        start_attempt(s, s->desk.start[a]);
    CS_REQUIRE(s->desk.view.free >= 0);
}

static inline void end_attempt(struct cs_rigid_simulation *s, const struct cs_rigid_attempt *a)
{
    int rank = a->ticket;

    s->desk.view.free += a->procs;
    if (s->left[rank] > 0) {
        s->left[rank]--;
        s->policy->failed(s->state, rank);
    } else {
        s->unfinished--;
        if (s->policy->succeeded)
            s->policy->succeeded(s->state, rank);
    }
}

/* All that end first.  Returns whether others of another block may. */
static inline bool end_attempts_of_block(struct cs_rigid_simulation *s)
{
    struct cs_rigid_running *running = &s->desk.running;
    const struct cs_rigid_attempt *a = cs_rigid_running_first(running);
    const struct cs_rigid_attempt *first = running->soon->attempt;

    s->desk.view.now = a->end;
    s->desk.view.changed = true;
    do
        end_attempt(s, a);
    while (--a >= first && a->end == s->desk.view.now);
    cs_rigid_running_keep(running, (int)(a + 1 - first));
    return a < first && running->few;
}

static inline void end_attempts(struct cs_rigid_simulation *s)
{
    while (end_attempts_of_block(s) &&
           cs_rigid_running_first(&s->desk.running)->end == s->desk.view.now)
        ;
}

/* Time goes on until the policy wants to be asked, if that is before an attempt ends. */
static bool wakes_first(struct cs_rigid_simulation *s)
{
    double wake = s->policy->wake(s->state);

    if (wake == INFINITY ||
        (s->desk.running.few && !(wake < cs_rigid_running_first(&s->desk.running)->end)))
        return false;
    s->desk.view.now = wake;
    return true;
}

/* Everything unfinished runs: add up what is left of each. */
static double run_out(struct cs_rigid_simulation *s)
{
    const struct cs_rigid_running *running = &s->desk.running;
    double last = s->desk.view.now;

    for (int b = 0; b < running->blocks; b++)
        for (int a = 0; a < cs_rigid_running_count_in(running, b); a++) {
            int rank = running->block[b]->attempt[a].ticket;
            double end = running->block[b]->attempt[a].end;

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
    s->unfinished = s->in->count;
    s->watch = watch;
    s->who = who;
    cs_rigid_desk_begin(&s->desk);
    while (s->unfinished > 0) {
        decide(s);
        if (s->policy->tail && cs_rigid_running_count(&s->desk.running) == s->unfinished)
            return run_out(s);
        if (s->policy->wake && wakes_first(s))
            continue;
        CS_REQUIRE(s->desk.running.few > 0);
        end_attempts(s);
    }
    return s->desk.view.now;
}
