/* case_show.c - the results of cases, as texts and charts. */
#include "api/document.h"
#include "api/timings_chart.h"
#include "api/view.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/source.h"
#include "base/watch.h"
#include "campaign/output.h"
#include "campaign/store.h"
#include "io/schedule_json.h"
#include "problem/options.h"
#include "problem/param.h"
#include "problem/problem.h"
#include "problem/sample.h"
#include "report/gantt.h"
#include "report/replay_page.h"
#include "report/schedule_chart.h"

#include <cosched/case.h>
#include <cosched/chart.h>

#include <math.h>
#include <string.h>

/* Schedules, replays and figures as charts. */

static const struct cs_chart_options usual = {.size = sizeof usual};

/* Read the style of a chart; -1 with err for options of another size and for an unknown style. */
static int chart_understand(const struct cs_chart_options *how, struct cs_chart_style *appearance,
                            struct cs_error *err)
{
    const int style = how->style ? cs_choice_index(CS_STYLES, how->style) : CS_STYLE_COLOR;
    const int color =
        how->color_by ? cs_choice_index(CS_GANTT_COLOR_BY, how->color_by) : CS_COLOR_TASK;
    const int strips = how->strips ? cs_choice_index(CS_GANTT_STRIPS, how->strips) : CS_STRIPS_AUTO;

    if (cs_ask_size("the options of a picture", how->size, sizeof *how, err))
        return -1;
    if (style < 0)
        return cs_choice_error("style", how->style, CS_STYLES, err);
    if (color < 0)
        return cs_choice_error("color_by", how->color_by, CS_GANTT_COLOR_BY, err);
    if (strips < 0)
        return cs_choice_error("strips", how->strips, CS_GANTT_STRIPS, err);
    *appearance = (struct cs_chart_style){.width = how->width,
                                          .height = how->height,
                                          .style = (enum cs_style)style,
                                          .color_by = (enum cs_color_by)color,
                                          .strips = (enum cs_strips)strips,
                                          .title = how->title,
                                          .least_type = how->least_type};
    return 0;
}

/* ---- a schedule ---- */

static int check_planned(const struct cs_schedule *schedule, const struct cs_schedule *planned,
                         struct cs_error *err)
{
    const int tasks = cs_schedule_tasks(schedule);

    if (!planned)
        return 0;
    if (cs_schedule_tasks(planned) != tasks)
        return cs_error_set(err, "what was planned has %d tasks, what is drawn has %d",
                            cs_schedule_tasks(planned), tasks);
    return cs_gantt_possible(planned, 0, 0, err) ? cs_error_prefix(err, "what was planned") : 0;
}

