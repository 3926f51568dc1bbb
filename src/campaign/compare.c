/* compare.c - tables of paired differences and ranks, and the critical-difference diagram. */
#include "campaign/compare.h"

#include "base/jsonw.h"
#include "campaign/statistics.h"
#include "report/svg.h"
#include "report/text_metrics.h"

#include <math.h>
#include <string.h>

struct row {
    int condition, value, against;
    struct cs_pairs pairs;
    double p_holm; /* NaN: there is no p */
};

static const double *numbers_of(const struct cs_compare *c, const struct cs_compare_metric *m,
                                int condition, int value)
{
    return m->number +
           ((size_t)condition * (size_t)c->values + (size_t)value) * (size_t)c->replicates;
}

/* ---- rows ---- */

static struct row compare_row(const struct cs_compare *c, const struct cs_compare_metric *m,
                              int condition, int against, int value, struct cs_arena *arena)
{
    return (struct row){
        .condition = condition,
        .value = value,
        .against = against,
        .pairs = cs_statistics_pairs(numbers_of(c, m, condition, against),
                                     numbers_of(c, m, condition, value), c->replicates, m->smaller,
                                     c->confidence, arena),
        .p_holm = NAN,
    };
}

/* Holm's adjustment over the rows that have a p. */
static void rows_adjust(struct row *row, int count, struct cs_arena *arena)
{
    double *p = CS_NEW_ARRAY(arena, double, count), *adjusted = CS_NEW_ARRAY(arena, double, count);
    int n = 0;

    for (int r = 0; r < count; r++)
        if (row[r].pairs.pairs > 1)
            p[n++] = row[r].pairs.p;
    cs_statistics_holm(p, n, adjusted, arena);
    n = 0;
    for (int r = 0; r < count; r++)
        if (row[r].pairs.pairs > 1)
            row[r].p_holm = adjusted[n++];
}

static struct row *compare_rows(const struct cs_compare *c, const struct cs_compare_metric *m,
                                int *count, struct cs_arena *arena)
{
    const int k = c->values, each = c->reference < 0 ? k * (k - 1) / 2 : k - 1;
    struct row *row = CS_NEW_ARRAY(arena, struct row, c->conditions * each);

    *count = 0;
    for (int s = 0; s < c->conditions; s++)
        for (int a = 0; a < k; a++)
            for (int v = 0; v < k; v++)
                if (c->reference < 0 ? v > a : a == c->reference && v != a)
                    row[(*count)++] = compare_row(c, m, s, a, v, arena);
    rows_adjust(row, *count, arena);
    return row;
}

static const char *row_finding(const struct cs_compare *c, const struct cs_compare_metric *m,
                               const struct row *row)
{
    if (!(row->p_holm < 1 - c->confidence))
        return "no difference";
    return (row->pairs.effect < 0) == m->smaller ? "better" : "worse";
}

static void compare_put_row(struct cs_jsonw *w, const struct cs_compare *c,
                            const struct cs_compare_metric *m, const struct row *row)
{
    static const char *const method[] = {
        [CS_RANK_NONE] = "none", [CS_RANK_EXACT] = "exact", [CS_RANK_NORMAL] = "normal"};
    const struct cs_pairs *r = &row->pairs;

    cs_jsonw_put_int(w, "pairs", r->pairs);
    cs_jsonw_put_int(w, "dropped", r->dropped);
    if (r->pairs < 2) {
        cs_jsonw_put_string(w, "error", "fewer than two pairs");
        return;
    }
    cs_jsonw_put_double(w, "reference", r->reference);
    cs_jsonw_put_double(w, "mean", r->mean);
    cs_jsonw_put_double(w, "difference", r->difference);
    cs_jsonw_put_double(w, "low", r->low);
    cs_jsonw_put_double(w, "high", r->high);
    cs_jsonw_put_double(w, "ratio", r->ratio);
    cs_jsonw_put_double(w, "ratio_low", r->ratio_low);
    cs_jsonw_put_double(w, "ratio_high", r->ratio_high);
    cs_jsonw_put_int(w, "wins", r->wins);
    cs_jsonw_put_int(w, "ties", r->ties);
    cs_jsonw_put_int(w, "losses", r->losses);
    cs_jsonw_put_double(w, "w_plus", r->w_plus);
    cs_jsonw_put_double(w, "w_minus", r->w_minus);
    cs_jsonw_put_double(w, "effect", r->effect);
    cs_jsonw_put_string(w, "method", method[r->method]);
    cs_jsonw_put_double(w, "p", r->p);
    cs_jsonw_put_double(w, "p_holm", row->p_holm);
    cs_jsonw_put_string(w, "verdict", row_finding(c, m, row));
}

