/* completion.c - cosched completion: scripts for the shells, made from the tables. */
#include "cli/base/help.h"
#include "cli/base/output.h"

#include <string.h>

/* The tables as a completion script for bash.
 *
 * The script needs only bash. It finds the command as the longest words of the line that name one.
 * Bash splits words at "=" and ":", and expects only the last piece: the typed text is taken from
 * the line, for --name=value and for name:parameter=value,name.
 */

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

/* The first words of all commands, or the second ones after an action, each once. */
static void put_first_words(struct cs_strbuf *out, const char *action)
{
    int count, place = action ? 1 : 0;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = cs_command_word(list[i], place, &length);

        if (word && (!action || cs_command_has_action(list[i], action)) &&
            !cs_command_repeats(i, place))
            cs_strbuf_printf(out, " %.*s", (int)length, word);
    }
}

/* The words after each action that begins several words. */
static void put_first(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_first() {\n    case $1 in\n    '') _cosched_words '");
    put_first_words(out, NULL);
    cs_strbuf_puts(out, " --help --version' \"$2\" ;;\n");
    for (int i = 0; i < count; i++) {
        char action[64] = "";

        if (cs_command_repeats(i, 0))
            continue;
        strncat(action, list[i]->words, strcspn(list[i]->words, " "));
        cs_strbuf_printf(out, "    %s) _cosched_words '", action);
        put_first_words(out, action);
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
        for (const struct cs_param *o = cs_command_options(list[i]); o && o->name; o++)
            cs_strbuf_printf(out, "--%s ", o->name);
        cs_strbuf_puts(out, "--help' \"$2\" ;;\n");
    }
    cs_strbuf_puts(out, "    esac\n}\n\n");
}

/* The completions of a value: words, file names, or none. */
static void put_source(struct cs_strbuf *out, const struct cs_param *o)
{
    if (o->kind == CS_PARAM_PATH) {
        cs_strbuf_puts(out, "_cosched_files \"$3\"");
        return;
    }
    if (!cs_param_has_words(o)) {
        cs_strbuf_puts(out, ":");
        return;
    }
    cs_strbuf_printf(out, "_cosched_%s '", o->list ? "list" : "words");
    cs_param_put_words(o, out);
    cs_strbuf_puts(out, o->list ? "' \"$3\" \"$4\"" : "' \"$3\"");
}

static void put_values(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, "_cosched_value() {\n    case \"$1 $2\" in\n");
    for (int i = 0; i < count; i++)
        for (const struct cs_param *o = cs_command_options(list[i]); o && o->name; o++) {
            if (o->kind == CS_PARAM_FLAG)
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
            put_source(out, &(struct cs_param){
                                .kind = o->kind, .choices = o->choices, .values = o->values});
            cs_strbuf_puts(out, " ;;\n");
        }
    cs_strbuf_puts(out, "    esac\n}\n\n");
}

static void completion_bash(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, head);
    put_is_command(out);
    put_first(out);
    put_options(out);
    put_values(out);
    put_operands(out);
    cs_strbuf_puts(out, tail);
}

/* The tables as a completion script for fish.
 *
 * One line per word or option, with its meaning; the line is used if its condition holds, which
 * fish evaluates once for all lines with the same one.
 */

static const char completion_fish_head[] =
    "# fish completion for cosched; made by 'cosched completion fish'\n"
    "\n"
    "function __cosched_is -a command\n"
    "    set -l line (commandline -opc)\n"
    "    switch \"$line[2] $line[3]\"\n"
    "        case %s\n"
    "            test \"$line[2] $line[3]\" = \"$command\"\n"
    "        case '*'\n"
    "            test \"$line[2]\" = \"$command\"\n"
    "    end\n"
    "end\n"
    "\n"
    "function __cosched_after -a words\n"
    "    set -l line (commandline -opc)\n"
    "    test \"$line[2..]\" = \"$words\"\n"
    "end\n"
    "\n"
    "function __cosched_list\n"
    "    set -l typed (commandline -ct | string replace -r '^--[^=]*=' '')\n"
    "    set -l before (string match -r '.*,' -- $typed)\n"
    "    for word in $argv\n"
    "        if not string match -q -- \"*,$word,*\" \",$before\"\n"
    "            and test -z \"$before\" -o $word != all\n"
    "            echo \"$before$word\"\n"
    "        end\n"
    "    end\n"
    "end\n"
    "\n"
    "complete -c cosched -f\n"
    "complete -c cosched -s h -l help -d 'print help and exit'\n"
    "complete -c cosched -n '__cosched_after \"\"' -s V -l version -d "
    "'print the version and exit'\n";

