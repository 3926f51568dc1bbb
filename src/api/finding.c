/* finding.c - one form for the results of the checker. */
#include "api/finding.h"

static void put_violation(struct cs_jsonw *w, const struct cs_check_item *item,
                          cs_finding_name_f *name, const void *who)
{
    struct cs_strbuf task = CS_STRBUF_INIT;

    if (item->task >= 0)
        name(who, item->task, &task);
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "kind", cs_violation_name(item->violation));
    cs_jsonw_put_string(w, "task", item->task >= 0 ? task.text : NULL);
    cs_jsonw_put_double(w, "time", item->time);
    cs_jsonw_put_string(w, "text", item->text);
    cs_jsonw_close(w);
    cs_strbuf_release(&task);
}

void cs_finding_put(struct cs_jsonw *w, const struct cs_check_report *report,
                    cs_finding_name_f *name, const void *who)
{
    cs_jsonw_put_string(w, "verdict",
                        report->total     ? "not valid"
                        : report->missing ? "general"
                        : report->note    ? "incomplete"
                                          : "valid");
    cs_jsonw_put_int(w, "total", (int64_t)report->total);
    cs_jsonw_put_string(w, "missing", report->missing);
    cs_jsonw_put_string(w, "note", report->note);
    cs_jsonw_key(w, "violations");
    cs_jsonw_open(w, '[');
    for (size_t i = 0; i < report->count; i++)
        put_violation(w, &report->item[i], name, who);
    cs_jsonw_close(w);
}
