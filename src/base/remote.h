/* remote.h - file systems that machines of a network share. */
#ifndef CS_BASE_REMOTE_H
#define CS_BASE_REMOTE_H

#include <stdbool.h>

/* Is the file (or folder) on one?  There SQLite needs a rollback journal, because WAL needs memory
 * that all share who have the file open.  Always, when COSCHED_STORE_JOURNAL=delete is in the
 * environment, for tests.  What does not exist is on none. */
bool cs_remote_is(const char *path);

#endif
