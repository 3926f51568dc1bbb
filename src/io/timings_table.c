/* timings_table.c - timings in a table: names of columns, units, decimal commas (docs/spec/run2.md,
 * F3), and the tables of JUBE.
 */
#include "io/timings.h"

#include "base/number.h"
#include "base/plain.h"
#include "io/workload_columns.h"

#include <string.h>

static const char app_names[] =
    "app|application|name|app_name|task|job|job_name|jobname|code|program|"
    "benchmark|case";
static const char seconds_names[] =
    "seconds|secs|sec|time|times|runtime|run_time|elapsed|elapsed_time|wall_clock|wallclock|"
    "wall_time|duration";
static const char statistic_names[] = "min|median|mean|avg";

#define STATISTICS 4

/* A column of the header. */
struct column {
    const char *raw;  /* as in the file */
    const char *name; /* lower case, joined by _, without unit and statistic */
    double unit;      /* seconds; 0: not given */
    int statistic;    /* among the names, -1: none */
    int count;        /* place among the names of counts, -1: not among them */
    bool node;
};

struct table {
    struct cs_timings_source *s;
    char separator;
    bool bars;
    long first; /* the header */
    int columns;
    struct column *column;
    int app, procs, seconds;
    bool comma; /* decimal */
    char ***row;
    long *line;
    int rows;
};

/* The index among "a|b|c" of a name; -1: not among them. */
static int name_index(const char *names, const char *name)
{
    int index = 0;

    for (const char *word = names; *word; index++) {
        const size_t length = strcspn(word, "|");

        if (strlen(name) == length && !strncmp(word, name, length))
            return index;
        word += length + (word[length] == '|');
    }
    return -1;
}

/* ---- the header ---- */

/* "wall time [s]" is wall_time in seconds. */
static void column_cut_unit(struct column *c, char *name)
{
    char *open = strpbrk(name, "[(");
    size_t length;

    if (open && open > name) {
        char unit[16] = "";
        const size_t size = strcspn(open + 1, "])");

        if (size && size < sizeof unit) {
            memcpy(unit, open + 1, size);
            unit[size] = '\0';
            c->unit = cs_timings_unit(unit);
        }
        if (c->unit > 0)
            *open = '\0';
    }
    length = strlen(name);
    while (length && name[length - 1] == '_')
        name[--length] = '\0';
}

/* "runtime_ms", "time_min" (the minimum). */
static void column_cut_ending(struct column *c, char *name)
{
    static const char units[] = "s|sec|seconds|ms|minutes|h|hours";
    char *end = strrchr(name, '_');
    const int all = name_index(seconds_names, name);

    if (!end || all >= 0)
        return;
    *end = '\0';
    if (name_index(seconds_names, name) < 0 && strcmp(name, "walltime") != 0) {
        *end = '_';
        return;
    }
    c->statistic = name_index(statistic_names, end + 1);
    if (c->statistic < 0 && name_index(units, end + 1) >= 0)
        c->unit = cs_timings_unit(end + 1);
    else if (c->statistic < 0)
        *end = '_';
}

static struct column column_of(const char *raw, struct cs_arena *arena)
{
    struct column c = {.raw = raw, .statistic = -1};
    char *name = cs_arena_strdup(arena, raw);

    for (char *at = name; *at; at++)
        *at = strchr(" -\t", *at) ? '_' : cs_plain_lower(*at);
    column_cut_unit(&c, name);
    column_cut_ending(&c, name);
    c.name = name;
    c.count = cs_timings_count_rank(name, &c.node);
    return c;
}

/* The column whose name comes first in the list. */
static int find_first(const struct table *t, const char *names)
{
    int best = -1, rank = 0;

    for (int c = 0; c < t->columns; c++) {
        const int index = name_index(names, t->column[c].name);

        if (index >= 0 && (best < 0 || index < rank)) {
            best = c;
            rank = index;
        }
    }
    return best;
}

