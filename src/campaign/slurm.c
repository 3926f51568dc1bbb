/* slurm.c - scripts, and what came of them. */
#include "campaign/slurm.h"

#include "base/plain.h"
#include "campaign/store.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- scripts --- */

/* A name for squeue: nothing in it that a line #SBATCH could read otherwise. */
static void put_name(struct cs_strbuf *out, const char *name)
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

void cs_slurm_put_array(const struct cs_slurm *slurm, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "#!/bin/bash\n"
                        "# Written by cosched campaign slurm: element I of this array runs shard I "
                        "of the sweep.\n"
                        "# One that was ended and is queued again goes on where it was.\n"
                        "#SBATCH --job-name=");
    put_name(out, slurm->name);
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

void cs_slurm_put_merge(const struct cs_slurm *slurm, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "#!/bin/bash\n"
                        "# Written by cosched campaign slurm: makes one store of all shards, once "
                        "the array has ended.\n"
                        "#SBATCH --job-name=");
    put_name(out, slurm->name);
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
                     "\"$cosched\" campaign merge --output \"$store\" \"${shards[@]}\" && exit\n\n"
                     "# Something is missing: take what is there, and say how to go on.\n"
                     "\"$cosched\" campaign merge --partial --output \"$store\" \"${shards[@]}\"\n"
                     "echo \"This submits what is unfinished: $again\"\n"
                     "exit 1\n",
                     slurm->tasks, slurm->tasks);
}

/* Append the path of the store of a shard, 1 .. tasks. */
static void put_shard(const struct cs_slurm *slurm, int shard, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s/shard-%d-of-%d.db", slurm->folder, shard, slurm->tasks);
}

/* --- what there is already --- */

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

/* Cells that a store has not; *other: it has documents, and this sweep is none of them. */
static int look_into(const char *path, const struct cs_experiment *sweep, int shard, int shards,
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
                                  "%s: has shards of %d tasks; go on with --tasks %d, or choose "
                                  "another --folder",
                                  slurm->folder, tasks, tasks);
    }
    if (folder)
        closedir(folder);
    return status;
}

/* One that cannot be read, such as of an element that was ended at once, is the element's to judge.
 */
static int look_at_shard(const struct cs_slurm *slurm, const struct cs_experiment *sweep, int shard,
                         bool *unfinished, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct cs_error ignored = {0};
    int lacks = 0, status = 0;
    bool other = false;

    put_shard(slurm, shard, &path);
    *unfinished = access(path.text, F_OK) ||
                  look_into(path.text, sweep, shard, slurm->tasks, &lacks, &other, &ignored) ||
                  lacks > 0;
    if (other)
        status = cs_error_set(err,
                              "%s: is of another sweep, or of this one before it was changed; "
                              "choose another --folder",
                              path.text);
    cs_strbuf_release(&path);
    return status;
}

int cs_slurm_look(const struct cs_slurm *slurm, const struct cs_experiment *sweep, bool *unfinished,
                  struct cs_error *err)
{
    int status = check_number(slurm, err);

    for (int s = 0; s < slurm->tasks && !status; s++)
        status = look_at_shard(slurm, sweep, s + 1, &unfinished[s], err);
    return status;
}

int cs_slurm_lacks(const struct cs_slurm *slurm, const struct cs_experiment *sweep, int *lacks,
                   struct cs_error *err)
{
    bool other;

    *lacks = sweep->count;
    if (access(slurm->store, F_OK))
        return 0;
    *lacks = 0;
    return look_into(slurm->store, sweep, 0, 0, lacks, &other, err);
}
