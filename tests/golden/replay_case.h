/* replay_case.h - a case of the golden files of replays, as the driver takes it. */
#ifndef CS_TESTS_REPLAY_CASE_H
#define CS_TESTS_REPLAY_CASE_H

#include "base/arena.h"
#include "problems/queue/simulate.h"

#include <jansson.h>

struct replay_names {
    int count;
    const char *name[1000];
    struct cs_log_names shown;
};

struct replay_case {
    struct cs_arena *arena;
    const struct cs_site *site;
    int jobs, outages;
    struct cs_log_job *job; /* in the order of their arrival */
    int *index;             /* of each, in the file */
    struct cs_site_outage *outage;
    struct replay_names users, accounts, qualities;
    struct cs_sched_member *member; /* of each job */
};

/* -1 with err. */
int replay_case_read(const json_t *json, struct replay_case *c, struct cs_error *err);

/* What an entry of "expected" asks for.  -1 with err. */
struct replay_variant {
    struct cs_policy_call call;
    struct cs_sched_multifactor multifactor;
    struct cs_queue_operation op; /* without observers */
};

int replay_variant_read(const json_t *want, const struct replay_case *c,
                        struct replay_variant *variant, struct cs_error *err);

/* The jobs of a case, one after the other. */
struct replay_at {
    const struct replay_case *c;
    int next;
};

int replay_next(void *source, struct cs_log_job *out, struct cs_error *err);

#endif
