/* machine.c - the modes that tasks may take on a machine, and whether the bag is plain.
 *
 * Source: spec/bag.md 1.7 (plain bags), 2.1 (c) (counts between measured ones), 2.5 (node hours),
 * 3.1 to 3.6 (resources, nodes), 12.1 (messages).
 * Idea: amounts of each processor, and of each node where a processor is a node, only decide which
 * modes are allowed; amounts of the whole machine stay as resources.  Modes that are not allowed
 * are left out.  If the bag is plain then, its counts go to the planners of plain bags.
 * Invariants: the resources of a general bag have capacities; the first is processors; modes keep
 * their order; every task keeps a mode.
 * Complexity: O(modes * resources), and O(modes^2) of a task for counts between measured ones.
 */
#include "problems/moldable/bag/machine.h"

#include "base/csv.h"
#include "base/plain.h"
#include "base/vector.h"
#include "io/modes.h"
#include "model/counts.h"
#include "model/profile.h"
#include "model/workload.h"
#include "problems/moldable/bag/bag.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* How a resource is counted. */
enum counting { COUNT_NOT, COUNT_TOTAL, COUNT_NODE, COUNT_PROC };

struct supply {
    const char *name;
    enum counting counting;
    int64_t amount; /* total, of a node or of a processor; -1: not given */
    int64_t most;   /* of a mode; of COUNT_PROC for each processor */
    bool missing;   /* a task needs it */
    int kept;       /* its place among the resources of the bag; -1 */
};

struct limit {
    const char *name;
    int64_t amount; /* -1: none */
    bool hours;     /* the processor hours of a mode */
    int from;       /* its column in the workload; -1 */
    int kept;
};

struct window {
    double from, to;
    const char *resource;
    int64_t less;
};

struct apply {
    const struct cs_workload *workload;
    const struct cs_modes *in;
    const struct cs_bag_machine *machine;
    struct cs_arena *arena;
    struct cs_error *err;
    struct cs_strbuf remark;
    int nodes;
    struct supply *supply;
    int supplies;
    struct limit *limit;
    int limits;
    struct window *window;
    int windows;
    /* The modes so far, in terms of the workload. */
    struct made {
        int task, procs, from; /* from: the mode of the workload */
        double seconds;
        int64_t memory, *spend; /* of counts between measured ones; -1, NULL: as the mode has */
        unsigned char origin;
    } * made;
    int count, room;
    bool removed; /* a mode of the workload is not allowed */
};

void cs_bag_put_clock(struct cs_strbuf *out, double seconds)
{
    const double whole = floor(seconds);
    const int rest = (int)fmod(whole, 60);

    cs_strbuf_printf(out, "%.0f:%02d", floor(whole / 3600), (int)fmod(floor(whole / 60), 60));
    if (rest || whole < seconds)
        cs_strbuf_printf(out, ":%02d", rest);
}

void cs_bag_put_amount(struct cs_strbuf *out, const char *resource, int64_t amount)
{
    static const char letters[] = " KMGTP";
    double value = (double)amount;
    int unit = 0;

    if (strcmp(resource, "memory") != 0 || amount < 1024) {
        cs_strbuf_put_int(out, amount);
        return;
    }
    for (; unit < 5 && value >= 1024; unit++)
        value /= 1024;
    cs_strbuf_printf(out, "%.4g%c", value, letters[unit]);
}

static void remark_line(struct apply *a)
{
    if (a->remark.length)
        cs_strbuf_putc(&a->remark, '\n');
}

/* ---- the machine ---- */

static struct supply *supply_find(struct apply *a, const char *name, bool add)
{
    for (int k = 0; k < a->supplies; k++)
        if (!cs_plain_compare(a->supply[k].name, name))
            return &a->supply[k];
    if (!add)
        return NULL;
    a->supply = cs_arena_grow(a->arena, a->supply, (size_t)a->supplies, (size_t)a->supplies + 1,
                              sizeof *a->supply);
    a->supply[a->supplies] =
        (struct supply){cs_arena_strdup(a->arena, name), COUNT_TOTAL, -1, -1, false, -1};
    return &a->supply[a->supplies++];
}

static struct limit *limit_find(struct apply *a, const char *name)
{
    for (int q = 0; q < a->limits; q++)
        if (!cs_plain_compare(a->limit[q].name, name))
            return &a->limit[q];
    return NULL;
}

/* A budget of the workload of which no mode has an amount: processor hours by its name (2.5), else
 * a limit without effect. */
