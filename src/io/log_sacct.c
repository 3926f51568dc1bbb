/* log_sacct.c - `sacct --parsable2` (or --parsable) of Slurm: columns by name, in any order; with
 * bars between them, or what --delimiter makes of those. */
#include "base/guard.h"
#include "base/plain.h"
#include "io/log_row.h"
#include "io/stamp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum role {
    JOB_ID,
    JOB_ID_RAW,
    STATE,
    SUBMIT,
    ELIGIBLE,
    START,
    END,
    ELAPSED_RAW,
    ELAPSED,
    LIMIT_RAW,
    LIMIT,
    ALLOC_TRES,
    REQ_TRES,
    ALLOC_CPUS,
    NCPUS,
    REQ_CPUS,
    ALLOC_NODES,
    NNODES,
    REQ_NODES,
    REQ_MEM,
    USER,
    UID,
    ACCOUNT,
    QOS,
    PARTITION,
    ROLES,
};

static const char *const role_name[ROLES] = {
    "JobID",      "JobIDRaw", "State",        "Submit",    "Eligible",  "Start",   "End",
    "ElapsedRaw", "Elapsed",  "TimelimitRaw", "Timelimit", "AllocTRES", "ReqTRES", "AllocCPUS",
    "NCPUS",      "ReqCPUS",  "AllocNodes",   "NNodes",    "ReqNodes",  "ReqMem",  "User",
    "UID",        "Account",  "QOS",          "Partition",
};

/* The times in the columns of a line. */
struct times {
    enum cs_stamp submit_kind, start_kind, end_kind;
    int64_t submit, eligible, start, end;
    int64_t run; /* -1: unknown */
};

/* The separator of columns; 0: unknown. No comma, colon or blank: values have them. */
static char separator_of(const char *header)
{
    static const char known[] = "|;\t^~!@#";
    size_t i = 0;

    while (known[i] && !strchr(header, known[i]))
        i++;
    return known[i];
}

static bool log_sacct_matches(const char *line)
{
    const char separator = separator_of(line);
    const char *id = line;

    if (!separator)
        return false;
    for (; id; id = strchr(id, separator)) {
        id += *id == separator;
        if (cs_plain_begins(id, "JobID"))
            return true;
    }
    return false;
}

/* ---- the header ---- */

static bool log_sacct_has(const struct cs_log_columns *columns, enum role first, enum role last)
{
    for (int i = 0; i < columns->count; i++)
        if (columns->at[i] >= (int)first && columns->at[i] <= (int)last)
            return true;
    return false;
}

struct need {
    const char *of, *column;
};

/* Without which no line is a job; {NULL, NULL}: it is all there. */
static struct need log_sacct_missing(const struct cs_log_scan *scan,
                                     const struct cs_log_columns *columns)
{
    const struct cs_log_options *o = scan->options;
    const bool nodes = log_sacct_has(columns, ALLOC_NODES, REQ_NODES) ||
                       log_sacct_has(columns, ALLOC_TRES, REQ_TRES);

    if (!log_sacct_has(columns, SUBMIT, SUBMIT))
        return (struct need){"submit times", "Submit"};
    if (!log_sacct_has(columns, START, START))
        return (struct need){"starts", "Start"};
    if (!log_sacct_has(columns, ELAPSED_RAW, ELAPSED) && !log_sacct_has(columns, END, END))
        return (struct need){"run times", "ElapsedRaw"};
    if (!nodes && o->unit == CS_LOG_NODES && (!o->site || o->site->kind == CS_SITE_PROCESSORS))
        return (struct need){"nodes", "NNodes"};
    if (!nodes && !log_sacct_has(columns, ALLOC_CPUS, REQ_CPUS))
        return (struct need){"sizes", "AllocCPUS and NNodes"};
    return (struct need){NULL, NULL};
}

static int log_sacct_begin(struct cs_log_scan *scan, struct cs_lines *lines, char **line,
                           void **state, struct cs_error *err)
{
    struct cs_log_columns *columns = cs_block_zero(1, sizeof *columns);
    struct need need;
    size_t length;
    int status;

    *state = columns;
    columns->separator = separator_of(*line);
    if (!cs_log_columns_find(columns, *line, role_name, ROLES))
        return cs_lines_error(lines, err, "there are more than 512 columns");
    need = log_sacct_missing(scan, columns);
    if (need.of)
        return cs_lines_error(lines, err, "there is no column of %s: ask sacct for %s", need.of,
                              need.column);
    status = cs_lines_next(lines, line, &length, err);
    if (status == 0)
        *line = NULL;
    return status < 0 ? -1 : 0;
}

