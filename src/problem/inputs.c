/* inputs.c - the options that name input files, and the digests of these files. */
#include "problem/inputs.h"

#include "base/bug.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Is it a regular file or a document in memory, not a pipe or a directory? */
static bool is_regular(const char *path)
{
    struct stat about;

    return cs_memory_find(path) || (stat(path, &about) == 0 && S_ISREG(about.st_mode));
}

static bool names_file(const struct cs_param *param, const char *text)
{
    if (!text || !(param->actions & (CS_PLAN | CS_SIMULATE)) ||
        !(param->scope & (CS_SCOPE_INSTANCE | CS_SCOPE_VARIANT | CS_SCOPE_DRAW)))
        return false;
    return param->kind == CS_PARAM_PATH || (param->kind == CS_PARAM_TEXT && is_regular(text));
}

struct list {
    struct cs_schedule_input *input;
    int count, room;
    struct cs_arena *arena;
};

static void inputs_add(struct list *list, const char *of, const char *file)
{
    if (list->count == list->room) {
        list->room = 2 * list->room + 4;
        list->input = cs_arena_grow(list->arena, list->input, (size_t)list->count,
                                    (size_t)list->room, sizeof *list->input);
    }
    list->input[list->count++] = (struct cs_schedule_input){of, file, ""};
}

/* Members of parameters that repeat have one file per line. */
static void add_lines(struct list *list, const char *of, const char *lines)
{
    for (const char *const *line = cs_param_lines(lines, list->arena); *line; line++)
        inputs_add(list, of, *line);
}

struct cs_schedule_input *cs_inputs_of(const struct cs_problem *problem,
                                       const struct cs_study_options *options,
                                       struct cs_arena *arena, int *count)
{
    struct list list = {.arena = arena};

    for (const char *const *path = options->inputs; path && *path; path++)
        inputs_add(&list, "input", *path);
    for (const struct cs_param *f = problem->param; f->name; f++) {
        const char *const *member = (const void *)((const char *)options + f->at);

        if ((f->kind == CS_PARAM_PATH || f->kind == CS_PARAM_TEXT) && names_file(f, *member))
            add_lines(&list, f->name, *member);
    }
    *count = list.count;
    return list.input;
}

const char *const *cs_inputs_paths(const struct cs_study_options *options, struct cs_arena *arena)
{
    return options->inputs && *options->inputs ? options->inputs
                                               : cs_param_lines(options->input, arena);
}

int cs_inputs_digest(struct cs_schedule_input *input, int count, struct cs_arena *arena,
                     struct cs_error *err)
{
    char text[CS_DIGEST_TEXT];

    for (int i = 0; i < count; i++) {
        if (!is_regular(input[i].file) && !cs_file_is_folder(input[i].file))
            continue;
        errno = 0;
        if (cs_digest_file(input[i].file, text, err)) {
            if (errno == ENOMEM)
                cs_bug_no_memory(0);
            return -1;
        }
        input[i].sha256 = cs_arena_strdup(arena, text);
    }
    return 0;
}
