/* faults: lists of failures, and rows of the log of Los Alamos. */
#include "io/faults.h"
#include "base/strbuf.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

static void read_faults(const void *bytes, size_t size, int system)
{
    struct cs_error err = {0};
    struct cs_faults *faults = cs_faults_read_memory("fuzz", bytes, size, system, &err);

    if (!faults && !err.text[0])
        abort();
    for (size_t i = 0; faults && i < faults->count; i++)
        if (!(faults->fault[i].time >= (i ? faults->fault[i - 1].time : 0)) ||
            faults->fault[i].processor < 0 || faults->fault[i].processor >= faults->processors)
            abort();
    cs_faults_destroy(faults);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    read_faults(data, size, 0);
    cs_strbuf_puts(&text, "LANL\nSystem,machine type,nodenumz,Prob Started (mm/dd/yy hh:mm)\n");
    cs_strbuf_append(&text, (const char *)data, size);
    read_faults(text.text, text.length, 2);
    cs_strbuf_release(&text);
    return 0;
}
