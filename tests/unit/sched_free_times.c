/* sched_free_times: the steps of the plan against a list of boxes, and many numbers at once against
 * one by one. */
#include "base/lanes.h"
#include "base/splitmix.h"
#include "sched/free_times.h"
#include "unit/kit.h"

#define MOST 150
#define MACHINE 40

struct boxes {
    struct cs_sched_instance in;
    double seconds[MOST];
    int procs[MOST];
    double now;
    int count;
    int rank[MOST];
    double start[MOST];
};

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

static void boxes_init(struct boxes *b, struct cs_splitmix *random, int count)
{
    *b = (struct boxes){.now = 5};
    b->in = (struct cs_sched_instance){.count = count,
                                       .machine = MACHINE,
                                       .verification = below(random, 2),
                                       .seconds = b->seconds,
                                       .procs = b->procs};
    for (int k = 0; k < count; k++) {
        b->seconds[k] = 1 + below(random, 40) / 2.0;
        b->procs[k] = 1 + below(random, MACHINE / 2);
    }
}

static void boxes_add(struct boxes *b, int rank, double start)
{
    b->rank[b->count] = rank;
    b->start[b->count++] = start;
}

static int free_at(const struct boxes *b, double time)
{
    int free = b->in.machine;

    for (int i = 0; i < b->count; i++)
        if (b->start[i] <= time && time < cs_sched_end(&b->in, b->rank[i], b->start[i]))
            free -= b->procs[b->rank[i]];
    return free;
}

/* Free processors only shrink where a box starts. */
static bool fits_at(const struct boxes *b, int rank, double time)
{
    double end = cs_sched_end(&b->in, rank, time);

    if (free_at(b, time) < b->procs[rank])
        return false;
    for (int i = 0; i < b->count; i++)
        if (time < b->start[i] && b->start[i] < end && free_at(b, b->start[i]) < b->procs[rank])
            return false;
    return true;
}

static double earliest(const struct boxes *b, int rank)
{
    double best = fits_at(b, rank, b->now) ? b->now : 1e9;

    for (int i = 0; i < b->count; i++) {
        double time = cs_sched_end(&b->in, b->rank[i], b->start[i]);

        if (time > b->now && time < best && fits_at(b, rank, time))
            best = time;
    }
    return best;
}

static void assert_same_steps(const struct cs_sched_free_times *p, const struct boxes *b)
{
    assert_true(p->time[p->first] == b->now);
    for (int s = p->first; s < p->count; s++) {
        assert_int_equal(p->free[s], free_at(b, p->time[s]));
        assert_true(s == p->first || p->time[s - 1] < p->time[s]);
    }
    for (int i = 0; i < b->count; i++) {
        double end = cs_sched_end(&b->in, b->rank[i], b->start[i]);
        int step = p->first;

        while (step < p->count && p->time[step] < end)
            step++;
        assert_true(end <= b->now || free_at(b, end) == p->free[step - (p->time[step] != end)]);
    }
    assert_int_equal(p->free[p->count - 1], b->in.machine);
}

/* Some attempts run, the one that ends last first. */
static void begin_running(struct cs_sched_free_times *p, struct boxes *b, int running,
                          struct cs_arena *arena)
{
    struct cs_sched_running list;
    struct cs_sched_view view = {.now = b->now, .free = MACHINE, .running = &list};

    cs_sched_running_init(&list, arena);
    for (int k = 0; k < running && b->procs[k] <= view.free; k++) {
        cs_sched_running_add(&list, cs_sched_end(&b->in, k, b->now), b->procs[k], k);
        view.free -= b->procs[k];
        boxes_add(b, k, b->now);
    }
    cs_sched_free_times_begin(p, &view);
}

static void reservations_are_the_earliest_that_fit(void **state)
{
    struct cs_splitmix random = {11};
    static struct boxes b;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_sched_free_times p, copy;

        boxes_init(&b, &random, 20 + below(&random, MOST - 20));
        cs_sched_free_times_init(&p, &b.in, arena);
        cs_sched_free_times_init(&copy, &b.in, arena);
        begin_running(&p, &b, below(&random, 12), arena);
        for (int k = b.count; k < b.in.count; k++) {
            double at = earliest(&b, k);

            assert_int_equal(cs_sched_free_times_fits_now(&p, k), fits_at(&b, k, b.now));
            assert_true(cs_sched_free_times_reserve(&p, k) == at);
            boxes_add(&b, k, at);
        }
        assert_same_steps(&p, &b);
        cs_sched_free_times_copy(&copy, &p);
        assert_same_steps(&copy, &b);
        cs_arena_destroy(arena);
    }
}

