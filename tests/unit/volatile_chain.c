/* volatile_chain: one host, worked by hand. */
#include "problems/volatile/estimate.h"
#include "unit/kit.h"

#include <math.h>

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-13 * fabs(want) + 1e-300))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* Powers of the block of up and reclaimed, by multiplication: not down from state `from`, and up.
 */
struct power {
    double up, alive;
};

static struct power multiply(const double p[3][3], int from, int t)
{
    double u = from == 0, r = from == 1;

    for (int i = 0; i < t; i++) {
        double next = u * p[0][0] + r * p[1][0];

        r = u * p[0][1] + r * p[1][1];
        u = next;
    }
    return (struct power){u, u + r};
}

static const double chains[][3][3] = {
    {{0.95, 0.025, 0.025}, {0.035, 0.93, 0.035}, {0.025, 0.025, 0.95}},
    {{0.2, 0.7, 0.1}, {0.8, 0.1, 0.1}, {0.5, 0.5, 0}}, /* a negative eigenvalue */
    {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},                 /* there and back for ever */
    {{0.9, 0.06, 0.04}, {0, 0.9, 0.1}, {0, 0, 1}},     /* defective */
    {{0.9, 0.1, 0}, {0.2, 0.8, 0}, {0, 0, 1}},         /* never down */
    {{0.5, 0, 0.5}, {0.1, 0.5, 0.4}, {1, 0, 0}},       /* never reclaimed */
    {{0, 0, 1}, {0.5, 0.4, 0.1}, {0, 0, 1}},           /* down at once */
    {{0, 0.5, 0.5}, {0, 0, 1}, {0, 0, 1}},             /* no eigenvalue but 0 */
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},                 /* nothing ever happens */
    {{0.7, 0.3, 0}, {0, 1, 0}, {0, 0, 1}},             /* reclaimed for ever */
};

#define CHAINS (sizeof chains / sizeof *chains)

static void powers_are_those_of_the_matrix(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHAINS; i++) {
        struct cs_volatile_chain chain;

        cs_volatile_chain_init(&chain, chains[i]);
        for (int t = 0; t < 40; t++) {
            struct power up = multiply(chains[i], 0, t), back = multiply(chains[i], 1, t);

            if (fabs(cs_volatile_chain_up(&chain, t) - up.up) > 1e-14 ||
                fabs(cs_volatile_chain_return(&chain, t) - back.up) > 1e-14 ||
                fabs(cs_volatile_chain_alive(&chain, t) - up.alive) > 1e-14)
                fail_msg("chain %zu, t = %d: %.17g %.17g %.17g, expected %.17g %.17g %.17g", i, t,
                         cs_volatile_chain_up(&chain, t), cs_volatile_chain_return(&chain, t),
                         cs_volatile_chain_alive(&chain, t), up.up, back.up, up.alive);
        }
    }
}

/* Section 3.5: geometric interpolation where a power of a negative number would be meant. */
static void between_slots_a_negative_eigenvalue_is_interpolated(void **state)
{
    struct cs_volatile_chain chain;
    double low, high;

    (void)state;
    cs_volatile_chain_init(&chain, chains[1]);
    low = multiply(chains[1], 0, 3).alive;
    high = multiply(chains[1], 0, 4).alive;
    near(cs_volatile_chain_alive(&chain, 3.25), pow(low, 0.75) * pow(high, 0.25));
    assert_true(cs_volatile_chain_alive(&chain, INFINITY) == 0);
    cs_volatile_chain_init(&chain, chains[4]);
    assert_true(cs_volatile_chain_alive(&chain, INFINITY) == 1);
}

static void eigenvalues_of_reliable_hosts_keep_their_digits(void **state)
{
    const double p[3][3] = {{1 - 3e-12, 2e-12, 1e-12}, {4e-12, 1 - 5e-12, 1e-12}, {0, 0, 1}};
    struct cs_volatile_chain chain;

    (void)state;
    cs_volatile_chain_init(&chain, p);
    near(chain.y1, 1e-12);
    near(chain.y2, 7e-12);
    near(chain.mu, 2.0 / 3);
    near(chain.nu, 1.0 / 3);
}