/* ---- ranks ---- */

/* The blocks in which no value is missing, as rows of a table. */
static double *blocks_complete(const struct cs_compare *c, const struct cs_compare_metric *m,
                               int *blocks, struct cs_arena *arena)
{
    const size_t k = (size_t)c->values;
    double *table =
        cs_arena_alloc(arena, (size_t)c->conditions * (size_t)c->replicates * k, sizeof *table);

    *blocks = 0;
    for (int s = 0; s < c->conditions; s++)
        for (int r = 0; r < c->replicates; r++) {
            double *row = table + (size_t)*blocks * k;
            bool complete = true;

            for (int v = 0; v < c->values; v++) {
                row[v] = numbers_of(c, m, s, v)[r];
                complete &= isfinite(row[v]) != 0;
            }
            *blocks += complete;
        }
    return table;
}

/* false: two values, or no complete block. */
static bool compare_ranks(const struct cs_compare *c, const struct cs_compare_metric *m,
                          struct cs_ranks *ranks, struct cs_arena *arena)
{
    const double *table;
    int blocks;

    if (c->values < 3)
        return false;
    table = blocks_complete(c, m, &blocks, arena);
    if (blocks)
        *ranks = cs_statistics_ranks(table, blocks, c->values, m->smaller, c->confidence, arena);
    return blocks > 0;
}

void cs_compare_put_value(const json_t *value, struct cs_strbuf *out)
{
    if (json_is_string(value))
        cs_strbuf_puts(out, json_string_value(value));
    else if (json_is_real(value))
        cs_strbuf_put_double(out, json_real_value(value));
    else
        cs_json_put(out, value, JSON_ENCODE_ANY);
}

static void put_value(struct cs_jsonw *w, const json_t *value)
{
    if (json_is_string(value))
        cs_jsonw_string(w, json_string_value(value));
    else if (json_is_integer(value))
        cs_jsonw_int(w, json_integer_value(value));
    else if (json_is_boolean(value))
        cs_jsonw_bool(w, json_is_true(value));
    else if (json_is_number(value))
        cs_jsonw_double(w, json_number_value(value));
    else
        cs_jsonw_null(w);
}

static void put_values(struct cs_jsonw *w, const struct cs_compare *c, const int *order, int first,
                       int last)
{
    cs_jsonw_open_flat(w, '[');
    for (int i = first; i <= last; i++)
        put_value(w, c->value[order ? order[i] : i]);
    cs_jsonw_close(w);
}

static void put_ranks(struct cs_jsonw *w, const struct cs_compare *c, const struct cs_ranks *ranks)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_int(w, "blocks", ranks->blocks);
    cs_jsonw_key(w, "values");
    put_values(w, c, NULL, 0, c->values - 1);
    cs_jsonw_key(w, "ranks");
    cs_jsonw_open_flat(w, '[');
    for (int v = 0; v < c->values; v++)
        cs_jsonw_double(w, ranks->rank[v]);
    cs_jsonw_close(w);
    cs_jsonw_put_double(w, "chi2", ranks->chi2);
    cs_jsonw_put_double(w, "p", ranks->p);
    if (isinf(ranks->f))
        cs_jsonw_put_string(w, "F", "inf");
    else
        cs_jsonw_put_double(w, "F", ranks->f);
    cs_jsonw_put_double(w, "p_F", ranks->p_f);
    cs_jsonw_put_double(w, "critical_difference", ranks->critical_difference);
    cs_jsonw_key(w, "order");
    put_values(w, c, ranks->order, 0, c->values - 1);
    cs_jsonw_key(w, "groups");
    cs_jsonw_open_flat(w, '[');
    for (int g = 0; g < ranks->groups; g++)
        put_values(w, c, ranks->order, ranks->group[g][0], ranks->group[g][1]);
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* ---- the whole ---- */

