/* volatile_estimates.c - the formulas against chains that are walked, and against themselves. */
#include "problems/volatile/estimate.h"
#include "property/volatile_kit.h"

#include <math.h>

#define WALKS 20000
#define SIGMAS 5.0
#define LONGEST 100000

/* All hosts of an instance in step. */
struct walk {
    const struct cs_volatile_instance *in;
    struct cs_rng rng;
    int state[KIT_HOSTS];
};

static int next_state(const double row[CS_VOLATILE_STATES], double u)
{
    if (u < row[CS_VOLATILE_UP])
        return CS_VOLATILE_UP;
    return u < row[CS_VOLATILE_UP] + row[CS_VOLATILE_RECLAIMED] ? CS_VOLATILE_RECLAIMED
                                                                : CS_VOLATILE_DOWN;
}

static void step(struct walk *w)
{
    for (int q = 0; q < w->in->hosts; q++)
        w->state[q] = next_state(w->in->host[q].chain[w->state[q]], cs_rng_uniform(&w->rng));
}

static bool all_in(const struct walk *w, int state)
{
    for (int q = 0; q < w->in->hosts; q++)
        if (w->state[q] != state)
            return false;
    return true;
}

static bool any_in(const struct walk *w, int state)
{
    for (int q = 0; q < w->in->hosts; q++)
        if (w->state[q] == state)
            return true;
    return false;
}

/* Slots until all are up again, or 0 when one is down before (or nothing happens for long). */
static int first_together(struct walk *w)
{
    for (int t = 1; t < LONGEST; t++) {
        step(w);
        if (any_in(w, CS_VOLATILE_DOWN))
            return 0;
        if (all_in(w, CS_VOLATILE_UP))
            return t;
    }
    return 0;
}

/* Slots, now included, until one is down, at most `most`. */
static int life(struct walk *w, int most)
{
    int t = 1;

    for (; t < most; t++) {
        step(w);
        if (any_in(w, CS_VOLATILE_DOWN))
            break;
    }
    return t;
}

struct moments {
    double sum, squares, count;
};

static void add(struct moments *m, double x)
{
    m->sum += x;
    m->squares += x * x;
    m->count++;
}

static void expect(const struct moments *m, double mean, const char *what, int round)
{
    double found = m->sum / m->count;
    double variance = m->squares / m->count - found * found;

    if (m->count > 100 &&
        fabs(found - mean) > SIGMAS * sqrt((variance + 1e-9) / m->count) + 4 / m->count)
        fail_msg("round %d: %s is %.6g, found %.6g", round, what, mean, found);
}

/* Moderate rates, so that walks are short. */
static struct cs_volatile_instance *draw(int round, int hosts)
{
    struct cs_volatile_host host[KIT_HOSTS] = {{0}};
    struct cs_volatile_application app = {hosts, 1, 3, 2, 2, 1000, 0, 0, 0};
    struct cs_error err = {0};
    struct cs_rng rng;

    cs_rng_init(&rng, 12, 2, (uint64_t)round);
    for (int q = 0; q < hosts; q++) {
        host[q] = (struct cs_volatile_host){.slots = 1, .capacity = CS_VOLATILE_UNLIMITED};
        for (int from = 0; from < CS_VOLATILE_STATES; from++) {
            double a = 0.02 + 0.3 * cs_rng_uniform(&rng), b = 0.02 + 0.1 * cs_rng_uniform(&rng);
            int x = (from + 1) % CS_VOLATILE_STATES, y = (from + 2) % CS_VOLATILE_STATES;

            host[q].chain[from][x] = from == CS_VOLATILE_UP ? a : b;
            host[q].chain[from][y] = from == CS_VOLATILE_UP ? b : a;
            host[q].chain[from][from] = 1 - a - b;
        }
    }
    return cs_volatile_instance_create(hosts, host, &app, &err);
}

static int whole_set(struct cs_volatile_sets *sets, int hosts)
{
    int set = 0;

    for (int q = 0; q < hosts; q++)
        set = cs_volatile_sets_add(sets, set, q);
    return set;
}

