/* classes.h - waits by width, running time, both, user, account, partition, quality of service,
 * week and day (spec/replay.md 10.4).  Another observer.
 *
 * A cell keeps 1024 values, then a histogram.  Users beyond 100,000 are counted together.
 */
#ifndef CS_RIGID_CLASSES_H
#define CS_RIGID_CLASSES_H

#include "base/sketch.h"
#include "base/strbuf.h"
#include "base/zone.h"
#include "problems/rigid/measures.h"

enum cs_rigid_by {
    CS_RIGID_BY_WIDTH,
    CS_RIGID_BY_TIME,
    CS_RIGID_BY_CLASS, /* width and time */
    CS_RIGID_BY_USER,
    CS_RIGID_BY_ACCOUNT,
    CS_RIGID_BY_PARTITION,
    CS_RIGID_BY_QOS,
    CS_RIGID_BY_WEEK, /* of ISO 8601 */
    CS_RIGID_BY_DAY,
    CS_RIGID_BYS,
};

#define CS_RIGID_BY_WORDS "width|time|class|user|account|partition|qos|week|day"

struct cs_rigid_cell {
    int64_t key; /* ascending: a class, the number of a name (-1: none), a week or a day */
    int64_t jobs;
    double area; /* processor seconds */
    struct cs_neumaier wait, slowdown;
    struct cs_sketch waits;
};

struct cs_rigid_classes;

/* `by`: a set of 1 << CS_RIGID_BY_... */
struct cs_rigid_classes *cs_rigid_classes_create(unsigned by, const struct cs_rigid_window *window,
                                                 int64_t epoch, const struct cs_zone *zone);
void cs_rigid_classes_destroy(struct cs_rigid_classes *classes); /* NULL is fine */

struct cs_rigid_observer cs_rigid_classes_observer(struct cs_rigid_classes *classes);

/* The cells by key; valid until the next job. */
struct cs_rigid_cell *cs_rigid_classes_cells(struct cs_rigid_classes *classes, enum cs_rigid_by by,
                                             int *count);

/* Append the name of a cell: "5-16", "1 h to 4 h", "2025-W07", ...; names NULL: none are known. */
void cs_rigid_class_put(enum cs_rigid_by by, int64_t key, const struct cs_log_names *names,
                        struct cs_strbuf *out);

/* Classes of width (1, 2-4, 5-16, ...) and of running time. */
#define CS_RIGID_TIMES 7

#endif
