/* replay_procs.c - a bit set of two levels. */
#include "rigid/replay_procs.h"

#include "base/bug.h"

#include <string.h>

static inline int first_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* `count` ones from bit `from` on, all within the word. */
static inline uint64_t ones(int from, int count)
{
    return (count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1) << from;
}

static void note(struct cs_rigid_replay_procs *procs, int word)
{
    uint64_t bit = (uint64_t)1 << (word % 64);

    if (procs->free[word])
        procs->some[word / 64] |= bit;
    else
        procs->some[word / 64] &= ~bit;
}

void cs_rigid_replay_procs_init(struct cs_rigid_replay_procs *procs, int machine,
                                struct cs_arena *arena)
{
    struct cs_interval all = {0, machine - 1};

    procs->words = (machine - 1) / 64 + 1;
    procs->free = CS_NEW_ARRAY(arena, uint64_t, procs->words);
    procs->some = CS_NEW_ARRAY(arena, uint64_t, procs->words / 64 + 1);
    cs_rigid_replay_procs_give(procs, &(struct cs_rigid_replay_set){&all, 1, 1});
}

/* Processors first .. last join the set, which ends before them. */
static void append(struct cs_rigid_replay_set *set, int first, int last, struct cs_arena *arena)
{
    if (set->count && set->interval[set->count - 1].last == first - 1) {
        set->interval[set->count - 1].last = last;
        return;
    }
    if (set->count == set->room) {
        struct cs_interval *old = set->interval;

        set->room = set->room ? 2 * set->room : 4;
        set->interval = CS_NEW_ARRAY(arena, struct cs_interval, set->room);
        if (set->count)
            memcpy(set->interval, old, (size_t)set->count * sizeof *old);
    }
    set->interval[set->count++] = (struct cs_interval){first, last};
}

/* Up to `wanted` of the lowest bits of a word; returns how many. */
static int take_of_word(struct cs_rigid_replay_procs *procs, int word, int wanted,
                        struct cs_rigid_replay_set *set, struct cs_arena *arena)
{
    uint64_t bits = procs->free[word];
    int taken = 0;

    while (bits && taken < wanted) {
        int from = first_bit(bits), run = ~(bits >> from) ? first_bit(~(bits >> from)) : 64;

        if (run > 64 - from)
            run = 64 - from;
        if (run > wanted - taken)
            run = wanted - taken;
        append(set, word * 64 + from, word * 64 + from + run - 1, arena);
        bits &= ~ones(from, run);
        taken += run;
    }
    procs->free[word] = bits;
    note(procs, word);
    return taken;
}

void cs_rigid_replay_procs_take(struct cs_rigid_replay_procs *procs, int wanted,
                                struct cs_rigid_replay_set *set, struct cs_arena *arena)
{
    set->count = 0;
    for (int s = 0; wanted > 0; s++) {
        CS_REQUIRE(s <= (procs->words - 1) / 64);
        while (wanted > 0 && procs->some[s])
            wanted -= take_of_word(procs, s * 64 + first_bit(procs->some[s]), wanted, set, arena);
    }
}

void cs_rigid_replay_procs_give(struct cs_rigid_replay_procs *procs,
                                const struct cs_rigid_replay_set *set)
{
    for (int i = 0; i < set->count; i++) {
        int at = set->interval[i].first, last = set->interval[i].last;

        while (at <= last) {
            int run = 64 - at % 64;

            if (run > last - at + 1)
                run = last - at + 1;
            procs->free[at / 64] |= ones(at % 64, run);
            note(procs, at / 64);
            at += run;
        }
    }
}