static void what_is_given_back_is_free_again(void **state)
{
    struct cs_splitmix random = {12};
    static struct boxes b;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_sched_free_times p;

        boxes_init(&b, &random, 20 + below(&random, MOST - 20));
        cs_sched_free_times_init(&p, &b.in, arena);
        begin_running(&p, &b, 5, arena);
        for (int k = b.count; k < b.in.count; k++)
            boxes_add(&b, k, cs_sched_free_times_reserve(&p, k));
        while (b.count > b.in.count / 2) {
            b.count--;
            cs_sched_free_times_give_back(&p, b.rank[b.count], b.start[b.count]);
        }
        assert_same_steps(&p, &b);
        b.now += below(&random, 30);
        cs_sched_free_times_advance(&p, b.now);
        assert_same_steps(&p, &b);
        cs_arena_destroy(arena);
    }
}

/* As compression does: the earliest with its own slot taken out, which is never later. */
static void a_reservation_moves_to_the_earliest_beside_the_others(void **state)
{
    struct cs_splitmix random = {14};
    static struct boxes b;
    int moves = 0;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_sched_free_times p;

        boxes_init(&b, &random, 20 + below(&random, MOST - 20));
        cs_sched_free_times_init(&p, &b.in, arena);
        for (int k = 0; k < 8; k++)
            b.procs[k] = 1;
        begin_running(&p, &b, 8, arena);
        for (int k = b.count; k < b.in.count; k++)
            boxes_add(&b, k, cs_sched_free_times_reserve(&p, k));
        for (int k = 0; k < 8; k++)
            cs_sched_free_times_give_back(&p, b.rank[k], b.start[k]);
        for (int k = 0; k < 8; k++)
            b.start[k] = -1e6;
        for (int i = 8; i < b.count; i++) {
            double begin = b.start[i], want;
            int step = cs_sched_free_times_before(&p, b.rank[i], begin);

            b.start[i] = -1e6;
            want = earliest(&b, b.rank[i]);
            assert_int_equal(step >= 0, want < begin);
            b.start[i] = begin;
            if (step < 0)
                continue;
            b.start[i] = cs_sched_free_times_move(&p, b.rank[i], begin, step);
            assert_true(b.start[i] == want);
            assert_same_steps(&p, &b);
            moves++;
        }
        cs_arena_destroy(arena);
    }
    assert_true(moves > 100);
}

/* With bits, with the tree of instances that learn, and with the line of those that arrive. */
static void the_candidate_is_the_first_that_could_start_now(void **state)
{
    static struct cs_sched_place place[MOST];
    struct cs_splitmix random = {13};
    static struct boxes b;

    (void)state;
    for (int k = 0; k < MOST; k++)
        place[k].number = k;
    for (int round = 0; round < 300; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_sched_free_times p;
        struct cs_sched_queue queue;
        struct cs_sched_cursor at;
        int from, want;

        boxes_init(&b, &random, 20 + below(&random, MOST - 20));
        b.in.learns = round % 3 == 1;
        b.in.place = round % 3 == 2 ? place : NULL;
        cs_sched_free_times_init(&p, &b.in, arena);
        cs_sched_queue_init(&queue, &b.in, arena);
        cs_sched_queue_fill(&queue);
        for (int k = 0; k < b.in.count && b.in.place; k++)
            cs_sched_queue_add(&queue, k);
        begin_running(&p, &b, 5, arena);
        for (int k = 0; k < 15; k++) {
            if (k >= b.count)
                boxes_add(&b, k, cs_sched_free_times_reserve(&p, k));
            cs_sched_queue_remove(&queue, k);
        }
        from = want = below(&random, b.in.count);
        want = want < 15 ? 15 : want;
        while (want < b.in.count && !fits_at(&b, want, b.now))
            want++;
        at = cs_sched_queue_find(&queue, &place[from]);
        assert_int_equal(cs_sched_free_times_candidate(&p, &queue, &at),
                         want < b.in.count ? want : -1);
        cs_arena_destroy(arena);
    }
}

static void lanes_answer_as_one_by_one(void **state)
{
    struct cs_splitmix random = {14};

    (void)state;
    for (int round = 0; round < 300; round++) {
        int v[CS_LANES], count = 1 + below(&random, CS_LANES), bound = below(&random, 9) - 1;
        uint64_t bits;

        for (int i = 0; i < CS_LANES; i++)
            v[i] = below(&random, 2) ? below(&random, 9) - 1 : INT32_MAX;
        bits = cs_lanes_at_least(v, count, bound);
        for (int i = 0; i < count; i++)
            assert_int_equal(bits >> i & 1, v[i] >= bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reservations_are_the_earliest_that_fit),
        cmocka_unit_test(what_is_given_back_is_free_again),
        cmocka_unit_test(a_reservation_moves_to_the_earliest_beside_the_others),
        cmocka_unit_test(the_candidate_is_the_first_that_could_start_now),
        cmocka_unit_test(lanes_answer_as_one_by_one),
    };

    return cmocka_run_group_tests_name("rigid_free_times", tests, NULL, NULL);
}
