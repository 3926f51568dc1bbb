/* graph_build.c - tasks and arcs that come one by one. */
#include "io/graph_build.h"

#include "base/rng.h"
#include "base/strbuf.h"

#include <limits.h>
#include <string.h>

#define TASKS_MOST (INT_MAX / 4)
#define PURPOSE_ALPHA 0x616c7068 /* a separate stream */

void cs_graph_draft_begin(struct cs_graph_draft *draft, const char *file,
                          const struct cs_graph_reading *how)
{
    *draft = (struct cs_graph_draft){.file = file, .how = how, .arena = cs_arena_create()};
    draft->names = cs_names_create(draft->arena);
}

int cs_graph_draft_find(const struct cs_graph_draft *draft, const char *name)
{
    return cs_names_find(draft->names, name);
}

static int refuse_name(const char *name, const char *why, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_put_excerpt(&text, name);
    cs_error_set(err, "the name %s of a task: %s", text.text, why);
    cs_strbuf_release(&text);
    return -1;
}

int cs_graph_draft_task(struct cs_graph_draft *draft, const char *name, double flops, double alpha,
                        struct cs_error *err)
{
    const char *fault = cs_names_fault(name);

    if (fault)
        return refuse_name(name, fault, err);
    if (cs_names_find(draft->names, name) >= 0)
        return refuse_name(name, "another task has it already", err);
    if (draft->tasks == TASKS_MOST)
        return cs_error_set(err, "more than %d tasks", TASKS_MOST);
    if (draft->tasks == draft->task_room) {
        int room = draft->task_room ? 2 * draft->task_room : 64;
        struct cs_graph_task *more = CS_NEW_ARRAY(draft->arena, struct cs_graph_task, room);

        if (draft->tasks > 0)
            memcpy(more, draft->task, (size_t)draft->tasks * sizeof *more);
        draft->task = more;
        draft->task_room = room;
    }
    cs_names_add(draft->names, name);
    draft->task[draft->tasks] = (struct cs_graph_task){
        .name = cs_arena_strdup(draft->arena, name), .flops = flops, .alpha = alpha};
    return draft->tasks++;
}

int cs_graph_draft_arc(struct cs_graph_draft *draft, int from, int to, double bytes,
                       struct cs_error *err)
{
    if (draft->arcs == CS_GRAPH_ARCS_MOST)
        return cs_error_set(err, "more than %d arcs", CS_GRAPH_ARCS_MOST);
    if (draft->arcs == draft->arc_room) {
        int room = draft->arc_room ? 2 * draft->arc_room : 64;
        struct cs_graph_arc *more = CS_NEW_ARRAY(draft->arena, struct cs_graph_arc, room);

        if (draft->arcs > 0)
            memcpy(more, draft->arc, (size_t)draft->arcs * sizeof *more);
        draft->arc = more;
        draft->arc_room = room;
    }
    draft->arc[draft->arcs++] = (struct cs_graph_arc){from, to, bytes};
    return 0;
}

double cs_graph_draft_alpha(const struct cs_graph_draft *draft)
{
    const struct cs_graph_reading *how = draft->how;
    struct cs_rng rng;

    if (!(how->alpha_high > how->alpha))
        return how->alpha;
    cs_rng_init(&rng, how->seed, PURPOSE_ALPHA, (uint64_t)draft->tasks);
    return how->alpha + (how->alpha_high - how->alpha) * cs_rng_uniform(&rng);
}

const char *cs_graph_stem(const char *file, struct cs_arena *arena)
{
    const char *slash = strrchr(file, '/');
    const char *base = slash ? slash + 1 : file;
    const char *dot = base[0] ? strchr(base + 1, '.') : NULL;
    const char *stem = cs_arena_strndup(arena, base, dot ? (size_t)(dot - base) : strlen(base));

    return cs_names_fault(stem) ? "graph" : stem;
}

struct cs_graph *cs_graph_draft_end(struct cs_graph_draft *draft, int status, const char *name,
                                    struct cs_error *err)
{
    struct cs_error fault = {0};
    struct cs_graph *graph = NULL;

    if (status == 0) {
        if (!name || cs_names_fault(name))
            name = cs_graph_stem(draft->file, draft->arena);
        graph = cs_graph_create(name, draft->tasks, draft->task, draft->arcs, draft->arc, &fault);
        if (!graph)
            cs_error_set(err, "%s: %s", draft->file, fault.text);
    }
    cs_arena_destroy(draft->arena);
    return graph;
}
