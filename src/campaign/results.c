/* results.c - the cells of an experiment, their values and places. */
#include "campaign/results.h"

#include "base/clock.h"
#include "campaign/store.h"

#include <math.h>
#include <string.h>

/* --- places: a table of combinations, open addressing --- */

static uint32_t results_hash(const int *at, int axes, int axis, int value)
{
    uint32_t sum = 2166136261u;

    for (int a = 0; a < axes; a++)
        sum = (sum ^ (uint32_t)(a == axis ? value : at[a])) * 16777619u;
    return sum ^ sum >> 15;
}

static bool is_at(const int *there, const int *at, int axes, int axis, int value)
{
    for (int a = 0; a < axes; a++)
        if (there[a] != (a == axis ? value : at[a]))
            return false;
    return true;
}

/* The slot of a place, or the free one where it belongs. */
static int find_slot(const struct cs_results *results, const int *at, int axis, int value)
{
    const struct cs_experiment *experiment = results->experiment;
    int slot =
        (int)(results_hash(at, experiment->axes, axis, value) & (uint32_t)(results->slots - 1));

    while (results->index[slot] >= 0 && !is_at(experiment->combination[results->index[slot]].at, at,
                                               experiment->axes, axis, value))
        slot = (slot + 1) & (results->slots - 1);
    return slot;
}

static void make_index(struct cs_results *results)
{
    const struct cs_experiment *experiment = results->experiment;

    for (results->slots = 4; results->slots < 2 * experiment->combinations;)
        results->slots *= 2;
    results->index = CS_NEW_ARRAY(results->arena, int, results->slots);
    for (int i = 0; i < results->slots; i++)
        results->index[i] = -1;
    for (int c = 0; c < experiment->combinations; c++)
        results->index[find_slot(results, experiment->combination[c].at, -1, 0)] = c;
}

int cs_results_besides(const struct cs_results *results, int combination, int axis, int value)
{
    const int *at = results->experiment->combination[combination].at;

    return results->index[find_slot(results, at, axis, value)];
}

int cs_results_over(const struct cs_results *results, int combination, int series)
{
    int over;

    if (series < 0)
        return series;
    over = cs_results_besides(results, combination, results->experiment->series, series);
    return over < 0 ? -2 : over;
}

/* --- values --- */

struct cs_results *cs_results_create(const struct cs_experiment *experiment)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_results *results = CS_NEW(arena, struct cs_results);
    int metrics = cs_cell_metric_count(experiment->problem);
    size_t values = (size_t)experiment->count * (size_t)metrics;

    *results = (struct cs_results){
        .experiment = experiment,
        .metrics = metrics,
        .arena = arena,
        .value = CS_NEW_ARRAY(arena, double, values),
        .done = CS_NEW_ARRAY(arena, bool, experiment->count),
    };
    for (size_t v = 0; v < values; v++)
        results->value[v] = NAN;
    make_index(results);
    return results;
}

void cs_results_destroy(struct cs_results *results)
{
    if (results)
        cs_arena_destroy(results->arena);
}

static void results_take(void *who, int cell, const struct cs_record *record)
{
    struct cs_results *results = who;
    const size_t metrics = (size_t)results->metrics;

    memcpy(results->value + (size_t)cell * metrics, record->value, metrics * sizeof(double));
    results->done[cell] = true;
}

int cs_results_load(struct cs_results *results, struct cs_store *store, struct cs_error *err)
{
    return cs_experiment_inspect(results->experiment, store, true, results_take, results, err);
}

/* The selected cells, in the arena. */
static struct cs_cell *results_choose(const struct cs_experiment *experiment, const bool *keep,
                                      struct cs_arena *arena, int *count)
{
    struct cs_cell *cell = CS_NEW_ARRAY(arena, struct cs_cell, experiment->count);

    *count = 0;
    for (int c = 0; c < experiment->count; c++)
        if (!keep || keep[c])
            cell[(*count)++] = experiment->cell[c];
    return cell;
}

int cs_results_check_files(const struct cs_results *results, const bool *keep,
                           struct cs_store *store, struct cs_error *err)
{
    const struct cs_experiment *experiment = results->experiment;
    const struct cs_grid_options options = {.store = store, .folder = experiment->folder};
    struct cs_arena *arena = cs_arena_create();
    int count, status;
    const struct cs_cell *cell = results_choose(experiment, keep, arena, &count);

    status = cs_grid_check_files(experiment->problem, cell, count, &options, err);
    cs_arena_destroy(arena);
    return status;
}

/* From the beginning of the table to the cells that they are of, the last ones first. */
static void results_spread(struct cs_results *results, const bool *keep, int count)
{
    const size_t metrics = (size_t)results->metrics;

    for (int c = results->experiment->count - 1; c >= 0; c--) {
        double *value = results->value + (size_t)c * metrics;

        results->done[c] = !keep || keep[c];
        if (results->done[c] && --count < c)
            memcpy(value, results->value + (size_t)count * metrics, metrics * sizeof *value);
        for (size_t m = 0; !results->done[c] && m < metrics; m++)
            value[m] = NAN;
    }
}

