/* advise.c - warnings about valid settings that may be mistakes, printed once at start and
 * resume. */
#include "run/executor.h"

#include "base/strbuf.h"
#include "base/watch.h"

#include <string.h>

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
