/* ribbons_chart.c - the layout of the stream chart: title, plot, axes and legend from top to
 * bottom. */
#include "report/ribbons_chart.h"
#include "base/order.h"
#include "base/plain.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"

#include <math.h>

/* The shapes of the ribbons.
 *
 * An edge runs level between two changes and bends to its new level while processors move, within
 * a few pixels.  The shape of a ribbon is the clip of its colour and its stripes.
 */

#define BEND 9.0   /* pixels from one level to the next */
#define LEAST 0.12 /* pixels: smaller changes wait for the next */

/* How far the bend after an event may reach: not beyond the next one, nor beyond the shortest move
 * of processors that begins there; without a move there is a step. */
static double ribbons_bands_bend(const struct cs_ribbons *s, int event)
{
    double from = cs_ribbons_x(s, s->when[event]);
    double to = event + 1 < s->events ? cs_ribbons_x(s, s->when[event + 1]) : s->x + s->w;

    return fmin(fmin(BEND, to - from), s->move[event] / s->end * s->w);
}

/* Relative, for short numbers, between positions that were rounded first: no drift. */
static void put_bend(struct cs_strbuf *path, double x0, double y0, double x1, double y1)
{
    double across = round(x1 * 100) / 100 - round(x0 * 100) / 100;
    double down = round(y1 * 100) / 100 - round(y0 * 100) / 100;

    if (fabs(across) < LEAST) {
        cs_svg_command(path, 'l', (double[]){across, down}, 2);
        return;
    }
    cs_svg_command(path, 'c', (double[]){across / 2, 0, across / 2, down, across, down}, 6);
}

/* The events at which a band begins, and the last at which it is there. */
static void ribbons_bands_span(const struct cs_ribbons *s, int band, int *first, int *last)
{
    *first = cs_ribbons_event_at(s, s->band[band].start);
    *last = *first;
    for (int e = *first; e < s->events && s->when[e] < s->band[band].end * (1 - 1e-12); e++)
        *last = e;
}

static double ribbons_bands_edge(const struct cs_ribbons *s, int event, int band)
{
    return cs_ribbons_y(s, cs_ribbons_level(s, event, band));
}

static void put_forward(const struct cs_ribbons *s, int band, int first, int last,
                        struct cs_strbuf *path)
{
    double y = ribbons_bands_edge(s, first, band);

    for (int e = first + 1; e <= last; e++) {
        double to = ribbons_bands_edge(s, e, band), x = cs_ribbons_x(s, s->when[e]);

        if (fabs(to - y) < LEAST)
            continue;
        cs_svg_command(path, 'H', &x, 1);
        put_bend(path, x, y, x + ribbons_bands_bend(s, e), to);
        y = to;
    }
}

static void put_backward(const struct cs_ribbons *s, int band, int first, int last,
                         struct cs_strbuf *path)
{
    double y = ribbons_bands_edge(s, last, band);

    for (int e = last; e > first; e--) {
        double to = ribbons_bands_edge(s, e - 1, band), x = cs_ribbons_x(s, s->when[e]),
               far = x + ribbons_bands_bend(s, e);

        if (fabs(to - y) < LEAST)
            continue;
        cs_svg_command(path, 'H', &far, 1);
        put_bend(path, far, y, x, to);
        y = to;
    }
}

static void put_shape(const struct cs_ribbons *s, int band, struct cs_strbuf *path)
{
    double start = cs_ribbons_x(s, s->band[band].start), end = cs_ribbons_x(s, s->band[band].end);
    double low;
    int first, last;

    ribbons_bands_span(s, band, &first, &last);
    low = ribbons_bands_edge(s, last, band);
    cs_svg_command(path, 'M', (double[]){start, ribbons_bands_edge(s, first, band + 1)}, 2);
    put_forward(s, band + 1, first, last, path);
    cs_svg_command(path, 'H', &end, 1);
    cs_svg_command(path, 'V', &low, 1);
    put_backward(s, band, first, last, path);
    cs_svg_command(path, 'H', &start, 1);
    cs_strbuf_putc(path, 'z');
}

/* A hair of background between ribbons, thinner where they are thin. */
static double ribbons_bands_gap(const struct cs_ribbons *s)
{
    double thickness = s->h / (s->bands ? s->bands : 1);

    return thickness >= 12 ? 1.2 : thickness >= 5 ? 0.6 : thickness >= 2.5 ? 0.35 : 0;
}

static void ribbons_extent(const struct cs_ribbons *s, int band, double from, double to,
                           double *top, double *bottom);

