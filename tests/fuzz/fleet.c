/* fleet: availability files made into runs; after a line "%%" comes a component table. */
#include "fuzz/fuzz.h"
#include "io/availability.h"

#include <stdlib.h>
#include <string.h>

static void check_host(const struct cs_fleet *fleet, const struct cs_fleet_host *host)
{
    int64_t end = 0;

    if (!host->name || host->runs < 1)
        abort();
    for (int64_t r = 0; r < host->runs; r++) {
        const struct cs_fleet_run *run = &host->run[r];

        if (run->end <= end || (r && run->state == host->run[r - 1].state) ||
            run->state > CS_FLEET_UNKNOWN)
            abort();
        end = run->end;
    }
    if (end != fleet->slots || (host->runs == 1 && host->run[0].state == CS_FLEET_UNKNOWN))
        abort();
}

/* Where the component table begins; `size` when there is none. */
static size_t find_components(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i++)
        if (!memcmp(data + i, "\n%%\n", 4))
            return i + 4;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_fleet_options options = {.hosts = 50};
    const size_t at = find_components(data, size);
    struct cs_fleet_bytes file = {.name = "fuzz", .bytes = data, .size = size};
    struct cs_error err = {0};
    struct cs_fleet *fleet;

    if (at < size) {
        file.size = at - 3;
        file.components = data + at;
        file.components_size = size - at;
    }
    fleet = cs_fleet_read_memory(&file, &options, &err);
    if (!fleet && !err.text[0])
        abort();
    if (fleet && (fleet->hosts < 1 || fleet->hosts > 50 || !(fleet->slot > 0)))
        abort();
    for (int q = 0; fleet && q < fleet->hosts; q++)
        check_host(fleet, &fleet->host[q]);
    cs_fleet_destroy(fleet);
    return 0;
}
