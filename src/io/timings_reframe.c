/* timings_reframe.c - results of ReFrame (reports and performance logs of both forms) and of Ramble
 * (docs/spec/run2.md, F2).
 */
#include "io/timings.h"

#include "base/number.h"
#include "base/plain.h"

#include <math.h>
#include <string.h>

#define TIMES 64 /* of one run */

/* One run: what is known of it. */
struct run {
    const char *name;
    int64_t nodes, tasks, per_node; /* 0: unknown */
    const char *time[TIMES];        /* names of its times, and the times */
    double seconds[TIMES];
    int times;
    long line;
};

static void run_add_time(struct run *r, const char *name, double seconds)
{
    if (r->times < TIMES && seconds > 0) {
        r->time[r->times] = name;
        r->seconds[r->times++] = seconds;
    }
}

static bool name_ends_with(const char *name, size_t length, const char *end)
{
    const size_t size = strlen(end);

    return length > size && !strncmp(name + length - size, end, size);
}

/* "Md_61k_64_32" of 64 tasks, 32 on each node, is Md_61k; "cfd_64" is cfd. */
static size_t name_length(const char *name, size_t length, const struct run *r)
{
    char end[64];

    if (r->tasks && r->nodes) {
        const int64_t each = r->per_node ? r->per_node : (r->tasks + r->nodes - 1) / r->nodes;

        cs_plain_print(end, sizeof end, "_%lld_%lld", (long long)r->tasks, (long long)each);
        if (name_ends_with(name, length, end))
            return length - strlen(end);
    }
    for (int i = 0; i < 2; i++) {
        const int64_t number = i ? r->tasks : r->nodes;
        size_t size;

        cs_plain_print(end, sizeof end, "%lld", (long long)number);
        size = strlen(end);
        if (number && name_ends_with(name, length, end) && length > size + 1 &&
            strchr("._-", name[length - size - 1]))
            return length - size - 1;
    }
    return length;
}

/* "cfd %num_nodes=1 %size=big" is "cfd size=big"; its nodes are kept. */
static const char *run_app(struct cs_timings_source *s, struct run *r)
{
    const char *parameters = strstr(r->name, " %");
    const size_t length = parameters ? (size_t)(parameters - r->name) : strlen(r->name);
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *app;

    for (const char *at = parameters; at; at = strstr(at + 2, " %")) {
        const char *end = strstr(at + 2, " %"), *equals = strchr(at + 2, '=');
        const size_t size = end ? (size_t)(end - at) - 2 : strlen(at + 2);
        const char *part = cs_arena_strndup(s->arena, at + 2, size);
        const char *key = equals && equals < at + 2 + size
                              ? cs_arena_strndup(s->arena, at + 2, (size_t)(equals - at) - 2)
                              : part;
        bool node;

        if (cs_timings_count_rank(key, &node) < 0)
            cs_strbuf_printf(&text, " %s", part);
        else if (node && equals && !strcmp(key, "num_nodes"))
            r->nodes = (int64_t)fmax(0, cs_number_prefix(equals + 1));
    }
    app = s->options->app;
    if (!app) {
        struct cs_strbuf whole = CS_STRBUF_INIT;

        cs_strbuf_append(&whole, r->name, name_length(r->name, length, r));
        cs_strbuf_puts(&whole, text.length ? text.text : "");
        app = cs_arena_strdup(s->arena, whole.text);
        cs_strbuf_release(&whole);
    }
    cs_strbuf_release(&text);
    return app;
}

/* Add the row of a run that has passed; or skip it. */
static int run_take(struct cs_timings_source *s, struct run *r)
{
    const char *unit = s->options->unit, *app;
    bool node;
    int time;

    app = run_app(s, r);
    if (!r->nodes && r->tasks && r->per_node)
        r->nodes = (r->tasks + r->per_node - 1) / r->per_node;
    if (!r->times) {
        cs_timings_skip(s, "no time");
        return 0;
    }
    if (!r->nodes && !r->tasks) {
        cs_timings_skip(s, "no count");
        return 0;
    }
    time = cs_timings_choose(s, r->time, r->times);
    if (time < 0)
        return -1;
    node = unit ? (!strcmp(unit, "node") && r->nodes) || !r->tasks : r->nodes > 0;
    cs_timings_add(s, app, node ? r->nodes : r->tasks, node, r->seconds[time], r->line);
    return 0;
}

/* ---- lists of hosts ---- */

