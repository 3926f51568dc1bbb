/* page.c - the page of a replay: numbers as JSON, which html/replay.js shows, and pictures. */
#include "cli/replay/page.h"

#include "report/page.h"

#include <math.h>
#include <string.h>

static int first_row(const struct cs_rigid_log_rows *rows)
{
    return cs_replay_has_recorded(cs_log_counts(rows->log), rows) ? 0 : 1;
}

static void put_number(struct cs_jsonw *w, double value)
{
    if (isfinite(value))
        cs_jsonw_double(w, value);
    else
        cs_jsonw_null(w);
}

static void put_row(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                    int r, struct cs_jsonw *w)
{
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_replay_put_row(request, r, &name);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", name.text);
    for (const struct cs_replay_measure *m = cs_replay_measures; m->key; m++) {
        cs_jsonw_key(w, m->key);
        put_number(w, m->of(&rows->row[r]));
    }
    cs_jsonw_close(w);
    cs_strbuf_release(&name);
}

static void put_rows(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                     struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_key(&w, "rows");
    cs_jsonw_open(&w, '[');
    for (int r = first_row(rows); r < rows->count; r++)
        put_row(request, rows, r, &w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "warnings");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < request->warnings; i++)
        cs_jsonw_string(&w, request->warning[i]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- classes and users ---- */

static struct cs_rigid_cell *find_cell(struct cs_rigid_log_row *row, enum cs_rigid_by by,
                                       int64_t key)
{
    int low = 0, high;
    struct cs_rigid_cell *cell = cs_rigid_classes_cells(row->classes, by, &high);
    const int count = high;

    while (low < high) {
        const int middle = (low + high) / 2;

        if (cell[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && cell[low].key == key ? &cell[low] : NULL;
}

static void put_mean(struct cs_rigid_cell *cell, struct cs_jsonw *w)
{
    put_number(w, cell ? cs_neumaier(&cell->wait) / (double)cell->jobs : NAN);
}

/* Cells of the reference row (what was recorded, else the first policy), the mean wait in each
 * row. */
static void put_cells(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      enum cs_rigid_by by, struct cs_jsonw *w)
{
    int count;
    struct cs_rigid_cell *cell =
        cs_rigid_classes_cells(rows->row[first_row(rows)].classes, by, &count);

    (void)request;
    cs_jsonw_open(w, '[');
    for (int i = 0; i < count; i++) {
        struct cs_strbuf name = CS_STRBUF_INIT;

        cs_rigid_class_put(by, cell[i].key, cs_replay_names(rows->log, by), &name);
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", name.text);
        cs_jsonw_put_int(w, "key", cell[i].key);
        cs_jsonw_put_int(w, "jobs", cell[i].jobs);
        cs_jsonw_put_double(w, "hours", cell[i].area / 3600);
        cs_jsonw_key(w, "wait");
        cs_jsonw_open_flat(w, '[');
        for (int r = first_row(rows); r < rows->count; r++)
            put_mean(find_cell(&rows->row[r], by, cell[i].key), w);
        cs_jsonw_close(w);
        cs_jsonw_close(w);
        cs_strbuf_release(&name);
    }
    cs_jsonw_close(w);
}

static void put_names(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      struct cs_jsonw *w)
{
    cs_jsonw_key(w, "names");
    cs_jsonw_open_flat(w, '[');
    for (int r = first_row(rows); r < rows->count; r++) {
        struct cs_strbuf name = CS_STRBUF_INIT;

        cs_replay_put_row(request, r, &name);
        cs_jsonw_string(w, name.text);
        cs_strbuf_release(&name);
    }
    cs_jsonw_close(w);
}

static void put_classes(const struct cs_replay_request *request,
                        const struct cs_rigid_log_rows *rows, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    put_names(request, rows, &w);
    cs_jsonw_put_int(&w, "times", CS_RIGID_TIMES);
    cs_jsonw_key(&w, "cells");
    put_cells(request, rows, CS_RIGID_BY_CLASS, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* At most so many users, those with the most processor time. */
#define USERS 1000

static void put_users(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    int count;

    cs_rigid_classes_cells(rows->row[first_row(rows)].classes, CS_RIGID_BY_USER, &count);
    cs_jsonw_open(&w, '{');
    put_names(request, rows, &w);
    cs_jsonw_key(&w, "cells");
    if (count <= USERS)
        put_cells(request, rows, CS_RIGID_BY_USER, &w);
    else
        put_cells(request, rows, CS_RIGID_BY_ACCOUNT, &w);
    cs_jsonw_put_string(&w, "of", count <= USERS ? "user" : "account");
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- what was read ---- */

static void put_input(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                      struct cs_strbuf *out)
{
    const struct cs_log_counts *c = cs_log_counts(rows->log);
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "kind", cs_log_kind_name(request->kind));
    cs_jsonw_put_int(&w, "files", request->files);
    cs_jsonw_put_int(&w, "lines", c->lines);
    cs_jsonw_put_int(&w, "jobs", c->kept);
    cs_jsonw_put_int(&w, "procs", request->study.log.site->procs);
    cs_jsonw_key(&w, "rules");
    cs_jsonw_open(&w, '[');
    for (int rule = 0; rule < CS_LOG_RULES; rule++) {
        if (!c->rule[rule])
            continue;
        cs_jsonw_open_flat(&w, '{');
        cs_jsonw_put_string(&w, "rule", cs_log_rule_name((enum cs_log_rule)rule));
        cs_jsonw_put_int(&w, "count", c->rule[rule]);
        cs_jsonw_put_bool(&w, "kept", rule >= CS_LOG_KEPT);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "notes");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < c->notes; i++)
        cs_jsonw_string(&w, c->note[i]);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* ---- the page ---- */

typedef void put_f(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                   struct cs_strbuf *out);

static void add(struct cs_page *page, const char *kind, const char *heading, put_f *put,
                const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows)
{
    struct cs_strbuf json = CS_STRBUF_INIT;

    put(request, rows, &json);
    cs_page_add_section(
        page, &(struct cs_page_section){.kind = kind, .heading = heading, .json = json.text});
    cs_strbuf_release(&json);
}

/* The same picture for light and dark pages. */
static void add_picture(struct cs_page *page, const char *heading, enum cs_replay_picture which,
                        const struct cs_replay_request *request,
                        const struct cs_rigid_log_rows *rows)
{
    struct cs_strbuf light = CS_STRBUF_INIT, dark = CS_STRBUF_INIT, json = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&json);
    struct cs_error err = {{0}};

    cs_replay_picture(request, rows, which, CS_STYLE_COLOR, &light, &err);
    cs_replay_picture(request, rows, which, CS_STYLE_DARK, &dark, &err);
    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "light", light.text);
    cs_jsonw_put_string(&w, "dark", dark.text);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_page_add_section(page, &(struct cs_page_section){.kind = "replaypicture",
                                                        .heading = heading,
                                                        .json = json.text,
                                                        .still = light.text});
    cs_strbuf_release(&light);
    cs_strbuf_release(&dark);
    cs_strbuf_release(&json);
}

void cs_replay_page(const struct cs_replay_request *request, const struct cs_rigid_log_rows *rows,
                    const struct cs_arguments *args, struct cs_strbuf *html)
{
    struct cs_strbuf title = CS_STRBUF_INIT, command = CS_STRBUF_INIT;
    struct cs_page *page;

    cs_replay_put_title(request, &title);
    cs_arguments_put_line(args, "replay", &command);
    page = cs_page_create(&(struct cs_page_head){.title = title.text, .command = command.text});
    add(page, "replayrows", "Policies", put_rows, request, rows);
    add_picture(page, "Over time", CS_REPLAY_OVER_TIME, request, rows);
    add_picture(page, "How many jobs waited how long", CS_REPLAY_SHARES, request, rows);
    add(page, "replayclasses", "By width and run time", put_classes, request, rows);
    add(page, "replayusers", "Who gains, who loses", put_users, request, rows);
    add(page, "replayinput", "What was read", put_input, request, rows);
    cs_page_put(page, html);
    cs_page_destroy(page);
    cs_strbuf_release(&title);
    cs_strbuf_release(&command);
}
