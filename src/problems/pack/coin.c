/* coin.c - CLP and CBC by dlopen(). */
#include "problems/pack/coin.h"

#include "config.h"

#if CS_HAVE_CBC

#include "base/bug.h"
#include "base/library.h"
#include "base/lock.h"
#include "problems/pack/coin_table.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

struct cs_pack_coin cs_pack_coin;

static struct cs_lock lock = CS_LOCK_PROCESS;
static bool loaded;
static _Thread_local const void *broken;

/* The packages of Debian are called after the sonames: libCbcSolver.so.3.1 is in coinor-libcbc3.1.
 */
static const char *soname_version(const char *soname)
{
    const char *suffix = strstr(soname, ".so.");

    return suffix ? suffix + strlen(".so.") : "";
}

static int coin_missing(struct cs_error *err, const char *why)
{
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "linear programs need CLP and CBC (coinor-libclp%s and coinor-libcbc%s "
                           "on Debian), and %s",
                           soname_version(CS_CLP_LIBRARY), soname_version(CS_CBC_LIBRARY), why);
}

static int coin_fail(const char *library, struct cs_error *err)
{
    const char *why = dlerror();
    struct cs_error reason = {0};

    cs_error_set(&reason, "%s cannot be loaded: %s", library,
                 why ? why : "it is not what this program was built for");
    return coin_missing(err, reason.text);
}

#define CS_PACK_COIN(name)                                                                         \
    function = dlsym(library, #name);                                                              \
    if (!function)                                                                                 \
        return -1;                                                                                 \
    memcpy(&cs_pack_coin.name, &function, sizeof function);

static int take_clp(void *library)
{
    void *function;

    CS_PACK_CLP_FUNCTIONS
    return 0;
}

static int take_cbc(void *library)
{
    void *function;

    CS_PACK_CBC_FUNCTIONS
    return 0;
}

static int coin_open(const char *name, int (*take)(void *library), struct cs_error *err)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

    return library && !take(library) ? 0 : coin_fail(name, err);
}

void cs_pack_coin_failed(bool memory, const void *model)
{
    broken = model;
    if (memory)
        cs_bug_no_memory(0);
    cs_bug("CLP or CBC threw what is not about memory");
}

bool cs_pack_coin_is_broken(const void *model)
{
    return model == broken;
}

int cs_pack_coin_load(struct cs_error *err)
{
    int status = 0;

    cs_lock_take(&lock);
    if (!loaded)
        status =
            coin_open(CS_CLP_LIBRARY, take_clp, err) || coin_open(CS_CBC_LIBRARY, take_cbc, err)
                ? -1
                : 0;
    if (!loaded && !status)
        cs_pack_coin_catch();
    loaded = !status;
    cs_lock_give(&lock);
    return status;
}

int cs_pack_coin_check(struct cs_error *err)
{
    struct cs_error why = {0};

    if (!cs_library_check(CS_CLP_LIBRARY, CS_CLP_DIRECTORY, &why) &&
        !cs_library_check(CS_CBC_LIBRARY, CS_CBC_DIRECTORY, &why))
        return 0;
    return coin_missing(err, why.text);
}

#else

int cs_pack_coin_load(struct cs_error *err)
{
    return cs_error_set_as(err, CS_ERROR_MISSING,
                           "linear programs need CLP and CBC, which this build lacks: install "
                           "coinor-libclp-dev and coinor-libcbc-dev and build again");
}

int cs_pack_coin_check(struct cs_error *err)
{
    return cs_pack_coin_load(err);
}

#endif
