/* blocks: the placement of jobs against the rule, followed processor by processor. */
#include "model/blocks.h"
#include "base/rng.h"
#include "model/procset.h"
#include "unit/kit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MOST 4096
#define JOBS 512

/* A bitmap: until when each processor is held; NaN: it is free. */
struct map {
    int procs, free;
    double until[MOST];
    int job[MOST];
};

enum state { WAITS, RUNS, SHRUNK };

struct world {
    struct cs_rng rng;
    struct map map;
    struct cs_blocks blocks;
    struct cs_blocks_set set[JOBS];
    enum state state[JOBS];
};

static int below(struct world *w, int most)
{
    return (int)cs_rng_below(&w->rng, (uint64_t)most);
}

static double distance(double a, double b)
{
    return a == b ? 0 : fabs(a - b);
}

/* The end of the free block that begins here. */
static int last_free(const struct map *map, int first)
{
    while (first + 1 < map->procs && isnan(map->until[first + 1]))
        first++;
    return first;
}

/* The smallest block that holds `wanted`, else the largest; of several the lowest. */
static struct cs_interval best_block(const struct map *map, int wanted)
{
    struct cs_interval best = {0, -1};

    for (int p = 0; p < map->procs; p++) {
        int last = p, size, found = best.last - best.first + 1;

        if (!isnan(map->until[p]))
            continue;
        last = last_free(map, p);
        size = last - p + 1;
        if (found >= wanted ? size >= wanted && size < found : size > found)
            best = (struct cs_interval){p, last};
        p = last;
    }
    return best;
}

static bool on_low_side(const struct map *map, struct cs_interval block, double end)
{
    double low = block.first > 0 ? map->until[block.first - 1] : INFINITY;
    double high = block.last + 1 < map->procs ? map->until[block.last + 1] : INFINITY;

    return distance(low, end) <= distance(high, end);
}

static int map_take(struct map *map, int job, int wanted, double end, bool lowest,
                    struct cs_interval *out)
{
    int count = 0;

    map->free -= wanted;
    while (wanted > 0) {
        struct cs_interval block = best_block(map, wanted);
        int size;

        for (int p = map->procs - 1; lowest && p >= 0; p--)
            if (isnan(map->until[p]))
                block = (struct cs_interval){p, last_free(map, p)};
        size = block.last - block.first + 1 < wanted ? block.last - block.first + 1 : wanted;
        if (lowest || on_low_side(map, block, end))
            block.last = block.first + size - 1;
        else
            block.first = block.last - size + 1;
        out[count++] = block;
        for (int p = block.first; p <= block.last; p++)
            map->until[p] = end, map->job[p] = job;
        wanted -= size;
    }
    return cs_procset_normalise(out, count);
}

/* Its processors that are still its own; they are free afterwards. */
static int map_release(struct map *map, int job, struct cs_interval *out)
{
    int count = 0;

    for (int p = 0; p < map->procs; p++)
        if (map->job[p] == job && !isnan(map->until[p])) {
            out[count++] = (struct cs_interval){p, p};
            map->until[p] = NAN;
            map->free++;
        }
    return cs_procset_normalise(out, count);
}

static void start_job(struct world *w, int slot, int widest, bool lowest)
{
    static struct cs_interval expected[MOST];
    struct cs_blocks_set *set = &w->set[slot];
    const int most = widest < w->map.free ? widest : w->map.free;
    const int wanted = below(w, 50) ? 1 + below(w, most) : w->map.free;
    const double end = below(w, 20) ? below(w, 12) : INFINITY;
    const int count = map_take(&w->map, slot, wanted, end, lowest, expected);

    if (lowest)
        cs_blocks_take_lowest(&w->blocks, wanted, end, set);
    else
        cs_blocks_take(&w->blocks, wanted, end, set);
    assert_int_equal(set->count, count);
    assert_memory_equal(set->interval, expected, (size_t)count * sizeof *expected);
    w->state[slot] = RUNS;
}

static void end_job(struct world *w, int slot)
{
    static struct cs_interval held[MOST];
    const int count = map_release(&w->map, slot, held);

    if (w->state[slot] == RUNS)
        cs_blocks_release(&w->blocks, &w->set[slot]);
    else
        cs_blocks_release_some(&w->blocks, held, count);
    w->set[slot] = (struct cs_blocks_set){0};
    w->state[slot] = WAITS;
}

