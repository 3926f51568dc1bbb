/* timings.h - measured times of the tools that people measure with (docs/spec/run2.md, part F).
 *
 * One reader for tables, logs and results: a text gives rows of application, count, seconds. A
 * format is a row of timings.def: a name, a function that recognises the text, and one that reads
 * it.
 */
#ifndef CS_IO_TIMINGS_H
#define CS_IO_TIMINGS_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <cosched/error.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Options for what a file lacks; NULL: not given. */
struct cs_timings_options {
    const char *app;    /* the name of the application */
    const char *count;  /* a regular expression whose first group is the count in a command; a whole
                           number, with `app`; or a parameter of Extra-P */
    const char *unit;   /* "node" or "processor": which counts are read where both are there */
    const char *metric; /* which time, of several */
    const char *region; /* of Extra-P */
    const char *decimal; /* "comma" or "point" */
};

struct cs_timing {
    const char *app;
    int64_t procs; /* processors, or nodes */
    bool node;
    double seconds, memory; /* memory: bytes; NaN: unknown */
    const char *file;
    long line; /* or the number of the result */
};

#define CS_TIMINGS_REASONS 8

struct cs_timings {
    const char *kind; /* "hyperfine"; NULL: not recognised */
    struct cs_timing *row;
    int rows, room;
    struct {
        const char *reason; /* "not completed" */
        int count;
    } skipped[CS_TIMINGS_REASONS];
    const char *note[CS_TIMINGS_REASONS];
    int notes;
    const char *unread; /* what the file has and is not read, such as "metric bytes"; or NULL */
    bool columns; /* a table that has the columns of timings: what is wrong with it is in a row */
};

/* A text that is being read. The lines have no ends, CRs and byte order mark; line[0] is line 1. */
struct cs_timings_source {
    const char *name;
    const struct cs_timings_options *options;
    struct cs_arena *arena;
    struct cs_error *err;
    struct cs_timings *out;
    char **line;
    long lines, first;  /* first: the first line that is neither blank nor a comment; -1: none */
    const json_t *json; /* the text as one JSON document, or NULL */
};

typedef bool cs_timings_detect_f(const struct cs_timings_source *s);
typedef int cs_timings_read_f(struct cs_timings_source *s);

#define TIMINGS(form, detect, read)                                                                \
    cs_timings_detect_f detect;                                                                    \
    cs_timings_read_f read;
#include "io/timings.def"
#undef TIMINGS

/* Read the runs of a text of any format. Rows and texts are in the arena. -1 with err; out->kind is
 * set if the format was recognised. */
int cs_timings_read(const char *name, const char *text, size_t size,
                    const struct cs_timings_options *options, struct cs_arena *arena,
                    struct cs_timings *out, struct cs_error *err);

/* Several files, and directories: of these every file (cs_file_list). The rows are in the order of
 * the files. A file of a directory that holds no timings is left out and named in `remark`; a file
 * that was named itself, and a table with a malformed row, are errors. out->kind is that of the
 * first file that was read. -1 with err. */
int cs_timings_read_files(const char *const *path, int count,
                          const struct cs_timings_options *options, struct cs_arena *arena,
                          struct cs_timings *out, struct cs_strbuf *remark, struct cs_error *err);

/* The format of a text, or NULL. */
const char *cs_timings_kind(const char *name, const char *text, size_t size);

/* ---- for the formats ---- */

void cs_timings_add(struct cs_timings_source *s, const char *app, int64_t procs, bool node,
                    double seconds, long line);
void cs_timings_skip(struct cs_timings_source *s, const char *reason);
void cs_timings_note(struct cs_timings_source *s, const char *note);

/* -1 with "FILE:LINE: text"; without the line if it is 0. */
int cs_timings_error(const struct cs_timings_source *s, long line, const char *format, ...)
    CS_PRINTF(3, 4);

/* The fields of a line, in quotes where they hold the separator (not for blanks and bars); '\0':
 * separated by blanks. NULL-terminated. */
char **cs_timings_fields(struct cs_arena *arena, const char *line, char separator, int *count);
int cs_timings_column(char *const *header, int count, const char *name); /* exact; -1: missing */

/* The place of a name among those "named like a count" (F3), -1: not among them; `node` is set for
 * nodes. */
int cs_timings_count_rank(const char *name, bool *node);

/* The factor of a unit of time; 0: not a unit. */
double cs_timings_unit(const char *unit);

/* A positive time: a number, or with units or colons. */
bool cs_timings_time(const char *text, double *seconds);
bool cs_timings_whole(const char *text, int64_t *number); /* above 0 */

/* Application and count of a command (F2). -1 with err if the count is missing. */
struct cs_timings_command {
    const char *app;
    int64_t procs;
    bool node;
};
int cs_timings_command(struct cs_timings_source *s, const char *command, long line,
                       struct cs_timings_command *out);

/* The name of the application from the name of the file: counts (0: unknown) at its end are
 * removed; a name that is one of "a|b|c" gives way to that of the folder. */
const char *cs_timings_file_app(const struct cs_timings_source *s, const int64_t *count, int counts,
                                const char *generic);

/* Which of the names of times counts: the only one, the first usual one, or --metric; -1 with err.
 */
int cs_timings_choose(const struct cs_timings_source *s, const char *const *name, int count);

/* "2 failed, 1 steps" */
void cs_timings_put_skipped(const struct cs_timings *timings, struct cs_strbuf *out);

/* Append a line each for runs that were left out, what is not read, and the notes:
 * "FILE: hyperfine: read 12 runs; left out: 3 failed". */
void cs_timings_put_remarks(const char *file, const struct cs_timings *timings,
                            struct cs_strbuf *out);

/* A table (F3), also with the bars of JUBE. */
int cs_timings_read_table(struct cs_timings_source *s);

#endif
