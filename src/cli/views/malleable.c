/* malleable.c - applications that widen and narrow, on processors that fail: what is shown of them,
 * and the commands. */
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/verbs.h"
#include "malleable/problem.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/picture.h"
#include "report/ribbons_chart.h"
#include "report/table.h"

#include <math.h>

#define YEAR (365 * 86400.0)

static const struct cs_malleable_case *case_of(const struct cs_study *study)
{
    return (const struct cs_malleable_case *)(const void *)study;
}

/* ---- heads ---- */

static void put_machine(const struct cs_malleable_case *c, struct cs_strbuf *out)
{
    const struct cs_malleable_platform *p = &c->platform;
    const char *unit = c->study.options->unit;

    cs_human_units(out, c->workload->count, "application");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, p->procs, unit);
    cs_strbuf_printf(out, " (%s), ", c->study.options->input);
    if (p->fault_free) {
        cs_strbuf_puts(out, "no failures and no checkpoints");
        return;
    }
    cs_strbuf_printf(out, "MTBF of one %s ", unit);
    if (p->mtbf >= 2 * YEAR && isfinite(p->mtbf)) {
        cs_human_digits(out, p->mtbf / YEAR, 4);
        cs_strbuf_puts(out, " years");
    } else {
        cs_human_duration(out, p->mtbf);
    }
    cs_strbuf_puts(out, ", downtime ");
    cs_human_duration(out, p->downtime);
}

static void put_rules(const struct cs_malleable_rules *r, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, r->layout == CS_MALLEABLE_TAIL ? "tail layout" : "period ");
    if (r->layout == CS_MALLEABLE_YOUNG) {
        cs_human_digits(out, r->period_factor, 4);
        cs_strbuf_puts(out, " × Young's");
    }
    if (r->hysteresis > 0) {
        cs_strbuf_puts(out, ", hysteresis ");
        cs_human_percent(out, r->hysteresis, 1);
    }
    cs_strbuf_puts(out, r->minimal_disruption ? ", minimal disruption" : "");
    cs_strbuf_puts(out, r->wake ? ", wake events" : "");
}

static void put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_malleable_case *c = case_of(study);

    put_machine(c, out);
    cs_strbuf_puts(out, "\n");
    cs_human_units(out, study->runs, "scenario");
    if (c->kind)
        cs_strbuf_printf(out, " of %s (%s)", c->options->faults, c->kind);
    else if (!c->platform.fault_free)
        cs_strbuf_printf(out, " of %s failures", cs_malleable_law_name(c->source.law.law));
    if (!c->platform.fault_free) {
        cs_strbuf_puts(out, "; ");
        put_rules(&c->rules[0], out);
    }
    cs_strbuf_puts(out, "\nlower bound on the makespan ");
    cs_human_duration(out, cs_malleable_lower_bound(c->instance));
    cs_strbuf_puts(out, "\n");
}

static void put_json(const struct cs_malleable_case *c, struct cs_jsonw *w)
{
    const struct cs_malleable_rules *r = &c->rules[0];

    cs_jsonw_put_string(w, "input", c->study.options->input);
    cs_jsonw_put_int(w, "tasks", c->workload->count);
    cs_jsonw_put_int(w, "procs", c->platform.procs);
    cs_jsonw_put_double(w, "mtbf", c->platform.mtbf);
    cs_jsonw_put_double(w, "downtime", c->platform.downtime);
    cs_jsonw_put_bool(w, "fault_free", c->platform.fault_free);
    cs_jsonw_put_double(w, "period_factor", r->period_factor);
    cs_jsonw_put_string(w, "layout", r->layout == CS_MALLEABLE_TAIL ? "tail" : "young");
    cs_jsonw_put_double(w, "kappa", r->kappa);
    cs_jsonw_put_double(w, "hysteresis", r->hysteresis);
    cs_jsonw_put_bool(w, "minimal_disruption", r->minimal_disruption);
    cs_jsonw_put_bool(w, "wake", r->wake);
    cs_jsonw_put_double(w, "lower_bound", cs_malleable_lower_bound(c->instance));
}

static void put_study(const struct cs_study *study, struct cs_jsonw *w)
{
    put_json(case_of(study), w);
    cs_jsonw_put_bool(w, "tuned", case_of(study)->options->tune != CS_FIELD_NONE);
}

static void put_way(const struct cs_study *study, struct cs_strbuf *out)
{
    int64_t tune = case_of(study)->options->tune;

    cs_strbuf_printf(out, "on end %s, on failure %s", study->way[0].word[0], study->way[0].word[1]);
    if (tune == CS_FIELD_NONE)
        return;
    cs_strbuf_printf(out, ": the best of %d ways in ", CS_MALLEABLE_CANDIDATES);
    cs_human_units(out, tune, "other scenario");
}

/* ---- pictures ---- */

