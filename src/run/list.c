/* list.c - texts for execve. */
#include "run/engine.h"

void cs_run_list_lend(struct cs_run_list *list, char *text)
{
    if (list->count + 1 >= list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->text = cs_arena_grow(list->arena, list->text, (size_t)list->count, (size_t)list->room,
                                   sizeof *list->text);
    }
    list->text[list->count++] = text;
    list->text[list->count] = NULL;
}

void cs_run_list_add(struct cs_run_list *list, const char *text)
{
    cs_run_list_lend(list, cs_arena_strdup(list->arena, text));
}
