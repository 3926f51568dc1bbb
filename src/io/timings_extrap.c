/* timings_extrap.c - the files of Extra-P, a tool for performance models (docs/spec/run2.md, F2):
 * text, JSON of both kinds, lines of JSON, and TaLPas.
 *
 *     PARAMETER p
 *     POINTS 4 8 16            also (4) (8) (16); of two parameters (4 100) (8 100)
 *     METRIC time
 *     REGION solve
 *     DATA 10.1 10.3           the runs on 4 processors
 *     DATA 5.6 5.5
 *     DATA 3.0
 *
 * All forms become measurements: a region, a metric, the values of the parameters, a time. Then one
 * region, one metric and the parameter that is the count are chosen, in this order.
 */
#include "io/timings.h"

#include "base/json.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#define PARAMETERS 8

struct measurement {
    const char *region, *metric; /* "": not named */
    double point[PARAMETERS];
    double value;
    long line;
};

struct extrap {
    struct cs_timings_source *s;
    const char *parameter[PARAMETERS];
    int parameters;
    struct measurement *measurement;
    int count, room;
};

static void extrap_add(struct extrap *x, const struct measurement *measurement)
{
    CS_ARENA_ROOM(x->s->arena, x->measurement, x->count, x->room, 64);
    x->measurement[x->count++] = *measurement;
}

/* The index of a parameter, which is added; -1 with err when there are too many. */
static int extrap_parameter(struct extrap *x, const char *name, long line)
{
    for (int p = 0; p < x->parameters; p++)
        if (!strcmp(x->parameter[p], name))
            return p;
    if (x->parameters == PARAMETERS)
        return cs_timings_error(x->s, line, "PARAMETER: found more than %d", PARAMETERS);
    x->parameter[x->parameters] = cs_arena_strdup(x->s->arena, name);
    return x->parameters++;
}

/* ---- choosing ---- */

/* The different values of a member, in order of appearance, of the measurements that are left. */
static int extrap_list(const struct extrap *x, bool metric, const char **name)
{
    int names = 0;

    for (int m = 0; m < x->count; m++) {
        const char *own = metric ? x->measurement[m].metric : x->measurement[m].region;
        int n = 0;

        while (n < names && strcmp(name[n], own) != 0)
            n++;
        if (n == names)
            name[names++] = own;
    }
    return names;
}

/* Only those of this region or metric; the others are named as not read. */
static void extrap_keep(struct extrap *x, bool metric, const char *name, const char *const *all,
                        int names)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int kept = 0;

    cs_strbuf_puts(&text, x->s->out->unread ? x->s->out->unread : "");
    for (int n = 0; n < names; n++)
        if (strcmp(all[n], name) != 0)
            cs_strbuf_printf(&text, "%s%s %s", text.length ? ", " : "",
                             metric ? "metric" : "region", all[n]);
    if (text.length)
        x->s->out->unread = cs_arena_strdup(x->s->arena, text.text);
    cs_strbuf_release(&text);

    for (int m = 0; m < x->count; m++)
        if (!strcmp(metric ? x->measurement[m].metric : x->measurement[m].region, name))
            x->measurement[kept++] = x->measurement[m];
    x->count = kept;
}

static void put_names(struct cs_strbuf *out, const char *const *name, int names)
{
    for (int n = 0; n < names; n++)
        cs_strbuf_printf(out, "%s%s", n ? ", " : "", name[n]);
}

