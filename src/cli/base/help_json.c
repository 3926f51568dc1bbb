/* help_json.c - the tables of the commands, for programs. */
#include "base/jsonw.h"
#include "cli/base/help.h"

#include <string.h>

static void put_summary(struct cs_jsonw *w, const struct cs_command *command)
{
    cs_jsonw_put_string(w, "command", command->words);
    cs_jsonw_put_string(w, "summary", command->summary);
}

void cs_help_json_list(struct cs_strbuf *out, const char *verb)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_jsonw_open(&w, '[');
    for (int i = 0; i < count; i++)
        if (!verb || cs_command_has_verb(list[i], verb)) {
            cs_jsonw_open_flat(&w, '{');
            put_summary(&w, list[i]);
            cs_jsonw_close(&w);
        }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* The words that completion offers, or null. */
static void help_json_put_words(struct cs_jsonw *w, const struct cs_field *option)
{
    struct cs_strbuf words = CS_STRBUF_INIT;
    char *rest = NULL;

    cs_jsonw_key(w, "words");
    if (cs_field_has_words(option)) {
        cs_field_put_words(option, &words);
        cs_jsonw_open_flat(w, '[');
        for (char *at = strtok_r(words.text, " ", &rest); at; at = strtok_r(NULL, " ", &rest))
            cs_jsonw_string(w, at);
        cs_jsonw_close(w);
    } else {
        cs_jsonw_null(w);
    }
    cs_strbuf_release(&words);
}

static void put_option(struct cs_jsonw *w, const struct cs_field *option, const char *group)
{
    const char letter[] = {option->letter, 0};

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", option->name);
    cs_jsonw_put_string(w, "letter", option->letter ? letter : NULL);
    cs_jsonw_put_string(w, "argument",
                        option->kind == CS_FIELD_FLAG ? NULL : cs_option_argument(option));
    cs_field_put_values(option, w);
    help_json_put_words(w, option);
    cs_jsonw_put_bool(w, "list", option->list);
    cs_jsonw_put_bool(w, "repeats", option->repeats);
    cs_jsonw_put_bool(w, "required", option->required);
    cs_jsonw_put_string(w, "needs", option->needs);
    cs_jsonw_put_string(w, "group", group);
    cs_jsonw_put_string(w, "summary", option->summary);
    cs_jsonw_close(w);
}

static void put_options(struct cs_jsonw *w, const struct cs_command *command)
{
    const char *group = NULL;

    cs_jsonw_key(w, "options");
    cs_jsonw_open(w, '[');
    for (const struct cs_field *o = cs_command_options(command); o && o->name; o++) {
        group = o->group ? o->group : group;
        put_option(w, o, group);
    }
    cs_jsonw_close(w);
}

static void put_operands(struct cs_jsonw *w, const struct cs_operand *operands)
{
    cs_jsonw_key(w, "operands");
    cs_jsonw_open(w, '[');
    for (const struct cs_operand *o = operands; o && o->name; o++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "name", o->name);
        cs_jsonw_put_bool(w, "optional", o->optional);
        cs_jsonw_put_bool(w, "repeats", o->repeats);
        cs_jsonw_put_string(w, "summary", o->summary);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void help_put_examples(struct cs_jsonw *w, const struct cs_example *examples)
{
    cs_jsonw_key(w, "examples");
    cs_jsonw_open(w, '[');
    for (const struct cs_example *e = examples; e && e->line; e++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "what", e->what);
        cs_jsonw_put_string(w, "line", e->line);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_help_json_command(struct cs_strbuf *out, const struct cs_command *command)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    put_summary(&w, command);
    cs_jsonw_put_string(&w, "description", command->description);
    put_operands(&w, command->operands);
    put_options(&w, command);
    help_put_examples(&w, command->examples);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}
