/* volatile.c - hosts that come and go: what is shown of them, and the commands. */
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/verbs.h"
#include "report/hosts_chart.h"
#include "report/human.h"
#include "report/table.h"
#include "volatile/market.h"

#include <math.h>
#include <string.h>

static const struct cs_volatile_case *case_of(const struct cs_study *study)
{
    return (const struct cs_volatile_case *)(const void *)study;
}

/* ---- heads ---- */

/* Of how many scenarios the optimum is known, and in how many nobody could have ended. */
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
    cs_strbuf_printf(out, " (%s), ", c->study.options->input);
    cs_human_units(out, c->hosts->iterations, "iteration");
    cs_strbuf_puts(out, " of ");
    cs_human_units(out, c->hosts->tasks, "task");
}

/* What the policies go by that ask how long hosts stay. */
static void put_belief(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    bool asked = cs_volatile_instance_application(c->believed)->spares > 0;
    int few = cs_volatile_belief_few(c->belief);

    for (int w = 0; w < c->study.ways; w++)
        asked |= strstr(c->study.way[w].word[0], "rate") != NULL;
    if (!asked)
        return;
    cs_strbuf_printf(out, ", rate and spares %s",
                     cs_volatile_model_name(cs_volatile_belief_model(c->belief)));
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
        cs_strbuf_puts(out, "; policies believe chains fitted to ");
        cs_human_units(out, c->history, "slot");
        cs_strbuf_puts(out, " before");
        put_belief(c, out);
    }
    cs_strbuf_puts(out, "\n");
}

/* What the makespans are held against, a line. */
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
        cs_strbuf_puts(out, " nobody could have ended in time");
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

/* A job with a deadline. */
static void put_job(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_volatile_job_facts f = cs_volatile_market_facts(c);

    cs_strbuf_puts(out, "a job of ");
    cs_human_duration(out, (double)f.job.work * f.tick);
    cs_strbuf_puts(out, " to be done in ");
    cs_human_duration(out, (double)f.job.deadline * f.tick);
    cs_strbuf_puts(out, ", change-over ");
    cs_human_duration(out, (double)f.job.change * f.tick);
    cs_strbuf_puts(out, f.prices ? ", prices of the trace on spot and " : ", prices ");
    if (!f.prices) {
        cs_human_digits(out, c->settings->spot_price, 6);
        cs_strbuf_puts(out, " on spot and ");
    }
    cs_human_digits(out, c->settings->demand_price, 6);
    cs_strbuf_puts(out, " on demand\n");
    cs_human_units(out, c->study.runs, "scenario");
    cs_strbuf_puts(out, " on ");
    cs_human_units(out, f.markets, "trace");
    cs_strbuf_puts(out, " in slots of ");
    cs_human_duration(out, f.tick);
    cs_strbuf_puts(out, ", after a history of ");
    cs_human_units(out, f.history, "slot");
    cs_strbuf_putc(out, '\n');
    if (!f.late)
        return;
    cs_strbuf_puts(out,
                   "no plan can promise the deadline: on demand from the beginning the job is ");
    cs_human_duration(out, (double)(f.job.work + f.job.change - f.job.deadline) * f.tick);
    cs_strbuf_puts(out, " late\n");
}

static void json_job(const struct cs_volatile_case *c, struct cs_jsonw *w)
{
    const struct cs_volatile_job_facts f = cs_volatile_market_facts(c);

    cs_jsonw_put_double(w, "work", (double)f.job.work * f.tick);
    cs_jsonw_put_double(w, "deadline", (double)f.job.deadline * f.tick);
    cs_jsonw_put_double(w, "change_over", (double)f.job.change * f.tick);
    cs_jsonw_put_double(w, "slot", f.tick);
    cs_jsonw_put_int(w, "markets", f.markets);
    cs_jsonw_put_int(w, "history", f.history);
    cs_jsonw_put_bool(w, "promised", !f.late);
}

static void put_head(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_volatile_case *c = case_of(study);
    const struct cs_hosts *s = c->hosts;

    if (c->markets) {
        put_job(c, out);
        return;
    }
    put_size(c, out);
    cs_strbuf_printf(out, ", program %d slots, data %d, ", s->program, s->data);
    cs_human_units(out, s->transfers < s->hosts ? s->transfers : s->hosts, "transfer");
    cs_strbuf_puts(out, " at once");
    put_saves(c, out);
    cs_strbuf_putc(out, '\n');
    put_states(c, out);
    put_limits(c, out);
}

