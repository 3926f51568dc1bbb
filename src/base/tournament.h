/* tournament.h - which of some numbers is the largest, while one after the other changes.
 *
 * The larger of two advances to the next round, of equal ones that with the lower index. Set a
 * number to -INFINITY to exclude it. NaN is a bug that is not detected.
 *
 * A change takes one comparison a round and no branch, which is several times faster than a heap
 * (heap.h) if no other operation is needed. Memory belongs to the arena given to init.
 */
#ifndef CS_BASE_TOURNAMENT_H
#define CS_BASE_TOURNAMENT_H

#include "base/arena.h"

struct cs_tournament {
    int most;    /* numbers that there is room for */
    int leaves;  /* a power of two */
    double *key; /* key[0]: -INFINITY; key[1]: the largest; key[leaves + i]: number i */
};

/* Room for up to `most` numbers. */
void cs_tournament_init(struct cs_tournament *t, int most, struct cs_arena *arena);

/* Where to write 0 .. count - 1 of them (from 1 on), before cs_tournament_play. */
double *cs_tournament_begin(struct cs_tournament *t, int count);

/* All of them are -INFINITY. */
void cs_tournament_clear(struct cs_tournament *t, int count);

/* Copy one to another of the same capacity. */
void cs_tournament_copy(struct cs_tournament *to, const struct cs_tournament *from);

/* All rounds.  O(count) */
void cs_tournament_play(struct cs_tournament *t);

static inline double cs_tournament_largest(const struct cs_tournament *t)
{
    return t->key[1];
}

/* The index of the largest. */
static inline int cs_tournament_winner(const struct cs_tournament *t)
{
    int at = 1;

    while (at < t->leaves)
        at = 2 * at + (t->key[2 * at] < t->key[at]);
    return at - t->leaves;
}

/* The first index whose number is at least this one; -1: none. */
static inline int cs_tournament_first(const struct cs_tournament *t, double least)
{
    int at = 1;

    if (!(t->key[1] >= least))
        return -1;
    while (at < t->leaves)
        at = 2 * at + (t->key[2 * at] < least);
    return at - t->leaves;
}

/* The largest of all but one. */
static inline double cs_tournament_largest_but(const struct cs_tournament *t, int index)
{
    double most = t->key[0];

    for (int at = t->leaves + index; at > 1; at /= 2) {
        const double other = t->key[at ^ 1];

        most = most > other ? most : other;
    }
    return most;
}

static inline void cs_tournament_set(struct cs_tournament *t, int index, double key)
{
    int at = t->leaves + index;

    t->key[at] = key;
    while (at > 1) {
        const double other = t->key[at ^ 1];

        key = key > other ? key : other;
        at /= 2;
        t->key[at] = key;
    }
}

#endif
