/* log: jobs of logs, whichever kind the bytes look like. */
#include "io/log.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const struct cs_log_job *job, double before)
{
    insist(job->seconds > 0 && job->procs >= 1 && job->units >= 1);
    insist(isfinite(job->submit) && isfinite(job->seconds) && job->submit >= before);
    insist(job->request >= 0 && !isinf(job->recorded));
}

static void read_all(const uint8_t *data, size_t size, const struct cs_log_options *options)
{
    struct cs_error err = {0};
    struct cs_log *log = cs_log_open_memory("fuzz", data, size, options, &err);
    double before = -INFINITY;
    struct cs_log_job job;
    int status;

    if (!log) {
        insist(err.text[0] != '\0');
        return;
    }
    while ((status = cs_log_next(log, &job, &err)) > 0) {
        judge(&job, before);
        before = job.submit;
        cs_log_done(log, &job);
    }
    insist((status < 0) == (err.text[0] != '\0'));
    cs_log_close(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_log_options lenient = {.lenient = true, .lookahead = 4, .speed = 1e9};
    const struct cs_log_options nodes = {
        .unit = CS_LOG_NODES, .by_submit = true, .by_queue = true, .most = 64};

    read_all(data, size, &lenient);
    read_all(data, size, &nodes);
    return 0;
}
