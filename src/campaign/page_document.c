/* page_document.c - axes, metrics and numbers of a document as JSON. */
#include "campaign/page_document.h"

#include <inttypes.h>
#include <math.h>

#define RELATIVES 12000 /* so many lists of ratios at most: they must not make the page heavy */
#define PLACES 4000000  /* of a table from places to groups */

static void put_set(json_t *set, struct cs_jsonw *w)
{
    const char *name;
    json_t *value;

    cs_jsonw_key(w, "set");
    cs_jsonw_open_flat(w, '[');
    json_object_foreach(set, name, value)
    {
        struct cs_strbuf text = CS_STRBUF_INIT;

        if (json_is_number(value))
            cs_strbuf_put_double(&text, json_number_value(value));
        cs_jsonw_open(w, '[');
        cs_jsonw_string(w, name);
        cs_jsonw_string(w, json_is_string(value) ? json_string_value(value) : text.text);
        cs_jsonw_close(w);
        cs_strbuf_release(&text);
    }
    cs_jsonw_close(w);
}

/* Some group has no value on the axis: the page shows one more, which is none. */
static bool has_none(const struct cs_page_document *document, int axis)
{
    for (int g = 0; g < document->summary->groups; g++)
        if (document->at[g * document->axes + axis] < 0)
            return true;
    return false;
}

static void put_value(const struct cs_page_value *value, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "label", value->label);
    if (!isnan(value->number))
        cs_jsonw_put_double(w, "number", value->number);
    if (value->where)
        cs_jsonw_put_string(w, "where", value->where);
    cs_jsonw_close(w);
}

static void put_axis(const struct cs_page_document *document, int a, struct cs_jsonw *w)
{
    const struct cs_page_axis *axis = &document->axis[a];

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", axis->name);
    cs_jsonw_put_string(w, "title", axis->title);
    cs_jsonw_put_bool(w, "plain", axis->plain);
    cs_jsonw_key(w, "values");
    cs_jsonw_open(w, '[');
    for (int v = 0; v < axis->count; v++)
        put_value(&axis->value[v], w);
    if (has_none(document, a)) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "label", "–");
        cs_jsonw_put_bool(w, "none", true);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

static void put_metric(const struct cs_page_metric *metric, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "name", metric->name);
    cs_jsonw_put_string(w, "title", metric->title);
    cs_jsonw_put_string(w, "summary", metric->summary);
    cs_jsonw_put_bool(w, "log", metric->log);
    cs_jsonw_put_double(w, "low", metric->low);
    cs_jsonw_put_double(w, "high", metric->high);
    cs_jsonw_close(w);
}

static void put_figure(const struct cs_page_document *document, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "figure");
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "x", document->x);
    cs_jsonw_put_int(w, "series", document->series);
    cs_jsonw_put_int(w, "panel", document->panel);
    cs_jsonw_put_int(w, "metric", 0);
    cs_jsonw_put_int(w, "columns", document->columns);
    if (document->log_known)
        cs_jsonw_put_bool(w, "log", document->log);
    cs_jsonw_close(w);
}

static void put_number(const struct cs_summary_number *number, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '[');
    cs_jsonw_int(w, number->n);
    cs_jsonw_int(w, number->none);
    for (int f = 0; f < CS_FIGURES; f++)
        cs_jsonw_double(w, number->sample.figure[f]);
    cs_jsonw_close(w);
}

static int value_at(const struct cs_page_document *document, int g, int a)
{
    int value = document->at[g * document->axes + a];

    return value < 0 ? document->axis[a].count : value;
}