char *cs_schedule_svg(const struct cs_schedule *schedule, const struct cs_schedule *planned,
                      const struct cs_chart_options *how, size_t *length, struct cs_error *err)
{
    CS_ASK(schedule, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_chart_options *supplied = how ? how : &usual;
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_gantt_options options = {.planned = planned};
    struct cs_chart_style appearance;

    if (chart_understand(supplied, &appearance, err) || check_planned(schedule, planned, err))
        return NULL;
    options.width = appearance.width;
    options.height = appearance.height;
    options.style = appearance.style;
    options.title = appearance.title;
    options.least_type = appearance.least_type;
    options.subtitle = supplied->subtitle;
    options.processor = supplied->processor;
    options.group = supplied->group;
    options.color_by = appearance.color_by;
    options.strips = appearance.strips;
    return cs_document_take(&svg, cs_gantt_svg(schedule, &options, &svg, err), length);
}

/* ---- files ---- */

struct drawing {
    const char *figure;
    struct cs_figure_style appearance;
    struct cs_strbuf svg;
};

static int draw_schedule(struct cs_schedule_document *document, void *who, struct cs_error *err)
{
    struct drawing *d = who;
    struct cs_schedule_file *file;
    struct cs_error why = {0};
    int status;

    if (d->appearance.metric || d->figure)
        return cs_error_set(err, "%s: is a schedule, which is one figure without metrics",
                            document->top.key);
    file = cs_schedule_document_read(document, err);
    if (!file)
        return -1;
    status = cs_schedule_chart(file, &d->appearance.picture, &d->svg, &why);
    if (status)
        cs_error_set_at(err, why.kind, file->source, 0, "%s", why.text);
    cs_schedule_file_destroy(file);
    return status;
}

static int draw_replay(const struct cs_json_at *top, void *who, struct cs_error *err)
{
    static const char words[] = "time|shares"; /* as enum cs_replay_chart */
    struct drawing *d = who;
    const int which = d->figure ? cs_choice_index(words, d->figure) : CS_REPLAY_ALL;
    struct cs_arena *arena;
    struct cs_replay_view view;
    int status;

    if (d->appearance.metric)
        return cs_error_set(err,
                            "%s: is a replay, whose figures are time and shares: --metric is "
                            "for stores",
                            top->key);
    if (d->appearance.picture.color_by != CS_COLOR_TASK)
        return cs_error_set(err, "%s: is a replay: --color-by is for schedules", top->key);
    if (which < 0)
        return cs_choice_error("the figure of a replay", d->figure, words, err);
    arena = cs_arena_create();
    status =
        cs_replay_view_read(top, arena, &view, err) ||
        cs_replay_chart(&view, (enum cs_replay_chart)which, &d->appearance.picture, &d->svg, err);
    cs_replay_view_release(&view);
    cs_arena_destroy(arena);
    return status ? -1 : 0;
}

/* Tables and logs of times; a document of JSON is a schedule or a replay. */
static int draw_other(const struct cs_chart_source *source, struct drawing *d, struct cs_error *err)
{
    static const struct cs_document_faces faces = {draw_schedule, draw_replay};
    struct cs_error why = {0}, of_timings = {0};
    struct cs_workload *workload;
    int status;

    if (!cs_document_read(source, &faces, d, &why))
        return 0;
    workload = cs_timings_chart_read(source, &of_timings);
    if (workload)
        status = cs_timings_chart_put(workload, d->figure, &d->appearance.picture, &d->svg, err);
    else
        status = cs_error_pass(err, *of_timings.text ? &of_timings : &why);
    cs_workload_destroy(workload);
    return status;
}

char *cs_chart_svg(const struct cs_chart_source *source, const char *figure,
                   const struct cs_chart_options *how, size_t *length, struct cs_error *err)
{
    CS_ASK(source && source->name, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_chart_options *supplied = how ? how : &usual;
    struct drawing d = {
        .figure = figure, .appearance = {.metric = supplied->metric}, .svg = CS_STRBUF_INIT};
    int status;

    if (chart_understand(supplied, &d.appearance.picture, err))
        return NULL;
    if (cs_document_is_store(source) && d.appearance.picture.color_by != CS_COLOR_TASK)
        status = cs_error_set(err, "%s: is a store: --color-by is for schedules", source->name);
    else if (cs_document_is_store(source))
        status = cs_output_svg_of_store(source->name, figure, &d.appearance, &d.svg, err);
    else
        status = draw_other(source, &d, err);
    return cs_document_take(&d.svg, status, length);
}

/* Cases: from names and JSON to a study, and its values as columns. */

/* The run that was recorded last: a program that shows one run several times records it once. */
struct cs_case_last {
    struct cs_kept *record; /* NULL: none yet */
    int variant;
    long run;
};

struct cs_case {
    struct cs_arena *arena;
    struct cs_study_options *options;
    struct cs_study *study;
    bool plans;         /* its action is "plan" */
    bool runs, has_run; /* does it run? Plans with random inputs are only recorded */
    int values;
    const struct cs_value **value; /* those that some run has */
    double *room;                  /* space for one value of every run */
    struct cs_case_last *last;
};

/* Receives the progress of a study during a call. */
struct listener {
    const struct cs_watch *watch;
    double all;
};

static void case_show_warn(const char *text, void *who)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, text);
}

static void api_case_show(void *who, double done)
{
    const struct listener *listener = who;

    if (listener->watch && listener->watch->progress)
        listener->watch->progress(listener->watch->who, done / listener->all);
}

/* ---- options ---- */

static bool is_output(const struct cs_param *param)
{
    static const size_t at[] = {offsetof(struct cs_study_options, format),
                                offsetof(struct cs_study_options, per_scenario),
                                offsetof(struct cs_study_options, schedule),
                                offsetof(struct cs_study_options, gantt),
                                offsetof(struct cs_study_options, table),
                                offsetof(struct cs_study_options, sbatch),
                                offsetof(struct cs_study_options, output),
                                offsetof(struct cs_study_options, title),
                                offsetof(struct cs_study_options, dark)};

    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        if (!param->scope && param->at == at[i])
            return true;
    return false;
}

