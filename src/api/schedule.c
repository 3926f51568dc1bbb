/* schedule.c - the text of a schedule file: its chart and its check. */
#include "api/document.h"
#include "api/finding.h"
#include "base/guard.h"
#include "check/check.h"
#include "io/schedule_json.h"
#include "problem/param.h"
#include "report/schedule_chart.h"

#include <cosched/case.h>

static struct cs_schedule_file *read_text(const char *text, size_t size, struct cs_error *err)
{
    if (text)
        return cs_schedule_file_read_memory("schedule", text, size, err);
    cs_error_set(err, "there is no schedule");
    return NULL;
}

char *cs_schedule_text_svg(const char *text, size_t size, int width, const char *title,
                           size_t *length, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    const struct cs_chart_style appearance = {.width = width, .title = title};
    struct cs_schedule_file *file = read_text(text, size, err);
    struct cs_strbuf svg = CS_STRBUF_INIT;
    int status = file ? cs_schedule_chart(file, &appearance, &svg, err) : -1;

    cs_schedule_file_destroy(file);
    return cs_document_take(&svg, status, length);
}

char *cs_schedule_text_colors(const char *text, size_t size, const char *style,
                              struct cs_error *err)
{
    CS_GUARD(err, NULL);
    const int index = style ? cs_choice_index(CS_STYLES, style) : CS_STYLE_COLOR;
    struct cs_schedule_file *file;
    struct cs_strbuf json = CS_STRBUF_INIT;

    if (index < 0) {
        cs_choice_error("style", style, CS_STYLES, err);
        return NULL;
    }
    file = read_text(text, size, err);
    if (!file)
        return NULL;
    cs_schedule_chart_colors(file, (enum cs_style)index, &json);
    cs_schedule_file_destroy(file);
    return cs_strbuf_take(&json);
}

static void schedule_put_name(const void *who, int task, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, cs_schedule_task_name(who, task));
}

static int schedule_check_inputs(const struct cs_schedule_file *file, const char *const *inputs,
                                 int count, struct cs_check_report *report, struct cs_error *err)
{
    cs_check_file(file, report);
    return count && report->total == 0 ? cs_check_schedule(file, inputs, count, NULL, report, err)
                                       : 0;
}

char *cs_check_text(const char *text, size_t size, const char *const *inputs, int count,
                    struct cs_error *err)
{
    CS_ASK(count == 0 || cs_are_paths(inputs, count), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_schedule_file *file = read_text(text, size, err);
    struct cs_check_report *report;
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    int status;

    if (!file)
        return NULL;
    report = cs_check_report_create(CS_FINDING_SHOWN);
    status = schedule_check_inputs(file, inputs, count, report, err);
    cs_jsonw_open(&w, '{');
    cs_finding_put(&w, report, schedule_put_name, file->schedule);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
    return cs_document_take(&out, status, NULL);
}
