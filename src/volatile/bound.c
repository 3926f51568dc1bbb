/* bound.c - what a clairvoyant does, as a number. */
#include "volatile/bound.h"

#include "volatile/optimum.h"

struct cs_volatile_limit cs_volatile_limit(const struct cs_volatile_instance *in,
                                           struct cs_volatile_source *source, int64_t patience)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_optimum optimum =
        cs_volatile_optimum_find(in, source, patience > 0 ? patience : 1, arena);

    cs_arena_destroy(arena);
    return (struct cs_volatile_limit){optimum.slots, optimum.exact};
}

int64_t cs_volatile_bound(const struct cs_volatile_instance *in, struct cs_volatile_source *source)
{
    return cs_volatile_limit(in, source, 0).slots;
}
