/* pack_approx_two - the last two states of PACK-APPROX, without walking through the others.
 *
 * "Everything longer than T has been given processors" is a state for every T: the threshold
 * state, where task i has need(i, T) processors.  The total work rises and the longest time falls
 * from state to state, so bisection over T finds the last threshold state that goes on; from there
 * the greedy walks through what ties at that time.  The factor 3 of Theorem 5 holds for the cheaper
 * of the last two states: the state of Lemma 6 is the last one, or the last but one is as good.
 */
#include "pack/pack_approx.h"

#include "base/order.h"

#include <math.h>
#include <string.h>

struct search {
    const struct cs_pack_instance *in;
    int *procs;
    double work, longest; /* of the state in procs */
};

/* The processors of task i once everything longer than T has got more; never fewer than the
 * minimum, and at most p. */
static int procs_at(const struct cs_pack_instance *in, int i, double threshold)
{
    int need = cs_moldable_need(in->tasks, i, threshold), least = in->tasks->min_procs[i];

    return need > in->tasks->procs ? in->tasks->procs : need > least ? need : least;
}

static void go_to_threshold(struct search *s, double threshold)
{
    s->work = s->longest = 0;
    for (int i = 0; i < s->in->tasks->count; i++) {
        double time;

        s->procs[i] = procs_at(s->in, i, threshold);
        time = cs_pack_time(s->in, i, s->procs[i]);
        s->work += time * s->procs[i];
        s->longest = fmax(s->longest, time);
    }
}

static bool area_exit(const struct search *s)
{
    return s->work / s->in->tasks->procs > s->longest;
}

/* No state is beyond the one where a task has all p processors and is still the longest. */
static double least_threshold(const struct cs_pack_instance *in)
{
    double least = 0;

    for (int i = 0; i < in->tasks->count; i++)
        least = fmax(least, cs_pack_time(in, i, in->tasks->procs));
    return least;
}

/* The smallest T whose threshold state goes on; procs is left there.  Between high, which goes on,
 * and low, which does not, the bisection ends when no double is left. */
static void last_state_that_goes_on(struct search *s)
{
    double low = least_threshold(s->in), high;

    go_to_threshold(s, low);
    if (!area_exit(s))
        return;
    go_to_threshold(s, INFINITY);
    high = s->longest;
    if (area_exit(s))
        return;
    for (;;) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        go_to_threshold(s, middle);
        if (area_exit(s))
            low = middle;
        else
            high = s->longest;
    }
    go_to_threshold(s, high);
}

/* The tasks that tie for the longest time, by index: the next ones to get a processor. */
static int *tied_tasks(const struct search *s, int *count, struct cs_arena *scratch)
{
    int n = s->in->tasks->count;
    int *tied = CS_NEW_ARRAY(scratch, int, n);

    *count = 0;
    for (int i = 0; i < n; i++)
        if (cs_pack_time(s->in, i, s->procs[i]) == s->longest)
            tied[(*count)++] = i;
    return tied;
}

/* One more processor for task i. */
static void give(struct search *s, int i)
{
    s->work -= cs_pack_time(s->in, i, s->procs[i]) * s->procs[i];
    s->procs[i]++;
    s->work += cs_pack_time(s->in, i, s->procs[i]) * s->procs[i];
}

static double longest_time(const struct search *s)
{
    double longest = 0;

    for (int i = 0; i < s->in->tasks->count; i++)
        longest = fmax(longest, cs_pack_time(s->in, i, s->procs[i]));
    return longest;
}

/* Walk on to the state that exits.  Returns the task that got the last processor, -1 when the
 * first state exits at once. */
static int walk_to_exit(struct search *s, const char **exit, struct cs_arena *scratch)
{
    int count, last = -1, p = s->in->tasks->procs;
    const int *tied = tied_tasks(s, &count, scratch);

    *exit = "area";
    for (int a = 0; !area_exit(s); a++) {
        if (a == count) {
            s->longest = longest_time(s);
            if (area_exit(s))
                break;
            tied = tied_tasks(s, &count, scratch);
            a = 0;
        }
        if (s->procs[tied[a]] == p) {
            *exit = "p reached";
            break;
        }
        last = tied[a];
        give(s, last);
        if (cs_pack_time(s->in, last, s->procs[last]) == s->longest)
            a--;
    }
    return last;
}

static void try_state(const struct search *s, enum cs_pack_approx_mode mode,
                      struct cs_pack_plan *now, struct cs_pack_plan *plan, struct cs_arena *scratch)
{
    cs_pack_make(s->in, s->procs, NULL, now, scratch);
    if (mode == CS_PACK_APPROX_EVERY)
        cs_pack_plan_share(s->in, now, scratch);
    if (plan->packs == 0 || now->total < plan->total)
        cs_pack_plan_copy(plan, now);
}

void cs_pack_approx_two(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        enum cs_pack_approx_mode mode, struct cs_pack_plan *plan)
{
    struct cs_pack_plan *now = cs_pack_plan_create(in->tasks->count);
    struct search search = {.in = in,
                            .procs = CS_NEW_ARRAY(context->scratch, int, in->tasks->count)};
    const char *exit;
    int last;

    last_state_that_goes_on(&search);
    last = walk_to_exit(&search, &exit, context->scratch);
    if (last >= 0) {
        search.procs[last]--;
        try_state(&search, mode, now, plan, context->scratch);
        search.procs[last]++;
    }
    try_state(&search, mode, now, plan, context->scratch);
    cs_pack_plan_destroy(now);
    cs_pack_plan_note(plan, "iterations", NULL, last >= 0 ? 2 : 1);
    cs_pack_plan_note(plan, "exit", exit, 0);
}
