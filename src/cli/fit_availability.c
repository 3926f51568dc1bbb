/* fit_availability.c - cosched fit availability: chains and laws from traces, and how badly they
 * fit. */
#include "base/file.h"
#include "base/strbuf.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/human.h"
#include "report/table.h"

#include <cosched/case.h>
#include <cosched/fit.h>

#include <jansson.h>
#include <math.h>
#include <string.h>

/* laws of the pools of a fleet, and how well they foretell, as tables. */

static const json_t *fit_availability_in(const json_t *object, const char *key)
{
    return json_object_get(object, key);
}

/* NaN: not known. */
static double fit_availability_number(const json_t *object, const char *key)
{
    const json_t *value = fit_availability_in(object, key);

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
#define FIT_POOLS_HIDDEN(key_)                                                                     \
    {                                                                                              \
        .key = (key_), .kind = CS_COLUMN_NUMBER, .hidden = true                                    \
    }

static const struct cs_column fit_pools_columns[] = {
    {.key = "pool", .kind = CS_COLUMN_WORD},
    COUNT("hosts", NULL),
    {.key = "known_slots", .heading = "known", .unit = "slots", .kind = CS_COLUMN_COUNT},
    {.key = "up", .kind = CS_COLUMN_FRACTION, .digits = 2},
    COUNT("lives", NULL),
    COUNT("ended", NULL),
    {.key = "mean_life", .heading = "mean", .unit = "slots", .kind = CS_COLUMN_DIGITS, .digits = 4},
    FIT_POOLS_HIDDEN("exponential_rate"),
    NUMBER("exponential_log_likelihood", "exponential", "ln L", 1),
    NUMBER("weibull_shape", "Weibull", "shape", 2),
    FIT_POOLS_HIDDEN("weibull_scale"),
    NUMBER("weibull_log_likelihood", "", "ln L", 1),
    FIT_POOLS_HIDDEN("lognormal_mu"),
    NUMBER("lognormal_sigma", "log-normal", "sigma", 2),
    NUMBER("lognormal_log_likelihood", "", "ln L", 1),
    {.key = "kaplan_meier_steps", .kind = CS_COLUMN_COUNT, .hidden = true},
    NUMBER("kaplan_meier_tail", "Kaplan-Meier", "tail / slot", 5),
    NUMBER("co_failure", "go down", "together", 3),
};

static void add_law(struct cs_table *table, const json_t *law, const char *first,
                    const char *second)
{
    cs_table_number(table, fit_availability_number(law, first));
    if (second)
        cs_table_number(table, fit_availability_number(law, second));
    cs_table_number(table, fit_availability_number(law, "log_likelihood"));
}

static void add_pool(struct cs_table *table, const json_t *pool)
{
    const json_t *laws = fit_availability_in(pool, "laws"), *limit = json_array_get(laws, 3);
    const double known = fit_availability_number(pool, "known_slots");

    cs_table_text(table, json_string_value(fit_availability_in(pool, "pool")));
    cs_table_count(table, json_integer_value(fit_availability_in(pool, "hosts")));
    cs_table_count(table, (long long)known);
    cs_table_number(table, known > 0 ? fit_availability_number(pool, "up_slots") / known : NAN);
    cs_table_count(table, json_integer_value(fit_availability_in(pool, "lives")));
    cs_table_count(table, json_integer_value(fit_availability_in(pool, "ended")));
    cs_table_number(table, fit_availability_number(pool, "mean_life"));
    add_law(table, json_array_get(laws, 0), "rate", NULL);
    add_law(table, json_array_get(laws, 1), "shape", "scale");
    add_law(table, json_array_get(laws, 2), "mu", "sigma");
    cs_table_count(table, json_integer_value(fit_availability_in(limit, "steps")));
    cs_table_number(table, fit_availability_number(limit, "tail"));
    cs_table_number(table, fit_availability_number(pool, "co_failure"));
}

static void put_pools(const json_t *laws, enum cs_table_format format, struct cs_strbuf *out)
{
    struct cs_table *table =
        cs_table_create(fit_pools_columns, sizeof fit_pools_columns / sizeof *fit_pools_columns);
    const json_t *pool;
    size_t p;

    json_array_foreach(fit_availability_in(laws, "pools"), p, pool) add_pool(table, pool);
    cs_output_table(table, format, 0, out);
    cs_table_destroy(table);
}

static void fit_pools_put_head(const struct cs_fit_hosts *fleet, struct cs_strbuf *out)
{
    cs_human_units(out, fleet->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", fleet->kind);
    cs_human_units(out, fleet->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, fleet->slot);
    if (fleet->dropped) {
        cs_strbuf_puts(out, "; ");
        cs_human_units(out, fleet->dropped, "host");
        cs_strbuf_puts(out, " without data left out");
    }
    cs_strbuf_puts(out, "\n\n");
}

static void add_answer(struct cs_table *table, const json_t *pool, const json_t *answer,
                       const char *lifetime_model)
{
    cs_table_text(table, json_string_value(fit_availability_in(pool, "pool")));
    cs_table_count(table, json_integer_value(fit_availability_in(answer, "hosts")));
    cs_table_count(table, json_integer_value(fit_availability_in(answer, "slots")));
    cs_table_number(table, fit_availability_number(answer, "found"));
    cs_table_number(table, fit_availability_number(answer, lifetime_model));
    cs_table_number(table, fit_availability_number(answer, "chain"));
    cs_table_number(table, fit_availability_number(answer, "pooled-chain"));
}

/* The smallest number of slots for a pool: a twentieth. */
static double least_slots(const json_t *pool, int64_t workload)
{
    return fmax(round(0.05 * (workload ? (double)workload
                                       : fit_availability_number(pool, "mean_life_before"))),
                1);
}

/* People see one host and four hosts, and not the least of the slots, which come first. */
static void add_answers(struct cs_table *table, const json_t *pool, int64_t workload,
                        const char *lifetime_model)
{
    const double least = least_slots(pool, workload);
    const json_t *answer;
    long long hosts, before = 0;
    size_t i;

    json_array_foreach(fit_availability_in(pool, "forecasts"), i, answer)
    {
        hosts = json_integer_value(fit_availability_in(answer, "hosts"));
        if ((hosts == 1 || hosts == 4) &&
            (hosts == before || fit_availability_number(answer, "slots") != least))
            add_answer(table, pool, answer, lifetime_model);
        before = hosts;
    }
}

static void put_answers(const json_t *laws, int64_t workload, struct cs_strbuf *out)
{
    const char *lifetime_model = json_string_value(fit_availability_in(laws, "lifetime_model"));
    const struct cs_column column[] = {
        {.key = "pool", .kind = CS_COLUMN_WORD},
        COUNT("hosts", NULL),
        {.key = "slots", .heading = "W", .unit = "slots", .kind = CS_COLUMN_COUNT},
        NUMBER("found", "found", NULL, 3),
        NUMBER("lifetime_model", lifetime_model, "age, together", 3),
        NUMBER("chain", "chain", "of each host", 3),
        NUMBER("pooled", "chain", "of the pool", 3),
    };
    struct cs_table *table = cs_table_create(column, sizeof column / sizeof *column);
    const json_t *pool;
    size_t p;

    cs_strbuf_puts(out, "\nP(W), the probability that hosts which are up all stay up for W "
                        "slots: observed in the second half, and predicted from the first "
                        "half\n\n");
    json_array_foreach(fit_availability_in(laws, "pools"), p, pool)
        add_answers(table, pool, workload, lifetime_model);
    cs_output_table(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static size_t count_answers(const json_t *laws)
{
    const json_t *pool;
    size_t p, count = 0;

    json_array_foreach(fit_availability_in(laws, "pools"), p, pool) count +=
        json_array_size(fit_availability_in(pool, "forecasts"));
    return count;
}

static void put_losses(const json_t *laws, struct cs_strbuf *out)
{
    const json_t *lifetime_model;
    size_t b;

    cs_strbuf_printf(out, "\nlog loss (Brier), the mean of %zu such forecasts with 1 to 16 hosts: ",
                     count_answers(laws));
    json_array_foreach(fit_availability_in(laws, "lifetime_models"), b, lifetime_model)
    {
        cs_strbuf_printf(out, "%s%s ", b ? ", " : "",
                         json_string_value(fit_availability_in(lifetime_model, "lifetime_model")));
        cs_human_fixed(out, fit_availability_number(lifetime_model, "log_loss"), 3);
        cs_strbuf_puts(out, " (");
        cs_human_fixed(out, fit_availability_number(lifetime_model, "brier"), 3);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

/* Append `laws`, what cs_fit_availability returns for the pools of the fleet when forecasts are
 * judged by so many slots (0: parts of the mean life of each pool in the first half): a page of
 * text, or a table of CSV. */
static void fit_pools_put(const struct cs_fit_hosts *fleet, int64_t workload, const json_t *laws,
                          enum cs_table_format format, struct cs_strbuf *out)
{
    if (format != CS_TABLE_TEXT) {
        put_pools(laws, format, out);
        return;
    }
    fit_pools_put_head(fleet, out);
    put_pools(laws, format, out);
    if (!count_answers(laws))
        return;
    put_answers(laws, workload, out);
    put_losses(laws, out);
}

#define HIDDEN(word)                                                                               \
    {                                                                                              \
        .key = (word), .kind = CS_COLUMN_NUMBER, .digits = 4, .hidden = true                       \
    }
#define SHOWN(word, heading_, unit_, kind_, digits_)                                               \
    {                                                                                              \
        .key = (word), .heading = (heading_), .unit = (unit_), .kind = (kind_),                    \
        .digits = (digits_)                                                                        \
    }

static const struct cs_column columns[] = {
    {.key = "host", .kind = CS_COLUMN_WORD},
    SHOWN("up", NULL, NULL, CS_COLUMN_FRACTION, 1),
    SHOWN("reclaimed", NULL, NULL, CS_COLUMN_FRACTION, 1),
    SHOWN("down", NULL, NULL, CS_COLUMN_FRACTION, 1),
    SHOWN("intervals", "times up", NULL, CS_COLUMN_COUNT, 0),
    SHOWN("mean_slots", "mean", "slots", CS_COLUMN_DIGITS, 4),
    SHOWN("geometric_distance", "geometric", "distance", CS_COLUMN_NUMBER, 2),
    SHOWN("weibull_shape", "Weibull", "shape", CS_COLUMN_NUMBER, 2),
    HIDDEN("weibull_scale"),
    SHOWN("weibull_distance", "Weibull", "distance", CS_COLUMN_NUMBER, 2),
    SHOWN("lognormal_sigma", "log-normal", "sigma", CS_COLUMN_NUMBER, 2),
    HIDDEN("lognormal_median"),
    SHOWN("lognormal_distance", "log-normal", "distance", CS_COLUMN_NUMBER, 2),
    SHOWN("best", "best law", NULL, CS_COLUMN_WORD, 0),
    HIDDEN("workload_1"),
    HIDDEN("predicted_1"),
    HIDDEN("found_1"),
    SHOWN("workload_2", "W", "slots", CS_COLUMN_NUMBER, 0),
    SHOWN("predicted_2", "P(W)", "chain", CS_COLUMN_NUMBER, 3),
    SHOWN("found_2", "P(W)", "found", CS_COLUMN_NUMBER, 3),
    HIDDEN("workload_3"),
    HIDDEN("predicted_3"),
    HIDDEN("found_3"),
    HIDDEN("geometric_aic"),
    HIDDEN("weibull_aic"),
    HIDDEN("lognormal_aic"),
    HIDDEN("p_uu"),
    HIDDEN("p_ur"),
    HIDDEN("p_ud"),
    HIDDEN("p_ru"),
    HIDDEN("p_rr"),
    HIDDEN("p_rd"),
    HIDDEN("p_du"),
    HIDDEN("p_dr"),
    HIDDEN("p_dd"),
};

#define COLUMNS ((int)(sizeof columns / sizeof *columns))

static void fit_availability_put_head(const struct cs_fit_hosts *a, struct cs_strbuf *out)
{
    cs_human_units(out, a->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", a->kind);
    cs_human_units(out, a->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, a->slot);
    cs_strbuf_puts(out, "\nP(W): predicted by the chain of the first half, and observed in the "
                        "second half\n\n");
}

static void fit_availability_show(const struct cs_fit_hosts *a, const json_t *hosts,
                                  enum cs_table_format format)
{
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *host;
    size_t q;

    if (format == CS_TABLE_TEXT)
        fit_availability_put_head(a, &out);
    json_array_foreach(hosts, q, host) cs_rows_put(table, columns, COLUMNS, host);
    cs_output_table(table, format, 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static struct cs_fit_availability_options options_of(const struct cs_arguments *args)
{
    return (struct cs_fit_availability_options){
        .size = sizeof(struct cs_fit_availability_options),
        .slot = cs_arguments_has(args, "slot") ? cs_arguments_real(args, "slot") : 0,
        .hosts = cs_arguments_has(args, "hosts") ? (int)cs_arguments_integer(args, "hosts") : 0,
        .components = cs_arguments_text(args, "components"),
        .each = cs_arguments_has(args, "each"),
        .lifetime_model = (enum cs_fit_lifetime_model)cs_arguments_choice(args, "lifetime-model"),
        .pooling = (enum cs_fit_pooling)cs_arguments_choice(args, "pool"),
        .workload = cs_arguments_has(args, "workload") ? cs_arguments_integer(args, "workload") : 0,
        .scenario = cs_arguments_text(args, "output"),
    };
}

static void show_laws(const struct cs_arguments *args,
                      const struct cs_fit_availability_options *how,
                      const struct cs_fit_hosts *found, char *text)
{
    const enum cs_table_format format = cs_rows_format(cs_arguments_choice(args, "format"));
    struct cs_strbuf out = CS_STRBUF_INIT;
    json_t *laws;

    if (!how->each && format == CS_TABLE_JSON)
        cs_strbuf_puts(&out, text);
    laws = cs_rows_parse(text);
    if (how->each)
        fit_availability_show(found, laws, format);
    else if (format != CS_TABLE_JSON)
        fit_pools_put(found, how->workload, laws, format, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    json_decref(laws);
}

static int fit_availability_run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_fit_availability_options how = options_of(args);
    struct cs_fit_hosts found;
    char *text;
    int status = cs_output_check(how.scenario, err);

    for (int i = 0; i < args->operands && !status; i++)
        status = cs_output_apart(how.scenario, args->operand[i], "the input", err);
    if (status)
        return -1;
    text = cs_fit_availability(args->operand, args->operands, &how, &found, err);
    if (text)
        show_laws(args, &how, &found, text);
    return text ? 0 : -1;
}

static const struct cs_operand operands[] = {
    {.name = "TRACE",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "when machines were there: an event table of the Failure Trace Archive, counts or "
                "events of spot instances, or a scenario with traces; several files are hosts side "
                "by side"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "slot",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .summary = "length of a slot (seconds; default: from the file, else 60)"},
    {.name = "components",
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "component table of an event table of the archive: when nodes were monitored "
                "(default: component.tab in the directory of the table, if it exists)"},
    {.name = "hosts",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary = "only the first N"},
    {.name = "pool",
     .kind = CS_PARAM_CHOICE,
     .choices = "zone|fleet|host",
     .default_text = "zone",
     .summary = "whose lives are of one law: those of the hosts of a file, of all hosts, or of "
                "each"},
    {.name = "lifetime-model",
     .old = "belief",
     .kind = CS_PARAM_CHOICE,
     .choices = "auto|chain|pooled-chain|weibull|log-normal|kaplan-meier",
     .old_choice = "product-limit=kaplan-meier",
     .default_text = "auto",
     .summary = "lifetime model whose forecasts are shown next to those of chains; auto is "
                "log-normal; the loss is shown for all models"},
    {.name = "each",
     .kind = CS_PARAM_FLAG,
     .summary = "show a line for each host instead: its chain, the laws of the times that it is "
                "up, and how far they are from these"},
    {.name = "workload",
     .kind = CS_PARAM_INTEGER,
     .argument = "W",
     .low = 1,
     .high = 100000000,
     .summary =
         "evaluate the probability that hosts stay up for W slots, W / 4 and 4 W (default: 0.2, "
         "0.5 and 1 times the mean lifetime of the first half; with --each about the mean number "
         "of up slots between two failures)"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "write the hosts, with chains and traces, as a scenario for 'cosched simulate "
                "volatile'"},
    CS_PARAM_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Fit the lifetimes of the spot instances of a zone, and test the predictions:",
     "cosched fit availability examples/spot.csv"},
    {"How badly does a Markov chain fit each of the hosts?",
     "cosched fit availability examples/spot.csv --each"},
    {"Simulate policies that use the fitted chains on the same traces:",
     "cosched fit availability examples/spot.csv -o hosts.json && cosched simulate volatile "
     "hosts.json --model fitted --policy ie,y-ie -n 20"},
    {0},
};

const struct cs_command cs_command_fit_availability = {
    .words = "fit availability",
    .summary = "fit laws and Markov chains to traces of hosts that come and go",
    .description =
        "For each pool of hosts (by default one per file): the distribution of uptimes, as "
        "exponential, Weibull and log-normal laws (maximum likelihood) and as the Kaplan-Meier "
        "estimate, from uptimes with an observed beginning, censored ones included; and the "
        "probability that another host goes down when one does. Time without an event is not "
        "down time: it is unknown if the file lists when hosts were available, and outside the "
        "windows in which hosts were monitored.\n\n"
        "Policies use P(W), the probability that hosts which are up all stay up for W slots. "
        "Models fitted to the first half of the trace predict it at sampled times of the second "
        "half, and are compared with the observations: a chain of each host, a chain of the "
        "pool, and laws that depend on the uptime so far, on the failure rate of the host, and "
        "on correlated failures.\n\n"
        "With --each, for each host: the chain of the states up, reclaimed and down that makes "
        "its transitions most probable, and the geometric, Weibull and log-normal laws of the "
        "times that it is up (maximum likelihood; censored intervals count as such), with the "
        "largest distance between law and intervals (Kolmogorov). The times up of a Markov chain "
        "are geometric.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = fit_availability_run,
};
