/* ribbons_stripes.c - events on a ribbon: checkpoints, losses, recoveries, moves.
 *
 * A stripe as wide as a pixel is drawn separately with a tooltip; narrower ones of the same share
 * are merged in columns of one pixel, the stronger the more of it they fill.
 */
#include "base/plain.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"

#include <math.h>

enum { LEVELS = 4, MOST_TOOLTIPS = 5000 };

static const char *theme_name(const struct cs_ribbons *s)
{
    return s->theme->dark ? "dark" : "light";
}

void cs_ribbons_draw_patterns(struct cs_ribbons *s)
{
    const char *line = s->theme->dark ? "#ffffff" : "#000000";

    cs_strbuf_puts(s->out, "<defs>\n");
    cs_strbuf_printf(s->out,
                     "<pattern id=\"cs-stream-lost-%s\" width=\"5\" height=\"5\" "
                     "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                     "<path d=\"M0 0h1.3v5h-1.3z\" fill=\"%s\" fill-opacity=\"0.45\"/></pattern>\n",
                     theme_name(s), line);
    cs_strbuf_printf(s->out,
                     "<pattern id=\"cs-stream-move-%s\" width=\"6\" height=\"8\" "
                     "patternUnits=\"userSpaceOnUse\">"
                     "<path d=\"M0.5 0l2.5 4l-2.5 4h2l2.5-4l-2.5-4z\" fill=\"#ffffff\" "
                     "fill-opacity=\"0.8\"/></pattern>\n",
                     theme_name(s));
    cs_strbuf_puts(s->out, "</defs>\n");
}

/* The paint over the colour of the ribbon. */
struct coat {
    const char *fill;
    double opacity; /* 0: full */
    bool textured;
    char texture[40];
};

static struct coat coat_of(const struct cs_ribbons *s, enum cs_ribbons_share share)
{
    struct coat coat = {.fill = "#ffffff"};

    if (share == CS_RIBBONS_CHECKPOINT) {
        coat.opacity = 0.6;
    } else if (share == CS_RIBBONS_LOST) {
        coat.fill = s->theme->background;
        coat.opacity = 0.62;
        coat.textured = true;
        cs_plain_print(coat.texture, sizeof coat.texture, "url(#cs-stream-lost-%s)", theme_name(s));
    } else if (share == CS_RIBBONS_DOWN) {
        coat.fill = "#101418";
        coat.opacity = s->theme->dark ? 0.8 : 0.85;
    } else if (share == CS_RIBBONS_MOVE) {
        coat.fill = "#101418";
        coat.opacity = 0.4;
        coat.textured = true;
        cs_plain_print(coat.texture, sizeof coat.texture, "url(#cs-stream-move-%s)", theme_name(s));
    }
    return coat;
}

static void put_coat(struct cs_ribbons *s, double x, double y, double width, double height,
                     enum cs_ribbons_share share)
{
    const struct coat coat = coat_of(s, share);
    double radius = width < 20 && height < 20 && width == height ? 2 : 0;

    if (share == CS_RIBBONS_WORK)
        return;
    cs_svg_rect(s->out, x, y, width, height, radius,
                &(struct cs_svg_paint){.fill = coat.fill, .opacity = coat.opacity});
    if (coat.textured && width >= 2)
        cs_svg_rect(s->out, x, y, width, height, radius,
                    &(struct cs_svg_paint){.fill = coat.texture});
}

void cs_ribbons_swatch(struct cs_ribbons *s, double x, double y, double size,
                       enum cs_ribbons_share share, struct cs_color color)
{
    cs_svg_rect(s->out, x, y, size, size, 2,
                &(struct cs_svg_paint){.fill = cs_color_text(color).text});
    put_coat(s, x, y, size, size, share);
}

