/* together.c - cores, then a depth-first search over bitsets of slots.
 *
 * Source: spec/volatile.md 6 ((k,L)-core reduction and search; the problem is NP-hard, theorem
 * 4.1).
 * Idea: parts that share fewer than `shared` slots with the choice, and slots in which the
 * remaining parts have too little capacity, are dropped until both sets are stable; then the part
 * with the most slots is chosen first.  Capacity per slot is counted for 64 slots in parallel, with
 * a word for each binary digit.
 * Invariants: the reduction drops no part or slot of any solution; after YES the chosen parts have
 * capacity for all tasks and `end` is the slot after the first `shared` common ones; OPEN only when
 * the limit was reached in a branch that the reduction does not exclude.
 * Complexity: exponential in the number of parts that are chosen; a reduction pass costs O(parts x
 * words x digits), digits = log2(sum of capacities).
 * Constant: DIGITS 40, binary digits of a sum of capacities; a limit, not tuned.
 */
#include "problems/volatile/together.h"

#include "base/bug.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 40

/* A part that may still be chosen, and the slots that it shares with those that are. */
struct entry {
    const struct cs_volatile_part *part;
    int size;
};

/* The state after `depth` choices: slots in words low .. high. */
struct level {
    uint64_t *common;
    struct entry *entry;
    int entries, entry_room;
    int low, high;
};

struct cs_volatile_together_room {
    struct cs_arena *arena;
    int words, shared, end;
    struct level *level; /* by depth */
    uint64_t *digit[DIGITS];
};

struct cs_volatile_together *cs_volatile_together_create(int hosts, int slots, int choices,
                                                         struct cs_arena *arena)
{
    struct cs_volatile_together *t = CS_NEW(arena, struct cs_volatile_together);
    struct cs_volatile_together_room *r = CS_NEW(arena, struct cs_volatile_together_room);

    r->arena = arena;
    r->words = slots / 64 + 1;
    choices = choices < hosts ? choices : hosts;
    r->level = CS_NEW_ARRAY(arena, struct level, choices + 1);
    for (int d = 0; d <= choices; d++)
        r->level[d].common = CS_NEW_ARRAY(arena, uint64_t, r->words);
    *t = (struct cs_volatile_together){
        .slots = slots,
        .up = CS_NEW_ARRAY(arena, uint64_t *, hosts),
        .choice = CS_NEW_ARRAY(arena, const struct cs_volatile_part *, choices + 1),
        .room = r};
    for (int q = 0; q < hosts; q++)
        t->up[q] = CS_NEW_ARRAY(arena, uint64_t, r->words);
    return t;
}

/* Bits from .. to - 1 of word i. */
static uint64_t together_mask(int i, int from, int to)
{
    uint64_t bits = ~(uint64_t)0;

    if (i == from / 64)
        bits <<= from % 64;
    if (i == to / 64)
        bits &= ((uint64_t)1 << to % 64) - 1;
    return bits;
}

void cs_volatile_together_set_up(struct cs_volatile_together *t, int host, int from, int to)
{
    for (int i = from / 64; i <= to / 64; i++)
        t->up[host][i] |= together_mask(i, from, to);
}

static int together_least(int a, int b)
{
    return a < b ? a : b;
}

static int together_most(int a, int b)
{
    return a > b ? a : b;
}

/* Words of the level that the part reaches. */
static void together_reach(const struct level *level, const struct cs_volatile_part *part, int *low,
                           int *high)
{
    *low = together_most(level->low, part->from / 64);
    *high = together_least(level->high, part->to / 64);
}

static int count_common(struct cs_volatile_together *t, const struct level *level,
                        const struct cs_volatile_part *part)
{
    const uint64_t *up = t->up[part->host];
    int low, high, count = 0;

    together_reach(level, part, &low, &high);
    for (int i = low; i <= high; i++)
        count +=
            __builtin_popcountll(level->common[i] & up[i] & together_mask(i, part->from, part->to));
    t->spent += 1 + (high > low ? high - low : 0);
    return count;
}

/* Keep the parts that share enough slots with the level; returns their room. */
static int64_t keep_parts(struct cs_volatile_together *t, struct level *level, int tasks)
{
    int64_t room = 0;
    int kept = 0;

    for (int i = 0; i < level->entries; i++) {
        struct entry *entry = &level->entry[i];

        entry->size = count_common(t, level, entry->part);
        if (entry->size < t->room->shared)
            continue;
        room += together_least(entry->part->room, tasks);
        level->entry[kept++] = *entry;
    }
    level->entries = kept;
    return room;
}

/* Add `room` to the counters of these slots of word i: 64 counters in parallel, a word for each
 * binary digit. */
static void together_add(uint64_t *const *digit, int digits, int i, uint64_t slots, int room)
{
    uint64_t carry = 0;

    for (int d = 0; d < digits; d++) {
        uint64_t more = d < 31 && room >> d & 1 ? slots : 0, old = digit[d][i];

        digit[d][i] = old ^ more ^ carry;
        carry = (old & more) | (old & carry) | (more & carry);
    }
}

static void count_room(struct cs_volatile_together *t, const struct level *level, int digits,
                       int tasks)
{
    uint64_t *const *digit = t->room->digit;

    for (int d = 0; d < digits; d++)
        memset(digit[d] + level->low, 0, (size_t)(level->high - level->low + 1) * sizeof **digit);
    for (int e = 0; e < level->entries; e++) {
        const struct cs_volatile_part *part = level->entry[e].part;
        int low, high;

        together_reach(level, part, &low, &high);
        for (int i = low; i <= high; i++)
            together_add(digit, digits, i,
                         t->up[part->host][i] & together_mask(i, part->from, part->to),
                         together_least(part->room, tasks));
        t->spent += 1 + (high > low ? high - low : 0);
    }
}

