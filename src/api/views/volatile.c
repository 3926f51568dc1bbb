/* volatile.c - the view of volatile: hosts that become available and unavailable. */
#include "api/view.h"
#include "problems/volatile/problem.h"
#include "report/hosts_chart.h"
#include "report/human.h"

#include <math.h>
#include <string.h>

static const struct cs_volatile_case *volatile_case_of(const struct cs_study *study)
{
    return (const struct cs_volatile_case *)(const void *)study;
}

/* ---- heads ---- */

/* The number of scenarios with a known optimum, and of those in which no schedule ends in time. */
struct limits {
    int optima, hopeless;
};

static struct limits count_limits(const struct cs_volatile_case *c)
{
    struct limits count = {0};

    for (long r = 0; r < c->study.runs; r++) {
        const struct cs_volatile_seen *seen = cs_study_outcome(&c->study, 0, r);

        count.optima += cs_volatile_case_optimum(c, &seen->limit);
        count.hopeless += seen->limit.slots < 0;
    }
    return count;
}

/* "6 hosts (hosts.json), 3 iterations of 4 tasks" */
static void put_size(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    cs_human_units(out, c->hosts->hosts, "host");
    cs_strbuf_printf(out, " (%s), ", cs_view_input(&c->study));
    cs_human_units(out, c->hosts->iterations, "iteration");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, c->hosts->tasks, "task");
}

/* Append the lifetime model of the policies that predict how long hosts stay. */
static void put_lifetime_model(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    bool asked = cs_volatile_instance_application(c->believed)->spares > 0;
    int few = cs_volatile_lifetime_model_few(c->lifetime_model);

    for (int w = 0; w < c->study.variants; w++)
        asked |= strstr(c->study.variant[w].word[0], "rate") != NULL;
    if (!asked)
        return;
    cs_strbuf_printf(out, ", rate and spares %s",
                     cs_volatile_model_name(cs_volatile_lifetime_model_model(c->lifetime_model)));
    if (!few)
        return;
    cs_strbuf_puts(out, " (a constant rate in ");
    cs_human_units(out, few, "pool");
    cs_strbuf_puts(out, " with fewer than 5 ended lives)");
}

static void put_states(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_hosts *s = c->hosts;

    cs_human_units(out, c->study.runs, "scenario");
    if (s->slots) {
        cs_strbuf_puts(out, " on traces of ");
        cs_human_units(out, s->slots - c->history, "slot");
        if (c->read)
            cs_strbuf_printf(out, " (%s)", c->read->zone[0].kind);
    } else if (s->law == CS_HOSTS_MARKOV) {
        cs_strbuf_puts(out, " of the Markov chains");
    } else {
        cs_strbuf_printf(out, " of %s times with the means of the chains, %s ",
                         cs_hosts_law_name(s->law), s->law == CS_HOSTS_WEIBULL ? "shape" : "sigma");
        cs_human_digits(out, s->shape, 4);
    }
    if (c->history) {
        cs_strbuf_puts(out, "; policies use chains fitted to ");
        cs_human_units(out, c->history, "slot");
        cs_strbuf_puts(out, " before");
        put_lifetime_model(c, out);
    }
    cs_strbuf_puts(out, "\n");
}

/* Append the line about the bound of the makespans. */
static void put_limits(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    struct limits count = count_limits(c);

    cs_strbuf_puts(out, "bound: ");
    if (cs_volatile_instance_application(c->believed)->save_every)
        cs_strbuf_puts(out, "each slot brings at most what the hosts that are up in it can "
                            "(checkpoints)");
    else if (count.optima == 0)
        cs_strbuf_puts(out, "what nobody can beat who knows all states (clairvoyant)");
    else
        cs_strbuf_printf(out, "the optimum of who knows all states (%s)", c->offline);
    if (count.optima > 0 && count.optima < c->study.runs) {
        cs_strbuf_puts(out, " in ");
        cs_human_units(out, count.optima, "scenario");
        cs_strbuf_puts(out, ", a bound on it (clairvoyant) in ");
        cs_human_count(out, c->study.runs - count.optima);
    }
    if (count.hopeless > 0) {
        cs_strbuf_puts(out, "; in ");
        cs_human_units(out, count.hopeless, "scenario");
        cs_strbuf_puts(out, " no policy could have ended in time");
    }
    cs_strbuf_putc(out, '\n');
}

