/* plot.c - cosched plot: a schedule, a replay, or a figure of a campaign or paper, as a picture of
 * a given width, for a page. */
#include "base/plain.h"
#include "cli/base/command.h"
#include "cli/base/output.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <math.h>
#include <string.h>

#define UNITS_AN_INCH 96.0
#define LEAST_TYPE (7 / 72.0 * UNITS_AN_INCH) /* 7 pt */

/* "8.5cm" as units of SVG; 0 for NULL. */
static int read_length(const char *as, const char *text, int *units, struct cs_error *err)
{
    static const struct {
        const char *name;
        double inches;
    } unit[] = {{"cm", 1 / 2.54}, {"mm", 1 / 25.4}, {"in", 1}, {"pt", 1 / 72.27}, {"px", 1 / 96.0}};
    char *end;
    double value;

    *units = 0;
    if (!text)
        return 0;
    value = cs_plain_double(text, &end);
    for (size_t i = 0; i < sizeof unit / sizeof *unit && end != text; i++)
        if (!strcmp(end, unit[i].name) && value > 0 && value * unit[i].inches < 1000) {
            *units = (int)lround(value * unit[i].inches * UNITS_AN_INCH);
            return 0;
        }
    return cs_error_set(err,
                        "%s cannot be \"%s\": a length is wanted, such as 8.5cm, 85mm, 3.35in, "
                        "246pt or 640px",
                        as, text);
}

static int read_inspect(const struct cs_arguments *args, struct cs_chart_options *appearance,
                        struct cs_error *err)
{
    *appearance = (struct cs_chart_options){
        .size = sizeof *appearance,
        .style = cs_arguments_text(args, "style"),
        .title = cs_arguments_text(args, "title"),
        .least_type = LEAST_TYPE,
        .metric = cs_arguments_text(args, "metric"),
        .color_by = cs_arguments_text(args, "color-by"),
        .strips = cs_arguments_text(args, "strips"),
    };
    return read_length("--width", cs_arguments_text(args, "width"), &appearance->width, err) ||
                   read_length("--height", cs_arguments_text(args, "height"), &appearance->height,
                               err)
               ? -1
               : 0;
}

static bool wants_rows(const struct cs_arguments *args)
{
    return cs_arguments_choice(args, "format") == 1;
}

static int check_line(const struct cs_arguments *args, struct cs_chart_options *appearance,
                      struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    const char *input = cs_arguments_operand(args, 0);

    if (!output != wants_rows(args) || (wants_rows(args) && args->operands > 1)) {
        cs_error_set(err, wants_rows(args) ? "--format csv prints the rows of all figures; found "
                                             "--output or FIGURE"
                                           : "--output is missing: give it a file name");
        return CS_EXIT_USAGE;
    }
    if (wants_rows(args))
        return read_inspect(args, appearance, err) ? CS_EXIT_USAGE : 0;
    if (read_inspect(args, appearance, err) || cs_chart_check(output, err))
        return CS_EXIT_USAGE;
    return cs_output_apart(output, input, "the input", err) ||
                   cs_output_apart_store(output, input, err) || cs_output_check(output, err)
               ? -1
               : 0;
}

/* A warning if the metric has its name of a former release: today's name in the description of a
 * problem, unless another problem has this name now. */
static void plot_warn_renamed(const char *name)
{
    json_t *known = cs_rows_parse(cs_case_describe(NULL, NULL)), *problem, *metric;
    struct cs_strbuf text = CS_STRBUF_INIT;
    size_t p, m;

    json_array_foreach(json_object_get(known, "problems"), p, problem)
    {
        json_array_foreach(json_object_get(problem, "metrics"), m, metric)
        {
            const char *now = json_string_value(json_object_get(metric, "name"));
            const char *old = json_string_value(json_object_get(metric, "old"));

            if (old && !strcmp(old, name) && !text.length)
                cs_strbuf_printf(&text, "the metric '%s' is now called '%s'", name, now);
        }
    }
    if (text.length)
        cs_output_warn(text.text);
    cs_strbuf_release(&text);
    json_decref(known);
}

