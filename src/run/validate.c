/* validate.c - checks before the first start: every word, every program, every width.
 *
 * A program behind a launcher, on a node or in a container, need not exist on this host: a missing
 * one is only a warning.
 */
#include "base/guard.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "base/watch.h"
#include "problem/launch.h"
#include "run/executor.h"
#include "run/program.h"
#include "run/template.h"

#include <stdlib.h>
#include <string.h>

/* Warnings about valid settings that may be mistakes, printed once at start and
 * resume. */

static const char *warn_name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_mpirun(const struct cs_run_texts *command)
{
    const char *name = command->count ? warn_name_of(command->text[0]) : "";

    return !strcmp(name, "mpirun") || !strcmp(name, "mpiexec") || !strcmp(name, "orterun");
}

/* Open MPI passes SIGTERM on and kills one second later. */
static bool kills_ranks(const struct cs_run_settings *s)
{
    return s->checkpoint && s->checkpoint->stop.signal && !s->checkpoint->stop.to &&
           (is_mpirun(&s->command) || is_mpirun(&s->launcher));
}

/* The receiver of the warnings, and the setup of the tasks. */
struct listener {
    const struct cs_run_setup *setup;
    void (*say)(void *who, const char *error_text);
    void *who;
};

static void warn_report(const struct listener *to, int tasks, int task, const char *before,
                        const char *what, const char *after)
{
    const int others = tasks - 1;
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!tasks)
        return;
    cs_strbuf_printf(&text, "task %s", to->setup->task[task].name);
    if (others)
        cs_strbuf_printf(&text, " (and %d other%s)", others, others == 1 ? "" : "s");
    cs_strbuf_printf(&text, ": %s%s%s", before, what, after);
    to->say(to->who, text.text);
    cs_strbuf_release(&text);
}

void cs_run_report_notes(const struct cs_run_setup *setup, const struct cs_run_notes *notes,
                         void (*say)(void *who, const char *error_text), void *who)
{
    const struct listener to = {setup, say, who};

    if (notes->input)
        cs_watch_each_line(notes->input, say, who);
    warn_report(&to, notes->absent.tasks, notes->absent.task, "the program ", notes->absent.what,
                " is not on this host; it must be where its launcher starts it");
    warn_report(
        &to, notes->dashed.tasks, notes->dashed.task, "the value of ", notes->dashed.what,
        " begins with '-' and may be taken for an option: write it with the option that it is "
        "for, as in --input={input}");
}

static void warn_of(const struct listener *to, bool is(const struct cs_run_settings *s),
                    const char *what)
{
    int first = -1, tasks = 0;

    for (int t = to->setup->tasks - 1; t >= 0; t--)
        if (is(to->setup->task[t].settings)) {
            first = t;
            tasks++;
        }
    warn_report(to, tasks, first, "", what, "");
}

static bool shows_nothing(const struct cs_run_settings *s)
{
    return s->checkpoint && !s->checkpoint->progress;
}

void cs_run_warn(struct cs_run_executor *x)
{
    const struct listener to = {&x->setup, x->watcher.say, x->watcher.who};

    cs_run_report_notes(&x->setup, &x->notes, x->watcher.say, x->watcher.who);
    warn_of(&to, kills_ranks,
            "\"stop\" is a signal to mpirun, which gives its ranks one second to save: set "
            "\"to\" to the name of their program");
    if (!x->setup.workload)
        return;
    warn_of(&to, shows_nothing,
            "it shows no \"progress\": the remaining work is taken from the "
            "model");
    if (x->setup.pairs && x->slots % 2)
        x->watcher.say(x->watcher.who, "slots are given in pairs: the last one stays empty "
                                       "(\"pairs\": false gives single ones)");
}

struct check {
    struct cs_run_values values;
    struct cs_strbuf text, path;
    struct cs_strbuf found;
    struct cs_run_notes *notes;
    struct cs_error *err;
};

static bool is_launched(const struct cs_run_setup *setup, const struct cs_run_settings *s)
{
    return s->launches ? s->launcher.count > 0 : cs_run_engine_find(setup->engine)->launch != NULL;
}

/* ---- values within paths ---- */