static void put_procs(const struct cs_ribbons *s, const struct cs_bar *bar, struct cs_strbuf *text)
{
    int shown = bar->intervals < 8 ? bar->intervals : 8;

    cs_human_units(text, cs_bar_procs(bar), s->options.processor);
    cs_strbuf_puts(text, ": ");
    cs_procset_print(text, bar->procs, shown);
    cs_strbuf_puts(text, shown < bar->intervals ? " \xe2\x80\xa6\n" : "\n");
}

static void put_times(struct cs_strbuf *text, double start, double end)
{
    cs_strbuf_puts(text, "from ");
    cs_human_digits(text, start, 7);
    cs_strbuf_puts(text, " s to ");
    cs_human_digits(text, end, 7);
    cs_strbuf_puts(text, " s: ");
    cs_human_duration(text, end - start);
}

/* In a crowded chart only elements wide enough for the pointer have a tooltip. */
static bool ribbons_stripes_reports(const struct cs_ribbons *s, double width)
{
    return s->bars <= MOST_TOOLTIPS || width >= 6.0 * (double)s->bars / MOST_TOOLTIPS;
}

/* The whole segment answers to the pointer where nothing else lies on it. */
static void put_segment(struct cs_ribbons *s, int band, const struct cs_ribbons_piece *piece,
                        struct cs_strbuf *text)
{
    const struct cs_bar *bar = s->bar[piece->first];
    double left = cs_ribbons_x(s, piece->start), right = cs_ribbons_x(s, piece->end), top, bottom;

    if (right - left < 3 || !ribbons_stripes_reports(s, right - left))
        return;
    cs_ribbons_extent(s, band, piece->start, piece->end, &top, &bottom);
    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%s, segment %d\n", cs_ribbons_name(s, band), bar->attempt);
    put_procs(s, bar, text);
    put_times(text, piece->start, piece->end);
    cs_svg_group_begin(s->out, "segment", text->text);
    cs_svg_rect(s->out, left, top, right - left, bottom - top, 0,
                &(struct cs_svg_paint){.fill = cs_color_text(s->band[band].color).text});
    cs_svg_group_end(s->out);
}

static const char *word_of(const struct cs_bar *bar, bool fresh)
{
    return bar->kind == CS_BAR_LOST                  ? "lost work"
           : bar->kind == CS_BAR_MOVE                ? "move of data"
           : bar->kind == CS_BAR_CHECKPOINT && fresh ? "checkpoint after a move"
                                                     : cs_bar_kind_name(bar->kind);
}

static void put_stripe(struct cs_ribbons *s, int band, const struct cs_bar *bar, bool fresh,
                       struct cs_strbuf *text)
{
    double left = cs_ribbons_x(s, bar->start), right = cs_ribbons_x(s, bar->end), top, bottom;
    enum cs_ribbons_share share = cs_ribbons_share_of(bar, fresh);

    if (share == CS_RIBBONS_MOVE && bar->kind == CS_BAR_CHECKPOINT)
        share = CS_RIBBONS_CHECKPOINT;
    cs_ribbons_extent(s, band, bar->start, bar->end, &top, &bottom);
    if (!ribbons_stripes_reports(s, right - left)) {
        put_coat(s, left, top, right - left, bottom - top, share);
        return;
    }
    cs_strbuf_clear(text);
    cs_strbuf_printf(text, "%s, %s\n", cs_ribbons_name(s, band), word_of(bar, fresh));
    put_procs(s, bar, text);
    put_times(text, bar->start, bar->end);
    cs_svg_group_begin(s->out, cs_bar_kind_name(bar->kind), text->text);
    put_coat(s, left, top, right - left, bottom - top, share);
    cs_svg_group_end(s->out);
}

/* How much of each column of pixels is covered, for one share at a time. */
static void collect_thin(const struct cs_ribbons *s, double left, double right, float *cover)
{
    int from = (int)fmax(0, left - s->x), to = (int)fmin(s->w - 1, right - s->x);

    for (int c = from; c <= to; c++)
        cover[c] += (float)fmax(0, fmin(right - s->x, c + 1) - fmax(left - s->x, c));
}

