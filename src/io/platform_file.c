/* platform_file.c - platforms as files: our JSON or SimGrid's XML, what is inside decides. */
#include "base/file.h"
#include "base/guard.h"
#include "base/source.h"
#include "io/platform_json.h"
#include "io/platform_xml.h"

#include <string.h>

static struct cs_platform *read_json(const char *name, const char *bytes, size_t size,
                                     struct cs_error *err)
{
    json_t *document = cs_json_load_memory(name, bytes, size, err);
    CS_JSON_HOLD(document);
    struct cs_json_at root = cs_json_root(name, document);
    struct cs_platform *platform = document ? cs_platform_json_read_grid(&root, err) : NULL;

    return platform;
}

struct cs_platform *cs_platform_read_memory(const char *name, const void *bytes, size_t size,
                                            struct cs_error *err)
{
    const char *text = bytes;
    size_t at = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

    while (at < size && text[at] && strchr(" \t\r\n", text[at]))
        at++;
    if (at == size) {
        cs_error_set(err, "%s: the file is empty", name);
        return NULL;
    }
    return text[at] == '<' ? cs_platform_xml_read(name, text, size, err)
                           : read_json(name, text, size, err);
}

struct cs_platform *cs_platform_read(const char *path, struct cs_error *err)
{
    CS_ASK(path, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_platform *platform = NULL;

    if (cs_file_read(path, CS_FILE_LARGEST, &text, err) == 0)
        platform = cs_platform_read_memory(cs_source_name(path), text.text, text.length, err);
    cs_strbuf_release(&text);
    return platform;
}
