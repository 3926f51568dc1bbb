/* moldable_kit.h - what the parts of the golden program of the moldable problem share. */
#ifndef CS_TESTS_GOLDEN_MOLDABLE_KIT_H
#define CS_TESTS_GOLDEN_MOLDABLE_KIT_H

#include "golden/golden.h"
#include "problems/moldable/policy.h"

/* Everything that a check needs. */
struct scene {
    const struct cs_moldable_instance *in;
    const struct cs_moldable_bag *bag;
    struct cs_moldable_bounds bounds;
    struct cs_arena *arena;
    struct cs_moldable_plan *plan;
    struct cs_error *err;
};

int moldable_int(const json_t *object, const char *key);

/* scene->plan by a planner as a user writes it. */
int moldable_plan(struct scene *s, const char *policy, uint64_t seed, bool thrift);

/* The parts "noise" and "silent" of a case. */
int moldable_check_noise(const json_t *want, struct scene *s);
int moldable_check_silent(const json_t *want, struct scene *s);

#endif