/* Everything between the lowest and the highest that the ribbon ever reaches. */
static void put_fill(struct cs_ribbons *s, int band)
{
    const struct cs_ribbons_band *b = &s->band[band];
    double left = cs_ribbons_x(s, b->start), top, bottom;

    ribbons_extent(s, band, b->start, b->end, &top, &bottom);
    cs_svg_rect(s->out, left, top, cs_ribbons_x(s, b->end) - left, bottom - top, 0,
                &(struct cs_svg_paint){.fill = cs_color_text(b->color).text});
}

/* The upper edge alone: what separates the ribbon from the next. */
static void put_edge(struct cs_ribbons *s, int band, struct cs_strbuf *path)
{
    double end = cs_ribbons_x(s, s->band[band].end);
    int first, last;

    ribbons_bands_span(s, band, &first, &last);
    cs_strbuf_clear(path);
    cs_svg_command(
        path, 'M',
        (double[]){cs_ribbons_x(s, s->band[band].start), ribbons_bands_edge(s, first, band + 1)},
        2);
    put_forward(s, band + 1, first, last, path);
    cs_svg_command(path, 'H', &end, 1);
    cs_svg_path(s->out, path->text,
                &(struct cs_svg_paint){.fill = "none",
                                       .stroke = s->theme->background,
                                       .width = ribbons_bands_gap(s),
                                       .opacity = ribbons_bands_gap(s) > 1 ? 0 : 0.8});
}

static void ribbons_draw_stripes(struct cs_ribbons *s, int band);

static void draw_ribbon(struct cs_ribbons *s, int band, struct cs_strbuf *path)
{
    cs_strbuf_clear(path);
    put_shape(s, band, path);
    cs_strbuf_printf(s->out, "<clipPath id=\"cs-%08llx-%d\"><path d=\"%s\"/></clipPath>\n", s->id,
                     band, path->text);
    cs_strbuf_printf(s->out, "<g class=\"application\" clip-path=\"url(#cs-%08llx-%d)\">\n", s->id,
                     band);
    put_fill(s, band);
    ribbons_draw_stripes(s, band);
    cs_svg_group_end(s->out);
    if (ribbons_bands_gap(s) > 0)
        put_edge(s, band, path);
}

/* The shapes, and what happens on them. */
static void ribbons_draw_ribbons(struct cs_ribbons *s)
{
    struct cs_strbuf path = CS_STRBUF_INIT;

    cs_svg_group_begin(s->out, "ribbons", NULL);
    for (int b = 0; b < s->bands; b++)
        draw_ribbon(s, b, &path);
    cs_svg_group_end(s->out);
    cs_strbuf_release(&path);
}

/* The ribbons on one another: where each lies after every change.
 *
 * Changes that come closer than the picture can show become one, so that the shapes of many
 * ribbons stay within a few megabytes.
 */

#define LEAST_CHANGES 160
#define MOST_LEVELS 50000 /* changes times ribbons */

static double *all_times(const struct cs_ribbons *s, int *count)
{
    double *time = CS_NEW_ARRAY(s->arena, double, 2 * s->pieces + 1);

    *count = 1;
    for (size_t p = 0; p < s->pieces; p++) {
        time[(*count)++] = s->piece[p].start;
        time[(*count)++] = s->piece[p].end;
    }
    cs_order_sort_doubles(time, *count, s->arena);
    return time;
}

/* Times at least so far apart; of those that are closer the first stays. */
static int ribbons_stack_thin(double *time, int count, double apart)
{
    int kept = 1;

    for (int i = 1; i < count; i++)
        if (time[i] > time[kept - 1] + apart)
            time[kept++] = time[i];
    return kept;
}

/* So many of them, evenly: where much changes, more stay. */
static int ribbons_stack_sample(double *time, int count, int most)
{
    for (int i = 0; i < most; i++)
        time[i] = time[(int)((long long)i * count / most)];
    return most;
}

static void make_events(struct cs_ribbons *s)
{
    int count, most = MOST_LEVELS / (s->bands + 1);

    most = most < LEAST_CHANGES ? LEAST_CHANGES : most;
    s->when = all_times(s, &count);
    s->events = ribbons_stack_thin(s->when, count, 1e-12 * s->end);
    if (s->events > most)
        s->events = ribbons_stack_thin(s->when, s->events, s->end / (8 * most));
    if (s->events > most)
        s->events = ribbons_stack_sample(s->when, s->events, most);
}

