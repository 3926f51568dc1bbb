/* campaign_slurm.c - cosched campaign slurm: a sweep as an array of jobs. */
#include "base/arena.h"
#include "base/child.h"
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <cosched/campaign.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#define JOBS "jobs.txt"

struct study {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const json_t *found;       /* the result of the library */
    const char *folder;        /* of the scripts */
    int tasks, elements;       /* all, and unfinished ones */
    const char *array, *merge; /* ids */
};

/* --- paths --- */

static const char *campaign_slurm_join(struct study *study, const char *folder, const char *name)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_printf(&path, "%s/%s", folder, name);
    kept = cs_arena_strdup(study->arena, path.text);
    cs_strbuf_release(&path);
    return kept;
}

static const char *text_of(const struct study *study, const char *key)
{
    return json_string_value(json_object_get(study->found, key));
}

static int campaign_slurm_number_of(const struct study *study, const char *key)
{
    return (int)json_integer_value(json_object_get(study->found, key));
}

/* This very program, so that jobs run the same version. */
static const char *find_tool(struct study *study)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    return length > 0 ? cs_arena_strndup(study->arena, path, (size_t)length) : "cosched";
}

static const char *with_suffix(struct study *study, const char *name, const char *suffix)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_printf(&text, "%s%s", name, suffix);
    kept = cs_arena_strdup(study->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

/* --- Slurm's commands --- */

/* The complete output of a command, on one line. */
static int campaign_slurm_refuse(const char *command, int status, struct cs_strbuf *said,
                                 struct cs_error *err)
{
    while (said->length && said->text[said->length - 1] == '\n')
        said->text[--said->length] = 0;
    for (char *c = said->text; *c; c++)
        if (*c == '\n')
            *c = ' ';
    return cs_error_set(err, "%s ended with status %d: %s", command, status,
                        *said->text ? said->text : "no reason printed");
}

/* Are jobs that were submitted before not over yet?  Those that Slurm has forgotten are. */
static int check_jobs(struct study *study, struct cs_error *err)
{
    const char *path = campaign_slurm_join(study, study->folder, JOBS);
    struct cs_strbuf ids = CS_STRBUF_INIT, out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    const char *argv[] = {"squeue", "--noheader", "--format=%A", "--jobs", NULL, NULL};
    struct cs_error ignored = {0};
    int code = 0, status = 0;

    if (!access(path, F_OK) && !cs_file_read(path, CS_FILE_LARGEST, &ids, &ignored)) {
        ids.text[strcspn(ids.text, "\n")] = 0;
        argv[4] = ids.text;
        if (!cs_child_run(argv, &out, &said, &code, &ignored) && out.length)
            status = cs_error_set(err,
                                  "jobs %s of %s are still queued or run; wait for their end, or "
                                  "scancel them first",
                                  ids.text, study->folder);
    }
    cs_strbuf_release(&ids);
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
    return status;
}

/* The same file that the script names, in a folder whose name Slurm must not read patterns into. */
static const char *output_word(struct study *study, const char *name)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *kept;

    cs_strbuf_puts(&text, "--output=");
    for (const char *c = study->folder; *c; c++)
        cs_strbuf_puts(&text, *c == '%' ? "%%" : (const char[]){*c, 0});
    cs_strbuf_printf(&text, "/%s", name);
    kept = cs_arena_strdup(study->arena, text.text);
    cs_strbuf_release(&text);
    return kept;
}

/* Words of --sbatch may choose another output; what comes after them they may not change. */
static const char **sbatch_words(struct study *study, const char *output, const char *last,
                                 const char *script)
{
    int own, w = 0;
    const char *const *more = cs_arguments_texts(study->args, "sbatch", &own);
    const char **words = CS_NEW_ARRAY(study->arena, const char *, own + 7);

    words[w++] = "sbatch";
    words[w++] = output_word(study, output);
    for (int i = 0; i < own; i++)
        words[w++] = more[i];
    words[w++] = "--parsable";
    words[w++] = with_suffix(study, "--chdir=", study->folder);
    words[w++] = last;
    words[w++] = campaign_slurm_join(study, study->folder, script);
    return words;
}