static int choose_region(struct extrap *x)
{
    const char **name = CS_NEW_ARRAY(x->s->arena, const char *, x->count + 1);
    const char *wanted = x->s->options->region;
    const int names = extrap_list(x, false, name);
    struct cs_strbuf list = CS_STRBUF_INIT;
    int chosen = names == 1 && !wanted ? 0 : -1;

    for (int n = 0; chosen < 0 && n < names; n++)
        if (wanted ? !strcmp(name[n], wanted)
                   : !strcmp(name[n], "main") || !strcmp(name[n], "main()"))
            chosen = n;
    put_names(&list, name, names);
    if (chosen >= 0)
        extrap_keep(x, false, name[chosen], name, names);
    else if (wanted)
        cs_error_set(x->s->err, "--region: \"%s\" is not a region of %s: %s", wanted, x->s->name,
                     list.text);
    else
        cs_error_set(x->s->err, "%s: %d regions (%s): select one with --region NAME", x->s->name,
                     names, list.text);
    cs_strbuf_release(&list);
    return chosen < 0 ? -1 : 0;
}

static bool is_time_name(const char *name)
{
    for (; *name; name++)
        if (cs_plain_begins(name, "time"))
            return true;
    return false;
}

static int choose_metric(struct extrap *x)
{
    const char **name = CS_NEW_ARRAY(x->s->arena, const char *, x->count + 1);
    const char *wanted = x->s->options->metric;
    const int names = extrap_list(x, true, name);
    struct cs_strbuf list = CS_STRBUF_INIT;
    int chosen = names == 1 && !wanted ? 0 : -1;

    for (int n = 0; chosen < 0 && n < names; n++)
        if (wanted ? !strcmp(name[n], wanted) : is_time_name(name[n]))
            chosen = n;
    put_names(&list, name, names);
    if (chosen >= 0)
        extrap_keep(x, true, name[chosen], name, names);
    else if (wanted)
        cs_error_set(x->s->err, "--metric: \"%s\" is not a metric of %s: %s", wanted, x->s->name,
                     list.text);
    else
        cs_error_set(x->s->err,
                     "%s: several metrics (%s) and none is a time: select one with --metric NAME",
                     x->s->name, list.text);
    cs_strbuf_release(&list);
    return chosen < 0 ? -1 : 0;
}

/* The parameter that is the number of processors. */
static int choose_count(const struct extrap *x, bool *node)
{
    const char *wanted = x->s->options->count;
    struct cs_strbuf list = CS_STRBUF_INIT;
    int chosen = -1;

    *node = false;
    for (int p = 0; wanted && p < x->parameters; p++)
        if (!strcmp(x->parameter[p], wanted))
            chosen = p;
    for (int p = 0; chosen < 0 && !wanted && p < x->parameters; p++)
        if (cs_timings_count_rank(x->parameter[p], node) >= 0 || !strcmp(x->parameter[p], "p"))
            chosen = p;
    if (chosen < 0 && !wanted && x->parameters == 1)
        chosen = 0;
    put_names(&list, x->parameter, x->parameters);
    if (chosen >= 0)
        cs_timings_count_rank(x->parameter[chosen], node);
    else
        cs_error_set(x->s->err,
                     "%s: none of the parameters %s is a number of processors: select one with "
                     "--count NAME",
                     x->s->name, list.text);
    cs_strbuf_release(&list);
    return chosen;
}

/* "main n=100": the region, or the file, and the other parameters. */
static const char *measurement_app(const struct extrap *x, const struct measurement *m, int count)
{
    const int64_t none = 0;
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *app;

    cs_strbuf_puts(&text, x->s->options->app ? x->s->options->app
                          : *m->region       ? m->region
                                             : cs_timings_file_app(x->s, &none, 1, ""));
    for (int p = 0; p < x->parameters; p++) {
        if (p == count)
            continue;
        cs_strbuf_printf(&text, " %s=", x->parameter[p]);
        cs_strbuf_put_double(&text, m->point[p]);
    }
    app = cs_arena_strdup(x->s->arena, text.text);
    cs_strbuf_release(&text);
    return app;
}