static bool budget_is_hours(struct apply *a, int budget)
{
    const struct cs_modes *in = a->in;
    bool spent = false, hours = !strcmp(in->budget_name[budget], "procs");

    for (int k = 0; k < in->first[in->tasks]; k++)
        spent |= cs_modes_spend(in, k)[budget] > 0;
    if (!spent && !hours && in->budget[budget] >= 0) {
        remark_line(a);
        cs_strbuf_printf(&a->remark, "no mode consumes the budget %.60s", in->budget_name[budget]);
    }
    return !spent && hours;
}

/* The machine that the workload describes: given amounts first, then names of tasks. */
static void supply_given(struct apply *a)
{
    const struct cs_modes *in = a->in;

    supply_find(a, "procs", true)->amount = a->machine->procs;
    for (int given = 1; given >= 0; given--)
        for (int r = 1; r < in->resources; r++) {
            const bool node = in->per_node && in->per_node[r] >= 0,
                       proc = in->per_proc && in->per_proc[r] >= 0;
            struct supply *s;

            if ((node || proc || in->capacity[r] >= 0) != given)
                continue;
            s = supply_find(a, in->resource_name[r], true);
            s->counting = node ? COUNT_NODE : proc ? COUNT_PROC : COUNT_TOTAL;
            s->amount = node ? in->per_node[r] : proc ? in->per_proc[r] : in->capacity[r];
        }
    a->limit = CS_NEW_ARRAY(a->arena, struct limit, in->budgets + 1);
    for (int q = 0; q < in->budgets; q++)
        a->limit[a->limits++] =
            (struct limit){in->budget_name[q], in->budget[q], budget_is_hours(a, q), q, -1};
}

/* The next item of lines and commas, trimmed; NULL: no more. */
static char *item_next(const char **text, struct cs_arena *arena)
{
    size_t length;
    const char *at = *text + strspn(*text, ",\n ");

    if (!*at)
        return NULL;
    length = strcspn(at, ",\n");
    *text = at + length;
    while (length && at[length - 1] == ' ')
        length--;
    return cs_arena_strndup(arena, at, length);
}

static const char *name_simplify(char *name)
{
    for (char *c = name; *c; c++)
        *c = strchr(" -", *c) ? '_' : cs_plain_lower(*c);
    return cs_plain_begins(name, "gpu:") ? NULL : name;
}

static int supply_option(struct apply *a, char *item)
{
    char *amount = strchr(item, '='), *slash;
    struct cs_error why = {0};
    struct supply *s;
    const char *name, *fault;
    int64_t value;

    if (!amount)
        return cs_error_set(
            a->err,
            "--resource: found \"%.60s\", expected NAME=AMOUNT, NAME=AMOUNT/node or "
            "NAME=AMOUNT/proc",
            item);
    *amount++ = '\0';
    slash = strchr(amount, '/');
    if (slash)
        *slash++ = '\0';
    name = name_simplify(item);
    fault = !name                                              ? "expected gpus:KIND"
            : !strcmp(name, "gpus") || !strcmp(name, "memory") ? NULL
            : !strcmp(name, "procs") ? "the number of processors is --procs"
                                     : cs_modes_name_fault(name, false);
    if (fault)
        return cs_error_set(a->err, "--resource: found \"%.60s\": %s", item, fault);
    if (slash && strcmp(slash, "node") != 0 && strcmp(slash, "proc") != 0)
        return cs_error_set(a->err, "--resource %.60s: found \"/%.20s\", expected /node or /proc",
                            name, slash);
    if (cs_modes_amount(name, amount, &value, &why))
        return cs_error_set(a->err, "--resource %.60s: %s", name, why.text);
    s = supply_find(a, name, true);
    s->counting = !slash ? COUNT_TOTAL : *slash == 'n' ? COUNT_NODE : COUNT_PROC;
    s->amount = value;
    return 0;
}

static int limit_option(struct apply *a, char *item)
{
    char *amount = strchr(item, '=');
    struct cs_error why = {0};
    struct limit *limit;
    const char *name = "procs";
    int64_t value;

    if (amount) {
        *amount++ = '\0';
        name = name_simplify(item);
    } else {
        amount = item;
    }
    if (cs_modes_thousandths(amount, false, &value, &why))
        return cs_error_set(a->err, "--budget %.60s: %s", name ? name : item, why.text);
    limit = name ? limit_find(a, name) : NULL;
    if (!limit && name && !strcmp(name, "procs")) {
        limit = &a->limit[a->limits++];
        *limit = (struct limit){"procs", -1, true, -1, -1};
    }
    if (!limit)
        return cs_error_set(a->err,
                            "--budget: no task consumes \"%.60s\": expected the name of a column "
                            "budget:NAME, or procs",
                            item);
    limit->amount = value;
    return 0;
}

