/* log_row.c - what the readers of logs share. */
#include "io/log_row.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "io/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cs_log_refuse(struct cs_lines *lines, const char *first, struct cs_error *err)
{
    const char *text = first + strspn(first, " \t");
    const char *looks = "";

    if (*text == '{' || *text == '[')
        looks = "; this looks like JSON (a schedule, a workload or a machine)";
    else if (*text == '<')
        looks = "; this looks like XML or HTML";
    else if (cs_plain_begins(text, "JobID") && strchr(text, ','))
        looks = "; this looks like sacct --delimiter=, whose values have commas too: omit that "
                "option";
    else if (cs_plain_begins(text, "JobID"))
        looks = "; this looks like sacct without --parsable2 (-P): give it that option";
    else if (strchr(text, '|'))
        looks = "; this looks like sacct --parsable2 without its header or without JobID: leave "
                "--noheader away";
    else if (cs_plain_begins(text, "policy,priority,job_id"))
        looks = "; this looks like a table of jobs that a replay wrote: cosched check judges it";
    else if (strchr(text, ','))
        looks = "; this looks like CSV, but neither ALCF's nor Batsim's";
    else if (*text == '#' || strchr(text, '='))
        looks = "; this looks like a configuration: a machine is given with --machine";
    return cs_error_set(
        err,
        "%s: this is no job log: expected SWF, sacct -P, the accounting log of PBS, "
        "or CSV of ALCF or Batsim%s",
        cs_lines_name(lines), looks);
}

enum cs_log_rule cs_log_malformed(struct cs_log_scan *scan, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    cs_plain_vprint(scan->why.text, sizeof scan->why.text, format, args);
    va_end(args);
    return CS_LOG_MALFORMED;
}

/* Up to 15 digits, which most numbers of logs are. */
static bool read_digits(const char *text, double *out)
{
    const bool negative = *text == '-';
    const char *start = text + negative, *at = start;
    int64_t value = 0;

    for (; *at >= '0' && *at <= '9' && at - start < 15; at++)
        value = 10 * value + (*at - '0');
    *out = (double)(negative ? -value : value);
    return at > start && !*at;
}

bool cs_log_number(const char *text, double *out)
{
    if (read_digits(text, out))
        return true;
    return cs_number_double(text, out) == CS_NUMBER_FINE && fabs(*out) <= CS_LOG_LARGEST;
}

int64_t cs_log_whole(const char *text)
{
    double value;

    return cs_log_number(text, &value) && value >= 0 ? (int64_t)value : -1;
}

int cs_log_name(struct cs_names *names, const char *text)
{
    return *text ? cs_names_add(names, text) : -1;
}

struct label {
    struct cs_log_link link;
    char text[];
};

static struct label *label_of(char *text)
{
    return (struct label *)(void *)(text - offsetof(struct label, text));
}

static char *label_create(const char *text, size_t size)
{
    struct label *label = cs_block_resize(NULL, sizeof *label + size);

    label->link = (struct cs_log_link){NULL, NULL};
    memcpy(label->text, text, size);
    return label->text;
}

void cs_log_label_keep(struct cs_log_link *all, char *text)
{
    struct cs_log_link *link = text ? &label_of(text)->link : NULL;

    if (!link)
        return;
    link->before = all;
    link->after = all->after;
    link->before->after = link->after->before = link;
}

void cs_log_label_free(char *text)
{
    struct label *label = text ? label_of(text) : NULL;

    if (label && label->link.after) {
        label->link.before->after = label->link.after;
        label->link.after->before = label->link.before;
    }
    cs_block_free(label);
}

void cs_log_label_free_all(struct cs_log_link *all)
{
    while (all->after != all)
        cs_log_label_free(((struct label *)(void *)all->after)->text);
}

void cs_log_put_id(struct cs_log_row *row, const char *text)
{
    const size_t size = strlen(text) + 1;
    const char *at = text;

    row->id = 0;
    row->label = NULL;
    for (; *at >= '0' && *at <= '9' && at - text < 18; at++)
        row->id = 10 * row->id + (*at - '0');
    if (at > text && !*at && (*text != '0' || size == 2))
        return;
    row->label = label_create(text, size);
}

