/* psplib.c - project files of PSPLIB, MMLIB and Patterson.
 *
 * Headings find a section; inside it numbers count, not lines: MMLIB separates them by tabs and
 * breaks lines in other places.
 */
#include "io/psplib.h"

#include "base/plain.h"

#include <string.h>

#define JOBS_MOST 100000
#define AMOUNT_MOST 1000000000

struct project {
    struct cs_lines *lines;
    struct cs_arena *arena;
    struct cs_error *err;
    char *at;  /* what is left of the line; NULL: nothing */
    bool bare; /* no headings: numbers only */
    int jobs, renewable, consumed;
    int *modes; /* by job */
    int *first; /* by job, jobs + 1 */
    int64_t *length, *amount;
    int64_t *limit;
    int *arc; /* pairs of jobs: before, after */
    int arcs, arcs_room;
};

static bool text_holds(const char *text, const char *word)
{
    for (; *text; text++)
        if (cs_plain_begins(text, word))
            return true;
    return false;
}

static const char *text_skip(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

bool cs_psplib_begins(const char *line)
{
    line = text_skip(line);
    return cs_plain_begins(line, "jobs") && text_holds(line, "(incl. supersource/sink ):");
}

static bool text_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The next line; 0 at the end of the file. */
static int project_line(struct project *p)
{
    size_t length;

    return cs_lines_next(p->lines, &p->at, &length, p->err);
}

/* Come to the next number; a heading before the first number of a section is passed over. */
static int number_seek(struct project *p, const char *what, bool heading)
{
    for (;;) {
        int status;

        if (p->at)
            p->at = p->at + (text_skip(p->at) - p->at);
        if (p->at && *p->at && (text_is_digit(*p->at) || !heading))
            return 0;
        status = project_line(p);
        if (status < 0)
            return -1;
        if (status == 0)
            return cs_lines_error(p->lines, p->err,
                                  "%s: found the end of the file, expected a number", what);
    }
}

static int number_next(struct project *p, const char *what, int64_t most, int64_t *out)
{
    int64_t value = 0;
    const char *begin;

    if (number_seek(p, what, false))
        return -1;
    begin = p->at;
    for (; text_is_digit(*p->at) && value <= most; p->at++)
        value = 10 * value + (*p->at - '0');
    if (p->at == begin || value > most || (*p->at && *p->at != ' ' && *p->at != '\t'))
        return cs_lines_error(p->lines, p->err,
                              "%s: found \"%.*s\", expected a whole number from 0 to %lld", what,
                              (int)strcspn(begin, " \t"), begin, (long long)most);
    *out = value;
    return 0;
}

static int integer_next(struct project *p, const char *what, int low, int high, int *out)
{
    int64_t value = 0;

    if (number_next(p, what, high, &value))
        return -1;
    if (value < low)
        return cs_lines_error(p->lines, p->err, "%s: found %lld, expected at least %d", what,
                              (long long)value, low);
    *out = (int)value;
    return 0;
}

/* The number behind the colon of this line. */
static int colon_number(struct project *p, const char *what, int low, int high, int *out)
{
    char *colon = strchr(p->at, ':');

    if (!colon)
        return cs_lines_error(p->lines, p->err, "%s: found no colon, expected one and a number",
                              what);
    p->at = colon + 1;
    return integer_next(p, what, low, high, out);
}

static void arc_add(struct project *p, int before, int after)
{
    if (p->arcs == p->arcs_room) {
        const size_t room = p->arcs_room ? 2 * (size_t)p->arcs_room : 64;

        p->arc = cs_arena_grow(p->arena, p->arc, 2 * (size_t)p->arcs, 2 * room, sizeof *p->arc);
        p->arcs_room = (int)room;
    }
    p->arc[2 * p->arcs] = before;
    p->arc[2 * p->arcs + 1] = after;
    p->arcs++;
}

/* The number of successors and they. */
static int successors_read(struct project *p, int job)
{
    int count, after = 0;

    if (integer_next(p, "successors", 0, p->jobs, &count))
        return -1;
    for (int s = 0; s < count; s++) {
        if (integer_next(p, "successors", 1, p->jobs, &after))
            return -1;
        if (after == job + 1)
            return cs_lines_error(p->lines, p->err,
                                  "successors: found %d, expected other jobs than this one", after);
        if (job + 1 == p->jobs)
            return cs_lines_error(p->lines, p->err,
                                  "successors: found %d after the last job, expected 0", count);
        if (job > 0 && after < p->jobs && after > 1)
            arc_add(p, job, after - 1);
    }
    return 0;
}

static int job_number(struct project *p, int job)
{
    int number = 0;

    if (integer_next(p, "jobnr.", 1, p->jobs, &number))
        return -1;
    if (number != job + 1)
        return cs_lines_error(p->lines, p->err, "jobnr.: found %d, expected %d", number, job + 1);
    return 0;
}

static int precedence_read(struct project *p)
{
    if (p->jobs == 0)
        return cs_lines_error(p->lines, p->err, "jobs: found none before this section");
    for (int job = 0; job < p->jobs; job++) {
        if (job == 0) {
            p->at = NULL;
            if (number_seek(p, "jobnr.", true))
                return -1;
        }
        if (job_number(p, job) || integer_next(p, "#modes", 1, 1000, &p->modes[job]) ||
            successors_read(p, job))
            return -1;
        p->first[job + 1] = p->first[job] + p->modes[job];
    }
    return 0;
}

static int amounts_read(struct project *p, int mode, const char *what)
{
    const int count = p->renewable + p->consumed;

    for (int r = 0; r < count; r++)
        if (number_next(p, what, AMOUNT_MOST, &p->amount[(size_t)mode * (size_t)count + (size_t)r]))
            return -1;
    return 0;
}

static void amounts_make(struct project *p)
{
    const size_t modes = (size_t)p->first[p->jobs], count = (size_t)(p->renewable + p->consumed);

    p->length = CS_NEW_ARRAY(p->arena, int64_t, modes);
    p->amount = cs_arena_alloc(p->arena, cs_arena_area(modes, count), sizeof *p->amount);
}

static int requests_read(struct project *p)
{
    int number = 0;

    if (!p->first || p->first[p->jobs] == 0)
        return cs_lines_error(p->lines, p->err,
                              "REQUESTS: found no precedence relations before this section");
    if (p->length)
        return cs_lines_error(p->lines, p->err, "REQUESTS/DURATIONS: found a second time");
    amounts_make(p);
    p->at = NULL;
    if (number_seek(p, "jobnr.", true))
        return -1;
    for (int job = 0; job < p->jobs; job++) {
        if (job_number(p, job))
            return -1;
        for (int m = 0; m < p->modes[job]; m++) {
            if (integer_next(p, "mode", 1, p->modes[job], &number))
                return -1;
            if (number != m + 1)
                return cs_lines_error(p->lines, p->err, "mode: found %d, expected %d", number,
                                      m + 1);
            if (number_next(p, "duration", AMOUNT_MOST, &p->length[p->first[job] + m]) ||
                amounts_read(p, p->first[job] + m, "amount"))
                return -1;
        }
    }
    return 0;
}

static int limits_read(struct project *p, bool heading)
{
    const int count = p->renewable + p->consumed;

    if (p->limit)
        return cs_lines_error(p->lines, p->err, "RESOURCEAVAILABILITIES: found a second time");
    p->limit = CS_NEW_ARRAY(p->arena, int64_t, count);
    if (heading)
        p->at = NULL;
    for (int r = 0; r < count; r++) {
        if (r == 0 && heading && number_seek(p, "availability", true))
            return -1;
        if (number_next(p, "availability", AMOUNT_MOST, &p->limit[r]))
            return -1;
    }
    return 0;
}

static int jobs_read(struct project *p)
{
    if (p->jobs)
        return cs_lines_error(p->lines, p->err, "jobs: found a second time");
    if (!p->bare && colon_number(p, "jobs", 2, JOBS_MOST, &p->jobs))
        return -1;
    if (p->bare && integer_next(p, "jobs", 2, JOBS_MOST, &p->jobs))
        return -1;
    p->modes = CS_NEW_ARRAY(p->arena, int, p->jobs);
    p->first = CS_NEW_ARRAY(p->arena, int, p->jobs + 1);
    return 0;
}

/* A count of resources; the sections of amounts, which have it as their width, come later. */
static int resources_read(struct project *p, const char *what, int *out)
{
    if (p->length || p->limit)
        return cs_lines_error(p->lines, p->err, "%s: found this number after the amounts", what);
    return colon_number(p, what, 0, 1000, out);
}

static int exactly_read(struct project *p, const char *what, int expected)
{
    int found = 0;

    if (colon_number(p, what, 0, 1000, &found))
        return -1;
    if (found != expected)
        return cs_lines_error(p->lines, p->err, "%s: found %d, expected %d", what, found, expected);
    return 0;
}

static int section_read(struct project *p)
{
    const char *line = text_skip(p->at);

    if (cs_psplib_begins(line))
        return p->first ? cs_lines_error(p->lines, p->err, "jobs: found a second number of jobs")
                        : jobs_read(p);
    if (cs_plain_begins(line, "projects"))
        return exactly_read(p, "projects", 1);
    if (cs_plain_begins(line, "- renewable"))
        return resources_read(p, "renewable", &p->renewable);
    if (cs_plain_begins(line, "- nonrenewable"))
        return resources_read(p, "nonrenewable", &p->consumed);
    if (cs_plain_begins(line, "- doubly constrained"))
        return exactly_read(p, "doubly constrained", 0);
    if (cs_plain_begins(line, "PRECEDENCE RELATIONS"))
        return p->length ? cs_lines_error(p->lines, p->err,
                                          "PRECEDENCE RELATIONS: found this section after REQUESTS")
                         : precedence_read(p);
    if (cs_plain_begins(line, "REQUESTS/DURATIONS"))
        return requests_read(p);
    if (cs_plain_begins(line, "RESOURCE AVAILABILITIES") ||
        cs_plain_begins(line, "RESOURCEAVAILABILITIES"))
        return limits_read(p, true);
    return 0;
}

static int sections_read(struct project *p)
{
    int status;

    while ((status = project_line(p)) > 0)
        if (section_read(p))
            return -1;
    if (status == 0 && (!p->length || !p->limit))
        return cs_lines_error(p->lines, p->err, "%s: found no such section",
                              p->length ? "RESOURCEAVAILABILITIES" : "REQUESTS/DURATIONS");
    return status;
}

/* Jobs and resources; capacities; for each job length, amounts and successors. */
static int bare_read(struct project *p)
{
    if (jobs_read(p) || integer_next(p, "resources", 0, 1000, &p->renewable) ||
        limits_read(p, false))
        return -1;
    for (int job = 0; job < p->jobs; job++) {
        p->modes[job] = 1;
        p->first[job + 1] = job + 1;
    }
    amounts_make(p);
    for (int job = 0; job < p->jobs; job++)
        if (number_next(p, "duration", AMOUNT_MOST, &p->length[job]) ||
            amounts_read(p, job, "amount") || successors_read(p, job))
            return -1;
    return 0;
}

static const char *name_number(struct cs_arena *arena, const char *prefix, int number)
{
    char text[24];

    cs_plain_print(text, sizeof text, "%s%d", prefix, number);
    return cs_arena_strdup(arena, text);
}

static void names_make(const struct project *p, struct cs_modes *out)
{
    const char **task = CS_NEW_ARRAY(p->arena, const char *, out->tasks);
    const char **resource = CS_NEW_ARRAY(p->arena, const char *, out->resources);
    const char **budget = CS_NEW_ARRAY(p->arena, const char *, out->budgets);

    for (int i = 0; i < out->tasks; i++)
        task[i] = name_number(p->arena, "", i + 2);
    resource[0] = "procs";
    for (int r = 1; r < out->resources; r++)
        resource[r] = name_number(p->arena, "R", r);
    for (int q = 0; q < out->budgets; q++)
        budget[q] = name_number(p->arena, "N", q + 1);
    out->task_name = task;
    out->resource_name = resource;
    out->budget_name = budget;
}

/* Each job takes a processor. */
static void modes_make(const struct project *p, struct cs_modes *out)
{
    const int base = p->first[1], modes = p->first[p->jobs - 1] - base;
    const size_t count = (size_t)(p->renewable + p->consumed);
    int *first = CS_NEW_ARRAY(p->arena, int, out->tasks + 1);
    double *seconds = CS_NEW_ARRAY(p->arena, double, modes);
    int64_t *use = CS_NEW_ARRAY(p->arena, int64_t, (size_t)modes * (size_t)out->resources);
    int64_t *spend = CS_NEW_ARRAY(p->arena, int64_t, (size_t)modes * (size_t)out->budgets);

    for (int i = 0; i <= out->tasks; i++)
        first[i] = p->first[i + 1] - base;
    for (int m = 0; m < modes; m++) {
        const int64_t *amount = p->amount + (size_t)(base + m) * count;
        int64_t *mine = use + (size_t)m * (size_t)out->resources;

        seconds[m] = (double)p->length[base + m];
        mine[0] = 1;
        for (int r = 0; r < p->renewable; r++)
            mine[r + 1] = amount[r];
        for (int q = 0; q < p->consumed; q++)
            spend[m * out->budgets + q] = 1000 * amount[p->renewable + q];
    }
    out->first = first;
    out->seconds = seconds;
    out->use = use;
    out->spend = spend;
}

/* The predecessors of each task, each once, in the order of the tasks. */
static void arcs_make(const struct project *p, struct cs_modes *out)
{
    int *first = CS_NEW_ARRAY(p->arena, int, out->tasks + 1);
    int *before = CS_NEW_ARRAY(p->arena, int, p->arcs);
    int *next = CS_NEW_ARRAY(p->arena, int, out->tasks), count = 0;

    for (int a = 0; a < p->arcs; a++)
        first[p->arc[2 * a + 1]]++;
    for (int i = 1; i <= out->tasks; i++)
        first[i] += first[i - 1];
    for (int i = 0; i < out->tasks; i++)
        next[i] = first[i];
    for (int a = 0; a < p->arcs; a++)
        before[next[p->arc[2 * a + 1] - 1]++] = p->arc[2 * a] - 1;
    for (int i = 0; i < out->tasks; i++) {
        const int begin = first[i], end = next[i];

        first[i] = count;
        for (int a = begin; a < end; a++)
            if (count == first[i] || before[count - 1] != before[a])
                before[count++] = before[a];
    }
    first[out->tasks] = count;
    out->before_first = first;
    out->before = before;
}

static void limits_make(const struct project *p, struct cs_modes *out)
{
    int64_t *capacity = CS_NEW_ARRAY(p->arena, int64_t, out->resources);
    int64_t *budget = CS_NEW_ARRAY(p->arena, int64_t, out->budgets);

    capacity[0] = out->tasks > 0 ? out->tasks : 1;
    for (int r = 0; r < p->renewable; r++)
        capacity[r + 1] = p->limit[r];
    for (int q = 0; q < p->consumed; q++)
        budget[q] = 1000 * p->limit[p->renewable + q];
    out->capacity = capacity;
    out->budget = budget;
}

static int ends_check(const struct project *p)
{
    for (int end = 0; end < 2; end++) {
        const int job = end ? p->jobs - 1 : 0;

        if (p->modes[job] != 1 || p->length[p->first[job]] != 0)
            return cs_lines_error(p->lines, p->err,
                                  "duration: found a length of the %s job, expected 0",
                                  end ? "last" : "first");
    }
    return 0;
}

int cs_psplib_read(struct cs_lines *lines, bool patterson, struct cs_arena *arena,
                   struct cs_modes *out, struct cs_error *err)
{
    struct project p = {.lines = lines, .arena = arena, .err = err, .bare = patterson};

    if (patterson ? bare_read(&p) : sections_read(&p))
        return -1;
    if (ends_check(&p))
        return -1;
    *out =
        (struct cs_modes){.tasks = p.jobs - 2, .resources = p.renewable + 1, .budgets = p.consumed};
    names_make(&p, out);
    modes_make(&p, out);
    arcs_make(&p, out);
    limits_make(&p, out);
    return 0;
}
