/* kit.h - cmocka with the headers it wants in front. */
#ifndef CS_TESTS_UNIT_KIT_H
#define CS_TESTS_UNIT_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The skip of cmocka 1.1 writes "not ok # SKIP", which readers of TAP take for a failure: say
 * so in a comment and leave the test. */
#undef skip
#define skip()                                                                                     \
    do {                                                                                           \
        print_message("# skipped: this build or folder lacks what it needs\n");                    \
        return;                                                                                    \
    } while (0)

/* How many random cases: under sanitizers, which take ten times as long, a quarter. */
#if defined __SANITIZE_ADDRESS__
#define KIT_ROUNDS(n) (((n) + 3) / 4)
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KIT_ROUNDS(n) (((n) + 3) / 4)
#endif
#endif
#ifndef KIT_ROUNDS
#define KIT_ROUNDS(n) (n)
#endif

#endif
