/* gantt_pixels.c - what is smaller than a pixel, gathered into pixels.
 *
 * A cell is one pixel wide and holds whole processors, as few as make it a pixel high.  It
 * shows the colour that fills most of it (a weighted majority vote: exact when one colour
 * fills over half), the stronger the more of it is filled, and never quite nothing.
 */
#include "report/gantt_parts.h"
#include "report/svg.h"

#include <math.h>

enum { LEVELS = 4, LOST = CS_PALETTE_BARS, DOWN = 2 * CS_PALETTE_BARS, KEYS = DOWN + 1 };

struct cell {
    float cover, vote;
    short key;
};

struct cs_gantt_pixels {
    struct cs_gantt *g;
    int columns, rows, per; /* per: processors in a row of cells */
    struct cell *cell;
    int *held;       /* rows: processors of the bar at hand */
    int first, last; /* rows touched by it; first > last: none */
    bool any;
};

struct cs_gantt_pixels *cs_gantt_pixels_create(struct cs_gantt *g)
{
    struct cs_gantt_pixels *p = CS_NEW(g->arena, struct cs_gantt_pixels);

    p->g = g;
    p->columns = (int)g->w;
    p->per = (int)ceil(g->procs / g->h);
    p->rows = (g->procs - 1) / p->per + 1;
    p->cell = CS_NEW_ARRAY(g->arena, struct cell, (size_t)p->columns * (size_t)p->rows);
    p->held = CS_NEW_ARRAY(g->arena, int, p->rows);
    p->first = p->rows;
    p->last = -1;
    return p;
}

void cs_gantt_pixels_rows(struct cs_gantt_pixels *p, int first, int last)
{
    int low = first / p->per, high = last / p->per;

    for (int row = low; row <= high; row++) {
        int from = row == low ? first : row * p->per;
        int to = row == high ? last : (row + 1) * p->per - 1;

        p->held[row] += to - from + 1;
    }
    p->first = low < p->first ? low : p->first;
    p->last = high > p->last ? high : p->last;
}

static void gantt_pixels_vote(struct cell *cell, short key, float amount)
{
    cell->cover += amount;
    if (cell->key == key) {
        cell->vote += amount;
    } else if (amount > cell->vote) {
        cell->key = key;
        cell->vote = amount - cell->vote;
    } else {
        cell->vote -= amount;
    }
}

static short key_of(const struct cs_gantt *g, const struct cs_bar *bar)
{
    int hue = g->hue[cs_gantt_app(g, bar->task)] % CS_PALETTE_BARS;

    return (short)(bar->kind == CS_BAR_DOWNTIME ? DOWN
                   : bar->kind == CS_BAR_LOST   ? LOST + hue
                                                : hue);
}

static void paint_row(struct cs_gantt_pixels *p, int row, double left, double right, short key)
{
    int from = (int)left, to = (int)ceil(right) - 1;
    double part = (double)p->held[row] / p->per;

    from = from < p->columns ? from : p->columns - 1;
    to = to < from ? from : to < p->columns ? to : p->columns - 1;
    for (int c = from; c <= to; c++) {
        double wide = fmax(fmin(right, c + 1) - fmax(left, c), 1e-3);

        gantt_pixels_vote(&p->cell[(size_t)row * (size_t)p->columns + (size_t)c], key,
                          (float)(wide * part));
    }
}

void cs_gantt_pixels_bar(struct cs_gantt_pixels *p, const struct cs_bar *bar)
{
    double left = cs_gantt_x(p->g, bar->start) - p->g->x;
    double right = cs_gantt_x(p->g, bar->end) - p->g->x;

    for (int row = p->first; row <= p->last; row++) {
        if (p->held[row])
            paint_row(p, row, left, right, key_of(p->g, bar));
        p->held[row] = 0;
        p->any = true;
    }
    p->first = p->rows;
    p->last = -1;
}

/* The colour and strength of a cell as one number, or -1. */
static int gantt_pixels_shade(const struct cell *cell)
{
    int level = (int)ceil(4.0 * (double)cell->cover - 1e-3);

    if (cell->cover <= 0)
        return -1;
    return cell->key * LEVELS + (level < 1 ? 0 : level > LEVELS ? LEVELS - 1 : level - 1);
}

static void put_run(struct cs_gantt_pixels *p, struct cs_strbuf *path, int row, int from, int to)
{
    int top = (row + 1) * p->per < p->g->procs ? (row + 1) * p->per : p->g->procs;
    double y = cs_gantt_y(p->g, top), height = cs_gantt_y(p->g, row * p->per) - y;

    cs_svg_command(path, 'M', (double[]){p->g->x + from, y}, 2);
    cs_svg_command(path, 'h', (double[]){to - from}, 1);
    cs_svg_command(path, 'v', (double[]){height}, 1);
    cs_svg_command(path, 'h', (double[]){from - to}, 1);
    cs_strbuf_putc(path, 'z');
}

static void gantt_pixels_put_row(struct cs_gantt_pixels *p, int row, struct cs_strbuf *path)
{
    const struct cell *cell = &p->cell[(size_t)row * (size_t)p->columns];
    int from = 0;

    for (int c = 1; c <= p->columns; c++) {
        int is = gantt_pixels_shade(&cell[from]);

        if (c < p->columns && gantt_pixels_shade(&cell[c]) == is)
            continue;
        if (is >= 0)
            put_run(p, &path[is], row, from, c);
        from = c;
    }
}

static struct cs_gantt_style style_of(const struct cs_gantt *g, int key)
{
    enum cs_bar_kind kind = key == DOWN ? CS_BAR_DOWNTIME : key >= LOST ? CS_BAR_LOST : CS_BAR_WORK;

    return cs_gantt_style(g, key % CS_PALETTE_BARS, kind);
}

static void gantt_pixels_paint(struct cs_gantt_pixels *p, int key, double strength,
                               const char *commands)
{
    struct cs_gantt_style appearance = style_of(p->g, key);
    struct cs_color_text fill = cs_color_text(appearance.fill);

    cs_svg_path(p->g->out, commands,
                &(struct cs_svg_paint){.fill = fill.text, .opacity = strength});
    if (appearance.hatched)
        cs_svg_path(p->g->out, commands,
                    &(struct cs_svg_paint){.fill = appearance.texture, .opacity = strength});
}

void cs_gantt_pixels_draw(struct cs_gantt_pixels *p)
{
    static const double strength[LEVELS] = {0.4, 0.6, 0.8, 1};
    struct cs_strbuf path[KEYS * LEVELS];

    if (!p->any)
        return;
    for (int i = 0; i < KEYS * LEVELS; i++)
        path[i] = (struct cs_strbuf)CS_STRBUF_INIT;
    for (int row = 0; row < p->rows; row++)
        gantt_pixels_put_row(p, row, path);
    cs_strbuf_puts(p->g->out, "<g class=\"pixels\" shape-rendering=\"crispEdges\">\n");
    for (int i = 0; i < KEYS * LEVELS; i++) {
        if (path[i].length)
            gantt_pixels_paint(p, i / LEVELS, strength[i % LEVELS], path[i].text);
        cs_strbuf_release(&path[i]);
    }
    cs_svg_group_end(p->g->out);
}
