/* names.h - the names of a file's tasks, numbered in order of first appearance. */
#ifndef CS_IO_NAMES_H
#define CS_IO_NAMES_H

#include "base/arena.h"

#include <stdint.h>

struct cs_names;

/* Lives and dies with the arena. */
struct cs_names *cs_names_create(struct cs_arena *arena);

/* The number of the name, -1 when it is unknown. */
int cs_names_find(const struct cs_names *names, const char *name);

/* The number of the name, which is added (copied) when it is unknown. */
int cs_names_add(struct cs_names *names, const char *name);

/* The text, or with "#2", "#3", ... behind it the first that is new; it is added. */
const char *cs_names_distinct(struct cs_names *names, const char *text);

/* The name of a number, such as a job's, that others may have: "7", or if that is there "7.13" for
 * the place 12 (or the next that is new). It is added; the text is in the arena. */
const char *cs_names_add_id(struct cs_names *names, int64_t id, int place, struct cs_arena *arena);

/* The names by number, *count of them, valid until the next add. */
const char *const *cs_names_list(const struct cs_names *names, int *count);

/* Why a text cannot be the name of a task, such as "it is empty"; NULL when it can.  Names are
 * UTF-8 without control characters: they go to terminals, pictures and files. */
const char *cs_names_fault(const char *name);

#endif