/* Inside single quotes. */
static void put_quoted(struct cs_strbuf *out, const char *text)
{
    cs_strbuf_putc(out, '\'');
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            cs_strbuf_putc(out, '\\');
        cs_strbuf_putc(out, *text);
    }
    cs_strbuf_putc(out, '\'');
}

/* The beginning of each line: it counts for this command, or right after these words. */
static void put_where(struct cs_strbuf *out, const char *where, const char *words, size_t length)
{
    cs_strbuf_printf(out, "complete -c cosched -n '__cosched_%s \"%.*s\"'", where, (int)length,
                     words);
}

/* The commands of two words, which are no command of one word with an operand. */
static void put_pairs(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);
    size_t length;
    bool more = false;

    for (int i = 0; i < count; i++) {
        if (!cs_command_word(list[i], 1, &length))
            continue;
        cs_strbuf_puts(out, more ? " " : "");
        put_quoted(out, list[i]->words);
        more = true;
    }
}

static void completion_fish_put_head(struct cs_strbuf *out)
{
    const char *at = strstr(completion_fish_head, "%s");

    cs_strbuf_printf(out, "%.*s", (int)(at - completion_fish_head), completion_fish_head);
    put_pairs(out);
    cs_strbuf_puts(out, at + 2);
}

/* The first words of all commands, and the second ones where the first ones were typed. */
static void completion_fish_put_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++)
        for (int place = 0; place < 2; place++) {
            size_t length;
            const char *word = cs_command_word(list[i], place, &length);

            if (!word || cs_command_repeats(i, place))
                continue;
            put_where(out, "after", list[i]->words,
                      place ? (size_t)(word - list[i]->words) - 1 : 0);
            cs_strbuf_printf(out, " -a %.*s", (int)length, word);
            if (!word[length]) {
                cs_strbuf_puts(out, " -d ");
                put_quoted(out, list[i]->summary);
            }
            cs_strbuf_putc(out, '\n');
        }
}

/* The completions of a value. */
static void completion_fish_put_source(struct cs_strbuf *out, const struct cs_param *o)
{
    if (o->kind == CS_PARAM_PATH) {
        cs_strbuf_puts(out, " -F");
    } else if (cs_param_has_words(o)) {
        cs_strbuf_puts(out, o->list ? " -a '(__cosched_list " : " -a '");
        cs_param_put_words(o, out);
        cs_strbuf_puts(out, o->list ? ")'" : "'");
    }
}

static void put_option(struct cs_strbuf *out, const struct cs_param *o)
{
    if (o->letter)
        cs_strbuf_printf(out, " -s %c", o->letter);
    cs_strbuf_printf(out, " -l %s", o->name);
    if (o->kind != CS_PARAM_FLAG) {
        cs_strbuf_puts(out, o->kind == CS_PARAM_PATH ? " -r" : " -x");
        completion_fish_put_source(out, o);
    }
    cs_strbuf_puts(out, " -d ");
    put_quoted(out, o->summary);
    cs_strbuf_putc(out, '\n');
}

static void completion_fish_put_command(struct cs_strbuf *out, const struct cs_command *command)
{
    const size_t length = strlen(command->words);

    cs_strbuf_putc(out, '\n');
    for (const struct cs_operand *o = command->operands; o && o->name; o++) {
        if (o->kind != CS_PARAM_PATH && !o->choices && !o->values)
            continue;
        put_where(out, "is", command->words, length);
        completion_fish_put_source(
            out, &(struct cs_param){.kind = o->kind, .choices = o->choices, .values = o->values});
        cs_strbuf_putc(out, '\n');
    }
    for (const struct cs_param *o = cs_command_options(command); o && o->name; o++) {
        put_where(out, "is", command->words, length);
        put_option(out, o);
    }
}

/* Whole scripts for the shells. */
static void completion_fish(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    completion_fish_put_head(out);
    completion_fish_put_words(out);
    for (int i = 0; i < count; i++)
        completion_fish_put_command(out, list[i]);
}

/* The tables as a completion script for zsh. */

static const char completion_zsh_head[] = "#compdef cosched\n"
                                          "# made by 'cosched completion zsh'\n"
                                          "\n"
                                          "_cosched_add() {\n"
                                          "    [[ $IPREFIX != *, ]] || set -- \"${@:#all}\"\n"
                                          "    compadd \"$@\"\n"
                                          "}\n"
                                          "\n";

