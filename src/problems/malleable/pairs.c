/* pairs.c - lists of pairs, the highest first, and a set of bits for the free ones.
 *
 * Source: spec/malleable.md 5 (owner of a pair) and 7 (Applying a plan); processors come in
 * pairs of buddies, 2 x and 2 x + 1.
 *
 * Invariants: a pair is in exactly one list or in the set of free ones; owner[] agrees with
 * both; lists fall in pair numbers; words of `free` below `lowest` are 0.
 *
 * Complexity: deal and copy O(pairs + tasks); give O(1) for each pair; take O(count + longest
 * walk of the task's list + words passed); list O(pairs of the task).
 */
#include "problems/malleable/pairs.h"

#include "base/bug.h"

#include <string.h>

static int pairs_words(const struct cs_malleable_pairs *p)
{
    return (p->pairs + 63) / 64;
}

void cs_malleable_pairs_init(struct cs_malleable_pairs *p, int count, int tasks,
                             struct cs_arena *arena)
{
    *p = (struct cs_malleable_pairs){.pairs = count, .tasks = tasks};
    p->owner = CS_NEW_ARRAY(arena, int, count);
    p->next = CS_NEW_ARRAY(arena, int, count);
    p->taken = CS_NEW_ARRAY(arena, int, count);
    p->head = CS_NEW_ARRAY(arena, int, tasks);
    p->free = CS_NEW_ARRAY(arena, uint64_t, pairs_words(p));
}

void cs_malleable_pairs_deal(struct cs_malleable_pairs *p, const int *procs)
{
    int at = 0;

    for (int i = 0; i < p->tasks; i++) {
        p->head[i] = -1;
        for (int left = procs[i] / 2; left > 0; left--, at++) {
            p->owner[at] = i;
            p->next[at] = p->head[i];
            p->head[i] = at;
        }
    }
    memset(p->free, 0, (size_t)pairs_words(p) * sizeof *p->free);
    p->lowest = at / 64;
    for (; at < p->pairs; at++) {
        p->owner[at] = -1;
        p->free[at / 64] |= UINT64_C(1) << (at % 64);
    }
}

void cs_malleable_pairs_copy(struct cs_malleable_pairs *to, const struct cs_malleable_pairs *from)
{
    const size_t pairs = (size_t)from->pairs;

    CS_REQUIRE(to->pairs == from->pairs && to->tasks == from->tasks);
    memcpy(to->owner, from->owner, pairs * sizeof *to->owner);
    memcpy(to->next, from->next, pairs * sizeof *to->next);
    memcpy(to->head, from->head, (size_t)from->tasks * sizeof *to->head);
    memcpy(to->free, from->free, (size_t)pairs_words(from) * sizeof *to->free);
    to->lowest = from->lowest;
}

/* The lowest free pair, which leaves. */
static int lowest_free(struct cs_malleable_pairs *p)
{
    uint64_t *word = p->free + p->lowest;
    int bit;

    while (!*word)
        CS_REQUIRE(++word < p->free + pairs_words(p));
    p->lowest = (int)(word - p->free);
    bit = __builtin_ctzll(*word);
    *word &= *word - 1;
    return 64 * p->lowest + bit;
}

void cs_malleable_pairs_take(struct cs_malleable_pairs *p, int task, int count)
{
    int *link = &p->head[task];

    for (int c = 0; c < count; c++)
        p->taken[c] = lowest_free(p);
    for (int c = count - 1; c >= 0; c--) {
        const int pair = p->taken[c];

        while (*link > pair)
            link = &p->next[*link];
        p->owner[pair] = task;
        p->next[pair] = *link;
        *link = pair;
        link = &p->next[pair];
    }
}

void cs_malleable_pairs_give(struct cs_malleable_pairs *p, int task, int count)
{
    for (; count > 0; count--) {
        const int pair = p->head[task];

        p->head[task] = p->next[pair];
        p->owner[pair] = -1;
        p->free[pair / 64] |= UINT64_C(1) << (pair % 64);
        if (pair / 64 < p->lowest)
            p->lowest = pair / 64;
    }
}

void cs_malleable_pairs_list(const struct cs_malleable_pairs *p, int task, int count, int *pair)
{
    for (int at = p->head[task]; at >= 0; at = p->next[at])
        pair[--count] = at;
    CS_REQUIRE(count == 0);
}
