/* platform: clusters as JSON and as SimGrid's XML. */
#include "fuzz/fuzz.h"
#include "io/platform_xml.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error err = {0};
    struct cs_platform *p = cs_platform_read_memory("fuzz", data, size, &err);

    insist((p != NULL) == (err.text[0] == '\0'));
    for (int k = 0; p && k < p->clusters; k++) {
        insist(p->cluster[k].procs >= 1 && p->cluster[k].name[0]);
        insist(p->cluster[k].speed >= 0 && isfinite(p->cluster[k].speed));
        insist(p->cluster[k].bandwidth > 0 && isfinite(p->cluster[k].bandwidth));
        insist(p->cluster[k].latency >= 0 && isfinite(p->cluster[k].latency));
    }
    cs_platform_destroy(p);
    return 0;
}
