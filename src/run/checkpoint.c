/* checkpoint.c - the key "checkpoint" of the settings of tasks. */
#include "run/checkpoint.h"

#include "base/number.h"

#include <regex.h>
#include <signal.h>
#include <string.h>

#define GRACE 60.0 /* seconds that saving may take when nothing is said */

static const char keys[] = "stop|save|saved|restart|progress|done|every|grace|stall";

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP}, {"QUIT", SIGQUIT},   {"USR1", SIGUSR1},
    {"USR2", SIGUSR2}, {"ALRM", SIGALRM}, {"URG", SIGURG}, {"WINCH", SIGWINCH}, {"XCPU", SIGXCPU},
};

static int read_signal(const struct cs_json_at *at, struct cs_arena *arena, struct cs_run_ask *ask,
                       struct cs_error *err)
{
    const char *name, *plain;

    if (cs_json_get_string(at, "signal", &name, err) ||
        cs_run_read_text(at, "to", arena, &ask->to, err))
        return -1;
    plain = strncmp(name, "SIG", 3) ? name : name + 3;
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        if (!strcmp(signals[k].name, plain))
            ask->signal = signals[k].number;
    if (ask->to && (!*ask->to || strlen(ask->to) > 15))
        return cs_json_error(at, err,
                             "to: found \"%.60s\"; the name of a process as ps -o comm shows it, "
                             "at most 15 letters, is expected",
                             ask->to);
    return ask->signal ? 0
                       : cs_json_error(at, err,
                                       "signal: found \"%.60s\", expected \"TERM\", \"INT\", "
                                       "\"HUP\", \"QUIT\", \"USR1\", \"USR2\", \"ALRM\", \"URG\", "
                                       "\"WINCH\" or \"XCPU\"",
                                       name);
}

/* {"signal": S, "to": PROGRAM}, {"file": PATH, "text": T} or {"command": [argv]}. */
static int read_ask(const struct cs_json_at *above, const char *key, struct cs_arena *arena,
                    struct cs_run_ask *ask, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, key))
        return 0;
    *ask = (struct cs_run_ask){0};
    if (cs_json_member(above, key, &at, err) ||
        cs_json_keys(&at, "signal|to|file|text|command", err))
        return -1;
    if (cs_json_has(&at, "signal") + cs_json_has(&at, "file") + cs_json_has(&at, "command") != 1)
        return cs_json_error(&at, err, "one of \"signal\", \"file\" and \"command\" is expected");
    if ((cs_json_has(&at, "to") && !cs_json_has(&at, "signal")) ||
        (cs_json_has(&at, "text") && !cs_json_has(&at, "file")))
        return cs_json_error(&at, err, "\"to\" belongs to \"signal\", \"text\" to \"file\"");
    if (cs_json_has(&at, "signal"))
        return read_signal(&at, arena, ask, err);
    ask->text = "";
    return cs_run_read_text(&at, "file", arena, &ask->file, err) ||
                   cs_run_read_text(&at, "text", arena, &ask->text, err) ||
                   cs_run_read_texts(&at, "command", 1, arena, &ask->command, err)
               ? -1
               : 0;
}

/* A path, or a list of paths. */
static int read_saved(const struct cs_json_at *at, struct cs_arena *arena,
                      struct cs_run_texts *saved, struct cs_error *err)
{
    const char **one = CS_NEW(arena, const char *);

    if (!cs_json_has(at, "saved"))
        return 0;
    if (json_is_array(json_object_get(at->value, "saved")))
        return cs_run_read_texts(at, "saved", 1, arena, saved, err);
    *saved = (struct cs_run_texts){1, one};
    return cs_run_read_text(at, "saved", arena, one, err);
}

static int check_expression(const struct cs_json_at *at, const char *text, struct cs_error *err)
{
    regex_t compiled;
    char why[128];
    int code = regcomp(&compiled, text, REG_EXTENDED | REG_NEWLINE);
    size_t groups = compiled.re_nsub;

    if (code) {
        regerror(code, &compiled, why, sizeof why);
        return cs_json_error(at, err, "last: \"%.60s\" is no regular expression: %s", text, why);
    }
    regfree(&compiled);
    return groups ? 0
                  : cs_json_error(at, err, "last: \"%.60s\" has no group (...) around the number",
                                  text);
}

