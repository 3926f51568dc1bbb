/* paper_document.c - a paper as a store keeps it. */
#include "campaign/paper_document.h"

#include "campaign/parameters.h"

static int append(const char *bytes, size_t size, void *out)
{
    cs_strbuf_append(out, bytes, size);
    return 0;
}

struct cs_document cs_paper_document(const struct cs_paper *paper, uint64_t seed,
                                     struct cs_strbuf *text, struct cs_strbuf *given)
{
    cs_strbuf_clear(text);
    cs_strbuf_clear(given);
    json_dump_callback(paper->source, append, text, JSON_COMPACT);
    cs_parameters_put(paper->given, given);
    return (struct cs_document){.kind = "paper",
                                .name = paper->name,
                                .file = paper->file,
                                .text = text->text,
                                .given = given->text,
                                .quick = paper->quick,
                                .seed = seed};
}
