/* completion_bash.c - the tables as a completion script for bash.
 *
 * The script needs only bash. It finds the command as the longest words of the line that name one.
 * Bash splits words at "=" and ":", and expects only the last piece: the typed text is taken from
 * the line, for --name=value and for name:parameter=value,name.
 */
#include "cli/base/help.h"

#include <string.h>

static const char head[] = "# bash completion for cosched; made by 'cosched completion bash'\n"
                           "\n"
                           "_cosched_words() {\n"
                           "    COMPREPLY=($(compgen -W \"$1\" -- \"$2\"))\n"
                           "}\n"
                           "\n"
                           "_cosched_files() {\n"
                           "    compopt -o filenames 2>/dev/null\n"
                           "    COMPREPLY=($(compgen -f -- \"$1\"))\n"
                           "}\n"
                           "\n"
                           "_cosched_list() {\n"
                           "    local word words= last=${3##*,}\n"
                           "    for word in $1; do\n"
                           "        [[ ,$3 == *,$word,* || $3 == *,* && $word == all ]] ||\n"
                           "            words+=\" $word\"\n"
                           "    done\n"
                           "    COMPREPLY=($(compgen -P \"${2%\"${2##*,}\"}\" \\\n"
                           "        -W \"$words\" -- \"$last\"))\n"
                           "}\n"
                           "\n";

static const char tail[] =
    "_cosched() {\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command= first= count=0 i word line=${COMP_LINE:0:COMP_POINT}\n"
    "    local typed=${line##*[[:space:]]}\n"
    "    COMPREPLY=()\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ -z $command && $word != -* ]]; then\n"
    "            if _cosched_is_command \"${first:+$first }$word\"; then\n"
    "                command=\"${first:+$first }$word\"\n"
    "            elif [[ -z $first ]]; then\n"
    "                first=$word\n"
    "            else\n"
    "                return\n"
    "            fi\n"
    "        elif [[ $word != -* && $word != [=:] && ${COMP_WORDS[i - 1]} != -* &&\n"
    "                ${COMP_WORDS[i - 1]} != [=:] ]]; then\n"
    "            ((count++))\n"
    "        fi\n"
    "    done\n"
    "    if [[ $typed == --*=* ]]; then\n"
    "        before=${typed%%=*} typed=${typed#*=}\n"
    "    elif [[ $current == [=:] || $before == [=:] ]]; then\n"
    "        before=${line%\"$typed\"}\n"
    "        before=${before%\"${before##*[![:space:]]}\"}\n"
    "        before=${before##*[[:space:]]}\n"
    "    fi\n"
    "    [[ $current != [=:] ]] || current=\n"
    "    if [[ -z $command ]]; then\n"
    "        _cosched_first \"$first\" \"$current\"\n"
    "    elif ! _cosched_value \"$command\" \"$before\" \"$current\" \"$typed\"; then\n"
    "        if [[ $current == -* ]]; then\n"
    "            _cosched_options \"$command\" \"$current\"\n"
    "        else\n"
    "            _cosched_operand \"$command\" \"$count\" \"$current\"\n"
    "        fi\n"
    "    fi\n"
    "}\n"
    "\n"
    "complete -F _cosched cosched\n";

/* The first words of all commands, or the second ones after a verb, each once. */
static void put_first_words(struct cs_strbuf *out, const char *verb)
{
    int count, place = verb ? 1 : 0;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = cs_command_word(list[i], place, &length);

        if (word && (!verb || cs_command_has_verb(list[i], verb)) && !cs_command_repeats(i, place))
            cs_strbuf_printf(out, " %.*s", (int)length, word);
    }
}

/* The words after each verb that begins several words. */
static void put_first(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_first() {\n    case $1 in\n    '') _cosched_words '");
    put_first_words(out, NULL);
    cs_strbuf_puts(out, " --help --version' \"$2\" ;;\n");
    for (int i = 0; i < count; i++) {
        char verb[64] = "";

        if (cs_command_repeats(i, 0))
            continue;
        strncat(verb, list[i]->words, strcspn(list[i]->words, " "));
        cs_strbuf_printf(out, "    %s) _cosched_words '", verb);
        put_first_words(out, verb);
        cs_strbuf_puts(out, " --help' \"$2\" ;;\n");
    }
    cs_strbuf_puts(out, "    esac\n}\n\n");
}

static void put_is_command(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_is_command() {\n    case $1 in\n    ");
    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s'%s'", i ? " | " : "", list[i]->words);
    cs_strbuf_puts(out, ") return 0 ;;\n    esac\n    return 1\n}\n\n");
}

static void put_options(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_options() {\n    case $1 in\n");
    for (int i = 0; i < count; i++) {
        cs_strbuf_printf(out, "    '%s') _cosched_words '", list[i]->words);
        for (const struct cs_field *o = cs_command_options(list[i]); o && o->name; o++)
            cs_strbuf_printf(out, "--%s ", o->name);
        cs_strbuf_puts(out, "--help' \"$2\" ;;\n");
    }
    cs_strbuf_puts(out, "    esac\n}\n\n");
}

/* The completions of a value: words, file names, or none. */
static void put_source(struct cs_strbuf *out, const struct cs_field *o)
{
    if (o->kind == CS_FIELD_PATH) {
        cs_strbuf_puts(out, "_cosched_files \"$3\"");
        return;
    }
    if (!cs_field_has_words(o)) {
        cs_strbuf_puts(out, ":");
        return;
    }
    cs_strbuf_printf(out, "_cosched_%s '", o->list ? "list" : "words");
    cs_field_put_words(o, out);
    cs_strbuf_puts(out, o->list ? "' \"$3\" \"$4\"" : "' \"$3\"");
}

static void put_values(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_value() {\n    case \"$1 $2\" in\n");
    for (int i = 0; i < count; i++)
        for (const struct cs_field *o = cs_command_options(list[i]); o && o->name; o++) {
            if (o->kind == CS_FIELD_FLAG)
                continue;
            cs_strbuf_printf(out, "    '%s --%s'", list[i]->words, o->name);
            if (o->letter)
                cs_strbuf_printf(out, " | '%s -%c'", list[i]->words, o->letter);
            cs_strbuf_puts(out, ") ");
            put_source(out, o);
            cs_strbuf_puts(out, " ;;\n");
        }
    cs_strbuf_puts(out, "    *) return 1 ;;\n    esac\n    return 0\n}\n\n");
}

static void put_operands(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_operand() {\n    case \"$1 $2\" in\n");
    for (int i = 0; i < count; i++)
        for (const struct cs_operand *o = list[i]->operands; o && o->name; o++) {
            cs_strbuf_printf(out, "    '%s '", list[i]->words);
            if (o->repeats)
                cs_strbuf_putc(out, '*');
            else
                cs_strbuf_printf(out, "%d", (int)(o - list[i]->operands));
            cs_strbuf_puts(out, ") ");
            put_source(out, &(struct cs_field){
                                .kind = o->kind, .choices = o->choices, .values = o->values});
            cs_strbuf_puts(out, " ;;\n");
        }
    cs_strbuf_puts(out, "    esac\n}\n\n");
}

void cs_completion_bash(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, head);
    put_is_command(out);
    put_first(out);
    put_options(out);
    put_values(out);
    put_operands(out);
    cs_strbuf_puts(out, tail);
}
