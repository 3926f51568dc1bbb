/* document.c - distinguish the kinds of documents. */
#include "api/document.h"

#include "base/source.h"
#include "campaign/store.h"
#include "report/replay_view.h"
#include "run/history.h"

bool cs_document_is_store(const struct cs_chart_source *source)
{
    return !source->bytes && cs_store_seems(source->name);
}

/* Open a run as the file that `run schedule --output` writes. */
static int open_run(const char *folder, struct cs_strbuf *text, struct cs_json_pieces *pieces,
                    struct cs_error *err)
{
    struct cs_run_history *history = cs_run_history_read(folder, err);
    int status = history ? cs_run_history_put(history, text, err) : -1;

    cs_run_history_destroy(history);
    return status ? -1 : cs_json_open_memory(folder, text->text, text->length, pieces, err);
}

static int open_source(const struct cs_chart_source *source, struct cs_strbuf *text,
                       struct cs_json_pieces *pieces, struct cs_error *err)
{
    if (source->bytes)
        return cs_json_open_memory(source->name, source->bytes, source->length, pieces, err);
    return cs_run_seems(source->name) ? open_run(source->name, text, pieces, err)
                                      : cs_json_open(source->name, pieces, err);
}

int cs_document_read(const struct cs_chart_source *source, const struct cs_document_faces *faces,
                     void *who, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_json_pieces pieces;
    int status = open_source(source, &text, &pieces, err);

    if (!status) {
        const struct cs_json_at top =
            cs_json_top(source->bytes ? source->name : cs_source_name(source->name), &pieces);

        status = (cs_replay_view_seems(&top) ? faces->replay : faces->schedule)(&top, who, err);
        cs_json_close(&pieces);
    }
    cs_strbuf_release(&text);
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
