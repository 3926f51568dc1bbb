/* spot_deadline.c - one job with a deadline under every policy. */
#include "golden/volatile_kit.h"
#include "property/spot_kit.h"

#include <stdlib.h>
#include <string.h>

#define TICKS 100000

struct errand {
    const json_t *expect;
    struct cs_spot_job job;
    struct cs_spot_market market;
    struct cs_spot_phases phases;
    int64_t from;
    unsigned char *there, *mode;
    double *price;
};

static int check_run(const struct errand *e, int policy, struct cs_error *err)
{
    const json_t *want = json_object_get(e->expect, cs_spot_policy_at(policy)->info.name);
    const char *modes = json_string_value(json_object_get(want, "modes"));
    struct cs_spot_outcome p;

    if (!want)
        return 0;
    if (kit_spot_run(&e->job, &e->market, e->from, policy, &e->phases, &p, e->mode, err))
        return -1;
    for (int64_t t = 0; t < p.end; t++)
        if (modes[t] != ".sd"[e->mode[t]])
            return cs_error_set(err, "tick %d: %c, expected %c", (int)t, ".sd"[e->mode[t]],
                                modes[t]);
    if (p.end != golden_int(want, "end") || p.starts != golden_int(want, "starts") ||
        (p.late > 0) != json_is_true(json_object_get(want, "late")))
        return cs_error_set(err, "end %d, %d starts, %d late", (int)p.end, (int)p.starts,
                            (int)p.late);
    return golden_close(json_object_get(want, "cost"), p.cost, 1e-9, "cost", err);
}

static int check_table(const struct errand *e, struct cs_error *err)
{
    const json_t *rows = json_object_get(e->expect, "table_expected_cost");
    struct cs_arena *arena = cs_arena_create();
    struct cs_spot_table *table = cs_spot_table_create(&e->job, &e->phases, arena, err);
    int status = table ? 0 : -1;

    for (int i = 0; rows && !status && i < CS_SPOT_PHASES * CS_SPOT_MODES; i++)
        status = golden_close(
            json_array_get(json_array_get(rows, (size_t)(i / CS_SPOT_MODES)),
                           (size_t)(i % CS_SPOT_MODES)),
            cs_spot_table_cost(table, i / CS_SPOT_MODES, (enum cs_spot_mode)(i % CS_SPOT_MODES)),
            1e-9, "table_expected_cost", err);
    cs_arena_destroy(arena);
    return status;
}

static int check_all(const struct errand *e, struct cs_error *err)
{
    for (int p = 0; p < KIT_SPOT_POLICIES; p++)
        if (check_run(e, p, err))
            return cs_error_prefix(err, "%s", cs_spot_policy_at(p)->info.name);
    if (check_table(e, err))
        return -1;
    return golden_close(json_object_get(e->expect, "clairvoyant_cost"),
                        cs_spot_clairvoyant_cost(&e->job, &e->market, e->from), 1e-9,
                        "clairvoyant_cost", err);
}

static void read_job(struct errand *e, const json_t *json)
{
    const json_t *job = json_object_get(json, "job"), *phases = json_object_get(json, "phases");
    const json_t *prices = json_object_get(json, "prices");
    const char *spot = json_string_value(json_object_get(json, "spot"));

    e->from = golden_int(json, "from");
    e->job = (struct cs_spot_job){golden_int(job, "work"), golden_int(job, "deadline"),
                                  golden_int(job, "d"), golden_real(job, "spot"),
                                  golden_real(job, "demand")};
    e->phases =
        (struct cs_spot_phases){golden_int(phases, "young"), golden_real(phases, "grow"), {{0}}};
    for (size_t i = 0; i < 4; i++)
        e->phases.end[i / 2][i % 2] = json_number_value(
            json_array_get(json_array_get(json_object_get(phases, "end"), i / 2), i % 2));
    for (size_t t = 0; t < TICKS && spot[t]; t++) {
        e->there[t] = spot[t] == '1';
        e->price[t] = json_number_value(json_array_get(prices, t));
        e->market.ticks++;
    }
    e->market.there = e->there;
    e->market.price = json_is_array(prices) ? e->price : NULL;
}

int golden_fleet_deadline(const json_t *json, struct cs_error *err)
{
    struct errand e = {.expect = json_object_get(json, "expect"),
                       .there = calloc(TICKS, 1),
                       .mode = calloc(TICKS, 1),
                       .price = calloc(TICKS, sizeof(double))};
    int status;

    read_job(&e, json);
    status = check_all(&e, err);
    free(e.there);
    free(e.mode);
    free(e.price);
    return status;
}
