/* summary.c - groups of neighbouring cells, and the figures of each. */
#include "campaign/summary.h"

#include "base/arena.h"

#include <math.h>

static bool is_same_place(const struct cs_cell *a, const struct cs_cell *b)
{
    return a->panel == b->panel && a->series == b->series && a->x == b->x &&
           (a->parameters == b->parameters || json_equal(a->parameters, b->parameters));
}

static bool is_done(const struct cs_summary *summary, int c)
{
    return !summary->done || summary->done[c];
}

static double value_of(const struct cs_summary *summary, int c, int metric)
{
    return summary->value[(size_t)c * (size_t)summary->metrics + (size_t)metric];
}

static void make_groups(struct cs_summary *summary, int count)
{
    struct cs_summary_group *group = CS_NEW_ARRAY(summary->arena, struct cs_summary_group, count);

    for (int c = 0; c < count; c++) {
        if (!c || !is_same_place(&summary->cell[c], &summary->cell[c - 1]))
            group[summary->groups++].first = c;
        group[summary->groups - 1].count++;
        group[summary->groups - 1].done += is_done(summary, c);
    }
    summary->group = group;
}

static struct cs_sample no_sample(void)
{
    struct cs_sample sample;

    for (int f = 0; f < CS_FIGURES; f++)
        sample.figure[f] = NAN;
    return sample;
}

static void count_value(struct cs_summary_number *number, double *kept, double value)
{
    if (isfinite(value))
        kept[number->n++] = value;
    else
        number->none++;
}

static struct cs_summary_number sum_up(const struct cs_summary *summary, int g, int metric,
                                       double *scratch)
{
    const struct cs_summary_group *group = &summary->group[g];
    struct cs_summary_number number = {0};

    for (int c = group->first; c < group->first + group->count; c++)
        if (is_done(summary, c))
            count_value(&number, scratch, value_of(summary, c, metric));
    number.sample = number.n ? cs_sample_make(scratch, number.n) : no_sample();
    return number;
}

static int largest_group(const struct cs_summary *summary)
{
    int largest = 1;

    for (int g = 0; g < summary->groups; g++)
        if (summary->group[g].count > largest)
            largest = summary->group[g].count;
    return largest;
}

struct cs_summary *cs_summary_create(const struct cs_cell *cell, int count, const bool *done,
                                     const double *value, int metrics)
{
    struct cs_arena *arena = cs_arena_create(), *scratch = cs_arena_create();
    struct cs_summary *summary = CS_NEW(arena, struct cs_summary);
    double *kept;

    *summary = (struct cs_summary){
        .metrics = metrics, .arena = arena, .cell = cell, .done = done, .value = value};
    make_groups(summary, count);
    summary->number =
        CS_NEW_ARRAY(arena, struct cs_summary_number, (size_t)summary->groups * (size_t)metrics);
    kept = CS_NEW_ARRAY(scratch, double, largest_group(summary));
    for (int g = 0; g < summary->groups; g++)
        for (int m = 0; m < metrics; m++)
            summary->number[(size_t)g * (size_t)metrics + (size_t)m] = sum_up(summary, g, m, kept);
    cs_arena_destroy(scratch);
    return summary;
}

void cs_summary_destroy(struct cs_summary *summary)
{
    if (summary)
        cs_arena_destroy(summary->arena);
}

const struct cs_summary_number *cs_summary_at(const struct cs_summary *summary, int group,
                                              int metric)
{
    return &summary->number[(size_t)group * (size_t)summary->metrics + (size_t)metric];
}

/* Walks over two groups whose replicates ascend. */
struct pair {
    int a, b, end_a, end_b;
    bool one_a, one_b;
};

static struct pair begin_pair(const struct cs_summary_group *a, const struct cs_summary_group *b)
{
    return (struct pair){.a = a->first,
                         .b = b->first,
                         .end_a = a->first + a->count,
                         .end_b = b->first + b->count,
                         .one_a = a->count == 1,
                         .one_b = b->count == 1};
}

/* Step on; what stands for every replicate stays unless both do. */
static void next_pair(struct pair *pair)
{
    bool both = pair->one_a && pair->one_b;

    pair->a += !pair->one_a || both;
    pair->b += !pair->one_b || both;
}

/* Go to the next two cells that belong together. */
static bool find_pair(const struct cs_summary *summary, struct pair *pair)
{
    const struct cs_cell *cell = summary->cell;

    while (pair->a < pair->end_a && pair->b < pair->end_b) {
        int order = (cell[pair->a].replicate > cell[pair->b].replicate) -
                    (cell[pair->a].replicate < cell[pair->b].replicate);

        if (pair->one_a || pair->one_b || (!order && cell[pair->a].seed == cell[pair->b].seed))
            return true;
        pair->a += order <= 0;
        pair->b += order >= 0;
    }
    return false;
}

struct cs_summary_number cs_summary_paired(const struct cs_summary *summary, int group, int over,
                                           int metric)
{
    const struct cs_summary_group *a = &summary->group[group], *b = &summary->group[over];
    struct cs_arena *scratch = cs_arena_create();
    double *ratio = CS_NEW_ARRAY(scratch, double, a->count > b->count ? a->count : b->count);
    struct cs_summary_number number = {0};

    for (struct pair pair = begin_pair(a, b); find_pair(summary, &pair); next_pair(&pair))
        if (is_done(summary, pair.a) && is_done(summary, pair.b))
            count_value(&number, ratio,
                        value_of(summary, pair.a, metric) / value_of(summary, pair.b, metric));
    number.sample = number.n ? cs_sample_make(ratio, number.n) : no_sample();
    cs_arena_destroy(scratch);
    return number;
}
