/* offline.c - the shortest prefix of the slots with k hosts that share L of them, for some k.
 *
 * Source: section IV of the paper (NP-hard, theorem 4.1); spec/volatile.md 6.
 * Idea: mu = 1 needs m hosts with w common up slots, mu = infinity k hosts with ceil(m / k) w for
 * some k; only distinct values of k matter.  The least prefix is found by binary search.
 * Invariants: an iteration that fits a prefix fits every longer one; OPEN is reported as soon as
 * one search has reached its limit, so a number is always exact.
 * Complexity: O(log slots) prefixes, each at most m searches of together.c (exponential in k at
 * worst).  Part II.5 of spec/volatile.md: 20 ms for p = 20, 1,000 slots and m <= 10 in the
 * reference code.
 */
#include "problems/volatile/offline.h"

#include "problems/volatile/together.h"

#include <stdbool.h>
#include <string.h>

/* Some number of hosts with which an iteration ends in the prefix. */
static enum cs_volatile_answer offline_feasible(const struct cs_volatile_offline *problem,
                                                struct cs_volatile_together *together,
                                                struct cs_volatile_part *part, int prefix, bool one)
{
    int m = problem->tasks, last = 0;

    for (int q = 0; q < problem->hosts; q++)
        part[q].to = prefix;
    for (int each = 1; each <= (one ? 1 : m); each++) {
        int k = (m + each - 1) / each;
        int64_t shared = (int64_t)each * problem->slots;
        enum cs_volatile_answer here;

        if (k == last || shared > prefix)
            continue;
        last = k;
        here = cs_volatile_together_search(together, part, problem->hosts, prefix, k, (int)shared);
        if (here != CS_VOLATILE_NO)
            return here;
    }
    return CS_VOLATILE_NO;
}

static struct cs_volatile_together *offline_prepare(const struct cs_volatile_offline *problem,
                                                    int length, struct cs_arena *arena)
{
    struct cs_volatile_together *together =
        cs_volatile_together_create(problem->hosts, length, problem->tasks, arena);

    together->patience = problem->patience;
    for (int q = 0; q < problem->hosts; q++)
        for (int t = 0; t < length; t++)
            if (problem->trace[q][t] == 'u')
                cs_volatile_together_set_up(together, q, t, t + 1);
    return together;
}

/* An iteration that ends in a prefix also ends in a longer one. */
static int64_t offline_earliest(const struct cs_volatile_offline *problem, bool one)
{
    int low = 0, high = problem->hosts > 0 ? (int)strlen(problem->trace[0]) : 0;
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_together *together = offline_prepare(problem, high, arena);
    struct cs_volatile_part *part = CS_NEW_ARRAY(arena, struct cs_volatile_part, problem->hosts);
    enum cs_volatile_answer answer;

    for (int q = 0; q < problem->hosts; q++)
        part[q] = (struct cs_volatile_part){.host = q, .room = 1};
    answer = offline_feasible(problem, together, part, high, one);
    if (answer == CS_VOLATILE_YES)
        high = together->end;
    while (answer == CS_VOLATILE_YES && high - low > 1) {
        int middle = low + (high - low) / 2;
        enum cs_volatile_answer here = offline_feasible(problem, together, part, middle, one);

        if (here == CS_VOLATILE_OPEN)
            answer = here;
        else if (here == CS_VOLATILE_YES)
            high = together->end;
        else
            low = middle;
    }
    cs_arena_destroy(arena);
    if (answer == CS_VOLATILE_OPEN)
        return CS_VOLATILE_OFFLINE_OPEN;
    return answer == CS_VOLATILE_YES ? high : CS_VOLATILE_OFFLINE_NEVER;
}

int64_t cs_volatile_offline_one(const struct cs_volatile_offline *problem)
{
    return offline_earliest(problem, true);
}

int64_t cs_volatile_offline_any(const struct cs_volatile_offline *problem)
{
    return offline_earliest(problem, false);
}
