/* belief.c - hosts that stay, alone and together. */
#include "volatile/belief.h"

#include <math.h>

#define LEAST (-1e6) /* of ln P: no smaller probability is told apart */

double cs_volatile_belief_stay(const struct cs_volatile_belief *b, int host, double age,
                               double more)
{
    const struct cs_volatile_survival *law;
    double log_p;

    if (!(more > 0))
        return 0;
    if (b->kind == CS_VOLATILE_BELIEF_CHAINS) {
        log_p = more * log1p(-b->leave[host]);
    } else {
        law = &b->law[b->pool ? b->pool[host] : 0];
        log_p = cs_volatile_survival_log(law, age + more) - cs_volatile_survival_log(law, age);
        log_p *= b->frailty ? b->frailty[host] : 1;
    }
    if (log_p >= LEAST)
        return log_p < 0 ? log_p : 0;
    return LEAST;
}

static int pool_of(const struct cs_volatile_belief *b, int host)
{
    return b->pool ? b->pool[host] : 0;
}

double cs_volatile_belief_together(const struct cs_volatile_belief *b, int hosts, const int *host,
                                   const double *log_p)
{
    double total = 0;

    if (b->kind == CS_VOLATILE_BELIEF_CHAINS) {
        for (int i = 0; i < hosts; i++)
            total += log_p[i];
        return total;
    }
    for (int i = 0; i < hosts; i++) {
        int pool = pool_of(b, host[i]), before = 0;
        double sum = 0, least = 0;

        while (before < i && pool_of(b, host[before]) != pool)
            before++;
        if (before < i)
            continue;
        for (int j = i; j < hosts; j++)
            if (pool_of(b, host[j]) == pool) {
                sum += log_p[j];
                least = log_p[j] < least ? log_p[j] : least;
            }
        total += least + (1 - b->co_failure[pool]) * (sum - least);
    }
    return total;
}
