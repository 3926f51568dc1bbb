/* sets.c - the table of sets: a tree of additions above a hash table of members.
 *
 * Source: spec/volatile.md 3.2 (P+, Ec, gap from Eu and A), 3.4 (statistics of each set once).
 * Idea: a set is a number, reached by adding one host at a time; the tree remembers each addition,
 * the hash table finds the same members reached in another order.
 * Invariants: members ascend, so a set has the same statistics (bits included) for every order of
 * additions; set 0 is empty; numbers are valid until cs_volatile_sets_relieve returns true.
 * Complexity: O(1) for a remembered addition, else O(members), and for a new set one sum (sums.c).
 *
 * Constants (memory limits set by hand; half and double: not measured):
 *   MOST_SETS  2^20  sets
 *   MOST_BYTES 2^28  bytes of members and children; beyond either, relieve discards all sets
 */
#include "problems/volatile/sets.h"

#include "base/bug.h"
#include "base/guard.h"
#include "base/splitmix.h"

#include <math.h>
#include <string.h>

#define MOST_SETS (1 << 20)
#define MOST_BYTES ((size_t)1 << 28)

struct node {
    struct cs_volatile_set stats;
    uint64_t hash;
    int *child;  /* by host: the set with it, 0 when not known; or NULL */
    int *member; /* ascending */
    int members;
};

struct cs_volatile_sets {
    const struct cs_volatile_instance *in;
    struct cs_volatile_summer *summer;
    uint64_t *name; /* by host: random bits, whose sum over a set is its hash */
    struct cs_arena *arena, *own;
    struct node *node;
    int *slot;   /* hash table of numbers, 0 for free */
    int *member; /* of a set that is looked up */
    int count, room;
    int64_t computed;
};

static void sets_discard(struct cs_volatile_sets *sets)
{
    sets->count = 1;
    memset(sets->slot, 0, 2 * (size_t)sets->room * sizeof *sets->slot);
    sets->node[0] = (struct node){.stats = {.gap = 1}};
}

static void sets_make_room(struct cs_volatile_sets *sets, int room)
{
    size_t slots = 2 * (size_t)room;

    sets->node = cs_block_resize(sets->node, (size_t)room * sizeof *sets->node);
    cs_block_free(sets->slot);
    sets->slot = cs_block_zero(slots, sizeof *sets->slot);
    sets->room = room;
    for (int i = 1; i < sets->count; i++) {
        size_t at = sets->node[i].hash & (slots - 1);

        while (sets->slot[at])
            at = (at + 1) & (slots - 1);
        sets->slot[at] = i;
    }
}

struct cs_volatile_sets *cs_volatile_sets_create(const struct cs_volatile_instance *in)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_sets *sets = CS_NEW(arena, struct cs_volatile_sets);
    struct cs_splitmix random = {0};

    *sets = (struct cs_volatile_sets){.in = in, .arena = arena, .own = cs_arena_create()};
    sets->summer = cs_volatile_summer_create(in, arena);
    sets->member = CS_NEW_ARRAY(arena, int, in->hosts);
    sets->name = CS_NEW_ARRAY(arena, uint64_t, in->hosts);
    for (int q = 0; q < in->hosts; q++)
        sets->name[q] = cs_splitmix_next(&random);
    sets_make_room(sets, 256);
    sets_discard(sets);
    return sets;
}

void cs_volatile_sets_destroy(struct cs_volatile_sets *sets)
{
    if (!sets)
        return;
    cs_block_free(sets->node);
    cs_block_free(sets->slot);
    cs_arena_destroy(sets->own);
    cs_arena_destroy(sets->arena);
}

const struct cs_volatile_chain *cs_volatile_sets_chain(const struct cs_volatile_sets *sets,
                                                       int host)
{
    return &sets->summer->chain[host];
}

bool cs_volatile_sets_relieve(struct cs_volatile_sets *sets)
{
    if (sets->count < MOST_SETS && cs_arena_size(sets->own) < MOST_BYTES)
        return false;
    cs_arena_destroy(sets->own);
    sets->own = cs_arena_create();
    sets_discard(sets);
    return true;
}

