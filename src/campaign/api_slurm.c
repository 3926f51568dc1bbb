/* api_slurm.c - a sweep as jobs of Slurm, for programs: scripts, and what is left to do, as JSON.
 */
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/plain.h"
#include "campaign/experiment.h"
#include "campaign/store.h"

#include <cosched/campaign.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* scripts, and what came of them. */

struct cs_slurm {
    const char *tool;   /* the program cosched; this and the next three are absolute paths */
    const char *sweep;  /* the file */
    const char *folder; /* directory of scripts and shards */
    const char *store;  /* the merged store */
    const char *name;   /* of the sweep */
    const char *again;  /* the command that submits what is unfinished */
    int tasks;          /* N */
};

/* --- scripts --- */

/* A name for squeue: nothing in it that a line #SBATCH could read otherwise. */
static void ask_slurm_put_name(struct cs_strbuf *out, const char *name)
{
    cs_strbuf_puts(out, "cosched-");
    for (; *name; name++)
        cs_strbuf_putc(out, cs_plain_is_word(*name) || strchr("._-", *name) ? *name : '_');
}

static void put_setting(struct cs_strbuf *out, const char *name, const char *value)
{
    cs_strbuf_printf(out, "%s=", name);
    cs_strbuf_put_shell(out, value);
    cs_strbuf_putc(out, '\n');
}

static void put_folder(struct cs_strbuf *out, const struct cs_slurm *slurm)
{
    put_setting(out, "folder", slurm->folder);
    cs_strbuf_puts(out, "cd \"$folder\" || exit\n");
}

/* Append the scripts. */
static void slurm_put_array(const struct cs_slurm *slurm, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "#!/bin/bash\n"
                        "# Written by cosched campaign slurm: element I of this array runs shard "
                        "I of the sweep.\n"
                        "# A requeued element resumes where it stopped.\n"
                        "#SBATCH --job-name=");
    ask_slurm_put_name(out, slurm->name);
    cs_strbuf_printf(out,
                     "\n#SBATCH --array=1-%d\n"
                     "#SBATCH --output=shard-%%a-of-%d.log\n"
                     "#SBATCH --open-mode=append\n"
                     "#SBATCH --requeue\n\n",
                     slurm->tasks, slurm->tasks);
    put_setting(out, "cosched", slurm->tool);
    put_setting(out, "sweep", slurm->sweep);
    put_folder(out, slurm);
    cs_strbuf_printf(out,
                     "\nshard=${SLURM_ARRAY_TASK_ID:?this is a script for sbatch}\n"
                     "exec \"$cosched\" campaign run \"$sweep\" \\\n"
                     "    --shard \"$shard/%d\" \\\n"
                     "    --store \"shard-$shard-of-%d.db\" \\\n"
                     "    --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n",
                     slurm->tasks, slurm->tasks);
}

static void slurm_put_merge(const struct cs_slurm *slurm, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "#!/bin/bash\n"
                        "# Written by cosched campaign slurm: makes one store of all shards, once "
                        "the array has ended.\n"
                        "#SBATCH --job-name=");
    ask_slurm_put_name(out, slurm->name);
    cs_strbuf_puts(out, "-merge\n"
                        "#SBATCH --output=merge.log\n"
                        "#SBATCH --open-mode=append\n"
                        "#SBATCH --requeue\n\n");
    put_setting(out, "cosched", slurm->tool);
    put_setting(out, "store", slurm->store);
    put_setting(out, "again", slurm->again);
    put_folder(out, slurm);
    cs_strbuf_printf(out,
                     "\nshards=(shard-{1..%d}-of-%d.db)\n"
                     "\"$cosched\" campaign merge --output \"$store\" \"${shards[@]}\" && "
                     "exit\n\n"
                     "# Some runs are missing: merge the finished ones and print how to resume.\n"
                     "\"$cosched\" campaign merge --partial --output \"$store\" "
                     "\"${shards[@]}\"\n"
                     "echo \"To submit the unfinished runs: $again\"\n"
                     "exit 1\n",
                     slurm->tasks, slurm->tasks);
}

