/* modes.c - amounts from texts, rows that become modes, what cannot be. */
#include "io/modes.h"

#include "base/number.h"
#include "base/plain.h"
#include "base/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define INSTANT 1e-9                /* in a profile, of a mode that takes no time */
#define SMALLEST ((int64_t)1 << 20) /* bytes without a unit below it are refused, but 0 */

/* ---- amounts ---- */

static const char digits[] = "0123456789";

static int amount_range(const char *text, struct cs_error *err)
{
    return cs_error_set(err, "found \"%.40s\", expected at most 9007199254740992 (2^53)", text);
}

/* WHOLE.REST * factor, rounded up if a fraction is left, else down; -1: too large. */
static int64_t amount_scale(const char *whole, size_t wholes, const char *rest, size_t rests,
                            int64_t factor, bool up)
{
    int64_t amount = 0, part = 0, left;
    bool more = false;

    for (size_t k = 0; k < wholes; k++) {
        amount = 10 * amount + (whole[k] - '0');
        if (amount > CS_MODES_MOST)
            return -1;
    }
    if (amount > CS_MODES_MOST / factor)
        return -1;
    amount *= factor;
    for (size_t k = rests; k-- > 0;) {
        left = (int64_t)(rest[k] - '0') * factor + part;
        more |= left % 10 != 0;
        part = left / 10;
    }
    amount += part + (more && up);
    return amount > CS_MODES_MOST ? -1 : amount;
}

/* The factor of a unit of sizes; 0: not one, 1: none. */
static int64_t size_factor(const char *unit)
{
    static const char letters[] = "kmgtp";
    const char *at = *unit ? strchr(letters, cs_plain_lower(*unit)) : NULL;
    const bool binary = at && (!unit[1] || !cs_plain_compare(unit + 1, "ib"));
    int64_t factor = 1;

    if (!*unit)
        return 1;
    if (!at || (!binary && cs_plain_compare(unit + 1, "b") != 0))
        return 0;
    for (int k = 0; k <= (int)(at - letters); k++)
        factor *= binary ? 1024 : 1000;
    return factor;
}

int cs_modes_size(const char *text, int64_t *bytes, struct cs_error *err)
{
    const size_t wholes = strspn(text, digits);
    const char *rest = text + wholes + (text[wholes] == '.' && wholes);
    const size_t rests = rest > text + wholes ? strspn(rest, digits) : 0;
    const char *unit = rest + rests;
    int64_t factor, amount;

    unit += strspn(unit, " ");
    factor = size_factor(unit);
    if (!wholes || factor == 0 || (rest > text + wholes && !rests) || (factor == 1 && rests))
        return cs_error_set(err, "found \"%.40s\", expected a size, such as 64G", text);
    amount = amount_scale(text, wholes, rest, rests, factor, true);
    if (amount < 0)
        return amount_range(text, err);
    if (factor == 1 && amount > 0 && amount < SMALLEST)
        return cs_error_set(err, "%.40s means %.40s bytes: write a unit, such as 64G", text, text);
    *bytes = amount;
    return 0;
}

int cs_modes_amount(const char *resource, const char *text, int64_t *amount, struct cs_error *err)
{
    const bool gpu = cs_modes_numbered(resource);
    const enum cs_number is = cs_number_int64(text, amount);
    double number;

    if (!strcmp(resource, "memory"))
        return cs_modes_size(text, amount, err);
    if (is == CS_NUMBER_RANGE || (is == CS_NUMBER_FINE && *amount > CS_MODES_MOST))
        return amount_range(text, err);
    if (is == CS_NUMBER_FINE && *amount >= 0 && *text != '+')
        return 0;
    return cs_error_set(err, "found \"%.40s\", expected a whole number from 0 on%s", text,
                        gpu && cs_number_double(text, &number) == CS_NUMBER_FINE &&
                                floor(number) != number
                            ? ": to share a GPU, count shares (cosched help run, \"GPU kinds and "
                              "shares\")"
                            : "");
}

