/* fit_availability.c - cosched fit availability: chains and laws from traces, and how badly they
 * fit. */
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/rows.h"
#include "cli/fit_pools.h"
#include "report/human.h"

#include <cosched/case.h>
#include <cosched/volatile.h>
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

static void put_head(const struct cs_fleet *a, struct cs_strbuf *out)
{
    cs_human_units(out, a->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", a->zone[0].kind);
    cs_human_units(out, a->slots, "slot");
    cs_strbuf_puts(out, " of ");
    cs_human_duration(out, a->slot);
    cs_strbuf_puts(out, "\nP(W): as the chain of the first half says, and as the second half "
                        "shows\n\n");
}

static void show(const struct cs_fleet *a, const json_t *hosts, enum cs_table_format format)
{
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *host;
    size_t q;

    if (format == CS_TABLE_TEXT)
        put_head(a, &out);
    json_array_foreach(hosts, q, host) cs_rows_put(table, columns, COLUMNS, host);
    cs_output_table(table, format, 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static struct cs_volatile_laws_options laws_of(const struct cs_arguments *args)
{
    return (struct cs_volatile_laws_options){
        .size = sizeof(struct cs_volatile_laws_options),
        .each = cs_arguments_given(args, "each"),
        .belief = (enum cs_volatile_model)cs_arguments_choice(args, "belief"),
        .pooling = (enum cs_volatile_pooling)cs_arguments_choice(args, "pool"),
        .workload =
            cs_arguments_given(args, "workload") ? cs_arguments_integer(args, "workload") : 0,
    };
}

static int show_laws(const struct cs_arguments *args, const struct cs_fleet *a,
                     struct cs_error *err)
{
    const struct cs_volatile_laws_options how = laws_of(args);
    const enum cs_table_format format = cs_rows_format(cs_arguments_choice(args, "format"));
    char *text = cs_volatile_laws(a, &how, err);
    struct cs_strbuf out = CS_STRBUF_INIT;
    json_t *laws;

    if (!text)
        return -1;
    if (!how.each && format == CS_TABLE_JSON)
        cs_strbuf_puts(&out, text);
    laws = cs_rows_parse(text);
    if (how.each)
        show(a, laws, format);
    else if (format != CS_TABLE_JSON)
        cs_fit_pools_put(a, how.workload, laws, format, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    json_decref(laws);
    return 0;
}

static int write_scenario(const struct cs_fleet *a, const char *path, struct cs_error *err)
{
    char *text = cs_volatile_scenario(a, err);
    int status = text ? cs_file_write(path, text, strlen(text), err) : -1;

    cs_free(text);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_fleet_options options = {
        .slot = cs_arguments_given(args, "slot") ? cs_arguments_real(args, "slot") : 0,
        .hosts = cs_arguments_given(args, "hosts") ? (int)cs_arguments_integer(args, "hosts") : 0,
        .components = cs_arguments_text(args, "components"),
    };
    const char *output = cs_arguments_text(args, "output");
    struct cs_fleet *a;
    int status = cs_output_check(output, err);

    for (int i = 0; i < args->operands && !status; i++)
        status = cs_output_apart(output, args->operand[i], "the input", err);
    if (status)
        return -1;
    a = cs_fleet_read(args->operand, args->operands, &options, err);
    status = a ? 0 : -1;
    if (!status && output)
        status = write_scenario(a, output, err);
    if (!status)
        status = show_laws(args, a, err);
    cs_fleet_destroy(a);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "TRACE",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "when machines were there: an event table of the Failure Trace Archive, counts or "
                "events of spot instances, or a scenario with traces; several files are hosts side "
                "by side"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "slot",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .summary = "how long a slot is; default: what the file says, else 60 s"},
    {.name = "components",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary = "the component table of an event table of the archive, which tells when nodes were "
                "watched; default: component.tab beside the table, where there is one"},
    {.name = "hosts",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000000,
     .summary = "only the first N"},
    {.name = "pool",
     .kind = CS_FIELD_CHOICE,
     .choices = "zone|fleet|host",
     .fallback = "zone",
     .summary = "whose lives are of one law: those of the hosts of a file, of all hosts, or of "
                "each"},
    {.name = "belief",
     .kind = CS_FIELD_CHOICE,
     .choices = "auto|chain|pooled-chain|weibull|log-normal|product-limit",
     .fallback = "auto",
     .summary = "whose forecasts are shown beside those of chains; auto is log-normal; of all of "
                "them the loss is told"},
    {.name = "each",
     .kind = CS_FIELD_FLAG,
     .summary = "show a line for each host instead: its chain, the laws of the times that it is "
                "up, and how far they are from these"},
    {.name = "workload",
     .kind = CS_FIELD_INTEGER,
     .argument = "W",
     .low = 1,
     .high = 100000000,
     .summary =
         "judge by the chance that hosts stay for W slots, a quarter of them and four times as "
         "many; default: 0.2, 0.5 and 1 mean lives of the first half, and of --each about the mean "
         "number of up slots between two times down"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "write the hosts, with chains and traces, as a scenario for 'cosched simulate "
                "volatile'"},
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Which law do the lives of the spot instances of a zone follow, and does it foretell them?",
     "cosched fit availability examples/spot.csv"},
    {"How badly does a Markov chain fit each of the hosts?",
     "cosched fit availability examples/spot.csv --each"},
    {"Policies that believe in the fitted chains, on the same traces:",
     "cosched fit availability examples/spot.csv -o hosts.json && cosched simulate volatile "
     "hosts.json --model fitted --policy ie,y-ie -n 20"},
    {0},
};

const struct cs_command cs_command_fit_availability = {
    .words = "fit availability",
    .summary = "fit laws and Markov chains to traces of hosts that come and go",
    .description =
        "For each pool of hosts (those of a file, if not said otherwise): how long they stay up, "
        "as "
        "an exponential, Weibull and log-normal law of greatest likelihood and as the product "
        "limit, from lives whose beginning was seen, those that were cut off included; and how "
        "likely another host goes down when one does. What no event covers is not down time: it is "
        "unknown where the file tells when hosts were available, and outside the windows in which "
        "they were watched.\n\n"
        "What policies use of it is P(W), the chance that hosts which are up all stay for W slots. "
        "Beliefs fitted to the first half of the trace foretell it at moments of the second half "
        "that are drawn, and are judged by what happened: a chain of each host, a chain of the "
        "pool, and laws that know how long a host has been up, who fails more often than others, "
        "and that hosts fail together.\n\n"
        "With --each, for each host: the chain of the states up, reclaimed and down that makes its "
        "transitions most probable, and the geometric, Weibull and log-normal laws of the times "
        "that it is up (greatest likelihood; intervals of which only a part was seen count as "
        "such), with the largest distance between law and intervals (Kolmogorov). The times up of "
        "a "
        "Markov chain are geometric.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