int cs_results_run(struct cs_results *results, const bool *keep,
                   const struct cs_grid_options *options, struct cs_error *err)
{
    const struct cs_experiment *experiment = results->experiment;
    struct cs_arena *arena = cs_arena_create();
    struct cs_grid_options own = *options;
    double start = cs_clock_now();
    int count, status;
    const struct cs_cell *cell = results_choose(experiment, keep, arena, &count);

    own.folder = experiment->folder;
    own.threads = experiment->serial ? 1 : options->threads;
    status = cs_grid_run(experiment->problem, cell, count, &own, results->value, err);
    if (!status)
        results_spread(results, keep, count);
    results->seconds = cs_clock_now() - start;
    cs_arena_destroy(arena);
    return status;
}

int cs_results_done(const struct cs_results *results, int combination)
{
    const struct cs_combination all = {0, results->experiment->count, NULL};
    const struct cs_combination *of =
        combination < 0 ? &all : &results->experiment->combination[combination];
    int done = 0;

    for (int c = of->first; c < of->first + of->count; c++)
        done += results->done[c];
    return done;
}

/* --- panels --- */

struct draft {
    const struct cs_results *results;
    struct cs_arena *arena;
    int panels;
    struct cs_panel *panel;
    int *first; /* a combination of each */
};

/* On an axis that there may not be. */
static int value_on(const struct cs_experiment *experiment, int combination, int axis)
{
    return axis < 0 ? 0 : experiment->combination[combination].at[axis];
}

static int count_on(const struct cs_experiment *experiment, int axis)
{
    return axis < 0 ? 1 : experiment->axis[axis].count;
}

int cs_results_series(const struct cs_results *results)
{
    return count_on(results->experiment, results->experiment->series);
}

static bool is_same_panel(const struct cs_experiment *experiment, int c, int d)
{
    for (int a = 0; a < experiment->axes; a++)
        if (a != experiment->series && a != experiment->x &&
            value_on(experiment, c, a) != value_on(experiment, d, a))
            return false;
    return true;
}

/* "mean_failure_probability = 0.3" */
static const char *make_title(struct draft *draft, int c)
{
    const struct cs_experiment *experiment = draft->results->experiment;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *title;

    for (int a = 0; a < experiment->axes; a++) {
        int v = value_on(experiment, c, a);

        if (a == experiment->series || a == experiment->x || v < 0)
            continue;
        if (!experiment->axis[a].plain)
            cs_strbuf_printf(&text, "%s%s = ", text.length ? ", " : "", experiment->axis[a].title);
        cs_strbuf_puts(&text, experiment->axis[a].value[v].label);
    }
    title = text.length ? cs_arena_strdup(draft->arena, text.text) : experiment->title;
    cs_strbuf_release(&text);
    return title;
}

static struct cs_panel *find_panel(struct draft *draft, int c)
{
    const struct cs_experiment *experiment = draft->results->experiment;
    struct cs_panel *panel;

    for (int p = draft->panels - 1; p >= 0; p--)
        if (is_same_panel(experiment, draft->first[p], c))
            return &draft->panel[p];
    draft->first[draft->panels] = c;
    panel = &draft->panel[draft->panels++];
    *panel = (struct cs_panel){
        .title = make_title(draft, c),
        .value = value_on(experiment, c, experiment->panel),
        .x = CS_NEW_ARRAY(draft->arena, int, count_on(experiment, experiment->x)),
    };
    return panel;
}

/* The index of a value on the axis of a panel; the count of them when it is new. */
static int find_x(const struct cs_panel *panel, int x)
{
    int i = 0;

    while (i < panel->count && panel->x[i] != x)
        i++;
    return i;
}

static void results_place(struct draft *draft, struct cs_panel *panel, int series, int x, int c)
{
    const int all = cs_results_series(draft->results) * panel->count;

    if (!panel->combination) {
        panel->combination = CS_NEW_ARRAY(draft->arena, int, all);
        for (int i = 0; i < all; i++)
            panel->combination[i] = -1;
    }
    panel->combination[series * panel->count + find_x(panel, x)] = c;
}

/* First the values on their axes, then what is there. */
static void results_walk(struct draft *draft, bool second)
{
    const struct cs_experiment *experiment = draft->results->experiment;

    for (int c = 0; c < experiment->combinations; c++) {
        int series = value_on(experiment, c, experiment->series);
        int x = value_on(experiment, c, experiment->x);
        struct cs_panel *panel = series < 0 || x < 0 ? NULL : find_panel(draft, c);

        if (panel && second)
            results_place(draft, panel, series, x, c);
        else if (panel && find_x(panel, x) == panel->count)
            panel->x[panel->count++] = x;
    }
}

const struct cs_panel *cs_results_panels(const struct cs_results *results, struct cs_arena *arena,
                                         int *count)
{
    const int most = results->experiment->combinations;
    struct draft draft = {.results = results,
                          .arena = arena,
                          .panel = CS_NEW_ARRAY(arena, struct cs_panel, most),
                          .first = CS_NEW_ARRAY(arena, int, most)};

    results_walk(&draft, false);
    results_walk(&draft, true);
    *count = draft.panels;
    return draft.panel;
}
