/* psplib: project files of PSPLIB, MMLIB and Patterson. */
#include "io/psplib.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const uint8_t *data, size_t size, bool patterson)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_lines *lines = cs_lines_open_memory("fuzz", data, size);
    struct cs_error err = {0};
    struct cs_modes m;
    const int status = cs_psplib_read(lines, patterson, arena, &m, &err);

    insist((status == 0) == (err.text[0] == '\0'));
    for (int i = 0; status == 0 && i < m.tasks; i++) {
        insist(m.first[i + 1] > m.first[i] && m.before_first[i + 1] >= m.before_first[i]);
        for (int a = m.before_first[i]; a < m.before_first[i + 1]; a++)
            insist(m.before[a] >= 0 && m.before[a] < m.tasks && m.before[a] != i);
    }
    cs_lines_close(lines);
    cs_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    judge(data, size, false);
    judge(data, size, true);
    return 0;
}
