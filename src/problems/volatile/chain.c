/* chain.c - eigenvalues of a 2 x 2 block, and powers of it.
 *
 * Source: spec/volatile.md 3.1 (eigenvalues without cancellation) and 3.5 (P_ND).
 * Idea: y = 1 - lambda is computed from the rates that leave a state, never from lambda; powers are
 * exp(t log1p(-y)), and differences of powers use expm1 while both eigenvalues are positive.
 * Invariants: 0 <= y1 <= y2 <= 2; mu, nu >= 0 and mu + nu = 1; the diagonal is not read.
 * Complexity: O(1) for each function.
 *
 * Constant: NEAR 1e-6, the distance D of the eigenvalues up to which P_ND uses chain_difference
 * (its limit for D = 0) instead of two exponentials, whose weights alpha and beta cancel there.
 * Value of 3.5; half and double: not measured.
 */
#include "problems/volatile/chain.h"

#include <math.h>

#define UP CS_VOLATILE_UP
#define RECLAIMED CS_VOLATILE_RECLAIMED
#define DOWN CS_VOLATILE_DOWN

/* Below this distance of the eigenvalues, sums of two exponentials cancel. */
#define NEAR 1e-6

static void set_weights(struct cs_volatile_chain *chain, double leave_up, double leave_reclaimed)
{
    double product = chain->reclaim * chain->restore, a, b;

    chain->mu = 1;
    chain->nu = 0;
    chain->alpha = 1;
    chain->beta = 0;
    if (chain->distance == 0)
        return;
    if (leave_reclaimed >= leave_up) {
        a = ((leave_reclaimed - leave_up) + chain->distance) / 2;
        b = product / a;
    } else {
        b = ((leave_up - leave_reclaimed) + chain->distance) / 2;
        a = product / b;
    }
    chain->mu = a / chain->distance;
    chain->nu = b / chain->distance;
    chain->alpha = chain->mu + chain->reclaim / chain->distance;
    chain->beta = 1 - chain->alpha;
}

void cs_volatile_chain_init(struct cs_volatile_chain *chain,
                            const double p[CS_VOLATILE_STATES][CS_VOLATILE_STATES])
{
    double b = p[UP][RECLAIMED], c = p[RECLAIMED][UP], fail = p[UP][DOWN],
           crash = p[RECLAIMED][DOWN];
    double del = b + fail, eps = c + crash;

    *chain = (struct cs_volatile_chain){.reclaim = b, .restore = c};
    chain->distance = sqrt((del - eps) * (del - eps) + 4 * b * c);
    chain->y2 = ((del + eps) + chain->distance) / 2;
    chain->y1 = chain->y2 > 0 ? (b * crash + fail * c + fail * crash) / chain->y2 : 0;
    chain->log1 = log1p(-chain->y1);
    chain->log2 = chain->y2 > 1 ? log(chain->y2 - 1) : log1p(-chain->y2);
    set_weights(chain, del, eps);
}

/* (1 - y)^t, given log |1 - y|. */
static double chain_power(double y, double logarithm, double t)
{
    if (t == 0 || y == 0)
        return 1;
    if (y < 1)
        return exp(t * logarithm);
    if (y == 1 || t != floor(t))
        return 0;
    return fmod(t, 2) == 0 ? exp(t * logarithm) : -exp(t * logarithm);
}

/* (l1^t - l2^t) / D, where l1 and l2 are the eigenvalues: for D = 0 the limit. */
static double chain_difference(const struct cs_volatile_chain *chain, double t)
{
    double l1 = 1 - chain->y1, ratio;

    if (t == 0)
        return 0;
    if (l1 <= 0)
        return t == 1 ? 1 : 0;
    if (chain->y2 >= 1)
        return (chain_power(chain->y1, chain->log1, t) - chain_power(chain->y2, chain->log2, t)) /
               chain->distance;
    ratio = chain->distance / l1;
    return chain_power(chain->y1, chain->log1, t - 1) *
           (ratio == 0 ? t : -expm1(t * log1p(-ratio)) / ratio);
}

double cs_volatile_chain_up(const struct cs_volatile_chain *chain, double t)
{
    double first = chain->mu == 0 ? 0 : chain->mu * chain_power(chain->y1, chain->log1, t);

    return first + (chain->nu == 0 ? 0 : chain->nu * chain_power(chain->y2, chain->log2, t));
}

double cs_volatile_chain_return(const struct cs_volatile_chain *chain, double t)
{
    return chain->restore == 0 ? 0 : chain->restore * chain_difference(chain, t);
}

static double chain_alive(const struct cs_volatile_chain *chain, double t)
{
    double sum;

    if (chain->distance > NEAR)
        sum = chain->alpha * chain_power(chain->y1, chain->log1, t) +
              (chain->beta == 0 ? 0 : chain->beta * chain_power(chain->y2, chain->log2, t));
    else
        sum = cs_volatile_chain_up(chain, t) +
              (chain->reclaim == 0 ? 0 : chain->reclaim * chain_difference(chain, t));
    return sum > 0 ? sum : 0;
}

double cs_volatile_chain_alive(const struct cs_volatile_chain *chain, double t)
{
    double below = floor(t), low, high;

    if (chain->y2 <= 1 || t == below || isinf(t))
        return chain_alive(chain, t);
    low = chain_alive(chain, below);
    high = chain_alive(chain, below + 1);
    return low > 0 && high > 0 ? pow(low, 1 - (t - below)) * pow(high, t - below) : 0;
}

/* By the trees that lead into each state: no state need be reachable from all others, and an
 * answer is found whenever one state alone is recurrent. */
void cs_volatile_chain_stationary(const double p[CS_VOLATILE_STATES][CS_VOLATILE_STATES],
                                  double share[CS_VOLATILE_STATES])
{
    double sum = 0;

    for (int s = 0; s < CS_VOLATILE_STATES; s++) {
        int a = (s + 1) % CS_VOLATILE_STATES, b = (s + 2) % CS_VOLATILE_STATES;

        share[s] = p[a][s] * p[b][s] + p[a][b] * p[b][s] + p[b][a] * p[a][s];
        sum += share[s];
    }
    for (int s = 0; s < CS_VOLATILE_STATES; s++)
        share[s] = sum > 0 ? share[s] / sum : s == UP;
}
