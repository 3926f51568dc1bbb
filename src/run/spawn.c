/* spawn.c - start a keeper with its arguments. */
#define _GNU_SOURCE
#include "run/executor.h"
#include "run/program.h"
#include "run/template.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct launch {
    struct cs_run_executor *x;
    struct cs_run_attempt *attempt;
    const struct cs_run_settings *settings;
    struct cs_run_values values;
    struct cs_run_list argv, env;
    struct cs_strbuf text;
};

static void add_number(struct launch *l, double value)
{
    cs_strbuf_clear(&l->text);
    cs_strbuf_put_double(&l->text, value);
    cs_run_list_add(&l->argv, l->text.text);
}

static int add_path(struct launch *l, const char *template, const char *fallback,
                    struct cs_error *err)
{
    cs_strbuf_clear(&l->text);
    if (!template)
        cs_strbuf_puts(&l->text, fallback);
    else if (cs_run_values_path(&l->values, template, &l->text, err))
        return -1;
    cs_run_list_add(&l->argv, l->text.text);
    return 0;
}

static int add_stream(struct launch *l, const char *template, const char *ending,
                      struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status;

    cs_run_attempt_path(l->x->folder, l->attempt->number, ending, &path);
    status = add_path(l, template, path.text, err);
    cs_strbuf_release(&path);
    return status;
}

/* The working folder; its last part is made when it is missing. */
static int add_folder(struct launch *l, struct cs_error *err)
{
    if (add_path(l, l->settings->cwd, l->x->setup.folder, err))
        return -1;
    if (l->settings->cwd && mkdir(l->text.text, 0777) && errno != EEXIST)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", l->text.text,
                               strerror(errno));
    return 0;
}

double cs_run_timeout(const struct cs_run_setup *setup, int task)
{
    const struct cs_run_settings *s = setup->task[task].settings;

    return s->timeout_scales ? s->timeout * setup->task[task].expected : s->timeout;
}

/* An attempt that saves its state is signalled at its timeout by the executor (observe.c), or by an
 * engine that forwards signals: the keeper is the last resort. */
static double keeper_timeout(const struct launch *l)
{
    const struct cs_run_checkpoint *c = l->settings->checkpoint;
    double timeout = cs_run_timeout(&l->x->setup, l->attempt->task);

    if (c && timeout > 0)
        return timeout + c->grace + 30;
    return cs_run_is_step(l->x, l->attempt->task) && timeout > 0
               ? timeout + 2 * l->settings->grace + 30
               : timeout;
}

static void add_cpus(struct launch *l)
{
    cs_strbuf_clear(&l->text);
    if (!l->x->engine->launch)
        cs_run_values_get(&l->values, "cpus", 4, &l->text, NULL);
    cs_run_list_add(&l->argv, l->text.length ? l->text.text : "-");
}

/* The part of the claim by which an attempt is found when the journal has lost it. */
static void add_start(struct launch *l)
{
    struct cs_strbuf slots = CS_STRBUF_INIT;

    cs_run_put_slots(l->attempt->slot, l->attempt->count, &slots);
    cs_strbuf_printf(&l->text, " round=%lld task=%d try=%d", (long long)l->attempt->round,
                     l->attempt->task, l->attempt->try);
    for (size_t k = 0; k < slots.length; k++)
        slots.text[k] = slots.text[k] == ' ' ? ',' : slots.text[k];
    if (slots.length < CS_RUN_RECORD_SLOTS)
        cs_strbuf_printf(&l->text, " slots=%s", slots.text);
    cs_strbuf_release(&slots);
}

static int add_head(struct launch *l, struct cs_error *err)
{
    cs_run_list_add(&l->argv, l->x->keeper);
    cs_strbuf_clear(&l->text);
    cs_run_attempt_path(l->x->folder, l->attempt->number, "rec", &l->text);
    cs_run_list_add(&l->argv, l->text.text);
    if (add_path(l, l->settings->in, "/dev/null", err))
        return -1;
    if (cs_run_is_step(l->x, l->attempt->task)
            ? add_stream(l, NULL, "srun", err) || add_stream(l, NULL, "srun", err)
            : add_stream(l, l->settings->out, "out", err) ||
                  add_stream(l, l->settings->err, "err", err))
        return -1;
    if (add_folder(l, err))
        return -1;
    add_cpus(l);
    add_number(l, keeper_timeout(l));
    add_number(l, l->settings->grace);
    cs_strbuf_clear(&l->text);
    cs_strbuf_puts(&l->text, l->settings->waits ? "-" : "-k");
    cs_strbuf_puts(&l->text, l->x->terms.durable ? "d" : "");
    cs_strbuf_puts(&l->text, l->settings->out || l->settings->err ? "" : "n");
    add_start(l);
    cs_run_list_add(&l->argv, l->text.text);
    return 0;
}

