/* classes.c - waits by width, time, user, account, partition, week and day: cells in key order.
 *
 * Source: spec/replay.md 10.4.
 *
 * Invariants: cells ascend by key; a key is added to the table once; above MOST cells all new keys
 * share the cell OTHERS.
 *
 * Complexity: O(log cells) for each job, O(cells) for a new key; memory KEPT waits for each cell.
 *
 * Constant                                         | found               | at half, at double
 * KEPT: 1,024 waits of a cell, then a histogram    | spec/replay.md 10.4 | not measured
 * MOST: 100,000 cells of a table                   | spec/replay.md 10.4 | not measured
 * 60 s .. 86,400 s: limits of the classes of times | spec/replay.md 10.4 | not measured
 * widths: powers of 4                              | spec/replay.md 10.4 | not measured
 */
#include "problems/queue/classes.h"

#include "base/guard.h"
#include "base/vector.h"
#include "base/zone.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *cs_queue_by_word(enum cs_queue_by by)
{
    static const char *const word[] = {"width",     "time", "class", "user", "account",
                                       "partition", "qos",  "week",  "day"};

    return word[by];
}

#define KEPT 1024
#define MOST 100000
#define OTHERS INT64_MAX

struct table {
    struct cs_queue_cell *cell; /* ascending by key */
    int count, room, last;
};

struct cs_queue_classes {
    unsigned by;
    struct cs_queue_window window;
    int64_t epoch;
    const struct cs_zone *zone;
    bool any;
    double first;
    struct table table[CS_QUEUE_BYS];
};

struct cs_queue_classes *cs_queue_classes_create(unsigned by, const struct cs_queue_window *window,
                                                 int64_t epoch, const struct cs_zone *zone)
{
    struct cs_queue_classes *c = cs_block_zero(1, sizeof *c);

    c->by = by;
    c->window = *window;
    c->epoch = epoch;
    c->zone = zone;
    return c;
}

void cs_queue_classes_destroy(struct cs_queue_classes *c)
{
    if (!c)
        return;
    for (int by = 0; by < CS_QUEUE_BYS; by++) {
        for (int i = 0; i < c->table[by].count; i++)
            cs_sketch_release(&c->table[by].cell[i].waits);
        cs_block_free(c->table[by].cell);
    }
    cs_block_free(c);
}

/* ---- keys ---- */

static const double bound[CS_QUEUE_TIMES - 1] = {60, 600, 3600, 14400, 43200, 86400};

static int width_class(int64_t procs)
{
    int class = 0;

    for (int64_t most = 1; procs > most && class < 31; most *= 4)
        class ++;
    return class;
}

static int time_class(double seconds)
{
    int class = 0;

    while (class < CS_QUEUE_TIMES - 1 && seconds >= bound[class])
        class ++;
    return class;
}

static int64_t day_of(const struct cs_queue_classes *c, double time)
{
    const int64_t seconds = c->epoch + (int64_t)floor(time);
    const int64_t local = seconds + cs_zone_offset(c->zone, seconds);

    return local >= 0 ? local / 86400 : -((86399 - local) / 86400);
}

static int64_t key_of(const struct cs_queue_classes *c, enum cs_queue_by by,
                      const struct cs_queue_history *history)
{
    const struct cs_log_job *job = &history->job;

    switch (by) {
    case CS_QUEUE_BY_WIDTH:
        return width_class(job->procs);
    case CS_QUEUE_BY_TIME:
        return time_class(history->end - history->start);
    case CS_QUEUE_BY_CLASS:
        return width_class(job->procs) * CS_QUEUE_TIMES + time_class(history->end - history->start);
    case CS_QUEUE_BY_USER:
        return job->user;
    case CS_QUEUE_BY_ACCOUNT:
        return job->account;
    case CS_QUEUE_BY_PARTITION:
        return job->named;
    case CS_QUEUE_BY_QOS:
        return job->qos;
    case CS_QUEUE_BY_WEEK: /* weeks begin on Monday; 1970-01-01 was a Thursday */
        return (day_of(c, job->submit) + 3 + 7000000) / 7 - 1000000;
    default:
        return day_of(c, job->submit);
    }
}

/* ---- cells ---- */

