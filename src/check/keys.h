/* keys.h - which keys of schedule files belong to which problem (src/model/keys). */
#ifndef CS_CHECK_KEYS_H
#define CS_CHECK_KEYS_H

#include <stdbool.h>

/* Does the key, at the top of a file, belong to other problems only?  problem: of the file,
 * "observed" for what ran. */
bool cs_check_key_is_stray(const char *problem, const char *key);

#endif