static void put_group(const struct cs_page_document *document, int g, struct cs_jsonw *w)
{
    const struct cs_summary_group *group = &document->summary->group[g];

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_key(w, "at");
    cs_jsonw_open(w, '[');
    for (int a = 0; a < document->axes; a++)
        cs_jsonw_int(w, value_at(document, g, a));
    cs_jsonw_close(w);
    cs_jsonw_put_int(w, "count", group->count);
    cs_jsonw_put_int(w, "done", group->done);
    cs_jsonw_key(w, "v");
    cs_jsonw_open(w, '[');
    for (int m = 0; m < document->metrics; m++) {
        struct cs_summary_number number = document->number(document, g, m, -1);

        put_number(&number, w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}

/* From a place to the group there. */
struct places {
    const struct cs_page_document *document;
    int64_t *stride;
    int *group; /* -1: none */
    struct cs_arena *arena;
};

static int64_t place_of(const struct places *places, int g)
{
    int64_t place = 0;

    for (int a = 0; a < places->document->axes; a++)
        place += places->stride[a] * value_at(places->document, g, a);
    return place;
}

/* false when there are too many. */
static bool find_places(struct places *places, const struct cs_page_document *document)
{
    int64_t count = 1;

    places->document = document;
    places->stride = CS_NEW_ARRAY(places->arena, int64_t, document->axes);
    for (int a = 0; a < document->axes; a++) {
        places->stride[a] = count;
        count *= document->axis[a].count + 1;
        if (count > PLACES)
            return false;
    }
    places->group = CS_NEW_ARRAY(places->arena, int, (size_t)count);
    for (int64_t p = 0; p < count; p++)
        places->group[p] = -1;
    for (int g = 0; g < document->summary->groups; g++)
        places->group[place_of(places, g)] = g;
    return true;
}

/* The group that differs from this one in the value on one axis; -1: none. */
static int find_besides(const struct places *places, int g, int axis, int value)
{
    int own = value_at(places->document, g, axis);

    return places->group[place_of(places, g) + places->stride[axis] * (value - own)];
}

static void put_ratios(const struct places *places, int g, int m, int axis, struct cs_jsonw *w)
{
    cs_jsonw_open_flat(w, '[');
    for (int v = 0; v < places->document->axis[axis].count; v++) {
        int over = find_besides(places, g, axis, v);

        if (over < 0) {
            cs_jsonw_null(w);
        } else {
            struct cs_summary_number number =
                places->document->number(places->document, g, m, over);

            put_number(&number, w);
        }
    }
    cs_jsonw_close(w);
}

static void put_relative_axis(const struct places *places, int axis, int *left, struct cs_jsonw *w)
{
    const struct cs_page_document *document = places->document;
    int64_t each = (int64_t)document->summary->groups * document->axis[axis].count;

    cs_jsonw_open(w, '[');
    for (int m = 0; m < document->metrics; m++) {
        if (document->metric[m].ratio || each > *left) {
            cs_jsonw_null(w);
            continue;
        }
        *left -= (int)each;
        cs_jsonw_open(w, '[');
        for (int g = 0; g < document->summary->groups; g++)
            put_ratios(places, g, m, axis, w);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Series first: these are compared most. */
static void put_relative(const struct cs_page_document *document, struct cs_jsonw *w)
{
    struct places places = {.arena = cs_arena_create()};
    int left = find_places(&places, document) ? RELATIVES : 0;
    const int of_series = document->series;

    cs_jsonw_key(w, "relative");
    cs_jsonw_open(w, '[');
    for (int a = 0; a < document->axes; a++) {
        if (a != of_series || document->axis[a].count < 2 || !left)
            cs_jsonw_null(w);
        else
            put_relative_axis(&places, a, &left, w);
    }
    cs_jsonw_close(w);
    cs_arena_destroy(places.arena);
}

int cs_page_document_done(const struct cs_summary *summary)
{
    int done = 0;

    for (int g = 0; g < summary->groups; g++)
        done += summary->group[g].done;
    return done;
}

static int count_cells(const struct cs_summary *summary)
{
    int count = 0;

    for (int g = 0; g < summary->groups; g++)
        count += summary->group[g].count;
    return count;
}

static void put_head(const struct cs_page_document *document, struct cs_jsonw *w)
{
    struct cs_strbuf seed = CS_STRBUF_INIT;

    cs_strbuf_printf(&seed, "%" PRIu64, document->seed);
    cs_jsonw_put_string(w, "title", document->title);
    cs_jsonw_put_string(w, "subtitle", document->subtitle);
    cs_jsonw_put_string(w, "citation", document->citation);
    cs_jsonw_put_string(w, "problem", document->problem);
    cs_jsonw_put_string(w, "seed", seed.text);
    cs_jsonw_put_bool(w, "quick", document->quick);
    cs_jsonw_put_int(w, "cells", count_cells(document->summary));
    cs_jsonw_put_int(w, "done", cs_page_document_done(document->summary));
    cs_jsonw_put_string(w, "command", document->command);
    put_set(document->set, w);
    cs_strbuf_release(&seed);
}

static void put_names(struct cs_jsonw *w)
{
    cs_jsonw_key(w, "figures");
    cs_jsonw_open_flat(w, '[');
    cs_jsonw_string(w, "n");
    cs_jsonw_string(w, "none");
    for (int f = 0; f < CS_FIGURES; f++)
        cs_jsonw_string(w, cs_figure_name(f));
    cs_jsonw_close(w);
}

void cs_page_document_put(const struct cs_page_document *document, struct cs_jsonw *w)
{
    put_head(document, w);
    cs_jsonw_key(w, "axes");
    cs_jsonw_open(w, '[');
    for (int a = 0; a < document->axes; a++)
        put_axis(document, a, w);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "metrics");
    cs_jsonw_open(w, '[');
    for (int m = 0; m < document->metrics; m++)
        put_metric(&document->metric[m], w);
    cs_jsonw_close(w);
    put_figure(document, w);
    put_names(w);
    cs_jsonw_key(w, "groups");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < document->summary->groups; g++)
        put_group(document, g, w);
    cs_jsonw_close(w);
    put_relative(document, w);
}