static int plot_run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_chart_source source = {.name = cs_arguments_operand(args, 0)};
    const char *figure = wants_rows(args)     ? "csv"
                         : args->operands > 1 ? cs_arguments_operand(args, 1)
                                              : NULL;
    struct cs_chart_options appearance;
    char *svg;
    int status = check_line(args, &appearance, err);

    if (status)
        return status;
    svg = cs_chart_svg(&source, figure, &appearance, NULL, err);
    if (!svg)
        return -1;
    if (appearance.metric)
        plot_warn_renamed(appearance.metric);
    if (wants_rows(args)) {
        struct cs_strbuf rows = CS_STRBUF_INIT;

        cs_strbuf_puts(&rows, svg);
        cs_output_put(&rows);
        cs_strbuf_release(&rows);
        cs_free(svg);
        return 0;
    }
    status =
        cs_chart_write(cs_arguments_text(args, "output"), svg, cs_arguments_real(args, "dpi"), err);
    cs_free(svg);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_PARAM_PATH,
     .summary =
         "a schedule or plan (cosched-schedule-1) of any problem, a replay (what 'cosched replay "
         "--format json' prints), the folder of a run (what ran there), the store of a campaign "
         "or of papers, or measured times (a panel for each application, with the best formula "
         "of 'cosched fit' and its interval of 95 %); - reads a schedule or a replay from standard "
         "input"},
    {.name = "FIGURE",
     .optional = true,
     .kind = CS_PARAM_TEXT,
     .summary =
         "which one of a store: the name of a paper's figure (rigid/fig4a) or of a sweep; it "
         "may be left out where there is one; of a replay: time (utilisation, queue and waits over "
         "calendar time) or shares (distributions of waits and slowdowns), both when left out; of "
         "timings: time, speedup or efficiency; default: time"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .summary = "output file; the extension selects the format"},
    {.name = "format",
     .kind = CS_PARAM_CHOICE,
     .choices = "chart|csv",
     .default_text = "chart",
     .summary = "csv: print the rows of timings (app, procs, seconds, speedup, efficiency, fitted, "
                "low, high) instead"},
    {.name = "width",
     .kind = CS_PARAM_TEXT,
     .argument = "LENGTH",
     .default_text = "12cm",
     .summary = "of the whole picture: 8.5cm, 85mm, 3.35in, 246pt (of TeX) or 640px"},
    {.name = "height",
     .kind = CS_PARAM_TEXT,
     .argument = "LENGTH",
     .summary = "the same; default: what suits the width"},
    {.name = "style",
     .kind = CS_PARAM_CHOICE,
     .choices = "color|dark|grey",
     .default_text = "color",
     .summary =
         "colours that every eye keeps apart, the same on a dark ground, or greys for print"},
    {.name = "color-by",
     .kind = CS_PARAM_CHOICE,
     .choices = "task|user|width|wait|kind|state|problem",
     .default_text = "task",
     .summary = "of a schedule: a colour for each task; for classes of tasks by user, number of "
                "processors, waiting time, by what became of them or by problem; or for kinds of "
                "bars"},
    {.name = "strips",
     .kind = CS_PARAM_CHOICE,
     .choices = "auto|on|off",
     .default_text = "auto",
     .summary = "of a schedule: utilisation and waiting tasks below the bars, on the same time "
                "axis; auto: of more than 15 tasks"},
    {.name = "title",
     .kind = CS_PARAM_TEXT,
     .argument = "TEXT",
     .summary = "title above the chart (default: no title)"},
    {.name = "metric",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .summary = "of a store: only the panels of this metric; default: all that the figure shows"},
    {.name = "dpi",
     .kind = CS_PARAM_REAL,
     .argument = "N",
     .default_text = "300",
     .low = 24,
     .high = 2400,
     .summary = "of a PNG: pixels an inch"},
    {0},
};

static const struct cs_example examples[] = {
    {"A plan for a column of a paper:", "cosched plot plan.json -o plan.pdf --width 8.5cm"},
    {"Which jobs waited, in a schedule of many:",
     "cosched plot easy.json -o easy.svg --width 17cm --color-by wait"},
    {"Speedups of measured applications:",
     "cosched plot examples/archer2.csv speedup -o speedup.svg --width 24cm"},
    {"Waits of a replay's policies, for a paper:",
     "cosched plot replay.json shares -o waits.pdf --width 17cm"},
    {"A figure of a paper, in greys:",
     "cosched plot papers.db rigid/fig4a -o fig4a.pdf --width 8.5cm --style grey"},
    {"One metric of a sweep, for slides:",
     "cosched plot sweep.db --metric makespan -o sweep.png --width 1200px --style dark"},
    {0},
};

const struct cs_command cs_command_plot = {
    .words = "plot",
    .summary = "draw a schedule, a replay or a figure at a given width, for a page",
    .description =
        "The pictures that 'cosched report' shows, as files for LaTeX, slides and posters: a "
        "schedule of any problem, the curves of a replay, or a figure of a campaign or a paper "
        "with "
        "its confidence bands. "
        "Lengths are those on paper: put the file into the document without scaling it. All type "
        "is at least 7 pt high; labels that would have to be smaller are left out.\n\n"
        "A PDF keeps text as text. The same input gives the same bytes.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = plot_run,
};
