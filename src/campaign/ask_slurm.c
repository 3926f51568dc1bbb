/* ask_slurm.c - a sweep as jobs of Slurm, for programs: scripts, and what is left to do, as JSON.
 */
#include "base/guard.h"
#include "base/jsonw.h"
#include "campaign/slurm.h"

#include <cosched/campaign.h>
#include <limits.h>
#include <unistd.h>

#define USUAL_TASKS 8
#define MOST_TASKS 1000000

struct array {
    const struct cs_campaign_slurm_options *options;
    struct cs_arena *arena;
    struct cs_experiment *sweep;
    struct cs_slurm slurm;
    bool *unfinished; /* by shard */
    int lacks;        /* cells that the merged store has not */
};

/* ---- paths ---- */

static const char *keep(struct array *array, struct cs_strbuf *text)
{
    const char *kept = cs_arena_strdup(array->arena, text->text);

    cs_strbuf_release(text);
    return kept;
}

static const char *join(struct array *array, const char *first, const char *between,
                        const char *last)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%s%s%s", first, between, last);
    return keep(array, &text);
}

static const char *absolute(struct array *array, const char *path)
{
    char here[PATH_MAX];

    return *path == '/' || !getcwd(here, sizeof here) ? path : join(array, here, "/", path);
}

static void put_option(struct cs_strbuf *out, const char *name, const char *value)
{
    cs_strbuf_printf(out, " --%s ", name);
    cs_strbuf_put_shell(out, value);
}

/* What to type, in whichever folder, to submit what is unfinished. */
static const char *again(struct array *array)
{
    const struct cs_slurm *slurm = &array->slurm;
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_put_shell(&text, slurm->tool);
    cs_strbuf_puts(&text, " campaign slurm ");
    cs_strbuf_put_shell(&text, slurm->sweep);
    cs_strbuf_printf(&text, " --tasks %d", slurm->tasks);
    put_option(&text, "store", slurm->store);
    put_option(&text, "folder", slurm->folder);
    for (int w = 0; w < array->options->words; w++)
        put_option(&text, "sbatch", array->options->sbatch[w]);
    return keep(array, &text);
}

static void set_paths(struct array *array)
{
    const struct cs_campaign_slurm_options *options = array->options;
    const char *name = array->sweep->name;
    const char *folder = options->folder ? options->folder : join(array, name, "-slurm", "");
    const char *store = options->store ? options->store : join(array, name, ".db", "");

    array->slurm = (struct cs_slurm){
        .tool = options->tool ? options->tool : "cosched",
        .sweep = absolute(array, array->sweep->file),
        .folder = absolute(array, folder),
        .store = absolute(array, store),
        .name = name,
        .tasks = options->tasks ? options->tasks : USUAL_TASKS,
    };
    array->slurm.again = again(array);
}

/* ---- what there is ---- */

static int look(struct array *array, struct cs_error *err)
{
    const struct cs_experiment *sweep = array->sweep;

    if (array->slurm.tasks > sweep->count)
        return cs_error_set(err, "--tasks %d: %s has only %d runs; ask for at most as many",
                            array->slurm.tasks, sweep->name, sweep->count);
    array->unfinished = CS_NEW_ARRAY(array->arena, bool, array->slurm.tasks);
    return cs_experiment_consent(sweep, err) ||
                   cs_slurm_lacks(&array->slurm, sweep, &array->lacks, err) ||
                   cs_slurm_look(&array->slurm, sweep, array->unfinished, err)
               ? -1
               : 0;
}

/* ---- what is told ---- */

static void put_unfinished(const struct array *array, struct cs_jsonw *w)
{
    struct cs_strbuf ranges = CS_STRBUF_INIT;
    int elements = 0;

    for (int s = 0; s < array->slurm.tasks; s++)
        elements += array->unfinished[s];
    if (elements)
        cs_strbuf_put_ranges(&ranges, array->unfinished, array->slurm.tasks);
    cs_jsonw_put_int(w, "elements", elements);
    cs_jsonw_put_string(w, "unfinished", elements ? ranges.text : NULL);
    cs_strbuf_release(&ranges);
}

static void put_script(const struct array *array, struct cs_jsonw *w, const char *key,
                       void (*put)(const struct cs_slurm *slurm, struct cs_strbuf *out))
{
    struct cs_strbuf script = CS_STRBUF_INIT;

    put(&array->slurm, &script);
    cs_jsonw_put_string(w, key, script.text);
    cs_strbuf_release(&script);
}

static char *tell(const struct array *array)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "name", array->slurm.name);
    cs_jsonw_put_string(&w, "folder", array->slurm.folder);
    cs_jsonw_put_string(&w, "store", array->slurm.store);
    cs_jsonw_put_int(&w, "tasks", array->slurm.tasks);
    cs_jsonw_put_int(&w, "runs", array->sweep->count);
    cs_jsonw_put_int(&w, "lacking", array->lacks);
    put_unfinished(array, &w);
    put_script(array, &w, "array", cs_slurm_put_array);
    put_script(array, &w, "merge", cs_slurm_put_merge);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}

static char *ask(struct array *array, const char *sweep, struct cs_error *err)
{
    char *text = NULL;

    array->sweep = cs_experiment_read(sweep, NULL, err);
    if (!array->sweep)
        return NULL;
    set_paths(array);
    if (!look(array, err))
        text = tell(array);
    cs_experiment_destroy(array->sweep);
    return text;
}

/* ---- the function ---- */

static int check_options(const struct cs_campaign_slurm_options *options, struct cs_error *err)
{
    if (cs_ask_size("the options of jobs for Slurm", options->size, sizeof *options, err))
        return -1;
    for (int w = 0; w < options->words; w++)
        if (!options->sbatch || !options->sbatch[w])
            return cs_error_set(err, "options for sbatch are so many texts, none of them NULL");
    if (options->words < 0 || options->tasks < 0 || options->tasks > MOST_TASKS)
        return cs_error_set(err,
                            "an array of %d jobs with %d options for sbatch: expected 1 to %d "
                            "jobs, and no negative number",
                            options->tasks, options->words, MOST_TASKS);
    return 0;
}

char *cs_campaign_slurm(const char *sweep, const struct cs_campaign_slurm_options *options,
                        struct cs_error *err)
{
    CS_ASK(sweep, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_campaign_slurm_options usual = {.size = sizeof usual};
    struct array array = {.options = options ? options : &usual};
    char *text;

    if (check_options(array.options, err))
        return NULL;
    array.arena = cs_arena_create();
    text = ask(&array, sweep, err);
    cs_arena_destroy(array.arena);
    return text;
}
