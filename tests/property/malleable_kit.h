/* malleable_kit.h - random instances, rules and failures of the malleable problem. */
#ifndef CS_TESTS_PROPERTY_MALLEABLE_KIT_H
#define CS_TESTS_PROPERTY_MALLEABLE_KIT_H

#include "base/arena.h"
#include "base/splitmix.h"
#include "model/workload.h"
#include "problems/malleable/malleable.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TASKS 8
#define MOST_PROCS 80

struct scene {
    struct cs_splitmix random;
    struct cs_arena *arena;
    struct cs_workload *workload;
    struct cs_malleable_platform platform;
    struct cs_malleable_instance *in;
    struct cs_malleable_rules rules;
    struct cs_malleable_trace *trace;
};

static inline int below(struct scene *s, int m)
{
    return (int)cs_splitmix_below(&s->random, (uint64_t)m);
}

/* Multiples of 1/1024, so that ties happen and scaling by powers of two is exact. */
static inline double between(struct scene *s, double low, double high)
{
    return low + (high - low) * below(s, 1025) / 1024;
}

/* A table that is not monotone as drawn: it has to be repaired. */
static inline struct cs_profile draw_table(struct scene *s)
{
    double *seconds = CS_NEW_ARRAY(s->arena, double, MOST_PROCS + 2);
    const int least = below(s, 3) ? 1 : 1 + below(s, 4);
    const double t1 = between(s, 500, 9000);

    for (int j = 1; j <= MOST_PROCS + 2; j++)
        seconds[j - 1] = j < least ? INFINITY : t1 * (0.1 + 0.9 / j) * between(s, 0.9, 1.1);
    return (struct cs_profile){
        .kind = CS_PROFILE_TABLE, .count = MOST_PROCS + 2, .seconds = seconds};
}

static inline struct cs_profile draw_profile(struct scene *s, bool tables)
{
    struct cs_profile profile = {.kind = CS_PROFILE_COMMUNICATION};

    if (tables && below(s, 3) == 0)
        return draw_table(s);
    profile.seq_time = between(s, 500, 9000);
    profile.seq_fraction = below(s, 3) ? between(s, 0, 0.25) : 0;
    profile.overhead = below(s, 2) ? between(s, 0, 500) : 0;
    return profile;
}

static inline void draw_workload(struct scene *s, int n, bool tables)
{
    struct cs_profile profile[MOST_TASKS];
    double checkpoint[MOST_TASKS], data[MOST_TASKS];
    const bool same = below(s, 5) == 0;

    for (int i = 0; i < n; i++) {
        profile[i] = same && i ? profile[0] : draw_profile(s, tables);
        checkpoint[i] = same && i ? checkpoint[0] : between(s, 1, 60);
        data[i] = same && i ? data[0] : below(s, 4) ? between(s, 0, 300) : 0;
    }
    s->workload = cs_workload_create(n, NULL, profile, NULL);
    cs_workload_set_state(s->workload, checkpoint, data);
}

static inline struct cs_malleable_rules draw_rules(struct scene *s)
{
    static const double factors[] = {1, 0.5, 0.25, 2}, hysteresis[] = {0, 0, 0.02, 0.25};
    struct cs_malleable_rules rules = cs_malleable_rules_paper();

    rules.on_end = below(s, 3);
    rules.on_failure = below(s, 4);
    rules.wake = below(s, 2);
    if (below(s, 2) == 0)
        return rules;
    rules.layout = below(s, 3) ? CS_MALLEABLE_YOUNG : CS_MALLEABLE_TAIL;
    rules.period_factor = factors[below(s, 4)];
    rules.kappa = below(s, 2) ? 1 : 0.5;
    rules.hysteresis = hysteresis[below(s, 4)];
    rules.minimal_disruption = below(s, 2);
    return rules;
}

/* Never two at once: which of them came first cannot be seen in a schedule. */
static inline void draw_trace(struct scene *s)
{
    struct cs_fault fault[200];
    double time = 0;

    for (int f = 0; f < 200; f++) {
        time += between(s, 0.01, 2) * s->platform.mtbf / s->platform.procs;
        fault[f] = (struct cs_fault){time, below(s, s->platform.procs + 1)};
    }
    s->trace = cs_malleable_trace_list(200, fault, NULL);
}

static inline struct scene scene_create(uint64_t seed, bool tables)
{
    static const double mtbf[] = {2048, 8192, 32768, 1 << 20};
    struct scene s = {.random = {seed}, .arena = cs_arena_create()};
    const int n = 1 + below(&s, MOST_TASKS);

    s.platform.procs = 8 * n + below(&s, MOST_PROCS - 8 * n + 1);
    s.platform.mtbf = mtbf[below(&s, 4)];
    s.platform.downtime = below(&s, 3) ? between(&s, 0, 30) : 0;
    s.platform.fault_free = below(&s, 8) == 0;
    if (below(&s, 2))
        s.platform.procs = s.platform.procs / 2 + 4 * n;
    draw_workload(&s, n, tables);
    s.in = cs_malleable_instance_from_workload(s.workload, 0, 0, &s.platform, NULL);
    s.rules = draw_rules(&s);
    draw_trace(&s);
    return s;
}

static inline void scene_destroy(struct scene *s)
{
    cs_malleable_trace_destroy(s->trace);
    cs_malleable_instance_destroy(s->in);
    cs_workload_destroy(s->workload);
    cs_arena_destroy(s->arena);
}

#endif
