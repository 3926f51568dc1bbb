/* joblist: rigid jobs as CSV and as the authors' sample. */
#include "io/joblist.h"
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void judge(struct cs_joblist *list, const struct cs_error *err)
{
    insist((list != NULL) == (err->text[0] == '\0'));
    for (int j = 0; list && j < list->count; j++) {
        insist(list->name[j][0]);
        insist(list->seconds[j] > 0 && isfinite(list->seconds[j]));
        insist(list->procs[j] >= 1);
    }
    cs_joblist_destroy(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error csv = {0}, sample = {0};

    judge(cs_joblist_read_csv_memory("fuzz", data, size, &csv), &csv);
    judge(cs_joblist_read_sample_memory("fuzz", data, size, &sample), &sample);
    return 0;
}