static void put_metric(struct cs_jsonw *w, const struct cs_compare *c,
                       const struct cs_compare_metric *m, struct cs_arena *arena)
{
    struct cs_ranks ranks;
    struct row *row;
    int count;

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "metric", m->name);
    cs_jsonw_put_string(w, "better", m->smaller ? "smaller" : "larger");
    row = compare_rows(c, m, &count, arena);
    cs_jsonw_key(w, "rows");
    cs_jsonw_open(w, '[');
    for (int r = 0; r < count; r++) {
        const char *key;
        json_t *value;

        cs_jsonw_open_flat(w, '{');
        cs_jsonw_key(w, "condition");
        cs_jsonw_open_flat(w, '{');
        json_object_foreach(c->condition[row[r].condition], key, value)
        {
            cs_jsonw_key(w, key);
            put_value(w, value);
        }
        cs_jsonw_close(w);
        cs_jsonw_key(w, "value");
        put_value(w, c->value[row[r].value]);
        if (c->reference < 0) {
            cs_jsonw_key(w, "against");
            put_value(w, c->value[row[r].against]);
        }
        compare_put_row(w, c, m, &row[r]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_key(w, "ranks");
    if (compare_ranks(c, m, &ranks, arena))
        put_ranks(w, c, &ranks);
    else
        cs_jsonw_null(w);
    cs_jsonw_close(w);
}

void cs_compare_put(const struct cs_compare *c, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_jsonw w = cs_jsonw_begin(out);
    const json_t *note;
    size_t n;

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "by", c->by);
    cs_jsonw_key(&w, "reference");
    put_value(&w, c->reference < 0 ? NULL : c->value[c->reference]);
    cs_jsonw_put_double(&w, "confidence", c->confidence);
    cs_jsonw_key(&w, "metrics");
    cs_jsonw_open(&w, '[');
    for (int m = 0; m < c->metrics; m++) {
        const struct cs_arena_mark mark = cs_arena_mark(arena);

        put_metric(&w, c, &c->metric[m], arena);
        cs_arena_rewind(arena, mark);
    }
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "notes");
    cs_jsonw_open(&w, '[');
    json_array_foreach(c->notes, n, note) cs_jsonw_string(&w, json_string_value(note));
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_arena_destroy(arena);
}

/* ---- the diagram ---- */

#define WIDTH 642.5 /* 17 cm in pixels of CSS */
#define MARGIN 150  /* for labels, left and right of the axis, at least */
#define BEYOND 28   /* of a margin: not for text */
#define AXIS 96     /* height of the axis of ranks */
#define LINE 18     /* of text */
#define SIZE 12     /* of type */
#define INK "#222222"

struct diagram {
    const struct cs_compare *compare;
    const struct cs_ranks *ranks;
    struct cs_strbuf *out;
    double margin, size; /* of labels: their room, and the size of their type */
};

static double diagram_x(const struct diagram *d, double rank)
{
    return d->margin + (rank - 1) * (WIDTH - 2 * d->margin) / (d->ranks->values - 1);
}

static void diagram_line(const struct diagram *d, double x1, double y1, double x2, double y2,
                         double width)
{
    const struct cs_svg_paint paint = {.stroke = INK, .width = width};

    cs_svg_line(d->out, x1, y1, x2, y2, &paint);
}

static void diagram_text(const struct diagram *d, double x, double y, enum cs_svg_anchor anchor,
                         const char *text)
{
    const struct cs_svg_font font = {.size = SIZE, .fill = INK, .anchor = anchor};

    cs_svg_text(d->out, x, y, &font, text);
}

static void draw_head(const struct diagram *d, const char *metric)
{
    const struct cs_ranks *r = d->ranks;
    const struct cs_svg_font title = {.size = 14, .fill = INK, .bold = true};
    const double end = diagram_x(d, 1 + fmin(r->critical_difference, r->values - 1));
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "Average ranks of %s by %s (1 is best)", metric, d->compare->by);
    cs_svg_text(d->out, 12, 20, &title, text.text);
    cs_strbuf_clear(&text);
    cs_strbuf_printf(&text, "Friedman: chi-square %.3f, F %.3f, p %.3g; N %d", r->chi2, r->f,
                     r->p_f, r->blocks);
    diagram_text(d, 12, 38, CS_SVG_START, text.text);
    cs_strbuf_clear(&text);
    cs_strbuf_printf(&text, "CD %.3f", r->critical_difference);
    diagram_line(d, d->margin, AXIS - 30, end, AXIS - 30, 1.5);
    diagram_line(d, d->margin, AXIS - 34, d->margin, AXIS - 26, 1.5);
    diagram_line(d, end, AXIS - 34, end, AXIS - 26, 1.5);
    diagram_text(d, end + 6, AXIS - 26, CS_SVG_START, text.text);
    cs_strbuf_release(&text);
}

