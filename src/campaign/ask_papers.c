/* ask_papers.c - which papers can be computed again, for programs: a list as JSON. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "campaign/experiment.h"

#include <cosched/campaign.h>

/* "input: a job log" */
static void put_needs(const struct cs_experiment *paper, struct cs_jsonw *w)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int n = 0; n < paper->needs; n++)
        cs_strbuf_printf(&text, "%s%s: %s", n ? "; " : "", paper->need[n].parameter,
                         paper->need[n].what);
    cs_jsonw_put_string(w, "needs", text.text);
    cs_strbuf_release(&text);
}

static void put_paper(const struct cs_experiment *paper, struct cs_jsonw *w)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", paper->name);
    cs_jsonw_put_string(w, "place", paper->place);
    cs_jsonw_put_string(w, "title", paper->title);
    cs_jsonw_put_int(w, "runs", paper->count);
    cs_jsonw_put_int(w, "claims", paper->claims);
    put_needs(paper, w);
    cs_jsonw_put_string(w, "citation", paper->citation);
    cs_jsonw_put_string(w, "file", paper->file);
    cs_jsonw_close(w);
}

static int add_paper(const char *folder, const char *name, struct cs_jsonw *w, struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = name};
    struct cs_strbuf file = CS_STRBUF_INIT;
    struct cs_experiment *paper;

    cs_strbuf_printf(&file, "%s/%s.json", folder, name);
    paper = cs_experiment_read(file.text, &how, err);
    cs_strbuf_release(&file);
    if (!paper)
        return -1;
    put_paper(paper, w);
    cs_experiment_destroy(paper);
    return 0;
}

/* `brief`: names alone, for which no file is read. */
static char *ask_papers_list(const char *folder, bool brief, struct cs_arena *arena,
                             struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    const char *const *name = NULL;
    int count = 0, status = cs_experiment_list(folder, arena, &name, &count, err);

    cs_jsonw_open(&w, '[');
    for (int p = 0; p < count && !status; p++) {
        if (brief)
            cs_jsonw_string(&w, name[p]);
        else
            status = add_paper(folder, name[p], &w, err);
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    if (!status)
        return cs_strbuf_take(&text);
    cs_strbuf_release(&text);
    return NULL;
}

char *cs_paper_list(const char *folder, bool brief, struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    char *text = ask_papers_list(cs_experiment_folder(folder), brief, arena, err);

    cs_arena_destroy(arena);
    return text;
}
