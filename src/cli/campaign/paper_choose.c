/* paper_choose.c - which papers are run, with what the user gives them. */
#include "cli/campaign/paper_choose.h"

#include "cli/base/output.h"

#include <string.h>

struct gift {
    const char *name, *text;
    bool taken;
};

struct chooser {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    struct cs_papers papers;
    struct cs_paper_choice *choice;
    int gifts;
    struct gift *gift;
};

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
    const char *input = cs_arguments_text(chooser->args, "input");
    int count;
    const char *const *set = cs_arguments_texts(chooser->args, "set", &count);

    chooser->gift = CS_NEW_ARRAY(chooser->arena, struct gift, count + 1);
    if (input)
        chooser->gift[chooser->gifts++] = (struct gift){.name = "input", .text = input};
    for (int s = 0; s < count; s++)
        if (read_gift(set[s], &chooser->gift[chooser->gifts++], chooser->arena, err))
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

static bool is_chosen(const struct cs_paper_choice *choice, const char *name)
{
    for (int p = 0; p < choice->count; p++)
        if (!strcmp(choice->paper[p]->name, name))
            return true;
    return false;
}

static int add_paper(struct chooser *chooser, const char *name, bool named, struct cs_error *err)
{
    struct cs_paper_choice *choice = chooser->choice;
    const struct cs_experiment_need *need;
    struct cs_error missing = {{0}};
    struct cs_experiment *paper;

    if (is_chosen(choice, name))
        return 0;
    paper = cs_papers_read(&chooser->papers, name, cs_arguments_given(chooser->args, "quick"), err);
    if (!paper)
        return -1;
    choice->paper[choice->count++] = paper;
    if (cs_arguments_given(chooser->args, "seed"))
        cs_experiment_set_seed(paper, (uint64_t)cs_arguments_integer(chooser->args, "seed"));
    if (give(chooser, paper, named, err))
        return -1;
    need = cs_experiment_missing(paper);
    if (!need)
        return cs_experiment_consent(paper, err);
    put_missing(paper, need, &missing);
    if (named)
        return cs_error_set(err, "%s", missing.text);
    cs_output_warn("skipped: %s", missing.text);
    cs_experiment_destroy(choice->paper[--choice->count]);
    return 0;
}

/* The papers in a folder, or all; 1 when it is no such word. */
static int add_folder(struct chooser *chooser, const char *word, struct cs_error *err)
{
    size_t length = strlen(word);
    bool all = !strcmp(word, "all");
    int found = 0;

    for (int p = 0; p < chooser->papers.count; p++) {
        const char *name = chooser->papers.name[p];

        if (!all && (strncmp(name, word, length) || name[length] != '/'))
            continue;
        found++;
        if (add_paper(chooser, name, false, err))
            return -1;
    }
    return all || found ? 0 : 1;
}

static int add_operands(struct chooser *chooser, struct cs_error *err)
{
    const struct cs_arguments *args = chooser->args;

    for (int o = 0; o < args->operands; o++) {
        int status = add_folder(chooser, args->operand[o], err);

        if (status > 0)
            status = cs_papers_check(&chooser->papers, args->operand[o], err) ||
                             add_paper(chooser, args->operand[o], true, err)
                         ? -1
                         : 0;
        if (status)
            return -1;
    }
    for (int g = 0; g < chooser->gifts; g++)
        if (!chooser->gift[g].taken)
            return cs_error_set(err, "none of these papers takes '%s'", chooser->gift[g].name);
    return 0;
}

int cs_paper_choose(const struct cs_arguments *args, struct cs_arena *arena,
                    struct cs_paper_choice *choice, struct cs_error *err)
{
    struct chooser chooser = {.args = args, .arena = arena, .choice = choice};

    *choice = (struct cs_paper_choice){0};
    if (cs_papers_find(args, arena, &chooser.papers, err) || read_gifts(&chooser, err))
        return -1;
    choice->folder = chooser.papers.folder;
    choice->paper = CS_NEW_ARRAY(arena, struct cs_experiment *, chooser.papers.count + 1);
    return add_operands(&chooser, err);
}

void cs_paper_choice_release(struct cs_paper_choice *choice)
{
    for (int p = 0; p < choice->count; p++)
        cs_experiment_destroy(choice->paper[p]);
    choice->count = 0;
}
