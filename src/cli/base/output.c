/* output.c - standard output, and whether a file can be written. */
#define _POSIX_C_SOURCE 200809L /* flockfile */
#include "cli/base/output.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/utf8.h"
#include "base/watch.h"
#include "cli/base/failing.h"
#include "cli/base/format.h"
#include "problem/arguments.h"
#include "report/table.h"

#include <cosched/case.h>

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Cells of tables from values of JSON. */

json_t *cs_rows_parse(char *text)
{
    json_t *parsed = text ? cs_json_parse(text, strlen(text), JSON_ALLOW_NUL) : NULL;

    cs_free(text);
    return parsed;
}

static void put_cell(struct cs_table *table, enum cs_column_kind kind, const json_t *value)
{
    if (!value || json_is_null(value))
        cs_table_unknown(table);
    else if (kind == CS_COLUMN_WORD)
        cs_table_text(table, json_string_value(value));
    else if (kind == CS_COLUMN_BOOLEAN)
        cs_table_count(table, json_is_true(value));
    else if (kind == CS_COLUMN_COUNT)
        cs_table_count(table, json_integer_value(value));
    else
        cs_table_number(table, json_number_value(value));
}

void cs_rows_put(struct cs_table *table, const struct cs_column *column, size_t columns,
                 const json_t *row)
{
    for (size_t c = 0; c < columns; c++)
        put_cell(table, column[c].kind, json_object_get(row, column[c].key));
}

void cs_rows_put_list(struct cs_table *table, const struct cs_column *column, size_t columns,
                      const json_t *row)
{
    for (size_t c = 0; c < columns; c++)
        put_cell(table, column[c].kind, json_array_get(row, c));
}

enum cs_table_format cs_rows_format(int choice)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };

    return formats[choice];
}

/* The endings that are known, and the options that write. */

static const char *const outputs[] = {"output",  "schedule", "per-scenario", "table",
                                      "jobs",    "series",   "report",       "sbatch",
                                      "timings", "store",    "write-lp"};

static const char *const endings[] = {
    ".json", ".csv", ".html", ".htm", ".svg",  ".pdf",  ".png", ".gif", ".jpg",     ".jpeg", ".db",
    ".xlsx", ".tex", ".md",   ".sh",  ".yaml", ".gz",   ".xz",  ".zst", ".zip",     ".swf",  ".lp",
    ".dot",  ".xml", ".py",   ".bz2", ".tar",  ".docx", ".eps", ".ps",  ".parquet",
};

/* One of those above, or NULL. */
static const char *ending_of(const char *path)
{
    const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');

    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (!cs_plain_compare(dot, endings[i]))
            return endings[i];
    return NULL;
}

/* Is it one of "FILE.json|FILE.csv"? */
static bool is_right(const char *ending, const char *argument)
{
    const size_t length = strlen(ending);

    for (const char *at = strstr(argument, ending); at; at = strstr(at + 1, ending))
        if (!at[length] || at[length] == '|')
            return true;
    return !strcmp(ending, ".htm") && strstr(argument, ".html");
}

int cs_ending_check(const char *as, const char *path, const char *argument, struct cs_error *err)
{
    const char *dot = strchr(argument, '.'), *ending = ending_of(path);

    if (ending && !strcmp(argument, "DIR"))
        return cs_error_set(err, "%s is a folder, and %s has the ending of a file", as, path);
    if (!dot || !ending || strstr(argument, ".svg") || is_right(ending, argument))
        return 0;
    return cs_error_set(err, "%s writes %s, and %s has the ending of something else", as, argument,
                        path);
}

static bool is_output(const struct cs_param *param)
{
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        if (param->kind == CS_PARAM_PATH && !strcmp(param->name, outputs[i]))
            return true;
    return false;
}

/* Then the message has more than the wrong extension. */
static bool is_operand(const struct cs_arguments *args, const char *path)
{
    struct cs_error none = {0};

    for (int i = 0; i < args->operands; i++)
        if (cs_output_apart(path, args->operand[i], "an input", &none))
            return true;
    return false;
}

