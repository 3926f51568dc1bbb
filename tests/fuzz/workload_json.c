/* workload_json: documents, and tasks put into a document. */
#include "fuzz/fuzz.h"
#include "fuzz/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct cs_workload_options options = {.size = sizeof(struct cs_workload_options),
                                                .fill = CS_FILL_POWER,
                                                .fewer = CS_FEWER_REFUSE,
                                                .times = CS_TIMES_MIN};
    struct cs_strbuf text = CS_STRBUF_INIT;

    read_workload(data, size, &options);
    cs_strbuf_puts(&text, "{\"format\":\"cosched-workload-1\",\"tasks\":[{\"name\":\"a\",");
    cs_strbuf_append(&text, (const char *)data, size);
    cs_strbuf_puts(&text, "}]}");
    read_workload(text.text, text.length, &options);
    cs_strbuf_release(&text);
    return 0;
}