/* A path, or {"file": PATH, "last": REGEX, "of": N}. */
static int read_progress(const struct cs_json_at *above, struct cs_arena *arena,
                         struct cs_run_checkpoint *c, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, "progress"))
        return 0;
    c->last = NULL;
    if (!json_is_object(json_object_get(above->value, "progress")))
        return cs_run_read_text(above, "progress", arena, &c->progress, err);
    if (cs_json_member(above, "progress", &at, err) || cs_json_keys(&at, "file|last|of", err))
        return -1;
    if (!cs_json_has(&at, "file") || !cs_json_has(&at, "last"))
        return cs_json_error(&at, err,
                             "\"file\", \"last\" (a regular expression) and \"of\" are expected");
    if (cs_run_read_text(&at, "file", arena, &c->progress, err) ||
        cs_run_read_text(&at, "last", arena, &c->last, err) ||
        cs_json_get_double(&at, "of", CS_NUMBER_POSITIVE, &c->of, err))
        return -1;
    return check_expression(&at, c->last, err);
}

/* {"file": PATH} or {"status": N}. */
static int read_done(const struct cs_json_at *above, struct cs_arena *arena,
                     struct cs_run_checkpoint *c, struct cs_error *err)
{
    struct cs_json_at at;

    if (!cs_json_has(above, "done"))
        return 0;
    c->done = NULL;
    c->done_status = -1;
    if (cs_json_member(above, "done", &at, err) || cs_json_keys(&at, "file|status", err))
        return -1;
    if (cs_json_has(&at, "file") == cs_json_has(&at, "status"))
        return cs_json_error(&at, err, "either \"file\" or \"status\" is expected");
    if (cs_json_has(&at, "status"))
        return cs_json_get_int(&at, "status", 0, 255, &c->done_status, err);
    return cs_run_read_text(&at, "file", arena, &c->done, err);
}

static int read_every(const struct cs_json_at *at, struct cs_run_checkpoint *c,
                      struct cs_error *err)
{
    const json_t *value = json_object_get(at->value, "every");

    if (!value)
        return 0;
    c->young = json_is_string(value);
    if (!c->young)
        return cs_json_get_double(at, "every", CS_NUMBER_POSITIVE, &c->every, err);
    return strcmp(json_string_value(value), "young")
               ? cs_json_error(at, err, "every: found \"%.60s\", expected seconds or \"young\"",
                               json_string_value(value))
               : 0;
}

static int check(const struct cs_json_at *at, const struct cs_run_checkpoint *c,
                 struct cs_error *err)
{
    const struct cs_run_ask *save = &c->save;

    if (!cs_run_ask_is_there(&c->stop))
        return cs_json_error(at, err,
                             "\"stop\" is missing: how the application is asked to save and end");
    if (!c->progress && !c->done && c->done_status < 0)
        return cs_json_error(at, err,
                             "\"done\" or \"progress\" is needed to tell an attempt that has "
                             "finished from one that has only stopped");
    if ((c->every > 0 || c->young) && !cs_run_ask_is_there(save))
        return cs_json_error(at, err,
                             "\"every\" needs \"save\": how it is asked to save and go on");
    if (save->signal && !save->to && save->signal != SIGUSR1 && save->signal != SIGUSR2)
        return cs_json_error(at, err,
                             "save: a signal other than USR1 and USR2 needs \"to\": the name of "
                             "the processes that get it");
    return 0;
}

int cs_run_checkpoint_read(const struct cs_json_at *at, struct cs_arena *arena,
                           struct cs_run_checkpoint *c, struct cs_error *err)
{
    if (cs_json_keys(at, keys, err) || read_ask(at, "stop", arena, &c->stop, err) ||
        read_ask(at, "save", arena, &c->save, err) || read_saved(at, arena, &c->saved, err) ||
        cs_run_read_texts(at, "restart", 0, arena, &c->restart, err) ||
        read_progress(at, arena, c, err) || read_done(at, arena, c, err) ||
        read_every(at, c, err) || cs_run_read_seconds(at, "grace", &c->grace, err) ||
        cs_run_read_seconds(at, "stall", &c->stall, err))
        return -1;
    if (!cs_json_has(at, "grace") && !(c->grace > 0))
        c->grace = GRACE;
    return check(at, c, err);
}
