/* keys.c - which keys belong to which problem. */
#include "check/keys.h"

#include <stddef.h>
#include <string.h>

static const struct key_row {
    const char *problem, *key;
} key_table[] = {
#define CS_KEY(problem_, key_, ...) {#problem_, key_},
#include "model/keys/malleable.def"
#include "model/keys/moldable.def"
#include "model/keys/pack.def"
#include "model/keys/ptg.def"
#include "model/keys/rigid.def"
#include "model/keys/schedule.def"
#include "model/keys/spot.def"
#include "model/keys/volatile.def"
#undef CS_KEY
};

#define KEYS (sizeof key_table / sizeof *key_table)

bool cs_check_key_is_stray(const char *problem, const char *key)
{
    bool known = false;

    for (size_t k = 0; k < KEYS; k++) {
        if (strcmp(key_table[k].key, key) != 0)
            continue;
        if (strcmp(key_table[k].problem, "every") == 0 ||
            strcmp(key_table[k].problem, problem) == 0)
            return false;
        known = true;
    }
    return known;
}
