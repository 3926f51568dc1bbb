/* schedule_json: schedules and plans; whatever is read, the checker can look at and the writer
 * can write so that it reads back the same.  A tree of jansson's says the same as the text. */
#include "io/schedule_json.h"
#include "io/schedule_keys.h"

#include "check/check.h"
#include "fuzz/fuzz.h"
#include "fuzz/workload.h"

static void put_file(struct cs_strbuf *text, const struct cs_schedule_file *file)
{
    struct cs_jsonw w = cs_jsonw_begin(text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, file->schedule, file->policy);
    if (file->pack)
        cs_keys_put(&w, cs_keys_pack, file->schedule, file->pack);
    if (file->malleable)
        cs_keys_put(&w, cs_keys_malleable, file->schedule, file->malleable);
    cs_schedule_json_put_tail(&w, file->schedule, file->workload, false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void check_again(const struct cs_schedule_file *file)
{
    struct cs_strbuf text = CS_STRBUF_INIT, again = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_schedule_file *copy;

    put_file(&text, file);
    copy = cs_schedule_file_read_memory("again", text.text, text.length, &err);
    insist(copy);
    put_file(&again, copy);
    insist(strcmp(text.text, again.text) == 0);
    cs_schedule_file_destroy(copy);
    cs_strbuf_release(&text);
    cs_strbuf_release(&again);
}

static void check_tree(const uint8_t *data, size_t size, const struct cs_schedule_file *file,
                       const struct cs_error *said)
{
    struct cs_strbuf text = CS_STRBUF_INIT, again = CS_STRBUF_INIT;
    struct cs_error err = {0};
    json_t *document = cs_json_load_memory("fuzz", data, size, &err);
    struct cs_schedule_document whole = {.top = cs_json_root("fuzz", document),
                                         .scratch = cs_arena_create()};
    struct cs_schedule_file *copy = document ? cs_schedule_document_read(&whole, &err) : NULL;

    insist(strcmp(err.text, said->text) == 0 && !copy == !file);
    if (file) {
        put_file(&text, file);
        put_file(&again, copy);
        insist(strcmp(text.text, again.text) == 0);
    }
    json_decref(document);
    cs_bar_list_release(&whole.bars);
    cs_arena_destroy(whole.scratch);
    cs_schedule_file_destroy(copy);
    cs_strbuf_release(&text);
    cs_strbuf_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error err = {0};
    struct cs_schedule_file *file = cs_schedule_file_read_memory("fuzz", data, size, &err);
    struct cs_check_report *report;

    insist((file != NULL) == (err.text[0] == '\0'));
    check_tree(data, size, file, &err);
    if (!file)
        return 0;
    report = cs_check_report_create(5);
    cs_check_file(file, report);
    insist(report->count <= report->total && report->count <= 5);
    cs_check_report_destroy(report);
    check_again(file);
    cs_schedule_file_destroy(file);
    return 0;
}