/* Without a statistic first, then by statistic, then by the order of names. */
static int find_seconds(const struct table *t)
{
    int best = -1, rank = 0;

    for (int c = 0; c < t->columns; c++) {
        const int name = name_index(seconds_names, t->column[c].name);
        const int index = 100 * (t->column[c].statistic + 1) + name;

        if (name >= 0 && (best < 0 || index < rank)) {
            best = c;
            rank = index;
        }
    }
    return best >= 0 ? best : find_first(t, "walltime");
}

/* In the order of the names of F3, of the unit of --count-unit where there is one. */
static int find_procs(const struct table *t)
{
    const char *unit = t->s->options->unit;
    int best = -1, of_unit = -1;

    for (int c = 0; c < t->columns; c++) {
        const struct column *column = &t->column[c];

        if (column->count < 0)
            continue;
        if (best < 0 || column->count < t->column[best].count)
            best = c;
        if (unit && column->node == !strcmp(unit, "node") &&
            (of_unit < 0 || column->count < t->column[of_unit].count))
            of_unit = c;
    }
    return of_unit >= 0 ? of_unit : best;
}

static int table_lacks(const struct table *t, long line)
{
    const bool known[] = {t->app >= 0 || t->s->options->app, t->procs >= 0, t->seconds >= 0};
    static const char *const role[] = {"app", "procs", "seconds"};
    struct cs_strbuf missing = CS_STRBUF_INIT, names = CS_STRBUF_INIT;
    int lacking = 0, said = 0, status = 0;

    for (int i = 0; i < 3; i++)
        lacking += !known[i];
    for (int i = 0; i < 3; i++)
        if (!known[i]) {
            cs_strbuf_printf(&missing, "%s%s",
                             !said                 ? ""
                             : said + 1 == lacking ? " and "
                                                   : ", ",
                             role[i]);
            said++;
        }
    for (int c = 0; c < t->columns; c++)
        cs_strbuf_printf(&names, "%s%s", c ? ", " : "", t->column[c].raw);
    if (lacking)
        status = cs_timings_error(t->s, line,
                                  "the header lacks the column%s %s, it has only: %s; a correct "
                                  "first line is app,procs,seconds",
                                  lacking > 1 ? "s" : "", missing.text, names.text);
    cs_strbuf_release(&missing);
    cs_strbuf_release(&names);
    return status;
}

/* "nodes is the number of processors; cores left aside" */
static void note_counts(struct table *t)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int others = 0;

    cs_strbuf_printf(&text, "%s is the number of processors; ", t->column[t->procs].raw);
    for (int c = 0; c < t->columns; c++)
        if (t->column[c].count >= 0 && c != t->procs)
            cs_strbuf_printf(&text, "%s%s", others++ ? ", " : "", t->column[c].raw);
    cs_strbuf_puts(&text, " left aside");
    if (others && strcmp(t->column[t->procs].name, "procs") != 0)
        cs_timings_note(t->s, text.text);
    cs_strbuf_release(&text);
}

/* Name the columns that look like requirements or limits: this reader has no tasks to give them to.
 */
static void name_requirements(struct table *t)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int c = 0; c < t->columns; c++)
        if (c != t->app && c != t->procs && c != t->seconds &&
            cs_columns_is_requirement(t->column[c].raw))
            cs_strbuf_printf(&text, "%scolumn %s", text.length ? ", " : "", t->column[c].raw);
    if (text.length)
        t->s->out->unread = cs_arena_strdup(t->s->arena, text.text);
    cs_strbuf_release(&text);
}

/* ---- lines ---- */

static char separator_of(const char *line)
{
    static const char separators[] = ",;\t";
    char best = '\0';
    int most = 0;

    for (const char *s = separators; *s; s++) {
        int count = 0;

        for (const char *at = line; *at; at++)
            count += *at == *s;
        if (count > most) {
            most = count;
            best = *s;
        }
    }
    return best;
}

/* The fields between the bars of a line of JUBE. */
static char **bar_fields(const struct table *t, const char *line, int *count)
{
    char *inside = cs_arena_strdup(t->s->arena, line + strspn(line, " \t") + 1);
    size_t length = strlen(inside);

    while (length && strchr(" \t", inside[length - 1]))
        length--;
    length -= length && inside[length - 1] == '|';
    inside[length] = '\0';
    return cs_timings_fields(t->s->arena, inside, '|', count);
}

