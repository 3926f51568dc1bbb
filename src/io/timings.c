/* timings.c - recognise and read timings; counts, times and names of applications. */
#include "io/timings.h"

#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/source.h"
#include "base/vector.h"
#include "io/names.h"
#include "io/workload.h"

#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <string.h>

/* ---- rows ---- */

void cs_timings_add(struct cs_timings_source *s, const char *app, int64_t procs, bool node,
                    double seconds, long line)
{
    struct cs_timings *out = s->out;

    CS_ARENA_ROOM(s->arena, out->row, out->rows, out->room, 64);
    out->row[out->rows++] = (struct cs_timing){
        cs_arena_strdup(s->arena, app), procs, node, seconds, NAN, s->name, line};
}

static void timings_skip(struct cs_timings *out, const char *reason, int count)
{
    int r = 0;

    while (r < CS_TIMINGS_REASONS - 1 && out->skipped[r].reason &&
           strcmp(out->skipped[r].reason, reason) != 0)
        r++;
    out->skipped[r].reason = reason;
    out->skipped[r].count += count;
}

void cs_timings_skip(struct cs_timings_source *s, const char *reason)
{
    timings_skip(s->out, reason, 1);
}

void cs_timings_note(struct cs_timings_source *s, const char *note)
{
    for (int n = 0; n < s->out->notes; n++)
        if (!strcmp(s->out->note[n], note))
            return;
    if (s->out->notes < CS_TIMINGS_REASONS)
        s->out->note[s->out->notes++] = cs_arena_strdup(s->arena, note);
}

int cs_timings_error(const struct cs_timings_source *s, long line, const char *format, ...)
{
    char text[CS_ERROR_SIZE];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(text, sizeof text, format, args);
    va_end(args);
    return line ? cs_error_set(s->err, "%s:%ld: %s", s->name, line, text)
                : cs_error_set(s->err, "%s: %s", s->name, text);
}

void cs_timings_put_skipped(const struct cs_timings *timings, struct cs_strbuf *out)
{
    for (int r = 0; r < CS_TIMINGS_REASONS && timings->skipped[r].reason; r++)
        cs_strbuf_printf(out, "%s%d %s", r ? ", " : "", timings->skipped[r].count,
                         timings->skipped[r].reason);
}

void cs_timings_put_remarks(const char *file, const struct cs_timings *timings,
                            struct cs_strbuf *out)
{
    if (timings->skipped[0].reason) {
        cs_strbuf_printf(out, "%s%s: %s: read %d runs; left out: ", out->length ? "\n" : "", file,
                         timings->kind, timings->rows);
        cs_timings_put_skipped(timings, out);
    }
    if (timings->unread)
        cs_strbuf_printf(out, "%s%s: not read: %s", out->length ? "\n" : "", file, timings->unread);
    for (int n = 0; n < timings->notes; n++)
        cs_strbuf_printf(out, "%s%s: %s", out->length ? "\n" : "", file, timings->note[n]);
}

/* ---- fields ---- */

static char *field_quoted(const char **at, char separator, struct cs_arena *arena)
{
    const char *text = *at + 1;
    char *field = cs_arena_alloc(arena, strlen(text) + 1, 1), *to = field;

    for (; *text && (*text != '"' || text[1] == '"'); text++) {
        text += *text == '"';
        *to++ = *text;
    }
    *to = '\0';
    text += *text == '"';
    while (*text && *text != separator)
        text++;
    *at = text;
    return field;
}

static char *field_plain(const char **at, char separator, struct cs_arena *arena)
{
    const char *text = *at;
    size_t length = 0;

    while (text[length] && (separator ? text[length] != separator : !strchr(" \t", text[length])))
        length++;
    *at = text + length;
    while (length && strchr(" \t", text[length - 1]))
        length--;
    return cs_arena_strndup(arena, text, length);
}