/* The first number in the output of sbatch: "12", or "12;cluster". */
static const char *campaign_slurm_submit(struct study *study, const char **words,
                                         struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    struct cs_error why = {0};
    size_t digits;
    const char *id = NULL;
    int code;

    if (cs_child_run(words, &out, &said, &code, &why)) {
        cs_error_set_as(err, why.kind,
                        "%s; jobs are submitted where Slurm is (--dry-run writes the scripts only)",
                        why.text);
    } else if (code) {
        campaign_slurm_refuse("sbatch", code, &said, err);
    } else {
        digits = strspn(out.text, "0123456789");
        if (digits)
            id = cs_arena_strndup(study->arena, out.text, digits);
        else
            cs_error_set(err, "sbatch: found %.100s, expected the number of a job", out.text);
    }
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
    return id;
}

/* --- submissions --- */

static int campaign_slurm_save(struct study *study, const char *name, const char *text,
                               struct cs_error *err)
{
    return cs_file_write(campaign_slurm_join(study, study->folder, name), text, strlen(text), err);
}

static int write_scripts(struct study *study, struct cs_error *err)
{
    return cs_file_make_directories(study->folder, err) ||
                   campaign_slurm_save(study, "array.sh", text_of(study, "array"), err) ||
                   campaign_slurm_save(study, "merge.sh", text_of(study, "merge"), err)
               ? -1
               : 0;
}

static int note_jobs(struct study *study, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    cs_strbuf_printf(&text, "%s%s%s\n", study->array ? study->array : "",
                     study->array && study->merge ? "," : "", study->merge ? study->merge : "");
    status = campaign_slurm_save(study, JOBS, text.text, err);
    cs_strbuf_release(&text);
    return status;
}

static const char **array_words(struct study *study)
{
    struct cs_strbuf log = CS_STRBUF_INIT;
    const char **words;

    cs_strbuf_printf(&log, "shard-%%a-of-%d.log", study->tasks);
    words = sbatch_words(study, log.text,
                         with_suffix(study, "--array=", text_of(study, "unfinished")), "array.sh");
    cs_strbuf_release(&log);
    return words;
}

static const char **merge_words(struct study *study, const char *array)
{
    return sbatch_words(study, "merge.log",
                        array ? with_suffix(study, "--dependency=afterany:", array) : "--requeue",
                        "merge.sh");
}

static int submit_all(struct study *study, struct cs_error *err)
{
    if (study->elements) {
        study->array = campaign_slurm_submit(study, array_words(study), err);
        if (!study->array || note_jobs(study, err))
            return -1;
    }
    study->merge = campaign_slurm_submit(study, merge_words(study, study->array), err);
    if (!study->merge && study->array)
        return cs_error_prefix(err, "the array is job %s, but its merge was not submitted",
                               study->array);
    return study->merge ? note_jobs(study, err) : -1;
}

/* --- output --- */

static void campaign_slurm_put_words(struct cs_strbuf *out, const char *const *words)
{
    for (int w = 0; words[w]; w++) {
        cs_strbuf_puts(out, w ? " " : "");
        cs_strbuf_put_shell(out, words[w]);
    }
    cs_strbuf_putc(out, '\n');
}

static int show_dry(struct study *study, struct cs_error *err)
{
    static const char *const scripts[] = {"array.sh", "merge.sh"};
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = 0;

    for (int s = 0; s < 2 && !status; s++) {
        const char *path = campaign_slurm_join(study, study->folder, scripts[s]);

        cs_strbuf_printf(&out, "%s== %s ==\n", s ? "\n" : "", path);
        status = cs_file_read(path, CS_FILE_LARGEST, &out, err);
    }
    cs_strbuf_puts(&out, "\n== not submitted ==\n");
    if (study->elements)
        campaign_slurm_put_words(&out, array_words(study));
    campaign_slurm_put_words(&out, merge_words(study, study->elements ? "ARRAY" : NULL));
    if (!status)
        cs_output_put(&out);
    cs_strbuf_release(&out);
    return status;
}

static void put_line(struct cs_strbuf *out, const char *what, const char *line)
{
    cs_strbuf_printf(out, "%-11s%s\n", what, line);
}

