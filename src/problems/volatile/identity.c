/* identity.c - numbers of an instance in a fixed order.
 *
 * Invariant: instances without checkpoints and spares have a digest without these numbers, as in
 * versions that had neither.
 */
#include "problems/volatile/identity.h"

static void put_host(struct cs_digest *digest, const struct cs_volatile_host *host)
{
    cs_digest_put_integer(digest, host->slots);
    cs_digest_put_integer(digest, host->capacity);
    for (int i = 0; i < CS_VOLATILE_STATES; i++)
        for (int j = 0; j < CS_VOLATILE_STATES; j++)
            cs_digest_put_double(digest, host->chain[i][j]);
}

void cs_volatile_identity(const struct cs_volatile_instance *instance, char text[CS_DIGEST_TEXT])
{
    const struct cs_volatile_application *application = cs_volatile_instance_application(instance);
    int hosts = cs_volatile_instance_hosts(instance);
    struct cs_digest own, *digest = &own;

    cs_digest_init(digest);
    cs_digest_put_text(digest, "volatile 1");
    cs_digest_put_integer(digest, application->tasks);
    cs_digest_put_integer(digest, application->iterations);
    cs_digest_put_integer(digest, application->program);
    cs_digest_put_integer(digest, application->data);
    cs_digest_put_integer(digest, application->transfers);
    cs_digest_put_integer(digest, application->cap);
    if (application->save_every || application->spares) {
        cs_digest_put_integer(digest, application->save_every);
        cs_digest_put_integer(digest, application->save_cost);
        cs_digest_put_integer(digest, application->spares);
    }
    cs_digest_put_integer(digest, hosts);
    for (int q = 0; q < hosts; q++)
        put_host(digest, cs_volatile_instance_host(instance, q));
    cs_digest_finish(digest, text);
}