char **cs_timings_fields(struct cs_arena *arena, const char *line, char separator, int *count)
{
    char **field = CS_NEW_ARRAY(arena, char *, strlen(line) + 2);
    const char *at = line;

    *count = 0;
    for (;;) {
        while (*at && strchr(" \t", *at) && *at != separator)
            at++;
        if (!separator && !*at)
            break;
        field[(*count)++] = *at == '"' && separator && separator != '|'
                                ? field_quoted(&at, separator, arena)
                                : field_plain(&at, separator, arena);
        if (!*at)
            break;
        at++;
    }
    field[*count] = NULL;
    return field;
}

int cs_timings_column(char *const *header, int count, const char *name)
{
    for (int c = 0; c < count; c++)
        if (!strcmp(header[c], name))
            return c;
    return -1;
}

/* ---- numbers ---- */

int cs_timings_count_rank(const char *name, bool *node)
{
    static const char *const names[] = {
        "procs",     "processors", "proc",      "num_procs",  "nprocs",    "np",
        "nodes",     "num_nodes",  "n_nodes",   "nnodes",     "processes", "num_processes",
        "ranks",     "mpi_ranks",  "num_ranks", "n_ranks",    "nranks",    "tasks",
        "num_tasks", "ntasks",     "cores",     "num_cores",  "ncores",    "cpus",
        "num_cpus",  "ncpus",      "threads",   "num_threads"};

    *node = strstr(name, "node") != NULL;
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
        if (!cs_plain_compare(name, names[i]))
            return i;
    return -1;
}

double cs_timings_unit(const char *unit)
{
    static const struct {
        const char *names;
        double factor;
    } units[] = {
        {" s sec secs second seconds ", 1},
        {" ms milliseconds ", 1e-3},
        {" us ", 1e-6},
        {" min mins minute minutes ", 60},
        {" h hr hrs hour hours ", 3600},
        {" d day days ", 86400},
    };
    char word[24];

    if (!*unit || strchr(unit, ' ') || strlen(unit) > sizeof word - 3)
        return 0;
    cs_plain_print(word, sizeof word, " %s ", unit);
    for (char *c = word; *c; c++)
        *c = cs_plain_lower(*c);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strstr(units[i].names, word))
            return units[i].factor;
    return 0;
}

bool cs_timings_time(const char *text, double *seconds)
{
    const double number = cs_number_prefix(text);
    const char *minutes = strchr(text, 'm');
    double rest;

    if (!cs_seconds_parse(text, seconds))
        return *seconds > 0;
    /* "2m30.5s" */
    if (!minutes || !(number >= 0) || cs_seconds_parse(minutes + 1, &rest) ||
        text[strlen(text) - 1] != 's' || strspn(text, "0123456789.") != (size_t)(minutes - text))
        return false;
    *seconds = 60 * number + rest;
    return *seconds > 0;
}

bool cs_timings_whole(const char *text, int64_t *number)
{
    return cs_number_int64(text, number) == CS_NUMBER_FINE && *number > 0;
}

/* ---- commands ---- */

/* A kind of options that give a count: "-np|-n". */
static const struct {
    const char *options;
    bool node;
} patterns[] = {
    {"-np|-n", false},
    {"-N|--nodes", true},
    {"--ntasks|--threads|--jobs|--np|--procs", false},
    {"-t|-j|-nt|-ntmpi|-ntomp", false},
    {"OMP_NUM_THREADS", false},
};

/* Does the word give a count by this option, "-n" with the next word, "-n=4", or "-n4"? Returns how
 * many words it takes, 0: no. */
static int word_counts(char *const *word, const char *option, size_t length, int64_t *count)
{
    const char *rest = *word + length;

    if (strncmp(*word, option, length) != 0)
        return 0;
    if (!*rest)
        return *option == '-' && word[1] && cs_timings_whole(word[1], count) ? 2 : 0;
    if (*rest == '=')
        return cs_timings_whole(rest + 1, count);
    return option[0] == '-' && option[1] != '-' && strchr("0123456789", *rest) &&
           cs_timings_whole(rest, count);
}

/* The words of a command that give a count by one of the patterns. */
static bool command_counts(char *const *word, int words, int *first, int *taken, int64_t *count,
                           bool *node)
{
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (*first = 0; *first < words; (*first)++)
            for (const char *option = patterns[p].options; *option;) {
                const size_t length = strcspn(option, "|");

                *taken = word_counts(word + *first, option, length, count);
                if (*taken) {
                    *node = patterns[p].node;
                    return true;
                }
                option += length + (option[length] == '|');
            }
    return false;
}

