/* rigid_replay_parts: the ordered list, the plan and the processors of a replay, against plain
 * ones. */
#include "base/splitmix.h"
#include "model/procset.h"
#include "rigid/replay_list.h"
#include "rigid/replay_plan.h"
#include "rigid/replay_procs.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* The list against a plain sorted array, with enough entries for groups of blocks. */
#define MOST 9000

struct plain {
    int count;
    struct cs_rigid_replay_entry entry[MOST];
};

static int plain_find(const struct plain *p, const struct cs_rigid_replay_entry *entry)
{
    int at = 0;

    while (at < p->count && cs_rigid_replay_before(&p->entry[at], entry))
        at++;
    return at;
}

static void plain_insert(struct plain *p, const struct cs_rigid_replay_entry *entry)
{
    int at = plain_find(p, entry);

    memmove(p->entry + at + 1, p->entry + at, (size_t)(p->count++ - at) * sizeof *p->entry);
    p->entry[at] = *entry;
}

static void plain_remove(struct plain *p, int at)
{
    memmove(p->entry + at, p->entry + at + 1, (size_t)(--p->count - at) * sizeof *p->entry);
}

static void assert_same_list(const struct cs_rigid_replay_list *list, const struct plain *p)
{
    struct cs_rigid_replay_place place = {0, 0};
    const struct cs_rigid_replay_entry *entry;
    int64_t sum = 0, sums = 0;
    int count = 0;

    for (; (entry = cs_rigid_replay_list_at(list, &place)); place.at++) {
        assert_int_equal(entry->number, p->entry[count++].number);
        sum += entry->procs;
    }
    for (int b = 0; b < list->blocks; b++)
        sums += list->procs[b];
    assert_int_equal(sums, sum);
    assert_int_equal(count, p->count);
    assert_int_equal(list->count, p->count);
}

static void assert_same_answer(const struct cs_rigid_replay_list *list, const struct plain *p,
                               struct cs_splitmix *random)
{
    const double end[] = {1 + (double)cs_splitmix_below(random, 300), 400};
    const int later = (int)cs_splitmix_below(random, 40), last = (int)cs_splitmix_below(random, 4);
    const struct cs_rigid_replay_stairs stairs = {0.5, 0.25, 3, end,
                                                  (const int[]){later + last, last, 0}};
    int from = (int)cs_splitmix_below(random, (uint64_t)p->count + 1), at = from;
    struct cs_rigid_replay_place place;
    const struct cs_rigid_replay_entry *entry;

    place = from < p->count ? cs_rigid_replay_list_find(list, &p->entry[from])
                            : (struct cs_rigid_replay_place){list->blocks, 0};
    entry = cs_rigid_replay_list_first(list, &place, &stairs);
    while (at < p->count &&
           !cs_rigid_replay_under(&stairs, p->entry[at].procs, p->entry[at].seconds))
        at++;
    assert_int_equal(entry ? entry->number : -1, at < p->count ? p->entry[at].number : -1);
}

static void the_list_is_a_sorted_array(void **state)
{
    static struct plain p;
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {5};
    struct cs_rigid_replay_list list;

    (void)state;
    cs_rigid_replay_list_init(&list, arena);
    for (int number = 0; number < 40000; number++) {
        bool grow = number % 20000 < 14000;
        struct cs_rigid_replay_entry entry = {.number = number};

        entry.key = number < 20000 ? (double)cs_splitmix_below(&random, 500) : 0;
        entry.seconds = 20 + (double)cs_splitmix_below(&random, 600);
        entry.late = cs_splitmix_below(&random, 5) == 0 && number < 20000;
        entry.procs = 3 + (int)cs_splitmix_below(&random, 60);
        if (p.count < MOST && cs_splitmix_below(&random, 10) < (grow ? 8 : 2)) {
            cs_rigid_replay_list_insert(&list, &entry);
            plain_insert(&p, &entry);
        } else if (p.count > 0) {
            int at = (int)cs_splitmix_below(&random, (uint64_t)p.count);

            cs_rigid_replay_list_remove(&list, cs_rigid_replay_list_find(&list, &p.entry[at]));
            plain_remove(&p, at);
        }
        assert_same_answer(&list, &p, &random);
        if (number % 1000 == 0)
            assert_same_list(&list, &p);
    }
    while (p.count) {
        cs_rigid_replay_list_remove(&list, (struct cs_rigid_replay_place){0, 0});
        plain_remove(&p, 0);
    }
    assert_same_list(&list, &p);
    cs_arena_destroy(arena);
}

/* The plan against a list of boxes, where every instant is looked at anew. */
enum { PLANNED = 400, TOTAL = 60 };

struct boxes {
    int count;
    double from[PLANNED], until[PLANNED];
    int procs[PLANNED];
};

static int boxes_free(const struct boxes *b, double x)
{
    int free = TOTAL;

    for (int i = 0; i < b->count; i++)
        if (b->from[i] <= x && x < b->until[i])
            free -= b->procs[i];
    return free;
}

static bool boxes_fit(const struct boxes *b, double at, int procs, double seconds)
{
    double end = (at + seconds) + 0.5;

    if (boxes_free(b, at) < procs)
        return false;
    for (int i = 0; i < b->count; i++)
        if (b->from[i] > at && b->from[i] < end && boxes_free(b, b->from[i]) < procs)
            return false;
    return true;
}

