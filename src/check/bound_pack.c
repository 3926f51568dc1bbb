/* bound_pack.c - the least cost of all plans of a few tasks.
 *
 * A pack lasts some time that one of its tasks takes on some number of processors.  The least such
 * time of every set is found by bisection among all of them; then the best division of every set
 * into the pack of its first task and the rest.
 */
#include "check/bound_pack.h"
#include "base/arena.h"
#include "check/known_time.h"
#include "check/time.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arguments for lower bounds on plans of packs.
 *
 * Every argument is against a plan that costs less than C, whose packs all do.
 *
 *   area         A task has at least its least work among the counts on which it takes less than C.
 *   cardinality  At most K tasks fit into a pack, and so the packs are at least as long as every
 *                K-th task on all processors, in falling order.
 *   mixed        The tasks of a pack have a s / p + (1 - a) / K in all at most 1, for every a from
 *                0 to 1. Their least sum is concave in a: two tangents give the range of a.
 *   prices       Every plan has each task once, and of n tasks that take a step's seconds on all
 *                processors at least n / K packs of that length: the sum of their prices is the
 *                value of a plan.  The value of a pack per cost is at most the value of a plan per
 *                C.  The possible costs of a pack are the times of tasks, up to the cost at which
 *                the tasks outside of it exceed C.  The value of a pack rises with its cost: an
 *                interval of costs is done if the value of its most expensive pack is small enough
 *                for the cheapest.
 *
 * Arguments use a C slightly below the bound, which covers the rounding of sums.
 */

#define TIMES_MOST 4e6 /* tasks times processors */
#define STEPS_MOST 4e9 /* of all knapsacks */
#define TANGENTS 100

struct packs {
    int tasks, procs;
    int size;     /* how many tasks fit into a pack */
    double *time; /* tasks x procs, falling */
    double below; /* the cost C */
    struct cs_arena *arena;
};

static const double *row_of(const struct packs *p, int task)
{
    return p->time + (size_t)task * (size_t)p->procs;
}

static double bound_pack_prices_alone(const struct packs *p, int task)
{
    return row_of(p, task)[p->procs - 1];
}

static int check_pack_need(const double *row, int procs, double seconds);

static int bound_pack_prices_need(const struct packs *p, int task, double seconds)
{
    return check_pack_need(row_of(p, task), p->procs, seconds);
}

/* Is the sum, of a term for each task, larger for certain? */
static bool bound_pack_prices_exceeds(const struct packs *p, double sum, double most)
{
    return sum > most * (1 + 1e-12 + 2.0 * p->tasks * DBL_EPSILON);
}

