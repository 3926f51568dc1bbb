/* identity.c - the digest of a log on the machine of a site, as policies see it: pools,
 * partitions, outages, and all jobs.  Names and dates play no part (problem/cache.h).
 *
 * Complexity: O(jobs); the log is read again.
 */
#include "base/digest.h"
#include "base/guard.h"
#include "base/strbuf.h"
#include "problem/cache.h"
#include "problems/queue/replay_request.h"

#define PLAIN_RESOURCES 3 /* cores, memory and GPUs of one type */

static void identity_put_job(struct cs_digest *digest, const struct cs_log_job *job)
{
    cs_digest_put_double(digest, job->submit);
    cs_digest_put_double(digest, job->seconds);
    cs_digest_put_double(digest, job->request);
    cs_digest_put_integer(digest, job->units);
    cs_digest_put_integer(digest, job->partition);
    for (int i = 0; i < CS_LOG_RESOURCES; i++)
        if (i < PLAIN_RESOURCES || job->demand[i])
            cs_digest_put_integer(digest, job->demand[i] + (i < PLAIN_RESOURCES ? 0 : i));
}

/* In hexadecimal, of all jobs that the log gives. */
static void *identity_read(const void *how, struct cs_error *err)
{
    const struct cs_queue_log_study *study = how;
    struct cs_log *log = cs_log_open(study->path, study->files, &study->log, err);
    char *text = cs_block_zero(CS_DIGEST_TEXT, 1);
    struct cs_digest digest;
    struct cs_log_job job;

    cs_digest_init(&digest);
    while (log && cs_log_next(log, &job, err) > 0) {
        identity_put_job(&digest, &job);
        cs_log_done(log, &job);
    }
    cs_log_close(log);
    cs_digest_finish(&digest, text);
    return text;
}

static const struct cs_cache_kind identity_kind = {.make = identity_read, .destroy = cs_block_free};

static void identity_put_words(struct cs_digest *digest, const char *text)
{
    cs_digest_put_text(digest, text ? text : "");
}

/* All options that affect which jobs a log has, and how wide they are. */
static void identity_name(const struct cs_replay_request *r, struct cs_strbuf *key)
{
    const struct cs_replay_options *o = r->options;
    const struct cs_log_options *log = &r->study.log;
    struct cs_digest digest;
    char text[CS_DIGEST_TEXT];

    cs_digest_init(&digest);
    cs_digest_put_integer(&digest, r->files);
    for (int i = 0; i < r->files; i++)
        identity_put_words(&digest, r->path[i]);
    identity_put_words(&digest, o->machine);
    identity_put_words(&digest, o->alloc);
    cs_digest_put_integer(&digest, o->assume_up);
    identity_put_words(&digest, o->zone);
    cs_digest_put_integer(&digest, o->procs);
    cs_digest_put_integer(&digest, o->nodes);
    cs_digest_put_integer(&digest, log->by_submit);
    cs_digest_put_integer(&digest, log->by_queue);
    cs_digest_put_integer(&digest, (int64_t)log->unit);
    cs_digest_put_integer(&digest, log->most);
    cs_digest_put_integer(&digest, log->lookahead);
    cs_digest_put_integer(&digest, log->strict);
    cs_digest_put_double(&digest, log->from);
    cs_digest_put_double(&digest, log->to);
    cs_digest_finish(&digest, text);
    cs_strbuf_printf(key, "jobs of a site, %s", text);
}

/* A log is read once for this, for any number of cells; one in a temporary file each time, as
 * the next file may have its name. */
static void identity_put_jobs(const struct cs_replay_request *r, struct cs_cache *cache,
                              struct cs_digest *digest)
{
    const struct cs_queue_log_study *study = &r->study;
    struct cs_strbuf key = CS_STRBUF_INIT;
    struct cs_error none = {0};
    char *own = NULL;

    identity_name(r, &key);
    if (!cache || r->spool[0])
        own = identity_read(study, &none);
    cs_digest_put_text(digest,
                       own ? own : cs_cache_get(cache, key.text, &identity_kind, study, &none));
    cs_strbuf_release(&key);
    cs_block_free(own);
}

void cs_replay_identify(const struct cs_replay_request *r, struct cs_cache *cache,
                        struct cs_digest *digest)
{
    const struct cs_queue_log_study *study = &r->study;
    const struct cs_site *site = study->log.site;

    cs_digest_put_text(digest, "site");
    cs_digest_put_double(digest, study->op.verification);
    for (int p = 0; p < site->pools; p++)
        for (int i = 0; i < PLAIN_RESOURCES || i < site->demands; i++)
            cs_digest_put_integer(digest, site->pool[p].capacity[i]);
    for (int p = 0; p < site->partitions; p++)
        for (int i = 0; i < site->partition[p].pools; i++)
            cs_digest_put_integer(digest, site->partition[p].pool[i]);
    for (int i = 0; i < study->op.outages; i++) {
        const struct cs_site_outage *outage = &study->op.outage[i];

        cs_digest_put_double(digest, outage->start);
        cs_digest_put_double(digest, outage->end);
        cs_digest_put_double(digest, outage->announced);
        cs_digest_put_integer(digest, outage->count);
        cs_digest_put_integer(digest, (int64_t)outage->kind);
        cs_digest_put_integer(digest, outage->group);
    }
    identity_put_jobs(r, cache, digest);
}
