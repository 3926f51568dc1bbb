/* trap.c - jobs and failures that are hard for shelves. */
#include "rigid/trap.h"

#include <string.h>

#define SLIGHTLY (1.0 / (1 << 20))

struct draft {
    int count;
    double *seconds;
    int *procs;
    int64_t *failures;
};

static struct draft begin(int count, struct cs_arena *arena)
{
    return (struct draft){.seconds = CS_NEW_ARRAY(arena, double, count),
                          .procs = CS_NEW_ARRAY(arena, int, count),
                          .failures = CS_NEW_ARRAY(arena, int64_t, count)};
}

static void add(struct draft *draft, double seconds, int64_t failures)
{
    draft->seconds[draft->count] = seconds;
    draft->procs[draft->count] = 1;
    draft->failures[draft->count++] = failures;
}

static struct draft trap_shelf(int procs, struct cs_arena *arena)
{
    struct draft draft = begin(procs, arena);

    for (int j = 1; j <= procs; j++)
        add(&draft, 1.0 / j, j - 1);
    return draft;
}

static int power_of(int base, int exponent)
{
    return exponent ? base * power_of(base, exponent - 1) : 1;
}

static struct draft trap_shelf_fill(int procs, struct cs_arena *arena)
{
    struct draft draft = begin(procs + power_of(procs, procs), arena);

    for (int i = 1; i <= procs; i++) {
        int power = power_of(procs, i - 1);

        add(&draft, 1.0 / power, power - 1);
        for (int k = 0; k < (procs - 1) * power; k++)
            add(&draft, (1 + SLIGHTLY) / procs / power, 0);
    }
    return draft;
}

const struct cs_rigid_trap *cs_rigid_trap_create(const char *name, int procs,
                                                 struct cs_arena *arena, struct cs_error *err)
{
    bool fill = !strcmp(name, "shelf-fill");
    int most = fill ? CS_RIGID_TRAP_FILL_MOST : CS_RIGID_TRAP_SHELF_MOST;
    struct cs_rigid_trap *trap;
    struct draft draft;

    if (!fill && strcmp(name, "shelf")) {
        cs_error_set(err, "there is no trap \"%s\": shelf or shelf-fill", name);
        return NULL;
    }
    if (procs < 1 || procs > most) {
        cs_error_set(err, "the trap %s is for 1 to %d processors, not for %d", name, most, procs);
        return NULL;
    }
    draft = fill ? trap_shelf_fill(procs, arena) : trap_shelf(procs, arena);
    trap = CS_NEW(arena, struct cs_rigid_trap);
    *trap = (struct cs_rigid_trap){
        .jobs = {draft.count, procs, 0, draft.seconds, draft.procs},
        .failures = draft.failures,
    };
    return trap;
}