static void statistics_of_sets_are_those_of_walks(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        struct cs_volatile_instance *in = draw(round, 1 + round % 4);
        struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
        int set = whole_set(sets, in->hosts);
        double lifetime = cs_volatile_sets_lifetime(sets, set);
        const struct cs_volatile_set *s = cs_volatile_sets_get(sets, set);
        struct moments chance = {0}, gap = {0}, partial = {0}, lifetimes = {0};
        struct walk w = {.in = in};

        cs_rng_init(&w.rng, 13, 3, (uint64_t)round);
        for (int i = 0; i < WALKS; i++) {
            int t;

            memset(w.state, 0, sizeof w.state);
            t = first_together(&w);
            add(&chance, t > 0);
            add(&partial, t);
            if (t > 0)
                add(&gap, t);
            memset(w.state, 0, sizeof w.state);
            add(&lifetimes, life(&w, LONGEST));
        }
        expect(&chance, exp(-s->loss), "P+", round);
        expect(&gap, s->gap, "the gap", round);
        expect(&partial, s->partial, "Ec", round);
        expect(&lifetimes, lifetime, "L", round);
        cs_volatile_sets_destroy(sets);
        cs_volatile_instance_destroy(in);
    }
}

static void workloads_take_as_long_as_walks_do(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        struct cs_volatile_instance *in = draw(20 + round, 1 + round % 3);
        struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
        const struct cs_volatile_set *s = cs_volatile_sets_get(sets, whole_set(sets, in->hosts));
        int workload = 2 + round;
        struct moments chance = {0}, time = {0};
        struct walk w = {.in = in};

        cs_rng_init(&w.rng, 14, 3, (uint64_t)round);
        for (int i = 0; i < WALKS; i++) {
            int slots = 1, done = 1, t = 1;

            memset(w.state, 0, sizeof w.state);
            for (; done < workload && (t = first_together(&w)) > 0; done++)
                slots += t;
            add(&chance, done == workload);
            if (done == workload)
                add(&time, slots);
        }
        expect(&chance, exp(cs_volatile_work_log_p(s, workload)), "P(W)", round);
        expect(&time, cs_volatile_work_time(s, CS_VOLATILE_CONDITIONAL, workload), "E(W)", round);
        cs_volatile_sets_destroy(sets);
        cs_volatile_instance_destroy(in);
    }
}

static void hosts_live_as_long_as_walks_do(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        struct cs_volatile_instance *in = draw(40 + round, 1);
        struct cs_volatile_chain chain;
        struct moments alive[4] = {{0}}, up[4] = {{0}}, back[4] = {{0}};
        struct walk w = {.in = in};

        cs_volatile_chain_init(&chain, in->host[0].chain);
        cs_rng_init(&w.rng, 15, 3, (uint64_t)round);
        for (int i = 0; i < WALKS; i++)
            for (int from = 0; from < 2; from++) {
                bool down = false;

                w.state[0] = from;
                for (int t = 1; t <= 8; t++) {
                    step(&w);
                    down |= w.state[0] == CS_VOLATILE_DOWN;
                    if (t % 2)
                        continue;
                    add(from ? &back[t / 2 - 1] : &up[t / 2 - 1],
                        !down && w.state[0] == CS_VOLATILE_UP);
                    if (!from)
                        add(&alive[t / 2 - 1], !down);
                }
            }
        for (int k = 0; k < 4; k++) {
            expect(&alive[k], cs_volatile_chain_alive(&chain, 2 * k + 2), "P_ND", round);
            expect(&up[k], cs_volatile_chain_up(&chain, 2 * k + 2), "P(u -> u)", round);
            expect(&back[k], cs_volatile_chain_return(&chain, 2 * k + 2), "P(r -> u)", round);
        }
        cs_volatile_instance_destroy(in);
    }
}

static void reclaimed_hosts_come_back_as_in_walks(void **state)
{
    (void)state;
    for (int round = 0; round < 6; round++) {
        struct cs_volatile_instance *in = draw(60 + round, 2 + round % 2);
        struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
        const bool reclaimed[] = {true, round % 3 == 0, false};
        struct cs_volatile_first first =
            cs_volatile_sets_first(sets, whole_set(sets, in->hosts), reclaimed);
        struct moments chance = {0}, wait = {0};
        struct walk w = {.in = in};

        cs_rng_init(&w.rng, 16, 3, (uint64_t)round);
        for (int i = 0; i < WALKS; i++) {
            int t;

            for (int q = 0; q < in->hosts; q++)
                w.state[q] = reclaimed[q] ? CS_VOLATILE_RECLAIMED : CS_VOLATILE_UP;
            t = first_together(&w);
            add(&chance, t > 0);
            add(&wait, t);
        }
        expect(&chance, first.chance, "P_first", round);
        expect(&wait, first.wait, "T_first", round);
        cs_volatile_sets_destroy(sets);
        cs_volatile_instance_destroy(in);
    }
}

/* A set found by adding hosts in another order is the same set with the same bits, and both ways of
 * summing agree. */
