/* completion_zsh.c - the tables as a completion script for zsh. */
#include "cli/base/help.h"

#include <string.h>

static const char head[] = "#compdef cosched\n"
                           "# made by 'cosched completion zsh'\n"
                           "\n"
                           "_cosched_add() {\n"
                           "    [[ $IPREFIX != *, ]] || set -- \"${@:#all}\"\n"
                           "    compadd \"$@\"\n"
                           "}\n"
                           "\n";

static const char tail[] = "    esac\n"
                           "    name=_cosched_$words[2]\n"
                           "    if (($#second)); then\n"
                           "        if ((CURRENT == 3)); then\n"
                           "            _describe -t commands problem second\n"
                           "        elif (($+functions[${name}_$words[3]])); then\n"
                           "            name+=_$words[3]\n"
                           "            shift words\n"
                           "            ((CURRENT--))\n"
                           "        fi\n"
                           "    fi\n"
                           "    shift words\n"
                           "    ((CURRENT--))\n"
                           "    (($+functions[$name])) && $name\n"
                           "}\n"
                           "\n"
                           "if [[ $funcstack[1] == _cosched ]]; then\n"
                           "    _cosched \"$@\"\n"
                           "else\n"
                           "    compdef _cosched cosched\n"
                           "fi\n";

/* Inside single quotes, where _arguments and _describe also mind brackets and colons. */
static void put_quoted(struct cs_strbuf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            cs_strbuf_puts(out, "'\\''");
        else if (strchr("[]:\\", *text))
            cs_strbuf_printf(out, "\\%c", *text);
        else
            cs_strbuf_putc(out, *text);
    }
}

/* _cosched_plan_pack for "plan pack". */
static void put_function(struct cs_strbuf *out, const char *words)
{
    cs_strbuf_puts(out, "_cosched_");
    for (; *words; words++)
        cs_strbuf_putc(out, *words == ' ' ? '_' : *words);
}

/* ":NAME:ACTION" */
static void put_action(struct cs_strbuf *out, const char *name, const struct cs_field *o)
{
    cs_strbuf_putc(out, ':');
    put_quoted(out, name);
    cs_strbuf_putc(out, ':');
    if (o->kind == CS_FIELD_PATH) {
        cs_strbuf_puts(out, "_files");
    } else if (cs_field_has_words(o)) {
        cs_strbuf_puts(out, o->list ? "_sequence _cosched_add - " : "(");
        cs_field_put_words(o, out);
        cs_strbuf_puts(out, o->list ? "" : ")");
    }
}

static void put_option(struct cs_strbuf *out, const struct cs_field *o)
{
    const char *spelling = o->kind == CS_FIELD_FLAG ? "" : "=";

    cs_strbuf_printf(out, "        '%s--%s%s[", o->repeats ? "*" : "", o->name, spelling);
    put_quoted(out, o->summary);
    cs_strbuf_putc(out, ']');
    if (o->kind != CS_FIELD_FLAG)
        put_action(out, cs_option_argument(o), o);
    cs_strbuf_puts(out, "' \\\n");
}

static void put_operand(struct cs_strbuf *out, const struct cs_operand *o, int position)
{
    if (o->repeats)
        cs_strbuf_puts(out, "        '*");
    else
        cs_strbuf_printf(out, "        '%d%s", position, o->optional ? ":" : "");
    put_action(out, o->name,
               &(struct cs_field){.kind = o->kind, .choices = o->choices, .values = o->values});
    cs_strbuf_puts(out, "' \\\n");
}

static void completion_zsh_put_command(struct cs_strbuf *out, const struct cs_command *command)
{
    put_function(out, command->words);
    cs_strbuf_puts(out, "() {\n    _arguments -s -S \\\n");
    for (const struct cs_field *o = cs_command_options(command); o && o->name; o++)
        put_option(out, o);
    for (const struct cs_operand *o = command->operands; o && o->name; o++)
        put_operand(out, o, (int)(o - command->operands) + 1);
    cs_strbuf_puts(out, "        '(- *)'{-h,--help}'[print help and exit]'\n}\n\n");
}

/* The first words of all commands, or the second ones after a verb, each once. */
static void completion_zsh_put_words(struct cs_strbuf *out, const char *verb)
{
    int count, place = verb ? 1 : 0;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = cs_command_word(list[i], place, &length);

        if (!word || (verb && !cs_command_has_verb(list[i], verb)) || cs_command_repeats(i, place))
            continue;
        cs_strbuf_printf(out, " '%.*s:", (int)length, word);
        put_quoted(out, list[i]->summary);
        cs_strbuf_putc(out, '\'');
    }
}

/* Is this the first command of two words or more with its verb? */
static bool begins_verb(const struct cs_command *const *list, int index, const char *verb)
{
    size_t length;

    for (int i = 0; i < index; i++)
        if (cs_command_has_verb(list[i], verb) && cs_command_word(list[i], 1, &length))
            return false;
    return cs_command_word(list[index], 1, &length) != NULL;
}

static void put_verbs(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        char verb[64] = "";

        strncat(verb, list[i]->words, strcspn(list[i]->words, " "));
        if (!begins_verb(list, i, verb))
            continue;
        cs_strbuf_printf(out, "    %s)\n        second=(", verb);
        completion_zsh_put_words(out, verb);
        cs_strbuf_puts(out, ") ;;\n");
    }
}

void cs_completion_zsh(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, head);
    for (int i = 0; i < count; i++)
        completion_zsh_put_command(out, list[i]);
    cs_strbuf_puts(out, "_cosched() {\n    local name\n    local -a second first=(");
    completion_zsh_put_words(out, NULL);
    cs_strbuf_puts(out, ")\n"
                        "    if ((CURRENT == 2)); then\n"
                        "        _describe -t commands command first\n"
                        "        return\n"
                        "    fi\n"
                        "    case $words[2] in\n");
    put_verbs(out);
    cs_strbuf_puts(out, tail);
}