static const char *without_folder(const char *word)
{
    const char *slash = strrchr(word, '/');

    return slash && slash[1] ? slash + 1 : word;
}

static bool is_launcher(const char *word)
{
    static const char *const launchers[] = {"mpirun", "mpiexec", "srun", "env", "time"};
    const char *name = without_folder(word), *equals = strchr(word, '=');

    if (equals && equals > word &&
        strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                     "0123456789_") == (size_t)(equals - word))
        return true;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (!strcmp(name, launchers[i]))
            return true;
    return false;
}

/* The words without those from `first`, without launchers at the front. */
static const char *command_app(char *const *word, int words, int first, int taken,
                               struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *app;

    for (int w = 0; w < words; w++) {
        if (w >= first && w < first + taken)
            continue;
        if (text.length)
            cs_strbuf_printf(&text, " %s", word[w]);
        else if (!is_launcher(word[w]))
            cs_strbuf_puts(&text, without_folder(word[w]));
    }
    app = cs_arena_strdup(arena, text.length ? text.text : "");
    cs_strbuf_release(&text);
    return app;
}

/* 1: found by the regular expression of --count; 0: it does not match; -1 with err. */
static int count_by_expression(const struct cs_timings_source *s, const char *command,
                               int64_t *count)
{
    regex_t expression;
    regmatch_t group[2];
    int status = 0;

    if (regcomp(&expression, s->options->count, REG_EXTENDED))
        return cs_error_set(s->err, "--count: \"%s\" is not a regular expression",
                            s->options->count);
    if (expression.re_nsub >= 1 && !regexec(&expression, command, 2, group, 0) &&
        group[1].rm_so >= 0)
        status = cs_timings_whole(cs_arena_strndup(s->arena, command + group[1].rm_so,
                                                   (size_t)(group[1].rm_eo - group[1].rm_so)),
                                  count);
    regfree(&expression);
    return status;
}

int cs_timings_command(struct cs_timings_source *s, const char *command, long line,
                       struct cs_timings_command *out)
{
    const struct cs_timings_options *o = s->options;
    int words, first = 0, taken = 0, found;
    char **word = cs_timings_fields(s->arena, command, '\0', &words);

    *out = (struct cs_timings_command){.procs = 0};
    found = command_counts(word, words, &first, &taken, &out->procs, &out->node);
    out->app = command_app(word, words, first, found ? taken : 0, s->arena);
    if (o->count) {
        out->node = false;
        found = cs_timings_whole(o->count, &out->procs)
                    ? 1
                    : count_by_expression(s, command, &out->procs);
        if (found < 0)
            return -1;
    }
    if (!found)
        return cs_timings_error(s, line,
                                "\"%s\" has no number of processors; give --count "
                                "REGEX, or --app NAME --count N",
                                command);
    if (o->app)
        out->app = o->app;
    if (o->unit)
        out->node = !strcmp(o->unit, "node");
    return 0;
}

/* ---- names of files ---- */

static bool name_ends(const char *name, size_t length, const char *end)
{
    const size_t size = strlen(end);

    return length >= size && !strncmp(name + length - size, end, size);
}

/* One component of a path: without ending, leading "log" and trailing count. */
static const char *component_app(const struct cs_timings_source *s, const char *name, size_t length,
                                 const int64_t *count, int counts)
{
    static const char *const endings[] = {".log", ".out", ".txt", ".jsonl", ".json"};
    char number[24];

    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++)
        if (name_ends(name, length, endings[e]) && length > strlen(endings[e])) {
            length -= strlen(endings[e]);
            break;
        }
    if (length > 4 && !strncmp(name, "log", 3) && strchr("._-", name[3])) {
        name += 4;
        length -= 4;
    }
    for (int c = 0; c < counts; c++) {
        size_t size;

        cs_plain_print(number, sizeof number, "%lld", (long long)count[c]);
        size = strlen(number);
        if (count[c] > 0 && length > size + 1 && name_ends(name, length, number) &&
            strchr("._-", name[length - size - 1])) {
            length -= size + 1;
            break;
        }
    }
    return cs_arena_strndup(s->arena, name, length);
}

