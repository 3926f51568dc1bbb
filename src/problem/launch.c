/* launch.c - from options to a workload with limits; statistics of its repeated runs. */
#include "problem/launch.h"

#include "base/strbuf.h"
#include "io/workload_limit.h"
#include "model/workload.h"

#include <math.h>
#include <string.h>

enum { POWER = 1, SCALE = 1 }; /* choices of interpolate and extrapolate */

int cs_launch_restrict(struct cs_workload *workload, const struct cs_launch_options *options,
                       struct cs_arena *arena, struct cs_error *err)
{
    struct cs_task_limit all = {
        .min_procs = (int)cs_param_or(options->min_procs, 0),
        .max_procs = (int)cs_param_or(options->max_procs, 0),
        .walltime = isnan(options->walltime) ? 0 : options->walltime,
        .margin = options->margin > 1 ? options->margin : 0,
    };

    if (options->counts && cs_workload_counts_parse(options->counts, &all, arena, err))
        return cs_error_prefix(err, "--counts");
    if (all.max_procs > 0 && all.min_procs > all.max_procs)
        return cs_error_set(err, "--min-procs is %d and --max-procs %d: it must not be below",
                            all.min_procs, all.max_procs);
    if (!options->counts && all.min_procs == 0 && all.max_procs == 0 && all.walltime == 0 &&
        (all.margin == 0 || !workload->limit))
        return 0;
    return cs_workload_restrict(workload, &all, err);
}

int cs_launch_refuse_caveats(const char *lines, bool strict, struct cs_error *err)
{
    return strict && *lines ? cs_error_set(err, "%.*s", (int)strcspn(lines, "\n"), lines) : 0;
}

struct cs_workload *cs_launch_read(const char *const *path, const struct cs_launch_options *options,
                                   bool modes, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_workload_options how = {
        .size = sizeof how,
        .fill = options->fill == POWER ? CS_FILL_POWER : CS_FILL_STEP,
        .fewer = options->fewer == SCALE ? CS_FEWER_SCALE : CS_FEWER_REFUSE,
        .times = (enum cs_profile_times)options->times,
        .app = options->tool.app,
        .count = options->tool.count,
        .unit = options->tool.unit,
        .metric = options->tool.metric,
        .region = options->tool.region,
        .decimal = options->tool.decimal,
        .modes = modes,
        .more = path + 1,
    };
    struct cs_workload *workload = cs_workload_read(*path, &how, err);

    if (!workload || (!cs_launch_refuse_caveats(workload->remark, options->strict, err) &&
                      !cs_launch_restrict(workload, options, arena, err)))
        return workload;
    cs_workload_destroy(workload);
    return NULL;
}

/* Sums of squares around the mean logarithm of each count, and their degrees of freedom. */
struct pool {
    double squares;
    int freedom;
};

static void add_count(struct pool *pool, const double *run, int runs)
{
    double mean = 0;

    for (int a = 0; a < runs; a++)
        mean += log(run[a]) / runs;
    for (int a = 0; a < runs; a++)
        pool->squares += (log(run[a]) - mean) * (log(run[a]) - mean);
    pool->freedom += runs - 1;
}

/* Statistics of repeated runs of a task on the same count, over all tasks. */
struct launch_runs {
    int counts;   /* number of pairs (task, count) measured more than once */
    double sigma; /* deviation of the logarithm of a time, pooled over these pairs; 0 without any */
    double spread;   /* the largest (slowest - fastest) / fastest */
    int task, procs; /* the pair with this spread */
};

static struct launch_runs launch_runs(const struct cs_workload *workload)
{
    struct launch_runs all = {.task = -1};
    struct pool pool = {0, 0};

    for (int i = 0; i < workload->count; i++) {
        const struct cs_profile *p = &workload->profile[i];
        const double *run = p->run;

        for (int a = 0; p->kind == CS_PROFILE_POINTS && p->runs && a < p->count; a++) {
            double spread = run[p->runs[a] - 1] / run[0] - 1;

            all.counts += p->runs[a] > 1;
            add_count(&pool, run, p->runs[a]);
            if (p->runs[a] > 1 && (all.task < 0 || spread > all.spread)) {
                all.spread = spread;
                all.task = i;
                all.procs = p->procs[a];
            }
            run += p->runs[a];
        }
    }
    all.sigma = pool.freedom > 0 ? sqrt(pool.squares / pool.freedom) : 0;
    return all;
}

const char *cs_launch_report_runs(const struct cs_workload *workload,
                                  const struct cs_launch_options *options, struct cs_arena *arena)
{
    static const char *const word[] = {"fastest", "median", "slowest"};
    struct launch_runs runs = launch_runs(workload);
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    if (runs.counts > 0)
        cs_strbuf_printf(&text,
                         "%d count%s measured several times; the %s run counts (--times); runs "
                         "differ by %.1f %% on average, most for %s on %d, by %.1f %%",
                         runs.counts, runs.counts == 1 ? " was" : "s were", word[options->times],
                         100 * runs.sigma, workload->name[runs.task], runs.procs,
                         100 * runs.spread);
    kept = cs_arena_strdup(arena, text.text ? text.text : "");
    cs_strbuf_release(&text);
    return kept;
}