static int options_read(struct apply *a)
{
    const char *text = a->machine->resource ? a->machine->resource : "";
    char *item;

    while ((item = item_next(&text, a->arena)))
        if (supply_option(a, item))
            return -1;
    text = a->machine->budget ? a->machine->budget : "";
    while ((item = item_next(&text, a->arena)))
        if (limit_option(a, item))
            return -1;
    return 0;
}

/* ---- windows ---- */

static void window_add(struct apply *a, double from, double to, const char *resource, int64_t less)
{
    a->window = cs_arena_grow(a->arena, a->window, (size_t)a->windows, (size_t)a->windows + 1,
                              sizeof *a->window);
    a->window[a->windows++] = (struct window){from, to, resource, less};
}

static int window_row(struct apply *a, struct cs_csv *csv, const int *column)
{
    const char *to = cs_csv_text(csv, column[1]), *name;
    char *resource = cs_arena_strdup(a->arena, cs_csv_text(csv, column[2]));
    double date[2] = {0, INFINITY};
    struct cs_error why = {0};
    int64_t less;

    if (cs_modes_date(cs_csv_text(csv, column[0]), &date[0], &why))
        return cs_csv_error(csv, column[0], a->err, "%s", why.text);
    if (*to && cs_modes_date(to, &date[1], &why))
        return cs_csv_error(csv, column[1], a->err, "%s", why.text);
    if (!(date[1] > date[0]))
        return cs_csv_error(csv, column[1], a->err,
                            "found %.15g, expected a time after from, %.15g", date[1], date[0]);
    name = name_simplify(resource);
    if (!name || !supply_find(a, name, false))
        return cs_csv_error(csv, column[2], a->err,
                            "the machine has no \"%.60s\": --resource %.60s=AMOUNT", resource,
                            resource);
    if (cs_modes_amount(name, cs_csv_text(csv, column[3]), &less, &why))
        return cs_csv_error(csv, column[3], a->err, "%s", why.text);
    window_add(a, date[0], date[1], name, less);
    return 0;
}

static int windows_file(struct apply *a)
{
    struct cs_csv *csv = a->machine->capacity ? cs_csv_open(a->machine->capacity, a->err) : NULL;
    int column[4], more = 1;

    if (!a->machine->capacity)
        return 0;
    if (!csv || cs_csv_require_all(csv, "from,to,resource,less", column, a->err))
        more = -1;
    while (more > 0) {
        more = cs_csv_next(csv, a->err);
        if (more > 0 && window_row(a, csv, column))
            more = -1;
    }
    cs_csv_close(csv);
    return more;
}

static int windows_gather(struct apply *a)
{
    const struct cs_modes *in = a->in;

    for (int w = 0; w < in->windows; w++)
        for (int r = 0; r < in->resources; r++) {
            const int64_t less = in->less[(size_t)w * (size_t)in->resources + (size_t)r];

            if (less > 0)
                window_add(a, in->from[w], in->to[w], in->resource_name[r], less);
        }
    return windows_file(a);
}

/* ---- nodes ---- */

static int nodes_set(struct apply *a)
{
    const int procs = a->machine->procs;

    a->nodes = a->machine->nodes ? a->machine->nodes : a->in->nodes;
    if (a->nodes == 0)
        a->nodes = a->machine->by_node ? procs : 1;
    if (procs % a->nodes != 0)
        return cs_error_set(a->err, "%d processors do not divide evenly over %d nodes", procs,
                            a->nodes);
    for (int k = 1; k < a->supplies; k++) {
        struct supply *s = &a->supply[k];

        if (s->counting == COUNT_NODE && a->nodes == procs && procs > 1)
            s->counting = COUNT_PROC;
        if (s->counting == COUNT_NODE && s->amount > CS_MODES_MOST / a->nodes)
            return cs_error_set(a->err, "%s: %lld of each of %d nodes are more than 2^53 in all",
                                s->name, (long long)s->amount, a->nodes);
        s->most = s->counting == COUNT_NODE ? s->amount * a->nodes : s->amount;
        if (s->amount < 0 && !strcmp(s->name, "memory"))
            s->counting = COUNT_NOT;
    }
    a->supply[0].most = procs;
    return 0;
}

static bool nodes_shared(const struct apply *a)
{
    return a->nodes > 1 && a->nodes < a->machine->procs;
}

/* ---- modes ---- */

static struct made *made_add(struct apply *a, int task, int procs, double seconds, int from)
{
    CS_ARENA_ROOM(a->arena, a->made, a->count, a->room, 64);
    a->made[a->count] = (struct made){task, procs, from, seconds, -1, NULL, CS_ORIGIN_MEASURED};
    return &a->made[a->count++];
}

static const int64_t *in_use(const struct apply *a, int mode)
{
    return cs_modes_use(a->in, mode);
}