const char *cs_timings_file_app(const struct cs_timings_source *s, const int64_t *count, int counts,
                                const char *generic)
{
    const char *end = s->name + strlen(s->name), *slash = strrchr(s->name, '/');
    const char *file = slash ? slash + 1 : s->name, *app;

    if (s->options->app)
        return s->options->app;
    app = component_app(s, file, (size_t)(end - file), count, counts);
    for (const char *word = generic; *word;) {
        const size_t length = strcspn(word, "|");

        if (slash && slash > s->name && strlen(app) == length && !strncmp(app, word, length)) {
            const char *folder = slash;

            while (folder > s->name && folder[-1] != '/')
                folder--;
            return component_app(s, folder, (size_t)(slash - folder), count, counts);
        }
        word += length + (word[length] == '|');
    }
    return app;
}

int cs_timings_choose(const struct cs_timings_source *s, const char *const *name, int count)
{
    static const char *const usual[] = {
        "elapsed_time",    "elapsed",    "runtime_real", "runtime",       "wall_t", "wall_time",
        "total_wall_time", "total_time", "clocktime",    "executiontime", "time"};
    struct cs_strbuf list = CS_STRBUF_INIT;

    for (int n = 0; s->options->metric && n < count; n++)
        if (!cs_plain_compare(name[n], s->options->metric))
            return n;
    if (count == 1)
        return 0;
    for (size_t u = 0; u < sizeof usual / sizeof *usual; u++)
        for (int n = 0; n < count; n++)
            if (!cs_plain_compare(name[n], usual[u]))
                return n;
    for (int n = 0; n < count; n++)
        cs_strbuf_printf(&list, "%s%s", n ? ", " : "", name[n]);
    cs_error_set(s->err, "%s: several times (%s): select one with --metric NAME", s->name,
                 list.text);
    cs_strbuf_release(&list);
    return -1;
}

/* ---- a text ---- */

static const struct {
    const char *form;
    cs_timings_detect_f *detect;
    cs_timings_read_f *read;
} formats[] = {
#define TIMINGS(form, detect, read) {form, detect, read},
#include "io/timings.def"
#undef TIMINGS
};

static void source_split(struct cs_timings_source *s, const char *text, size_t size)
{
    const char *end = text + size;
    long room = 1;

    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        text += 3;
    for (const char *at = text; at < end; at++)
        room += *at == '\n';
    s->line = CS_NEW_ARRAY(s->arena, char *, room);
    s->first = -1;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((newline ? newline : end) - text);

        while (length && text[length - 1] == '\r')
            length--;
        s->line[s->lines] = cs_arena_strndup(s->arena, text, length);
        if (s->first < 0 && s->line[s->lines][strspn(s->line[s->lines], " \t")] &&
            s->line[s->lines][strspn(s->line[s->lines], " \t")] != '#')
            s->first = s->lines;
        s->lines++;
        text = newline ? newline + 1 : end;
    }
}

/* The whole as one JSON document, if it begins as one. */
static json_t *source_parse(const struct cs_timings_source *s, const char *text, size_t size)
{
    struct cs_error ignored = {0};
    const char *at = s->first < 0 ? "" : s->line[s->first];

    at += strspn(at, " \t");
    return *at == '{' || *at == '[' ? cs_json_load_memory(s->name, text, size, &ignored) : NULL;
}

static int source_find(const struct cs_timings_source *s)
{
    int f = 0;

    while (f < (int)(sizeof formats / sizeof *formats) && !formats[f].detect(s))
        f++;
    return f < (int)(sizeof formats / sizeof *formats) ? f : -1;
}

static int row_check(const struct cs_timings_source *s, const struct cs_timing *row)
{
    const char *fault = cs_names_fault(row->app);

    if (fault)
        return cs_timings_error(s, row->line, "app: this cannot be the name of an application: %s",
                                fault);
    if (row->procs > CS_IO_PROCS_MOST)
        return cs_timings_error(s, row->line, "procs: found %lld, expected at most %d",
                                (long long)row->procs, CS_IO_PROCS_MOST);
    return 0;
}

