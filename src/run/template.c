/* template.c - one row a word. */
#include "run/template.h"
#include "base/file.h"
#include "base/plain.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* braces and what is between them. */

/* The word that begins after a brace; *after is behind its end. */
static int expand_word(const char *text, const char *at, cs_run_word_f *value, void *who,
                       struct cs_strbuf *out, const char **after, struct cs_error *err)
{
    size_t length = strcspn(at, "{}");
    int found;

    if (at[length] != '}')
        return cs_error_set(err, "\"%.60s\" has a brace that is not closed; {{ stands for a brace",
                            text);
    *after = at + length + 1;
    found = value(who, at, length, out, err);
    if (found == 0)
        cs_error_set(err, "\"%.60s\": there is no word {%.*s}", text,
                     length < 40 ? (int)length : 40, at);
    return found > 0 ? 0 : -1;
}

/* Append the text.  -1 with err: "there is no word {abc}", a brace that is not closed, a value that
 * cannot be had. */
static int run_template_expand(const char *text, cs_run_word_f *value, void *who,
                               struct cs_strbuf *out, struct cs_error *err)
{
    const char *at = text;

    for (;;) {
        size_t plain = strcspn(at, "{}");

        cs_strbuf_append(out, at, plain);
        at += plain;
        if (!*at)
            return 0;
        if (at[0] == at[1]) {
            cs_strbuf_putc(out, at[0]);
            at += 2;
        } else if (*at == '}') {
            return cs_error_set(err,
                                "\"%.60s\" closes a brace that is not open; }} stands for a "
                                "brace",
                                text);
        } else if (expand_word(text, at + 1, value, who, out, &at, err)) {
            return -1;
        }
    }
}

/* At least so many digits. */
static void put_padded(struct cs_strbuf *out, int64_t number, int digits)
{
    for (int64_t least = 10; --digits > 0; least *= 10)
        if (number < least)
            cs_strbuf_putc(out, '0');
    cs_strbuf_put_int(out, number);
}

void cs_run_attempt_folder(const char *folder, int64_t attempt, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, folder);
    cs_strbuf_puts(out, "/a/");
    put_padded(out, attempt / 1000, 3);
}

void cs_run_attempt_path(const char *folder, int64_t attempt, const char *ending,
                         struct cs_strbuf *out)
{
    cs_run_attempt_folder(folder, attempt, out);
    cs_strbuf_putc(out, '/');
    put_padded(out, attempt, 6);
    cs_strbuf_putc(out, '.');
    cs_strbuf_puts(out, ending);
}

void cs_run_put_slots(const int *held, int count, struct cs_strbuf *out)
{
    for (int first = 0, last; first < count; first = last + 1) {
        for (last = first; last + 1 < count && held[last + 1] == held[last] + 1; last++)
            ;
        if (first)
            cs_strbuf_putc(out, ' ');
        cs_strbuf_put_int(out, held[first]);
        if (last > first)
            cs_strbuf_putc(out, '-');
        if (last > first)
            cs_strbuf_put_int(out, held[last]);
    }
}

int cs_run_put_hosts(const struct cs_run_slot *slot, const int *held, int count,
                     struct cs_strbuf *out)
{
    int hosts = 0;

    for (int k = 0; k < count; k++) {
        const char *host = slot[held[k]].host;
        bool seen = false;

        for (int before = k - 1; before >= 0 && !seen; before--)
            seen = !strcmp(slot[held[before]].host, host);
        if (seen)
            continue;
        if (hosts++)
            cs_strbuf_putc(out, ',');
        cs_strbuf_puts(out, host);
    }
    return hosts;
}

bool cs_run_file_modified(const char *path, double *seconds)
{
    struct stat file;

    if (stat(path, &file))
        return false;
    *seconds = (double)file.st_mtim.tv_sec + (double)file.st_mtim.tv_nsec * 1e-9;
    return true;
}

typedef int put_f(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err);

static const struct cs_run_task *task_of(const struct cs_run_values *v)
{
    return &v->setup->task[v->task];
}

static int put_name(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_puts(out, task_of(v)->name);
    return 1;
}

static int put_index(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_int(out, v->task);
    return 1;
}

static int put_procs(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_int(out, v->count);
    return 1;
}

static int put_processes(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_int(out, (int64_t)v->count * task_of(v)->settings->tasks_per_slot);
    return 1;
}

static int put_slots(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_run_put_slots(v->held, v->count, out);
    return 1;
}

static int put_nodes(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_strbuf hosts = CS_STRBUF_INIT;

    (void)err;
    cs_strbuf_printf(out, "%d", cs_run_put_hosts(v->slot, v->held, v->count, &hosts));
    cs_strbuf_release(&hosts);
    return 1;
}