/* Neither a folder nor a store. */
static bool is_file(const struct cs_param *param)
{
    return param->argument && strcmp(param->argument, "DIR") && !strstr(param->argument, ".db");
}

static void output_leave(void);

/* Standard output is for one file, and then for nothing else; `first` is the option that took it.
 */
static int ending_take(const char **first, const struct cs_param *param, struct cs_error *err)
{
    if (*first)
        return cs_error_set(err, "--%s and --%s cannot both go to standard output", *first,
                            param->name);
    *first = param->name;
    output_leave();
    return 0;
}

int cs_endings_check(const struct cs_arguments *args, struct cs_error *err)
{
    const char *first = NULL;

    for (int i = 0; args->options && args->options[i].name; i++) {
        const struct cs_param *param = &args->options[i];
        const char *path = is_output(param) ? cs_arguments_text(args, param->name) : NULL;
        char as[64];

        cs_plain_print(as, sizeof as, "--%s", param->name);
        if (path && param->argument && !is_operand(args, path) &&
            cs_ending_check(as, path, param->argument, err))
            return -1;
        if (path && !strcmp(path, "-") && is_file(param) && ending_take(&first, param, err))
            return -1;
    }
    return 0;
}

/* Standard output is a file that an option names. */
static bool taken;

/* An option writes its file to standard output: nothing else is put there. */
static void output_leave(void)
{
    taken = true;
}

/* Without allocation, since it also prints messages about a lack of memory. */
static void show_text(FILE *to, const char *text, size_t length, bool lines)
{
    char out[1024], form[CS_UTF8_FORM];
    size_t filled = 0;
    int used;

    for (size_t at = 0; at < length; at += (size_t)used) {
        const char c = text[at];

        if (filled + sizeof form > sizeof out) {
            fwrite(out, 1, filled, to);
            filled = 0;
        }
        used = 1;
        if ((c >= 0x20 && c < 0x7f) || (lines && (c == '\n' || c == '\t'))) {
            out[filled++] = c;
        } else {
            used = cs_utf8_show(text + at, form);
            memcpy(out + filled, form, strlen(form));
            filled += strlen(form);
        }
    }
    fwrite(out, 1, filled, to);
}

/* Colours on a terminal: headings of tables, and lines with a good or a bad result. Off with
 * NO_COLOR (https://no-color.org) and TERM=dumb. */
static bool colours_wanted(int fd)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");

    return isatty(fd) && !(off && *off) && term && *term && strcmp(term, "dumb") != 0;
}

static bool line_holds(const char *line, size_t length, const char *word)
{
    const size_t size = strlen(word);

    for (size_t at = 0; at + size <= length; at++)
        if (memcmp(line + at, word, size) == 0)
            return true;
    return false;
}

/* The rule of dashes below the headings of a table. */
static bool is_rule(const char *line)
{
    const size_t length = strcspn(line, "\n");

    return length >= 3 && strspn(line, "- ") == length && memcmp(line, "---", 3) == 0;
}

static bool is_heading(const char *line)
{
    const char *next = strchr(line, '\n');
    const char *after = next ? strchr(next + 1, '\n') : NULL;

    if (*line == '\n' || !next || next[1] == '\n' || is_rule(line))
        return false;
    return is_rule(next + 1) || (after && is_rule(after + 1)); /* units are a second line */
}

static const char *line_colour(const char *line, size_t length)
{
    static const char *const bad[] = {": not valid", "not valid:", "does not agree"};
    static const char *const good[] = {": valid:", "(proven)", "(optimal)"};

    if (is_heading(line))
        return "\033[1m";
    for (size_t w = 0; w < sizeof bad / sizeof *bad; w++)
        if (line_holds(line, length, bad[w]))
            return "\033[31m";
    for (size_t w = 0; w < sizeof good / sizeof *good; w++)
        if (line_holds(line, length, good[w]))
            return "\033[32m";
    return NULL;
}

