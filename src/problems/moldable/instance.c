/* instance.c - a workload and a machine become a bag of candidates.
 *
 * Source: spec/moldable.md 2.2 (allowed counts), 2.3 (what is refused) and 3.1 (candidates).
 */
#include "problems/moldable/instance.h"

#include "base/guard.h"
#include "model/counts.h"
#include "model/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCS (1 << 24)

/* Arrays that grow as the candidates of one task after the other come. */
struct growing {
    size_t count, room;
    int *procs;
    double *seconds;
    unsigned char *origin;
};

static void instance_grow(struct growing *g, size_t more)
{
    if (g->count + more <= g->room)
        return;
    g->room = 2 * (g->count + more);
    g->procs = cs_block_resize(g->procs, g->room * sizeof *g->procs);
    g->seconds = cs_block_resize(g->seconds, g->room * sizeof *g->seconds);
    g->origin = cs_block_resize(g->origin, g->room * sizeof *g->origin);
}

/* Of the allowed counts those on which the task is strictly faster than on every smaller one. */
static void keep_candidates(struct growing *g, const struct cs_counts *allowed)
{
    double least = INFINITY;

    instance_grow(g, (size_t)allowed->entries);
    for (int a = 0; a < allowed->entries; a++) {
        if (!(allowed->seconds[a] < least))
            continue;
        least = allowed->seconds[a];
        g->procs[g->count] = allowed->procs[a];
        g->seconds[g->count] = least;
        g->origin[g->count] = allowed->origin[a];
        g->count++;
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int instance_check_names(const struct cs_workload *workload, struct cs_arena *scratch,
                                struct cs_error *err)
{
    size_t n = (size_t)workload->count;
    const char **name = CS_NEW_ARRAY(scratch, const char *, n);

    for (size_t i = 0; i < n; i++)
        name[i] = workload->name[i];
    qsort(name, n, sizeof *name, compare_names);
    for (size_t i = 1; i < n; i++)
        if (strcmp(name[i - 1], name[i]) == 0)
            return cs_error_set(err, "two tasks have the name \"%.60s\": names must differ",
                                name[i]);
    return 0;
}

static int check_request(int procs, const struct cs_moldable_options *options, struct cs_error *err)
{
    if (procs < 1)
        return cs_error_set(err, "the number of processors is %d, it must be at least 1", procs);
    if (procs > MOST_PROCS)
        return cs_error_set(err, "%d processors are more than the %d that are planned with", procs,
                            MOST_PROCS);
    if (options->margin != 0 && !(options->margin >= 1 && isfinite(options->margin)))
        return cs_error_set(err, "the margin is %g, it must be a number from 1 on",
                            options->margin);
    return 0;
}

static int instance_collect(const struct cs_workload *workload, int procs,
                            const struct cs_moldable_options *options, struct growing *g,
                            int *first, struct cs_arena *scratch, struct cs_error *err)
{
    struct cs_counts allowed;

    cs_counts_init(&allowed, workload, procs, scratch);
    for (int i = 0; i < workload->count; i++) {
        if (cs_counts_find(&allowed, workload, i, procs, options->margin, err))
            return -1;
        keep_candidates(g, &allowed);
        if (g->count > CS_MOLDABLE_CANDIDATES_MOST)
            return cs_error_set(err,
                                "the tasks up to %d (%s) may run on %zu counts, more than the %zu "
                                "that are planned with: allow fewer, such as powers of two",
                                i, workload->name[i], g->count, CS_MOLDABLE_CANDIDATES_MOST);
        first[i + 1] = (int)g->count;
    }
    return 0;
}

static const double *copy_releases(const struct cs_workload *workload, struct cs_arena *arena)
{
    double *release = CS_NEW_ARRAY(arena, double, workload->count);
    bool any = false;

    for (int i = 0; workload->limit && i < workload->count; i++) {
        release[i] = workload->limit[i].release;
        any |= release[i] > 0;
    }
    return any ? release : NULL;
}

static void *instance_keep(struct cs_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = cs_arena_alloc(arena, count, size);

    return count ? memcpy(to, from, count * size) : to;
}

/* No sum of times, releases or work may be beyond what a double holds. */
static int check_sums(const struct cs_moldable_bag *bag, struct cs_error *err)
{
    double most = 0, sum = 0;

    for (int a = 0; a < bag->first[bag->tasks]; a++)
        sum += bag->work[a];
    for (int i = 0; i < bag->tasks; i++)
        most = fmax(most, cs_moldable_release(bag, i));
    if (isfinite(16 * ((double)bag->tasks + 1) * (sum + most)))
        return 0;
    return cs_error_set(err,
                        "the times of %d tasks on %d processors add up to more than a number can "
                        "hold (1.8e308): are they in seconds?",
                        bag->tasks, bag->procs);
}

static struct cs_moldable_instance *instance_build(const struct cs_workload *workload, int procs,
                                                   bool contiguous, const struct growing *g,
                                                   const int *first)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_instance *in = CS_NEW(arena, struct cs_moldable_instance);
    size_t n = (size_t)workload->count;

    *in = (struct cs_moldable_instance){
        .bag =
            {
                .tasks = workload->count,
                .procs = procs,
                .first = instance_keep(arena, first, n + 1, sizeof *first),
                .count = instance_keep(arena, g->procs, g->count, sizeof *g->procs),
                .seconds = instance_keep(arena, g->seconds, g->count, sizeof *g->seconds),
                .release = copy_releases(workload, arena),
                .contiguous = contiguous,
            },
        .workload = workload,
        .origin = instance_keep(arena, g->origin, g->count, sizeof *g->origin),
        .arena = arena,
    };
    cs_moldable_bag_finish(&in->bag, arena);
    return in;
}

struct cs_moldable_instance *cs_moldable_instance_create(const struct cs_workload *workload,
                                                         int procs,
                                                         const struct cs_moldable_options *options,
                                                         struct cs_error *err)
{
    CS_ASK(workload && workload->count >= 0, err, NULL);
    CS_GUARD(err, NULL);
    static const struct cs_moldable_options none;
    const struct cs_moldable_options *how = options ? options : &none;
    struct cs_arena *scratch = cs_arena_create();
    struct cs_moldable_instance *in = NULL;
    struct growing g = {0};
    int *first = CS_NEW_ARRAY(scratch, int, workload->count + 1);

    if (!check_request(procs, how, err) && !instance_check_names(workload, scratch, err) &&
        !instance_collect(workload, procs, how, &g, first, scratch, err))
        in = instance_build(workload, procs, how->contiguous, &g, first);
    if (in && check_sums(&in->bag, err)) {
        cs_moldable_instance_destroy(in);
        in = NULL;
    }
    cs_block_free(g.procs);
    cs_block_free(g.seconds);
    cs_block_free(g.origin);
    cs_arena_destroy(scratch);
    return in;
}

void cs_moldable_instance_destroy(struct cs_moldable_instance *in)
{
    if (in)
        cs_arena_destroy(in->arena);
}

int cs_moldable_instance_candidates(const struct cs_moldable_instance *in, int task)
{
    CS_ASK(in && task >= 0 && task < in->bag.tasks, NULL, 0);
    return cs_moldable_candidates(&in->bag, task);
}

struct cs_moldable_candidate cs_moldable_instance_candidate(const struct cs_moldable_instance *in,
                                                            int task, int index)
{
    CS_ASK(index >= 0 && index < cs_moldable_instance_candidates(in, task), NULL,
           ((struct cs_moldable_candidate){0, NAN, CS_ORIGIN_MEASURED}));
    int at = in->bag.first[task] + index;

    return (struct cs_moldable_candidate){in->bag.count[at], in->bag.seconds[at],
                                          (enum cs_time_origin)in->origin[at]};
}

const double *cs_moldable_walltimes(const struct cs_moldable_instance *in, struct cs_arena *arena)
{
    const struct cs_task_limit *limit = in->workload->limit;
    double *walltime = CS_NEW_ARRAY(arena, double, in->bag.tasks);

    for (int i = 0; i < in->bag.tasks; i++)
        walltime[i] = limit && limit[i].walltime > 0 ? limit[i].walltime : INFINITY;
    return walltime;
}
