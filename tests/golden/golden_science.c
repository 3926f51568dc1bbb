/* golden_science.c - the golden cases of docs/spec/science.md that this version has: statistics of
 * comparisons (section 7); science_parts.c has the others.
 */
#include "base/jsonw.h"
#include "campaign/compare.h"
#include "campaign/statistics.h"
#include "golden/golden.h"
#include "golden/science_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT 1e-12  /* relative (7.12) */
#define STUDENT 1e-9 /* where Student's t enters */

static double *read_numbers(const json_t *list, struct cs_arena *arena)
{
    const size_t n = json_array_size(list);
    double *number = CS_NEW_ARRAY(arena, double, n + 1);

    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, i);

        number[i] = json_is_number(value) ? json_number_value(value) : NAN;
    }
    return number;
}

/* Is `got` the expected JSON? Numbers to the tolerance of their key, objects without order. */
static int compare_json(const json_t *want, const json_t *got, const char *key,
                        struct cs_error *err)
{
    if (json_is_number(want) && json_is_number(got)) {
        const bool student = !strcmp(key, "low") || !strcmp(key, "high") ||
                             !strcmp(key, "ratio_low") || !strcmp(key, "ratio_high");
        const double a = json_number_value(want), b = json_number_value(got);

        return fabs(a - b) <= (student ? STUDENT : EXACT) * fabs(a)
                   ? 0
                   : cs_error_set(err, "%s is %.17g, expected %.17g", key, b, a);
    }
    if (json_is_object(want) && json_is_object(got)) {
        const char *name;
        json_t *value;

        json_object_foreach((json_t *)(size_t)want, name, value)
        {
            if (compare_json(value, json_object_get(got, name), name, err))
                return -1;
        }
        return 0;
    }
    if (json_is_array(want) && json_is_array(got) &&
        json_array_size(want) == json_array_size(got)) {
        for (size_t i = 0; i < json_array_size(want); i++)
            if (compare_json(json_array_get(want, i), json_array_get(got, i), key, err))
                return -1;
        return 0;
    }
    return want && got && json_equal((json_t *)(size_t)want, (json_t *)(size_t)got)
               ? 0
               : cs_error_set(err, "%s differs", key);
}

/* A table of two values, one condition: the JSON row is compared as the tool writes it. */
static json_t *table_json(const struct cs_compare *compare)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *json;

    cs_compare_put(compare, &text);
    json = json_loads(text.text, 0, NULL);
    cs_strbuf_release(&text);
    return json;
}

static const json_t *metric_of(const json_t *table)
{
    return json_array_get(json_object_get(table, "metrics"), 0);
}

/* "compare": one pair of lists. */
static int check_pairs(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    const json_t *x = json_object_get(in, "reference"), *y = json_object_get(in, "other");
    const size_t n = json_array_size(x);
    double *number = CS_NEW_ARRAY(arena, double, 2 * n);
    json_t *value[] = {json_string("reference"), json_string("other")}, *condition = json_object();
    const struct cs_compare_metric metric = {
        .name = "value",
        .smaller = json_is_true(json_object_get(in, "smaller_is_better")),
        .number = number,
    };
    const struct cs_compare compare = {.by = "side",
                                       .values = 2,
                                       .conditions = 1,
                                       .replicates = (int)n,
                                       .metrics = 1,
                                       .value = value,
                                       .condition = &condition,
                                       .metric = &metric,
                                       .confidence = 0.95};
    json_t *table;
    int status;

    memcpy(number, read_numbers(x, arena), n * sizeof *number);
    memcpy(number + n, read_numbers(y, arena), n * sizeof *number);
    table = table_json(&compare);
    status = compare_json(want, json_array_get(json_object_get(metric_of(table), "rows"), 0), "row",
                          err);
    json_decref(table);
    json_decref(value[0]);
    json_decref(value[1]);
    json_decref(condition);
    return status;
}