/* The launcher and the command. */
static int add_program(struct launch *l, const struct cs_run_texts *texts, struct cs_error *err)
{
    int program = l->argv.count;

    if (l->settings->launches
            ? cs_run_values_list(&l->values, &l->settings->launcher, &l->argv, err)
            : l->x->engine->launch &&
                  l->x->engine->launch(l->x->engine_state, l->x->tag, &l->values, &l->argv, err))
        return -1;
    if (cs_run_values_list(&l->values, texts, &l->argv, err))
        return -1;
    return cs_run_program_resolve(&l->argv.text[program], l->x->setup.folder, l->argv.arena, err);
}

static int add_programs(struct launch *l, struct cs_error *err)
{
    int count_at = l->argv.count;

    cs_run_list_add(&l->argv, "0");
    if (add_program(l, &l->settings->command, err))
        return -1;
    cs_strbuf_clear(&l->text);
    cs_strbuf_put_int(&l->text, l->argv.count - count_at - 1);
    l->argv.text[count_at] = cs_arena_strdup(l->argv.arena, l->text.text);
    return l->settings->verify.count ? add_program(l, &l->settings->verify, err) : 0;
}

static void add_own(struct launch *l, const char *name, const char *word)
{
    cs_strbuf_clear(&l->text);
    cs_strbuf_puts(&l->text, "COSCHED_");
    cs_strbuf_puts(&l->text, name);
    cs_strbuf_putc(&l->text, '=');
    cs_run_values_get(&l->values, word, strlen(word), &l->text, NULL);
    cs_run_list_add(&l->env, l->text.text);
}

static void add_columns(struct launch *l)
{
    for (int c = 0; c < l->x->setup.columns; c++) {
        cs_strbuf_clear(&l->text);
        cs_strbuf_puts(&l->text, "COSCHED_COL_");
        for (const char *at = l->x->setup.column[c]; *at; at++)
            cs_strbuf_putc(&l->text, *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at);
        cs_strbuf_putc(&l->text, '=');
        cs_strbuf_puts(&l->text, l->x->setup.cell[c][l->attempt->task]);
        cs_run_list_add(&l->env, l->text.text);
    }
}

/* Is a variable set or removed by the settings, or later again? */
static bool is_replaced(const struct cs_run_settings *s, const char *text, int from)
{
    size_t length = from < s->variables ? strcspn(text, "=") : 0;

    for (int v = from; v < s->variables; v++)
        if (!strncmp(s->variable[v].name, text, length) && !s->variable[v].name[length])
            return true;
    return false;
}

static int add_variables(struct launch *l, struct cs_error *err)
{
    const struct cs_run_settings *s = l->settings;

    for (int v = 0; v < l->x->variables; v++)
        if (!is_replaced(s, l->x->environment[v], 0))
            cs_run_list_lend(&l->env, l->x->environment[v]);
    for (int v = 0; v < s->variables; v++) {
        if (!s->variable[v].value || is_replaced(s, s->variable[v].name, v + 1))
            continue;
        cs_strbuf_clear(&l->text);
        cs_strbuf_printf(&l->text, "%s=", s->variable[v].name);
        if (cs_run_values_expand(&l->values, s->variable[v].value, &l->text, err))
            return -1;
        cs_run_list_add(&l->env, l->text.text);
    }
    return 0;
}

/* Restart from saved state, and the file of its progress. */
static void add_checkpoint(struct launch *l)
{
    const struct cs_run_checkpoint *c = l->settings->checkpoint;
    struct cs_strbuf path = CS_STRBUF_INIT;

    if (l->attempt->restarts)
        cs_run_list_add(&l->env, "COSCHED_RESTART=1");
    if (c && c->progress && !cs_run_values_path(&l->values, c->progress, &path, NULL)) {
        cs_strbuf_clear(&l->text);
        cs_strbuf_printf(&l->text, "COSCHED_PROGRESS=%s", path.text);
        cs_run_list_add(&l->env, l->text.text);
    }
    cs_strbuf_release(&path);
}

static int add_environment(struct launch *l, struct cs_error *err)
{
    static const char *const own[][2] = {
        {"RUN", "run"},         {"NAME", "name"},   {"PROCS", "procs"},
        {"SLOTS", "slots"},     {"HOSTS", "hosts"}, {"CPUS", "cpus"},
        {"ATTEMPT", "attempt"}, {"TRY", "try"},     {"DIR", "dir"},
    };
    const bool shell =
        l->settings->command.count == 3 && !strcmp(l->settings->command.text[0], "/bin/sh");

    if (add_variables(l, err))
        return -1;
    cs_strbuf_clear(&l->text);
    cs_strbuf_puts(&l->text, "COSCHED_MARK=");
    cs_strbuf_puts(&l->text, l->x->mark);
    cs_strbuf_putc(&l->text, '/');
    cs_strbuf_put_int(&l->text, l->attempt->number);
    cs_run_list_add(&l->env, l->text.text);
    if (l->x->groups) {
        cs_strbuf_clear(&l->text);
        cs_strbuf_puts(&l->text, "COSCHED_CGROUP=");
        cs_run_group_path(l->x, l->attempt->number, &l->text);
        cs_run_list_add(&l->env, l->text.text);
    }
    add_checkpoint(l);
    l->values.makes = shell;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        add_own(l, own[k][0], own[k][1]);
    l->values.makes = true;
    add_columns(l);
    return 0;
}