static int in_memory(const struct apply *a)
{
    for (int r = 1; r < a->in->resources; r++)
        if (!strcmp(a->in->resource_name[r], "memory"))
            return r;
    return -1;
}

static int64_t made_spend(const struct apply *a, const struct made *m, const struct limit *limit)
{
    if (limit->hours)
        return (int64_t)ceil(m->procs * m->seconds * 1000 / 3600);
    if (limit->from < 0)
        return 0;
    return m->spend ? m->spend[limit->from] : cs_modes_spend(a->in, m->from)[limit->from];
}

static int64_t made_use(const struct apply *a, const struct made *m, const char *resource)
{
    if (!strcmp(resource, "procs"))
        return m->procs;
    if (m->memory >= 0 && !strcmp(resource, "memory"))
        return m->memory;
    for (int r = 1; r < a->in->resources; r++)
        if (!strcmp(a->in->resource_name[r], resource))
            return in_use(a, m->from)[r];
    return 0;
}

/* All counts of a profile, with the amounts of its one mode. */
static int task_expand(struct apply *a, int task, int mode)
{
    struct cs_counts counts;
    int status;

    cs_counts_init(&counts, a->workload, a->machine->procs, a->arena);
    status = cs_counts_find(&counts, a->workload, task, a->machine->procs,
                            a->machine->margin > 1 ? a->machine->margin : 1, a->err);
    for (int k = 0; k < counts.entries && !status; k++)
        made_add(a, task, counts.procs[k], counts.seconds[k], mode)->origin = counts.origin[k];
    return status;
}

/* Do two modes differ only in processors, memory and budgets, without GPUs? */
static bool modes_alike(const struct apply *a, int x, int y)
{
    const struct cs_modes *in = a->in;

    if ((in->label && strcmp(in->label[x], in->label[y]) != 0) ||
        (in->span && in->span[x] != in->span[y]))
        return false;
    for (int r = 1; r < in->resources; r++)
        if (strcmp(in->resource_name[r], "memory") != 0 &&
            (in_use(a, x)[r] != in_use(a, y)[r] ||
             (cs_modes_numbered(in->resource_name[r]) && in_use(a, x)[r] > 0)))
            return false;
    return true;
}

/* A count that was not measured, next to these modes, either of which may be -1. */
static void count_add(struct apply *a, int task, int procs, int low, int high)
{
    const struct cs_modes *in = a->in;
    const int memory = in_memory(a), one = low >= 0 ? low : high;
    const double ta = low >= 0 ? in->seconds[low] : 0, tb = in->seconds[high];
    const double na = low >= 0 ? (double)in_use(a, low)[0] : 0, nb = (double)in_use(a, high)[0];
    const double seconds =
        low < 0 ? nb * tb / procs
                : exp(log(ta) + (log(tb) - log(ta)) * (log(procs) - log(na)) / (log(nb) - log(na)));
    struct made *m = made_add(a, task, procs, seconds, one);

    m->origin = low < 0 ? CS_ORIGIN_SCALED : CS_ORIGIN_INTERPOLATED;
    m->spend = CS_NEW_ARRAY(a->arena, int64_t, in->budgets);
    if (memory > 0)
        m->memory = in_use(a, one)[memory] > in_use(a, high)[memory] ? in_use(a, one)[memory]
                                                                     : in_use(a, high)[memory];
    for (int q = 0; q < in->budgets; q++) {
        const int64_t x = cs_modes_spend(in, one)[q], y = cs_modes_spend(in, high)[q];

        m->spend[q] = x > y ? x : y;
    }
}

/* The mode of a group with the largest count below `high`; -1. */
static int mode_below(const struct apply *a, int task, int high)
{
    int low = -1;

    for (int k = a->in->first[task]; k < a->in->first[task + 1]; k++)
        if (modes_alike(a, k, high) && in_use(a, k)[0] < in_use(a, high)[0] &&
            (low < 0 || in_use(a, k)[0] > in_use(a, low)[0]))
            low = k;
    return low;
}

/* 2.1 (c): counts below a mode, down to the next one of its group. */
static void counts_fill(struct apply *a, int task, int high)
{
    const struct cs_profile *profile = &a->workload->profile[task];
    const int low = modes_alike(a, high, high) ? mode_below(a, task, high) : -1;
    const bool fills = low >= 0 ? profile->fill == CS_FILL_POWER : profile->fewer == CS_FEWER_SCALE;

    if (profile->kind != CS_PROFILE_POINTS || !fills || !modes_alike(a, high, high))
        return;
    for (int64_t procs = low >= 0 ? in_use(a, low)[0] + 1 : 1;
         procs < in_use(a, high)[0] && procs <= a->machine->procs; procs++)
        count_add(a, task, (int)procs, low, high);
}

