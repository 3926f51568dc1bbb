/* experiment_list.c - which experiments lie below a folder. */
#include "base/guard.h"
#include "base/strbuf.h"
#include "campaign/experiment.h"
#include "config.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct list {
    struct cs_arena *arena;
    const char **name;
    int count, capacity;
};

struct folder {
    struct cs_guarded guarded;
    DIR *stream;
};

static void experiment_list_drop(struct cs_guarded *guarded)
{
    closedir(((struct folder *)(void *)guarded)->stream);
}

static void experiment_list_add(struct list *list, const char *name, size_t length)
{
    if (list->count == list->capacity) {
        int capacity = 2 * list->capacity + 16;
        const char **grown = CS_NEW_ARRAY(list->arena, const char *, capacity);

        for (int i = 0; i < list->count; i++)
            grown[i] = list->name[i];
        list->name = grown;
        list->capacity = capacity;
    }
    list->name[list->count++] = cs_arena_strndup(list->arena, name, length);
}

static bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* `path` is the folder, its first `root` bytes are not part of names. */
static int experiment_list_visit(struct list *list, struct cs_strbuf *path, size_t root)
{
    const size_t length = path->length;
    struct folder folder = {.stream = opendir(path->text)};
    struct dirent *entry;

    if (!folder.stream)
        return -1;
    cs_guard_keep(&folder.guarded, experiment_list_drop);
    while ((entry = readdir(folder.stream))) {
        size_t size = strlen(entry->d_name);

        if (entry->d_name[0] == '.' || entry->d_name[0] == '_')
            continue;
        path->length = length;
        path->text[length] = 0;
        cs_strbuf_printf(path, "/%s", entry->d_name);
        if (is_folder(path->text))
            experiment_list_visit(list, path, root);
        else if (size > 5 && !strcmp(entry->d_name + size - 5, ".json"))
            experiment_list_add(list, path->text + root, strlen(path->text) - root - 5);
    }
    cs_guard_discard(&folder.guarded);
    closedir(folder.stream);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *cs_experiment_folder(const char *folder)
{
    return folder ? folder : CS_DATADIR "/papers";
}

int cs_experiment_list(const char *folder, struct cs_arena *arena, const char *const **names,
                       int *count, struct cs_error *err)
{
    struct list list = {.arena = arena};
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    cs_strbuf_puts(&path, folder);
    status = experiment_list_visit(&list, &path, path.length + 1);
    cs_strbuf_release(&path);
    if (status)
        return cs_error_set(err, "%s: there is no such folder of papers", folder);
    if (list.count)
        qsort(list.name, (size_t)list.count, sizeof *list.name, compare);
    *names = list.name;
    *count = list.count;
    return 0;
}
