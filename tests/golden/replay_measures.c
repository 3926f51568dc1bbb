/* replay_measures.c - golden cases of what is measured: the row `recorded`, and batch means. */
#include "replay_kit.h"

#include "base/sketch.h"
#include "problems/queue/measures.h"
#include "problems/queue/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int golden_replay_close(const json_t *object, const char *key, double got, double within,
                        struct cs_error *err)
{
    const json_t *value = json_object_get(object, key);
    const double want = json_number_value(value);

    if (!value || (json_is_null(value) && isnan(got)) ||
        fabs(got - want) <= within * fmax(fabs(got), fabs(want)))
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", key, got, want);
}

int golden_replay_metrics(const json_t *want, const struct cs_queue_measured *got,
                          struct cs_error *err)
{
    const struct {
        const char *key;
        double value;
    } known[] = {
        {"jobs", (double)got->jobs},
        {"mean_wait", got->mean_wait},
        {"median_wait", got->median_wait},
        {"p95_wait", got->p95_wait},
        {"p99_wait", got->p99_wait},
        {"longest_wait", got->longest_wait},
        {"area_weighted_wait", got->area_weighted_wait},
        {"bounded_slowdown", got->mean_slowdown},
        {"per_processor_slowdown", got->per_processor_slowdown},
        {"utilisation", got->utilisation},
        {"loss_of_capacity", got->loss_of_capacity},
        {"mean_queue", got->mean_queue},
        {"overtakes", (double)got->overtakes},
        {"makespan", got->makespan},
    };
    const size_t count = sizeof known / sizeof known[0];

    for (size_t i = 0; i < count; i++)
        if (golden_replay_close(want, known[i].key, known[i].value, 1e-12, err))
            return -1;
    return 0;
}

/* ---- the row `recorded` ---- */

struct source {
    const json_t *jobs;
    size_t next;
};

static int next_job(void *from, struct cs_log_job *out, struct cs_error *err)
{
    struct source *source = from;
    const json_t *job = json_array_get(source->jobs, source->next);

    (void)err;
    if (!job)
        return 0;
    source->next++;
    *out = (struct cs_log_job){
        .id = json_integer_value(json_object_get(job, "id")),
        .submit = json_number_value(json_object_get(job, "submit")),
        .seconds = json_number_value(json_object_get(job, "run")),
        .request = json_number_value(json_object_get(job, "request")),
        .recorded = json_number_value(json_object_get(job, "recorded")),
        .procs = json_integer_value(json_object_get(job, "procs")),
    };
    return 1;
}

int golden_replay_recorded(const json_t *json, struct cs_error *err)
{
    const struct cs_queue_window all = {0, 0, 0};
    const json_t *want = json_object_get(json, "recorded");
    const double procs =
        json_number_value(json_object_get(json_object_get(json, "machine"), "processors"));
    struct cs_queue_measures *measures = cs_queue_measures_create(procs, &all);
    const struct cs_queue_observer observer = cs_queue_measures_observer(measures);
    struct source source = {json_object_get(json, "jobs"), 0};
    struct cs_queue_recorded recorded;
    struct cs_queue_measured got;
    int status = cs_queue_recorded_run(procs, next_job, &source, &observer, 1, &recorded, err);

    cs_queue_measures_finish(measures, &got);
    cs_queue_measures_destroy(measures);
    if (status || golden_replay_metrics(json_object_get(want, "metrics"), &got, err) ||
        golden_replay_close(want, "wait_seconds", got.total_wait, 0, err) ||
        golden_replay_close(want, "unexplained_wait_seconds", got.unexplained_wait, 0, err))
        return -1;
    return golden_replay_close(want, "peak_in_use", recorded.peak, 0, err);
}

/* ---- batches and quantiles ---- */

/* Backwards: the places come in any order. */
int golden_replay_batches(const json_t *json, struct cs_error *err)
{
    const json_t *values = json_object_get(json, "values"), *quantile;
    const json_t *want = json_object_get(json, "batches");
    struct cs_queue_batches batches = {.size = 1};
    struct cs_queue_confidence got;
    struct cs_sketch sketch = {.most = 1 << 20};
    struct cs_neumaier sum = {0};
    const char *q;
    int status = 0;

    for (size_t i = json_array_size(values); i-- > 0;) {
        const double value = json_number_value(json_array_get(values, i));

        cs_queue_batches_add(&batches, (int64_t)i, value);
        cs_sketch_add(&sketch, value);
        cs_neumaier_add(&sum, value);
    }
    json_object_foreach((json_t *)(uintptr_t)json_object_get(json, "quantiles"), q, quantile)
    {
        if (cs_sketch_quantile(&sketch, strtod(q, NULL)) != json_number_value(quantile))
            status = cs_error_set(err, "quantile %s is %g", q,
                                  cs_sketch_quantile(&sketch, strtod(q, NULL)));
    }
    got = cs_queue_batches_finish(&batches);
    if (golden_replay_close(json, "mean", cs_neumaier(&sum) / (double)sketch.count, 1e-12, err) ||
        golden_replay_close(want, "batch", (double)got.batch, 0, err) ||
        golden_replay_close(want, "count", got.count, 0, err) ||
        golden_replay_close(want, "half", got.half, 1e-4, err) ||
        golden_replay_close(want, "lag1", got.related, 1e-4, err))
        status = -1;
    cs_sketch_release(&sketch);
    return status;
}
