/* processors.c - which processors are free: a bit set of two levels.
 *
 * Source: this project (the rule "lowest free numbers" is in policy.h).
 *
 * Invariants: bit w of some[] is set exactly if free[w] is not 0; the intervals of a set ascend
 * and do not touch; freed arrays of intervals are kept in lists by size, powers of two, for later
 * sets.
 *
 * Complexity: take and give cost one step for each interval, and one for each 64 processors of it;
 * a search skips 4,096 processors in use at a time.
 */
#include "sched/processors.h"

#include "base/bug.h"

#include <string.h>

struct cs_sched_processors_spare {
    struct cs_sched_processors_spare *next;
};

static inline int first_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* `count` >= 1 ones from bit `from` on, all within the word. */
static inline uint64_t processors_ones(int from, int count)
{
    return ~(uint64_t)0 >> (64 - count) << from;
}

static inline void give_bits(struct cs_sched_processors *procs, unsigned word, uint64_t bits)
{
    procs->free[word] |= bits;
    procs->some[word / 64] |= (uint64_t)1 << (word % 64);
}

static void give_interval(struct cs_sched_processors *procs, struct cs_interval interval)
{
    unsigned first = (unsigned)interval.first, last = (unsigned)interval.last;
    uint64_t from = ~(uint64_t)0 << (first % 64), to = ~(uint64_t)0 >> (63 - last % 64);

    if (first / 64 == last / 64) {
        give_bits(procs, first / 64, from & to);
        return;
    }
    give_bits(procs, first / 64, from);
    for (unsigned word = first / 64 + 1; word < last / 64; word++)
        give_bits(procs, word, ~(uint64_t)0);
    give_bits(procs, last / 64, to);
}

void cs_sched_processors_init(struct cs_sched_processors *procs, int machine,
                              struct cs_arena *arena)
{
    int words = (machine - 1) / 64 + 1;

    *procs = (struct cs_sched_processors){
        .arena = arena,
        .words = words,
        .free = CS_NEW_ARRAY(arena, uint64_t, words),
        .some = CS_NEW_ARRAY(arena, uint64_t, words / 64 + 1),
    };
    give_interval(procs, (struct cs_interval){0, machine - 1});
}

static struct cs_interval *take_room(struct cs_sched_processors *procs, int size)
{
    struct cs_sched_processors_spare *spare = procs->spare[size];

    if (!spare)
        return CS_NEW_ARRAY(procs->arena, struct cs_interval, (size_t)1 << size);
    procs->spare[size] = spare->next;
    return (struct cs_interval *)(void *)spare;
}

static void give_room(struct cs_sched_processors *procs, struct cs_interval *room, int size)
{
    struct cs_sched_processors_spare *spare = (struct cs_sched_processors_spare *)(void *)room;

    spare->next = procs->spare[size];
    procs->spare[size] = spare;
}

static void processors_grow(struct cs_sched_processors *procs, struct cs_sched_processor_set *set)
{
    int size = set->interval ? set->size + 1 : 2;
    struct cs_interval *room = take_room(procs, size);

    if (set->interval) {
        memcpy(room, set->interval, (size_t)set->count * sizeof *room);
        give_room(procs, set->interval, set->size);
    }
    set->interval = room;
    set->size = size;
}

/* Processors first .. last join the set, which ends before them. */
static void processors_append(struct cs_sched_processors *procs, struct cs_sched_processor_set *set,
                              int first, int last)
{
    if (set->count && set->interval[set->count - 1].last == first - 1) {
        set->interval[set->count - 1].last = last;
        return;
    }
    if (!set->interval || set->count == 1 << set->size)
        processors_grow(procs, set);
    set->interval[set->count++] = (struct cs_interval){first, last};
}

/* Up to `wanted` of the lowest bits of a word; returns how many. */
static int take_of_word(struct cs_sched_processors *procs, int word, int wanted,
                        struct cs_sched_processor_set *set)
{
    uint64_t bits = procs->free[word];
    int taken = 0;

    while (bits && taken < wanted) {
        int from = first_bit(bits), run = ~(bits >> from) ? first_bit(~(bits >> from)) : 64;

        if (run > wanted - taken)
            run = wanted - taken;
        processors_append(procs, set, word * 64 + from, word * 64 + from + run - 1);
        bits &= ~processors_ones(from, run);
        taken += run;
    }
    procs->free[word] = bits;
    if (!bits)
        procs->some[word / 64] &= ~((uint64_t)1 << (word % 64));
    return taken;
}

void cs_sched_processors_take(struct cs_sched_processors *procs, int wanted,
                              struct cs_sched_processor_set *set)
{
    CS_REQUIRE(set->count == 0);
    for (int s = 0; wanted > 0; s++) {
        CS_REQUIRE(s <= (procs->words - 1) / 64);
        while (wanted > 0 && procs->some[s])
            wanted -= take_of_word(procs, s * 64 + first_bit(procs->some[s]), wanted, set);
    }
}

void cs_sched_processors_give(struct cs_sched_processors *procs, struct cs_sched_processor_set *set)
{
    for (int i = 0; i < set->count; i++)
        give_interval(procs, set->interval[i]);
    if (set->interval)
        give_room(procs, set->interval, set->size);
    *set = (struct cs_sched_processor_set){0};
}
