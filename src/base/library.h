/* library.h - shared libraries that are loaded when they are needed: are they on this machine? */
#ifndef CS_BASE_LIBRARY_H
#define CS_BASE_LIBRARY_H

#include <cosched/error.h>

/* Check that a shared library can be loaded by its name (soname), without loading it: its file is
 * in a directory of LD_LIBRARY_PATH or in `directory`, where the build found it.  A library that is
 * in neither is loaded to find out.  -1 with err: the name and the reason. */
int cs_library_check(const char *name, const char *directory, struct cs_error *err);

#endif
