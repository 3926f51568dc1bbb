/* joblist.c - a list of jobs that grows. */
#include "io/joblist_build.h"

#include <math.h>
#include <string.h>

void cs_joblist_draft_begin(struct cs_joblist_draft *draft)
{
    *draft = (struct cs_joblist_draft){.arena = cs_arena_create()};
    draft->names = cs_names_create(draft->arena);
}

const char *cs_joblist_draft_fault(const struct cs_joblist_draft *draft, const char *name)
{
    const char *fault = cs_names_fault(name);

    if (fault)
        return fault;
    return cs_names_find(draft->names, name) < 0 ? NULL : "another job has it already";
}

static void joblist_grow(struct cs_joblist_draft *draft)
{
    int room = draft->room ? 2 * draft->room : 64;
    double *seconds = CS_NEW_ARRAY(draft->arena, double, room);
    int *procs = CS_NEW_ARRAY(draft->arena, int, room);

    if (draft->count) {
        memcpy(seconds, draft->seconds, (size_t)draft->count * sizeof *seconds);
        memcpy(procs, draft->procs, (size_t)draft->count * sizeof *procs);
    }
    draft->seconds = seconds;
    draft->procs = procs;
    draft->room = room;
}

void cs_joblist_draft_add(struct cs_joblist_draft *draft, const char *name, double seconds,
                          int procs)
{
    if (draft->count == draft->room)
        joblist_grow(draft);
    cs_names_add(draft->names, name);
    draft->seconds[draft->count] = seconds;
    draft->procs[draft->count++] = procs;
}

struct cs_joblist *cs_joblist_draft_end(struct cs_joblist_draft *draft, int status)
{
    struct cs_joblist *list;
    int count;

    if (status) {
        cs_arena_destroy(draft->arena);
        return NULL;
    }
    list = CS_NEW(draft->arena, struct cs_joblist);
    *list = (struct cs_joblist){
        .rate = NAN,
        .remark = "",
        .count = draft->count,
        .name = cs_names_list(draft->names, &count),
        .seconds = draft->seconds,
        .procs = draft->procs,
        .storage = draft->arena,
    };
    return list;
}

void cs_joblist_destroy(struct cs_joblist *list)
{
    if (list)
        cs_arena_destroy(list->storage);
}
