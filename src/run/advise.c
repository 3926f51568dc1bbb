/* advise.c - what is allowed, and may not be what was meant: said once when a run begins or goes
 * on. */
#include "run/executor.h"

#include "base/strbuf.h"

#include <string.h>

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_mpirun(const struct cs_run_texts *command)
{
    const char *name = command->count ? name_of(command->text[0]) : "";

    return !strcmp(name, "mpirun") || !strcmp(name, "mpiexec") || !strcmp(name, "orterun");
}

/* Open MPI passes SIGTERM on and kills one second later. */
static bool kills_ranks(const struct cs_run_settings *s)
{
    return s->checkpoint && s->checkpoint->stop.signal && !s->checkpoint->stop.to &&
           (is_mpirun(&s->command) || is_mpirun(&s->launcher));
}

static void warn(struct cs_run_executor *x, int task, int others, const char *what)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "task %s", x->setup.task[task].name);
    if (others)
        cs_strbuf_printf(&text, " (and %d other%s)", others, others == 1 ? "" : "s");
    cs_strbuf_printf(&text, ": %s", what);
    x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

static void warn_of(struct cs_run_executor *x, bool is(const struct cs_run_settings *s),
                    const char *what)
{
    int first = -1, others = -1;

    for (int t = x->setup.tasks - 1; t >= 0; t--)
        if (is(x->setup.task[t].settings)) {
            first = t;
            others++;
        }
    if (first >= 0)
        warn(x, first, others, what);
}

static bool shows_nothing(const struct cs_run_settings *s)
{
    return s->checkpoint && !s->checkpoint->progress;
}

static void tell_absent(struct cs_run_executor *x)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (cs_run_tell_absent(&x->setup, &x->absent, &text))
        x->watcher.say(x->watcher.who, text.text);
    cs_strbuf_release(&text);
}

void cs_run_advise(struct cs_run_executor *x)
{
    tell_absent(x);
    warn_of(x, kills_ranks,
            "\"stop\" is a signal to mpirun, which gives its ranks one second to save: say "
            "\"to\": the name of the program that they run");
    if (!x->setup.workload)
        return;
    warn_of(x, shows_nothing, "it shows no \"progress\": the model says how much of it is left");
    if (x->setup.pairs && x->slots % 2)
        x->watcher.say(x->watcher.who, "slots are given in pairs: the last one stays empty "
                                       "(\"pairs\": false gives single ones)");
}
