/* trail.c - the slack of a choice, and what is spent of it. */
#include "volatile/trail.h"

#include <string.h>

#define ROUNDING 1.000001 /* of sums of what is spent */
#define HUGE_SCORE 1e300
#define NEAR 1e-6    /* as in chain.c */
#define FAINT -690.0 /* log of a probability: what is below may have vanished */

/* A step: what it began with, and what won. */
struct mark {
    struct cs_volatile_partial before;
    double score, loss;  /* loss: of the set that it began with */
    double slack, spent; /* slack 0: nothing is certain */
    int host;
    bool doubt; /* of the doubted, whose bounds are too high here, and of them alone */
};

struct cs_volatile_trail {
    const struct cs_volatile_gauge *gauge;
    bool known;                /* are there steps? */
    bool walked;               /* does the choice that is under way take the same steps so far? */
    struct mark *mark;         /* by step */
    int *tasks;                /* by host: of the choice */
    int *program, *got, *part; /* by host that has tasks: when it was looked at last */
    int *member, members;
    int64_t tau;
    int *doubted, doubts;  /* hosts */
    double late;           /* spent since then by the time, in every step */
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
        .doubted = CS_NEW_ARRAY(arena, int, in->hosts),
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
    trail->known = false;
    trail->doubts = 0;
}

/* The lead over a score of at most `rival`.  A probability that has vanished may come back. */
static double lead_over(const struct cs_volatile_trail *trail, double score, double rival)
{
    if (trail->gauge->choice != CS_VOLATILE_TIME && rival < FAINT)
        rival = FAINT;
    return cs_volatile_cut_below(score) - rival;
}

static double left(const struct cs_volatile_trail *trail, const struct mark *m)
{
    return m->slack - (m->spent + trail->late) * ROUNDING;
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

/* No step from its first task on is certain. */
static void stumble(struct cs_volatile_trail *trail, int tasks, int host)
{
    int task = 0;

    while (trail->mark[task].host != host)
        task++;
    for (; task < tasks; task++)
        trail->mark[task].slack = 0;
}

/* Another host may be better by so much, but where this one gets its first task. */
static void spend(struct cs_volatile_trail *trail, int tasks, int host, double price)
{
    bool met = false;

    for (int task = 0; task < tasks; task++) {
        struct mark *m = &trail->mark[task];

        m->spent += met || m->host != host ? price : 0;
        met |= m->host == host;
    }
}

static void look_at(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int host)
{
    trail->program[host] = view->program[host];
    trail->got[host] = view->got[host];
    trail->part[host] = view->part[host];
}

/* A host with tasks. */
static void follow(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int q)
{
    const struct cs_volatile_gauge *g = trail->gauge;
    int slots = received(trail, view, q), tasks = trail->tasks[q], more, before;
    double fall;

    if (view->state[q] != CS_VOLATILE_UP || slots < 0) {
        stumble(trail, view->in->app.tasks, q);
        return;
    }
    if (slots == 0)
        return;
    more = tasks < view->in->capacity[q] ? tasks + 1 : tasks;
    before = trail->program[q];
    if (more > trail->got[q])
        before += (more - trail->got[q]) * view->in->app.data - trail->part[q];
    fall = cs_volatile_single(g->estimator, g->estimate, q, before) -
           cs_volatile_single(g->estimator, g->estimate, q, before > slots ? before - slots : 0);
    if (fall < INFINITY)
        spend(trail, view->in->app.tasks, q,
              worth(trail, fmax(fall, slots / g->estimator->transfers)));
    else
        stumble(trail, view->in->app.tasks, trail->mark[0].host);
    look_at(trail, view, q);
}

/* Another host: is it worse in every step? */
static void outdo(struct cs_volatile_trail *trail, const struct cs_volatile_view *view, int q)
{
    struct cs_volatile_gauge g = *trail->gauge;
    struct cs_volatile_candidate k;
    bool doubt = false;

    if (view->state[q] != CS_VOLATILE_UP || view->in->capacity[q] == 0)
        return;
    g.tau = trail->tau;
    k = cs_volatile_candidate_of(&g, view, q);
    for (int task = 0; task < view->in->app.tasks; task++) {
        struct mark *m = &trail->mark[task];
        double cut = cs_volatile_cut_below(m->score), lead;
        struct cs_volatile_partial after;

        cs_volatile_extend(&g, &m->before, &k, &after);
        lead = lead_over(trail, m->score,
                         cs_volatile_bound_of(&g, &m->before, m->loss, &k, &after, cut - m->slack));
        if (lead >= m->slack)
            continue;
        if (lead > (m->spent + trail->late) * ROUNDING)
            m->slack = lead;
        else
            m->doubt = doubt = true;
    }
    if (doubt)
        trail->doubted[trail->doubts++] = q;
}

bool cs_volatile_trail_look(struct cs_volatile_trail *trail, const struct cs_volatile_view *view)
{
    trail->known &= view->tau >= trail->tau;
    if (!trail->known)
        return false;
    if (trail->gauge->choice == CS_VOLATILE_YIELD)
        trail->late =
            log1p((double)(view->tau - trail->tau) / (trail->least_time + (double)trail->tau));
    for (int i = 0; i < view->touches; i++) {
        int q = view->touched[i];

        if (trail->tasks[q] > 0)
            follow(trail, view, q);
        else
            outdo(trail, view, q);
    }
    for (int task = 0; task < view->in->app.tasks; task++)
        if (!(left(trail, &trail->mark[task]) > 0) || trail->mark[task].doubt)
            return false;
    return true;
}

static void mark(struct cs_volatile_trail *trail, int task,
                 const struct cs_volatile_partial *before, int host, double score, double slack)
{
    trail->mark[task] = (struct mark){
        .before = *before,
        .score = score,
        .loss = cs_volatile_sets_get(trail->gauge->estimator->sets, before->set)->loss,
        .slack = slack > 0 && score > -HUGE_SCORE ? slack : 0,
        .host = host,
    };
}

void cs_volatile_trail_begin(struct cs_volatile_trail *trail)
{
    trail->walked = trail->known;
    trail->known = false;
}

int cs_volatile_trail_ask(const struct cs_volatile_trail *trail, int task, const int **doubted,
                          int *doubts)
{
    const struct mark *m = &trail->mark[task];

    *doubted = trail->doubted;
    *doubts = m->doubt ? trail->doubts : 0;
    return trail->walked && left(trail, m) > 0 ? m->host : -1;
}

bool cs_volatile_trail_repeat(struct cs_volatile_trail *trail, int task,
                              const struct cs_volatile_partial *before, double score, double rival)
{
    const struct mark *m = &trail->mark[task];
    double slack = fmin(left(trail, m), lead_over(trail, score, rival));

    if (!(slack > 0))
        return false;
    mark(trail, task, before, m->host, score, slack);
    return true;
}

void cs_volatile_trail_tell(struct cs_volatile_trail *trail, int task,
                            const struct cs_volatile_partial *before, int host, double score,
                            double rival)
{
    trail->walked &= trail->mark[task].host == host;
    mark(trail, task, before, host, score, lead_over(trail, score, rival));
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
        look_at(trail, view, q);
    }
    trail->tau = view->tau;
    trail->late = 0;
    trail->doubts = 0;
    trail->known = true;
}
