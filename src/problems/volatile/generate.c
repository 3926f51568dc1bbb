/* generate.c - the random scenarios of section VII.
 *
 * Source: section VII of the paper; spec/volatile.md 8 for the use of random numbers.
 * Idea: each state is kept with a probability uniform in [0.90, 0.99), the two others share the
 * rest equally; w_q is uniform in wmin .. 10 wmin, Tdata = wmin, Tprog = 5 wmin.
 * Invariants: the hosts depend on (seed, scenario, number of hosts, wmin) alone; the tasks and
 * other parameters do not change them.  Complexity: O(hosts).
 *
 * Constants: STAY_LEAST, STAY_MOST (per slot), SLOWEST and PROGRAM (factors of wmin) are those of
 * the paper.  docs/papers.md discusses the scenarios; half and double: not measured.
 */
#include "problems/volatile/instance.h"

#include "base/guard.h"
#include "base/rng.h"

#define PURPOSE 0x73636e65u /* keeps these streams apart from others */
#define STAY_LEAST 0.90
#define STAY_MOST 0.99
#define SLOWEST 10 /* times as slow as the fastest */
#define PROGRAM 5  /* times as long to send as the data of a task */
#define MOST_HOSTS 100000

static void draw_host(struct cs_volatile_host *host, int wmin, struct cs_rng *rng)
{
    *host = (struct cs_volatile_host){.capacity = CS_VOLATILE_UNLIMITED};
    for (int from = 0; from < CS_VOLATILE_STATES; from++) {
        double stay = STAY_LEAST + (STAY_MOST - STAY_LEAST) * cs_rng_uniform(rng);

        for (int to = 0; to < CS_VOLATILE_STATES; to++)
            host->chain[from][to] = to == from ? stay : 0.5 * (1 - stay);
    }
    host->slots = wmin + (int)cs_rng_below(rng, (uint64_t)(SLOWEST - 1) * (uint64_t)wmin + 1);
}

static int generate_check(const struct cs_volatile_generator *r, struct cs_error *err)
{
    if (r->hosts < 1 || r->hosts > MOST_HOSTS)
        return cs_error_set(err, "there are %d hosts, there must be between 1 and %d", r->hosts,
                            MOST_HOSTS);
    if (r->wmin < 1 || r->wmin > 1000000)
        return cs_error_set(err,
                            "the fastest host takes %d slots for a task, it must be between 1 and "
                            "1000000",
                            r->wmin);
    return 0;
}

struct cs_volatile_instance *cs_volatile_generate(const struct cs_volatile_generator *r,
                                                  struct cs_error *err)
{
    CS_ASK(r, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_volatile_application app = {
        r->tasks, r->iterations, 0, r->wmin, r->transfers, r->cap, 0, 0, 0};
    struct cs_volatile_instance *in;
    struct cs_volatile_host *host;
    struct cs_arena *arena;
    struct cs_rng rng;

    if (generate_check(r, err))
        return NULL;
    app.program = PROGRAM * r->wmin;
    arena = cs_arena_create();
    host = CS_NEW_ARRAY(arena, struct cs_volatile_host, r->hosts);
    cs_rng_init(&rng, r->seed, PURPOSE, r->scenario);
    for (int q = 0; q < r->hosts; q++)
        draw_host(&host[q], r->wmin, &rng);
    in = cs_volatile_instance_create(r->hosts, host, &app, err);
    cs_arena_destroy(arena);
    return in;
}
