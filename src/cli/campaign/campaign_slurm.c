/* campaign_slurm.c - cosched campaign slurm: a sweep as an array of jobs. */
#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"
#include "campaign/slurm.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOBS "jobs.txt"

struct job {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    struct cs_experiment *sweep;
    struct cs_slurm slurm;
    bool *unfinished;          /* by shard */
    int elements;              /* unfinished ones */
    int lacks;                 /* cells that the merged store has not */
    const char *array, *merge; /* ids */
};

/* --- paths --- */

static const char *join(struct job *job, const char *folder, const char *name)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_printf(&path, "%s/%s", folder, name);
    kept = cs_arena_strdup(job->arena, path.text);
    cs_strbuf_release(&path);
    return kept;
}

static const char *absolute(struct job *job, const char *path)
{
    char here[PATH_MAX];

    return *path == '/' || !getcwd(here, sizeof here) ? path : join(job, here, path);
}

/* This very program, so that jobs run the same version. */
static const char *find_tool(struct job *job)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    return length > 0 ? cs_arena_strndup(job->arena, path, (size_t)length) : "cosched";
}

static const char *with_suffix(struct job *job, const char *name, const char *suffix)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_printf(&text, "%s%s", name, suffix);
    kept = cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

static void put_option(struct cs_strbuf *out, const char *name, const char *value)
{
    cs_strbuf_printf(out, " --%s ", name);
    cs_strbuf_put_shell(out, value);
}

/* What to type, in whichever folder, to submit what is unfinished. */
static const char *again(struct job *job)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;
    int count;
    const char *const *more = cs_arguments_texts(job->args, "sbatch", &count);

    cs_strbuf_put_shell(&text, job->slurm.tool);
    cs_strbuf_puts(&text, " campaign slurm ");
    cs_strbuf_put_shell(&text, job->slurm.sweep);
    cs_strbuf_printf(&text, " --tasks %d", job->slurm.tasks);
    put_option(&text, "store", job->slurm.store);
    put_option(&text, "folder", job->slurm.folder);
    for (int i = 0; i < count; i++)
        put_option(&text, "sbatch", more[i]);
    kept = cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

static void set_paths(struct job *job)
{
    const char *folder = cs_arguments_text(job->args, "folder");
    const char *store = cs_arguments_text(job->args, "store"), *name = job->sweep->name;

    job->slurm = (struct cs_slurm){
        .tool = find_tool(job),
        .sweep = absolute(job, job->sweep->file),
        .folder = absolute(job, folder ? folder : with_suffix(job, name, "-slurm")),
        .store = absolute(job, store ? store : with_suffix(job, name, ".db")),
        .name = name,
        .tasks = (int)cs_arguments_integer(job->args, "tasks"),
    };
    job->slurm.again = again(job);
}

static int check_tasks(const struct job *job, struct cs_error *err)
{
    if (job->slurm.tasks <= job->sweep->count)
        return 0;
    return cs_error_set(err, "--tasks %d: %s has only %d runs; ask for at most as many",
                        job->slurm.tasks, job->sweep->name, job->sweep->count);
}

/* --- Slurm's commands --- */