/* How many hosts "n[1-3,7],m" has, or "a b c"; 0: none. */
static int64_t count_hosts(const char *list)
{
    int64_t hosts = 0, first = 0;
    bool inside = false, any = false;

    for (const char *at = list;; at++) {
        if (*at == '[') {
            inside = true;
            first = (int64_t)fmax(0, cs_number_prefix(at + 1));
        } else if (*at == '-' && inside) {
            const int64_t last = (int64_t)fmax(0, cs_number_prefix(at + 1));

            hosts += last > first ? last - first : 0;
        } else if (*at == ',' && inside) {
            hosts++;
            first = (int64_t)fmax(0, cs_number_prefix(at + 1));
        } else if (*at == ']') {
            inside = false;
        } else if (!*at || strchr(", ", *at)) {
            hosts += any;
            any = false;
            if (!*at)
                return hosts;
            continue;
        }
        any = true;
    }
}

/* ---- reports ---- */

bool cs_timings_reframe_detect(const struct cs_timings_source *s)
{
    return json_object_get(s->json, "session_info") && json_object_get(s->json, "runs");
}

static int64_t member_count(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    int64_t count;

    if (json_is_string(value))
        return cs_timings_whole(json_string_value(value), &count) ? count : 0;
    return json_is_integer(value) && json_integer_value(value) > 0 ? json_integer_value(value) : 0;
}

static int64_t member_hosts(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    if (json_is_array(value))
        return (int64_t)json_array_size(value);
    return json_is_string(value) ? count_hosts(json_string_value(value)) : 0;
}

/* "system:partition:elapsed": [value, reference, low, high, unit, ...] */
static void report_values(struct run *r, const json_t *values)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)values, key, value)
    {
        const char *colon = strrchr(key, ':');
        const char *unit = json_string_value(json_array_get(value, 4));

        if (unit && cs_timings_unit(unit) > 0)
            run_add_time(r, colon ? colon + 1 : key,
                         json_number_value(json_array_get(value, 0)) * cs_timings_unit(unit));
    }
}

/* The same in older reports: a list of objects. */
static void report_list(struct run *r, const json_t *list)
{
    const json_t *value;
    size_t v;

    json_array_foreach(list, v, value)
    {
        const char *unit = json_string_value(json_object_get(value, "unit"));
        const char *name = json_string_value(json_object_get(value, "name"));

        if (unit && name && cs_timings_unit(unit) > 0)
            run_add_time(r, name,
                         json_number_value(json_object_get(value, "value")) *
                             cs_timings_unit(unit));
    }
}

static int report_case(struct cs_timings_source *s, const json_t *tested, long line)
{
    const char *name = json_string_value(json_object_get(tested, "display_name"));
    const char *result = json_string_value(json_object_get(tested, "result"));
    struct run r = {.name = name ? name : json_string_value(json_object_get(tested, "name")),
                    .nodes = member_count(tested, "num_nodes"),
                    .tasks = member_count(tested, "num_tasks"),
                    .per_node = member_count(tested, "num_tasks_per_node"),
                    .line = line};

    if (!r.name)
        return cs_timings_error(s, 0, "testcases[%ld].name: found nothing, expected a text",
                                line - 1);
    if (result && strcmp(result, "pass") != 0 && strcmp(result, "success") != 0) {
        cs_timings_skip(s, "not passed");
        return 0;
    }
    if (!r.nodes)
        r.nodes = member_hosts(tested, "nodelist");
    report_values(&r, json_object_get(tested, "perfvalues"));
    report_list(&r, json_object_get(tested, "perfvars"));
    if (!r.times && json_is_number(json_object_get(tested, "time_run"))) {
        run_add_time(&r, "time_run", json_number_value(json_object_get(tested, "time_run")));
        cs_timings_note(s, "time_run");
    }
    return run_take(s, &r);
}

int cs_timings_reframe_read(struct cs_timings_source *s)
{
    const json_t *run, *tested;
    long line = 0;
    size_t r, t;

    json_array_foreach(json_object_get(s->json, "runs"), r, run)
    {
        json_array_foreach(json_object_get(run, "testcases"), t, tested)
        {
            if (report_case(s, tested, ++line))
                return -1;
        }
    }
    return 0;
}

/* ---- performance logs ---- */

static bool is_old_perflog(const char *line)
{
    const char *bar = strchr(line, '|');

    return bar && strspn(line, "0123456789") == 4 && line[4] == '-' &&
           !strncmp(bar + 1, "reframe ", 8);
}