/* The end of the field that begins at `line`, which is cut out of its quotes. */
static char *end_of_field(char **line, char separator)
{
    char *at = *line, *to;

    if (separator != ',' || *at != '"') {
        at = strchr(at, separator);
        return at ? at : *line + strlen(*line);
    }
    *line = to = ++at;
    for (; *at && (*at != '"' || at[1] == '"'); at++) {
        at += *at == '"';
        *to++ = *at;
    }
    at += *at == '"';
    *to = '\0';
    return at + strcspn(at, ",");
}

static int find_role(const char *name, const char *const *role, int roles)
{
    for (int i = 0; i < roles; i++)
        if (!cs_plain_compare(name, role[i]))
            return i;
    return -1;
}

bool cs_log_columns_find(struct cs_log_columns *columns, char *header, const char *const *role,
                         int roles)
{
    const int room = (int)(sizeof columns->at / sizeof columns->at[0]);
    bool more = true;

    for (columns->count = 0; more; columns->count++) {
        char *end = end_of_field(&header, columns->separator);

        more = *end != '\0';
        *end = '\0';
        if (!more && !*header && columns->count)
            break;
        if (columns->count == room)
            return false;
        header[strcspn(header, "%")] = '\0';
        columns->at[columns->count] = find_role(header, role, roles);
        header = end + more;
    }
    return true;
}

int cs_log_columns_split(const struct cs_log_columns *columns, char *line, const char **role,
                         int roles)
{
    bool more = true;
    int count = 0;

    for (int i = 0; i < roles; i++)
        role[i] = "";
    for (; more; count++) {
        char *end = end_of_field(&line, columns->separator);

        more = *end != '\0';
        *end = '\0';
        if (count == columns->count && !more && !*line)
            break;
        if (count < columns->count && columns->at[count] >= 0)
            role[columns->at[count]] = line;
        line = end + more;
    }
    return count;
}

/* How the rules of logs are called. */

static const char *const key[CS_LOG_RULES] = {
    [CS_LOG_MALFORMED] = "malformed",
    [CS_LOG_STEPS] = "steps",
    [CS_LOG_ARRAY_REMAINDERS] = "array_remainders",
    [CS_LOG_WHOLE_ARRAYS] = "whole_arrays",
    [CS_LOG_NOT_ENDED] = "not_ended",
    [CS_LOG_INTERRUPTED] = "interrupted",
    [CS_LOG_PARTIAL] = "partial",
    [CS_LOG_NEVER_STARTED] = "never_started",
    [CS_LOG_NO_TIME] = "no_time",
    [CS_LOG_NO_WIDTH] = "no_width",
    [CS_LOG_EXTPOL] = "outside",
    [CS_LOG_NO_PARTITION] = "no_partition",
    [CS_LOG_TOO_WIDE] = "too_wide",
    [CS_LOG_DUPLICATES] = "duplicates",
    [CS_LOG_NO_REQUEST] = "no_request",
    [CS_LOG_NO_LIMIT] = "no_limit",
    [CS_LOG_REQUEST_BELOW_RUN] = "request_below_run",
    [CS_LOG_ARRAY_TASKS] = "array_tasks",
    [CS_LOG_HET_PARTS] = "het_parts",
    [CS_LOG_NEGATIVE_SUBMIT] = "negative_submit",
    [CS_LOG_REPEATED_IDS] = "repeated_ids",
    [CS_LOG_OTHER_PARTITION] = "other_partition",
};

