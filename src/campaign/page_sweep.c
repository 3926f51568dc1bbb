/* page_sweep.c - the axes of a sweep are those of the page. */
#include "campaign/page_sweep.h"

#include "campaign/page_document.h"

#include <math.h>

struct page {
    const struct cs_experiment *sweep;
    const struct cs_summary *summary;
    struct cs_page_axis *axis;
    struct cs_page_metric *metric;
    struct cs_arena *arena;
};

/* "policy=easy", as a shell takes it. */
static const char *where(struct page *page, const char *name, const char *label)
{
    struct cs_strbuf plain = CS_STRBUF_INIT, quoted = CS_STRBUF_INIT;
    const char *made;

    cs_strbuf_printf(&plain, "%s=%s", name, label);
    cs_strbuf_put_shell(&quoted, plain.text);
    made = cs_arena_strdup(page->arena, quoted.text);
    cs_strbuf_release(&plain);
    cs_strbuf_release(&quoted);
    return made;
}

static struct cs_page_axis make_axis(struct page *page, const struct cs_experiment_axis *axis)
{
    struct cs_page_value *value = CS_NEW_ARRAY(page->arena, struct cs_page_value, axis->count);

    for (int v = 0; v < axis->count; v++)
        value[v] = (struct cs_page_value){.label = axis->value[v].label,
                                          .number = axis->numbers ? axis->value[v].number : NAN,
                                          .where = where(page, axis->name, axis->value[v].label)};
    return (struct cs_page_axis){
        .name = axis->name, .title = axis->name, .count = axis->count, .value = value};
}

/* A sweep in which nothing varies has one value on one axis: itself. */
static struct cs_page_axis no_axis(struct page *page)
{
    struct cs_page_value *value = CS_NEW(page->arena, struct cs_page_value);

    *value = (struct cs_page_value){.label = "all", .number = NAN};
    return (struct cs_page_axis){
        .name = "combination", .title = "combination", .plain = true, .count = 1, .value = value};
}

static void make_axes(struct page *page)
{
    const struct cs_experiment *sweep = page->sweep;

    page->axis = CS_NEW_ARRAY(page->arena, struct cs_page_axis, sweep->axes + 1);
    for (int a = 0; a < sweep->axes; a++)
        page->axis[a] = make_axis(page, &sweep->axis[a]);
    if (!sweep->axes)
        page->axis[0] = no_axis(page);
}

static void make_metrics(struct page *page)
{
    const struct cs_experiment *sweep = page->sweep;

    page->metric = CS_NEW_ARRAY(page->arena, struct cs_page_metric, sweep->metrics);
    for (int m = 0; m < sweep->metrics; m++) {
        const struct cs_metric *metric = &sweep->runner->metrics[sweep->metric[m]];

        page->metric[m] = (struct cs_page_metric){.name = metric->name,
                                                  .title = metric->name,
                                                  .summary = metric->summary,
                                                  .low = NAN,
                                                  .high = NAN};
    }
}

static struct cs_summary_number number_of(const struct cs_page_document *document, int group, int m,
                                          int over)
{
    const struct page *page = document->who;
    int metric = page->sweep->metric[m];

    return over < 0 ? *cs_summary_at(page->summary, group, metric)
                    : cs_summary_paired(page->summary, group, over, metric);
}

static const int *places(struct page *page)
{
    return page->sweep->axes ? page->sweep->place
                             : CS_NEW_ARRAY(page->arena, int, page->summary->groups + 1);
}

void cs_page_sweep_put(const struct cs_experiment *sweep, const struct cs_summary *summary,
                       const char *command, struct cs_strbuf *out)
{
    struct page page = {.sweep = sweep, .summary = summary, .arena = cs_arena_create()};
    struct cs_jsonw w = cs_jsonw_begin(out);
    struct cs_page_document document = {.title = sweep->title,
                                        .problem = sweep->runner->name,
                                        .command = command,
                                        .seed = sweep->seed,
                                        .set = json_object_get(sweep->document, "set"),
                                        .axes = sweep->axes ? sweep->axes : 1,
                                        .metrics = sweep->metrics,
                                        .x = sweep->x < 0 ? 0 : sweep->x,
                                        .series = sweep->series,
                                        .panel = sweep->panel,
                                        .summary = summary,
                                        .number = number_of,
                                        .who = &page};

    make_axes(&page);
    make_metrics(&page);
    document.axis = page.axis;
    document.metric = page.metric;
    document.at = places(&page);
    cs_jsonw_open(&w, '{');
    cs_page_document_put(&document, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_arena_destroy(page.arena);
}
