/* Parameters of problems: whatever is listed means the same on the command line and in JSON, and
 * refuses what is of another kind, beyond its limits, or not there. */
#include "kit.h"

#include "base/number.h"
#include "base/strbuf.h"
#include "cli/actions.h"
#include "cli/base/command.h"
#include "problem/cell.h"

#include <cosched/case.h>
#include <math.h>
#include <string.h>

/* Options of a problem, by what was given. */
struct supplied {
    const struct cs_problem *problem;
    struct cs_arena *arena;
    json_t *json; /* in which texts of the options stand */
    char digest[CS_DIGEST_TEXT];
    struct cs_error err;
};

static struct supplied begin(const struct cs_problem *problem)
{
    return (struct supplied){.problem = problem, .arena = cs_arena_create()};
}

static void finish(struct supplied *supplied, const void *options)
{
    cs_params_digest(supplied->problem->param, options, 0, NULL, supplied->digest);
    cs_arena_destroy(supplied->arena);
    json_decref(supplied->json);
}

static void take_nothing(struct supplied *supplied)
{
    finish(supplied, cs_problem_options(supplied->problem, supplied->arena));
}

static int take_members(struct supplied *supplied, const char *text, void *options)
{
    supplied->json = json_loads(text, 0, NULL);
    if (!supplied->json)
        fail_msg("not JSON: %s", text);
    return cs_cell_options(supplied->problem, supplied->json, options, supplied->arena,
                           &supplied->err);
}

/* The words of a command line, apart at the ends of lines; then members of JSON, or NULL. */
static int take_argv(struct supplied *supplied, const struct cs_param *table, const char *words,
                     const char *members)
{
    char *text = cs_arena_strdup(supplied->arena, words), *argv[8];
    void *options = cs_problem_options(supplied->problem, supplied->arena);
    struct cs_arguments args;
    int argc = 0, status;

    for (char *word = strtok(text, "\n"); word; word = strtok(NULL, "\n"))
        argv[argc++] = word;
    status = cs_arguments_parse(argc, argv, table, NULL, supplied->arena, &args, &supplied->err);
    if (!status)
        cs_arguments_store(&args, options);
    if (!status && members)
        status = take_members(supplied, members, options);
    finish(supplied, options);
    return status;
}

static int take_json(struct supplied *supplied, const char *text)
{
    void *options = cs_problem_options(supplied->problem, supplied->arena);
    int status = take_members(supplied, text, options);

    finish(supplied, options);
    return status;
}

/* As programs say them that call the library: the parameters of an action. */
static int take_action_json(struct supplied *supplied, const struct cs_param *table,
                            const char *text)
{
    void *options = cs_problem_options(supplied->problem, supplied->arena);
    const char *name;
    json_t *json;
    int status = 0;

    supplied->json = json_loads(text, 0, NULL);
    if (!supplied->json)
        fail_msg("not JSON: %s", text);
    json_object_foreach(supplied->json, name, json)
    {
        struct cs_param_value value;
        bool old;
        const struct cs_param *f = cs_params_find(table, ~0U, name, &old, &supplied->err);

        if (!f || cs_param_read_json(f, name, json, &value, &supplied->err))
            status = -1;
        else
            cs_param_store(f, &value, options);
    }
    finish(supplied, options);
    return status;
}

/* ---- values ---- */

#define VALUES 8

static bool is_number(const struct cs_param *f)
{
    return f->kind == CS_PARAM_INTEGER || f->kind == CS_PARAM_REAL || f->kind == CS_PARAM_SECONDS;
}

/* A number between the limits, `part` of the way. */
static double between(const struct cs_param *f, double part)
{
    double high = f->high > f->low ? f->high : f->low + 100;
    double number = f->low + (fmin(high, f->low + 1e6) - f->low) * part;

    return f->kind == CS_PARAM_INTEGER ? floor(number) : number;
}

static void write_number(double number, char value[80])
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_put_double(&text, number);
    strcpy(value, text.text);
    cs_strbuf_release(&text);
}

