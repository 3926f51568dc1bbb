/* timings_extrap.c - timings in the text format of Extra-P, the tool for performance models.
 *
 *     PARAMETER p
 *     POINTS 4 8 16            also (4) (8) (16)
 *     METRIC time
 *     REGION solve             an application
 *     DATA 10.1 10.3           the runs on 4 processors
 *     DATA 5.6 5.5
 *     DATA 3.0
 *
 * The parameter is the number of processors; a file with another one, or with two, is rejected.
 * Metrics that are no time are named in one warning and not read.  Without METRIC the values are
 * seconds.  Lines that begin with # are comments.
 */
#include "base/guard.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/plain.h"
#include "io/measure.h"
#include "io/names.h"
#include "io/workload.h"
#include "io/workload_columns.h"
#include "model/workload.h"

#include <limits.h>
#include <string.h>

#define BLANKS " \t"

struct extrap {
    struct cs_lines *lines;
    struct cs_error *err;
    struct cs_arena *arena;
    struct cs_names *names;
    bool parameter;
    int *point;
    size_t points, points_room;
    struct cs_measure *measure;
    size_t count, room;
    int region;              /* -1: none yet */
    size_t data;             /* DATA lines since REGION or METRIC */
    bool skipped;            /* the metric is no time */
    struct cs_strbuf others; /* metrics that are not read */
    char metric[64];         /* the one that is read; "": none yet */
};

/* The first word of the first line that is neither blank nor a comment. */
bool cs_timings_extrap_detect(const char *text, size_t size)
{
    static const char tag[] = "PARAMETER";
    const char *at = text, *end = text + size;

    while (at < end && (*at == '#' || strchr(" \t\r\n", *at))) {
        const char *line = *at == '#' ? memchr(at, '\n', (size_t)(end - at)) : at;

        at = line ? line + 1 : end;
    }
    return (size_t)(end - at) > sizeof tag && !memcmp(at, tag, sizeof tag - 1) &&
           strchr(BLANKS, at[sizeof tag - 1]);
}

/* The next word of the rest of a line, or NULL. */
static char *extrap_word(char **rest)
{
    char *word = *rest + strspn(*rest, BLANKS);
    const size_t length = strcspn(word, BLANKS);

    *rest = word + length + (word[length] != '\0');
    word[length] = '\0';
    return length ? word : NULL;
}

static int read_parameter(struct extrap *x, char *rest)
{
    for (const char *word; (word = extrap_word(&rest));) {
        if (x->parameter)
            return cs_lines_error(x->lines, x->err,
                                  "PARAMETER: found a second one, \"%.60s\", expected one, the "
                                  "number of processors",
                                  word);
        if (cs_plain_compare(word, "p") && !cs_workload_columns_is_procs(word))
            return cs_lines_error(x->lines, x->err,
                                  "PARAMETER: found \"%.60s\", expected the number of processors "
                                  "(p, procs, nodes, ranks, ...)",
                                  word);
        x->parameter = true;
    }
    return x->parameter ? 0 : cs_lines_error(x->lines, x->err, "PARAMETER: expected a name");
}

static int read_points(struct extrap *x, char *rest)
{
    for (char *at = rest; *at; at++)
        if (strchr("()", *at))
            *at = ' ';
    for (const char *word; (word = extrap_word(&rest));) {
        double value;

        if (cs_number_double(word, &value) != CS_NUMBER_FINE || !(value >= 1) ||
            value > CS_IO_PROCS_MOST || value != (int)value)
            return cs_lines_error(x->lines, x->err,
                                  "POINTS: found \"%.60s\", expected a number of processors", word);
        if (x->points == x->points_room) {
            x->points_room = 2 * x->points_room + 16;
            x->point = cs_block_resize(x->point, x->points_room * sizeof *x->point);
        }
        x->point[x->points++] = (int)value;
    }
    return 0;
}

/* Every point of the region and metric that end here has its DATA. */
static int end_block(struct extrap *x)
{
    if (x->region < 0 || !x->data || x->data == x->points)
        return 0;
    return cs_lines_error(x->lines, x->err,
                          "DATA: found %zu lines before this, expected %zu, one for each of POINTS",
                          x->data, x->points);
}

static int read_metric(struct extrap *x, const char *name)
{
    if (end_block(x))
        return -1;
    x->data = 0;
    x->skipped = !cs_workload_columns_is_seconds(name);
    if (x->skipped) {
        cs_strbuf_printf(&x->others, "%s%.60s", x->others.length ? ", " : "", name);
        return 0;
    }
    if (*x->metric && cs_plain_compare(x->metric, name))
        return cs_lines_error(x->lines, x->err,
                              "METRIC: found \"%.60s\" after \"%s\", expected one metric of time",
                              name, x->metric);
    cs_plain_print(x->metric, sizeof x->metric, "%.60s", name);
    return 0;
}

