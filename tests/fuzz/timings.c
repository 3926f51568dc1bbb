/* timings: the files of tools that measure times, with the options that such a file may need. */
#include "io/timings.h"
#include "fuzz/fuzz.h"

#include "base/strbuf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void check_rows(const struct cs_timings *timings)
{
    insist(timings->kind && timings->rows > 0);
    for (int r = 0; r < timings->rows; r++) {
        const struct cs_timing *row = &timings->row[r];

        insist(row->app && *row->app && row->procs > 0 && row->line > 0);
        insist(row->seconds > 0 && isfinite(row->seconds));
        insist(row->node == timings->row[0].node && !strcmp(row->file, "log.fuzz.4"));
        insist(isnan(row->memory) || row->memory > 0);
    }
}

static void read_timings(const uint8_t *data, size_t size, const struct cs_timings_options *options)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text = CS_STRBUF_INIT, remark = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_timings timings;
    int status;

    cs_strbuf_append(&text, (const char *)data, size);
    status = cs_timings_read("log.fuzz.4", text.text ? text.text : "", size, options, arena,
                             &timings, &err);
    insist((status == 0) == (err.text[0] == '\0'));
    if (!status) {
        check_rows(&timings);
        cs_timings_put_remarks("log.fuzz.4", &timings, &remark);
    }
    cs_strbuf_release(&text);
    cs_strbuf_release(&remark);
    cs_arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct cs_timings_options options[] = {
        {.app = NULL},
        {.app = "cfd", .count = "4", .decimal = "comma"},
        {.count = "threads=([0-9]+)", .unit = "node", .metric = "elapsed", .decimal = "point"},
        {.count = "x", .unit = "processor", .region = "met1"},
    };

    for (size_t o = 0; o < sizeof options / sizeof *options; o++)
        read_timings(data, size, &options[o]);
    return 0;
}