static int put_hosts(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_run_put_hosts(v->slot, v->held, v->count, out);
    return 1;
}

static int put_hostfile(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_strbuf lines = CS_STRBUF_INIT, path = CS_STRBUF_INIT;
    int status = 0;

    for (int k = 0; k < v->count; k++)
        cs_strbuf_printf(&lines, "%s\n", v->slot[v->held[k]].host);
    cs_run_attempt_path(v->folder, v->attempt, "hosts", &path);
    if (v->makes)
        status = cs_file_write(path.text, lines.text, lines.length, err);
    cs_strbuf_puts(out, path.text);
    cs_strbuf_release(&lines);
    cs_strbuf_release(&path);
    return status ? -1 : 1;
}

static int put_cpus(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    bool first = true;

    (void)err;
    for (int k = 0; k < v->count; k++)
        if (*v->slot[v->held[k]].cpus) {
            if (!first)
                cs_strbuf_putc(out, ',');
            cs_strbuf_puts(out, v->slot[v->held[k]].cpus);
            first = false;
        }
    return 1;
}

static int put_pack(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    if (task_of(v)->group < 0)
        return cs_error_set(err, "the plan has no packs, so there is no {pack}");
    cs_strbuf_put_int(out, task_of(v)->group);
    return 1;
}

static int put_attempt(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_int(out, v->attempt);
    return 1;
}

static int put_try(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_int(out, v->try);
    return 1;
}

static int put_seconds(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_put_double(out, task_of(v)->expected);
    return 1;
}

static bool is_safe_name(const char *name)
{
    size_t length =
        strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

    return length >= 1 && length <= 100 && !name[length] && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

static int make_folder(const char *path, struct cs_error *err)
{
    struct stat there;

    if (!mkdir(path, 0700))
        return 0;
    if (errno != EEXIST)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", path,
                               strerror(errno));
    if (lstat(path, &there) || !S_ISDIR(there.st_mode))
        return cs_error_set(err, "%s: is there already, and is no folder", path);
    return 0;
}

static bool has_task(const struct cs_run_setup *setup, const char *name)
{
    for (int t = 0; t < setup->tasks; t++)
        if (!strcmp(setup->task[t].name, name))
            return true;
    return false;
}

/* Its name where that is a safe one, else "~INDEX", with which no safe name begins.  cosched 0.2
 * made "task-INDEX", which a run of it keeps unless that is the name of a task. */
static void put_folder_name(const struct cs_run_values *v, struct cs_strbuf *out)
{
    char old[32];

    cs_plain_print(old, sizeof old, "task-%d", v->task);
    if (is_safe_name(task_of(v)->name))
        cs_strbuf_puts(out, task_of(v)->name);
    else if (v->setup->old_names && !has_task(v->setup, old))
        cs_strbuf_puts(out, old);
    else
        cs_strbuf_printf(out, "~%d", v->task);
}

static int put_dir(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    cs_strbuf_puts(&path, v->folder);
    cs_strbuf_puts(&path, "/t");
    if (v->makes)
        status = make_folder(path.text, err);
    cs_strbuf_putc(&path, '/');
    put_folder_name(v, &path);
    if (v->makes && !status)
        status = make_folder(path.text, err);
    cs_strbuf_puts(out, path.text);
    cs_strbuf_release(&path);
    return status ? -1 : 1;
}

static int put_stream(struct cs_run_values *v, const char *template, const char *ending,
                      struct cs_strbuf *out, struct cs_error *err)
{
    if (template)
        return cs_run_values_path(v, template, out, err) ? -1 : 1;
    cs_run_attempt_path(v->folder, v->attempt, ending, out);
    return 1;
}

static int put_out(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    return put_stream(v, task_of(v)->settings->out, "out", out, err);
}

static int put_err(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    return put_stream(v, task_of(v)->settings->err, "err", out, err);
}

static int put_run(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    cs_strbuf_puts(out, v->folder);
    return 1;
}

/* The newest of the files that indicate a save; the first if none exists yet. */
static int put_saved(struct cs_run_values *v, struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_run_checkpoint *c = task_of(v)->settings->checkpoint;
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    if (!c || !c->saved.count)
        return cs_error_set(err,
                            "\"saved\" of \"checkpoint\" is not given, so there is no {saved}");
    status = cs_run_values_saved(v, &path, NULL, err);
    cs_strbuf_puts(out, path.text);
    cs_strbuf_release(&path);
    return status ? -1 : 1;
}

