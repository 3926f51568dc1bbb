/* replay_page.c - the page of a replay: numbers as JSON, which html/replay.js shows, and pictures.
 */
#include "report/replay_page.h"

#include "base/jsonw.h"

#include <math.h>

static void replay_page_put_number(struct cs_jsonw *w, double value)
{
    if (isfinite(value))
        cs_jsonw_double(w, value);
    else
        cs_jsonw_null(w);
}

static void replay_page_put_row(const struct cs_replay_row *row, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", row->name);
    for (int m = 0; cs_queue_is_replay_value(&cs_problem_queue.value[m]); m++) {
        cs_jsonw_key(w, cs_problem_queue.value[m].name);
        replay_page_put_number(w, row->measure[m]);
    }
    if (row->energy)
        cs_energy_put(&row->energy->energy, &row->energy->options, w);
    cs_jsonw_close(w);
}

static void put_rows(const struct cs_replay_view *view, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_key(&w, "rows");
    cs_jsonw_open(&w, '[');
    for (int r = 0; r < view->rows; r++)
        replay_page_put_row(&view->row[r], &w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "warnings");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < view->warnings; i++)
        cs_jsonw_string(&w, view->warning[i]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- classes and users ---- */

typedef const struct cs_replay_cells *cells_f(const struct cs_replay_row *row);

static const struct cs_replay_cells *replay_page_classes(const struct cs_replay_row *row)
{
    return &row->classes;
}

static const struct cs_replay_cells *replay_page_users(const struct cs_replay_row *row)
{
    return &row->users;
}

static const struct cs_replay_cells *replay_page_accounts(const struct cs_replay_row *row)
{
    return &row->accounts;
}

static double mean_of(const struct cs_replay_cells *cells, int64_t key)
{
    int low = 0, high = cells->count;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (cells->cell[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < cells->count && cells->cell[low].key == key ? cells->cell[low].mean_wait : NAN;
}

/* Cells of the reference row (what was recorded, else the first policy), the mean wait in each
 * row. */
static void put_cells(const struct cs_replay_view *view, cells_f *cells, struct cs_jsonw *w)
{
    const struct cs_replay_cells *first = cells(&view->row[0]);

    cs_jsonw_key(w, "cells");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < first->count; i++) {
        const struct cs_replay_cell *cell = &first->cell[i];

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", cell->name);
        cs_jsonw_put_int(w, "key", cell->key);
        cs_jsonw_put_int(w, "jobs", cell->jobs);
        cs_jsonw_key(w, "hours");
        replay_page_put_number(w, cell->hours);
        cs_jsonw_key(w, "wait");
        cs_jsonw_open_flat(w, '[');
        for (int r = 0; r < view->rows; r++)
            replay_page_put_number(w, mean_of(cells(&view->row[r]), cell->key));
        cs_jsonw_close(w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void replay_page_put_names(const struct cs_replay_view *view, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "names");
    cs_jsonw_open_flat(w, '[');
    for (int r = 0; r < view->rows; r++)
        cs_jsonw_string(w, view->row[r].name);
    cs_jsonw_close(w);
}

static void put_classes(const struct cs_replay_view *view, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    replay_page_put_names(view, &w);
    cs_jsonw_put_int(&w, "times", CS_QUEUE_TIMES);
    put_cells(view, replay_page_classes, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* More users than that, and it is the accounts that are shown. */
#define USERS 1000

static void put_users(const struct cs_replay_view *view, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    const bool all = view->row[0].users.count <= USERS;

    cs_jsonw_open(&w, '{');
    replay_page_put_names(view, &w);
    put_cells(view, all ? replay_page_users : replay_page_accounts, &w);
    cs_jsonw_put_string(&w, "of", all ? "user" : "account");
    cs_jsonw_put_string(&w, "unit", view->unit);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- what was read ---- */

static void put_rules(const struct cs_replay_view *view, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "rules");
    cs_jsonw_open(w, '[');
    for (int rule = 0; rule < CS_LOG_RULES; rule++) {
        if (!view->rule[rule])
            continue;
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "rule", cs_log_rule_words((enum cs_log_rule)rule, view->rule[rule]));
        cs_jsonw_put_int(w, "count", view->rule[rule]);
        cs_jsonw_put_bool(w, "kept", rule >= CS_LOG_KEPT);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_input(const struct cs_replay_view *view, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "kind", view->kind);
    cs_jsonw_put_int(&w, "files", view->files);
    if (view->drawn)
        cs_jsonw_put_string(&w, "drawn", view->drawn);
    cs_jsonw_put_int(&w, "lines", view->lines);
    cs_jsonw_put_int(&w, "jobs", view->jobs);
    cs_jsonw_put_int(&w, "procs", view->procs);
    cs_jsonw_put_string(&w, "unit", view->unit);
    put_rules(view, &w);
    cs_jsonw_key(&w, "notes");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < view->notes; i++)
        cs_jsonw_string(&w, view->note[i]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- the page ---- */

struct adding {
    struct cs_page *page;
    const struct cs_replay_view *view;
    const char *name; /* or NULL */
};

static void add_section(const struct adding *a, const char *kind, const char *heading,
                        const struct cs_strbuf *json, const char *still)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    if (a->name)
        cs_strbuf_printf(&words, "%s: ", a->name);
    cs_strbuf_puts(&words, heading);
    cs_page_add_section(
        a->page, &(struct cs_page_section){
                     .kind = kind, .heading = words.text, .json = json->text, .still = still});
    cs_strbuf_release(&words);
}

static void replay_page_add(const struct adding *a, const char *kind, const char *heading,
                            void (*put)(const struct cs_replay_view *view, struct cs_strbuf *out))
{
    struct cs_strbuf json = CS_STRBUF_INIT;

    put(a->view, &json);
    add_section(a, kind, heading, &json, NULL);
    cs_strbuf_release(&json);
}

/* The same picture for light and dark pages. */
static int add_picture(const struct adding *a, const char *heading, enum cs_replay_chart which,
                       struct cs_error *err)
{
    struct cs_strbuf light = CS_STRBUF_INIT, dark = CS_STRBUF_INIT, json = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&json);
    const struct cs_chart_style by_day = {.style = CS_STYLE_COLOR};
    const struct cs_chart_style by_night = {.style = CS_STYLE_DARK};
    int status = cs_replay_chart(a->view, which, &by_day, &light, err) ||
                 cs_replay_chart(a->view, which, &by_night, &dark, err);

    if (!status) {
        cs_jsonw_open(&w, '{');
        cs_jsonw_put_string(&w, "light", light.text);
        cs_jsonw_put_string(&w, "dark", dark.text);
        cs_jsonw_close(&w);
        cs_jsonw_end(&w);
        add_section(a, "replaypicture", heading, &json, light.text);
    }
    cs_strbuf_release(&light);
    cs_strbuf_release(&dark);
    cs_strbuf_release(&json);
    return status ? -1 : 0;
}

int cs_replay_page_add(struct cs_page *page, const struct cs_replay_view *view, const char *name,
                       struct cs_error *err)
{
    const struct adding a = {page, view, name};

    replay_page_add(&a, "replayrows", "Policies", put_rows);
    if (add_picture(&a, "Over time", CS_REPLAY_OVER_TIME, err) ||
        add_picture(&a, "How many jobs waited how long", CS_REPLAY_SHARES, err))
        return -1;
    replay_page_add(&a, "replayclasses", "By width and run time", put_classes);
    replay_page_add(&a, "replayusers", "Gains and losses of users", put_users);
    replay_page_add(&a, "replayinput", "Input", put_input);
    return 0;
}
