/* kit.h - cmocka with the headers it wants in front. */
#ifndef CS_TESTS_UNIT_KIT_H
#define CS_TESTS_UNIT_KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
