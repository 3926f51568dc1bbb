/* command.c - the list of commands, and finding one in it. */
#include "cli/base/command.h"

#include <string.h>

#define CS_COMMAND(name) extern const struct cs_command cs_command_##name;
#include "cli/commands.def"
#undef CS_COMMAND

#define CS_COMMAND(name) &cs_command_##name,
static const struct cs_command *const commands[] = {
#include "cli/commands.def"
};
#undef CS_COMMAND

const struct cs_command *const *cs_commands(int *count)
{
    *count = (int)(sizeof commands / sizeof *commands);
    return commands;
}

/* How many words a command has, "plan pack", if words[] begins with all of them; else 0. */
static int command_match(const char *at, int count, char *const *words)
{
    for (int used = 0; used < count; used++) {
        size_t length = strcspn(at, " ");

        if (strncmp(words[used], at, length) != 0 || words[used][length])
            return 0;
        if (!at[length])
            return used + 1;
        at += length + 1;
    }
    return 0;
}

const struct cs_command *cs_command_find(int count, char *const *words, int *used)
{
    const struct cs_command *found = NULL;
    int total;
    const struct cs_command *const *list = cs_commands(&total);

    *used = 0;
    for (int i = 0; i < total; i++) {
        int matched = command_match(list[i]->words, count, words);

        if (!matched && list[i]->also)
            matched = command_match(list[i]->also, count, words);

        if (matched > *used) {
            *used = matched;
            found = list[i];
        }
    }
    return found;
}

/* Is the word this option, or a beginning of its name, such as --dead=8h for --deadline? */
static bool word_is_option(const char *word, const char *option)
{
    size_t length = strcspn(word, "=");

    return length > strlen("--tra") && strncmp(word, option, length) == 0;
}

static bool line_has_option(int argc, char *const *argv, const char *option)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (word_is_option(argv[i], option))
            return true;
    return false;
}

const struct cs_command *cs_command_update(const struct cs_command *command, int *argc,
                                           char *const **argv, struct cs_arena *arena)
{
    const struct cs_former *former = command->former;
    int count;
    const struct cs_command *const *list = cs_commands(&count);
    char **line;
    int words = 0;

    if (!former || !line_has_option(*argc, *argv, former->option))
        return command;
    line = CS_NEW_ARRAY(arena, char *, *argc + 1);
    for (int i = 0; i < *argc; i++) {
        char *word = (*argv)[i];

        if (!word_is_option(word, former->operand))
            line[words++] = word;
        else if (strchr(word, '='))
            line[words++] = strchr(word, '=') + 1;
    }
    *argc = words;
    *argv = line;
    for (int i = 0; i < count; i++)
        if (strcmp(list[i]->words, former->words) == 0)
            command = list[i];
    return command;
}

bool cs_command_has_action(const struct cs_command *command, const char *action)
{
    size_t length = strlen(action);

    return strncmp(command->words, action, length) == 0 &&
           (command->words[length] == '\0' || command->words[length] == ' ');
}

const char *cs_command_word(const struct cs_command *command, int place, size_t *length)
{
    const char *word = command->words;

    for (; place > 0; place--) {
        word += strcspn(word, " ");
        if (!*word++)
            return NULL;
    }
    *length = strcspn(word, " ");
    return word;
}

bool cs_command_repeats(int index, int place)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);
    size_t length, other;
    const char *word = cs_command_word(list[index], place, &length), *end;

    for (int i = 0; word && i < index; i++) {
        size_t size = (size_t)(word - list[index]->words) + length;

        end = cs_command_word(list[i], place, &other);
        if (end && (size_t)(end - list[i]->words) + other == size &&
            !strncmp(list[i]->words, list[index]->words, size))
            return true;
    }
    return false;
}