static int take_param(struct cs_case *c, const struct cs_problem *problem, unsigned action,
                      const char *name, const json_t *json, const struct cs_watch *watch,
                      struct cs_error *err)
{
    bool old;
    const struct cs_param *param = cs_params_find(problem->param, action, name, &old, err);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!param)
        return -1;
    if (is_output(param))
        return cs_error_set(err, "%s is for the command line: results are asked for by functions",
                            name);
    cs_problem_put_renamed_value(param, old, json_string_value(json), &text);
    if (text.length)
        case_show_warn(text.text, (void *)(uintptr_t)watch);
    cs_strbuf_release(&text);
    return cs_supplied_store(param, name, json, old ? param->old_unit : 0, c->arena, c->options,
                             err);
}

/* The parameter `input` of experiments; or NULL. */
static const struct cs_param *input_param(const struct cs_problem *problem)
{
    const struct cs_param *f = problem->param;

    while (f->name && strcmp(f->name, "input") != 0)
        f++;
    return f->name ? f : NULL;
}

/* Is it the parameter `input`, by its name or by its name in a former release? */
static bool is_input(const struct cs_problem *problem, const char *name)
{
    const struct cs_param *input = input_param(problem);

    return input ? cs_param_is(input, name) : !strcmp(name, "input");
}

/* Options of the former problem: its `input` was not read if the old name of the parameter was
 * given too. */
static void drop_former_input(const struct cs_problem *now, json_t *options)
{
    const struct cs_param *input = input_param(now);

    if (input && input->old && json_object_get(options, input->old))
        json_object_del(options, input->name);
}

/* "input": a path or a list of paths. */
static int take_inputs(struct cs_case *c, const json_t *json, struct cs_error *err)
{
    size_t count = json_is_array(json) ? json_array_size(json) : 1;
    const char **path = CS_NEW_ARRAY(c->arena, const char *, count + 1);

    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_is_array(json) ? json_array_get(json, i) : json;

        path[i] = cs_supplied_text("input", one, c->arena, err);
        if (!path[i] || !*path[i])
            return cs_error_set(err, "input: a path, or a list of paths is wanted");
    }
    c->options->input = path[0];
    c->options->inputs = path;
    return 0;
}

static int case_show_take_all(struct cs_case *c, const struct cs_problem *problem, unsigned action,
                              json_t *supplied, const struct cs_watch *watch, struct cs_error *err)
{
    const char *name;
    json_t *json;

    json_object_foreach(supplied, name, json)
    {
        if (is_input(problem, name) && action != CS_GENERATE
                ? take_inputs(c, json, err)
                : take_param(c, problem, action, name, json, watch, err))
            return -1;
    }
    for (const struct cs_param *f = problem->param; f->name; f++)
        if (f->required & action && !json_object_get(supplied, f->name))
            return cs_error_set(err, "%s is missing: %s", f->name, f->summary);
    return cs_params_check_once(problem->param, action, supplied, err);
}

/* The problem to which the options belong now; warn if it is another one. */
static const struct cs_problem *update_problem(const struct cs_problem *problem, json_t *options,
                                               const struct cs_watch *watch)
{
    const struct cs_problem *now = problem;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name;
    json_t *value;

    json_object_foreach(options, name, value)
    {
        if (now == problem)
            now = cs_problem_renamed(problem, name);
    }
    if (now != problem) {
        drop_former_input(now, options);
        cs_problem_put_renamed(now, &text);
        case_show_warn(text.text, (void *)(uintptr_t)watch);
        cs_strbuf_release(&text);
    }
    return now;
}

static struct cs_case *read_options(const struct cs_problem **problem, unsigned action,
                                    const char *options, const struct cs_watch *watch,
                                    struct cs_error *err)
{
    static const char *const none[] = {NULL};
    struct cs_arena *arena = cs_arena_create();
    struct cs_case *c = CS_NEW(arena, struct cs_case);
    const struct cs_problem *const asked = *problem;
    struct cs_supplied *supplied;
    int status;

    c->arena = arena;
    c->last = CS_NEW(arena, struct cs_case_last);
    supplied = cs_supplied_load(options, arena, err);
    if (supplied)
        *problem = update_problem(*problem, supplied->json, watch);
    c->options = cs_problem_options(*problem, arena);
    c->options->inputs = none;
    /* One warning: about the problem, or about its parameters. */
    status = !supplied || case_show_take_all(c, *problem, action, supplied->json,
                                             *problem == asked ? watch : NULL, err);
    cs_supplied_release(supplied);
    if (!status)
        return c;
    cs_case_close(c);
    return NULL;
}