static int modes_make(struct apply *a)
{
    static const struct cs_task_limit none;

    for (int i = 0; i < a->in->tasks; i++) {
        const struct cs_task_limit *limit = a->workload->limit ? &a->workload->limit[i] : &none;

        for (int k = a->in->first[i]; k < a->in->first[i + 1]; k++) {
            const int begin = a->count;
            int kept = begin;

            if (in_use(a, k)[0] == 0) {
                if (task_expand(a, i, k))
                    return -1;
                continue;
            }
            counts_fill(a, i, k);
            made_add(a, i, (int)in_use(a, k)[0], a->in->seconds[k], k);
            for (int m = begin; m < a->count; m++)
                if (cs_counts_permit(limit, a->made[m].procs))
                    a->made[kept++] = a->made[m];
            a->count = kept;
        }
    }
    return 0;
}

/* ---- which are allowed ---- */

static void short_of(struct cs_strbuf *why, const char *name, int64_t needs, int64_t most)
{
    cs_strbuf_puts(why, name);
    cs_strbuf_putc(why, ' ');
    cs_bag_put_amount(why, name, needs);
    cs_strbuf_puts(why, " of ");
    cs_bag_put_amount(why, name, most);
}

/* Does the mode fit on its nodes? */
static bool span_fits(const struct apply *a, const struct made *m, struct cs_strbuf *why)
{
    const int each = a->machine->procs / a->nodes;
    const int span = a->in->span ? a->in->span[m->from] : 0;
    int least = (m->procs + each - 1) / each;

    for (int k = 1; k < a->supplies; k++)
        while (a->supply[k].counting == COUNT_NODE && least <= a->nodes &&
               made_use(a, m, a->supply[k].name) > least * a->supply[k].amount)
            least++;
    if (least > a->nodes || span > a->nodes)
        cs_strbuf_printf(why, "%d nodes of %d", span > a->nodes ? span : least, a->nodes);
    else if (span && span < least)
        cs_strbuf_printf(why, "span %d: %d processors need %d nodes of %d", span, m->procs, least,
                         each);
    return !why->length;
}

static bool supply_fits(struct apply *a, const struct made *m, struct supply *s,
                        struct cs_strbuf *why)
{
    const int64_t needs = made_use(a, m, s->name);

    if (s->counting == COUNT_NOT || needs == 0)
        return true;
    if (s->amount < 0) {
        s->missing = true;
        cs_strbuf_printf(why, "%s %lld of 0", s->name, (long long)needs);
        return false;
    }
    if (s->counting == COUNT_PROC ? (double)needs <= (double)s->amount * m->procs
                                  : needs <= s->most)
        return true;
    short_of(why, s->name, needs, s->counting == COUNT_PROC ? s->amount * m->procs : s->most);
    return false;
}

/* Appends the first reason why not. */
static bool made_allowed(struct apply *a, const struct made *m, struct cs_strbuf *why)
{
    const struct cs_task_limit *limit = a->workload->limit ? &a->workload->limit[m->task] : NULL;
    const double margin = fmax(fmax(a->machine->margin, limit ? limit->margin : 0), 1);

    if (m->procs > a->machine->procs) {
        cs_strbuf_printf(why, "%d processors of %d", m->procs, a->machine->procs);
        return false;
    }
    for (int k = 1; k < a->supplies; k++)
        if (!supply_fits(a, m, &a->supply[k], why))
            return false;
    if (nodes_shared(a) && !span_fits(a, m, why))
        return false;
    for (int q = 0; q < a->limits; q++)
        if (a->limit[q].amount >= 0 && made_spend(a, m, &a->limit[q]) > a->limit[q].amount) {
            cs_strbuf_printf(why, "%s %.15g of %.15g", a->limit[q].name,
                             (double)made_spend(a, m, &a->limit[q]) / 1000,
                             (double)a->limit[q].amount / 1000);
            return false;
        }
    if (limit && limit->walltime > 0 && margin * m->seconds > limit->walltime) {
        cs_strbuf_printf(why, "%.15g s of walltime %.15g s", margin * m->seconds, limit->walltime);
        return false;
    }
    return true;
}

/* The first resource of which the machine has none; NULL. */
static const char *missing_name(const struct apply *a)
{
    for (int k = 1; k < a->supplies; k++)
        if (a->supply[k].missing)
            return a->supply[k].name;
    return NULL;
}