/* Slots of word i whose counters are at least `tasks`, compared from the highest digit on. */
static uint64_t together_covered(uint64_t *const *digit, int digits, int i, int tasks)
{
    uint64_t less = 0, same = ~(uint64_t)0;

    for (int d = digits - 1; d >= 0; d--) {
        uint64_t wanted = d < 31 && tasks >> d & 1 ? ~(uint64_t)0 : 0;

        less |= same & ~digit[d][i] & wanted;
        same &= ~(digit[d][i] ^ wanted);
    }
    return ~less;
}

static int digits_of(int64_t number)
{
    int digits = 0;

    while (number >> digits)
        digits++;
    return digits;
}

/* Drop the slots in which there is no room for the tasks; returns how many are left. */
static int keep_slots(struct cs_volatile_together *t, struct level *level, int64_t room, int tasks)
{
    struct cs_volatile_together_room *r = t->room;
    int digits = digits_of(room), count = 0;

    CS_REQUIRE(digits <= DIGITS);
    for (int d = 0; d < digits; d++)
        if (!r->digit[d])
            r->digit[d] = CS_NEW_ARRAY(r->arena, uint64_t, r->words);
    count_room(t, level, digits, tasks);
    for (int i = level->low; i <= level->high; i++) {
        if (level->common[i])
            level->common[i] &= together_covered(r->digit, digits, i, tasks);
        count += __builtin_popcountll(level->common[i]);
    }
    return count;
}

/* Drop parts and slots until no more can be dropped; returns the room of the parts, 0 for too
 * little. */
static int64_t together_reduce(struct cs_volatile_together *t, struct level *level, int tasks)
{
    int64_t room;
    int slots = -1, before;

    do {
        before = slots;
        room = keep_parts(t, level, tasks);
        if (room < tasks)
            return 0;
        slots = keep_slots(t, level, room, tasks);
        if (slots < t->room->shared)
            return 0;
    } while (slots != before);
    return room;
}

/* The part with the most slots first, then with the most room, then the earlier one. */
static int by_size(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->part->room != y->part->room)
        return x->part->room > y->part->room ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

static void together_make_room(struct cs_volatile_together *t, struct level *level, int entries)
{
    if (entries <= level->entry_room)
        return;
    level->entry_room = 2 * entries;
    level->entry = CS_NEW_ARRAY(t->room->arena, struct entry, level->entry_room);
}

/* The level below: with one more part, and those after it. */
static void together_choose(struct cs_volatile_together *t, int depth, int number)
{
    struct level *level = &t->room->level[depth], *next = level + 1;
    const struct cs_volatile_part *part = level->entry[number].part;

    t->choice[depth] = part;
    together_reach(level, part, &next->low, &next->high);
    for (int i = next->low; i <= next->high; i++)
        next->common[i] =
            level->common[i] & t->up[part->host][i] & together_mask(i, part->from, part->to);
    next->entries = level->entries - number - 1;
    together_make_room(t, next, next->entries);
    if (next->entries)
        memcpy(next->entry, level->entry + number + 1, (size_t)next->entries * sizeof *next->entry);
}

static void together_found(struct cs_volatile_together *t, int depth)
{
    const struct level *level = &t->room->level[depth];
    int left = t->room->shared, i = level->low;
    uint64_t word;

    t->choices = depth;
    for (; left > __builtin_popcountll(level->common[i]); i++)
        left -= __builtin_popcountll(level->common[i]);
    for (word = level->common[i]; left > 1; left--)
        word &= word - 1;
    t->end = 64 * i + __builtin_ctzll(word) + 1;
}

/* Can parts of this level have room for so many tasks more? */
static enum cs_volatile_answer together_extend(struct cs_volatile_together *t, int depth, int tasks)
{
    struct level *level = &t->room->level[depth];
    int64_t room;

    if (tasks <= 0) {
        together_found(t, depth);
        return CS_VOLATILE_YES;
    }
    room = together_reduce(t, level, tasks);
    if (room == 0)
        return CS_VOLATILE_NO;
    if (t->patience && t->spent >= t->patience)
        return CS_VOLATILE_OPEN;
    qsort(level->entry, (size_t)level->entries, sizeof *level->entry, by_size);
    for (int i = 0; room >= tasks; i++) {
        int here = level->entry[i].part->room;
        enum cs_volatile_answer answer;

        together_choose(t, depth, i);
        answer = together_extend(t, depth + 1, tasks - here);
        if (answer != CS_VOLATILE_NO)
            return answer;
        room -= together_least(here, tasks);
    }
    return CS_VOLATILE_NO;
}

enum cs_volatile_answer cs_volatile_together_search(struct cs_volatile_together *t,
                                                    const struct cs_volatile_part *part, int parts,
                                                    int end, int tasks, int shared)
{
    struct level *level = &t->room->level[0];

    if (shared > end)
        return CS_VOLATILE_NO;
    t->room->shared = shared;
    level->low = 0;
    level->high = end / 64;
    for (int i = 0; i <= level->high; i++)
        level->common[i] = together_mask(i, 0, end);
    together_make_room(t, level, parts);
    level->entries = parts;
    for (int i = 0; i < parts; i++)
        level->entry[i] = (struct entry){.part = &part[i]};
    return together_extend(t, 0, tasks);
}
