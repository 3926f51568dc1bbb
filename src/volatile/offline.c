/* offline.c - k hosts that share L slots: cores, then a search over bitsets of slots. */
#include "volatile/offline.h"

#include "base/arena.h"

#include <stdbool.h>
#include <string.h>

enum answer { NO, YES, OPEN };

struct search {
    const struct cs_volatile_offline *problem;
    struct cs_arena *arena;
    int words;     /* of a set of slots */
    uint64_t **up; /* by host: slots in which it is up */
    int shared;    /* L */
    int64_t steps;
    uint64_t **level; /* by depth, room for a set of slots */
    int **list;       /* by depth, room for hosts */
    int *size;        /* room, by host */
};

static int count_common(const uint64_t *a, const uint64_t *b, int words)
{
    int count = 0;

    for (int i = 0; i < words; i++)
        count += __builtin_popcountll(a[i] & b[i]);
    return count;
}

/* Keep the hosts that share L slots with `common`; returns how many. */
static int keep_hosts(struct search *s, const uint64_t *common, int *host, int hosts)
{
    int kept = 0;

    for (int i = 0; i < hosts; i++) {
        int size = count_common(common, s->up[host[i]], s->words);

        if (size < s->shared)
            continue;
        s->size[host[i]] = size;
        host[kept++] = host[i];
    }
    return kept;
}

/* Slots of word `i` in which at least `k` of the hosts are up (k <= hosts): 64 counters at once, a
 * word for each binary digit, compared with k from the highest digit on. */
static uint64_t covered(const struct search *s, int i, const int *host, int hosts, int k)
{
    uint64_t less = 0, same = ~(uint64_t)0, digit[32] = {0};
    int digits = 0;

    while (hosts >> digits)
        digits++;
    for (int h = 0; h < hosts; h++) {
        uint64_t carry = s->up[host[h]][i];

        for (int d = 0; d < digits && carry; d++) {
            uint64_t both = digit[d] & carry;

            digit[d] ^= carry;
            carry = both;
        }
    }
    for (int d = digits - 1; d >= 0; d--) {
        uint64_t wanted = k >> d & 1 ? ~(uint64_t)0 : 0;

        less |= same & ~digit[d] & wanted;
        same &= ~(digit[d] ^ wanted);
    }
    return ~less;
}

/* Drop from `common` the slots in which fewer than k hosts are up; returns how many are left. */
static int keep_slots(const struct search *s, uint64_t *common, const int *host, int hosts, int k)
{
    int count = 0;

    for (int i = 0; i < s->words; i++) {
        if (common[i])
            common[i] &= covered(s, i, host, hosts, k);
        count += __builtin_popcountll(common[i]);
    }
    return count;
}

/* Hosts and slots that can be part of k hosts with L common slots: until nothing is dropped.  The
 * number of hosts, 0 when there are too few. */
static int reduce(struct search *s, uint64_t *common, int *host, int hosts, int k)
{
    int slots = -1, before;

    do {
        before = slots;
        hosts = keep_hosts(s, common, host, hosts);
        if (hosts < k)
            return 0;
        slots = keep_slots(s, common, host, hosts, k);
        if (slots < s->shared)
            return 0;
    } while (slots != before);
    return hosts;
}

/* The host with the most slots goes first, ties to the lower index. */
static void sort_hosts(const struct search *s, int *host, int hosts)
{
    for (int i = 1; i < hosts; i++) {
        int moved = host[i], j = i;

        for (; j > 0 && (s->size[host[j - 1]] < s->size[moved] ||
                         (s->size[host[j - 1]] == s->size[moved] && host[j - 1] > moved));
             j--)
            host[j] = host[j - 1];
        host[j] = moved;
    }
}

/* Can k more hosts out of these share L of the slots level[depth]? */
static enum answer extend(struct search *s, int depth, int hosts, int k)
{
    int *host = s->list[depth];
    enum answer answer = NO;

