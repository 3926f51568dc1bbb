/* papers.c - where the papers are. */
#include "cli/campaign/papers.h"

#include "base/file.h"
#include "base/spell.h"
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
static char *beside_tool(struct cs_arena *arena, int up, const char *tail)
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

/* Where the tool was built a file beside it names the folder of the source. */
static const char *source_papers(struct cs_arena *arena)
{
    const char *note = beside_tool(arena, 0, "cosched.papers");
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error none = {{0}};
    const char *folder = NULL;

    if (note && !access(note, R_OK) && !cs_file_read(note, 4096, &text, &none))
        folder = cs_arena_strndup(arena, text.text, strcspn(text.text, "\n"));
    cs_strbuf_release(&text);
    return folder;
}

/* PREFIX/share/cosched/papers when this tool is PREFIX/bin/cosched comes first. */
static const char *find_folder(struct cs_arena *arena)
{
    const char *place[] = {beside_tool(arena, 1, "share/cosched/papers"), source_papers(arena),
                           CS_DATADIR "/papers"};

    for (size_t p = 0; p < sizeof place / sizeof *place; p++)
        if (place[p] && is_folder(place[p]))
            return place[p];
    return CS_DATADIR "/papers";
}

int cs_papers_find(const struct cs_arguments *args, struct cs_arena *arena,
                   struct cs_papers *papers, struct cs_error *err)
{
    const char *given = args ? cs_arguments_text(args, "papers") : NULL;

    papers->folder = given ? given : find_folder(arena);
    return cs_experiment_list(papers->folder, arena, &papers->name, &papers->count, err);
}

int cs_papers_check(const struct cs_papers *papers, const char *name, struct cs_error *err)
{
    struct cs_spell spell = {.word = name};

    for (int p = 0; p < papers->count; p++) {
        if (!strcmp(papers->name[p], name))
            return 0;
        cs_spell_offer(&spell, papers->name[p]);
    }
    if (*spell.best)
        return cs_error_set(err, "there is no paper \"%s\"; did you mean \"%s\"?", name,
                            spell.best);
    return cs_error_set(err, "there is no paper \"%s\"; `cosched paper list` names them", name);
}

struct cs_experiment *cs_papers_read(const struct cs_papers *papers, const char *name, bool quick,
                                     struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = name, .quick = quick};
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_experiment *paper;

    cs_strbuf_printf(&file, "%s/%s.json", papers->folder, name);
    paper = cs_experiment_read(file.text, &how, err);
    cs_strbuf_release(&file);
    return paper;
}

enum cs_table_format cs_papers_format(const struct cs_arguments *args)
{
    static const enum cs_table_format format[] = {[CS_FORMAT_TABLE] = CS_TABLE_TEXT,
                                                  [CS_FORMAT_JSON] = CS_TABLE_JSON,
                                                  [CS_FORMAT_CSV] = CS_TABLE_CSV};

    return format[cs_arguments_choice(args, "format")];
}

enum cs_store_mode cs_papers_store_mode(const struct cs_arguments *args)
{
    return CS_STORE_WRITE | (cs_arguments_given(args, "other-build") ? CS_STORE_OTHER_BUILD : 0);
}

void cs_papers_words(struct cs_strbuf *words)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_papers papers;

    cs_strbuf_puts(words, "all");
    if (!cs_papers_find(NULL, arena, &papers, NULL))
        for (int p = 0; p < papers.count; p++)
            cs_strbuf_printf(words, " %s", papers.name[p]);
    cs_arena_destroy(arena);
}
