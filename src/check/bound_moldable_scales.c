/* bound_moldable_scales.c - what do tasks take under a pair of scales, and what may they at most?
 *
 * In a plan that ends by a moment each processor runs tasks that fit one after the other, and at
 * each moment tasks run that fit side by side.  So the least that is wrong with a certificate are
 * its sums: the most that such tasks have is found here, over all open counts.
 */
#include "check/bound_moldable.h"

#include <math.h>
#include <string.h>

#define STATES_MOST ((size_t)50000)
#define SHORT (1 - 1e-12)

struct state {
    double used, value;
};

/* By count, from those of the certificate; false when one is not of a task, or is no number. */
static bool bound_moldable_scales_spread(const struct cs_check_bag *bag,
                                         const struct cs_moldable_certificate *by, double *time,
                                         double *width)
{
    for (int k = 0; k < by->scales; k++) {
        const struct cs_moldable_scale *scale = &by->scale[k];

        if (scale->task >= bag->tasks || !(scale->time >= 0) || !(scale->width >= 0))
            return false;
        for (int a = bag->first[scale->task]; a < bag->first[scale->task + 1]; a++)
            if (bag->count[a] == scale->count) {
                time[a] = scale->time;
                width[a] = scale->width;
            }
    }
    return true;
}

/* Both lists by what is used; of what is left each is worth more than all before it. */
static size_t bound_moldable_scales_merge(const struct state *a, size_t as, const struct state *b,
                                          size_t bs, struct state *out)
{
    size_t count = 0;

    for (size_t i = 0, k = 0; i < as || k < bs;) {
        const struct state next = k == bs || (i < as && a[i].used <= b[k].used) ? a[i++] : b[k++];

        if (count == 0 || next.value > out[count - 1].value)
            out[count++] = next;
    }
    return count;
}

/* The Pareto front of use and value of tasks. */
struct list {
    size_t count;
    struct state *state, *before, *with, *next;
};

static void bound_moldable_scales_init(struct list *list, struct cs_arena *scratch)
{
    list->count = 1; /* the empty set */
    list->state = CS_NEW_ARRAY(scratch, struct state, 2 * STATES_MOST);
    list->next = CS_NEW_ARRAY(scratch, struct state, 2 * STATES_MOST);
    list->before = CS_NEW_ARRAY(scratch, struct state, STATES_MOST);
    list->with = CS_NEW_ARRAY(scratch, struct state, STATES_MOST);
}

/* The states that there were before a task, with one of its counts; false when they get too many.
 */
static bool add_count(struct list *list, size_t before, double used, double value, double seconds)
{
    struct state *old = list->state;
    size_t count = 0;

    for (; count < before && list->before[count].used + used <= seconds; count++)
        list->with[count] =
            (struct state){list->before[count].used + used, list->before[count].value + value};
    list->count =
        bound_moldable_scales_merge(list->state, list->count, list->with, count, list->next);
    list->state = list->next;
    list->next = old;
    return list->count <= STATES_MOST;
}

/* The most of tasks that fit one after the other. */
static double most_in_time(const struct cs_check_bag *bag, double seconds, const bool *open,
                           const double *value, struct cs_arena *scratch)
{
    struct list list;

    bound_moldable_scales_init(&list, scratch);
    for (int i = 0; i < bag->tasks; i++) {
        const size_t before = list.count;

        memcpy(list.before, list.state, before * sizeof *list.before);
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            if (open[a] && value[a] > 0 &&
                !add_count(&list, before, bag->seconds[a] * SHORT, value[a], seconds))
                return INFINITY;
    }
    return list.state[list.count - 1].value;
}

/* The most of tasks that fit side by side. */
static double most_in_width(const struct cs_check_bag *bag, const bool *open, const double *value,
                            struct cs_arena *scratch)
{
    double *most = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);

    for (int i = 0; i < bag->tasks; i++)
        for (int q = bag->procs; q >= 0; q--)
            for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
                if (open[a] && bag->count[a] <= q)
                    most[q] = fmax(most[q], most[q - bag->count[a]] + value[a]);
    return most[bag->procs];
}

double cs_check_scales_take(const struct cs_check_bag *bag, double seconds, const bool *open,
                            const struct cs_moldable_certificate *by, double *takes,
                            struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    const size_t counts = (size_t)bag->first[bag->tasks];
    double *time = CS_NEW_ARRAY(scratch, double, counts), most;
    double *width = CS_NEW_ARRAY(scratch, double, counts);

    if (!bound_moldable_scales_spread(bag, by, time, width))
        return INFINITY;
    for (size_t a = 0; a < counts; a++)
        takes[a] =
            bag->count[a] * time[a] / bag->procs + bag->seconds[a] * SHORT / seconds * width[a];
    most =
        most_in_time(bag, seconds, open, time, scratch) + most_in_width(bag, open, width, scratch);
    cs_arena_rewind(scratch, mark);
    return most;
}
