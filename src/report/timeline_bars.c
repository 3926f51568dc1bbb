/* timeline_bars.c - the bars of a schedule as a table. */
#include "base/csv.h"
#include "model/procset.h"
#include "report/timeline.h"

void cs_timeline_bars(const struct cs_schedule *schedule, struct cs_strbuf *out)
{
    struct cs_strbuf procs = CS_STRBUF_INIT;
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &bars);

    cs_strbuf_puts(out, "task,name,attempt,group,kind,start,end,procs\n");
    for (size_t b = 0; b < bars; b++) {
        cs_strbuf_printf(out, "%d,", bar[b].task);
        cs_csv_quote(out, cs_schedule_task_name(schedule, bar[b].task));
        cs_strbuf_printf(out, ",%d,", bar[b].attempt);
        if (bar[b].group >= 0)
            cs_strbuf_printf(out, "%d", bar[b].group);
        cs_strbuf_printf(out, ",%s,", cs_bar_kind_name(bar[b].kind));
        cs_strbuf_put_double(out, bar[b].start);
        cs_strbuf_putc(out, ',');
        cs_strbuf_put_double(out, bar[b].end);
        cs_strbuf_clear(&procs);
        cs_procset_print(&procs, bar[b].procs, bar[b].intervals);
        cs_strbuf_printf(out, ",%s\n", procs.text);
    }
    cs_strbuf_release(&procs);
}
