/* page_schedule.c - a schedule as JSON: columns of bars, names, colours, what lies behind them.
 *
 * Columns rather than objects, sets of processors by number: a hundred thousand bars make a few
 * megabytes.  Bars that have counts stay without numbers: the page gives numbers to those that it
 * shows (html/schedule_numbers.js), and a column of equal values is one value.
 */
#include "report/page_schedule.h"

#include "io/names.h"
#include "model/bars.h"
#include "model/procset.h"
#include "report/page_scene.h"

#define STILL_BARS 20000 /* more of them are not given numbers for a picture */
#define STILL 900        /* pixels: text stays readable on paper */

/* Columns. */

static void page_schedule_put_names(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < scene->gantt.tasks; i++)
        cs_jsonw_string(w, cs_schedule_task_name(scene->schedule, i));
    cs_jsonw_close(w);
    if (!scene->owners)
        return;
    cs_jsonw_key(w, "owners");
    cs_jsonw_open_flat(w, '[');
    for (int g = 0; g < scene->owners; g++)
        cs_jsonw_string(w, scene->owner_name[g]);
    cs_jsonw_close(w);
    cs_jsonw_key(w, "owner");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < scene->gantt.tasks; i++)
        cs_jsonw_int(w, scene->owner[i]);
    cs_jsonw_close(w);
}

/* How many colours there are: one a ribbon, or those of the palette that are needed. */
static int colors_of(const struct cs_page_scene *scene)
{
    int most = 0;

    for (int app = 0; app < scene->gantt.most_apps; app++)
        if (scene->gantt.hue[app] % CS_PALETTE_BARS >= most)
            most = scene->gantt.hue[app] % CS_PALETTE_BARS + 1;
    return scene->stream.bands ? scene->stream.bands : most;
}

static void put_colors(struct cs_jsonw *w, const struct cs_page_scene *scene, const char *key,
                       const struct cs_theme *theme)
{
    int bands = scene->stream.bands, count = colors_of(scene);

    cs_jsonw_key(w, key);
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++) {
        struct cs_color color =
            bands ? cs_palette_shade(i, bands, theme) : cs_palette_bar(i, theme);

        cs_jsonw_string(w, cs_color_text(color).text);
    }
    cs_jsonw_close(w);
}

/* By application: the number of its colour, which for ribbons is their place from the bottom up. */
static void put_hues(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    const struct cs_gantt *g = &scene->gantt;
    int *hue = CS_NEW_ARRAY(scene->arena, int, g->most_apps);

    for (int app = 0; app < g->most_apps && !scene->stream.bands; app++)
        hue[app] = g->hue[app] % CS_PALETTE_BARS;
    for (int b = 0; b < scene->stream.bands; b++)
        hue[scene->stream.band[b].task] = b;
    cs_jsonw_key(w, "hue");
    cs_jsonw_open_flat(w, '[');
    for (int app = 0; app < g->most_apps; app++)
        cs_jsonw_int(w, hue[app]);
    cs_jsonw_close(w);
}

/* The applications that run: by first appearance, or from the bottom of the stack up. */
static void put_apps(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    cs_jsonw_key(w, "apps");
    cs_jsonw_open_flat(w, '[');
    for (int b = 0; b < scene->stream.bands; b++)
        cs_jsonw_int(w, scene->stream.band[b].task);
    for (int i = 0; i < scene->gantt.apps && !scene->stream.bands; i++)
        cs_jsonw_int(w, scene->gantt.app[i]);
    cs_jsonw_close(w);
    put_hues(w, scene);
    put_colors(w, scene, "light", cs_theme(CS_STYLE_COLOR));
    put_colors(w, scene, "dark", cs_theme(CS_STYLE_DARK));
}

static void put_sets(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    struct cs_names *names = cs_names_create(scene->arena);
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *const *set;
    int count;

    cs_jsonw_key(w, "set");
    cs_jsonw_open_flat(w, '[');
    for (size_t i = 0; i < scene->gantt.bars; i++) {
        const struct cs_bar *bar = &scene->gantt.bar[i];

        cs_strbuf_clear(&text);
        cs_procset_print(&text, bar->procs, bar->intervals);
        cs_jsonw_int(w, cs_names_add(names, text.text));
    }
    cs_jsonw_close(w);
    set = cs_names_list(names, &count);
    cs_jsonw_key(w, "sets");
    cs_jsonw_open_flat(w, '[');
    for (int i = 0; i < count; i++)
        cs_jsonw_string(w, set[i]);
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
}