/* ---- cases ---- */

static unsigned action_of(const char *action, bool generate, struct cs_error *err)
{
    if (generate && action && !strcmp(action, "generate"))
        return CS_GENERATE;
    if (action && !strcmp(action, "plan"))
        return CS_PLAN;
    if (action && !strcmp(action, "simulate"))
        return CS_SIMULATE;
    cs_error_set(err, "a case is for \"plan\" or \"simulate\"%s, not for \"%.40s\"",
                 generate ? ", options also for \"generate\"" : "", action ? action : "(null)");
    return 0;
}

static const struct cs_problem *problem_of(const char *name, unsigned action, const char *word,
                                           struct cs_error *err)
{
    const struct cs_problem *problem = cs_problem_find(name ? name : "(null)", err);
    unsigned actions = 0;

    for (const struct cs_param *f = problem ? problem->param : NULL; f && f->name; f++)
        actions |= f->actions;
    if (!problem || actions & action)
        return problem;
    cs_error_set(err, "there is nothing to %s in the problem %s", word, name);
    return NULL;
}

int cs_case_check(const char *problem, const char *action, const char *options,
                  struct cs_error *err)
{
    CS_GUARD(err, -1);
    const unsigned what = action_of(action, true, err);
    const struct cs_problem *found = what ? problem_of(problem, what, action, err) : NULL;
    struct cs_case *c = found ? read_options(&found, what, options, NULL, err) : NULL;
    int status = c && !(found->check && found->check(c->options, err)) ? 0 : -1;

    cs_case_close(c);
    return status;
}

struct cs_case *cs_case_open(const char *problem, const char *action, const char *options,
                             const struct cs_watch *watch, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_study_context context = {.action = action_of(action, false, err),
                                       .warn = case_show_warn,
                                       .who = (void *)(uintptr_t)watch};
    const struct cs_problem *found = context.action && cs_watch_check(watch, err) == 0
                                         ? problem_of(problem, context.action, action, err)
                                         : NULL;
    struct cs_case *c = found ? read_options(&found, context.action, options, watch, err) : NULL;
    const struct cs_watch *before = cs_watch_enter(watch);
    int status;

    if (c)
        c->study = cs_study_open(found, c->options, &context, err);
    status = cs_watch_settle(c && c->study ? 0 : -1, err);
    cs_watch_enter(before);
    if (!status) {
        c->plans = context.action == CS_PLAN;
        c->runs = !c->plans || c->study->certain;
        return c;
    }
    cs_case_close(c);
    return NULL;
}

void cs_case_close(struct cs_case *c)
{
    if (!c)
        return;
    if (c->last->record)
        c->study->problem->discard(c->last->record);
    cs_study_close(c->study);
    cs_arena_destroy(c->arena);
}

int cs_case_set_command(struct cs_case *c, const char *command, struct cs_error *err)
{
    CS_ASK(c, err, -1);
    CS_GUARD(err, -1);

    c->options->command = command ? cs_arena_strdup(c->arena, command) : NULL;
    return 0;
}

static void find_values(struct cs_case *c)
{
    int count = 0;

    for (const struct cs_value *v = c->study->problem->value; v->name; v++)
        count++;
    c->value = CS_NEW_ARRAY(c->arena, const struct cs_value *, count);
    c->room = CS_NEW_ARRAY(c->arena, double, c->study->runs);
    for (const struct cs_value *v = c->study->problem->value; v->name; v++)
        if (v->in & (CS_IN_SUMMARY | CS_IN_ROWS) && cs_study_has(c->study, v))
            c->value[c->values++] = v;
}

static void case_show_doubt(struct cs_case *c, const struct cs_watch *watch)
{
    const struct cs_view *view = cs_view_of(c->study->problem);

    if (view->warn)
        view->warn(c->study, case_show_warn, (void *)(uintptr_t)watch);
}