static const char completion_zsh_tail[] = "    esac\n"
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
static void completion_zsh_put_quoted(struct cs_strbuf *out, const char *text)
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
static void put_action(struct cs_strbuf *out, const char *name, const struct cs_param *o)
{
    cs_strbuf_putc(out, ':');
    completion_zsh_put_quoted(out, name);
    cs_strbuf_putc(out, ':');
    if (o->kind == CS_PARAM_PATH) {
        cs_strbuf_puts(out, "_files");
    } else if (cs_param_has_words(o)) {
        cs_strbuf_puts(out, o->list ? "_sequence _cosched_add - " : "(");
        cs_param_put_words(o, out);
        cs_strbuf_puts(out, o->list ? "" : ")");
    }
}

static void completion_zsh_put_option(struct cs_strbuf *out, const struct cs_param *o)
{
    const char *spelling = o->kind == CS_PARAM_FLAG ? "" : "=";

    cs_strbuf_printf(out, "        '%s--%s%s[", o->repeats ? "*" : "", o->name, spelling);
    completion_zsh_put_quoted(out, o->summary);
    cs_strbuf_putc(out, ']');
    if (o->kind != CS_PARAM_FLAG)
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
               &(struct cs_param){.kind = o->kind, .choices = o->choices, .values = o->values});
    cs_strbuf_puts(out, "' \\\n");
}

static void completion_zsh_put_command(struct cs_strbuf *out, const struct cs_command *command)
{
    put_function(out, command->words);
    cs_strbuf_puts(out, "() {\n    _arguments -s -S \\\n");
    for (const struct cs_param *o = cs_command_options(command); o && o->name; o++)
        completion_zsh_put_option(out, o);
    for (const struct cs_operand *o = command->operands; o && o->name; o++)
        put_operand(out, o, (int)(o - command->operands) + 1);
    cs_strbuf_puts(out, "        '(- *)'{-h,--help}'[print help and exit]'\n}\n\n");
}

/* The first words of all commands, or the second ones after an action, each once. */
static void completion_zsh_put_words(struct cs_strbuf *out, const char *action)
{
    int count, place = action ? 1 : 0;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        size_t length;
        const char *word = cs_command_word(list[i], place, &length);

        if (!word || (action && !cs_command_has_action(list[i], action)) ||
            cs_command_repeats(i, place))
            continue;
        cs_strbuf_printf(out, " '%.*s:", (int)length, word);
        completion_zsh_put_quoted(out, list[i]->summary);
        cs_strbuf_putc(out, '\'');
    }
}

/* Is this the first command of two words or more with its action? */
static bool begins_action(const struct cs_command *const *list, int index, const char *action)
{
    size_t length;

    for (int i = 0; i < index; i++)
        if (cs_command_has_action(list[i], action) && cs_command_word(list[i], 1, &length))
            return false;
    return cs_command_word(list[index], 1, &length) != NULL;
}

static void put_actions(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        char action[64] = "";

        strncat(action, list[i]->words, strcspn(list[i]->words, " "));
        if (!begins_action(list, i, action))
            continue;
        cs_strbuf_printf(out, "    %s)\n        second=(", action);
        completion_zsh_put_words(out, action);
        cs_strbuf_puts(out, ") ;;\n");
    }
}

static void completion_zsh(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, completion_zsh_head);
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
    put_actions(out);
    cs_strbuf_puts(out, completion_zsh_tail);
}

#define SHELLS "bash|zsh|fish"

static int completion_run(const struct cs_arguments *args, struct cs_error *err)
{
    static void (*const script[])(struct cs_strbuf *) = {completion_bash, completion_zsh,
                                                         completion_fish};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)err;
    script[cs_choice_index(SHELLS, cs_arguments_operand(args, 0))](&out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SHELL",
     .kind = CS_PARAM_CHOICE,
     .choices = SHELLS,
     .summary = "the shell: bash, zsh or fish"},
    {0},
};

static const struct cs_example examples[] = {
    {"Completion in this bash:", "source <(cosched completion bash)"},
    {"For zsh, into a folder of $fpath:", "cosched completion zsh > ~/.zfunc/_cosched"},
    {"For fish:", "cosched completion fish > ~/.config/fish/completions/cosched.fish"},
    {0},
};

const struct cs_command cs_command_completion = {
    .words = "completion",
    .summary = "print the completion script for a shell",
    .description =
        "Commands, options, their choices and the names of policies are completed; where "
        "several are taken, after each comma too.  An installed cosched brings these "
        "scripts along already.",
    .operands = operands,
    .examples = examples,
    .run = completion_run,
};
