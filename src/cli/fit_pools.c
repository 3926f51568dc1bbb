/* fit_pools.c - laws of the pools of a fleet, and how well they foretell, as tables. */
#include "cli/fit_pools.h"

#include "cli/base/output.h"
#include "cli/base/rows.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

static const json_t *in(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

/* NaN: not known. */
static double number(const json_t *object, const char *key)
{
    const json_t *value = in(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

#define COUNT(key_, heading_)                                                                      \
    {                                                                                              \
        .key = (key_), .heading = (heading_), .kind = CS_COLUMN_COUNT                              \
    }
#define NUMBER(key_, heading_, unit_, digits_)                                                     \
    {                                                                                              \
        .key = (key_), .heading = (heading_), .unit = (unit_), .kind = CS_COLUMN_NUMBER,           \
        .digits = (digits_)                                                                        \
    }
#define HIDDEN(key_)                                                                               \
    {                                                                                              \
        .key = (key_), .kind = CS_COLUMN_NUMBER, .hidden = true                                    \
    }

static const struct cs_column columns[] = {
    {.key = "pool", .kind = CS_COLUMN_WORD},
    COUNT("hosts", NULL),
    {.key = "known_slots", .heading = "known", .unit = "slots", .kind = CS_COLUMN_COUNT},
    {.key = "up", .kind = CS_COLUMN_FRACTION, .digits = 2},
    COUNT("lives", NULL),
    COUNT("ended", NULL),
    {.key = "mean_life", .heading = "mean", .unit = "slots", .kind = CS_COLUMN_DIGITS, .digits = 4},
    HIDDEN("exponential_rate"),
    NUMBER("exponential_log_likelihood", "exponential", "ln L", 1),
    NUMBER("weibull_shape", "Weibull", "shape", 2),
    HIDDEN("weibull_scale"),
    NUMBER("weibull_log_likelihood", "", "ln L", 1),
    HIDDEN("lognormal_mu"),
    NUMBER("lognormal_sigma", "log-normal", "sigma", 2),
    NUMBER("lognormal_log_likelihood", "", "ln L", 1),
    {.key = "product_limit_steps", .kind = CS_COLUMN_COUNT, .hidden = true},
    NUMBER("product_limit_tail", "product limit", "tail / slot", 5),
    NUMBER("co_failure", "go down", "together", 3),
};

static void add_law(struct cs_table *table, const json_t *law, const char *first,
                    const char *second)
{
    cs_table_number(table, number(law, first));
    if (second)
        cs_table_number(table, number(law, second));
    cs_table_number(table, number(law, "log_likelihood"));
}

static void add_pool(struct cs_table *table, const json_t *pool)
{
    const json_t *laws = in(pool, "laws"), *limit = json_array_get(laws, 3);
    const double known = number(pool, "known_slots");

    cs_table_text(table, json_string_value(in(pool, "pool")));
    cs_table_count(table, json_integer_value(in(pool, "hosts")));
    cs_table_count(table, (long long)known);
    cs_table_number(table, known > 0 ? number(pool, "up_slots") / known : NAN);
    cs_table_count(table, json_integer_value(in(pool, "lives")));
    cs_table_count(table, json_integer_value(in(pool, "ended")));
    cs_table_number(table, number(pool, "mean_life"));
    add_law(table, json_array_get(laws, 0), "rate", NULL);
    add_law(table, json_array_get(laws, 1), "shape", "scale");
    add_law(table, json_array_get(laws, 2), "mu", "sigma");
    cs_table_count(table, json_integer_value(in(limit, "steps")));
    cs_table_number(table, number(limit, "tail"));
    cs_table_number(table, number(pool, "co_failure"));
}

static void put_pools(const json_t *laws, enum cs_table_format format, struct cs_strbuf *out)
{
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    const json_t *pool;
    size_t p;

    json_array_foreach(in(laws, "pools"), p, pool) add_pool(table, pool);
    cs_output_table(table, format, 0, out);
    cs_table_destroy(table);
}

static void put_head(const struct cs_fleet *fleet, struct cs_strbuf *out)
{
    cs_human_units(out, fleet->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", fleet->zone[0].kind);
    cs_human_units(out, fleet->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, fleet->slot);
    if (fleet->dropped) {
        cs_strbuf_puts(out, "; ");
        cs_human_units(out, fleet->dropped, "host");
        cs_strbuf_puts(out, " of which nothing is known left out");
    }
    cs_strbuf_puts(out, "\n\n");
}

static void add_answer(struct cs_table *table, const json_t *pool, const json_t *answer,
                       const char *belief)
{
    cs_table_text(table, json_string_value(in(pool, "pool")));
    cs_table_count(table, json_integer_value(in(answer, "hosts")));
    cs_table_count(table, json_integer_value(in(answer, "slots")));
    cs_table_number(table, number(answer, "found"));
    cs_table_number(table, number(answer, belief));
    cs_table_number(table, number(answer, "chain"));
    cs_table_number(table, number(answer, "pooled-chain"));
}

/* The least of the slots that a pool is asked about: a twentieth. */
static double least_slots(const json_t *pool, int64_t workload)
{
    return fmax(round(0.05 * (workload ? (double)workload : number(pool, "mean_life_before"))), 1);
}

/* People see one host and four hosts, and not the least of the slots, which come first. */
static void add_answers(struct cs_table *table, const json_t *pool, int64_t workload,
                        const char *belief)
{
    const double least = least_slots(pool, workload);
    const json_t *answer;
    long long hosts, before = 0;
    size_t i;

    json_array_foreach(in(pool, "forecasts"), i, answer)
    {
        hosts = json_integer_value(in(answer, "hosts"));
        if ((hosts == 1 || hosts == 4) && (hosts == before || number(answer, "slots") != least))
            add_answer(table, pool, answer, belief);
        before = hosts;
    }
}

static void put_answers(const json_t *laws, int64_t workload, struct cs_strbuf *out)
{
    const char *belief = json_string_value(in(laws, "belief"));
    const struct cs_column column[] = {
        {.key = "pool", .kind = CS_COLUMN_WORD},
        COUNT("hosts", NULL),
        {.key = "slots", .heading = "W", .unit = "slots", .kind = CS_COLUMN_COUNT},
        NUMBER("found", "found", NULL, 3),
        NUMBER("belief", belief, "age, together", 3),
        NUMBER("chain", "chain", "of each host", 3),
        NUMBER("pooled", "chain", "of the pool", 3),
    };
    struct cs_table *table = cs_table_create(column, sizeof column / sizeof *column);
    const json_t *pool;
    size_t p;

    cs_strbuf_puts(out, "\nP(W), that hosts which are up all stay for W slots: found in the second "
                        "half, and as the first half says\n\n");
    json_array_foreach(in(laws, "pools"), p, pool) add_answers(table, pool, workload, belief);
    cs_output_table(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static size_t count_answers(const json_t *laws)
{
    const json_t *pool;
    size_t p, count = 0;

    json_array_foreach(in(laws, "pools"), p, pool) count += json_array_size(in(pool, "forecasts"));
    return count;
}

static void put_losses(const json_t *laws, struct cs_strbuf *out)
{
    const json_t *belief;
    size_t b;

    cs_strbuf_printf(out, "\nlog loss (Brier), the mean of %zu such forecasts with 1 to 16 hosts: ",
                     count_answers(laws));
    json_array_foreach(in(laws, "beliefs"), b, belief)
    {
        cs_strbuf_printf(out, "%s%s ", b ? ", " : "", json_string_value(in(belief, "belief")));
        cs_human_fixed(out, number(belief, "log_loss"), 3);
        cs_strbuf_puts(out, " (");
        cs_human_fixed(out, number(belief, "brier"), 3);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

void cs_fit_pools_put(const struct cs_fleet *fleet, int64_t workload, const json_t *laws,
                      enum cs_table_format format, struct cs_strbuf *out)
{
    if (format != CS_TABLE_TEXT) {
        put_pools(laws, format, out);
        return;
    }
    put_head(fleet, out);
    put_pools(laws, format, out);
    if (!count_answers(laws))
        return;
    put_answers(laws, workload, out);
    put_losses(laws, out);
}
