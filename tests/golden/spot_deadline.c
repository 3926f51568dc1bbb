/* spot_deadline.c - one job with a deadline under every policy, and by both spellings. */
#include "golden/volatile_kit.h"
#include "property/spot_kit.h"

#include <cosched/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* ---- the same market by both spellings of the options ---- */

#define GAP 60 /* seconds of a tick */
#define RUNS 10

static int write_trace(const struct errand *e, const char *path)
{
    json_t *data = json_array(), *prices = json_array();
    json_t *trace = json_pack("{s:{s:i}, s:o}", "metadata", "gap_seconds", GAP, "data", data);
    int status;

    for (int64_t t = 0; t < e->market.ticks; t++) {
        json_array_append_new(data, json_integer(e->there[t]));
        json_array_append_new(prices, json_real(e->price[t]));
    }
    if (e->market.price)
        json_object_set(trace, "prices", prices);
    status = json_dump_file(trace, path, 0);
    json_decref(prices);
    json_decref(trace);
    return status;
}

static struct cs_case *run_spelling(const struct errand *e, const char *problem, const char *input,
                                    const char *path, struct cs_error *err)
{
    char options[1000];
    struct cs_case *c;

    snprintf(options, sizeof options,
             "{\"%s\": \"%s\", \"slot\": %d, \"work\": %lld, \"deadline\": %lld, \"change_over\": "
             "%lld, \"spot_price\": %.17g, \"demand_price\": %.17g, \"young\": %lld, \"history\": "
             "%lld, \"scenarios\": %d}",
             input, path, GAP, (long long)e->job.work * GAP, (long long)e->job.deadline * GAP,
             (long long)e->job.change * GAP, e->job.spot, e->job.demand, (long long)e->phases.young,
             (long long)(e->from > 0 ? e->from : 1), RUNS);
    c = cs_case_open(problem, "simulate", options, NULL, err);
    if (!c || !cs_case_run(c, NULL, err))
        return c;
    cs_case_close(c);
    return NULL;
}

static int compare_columns(const struct cs_case *then, const struct cs_case *now,
                           struct cs_error *err)
{
    static const char *const name[][2] = {{"cost", "cost"},
                                          {"least", "clairvoyant_cost"},
                                          {"over_least", "over_clairvoyant"},
                                          {"took", "elapsed"},
                                          {"starts", "starts"}};
    double a[RUNS], b[RUNS];

    if (cs_case_variants(then) != KIT_SPOT_POLICIES || cs_case_variants(now) != KIT_SPOT_POLICIES)
        return cs_error_set(err, "other policies");
    for (int w = 0; w < KIT_SPOT_POLICIES; w++)
        for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
            if (cs_case_column(then, w, name[k][0], a, RUNS, err) ||
                cs_case_column(now, w, name[k][1], b, RUNS, err))
                return -1;
            if (memcmp(a, b, sizeof a) != 0)
                return cs_error_set(err, "%s of the two spellings differ", name[k][1]);
        }
    return 0;
}

static int check_spellings(const struct errand *e, struct cs_error *err)
{
    char path[] = "/tmp/cosched-golden-spot-XXXXXX";
    struct cs_case *then = NULL, *now = NULL;
    int file, status = -1;

    if ((e->from > 0 ? e->from : 1) + e->job.deadline > e->market.ticks)
        return 0; /* no start is left after the history */
    file = mkstemp(path);
    if (file < 0 || close(file) || write_trace(e, path))
        return cs_error_set(err, "%s cannot be written", path);
    now = run_spelling(e, "spot", "input", path, err);
    then = now ? run_spelling(e, "volatile", "trace", path, err) : NULL;
    if (then)
        status = compare_columns(then, now, err);
    cs_case_close(then);
    cs_case_close(now);
    unlink(path);
    return status;
}

static int check_all(const struct errand *e, struct cs_error *err)
{
    for (int p = 0; p < KIT_SPOT_POLICIES; p++)
        if (check_run(e, p, err))
            return cs_error_prefix(err, "%s", cs_spot_policy_at(p)->info.name);
    if (check_table(e, err) || check_spellings(e, err))
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