static void json_application(const struct cs_volatile_case *c, struct cs_jsonw *w)
{
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
    if (c->belief)
        cs_jsonw_put_string(w, "belief",
                            cs_volatile_model_name(cs_volatile_belief_model(c->belief)));
    cs_jsonw_put_int(w, "save_every", app->save_every);
    cs_jsonw_put_int(w, "save_cost", app->save_cost);
    cs_jsonw_put_int(w, "spares", app->spares);
    if (c->offline)
        cs_jsonw_put_string(w, "offline", c->offline);
    cs_jsonw_put_int(w, "optima", limits.optima);
    cs_jsonw_put_int(w, "hopeless", limits.hopeless);
}

static void put_json(const struct cs_study *study, struct cs_jsonw *w)
{
    const struct cs_volatile_case *c = case_of(study);

    if (c->markets)
        json_job(c, w);
    else
        json_application(c, w);
}

static void put_way(const struct cs_study *study, struct cs_strbuf *out)
{
    long failed = 0;

    for (long r = 0; r < study->runs; r++)
        failed +=
            !((const struct cs_volatile_seen *)cs_study_outcome(study, 0, r))->outcome.finished;
    cs_strbuf_printf(out, "policy %s", study->way[0].word[0]);
    if (!failed || case_of(study)->markets)
        return;
    cs_strbuf_putc(out, '\n');
    cs_human_units(out, failed, "scenario");
    cs_strbuf_puts(out, case_of(study)->hosts->slots
                            ? " failed: the cap or the end of the traces came first; no makespan"
                            : " failed: the cap came first; no makespan");
}

/* ---- pictures ---- */