static double boxes_earliest(const struct boxes *b, double now, int procs, double seconds)
{
    double best = INFINITY;

    if (boxes_fit(b, now, procs, seconds))
        return now;
    for (int i = 0; i < b->count; i++)
        if (b->until[i] > now && b->until[i] < best && boxes_fit(b, b->until[i], procs, seconds))
            best = b->until[i];
    return best;
}

/* The stairs at x: the least that is free from now to x. */
static void assert_stairs(struct cs_rigid_replay_plan *plan, const struct boxes *b, double now)
{
    const struct cs_rigid_replay_stairs stairs = cs_rigid_replay_plan_stairs(plan);
    int least = boxes_free(b, now);

    assert_true(stairs.now == now && stairs.free[0] == least);
    for (int s = 0; s + 1 < stairs.steps; s++) {
        assert_true(boxes_free(b, stairs.end[s]) == stairs.free[s + 1]);
        assert_true(stairs.free[s + 1] < stairs.free[s]);
        assert_true(s == 0 || stairs.end[s] > stairs.end[s - 1]);
    }
    for (int i = 0; i < b->count; i++)
        if (b->until[i] > now && boxes_free(b, fmax(now, b->from[i])) < least)
            least = boxes_free(b, fmax(now, b->from[i]));
    assert_int_equal(stairs.free[stairs.steps - 1], least);
}

static void the_plan_finds_the_earliest_slot(void **state)
{
    static struct boxes b;
    struct cs_rigid_replay_list running;
    struct cs_rigid_replay_plan plan;

    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_splitmix random = {seed};
        double now = 7;

        b.count = 0;
        cs_rigid_replay_list_init(&running, arena);
        cs_rigid_replay_plan_init(&plan, 0.5, arena);
        for (int i = 0; i < 100 && boxes_free(&b, now) > 2; i++) {
            struct cs_rigid_replay_entry entry = {.number = i};

            entry.key = 8 + (double)cs_splitmix_below(&random, 900) / 8;
            entry.procs = 1 + (int)cs_splitmix_below(&random, 2);
            cs_rigid_replay_list_insert(&running, &entry);
            b.from[b.count] = 0;
            b.until[b.count] = entry.key;
            b.procs[b.count++] = entry.procs;
        }
        cs_rigid_replay_plan_begin(&plan, now, boxes_free(&b, now), &running);
        while (b.count < PLANNED) {
            int procs = 1 + (int)cs_splitmix_below(&random, cs_splitmix_below(&random, 2) ? 60 : 6);
            double seconds = (1 + (double)cs_splitmix_below(&random, 1600)) / 16, at;

            if (cs_splitmix_below(&random, 8) == 0) {
                now += (double)cs_splitmix_below(&random, 256) / 8;
                cs_rigid_replay_plan_advance(&plan, now);
            }
            assert_int_equal(cs_rigid_replay_plan_fits(&plan, procs, seconds),
                             boxes_fit(&b, now, procs, seconds));
            at = boxes_earliest(&b, now, procs, seconds);
            assert_true(cs_rigid_replay_plan_reserve(&plan, procs, seconds) == at);
            b.from[b.count] = at;
            b.until[b.count] = (at + seconds) + 0.5;
            b.procs[b.count++] = procs;
            assert_stairs(&plan, &b, now);
        }
        assert_true(plan.blocks > 2);
        cs_arena_destroy(arena);
    }
}

static void the_lowest_processors_are_given(void **state)
{
    enum { MACHINE = 10007, HELD = 40 };
    static bool used[MACHINE];
    static struct cs_rigid_replay_set set[HELD];
    struct cs_arena *arena = cs_arena_create();
    struct cs_splitmix random = {11};
    struct cs_rigid_replay_procs procs;
    int free = MACHINE;

    (void)state;
    cs_rigid_replay_procs_init(&procs, MACHINE, arena);
    for (int turn = 0; turn < 4000; turn++) {
        struct cs_rigid_replay_set *s = &set[cs_splitmix_below(&random, HELD)];

        if (s->count == 0 && free > 0) {
            int wanted = 1 + (int)cs_splitmix_below(&random, (uint64_t)(free < 700 ? free : 700));
            int next = 0;

            cs_rigid_replay_procs_take(&procs, wanted, s);
            assert_true(cs_procset_well_formed(s->interval, s->count));
            assert_int_equal(cs_procset_size(s->interval, s->count), wanted);
            for (int i = 0; i < s->count; i++)
                for (int q = s->interval[i].first; q <= s->interval[i].last; q++) {
                    while (used[next])
                        next++;
                    assert_int_equal(q, next);
                    used[q] = true;
                }
            free -= wanted;
        } else if (s->count > 0) {
            for (int i = 0; i < s->count; i++)
                for (int q = s->interval[i].first; q <= s->interval[i].last; q++)
                    used[q] = false;
            free += (int)cs_procset_size(s->interval, s->count);
            cs_rigid_replay_procs_give(&procs, s);
            assert_int_equal(s->count, 0);
        }
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_a_sorted_array),
        cmocka_unit_test(the_plan_finds_the_earliest_slot),
        cmocka_unit_test(the_lowest_processors_are_given),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
