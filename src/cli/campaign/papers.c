/* papers.c - where the papers are. */
#include "cli/campaign/papers.h"

#include "base/spell.h"
#include "cli/base/papers_folder.h"

#include <string.h>

int cs_papers_find(const struct cs_arguments *args, struct cs_arena *arena,
                   struct cs_papers *papers, struct cs_error *err)
{
    const char *given = args ? cs_arguments_text(args, "papers") : NULL;

    papers->folder = given ? given : cs_papers_folder(arena);
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
