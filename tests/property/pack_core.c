/* pack_core: Algorithms 1 to 3 and pack-by-pack against their plain transcriptions. */
#include "base/order.h"
#include "base/splitmix.h"
#include "model/allocation.h"
#include "property/pack_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define CASES 4000

/* A subset of the tasks: those whose bit in `mask` is set, in the order of a stride. */
static int some_tasks(const struct cs_pack_instance *in, uint64_t mask, int *task)
{
    int n = in->tasks->count, count = 0;

    for (int a = n - 1; a >= 0; a--)
        if (mask >> (a % 64) & 1)
            task[count++] = a;
    return count;
}

static void both_variants_of_algorithm_1_agree_and_are_optimal(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 12, 40);
        int task[12], heap[12], select[12];
        int count = some_tasks(c.instance, seed * 0x9e3779b97f4a7c15u | 1, task);
        const struct cs_moldable *m = c.instance->tasks;
        double cost = cs_allocation_share_heap(m, task, count, heap, c.arena);

        assert_true(cs_allocation_share_select(m, task, count, select, c.arena) == cost);
        assert_memory_equal(heap, select, (size_t)count * sizeof *heap);
        assert_true(pack_one_pack_slowly(c.instance, task, count) == cost);
        assert_true(cs_allocation_share(m, task, count, select, c.arena) == cost);
        assert_memory_equal(heap, select, (size_t)count * sizeof *heap);
        pack_case_destroy(&c);
    }
}

/* Random shares that fit: the minimum of each, then processors thrown at random tasks. */
static bool random_start(const struct cs_moldable *m, const int *task, int count, int *share,
                         uint64_t seed)
{
    struct cs_splitmix random = {seed};
    int left = m->procs;

    for (int a = 0; a < count; a++) {
        share[a] = m->min_procs[task[a]];
        left -= share[a];
    }
    for (int thrown = left > 0 ? (int)cs_splitmix_below(&random, (uint64_t)left + 1) : 0;
         thrown > 0; thrown--)
        share[cs_splitmix_below(&random, (uint64_t)count)]++;
    return left >= 0;
}

static void algorithm_1_from_any_start_is_the_same(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 12, 40);
        int task[12], heap[12], share[12];
        int count = some_tasks(c.instance, seed * 0x9e3779b97f4a7c15u | 1, task);
        const struct cs_moldable *m = c.instance->tasks;

        if (random_start(m, task, count, share, seed)) {
            double cost = cs_allocation_share_heap(m, task, count, heap, c.arena);

            assert_true(cs_allocation_improve(m, task, count, share, c.arena) == cost);
            assert_memory_equal(heap, share, (size_t)count * sizeof *heap);
        }
        pack_case_destroy(&c);
    }
}

/* MAKE-PACK with a scan over the packs, as Algorithm 2 is printed. */
static void make_pack_slowly(const struct cs_pack_instance *in, const int *procs, int *pack_of,
                             struct cs_arena *arena)
{
    int n = in->tasks->count, *order = CS_NEW_ARRAY(arena, int, n);
    int *free = CS_NEW_ARRAY(arena, int, n), *size = CS_NEW_ARRAY(arena, int, n);
    double *time = CS_NEW_ARRAY(arena, double, n);

    for (int i = 0; i < n; i++) {
        free[i] = in->tasks->procs;
        time[i] = cs_pack_time(in, i, procs[i]);
    }
    cs_order_descending(time, n, order, arena);
    for (int a = 0; a < n; a++) {
        int b = 0;

        while (free[b] < procs[order[a]] || size[b] == in->pack_size)
            b++;
        free[b] -= procs[order[a]];
        size[b]++;
        pack_of[order[a]] = b;
    }
}

static void make_pack_is_first_fit_decreasing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 40, 16);
        int n = c.instance->tasks->count, procs[40], pack_of[40];
        struct cs_pack_plan *plan = cs_pack_plan_create(n);

        for (int i = 0; i < n; i++) {
            int least = c.instance->tasks->min_procs[i], p = c.instance->tasks->procs;

            procs[i] = least + (int)((seed * 31 + (uint64_t)i * 17) % (uint64_t)(p - least + 1));
        }
        make_pack_slowly(c.instance, procs, pack_of, c.arena);
        cs_pack_make(c.instance, procs, NULL, plan, c.arena);
        assert_null(pack_plan_fault(c.instance, plan));
        for (int b = 0; b < plan->packs; b++)
            for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
                assert_int_equal(pack_of[plan->task[a]], b);
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

/* PACK-BY-PACK as spec/pack.md 5 writes it, with the whole list sorted at every step. */
static double pack_by_pack_slowly(const struct cs_pack_instance *in, double epsilon,
                                  struct cs_arena *arena)
{
    int n = in->tasks->count, p = in->tasks->procs, left = n;
    int *procs = CS_NEW_ARRAY(arena, int, n), *order = CS_NEW_ARRAY(arena, int, n);
    int *share = CS_NEW_ARRAY(arena, int, n);
    double *time = CS_NEW_ARRAY(arena, double, n), cost = 0;