static void show_lines(FILE *to, const char *text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        const char *colour = line_colour(text, length);

        fputs(colour ? colour : "", to);
        show_text(to, text, length, true);
        fputs(colour ? "\033[0m" : "", to);
        fputs(text[length] ? "\n" : "", to);
        text += length + (text[length] != '\0');
    }
}

static bool csv_safe;

void cs_output_csv_safe(void)
{
    csv_safe = true;
}

static bool is_csv(const char *text)
{
    return csv_safe && !strchr("{[", *text);
}

void cs_output_put(const struct cs_strbuf *text)
{
    struct cs_strbuf safe = CS_STRBUF_INIT;
    const bool data = cs_failing_for_data();

    if (taken)
        return;
    if (data && is_csv(text->text)) {
        cs_strbuf_append(&safe, text->text, text->length);
        cs_csv_make_safe(&safe);
        text = &safe;
    }
    if (data && !isatty(STDOUT_FILENO))
        fwrite(text->text, 1, text->length, stdout);
    else if (!data && strlen(text->text) == text->length && colours_wanted(STDOUT_FILENO))
        show_lines(stdout, text->text);
    else
        show_text(stdout, text->text, text->length, true);
    cs_strbuf_release(&safe);
}

static bool longer_than_terminal(const char *text)
{
    struct winsize size = {0};
    int lines = 0;

    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row)
        return false;
    for (; *text; text++)
        lines += *text == '\n';
    return lines >= size.ws_row;
}

void cs_output_page(const struct cs_strbuf *text)
{
    const char *pager = getenv("PAGER");
    FILE *to = NULL;

    if (!taken && longer_than_terminal(text->text) && !(pager && !*pager)) {
        fflush(stdout);
        to = popen(pager ? pager : "command -v less >/dev/null && exec less -FRX; exec cat", "w");
    }
    if (!to) {
        cs_output_put(text);
        return;
    }
    show_text(to, text->text, text->length, true);
    pclose(to);
}

static void note_text(const char *before, const char *text, size_t length)
{
    const bool coloured = *before && colours_wanted(STDERR_FILENO);

    flockfile(stderr);
    if (coloured)
        fputs(strstr(before, "warning") ? "\033[33m" : "\033[31m", stderr);
    fputs(before, stderr);
    fputs(coloured ? "\033[0m" : "", stderr);
    show_text(stderr, text, length, false);
    fputc('\n', stderr);
    funlockfile(stderr);
}

void cs_output_note(const char *text)
{
    note_text("", text, strlen(text));
}

void cs_output_error(const char *text)
{
    note_text("cosched: ", text, strlen(text));
}

void cs_output_draw(const char *text)
{
    fputs(text, stderr);
    fflush(stderr);
}

void cs_output_flush(void)
{
    fflush(stdout);
}

int cs_output_columns(void)
{
    const char *said = getenv("COLUMNS");
    struct winsize size = {0};
    long columns = said ? strtol(said, NULL, 10) : 0;

    if (!isatty(STDOUT_FILENO))
        return 0;
    if (columns > 0)
        return columns < INT_MAX ? (int)columns : INT_MAX;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void cs_output_table(const struct cs_table *table, enum cs_table_format format, int width,
                     struct cs_strbuf *out)
{
    const int columns = format == CS_TABLE_TEXT ? cs_output_columns() : 0;

    if (columns && (!width || columns < width))
        cs_table_fit(table, columns, out);
    else
        cs_table_write(table, format, width, out);
}

int cs_output_finish(struct cs_error *err)
{
    bool failed = ferror(stdout) != 0;

    if (!failed)
        errno = 0;
    if (fflush(stdout) == 0 && !failed)
        return 0;
    if (errno == EPIPE)
        return -1;
    return cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot write to standard output: %s",
                           strerror(errno));
}

void cs_output_warn(const char *text)
{
    note_text("cosched: warning: ", text, strlen(text));
}

