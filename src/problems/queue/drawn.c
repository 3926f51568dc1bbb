/* drawn.c - jobs that are drawn when there is no log, as a text that a reader of logs takes.
 *
 * Source: workload uniform: Benoit et al. 2021, Section 5.1 (widths and times), with exponential
 * gaps between arrivals; lublin, lublin-batch, requests, speedups: spec/science.md 9 (arrivals.c).
 * Times are whole seconds.  O(n) for n jobs, O(n log n) with drawn requests.
 */
#include "problems/queue/arrivals.h"
#include "problems/queue/problem.h"

#include "base/plain.h"
#include "base/watch.h"
#include "io/workload.h"
#include "model/profile.h"
#include "model/workload.h"
#include "sched/random_jobs.h"

#include <inttypes.h>
#include <math.h>

#define USUAL_PROCS 10000

struct drawn {
    const struct cs_queue_options *options;
    struct cs_arena *arena;
    int count, procs;
    struct cs_lublin_job *job;
    int64_t *request; /* of each; NULL: the run time */
};

static bool is_lublin(const struct cs_queue_options *o)
{
    return o->workload == CS_QUEUE_LUBLIN || o->workload == CS_QUEUE_LUBLIN_BATCH;
}

bool cs_queue_has_log(const struct cs_queue_options *o)
{
    return o->study.input || (o->study.inputs && o->study.inputs[0]);
}

/* Parameters of another model would be ignored; a default cannot be distinguished from no value. */
static int unused_check(const struct cs_queue_options *o, struct cs_error *err)
{
    struct cs_queue_options usual = {0};

    cs_params_reset(cs_problem_queue.param, &usual);
    if (!is_lublin(o) && (o->gap_factor != usual.gap_factor || o->start_hour != usual.start_hour))
        return cs_error_set(err, "--gap-factor and --start-hour are for --workload lublin");
    if (is_lublin(o) && o->arrivals != usual.arrivals)
        return cs_error_set(err, "--arrivals is for --workload uniform; lublin has --gap-factor");
    if (o->requests != 1 && o->largest_request != usual.largest_request)
        return cs_error_set(err, "--largest-request is for --requests tsafrir");
    return 0;
}

int cs_queue_drawn_check(const struct cs_queue_options *o, struct cs_error *err)
{
    if (cs_queue_has_log(o))
        return o->workload >= 0
                   ? cs_error_set(err, "--workload: jobs are drawn or read from a log: give one")
                   : 0;
    return unused_check(o, err);
}

/* Limits of the models. */
static int model_check(const struct cs_queue_options *o, struct cs_error *err)
{
    if (is_lublin(o) && o->site.procs != CS_PARAM_NONE && o->site.procs < 2)
        return cs_error_set(err,
                            "--procs: %" PRId64 " is less than 2, for which the model is not made",
                            o->site.procs);
    if (o->requests == 1 && o->largest_request < CS_ESTIMATES_LEAST)
        return cs_error_set(err,
                            "--largest-request: %.15g s is less than an hour, for which the model "
                            "is not made",
                            o->largest_request);
    return 0;
}

static void draw_uniform(struct drawn *d)
{
    const struct cs_queue_options *o = d->options;
    const uint64_t seed = (uint64_t)o->study.seed, set = (uint64_t)o->set;
    double *seconds = CS_NEW_ARRAY(d->arena, double, d->count), submit = 0;
    int *procs = CS_NEW_ARRAY(d->arena, int, d->count);

    cs_sched_draw_jobs(seed, set, d->count, seconds, procs);
    for (int j = 0; j < d->count && !cs_watch_calls(); j++) {
        const uint64_t hash = cs_sched_mix(seed, CS_SCHED_STREAM_ARRIVALS, set, 0, (uint64_t)j);

        submit -= j ? o->arrivals * log(cs_sched_uniform(hash)) : 0;
        d->job[j] = (struct cs_lublin_job){(int64_t)submit, (int64_t)ceil(seconds[j]), procs[j]};
    }
}

static void draw_lublin(struct drawn *d)
{
    const struct cs_queue_options *o = d->options;
    const struct cs_lublin how = {
        .model = o->workload == CS_QUEUE_LUBLIN ? CS_LUBLIN_ALL : CS_LUBLIN_BATCH,
        .procs = d->procs,
        .gap_factor = o->gap_factor,
        .start_hour = (int)o->start_hour,
        .seed = (uint64_t)o->study.seed,
        .set = (uint64_t)o->set,
    };

    cs_lublin_draw(&how, d->count, d->job);
}

/* Requests by the model; run times above the largest are cut to it. */
static int draw_requests(struct drawn *d, struct cs_strbuf *warning, struct cs_error *err)
{
    const struct cs_queue_options *o = d->options;
    const struct cs_estimates how = {.largest = (int64_t)floor(o->largest_request),
                                     .seed = (uint64_t)o->study.seed,
                                     .set = (uint64_t)o->set};
    int64_t *seconds = CS_NEW_ARRAY(d->arena, int64_t, d->count);
    int cut;

    if (o->requests != 1)
        return 0;
    for (int j = 0; j < d->count; j++)
        seconds[j] = d->job[j].seconds;
    d->request = CS_NEW_ARRAY(d->arena, int64_t, d->count);
    if (cs_estimates_assign(&how, d->count, seconds, d->request, &cut, err))
        return -1;
    for (int j = 0; j < d->count; j++)
        if (d->job[j].seconds > how.largest)
            d->job[j].seconds = how.largest;
    if (cut)
        cs_strbuf_printf(warning,
                         "%d of %d drawn jobs ran longer than the largest request and end at it, "
                         "%" PRId64 " s",
                         cut, d->count, how.largest);
    return 0;
}

