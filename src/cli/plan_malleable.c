/* plan_malleable.c - cosched plan malleable: how many processors each application starts on. */
#include "cli/base/output.h"
#include "cli/malleable.h"
#include "report/human.h"
#include "report/table.h"

#include <math.h>

struct plan {
    struct cs_malleable_job job;
    int *procs;       /* of each task at the start */
    double *expected; /* seconds */
    int idle;         /* processors */
    double longest;   /* expected makespan if nothing moves, seconds */
};

static void make_plan(struct plan *plan)
{
    int tasks = plan->job.workload->count;

    plan->procs = CS_NEW_ARRAY(plan->job.arena, int, tasks);
    plan->expected = CS_NEW_ARRAY(plan->job.arena, double, tasks);
    plan->idle =
        cs_malleable_initial(plan->job.instance, &plan->job.rules, plan->procs, plan->expected);
    for (int i = 0; i < tasks; i++)
        plan->longest = fmax(plan->longest, plan->expected[i]);
}

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .kind = CS_COLUMN_COUNT},
    {.key = "seconds", .heading = "without failures", .kind = CS_COLUMN_SECONDS},
    {.key = "checkpoints", .kind = CS_COLUMN_COUNT},
    {.key = "period", .heading = "every", .kind = CS_COLUMN_SECONDS},
    {.key = "checkpoint", .heading = "each", .kind = CS_COLUMN_SECONDS},
    {.key = "expected_finish", .heading = "expected finish", .kind = CS_COLUMN_SECONDS},
};

static struct cs_table *make_table(const struct plan *plan)
{
    const struct cs_malleable_instance *in = plan->job.instance;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < plan->job.workload->count; i++) {
        int procs = plan->procs[i];
        double save = cs_malleable_checkpoint_time(in, i, procs);
        struct cs_malleable_pieces p = cs_malleable_pieces_of(in, &plan->job.rules, i, procs, 1);

        cs_table_text(table, plan->job.workload->name[i]);
        cs_table_count(table, procs);
        cs_table_number(table, cs_malleable_time(in, i, procs));
        cs_table_count(table, (long long)p.pieces);
        cs_table_number(table, p.pieces > 0 ? p.work + save : NAN);
        cs_table_number(table, p.pieces > 0 ? save : NAN);
        cs_table_number(table, plan->expected[i]);
    }
    return table;
}

static void show_text(const struct plan *plan, struct cs_strbuf *out)
{
    struct cs_table *table = make_table(plan);
    double bound = cs_malleable_lower_bound(plan->job.instance);

    cs_malleable_job_put(&plan->job, out);
    cs_strbuf_puts(out, "\nlongest expected finish ");
    cs_human_duration(out, plan->longest);
    cs_strbuf_puts(out, " if no processor ever moves; no run ends before ");
    cs_human_duration(out, bound);
    cs_strbuf_puts(out, "\n");
    if (plan->idle) {
        cs_human_units(out, plan->idle, plan->job.unit);
        cs_strbuf_puts(out, " idle: more would not shorten the longest\n");
    }
    cs_strbuf_putc(out, '\n');
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void json_task(const struct plan *plan, int task, struct cs_jsonw *w)
{
    const struct cs_malleable_instance *in = plan->job.instance;
    struct cs_malleable_pieces p =
        cs_malleable_pieces_of(in, &plan->job.rules, task, plan->procs[task], 1);

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", plan->job.workload->name[task]);
    cs_jsonw_put_int(w, "procs", plan->procs[task]);
    cs_jsonw_put_double(w, "seconds", cs_malleable_time(in, task, plan->procs[task]));
    cs_jsonw_put_double(w, "checkpoints", p.pieces);
    cs_jsonw_put_double(w, "work_between", p.pieces > 0 ? p.work : NAN);
    cs_jsonw_put_double(w, "checkpoint", cs_malleable_checkpoint_time(in, task, plan->procs[task]));
    cs_jsonw_put_double(w, "expected_finish", plan->expected[task]);
    cs_jsonw_close(w);
}

static void show_json(const struct plan *plan, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_malleable_job_json(&plan->job, &plan->job.rules, &w);
    cs_jsonw_put_double(&w, "expected_makespan", plan->longest);
    cs_jsonw_put_int(&w, "idle", plan->idle);
    cs_jsonw_key(&w, "plan");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < plan->job.workload->count; i++)
        json_task(plan, i, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show(const struct plan *plan, struct cs_strbuf *out)
{
    struct cs_table *table;

    switch (cs_arguments_choice(plan->job.args, "format")) {
    case CS_FORMAT_TABLE:
        show_text(plan, out);
        return;
    case CS_FORMAT_JSON:
        show_json(plan, out);
        return;
    default:
        table = make_table(plan);
        cs_table_write(table, CS_TABLE_CSV, 0, out);
        cs_table_destroy(table);
    }
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct plan plan = {.job = {.args = args, .arena = cs_arena_create()}};
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = cs_malleable_job_read(&plan.job, err);

    if (!status) {
        make_plan(&plan);
        show(&plan, &text);
        cs_output_put(&text);
    }
    cs_strbuf_release(&text);
    cs_malleable_job_release(&plan.job);
    cs_arena_destroy(plan.job.arena);
    return status;
}

static const struct cs_operand operands[] = {CS_MALLEABLE_INPUT, {0}};

static const struct cs_field options[] = {
    CS_MALLEABLE_OPTIONS,
    CS_MALLEABLE_RULES,
    CS_FIELD_FORMAT_GROUP("What comes out"),
    CS_FIELD_UNIT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Where applications of your own start, and when they are expected to end:",
     "cosched plan malleable examples/applications.csv --procs 64 --mtbf 5y"},
    {0},
};

const struct cs_command cs_command_plan_malleable = {
    .words = "plan malleable",
    .summary = "share processors that fail out among applications that save their state",
    .description =
        "Give each application an even number of processors at the start, so that the longest "
        "expected time is least (Algorithm 1 of Benoit, Pottier, Robert, \"Resilient application "
        "co-scheduling with processor redistribution\"; it is optimal). The expected time counts "
        "checkpoints, failures, what they lose, downtime and recovery, and supposes that no "
        "processor ever moves; 'cosched simulate malleable' lets them move.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
