/* settings.c - the settings of tasks, from JSON. */
#include "run/setup.h"

#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char keys[] =
    "command|shell|launcher|verify|verify_shell|produces|timeout|grace|retries|max_corrupt|delay|"
    "env|"
    "cwd|stdin|out|err|tasks_per_slot|cpus_per_task|memory|leftovers|checkpoint|paths";

static int copy_text(const struct cs_json_at *at, struct cs_arena *arena, const char **out,
                     struct cs_error *err)
{
    const char *text;

    if (cs_json_string(at, &text, err))
        return -1;
    *out = cs_arena_strdup(arena, text);
    return 0;
}

int cs_run_read_text(const struct cs_json_at *at, const char *key, struct cs_arena *arena,
                     const char **out, struct cs_error *err)
{
    struct cs_json_at value;

    if (!cs_json_has(at, key))
        return 0;
    return cs_json_member(at, key, &value, err) || copy_text(&value, arena, out, err) ? -1 : 0;
}

int cs_run_read_texts(const struct cs_json_at *at, const char *key, size_t least,
                      struct cs_arena *arena, struct cs_run_texts *out, struct cs_error *err)
{
    struct cs_json_at list, one;
    const char **text;
    size_t count;

    if (!cs_json_has(at, key))
        return 0;
    if (cs_json_member(at, key, &list, err) || cs_json_array(&list, &count, err))
        return -1;
    if (count < least || count > 100000)
        return cs_json_error(&list, err, "a program and its arguments are expected, one a string");
    text = CS_NEW_ARRAY(arena, const char *, count);
    for (size_t k = 0; k < count; k++) {
        one = cs_json_element(&list, k);
        if (copy_text(&one, arena, &text[k], err))
            return -1;
        if (k == 0 && least && !*text[k])
            return cs_json_error(&one, err, "a program needs a name");
    }
    *out = (struct cs_run_texts){(int)count, text};
    return 0;
}

/* A text for the shell stays as it is: every brace of it is doubled, so that there are no words. */
static int read_shell(const struct cs_json_at *at, const char *key, struct cs_arena *arena,
                      struct cs_run_texts *out, struct cs_error *err)
{
    const char *text = NULL, **argv;
    struct cs_strbuf plain = CS_STRBUF_INIT;

    if (cs_run_read_text(at, key, arena, &text, err))
        return -1;
    if (!text)
        return 0;
    for (const char *c = text; *c; c++) {
        if (*c == '{' || *c == '}')
            cs_strbuf_putc(&plain, *c);
        cs_strbuf_putc(&plain, *c);
    }
    argv = CS_NEW_ARRAY(arena, const char *, 3);
    argv[0] = "/bin/sh";
    argv[1] = "-c";
    argv[2] = cs_arena_strdup(arena, plain.text);
    cs_strbuf_release(&plain);
    *out = (struct cs_run_texts){3, argv};
    return 0;
}

static int read_either(const struct cs_json_at *at, const char *list, const char *shell,
                       struct cs_arena *arena, struct cs_run_texts *out, struct cs_error *err)
{
    if (cs_json_has(at, list) && cs_json_has(at, shell))
        return cs_json_error(at, err, "\"%s\" and \"%s\" cannot both be given", list, shell);
    return cs_run_read_texts(at, list, 1, arena, out, err) || read_shell(at, shell, arena, out, err)
               ? -1
               : 0;
}

/* Seconds, or "3x" for so many times the expected time. */
static int read_timeout(const struct cs_json_at *at, struct cs_run_settings *s,
                        struct cs_error *err)
{
    struct cs_strbuf number = CS_STRBUF_INIT;
    struct cs_json_at value;
    const char *text;
    size_t length;
    bool fine;

    if (!cs_json_has(at, "timeout"))
        return 0;
    if (cs_json_member(at, "timeout", &value, err))
        return -1;
    s->timeout_scales = json_is_string(value.value);
    if (!s->timeout_scales)
        return cs_json_double(&value, CS_NUMBER_POSITIVE, &s->timeout, err);
    text = json_string_value(value.value);
    length = strlen(text);
    cs_strbuf_append(&number, text, length ? length - 1 : 0);
    fine = length > 1 && text[length - 1] == 'x' &&
           cs_number_double(number.text, &s->timeout) == CS_NUMBER_FINE && s->timeout > 0;
    cs_strbuf_release(&number);
    return fine
               ? 0
               : cs_json_error(&value, err,
                               "found \"%.60s\", expected seconds, or a text such as \"3x\" for so "
                               "many times the expected time",
                               text);
}

int cs_run_read_seconds(const struct cs_json_at *at, const char *key, double *out,
                        struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_double(at, key, CS_NUMBER_NOT_NEGATIVE, out, err) : 0;
}

static int settings_read_count(const struct cs_json_at *at, const char *key, int low, int high,
                               int *out, struct cs_error *err)
{
    return cs_json_has(at, key) ? cs_json_get_int(at, key, low, high, out, err) : 0;
}

