/* malleable.c - the view of malleable: applications that change their width, on processors that
 * fail. */
#include "api/view.h"
#include "problems/malleable/problem.h"
#include "report/human.h"
#include "report/ribbons_chart.h"

#include <math.h>

#define YEAR (365 * 86400.0)

static const struct cs_malleable_case *malleable_case_of(const struct cs_study *study)
{
    return (const struct cs_malleable_case *)(const void *)study;
}

/* ---- heads ---- */

static void put_mtbf(double seconds, struct cs_strbuf *out)
{
    if (seconds >= 2 * YEAR && isfinite(seconds)) {
        cs_human_digits(out, seconds / YEAR, 4);
        cs_strbuf_puts(out, " years");
    } else {
        cs_human_duration(out, seconds);
    }
}

static void put_machine(const struct cs_malleable_case *c, struct cs_strbuf *out)
{
    const struct cs_malleable_platform *p = &c->platform;
    const char *unit = c->study.options->unit;

    cs_human_units(out, c->workload->count, "application");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, p->procs, unit);
    cs_strbuf_printf(out, " (%s), ", cs_view_input(&c->study));
    if (p->fault_free) {
        cs_strbuf_puts(out, "no failures and no checkpoints");
        return;
    }
    cs_strbuf_printf(out, "MTBF of one %s ", unit);
    put_mtbf(p->mtbf, out);
    if (isfinite(p->silent_mtbf)) {
        cs_strbuf_puts(out, ", mean time between silent errors ");
        put_mtbf(p->silent_mtbf, out);
    }
    cs_strbuf_puts(out, ", downtime ");
    cs_human_duration(out, p->downtime);
}

static void put_rules(const struct cs_malleable_rules *r, struct cs_strbuf *out)
{
    static const char *const layout[] = {"period ", "tail layout", "pattern layout"};

    cs_strbuf_puts(out, layout[r->layout]);
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

/* Such a row may end after a policy: docs/spec/science.md 10.2. */
static void put_unproven(const struct cs_malleable_case *c, struct cs_strbuf *out)
{
    long unproven = 0;

    for (long s = 0; c->optimum >= 0 && c->study.outcome && s < c->study.runs; s++) {
        const struct cs_malleable_seen *seen = cs_study_outcome(&c->study, c->optimum, s);

        unproven += seen->optimum_gap > 0;
    }
    if (unproven)
        cs_strbuf_printf(out,
                         "the optimum is not proven in %ld of %ld scenarios, where the search was "
                         "too long: a policy may end earlier there\n",
                         unproven, c->study.runs);
}

static void malleable_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_malleable_case *c = malleable_case_of(study);

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
    put_unproven(c, out);
}

static void malleable_put_json(const struct cs_malleable_case *c, struct cs_jsonw *w)
{
    static const char *const layout[] = {"young", "tail", "pattern"};
    const struct cs_malleable_rules *r = &c->rules[0];

    cs_jsonw_put_string(w, "input", c->study.options->input);
    cs_jsonw_put_int(w, "tasks", c->workload->count);
    cs_jsonw_put_int(w, "procs", c->platform.procs);
    cs_jsonw_put_double(w, "mtbf", c->platform.mtbf);
    if (isfinite(c->platform.silent_mtbf))
        cs_jsonw_put_double(w, "silent_mtbf", c->platform.silent_mtbf);
    cs_jsonw_put_double(w, "downtime", c->platform.downtime);
    cs_jsonw_put_bool(w, "fault_free", c->platform.fault_free);
    cs_jsonw_put_double(w, "period_factor", r->period_factor);
    cs_jsonw_put_string(w, "layout", layout[r->layout]);
    cs_jsonw_put_double(w, "kappa", r->kappa);
    cs_jsonw_put_double(w, "hysteresis", r->hysteresis);
    cs_jsonw_put_bool(w, "minimal_disruption", r->minimal_disruption);
    cs_jsonw_put_bool(w, "wake", r->wake);
    cs_jsonw_put_double(w, "lower_bound", cs_malleable_lower_bound(c->instance));
}

static void put_study(const struct cs_study *study, struct cs_jsonw *w)
{
    malleable_put_json(malleable_case_of(study), w);
    cs_jsonw_put_bool(w, "tuned", malleable_case_of(study)->options->tune != CS_PARAM_NONE);
}

