/* availability: event tables, spot instances, scenarios with traces. */
#include "io/availability.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_availability_options options = {.slot = 0, .hosts = 50};
    struct cs_error err = {{0}};
    struct cs_availability *a = cs_availability_read_memory("fuzz", data, size, &options, &err);

    if (!a && !err.text[0])
        abort();
    if (a && (a->hosts < 1 || a->hosts > 50 || a->slots < 1 || !(a->slot > 0)))
        abort();
    for (int q = 0; a && q < a->hosts; q++)
        if (!a->name[q] || strspn(a->trace[q], "urd") != (size_t)a->slots || a->trace[q][a->slots])
            abort();
    cs_availability_destroy(a);
    return 0;
}