int cs_modes_thousandths(const char *text, bool up, int64_t *amount, struct cs_error *err)
{
    const size_t wholes = strspn(text, digits), point = text[wholes] == '.';
    const size_t rests = point ? strspn(text + wholes + 1, digits) : 0;
    double number;

    if (wholes && !text[wholes + point + rests] && (!point || rests)) {
        *amount = amount_scale(text, wholes, text + wholes + 1, rests, 1000, up);
        return *amount < 0 ? amount_range(text, err) : 0;
    }
    if (cs_number_double(text, &number) != CS_NUMBER_FINE || !(number >= 0))
        return cs_error_set(err, "found \"%.40s\", expected a number from 0 on", text);
    if (!(number * 1000 <= (double)CS_MODES_MOST))
        return amount_range(text, err);
    *amount = (int64_t)(up ? ceil(number * 1000) : floor(number * 1000));
    return 0;
}

int cs_modes_date(const char *text, double *seconds, struct cs_error *err)
{
    if ((cs_number_double(text, seconds) == CS_NUMBER_FINE || !cs_seconds_parse(text, seconds)) &&
        cs_number_meets(*seconds, CS_NUMBER_NOT_NEGATIVE))
        return 0;
    return cs_error_set(err,
                        "found \"%.40s\", expected a number of seconds from 0 on, or a time such "
                        "as 1.5h or 00:12:11",
                        text);
}

