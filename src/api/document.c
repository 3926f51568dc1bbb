/* document.c - distinguish the kinds of documents. */
#include "api/document.h"

#include "base/file.h"
#include "base/source.h"
#include "campaign/store.h"
#include "report/replay_view.h"
#include "run/history.h"

bool cs_document_is_store(const struct cs_chart_source *source)
{
    return !source->bytes && cs_store_seems(source->name);
}

/* Open a run as the file that `run schedule --output` writes. */
static int open_run(const char *folder, struct cs_schedule_document *document, struct cs_error *err)
{
    struct cs_run_history *history = cs_run_history_read(folder, err);
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = history ? cs_run_history_put(history, &text, err) : -1;

    cs_run_history_destroy(history);
    if (!status)
        status = cs_schedule_document_open_memory(folder, text.text, text.length, document, err);
    cs_strbuf_release(&text);
    return status;
}

static int open_source(const struct cs_chart_source *source, struct cs_schedule_document *document,
                       struct cs_error *err)
{
    if (source->bytes)
        return cs_schedule_document_open_memory(source->name, source->bytes, source->length,
                                                document, err);
    return cs_run_seems(source->name) ? open_run(source->name, document, err)
                                      : cs_schedule_document_open(source->name, document, err);
}

int cs_document_read(const struct cs_chart_source *source, const struct cs_document_faces *faces,
                     void *who, struct cs_error *err)
{
    struct cs_schedule_document document;
    int status = open_source(source, &document, err);

    if (status)
        return -1;
    status = cs_replay_view_seems(&document.top) ? faces->replay(&document.top, who, err)
                                                 : faces->schedule(&document, who, err);
    cs_schedule_document_close(&document);
    return status;
}

int cs_document_fill(const char *path, int (*fill)(void *who, int fd), void *who,
                     const struct cs_error *why, struct cs_error *err)
{
    struct cs_error failed = {0};

    if (!cs_file_fill(path, fill, who, &failed))
        return 0;
    return cs_error_pass(err, *why->text ? why : &failed);
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
