/* trail.c - the slack of a choice, and what is spent of it. */
#include "volatile/trail.h"

#include <string.h>

#define ROUNDING 1.000001 /* of sums of what is spent */
#define HUGE_SCORE 1e300
#define NEAR 1e-6 /* as in chain.c */

/* A step: what it began with, and what won. */
struct mark {
    struct cs_volatile_partial before;
    double score, loss; /* loss: of the set that it began with */
};

/* Of the first step, in which no other host meets the one that receives, and of the others. */
enum { FIRST, LATER, STAGES };

struct cs_volatile_trail {
    const struct cs_volatile_gauge *gauge;
    bool stands;
    struct mark *mark; /* by step */
    double slack[STAGES], spent[STAGES];
    int first;                 /* the host that won the first step */
    int *tasks;                /* by host: of the choice */
    int *program, *got, *part; /* by host that has tasks: when it was looked at last */
    int *member, members;
    int64_t tau;
    double *rate, highest; /* by host: no higher is the rate at which it goes down */
    double hazard;         /* that of all with tasks and of one more */
    double least_time;     /* of any workload */
};

/* The supremum of -P_ND'(t) / P_ND(t); +inf where that is not known. */
static double rate_of(const struct cs_volatile_chain *chain)
{
    double slow = -chain->log1;

    if (chain->distance <= NEAR || chain->y2 >= 1)
        return INFINITY;
    return fmax(slow, chain->alpha * slow - chain->beta * chain->log2);
}

struct cs_volatile_trail *cs_volatile_trail_create(const struct cs_volatile_gauge *gauge,
                                                   struct cs_arena *arena)
{
    const struct cs_volatile_instance *in = gauge->estimator->in;
    struct cs_volatile_trail *trail = CS_NEW(arena, struct cs_volatile_trail);

    *trail = (struct cs_volatile_trail){
        .gauge = gauge,
        .mark = CS_NEW_ARRAY(arena, struct mark, in->app.tasks),
        .tasks = CS_NEW_ARRAY(arena, int, in->hosts),
        .program = CS_NEW_ARRAY(arena, int, in->hosts),
        .got = CS_NEW_ARRAY(arena, int, in->hosts),
        .part = CS_NEW_ARRAY(arena, int, in->hosts),
        .member = CS_NEW_ARRAY(arena, int, in->hosts),
        .rate = CS_NEW_ARRAY(arena, double, in->hosts),
        .least_time = INFINITY,
    };
    for (int q = 0; q < in->hosts; q++) {
        trail->rate[q] = rate_of(cs_volatile_sets_chain(gauge->estimator->sets, q));
        trail->highest = fmax(trail->highest, trail->rate[q]);
        trail->least_time = fmin(trail->least_time, in->host[q].slots);
    }
    return trail;
}

void cs_volatile_trail_forget(struct cs_volatile_trail *trail)
{
    trail->stands = false;
}

void cs_volatile_trail_begin(struct cs_volatile_trail *trail)
{
    trail->stands = false;
    for (int s = 0; s < STAGES; s++) {
        trail->slack[s] = INFINITY;
        trail->spent[s] = 0;
    }
}

static int stage_of(int task)
{
    return task == 0 ? FIRST : LATER;
}

void cs_volatile_trail_step(struct cs_volatile_trail *trail, int task,
                            const struct cs_volatile_partial *before, int host, double score,
                            double rival)
{
    double slack = cs_volatile_cut_below(score) - rival, *least = &trail->slack[stage_of(task)];

    trail->mark[task] = (struct mark){
        *before, score, cs_volatile_sets_get(trail->gauge->estimator->sets, before->set)->loss};
    if (task == 0)
        trail->first = host;
    if (!(slack > 0) || score < -HUGE_SCORE)
        *least = 0;
    else if (slack < *least)
        *least = slack;
}

static void look(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int host)
{
    trail->program[host] = view->program[host];
    trail->got[host] = view->got[host];
    trail->part[host] = view->part[host];
}

void cs_volatile_trail_end(struct cs_volatile_trail *trail, const struct cs_volatile_view *view,
                           const struct cs_volatile_plan *plan)
{
    for (int i = 0; i < trail->members; i++)
        trail->tasks[trail->member[i]] = 0;
    trail->members = plan->members;
    trail->hazard = trail->highest;
    for (int i = 0; i < plan->members; i++) {
        int q = plan->member[i];

        trail->member[i] = q;
        trail->tasks[q] = plan->tasks[q];
        trail->hazard += trail->rate[q];
        look(trail, view, q);
    }
    trail->tau = view->tau;
    trail->stands = trail->slack[FIRST] > 0 && trail->slack[LATER] > 0;
}