static int task_refuse(struct apply *a, int task, int modes, const char *missing, const char *why)
{
    const char *name = a->workload->name[task];

    if (missing)
        return cs_error_set(a->err, "%.60s needs %s, and the machine has none: --resource %s=%s",
                            name, missing, missing, strcmp(missing, "memory") ? "N" : "AMOUNT");
    return cs_error_set(a->err, "%.60s cannot run: %s %d mode%s needs more than there is (%s)",
                        name, modes == 1 ? "its" : "each of its", modes, modes == 1 ? "" : "s",
                        why);
}

static void task_warn(struct apply *a, int task, const char *missing)
{
    remark_line(a);
    cs_strbuf_printf(&a->remark,
                     "%.60s: modes that need %s are left out, and the machine has none: --resource "
                     "%s=N",
                     a->workload->name[task], missing, missing);
}

static int task_filter(struct apply *a, int task, int *at, int *kept)
{
    const int first = *kept;
    struct cs_strbuf why = CS_STRBUF_INIT, all = CS_STRBUF_INIT;
    const char *missing;
    int modes = 0, status = 0;

    for (int k = 0; k < a->supplies; k++)
        a->supply[k].missing = false;
    for (; *at < a->count && a->made[*at].task == task; (*at)++, modes++) {
        cs_strbuf_clear(&why);
        if (made_allowed(a, &a->made[*at], &why)) {
            a->made[(*kept)++] = a->made[*at];
            continue;
        }
        a->removed = true;
        if (modes < 8)
            cs_strbuf_printf(&all, "%s%s", all.length ? "; " : "", why.text);
    }
    missing = missing_name(a);
    if (*kept == first)
        status = modes ? task_refuse(a, task, modes, missing, all.text)
                       : cs_error_set(a->err, "%.60s cannot run: no measured count is allowed",
                                      a->workload->name[task]);
    else if (missing)
        task_warn(a, task, missing);
    cs_strbuf_release(&why);
    cs_strbuf_release(&all);
    return status;
}

static int modes_filter(struct apply *a)
{
    int at = 0, kept = 0;

    for (int i = 0; i < a->in->tasks; i++)
        if (task_filter(a, i, &at, &kept))
            return -1;
    a->count = kept;
    return 0;
}

/* ---- budgets ---- */

static int budgets_check(struct apply *a)
{
    for (int q = 0; q < a->limits; q++) {
        int64_t sum = 0, least = 0;
        int m = 0;

        for (int i = 0; i < a->in->tasks; i++, sum += least)
            for (least = INT64_MAX; m < a->count && a->made[m].task == i; m++) {
                const int64_t spend = made_spend(a, &a->made[m], &a->limit[q]);

                least = spend < least ? spend : least;
            }
        if (a->limit[q].amount >= 0 && sum > a->limit[q].amount)
            return cs_error_set(a->err,
                                "the least that all tasks consume of %s is %.15g, the budget is "
                                "%.15g",
                                a->limit[q].name, (double)sum / 1000,
                                (double)a->limit[q].amount / 1000);
        if (a->limit[q].amount < 0) {
            remark_line(a);
            cs_strbuf_printf(&a->remark, "%s is not limited: --budget %s=AMOUNT", a->limit[q].name,
                             a->limit[q].name);
        }
    }
    return 0;
}

/* ---- the bag ---- */

/* Resources that are counted, in the order of 3.1. */
static int supplies_keep(struct apply *a)
{
    int kept = 1;

    a->supply[0].kept = 0;
    for (int k = 1; k < a->supplies; k++) {
        struct supply *s = &a->supply[k];

        if (s->counting == COUNT_NOT) {
            remark_line(a);
            cs_strbuf_puts(&a->remark, "memory is not limited: --resource memory=AMOUNT[/node]");
        } else if (s->counting != COUNT_PROC && s->amount >= 0) {
            s->kept = kept++;
        }
    }
    return kept;
}

static bool uses_total(const struct apply *a)
{
    for (int k = 1; k < a->supplies; k++)
        for (int m = 0; a->supply[k].kept >= 0 && m < a->count; m++)
            if (made_use(a, &a->made[m], a->supply[k].name) > 0)
                return true;
    return false;
}

static bool same_count_twice(const struct apply *a)
{
    for (int m = 0; m < a->count; m++)
        for (int b = m - 1; b >= 0 && a->made[b].task == a->made[m].task; b--)
            if (a->made[b].procs == a->made[m].procs)
                return true;
    return false;
}

/* 1.7 */
static bool bag_is_general(const struct apply *a)
{
    const struct cs_modes *in = a->in;

    for (int q = 0; q < a->limits; q++)
        if (a->limit[q].amount >= 0)
            return true;
    return a->machine->general || in->before_first[in->tasks] > 0 || in->deadline ||
           a->windows > 0 || nodes_shared(a) || uses_total(a) || same_count_twice(a);
}