#define WORD(name)                                                                                 \
    {                                                                                              \
#name, sizeof #name - 1, put_##name                                                        \
    }

static const struct {
    const char *word;
    size_t length;
    put_f *put;
} table[] = {
    WORD(name),    WORD(index),    WORD(procs), WORD(processes), WORD(slots),   WORD(nodes),
    WORD(hosts),   WORD(hostfile), WORD(cpus),  WORD(pack),      WORD(attempt), WORD(try),
    WORD(seconds), WORD(dir),      WORD(out),   WORD(err),       WORD(run),     WORD(saved),
};

int cs_run_values_get(void *values, const char *word, size_t length, struct cs_strbuf *out,
                      struct cs_error *err)
{
    struct cs_run_values *v = values;

    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].length == length && !memcmp(table[k].word, word, length))
            return table[k].put(v, out, err);
    for (int c = 0; c < v->setup->columns; c++)
        if (strlen(v->setup->column[c]) == length && !memcmp(v->setup->column[c], word, length)) {
            cs_strbuf_puts(out, v->setup->cell[c][v->task]);
            return 1;
        }
    return 0;
}

/* The words, for a message. */
static int report_words(const struct cs_run_values *v, struct cs_error *err)
{
    struct cs_strbuf words = CS_STRBUF_INIT;
    struct cs_error reported = *err;

    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        cs_strbuf_printf(&words, " {%s}", table[k].word);
    for (int c = 0; c < v->setup->columns; c++)
        cs_strbuf_printf(&words, " {%s}", v->setup->column[c]);
    *err = (struct cs_error){0};
    if (strstr(reported.text, "there is no word"))
        cs_error_set(err, "%s: task %s: %s; there are%s, and {{ and }} for braces", v->setup->file,
                     task_of(v)->name, reported.text, words.text);
    else
        cs_error_set(err, "%s: task %s: %s", v->setup->file, task_of(v)->name, reported.text);
    cs_strbuf_release(&words);
    return -1;
}

int cs_run_values_expand(struct cs_run_values *values, const char *text, struct cs_strbuf *out,
                         struct cs_error *err)
{
    struct cs_error reported = {0};

    if (!run_template_expand(text, cs_run_values_get, values, out, &reported))
        return 0;
    report_words(values, &reported);
    return cs_error_pass(err, &reported);
}

int cs_run_values_path(struct cs_run_values *values, const char *text, struct cs_strbuf *out,
                       struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = cs_run_values_expand(values, text, &path, err);

    if (!status && *path.text != '/')
        cs_strbuf_puts(out, values->setup->folder);
    if (!status && *path.text != '/')
        cs_strbuf_putc(out, '/');
    cs_strbuf_puts(out, path.text);
    cs_strbuf_release(&path);
    return status;
}

int cs_run_values_saved(struct cs_run_values *values, struct cs_strbuf *path, double *changed,
                        struct cs_error *err)
{
    const struct cs_run_checkpoint *c = task_of(values)->settings->checkpoint;
    struct cs_strbuf one = CS_STRBUF_INIT;
    double newest = -INFINITY;
    int status = 0;

    for (int k = 0; !status && k < c->saved.count; k++) {
        double modified = -INFINITY;

        cs_strbuf_clear(&one);
        status = cs_run_values_path(values, c->saved.text[k], &one, err);
        cs_run_file_modified(one.text, &modified);
        if (k == 0 || modified > newest) {
            newest = modified;
            cs_strbuf_clear(path);
            cs_strbuf_puts(path, one.text);
        }
    }
    cs_strbuf_release(&one);
    if (changed)
        *changed = newest;
    return status;
}

/* As many arguments as there are words; none at the first start. */
static int put_restart(struct cs_run_values *values, struct cs_run_list *out, struct cs_error *err)
{
    const struct cs_run_checkpoint *c = task_of(values)->settings->checkpoint;

    if (!c)
        return cs_error_set(err, "%s: task %s: {restart} needs \"restart\" of \"checkpoint\"",
                            values->setup->file, task_of(values)->name);
    return values->restarts ? cs_run_values_list(values, &c->restart, out, err) : 0;
}

int cs_run_values_list(struct cs_run_values *values, const struct cs_run_texts *texts,
                       struct cs_run_list *out, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = 0;

    for (int k = 0; !status && k < texts->count; k++) {
        if (!strcmp(texts->text[k], "{restart}")) {
            status = put_restart(values, out, err);
            continue;
        }
        cs_strbuf_clear(&text);
        status = cs_run_values_expand(values, texts->text[k], &text, err);
        if (!status)
            cs_run_list_add(out, text.text);
    }
    cs_strbuf_release(&text);
    return status;
}