/* What a fall of Ecomm by so much may add to the score of another host. */
static double worth(const struct cs_volatile_trail *trail, double fall)
{
    double p = trail->hazard * fall;

    switch (trail->gauge->choice) {
    case CS_VOLATILE_TIME:
        return fall;
    case CS_VOLATILE_PROBABILITY:
        return p;
    case CS_VOLATILE_YIELD:
        return p + fall / (trail->least_time + (double)trail->tau);
    case CS_VOLATILE_APPARENT_YIELD:
        return p + fall / trail->least_time;
    default:
        return INFINITY;
    }
}

/* A host with tasks: so many slots that it has received, 0 when what it has lost does not count for
 * its tasks, -1 when it does. */
static int received(const struct cs_volatile_trail *trail, const struct cs_volatile_view *view,
                    int q)
{
    int program = trail->program[q] - view->program[q], got = view->got[q] - trail->got[q],
        part = view->part[q] - trail->part[q];

    if (program < 0 || got < 0)
        return -1;
    if (got == 0 && part < 0)
        return trail->tasks[q] <= view->got[q] ? program : -1;
    return program + got * view->in->app.data + part;
}

static bool follow(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int q)
{
    const struct cs_volatile_gauge *g = trail->gauge;
    int slots = received(trail, view, q), tasks = trail->tasks[q], more, before;
    double fall, price;

    if (view->state[q] != CS_VOLATILE_UP || slots < 0)
        return false;
    if (slots == 0)
        return true;
    more = tasks < view->in->capacity[q] ? tasks + 1 : tasks;
    before = trail->program[q];
    if (more > trail->got[q])
        before += (more - trail->got[q]) * view->in->app.data - trail->part[q];
    fall = cs_volatile_single(g->estimator, g->estimate, q, before) -
           cs_volatile_single(g->estimator, g->estimate, q, before > slots ? before - slots : 0);
    if (!(fall < INFINITY))
        return false;
    price = worth(trail, fmax(fall, slots / g->estimator->transfers));
    trail->spent[LATER] += price;
    if (q != trail->first)
        trail->spent[FIRST] += price;
    look(trail, view, q);
    return true;
}

/* Another host: it is worse in every step. */
static bool outdo(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int q)
{
    struct cs_volatile_gauge g = *trail->gauge;
    struct cs_volatile_candidate k;

    if (view->state[q] != CS_VOLATILE_UP || view->in->capacity[q] == 0)
        return true;
    g.tau = trail->tau;
    k = cs_volatile_candidate_of(&g, view, q);
    for (int task = 0; task < view->in->app.tasks; task++) {
        const struct mark *m = &trail->mark[task];
        double cut = cs_volatile_cut_below(m->score), *slack = &trail->slack[stage_of(task)], left;
        struct cs_volatile_partial after;

        cs_volatile_extend(&g, &m->before, &k, &after);
        left = cut - cs_volatile_bound_of(&g, &m->before, m->loss, &k, &after, cut - *slack);
        if (!(left > 0))
            return false;
        *slack = left < *slack ? left : *slack;
    }
    return true;
}

/* What is left when the time since the iteration began has taken its part. */
static bool enough(const struct cs_volatile_trail *trail, const struct cs_volatile_view *view)
{
    double late = 0;

    if (trail->gauge->choice == CS_VOLATILE_YIELD)
        late = log1p((double)(view->tau - trail->tau) / (trail->least_time + (double)trail->tau));
    for (int s = 0; s < STAGES; s++)
        if (!((trail->spent[s] + late) * ROUNDING < trail->slack[s]))
            return false;
    return true;
}

bool cs_volatile_trail_stands(struct cs_volatile_trail *trail, const struct cs_volatile_view *view)
{
    bool stands = trail->stands;

    for (int i = 0; i < view->touches && stands; i++) {
        int q = view->touched[i];

        stands = trail->tasks[q] > 0 ? follow(trail, view, q) : outdo(trail, view, q);
    }
    trail->stands = stands && view->tau >= trail->tau && enough(trail, view);
    return trail->stands;
}