static void campaign_slurm_report(struct study *study)
{
    const char *array = study->array ? study->array : "", *comma = study->array ? "," : "";
    const char *blank = study->array ? " " : "";
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (study->array)
        cs_strbuf_printf(&out, "array job  %s: %d of %d shards of %s\n", study->array,
                         study->elements, study->tasks, text_of(study, "name"));
    cs_strbuf_printf(&out, "merge job  %s: into %s%s\n\n", study->merge, text_of(study, "store"),
                     study->array ? ", when all of them have ended" : "");
    cs_strbuf_printf(&out, "%-11ssqueue --jobs=%s%s%s\n%-11scosched campaign status ", "watch",
                     array, comma, study->merge, "");
    cs_strbuf_put_shell(&out, study->folder);
    cs_strbuf_printf(&out, "/shard-*-of-%d.db\n%-11sscancel %s%s%s\n", study->tasks, "stop", array,
                     blank, study->merge);
    put_line(&out, "to resume", "the same command again submits what is unfinished");
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

static void report_complete(const struct study *study)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_strbuf_printf(&out, "%s: all ", text_of(study, "store"));
    cs_human_units(&out, campaign_slurm_number_of(study, "runs"), "run");
    cs_strbuf_puts(&out, " are stored, nothing was submitted\n");
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

/* --- the command --- */

static char *campaign_slurm_ask(struct study *study, struct cs_error *err)
{
    struct cs_campaign_slurm_options options = {
        .size = sizeof options,
        .tool = find_tool(study),
        .folder = cs_arguments_text(study->args, "folder"),
        .store = cs_arguments_text(study->args, "store"),
        .tasks = (int)cs_arguments_integer(study->args, "tasks"),
    };

    options.sbatch = cs_arguments_texts(study->args, "sbatch", &options.words);
    return cs_campaign_slurm(cs_arguments_operand(study->args, 0), &options, err);
}

static int carry_out(struct study *study, struct cs_error *err)
{
    bool dry = cs_arguments_has(study->args, "dry-run");

    study->folder = text_of(study, "folder");
    study->tasks = campaign_slurm_number_of(study, "tasks");
    study->elements = campaign_slurm_number_of(study, "elements");
    if (!campaign_slurm_number_of(study, "lacking")) {
        report_complete(study);
        return 0;
    }
    if ((!dry && check_jobs(study, err)) || write_scripts(study, err))
        return -1;
    if (dry)
        return show_dry(study, err);
    if (submit_all(study, err))
        return -1;
    campaign_slurm_report(study);
    return 0;
}

static int campaign_slurm_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct study study = {.args = args, .arena = cs_arena_create()};
    json_t *found = cs_rows_parse(campaign_slurm_ask(&study, err));
    int status = -1;

    study.found = found;
    if (found)
        status = carry_out(&study, err);
    json_decref(found);
    cs_arena_destroy(study.arena);
    return status ? CS_EXIT_WRONG : CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SWEEP.json", .kind = CS_PARAM_PATH, .summary = "what to run (docs/campaigns.md)"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "tasks",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "8",
     .low = 1,
     .high = 1000000,
     .summary = "elements of the array, a shard of the runs each"},
    {.name = "store",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.db",
     .summary = "where all runs are in the end; default: the name of the sweep with .db, in this "
                "folder"},
    {.name = "folder",
     .kind = CS_PARAM_PATH,
     .argument = "DIR",
     .summary = "for scripts, shards and what jobs print, seen by all nodes; default: the name of "
                "the sweep with -slurm, in this folder"},
    {.name = "sbatch",
     .kind = CS_PARAM_TEXT,
     .argument = "OPTION",
     .repeats = true,
     .summary = "an option for sbatch, for both jobs, such as --sbatch=--partition=long or "
                "--sbatch=--cpus-per-task=4, which also sets the threads"},
    {.name = "dry-run",
     .kind = CS_PARAM_FLAG,
     .summary = "write the scripts and show them, but do not submit them"},
    {0},
};

static const struct cs_example examples[] = {
    {"Sixteen jobs of four processors:",
     "cosched campaign slurm trial.json --tasks 16 --sbatch=--cpus-per-task=4"},
    {"Show the scripts without submitting them:",
     "cosched campaign slurm trial.json --tasks 16 --dry-run"},
    {0},
};

const struct cs_command cs_command_campaign_slurm = {
    .words = "campaign slurm",
    .summary = "run a sweep as an array of jobs of Slurm",
    .description =
        "Write two batch scripts and submit them with sbatch: an array whose element I runs "
        "shard I of N into a separate store, and a job that merges these stores when all "
        "elements have ended and lists missing runs. A requeued array element resumes where it "
        "stopped. If elements failed, the same command again submits those that are unfinished, "
        "and a new merge.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_slurm_run,
};