/* All that a command said, on one line. */
static int refuse(const char *command, int status, struct cs_strbuf *said, struct cs_error *err)
{
    while (said->length && said->text[said->length - 1] == '\n')
        said->text[--said->length] = 0;
    for (char *c = said->text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return cs_error_set(err, "%s ended with status %d: %s", command, status,
                        *said->text ? said->text : "it did not say why");
}

/* Are jobs that were submitted before not over yet?  Those that Slurm has forgotten are. */
static int check_jobs(struct job *job, struct cs_error *err)
{
    const char *path = join(job, job->slurm.folder, JOBS);
    struct cs_strbuf ids = CS_STRBUF_INIT, out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    const char *argv[] = {"squeue", "--noheader", "--format=%A", "--jobs", NULL, NULL};
    struct cs_error ignored = {{0}};
    int code = 0, status = 0;

    if (!access(path, F_OK) && !cs_file_read(path, CS_FILE_LARGEST, &ids, &ignored)) {
        ids.text[strcspn(ids.text, "\n")] = 0;
        argv[4] = ids.text;
        if (!cs_child_run(argv, &out, &said, &code, &ignored) && out.length)
            status = cs_error_set(err,
                                  "jobs %s of %s are still queued or run; wait for their end, or "
                                  "scancel them first",
                                  ids.text, job->slurm.folder);
    }
    cs_strbuf_release(&ids);
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
    return status;
}

/* The same file that the script names, in a folder whose name Slurm must not read patterns into. */
static const char *output_word(struct job *job, const char *name)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_puts(&text, "--output=");
    for (const char *c = job->slurm.folder; *c; c++)
        cs_strbuf_puts(&text, *c == '%' ? "%%" : (const char[]){*c, 0});
    cs_strbuf_printf(&text, "/%s", name);
    kept = cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

/* Words of --sbatch may choose another output; what comes after them they may not change. */
static const char **sbatch_words(struct job *job, const char *output, const char *last,
                                 const char *script)
{
    int own, w = 0;
    const char *const *more = cs_arguments_texts(job->args, "sbatch", &own);
    const char **words = CS_NEW_ARRAY(job->arena, const char *, own + 7);

    words[w++] = "sbatch";
    words[w++] = output_word(job, output);
    for (int i = 0; i < own; i++)
        words[w++] = more[i];
    words[w++] = "--parsable";
    words[w++] = with_suffix(job, "--chdir=", job->slurm.folder);
    words[w++] = last;
    words[w++] = join(job, job->slurm.folder, script);
    return words;
}

/* The first number that sbatch says: "12", or "12;cluster". */
static const char *submit(struct job *job, const char **words, struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    struct cs_error why = {{0}};
    size_t digits;
    const char *id = NULL;
    int code;

    if (cs_child_run(words, &out, &said, &code, &why)) {
        cs_error_set(err,
                     "%s; jobs are submitted where Slurm is (--dry-run writes the scripts only)",
                     why.text);
    } else if (code) {
        refuse("sbatch", code, &said, err);
    } else {
        digits = strspn(out.text, "0123456789");
        if (digits)
            id = cs_arena_strndup(job->arena, out.text, digits);
        else
            cs_error_set(err, "sbatch did not say the number of the job, but: %.100s", out.text);
    }
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
    return id;
}

/* --- what there is to submit --- */

static const char *elements_word(struct job *job)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_puts(&text, "--array=");
    cs_strbuf_put_ranges(&text, job->unfinished, job->slurm.tasks);
    kept = cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

static int save(struct job *job, const char *name, struct cs_strbuf *text, struct cs_error *err)
{
    int status = cs_file_write(join(job, job->slurm.folder, name), text->text, text->length, err);

    cs_strbuf_release(text);
    return status;
}

static int write_scripts(struct job *job, struct cs_error *err)
{
    struct cs_strbuf array = CS_STRBUF_INIT, merge = CS_STRBUF_INIT;

    if (cs_file_make_directories(job->slurm.folder, err))
        return -1;
    cs_slurm_put_array(&job->slurm, &array);
    cs_slurm_put_merge(&job->slurm, &merge);
    return save(job, "array.sh", &array, err) || save(job, "merge.sh", &merge, err) ? -1 : 0;
}

static int note_jobs(struct job *job, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%s%s%s\n", job->array ? job->array : "",
                     job->array && job->merge ? "," : "", job->merge ? job->merge : "");
    return save(job, JOBS, &text, err);
}

static const char **array_words(struct job *job)
{
    struct cs_strbuf log = CS_STRBUF_INIT;
    const char **words;

    cs_strbuf_printf(&log, "shard-%%a-of-%d.log", job->slurm.tasks);
    words = sbatch_words(job, log.text, elements_word(job), "array.sh");
    cs_strbuf_release(&log);
    return words;
}

static const char **merge_words(struct job *job, const char *array)
{
    return sbatch_words(job, "merge.log",
                        array ? with_suffix(job, "--dependency=afterany:", array) : "--requeue",
                        "merge.sh");
}

static int submit_all(struct job *job, struct cs_error *err)
{
    if (job->elements) {
        job->array = submit(job, array_words(job), err);
        if (!job->array || note_jobs(job, err))
            return -1;
    }
    job->merge = submit(job, merge_words(job, job->array), err);
    if (!job->merge && job->array)
        return cs_error_prefix(err, "the array is job %s, but its merge was not submitted",
                               job->array);
    return job->merge ? note_jobs(job, err) : -1;
}

/* --- what is said --- */

static void put_words(struct cs_strbuf *out, const char *const *words)
{
    for (int w = 0; words[w]; w++) {
        cs_strbuf_puts(out, w ? " " : "");
        cs_strbuf_put_shell(out, words[w]);
    }
    cs_strbuf_putc(out, '\n');
}

static int show_dry(struct job *job, struct cs_error *err)
{
    static const char *const scripts[] = {"array.sh", "merge.sh"};
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = 0;

    for (int s = 0; s < 2 && !status; s++) {
        const char *path = join(job, job->slurm.folder, scripts[s]);

        cs_strbuf_printf(&out, "%s== %s ==\n", s ? "\n" : "", path);
        status = cs_file_read(path, CS_FILE_LARGEST, &out, err);
    }
    cs_strbuf_puts(&out, "\n== not submitted ==\n");
    if (job->elements)
        put_words(&out, array_words(job));
    put_words(&out, merge_words(job, job->elements ? "ARRAY" : NULL));
    if (!status)
        cs_output_put(&out);
    cs_strbuf_release(&out);
    return status;
}