static void put_saves(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(c->believed);

    if (app->save_every) {
        cs_strbuf_puts(out, ", saved every ");
        cs_human_units(out, app->save_every, "slot");
        cs_strbuf_puts(out, " in ");
        cs_human_count(out, app->save_cost);
    }
    if (app->spares) {
        cs_strbuf_puts(out, ", ");
        cs_human_units(out, app->spares, "warm spare");
    }
}

static void volatile_put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_volatile_case *c = volatile_case_of(study);
    const struct cs_hosts *s = c->hosts;

    put_size(c, out);
    cs_strbuf_printf(out, ", program %d slots, data %d, ", s->program, s->data);
    cs_human_units(out, s->transfers < s->hosts ? s->transfers : s->hosts, "transfer");
    cs_strbuf_puts(out, " at once");
    put_saves(c, out);
    cs_strbuf_putc(out, '\n');
    put_states(c, out);
    put_limits(c, out);
}

static void volatile_put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_volatile_case *c = volatile_case_of(study);
    const struct cs_volatile_application *app = cs_volatile_instance_application(c->believed);
    struct limits limits = count_limits(c);
    const struct cs_hosts *s = c->hosts;

    cs_jsonw_put_string(w, "input", c->study.options->input);
    cs_jsonw_put_int(w, "hosts", s->hosts);
    cs_jsonw_put_int(w, "tasks", s->tasks);
    cs_jsonw_put_int(w, "iterations", s->iterations);
    cs_jsonw_put_int(w, "cap", s->cap);
    cs_jsonw_put_string(w, "states", s->slots ? "traces" : cs_hosts_law_name(s->law));
    cs_jsonw_put_double(w, "shape", s->slots ? NAN : s->shape);
    cs_jsonw_put_string(w, "model", c->history ? "fitted" : "given");
    cs_jsonw_put_int(w, "history", c->history);
    if (c->lifetime_model)
        cs_jsonw_put_string(
            w, "lifetime_model",
            cs_volatile_model_name(cs_volatile_lifetime_model_model(c->lifetime_model)));
    cs_jsonw_put_int(w, "save_every", app->save_every);
    cs_jsonw_put_int(w, "save_cost", app->save_cost);
    cs_jsonw_put_int(w, "spares", app->spares);
    if (c->offline)
        cs_jsonw_put_string(w, "offline", c->offline);
    cs_jsonw_put_int(w, "optima", limits.optima);
    cs_jsonw_put_int(w, "hopeless", limits.hopeless);
}

static void put_variant(const struct cs_study *study, struct cs_strbuf *out)
{
    long failed = 0;

    for (long r = 0; r < study->runs; r++)
        failed +=
            !((const struct cs_volatile_seen *)cs_study_outcome(study, 0, r))->outcome.finished;
    cs_strbuf_printf(out, "policy %s", study->variant[0].word[0]);
    if (!failed)
        return;
    cs_strbuf_putc(out, '\n');
    cs_human_units(out, failed, "scenario");
    cs_strbuf_puts(out, volatile_case_of(study)->hosts->slots
                            ? " failed: the cap or the end of the traces came first; no makespan"
                            : " failed: the cap came first; no makespan");
}

/* ---- pictures ---- */

static void put_subtitle(const struct cs_volatile_case *c, int variant,
                         const struct cs_volatile_outcome *o, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s · ", c->study.variant[variant].word[0]);
    cs_human_count(out, o->iterations);
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, c->hosts->iterations, "iteration");
    cs_strbuf_puts(out, " in ");
    cs_human_units(out, o->slots, "slot");
    cs_strbuf_puts(out, " · restarts: ");
    cs_human_count(out, o->aborts);
    cs_strbuf_puts(out, " down, ");
    cs_human_count(out, o->switches);
    cs_strbuf_puts(out, " switched");
}

