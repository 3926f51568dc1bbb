/* fit_availability.c - cosched fit availability: chains and laws from traces, and how badly they
 * fit. */
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/fit_pools.h"
#include "report/human.h"
#include "report/table.h"
#include "study/rows.h"
#include "volatile/fit.h"
#include "volatile/hosts.h"

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

static void add_laws(struct cs_table *table, const struct cs_volatile_fit_state *up)
{
    static const char *const names[] = {"geometric", "weibull", "log-normal"};
    bool known = up->best >= 0;

    cs_table_count(table, up->intervals);
    cs_table_number(table, up->intervals ? up->mean : NAN);
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++) {
        const struct cs_volatile_fit_law *law = &up->law[l];
        bool there = known && !isnan(law->distance);

        if (l > CS_VOLATILE_FIT_GEOMETRIC) {
            cs_table_number(table, there ? law->holding.parameter : NAN);
            cs_table_number(table, there ? law->holding.scale : NAN);
        }
        cs_table_number(table, there ? law->distance : NAN);
    }
    cs_table_text(table, known ? names[up->best] : NULL);
}

static void add_row(struct cs_table *table, const char *name, const struct cs_volatile_fit *f)
{
    cs_table_text(table, name);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        cs_table_number(table, (double)f->state[i].slots / (double)f->slots);
    add_laws(table, &f->state[CS_VOLATILE_UP]);
    for (int i = 0; i < CS_VOLATILE_FIT_FORECASTS; i++) {
        cs_table_number(table, (double)f->forecast[i].workload);
        cs_table_number(table, f->forecast[i].predicted);
        cs_table_number(table, f->forecast[i].found);
    }
    for (int l = 0; l < CS_VOLATILE_FIT_LAWS; l++)
        cs_table_number(table, f->state[CS_VOLATILE_UP].law[l].aic);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        for (int j = 0; j < CS_VOLATILE_STATES; j++)
            cs_table_number(table, f->chain[i][j]);
}

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

static void show(const struct cs_fleet *a, const struct cs_volatile_fit *fit, enum cs_format format)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (format == CS_FORMAT_TABLE)
        put_head(a, &out);
    for (int q = 0; q < a->hosts; q++)
        add_row(table, a->host[q].name, &fit[q]);
    cs_output_table(table, formats[format], 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

/* Hosts with their chains and traces, and an application to begin with. */
static int write_scenario(const struct cs_fleet *a, const struct cs_volatile_fit *fit,
                          const char *path, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_host *host = CS_NEW_ARRAY(arena, struct cs_host, a->hosts);
    const struct cs_hosts s = {
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
        host[q] = (struct cs_host){.name = a->host[q].name,
                                   .slots = 1,
                                   .capacity = -1,
                                   .has_chain = true,
                                   .trace = a->host[q]};
        memcpy(host[q].chain, fit[q].chain, sizeof host[q].chain);
    }
    cs_hosts_put(&s, &w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
    return status;
}

/* About the mean number of up slots between two times down. */
static int64_t usual_workload(const struct cs_fleet_host *host)
{
    int64_t ups = 0, lives = 1;

    for (int64_t i = 0; i < host->runs; i++) {
        if (host->run[i].state == CS_FLEET_UP)
            ups += host->run[i].end - cs_fleet_run_begin(host, i);
        lives += i > 0 && host->run[i].state == CS_FLEET_DOWN;
    }
    return ups / lives;
}

static int64_t at_least_one(int64_t slots)
{
    return slots < 1 ? 1 : slots;
}

static int fit_hosts(const struct cs_fleet *a, int64_t given, struct cs_volatile_fit *fit,
                     struct cs_error *err)
{
    for (int q = 0; q < a->hosts; q++) {
        int64_t middle = given ? given : usual_workload(&a->host[q]);
        const int64_t workload[] = {at_least_one(middle / 4), at_least_one(middle),
                                    at_least_one(4 * middle)};

        if (cs_volatile_fit_host(&a->host[q], workload, &fit[q], err))
            return cs_error_prefix(err, "host %s", a->host[q].name);
    }
    return 0;
}

static int64_t workload_of(const struct cs_arguments *args)
{
    return cs_arguments_given(args, "workload") ? cs_arguments_integer(args, "workload") : 0;
}

/* The chains of hosts, for a scenario, or to be shown. */
static int fit(const struct cs_arguments *args, const struct cs_fleet *a, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_volatile_fit *found = CS_NEW_ARRAY(arena, struct cs_volatile_fit, a->hosts);
    const char *output = cs_arguments_text(args, "output");
    int status = fit_hosts(a, workload_of(args), found, err);

    if (!status && output)
        status = write_scenario(a, found, output, err);
    if (!status && cs_arguments_given(args, "each"))
        show(a, found, (enum cs_format)cs_arguments_choice(args, "format"));
    cs_arena_destroy(arena);
    return status;
}

static enum cs_volatile_model model_of(const struct cs_arguments *args)
{
    int model = cs_arguments_choice(args, "belief");

    return model == CS_VOLATILE_MODEL_AUTO ? CS_VOLATILE_MODEL_LOG_NORMAL
                                           : (enum cs_volatile_model)model;
}

static int show_pools(const struct cs_arguments *args, const struct cs_fleet *fleet,
                      struct cs_error *err)
{
    const struct cs_fit_pools asked = {
        .fleet = fleet,
        .model = model_of(args),
        .pooling = (enum cs_volatile_pooling)cs_arguments_choice(args, "pool"),
        .workload = workload_of(args),
        .format = (enum cs_format)cs_arguments_choice(args, "format"),
    };
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = cs_fit_pools_put(&asked, &out, err);

    if (!status)
        cs_output_put(&out);
    cs_strbuf_release(&out);
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
    bool each = cs_arguments_given(args, "each");
    struct cs_fleet *a;
    int status = cs_output_check(output, err);

    for (int i = 0; i < args->operands && !status; i++)
        status = cs_output_apart(output, args->operand[i], "the input", err);
    if (status)
        return -1;
    a = cs_fleet_read(args->operand, args->operands, &options, err);
    status = a ? 0 : -1;
    if (!status && (each || output))
        status = fit(args, a, err);
    if (!status && !each)
        status = show_pools(args, a, err);
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
         "many; default: 0.2, 0.5 and 1 mean lives, and of --each about the mean number of up "
         "slots between two times down"},
    CS_ROW_WRITE("FILE.json",
                 "write the hosts, with chains and traces, as a scenario for 'cosched simulate "
                 "volatile'",
                 0),
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