enum column { TASK, ATTEMPT, KIND, GROUP, COUNT, START, END, COLUMNS };

static int page_schedule_cell(const struct cs_bar *bar, enum column column)
{
    const int cell[] = {[TASK] = bar->task,
                        [ATTEMPT] = bar->attempt,
                        [KIND] = (int)bar->kind,
                        [GROUP] = bar->group,
                        [COUNT] = bar->count};

    return cell[column];
}

static void put_cell(struct cs_jsonw *w, const struct cs_bar *bar, enum column column)
{
    if (column >= START)
        cs_jsonw_double(w, column == START ? bar->start : bar->end);
    else
        cs_jsonw_int(w, page_schedule_cell(bar, column));
}

/* Does the column have one value? */
static bool column_is_even(const struct cs_gantt *g, enum column column)
{
    for (size_t i = 1; i < g->bars && column < START; i++)
        if (page_schedule_cell(&g->bar[i], column) != page_schedule_cell(g->bar, column))
            return false;
    return column < START;
}

static void put_column(struct cs_jsonw *w, const struct cs_gantt *g, enum column column,
                       bool counts)
{
    if (counts && column_is_even(g, column)) {
        put_cell(w, g->bar, column);
        return;
    }
    cs_jsonw_open_flat(w, '[');
    for (size_t i = 0; i < g->bars; i++)
        put_cell(w, &g->bar[i], column);
    cs_jsonw_close(w);
}

static void put_bars(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    static const char *const names[COLUMNS] = {"task",  "attempt", "kind", "group",
                                               "count", "start",   "end"};
    const bool counts = cs_schedule_has_counts(scene->schedule);

    cs_jsonw_key(w, "bars");
    cs_jsonw_open(w, '{');
    for (enum column c = TASK; c < COLUMNS; c++) {
        if (c == COUNT && !counts)
            continue;
        cs_jsonw_key(w, names[c]);
        put_column(w, &scene->gantt, c, counts);
    }
    if (!counts)
        put_sets(w, scene);
    cs_jsonw_close(w);
}

/* Background and foreground of the bars. */

