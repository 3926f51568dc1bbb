/* timings_tools.c - timings of tools of the shell: hyperfine, GNU parallel, sacct, GNU time and
 * that of bash (docs/spec/run2.md, F2).
 */
#include "io/timings.h"

#include "base/number.h"
#include "base/plain.h"

#include <math.h>
#include <string.h>

/* ---- hyperfine ---- */

bool cs_timings_hyperfine_detect(const struct cs_timings_source *s)
{
    const json_t *results = json_object_get(s->json, "results");

    return json_object_get(json_array_get(results, 0), "command") != NULL;
}

static bool is_parameter_count(const char *name, bool *node)
{
    return cs_timings_count_rank(name, node) >= 0 || (strlen(name) == 1 && strchr("pntj", *name));
}

/* The text of a value of JSON that is text or a whole number. */
static const char *value_text(const json_t *value, struct cs_arena *arena)
{
    char text[32];

    if (json_is_string(value))
        return json_string_value(value);
    if (!json_is_integer(value))
        return "";
    cs_plain_print(text, sizeof text, "%lld", (long long)json_integer_value(value));
    return cs_arena_strdup(arena, text);
}

/* The command without the first word after the program that is this number. */
static const char *command_without(struct cs_timings_source *s, const char *command,
                                   const char *number)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_timings_command whole;
    struct cs_timings_source quiet = *s;
    struct cs_timings_options all = {.count = "1"};
    int words, cut = -1;
    char **word;
    const char *app;

    quiet.options = &all;
    if (cs_timings_command(&quiet, command, 0, &whole))
        return command;
    word = cs_timings_fields(s->arena, whole.app, '\0', &words);
    for (int w = 1; w < words && cut < 0; w++)
        cut = strcmp(word[w], number) ? -1 : w;
    for (int w = 0; w < words; w++)
        if (w != cut)
            cs_strbuf_printf(&text, "%s%s", text.length ? " " : "", word[w]);
    app = cs_arena_strdup(s->arena, text.length ? text.text : whole.app);
    cs_strbuf_release(&text);
    return app;
}

/* Application and count of a command with the value of its parameter that is a count; NULL: none.
 */
static int hyperfine_command(struct cs_timings_source *s, const char *command, const char *value,
                             bool node, long line, struct cs_timings_command *out)
{
    struct cs_error ignored = {0};
    struct cs_timings_source quiet = *s;
    int64_t count;

    if (!value || s->options->count)
        return cs_timings_command(s, command, line, out);
    quiet.err = &ignored;
    cs_timings_whole(value, &count);
    if (cs_timings_command(&quiet, command, line, out) || out->procs != count) {
        out->app = s->options->app ? s->options->app : command_without(s, command, value);
        out->procs = count;
    }
    out->node = s->options->unit ? !strcmp(s->options->unit, "node") : node;
    return 0;
}

/* The only parameter that is a whole number and named like a count; NULL: none, or several. */
static const char *hyperfine_parameter(const json_t *parameters, struct cs_arena *arena, bool *node)
{
    const char *name, *found = NULL;
    json_t *value;
    int64_t count;
    int all = 0;

    json_object_foreach((json_t *)(uintptr_t)parameters, name, value)
    {
        const char *text = value_text(value, arena);
        bool nodes;

        if (!is_parameter_count(name, &nodes) || !cs_timings_whole(text, &count))
            continue;
        found = text;
        *node = nodes;
        all++;
    }
    return all == 1 ? found : NULL;
}

static bool hyperfine_failed(const json_t *result)
{
    const json_t *code;
    size_t c;

    json_array_foreach(json_object_get(result, "exit_codes"), c, code)
    {
        if (!json_is_integer(code) || json_integer_value(code) != 0)
            return true;
    }
    return false;
}

static int hyperfine_result(struct cs_timings_source *s, const json_t *result, long line)
{
    const char *command = json_string_value(json_object_get(result, "command"));
    const json_t *times = json_object_get(result, "times"), *time;
    struct cs_timings_command found;
    bool node = false;
    const char *value = hyperfine_parameter(json_object_get(result, "parameters"), s->arena, &node);
    size_t t;

    if (!command)
        return cs_timings_error(s, line, "command: found nothing, expected a text");
    if (hyperfine_failed(result)) {
        cs_timings_skip(s, "failed");
        return 0;
    }
    if (hyperfine_command(s, command, value, node, line, &found))
        return -1;
    if (!json_array_size(times))
        times = json_object_get(result, "min");
    if (json_is_number(times))
        cs_timings_add(s, found.app, found.procs, found.node, json_number_value(times), line);
    json_array_foreach(times, t, time)
    {
        if (!(json_number_value(time) > 0))
            return cs_timings_error(s, line, "times: found %g, expected a positive number",
                                    json_number_value(time));
        cs_timings_add(s, found.app, found.procs, found.node, json_number_value(time), line);
    }
    return 0;
}

