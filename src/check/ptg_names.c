/* ptg_names.c - the names of a schedule of task graphs: GRAPH/TASK, in the order of the graphs.
 *
 * A slash in the name of a graph is an underscore there, and where two graphs have one name each
 * has its number behind it: GRAPH#NUMBER/TASK.
 */
#include "check/ptg_names.h"

#include "base/plain.h"
#include "check/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char letter_of(char c)
{
    return (char)(c == '/' ? '_' : c);
}

static int by_name(const void *a, const void *b)
{
    const char *x = (*(const struct cs_graph *const *)a)->name;
    const char *y = (*(const struct cs_graph *const *)b)->name;

    for (; *x && letter_of(*x) == letter_of(*y); x++)
        y++;
    return (letter_of(*x) > letter_of(*y)) - (letter_of(*x) < letter_of(*y));
}

static bool have_twins(const struct cs_ptg_declared *d, struct cs_arena *arena)
{
    const struct cs_graph **graph = CS_NEW_ARRAY(arena, const struct cs_graph *, d->graphs);

    for (int g = 0; g < d->graphs; g++)
        graph[g] = d->graph[g];
    qsort(graph, (size_t)d->graphs, sizeof(const struct cs_graph *), by_name);
    for (int g = 1; g < d->graphs; g++)
        if (by_name(&graph[g - 1], &graph[g]) == 0)
            return true;
    return false;
}

/* What the names of the tasks of a graph begin with. */
static char *prefix_of(const struct cs_graph *graph, int number, bool numbered,
                       struct cs_arena *arena)
{
    size_t length = strlen(graph->name), room = length + 16;
    char *prefix = cs_arena_alloc(arena, room, 1);

    for (size_t i = 0; i < length; i++)
        prefix[i] = letter_of(graph->name[i]);
    if (numbered)
        cs_plain_print(prefix + length, room - length, "#%d/", number);
    else
        cs_plain_print(prefix + length, room - length, "/");
    return prefix;
}

static void check_graph(const struct cs_schedule *schedule, const struct cs_graph *graph, int first,
                        const char *prefix, struct cs_check_report *report)
{
    size_t length = strlen(prefix);

    for (int v = 0; v < graph->tasks; v++) {
        const char *name = cs_schedule_task_name(schedule, first + v);

        if (strncmp(name, prefix, length) != 0 || strcmp(name + length, graph->task[v].name) != 0)
            cs_check_add(report, CS_VIOLATION_INSTANCE, first + v, NAN,
                         "task %d is \"%.60s\" in the schedule and \"%.60s%.60s\" in the graphs",
                         first + v, name, prefix, graph->task[v].name);
    }
}

void cs_check_ptg_names(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                        struct cs_arena *scratch, struct cs_check_report *report)
{
    bool numbered = have_twins(declared, scratch);
    int first = 0;

    for (int g = 0; g < declared->graphs; g++) {
        check_graph(schedule, declared->graph[g], first,
                    prefix_of(declared->graph[g], g, numbered, scratch), report);
        first += declared->graph[g]->tasks;
    }
}
