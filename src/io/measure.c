/* measure.c - measures sorted by (task, processors, seconds); those of one count are its runs. */
#include "io/measure.h"

#include <stdbool.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct cs_measure *x = a, *y = b;

    if (x->task != y->task)
        return x->task < y->task ? -1 : 1;
    if (x->procs != y->procs)
        return x->procs < y->procs ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static bool same_point(const struct cs_measure *a, const struct cs_measure *b)
{
    return a->task == b->task && a->procs == b->procs;
}

/* The one of `count` rising times that counts. */
static double measure_choose(const struct cs_measure *run, size_t count,
                             enum cs_profile_times times)
{
    if (times == CS_TIMES_MIN)
        return run[0].seconds;
    if (times == CS_TIMES_MAX)
        return run[count - 1].seconds;
    return count % 2 ? run[count / 2].seconds
                     : run[count / 2 - 1].seconds / 2 + run[count / 2].seconds / 2;
}

/* Arrays of all tasks, filled from the front. */
struct filling {
    int *procs, *runs;
    double *seconds, *run;
    size_t points, measures;
};

static void begin_task(const struct filling *f, const struct cs_workload_options *options,
                       struct cs_profile *profile)
{
    *profile = (struct cs_profile){
        .kind = CS_PROFILE_POINTS,
        .fill = options->fill,
        .fewer = options->fewer,
        .times = options->times,
        .procs = f->procs + f->points,
        .seconds = f->seconds + f->points,
    };
}

static void add_point(struct filling *f, const struct cs_measure *run, size_t count,
                      struct cs_profile *profile)
{
    if (count > 1 && !profile->runs) {
        profile->runs = f->runs + f->points - profile->count;
        profile->run = f->run + f->measures - profile->count; /* one for each point so far */
    }
    f->procs[f->points] = run->procs;
    f->seconds[f->points] = measure_choose(run, count, profile->times);
    f->runs[f->points] = (int)count;
    for (size_t i = 0; i < count; i++)
        f->run[f->measures++] = run[i].seconds;
    f->points++;
    profile->count++;
}

void cs_measure_profiles(struct cs_measure *measure, size_t count,
                         const struct cs_workload_options *options, struct cs_profile *profile,
                         struct cs_arena *arena)
{
    struct filling f = {CS_NEW_ARRAY(arena, int, count),
                        CS_NEW_ARRAY(arena, int, count),
                        CS_NEW_ARRAY(arena, double, count),
                        CS_NEW_ARRAY(arena, double, count),
                        0,
                        0};
    size_t next;

    if (count)
        qsort(measure, count, sizeof *measure, compare);
    for (size_t i = 0; i < count; i = next) {
        struct cs_profile *p = &profile[measure[i].task];

        for (next = i + 1; next < count && same_point(&measure[i], &measure[next]);)
            next++;
        if (i == 0 || measure[i].task != measure[i - 1].task)
            begin_task(&f, options, p);
        add_point(&f, &measure[i], next - i, p);
    }
}

/* ---- times that cannot be ---- */

struct caveats {
    const struct cs_measure *measure;
    size_t count;
    const char *file;
    const struct cs_measure_columns *columns; /* or NULL */
    struct cs_strbuf *out;
};

/* Where the runs of the count at `first` end in the sorted measures. */
static size_t measure_runs_end(const struct caveats *c, size_t first)
{
    size_t end = first + 1;

    while (end < c->count && same_point(&c->measure[end], &c->measure[first]))
        end++;
    return end;
}

/* How a time falls from the count at a to that at b, beyond what processors explain; 0: they are
 * not counts of one task. */
static double measure_superlinear(const struct cs_measure *a, const struct cs_measure *b)
{
    return a->task == b->task ? a->procs * a->seconds / (b->procs * b->seconds) : 0;
}

static void caveats_begin_line(const struct caveats *c)
{
    cs_strbuf_printf(c->out, "%s%s: ", c->out->length ? "\n" : "", c->file);
}

static void put_superlinear(const struct caveats *c, const char *name, size_t first)
{
    const struct cs_measure *a = &c->measure[first], *b = &c->measure[measure_runs_end(c, first)];

    caveats_begin_line(c);
    cs_strbuf_printf(c->out, "%.60s is %.1f times faster on %d than on %d: a failed run?", name,
                     a->seconds / b->seconds, b->procs, a->procs);
}

static void put_spread(const struct caveats *c, const char *name, size_t first)
{
    const size_t end = measure_runs_end(c, first);

    caveats_begin_line(c);
    cs_strbuf_printf(c->out, "%.60s on %d: ", name, c->measure[first].procs);
    cs_strbuf_put_double(c->out, c->measure[first].seconds);
    cs_strbuf_puts(c->out, " s and ");
    cs_strbuf_put_double(c->out, c->measure[end - 1].seconds);
    cs_strbuf_puts(c->out, " s: two inputs?");
    if (c->columns)
        c->columns->put(c->columns->who, first, end, c->out);
}

/* Of one task: the worst of each kind.  Returns where the next task begins. */
static size_t put_task_caveats(const struct caveats *c, size_t first, const char *name)
{
    const struct cs_measure *m = c->measure;
    size_t at = first, next, fast = first, wide = first;
    double fastest = 2, widest = 2;

    for (; at < c->count && m[at].task == m[first].task; at = next) {
        next = measure_runs_end(c, at);
        if (m[next - 1].seconds / m[at].seconds > widest) {
            widest = m[next - 1].seconds / m[at].seconds;
            wide = at;
        }
        if (next < c->count && measure_superlinear(&m[at], &m[next]) > fastest) {
            fastest = measure_superlinear(&m[at], &m[next]);
            fast = at;
        }
    }
    if (fastest > 2)
        put_superlinear(c, name, fast);
    if (widest > 2)
        put_spread(c, name, wide);
    return at;
}

void cs_measure_put_caveats(const struct cs_measure *measure, size_t count, const char *const *name,
                            const char *file, const struct cs_measure_columns *columns,
                            struct cs_strbuf *out)
{
    const struct caveats c = {measure, count, file, columns, out};

    for (size_t at = 0; at < count;)
        at = put_task_caveats(&c, at, name[measure[at].task]);
}
