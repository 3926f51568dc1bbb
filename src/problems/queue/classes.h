/* classes.h - waits by width, running time, both, user, account, partition, quality of service,
 * week and day (spec/replay.md 10.4).  Another observer.
 *
 * A cell keeps 1024 values, then a histogram.  Users beyond 100,000 are counted together.
 */
#ifndef CS_QUEUE_CLASSES_H
#define CS_QUEUE_CLASSES_H

#include "base/sketch.h"
#include "base/strbuf.h"
#include "base/zone.h"
#include "problems/queue/measures.h"

enum cs_queue_by {
    CS_QUEUE_BY_WIDTH,
    CS_QUEUE_BY_TIME,
    CS_QUEUE_BY_CLASS, /* width and time */
    CS_QUEUE_BY_USER,
    CS_QUEUE_BY_ACCOUNT,
    CS_QUEUE_BY_PARTITION,
    CS_QUEUE_BY_QOS,
    CS_QUEUE_BY_WEEK, /* of ISO 8601 */
    CS_QUEUE_BY_DAY,
    CS_QUEUE_BYS,
};

#define CS_QUEUE_BY_WORDS "width|time|class|user|account|partition|qos|week|day"

const char *cs_queue_by_word(enum cs_queue_by by);

struct cs_queue_cell {
    int64_t key; /* ascending: a class, the number of a name (-1: none), a week or a day */
    int64_t jobs;
    double area; /* processor seconds */
    struct cs_neumaier wait, slowdown;
    struct cs_sketch waits;
};

struct cs_queue_classes;

/* `by`: a set of 1 << CS_RIGID_BY_... */
struct cs_queue_classes *cs_queue_classes_create(unsigned by, const struct cs_queue_window *window,
                                                 int64_t epoch, const struct cs_zone *zone);
void cs_queue_classes_destroy(struct cs_queue_classes *classes); /* NULL is fine */

struct cs_queue_observer cs_queue_classes_observer(struct cs_queue_classes *classes);

/* The cells by key; valid until the next job. */
struct cs_queue_cell *cs_queue_classes_cells(struct cs_queue_classes *classes, enum cs_queue_by by,
                                             int *count);

/* Append the name of a cell: "5-16", "1 h to 4 h", "2025-W07", ...; names NULL: none are known. */
void cs_queue_class_put(enum cs_queue_by by, int64_t key, const struct cs_log_names *names,
                        struct cs_strbuf *out);

/* Classes of width (1, 2-4, 5-16, ...) and of running time. */
#define CS_QUEUE_TIMES 7

#endif