/* ---- quantities ---- */

/* Digits with or without a point; *end is their end. -1 without digits. */
static double log_sacct_decimal(const char *text, const char **end)
{
    const char *at = text;
    double value = 0, place = 1;

    for (; *at >= '0' && *at <= '9'; at++)
        value = 10 * value + (*at - '0');
    if (at > text && *at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++)
            value += (*at - '0') * (place /= 10);
    *end = at;
    return at > text ? value : -1;
}

/* A number with suffix K, M, G, T or P, which are powers of `base`; -1 if invalid. */
static double log_sacct_scaled(const char *text, double base, const char **end)
{
    static const char suffix[] = "KMGTP";
    double value = log_sacct_decimal(text, end);
    const char *power =
        value >= 0 && **end ? strchr(suffix, **end >= 'a' ? **end - 32 : **end) : NULL;

    *end += power != NULL;
    for (; power && power >= suffix; power--)
        value *= base;
    return value <= CS_LOG_LARGEST * 1e6 ? value : -1;
}

/* The values searched in "cpu=4,mem=16G,node=1,gres/gpu:a100=2": the values, "" for none. */
struct tres {
    const char *cpu, *node, *mem, *gpu;
};

static struct tres read_tres(const char *list)
{
    struct tres t = {"", "", "", ""};

    while (*list) {
        const char *value = strchr(list, '=');

        if (!value)
            break;
        value++;
        if (!strncmp(list, "cpu=", 4))
            t.cpu = value;
        else if (!strncmp(list, "node=", 5))
            t.node = value;
        else if (!strncmp(list, "mem=", 4))
            t.mem = value;
        else if (!strncmp(list, "gres/gpu=", 9))
            t.gpu = value;
        list = strchr(value, ',');
        if (!list)
            break;
        list++;
    }
    return t;
}

/* A positive number of things; -1 for none. */
static int64_t count_of(const char *text)
{
    const char *end;
    double value = log_sacct_scaled(text, 1000, &end);

    return value >= 1 && (!*end || *end == ',') && value <= CS_LOG_LARGEST ? (int64_t)value : -1;
}

/* All GPUs, or the sum of those of each type. */
static int64_t gpus_of(const char *all, const char *list)
{
    int64_t sum = count_of(all);

    if (sum >= 0)
        return sum;
    for (sum = 0; *list; list += strcspn(list, ","), list += *list == ',')
        if (!strncmp(list, "gres/gpu:", 9)) {
            int64_t some = count_of(list + strcspn(list, "=") + 1);

            sum += some > 0 ? some : 0;
        }
    return sum;
}

/* Megabytes of "500G" or "0.5T"; those without a unit are megabytes. */
static double log_sacct_megabytes(const char *text, const char **end)
{
    const char *after;
    double value = log_sacct_scaled(text, 1024, end);

    return value < 0 || (log_sacct_decimal(text, &after), after == *end) ? value
                                                                         : value / (1024 * 1024);
}

/* Rounded up; -1 when unknown. */
static int64_t memory_of(const char *got, const char *asked, const struct cs_log_row *row)
{
    const char *end;
    double value = log_sacct_megabytes(got, &end);

    if (value < 0) {
        value = log_sacct_megabytes(asked, &end);
        if (value >= 0 && (*end == 'n' || *end == 'N') && row->nodes > 0)
            value *= (double)row->nodes;
        if (value >= 0 && (*end == 'c' || *end == 'C') && row->cores > 0)
            value *= (double)row->cores;
    }
    return value >= 0 && value <= CS_LOG_LARGEST ? (int64_t)ceil(value) : -1;
}

/* `known`, or the first of these that has a value. */
static int64_t first_count(int64_t known, const char *a, const char *b)
{
    if (known < 0)
        known = count_of(a);
    return known < 0 ? count_of(b) : known;
}

static void read_sizes(struct cs_log_scan *scan, const char *const role[ROLES],
                       struct cs_log_row *row)
{
    const struct tres got = read_tres(role[ALLOC_TRES]);
    const char *list = role[ALLOC_TRES][0] ? role[ALLOC_TRES] : role[REQ_TRES];
    struct tres asked = {"", "", "", ""};

