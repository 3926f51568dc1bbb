/* workload_csv: measured times; a header is put in front so that rows are reached quickly. */
#include "fuzz/fuzz.h"
#include "fuzz/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                                .fill = CS_FILL_STEP,
                                                .fewer = CS_FEWER_SCALE,
                                                .times = CS_TIMES_MIN};
    struct cs_strbuf text = CS_STRBUF_INIT;

    read_workload(data, size, &options);
    cs_strbuf_puts(&text, "app,procs,seconds\n");
    cs_strbuf_append(&text, (const char *)data, size);
    read_workload(text.text, text.length, &options);
    cs_strbuf_release(&text);
    cs_strbuf_puts(&text, "app,seconds,seq_fraction,overhead,checkpoint,data\n");
    cs_strbuf_append(&text, (const char *)data, size);
    read_workload(text.text, text.length, &options);
    cs_strbuf_release(&text);
    return 0;
}
