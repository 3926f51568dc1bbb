/* volatile_deadline.c - one job with a deadline under every buyer. */
#include "golden/volatile_kit.h"
#include "problems/volatile/deadline.h"

#include <stdlib.h>
#include <string.h>

#define TICKS 100000

struct errand {
    const json_t *expect;
    struct cs_volatile_job job;
    struct cs_volatile_market market;
    struct cs_volatile_phases phases;
    int64_t from;
    unsigned char *there, *mode;
    double *price;
};

static int check_run(const struct errand *e, enum cs_volatile_buyer buyer, struct cs_error *err)
{
    const json_t *want = json_object_get(e->expect, cs_volatile_buyer_name(buyer));
    const char *modes = json_string_value(json_object_get(want, "modes"));
    struct cs_volatile_purchase p;

    if (!want)
        return 0;
    if (cs_volatile_buy(&e->job, &e->market, e->from, buyer, &e->phases, &p, e->mode, err))
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
    struct cs_volatile_table *table = cs_volatile_table_create(&e->job, &e->phases, arena, err);
    int status = table ? 0 : -1;

    for (int i = 0; rows && !status && i < CS_VOLATILE_PHASES * CS_VOLATILE_MODES; i++)
        status =
            golden_close(json_array_get(json_array_get(rows, (size_t)(i / CS_VOLATILE_MODES)),
                                        (size_t)(i % CS_VOLATILE_MODES)),
                         cs_volatile_table_cost(table, i / CS_VOLATILE_MODES,
                                                (enum cs_volatile_mode)(i % CS_VOLATILE_MODES)),
                         1e-9, "table_expected_cost", err);
    cs_arena_destroy(arena);
    return status;
}

static int check_all(const struct errand *e, struct cs_error *err)
{
    struct cs_volatile_purchase p;

    for (int b = CS_VOLATILE_GREEDY; b <= CS_VOLATILE_TABLE; b++)
        if (check_run(e, (enum cs_volatile_buyer)b, err))
            return cs_error_prefix(err, "%s", cs_volatile_buyer_name((enum cs_volatile_buyer)b));
    if (check_table(e, err) ||
        cs_volatile_buy(&e->job, &e->market, e->from, CS_VOLATILE_CLAIRVOYANT, NULL, &p, NULL, err))
        return -1;
    return golden_close(json_object_get(e->expect, "clairvoyant_cost"), p.cost, 1e-9,
                        "clairvoyant_cost", err);
}

static void read_job(struct errand *e, const json_t *json)
{
    const json_t *job = json_object_get(json, "job"), *phases = json_object_get(json, "phases");
    const json_t *prices = json_object_get(json, "prices");
    const char *spot = json_string_value(json_object_get(json, "spot"));

    e->from = golden_int(json, "from");
    e->job = (struct cs_volatile_job){golden_int(job, "work"), golden_int(job, "deadline"),
                                      golden_int(job, "d"), golden_real(job, "spot"),
                                      golden_real(job, "demand")};
    e->phases = (struct cs_volatile_phases){
        golden_int(phases, "young"), golden_real(phases, "grow"), {{0}}};
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
