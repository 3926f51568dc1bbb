/* joblog: job logs as SWF and as CSV of ALCF. */
#include "io/joblog.h"
#include "fuzz/fuzz.h"

#include <stdbool.h>
#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void judge(struct cs_joblog *log, const struct cs_error *err)
{
    struct cs_error inner = {{0}};

    insist((log != NULL) == (err->text[0] == '\0'));
    for (int j = 0; log && j < log->count; j++) {
        insist(log->job[j].seconds > 0 && log->job[j].procs >= 1);
        insist(log->machine < 1 || log->job[j].procs <= log->machine);
    }
    if (log)
        insist(cs_joblog_keep_month(log, "2019-06", &inner) == 0);
    cs_joblog_destroy(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error swf = {{0}}, alcf = {{0}};

    judge(cs_joblog_read_swf_memory("fuzz", data, size, 0, &swf), &swf);
    judge(cs_joblog_read_alcf_memory("fuzz", data, size, 0, "2019-06", &alcf), &alcf);
    return 0;
}