/* Any stretch of held processors, whatever jobs hold them. */
static void release_stretch(struct world *w)
{
    struct cs_interval gone = {below(w, w->map.procs), 0};

    gone.last = gone.first;
    for (int p = gone.first; p < w->map.procs && !isnan(w->map.until[p]); p++) {
        w->state[w->map.job[p]] = SHRUNK;
        w->map.until[p] = NAN;
        w->map.free++;
        gone.last = p;
        if (!below(w, 20))
            break;
    }
    if (isnan(w->map.until[gone.first]) && w->map.free > w->blocks.free)
        cs_blocks_release_some(&w->blocks, &gone, 1);
}

static void follow(int procs, int widest, int steps, uint64_t seed, bool lowest)
{
    struct cs_arena *arena = cs_arena_create();
    struct world *w = cs_arena_alloc(arena, 1, sizeof *w);

    cs_rng_init(&w->rng, seed, 1, 0);
    w->map.procs = w->map.free = procs;
    for (int p = 0; p < procs; p++)
        w->map.until[p] = NAN;
    cs_blocks_init(&w->blocks, procs, arena);
    for (int step = 0; step < steps; step++) {
        int slot = below(w, JOBS);

        if (below(w, 100) == 0)
            release_stretch(w);
        else if (w->state[slot] != WAITS)
            end_job(w, slot);
        else if (w->map.free > 0)
            start_job(w, slot, widest, lowest);
        assert_int_equal(w->blocks.free, w->map.free);
    }
    for (int slot = 0; slot < JOBS; slot++)
        if (w->state[slot] != WAITS)
            end_job(w, slot);
    start_job(w, 0, procs, false);
    end_job(w, 0);
    cs_blocks_take(&w->blocks, procs, 1, &w->set[0]);
    assert_int_equal(w->set[0].count, 1);
    cs_arena_destroy(arena);
}

static void places_jobs_by_the_rule(void **state)
{
    (void)state;
    follow(1, 1, 100, 1, false);
    follow(7, 4, KIT_ROUNDS(10000), 2, false);
    follow(64, 20, KIT_ROUNDS(20000), 3, false);
    follow(300, 40, KIT_ROUNDS(30000), 4, false);
    follow(1000, 6, KIT_ROUNDS(20000), 5, false);
    follow(4096, 20, KIT_ROUNDS(20000), 6, false);
}

static void places_jobs_on_the_lowest_numbers(void **state)
{
    (void)state;
    follow(300, 40, KIT_ROUNDS(20000), 7, true);
}

static void needs_no_memory_for_processors(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_blocks blocks;
    struct cs_blocks_set a = {0}, b = {0}, c = {0};

    (void)state;
    cs_blocks_init(&blocks, INT_MAX, arena);
    cs_blocks_take(&blocks, INT_MAX - 5, 10, &a);
    cs_blocks_take(&blocks, 2, 10, &b);
    cs_blocks_take(&blocks, 3, 10, &c);
    assert_int_equal(a.interval[0].first, 0);
    assert_int_equal(b.interval[0].first, INT_MAX - 5);
    assert_int_equal(c.interval[0].last, INT_MAX - 1);
    cs_blocks_release(&blocks, &a);
    cs_blocks_release(&blocks, &c);
    assert_int_equal(blocks.free, INT_MAX - 2);
    cs_arena_destroy(arena);
}

/* Blocks 0-9, 20-22 and 30-39 are free; 10-19 end at 5, 23-29 at 9. */
static void chooses_the_block_and_its_side(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_interval gone[] = {{0, 9}, {20, 22}, {30, 39}};
    struct cs_blocks blocks;
    struct cs_blocks_set set[6] = {{0}};

    (void)state;
    cs_blocks_init(&blocks, 40, arena);
    cs_blocks_take(&blocks, 23, 5, &set[0]);
    cs_blocks_take(&blocks, 17, 9, &set[1]);
    cs_blocks_release_some(&blocks, gone, 3);
    cs_blocks_take(&blocks, 2, 8, &set[2]);
    assert_int_equal(set[2].interval[0].first, 21); /* the smallest, next to 23-29 */
    cs_blocks_take(&blocks, 4, 5, &set[3]);
    assert_int_equal(set[3].interval[0].first, 6); /* the lowest of two, next to 10-19 */
    cs_blocks_take(&blocks, 12, 1, &set[4]);
    assert_int_equal(set[4].count, 2); /* the largest, and the smallest for the rest */
    assert_int_equal(set[4].interval[1].first, 30);
    assert_int_equal(set[4].interval[0].first, 4);
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chooses_the_block_and_its_side),
        cmocka_unit_test(places_jobs_by_the_rule),
        cmocka_unit_test(places_jobs_on_the_lowest_numbers),
        cmocka_unit_test(needs_no_memory_for_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