static struct cs_volatile_set sets_measure(struct cs_volatile_sets *sets, const int *member,
                                           int count)
{
    struct cs_volatile_sums sums = cs_volatile_summer_of(sets->summer, member, count);
    double eu = sums.eu;

    sets->computed++;
    if (isinf(eu))
        return (struct cs_volatile_set){0, sums.a, sums.a, NAN};
    return (struct cs_volatile_set){
        .loss = eu > 0 ? log1p(1 / eu) : INFINITY,
        .partial = sums.a / ((1 + eu) * (1 + eu)),
        .gap = eu > 0 ? sums.a / (eu * (1 + eu)) : NAN,
        .lifetime = NAN,
    };
}

/* Where the members with one more are, or would be. */
static size_t sets_find(const struct cs_volatile_sets *sets, uint64_t hash, const int *member,
                        int count)
{
    size_t slots = 2 * (size_t)sets->room, at = hash & (slots - 1);

    for (; sets->slot[at]; at = (at + 1) & (slots - 1)) {
        const struct node *node = &sets->node[sets->slot[at]];

        if (node->hash == hash && node->members == count &&
            !memcmp(node->member, member, (size_t)count * sizeof *member))
            break;
    }
    return at;
}

static void sets_insert(const struct node *node, int host, int *member)
{
    int at = 0;

    for (; at < node->members && node->member[at] < host; at++)
        member[at] = node->member[at];
    CS_REQUIRE(at == node->members || node->member[at] != host);
    member[at] = host;
    for (; at < node->members; at++)
        member[at + 1] = node->member[at];
}

static int add_new(struct cs_volatile_sets *sets, uint64_t hash, const int *member, int count)
{
    struct node *node;

    if (sets->count == sets->room)
        sets_make_room(sets, 2 * sets->room);
    node = &sets->node[sets->count];
    *node =
        (struct node){.stats = sets_measure(sets, member, count), .hash = hash, .members = count};
    node->member = CS_NEW_ARRAY(sets->own, int, count);
    memcpy(node->member, member, (size_t)count * sizeof *member);
    sets->slot[sets_find(sets, hash, member, count)] = sets->count;
    return sets->count++;
}

static int lookup(struct cs_volatile_sets *sets, int set, int host)
{
    const struct node *node = &sets->node[set];
    int count = node->members + 1, found;
    uint64_t hash = node->hash + sets->name[host];

    sets_insert(node, host, sets->member);
    found = sets->slot[sets_find(sets, hash, sets->member, count)];
    return found ? found : add_new(sets, hash, sets->member, count);
}

int cs_volatile_sets_add(struct cs_volatile_sets *sets, int set, int host)
{
    struct node *node = &sets->node[set];
    int found;

    if (node->child && node->child[host])
        return node->child[host];
    if (!node->child)
        node->child = CS_NEW_ARRAY(sets->own, int, sets->in->hosts);
    found = lookup(sets, set, host);
    sets->node[set].child[host] = found;
    return found;
}

const struct cs_volatile_set *cs_volatile_sets_get(const struct cs_volatile_sets *sets, int set)
{
    return &sets->node[set].stats;
}

const int *cs_volatile_sets_members(const struct cs_volatile_sets *sets, int set, int *count)
{
    *count = sets->node[set].members;
    return sets->node[set].member;
}

double cs_volatile_sets_lifetime(struct cs_volatile_sets *sets, int set)
{
    struct node *node = &sets->node[set];

    if (isnan(node->stats.lifetime))
        node->stats.lifetime =
            cs_volatile_summer_lifetime(sets->summer, node->member, node->members);
    return node->stats.lifetime;
}

int64_t cs_volatile_sets_computed(const struct cs_volatile_sets *sets)
{
    return sets->computed;
}

struct cs_volatile_summer *cs_volatile_sets_summer(const struct cs_volatile_sets *sets)
{
    return sets->summer;
}

struct cs_volatile_first cs_volatile_sets_first(struct cs_volatile_sets *sets, int set,
                                                const bool *reclaimed)
{
    const struct node *node = &sets->node[set];

    return cs_volatile_summer_first(sets->summer, node->member, node->members, reclaimed);
}
