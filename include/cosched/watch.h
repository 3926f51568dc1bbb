/* watch.h - to watch something that takes long, and to stop it. */
#ifndef COSCHED_WATCH_H
#define COSCHED_WATCH_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

/* NULL for a watch: no callbacks. */
struct cs_watch {
    size_t size;             /* sizeof(struct cs_watch) */
    bool (*stop)(void *who); /* asked many times a second, also in the middle of runs and plans,
                                from any thread, and at least from the one that calls: true ends the
                                call, which then fails as CS_ERROR_STOPPED; NULL: never */
    void (*progress)(void *who, double share); /* 0 to 1, from one thread; or NULL */
    void (*warn)(void *who,
                 const char *error_text); /* results should be taken with care; or NULL */
    void *who;
};

CS_END_DECLS

#endif
