/* pattern.c - cosched pattern: patterns of verified checkpoints on two levels. */
#include "base/json.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/case.h>

#include <string.h>

static json_t *pattern_options(const struct cs_arguments *args)
{
    json_t *options = cs_json_made(json_object());

    for (const struct cs_param *f = args->options; f->name; f++) {
        struct cs_strbuf key = CS_STRBUF_INIT;

        if (!cs_arguments_has(args, f->name) || f->kind == CS_PARAM_CHOICE)
            continue;
        for (const char *c = f->name; *c; c++)
            cs_strbuf_putc(&key, *c == '-' ? '_' : *c);
        cs_json_set(options, key.text,
                    f->kind == CS_PARAM_INTEGER ? json_integer(cs_arguments_integer(args, f->name))
                                                : json_real(cs_arguments_real(args, f->name)));
        cs_strbuf_release(&key);
    }
    return options;
}

static const struct cs_column columns[] = {
    {"pattern", "", NULL, CS_COLUMN_WORD, 0, false},
    {"segments", NULL, NULL, CS_COLUMN_COUNT, 0, false},
    {"chunks", NULL, NULL, CS_COLUMN_COUNT, 0, false},
    {"work", "work", "s", CS_COLUMN_DIGITS, 7, false},
    {"expected", "expected", "s", CS_COLUMN_DIGITS, 7, false},
    {"overhead", "overhead", NULL, CS_COLUMN_FRACTION, 3, false},
    {"mean", "simulated", "s", CS_COLUMN_DIGITS, 7, false},
    {"confidence95", "\302\261 95 %", "s", CS_COLUMN_DIGITS, 3, false},
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* The rows: to the first order, and the best or that of the options. */
static void pattern_print(const json_t *result, const struct cs_arguments *args)
{
    struct cs_table *table = cs_table_create(columns, (int)COLUMNS);
    json_t *first = json_object_get(result, "first_order"), *best = json_object_get(result, "best");
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_json_set(first, "pattern", json_string("first order"));
    cs_json_set(best, "pattern", json_string(cs_arguments_has(args, "work") ? "chosen" : "best"));
    if (json_is_object(json_object_get(result, "simulated")))
        cs_json_update(best, json_object_get(result, "simulated"));
    cs_rows_put(table, columns, COLUMNS, first);
    cs_rows_put(table, columns, COLUMNS, best);
    cs_table_write(table, cs_rows_format(cs_arguments_choice(args, "format")), cs_output_columns(),
                   &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    cs_table_destroy(table);
}

static int pattern_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    json_t *options = pattern_options(args), *result;
    char *made;

    cs_json_put(&text, options, 0);
    json_decref(options);
    made = cs_pattern(text.text, err);
    cs_strbuf_release(&text);
    if (!made)
        return -1;
    if (cs_arguments_choice(args, "format") == CS_FORMAT_JSON) {
        cs_strbuf_puts(&text, made);
        cs_output_put(&text);
        cs_strbuf_release(&text);
        cs_free(made);
        return CS_EXIT_DONE;
    }
    result = cs_rows_parse(made);
    pattern_print(result, args);
    json_decref(result);
    return CS_EXIT_DONE;
}

#define PATTERN_SECONDS(name_, text_)                                                              \
    {                                                                                              \
        .name = name_, .kind = CS_PARAM_SECONDS, .argument = "TIME", .high = 1e15,                 \
        .summary = text_                                                                           \
    }
#define PATTERN_RATE(name_, text_)                                                                 \
    {                                                                                              \
        .name = name_, .kind = CS_PARAM_REAL, .argument = "RATE", .high = 1e9, .summary = text_    \
    }

static const struct cs_param options[] = {
    {.name = "verification",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .high = 1e15,
     .group = "Costs and errors",
     .summary = "a verification, which finds silent errors (default: 0)"},
    PATTERN_SECONDS("memory-checkpoint", "a checkpoint in memory, after each segment (default: 0)"),
    PATTERN_SECONDS("disk-checkpoint", "a checkpoint on disk, after the last segment (default: 0)"),
    PATTERN_SECONDS("downtime", "after a fail-stop error (default: 60 s)"),
    PATTERN_SECONDS("memory-recovery", "default: that of the checkpoint"),
    PATTERN_SECONDS("disk-recovery", "default: that of the checkpoint"),
    PATTERN_RATE("silent-rate", "silent errors a second, on all processors in use (default: 0)"),
    PATTERN_RATE("fail-stop-rate",
                 "fail-stop errors a second, on all processors in use (default: 0)"),
    {.name = "fatal-share",
     .kind = CS_PARAM_REAL,
     .argument = "SHARE",
     .high = 1e9,
     .summary =
         "share of the fail-stop errors that destroy the memory checkpoint too (default: 0)"},
    {.name = "segments",
     .kind = CS_PARAM_INTEGER,
     .argument = "K",
     .low = 1,
     .high = 1000000,
     .group = "The pattern",
     .summary = "segments of a pattern, each with a memory checkpoint (default: the best)"},
    {.name = "chunks",
     .kind = CS_PARAM_INTEGER,
     .argument = "M",
     .low = 1,
     .high = 1000000,
     .summary = "chunks of a segment, each with a verification (default: the best)"},
    PATTERN_SECONDS("work", "work of a pattern (default: the best)"),
    {.name = "scenarios",
     .letter = 'n',
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 100000000,
     .group = "Simulation and output",
     .summary = "simulate so many patterns too"},
    {.name = "seed",
     .kind = CS_PARAM_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992.0,
     .summary = "of the simulated errors (default: 1)"},
    CS_PARAM_FORMAT(NULL, 0, 0),
    {0},
};

static const struct cs_example examples[] = {
    {"Checkpoints in memory and on disk, with silent errors:",
     "cosched pattern --verification 15.4 --memory-checkpoint 15.4 --disk-checkpoint 300 "
     "--silent-rate 3.38e-6 --fail-stop-rate 9.46e-7 --fatal-share 1"},
    {"Young's period, and what 1,000 simulated patterns take:",
     "cosched pattern --memory-checkpoint 60 --fail-stop-rate 1e-4 -n 1000"},
    {0},
};

const struct cs_command cs_command_pattern = {
    .words = "pattern",
    .summary = "compute a pattern of verified checkpoints on two levels",
    .description =
        "A pattern has K segments of M chunks of work. A verification follows each chunk, a "
        "checkpoint in memory each segment, a checkpoint on disk the last segment. Silent errors "
        "strike work, and the next verification finds them; fail-stop errors strike everything but "
        "downtime and recoveries.\n\n"
        "The command prints the pattern of least overhead to the first order, and the work with "
        "which its exact expectation is best.",
    .options = options,
    .examples = examples,
    .run = pattern_run,
};