    memcpy(procs, in->tasks->min_procs, (size_t)n * sizeof *procs);
    while (left > 0) {
        int asked = 0, wide = 0, size = 0, used = 0;
        double threshold;

        for (int i = 0; i < n; i++)
            time[i] = procs[i] ? cs_pack_time(in, i, procs[i]) : 0;
        cs_order_descending(time, n, order, arena);
        threshold = (1.0 - epsilon) * time[order[0]];
        while (wide < left && time[order[wide]] >= threshold)
            asked += procs[order[wide++]];
        if (asked < p) {
            procs[order[0]]++;
            continue;
        }
        while (size < wide && size < in->pack_size && used + procs[order[size]] <= p)
            used += procs[order[size++]];
        cost += cs_allocation_share_heap(in->tasks, order, size, share, arena);
        for (int a = 0; a < size; a++)
            procs[order[a]] = 0;
        left -= size;
    }
    return cost;
}

static void pack_by_pack_equals_its_plain_transcription(void **state)
{
    static const char *const policy[] = {"pack-by-pack:epsilon=0.1", "pack-by-pack:epsilon=0.5",
                                         "pack-by-pack:epsilon=0.9"};
    static const double epsilon[] = {0.1, 0.5, 0.9};

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 25, 20);
        struct cs_pack_plan *plan = pack_case_plan(&c, policy[seed % 3], 0);

        assert_null(pack_plan_fault(c.instance, plan));
        assert_true(plan->total == pack_by_pack_slowly(c.instance, epsilon[seed % 3], c.arena));
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

static void pack_by_pack_keeps_the_best_of_its_tries(void **state)
{
    static const char *const policy[] = {"pack-by-pack", "pack-by-pack:tries=3"};
    static const int tries[] = {9, 3};

    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 12, 12);
        struct cs_pack_plan *plan = pack_case_plan(&c, policy[seed % 2], 0);
        double best = INFINITY;

        for (int k = 1; k <= tries[seed % 2]; k++)
            best =
                fmin(best, pack_by_pack_slowly(c.instance, k / (tries[seed % 2] + 1.0), c.arena));
        assert_true(plan->total == best);
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

static int longest_task(const struct cs_pack_instance *in, const int *procs)
{
    int head = 0;

    for (int i = 1; i < in->tasks->count; i++)
        if (cs_pack_time(in, i, procs[i]) > cs_pack_time(in, head, procs[head]))
            head = i;
    return head;
}

/* Algorithm 3 as spec/pack.md 5 writes it; `last` holds the costs of the last two states. */
static double pack_approx_slowly(const struct cs_pack_instance *in, double last[2],
                                 struct cs_arena *arena)
{
    int n = in->tasks->count, p = in->tasks->procs, *procs = CS_NEW_ARRAY(arena, int, n);
    struct cs_pack_plan *plan = cs_pack_plan_create(n);
    double best = INFINITY;

    memcpy(procs, in->tasks->min_procs, (size_t)n * sizeof *procs);
    last[1] = INFINITY;
    for (;;) {
        double area = 0;
        int head = longest_task(in, procs);

        for (int i = 0; i < n; i++)
            area += cs_pack_time(in, i, procs[i]) * procs[i];
        cs_pack_make(in, procs, NULL, plan, arena);
        last[0] = last[1];
        last[1] = plan->total;
        best = fmin(best, plan->total);
        if (area / p > cs_pack_time(in, head, procs[head]) || procs[head] == p)
            break;
        procs[head]++;
    }
    cs_pack_plan_destroy(plan);
    return best;
}

static void pack_approx_equals_its_plain_transcription(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 25, 20);
        struct cs_pack_plan *plan = pack_case_plan(&c, "pack-approx:mode=printed", 0);
        double last[2], best = pack_approx_slowly(c.instance, last, c.arena);

        assert_null(pack_plan_fault(c.instance, plan));
        assert_true(plan->total == best);
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

static void two_states_are_the_last_two(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        struct pack_case c = pack_case_create(seed, 25, 20);
        struct cs_pack_plan *plan = pack_case_plan(&c, "pack-approx:mode=printed,states=two", 0);
        double last[2];

        pack_approx_slowly(c.instance, last, c.arena);
        assert_null(pack_plan_fault(c.instance, plan));
        assert_true(plan->total == fmin(last[0], last[1]));
        cs_pack_plan_destroy(plan);
        pack_case_destroy(&c);
    }
}

static void no_policy_of_the_paper_beats_brute_force_and_the_guarantee_holds(void **state)
{
    static const char *const policy[] = {"one-by-one",  "pack-by-pack", "pack-approx",
                                         "random-pack", "random-proc",  "pack-approx:states=two"};

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct pack_case c = pack_case_create(seed, 6, 8);
        double best = pack_brute_force(c.instance);

        for (size_t k = 0; k < sizeof policy / sizeof *policy; k++) {
            struct cs_pack_plan *plan = pack_case_plan(&c, policy[k], seed);

            assert_null(pack_plan_fault(c.instance, plan));
            assert_true(plan->total >= best * (1 - 1e-12));
            if (strstr(policy[k], "approx") && c.instance->pack_size == c.instance->tasks->procs)
                assert_true(plan->total <= 3 * best);
            cs_pack_plan_destroy(plan);
        }
        pack_case_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_variants_of_algorithm_1_agree_and_are_optimal),
        cmocka_unit_test(algorithm_1_from_any_start_is_the_same),
        cmocka_unit_test(make_pack_is_first_fit_decreasing),
        cmocka_unit_test(pack_by_pack_equals_its_plain_transcription),
        cmocka_unit_test(pack_by_pack_keeps_the_best_of_its_tries),
        cmocka_unit_test(pack_approx_equals_its_plain_transcription),
        cmocka_unit_test(two_states_are_the_last_two),
        cmocka_unit_test(no_policy_of_the_paper_beats_brute_force_and_the_guarantee_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