/* The value of a word that comes from the input: a name, or a column.  NULL for all others. */
static const char *find_datum(const struct cs_run_values *v, const char *word, size_t length)
{
    if (length == 4 && !memcmp(word, "name", 4))
        return v->setup->task[v->task].name;
    for (int c = 0; c < v->setup->columns; c++)
        if (strlen(v->setup->column[c]) == length && !memcmp(v->setup->column[c], word, length))
            return v->setup->cell[c][v->task];
    return NULL;
}

/* The next word of a template; its length.  NULL: no more. */
static const char *next_word(const char *text, size_t *length)
{
    while ((text = strpbrk(text, "{}")) && text[0] == text[1])
        text += 2;
    if (!text || *text == '}')
        return NULL;
    *length = strcspn(text + 1, "{}");
    return text + 1;
}

static bool has_slash(const char *text)
{
    for (; *text; text++) {
        if (*text == '/')
            return true;
        if (text[0] == '{' && text[1] == '{')
            text++;
        else if (*text == '{')
            text += strcspn(text, "}") - (strchr(text, '}') ? 0 : 1);
    }
    return false;
}

/* A value that leaves its place: one in front of a slash makes an absolute path when it is empty.
 */
static bool leaves_place(const char *value, const char *after, bool first)
{
    return strchr(value, '/') || !strcmp(value, ".") || !strcmp(value, "..") ||
           (!*value && first && *after == '/');
}

static int check_path(struct check *c, const char *text, const char *field)
{
    const struct cs_run_task *task = &c->values.setup->task[c->values.task];
    const char *word = text, *value;
    size_t length;

    if (task->settings->paths)
        return 0;
    for (; (word = next_word(word, &length)); word += length + (word[length] == '}')) {
        value = find_datum(&c->values, word, length);
        if (!value || !leaves_place(value, word + length + 1, word == text + 1))
            continue;
        return cs_error_set(
            c->err,
            "%s: task %s: %s \"%.60s\": found \"%.60s\" for {%.*s}, expected a value "
            "without \"/\" that is not empty, \".\" or \"..\" within a path; "
            "\"paths\": \"allow\" in the run file permits it",
            c->values.setup->file, task->name, field, text, value, (int)length, word);
    }
    return 0;
}

/* ---- words ---- */

static int refuse_expand(struct check *c, const char *text)
{
    cs_strbuf_clear(&c->text);
    return text ? cs_run_values_expand(&c->values, text, &c->text, c->err) : 0;
}

/* A path: or a text that is one when it has a slash. */
static int expand_path(struct check *c, const char *text, const char *field)
{
    return text && (refuse_expand(c, text) || check_path(c, text, field)) ? -1 : 0;
}

static int expand_text(struct check *c, const char *text, const char *field)
{
    return text && has_slash(text) ? expand_path(c, text, field) : refuse_expand(c, text);
}

static int expand_all(struct check *c, const struct cs_run_texts *texts, const char *field,
                      bool paths)
{
    for (int k = 0; k < texts->count; k++)
        if (strcmp(texts->text[k], "{restart}") != 0 &&
            (paths ? expand_path : expand_text)(c, texts->text[k], field))
            return -1;
    return 0;
}

static void take_note(const struct check *c, struct cs_run_note *note, const char *what)
{
    if (note->tasks && note->last == c->values.task)
        return;
    note->last = c->values.task;
    if (note->tasks++)
        return;
    note->task = c->values.task;
    cs_plain_print(note->what, sizeof note->what, "%.190s", what);
}

static bool is_one_word(const char *text)
{
    return text[0] == '{' && text[1] != '{' && strchr(text, '}') == text + strlen(text) - 1;
}

/* Those of a command: a value that is a whole argument may be taken for an option. */
static int expand_arguments(struct check *c, const struct cs_run_texts *texts, const char *field)
{
    for (int k = 0; k < texts->count; k++) {
        if (!strcmp(texts->text[k], "{restart}"))
            continue;
        if (expand_text(c, texts->text[k], field))
            return -1;
        if (k && is_one_word(texts->text[k]) && c->text.text[0] == '-')
            take_note(c, &c->notes->dashed, texts->text[k]);
    }
    return 0;
}