static int classes_find(const struct table *t, int64_t key)
{
    int low = 0, high = t->count;

    if (t->last < t->count && t->cell[t->last].key == key)
        return t->last;
    while (low < high) {
        const int middle = (low + high) / 2;

        if (t->cell[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct cs_queue_cell *cell_of(struct table *t, int64_t key)
{
    int at = classes_find(t, key);

    if ((at == t->count || t->cell[at].key != key) && t->count >= MOST) {
        key = OTHERS;
        at = classes_find(t, key);
    }
    if (at == t->count || t->cell[at].key != key) {
        CS_BLOCK_ROOM(t->cell, t->count, t->room, 32);
        memmove(t->cell + at + 1, t->cell + at, (size_t)(t->count - at) * sizeof *t->cell);
        t->cell[at] = (struct cs_queue_cell){.key = key, .waits = {.most = KEPT}};
        t->count++;
    }
    t->last = at;
    return &t->cell[at];
}

static void classes_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_classes *c = who;

    (void)history;
    if (!c->any)
        c->first = now;
    c->any = true;
}

static bool is_measured(const struct cs_queue_classes *c, double arrival)
{
    return arrival >= c->first + c->window.warmup &&
           (!(c->window.cooldown > 0) || arrival <= c->window.last - c->window.cooldown);
}

static void classes_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_classes *c = who;
    const double wait = done ? cs_queue_history_wait(history) : 0;

    (void)now;
    if (!done || !is_measured(c, history->job.submit))
        return;
    for (int by = 0; by < CS_QUEUE_BYS; by++) {
        struct cs_queue_cell *cell;

        if (!(c->by >> by & 1))
            continue;
        cell = cell_of(&c->table[by], key_of(c, (enum cs_queue_by)by, history));
        cell->jobs++;
        cell->area += (double)history->job.procs * (history->end - history->start);
        cs_neumaier_add(&cell->wait, wait);
        cs_neumaier_add(&cell->slowdown, cs_queue_history_slowdown(history));
        cs_sketch_add(&cell->waits, wait);
    }
}

struct cs_queue_observer cs_queue_classes_observer(struct cs_queue_classes *c)
{
    return (struct cs_queue_observer){.arrived = classes_arrived, .ended = classes_ended, .who = c};
}

struct cs_queue_cell *cs_queue_classes_cells(struct cs_queue_classes *c, enum cs_queue_by by,
                                             int *count)
{
    *count = c->table[by].count;
    return c->table[by].cell;
}

/* ---- names ---- */

static void put_width(int class, struct cs_strbuf *out)
{
    int64_t low = 1, high = 1;

    for (int i = 0; i < class; i++) {
        low = high + 1;
        high *= 4;
    }
    if (low == high)
        cs_strbuf_printf(out, "%" PRId64, low);
    else
        cs_strbuf_printf(out, "%" PRId64 "-%" PRId64, low, high);
}

static const char *time_name(int class)
{
    static const char *const name[CS_QUEUE_TIMES] = {
        "under 1 min", "1 to 10 min", "10 min to 1 h", "1 to 4 h",
        "4 to 12 h",   "12 to 24 h",  "24 h and more",
    };

    return name[class];
}

static void put_date(int64_t day, struct cs_strbuf *out)
{
    char date[32];

    cs_calendar_date(day, date);
    cs_strbuf_puts(out, date);
}

/* The year of a week is that of its Thursday. */
static void put_week(int64_t week, struct cs_strbuf *out)
{
    const int64_t thursday = week * 7;
    int year = (int)(1970 + thursday / 366);

    while (cs_calendar_days(year + 1, 1, 1) <= thursday)
        year++;
    while (cs_calendar_days(year, 1, 1) > thursday)
        year--;
    cs_strbuf_printf(out, "%04d-W%02d", year,
                     (int)((thursday - cs_calendar_days(year, 1, 1)) / 7) + 1);
}

static void classes_put_name(int64_t key, const struct cs_log_names *names, struct cs_strbuf *out)
{
    if (key == OTHERS)
        cs_strbuf_puts(out, "(others)");
    else if (names && key >= 0 && key < names->count)
        cs_strbuf_puts(out, names->name[key]);
    else
        cs_strbuf_puts(out, "(none)");
}

void cs_queue_class_put(enum cs_queue_by by, int64_t key, const struct cs_log_names *names,
                        struct cs_strbuf *out)
{
    switch (by) {
    case CS_QUEUE_BY_WIDTH:
        put_width((int)key, out);
        break;
    case CS_QUEUE_BY_TIME:
        cs_strbuf_puts(out, time_name((int)key));
        break;
    case CS_QUEUE_BY_CLASS:
        put_width((int)(key / CS_QUEUE_TIMES), out);
        cs_strbuf_printf(out, ", %s", time_name((int)(key % CS_QUEUE_TIMES)));
        break;
    case CS_QUEUE_BY_WEEK:
        put_week(key, out);
        break;
    case CS_QUEUE_BY_DAY:
        put_date(key, out);
        break;
    default:
        classes_put_name(key, names, out);
    }
}