static int volatile_draw(const struct cs_study *study, const struct cs_view_run *run,
                         struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_volatile_trial *trial =
        ((const struct cs_volatile_kept *)(const void *)run->record)->trial;
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_hosts_chart_options options = {.width = run->appearance.width,
                                             .title = cs_view_title(study, run),
                                             .style = run->appearance.style,
                                             .color_by = run->appearance.color_by};
    int status;

    put_subtitle(volatile_case_of(study), run->variant, &trial->outcome, &subtitle);
    options.subtitle = run->subtitle ? run->subtitle : subtitle.text;
    status = cs_hosts_chart_svg(trial->schedule, &trial->declared, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

/* ---- the plan: the shortest schedule if all states are known ---- */

/* The hosts of an iteration, with their tasks where they have several: "P1 P3:2". */
static void put_hosts(const struct cs_volatile_case *c, const struct cs_volatile_stage *stage,
                      struct cs_strbuf *out)
{
    for (int q = 0; q < c->hosts->hosts; q++) {
        const char *name = c->hosts->host[q].name;

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

static struct cs_table *stage_table(const struct cs_volatile_case *c)
{
    static const struct cs_column columns[] = {
        {.key = "iteration", .kind = CS_COLUMN_COUNT},
        {.key = "from", .unit = "slot", .kind = CS_COLUMN_COUNT},
        {.key = "to", .unit = "slot", .kind = CS_COLUMN_COUNT},
        {.key = "workload", .unit = "slots", .kind = CS_COLUMN_COUNT},
        {.key = "hosts", .kind = CS_COLUMN_WORD},
    };
    const struct cs_volatile_optimum *optimum = &c->optimum;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int i = 0; i < optimum->stages; i++) {
        const struct cs_volatile_stage *stage = &optimum->stage[i];
        struct cs_strbuf hosts = CS_STRBUF_INIT;

        put_hosts(c, stage, &hosts);
        cs_table_count(table, i + 1);
        cs_table_count(table, stage->from);
        cs_table_count(table, stage->to - 1);
        cs_table_count(table, stage->workload);
        cs_table_text(table, hosts.text);
        cs_strbuf_release(&hosts);
    }
    return table;
}

static void volatile_put_words(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_volatile_optimum *optimum = &c->optimum;

    put_size(c, out);
    cs_strbuf_printf(out, "\nproblem %s: ", c->offline);
    if (optimum->slots < 0)
        cs_strbuf_printf(out, "no policy can end in time: %d of %d iterations can end",
                         optimum->stages, c->hosts->iterations);
    else
        cs_human_units(out, optimum->slots, "slot");
    if (optimum->slots >= 0)
        cs_strbuf_puts(out, ", no schedule is shorter");
    if (optimum->slots >= 0 && c->study.known) {
        cs_strbuf_printf(out, "\nknown: %.15g slots suffice; gap ", c->study.known->at_most);
        cs_human_percent(out, cs_study_known_gap(&c->study, optimum->slots), 2);
    }
    cs_strbuf_puts(out, "\n\n");
}

static void put_plan(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_volatile_optimum *optimum = &c->optimum;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "input", c->study.options->input);
    cs_jsonw_put_string(&w, "problem", c->offline);
    cs_jsonw_put_bool(&w, "possible", optimum->slots >= 0);
    cs_jsonw_put_int(&w, "makespan", optimum->slots);
    if (optimum->slots >= 0 && c->study.known)
        cs_jsonw_put_double(&w, "known_gap", cs_study_known_gap(&c->study, optimum->slots));
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
        for (int q = 0; q < c->hosts->hosts; q++)
            cs_jsonw_int(&w, stage->tasks[q]);
        cs_jsonw_close(&w);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void show_plan(const struct cs_study *study, const struct cs_show *how,
                      struct cs_strbuf *out)
{
    const struct cs_volatile_case *c = volatile_case_of(study);
    struct cs_table *table = stage_table(c);

    if (how->format == CS_SHOW_TABLE)
        volatile_put_words(c, out);
    if (how->format == CS_SHOW_JSON)
        put_plan(c, out);
    else if (how->format == CS_SHOW_CSV)
        cs_table_write(table, CS_TABLE_CSV, 0, out);
    else
        cs_view_put_table(table, how, out);
    cs_table_destroy(table);
}

const struct cs_view cs_view_volatile = {
    .problem = &cs_problem_volatile,
    .head = volatile_put_head,
    .json = volatile_put_json,
    .variant = put_variant,
    .draw = volatile_draw,
    .plan = show_plan,
};