const char *cs_modes_name_fault(const char *name, bool budget)
{
    static const char *const taken[] = {"procs", "gpus", "memory"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
                      more[] = "0123456789_.";
    const char *kind = !budget && cs_plain_begins(name, "gpus:") ? name + 5 : NULL;
    const char *at = kind ? kind : name;

    if (!kind && (!*at || !strchr(letters, *at)))
        return "expected a name such as abaqus: letters, digits and _";
    for (; *at; at++)
        if (!strchr(letters, *at) && !strchr(kind ? more : "0123456789_", *at))
            return kind ? "expected a kind of GPUs such as a100: letters, digits, _ and ."
                        : "expected a name such as abaqus: letters, digits and _";
    if (kind)
        return *kind ? NULL : "expected a kind of GPUs such as a100";
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
        if (!strcmp(name, taken[k]) && (!budget || k == 0))
            return "this is the name of another column";
    return NULL;
}

/* ---- rows ---- */

void cs_mode_rows_init(struct cs_mode_rows *rows, struct cs_arena *arena)
{
    *rows = (struct cs_mode_rows){.arena = arena};
    cs_mode_rows_resource(rows, "procs");
}

int cs_mode_rows_find(const struct cs_mode_rows *rows, const char *name, bool budget)
{
    const char **list = budget ? rows->budget : rows->resource;

    for (int k = 0; k < (budget ? rows->budgets : rows->resources); k++)
        if (!strcmp(list[k], name))
            return k;
    return -1;
}

static int name_place(struct cs_mode_rows *rows, const char *name, bool budget)
{
    const char ***list = budget ? &rows->budget : &rows->resource;
    int *count = budget ? &rows->budgets : &rows->resources;
    const int known = cs_mode_rows_find(rows, name, budget);

    if (known >= 0)
        return known;
    *list = cs_arena_grow(rows->arena, *list, (size_t)*count, (size_t)*count + 1, sizeof **list);
    (*list)[*count] = cs_arena_strdup(rows->arena, name);
    return (*count)++;
}

int cs_mode_rows_resource(struct cs_mode_rows *rows, const char *name)
{
    return name_place(rows, name, false);
}

int cs_mode_rows_budget(struct cs_mode_rows *rows, const char *name)
{
    return name_place(rows, name, true);
}

struct cs_mode_row *cs_mode_rows_add(struct cs_mode_rows *rows, int task)
{
    struct cs_mode_row *row;

    CS_ARENA_ROOM(rows->arena, rows->row, rows->rows, rows->room, 64);
    row = &rows->row[rows->rows++];
    *row = (struct cs_mode_row){.task = task, .label = ""};
    row->use = CS_NEW_ARRAY(rows->arena, int64_t, rows->resources);
    row->spend = CS_NEW_ARRAY(rows->arena, int64_t, rows->budgets);
    return row;
}

void cs_mode_rows_wait(struct cs_mode_rows *rows, int task, int before)
{
    CS_ARENA_ROOM(rows->arena, rows->arc, rows->arcs, rows->arcs_room, 64);
    rows->arc[rows->arcs++] = (struct cs_mode_arc){task, before};
}

/* ---- from rows to modes ---- */

static bool row_same(const struct cs_mode_rows *rows, int a, int b)
{
    const struct cs_mode_row *x = &rows->row[a], *y = &rows->row[b];

    if (x->task != y->task || x->procs != y->procs || x->span != y->span ||
        strcmp(x->label, y->label) != 0)
        return false;
    for (int r = 1; r < rows->resources; r++)
        if (x->use[r] != y->use[r] && strcmp(rows->resource[r], "memory") != 0)
            return false;
    return true;
}

/* Rows by task, then place: those of task i are by_task[first[i]] .. by_task[first[i + 1] - 1]. */
static void rows_group(struct cs_mode_rows *rows, int tasks)
{
    int *first = CS_NEW_ARRAY(rows->arena, int, tasks + 2), *by = NULL;

    by = CS_NEW_ARRAY(rows->arena, int, rows->rows);
    for (int k = 0; k < rows->rows; k++)
        first[rows->row[k].task + 2]++;
    for (int i = 2; i < tasks + 2; i++)
        first[i] += first[i - 1];
    for (int k = 0; k < rows->rows; k++)
        by[first[rows->row[k].task + 1]++] = k;
    rows->by_task = by;
    rows->first = first;
}

/* The rows of the mode of row `of`, by rising time, then place. */
static int mode_rows_of(const struct cs_mode_rows *rows, int of, int *row)
{
    const int task = rows->row[of].task;
    int count = 0;

    for (int b = rows->first[task]; b < rows->first[task + 1]; b++) {
        const int k = rows->by_task[b];
        int place = count;

        if (!row_same(rows, of, k))
            continue;
        for (; place > 0 && rows->row[row[place - 1]].seconds > rows->row[k].seconds; place--)
            row[place] = row[place - 1];
        row[place] = k;
        count++;
    }
    return count;
}

static double runs_choose(const struct cs_mode_rows *rows, const int *row, int count,
                          enum cs_profile_times times)
{
    const double low = rows->row[row[(count - 1) / 2]].seconds,
                 high = rows->row[row[count / 2]].seconds;

    if (times == CS_TIMES_MIN)
        return rows->row[row[0]].seconds;
    if (times == CS_TIMES_MAX)
        return rows->row[row[count - 1]].seconds;
    return count % 2 ? low : low / 2 + high / 2;
}

/* Arrays of all modes, which grow. */
struct filling {
    const struct cs_mode_rows *rows;
    double *seconds;
    int64_t *use, *spend;
    int *span;
    const char **label;
    int modes;
    bool labels, spans;
    int *row;
};

static void mode_fill(struct filling *f, int first, int count, enum cs_profile_times times)
{
    const struct cs_mode_rows *rows = f->rows;
    const struct cs_mode_row *row = &rows->row[first];
    int64_t *use = f->use + (size_t)f->modes * (size_t)rows->resources,
            *spend = f->spend + (size_t)f->modes * (size_t)rows->budgets;

    for (int k = 0; k < count; k++) {
        const struct cs_mode_row *run = &rows->row[f->row[k]];

        for (int r = 1; r < rows->resources; r++)
            use[r] = run->use[r] > use[r] ? run->use[r] : use[r];
        for (int q = 0; q < rows->budgets; q++)
            spend[q] = run->spend[q] > spend[q] ? run->spend[q] : spend[q];
    }
    use[0] = row->procs;
    f->seconds[f->modes] = runs_choose(rows, f->row, count, times);
    f->span[f->modes] = row->span;
    f->label[f->modes] = row->label;
    f->labels |= *row->label != '\0';
    f->spans |= row->span > 0;
    f->modes++;
}

static void task_fill(struct filling *f, int task, bool merge, enum cs_profile_times times)
{
    const struct cs_mode_rows *rows = f->rows;

    for (int b = rows->first[task]; b < rows->first[task + 1]; b++) {
        const int k = rows->by_task[b];
        int count = 1;

        f->row[0] = k;
        for (int e = rows->first[task]; merge && e < b && count; e++)
            count = !row_same(rows, rows->by_task[e], k);
        if (count && merge)
            count = mode_rows_of(rows, k, f->row);
        if (count)
            mode_fill(f, k, count, times);
    }
}

/* Into a rising list; the same twice counts once. */
static int arc_insert(int *list, int count, int value)
{
    int place = count;

    while (place > 0 && list[place - 1] > value)
        place--;
    if (place > 0 && list[place - 1] == value)
        return 0;
    memmove(list + place + 1, list + place, (size_t)(count - place) * sizeof *list);
    list[place] = value;
    return 1;
}

static void arcs_fill(const struct cs_mode_rows *rows, struct cs_modes *m)
{
    int *first = CS_NEW_ARRAY(rows->arena, int, m->tasks + 2);
    int *before = CS_NEW_ARRAY(rows->arena, int, rows->arcs + 1), count = 0, at = 0;

    for (int a = 0; a < rows->arcs; a++)
        first[rows->arc[a].task + 2]++;
    for (int i = 2; i < m->tasks + 2; i++)
        first[i] += first[i - 1];
    for (int a = 0; a < rows->arcs; a++)
        before[first[rows->arc[a].task + 1]++] = rows->arc[a].before;
    for (int i = 0; i < m->tasks; i++) {
        const int end = first[i + 1], begin = count;

        for (; at < end; at++)
            count += arc_insert(before + begin, count - begin, before[at]);
        first[i] = begin;
    }
    first[m->tasks] = count;
    m->before_first = first;
    m->before = before;
}

struct cs_modes *cs_mode_rows_modes(struct cs_mode_rows *rows, int tasks, bool merge,
                                    enum cs_profile_times times)
{
    struct cs_arena *arena = rows->arena;
    struct cs_modes *m = CS_NEW(arena, struct cs_modes);
    int *first = CS_NEW_ARRAY(arena, int, tasks + 1);
    int64_t *given = CS_NEW_ARRAY(arena, int64_t, 3 * rows->resources + rows->budgets);
    struct filling f = {.rows = rows};

    f.seconds = CS_NEW_ARRAY(arena, double, rows->rows);
    f.use =
        CS_NEW_ARRAY(arena, int64_t, cs_arena_area((size_t)rows->rows, (size_t)rows->resources));
    f.spend =
        CS_NEW_ARRAY(arena, int64_t, cs_arena_area((size_t)rows->rows, (size_t)rows->budgets));
    f.span = CS_NEW_ARRAY(arena, int, rows->rows);
    f.label = CS_NEW_ARRAY(arena, const char *, rows->rows);
    f.row = CS_NEW_ARRAY(arena, int, rows->rows + 1);
    rows_group(rows, tasks);
    for (int i = 0; i < tasks; i++) {
        task_fill(&f, i, merge, times);
        first[i + 1] = f.modes;
    }
    for (int k = 0; k < 3 * rows->resources + rows->budgets; k++)
        given[k] = -1;
    *m = (struct cs_modes){
        .tasks = tasks,
        .resources = rows->resources,
        .budgets = rows->budgets,
        .resource_name = rows->resource,
        .budget_name = rows->budget,
        .capacity = given,
        .per_node = given + rows->resources,
        .per_proc = given + 2 * rows->resources,
        .budget = given + 3 * rows->resources,
        .first = first,
        .seconds = f.seconds,
        .use = f.use,
        .spend = f.spend,
        .span = f.spans ? f.span : NULL,
        .label = f.labels ? f.label : NULL,
    };
    arcs_fill(rows, m);
    return m;
}

struct cs_profile cs_modes_profile(const struct cs_modes *m, int task, struct cs_arena *arena)
{
    const int most = m->first[task + 1] - m->first[task];
    int *procs = CS_NEW_ARRAY(arena, int, most), count = 0;
    double *seconds = CS_NEW_ARRAY(arena, double, most);

    for (int k = m->first[task]; k < m->first[task + 1]; k++) {
        const int on = (int)cs_modes_use(m, k)[0];
        int place = count;

        while (place > 0 && procs[place - 1] >= on)
            place--;
        if (place < count && procs[place] == on) {
            seconds[place] = fmin(seconds[place], fmax(m->seconds[k], INSTANT));
            continue;
        }
        memmove(procs + place + 1, procs + place, (size_t)(count - place) * sizeof *procs);
        memmove(seconds + place + 1, seconds + place, (size_t)(count - place) * sizeof *seconds);
        procs[place] = on;
        seconds[place] = fmax(m->seconds[k], INSTANT);
        count++;
    }
    return (struct cs_profile){.kind = CS_PROFILE_POINTS,
                               .fill = CS_FILL_STEP,
                               .count = count,
                               .procs = procs,
                               .seconds = seconds};
}

/* ---- circles ---- */

/* The shortest way from a task over tasks that it waits for back to it; 0: no such way. */
static int circle_find(const struct cs_modes *m, int task, int *way, int *queue, int *from)
{
    int head = 0, tail = 0, length = 0;

    for (int i = 0; i < m->tasks; i++)
        from[i] = -1;
    queue[tail++] = task;
    while (head < tail && from[task] < 0) {
        const int i = queue[head++];

        for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
            if (from[m->before[a]] < 0) {
                from[m->before[a]] = i;
                queue[tail++] = m->before[a];
            }
    }
    if (from[task] < 0)
        return 0;
    for (int i = from[task]; i != task; i = from[i])
        way[length++] = i;
    way[length++] = task;
    return length;
}

/* Does any task wait for itself?  Repeatedly tasks whose predecessors are done. */
static bool circle_exists(const struct cs_modes *m, int *missing)
{
    int done = 0, before = -1;

    for (int i = 0; i < m->tasks; i++)
        missing[i] = 1;
    while (done != before) {
        before = done;
        for (int i = 0; i < m->tasks; i++) {
            bool waits = false;

            for (int a = m->before_first[i]; a < m->before_first[i + 1]; a++)
                waits |= missing[m->before[a]] > 0;
            if (missing[i] && !waits) {
                missing[i] = 0;
                done++;
            }
        }
    }
    return done < m->tasks;
}

int cs_modes_refuse_circle(const struct cs_modes *m, const char *const *name, const char *file,
                           struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    int *way = CS_NEW_ARRAY(scratch, int, m->tasks + 1),
        *from = CS_NEW_ARRAY(scratch, int, m->tasks);
    int *queue = CS_NEW_ARRAY(scratch, int, 2 * m->tasks + 1), length = 0;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (circle_exists(m, from))
        for (int i = 0; i < m->tasks && !length; i++)
            length = circle_find(m, i, way, queue, from);
    for (int k = length; k-- > 0;)
        cs_strbuf_printf(&text, "%.60s -> ", name[way[k]]);
    if (length)
        cs_error_set(err, "%s: after: %s%.60s is a circle", file, text.text, name[way[length - 1]]);
    cs_strbuf_release(&text);
    cs_arena_destroy(scratch);
    return length ? -1 : 0;
}

/* ---- times that cannot be ---- */

struct caveats {
    const struct cs_mode_rows *rows;
    const struct cs_modes *modes;
    const char *const *name;
    const char *file;
    const struct cs_mode_columns *columns;
    struct cs_strbuf *out;
};

static const int64_t *caveat_use(const struct caveats *c, int mode)
{
    return cs_modes_use(c->modes, mode);
}

/* One label, and the same kinds of resources but memory? */
static bool caveat_alike(const struct caveats *c, int a, int b)
{
    const struct cs_modes *m = c->modes;

    if (m->label && strcmp(m->label[a], m->label[b]) != 0)
        return false;
    for (int r = 1; r < m->resources; r++)
        if (strcmp(m->resource_name[r], "memory") != 0 &&
            (caveat_use(c, a)[r] > 0) != (caveat_use(c, b)[r] > 0))
            return false;
    return true;
}

/* Is the mode the fastest of those alike on its count? */
static bool caveat_is_fastest(const struct caveats *c, int mode, int first, int end)
{
    const struct cs_modes *m = c->modes;

    for (int k = first; k < end; k++)
        if (k != mode && caveat_alike(c, k, mode) &&
            caveat_use(c, k)[0] == caveat_use(c, mode)[0] &&
            (m->seconds[k] < m->seconds[mode] || (m->seconds[k] == m->seconds[mode] && k < mode)))
            return false;
    return true;
}

/* The fastest mode on the next larger count; -1. */
static int caveat_next(const struct caveats *c, int mode, int first, int end)
{
    int next = -1;

    for (int k = first; k < end; k++)
        if (caveat_alike(c, k, mode) && caveat_use(c, k)[0] > caveat_use(c, mode)[0] &&
            (next < 0 || caveat_use(c, k)[0] < caveat_use(c, next)[0]) &&
            caveat_is_fastest(c, k, first, end))
            next = k;
    return next;
}

/* Does another resource grow by more than the processors? */
static bool caveat_grows(const struct caveats *c, int a, int b)
{
    const int64_t *x = caveat_use(c, a), *y = caveat_use(c, b);

    for (int r = 1; r < c->modes->resources; r++)
        if (strcmp(c->modes->resource_name[r], "memory") != 0 &&
            (double)y[r] * (double)x[0] > (double)x[r] * (double)y[0])
            return true;
    return false;
}

static void caveat_begin(const struct caveats *c)
{
    cs_strbuf_printf(c->out, "%s%s: ", c->out->length ? "\n" : "", c->file);
}

static void caveat_superlinear(const struct caveats *c, int task)
{
    const struct cs_modes *m = c->modes;
    const int first = m->first[task], end = m->first[task + 1];
    double worst = 2;
    int low = -1, high = -1;

    for (int k = first; k < end; k++) {
        const int next = caveat_is_fastest(c, k, first, end) ? caveat_next(c, k, first, end) : -1;
        double falls;

        if (next < 0 || caveat_use(c, k)[0] == 0 || caveat_grows(c, k, next))
            continue;
        falls = (double)caveat_use(c, k)[0] * m->seconds[k] /
                ((double)caveat_use(c, next)[0] * m->seconds[next]);
        if (falls > worst) {
            worst = falls;
            low = k;
            high = next;
        }
    }
    if (low < 0)
        return;
    caveat_begin(c);
    cs_strbuf_printf(c->out, "%.60s is %.1f times faster on %d than on %d: a failed run?",
                     c->name[task], m->seconds[low] / m->seconds[high], (int)caveat_use(c, high)[0],
                     (int)caveat_use(c, low)[0]);
}

static void caveat_spread(const struct caveats *c, int task, int *row)
{
    const struct cs_mode_rows *rows = c->rows;
    double widest = 2;
    int worst = -1, count;

    for (int b = rows->first[task]; b < rows->first[task + 1]; b++) {
        const int k = rows->by_task[b];

        count = mode_rows_of(rows, k, row);
        if (rows->row[row[count - 1]].seconds / rows->row[row[0]].seconds > widest) {
            widest = rows->row[row[count - 1]].seconds / rows->row[row[0]].seconds;
            worst = k;
        }
    }
    if (worst < 0)
        return;
    count = mode_rows_of(rows, worst, row);
    caveat_begin(c);
    cs_strbuf_printf(c->out, "%.60s on %d: ", c->name[task], rows->row[worst].procs);
    cs_strbuf_put_double(c->out, rows->row[row[0]].seconds);
    cs_strbuf_puts(c->out, " s and ");
    cs_strbuf_put_double(c->out, rows->row[row[count - 1]].seconds);
    cs_strbuf_puts(c->out, " s: two inputs?");
    if (c->columns)
        c->columns->put(c->columns->who, row, count, c->out);
}

void cs_mode_rows_put_caveats(const struct cs_mode_rows *rows, const struct cs_modes *modes,
                              const char *const *name, const char *file,
                              const struct cs_mode_columns *columns, struct cs_strbuf *out)
{
    struct cs_arena *scratch = cs_arena_create();
    const struct caveats c = {rows, modes, name, file, columns, out};
    int *row = CS_NEW_ARRAY(scratch, int, rows->rows + 1);

    for (int i = 0; i < modes->tasks; i++) {
        caveat_superlinear(&c, i);
        caveat_spread(&c, i, row);
    }
    cs_arena_destroy(scratch);
}
