/* papers_folder.c - where the papers are. */
#include "cli/base/papers_folder.h"

#include "base/file.h"
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat status;

    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* A file or folder in the folder of this tool, or in one above it. */
static char *next_to_tool(struct cs_arena *arena, int up, const char *tail)
{
    const size_t room = 4096;
    char *path = CS_NEW_ARRAY(arena, char, room + strlen(tail) + 1);
    ssize_t length = readlink("/proc/self/exe", path, room);

    for (; up >= 0 && length > 0; up--)
        while (length > 0 && path[--length] != '/')
            ;
    if (length <= 0)
        return NULL;
    strcpy(path + length + 1, tail);
    return path;
}

/* In a build directory a file next to the tool has the path of the source. */
static const char *source_papers(struct cs_arena *arena)
{
    const char *note = next_to_tool(arena, 0, "cosched.papers");
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error none = {0};
    const char *folder = NULL;

    if (note && !access(note, R_OK) && !cs_file_read(note, 4096, &text, &none))
        folder = cs_arena_strndup(arena, text.text, strcspn(text.text, "\n"));
    cs_strbuf_release(&text);
    return folder;
}

const char *cs_papers_folder(struct cs_arena *arena)
{
    const char *place[] = {next_to_tool(arena, 1, "share/cosched/papers"), source_papers(arena),
                           CS_DATADIR "/papers"};

    for (size_t p = 0; p < sizeof place / sizeof *place; p++)
        if (place[p] && is_folder(place[p]))
            return place[p];
    return CS_DATADIR "/papers";
}