/* Never quite nothing, and a stripe that is alone shows as one. */
static int level_of(float cover)
{
    return cover <= 0 ? 0 : cover < 0.3F ? 1 : cover < 0.55F ? 2 : cover < 0.8F ? 3 : LEVELS;
}

/* How many columns from `from` on have this level. */
static int run_of(const float *cover, int from, int columns, int level)
{
    int to = from;

    while (to < columns && level_of(cover[to]) == level)
        to++;
    return to - from;
}

static void put_run(struct cs_strbuf *path, double x, double y, int width, double height)
{
    if (!width)
        return;
    cs_svg_command(path, 'M', (double[]){x, y}, 2);
    cs_svg_command(path, 'h', (double[]){width}, 1);
    cs_svg_command(path, 'v', (double[]){height}, 1);
    cs_svg_command(path, 'h', (double[]){-width}, 1);
    cs_strbuf_putc(path, 'z');
}

static void put_columns(struct cs_ribbons *s, int band, enum cs_ribbons_share share, float *cover)
{
    const struct coat coat = coat_of(s, share);
    double top, bottom;

    cs_ribbons_extent(s, band, s->band[band].start, s->band[band].end, &top, &bottom);
    for (int level = 1; level <= LEVELS; level++) {
        double strength = (coat.opacity > 0 ? coat.opacity : 1) * (0.25 + 0.75 * level / LEVELS);
        struct cs_strbuf path = CS_STRBUF_INIT;

        for (int c = 0, run; c < (int)s->w; c += run) {
            run = run_of(cover, c, (int)s->w, level);
            put_run(&path, s->x + c, top, run, bottom - top);
            run += !run;
        }
        if (path.length)
            cs_svg_path(s->out, path.text,
                        &(struct cs_svg_paint){.fill = coat.fill, .opacity = strength});
        cs_strbuf_release(&path);
    }
}

static bool is_thin(const struct cs_ribbons *s, const struct cs_bar *bar)
{
    return cs_ribbons_x(s, bar->end) - cs_ribbons_x(s, bar->start) < 1;
}

static void draw_thin(struct cs_ribbons *s, int band, enum cs_ribbons_share share)
{
    struct cs_arena_mark mark = cs_arena_mark(s->arena);
    float *cover = CS_NEW_ARRAY(s->arena, float, (int)s->w + 1);
    const struct cs_ribbons_band *b = &s->band[band];
    bool any = false;

    for (size_t p = b->first; p < b->first + b->pieces; p++) {
        bool fresh = true;

        for (size_t i = s->piece[p].first; i < s->piece[p].first + s->piece[p].bars; i++) {
            const struct cs_bar *bar = s->bar[i];

            if (cs_ribbons_share_of(bar, fresh) == share && is_thin(s, bar)) {
                collect_thin(s, cs_ribbons_x(s, bar->start), cs_ribbons_x(s, bar->end), cover);
                any = true;
            }
            fresh &= bar->kind != CS_BAR_WORK && bar->kind != CS_BAR_LOST;
        }
    }
    if (any)
        put_columns(s, band, share, cover);
    cs_arena_rewind(s->arena, mark);
}

void cs_ribbons_draw_stripes(struct cs_ribbons *s, int band)
{
    const struct cs_ribbons_band *b = &s->band[band];
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (size_t p = b->first; p < b->first + b->pieces; p++) {
        bool fresh = true;

        put_segment(s, band, &s->piece[p], &text);
        for (size_t i = s->piece[p].first; i < s->piece[p].first + s->piece[p].bars; i++) {
            const struct cs_bar *bar = s->bar[i];

            if (bar->kind != CS_BAR_WORK && !is_thin(s, bar))
                put_stripe(s, band, bar, fresh, &text);
            fresh &= bar->kind != CS_BAR_WORK && bar->kind != CS_BAR_LOST;
        }
    }
    for (int share = CS_RIBBONS_CHECKPOINT; share < CS_RIBBONS_IDLE; share++)
        draw_thin(s, band, (enum cs_ribbons_share)share);
    cs_strbuf_release(&text);
}