static int read_region(struct extrap *x, const char *name)
{
    const char *fault = cs_names_fault(name);

    if (fault)
        return cs_lines_error(x->lines, x->err, "REGION: %s", fault);
    if (end_block(x))
        return -1;
    x->data = 0;
    x->region = cs_names_add(x->names, name);
    return 0;
}

static int read_data(struct extrap *x, char *rest)
{
    int values = 0;

    if (x->region < 0)
        return cs_lines_error(x->lines, x->err, "found DATA, expected REGION before it");
    if (++x->data > x->points)
        return cs_lines_error(x->lines, x->err,
                              "DATA: found %zu lines, expected %zu, one for each of POINTS",
                              x->data, x->points);
    for (const char *word; !x->skipped && (word = extrap_word(&rest)); values++) {
        double seconds;

        if (cs_number_double(word, &seconds) != CS_NUMBER_FINE || !(seconds > 0))
            return cs_lines_error(x->lines, x->err,
                                  "DATA: found \"%.60s\", expected a positive number of seconds",
                                  word);
        if (x->count == x->room) {
            x->room = 2 * x->room + 64;
            x->measure = cs_block_resize(x->measure, x->room * sizeof *x->measure);
        }
        x->measure[x->count++] = (struct cs_measure){
            .task = x->region, .procs = x->point[x->data - 1], .seconds = seconds};
    }
    return values || x->skipped ? 0 : cs_lines_error(x->lines, x->err, "DATA: expected a value");
}

static int extrap_read_line(struct extrap *x, char *line)
{
    char *rest = line;
    const char *tag = extrap_word(&rest);

    if (!tag || *tag == '#')
        return 0;
    rest += strspn(rest, BLANKS);
    if (!strcmp(tag, "PARAMETER"))
        return read_parameter(x, rest);
    if (!strcmp(tag, "POINTS"))
        return read_points(x, rest);
    if (!strcmp(tag, "METRIC"))
        return read_metric(x, rest);
    if (!strcmp(tag, "REGION"))
        return read_region(x, rest);
    if (!strcmp(tag, "DATA"))
        return read_data(x, rest);
    return cs_lines_error(
        x->lines, x->err,
        "found \"%.60s\", expected PARAMETER, POINTS, METRIC, REGION or DATA (Extra-P)", tag);
}

static int extrap_read_lines(struct extrap *x)
{
    char *line;
    size_t length;
    int status;

    while ((status = cs_lines_next(x->lines, &line, &length, x->err)) > 0) {
        while (length && strchr(BLANKS, line[length - 1]))
            line[--length] = '\0';
        if (extrap_read_line(x, line))
            return -1;
    }
    if (status || end_block(x))
        return -1;
    return x->count
               ? 0
               : cs_error_set(x->err, "%s: there is no time: expected DATA of a metric of time",
                              cs_lines_name(x->lines));
}

static int check_regions(const struct extrap *x)
{
    int count;
    const char *const *name = cs_names_list(x->names, &count);
    bool *timed = CS_NEW_ARRAY(x->arena, bool, count);

    for (size_t i = 0; i < x->count; i++)
        timed[x->measure[i].task] = true;
    for (int i = 0; i < count; i++)
        if (!timed[i])
            return cs_error_set(x->err, "%s: REGION %.60s: has no DATA of a metric of time",
                                cs_lines_name(x->lines), name[i]);
    return 0;
}

static struct cs_workload *extrap_build(struct extrap *x, const struct cs_workload_options *options)
{
    int count;
    const char *const *name = cs_names_list(x->names, &count);
    struct cs_profile *profile = CS_NEW_ARRAY(x->arena, struct cs_profile, count);
    struct cs_strbuf remark = CS_STRBUF_INIT;
    struct cs_workload *workload;

    cs_measure_profiles(x->measure, x->count, options, profile, x->arena);
    workload = cs_workload_create(count, name, profile, NULL);
    if (x->others.length)
        cs_strbuf_printf(&remark, "%s: METRIC %s is not read: it is no time",
                         cs_lines_name(x->lines), x->others.text);
    cs_measure_put_caveats(x->measure, x->count, name, cs_lines_name(x->lines), NULL, &remark);
    if (remark.length)
        cs_workload_set_remark(workload, remark.text);
    cs_strbuf_release(&remark);
    return workload;
}

struct cs_workload *cs_timings_extrap_read(const char *name, const void *bytes, size_t size,
                                           const struct cs_workload_options *options,
                                           struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct extrap x = {.lines = cs_lines_open_memory(name, bytes, size),
                       .err = err,
                       .arena = arena,
                       .names = cs_names_create(arena),
                       .region = -1,
                       .others = CS_STRBUF_INIT};
    struct cs_workload *workload = NULL;

    if (!extrap_read_lines(&x) && !check_regions(&x))
        workload = extrap_build(&x, options);
    cs_lines_close(x.lines);
    cs_strbuf_release(&x.others);
    cs_block_free(x.measure);
    cs_block_free(x.point);
    cs_arena_destroy(arena);
    return workload;
}
