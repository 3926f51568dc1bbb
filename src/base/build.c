/* build.c - version, commit and compiler in one text. */
#include "base/build.h"

#include "commit.h"
#include "config.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *cs_build(void)
{
    return CS_VERSION " (" CS_COMMIT ", " COMPILER ")";
}
