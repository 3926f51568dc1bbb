/* spot_core: jobs on random spot markets are never late, never cheaper than for who knows
 * the market, and cost on average what the table expects. */
#include "property/spot_kit.h"
#include "property/volatile_kit.h"

#include <math.h>

#define TICKS 400
#define ROUNDS KIT_ROUNDS(400)
#define DRAWS KIT_ROUNDS(4000)

struct errand {
    unsigned char there[TICKS], mode[2 * TICKS];
    double price[TICKS];
    struct cs_spot_market market;
    struct cs_spot_job job;
    struct cs_spot_phases phases;
    int64_t from;
};

static void draw_market(struct errand *e, const double end[2], struct cs_rng *rng)
{
    int there = kit_between(rng, 0, 1);

    for (int t = 0; t < TICKS; t++) {
        e->there[t] = (unsigned char)there;
        e->price[t] = 0.1 + 0.5 * cs_rng_uniform(rng);
        there ^= cs_rng_uniform(rng) < end[there];
    }
    e->market = (struct cs_spot_market){TICKS, e->there, NULL};
}

static void draw(struct errand *e, struct cs_rng *rng)
{
    double end[2];

    end[0] = 0.3 * cs_rng_uniform(rng);
    end[1] = 0.3 * cs_rng_uniform(rng);
    draw_market(e, end, rng);
    e->market.price = kit_between(rng, 0, 1) ? e->price : NULL;
    e->job.work = kit_between(rng, 1, 60);
    e->job.change = kit_between(rng, 0, 5);
    e->job.deadline = e->job.work + e->job.change + kit_between(rng, 0, 40);
    e->job.spot = 0.3;
    e->job.demand = 1;
    e->from = kit_between(rng, 0, TICKS - (int)e->job.deadline);
    e->phases = cs_spot_phases_fit(&e->market, 0, TICKS / 2, kit_between(rng, 1, 10));
}

static struct cs_spot_outcome buy(struct errand *e, int policy)
{
    struct cs_spot_outcome p;
    struct cs_error err = {0};

    if (kit_spot_run(&e->job, &e->market, e->from, policy, &e->phases, &p, e->mode, &err))
        fail_msg("%s", err.text);
    return p;
}

/* What was done, worked out once more. */
static void check_modes(const struct errand *e, const struct cs_spot_outcome *p)
{
    int64_t left = e->job.work, pending = 0;
    double cost = 0;
    int mode = CS_SPOT_IDLE;

    for (int64_t t = 0; t < p->end; t++) {
        bool there = e->from + t < TICKS && e->there[e->from + t];

        assert_true(left > 0);
        assert_true(e->mode[t] != CS_SPOT_SPOT || there);
        if (e->mode[t] != mode)
            pending = e->job.change;
        mode = e->mode[t];
        if (mode == CS_SPOT_IDLE)
            continue;
        cost += mode == CS_SPOT_DEMAND ? e->job.demand
                : e->market.price      ? e->price[e->from + t]
                                       : e->job.spot;
        if (pending > 0)
            pending--;
        else
            left--;
    }
    assert_int_equal(left, 0);
    assert_true(fabs(cost - p->cost) < 1e-9);
}

static void nobody_is_late(void **state)
{
    static struct errand e;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct cs_rng rng;

        cs_rng_init(&rng, 5, 6, (uint64_t)round);
        draw(&e, &rng);
        for (int b = 0; b < KIT_SPOT_POLICIES; b++) {
            struct cs_spot_outcome p = buy(&e, b);

            check_modes(&e, &p);
            assert_true(p.late == 0 && p.end <= e.job.deadline);
            assert_true(p.cost >= p.clairvoyant_cost - 1e-9);
        }
    }
}

static void what_cannot_be_in_time_is_as_early_as_it_can(void **state)
{
    static struct errand e;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 7, 8, 9);
    draw(&e, &rng);
    e.job = (struct cs_spot_job){20, 18, 3, 0.3, 1};
    e.from = 10;
    for (int b = 0; b < KIT_SPOT_POLICIES; b++) {
        struct cs_spot_outcome p = buy(&e, b);

        assert_true(p.end == 23 && p.late == 5 && p.starts == 1 && p.on_demand == 23);
    }
}

