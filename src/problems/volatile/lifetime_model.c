/* lifetime_model.c - probabilities that hosts stay up, alone and together.
 *
 * Source: spec/volatile.md III.2 (age, frailty, co-failure, "Together").
 * Idea: ln P(up for h more slots | age a) = theta (ln S(a + h) - ln S(a)); in a pool, with s the
 * sum and m the least of ln P_q, ln P = m + (1 - rho)(s - m).  Chains multiply and have no age.
 * Invariants: LEAST <= ln P <= 0; rho = 0 gives the product, rho = 1 the weakest host; pools are
 * independent of each other; the memo does not change any result.
 * Complexity: stay O(1) (a product limit: O(log steps)); together O(hosts x pools of the set), up
 * to O(hosts^2) when each host is a pool.
 *
 * Constants (set by hand; half and double: not measured):
 *   LEAST     -1e6  ln P: smaller probabilities are not distinguished
 *   MEMO_BITS 13    2^13 entries of ln S, direct mapped: a newer entry replaces an older one
 */
#include "problems/volatile/lifetime_model.h"

#include <math.h>
#include <string.h>

#define LEAST (-1e6) /* of ln P: smaller probabilities are not distinguished */

const struct cs_volatile_lifetime_model *
cs_volatile_lifetime_model_of(const struct cs_volatile_instance *in, struct cs_arena *arena)
{
    struct cs_volatile_lifetime_model *b = CS_NEW(arena, struct cs_volatile_lifetime_model);
    double *leave = CS_NEW_ARRAY(arena, double, in->hosts);

    for (int q = 0; q < in->hosts; q++) {
        const double *up = in->host[q].chain[CS_VOLATILE_UP];
        const double *away = in->host[q].chain[CS_VOLATILE_RECLAIMED];
        double back = away[CS_VOLATILE_UP] + away[CS_VOLATILE_DOWN];
        double lost = back > 0 ? away[CS_VOLATILE_DOWN] / back : 1;

        leave[q] = up[CS_VOLATILE_DOWN] + up[CS_VOLATILE_RECLAIMED] * lost;
    }
    *b = (struct cs_volatile_lifetime_model){.kind = CS_VOLATILE_LIFETIME_MODEL_CHAINS,
                                             .leave = leave};
    return b;
}

/* One place for each hash: what comes later takes it. */
#define MEMO_BITS 13

struct cs_volatile_memo {
    struct memory {
        double length, log; /* length 0: an empty entry */
        int pool;
    } at[1 << MEMO_BITS];
};

struct cs_volatile_memo *cs_volatile_memo_create(struct cs_arena *arena)
{
    return CS_NEW(arena, struct cs_volatile_memo);
}

static double log_survival(const struct cs_volatile_lifetime_model *b,
                           struct cs_volatile_memo *memo, int pool, double length)
{
    struct memory *m;
    uint64_t bits;

    if (!memo || b->law[pool].kind == CS_VOLATILE_SURVIVAL_EXPONENTIAL)
        return cs_volatile_survival_log(&b->law[pool], length);
    memcpy(&bits, &length, sizeof bits);
    bits = (bits ^ (uint64_t)pool) * 0x9e3779b97f4a7c15u;
    m = &memo->at[bits >> (64 - MEMO_BITS)];
    if (m->length != length || m->pool != pool)
        *m = (struct memory){length, cs_volatile_survival_log(&b->law[pool], length), pool};
    return m->log;
}

static int pool_of(const struct cs_volatile_lifetime_model *b, int host)
{
    return b->pool ? b->pool[host] : 0;
}

double cs_volatile_lifetime_model_stay(const struct cs_volatile_lifetime_model *b,
                                       struct cs_volatile_memo *memo, int host, double age,
                                       double more)
{
    double log_p;

    if (!(more > 0))
        return 0;
    if (b->kind == CS_VOLATILE_LIFETIME_MODEL_CHAINS) {
        log_p = more * log1p(-b->leave[host]);
    } else {
        int pool = pool_of(b, host);

        log_p = log_survival(b, memo, pool, age + more) - log_survival(b, memo, pool, age);
        log_p *= b->frailty ? b->frailty[host] : 1;
    }
    if (log_p >= LEAST)
        return log_p < 0 ? log_p : 0;
    return LEAST;
}

double cs_volatile_lifetime_model_together(const struct cs_volatile_lifetime_model *b, int hosts,
                                           const int *host, const double *log_p)
{
    double total = 0;

    if (b->kind == CS_VOLATILE_LIFETIME_MODEL_CHAINS) {
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