/* The width of a band just before the event after `event`. */
static double width_at(const struct cs_ribbons *s, const struct cs_ribbons_band *band,
                       size_t *piece, int event)
{
    double until = event + 1 < s->events ? s->when[event + 1] : s->end;
    const struct cs_ribbons_piece *p = &s->piece[band->first];

    while (*piece + 1 < band->pieces && p[*piece + 1].start < until * (1 - 1e-12))
        ++*piece;
    p += *piece;
    return p->start < until && p->end >= until * (1 - 1e-12) ? (double)p->procs : 0;
}

/* The shortest move that begins at each event, in seconds; 0: none. */
static void find_moves(struct cs_ribbons *s)
{
    s->move = CS_NEW_ARRAY(s->arena, double, s->events);
    for (size_t b = 0; b < s->bars; b++) {
        const struct cs_bar *bar = s->bar[b];
        double *shortest = &s->move[cs_ribbons_event_at(s, bar->start)];
        double length = bar->end - bar->start;

        if (bar->kind == CS_BAR_MOVE && length > 0)
            *shortest = *shortest > 0 ? fmin(*shortest, length) : length;
    }
}

/* When the stack changes; needs the size of the plot. */
static void ribbons_stack(struct cs_ribbons *s)
{
    size_t stride = (size_t)s->bands + 1;

    make_events(s);
    find_moves(s);
    s->level = CS_NEW_ARRAY(s->arena, double, (size_t)s->events *stride);
    for (int b = 0; b < s->bands; b++) {
        size_t piece = 0;

        for (int e = 0; e < s->events; e++) {
            double *at = &s->level[(size_t)e * stride + (size_t)b];

            at[1] = at[0] + width_at(s, &s->band[b], &piece, e);
        }
    }
}

