/* site: machines of operators, as JSON and as slurm.conf. */
#include "fuzz/fuzz.h"
#include "io/site_file.h"

#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    const struct cs_site_file *file =
        cs_site_file_read_memory("fuzz", data, size, NULL, arena, &err);

    insist((file != NULL) == (err.text[0] == '\0'));
    if (file) {
        insist(file->site->partitions > 0 && file->site->pools > 0 && file->site->procs >= 0);
        for (int p = 0; p < file->site->partitions; p++)
            insist(file->site->partition[p].out == (file->site->partition[p].pools == 0));
    }
    cs_arena_destroy(arena);
    return 0;
}
