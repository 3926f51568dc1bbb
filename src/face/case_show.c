/* case_show.c - what a case came to, as texts and pictures. */
#include "base/guard.h"
#include "base/watch.h"
#include "face/case.h"
#include "face/document.h"
#include "face/picture.h"
#include "face/view.h"
#include "study/schedule_text.h"

/* ---- all runs ---- */

char *cs_case_text(const struct cs_case *c, const char *form, int columns, size_t *length,
                   struct cs_error *err)
{
    CS_GUARD(err, NULL);
    static const char forms[] = "table|json|csv|runs"; /* as enum cs_show_format, and one more */
    const int which = form ? cs_choice_index(forms, form) : CS_SHOW_TABLE;
    const struct cs_show how = {(enum cs_show_format)which, columns};
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_case_check_place(c, 0, 0, err))
        return NULL;
    if (which < 0 || columns < 0) {
        columns < 0 ? cs_error_set(err, "a text cannot have %d columns", columns)
                    : cs_choice_error("the form of a text", form, forms, err);
        return NULL;
    }
    if (which <= CS_SHOW_CSV)
        cs_show_study(c->study, c->plans, &how, &text);
    else if (c->runs)
        cs_show_rows(c->study, &text);
    return cs_document_take(&text, 0, length);
}

/* ---- one run ---- */

/* The run of a way, run once more; a stop leaves none. */
static struct cs_kept *record(const struct cs_case *c, int way, long run,
                              const struct cs_watch *watch, struct cs_error *err)
{
    const struct cs_watch *before = cs_watch_enter(watch);
    struct cs_kept *kept =
        cs_watch_calls() ? NULL : c->study->problem->record(c->study, way, run, err);
    const int status = cs_watch_settle(kept ? 0 : -1, err);

    cs_watch_enter(before);
    if (status && kept) {
        c->study->problem->forget(kept);
        kept = NULL;
    }
    return kept;
}

/* The run, kept until give_back; NULL with err. */
static struct cs_kept *keep_run(const struct cs_case *c, int way, long run,
                                const struct cs_watch *watch, struct cs_error *err)
{
    if (cs_case_check_place(c, way, run, err) || cs_watch_check(watch, err))
        return NULL;
    if (c->last->record && c->last->way == way && c->last->run == run)
        return c->last->record;
    return record(c, way, run, watch, err);
}

/* It is the last one from now on, as its text is made: until then it is given back when memory runs
 * out (base/guard.h).  Returns the text. */
static char *give_back(const struct cs_case *c, int way, long run, struct cs_kept *record,
                       char *text)
{
    if (c->last->record == record)
        return text;
    if (c->last->record)
        c->study->problem->forget(c->last->record);
    *c->last = (struct cs_case_last){record, way, run};
    return text;
}

char *cs_case_schedule(const struct cs_case *c, int way, long run, const struct cs_watch *watch,
                       size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_kept *record = keep_run(c, way, run, watch, err);

    if (!record)
        return NULL;
    cs_study_put_file(c->study, way, record, &text);
    return give_back(c, way, run, record, cs_document_take(&text, 0, length));
}

char *cs_case_svg(const struct cs_case *c, int way, long run, const struct cs_picture_options *how,
                  const struct cs_watch *watch, size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    const struct cs_picture_options usual = {.size = sizeof usual};
    const struct cs_picture_options *given = how ? how : &usual;
    struct cs_view_run drawn = {
        .way = way, .run = run, .subtitle = given->subtitle, .processor = given->processor};
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_kept *record;
    int status;

    if (cs_picture_understand(given, &drawn.look, err))
        return NULL;
    record = keep_run(c, way, run, watch, err);
    if (!record)
        return NULL;
    drawn.record = record;
    status = cs_view_of(c->study->problem)->draw(c->study, &drawn, &svg, err);
    return give_back(c, way, run, record, cs_document_take(&svg, status, length));
}

char *cs_case_jobs(const struct cs_case *c, int way, long run, const struct cs_watch *watch,
                   size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_kept *record = keep_run(c, way, run, watch, err);
    int status = -1;

    if (!record)
        return NULL;
    if (c->study->problem->table)
        status = c->study->problem->table(c->study, record, &text, err);
    else
        cs_error_set(err, "the problem %s has no table of jobs", c->study->problem->name);
    return give_back(c, way, run, record, cs_document_take(&text, status, length));
}
