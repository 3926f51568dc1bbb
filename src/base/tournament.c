/* tournament.c - a tree of maxima. */
#include "base/tournament.h"

#include "base/bug.h"

#include <math.h>
#include <string.h>

static int leaves_for(int count)
{
    int leaves = 1;

    while (leaves < count)
        leaves *= 2;
    return leaves;
}

void cs_tournament_init(struct cs_tournament *t, int most, struct cs_arena *arena)
{
    CS_REQUIRE(most >= 0 && most <= 1 << 29);
    *t = (struct cs_tournament){
        .most = most,
        .leaves = 1,
        .key = CS_NEW_ARRAY(arena, double, 2 * leaves_for(most)),
    };
    t->key[0] = -INFINITY;
}

double *cs_tournament_begin(struct cs_tournament *t, int count)
{
    CS_REQUIRE(count >= 0 && count <= t->most);
    t->leaves = leaves_for(count);
    for (int i = count; i < t->leaves; i++)
        t->key[t->leaves + i] = -INFINITY;
    return t->key + t->leaves;
}

void cs_tournament_clear(struct cs_tournament *t, int count)
{
    cs_tournament_begin(t, count);
    for (int at = 1; at < 2 * t->leaves; at++)
        t->key[at] = -INFINITY;
}

void cs_tournament_copy(struct cs_tournament *to, const struct cs_tournament *from)
{
    CS_REQUIRE(to->most == from->most);
    to->leaves = from->leaves;
    memcpy(to->key, from->key, 2 * (size_t)from->leaves * sizeof *to->key);
}

void cs_tournament_play(struct cs_tournament *t)
{
    for (int round = t->leaves / 2; round > 0; round /= 2)
        for (int at = round; at < 2 * round; at++) {
            const double left = t->key[2 * at], right = t->key[2 * at + 1];

            t->key[at] = left > right ? left : right;
        }
}