static char **line_fields(const struct table *t, const char *line, int *count)
{
    return t->bars ? bar_fields(t, line, count)
                   : cs_timings_fields(t->s->arena, line, t->separator, count);
}

static bool is_row(const struct table *t, const char *line)
{
    const char *at = line + strspn(line, " \t");

    if (!*at || *at == '#')
        return false;
    return !t->bars || (*at == '|' && strspn(at, "|-+: \t") != strlen(at));
}

static int table_read_lines(struct table *t)
{
    const struct cs_timings_source *s = t->s;

    t->row = CS_NEW_ARRAY(s->arena, char **, s->lines);
    t->line = CS_NEW_ARRAY(s->arena, long, s->lines);
    for (long l = t->first + 1; l < s->lines; l++) {
        int count;

        if (!is_row(t, s->line[l]))
            continue;
        t->row[t->rows] = line_fields(t, s->line[l], &count);
        t->line[t->rows] = l + 1;
        if (count != t->columns)
            return cs_timings_error(s, l + 1, "found %d fields, expected %d as in the header",
                                    count, t->columns);
        t->rows++;
    }
    return 0;
}

/* ---- decimal commas ---- */

/* 1,234 or 12,345,678: groups of three digits behind one to three. */
static bool is_thousands(const char *text, char separator)
{
    size_t length = strspn(text, "0123456789");

    if (!length || length > 3 || text[length] != separator)
        return false;
    while (text[length] == separator) {
        if (strspn(text + length + 1, "0123456789") != 3)
            return false;
        length += 4;
    }
    return !text[length] || (separator == ',' && text[length] == '.');
}

/* The forms of the fields in the count and time columns. */
struct commas {
    long first;          /* line of the first comma; 0: none */
    const char *text;    /* that field */
    bool english;        /* 1,234.5 */
    bool only_thousands; /* every field with a comma looks like 1,234 */
    bool points;         /* a field has a point and no comma */
    bool decimal_point;  /* the digits after such a point are not three */
};

static void commas_see(struct commas *c, const char *text, long line)
{
    const char *comma = strchr(text, ','), *point = strchr(text, '.');

    if (comma) {
        if (!c->first) {
            c->first = line;
            c->text = text;
        }
        c->english |= point && point > comma && is_thousands(text, ',');
        c->only_thousands &= !point && is_thousands(text, ',');
    } else if (point) {
        c->points = true;
        c->decimal_point |= strspn(point + 1, "0123456789") != 3;
    }
}

static int table_decide_commas(struct table *t)
{
    struct commas c = {.only_thousands = true};
    const char *asked = t->s->options->decimal;

    for (int r = 0; r < t->rows; r++) {
        commas_see(&c, t->row[r][t->procs], t->line[r]);
        commas_see(&c, t->row[r][t->seconds], t->line[r]);
    }
    if (asked) {
        t->comma = !strcmp(asked, "comma");
        if (t->comma && c.first)
            cs_timings_note(t->s, "decimal comma");
        return 0;
    }
    if (!c.first || c.english)
        return 0;
    if (c.decimal_point)
        return cs_timings_error(t->s, c.first, "decimal commas and decimal points in one table");
    if (c.only_thousands && !c.points)
        return cs_timings_error(t->s, c.first,
                                "\"%s\" may be %.*s%s or %.*s.%s: use --decimal comma or --decimal "
                                "point",
                                c.text, (int)strcspn(c.text, ","), c.text, strchr(c.text, ',') + 1,
                                (int)strcspn(c.text, ","), c.text, strchr(c.text, ',') + 1);
    t->comma = true;
    cs_timings_note(t->s, "decimal comma");
    return 0;
}