static struct cs_modes *bag_modes(struct apply *a, int resources)
{
    struct cs_modes *m = CS_NEW(a->arena, struct cs_modes);
    int *first = CS_NEW_ARRAY(a->arena, int, a->in->tasks + 1);
    double *seconds = CS_NEW_ARRAY(a->arena, double, a->count);
    unsigned char *origin = CS_NEW_ARRAY(a->arena, unsigned char, a->count);
    int64_t *use =
        CS_NEW_ARRAY(a->arena, int64_t, cs_arena_area((size_t)a->count, (size_t)resources));
    const char **label = CS_NEW_ARRAY(a->arena, const char *, a->count);
    int *span = CS_NEW_ARRAY(a->arena, int, a->count);

    *m = *a->in;
    for (int k = 0; k < a->count; k++) {
        const struct made *made = &a->made[k];

        first[made->task + 1] = k + 1;
        seconds[k] = made->seconds;
        origin[k] = made->origin;
        label[k] = a->in->label ? a->in->label[made->from] : "";
        span[k] = a->in->span ? a->in->span[made->from] : 0;
        for (int s = 0; s < a->supplies; s++)
            if (a->supply[s].kept >= 0)
                use[k * resources + a->supply[s].kept] = made_use(a, made, a->supply[s].name);
    }
    m->first = first;
    m->seconds = seconds;
    m->origin = origin;
    m->use = use;
    m->label = a->in->label ? label : NULL;
    m->span = nodes_shared(a) && a->in->span ? span : NULL;
    m->nodes = nodes_shared(a) ? a->nodes : 1;
    m->resources = resources;
    m->per_proc = NULL;
    return m;
}

static void bag_supplies(struct apply *a, struct cs_modes *m)
{
    const char **name = CS_NEW_ARRAY(a->arena, const char *, m->resources);
    int64_t *capacity = CS_NEW_ARRAY(a->arena, int64_t, m->resources),
            *node = CS_NEW_ARRAY(a->arena, int64_t, m->resources);

    for (int s = 0; s < a->supplies; s++) {
        const int k = a->supply[s].kept;

        if (k < 0)
            continue;
        name[k] = a->supply[s].name;
        capacity[k] = a->supply[s].most;
        node[k] = k && a->supply[s].counting != COUNT_NODE ? -1 : a->supply[s].most / m->nodes;
    }
    m->resource_name = name;
    m->capacity = capacity;
    m->per_node = m->nodes > 1 ? node : NULL;
}

static void bag_budgets(struct apply *a, struct cs_modes *m)
{
    const char **name = CS_NEW_ARRAY(a->arena, const char *, a->limits);
    int64_t *budget = CS_NEW_ARRAY(a->arena, int64_t, a->limits), *spend;
    int kept = 0;

    for (int q = 0; q < a->limits; q++)
        if (a->limit[q].amount >= 0) {
            a->limit[q].kept = kept;
            name[kept] = a->limit[q].name;
            budget[kept++] = a->limit[q].amount;
        }
    spend = CS_NEW_ARRAY(a->arena, int64_t, cs_arena_area((size_t)a->count, (size_t)kept));
    for (int k = 0; k < a->count; k++)
        for (int q = 0; q < a->limits; q++)
            if (a->limit[q].kept >= 0)
                spend[k * kept + a->limit[q].kept] = made_spend(a, &a->made[k], &a->limit[q]);
    m->budgets = kept;
    m->budget_name = name;
    m->budget = budget;
    m->spend = spend;
}

/* Windows of resources that are counted; -1 with err for another. */
static int bag_windows(struct apply *a, struct cs_modes *m)
{
    double *date = CS_NEW_ARRAY(a->arena, double, 2 * a->windows);
    int64_t *less =
        CS_NEW_ARRAY(a->arena, int64_t, cs_arena_area((size_t)a->windows, (size_t)m->resources));

    for (int w = 0; w < a->windows; w++) {
        const struct supply *s = supply_find(a, a->window[w].resource, false);

        if (!s || s->kept < 0)
            return cs_error_set(a->err, "window %d: %s is not a resource of the whole machine",
                                w + 1, a->window[w].resource);
        date[w] = a->window[w].from;
        date[a->windows + w] = a->window[w].to;
        less[w * m->resources + s->kept] = a->window[w].less;
    }
    m->windows = a->windows;
    m->from = date;
    m->to = date + a->windows;
    m->less = less;
    return 0;
}

static void bag_dates(struct apply *a, struct cs_modes *m)
{
    double *release = CS_NEW_ARRAY(a->arena, double, m->tasks);
    bool any = false;

    for (int i = 0; i < m->tasks && a->workload->limit; i++) {
        release[i] = a->workload->limit[i].release;
        any |= release[i] > 0;
    }
    m->release = any ? release : NULL;
    m->walltime = NULL; /* modes that are too long are left out */
    m->task_name = a->workload->name;
}