static int check_holm(const json_t *in, const json_t *want, struct cs_arena *arena,
                      struct cs_error *err)
{
    const json_t *p = json_object_get(in, "p");
    const int n = (int)json_array_size(p);
    double *adjusted = CS_NEW_ARRAY(arena, double, n);
    json_t *got = json_array();
    int status;

    cs_statistics_holm(read_numbers(p, arena), n, adjusted, arena);
    for (int i = 0; i < n; i++)
        json_array_append_new(got, json_real(adjusted[i]));
    status = compare_json(json_object_get(want, "adjusted"), got, "adjusted", err);
    json_decref(got);
    return status;
}

static int check_range(const json_t *in, const json_t *want, struct cs_error *err)
{
    const json_t *value;
    size_t i;

    json_array_foreach(json_object_get(in, "policies"), i, value)
    {
        json_t *got = json_real(cs_statistics_range((int)json_integer_value(value), 0.95));
        const int status =
            compare_json(json_array_get(json_object_get(want, "q"), i), got, "q", err);

        json_decref(got);
        if (status)
            return -1;
    }
    return 0;
}

static json_t *integers_json(const int *integer, int first, int last)
{
    json_t *list = json_array();

    for (int i = first; i <= last; i++)
        json_array_append_new(list, json_integer(integer[i]));
    return list;
}

static int check_friedman(const json_t *in, const json_t *want, struct cs_arena *arena,
                          struct cs_error *err)
{
    const json_t *rows = json_object_get(in, "rows");
    const int n = (int)json_array_size(rows), k = (int)json_array_size(json_array_get(rows, 0));
    double *table = CS_NEW_ARRAY(arena, double, n *k);
    json_t *ranks = json_array(), *groups = json_array(), *got;
    struct cs_ranks r;
    int status;

    for (int b = 0; b < n; b++)
        memcpy(table + b * k, read_numbers(json_array_get(rows, (size_t)b), arena),
               (size_t)k * sizeof *table);
    r = cs_statistics_ranks(table, n, k, json_is_true(json_object_get(in, "smaller_is_better")),
                            0.95, arena);
    for (int j = 0; j < k; j++)
        json_array_append_new(ranks, json_real(r.rank[j]));
    for (int g = 0; g < r.groups; g++)
        json_array_append_new(groups, integers_json(r.order, r.group[g][0], r.group[g][1]));
    got = json_pack("{s:i, s:i, s:o, s:f, s:f, s:f, s:f, s:o, s:o}", "blocks", r.blocks, "policies",
                    r.values, "ranks", ranks, "chi2", r.chi2, "p", r.p, "p_F", r.p_f,
                    "critical_difference", r.critical_difference, "order",
                    integers_json(r.order, 0, k - 1), "groups", groups);
    json_object_set_new(got, "F", isinf(r.f) ? json_string("inf") : json_real(r.f));
    status = compare_json(want, got, "ranks", err);
    json_decref(got);
    return status;
}

/* ---- a table ---- */

struct runs {
    const char *by, *metric;
    json_t *value[64], *condition[64];
    int values, conditions, replicates;
};

static int find_json(json_t **list, int *count, const json_t *wanted)
{
    for (int i = 0; i < *count; i++)
        if (json_equal(list[i], wanted))
            return i;
    list[*count] = json_deep_copy(wanted);
    return (*count)++;
}

static void place_run(struct runs *runs, const json_t *run, int at[3])
{
    json_t *condition = json_deep_copy(run);

    json_object_del(condition, runs->by);
    json_object_del(condition, runs->metric);
    json_object_del(condition, "replicate");
    at[0] = find_json(runs->condition, &runs->conditions, condition);
    at[1] = find_json(runs->value, &runs->values, json_object_get(run, runs->by));
    at[2] = (int)json_integer_value(json_object_get(run, "replicate"));
    runs->replicates = at[2] < runs->replicates ? runs->replicates : at[2] + 1;
    json_decref(condition);
}