/* Append the path of the store of a shard, 1 .. tasks. */
static void put_shard(const struct cs_slurm *slurm, int shard, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s/shard-%d-of-%d.db", slurm->folder, shard, slurm->tasks);
}

/* --- existing stores --- */

static bool has_document(const struct cs_document *list, int count,
                         const struct cs_experiment *sweep)
{
    struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
    struct cs_document wanted = cs_experiment_document(sweep, text);
    bool has = false;

    for (int d = 0; d < count; d++)
        has = has || (!strcmp(list[d].kind, wanted.kind) && !strcmp(list[d].text, wanted.text));
    cs_strbuf_release(&text[0]);
    cs_strbuf_release(&text[1]);
    return has;
}

static int count_lacking(struct cs_store *store, const struct cs_experiment *sweep, int shard,
                         int shards, int *lacks, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    bool *known = CS_NEW_ARRAY(arena, bool, sweep->count);
    int status = cs_experiment_known(sweep, store, known, err);

    for (int c = 0; c < sweep->count && !status; c++)
        *lacks += !known[c] && (!shards || cs_grid_shard_has(c, shard, shards));
    cs_arena_destroy(arena);
    return status;
}

/* Cells that a store has not; *other: it has documents, but not this sweep. */
static int inspect_into(const char *path, const struct cs_experiment *sweep, int shard, int shards,
                        int *lacks, bool *other, struct cs_error *err)
{
    struct cs_store *store = cs_store_open(path, CS_STORE_READ, err);
    struct cs_arena *arena = cs_arena_create();
    struct cs_document *list;
    int count = 0, status = -1;

    if (store && !cs_store_documents(store, arena, &list, &count, err)) {
        *other = count > 0 && !has_document(list, count, sweep);
        status = count_lacking(store, sweep, shard, shards, lacks, err);
    }
    cs_store_close(store);
    cs_arena_destroy(arena);
    return status;
}

/* A shard that another number of tasks has left, or nothing. */
static int check_number(const struct cs_slurm *slurm, struct cs_error *err)
{
    DIR *folder = opendir(slurm->folder);
    struct dirent *entry;
    int shard, tasks, end, status = 0;

    if (!folder && errno != ENOENT)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", slurm->folder, strerror(errno));
    while (folder && !status && (entry = readdir(folder))) {
        end = 0;
        if (sscanf(entry->d_name, "shard-%d-of-%d.db%n", &shard, &tasks, &end) == 2 &&
            end == (int)strlen(entry->d_name) && tasks != slurm->tasks)
            status = cs_error_set(err,
                                  "%s: has shards of %d tasks; resume with --tasks %d, or choose "
                                  "another --folder",
                                  slurm->folder, tasks, tasks);
    }
    if (folder)
        closedir(folder);
    return status;
}

/* A shard that cannot be read, such as one of an element that was killed at its start, is checked
 * by the element.
 */
static int inspect_shard(const struct cs_slurm *slurm, const struct cs_experiment *sweep, int shard,
                         bool *unfinished, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_error ignored = {0};
    int lacks = 0, status = 0;
    bool other = false;

    put_shard(slurm, shard, &path);
    *unfinished = access(path.text, F_OK) ||
                  inspect_into(path.text, sweep, shard, slurm->tasks, &lacks, &other, &ignored) ||
                  lacks > 0;
    if (other)
        status = cs_error_set(err,
                              "%s: is of another sweep, or of this one before it was changed; "
                              "choose another --folder",
                              path.text);
    cs_strbuf_release(&path);
    return status;
}

/* unfinished[i]: shard i + 1 lacks cells.  Refused are folders with shards of another sweep or
 * another number of tasks. */