static void put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    int64_t tune = malleable_case_of(study)->options->tune;

    cs_strbuf_printf(out, "on end %s, on failure %s", study->variant[0].word[0],
                     study->variant[0].word[1]);
    if (tune == CS_PARAM_NONE)
        return;
    cs_strbuf_printf(out, ": the best of %d variants in ", CS_MALLEABLE_CANDIDATES);
    cs_human_units(out, tune, "other scenario");
}

/* ---- pictures ---- */

static bool malleable_strikes(enum cs_malleable_effect effect)
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
            fault[(*count)++] = (struct cs_bolt_fault){mark->time, mark->processor,
                                                       malleable_strikes(mark->effect)};
    }
    return fault;
}

static const struct cs_malleable_record *record_of(const struct cs_view_run *run)
{
    return ((const struct cs_malleable_kept *)(const void *)run->record)->run;
}

static const char *processor_of(const struct cs_study *study, const struct cs_view_run *run)
{
    return run->processor ? run->processor : study->options->unit;
}

static int draw_applications(const struct cs_study *study, const struct cs_view_run *run,
                             const char *policy, struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_malleable_record *record = record_of(run);
    struct cs_ribbons_chart_options options = {.width = run->appearance.width,
                                               .height = run->appearance.height,
                                               .title = cs_view_title(study, run),
                                               .subtitle = run->subtitle,
                                               .policy = policy,
                                               .processor = processor_of(study, run),
                                               .lower_bound = record->outcome.lower_bound,
                                               .least_type = run->appearance.least_type,
                                               .style = run->appearance.style};

    options.fault = list_faults(record, study->arena, &options.faults);
    return cs_ribbons_chart_svg(record->schedule, &options, svg, err);
}

static int draw_processors(const struct cs_study *study, const struct cs_view_run *run,
                           struct cs_strbuf *policy, struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_malleable_record *record = record_of(run);
    struct cs_gantt_options options;

    cs_strbuf_puts(policy, " \xc2\xb7 ");
    cs_human_duration(policy, record->outcome.makespan);
    cs_strbuf_puts(policy, ", ");
    cs_human_percent(policy, record->outcome.gap, 1);
    cs_strbuf_puts(policy, " above the bound");
    options = cs_view_gantt(study, run, policy->text);
    options.processor = processor_of(study, run);
    options.fault = list_faults(record, study->arena, &options.faults);
    return cs_gantt_svg(record->schedule, &options, svg, err);
}

static int malleable_draw(const struct cs_study *study, const struct cs_view_run *run,
                          struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_strbuf policy = CS_STRBUF_INIT;
    const struct cs_variant *variant = &study->variant[run->variant];
    int status;

    cs_strbuf_printf(&policy, "on end %s \xc2\xb7 on failure %s", variant->word[0],
                     variant->word[1]);
    status =
        malleable_case_of(study)->options->gantt_view || run->appearance.color_by != CS_COLOR_TASK
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

static void malleable_make_plan(struct plan *plan)
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
    const bool patterns = plan->of->rules[0].layout == CS_MALLEABLE_PATTERN;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < plan->of->workload->count; i++) {
        int procs = plan->procs[i];
        double save = cs_malleable_checkpoint_time(in, i, procs);
        struct cs_malleable_pieces p = cs_malleable_pieces_of(in, &plan->of->rules[0], i, procs, 1);

        cs_table_text(table, plan->of->workload->name[i]);
        cs_table_count(table, procs);
        cs_table_number(table, cs_malleable_time(in, i, procs));
        if (p.pieces < 0x1p53)
            cs_table_count(table, (long long)p.pieces);
        else
            cs_table_unknown(table);
        cs_table_number(table, p.pieces > 0 && !patterns ? p.work + save : NAN);
        cs_table_number(table, p.pieces > 0 ? save : NAN);
        cs_table_number(table, plan->expected[i]);
    }
    return table;
}

static void plan_text(const struct plan *plan, const struct cs_show *how, struct cs_strbuf *out)
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
    cs_view_put_table(table, how, out);
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
    malleable_put_json(plan->of, &w);
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

static void show_plan(const struct cs_study *study, const struct cs_show *how,
                      struct cs_strbuf *out)
{
    struct plan plan = {.of = malleable_case_of(study)};
    struct cs_table *table;

    malleable_make_plan(&plan);
    switch (how->format) {
    case CS_SHOW_TABLE:
        plan_text(&plan, how, out);
        return;
    case CS_SHOW_JSON:
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
    .head = malleable_put_head,
    .json = put_study,
    .variant = put_variant,
    .draw = malleable_draw,
    .plan = show_plan,
};