static int extrap_take(struct extrap *x)
{
    const char *unit = x->s->options->unit;
    bool node;
    int count;

    if (!x->count)
        return cs_timings_error(x->s, 0, "%s without a measurement", x->s->out->kind);
    if (choose_region(x) || choose_metric(x) || (count = choose_count(x, &node)) < 0)
        return -1;
    for (int i = 0; i < x->count; i++) {
        const struct measurement *m = &x->measurement[i];
        const double procs = m->point[count];

        if (!(procs >= 1 && procs <= 1e9 && procs == floor(procs)))
            return cs_timings_error(x->s, m->line,
                                    "%s: found %g, expected a whole number from 1 on",
                                    x->parameter[count], procs);
        if (!(m->value > 0 && isfinite(m->value)))
            return cs_timings_error(x->s, m->line,
                                    "found %g, expected a positive number of seconds", m->value);
        cs_timings_add(x->s, measurement_app(x, m, count), (int64_t)procs,
                       unit ? !strcmp(unit, "node") : node, m->value, m->line);
    }
    return 0;
}

/* ---- text ---- */

struct extrap_text {
    struct extrap x;
    double (*point)[PARAMETERS];
    int points, room, data;
    const char *region, *metric;
};

bool cs_timings_extrap_text_detect(const struct cs_timings_source *s)
{
    return !strncmp(s->line[s->first], "PARAMETER ", 10);
}

/* "(4 100) (8 100)", "4 8": values of all parameters, one point after the other; lines before DATA
 * continue each other. */
static int text_points(struct extrap_text *t, char **word, int words, long line)
{
    const int each = t->x.parameters ? t->x.parameters : 1;

    if (words % each)
        return cs_timings_error(t->x.s, line, "POINTS: found %d values, expected %d for each point",
                                words, each);
    if (t->data)
        t->points = t->data = 0;
    if (t->points + words / each >= t->room) {
        t->room = 2 * t->points + words / each + 1;
        t->point = cs_arena_grow(t->x.s->arena, t->point, (size_t)t->points, (size_t)t->room,
                                 sizeof *t->point);
    }
    for (int w = 0; w < words; w++) {
        double *value = &t->point[t->points][w % each];

        if (cs_number_double(word[w], value) != CS_NUMBER_FINE)
            return cs_timings_error(t->x.s, line, "POINTS: found \"%s\", expected a number",
                                    word[w]);
        t->points += w % each == each - 1;
    }
    return 0;
}

/* Every point of the region and metric that end here has its DATA. */
static int text_end(const struct extrap_text *t, long line)
{
    if (!t->data || t->data == t->points)
        return 0;
    return cs_timings_error(t->x.s, line,
                            "DATA: found %d lines before this, expected %d, one for each "
                            "of POINTS",
                            t->data, t->points);
}

static int text_data(struct extrap_text *t, char *const *word, int words, long line)
{
    struct measurement m = {
        .region = t->region ? t->region : "", .metric = t->metric ? t->metric : "", .line = line};

    if (t->data >= t->points)
        return cs_timings_error(t->x.s, line, "DATA: more lines than the %d points", t->points);
    if (!words)
        return cs_timings_error(t->x.s, line, "DATA: expected a value");
    memcpy(m.point, t->point[t->data++], sizeof m.point);
    for (int w = 0; w < words; w++) {
        if (cs_number_double(word[w], &m.value) != CS_NUMBER_FINE)
            return cs_timings_error(t->x.s, line, "DATA: found \"%s\", expected a number", word[w]);
        extrap_add(&t->x, &m);
    }
    return 0;
}