static bool strikes(enum cs_malleable_effect effect)
{
    return effect == CS_MALLEABLE_INITIAL_CHECKPOINT || effect >= CS_MALLEABLE_ROLLBACK;
}

static struct cs_bolt_fault *list_faults(const struct cs_malleable_record *run,
                                         struct cs_arena *arena, int *count)
{
    struct cs_bolt_fault *fault = CS_NEW_ARRAY(arena, struct cs_bolt_fault, run->marks);

    *count = 0;
    for (int m = 0; m < run->marks; m++) {
        const struct cs_malleable_mark *mark = &run->mark[m];

        if (mark->kind == CS_MALLEABLE_FAILURE)
            fault[(*count)++] =
                (struct cs_bolt_fault){mark->time, mark->processor, strikes(mark->effect)};
    }
    return fault;
}

static int draw_applications(const struct cs_study *study, const struct cs_malleable_record *run,
                             const char *policy, struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_ribbons_chart_options options = {.title = cs_view_title(study),
                                               .policy = policy,
                                               .processor = study->options->unit,
                                               .lower_bound = run->outcome.lower_bound,
                                               .style = cs_style(study->options->dark)};

    options.fault = list_faults(run, study->arena, &options.faults);
    return cs_ribbons_chart_svg(run->schedule, &options, svg, err);
}

static int draw_processors(const struct cs_study *study, const struct cs_malleable_record *run,
                           struct cs_strbuf *policy, struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_gantt_options options = {.title = cs_view_title(study),
                                       .processor = study->options->unit,
                                       .style = cs_style(study->options->dark)};

    options.fault = list_faults(run, study->arena, &options.faults);
    cs_strbuf_puts(policy, " \xc2\xb7 ");
    cs_human_duration(policy, run->outcome.makespan);
    cs_strbuf_puts(policy, ", ");
    cs_human_percent(policy, run->outcome.gap, 1);
    cs_strbuf_puts(policy, " above the bound");
    options.subtitle = policy->text;
    return cs_gantt_svg(run->schedule, &options, svg, err);
}

static int draw(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *svg,
                struct cs_error *err)
{
    const struct cs_malleable_record *run =
        ((const struct cs_malleable_kept *)(const void *)record)->run;
    struct cs_strbuf policy = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&policy, "on end %s \xc2\xb7 on failure %s", study->way[0].word[0],
                     study->way[0].word[1]);
    status = case_of(study)->options->gantt_view
                 ? draw_processors(study, run, &policy, svg, err)
                 : draw_applications(study, run, policy.text, svg, err);
    cs_strbuf_release(&policy);
    return status;
}

/* ---- the plan: how many processors each application starts on ---- */

struct plan {
    const struct cs_malleable_case *of;
    int *procs;       /* of each task at the start */
    double *expected; /* seconds */
    int idle;         /* processors */
    double longest;   /* expected makespan if nothing moves, seconds */
};

static void make_plan(struct plan *plan)
{
    int tasks = plan->of->workload->count;

    plan->procs = CS_NEW_ARRAY(plan->of->study.arena, int, tasks);
    plan->expected = CS_NEW_ARRAY(plan->of->study.arena, double, tasks);
    plan->idle =
        cs_malleable_initial(plan->of->instance, &plan->of->rules[0], plan->procs, plan->expected);
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
    const struct cs_malleable_instance *in = plan->of->instance;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < plan->of->workload->count; i++) {
        int procs = plan->procs[i];
        double save = cs_malleable_checkpoint_time(in, i, procs);
        struct cs_malleable_pieces p = cs_malleable_pieces_of(in, &plan->of->rules[0], i, procs, 1);

        cs_table_text(table, plan->of->workload->name[i]);
        cs_table_count(table, procs);
        cs_table_number(table, cs_malleable_time(in, i, procs));
        cs_table_count(table, (long long)p.pieces);
        cs_table_number(table, p.pieces > 0 ? p.work + save : NAN);
        cs_table_number(table, p.pieces > 0 ? save : NAN);
        cs_table_number(table, plan->expected[i]);
    }
    return table;
}

