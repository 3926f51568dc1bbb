/* ribbons_bands.c - the shapes of the ribbons.
 *
 * An edge runs level between two changes and bends to its new level within a few pixels after
 * one.  The shape of a ribbon is the clip of its colour and its stripes.
 */
#include "report/ribbons_parts.h"
#include "report/svg.h"

#include <math.h>

#define BEND 9.0   /* pixels from one level to the next */
#define LEAST 0.12 /* pixels: smaller changes wait for the next */

/* How far the bend after an event may reach. */
static double ribbons_bands_bend(const struct cs_ribbons *s, int event)
{
    double from = cs_ribbons_x(s, s->when[event]);
    double to = event + 1 < s->events ? cs_ribbons_x(s, s->when[event + 1]) : s->x + s->w;

    return fmin(BEND, to - from);
}

/* Relative, for short numbers, between positions that were rounded first: no drift. */
static void put_bend(struct cs_strbuf *path, double x0, double y0, double x1, double y1)
{
    double across = round(x1 * 100) / 100 - round(x0 * 100) / 100;
    double down = round(y1 * 100) / 100 - round(y0 * 100) / 100;

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

/* Everything between the lowest and the highest that the ribbon ever reaches. */
static void put_fill(struct cs_ribbons *s, int band)
{
    const struct cs_ribbons_band *b = &s->band[band];
    double left = cs_ribbons_x(s, b->start), top, bottom;

    cs_ribbons_extent(s, band, b->start, b->end, &top, &bottom);
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

static void draw_ribbon(struct cs_ribbons *s, int band, struct cs_strbuf *path)
{
    cs_strbuf_clear(path);
    put_shape(s, band, path);
    cs_strbuf_printf(s->out, "<clipPath id=\"cs-%08llx-%d\"><path d=\"%s\"/></clipPath>\n", s->id,
                     band, path->text);
    cs_strbuf_printf(s->out, "<g class=\"application\" clip-path=\"url(#cs-%08llx-%d)\">\n", s->id,
                     band);
    put_fill(s, band);
    cs_ribbons_draw_stripes(s, band);
    cs_svg_group_end(s->out);
    if (ribbons_bands_gap(s) > 0)
        put_edge(s, band, path);
}

void cs_ribbons_draw_ribbons(struct cs_ribbons *s)
{
    struct cs_strbuf path = CS_STRBUF_INIT;

    cs_svg_group_begin(s->out, "ribbons", NULL);
    for (int b = 0; b < s->bands; b++)
        draw_ribbon(s, b, &path);
    cs_svg_group_end(s->out);
    cs_strbuf_release(&path);
}
