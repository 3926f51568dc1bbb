/* identity.c - the digest of a log on the machine of a site, as policies see it: pools,
 * partitions, outages, and all jobs.  Names and dates play no part (problem/cache.h).
 *
 * Complexity: O(jobs); the log is read again.
 */
#include "base/digest.h"
#include "base/guard.h"
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

static const struct cs_cache_kind identity_kind = {"jobs", identity_read, cs_block_free};

/* A log is read once for this, for any number of cells; one in a temporary file each time, as
 * the next file may have its name. */
static void identity_put_jobs(const struct cs_replay_request *r, struct cs_digest *digest)
{
    const struct cs_queue_log_study *study = &r->study;
    struct cs_error none = {0};
    char *own = NULL;

    if (!r->cache || r->spool[0])
        own = identity_read(study, &none);
    cs_digest_put_text(
        digest, own ? own : cs_cache_get_by(r->cache, r->by_options, &identity_kind, study, &none));
    cs_block_free(own);
}

/* Each set finds the machine empty. */
static void identity_put_sets(const struct cs_queue_cut *cut, struct cs_digest *digest)
{
    for (int s = 0; s < cut->sets; s++) {
        cs_digest_put_integer(digest, cut->set[s].jobs.count);
        for (int j = 0; j < cut->set[s].jobs.count; j++)
            identity_put_job(digest, &cut->set[s].job[j]);
    }
}

void cs_replay_identify(const struct cs_replay_request *r, struct cs_digest *digest)
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
    if (study->cut)
        identity_put_sets(study->cut, digest);
    else
        identity_put_jobs(r, digest);
}