int cs_timings_hyperfine_read(struct cs_timings_source *s)
{
    const json_t *result;
    size_t r;

    json_array_foreach(json_object_get(s->json, "results"), r, result)
    {
        if (hyperfine_result(s, result, (long)r + 1))
            return -1;
    }
    return 0;
}

bool cs_timings_hyperfine_table_detect(const struct cs_timings_source *s)
{
    int count;
    char **head = cs_timings_fields(s->arena, s->line[s->first], ',', &count);

    return cs_timings_column(head, count, "command") >= 0 &&
           cs_timings_column(head, count, "mean") >= 0 &&
           cs_timings_column(head, count, "stddev") >= 0;
}

/* The only column parameter_NAME that is named like a count; -1: none, or several. */
static int hyperfine_column(char *const *head, int columns, bool *node)
{
    static const char prefix[] = "parameter_";
    int found = -1, all = 0;

    for (int c = 0; c < columns; c++) {
        bool nodes;

        if (strncmp(head[c], prefix, sizeof prefix - 1) != 0 ||
            !is_parameter_count(head[c] + sizeof prefix - 1, &nodes))
            continue;
        found = c;
        *node = nodes;
        all++;
    }
    return all == 1 ? found : -1;
}

int cs_timings_hyperfine_table_read(struct cs_timings_source *s)
{
    int columns, fields, command, least, parameter;
    char **head = cs_timings_fields(s->arena, s->line[s->first], ',', &columns);
    bool node = false;

    command = cs_timings_column(head, columns, "command");
    least = cs_timings_column(head, columns, "min");
    least = least < 0 ? cs_timings_column(head, columns, "mean") : least;
    parameter = hyperfine_column(head, columns, &node);
    for (long l = s->first + 1; l < s->lines; l++) {
        char **field = cs_timings_fields(s->arena, s->line[l], ',', &fields);
        struct cs_timings_command found;
        const char *value = NULL;
        double seconds;
        int64_t count;

        if (!s->line[l][0])
            continue;
        if (fields != columns)
            return cs_timings_error(s, l + 1, "found %d fields, expected %d as in the header",
                                    fields, columns);
        if (!cs_timings_time(field[least], &seconds))
            return cs_timings_error(s, l + 1,
                                    "%s: found \"%s\", expected a positive number of seconds",
                                    head[least], field[least]);
        if (parameter >= 0 && cs_timings_whole(field[parameter], &count))
            value = field[parameter];
        if (hyperfine_command(s, field[command], value, node, l + 1, &found))
            return -1;
        cs_timings_add(s, found.app, found.procs, found.node, seconds, l + 1);
    }
    return 0;
}

/* ---- GNU parallel ---- */

bool cs_timings_joblog_detect(const struct cs_timings_source *s)
{
    static const char head[] = "Seq\tHost\tStarttime\tJobRuntime";

    return !strncmp(s->line[s->first], head, sizeof head - 1);
}

int cs_timings_joblog_read(struct cs_timings_source *s)
{
    enum { RUNTIME = 3, EXITVAL = 6, SIGNAL, COMMAND, FIELDS };

    for (long l = s->first + 1; l < s->lines; l++) {
        int fields;
        char **field = cs_timings_fields(s->arena, s->line[l], '\t', &fields);
        struct cs_timings_command found;
        double seconds;

        if (!s->line[l][0])
            continue;
        if (fields < FIELDS)
            return cs_timings_error(s, l + 1, "found %d fields, expected %d as in the header",
                                    fields, FIELDS);
        if (strcmp(field[EXITVAL], "0") != 0 || strcmp(field[SIGNAL], "0") != 0) {
            cs_timings_skip(s, "failed");
            continue;
        }
        if (!cs_timings_time(field[RUNTIME], &seconds))
            return cs_timings_error(s, l + 1,
                                    "JobRuntime: found \"%s\", expected a positive number of "
                                    "seconds",
                                    field[RUNTIME]);
        if (cs_timings_command(s, field[COMMAND], l + 1, &found))
            return -1;
        cs_timings_add(s, found.app, found.procs, found.node, seconds, l + 1);
    }
    return 0;
}