static void long_run_shares_solve_the_balance(void **state)
{
    double share[3];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        cs_volatile_chain_stationary(chains[i], share);
        near(share[0] + share[1] + share[2], 1);
        for (int s = 0; s < 3; s++)
            near(share[0] * chains[i][0][s] + share[1] * chains[i][1][s] +
                     share[2] * chains[i][2][s],
                 share[s]);
    }
    cs_volatile_chain_stationary(chains[6], share);
    assert_true(share[0] == 0 && share[1] == 0 && share[2] == 1);
    cs_volatile_chain_stationary(chains[8], share);
    assert_true(share[0] == 1);
}

static struct cs_volatile_instance *pair_of(const double a[3][3], const double b[3][3])
{
    struct cs_volatile_host host[2] = {{0}};
    struct cs_volatile_application app = {4, 1, 3, 2, 1, 100, 0, 0, 0};
    struct cs_error err = {0};
    struct cs_volatile_instance *in;

    for (int q = 0; q < 2; q++) {
        host[q] = (struct cs_volatile_host){.slots = 1 + q, .capacity = 4};
        for (int i = 0; i < 9; i++)
            host[q].chain[i / 3][i % 3] = q ? b[i / 3][i % 3] : a[i / 3][i % 3];
    }
    in = cs_volatile_instance_create(2, host, &app, &err);
    if (!in)
        fail_msg("%s", err.text);
    return in;
}

/* A host that is down after each up slot with probability 1/2 and never reclaimed, alone: P+ is
 * 1/2, the next common slot is the next one; so E(4) is 4, or (1 + 3/2) / (1/8) as printed. */
static void a_workload_by_hand(void **state)
{
    struct cs_volatile_instance *in = pair_of(chains[5], chains[5]);
    struct cs_volatile_estimator *e = cs_volatile_estimator_create(in);
    int one = cs_volatile_sets_add(e->sets, 0, 0), two = cs_volatile_sets_add(e->sets, one, 1);
    const struct cs_volatile_set *set = cs_volatile_sets_get(e->sets, one);

    (void)state;
    near(set->loss, log(2));
    near(set->partial, 0.5);
    near(set->gap, 1);
    near(cs_volatile_work_log_p(set, 4), -3 * log(2));
    near(cs_volatile_work_time(set, CS_VOLATILE_CONDITIONAL, 4), 4);
    near(cs_volatile_work_time(set, CS_VOLATILE_PRINTED, 4), 20);
    near(cs_volatile_work_log_time(set, CS_VOLATILE_PRINTED, 4), log(20));
    assert_true(cs_volatile_work_time(set, CS_VOLATILE_PRINTED, 0) == 0);
    assert_true(cs_volatile_work_log_p(set, 0) == 0);
    near(cs_volatile_sets_lifetime(e->sets, one), 2);
    near(cs_volatile_sets_lifetime(e->sets, two), 4.0 / 3);
    near(cs_volatile_sets_get(e->sets, two)->loss, log(4));
    cs_volatile_estimator_destroy(e);
    cs_volatile_instance_destroy(in);
}

/* Host 0 needs 3 slots and host 1 needs 5, one at a time: max(3, 5, 8) = 8 slots of which both must
 * survive; then a workload of 2.  With P_ND(t) = 2^-t: P = 2^-16 / 4, E = 8 + 2. */
static void transfers_by_hand(void **state)
{
    struct cs_volatile_instance *in = pair_of(chains[5], chains[5]);
    struct cs_volatile_estimator *e = cs_volatile_estimator_create(in);
    const int member[] = {0, 1}, need[] = {3, 5};
    struct cs_volatile_load load = {.members = 2, .member = member, .need = need, .workload = 2};
    struct cs_volatile_value value;

    (void)state;
    load.set = cs_volatile_sets_add(e->sets, cs_volatile_sets_add(e->sets, 0, 1), 0);
    value = cs_volatile_evaluate(e, CS_VOLATILE_CONDITIONAL, &load);
    near(value.log_p, -18 * log(2));
    near(value.time, 10);
    near(value.log_time, log(10));
    value = cs_volatile_evaluate(e, CS_VOLATILE_PRINTED, &load);
    near(value.time, (1 + 4 * 0.5) * 16 + (1 + 0.25) * 4);
    cs_volatile_estimator_destroy(e);
    cs_volatile_instance_destroy(in);
}