static int source_check(const struct cs_timings_source *s)
{
    struct cs_strbuf left = CS_STRBUF_INIT;
    int status = 0;

    cs_timings_put_skipped(s->out, &left);
    if (!s->out->rows && left.length)
        status =
            cs_timings_error(s, 0, "%s without a run that counts (%s)", s->out->kind, left.text);
    else if (!s->out->rows)
        status = cs_timings_error(s, 0, "%s without a run", s->out->kind);
    for (int r = 0; !status && r < s->out->rows; r++)
        status = row_check(s, &s->out->row[r]);
    for (int r = 1; !status && r < s->out->rows; r++)
        if (s->out->row[r].node != s->out->row[0].node)
            status = cs_timings_error(s, s->out->row[r].line,
                                      "some rows count nodes, others processors");
    cs_strbuf_release(&left);
    return status;
}

static int source_read(struct cs_timings_source *s, size_t size, bool binary)
{
    const int format = s->first < 0 || binary ? -1 : source_find(s);

    if (binary)
        return cs_timings_error(s, 0, "a binary file");
    if (s->first < 0 || !size)
        return cs_timings_error(s, 0, "an empty file");
    if (format < 0)
        return cs_timings_error(s, 0, "JSON that no reader of timings knows");
    s->out->kind = formats[format].form;
    return formats[format].read(s) || source_check(s) ? -1 : 0;
}

static int options_check(const struct cs_timings_options *o, struct cs_error *err)
{
    if (o->unit && strcmp(o->unit, "node") != 0 && strcmp(o->unit, "processor") != 0)
        return cs_error_set(err, "--count-unit: found \"%s\", expected node or processor", o->unit);
    if (o->decimal && strcmp(o->decimal, "comma") != 0 && strcmp(o->decimal, "point") != 0)
        return cs_error_set(err, "--decimal: found \"%s\", expected comma or point", o->decimal);
    return 0;
}

int cs_timings_read(const char *name, const char *text, size_t size,
                    const struct cs_timings_options *options, struct cs_arena *arena,
                    struct cs_timings *out, struct cs_error *err)
{
    static const struct cs_timings_options none;
    struct cs_timings_source s = {
        .name = name, .options = options ? options : &none, .arena = arena, .err = err, .out = out};
    const bool binary = memchr(text, '\0', size) != NULL;
    memset(out, 0, sizeof *out);
    if (options_check(s.options, err))
        return -1;
    if (!binary)
        source_split(&s, text, size);
    json_t *json = binary ? NULL : source_parse(&s, text, size);
    CS_JSON_HOLD(json);
    s.json = json;
    return source_read(&s, size, binary);
}

const char *cs_timings_kind(const char *name, const char *text, size_t size)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_timings_source s = {.name = name, .arena = arena};
    int format = -1;

    if (!memchr(text, '\0', size)) {
        source_split(&s, text, size);
        json_t *json = source_parse(&s, text, size);
        CS_JSON_HOLD(json);
        s.json = json;
        format = s.first < 0 ? -1 : source_find(&s);
    }
    cs_arena_destroy(arena);
    return format < 0 ? NULL : formats[format].form;
}

/* ---- files ---- */

#define FILES_SHOWN 3 /* of those that hold no timings, and of those with remarks */

struct files {
    const struct cs_timings_options *options;
    struct cs_arena *arena;
    struct cs_timings *out;
    struct cs_strbuf *remark;
    int read, unread, remarks;
    struct cs_strbuf reasons; /* of those that were not read */
    struct cs_error *err;
};

