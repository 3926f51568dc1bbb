/* volatile_kit.h - random hosts and applications, small and strange. */
#ifndef CS_TESTS_PROPERTY_VOLATILE_KIT_H
#define CS_TESTS_PROPERTY_VOLATILE_KIT_H

#include "base/rng.h"
#include "problems/volatile/policy.h"
#include "unit/kit.h"

#include <stdio.h>
#include <string.h>

#define KIT_HOSTS 8

static inline int kit_between(struct cs_rng *rng, int low, int high)
{
    return low + (int)cs_rng_below(rng, (uint64_t)(high - low) + 1);
}

/* Rates of 0 now and then, so that states may never be left or never be reached. */
static inline void kit_chain(struct cs_volatile_host *host, struct cs_rng *rng)
{
    for (int from = 0; from < CS_VOLATILE_STATES; from++) {
        double rest = 1;

        for (int to = 0; to < CS_VOLATILE_STATES; to++) {
            double rate = kit_between(rng, 0, 5) ? 0.3 * cs_rng_uniform(rng) : 0;

            host->chain[from][to] = to == from ? 0 : rate;
            rest -= to == from ? 0 : rate;
        }
        host->chain[from][from] = rest;
    }
}

/* Instance number `round`: half of them have equal hosts, for ties. */
static inline struct cs_volatile_instance *kit_instance(int round)
{
    struct cs_volatile_host host[KIT_HOSTS] = {{0}};
    struct cs_volatile_application app = {0};
    struct cs_error err = {0};
    struct cs_volatile_instance *in;
    struct cs_rng rng;
    int hosts;

    cs_rng_init(&rng, 11, 1, (uint64_t)round);
    hosts = kit_between(&rng, 1, KIT_HOSTS);
    app.tasks = kit_between(&rng, 1, 6);
    app.iterations = kit_between(&rng, 1, 3);
    app.program = kit_between(&rng, 0, 5);
    app.data = kit_between(&rng, 0, 3);
    app.transfers = kit_between(&rng, 1, 3);
    app.cap = kit_between(&rng, 1, 400);
    for (int q = 0; q < hosts; q++) {
        host[q].slots = kit_between(&rng, 1, 6);
        host[q].capacity =
            kit_between(&rng, 0, 3) ? CS_VOLATILE_UNLIMITED : kit_between(&rng, 0, 3);
        kit_chain(&host[q], &rng);
        if (round % 2 && q > 0)
            host[q] = host[0];
    }
    host[0].capacity = CS_VOLATILE_UNLIMITED;
    in = cs_volatile_instance_create(hosts, host, &app, &err);
    if (!in)
        fail_msg("%s", err.text);
    return in;
}

/* Every policy as it is, and then with the options of the second part. */
static const char *const kit_options[] = {
    "",
    ":estimate=conditional",
    ":singles=yes",
    ":aware=yes",
    ":estimate=conditional,aware=yes",
    ":prefetch=program",
    ":prefetch=data,singles=yes,aware=yes",
};

#define KIT_OPTIONS ((int)(sizeof kit_options / sizeof *kit_options))

/* Policy `number` of all with options `which`; false when it does not have these. */
static inline bool kit_call(int number, int which, struct cs_policy_call *call, char text[96])
{
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);
    struct cs_error err = {0};

    snprintf(text, 96, "%s%s", list[number]->name, kit_options[which]);
    return !list[number]->extpol && cs_policy_parse(text, list, count, call, &err) == 0;
}

#endif