/* Printed times beyond the range of numbers are compared by their logarithms. */
static void times_that_overflow_are_still_compared(void **state)
{
    struct cs_volatile_instance *in = pair_of(chains[5], chains[5]);
    struct cs_volatile_estimator *e = cs_volatile_estimator_create(in);
    const int member[] = {0}, need[] = {0};
    struct cs_volatile_load load = {.members = 1, .member = member, .need = need};
    struct cs_volatile_score score[2];

    (void)state;
    load.set = cs_volatile_sets_add(e->sets, 0, 0);
    for (int i = 0; i < 2; i++) {
        struct cs_volatile_value value;

        load.workload = 2000 + i;
        value = cs_volatile_evaluate(e, CS_VOLATILE_PRINTED, &load);
        assert_true(isinf(value.time));
        near(value.log_time, log1p((1999 + i) * 0.5) + (1999 + i) * log(2));
        score[i] = cs_volatile_score_of(CS_VOLATILE_TIME, &value, 0);
    }
    assert_true(cs_volatile_better(CS_VOLATILE_TIME, &score[0], &score[1]));
    assert_false(cs_volatile_better(CS_VOLATILE_TIME, &score[1], &score[0]));
    assert_false(cs_volatile_better(CS_VOLATILE_TIME, &score[0], &score[0]));
    cs_volatile_estimator_destroy(e);
    cs_volatile_instance_destroy(in);
}

/* Two hosts that are never down: one is reclaimed now.  It is back after 1 / 0.2 = 5 slots. */
static void a_reclaimed_host_that_is_never_down_is_waited_for(void **state)
{
    const double always[3][3] = {{1, 0, 0}, {0.5, 0.5, 0}, {0, 0, 1}};
    struct cs_volatile_instance *in = pair_of(chains[4], always);
    struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
    const bool reclaimed[] = {true, false};
    int set = cs_volatile_sets_add(sets, cs_volatile_sets_add(sets, 0, 0), 1);
    struct cs_volatile_first first = cs_volatile_sets_first(sets, set, reclaimed);

    (void)state;
    near(first.chance, 1);
    near(first.wait, 5);
    assert_true(cs_volatile_sets_get(sets, set)->loss == 0);
    near(cs_volatile_sets_get(sets, set)->gap, 1.5);
    assert_true(isinf(cs_volatile_sets_lifetime(sets, set)));
    cs_volatile_sets_destroy(sets);
    cs_volatile_instance_destroy(in);
}

/* Criterion T: an attempt of mean length min(E, 1 + L (1 - P)), repeated until it succeeds. */
static void the_time_with_restarts_by_hand(void **state)
{
    const struct cs_volatile_value v = {log(0.25), 40, log(40), 8}, w = {log(0.25), 3, log(3), 8};

    (void)state;
    near(cs_volatile_score_of(CS_VOLATILE_RESTARTS, &v, 9).value, log(0.25) - log(1 + 8 * 0.75));
    near(cs_volatile_score_of(CS_VOLATILE_RESTARTS, &w, 9).value, log(0.25) - log(3));
    near(cs_volatile_score_of(CS_VOLATILE_YIELD, &v, 9).value, log(0.25) - log(49));
    near(cs_volatile_score_of(CS_VOLATILE_APPARENT_YIELD, &v, 9).value, log(0.25) - log(40));
    near(cs_volatile_score_of(CS_VOLATILE_PROBABILITY, &v, 9).value, log(0.25));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_those_of_the_matrix),
        cmocka_unit_test(between_slots_a_negative_eigenvalue_is_interpolated),
        cmocka_unit_test(eigenvalues_of_reliable_hosts_keep_their_digits),
        cmocka_unit_test(long_run_shares_solve_the_balance),
        cmocka_unit_test(a_workload_by_hand),
        cmocka_unit_test(transfers_by_hand),
        cmocka_unit_test(times_that_overflow_are_still_compared),
        cmocka_unit_test(a_reclaimed_host_that_is_never_down_is_waited_for),
        cmocka_unit_test(the_time_with_restarts_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