static void sets_do_not_depend_on_the_order_of_their_hosts(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct cs_volatile_instance *in = draw(100 + round, KIT_HOSTS);
        struct cs_volatile_sets *a = cs_volatile_sets_create(in), *b = cs_volatile_sets_create(in);
        int order[KIT_HOSTS], x = 0, y = 0;
        struct cs_rng rng;

        cs_rng_init(&rng, 17, 3, (uint64_t)round);
        for (int q = 0; q < KIT_HOSTS; q++)
            order[q] = q;
        cs_rng_shuffle(&rng, order, KIT_HOSTS);
        for (int i = 0; i < KIT_HOSTS; i++) {
            const int *member;
            int count;

            x = cs_volatile_sets_add(a, x, order[i]);
            member = cs_volatile_sets_members(a, x, &count);
            assert_int_equal(count, i + 1);
            y = 0;
            for (int k = count - 1; k >= 0; k--)
                y = cs_volatile_sets_add(b, y, member[k]);
            assert_memory_equal(&cs_volatile_sets_get(a, x)->loss,
                                &cs_volatile_sets_get(b, y)->loss, 3 * sizeof(double));
        }
        assert_int_equal(cs_volatile_sets_computed(a), KIT_HOSTS);
        cs_volatile_sets_destroy(a);
        cs_volatile_sets_destroy(b);
        cs_volatile_instance_destroy(in);
    }
}

static void close_to(double a, double b, const char *what, int round)
{
    if (!(fabs(a - b) <= 1e-11 * fabs(b)))
        fail_msg("round %d: %s is %.17g one way, %.17g the other", round, what, a, b);
}

/* The truncated sum of the paper, from products of matrices. */
static struct cs_volatile_sums truncated(const struct cs_volatile_instance *in, int count)
{
    double power[KIT_HOSTS][2] = {{0}};
    struct cs_volatile_sums sums = {0};

    for (int q = 0; q < count; q++)
        power[q][0] = 1;
    for (int t = 1; t < 5000; t++) {
        double product = 1;

        for (int q = 0; q < count; q++) {
            const double(*p)[CS_VOLATILE_STATES] = in->host[q].chain;
            double u = power[q][0] * p[0][0] + power[q][1] * p[1][0];

            power[q][1] = power[q][0] * p[0][1] + power[q][1] * p[1][1];
            power[q][0] = u;
            product *= u;
        }
        sums.eu += product;
        sums.a += t * product;
    }
    return sums;
}

static void all_variants_of_summing_agree(void **state)
{
    static const int host[] = {0, 1, 2, 3, 4, 5, 6, 7};

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct cs_volatile_instance *in = draw(200 + round, KIT_HOSTS);
        struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
        struct cs_volatile_summer *summer = cs_volatile_sets_summer(sets);

        for (int count = 1; count <= KIT_HOSTS; count++) {
            struct cs_volatile_sums a = cs_volatile_summer_expand(summer, host, count);
            struct cs_volatile_sums b = cs_volatile_summer_nodes(summer, host, count);
            struct cs_volatile_sums c = truncated(in, count);

            close_to(a.eu, b.eu, "Eu", round);
            close_to(a.a, b.a, "A", round);
            close_to(a.eu, c.eu, "Eu, truncated", round);
            close_to(a.a, c.a, "A, truncated", round);
        }
        cs_volatile_sets_destroy(sets);
        cs_volatile_instance_destroy(in);
    }
}

/* Section 3.2: one host has a closed form. */
static void one_host_has_a_closed_form(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct cs_volatile_instance *in = draw(300 + round, 1);
        struct cs_volatile_sets *sets = cs_volatile_sets_create(in);
        const struct cs_volatile_set *s = cs_volatile_sets_get(sets, whole_set(sets, 1));
        const double(*p)[CS_VOLATILE_STATES] = in->host[0].chain;
        double a = p[0][0], b = p[0][1], c = p[1][0], d = p[1][1];

        close_to(exp(-s->loss), a + b * c / (1 - d), "P+", round);
        close_to(s->partial, a + b * c * (2 - d) / ((1 - d) * (1 - d)), "Ec", round);
        cs_volatile_sets_destroy(sets);
        cs_volatile_instance_destroy(in);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_of_sets_are_those_of_walks),
        cmocka_unit_test(workloads_take_as_long_as_walks_do),
        cmocka_unit_test(hosts_live_as_long_as_walks_do),
        cmocka_unit_test(reclaimed_hosts_come_back_as_in_walks),
        cmocka_unit_test(sets_do_not_depend_on_the_order_of_their_hosts),
        cmocka_unit_test(all_variants_of_summing_agree),
        cmocka_unit_test(one_host_has_a_closed_form),
    };

    return cmocka_run_group_tests_name("volatile_estimates", tests, NULL, NULL);
}
