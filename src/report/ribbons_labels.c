/* ribbons_labels.c - names where a ribbon is thick enough for long enough, and bolts. */
#include "model/procset.h"
#include "report/bolt.h"
#include "report/human.h"
#include "report/ribbons_parts.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

#define READABLE 9.5
#define ROOM 1.5
#define LARGEST 13.0
#define PAD 6.0

enum { STRIPE = 1, BOLT };

/* Where a band lies in each column of pixels; top > bottom where it is not. */
struct outline {
    double *top, *bottom;
    unsigned char *marked; /* STRIPE or BOLT where these are */
    int columns;
};

static void ribbons_labels_trace(const struct cs_ribbons *s, int band, struct outline *o)
{
    int e = 0;

    for (int c = 0; c < o->columns; c++) {
        double time = (c + 0.5) / s->w * s->end;

        while (e + 1 < s->events && s->when[e + 1] <= time)
            e++;
        o->top[c] = cs_ribbons_y(s, cs_ribbons_level(s, e, band + 1));
        o->bottom[c] = cs_ribbons_y(s, cs_ribbons_level(s, e, band));
    }
}

static void ribbons_labels_mark(const struct cs_ribbons *s, struct outline *o, double from,
                                double to, unsigned char what)
{
    int first = (int)fmax(from - s->x, 0), last = (int)fmin(to - s->x, o->columns - 1);

    for (int c = first; c <= last; c++)
        o->marked[c] = what;
}

/* The columns of a band that names should keep away from. */
static void mark_all(const struct cs_ribbons *s, int band, const int *holder, struct outline *o)
{
    const struct cs_ribbons_band *b = &s->band[band];
    double half = cs_bolt_size(s->options.faults) / 2;

    memset(o->marked, 0, (size_t)o->columns * sizeof *o->marked);
    for (size_t p = b->first; p < b->first + b->pieces; p++)
        for (size_t i = s->piece[p].first; i < s->piece[p].first + s->piece[p].bars; i++)
            if (s->bar[i]->kind != CS_BAR_WORK)
                ribbons_labels_mark(s, o, cs_ribbons_x(s, s->bar[i]->start),
                                    cs_ribbons_x(s, s->bar[i]->end), STRIPE);
    for (int i = 0; i < s->options.faults; i++) {
        double x = cs_ribbons_x(s, s->options.fault[i].time);

        if (holder[i] == band)
            ribbons_labels_mark(s, o, x - half, x + half, BOLT);
    }
}

/* The worst mark over so many columns. */
static int worst_mark(const struct outline *o, int from, int columns)
{
    int worst = 0;

    for (int c = from; c < from + columns; c++)
        worst = o->marked[c] > worst ? o->marked[c] : worst;
    return worst;
}

/* The height that is free over so many columns from `from` on. */
static double ribbons_labels_clear(const struct outline *o, int from, int columns, double *middle)
{
    double top = 0, bottom = INFINITY;

    for (int c = from; c < from + columns; c++) {
        top = fmax(top, o->top[c]);
        bottom = fmin(bottom, o->bottom[c]);
    }
    *middle = (top + bottom) / 2;
    return bottom - top;
}

struct place {
    double x, y, size;
};

/* The leftmost place for a text this wide at size 1, in the largest font of at least `least`
 * that has one, with no mark above `most`. */
static bool ribbons_labels_find(const struct cs_ribbons *s, const struct outline *o, double width,
                                double least, int most, struct place *place)
{
    static const double size[] = {LARGEST, 11, 9.5, 8, 7, 6};
    double largest = fmax(8, 1.1 * s->h / s->bands), middle;

    for (size_t i = 0; i < sizeof size / sizeof *size && size[i] >= least; i++) {
        int columns = (int)ceil(width * size[i] + 2 * PAD);

        for (int c = 2; c + columns < o->columns && size[i] <= largest; c += 2)
            if (o->bottom[c] - o->top[c] >= size[i] + ROOM &&
                ribbons_labels_clear(o, c, columns, &middle) >= size[i] + ROOM &&
                worst_mark(o, c, columns) <= most) {
                *place = (struct place){s->x + c + PAD, middle, size[i]};
                return true;
            }
    }
    return false;
}

/* The text with a rim of the colour below it, so that stripes do not cut it up. */
static void ribbons_labels_put_text(struct cs_ribbons *s, const struct place *p,
                                    struct cs_color color, const char *text)
{
    struct cs_svg_font font = {.class = "label", .size = p->size, .bold = true};
    struct cs_color_text rim = cs_color_text(color);
    const struct cs_color white = {255, 255, 255};