static int bound_pack_prices_rising(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static double *bound_pack_prices_sorted(const struct packs *p,
                                        double (*of)(const struct packs *, int))
{
    double *value = CS_NEW_ARRAY(p->arena, double, p->tasks);

    for (int i = 0; i < p->tasks; i++)
        value[i] = of(p, i);
    qsort(value, (size_t)p->tasks, sizeof *value, bound_pack_prices_rising);
    return value;
}

/* ---- the instance ---- */

static void fill_row(const struct cs_workload *workload, int task, bool supplied, int procs,
                     double *row)
{
    double least = INFINITY;

    if (!supplied && !workload->limit) {
        cs_check_times(&workload->profile[task], procs, row);
        return;
    }
    for (int j = 1; j <= procs; j++)
        row[j - 1] = least = fmin(least, supplied ? cs_check_allowed_time(workload, task, j)
                                                  : cs_check_repaired_time(workload, task, j));
}

static double bound_pack_prices_fewest(const struct packs *p, int task)
{
    return bound_pack_prices_need(p, task, DBL_MAX);
}

static int side_by_side(const struct packs *p, int most)
{
    const double *least = bound_pack_prices_sorted(p, bound_pack_prices_fewest);
    double sum = 0;
    int count = 0;

    while (count < p->tasks && count < most && sum + least[count] <= p->procs)
        sum += least[count++];
    return count;
}

static void bound_pack_prices_init(struct packs *p, const struct cs_workload *workload,
                                   const struct cs_pack_declared *declared)
{
    p->time = CS_NEW_ARRAY(p->arena, double, cs_arena_area((size_t)p->tasks, (size_t)p->procs));
    for (int i = 0; i < p->tasks; i++)
        fill_row(workload, i, declared->supplied, p->procs, p->time + (size_t)i * (size_t)p->procs);
    p->size = side_by_side(p, declared->pack_size);
}

/* ---- arguments without prices ---- */

static double least_work(const struct packs *p, int task, double seconds)
{
    const double *row = row_of(p, task);
    double least = INFINITY;

    for (int j = bound_pack_prices_need(p, task, seconds); j <= p->procs; j++)
        least = fmin(least, j * row[j - 1]);
    return least;
}

static bool area_too_large(const struct packs *p)
{
    double sum = 0;

    for (int i = 0; i < p->tasks; i++)
        sum += least_work(p, i, p->below);
    return bound_pack_prices_exceeds(p, sum, p->below * p->procs);
}

static double sum_of_every(const double *value, int count, int each)
{
    double sum = 0;

    for (int k = count - 1; k >= 0; k -= each) {
        sum += value[k];
        if (each > k)
            break;
    }
    return sum;
}

static bool packs_too_long(const struct packs *p)
{
    return bound_pack_prices_exceeds(
        p, sum_of_every(bound_pack_prices_sorted(p, bound_pack_prices_alone), p->tasks, p->size),
        p->below);
}

/* At one a: the value, and its slope. */
struct mixed {
    double a, value, slope;
};

static struct mixed bound_pack_prices_mix(const struct packs *p, double a)
{
    double each = a / p->procs, fixed = (1 - a) / p->size;
    struct mixed mixed = {.a = a};

    for (int i = 0; i < p->tasks; i++) {
        const double *row = row_of(p, i);
        int best = bound_pack_prices_need(p, i, DBL_MAX);

        for (int j = best + 1; j <= p->procs; j++)
            if (row[j - 1] * (each * j + fixed) < row[best - 1] * (each * best + fixed))
                best = j;
        mixed.value += row[best - 1] * (each * best + fixed);
        mixed.slope += row[best - 1] * ((double)best / p->procs - 1.0 / p->size);
    }
    return mixed;
}

static bool mixed_too_large(const struct packs *p)
{
    struct mixed left = bound_pack_prices_mix(p, 0), right = bound_pack_prices_mix(p, 1);

    if (bound_pack_prices_exceeds(p, left.value, p->below) ||
        bound_pack_prices_exceeds(p, right.value, p->below))
        return true;
    for (int k = 0; k < TANGENTS && left.slope > 0 && right.slope < 0; k++) {
        double gap = right.a - left.a;
        double a =
            left.a + (right.value - left.value - right.slope * gap) / (left.slope - right.slope);
        struct mixed middle;

        if (!(a > left.a && a < right.a) ||
            left.value + left.slope * (a - left.a) < p->below * (1 - 1e-9))
            return false;
        middle = bound_pack_prices_mix(p, a);
        if (bound_pack_prices_exceeds(p, middle.value, p->below))
            return true;
        *(middle.slope > 0 ? &left : &right) = middle;
    }
    return false;
}

/* ---- prices ---- */

struct prices {
    const struct packs *p;
    const struct cs_pack_certificate *by;
    double rate;  /* what a pack may be worth for a second */
    double *cost; /* what packs can cost, rising */
    double *best; /* of a knapsack, by tasks and processors */
    double steps; /* of all of them */
};

/* The total value of the content of every plan. */
static double worth_of_plan(const struct packs *p, const struct cs_pack_certificate *by)
{
    double sum = 0;

    for (int i = 0; i < p->tasks; i++)
        sum += by->price[i];
    for (int k = 0; k < by->steps; k++) {
        double packs = 0;

        for (int i = 0; i < p->tasks; i++)
            packs += bound_pack_prices_alone(p, i) >= by->step[k].seconds;
        sum += by->step[k].price * ceil(packs / p->size);
    }
    return sum;
}

static double bound_pack_prices_bonus(const struct prices *s, double cost)
{
    double sum = 0;

    for (int k = 0; k < s->by->steps; k++)
        if (s->by->step[k].seconds <= cost)
            sum += s->by->step[k].price;
    return sum;
}

struct item {
    double worth, density; /* for a processor */
    int size, task;
};

static int by_density(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (x->density != y->density)
        return x->density > y->density ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static int take_items(const struct prices *s, double cost, struct item *item)
{
    int count = 0;

    for (int i = 0; i < s->p->tasks; i++) {
        int size = bound_pack_prices_need(s->p, i, cost);

        if (s->by->price[i] > 0 && size <= s->p->procs)
            item[count++] = (struct item){s->by->price[i], s->by->price[i] / size, size, i};
    }
    qsort(item, (size_t)count, sizeof *item, by_density);
    return count;
}

/* At most: tasks may be cut. */
static double cut_value(const struct prices *s, const struct item *item, int count)
{
    double sum = 0, left = s->p->procs;

    for (int k = 0; k < count && left > 0; k++) {
        double share = fmin(1, left / item[k].size);

        sum += share * item[k].worth;
        left -= share * item[k].size;
    }
    return sum;
}

static bool may_be_too_many(const struct prices *s, const struct item *item, int count)
{
    double *size = CS_NEW_ARRAY(s->p->arena, double, count), sum = 0;

    for (int k = 0; k < count; k++)
        size[k] = item[k].size;
    qsort(size, (size_t)count, sizeof *size, bound_pack_prices_rising);
    for (int k = 0; k <= s->p->size && k < count; k++)
        sum += size[k];
    return count > s->p->size && sum <= s->p->procs;
}

/* best[k][q]: the most that k tasks on q processors are worth, at most. */
static double whole_value(struct prices *s, const struct item *item, int count)
{
    int procs = s->p->procs, layers = may_be_too_many(s, item, count) ? s->p->size : 1;
    size_t row = (size_t)procs + 1;
    bool limited = layers > 1 || s->p->size == 1;
    double *best = s->best;

    memset(best, 0, ((size_t)layers + 1) * row * sizeof *best);
    s->steps += (double)count * layers * procs;
    if (s->steps > STEPS_MOST)
        return INFINITY;
    for (int a = 0; a < count; a++)
        for (int k = layers; k >= 1; k--) {
            double *to = best + (size_t)k * row;
            const double *from = limited ? to - row : to;

            for (int q = procs; q >= item[a].size; q--)
                to[q] = fmax(to[q], from[q - item[a].size] + item[a].worth);
        }
    return best[(size_t)layers * row + (size_t)procs];
}

/* No less than a pack of that cost is worth; all that it is worth where that is more than so much.
 */
static double most_worth(struct prices *s, double cost, double enough)
{
    struct cs_arena_mark mark = cs_arena_mark(s->p->arena);
    struct item *item = CS_NEW_ARRAY(s->p->arena, struct item, s->p->tasks);
    int count = take_items(s, cost, item);
    double value = cut_value(s, item, count) + bound_pack_prices_bonus(s, cost);

    if (value > enough)
        value = fmin(value, whole_value(s, item, count) + bound_pack_prices_bonus(s, cost));
    cs_arena_rewind(s->p->arena, mark);
    return value;
}

/* Is the value of packs of the costs low .. high at most their limit? `worth` bounds that of the
 * most expensive. */
static bool none_too_expensive(struct prices *s, int low, int high, double worth)
{
    double enough = s->cost[low] * s->rate;
    int middle = low + (high - low) / 2;

    if (worth <= enough)
        return true;
    if (low == high || s->steps > STEPS_MOST)
        return false;
    return none_too_expensive(s, low, middle, most_worth(s, s->cost[middle], enough)) &&
           none_too_expensive(s, middle + 1, high, worth);
}

static double share_of_work(const struct packs *p, int task)
{
    return least_work(p, task, DBL_MAX) / p->procs;
}

/* Lower bound on the cost of the tasks outside of a pack. */
static double bound_pack_prices_others(const struct packs *p)
{
    int count = p->tasks - p->size;

    return fmax(sum_of_every(bound_pack_prices_sorted(p, bound_pack_prices_alone), count, p->size),
                sum_of_every(bound_pack_prices_sorted(p, share_of_work), count, 1));
}

static int find_costs(const struct packs *p, double *cost)
{
    size_t all = cs_arena_area((size_t)p->tasks, (size_t)p->procs);
    double most = p->below - bound_pack_prices_others(p);
    int count = 0, kept = 0;

    for (size_t k = 0; k < all; k++)
        if (p->time[k] <= most)
            cost[count++] = p->time[k];
    qsort(cost, (size_t)count, sizeof *cost, bound_pack_prices_rising);
    for (int k = 0; k < count; k++)
        if (kept == 0 || cost[k] > cost[kept - 1])
            cost[kept++] = cost[k];
    return kept;
}

static enum cs_check_shown check_prices(const struct packs *p, const struct cs_pack_certificate *by)
{
    struct prices s = {.p = p, .by = by, .rate = worth_of_plan(p, by) / p->below};
    int costs;

    if (!(s.rate > 1) || isinf(s.rate))
        return CS_CHECK_NOT_SHOWN;
    s.cost = CS_NEW_ARRAY(p->arena, double, cs_arena_area((size_t)p->tasks, (size_t)p->procs));
    s.best = CS_NEW_ARRAY(p->arena, double, ((size_t)p->size + 1) * ((size_t)p->procs + 1));
    costs = find_costs(p, s.cost);
    if (costs == 0 ||
        none_too_expensive(&s, 0, costs - 1, most_worth(&s, s.cost[costs - 1], s.cost[0] * s.rate)))
        return CS_CHECK_SHOWN;
    return s.steps > STEPS_MOST ? CS_CHECK_TOO_LARGE : CS_CHECK_NOT_SHOWN;
}

/* ---- a plan that refutes a bound ---- */

#define CHEAP_TASKS 400 /* more are not planned */
#define CHEAP_SHARE 64  /* nor are more of them in a pack */

/* Tasks by falling time on all processors, as indices. */
static int *longest_first(const struct packs *p)
{
    int *order = CS_NEW_ARRAY(p->arena, int, p->tasks);

    for (int i = 0; i < p->tasks; i++) {
        int at = i;

        for (; at > 0 && bound_pack_prices_alone(p, order[at - 1]) < bound_pack_prices_alone(p, i);
             at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

/* The cost of a pack of these tasks if each ends within the seconds; +inf if they do not fit. */
static double pack_within(const struct packs *p, const int *task, int count, double seconds)
{
    long long procs = 0;
    double longest = 0;

    for (int i = 0; i < count; i++) {
        int needed = bound_pack_prices_need(p, task[i], seconds);

        procs += needed;
        if (procs > p->procs)
            return INFINITY;
        longest = fmax(longest, row_of(p, task[i])[needed - 1]);
    }
    return longest;
}

/* A cost of a pack of these tasks, close to the least. */
static double pack_cost(const struct packs *p, const int *task, int count)
{
    double low = bound_pack_prices_alone(p, task[0]), high = p->below,
           best = pack_within(p, task, count, high);

    for (int step = 0; step < 40 && isfinite(best) && low < best; step++) {
        double middle = low + (fmin(high, best) - low) / 2;
        double now = pack_within(p, task, count, middle);

        if (isfinite(now)) {
            high = middle;
            best = fmin(best, now);
        } else {
            low = middle;
        }
    }
    return best;
}

/* The best division of the tasks, longest first, into packs of neighbours: is it cheaper? */
static bool is_refuted(const struct packs *p)
{
    double *cost;
    int *order;

    if (p->tasks > CHEAP_TASKS || p->size == 0)
        return false;
    order = longest_first(p);
    cost = CS_NEW_ARRAY(p->arena, double, p->tasks + 1);
    for (int end = 1; end <= p->tasks; end++) {
        cost[end] = INFINITY;
        for (int first = end; first-- > 0 && end - first <= p->size && end - first <= CHEAP_SHARE;)
            cost[end] = fmin(cost[end], cost[first] + pack_cost(p, order + first, end - first));
    }
    return cost[p->tasks] < p->below * (1 - CS_CHECK_BOUND_SAME);
}

static bool all_can_run(const struct packs *p)
{
    for (int i = 0; i < p->tasks; i++)
        if (isinf(bound_pack_prices_alone(p, i)))
            return false;
    return true;
}

static enum cs_check_shown bound_pack_prices_check(const struct packs *p,
                                                   const struct cs_pack_certificate *by)
{
    if (!all_can_run(p) || p->size == 0 || area_too_large(p) || packs_too_long(p) ||
        mixed_too_large(p))
        return CS_CHECK_SHOWN;
    return by->price ? check_prices(p, by) : CS_CHECK_NOT_SHOWN;
}

enum cs_check_shown cs_check_pack_shown(const struct cs_workload *workload, int procs,
                                        const struct cs_pack_declared *declared)
{
    struct packs p = {
        .tasks = workload->count,
        .procs = procs,
        .below = declared->lower_bound * (1 - CS_CHECK_BOUND_SAME),
    };
    enum cs_check_shown shown = CS_CHECK_TOO_LARGE;

    if ((double)p.tasks * procs <= TIMES_MOST) {
        p.arena = cs_arena_create();
        bound_pack_prices_init(&p, workload, declared);
        shown = bound_pack_prices_check(&p, &declared->certificate);
        if (shown != CS_CHECK_SHOWN && is_refuted(&p))
            shown = CS_CHECK_REFUTED;
        cs_arena_destroy(p.arena);
    }
    if (shown == CS_CHECK_REFUTED)
        return shown;
    return shown != CS_CHECK_SHOWN && declared->certificate.search ? CS_CHECK_SEARCHED : shown;
}

#define MOST_TASKS 16
#define MOST_TIMES 1e6 /* tasks times processors */

struct sets {
    int tasks, procs, size;
    double *time;   /* tasks x procs */
    double *moment; /* all times, rising */
    int moments;
};

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* The fewest processors on which a task takes no longer, of its falling times on 1 .. procs;
 * procs + 1: these are too few. */
static int check_pack_need(const double *row, int procs, double seconds)
{
    int low = 0, high = procs;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (row[middle] <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low + 1;
}

static bool bound_pack_fits(const struct sets *s, unsigned set, double seconds)
{
    long long procs = 0;

    for (int i = 0; i < s->tasks; i++)
        if (set >> i & 1)
            procs += check_pack_need(s->time + (size_t)i * (size_t)s->procs, s->procs, seconds);
    return procs <= s->procs;
}

/* The first moment by which the set can be done, from that of a part of it on; `moments`: none. */
static int pack_end(const struct sets *s, unsigned set, int part)
{
    int low = part, high = s->moments, count = 0;

    for (int i = 0; i < s->tasks; i++)
        count += (int)(set >> i & 1);
    if (count > s->size)
        return s->moments;
    if (low < high && bound_pack_fits(s, set, s->moment[low]))
        return low;
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bound_pack_fits(s, set, s->moment[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void find_times(struct sets *s, const struct cs_workload *workload, bool supplied,
                       struct cs_arena *arena)
{
    size_t all = (size_t)s->tasks * (size_t)s->procs;

    s->time = CS_NEW_ARRAY(arena, double, all);
    s->moment = CS_NEW_ARRAY(arena, double, all);
    for (size_t k = 0; k < all; k++) {
        int task = (int)(k / (size_t)s->procs), procs = (int)(k % (size_t)s->procs) + 1;

        s->time[k] = cs_check_pack_time(workload, supplied, task, procs);
        if (isfinite(s->time[k]))
            s->moment[s->moments++] = s->time[k];
    }
    qsort(s->moment, (size_t)s->moments, sizeof *s->moment, by_value);
}

double cs_check_bound_pack(const struct cs_workload *workload, int procs, int pack_size,
                           bool supplied)
{
    struct sets s = {.tasks = workload->count, .procs = procs, .size = pack_size};
    struct cs_arena *arena;
    double *pack, *best, least;
    int *end;

    if (s.tasks > MOST_TASKS || (double)s.tasks * procs > MOST_TIMES)
        return INFINITY;
    arena = cs_arena_create();
    find_times(&s, workload, supplied, arena);
    pack = CS_NEW_ARRAY(arena, double, (size_t)1 << s.tasks);
    best = CS_NEW_ARRAY(arena, double, (size_t)1 << s.tasks);
    end = CS_NEW_ARRAY(arena, int, (size_t)1 << s.tasks);
    for (unsigned set = 1; set < 1u << s.tasks; set++) {
        unsigned first = set & (0u - set), rest = set ^ first;

        end[set] = pack_end(&s, set, end[rest]);
        best[set] = pack[set] = end[set] < s.moments ? s.moment[end[set]] : INFINITY;
        for (unsigned with = rest; with; with = (with - 1) & rest)
            best[set] = fmin(best[set], pack[set ^ with] + best[with]);
    }
    least = best[(1u << s.tasks) - 1];
    cs_arena_destroy(arena);
    return least;
}
