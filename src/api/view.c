/* view.c - the views of all problems, and their common functions. */
#include "api/view.h"

#include "report/human.h"

#include <math.h>
#include <string.h>

#define CS_PROBLEM(id) extern const struct cs_view cs_view_##id;
#include "problem/problems.def"
#undef CS_PROBLEM

const struct cs_view *cs_view_of(const struct cs_problem *problem)
{
    static const struct cs_view *const views[] = {
#define CS_PROBLEM(id) &cs_view_##id,
#include "problem/problems.def"
#undef CS_PROBLEM
    };
    int v = 0;

    while (views[v]->problem != problem)
        v++;
    return views[v];
}

void cs_view_put_table(const struct cs_table *table, const struct cs_show *how,
                       struct cs_strbuf *out)
{
    if (how->columns)
        cs_table_fit(table, how->columns, out);
    else
        cs_table_write(table, CS_TABLE_TEXT, 0, out);
}

void cs_view_put_name(struct cs_strbuf *out, int columns, const char *name)
{
    cs_strbuf_printf(out, "%-*s ", columns - 1, name);
}

void cs_view_put_known(struct cs_strbuf *out, int columns, const struct cs_study *study,
                       double value)
{
    const double gap = cs_study_known_gap(study, value);

    if (isnan(gap))
        return;
    cs_view_put_name(out, columns, "above the optimum");
    cs_human_percent(out, gap, 2);
    cs_strbuf_putc(out, '\n');
}

void cs_view_put_seconds(struct cs_strbuf *out, int columns, const char *name, double seconds)
{
    cs_view_put_name(out, columns, name);
    cs_human_digits(out, seconds, 7);
    cs_strbuf_puts(out, " s");
    if (seconds >= 60) {
        cs_strbuf_puts(out, " (");
        cs_human_duration(out, seconds);
        cs_strbuf_putc(out, ')');
    }
    cs_strbuf_putc(out, '\n');
}

const char *cs_view_input(const struct cs_study *study)
{
    return study->options->input ? study->options->input : "generated";
}

const char *cs_view_title(const struct cs_study *study, const struct cs_view_run *run)
{
    const char *input = study->options->input ? study->options->input : study->problem->name;
    const char *slash = strrchr(input, '/');

    return run->appearance.title ? run->appearance.title : slash ? slash + 1 : input;
}

struct cs_gantt_options cs_view_gantt(const struct cs_study *study, const struct cs_view_run *run,
                                      const char *subtitle)
{
    return (struct cs_gantt_options){
        .width = run->appearance.width,
        .height = run->appearance.height,
        .title = cs_view_title(study, run),
        .subtitle = run->subtitle ? run->subtitle : subtitle,
        .processor = run->processor,
        .least_type = run->appearance.least_type,
        .style = run->appearance.style,
        .color_by = run->appearance.color_by,
        .strips = run->appearance.strips,
    };
}