int cs_case_run(struct cs_case *c, const struct cs_watch *watch, struct cs_error *err)
{
    CS_GUARD(err, -1);
    const struct cs_watch *before;
    struct listener listener = {watch, 1};
    const struct cs_study_progress progress = {api_case_show, &listener};
    int status;

    if (!c || c->has_run)
        return cs_error_set(err, c ? "a case runs once" : "there is no case to run");
    if (cs_watch_check(watch, err))
        return -1;
    listener.all = fmax(1, (double)c->study->variants * (double)c->study->runs);
    before = cs_watch_enter(watch);
    status = cs_watch_settle(c->runs ? cs_study_run(c->study, &progress, err) : 0, err);
    cs_watch_enter(before);
    if (status)
        return -1;
    c->has_run = true;
    if (c->runs) {
        find_values(c);
        case_show_doubt(c, watch);
    }
    return 0;
}

/* ---- results ---- */

int cs_case_variants(const struct cs_case *c)
{
    return c ? c->study->variants : 0;
}

int cs_case_keys(const struct cs_case *c)
{
    int count = 0;

    while (c && c->study->problem->variant[count])
        count++;
    return count;
}

const char *cs_case_key(const struct cs_case *c, int key)
{
    return key >= 0 && key < cs_case_keys(c) ? c->study->problem->variant[key] : NULL;
}

const char *cs_case_label(const struct cs_case *c, int variant, int key)
{
    if (variant < 0 || variant >= cs_case_variants(c) || !cs_case_key(c, key))
        return NULL;
    return c->study->variant[variant].word[key];
}

long cs_case_runs(const struct cs_case *c)
{
    return c ? c->study->runs : 0;
}

int cs_case_groups(const struct cs_case *c)
{
    return !c ? 0 : c->study->groups > 1 ? c->study->groups : 1;
}

const char *cs_case_group(const struct cs_case *c, int group, long *size)
{
    const struct cs_study_group none = {"", 0}, *found = &none;

    if (group < 0 || group >= cs_case_groups(c))
        return NULL;
    if (c->study->group)
        found = &c->study->group[group];
    if (size)
        *size = found->size;
    return found->name;
}

int cs_case_metrics(const struct cs_case *c)
{
    return c ? c->values : 0;
}

const char *cs_case_metric(const struct cs_case *c, int value)
{
    return value >= 0 && value < cs_case_metrics(c) ? c->value[value]->name : NULL;
}

/* Is `name` its name, or its name in a former release? */
static bool value_is_named(const struct cs_value *value, const char *name)
{
    return !strcmp(value->name, name) || (value->old && !strcmp(value->old, name));
}

static const struct cs_value *find_value(const struct cs_case *c, const char *name,
                                         struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    for (int v = 0; v < c->values; v++)
        if (name && value_is_named(c->value[v], name))
            return c->value[v];
    for (int v = 0; v < c->values; v++)
        cs_strbuf_printf(&names, "%s%s", v ? ", " : "", c->value[v]->name);
    cs_error_set(err, "no run has the metric \"%.60s\"; there are %s", name ? name : "(null)",
                 names.text);
    cs_strbuf_release(&names);
    return NULL;
}

/* Check that the variant and the run exist and that the case has run. -1 with err. */
static int case_check_place(const struct cs_case *c, int variant, long run, struct cs_error *err)
{
    if (!c || variant < 0 || variant >= c->study->variants)
        return cs_error_set(err, "there is no variant %d: there are %d", variant,
                            cs_case_variants(c));
    if (run < 0 || run >= c->study->runs)
        return cs_error_set(err, "there is no run %ld: there are %ld", run, cs_case_runs(c));
    return c->has_run ? 0 : cs_error_set_as(err, CS_ERROR_USAGE, "the case has not run yet");
}

int cs_case_column(const struct cs_case *c, int variant, const char *name, double *out, long room,
                   struct cs_error *err)
{
    CS_GUARD(err, -1);
    const struct cs_value *value;

    if (case_check_place(c, variant, 0, err))
        return -1;
    if (!out || room < c->study->runs)
        return cs_error_set_as(err, CS_ERROR_USAGE,
                               "there is room for %ld values, the case has %ld runs",
                               out ? room : 0, c->study->runs);
    value = find_value(c, name, err);
    if (!value)
        return -1;
    for (long r = 0; r < c->study->runs; r++)
        out[r] = value->whole ? value->whole(c->study, variant)
                              : value->of(c->study, cs_study_outcome(c->study, variant, r));
    return 0;
}

const char *cs_case_figure(int figure)
{
    return figure >= 0 && figure < CS_FIGURES ? cs_figure_name((enum cs_figure)figure) : NULL;
}