/* ---- the workload ---- */

static struct cs_workload *workload_of(struct apply *a, const struct cs_profile *profile,
                                       const struct cs_task_limit *limit)
{
    const struct cs_workload *from = a->workload;
    struct cs_workload *w = cs_workload_create(from->count, from->name, profile, a->err);

    if (!w)
        return NULL;
    if (limit)
        cs_workload_set_limits(w, limit);
    cs_workload_set_source(w, from->source);
    cs_workload_set_remark(w, from->remark);
    w->procs = from->procs;
    w->pack_size = from->pack_size;
    return w;
}

static struct cs_workload *general_workload(struct apply *a, const struct cs_modes *m)
{
    struct cs_profile *profile = CS_NEW_ARRAY(a->arena, struct cs_profile, m->tasks);
    struct cs_workload *w;

    for (int i = 0; i < m->tasks; i++)
        profile[i] = cs_modes_profile(m, i, a->arena);
    w = workload_of(a, profile, a->workload->limit);
    if (w)
        cs_workload_set_modes(w, m);
    return w;
}

/* The counts of a plain bag that are left, as a list of each task. */
static struct cs_workload *plain_workload(struct apply *a, const struct cs_modes *m)
{
    struct cs_profile *profile = CS_NEW_ARRAY(a->arena, struct cs_profile, m->tasks);
    struct cs_task_limit *limit = CS_NEW_ARRAY(a->arena, struct cs_task_limit, m->tasks);

    for (int i = 0; i < m->tasks; i++) {
        const int count = m->first[i + 1] - m->first[i];
        const bool measured = in_use(a, a->in->first[i])[0] > 0;
        int *list = CS_NEW_ARRAY(a->arena, int, count);

        profile[i] = a->workload->profile[i];
        if (measured) {
            const struct cs_profile left = cs_modes_profile(m, i, a->arena);

            if (left.count < profile[i].count || a->removed)
                profile[i] = left;
        }
        for (int k = 0; k < count; k++)
            list[k] = (int)m->use[(m->first[i] + k) * m->resources];
        limit[i] = a->workload->limit ? a->workload->limit[i] : (struct cs_task_limit){0};
        limit[i].count = list;
        limit[i].counts = count;
        limit[i].multiple = 0;
        limit[i].powers_of_two = false;
    }
    return workload_of(a, profile, limit);
}

static int workload_make(struct apply *a, struct cs_workload **out)
{
    const int resources = supplies_keep(a);
    struct cs_modes *m;

    if (budgets_check(a))
        return -1;
    m = bag_modes(a, resources);
    bag_supplies(a, m);
    bag_budgets(a, m);
    bag_dates(a, m);
    if (bag_windows(a, m))
        return -1;
    if (bag_is_general(a))
        *out = general_workload(a, m);
    else if (a->removed)
        *out = plain_workload(a, m);
    else
        return 0;
    return *out ? 0 : -1;
}

/* The bag has no modes: all counts of each task, without amounts. */
static const struct cs_modes *modes_of_all(const struct cs_workload *workload,
                                           struct cs_arena *arena)
{
    struct cs_mode_rows rows;

    cs_mode_rows_init(&rows, arena);
    for (int i = 0; i < workload->count; i++)
        cs_mode_rows_add(&rows, i);
    return cs_mode_rows_modes(&rows, workload->count, false, CS_TIMES_MIN);
}

static int apply_run(struct apply *a, struct cs_workload **out)
{
    supply_given(a);
    if (options_read(a) || windows_gather(a) || nodes_set(a) || modes_make(a) || modes_filter(a))
        return -1;
    return workload_make(a, out);
}

int cs_bag_machine_apply(const struct cs_workload *workload, const struct cs_bag_machine *machine,
                         struct cs_workload **out, const char **remark, struct cs_arena *arena,
                         struct cs_error *err)
{
    struct apply a = {.workload = workload,
                      .in = workload->modes,
                      .machine = machine,
                      .arena = arena,
                      .err = err,
                      .remark = CS_STRBUF_INIT};
    int status;

    *out = NULL;
    *remark = "";
    if (!workload->modes && !machine->resource && !machine->budget && !machine->capacity &&
        (machine->nodes == 0 || machine->nodes == 1))
        return 0;
    if (!a.in)
        a.in = modes_of_all(workload, arena);
    status = apply_run(&a, out);
    if (a.remark.length)
        *remark = cs_arena_strdup(arena, a.remark.text);
    cs_strbuf_release(&a.remark);
    return status;
}