static void put_faults(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    cs_jsonw_key(w, "faults");
    cs_jsonw_open(w, '[');
    for (int i = 0; i < scene->faults; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_double(w, "time", scene->fault[i].time);
        cs_jsonw_put_int(w, "processor", scene->fault[i].processor);
        cs_jsonw_put_string(w, "effect", scene->file->malleable->fault[i].effect);
        cs_jsonw_put_bool(w, "struck", scene->fault[i].failures_hit);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void put_clusters(struct cs_jsonw *w, const struct cs_platform *platform)
{
    cs_jsonw_key(w, "clusters");
    cs_jsonw_open(w, '[');
    for (int i = 0; platform && platform->clusters > 1 && i < platform->clusters; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", platform->cluster[i].name);
        cs_jsonw_put_int(w, "first", platform->cluster[i].first);
        cs_jsonw_put_int(w, "procs", platform->cluster[i].procs);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Groups that follow one another. */
static void put_groups(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    const struct cs_gantt *g = &scene->gantt;

    cs_jsonw_key(w, "groups");
    cs_jsonw_open(w, '[');
    for (int i = 0; g->split == CS_GANTT_BY_TIME && !scene->slots && i < g->groups; i++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "number", g->group[i].number);
        cs_jsonw_put_double(w, "start", g->group[i].start);
        cs_jsonw_put_double(w, "end", g->group[i].end);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

/* Runs of states: "u17r5d3". */
static void put_trace(struct cs_jsonw *w, const char *trace, struct cs_strbuf *text)
{
    cs_strbuf_clear(text);
    for (const char *c = trace; *c;) {
        size_t run = 1;

        while (c[run] == *c)
            run++;
        cs_strbuf_printf(text, "%c%zu", *c, run);
        c += run;
    }
    cs_jsonw_put_string(w, "states", text->text);
}

static void put_hosts(struct cs_jsonw *w, const struct cs_volatile_declared *trial)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_jsonw_put_int(w, "last_slot", trial->slots);
    cs_jsonw_put_int(w, "completed", trial->completed);
    cs_jsonw_key(w, "hosts");
    cs_jsonw_open(w, '[');
    for (int q = 0; q < trial->hosts; q++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", trial->host[q]);
        put_trace(w, trial->trace[q], &text);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
}

static void put_kinds(struct cs_jsonw *w)
{
    cs_jsonw_key(w, "kinds");
    cs_jsonw_open_flat(w, '[');
    cs_jsonw_string(w, "");
    for (int kind = CS_BAR_WORK; kind <= CS_BAR_KIND_LAST; kind++)
        cs_jsonw_string(w, cs_bar_kind_name((enum cs_bar_kind)kind));
    cs_jsonw_close(w);
}

static void put_scene(struct cs_jsonw *w, const struct cs_page_scene *scene)
{
    cs_jsonw_open(w, '{');
    w->dense = cs_schedule_has_counts(scene->schedule);
    cs_jsonw_put_string(w, "problem", cs_schedule_problem(scene->schedule));
    cs_jsonw_put_string(w, "policy", scene->file->policy);
    if (scene->file->command[0])
        cs_jsonw_put_string(w, "command", scene->file->command);
    cs_jsonw_put_string(w, "unit", scene->unit);
    cs_jsonw_put_string(w, "group", scene->group);
    cs_jsonw_put_bool(w, "slots", scene->slots);
    cs_jsonw_put_bool(w, "ribbons", scene->stream.bands > 0);
    cs_jsonw_put_int(w, "procs", scene->gantt.procs);
    cs_jsonw_put_double(w, "begin", scene->gantt.begin);
    cs_jsonw_put_double(w, "end", scene->gantt.end);
    cs_jsonw_put_double(w, "bound", scene->bound);
    cs_page_scene_put_facts(w, scene);
    put_kinds(w);
    page_schedule_put_names(w, scene);
    put_apps(w, scene);
    put_faults(w, scene);
    put_clusters(w, cs_schedule_platform(scene->schedule));
    put_groups(w, scene);
    if (scene->file->trial)
        put_hosts(w, scene->file->trial);
    put_bars(w, scene);
    cs_jsonw_close(w);
}

/* A picture without scripts, unless there are too many bars without numbers of processors. */
static bool draw_still(const struct cs_page_scene *scene, struct cs_strbuf *svg)
{
    struct cs_error why = {0};

    if (scene->gantt.bars <= STILL_BARS || !cs_schedule_has_counts(scene->schedule))
        return !cs_page_scene_draw(scene, &(struct cs_chart_style){.width = STILL}, svg, &why);
    cs_strbuf_printf(svg,
                     "<p class=\"notice\">This chart of %zu bars needs scripts; "
                     "<code>cosched plot</code> draws it as a file.</p>",
                     scene->gantt.bars);
    return true;
}

/* Few bars get numbers. */
static bool page_schedule_fits(struct cs_schedule *schedule)
{
    size_t bars;

    cs_schedule_bars(schedule, &bars);
    return bars > STILL_BARS ? cs_schedule_fits(schedule) : cs_schedule_number(schedule);
}

int cs_page_add_schedule(struct cs_page *page, const struct cs_schedule_file *file,
                         const char *heading, struct cs_error *err)
{
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_page_section section = {.kind = "schedule", .heading = heading};
    struct cs_page_scene scene;
    struct cs_arena *arena;

    if ((!page_schedule_fits(file->schedule) && cs_schedule_need_numbers(file->schedule, err)) ||
        cs_gantt_readable(file->schedule, err))
        return -1;
    arena = cs_arena_create();
    scene = cs_page_scene_of(file, arena);
    if (draw_still(&scene, &svg))
        section.still = svg.text;
    put_scene(cs_page_open_section(page, &section), &scene);
    cs_page_close_section(page);
    cs_strbuf_release(&svg);
    cs_arena_destroy(arena);
    return 0;
}
