/* report.c - schedules, replays, stores and timings as one interactive HTML file. */
#include "api/document.h"
#include "api/timings_chart.h"
#include "base/error.h"
#include "base/guard.h"
#include "campaign/page_store.h"
#include "io/schedule_json.h"
#include "model/energy.h"
#include "report/human.h"
#include "report/page_schedule.h"
#include "report/replay_page.h"

#include <errno.h>
#include <string.h>

struct report {
    const struct cs_report_options *how;
    const struct cs_chart_source *source;
    int sources;
    const char *name; /* of the one that is added */
    struct cs_page *page;
};

static const char *report_name_of(const struct cs_chart_source *source)
{
    const char *slash = strrchr(source->name, '/');

    if (!source->bytes && !strcmp(source->name, "-"))
        return "standard input";
    return slash && slash[1] ? slash + 1 : source->name;
}

/* Replace the declared energy of the file. */
static int report_energy(const struct cs_report_options *how, struct cs_schedule_file *file,
                         struct cs_energy_declared *out, struct cs_error *err)
{
    if (!how->watts)
        return 0;
    out->options =
        (struct cs_energy_options){.per_node = how->procs_per_node, .until = how->energy_until};
    file->energy = out;
    return cs_watts_read(how->watts, &out->options.watts, err) ||
                   cs_energy_of(file->schedule, &out->options, &out->energy, err)
               ? -1
               : 0;
}

static int add_schedule(struct cs_schedule_document *document, void *who, struct cs_error *err)
{
    const struct report *r = who;
    struct cs_schedule_file *file;
    struct cs_energy_declared energy;
    struct cs_error why = {0};
    int status;

    document->counts = true;
    file = cs_schedule_document_read(document, err);
    if (!file)
        return -1;
    status = report_energy(r->how, file, &energy, &why);
    if (!status)
        status = cs_page_add_schedule(r->page, file, r->name, &why);
    if (status)
        cs_error_set_at(err, why.kind, file->source, 0, "%s", why.text);
    cs_schedule_file_destroy(file);
    return status;
}

/* The subtitle of a page is the command of its only source, unless that command made the page. */
static void report_command(const struct report *r, const struct cs_replay_view *view)
{
    if (r->sources == 1 && !(r->how->command && !strcmp(r->how->command, view->command)))
        cs_page_set_subtitle(r->page, view->command);
}

static int add_replay(const struct cs_json_at *top, void *who, struct cs_error *err)
{
    const struct report *r = who;
    struct cs_arena *arena;
    struct cs_replay_view view;
    int status;

    if (r->how->watts)
        return cs_error_set(err, "--watts: %s is not a schedule: give --watts to cosched replay",
                            r->name);
    arena = cs_arena_create();
    status = cs_replay_view_read(top, arena, &view, err);
    if (!status) {
        report_command(r, &view);
        status = cs_replay_page_add(r->page, &view, r->sources == 1 ? NULL : r->name, err);
    }
    cs_replay_view_release(&view);
    cs_arena_destroy(arena);
    return status;
}

/* A schedule or a replay, else timings. */
static int add_other(struct report *r, const struct cs_chart_source *source, struct cs_error *err)
{
    static const struct cs_document_faces faces = {add_schedule, add_replay};
    struct cs_error why = {0}, of_timings = {0};
    struct cs_workload *workload;
    int status;

    if (!cs_document_read(source, &faces, r, &why))
        return 0;
    workload = cs_timings_chart_read(source, &of_timings);
    if (workload)
        status = cs_timings_chart_page(workload, r->sources == 1 ? NULL : r->name, r->page, err);
    else
        status = cs_error_pass(err, *of_timings.text ? &of_timings : &why);
    cs_workload_destroy(workload);
    return status;
}

static int add_all(struct report *r, struct cs_error *err)
{
    int status = 0;

    for (int i = 0; i < r->sources && !status; i++) {
        r->name = report_name_of(&r->source[i]);
        if (cs_document_is_store(&r->source[i]) && r->how->watts)
            status = cs_error_set(err, "--watts: %s is not a schedule", r->name);
        else if (cs_document_is_store(&r->source[i]))
            status = cs_page_add_store(r->page, r->source[i].name, r->how->papers, err);
        else
            status = add_other(r, &r->source[i], err);
    }
    return status;
}

static void put_title(const struct report *r, struct cs_strbuf *out)
{
    if (r->how->title)
        cs_strbuf_puts(out, r->how->title);
    else if (r->sources == 1)
        cs_strbuf_puts(out, report_name_of(r->source));
    else
        cs_human_units(out, r->sources, "result");
}

/* Append the page, or write it to a file; -1 with err, or with errno of the file. */
static int report_make(struct report *r, int fd, struct cs_strbuf *html, struct cs_error *err)
{
    struct cs_strbuf title = CS_STRBUF_INIT;
    int status;

    put_title(r, &title);
    r->page =
        cs_page_create(&(struct cs_page_head){.title = title.text, .command = r->how->command});
    if (fd >= 0)
        cs_page_stream(r->page, fd);
    status = add_all(r, err);
    if (!status) {
        errno = cs_page_put(r->page, html);
        status = errno ? -1 : 0;
    }
    cs_page_destroy(r->page);
    cs_strbuf_release(&title);
    return status;
}

static bool are_sources(const struct cs_chart_source *source, int count)
{
    for (int i = 0; source && i < count; i++)
        if (!source[i].name)
            return false;
    return source && count > 0;
}

char *cs_report_html(const struct cs_chart_source *sources, int count,
                     const struct cs_report_options *how, size_t *length, struct cs_error *err)
{
    static const struct cs_report_options usual = {.size = sizeof usual};
    CS_ASK(are_sources(sources, count), err, NULL);
    CS_GUARD(err, NULL);
    struct report r = {.how = how ? how : &usual, .source = sources, .sources = count};
    struct cs_strbuf html = CS_STRBUF_INIT;

    if (cs_ask_size("the options of a report", r.how->size, sizeof *how, err))
        return NULL;
    return cs_document_take(&html, report_make(&r, -1, &html, err), length);
}

struct report_file {
    struct report report;
    struct cs_error why;
};

static int report_fill(void *who, int fd)
{
    struct report_file *file = who;

    return report_make(&file->report, fd, NULL, &file->why);
}

int cs_report_write(const struct cs_chart_source *sources, int count,
                    const struct cs_report_options *how, const char *path, struct cs_error *err)
{
    static const struct cs_report_options usual = {.size = sizeof usual};
    CS_ASK(are_sources(sources, count) && path, err, -1);
    CS_GUARD(err, -1);
    struct report_file file = {
        .report = {.how = how ? how : &usual, .source = sources, .sources = count}};

    if (cs_ask_size("the options of a report", file.report.how->size, sizeof *how, err))
        return -1;
    return cs_document_fill(path, report_fill, &file, &file.why, err);
}
