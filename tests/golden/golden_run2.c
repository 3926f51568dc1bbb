/* golden_run2.c - the golden cases of docs/spec/run2.md that this version has: timings of other
 * tools (part F).
 */
#include "golden/golden.h"
#include "io/timings.h"

#include <math.h>
#include <string.h>

static const char *option(const json_t *options, const char *name, struct cs_arena *arena)
{
    const json_t *value = json_object_get(options, name);
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    if (!json_is_integer(value))
        return json_string_value(value);
    cs_strbuf_printf(&text, "%lld", (long long)json_integer_value(value));
    kept = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

/* The texts of messages are ours; file, line, field, values and options agree: all words of the
 * expected message with a colon, a quote, a digit, a bracket or a bar are in ours. */
static int check_error(const char *want, const char *got, struct cs_error *err)
{
    char text[1024];
    char *save = NULL;

    strncpy(text, want, sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        const size_t length = strlen(word);

        if (length && strchr(",;", word[length - 1]))
            word[length - 1] = '\0';
        if (strpbrk(word, "\":0123456789()") || !strncmp(word, "--", 2))
            if (!strstr(got, word))
                return cs_error_set(err, "error: %s; expected: %s", got, want);
    }
    return 0;
}

static int check_row(const json_t *want, const struct cs_timing *got, struct cs_error *err)
{
    const char *app = json_string_value(json_object_get(want, "app"));
    const bool node = !strcmp(json_string_value(json_object_get(want, "unit")), "node");
    const double seconds = json_number_value(json_object_get(want, "seconds"));

    if (strcmp(app, got->app) || json_integer_value(json_object_get(want, "procs")) != got->procs ||
        fabs(seconds - got->seconds) > 1e-12 * seconds || node != got->node ||
        json_integer_value(json_object_get(want, "line")) != got->line)
        return cs_error_set(err, "row %s %lld %.17g %s line %ld, expected %s %lld %.17g", got->app,
                            (long long)got->procs, got->seconds, got->node ? "node" : "processor",
                            got->line, app,
                            (long long)json_integer_value(json_object_get(want, "procs")), seconds);
    return 0;
}

static int check_rest(const json_t *want, const struct cs_timings *got, struct cs_error *err)
{
    const json_t *skipped = json_object_get(want, "skipped"),
                 *notes = json_object_get(want, "notes");
    int reasons = 0;

    for (; reasons < CS_TIMINGS_REASONS && got->skipped[reasons].reason; reasons++)
        if (json_integer_value(json_object_get(skipped, got->skipped[reasons].reason)) !=
            got->skipped[reasons].count)
            return cs_error_set(err, "skipped: %d %s", got->skipped[reasons].count,
                                got->skipped[reasons].reason);
    if (reasons != (int)json_object_size(skipped))
        return cs_error_set(err, "%d reasons to skip, expected %d", reasons,
                            (int)json_object_size(skipped));
    if (got->notes != (int)json_array_size(notes))
        return cs_error_set(err, "%d notes, expected %d", got->notes, (int)json_array_size(notes));
    for (int n = 0; n < got->notes; n++)
        if (strcmp(got->note[n], json_string_value(json_array_get(notes, (size_t)n))) != 0)
            return cs_error_set(err, "note %s", got->note[n]);
    return 0;
}

static int check_text(const json_t *file, struct cs_arena *arena, struct cs_error *err)
{
    const json_t *want = json_object_get(file, "expected"), *rows = json_object_get(want, "rows");
    const json_t *options = json_object_get(file, "options"), *text = json_object_get(file, "text");
    const struct cs_timings_options how = {.app = option(options, "app", arena),
                                           .count = option(options, "count", arena),
                                           .unit = option(options, "unit", arena),
                                           .metric = option(options, "metric", arena),
                                           .region = option(options, "region", arena),
                                           .decimal = option(options, "decimal", arena)};
    const char *kind = json_string_value(json_object_get(want, "kind"));
    const char *error = json_string_value(json_object_get(want, "error"));
    struct cs_error found = {0};
    struct cs_timings got;
    const int status =
        cs_timings_read(json_string_value(json_object_get(file, "name")), json_string_value(text),
                        json_string_length(text), &how, arena, &got, &found);

    if (kind ? !got.kind || strcmp(kind, got.kind) != 0 : got.kind != NULL)
        return cs_error_set(err, "kind %s, expected %s", got.kind ? got.kind : "none",
                            kind ? kind : "none");
    if (error || status)
        return error && status ? check_error(error, found.text, err)
                               : cs_error_set(err, "%s, expected %s", status ? found.text : "rows",
                                              error ? error : "rows");
    if (got.rows != (int)json_array_size(rows))
        return cs_error_set(err, "%d rows, expected %d", got.rows, (int)json_array_size(rows));
    for (int r = 0; r < got.rows; r++)
        if (check_row(json_array_get(rows, (size_t)r), &got.row[r], err))
            return -1;
    return check_rest(want, &got, err);
}

static int check_file(const json_t *json, const char *path, struct cs_error *err)
{
    const char *format = json_string_value(json_object_get(json, "format"));
    const json_t *file;
    size_t f;

    (void)path;
    if (!format || strcmp(format, "run2-timings-1") != 0) {
        cs_error_set(err, "this version has nothing of the format %s", format ? format : "(none)");
        return GOLDEN_SKIP;
    }
    json_array_foreach(json_object_get(json, "files"), f, file)
    {
        struct cs_arena *arena = cs_arena_create();
        const int status = check_text(file, arena, err);

        cs_arena_destroy(arena);
        if (status)
            return cs_error_prefix(err, "%s", json_string_value(json_object_get(file, "name")));
    }
    return 0;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, check_file);
}