/* Values that a parameter takes, as texts; flags: "". */
static int list_values(const struct cs_param *f, char value[VALUES][80])
{
    const char *at = f->choices;
    int count = 0;

    if (is_number(f)) {
        for (; count < 4; count++)
            write_number(between(f, count / 3.0), value[count]);
        return count;
    }
    if (f->kind != CS_PARAM_CHOICE) {
        strcpy(value[0], f->kind == CS_PARAM_FLAG ? "" : "a,b:c=1");
        return 1;
    }
    for (; at && count < VALUES; at = strchr(at, '|') ? strchr(at, '|') + 1 : NULL)
        snprintf(value[count++], sizeof *value, "%.*s", (int)strcspn(at, "|"), at);
    return count;
}

/* One member of JSON: the value as a number, a text or true. */
static void put_json(const struct cs_param *f, const char *name, const char *value,
                     struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s\"%s\": ", out->length ? ", " : "{", name);
    if (f->kind == CS_PARAM_FLAG)
        cs_strbuf_puts(out, "true");
    else
        cs_strbuf_printf(out, is_number(f) ? "%s" : "\"%s\"", value);
}

static void put_word(const struct cs_param *f, const char *value, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, f->kind == CS_PARAM_FLAG ? "--%s\n" : "--%s\n%s\n", f->name, value);
}

/* Does the parameter need that one, or does one that it needs? */
static bool needs(const struct cs_param *table, const struct cs_param *f, const char *name)
{
    for (const char *next = f->needs; next;) {
        const struct cs_param *o = table;

        if (!strcmp(next, name))
            return true;
        while (o->name && strcmp(o->name, next))
            o++;
        next = o->needs;
    }
    return false;
}

/* What else has to be given: the parameter that this one needs, and those that the action requires.
 */
static void put_company(const struct cs_param *table, const struct cs_param *f,
                        struct cs_strbuf *words, struct cs_strbuf *json)
{
    for (const struct cs_param *o = table; o->name; o++) {
        char value[VALUES][80];

        if (o == f || !(o->required || needs(table, f, o->name)))
            continue;
        list_values(o, value);
        put_word(o, value[0], words);
        put_json(o, o->name, value[0], json);
    }
}

/* What experiments require besides a parameter, and what it needs. */
static void put_required(const struct cs_problem *problem, const struct cs_param *f,
                         struct cs_strbuf *json)
{
    char value[VALUES][80];

    for (const struct cs_param *o = problem->param; o->name; o++)
        if (o->actions & CS_EXPERIMENT && strcmp(o->name, f->name) &&
            (o->required & CS_EXPERIMENT || needs(problem->param, f, o->name))) {
            list_values(o, value);
            put_json(o, o->name, value[0], json);
        }
}

/* ---- the same both ways ---- */

static void compare(const struct cs_problem *problem, const struct cs_param *table,
                    const struct cs_param *f, const char *value)
{
    struct supplied none = begin(problem), argv = begin(problem), json = begin(problem);
    struct cs_strbuf words = CS_STRBUF_INIT, text = CS_STRBUF_INIT, members = CS_STRBUF_INIT;

    take_nothing(&none);
    if (f->actions & CS_EXPERIMENT)
        put_required(problem, f, &text);
    put_required(problem, f, &members);
    if (f->required && members.length)
        put_json(f, f->name, value, &members);
    cs_strbuf_puts(&members, members.length ? "}" : "");
    put_company(table, f, &words, &text);
    put_word(f, value, &words);
    put_json(f, f->name, value, &text);
    cs_strbuf_putc(&text, '}');
    if (take_argv(&argv, table, words.text,
                  f->actions & CS_EXPERIMENT && members.length ? members.text : NULL))
        fail_msg("%s: %s: %s", problem->name, words.text, argv.err.text);
    if ((!f->default_text || strcmp(f->default_text, value)) && !is_number(f) &&
        !strcmp(none.digest, argv.digest))
        fail_msg("%s: --%s %s changes nothing", problem->name, f->name, value);
    if (f->actions & CS_EXPERIMENT ? take_json(&json, text.text)
                                   : take_action_json(&json, table, text.text))
        fail_msg("%s: %s: %s", problem->name, text.text, json.err.text);
    if (strcmp(argv.digest, json.digest))
        fail_msg("%s: %s is not %s", problem->name, words.text, text.text);
    cs_strbuf_release(&words);
    cs_strbuf_release(&text);
    cs_strbuf_release(&members);
}

