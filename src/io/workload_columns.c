/* workload_columns.c - names of columns, ours first. */
#include "io/workload_columns.h"

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
static void simplify(const char *name, char *out, size_t size)
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

static int find_word(const struct cs_csv *csv, const char *word, size_t length)
{
    char name[64];

    for (int c = 0; c < cs_csv_columns(csv); c++) {
        simplify(cs_csv_column_name(csv, c), name, sizeof name);
        if (is_word(name, word, length))
            return c;
    }
    return -1;
}

/* The first of the names, "a|b|c", that a column has; *next is what follows it. */
static int find_next(const struct cs_csv *csv, const char *names, const char **next)
{
    while (*names) {
        size_t length = strcspn(names, "|");
        int column = find_word(csv, names, length);

        names += length + (names[length] == '|');
        if (column >= 0) {
            *next = names;
            return column;
        }
    }
    *next = names;
    return -1;
}

static int find(const struct cs_csv *csv, const char *names)
{
    const char *next;

    return find_next(csv, names, &next);
}

/* Nodes and cores both: the first of our list counts, and somebody may have meant the other. */
static const char *find_doubt(const struct cs_csv *csv, int procs)
{
    const char *next = procs_names;
    int column = find_next(csv, next, &next);

    if (column < 0 || find_word(csv, "procs", 5) == procs)
        return NULL;
    return find_next(csv, next, &next) < 0
               ? NULL
               : "several columns could be the number of processors: the one closest to nodes "
                 "counts (call one of them procs to say which)";
}

/* Walltime is a limit beside a column of times, and the time where there is none. */
static void find_seconds(const struct cs_csv *csv, struct cs_workload_columns *c)
{
    c->seconds = find(csv, seconds_names);
    c->walltime = find(csv, "walltime");
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

static int refuse(const struct cs_csv *csv, const struct cs_workload_columns *c,
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
        .app = find(csv, app_names),
        .procs = find(csv, procs_names),
        .size = cs_csv_find(csv, "size"),
        .fraction = cs_csv_find(csv, "seq_fraction"),
        .overhead = cs_csv_find(csv, "overhead"),
        .checkpoint = cs_csv_find(csv, "checkpoint"),
        .data = cs_csv_find(csv, "data"),
        .min_procs = find(csv, "min_procs|min_nodes|min_ranks|min_cores"),
        .max_procs = find(csv, "max_procs|max_nodes|max_ranks|max_cores"),
        .counts = find(csv, "counts|allowed"),
        .release = find(csv, "release"),
    };
    bool sized;

    c.formulas = c.procs < 0 && (c.fraction >= 0 || c.size >= 0);
    sized = c.formulas && c.size >= 0;
    find_seconds(csv, &c);
    c.doubt = find_doubt(csv, c.procs);
    if (sized && c.seconds >= 0)
        return cs_csv_error(csv, c.size, err, "an application has a size or seconds, not both");
    if (c.app < 0 || (!c.formulas && c.procs < 0) || (c.seconds < 0 && !sized))
        return refuse(csv, &c, err);
    *columns = c;
    return 0;
}