static int text_line(struct extrap_text *t, long l)
{
    char *line = cs_arena_strdup(t->x.s->arena, t->x.s->line[l]);
    const char *rest = line + strcspn(line, " \t");
    char **word;
    int words;

    rest += strspn(rest, " \t");
    rest = cs_arena_strdup(t->x.s->arena, rest);
    if (!strncmp(line, "POINTS", 6))
        for (char *at = line; *at; at++)
            *at = strchr("()", *at) ? ' ' : *at;
    word = cs_timings_fields(t->x.s->arena, line, '\0', &words);
    if (!words || *word[0] == '#')
        return 0;
    if (!strcmp(word[0], "PARAMETER")) {
        for (int w = 1; w < words; w++)
            if (extrap_parameter(&t->x, word[w], l + 1) < 0)
                return -1;
        return 0;
    }
    if (!strcmp(word[0], "POINTS"))
        return text_points(t, word + 1, words - 1, l + 1);
    if (!strcmp(word[0], "DATA"))
        return text_data(t, word + 1, words - 1, l + 1);
    if (strcmp(word[0], "REGION") != 0 && strcmp(word[0], "METRIC") != 0)
        return cs_timings_error(t->x.s, l + 1,
                                "found \"%s\", expected PARAMETER, POINTS, METRIC, REGION or DATA",
                                word[0]);
    if (text_end(t, l + 1))
        return -1;
    *(word[0][0] == 'R' ? &t->region : &t->metric) = rest;
    t->data = 0;
    return 0;
}

int cs_timings_extrap_text_read(struct cs_timings_source *s)
{
    struct extrap_text t = {.x = {.s = s}};

    for (long l = 0; l < s->lines; l++)
        if (text_line(&t, l))
            return -1;
    return text_end(&t, s->lines) ? -1 : extrap_take(&t.x);
}

/* ---- JSON ---- */

bool cs_timings_extrap_detect(const struct cs_timings_source *s)
{
    return json_object_get(s->json, "parameters") && json_object_get(s->json, "measurements");
}

/* A number, or each of a list. */
static void add_values(struct extrap *x, struct measurement *m, const json_t *values)
{
    const json_t *value;
    size_t v;

    if (json_is_number(values)) {
        m->value = json_number_value(values);
        extrap_add(x, m);
    }
    json_array_foreach(values, v, value)
    {
        m->value = json_is_number(value) ? json_number_value(value) : NAN;
        extrap_add(x, m);
    }
}

/* {"sweep": {"time": [{"point": [4], "values": [3.5, 3.6]}]}} */
static void json_regions(struct extrap *x, const json_t *measurements)
{
    const char *region, *metric;
    json_t *metrics, *list;

    json_object_foreach((json_t *)(uintptr_t)measurements, region, metrics)
    {
        json_object_foreach(metrics, metric, list)
        {
            const json_t *one;
            size_t i;

            json_array_foreach(list, i, one)
            {
                const json_t *point = json_object_get(one, "point");
                struct measurement m = {region, metric, .line = 1};

                for (int p = 0; p < x->parameters; p++)
                    m.point[p] = json_number_value(
                        json_is_array(point) ? json_array_get(point, (size_t)p) : point);
                add_values(x, &m, json_object_get(one, "values"));
            }
        }
    }
}

/* The element of a list with this id; NULL: missing. */
static const json_t *json_by_id(const json_t *list, const json_t *id)
{
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
    {
        if (json_is_integer(id) &&
            json_integer_value(json_object_get(one, "id")) == json_integer_value(id))
            return one;
    }
    return NULL;
}

static const char *json_name_by_id(const json_t *list, const json_t *id)
{
    const char *name = json_string_value(json_object_get(json_by_id(list, id), "name"));

    return name ? name : "";
}

/* The older kind: lists of things with ids. */
static int json_ids(struct extrap *x, const json_t *root)
{
    const json_t *parameters = json_object_get(root, "parameters"), *one, *pair;
    size_t i, v;

    json_array_foreach(json_object_get(root, "measurements"), i, one)
    {
        const json_t *place =
            json_by_id(json_object_get(root, "coordinates"), json_object_get(one, "coordinate_id"));
        struct measurement m = {
            json_name_by_id(json_object_get(root, "callpaths"),
                            json_object_get(one, "callpath_id")),
            json_name_by_id(json_object_get(root, "metrics"), json_object_get(one, "metric_id")),
            .line = 1};

        json_array_foreach(json_object_get(place, "parameter_value_pairs"), v, pair)
        {
            const char *name = json_name_by_id(parameters, json_object_get(pair, "parameter_id"));
            const int p = extrap_parameter(x, name, 1);

            if (p < 0)
                return -1;
            m.point[p] = json_number_value(json_object_get(pair, "parameter_value"));
        }
        add_values(x, &m, json_object_get(one, "value"));
    }
    return 0;
}

