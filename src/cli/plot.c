/* plot.c - cosched plot: a schedule, a replay, or a figure of a campaign or paper, as a picture of
 * a given width, for a page. */
#include "base/plain.h"
#include "base/source.h"
#include "campaign/output.h"
#include "campaign/store.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/replay/page.h"
#include "io/schedule_json.h"
#include "report/picture.h"

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

static int read_look(const struct cs_arguments *args, struct cs_figure_look *look,
                     struct cs_error *err)
{
    *look = (struct cs_figure_look){
        .picture = {.style = (enum cs_style)cs_arguments_choice(args, "style"),
                    .title = cs_arguments_text(args, "title"),
                    .least_type = LEAST_TYPE},
        .metric = cs_arguments_text(args, "metric"),
    };
    return read_length("--width", cs_arguments_text(args, "width"), &look->picture.width, err) ||
                   read_length("--height", cs_arguments_text(args, "height"), &look->picture.height,
                               err)
               ? -1
               : 0;
}

static int draw_schedule(const struct cs_json_at *top, const char *figure,
                         const struct cs_figure_look *look, struct cs_strbuf *svg,
                         struct cs_error *err)
{
    struct cs_schedule_file *file;
    struct cs_error why = {{0}};
    int status;

    if (look->metric || figure)
        return cs_error_set(err, "%s: is a schedule, which is one figure without metrics",
                            top->key);
    file = cs_schedule_file_read_at(top, err);
    if (!file)
        return -1;
    status = cs_schedule_picture(file, &look->picture, svg, &why);
    if (status)
        cs_error_set(err, "%s: %s", file->source, why.text);
    cs_schedule_file_destroy(file);
    return status;
}

static int draw_replay(const struct cs_json_at *top, const char *figure,
                       const struct cs_figure_look *look, struct cs_strbuf *svg,
                       struct cs_error *err)
{
    static const char words[] = "time|shares"; /* as enum cs_replay_picture */
    const int which = figure ? cs_choice_index(words, figure) : CS_REPLAY_ALL;
    struct cs_arena *arena;
    struct cs_replay_view view;
    int status;

    if (look->metric)
        return cs_error_set(err,
                            "%s: is a replay, whose figures are time and shares: --metric is "
                            "for stores",
                            top->key);
    if (which < 0)
        return cs_choice_error("the figure of a replay", figure, words, err);
    arena = cs_arena_create();
    status = cs_replay_view_read(top, arena, &view, err) ||
             cs_replay_picture(&view, (enum cs_replay_picture)which, &look->picture, svg, err);
    cs_replay_view_release(&view);
    cs_arena_destroy(arena);
    return status ? -1 : 0;
}

static int draw_document(const char *path, const char *figure, const struct cs_figure_look *look,
                         struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_json_pieces pieces;
    struct cs_json_at top;
    int status;

    if (cs_json_open(path, &pieces, err))
        return -1;
    top = cs_json_top(cs_source_name(path), &pieces);
    status = cs_replay_view_seems(&top) ? draw_replay(&top, figure, look, svg, err)
                                        : draw_schedule(&top, figure, look, svg, err);
    cs_json_close(&pieces);
    return status;
}

static int draw(const struct cs_arguments *args, const struct cs_figure_look *look,
                struct cs_strbuf *svg, struct cs_error *err)
{
    const char *path = cs_arguments_operand(args, 0);
    const char *figure = args->operands > 1 ? cs_arguments_operand(args, 1) : NULL;

    return cs_store_seems(path) ? cs_output_svg_of_store(path, figure, look, svg, err)
                                : draw_document(path, figure, look, svg, err);
}

static int check_line(const struct cs_arguments *args, struct cs_figure_look *look,
                      struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    const char *input = cs_arguments_operand(args, 0);

    if (read_look(args, look, err) || cs_picture_check(output, err))
        return CS_EXIT_USAGE;
    return cs_output_apart(output, input, "the input", err) ||
                   cs_output_apart_store(output, input, err) || cs_output_check(output, err)
               ? -1
               : 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_figure_look look;
    int status = check_line(args, &look, err);

    if (!status)
        status = draw(args, &look, &svg, err);
    if (!status)
        status = cs_picture_write(cs_arguments_text(args, "output"), svg.text,
                                  cs_arguments_real(args, "dpi"), err);
    cs_strbuf_release(&svg);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .kind = CS_FIELD_PATH,
     .summary =
         "a schedule or plan (cosched-schedule-1) of any problem, a replay (what 'cosched replay "
         "--format json' prints), or the store of a campaign or of papers; - reads a schedule or a "
         "replay from standard input"},
    {.name = "FIGURE",
     .optional = true,
     .kind = CS_FIELD_TEXT,
     .summary =
         "which one of a store: the name of a paper's figure (rigid/fig4a) or of a sweep; it "
         "may be left out where there is one; of a replay: time (utilisation, queue and waits over "
         "calendar time) or shares (distributions of waits and slowdowns), both when left out"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .required = true,
     .summary = "where to; the ending of the name says what"},
    {.name = "width",
     .kind = CS_FIELD_TEXT,
     .argument = "LENGTH",
     .fallback = "12cm",
     .summary = "of the whole picture: 8.5cm, 85mm, 3.35in, 246pt (of TeX) or 640px"},
    {.name = "height",
     .kind = CS_FIELD_TEXT,
     .argument = "LENGTH",
     .summary = "the same; default: what suits the width"},
    {.name = "style",
     .kind = CS_FIELD_CHOICE,
     .choices = "color|dark|grey",
     .fallback = "color",
     .summary =
         "colours that every eye keeps apart, the same on a dark ground, or greys for print"},
    {.name = "title",
     .kind = CS_FIELD_TEXT,
     .argument = "TEXT",
     .summary = "a line above the picture; default: none, as a caption says it"},
    {.name = "metric",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .summary = "of a store: only the panels of this metric; default: all that the figure shows"},
    {.name = "dpi",
     .kind = CS_FIELD_REAL,
     .argument = "N",
     .fallback = "300",
     .low = 24,
     .high = 2400,
     .summary = "of a PNG: pixels an inch"},
    {0},
};

static const struct cs_example examples[] = {
    {"A plan for a column of a paper:", "cosched plot plan.json -o plan.pdf --width 8.5cm"},
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
    .run = run,
};