/* Of many lines, and of one where that is another. */
static const struct {
    const char *many, *one;
} name[CS_LOG_RULES] = {
    [CS_LOG_MALFORMED] = {"malformed", NULL},
    [CS_LOG_STEPS] = {"steps of jobs", "step of a job"},
    [CS_LOG_ARRAY_REMAINDERS] = {"rests of arrays that never started",
                                 "rest of an array that never started"},
    [CS_LOG_WHOLE_ARRAYS] = {"arrays as a whole", "array as a whole"},
    [CS_LOG_NOT_ENDED] = {"had not ended", NULL},
    [CS_LOG_INTERRUPTED] = {"rerun, aborted or deleted (R, A, D)", NULL},
    [CS_LOG_PARTIAL] = {"partial execution lines", "partial execution line"},
    [CS_LOG_NEVER_STARTED] = {"never started", NULL},
    [CS_LOG_NO_TIME] = {"runtime missing or <= 0", NULL},
    [CS_LOG_NO_WIDTH] = {"width missing or <= 0", NULL},
    [CS_LOG_EXTPOL] = {"outside the dates", NULL},
    [CS_LOG_NO_PARTITION] = {"in a partition that the machine lacks", NULL},
    [CS_LOG_TOO_WIDE] = {"wider than the machine", NULL},
    [CS_LOG_DUPLICATES] = {"the same job again", NULL},
    [CS_LOG_NO_REQUEST] = {"without a requested time", NULL},
    [CS_LOG_NO_LIMIT] = {"without a time limit", NULL},
    [CS_LOG_REQUEST_BELOW_RUN] = {"ran longer than requested", NULL},
    [CS_LOG_ARRAY_TASKS] = {"tasks of arrays", "task of an array"},
    [CS_LOG_HET_PARTS] = {"parts of heterogeneous jobs", "part of a heterogeneous job"},
    [CS_LOG_NEGATIVE_SUBMIT] = {"submitted before time 0", NULL},
    [CS_LOG_REPEATED_IDS] = {"with the number of an earlier job", NULL},
    [CS_LOG_OTHER_PARTITION] = {"in a partition that the machine lacks, sent to its default", NULL},
};

const char *cs_log_rule_key(enum cs_log_rule rule)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return key[rule];
}

const char *cs_log_rule_name(enum cs_log_rule rule)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return name[rule].many;
}

const char *cs_log_rule_words(enum cs_log_rule rule, int64_t lines)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return lines == 1 && name[rule].one ? name[rule].one : name[rule].many;
}

const char *cs_log_kind_name(enum cs_log_kind kind)
{
    static const char *const word[] = {
        [CS_LOG_SWF] = "SWF",   [CS_LOG_SACCT] = "sacct",   [CS_LOG_PBS] = "PBS",
        [CS_LOG_ALCF] = "ALCF", [CS_LOG_BATSIM] = "Batsim", [CS_LOG_BATSIM_JSON] = "Batsim JSON",
    };

    CS_REQUIRE(kind >= 0 && kind <= CS_LOG_BATSIM_JSON);
    return word[kind];
}

/* The rule that left out most, the first of equals; CS_LOG_KEPT: none did. */
static enum cs_log_rule most_common(const struct cs_log_counts *counts)
{
    enum cs_log_rule most = CS_LOG_KEPT;

    for (int r = 0; r < CS_LOG_KEPT; r++)
        if (counts->rule[r] > (most == CS_LOG_KEPT ? 0 : counts->rule[most]))
            most = (enum cs_log_rule)r;
    return most;
}

int cs_log_no_job(const char *log, const struct cs_log_counts *counts, struct cs_error *err)
{
    const enum cs_log_rule most = most_common(counts);
    struct cs_strbuf why = CS_STRBUF_INIT;

    cs_strbuf_printf(&why, "%lld line%s", (long long)counts->lines, counts->lines == 1 ? "" : "s");
    for (int k = -1; k < CS_LOG_KEPT && most != CS_LOG_KEPT; k++) {
        const enum cs_log_rule rule = k < 0 ? most : (enum cs_log_rule)k;

        if (k >= 0 && (rule == most || !counts->rule[rule]))
            continue;
        cs_strbuf_printf(&why, "%s%lld %s", k < 0 ? ", of which " : ", ",
                         (long long)counts->rule[rule],
                         cs_log_rule_words(rule, counts->rule[rule]));
        if (k < 0)
            cs_strbuf_printf(&why, " (the first is line %lld)", (long long)counts->first[rule]);
    }
    if (counts->lacking)
        cs_strbuf_printf(&why, "; no node has %s", counts->lacks);
    if (counts->notes)
        cs_strbuf_printf(&why, "; %s", counts->note[0]);
    cs_error_set(err, "%s: no job is left: %s", log, why.text);
    cs_strbuf_release(&why);
    return -1;
}

/* Generic resources of jobs, each list once. */

#define ITEMS 32 /* of a job */
#define PREFIX "gres/"

