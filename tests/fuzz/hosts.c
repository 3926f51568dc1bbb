/* scenario: hosts and an application; what was read is written and read again as the same. */
#include "io/hosts.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void put(const struct cs_hosts *s, struct cs_strbuf *text)
{
    struct cs_jsonw w = cs_jsonw_begin(text);

    cs_hosts_put(s, &w);
    cs_jsonw_end(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error err = {0};
    struct cs_hosts *s = cs_hosts_read_memory("fuzz", data, size, &err), *again;
    struct cs_strbuf first = CS_STRBUF_INIT, second = CS_STRBUF_INIT;

    if (!s && !err.text[0])
        abort();
    if (!s)
        return 0;
    put(s, &first);
    again = cs_hosts_read_memory("again", first.text, first.length, &err);
    if (!again)
        abort();
    put(again, &second);
    if (strcmp(first.text, second.text))
        abort();
    cs_hosts_destroy(again);
    cs_hosts_destroy(s);
    cs_strbuf_release(&first);
    cs_strbuf_release(&second);
    return 0;
}
