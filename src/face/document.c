/* document.c - the kinds of documents, told apart. */
#include "face/document.h"

#include "base/source.h"
#include "campaign/store.h"
#include "report/replay_view.h"

bool cs_document_is_store(const struct cs_picture_source *source)
{
    return !source->bytes && cs_store_seems(source->name);
}

static int open_source(const struct cs_picture_source *source, struct cs_json_pieces *pieces,
                       struct cs_error *err)
{
    return source->bytes
               ? cs_json_open_memory(source->name, source->bytes, source->length, pieces, err)
               : cs_json_open(source->name, pieces, err);
}

int cs_document_read(const struct cs_picture_source *source, const struct cs_document_faces *faces,
                     void *who, struct cs_error *err)
{
    struct cs_json_pieces pieces;
    struct cs_json_at top;
    int status;

    if (open_source(source, &pieces, err))
        return -1;
    top = cs_json_top(source->bytes ? source->name : cs_source_name(source->name), &pieces);
    status = (cs_replay_view_seems(&top) ? faces->replay : faces->schedule)(&top, who, err);
    cs_json_close(&pieces);
    return status;
}

char *cs_document_take(struct cs_strbuf *text, int failed, size_t *length)
{
    if (failed) {
        cs_strbuf_release(text);
        return NULL;
    }
    if (length)
        *length = text->length;
    return cs_strbuf_take(text);
}
