/* fit_availability.c - cosched fit availability: chains and laws from traces, and how badly they
 * fit. */
#include "base/file.h"
#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "cli/volatile.h"
#include "io/availability.h"
#include "model/availability.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

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
    SHOWN("stretches", "times up", NULL, CS_COLUMN_COUNT, 0),
    SHOWN("mean_slots", "mean", "slots", CS_COLUMN_DIGITS, 4),
    SHOWN("geometric_distance", "geometric", "distance", CS_COLUMN_NUMBER, 2),
    SHOWN("weibull_shape", "Weibull", "shape", CS_COLUMN_NUMBER, 2),
    HIDDEN("weibull_scale"),
    SHOWN("weibull_distance", "Weibull", "distance", CS_COLUMN_NUMBER, 2),
    HIDDEN("lognormal_median"),
    SHOWN("lognormal_sigma", "log-normal", "sigma", CS_COLUMN_NUMBER, 2),
    SHOWN("lognormal_distance", "log-normal", "distance", CS_COLUMN_NUMBER, 2),
    SHOWN("best", "best law", NULL, CS_COLUMN_WORD, 0),
    HIDDEN("workload_1"),
    HIDDEN("predicted_1"),
    HIDDEN("seen_1"),
    SHOWN("workload_2", "W", "slots", CS_COLUMN_COUNT, 0),
    SHOWN("predicted_2", "P(W)", "chain", CS_COLUMN_NUMBER, 3),
    SHOWN("seen_2", "P(W)", "seen", CS_COLUMN_NUMBER, 3),
    HIDDEN("workload_3"),
    HIDDEN("predicted_3"),
    HIDDEN("seen_3"),
    HIDDEN("geometric_likelihood"),
    HIDDEN("weibull_likelihood"),
    HIDDEN("lognormal_likelihood"),
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

static void add_workload(struct cs_table *table, const struct cs_availability_workload *w,
                         bool shown)
{
    if (shown)
        cs_table_count(table, w->slots);
    else
        cs_table_number(table, (double)w->slots);
    cs_table_number(table, w->predicted);
    cs_table_number(table, w->seen);
}

static void add_row(struct cs_table *table, const char *name, const struct cs_availability_fit *f)
{
    cs_table_text(table, name);
    for (int i = 0; i < 3; i++)
        cs_table_number(table, f->share[i]);
    cs_table_count(table, f->stretches);
    cs_table_number(table, f->mean);
    cs_table_number(table, f->geometric.distance);
    cs_table_number(table, f->weibull.parameter);
    cs_table_number(table, f->weibull.scale);
    cs_table_number(table, f->weibull.distance);
    cs_table_number(table, f->lognormal.scale);
    cs_table_number(table, f->lognormal.parameter);
    cs_table_number(table, f->lognormal.distance);
    cs_table_text(table, f->best);
    for (int i = 0; i < CS_AVAILABILITY_WORKLOADS; i++)
        add_workload(table, &f->workload[i], i == 1);
    cs_table_number(table, f->geometric.likelihood);
    cs_table_number(table, f->weibull.likelihood);
    cs_table_number(table, f->lognormal.likelihood);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            cs_table_number(table, f->chain[i][j]);
}

