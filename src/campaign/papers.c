/* papers.c - which papers are run, with what is given to them. */
#include "campaign/papers.h"

#include "base/spell.h"

#include <string.h>

struct gift {
    const char *name, *text;
    bool taken;
};

struct chooser {
    const struct cs_paper_run_options *options;
    const struct cs_watch *watch;
    struct cs_arena *arena;
    const char *folder;
    const char *const *name; /* of all papers below the folder, count of them, sorted */
    int count;
    struct cs_papers *chosen;
    int gifts;
    struct gift *gift;
};

/* ---- what is given ---- */

static int read_gift(const char *text, struct gift *gift, struct cs_arena *arena,
                     struct cs_error *err)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1])
        return cs_error_set(err, "--set %s: NAME=VALUE is wanted, such as --set scenarios=100",
                            text);
    *gift = (struct gift){.name = cs_arena_strndup(arena, text, (size_t)(equals - text)),
                          .text = equals + 1};
    return 0;
}

static int read_gifts(struct chooser *chooser, struct cs_error *err)
{
    const struct cs_paper_run_options *options = chooser->options;

    chooser->gift = CS_NEW_ARRAY(chooser->arena, struct gift, options->given + 1);
    if (options->input)
        chooser->gift[chooser->gifts++] = (struct gift){.name = "input", .text = options->input};
    for (int g = 0; g < options->given; g++)
        if (read_gift(options->give[g], &chooser->gift[chooser->gifts++], chooser->arena, err))
            return -1;
    return 0;
}

/* `named`: by itself, not with others. */
static int give(struct chooser *chooser, struct cs_experiment *paper, bool named,
                struct cs_error *err)
{
    for (int g = 0; g < chooser->gifts; g++) {
        struct gift *gift = &chooser->gift[g];

        if (!named && cs_experiment_takes(paper, gift->name, NULL))
            continue;
        if (cs_experiment_give(paper, gift->name, gift->text, err))
            return -1;
        gift->taken = true;
    }
    return 0;
}

/* "PAPER needs a job log: give --input FILE". */
static void put_missing(const struct cs_experiment *paper, const struct cs_experiment_need *need,
                        struct cs_error *err)
{
    if (!strcmp(need->parameter, "input"))
        cs_error_set(err, "%s needs %s: give --input FILE", paper->name, need->what);
    else
        cs_error_set(err, "%s needs %s: give --set %s=VALUE", paper->name, need->what,
                     need->parameter);
}

/* ---- papers ---- */

static bool is_chosen(const struct cs_papers *chosen, const char *name)
{
    for (int p = 0; p < chosen->count; p++)
        if (!strcmp(chosen->paper[p]->name, name))
            return true;
    return false;
}

/* Is there such a paper?  -1 with err, which says what may have been meant. */
static int check_name(const struct chooser *chooser, const char *name, struct cs_error *err)
{
    struct cs_spell spell = {.word = name};

    for (int p = 0; p < chooser->count; p++) {
        if (!strcmp(chooser->name[p], name))
            return 0;
        cs_spell_offer(&spell, chooser->name[p]);
    }
    if (*spell.best)
        return cs_error_set(err, "there is no paper \"%s\"; did you mean \"%s\"?", name,
                            spell.best);
    return cs_error_set(err, "there is no paper \"%s\"; `cosched paper list` names them", name);
}

static struct cs_experiment *read_paper(const struct chooser *chooser, const char *name,
                                        struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = name, .quick = chooser->options->quick};
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_experiment *paper;

    cs_strbuf_printf(&file, "%s/%s.json", chooser->folder, name);
    paper = cs_experiment_read(file.text, &how, err);
    cs_strbuf_release(&file);
    if (paper && chooser->options->seeded)
        cs_experiment_set_seed(paper, chooser->options->seed);
    return paper;
}

/* A paper that lacks what it needs is an error or, among others, left out. */
static int skip(struct chooser *chooser, const struct cs_experiment_need *need, bool named,
                struct cs_error *err)
{
    struct cs_papers *chosen = chooser->chosen;
    const struct cs_watch *watch = chooser->watch;
    struct cs_strbuf sentence = CS_STRBUF_INIT;
    struct cs_error missing = {0};

    put_missing(chosen->paper[chosen->count - 1], need, &missing);
    if (named)
        return cs_error_set(err, "%s", missing.text);
    cs_strbuf_printf(&sentence, "skipped: %s", missing.text);
    if (watch && watch->warn)
        watch->warn(watch->who, sentence.text);
    cs_strbuf_release(&sentence);
    cs_experiment_destroy(chosen->paper[--chosen->count]);
    return 0;
}

static int add_paper(struct chooser *chooser, const char *name, bool named, struct cs_error *err)
{
    const struct cs_experiment_need *need;
    struct cs_experiment *paper;

    if (is_chosen(chooser->chosen, name))
        return 0;
    paper = read_paper(chooser, name, err);
    if (!paper)
        return -1;
    chooser->chosen->paper[chooser->chosen->count++] = paper;
    if (give(chooser, paper, named, err))
        return -1;
    need = cs_experiment_missing(paper);
    return need ? skip(chooser, need, named, err) : cs_experiment_consent(paper, err);
}

/* The papers in a folder, or all; 1 when it is no such word. */
static int add_folder(struct chooser *chooser, const char *word, struct cs_error *err)
{
    size_t length = strlen(word);
    bool all = !strcmp(word, "all");
    int found = 0;

    for (int p = 0; p < chooser->count; p++) {
        const char *name = chooser->name[p];

        if (!all && (strncmp(name, word, length) || name[length] != '/'))
            continue;
        found++;
        if (add_paper(chooser, name, false, err))
            return -1;
    }
    return all || found ? 0 : 1;
}

static int add(struct chooser *chooser, const char *word, struct cs_error *err)
{
    int status = add_folder(chooser, word, err);

    if (status <= 0)
        return status;
    return check_name(chooser, word, err) || add_paper(chooser, word, true, err) ? -1 : 0;
}

int cs_papers_choose(const char *const *names, int count,
                     const struct cs_paper_run_options *options, const struct cs_watch *watch,
                     struct cs_arena *arena, struct cs_papers *papers, struct cs_error *err)
{
    struct chooser chooser = {.options = options,
                              .watch = watch,
                              .arena = arena,
                              .folder = cs_experiment_folder(options->folder),
                              .chosen = papers};

    *papers = (struct cs_papers){0};
    if (cs_experiment_list(chooser.folder, arena, &chooser.name, &chooser.count, err) ||
        read_gifts(&chooser, err))
        return -1;
    papers->paper = CS_NEW_ARRAY(arena, struct cs_experiment *, chooser.count + 1);
    for (int n = 0; n < count; n++)
        if (add(&chooser, names[n], err))
            return -1;
    for (int g = 0; g < chooser.gifts; g++)
        if (!chooser.gift[g].taken)
            return cs_error_set(err, "none of these papers takes '%s'", chooser.gift[g].name);
    return 0;
}

void cs_papers_release(struct cs_papers *papers)
{
    for (int p = 0; p < papers->count; p++)
        cs_experiment_destroy(papers->paper[p]);
    papers->count = 0;
}