bool cs_timings_perflog_detect(const struct cs_timings_source *s)
{
    const char *line = s->line[s->first];
    bool value = false;
    char **head;
    int count;

    if (is_old_perflog(line))
        return true;
    head = cs_timings_fields(s->arena, line, '|', &count);
    for (int c = 0; c < count; c++)
        value |= name_ends_with(head[c], strlen(head[c]), "_value");
    return value && cs_timings_column(head, count, "num_tasks") >= 0;
}

/* The value of "key=value" in a list with commas; NULL: missing. */
static const char *pair_value(const char *text, const char *key, struct cs_arena *arena)
{
    const size_t length = strlen(key);

    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " ");
        if (!strncmp(at, key, length) && at[length] == '=')
            return cs_arena_strndup(arena, at + length + 1, strcspn(at + length + 1, ","));
    }
    return NULL;
}

static int64_t pair_count(char *const *field, int fields, const char *key, struct cs_arena *arena)
{
    for (int f = 0; f < fields; f++) {
        const char *value = pair_value(field[f], key, arena);
        int64_t count;

        if (value && cs_timings_whole(value, &count))
            return count;
    }
    return 0;
}

/* A line of an old log: date|reframe ...|NAME on ...|jobid=5|var=value|unit|...|num_tasks=... Lines
 * of one job follow each other and make one run. */
static int old_line(struct cs_timings_source *s, long l, struct run *r, const char **job)
{
    enum { WHAT = 2, JOB, VALUE, UNIT, FIELDS };
    int fields;
    char **field = cs_timings_fields(s->arena, s->line[l], '|', &fields);
    const char *on, *equals, *key;
    double factor;
    int64_t tasks;

    if (fields < FIELDS)
        return cs_timings_error(s, l + 1, "found %d fields, expected %d or more", fields, FIELDS);
    on = strstr(field[WHAT], " on ");
    key = field[JOB];
    if (*job && (strcmp(*job, key) != 0 || strncmp(r->name, field[WHAT], strlen(r->name)) != 0)) {
        if (r->times && run_take(s, r))
            return -1;
        *r = (struct run){.line = 0};
    }
    *job = key;
    r->name = cs_arena_strndup(s->arena, field[WHAT],
                               on ? (size_t)(on - field[WHAT]) : strlen(field[WHAT]));
    r->nodes = pair_count(field + FIELDS, fields - FIELDS, "num_nodes", s->arena);
    tasks = pair_count(field + FIELDS, fields - FIELDS, "num_tasks", s->arena);
    r->tasks = tasks ? tasks : pair_count(field + FIELDS, fields - FIELDS, "num_procs", s->arena);
    r->per_node = pair_count(field + FIELDS, fields - FIELDS, "num_tasks_per_node", s->arena);
    factor = cs_timings_unit(field[UNIT]);
    equals = strchr(field[VALUE], '=');
    if (!(factor > 0) || !equals) {
        cs_timings_skip(s, "no time");
        return 0;
    }
    r->line = r->line ? r->line : l + 1;
    run_add_time(r, cs_arena_strndup(s->arena, field[VALUE], (size_t)(equals - field[VALUE])),
                 factor * cs_number_prefix(equals + 1));
    return 0;
}

static int read_old_perflog(struct cs_timings_source *s)
{
    struct run r = {.line = 0};
    const char *job = NULL;

    for (long l = 0; l < s->lines; l++)
        if (s->line[l][0] && old_line(s, l, &r, &job))
            return -1;
    return r.times ? run_take(s, &r) : 0;
}

struct perflog {
    struct cs_timings_source *s;
    char **head;
    int columns;
};

static const char *perflog_field(const struct perflog *p, char *const *field, const char *name)
{
    const int column = cs_timings_column(p->head, p->columns, name);

    return column < 0 ? "" : field[column];
}

static int64_t perflog_count(const struct perflog *p, char *const *field, const char *name)
{
    int64_t count;

    return cs_timings_whole(perflog_field(p, field, name), &count) ? count : 0;
}