/* ---- sacct ---- */

bool cs_timings_sacct_detect(const struct cs_timings_source *s)
{
    int count;
    char **head = cs_timings_fields(s->arena, s->line[s->first], '|', &count);

    return strchr(s->line[s->first], '|') && (cs_timings_column(head, count, "Elapsed") >= 0 ||
                                              cs_timings_column(head, count, "ElapsedRaw") >= 0);
}

struct sacct {
    struct cs_timings_source *s;
    char **head;
    int columns, id, name, elapsed, state, memory, count;
    bool node;
};

/* The first of "a|b|c" that is a column. */
static int sacct_first(const struct sacct *t, const char *names)
{
    for (const char *word = names; *word;) {
        const size_t length = strcspn(word, "|");
        const char *name = cs_arena_strndup(t->s->arena, word, length);
        const int column = cs_timings_column(t->head, t->columns, name);

        if (column >= 0)
            return column;
        word += length + (word[length] == '|');
    }
    return -1;
}

static int sacct_lacks(const struct sacct *t, const char *what)
{
    struct cs_strbuf names = CS_STRBUF_INIT;
    int status;

    for (int c = 0; c < t->columns; c++)
        cs_strbuf_printf(&names, "%s%s", c ? ", " : "", t->head[c]);
    status = cs_timings_error(t->s, t->s->first + 1, "the header %s, it has: %s", what, names.text);
    cs_strbuf_release(&names);
    return status;
}

static int sacct_find(struct sacct *t)
{
    static const char nodes[] = "NNodes|AllocNodes", cores[] = "NTasks|NCPUS|AllocCPUS";
    const char *unit = t->s->options->unit;

    t->id = sacct_first(t, "JobID|JobIDRaw");
    t->name = sacct_first(t, "JobName");
    t->elapsed = sacct_first(t, "ElapsedRaw|Elapsed");
    t->state = sacct_first(t, "State");
    t->memory = sacct_first(t, "MaxRSS");
    t->count = sacct_first(t, unit && strcmp(unit, "node") ? cores : nodes);
    t->node = !unit || !strcmp(unit, "node");
    if (t->count < 0) {
        t->node = !t->node;
        t->count = sacct_first(t, t->node ? nodes : cores);
    }
    if (t->name < 0 && !t->s->options->app)
        return sacct_lacks(t, "lacks JobName");
    if (t->count < 0)
        return sacct_lacks(t, "has no number of nodes or processors (NNodes, NTasks, NCPUS)");
    return 0;
}

/* "12345K": bytes; NaN if it is no size. */
static double sacct_bytes(const char *text)
{
    static const char units[] = "KMGT";
    const double number = cs_number_prefix(text);
    const char *unit = *text ? strchr(units, text[strlen(text) - 1]) : NULL;

    return number * (unit && *unit ? pow(1024, (double)(unit - units + 1)) : 1);
}

/* A step: its largest memory is that of the job before it. */
static void sacct_step(const struct sacct *t, char *const *field)
{
    struct cs_timings *out = t->s->out;
    const double bytes = t->memory < 0 ? NAN : sacct_bytes(field[t->memory]);

    cs_timings_skip(t->s, "steps");
    if (bytes > 0 && out->rows && !(out->row[out->rows - 1].memory >= bytes))
        out->row[out->rows - 1].memory = bytes;
}

static int sacct_row(const struct sacct *t, char *const *field, long line)
{
    double seconds = 0;
    int64_t count;

    if (t->id >= 0 && strchr(field[t->id], '.')) {
        sacct_step(t, field);
        return 0;
    }
    if (t->state >= 0 && strcmp(field[t->state], "COMPLETED") != 0) {
        cs_timings_skip(t->s, "not completed");
        return 0;
    }
    if (!cs_timings_time(field[t->elapsed], &seconds)) {
        if (*field[t->elapsed] && strspn(field[t->elapsed], "0:-") == strlen(field[t->elapsed])) {
            cs_timings_skip(t->s, "no time");
            return 0;
        }
        return cs_timings_error(t->s, line, "%s: found \"%s\", expected a time",
                                t->head[t->elapsed], field[t->elapsed]);
    }
    if (!cs_timings_whole(field[t->count], &count))
        return cs_timings_error(t->s, line, "%s: found \"%s\", expected a whole number from 1 on",
                                t->head[t->count], field[t->count]);
    cs_timings_add(t->s, t->s->options->app ? t->s->options->app : field[t->name], count, t->node,
                   seconds, line);
    return 0;
}

