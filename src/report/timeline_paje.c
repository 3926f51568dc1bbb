/* timeline_paje.c - Paje's trace: ten definitions of events, containers, then states by time.
 *
 * A state is a kind of bar, or idle; what runs is in two more fields, as the format allows.  No
 * comments, which ViTE does not know, and no empty fields, which pj_dump does not see. */
#include "base/order.h"
#include "report/palette.h"
#include "report/timeline.h"

static const char definitions[] = "%EventDef PajeDefineContainerType 0\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineStateType 1\n"
                                  "% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDefineEntityValue 2\n"
                                  "% Alias string\n% Type string\n% Name string\n% Color color\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeDefineVariableType 3\n"
                                  "% Alias string\n% Type string\n% Name string\n% Color color\n"
                                  "%EndEventDef\n"
                                  "%EventDef PajeCreateContainer 4\n"
                                  "% Time date\n% Alias string\n% Type string\n"
                                  "% Container string\n% Name string\n%EndEventDef\n"
                                  "%EventDef PajeDestroyContainer 5\n"
                                  "% Time date\n% Name string\n% Type string\n%EndEventDef\n"
                                  "%EventDef PajeSetState 6\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value string\n% Task string\n% Attempt int\n%EndEventDef\n"
                                  "%EventDef PajePushState 7\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value string\n%EndEventDef\n"
                                  "%EventDef PajePopState 8\n"
                                  "% Time date\n% Type string\n% Container string\n%EndEventDef\n"
                                  "%EventDef PajeSetVariable 9\n"
                                  "% Time date\n% Type string\n% Container string\n"
                                  "% Value double\n%EndEventDef\n";

/* In quotes; what would end them, or the line, is put otherwise. */
static void timeline_paje_put_name(const char *name, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, " \"");
    for (; *name; name++)
        cs_strbuf_putc(out, *name == '"' ? '\'' : (unsigned char)*name < ' ' ? ' ' : *name);
    cs_strbuf_putc(out, '"');
}

static void put_event(int kind, double time, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%d ", kind);
    cs_strbuf_put_double(out, time);
}

static void put_types(struct cs_strbuf *out)
{
    const struct cs_theme *theme = cs_theme(CS_STYLE_COLOR);

    cs_strbuf_puts(out, "0 M 0 \"machine\"\n0 C M \"cluster\"\n0 P C \"track\"\n"
                        "1 S P \"state\"\n2 idle S \"idle\" \"0.93 0.93 0.93\"\n");
    for (int kind = CS_BAR_WORK; kind <= CS_BAR_KIND_LAST; kind++) {
        const struct cs_color c = cs_palette_bar(kind - CS_BAR_WORK, theme);
        const char *name = cs_bar_kind_name((enum cs_bar_kind)kind);

        cs_strbuf_printf(out, "2 %s S \"%s\" \"%.3f %.3f %.3f\"\n", name, name, c.red / 255.0,
                         c.green / 255.0, c.blue / 255.0);
    }
}

static void put_containers(const struct cs_timeline *line, struct cs_strbuf *out)
{
    const struct cs_platform *platform = cs_schedule_platform(line->schedule);
    const int clusters = line->by_task || !platform ? 1 : platform->clusters;
    struct cs_strbuf name = CS_STRBUF_INIT;

    cs_strbuf_puts(out, "4 0 m M 0 \"machine\"\n");
    for (int c = 0; c < clusters; c++) {
        cs_strbuf_printf(out, "4 0 c%d C m", c);
        timeline_paje_put_name(line->by_task ? "tasks"
                               : platform    ? platform->cluster[c].name
                                             : "cluster",
                               out);
        cs_strbuf_putc(out, '\n');
    }
    for (int t = 0; t < line->tracks; t++) {
        const int cluster = line->by_task ? 0 : cs_timeline_cluster(line->schedule, line->of[t]);

        cs_strbuf_clear(&name);
        cs_timeline_put_track(line, t, &name);
        cs_strbuf_printf(out, "4 0 p%d P c%d", t, cluster);
        timeline_paje_put_name(name.text, out);
        cs_strbuf_printf(out, "\n6 0 S p%d idle \"-\" 0\n", t);
    }
    cs_strbuf_release(&name);
}

static void put_start(const struct cs_timeline *line, const struct cs_slice *slice,
                      struct cs_strbuf *out)
{
    put_event(6, slice->bar->start, out);
    cs_strbuf_printf(out, " S p%d %s", slice->track, cs_bar_kind_name(slice->bar->kind));
    timeline_paje_put_name(cs_schedule_task_name(line->schedule, slice->bar->task), out);
    cs_strbuf_printf(out, " %d\n", slice->bar->attempt);
}

static void put_end(const struct cs_slice *slice, struct cs_strbuf *out)
{
    if (slice->joined)
        return;
    put_event(6, slice->bar->end, out);
    cs_strbuf_printf(out, " S p%d idle \"-\" 0\n", slice->track);
}

/* Ends before starts of the same time; those of slices that take no time behind their starts. */
static void put_states(const struct cs_timeline *line, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    double *end = CS_NEW_ARRAY(arena, double, line->slices);
    int *order = CS_NEW_ARRAY(arena, int, line->slices);
    const int count = (int)line->slices;
    int e = 0;

    for (int i = 0; i < count; i++)
        end[i] = line->slice[i].bar->end;
    cs_order_ascending(end, count, order, arena);
    for (int s = 0; s < count || e < count;) {
        const bool ends =
            s == count || (e < count && order[e] < s && end[order[e]] <= line->slice[s].bar->start);

        if (ends)
            put_end(&line->slice[order[e++]], out);
        else
            put_start(line, &line->slice[s++], out);
    }
    cs_arena_destroy(arena);
}

static void put_destruction(const struct cs_timeline *line, struct cs_strbuf *out)
{
    put_event(5, cs_schedule_makespan(line->schedule), out);
    cs_strbuf_puts(out, " m M\n");
}

void cs_timeline_paje(const struct cs_timeline *line, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, definitions);
    put_types(out);
    put_containers(line, out);
    put_states(line, out);
    put_destruction(line, out);
}