    cs_strbuf_printf(s->out, "<g stroke=\"%s\" stroke-width=\"2.5\" stroke-linejoin=\"round\">\n",
                     rim.text);
    font.class = "rim";
    font.fill = rim.text;
    cs_svg_text(s->out, p->x, p->y + 0.36 * p->size, &font, text);
    cs_svg_group_end(s->out);
    font.class = "label";
    font.fill = cs_color_contrast(color, white) >= 2.7 ? "#ffffff" : "#000000";
    cs_svg_text(s->out, p->x, p->y + 0.36 * p->size, &font, text);
}

static bool ribbons_labels_holds(const struct cs_bar *bar, int processor)
{
    const struct cs_interval one = {processor, processor};

    return cs_procset_common(bar->procs, bar->intervals, &one, 1) >= 0;
}

/* The band that holds the processor just before the time, or -1. */
static int find_holder(const struct cs_ribbons *s, const struct cs_bolt_fault *fault)
{
    for (int b = 0; b < s->bands; b++)
        for (size_t p = s->band[b].first; p < s->band[b].first + s->band[b].pieces; p++) {
            const struct cs_ribbons_piece *piece = &s->piece[p];

            if (piece->start < fault->time && fault->time <= piece->end &&
                ribbons_labels_holds(s->bar[piece->first], fault->processor))
                return b;
        }
    return -1;
}

static int *find_holders(const struct cs_ribbons *s)
{
    int *holder = CS_NEW_ARRAY(s->arena, int, s->options.faults);

    for (int i = 0; i < s->options.faults; i++)
        holder[i] = find_holder(s, &s->options.fault[i]);
    return holder;
}

static void draw_labels(struct cs_ribbons *s, const int *holder)
{
    const double least = s->options.least_type;
    struct outline o = {.columns = (int)s->w};

    o.top = CS_NEW_ARRAY(s->arena, double, o.columns);
    o.bottom = CS_NEW_ARRAY(s->arena, double, o.columns);
    o.marked = CS_NEW_ARRAY(s->arena, unsigned char, o.columns);
    cs_svg_group_begin(s->out, "labels", NULL);
    for (int b = 0; b < s->bands; b++) {
        const char *name = cs_ribbons_name(s, b);
        double width = cs_text_width(name, 1, true);
        struct place place;

        ribbons_labels_trace(s, b, &o);
        mark_all(s, b, holder, &o);
        if (ribbons_labels_find(s, &o, width, fmax(READABLE, least), 0, &place) ||
            ribbons_labels_find(s, &o, width, fmax(READABLE, least), STRIPE, &place) ||
            ribbons_labels_find(s, &o, width, least, 0, &place) ||
            ribbons_labels_find(s, &o, width, least, STRIPE, &place))
            ribbons_labels_put_text(s, &place, s->band[b].color, name);
    }
    cs_svg_group_end(s->out);
}

/* Failures. */

static void draw_fault(struct cs_ribbons *s, const struct cs_bolt_fault *fault, int band,
                       double size, struct cs_strbuf *text)
{
    int event = cs_ribbons_event_at(s, fault->time);
    double x = cs_ribbons_x(s, fault->time), y;

    if (band < 0)
        return;
    event = event && s->when[event] >= fault->time * (1 - 1e-12) ? event - 1 : event;
    y = cs_ribbons_y(s,
                     (cs_ribbons_level(s, event, band) + cs_ribbons_level(s, event, band + 1)) / 2);
    cs_strbuf_clear(text);
    cs_strbuf_puts(text, "failure at ");
    cs_human_digits(text, fault->time, 7);
    cs_strbuf_printf(text, " s\n%s %d of %s%s", s->options.processor, fault->processor,
                     cs_ribbons_name(s, band),
                     fault->failures_hit ? "" : "\nno loss: no computation was active");
    cs_svg_group_begin(s->out, fault->failures_hit ? "failure" : "harmless", text->text);
    cs_bolt_draw(s->out, s->theme, x, y, size, fault->failures_hit);
    cs_svg_group_end(s->out);
}

static void draw_faults(struct cs_ribbons *s, const int *holder)
{
    int faults = s->options.faults;
    double size = cs_bolt_size(faults);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_svg_group_begin(s->out, "failures", NULL);
    for (int failures_hit = 0; failures_hit < 2; failures_hit++)
        for (int i = 0; i < faults; i++)
            if (s->options.fault[i].failures_hit == (failures_hit == 1))
                draw_fault(s, &s->options.fault[i], holder[i], size, &text);
    cs_svg_group_end(s->out);
    cs_strbuf_release(&text);
}

void cs_ribbons_draw_labels(struct cs_ribbons *s)
{
    const int *holder = find_holders(s);

    draw_labels(s, holder);
    draw_faults(s, holder);
}