/* Without ages the market of the table is the one that is drawn. */
static void the_table_expects_what_comes(void **state)
{
    static const double end[2] = {0.1, 0.15};
    static struct errand e;
    double sum = 0, squares = 0, expected = 0, error;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 9, 9, 9);
    for (int i = 0; i < DRAWS; i++) {
        struct cs_spot_outcome p;

        draw_market(&e, end, &rng);
        e.job = (struct cs_spot_job){30, 45, 2, 0.3, 1};
        e.phases = (struct cs_spot_phases){TICKS, 0, {{end[0], end[0]}, {end[1], end[1]}}};
        p = buy(&e, KIT_TABLE);
        sum += p.cost - p.expected;
        squares += (p.cost - p.expected) * (p.cost - p.expected);
        expected += p.expected;
    }
    error = sqrt(squares / DRAWS / DRAWS);
    assert_true(expected / DRAWS > 9 && expected / DRAWS < 32);
    if (fabs(sum / DRAWS) > 4 * error)
        fail_msg("%g more than expected on average, which is known to %g", sum / DRAWS, error);
}

/* In tick 17 spot is gone before the change-over to it is over: what is left of that does not
 * count, and the job can still wait. */
static void a_change_over_that_was_cut_off_does_not_count(void **state)
{
    static const char spot[] = "11111110000000111000001111000000000001110001011";
    static const char modes[] = "sssssss.......sss..dddddddddddddddddddddddddddd";
    static struct errand e;
    struct cs_spot_outcome p;

    (void)state;
    for (int t = 0; t < 47; t++)
        e.there[t] = spot[t] == '1';
    e.market = (struct cs_spot_market){47, e.there, NULL};
    e.job = (struct cs_spot_job){25, 47, 5, 0.1, 1};
    e.phases = (struct cs_spot_phases){6, 1.0 / 6, {{0.12, 0.05}, {0.08, 0.03}}};
    p = buy(&e, KIT_TABLE);
    assert_int_equal(p.end, 47);
    for (int t = 0; t < 47; t++)
        if (".sd"[e.mode[t]] != modes[t])
            fail_msg("tick %d: %c, expected %c", t, ".sd"[e.mode[t]], modes[t]);
}

/* Three lives of spot there (2, 5 and 3 ticks, the last cut off), two of spot away. */
static void phases_are_counted(void **state)
{
    static const unsigned char there[] = {1, 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1};
    const struct cs_spot_market market = {15, there, NULL};
    struct cs_spot_phases p = cs_spot_phases_fit(&market, 0, 15, 3);

    (void)state;
    assert_true(p.young == 3 && fabs(p.grow - 1.0 / 3) < 1e-15);
    assert_true(fabs(p.end[1][0] - 1.5 / 9) < 1e-15 && fabs(p.end[1][1] - 1.5 / 3) < 1e-15);
    assert_true(fabs(p.end[0][0] - 1.5 / 5) < 1e-15 && fabs(p.end[0][1] - 1.5 / 2) < 1e-15);
}

static void jobs_that_are_none_are_refused(void **state)
{
    static struct errand e;
    struct cs_spot_outcome p;
    struct cs_error err = {0};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 7, 8, 9);
    draw(&e, &rng);
    e.job.work = 0;
    assert_int_equal(kit_spot_run(&e.job, &e.market, 0, KIT_GREEDY, &e.phases, &p, NULL, &err), -1);
    assert_string_equal(err.text, "the work is 0 ticks, it must be between 1 and 100000000");
    err.text[0] = 0;
    e.job = (struct cs_spot_job){10, 30, 1, 0.3, 1};
    assert_int_equal(kit_spot_run(&e.job, &e.market, 380, KIT_GREEDY, &e.phases, &p, NULL, &err),
                     -1);
    assert_string_equal(err.text, "the job may take ticks 380 to 410, the trace has 400");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_late),
        cmocka_unit_test(what_cannot_be_in_time_is_as_early_as_it_can),
        cmocka_unit_test(the_table_expects_what_comes),
        cmocka_unit_test(a_change_over_that_was_cut_off_does_not_count),
        cmocka_unit_test(phases_are_counted),
        cmocka_unit_test(jobs_that_are_none_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