int cs_ribbons_event_at(const struct cs_ribbons *s, double time)
{
    int low = 0, high = s->events;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (s->when[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

/* The largest extent of a band between two times, in pixels. */
static void ribbons_extent(const struct cs_ribbons *s, int band, double from, double to,
                           double *top, double *bottom)
{
    int first = cs_ribbons_event_at(s, from), last = cs_ribbons_event_at(s, to);
    double low = s->procs, high = 0;

    for (int e = first ? first - 1 : 0; e <= last; e++) {
        low = fmin(low, cs_ribbons_level(s, e, band));
        high = fmax(high, cs_ribbons_level(s, e, band + 1));
    }
    *top = cs_ribbons_y(s, high) - 1;
    *bottom = cs_ribbons_y(s, low) + 1;
}

/* Events on a ribbon: checkpoints, losses, recoveries, moves.
 *
 * A stripe as wide as a pixel is drawn separately with a tooltip; narrower ones of the same share
 * are merged in columns of one pixel, the stronger the more of it they fill.
 */

enum { LEVELS = 4, MOST_TOOLTIPS = 5000 };

static const char *theme_name(const struct cs_ribbons *s)
{
    return s->theme->dark ? "dark" : "light";
}

/* Patterns of ribbons. */
static void ribbons_draw_patterns(struct cs_ribbons *s)
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
    ribbons_extent(s, band, piece->start, piece->end, &top, &bottom);
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
    ribbons_extent(s, band, bar->start, bar->end, &top, &bottom);
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

    ribbons_extent(s, band, s->band[band].start, s->band[band].end, &top, &bottom);
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

static void ribbons_draw_stripes(struct cs_ribbons *s, int band)
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

#define MARGIN CS_HEADING_MARGIN
#define ABOVE 24.0   /* failures and the name of the bound */
#define AXIS 44.0    /* ticks and title below the plot */
#define SMALLEST 6.0 /* pixels of labels */
#define ASPECT 0.62  /* of the plot of a narrow picture, at most */
#define SHORTEST 300.0
#define USUAL 600.0
#define TALLEST 900.0
#define RIBBON 26.0 /* height of a ribbon in a chart without a given height, up to USUAL */
#define THIN 9.0    /* and up to TALLEST */

static struct cs_ribbons_chart_options
ribbons_chart_settle(const struct cs_ribbons_chart_options *supplied,
                     const struct cs_platform *platform)
{
    struct cs_ribbons_chart_options o = supplied ? *supplied : (struct cs_ribbons_chart_options){0};

    o.width = o.width ? o.width : 1120;
    if (!o.processor)
        o.processor = platform ? platform->unit : "processor";
    o.least_type = o.least_type > 0 ? o.least_type : SMALLEST;
    return o;
}

/* "makespan 264 d, 7.5 % above the lower bound of 245 d · 19 failures" */
static void put_facts(const struct cs_ribbons *s, struct cs_strbuf *text)
{
    double bound = s->options.lower_bound;
    int failures_hit = 0;

    if (s->options.policy)
        cs_strbuf_printf(text, "%s \xc2\xb7 ", s->options.policy);
    cs_strbuf_puts(text, "makespan ");
    cs_human_duration(text, s->end);
    if (bound > 0) {
        cs_strbuf_puts(text, ", ");
        cs_human_percent(text, s->end / bound - 1, 1);
        cs_strbuf_puts(text, " above the lower bound of ");
        cs_human_duration(text, bound);
    }
    for (int i = 0; i < s->options.faults; i++)
        failures_hit += s->options.fault[i].failures_hit;
    if (!s->options.faults)
        return;
    cs_strbuf_puts(text, " \xc2\xb7 ");
    cs_human_units(text, s->options.faults, "failure");
    if (failures_hit < s->options.faults) {
        cs_strbuf_puts(text, ", ");
        cs_human_count(text, s->options.faults - failures_hit);
        cs_strbuf_puts(text, " of them harmless");
    }
}

static double natural_height(int bands, double width)
{
    return fmin(ASPECT * width,
                fmin(fmax(fmin(fmax(bands * RIBBON, SHORTEST), USUAL), bands * THIN), TALLEST));
}

static void lay_out(struct cs_ribbons *s)
{
    double top = ceil(cs_heading_height(s->options.title, s->options.subtitle) + ABOVE);
    double rest;

    s->width = s->options.width;
    s->x = ceil(MARGIN + cs_ribbons_axis_room(s));
    s->w = floor(s->width - MARGIN - 4 - s->x);
    rest = top + AXIS + cs_ribbons_legend_height(s) + MARGIN;
    s->h =
        s->options.height ? fmax(s->options.height - rest, 24) : natural_height(s->bands, s->width);
    s->h = floor(s->h);
    s->height = s->options.height ? s->options.height : rest + s->h;
    s->y = top;
}

static void draw_nothing(struct cs_ribbons *s)
{
    const struct cs_svg_font font = {
        .class = "empty", .size = 13, .fill = s->theme->muted, .anchor = CS_SVG_MIDDLE};

    cs_svg_text(s->out, s->x + s->w / 2, s->y + s->h / 2 + 4, &font, "nothing ran");
}

static void ribbons_chart_draw(struct cs_ribbons *s)
{
    cs_svg_begin(s->out, s->width, s->height, s->theme->dark ? "cs-stream dark" : "cs-stream light",
                 s->options.title ? s->options.title : "applications over time");
    cs_svg_rect(s->out, 0, 0, s->width, s->height, 0,
                &(struct cs_svg_paint){.class = "background", .fill = s->theme->background});
    cs_heading_draw(s->out, s->theme, s->options.title, s->options.subtitle, s->width);
    ribbons_draw_patterns(s);
    cs_ribbons_draw_background(s);
    if (s->bands) {
        ribbons_draw_ribbons(s);
        cs_ribbons_draw_labels(s);
    } else {
        draw_nothing(s);
    }
    cs_ribbons_draw_axes(s);
    cs_ribbons_draw_legend(s, s->y + s->h + AXIS);
    cs_svg_end(s->out);
}

static void draw_all(struct cs_ribbons *s)
{
    struct cs_strbuf facts = CS_STRBUF_INIT;

    s->arena = cs_arena_create();
    cs_ribbons_collect(s);
    ribbons_stack(s);
    if (!s->options.subtitle && s->bands) {
        put_facts(s, &facts);
        s->options.subtitle = facts.text;
    }
    lay_out(s);
    ribbons_chart_draw(s);
    cs_strbuf_release(&facts);
    cs_arena_destroy(s->arena);
}

int cs_ribbons_chart_svg(const struct cs_schedule *schedule,
                         const struct cs_ribbons_chart_options *options, struct cs_strbuf *out,
                         struct cs_error *err)
{
    struct cs_ribbons s = {.schedule = schedule,
                           .options = ribbons_chart_settle(options, cs_schedule_platform(schedule)),
                           .procs = cs_schedule_procs(schedule),
                           .out = out};

    if (cs_gantt_possible(schedule, s.options.width, s.options.height, err))
        return -1;
    s.procs = s.procs > 0 ? s.procs : 1;
    s.theme = cs_theme(s.options.style);
    draw_all(&s);
    return 0;
}