    row->cores = first_count(count_of(got.cpu), role[ALLOC_CPUS], role[NCPUS]);
    row->nodes = first_count(count_of(got.node), role[ALLOC_NODES], role[NNODES]);
    if (row->cores < 0 || row->nodes < 0)
        asked = read_tres(role[REQ_TRES]);
    row->cores = first_count(row->cores, asked.cpu, role[REQ_CPUS]);
    row->nodes = first_count(row->nodes, asked.node, role[REQ_NODES]);
    row->gpus = gpus_of(read_tres(list).gpu, list);
    row->gres = cs_log_gres_read(scan->gres, list);
    row->memory = memory_of(got.mem, role[REQ_MEM], row);
}

/* ---- states ---- */

/* The first word; the part before a '+' is the prefix of a truncated one, as OUT_OF_ME+. */
static bool state_is(const char *text, const char *word)
{
    const char *start = text;

    for (; *word && cs_plain_lower(*text) == cs_plain_lower(*word); word++)
        text++;
    return *text == '+' ? text > start : !*word && (!*text || *text == ' ');
}

static bool has_ended(const char *state)
{
    static const char *const going[] = {
        "PENDING",     "RUNNING",      "SUSPENDED",    "REQUEUED",    "RESIZING",
        "CONFIGURING", "COMPLETING",   "REVOKED",      "STOPPED",     "SIGNALING",
        "STAGE_OUT",   "SPECIAL_EXIT", "REQUEUE_HOLD", "REQUEUE_FED", "RESV_DEL_HOLD"};

    for (size_t i = 0; i < sizeof going / sizeof going[0]; i++)
        if (state_is(state, going[i]))
            return false;
    return true;
}

/* Without a state, jobs without an end are running. */
static bool goes_on(const struct cs_log_columns *columns, const char *const role[ROLES])
{
    int64_t end;

    if (role[STATE][0] || !log_sacct_has(columns, END, END))
        return !has_ended(role[STATE]);
    return cs_stamp_read(role[END], NULL, &end) == CS_STAMP_NONE;
}

static enum cs_log_state state_of(const char *state)
{
    static const struct {
        const char *word;
        enum cs_log_state state;
    } known[] = {{"COMPLETED", CS_LOG_COMPLETED}, {"CANCELLED", CS_LOG_CANCELLED},
                 {"TIMEOUT", CS_LOG_TIMEOUT},     {"FAILED", CS_LOG_FAILED},
                 {"NODE_FAIL", CS_LOG_FAILED},    {"OUT_OF_MEMORY", CS_LOG_FAILED},
                 {"BOOT_FAIL", CS_LOG_FAILED},    {"DEADLINE", CS_LOG_TIMEOUT}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (state_is(state, known[i].word))
            return known[i].state;
    return CS_LOG_UNKNOWN;
}

/* ---- times ---- */

static double request_of(const char *const role[ROLES])
{
    double minutes;

    if (cs_log_number(role[LIMIT_RAW], &minutes) && minutes > 0)
        return minutes * 60;
    return (double)cs_stamp_duration(role[LIMIT]);
}

static int64_t run_of(const char *const role[ROLES], const struct times *t)
{
    int64_t run = cs_log_whole(role[ELAPSED_RAW]);

    if (run < 0)
        run = cs_stamp_duration(role[ELAPSED]);
    if (run < 0 && t->start_kind > CS_STAMP_NONE && t->end_kind > CS_STAMP_NONE)
        run = t->end - t->start;
    return run;
}

/* A job whose timestamps differ from its run time by an hour: the clock was changed in between. */
static void inspect_clock(struct cs_log_scan *scan, const struct times *t)
{
    if (t->submit_kind == CS_STAMP_LOCAL)
        scan->counts->local++;
    if (t->start_kind == CS_STAMP_LOCAL && t->end_kind == CS_STAMP_LOCAL && t->run >= 0 &&
        llabs(t->end - t->start - t->run) == 3600)
        scan->counts->clock_changes++;
}

static enum cs_log_rule read_times(struct cs_log_scan *scan, const char *const role[ROLES],
                                   struct times *t)
{
    const struct cs_zone *zone = scan->options->zone;

