/* bug.h - a mistake of ours is not an error of the user's. */
#ifndef CS_BASE_BUG_H
#define CS_BASE_BUG_H

#include <cosched/error.h>
#include <stddef.h>

/* Print the impossible state and abort, in release builds too. */
_Noreturn void cs_bug(const char *format, ...) CS_PRINTF(1, 2);

/* Memory has run out: the public function that was called fails (guard.h); without a guard print an
 * error and abort. Sizes that a user requests are checked against limits before they get here. */
_Noreturn void cs_bug_no_memory(size_t bytes);

#define CS_REQUIRE(condition)                                                                      \
    ((condition) ? (void)0 : cs_bug("%s:%d: %s does not hold", __FILE__, __LINE__, #condition))

#endif
