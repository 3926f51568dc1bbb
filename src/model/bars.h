/* bars.h - bars before they are a schedule, in sorted order, and the numbers of their processors.
 */
#ifndef CS_MODEL_BARS_H
#define CS_MODEL_BARS_H

#include "base/arena.h"
#include "model/schedule.h"

#include <stdbool.h>
#include <stddef.h>

/* The bars by task, then start, then place in the schedule, in the arena. */
const struct cs_bar **cs_bars_by_task(const struct cs_schedule *schedule, size_t *count,
                                      struct cs_arena *arena);

/* Bars that grow in number; start with { 0 }.  Copies of their sets are in the arena, which is
 * created with the first bar unless it is given. */
struct cs_bar_list {
    struct cs_arena *arena;
    struct cs_bar *bar;
    size_t count, room;
    const char **uses; /* by bar; NULL: no bar has any */
    size_t uses_room;
};

/* Resources of a bar other than processors, and its nodes: lines "gpus 0-1", "memory 1024",
 * "nodes 0 2"; NULL: nothing.  `bar` is its number; the text is copied. */
void cs_schedule_set_uses(struct cs_schedule *schedule, size_t bar, const char *uses);
const char *cs_schedule_uses(const struct cs_schedule *schedule, size_t bar);

/* The value of the line with a name, *length of it; NULL: no such line. */
const char *cs_uses_find(const char *uses, const char *name, size_t *length);
void cs_bar_list_set_uses(struct cs_bar_list *list, size_t bar, const char *uses);

void cs_bar_list_add(struct cs_bar_list *list, const struct cs_bar *bar);
void cs_bar_list_release(struct cs_bar_list *list);

/* The bars become those of the schedule, which has none; the list is empty then.  Their tasks are
 * tasks of the schedule. */
void cs_schedule_adopt(struct cs_schedule *schedule, struct cs_bar_list *list);

/* How many processors a bar holds, with numbers or without. */
long long cs_bar_procs(const struct cs_bar *bar);

/* Do its bars have counts instead of numbers?  Either all of them have, or none. */
bool cs_schedule_has_counts(const struct cs_schedule *schedule);

/* Give numbers to bars that have only a count, by rising start, then place: as model/blocks.h
 * places jobs; a bar that continues one of its task and group at its end keeps the processors.
 * False, and no number, when more processors are held than there are. */
bool cs_schedule_number(struct cs_schedule *schedule);

/* Would cs_schedule_number succeed? */
bool cs_schedule_fits(struct cs_schedule *schedule);

/* For functions that need numbers: -1 with err when they could not be given. */
int cs_schedule_need_numbers(const struct cs_schedule *schedule, struct cs_error *err);

#endif