int cs_timings_sacct_read(struct cs_timings_source *s)
{
    struct sacct t = {.s = s};

    t.head = cs_timings_fields(s->arena, s->line[s->first], '|', &t.columns);
    if (sacct_find(&t))
        return -1;
    for (long l = s->first + 1; l < s->lines; l++) {
        int fields;
        char **field = cs_timings_fields(s->arena, s->line[l], '|', &fields);

        if (!s->line[l][0])
            continue;
        if (fields < t.columns)
            return cs_timings_error(s, l + 1, "found %d fields, expected %d as in the header",
                                    fields, t.columns);
        if (sacct_row(&t, field, l + 1))
            return -1;
    }
    return 0;
}

/* ---- GNU time, and that of bash ---- */

static const char timed[] = "Command being timed: \"";
static const char elapsed[] = "Elapsed (wall clock) time (h:mm:ss or m:ss): ";

static const char *line_begins(const char *line, const char *words)
{
    line += strspn(line, " \t");
    return strncmp(line, words, strlen(words)) ? NULL : line + strlen(words);
}

/* "12.34user 0.11system 0:06.40elapsed ..."; the time without "elapsed". */
static const char *short_elapsed(const struct cs_timings_source *s, const char *line)
{
    const char *end = strstr(line, "elapsed"), *at = end;

    if (!end || !strstr(line, "user ") || !strstr(line, "system "))
        return NULL;
    while (at > line && at[-1] != ' ')
        at--;
    return cs_arena_strndup(s->arena, at, (size_t)(end - at));
}

/* "real    0m12.345s" */
static const char *bash_real(const struct cs_timings_source *s, const char *line)
{
    const char *time = line_begins(line, "real");
    double seconds;

    (void)s;
    if (!time || !strchr(" \t", *time))
        return NULL;
    time += strspn(time, " \t");
    return strchr(time, 'm') && cs_timings_time(time, &seconds) ? time : NULL;
}

bool cs_timings_time_detect(const struct cs_timings_source *s)
{
    for (long l = 0; l < s->lines; l++)
        if (line_begins(s->line[l], timed) || short_elapsed(s, s->line[l]) ||
            bash_real(s, s->line[l]))
            return true;
    return false;
}

/* A time without its command. */
static int time_alone(struct cs_timings_source *s, const char *time, long line)
{
    const struct cs_timings_options *o = s->options;
    double seconds;
    int64_t count;

    if (!o->app || !o->count || !cs_timings_whole(o->count, &count))
        return cs_timings_error(s, line,
                                "a time without its command: give --app NAME and --count N");
    if (!cs_timings_time(time, &seconds))
        return cs_timings_error(s, line, "found \"%s\", expected a time", time);
    cs_timings_add(s, o->app, count, o->unit && !strcmp(o->unit, "node"), seconds, line);
    return 0;
}

/* The report of `time -v` that begins in line `at`. */
static int time_report(struct cs_timings_source *s, long at, const char *command)
{
    const size_t length = strlen(command);
    const char *time = NULL, *status = NULL;
    struct cs_timings_command found;
    double seconds;

    for (long l = at + 1; l < s->lines && !line_begins(s->line[l], timed); l++) {
        const char *value = line_begins(s->line[l], elapsed);

        time = value ? value : time;
        value = line_begins(s->line[l], "Exit status: ");
        status = value ? value : status;
    }
    if (status && strcmp(status, "0") != 0) {
        cs_timings_skip(s, "failed");
        return 0;
    }
    if (!time || !cs_timings_time(time, &seconds))
        return cs_timings_error(s, at + 1, "a report of GNU time without its elapsed time");
    command = cs_arena_strndup(s->arena, command,
                               length && command[length - 1] == '"' ? length - 1 : length);
    if (cs_timings_command(s, command, at + 1, &found))
        return -1;
    cs_timings_add(s, found.app, found.procs, found.node, seconds, at + 1);
    return 0;
}

int cs_timings_time_read(struct cs_timings_source *s)
{
    for (long l = 0; l < s->lines; l++) {
        const char *command = line_begins(s->line[l], timed), *time = short_elapsed(s, s->line[l]);

        time = time ? time : bash_real(s, s->line[l]);
        if ((command && time_report(s, l, command)) || (time && time_alone(s, time, l + 1)))
            return -1;
    }
    return 0;
}