/* Call for the parameters of every command of a problem that is described. */
static void for_params(void (*each)(const struct cs_problem *, const struct cs_param *table,
                                    const struct cs_param *))
{
    int count, seen = 0;
    const struct cs_command *const *command = cs_commands(&count);

    for (int c = 0; c < count; c++) {
        struct cs_arena *arena = cs_arena_create();
        const struct cs_problem *problem =
            command[c]->view ? cs_problem_find(command[c]->view->problem, NULL) : NULL;
        const struct cs_param *table =
            problem ? cs_params_select(problem->param, command[c]->action, arena) : NULL;

        for (const struct cs_param *f = table; f && f->name; f++, seen++)
            each(problem, table, f);
        cs_arena_destroy(arena);
    }
    assert_true(seen > 60);
}

static void compare_values(const struct cs_problem *problem, const struct cs_param *table,
                           const struct cs_param *f)
{
    char value[VALUES][80];
    int values = list_values(f, value);

    for (int v = 0; v < values; v++)
        compare(problem, table, f, value[v]);
}

static void argv_and_json_say_the_same(void **state)
{
    (void)state;
    for_params(compare_values);
}

/* ---- in experiments ---- */

/* Every parameter changes the options, and every other value of it. */
static void compare_parameter(const struct cs_problem *problem, const struct cs_param *f)
{
    char value[VALUES][80], before[CS_DIGEST_TEXT] = "";
    int values = list_values(f, value);

    for (int v = 0; v < values; v++) {
        struct supplied json = begin(problem);
        struct cs_strbuf text = CS_STRBUF_INIT;

        put_required(problem, f, &text);
        put_json(f, f->name, value[v], &text);
        cs_strbuf_putc(&text, '}');
        if (take_json(&json, text.text))
            fail_msg("%s: %s: %s", problem->name, text.text, json.err.text);
        if (!strcmp(before, json.digest))
            fail_msg("%s: %s is like the value before it", problem->name, text.text);
        memcpy(before, json.digest, sizeof before);
        cs_strbuf_release(&text);
    }
}

/* The old name, in its old unit, is the new one. */
static void compare_old(const struct cs_problem *problem, const struct cs_param *f)
{
    double unit = f->old_unit > 0 ? f->old_unit : 1;
    struct supplied now = begin(problem), then = begin(problem);
    char value[VALUES][80], scaled[80];
    double number;
    struct cs_strbuf text = CS_STRBUF_INIT, old = CS_STRBUF_INIT;

    list_values(f, value);
    if (is_number(f)) {
        assert_int_equal(cs_number_double(value[1], &number), CS_NUMBER_FINE);
        write_number(number * unit, scaled);
    }
    put_required(problem, f, &text);
    put_required(problem, f, &old);
    put_json(f, f->name, is_number(f) ? scaled : value[0], &text);
    put_json(f, f->old, is_number(f) ? value[1] : value[0], &old);
    cs_strbuf_putc(&text, '}');
    cs_strbuf_putc(&old, '}');
    if (take_json(&now, text.text) || take_json(&then, old.text))
        fail_msg("%s: %s%s", problem->name, now.err.text, then.err.text);
    if (strcmp(now.digest, then.digest))
        fail_msg("%s: %s is not %s", problem->name, old.text, text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&old);
}

static void for_parameters(void (*each)(const struct cs_problem *, const struct cs_param *))
{
    int count;
    const struct cs_problem *const *problem = cs_problems(&count);

    for (int p = 0; p < count; p++)
        for (const struct cs_param *f = problem[p]->param; f && f->name; f++)
            if (f->actions & CS_EXPERIMENT)
                each(problem[p], f);
}

static void check_parameter(const struct cs_problem *problem, const struct cs_param *f)
{
    compare_parameter(problem, f);
    if (f->old)
        compare_old(problem, f);
}

static void every_value_counts(void **state)
{
    (void)state;
    for_parameters(check_parameter);
}

/* ---- what is refused ---- */

static void refuse_argv(const struct cs_problem *problem, const struct cs_param *table,
                        const char *name, const char *words)
{
    struct supplied argv = begin(problem);

    if (!take_argv(&argv, table, words, NULL))
        fail_msg("%s: %s is accepted", problem->name, words);
    if (!strstr(argv.err.text, name))
        fail_msg("%s: \"%s\" does not name %s", problem->name, argv.err.text, name);
}

static void refuse_json(const struct cs_problem *problem, const char *name, const char *value)
{
    struct supplied json = begin(problem);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "{\"%s\": %s}", name, value);
    if (!take_json(&json, text.text))
        fail_msg("%s: %s is accepted", problem->name, text.text);
    if (!strstr(json.err.text, name))
        fail_msg("%s: \"%s\" does not name %s", problem->name, json.err.text, name);
    cs_strbuf_release(&text);
}