static double *place_numbers(struct runs *runs, const json_t *list, struct cs_arena *arena)
{
    const size_t n = json_array_size(list);
    double *number;
    size_t places;
    int at[3];

    for (size_t i = 0; i < n; i++)
        place_run(runs, json_array_get(list, i), at);
    places = (size_t)(runs->conditions * runs->values * runs->replicates);
    number = CS_NEW_ARRAY(arena, double, places);
    for (size_t i = 0; i < places; i++)
        number[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        const json_t *run = json_array_get(list, i), *value = json_object_get(run, runs->metric);

        place_run(runs, run, at);
        if (json_is_number(value))
            number[(at[0] * runs->values + at[1]) * runs->replicates + at[2]] =
                json_number_value(value);
    }
    return number;
}

static int reference_of(const struct runs *runs, const json_t *in)
{
    const json_t *reference = json_object_get(in, "reference");
    const char *pairs = json_string_value(json_object_get(in, "pairs"));

    for (int v = 0; json_is_string(reference) && v < runs->values; v++)
        if (json_equal(runs->value[v], reference))
            return v;
    return pairs && !strcmp(pairs, "all") ? -1 : 0;
}

/* The expected object is 12.1 for one metric: its keys are there or in the metric. */
static int check_table(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    struct runs runs = {.by = json_string_value(json_object_get(in, "by")),
                        .metric = json_string_value(json_object_get(in, "metric"))};
    const double *number = place_numbers(&runs, json_object_get(in, "runs"), arena);
    const char *better = json_string_value(json_object_get(in, "better"));
    const struct cs_compare_metric metric = {
        .name = runs.metric, .smaller = better && !strcmp(better, "smaller"), .number = number};
    const struct cs_compare compare = {.by = runs.by,
                                       .values = runs.values,
                                       .conditions = runs.conditions,
                                       .replicates = runs.replicates,
                                       .metrics = 1,
                                       .value = runs.value,
                                       .condition = runs.condition,
                                       .metric = &metric,
                                       .reference = reference_of(&runs, in),
                                       .confidence =
                                           json_number_value(json_object_get(in, "confidence"))};
    json_t *table = table_json(&compare);
    int status = 0;

    json_object_update_missing(table, (json_t *)(size_t)metric_of(table));
    if (!json_object_get(want, "metrics"))
        json_object_del(table, "metrics");
    status = compare_json(want, table, "table", err);
    json_decref(table);
    for (int v = 0; v < runs.values; v++)
        json_decref(runs.value[v]);
    for (int s = 0; s < runs.conditions; s++)
        json_decref(runs.condition[s]);
    return status;
}

/* ---- files ---- */

static int check_case(const char *kind, const json_t *one, struct cs_error *err)
{
    const json_t *in = json_object_get(one, "input"), *want = json_object_get(one, "expected");
    struct cs_arena *arena = cs_arena_create();
    int status;

    if (!strcmp(kind, "compare"))
        status = check_pairs(in, want, arena, err);
    else if (!strcmp(kind, "compare-table"))
        status = check_table(in, want, arena, err);
    else if (!strcmp(kind, "holm"))
        status = check_holm(in, want, arena, err);
    else if (!strcmp(kind, "friedman"))
        status = check_friedman(in, want, arena, err);
    else if (!strcmp(kind, "range"))
        status = check_range(in, want, err);
    else if ((status = golden_science_jobs(kind, in, want, arena, err)) == GOLDEN_SKIP)
        status = golden_science_part(kind, in, want, arena, err);
    cs_arena_destroy(arena);
    return status;
}

static int check_file(const json_t *json, const char *path, struct cs_error *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const json_t *one;
    size_t i;

    (void)path;
    if (!kind)
        return cs_error_set(err, "there is no kind");
    json_array_foreach(json_object_get(json, "cases"), i, one)
    {
        const char *note = json_string_value(json_object_get(one, "note"));
        const int status = check_case(kind, one, err);

        if (status == GOLDEN_SKIP)
            return status;
        if (status) {
            cs_error_prefix(err, "%s", note ? note : "case");
            return status;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, "science-golden-1", check_file);
}