static void draw_axis(const struct diagram *d)
{
    diagram_line(d, d->margin, AXIS, WIDTH - d->margin, AXIS, 1);
    for (int rank = 1; rank <= d->ranks->values; rank++) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_strbuf_printf(&text, "%d", rank);
        diagram_line(d, diagram_x(d, rank), AXIS - 5, diagram_x(d, rank), AXIS, 1);
        diagram_text(d, diagram_x(d, rank), AXIS - 9, CS_SVG_MIDDLE, text.text);
        cs_strbuf_release(&text);
    }
}

/* A group is a thick bar below the axis; bars that overlap are on separate lines. */
static double draw_groups(const struct diagram *d)
{
    const struct cs_ranks *r = d->ranks;

    for (int g = 0; g < r->groups; g++)
        diagram_line(d, diagram_x(d, r->rank[r->order[r->group[g][0]]]) - 3, AXIS + 8 + 7 * g,
                     diagram_x(d, r->rank[r->order[r->group[g][1]]]) + 3, AXIS + 8 + 7 * g, 4);
    return AXIS + 14 + 7 * r->groups;
}

static void put_label(const struct diagram *d, int value, struct cs_strbuf *out)
{
    cs_strbuf_clear(out);
    cs_compare_put_value(d->compare->value[value], out);
    cs_strbuf_printf(out, " %.2f", d->ranks->rank[value]);
}

/* Margins wide enough for the widest label; beyond two fifths of the picture its type is smaller.
 */
static void diagram_fit(struct diagram *d)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    double widest = 0;

    for (int v = 0; v < d->ranks->values; v++) {
        put_label(d, v, &text);
        widest = fmax(widest, cs_text_width(text.text, SIZE, false));
    }
    d->margin = fmin(fmax(MARGIN, widest + BEYOND), 0.4 * WIDTH);
    d->size = SIZE * fmin(1, (d->margin - BEYOND) / widest);
    cs_strbuf_release(&text);
}

/* The best half is labelled on the left, the best one first; the others on the right, the last
 * first. */
static void draw_labels(const struct diagram *d, double top)
{
    const struct cs_ranks *r = d->ranks;
    const int k = r->values, half = (k + 1) / 2;

    for (int i = 0; i < k; i++) {
        const bool left = i < half;
        const double y = top + LINE * (left ? i + 1 : k - i),
                     x = diagram_x(d, r->rank[r->order[i]]);
        const double edge = left ? d->margin - 12 : WIDTH - d->margin + 12;
        const struct cs_svg_font font = {
            .size = d->size, .fill = INK, .anchor = left ? CS_SVG_END : CS_SVG_START};
        struct cs_strbuf text = CS_STRBUF_INIT;

        put_label(d, r->order[i], &text);
        diagram_line(d, x, AXIS, x, y - 4, 1);
        diagram_line(d, x, y - 4, edge, y - 4, 1);
        cs_svg_text(d->out, left ? edge - 4 : edge + 4, y, &font, text.text);
        cs_strbuf_release(&text);
    }
}

int cs_compare_draw(const struct cs_compare *compare, int metric, struct cs_strbuf *out,
                    struct cs_error *err)
{
    const struct cs_compare_metric *m = &compare->metric[metric];
    struct cs_arena *arena = cs_arena_create();
    struct cs_ranks ranks;
    struct diagram d = {compare, &ranks, out, MARGIN, SIZE};
    int status = 0;

    if (compare_ranks(compare, m, &ranks, arena)) {
        const double bottom = AXIS + 14 + 7 * ranks.groups + LINE * ((ranks.values + 1) / 2) + 14;

        cs_svg_begin(out, WIDTH, bottom, NULL, "Critical differences");
        cs_svg_rect(out, 0, 0, WIDTH, bottom, 0, &(struct cs_svg_paint){.fill = "#ffffff"});
        diagram_fit(&d);
        draw_head(&d, m->name);
        draw_axis(&d);
        draw_labels(&d, draw_groups(&d));
        cs_svg_end(out);
    } else {
        status = cs_error_set(err,
                              "%s: a diagram of ranks needs three values of %s and a replicate "
                              "in which none is missing",
                              m->name, compare->by);
    }
    cs_arena_destroy(arena);
    return status;
}