/* The field with a point as decimal sign, without signs of thousands. */
static const char *plain_number(const struct table *t, const char *text)
{
    char *plain = cs_arena_strdup(t->s->arena, text), *to = plain;
    const bool thousands = is_thousands(text, ',');

    for (const char *at = text; *at; at++) {
        if (t->comma ? *at == '.' && (strchr(text, ',') || is_thousands(text, '.'))
                     : *at == ',' && thousands)
            continue;
        *to++ = t->comma && *at == ',' ? '.' : *at;
    }
    *to = '\0';
    return plain;
}

/* ---- rows ---- */

static int read_count(const struct table *t, int row, int64_t *count)
{
    const char *found = t->row[row][t->procs], *text = plain_number(t, found);
    const char *name = t->column[t->procs].raw;

    if (cs_number_int64(text, count) != CS_NUMBER_FINE)
        return cs_timings_error(t->s, t->line[row], "%s: found \"%s\", expected a whole number",
                                name, found);
    if (*count < 1)
        return cs_timings_error(t->s, t->line[row],
                                "%s: found %s, expected a whole number from 1 on", name, found);
    return 0;
}

static int read_seconds(const struct table *t, int row, double *seconds)
{
    const char *found = t->row[row][t->seconds], *text = plain_number(t, found);
    const struct column *c = &t->column[t->seconds];
    double number;

    if (cs_number_double(text, &number) == CS_NUMBER_FINE && !(number > 0))
        return cs_timings_error(t->s, t->line[row], "%s: found %s, expected a positive number",
                                c->raw, found);
    if (!cs_timings_time(text, seconds))
        return cs_timings_error(
            t->s, t->line[row],
            "%s: found \"%s\", expected a positive number of seconds, or a time "
            "such as 1.5h",
            c->raw, found);
    if (c->unit > 0 && cs_number_double(text, &number) == CS_NUMBER_FINE)
        *seconds *= c->unit;
    return 0;
}

static int table_read_rows(struct table *t)
{
    const char *unit = t->s->options->unit;
    const bool node = unit ? !strcmp(unit, "node") : t->column[t->procs].node;

    for (int r = 0; r < t->rows; r++) {
        const char *app = t->app >= 0 ? t->row[r][t->app] : t->s->options->app;
        double seconds;
        int64_t count;

        if (!*app)
            return cs_timings_error(t->s, t->line[r], "%s: found nothing, expected a name",
                                    t->column[t->app].raw);
        if (read_count(t, r, &count) || read_seconds(t, r, &seconds))
            return -1;
        cs_timings_add(t->s, app, count, node, seconds, t->line[r]);
    }
    return 0;
}

static bool begins_with_bar(const char *line)
{
    return line[strspn(line, " \t")] == '|';
}

/* The line of the header: in result.dat the name of the table, "result:", is before it. */
static long jube_header(const struct cs_timings_source *s)
{
    const size_t length = strlen(s->line[s->first]);
    const bool title = length && s->line[s->first][length - 1] == ':';

    return s->first + (title && s->first + 1 < s->lines && begins_with_bar(s->line[s->first + 1]));
}

bool cs_timings_jube_detect(const struct cs_timings_source *s)
{
    return begins_with_bar(s->line[jube_header(s)]);
}

int cs_timings_read_table(struct cs_timings_source *s)
{
    const bool bars = cs_timings_jube_detect(s);
    const long first = bars ? jube_header(s) : s->first;
    const char *head = s->line[first];
    struct table t = {.s = s, .separator = separator_of(head), .bars = bars, .first = first};
    char **raw;

    raw = line_fields(&t, head, &t.columns);
    t.column = CS_NEW_ARRAY(s->arena, struct column, t.columns + 1);
    for (int c = 0; c < t.columns; c++)
        t.column[c] = column_of(raw[c], s->arena);
    t.app = find_first(&t, app_names);
    t.procs = find_procs(&t);
    t.seconds = find_seconds(&t);
    if (table_lacks(&t, first + 1))
        return -1;
    s->out->columns = true;
    if (table_read_lines(&t) || table_decide_commas(&t))
        return -1;
    note_counts(&t);
    name_requirements(&t);
    return table_read_rows(&t);
}

/* All that is left, but documents. */
bool cs_timings_table_detect(const struct cs_timings_source *s)
{
    return !s->json;
}