struct cs_log_gres_table {
    struct cs_arena *arena;
    struct cs_names *lists;
    int room;
    const struct cs_log_gres **of; /* by list */
};

struct cs_log_gres_table *cs_log_gres_create(struct cs_arena *arena)
{
    struct cs_log_gres_table *table = CS_NEW(arena, struct cs_log_gres_table);

    *table = (struct cs_log_gres_table){.arena = arena, .lists = cs_names_create(arena)};
    return table;
}

/* Of "gpu:a100=2", which ends before the comma; false if invalid. */
static bool read_item(const char *text, size_t length, struct cs_log_gres_item *item,
                      struct cs_arena *arena)
{
    const char *equals = memchr(text, '=', length), *colon;
    char *copy, *end;
    double total;

    if (!equals || equals == text)
        return false;
    copy = cs_arena_alloc(arena, length + 1, 1);
    memcpy(copy, text, length);
    copy[equals - text] = '\0';
    total = cs_plain_double(equals + 1, &end);
    colon = strchr(copy, ':');
    *item = (struct cs_log_gres_item){copy, colon ? colon + 1 : "", 0};
    if (colon)
        copy[colon - copy] = '\0';
    if (!(total >= 1 && total <= CS_LOG_LARGEST) || end == equals + 1)
        return false;
    item->total = (int64_t)total;
    return true;
}

/* The same name with a type, where this one has none? */
static bool is_sum(const struct cs_log_gres_item *item, int count, int at)
{
    for (int i = 0; i < count && !*item[at].type; i++)
        if (*item[i].type && !cs_plain_compare(item[i].name, item[at].name))
            return true;
    return false;
}

static const struct cs_log_gres *make_list(const char *text, struct cs_arena *arena)
{
    struct cs_log_gres *list = CS_NEW(arena, struct cs_log_gres);
    struct cs_log_gres_item *item = CS_NEW_ARRAY(arena, struct cs_log_gres_item, ITEMS);
    struct cs_log_gres_item *kept = CS_NEW_ARRAY(arena, struct cs_log_gres_item, ITEMS);
    int count = 0;

    for (; *text && count < ITEMS; text += *text == ',') {
        const size_t length = strcspn(text, ",");

        count += read_item(text, length, &item[count], arena);
        text += length;
    }
    for (int i = 0; i < count; i++)
        if (!is_sum(item, count, i))
            kept[list->count++] = item[i];
    list->item = kept;
    return list;
}

/* "gpu:a100=2,shard=1" of all that there is, in the order of the list. */
static void cut_list(const char *tres, struct cs_strbuf *out)
{
    for (; tres && *tres; tres += strcspn(tres, ","), tres += *tres == ',') {
        const size_t length = strcspn(tres, ",");

        if (length <= strlen(PREFIX) || !cs_plain_begins(tres, PREFIX))
            continue;
        cs_strbuf_puts(out, out->length ? "," : "");
        cs_strbuf_append(out, tres + strlen(PREFIX), length - strlen(PREFIX));
    }
}

static bool is_plain(const char *list)
{
    return cs_plain_begins(list, "gpu=") && !strchr(list, ',');
}

const struct cs_log_gres *cs_log_gres_read(struct cs_log_gres_table *table, const char *tres)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    int before, number = -1;

    if (!strstr(tres, PREFIX))
        return NULL;
    cs_names_list(table->lists, &before);
    cut_list(tres, &list);
    if (list.length && !is_plain(list.text))
        number = cs_names_add(table->lists, list.text);
    if (number == before) {
        if (number >= table->room) {
            const size_t old = (size_t)table->room;

            table->room = 2 * table->room + 16;
            table->of =
                cs_arena_grow(table->arena, table->of, old, (size_t)table->room, sizeof *table->of);
        }
        table->of[number] = make_list(list.text, table->arena);
    }
    cs_strbuf_release(&list);
    return number < 0 ? NULL : table->of[number];
}

void cs_log_gres_lacks(struct cs_log_counts *counts, const struct cs_log_gres_item *item)
{
    if (counts->lacking++ == 0)
        cs_plain_print(counts->lacks, sizeof counts->lacks, "%.60s%s%.60s", item->name,
                       *item->type ? ":" : "", item->type);
}
