/* joblog: a log of any kind, read to its end. */
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
    insist((log != NULL) == (err->text[0] == '\0'));
    for (int j = 0; log && j < log->count; j++) {
        insist(log->job[j].seconds > 0 && log->job[j].procs >= 1);
        insist(log->machine < 1 || log->job[j].procs <= log->machine);
    }
    cs_joblog_destroy(log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_joblog_options all = {0}, month = {100, "2019-06"};
    struct cs_error err = {0}, other = {0};

    judge(cs_joblog_read_memory("fuzz", data, size, &all, &err), &err);
    judge(cs_joblog_read_memory("fuzz", data, size, &month, &other), &other);
    return 0;
}
