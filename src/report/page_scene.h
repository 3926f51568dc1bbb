/* page_scene.h - shared declarations of the files that put a schedule into a page; no other file
 * includes it. */
#ifndef CS_REPORT_PAGE_SCENE_H
#define CS_REPORT_PAGE_SCENE_H

#include "base/jsonw.h"
#include "model/schedule.h"
#include "report/gantt_parts.h"
#include "report/ribbons_parts.h"
#include "report/schedule_chart.h"
#include "report/svg.h"

struct cs_page_scene {
    const struct cs_schedule_file *file;
    const struct cs_schedule *schedule;
    const char *unit;         /* of a processor */
    const char *group;        /* of bars: "pack", ... */
    bool slots;               /* times are slots, not seconds */
    double bound;             /* on the makespan, seconds; NaN: none */
    struct cs_gantt gantt;    /* collected: applications, groups, sums */
    struct cs_ribbons stream; /* malleable only, collected: bands */
    int faults;
    struct cs_bolt_fault *fault;
    int owners; /* applications that several tasks belong to; 0: each task is one */
    int *owner; /* by task */
    const char **owner_name;
    struct cs_arena *arena;
};

/* page_facts.c: keys "lead", "facts" and "check". */
void cs_page_scene_put_facts(struct cs_jsonw *w, const struct cs_page_scene *scene);

/* page_scene.c; its memory is in the arena, the caller keeps the file. */
struct cs_page_scene cs_page_scene_of(const struct cs_schedule_file *file, struct cs_arena *arena);

/* schedule_chart.c: the picture that is printed. */
int cs_page_scene_draw(const struct cs_page_scene *scene, const struct cs_chart_style *appearance,
                       struct cs_strbuf *svg, struct cs_error *err);

#endif