/* Rows of the next file; all count nodes, or all processors. */
static int files_take_rows(struct files *f, const struct cs_timings *one)
{
    struct cs_timings *out = f->out;

    if (out->rows && one->row[0].node != out->row[0].node)
        return cs_error_set(f->err,
                            "%s:%ld: some rows count nodes, others processors (%s counts %s): "
                            "select one with --count-unit, or read them one by one",
                            one->row[0].file, one->row[0].line, out->row[0].file,
                            out->row[0].node ? "nodes" : "processors");
    if (out->rows + one->rows > out->room) {
        out->room = 2 * out->room + one->rows;
        out->row = cs_arena_grow(f->arena, out->row, (size_t)out->rows, (size_t)out->room,
                                 sizeof *out->row);
    }
    memcpy(out->row + out->rows, one->row, (size_t)one->rows * sizeof *one->row);
    out->rows += one->rows;
    out->kind = out->kind ? out->kind : one->kind;
    f->read++;
    return 0;
}

/* A file of a directory may be anything. */
static void files_leave_out(struct files *f, const struct cs_error *why)
{
    if (f->unread++ < FILES_SHOWN)
        cs_strbuf_printf(&f->reasons, "%s%s", f->reasons.length ? "; " : "", why->text);
}

/* Runs that were left out are counted over all files; other remarks are those of the first files.
 */
static void files_take_remarks(struct files *f, const char *name, struct cs_timings *one)
{
    for (int r = 0; r < CS_TIMINGS_REASONS && one->skipped[r].reason; r++)
        timings_skip(f->out, one->skipped[r].reason, one->skipped[r].count);
    one->skipped[0].reason = NULL;
    if ((one->unread || one->notes) && f->remarks++ < FILES_SHOWN)
        cs_timings_put_remarks(name, one, f->remark);
}

static int files_read_one(struct files *f, const char *path, bool listed)
{
    const char *name = cs_arena_strdup(f->arena, cs_source_name(path));
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_timings one = {.kind = NULL};
    struct cs_error why = {0};
    int status = cs_file_read(path, CS_FILE_LARGEST, &text, &why);

    if (!status)
        status = cs_timings_read(name, text.text ? text.text : "", text.length, f->options,
                                 f->arena, &one, &why);
    cs_strbuf_release(&text);
    if (!status) {
        files_take_remarks(f, name, &one);
        return files_take_rows(f, &one);
    }
    if (listed || one.columns)
        return cs_error_pass(f->err, &why);
    files_leave_out(f, &why);
    return 0;
}

static int files_read_path(struct files *f, const char *path)
{
    const char *const *file = &path;
    int count = 1, status = 0;
    const bool folder = cs_file_is_folder(path);

    if (folder && cs_file_list(path, f->arena, &file, &count, f->err))
        return -1;
    if (!count)
        return cs_error_set(f->err, "%s: a directory without a file", path);
    for (int i = 0; i < count && !status; i++)
        status = files_read_one(f, file[i], !folder);
    return status;
}

static int files_end(const struct files *f, const char *path)
{
    if (!f->read)
        return cs_error_set(f->err, "%s: none of %d files holds timings: %s", path, f->unread,
                            f->reasons.text);
    if (f->remarks > FILES_SHOWN)
        cs_strbuf_printf(f->remark, "\n%s: %d more files with such remarks", path,
                         f->remarks - FILES_SHOWN);
    cs_timings_put_remarks(path, f->out, f->remark);
    if (!f->unread)
        return 0;
    cs_strbuf_printf(f->remark, "%s%s: %d of %d files hold no timings: %s",
                     f->remark->length ? "\n" : "", path, f->unread, f->read + f->unread,
                     f->reasons.text);
    if (f->unread > FILES_SHOWN)
        cs_strbuf_printf(f->remark, "; and %d more", f->unread - FILES_SHOWN);
    return 0;
}

int cs_timings_read_files(const char *const *path, int count,
                          const struct cs_timings_options *options, struct cs_arena *arena,
                          struct cs_timings *out, struct cs_strbuf *remark, struct cs_error *err)
{
    struct files f = {.options = options,
                      .arena = arena,
                      .out = out,
                      .remark = remark,
                      .reasons = CS_STRBUF_INIT,
                      .err = err};
    int status = options ? options_check(options, err) : 0;

    *out = (struct cs_timings){.kind = NULL};
    for (int p = 0; p < count && !status; p++)
        status = files_read_path(&f, path[p]);
    if (!status)
        status = files_end(&f, count == 1 ? path[0] : "the timings");
    cs_strbuf_release(&f.reasons);
    return status;
}