int cs_timings_extrap_read(struct cs_timings_source *s)
{
    const json_t *measurements = json_object_get(s->json, "measurements"), *parameter;
    struct extrap x = {.s = s};
    size_t p;

    if (json_is_array(measurements))
        return json_ids(&x, s->json) ? -1 : extrap_take(&x);
    json_array_foreach(json_object_get(s->json, "parameters"), p, parameter)
    {
        const char *name = json_string_value(parameter);

        if (!name)
            name = json_string_value(json_object_get(parameter, "name"));
        if (!name || extrap_parameter(&x, name, 1) < 0)
            return name ? -1 : cs_timings_error(s, 0, "parameters[%zu]: expected a name", p);
    }
    json_regions(&x, measurements);
    return extrap_take(&x);
}

/* ---- a line each ---- */

/* The line as an object, or NULL. */
static json_t *line_object(const char *line, bool talpas)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    bool quoted = false;
    json_t *object;

    for (; *line; line++) {
        quoted ^= *line == '"';
        cs_strbuf_putc(&text, talpas && *line == ';' && !quoted ? ',' : *line);
    }
    object = cs_json_parse(text.length ? text.text : "", text.length, 0);
    cs_strbuf_release(&text);
    if (json_is_object(object))
        return object;
    json_decref(object);
    return NULL;
}

bool cs_timings_extrap_lines_detect(const struct cs_timings_source *s)
{
    for (long l = 0; l < s->lines; l++) {
        json_t *object;
        bool fits;

        if (!s->line[l][0])
            continue;
        object = s->line[l][0] == '{' ? line_object(s->line[l], false) : NULL;
        fits = json_object_get(object, "params") && json_object_get(object, "value");
        json_decref(object);
        if (!fits)
            return false;
    }
    return true;
}

bool cs_timings_extrap_talpas_detect(const struct cs_timings_source *s)
{
    const char *line = s->line[s->first], *end = strchr(line, '}');

    return !strncmp(line, "{\"parameters\":{", 15) && end && end[1] == ';';
}

static int object_take(struct extrap *x, const json_t *object, const char *parameters, long line)
{
    const char *region = json_string_value(json_object_get(object, "callpath"));
    const char *metric = json_string_value(json_object_get(object, "metric")), *name;
    struct measurement m = {region ? cs_arena_strdup(x->s->arena, region) : "",
                            metric ? cs_arena_strdup(x->s->arena, metric) : "", .line = line};
    json_t *value;

    json_object_foreach(json_object_get(object, parameters), name, value)
    {
        const int p = extrap_parameter(x, name, line);

        if (p < 0)
            return -1;
        m.point[p] = json_number_value(value);
    }
    add_values(x, &m, json_object_get(object, "value"));
    return 0;
}

static int read_objects(struct cs_timings_source *s, const char *parameters, bool talpas)
{
    struct extrap x = {.s = s};

    for (long l = 0; l < s->lines; l++) {
        json_t *object;
        int status;

        if (!s->line[l][strspn(s->line[l], " \t")])
            continue;
        object = line_object(s->line[l], talpas);
        if (!object)
            return cs_timings_error(s, l + 1, "found no object of JSON");
        status = object_take(&x, object, parameters, l + 1);
        json_decref(object);
        if (status)
            return -1;
    }
    return extrap_take(&x);
}

int cs_timings_extrap_lines_read(struct cs_timings_source *s)
{
    return read_objects(s, "params", false);
}

int cs_timings_extrap_talpas_read(struct cs_timings_source *s)
{
    return read_objects(s, "parameters", true);
}