static int perflog_row(const struct perflog *p, char *const *field, long line)
{
    const char *result = perflog_field(p, field, "result");
    const char *name = perflog_field(p, field, "display_name");
    struct run r = {.name = *name ? name : perflog_field(p, field, "name"),
                    .nodes = perflog_count(p, field, "num_nodes"),
                    .tasks = perflog_count(p, field, "num_tasks"),
                    .per_node = perflog_count(p, field, "num_tasks_per_node"),
                    .line = line};

    if (*result && strcmp(result, "pass") != 0) {
        cs_timings_skip(p->s, "not passed");
        return 0;
    }
    if (!r.nodes)
        r.nodes = count_hosts(perflog_field(p, field, "nodelist"));
    for (int c = 0; c < p->columns; c++) {
        const size_t length = strlen(p->head[c]);
        const char *metric, *unit;
        char *column;

        if (!name_ends_with(p->head[c], length, "_value"))
            continue;
        metric = cs_arena_strndup(p->s->arena, p->head[c], length - 6);
        column = cs_arena_alloc(p->s->arena, length + 1, 1);
        cs_plain_print(column, length + 1, "%s_unit", metric);
        unit = perflog_field(p, field, column);
        if (cs_timings_unit(unit) > 0)
            run_add_time(&r, metric, cs_timings_unit(unit) * cs_number_prefix(field[c]));
    }
    return run_take(p->s, &r);
}

int cs_timings_perflog_read(struct cs_timings_source *s)
{
    struct perflog p = {.s = s};

    if (is_old_perflog(s->line[s->first]))
        return read_old_perflog(s);
    p.head = cs_timings_fields(s->arena, s->line[s->first], '|', &p.columns);
    for (long l = s->first + 1; l < s->lines; l++) {
        int fields;
        char **field = cs_timings_fields(s->arena, s->line[l], '|', &fields);

        if (!s->line[l][0])
            continue;
        if (fields != p.columns)
            return cs_timings_error(s, l + 1, "found %d fields, expected %d as in the header",
                                    fields, p.columns);
        if (perflog_row(&p, field, l + 1))
            return -1;
    }
    return 0;
}

/* ---- Ramble ---- */

bool cs_timings_ramble_detect(const struct cs_timings_source *s)
{
    return json_is_array(json_object_get(s->json, "experiments"));
}

/* "Total wall time" is total_wall_time. */
static const char *ramble_name(const char *name, struct cs_arena *arena)
{
    char *simple = cs_arena_strdup(arena, name ? name : "time");

    for (char *at = simple; *at; at++)
        *at = strchr(" -", *at) ? '_' : cs_plain_lower(*at);
    return simple;
}

/* Figures of merit with a unit of time, or as H:MM:SS. */
static void ramble_figures(struct run *r, const json_t *figures, struct cs_arena *arena)
{
    const json_t *figure;
    size_t f;

    json_array_foreach(figures, f, figure)
    {
        const json_t *value = json_object_get(figure, "value");
        const char *unit = json_string_value(json_object_get(figure, "units"));
        const char *text = json_string_value(value);
        const double factor = unit ? cs_timings_unit(unit) : 0;
        const char *name = ramble_name(json_string_value(json_object_get(figure, "name")), arena);
        double seconds;

        if (factor > 0)
            run_add_time(r, name,
                         factor * (text ? cs_number_prefix(text) : json_number_value(value)));
        else if (text && strchr(text, ':') && cs_timings_time(text, &seconds))
            run_add_time(r, name, seconds);
    }
}

static int ramble_take(struct cs_timings_source *s, const json_t *experiment, long line)
{
    const json_t *variables = json_object_get(experiment, "RAMBLE_VARIABLES"), *context;
    const char *status = json_string_value(json_object_get(experiment, "RAMBLE_STATUS"));
    const char *name = json_string_value(json_object_get(experiment, "name")), *dot;
    struct run r = {.line = line};
    size_t c;

    if (!name)
        return cs_timings_error(s, 0, "experiments[%ld].name: found nothing, expected a text",
                                line - 1);
    if (!status || strcmp(status, "SUCCESS") != 0) {
        cs_timings_skip(s, "not successful");
        return 0;
    }
    dot = strchr(name, '.');
    dot = dot ? strchr(dot + 1, '.') : NULL;
    name = cs_arena_strndup(s->arena, name, dot ? (size_t)(dot - name) : strlen(name));
    json_array_foreach(json_object_get(experiment, "CONTEXTS"), c, context)
        ramble_figures(&r, json_object_get(context, "foms"), s->arena);
    r.nodes = member_count(variables, "n_nodes");
    r.tasks = member_count(variables, "n_ranks");
    r.name = name;
    return run_take(s, &r);
}

int cs_timings_ramble_read(struct cs_timings_source *s)
{
    const json_t *experiment;
    size_t e;

    json_array_foreach(json_object_get(s->json, "experiments"), e, experiment)
    {
        if (ramble_take(s, experiment, (long)e + 1))
            return -1;
    }
    return 0;
}