    t->submit_kind = cs_stamp_read(role[SUBMIT], zone, &t->submit);
    t->start_kind = cs_stamp_read(role[START], zone, &t->start);
    t->end_kind = cs_stamp_read(role[END], zone, &t->end);
    if (t->submit_kind == CS_STAMP_WRONG || t->start_kind == CS_STAMP_WRONG)
        return cs_log_malformed(scan, "%.40s is no time",
                                role[t->submit_kind == CS_STAMP_WRONG ? SUBMIT : START]);
    if (t->submit_kind == CS_STAMP_NONE)
        return cs_log_malformed(scan, "there is no submit time");
    t->run = run_of(role, t);
    t->eligible = t->submit;
    if (!scan->options->by_submit &&
        (cs_stamp_read(role[ELIGIBLE], zone, &t->eligible) <= CS_STAMP_NONE ||
         t->eligible < t->submit))
        t->eligible = t->submit;
    return CS_LOG_KEPT;
}

/* Of a list the first. */
static int partition_of(struct cs_log_scan *scan, const char *text)
{
    char *list = strchr(text, ',');

    if (list)
        *list = '\0';
    return cs_log_name(scan->partitions, text);
}

/* A running job has a size and a run time so far. */
static void fill_unended(struct cs_log_scan *scan, const char *const role[ROLES],
                         struct cs_log_row *row)
{
    const struct times none = {.start_kind = CS_STAMP_NONE};
    struct times t;

    *row = (struct cs_log_row){.arrival = NAN, .partition = -1};
    if (role[STATE][0] && !state_is(role[STATE], "RUNNING") && !state_is(role[STATE], "SUSPENDED"))
        return;
    if (read_times(scan, role, &t) == CS_LOG_KEPT)
        row->arrival = (double)t.eligible;
    row->run = (double)run_of(role, &none);
    read_sizes(scan, role, row);
    row->partition = partition_of(scan, role[PARTITION]);
}

static void log_sacct_fill(struct cs_log_scan *scan, const char *const role[ROLES],
                           const struct times *t, struct cs_log_row *row)
{
    const char *id = role[JOB_ID][0] ? role[JOB_ID] : role[JOB_ID_RAW];

    cs_log_put_id(row, id);
    row->submit = (double)t->submit;
    row->arrival = (double)t->eligible;
    row->run = (double)t->run;
    row->recorded = (double)t->start;
    row->request = request_of(role);
    row->user = cs_log_name(scan->users, role[USER][0] ? role[USER] : role[UID]);
    row->account = cs_log_name(scan->accounts, role[ACCOUNT]);
    row->qos = cs_log_name(scan->qualities, role[QOS]);
    row->partition = partition_of(scan, role[PARTITION]);
    row->state = state_of(role[STATE]);
    row->flags |= strchr(id, '_') ? 1U << CS_LOG_ARRAY_TASKS : 0;
    row->flags |= strchr(id, '+') ? 1U << CS_LOG_HET_PARTS : 0;
    row->flags |= row->request > 0 ? 0 : 1U << CS_LOG_NO_LIMIT;
}

static enum cs_log_rule read_line(struct cs_log_scan *scan, void *state, char *line,
                                  struct cs_log_row *row)
{
    const struct cs_log_columns *columns = state;
    const char *role[ROLES], *id;
    struct times t;
    int count;

    if (!*line)
        return CS_LOG_RULES;
    count = cs_log_columns_split(columns, line, role, ROLES);
    if (count != columns->count)
        return cs_log_malformed(scan, "%d columns, not %d", count, columns->count);
    id = role[JOB_ID][0] ? role[JOB_ID] : role[JOB_ID_RAW];
    if (strchr(id, '.'))
        return CS_LOG_STEPS;
    if (strchr(id, '['))
        return CS_LOG_ARRAY_REMAINDERS;
    if (goes_on(columns, role)) {
        fill_unended(scan, role, row);
        return CS_LOG_NOT_ENDED;
    }
    if (read_times(scan, role, &t) == CS_LOG_MALFORMED)
        return CS_LOG_MALFORMED;
    if (t.start_kind == CS_STAMP_NONE)
        return CS_LOG_NEVER_STARTED;
    if (t.run <= 0)
        return CS_LOG_NO_TIME;
    read_sizes(scan, role, row);
    if (row->cores < 0 && row->nodes < 0)
        return CS_LOG_NO_WIDTH;
    inspect_clock(scan, &t);
    scan->counts->endless += !role[STATE][0] && !log_sacct_has(columns, END, END);
    log_sacct_fill(scan, role, &t, row);
    return CS_LOG_KEPT;
}

const struct cs_log_format cs_log_format_sacct = {
    .kind = CS_LOG_SACCT,
    .matches = log_sacct_matches,
    .begin = log_sacct_begin,
    .read = read_line,
};