static void plan_text(const struct plan *plan, struct cs_strbuf *out)
{
    struct cs_table *table = make_table(plan);
    double bound = cs_malleable_lower_bound(plan->of->instance);

    put_machine(plan->of, out);
    cs_strbuf_puts(out, "\nlongest expected finish ");
    cs_human_duration(out, plan->longest);
    cs_strbuf_puts(out, " if no processor ever moves; no scenario ends before ");
    cs_human_duration(out, bound);
    cs_strbuf_puts(out, "\n");
    if (plan->idle) {
        cs_human_units(out, plan->idle, plan->of->study.options->unit);
        cs_strbuf_puts(out, " idle: more would not shorten the longest\n");
    }
    cs_strbuf_putc(out, '\n');
    cs_output_table(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void json_task(const struct plan *plan, int task, struct cs_jsonw *w)
{
    const struct cs_malleable_instance *in = plan->of->instance;
    struct cs_malleable_pieces p =
        cs_malleable_pieces_of(in, &plan->of->rules[0], task, plan->procs[task], 1);

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", plan->of->workload->name[task]);
    cs_jsonw_put_int(w, "procs", plan->procs[task]);
    cs_jsonw_put_double(w, "seconds", cs_malleable_time(in, task, plan->procs[task]));
    cs_jsonw_put_double(w, "checkpoints", p.pieces);
    cs_jsonw_put_double(w, "work_between", p.pieces > 0 ? p.work : NAN);
    cs_jsonw_put_double(w, "checkpoint", cs_malleable_checkpoint_time(in, task, plan->procs[task]));
    cs_jsonw_put_double(w, "expected_finish", plan->expected[task]);
    cs_jsonw_close(w);
}

static void plan_json(const struct plan *plan, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    put_json(plan->of, &w);
    cs_jsonw_put_double(&w, "expected_makespan", plan->longest);
    cs_jsonw_put_int(&w, "idle", plan->idle);
    cs_jsonw_key(&w, "plan");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < plan->of->workload->count; i++)
        json_task(plan, i, &w);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show_plan(const struct cs_study *study, struct cs_strbuf *out)
{
    struct plan plan = {.of = case_of(study)};
    struct cs_table *table;

    make_plan(&plan);
    switch (study->options->format) {
    case CS_FORMAT_TABLE:
        plan_text(&plan, out);
        return;
    case CS_FORMAT_JSON:
        plan_json(&plan, out);
        return;
    default:
        table = make_table(&plan);
        cs_table_write(table, CS_TABLE_CSV, 0, out);
        cs_table_destroy(table);
    }
}

const struct cs_view cs_view_malleable = {
    .problem = &cs_problem_malleable,
    .head = put_head,
    .json = put_study,
    .way = put_way,
    .draw = draw,
    .plan = show_plan,
    .one = "for one policy on end and one on failure",
};

/* ---- commands ---- */

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_FIELD_PATH,
     .summary = "the applications: CSV with the columns app,seconds,seq_fraction,overhead,"
                "checkpoint,data (formulas) or app,procs,seconds,checkpoint,data (measured), "
                "or JSON (cosched-workload-1); - reads standard input; .gz, .xz and .zst are fine"},
    {0},
};

static const struct cs_example plan_examples[] = {
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
    .examples = plan_examples,
    .view = &cs_view_malleable,
    .verb = CS_PLAN,
};

static const struct cs_example simulate_examples[] = {
    {"A hundred applications of the paper on 1,000 processors, through 100 random lives:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000"},
    {"Every pair of policies, as the paper runs them:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000 --rules paper "
     "--on-end all --on-failure all"},
    {"Let simulation choose, and draw the first scenario:",
     "cosched generate malleable --tasks 12 -o apps.json && cosched simulate malleable apps.json "
     "--procs 120 --mtbf 10y --tune 10 --gantt life.svg"},
    {"A recorded life of a machine, on applications of your own:",
     "cosched simulate malleable examples/applications.csv --procs 64 --faults "
     "examples/faults.csv"},
    {0},
};

const struct cs_command cs_command_simulate_malleable = {
    .words = "simulate malleable",
    .summary = "run applications that change their processors, on processors that fail",
    .description =
        "All applications start together; each runs on an even number of processors, which may "
        "change while it runs. They save their state now and then; a failure of a processor takes "
        "its application back to the last checkpoint. When an application ends, or when a failure "
        "has made one the longest, policies move processors between applications, which costs "
        "time.\n\n"
        "The problem, and the policies, are those of Benoit, Pottier, Robert, \"Resilient "
        "application co-scheduling with processor redistribution\". Reported are the makespan and "
        "its ratio to a lower bound that holds whatever fails, and what the processors' time went "
        "into: work, checkpoints, lost work, downtime and recovery, moves, idle. Failures that "
        "would have been fatal in reality (both processors of a pair at once) are counted.\n\n"
        "Times may have a unit: s, min, h, d, w, y (365 days).",
    .operands = operands,
    .examples = simulate_examples,
    .view = &cs_view_malleable,
    .verb = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"The paper's hundred applications on 1,000 processors:",
     "cosched generate malleable | cosched simulate malleable - --procs 1000"},
    {0},
};

const struct cs_command cs_command_generate_malleable = {
    .words = "generate malleable",
    .summary = "write synthetic applications for the malleable problem",
    .description =
        "Write a workload as JSON (cosched-workload-1): applications as in Section 6 of Benoit, "
        "Pottier, Robert, \"Resilient application co-scheduling with processor redistribution\". "
        "An application of size m takes 2 m log2 m seconds on one processor, communicates for "
        "m log2 m seconds, saves its state in C m seconds and moves m seconds of data.",
    .examples = generate_examples,
    .view = &cs_view_malleable,
    .verb = CS_GENERATE,
};