static void put_line(struct cs_strbuf *out, const char *what, const char *line)
{
    cs_strbuf_printf(out, "%-11s%s\n", what, line);
}

static void tell(struct job *job)
{
    const char *array = job->array ? job->array : "", *comma = job->array ? "," : "";
    const char *blank = job->array ? " " : "";
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (job->array)
        cs_strbuf_printf(&out, "array job  %s: %d of %d shards of %s\n", job->array, job->elements,
                         job->slurm.tasks, job->sweep->name);
    cs_strbuf_printf(&out, "merge job  %s: into %s%s\n\n", job->merge, job->slurm.store,
                     job->array ? ", when all of them have ended" : "");
    cs_strbuf_printf(&out, "%-11ssqueue --jobs=%s%s%s\n%-11scosched campaign status ", "watch",
                     array, comma, job->merge, "");
    cs_strbuf_put_shell(&out, job->slurm.folder);
    cs_strbuf_printf(&out, "/shard-*-of-%d.db\n%-11sscancel %s%s%s\n", job->slurm.tasks, "stop",
                     array, blank, job->merge);
    put_line(&out, "go on", "the same command again submits what is unfinished");
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

static void tell_complete(const struct job *job)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_strbuf_printf(&out, "%s: all ", job->slurm.store);
    cs_human_units(&out, job->sweep->count, "run");
    cs_strbuf_puts(&out, " are there, nothing was submitted\n");
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

/* --- the command --- */

static int look(struct job *job, struct cs_error *err)
{
    job->unfinished = CS_NEW_ARRAY(job->arena, bool, job->slurm.tasks);
    if (cs_slurm_lacks(&job->slurm, job->sweep, &job->lacks, err) ||
        cs_slurm_look(&job->slurm, job->sweep, job->unfinished, err))
        return -1;
    for (int s = 0; s < job->slurm.tasks; s++)
        job->elements += job->unfinished[s];
    return 0;
}

static int carry_out(struct job *job, struct cs_error *err)
{
    bool dry = cs_arguments_given(job->args, "dry-run");

    set_paths(job);
    if (check_tasks(job, err) || look(job, err))
        return -1;
    if (!job->lacks) {
        tell_complete(job);
        return 0;
    }
    if ((!dry && check_jobs(job, err)) || write_scripts(job, err))
        return -1;
    if (dry)
        return show_dry(job, err);
    if (submit_all(job, err))
        return -1;
    tell(job);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct job job = {.args = args,
                      .sweep = cs_experiment_read(cs_arguments_operand(args, 0), NULL, err)};
    int status;

    if (!job.sweep)
        return -1;
    job.arena = cs_arena_create();
    status = carry_out(&job, err);
    cs_arena_destroy(job.arena);
    cs_experiment_destroy(job.sweep);
    return status ? CS_EXIT_WRONG : CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SWEEP.json", .kind = CS_FIELD_PATH, .summary = "what to run (docs/campaigns.md)"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "tasks",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "8",
     .low = 1,
     .high = 1000000,
     .summary = "elements of the array, a shard of the runs each"},
    {.name = "store",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.db",
     .summary = "where all runs are in the end; default: the name of the sweep with .db, in this "
                "folder"},
    {.name = "folder",
     .kind = CS_FIELD_PATH,
     .argument = "DIR",
     .summary = "for scripts, shards and what jobs print, seen by all nodes; default: the name of "
                "the sweep with -slurm, in this folder"},
    {.name = "sbatch",
     .kind = CS_FIELD_TEXT,
     .argument = "OPTION",
     .repeats = true,
     .summary = "an option for sbatch, for both jobs, such as --sbatch=--partition=long or "
                "--sbatch=--cpus-per-task=4, which also sets the threads"},
    {.name = "dry-run",
     .kind = CS_FIELD_FLAG,
     .summary = "write the scripts and show them, but do not submit them"},
    {0},
};

static const struct cs_example examples[] = {
    {"Sixteen jobs of four processors:",
     "cosched campaign slurm trial.json --tasks 16 --sbatch=--cpus-per-task=4"},
    {"What would be submitted:", "cosched campaign slurm trial.json --tasks 16 --dry-run"},
    {0},
};

const struct cs_command cs_command_campaign_slurm = {
    .words = "campaign slurm",
    .summary = "run a sweep as an array of jobs of Slurm",
    .description =
        "Writes two batch scripts and submits them with sbatch: an array whose element I runs "
        "shard "
        "I of N into a store of its own, and a job that merges these stores when all elements have "
        "ended, well or not, and tells what is missing. An element that Slurm ends and queues "
        "again "
        "goes on where it was. When elements failed, the same command again submits those that are "
        "unfinished, and a new merge.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
