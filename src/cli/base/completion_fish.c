/* completion_fish.c - the tables as a completion script for fish.
 *
 * One line per word or option, with its meaning; the line is used if its condition holds, which
 * fish evaluates once for all lines with the same one.
 */
#include "cli/base/help.h"

#include <string.h>

static const char head[] = "# fish completion for cosched; made by 'cosched completion fish'\n"
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
    const char *at = strstr(head, "%s");

    cs_strbuf_printf(out, "%.*s", (int)(at - head), head);
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
static void put_source(struct cs_strbuf *out, const struct cs_field *o)
{
    if (o->kind == CS_FIELD_PATH) {
        cs_strbuf_puts(out, " -F");
    } else if (cs_field_has_words(o)) {
        cs_strbuf_puts(out, o->list ? " -a '(__cosched_list " : " -a '");
        cs_field_put_words(o, out);
        cs_strbuf_puts(out, o->list ? ")'" : "'");
    }
}

static void put_option(struct cs_strbuf *out, const struct cs_field *o)
{
    if (o->letter)
        cs_strbuf_printf(out, " -s %c", o->letter);
    cs_strbuf_printf(out, " -l %s", o->name);
    if (o->kind != CS_FIELD_FLAG) {
        cs_strbuf_puts(out, o->kind == CS_FIELD_PATH ? " -r" : " -x");
        put_source(out, o);
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
        if (o->kind != CS_FIELD_PATH && !o->choices && !o->values)
            continue;
        put_where(out, "is", command->words, length);
        put_source(out,
                   &(struct cs_field){.kind = o->kind, .choices = o->choices, .values = o->values});
        cs_strbuf_putc(out, '\n');
    }
    for (const struct cs_field *o = cs_command_options(command); o && o->name; o++) {
        put_where(out, "is", command->words, length);
        put_option(out, o);
    }
}

void cs_completion_fish(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    completion_fish_put_head(out);
    completion_fish_put_words(out);
    for (int i = 0; i < count; i++)
        completion_fish_put_command(out, list[i]);
}
