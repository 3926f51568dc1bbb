/* declare.h - the keys of a schedule file that describe a run of malleable applications. */
#ifndef CS_MALLEABLE_DECLARE_H
#define CS_MALLEABLE_DECLARE_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problems/malleable/malleable.h"

/* The machine, the rules and what happened.  Lives in the arena and needs the record no longer. */
const struct cs_malleable_declared *
cs_malleable_declare(const struct cs_malleable_instance *instance,
                     const struct cs_malleable_rules *rules,
                     const struct cs_malleable_record *record, struct cs_arena *arena);

#endif