static int check_program(struct check *c, const struct cs_run_texts *texts, const char *what,
                         bool launched)
{
    struct cs_error reported = {0};

    if (!texts->count)
        return 0;
    if (expand_arguments(c, texts, what) || refuse_expand(c, texts->text[0]))
        return -1;
    if (c->found.length && !strcmp(c->found.text, c->text.text))
        return 0;
    if (cs_run_program_find(c->text.text, c->values.setup->folder, &c->path, &reported)) {
        if (!launched || !c->text.length)
            return cs_error_set_as(c->err, reported.kind, "%s: task %s: %s: %s",
                                   c->values.setup->file,
                                   c->values.setup->task[c->values.task].name, what, reported.text);
        take_note(c, &c->notes->absent, c->text.text);
        return 0;
    }
    cs_strbuf_clear(&c->found);
    cs_strbuf_puts(&c->found, c->text.text);
    return 0;
}

static int check_ask(struct check *c, const struct cs_run_ask *ask, const char *what)
{
    return expand_path(c, ask->file, what) || refuse_expand(c, ask->text) ||
                   check_program(c, &ask->command, what, false)
               ? -1
               : 0;
}

static int check_checkpoint(struct check *c, const struct cs_run_checkpoint *k)
{
    if (!k)
        return 0;
    for (int s = 0; s < k->saved.count; s++)
        if (strstr(k->saved.text[s], "{saved}"))
            return cs_error_set(c->err, "%s: task %s: saved: it cannot stand for itself",
                                c->values.setup->file, c->values.setup->task[c->values.task].name);
    return check_ask(c, &k->stop, "stop") || check_ask(c, &k->save, "save") ||
                   expand_all(c, &k->saved, "saved", true) ||
                   expand_all(c, &k->restart, "restart", false) ||
                   expand_path(c, k->progress, "progress") || expand_path(c, k->done, "done")
               ? -1
               : 0;
}

static int check_task(struct check *c, int slots)
{
    const struct cs_run_task *task = &c->values.setup->task[c->values.task];
    const struct cs_run_settings *s = task->settings;
    const bool launched = is_launched(c->values.setup, s);

    if (task->procs > slots)
        return cs_error_set(c->err,
                            "%s: task %s wants %d slots, and there are %d: it could never "
                            "run",
                            c->values.setup->file, task->name, task->procs, slots);
    for (int k = 0; !s->checkpoint && k < s->command.count; k++)
        if (!strcmp(s->command.text[k], "{restart}"))
            return cs_error_set(c->err,
                                "%s: task %s: {restart} needs \"restart\" of \"checkpoint\"",
                                c->values.setup->file, task->name);
    if (check_checkpoint(c, s->checkpoint) || check_program(c, &s->launcher, "launcher", false) ||
        check_program(c, &s->command, "command", launched) ||
        check_program(c, &s->verify, "verify", launched))
        return -1;
    if (expand_all(c, &s->produces, "produces", true) || expand_path(c, s->cwd, "cwd") ||
        expand_path(c, s->in, "stdin") || expand_path(c, s->out, "out") ||
        expand_path(c, s->err, "err"))
        return -1;
    for (int v = 0; v < s->variables; v++)
        if (expand_text(c, s->variable[v].value, "env"))
            return -1;
    return 0;
}

int cs_run_refuse(const struct cs_run_setup *setup, const struct cs_run_slot *slot, int slots,
                  const char *folder, struct cs_run_notes *notes, struct cs_error *err)
{
    int *held = cs_block_zero((size_t)slots + 1, sizeof *held);
    struct check c = {
        .values =
            {.setup = setup, .folder = folder, .slot = slot, .try = 1, .attempt = 1, .held = held},
        .text = CS_STRBUF_INIT,
        .path = CS_STRBUF_INIT,
        .found = CS_STRBUF_INIT,
        .notes = notes,
        .err = err,
    };
    int status = cs_launch_refuse_caveats(setup->remark ? setup->remark : "", setup->strict, err);

    notes->input = setup->remark && *setup->remark ? setup->remark : NULL;
    for (int s = 0; s < slots; s++)
        held[s] = s;
    for (int t = 0; !status && t < setup->tasks; t++) {
        c.values.task = t;
        c.values.count = setup->task[t].procs < slots ? setup->task[t].procs : slots;
        status = check_task(&c, slots);
    }
    cs_block_free(held);
    cs_strbuf_release(&c.text);
    cs_strbuf_release(&c.path);
    cs_strbuf_release(&c.found);
    return status;
}