static void refuse_value(const struct cs_problem *problem, const struct cs_param *table,
                         const struct cs_param *f, const char *value)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_strbuf_printf(&words, "--%s=%s", f->name, value);
    refuse_argv(problem, table, f->name, words.text);
    if (f->actions & CS_EXPERIMENT)
        refuse_json(problem, f->name, is_number(f) ? value : "\"\"");
    cs_strbuf_release(&words);
}

static void refuse_numbers(const struct cs_problem *problem, const struct cs_param *table,
                           const struct cs_param *f)
{
    char value[80];

    write_number(f->low - fmax(1, fabs(f->low)), value);
    refuse_value(problem, table, f, value);
    if (f->high > f->low) {
        write_number(2 * f->high + 2, value);
        refuse_value(problem, table, f, value);
    }
}

static void refuse_param(const struct cs_problem *problem, const struct cs_param *table,
                         const struct cs_param *f)
{
    bool text = f->kind == CS_PARAM_TEXT || f->kind == CS_PARAM_PATH;
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_strbuf_printf(&words, text ? "--%s=" : "--%s=what is this", f->name);
    refuse_argv(problem, table, f->name, words.text);
    if (is_number(f))
        refuse_numbers(problem, table, f);
    if (f->actions & CS_EXPERIMENT) {
        refuse_json(problem, f->name, "[1]");
        refuse_json(problem, f->name, text ? "1" : "\"what is this\"");
    }
    cs_strbuf_release(&words);
}

static void wrong_values_are_refused(void **state)
{
    (void)state;
    for_params(refuse_param);
}

static void refuse_unknown(const struct cs_problem *problem, const struct cs_param *table,
                           const struct cs_param *f)
{
    if (f != table)
        return;
    refuse_argv(problem, table, "no-such-field", "--no-such-field=1");
    refuse_json(problem, "no_such_field", "1");
}

static void unknown_names_are_refused(void **state)
{
    (void)state;
    for_params(refuse_unknown);
}

/* ---- tables ---- */

static bool alike(const char *one, const char *other)
{
    return one && other && !strcmp(one, other);
}

static void check_apart(const struct cs_problem *problem, const struct cs_param *table,
                        const struct cs_param *f)
{
    for (const struct cs_param *o = table; o != f; o++)
        if (alike(o->name, f->name) || alike(o->old, f->name) || alike(o->name, f->old) ||
            alike(o->old, f->old) || (o->letter && o->letter == f->letter))
            fail_msg("%s: --%s and --%s have a name or a letter in common", problem->name, o->name,
                     f->name);
        else if (o->at == f->at)
            fail_msg("%s: --%s and --%s are one member", problem->name, o->name, f->name);
    for (const struct cs_param *o = table; f->needs && !alike(o->name, f->needs); o++)
        if (!o->name)
            fail_msg("%s: --%s needs --%s, which is not there", problem->name, f->name, f->needs);
    if (f->at >= problem->options)
        fail_msg("%s: --%s is no member of the options", problem->name, f->name);
}

static void no_two_params_are_one(void **state)
{
    (void)state;
    for_params(check_apart);
}

extern const struct cs_command cs_command_replay;

/* Those that say what texts of the library want are no options. */
static bool is_of_the_library(const char *name)
{
    return !strcmp(name, "full") || !strcmp(name, "keep") || !strcmp(name, "keep-jobs");
}

static void a_replay_has_all_that_the_library_has(void **state)
{
    const struct cs_param *option = cs_command_options(&cs_command_replay);
    struct cs_case_param param;
    int count = 0;

    (void)state;
    for (; cs_case_param_at("replay", count, &param, sizeof param, NULL) > 0; count++) {
        const struct cs_param *o = option;

        while (o->name && strcmp(o->name, param.name) != 0)
            o++;
        if (!o->name != is_of_the_library(param.name))
            fail_msg("%s is %san option", param.name, o->name ? "" : "not ");
        assert_true(!o->name || o->kind == param.kind);
    }
    assert_true(count > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(argv_and_json_say_the_same),
        cmocka_unit_test(every_value_counts),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(no_two_params_are_one),
        cmocka_unit_test(a_replay_has_all_that_the_library_has),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