void cs_queue_drawn_name(const struct cs_queue_options *o, struct cs_strbuf *out)
{
    if (is_lublin(o))
        cs_strbuf_printf(out, "workload %s, gap factor %.15g, start hour %" PRId64,
                         o->workload == CS_QUEUE_LUBLIN ? "lublin" : "lublin-batch", o->gap_factor,
                         o->start_hour);
    else
        cs_strbuf_printf(out, "workload uniform, mean gap %.15g s", o->arrivals);
    cs_strbuf_printf(out, ", seed %" PRId64 ", set %" PRId64 ", requests ", o->study.seed, o->set);
    if (o->requests == 1)
        cs_strbuf_printf(out, "tsafrir up to %.15g s", floor(o->largest_request));
    else
        cs_strbuf_puts(out, "exact");
}

/* Standard Workload Format: submit, run time and request in whole seconds. */
static void put_log(const struct drawn *d, struct cs_strbuf *out)
{
    const bool model = is_lublin(d->options);

    cs_strbuf_printf(out, "; Computer: none, drawn by cosched generate %s\n",
                     model ? "jobs" : "queue");
    if (model || d->request) {
        cs_strbuf_puts(out, "; Note: ");
        cs_queue_drawn_name(d->options, out);
        cs_strbuf_puts(out, "\n");
    }
    cs_strbuf_printf(out, "; MaxProcs: %d\n; UnixStartTime: 0\n", d->procs);
    for (int j = 0; j < d->count && !cs_watch_calls(); j++) {
        const struct cs_lublin_job *job = &d->job[j];

        cs_strbuf_printf(out,
                         "%d %" PRId64 " -1 %" PRId64 " %d -1 -1 %d %" PRId64
                         " -1 1 -1 -1 -1 -1 -1 -1 -1\n",
                         j + 1, job->submit, job->seconds, job->procs, job->procs,
                         d->request ? d->request[j] : job->seconds);
    }
}

/* Moldable jobs: on the width that was drawn each takes the time that was drawn. */
static void put_moldable(const struct drawn *d, struct cs_strbuf *out)
{
    const struct cs_queue_options *o = d->options;
    struct cs_downey_job *speedup = CS_NEW_ARRAY(d->arena, struct cs_downey_job, d->count);
    struct cs_profile *profile = CS_NEW_ARRAY(d->arena, struct cs_profile, d->count);
    struct cs_task_limit *limit = CS_NEW_ARRAY(d->arena, struct cs_task_limit, d->count);
    const char **name = CS_NEW_ARRAY(d->arena, const char *, d->count);
    struct cs_strbuf note = CS_STRBUF_INIT;
    struct cs_workload *workload;
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_downey_draw((uint64_t)o->study.seed, (uint64_t)o->set, d->procs, d->count, speedup);
    for (int j = 0; j < d->count; j++) {
        const double a = speedup[j].parallelism, sigma = speedup[j].sigma;
        char number[16];

        cs_plain_print(number, sizeof number, "%d", j + 1);
        name[j] = cs_arena_strdup(d->arena, number);
        limit[j].release = (double)d->job[j].submit;
        profile[j] = (struct cs_profile){.kind = CS_PROFILE_DOWNEY,
                                         .seq_time = (double)d->job[j].seconds *
                                                     cs_downey_speedup(a, sigma, d->job[j].procs),
                                         .parallelism = a,
                                         .sigma = sigma};
    }
    cs_queue_drawn_name(o, &note);
    cs_strbuf_puts(&note, ", speedups downey");
    workload = cs_workload_create(d->count, name, profile, NULL);
    cs_workload_set_limits(workload, limit);
    workload->procs = d->procs;
    cs_workload_json_put(&w, workload, note.text);
    cs_workload_destroy(workload);
    cs_strbuf_release(&note);
}

int cs_queue_drawn_put(const struct cs_queue_options *o, struct cs_strbuf *out,
                       struct cs_strbuf *warning, struct cs_error *err)
{
    struct drawn d = {
        .options = o,
        .count = (int)o->jobs,
        .procs = (int)cs_param_or(o->site.procs, USUAL_PROCS),
    };
    int status;

    if (model_check(o, err))
        return -1;
    d.arena = cs_arena_create();
    d.job = CS_NEW_ARRAY(d.arena, struct cs_lublin_job, d.count);
    if (is_lublin(o))
        draw_lublin(&d);
    else
        draw_uniform(&d);
    status = draw_requests(&d, warning, err);
    if (!status && o->speedup == 1)
        put_moldable(&d, out);
    else if (!status)
        put_log(&d, out);
    cs_arena_destroy(d.arena);
    return status;
}