    if (k == 0)
        return YES;
    if (s->problem->patience && s->steps++ >= s->problem->patience)
        return OPEN;
    hosts = reduce(s, s->level[depth], host, hosts, k);
    sort_hosts(s, host, hosts);
    for (int i = 0; i + k <= hosts; i++) {
        enum answer here;

        for (int w = 0; w < s->words; w++)
            s->level[depth + 1][w] = s->level[depth][w] & s->up[host[i]][w];
        memcpy(s->list[depth + 1], host + i + 1, (size_t)(hosts - i - 1) * sizeof *host);
        here = extend(s, depth + 1, hosts - i - 1, k - 1);
        if (here == YES)
            return YES;
        answer = here == OPEN ? OPEN : answer;
        if (here == OPEN)
            break;
    }
    return answer;
}

static enum answer feasible(struct search *s, int64_t prefix, int k, int64_t shared)
{
    int hosts = s->problem->hosts;

    if (k > hosts || shared > prefix)
        return NO;
    s->shared = (int)shared;
    memset(s->level[0], 0, (size_t)s->words * sizeof *s->level[0]);
    for (int64_t t = 0; t < prefix; t++)
        s->level[0][t / 64] |= (uint64_t)1 << t % 64;
    for (int q = 0; q < hosts; q++)
        s->list[0][q] = q;
    return extend(s, 0, hosts, k);
}

/* Some number of hosts with which an iteration ends in the prefix. */
static enum answer feasible_any(struct search *s, int64_t prefix, bool one)
{
    int m = s->problem->tasks, last = 0;
    enum answer answer = NO;

    if (one)
        return feasible(s, prefix, m, s->problem->slots);
    for (int each = 1; each <= m; each++) {
        int k = (m + each - 1) / each;
        enum answer here;

        if (k == last)
            continue;
        last = k;
        here = feasible(s, prefix, k, (int64_t)each * s->problem->slots);
        if (here == YES)
            return YES;
        answer = here == OPEN ? OPEN : answer;
    }
    return answer;
}

static void prepare(struct search *s, int64_t length)
{
    int hosts = s->problem->hosts;

    s->words = (int)(length / 64 + 1);
    s->up = CS_NEW_ARRAY(s->arena, uint64_t *, hosts);
    s->level = CS_NEW_ARRAY(s->arena, uint64_t *, hosts + 1);
    s->list = CS_NEW_ARRAY(s->arena, int *, hosts + 1);
    s->size = CS_NEW_ARRAY(s->arena, int, hosts);
    for (int d = 0; d <= hosts; d++) {
        s->level[d] = CS_NEW_ARRAY(s->arena, uint64_t, s->words);
        s->list[d] = CS_NEW_ARRAY(s->arena, int, hosts);
    }
    for (int q = 0; q < hosts; q++) {
        s->up[q] = CS_NEW_ARRAY(s->arena, uint64_t, s->words);
        for (int64_t t = 0; t < length; t++)
            if (s->problem->trace[q][t] == 'u')
                s->up[q][t / 64] |= (uint64_t)1 << t % 64;
    }
}

/* The shortest prefix: what can be done in one can be done in a longer one. */
static int64_t earliest(const struct cs_volatile_offline *problem, bool one)
{
    struct search s = {.problem = problem, .arena = cs_arena_create()};
    int64_t low = 0, high = problem->hosts > 0 ? (int64_t)strlen(problem->trace[0]) : 0;
    enum answer answer;

    prepare(&s, high);
    answer = feasible_any(&s, high, one);
    while (answer == YES && high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        enum answer here = feasible_any(&s, middle, one);

        if (here == OPEN)
            answer = OPEN;
        else if (here == YES)
            high = middle;
        else
            low = middle;
    }
    cs_arena_destroy(s.arena);
    if (answer == OPEN)
        return CS_VOLATILE_OFFLINE_OPEN;
    return answer == YES ? high : CS_VOLATILE_OFFLINE_NEVER;
}

int64_t cs_volatile_offline_one(const struct cs_volatile_offline *problem)
{
    return earliest(problem, true);
}

int64_t cs_volatile_offline_any(const struct cs_volatile_offline *problem)
{
    return earliest(problem, false);
}