/* Records of a thousand attempts share a folder. */
static int make_folder(struct launch *l, struct cs_error *err)
{
    if (l->x->folders > l->attempt->number / 1000)
        return 0;
    cs_strbuf_clear(&l->text);
    cs_run_attempt_folder(l->x->folder, l->attempt->number, &l->text);
    if (mkdir(l->text.text, 0700) && errno != EEXIST)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", l->text.text,
                               strerror(errno));
    l->x->folders = l->attempt->number / 1000 + 1;
    return 0;
}

/* In the memory of this process, which waits (vfork): nothing of it is changed but *code.  Away
 * from the terminal from its first moment: its Ctrl-C is not for keepers. */
static _Noreturn void become_keeper(const struct launch *l, volatile int *code)
{
    setsid();
    execve(l->x->keeper, l->argv.text, l->env.text);
    *code = errno;
    _exit(127);
}

/* In a program that has handlers none runs in the keeper to be, whose memory is this one's. */
static pid_t fork_quietly(const struct launch *l, volatile int *code)
{
    sigset_t all, before;
    pid_t child;

    sigfillset(&all);
    if (!l->x->terms.signals)
        pthread_sigmask(SIG_BLOCK, &all, &before);
    child = vfork();
    if (child == 0)
        become_keeper(l, code);
    if (!l->x->terms.signals)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child;
}

/* Not posix_spawn, which asks for the handler of every signal.  The keeper is given what this
 * process has: handlers do not outlive the exec, and it sets its signals itself. */
static int run_spawn(const struct launch *l, pid_t *pid)
{
    volatile int code = 0;
    pid_t child = fork_quietly(l, &code);

    if (child < 0)
        return errno;
    if (code)
        waitpid(child, NULL, 0);
    else
        *pid = child;
    return code;
}

/* Which of the texts is the longest; their bytes, with the pointers to them. */
static size_t spawn_measure(const struct cs_run_list *list, const char **longest)
{
    size_t bytes = 0;

    for (int k = 0; k < list->count; k++) {
        bytes += strlen(list->text[k]) + 1 + sizeof(char *);
        if (strlen(list->text[k]) > strlen(*longest))
            *longest = list->text[k];
    }
    return bytes;
}

static int refuse_size(const struct launch *l, struct cs_error *err)
{
    const char *longest = "";
    size_t bytes = spawn_measure(&l->argv, &longest) + spawn_measure(&l->env, &longest);

    return cs_error_set(err,
                        "its arguments and environment have %zu bytes, the longest %zu "
                        "(\"%.20s...\"), and this system takes %ld, %ld in one: put what is "
                        "long into a file",
                        bytes, strlen(longest), longest, sysconf(_SC_ARG_MAX),
                        32 * sysconf(_SC_PAGESIZE) - 1);
}

static int spawn_start(struct launch *l, struct cs_error *err)
{
    pid_t pid = 0;
    int code;

    if (make_folder(l, err) || cs_run_discard(l->x, l->attempt, err) || add_head(l, err) ||
        add_programs(l, err) || add_environment(l, err))
        return -1;
    code = run_spawn(l, &pid);
    if (code == EAGAIN || code == ENOMEM || code == EMFILE || code == ENFILE)
        return 1;
    if (code == E2BIG)
        return refuse_size(l, err);
    if (code)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be started: %s", l->x->keeper,
                               strerror(code));
    l->attempt->pid = pid;
    return 0;
}

int cs_run_spawn(struct cs_run_executor *x, struct cs_run_attempt *attempt, struct cs_error *err)
{
    struct launch l = {
        .x = x,
        .attempt = attempt,
        .settings = x->setup.task[attempt->task].settings,
        .values = cs_run_values_of(x, attempt),
        .argv.arena = x->scratch,
        .env.arena = x->scratch,
        .text = CS_STRBUF_INIT,
    };
    struct cs_arena_mark mark = cs_arena_mark(x->scratch);
    int status;

    l.values.makes = true;
    status = spawn_start(&l, err);
    cs_arena_rewind(x->scratch, mark);
    cs_strbuf_release(&l.text);
    if (status == 0 && cs_run_is_step(x, attempt->task) &&
        cs_run_timeout(&x->setup, attempt->task) > 0)
        attempt->timeout_at = cs_run_clock(x) + cs_run_timeout(&x->setup, attempt->task);
    if (status == 0) {
        x->starts++;
        x->spent += cs_run_clock(x) - attempt->start;
    }
    return status;
}