/* Later ones win, so those of an object are appended. */
static int read_env(const struct cs_json_at *at, struct cs_arena *arena, struct cs_run_settings *s,
                    struct cs_error *err)
{
    struct cs_run_variable *variable;
    struct cs_json_at env, one;
    const char *key;
    json_t *value;
    int count = s->variables;

    if (!cs_json_has(at, "env"))
        return 0;
    if (cs_json_member(at, "env", &env, err) || cs_json_keys(&env, NULL, err))
        return -1;
    variable =
        CS_NEW_ARRAY(arena, struct cs_run_variable, (size_t)count + json_object_size(env.value));
    if (count)
        memcpy(variable, s->variable, (size_t)count * sizeof *variable);
    json_object_foreach(env.value, key, value)
    {
        one = (struct cs_json_at){.value = value, .above = &env, .key = key};
        if (!*key || strchr(key, '='))
            return cs_json_error(&one, err, "this cannot be the name of a variable");
        if (!strncmp(key, "COSCHED_", 8))
            return cs_json_error(&one, err, "names that begin with COSCHED_ are taken");
        variable[count].name = cs_arena_strdup(arena, key);
        if (!json_is_null(value) && copy_text(&one, arena, &variable[count].value, err))
            return -1;
        count++;
    }
    s->variables = count;
    s->variable = variable;
    return 0;
}

static int read_leftovers(const struct cs_json_at *at, struct cs_run_settings *s,
                          struct cs_error *err)
{
    const char *text = NULL;

    if (!cs_json_has(at, "leftovers"))
        return 0;
    if (cs_json_get_string(at, "leftovers", &text, err))
        return -1;
    if (strcmp(text, "kill") != 0 && strcmp(text, "wait") != 0)
        return cs_json_error(at, err, "leftovers: found \"%.60s\", expected \"kill\" or \"wait\"",
                             text);
    s->waits = *text == 'w';
    return 0;
}

int cs_run_read_paths(const struct cs_json_at *at, bool *allowed, struct cs_error *err)
{
    const char *text = NULL;

    if (!cs_json_has(at, "paths"))
        return 0;
    if (cs_json_get_string(at, "paths", &text, err))
        return -1;
    if (strcmp(text, "allow") != 0 && strcmp(text, "reject") != 0)
        return cs_json_error(at, err, "paths: found \"%.60s\", expected \"allow\" or \"reject\"",
                             text);
    *allowed = *text == 'a';
    return 0;
}

static int read_numbers(const struct cs_json_at *at, struct cs_run_settings *s,
                        struct cs_error *err)
{
    return read_timeout(at, s, err) || cs_run_read_seconds(at, "grace", &s->grace, err) ||
                   cs_run_read_seconds(at, "delay", &s->delay, err) ||
                   cs_run_read_seconds(at, "memory", &s->memory, err) ||
                   settings_read_count(at, "retries", 0, INT_MAX - 1, &s->retries, err) ||
                   settings_read_count(at, "max_corrupt", 0, INT_MAX - 1, &s->max_corrupt, err) ||
                   settings_read_count(at, "tasks_per_slot", 1, 100000, &s->tasks_per_slot, err) ||
                   settings_read_count(at, "cpus_per_task", 1, 100000, &s->cpus_per_task, err)
               ? -1
               : 0;
}

/* Override the existing settings in a copy. */
static int read_checkpoint(const struct cs_json_at *at, struct cs_arena *arena,
                           struct cs_run_settings *s, struct cs_error *err)
{
    struct cs_run_checkpoint *own;
    struct cs_json_at value;

    if (!cs_json_has(at, "checkpoint"))
        return 0;
    own = CS_NEW(arena, struct cs_run_checkpoint);
    *own = s->checkpoint ? *s->checkpoint : (struct cs_run_checkpoint){.done_status = -1};
    s->checkpoint = own;
    return cs_json_member(at, "checkpoint", &value, err) ||
                   cs_run_checkpoint_read(&value, arena, own, err)
               ? -1
               : 0;
}

int cs_run_settings_read(const struct cs_json_at *at, struct cs_arena *arena,
                         struct cs_run_settings *s, struct cs_error *err)
{
    if (cs_json_keys(at, keys, err) ||
        read_either(at, "command", "shell", arena, &s->command, err) ||
        read_either(at, "verify", "verify_shell", arena, &s->verify, err) ||
        cs_run_read_texts(at, "launcher", 0, arena, &s->launcher, err) ||
        cs_run_read_texts(at, "produces", 0, arena, &s->produces, err) ||
        read_numbers(at, s, err) || read_env(at, arena, s, err) || read_leftovers(at, s, err) ||
        cs_run_read_paths(at, &s->paths, err) || read_checkpoint(at, arena, s, err) ||
        cs_run_read_text(at, "cwd", arena, &s->cwd, err) ||
        cs_run_read_text(at, "stdin", arena, &s->in, err) ||
        cs_run_read_text(at, "out", arena, &s->out, err) ||
        cs_run_read_text(at, "err", arena, &s->err, err))
        return -1;
    s->launches = s->launches || cs_json_has(at, "launcher");
    return 0;
}
