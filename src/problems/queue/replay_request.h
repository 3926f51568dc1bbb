/* replay_request.h - what a replay of logs is asked for, in the words of `cosched replay`, and the
 * study (log_study.h) that this makes; sweeps say the same words (case_site.c). */
#ifndef CS_QUEUE_REPLAY_REQUEST_H
#define CS_QUEUE_REPLAY_REQUEST_H

#include "io/site_file.h"
#include "model/extpol.h"
#include "problems/queue/log_study.h"

#include <cosched/replay.h>

struct cs_cache;
struct cs_digest;

struct cs_replay_request {
    const struct cs_replay_options *options;
    const char *const *path;
    int files;
    struct cs_arena *arena;
    struct cs_zone *zone;            /* or NULL */
    const char *zone_name;           /* or NULL */
    const struct cs_site_file *file; /* or NULL */
    unsigned by;                     /* tables to show */
    enum cs_log_kind kind;           /* of the first file */
    bool dated;
    int64_t epoch;
    struct cs_sched_multifactor multifactor;
    struct cs_queue_log_study study;
    struct cs_extpol *extpol; /* what the policy `program` asks, or NULL */
    char spool[64];           /* a file with standard input; "" for none */
    const char *const *shown; /* the policy of each way as it was asked for */
    int scenarios;            /* of failures, a row each */
    const char *drawn;        /* instead of files: the text of a log that was made, or NULL */
    void (*warn)(const char *text, void *who); /* or NULL */
    void *who;
    int warnings;
    const char **warning;
};

/* Make the study of the options and logs; arena, drawn, warn and who of the request are given.  -1
 * with err. */
int cs_replay_prepare(const char *const *path, int files, const struct cs_replay_options *options,
                      struct cs_replay_request *request, struct cs_error *err);
void cs_replay_release(struct cs_replay_request *request);

/* As much of that as the guard does not give back where memory runs out. */
void cs_replay_discard(struct cs_replay_request *request);

/* What says that options do not go together before anything is read.  -1 with err. */
int cs_replay_check(const struct cs_replay_options *options, struct cs_error *err);

/* The digest of machine, outages and jobs; the cache may be NULL. */
void cs_replay_identify(const struct cs_replay_request *request, struct cs_cache *cache,
                        struct cs_digest *digest);

void cs_replay_warn(struct cs_replay_request *request, const char *format, ...) CS_PRINTF(2, 3);

#endif
