/* log_job.h - a job of a log in common form: readers fill it, the replay of a site runs it,
 * measures and checkers read it.
 *
 * Jobs come one by one, by submit time; those of one time in the order of the log. Users, accounts,
 * partitions and qualities of service are numbers, and the source has their names, which become
 * more while it reads. Times are seconds on the clock of the log.
 */
#ifndef CS_MODEL_LOG_JOB_H
#define CS_MODEL_LOG_JOB_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Resources that a unit of a job may request from a pool: processors (cores, or nodes with
 * whole-node allocation), memory in megabytes, then generic resources as the site counts them
 * (model/site.h). */
#define CS_LOG_RESOURCES 24

/* Generic resources of a whole job; the type is "" when any will do. */
struct cs_log_gres_item {
    const char *name, *type;
    int64_t total;
};

struct cs_log_gres {
    int count;
    const struct cs_log_gres_item *item;
};

enum cs_log_state { /* how it ended in the log */
                    CS_LOG_UNKNOWN,
                    CS_LOG_COMPLETED,
                    CS_LOG_FAILED,
                    CS_LOG_CANCELLED,
                    CS_LOG_TIMEOUT,
};

struct cs_log_job {
    int64_t id;
    const char *label; /* the id as text when it is no number, else NULL; the source keeps it until
                          the job is reported as done */
    double submit;     /* it joins the queue */
    double seconds;    /* it runs so long, > 0 */
    double request;    /* requested time; <= 0: none */
    double recorded;   /* start in the log; NAN: none */
    /* The width in the log; -1: missing. */
    int64_t cores, nodes, memory, gpus; /* of all its nodes together; memory in megabytes */
    const struct cs_log_gres *gres;     /* NULL: only the GPUs, of any type */
    /* The same as the machine counts it (cs_site_size): so many units, each wants demand[] of one
     * pool.  procs, which priorities and measures use, is units times the first of the demand. */
    int units;
    int64_t demand[CS_LOG_RESOURCES];
    int64_t procs;
    /* Numbers from 0 on; -1: none. */
    int user, account, partition, qos; /* the partition is one of the site's */
    int named;                         /* partition, as the log calls it */
    enum cs_log_state state;
    int64_t failures; /* attempts that end with a silent error before the one that ends well */
    double nice;      /* taken off its multifactor priority */
};

/* Jobs one after the other. 1: *out is the next; 0: end; -1 with err. */
typedef int cs_log_next_f(void *source, struct cs_log_job *out, struct cs_error *err);

/* Names by number; `count` and `name` may change whenever a job is read, a name never does. */
struct cs_log_names {
    int count;
    const char *const *name;
};

#endif