static int slurm_inspect(const struct cs_slurm *slurm, const struct cs_experiment *sweep,
                         bool *unfinished, struct cs_error *err)
{
    int status = check_number(slurm, err);

    for (int s = 0; s < slurm->tasks && !status; s++)
        status = inspect_shard(slurm, sweep, s + 1, &unfinished[s], err);
    return status;
}

/* *lacks: how many cells of the sweep the merged store does not have. */
static int slurm_lacks(const struct cs_slurm *slurm, const struct cs_experiment *sweep, int *lacks,
                       struct cs_error *err)
{
    bool other;

    *lacks = sweep->count;
    if (access(slurm->store, F_OK))
        return 0;
    *lacks = 0;
    return inspect_into(slurm->store, sweep, 0, 0, lacks, &other, err);
}

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

static const char *ask_slurm_keep(struct array *array, struct cs_strbuf *text)
{
    const char *kept = cs_arena_strdup(array->arena, text->text);

    cs_strbuf_release(text);
    return kept;
}

static const char *ask_slurm_join(struct array *array, const char *first, const char *between,
                                  const char *last)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%s%s%s", first, between, last);
    return ask_slurm_keep(array, &text);
}

static const char *ask_slurm_absolute(struct array *array, const char *path)
{
    char here[PATH_MAX];

    return *path == '/' || !getcwd(here, sizeof here) ? path
                                                      : ask_slurm_join(array, here, "/", path);
}

static void put_option(struct cs_strbuf *out, const char *name, const char *value)
{
    cs_strbuf_printf(out, " --%s ", name);
    cs_strbuf_put_shell(out, value);
}

/* The command, valid in any directory, that submits the unfinished runs. */
static const char *ask_slurm_again(struct array *array)
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
    return ask_slurm_keep(array, &text);
}

static void set_paths(struct array *array)
{
    const struct cs_campaign_slurm_options *options = array->options;
    const char *name = array->sweep->name;
    const char *folder =
        options->folder ? options->folder : ask_slurm_join(array, name, "-slurm", "");
    const char *store = options->store ? options->store : ask_slurm_join(array, name, ".db", "");

    array->slurm = (struct cs_slurm){
        .tool = options->tool ? options->tool : "cosched",
        .sweep = ask_slurm_absolute(array, array->sweep->file),
        .folder = ask_slurm_absolute(array, folder),
        .store = ask_slurm_absolute(array, store),
        .name = name,
        .tasks = options->tasks ? options->tasks : USUAL_TASKS,
    };
    array->slurm.again = ask_slurm_again(array);
}

/* ---- status ---- */

static int ask_slurm_inspect(struct array *array, struct cs_error *err)
{
    const struct cs_experiment *sweep = array->sweep;

    if (array->slurm.tasks > sweep->count)
        return cs_error_set(err, "--tasks %d: %s has only %d runs; ask for at most as many",
                            array->slurm.tasks, sweep->name, sweep->count);
    array->unfinished = CS_NEW_ARRAY(array->arena, bool, array->slurm.tasks);
    return cs_experiment_consent(sweep, err) ||
                   slurm_lacks(&array->slurm, sweep, &array->lacks, err) ||
                   slurm_inspect(&array->slurm, sweep, array->unfinished, err)
               ? -1
               : 0;
}

/* ---- result ---- */

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

static char *ask_slurm_report(const struct array *array)
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
    put_script(array, &w, "array", slurm_put_array);
    put_script(array, &w, "merge", slurm_put_merge);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&text);
}

static char *ask_slurm_ask(struct array *array, const char *sweep, struct cs_error *err)
{
    char *text = NULL;

    array->sweep = cs_experiment_read(sweep, NULL, err);
    if (!array->sweep)
        return NULL;
    set_paths(array);
    if (!ask_slurm_inspect(array, err))
        text = ask_slurm_report(array);
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
    text = ask_slurm_ask(&array, sweep, err);
    cs_arena_destroy(array.arena);
    return text;
}