static void put_head(const struct cs_availability *a, int64_t history, struct cs_strbuf *out)
{
    cs_human_units(out, a->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", a->kind);
    cs_human_units(out, a->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, a->slot);
    if (history < a->slots) {
        cs_strbuf_puts(out, "; fitted to the first ");
        cs_human_count(out, history);
        cs_strbuf_puts(out, ", P(W) seen in the rest");
    }
    cs_strbuf_puts(out, "\n\n");
}

static void show(const struct cs_availability *a, const struct cs_availability_fit *fit,
                 int64_t history, enum cs_format format)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (format == CS_FORMAT_TABLE)
        put_head(a, history, &out);
    for (int q = 0; q < a->hosts; q++)
        add_row(table, a->name[q], &fit[q]);
    cs_table_write(table, formats[format], 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

/* Hosts with their chains and traces, and an application to begin with. */
static int write_scenario(const struct cs_availability *a, const struct cs_availability_fit *fit,
                          const char *path, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_scenario_host *host = CS_NEW_ARRAY(arena, struct cs_scenario_host, a->hosts);
    const struct cs_scenario s = {
        .source = "fitted by cosched fit availability",
        .slot = a->slot,
        .tasks = 5,
        .iterations = 10,
        .program = 5,
        .data = 1,
        .transfers = 5,
        .cap = 1000000,
        .shape = NAN,
        .hosts = a->hosts,
        .host = host,
        .slots = a->slots,
    };
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    for (int q = 0; q < a->hosts; q++) {
        host[q] = (struct cs_scenario_host){.name = a->name[q],
                                            .slots = 1,
                                            .capacity = -1,
                                            .has_chain = true,
                                            .trace = a->trace[q]};
        memcpy(host[q].chain, fit[q].chain, sizeof host[q].chain);
    }
    cs_scenario_put(&s, &w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
    return status;
}

/* How much to fit to: what is said, else half. */
static int read_history(const struct cs_arguments *args, const struct cs_availability *a,
                        int64_t *history, struct cs_error *err)
{
    *history = cs_arguments_given(args, "history") ? cs_arguments_integer(args, "history")
                                                   : (a->slots + 1) / 2;
    if (*history > a->slots)
        return cs_error_set(err, "--history %lld: the traces have %lld slots", (long long)*history,
                            (long long)a->slots);
    return 0;
}

static int fit(const struct cs_arguments *args, const struct cs_availability *a,
               struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_availability_fit *found = CS_NEW_ARRAY(arena, struct cs_availability_fit, a->hosts);
    const char *output = cs_arguments_text(args, "output");
    int64_t history = 0, workload = cs_arguments_given(args, "workload")
                                        ? cs_arguments_integer(args, "workload")
                                        : 0;
    int status = read_history(args, a, &history, err);

    for (int q = 0; q < a->hosts && !status; q++)
        cs_availability_fit(a->trace[q], a->slots, history, workload, &found[q]);
    if (!status && output)
        status = write_scenario(a, found, output, err);
    if (!status)
        show(a, found, history, (enum cs_format)cs_arguments_choice(args, "format"));
    cs_arena_destroy(arena);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_availability_options options = {
        .slot = cs_arguments_given(args, "slot") ? cs_arguments_real(args, "slot") : 0,
        .hosts = cs_arguments_given(args, "hosts") ? (int)cs_arguments_integer(args, "hosts") : 0,
    };
    const char *output = cs_arguments_text(args, "output");
    struct cs_availability *a;
    int status = cs_output_check(output, err);

    for (int i = 0; i < args->operands && !status; i++)
        status = cs_output_apart(output, args->operand[i], "the input", err);
    if (status)
        return -1;
    a = cs_availability_read(args->operand, args->operands, &options, err);
    status = a ? fit(args, a, err) : -1;
    cs_availability_destroy(a);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "TRACE",
     .repeats = true,
     .kind = CS_OPTION_PATH,
     .summary = "when machines were there: an event table of the Failure Trace Archive, counts or "
                "events of spot instances, or a scenario with traces; several files are hosts side "
                "by side"},
    {0},
};

static const struct cs_option options[] = {
    {.name = "slot",
     .kind = CS_OPTION_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .summary = "how long a slot is; default: what the file says, else 60 s"},
    {.name = "hosts",
     .kind = CS_OPTION_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary = "only the first N"},
    {.name = "history",
     .kind = CS_OPTION_INTEGER,
     .argument = "SLOTS",
     .low = 1,
     .high = 100000000,
     .summary = "fit to the first SLOTS and judge by the rest; default: half"},
    {.name = "workload",
     .kind = CS_OPTION_INTEGER,
     .argument = "W",
     .low = 1,
     .high = 100000000,
     .summary =
         "judge the chain by the chance to compute W slots before the host is down; default: "
         "about the mean number of up slots between two times down"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_OPTION_PATH,
     .argument = "FILE.json",
     .summary = "write the hosts, with chains and traces, as a scenario for 'cosched simulate "
                "volatile'"},
    CS_OPTION_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"How badly does a Markov chain fit the spot instances of a zone?",
     "cosched fit availability examples/spot.json"},
    {"Policies that believe in the fitted chains, on the same traces:",
     "cosched fit availability examples/spot.json -o hosts.json && cosched simulate volatile "
     "hosts.json --model fitted --policy ie,y-ie -n 20"},
    {0},
};

const struct cs_command cs_command_fit_availability = {
    .words = "fit availability",
    .summary = "fit Markov chains and laws to traces of hosts that come and go",
    .description =
        "For each host: the chain of the states up, reclaimed and down that makes its transitions "
        "most probable, and the geometric, Weibull and log-normal laws of the times that it is up "
        "(complete ones, greatest likelihood), with the largest distance between the law and what "
        "was seen (Kolmogorov). The times up of a Markov chain are geometric.\n\n"
        "What policies use of a chain is P(W), the chance that a host which is up computes W slots "
        "before it is down: as the chain of the first half predicts it, and as the second half "
        "shows it.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
