/* workload_columns.c - names of columns, ours first. */
#include "io/workload_columns.h"

#include "base/plain.h"
#include "base/strbuf.h"

#include <stdbool.h>
#include <string.h>

#define FIRST_LINE "app,procs,seconds"

static const char app_names[] =
    "app|application|name|app_name|task|job|job_name|code|program|benchmark";
static const char procs_names[] =
    "procs|processors|proc|num_procs|nprocs|np|nodes|num_nodes|nnodes|processes|num_processes|"
    "ranks|mpi_ranks|num_ranks|nranks|cores|num_cores|ncores|cpus|num_cpus|ncpus";
static const char seconds_names[] =
    "seconds|secs|sec|time|times|runtime|run_time|elapsed|elapsed_time|wall_clock|wallclock|"
    "wall_time|duration";

/* The letters of a name: small, words joined by '_', a unit of seconds in brackets cut off. */
static void workload_columns_simplify(const char *name, char *out, size_t size)
{
    size_t length = strlen(name), at = 0;
    const char *open = strpbrk(name, "([");

    if (open &&
        (!strcmp(open, "(s)") || !strcmp(open, "[s]") || !strcmp(open, "(sec)") ||
         !strcmp(open, "[sec]") || !strcmp(open, "(seconds)") || !strcmp(open, "[seconds]")))
        length = (size_t)(open - name);
    while (length > 0 && name[length - 1] == ' ')
        length--;
    for (; at < length && at + 1 < size; at++) {
        char c = name[at];

        out[at] = c == ' ' || c == '-' ? '_' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    out[at] = '\0';
}

static bool is_word(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && strncmp(name, word, length) == 0;
}

/* Is the name one of "a|b|c"? */
static bool workload_columns_has(const char *names, const char *name)
{
    char simple[64];

    workload_columns_simplify(name, simple, sizeof simple);
    for (const char *word = names; *word; word += *word == '|') {
        const size_t length = strcspn(word, "|");

        if (is_word(simple, word, length))
            return true;
        word += length;
    }
    return false;
}

static int find_word(const struct cs_csv *csv, const char *word, size_t length)
{
    char name[64];

    for (int c = 0; c < cs_csv_columns(csv); c++) {
        workload_columns_simplify(cs_csv_column_name(csv, c), name, sizeof name);
        if (is_word(name, word, length))
            return c;
    }
    return -1;
}

/* The first of the names, "a|b|c", that a column has. */
static int workload_columns_find(const struct cs_csv *csv, const char *names)
{
    while (*names) {
        size_t length = strcspn(names, "|");
        int column = find_word(csv, names, length);

        names += length + (names[length] == '|');
        if (column >= 0)
            return column;
    }
    return -1;
}

static bool has_part(const char *name, const char *part)
{
    for (; *name; name++)
        if (cs_plain_begins(name, part))
            return true;
    return false;
}

/* The requirement that a column of this name is not read as; NULL: not a requirement. */
static const char *missing_part(const char *name)
{
    static const struct {
        const char *part, *then;
    } known[] = {
        {"after", "the tasks count as independent"},
        {"depend", "the tasks count as independent"},
        {"predecessor", "the tasks count as independent"},
        {"budget", "no budget is kept"},
        {"deadline", "no deadline is kept"},
        {"gpu", "only processors are limited"},
        {"mem", "only processors are limited"},
        {"rss", "only processors are limited"},
        {"licen", "only processors are limited"},
        {"token", "only processors are limited"},
        {"require", "only processors are limited"},
        {"constraint", "only processors are limited"},
        {"gres", "only processors are limited"},
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (has_part(name, known[k].part))
            return known[k].then;
    return NULL;
}

static const char min_names[] = "min_procs|min_nodes|min_ranks|min_cores";
static const char max_names[] = "max_procs|max_nodes|max_ranks|max_cores";
static const char counts_names[] = "counts|allowed";

/* The columns that a column of this name may have been meant to be. */
static const char *meant_name(const char *name)
{
    return has_part(name, "after") || has_part(name, "depend") || has_part(name, "predecessor")
               ? "after"
           : has_part(name, "budget")   ? "budget:NAME"
           : has_part(name, "deadline") ? "deadline"
                                        : "gpus, memory or resource:NAME";
}

bool cs_columns_is_requirement(const char *name)
{
    return missing_part(name) || workload_columns_has(min_names, name) ||
           workload_columns_has(max_names, name) || workload_columns_has(counts_names, name) ||
           workload_columns_has("walltime|release|checkpoint|data|verification|disk", name);
}

static bool is_among(const int *used, int count, int column)
{
    for (int u = 0; u < count; u++)
        if (used[u] == column)
            return true;
    return false;
}

int cs_columns_put_unread(const struct cs_csv *csv, const int *used, int count,
                          struct cs_strbuf *out)
{
    int unread = 0;

    for (int c = 0; c < cs_csv_columns(csv); c++) {
        const char *name = cs_csv_column_name(csv, c), *then = missing_part(name);

        if (!then || is_among(used, count, c))
            continue;
        cs_strbuf_printf(out, "%s%s: %.60s is not read: %s", out->length ? "\n" : "",
                         cs_csv_name(csv), name, then);
        unread++;
    }
    return unread;
}

enum { READ = 15 };

static void list_read(const struct cs_workload_columns *c, int used[READ])
{
    const int these[READ] = {
        c->app,       c->procs,        c->seconds,    c->formulas ? c->size : -1,
        c->fraction,  c->overhead,     c->checkpoint, c->data,
        c->min_procs, c->max_procs,    c->counts,     c->walltime,
        c->release,   c->verification, c->disk};

    memcpy(used, these, sizeof these);
}

bool cs_workload_columns_ignore(const struct cs_workload_columns *columns, int column)
{
    int used[READ];

    list_read(columns, used);
    return !is_among(used, READ, column) && !(columns->requirement && columns->requirement[column]);
}

/* Nodes and cores both: the first of our list counts, and the other may have been meant. */
static void put_count_caveat(const struct cs_csv *csv, int procs, struct cs_strbuf *out)
{
    struct cs_strbuf background = CS_STRBUF_INIT;

    if (procs < 0 || find_word(csv, "procs", 5) == procs)
        return;
    for (int c = 0; c < cs_csv_columns(csv); c++)
        if (c != procs && workload_columns_has(procs_names, cs_csv_column_name(csv, c)))
            cs_strbuf_printf(&background, "%s%.60s", background.length ? ", " : "",
                             cs_csv_column_name(csv, c));
    if (background.length)
        cs_strbuf_printf(out,
                         "%s%s: %.60s is the number of processors; %s left aside (call the column "
                         "that counts procs)",
                         out->length ? "\n" : "", cs_csv_name(csv), cs_csv_column_name(csv, procs),
                         background.text);
    cs_strbuf_release(&background);
}

/* Where requirements are read, names of others are probably misspelt. */
static void put_meant(const struct cs_csv *csv, const struct cs_workload_columns *columns,
                      struct cs_strbuf *out)
{
    for (int c = 0; c < cs_csv_columns(csv); c++) {
        const char *name = cs_csv_column_name(csv, c);

        if (missing_part(name) && cs_workload_columns_ignore(columns, c))
            cs_strbuf_printf(out, "%s%s: %.60s is not read: did you mean %s?",
                             out->length ? "\n" : "", cs_csv_name(csv), name, meant_name(name));
    }
}

void cs_workload_columns_put_caveats(const struct cs_csv *csv,
                                     const struct cs_workload_columns *columns,
                                     struct cs_strbuf *out)
{
    int used[READ];

    list_read(columns, used);
    if (columns->requirement)
        put_meant(csv, columns, out);
    else
        cs_columns_put_unread(csv, used, READ, out);
    put_count_caveat(csv, columns->procs, out);
}

/* Walltime is a limit if there is a column of times, else the time. */
static void find_seconds(const struct cs_csv *csv, struct cs_workload_columns *c)
{
    c->seconds = workload_columns_find(csv, seconds_names);
    c->walltime = workload_columns_find(csv, "walltime");
    if (c->seconds < 0 && !(c->formulas && c->size >= 0)) {
        c->seconds = c->walltime;
        c->walltime = -1;
    }
}

static void list_found(const struct cs_csv *csv, struct cs_strbuf *out)
{
    for (int c = 0; c < cs_csv_columns(csv) && out->length < 300; c++)
        if (*cs_csv_column_name(csv, c))
            cs_strbuf_printf(out, "%s%.40s", out->length ? ", " : "", cs_csv_column_name(csv, c));
    if (out->length >= 300)
        cs_strbuf_puts(out, ", ...");
}

/* Comments of SWF begin with a semicolon, so that its first column has no name. */
static bool looks_like_log(const struct cs_csv *csv)
{
    const char *name = cs_csv_column_name(csv, 0);

    return !*name || !strncmp(name, "JobID", 5);
}

static int workload_columns_refuse(const struct cs_csv *csv, const struct cs_workload_columns *c,
                                   struct cs_error *err)
{
    const char *const name[] = {"app", "procs", "seconds"};
    const bool missing[] = {c->app < 0, !c->formulas && c->procs < 0, c->seconds < 0};
    const bool log = missing[0] && missing[1] && missing[2] && looks_like_log(csv);
    int left = missing[0] + missing[1] + missing[2];
    struct cs_strbuf lacks = CS_STRBUF_INIT, found = CS_STRBUF_INIT;

    cs_strbuf_puts(&lacks, left > 1 ? "columns " : "column ");
    for (int i = 0; i < 3; i++)
        if (missing[i])
            cs_strbuf_printf(&lacks, "%s%s", name[i], --left > 1 ? ", " : left == 1 ? " and " : "");
    list_found(csv, &found);
    cs_csv_error(
        csv, -1, err,
        "the header lacks the %s, it has only: %s; a correct first line is " FIRST_LINE "%s",
        lacks.text, found.text, log ? "; if this is a job log: 'cosched replay' reads it" : "");
    cs_strbuf_release(&lacks);
    cs_strbuf_release(&found);
    return -1;
}

int cs_workload_columns_find(const struct cs_csv *csv, struct cs_workload_columns *columns,
                             struct cs_error *err)
{
    struct cs_workload_columns c = {
        .app = workload_columns_find(csv, app_names),
        .procs = workload_columns_find(csv, procs_names),
        .size = cs_csv_find(csv, "size"),
        .fraction = cs_csv_find(csv, "seq_fraction"),
        .overhead = cs_csv_find(csv, "overhead"),
        .checkpoint = cs_csv_find(csv, "checkpoint"),
        .data = cs_csv_find(csv, "data"),
        .verification = cs_csv_find(csv, "verification"),
        .disk = cs_csv_find(csv, "disk"),
        .min_procs = workload_columns_find(csv, min_names),
        .max_procs = workload_columns_find(csv, max_names),
        .counts = workload_columns_find(csv, counts_names),
        .release = workload_columns_find(csv, "release"),
    };
    bool sized;

    c.formulas = c.procs < 0 && (c.fraction >= 0 || c.size >= 0);
    sized = c.formulas && c.size >= 0;
    find_seconds(csv, &c);
    if (sized && c.seconds >= 0)
        return cs_csv_error(csv, c.size, err, "an application has a size or seconds, not both");
    if (c.app < 0 || (!c.formulas && c.procs < 0) || (c.seconds < 0 && !sized))
        return workload_columns_refuse(csv, &c, err);
    *columns = c;
    return 0;
}