int cs_case_figures(const struct cs_case *c, int variant, const char *name, double *out, int room,
                    struct cs_error *err)
{
    CS_GUARD(err, -1);
    const struct cs_value *value;
    struct cs_sample sample;

    if (case_check_place(c, variant, 0, err))
        return -1;
    if (!out || room < CS_FIGURES)
        return cs_error_set(err, "there is room for %d figures, there are %d", out ? room : 0,
                            CS_FIGURES);
    value = find_value(c, name, err);
    if (!value)
        return -1;
    sample = cs_sample_make(c->room, cs_study_values(c->study, variant, value, c->room));
    memcpy(out, sample.figure, sizeof sample.figure);
    return 0;
}

int cs_case_compare(const struct cs_case *c, const char *name, int variant, int reference,
                    double *out, int room, struct cs_error *err)
{
    CS_GUARD(err, -1);
    const struct cs_value *value;
    struct cs_pairing pairing;

    if (case_check_place(c, variant, 0, err) || case_check_place(c, reference, 0, err))
        return -1;
    if (!out || room < CS_CASE_PAIRINGS)
        return cs_error_set(err, "there is room for %d numbers, a comparison has %d",
                            out ? room : 0, CS_CASE_PAIRINGS);
    value = find_value(c, name, err);
    if (!value)
        return -1;
    pairing = cs_study_compare_by(c->study, value, variant, reference);
    out[CS_CASE_PAIRS] = (double)pairing.pairs;
    out[CS_CASE_OVER] = pairing.over;
    out[CS_CASE_OVER_LOW] = pairing.low;
    out[CS_CASE_OVER_HIGH] = pairing.high;
    out[CS_CASE_WINS] = pairing.wins;
    return 0;
}

/* Generators check for a stop before they write: a stop leaves no partial file. */
static int case_show_generate(const struct cs_problem *problem, const void *options,
                              const struct cs_watch *watch, struct cs_error *err)
{
    const struct cs_watch *before = cs_watch_enter(watch);
    const int status = problem->generate(options, err);

    cs_watch_enter(before);
    return status;
}

int cs_case_generate(const char *problem, const char *options, const char *path,
                     const struct cs_watch *watch, struct cs_error *err)
{
    CS_GUARD(err, -1);
    const struct cs_problem *found = problem_of(problem, CS_GENERATE, "generate", err);
    struct cs_case *c = found && !cs_watch_check(watch, err)
                            ? read_options(&found, CS_GENERATE, options, watch, err)
                            : NULL;
    int status = -1;

    if (!path || !*path)
        cs_error_set(err, "a path is wanted for what is generated");
    else if (c && !(found->check && found->check(c->options, err))) {
        c->options->output = path;
        status = found->generate ? case_show_generate(found, c->options, watch, err) : -1;
    }
    cs_case_close(c);
    return status;
}

/* ---- all runs ---- */

static int case_show_replay(const struct cs_case *c, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_view *view = cs_view_of(c->study->problem);

    if (view->replay && c->runs)
        return view->replay(c->study, out, err);
    return cs_error_set(err, "the form replay is for the problem queue, once it has run");
}

static int case_show_curve(const struct cs_case *c, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_view *view = cs_view_of(c->study->problem);

    return view->curve && c->plans && view->sizes(c->study)
               ? view->curve(c->study, out, err)
               : cs_error_set(err,
                              "the curve is of plans of several sizes, such as --procs 8..256");
}

char *cs_case_text(const struct cs_case *c, const char *form, int columns, size_t *length,
                   struct cs_error *err)
{
    CS_GUARD(err, NULL);
    static const char forms[] =
        "table|json|csv|runs|replay|curve"; /* as enum cs_show_format, and more */
    const int which = form ? cs_choice_index(forms, form) : CS_SHOW_TABLE;
    const struct cs_show how = {(enum cs_show_format)which, columns};
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (case_check_place(c, 0, 0, err))
        return NULL;
    if (which < 0 || columns < 0) {
        columns < 0 ? cs_error_set(err, "a text cannot have %d columns", columns)
                    : cs_choice_error("the form of a text", form, forms, err);
        return NULL;
    }
    if (which <= CS_SHOW_CSV && cs_show_study(c->study, c->plans, &how, &text, err)) {
        cs_strbuf_release(&text);
        return NULL;
    }
    if ((which == CS_SHOW_CSV + 2 && case_show_replay(c, &text, err)) ||
        (which == CS_SHOW_CSV + 3 && case_show_curve(c, &text, err))) {
        cs_strbuf_release(&text);
        return NULL;
    }
    if (which == CS_SHOW_CSV + 1 && c->runs)
        cs_show_rows(c->study, &text);
    if ((which == CS_SHOW_CSV || which == CS_SHOW_CSV + 1) && c->study->options->csv_safe)
        cs_csv_make_safe(&text);
    return cs_document_take(&text, 0, length);
}