static void put_subtitle(const struct cs_volatile_case *c, const struct cs_volatile_outcome *o,
                         struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s · ", c->study.way[0].word[0]);
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

static int draw(const struct cs_study *study, const struct cs_kept *record, struct cs_strbuf *svg,
                struct cs_error *err)
{
    const struct cs_volatile_trial *trial =
        ((const struct cs_volatile_kept *)(const void *)record)->trial;
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_hosts_chart_options options = {.title = cs_view_title(study),
                                             .style = cs_style(study->options->dark)};
    int status;

    put_subtitle(case_of(study), &trial->outcome, &subtitle);
    options.subtitle = subtitle.text;
    status = cs_hosts_chart_svg(trial->schedule, &trial->declared, &options, svg, err);
    cs_strbuf_release(&subtitle);
    return status;
}

/* ---- the plan: the shortest schedule when all states are known ---- */

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

static void put_words(const struct cs_volatile_case *c, struct cs_strbuf *out)
{
    const struct cs_volatile_optimum *optimum = &c->optimum;

    put_size(c, out);
    cs_strbuf_printf(out, "\nproblem %s: ", c->offline);
    if (optimum->slots < 0)
        cs_strbuf_printf(out, "nobody could end in time: %d of %d iterations can end",
                         optimum->stages, c->hosts->iterations);
    else
        cs_human_units(out, optimum->slots, "slot");
    if (optimum->slots >= 0)
        cs_strbuf_puts(out, ", no schedule is shorter");
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

static void show_plan(const struct cs_study *study, struct cs_strbuf *out)
{
    const struct cs_volatile_case *c = case_of(study);
    int format = study->options->format;
    struct cs_table *table = stage_table(c);

    if (format == CS_FORMAT_TABLE)
        put_words(c, out);
    if (format == CS_FORMAT_JSON)
        put_plan(c, out);
    else
        cs_output_table(table, format == CS_FORMAT_CSV ? CS_TABLE_CSV : CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static const struct cs_view cs_view_volatile = {
    .problem = &cs_problem_volatile,
    .head = put_head,
    .json = put_json,
    .way = put_way,
    .draw = draw,
    .plan = show_plan,
    .one = "for one policy",
};

/* ---- commands ---- */

static const struct cs_operand plan_operands[] = {
    {.name = "SCENARIO.json",
     .kind = CS_FIELD_PATH,
     .summary = "hosts and an application without program and data (cosched-volatile-1); - is "
                "standard input"},
    {0},
};

static const struct cs_example plan_examples[] = {
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
    .operands = plan_operands,
    .examples = plan_examples,
    .view = &cs_view_volatile,
    .verb = CS_PLAN,
};

static const struct cs_operand operands[] = {
    {.name = "SCENARIO.json",
     .optional = true,
     .kind = CS_FIELD_PATH,
     .summary =
         "hosts and an application (cosched-volatile-1), such as 'cosched generate volatile' "
         "writes; - is standard input; not for a job with a deadline"},
    {0},
};

static const struct cs_example simulate_examples[] = {
    {"A scenario of the paper, every policy, ten scenarios:",
     "cosched generate volatile | cosched simulate volatile - --policy all --scenarios 10"},
    {"Does the formula that the paper prints help, or the true one?",
     "cosched generate volatile --wmin 3 | cosched simulate volatile - --policy "
     "y-ie,y-ie:estimate=conditional"},
    {"Policies that believe in a chain while Weibull times rule:",
     "cosched generate volatile | cosched simulate volatile - --law weibull --shape 0.5 --model "
     "fitted --policy ie,y-ie,ip"},
    {"Hosts that were there when spot instances were:",
     "cosched generate volatile --hosts 12 | cosched simulate volatile - --trace "
     "examples/spot.csv --model fitted --policy ie,y-ie,random"},
    {"What does a job of six hours that must be done in eight cost on spot instances?",
     "cosched simulate volatile --trace examples/spot.csv --work 6h --deadline 8h --change-over "
     "5min"},
    {"One scenario as a schedule, judged, and as a picture:",
     "cosched simulate volatile examples/hosts.json -n 1 -o life.json --gantt life.svg "
     "&& "
     "cosched check life.json"},
    {0},
};

const struct cs_command cs_command_simulate_volatile = {
    .words = "simulate volatile",
    .summary = "run a tightly coupled application on hosts that come and go",
    .description =
        "Each iteration of the application has tasks that compute together: a slot counts only "
        "when all hosts that have tasks are up. A host that is reclaimed by its owner suspends "
        "everybody; one that goes down loses the program and its data, and the iteration starts "
        "again. The master sends the program and the data to a bounded number of hosts at once. "
        "Policies choose the hosts, and when to change them.\n\n"
        "The problem, and the policies, are those of Casanova, Dufosse, Robert, Vivien, "
        "\"Scheduling tightly-coupled applications on heterogeneous desktop grids\". Reported are "
        "the makespan, its ratio to a bound for those who know all states beforehand, and where "
        "the slots went. Without program and data this is the paper's off-line problem, which is "
        "solved: the bound is then the optimum, and the report says so (offline-1: a task at a "
        "host; offline-inf: any number; offline: other speeds and capacities). A scenario in which "
        "the cap, or the end of the traces, comes first has "
        "failed: it has no makespan and is counted apart.",
    .operands = operands,
    .examples = simulate_examples,
    .view = &cs_view_volatile,
    .verb = CS_SIMULATE,
};

static const struct cs_example generate_examples[] = {
    {"A scenario of the paper, and its policies in ten scenarios:",
     "cosched generate volatile --wmin 2 | cosched simulate volatile - --policy ie,y-ie,p-ie "
     "--scenarios 10"},
    {"Hosts with bursts of failures, which no Markov chain has:",
     "cosched generate volatile --law weibull --shape 0.5 -o bursts.json"},
    {0},
};

const struct cs_command cs_command_generate_volatile = {
    .words = "generate volatile",
    .summary = "write random hosts and an application for the volatile problem",
    .description =
        "Write a scenario as JSON (cosched-volatile-1), drawn as in Section VII of Casanova, "
        "Dufosse, Robert, Vivien, \"Scheduling tightly-coupled applications on heterogeneous "
        "desktop grids\": each host keeps each of its states with a probability drawn from 0.90 to "
        "0.99 and leaves it for the two others alike; a task takes it W to 10 W slots.\n\n"
        "With --law weibull or lognormal the times in a state have the same means but another law: "
        "what policies believe, the chain, is then wrong.",
    .examples = generate_examples,
    .view = &cs_view_volatile,
    .verb = CS_GENERATE,
};
