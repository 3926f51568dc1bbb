/* plan_volatile.c - cosched plan volatile: the off-line problem, when all states are known. */
#include "cli/base/output.h"
#include "cli/simulate_volatile.h"
#include "report/human.h"
#include "report/png.h"
#include "report/table.h"
#include "study/rows.h"
#include "volatile/optimum.h"
#include "volatile/schedule.h"

#include <inttypes.h>

/* The hosts of an iteration, with their tasks where they have several: "P1 P3:2". */
static void put_hosts(const struct cs_simulate_volatile *run, const struct cs_volatile_stage *stage,
                      struct cs_strbuf *out)
{
    for (int q = 0; q < run->scenario->hosts; q++) {
        const char *name = run->scenario->host[q].name;

        if (stage->tasks[q] == 0)
            continue;
        cs_strbuf_puts(out, out->length ? " " : "");
        if (name)
            cs_strbuf_puts(out, name);
        else
            cs_strbuf_printf(out, "%d", q);
        if (stage->tasks[q] > 1)
            cs_strbuf_printf(out, ":%d", stage->tasks[q]);
    }
}

static struct cs_table *stage_table(const struct cs_simulate_volatile *run,
                                    const struct cs_volatile_optimum *optimum)
{
    static const struct cs_column columns[] = {
        {.key = "iteration", .kind = CS_COLUMN_COUNT},
        {.key = "from", .unit = "slot", .kind = CS_COLUMN_COUNT},
        {.key = "to", .unit = "slot", .kind = CS_COLUMN_COUNT},
        {.key = "workload", .unit = "slots", .kind = CS_COLUMN_COUNT},
        {.key = "hosts", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < optimum->stages; i++) {
        const struct cs_volatile_stage *stage = &optimum->stage[i];
        struct cs_strbuf hosts = CS_STRBUF_INIT;

        put_hosts(run, stage, &hosts);
        cs_table_count(table, i + 1);
        cs_table_count(table, stage->from);
        cs_table_count(table, stage->to - 1);
        cs_table_count(table, stage->workload);
        cs_table_text(table, hosts.text);
        cs_strbuf_release(&hosts);
    }
    return table;
}

static void put_words(const struct cs_simulate_volatile *run,
                      const struct cs_volatile_optimum *optimum, struct cs_strbuf *out)
{
    const struct cs_hosts *s = run->scenario;

    cs_human_units(out, s->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", run->path);
    cs_human_units(out, s->iterations, "iteration");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, s->tasks, "task");
    cs_strbuf_printf(out, "\nproblem %s: ", run->offline);
    if (optimum->slots < 0)
        cs_strbuf_printf(out, "nobody could end in time: %d of %d iterations can end",
                         optimum->stages, s->iterations);
    else
        cs_human_units(out, optimum->slots, "slot");
    if (optimum->slots >= 0)
        cs_strbuf_puts(out, ", no schedule is shorter");
    cs_strbuf_puts(out, "\n\n");
}

static void put_json(const struct cs_simulate_volatile *run,
                     const struct cs_volatile_optimum *optimum, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "input", run->path);
    cs_jsonw_put_string(&w, "problem", run->offline);
    cs_jsonw_put_bool(&w, "possible", optimum->slots >= 0);
    cs_jsonw_put_int(&w, "makespan", optimum->slots);
    cs_jsonw_key(&w, "iterations");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < optimum->stages; i++) {
        const struct cs_volatile_stage *stage = &optimum->stage[i];

        cs_jsonw_open(&w, '{');
        cs_jsonw_put_int(&w, "from", stage->from);
        cs_jsonw_put_int(&w, "to", stage->to - 1);
        cs_jsonw_put_int(&w, "workload", stage->workload);
        cs_jsonw_key(&w, "tasks");
        cs_jsonw_open_flat(&w, '[');
        for (int q = 0; q < run->scenario->hosts; q++)
            cs_jsonw_int(&w, stage->tasks[q]);
        cs_jsonw_close(&w);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show(const struct cs_simulate_volatile *run, const struct cs_volatile_optimum *optimum)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(run->args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_table *table = stage_table(run, optimum);

    if (format == CS_FORMAT_TABLE)
        put_words(run, optimum, &text);
    if (format == CS_FORMAT_JSON)
        put_json(run, optimum, &text);
    else
        cs_table_write(table, format == CS_FORMAT_CSV ? CS_TABLE_CSV : CS_TABLE_TEXT, 0, &text);
    cs_output_put(&text);
    cs_table_destroy(table);
    cs_strbuf_release(&text);
}

static int write_files(struct cs_simulate_volatile *run, struct cs_volatile_source *source,
                       const struct cs_volatile_optimum *optimum, struct cs_error *err)
{
    struct cs_volatile_trial *trial;
    int status;

    if (!cs_arguments_text(run->args, "schedule") && !cs_arguments_text(run->args, "gantt"))
        return 0;
    if (optimum->slots < 0)
        return cs_error_set(err, "%s: nobody could end in time, so there is no schedule to write",
                            run->path);
    trial = cs_volatile_trial_of_optimum(run->instance, source, optimum);
    status = cs_simulate_volatile_put_trial(run, trial, err);
    cs_volatile_trial_destroy(trial);
    return status;
}

static int solve(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(run->instance);
    struct cs_volatile_sky *sky;
    struct cs_volatile_source *source;
    struct cs_volatile_optimum optimum;
    int status;

    run->offline = cs_volatile_offline_name(run->instance);
    run->name = &run->offline;
    if (!run->offline)
        return cs_error_set(err,
                            "%s: the off-line problem knows no transfers, and the program takes "
                            "%d slots, the data %d",
                            run->path, app->program, app->data);
    sky = cs_volatile_sky_create(&run->world, run->instance, run->arena, err);
    if (!sky)
        return cs_error_prefix(err, "%s", run->path);
    source =
        cs_volatile_sky_source(sky, run->seed, (uint64_t)cs_arguments_integer(run->args, "trial"));
    optimum = cs_volatile_optimum_find(run->instance, source, 0, run->arena);
    status = write_files(run, source, &optimum, err);
    if (!status)
        show(run, &optimum);
    cs_volatile_source_destroy(source);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const files[] = {"schedule", "gantt", NULL};
    const char *gantt = cs_arguments_text(args, "gantt");
    struct cs_simulate_volatile job = {
        .args = args,
        .words = "plan volatile",
        .arena = cs_arena_create(),
        .path = cs_arguments_operand(args, 0),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
    };
    int status = -1;

    if (gantt && cs_picture_check(gantt, err))
        status = CS_EXIT_USAGE;
    else if (!cs_output_check_options(args, files, job.path, "the input", err) &&
             (job.scenario = cs_hosts_read(job.path, err)) &&
             !cs_simulate_volatile_states(&job, err))
        status = solve(&job, err);
    cs_volatile_instance_destroy(job.instance);
    cs_hosts_destroy(job.scenario);
    cs_availability_destroy(job.availability);
    cs_arena_destroy(job.arena);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "SCENARIO.json",
     .kind = CS_FIELD_PATH,
     .summary = "hosts and an application without program and data (cosched-volatile-1); - is "
                "standard input"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "markov|weibull|lognormal",
     .group = "The hosts",
     .summary = "of the times in a state, as in 'simulate volatile'"},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (default 0.5), or the deviation of the logarithm of lognormal (default "
                "1)"},
    {.name = "trace",
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .repeats = true,
     .summary = "states from a trace that 'cosched fit availability' reads, one of its machines "
                "for each host in order"},
    {.name = "slot",
     .kind = CS_FIELD_SECONDS,
     .argument = "TIME",
     .low = 0.001,
     .high = 1e9,
     .needs = "trace",
     .summary = "of the trace; default: what it says, else 60 s"},
    CS_FIELD_WHOLE_ROW(
        "trial", "I", "0", 0, 1000000,
        "the states of this trial of 'simulate volatile', from 0; of traces all slots, "
        "also those that it would fit chains to"),
    CS_FIELD_SEED_ROW("of the states"),
    CS_FIELD_FORMAT_GROUP("What comes out"),
    {.name = "schedule",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json",
     .summary = "the schedule (cosched-schedule-1), which 'cosched check' judges"},
    CS_FIELD_GANTT_ROW("draw it: every host over time, its states and what it does"),
    CS_FIELD_TITLE_ROW,
    CS_FIELD_DARK_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"The best that anybody could have done on some states, as a picture:",
     "cosched plan volatile examples/hosts-free.json --gantt best.svg"},
    {0},
};

const struct cs_command cs_command_plan_volatile = {
    .words = "plan volatile",
    .summary = "the shortest schedule on hosts whose comings and goings are all known",
    .description =
        "The off-line problem of Casanova, Dufosse, Robert, Vivien, \"Scheduling tightly-coupled "
        "applications on heterogeneous desktop grids\": all states are known, and nothing is "
        "transferred. It is NP-hard; the search is exact, however long it takes, which for tens of "
        "hosts is rarely long. offline-1 is the paper's problem with one task at a host and equal "
        "speeds, offline-inf that with any number, offline one with other speeds and capacities. "
        "Unlike in the paper there may be several iterations, and a host that goes down loses what "
        "it has computed, as in 'simulate volatile'.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