/* ---- one run ---- */

/* Repeat and record a run of a variant; NULL with err, also after a stop. */
static struct cs_kept *case_show_record(const struct cs_case *c, int variant, long run,
                                        const struct cs_watch *watch, struct cs_error *err)
{
    const struct cs_watch *before = cs_watch_enter(watch);
    struct cs_kept *kept =
        cs_watch_calls() ? NULL : c->study->problem->record(c->study, variant, run, err);
    const int status = cs_watch_settle(kept ? 0 : -1, err);

    cs_watch_enter(before);
    if (status && kept) {
        c->study->problem->discard(kept);
        kept = NULL;
    }
    return kept;
}

/* The recorded run, valid until give_back; NULL with err. */
static struct cs_kept *keep_run(const struct cs_case *c, int variant, long run,
                                const struct cs_watch *watch, struct cs_error *err)
{
    if (case_check_place(c, variant, run, err) || cs_watch_check(watch, err))
        return NULL;
    if (c->last->record && c->last->variant == variant && c->last->run == run)
        return c->last->record;
    return case_show_record(c, variant, run, watch, err);
}

/* Keep the record as the last one, since its text is complete: before this call a lack of memory
 * releases it (base/guard.h). Return the text. */
static char *give_back(const struct cs_case *c, int variant, long run, struct cs_kept *record,
                       char *text)
{
    if (c->last->record == record)
        return text;
    if (c->last->record)
        c->study->problem->discard(c->last->record);
    *c->last = (struct cs_case_last){record, variant, run};
    return text;
}

char *cs_case_schedule(const struct cs_case *c, int variant, long run, const struct cs_watch *watch,
                       size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_kept *record = keep_run(c, variant, run, watch, err);

    if (!record)
        return NULL;
    if (cs_study_put_file(c->study, variant, record, &text, err))
        cs_strbuf_release(&text);
    return give_back(c, variant, run, record,
                     text.length ? cs_document_take(&text, 0, length) : NULL);
}

int cs_case_schedule_write(const struct cs_case *c, int variant, long run, const char *path,
                           const struct cs_watch *watch, struct cs_error *err)
{
    CS_ASK(c && path, err, -1);
    CS_GUARD(err, -1);
    struct cs_kept *record = keep_run(c, variant, run, watch, err);
    int status;

    if (!record)
        return -1;
    status = cs_study_write_file(c->study, variant, record, path, err);
    give_back(c, variant, run, record, NULL);
    return status;
}

char *cs_case_svg(const struct cs_case *c, int variant, long run,
                  const struct cs_chart_options *how, const struct cs_watch *watch, size_t *length,
                  struct cs_error *err)
{
    CS_GUARD(err, NULL);
    const struct cs_chart_options *supplied = how ? how : &usual;
    struct cs_view_run drawn = {.variant = variant,
                                .run = run,
                                .subtitle = supplied->subtitle,
                                .processor = supplied->processor};
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_kept *record;
    int status;

    if (chart_understand(supplied, &drawn.appearance, err))
        return NULL;
    record = keep_run(c, variant, run, watch, err);
    if (!record)
        return NULL;
    cs_schedule_number(record->schedule);
    drawn.record = record;
    status = cs_view_of(c->study->problem)->draw(c->study, &drawn, &svg, err);
    return give_back(c, variant, run, record, cs_document_take(&svg, status, length));
}

char *cs_case_jobs(const struct cs_case *c, int variant, long run, const struct cs_watch *watch,
                   size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_kept *record = keep_run(c, variant, run, watch, err);
    int status = -1;

    if (!record)
        return NULL;
    if (c->study->problem->table)
        status = c->study->problem->table(c->study, record, &text, err);
    else
        cs_error_set(err, "the problem %s has no table of jobs", c->study->problem->name);
    return give_back(c, variant, run, record, cs_document_take(&text, status, length));
}
