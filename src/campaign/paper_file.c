/* paper_file.c - a paper and the file it is laid over. */
#include "base/strbuf.h"
#include "campaign/field.h"
#include "campaign/paper.h"

#include <string.h>

/* Lay the document over the one that its "base" names.  Takes the reference; NULL with err. */
static json_t *lay_over_base(json_t *document, const char *file, struct cs_error *err)
{
    const struct cs_json_at place = {.key = file, .value = document};
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *slash = strrchr(file, '/'), *name = NULL;
    json_t *base, *merged;

    if (cs_json_keys(&place, NULL, err) || cs_field_string(&place, "base", &name, err)) {
        json_decref(document);
        return NULL;
    }
    if (!name)
        return document;
    cs_strbuf_append(&path, file, slash ? (size_t)(slash - file) + 1 : 0);
    cs_strbuf_puts(&path, name);
    base = cs_json_load(path.text, err);
    merged = base ? cs_field_merge(base, document) : NULL;
    json_object_del(merged, "base");
    cs_strbuf_release(&path);
    json_decref(base);
    json_decref(document);
    return merged;
}

struct cs_paper *cs_paper_read(const char *folder, const char *name, bool quick,
                               const struct cs_runner *runner, struct cs_error *err)
{
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_paper *paper = NULL;
    json_t *document;

    cs_strbuf_printf(&file, "%s/%s.json", folder, name);
    document = cs_json_load(file.text, err);
    if (document)
        document = lay_over_base(document, file.text, err);
    if (document)
        paper = cs_paper_create(document, name, file.text, quick, runner, err);
    json_decref(document);
    cs_strbuf_release(&file);
    return paper;
}
