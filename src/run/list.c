/* list.c - texts for execve. */
#include "run/engine.h"

#include "base/bug.h"

#include <stdlib.h>
#include <string.h>

void cs_run_list_add(struct cs_run_list *list, const char *text)
{
    char *copy = strdup(text);

    if (list->count + 1 >= list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->text = realloc(list->text, (size_t)list->room * sizeof *list->text);
    }
    if (!copy || !list->text)
        cs_bug_no_memory((size_t)list->room * sizeof *list->text);
    list->text[list->count++] = copy;
    list->text[list->count] = NULL;
}

void cs_run_list_release(struct cs_run_list *list)
{
    for (int k = 0; k < list->count; k++)
        free(list->text[k]);
    free(list->text);
    *list = (struct cs_run_list){0};
}
