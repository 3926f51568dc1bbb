/* spares.c - hosts by how likely they are to stay. */
#include "volatile/spares.h"

struct cs_volatile_spares {
    const struct cs_volatile_instance *in;
    const struct cs_volatile_belief *belief;
    struct cs_volatile_memo *memo;
    int *host;     /* the best so far, the first one best */
    double *log_p; /* of them */
};

struct cs_volatile_spares *cs_volatile_spares_create(const struct cs_volatile_instance *in,
                                                     const struct cs_volatile_belief *belief,
                                                     struct cs_arena *arena)
{
    struct cs_volatile_spares *s = CS_NEW(arena, struct cs_volatile_spares);

    *s = (struct cs_volatile_spares){
        .in = in,
        .belief = belief,
        .memo = cs_volatile_memo_create(arena),
        .host = CS_NEW_ARRAY(arena, int, in->hosts),
        .log_p = CS_NEW_ARRAY(arena, double, in->hosts),
    };
    return s;
}

/* Into its place among `count`, after equals; how many there are then. */
static int insert(struct cs_volatile_spares *s, int count, int host, double log_p)
{
    int at = count < s->in->app.spares ? count : count - 1;

    if (at < count && !(log_p > s->log_p[at]))
        return count;
    for (; at > 0 && log_p > s->log_p[at - 1]; at--) {
        s->host[at] = s->host[at - 1];
        s->log_p[at] = s->log_p[at - 1];
    }
    s->host[at] = host;
    s->log_p[at] = log_p;
    return count < s->in->app.spares ? count + 1 : count;
}

static bool may_be(const struct cs_volatile_view *view, int host)
{
    return view->state[host] == CS_VOLATILE_UP && view->tasks[host] == 0 &&
           view->in->capacity[host] > 0;
}

bool cs_volatile_spares_wanting(const struct cs_volatile_view *view)
{
    for (int q = 0; q < view->in->hosts; q++)
        if (may_be(view, q) && view->program[q] > 0)
            return true;
    return false;
}

int cs_volatile_spares_list(struct cs_volatile_spares *s, const struct cs_volatile_view *view,
                            const int **host)
{
    int count = 0;

    for (int q = 0; q < s->in->hosts; q++)
        if (may_be(view, q))
            count = insert(s, count, q,
                           cs_volatile_belief_stay(s->belief, s->memo, q,
                                                   (double)(view->slot - view->since[q] + 1),
                                                   (double)view->full));
    *host = s->host;
    return count;
}
