/* candidates, knapsack, price: equal to looking at every cost and every set of tasks. */
#include "config.h"
#include "problems/pack/price.h"
#include "unit/improve.h"

#if CS_HAVE_CBC
#include "problems/pack/branch.h"
#endif

#define CASES 300
#define TASKS 9

static struct improve_case c;
static struct cs_arena *arena;
static struct cs_pack_candidates candidates;
static struct cs_splitmix dice;

static void make(int number)
{
    int tasks, procs, size;

    dice = (struct cs_splitmix){31337 + (uint64_t)number};
    tasks = 1 + (int)cs_splitmix_below(&dice, TASKS);
    procs = 1 + (int)cs_splitmix_below(&dice, 8);
    size = 1 + (int)cs_splitmix_below(&dice, (uint64_t)procs);
    improve_create(&c, tasks, procs, size, number % 2, dice.state);
    arena = cs_arena_create();
    cs_pack_candidates_init(&candidates, c.in, INFINITY, arena);
}

static void unmake(void)
{
    cs_arena_destroy(arena);
    improve_destroy(&c);
}

/* Worths of which some are zero and some equal. */
static void draw_worth(double *worth)
{
    for (int i = 0; i < c.in->tasks->count; i++) {
        worth[i] = floor(8 * improve_uniform(&dice));
        if (i % 2)
            worth[i] *= 1 + improve_uniform(&dice);
    }
}

static double best_worth(const double *worth, double cost)
{
    int tasks = c.in->tasks->count;
    double best = 0;

    for (unsigned set = 0; set < 1u << tasks; set++) {
        int room = c.in->tasks->procs, count = 0;
        double sum = 0;

        for (int i = 0; i < tasks; i++)
            if (set >> i & 1) {
                room -= cs_moldable_need(c.in->tasks, i, cost);
                sum += worth[i];
                count++;
            }
        if (room >= 0 && count <= c.in->pack_size)
            best = fmax(best, sum);
    }
    return best;
}

static void candidates_are_all_times_once_rising(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        make(number);
        for (int v = 1; v < candidates.count; v++)
            assert_true(candidates.cost[v - 1] < candidates.cost[v]);
        for (int i = 0; i < c.in->tasks->count; i++)
            for (int j = 1; j <= c.in->tasks->procs; j++) {
                double time = cs_pack_time(c.in, i, j);
                int v = cs_pack_candidates_find(&candidates, time);

                assert_true(isinf(time) ? v == candidates.count : candidates.cost[v] == time);
            }
        unmake();
    }
}

static void needs_are_those_of_the_times(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        make(number);
        for (int v = 0; v < candidates.count; v++)
            for (int i = 0; i < c.in->tasks->count; i++)
                assert_int_equal(cs_pack_candidates_need(&candidates, v)[i],
                                 cs_moldable_need(c.in->tasks, i, candidates.cost[v]));
        unmake();
    }
}

/* Every cost is between the least and the largest of one candidate, whose needs are the largest's.
 */
static void near_costs_share_a_candidate(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct cs_pack_candidates few;
        int g = 0;

        make(number);
        cs_pack_candidates_group(&few, c.in, INFINITY, 3, arena);
        assert_true(few.count <= 3 && few.all == (candidates.count <= 3));
        for (int v = 0; v < candidates.count; v++) {
            g += candidates.cost[v] > few.top[g];
            assert_true(g < few.count && few.cost[g] <= candidates.cost[v]);
            assert_int_equal(cs_pack_candidates_find(&few, candidates.cost[v]), g);
        }
        for (g = 0; g < few.count; g++)
            assert_int_equal(cs_pack_candidates_need(&few, g)[0],
                             cs_moldable_need(c.in->tasks, 0, few.top[g]));
        unmake();
    }
}

static void the_fit_of_a_pack_is_its_cost(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        int task[3] = {0}, count = 0, v;
        double cost;

        make(number);
        for (int i = 0; i < c.in->tasks->count && count < 3; i++)
            if (improve_uniform(&dice) < 0.5)
                task[count++] = i;
        v = cs_pack_candidates_fit(&candidates, task, count, 0);
        cost = improve_pack_cost(c.in, task, count);
        if (count)
            assert_true(isinf(cost) ? v == candidates.count : candidates.cost[v] == cost);
        else
            assert_int_equal(v, 0);
        unmake();
    }
}

static void a_knapsack_equals_all_sets(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct cs_pack_knapsack k;
        double worth[TASKS];

        make(number);
        cs_pack_knapsack_init(&k, &candidates, arena);
        draw_worth(worth);
        cs_pack_knapsack_set(&k, worth);
        for (int v = 0; v < candidates.count; v += 1 + candidates.count / 10) {
            int task[TASKS], count, room = c.in->tasks->procs;
            double value = cs_pack_knapsack_value(&k, v), sum = 0;

            assert_float_equal(value, best_worth(worth, candidates.cost[v]), 1e-12);
            count = cs_pack_knapsack_members(&k, v, task);
            assert_true(count <= c.in->pack_size);
            for (int a = 0; a < count; a++) {
                assert_true(a == 0 || task[a - 1] < task[a]);
                room -= cs_moldable_need(c.in->tasks, task[a], candidates.cost[v]);
                sum += worth[task[a]];
            }
            assert_true(room >= 0);
            assert_float_equal(sum, value, 1e-12);
        }
        unmake();
    }
}