void cs_output_warn_of(void *who, const char *error_text)
{
    (void)who;
    cs_output_warn(error_text);
}

void cs_output_warn_lines(const char *text)
{
    cs_watch_each_line(text, cs_output_warn_of, NULL);
}

static int check_folder(const char *path, struct cs_error *err)
{
    struct cs_strbuf folder = CS_STRBUF_INIT;
    const char *slash = strrchr(path, '/');
    struct stat about;
    int failed = 0;

    if (slash)
        cs_strbuf_append(&folder, path, slash == path ? 1 : (size_t)(slash - path));
    else
        cs_strbuf_puts(&folder, ".");
    if (stat(folder.text, &about) != 0)
        failed = cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot write %s: there is no folder %s",
                                 path, folder.text);
    else if (!S_ISDIR(about.st_mode))
        failed = cs_error_set(err, "cannot write %s: %s is not a folder", path, folder.text);
    else if (access(folder.text, W_OK) != 0)
        failed = cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot write %s: folder %s: %s", path,
                                 folder.text, strerror(errno));
    cs_strbuf_release(&folder);
    return failed;
}

int cs_output_check(const char *path, struct cs_error *err)
{
    struct stat about;

    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &about) != 0)
        return check_folder(path, err);
    if (S_ISDIR(about.st_mode))
        return cs_error_set(err, "cannot write %s: it is a folder", path);
    if (access(path, W_OK) != 0)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "cannot write %s: %s", path, strerror(errno));
    return S_ISREG(about.st_mode) ? check_folder(path, err) : 0;
}

static bool same_file(const char *path, const char *other)
{
    struct stat one, two;
    bool there = stat(path, &one) == 0;

    if (there && !S_ISREG(one.st_mode))
        return false;
    if (there && stat(other, &two) == 0)
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino;
    return strcmp(path, other) == 0;
}

int cs_output_apart(const char *path, const char *other, const char *why, struct cs_error *err)
{
    if (!path || !other || !strcmp(path, "-") || !strcmp(other, "-") || !same_file(path, other))
        return 0;
    return cs_error_set(err, "cannot write %s: it is %s", path, why);
}

int cs_output_apart_store(const char *path, const char *store, struct cs_error *err)
{
    static const char *const ending[] = {"-wal", "-shm", "-journal", "-lock", NULL};
    struct cs_strbuf extra = CS_STRBUF_INIT;
    int status = cs_output_apart(path, store, "a store that is read", err);

    for (int e = 0; ending[e] && !status; e++) {
        cs_strbuf_clear(&extra);
        cs_strbuf_printf(&extra, "%s%s", store, ending[e]);
        status = cs_output_apart(path, extra.text, "a part of the store", err);
    }
    cs_strbuf_release(&extra);
    return status;
}

/* Not where an option before this one writes. */
static int check_before(const struct cs_arguments *args, const char *const *option, int which,
                        struct cs_error *err)
{
    const char *path = cs_arguments_text(args, option[which]);
    char why[128];

    for (int o = 0; o < which; o++) {
        cs_plain_print(why, sizeof why, "where --%s goes; give --%s another file", option[o],
                       option[which]);
        if (cs_output_apart(path, cs_arguments_text(args, option[o]), why, err))
            return -1;
    }
    return 0;
}

int cs_output_check_options(const struct cs_arguments *args, const char *const *option,
                            const char *other, const char *why, struct cs_error *err)
{
    for (int o = 0; option[o]; o++) {
        const char *path = cs_arguments_text(args, option[o]);

        if (cs_output_check(path, err) || cs_output_apart(path, other, why, err) ||
            check_before(args, option, o, err))
            return -1;
    }
    return 0;
}

int cs_output_save(const char *path, struct cs_strbuf *text, struct cs_error *err)
{
    int status;

    if (is_csv(text->text))
        cs_csv_make_safe(text);
    status = cs_file_write(path ? path : "-", text->text, text->length, err);
    cs_strbuf_release(text);
    return status;
}