static double bonus_at(const struct cs_pack_prices *prices, int v)
{
    double sum = 0;

    for (int r = 0; r < prices->thresholds; r++)
        sum += prices->threshold[r] <= v ? prices->bonus[r] : 0;
    return sum;
}

static void assert_column(struct cs_pack_price *p, const struct cs_pack_prices *prices, int b)
{
    int task[TASKS], v, count;
    double worth;

    count = cs_pack_price_column(p, prices, b, &v, task);
    assert_in_range(v, 0, p->where[b]);
    worth = bonus_at(prices, v);
    for (int a = 0; a < count; a++)
        worth += prices->worth[task[a]];
    assert_true(count == 0 || improve_pack_cost(c.in, task, count) <= candidates.cost[v]);
    assert_true(worth / candidates.cost[v] >= p->best[b] * (1 - 1e-12));
}

static void the_search_equals_all_costs(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct cs_pack_price p;
        double worth[TASKS], bonus[2], most = 0.5, found;
        int threshold[2];
        struct cs_pack_prices prices = {worth, number % 3, threshold, bonus};

        make(number);
        draw_worth(worth);
        for (int r = 0; r < 2; r++)
            bonus[r] = 4 * improve_uniform(&dice) - 2;
        threshold[0] = (int)cs_splitmix_below(&dice, (uint64_t)candidates.count);
        threshold[1] = candidates.count - 1;
        cs_pack_price_init(&p, &candidates, arena);
        found = cs_pack_price_search(&p, &prices, 0.5);
        for (int v = 0; v < candidates.count; v++)
            most = fmax(most, (best_worth(worth, candidates.cost[v]) + bonus_at(&prices, v)) /
                                  candidates.cost[v]);
        assert_float_equal(found, most, 1e-12 * most);
        for (int b = 0; b < CS_PACK_PRICE_BLOCKS; b++)
            if (p.where[b] >= 0)
                assert_column(&p, &prices, b);
        unmake();
    }
}

#if CS_HAVE_CBC

/* Is there a way to give the tasks from i on to packs with so much room? */
static bool can_place(int i, const int *cost, int packs, int *room, int *places)
{
    bool done = i == c.in->tasks->count;

    for (int b = 0; b < packs && !done; b++) {
        int need = cs_moldable_need(c.in->tasks, i, candidates.cost[cost[b]]);

        if (need > room[b] || places[b] == 0)
            continue;
        room[b] -= need;
        places[b]--;
        done = can_place(i + 1, cost, packs, room, places);
        room[b] += need;
        places[b]++;
    }
    return done;
}

static void assert_assigned(const int *cost, const int *pack_of, int packs)
{
    int room[3], places[3];

    for (int b = 0; b < packs; b++) {
        room[b] = c.in->tasks->procs;
        places[b] = c.in->pack_size;
    }
    for (int i = 0; i < c.in->tasks->count; i++) {
        int b = pack_of[i];

        assert_in_range(b, 0, packs - 1);
        room[b] -= cs_moldable_need(c.in->tasks, i, candidates.cost[cost[b]]);
        places[b]--;
        assert_true(room[b] >= 0 && places[b] >= 0);
    }
}

static void a_leaf_fits_if_some_assignment_does(void **state)
{
    int fits = 0;

    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct cs_policy_context context = {0};
        int cost[3], pack_of[TASKS], room[3], places[3], packs = 1 + number % 3;
        bool can;

        make(number);
        context.scratch = arena;
        for (int b = 0; b < packs; b++) {
            int most = b ? cost[b - 1] + 1 : candidates.count;

            cost[b] = (int)(most * (1 - 0.3 * improve_uniform(&dice)));
            cost[b] = cost[b] < most ? cost[b] : most - 1;
            room[b] = c.in->tasks->procs;
            places[b] = c.in->pack_size;
        }
        can = can_place(0, cost, packs, room, places);
        fits += can;
        assert_int_equal(cs_pack_leaf_assign(&candidates, cost, packs, &context, pack_of),
                         can ? CS_PACK_LEAF_FITS : CS_PACK_LEAF_NEVER);
        if (can)
            assert_assigned(cost, pack_of, packs);
        unmake();
    }
    assert_in_range(fits, CASES / 10, CASES * 9 / 10);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_all_times_once_rising),
        cmocka_unit_test(needs_are_those_of_the_times),
        cmocka_unit_test(near_costs_share_a_candidate),
        cmocka_unit_test(the_fit_of_a_pack_is_its_cost),
        cmocka_unit_test(a_knapsack_equals_all_sets),
        cmocka_unit_test(the_search_equals_all_costs),
#if CS_HAVE_CBC
        cmocka_unit_test(a_leaf_fits_if_some_assignment_does),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
